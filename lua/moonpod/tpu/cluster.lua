--- Which cores there are: resolvers of clusters, connecting to them, and the strategy that fits what is found.
---@example pod.cluster.resolve("v3-8"):num_accelerators() --> 8

-- cluster - which cores there are: resolvers, connecting, initialising.

local declare = require "moonpod.base.arguments"
local chips = require "moonpod.tpu.chips"
local cluster_file = require "moonpod.tpu.cluster_file"
local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local screen = require "moonpod.base.screen"
local is_whole = require "moonpod.base.kinds".is_whole
local tables = require "moonpod.base.tables"

local cluster = {}

local Resolver = { __name = "moonpod.resolver" }
Resolver.__index = Resolver

local options_allowed = {
  tpu = true, accelerator = true, num_cores = true, topology = true, version = true, zone = true,
  project = true, job_name = true, coordinator_name = true, coordinator_address = true,
  credentials = true, service = true, discovery_url = true, host = true, pjrt = true, mpi = true, wire = true,
  exchange = true,
}

local DEFAULT = "v3-8"
local MOST_CORES = 65536 -- of "local"

local getenv = screen.variable

-- The slice of a name ("v3-8", "v4-2x2x4") or a topology ("v3:4x4"); raises for what no pod has.
local function find_slice(name)
  if not name:find "^%w+[-:]" then
    errors.raise("'%s' is no accelerator: write a generation and a number, such as \"v3-8\" or "
      .. "\"v5e-8\", or \"local\" with num_cores", name)
  end
  local ok, slice = pcall(core.slice, name)
  if not ok then
    errors.raise_from_core("resolve: " .. tostring(slice))
  end
  return slice
end

local function name_of_topology(version, topology)
  if version:find "[-:]" or not core.chip_name(version) then
    errors.raise("resolve: there is no TPU generation '%s'%s", version, errors.suggest(version, chips.names()))
  end
  return version .. ":" .. topology
end

-- Options that each say which slice: of those that are given none may be in vain.
local function check_conflicts(options)
  local function refuse(name, other, why)
    if options[name] ~= nil and options[other] ~= nil then
      errors.raise("resolve: %s and %s are both given: %s; leave one out", name, other, why)
    end
  end
  refuse("accelerator", "topology", "either says which slice")
  refuse("accelerator", "version", "the accelerator's name begins with its generation")
  if options.accelerator ~= "local" then
    refuse("accelerator", "num_cores", "num_cores is for \"local\", and a slice has as many as it has")
  end
  refuse("num_cores", "topology", "num_cores is for \"local\", and a slice has as many as it has")
  refuse("num_cores", "version", "num_cores is for \"local\", which is no generation")
  if options.topology and not options.version then
    errors.raise("resolve: a topology needs a version: one of %s", table.concat(chips.names(), ", "))
  end
end

local function check_cores(cores)
  if not is_whole(cores, 1, MOST_CORES) then
    errors.raise("resolve: num_cores must be an integer from 1 to %d, not %s", MOST_CORES, errors.describe(cores))
  end
  return cores
end

-- A resolver with the options that it was asked for by and what was found.
local function new_resolver(options, found)
  local self = tables.merge(options, found)
  self.zone = options.zone or getenv "TPU_ZONE"
  self.project = options.project or getenv "TPU_PROJECT"
  self.job_name = options.job_name or "worker"
  self.credentials = options.credentials or "default"
  self.epoch, self.losses = 0, {} -- losses: of an epoch: how it ended
  self.connected, self.initialized = false, false
  return setmetatable(self, Resolver)
end

local function check_texts(options, where)
  for option, value in pairs(options) do
    if option ~= "num_cores" and option ~= "mpi" then
      errors.check_type(value, "string", where, "option '" .. option .. "'")
    end
  end
end

