-- updates - the parts of an optimizer's step: clipping, accumulation, the update of a weight, averages, constraints.

local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"

local updates = {}

-- The square root of the sum of the squares.
function updates.norm(x)
  return ops.sqrt(ops.sum(ops.square(x)))
end

-- Clips a list of gradients as the options of an optimizer say.
function updates.clip(config, gradients)
  if config.clipnorm then
    for i, g in ipairs(gradients) do
      gradients[i] = g * config.clipnorm / ops.maximum(updates.norm(g), config.clipnorm)
    end
  elseif config.global_clipnorm then
    local total
    for _, g in ipairs(gradients) do
      local square = ops.sum(ops.square(ops.cast(g, "float32")))
      total = total and total + square or square
    end
    local all = ops.sqrt(total)
    local scale = ops.minimum(1 / all, 1 / config.global_clipnorm) * config.global_clipnorm
    -- A norm that is not finite makes all gradients NaN, so that the fault shows.
    scale = scale + (all - all)
    for i, g in ipairs(gradients) do
      gradients[i] = g * ops.cast(scale, g.dtype)
    end
  elseif config.clipvalue then
    for i, g in ipairs(gradients) do
      gradients[i] = ops.clip(g, -config.clipvalue, config.clipvalue)
    end
  end
  return gradients
end

local function decays(self, weight)
  for _, pattern in ipairs(self._state.excluded) do
    if type(pattern) == "string" and weight.name:find(pattern) or pattern == weight then
      return false
    end
  end
  return true
end

-- What is new where `condition` holds (nil: always), else what was.
function updates.select(condition, new, old)
  if condition == nil then
    return new
  end
  return ops.where(condition, new, old)
end

-- Updates one weight and its slots; where `condition` (nil: always) is false everything stays as it was.
function updates.update_weight(self, weight, gradient, rate, condition)
  local config, slots = self.config, self._state.slots[weight]
  local old = weight:value()
  local w, g = old, ops.cast(gradient, weight.dtype)
  rate = ops.cast(rate, weight.dtype)
  local decay = config.weight_decay
  if self.spec.decay then
    decay = self.spec.decay(config, slots)
  end
  if decay and decays(self, weight) then
    if self.spec.decays_gradient then
      g = g + w * decay
    else
      w = w - w * rate * decay
    end
  end
  local values = {}
  for _, name in ipairs(nest.sorted_keys(slots)) do
    values[name] = slots[name]:value()
  end
  local new_weight, new_slots = self:_step(g, w, values, rate)
  weight:assign(updates.select(condition, new_weight, old))
  for _, name in ipairs(nest.sorted_keys(new_slots or {})) do
    slots[name]:assign(updates.select(condition, new_slots[name], values[name]))
  end
end

-- Puts weights where their constraints want them; steps that are held back leave them.
function updates.constrain(self, weights)
  local held = self._state.hold
  for _, weight in ipairs(weights) do
    if weight.constraint then
      local value = weight:value()
      weight:assign(updates.select(held, weight.constraint(value), value))
    end
  end
end

-- Adds the gradient to the accumulators; returns the averages and whether this is a step that updates.
function updates.accumulate(self, gradients, weights)
  local steps, held = self.config.gradient_accumulation_steps, self._state.hold
  local due = ops.equal(ops.remainder(self.iterations:value() + 1, steps), 0)
  local averages = {}
  for i, weight in ipairs(weights) do
    local slot = self._state.slots[weight].gradient_accumulator
    local sum = slot:value() + ops.cast(gradients[i], weight.dtype)
    averages[i] = sum / steps
    slot:assign(updates.select(held, ops.where(due, ops.zeros_like(sum), sum), slot:value()))
  end
  return averages, due
end

-- Moves the averages of all weights, those without a gradient too.
function updates.update_averages(self, weights)
  local config, held = self.config, self._state.hold
  local count = self:update_count()
  local momentum = ops.cast(ops.not_equal(count, 0), "float32") * config.ema_momentum
  for _, weight in ipairs(weights) do
    local average = self._state.slots[weight].average
    local m = ops.cast(momentum, weight.dtype)
    average:assign(updates.select(held, m * average:value() + (1 - m) * weight:value(), average:value()))
  end
  if config.ema_overwrite_frequency then
    local due = ops.equal(ops.remainder(count + 1, config.ema_overwrite_frequency), 0)
    due = held and ops.logical_and(due, held) or due
    for _, weight in ipairs(weights) do
      weight:assign(ops.where(due, self._state.slots[weight].average:value(), weight:value()))
    end
  end
end

return updates
