-- save_times - when callbacks save: behind epochs, or every so many batches, with several steps in an execution, too;
-- and waiting for the file that is being written.

local errors = require "moonpod.base.errors"
local is_whole = require "moonpod.base.kinds".is_whole

local save_times = {}

-- Refuses a save_freq that is neither "epoch" nor a number of batches.
function save_times.check(save_freq, text)
  if save_freq ~= "epoch" and not is_whole(save_freq, 1) then
    errors.raise(text, errors.describe(save_freq))
  end
end

-- Counts the batches of an execution that ended with batch `batch` of its epoch; true where it is time to save. The
-- counts are the fields batches_since and last_batch.
function save_times.is_due(self, batch)
  local last = self.last_batch
  local added = (last == nil or batch <= last) and batch + 1 or batch - last
  self.batches_since, self.last_batch = self.batches_since + added, batch
  if self.batches_since >= self.save_freq then
    self.batches_since = 0
    return true
  end
  return false
end

-- Waits for the file that a callback has begun, the field `writing`; raises what failed.
function save_times.finish_writing(self)
  local writing = self.writing
  self.writing = nil
  if writing then
    writing:wait()
  end
end

return save_times
