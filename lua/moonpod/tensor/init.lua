-- tensor - the object that scripts hold: a value, or a node whose value is not computed yet.
--
-- Fields: dtype, shape; _buffer (a known value), or _trace and _id (a node), or _error (a value
-- that could not be computed). A tensor that a bound program has made finds its type and shape when it is
-- asked.

local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local format = require "moonpod.base.format"
local kinds = require "moonpod.base.kinds"
local readable = require "moonpod.base.readable"

---@name tensor
--- A tensor: numbers of one type in a box of axes. `t.shape` and `t.dtype` say which, `t:totable()` and `t:item()` give
--- values to Lua; operators and the functions of `pod` compute new ones, which come when they are looked at. Axes count
--- from 0, and from the end with negative numbers; ranges are half open; `t[i]`, `t["1:3, 0"]` take parts.
---@example (pod.tensor { { 1, 2 }, { 3, 4 } })[1] --> { 3, 4 }
local unpack = table.unpack or unpack -- luacheck: ignore

local tensor = {}

local Tensor = { __name = "moonpod.tensor" }
tensor.Tensor = Tensor
kinds.tensor_metatable = Tensor

local Shape = { __name = "moonpod.shape" }

function Shape.__tostring(shape)
  return format.shape(shape)
end

function Shape.__eq(a, b)
  if #a ~= #b then
    return false
  end
  for i = 1, #a do
    if a[i] ~= b[i] then
      return false
    end
  end
  return true
end

function Shape.__concat(a, b)
  return tostring(a) .. tostring(b)
end

-- Makes an array of sizes one that prints and compares.
function tensor.shape(dims)
  return setmetatable(dims, Shape)
end

-- What tensors are computed by: moonpod.tensor.trace and moonpod.ops, which need tensors themselves and give
-- themselves when they are loaded.
local trace, ops

function tensor.set_trace(module)
  trace = module
end

function tensor.set_ops(module)
  ops = module
end

-- While a resolver is in use (a weak table): the tensors that have a value, for pod.memory_info.
tensor.counted = nil

device.watch_resolver(function(resolver)
  tensor.counted = resolver and (tensor.counted or setmetatable({}, { __mode = "k" })) or nil
end)

local placed = device._placed

-- Notes on which device a tensor is that is made within scopes of devices.
local function place(t)
  rawset(t, "_device", device.default_name())
  return t
end

-- Wraps a buffer; `like`: a tensor of its type, which is then not asked for.
function tensor.from_buffer(buffer, like)
  local dims
  if like then
    local shape = like.shape
    dims = #shape == 2 and { shape[1], shape[2] } or { unpack(shape) } -- with room for no more
  end
  local t = setmetatable({
    dtype = like and like.dtype or buffer:dtype(),
    shape = setmetatable(dims or buffer:shape(), Shape),
    _buffer = buffer,
  }, Tensor)
  if tensor.counted then
    tensor.counted[t] = true
  end
  return placed[1] and place(t) or t
end

-- Gives a node its value.
function tensor.set_buffer(t, buffer)
  rawset(t, "_buffer", buffer)
  if tensor.counted then
    tensor.counted[t] = true
  end
end

-- Wraps a node of a trace.
function tensor.from_node(owner, id, dtype, dims)
  local t = setmetatable({ dtype = dtype, shape = setmetatable(dims, Shape), _trace = owner, _id = id }, Tensor)
  return placed[1] and place(t) or t
end

--- Whether a value is a tensor.
---@example pod.is_tensor(pod.ones { 2 }) --> true
function tensor.is(value)
  return type(value) == "table" and getmetatable(value) == Tensor
end

-- Returns the buffer of a tensor, computing it when it is not known yet.
function tensor.buffer(t)
  return t._buffer or trace.materialize(t)
end

-- True when the value of a tensor can be read now.
function tensor.is_known(t)
  local owner = rawget(t, "_trace")
  return rawget(t, "_buffer") ~= nil or owner == nil or owner.kind == "eager"
