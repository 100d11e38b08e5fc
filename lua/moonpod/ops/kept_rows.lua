-- kept_rows - rows that a mask keeps, in a step that is traced: all rows go on, as programs have fixed sizes. What is
-- made of them remembers the mask, and what is folded over rows leaves the others out. An op for which that is not
-- known is an error.

local around = require "moonpod.base.around"
local boolean_mask = require "moonpod.ops.boolean_mask"
local errors = require "moonpod.base.errors"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"
local trace = require "moonpod.tensor.trace"

local kept_rows = {}

-- What rows that are left out count as where values are folded.
local NEUTRAL = { reduce_sum = 0, reduce_product = 1, reduce_max = -math.huge, reduce_min = math.huge,
  reduce_or = false, reduce_and = true }

local ROW_BY_ROW = tables.set_of { "relu", "softplus", "gelu", "silu", "softmax", "log_softmax",
  "sparse_softmax_cross_entropy", "softmax_cross_entropy", "sigmoid_cross_entropy", "layer_normalization",
  "rms_normalization" }

local function mark_of(self, value)
  return type(value) == "table" and rawget(value, "_trace") == self and self.kept[value._id] or nil
end

local function put(self, t, mark, axis)
  self.kept[t._id] = { rows = mark.rows, axis = axis, count = mark.count, size = mark.size }
  return t
end

local function refuse(what)
  errors.raise("boolean_mask: %s of rows that a mask keeps is not known where all rows go on; multiply by the mask "
    .. "(x * pod.cast(mask, x.dtype)), or take pod.masked_loss", what)
end

-- A tensor of the mask that broadcasts against x, whose kept rows are along its mark's axis.
local function spread(x, mark)
  local dims = {}
  for i = 1, #x.shape do
    dims[i] = i == mark.axis + 1 and mark.size or 1
  end
  return ops.reshape(mark.rows, dims)
end

-- x with a number in the place of the rows that are left out.
local function filled(x, mark, value)
  local fill = type(value) == "boolean" and ops.full({}, value, "bool") or ops.full({}, value, x.dtype)
  return ops.where(spread(x, mark), x, ops.broadcast_to(fill, x.shape))
end

-- The mark that the result of an elementwise op of some operands has: their axes are counted from the end.
local function join(self, operands, rank)
  local found
  for _, t in ipairs(operands) do
    local mark = mark_of(self, t)
    local axis = mark and mark.axis + rank - #t.shape
    if found and mark and not (rawequal(found.rows, mark.rows) and found.axis == axis) then
      refuse "an op of two selections"
    end
    found = found or mark and { rows = mark.rows, axis = axis, count = mark.count, size = mark.size }
  end
  for _, t in ipairs(operands) do
    local at = found.axis + #t.shape - rank
    if not mark_of(self, t) and at >= 0 and t.shape[at + 1] ~= 1 then
      refuse "an op of other rows and"
    end
  end
  return found
end

