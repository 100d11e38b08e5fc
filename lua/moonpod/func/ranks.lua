-- ranks - the processes that run a script together, where a launcher of MPI has started several.

local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local random_state = require "moonpod.func.random_state"
local speaker = require "moonpod.base.speaker"
local tables = require "moonpod.base.tables"

local ranks = {}

-- Each MPI, by the variables that its launcher sets, and what is to be installed.
local KNOWN = {
  { name = "openmpi", variables = { "OMPI_COMM_WORLD_SIZE" }, package = "openmpi-bin" },
  { name = "mpich", variables = { "PMI_SIZE", "PMI_RANK", "PMI_FD" }, package = "mpich" },
}

-- How large sums cross, and how they go round.
local WIRES = { "float32", "bfloat16" }
local EXCHANGES = { "direct", "whole", "ring", "tree", "2d", "hierarchical" }

local opened -- { all = userdata, about = its description, build = see ranks.build }

local function is_set(variable)
  local value = os.getenv(variable)
  return value ~= nil and value ~= ""
end

-- The MPI whose launcher has started this process: its name, or nil.
local function launcher()
  for _, known in ipairs(KNOWN) do
    for _, variable in ipairs(known.variables) do
      if is_set(variable) then
        return known.name
      end
    end
  end
end

local function check_name(name)
  for _, known in ipairs(KNOWN) do
    if known.name == name then
      return known
    end
  end
  errors.raise("resolve: option 'mpi' is %s; it is true, \"auto\", \"openmpi\" or \"mpich\"", errors.describe(name))
end

-- An option that is nil, or one of a list.
local function check_choice(option, value, list)
  if value ~= nil and not tables.set_of(list)[value] then
    errors.raise("resolve: option '%s' is %s; it is \"%s\"", option, errors.describe(value),
      table.concat(list, "\", \"", 1, #list - 1) .. "\" or \"" .. list[#list])
  end
end

-- Where the module for an MPI lies: beside moonpod.core.
local function find_module(known)
  local path
  for place in package.cpath:gmatch "[^;]+" do
    local there = place:gsub("%?", "moonpod/mpi_" .. known.name)
    local file = not path and io.open(there, "rb")
    if file then
      file:close()
      path = there
    end
  end
  if not path then
    local host = package.loaded["moonpod.host"]
    local cure = ("install Debian's package lua-moonpod-mpi, or lib%s-dev and build again"):format(known.name)
    errors.raise("resolve: there is no module for %s: %s", known.name, host and host.limits
      and "not here: " .. host.limits or cure)
  end
  return path
end

-- Joins the ranks that a launcher has started, once. `name` is "openmpi" or "mpich"; nil or true: the launcher's own.
-- Returns what is known of them: rank, count, neighbours, threads, library.
local function open(name, wire, exchange)
  if opened then
    return opened.about
  end
  check_choice("wire", wire, WIRES)
  check_choice("exchange", exchange, EXCHANGES)
  if name == nil or name == true then
    name = launcher()
    if not name then
      errors.raise("resolve: mpi = true, but no launcher has started this process: run `mpirun -n 2 moonpod "
        .. "script.lua`")
    end
  end
  local context = device.context()
  local ok, all = pcall(core.ranks, context, find_module(check_name(name)), wire == "bfloat16", exchange)
  if not ok then
    errors.raise_from_core(all)
  end
  opened = { all = all, about = all:describe() }
  speaker.is_first = opened.about.rank == 0
  if not device.has_threads() then
    context:set_threads(opened.about.threads)
  end
  return opened.about
end

-- Joins them, and gives all the seed of the first where none was set. `wire` is how large sums cross: "float32" or
-- "bfloat16"; `exchange` how they go round. Returns what is known of them, with the `hosts` of all, or nil where `name`
-- is "auto" and this process is alone.
function ranks.join(name, wire, exchange)
  if name == "auto" then
    name = launcher()
    if not name then
      return nil
    end
  end
  local about, now = open(name, wire, exchange), random_state.now
  local is_seeded = now.is_seeded
  random_state.ensure_seeded()
  about.hosts = about.hosts or ranks.gather(about.host)
  local first = tonumber(ranks.gather(("%.0f"):format(now.seed))[1])
  now.seed = is_seeded and now.seed or first
  return about
end

-- Whether this process speaks for all: prints, and writes files.
function ranks.is_first()
  return speaker.is_first
end

-- An array of the texts that the ranks give, each its own; all call it. Alone: of its own.
function ranks.gather(text)
  if not opened then
    return { text }
  end
  local ok, texts = pcall(opened.all.gather, opened.all, text)
  if not ok then
    errors.raise_from_core(texts)
  end
  return texts
end

-- The bytes of a file, or nil.
local function read(path)
  local file = path and device.open(path, "rb")
  local bytes = file and file:read "*a"
  if file then
    file:close()
  end
  return bytes
end

-- Which build of the library this rank has: its version, its kernels, and the bytes of its file, where that is known.
function ranks.build()
  if not opened.build then
    local maps = read "/proc/self/maps" or ""
    local bytes = read(maps:match "(/[^\n]*/libmoonpod%.so[^\n]*)\n" or maps:match "(/[^\n]*/moonpod/core%.so)\n")
    opened.build = ("%s, kernels for %s, library %s"):format(core.version(), device.context():isa(),
      bytes and core.sha256(bytes):sub(1, 16) or "without a file")
  end
  return opened.build
end

-- The script of this process, or nil.
function ranks.script()
  return read(type(arg) == "table" and arg[0] or nil)
end

-- Notes a file that is being written, by which training can go on: it is named should a rank die.
function ranks.note_checkpoint(path)
  if opened then
    opened.all:note_checkpoint(path)
  end
end

-- What the ranks have exchanged until now: { meetings =, bytes = that this one sent, seconds = }.
function ranks.exchanged()
  local about = opened and opened.all:describe()
  return { meetings = about and about.meetings or 0, bytes = about and about.sent_bytes or 0,
    seconds = about and about.meeting_nanoseconds / 1e9 or 0 }
end

-- Calls fn on the first rank. All come here, and go on when that has done it; what it raises all raise.
function ranks.first_does(fn)
  local ok, failure = true, nil
  if ranks.is_first() then
    ok, failure = pcall(fn)
  end
  local told = opened and ranks.gather(ok and "" or tostring(failure))[1] or ""
  if not ok then
    error(failure, 0)
  elseif told ~= "" then
    errors.raise("on rank 0: %s", told)
  end
end

return ranks
