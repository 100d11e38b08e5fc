-- A host's interrupt, or Ctrl-C, ends what runs with an error: nothing that is cut short passes for the whole.

local pod = require "moonpod"

local context = pod.device.context()

local function model_of_rows()
  local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
  model:compile { optimizer = "sgd", loss = "mse" }
  return model
end

local x, y = pod.ones { 12, 2 }, pod.ones { 12, 1 }

describe("an interrupt", function()
  after_each(function() context:clear_interrupt() end)

  it("ends fit, evaluate and predict between two batches, with their number", function()
    local model = model_of_rows()
    local function at(hook)
      return { batch_size = 3, verbose = 0, callbacks = { { [hook] = function() context:interrupt() end } } }
    end
    assert.error_matches(function() model:fit(x, y, at "on_train_batch_end") end, "interrupted after 1 steps of")
    assert.error_matches(function() model:evaluate(x, y, at "on_test_batch_end") end, "interrupted after 1 batches")
    assert.error_matches(function() model:predict(x, at "on_predict_batch_end") end, "interrupted after 1 batches")
    for _, run in ipairs {
      function() model:fit(x, y, at "on_epoch_begin") end,
      function() model:evaluate(x, y, at "on_test_begin") end,
      function() model:predict(x, at "on_predict_begin") end,
    } do
      assert.error_matches(run, "interrupted")
    end
    assert.same({ 12, 1 },
      { (table.unpack or unpack)(model:predict(x, { batch_size = 3, verbose = 0 }).shape) }) -- luacheck: ignore
  end)

  it("ends a pass over batches that wait for a function", function()
    local it = pod.data.from_tensor_slices(x):batch(5):map(function(rows) return rows + 1 end):iterator()
    assert.is_true(#it.late > 0)
    context:interrupt()
    assert.error_matches(function() it:next() end, "interrupted")
    assert.same({ 5, 2 }, { (table.unpack or unpack)(it:next().shape) }) -- luacheck: ignore
    it:close()
  end)
end)
