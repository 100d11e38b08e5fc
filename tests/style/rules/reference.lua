-- docs/reference and library/moonpod.lua are what comments say: ./dev reference writes them.

local house = require "house"

local function reference_is_made()
  local command = "cd %s && LUA_PATH=%s LUA_CPATH=%s lua5.4 tests/tools/reference/make.lua . --check 2>&1"
  local stale = house.lines_of(command:format(house.quote(house.root), house.quote "lua/?.lua;lua/?/init.lua;;",
    house.quote(house.build .. "/lua/?.so;;")))
  for _, line in ipairs(stale) do
    house.finding(line, 0, "is not what the comments say; write it by ./dev reference")
  end
end

return { { "the reference is what comments say", reference_is_made } }
