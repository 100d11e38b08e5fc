-- compile - configures training.

local errors = require "moonpod.base.errors"
local feed = require "moonpod.models.feed"
local readable = require "moonpod.base.readable"
local strategies = require "moonpod.func.strategies"
local losses = require "moonpod.losses"
local metrics = require "moonpod.metrics"
local not_finite = require "moonpod.models.not_finite"
local trainable_flags = require "moonpod.models.trainable_flags"
local optimizers = require "moonpod.optimizers"
local is_whole = require "moonpod.base.kinds".is_whole

local methods = {}

local COMPILE = { optimizer = true, loss = true, loss_weights = true, metrics = true, weighted_metrics = true,
  run_eagerly = true, steps_per_execution = true, steps_per_exec = true, jit_compile = true, auto_scale_loss = true,
  on_nan = true }

-- Names that say what they are once the shapes of the outputs are known.
local OF_SHAPES = { crossentropy = true, ce = true }

-- Calls check_one(value) for each loss or metric of nested tables that does not wait for shapes.
local function check_each(given, where, check_one, level)
  if readable.is_plain(given) then
    level = errors.level_below(level, where)
    for _, item in pairs(given) do
      check_each(item, where, check_one, level)
    end
  elseif given ~= nil and not OF_SHAPES[given] then
    check_one(given)
  end
end

local function check_metrics(model, given)
  check_each(given, "compile: metrics", function(one)
    if metrics.is_metric(one) then
      strategies.check_same(model, one, "metric")
    elseif one ~= "acc" and not metrics.by_name[one] and type(one) ~= "function" and not losses.is_loss(one) then
      metrics.get(one, "compile")
    end
  end)
end

-- What compile was given as the loss, as a function of targets and predictions where it is one loss.
function methods:_compiled_loss()
  local given = self._state.compile_options and self._state.compile_options.loss
  if given == nil or type(given) == "table" and not losses.is_loss(given) then
    return given
  end
  return losses.get(given, "compile")
end

--- Configures training: the optimizer, the loss, metrics, and how steps are run.
---@param options.optimizer string|optimizer what makes steps of gradients (default "rmsprop")
---@param options.loss string|loss|function|table of the outputs; a list or a table by names of outputs where there are
---   several
---@param options.loss_weights number[]|table how much the loss of each output counts
---@param options.metrics table names, metrics or functions; lists of such for each output
---@param options.weighted_metrics table metrics that get sample and class weights, too
---@param options.run_eagerly boolean whether steps run one operation after the other, to look into them
---@param options.steps_per_execution integer|"auto" how many steps run at once without a return to Lua (default 1)
---@param options.steps_per_exec integer the same
---@param options.jit_compile boolean|"auto" for Keras' sake: steps are always compiled
---@param options.auto_scale_loss boolean whether float16 models get loss scaling
---@param options.on_nan "terminate"|"hunt" what is done where the loss is not finite: nothing, training ends, or the
---   operation that made it is found, slowly
---@error a name of an optimizer, loss or metric is not known; one of them was made under another strategy
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = pod.optimizers.adam(0.01), loss = "mse", metrics = { "mae" } }
--- ```
function methods:compile(options)
  options = options or {}
  errors.check_options(options, COMPILE, "compile")
  if options.steps_per_execution ~= nil and options.steps_per_exec ~= nil then
    errors.raise("compile: steps_per_execution and steps_per_exec are one option; give one of them")
  end
  if self.compiled and require("moonpod.tensor.trace").is_tracing() then
    errors.raise("compile: a loss, metric or layer that is being traced cannot compile its model anew; "
      .. "a callback's hook can")
  end
  local steps = options.steps_per_execution or options.steps_per_exec or 1
  if steps ~= "auto" and not is_whole(steps, 1) then
    errors.raise("compile: steps_per_execution must be a whole number from 1, or \"auto\"; got %s",
      errors.describe(steps))
  end
  local strategy, on_nan = self._strategy, not_finite.read(options)
  if optimizers.is_optimizer(options.optimizer) then
    strategies.check_same(self, options.optimizer, "optimizer")
  end
  strategies.within(strategy, function()
    local optimizer = optimizers.get(options.optimizer or "rmsprop", "compile")
    strategies.check_same(self, optimizer, "optimizer")
    if options.auto_scale_loss ~= false and self:compute_dtype() == "float16" and not optimizer.dynamic_scale then
      optimizer = optimizers.loss_scale_optimizer(optimizer)
    end
    self.optimizer = optimizer
    self.loss_tracker = metrics.mean { name = "loss" }
  end)
  check_metrics(self, options.metrics)
  check_metrics(self, options.weighted_metrics)
  check_each(options.loss, "compile: loss", function(one)
    losses.get(one, "compile")
  end)
  self._state.compile_options = options
  self._state.compiled_at = errors.location()
  self.steps_per_execution = steps
  self._state.on_nan = on_nan
  self._state.compiled_loss = nil
  self._state.compiled_metrics = nil
  self._state.output_trackers = {}
  feed.forget_functions(self)
  trainable_flags.note(self)
  self._state.trainable_warned = nil
  self.compiled = true
end

return methods
