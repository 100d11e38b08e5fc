-- tensorboard - writes what TensorBoard shows of a run, under Keras' tags: log_dir/train and log_dir/validation.
--
-- Options as Keras': log_dir ("logs"), histogram_freq (0: in epochs), write_graph (true), write_images (false),
-- write_steps_per_second (false), update_freq ("epoch", "batch" or a number of executions), profile_batch (0, or
-- a batch, or { first, last }: their profile is written into log_dir/profile), embeddings_freq (0), embeddings_metadata
-- (a file, or files by layers' names). Besides: gradients ({ x, y, sample_weight }: a batch whose gradients' histograms
-- are written with those of the weights).

local above = require "moonpod.base.above"
local callback = require "moonpod.models.callback"
local core = require "moonpod.core"
local errors = require "moonpod.base.errors"
local projector = require "moonpod.callbacks.projector"
local log_names = require "moonpod.models.log_names"
local schema = require "moonpod.base.schema"
local summary = require "moonpod.summary"
local tape = require "moonpod.func.tape"
local warnings = require "moonpod.base.warnings"
local weight_paths = require "moonpod.saving.weight_paths"
local weight_image = require "moonpod.callbacks.weight_image"
local is_whole = require "moonpod.base.kinds".is_whole

-- What records the batches of profile_batch, for log_dir/profile; nil where none are asked for.
local function new_recording(self, where)
  local batches = self.profile_batch
  if batches == 0 then
    return nil
  elseif type(batches) == "table" then
    batches = { batches[1], batches[2], directory = self.log_dir .. "/profile" }
  elseif type(batches) == "number" then
    batches = { batches, directory = self.log_dir .. "/profile" }
  end
  return above.call("profile_batches", batches, where)
end

local function setup(self, where)
  local frequency = self.update_freq
  if frequency ~= "epoch" and frequency ~= "batch" and not is_whole(frequency, 1) then
    errors.raise("%s: update_freq must be \"epoch\", \"batch\" or a whole number from 1, not %s", where,
      errors.describe(frequency))
  elseif self.gradients and (self.gradients[1] == nil or self.gradients[2] == nil) then
    errors.raise("%s: gradients must be a batch { x, y } or { x, y, sample_weight }", where)
  end
  self.update_freq = frequency == "batch" and 1 or frequency
  self.train_batches = 0
  new_recording(self, where) -- refuses what is no range of batches
end

-- ---- writers ------------------------------------------------------------------------------------------

-- "train" or "validation": its file is made when there is something to write.
local function writer(self, run)
  self.writers = self.writers or {}
  if not self.writers[run] then
    self.writers[run] = summary.writer(self.log_dir:gsub("(.)/+$", "%1") .. "/" .. run)
  end
  return self.writers[run]
end

local function flush(self)
  for _, one in pairs(self.writers or {}) do
    one:flush()
  end
end

-- Closes all, whatever one of them says; raises what the first said.
local function close(self)
  local writers, failure = self.writers or {}, nil
  self.writers, self.is_training = nil, false
  for _, one in pairs(writers) do
    local ok, message = pcall(one.close, one)
    failure = failure or not ok and message or nil
  end
  if failure then
    error(failure, 0)
  end
end

-- Writes logs as scalars, metrics of several numbers by their mean; prefix and suffix make the tags.
local function write_logs(to, logs, prefix, suffix, step)
  for _, name in ipairs(log_names.sorted(logs)) do
    to:scalar(prefix .. name .. suffix, log_names.mean_of(logs[name]), step)
  end
end

-- ---- the model ----------------------------------------------------------------------------------------

-- What Keras' page of graphs reads, and the layers as nodes.
local function write_graph(self)
  local train = writer(self, "train")
  if self.model.class_name == "Functional" or self.model.class_name == "Sequential" then
    local ok, json = pcall(self.model.to_json, self.model)
    if ok then
      train:keras_model("keras", json, 0)
    elseif errors.is_passing(json) then
      error(json, 0)
    else
      warnings.warn("Model failed to serialize as JSON. Ignoring... %s", json)
    end
  end
  train:graph(self.model)
end

