-- Each handle closed, used or asked by each thing that calls back: the host lives, errors say what is wrong, and all
-- works as before afterwards. `./dev test --sanitize` runs this under AddressSanitizer.

local pod = require "moonpod"
local core = require "moonpod.core"

local function compiled(options)
  local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
  model:compile(options or { optimizer = "sgd", loss = "mse" })
  return model
end

local x, y = pod.ones { 8, 3 }, pod.zeros { 8, 2 }

-- A dataset of batches from a generator, which calls `fn` at the second.
local function generated(fn)
  return pod.data.from_generator(function()
    local i = 0
    return function()
      i = i + 1
      if i == 2 then
        fn()
      end
      if i <= 4 then
        return { pod.ones { 4, 3 }, pod.zeros { 4, 2 } }
      end
    end
  end, { pod.spec({ 4, 3 }, "float32"), pod.spec({ 4, 2 }, "float32") })
end

local function drain(it)
  local count = 0
  while it:next() do
    count = count + 1
  end
  return count
end

-- ---- what calls back: each calls `deed(own)` where own are handles that are at work around the call ---------------

local function stages(build)
  return function(deed)
    local own = {}
    local ds = build(function() deed(own) end)
    own.dataset, own.iterator = ds, ds:iterator()
    return drain(own.iterator)
  end
end

local function training(change)
  return function(deed)
    local own = {}
    local model = change(function() deed(own) end)
    own.model = model
    return model:fit(x, y, { epochs = 1, batch_size = 4, verbose = 0 })
  end
end

