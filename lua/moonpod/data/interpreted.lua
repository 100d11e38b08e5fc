-- interpreted - functions of elements that run as plain Lua, element by element, on threads with Lua states of their
-- own. Slower than a traced function, but it may do what Lua can: loops that end by values, strings, chance.
--
-- The function travels as bytecode: its upvalues must be plain values (numbers, strings, booleans, tables of such),
-- and of globals it sees the standard libraries. It gets and returns numbers, booleans, nested tables and strings.
-- math.random starts anew for each element, from the seed, the pass and the element's place in it.

local dataset = require "moonpod.data.dataset"
local decimal = require "moonpod.base.decimal"
local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local interpreted = {}

-- Runs in each worker's state. What `%s` stand for: bytecode, upvalues, seed; leaves of an element (i1, i2, ...), the
-- function's arguments made of them, leaves of its results (o1, o2, ...), how they are taken, and they again.
local PRELUDE = [[
local unpack = table.unpack or unpack
local load = loadstring or load
local fn = load(%s, "=map")
local upvalues = %s
for i = 1, upvalues.n do
  local value = upvalues[i]
  if value == upvalues then
    value = _G
  end
  debug.setupvalue(fn, i, value)
end
local seed = %s

-- Lua before 5.4, but for LuaJIT, draws from the C library's generator, which all threads share. In its place: two
-- linear congruential generators, combined (L'Ecuyer 1988), in numbers that doubles hold exactly.
if not rawget(_G, "jit") and _VERSION < "Lua 5.4" then
  local a, b = 1, 1
  local function draw()
    a, b = a * 40014 %% 2147483563, b * 40692 %% 2147483399
    return (a - b) %% 2147483562
  end
  function math.randomseed(number)
    number = math.floor(number) %% 2147483648
    a, b = number %% 2147483562 + 1, (number * 69069 + 1) %% 2147483398 + 1
    for _ = 1, 8 do
      draw()
    end
  end
  function math.random(low, high)
    local fraction = (draw() + draw() / 2147483562) / 2147483562
    if not low then
      return fraction
    end
    if not high then
      low, high = 1, low
    end
    if low > high then
      error("bad argument to 'random' (interval is empty)", 2)
    end
    return low + math.floor(fraction * (high - low + 1))
  end
end

local function pack(...)
  if select("#", ...) <= 1 then
    return (...)
  end
  return { ... }
end

local function missing()
  error("the function returned less than for the first element", 0)
end

local function differs(value)
  error("the function returned " .. tostring(value) .. " where a table was returned for the first element", 0)
end

local floor, randomseed = math.floor, math.randomseed

return function(%s number)
  local epoch, repetition = floor(number[1] / 2 ^ 32), number[1] %% 2 ^ 32
  randomseed((seed + (epoch * 104729 + repetition) * 7919 + number[2]) %% 2 ^ 31)
  local r = pack(fn(%s))
  local %s
  %s
  return %s
end
]]

-- ---- Lua values as Lua source -------------------------------------------------------------------------------

local write

local function write_table(value, where, depth)
  if depth > 20 then
    errors.raise("map: %s is nested too deeply (or holds itself) to be handed to another Lua state", where)
  end
  if not readable.is_plain(value) then
    errors.raise("map: %s is %s, which cannot be handed to another Lua state; plain values can", where,
      errors.describe(value))
  end
  local parts = {}
  for key, part in pairs(value) do
    parts[#parts + 1] = ("[%s]=%s"):format(write(key, where, depth + 1), write(part, where, depth + 1))
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

function write(value, where, depth)
  local kind = type(value)
  if kind == "string" then
    return ("%q"):format(value)
  elseif kind == "number" then
    if value ~= value then
      return "(0/0)"
    elseif value == math.huge or value == -math.huge then
      return value > 0 and "(1/0)" or "(-1/0)"
    end
    local is_integer = math.type and math.type(value) == "integer" -- luacheck: ignore
    return is_integer and ("%d"):format(value) or decimal.format("%.17g", value)
  elseif kind == "boolean" or kind == "nil" then
    return tostring(value)
  elseif kind == "table" then
    return write_table(value, where, depth or 0)
  end
  errors.raise("map: %s is a %s, which cannot be handed to another Lua state; plain values can", where, kind)
end

-- The upvalues of a function; the table of globals is the other state's, and stands as the table itself.
local function write_upvalues(fn)
  local parts, count = {}, 0
  while true do
    local name, value = debug.getupvalue(fn, count + 1)
    if not name then
      break
    end
    count = count + 1
    if name == "_ENV" or value == _G then
      parts[#parts + 1] = ("u[%d]=u"):format(count)
    elseif value ~= nil then
      parts[#parts + 1] = ("u[%d]=%s"):format(count, write(value, "upvalue '" .. name .. "'", 0))
    end
  end
  return ("(function() local u={n=%d} %s return u end)()"):format(count, table.concat(parts, " "))
end

-- The names of so many leaves.
local function names_of(letter, count)
  return tables.map(tables.range(1, count), function(i)
    return letter .. i
  end)
end

-- An expression that puts leaves together.
local function write_built(skeleton)
  if skeleton.leaf then
    return "i" .. skeleton.leaf
  end
  local parts = {}
  for i, key in ipairs(skeleton.keys) do
    parts[i] = ("[%s]=%s"):format(write(key, "a key", 0), write_built(skeleton.parts[i]))
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

-- The arguments of the function: the parts of a tuple, or one value.
local function write_arguments(skeleton)
  if not (skeleton.keys and skeleton.keys[1] == 1) then
    return write_built(skeleton)
  end
  local parts = {}
  for i, key in ipairs(skeleton.keys) do
    parts[i] = key == i and write_built(skeleton.parts[i]) or "nil"
  end
  return table.concat(parts, ",")
end

-- Statements that take the leaves out of a value.
local function write_taken(skeleton, value)
  if skeleton.leaf then
    return ("o%d=%s if o%d==nil then missing() end"):format(skeleton.leaf, value, skeleton.leaf)
  end
  local parts = {}
  for i, key in ipairs(skeleton.keys) do
    parts[i] = write_taken(skeleton.parts[i], ("r[%s]"):format(write(key, "a key", 0)))
  end
  return ("do local r=%s if type(r)~='table' then differs(r) end %s end"):format(value, table.concat(parts, " "))
end

-- ---- what the function gives ---------------------------------------------------------------------------------

local function plain(value, level)
  if tensor.is(value) then
    return #value.shape == 0 and value:item() or value:totable()
  elseif readable.is_plain(value) then
    local result = {}
    level = errors.level_below(level, "map: what the function returned")
    for key, part in pairs(value) do
      result[key] = plain(part, level)
    end
    return result
  end
  return value
end

-- A table stands for one array where it is nested arrays of numbers or booleans.
local function is_leaf(value)
  if type(value) ~= "table" then
    return true
  end
  local first = value[1]
  for _, part in pairs(value) do
    if type(part) ~= type(first) then
      return false
    end
  end
  while readable.is_plain(first) and first[1] ~= nil do
    first = first[1]
  end
  return type(first) == "number" or type(first) == "boolean"
end

-- Whether a number, or any in nested arrays, is one of Lua's floats; without integers of their own all are.
local function has_float(value)
  if type(value) ~= "table" then
    return not (math.type and math.type(value) == "integer") -- luacheck: ignore
  end
  for _, part in ipairs(value) do
    if has_float(part) then
      return true
    end
  end
  return false
end

local function type_of(value)
  local rank, first = 0, value
  while type(first) == "table" do
    rank, first = rank + 1, first[1]
  end
  if type(first) == "string" then
    return element.TEXT
  end
  local dims = {}
  for i = 1, rank do
    dims[i] = -1
  end
  if type(first) == "boolean" then
    return { dtype = "bool", shape = dims }
  elseif type(first) ~= "number" then
    errors.raise("map: the function returned %s; numbers, booleans, strings and arrays of them are possible",
      errors.describe(first))
  end
  return { dtype = has_float(value) and "float32" or "int64", shape = dims }
end

-- Finds out what the function gives by its result for the first element.
local function infer(self, fn)
  local it = self:iterator { no_threads = true, epoch = 1 }
  local value = it:next_element()
  it:close()
  if value == nil then
    errors.raise("map: the dataset is empty, so what the function gives cannot be found out; give output_signature")
  end
  local arguments = structure.pack(element.spread(value)) -- before they are plain: an array is no tuple
  for i = 1, arguments.n do
    arguments[i] = plain(arguments[i])
  end
  local results = structure.pack(fn(structure.unpack(arguments)))
  if results.n == 0 or results[1] == nil then
    errors.raise("map: the function returned nothing")
  end
  local leaves, skeleton
  if results.n == 1 then
    leaves, skeleton = element.flatten(results[1], is_leaf, "map")
  else -- several values, which are no array whatever they are
    leaves, skeleton = {}, { keys = {}, parts = {} }
    for i = 1, results.n do
      skeleton.keys[i], skeleton.parts[i] = i, structure.flatten(results[i], is_leaf, leaves)
    end
  end
  return tables.map(leaves, type_of), skeleton
end

-- dataset:map(fn, { interpret = true, output_signature =, seed =, num_parallel_calls =, deterministic = }). Without
-- output_signature (pod.spec, "text", or a table of such) the first element tells what fn gives: sizes may then differ
-- from element to element, integers and arrays of integers are int64, other numbers float32. A later number that is no
-- int64 is refused.
function interpreted.map(self, fn, options)
  self = dataset.settled(self, "map")
  local ok, bytecode = errors.attempt(string.dump, fn)
  if not ok then
    errors.raise("map: a function of C cannot be handed to another Lua state")
  end
  local components, skeleton
  if options.output_signature then
    components, skeleton = element.signature(options.output_signature, "map: output_signature", true)
  else
    components, skeleton = infer(self, fn)
  end
  local seed = options.seed or dataset.draw_seed()
  local given, made = names_of("i", #self._handle:components()), table.concat(names_of("o", #components), ",")
  local chunk = PRELUDE:format(write(bytecode, "the function"), write_upvalues(fn), write(seed),
    table.concat(given, ",") .. (#given > 0 and "," or ""), write_arguments(self._skeleton), made,
    write_taken(skeleton, "r"), made)
  local numbered = dataset.call(self._handle.number, self._handle, seed)
  local handle = dataset.call(device.core.dataset_interpret, device.context(), numbered, chunk, components)
  local mapped = dataset.derive(self, handle, { _skeleton = skeleton, _batch_size = false })
  dataset.labelled(handle, "map", errors.location())
  return dataset.in_parallel(mapped, options, "map")
end

return interpreted
