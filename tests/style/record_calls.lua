--[[
record_calls - notes which functions of moonpod.core a spec calls, each once, in the file $BINDING_CALLS. With the paths
of ./dev run:
    BINDING_CALLS=calls busted --helper tests/style/record_calls.lua tests/lua/data_spec.lua
A line of tests/style/binding_calls.txt says of a function which spec calls it.
]]

local out = assert(os.getenv "BINDING_CALLS", "BINDING_CALLS names the file to write to")
local seen = {}

local function note(name)
  if not seen[name] then
    seen[name] = true
    local file = assert(io.open(out, "a"))
    file:write(name, "\n")
    file:close()
  end
end

local function wrap(functions)
  for name, fn in pairs(functions) do
    if type(fn) == "function" then
      functions[name] = function(...)
        note(name)
        return fn(...)
      end
    end
  end
end

wrap(require "moonpod.core")
for name, metatable in pairs(debug.getregistry()) do
  if type(name) == "string" and name:find "^moonpod%." and type(metatable) == "table" then
    if type(rawget(metatable, "__index")) == "table" then
      wrap(metatable.__index)
    end
  end
end
