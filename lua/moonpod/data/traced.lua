-- traced - functions of elements as graphs.
--
-- A function is traced once, with the types of one element, and never runs again: what depends on time,
-- chance or files would be the same for all elements, so functions that do are refused.

local around = require "moonpod.base.around"
local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local lint = require "moonpod.base.lint"
local is_whole = require "moonpod.base.kinds".is_whole
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local traced = {}

local function refuse(name)
  return function()
    errors.raise("%s has no meaning in a function that is traced once for all elements: draw or read "
      .. "outside of it, or use map(fn, { interpret = true }), which runs fn for each element", name)
  end
end

-- What is replaced while a function is traced.
local FORBIDDEN = {
  math = { "random", "randomseed" },
  os = { "time", "clock", "date", "getenv", "tmpname", "remove", "rename", "execute", "exit" },
  io = { "open", "read", "write", "lines", "popen", "input", "output", "close", "tmpfile" },
}

-- Runs fn(...) with the functions above replaced by ones that raise.
local function guarded(fn, ...)
  local kept = {}
  for library, names in pairs(FORBIDDEN) do
    local functions = _G[library]
    for _, name in ipairs(functions and names or {}) do
      kept[#kept + 1] = { functions, name, functions[name], functions[name] and refuse(library .. "." .. name) or nil }
    end
  end
  return around(function()
    for _, entry in ipairs(kept) do
      entry[1][entry[2]] = entry[4]
    end
  end, function()
    for i = 1, #kept do
      local entry = kept[i]
      entry[1][entry[2]] = entry[3]
    end
  end, fn, ...)
end

-- A graph of the trace alone: what the function took from outside becomes constants.
local function finished_graph(own, outputs)
  local core, context = device.core, device.context()
  if own.prints then
    errors.raise("pod.print and hooks of layers tell nobody in a function that is traced once for all elements and "
      .. "runs on other threads: print outside of it, or use map(fn, { interpret = true }), which runs fn for each "
      .. "element")
  end
  for _, t in ipairs(outputs) do
    own.graph:output(own:node(t))
  end
  local graph = core.graph(context, "map")
  local inputs = {}
  for i, parameter in ipairs(own.parameters) do
    if parameter.kind == "argument" then
      inputs[i] = graph:parameter(parameter.dtype, parameter.shape)
    elseif parameter.kind == "capture" then
      inputs[i] = graph:constant(tensor.buffer(parameter.tensor))
    else
      errors.raise("map: the function uses the variable '%s', which may change while elements are "
        .. "prepared ahead; give its value: local v = variable:value() before the map",
        tostring(parameter.variable.name or "?"))
    end
  end
  for _, id in ipairs(graph:inline(own.graph, inputs)) do
    graph:output(id)
  end
  return graph
end

-- What a trace raises that draws random numbers where there are none.
local NEEDS_NUMBERS = {}

-- Stands for a string of elements: what is decoded of it becomes a parameter behind those of the components, and what
-- a layer makes of it: encode(string, { how =, run = functions of `how` and what is there, dtype =, shape = }).
-- `encoded`, where given, are tensors of what was asked for before, in that order.
local function stand_in(own, component, pictures, encoded)
  local image_decode = require "moonpod.image.decode"
  local made = image_decode.stand_in(component, function(from, image, shape)
    local dtype = image.dtype or (image.height and image.resize == "bilinear" and "float32") or "uint8"
    pictures[#pictures + 1] = { component = from.component, path = from.is_path, image = image, shape = shape }
    return own:parameter(dtype, shape)
  end)
  made.encode = function(from, encoding)
    if encoded then
      return table.remove(encoded, 1)
    end
    encoding.component = from.component
    pictures.encodings[#pictures.encodings + 1] = encoding
    return own:parameter(encoding.dtype, encoding.shape)
  end
  return made
end

-- Traces fn on elements of `components` (sizes all known, but of strings) built by `skeleton`. Returns a graph of the
-- components that are no strings and of what is decoded of strings, its results' types, their skeleton, and what is
-- decoded, as outputs of the core's stage, and in its field `encodings` what layers make of strings. Where fn draws
-- random numbers, `random_seed` is their seed and the last component, which is not part of the skeleton, the number of
-- an element (see element_random); without it nothing is returned. The last `encoded_count` components before that are
-- what layers made of strings.
function traced.graph(fn, components, skeleton, random_seed, encoded_count)
  local own = trace.new("func", "map")
  local results, result_skeleton
  local pictures = { encodings = {} }
  own.element_bits = function()
    error(NEEDS_NUMBERS, 0)
  end
  local ok, failure = pcall(trace.with, own, function()
    local leaves, encoded = {}, encoded_count and {}
    for i, component in ipairs(components) do
      leaves[i] = component.text and stand_in(own, i, pictures, encoded)
        or own:parameter(component.dtype, component.shape)
    end
    if random_seed then
      own.element_bits = require("moonpod.data.element_random").source(table.remove(leaves), random_seed)
    end
    for _ = 1, encoded_count or 0 do
      table.insert(encoded, 1, table.remove(leaves))
    end
    lint.warn(fn, { element.spread(element.rebuild(skeleton, leaves)) }, "a function of elements")
    local value = element.pack(guarded(fn, element.spread(element.rebuild(skeleton, leaves))))
    if value == nil then
      errors.raise("map: the function returned nothing")
    end
    results, result_skeleton = element.flatten(element.tensors(value, "map"), tensor.is, "map")
  end)
  if failure == NEEDS_NUMBERS then
    return nil
  elseif not ok then
    error(failure, 0)
  end
  return finished_graph(own, results), element.types(results), result_skeleton, pictures
end

-- ---- lengths of elements ----------------------------------------------------------------------------------------

local LENGTH_ONLY = "%s: only the shape of what has no size that is known is there while a function is traced"

-- A value without a field but those of `index`, and of a length where there is one.
local function opaque(index, length)
  local meta = {
    __index = function(_, key)
      return index[key] or errors.raise(LENGTH_ONLY, tostring(key))
    end,
    __len = length or function()
      errors.raise(LENGTH_ONLY, "#")
    end,
  }
  if not newproxy then -- luacheck: ignore
    return setmetatable({}, meta)
  end
  local value = newproxy(true) -- luacheck: ignore (before Lua 5.2 `#` asks userdata alone)
  for name, fn in pairs(meta) do
    getmetatable(value)[name] = fn
  end
  return value
end

-- Stands for a component whose sizes are not all known, of which `sizes` are those of an element.
local function of_some_size(component, sizes)
  if component.text then
    return opaque({}, function()
      return sizes[{ 0 }]
    end)
  end
  local shape = {}
  for axis, size in ipairs(component.shape) do
    shape[axis] = size < 0 and sizes[{ axis - 1 }] or size
  end
  return opaque { shape = shape, dtype = component.dtype }
end

local function is_static(component)
  return tables.all(component.shape, function(size)
    return size >= 0
  end)
end

-- A length as an int64 scalar of the trace.
local function as_length(value)
  if is_whole(value) then
    value = tensor.convert(value, "int64")
  end
  if not tensor.is(value) or #value.shape > 0 or not value.dtype:find "int" then
    errors.raise("the length of an element is no integer")
  end
  return value:cast "int64"
end

-- Traces fn, which returns the length of an element: an integer. Returns a graph of the components, of those with sizes
-- that are not known int64 arrays of these; nil where it cannot be traced.
function traced.length(fn, components, skeleton)
  local own = trace.new("func", "bucket_by_sequence_length")
  local ok, graph = pcall(function()
    local length
    trace.with(own, function()
      local leaves = {}
      for i, component in ipairs(components) do
        leaves[i] = is_static(component) and own:parameter(component.dtype, component.shape)
          or of_some_size(component, own:parameter("int64", { #component.shape }))
      end
      length = as_length(guarded(fn, element.spread(element.rebuild(skeleton, leaves))))
    end)
    return finished_graph(own, { length })
  end)
  return ok and graph or nil
end

-- The graph of a function for batches on elements of `components`: traced for each combination of sizes it meets, with
-- what scripts had set when they called the map.
function traced.graph_for(step, components)
  local key = element.describe(components)
  step.graphs = step.graphs or {}
  if not step.graphs[key] then
    step.graphs[key] = step.graph and element.describe(step.inputs) == key and step.graph
      or global_state.within(step.state, traced.graph, step.fn, components, step.skeleton, step.random_seed)
  end
  return step.graphs[key]
end

-- A copy of a graph, for a stage that takes it.
function traced.copy(graph, components)
  local core, context = device.core, device.context()
  local copy, inputs = core.graph(context, "map"), {}
  for i, component in ipairs(components) do
    inputs[i] = copy:parameter(component.dtype, component.shape)
  end
  for _, id in ipairs(copy:inline(graph, inputs)) do
    copy:output(id)
  end
  return copy
end

return traced
