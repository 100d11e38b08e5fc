-- exported - programs that model:export() and fn:export() wrote, loaded: as hosts without Lua load them.

local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local kinds = require "moonpod.base.kinds"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local scope = require "moonpod.layers.scope"
local structure = require "moonpod.base.structure"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local exported = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local Exported = { __name = "moonpod.exported_program" }
Exported.__index = Exported

-- Whether a value is a loaded program.
function exported.is(value)
  return type(value) == "table" and getmetatable(value) == Exported
end

local function call(method, ...)
  local ok, result = pcall(method, ...)
  if not ok then
    errors.raise_from_core(result)
  end
  return result
end

-- A skeleton that a file has: what structure.rebuild takes.
local function check_skeleton(at, leaves, path, level)
  local function refuse()
    errors.raise("load_exported: %s: its structure is damaged", path)
  end
  level = errors.level_below(level, "load_exported: " .. path)
  if type(at) ~= "table" then
    refuse()
  elseif at.leaf ~= nil then
    if type(at.leaf) ~= "number" or at.leaf % 1 ~= 0 or at.leaf < 1 or at.leaf > leaves then
      refuse()
    end
  elseif at.keys ~= nil then
    if type(at.keys) ~= "table" or type(at.parts) ~= "table" or #at.keys ~= #at.parts then
      refuse()
    end
    for i, part in ipairs(at.parts) do
      if not kinds.get "key".is(at.keys[i]) then
        refuse()
      end
      check_skeleton(part, leaves, path, level)
    end
  end
  return at
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
  local handle = call(device.core.exported_open, device.context(), not bytes and path or nil, bytes)
  local about = handle:describe()
  local self = { _handle = handle, name = about.name, inputs = about.inputs, outputs = about.outputs,
    batch_sizes = about.sizes, weights = about.weights, keeps_state = about.keeps_state }
  if about.structure then
    local said = json.decode(about.structure, { drop_null = true })
    self._inputs = check_skeleton(said.inputs, #self.inputs, path)
    for _, key in ipairs(self._inputs.keys or { false }) do
      if type(key) ~= "number" then
        errors.raise("load_exported: %s: its structure is damaged", path)
      end
    end
    self._outputs = check_skeleton(said.outputs, #self.outputs, path)
    self._results = type(said.results) == "number" and said.results or 1
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
    local wanted = {}
    for axis = 1, #input.shape do
      wanted[axis + first] = tostring(input.shape[axis])
    end
    wanted[1] = first == 1 and "rows" or wanted[1]
    errors.raise("program '%s': input '%s' must be %s (%s); got %s %s", self.name, input.name, input.dtype,
      table.concat(wanted, ", "), t.dtype, tostring(t.shape))
  end
  return t.dtype == input.dtype and t or ops.cast(t, input.dtype), first == 1 and t.shape[1] or 1
end

local function is_plain_table(value)
  return readable.is_plain(value)
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
    if not is_plain_table(given) then
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
  local results = call(self._handle.run, self._handle, device.context(), rows or 1, buffers)
  local outputs = {}
  for i, buffer in ipairs(results) do
    outputs[i] = tensor.from_buffer(buffer)
  end
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
