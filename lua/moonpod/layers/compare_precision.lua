-- compare_precision - the losses of one model trained under several dtype policies, side by side.

local around = require "moonpod.base.around"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"
local is_whole = require "moonpod.base.kinds".is_whole

local Comparison = { __name = "moonpod.precision_comparison" }
Comparison.__index = Comparison

local ROWS = 20 -- of the printed table, besides the last

function Comparison:__tostring()
  local rows = { tables.join({ "step" }, self.policies) }
  local stride = math.ceil(self.steps / ROWS)
  for step = 1, self.steps do
    if (step - 1) % stride == 0 or step == self.steps then
      local cells = { ("%d"):format(step) }
      for _, name in ipairs(self.policies) do
        cells[#cells + 1] = decimal.format("%.6g", self.losses[name][step])
      end
      rows[#rows + 1] = cells
    end
  end
  local lines = text_table.lines(rows, { { align = "right", width = 6 }, { align = "right", width = 16 } })
  lines[#lines + 1] = decimal.format("largest difference from %s: %.3g (%.2g %% of the loss), at step %d under %s",
    self.policies[1], self.max_divergence, 100 * self.max_relative, self.step, self.policy)
  return table.concat(lines, "\n")
end

-- Compares all losses with those of the first policy.
local function measure(self)
  self.max_divergence, self.max_relative, self.step, self.policy = 0, 0, 1, self.policies[#self.policies]
  for i = 2, #self.policies do
    for step = 1, self.steps do
      local expected = self.losses[self.policies[1]][step]
      local apart = math.abs(self.losses[self.policies[i]][step] - expected)
      if apart > self.max_divergence or apart ~= apart then
        self.max_divergence, self.step, self.policy = apart, step, self.policies[i]
        self.max_relative = apart / math.abs(expected)
      end
    end
  end
  return self
end

-- One training under the policy that is set; returns the loss of each step.
local function train(make, dataset, steps)
  local model = make()
  if type(model) ~= "table" or type(model.train_on_batch) ~= "function" then
    errors.raise("mixed_precision.compare: the function must return a compiled model; got %s", errors.describe(model))
  end
  local losses = {}
  while #losses < steps do
    local before = #losses
    for x, y, weight in dataset:iter() do
      losses[#losses + 1] = model:train_on_batch(x, y, { sample_weight = weight, return_dict = true }).loss
      if #losses == steps then
        break
      end
    end
    if #losses == before then
      errors.raise("mixed_precision.compare: the dataset has no batch")
    end
  end
  return losses
end

-- Trains what make() returns, a compiled model, for `steps` batches (100) of a dataset, once for each of `policies`
-- (float32 and mixed_bfloat16) with the same seed; batches come again when the data ends. Returns losses[policy][step],
-- max_divergence, max_relative, step and policy of it; it prints as a table.
local function compare(mixed_precision, make, dataset, options)
  errors.check_type(make, "function", "mixed_precision.compare", "the first argument")
  options = errors.check_options(options, { "steps", "policies", "seed" }, "mixed_precision.compare")
  if type(dataset) ~= "table" or type(dataset.iter) ~= "function" then
    errors.raise("mixed_precision.compare: the second argument must be a dataset; got %s", errors.describe(dataset))
  end
  local steps = options.steps or 100
  if not is_whole(steps, 1) then
    errors.raise("mixed_precision.compare: 'steps' must be a whole number from 1; got %s", errors.describe(steps))
  end
  local random, names = require "moonpod.func.random", require "moonpod.base.names"
  local self = setmetatable({ policies = {}, losses = {}, steps = steps }, Comparison)
  local before = mixed_precision.global_policy()
  around(nil, function()
    mixed_precision.set_global_policy(before.name)
  end, function()
    for i, name in ipairs(options.policies or { "float32", "mixed_bfloat16" }) do
      self.policies[i] = mixed_precision.set_global_policy(name).name
      random.set_seed(options.seed or 0)
      names.reset()
      self.losses[self.policies[i]] = train(make, dataset, steps)
    end
  end)
  return measure(self)
end

return compare