local callers = {
  ["a generator"] = stages(generated),
  ["a generator behind stages"] = stages(function(fn)
    return generated(fn):unbatch():shuffle(4):batch(2):prefetch(2)
  end),
  ["a map in Lua"] = stages(function(fn)
    local count = 0
    return pod.data.range(4):map(function(a)
      count = count + 1
      if count == 2 then
        fn()
      end
      return a
    end, { compiled = false, num_parallel_calls = 0 })
  end),
  ["a traced map"] = stages(function(fn)
    return pod.data.range(4):map(function(a)
      fn()
      return a * 2
    end)
  end),
  ["interleave's function"] = stages(function(fn)
    return pod.data.range(3):interleave(function(a)
      fn()
      return pod.data.from_tensors(a)
    end)
  end),
  ["a group's function"] = stages(function(fn)
    return pod.data.range(6):group_by_window {
      key_func = function(a) return a % 2 end,
      reduce_func = function(_, window)
        fn()
        return window:batch(2)
      end,
      window_size = 2,
    }
  end),
  ["an infeed function"] = function(deed)
    local own = {}
    local f = pod.func(function(a) return a:sum() end)
    own.func = f
    local count = 0
    return f:run_steps(3, function()
      count = count + 1
      if count == 2 then
        deed(own)
      end
      return pod.ones { 4 }
    end)
  end,
  ["the core's infeed function"] = function(deed)
    local own = { context = core.context { threads = 2 } }
    local g = core.graph(own.context)
    g:output((g:binary("add", (g:parameter("f32", { 4 })), (g:parameter("f32", { 4 })))))
    own.graph, own.buffer = g, core.buffer(own.context, 1, "f32", { 4 })
    own.program = core.compile(own.context, g)
    local given = { core.buffer(own.context, 2, "f32", { 4 }), core.buffer(own.context, 3, "f32", { 4 }) }
    return own.program:run({ own.buffer, false }, { steps = 2, infeed_first = 1, infeed_count = 1,
      infeed = function()
        deed(own)
        return { table.remove(given) }
      end })
  end,
  ["a generator that fit reads"] = function(deed)
    local own = { model = compiled() }
    own.dataset = generated(function() deed(own) end)
    return own.model:fit(own.dataset, { epochs = 1, verbose = 0 })
  end,
  ["a callback's hook"] = function(deed)
    local own = { model = compiled() }
    return own.model:fit(x, y, { epochs = 1, batch_size = 4, verbose = 0,
      callbacks = { { on_train_batch_end = function() deed(own) end, on_epoch_end = function() deed(own) end } } })
  end,
  ["a loss"] = training(function(fn)
    return compiled { optimizer = "sgd", loss = function(y_true, y_pred)
      fn()
      return (y_true - y_pred):square():mean(-1)
    end }
  end),
  ["a metric"] = training(function(fn)
    return compiled { optimizer = "sgd", loss = "mse", metrics = { function(y_true, y_pred)
      fn()
      return (y_true - y_pred):abs():mean(-1)
    end } }
  end),
  ["a layer's call"] = training(function(fn)
    local model = pod.models.sequential {
      pod.layers.dense(2, { input_shape = { 3 } }),
      pod.layers.lambda(function(t)
        fn()
        return t
      end),
    }
    model:compile { optimizer = "sgd", loss = "mse" }
    return model
  end),
  ["a train_step"] = training(function(fn)
    local model = compiled()
    local plain = model.train_step
    rawset(model, "train_step", function(...)
      fn()
      return plain(...)
    end)
    return model
  end),
  ["a strategy's function"] = function(deed)
    local own = { strategy = pod.distribute.mirrored(2) }
    return own.strategy:run(function(a)
      deed(own)
      return a * 2
    end, { x })
  end,
  ["a compiled function"] = function(deed)
    local own = {}
    own.func = pod.func(function(a)
      deed(own)
      return a * 2
    end)
    return own.func(x)
  end,
  ["a tape's function"] = function(deed)
    local own = {}
    return pod.tape(function()
      deed(own)
      return x:sum()
    end)
  end,
  ["a finaliser"] = function(deed)
    local own = { iterator = pod.data.range(5):batch(2):iterator(), context = core.context {} }
    own.buffer = core.buffer(own.context, 1, "f32", { 4 })
    own.graph = core.graph(own.context)
    for _ = 1, 3 do
      setmetatable({}, { __gc = function() deed(own) end })
    end
    collectgarbage "generational"
    local rows = {}
    for i = 1, 2000 do
      rows[i] = pcall(own.graph.parameter, own.graph, "f32", { i }) and { own.iterator } or i
    end
    collectgarbage "incremental"
    return drain(own.iterator), own.buffer:totable(), #rows
  end,
  ["a metamethod of an argument"] = function(deed)
    local own = { context = core.context {} }
    own.graph = core.graph(own.context)
    local p = own.graph:parameter("f32", { 4, 4 })
    local options = setmetatable({}, { __index = function() deed(own) end })
    local replicated = own.graph:replicate(setmetatable({ replicas = 1, parameters = {}, outputs = {} },
      getmetatable(options)))
    return replicated, p, core.compile(own.context, own.graph, options)
  end,
}

-- ---- what is done to handles -------------------------------------------------------------------------------------

local context = core.context { threads = 2 }

local function small_graph()
  local g = core.graph(context)
  g:output((g:unary("exp", (g:parameter("f32", { 4 })))))
  return g
end

-- Makes handles that are nobody else's.
local makers = {
  iterator = function() return pod.data.range(4):iterator() end,
  dataset = function() return pod.data.range(4) end,
  program = function() return core.compile(context, small_graph()) end,
  graph = small_graph,
  context = function() return core.context { threads = 2 } end,
  buffer = function() return core.buffer(context, { 1, 2, 3, 4 }) end,
  tensor = function() return pod.tensor { 1, 2, 3, 4 } end,
  variable = function() return pod.variable { 1, 2, 3, 4 } end,
  model = compiled,
  func = function() return pod.func(function(a) return a + 1 end) end,
  strategy = function() return pod.distribute.mirrored(2) end,
  tape = function() return pod.tape { persistent = true } end,
}

local function close(handle)
  return handle:close()
end

