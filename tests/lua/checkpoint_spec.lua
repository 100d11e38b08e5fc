-- Checkpoints of loops of one's own: what goes on from one ends where the loop would have ended that was never stopped.

local pod = require "moonpod"
local file = require "moonpod.saving.file"
local inner_json = require "tests.lua.support.inner_json"

local L = pod.layers

local folder
local function path(name)
  return folder .. "/" .. name
end

local function files()
  local list, pipe = {}, assert(io.popen("ls -A " .. folder))
  for name in pipe:lines() do
    list[#list + 1] = name
  end
  pipe:close()
  return list
end

-- Calls fn, and returns what it returns and what it warned of.
local function warned(fn, ...)
  local lines, real = {}, io.stderr
  io.stderr = { write = function(_, ...) lines[#lines + 1] = table.concat { ... } end } -- luacheck: ignore
  local ok, result = pcall(fn, ...)
  io.stderr = real -- luacheck: ignore
  assert(ok, result)
  return result, table.concat(lines)
end

-- A loop over shuffled, endless data with dropout and random numbers of its own.
local function new_loop(replicas)
  pod.random.set_seed(5)
  local strategy = pod.distribute.mirrored(replicas or 1)
  local loop = { losses = {} }
  local x, y = pod.random.normal { 40, 4 }, pod.random.normal { 40, 2 }
  loop.iterator = pod.data.from_tensor_slices({ x, y }):shuffle(40, { seed = 3 }):repeat_()
    :batch(8, { drop_remainder = true }):iterator()
  strategy:scope(function()
    loop.model = pod.models.sequential { L.input { shape = { 4 } }, L.dense(6, { activation = "tanh" }), L.dropout(0.3),
      L.dense(2) }
    loop.optimizer = pod.optimizers.adam { learning_rate = 0.05 }
    loop.step = pod.variable(0, { dtype = "int64" })
  end)
  local step = pod.func(function(a, b)
    strategy:run(function(c, d)
      local tape, loss = pod.tape(function()
        local difference = loop.model(c, { training = true }) - d + pod.random.normal({ 2 }) * 0.1
        return pod.sum(difference * difference) / 8
      end)
      loop.optimizer:apply(tape:gradient(loss, loop.model.trainable_weights), loop.model.trainable_weights)
    end, { a, b })
    loop.step:assign_add(1)
  end)
  function loop.run(steps)
    for _ = 1, steps do
      local batch = loop.iterator:next_element()
      step(batch[1], batch[2])
    end
  end
  function loop.checkpoint()
    return pod.train.checkpoint { model = loop.model, optimizer = loop.optimizer, step = loop.step,
      iterator = loop.iterator }
  end
  return loop
end

local function bits(loop)
  local out = { loop.step:value():item(), pod.random.normal({ 3 }):data() }
  for _, v in ipairs(loop.model.weights) do
    out[#out + 1] = v:value():data()
  end
  for _, v in ipairs(loop.optimizer.variables) do
    out[#out + 1] = v:value():data()
  end
  return out
end

describe("a checkpoint", function()
  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
  end)
  after_each(function()
    os.execute("rm -rf " .. folder)
  end)

  for _, replicas in ipairs { 1, 3 } do
    it("is what a loop goes on from, to the bit, on replicas: " .. replicas, function()
      local whole = new_loop(replicas)
      whole.run(23)
      local wanted = bits(whole)
      local first = new_loop(replicas)
      first.run(9)
      first.checkpoint():write(path "one.safetensors")
      first.run(3) -- which are lost
      local second = new_loop(replicas)
      pod.random.set_seed(77)
      second.checkpoint():restore(path "one.safetensors")
      assert.same(9, second.step:value():item())
      second.run(14)
      assert.same(wanted, bits(second))
    end)
  end

  it("goes from three replicas to one", function()
    local three = new_loop(3)
    three.run(4)
    three.checkpoint():write(path "one.safetensors")
    local one = new_loop(1)
    one.checkpoint():restore(path "one.safetensors")
    for i, v in ipairs(one.model.weights) do
      assert.same(three.model.weights[i]:value():data(), v:value():data())
    end
  end)

  it("may have several models and optimizers, layers, metrics and plain values", function()
    local function make()
      local a = pod.models.sequential { L.input { shape = { 3 } }, L.dense(2) }
      local b = pod.models.sequential { L.input { shape = { 2 } }, L.dense(3) }
      local kept = { generator = a, critic = b, g_optimizer = pod.optimizers.adam(), c_optimizer = pod.optimizers.sgd {
        learning_rate = 0.1, momentum = 0.5 }, seen = pod.metrics.mean(), epoch = 3, names = { "x", "y" } }
      return kept, pod.train.checkpoint(kept)
    end
    local function train(kept)
      for _, pair in ipairs { { "generator", "g_optimizer", 3 }, { "critic", "c_optimizer", 2 } } do
        local model = kept[pair[1]]
        local tape, loss = pod.tape(function()
          return pod.sum(model(pod.ones { 2, pair[3] }))
        end)
        kept[pair[2]]:apply(tape:gradient(loss, model.trainable_weights), model.trainable_weights)
      end
      kept.seen(pod.tensor { 1, 2, 3 })
    end
    local function values(kept)
      local out = { kept.seen:result():item() }
      for _, name in ipairs { "generator", "critic", "g_optimizer", "c_optimizer" } do
        local object = kept[name]
        for _, v in ipairs(object.weights and not object.variables[1].name:find "iteration" and object.weights
          or object.variables) do
          out[#out + 1] = v:value():data()
        end
      end
      return out
    end
    local first, saved = make()
    train(first)
    saved.epoch = 4
    saved:write(path "gan.safetensors")
    local second, loaded = make()
    loaded:restore(path "gan.safetensors")
    assert.same(values(first), values(second))
    assert.same({ 4, { "x", "y" } }, { loaded.epoch, loaded.names })
    train(first)
    train(second)
    assert.same(values(first), values(second))
    local names = table.concat(file.read(path "gan.safetensors").names, " ")
    assert.truthy(names:find("variables/g_optimizer/generator", 1, true)
      or names:find("variables/g_optimizer/variables/generator/", 1, true), names)
  end)

  it("changes nothing where something does not fit", function()
    local loop = new_loop()
    loop.run(2)
    loop.checkpoint():write(path "one.safetensors")
    loop.run(1)
    local before = bits(loop)
    local wrong = pod.train.checkpoint { model = loop.model, optimizer = loop.optimizer, step = pod.variable { 1, 2 } }
    local ok, message = pcall(wrong.restore, wrong, path "one.safetensors")
    assert.is_false(ok)
    assert.truthy(message:find("variables/step: value has shape () in the file, (2,) in the model", 1, true), message)
    local more = pod.train.checkpoint { model = loop.model, optimizer = loop.optimizer, other = pod.variable(1) }
    ok, message = pcall(more.restore, more, path "one.safetensors")
    assert.is_false(ok)
    assert.truthy(message:find("variables/other: value missing in the file", 1, true), message)
    before[2] = pod.random.normal({ 3 }):data() -- the next random numbers are others
    local after = bits(loop)
    before[2], after[2] = nil, nil
    assert.same(before, after)
  end)

  it("of JSON that its reader cannot use is refused, and nothing changes", function()
    local model = pod.models.sequential { L.input { shape = { 4 } }, L.dense(1) }
    local saved = pod.train.checkpoint { model = model, iterator = pod.data.range(9):iterator(), best = 0.5 }
    local name = path "one.safetensors"
    for what, change in pairs {
      ["'fields' must be an object"] = function(extra) extra.fields = { 1 } end,
      ["'count' must be a whole number"] = function(extra) extra.count = "x" end,
    } do
      saved:write(name)
      inner_json.change(name, "extra", change)
      model:set_weights { pod.ones { 4, 1 }, pod.ones { 1 } }
      local random, place = pod.random.get_state(), saved.iterator:state()
      local ok, message = pcall(saved.restore, saved, name)
      assert.is_false(ok)
      assert.truthy(message:find(name .. ": metadata 'extra': " .. what, 1, true), message)
      assert.same({ 1, 1, 1, 1 }, model:get_weights()[1]:reshape({ 4 }):totable())
      assert.same({ random.count, place, 0.5 }, { pod.random.get_state().count, saved.iterator:state(), saved.best })
    end
  end)

  it("that is refused after the data was moved has moved nothing", function()
    local first, second = pod.data.range(9):iterator(), pod.data.range(9):iterator()
    local saved = pod.train.checkpoint { first = first, second = second }
    first:next()
    saved:write(path "two.safetensors")
    pod.train.checkpoint { first = first }:write(path "one.safetensors")
    first:next()
    assert.error_matches(function() saved:restore(path "one.safetensors") end, "no position in the data for 'second'")
    assert.same(2, first:next():item())
    saved:restore(path "two.safetensors")
    assert.same(1, first:next():item())
  end)

  it("that is the newest and is refused gives way to the one before, whatever is wrong with it", function()
    local step = pod.variable(0)
    local saved = pod.train.checkpoint { step = step }
    for _, key in ipairs { "extra", "state" } do
      for i = 1, 2 do
        step:assign(i)
        saved._count = i - 1
        saved:save(path "run")
      end
      inner_json.change(path "run-2.safetensors", key, function(value)
        value.fields, value.random = { 1 }, { 1 }
      end)
      local restored, warning = warned(saved.restore_latest, saved, path "run")
      assert.same({ path "run-1.safetensors", 1 }, { restored, step:value():item() })
      assert.truthy(warning:find("run-2.safetensors: metadata '" .. key, 1, true), warning)
    end
    pod.train.checkpoint { other = step }:write(path "run-2.safetensors") -- of something else
    assert.same(path "run-1.safetensors", (warned(saved.restore_latest, saved, path "run")))
  end)

  it("refuses what no file can have, before anything is written", function()
    assert.error_matches(function() pod.train.checkpoint { model = pod.variable(1) } end, "'model' must be")
    assert.error_matches(function() pod.train.checkpoint { loss = print } end, "'loss' must be a model")
    assert.error_matches(function() pod.train.checkpoint { restore = pod.variable(1) } end, "of the checkpoint's own")
    assert.error_matches(function() pod.train.checkpoint { pod.variable(1) } end, "has a name")
    local iterator = pod.data.range(9):map(function(x)
      return x + 1
    end, { num_parallel_calls = 2, deterministic = false }):iterator()
    local saved = pod.train.checkpoint { iterator = iterator, step = pod.variable(1) }
    assert.error_matches(function() saved:write(path "a.safetensors") end, "not deterministic")
    assert.same({}, files())
    assert.truthy(tostring(saved):find("<checkpoint of iterator, step>", 1, true))
  end)

  it("has numbered files, of which the newest that is whole is restored", function()
    local step = pod.variable(0)
    local saved = pod.train.checkpoint { step = step }
    assert.is_nil(saved:restore_latest(path "run"))
    for i = 1, 3 do
      step:assign(i * 10)
      assert.same(path("run-" .. i .. ".safetensors"), (saved:save(path "run")))
    end
    local fresh = pod.train.checkpoint { step = step }
    assert.same(path "run-3.safetensors", fresh:restore_latest(path "run"))
    assert.same(30, step:value():item())
    local name, written = fresh:save(path "run", { background = true })
    assert.same(path "run-4.safetensors", name)
    written:wait()
    local broken = assert(io.open(path "run-4.safetensors", "r+b"))
    local text = broken:read "*a"
    broken:close()
    broken = assert(io.open(path "run-4.safetensors", "wb"))
    broken:write(text:sub(1, #text - 3))
    broken:close()
    step:assign(0)
    local restored, warning = warned(fresh.restore_latest, fresh, path "run")
    assert.same(path "run-3.safetensors", restored)
    assert.truthy(warning:find("run-4.safetensors: the header describes", 1, true), warning)
    assert.same(30, step:value():item())
    assert.is_nil(fresh:restore_latest(path "other"))
  end)
end)

describe("a checkpoint manager", function()
  local step, saved, clock, real_time

  local function manager(options)
    options.checkpoint, options.directory = saved, path "deep/checkpoints/"
    return pod.train.checkpoint_manager(options)
  end

  local function there()
    local list, pipe = {}, assert(io.popen("ls -A " .. path "deep/checkpoints"))
    for name in pipe:lines() do
      list[#list + 1] = name
    end
    pipe:close()
    return table.concat(list, " ")
  end

  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    step = pod.variable(0)
    saved = pod.train.checkpoint { step = step }
    clock, real_time = 1000, os.time
    os.time = function() -- luacheck: ignore
      return clock
    end
  end)
  after_each(function()
    os.time = real_time -- luacheck: ignore
    os.execute("rm -rf " .. folder)
  end)

  it("keeps the last ones, in later processes too", function()
    local kept = manager { max_to_keep = 2 }
    assert.is_nil(kept.latest_checkpoint)
    assert.same({}, kept.checkpoints)
    for i = 1, 4 do
      step:assign(i)
      assert.same(path("deep/checkpoints/ckpt-" .. i .. ".safetensors"), kept:save())
    end
    assert.same("ckpt-3.safetensors ckpt-4.safetensors", there())
    assert.same({ path "deep/checkpoints/ckpt-3.safetensors", path "deep/checkpoints/ckpt-4.safetensors" },
      kept.checkpoints)
    step:assign(0)
    saved = pod.train.checkpoint { step = step }
    local later = manager { max_to_keep = 2 }
    assert.same(kept.checkpoints, later.checkpoints)
    assert.same(later.latest_checkpoint, later:restore_or_initialize())
    assert.same(4, step:value():item())
    later:save()
    assert.same("ckpt-4.safetensors ckpt-5.safetensors", there())
    later:save { checkpoint_number = 9 }
    assert.same("ckpt-5.safetensors ckpt-9.safetensors", there())
    assert.truthy(tostring(later):find "2 checkpoints")
  end)

  it("deletes an old one once the new one is there, written behind the loop", function()
    local kept = manager { max_to_keep = 1 }
    for i = 1, 5 do
      step:assign(i)
      kept:save { background = true }
      assert.truthy(#there() > 0)
    end
    kept:wait()
    assert.same("ckpt-5.safetensors", there())
    step:assign(0)
    kept:restore_or_initialize()
    assert.same(5, step:value():item())
  end)

  it("keeps one in so many hours for good", function()
    local kept = manager { max_to_keep = 1, keep_checkpoint_every_n_hours = 2, checkpoint_name = "m" }
    for _ = 1, 6 do
      clock = clock + 3600
      kept:save()
    end
    assert.same("m-2.safetensors m-4.safetensors m-6.safetensors m.kept.safetensors", there())
    kept = manager { max_to_keep = 1, keep_checkpoint_every_n_hours = 2, checkpoint_name = "m" }
    assert.same({ path "deep/checkpoints/m-6.safetensors" }, kept.checkpoints)
    kept:save()
    assert.truthy(there():find("m-2.safetensors m-4.safetensors", 1, true))
  end)

  it("saves once in an interval of steps, and begins anew where there is nothing", function()
    local counter, begun = pod.variable(0, { dtype = "int64" }), 0
    local kept = manager { step_counter = counter, checkpoint_interval = 3, init_fn = function()
      begun = begun + 1
    end }
    assert.is_nil(kept:restore_or_initialize())
    assert.same(1, begun)
    local paths = {}
    for i = 1, 7 do
      counter:assign(i)
      paths[#paths + 1] = kept:save()
    end
    assert.same(3, #paths) -- at 1, 4 and 7
    assert.truthy(kept:save { check_interval = false })
    kept:restore_or_initialize()
    assert.same(1, begun)
  end)

  it("says what is missing or wrong", function()
    assert.error_matches(function() pod.train.checkpoint_manager { directory = "x" } end, "'checkpoint' is missing")
    assert.error_matches(function() pod.train.checkpoint_manager { checkpoint = saved } end, "'directory' is missing")
    assert.error_matches(function() manager { max_to_keep = 0 } end, "at least 1")
    assert.error_matches(function() manager { checkpoint_interval = 3 } end, "needs step_counter")
    assert.error_matches(function() manager { checkpoint_name = "a/b" } end, "beginning of files' names")
    assert.error_matches(function() manager { checkpoint_name = 3 } end, "must be a string")
    os.execute("mkdir -p " .. folder .. "; touch " .. path "deep")
    assert.error_matches(function() manager {} end, "cannot make")
  end)

  it("passes over files that are damaged, and those of others", function()
    local kept = manager {}
    for i = 1, 3 do
      step:assign(i)
      kept:save()
    end
    for _, name in ipairs { "ckpt-3.safetensors", "ckpt-x.safetensors", "ckpt-4", "other" } do
      local handle = assert(io.open(path "deep/checkpoints/" .. name, "wb"))
      handle:write "nothing"
      handle:close()
    end
    kept = manager {}
    assert.same(3, #kept.checkpoints)
    assert.same(path "deep/checkpoints/ckpt-2.safetensors", (warned(kept.restore_or_initialize, kept)))
    assert.same(2, step:value():item())
  end)
end)