local function elementwise(self, operands, make)
  local t = make()
  local mark = join(self, operands, #t.shape)
  return put(self, t, mark, mark.axis)
end

-- Whether an array of axes (nil: all) has the mark's, and where that axis is afterwards.
local function folds(axes, mark, keep)
  local before = 0
  for _, axis in ipairs(axes or {}) do
    if axis == mark.axis then
      return true
    end
    before = before + (axis < mark.axis and 1 or 0)
  end
  return axes == nil, mark.axis - (keep and 0 or before)
end

local function folded(self, x, axes, keep, neutral, make)
  local mark = mark_of(self, x)
  local whole, axis = folds(axes, mark, keep)
  if not whole then
    return put(self, make(x), mark, axis)
  end
  return make(filled(x, mark, neutral)), mark
end

-- The mean over kept rows. The divisor tells by the size of the shard in it that it is of a replica's own rows
-- (func/own_means.lua).
local function mean(self, x, axes, keep)
  local others = 1
  for i = 1, #x.shape do
    others = (axes == nil or tables.set_of(axes)[i - 1]) and others * x.shape[i] or others
  end
  local t, mark = folded(self, x, axes, keep, 0, function(all)
    return trace.call("reduce", "reduce_sum", ops.cast(all, "float32"), axes, keep)
  end)
  if not mark then
    return ops.cast(t / others, x.dtype)
  end
  local size = ops.cast(ops.dimension_size(x, mark.axis), "float32")
  local share = ops.cast(mark.count, "float32") / size
  return ops.cast(t / (size * (share * (others / mark.size))), x.dtype)
end

local function reshaped(self, x, dims)
  local mark, t = mark_of(self, x), trace.call("reshape", x, dims)
  local before, seen = 1, 1
  for i = 1, mark.axis do
    before = before * x.shape[i]
  end
  for i = 1, #t.shape do
    if seen == before and t.shape[i] == mark.size then
      return put(self, t, mark, i - 1)
    end
    seen = seen * t.shape[i]
  end
  refuse "a reshape"
end

local function product(self, a, b)
  local mark = mark_of(self, a)
  if not mark or mark_of(self, b) or mark.axis ~= #a.shape - 2 then
    refuse "this product"
  end
  local t = trace.call("matmul", a, b)
  return put(self, t, mark, #t.shape - 2)
end

local CALLS = {
  unary = function(self, op, x)
    return elementwise(self, { x }, function() return trace.call("unary", op, x) end)
  end,
  convert = function(self, x, dtype)
    return elementwise(self, { x }, function() return trace.call("convert", x, dtype) end)
  end,
  binary = function(self, op, a, b)
    return elementwise(self, { a, b }, function() return trace.call("binary", op, a, b) end)
  end,
  compare = function(self, op, a, b)
    return elementwise(self, { a, b }, function() return trace.call("compare", op, a, b) end)
  end,
  select = function(self, p, a, b)
    return elementwise(self, { p, a, b }, function() return trace.call("select", p, a, b) end)
  end,
  broadcast_to = function(self, x, dims)
    return elementwise(self, { x }, function() return trace.call("broadcast_to", x, dims) end)
  end,
  transpose = function(self, x, order)
    local mark, t = mark_of(self, x), trace.call("transpose", x, order)
    for i = 1, #x.shape do
      if (order and order[i] or #x.shape - i) == mark.axis then
        return put(self, t, mark, i - 1)
      end
    end
  end,
  reduce = function(self, op, x, axes, keep)
    local kind = x.dtype:sub(1, 3)
    local is_float = kind == "flo" or kind == "bfl"
    if NEUTRAL[op] == nil or (not is_float and math.abs(tonumber(NEUTRAL[op]) or 0) == math.huge) then
      refuse(op)
    end
    return (folded(self, x, axes, keep, NEUTRAL[op], function(all)
      return trace.call("reduce", op, all, axes, keep)
    end))
  end,
  mean = mean, reshape = reshaped, matmul = product,
}

local APPLIES = {
  stop_gradient = function(self, inputs, ...)
    local mark = mark_of(self, inputs[1])
    return put(self, trace.apply("stop_gradient", inputs, ...), mark, mark.axis)
  end,
  clamp = function(self, inputs, attributes)
    return elementwise(self, inputs, function() return trace.apply("clamp", inputs, attributes) end)
  end,
  with_rows = function(self, inputs, ...)
    local mark = mark_of(self, inputs[2])
    return put(self, trace.apply("with_rows", inputs, ...), mark, mark.axis)
  end,
  dimension_size = function(self, inputs, attributes)
    local mark = mark_of(self, inputs[1])
    return attributes.axis == mark.axis and mark.count or trace.apply("dimension_size", inputs, attributes)
  end,
}

local function composite(self, name, inputs, attributes)
  local mark = mark_of(self, inputs[1])
  local second = inputs[2] and mark_of(self, inputs[2])
  local last = mark and mark.axis == #inputs[1].shape - 1
  if not ROW_BY_ROW[name] or not mark or last and name ~= "relu" and name ~= "sigmoid_cross_entropy"
    or attributes and attributes.axis == mark.axis
    or name:find "cross_entropy" and not (second and rawequal(second.rows, mark.rows) and second.axis == mark.axis) then
    refuse(name)
  end
  return put(self, trace.composite(name, inputs, attributes), mark, mark.axis)
end

local function is_kept(self, list, count)
  for i = 1, count do
    if mark_of(self, list[i]) then
      return true
    end
  end
  return false
end

-- What fn returns, whose ops mean what they say.
local function quietly(self, fn, ...)
  local asks = self.asks
  return around(function()
    self.asks = nil
  end, function()
    self.asks = asks
  end, fn, ...)
end

-- What a trace asks before each op, by the function of trace that makes it, its name and operands; nil where none of
-- these is of kept rows.
local function ask(self, way, name, ...)
  local operands, count = { ... }, select("#", ...)
  if way ~= "call" then
    operands, count = operands[1], #operands[1]
  end
  if not is_kept(self, operands, count) then
    return nil
  elseif way == "composite" then
    return quietly(self, composite, self, name, ...)
  end
  local rule = (way == "call" and CALLS or APPLIES)[name]
  if not rule then
    refuse(("'%s'"):format(name))
  end
  return quietly(self, rule, self, ...)
end

-- In the place of a selection: all rows, those that are left out with zeros, so that no NaN comes of them.
local function select_rows(rows, mask, axis, said)
  local self = trace.top()
  if self.asks and is_kept(self, { rows, mask }, 2) then
    refuse "a selection"
  end
  self.kept, self.asks, self.masks = self.kept or {}, ask, self.masks or {}
  return quietly(self, function()
    local known = self.masks[said] or { rows = mask, count = ops.sum(ops.cast(mask, "int32")) }
    self.masks[said] = known
    local mark = { rows = known.rows, count = known.count, axis = axis, size = rows.shape[axis + 1] }
    return put(self, filled(rows, mark, rows.dtype == "bool" and false or 0), mark, axis)
  end)
end

--- Calls fn(...), a step that is traced, in which selections by a mask are such rows; returns what it returns.
function kept_rows.with(fn, ...)
  local results = { boolean_mask.standing_in(select_rows, fn, ...) }
  local self = trace.top()
  for _, t in ipairs(nest.flatten(results)) do
    if self.kept and mark_of(self, t) then
      refuse "a result"
    end
  end
  return results[1]
end

return kept_rows
