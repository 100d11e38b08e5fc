-- backup_and_restore - keeps all that a run needs to go on where it was, should it end before its time, and goes on
-- there: weights, optimizer, random numbers, the position in the data, metrics, the history, what callbacks keep. The
-- run that goes on ends with the bits of one that was never stopped.
--
-- Options as Keras': backup_dir (a folder for nothing else), save_freq ("epoch", a number of batches, or false),
-- double_checkpoint (false: true keeps the state before the last one, too), delete_checkpoint (true: nothing stays of a
-- run that came to its end).

local device = require "moonpod.tensor.device"
local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local file = require "moonpod.saving.file"
local folders = require "moonpod.callbacks.folders"
local model_state = require "moonpod.saving.model_state"
local ranks = require "moonpod.func.ranks"
local save_times = require "moonpod.callbacks.save_times"
local schema = require "moonpod.base.schema"
local states = require "moonpod.callbacks.states"
local tables = require "moonpod.base.tables"
local training_run = require "moonpod.models.training_run"
local warnings = require "moonpod.base.warnings"

local function setup(self, where)
  if self.backup_dir == nil then
    errors.raise("%s: 'backup_dir' is missing", where)
  elseif self.backup_dir == "" then
    errors.raise "Empty `backup_dir` argument passed"
  elseif self.save_freq ~= false then
    save_times.check(self.save_freq, "Invalid value for argument `save_freq`. Received: save_freq=%s. Expected either "
      .. "'epoch' or an integer value.")
  end
  local stem = self.backup_dir:gsub("/+$", "") .. "/backup-"
  self.paths = { stem .. "1.safetensors", stem .. "2.safetensors" }
  self.batches_since, self.serial, self.runs_last = 0, 0, true
end

-- ---- going on ------------------------------------------------------------------------------------------------------

-- What is written beside the state of the model. `begins`: nothing was trained yet.
local EXTRA = schema.object { serial = schema.count, callbacks = schema.map_of(schema.any),
  position = training_run.POSITION, begins = schema.optional(schema.boolean) }

local function read(path)
  local found = model_state.open(file.read(path), path, EXTRA)
  if not found.extra then
    errors.raise("%s: the file is none that backup_and_restore wrote", path)
  end
  found.callbacks = states.unpack(found.extra.callbacks, found.tensors)
  return found
end

-- The states that can be read, the newest first, and why others cannot.
local function find_all(self)
  local list, failure = {}, nil
  for _, path in ipairs(self.paths) do
    folders.clean(path)
    if folders.exists(path) then
      local ok, found = errors.attempt(read, path)
      list[#list + 1] = ok and found or nil
      failure = failure or not ok and tostring(found) or nil
    end
  end
  table.sort(list, function(a, b)
    return a.extra.serial > b.extra.serial
  end)
  return list, failure
end

-- Goes on from one state: all of it is put back, or nothing.
local function go_on_from(self, run, found)
  local extra = found.extra
  run.list:check_states(found.callbacks, found.path)
  local function finish()
    if not extra.begins then
      errors.reading(found.path, run.check_position, run, extra.position)
    end
    for _, key in ipairs(run.list:set_states(found.callbacks)) do
      warnings.warn("backup_and_restore: '%s' has the state of callback '%s', which this run does not have",
        self.backup_dir, key)
    end
  end
  if extra.begins then
    finish()
  else
    run:resume(extra.position, function()
      model_state.apply(self.model, found, { iterator = run.iterator, metrics = true, finish = finish })
    end)
  end
  self.serial = extra.serial
end

local function resume(self, run)
  self.serial, self.batches_since, self.last_batch = 0, 0, nil
  local list, failure = find_all(self)
  for _, found in ipairs(list) do
    local ok, message = errors.attempt(go_on_from, self, run, found)
    if ok then
      if failure then
        warnings.warn("backup_and_restore: a state in '%s' cannot be read (%s); training goes on from the one before",
          self.backup_dir, failure)
      end
      return
    end
    failure = failure or tostring(message)
  end
  if failure then
    errors.raise("backup_and_restore: no state in '%s' can be read: %s. Delete the folder to train from the beginning",
      self.backup_dir, failure)
  end
end

local function prepare(self, run)
  resume(self, run)
  local serials = ranks.gather(("%d"):format(self.serial))
  for rank = 2, #serials do
    if serials[rank] ~= serials[1] then
      errors.raise("backup_and_restore: rank %d finds state %s in '%s', and rank 0 state %s: all hosts must see one "
        .. "folder", rank - 1, serials[rank], self.backup_dir, serials[1])
    end
  end
end

-- ---- keeping -------------------------------------------------------------------------------------------------------

local function write(self, model, options, extra)
  local tensors = {}
  extra.position, extra.serial = self.run:position(), self.serial
  extra.callbacks = states.pack(self.run.list:get_states(), tensors)
  self.run.list:sync()
  options.extra = extra
  local content = model_state.capture(model, options)
  tables.extend(content.tensors, tensors)
  local path = self.paths[self.double_checkpoint and self.serial % 2 + 1 or 1]
  folders.make_for(path)
  self.writing = file.write(path, content, { background = true })
end

local function save(self)
  save_times.finish_writing(self)
  self.serial = self.serial + 1
  write(self, self.model, { iterator = self.run.iterator, metrics = true }, {})
end

-- A run that ends before its first state was kept begins anew, and so do the files that callbacks add to.
local function on_train_begin(self)
  if self.save_freq and not self.run:is_resumed() then
    write(self, nil, { optimizer = false }, { begins = true })
  end
end

local function on_train_batch_end_lazy(self, batch, logs)
  if type(self.save_freq) == "number" and save_times.is_due(self, batch) then
    self.run.logs = logs()
    save(self)
  end
end

local function on_epoch_end(self)
  self.last_batch = nil
  if self.save_freq == "epoch" then
    save(self)
  end
end

local function on_train_end(self)
  save_times.finish_writing(self)
  if self.delete_checkpoint then
    for _, path in ipairs(self.paths) do
      folders.clean(path)
      device.remove(path)
    end
    device.remove((self.backup_dir:gsub("/*$", "/"))) -- where it is empty, and no link to a folder
  end
end

---@name pod.callbacks.backup_and_restore
--- Keeps all that a run needs to go on where it was, should it end before its time, and goes on there. Kept are
--- weights, optimizer, random numbers, the position in the data, metrics, the history, and what callbacks keep. The run
--- that goes on ends with the bits of one that was never stopped.
---@param options.backup_dir string a folder for nothing else
---@param options.save_freq "epoch"|integer|false after each epoch, after so many batches, or only where it is
---   interrupted
---@param options.double_checkpoint boolean whether the state before the last one is kept, too
---@param options.delete_checkpoint boolean whether nothing stays of a run that came to its end
---@return callback
---@example pod.callbacks.backup_and_restore("build/backup").save_freq --> "epoch"
return callback.define {
  name = "backup_and_restore", first = "backup_dir", setup = setup,
  defaults = { save_freq = "epoch", double_checkpoint = false, delete_checkpoint = true },
  kinds = { backup_dir = "string", save_freq = "any", double_checkpoint = "boolean", delete_checkpoint = "boolean" },
  state = { batches_since = schema.count, last_batch = schema.optional(schema.count) },
  prepare = prepare, on_train_begin = on_train_begin,
  on_train_batch_end_lazy = on_train_batch_end_lazy, on_epoch_end = on_epoch_end,
  on_train_end = on_train_end, close = save_times.finish_writing,
}
