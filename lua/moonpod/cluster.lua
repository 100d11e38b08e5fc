-- cluster - which cores there are: resolvers, connecting, initialising.

local chips = require "moonpod.device_chips"
local device = require "moonpod.device"
local errors = require "moonpod.errors"

local cluster = {}

local Resolver = { __name = "moonpod.resolver" }
Resolver.__index = Resolver

local options_allowed = {
  tpu = true, accelerator = true, num_cores = true, topology = true, version = true, zone = true,
  project = true, job_name = true, coordinator_name = true, coordinator_address = true,
  credentials = true, service = true, discovery_url = true, host = true,
}

local DEFAULT = "v3-8"

local function getenv(name)
  local value = os and os.getenv and os.getenv(name)
  return value ~= "" and value or nil
end

-- Slices that are near in size, for messages.
local function near_names(generation, number)
  local names = {}
  local legal = chips.generations[generation].legal
  local place = #legal
  for i = #legal, 1, -1 do
    if legal[i] >= number then
      place = i
    end
  end
  for i = math.max(1, place - 1), math.min(#legal, place + 1) do
    names[#names + 1] = generation .. "-" .. legal[i]
  end
  return table.concat(names, ", ")
end

local function check_slice(name)
  local generation, number = chips.parse(name)
  if not generation then
    errors.raise("'%s' is no accelerator: write a generation and a number, such as \"v3-8\" or "
      .. "\"v5e-8\", or \"local\" with num_cores", tostring(name))
  end
  local entry = chips.generations[generation]
  if not entry then
    errors.raise("there is no TPU generation '%s'%s", generation,
      errors.suggest(generation, chips.names))
  end
  local legal = false
  for _, size in ipairs(entry.legal) do
    legal = legal or size == number
  end
  -- every slice within one host exists under replication here
  local within_host = entry.counts == "chips" and number >= 1 and number <= entry.chips_per_host
    and (number == 1 or number % 2 == 0)
  if not legal and not within_host then
    errors.raise("there is no %s-%d (the number counts %s); the nearest are %s", generation, number,
      entry.counts, near_names(generation, number))
  end
  return generation, number
end

-- "2x2" of a generation -> its name.
local function name_of_topology(version, topology)
  local generation = chips.generations[version] and version
  if not generation then
    errors.raise("resolve: a topology needs a version, such as version = \"v3\"; '%s' is none%s",
      tostring(version), errors.suggest(version, chips.names))
  end
  local count = 1
  for size in tostring(topology):gmatch("%d+") do
    count = count * tonumber(size)
  end
  local entry = chips.generations[generation]
  return generation .. "-" .. (entry.counts == "cores" and count * entry.cores or count)
end

-- Where the accelerator comes from: argument, environment, default. Returns name and reason.
local function choose(options)
  if options.accelerator then
    return options.accelerator, "option accelerator"
  end
  if options.topology then
    return name_of_topology(options.version, options.topology), "options version and topology"
  end
  if options.tpu == "local" and not options.num_cores then
    return DEFAULT, "option tpu = \"local\": the default slice"
  end
  if options.num_cores then
    return "local", "option num_cores"
  end
  if getenv "TPU_ACCELERATOR_TYPE" then
    return getenv "TPU_ACCELERATOR_TYPE", "environment TPU_ACCELERATOR_TYPE"
  end
  if getenv "TPU_TOPOLOGY" then
    return name_of_topology(options.version or "v3", getenv "TPU_TOPOLOGY"), "environment TPU_TOPOLOGY"
  end
  return DEFAULT, "nothing was asked for: the default slice"
end

-- pod.cluster.resolve{ accelerator = "v3-8" } or { accelerator = "local", num_cores = 8 } is the replicated
-- engine here; { tpu = NAME } asks for a real one and raises where there is none. Text is an accelerator.
-- host = "vm" (default) is a TPU VM, whose own processors read the data; "node" is a TPU Node of the old kind, driven
-- over the network: it refuses input pipelines with Lua functions that run on the host, as from_generator and
-- py_function are refused there.
function cluster.resolve(options)
  if type(options) == "string" then
    options = { accelerator = options }
  end
  options = errors.check_options(options, options_allowed, "cluster.resolve")
  local host = options.host or "vm"
  if host ~= "vm" and host ~= "node" then
    errors.raise("resolve: there is no host %s; it is \"vm\" or \"node\"", errors.describe(host))
  end
  local name = options.tpu
  local from_environment = false
  if name == nil and not options.accelerator and not options.topology and not options.num_cores then
    name = getenv "TPU_NAME"
    from_environment = name ~= nil
  end
  if name ~= nil and name ~= "local" and name ~= "" then
    errors.raise("no TPU named '%s'%s can be reached: this host has no TPU runtime. "
      .. "pod.cluster.resolve { accelerator = \"v3-8\" } replicates its cores here, and "
      .. "pod.auto_strategy() takes what there is", tostring(name),
      from_environment and " (environment TPU_NAME)" or "")
  end
  local accelerator, reason = choose(options)
  local self = setmetatable({
    tpu = name or "local",
    accelerator = accelerator,
    host = host,
    zone = options.zone or getenv "TPU_ZONE",
    project = options.project or getenv "TPU_PROJECT",
    job_name = options.job_name or "worker",
    coordinator_name = options.coordinator_name,
    coordinator_address = options.coordinator_address,
    credentials = options.credentials or "default",
    service = options.service,
    discovery_url = options.discovery_url,
    reason = reason,
    epoch = 0,
    connected = false,
    initialized = false,
  }, Resolver)
  if accelerator == "local" then
    local cores = options.num_cores or 8
    if type(cores) ~= "number" or cores ~= math.floor(cores) or cores < 1 or cores > 65536 then
      errors.raise("resolve: num_cores must be an integer from 1 to 65536, not %s",
        errors.describe(cores))
    end
    self.cores = cores
  else
    self.generation, self.number = check_slice(accelerator)
    self.accelerator = self.generation .. "-" .. self.number
  end
  return self
end

-- Resolves, connects and initialises.
function cluster.connect_to(options)
  local resolver = cluster.resolve(options)
  cluster.connect(resolver)
  cluster.initialize(resolver)
  return resolver
end

function Resolver:__tostring()
  return ("<resolver %s>"):format(self:master())
end

-- "sim://v3-8": the cores are replicated here.
function Resolver:master()
  return "sim://" .. (self.cores and "local-" .. self.cores or self.accelerator)
end

function Resolver:explain()
  return ("%s: %s; %d cores replicated on this host"):format(self:master(), self.reason,
    self:num_replicas())
end

-- What the slice is made of.
function Resolver:metadata()
  if self.cores then
    return {
      accelerator = "local", host = self.host, num_hosts = 1, num_chips = self.cores, num_cores = self.cores,
      cores_per_chip = 1, cores_per_host = self.cores, topology = { self.cores },
    }
  end
  local entry = chips.generations[self.generation]
  local count = chips.chip_count(self.generation, self.number)
  local hosts = math.max(1, math.ceil(count / entry.chips_per_host))
  return {
    accelerator = self.accelerator,
    host = self.host,
    num_hosts = hosts,
    num_chips = count,
    num_cores = count * entry.cores,
    num_devices = count * entry.devices,
    cores_per_chip = entry.cores,
    cores_per_host = math.min(count, entry.chips_per_host) * entry.cores,
    hbm_per_core = math.floor(entry.hbm_bytes * entry.devices / entry.cores),
    hbm_per_device = entry.hbm_bytes,
    topology = chips.topology(self.generation, self.number),
  }
end

-- How many replicas a strategy on it has: devices (a megacore is one).
function Resolver:num_replicas()
  if self.cores then
    return self.cores
  end
  return chips.chip_count(self.generation, self.number) * chips.generations[self.generation].devices
end
Resolver.num_accelerators = Resolver.num_replicas

-- The cores as rows for pod.devices.
function Resolver:device_table()
  local list = {}
  local entry = self.generation and chips.generations[self.generation]
  local per_chip = entry and entry.devices or 1
  local sizes = self:metadata().topology
  for i = 0, self:num_replicas() - 1 do
    local chip = math.floor(i / per_chip)
    local coords, rest = {}, chip
    for axis = 1, #sizes do
      coords[axis] = rest % sizes[axis]
      rest = math.floor(rest / sizes[axis])
    end
    list[#list + 1] = {
      name = "/device:TPU:" .. i,
      type = "TPU",
      index = i,
      chip = chip,
      core = i % per_chip,
      coords = coords,
      memory_bytes = entry and entry.hbm_bytes,
    }
  end
  return list
end

local function check_resolver(resolver, where)
  if type(resolver) ~= "table" or getmetatable(resolver) ~= Resolver then
    errors.raise("%s needs a resolver: pod.cluster.resolve { accelerator = \"v3-8\" }", where)
  end
end

-- Scripts that connect or initialise do so in TensorFlow's order; scripts that do neither need not.
function Resolver:check_ready(where)
  if self.connected and not self.initialized then
    errors.raise("%s: the resolver is connected but not initialised: call "
      .. "pod.cluster.initialize(resolver) before", where)
  end
  if self.shut_down then
    errors.raise("%s: the system was shut down: call pod.cluster.initialize(resolver) again", where)
  end
end

function cluster.connect(resolver)
  check_resolver(resolver, "cluster.connect")
  resolver.connected = true
end

local Topology = { __name = "moonpod.topology" }
Topology.__index = Topology

function Topology:__tostring()
  return ("<topology %s: %d chips, %d cores>"):format(table.concat(self.mesh_shape, "x"),
    self.num_chips, self.num_cores)
end

-- Initialises the system and returns its topology. Doing it again forgets compiled programs, and variables made
-- before are lost.
function cluster.initialize(resolver)
  check_resolver(resolver, "cluster.initialize")
  local trace = require "moonpod.trace"
  if trace.is_tracing() then
    errors.raise("cluster.initialize cannot be called inside of a compiled function")
  end
  if not resolver.connected and resolver.discovery_url then
    errors.raise("cluster.initialize: call pod.cluster.connect(resolver) before")
  end
  if resolver.initialized then
    resolver.epoch = resolver.epoch + 1
    require("moonpod.programs").clear()
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

-- Gives the system back: programs and variables are forgotten.
function cluster.shutdown(resolver)
  check_resolver(resolver, "cluster.shutdown")
  if not resolver.initialized then
    errors.raise("cluster.shutdown: the system is not initialised")
  end
  resolver.initialized, resolver.connected, resolver.shut_down = false, false, true
  resolver.epoch = resolver.epoch + 1
  require("moonpod.programs").clear()
  device.set_resolver(nil)
end

-- Takes a TPU where there is one, else what is preferred here, and says so on stderr:
-- auto_strategy{ prefer = { "v3-8", "cpu" }, verbose = 1 }.
function cluster.auto_strategy(options)
  options = errors.check_options(options, { tpu = true, prefer = true, verbose = true, sink = true },
    "auto_strategy")
  local distribute = require "moonpod.distribute"
  local sink = options.sink or function(line)
    io.stderr:write(line, "\n")
  end
  local found
  local wanted = options.tpu or getenv "TPU_NAME"
  if wanted then
    local ok, resolver = pcall(cluster.resolve, { tpu = wanted })
    found = ok and resolver or nil
  end
  for _, name in ipairs(options.prefer or {}) do
    if not found and name ~= "cpu" then
      local ok, resolver = pcall(cluster.resolve, { accelerator = (name:gsub("^sim%-", "")) })
      found = ok and resolver or nil
    elseif name == "cpu" then
      break
    end
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

return cluster
