-- Selections by a mask in compiled steps: all rows go on, and sums, means and losses are those of the rows kept.

local pod = require "moonpod"

local function keep(y)
  return pod.greater(pod.reshape(pod.cast(y, "float32"), { -1 }), 1.5)
end

local crossentropy = pod.losses.sparse_categorical_crossentropy { from_logits = true }

local LOSSES = {
  { "a mean", function(y, p) return pod.mean(pod.boolean_mask(p, keep(y))) end },
  { "a mean of what is made of them", function(y, p)
    return pod.mean(pod.square(pod.boolean_mask(p, keep(y)) - 2) * pod.exp(pod.ones { 5 }))
  end },
  { "a sum", function(y, p) return pod.sum(pod.boolean_mask(p, keep(y)) ^ 2) end },
  { "a largest value", function(y, p) return pod.max(pod.boolean_mask(p, keep(y))) end },
  { "a smallest value of each column", function(y, p) return pod.sum(pod.min(pod.boolean_mask(p, keep(y)), 0)) end },
  { "a product of rows", function(y, p)
    return pod.mean(pod.matmul(pod.boolean_mask(p, keep(y)), pod.ones { 5, 3 }))
  end },
  { "a loss with class numbers", function(y, p)
    local k = keep(y)
    return pod.mean(crossentropy(pod.boolean_mask(y, k), pod.boolean_mask(p, k)))
  end },
  { "other axes", function(y, p)
    local kept = pod.boolean_mask(p, keep(y))
    return pod.sum(pod.mean(pod.transpose(pod.reshape(kept, { -1, 5, 1 }), { 1, 0, 2 }), 1))
  end, all_rows = true },
  { "a spread", function(y, p)
    local kept = pod.boolean_mask(p, keep(y))
    return pod.var(kept) + pod.logsumexp(kept) + pod.mean(pod.log_softmax(kept), 0):sum()
  end },
}

-- What three epochs of training come to.
local function train(loss, masked)
  pod.random.set_seed(3)
  local model = pod.models.sequential { pod.layers.dense(5, { input_shape = { 4 } }) }
  model:compile { optimizer = pod.optimizers.sgd { learning_rate = 0.001 }, loss = loss, run_eagerly = not masked }
  model:set_memory_options { masked_rows = masked }
  local x, y = pod.random.uniform { 16, 4 }, pod.random.uniform({ 16 }, { minval = 0, maxval = 5, dtype = "int32" })
  local history = model:fit(x, y, { epochs = 3, batch_size = 8, verbose = 0, shuffle = false }).history.loss
  return history[3], pod.sum(pod.square(model.layers[1].kernel)):item()
end

describe("rows that a mask keeps in a compiled step", function()
  for _, case in ipairs(LOSSES) do
    it("have the loss and the gradients of the same rows alone: " .. case[1], function()
      if case.all_rows then -- a size that the script reads
        local value = train(case[2], true)
        assert.is_true(value == value)
        return
      end
      local loss, weights = train(case[2], false)
      local masked_loss, masked_weights = train(case[2], true)
      assert.is_true(math.abs(loss - masked_loss) <= 1e-5 * math.abs(loss), loss .. " " .. masked_loss)
      assert.is_true(math.abs(weights - masked_weights) <= 1e-6 * weights, weights .. " " .. masked_weights)
    end)
  end

  it("let no NaN of other rows pass", function()
    local value, weights = train(function(y, p)
      local k = keep(y)
      return pod.mean(pod.boolean_mask(pod.where(pod.reshape(k, { -1, 1 }), p, 0 / pod.zeros_like(p)), k))
    end, true)
    assert.is_true(value == value and weights == weights)
  end)

  it("are no rows of a step without the option", function()
    assert.error_matches(function()
      local model = pod.models.sequential { pod.layers.dense(5, { input_shape = { 4 } }) }
      model:compile { loss = LOSSES[1][2] }
      model:fit(pod.ones { 8, 4 }, pod.ones { 8 }, { verbose = 0 })
    end, "the size of the result would depend on values")
  end)

  it("are refused where it is not known which are meant", function()
    for _, loss in ipairs {
      function(y, p) return pod.sum(pod.concat({ pod.boolean_mask(p, keep(y)), p }, 0)) end,
      function(y, p) return pod.sum(pod.boolean_mask(p, keep(y)) * p) end,
      function(y, p) return pod.sum(pod.boolean_mask(p, keep(y)) * pod.boolean_mask(p, keep(y))) end,
      function(y, p) return pod.sum(pod.sort(pod.boolean_mask(p, keep(y)), 0)) end,
      function(y, p) return pod.sum(pod.softmax(pod.boolean_mask(p, keep(y)), 0) * 2) * 0
        + pod.sum(pod.log_softmax(pod.boolean_mask(p, keep(y)), 0)) end,
      function(y, p)
        local kept = pod.boolean_mask(p, keep(y))
        return pod.cond(pod.greater(pod.sum(p), 0), function() return pod.sum(kept) end,
          function() return pod.sum(kept) * 2 end)
      end,
    } do
      local ok, message = pcall(train, loss, true)
      assert.is_false(ok)
      assert.truthy(tostring(message):find("boolean_mask: ", 1, true), tostring(message))
    end
  end)

  it("have means of a replica's own rows, which are told as such", function()
    local strategy = pod.distribute.mirrored(2)
    local model
    strategy:scope(function()
      model = pod.models.sequential { pod.layers.dense(5, { input_shape = { 4 } }) }
      model:compile { optimizer = "sgd", loss = LOSSES[1][2] }
    end)
    model:set_memory_options { masked_rows = true }
    assert.error_matches(function()
      model:fit(pod.random.uniform { 16, 4 }, pod.ones({ 16 }, "int32"), { batch_size = 16, verbose = 0 })
    end, "the gradients are of a mean over each replica's own rows")
  end)
end)
