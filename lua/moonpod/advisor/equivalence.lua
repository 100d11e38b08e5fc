-- equivalence - whether a training comes to the same on other numbers of replicas and with accumulated gradients.

local around = require "moonpod.base.around"
local decimal = require "moonpod.base.decimal"
local distribute = require "moonpod.distribute"
local errors = require "moonpod.base.errors"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local random = require "moonpod.func.random"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local text_table = require "moonpod.base.text_table"
local variable = require "moonpod.func.variable"
local is_model = require "moonpod.models.model".is_model
local is_whole = require "moonpod.base.kinds".is_whole

local equivalence = {}

local TOLERANCE = 1e-4 -- of the largest value of a tensor

local Result = { __name = "moonpod.equivalence" }

local function difference_text(row)
  if row.equal then
    return "the same bits"
  end
  return decimal.format("%.3g of %.3g, in %s", row.difference, row.largest, row.where)
end

local function verdict(row)
  return row.problem and "fails" or row.equal and "equal" or row.agrees and "rounded" or "DIFFERS"
end

function Result.__tostring(self)
  local rows, problem = { { "replicas", "parts", "", "largest difference" } }, nil
  for i, row in ipairs(self) do
    rows[i + 1] = { ("%d"):format(row.replicas), ("%d"):format(row.accumulation), verdict(row),
      i == 1 and "what the others are compared with" or not row.problem and difference_text(row) or nil }
    problem = problem or row.problem
  end
  local lines = text_table.lines(rows, { { align = "right" }, { align = "right" }, { align = "left" } })
  lines[#lines + 1] = problem and "the first failure: " .. problem
  return table.concat(lines, "\n")
end

-- ---- what is compared ----------------------------------------------------------------------------------------------

-- Adds what a training returned to a list of { name, tensor }.
local function collect(value, name, list)
  if is_model(value) then
    for _, weight in ipairs(value:get_weight_variables()) do
      list[#list + 1] = { weight.name, weight:value() }
    end
    local history = rawget(value, "history")
    for _, key in ipairs(history and tables.sorted_keys(history.history) or {}) do
      list[#list + 1] = { "history of " .. key, tensor.new(history.history[key]) }
    end
  elseif variable.is_variable(value) then
    list[#list + 1] = { value.name, value:value() }
  elseif ops.is_tensor(value) or type(value) == "number" then
    list[#list + 1] = { name == "" and "the value" or name, tensor.convert(value) }
  elseif readable.is_plain(value) then
    for _, key in ipairs(tables.sorted_keys(value)) do
      collect(value[key], name == "" and tostring(key) or name .. "." .. tostring(key), list)
    end
  else
    errors.raise("verify_equivalence: the function returned %s%s; return the model, or variables in a table",
      errors.describe(value), name == "" and "" or (" at '%s'"):format(name))
  end
end

-- The largest absolute value, NaN where there is one.
local function largest(t)
  return t:size() == 0 and 0 or ops.max(ops.abs(ops.cast(t, "float64"))):item()
end

-- Compares the values of a row with those of the first: the one that is furthest apart for its size.
local function compare(row, expected, values, tolerance)
  row.equal, row.difference, row.relative = true, 0, 0
  if #values ~= #expected then
    errors.raise("verify_equivalence: the function returned %d values on %d replicas in %d parts, and %d before: "
      .. "it must return the same ones each time", #values, row.replicas, row.accumulation, #expected)
  end
  for i, one in ipairs(values) do
    local name, a, b = one[1], expected[i][2], one[2]
    if tostring(a.shape) ~= tostring(b.shape) or a.dtype ~= b.dtype then
      errors.raise("verify_equivalence: '%s' is %s %s on %d replicas in %d parts, and was %s %s", name, b.dtype,
        tostring(b.shape), row.replicas, row.accumulation, a.dtype, tostring(a.shape))
    end
    if a:data() ~= b:data() then
      local apart, size = largest(ops.cast(a, "float64") - ops.cast(b, "float64")), largest(a)
      local relative = apart == 0 and 0 or apart / math.max(size, 1e-30)
      if row.equal or relative > row.relative or relative ~= relative then
        row.difference, row.relative, row.largest, row.where = apart, relative, size, name
      end
      row.equal = false
    end
  end
  row.agrees = row.relative <= tolerance
end

-- ---- the runs ------------------------------------------------------------------------------------------------------

-- What fn gets: fields as the row's, and whether it asked for the parts.
local function case_of(row, strategy)
  local asked = false
  local fields = { replicas = row.replicas, accumulation = row.accumulation, strategy = strategy }
  return setmetatable({}, { __index = function(_, key)
    asked = asked or key == "accumulation"
    return fields[key]
  end }), function()
    return asked
  end
end

-- Runs the function under a row's setting, always with the same seed and names; returns its values, and whether it
-- asked for the parts.
local function run(fn, row, seed)
  local strategy = distribute.mirrored(row.replicas)
  local case, has_asked = case_of(row, strategy)
  random.set_seed(seed)
  names.reset()
  local values = {}
  collect(strategy:scope(fn, case), "", values)
  if #values == 0 then
    errors.raise "verify_equivalence: the function returned nothing; return the model, or its variables in a table"
  end
  return values, has_asked()
end

local function check_counts(name, list)
  for _, count in ipairs(list) do
    if not is_whole(count, 1) then
      errors.raise("verify_equivalence: '%s' must be whole numbers from 1; got %s", name, errors.describe(count))
    end
  end
  return list
end

local function listed(value)
  return type(value) == "table" and value or { value }
end

-- The settings: each number of replicas with the first number of parts, then each further number of parts.
local function rows_of(options)
  local replicas = check_counts("replicas", listed(options.replicas or { 1, 2, 4, 8 }))
  local rows = tables.map(replicas, function(count)
    return { replicas = count, accumulation = 1 }
  end)
  for _, parts in ipairs(check_counts("accumulation", listed(options.accumulation or {}))) do
    for _, count in ipairs(parts > 1 and replicas or {}) do
      rows[#rows + 1] = { replicas = count, accumulation = parts }
    end
  end
  return rows
end

---@name pod.advisor.verify_equivalence
--- Whether a training comes to the same on 1, 2, 4 and 8 replicas, and in parts whose gradients are added up.
--- `fn(case)` makes a model, trains it and returns it, or a table of variables, tensors and numbers. It runs within the
--- scope of `case.strategy`, each time with the same seed, and is to divide its batches into `case.accumulation` parts.
--- Returns an array that prints, of { replicas =, accumulation =, equal = (to the bit), agrees =, difference =,
--- relative =, where =, problem = (why it failed) }: the difference from the first that is largest for its tensor's
--- size. `equal` and `agrees` say it of all.
---@param fn function of { replicas =, accumulation =, strategy = }
---@param options.replicas integer[] default { 1, 2, 4, 8 }; the first is compared with
---@param options.accumulation integer|integer[] parts of a batch that are tried besides 1, on each number of replicas
---@param options.tolerance number what still agrees, as a share of a tensor's largest value (default 1e-4)
---@param options.seed integer of random numbers (default 0)
---@return table
---@error the function fails under the first setting; it returns nothing to compare; it does not look at the parts
---@see model:set_memory_options pod.distribute.mirrored pod.losses.compute_average_loss
--- ```lua
--- local result = pod.advisor.verify_equivalence(function(case)
---   local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
---   model:set_memory_options { micro_batches = case.accumulation }
---   model:compile { loss = "mse" }
---   model:fit(pod.ones { 64, 3 }, pod.ones { 64, 1 }, { batch_size = 32, verbose = 0 })
---   return model
--- end, { accumulation = 2 })
--- assert(result[4].replicas == 8 and result[4].equal and result.agrees)
--- ```
function equivalence.compare(fn, options)
  errors.check_type(fn, "function", "verify_equivalence", "the first argument")
  options = errors.check_options(options, { "replicas", "accumulation", "tolerance", "seed" }, "verify_equivalence")
  local tolerance, before = options.tolerance or TOLERANCE, random.get_state()
  errors.check_type(tolerance, "number", "verify_equivalence", "'tolerance'")
  local self = setmetatable(rows_of(options), Result)
  return around(nil, function()
    random.restore_state(before)
  end, function()
    local expected = run(fn, self[1], options.seed or 0)
    self.equal, self.agrees = true, true
    for i, row in ipairs(self) do
      local ok, values, has_asked = true, expected, true
      if i > 1 then
        ok, values, has_asked = errors.attempt(run, fn, row, options.seed or 0)
      end
      if ok and row.accumulation > 1 and not has_asked then
        errors.raise("verify_equivalence: the function did not look at 'accumulation' of what it is called with, so "
          .. "nothing was added up in %d parts: model:set_memory_options { micro_batches = case.accumulation }",
          row.accumulation)
      elseif ok then
        compare(row, expected, values, tolerance)
      else
        row.problem, row.equal, row.agrees = tostring(values), false, false
      end
      self.equal, self.agrees = self.equal and row.equal, self.agrees and row.agrees
    end
    return self
  end)
end

return equivalence
