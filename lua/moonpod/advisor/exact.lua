-- exact - what the user's own compiler of TPUs says of a module: libtpu, which PyPI has, and which needs no TPU for it.

local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local plugins = require "moonpod.tpu.plugins"

local exact = {}

-- What the compiler calls generations, where it has another name, and the least slice that it compiles for.
local NAMES = { v5p = "v5", v7x = "tpu7x" }
local LEAST = { [2] = "2x2", [3] = "2x2x1" }

-- The slice to compile for as the compiler names it: that of the caller, or the least one of the generation with so
-- many devices.
local function topology_of(chip, slice, devices)
  local generation = NAMES[chip.name] or chip.name
  if slice then
    return generation .. ":" .. slice.topology
  end
  local least = LEAST[#chip.pod_shape]
  local on_least = 4 * chip.devices
  if devices > on_least then
    local ok, larger = pcall(core.slice, ("%s-%d"):format(chip.name, devices * chip.cores / chip.devices))
    if not ok then
      errors.raise("advise: the module is for %d devices: name a slice that has them, such as %s-%d", devices,
        chip.name, devices)
    end
    return generation .. ":" .. larger.topology
  end
  return generation .. ":" .. least
end

-- The path of the compiler of TPUs.
local function find()
  local path, looked = plugins.find "tpu"
  if not path then
    errors.raise("advise: exact needs the compiler of TPUs: pip install libtpu, and give its path, set "
      .. "MOONPOD_PJRT_PLUGIN, or be in its Python environment (looked in %s)", looked)
  end
  return path
end

-- What the compiler says of a module's text: its bytes by kind, `fits`, `need`, `plugin`, `version`. `plugin`: its
-- path, or true: it is looked for. `times`: it is asked for its estimates, too.
function exact.ask(text, options)
  local plugin = options.plugin == true and find() or options.plugin
  local topology = topology_of(options.chip, options.slice, options.partitions * options.replicas)
  local ok, answer = pcall(core.compiled_memory, device.context(), plugin, topology, text,
    { partitions = options.partitions, replicas = options.replicas, times = options.times })
  if not ok then
    errors.raise_from_core(("advise: the compiler gave no answer for %s: %s"):format(topology, answer))
  end
  answer.plugin, answer.topology = plugin, topology
  return answer
end

return exact
