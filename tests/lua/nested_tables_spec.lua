-- Tables that hold themselves: whatever goes into tables ends, and says why.

local pod = require "moonpod"

-- Each has itself at its first place, at its second behind what is sound, or under a name.
local function cycles(sound)
  local first, second, named = {}, { sound }, {}
  first[1] = first
  second[2] = second
  named.x = named
  return { first = first, second = second, named = named }
end

local x = pod.ones { 4, 3 }

local function compiled()
  local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
  model:compile { optimizer = "sgd", loss = "mse" }
  return model
end

-- What takes tables of any depth.
local takers = {
  tensor = function(t) return pod.tensor(t) end,
  ["tensor, with a dtype"] = function(t) return pod.tensor(t, { dtype = "int32" }) end,
  convert_to_tensor = function(t) return pod.convert_to_tensor(t) end,
  ["an operand"] = function(t) return x / t end,
  ["a comparison"] = function(t) return x:less(t) end,
  concat = function(t) return pod.concat(t, 0) end,
  stack = function(t) return pod.stack(t, 0) end,
  variable = function(t) return pod.variable(t) end,
  assign = function(t) return pod.variable(x):assign(t) end,
  activation = function(t) return pod.activations.selu(t) end,
  ["an argument of a compiled function"] = function(t) return pod.func(function(a) return a end)(t) end,
  ["a result of a compiled function"] = function(t) return pod.func(function() return t end)() end,
  ["a loop's state"] = function(t)
    return pod.while_loop(function() return pod.tensor(false) end, function(s) return s end, t)
  end,
  ["a branch"] = function(t) return pod.cond(pod.tensor(true), function() return t end, function() return t end) end,
  from_tensor_slices = function(t) return pod.data.from_tensor_slices(t) end,
  from_tensors = function(t) return pod.data.from_tensors(t) end,
  zip = function(t) return pod.data.zip(t) end,
  ["a generator's announcement"] = function(t) return pod.data.from_generator(function() end, t) end,
  ["a generator's element"] = function(t)
    return pod.data.from_generator(function() return function() return t end end, pod.spec({ 2 }, "float32"))
      :iterator():next()
  end,
  ["a map's result"] = function(t) return pod.data.range(3):map(function() return t end):iterator():next() end,
  ["a Lua map's result"] = function(t)
    return pod.data.range(3):map(function() return t end, { compiled = false }):iterator():next()
  end,
  padded_batch = function(t) return pod.data.range(3):padded_batch(2, { padded_shapes = t }) end,
  scan = function(t) return pod.data.range(3):scan(t, function(s, a) return s, a end) end,
  ["a layer's option"] = function(t) return pod.layers.dense(t) end,
  ["a layer's list of options"] = function(t) return pod.layers.conv2d(3, t) end,
  ["a layer's numbers"] = function(t) return pod.layers.rescaling(t) end,
  ["a layer's input"] = function(t) return pod.layers.dense(3)(t) end,
  ["a built layer's run"] = function(t) return pod.layers.conv2d(3, 2):run(t) end,
  ["a model's layers"] = function(t) return pod.models.sequential(t) end,
  ["a model's inputs"] = function(t) return pod.models.functional { inputs = t, outputs = t } end,
  ["a model's input"] = function(t) return compiled()(t) end,
  ["compile's losses"] = function(t) return compiled():compile { optimizer = "sgd", loss = t } end,
  ["compile's metrics"] = function(t) return compiled():compile { optimizer = "sgd", loss = "mse", metrics = t } end,
  fit = function(t) return compiled():fit(t, t, { verbose = 0 }) end,
  predict = function(t) return compiled():predict(t, { verbose = 0 }) end,
  train_on_batch = function(t) return compiled():train_on_batch(t, t) end,
  evaluate = function(t) return compiled():evaluate(t, t, { verbose = 0 }) end,
  set_weights = function(t) return compiled():set_weights(t) end,
  ["strategy:run"] = function(t)
    return pod.distribute.mirrored(2):run(function(a) return a end, t)
  end,
  ["a tape's sources"] = function(t)
    local tape = pod.tape()
    local ok, message = pcall(tape.gradient, tape, x:sum(), t)
    tape:close()
    assert(ok, message)
  end,
  ["a shape"] = function(t) return pod.zeros(t) end,
  ["an index"] = function(t) return x[t] end,
  ["an error's value"] = function(t) return pod.layers.dense(3, { activation = t }) end,
}

-- Instructions of Lua that a call may take: none of these is near it.
local function limited(fn, ...)
  debug.sethook(function() error("went on and on", 0) end, "", 2000000)
  local ok, message = pcall(fn, ...)
  debug.sethook()
  return ok, message
end

describe("a table that holds itself", function()
  for name, take in pairs(takers) do
    it("ends: " .. name, function()
      for place, cycle in pairs(cycles(x)) do
        local ok, message = limited(take, cycle)
        if not ok then
          assert.not_matches("went on and on", tostring(message), 1, false, place)
          assert.not_matches("stack overflow", tostring(message), 1, false, place)
        end
      end
    end)
  end

  it("is named", function()
    local cycle = cycles(x).first
    assert.error_matches(function() pod.tensor(cycle) end, "nested more than 100 deep; does one hold itself%?")
    assert.error_matches(function() pod.func(function(a) return a end)(cycle) end, "does one hold itself%?")
    assert.error_matches(function() pod.models.sequential(cycle) end, "layer")
  end)

  it("is no trouble where it is not gone into", function()
    assert.error_matches(function() pod.layers.dense(cycles(x).first) end, "units")
  end)
end)
