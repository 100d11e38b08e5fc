--[[
public_functions ROOT - the functions that scripts reach by `pod` and by the methods of its objects, and where each is
written: "file:line: name". With the paths of ./dev run. ./dev lint asks it.
]]

local root = arg[1] or "."
package.path = root .. "/?.lua;" .. package.path

local reflect = require "moonpod.help.reflect"
local api = require "tests.lua.support.api"

local rows, seen = {}, {}

local function add(fn, name)
  if type(fn) == "table" then
    fn = getmetatable(fn).__call
  end
  fn = fn and reflect.origin(fn)
  if type(fn) ~= "function" or seen[fn] then
    return
  end
  seen[fn] = true
  local info = debug.getinfo(fn, "S")
  local path = info.source:match "^@.*(lua/moonpod/.*)$"
  if path then
    rows[#rows + 1] = ("%s:%d: %s"):format(path, info.linedefined, name)
  end
end

for _, row in ipairs(api.functions()) do
  add(row.fn, row.name)
end
for _, row in ipairs(api.objects()) do
  for _, method in ipairs(api.methods(row.object)) do
    add(method.fn, row.name .. ":" .. method.name)
  end
end
table.sort(rows)
print(table.concat(rows, "\n"))
