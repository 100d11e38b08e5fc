-- The step loop: nothing is allocated in it, and Lua is entered once an execution.

local pod = require "moonpod"

local build = os.getenv "MOONPOD_BUILD"
local counter = build and build .. "/tests/malloc_counter.so"
local has_counter = counter and io.open(counter) ~= nil

local SCRIPT = [[
  local pod = require "moonpod"
  pod.device.context():set_threads(2)
  local strategy = pod.distribute.mirrored(8)
  pod.mixed_precision.set_global_policy "mixed_bfloat16"
  local model = strategy:scope(function()
    local model = pod.models.sequential {
      pod.layers.dense(32, { activation = "relu", input_shape = { 20 } }),
      pod.layers.dropout(0.2),
      pod.layers.dense(10),
    }
    model:compile { optimizer = "adam", metrics = { "accuracy" }, steps_per_execution = 1000,
      loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return model
  end)
  local data = pod.data.from_tensor_slices { pod.ones { 512, 20 }, pod.zeros({ 512 }, "int32") }
  data = data:shuffle(512, { seed = 1 }):repeat_():batch(128):prefetch(4)
  model:fit(data, { steps_per_epoch = 300, verbose = 0 })
]]

-- Allocations of a whole process that trains, from step 100 to step 200.
local function allocations()
  local script, count = os.tmpname(), os.tmpname()
  local file = assert(io.open(script, "w"))
  file:write(SCRIPT)
  file:close()
  assert(os.execute(string.format("LD_PRELOAD='%s' MALLOC_COUNT='%s' '%s/moonpod' '%s'", counter, count, build,
    script)))
  local result = tonumber(io.open(count):read "a")
  os.remove(script)
  os.remove(count)
  return result
end

describe("the step loop", function()
  local if_counted = has_counter and it or pending
  if_counted("allocates nothing between step 100 and step 200", function()
    -- On a busy machine the prefetching thread may get ahead as far as it can for the first time after step 100, and
    -- the pool of batches grows once more. What a step allocates, it allocates in every run.
    local least = math.huge
    for _ = 1, 5 do
      least = math.min(least, allocations())
    end
    assert.equal(0, least)
  end)

  it("enters Lua ceil(steps / N) times an epoch, with the same weights for N = 1, 7 and 50", function()
    local function train(per_execution)
      pod.random.set_seed(3)
      local x = pod.random.normal { 58 * 4, 6 }
      local y = pod.sum(x, 1, { keepdims = true })
      local model = pod.models.sequential { pod.layers.dense(5, { activation = "tanh", input_shape = { 6 } }),
        pod.layers.dense(1) }
      local entries, ends = 0, {}
      model:compile { optimizer = "adam", loss = "mse", steps_per_execution = per_execution }
      model:fit(pod.data.from_tensor_slices({ x, y }):batch(4), { verbose = 0, callbacks = { {
        on_train_batch_end = function(_, batch)
          entries = entries + 1
          ends[entries] = batch
        end,
      } } })
      local bytes = {}
      for i, w in ipairs(model:get_weights()) do
        bytes[i] = w:data()
      end
      return entries, table.concat(bytes), ends
    end
    local ones, weights = train(1)
    assert.equal(58, ones)
    local sevens, weights_of_sevens = train(7)
    assert.equal(9, sevens)
    local fifties, weights_of_fifties = train(50)
    assert.equal(2, fifties)
    assert.is_true(weights == weights_of_sevens)
    assert.is_true(weights == weights_of_fifties)
    local _, _, ends = train(10)
    assert.same({ 9, 19, 29, 39, 49, 57 }, ends)
  end)
end)