local function set_model(self, model)
  close(self)
  self.model = model
  if self.write_graph then
    write_graph(self)
  end
  if self.embeddings_freq > 0 then
    writer(self, "train") -- makes the folder
    projector.configure(self.log_dir, model, self.embeddings_metadata)
  end
  flush(self)
end

-- Calls visit(tag, variable) for all weights: as in files of weights, behind the model's name where Keras has it.
local function each_weight(model, visit)
  local prefix = model.class_name == "Functional" and "" or model.name .. "/"
  for _, entry in ipairs(weight_paths.of(model)) do
    visit((prefix .. entry.path):gsub(":", "_"), entry.variable)
  end
end

-- The gradients of the batch, by weights. Nothing is drawn at random, so that the run goes on as it would without.
local function gradients_of(self)
  local model, x, y, sample_weight = self.model, self.gradients[1], self.gradients[2], self.gradients[3]
  local weights, by_weight = model:get_trainable_weights(), {}
  model:reset_losses()
  local recorded, loss = tape.new(function()
    return model:compute_loss(x, y, model(x, { training = false }), sample_weight)
  end)
  for i, gradient in ipairs(recorded:gradient(loss, weights)) do
    by_weight[weights[i]] = gradient
  end
  model:reset_losses()
  return by_weight
end

local function write_weights(self, epoch)
  local train = writer(self, "train")
  local gradients = self.gradients and gradients_of(self) or {}
  each_weight(self.model, function(tag, weight)
    local value = weight:value()
    train:histogram(tag .. "/histogram", value, epoch)
    local image = self.write_images and weight_image.of(value)
    if image then
      train:image(tag .. "/image", image, epoch)
    end
    if gradients[weight] then
      train:histogram(tag .. "/gradient/histogram", gradients[weight], epoch)
    end
  end)
end

-- ---- hooks --------------------------------------------------------------------------------------------

local function on_train_begin(self)
  self.train_batches, self.is_training = 0, true
  self.recording = new_recording(self, "callbacks.tensorboard")
  if self.recording then
    self.recording.model = self.model
  end
end

local function waited(self)
  return self.run and self.run.iterator:stats().seconds_waited or 0
end

-- Also where an error ends the training: a profile is written in any case.
local function on_train_end(self)
  local recording = self.recording
  self.recording, self.projection = nil, nil
  if recording then
    recording:close()
  end
  close(self)
end

local function on_epoch_begin(self)
  self.epoch_began, self.waited_before, self.trained_until = core.clock(), waited(self), nil
  self.iterations_before = self.batches_seen
  if self.recording then
    self.recording:on_epoch_begin()
  end
end

local function on_train_batch_begin(self)
  self.train_batches = self.train_batches + 1
  self.batch_began = core.clock()
  if self.recording then
    self.recording:on_train_batch_begin()
  end
end

local function on_train_batch_end_lazy(self, batch, logs)
  if self.recording then
    self.recording:on_train_batch_end_lazy(batch)
  end
  local step = self.train_batches
  if self.update_freq == "epoch" or step % self.update_freq ~= 0 then
    return
  end
  local train = writer(self, "train")
  if self.write_steps_per_second then
    train:scalar("batch_steps_per_second", 1 / (core.clock() - self.batch_began), step)
  end
  write_logs(train, logs(), "batch_", "", step)
end

local function on_test_begin(self)
  if self.is_training then
    self.trained_until, self.waited_after = core.clock(), waited(self)
  end
end

local function on_test_end(self, logs)
  local optimizer = self.model.optimizer
  if optimizer and optimizer.iterations then
    write_logs(writer(self, "validation"), logs, "evaluation_", "_vs_iterations", optimizer.iterations:value():item())
  end
  if not self.is_training then
    close(self)
  end
end

-- The share of a step that the MXUs of the strategy's chip would work, where each waits so long for its input; nil
-- where the step's time on the chip is not known. The step is planned once a run.
local function mxu_utilization(self, input_seconds)
  if self.projection == nil then
    local ok, projection = pcall(above.call, "model_projection", self.model)
    self.projection = ok and projection
  end
  return self.projection and self.projection:utilization({ input_seconds = input_seconds })[1].busy
end

