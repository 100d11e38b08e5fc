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

return {
  { "Lua is clean", lua_is_clean },
}
