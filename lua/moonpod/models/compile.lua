-- compile - configures training.

local errors = require "moonpod.base.errors"
local strategies = require "moonpod.func.strategies"
local losses = require "moonpod.losses"
local metrics = require "moonpod.metrics"
local not_finite = require "moonpod.models.not_finite"
local trainable_flags = require "moonpod.models.trainable_flags"
local optimizers = require "moonpod.optimizers"

local methods = {}

local COMPILE = { optimizer = true, loss = true, loss_weights = true, metrics = true, weighted_metrics = true,
  run_eagerly = true, steps_per_execution = true, steps_per_exec = true, jit_compile = true, auto_scale_loss = true,
  on_nan = true }

local function check_metrics(model, given, level)
  if metrics.is_metric(given) then
    strategies.check_same(model, given, "metric")
  elseif type(given) == "table" and getmetatable(given) == nil then
    level = errors.level_below(level, "compile: metrics")
    for _, item in pairs(given) do
      check_metrics(model, item, level)
    end
  elseif type(given) == "string" and given ~= "accuracy" and given ~= "acc" and given ~= "ce"
    and given ~= "crossentropy" and not metrics.by_name[given] then
    metrics.get(given, "compile")
  elseif given ~= nil and type(given) ~= "string" and type(given) ~= "function" and not losses.is_loss(given) then
    metrics.get(given, "compile")
  end
end

local function check_losses(given, level)
  if type(given) == "string" and given ~= "crossentropy" and given ~= "ce" then
    losses.get(given, "compile")
  elseif type(given) == "table" and getmetatable(given) == nil then
    level = errors.level_below(level, "compile: loss")
    for _, item in pairs(given) do
      check_losses(item, level)
    end
  elseif given ~= nil and type(given) ~= "string" then
    losses.get(given, "compile")
  end
end

--- Configures training. Options: optimizer ("rmsprop"), loss, loss_weights, metrics, weighted_metrics, run_eagerly,
--- steps_per_execution (1; a number or "auto"), auto_scale_loss (true: float16 models get loss scaling), on_nan (what
--- to do when the loss is not finite: nil goes on, "terminate" stops training, "hunt" names the operation, slowly).
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
  if steps ~= "auto" and (type(steps) ~= "number" or steps < 1 or steps % 1 ~= 0) then
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
  check_losses(options.loss)
  self._state.compile_options = options
  self._state.compiled_at = errors.location()
  self.steps_per_execution = steps
  self._state.on_nan = on_nan
  self._state.compiled_loss = nil
  self._state.compiled_metrics = nil
  self._state.output_trackers = {}
  self._state.functions = {}
  trainable_flags.note(self)
  self._state.trainable_warned = nil
  self.compiled = true
end

return methods
