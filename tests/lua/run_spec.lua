-- Trainings that go on in slices of time: the option `background` of fit.

local pod = require "moonpod"

local x, y, more_x, more_y

local function make(has_dropout)
  pod.random.set_seed(7)
  local model = pod.models.sequential { pod.layers.dense(24, { activation = "relu", input_shape = { 12 } }),
    pod.layers.batch_normalization(), pod.layers.dropout(has_dropout == false and 0 or 0.2), pod.layers.dense(5) }
  model:compile { optimizer = pod.optimizers.adam { learning_rate = 0.01 }, metrics = { "accuracy" },
    steps_per_execution = 7, loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end

local function options(background, more)
  local all = { epochs = 3, batch_size = 16, verbose = 0, background = background,
    validation_data = { more_x, more_y } }
  for name, value in pairs(more or {}) do
    all[name] = value
  end
  return all
end

-- All numbers of the weights, to the bit.
local function bits(model)
  local list = {}
  for i, weight in ipairs(model:get_weights()) do
    local values = {}
    for j, value in ipairs(pod.reshape(weight, { -1 }):totable()) do
      values[j] = ("%.17g"):format(value)
    end
    list[i] = table.concat(values, " ")
  end
  return table.concat(list, "\n")
end

-- The same of what a history has.
local function told(history)
  local list = {}
  for name, values in pairs(history.history) do
    for i, value in ipairs(values) do
      list[#list + 1] = ("%s %d %.17g"):format(name, i, value)
    end
  end
  table.sort(list)
  return table.concat(list, "\n")
end

-- How a foreground fit ends.
local function foreground(more, has_dropout)
  local model = make(has_dropout)
  pod.random.set_seed(11)
  local history = model:fit(x, y, options(nil, more))
  return bits(model), told(history)
end

local function begin(background, more, has_dropout)
  local model = make(has_dropout)
  pod.random.set_seed(11)
  return model:fit(x, y, options(background, more)), model
end

describe("a run", function()
  local host_before = package.loaded["moonpod.host"]

  setup(function()
    package.loaded["moonpod.host"] = { prompt = true }
    pod.random.set_seed(5)
    x, more_x = pod.random.normal { 300, 12 }, pod.random.normal { 50, 12 }
    y = pod.cast(pod.random.uniform({ 300 }, { maxval = 5 }), "int32")
    more_y = pod.cast(pod.random.uniform({ 50 }, { maxval = 5 }), "int32")
  end)

  teardown(function()
    package.loaded["moonpod.host"] = host_before
  end)

  it("of the background is refused where no prompt gives it time, and one in steps is not", function()
    local prompt = package.loaded["moonpod.host"]
    for _, none in ipairs { { prompt = false }, {}, false } do
      package.loaded["moonpod.host"] = none
      local ok, failure = pcall(begin, true)
      local stepped = begin "stepped"
      package.loaded["moonpod.host"] = prompt
      assert.is_false(ok)
      assert.is_not_nil(failure:find("run:step { ms = 4 }", 1, true), failure)
      assert.is_true(stepped:step { ms = 1 })
      stepped:stop()
    end
  end)

  it("of the background ends with the bits of a fit in the foreground", function()
    local weights, history = foreground()
    local run, model = begin(true)
    assert.equal("going", run.state)
    assert.equal(run.history, run:wait())
    assert.is_true(run:done())
    assert.equal("done", run.state)
    assert.equal(weights, bits(model))
    assert.equal(history, told(run.history))
    assert.equal(run.history, model.history)
  end)

  it("has these bits also where a script reads, evaluates and computes at random meanwhile", function()
    local weights, history = foreground()
    for seed = 1, 4 do
      local run, model = begin(true)
      local state = seed
      local function random(count)
        state = (state * 1103515245 + 12345) % 2147483648
        return math.floor(state / 65536) % count
      end
      local kept = {}
      while not run:done() do
        local what = random(8)
        if what == 0 then
          local now = model:get_weights()[1]
          kept[#kept + 1] = { now, now:totable()[1][1] }
        elseif what == 1 then
          model:evaluate(more_x, more_y, { verbose = 0 })
        elseif what == 2 then
          model:predict(more_x)
        elseif what == 3 then
          assert.equal(4, (pod.tensor(2) * 2):item())
        elseif what == 4 then
          collectgarbage()
        elseif what == 5 then
          assert.is_true(tostring(run:progress()):find "^epoch [123]/3, step %d+/19" ~= nil)
        elseif what == 6 then
          local rate = model.optimizer.learning_rate
          rate:assign(rate:value())
        end
      end
      assert.equal(weights, bits(model))
      assert.equal(history, told(run.history))
      for _, one in ipairs(kept) do -- what was read stays what it was
        assert.equal(one[2], one[1]:totable()[1][1])
      end
    end
  end)

  it("in steps has the same bits, however short they are", function()
    local weights, history = foreground()
    for _, ms in ipairs { 1e-6, 0.05, 4 } do
      local run, model = begin "stepped"
      local steps = 0
      while run:step { ms = ms } do
        steps = steps + 1
      end
      assert.is_true(steps > 0)
      assert.equal(weights, bits(model))
      assert.equal(history, told(run.history))
      assert.is_false(run:step())
    end
    local ready, prepared = begin "stepped"
    local compiled = require("moonpod.tensor.programs").compiled
    ready:prepare()
    local programs = compiled.programs
    repeat
      local goes_on = ready:step()
    until not goes_on or ready:progress().epoch > 1
    assert.is_true(compiled.programs - programs <= 2) -- of what hooks read: of metrics
    ready:wait()
    assert.equal(weights, bits(prepared))
    local run = begin "stepped" -- nothing but step() lets it go on
    assert.is_false(run:done())
    assert.is_false(run:done())
    assert.equal(0, run:progress().step)
    run:wait()
  end)

  it("divides batches that are slow to make between their elements", function()
    local made = 0
    local function generated()
      return pod.data.from_generator(function()
        local i = 0
        return function()
          i = i + 1
          if i <= 40 then
            made = made + 1
            return x[i], y[i]
          end
        end
      end, { pod.spec({ 12 }, "float32"), pod.spec({}, "int32") }):batch(16)
    end
    local function interpreted()
      return pod.data.from_tensor_slices { x, y }:take(40):map(function(features, label)
        local sum = 0
        for i = 1, 40000 do
          sum = sum + i % 7
        end
        return features, label + (sum < 0 and 1 or 0)
      end, { interpret = true }):padded_batch(16)
    end
    for way, data in pairs { generated = generated, interpreted = interpreted } do
      local model = make()
      pod.random.set_seed(11)
      local weights = { model:fit(data(), { epochs = 2, verbose = 0 }) and bits(model) }
      model = make()
      pod.random.set_seed(11)
      local run = model:fit(data(), { epochs = 2, verbose = 0, background = "stepped" })
      local slices, most = 0, 0
      repeat
        local before = made
        local goes_on = run:step { ms = 1e-6 }
        slices, most = slices + 1, math.max(most, made - before)
      until not goes_on
      assert.equal(weights[1], bits(model), way)
      assert.is_true(slices > 40, way)
      assert.is_true(most <= 1, way)
    end
  end)

  it("goes on in a coroutine of its own, whatever a host has in the place of Lua's and whichever has called", function()
    local host = {}
    for name, fn in pairs(coroutine) do
      host[name] = fn
    end
    local run = begin("stepped", { epochs = 4 })
    for _, name in ipairs { "create", "resume", "yield", "status", "wrap" } do
      coroutine[name] = function() -- luacheck: ignore
        error("API disabled", 0)
      end
    end
    local ok, failure = pcall(function()
      local again = begin("stepped", { epochs = 2 })
      while again:step { ms = 0.1 } do end
      for _ = 1, 100000 do -- each step by another, which is over behind it
        local thread = host.create(function()
          return run:step { ms = 0.1 }
        end)
        local _, more = assert(host.resume(thread))
        if not more then
          break
        end
        collectgarbage "step"
      end
    end)
    for name, fn in pairs(host) do
      coroutine[name] = fn -- luacheck: ignore
    end
    assert.is_true(ok, failure)
    assert.are.equal("done", run.state)
    assert.are.equal(4, #run.history.history.loss)
  end)

  it("is not left by a callback that yields", function()
    local run = begin("stepped", { callbacks = { { on_epoch_end = function()
      coroutine.yield "to nobody"
    end } } })
    local _, failure = pcall(function()
      while run:step { ms = 100 } do end
    end)
    assert.is_not_nil(tostring(failure):find "what a run calls must not yield"
      or tostring(failure):find "attempt to yield across", failure) -- Lua 5.1 itself
    assert.are.equal("failed", run.state)
  end)

  it("that nobody kept can be ended, and the model is trained anew", function()
    for _, way in ipairs { true, "stepped" } do
      local _, model = begin(way, { epochs = 3 })
      collectgarbage()
      assert.has_error(function() model:fit(x, y) end)
      model:current_run():stop()
      assert.is_nil(model:current_run())
      assert.equal(1, #model:fit(x, y, { epochs = 1, verbose = 0 }).history.loss)
    end
  end)

  it("goes on beside another, each with its bits", function()
    local long = { epochs = 40 }
    local weights = foreground(long)
    local first, one = begin(true, long)
    local second, other = begin(true, long)
    assert.error_matches(function() one:fit(x, y) end, "is in training already.- at .-run_spec%.lua:%d+: wait for it")
    first:wait()
    assert.is_true(second:progress().epoch > 10)
    second:wait()
    assert.equal(weights, bits(one))
    assert.equal(weights, bits(other))
  end)

  it("draws the numbers that it would draw alone, whatever is drawn beside it", function()
    local weights, history = foreground()
    pod.random.set_seed(11)
    local draw = pod.func(function() return pod.random.uniform { 3 } end)
    pod.random.uniform {} -- as fit draws a seed for its order
    local expected = { draw():totable(), draw():totable(), pod.random.uniform({ 2 }):totable() }
    for _, way in ipairs { "stepped", true } do
      local run, model = begin(way)
      local drawn = {}
      repeat
        local over
        if way == true then
          over = run:done()
        else
          over = not run:step { ms = 0.01 }
        end
        if over then -- what is drawn from now on comes behind the run's
          break
        elseif #drawn < 2 then
          drawn[#drawn + 1] = draw():totable()
        elseif #drawn == 2 then
          drawn[3] = pod.random.uniform({ 2 }):totable()
        elseif #drawn == 3 then
          drawn[4] = begin(way, { epochs = 1 }):stop() and pod.random.set_seed(12) or 0
        else
          draw()
        end
      until run:done()
      assert.equal(weights, bits(model))
      assert.equal(history, told(run.history))
      assert.is_true(way == true or #drawn >= 3)
      for i = 1, math.min(3, #drawn) do
        assert.same(expected[i], drawn[i])
      end
    end
    foreground()
    local behind = draw():totable()
    begin(true):wait()
    assert.same(behind, draw():totable())
  end)

  it("divides what an epoch ends with", function()
    local ended, between = {}, {}
    local function note(name)
      return { on_epoch_end = function() ended[#ended + 1] = name end }
    end
    local weights = foreground()
    local run, model = begin("stepped", { callbacks = { note "a", note "b", note "c" } })
    while run:step { ms = 1e-6 } do
      between[table.concat(ended, "")] = true
    end
    assert.equal("abcabcabc", table.concat(ended))
    assert.same({ true, true, true }, { between.a, between.ab, between.abc })
    assert.equal(weights, bits(model))
  end)

  it("rests, goes on and stops behind a step", function()
    local run, model = begin(true, { epochs = 1000 })
    run:pause()
    local at = run:progress()
    assert.equal("paused", at.state)
    assert.equal(at.step, run:progress().step)
    run:resume()
    while run:progress().epoch < 2 do -- luacheck: ignore
    end
    assert.equal(run.history, run:stop())
    assert.equal("stopped", run.state)
    assert.is_true(run:done())
    assert.is_true(#run.history.history.loss >= 1)
    assert.equal("number", type(run.logs.loss))
    run:wait()
    model:fit(x, y, { verbose = 0 })
  end)

  it("calls hooks, which may stop it", function()
    local epochs, batches, ends = 0, 0, 0
    local run = begin(true)
    run:on("epoch", function(one, logs)
      assert.equal(run, one)
      assert.equal("number", type(logs.val_loss))
      epochs = epochs + 1
      if epochs == 2 then
        one:stop()
      end
    end)
    run:on("batch", function() batches = batches + 1 end)
    run:on("end", function() ends = ends + 1 end)
    run:wait()
    assert.equal("stopped", run.state)
    assert.same({ 2, 6, 1 }, { epochs, batches, ends })
    assert.error_matches(function() run:on("epochs", print) end, "there is no event 'epochs'; did you mean 'epoch'")
  end)

  it("keeps what goes wrong for who waits", function()
    local failed
    local run = begin(true, { callbacks = { { on_epoch_end = function() error "broken" end } } })
    run:on("error", function(one) failed = one.error end)
    while not run:done() do -- luacheck: ignore
    end
    assert.equal("failed", run.state)
    assert.matches("on_epoch_end of callback 1: broken", run.error)
    assert.equal(failed, run.error)
    assert.error_matches(function() run:wait() end, "broken")
    assert.error_matches(function() begin(true, { batch_size = 0 }) end, "batch_size")
    assert.error_matches(function() begin "later" end, 'must be true, false or "stepped"')
    local model = make()
    local _, message = pcall(function()
      model:fit(pod.zeros { 4, 3 }, pod.zeros({ 4 }, "int32"), { background = true, verbose = 0 })
    end)
    assert.matches("run_spec.lua:%d+: model '.*' wants inputs of shape", message)
  end)

  it("goes back to the bits that were there, and on to those of a run that never did", function()
    local weights, history = foreground()
    local of_step, count, slow = {}, 0, make()
    slow.steps_per_execution = 1
    pod.random.set_seed(11)
    slow:fit(x, y, options(nil, { callbacks = { { on_train_batch_end = function()
      count = count + 1
      of_step[count] = bits(slow)
    end } } }))
    for _, at in ipairs { 12, 25, 45 } do -- in each epoch; executions are of 7 steps, epochs of 19
      local run, model = begin(true)
      local done, rest = 0, at
      local function note(_, logs)
        done = logs and run:progress().epoch * 19 - 19 + run:progress().step or done
        if done >= rest then
          run:pause()
          rest = 1 / 0
        end
      end
      run:on("batch", note)
      run:wait()
      assert.equal("paused", run.state)
      for _, steps in ipairs { 1, 3, 5 } do
        run:back(steps)
        done = (run:progress().epoch - 1) * 19 + run:progress().step
        assert.equal("paused", run.state)
        assert.equal(of_step[done], bits(model))
      end
      assert.error_matches(function() run:back(1000) end, "can go back by " .. done .. " steps at most")
      local now = done
      model.optimizer.learning_rate:assign(0.5) -- goes wrong, and is taken back
      rest = now + 3
      run:wait()
      assert.equal("paused", run.state)
      assert.are_not.equal(of_step[done], bits(model))
      run:back(done - now)
      assert.equal(of_step[now], bits(model))
      run:wait()
      assert.equal(weights, bits(model))
      assert.equal(history, told(run.history))
    end
  end)

  it("goes back to what was there behind a change of a script's", function()
    local run, model = begin(true, { epochs = 1 })
    local done, rest, there = 0, 7, {}
    run:on("batch", function()
      done = run:progress().step
      there[done] = bits(model)
      if done >= rest then
        run:pause()
      end
    end)
    run:wait()
    model.optimizer.learning_rate:assign(0.1)
    rest = 14
    run:wait()
    model:set_weights(model:get_weights())
    rest = 19
    run:wait()
    local over = run.state
    assert.equal("paused", over)
    for _, step in ipairs { 14, 7 } do
      run:back(run:progress().step - step)
      assert.equal(step, run:progress().step)
      assert.equal(there[step], bits(model))
    end
    assert.is_true(math.abs(model.optimizer.learning_rate:value():item() - 0.01) < 1e-6)
  end)

  it("takes another learning rate between two steps", function()
    local run, model = begin(true, { epochs = 50 })
    run:progress()
    model.optimizer.learning_rate:assign(0)
    local before
    while run:progress().epoch < 3 do
      before = before or bits(model)
    end
    run:pause()
    local kernel = model:get_weights()[1]:totable()
    model.optimizer.learning_rate:assign(0.1)
    run:resume()
    local epoch = run:progress().epoch
    while run:progress().epoch < epoch + 2 do -- luacheck: ignore
    end
    assert.are_not.same(kernel, model:get_weights()[1]:totable())
    run:stop()
  end)
end)
