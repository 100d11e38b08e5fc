-- exported - programs that model:export() and fn:export() wrote, loaded: as hosts without Lua load them.

local core_call = require "moonpod.tensor.core_call"
local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local schema = require "moonpod.base.schema"
local scope = require "moonpod.layers.scope"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local exported = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local Exported = { __name = "moonpod.exported_program" }
Exported.__index = Exported

-- Whether a value is a loaded program.
exported.is = declare.is(Exported)

-- Arguments and results that a function has at most.
local MOST_VALUES = 250

local KEY = schema.either(schema.text, schema.boolean, schema.also(schema.number, "a number", function(key)
  return key == key
end))

-- A skeleton of so many leaves that a file has: what structure.rebuild takes.
local function skeleton_of(leaves)
  return schema.recursive(function(self)
    return schema.also(schema.object {
      leaf = schema.optional(schema.integer(1, leaves)),
      keys = schema.optional(schema.list_of(KEY)),
      parts = schema.optional(schema.list_of(self)),
    }, "as many keys as parts", function(at)
      return at.leaf or #(at.keys or {}) == #(at.parts or {})
    end)
  end)
end

-- The structures of a program's arguments, whose keys are their places, and of its results.
local function structure_of(inputs, outputs)
  local part = skeleton_of(inputs)
  local arguments = schema.object { keys = schema.list_of(schema.integer(1, MOST_VALUES)),
    parts = schema.list_of(part) }
  local function fits(at)
    local seen, count = {}, 0
    local function visit(one)
      count = count + (one.leaf and not seen[one.leaf] and 1 or 0)
      seen[one.leaf or 0] = true
      for _, below in ipairs(one.parts or {}) do
        visit(below)
      end
    end
    visit(at)
    return part.check(at) == nil and count == inputs
  end
  return schema.object { inputs = schema.also(arguments, "keys and parts, which have all inputs", fits),
    outputs = schema.also(skeleton_of(outputs), "an array of keys and parts", function(at)
      return at.keys ~= nil and not at.leaf
    end), results = schema.optional(schema.integer(0, MOST_VALUES)) }
end