end

local function first_leaf(value)
  local level
  while readable.is_plain(value) do
    level = errors.level_below(level, "a tensor")
    value = value[1]
  end
  return value
end

local function contains_tensor(value)
  return type(first_leaf(value)) == "table"
end

--- A tensor of a number, a boolean, a (nested) table of such, or another tensor.
---@param value number|boolean|table|tensor
---@param options.dtype string (default: float32 for numbers, bool for booleans)
---@param options.shape integer[] the shape that the values get, in their order
---@return tensor
---@error rows differ in their lengths; there is no such dtype
---@example pod.tensor({ 1, 2, 3, 4 }, { shape = { 2, 2 } }) --> { { 1, 2 }, { 3, 4 } }
function tensor.new(value, options)
  if type(options) == "string" then
    options = { dtype = options }
  end
  options = errors.check_options(options, { dtype = true, shape = true }, "tensor")
  if type(value) == "table" and contains_tensor(value) then
    local result = tensor.convert(value, options.dtype)
    return options.shape and result:reshape(options.shape) or result
  end
  if type(value) == "string" and not (options.dtype and options.shape) then
    errors.raise("tensor: a string of bytes needs options dtype and shape")
  end
  if value == nil then
    errors.raise("tensor: no value given; pod.zeros(shape) makes one of zeros")
  end
  local shape = options.shape
  if shape and type(value) == "number" then
    return ops.full(shape, value, options.dtype)
  end
  return tensor.from_buffer(errors.call_core(device.core.buffer, device.context(), value, options.dtype, shape))
end

-- A number that a program gets as an argument: see moonpod.func.numbers.
tensor.Number = { __name = "moonpod.number" }

-- tensor.convert(); `level` counts the tables around the value.
local function convert(value, dtype, level)
  local kind = type(value)
  if kind == "table" then
    local meta = getmetatable(value)
    if meta == Tensor then
      return dtype and value.dtype ~= dtype and ops.cast(value, dtype) or value
    end
    if meta ~= nil and not meta.__plain then
      if meta.__as_tensor then
        return convert(meta.__as_tensor(value, dtype), dtype)
      end
      errors.raise("a tensor is needed, not a %s", tostring(meta.__name or "table with a metatable"))
    end
    if contains_tensor(value) then
      local parts = {}
      level = errors.level_below(level, "a tensor")
      for i, part in ipairs(value) do
        parts[i] = convert(part, dtype, level)
      end
      return ops.stack(parts, 0)
    end
    return tensor.new(value, { dtype = dtype })
  end
  if kind == "number" or kind == "boolean" then
    return trace.scalar(value, dtype or (kind == "boolean" and "bool" or "float32"))
  end
  errors.raise("a tensor is needed, not %s", kind == "nil" and "nil" or "a " .. kind)
end

--- Makes a tensor of a number, boolean, nested table, variable or tensor; raises for what is none.
--- dtype converts.
---@example pod.convert_to_tensor({ 1, 2 }, "float32") --> { 1, 2 }
function tensor.convert(value, dtype)
  return convert(value, dtype)
end

-- ---- reading ----------------------------------------------------------------------------------

local methods = {}
tensor.methods = methods

--- The elements as nested tables; of a scalar its number.
---@example pod.tensor({ { 1, 2 } }):totable()[1][2] --> 2
function methods.totable(t)
  return tensor.buffer(t):totable()
end

--- The one element as a number or a boolean.
---@example pod.tensor({ 7 }):item() --> 7
function methods.item(t)
  local count = t:size()
  if count ~= 1 then
    errors.raise("item() needs a tensor of one element; this one has shape %s", tostring(t.shape))
  end
  return tensor.buffer(t):item(0)
end

--- The elements as a string of raw bytes.
---@example type(pod.ones({ 2 }):data()) --> "string"
function methods.data(t)
  return tensor.buffer(t):data()
end

