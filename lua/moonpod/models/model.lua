-- The base of models: layers that can be compiled, trained, evaluated and summed up.
--
-- models.sequential and models.functional make the common ones. A subclass comes from models.subclass{ ... }: a table
-- with `setup(self)` that makes layers, `call(self, x, options)`, and, where wanted, train_step, test_step,
-- predict_step and compute_loss of its own.

local above = require "moonpod.base.above"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local forward = require "moonpod.models.forward"
local kinds = require "moonpod.base.kinds"
local late = require "moonpod.base.late"
local layer = require "moonpod.layers.layer"
local nest = require "moonpod.tensor.nest"
local readable = require "moonpod.base.readable"
local saving = require "moonpod.models.saving_memory"
local layer_parts = require "moonpod.layers.parts"
local symbolic = require "moonpod.layers.symbolic"
local tables = require "moonpod.base.tables"
local trace = require "moonpod.tensor.trace"
local on_batch = require "moonpod.models.on_batch"
local step_functions = require "moonpod.models.step_functions"

local model = setmetatable({}, { __index = layer })
model.class_name = "Model"

-- ---- training -------------------------------------------------------------------------------------------------------
-- A step is traced once for one core and compiled with all replicas; `steps_per_execution` steps run in C. Everything
-- goes through pod.func, pod.tape and strategy:run, as a loop of your own would.

model.predict_on_batch, model.predict_step = on_batch.predict_on_batch, forward.predict_step
model._global_step = step_functions._global_step

-- The methods that models have of a file, which is loaded when one of them is called.
local function take(load, methods)
  for name in methods:gmatch "%S+" do
    model[name] = late(load, name)
  end
end

take(function() return require "moonpod.models.compile" end, "compile _compiled_loss")
take(function() return require "moonpod.models.step" end,
  "compute_loss track_loss train_step test_step _pending_metrics")
take(function() return require "moonpod.models.metric_logs" end, "reset_metrics get_metrics_result _list_metrics")
take(function() return require "moonpod.models.fit" end, "fit current_run")
take(function() return require "moonpod.models.evaluate" end, "_evaluate_source evaluate predict")
take(function() return require "moonpod.models.train_on_batch" end, "train_on_batch test_on_batch")

model.set_memory_options = saving.set_memory_options
model.set_dtype_policy = saving.set_dtype_policy

---@name model:memory_report
--- What a step of training takes of a device's memory. Nothing is run, and no batch is allocated. The report prints.
---@param chip string|chip as "v5e" (default: the strategy's)
---@param options.batch integer rows that a core gets
---@param options.replicas integer how many cores (default: the strategy's)
---@return memory_report
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }).verdict ~= nil)
--- ```
model.memory_report = above.doing "model_memory_report"

---@name model:projection
--- How long a step of training would take on a device, as a range, with what bounds it and the time of each kernel. It
--- is planned as for `model:memory_report`: nothing is run. The projection prints.
---@param chip string|chip as "v5e", or a slice, as "v3-8", whose devices are the replicas (default: the strategy's)
---@param options.batch integer rows that a core gets
---@param options.replicas integer how many cores (default: the slice's, else the strategy's)
---@param options.input_seconds number that the host takes for the data of a step (default 0: it never waits)
---@param options.steps_per_execution integer that the host starts at once (default 1)
---@return projection
---@error the step has something whose time is not known; the message names it
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- local projection = model:projection("v5e", { batch = 4 })
--- assert(projection.low_seconds <= projection.high_seconds)
--- assert(projection.kernels[1].seconds >= projection.kernels[2].seconds) -- and .bound says why it takes longest
--- assert(model:projection("v3-8", { batch = 4 }).exchange_seconds > 0) -- the gradients' sum over its eight cores
--- ```
model.projection = above.doing "model_projection"

---@name model:advice
--- What would make a step of training take less of the chips' time, or fit: an array that prints, of `{ kind =,
--- title =, call =, gain =, row =, saves_bytes = }`, what gains most first. Each is planned and timed again; `gain` is
--- a share of the time that an example takes of all chips, `row` as `pod.advisor.whatif` has it.
--- `advice:apply(number)` applies one.
---@param chip string chip or slice, as "v3-8" (default: the strategy's chip)
---@param options.batch integer rows that a core gets; or global_batch, of all cores; further options as projection's
---@return advice
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(512, { input_shape = { 512 } }), pod.layers.dense(512) }
--- model:compile { loss = "mse" }
--- local advice = model:advice("v5e", { batch = 1024 })
--- assert(advice[1].gain > 0.1 and advice:apply().row.seconds == advice[1].row.seconds)
--- ```
model.advice = above.doing "model_advice"