--- pod.load_exported(path): a program that model:export or fn:export wrote; in place of a path { bytes = the file's, as
--- a string }, where a host has its files in an archive. It is called as the function was, or with what the model
--- predicts for. Fields: name, inputs and outputs ({ name =, dtype =, shape = }; of one row where the
--- program takes rows), batch_sizes, weights (names).
---@param path string|table
---@param options.bytes string the file's content, in place of a path
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- pod.func(function(x) return x * 2 end):export(path, { pod.spec { 3 } })
--- assert(pod.load_exported(path)(pod.ones { 3 }):sum():item() == 6)
--- os.remove(path)
--- ```
function exported.load(path)
  local bytes
  if readable.is_plain(path) then
    errors.check_options(path, { "bytes" }, "load_exported")
    path, bytes = "the bytes", path.bytes
    errors.check_type(bytes, "string", "load_exported", "bytes")
  end
  errors.check_type(path, "string", "load_exported", "the path, or { bytes = ... },")
  local handle = core_call("exported_open", not bytes and path or nil, bytes)
  local about = handle:describe()
  local self = { _handle = handle, name = about.name, inputs = about.inputs, outputs = about.outputs,
    batch_sizes = about.sizes, weights = about.weights, keeps_state = about.keeps_state }
  if about.structure then
    local said = schema.read(about.structure, structure_of(#self.inputs, #self.outputs),
      "load_exported: " .. path .. ": its structure")
    self._inputs, self._outputs, self._results = said.inputs, said.outputs, said.results or 1
  end
  return setmetatable(self, Exported)
end

function Exported.__tostring(self)
  local sizes = #self.batch_sizes > 0 and "batch sizes " .. table.concat(self.batch_sizes, ", ") or "a function"
  return ("<exported program '%s', %d inputs, %d outputs, %s>"):format(self.name, #self.inputs, #self.outputs, sizes)
end

-- The tensor of an input, checked; returns it and its rows.
local function read_input(self, i, value)
  local input = self.inputs[i]
  local t = scope.to_tensor(value)
  local first = #self.batch_sizes > 0 and 1 or 0
  local fits = #t.shape == #input.shape + first
  for axis = 1, #input.shape do
    fits = fits and t.shape[axis + first] == input.shape[axis]
  end
  local converts = t.dtype == input.dtype or ops.is_float(t.dtype) and ops.is_float(input.dtype)
  if not fits or not converts then
    local wanted = tables.join(first == 1 and { "rows" } or {}, tables.map(input.shape, tostring))
    errors.raise("program '%s': input '%s' must be %s (%s); got %s %s", self.name, input.name, input.dtype,
      table.concat(wanted, ", "), t.dtype, tostring(t.shape))
  end
  return t.dtype == input.dtype and t or ops.cast(t, input.dtype), first == 1 and t.shape[1] or 1
end

-- Takes arguments apart as they were when the program was exported; numbers that are part of it must be the same.
local function pick(self, at, given, leaves, path)
  if at.leaf then
    if given == nil then
      errors.raise("program '%s': input '%s' is missing (%s)", self.name, self.inputs[at.leaf].name, path)
    end
    leaves[at.leaf] = given
  elseif at.keys then
    -- lists of numbers are tensors, and no tables of inputs
    if not readable.is_plain(given) then
      errors.raise("program '%s': %s must be a table, as it was when the program was exported; got %s", self.name, path,
        errors.describe(given))
    end
    local known = {}
    for i, key in ipairs(at.keys) do
      known[key] = true
      pick(self, at.parts[i], given[key], leaves, ("%s[%s]"):format(path, tostring(key)))
    end
    for key in pairs(given) do
      if not known[key] then
        errors.raise("program '%s': %s has '%s', which was not there when the program was exported", self.name, path,
          tostring(key))
      end
    end
  elseif at.value ~= given then
    errors.raise("program '%s': %s was %s when the program was exported, and is part of it; got %s", self.name, path,
      tostring(at.value), errors.describe(given))
  end
end

local function inputs_of(self, ...)
  local count, leaves = select("#", ...), {}
  if not self._inputs then
    return { ... }, count
  end
  local keys, given = self._inputs.keys, { ... } -- the places of arguments that were not nil
  if count > (keys[#keys] or 0) then
    errors.raise("program '%s' takes %d arguments; it was called with %d", self.name, keys[#keys] or 0, count)
  end
  for i, part in ipairs(self._inputs.parts) do
    pick(self, part, given[keys[i]], leaves, ("argument %d"):format(keys[i]))
  end
  return leaves, #self.inputs
end

function Exported.__call(self, ...)
  if trace.is_tracing() then
    errors.raise("program '%s' is loaded as a whole: it runs outside of functions that are traced", self.name)
  end
  local given, count = inputs_of(self, ...)
  if count ~= #self.inputs then
    errors.raise("program '%s' has %d inputs; it was called with %d", self.name, #self.inputs, count)
  end
  local buffers, rows = {}, nil
  for i = 1, count do
    local t, own = read_input(self, i, given[i])
    if rows and own ~= rows then
      errors.raise("program '%s': input '%s' has %d rows, those before it have %d", self.name, self.inputs[i].name, own,
        rows)
    end
    buffers[i], rows = tensor.buffer(t), own
  end
  local results = errors.call_core(self._handle.run, self._handle, device.context(), rows or 1, buffers)
  local outputs = tables.map(results, tensor.from_buffer)
  if not self._outputs then
    return unpack(outputs)
  end
  return unpack(structure.rebuild(self._outputs, outputs), 1, self._results)
end

--- The outputs for rows, as model:predict gives them.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:export(path)
--- assert(pod.load_exported(path):predict(pod.ones { 5, 3 }).shape[1] == 5)
--- os.remove(path)
--- ```
function Exported:predict(...)
  return self(...)
end

--- A weight by its name: what it holds now, as a tensor of its own.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):export(path)
--- local program = pod.load_exported(path)
--- assert(program:weight(program.weights[1]):size() > 0)
--- os.remove(path)
--- ```
function Exported:weight(name)
  for i, known in ipairs(self.weights) do
    if known == name then
      return tensor.from_buffer(self._handle:weight(i):copy(device.context()))
    end
  end
  errors.raise("program '%s' has no weight '%s'%s", self.name, tostring(name), errors.suggest(tostring(name),
    self.weights))
end

declare.methods("exported program", Exported, exported.is, { ["name:string"] = "weight" })
declare.metamethods("exported program", Exported)
declare.functions("", exported, { ["path:any"] = "load" }, "is")

return exported
