-- model_checkpoint - saves the model, or its weights, while it is trained.
--
-- Options as Keras': filepath ("run/{epoch:02d}-{val_loss:.2f}.safetensors"), monitor ("val_loss"), verbose (0),
-- save_best_only (false), save_weights_only (false), mode ("auto", "min", "max"), save_freq ("epoch" or a number of
-- batches), initial_value_threshold (nil); and max_to_keep: of the files that it wrote only the last so many stay.
-- The folder is made where it is not there. With verbose = 0 training goes on while a thread writes a .safetensors.

local decimal = require "moonpod.base.decimal"
local device = require "moonpod.tensor.device"
local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local folders = require "moonpod.callbacks.folders"
local monitor = require "moonpod.callbacks.monitor"
local python_text = require "moonpod.callbacks.python_text"
local save_times = require "moonpod.callbacks.save_times"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local warnings = require "moonpod.base.warnings"

local OURS = ".safetensors" -- what a thread writes

local ENDINGS = { [true] = { ".safetensors", ".weights.h5" }, [false] = { ".safetensors" } }

local function check_ending(self)
  local endings = ENDINGS[self.save_weights_only]
  for _, ending in ipairs(endings) do
    if self.filepath:sub(-#ending) == ending then
      return
    end
  end
  errors.raise("%sthe filepath provided must end in `%s`. Received: filepath=%s", self.save_weights_only
    and "When using `save_weights_only=true` in `model_checkpoint`, " or "model_checkpoint: ",
    table.concat(endings, "` or `"), self.filepath)
end

local function setup(self, where)
  monitor.setup(self, "ModelCheckpoint")
  check_ending(self)
  save_times.check(self.save_freq, "Unrecognized save_freq: %s. Expected save_freq are 'epoch' or integer values")
  if self.max_to_keep ~= nil and self.max_to_keep < 1 then
    errors.raise("%s: 'max_to_keep' must be at least 1, not %s", where, errors.describe(self.max_to_keep))
  end
  self.best, self.batches_since, self.saved = self.initial_value_threshold, 0, {}
end

-- Waits for the file that is being written; then those that are too many go.
local function settle(self)
  save_times.finish_writing(self)
  while self.max_to_keep and #self.saved > self.max_to_keep do
    device.remove(table.remove(self.saved, 1))
  end
end

local function say(self, format, ...)
  if self.verbose > 0 then
    io.write("\n", decimal.format(format, ...), "\n")
  end
end

local function path_of(self, epoch, batch, logs)
  local values = tables.merge({ batch = batch and batch + 1 }, logs, { epoch = epoch + 1 })
  values.batches = nil
  local path, why = python_text.fill(self.filepath, values, { epoch = true, batch = batch ~= nil })
  return path or errors.raise('Failed to format this callback filepath: "%s". Reason: %s', self.filepath, why)
end

-- Whether the model is to be saved now, and what is said of it.
local function should_save(self, epoch, logs, path)
  if not self.save_best_only then
    say(self, "Epoch %d: saving model to %s", epoch + 1, path)
    return true
  end
  local current = logs[self.monitor]
  if current == nil then
    warnings.warn("Can save best model only with %s available.", self.monitor)
    return true
  elseif type(current) ~= "number" then
    warnings.warn("Can save best model only when `monitor` is a scalar value. Received: %s. Falling back to "
      .. "`save_best_only=false`.", errors.describe(current))
    return true
  end
  local best = self.best and decimal.format("%.5f", self.best) or "None"
  if monitor.is_improvement(self, current, self.best) then
    say(self, "Epoch %d: %s improved from %s to %.5f, saving model to %s", epoch + 1, self.monitor, best, current, path)
    self.best = current
    return true
  end
  say(self, "Epoch %d: %s did not improve from %s", epoch + 1, self.monitor, best)
  return false
end

local function note(self, path)
  tables.remove(self.saved, path)
  self.saved[#self.saved + 1] = path
end

local function save(self, epoch, batch, logs)
  local path = path_of(self, epoch, batch, logs)
  if not should_save(self, epoch, logs, path) then
    return
  end
  settle(self)
  if folders.is_folder(path) then
    errors.raise("Please specify a non-directory filepath for ModelCheckpoint. Filepath used is an existing directory: "
      .. "%s", path)
  end
  folders.make_for(path)
  local how = { background = self.verbose == 0 and path:sub(-#OURS) == OURS }
  if self.save_weights_only then
    self.writing = self.model:save_weights(path, how)
  else
    self.writing = self.model:save(path, how)
  end
  if self.max_to_keep then
    note(self, path)
  end
  if self.verbose > 0 then
    settle(self)
  end
  say(self, "Epoch %d: finished saving model to %s", epoch + 1, path)
end

local function on_epoch_begin(self, epoch)
  self.epoch = epoch
end

local function on_train_batch_end_lazy(self, batch, logs)
  if self.save_freq ~= "epoch" and save_times.is_due(self, batch) then
    save(self, self.epoch, batch, logs())
  end
end

local function on_epoch_end(self, epoch, logs)
  monitor.find_direction(self)
  if self.save_freq == "epoch" then
    save(self, epoch, nil, logs or {})
  end
end

-- Files are deleted that a state names: none but those of the filepath.
local function check_state(self, state)
  local head, tail = self.filepath:match "^[^{]*", self.filepath:match "[^}]*$"
  for _, path in ipairs(state.saved) do
    if path:sub(1, #head) ~= head or path:sub(-#tail) ~= tail or path:find("../", #head + 1, true) then
      errors.raise("model_checkpoint: the run that is resumed had written %q, which is no file of %q", path,
        self.filepath)
    end
  end
end

---@name pod.callbacks.model_checkpoint
--- Saves the model, or its weights, while it is trained. The folder is made where it is not there. With `verbose = 0`
--- training goes on while a thread writes the file, if it ends in `.safetensors`.
---@param options.filepath string with epoch and logs as Python writes them:
---   "run/{epoch:02d}-{val_loss:.2f}.safetensors"
---@param options.save_best_only boolean whether only what is better than all before is saved
---@param options.save_weights_only boolean whether weights are saved, not models
---@param options.save_freq "epoch"|integer after each epoch, or after so many batches
---@param options.initial_value_threshold number what the first must be better than
---@param options.max_to_keep integer only the last so many of its files stay
---@return callback
---@error the file's ending is none that is known
--- ```lua
--- local path = os.tmpname()
--- local model = pod.models.sequential {
---   pod.layers.dense(1, { input_shape = { 1 }, kernel_initializer = "zeros" }) }
--- model:compile { optimizer = pod.optimizers.sgd(0.1), loss = "mse" }
--- local keep = pod.callbacks.model_checkpoint(path .. "-{epoch:02d}.safetensors", { monitor = "loss" })
--- model:fit(pod.tensor { { 1 }, { 2 } }, pod.tensor { { 2 }, { 4 } },
---   { epochs = 2, verbose = 0, callbacks = { keep } })
--- for epoch = 1, 2 do
---   local kept = pod.models.load(("%s-%02d.safetensors"):format(path, epoch))
---   print(("after epoch %d: %.3f"):format(epoch, kept(pod.ones { 1, 1 }):item()))
--- end
--- --> after epoch 1: 1.600
--- --> after epoch 2: 2.100
--- os.execute("rm " .. path .. "*")
--- ```
return callback.define {
  name = "model_checkpoint", first = "filepath", missing = "", setup = setup,
  defaults = { monitor = "val_loss", verbose = 0, save_best_only = false, save_weights_only = false, mode = "auto",
    save_freq = "epoch" },
  kinds = { filepath = "string", monitor = "string", verbose = "count", save_best_only = "boolean",
    save_weights_only = "boolean", mode = "string", save_freq = "any", initial_value_threshold = "number",
    max_to_keep = "count" },
  state = { best = schema.optional(schema.number), batches_since = schema.count,
    last_batch = schema.optional(schema.count), epoch = schema.optional(schema.count),
    saved = schema.list_of(schema.text) }, check_state = check_state,
  on_epoch_begin = on_epoch_begin, on_train_batch_end_lazy = on_train_batch_end_lazy, on_epoch_end = on_epoch_end,
  on_train_end = settle, close = settle,
}
