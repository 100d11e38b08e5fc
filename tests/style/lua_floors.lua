--[[
lua_floors - the floors of lua/moonpod: which module requires which, at its head, within functions, or by a computed
name. ./dev lint asks it; `lua5.4 tests/style/lua_floors.lua ROOT` prints the graph.
]]

-- Run by hand it finds what stands beside it.
if arg and arg[0] and arg[0]:find "lua_floors%.lua$" then
  package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
end

local circles = require "circles"
local sorted_names = circles.sorted_names

local lua_floors = {}

-- From the ground up (docs/contributors/architecture.md), each a folder. A module requires its own floor and lower
-- ones, and on its own floor nothing goes in a circle.
-- What lies in no folder is the facade, the top: nothing below requires it.
lua_floors.list = {
  "base", "tensor", "ops", "func", "image", "data", "datasets", "distribute", "layers", "losses", "metrics",
  "optimizers", "models", "applications", "saving", "plot", "summary", "callbacks", "profiler", "tpu",
  "advisor", "display", "utils", "help", "port", "sandbox", "session", "notebook",
}

-- Modules in C: below all floors.
local in_c = { ["moonpod.core"] = true }

local FACADE = "facade"

local height = { [FACADE] = #lua_floors.list + 1 }
for i, floor in ipairs(lua_floors.list) do
  height[floor] = i
end

function lua_floors.floor_of(module)
  return module:match "^moonpod%.([%w_]+)%." or height[module:match "^moonpod%.([%w_]+)$"] and
    module:match "^moonpod%.([%w_]+)$" or FACADE
end

-- The name that a file is required by.
local function module_of(path)
  local name = path:match "^lua/(.*)%.lua$":gsub("/", ".")
  return (name:gsub("%.init$", ""))
end

-- Lua text without comments; lines stay where they are. Strings stay: a "--" in one is taken for a comment's.
local function without_comments(text)
  text = text:gsub("%-%-%[%[.-%]%]", function(comment)
    return (comment:gsub("[^\n]", ""))
  end)
  return (text:gsub("%-%-[^\n]*", ""))
end

-- Calls found(line, name, is_computed) for each require of a text: name is false where it cannot be read.
local function each_require(text, found)
  local number = 0
  for line in (without_comments(text) .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    for place in line:gmatch "()%f[%w_]require%f[^%w_]" do
      local rest = line:sub(place + #"require")
      local name, behind = rest:match "^%s*%(?%s*\"([^\"]*)\"%s*(.?.?)"
      local _, quotes = line:sub(1, place - 1):gsub("\"", "")
      if quotes % 2 == 0 then -- not a word within a string
        found(number, name or false, behind == "..")
      end
    end
  end
end

-- Reads the modules: paths -> texts. Returns { by_name = { name = module }, faults = { { path, line, text } } } with
-- modules { name =, path =, floor =, requires = { name = line } }.
function lua_floors.read(texts)
  local graph = { by_name = {}, faults = {} }
  for path in pairs(texts) do
    local name = module_of(path)
    graph.by_name[name] = { name = name, path = path, floor = lua_floors.floor_of(name), requires = {} }
  end
  for _, module in pairs(graph.by_name) do
    each_require(texts[module.path], function(line, name, is_computed)
      local any = false
      for other in pairs(graph.by_name) do
        if is_computed and other ~= module.name and other:sub(1, #(name or "")) == name or other == name then
          module.requires[other], any = module.requires[other] or line, true
        end
      end
      if not name then
        table.insert(graph.faults, { module.path, line, "a require whose name cannot be read from the text" })
      elseif not any and not in_c[name] then
        table.insert(graph.faults, { module.path, line, ('there is no module "%s"'):format(name) })
      end
    end)
  end
  return graph
end

-- Modules that require each other in a circle: an array of arrays of names.
function lua_floors.circles(graph)
  local requires = {}
  for name, module in pairs(graph.by_name) do
    requires[name] = module.requires
  end
  return circles.find(requires)
end

-- Calls finding(path, line, text) for all that breaks the rule.
function lua_floors.check(texts, finding)
  local graph = lua_floors.read(texts)
  for _, fault in ipairs(graph.faults) do
    finding(fault[1], fault[2], fault[3])
  end
  for _, name in ipairs(sorted_names(graph.by_name)) do
    local module = graph.by_name[name]
    if not height[module.floor] then
      finding(module.path, 1, ("lua/moonpod/%s is no floor"):format(module.floor))
    else
      for other, line in pairs(module.requires) do
        local floor = graph.by_name[other].floor
        if height[floor] and height[floor] > height[module.floor] then
          finding(module.path, line, ("%s is on %s, a higher floor than %s"):format(other, floor, module.floor))
        end
      end
    end
  end
  for _, circle in ipairs(lua_floors.circles(graph)) do
    finding(graph.by_name[circle[1]].path, 1, "requires go in a circle: " .. table.concat(circle, ", "))
  end
end

if arg and arg[0] and arg[0]:find "lua_floors%.lua$" then
  local root = arg[1] or "."
  local texts = {}
  for path in assert(io.popen(("cd '%s' && find lua/moonpod -name '*.lua'"):format(root))):lines() do
    local file = assert(io.open(root .. "/" .. path, "rb"))
    texts[path] = file:read "*a"
    file:close()
  end
  local graph = lua_floors.read(texts)
  for _, name in ipairs(sorted_names(graph.by_name)) do
    print(("%-10s %s: %s"):format(graph.by_name[name].floor, name,
      table.concat(sorted_names(graph.by_name[name].requires), " ")))
  end
  lua_floors.check(texts, function(...)
    print(...)
  end)
end

return lua_floors
