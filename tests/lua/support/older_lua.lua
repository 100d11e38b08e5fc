-- older_lua - what the specs use of Lua 5.4's libraries, for Lua 5.1, LuaJIT, 5.2 and 5.3: the helper that busted loads
-- before a spec. The library under test gets nothing of it: it runs before a script has a helper, too.

-- luacheck: std max, ignore 122 121
local version = _VERSION
if version == "Lua 5.4" then
  return
end

local unpack = table.unpack or unpack
local is_51 = version == "Lua 5.1"

if is_51 or version == "Lua 5.2" then
  local files = getmetatable(io.stdout).__index
  local read = files.read

  function files.read(file, ...)
    local formats = { n = select("#", ...), ... }
    for i = 1, formats.n do
      formats[i] = type(formats[i]) == "string" and formats[i]:gsub("^%a", "*%0") or formats[i]
    end
    return read(file, unpack(formats, 1, formats.n))
  end
end

if is_51 then
  table.unpack = table.unpack or unpack
  table.pack = table.pack or function(...)
    return { n = select("#", ...), ... }
  end
  load = loadstring and function(chunk, ...)
    return (type(chunk) == "string" and loadstring or load)(chunk, ...)
  end

  package.searchpath = package.searchpath or function(name, path)
    for template in path:gmatch "[^;]+" do
      local file_name = template:gsub("%?", (name:gsub("%.", "/")))
      local file = io.open(file_name)
      if file then
        file:close()
        return file_name
      end
    end
  end

  local files = getmetatable(io.stdout).__index
  local close, popen = files.close, io.popen

  -- Commands whose status close() is to tell: handle -> the file that has it.
  local statuses = setmetatable({}, { __mode = "k" })

  local function result_of(code)
    if code > 128 then
      return nil, "signal", code - 128
    end
    return code == 0 or nil, "exit", code
  end

  function io.popen(command, mode)
    local name = os.tmpname()
    local handle = popen("(" .. command .. "\n); echo $? >" .. name, mode)
    statuses[handle] = name
    return handle
  end

  function files.close(file)
    local name = statuses[file]
    local ok, message = close(file)
    if not name then
      return ok, message
    end
    statuses[file] = nil
    local status = assert(io.open(name))
    local code = tonumber(status:read "*l")
    close(status)
    os.remove(name)
    return result_of(code or 1)
  end

  local execute = os.execute
  function os.execute(command)
    local status = execute(command)
    if type(status) == "number" then
      return result_of(status >= 256 and math.floor(status / 256) or status)
    end
    return status
  end
end
