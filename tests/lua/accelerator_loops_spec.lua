-- Training on one device and on eight of XLA's plugin for CPUs: loops of steps in one program, what stops them, mixed
-- precision, checkpoints, loops of one's own and variables with a value a replica.

local device = require "moonpod.tensor.device"
local pod = require "moonpod"
local plugin = require "tests.lua.support.plugin"

local x = pod.random.normal({ 1000, 6 }, { seed = 3 })
local y = x:matmul(pod.random.normal({ 6, 4 }, { seed = 4 })):argmax(1)

local function build(strategy, options)
  options = options or {}
  pod.random.set_seed(7)
  return strategy:scope(function()
    local model = pod.models.sequential {
      pod.layers.dense(16, { activation = "relu", input_shape = { 6 } }),
      pod.layers.dropout(0.3),
      pod.layers.dense(4, { dtype = "float32" }),
    }
    model:compile { optimizer = "adam", metrics = { "accuracy" }, steps_per_execution = options.steps,
      loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return model
  end)
end

local function train(model, options)
  options = options or {}
  return model:fit(x, options.y or y, { batch_size = 16, epochs = options.epochs or 1, verbose = 0, shuffle = false,
    callbacks = options.callbacks }).history.loss
end

local function near(expected, got, bound)
  local difference = (expected - got):abs():max():item()
  assert(difference <= bound, ("differs by %g"):format(difference))
end

for _, count in ipairs { 1, 8 } do
  describe(("on %d of its devices"):format(count), function()
    if not plugin.is_there() then
      return it("needs a plugin", function() pending(plugin.why) end)
    end

    it("fifty steps are an execution", function()
      local here = build(pod.distribute.mirrored(count))
      local expected = train(here, { epochs = 2 })
      local there = build(plugin.strategy(count, plugin.watched), { steps = 50 })
      local got = train(there, { epochs = 2 })
      for i, loss in ipairs(expected) do -- 62 steps an epoch, and one of 8 rows
        assert(math.abs(loss - got[i]) <= 1e-5, ("%.9g and %.9g"):format(loss, got[i]))
      end
      assert.equal(126, there.optimizer.iterations:value():item())
      near(here:predict(x, { verbose = 0 }), there:predict(x, { verbose = 0 }), 1e-4)
    end)

    it("a check ends the loop of steps that it is in", function()
      local model = build(plugin.strategy(count, plugin.watched), { steps = 50 })
      local wrong = pod.concat({ pod.slice_axis(y, 0, 0, 160), pod.slice_axis(y, 0, 160, 1000) + 9 }, 0)
      local ok, message = pcall(train, model, { y = wrong })
      assert.is_false(ok)
      assert(tostring(message):find("label is not one of the classes 0 to 3", 1, true), message)
    end)

    it("an interrupt ends the training behind an execution, and it goes on", function()
      local model = build(plugin.strategy(count, plugin.watched), { steps = 4 })
      local batches = 0
      local stopper = pod.callbacks.lambda { on_train_batch_end = function()
        batches = batches + 1
        if batches == 3 then
          device.context():interrupt()
        end
      end }
      local ok, message = pcall(train, model, { callbacks = { stopper } })
      assert(not ok and tostring(message):find "interrupted", message)
      local done = model.optimizer.iterations:value():item()
      assert(done >= 12 and done <= 20, done)
      train(model)
      assert.equal(done + 63, model.optimizer.iterations:value():item())
    end)

    it("weights and the optimizer's state go to this host and back", function()
      local path = os.tmpname() .. ".safetensors"
      local here = build(pod.distribute.mirrored(count))
      local there = build(plugin.strategy(count, plugin.watched), { steps = 3 })
      train(there)
      there:save(path)
      local taken = pod.models.load(path)
      pod.random.set_seed(9)
      local expected = train(there)[1]
      pod.random.set_seed(9)
      assert(math.abs(expected - train(taken)[1]) <= 1e-5)
      train(here)
      here:save(path)
      local back = plugin.strategy(count, plugin.watched):scope(function() return pod.models.load(path) end)
      pod.random.set_seed(9)
      expected = train(here)[1]
      pod.random.set_seed(9)
      assert(math.abs(expected - train(back)[1]) <= 1e-5)
      os.remove(path)
    end)

    it("a model in mixed precision is trained", function()
      pod.mixed_precision.set_global_policy "mixed_bfloat16"
      local ok, message = pcall(function()
        local expected = train(build(pod.distribute.mirrored(count)), { epochs = 2 })
        for i, loss in ipairs(train(build(plugin.strategy(count, plugin.watched), { steps = 5 }), { epochs = 2 })) do
          assert(math.abs(loss - expected[i]) <= 0.02 * expected[i], loss .. " and " .. expected[i])
        end
      end)
      pod.mixed_precision.set_global_policy "float32"
      assert(ok, message)
    end)

    it("a loop of one's own runs, with a variable that has a value a replica", function()
      local function run(strategy)
        local w, seen = strategy:scope(function()
          return pod.variable(pod.ones { 6, 4 }),
            pod.variable(0, { synchronization = "on_read", aggregation = "sum", trainable = false })
        end)
        local step = pod.func(function(rows, labels)
          return strategy:reduce("sum", strategy:run(function(a, b)
            local tape, loss = pod.tape(function()
              return pod.losses.sparse_categorical_crossentropy { from_logits = true, reduction = "sum" }(b,
                a:matmul(w))
            end)
            w:assign_sub(pod.distribute.replica_context():all_reduce("sum", tape:gradient(loss, w)) * 0.01)
            seen:assign_add(pod.cast(pod.dimension_size(a, 0), "float32"))
            return loss
          end, { strategy:split(rows), strategy:split(labels) }))
        end)
        local losses = {}
        for i = 0, 2 do
          local first, last = 40 * i, 40 * i + 40
          losses[#losses + 1] = step(pod.slice_axis(x, 0, first, last), pod.slice_axis(y, 0, first, last)):item()
        end
        return losses, seen:value():item()
      end
      local expected, rows = run(pod.distribute.mirrored(count))
      local got, there = run(plugin.strategy(count, plugin.watched))
      assert.equal(rows, there)
      for i, loss in ipairs(expected) do
        assert(math.abs(loss - got[i]) <= 1e-4 * loss, loss .. " and " .. got[i])
      end
    end)
  end)
end
