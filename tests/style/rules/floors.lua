-- The floors of core/, lua/bind, repl and notebooks, and those of lua/moonpod.

local house = require "house"

-- The floors, from the ground up (docs/contributors/architecture.md). A file includes only its own and lower ones.
local floors = {
  "core/include", "core/base", "core/trace", "core/tensor", "core/chip", "core/kernels",
  "core/formats", "core/graph", "core/exchange", "core/grad", "core/replicate", "core/ir",
  "core/program", "core/verify", "core/compile", "core/engine", "core/exported", "core/backends", "core/input",
  "core/service", "core/tpu", "core/advisor",
  "lua/bind", "repl", "notebooks",
}

-- "must not know": floors that a floor may not include although they are lower.
local must_not_know = {
  ["core/graph"] = { "core/kernels" },
  ["core/exchange"] = { "core/kernels" },
  ["core/grad"] = { "core/kernels" },
  ["core/replicate"] = { "core/kernels" },
  ["core/formats"] = { "core/kernels" },
  ["core/program"] = { "core/ir" },
  ["core/engine"] = { "core/ir", "core/verify", "core/compile" },
  ["core/tpu"] = { "core/kernels", "core/program", "core/verify", "core/compile", "core/engine" },
  ["repl"] = { "core/engine" },
}

local height = {}
for i, floor in ipairs(floors) do height[floor] = i end

local function floor_of(path)
  local best
  for _, floor in ipairs(floors) do
    if path:sub(1, #floor + 1) == floor .. "/" and (not best or #floor > #best) then best = floor end
  end
  return best
end

local function exists(path)
  return house.source[path] ~= nil
end

-- Where the compiler would find an include: beside the file, or in an include directory.
local function find_include(path, name)
  local folder = path:match "^(.*)/"
  for _, directory in ipairs { folder, "core/include", "core", "core/kernels", "lua/bind", "repl" } do
    local found = directory .. "/" .. name
    repeat
      local count
      found, count = found:gsub("[^/]+/%.%./", "", 1)
    until count == 0
    if exists(found) then return found end
  end
end

local function floors_hold()
  for path, file in pairs(house.source) do
    local own = floor_of(path)
    for number, line in ipairs(file.lines) do
      local name = line:match '^%s*#%s*include%s*"([^"]+)"'
      local target = name and find_include(path, name)
      local other = target and floor_of(target)
      if not own then
        house.finding(path, number, "the file is on no floor")
        break
      elseif name and not target then
        house.finding(path, number, 'include "%s" is not found', name)
      elseif other and height[other] > height[own] then
        house.finding(path, number, '"%s" is on %s, a higher floor than %s', name, other, own)
      elseif other then
        for _, hidden in ipairs(must_not_know[own] or {}) do
          if other == hidden then house.finding(path, number, "%s must not know %s", own, hidden) end
        end
      end
    end
  end
end

local function lua_goes_down_its_floors()
  local texts = {}
  for _, path in ipairs(house.files({ "lua/moonpod" }, { "*.lua" })) do texts[path] = house.read(path) end
  require "lua_floors".check(texts, function(path, line, text) house.finding(path, line, "%s", text) end)
end

local function files_of_c_go_in_no_circle()
  require "c_circles".check(house.source, function(path, line, text) house.finding(path, line, "%s", text) end)
end

return {
  { "includes go down the floors", floors_hold },
  { "requires of Lua go down the floors", lua_goes_down_its_floors },
  { "files of C call each other in no circle", files_of_c_go_in_no_circle },
}
