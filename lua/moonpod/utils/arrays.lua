-- What Keras has in keras.utils for arrays: sequences of one length, labels as vectors, windows of time series.

local dataset = require "moonpod.data.dataset"
local errors = require "moonpod.base.errors"
local index_numbers = require "moonpod.ops.index_numbers"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local tensor = require "moonpod.tensor"
require "moonpod.data.methods"

local arrays = {}

local function check_side(value, where, name)
  if value ~= "pre" and value ~= "post" then
    errors.raise('%s: %s must be "pre" or "post", not %s', where, name, errors.describe(value))
  end
  return value
end

-- The numbers of a sequence: an array, or a tensor of one axis.
local function numbers_of(sequence, where, i)
  local list = tensor.is(sequence) and #sequence.shape == 1 and sequence:totable() or sequence
  if not readable.is_plain(list) then
    errors.raise("%s: sequence %d is %s; an array of numbers is needed", where, i, errors.describe(sequence))
  end
  for j, number in ipairs(list) do
    if type(number) ~= "number" then
      errors.raise("%s: element %d of sequence %d is %s; numbers are needed", where, j, i, errors.describe(number))
    end
  end
  return list
end

--- Makes sequences of different lengths rows of one: short ones are filled up, long ones cut.
---@param sequences table[] arrays of numbers
---@param options.maxlen integer how long rows are (default: as the longest)
---@param options.dtype string the type of the result (default "int32")
---@param options.padding "pre"|"post" where they are filled up (default "pre")
---@param options.truncating "pre"|"post" where they are cut (default "pre")
---@param options.value number what they are filled up with (default 0)
---@return tensor
---@example pod.utils.pad_sequences { { 1 }, { 2, 3 } } --> { { 0, 1 }, { 2, 3 } }
function arrays.pad_sequences(sequences, options)
  local where = "utils.pad_sequences"
  options = errors.check_options(options, { maxlen = "count", dtype = "dtype", padding = "string",
    truncating = "string", value = "number" }, where)
  if not readable.is_plain(sequences) or #sequences == 0 then
    errors.raise("%s: the sequences are an array of arrays of numbers, not %s", where, errors.describe(sequences))
  end
  local padding = check_side(options.padding or "pre", where, "padding")
  local truncating = check_side(options.truncating or "pre", where, "truncating")
  local longest, lists = 0, {}
  for i, sequence in ipairs(sequences) do
    lists[i] = numbers_of(sequence, where, i)
    longest = math.max(longest, #lists[i])
  end
  local length, flat = options.maxlen or longest, {}
  for _, list in ipairs(lists) do
    local kept = math.min(#list, length)
    local first = truncating == "pre" and #list - kept or 0
    local before = padding == "pre" and length - kept or 0
    for i = 1, length do
      local place = i - before
      flat[#flat + 1] = place >= 1 and place <= kept and list[first + place] or options.value or 0
    end
  end
  return tensor.new(flat, { dtype = options.dtype or "int32" }):reshape { #lists, length }
end

--- Class numbers from 0 as vectors with a 1 at their place. A last axis of one is that of the vectors.
---@param labels tensor|integer[] whole numbers
---@param num_classes? integer how long vectors are (default: as many as the largest number needs); also as an option,
--- `{ num_classes = 4 }`
---@return tensor
---@error a number has no place; without `num_classes` values must be known
---@example pod.utils.to_categorical({ 0, 2 }) --> { { 1, 0, 0 }, { 0, 0, 1 } }
function arrays.to_categorical(labels, num_classes)
  num_classes = errors.check_options(type(num_classes) == "table" and num_classes or { num_classes = num_classes },
    { num_classes = "count" }, "utils.to_categorical").num_classes
  local x = index_numbers(tensor.new(labels))
  local rank = #x.shape
  if rank > 1 and x.shape[rank] == 1 then
    x = ops.squeeze(x, -1)
  end
  if tensor.is_known(x) and x:size() > 0 then
    local least, most = ops.min(x):item(), ops.max(x):item()
    if least < 0 then
      errors.raise("utils.to_categorical: labels are %d to %d; classes count from 0", least, most)
    end
    num_classes = num_classes or most + 1
    if most >= num_classes then
      errors.raise("utils.to_categorical: labels are %d to %d; %d classes are those from 0 to %d", least, most,
        num_classes, num_classes - 1)
    end
  elseif num_classes == nil then
    errors.raise "utils.to_categorical: values are not known here; give num_classes"
  end
  return ops.one_hot(x, num_classes, { dtype = "float32" })
end

local SERIES = { sequence_length = "count", sequence_stride = "count", sampling_rate = "count", batch_size = true,
  shuffle = "boolean", seed = "count", start_index = "count", end_index = "count" }

-- The first rows of the windows: from 0, relative to the first row that is looked at.
local function window_starts(rows, targets, options)
  local length, rate = options.sequence_length, options.sampling_rate or 1
  local windows = rows - (length - 1) * rate
  if targets then
    windows = math.min(windows, targets)
  end
  local starts = {}
  for start = 0, windows - 1, options.sequence_stride or 1 do
    starts[#starts + 1] = start
  end
  return starts
end

--- A dataset of windows over rows that follow each other in time: `(rows of a batch, sequence_length, ...)`, with the
--- target of each window's first row where targets are given. To predict what comes `n` rows later, give targets that
--- begin `n` rows later.
---@param data tensor rows in the order of time
---@param targets? tensor|boolean a target for each row, or false: windows alone
---@param options.sequence_length integer how many rows a window has
---@param options.sequence_stride integer how many rows lie between windows' begins (default 1)
---@param options.sampling_rate integer every how many rows one is taken (default 1)
---@param options.batch_size integer|false how many windows are a batch (default 128); false: single windows
---@param options.shuffle boolean whether windows come in another order in each pass (default false)
---@param options.seed integer makes the order the same each time
---@param options.start_index integer the first row that is looked at, from 0
---@param options.end_index integer the first row that is not looked at any more
---@return dataset
---@error no window fits
--- ```lua
--- local series = pod.iota(6)
--- local ds = pod.utils.timeseries_dataset_from_array(series, false, { sequence_length = 3, sequence_stride = 2 })
--- assert(ds:totable()[1][2][1] == 2)
--- ```
function arrays.timeseries_dataset_from_array(data, targets, options)
  local where = "utils.timeseries_dataset_from_array"
  options = errors.check_options(options, SERIES, where)
  if not options.sequence_length or options.sequence_length < 1 then
    errors.raise("%s: sequence_length is missing: how many rows a window has", where)
  end
  data = tensor.new(data)
  targets = targets and tensor.new(targets) or nil
  local first, last = options.start_index or 0, options.end_index or data.shape[1]
  if first >= last or last > data.shape[1] then
    errors.raise("%s: rows %d to %d are none of %d", where, first, last, data.shape[1])
  end
  local count = targets and math.min(targets.shape[1], last) - first
  local starts = window_starts(last - first, count, options)
  if #starts == 0 then
    errors.raise("%s: %d rows have no window of %d, each %d rows from the next", where, last - first,
      options.sequence_length, options.sampling_rate or 1)
  end
  local windows = dataset.of_rows(tensor.new(starts, { dtype = "int64" }) + first)
  if options.shuffle then
    windows = windows:shuffle(#starts, { seed = options.seed })
  end
  local offsets = ops.cast(ops.iota(options.sequence_length) * (options.sampling_rate or 1), "int64")
  windows = windows:map(function(start)
    local x = ops.gather(data, start + offsets, 0)
    if targets then
      return x, ops.gather(targets, start, 0)
    end
    return x
  end)
  if options.batch_size == false then
    return windows
  end
  return windows:batch(options.batch_size or 128):prefetch()
end

return arrays
