-- tests/wings.txt names tests that there are, each once.

local house = require "house"

local function wings_name_tests()
  local names, seen = {}, {}
  for _, path in ipairs(house.files({ "tests/core", "tests/repl", "tests/lua" }, { "test_*.c", "*_spec.lua" })) do
    names[#names + 1] = path:match "/test_([%w_]+)%.c$" or path:match "/([%w_]+)_spec%.lua$"
  end
  for number, line in ipairs(house.split(house.read "tests/wings.txt")) do
    for pattern in (line:match "^%l+: (.*)$" or ""):gmatch "%S+" do
      local found = false
      for _, name in ipairs(names) do
        if name:find("^" .. pattern:gsub("%*", ".*") .. "$") then
          found = true
          if seen[name] and seen[name] ~= number then
            house.finding("tests/wings.txt", number, "%s is in line %d, too", name, seen[name])
          end
          seen[name] = number
        end
      end
      if not found then house.finding("tests/wings.txt", number, "no test is named %s", pattern) end
    end
  end
end

return { { "wings name tests", wings_name_tests } }