---@name model:find_batch
--- The largest batch a replica that fits a chip, found without trial and error on a device.
---@param options.chip string|chip (default: the strategy's)
---@param options.step integer batches are multiples of it (default 8)
---@return table
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:find_batch { chip = "v5e", step = 1024 } % 1024 == 0)
--- ```
model.find_batch = above.doing "find_batch"

---@name model:check_tpu
--- What a chip would refuse or do slowly of a step. What it returns prints.
---@param chip string|chip as "v5e" (default: the strategy's)
---@param options.batch integer rows that a core gets
---@param options.host "vm"|"node" a TPU VM, or a TPU Node of the old kind
---@return check
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(tostring(model:check_tpu("v5e", { batch = 8 })):find "no op is refused or slow")
--- ```
model.check_tpu = above.doing "check_model"

---@name model:save
--- Writes the model to a file: layers, weights, how it was compiled, and all that training changes, so that a model
--- that is loaded goes on where it was. The file is written whole or not at all; loading it runs nothing. See
--- docs/guides/saving.md.
---@param path string it ends in ".safetensors"; for Keras, see model:save_weights
---@param options.background boolean whether a thread writes while the script goes on
---@param options.include_optimizer boolean whether what training needs is written, too (default true)
---@param options.iterator iterator its position in the data is kept
---@error a part cannot be saved: it is named before anything is written
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:save(path)
--- assert(pod.models.load(path):count_params() == 8)
--- os.remove(path)
--- ```
---@see pod.models.load model:save_weights model:to_string
model.save = above.doing "save_model"

---@name model:to_string
--- The bytes of the file that `save` would write, as a string: for a database, a message, a host that has no files.
---@param options.include_optimizer boolean whether what training needs is in it, too (default true)
---@param options.iterator iterator its position in the data is kept
---@return string
---@error a part cannot be saved
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- assert(pod.models.from_string(model:to_string()):count_params() == 8)
--- ```
---@see pod.models.from_string model:save
model.to_string = above.doing "model_to_string"

---@name model:save_weights
--- Writes the weights to a file, whole or not at all.
---@param path string ".safetensors", or ".weights.h5" for Keras
---@param options.background boolean whether a thread writes while the script goes on
---@param options.style "torch" names and layouts as modules of torch.nn have them
---@error the model is not built; the ending is none that is known
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:save_weights(path)
--- model:load_weights(path)
--- os.remove(path)
--- ```
model.save_weights = above.doing "save_weights"

---@name model:load_weights
--- Reads the weights from a file: all of them, or nothing changes.
---@param path string
---@param options.by_name boolean whether layers are found by their names alone
---@param options.skip_mismatch boolean whether weights that do not fit are left out
---@param options.style "torch" names and layouts as modules of torch.nn have them
---@error there is no such file, it is damaged, or its weights are others; the message lists the differences
---@see model:save_weights
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local first = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 }, name = "one" }) }
--- local second = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 }, name = "one" }) }
--- first:save_weights(path)
--- second:load_weights(path)
--- assert(pod.allclose(second:predict(pod.ones { 1, 3 }), first:predict(pod.ones { 1, 3 })))
--- os.remove(path)
--- ```
model.load_weights = above.doing "load_weights"

---@name model:weights_to_string
--- The bytes of the file that `save_weights` would write, as a string.
---@return string
---@error the model is not built
---@see model:weights_from_string
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:weights_from_string(model:weights_to_string())
--- ```
model.weights_to_string = above.doing "weights_to_string"

---@name model:weights_from_string
--- As `load_weights`, from a string.
---@param text string
---@param options.by_name boolean whether layers are found by their names alone
---@param options.skip_mismatch boolean whether weights that do not fit are left out
---@error the bytes are damaged, or the weights are others; the message lists the differences
---@see model:weights_to_string
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:weights_from_string(model:weights_to_string())
--- ```
model.weights_from_string = above.doing "weights_from_string"

---@name model:to_json
--- The model as JSON text, without weights: pod.models.from_json makes it again.
---@param options.indent integer blanks before what lies a level deeper (default: all on one line)
---@example pod.models.sequential({ pod.layers.dense(2) }):to_json():sub(1, 1) --> "{"
model.to_json = above.doing "model_to_json"

