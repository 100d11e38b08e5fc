--- Models: layers joined, with what trains them. `pod.models.sequential` puts layers one behind the other, `functional`
--- joins them as a graph of symbolic tensors, `subclass` says by a function what is computed.
---
--- `model:compile { ... }`, then `model:fit(x, y, { ... })`, `model:evaluate(x, y)`, `model:predict(x)`.
---@param options.name string what summaries, messages and files call it
---@param options.trainable boolean whether its weights are trained (default true)
---@param options.custom_objects table classes and functions by name that are not Moonpod's own
---@param options.strategy strategy under which its weights are made
---@example pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):count_params() --> 8

-- Models: pod.models.sequential{ ... }, pod.models.functional{ inputs =, outputs = }, pod.models.subclass{ ... }.

local above = require "moonpod.base.above"
local late = require "moonpod.base.late"

local models = {}

---@name pod.models.sequential
--- A model of layers one behind the other. It is built when it knows the shape of its input: where its first layer has
--- `input_shape`, or at the first call.
---@param layers layer[] the layers in their order; `model:add(layer)` adds more
---@param options? table
---@return model
--- ```lua
--- local model = pod.models.sequential {
---   pod.layers.dense(16, { activation = "relu", input_shape = { 4 } }),
---   pod.layers.dense(3),
--- }
--- assert(model:predict(pod.ones { 2, 4 }).shape[2] == 3)
--- ```
models.sequential = late(function() return require "moonpod.models.sequential" end, "new")

---@name pod.models.functional
--- A model of the layers between symbolic inputs and outputs. Keras' name is `pod.models.model`.
---@param options.inputs symbolic_tensor|table what `pod.layers.input` gave, or a table of such
---@param options.outputs symbolic_tensor|table what layers made of them
---@return model
---@error an output does not come from the inputs
--- ```lua
--- local x = pod.layers.input { 4 }
--- local hidden = pod.layers.dense(8, { activation = "relu" })(x)
--- local model = pod.models.functional { inputs = x, outputs = pod.layers.dense(1)(hidden) }
--- assert(model:count_params() == 49)
--- ```
models.functional = late(function() return require "moonpod.models.functional" end, "new")

-- Keras' name: models.model{ inputs =, outputs = }.
models.model = models.functional

---@name pod.models.subclass
--- A class of models that say by `call(self, inputs, options)` what they compute. `setup(self, ...)` gets what the
--- class is called with and makes layers as fields of `self`; other functions become methods.
---@param methods table with `call`; `name` is the class name, needed for saving
---@return class called, it makes a model
---@error there is no function `call`
--- ```lua
--- local Net = pod.models.subclass {
---   setup = function(self)
---     self.dense = pod.layers.dense(2)
---   end,
---   call = function(self, x)
---     return self.dense(x)
---   end,
--- }
--- assert(Net()(pod.ones { 1, 3 }).shape[2] == 2)
--- ```
models.subclass = late(function() return require "moonpod.models.model" end, "subclass")

---@name pod.models.pipeline
--- A model in stages, each on a core of its own; microbatches of a batch follow each other through them. Weights are
--- those that one model of all layers would get. Stages run one after the other here, and their times are laid side by
--- side: `pipeline:report()`.
---@param options.stages table[] models, or lists of layers, one a stage
---@param options.loss string|loss|function a mean over the rows of a microbatch
---@param options.optimizer string|optimizer (default "rmsprop")
---@param options.microbatches integer equal parts of a batch (default 1)
---@param options.schedule "gpipe"|"1f1b" all forward passes first, or backward ones as soon as may be (default "1f1b")
---@return pipeline
---@error a stage draws random numbers or keeps statistics: it is computed again for its gradient
--- ```lua
--- local pipe = pod.models.pipeline { loss = "mse", optimizer = "sgd", microbatches = 4,
---   stages = { { pod.layers.dense(8, { activation = "relu" }) }, { pod.layers.dense(1) } } }
--- pipe:train_on_batch(pod.ones { 8, 3 }, pod.ones { 8, 1 })
--- assert(math.abs(pipe:report().bubble - 1 / 5) < 1e-9)
--- ```
models.pipeline = late(function() return require "moonpod.models.pipeline" end, "new")

---@name pod.models.generator
--- Has a model of causal attention write: what it makes of a place costs the time of one, as keys and values of the
--- places before are kept. It gives what the model gives of the whole sequence.
---@param model model a functional one, with one input `(batch, places)` and one output
---@param options.batch_size integer how many sequences at once (default 1)
---@return generator
---@error a layer may mix places in another way than causal attention
--- ```lua
--- local model = pod.applications.gpt2_small { vocabulary = 9, sequence_length = 4, width = 8, depth = 1, heads = 2 }
--- local writer = pod.models.generator(model)
--- local token = 5
--- for _ = 1, 4 do
---   token = pod.argmax(writer:feed { { token } }[{ 0, 0 }]):item()
--- end
--- assert(writer.position == 4)
--- ```
models.generator = late(function() return require "moonpod.models.generator" end, "new")

---@name pod.models.clone_model
--- A model of the same layers with weights of its own, as they begin.
---@param model model
---@return model
---@example #pod.models.clone_model(pod.models.sequential { pod.layers.dense(2) }).layers --> 1
models.clone_model = above.doing "clone_model"

---@name pod.models.from_json
--- A model from what `model:to_json()` gave, with weights as they begin.
---@param text string
---@param options? table `custom_objects` (classes and functions by name), `strategy`
---@return model
---@error the text is no model's, or names a class that is not known
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- assert(pod.models.from_json(model:to_json()):count_params() == 8)
--- ```
models.from_json = above.doing "model_from_json"

---@name pod.models.from_config
--- A model from plain data: what `pod.serialize(model)` gave, or `model:get_config()` of a sequential or functional
--- one.
---@param plain table
---@param options? table `custom_objects` (classes and functions by name), `strategy`
---@return model
---@example #pod.models.from_config(pod.serialize(pod.models.sequential { pod.layers.dense(2) })).layers --> 1
models.from_config = above.doing "model_from_config"

---@name pod.models.load
--- The model of a file that `model:save()` or Keras has written: layers, weights, and how it was compiled. Nothing in
--- a file runs.
---@param path string it ends in ".safetensors", or ".keras"
---@param options? table `custom_objects` (classes and functions by name), `compile` (true), `strategy`, `iterator`
---@return model
---@return table? layers of strings of a `.keras` file by their names: the model takes what these give
---@error there is no such file, it is damaged, or names a class that is not known
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):save(path)
--- assert(pod.models.load(path):count_params() == 8)
--- os.remove(path)
--- ```
models.load = above.doing "load_model"

---@name pod.models.from_string
--- The model of a string that `model:to_string()` gave, or of the bytes of a file of `model:save()`. Nothing in it
--- runs.
---@param text string
---@param options? table `custom_objects` (classes and functions by name), `compile` (true), `strategy`, `iterator`
---@return model
---@error the bytes are damaged, no model's, or name a class that is not known
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- assert(pod.models.from_string(model:to_string()):count_params() == 8)
--- ```
models.from_string = above.doing "model_from_string"

-- Keras' name of it.
models.load_model = models.load

---@name pod.models.is_model
--- Whether a value is a model.
---@param value any
---@return boolean
---@example pod.models.is_model(pod.layers.dense(1)) --> false
models.is_model = late(function() return require "moonpod.models.model" end, "is_model")

return models