-- Where the accelerator comes from: argument, environment, the user's file, default. Returns name and reason.
local function choose(options)
  if options.accelerator then
    return options.accelerator, "option accelerator"
  elseif options.topology then
    return name_of_topology(options.version, options.topology), "options version and topology"
  elseif options.num_cores then
    return "local", "option num_cores"
  elseif options.version then
    local topology = getenv "TPU_TOPOLOGY"
    if not topology then
      errors.raise("resolve: version = \"%s\" says no size: give topology = \"2x2\" as well, or accelerator = "
        .. "\"%s-8\" in its place", options.version, options.version)
    end
    return name_of_topology(options.version, topology), "option version and environment TPU_TOPOLOGY"
  elseif options.tpu == "local" then
    return DEFAULT, "option tpu = \"local\": the default slice"
  elseif getenv "TPU_ACCELERATOR_TYPE" then
    return getenv "TPU_ACCELERATOR_TYPE", "environment TPU_ACCELERATOR_TYPE"
  elseif getenv "TPU_TOPOLOGY" then
    return name_of_topology("v3", getenv "TPU_TOPOLOGY"), "environment TPU_TOPOLOGY"
  end
  return DEFAULT, "nothing was asked for: the default slice"
end

--- Finds cores: an accelerator by name ("v3-8", "local") is the replicated engine here; `tpu` asks for a real one.
--- Without one the environment says which (`TPU_ACCELERATOR_TYPE`, `TPU_TOPOLOGY`), then the file
--- `~/.config/moonpod/cluster.json`, which has options as JSON, then it is a v3-8. What was given or found are fields
--- of the resolver: `accelerator`, `version`, `topology`, `num_cores`, `host`, `zone` and the others.
---@param options.accelerator string "v3-8" and the like, or "local"; it may stand for the table
---@param options.num_cores integer of "local": how many cores
---@param options.topology string the shape of a slice, as "4x4"
---@param options.version string the generation, as "v3"
---@param options.host "vm"|"node" a TPU VM, whose own processors read the data (default), or a TPU Node of the old
---   kind, which refuses pipelines with Lua functions
---@param options.tpu string the name of a real TPU: on a TPU VM all devices of its own (or `num_cores` of them), which
---   libtpu drives
---@param options.pjrt string a plugin of PJRT, whose devices run programs in the place of this host: "cpu", "cuda" or
---   "tpu", found in Python environments and by MOONPOD_PJRT_PLUGIN, or a path; `num_cores` of them are used (1)
---@param options.mpi boolean|"auto"|"openmpi"|"mpich" true: the cores of all processes that `mpirun` started,
---   `num_cores` each, or those of a slice, divided among them; "auto": of this process alone where no `mpirun` did
---@param options.wire "float32"|"bfloat16" how sums of more than 1024 numbers go from process to process
---@param options.exchange "direct"|"whole"|"ring"|"tree"|"2d"|"hierarchical" how sums of more than 32 KB go round the
---   processes: see docs/guides/scaling.md
---@param options.zone string taken for TensorFlow's sake
---@param options.project string taken for TensorFlow's sake
---@param options.job_name string the job in names of devices
---@param options.coordinator_name string taken for TensorFlow's sake
---@param options.coordinator_address string taken for TensorFlow's sake
---@param options.credentials string taken for TensorFlow's sake
---@param options.service any taken for TensorFlow's sake
---@param options.discovery_url string taken for TensorFlow's sake
---@return resolver
---@error there is no such accelerator, or no real TPU
---@example pod.cluster.resolve("v3-8"):num_replicas() --> 8
function cluster.resolve(options)
  if type(options) == "string" then
    options = { accelerator = options }
  end
  options = errors.check_options(options, options_allowed, "cluster.resolve")
  check_texts(options, "resolve")
  if options.pjrt then
    return new_resolver(options, require("moonpod.tpu.plugins").resolve(options, check_cores(options.num_cores or 1)))
  end
  local from_file
  if not (options.accelerator or options.topology or options.num_cores or options.version or options.tpu
    or getenv "TPU_NAME" or getenv "TPU_ACCELERATOR_TYPE" or getenv "TPU_TOPOLOGY") then
    options, from_file = cluster_file.complete(options, options_allowed)
  end
  local host = options.host or "vm"
  if host ~= "vm" and host ~= "node" then
    errors.raise("resolve: there is no host %s; it is \"vm\" or \"node\"", errors.describe(host))
  end
  local name, from_environment = options.tpu, false
  if name == nil and not options.accelerator and not options.topology and not options.num_cores then
    name, from_environment = getenv "TPU_NAME", getenv "TPU_NAME" ~= nil
  end
  if name ~= nil and name ~= "local" and name ~= "" then
    local plugins = require "moonpod.tpu.plugins"
    if plugins.is_tpu_vm() then
      return new_resolver(options, plugins.resolve_tpu(name, options.num_cores and check_cores(options.num_cores)))
    end
    errors.raise("no TPU named '%s'%s can be reached: this host has no TPU runtime. "
      .. "pod.cluster.resolve { accelerator = \"v3-8\" } replicates its cores here, and "
      .. "pod.auto_strategy() takes what there is", tostring(name),
      from_environment and " (environment TPU_NAME)" or "")
  end
  check_conflicts(options)
  local accelerator, reason = choose(options)
  reason = from_file and "configuration file " .. from_file or reason
  local self = new_resolver(options, { tpu = name or "local", accelerator = accelerator, host = host, reason = reason })
  self.ranks = options.mpi and require("moonpod.func.ranks").join(options.mpi, options.wire, options.exchange) or nil
  if accelerator == "local" then
    self.cores = check_cores(options.num_cores or 8) * (self.ranks and self.ranks.count or 1)
    self.num_cores = self.cores
  else
    self.slice = find_slice(accelerator)
    self.generation, self.accelerator = self.slice.generation, self.slice.name
    self.version, self.topology, self.num_cores = self.generation, self.slice.topology, self.slice.num_cores
  end
  return self
