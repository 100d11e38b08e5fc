-- step_functions - steps of models as compiled functions, for the batches of all replicas.

local errors = require "moonpod.base.errors"
local lint = require "moonpod.base.lint"
local core_step = require "moonpod.func.core_step"
local func = require "moonpod.func"
local feed = require "moonpod.models.feed"
local per_replica = require "moonpod.distribute.per_replica"
local readable = require "moonpod.base.readable"
local saving = require "moonpod.models.saving_memory"
local ops = require "moonpod.ops"
local nest = require "moonpod.tensor.nest"
local specs = require "moonpod.func.specs"

require "moonpod.distribute" -- methods of strategies

local step_functions = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local function count_rows(self, data)
  local first = nest.first(data[1])
  self._state.rows = ops.dimension_size(first, 0)
end

-- Runs one step on every replica's shard of a batch.
local function run_shards(self, kind, decoder, arguments)
  local strategy = self._strategy
  local shards = {}
  for i, t in ipairs(arguments) do
    if #t.shape == 0 then
      errors.raise("model '%s': a part of the data is a single number, without rows; make batches of the dataset: "
        .. "dataset:batch(32)", self.name)
    end
    shards[i] = strategy:split(t)
  end
  saving.remember(self, kind, decoder, arguments)
  local results = strategy:run(function(...)
    local data = decoder:decode(...)
    if kind ~= "predict" and decoder.class_weight then
      data[3] = require("moonpod.models.compiled").class_weights(decoder.class_weight, data[2], data[3])
    end
    count_rows(self, data)
    local step = self[kind .. "_step"]
    lint.warn(step, {}, ("%s_step of model '%s'"):format(kind, self.name))
    local out = saving.with_rows(self, step, self, data)
    self._state.rows = nil
    if kind ~= "predict" and out ~= nil and not readable.is_plain(out) then
      errors.raise("model '%s': %s_step returned %s; return a table of tensors by name, or nothing", self.name, kind,
        errors.describe(out))
    end
    return out
  end, shards)
  if results == nil then
    return nil
  end
  if kind == "predict" then
    return nest.map(results, function(value)
      return per_replica.is(value) and per_replica.joined(value) or value
    end)
  end
  return nest.map(results, function(value)
    return per_replica.is(value) and per_replica.total(value) or value
  end)
end

local function run_replicas(self, kind, decoder, arguments)
  if kind == "train" then
    local trainable_flags = require "moonpod.models.trainable_flags"
    return trainable_flags.as_compiled(self, run_shards, self, kind, decoder, arguments)
  end
  return run_shards(self, kind, decoder, arguments)
end

-- The step of a kind ("train", "test", "predict") on a global batch that a decoder of feed takes, for a trace: what
-- fit runs.
function step_functions:_global_step(kind, decoder, arguments)
  return run_replicas(self, kind, decoder, arguments)
end

-- The compiled function of a kind of step for data of a decoder.
function step_functions.find(self, kind, decoder)
  return decoder:function_of(self, kind, function()
    local fit_check = kind == "train" and require "moonpod.models.fit_check" -- which a prediction need not load
    local function body(...)
      if fit_check then
        return fit_check.run(self, run_replicas, self, kind, decoder, { ... })
      end
      return run_replicas(self, kind, decoder, { ... })
    end
    local eager = self._state.compile_options and self._state.compile_options.run_eagerly
    local made = eager and feed.eager(body) or func.new(body, { name = self.name .. "_" .. kind .. "_step" })
    made.on_trace = fit_check and fit_check.of_function(self)
    return made
  end)
end

-- Traces the step of a kind for the next batch of an iterator, and compiles it; nothing is run, and the iterator stays
-- where it is. What a trace makes is there then: metrics, weights of layers, the optimizer's variables.
function step_functions.trace(self, kind, decoder, iterator)
  local leaves = specs.stand_ins(iterator:peek_spec())
  local fn = step_functions.find(self, kind, decoder)
  if fn.concrete then
    fn:concrete(unpack(leaves))
  else
    core_step.trace(self.name, fn, leaves):close()
  end
end

return step_functions
