-- pause - where a run in slices of time (run.lua) lets others go on: before each slice of an execution, between two
-- executions, and between what an epoch ends with.

local coroutines = require "moonpod.base.coroutines"
local core = require "moonpod.core"
local device = require "moonpod.tensor.device"

local pause = {}

-- The most batches that are made before an execution: as many as in a fit that nobody pauses.
local MOST_READY = 16

-- Whether there is time to go on, for a run that has an end of its time. Once behind each begin of it there is.
local function has_time(self)
  local has = self.state == "going"
    and (self._is_new or self._until > core.clock() and not device.context():yields())
  self._is_new = self._is_new and not has
  return has
end

-- Of a run: what it has around its slices. What the engine asks of it is in Func.run_steps(); done: how many steps of
-- the present execution are done when the engine is asked for the rest of them.
function pause.new(self)
  local made = { done = 0 }
  function made.wait()
    made.began = true
    while true do
      if self._training.halted or self.state == "going" and not self._until then
        return 0
      elseif has_time(self) then
        return math.max(1, math.floor((self._until - core.clock()) * 1e9))
      end
      coroutines.pause()
    end
  end
  -- A host whose frames wait for a slice has to allow threads.
  function made.is_alone()
    return self.is_stepped and not device.has_threads()
  end
  -- Between two things of which each is done as a whole, from the first step on.
  function made.rest()
    while self._training.total > 0 and not self._training.halted and self._until and not has_time(self) do
      coroutines.pause()
    end
  end
  function made.meet(written, read)
    self._snapshots:note(written, read)
    if not self._training.evaluation_iterator and made.done == 0 then -- else training.total is behind
      self._snapshots:pass()
    end
  end
  -- Before an execution: makes what it reads ready, where that takes time: `batches` is how many steps it may have.
  -- Until the first was begun there is no break: see run.begin(). Returns false and why it failed.
  function made.ready(iterator)
    made.batches = nil
    if not iterator.takes_time or not iterator:takes_time() then
      return true
    end
    repeat
      local nanoseconds = made.began and made.wait() or 0
      local most = made.began and not self._training.halted and MOST_READY or 1
      local ok, ready, ended = pcall(iterator.make_ready, iterator, nanoseconds, most)
      if not ok then
        return false, ready
      end
      made.batches = ready
    until ready > 0 or ended
    return true
  end
  -- Between two executions: how many steps the next has, `want` at most.
  function made.pass(want)
    local training = self._training
    while training.back_to and training.total >= training.back_to do
      training.back_to = nil
      coroutines.pause()
    end
    return training.back_to and math.min(want, training.back_to - training.total) or want
  end
  return made
end

return pause