-- Uses and questions of each kind.
local deeds = {
  iterator = { close = close, next = function(it) return it:next() end, rewind = function(it) return it:rewind() end,
    peek = function(it) return it:peek_spec() end, state = function(it) return it:restore(it:state()) end,
    cancel = function(it) return it:cancel() end, stats = function(it) return it:stats() end,
    loop = drain },
  dataset = { iterate = function(ds) return ds:iterator():next() end, totable = function(ds) return ds:totable() end,
    cardinality = function(ds) return ds:cardinality() end,
    chain = function(ds) return ds:batch(2):iterator():next() end },
  program = { close = close, run = function(p) return p:run { core.buffer(context, { 1, 2, 3, 4 }) } end,
    count = function(p) return p:count_time(true) end, stats = function(p) return p:stats(), p:print(), p:times() end },
  graph = { close = close, build = function(g) return g:parameter("f32", { 2 }) end,
    compile = function(g) return core.compile(context, g) end, print = function(g) return g:print(context) end },
  context = { close = close, make = function(c) return core.buffer(c, 1):item(0) end,
    threads = function(c) c:set_threads(1) c:set_threads(3) end, interrupt = function(c)
      c:interrupt()
      return c:clear_interrupt()
    end },
  buffer = { close = close, read = function(b) return b:totable() end, write = function(b) return b:set(0, 5) end,
    view = function(b) return b:view(0, { 2 }):close() end },
  tensor = { read = function(t) return t:totable() end, compute = function(t) return (t * 2):sum() end },
  variable = { read = function(v) return v:value() end, assign = function(v) return v:assign { 5, 6, 7, 8 } end },
  model = { fit = function(m) return m:fit(x, y, { epochs = 1, verbose = 0 }) end,
    predict = function(m) return m:predict(x, { verbose = 0 }) end, call = function(m) return m(x) end,
    compile = function(m) return m:compile { optimizer = "adam", loss = "mse" } end,
    weights = function(m) return m:set_weights(m:get_weights()) end },
  func = { call = function(f) return f(pod.ones { 4 }) end,
    steps = function(f) return f:run_steps(2, function() return pod.ones { 4 } end) end },
  strategy = { scope = function(s) return s:scope(function() return pod.variable { 1 } end) end,
    run = function(s) return s:run(function(a) return a end, { x }) end },
  tape = { close = close, gradient = function(t) return t:gradient(x:sum(), { pod.variable { 1 } }) end },
}

-- What Lua itself says when it is given what the code did not expect.
local function is_raw(message)
  return type(message) ~= "string" or message:find "attempt to [^y]" or message:find "stack overflow"
    or message:find "bad argument #%d+ to 'for"
end

local function works_as_before()
  local double = pod.func(function(a) return a * 2 end)
  assert.same({ 2, 4 }, double(pod.tensor { 1, 2 }):totable())
  assert.same({ { 0 }, { 1 } }, pod.data.range(2):batch(1):totable())
end

describe("reentrancy:", function()
  for caller, call in pairs(callers) do
    for kind, all in pairs(deeds) do
      it(("%s and a %s"):format(caller, kind), function()
        for name, deed in pairs(all) do
          local where = ("%s, %s:%s"):format(caller, kind, name)
          local problem, inside
          -- what is at work, where there is one, and one of its own; once, as a generator's dataset asks the generator
          local ok, message = pcall(call, function(own)
            if inside then
              return
            end
            inside = true
            for _, handle in ipairs { own[kind] or false, makers[kind]() } do
              if handle then
                local done, why = pcall(deed, handle)
                problem = problem or not done and is_raw(why) and tostring(why)
              end
            end
            inside = false
            collectgarbage()
          end)
          assert.is_falsy(problem, where .. ": " .. tostring(problem))
          assert.is_false(not ok and is_raw(message) and true or false, where .. ": " .. tostring(message))
          collectgarbage()
        end
        works_as_before()
      end)
    end
  end
end)
