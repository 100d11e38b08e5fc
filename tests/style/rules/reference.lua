-- docs/reference and library/moonpod.lua are what comments say: ./dev reference writes them. Whoever changes a comment
-- may leave that to the end of the work: it is asked for in CI, and by ./dev lint reference.

local house = require "house"

local function reference_is_made()
  local command = "cd %s && LUA_PATH=%s LUA_CPATH=%s lua5.4 tests/tools/reference/make.lua . --check 2>&1"
  local stale = house.lines_of(command:format(house.quote(house.root), house.quote "lua/?.lua;lua/?/init.lua;;",
    house.quote(house.build .. "/lua/?.so;;")))
  for _, line in ipairs(stale) do
    house.finding(line, 0, "is not what the comments say; write it by ./dev reference")
  end
end

if os.getenv "CI" ~= "true" and not (arg[2] or ""):find "reference" then
  return {}
end
return { { "the reference is what comments say", reference_is_made } }
