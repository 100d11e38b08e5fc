-- decoded - functions of elements that have strings in them: files are read and pictures decoded by a stage of the
-- core, and what the function does with the pixels is a graph behind it.

local dataset = require "moonpod.data.dataset"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local func = require "moonpod.func"
local image_decode = require "moonpod.image.decode"
local interpreted = require "moonpod.data.interpreted"
local tables = require "moonpod.base.tables"
local traced = require "moonpod.data.traced"

local decoded = {}

-- The components of elements that a graph can take, as outputs of the stage.
local function passed_on(components)
  local outputs = {}
  for i, component in ipairs(components) do
    if not component.text then
      outputs[#outputs + 1] = { component = i }
    end
  end
  return outputs
end

-- Elements with what layers make of their strings behind their components, by Lua states of threads. The skeleton is
-- that of the elements as they were.
local function with_encodings(self, encodings, options)
  local components = self._handle:components()
  local count, flat, signature, list = #components, { keys = {}, parts = {} }, {}, {}
  for i, component in ipairs(components) do
    flat.keys[i], flat.parts[i] = i, { leaf = i }
    signature[i] = component.text and "text" or func.spec(component.shape, component.dtype)
  end
  for i, one in ipairs(encodings) do
    signature[count + i] = func.spec(one.shape, one.dtype)
    list[i] = { how = one.how, component = one.component }
    for j, fn in ipairs(one.run) do
      list[i][j] = string.dump(fn)
    end
  end
  local spread = dataset.derive(self, self._handle, { _skeleton = flat })
  local mapped = interpreted.map(spread, function(...)
    local values = { ... }
    for i, one in ipairs(list) do
      local value = values[one.component]
      for j, fn in ipairs(one) do
        one[j] = type(fn) == "string" and (rawget(_G, "loadstring") or load)(fn) or fn
        value = one[j](one.how, value)
      end
      values[count + i] = value
    end
    return (table.unpack or rawget(_G, "unpack"))(values, 1, count + #list) -- luacheck: ignore
  end, { output_signature = signature, num_parallel_calls = options.num_parallel_calls,
    deterministic = options.deterministic })
  return dataset.derive(mapped, mapped._handle, { _skeleton = self._skeleton })
end

-- The graph of a function of a dataset's elements, and the stage that it stands behind.
local function traced_graph(self, fn, options, encoded_count)
  local handle = self._handle
  local graph, types, skeleton, pictures = traced.graph(fn, handle:components(), self._skeleton, nil, encoded_count)
  if not graph then -- it draws random numbers
    local seed = options.seed or dataset.draw_seed()
    handle = dataset.call(handle.number, handle, seed)
    graph, types, skeleton, pictures = traced.graph(fn, handle:components(), self._skeleton, seed, encoded_count)
  end
  return handle, graph, types, skeleton, pictures
end

-- dataset:map(fn, options) of elements with strings.
function decoded.map(self, fn, options)
  self = dataset.settled(self, "map")
  element.check_sizes(self._handle:components(), "map", element.PAD, true)
  local handle, graph, types, skeleton, pictures = traced_graph(self, fn, options)
  local encodings = pictures.encodings
  if #encodings > 0 then -- once more, behind the stage that makes what layers make of strings
    self = with_encodings(self, encodings, options)
    handle, graph, types, skeleton, pictures = traced_graph(self, fn, options, #encodings)
  end
  local outputs = passed_on(handle:components())
  tables.extend(outputs, pictures)
  if #outputs == 0 then
    errors.raise("map: elements are strings; a function of them begins with pod.data.read_file, "
      .. "pod.image.decode_* or a layer such as text_vectorization, or is run as Lua: map(fn, { interpret = true })")
  end
  local location = errors.location()
  handle = dataset.labelled(dataset.call(handle.decode, handle, outputs), "map", location)
  local raw = dataset.in_parallel(dataset.derive(self, handle), options, "map")
  local step = { fn = fn, kind = "element", graph = graph, inputs = raw._handle:components(), outputs = types,
    out_skeleton = skeleton, location = location, threads = options.num_parallel_calls,
    deterministic = options.deterministic }
  local mapped = dataset.derive(raw, raw._handle, { _steps = { step } })
  return options.defer == false and dataset.settled(mapped, "map") or mapped
end

-- Reads the option `image` of a feature of parse_example: a table of image_decode's options, with format ("png",
-- "jpeg", "any").
function decoded.feature(name, spec)
  local options, where = tables.merge(spec), ("parse_example: feature '%s'"):format(name)
  local format = options.image
  options.image = nil
  if format ~= "png" and format ~= "jpeg" and format ~= "any" then
    errors.raise('%s: image must be "png", "jpeg" or "any", not %s', where, errors.describe(format))
  end
  local image, shape = image_decode.read_options(options, format, where)
  return { name = name, image = image, shape = shape }
end

return decoded
