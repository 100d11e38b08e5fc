-- training_run - one run of fit: where it is, and how it goes on where another one stood.
--
-- Callbacks that have prepare(self, run) are asked before training begins; one that kept another run's state calls
-- run:resume(position, restore) then.

local errors = require "moonpod.base.errors"
local schema = require "moonpod.base.schema"
local step_functions = require "moonpod.models.step_functions"

local training_run = {}

local Run = {}
Run.__index = Run

-- fields: model, source, evaluation (nil: none), list (of callbacks), options (of fit), iterator, reopen (makes a
-- source that shuffles by a seed). Besides there are epoch (the present one, or where `is_done` the last), steps
-- (batches done of it) and logs (the newest).
function training_run.new(fields)
  local self = setmetatable(fields, Run)
  self.epoch, self.steps, self.is_done = fields.options.initial_epoch or 0, 0, false
  self.total = 0 -- steps of this run, over all epochs
  return self
end

-- What is said where the run is interrupted.
function Run:interrupted()
  return ("interrupted after %d steps of epoch %d; the weights are those of the last step, and model.history holds the "
    .. "epochs done"):format(self.steps, self.epoch + 1)
end

-- Where the run is, in plain values. Between two executions, or behind an epoch.
function Run:position()
  return { epoch = self.epoch, steps = self.steps, is_done = self.is_done, logs = self.logs,
    stops = self.model.stop_training == true, batches_seen = self.list.batches_seen,
    shuffle_seed = self.source.shuffle_seed }
end

-- What position() gives, read from a file.
training_run.POSITION = schema.object { epoch = schema.count, steps = schema.count,
  is_done = schema.optional(schema.boolean), stops = schema.optional(schema.boolean), batches_seen = schema.count,
  logs = schema.optional(schema.map_of(schema.numbers)), shuffle_seed = schema.optional(schema.count) }

-- Goes on from a position of another run. restore(self) puts everything else back, or refuses to and changes nothing;
-- it is called now, so that callbacks find it when they begin, and once more behind what they do there.
function Run:resume(position, restore)
  local seed = position.shuffle_seed
  if self.source.shuffle_seed and seed and seed ~= self.source.shuffle_seed then
    self.iterator:close()
    self.source = self.reopen(seed)
    self.iterator = self.source:iterator()
  end
  -- Metrics and the optimizer's variables are made when a step is traced.
  if self.iterator:has_next() then
    step_functions.trace(self.model, "train", self.source.decoder, self.iterator)
  end
  restore(self)
  self.resumed, self.restore = position, restore
  self.epoch, self.steps, self.is_done = position.epoch, position.steps, position.is_done == true
  self.logs = position.logs
end

-- Refuses a position of another run that has no batch to go on with, where the iterator is put already.
function Run:check_position(position)
  if not position.is_done and position.steps == 0 and not self.iterator:has_next() then
    errors.raise "the data is at its end, in an epoch of which no batch was done"
  end
end

-- Whether the run goes on where another one stood.
function Run:is_resumed()
  return self.resumed ~= nil
end

-- Behind on_train_begin: where an epoch was in progress, it begins for the callbacks; then all is as it was.
function Run:begin()
  local position = self.resumed
  if not position then
    return
  end
  if not self.is_done then
    self.list:call("on_epoch_begin", self.epoch, {})
  end
  self.restore(self)
  self.list:set_batches_seen(position.batches_seen)
  self.model.stop_training = position.stops == true
end

-- The next epoch to train, and whether it is one that is in progress.
function Run:next_epoch()
  if self.is_done then
    return self.epoch + 1, false
  end
  return self.epoch, self.resumed ~= nil or self.goes_back == true
end

return training_run
