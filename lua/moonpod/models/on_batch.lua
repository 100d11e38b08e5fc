-- on_batch - steps on tensors that are given directly, and predictions by them; train_on_batch.lua has the others.

local declare = require "moonpod.base.arguments"
local func = require "moonpod.func"
local feed = require "moonpod.models.feed"
local step_functions = require "moonpod.models.step_functions"
local tensor = require "moonpod.tensor"

local methods = {}

local Tensor = tensor.Tensor

local unpack = table.unpack or unpack -- luacheck: ignore

-- Runs one step of a kind on tensors given directly.
function methods.run(self, kind, x, y, sample_weight, class_weight)
  local leaves, decoder = feed.batch(x, y, sample_weight, class_weight)
  return step_functions.find(self, kind, decoder)(unpack(leaves))
end

-- By model: what its last prediction was made by, where the next one may be made by it as well. The model's function
-- keeps it.
local again = setmetatable({}, { __mode = "kv" })

--- The outputs for one batch.
---@param x tensor|table
---@return tensor|table
---@example pod.models.sequential({ pod.layers.dense(3) }):predict_on_batch(pod.ones { 4, 2 }).shape --> (4, 3)
function methods:predict_on_batch(x)
  -- Which function a tensor goes to is known from the last one until the model is compiled.
  if getmetatable(x) == Tensor and #x.shape > 0 then
    local state = self._state
    local known = state.predicts_one
    if not known or known.functions ~= state.functions then
      local _, decoder = feed.batch(x)
      known = { fn = step_functions.find(self, "predict", decoder), functions = state.functions }
      known.is_compiled = func.is_func(known.fn)
      state.predicts_one = known
    end
    if known.is_compiled then
      local y = func.call_with_one(known.fn, x)
      again[self] = func.again(known.fn)
      return y
    end
    return known.fn(x)
  end
  return methods.run(self, "predict", x)
end

-- The method predict_on_batch, which refuses what is no model, with the shortest way before it.
function methods.with_again(method)
  return declare.with_ways(method, again)
end

return methods
