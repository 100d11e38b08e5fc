-- port - a Keras script in Python as a script in Lua.

local exports = require "moonpod.help.exports"
local find = require "moonpod.help.find"
local layout = require "moonpod.port.layout"
local Port = require "moonpod.port.port"
local python = require "moonpod.port.python"
local tables = require "moonpod.base.tables"
require "moonpod.port.classes"

-- What a ported file brings where it needs it.
local HELPERS = {
  { "unpack", [[
local unpack = table.unpack or unpack]] },
  { "generator", [[
-- Random numbers from a seed on, as numpy.random.default_rng; here all come from one place.
local function generator(seed)
  pod.random.set_seed(seed)
  return pod.random
end]] },
  { "number", [[
-- A number of a text, a tensor of one element or a number.
local function number(x)
  return type(x) == "table" and x:item() or tonumber(x)
end]] },
  { "whole", [[
-- The same without its fraction.
local function whole(x)
  x = type(x) == "table" and x:item() or tonumber(x)
  return x >= 0 and math.floor(x) or math.ceil(x)
end]] },
  { "length", [[
-- How many rows a tensor has, elements a list, bytes a text.
local function length(x)
  return pod.is_tensor(x) and x.shape[1] or #x
end]] },
  { "truth", [[
-- Whether Python takes a value for true: 0, an empty text and an empty list are not.
local function truth(x)
  local is_empty = type(x) == "table" and next(x) == nil
  return x and x ~= 0 and x ~= "" and not is_empty
end]] },
  { "part", [[
-- Elements of a list, bytes of a text, rows of a tensor: from `low` on, counted from 0, to below `high`.
local function part(x, low, high)
  if pod.is_tensor(x) then
    return x[{ low .. ":" .. (high or "") }]
  end
  local count = #x
  high = math.min(not high and count or high < 0 and count + high or high, count)
  low = low < 0 and math.max(count + low, 0) or low
  if type(x) == "string" then
    return x:sub(low + 1, high)
  end
  local list = {}
  for i = low + 1, high do
    list[#list + 1] = x[i]
  end
  return list
end]] },
}

-- Comments at the begin of a body, which go to the begin of the file; takes them off.
local function head_of(body)
  local head = {}
  while type(body[1]) == "string" and body[1]:find "^%-%-" do
    head[#head + 1] = table.remove(body, 1)
  end
  head[#head + 1] = #head > 0 and "" or nil
  return head
end

-- The Lua text for a Python file, and an array of what is not ported, { line, why, text } each; or nil and why not.
return function(path)
  exports.list(find.facade()) -- whatever can be named is loaded, and what it takes is known
  local parsed, failure = python.parse(path)
  if not parsed then
    return nil, failure
  end
  local port, body = Port.new(path, parsed), {}
  port:statements(parsed.tree.body, body)
  local lines = head_of(body)
  layout.add(lines, ("local pod = %s %q"):format("require", "moonpod"))
  for _, helper in ipairs(HELPERS) do
    if port.needs[helper[1]] then
      layout.add(lines, "", helper[2])
    end
  end
  if body[1] ~= "" then
    layout.add(lines, "")
  end
  return layout.lines(tables.join(lines, body), 0) .. "\n", port.refused
end