end

--- Resolves, connects and initialises.
--- ```lua
--- local resolver = pod.cluster.connect_to "v3-8"
--- assert(resolver:num_replicas() == 8)
--- pod.cluster.shutdown(resolver)
--- ```
function cluster.connect_to(options)
  local resolver = cluster.resolve(options)
  cluster.connect(resolver)
  cluster.initialize(resolver)
  return resolver
end

function Resolver:__tostring()
  return ("<resolver %s>"):format(self:master())
end

--- "sim://v3-8": the cores are replicated here.
---@example pod.cluster.resolve("v3-8"):master() --> "sim://v3-8"
function Resolver:master()
  if self.plugin then
    return ("pjrt://%s-%d"):format(self.accelerator, self.cores)
  end
  return "sim://" .. (self.cores and "local-" .. self.cores or self.accelerator)
end

--- A line that says which cores this stands for, and why.
---@example type(pod.cluster.resolve("v3-8"):explain()) --> "string"
function Resolver:explain()
  if self.plugin then
    return require("moonpod.tpu.plugins").explain(self)
  end
  return ("%s: %s; %d cores replicated on this host"):format(self:master(), self.reason,
    self:num_replicas())
end

--- What the slice is made of.
---@example type(pod.cluster.resolve("v3-8"):metadata()) --> "table"
function Resolver:metadata()
  if self.cores then
    return {
      accelerator = self.accelerator, host = self.host, num_hosts = 1, num_chips = self.cores, num_cores = self.cores,
      cores_per_chip = 1, cores_per_host = self.cores, topology = { self.cores },
    }
  end
  local slice, chip = self.slice, chips.list(self.generation)
  return {
    accelerator = self.accelerator,
    host = self.host,
    num_hosts = slice.num_hosts,
    num_chips = slice.num_chips,
    num_cores = slice.num_cores,
    num_devices = slice.num_devices,
    cores_per_chip = chip.cores,
    cores_per_host = math.min(slice.num_chips, chip.chips_per_host) * chip.cores,
    hbm_per_core = math.floor(chip.hbm_bytes / chip.cores),
    hbm_per_device = math.floor(chip.hbm_bytes / chip.devices),
    topology = slice.shape,
  }
end