---@name model:export
--- Writes what `predict` computes as a program with its weights, for hosts without Lua (moonpod/exported.h), or as
--- StableHLO text for other compilers.
---@param path string ".safetensors", or the ending of a format
---@param options.batch_sizes integer[] numbers of rows that it is compiled for (default 1 and 32)
---@param options.inputs any specs or examples of the inputs, where the model does not know them
---@param options.format string what is written, where the path's ending does not say it
---@see pod.load_exported
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:export(path, { batch_sizes = { 1, 4 } })
--- assert(#pod.load_exported(path).batch_sizes == 2)
--- os.remove(path)
--- ```
model.export = above.doing "export_model"

local type, rawget = type, rawget

-- Whether a value is a model.
function model.is_model(value)
  return type(value) == "table" and rawget(value, "_is_layer") == true and value._state.is_model == true
end

-- The layers of a model, in order.
function model:_list_layers()
  local layers = layer_parts.state_of(self).layers -- of sequential and functional models
  return readable.of(tables.slice(layers or self:sublayers()))
end

function model:_symbolic_input()
  return layer_parts.state_of(self).input
end

function model:_symbolic_output()
  return layer_parts.state_of(self).output
end

function model:_list_inputs()
  return layer_parts.state_of(self).input and readable.of(nest.flatten(layer_parts.state_of(self).input))
end

function model:_list_outputs()
  return layer_parts.state_of(self).output and readable.of(nest.flatten(layer_parts.state_of(self).output))
end

--- Finds a layer. Options: name, or index (from 1).
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { name = "first" }) }
--- assert(model:get_layer({ name = "first" }) == model:get_layer({ index = 1 }))
--- ```
function model:get_layer(options)
  if type(options) == "string" then
    options = { name = options }
  elseif type(options) == "number" then
    options = { index = options }
  end
  local layers = self:_list_layers()
  if options.index then
    return layers[options.index]
      or errors.raise("get_layer: model '%s' has %d layers; index %s is none", self.name, #layers,
        tostring(options.index))
  end
  local known = {}
  for _, one in ipairs(layers) do
    known[one.name] = true
    if one.name == options.name then
      return one
    end
  end
  errors.raise("get_layer: model '%s' has no layer '%s'%s", self.name, tostring(options.name),
    errors.suggest(tostring(options.name), known))
end

local function output_shape_text(one)
  local calls = one._state.nodes
  local outputs = #calls > 0 and calls[#calls].outputs or one._state.output_spec
  if outputs == nil then
    return "?"
  end
  if symbolic.is_symbolic(outputs) then
    return tostring(outputs.shape)
  end
  local parts = {}
  for _, t in ipairs(outputs) do
    parts[#parts + 1] = symbolic.is_symbolic(t) and tostring(t.shape) or "?"
  end
  return #parts == 1 and parts[1] or "[" .. table.concat(parts, ", ") .. "]"
end

local function connections(one)
  local parts = {}
  for _, call in ipairs(one._state.nodes) do
    for _, t in ipairs(call.parents) do
      local from = t.history
      parts[#parts + 1] = string.format("%s[%d][%d]", from.call.layer.name, from.call.index, from.index)
    end
  end
  return #parts > 0 and table.concat(parts, ", ") or "-"
end

local function summary()
  return require "moonpod.models.summary"
end

local function add_row(rows, one, level)
  local prefix = level > 0 and ("   "):rep(level) .. "└ " or ""
  rows[#rows + 1] = {
    name = prefix .. one.name,
    class = one.class_name,
    shape = output_shape_text(one),
    parameters = one.built and summary().thousands(one:count_params()) or "0 (unbuilt)",
    connected = connections(one),
    trainable = #one:get_weight_variables() == 0 and "-" or (one.trainable and "Y" or "N"),
  }
end

local function count(variables)
  local elements, bytes = 0, 0
  for _, v in ipairs(variables) do
    elements = elements + v:size()
    bytes = bytes + v:size() * trace.dtype_sizes[v.dtype]
  end
  return elements, bytes
end

local function totals(self)
  local trainable, trainable_bytes = count(self:get_trainable_weights())
  local others, other_bytes = count(self:get_non_trainable_weights())
  local optimizer = self.optimizer
  local slots, slot_bytes = 0, 0
  local has_slots = optimizer and optimizer.built
  if has_slots then
    slots, slot_bytes = count(optimizer.variables)
  end
  local rows = {
    { label = "Total params", count = trainable + others + slots, bytes = trainable_bytes + other_bytes + slot_bytes },
    { label = "Trainable params", count = trainable, bytes = trainable_bytes },
    { label = "Non-trainable params", count = others, bytes = other_bytes },
  }
  if has_slots then
    rows[4] = { label = "Optimizer params", count = slots, bytes = slot_bytes }
  end
  return rows
end

--- Prints the table of layers: their shapes, numbers of weights, and how they are connected.
---@param options.line_length integer columns of the table
---@param options.positions number[] where its columns end, as parts of a line
---@param options.print_fn function of the text, in the place of printing
---@param options.expand_nested boolean whether layers of models within are shown
---@param options.show_trainable boolean whether it is shown which layers are trained
--- ```lua
--- local text
--- pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):summary {
---   print_fn = function(line) text = (text or "") .. line end }
--- assert(text:find "Dense")
--- ```
function model:summary(options)
  options = options or {}
  errors.check_options(options, { "line_length", "positions", "print_fn", "expand_nested", "show_trainable" },
    "summary")
  local rows = {}
  local function add(one, level)
    add_row(rows, one, level)
    if options.expand_nested and model.is_model(one) then
      for _, sub in ipairs(one:get_summary_layers()) do
        add(sub, level + 1)
      end
    end
  end
  for _, one in ipairs(self:get_summary_layers()) do
    add(one, 0)
  end
  local text = summary().render({ name = self.name, sequential = self:is_sequential_like(), rows = rows,
    totals = totals(self) }, options)
  local print_fn = options.print_fn or io.write
  print_fn(text)
end

--- The layers that summary() has a line for.
---@example #pod.models.sequential({ pod.layers.dense(2), pod.layers.dense(1) }):get_summary_layers() --> 2
function model:get_summary_layers()
  return self:_list_layers()
end

--- Whether summary() leaves out which layers each one reads.
---@example pod.models.sequential({ pod.layers.dense(2) }):is_sequential_like() --> true
function model:is_sequential_like()
  return true
end

-- Sets up the fields of a new model.
function model.init_model(self, class, options)
  layer.init(self, class, options or {})
  self._state.is_model = true
  self.stop_training = false
  return self
end

-- What a class of one's own says of its options is asked for by the methods of these names that all models have.
local OWN = { get_config = "own_get_config", from_config = "own_from_config" }

-- Makes a class of models from a table of methods. They can be saved once the class has a name (pod.register_layer), as
-- layers of one's own can.
function model.subclass(methods)
  errors.check_type(methods, "table", "models.subclass", "methods")
  errors.check_type(methods.name or "", "string", "models.subclass", "the name")
  local class = { class_name = methods.name or "Model", function_name = "models.subclass", spec = { arguments = {},
    defaults = {} }, is_own = true }
  for name, method in pairs(methods) do
    if name ~= "name" then
      class[OWN[name] or name] = method
    end
  end
  class.from_config = function(config, more)
    return above.call("from_config", class, config, more)
  end
  if class.call == nil and class.train_step then -- a model of models, as a GAN, may be trained and never called
    class.call = function()
      errors.raise("%s is not called: its class has no function 'call'", class.class_name)
    end
  elseif type(class.call) ~= "function" then
    errors.raise("models.subclass: the table has no function 'call'; write call = function(self, x, options) ... end")
  end
  setmetatable(class, {
    __index = model,
    __call = function(_, ...)
      local self = setmetatable({}, class.meta)
      model.init_model(self, class)
      self._state.arguments = { count = select("#", ...), ... }
      if class.setup then
        class.setup(self, ...)
      end
      return self
    end,
  })
  class.meta = model.metatable(class)
  return class
end

-- The metatable of the models of a class.
function model.metatable(class)
  return { __index = layer.lookup(class), __newindex = layer.track, __call = layer.__call,
    __tostring = layer.__tostring, __name = "moonpod.model" }
end

kinds.define("name_or_index", function(value)
  return type(value) == "string" or type(value) == "number" or kinds.get "options".is(value)
end, "a name, an index or { name = } or { index = }")

---@name model
--- A model: layers with what trains them. Its fields: `layers` is the list of its layers, and `optimizer` is there
--- once it is compiled, as are `loss`, which is called with targets and predictions, and `metrics`, the list of the
--- loss's mean and the metrics of `compile`. Before a batch has come, one named `compile_metrics` stands for these.
--- `inputs` and `outputs` are lists of symbolic tensors, where they are known. `input` and `output` are these as they
--- were given: other models can be made of them. `stop_training = true` ends a `fit`. `compile` configures training,
--- `fit` trains, `evaluate` and `predict` use it, `save` and `save_weights` write it. It is a layer, too: called with
--- tensors it computes, and it may be in a model.
---@example pod.models.sequential({ pod.layers.dense(2) })(pod.ones { 4, 3 }).shape --> (4, 2)
declare.methods("model", model, model.is_model, {
  ["options?"] = "compile summary to_json to_string",
  ["data:table"] = "train_step test_step predict_step",
  ["tracker:metric loss:tensor"] = "track_loss",
  ["options"] = "set_memory_options",
  ["name"] = "set_dtype_policy",
  ["options:name_or_index"] = "get_layer",
  ["path options?"] = "save save_weights load_weights",
  ["text:any options?"] = "weights_from_string",
}, "is_model init_model subclass metatable")
model.predict_on_batch = on_batch.with_again(model.predict_on_batch)
declare.functions("model", model, {
  ["self:table class:table options:list?"] = "init_model",
  ["methods:list"] = "subclass",
  ["class:table"] = "metatable",
})

return model
