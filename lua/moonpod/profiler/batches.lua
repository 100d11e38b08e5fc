-- batches - a callback that records a profile of some batches of a training: fit's option profile_batch.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local profile = require "moonpod.profiler.profile"
local span = require "moonpod.tensor.span"
local warnings = require "moonpod.base.warnings"
local is_whole = require "moonpod.base.kinds".is_whole

-- Batches of the execution that comes next, as far as is known.
local function next_batches(model)
  local steps = model.steps_per_execution
  return type(steps) == "number" and steps or 1
end

local function finish(self)
  local recorded = span.stop()
  self.recording = false
  self.profile = profile.new(recorded, self.note)
  if self.directory then
    self.profile:save(self.directory)
  end
end

local class = callback.subclass {
  name = "profile_batch",

  setup = function(self, first, last, directory)
    self.first, self.last, self.directory, self.done = first, last, directory, 0
  end,

  -- An execution is recorded whole: it may begin before the first batch and end behind the last.
  on_train_batch_begin = function(self)
    if not self.profile and not self.recording and self.done + next_batches(self.model) >= self.first then
      if span.recorded() then
        errors.raise("fit: profile_batch: a profile is being recorded already")
      end
      self.recording = true
      span.start()
    end
  end,

  on_train_batch_end_lazy = function(self, batch)
    self.done = self.done + batch - (self.batch or -1)
    self.batch = batch
    if self.recording and self.done >= self.last then
      finish(self)
    end
  end,

  on_epoch_begin = function(self)
    self.batch = nil
  end,

  close = function(self)
    if self.recording then
      self.note = ("the training ended behind batch %d, before batch %d"):format(self.done, self.last)
      finish(self)
    elseif not self.profile then
      warnings.warn("fit: profile_batch: the training ended behind batch %d, before batch %d: nothing was recorded",
        self.done, self.first)
    end
    if self.model.history then
      self.model.history.profile = self.profile
    end
  end,
}

---@name pod.profiler.batches
--- A callback that records a profile of some batches of a training: what `fit`'s option `profile_batch` adds.
---@param given integer|table the number of a batch, from 1, or { first, last }, with the field `directory` to save it
---@param where? string what messages begin with
---@return callback whose `profile` is there when the batches are done
---@example pod.profiler.batches({ 2, 3 }).last --> 3
return function(given, where)
  local first, last, directory = given, given, nil
  if type(given) == "table" then
    first, last, directory = given[1], given[2] or given[1], given.directory
  end
  if not is_whole(first, 1) or not is_whole(last, first) then
    errors.raise("%s: 'profile_batch' must be { first, last }, batches of this training counted from 1, not %s",
      where or "fit", errors.describe(given))
  end
  return class(first, last, directory)
end
