-- basic - datasets of what is there already: tensors, numbers, other datasets.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local basic = {}

--- One element.
---@example pod.data.from_tensors({ 1, 2 }):cardinality() --> 1
function basic.from_tensors(x)
  local leaves, skeleton = element.flatten(element.tensors(x, "from_tensors"), tensor.is, "from_tensors")
  local handle = dataset.call(device.core.dataset_from_buffers, device.context(), element.buffers(leaves))
  return dataset.new(handle, skeleton)
end

--- range(stop), range(start, stop), range(start, stop, step): int64 scalars.
---@example pod.data.range(2, 5):batch(3):totable()[1] --> { 2, 3, 4 }
function basic.range(start, stop, step)
  if stop == nil then
    start, stop = 0, start
  end
  for _, value in ipairs { start, stop, step or 1 } do
    if not is_whole(value) then
      errors.raise("range: start, stop and step are integers, not %s", errors.describe(value))
    end
  end
  return dataset.new(dataset.call(device.core.dataset_range, device.context(), start, stop, step or 1), { leaf = 1 })
end

--- zip{ a, b, ... } or zip(a, b, ...): elements that are tuples of one of each.
---@example pod.data.zip({ pod.data.range(3), pod.data.range(2) }):cardinality() --> 2
function basic.zip(first, ...)
  local inputs = dataset.is(first) and { first, ... } or first
  if type(inputs) ~= "table" or #inputs == 0 then
    errors.raise("zip: datasets are needed")
  end
  local handles, skeletons, counts, sources, options = {}, {}, {}, {}, {}
  for i, input in ipairs(inputs) do
    if not dataset.is(input) then
      errors.raise("zip: argument %d is no dataset but %s", i, errors.describe(input))
    end
    local settled = dataset.settled(input, "zip")
    handles[i], skeletons[i] = settled._handle, settled._skeleton
    options = tables.merge(options, settled._options)
    counts[i] = #settled._handle:components()
    tables.extend(sources, settled._sources)
  end
  local handle = dataset.call(device.core.dataset_zip, handles)
  return dataset.new(handle, element.join(skeletons, counts), { _sources = sources, _options = options })
end

return basic