--- The same as totable().
---@example type(pod.ones({ 2 }):numpy()) --> "table"
function methods.numpy(t)
  return methods.totable(t)
end

-- "CPU:0" of "/job:localhost/replica:0/task:0/device:CPU:0".
local function short_device(t)
  local name = t:device()
  return name:match "device:(.*)$" or name
end

--- Writes a tensor as text, as NumPy prints arrays.
---@param options.precision integer digits behind the point at most (8)
---@param options.threshold integer from more elements than these only the edges are shown (1000)
---@param options.edge_items integer elements at each end of an axis that are shown then (3)
---@param options.line_width integer columns (75)
---@param options.suppress boolean no exponents for small numbers (false)
---@return string text elements, then type, shape and device on a line of their own; of a scalar its number
---
---```lua
---local text = pod.tensor({ 1 / 3, 2 / 3 }):format { precision = 3 }
---assert(text:find("[0.333 0.667]", 1, true))
---```
function methods.format(t, options)
  options = errors.check_options(options, format.kinds, "tensor:format")
  if not tensor.is_known(t) then
    return ("<traced tensor %s %s>"):format(t.dtype, tostring(t.shape))
  end
  return format.tensor(tensor.buffer(t), short_device(t), options)
end

--- How tensors print from now on: `pod.print_options { precision = 4 }`, as NumPy's `set_printoptions`.
---@param options table those of `tensor:format`
---@return table options all that are in use
---
---```lua
---assert(pod.print_options().precision == 8)
---```
function tensor.print_options(options)
  return format.options(errors.check_options(options, format.kinds, "print_options"))
end

--- How many elements there are.
---@example pod.ones({ 2, 3 }):size() --> 6
function methods.size(t)
  local count = 1
  for i = 1, #t.shape do
    count = count * t.shape[i]
  end
  return count
end

--- The device string of the core that holds the value: that of the `pod.device` in which it was made, else the first.
---@example pod.ones({ 2 }):device() --> "/job:localhost/replica:0/task:0/device:CPU:0"
function methods.device(t)
  return rawget(t, "_device") or device.full_name(device.resolver() and "TPU" or "CPU", 0)
end

-- Row i, counted from 1; negative from the end.
local function row(t, i)
  if getmetatable(t) ~= Tensor then -- __index alone is called with anything by nobody but readers of metatables
    errors.raise("t[%s]: t must be a tensor, not %s", tostring(i), errors.describe(t))
  end
  local dims = t.shape
  if #dims == 0 then
    errors.raise("a scalar has no rows; read it with t:item()")
  end
  if not kinds.get "integer".is(i) then
    errors.raise("a row is a whole number, not %s", tostring(i))
  end
  local size = dims[1]
  local index = i < 0 and size + i or i - 1
  if index < 0 or index >= size then
    -- ipairs and tests for the end ask one row further
    if i == size + 1 then
      return nil
    end
    errors.raise("row %d is outside 1 .. %d (t[i] counts from 1)", i, size)
  end
  return ops.row(t, index)
end

-- The names of what tensors have: a set.
function tensor.names()
  local names = { shape = true, dtype = true, rank = true, ndim = true }
  for _, from in ipairs { methods, ops.methods } do
    for name in pairs(from) do
      names[name] = true
    end
  end
  return names
end

-- What a tensor that a bound program has made does not have yet.
local function find_type(t, key)
  local buffer = rawget(t, "_buffer")
  if buffer then
    rawset(t, "dtype", buffer:dtype())
    rawset(t, "shape", tensor.shape(buffer:shape()))
  end
  return rawget(t, key)
end

function Tensor.__index(t, key)
  if type(key) == "number" then
    return row(t, key)
  elseif key == "shape" or key == "dtype" then
    return find_type(t, key)
  end
  local method = methods[key]
  if method then
    return method
  end
  if key == "rank" or key == "ndim" then
    return #t.shape
  end
  if type(key) == "table" then
    return ops.index(t, key)
  end
  if type(key) ~= "string" or key:sub(1, 1) == "_" then
    return nil
  end
  local method_of_ops = ops.methods[key]
  if method_of_ops == nil then
    errors.raise("tensors have no '%s'%s", key, errors.suggest(key, tensor.names()))
  end
  return method_of_ops
