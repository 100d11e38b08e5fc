-- What dropout leaves out of the inputs and states of recurrent layers: the same in all steps of a sequence (Gal and
-- Ghahramani 2016). A cell draws its masks in the first step and keeps them until somebody resets them: the layer that
-- walks with it does so behind each sequence.

local ops = require "moonpod.ops"
local random = require "moonpod.func.random"
local random_state = require "moonpod.func.random_state"
local shapes = require "moonpod.base.shapes"
local trace = require "moonpod.tensor.trace"

local dropout_masks = {}

local fill = shapes.fill

-- How many masks a recurrence of so many gates draws of each kind: with recurrent_dropout each gate has its own.
function dropout_masks.count(config, gates)
  return config.recurrent_dropout > 0 and gates or 1
end

-- Ones of the shape and type of `like`. On one of several replicas they have the rows of x, which each draws for
-- itself: states that begin as zeros belong to no row.
local function ones_of(like, x)
  local ones = ops.ones_like(like)
  if not trace.enclosing "core" then
    return ones
  end
  local size, dims = fill(#x.shape, 1), fill(#like.shape, 1)
  size[1], dims[1] = x.shape[1], x.shape[1]
  local of_row = ops.reshape(ops.slice(x, fill(#x.shape, 0), size), dims)
  return ops.where(ops.equal(of_row, of_row), ones, ones)
end

-- A list of `count` masks of the shape and type of `like` for rows of x, drawn by config.seed; nil where rate is 0.
function dropout_masks.draw(config, like, x, rate, count)
  if rate == 0 then
    return nil
  end
  local list, ones = {}, ones_of(like, x)
  for i = 1, count do
    list[i] = random.dropout(ones, rate, { seed = random_state.seed_of_call(config) })
  end
  return list
end

-- x with the share taken off that the mask of gate i leaves out; one mask is for all gates, nil leaves out nothing.
function dropout_masks.apply(x, masks, i)
  return masks and x * (masks[i] or masks[1]) or x
end

-- A function of the graph that drew a mask can use it while it is traced: none of another, and none that was drawn in a
-- loop's body that has ended.
local function is_usable(entry, like)
  local drawn = entry.list[1]
  if drawn.dtype ~= like.dtype or drawn.shape ~= like.shape then
    return false
  end
  local now = trace.top()
  while now and now ~= entry.trace and now.kind ~= "func" and now.kind ~= "eager" do
    now = now.parent
  end
  return now ~= nil and (now == entry.trace or now.kind == "eager" and entry.trace.kind == "eager")
end

-- Where a cell keeps its masks: those of the function that is traced with the trace, those by hand with the cell.
local function kept_by(cell)
  local func = trace.enclosing "func"
  if not func then
    local own = cell._state.dropout_masks or {}
    cell._state.dropout_masks = own
    return own
  end
  func.dropout_masks = func.dropout_masks or {}
  func.dropout_masks[cell] = func.dropout_masks[cell] or {}
  return func.dropout_masks[cell]
end

-- The masks of a cell that are named `key`: those it has, else what dropout_masks.draw() gives, which it keeps.
function dropout_masks.of_cell(cell, key, like, x, rate, count)
  if rate == 0 then
    return nil
  end
  local kept = kept_by(cell)
  if not kept[key] or not is_usable(kept[key], like) then
    kept[key] = { trace = trace.top(), list = dropout_masks.draw(cell.config, like, x, rate, count) }
  end
  return kept[key].list
end

-- Forgets the masks of a cell that are named `key`.
function dropout_masks.forget(cell, key)
  kept_by(cell)[key] = nil
end

-- Forgets all masks of a cell, and of those that it is made of.
function dropout_masks.forget_all(cell)
  cell:each_layer(function(one)
    if one.reset_dropout_mask then
      dropout_masks.forget(one, "inputs")
      dropout_masks.forget(one, "states")
    end
  end)
end

return dropout_masks
