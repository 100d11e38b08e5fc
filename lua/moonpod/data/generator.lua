-- generator - datasets whose elements a Lua function makes.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local structure = require "moonpod.base.structure"

local generator = {}

-- Types and skeleton of what pod.spec values announce, which may stand as the option output_signature.
local function read_signature(signature)
  local func = require "moonpod.func"
  if type(signature) == "table" and not func.is_spec(signature) and signature.output_signature ~= nil then
    signature = errors.check_options(signature, { output_signature = true }, "from_generator").output_signature
  end
  if signature == nil then
    errors.raise("from_generator: say what the elements are: pod.spec(shape, dtype), or a table of such")
  end
  return element.signature(signature, "from_generator")
end

-- Takes the components out of a value that has the announced structure.
local function take_apart(skeleton, value, leaves, where)
  if skeleton.leaf then
    leaves[skeleton.leaf] = value
  elseif skeleton.keys then
    errors.check_type(value, "table", where, "it")
    for i, key in ipairs(skeleton.keys) do
      if value[key] == nil then
        errors.raise("%s: '%s' is missing, which the signature names", where, tostring(key))
      end
      take_apart(skeleton.parts[i], value[key], leaves, where)
    end
  end
end

-- What the core calls: "open" begins a pass and returns its number, "next" gives an array of buffers or nil,
-- "close" ends a pass.
local function dispatcher(fn, components, skeleton)
  local passes, count = {}, 0
  local handlers = {}

  function handlers.open()
    local produce = fn()
    if type(produce) ~= "function" then
      errors.raise("from_generator: the function must return an iterator (a function that gives the next element "
        .. "each time it is called, nil at the end), not %s", errors.describe(produce))
    end
    count = count + 1
    passes[count] = { produce = produce, made = 0 }
    return count
  end

  function handlers.next(number)
    local pass = passes[number]
    local packed = structure.pack(pass.produce())
    if packed.n == 0 or packed[1] == nil then
      return nil
    end
    local where = ("element %d of the generator"):format(pass.made)
    pass.made = pass.made + 1
    local leaves, buffers = {}, {}
    local value = packed
    if packed.n == 1 then -- which may be false
      value = packed[1]
    end
    take_apart(skeleton, value, leaves, where)
    for i, component in ipairs(components) do
      buffers[i] = element.buffer_of(leaves[i], component, where)
    end
    return buffers
  end

  function handlers.close(number)
    passes[number] = nil
  end

  return function(what, number)
    return handlers[what](number)
  end
end

-- from_generator(fn, signature, { cardinality = }): fn() begins a pass and returns a function that gives an
-- element each time it is called (one value or several), nil at the end. `signature`: pod.spec, or a table of such.
function generator.new(fn, signature, options)
  errors.check_type(fn, "function", "from_generator", "the generator")
  options = errors.check_options(options, { cardinality = true }, "from_generator")
  local components, skeleton = read_signature(signature)
  local source = device.core.source(dispatcher(fn, components, skeleton))
  local handle = dataset.call(device.core.dataset_from_source, device.context(), source, components,
    options.cardinality or dataset.UNKNOWN)
  dataset.labelled(handle, "from_generator", errors.location())
  return dataset.new(handle, skeleton, { _sources = { source } })
end

return generator
