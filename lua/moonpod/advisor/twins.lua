-- twins - one model trained several times beside each other, each time under another setting: where they part.
--
-- All take a step before any takes the next one, so that nothing is kept but the models. Before each step the outputs
-- of all layers are computed for its batch.

local around = require "moonpod.base.around"
local decimal = require "moonpod.base.decimal"
local device = require "moonpod.tensor.device"
local distribute = require "moonpod.distribute"
local errors = require "moonpod.base.errors"
local functional = require "moonpod.models.functional"
local mixed_precision = require "moonpod.layers.mixed_precision"
local names = require "moonpod.base.names"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local random = require "moonpod.func.random"
local symbolic = require "moonpod.layers.symbolic"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"
local is_model = require "moonpod.models.model".is_model
local is_whole = require "moonpod.base.kinds".is_whole

local twins = {}

local STEPS, TOLERANCE = 100, 0.25
local ROWS = 20 -- of the printed table, besides the last

-- The first is what the others are compared with.
local SETTINGS = {
  { name = "float32" },
  { name = "bfloat16 products", precision = "default" },
  { name = "mixed_bfloat16", policy = "mixed_bfloat16" },
  { name = "no subnormals", flush_subnormals = true },
  { name = "8 replicas", replicas = 8 },
}

-- ---- what is printed -----------------------------------------------------------------------------------------------

local Comparison = { __name = "moonpod.twins" }
Comparison.__index = Comparison

local function parted_text(self, name)
  local parted, furthest = self.parted[name], self.furthest[name]
  if parted then
    return ("%s parts at step %d, in the %s of layer '%s'"):format(name, parted.step, parted.what, parted.layer)
  elseif furthest then
    return decimal.format("%s stays together; furthest apart at step %d, by %.2g %% in the %s of layer '%s'", name,
      furthest.step, 100 * furthest.difference, furthest.what, furthest.layer)
  end
  return name .. " has the same bits"
end

