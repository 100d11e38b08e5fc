-- plugins - the plugins of PJRT that are installed here: where they lie, and their devices.

local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local file_names = require "moonpod.data.file_names"
local user_folder = require "moonpod.base.user_folder"

local plugins = {}

-- What a name stands for: files of a Python environment, then of the system; and what is to be installed.
local KNOWN = {
  cpu = { "/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so", install = "pip install lammps-jax-pjrt-cpu" },
  cuda = { "/jax_plugins/xla_cuda1*/xla_cuda_plugin.so", install = "pip install jax-cuda12-plugin[with-cuda]" },
  tpu = { "/libtpu/libtpu.so", system = { "/lib/libtpu.so", "/usr/lib/libtpu.so" }, install = "pip install libtpu" },
}

-- Where Python keeps packages, in the order in which they are looked at.
local function places()
  local found = {}
  local function add(root, pattern)
    if root and root ~= "" then
      found[#found + 1] = file_names.escaped(root) .. pattern
    end
  end
  for _, variable in ipairs { "VIRTUAL_ENV", "CONDA_PREFIX" } do
    add(os.getenv(variable), "/lib/python3*/site-packages")
  end
  add(".venv", "/lib/python3*/site-packages")
  add(os.getenv "HOME", "/.local/lib/python3*/site-packages")
  add("/usr/local", "/lib/python3*/*-packages")
  add("/usr", "/lib/python3*/*-packages")
  return found
end

-- The path of the plugin of a name ("cpu", "cuda", "tpu"): that of MOONPOD_PJRT_PLUGIN, or the first of a Python
-- environment or of the system. Without one nil, and where it was looked for.
function plugins.find(name)
  local given = os.getenv "MOONPOD_PJRT_PLUGIN"
  if given and given ~= "" then
    return given
  end
  local looked, known = places(), KNOWN[name]
  for _, place in ipairs(looked) do
    local there = file_names.matching(place .. known[1])
    if #there > 0 then
      return there[#there] -- of several Pythons the newest
    end
  end
  for _, path in ipairs(known.system or {}) do
    if #file_names.matching(path) > 0 then
      return path
    end
  end
  return nil, table.concat(looked, ", ")
end

-- The folder in which compiled programs are kept: that of MOONPOD_PJRT_CACHE (an empty one: none are), else one of the
-- user's cache.
function plugins.kept_folder()
  local given, cache = os.getenv "MOONPOD_PJRT_CACHE", user_folder(".cache", "XDG_CACHE_HOME")
  return given ~= "" and (given or cache and cache .. "/moonpod/programs") or nil
end

-- The most bytes of that folder; nil: 2^30.
plugins.kept_bytes = nil

-- Seconds until a compiler is given up; nil: 3600.
plugins.compile_seconds = nil

local opened = {}

-- The devices of a plugin, so many or (nil) all: a path, or a name that find() knows. They are taken once, and kept: a
-- plugin has one owner. Returns them, what the plugin says of itself, and its path.
local function open(name, count)
  local path = name
  if KNOWN[name] then
    local looked
    path, looked = plugins.find(name)
    if not path then
      errors.raise("resolve: there is no plugin of PJRT for '%s': %s, and be in its Python environment, or set "
        .. "MOONPOD_PJRT_PLUGIN to its path (looked in %s)", name, KNOWN[name].install, looked)
    end
  elseif not name:find "/" then
    errors.raise("resolve: there is no plugin of PJRT '%s': it is \"cpu\", \"cuda\", \"tpu\" or a path%s", name,
      errors.suggest(name, { "cpu", "cuda", "tpu" }))
  end
  local key = ("%s %s"):format(count or "all", path)
  if not opened[key] then
    local ok, found = pcall(core.accelerator, device.context(), path,
      { count = count, all = not count, kept = plugins.kept_folder(),
        kept_bytes = plugins.kept_bytes, compile_seconds = plugins.compile_seconds })
    if not ok then
      errors.raise_from_core(("resolve: the plugin %s gives no devices: %s"):format(path, found))
    end
    opened[key] = found
  end
  return opened[key], opened[key]:describe(), path
end

-- Whether this host is a TPU VM: it has the devices by which a runtime reaches its chips.
function plugins.is_tpu_vm()
  return #file_names.matching "/dev/accel[0-9]*" > 0 or #file_names.matching "/dev/vfio/[0-9]*" > 0
end

-- What a resolver of the TPU of this host has: all its devices.
function plugins.resolve_tpu(name, count)
  local accelerator, about, path = open("tpu", count)
  return {
    accelerator = about.platform, cores = about.count, num_cores = about.count, plugin = path, devices = accelerator,
    about = about, host = "vm", tpu = name, reason = ("option tpu = \"%s\": this host's TPU"):format(name),
  }
end

-- What a resolver of a plugin's devices has, by its options.
function plugins.resolve(options, count)
  for _, other in ipairs { "accelerator", "topology", "version", "tpu", "mpi" } do
    if options[other] ~= nil then
      errors.raise("resolve: pjrt and %s are both given: %s", other, other == "mpi"
        and "several hosts do not share the devices of a plugin; start a process a host without mpi, or leave out pjrt"
        or "a plugin has the devices that it has; leave one out")
    end
  end
  local accelerator, about, path = open(options.pjrt, count)
  return {
    accelerator = about.platform, cores = count, num_cores = count, plugin = path, devices = accelerator, about = about,
    host = "vm", tpu = "local", reason = "option pjrt",
  }
end

-- What the plugin tells of the memory of a device of a resolver, from 0: { used =, peak =, limit =, largest_free = },
-- bytes, of which it may leave out all but the first; nil, why where it tells nothing.
function plugins.memory(resolver, index)
  return resolver.devices:memory(index)
end

-- The devices of a resolver as rows for pod.devices.
function plugins.device_table(resolver)
  local list = {}
  for i = 0, resolver.cores - 1 do
    local memory = plugins.memory(resolver, i)
    list[i + 1] = { name = "/device:TPU:" .. i, type = "TPU", index = i, kind = resolver.about.kind,
      memory_bytes = memory and memory.limit }
  end
  return list
end

-- A line that says which devices a resolver has.
function plugins.explain(resolver)
  local about = resolver.about
  return ("%s: %s; %d of %d devices (%s) of %s, PJRT %d.%d"):format(resolver:master(), resolver.reason, resolver.cores,
    about.there, about.kind, resolver.plugin, about.major, about.minor)
end

return plugins
