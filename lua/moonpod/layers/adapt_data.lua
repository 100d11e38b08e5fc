-- adapt_data - what adapt() of layers goes through: an array, or the batches of a dataset.

local dataset = require "moonpod.data.dataset"
local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"
local tensor = require "moonpod.tensor"

local adapt_data = {}

-- Rows of a batch where a dataset gives single rows.
local ROWS = 128

-- The first part of an element: of { x, y } that is x.
local function first_of(value, where)
  if readable.is_plain(value) then
    if value[1] == nil then
      errors.raise("%s: elements are tables by name; give one of their fields: "
        .. "ds:map(function(row) return row.NAME end)", where)
    end
    return value[1]
  end
  return value
end

adapt_data.is_dataset = dataset.is

-- Calls visit(batch) with tensors: the data itself, or each batch of a dataset, of { x, y } its x. steps: how many of
-- them.
function adapt_data.each_tensor(data, where, visit, steps)
  if not dataset.is(data) then
    if type(data) ~= "table" and type(data) ~= "number" then
      errors.raise("%s: the data are a tensor, arrays of numbers, or a dataset, not %s", where, errors.describe(data))
    end
    visit(tensor.new(data))
    return
  end
  if steps == nil then
    dataset.check_end(data, where)
  end
  local spec = first_of(data:element_spec(), where)
  if #spec.shape <= 1 and not data._batch_size then
    data = data:batch(ROWS)
  end
  data = steps and data:take(steps) or data
  local count = 0
  for x in data:iter() do
    x = first_of(x, where)
    if not tensor.is(x) then
      errors.raise("%s: elements of the dataset are %s; numbers are needed", where, errors.describe(x))
    end
    count = count + 1
    visit(x)
  end
  if count == 0 then
    errors.raise("%s: the dataset has no elements", where)
  end
end

-- Calls visit(list of strings) with the strings of an array, or with each of a dataset's elements.
function adapt_data.each_text(data, where, visit, steps)
  if dataset.is(data) then
    if steps == nil then
      dataset.check_end(data, where)
    end
    for x in (steps and data:take(steps) or data):iter() do
      x = first_of(x, where)
      if type(x) ~= "string" then
        errors.raise("%s: elements of the dataset are %s; strings are needed", where, errors.describe(x))
      end
      visit(x)
    end
    return
  end
  if type(data) == "string" then
    data = { data }
  end
  if not readable.is_plain(data) then
    errors.raise("%s: the data are an array of strings or a dataset of strings, not %s", where, errors.describe(data))
  end
  for i, text in ipairs(data) do
    if type(text) == "table" and #text == 1 then
      text = text[1]
    end
    if type(text) ~= "string" then
      errors.raise("%s: entry %d is %s; strings are needed", where, i, errors.describe(text))
    end
    visit(text)
  end
end

return adapt_data
