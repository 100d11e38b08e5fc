-- groups - windows of elements that have something in common.
--
-- The elements are looked at in Lua, on the thread that asks for them.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local groups = {}

-- The elements of a window, kept as rows of buffers that are read one at a time.
local function dataset_of(elements, components, skeleton, count)
  local place = 0
  local source = device.core.source(function(what)
    if what == "open" then
      place = 0
      return 1
    elseif what == "next" then
      place = place + 1
      return elements[place]
    end
  end)
  local handle = dataset.call(device.core.dataset_from_source, device.context(), source, components,
    count or #elements)
  return dataset.new(handle, skeleton, { _sources = { source } })
end

local function check_made(made)
  if not dataset.is(made) then
    errors.raise("group_by_window: reduce must return a dataset, not %s", errors.describe(made))
  end
  return made
end

-- Begins a pass: returns a function that gives the datasets of windows, in their order.
local function windows_of(self, options, components, epoch, repetition)
  local it = self:iterator { no_threads = true, epoch = epoch, repetition = repetition }
  local held, order, ended, count = {}, {}, false, 0

  local function reduce(key, elements)
    return check_made(options.reduce(key, dataset_of(elements, components, self._skeleton)))
  end

  local function take_left()
    table.sort(order)
    local key = table.remove(order, 1)
    return key and reduce(key, held[key])
  end

  local function add(key, buffers)
    if not held[key] then
      held[key] = {}
      order[#order + 1] = key
    end
    local window = held[key]
    window[#window + 1] = buffers
    if #window < options.size(key) then
      return nil
    end
    held[key] = nil
    tables.remove(order, key)
    return reduce(key, window)
  end

  return function()
    while not ended do
      local buffers = { it.handle:next() }
      if buffers[1] == nil then
        ended = true
        it:close()
        break
      end
      local value = element.rebuild(self._skeleton, element.wrap(buffers, components))
      local ok, key = errors.attempt(options.key, element.spread(value))
      if not ok then
        errors.raise("the key of element %d: %s", count, key)
      end
      count = count + 1
      local made = add(key, buffers)
      if made then
        return made
      end
    end
    return take_left()
  end
end

-- A key as a Lua integer.
local function key_function(fn)
  return function(...)
    local key = fn(...)
    key = tensor.is(key) and key:item() or key
    if not is_whole(key) then
      errors.raise("group_by_window: the key of an element must be an integer, not %s", errors.describe(key))
    end
    return key
  end
end

-- Makes the dataset that gives the elements of a function's datasets.
local function chained(self, options)
  local components = self._handle:components()
  -- what reduce makes is found out from a window that stands for all
  local probe = check_made(options.reduce(0, dataset_of({}, components, self._skeleton, dataset.UNKNOWN)))
  local out_components, out_skeleton = dataset.current_types(probe)
  local passes, count = {}, 0
  local function next_element(pass)
    while true do
      if not pass.open then
        local made = pass.next_window()
        if not made then
          return nil
        end
        pass.open = made:iterator { no_threads = true, epoch = 1 }
      end
      local buffers = pass.open:next_buffers()
      if buffers[1] ~= nil then
        return buffers
      end
      pass.open:close()
      pass.open = nil
    end
  end
  local source = device.core.source(function(what, number, repetition)
    if what == "open" then
      count = count + 1
      passes[count] = { next_window = windows_of(self, options, components, number, repetition) }
      return count
    elseif what == "next" then
      return next_element(passes[number])
    end
    passes[number] = nil
  end)
  local handle = dataset.call(device.core.dataset_from_source, device.context(), source,
    out_components, dataset.UNKNOWN)
  dataset.labelled(handle, "group_by_window", errors.location())
  return dataset.new(handle, out_skeleton,
    { _sources = tables.join({ source }, self._sources), _options = self._options, _batch_size = probe._batch_size })
end

-- See dataset:group_by_window().
function groups.by_window(self, options)
  options = errors.check_options(options, { key = true, reduce = true, window_size = true }, "group_by_window")
  errors.check_type(options.key, "function", "group_by_window", "key")
  errors.check_type(options.reduce, "function", "group_by_window", "reduce")
  local size = options.window_size
  if type(size) ~= "function" then
    dataset.check_integer(size, 1, "group_by_window", "the window size")
  end
  return chained(dataset.settled(self, "group_by_window"), {
    key = key_function(options.key),
    reduce = options.reduce,
    size = type(size) == "function" and size or function()
      return size
    end,
  })
end

return groups
