-- swap_ema_weights - evaluates and predicts with the averages of the weights that an optimizer with use_ema = true
-- keeps; with swap_on_epoch = true they stand in the model from the end of an epoch to the next one's begin, so that
-- callbacks behind this one save them.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local schema = require "moonpod.base.schema"
local states = require "moonpod.callbacks.states"
local tables = require "moonpod.base.tables"

-- The weights that have an average, and these.
local function averages(self)
  local optimizer = self.model.optimizer
  local inner = optimizer and rawget(optimizer, "inner") or optimizer
  if not inner or not inner.config.use_ema or not inner.built then
    errors.raise("SwapEMAWeights must be used when `use_ema=True` is set on the optimizer. Received: use_ema=%s%s",
      inner and inner.config.use_ema and "True" or "False",
      inner and inner.config.use_ema and "; the optimizer has made no step, so there are no averages" or "")
  end
  return inner.weights, function(weight)
    return inner._state.slots[weight].average
  end
end

-- Puts the averages into the model; the weights are kept.
local function put_in(self)
  if not self.kept then
    local weights, average_of = averages(self)
    self.kept = tables.map(weights, function(weight)
      return weight:value()
    end)
    for _, weight in ipairs(weights) do
      weight:assign(average_of(weight):value())
    end
  end
end

local function take_out(self)
  if self.kept then
    for i, weight in ipairs((averages(self))) do
      weight:assign(self.kept[i])
    end
    self.kept = nil
  end
end

local function on_train_begin(self)
  self.kept = nil
end

local function on_epoch_begin(self)
  if self.swap_on_epoch then
    take_out(self)
  end
end

local function on_epoch_end(self)
  if self.swap_on_epoch then
    put_in(self)
  end
end

-- Where an error ends the run, the weights are those that were trained.
local function close(self)
  if self.kept and not self.is_done then
    take_out(self)
  end
  self.kept, self.is_done = nil, nil
end

-- By now fit has put the averages into the model.
local function on_train_end(self)
  self.is_done = true
end

---@name pod.callbacks.swap_ema_weights
--- Evaluates and predicts with the averages of the weights that an optimizer with `use_ema = true` keeps.
---@param options.swap_on_epoch boolean whether they stand in the model from the end of an epoch to the next one's
---   begin, so that callbacks behind this one save them
---@return callback
---@example pod.callbacks.swap_ema_weights().swap_on_epoch --> false
return callback.define { name = "swap_ema_weights", defaults = { swap_on_epoch = false },
  kinds = { swap_on_epoch = "boolean" }, state = { kept = schema.optional(states.TENSORS) },
  on_train_begin = on_train_begin,
  on_epoch_begin = on_epoch_begin, on_epoch_end = on_epoch_end, on_test_begin = put_in, on_test_end = take_out,
  on_predict_begin = put_in, on_predict_end = take_out, on_train_end = on_train_end, close = close }
