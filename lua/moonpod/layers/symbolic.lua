-- Symbolic tensors: what layers.input gives and what layers give for them. They have a shape, with -1 for sizes
-- that are not known, a dtype, the call that made them and the name of its layer; a functional model is the calls
-- between two sets of them.

local declare = require "moonpod.base.arguments"
local boolean_mask = require "moonpod.ops.boolean_mask"
local errors = require "moonpod.base.errors"
local nest = require "moonpod.tensor.nest"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local tables = require "moonpod.base.tables"
local warnings = require "moonpod.base.warnings"
local is_whole = require "moonpod.base.kinds".is_whole

local symbolic = {}

-- The class of layers, moonpod.layers.layer: it gives itself, and without layers nothing is recorded.
local layer_class

function symbolic.set_layer(class)
  layer_class = class
end

local unpack = table.unpack or unpack -- luacheck: ignore

local Symbolic = { __name = "moonpod.symbolic" }

local shape_meta = {
  __tostring = function(shape)
    return symbolic.format_shape(shape)
  end,
}

-- "(None, 128)".
function symbolic.format_shape(shape)
  local parts = {}
  for i, size in ipairs(shape) do
    parts[i] = size == -1 and "None" or string.format("%d", size)
  end
  return "(" .. table.concat(parts, ", ") .. (#parts == 1 and ",)" or ")")
end

symbolic.is_symbolic = declare.is(Symbolic)

-- True where any leaf is symbolic.
function symbolic.contains(structure, level)
  if nest.is_leaf(structure) then
    return symbolic.is_symbolic(structure)
  end
  level = errors.level_below(level, "the inputs of a layer")
  for _, value in pairs(structure) do
    if symbolic.contains(value, level) then
      return true
    end
  end
  return false
end

function symbolic.new(shape, dtype, history)
  local copy = tables.slice(shape)
  local name = history and history.call.layer.name
  return setmetatable({ shape = setmetatable(copy, shape_meta), dtype = dtype, name = name, history = history },
    Symbolic)
end

function Symbolic.__tostring(self)
  return string.format("<symbolic tensor shape=%s, dtype=%s, name=%s>", tostring(self.shape), self.dtype,
    tostring(self.name))
end

-- Shapes and types of a layer's outputs for symbolic inputs, found by tracing it twice with different sizes in the
-- place of the unknown ones: what differs is unknown.
local function infer(layer, inputs, options)
  local rows -- of the batch that a trace is made with, where its size is not known
  local function trace(base)
    local unknown = 0
    rows = nil
    return scope.scratch(function(parameter)
      local known = {}
      local function concrete(t)
        if not symbolic.is_symbolic(t) or known[t] then
          return known[t] or t
        end
        local shape = {}
        for i, size in ipairs(t.shape) do
          if size == -1 then
            -- All batch axes are one size; other unknown axes differ from each other.
            unknown = i == 1 and unknown or unknown + 1
            shape[i] = base + (i == 1 and 0 or 2 * unknown)
            rows = i == 1 and base or rows
          else
            shape[i] = size
          end
        end
        known[t] = known[t] or parameter(shape, t.dtype)
        return known[t]
      end
      local call_options = {}
      for key, value in pairs(options) do
        call_options[key] = symbolic.contains(value) and nest.map(value, concrete) or value
      end
      local out = layer(nest.map(inputs, concrete), call_options)
      return nest.map(out, function(t)
        local shape = tables.slice(t.shape)
        return setmetatable({ shape = shape, dtype = t.dtype }, shape_meta)
      end)
    end)
  end
  -- What a mask selects has a size only when it runs: that is an error then, or found by check_tpu before.
  local ok, found = boolean_mask.with_stand_in(boolean_mask.all_rows, function()
    return { trace(2), trace(3) }
  end)
  if not ok then
    if rows and type(found) == "string" and found:find(("%%(%d[,)]"):format(rows)) then
      found = ("%s; layer '%s' was tried with a batch of %d rows, as layers.input leaves their number open: let it "
        .. "hold for any, or give layers.input a batch_size"):format(found, layer.name, rows)
    end
    error(found, 0)
  end
  local a, b = found[1], found[2]
  local others = nest.flatten(b)
  local at = 0
  return nest.map(a, function(spec)
    at = at + 1
    for i, size in ipairs(spec.shape) do
      if size ~= others[at].shape[i] then
        spec.shape[i] = -1
      end
    end
    return spec
  end)
end

-- What a layer gave for values -> that layer.
local made_by = setmetatable({}, { __mode = "k" })

-- Remembers that a layer gave tensors for values, not for what layers.input stands for.
function symbolic.note(layer, outputs)
  nest.each(outputs, function(t)
    made_by[t] = layer
  end)
end

-- Tells where a call takes as a constant what a layer gave whose weights somebody wants to train.
local function warn_of_constants(layer, given)
  for _, leaf in ipairs(nest.flatten(given)) do
    local maker = made_by[leaf]
    if maker and #maker.trainable_weights > 0 then
      warnings.warn("layer '%s' takes what layer '%s' gave for values as a constant: the weights of '%s' are not "
        .. "trained by this model. Call it on what comes from layers.input", layer.name, maker.name, maker.name)
    end
  end
end

-- Calls a layer on symbolic tensors: records the call and gives symbolic outputs.
function symbolic.record(layer, inputs, options)
  warn_of_constants(layer, inputs)
  local specs = infer(layer, inputs, options)
  local call = { layer = layer, inputs = inputs, options = options, index = #layer._state.nodes }
  -- What the call reads: its inputs, then those among the options.
  call.parents = {}
  local function add(structure)
    for _, leaf in ipairs(nest.flatten(structure)) do
      if symbolic.is_symbolic(leaf) then
        call.parents[#call.parents + 1] = leaf
      end
    end
  end
  add(inputs)
  for _, key in ipairs(nest.sorted_keys(options)) do
    if symbolic.contains(options[key]) then
      add(options[key])
    end
  end
  local at = -1
  call.outputs = nest.map(specs, function(spec)
    at = at + 1
    return symbolic.new(spec.shape, spec.dtype, { call = call, index = at })
  end)
  local calls = layer._state.nodes
  calls[#calls + 1] = call
  return call.outputs
end

-- A function of tensors as a layer without weights: `arguments` are its count arguments, some of them symbolic.
-- `operation` is what symbolic.apply() finds it by.
local function record_function(operation, name, fn, count, arguments, layer_name)
  local class = layer_class.define { name = name, several_inputs = true, defaults = {} }
  local inputs, place = {}, {}
  for i = 1, count do
    if symbolic.contains(arguments[i]) then
      inputs[#inputs + 1] = arguments[i]
      place[#inputs] = i
    end
  end
  function class.call(_, given)
    local values = tables.slice(arguments, 1, count)
    for i, at in ipairs(place) do
      values[at] = #place == 1 and given or given[i]
    end
    return fn(unpack(values, 1, count))
  end
  local one = class { name = layer_name }
  one.autocast = false
  warn_of_constants(one, tables.slice(arguments, 1, count))
  one._state.operation = { name = operation, count = count, arguments = arguments }
  return symbolic.record(one, #inputs == 1 and inputs[1] or inputs, {})
end

local function camel_case(name)
  return (("_" .. name):gsub("_(%w)", string.upper))
end

-- Lua's operators: the name of the layer, what it does, and of how many.
local OPERATORS = {
  __add = { "Add", function(a, b) return a + b end, 2 },
  __sub = { "Subtract", function(a, b) return a - b end, 2 },
  __mul = { "Multiply", function(a, b) return a * b end, 2 },
  __div = { "TrueDivide", function(a, b) return a / b end, 2 },
  __pow = { "Power", function(a, b) return a ^ b end, 2 },
  __mod = { "Mod", function(a, b) return a % b end, 2 },
  __unm = { "Negative", function(a) return -a end, 1 },
}

for event, entry in pairs(OPERATORS) do
  Symbolic[event] = function(a, b)
    -- Lua calls it for one of the two; who reads it of a metatable may call it with anything.
    if not symbolic.is_symbolic(a) and not symbolic.is_symbolic(b) then
      errors.raise("%s: one of the two must be a symbolic tensor, not %s and %s", entry[1], errors.describe(a),
        errors.describe(b))
    end
    return record_function(event, entry[1], entry[2], entry[3], { a, b })
  end
end

-- The methods of tensors, as layers: x:exp(), x:sum(-1).
function Symbolic.__index(_, key)
  local method = type(key) == "string" and ops.methods[key]
  return method and function(...)
    return record_function(key, camel_case(key), method, select("#", ...), { ... })
  end or nil
end

-- An operation of symbolic tensors by its name: "__add" and other operators of Lua, or a method of tensors.
function symbolic.apply(operation, count, arguments, layer_name)
  local operator = OPERATORS[operation]
  if operator then
    return record_function(operation, operator[1], operator[2], operator[3], arguments, layer_name)
  end
  local method = errors.find(ops.methods, operation, "operation")
  return record_function(operation, camel_case(operation), method, count, arguments, layer_name)
end

-- Functions of tensors cannot take what has no value yet.
function Symbolic.__as_tensor(self)
  errors.raise("a tensor is needed, not %s, which only describes one for a model: call a method of it (x:exp()), or "
    .. "layers.lambda(function(x) return pod.exp(x) end)", tostring(self))
end

---@name pod.layers.input
--- A symbolic tensor that stands for the input of a functional model: layers called with it are recorded.
---@param shape integer[] the shape of one row, without the batch; -1 where a size is open
---@param options.shape integer[] the same, by name
---@param options.batch_size integer the size of the batch, if it is always the same
---@param options.dtype string (default "float32")
---@param options.name string
---@return symbolic_tensor
--- ```lua
--- local x = pod.layers.input({ 3 }, { name = "rows" })
--- local model = pod.models.functional { inputs = x, outputs = pod.layers.dense(2)(x) }
--- print(x)
--- print(model:count_params())
--- --> <symbolic tensor shape=(None, 3), dtype=float32, name=rows>
--- --> 8
--- ```
function symbolic.input(options, more)
  if options.shape == nil and (options[1] ~= nil or next(options) == nil) then
    options = tables.merge(more, { shape = options })
  end
  errors.check_options(options, { shape = true, batch_size = "count", dtype = "dtype", name = "string" },
    "layers.input")
  if type(options.shape) ~= "table" then
    errors.raise("layers.input: 'shape' must be a list of sizes, without the batch, not %s; write layers.input "
      .. "{ shape = { 28, 28 } }", errors.describe(options.shape))
  end
  local shape = { options.batch_size or -1 }
  for i = 1, #options.shape do
    local size = options.shape[i]
    if not is_whole(size, -1) or size == 0 then
      errors.raise("layers.input: axis %d of the shape is %s; sizes are whole numbers from 1, or -1 for unknown", i,
        errors.describe(size))
    end
    shape[i + 1] = size
  end
  local class = symbolic.input_class or layer_class.define { name = "InputLayer", defaults = {} }
  symbolic.input_class = class
  class.call = class.call or function(_, x)
    return x
  end
  local one = class { name = options.name or names.unique "input_layer" }
  one.built = true
  one.is_input = true
  local call = { layer = one, inputs = {}, parents = {}, options = {}, index = 0 }
  call.outputs = symbolic.new(shape, ops.dtype(options.dtype or "float32"), { call = call, index = 0 })
  one._state.nodes = { call }
  return call.outputs
end

declare.methods("symbolic_tensor", Symbolic, symbolic.is_symbolic)
declare.metamethods("symbolic_tensor", Symbolic)
declare.functions("symbolic", symbolic, { ["operation:string count arguments:list layer_name:string?"] = "apply" })
declare.functions("layers", symbolic, { ["shape:list more:options?"] = "input" })

return symbolic
