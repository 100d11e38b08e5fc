-- pod.memory_info: what a device holds.

local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local shapes = require "moonpod.base.shapes"
local planned = require "moonpod.func.planned_memory"
local plugins = require "moonpod.tpu.plugins"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local variable = require "moonpod.func.variable"

local memory_info = {}

local Info = { __name = "moonpod.memory_info" }

function Info.__tostring(self)
  local bytes = core.bytes_text
  if not self.current then
    return ("%s: %s"):format(self.device, self.why)
  end
  local lines = { ("%s: %s now%s"):format(self.device, bytes(self.current),
    self.peak and (", %s at most"):format(bytes(self.peak)) or "") }
  if self.limit then
    lines[#lines + 1] = "  of " .. bytes(self.limit)
  end
  if self.fragmentation then
    lines[#lines] = decimal.format("%s; largest free piece %s, %.1f%% of what is free is in smaller ones",
      lines[#lines], bytes(self.largest_free), self.fragmentation * 100)
  end
  return table.concat(lines, "\n")
end

local function padded_bytes(chip, dtype, shape)
  return core.padding(chip, dtype, shapes.dims(shape)).padded_bytes
end

-- Bytes of the variables of the resolver in use and of the tensors that live, as each core has them. Tensors count from
-- when the resolver is in use.
local function count_bytes(chip)
  local resolver = device.resolver()
  local total, is_variables = 0, {}
  for v in pairs(variable.all) do
    is_variables[v._tensor] = true
    if v.strategy.resolver == resolver and not variable.loss(v) then
      total = total + padded_bytes(chip, v.dtype, v.shape)
    end
  end
  for t in pairs(tensor.counted or {}) do
    if not is_variables[t] and rawget(t, "_buffer") then
      total = total + padded_bytes(chip, t.dtype, t.shape)
    end
  end
  return total
end

-- What nothing refers to any more is not held: it is collected first, which may take several rounds.
local function held_bytes(chip)
  local total
  trace.sync() -- what is pending holds what it reads
  for _ = 1, 8 do
    collectgarbage()
    local now = count_bytes(chip)
    if now == total then
      break
    end
    total = now
  end
  return total
end

-- What the plugin of a resolver tells of one of its devices.
local function ask_plugin(resolver, full, index)
  local told, why = plugins.memory(resolver, index)
  if not told then
    return { device = full, why = why }
  end
  local free = told.limit and told.largest_free and told.limit - told.used
  return { device = full, current = told.used, peak = told.peak, limit = told.limit, largest_free = told.largest_free,
    fragmentation = free and (free > 0 and 1 - told.largest_free / free or 0) }
end

--- pod.memory_info "/TPU:0": { current =, peak =, limit =, largest_free =, fragmentation = } of a core of the resolver
--- in use. They are what variables and tensors take of its HBM, with padding; peak counts the programs that were
--- trained. Of this host it is pod.memory_info "/CPU:0": { current =, peak = }.
--- Of a plugin's devices it has what the plugin tells; where that is nothing, `why` says so.
---@example pod.advisor.memory_info("/CPU:0").peak >= pod.advisor.memory_info("/CPU:0").current --> true
function memory_info.get(name)
  local parsed = device.parse(name or device.default_name())
  local full = device.full_name(parsed.type, parsed.index)
  if parsed.type == "CPU" then
    local memory = device.memory()
    return setmetatable({ device = full, current = memory.current_bytes, peak = memory.peak_bytes }, Info)
  end
  local resolver = device.resolver()
  if resolver and resolver.plugin then
    return setmetatable(ask_plugin(resolver, full, parsed.index), Info)
  elseif not resolver or not resolver.generation then
    errors.raise("memory_info: there is no TPU here whose memory is known; make a strategy of pod.cluster.resolve "
      .. "{ accelerator = \"v3-8\" } before")
  end
  local chip = resolver.generation
  local current = held_bytes(chip)
  local peak, program = planned.of(chip, current)
  local limit = require("moonpod.tpu.chips").list(chip).hbm_limit_bytes
  local largest = math.max(0, limit - math.max(program.need, current))
  local free = largest + program.fragmentation
  return setmetatable({ device = full, current = current, peak = peak, limit = limit, largest_free = largest,
    fragmentation = free > 0 and 1 - largest / free or 0 }, Info)
end

return memory_info
