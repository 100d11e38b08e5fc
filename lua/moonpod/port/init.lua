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
-- How many rows a tensor has, elements a list, keys a dictionary, bytes a text.
local function length(x)
  local count = pod.is_tensor(x) and x.shape[1] or #x
  for _ in pairs(type(x) == "table" and count == 0 and x or {}) do
    count = count + 1
  end
  return count
end]] },
  { "sum", [[
-- The sum of a list's numbers.
local function sum(list)
  local total = 0
  for _, x in ipairs(list) do
    total = total + x
  end
  return total
end]] },
  { "equal", [[
-- Whether values are equal, or with `false` behind them are not; of tensors: which elements.
local function equal(a, b, wanted)
  if pod.is_tensor(a) or pod.is_tensor(b) then
    return wanted == false and pod.not_equal(a, b) or pod.equal(a, b)
  end
  return (a == b) == (wanted ~= false)
end]] },
  { "element", [[
-- What a list, a text or a tensor has at a place, counted from 0, or from the end where it is negative; a tensor has
-- rows at many places; or what a dictionary has at a key.
local function element(x, i)
  if pod.is_tensor(x) and pod.is_tensor(i) and #i.shape > 0 then
    return x[i]
  end
  i = pod.is_tensor(i) and i:item() or i
  if type(i) ~= "number" then
    return x[i]
  end
  i = i < 0 and not pod.is_tensor(x) and #x + 1 + i or i < 0 and i or i + 1
  return type(x) == "string" and x:sub(i, i) or x[i]
end]] },
  { "truth", [[
-- Whether Python takes a value for true: 0, an empty text and an empty list are not.
local function truth(x)
  local is_empty = type(x) == "table" and next(x) == nil
  return x and x ~= 0 and x ~= "" and not is_empty
end]] },
  { "try", [[
-- Whether a function ends well; a line that is not ported is no failure that Python would have had.
local function try(body)
  local ok, failure = pcall(body)
  if not ok and tostring(failure):find(" is not ported: ", 1, true) then
    error(failure, 0)
  end
  return ok
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
  if port.found_numbered then -- what was written before is written again
    parsed = assert(python.parse(path))
    port, body = Port.new(path, parsed, true), {}
    port:statements(parsed.tree.body, body)
  end
  for _, call in ipairs(#port.refused > 0 and port.tries or {}) do
    port.needs.try, call[1] = true, "try"
  end
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
