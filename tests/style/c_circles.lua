--[[
c_circles - files of core/, lua/bind, repl/ and notebooks/ that call each other in a circle. A file is a .c with its .h;
it uses another where it names a function, or a table, that the other defines. ./dev lint asks it;
`lua5.4 tests/style/c_circles.lua ROOT` prints each circle with what is used around it.
]]

-- Run by hand it finds what stands beside it.
if arg and arg[0] and arg[0]:find "c_circles%.lua$" then
  package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
end

local circles = require "circles"
local sorted_names = circles.sorted_names

local c_circles = {}

local function unit_of(path)
  return path:match "^(.*)%.[ch]$"
end

-- The beginning of names of a file of core; elsewhere names begin as they like, but have parts.
local function begins_well(name, unit)
  return name:find((unit:find "^core/" or unit:find "^lua/") and "^pod_" or "^%l+_") ~= nil
end

-- The name of what a head of a definition defines, if other files see it. What a header defines is its readers' own.
local function defined_by(head)
  return not head:find "^static" and head:match "([%w_]+)%s*%(" or nil
end

-- Calls found(name) for each function and each table that a file defines for others: bodies begin at the left margin.
local function each_definition(lines, found)
  for number, line in ipairs(lines) do
    if line == "{" then
      local first = number - 1
      while first > 1 and not lines[first]:find "^[%a_]" do
        first = first - 1
      end
      found(defined_by(table.concat(lines, " ", first, number)))
    elseif line:find "^const " and line:find "=" and not line:find "%(" then
      found(line:gsub("%[.-%]", ""):match "(%l[%w_]+)%s*=")
    end
  end
end

-- Who defines each name: the file, or false where several do (families of kernels are made of one text).
local function read_owners(sources)
  local owners = {}
  for path, file in pairs(sources) do
    local unit = unit_of(path)
    if unit then
      each_definition(file.code, function(name)
        if name and begins_well(name, unit) then
          owners[name] = (owners[name] == nil or owners[name] == unit) and unit or false
        end
      end)
    end
  end
  return owners
end

-- Reads files: paths -> { code = lines }. Returns file -> used file -> name -> where.
function c_circles.read(sources)
  local owners, graph = read_owners(sources), {}
  for path, file in pairs(sources) do
    local unit = unit_of(path)
    if unit then
      graph[unit] = graph[unit] or {}
      for number, line in ipairs(file.code) do
        local declares = path:find "%.h$" and line:find "^%a"
        local text = line:gsub("^%s*#%s*define%s+[%w_]+", "")
        for name in text:gmatch "%f[%w_]%l+_[%w_]+" do
          local owner = owners[name]
          if owner and owner ~= unit and not declares then
            graph[unit][owner] = graph[unit][owner] or {}
            graph[unit][owner][name] = ("%s:%d"):format(path, number)
          end
        end
      end
    end
  end
  return graph
end

-- Calls finding(path, line, text) for each circle.
function c_circles.check(sources, finding)
  for _, circle in ipairs(circles.find(c_circles.read(sources))) do
    finding(circle[1] .. ".c", 1, "files call each other in a circle: " .. table.concat(circle, " "))
  end
end

-- Prints what is used around each circle.
local function print_circles(graph)
  for _, circle in ipairs(circles.find(graph)) do
    print(("%d files: %s"):format(#circle, table.concat(circle, " ")))
    for _, unit in ipairs(circle) do
      for _, other in ipairs(circle) do
        local names = graph[unit][other]
        if names then
          print(("  %s -> %s: %s"):format(unit, other, table.concat(sorted_names(names), " ")))
        end
      end
    end
  end
end

if arg and arg[0] and arg[0]:find "c_circles%.lua$" then
  local house = require "house"
  house.open(arg[1] or ".", "")
  print_circles(c_circles.read(house.source))
end

return c_circles