function Comparison:__tostring()
  local rows = { tables.join({ "step" }, self.names) }
  local stride = math.ceil(self.steps / ROWS)
  for step = 1, self.steps do
    if (step - 1) % stride == 0 or step == self.steps then
      rows[#rows + 1] = tables.join({ ("%d"):format(step) }, tables.map(self.names, function(name)
        return decimal.format("%.6g", self.losses[name][step])
      end))
    end
  end
  local lines = text_table.lines(rows, { { align = "right", width = 6 }, { align = "right", width = 16 } })
  for i = 2, #self.names do
    lines[#lines + 1] = self.parted and parted_text(self, self.names[i])
  end
  lines[#lines + 1] = decimal.format("largest difference from %s: %.3g (%.2g %% of the loss), at step %d under %s",
    self.names[1], self.max_divergence, 100 * self.max_relative, self.step, self.setting)
  return table.concat(lines, "\n")
end

-- Compares all losses with those of the first setting.
local function measure(self)
  self.max_divergence, self.max_relative, self.step, self.setting = 0, 0, 1, self.names[#self.names]
  for i = 2, #self.names do
    for step = 1, self.steps do
      local expected = self.losses[self.names[1]][step]
      local apart = math.abs(self.losses[self.names[i]][step] - expected)
      if apart > self.max_divergence or apart ~= apart then
        self.max_divergence, self.step, self.setting = apart, step, self.names[i]
        self.max_relative = apart / math.abs(expected)
      end
    end
  end
  return self
end

-- ---- one of the twins ----------------------------------------------------------------------------------------------

-- Calls fn with a setting in force, and random numbers that go on where the twin's were.
local function under(twin, fn, ...)
  local policy, precision = mixed_precision.global_policy().name, mixed_precision.get_float32_matmul_precision()
  local flushes, outside = device.flushes_subnormals(), random.get_state()
  return around(function()
    device.configure { flush_subnormals = twin.setting.flush_subnormals or flushes }
    mixed_precision.set_global_policy(twin.setting.policy or policy)
    mixed_precision.set_float32_matmul_precision(twin.setting.precision or precision)
    random.restore_state(twin.random or outside)
  end, function()
    twin.random = random.get_state()
    mixed_precision.set_global_policy(policy)
    mixed_precision.set_float32_matmul_precision(precision)
    device.configure { flush_subnormals = flushes }
    random.restore_state(outside)
  end, fn, ...)
end

local function make_twin(make, setting, seed, where)
  local twin = { setting = setting, losses = {} }
  under(twin, function()
    random.set_seed(seed)
    names.reset()
    local strategy = setting.replicas and distribute.mirrored(setting.replicas)
    twin.model = strategy and strategy:scope(make) or make()
    if not is_model(twin.model) or not twin.model.compiled then
      errors.raise("%s: the function must return a compiled model; got %s", where, errors.describe(twin.model))
    end
  end)
  return twin
end

-- The calls of a model's layers as { layer, outputs }, in their order, and its inputs; nil where they are not known.
local function calls_of(model, x)
  local state = model._state
  if state.order then
    return tables.map(state.order, function(call)
      return not call.layer.is_input and { call.layer, call.outputs } or nil
    end), state.input
  elseif state.layers and ops.is_tensor(x) then
    local input = state.input or symbolic.input { shape = tables.slice(x.shape, 2), dtype = x.dtype }
    local output = input
    return tables.map(state.layers, function(one)
      output = one(output)
      return { one, output }
    end), input
  end
end

-- A model of what all layers of a model give, with their names as `places`; false where its layers are not known.
local function looking_into(model, x)
  local calls, input = calls_of(model, x)
  local outputs, places = {}, {}
  for _, call in ipairs(calls or {}) do
    for _, t in ipairs(nest.flatten(call[2])) do
      outputs[#outputs + 1], places[#places + 1] = t, call[1].name
    end
  end
  return #outputs > 0 and { model = functional.new { inputs = input, outputs = outputs }, places = places }
end

-- What the layers give for a batch: an array of { layer, what, tensor }.
local function outputs_of(twin, x)
  return under(twin, function()
    if twin.inside == nil then
      twin.inside = looking_into(twin.model, x)
    end
    if not twin.inside then
      return {}
    end
    local values = nest.flatten(twin.inside.model:predict_on_batch(x))
    return tables.map(twin.inside.places, function(name)
      local value = table.remove(values, 1)
      return { name, "output", value }
    end)
  end)
end

-- The weights of the layers, those of a layer as one, the last layer first: what fails on the way back comes from
-- there.
local function weights_of(twin)
  local list = {}
  for _, one in ipairs(twin.model:sublayers()) do
    local weights = tables.map(one:get_trainable_weights(), function(weight)
      return ops.reshape(ops.cast(weight:value(), "float64"), { -1 })
    end)
    if #weights > 0 then
      table.insert(list, 1, { one.name, "weights", ops.concat(weights, 0) })
    end
  end
  return list
end

local function step(twin, x, y, weight)
  return under(twin, function()
    return twin.model:train_on_batch(x, y, { sample_weight = weight, return_dict = true }).loss
  end)
end

-- ---- comparing -----------------------------------------------------------------------------------------------------

local function norm(t)
  return ops.sqrt(ops.sum(ops.square(t))):item()
end

-- How far b is from a, as a share of a.
local function distance(a, b)
  a, b = ops.cast(a, "float64"), ops.cast(b, "float64")
  local apart, size = norm(a - b), norm(a)
  return apart == 0 and 0 or size == 0 and math.huge or apart / size
end

-- Compares what a twin has at a step with what the first has; the first that is further apart than what is tolerated
-- is where they part.
local function compare(self, name, number, expected, values)
  for i, value in ipairs(values) do
    local difference = nest.is_float(value[3].dtype) and distance(expected[i][3], value[3]) or 0
    local place = { step = number, layer = value[1], what = value[2], difference = difference }
    local furthest = self.furthest[name]
    if difference > 0 and (not furthest or difference > furthest.difference) then
      self.furthest[name] = place
    end
    if not self.parted[name] and (difference ~= difference or difference > self.tolerance) then
      self.parted[name] = place
    end
  end
end

-- A step of all twins, on one batch.
local function step_all(self, list, number, looks, x, y, weight)
  local outputs, weights = {}, {}
  for i, twin in ipairs(list) do
    outputs[i] = looks and outputs_of(twin, x) or {}
    twin.losses[number] = step(twin, x, y, weight)
    weights[i] = looks and weights_of(twin) or {}
    if i > 1 then
      compare(self, self.names[i], number, outputs[1], outputs[i])
      compare(self, self.names[i], number, weights[1], weights[i])
    end
  end
end

-- Steps of all twins over a dataset that begins anew when it ends.
local function train(self, list, dataset, looks, where)
  local done = 0
  while done < self.steps do
    local before = done
    for x, y, weight in dataset:iter() do
      done = done + 1
      step_all(self, list, done, looks, x, y, weight)
      if done == self.steps then
        break
      end
    end
    if done == before then
      errors.raise("%s: the dataset has no batch", where)
    end
  end
end

local SETTING = { name = "string", policy = "string", precision = "string", replicas = "count",
  flush_subnormals = "boolean" }

local function check_settings(settings, where)
  errors.check_type(settings, "table", where, "'settings'")
  for i, setting in ipairs(settings) do
    errors.check_type(setting, "table", where, ("setting %d"):format(i))
    errors.check_options(setting, SETTING, where)
    errors.check_type(setting.name, "string", where, ("the name of setting %d"):format(i))
  end
  if #settings < 2 then
    errors.raise("%s: there must be two settings at least, of which the first is compared with", where)
  end
  return settings
end

-- Trains what make() returns under settings, as pod.advisor.twins; `looks` says whether layers are compared, too.
function twins.compare(make, dataset, options, looks, where)
  errors.check_type(make, "function", where, "the first argument")
  if type(dataset) ~= "table" or type(dataset.iter) ~= "function" then
    errors.raise("%s: the second argument must be a dataset; got %s", where, errors.describe(dataset))
  end
  local steps, tolerance = options.steps or STEPS, options.tolerance or TOLERANCE
  if not is_whole(steps, 1) then
    errors.raise("%s: 'steps' must be a whole number from 1; got %s", where, errors.describe(steps))
  end
  errors.check_type(tolerance, "number", where, "'tolerance'")
  local settings = check_settings(options.settings or SETTINGS, where)
  local self = setmetatable({ names = tables.column(settings, "name"), losses = {}, steps = steps,
    tolerance = tolerance, parted = looks and {} or nil, furthest = looks and {} or nil }, Comparison)
  local list = tables.map(settings, function(setting)
    return make_twin(make, setting, options.seed or 0, where)
  end)
  train(self, list, dataset, looks, where)
  for i, twin in ipairs(list) do
    self.losses[self.names[i]] = twin.losses
  end
  return measure(self)
end

---@name pod.advisor.twins
--- Trains one model several times beside each other, under settings: as on a TPU, whose products round to bfloat16 and
--- which has no subnormal numbers, in 16 bits, on other numbers of replicas. All have the same seed and batches. Says
--- of each setting where it parts from the first one: at which step, in which layer, in its output or (behind the step)
--- its weights. It prints.
--- `losses` are those of each step by the setting's name. `parted` and `furthest` are { step =, layer =, what =,
--- difference = } by that name: the first place that is further apart than tolerated, and the one that is furthest.
---@param make function that makes and compiles the model, each time the same
---@param dataset dataset of batches; it begins anew when it ends
---@param options.steps integer (default 100)
---@param options.settings table[] each { name =, policy =, precision =, flush_subnormals =, replicas = }, of which the
---   name must be there; the first is compared with (default: float32 and the four above)
---@param options.tolerance number how far an output or a layer's weights may be from the first's, as a share of these
---   (default 0.25)
---@param options.seed integer (default 0)
---@return table
---@error the function returns no compiled model; the dataset has no batch
---@see pod.mixed_precision.compare pod.set_float32_matmul_precision pod.advisor.verify_equivalence
--- ```lua
--- local x = pod.random.normal({ 64, 4 }, { seed = 1 })
--- local data = pod.data.from_tensor_slices({ x, x:sum(1, { keepdims = true }) }):batch(16)
--- local result = pod.advisor.twins(function()
---   local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }), pod.layers.dense(1) }
---   model:compile { optimizer = "adam", loss = "mse" }
---   return model
--- end, data, { steps = 4 })
--- assert(result.furthest["bfloat16 products"].difference < 0.25 and result.furthest["8 replicas"] == nil)
--- ```
function twins.run(make, dataset, options)
  options = errors.check_options(options, { "steps", "settings", "tolerance", "seed" }, "twins")
  return twins.compare(make, dataset, options, true, "twins")
end

-- pod.mixed_precision.compare: see there.
function twins.of_policies(make, dataset, options)
  options = errors.check_options(options, { "steps", "policies", "seed" }, "mixed_precision.compare")
  local policies = options.policies or { "float32", "mixed_bfloat16" }
  errors.check_type(policies, "table", "mixed_precision.compare", "'policies'")
  return twins.compare(make, dataset, { steps = options.steps, seed = options.seed,
    settings = tables.map(policies, function(name)
      return { name = mixed_precision.policy(name).name, policy = name }
    end) }, false, "mixed_precision.compare")
end

return twins
