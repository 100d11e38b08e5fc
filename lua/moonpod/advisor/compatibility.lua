-- compatibility - what a TPU would refuse or do slowly of a model's step, each with the layer, the Lua line and what to
-- write instead. The step is traced, not run; the verdicts are core/advisor's.

local boolean_mask = require "moonpod.ops.boolean_mask"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local model_memory = require "moonpod.advisor.model_memory"
local nest = require "moonpod.tensor.nest"
local report = require "moonpod.advisor.report"
local tables = require "moonpod.base.tables"
local trace = require "moonpod.tensor.trace"

local compatibility = {}

local HOSTS = { vm = true, node = true }

-- What is traced where the rows of a batch and other sizes are not known: the verdicts do not depend on them.
local ROWS, UNKNOWN_SIZE = 8, 128

-- ---- the result ------------------------------------------------------------------------------------------------

local Check = { __name = "moonpod.compatibility" }

local function place_of(finding)
  local parts = {}
  if finding.scope then
    parts[#parts + 1] = "layer " .. finding.scope
  end
  parts[#parts + 1] = finding.location
  return #parts > 0 and table.concat(parts, ", ") or "the program"
end

-- Findings of one kind and reason that are printed with their places; of more the first ones, and how many there are.
local MOST_PLACES = 3

-- The findings by what is said of them, in order: a list of { support, reason, instead, count, ops, places }.
local function group(findings)
  local groups, by_text = {}, {}
  for _, finding in ipairs(findings) do
    local key = table.concat({ finding.support, finding.kind or "", finding.reason, finding.instead }, "\n")
    local one = by_text[key]
    if not one then
      one = { support = finding.support, reason = finding.reason, instead = finding.instead, count = 0, ops = {},
        places = {} }
      by_text[key], groups[#groups + 1] = one, one
    end
    local op = finding.op or finding.kind
    if not one.ops[op] then
      one.ops[op], one.ops[#one.ops + 1] = true, op
    end
    one.count = one.count + (finding.count or 1)
    one.places[#one.places + 1] = place_of(finding)
  end
  return groups
end

local function first_of(list, most, what)
  local text = table.concat(list, what == "ops" and ", " or "; ", 1, math.min(most, #list))
  return #list <= most and text or string.format("%s and %d other %s", text, #list - most, what)
end

function Check.__tostring(self)
  local lines = { string.format("%s on %s (%s host): %s", self.name, self.chip, self.host,
    self.refused > 0 and "refused" or self.slow > 0 and "runs, with slow parts" or "no op is refused or slow") }
  for _, one in ipairs(group(self)) do
    local times = one.count > 1 and string.format(" (%d times)", one.count) or ""
    lines[#lines + 1] = string.format("  %s: %s%s at %s", one.support, first_of(one.ops, 2 * MOST_PLACES, "ops"), times,
      first_of(one.places, MOST_PLACES, "places"))
    lines[#lines + 1] = "      " .. one.reason
    lines[#lines + 1] = "      instead: " .. one.instead
  end
  lines[#lines + 1] = string.format("  %d operations checked", self.nodes)
  return table.concat(lines, "\n")
end

local function make(name, chip, host, findings, nodes)
  local self = { name = name, chip = chip, host = host, nodes = nodes, refused = 0, slow = 0 }
  for _, support in ipairs { "refused", "slow" } do
    for _, finding in ipairs(findings) do
      if finding.support == support then
        self[#self + 1] = finding
        self[support] = self[support] + 1
      end
    end
  end
  self.ok = self.refused == 0
  return setmetatable(self, Check)
end

-- ---- what is seen without the graph ----------------------------------------------------------------------------

-- The rows of a batch; nil where they are not known.
local function rows_of(data)
  local first = data:element_spec()
  while type(first) == "table" and first.shape == nil do
    first = first[1]
  end
  local size = first and first.shape and first.shape[1]
  return type(size) == "number" and size >= 0 and size or nil
end

-- A first axis whose size is not known: batches of different size.
local function check_batches(findings, data)
  if data ~= nil and not rows_of(data) then
    findings[#findings + 1] = {
      support = "slow", kind = "dynamic shape", op = "batch",
      reason = "the last batch is shorter: another shape is another program, compiled when it comes",
      instead = "batch(size, { drop_remainder = true }) where nothing is lost by it; fit here compiles a second "
        .. "program for the last batch",
    }
  end
end

-- Stages of the input that a host of a TPU Node cannot run.
local function check_host(findings, data, host)
  if data == nil or host ~= "node" then
    return
  end
  local distributed = require "moonpod.data.distributed"
  for _, stage in ipairs(distributed.lua_stages(rawget(data, "dataset") or data)) do
    findings[#findings + 1] = { support = "refused", kind = "host", op = stage.kind, location = stage.label,
      reason = distributed.NODE_REASON, instead = distributed.NODE_INSTEAD }
  end
end

local function check_inputs(findings, model)
  local first = model:sublayers()[1]
  for _, value in ipairs(nest.flatten(model._state.input or {})) do
    for axis = 2, #value.shape do
      local size = value.shape[axis]
      if type(size) == "number" and size < 0 then
        findings[#findings + 1] = {
          support = "refused", kind = "dynamic shape", op = "input", scope = first and first.name,
          location = first and first._created_at,
          reason = string.format("axis %d of an input has no size: programs of the chip have fixed sizes", axis - 1),
          instead = "give it a size and pad to it (padded_batch), or to a few sizes (bucket_by_sequence_length)",
        }
      end
    end
  end
end

local function check_settings(findings, model)
  local options = model._state.compile_options or {}
  if options.run_eagerly then
    findings[#findings + 1] = {
      support = "refused", kind = "eager", op = "run_eagerly",
      reason = "the chip runs compiled steps only",
      instead = "model:compile { run_eagerly = false }",
    }
  end
end

-- ---- what the trace meets ---------------------------------------------------------------------------------------

-- An error of the trace as a finding: what depends on values cannot be traced.
local function finding_of_error(message)
  message = tostring(message)
  local location, rest = message:match "^(.-:%d+): (.*)$"
  local text = rest or message
  local dynamic = text:find("depend on values", 1, true) or text:find("while tracing", 1, true)
    or text:find("not known", 1, true)
  return {
    support = "refused", kind = dynamic and "dynamic shape" or "trace", op = dynamic and "value of a tensor" or "step",
    location = location, scope = text:match "layer '([^']+)'",
    reason = (text:gsub("%s*\nstack traceback.*", "")),
    instead = dynamic and "pod.where, pod.cond and pod.while_loop decide on values; a mask is multiplied with"
      or "mend what the message says; the step cannot be built anywhere",
  }
end

-- While a step is traced for a check, a selection by a mask is noted, and all rows go on in its place.
local function with_stand_in(findings, fn)
  return boolean_mask.with_stand_in(function(rows, mask, axis)
    findings[#findings + 1] = {
      support = "refused", kind = "dynamic shape", op = "boolean_mask", location = errors.location(),
      scope = trace.scope_path(),
      reason = "the size of the result depends on what the mask holds",
      instead = "multiply by the mask: x * pod.cast(mask, x.dtype); for a loss pod.masked_loss(loss, logits, "
        .. "labels, mask)",
    }
    return boolean_mask.all_rows(rows, mask, axis)
  end, fn)
end

-- model:check_tpu(chip, options): what a chip would refuse or do slowly of the model's step: a list of { support =
-- "refused" or "slow", kind, op, scope (the layer), location (the Lua line), reason, instead, count } with the fields
-- ok (nothing is refused), refused, slow, nodes, which prints readably. Options: host ("vm", or "node": driven through
-- the network; by default that of the model's resolver), and those of memory_report: batch (rows of a core), data, x,
-- y, sample_weight, kind.
function compatibility.check_model(model, chip, options)
  options = errors.check_options(options, { "host", "batch", "data", "x", "y", "sample_weight", "kind" }, "check_tpu")
  chip = report.chip(chip or model_memory.chip_of(model), "check_tpu")
  local strategy = model._strategy
  local resolver = strategy and strategy.resolver
  local host = options.host or resolver and resolver.host or "vm"
  if not HOSTS[host] then
    errors.raise("check_tpu: there is no host %s; it is \"vm\" or \"node\"", errors.describe(host))
  end
  local findings, given = {}, tables.merge(options, { unknown_size = UNKNOWN_SIZE })
  given.host = nil
  given.batch = given.batch or not (options.data and rows_of(options.data)) and ROWS or nil
  check_settings(findings, model)
  check_inputs(findings, model)
  check_batches(findings, options.data)
  check_host(findings, options.data, host)
  local ok, graph = with_stand_in(findings, function()
    return model_memory.trace(model, given)
  end)
  if not ok then
    findings[#findings + 1] = finding_of_error(graph)
    return make(model.name, chip, host, findings, 0)
  end
  local found, nodes = device.core.compatibility_check(graph, chip, host)
  graph:close()
  for _, finding in ipairs(found) do
    -- The line alone: the layer that a fault at run time names behind it is the scope here.
    finding.location = finding.location and (finding.location:match "^(.-:%d+): " or finding.location)
    findings[#findings + 1] = finding
  end
  return make(model.name, chip, host, findings, nodes)
end

-- The findings of a graph that was read from a file.
function compatibility.check_graph(name, graph, chip, host)
  local found, nodes = device.core.compatibility_check(graph, chip, host or "vm")
  return make(name, chip, host or "vm", found, nodes)
end

--- The verdict of a chip on every operation there is.
---@param chip string|chip as "v5e"
---@param options.host "vm"|"node" a TPU VM, or a TPU Node of the old kind
---@return table a list of { op, support, reason, instead }
---@example #pod.op_rules("v5e") > 50 --> true
function compatibility.rules(chip, options)
  options = errors.check_options(options, { "host" }, "op_rules")
  return device.core.compatibility_rules(report.chip(chip, "op_rules"), options.host or "vm")
end

return compatibility