end

function Tensor.__newindex(_, key)
  errors.raise("tensors do not change: make a new one with pod.where or pod.scatter, or use "
    .. "pod.variable (field '%s')", tostring(key))
end

function Tensor.__tostring(t)
  return methods.format(t)
end

function Tensor.__concat(a, b)
  return tostring(a) .. tostring(b)
end

-- Asked by Lua 5.2 and later.
function Tensor.__pairs()
  errors.raise("a tensor has rows, not pairs: go through them with ipairs(t), or read t:totable()")
end

local function next_row(t, i)
  local value = t[i + 1]
  if value ~= nil then
    return i + 1, value
  end
end

-- Asked by Lua 5.2, whose ipairs() asks no __index.
function Tensor.__ipairs(t)
  return next_row, t, 0
end

function Tensor.__len(t)
  return t.shape[1] or 0
end

-- ---- arithmetic and comparison by operators ------------------------------------------------------

local function operator(name)
  return function(a, b)
    return ops[name](a, b)
  end
end

Tensor.__add = operator "add"
Tensor.__sub = operator "subtract"
Tensor.__mul = operator "multiply"
Tensor.__div = operator "divide"
Tensor.__mod = operator "mod"
Tensor.__pow = operator "power"
Tensor.__idiv = operator "floor_divide"

function Tensor.__unm(a)
  return ops.negative(a)
end

local function as_tensor(value)
  local meta = not tensor.is(value) and getmetatable(value)
  return meta and meta.__as_tensor and tensor.convert(value) or value
end

local function known_number(t, symbol, name)
  t = as_tensor(t)
  if type(t) == "number" then
    return t
  end
  if not tensor.is(t) then
    errors.raise("a tensor cannot be compared with a %s by '%s'", type(t), symbol)
  end
  if not tensor.is_known(t) then
    errors.raise("the value of this tensor is not known while tracing, so '%s' has no answer: use "
      .. "pod.%s(a, b) for a tensor of answers, pod.cond or pod.where to choose", symbol, name)
  end
  if t:size() ~= 1 then
    errors.raise("'%s' compares single numbers, and this tensor has shape %s: pod.%s(a, b) compares each pair", symbol,
      tostring(t.shape), name)
  end
  local value = t:item()
  if type(value) ~= "number" then
    errors.raise("a tensor of booleans has no order, so '%s' has no answer: pod.cast(t, \"int32\") makes 0 and 1 of it",
      symbol)
  end
  return value
end

function Tensor.__lt(a, b)
  return known_number(a, "<", "less") < known_number(b, "<", "less")
end

function Tensor.__le(a, b)
  return known_number(a, "<=", "less_equal") <= known_number(b, "<=", "less_equal")
end

-- Also with variables, whose value is compared. Lua asks nobody where a tensor meets what is no table:
-- moonpod.base.lint.
function Tensor.__eq(a, b)
  a, b = as_tensor(a), as_tensor(b)
  if not (tensor.is(a) and tensor.is(b)) then
    return false
  end
  if not (tensor.is_known(a) and tensor.is_known(b)) then
    errors.raise("the value of this tensor is not known while tracing, so '==' has no answer: use "
      .. "pod.equal(a, b) for a tensor of answers, rawequal(a, b) for being the same object")
  end
  return a.dtype == b.dtype and a.shape == b.shape and tensor.buffer(a):equal(tensor.buffer(b))
end

-- For variables: Lua 5.1 asks two tables only where both have the same function.
tensor.order = { __lt = Tensor.__lt, __le = Tensor.__le }

declare.methods("tensor", methods, tensor.is, { ["options?"] = "format" })
declare.metamethods("tensor", Tensor)

return tensor
