-- datasets_fetch - files of the network, kept in the user's cache: they are those of a pinned SHA-256, or not there.

local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local datasets_files = require "moonpod.datasets.files"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local screen = require "moonpod.base.screen"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"
local user_folder = require "moonpod.base.user_folder"

local datasets_fetch = {}

-- Options of those who find files so.
datasets_fetch.options = { path = "string", directory = "string", cache = "string", url = "string", sha256 = "string",
  fetch = "boolean" }

local MOST_TRIES = 5

-- How curl ends where another try may go on: data cut, time, nothing came, sending, receiving, a stream of HTTP/2.
local CUT = tables.set_of { 18, 28, 52, 55, 56, 92 }

-- ---- curl --------------------------------------------------------------------------------------------------

-- Shows on a terminal how much has come, and takes the line away at the end.
local function show(name, have, all)
  if not core.is_terminal(2) or screen.page then
    return
  end
  io.stderr:write(have and decimal.format("\r%s: %.1f of %.1f MB", name, have / 1e6, all / 1e6) or "\r\27[K")
  io.stderr:flush()
end

-- Runs curl and adds what comes to `parts`, behind the `have` bytes that are there. Returns its exit status, what it
-- said, and how many bytes there are then. The status stands behind the data, as not all hosts have it of a pipe.
local function run(about, parts, have)
  local said = os.tmpname()
  local command = ("curl -fsSL --connect-timeout 20 --speed-limit 1 --speed-time 60 %s -- %s 2>%s; printf '%%03d' $?")
    :format(have > 0 and "-C " .. ("%d"):format(have) or "", texts.shell_word(about.url), texts.shell_word(said))
  local pipe, tail = assert(io.popen(command, "r")), ""
  for block in function() return pipe:read(65536) end do
    tail = tail .. block
    parts[#parts + 1] = tail:sub(1, -4)
    have, tail = have + math.max(#tail - 3, 0), tail:sub(-3)
    show(about.name, have, about.bytes)
  end
  pipe:close()
  local message = texts.read(said, 1000) or ""
  os.remove(said)
  return tonumber(tail) or 1, message:match "^(.-)%s*$", have
end

-- The bytes behind a URL; or nil and what went wrong. What was cut is gone on with, where the server can.
local function download(about)
  if not io.popen then
    return nil, "a sandbox starts no program"
  end
  local parts, have = {}, 0
  for _ = 1, MOST_TRIES do
    local status, message
    status, message, have = run(about, parts, have)
    if status == 0 then
      show(about.name)
      return table.concat(parts)
    elseif status == 33 then -- the server begins at the beginning only
      parts, have = {}, 0
    elseif not CUT[status] then
      show(about.name)
      return nil, status == 127 and "there is no program curl: apt-get install curl"
        or ("curl ended with %d: %s"):format(status, message)
    end
  end
  show(about.name)
  return nil, ("the connection was cut %d times"):format(MOST_TRIES)
end

-- ---- the cache -----------------------------------------------------------------------------------------------

local function sum_of(path)
  return core.sha256(errors.call_core(core.file_read, device.context(), path))
end

-- The folder that fetched files are kept in; nil where the user has none.
local function cache_of(options)
  local folder = user_folder(".cache", "XDG_CACHE_HOME")
  return options.cache or folder and folder .. "/moonpod/datasets"
end

-- Where a file may lie already, the first place first: in the folder that is given, or in ours and Keras'.
local function places_of(about, options)
  local folders = { options.directory or screen.variable "MOONPOD_DATASETS" }
  if not options.directory then
    folders[#folders + 1] = cache_of(options)
    local keras = user_folder(".keras", "KERAS_HOME")
    folders[#folders + 1] = keras and keras .. "/datasets"
  end
  local places = {}
  for _, folder in ipairs(folders) do
    for _, name in ipairs(tables.join({ about.name }, about.also or {})) do
      places[#places + 1] = folder .. "/" .. name
    end
  end
  return places
end

-- Fetches a file into the cache and returns its path there; or nil and why not.
local function fetch(where, about, options)
  local folder = cache_of(options)
  if not folder then
    return nil, "there is no HOME for a cache; give cache = FOLDER"
  end
  device.locate("/usr/bin/curl", where) -- a host that keeps to one folder runs no programs
  local bytes, failure = download(about)
  if not bytes then
    return nil, failure
  end
  local sum = core.sha256(bytes)
  if sum ~= about.sha256 then
    return nil, ("what came has the SHA-256 %s instead of %s, and was not kept"):format(sum, about.sha256)
  end
  errors.call_core(core.make_folder, device.context(), folder)
  errors.call_core(core.file_write, device.context(), folder .. "/" .. about.name, bytes)
  return folder .. "/" .. about.name
end

-- The path of a file in a cache, and a text about those there that have not its SHA-256, where it has one.
function datasets_fetch.cached(about, options)
  local damaged = ""
  for _, path in ipairs(places_of(about, options or {})) do
    if datasets_files.is_there(path) then
      local sum = about.sha256 and sum_of(path)
      if sum == about.sha256 then
        return path
      end
      damaged = damaged .. ("\n%s is there, but has the SHA-256 %s instead of %s"):format(path, sum, about.sha256)
    end
  end
  return nil, damaged
end

-- The path of a file `about` { name, url, sha256, bytes (about how many there are), also (other names that caches have
-- it by) }: the option `path`, or one in a cache that has the SHA-256, or one that is fetched now.
function datasets_fetch.find(where, about, options)
  if options.path then
    if not datasets_files.is_there(options.path) then
      errors.raise("%s: %s is not there", where, options.path)
    end
    return options.path
  end
  about = tables.merge(about, { url = options.url, sha256 = options.sha256 and options.sha256:lower() })
  local path, damaged = datasets_fetch.cached(about, options)
  local failure
  if not path and options.fetch ~= false and not options.directory then
    path, failure = fetch(where, about, options)
  end
  if path then
    return path
  end
  errors.raise("%s: there is no %s%s%s\nWhere there is a network, this fetches it: curl -LO %s\nThe option "
    .. "path = FILE says where it lies; places that were looked at: %s", where, about.name,
    failure and (", and it was not fetched from %s: %s"):format(about.url, failure) or "", damaged, about.url,
    table.concat(places_of(about, options), ", "))
end

return datasets_fetch