-- What only a run on chips has, and the share of training that waited for data.
local function write_device(self, train, epoch)
  local until_ = self.trained_until or core.clock()
  local seconds, waiting = until_ - self.epoch_began, 0
  if self.run and seconds > 0 then
    waiting = (self.trained_until and self.waited_after or waited(self)) - self.waited_before
    train:scalar("tpu/input_bound", math.max(0, math.min(waiting / seconds, 1)), epoch)
  end
  local strategy = self.model._strategy
  if strategy and strategy.resolver and strategy.resolver.generation then
    train:scalar("tpu/hbm_peak", above.call("memory_info", "/TPU:0").peak, epoch)
    local batches = self.batches_seen - self.iterations_before
    local share = mxu_utilization(self, batches > 0 and waiting / batches or 0)
    if share then
      train:scalar("tpu/mxu_utilization", share, epoch)
    end
  end
end

-- The logs of training and those of validation, the latter without "val_".
local function parted(logs)
  local train, validation = {}, {}
  for name, value in pairs(logs) do
    local own = name:match "^val_(.*)"
    if own then
      validation[own] = value
    else
      train[name] = value
    end
  end
  return train, validation
end

local function on_epoch_end(self, epoch, logs)
  local train_logs, validation_logs = parted(logs or {})
  local train = writer(self, "train")
  local optimizer = self.model.optimizer
  train_logs.learning_rate = (rawget(optimizer, "inner") or optimizer):current_learning_rate():item()
  if self.write_steps_per_second then
    train_logs.steps_per_second = (self.batches_seen - self.iterations_before) / (core.clock() - self.epoch_began)
  end
  write_logs(train, train_logs, "epoch_", "", epoch)
  if next(validation_logs) ~= nil then
    write_logs(writer(self, "validation"), validation_logs, "epoch_", "", epoch)
  end
  write_device(self, train, epoch)
  if self.histogram_freq > 0 and epoch % self.histogram_freq == 0 then
    write_weights(self, epoch)
  end
  if self.embeddings_freq > 0 and epoch % self.embeddings_freq == 0 then
    projector.write(self.log_dir, self.model)
  end
  flush(self)
end

---@name pod.callbacks.tensorboard
--- Writes what TensorBoard shows of a run, under Keras' tags: `log_dir/train` and `log_dir/validation`.
---@param options.log_dir string the folder of the run
---@param options.histogram_freq integer after how many epochs histograms of weights are written; 0: never
---@param options.write_graph boolean whether the model is written
---@param options.write_images boolean whether weights are written as pictures
---@param options.write_steps_per_second boolean whether steps a second are written
---@param options.update_freq "epoch"|"batch"|integer after what losses and metrics are written: an epoch, or so many
---   executions
---@param options.profile_batch integer 0; `fit` has the option `profile_batch`
---@param options.embeddings_freq integer after how many epochs embeddings are written; 0: never
---@param options.embeddings_metadata string|table a file of labels, or files by layers' names
---@param options.gradients table { x, y, sample_weight }: a batch whose gradients' histograms are written with those of
---   the weights
---@return callback
---@example pod.callbacks.tensorboard("logs").update_freq --> "epoch"
return callback.define {
  name = "tensorboard", first = "log_dir", setup = setup,
  defaults = { log_dir = "logs", histogram_freq = 0, write_graph = true, write_images = false,
    write_steps_per_second = false, update_freq = "epoch", profile_batch = 0, embeddings_freq = 0 },
  kinds = { log_dir = "string", histogram_freq = "count", write_graph = "boolean", write_images = "boolean",
    write_steps_per_second = "boolean", update_freq = "value", profile_batch = "value", embeddings_freq = "count",
    embeddings_metadata = "value", gradients = "list" },
  state = { train_batches = schema.count },
  set_model = set_model, on_train_begin = on_train_begin, on_train_end = on_train_end,
  on_epoch_begin = on_epoch_begin, on_epoch_end = on_epoch_end, on_train_batch_begin = on_train_batch_begin,
  on_train_batch_end_lazy = on_train_batch_end_lazy, on_test_begin = on_test_begin, on_test_end = on_test_end,
  close = on_train_end,
}
