-- masked_loss - the mean loss of the elements that a mask keeps, with static shapes.

local distribute = require "moonpod.distribute"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

-- Repeats a mask over the axes at the end that a tensor has more.
local function spread(mask, t)
  while #mask.shape < #t.shape do
    mask = ops.expand_dims(mask, -1)
  end
  return mask
end

-- The loss of each element: a loss object's own reduction is left out.
local function each(loss, labels, logits)
  if type(loss) == "function" then
    return loss(labels, logits)
  end
  local object = require "moonpod.losses".get(loss, "masked_loss")
  local plain = tables.merge(object)
  plain.reduction = "none"
  return setmetatable(plain, getmetatable(object))(labels, logits)
end

---@name pod.masked_loss
--- The mean of a loss over those elements that a mask keeps, with static shapes: the same number as the mean of `loss`
--- over `logits[mask]` and `labels[mask]`. (Multiplying logits and labels by the mask is not: what is masked then still
--- adds its own constant, ln C for class numbers, ln 2 for a binary cross-entropy.) Inside of `strategy:run` the mean
--- divides by the number of kept elements of all replicas, so that replicas' losses add up. Nothing kept: 0.
---@param loss string|loss|function that gives a loss for each element: a name, a loss, or a function of labels and
---   logits
---@param logits tensor predictions, `(batch, ...)`
---@param labels tensor what they should be
---@param mask tensor of booleans, whose axes are the first of logits and labels
---@return tensor a scalar
---@error the axes of the mask are not those of logits and labels
---@example pod.masked_loss("mse", { { 1 }, { 5 } }, { { 0 }, { 0 } }, { true, false }):item() --> 1
return function(loss, logits, labels, mask)
  logits, labels = tensor.convert(logits), tensor.convert(labels)
  mask = ops.cast(tensor.convert(mask), "bool")
  for i = 1, #mask.shape do
    if mask.shape[i] ~= logits.shape[i] or mask.shape[i] ~= labels.shape[i] then
      errors.raise("masked_loss: the mask has shape %s, logits %s and labels %s; its axes must be as theirs",
        tostring(mask.shape), tostring(logits.shape), tostring(labels.shape))
    end
  end
  -- what is masked is 0 on the way in too, so that no gradient passes there, be it NaN
  logits = ops.where(spread(mask, logits), logits, ops.zeros_like(logits))
  labels = ops.where(spread(mask, labels), labels, ops.zeros_like(labels))
  local values = each(loss, labels, logits)
  if not tensor.is(values) then
    errors.raise("masked_loss: the loss must return a tensor, one value an element, not %s", errors.describe(values))
  end
  if #values.shape < #mask.shape then
    errors.raise("masked_loss: the loss gives shape %s for a mask of shape %s; the mask may have no more axes",
      tostring(values.shape), tostring(mask.shape))
  end
  local kept = ops.logical_and(spread(mask, values), ops.ones(values.shape, "bool"))
  local count = distribute.sum_over_replicas(ops.sum(ops.cast(kept, values.dtype)))
  return ops.divide_no_nan(ops.sum(ops.where(kept, values, ops.zeros_like(values))), count)
end
