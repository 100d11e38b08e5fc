-- Muon: momentum whose matrix is made nearly orthogonal; what is no matrix goes by AdamW.

local ops = require "moonpod.ops"
local optimizer = require "moonpod.optimizers.optimizer"

local power_of = optimizer.power_of

-- Whether a weight goes by AdamW.
local function is_adams(config, shape, weight)
  if #shape ~= 2 or config.exclude_embeddings and weight.name:lower():find("embedding", 1, true) then
    return true
  end
  for _, pattern in ipairs(config.exclude_layers) do
    if weight.name:find(pattern) then
      return true
    end
  end
  return false
end

-- A matrix with the directions of x, whose lengths are near 1: steps of Newton and Schulz with a quintic polynomial.
local function orthogonal(config, x)
  local is_tall = x.shape[1] > x.shape[2]
  x = is_tall and ops.transpose(x) or x
  x = x / (optimizer.norm(x) + 1e-7)
  for _ = 1, config.ns_steps do
    local a = ops.matmul(x, ops.transpose(x))
    x = x * config.muon_a + ops.matmul(a * config.muon_b + ops.matmul(a * config.muon_c, a), x)
  end
  return is_tall and ops.transpose(x) or x
end

local function adam_step(self, g, w, slots, rate)
  local config = self.config
  local correction = ops.sqrt(1 - power_of(self, config.adam_beta_2)) / (1 - power_of(self, config.adam_beta_1))
  local m = slots.momentum + (g - slots.momentum) * (1 - config.adam_beta_1)
  local v = slots.velocity + (ops.square(g) - slots.velocity) * (1 - config.adam_beta_2)
  local alpha = rate * config.adam_lr_ratio * ops.cast(correction, w.dtype)
  return w - m * alpha / (ops.sqrt(v) + config.epsilon), { momentum = m, velocity = v }
end

optimizer.define {
  ---@name pod.optimizers.muon
  --- Muon (Jordan et al. 2024, with the rates of Liu et al. 2025): a weight that is a matrix goes by its momentum, made
  --- nearly orthogonal, so that all directions are learnt alike. All else goes by AdamW: weights of another rank,
  --- embeddings, and those that `exclude_layers` names; let it name the last layer.
  ---@param options.exclude_layers string[] Lua patterns of names of weights that go by AdamW, too
  ---@param options.exclude_embeddings boolean whether embeddings go by AdamW
  ---@param options.adam_beta_1 number AdamW's: how much of the mean of gradients stays at each step
  ---@param options.adam_beta_2 number AdamW's: how much of the mean of squares stays at each step
  ---@param options.adam_weight_decay number AdamW's weight decay; `weight_decay` is that of the matrices
  ---@param options.adam_lr_ratio number AdamW's rate over that of the matrices
  ---@param options.ns_steps integer how often a matrix is made more orthogonal
  ---@param options.muon_a number of the polynomial `a x + b x^3 + c x^5` by which it is
  ---@param options.muon_b number of that polynomial
  ---@param options.muon_c number of that polynomial
  ---@param options.rms_rate number|boolean a step is as long as this times the root of the matrix' longer side; false:
  ---   as it comes
  ---@return optimizer
  ---@example pod.optimizers.muon(0.01, { exclude_layers = { "^logits/" } }).config.momentum --> 0.95
  class = "Muon",
  defaults = { adam_beta_1 = 0.9, adam_beta_2 = 0.999, adam_weight_decay = 0.004, epsilon = 1e-7, weight_decay = 0.004,
    exclude_layers = {}, exclude_embeddings = true, muon_a = 3.4445, muon_b = -4.7750, muon_c = 2.0315,
    adam_lr_ratio = 1, momentum = 0.95, ns_steps = 5, nesterov = true, rms_rate = 0.2 },
  ranges = { adam_beta_1 = { 0, 1 }, adam_beta_2 = { 0, 1 }, adam_weight_decay = { 0, math.huge },
    ns_steps = { 0, 100 } },
  slots = function(config, shape, weight)
    local is_adam = not weight or is_adams(config, shape, weight) -- no weight: what there may be
    return is_adam and { { "momentum" }, { "velocity" } } or { { "momentum" } }
  end,
  decay = function(config, slots)
    return slots.velocity and config.adam_weight_decay or config.weight_decay
  end,
  step = function(self, g, w, slots, rate)
    if slots.velocity then
      return adam_step(self, g, w, slots, rate)
    end
    local config = self.config
    local m = g + slots.momentum * config.momentum
    local step = orthogonal(config, config.nesterov and g + m * config.momentum or m) * rate
    if config.rms_rate then
      step = step * (math.sqrt(math.max(w.shape[1], w.shape[2])) * config.rms_rate)
    end
    return w - step, { momentum = m }
  end,
}
