-- What Lua keeps to.

local house = require "house"

local function lua_is_clean()
  local luacheck = house.lines_of "command -v luacheck"[1]
  if not luacheck then return end
  local report = house.lines_of(("cd %s && luacheck --no-color -q --formatter plain lua tests/lua tests/style 2>&1")
    :format(house.quote(house.root)))
  for _, line in ipairs(report) do
    local path, number, what = line:match "^([^:]+):(%d+):%d+: (.*)$"
    if path then house.finding(path, tonumber(number), "%s", what) end
  end
end

local function absolute(path)
  return path:sub(1, 1) == "/" and path or house.lines_of "pwd"[1] .. "/" .. path
end

-- Methods that a class has because its kind has them: their text stands where the kind is.
local hooks = { build = true, call = true, compute_mask = true, get_config = true, reset_state = true, result = true,
  setup = true, update_state = true }

local function indent_of(line)
  return #line:match "^%s*"
end

local function has_text(lines, number)
  local above = (lines[number - 1] or ""):match "^%s*(.*)$"
  return lines[number]:find " %-%- %S" or above:find "^%-%-%-?%f[^%-]" or above:find "%]%]%s*$"
end

-- Text stands above a function or, of one that is made within something else, above that.
local function is_described(lines, number)
  while not has_text(lines, number) do
    local indent = indent_of(lines[number])
    if indent == 0 then return false end
    repeat number = number - 1 until lines[number]:find "%S" and indent_of(lines[number]) < indent
  end
  return true
end

local function public_functions_have_a_text()
  local report = house.lines_of((("cd %s && LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH=%s'/lua/?.so;;' " ..
    "lua5.4 tests/style/public_functions.lua 2>&1")):format(house.quote(house.root),
    house.quote(absolute(house.build))))
  local texts, count = {}, 0
  for _, row in ipairs(report) do
    local path, number, name = row:match "^(lua/moonpod/[^:]+):(%d+): (.*)$"
    if path then
      count = count + 1
      texts[path] = texts[path] or house.split(house.read(path))
      if not hooks[name:match "[%w_]+$"] and not is_described(texts[path], tonumber(number)) then
        house.finding(path, tonumber(number), "%s, which scripts can call, has no text", name)
      end
    end
  end
  if count == 0 then house.finding("tests/style/public_functions.lua", 0, "%s", report[1] or "finds nothing") end
end

-- The table `coroutine` is the host's, who may have put functions of its own there.
local COROUTINES = { ["lua/moonpod/base/coroutines.lua"] = true }

local function coroutines_are_our_own()
  for _, path in ipairs(house.files({ "lua/moonpod" }, { "*.lua" })) do
    for number, line in ipairs(COROUTINES[path] and {} or house.split(house.read(path))) do
      if line:gsub("%-%-.*", ""):find "%f[%w_.]coroutine%.%l" then
        house.finding(path, number, "calls a function of the host's table coroutine: see moonpod.base.coroutines")
      end
    end
  end
end

-- What stands in one file alone, as the others are to go through it.
local doors = {
  { "lua/moonpod", "json%.decode%s*[(,)]", "lua/moonpod/base/schema.lua", "JSON is read by schema.read(), which says "
    .. "what it must be" },
  { "lua/moonpod", "os%.rename%s*%(", "lua/moonpod/tensor/device.lua", "files are written whole by "
    .. "device.core.file_write()" },
  { "lua/bind", "luaL_checkstring%s*%(", "lua/bind/counted_patterns.c", "paths and names are read by "
    .. "pod_lua_check_text(), which refuses zero bytes" },
  { "lua/bind", "luaL_optstring%s*%(", "", "paths and names are read by pod_lua_optional_text(), which refuses zero "
    .. "bytes" },
}

local function doors_are_used()
  for _, door in ipairs(doors) do
    for _, path in ipairs(house.files({ door[1] }, { "*.lua", "*.c", "*.h" })) do
      for number, line in ipairs(path ~= door[3] and house.split(house.read(path)) or {}) do
        if line:find(door[2]) and not line:find "^%s*%-%-" and not line:find "^%s*function" then
          house.finding(path, number, "%s", door[4])
        end
      end
    end
  end
end

return {
  { "files and JSON come in by one door", doors_are_used },
  { "Lua is clean", lua_is_clean },
  { "coroutines are our own", coroutines_are_our_own },
  { "public functions of Lua have a text", public_functions_have_a_text },
}