--- What the processes of `mpi` have exchanged since they came together: how often they met, bytes that this one sent,
--- and seconds in which it did that or waited for others. Zeros where there is one process.
---@return table exchanged with `meetings`, `bytes` and `seconds`
---@example pod.cluster.resolve("v3-8"):exchanged().meetings --> 0
function Resolver:exchanged()
  return require("moonpod.func.ranks").exchanged()
end

--- How many replicas a strategy on it has: devices (a megacore is one).
---@example pod.cluster.resolve("v3-8"):num_accelerators() --> 8
function Resolver:num_replicas()
  return self.cores or self.slice.num_devices
end
Resolver.num_accelerators = Resolver.num_replicas

--- The cores as rows for pod.devices.
---@example type(pod.cluster.resolve("v3-8"):device_table()) --> "table"
function Resolver:device_table()
  if self.plugin then
    return require("moonpod.tpu.plugins").device_table(self)
  end
  local list = {}
  local chip_type = self.generation and chips.list(self.generation)
  local per_chip = chip_type and chip_type.devices or 1
  local metadata = self:metadata()
  local sizes = metadata.topology
  for i = 0, self:num_replicas() - 1 do
    local chip = math.floor(i / per_chip)
    local coords, rest = {}, chip
    for axis = 1, #sizes do
      coords[axis] = rest % sizes[axis]
      rest = math.floor(rest / sizes[axis])
    end
    list[#list + 1] = { name = "/device:TPU:" .. i, type = "TPU", index = i, chip = chip, core = i % per_chip,
      coords = coords, memory_bytes = metadata.hbm_per_device }
    if self.ranks then
      local rank = math.floor(i * self.ranks.count / self:num_replicas())
      list[#list].rank, list[#list].host = rank, self.ranks.hosts[rank + 1]
    end
  end
  return list
end

local function check_resolver(resolver, where)
  if type(resolver) ~= "table" or getmetatable(resolver) ~= Resolver then
    errors.raise("%s needs a resolver: pod.cluster.resolve { accelerator = \"v3-8\" }", where)
  end
end

--- Scripts that connect or initialise do so in TensorFlow's order; scripts that do neither need not.
--- ```lua
--- local resolver = pod.cluster.resolve "v3-8"
--- pod.cluster.connect(resolver)
--- assert(not pcall(resolver.check_ready, resolver, "train")) -- it is not initialised
--- ```
function Resolver:check_ready(where)
  if self.connected and not self.initialized then
    errors.raise("%s: the resolver is connected but not initialised: call "
      .. "pod.cluster.initialize(resolver) before", where)
  end
  if self.shut_down then
    errors.raise("%s: the system was shut down: call pod.cluster.initialize(resolver) again", where)
  end
end

--- Makes a resolver's cores those that devices are named by.
--- ```lua
--- local resolver = pod.cluster.resolve "v3-8"
--- pod.cluster.connect(resolver)
--- assert(pod.cluster.initialize(resolver).num_cores == 8)
--- pod.cluster.shutdown(resolver)
--- ```
function cluster.connect(resolver)
  check_resolver(resolver, "cluster.connect")
  resolver.connected = true
end

-- Ends what lives under a resolver: programs, variables and what was counted of its memory.
local function forget(resolver, how)
  resolver.losses[resolver.epoch] = how
  resolver.epoch = resolver.epoch + 1
  require("moonpod.tensor.programs").clear()
  require("moonpod.func.planned_memory").forget()
end

local Topology = { __name = "moonpod.topology" }
Topology.__index = Topology

function Topology:__tostring()
  return ("<topology %s: %d chips, %d cores>"):format(table.concat(self.mesh_shape, "x"),
    self.num_chips, self.num_cores)
end

--- Initialises the system and returns its topology. Doing it again forgets compiled programs, and variables made
--- before are lost.
--- ```lua
--- local resolver = pod.cluster.resolve "v3-8"
--- assert(pod.cluster.initialize(resolver).num_chips == 4)
--- pod.cluster.shutdown(resolver)
--- ```
function cluster.initialize(resolver)
  check_resolver(resolver, "cluster.initialize")
  local trace = require "moonpod.tensor.trace"
  if trace.is_tracing() then
    errors.raise("cluster.initialize cannot be called inside of a compiled function")
  end
  if not resolver.connected and resolver.discovery_url then
    errors.raise("cluster.initialize: call pod.cluster.connect(resolver) before")
  end
  if resolver.initialized then
    forget(resolver, "initialised again")
  end
  resolver.initialized, resolver.connected, resolver.shut_down = true, true, false
  device.set_resolver(resolver)
  local metadata = resolver:metadata()
  return setmetatable({
    mesh_shape = metadata.topology,
    num_chips = metadata.num_chips,
    num_cores = metadata.num_cores,
    num_tasks = metadata.num_hosts,
    num_tpus_per_task = metadata.cores_per_host,
    device_coordinates = resolver:device_table(),
  }, Topology)
end

--- Gives the system back: programs and variables are forgotten.
--- ```lua
--- local resolver = pod.cluster.connect_to "v3-8"
--- pod.cluster.shutdown(resolver)
--- assert(not pcall(pod.distribute.tpu_strategy, resolver))
--- ```
function cluster.shutdown(resolver)
  check_resolver(resolver, "cluster.shutdown")
  if not resolver.initialized then
    errors.raise("cluster.shutdown: the system is not initialised")
  end
  resolver.initialized, resolver.connected, resolver.shut_down = false, false, true
  forget(resolver, "shut down")
  device.set_resolver(nil)
end

-- The names of an option prefer, checked whole: of what does not exist none is passed over. Returns those before "cpu".
local function preferred(prefer)
  if type(prefer) == "string" then
    prefer = { prefer }
  end
  local names, done = {}, false
  for i, name in ipairs(errors.check_type(prefer or {}, "table", "auto_strategy", "option 'prefer'")) do
    errors.check_type(name, "string", "auto_strategy", ("prefer[%d]"):format(i))
    done = done or name == "cpu"
    if name ~= "cpu" then
      name = name:gsub("^sim%-", "")
      cluster.resolve { accelerator = name }
      names[#names + 1] = not done and name or nil
    end
  end
  return names
end

--- Takes a TPU where there is one, else what is preferred here, and says so on stderr.
---@param options.prefer string|string[] what is taken where there is no TPU, as "v3-8" or "cpu"; the first that is
---   possible
---@param options.tpu string the name of a TPU to ask for
---@param options.verbose integer 1: says more (default); 0: one line only
---@param options.sink function gets the line that is said, in the place of stderr
---@return strategy
---@example pod.auto_strategy({ prefer = "cpu", sink = function() end }).num_replicas_in_sync --> 1
function cluster.auto_strategy(options)
  options = errors.check_options(options, { tpu = true, prefer = true, verbose = true, sink = true },
    "auto_strategy")
  local distribute = require "moonpod.distribute"
  local sink = options.sink or function(line)
    io.stderr:write(line, "\n")
  end
  local names = preferred(options.prefer)
  local found
  local wanted = options.tpu or getenv "TPU_NAME"
  if wanted then
    errors.check_type(wanted, "string", "auto_strategy", "option 'tpu'")
    local ok, resolver = errors.attempt(cluster.resolve, { tpu = wanted })
    found = ok and resolver or nil
  end
  if not found and names[1] then
    found = cluster.resolve { accelerator = names[1] }
  end
  local strategy
  if found then
    sink("Running on TPU " .. found:master())
    cluster.connect(found)
    cluster.initialize(found)
    strategy = distribute.tpu_strategy(found)
    if options.verbose ~= 0 then
      sink("TPU strategy initialized.")
    end
  else
    strategy = distribute.get_strategy()
    sink("TPU not found. Using default strategy.")
  end
  if options.verbose ~= 0 then
    sink("Number of accelerators: " .. strategy.num_replicas_in_sync)
  end
  return strategy
end

declare.methods("resolver", Resolver, function(value)
  return getmetatable(value) == Resolver
end, { ["where:string"] = "check_ready" })
declare.functions("cluster", cluster, { ["options:string_or_options?"] = "resolve connect_to" })

return cluster
