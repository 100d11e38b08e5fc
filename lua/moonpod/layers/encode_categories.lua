-- encode_categories - class numbers as vectors, and sorted numbers that are searched.

local index_numbers = require "moonpod.ops.index_numbers"
local ops = require "moonpod.ops"
local tensor = require "moonpod.tensor"

local encode_categories = {}

-- Keras' older names of modes.
encode_categories.OLDER = { binary = "multi_hot", ["tf-idf"] = "tf_idf" }

-- Class numbers in a mode: "int" as they are; "one_hot" a vector each (a last axis of one is that of the vectors);
-- "multi_hot" and "count" a vector for all along the last axis. Numbers out of range have no place in a vector.
-- weights, of the numbers' shape, are what each counts.
function encode_categories.encode(ids, mode, depth, dtype, weights)
  if mode == "int" then
    return ops.cast(ids, dtype)
  end
  local rank = #ids.shape
  if mode == "one_hot" and rank > 1 and ids.shape[rank] == 1 then
    ids = ops.squeeze(ids, -1)
  end
  local hot = ops.one_hot(index_numbers(ids), depth, { dtype = dtype })
  if mode == "one_hot" or rank == 0 then
    return weights and hot * ops.expand_dims(ops.cast(weights, dtype), -1) or hot
  elseif mode == "multi_hot" then
    return ops.max(hot, rank - 1)
  end
  return ops.sum(weights and hot * ops.expand_dims(ops.cast(weights, dtype), -1) or hot, rank - 1)
end

-- Below so many entries each is compared with each.
local FEW = 32

-- How many entries of a sorted list are at most x: int32 of x's shape. All are for NaN, as NumPy's digitize has it.
function encode_categories.count_below(x, sorted, dtype)
  local count = #sorted
  local entries = tensor.new(sorted, { dtype = dtype })
  x = ops.cast(x, dtype)
  if count <= FEW then
    return ops.sum(ops.cast(ops.logical_not(ops.greater(entries, ops.expand_dims(x, -1))), "int32"), #x.shape)
  end
  local step = 1
  while step * 2 <= count do
    step = step * 2
  end
  local found = ops.zeros_like(x, "int32")
  while step >= 1 do
    local next_place = found + step
    local entry = ops.gather(entries, ops.minimum(next_place, count) - 1, 0)
    local fits = ops.logical_and(ops.less_equal(next_place, count), ops.logical_not(ops.greater(entry, x)))
    found = ops.where(fits, next_place, found)
    step = step / 2
  end
  return found
end

return encode_categories
