---@meta moonpod
-- Made by ./dev reference from the comments of lua/moonpod; change those. For editors (lua-language-server): put this
-- folder into Lua.workspace.library.

---@class pod
local pod = {}

pod.activations = {}
pod.advisor = {}
pod.applications = {}
pod.callbacks = {}
pod.cluster = {}
pod.constraints = {}
pod.data = {}
pod.data.records = {}
pod.data.synthetic = {}
pod.datasets = {}
pod.debug = {}
pod.device = {}
pod.distribute = {}
pod.image = {}
pod.initializers = {}
pod.layers = {}
pod.layers.conv_lstm1d = {}
pod.layers.conv_lstm2d = {}
pod.layers.conv_lstm3d = {}
pod.layers.discretization = {}
pod.layers.gru = {}
pod.layers.gru_cell = {}
pod.layers.integer_lookup = {}
pod.layers.lstm = {}
pod.layers.lstm_cell = {}
pod.layers.normalization = {}
pod.layers.rnn = {}
pod.layers.simple_rnn = {}
pod.layers.simple_rnn_cell = {}
pod.layers.string_lookup = {}
pod.layers.text_vectorization = {}
pod.losses = {}
pod.metrics = {}
pod.mixed_precision = {}
pod.models = {}
pod.nn = {}
pod.optimizers = {}
pod.plot = {}
pod.profiler = {}
pod.random = {}
pod.regularizers = {}
pod.sandbox = {}
pod.schedules = {}
pod.session = {}
pod.summary = {}
pod.train = {}
pod.utils = {}

---@class callback
local callback = {}

---@class checkpoint
local checkpoint = {}

---@class checkpoint_manager
local checkpoint_manager = {}

---@class chip
local chip = {}

---@class constraint
local constraint = {}

--- A dataset: a chain of stages that gives elements, each a tensor or a table of tensors. Methods give new datasets;
--- the old ones stay. Functions of `map` wait until a batch is made, so they run on whole batches.
---@class dataset
local dataset = {}

---@class description
local description = {}

---@class distributed_dataset
local distributed_dataset = {}

---@class exported_program
local exported_program = {}

--- A compiled function: `pod.func(fn)`. Called with tensors it runs `fn` once for each kind of arguments to see what it
--- computes, and from then on the program that was compiled of that.
---@class func
local func = {}

--- A model of the layers between symbolic inputs and outputs.
---@class functional_model
local functional_model = {}

---@class initializer
local initializer = {}

--- What gives the elements of a dataset one after the other: `ds:iterator()`. `next()` gives the next one's parts or
--- nil, `state()` and `restore(bytes)` keep its place, `close()` ends it.
---@class iterator
local iterator = {}

--- A layer of `pod.layers` or of a class of one's own: weights, and a call that computes.
---@class layer
local layer = {}

---@class loss
local loss = {}

---@class memory_report
local memory_report = {}

--- A metric of `pod.metrics`: it adds up batches (`update_state`), gives the value of all (`result`) and begins anew
--- (`reset_state`). Called, it adds a batch and gives the value.
---@class metric
local metric = {}

--- A model: layers with what trains them. Its fields: `layers` is the list of its layers, and `optimizer` is there
--- once it is compiled, as are `loss`, which is called with targets and predictions, and `metrics`, the list of the
--- loss's mean and the metrics of `compile`. These are known once a loss was computed. `inputs` and `outputs` are
--- lists of symbolic tensors, where they are known. `input` and `output` are these as they were given: other models
--- can be made of them. `stop_training = true` ends a `fit`. `compile` configures training, `fit` trains, `evaluate`
--- and `predict` use it, `save` and `save_weights` write it. It is a layer, too: called with tensors it computes, and
--- it may be in a model.
---@class model
local model = {}

---@class optimizer
local optimizer = {}

---@class per_replica
local per_replica = {}

---@class policy
local policy = {}

---@class profile
local profile = {}

---@class regularizer
local regularizer = {}

---@class replica_context
local replica_context = {}

---@class resolver
local resolver = {}

---@class run
local run = {}

---@class sandbox
local sandbox = {}

---@class schedule
local schedule = {}

---@class scope
local scope = {}

--- A model of layers one behind the other, which `add` and `pop` change until it is built.
---@class sequential_model
local sequential_model = {}

---@class spec
local spec = {}

--- A strategy: on which cores a step runs, and how values of replicas become one.
---@class strategy
local strategy = {}

---@class summary_writer
local summary_writer = {}

---@class symbolic_tensor
local symbolic_tensor = {}

--- Watches what is computed from `pod.tape()` to its `stop()`, and gives gradients of it.
---@class tape
local tape = {}

--- A tensor: numbers of one type in a box of axes. `t.shape` and `t.dtype` say which, `t:totable()` and `t:item()` give
--- values to Lua; operators and the functions of `pod` compute new ones, which come when they are looked at. Axes count
--- from 0, and from the end with negative numbers; ranges are half open; `t[i]`, `t["1:3, 0"]` take parts.
---@class tensor
local tensor = {}

---@class topology
local topology = {}

--- A variable: a tensor that keeps its value from step to step and can be assigned to. Weights of layers are variables.
---@class variable
local variable = {}

---@class pod.applications.bert_base.options
---@field depth? integer how many blocks (default 12)
---@field heads? integer of attention (default 12)
---@field sequence_length? integer how long sequences are (default 512)
---@field vocabulary? integer how many tokens there are (default 30522)
---@field width? integer the size of tokens (default 768)

--- BERT base (Devlin and others 2018), uncased: 109,482,240 weights. Takes `{ token_ids =, segment_ids =, padding_mask
--- = }` of `(batch, sequence_length)`, gives `{ sequence = (batch, sequence_length, width), pooled = (batch, width) }`.
--- ```lua
--- local model = pod.applications.bert_base { vocabulary = 50, sequence_length = 8, width = 16, depth = 1, heads = 2 }
--- local ones = pod.ones({ 1, 8 }, "int32")
--- assert(model({ token_ids = ones, segment_ids = ones * 0, padding_mask = ones }).pooled.shape[2] == 16)
--- ```
---@param options? pod.applications.bert_base.options
---@return model
function pod.applications.bert_base(options) end

---@class pod.applications.gpt2_small.options
---@field depth? integer how many blocks (default 12)
---@field heads? integer of attention (default 12)
---@field sequence_length? integer how long sequences are (default 1024)
---@field vocabulary? integer how many tokens there are (default 50257)
---@field width? integer the size of tokens (default 768)

--- GPT-2 small (Radford and others 2019): 124,439,808 weights. Tokens `(batch, sequence_length)` become logits of the
--- token behind each.
--- ```lua
--- local model = pod.applications.gpt2_small { vocabulary = 50, sequence_length = 8, width = 16, depth = 1, heads = 2 }
--- assert(model(pod.zeros({ 1, 8 }, "int32")).shape[3] == 50)
--- ```
---@param options? pod.applications.gpt2_small.options
---@return model
function pod.applications.gpt2_small(options) end

--- MobileNetV2 (Sandler and others 2018) as Keras has it: 3,538,984 weights.
--- ```lua
--- local model = pod.applications.mobilenet_v2 { input_shape = { 32, 32, 3 }, classes = 10 }
--- assert(model.outputs[1].shape[2] == 10)
--- ```
---@param options? table
---@return model
function pod.applications.mobilenet_v2(options) end

--- ResNet-18 (He and others 2015) as torchvision has it: 11,689,512 weights that are trained.
--- ```lua
--- local model = pod.applications.resnet18 { input_shape = { 32, 32, 3 }, classes = 10 }
--- assert(model.outputs[1].shape[2] == 10)
--- ```
---@param options? table
---@return model
function pod.applications.resnet18(options) end

--- ResNet-50 (He and others 2015) as Keras has it: 25,636,712 weights.
--- ```lua
--- local model = pod.applications.resnet50 { input_shape = { 32, 32, 3 }, include_top = false }
--- assert(model.outputs[1].shape[4] == 2048)
--- ```
---@param options? table
---@return model
function pod.applications.resnet50(options) end

---@class pod.applications.unet.options
---@field filters? integer of the first convolutions (default 64)

--- U-Net (Ronneberger and others 2015), with sides that stay as they are: 31,031,685 weights. What comes out are
--- probabilities, of one class by a sigmoid, of several by a softmax; a picture's sides are multiples of 16.
--- ```lua
--- local model = pod.applications.unet { input_shape = { 32, 32, 3 }, classes = 4, filters = 4 }
--- assert(model.outputs[1].shape[4] == 4)
--- ```
---@param options? pod.applications.unet.options
---@return model
function pod.applications.unet(options) end

---@class pod.applications.vit_small.options
---@field depth? integer how many blocks (default 12)
---@field heads? integer of attention (default 6)
---@field patch_size? integer the side of the patches that become tokens (default 16)
---@field width? integer the size of tokens (default 384)

--- The vision transformer ViT-S/16 (Dosovitskiy and others 2020; Touvron and others 2021): 22,050,664 weights. Sides of
--- pictures are multiples of `patch_size`.
--- ```lua
--- local model = pod.applications.vit_small { input_shape = { 32, 32, 3 }, classes = 10, patch_size = 8, width = 32,
---   depth = 2, heads = 2 }
--- assert(model.outputs[1].shape[2] == 10)
--- ```
---@param options? pod.applications.vit_small.options
---@return model
function pod.applications.vit_small(options) end

--- Describes a value: what is shown of it as text, SVG, HTML and PNG.
--- Tensors are numbers and pictures, models their summary and their graph, histories a table and curves. In a notebook
--- it is shown at once.
--- ```lua
--- local shown = pod.display(pod.tensor { { 1, 2 }, { 3, 4 } })
--- assert(shown:text():find "float32" and shown:svg():find "<svg")
--- ```
---@param value? any anything; what has `__display` in its metatable says itself what is shown
---@return description # description with the methods `text`, `svg`, `html`, `png` and `save`; it prints as its text
function pod.display(value) end

--- The help of a value or a name: what it does, its arguments and options with their types and defaults, an example.
--- In a session `?name`, `name?` and `help(name)` show it, `??name` shows the text of a function, and `?*part*` looks
--- for names.
---
--- Texts are the comments above declarations: lines that begin with ---, with the tags that editors know (`---@param`,
--- `---@return`). Your own functions and classes have help as soon as they have such comments.
--- ```lua
--- print(pod.help(pod.layers.dense))
--- print(pod.help "pod.losses.huber")
--- ```
---@param value? any a function, a class, an object, a part of `pod`, or a name as text; nothing for an overview
---@return help # whose text `tostring` gives
function pod.help(value) end

---@class pod.utils.pad_sequences.options
---@field maxlen? integer how long rows are (default: as the longest)
---@field padding? "pre"|"post" ("pre") where they are filled up (default "pre")
---@field truncating? "pre"|"post" ("pre") where they are cut (default "pre")
---@field value? number (0) what they are filled up with (default 0)
---@field dtype? string ("int32") the type of the result (default "int32")

--- Makes sequences of different lengths rows of one: short ones are filled up, long ones cut.
--- ```lua
--- pod.utils.pad_sequences { { 1 }, { 2, 3 } }
--- --> { { 0, 1 }, { 2, 3 } }
--- ```
---@param sequences table[] arrays of numbers
---@param options? pod.utils.pad_sequences.options
---@return tensor
function pod.utils.pad_sequences(sequences, options) end

---@class pod.utils.plot_model.options
---@field show_layer_names? boolean names of layers (true)
---@field show_shapes? boolean shapes of what layers give, where they are known (true)
---@field theme? string "auto", "light" or "dark"
---@field title? string what stands above (the model's name)

--- Draws a model as the graph of its layers, and writes it to a file where a path is given.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(4, { input_shape = { 8 } }), pod.layers.dense(1) }
--- assert(pod.utils.plot_model(model):svg():find "Dense")
--- ```
---@param model model a model; layers of models within it are drawn, too
---@param path? string the file, whose ending says what is written: .svg, .png, .html or .txt
---@param options? pod.utils.plot_model.options
---@return description # picture
function pod.utils.plot_model(model, path, options) end

---@class pod.utils.timeseries_dataset_from_array.options
---@field batch_size? integer|false (128) how many windows are a batch (default 128); false: single windows
---@field end_index? integer the first row that is not looked at any more
---@field sampling_rate? integer (1) every how many rows one is taken (default 1)
---@field sequence_length? integer how many rows a window has
---@field sequence_stride? integer how many rows lie between windows' begins (default 1)
---@field shuffle? boolean whether windows come in another order in each pass (default false)
---@field start_index? integer (0) the first row that is looked at, from 0
---@field seed? integer makes the order the same each time

--- A dataset of windows over rows that follow each other in time: `(rows of a batch, sequence_length, ...)`, with the
--- target of each window's first row where targets are given. To predict what comes `n` rows later, give targets that
--- begin `n` rows later.
--- ```lua
--- local series = pod.iota(6)
--- local ds = pod.utils.timeseries_dataset_from_array(series, false, { sequence_length = 3, sequence_stride = 2 })
--- assert(ds:totable()[1][2][1] == 2)
--- ```
---@param data tensor rows in the order of time
---@param targets? tensor|boolean a target for each row, or false: windows alone
---@param options? pod.utils.timeseries_dataset_from_array.options
---@return dataset
function pod.utils.timeseries_dataset_from_array(data, targets, options) end

--- Class numbers from 0 as vectors with a 1 at their place. A last axis of one is that of the vectors.
--- ```lua
--- pod.utils.to_categorical({ 0, 2 })
--- --> { { 1, 0, 0 }, { 0, 0, 1 } }
--- ```
---@param labels tensor|integer[] whole numbers
---@param num_classes? integer how long vectors are (default: as many as the largest number needs); also as an option, `{ num_classes = 4 }`
---@return tensor
function pod.utils.to_categorical(labels, num_classes) end

--- The version of the library that runs.
--- ```lua
--- type(pod.version())
--- --> "string"
--- ```
function pod.version() end

--- The fields that a class names in `state`.
--- ```lua
--- pod.callbacks.early_stopping():get_state().wait
--- --> 0
--- ```
function callback:get_state() end

--- Puts back what get_state() gave.
--- ```lua
--- local Count = pod.callbacks.subclass { name = "HelpCount", state = { "seen" } }
--- local count = Count()
--- count:set_state { seen = 3 }
--- assert(count.seen == 3)
--- ```
---@param state table
function callback:set_state(state) end

--- What the layers make of the inputs. Call the model itself: `model(x)`.
--- ```lua
--- local input = pod.layers.input { shape = { 3 } }
--- local model = pod.models.functional { inputs = input, outputs = pod.layers.dense(2)(input) }
--- assert(model:call(pod.ones { 4, 3 }, {}).shape[2] == 2)
--- ```
---@param inputs tensor|table as the inputs were given
---@param options table `training`, `mask`
---@return tensor|table # as the outputs were given
function functional_model:call(inputs, options) end

--- The masks that the layers of the outputs gave.
--- ```lua
--- local input = pod.layers.input { shape = { 3 } }
--- local model = pod.models.functional { inputs = input, outputs = pod.layers.dense(2)(input) }
--- assert(model:compute_mask(pod.ones { 4, 3 }) == nil)
--- ```
---@param _ any
---@param _ any
---@return tensor|table|nil
function functional_model:compute_mask(_, _) end

--- A chain of calls, each reading the one before, is shown without the column of connections.
--- ```lua
--- local input = pod.layers.input { shape = { 3 } }
--- local model = pod.models.functional { inputs = input, outputs = pod.layers.dense(2)(input) }
--- assert(model:is_sequential_like())
--- ```
function functional_model:is_sequential_like() end

---@class model.check_tpu.options
---@field batch? integer rows that a core gets
---@field host? "vm"|"node" a TPU VM, or a TPU Node of the old kind

--- What a chip would refuse or do slowly of a step. What it returns prints.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(tostring(model:check_tpu("v5e", { batch = 8 })):find "nothing to change")
--- ```
---@param chip string|chip as "v5e" (default: the strategy's)
---@param options? model.check_tpu.options
---@return check
function model:check_tpu(chip, options) end

---@class model.compile.options
---@field auto_scale_loss? boolean (true) whether float16 models get loss scaling
---@field jit_compile? boolean|"auto" for Keras' sake: steps are always compiled
---@field loss? string|loss|function|table of the outputs; a list or a table by names of outputs where there are several
---@field loss_weights? number[]|table how much the loss of each output counts
---@field metrics? table names, metrics or functions; lists of such for each output
---@field on_nan? "terminate"|"hunt" what is done where the loss is not finite: nothing, training ends, or the operation that made it is found, slowly
---@field optimizer? string|optimizer ("rmsprop") what makes steps of gradients (default "rmsprop")
---@field run_eagerly? boolean whether steps run one operation after the other, to look into them
---@field steps_per_exec? integer the same
---@field steps_per_execution? integer|"auto" how many steps run at once without a return to Lua (default 1)
---@field weighted_metrics? table metrics that get sample and class weights, too

--- Configures training: the optimizer, the loss, metrics, and how steps are run.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = pod.optimizers.adam(0.01), loss = "mse", metrics = { "mae" } }
--- ```
---@param options? model.compile.options
function model:compile(options) end

--- The loss of a batch: that of compile plus the layers' own. Inside strategy:run it is this replica's part; the parts
--- add up to the loss.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:compute_loss(nil, pod.ones { 4, 1 }, pod.zeros { 4, 1 }):item() == 1)
--- ```
---@param x any
---@param y any
---@param y_pred any
---@param sample_weight any
function model:compute_loss(x, y, y_pred, sample_weight) end

--- The run that trains the model, as the `fit` with `background` returned it that began it; nil where none does. So it
--- can be ended where nobody kept it.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- model:current_run():stop()
--- assert(model:current_run() == nil)
--- ```
---@return run|nil
function model:current_run() end

---@class model.evaluate.options
---@field batch_size? integer (32) rows of a global batch, for tensors
---@field callbacks? callback[] what watches it
---@field return_dict? boolean whether a table by name is returned
---@field sample_weight? tensor how much each row counts: `(rows)`
---@field steps? integer batches (default: all there are)
---@field verbose? 0|1|2|"auto" as `fit` has it
---@field x? any what the model gets, by name
---@field y? any what it should give, by name

--- Evaluates: the mean loss and the metrics over all rows. `evaluate(x, y, options)` or `evaluate(dataset, options)`.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 }, kernel_initializer = "zeros" }) }
--- model:compile { loss = "mse" }
--- assert(model:evaluate(pod.ones { 4, 2 }, pod.ones { 4, 1 }, { verbose = 0 }) == 1)
--- ```
---@param x tensor|table|dataset what the model gets
---@param y? tensor|table what it should give
---@param options? model.evaluate.options
---@return number|table # the loss; a list of loss and metrics where there are metrics; a table by name with `return_dict`
function model:evaluate(x, y, options) end

---@class model.export.options
---@field batch_sizes? integer[] numbers of rows that it is compiled for (default 1 and 32)
---@field format? string what is written, where the path's ending does not say it
---@field inputs? any specs or examples of the inputs, where the model does not know them

--- Writes what `predict` computes as a program with its weights, for hosts without Lua (moonpod/exported.h), or as
--- StableHLO text for other compilers.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:export(path, { batch_sizes = { 1, 4 } })
--- assert(#pod.load_exported(path).batch_sizes == 2)
--- os.remove(path)
--- ```
---@param path string ".safetensors", or the ending of a format
---@param options? model.export.options
function model:export(path, options) end

---@class model.find_batch.options
---@field chip? string|chip (default: the strategy's)
---@field step? integer batches are multiples of it (default 8)

--- The largest batch a replica that fits a chip, found without trial and error on a device.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:find_batch { chip = "v5e", step = 1024 } % 1024 == 0)
--- ```
---@param ... any
---@return table
function model:find_batch(...) end

---@class model.fit.options
---@field background? boolean|"stepped" returns a run, which goes on while a prompt waits (where there is none it is an error); "stepped": only in `run:step{ ms = }`, on the caller's thread unless `pod.device.configure` sets `threads`
---@field batch_size? integer rows of a global batch, for tensors (default 32)
---@field callbacks? callback[] what watches the run
---@field class_weight? table class number to weight: how much rows of a class count
---@field epochs? integer the number of the last epoch (default 1)
---@field initial_epoch? integer how many epochs were done before (default 0)
---@field memory_check? boolean whether under a chip's strategy a step that surely does not fit its memory is refused before it runs (default true)
---@field profile_batch? table { first, last }: batches of this training, from 1; `history.profile` says where their time went
---@field sample_weight? tensor how much each row counts: `(rows)`
---@field shuffle? boolean whether rows of tensors get a new order each epoch (default true)
---@field steps_per_epoch? integer batches of an epoch (default: all there are)
---@field validation_batch_size? integer rows of a batch that is evaluated (default: `batch_size`)
---@field validation_data? dataset|table what is evaluated behind each epoch: a dataset, or { x, y, sample_weight }
---@field validation_freq? integer|integer[] evaluates behind every so many epochs, or behind these
---@field validation_split? number the share of rows, from the end, that is not trained on but evaluated: 0 to 1
---@field validation_steps? integer batches that are evaluated (default: all there are)
---@field verbose? 0|1|2|"auto" silent, a bar, a line an epoch; "auto": a bar on a terminal (default)
---@field x? any what the model gets, by name
---@field y? any what it should give, by name

--- Trains: `fit(x, y, options)` with tensors or tables of such, or `fit(dataset, options)` with a dataset of batches of
--- `{ x, y }` or `{ x, y, sample_weight }`. With a strategy the batch is the global one.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local history = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { epochs = 2, verbose = 0 })
--- assert(#history.history.loss == 2)
--- ```
---@param x tensor|table|dataset what the model gets: `(rows, ...)`, or batches; of several inputs a list or a table by their names
---@param y? tensor|table what it should give: `(rows, ...)`, of several outputs a list or a table by their names; without it for a dataset
---@param options? model.fit.options
---@return history|run # whose `history.loss[1]` is the loss of the first epoch
function model:fit(x, y, options) end

--- Finds a layer. Options: name, or index (from 1).
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { name = "first" }) }
--- assert(model:get_layer({ name = "first" }) == model:get_layer({ index = 1 }))
--- ```
---@param options any
function model:get_layer(options) end

--- The present values of all metrics, by name.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- local loss = model:evaluate(pod.ones { 4, 3 }, pod.zeros { 4, 1 }, { verbose = 0 })
--- assert(model:get_metrics_result().loss == loss)
--- ```
function model:get_metrics_result() end

--- The layers that summary() has a line for.
--- ```lua
--- #pod.models.sequential({ pod.layers.dense(2), pod.layers.dense(1) }):get_summary_layers()
--- --> 2
--- ```
function model:get_summary_layers() end

--- Whether summary() leaves out which layers each one reads.
--- ```lua
--- pod.models.sequential({ pod.layers.dense(2) }):is_sequential_like()
--- --> true
--- ```
function model:is_sequential_like() end

---@class model.load_weights.options
---@field by_name? boolean whether layers are found by their names alone
---@field skip_mismatch? boolean whether weights that do not fit are left out
---@field style? "torch" names and layouts as modules of torch.nn have them

--- Reads the weights from a file: all of them, or nothing changes.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local first = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 }, name = "one" }) }
--- local second = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 }, name = "one" }) }
--- first:save_weights(path)
--- second:load_weights(path)
--- assert(pod.allclose(second:predict(pod.ones { 1, 3 }), first:predict(pod.ones { 1, 3 })))
--- os.remove(path)
--- ```
---@param path string
---@param options? model.load_weights.options
function model:load_weights(path, options) end

---@class model.memory_report.options
---@field batch? integer rows that a core gets
---@field policy? string which policy of layouts (default "compact")
---@field replicas? integer how many cores (default: the strategy's)

--- What a step of training takes of a device's memory. Nothing is run, and no batch is allocated. The report prints.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }).verdict ~= nil)
--- ```
---@param chip string|chip as "v5e" (default: the strategy's)
---@param options? model.memory_report.options
---@return memory_report
function model:memory_report(chip, options) end

---@class model.predict.options
---@field batch_size? integer (32) rows of a batch, for tensors (default 32)
---@field callbacks? callback[] what watches it
---@field steps? integer batches (default: all there are)
---@field verbose? 0|1|2|"auto" (0) as `fit` has it
---@field x? any the same, by name

--- Predicts: the outputs for all rows, in the order of the input.
--- ```lua
--- pod.models.sequential({ pod.layers.dense(3) }):predict(pod.ones { 4, 2 }, { verbose = 0 }).shape
--- --> (4, 3)
--- ```
---@param x tensor|table|dataset what the model gets
---@param options? model.predict.options
---@return tensor|table # the outputs `(rows, ...)`, nested as the model's are
function model:predict(x, options) end

--- The outputs for one batch.
--- ```lua
--- pod.models.sequential({ pod.layers.dense(3) }):predict_on_batch(pod.ones { 4, 2 }).shape
--- --> (4, 3)
--- ```
---@param x tensor|table
---@return tensor|table
function model:predict_on_batch(x) end

--- One step of prediction; returns the outputs.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model.predict_step = function(self, data) return self(data[1]) * 0 end
--- assert(model:predict(pod.ones { 4, 3 }, { verbose = 0 }):sum():item() == 0)
--- ```
---@param data table
function model:predict_step(data) end

--- Sets the loss's mean and all metrics back to their beginning.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- model:test_on_batch(pod.ones { 4, 3 }, pod.zeros { 4, 1 })
--- model:reset_metrics()
--- assert(model:get_metrics_result().loss == 0)
--- ```
function model:reset_metrics() end

---@class model.save.options
---@field background? boolean whether a thread writes while the script goes on
---@field include_optimizer? boolean whether what training needs is written, too (default true)
---@field iterator? iterator its position in the data is kept

--- Writes the model to a file: layers, weights, how it was compiled, and all that training changes, so that a model
--- that is loaded goes on where it was. The file is written whole or not at all; loading it runs nothing. See
--- docs/guides/saving.md.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:save(path)
--- assert(pod.models.load(path):count_params() == 8)
--- os.remove(path)
--- ```
---@param path string it ends in ".safetensors"; for Keras, see model:save_weights
---@param options? model.save.options
function model:save(path, options) end

---@class model.save_weights.options
---@field background? boolean whether a thread writes while the script goes on
---@field style? "torch" names and layouts as modules of torch.nn have them

--- Writes the weights to a file, whole or not at all.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:save_weights(path)
--- model:load_weights(path)
--- os.remove(path)
--- ```
---@param path string ".safetensors", or ".weights.h5" for Keras
---@param options? model.save_weights.options
function model:save_weights(path, options) end

--- Computes in another policy's type from now on: variables stay what they are, so it must keep them in the same type.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:set_dtype_policy "mixed_bfloat16"
--- assert(model(pod.ones { 4, 3 }).dtype == "bfloat16")
--- ```
---@param model any
---@param name string
function model:set_dtype_policy(model, name) end

---@class model.set_memory_options.options
---@field micro_batches? integer|false each replica's batch in so many equal parts, one after the other; gradients are added up
---@field rematerialize? integer|false the layers in so many groups, whose inner values are computed again in the backward pass
---@field sparse_labels? boolean whether categorical cross-entropies of `pod.one_hot(labels, n)` take the labels

--- Sets what saves memory in a step of training; what is not given stays, false takes it back.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1) }
--- assert(model:set_memory_options { micro_batches = 2 } == model)
--- ```
---@param model any
---@param options? model.set_memory_options.options
---@return model
function model:set_memory_options(model, options) end

---@class model.summary.options
---@field expand_nested? boolean whether layers of models within are shown
---@field line_length? integer columns of the table
---@field positions? number[] where its columns end, as parts of a line
---@field print_fn? function of the text, in the place of printing
---@field show_trainable? boolean whether it is shown which layers are trained

--- Prints the table of layers: their shapes, numbers of weights, and how they are connected.
--- ```lua
--- local text
--- pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):summary {
---   print_fn = function(line) text = (text or "") .. line end }
--- assert(text:find "Dense")
--- ```
---@param options? model.summary.options
function model:summary(options) end

---@class model.test_on_batch.options
---@field return_dict? boolean whether a table by name is returned
---@field sample_weight? tensor how much each row counts: `(rows)`

--- Evaluates one batch.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:test_on_batch(pod.ones { 4, 3 }, pod.zeros { 4, 1 }) >= 0)
--- ```
---@param x tensor|table
---@param y? tensor|table
---@param options? model.test_on_batch.options
---@return number|table # the loss, or a list of loss and metrics
function model:test_on_batch(x, y, options) end

--- One step of evaluation.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- model.test_step = function(self, data)
---   return { loss = self:compute_loss(data[1], data[2], self(data[1]) * 0) }
--- end
--- assert(model:evaluate(pod.ones { 4, 3 }, pod.ones { 4, 1 }, { verbose = 0 }) == 1)
--- ```
---@param data table
function model:test_step(data) end

--- The model as JSON text, without weights: pod.models.from_json makes it again. Options: indent.
--- ```lua
--- pod.models.sequential({ pod.layers.dense(2) }):to_json():sub(1, 1)
--- --> "{"
--- ```
---@param options? table
function model:to_json(options) end

--- Counts the loss of a batch into a mean over samples.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- model.test_step = function(self) self:track_loss(self.loss_tracker, pod.tensor(7)) end
--- assert(model:evaluate(pod.ones { 4, 3 }, pod.ones { 4, 1 }, { verbose = 0 }) == 7)
--- ```
---@param tracker any
---@param loss tensor|number
function model:track_loss(tracker, loss) end

---@class model.train_on_batch.options
---@field class_weight? table class number to weight
---@field return_dict? boolean whether a table by name is returned
---@field sample_weight? tensor how much each row counts: `(rows)`

--- Trains on one batch; metrics are those of this batch.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 }, kernel_initializer = "zeros" }) }
--- model:compile { loss = "mse", optimizer = "sgd" }
--- assert(model:train_on_batch(pod.ones { 4, 2 }, pod.ones { 4, 1 }) == 1)
--- ```
---@param x tensor|table
---@param y? tensor|table
---@param options? model.train_on_batch.options
---@return number|table # the loss, or a list of loss and metrics
function model:train_on_batch(x, y, options) end

--- One step of training on { x, y, sample_weight }: override it in a subclass. What it returns, a table of tensors by
--- name, is shown; nil shows the metrics.
--- ```lua
--- local Doubled = pod.models.subclass { name = "HelpDoubled",
---   setup = function(self) self.dense = pod.layers.dense(1) end,
---   call = function(self, x) return self.dense(x) end,
---   train_step = function(self, data)
---     local tape, loss = pod.tape(function() return self:compute_loss(data[1], data[2], self(data[1])) * 2 end)
---     local weights = self:get_trainable_weights()
---     self.optimizer:apply(tape:gradient(loss, weights), weights)
---     return { loss = loss }
---   end }
--- local model = Doubled()
--- model:compile { loss = "mse", optimizer = "sgd" }
--- assert(model:fit(pod.ones { 4, 3 }, pod.ones { 4, 1 }, { verbose = 0 }).history.loss[1] >= 0)
--- ```
---@param data table
function model:train_step(data) end

--- A model of the same layers with weights of its own, as they begin.
--- ```lua
--- #pod.models.clone_model(pod.models.sequential { pod.layers.dense(2) }).layers
--- --> 1
--- ```
---@param model model
---@return model
function pod.models.clone_model(model) end

--- A model from plain data: what `pod.serialize(model)` gave, or `model:get_config()` of a sequential or functional
--- one.
--- ```lua
--- #pod.models.from_config(pod.serialize(pod.models.sequential { pod.layers.dense(2) })).layers
--- --> 1
--- ```
---@param plain table
---@param options? table `custom_objects` (classes and functions by name), `strategy`
---@return model
function pod.models.from_config(plain, options) end

--- A model from what `model:to_json()` gave, with weights as they begin.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- assert(pod.models.from_json(model:to_json()):count_params() == 8)
--- ```
---@param text string
---@param options? table `custom_objects` (classes and functions by name), `strategy`
---@return model
function pod.models.from_json(text, options) end

---@class pod.models.functional.options
---@field inputs? symbolic_tensor|table what `pod.layers.input` gave, or a table of such
---@field outputs? symbolic_tensor|table what layers made of them
---@field name? string what summaries, messages and files call it
---@field trainable? boolean whether its weights are trained (default true)

--- A model of the layers between symbolic inputs and outputs. Keras' name is `pod.models.model`.
--- ```lua
--- local x = pod.layers.input { 4 }
--- local hidden = pod.layers.dense(8, { activation = "relu" })(x)
--- local model = pod.models.functional { inputs = x, outputs = pod.layers.dense(1)(hidden) }
--- assert(model:count_params() == 49)
--- ```
---@param ... any
---@return model
function pod.models.functional(...) end

pod.models.model = pod.models.functional

--- Whether a value is a model.
--- ```lua
--- pod.models.is_model(pod.layers.dense(1))
--- --> false
--- ```
---@param value any
---@return boolean
function pod.models.is_model(value) end

--- The model of a file that `model:save()` or Keras has written: layers, weights, and how it was compiled. Nothing in
--- a file runs.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):save(path)
--- assert(pod.models.load(path):count_params() == 8)
--- os.remove(path)
--- ```
---@param path string it ends in ".safetensors", or ".keras"
---@param options? table `custom_objects` (classes and functions by name), `compile` (true), `strategy`, `iterator`
---@return model
---@return table? # layers of strings of a `.keras` file by their names: the model takes what these give
function pod.models.load(path, options) end

pod.models.load_model = pod.models.load

---@class pod.models.sequential.options
---@field name? string what summaries, messages and files call it
---@field trainable? boolean whether its weights are trained (default true)

--- A model of layers one behind the other. It is built when it knows the shape of its input: where its first layer has
--- `input_shape`, or at the first call.
--- ```lua
--- local model = pod.models.sequential {
---   pod.layers.dense(16, { activation = "relu", input_shape = { 4 } }),
---   pod.layers.dense(3),
--- }
--- assert(model:predict(pod.ones { 2, 4 }).shape[2] == 3)
--- ```
---@param layers layer[] the layers in their order; `model:add(layer)` adds more
---@param options? pod.models.sequential.options
---@return model
function pod.models.sequential(layers, options) end

--- A class of models that say by `call(self, inputs, options)` what they compute. `setup(self, ...)` gets what the
--- class is called with and makes layers as fields of `self`; other functions become methods.
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
---@param methods table with `call`; `name` is the class name, needed for saving
---@return class # called, it makes a model
function pod.models.subclass(methods) end

--- Goes so many steps back, and rests there: weights, the optimizer, random numbers, metrics, the history and the place
--- in the data are what they were, to the bit. From there it goes on by resume(), wait() or step(), maybe with another
--- learning rate. Between the snapshots that a run takes of itself steps are done again, and callbacks called again.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local options = { background = "stepped", verbose = 0, batch_size = 8, epochs = 2000 }
--- local run = model:fit(pod.ones { 64, 2 }, pod.ones { 64, 1 }, options)
--- repeat run:step() until run:progress().step >= 4
--- run:back(3)
--- run:stop()
--- ```
---@param steps integer at least 1
---@return run
function run:back(steps) end

--- Whether the run is over. Gives a run of the background a little time.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- repeat run:step() until run:done()
--- ```
---@return boolean
function run:done() end

--- Calls a function when something happens: fn(run, logs).
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- run:on("epoch", function(_, logs) assert(logs.loss >= 0) end):wait()
--- ```
---@param event string "epoch" (an epoch has ended), "batch" (an execution, of one or several batches, has ended), "end" (the run is over) or "error" (it has failed: run.error says why)
---@param fn function
---@return run
function run:on(event, fn) end

--- Lets the run rest, the step that is under way unfinished, until resume() or wait().
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- run:pause()
--- assert(run.state == "paused")
--- run:wait()
--- ```
---@return run
function run:pause() end

--- Compiles what is not compiled yet when fit returns: the step of the validation. So no frame waits for it.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local x, y = pod.ones { 8, 2 }, pod.ones { 8, 1 }
--- local run = model:fit(x, y, { background = "stepped", verbose = 0, validation_data = { x, y } })
--- run:prepare():wait()
--- ```
---@return run
function run:prepare() end

--- Where the run is: a table that prints as a line. Gives a run of the background a little time.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- assert(run:progress().epochs == 1)
--- ```
---@return table # { state =, epoch = (from 1), epochs =, step = (done in this epoch), steps = (nil: not known), seconds =, logs = }
function run:progress() end

--- Lets a run that rests go on.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- run:pause():resume():wait()
--- ```
---@return run
function run:resume() end

---@class run.step.options
---@field ms? number (4) (default 4)

--- Goes on for so many milliseconds, also within a long step, and returns: for loops that have frames to draw. It takes
--- longer by what is under way then and cannot be divided: a phase of a program, a callback, the next batch of data.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- repeat until not run:step { ms = 4 }
--- ```
---@param options? run.step.options
---@return boolean # whether there is more to do
function run:step(options) end

--- Ends the run behind the step that is under way. Weights and history stay; what a callback does at the end of a
--- training is done.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- run:stop()
--- assert(run:done())
--- ```
---@return table # the history
function run:stop() end

--- Waits until the run is over, while others go on beside it, and raises why it failed. A run that pauses goes on.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- assert(#run:wait().history.loss == 1)
--- ```
---@return table # the history, as fit's
function run:wait() end

--- Adds a layer (or a symbolic input, first).
--- ```lua
--- local model = pod.models.sequential {}
--- model:add(pod.layers.dense(2))
--- assert(#model.layers == 1)
--- ```
---@param one any
function sequential_model:add(one) end

--- Builds for the shape of an input that was not known when the model was made.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2) }
--- model:build { -1, 3 }
--- assert(model:count_params() == 8)
--- ```
---@param shape any
function sequential_model:build(shape) end

--- What the layers make of the input, one after the other. Call the model itself: `model(x)`.
--- ```lua
--- pod.models.sequential({ pod.layers.dense(2) }):call(pod.ones { 4, 3 }, {}).shape
--- --> (4, 2)
--- ```
---@param x tensor
---@param options table `training`, `mask`
---@return tensor
function sequential_model:call(x, options) end

--- The mask that the last layer gave.
--- ```lua
--- pod.models.sequential({ pod.layers.dense(2) }):compute_mask(pod.ones { 4, 3 }) == nil
--- --> true
--- ```
---@param _ any
---@param _ any
---@return tensor|nil
function sequential_model:compute_mask(_, _) end

--- Takes the last layer away.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2), pod.layers.dense(1) }
--- model:pop()
--- assert(#model.layers == 1)
--- ```
function sequential_model:pop() end

--- What it was made with, as plain data.
--- ```lua
--- pod.constraints.max_norm({ max_value = 3 }):get_config().max_value
--- --> 3
--- ```
function constraint:get_config() end

--- What it was made with, as plain data.
--- ```lua
--- pod.initializers.he_normal({ seed = 1 }):get_config().seed
--- --> 1
--- ```
function initializer:get_config() end

--- Adds a regularizer's loss of an output, for each row of the (global) batch.
--- ```lua
--- pod.layers.dense(2, { activity_regularizer = "l2" })(pod.ones { 4, 3 }).shape
--- --> (4, 2)
--- ```
---@param regularizer function
---@param output tensor
function layer:add_activity_loss(regularizer, output) end

---@class layer.add_loss.options
---@field part? boolean whether it is one replica's part of a sum

--- Adds a loss of this layer's own (a scalar) to that of the model being trained. Inside strategy:run sums over a
--- replica's rows add up; of other losses the mean over all rows is taken, unless { part = true } says that they add
--- up.
--- ```lua
--- local dense = pod.layers.dense(2); dense:add_loss(pod.tensor(3)); assert(#dense:collect_losses() == 1)
--- ```
---@param value tensor|number
---@param options? layer.add_loss.options
function layer:add_loss(value, options) end

---@class layer.add_weight.options
---@field aggregation? string how values of several replicas become one: "sum", "mean", "only_first_replica"
---@field constraint? function what it is put through after each step
---@field initializer? string|initializer ("glorot_uniform") first values (default "glorot_uniform")
---@field regularizer? function adds a loss of it
---@field shape? integer[] (default: a scalar)
---@field synchronization? string "on_read": each replica has its own, and they are joined where it is read
---@field dtype? string (default: that of the policy's variables)
---@field name? string ("variable") what files and messages call it, behind the layer's name
---@field trainable? boolean (true) (default true)

--- Makes a weight of a layer, in its `build`.
--- ```lua
--- local Scale = pod.layers.subclass { name = "HelpScale",
---   build = function(self) self.by = self:add_weight { name = "by", initializer = "ones" } end,
---   call = function(self, x) return x * self.by:value() end }
--- local layer = Scale()
--- assert(layer(pod.ones { 2 }):sum():item() == 2 and layer:count_params() == 1)
--- ```
---@param options? layer.add_weight.options
---@return variable
function layer:add_weight(options) end

--- The regularization losses of this layer and all below it, and what add_loss() gave since the last
--- call of reset_losses(): a list of { value =, part = } with part as in add_loss.
--- ```lua
--- #pod.layers.dense(2):collect_losses()
--- --> 0
--- ```
function layer:collect_losses() end

--- The dtype in which the layer computes and that of its variables.
--- ```lua
--- pod.layers.dense(2):compute_dtype()
--- --> "float32"
--- ```
function layer:compute_dtype() end

--- The mask of the outputs: that of the inputs where the layer says supports_masking, else none.
--- ```lua
--- pod.layers.dropout(0.5):compute_mask(pod.ones { 4, 3 }, pod.ones { 4 }).shape
--- --> (4,)
--- ```
---@param _ any
---@param mask any
function layer:compute_mask(_, mask) end

--- Number of elements of all weights.
--- ```lua
--- pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):count_params()
--- --> 8
--- ```
function layer:count_params() end

--- Calls visit(layer) for this layer and all below it, each once.
--- ```lua
--- local count = 0
--- pod.models.sequential({ pod.layers.dense(2), pod.layers.dense(1) }):each_layer(function() count = count + 1 end)
--- assert(count == 3) -- the model and both layers
--- ```
---@param visit function
---@param seen? table
function layer:each_layer(visit, seen) end

--- Builds for a shape (or a nested table of shapes) unless that is done; in the strategy that it was made under.
--- ```lua
--- local dense = pod.layers.dense(2); dense:ensure_built { -1, 3 }; assert(dense:count_params() == 8)
--- ```
---@param shapes any
function layer:ensure_built(shapes) end

--- The options of the layer as plain data, of which from_config() makes a layer again.
--- ```lua
--- pod.layers.dense(2):get_config().units
--- --> 2
--- ```
function layer:get_config() end

--- Weights that training leaves alone, of the layer and those within it, in their order.
--- ```lua
--- #pod.layers.dense(2):get_non_trainable_weights()
--- --> 0
--- ```
function layer:get_non_trainable_weights() end

--- Weights: of this layer and all below it. Seed states do not count.
--- ```lua
--- #pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):get_trainable_weights()
--- --> 2
--- ```
function layer:get_trainable_weights() end

--- All weights, in Keras' order: the trainable ones of each layer as it comes, with its others. What a stateful layer
--- keeps from batch to batch is none.
--- ```lua
--- local dense = pod.layers.dense(2, { input_shape = { 3 } })
--- dense:ensure_built { -1, 3 }
--- assert(#dense:get_weight_variables() == 2) -- kernel and bias
--- ```
function layer:get_weight_variables() end

--- The values of the weights as tensors, in Keras' order.
--- ```lua
--- #pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):get_weights()
--- --> 2
--- ```
function layer:get_weights() end

--- Forgets the losses that the last call has added.
--- ```lua
--- local d = pod.layers.dense(2); d:add_loss(1); d:reset_losses(); assert(not d:collect_losses()[1])
--- ```
function layer:reset_losses() end

--- Runs the call and what goes with it: masks and the activity regularizer.
--- ```lua
--- local d = pod.layers.dense(1); d:ensure_built { 1, 3 }; assert(d:run(pod.ones { 1, 3 }, {}):size() == 1)
--- ```
---@param inputs any
---@param options table
function layer:run(inputs, options) end

--- Whether a layer trains; that of the layers below it as well, as in Keras.
--- ```lua
--- local dense = pod.layers.dense(2); dense:set_trainable(false); assert(dense.trainable == false)
--- ```
---@param value any
function layer:set_trainable(value) end

--- Sets the weights from tensors or nested tables, in the order of get_weights().
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:set_weights(model:get_weights())
--- ```
---@param values any
function layer:set_weights(values) end

--- Sub-layers, direct ones only, each once.
--- ```lua
--- #pod.models.sequential({ pod.layers.dense(2), pod.layers.dense(1) }):sublayers()
--- --> 2
--- ```
function layer:sublayers() end

--- The type of the layer's weights: the policy's.
--- ```lua
--- pod.layers.dense(2):variable_dtype()
--- --> "float32"
--- ```
function layer:variable_dtype() end

---@class pod.activations.celu.options
---@field alpha? number the limit below, but for its sign

--- `x` above 0, `alpha (exp(x / alpha) - 1)` below, with alpha 1.
--- ```lua
--- pod.activations.celu({ 0, 2 })
--- --> { 0, 2 }
--- ```
---@param x tensor|number
---@param options? pod.activations.celu.options
function pod.activations.celu(x, options) end

---@class pod.activations.elu.options
---@field alpha? number the limit below, but for its sign

--- `x` above 0, `alpha (exp(x) - 1)` below, with alpha 1. The slope at 0 is that below it.
--- ```lua
--- pod.activations.elu({ 0, 2 })
--- --> { 0, 2 }
--- ```
---@param x tensor|number
---@param options? pod.activations.elu.options
function pod.activations.elu(x, options) end

--- `exp(x)`.
--- ```lua
--- pod.activations.exponential({ 0 })
--- --> { 1 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.exponential(x, options) end

---@class pod.activations.gelu.options
---@field approximate? boolean whether it is computed by tanh

--- `x P(X <= x)` for a normal X: exact with erf by default, as in Keras; `approximate` uses tanh.
--- ```lua
--- pod.activations.gelu({ 0, 1 })
--- --> { 0, 0.8413 }
--- ```
---@param x tensor|number
---@param options? pod.activations.gelu.options
function pod.activations.gelu(x, options) end

--- Finds an activation: nil is linear, a name, or a function or layer as it is.
--- ```lua
--- select(2, pod.activations.get "relu")
--- --> "relu"
--- ```
---@param value? string|function
---@param where? string what messages begin with
---@return function
---@return string # its name
function pod.activations.get(value, where) end

---@class pod.activations.glu.options
---@field axis? integer the axis that it works along (default: the last)

--- The gated linear unit: one half of x along an axis, times the sigmoid of the other.
--- ```lua
--- pod.activations.glu({ { 2, 0 } })
--- --> { { 1 } }
--- ```
---@param x tensor|number
---@param options? pod.activations.glu.options
function pod.activations.glu(x, options) end

---@class pod.activations.hard_shrink.options
---@field threshold? number where it changes

--- `x`, but 0 where it is within the threshold (0.5).
--- ```lua
--- pod.activations.hard_shrink({ -1, 0.2, 1 })
--- --> { -1, 0, 1 }
--- ```
---@param x tensor|number
---@param options? pod.activations.hard_shrink.options
function pod.activations.hard_shrink(x, options) end

--- `relu6(x + 3) / 6`: 0 below -3, 1 above 3, a line between.
--- ```lua
--- pod.activations.hard_sigmoid({ -4, 0, 4 })
--- --> { 0, 0.5, 1 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.hard_sigmoid(x, options) end

--- `x hard_sigmoid(x)`.
--- ```lua
--- pod.activations.hard_silu({ 0, 4 })
--- --> { 0, 4 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.hard_silu(x, options) end

pod.activations.hard_swish = pod.activations.hard_silu

--- x kept within -1 and 1.
--- ```lua
--- pod.activations.hard_tanh({ -2, 0.5 })
--- --> { -1, 0.5 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.hard_tanh(x, options) end

---@class pod.activations.leaky_relu.options
---@field negative_slope? number the slope below the threshold

--- `x` above 0, `negative_slope x` (0.2) below.
--- ```lua
--- pod.activations.leaky_relu({ -1, 2 })
--- --> { -0.2, 2 }
--- ```
---@param x tensor|number
---@param options? pod.activations.leaky_relu.options
function pod.activations.leaky_relu(x, options) end

--- Gives x as it is.
--- ```lua
--- pod.activations.linear({ -1, 2 })
--- --> { -1, 2 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.linear(x, options) end

--- `log(sigmoid(x))`, exact for large |x|.
--- ```lua
--- pod.activations.log_sigmoid({ 0 })
--- --> { -0.6931 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.log_sigmoid(x, options) end

---@class pod.activations.log_softmax.options
---@field axis? integer the axis that it works along (default: the last)

--- The logarithm of softmax, exact where that is near 0.
--- ```lua
--- pod.activations.log_softmax({ { 1, 1 } })
--- --> { { -0.6931, -0.6931 } }
--- ```
---@param x tensor|number
---@param options? pod.activations.log_softmax.options
function pod.activations.log_softmax(x, options) end

--- `x tanh(softplus(x))`.
--- ```lua
--- pod.activations.mish({ 0 })
--- --> { 0 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.mish(x, options) end

---@class pod.activations.relu.options
---@field max_value? number the most that comes out (default: no limit)
---@field negative_slope? number the slope below the threshold
---@field threshold? number where it changes

--- `max(x, 0)`, or with options `x` above the threshold, a line of `negative_slope` below, at most `max_value`.
--- ```lua
--- pod.activations.relu({ -1, 2 })
--- --> { 0, 2 }
--- ```
---@param x tensor|number
---@param options? pod.activations.relu.options
function pod.activations.relu(x, options) end

--- `min(max(x, 0), 6)`. It has no slope at 0 and at 6, where that of a minimum would be a half.
--- ```lua
--- pod.activations.relu6({ -1, 9 })
--- --> { 0, 6 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.relu6(x, options) end

--- `1.0507 elu(x, 1.6733)`: keeps mean 0 and variance 1 from layer to layer (Klambauer et al. 2017).
--- ```lua
--- pod.activations.selu({ 0, 1 })
--- --> { 0, 1.051 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.selu(x, options) end

--- `1 / (1 + exp(-x))`. It keeps the logits in mind, so that a cross-entropy of the result can use them.
--- ```lua
--- pod.activations.sigmoid({ 0 })
--- --> { 0.5 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.sigmoid(x, options) end

--- `x sigmoid(x)`.
--- ```lua
--- pod.activations.silu({ 0, 1 })
--- --> { 0, 0.7311 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.silu(x, options) end

pod.activations.swish = pod.activations.silu

---@class pod.activations.soft_shrink.options
---@field threshold? number where it changes

--- Moves x towards 0 by the threshold (0.5); what is nearer becomes 0.
--- ```lua
--- pod.activations.soft_shrink({ -1, 0.2, 1 })
--- --> { -0.5, 0, 0.5 }
--- ```
---@param x tensor|number
---@param options? pod.activations.soft_shrink.options
function pod.activations.soft_shrink(x, options) end

---@class pod.activations.softmax.options
---@field axis? integer the axis that it works along (default: the last)

--- `exp(x) / sum(exp(x))` along an axis. It keeps the logits in mind, so that a cross-entropy of the result can use
--- them.
--- ```lua
--- pod.activations.softmax({ { 1, 1 } })
--- --> { { 0.5, 0.5 } }
--- ```
---@param x tensor|number
---@param options? pod.activations.softmax.options
function pod.activations.softmax(x, options) end

--- `log(1 + exp(x))`.
--- ```lua
--- pod.activations.softplus({ 0 })
--- --> { 0.6931 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.softplus(x, options) end

--- `x / (1 + |x|)`.
--- ```lua
--- pod.activations.softsign({ -1, 1 })
--- --> { -0.5, 0.5 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.softsign(x, options) end

--- 0 up to -1, `(x + 1)^2 / 4` up to 1, then x.
--- ```lua
--- pod.activations.sparse_plus({ -2, 0, 2 })
--- --> { 0, 0.25, 2 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.sparse_plus(x, options) end

--- 0 up to -1, `(x + 1) / 2` up to 1, then 1.
--- ```lua
--- pod.activations.sparse_sigmoid({ -2, 0, 2 })
--- --> { 0, 0.5, 1 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.sparse_sigmoid(x, options) end

---@class pod.activations.sparsemax.options
---@field axis? integer the axis that it works along (default: the last)

--- The nearest probabilities to x: many of them are 0 (Martins and Astudillo 2016).
--- ```lua
--- pod.activations.sparsemax({ { 0, 3 } })
--- --> { { 0, 1 } }
--- ```
---@param x tensor|number
---@param options? pod.activations.sparsemax.options
function pod.activations.sparsemax(x, options) end

---@class pod.activations.squareplus.options
---@field b? number how smooth it is at 0

--- `(x + sqrt(x^2 + b)) / 2`, with b 4.
--- ```lua
--- pod.activations.squareplus({ 0 })
--- --> { 1 }
--- ```
---@param x tensor|number
---@param options? pod.activations.squareplus.options
function pod.activations.squareplus(x, options) end

--- The hyperbolic tangent.
--- ```lua
--- pod.activations.tanh({ 0, 1 })
--- --> { 0, 0.7616 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.tanh(x, options) end

--- `x - tanh(x)`.
--- ```lua
--- pod.activations.tanh_shrink({ 0, 1 })
--- --> { 0, 0.2384 }
--- ```
---@param x tensor|number
---@param options? table
function pod.activations.tanh_shrink(x, options) end

---@class pod.activations.threshold.options
---@field default_value? number what stands for values up to the threshold
---@field threshold? number where it changes

--- `x` above the threshold, `default_value` elsewhere; both options are needed.
--- ```lua
--- pod.activations.threshold({ 1, 3 }, { threshold = 2, default_value = 0 })
--- --> { 0, 3 }
--- ```
---@param x tensor|number
---@param options? pod.activations.threshold.options
function pod.activations.threshold(x, options) end

--- These functions by the names of Keras' classes.
---@type table
pod.constraints.by_class = nil

--- Finds a constraint: nil, a name, or what was made by these functions, or any function, as it is.
--- ```lua
--- pod.constraints.get("non_neg") ~= nil
--- --> true
--- ```
---@param value any
---@param where any
function pod.constraints.get(value, where) end

--- Whether a value was made by one of these functions.
--- ```lua
--- pod.constraints.is_constraint(pod.constraints.non_neg())
--- --> true
--- ```
---@param value any
---@return boolean
function pod.constraints.is_constraint(value) end

---@class pod.constraints.max_norm.options
---@field axis? integer|integer[] (0) along which lengths are measured: 0 for the kernel of a dense layer
---@field max_value? number (2) the greatest length

--- Vectors that are longer than `max_value` are made as long.
--- ```lua
--- pod.constraints.max_norm({ max_value = 5 })(pod.tensor { { 6 }, { 8 } })
--- --> { { 3 }, { 4 } }
--- ```
---@param options? pod.constraints.max_norm.options
---@return constraint
function pod.constraints.max_norm(options) end

---@class pod.constraints.min_max_norm.options
---@field axis? integer|integer[] (0) along which lengths are measured: 0 for the kernel of a dense layer
---@field max_value? number (1) the greatest length
---@field min_value? number (0) the least length
---@field rate? number (1) how much of the way it goes in one step

--- Vectors get a length within two limits.
--- ```lua
--- pod.constraints.min_max_norm({ max_value = 5 })(pod.tensor { { 6 }, { 8 } })
--- --> { { 3 }, { 4 } }
--- ```
---@param options? pod.constraints.min_max_norm.options
---@return constraint
function pod.constraints.min_max_norm(options) end

--- Weights below 0 become 0.
--- ```lua
--- pod.constraints.non_neg()(pod.tensor { -1, 2 })
--- --> { 0, 2 }
--- ```
---@param options any
---@return constraint
function pod.constraints.non_neg(options) end

---@class pod.constraints.unit_norm.options
---@field axis? integer|integer[] (0) along which lengths are measured: 0 for the kernel of a dense layer

--- Vectors get the length 1.
--- ```lua
--- pod.constraints.unit_norm()(pod.tensor { { 3 }, { 4 } })
--- --> { { 0.6 }, { 0.8 } }
--- ```
---@param options? pod.constraints.unit_norm.options
---@return constraint
function pod.constraints.unit_norm(options) end

--- What set_float32_matmul_precision() has set.
--- ```lua
--- pod.get_float32_matmul_precision()
--- --> "highest"
--- ```
function pod.get_float32_matmul_precision() end

--- The initializers by their names and those of Keras' classes.
---@type table
pod.initializers.by_name = nil

---@class pod.initializers.constant.options
---@field value? number|tensor (0) it may stand for the table: `constant(3)`
---@field seed? integer makes what is drawn the same each time

--- All the same number, or what a tensor has.
--- ```lua
--- pod.initializers.constant(3)({ 2 })
--- --> { 3, 3 }
--- ```
---@param options? pod.initializers.constant.options
---@return initializer
function pod.initializers.constant(options) end

--- Returns an initializer for a name, an initializer, a number, or a function of shape and dtype.
--- ```lua
--- pod.initializers.get("ones")({ 2 })
--- --> { 1, 1 }
--- ```
---@param value any
function pod.initializers.get(value) end

---@class pod.initializers.glorot_uniform.options
---@field seed? integer makes what is drawn the same each time

--- Variance scaling with known numbers: `glorot` has the scale 1 over the mean of inputs and outputs, `he` 2 over the
--- inputs, `lecun` 1 over the inputs; `normal` is cut off at two deviations.
--- ```lua
--- pod.initializers.he_normal { seed = 1 }({ 3, 4 }).shape
--- --> (3, 4)
--- ```
---@param options? pod.initializers.glorot_uniform.options
---@return initializer
function pod.initializers.glorot_uniform(options) end

pod.initializers.glorot_normal = pod.initializers.glorot_uniform

pod.initializers.he_normal = pod.initializers.glorot_uniform

pod.initializers.he_uniform = pod.initializers.glorot_uniform

pod.initializers.lecun_normal = pod.initializers.glorot_uniform

pod.initializers.lecun_uniform = pod.initializers.glorot_uniform

---@class pod.initializers.identity.options
---@field gain? number (1) a factor
---@field seed? integer makes what is drawn the same each time

--- The identity matrix, times `gain`.
--- ```lua
--- pod.initializers.identity()({ 2, 2 })
--- --> { { 1, 0 }, { 0, 1 } }
--- ```
---@param options? pod.initializers.identity.options
---@return initializer
function pod.initializers.identity(options) end

--- Whether a value was made by one of these functions.
--- ```lua
--- pod.initializers.is_initializer(pod.initializers.ones())
--- --> true
--- ```
---@param value any
function pod.initializers.is_initializer(value) end

---@class pod.initializers.ones.options
---@field seed? integer makes what is drawn the same each time

--- All 1.
--- ```lua
--- pod.initializers.ones()({ 2 })
--- --> { 1, 1 }
--- ```
---@param options? pod.initializers.ones.options
---@return initializer
function pod.initializers.ones(options) end

---@class pod.initializers.orthogonal.options
---@field gain? number (1) a factor
---@field seed? integer makes what is drawn the same each time

--- A random matrix with rows, or columns, at right angles of length `gain`.
--- ```lua
--- pod.initializers.orthogonal()({ 3, 3 }).shape
--- --> (3, 3)
--- ```
---@param options? pod.initializers.orthogonal.options
---@return initializer
function pod.initializers.orthogonal(options) end

---@class pod.initializers.random_normal.options
---@field mean? number (0) the mean
---@field stddev? number (0.05) the standard deviation
---@field seed? integer makes what is drawn the same each time

--- Normally distributed numbers.
--- ```lua
--- pod.initializers.random_normal { stddev = 1 }({ 2, 3 }).shape
--- --> (2, 3)
--- ```
---@param options? pod.initializers.random_normal.options
---@return initializer
function pod.initializers.random_normal(options) end

---@class pod.initializers.random_uniform.options
---@field maxval? number (0.05) the highest value
---@field minval? number (-0.05) the lowest value
---@field seed? integer makes what is drawn the same each time

--- Uniformly distributed numbers from `minval` to `maxval`.
--- ```lua
--- pod.initializers.random_uniform()({ 2, 3 }).shape
--- --> (2, 3)
--- ```
---@param options? pod.initializers.random_uniform.options
---@return initializer
function pod.initializers.random_uniform(options) end

---@class pod.initializers.truncated_normal.options
---@field mean? number (0) the mean
---@field stddev? number (0.05) the standard deviation
---@field seed? integer makes what is drawn the same each time

--- Normally distributed numbers; those beyond two deviations are drawn again.
--- ```lua
--- pod.initializers.truncated_normal()({ 2, 3 }).shape
--- --> (2, 3)
--- ```
---@param options? pod.initializers.truncated_normal.options
---@return initializer
function pod.initializers.truncated_normal(options) end

---@class pod.initializers.variance_scaling.options
---@field distribution? "truncated_normal"|"untruncated_normal"|"uniform" ("truncated_normal") what is drawn
---@field mode? "fan_in"|"fan_out"|"fan_avg" ("fan_in") what is divided by
---@field scale? number (1) what the variance is multiplied by
---@field seed? integer makes what is drawn the same each time

--- Random numbers whose variance is `scale` over the number of inputs, of outputs, or the mean of both.
--- ```lua
--- pod.initializers.variance_scaling { scale = 2 }({ 3, 4 }).shape
--- --> (3, 4)
--- ```
---@param options? pod.initializers.variance_scaling.options
---@return initializer
function pod.initializers.variance_scaling(options) end

---@class pod.initializers.zeros.options
---@field seed? integer makes what is drawn the same each time

--- All 0.
--- ```lua
--- pod.initializers.zeros()({ 2 })
--- --> { 0, 0 }
--- ```
---@param options? pod.initializers.zeros.options
---@return initializer
function pod.initializers.zeros(options) end

---@class pod.layers.activation.options
---@field activation? string|function what is applied at the end (default: nothing)
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Applies an activation: a name of `pod.activations`, or a function of a tensor. Masks pass through.
--- ```lua
--- pod.layers.activation("relu")(pod.tensor { -1, 2 })
--- --> { 0, 2 }
--- ```
---@param activation string|function what is applied at the end (default: nothing)
---@param options? pod.layers.activation.options
---@return layer
function pod.layers.activation(activation, options) end

---@class pod.layers.activity_regularization.options
---@field l1? number (0.0) factor of absolute values
---@field l2? number (0.0) factor of squares
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives its input and adds a loss of it: `l1` times the sum of absolute values and `l2` times that of squares, a row.
--- ```lua
--- pod.layers.activity_regularization { l2 = 0.1 }(pod.tensor { { 1, 2 } })
--- --> { { 1, 2 } }
--- ```
---@param options? pod.layers.activity_regularization.options
---@return layer
function pod.layers.activity_regularization(options) end

---@class pod.layers.add.options
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The sum of a list of inputs, element by element; shapes broadcast. Called with the list at once, it is Keras'
--- function of that name.
--- ```lua
--- pod.layers.add { pod.tensor { 1, 2 }, pod.tensor { 3, 4 } }
--- --> { 4, 6 }
--- ```
--- ```lua
--- pod.layers.add()({ pod.tensor { 1, 2 }, pod.tensor { 3, 4 } })
--- --> { 4, 6 }
--- ```
---@param options? pod.layers.add.options
---@return layer
function pod.layers.add(options) end

---@class pod.layers.additive_attention.options
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field score_mode? any taken and not looked at, for Keras' files
---@field use_scale? boolean (true) whether a weight for each entry of the sum is learned
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- Additive attention (Bahdanau): scores are sums of `tanh(query + key)`. Called as `attention` is.
--- ```lua
--- pod.layers.additive_attention()({ pod.ones { 1, 2, 4 }, pod.ones { 1, 3, 4 } }).shape
--- --> (1, 2, 4)
--- ```
---@param options? pod.layers.additive_attention.options
---@return layer
function pod.layers.additive_attention(options) end

---@class pod.layers.alpha_dropout.options
---@field rate? number the share that is left out, 0 to 1
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- Dropout that keeps mean and variance of networks with `selu` (Klambauer et al. 2017).
--- ```lua
--- pod.layers.alpha_dropout(0.5)(pod.tensor { 1, 2 })
--- --> { 1, 2 }
--- ```
---@param rate number the share that is left out, 0 to 1
---@param options? pod.layers.alpha_dropout.options
---@return layer
function pod.layers.alpha_dropout(rate, options) end

---@class pod.layers.attention.options
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field score_mode? "dot"|"concat" ("dot") products of query and key, or the sum of a tanh of both
---@field use_scale? boolean (false) whether a factor of the scores is learned
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- Dot-product attention: called with { query, value } or { query, value, key }, each `(batch, steps, size)`, it gives
--- means of the values, weighed by how well keys fit each query.
--- ```lua
--- pod.layers.attention()({ pod.ones { 1, 2, 4 }, pod.ones { 1, 3, 4 } }).shape
--- --> (1, 2, 4)
--- ```
---@param options? pod.layers.attention.options
---@return layer
function pod.layers.attention(options) end

---@class pod.layers.average.options
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The mean of a list of inputs, element by element.
--- ```lua
--- pod.layers.average()({ pod.tensor { 1, 4 }, pod.tensor { 3, 2 } })
--- --> { 2, 3 }
--- ```
---@param options? pod.layers.average.options
---@return layer
function pod.layers.average(options) end

---@class pod.layers.batch_normalization.options
---@field axis? integer|integer[] (-1) the axis or axes that it works along
---@field beta_constraint? string|constraint what the offset is put through after each step
---@field beta_initializer? string|initializer ("zeros") first values of the offset
---@field beta_regularizer? string|regularizer adds a loss of the offset
---@field center? boolean (true) whether an offset, beta, is learned
---@field epsilon? number (0.001) a small number that is added to what it divides by
---@field gamma_constraint? string|constraint what the factor is put through after each step
---@field gamma_initializer? string|initializer ("ones") first values of the factor
---@field gamma_regularizer? string|regularizer adds a loss of the factor
---@field momentum? number (0.99) how much of a moving average stays at each step
---@field moving_mean_initializer? string|initializer ("zeros") first values of the moving mean
---@field moving_variance_initializer? string|initializer ("ones") first values of the moving variance
---@field scale? boolean (true) whether a factor, gamma, is learned
---@field synchronized? boolean (false) whether mean and variance are of all replicas' rows
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives each channel the mean 0 and the deviation 1, times gamma, plus beta: in training by mean and variance of the
--- batch, else by their moving averages. On several replicas each takes its own rows unless `synchronized`. Weights:
--- `gamma`, `beta`, and, not trained, `moving_mean`, `moving_variance`, each `(channels)`.
--- ```lua
--- pod.layers.batch_normalization()(pod.ones { 4, 3 }).shape
--- --> (4, 3)
--- ```
---@param options? pod.layers.batch_normalization.options
---@return layer
function pod.layers.batch_normalization(options) end

---@class pod.layers.bidirectional.options
---@field layer? layer the one that reads forwards
---@field backward_layer? layer the other (default: one with the same options)
---@field merge_mode? "concat"|"sum"|"mul"|"ave" ("concat") how the two are merged
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Reads a sequence forwards by one recurrent layer and backwards by another, and merges what they give.
--- ```lua
--- pod.layers.bidirectional(pod.layers.lstm(4))(pod.ones { 2, 5, 3 }).shape
--- --> (2, 8)
--- ```
---@param layer layer the one that reads forwards
---@param options? pod.layers.bidirectional.options
---@return layer
function pod.layers.bidirectional(layer, options) end

---@class pod.layers.category_encoding.options
---@field num_tokens? integer how many classes there are, the length of vectors
---@field output_mode? "multi_hot"|"one_hot"|"count" ("multi_hot") what the vectors say
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Makes vectors of class numbers from 0 on. "one_hot": a vector for each number; "multi_hot" and "count": one for all
--- along the last axis, with 1 for what is there, or how often. A call may have `count_weights`: what each number
--- counts.
--- ```lua
--- pod.layers.category_encoding(3)(pod.tensor { { 0, 2 }, { 1, 1 } })
--- --> { { 1, 0, 1 }, { 0, 1, 0 } }
--- ```
---@param num_tokens integer how many classes there are, the length of vectors
---@param options? pod.layers.category_encoding.options
---@return layer
function pod.layers.category_encoding(num_tokens, options) end

---@class pod.layers.center_crop.options
---@field height? integer rows of the result
---@field width? integer columns of the result
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Cuts the middle out of each picture; a smaller one is resized, without what does not fit the form.
--- ```lua
--- pod.layers.center_crop(2, 3)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 2, 3, 3)
--- ```
---@param height integer rows of the result
---@param width integer columns of the result
---@param options? pod.layers.center_crop.options
---@return layer
function pod.layers.center_crop(height, width, options) end

---@class pod.layers.class_token.options
---@field initializer? string|initializer ("zeros") first values
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Puts a learned vector in front of each sequence, as vision transformers do: `(batch, steps, features)` becomes
--- `(batch, steps + 1, features)`.
--- ```lua
--- pod.layers.class_token()(pod.ones { 2, 3, 4 }).shape
--- --> (2, 4, 4)
--- ```
---@param options? pod.layers.class_token.options
---@return layer
function pod.layers.class_token(options) end

---@class pod.layers.concatenate.options
---@field axis? integer|integer[] (-1) the axis or axes that it works along
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Puts a list of inputs one behind the other along an axis; their other sizes are the same. Also at once:
--- `pod.layers.concatenate({ a, b }, { axis = 1 })`.
--- ```lua
--- pod.layers.concatenate()({ pod.ones { 4, 2 }, pod.ones { 4, 3 } }).shape
--- --> (4, 5)
--- ```
---@param options? pod.layers.concatenate.options
---@return layer
function pod.layers.concatenate(options) end

---@class pod.layers.conv1d.options
---@field filters? integer how many channels come out
---@field kernel_size? integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@field activation? string|function what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field dilation_rate? integer|integer[] (1) how far apart the places are that a kernel sees; above 1 only with strides of 1
---@field groups? integer (1) into how many parts channels are cut, each convolved by itself
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field padding? "valid"|"same"|"causal" ("valid") "valid": windows within the input; "same": zeros around it, so that places stay as many (over strides); "causal" (one axis): zeros before it only
---@field strides? integer|integer[] (1) how far the window moves from place to place
---@field use_bias? boolean (true) whether a bias is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- A convolution over one, two or three spatial axes: at each place a weighed sum of what a kernel sees there. Input
--- `(batch, spatial..., channels)`, output `(batch, places..., filters)`. Weights: `kernel`
--- `(kernel_size..., channels / groups, filters)`, `bias` `(filters)`.
--- ```lua
--- pod.layers.conv2d(8, 3, { padding = "same" })(pod.ones { 1, 6, 6, 3 }).shape
--- --> (1, 6, 6, 8)
--- ```
---@param filters integer how many channels come out
---@param kernel_size integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@param options? pod.layers.conv1d.options
---@return layer
function pod.layers.conv1d(filters, kernel_size, options) end

pod.layers.conv2d = pod.layers.conv1d

pod.layers.conv3d = pod.layers.conv1d

pod.layers.convolution1d = pod.layers.conv1d

pod.layers.convolution2d = pod.layers.conv1d

pod.layers.convolution3d = pod.layers.conv1d

---@class pod.layers.conv1d_transpose.options
---@field filters? integer how many channels come out
---@field kernel_size? integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@field activation? string|function what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field dilation_rate? integer|integer[] (1) how far apart the places are that a kernel sees; above 1 only with strides of 1
---@field groups? integer into how many parts channels are cut, each convolved by itself
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field output_padding? integer|integer[] how many places more come out at the end of each axis
---@field padding? "valid"|"same"|"causal" ("valid") "valid": windows within the input; "same": zeros around it, so that places stay as many (over strides); "causal" (one axis): zeros before it only
---@field strides? integer|integer[] (1) how far the window moves from place to place
---@field use_bias? boolean (true) whether a bias is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The transpose of a convolution, as its gradient is: each place of the input writes a kernel into the output,
--- `strides` apart, so that pictures grow. Weights: `kernel` `(kernel_size..., filters, channels)`, `bias` `(filters)`.
--- ```lua
--- pod.layers.conv2d_transpose(4, 2, { strides = 2 })(pod.ones { 1, 3, 3, 8 }).shape
--- --> (1, 6, 6, 4)
--- ```
---@param filters integer how many channels come out
---@param kernel_size integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@param options? pod.layers.conv1d_transpose.options
---@return layer
function pod.layers.conv1d_transpose(filters, kernel_size, options) end

pod.layers.conv2d_transpose = pod.layers.conv1d_transpose

pod.layers.conv3d_transpose = pod.layers.conv1d_transpose

pod.layers.convolution1d_transpose = pod.layers.conv1d_transpose

pod.layers.convolution2d_transpose = pod.layers.conv1d_transpose

pod.layers.convolution3d_transpose = pod.layers.conv1d_transpose

---@class pod.layers.conv_lstm1d.options
---@field filters? integer how many channels come out
---@field kernel_size? integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@field activation? string|function ("tanh") what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dilation_rate? integer|integer[] (1) how far apart the places are that a kernel sees; above 1 only with strides of 1
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field go_backwards? boolean (false) whether steps are read from the last to the first
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field padding? "valid"|"same"|"causal" ("valid") "valid": windows within the input; "same": zeros around it, so that places stay as many (over strides); "causal" (one axis): zeros before it only
---@field recurrent_activation? string|function ("sigmoid") the activation of gates
---@field recurrent_constraint? string|constraint what it is put through after each step
---@field recurrent_dropout? number (0.0) the share of states that is left out in training
---@field recurrent_initializer? string|initializer ("orthogonal") first values of the kernel of states
---@field recurrent_regularizer? string|regularizer adds a loss of it
---@field return_sequences? boolean (false) whether the outputs of all steps come out, not the last one's
---@field return_state? boolean (false) whether the last states come out, too, behind the output
---@field stateful? boolean (false) whether states go on from batch to batch, until `reset_states()`
---@field strides? integer|integer[] (1) how far the window moves from place to place
---@field unit_forget_bias? boolean (true) whether the bias of the forget gate begins at 1
---@field unroll? boolean (true) whether steps are written out; they always are
---@field use_bias? boolean (true) whether a bias is added
---@field zero_output_for_mask? boolean (false) whether outputs of masked steps are 0; else they are those of the step before
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- An LSTM whose products are convolutions. Input `(batch, steps, spatial..., channels)`, output
--- `(batch, places..., filters)`, or with a second axis of steps with `return_sequences`.
--- ```lua
--- pod.layers.conv_lstm2d(4, 3, { padding = "same" })(pod.ones { 1, 2, 5, 5, 3 }).shape
--- --> (1, 5, 5, 4)
--- ```
---@param filters integer how many channels come out
---@param kernel_size integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@param options? pod.layers.conv_lstm1d.options
---@return layer
function pod.layers.conv_lstm1d(filters, kernel_size, options) end

pod.layers.conv_lstm2d = pod.layers.conv_lstm1d

pod.layers.conv_lstm3d = pod.layers.conv_lstm1d

---@class pod.layers.cropping1d.options
---@field cropping? integer|integer[]|table (1) how many: a number, one for each axis, or { before, after } for each
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Cuts off the ends of the spatial axes.
--- ```lua
--- pod.layers.cropping1d(1)(pod.ones { 1, 4, 3 }).shape
--- --> (1, 2, 3)
--- ```
---@param cropping? integer|integer[]|table how many: a number, one for each axis, or { before, after } for each
---@param options? pod.layers.cropping1d.options
---@return layer
function pod.layers.cropping1d(cropping, options) end

pod.layers.cropping2d = pod.layers.cropping1d

pod.layers.cropping3d = pod.layers.cropping1d

---@class pod.layers.dense.options
---@field units? integer how many values come out
---@field activation? string|function what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field use_bias? boolean (true) whether a bias is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Computes `activation(x kernel + bias)`: each output is a weighed sum of all inputs. Input `(batch, ..., inputs)`
--- with at least 2 axes, output `(batch, ..., units)`. Weights: `kernel` `(inputs, units)`, `bias` `(units)`. Masks
--- pass through.
--- ```lua
--- pod.layers.dense(2, { activation = "relu" })(pod.ones { 4, 3 }).shape
--- --> (4, 2)
--- ```
---@param units integer how many values come out
---@param options? pod.layers.dense.options
---@return layer
function pod.layers.dense(units, options) end

---@class pod.layers.depthwise_conv1d.options
---@field kernel_size? integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@field activation? string|function what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field depth_multiplier? integer (1) how many channels come of each
---@field depthwise_constraint? string|constraint what it is put through after each step
---@field depthwise_initializer? string|initializer ("glorot_uniform") first values of the kernel of single channels
---@field depthwise_regularizer? string|regularizer adds a loss of it
---@field dilation_rate? integer|integer[] (1) how far apart the places are that a kernel sees; above 1 only with strides of 1
---@field filters? integer how many channels come out
---@field groups? integer into how many parts channels are cut, each convolved by itself
---@field padding? "valid"|"same"|"causal" ("valid") "valid": windows within the input; "same": zeros around it, so that places stay as many (over strides); "causal" (one axis): zeros before it only
---@field strides? integer|integer[] (1) how far the window moves from place to place
---@field use_bias? boolean (true) whether a bias is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- A convolution of each channel by itself, which gives `depth_multiplier` channels of each. Weights: `kernel`
--- `(kernel_size..., channels, depth_multiplier)`, `bias`.
--- ```lua
--- pod.layers.depthwise_conv2d(3)(pod.ones { 1, 5, 5, 2 }).shape
--- --> (1, 3, 3, 2)
--- ```
---@param kernel_size integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@param options? pod.layers.depthwise_conv1d.options
---@return layer
function pod.layers.depthwise_conv1d(kernel_size, options) end

pod.layers.depthwise_conv2d = pod.layers.depthwise_conv1d

---@class pod.layers.discretization.options
---@field bin_boundaries? number[] where bins begin, in rising order
---@field epsilon? number (0.01) how exact the boundaries are that `adapt` finds, as a share of the data
---@field num_bins? integer how many bins `adapt` makes
---@field output_mode? "int"|"one_hot"|"multi_hot"|"count" ("int") a number, a vector for each, or one for all along the last axis
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives each number the bin that it lies in: 0 below the first boundary, i from the i-th on. Boundaries are given, or
--- `adapt(data)` finds those that part the data evenly.
--- ```lua
--- pod.layers.discretization { bin_boundaries = { 0, 1 } }(pod.tensor { -1.5, 0, 3.4 })
--- --> { 0, 1, 2 }
--- ```
---@param bin_boundaries? number[] where bins begin, in rising order
---@param options? pod.layers.discretization.options
---@return layer
function pod.layers.discretization(bin_boundaries, options) end

---@class pod.layers.dot.options
---@field axes? integer|integer[] the axis that is summed over, or one of each input
---@field normalize? boolean (false) whether vectors get the length 1 before: the cosine of their angle
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Products of vectors of two inputs, of each row: sums over one axis of each.
--- ```lua
--- pod.layers.dot(1)({ pod.ones { 4, 3 }, pod.ones { 4, 3 } }).shape
--- --> (4, 1)
--- ```
---@param axes integer|integer[] the axis that is summed over, or one of each input
---@param options? pod.layers.dot.options
---@return layer
function pod.layers.dot(axes, options) end

---@class pod.layers.dropout.options
---@field rate? number the share that is left out, 0 to 1
---@field noise_shape? integer[] the shape of what is drawn, -1 where it is the input's; 1 draws once for an axis
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training sets a share `rate` of the values to 0 and divides the others by `1 - rate`; else gives its input.
--- ```lua
--- pod.layers.dropout(0.5)(pod.tensor { 1, 2 })
--- --> { 1, 2 }
--- ```
---@param rate number the share that is left out, 0 to 1
---@param options? pod.layers.dropout.options
---@return layer
function pod.layers.dropout(rate, options) end

---@class pod.layers.einsum_dense.options
---@field equation? string input and kernel before the arrow, the output behind it
---@field output_shape? integer|integer[] the output's shape without the batch; -1 where the input has the size
---@field activation? string|function what is applied at the end (default: nothing)
---@field bias_axes? string letters of the output's axes that a bias has; without them there is none
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- A dense layer whose product an equation says, as `pod.einsum` has it: `"abc,cd->abd"` is `dense` of inputs with
--- three axes, `"...x,xy->...y"` of any.
--- ```lua
--- pod.layers.einsum_dense("abc,cd->abd", { -1, 2 })(pod.ones { 4, 5, 3 }).shape
--- --> (4, 5, 2)
--- ```
---@param equation string input and kernel before the arrow, the output behind it
---@param output_shape integer|integer[] the output's shape without the batch; -1 where the input has the size
---@param options? pod.layers.einsum_dense.options
---@return layer
function pod.layers.einsum_dense(equation, output_shape, options) end

---@class pod.layers.elu.options
---@field alpha? number (1.0) the limit below, but for its sign
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- `x` above 0, `alpha (exp(x) - 1)` below.
--- ```lua
--- pod.layers.elu()(pod.tensor { 0, 2 })
--- --> { 0, 2 }
--- ```
---@param alpha? number the limit below, but for its sign
---@param options? pod.layers.elu.options
---@return layer
function pod.layers.elu(alpha, options) end

---@class pod.layers.embedding.options
---@field input_dim? integer how many numbers there are
---@field output_dim? integer the size of vectors
---@field embeddings_constraint? string|constraint what they are put through after each step
---@field embeddings_initializer? string|initializer ("uniform") first values of vectors
---@field embeddings_regularizer? string|regularizer adds a loss of them
---@field mask_zero? boolean (false) whether 0 means that there is nothing: layers behind get a mask
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- A vector for each number: row i of a table of weights. Input: whole numbers from 0 to `input_dim - 1`, of any shape;
--- output: that shape with an axis of `output_dim` more. Weight: `embeddings` `(input_dim, output_dim)`.
--- ```lua
--- pod.layers.embedding(10, 4)(pod.tensor { { 1, 2, 3 } }).shape
--- --> (1, 3, 4)
--- ```
---@param input_dim integer how many numbers there are
---@param output_dim integer the size of vectors
---@param options? pod.layers.embedding.options
---@return layer
function pod.layers.embedding(input_dim, output_dim, options) end

---@class pod.layers.flatten.options
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Makes one axis of all but the batch: `(batch, 2, 3)` becomes `(batch, 6)`.
--- ```lua
--- pod.layers.flatten()(pod.ones { 4, 2, 3 }).shape
--- --> (4, 6)
--- ```
---@param options? pod.layers.flatten.options
---@return layer
function pod.layers.flatten(options) end

---@class pod.layers.from_config.options
---@field custom_objects? table classes and functions by name that are not Moonpod's own

--- Makes a layer from what `pod.serialize()` gave for one: `{ class_name =, config = }`.
--- ```lua
--- pod.layers.from_config(pod.serialize(pod.layers.dense(3))).config.units
--- --> 3
--- ```
---@param plain table
---@param options? pod.layers.from_config.options
---@return layer
function pod.layers.from_config(plain, options) end

---@class pod.layers.gaussian_dropout.options
---@field rate? number the share that is left out, 0 to 1
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training multiplies by normally distributed noise with the mean 1 and the standard deviation
--- `sqrt(rate / (1 - rate))`.
--- ```lua
--- pod.layers.gaussian_dropout(0.5)(pod.tensor { 1, 2 })
--- --> { 1, 2 }
--- ```
---@param rate number the share that is left out, 0 to 1
---@param options? pod.layers.gaussian_dropout.options
---@return layer
function pod.layers.gaussian_dropout(rate, options) end

---@class pod.layers.gaussian_noise.options
---@field stddev? number its standard deviation
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training adds normally distributed noise with the mean 0.
--- ```lua
--- pod.layers.gaussian_noise(0.1)(pod.tensor { 1, 2 })
--- --> { 1, 2 }
--- ```
---@param stddev number its standard deviation
---@param options? pod.layers.gaussian_noise.options
---@return layer
function pod.layers.gaussian_noise(stddev, options) end

---@class pod.layers.global_max_pooling1d.options
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field keepdims? boolean (false) whether axes that are reduced stay with size 1
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The largest value, or the mean, of each channel over all places. Input `(batch, spatial..., channels)`, output
--- `(batch, channels)`. `global_average_pooling1d` leaves masked steps out.
--- ```lua
--- pod.layers.global_average_pooling2d()(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 3)
--- ```
---@param options? pod.layers.global_max_pooling1d.options
---@return layer
function pod.layers.global_max_pooling1d(options) end

pod.layers.global_average_pooling1d = pod.layers.global_max_pooling1d

pod.layers.global_average_pooling2d = pod.layers.global_max_pooling1d

pod.layers.global_average_pooling3d = pod.layers.global_max_pooling1d

pod.layers.global_avg_pool1d = pod.layers.global_max_pooling1d

pod.layers.global_avg_pool2d = pod.layers.global_max_pooling1d

pod.layers.global_avg_pool3d = pod.layers.global_max_pooling1d

pod.layers.global_max_pool1d = pod.layers.global_max_pooling1d

pod.layers.global_max_pool2d = pod.layers.global_max_pooling1d

pod.layers.global_max_pool3d = pod.layers.global_max_pooling1d

pod.layers.global_max_pooling2d = pod.layers.global_max_pooling1d

pod.layers.global_max_pooling3d = pod.layers.global_max_pooling1d

---@class pod.layers.group_normalization.options
---@field axis? integer|integer[] (-1) the axis or axes that it works along
---@field beta_constraint? string|constraint what the offset is put through after each step
---@field beta_initializer? string|initializer ("zeros") first values of the offset
---@field beta_regularizer? string|regularizer adds a loss of the offset
---@field center? boolean (true) whether an offset, beta, is learned
---@field epsilon? number (0.001) a small number that is added to what it divides by
---@field gamma_constraint? string|constraint what the factor is put through after each step
---@field gamma_initializer? string|initializer ("ones") first values of the factor
---@field gamma_regularizer? string|regularizer adds a loss of the factor
---@field groups? integer (32) how many; the channels are a multiple of it; -1: each channel by itself
---@field scale? boolean (true) whether a factor, gamma, is learned
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Layer normalization of groups of channels: over places and the channels of a group.
--- ```lua
--- pod.layers.group_normalization({ groups = 2 })(pod.ones { 1, 4, 6 }).shape
--- --> (1, 4, 6)
--- ```
---@param options? pod.layers.group_normalization.options
---@return layer
function pod.layers.group_normalization(options) end

---@class pod.layers.group_query_attention.options
---@field head_dim? integer the size of a head
---@field num_query_heads? integer a multiple of `num_key_value_heads`
---@field num_key_value_heads? integer how many heads keys and values have
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field flash_attention? boolean for Keras' sake: attention is never kept as a whole matrix where that is slower
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field use_bias? boolean (true) whether a bias is added
---@field use_gate? boolean (false) whether what comes out of each head is weighed by a gate of the query
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- Attention whose heads share keys and values in groups (Ainslie et al. 2023). Called as `multi_head_attention` is.
--- ```lua
--- pod.layers.group_query_attention(4, 4, 2)(pod.ones { 1, 5, 8 }, pod.ones { 1, 5, 8 }).shape
--- --> (1, 5, 8)
--- ```
---@param head_dim integer the size of a head
---@param num_query_heads integer a multiple of `num_key_value_heads`
---@param num_key_value_heads integer how many heads keys and values have
---@param options? pod.layers.group_query_attention.options
---@return layer
function pod.layers.group_query_attention(head_dim, num_query_heads, num_key_value_heads, options) end

---@class pod.layers.gru.options
---@field units? integer how many values come out
---@field activation? string|function ("tanh") what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field go_backwards? boolean (false) whether steps are read from the last to the first
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field recurrent_activation? string|function ("sigmoid") the activation of gates
---@field recurrent_constraint? string|constraint what it is put through after each step
---@field recurrent_dropout? number (0.0) the share of states that is left out in training
---@field recurrent_initializer? string|initializer ("orthogonal") first values of the kernel of states
---@field recurrent_regularizer? string|regularizer adds a loss of it
---@field reset_after? boolean (true) whether a GRU's reset gate acts behind the product with the states
---@field return_sequences? boolean (false) whether the outputs of all steps come out, not the last one's
---@field return_state? boolean (false) whether the last states come out, too, behind the output
---@field stateful? boolean (false) whether states go on from batch to batch, until `reset_states()`
---@field unroll? boolean (true) whether steps are written out; they always are
---@field use_bias? boolean (true) whether a bias is added
---@field use_cudnn? string ("auto") for Keras' sake: there is no cuDNN here
---@field zero_output_for_mask? boolean (false) whether outputs of masked steps are 0; else they are those of the step before
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- A gated recurrent unit (Cho et al. 2014). Input `(batch, steps, features)`, output `(batch, units)`. Weights:
--- `kernel` `(features, 3 units)`, `recurrent_kernel` `(units, 3 units)`, `bias`; the gates stand in the order
--- update, reset, new.
--- ```lua
--- pod.layers.gru(4)(pod.ones { 2, 5, 3 }).shape
--- --> (2, 4)
--- ```
---@param units integer how many values come out
---@param options? pod.layers.gru.options
---@return layer
function pod.layers.gru(units, options) end

---@class pod.layers.gru_cell.options
---@field units? integer how many values come out
---@field activation? string|function ("tanh") what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field recurrent_activation? string|function ("sigmoid") the activation of gates
---@field recurrent_constraint? string|constraint what it is put through after each step
---@field recurrent_dropout? number (0.0) the share of states that is left out in training
---@field recurrent_initializer? string|initializer ("orthogonal") first values of the kernel of states
---@field recurrent_regularizer? string|regularizer adds a loss of it
---@field reset_after? boolean (true) whether a GRU's reset gate acts behind the product with the states
---@field use_bias? boolean (true) whether a bias is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- One step of `gru`, for `rnn`.
--- ```lua
--- pod.layers.rnn(pod.layers.gru_cell(4))(pod.ones { 2, 5, 3 }).shape
--- --> (2, 4)
--- ```
---@param units integer how many values come out
---@param options? pod.layers.gru_cell.options
---@return layer
function pod.layers.gru_cell(units, options) end

---@class pod.layers.hashed_crossing.options
---@field num_bins? integer how many bins there are
---@field output_mode? "int"|"one_hot" ("int") a number, or a vector of each
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives each row of several columns together one of `num_bins` bins, from 0: what they are as one follows from their
--- hash. The bins are those of Keras. It takes a list of two columns or more, each strings or integers, all of shape
--- `()`, `(batch)` or `(batch, 1)`; of integers also in models, of either in a function of `map`.
--- ```lua
--- local layer = pod.layers.hashed_crossing(5)
--- local bins = layer { { "A", "B", "A", "B", "A" }, { 101, 101, 101, 102, 102 } }
--- assert(table.concat(bins:totable(), " ") == "1 4 1 1 3")
--- ```
---@param num_bins integer how many bins there are
---@param options? pod.layers.hashed_crossing.options
---@return layer
function pod.layers.hashed_crossing(num_bins, options) end

---@class pod.layers.hashing.options
---@field num_bins? integer how many bins there are, with that of `mask_value`
---@field mask_value? string|integer what gets bin 0, which nothing else gets then
---@field output_mode? "int"|"one_hot"|"multi_hot"|"count" ("int") a number, a vector of each, or one of all along the last axis
---@field salt? integer|integer[] one number or two that make other bins (SipHash, in the place of FarmHash)
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives each string or whole number one of `num_bins` bins, from 0, without a vocabulary: which one follows from its
--- hash, so that different ones may share a bin. The bins are those of Keras. It takes strings and arrays of strings,
--- or integers of any shape, also in models; in a function of `map` it takes either.
--- ```lua
--- local layer = pod.layers.hashing { num_bins = 3 }
--- assert(table.concat(layer({ "A", "B", "C", "D", "E" }):totable(), " ") == "1 0 1 1 2")
--- assert(layer(pod.tensor({ 7, 7 }, { dtype = "int32" })).dtype == "int64")
--- ```
---@param num_bins integer how many bins there are, with that of `mask_value`
---@param options? pod.layers.hashing.options
---@return layer
function pod.layers.hashing(num_bins, options) end

---@class pod.layers.identity.options
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives its input as it is.
--- ```lua
--- pod.layers.identity()(pod.tensor { 1, 2 })
--- --> { 1, 2 }
--- ```
---@param options? pod.layers.identity.options
---@return layer
function pod.layers.identity(options) end

---@class pod.layers.input.options
---@field batch_size? integer (-1) the size of the batch, if it is always the same
---@field shape? integer[] the same, by name
---@field dtype? string ("float32") (default "float32")
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)

--- A symbolic tensor that stands for the input of a functional model: layers called with it are recorded.
--- ```lua
--- local x = pod.layers.input { 3 }
--- local model = pod.models.functional { inputs = x, outputs = pod.layers.dense(2)(x) }
--- assert(model:count_params() == 8)
--- ```
---@param shape integer[] the shape of one row, without the batch; -1 where a size is open
---@param options? pod.layers.input.options
---@return symbolic_tensor
function pod.layers.input(shape, options) end

---@class pod.layers.integer_lookup.options
---@field max_tokens? integer how many numbers there are at most
---@field idf_weights? number[] the weight of each, for "tf_idf"
---@field invert? boolean (false) whether places become numbers of the vocabulary
---@field mask_token? integer the number that stands for nothing (default: none)
---@field num_oov_indices? integer (1) how many numbers unknown ones have, by their rest of the division; 0: they become -1, or an error where they are known
---@field oov_token? integer (-1) what an unknown number is with `invert`
---@field output_mode? "int"|"one_hot"|"multi_hot"|"count"|"tf_idf" ("int") a number, a vector of each, or one of all along the last axis
---@field pad_to_max_tokens? boolean (false) whether vectors are as long as `max_tokens`
---@field vocabulary? integer[]|string the numbers in their order, or the path of a file with one a line
---@field vocabulary_dtype? string ("int64") the type of the numbers
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives each whole number its place in a vocabulary, which is given or made by `adapt(data)`. Input: integers of any
--- shape, also in models and functions of `map`. With a `mask_token` that one is 0; then come the numbers for unknown
--- ones, then the vocabulary.
--- ```lua
--- local layer = pod.layers.integer_lookup { vocabulary = { 12, 36, 1138, 42 } }
--- assert(table.concat(layer(pod.tensor { 42, 5, 12 }):totable(), " ") == "4 0 1")
--- ```
---@param max_tokens? integer how many numbers there are at most
---@param options? pod.layers.integer_lookup.options
---@return layer
function pod.layers.integer_lookup(max_tokens, options) end

---@class pod.layers.lambda.options
---@field fn? function of the input and the options of the call
---@field mask? any kept for Keras' files
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Applies a function of the input, or of a list of inputs, and of the options of the call.
--- ```lua
--- pod.layers.lambda(function(x) return x * 2 end)(pod.tensor { 1, 2 })
--- --> { 2, 4 }
--- ```
---@param fn function of the input and the options of the call
---@param options? pod.layers.lambda.options
---@return layer
function pod.layers.lambda(fn, options) end

---@class pod.layers.layer_normalization.options
---@field axis? integer|integer[] (-1) the axis or axes that it works along
---@field beta_constraint? string|constraint what the offset is put through after each step
---@field beta_initializer? string|initializer ("zeros") first values of the offset
---@field beta_regularizer? string|regularizer adds a loss of the offset
---@field center? boolean (true) whether an offset, beta, is learned
---@field epsilon? number (0.001) a small number that is added to what it divides by
---@field gamma_constraint? string|constraint what the factor is put through after each step
---@field gamma_initializer? string|initializer ("ones") first values of the factor
---@field gamma_regularizer? string|regularizer adds a loss of the factor
---@field scale? boolean (true) whether a factor, gamma, is learned
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives each row the mean 0 and the deviation 1 over `axis`, times gamma, plus beta; the same in training and later.
--- ```lua
--- pod.layers.layer_normalization()(pod.tensor { { 1, 1 } })
--- --> { { 0, 0 } }
--- ```
---@param options? pod.layers.layer_normalization.options
---@return layer
function pod.layers.layer_normalization(options) end

---@class pod.layers.leaky_relu.options
---@field negative_slope? number (0.3) the slope below 0
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- `x` above 0, `negative_slope` times x below.
--- ```lua
--- pod.layers.leaky_relu(0.5)(pod.tensor { -2, 2 })
--- --> { -1, 2 }
--- ```
---@param negative_slope? number the slope below 0
---@param options? pod.layers.leaky_relu.options
---@return layer
function pod.layers.leaky_relu(negative_slope, options) end

---@class pod.layers.lstm.options
---@field units? integer how many values come out
---@field activation? string|function ("tanh") what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field go_backwards? boolean (false) whether steps are read from the last to the first
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field recurrent_activation? string|function ("sigmoid") the activation of gates
---@field recurrent_constraint? string|constraint what it is put through after each step
---@field recurrent_dropout? number (0.0) the share of states that is left out in training
---@field recurrent_initializer? string|initializer ("orthogonal") first values of the kernel of states
---@field recurrent_regularizer? string|regularizer adds a loss of it
---@field return_sequences? boolean (false) whether the outputs of all steps come out, not the last one's
---@field return_state? boolean (false) whether the last states come out, too, behind the output
---@field stateful? boolean (false) whether states go on from batch to batch, until `reset_states()`
---@field unit_forget_bias? boolean (true) whether the bias of the forget gate begins at 1
---@field unroll? boolean (true) whether steps are written out; they always are
---@field use_bias? boolean (true) whether a bias is added
---@field use_cudnn? string ("auto") for Keras' sake: there is no cuDNN here
---@field zero_output_for_mask? boolean (false) whether outputs of masked steps are 0; else they are those of the step before
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- Long short-term memory (Hochreiter and Schmidhuber 1997). Input `(batch, steps, features)`, output `(batch,
--- units)`, or `(batch, steps, units)` with `return_sequences`. Weights: `kernel` `(features, 4 units)`,
--- `recurrent_kernel` `(units, 4 units)`, `bias`; the gates stand in the order input, forget, cell, output. States:
--- output and cell.
--- ```lua
--- pod.layers.lstm(4, { return_sequences = true })(pod.ones { 2, 5, 3 }).shape
--- --> (2, 5, 4)
--- ```
---@param units integer how many values come out
---@param options? pod.layers.lstm.options
---@return layer
function pod.layers.lstm(units, options) end

---@class pod.layers.lstm_cell.options
---@field units? integer how many values come out
---@field activation? string|function ("tanh") what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field recurrent_activation? string|function ("sigmoid") the activation of gates
---@field recurrent_constraint? string|constraint what it is put through after each step
---@field recurrent_dropout? number (0.0) the share of states that is left out in training
---@field recurrent_initializer? string|initializer ("orthogonal") first values of the kernel of states
---@field recurrent_regularizer? string|regularizer adds a loss of it
---@field unit_forget_bias? boolean (true) whether the bias of the forget gate begins at 1
---@field use_bias? boolean (true) whether a bias is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- One step of `lstm`, for `rnn`.
--- ```lua
--- pod.layers.rnn(pod.layers.lstm_cell(4))(pod.ones { 2, 5, 3 }).shape
--- --> (2, 4)
--- ```
---@param units integer how many values come out
---@param options? pod.layers.lstm_cell.options
---@return layer
function pod.layers.lstm_cell(units, options) end

---@class pod.layers.masking.options
---@field mask_value? number (0.0) what stands where there is nothing
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Masks steps whose values are all `mask_value`, and makes them 0. Input `(batch, steps, features)`.
--- ```lua
--- pod.layers.masking()(pod.tensor { { { 0, 0 }, { 1, 0 } } }).shape
--- --> (1, 2, 2)
--- ```
---@param options? pod.layers.masking.options
---@return layer
function pod.layers.masking(options) end

---@class pod.layers.max_pooling1d.options
---@field pool_size? integer|integer[] (2) the size of the window
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field padding? "valid"|"same"|"causal" ("valid") "valid": windows within the input; "same": zeros around it, so that places stay as many (over strides); "causal" (one axis): zeros before it only
---@field strides? integer|integer[] how far windows are apart (default: `pool_size`)
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The largest value, or the mean, of each window, by channel. Input `(batch, spatial..., channels)`, output
--- `(batch, places..., channels)`. With "same" padding a mean counts the places within the input only.
--- ```lua
--- pod.layers.max_pooling2d(2)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 2, 2, 3)
--- ```
---@param pool_size? integer|integer[] the size of the window
---@param options? pod.layers.max_pooling1d.options
---@return layer
function pod.layers.max_pooling1d(pool_size, options) end

pod.layers.average_pooling1d = pod.layers.max_pooling1d

pod.layers.average_pooling2d = pod.layers.max_pooling1d

pod.layers.average_pooling3d = pod.layers.max_pooling1d

pod.layers.avg_pool1d = pod.layers.max_pooling1d

pod.layers.avg_pool2d = pod.layers.max_pooling1d

pod.layers.avg_pool3d = pod.layers.max_pooling1d

pod.layers.max_pool1d = pod.layers.max_pooling1d

pod.layers.max_pool2d = pod.layers.max_pooling1d

pod.layers.max_pool3d = pod.layers.max_pooling1d

pod.layers.max_pooling2d = pod.layers.max_pooling1d

pod.layers.max_pooling3d = pod.layers.max_pooling1d

---@class pod.layers.maximum.options
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The largest of a list of inputs, element by element.
--- ```lua
--- pod.layers.maximum()({ pod.tensor { 1, 4 }, pod.tensor { 3, 2 } })
--- --> { 3, 4 }
--- ```
---@param options? pod.layers.maximum.options
---@return layer
function pod.layers.maximum(options) end

---@class pod.layers.minimum.options
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The smallest of a list of inputs, element by element.
--- ```lua
--- pod.layers.minimum()({ pod.tensor { 1, 4 }, pod.tensor { 3, 2 } })
--- --> { 1, 2 }
--- ```
---@param options? pod.layers.minimum.options
---@return layer
function pod.layers.minimum(options) end

---@class pod.layers.multi_head_attention.options
---@field num_heads? integer how many heads
---@field key_dim? integer the size of a head's queries and keys
---@field attention_axes? integer|integer[] the axes that are attended over (default: all but the first and last)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field flash_attention? boolean for Keras' sake: attention is never kept as a whole matrix where that is slower
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field output_shape? integer|integer[] the size of what comes out (default: the query's)
---@field sliding_window? integer how many steps around it a query sees (default: all)
---@field use_bias? boolean (true) whether a bias is added
---@field use_gate? boolean (false) whether what comes out of each head is weighed by a gate of the query
---@field value_dim? integer the size of a head's values (default: `key_dim`)
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- Attention of several heads (Vaswani et al. 2017): query, value and key are projected for each head, attended, joined
--- and projected back. Called with query and value, and key if it is another: `(batch, steps, size)` each. Options of
--- the call: `attention_mask`, `use_causal_mask`, `return_attention_scores`.
--- ```lua
--- pod.layers.multi_head_attention(2, 4)(pod.ones { 1, 5, 8 }, pod.ones { 1, 3, 8 }).shape
--- --> (1, 5, 8)
--- ```
---@param num_heads integer how many heads
---@param key_dim integer the size of a head's queries and keys
---@param options? pod.layers.multi_head_attention.options
---@return layer
function pod.layers.multi_head_attention(num_heads, key_dim, options) end

---@class pod.layers.multiply.options
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The product of a list of inputs, element by element.
--- ```lua
--- pod.layers.multiply()({ pod.tensor { 1, 2 }, pod.tensor { 3, 4 } })
--- --> { 3, 8 }
--- ```
---@param options? pod.layers.multiply.options
---@return layer
function pod.layers.multiply(options) end

--- The names of all layers, sorted.
--- ```lua
--- pod.layers.names()[1]
--- --> "activation"
--- ```
---@return string[]
function pod.layers.names() end

---@class pod.layers.normalization.options
---@field axis? integer|integer[]|"none" (-1) the axis, or axes, whose entries have numbers of their own; "none": one mean and one variance of all
---@field invert? boolean (false) whether it goes the other way, back to numbers as the data's
---@field mean? number|number[] the mean, with the variance
---@field variance? number|number[] the variance, with the mean
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- `(x - mean) / deviation`, with mean and variance of data: given, or taken by `adapt(data)` before.
--- ```lua
--- local layer = pod.layers.normalization()
--- layer:adapt { { 0 }, { 2 } }
--- assert(layer(pod.tensor { { 1 } }):item() == 0)
--- ```
---@param options? pod.layers.normalization.options
---@return layer
function pod.layers.normalization(options) end

---@class pod.layers.permute.options
---@field dims? integer[] the axes of the input, from 1, that axis 1, 2, ... of the output are
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Puts axes into another order.
--- ```lua
--- pod.layers.permute({ 2, 1 })(pod.ones { 4, 5, 6 }).shape
--- --> (4, 6, 5)
--- ```
---@param dims integer[] the axes of the input, from 1, that axis 1, 2, ... of the output are
---@param options? pod.layers.permute.options
---@return layer
function pod.layers.permute(dims, options) end

---@class pod.layers.position_embedding.options
---@field sequence_length? integer how long sequences are at most
---@field initializer? string|initializer ("glorot_uniform") first values
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- A vector for each place of a sequence, to be added to what stands there. Input `(batch, steps, features)`, whose
--- values do not matter; output of its shape.
--- ```lua
--- pod.layers.position_embedding(8)(pod.ones { 2, 3, 4 }).shape
--- --> (2, 3, 4)
--- ```
---@param sequence_length integer how long sequences are at most
---@param options? pod.layers.position_embedding.options
---@return layer
function pod.layers.position_embedding(sequence_length, options) end

---@class pod.layers.prelu.options
---@field alpha_constraint? string|constraint what the slopes are put through after each step
---@field alpha_initializer? string|initializer ("zeros") first values of the slopes
---@field alpha_regularizer? string|regularizer adds a loss of the slopes
---@field shared_axes? integer|integer[] axes of the input, from 1, along which slopes are the same
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- `x` above 0, a slope that is learned times x below. Weight: `alpha`, of the shape of a row of the input.
--- ```lua
--- pod.layers.prelu()(pod.tensor { { -1, 2 } })
--- --> { { 0, 2 } }
--- ```
---@param options? pod.layers.prelu.options
---@return layer
function pod.layers.prelu(options) end

---@class pod.layers.random_brightness.options
---@field factor? number|number[] the largest part, or { lowest, highest }, -1 to 1
---@field value_range? number[] ({ 0, 255 }) the lowest and highest value of a picture
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training, or called by hand without `training`, makes each picture brighter or darker by a random part
--- of `value_range`.
--- ```lua
--- pod.layers.random_brightness(0.2)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 4, 4, 3)
--- ```
---@param factor number|number[] the largest part, or { lowest, highest }, -1 to 1
---@param options? pod.layers.random_brightness.options
---@return layer
function pod.layers.random_brightness(factor, options) end

---@class pod.layers.random_contrast.options
---@field factor? number|number[] how far the factor is from 1 at most, or { below, above }
---@field value_range? number[] ({ 0, 255 }) the lowest and highest value of a picture
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training, or called by hand without `training`, moves values away from each channel's mean, or towards
--- it, by a random factor.
--- ```lua
--- pod.layers.random_contrast(0.2)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 4, 4, 3)
--- ```
---@param factor number|number[] how far the factor is from 1 at most, or { below, above }
---@param options? pod.layers.random_contrast.options
---@return layer
function pod.layers.random_contrast(factor, options) end

---@class pod.layers.random_crop.options
---@field height? integer rows of the result
---@field width? integer columns of the result
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training, or called by hand without `training`, cuts a part at a random place out of each picture; else resizes
--- it, without what does not fit the form.
--- ```lua
--- pod.layers.random_crop(2, 3)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 2, 3, 3)
--- ```
---@param height integer rows of the result
---@param width integer columns of the result
---@param options? pod.layers.random_crop.options
---@return layer
function pod.layers.random_crop(height, width, options) end

---@class pod.layers.random_erasing.options
---@field factor? number|number[] (1.0) the share of pictures that this happens to, or { lowest, highest }
---@field fill_value? number what it is filled with (default: noise)
---@field scale? number[] ({ 0.02, 0.33 }) the lowest and highest part of the picture that the rectangle has
---@field value_range? number[] ({ 0, 255 }) the lowest and highest value of a picture
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training, or called by hand without `training`, fills a random rectangle of each picture.
--- ```lua
--- pod.layers.random_erasing(0.5)(pod.ones { 1, 8, 8, 3 }).shape
--- --> (1, 8, 8, 3)
--- ```
---@param factor? number|number[] the share of pictures that this happens to, or { lowest, highest }
---@param options? pod.layers.random_erasing.options
---@return layer
function pod.layers.random_erasing(factor, options) end

---@class pod.layers.random_flip.options
---@field mode? "horizontal"|"vertical"|"horizontal_and_vertical" ("horizontal_and_vertical") which axes
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training, or called by hand without `training`, mirrors each picture or not, at random. Input `(batch, height,
--- width, channels)`, also without the batch.
--- ```lua
--- pod.layers.random_flip("horizontal")(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 4, 4, 3)
--- ```
---@param mode? "horizontal"|"vertical"|"horizontal_and_vertical" which axes
---@param options? pod.layers.random_flip.options
---@return layer
function pod.layers.random_flip(mode, options) end

---@class pod.layers.random_rotation.options
---@field factor? number|number[] the largest angle, or { lowest, highest }, as a part of a whole turn
---@field fill_mode? "reflect"|"wrap"|"constant"|"nearest" ("reflect") what stands beyond the edges
---@field fill_value? number (0.0) the value of "constant"
---@field interpolation? "nearest"|"bilinear" ("bilinear") how values between places are found
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training, or called by hand without `training`, turns each picture by a random angle.
--- ```lua
--- pod.layers.random_rotation(0.1)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 4, 4, 3)
--- ```
---@param factor number|number[] the largest angle, or { lowest, highest }, as a part of a whole turn
---@param options? pod.layers.random_rotation.options
---@return layer
function pod.layers.random_rotation(factor, options) end

---@class pod.layers.random_translation.options
---@field height_factor? number|number[] how far down at most, or { lowest, highest }, -1 to 1
---@field width_factor? number|number[] how far to the right at most, or { lowest, highest }, -1 to 1
---@field fill_mode? "reflect"|"wrap"|"constant"|"nearest" ("reflect") what stands beyond the edges
---@field fill_value? number (0.0) the value of "constant"
---@field interpolation? "nearest"|"bilinear" ("bilinear") how values between places are found
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training, or called by hand without `training`, moves each picture by random parts of its sides.
--- ```lua
--- pod.layers.random_translation(0.1, 0.1)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 4, 4, 3)
--- ```
---@param height_factor number|number[] how far down at most, or { lowest, highest }, -1 to 1
---@param width_factor number|number[] how far to the right at most, or { lowest, highest }, -1 to 1
---@param options? pod.layers.random_translation.options
---@return layer
function pod.layers.random_translation(height_factor, width_factor, options) end

---@class pod.layers.random_zoom.options
---@field height_factor? number|number[] the largest part, or { lowest, highest }, above -1 and at most 1
---@field width_factor? number|number[] that of the width (default: as the height's, so that the form stays)
---@field fill_mode? "reflect"|"wrap"|"constant"|"nearest" ("reflect") what stands beyond the edges
---@field fill_value? number (0.0) the value of "constant"
---@field interpolation? "nearest"|"bilinear" ("bilinear") how values between places are found
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- In training, or called by hand without `training`, makes each picture larger or smaller about its middle, by a
--- random part: a factor of -0.2 brings it a fifth nearer, 0.2 a fifth away.
--- ```lua
--- pod.layers.random_zoom(0.2)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 4, 4, 3)
--- ```
---@param height_factor number|number[] the largest part, or { lowest, highest }, above -1 and at most 1
---@param width_factor? number|number[] that of the width (default: as the height's, so that the form stays)
---@param options? pod.layers.random_zoom.options
---@return layer
function pod.layers.random_zoom(height_factor, width_factor, options) end

---@class pod.layers.re_lu.options
---@field max_value? number the most that comes out (default: no limit)
---@field negative_slope? number (0.0) the slope below the threshold
---@field threshold? number (0.0) where the two meet
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- `x` where it is above the threshold, a line of `negative_slope` below: by default `max(x, 0)`.
--- ```lua
--- pod.layers.relu { max_value = 6 }(pod.tensor { -1, 2, 9 })
--- --> { 0, 2, 6 }
--- ```
---@param options? pod.layers.re_lu.options
---@return layer
function pod.layers.re_lu(options) end

pod.layers.relu = pod.layers.re_lu

---@class pod.layers.repeat_vector.options
---@field n? integer how often
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Repeats each row: `(batch, features)` becomes `(batch, n, features)`.
--- ```lua
--- pod.layers.repeat_vector(3)(pod.ones { 4, 2 }).shape
--- --> (4, 3, 2)
--- ```
---@param n integer how often
---@param options? pod.layers.repeat_vector.options
---@return layer
function pod.layers.repeat_vector(n, options) end

---@class pod.layers.rescaling.options
---@field scale? number|number[]|tensor factor, one or one for each channel
---@field offset? number|number[]|tensor (0.0) what is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- `x scale + offset`: makes bytes of pictures numbers from 0 to 1, for example.
--- ```lua
--- pod.layers.rescaling(0.5, { offset = 1 })(pod.tensor { 2, 4 })
--- --> { 2, 3 }
--- ```
---@param scale number|number[]|tensor factor, one or one for each channel
---@param options? pod.layers.rescaling.options
---@return layer
function pod.layers.rescaling(scale, options) end

---@class pod.layers.reshape.options
---@field target_shape? integer[] the shape without the batch; one size may be -1
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives rows another shape of as many values.
--- ```lua
--- pod.layers.reshape({ 3, -1 })(pod.ones { 4, 6 }).shape
--- --> (4, 3, 2)
--- ```
---@param target_shape integer[] the shape without the batch; one size may be -1
---@param options? pod.layers.reshape.options
---@return layer
function pod.layers.reshape(target_shape, options) end

---@class pod.layers.resizing.options
---@field height? integer rows of the result
---@field width? integer columns of the result
---@field crop_to_aspect_ratio? boolean (false) whether what does not fit the form is cut off, not squeezed
---@field interpolation? "nearest"|"bilinear" ("bilinear") how values between places are found
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Resizes pictures: `(batch, height, width, channels)`, also without the batch.
--- ```lua
--- pod.layers.resizing(2, 3)(pod.ones { 1, 4, 4, 3 }).shape
--- --> (1, 2, 3, 3)
--- ```
---@param height integer rows of the result
---@param width integer columns of the result
---@param options? pod.layers.resizing.options
---@return layer
function pod.layers.resizing(height, width, options) end

---@class pod.layers.reversible_embedding.options
---@field input_dim? integer how many numbers there are
---@field output_dim? integer the size of vectors
---@field embeddings_initializer? string|initializer ("uniform") first values
---@field logit_soft_cap? number logits are bent to lie between this and its negative
---@field tie_weights? boolean (true) whether both ways have the same weights
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- An embedding that goes both ways: whole numbers become vectors; called with `{ reverse = true }`, vectors become
--- logits of the numbers, by the same weights or, without `tie_weights`, by others.
--- ```lua
--- pod.layers.reversible_embedding(9, 4)(pod.ones { 2, 3, 4 }, { reverse = true }).shape
--- --> (2, 3, 9)
--- ```
---@param input_dim integer how many numbers there are
---@param output_dim integer the size of vectors
---@param options? pod.layers.reversible_embedding.options
---@return layer
function pod.layers.reversible_embedding(input_dim, output_dim, options) end

---@class pod.layers.rms_normalization.options
---@field axis? integer|integer[] (-1) the axis or axes that it works along
---@field epsilon? number (1e-06) a small number that is added to what it divides by
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Divides each row by the root of the mean of its squares over `axis`, and multiplies by a scale that is learned.
--- ```lua
--- pod.layers.rms_normalization()(pod.tensor { { 2, 2 } })
--- --> { { 1, 1 } }
--- ```
---@param options? pod.layers.rms_normalization.options
---@return layer
function pod.layers.rms_normalization(options) end

---@class pod.layers.rnn.options
---@field cell? layer|layer[] a cell, or a list of cells one upon the other
---@field go_backwards? boolean (false) whether steps are read from the last to the first
---@field return_sequences? boolean (false) whether the outputs of all steps come out, not the last one's
---@field return_state? boolean (false) whether the last states come out, too, behind the output
---@field stateful? boolean (false) whether states go on from batch to batch, until `reset_states()`
---@field unroll? boolean (true) whether steps are written out; they always are
---@field zero_output_for_mask? boolean (false) whether outputs of masked steps are 0; else they are those of the step before
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Runs a cell over the steps of a sequence: input `(batch, steps, features)`. A cell of one's own is a layer called
--- with the input of a step and a list of states.
--- ```lua
--- pod.layers.rnn(pod.layers.gru_cell(4), { return_state = true })(pod.ones { 2, 5, 3 })[1].shape
--- --> (2, 4)
--- ```
---@param cell layer|layer[] a cell, or a list of cells one upon the other
---@param options? pod.layers.rnn.options
---@return layer
function pod.layers.rnn(cell, options) end

---@class pod.layers.separable_conv1d.options
---@field filters? integer how many channels come out
---@field kernel_size? integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@field activation? string|function what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field depth_multiplier? integer (1) how many channels come of each
---@field depthwise_constraint? string|constraint what it is put through after each step
---@field depthwise_initializer? string|initializer ("glorot_uniform") first values of the kernel of single channels
---@field depthwise_regularizer? string|regularizer adds a loss of it
---@field dilation_rate? integer|integer[] (1) how far apart the places are that a kernel sees; above 1 only with strides of 1
---@field groups? integer into how many parts channels are cut, each convolved by itself
---@field padding? "valid"|"same"|"causal" ("valid") "valid": windows within the input; "same": zeros around it, so that places stay as many (over strides); "causal" (one axis): zeros before it only
---@field pointwise_constraint? string|constraint what it is put through after each step
---@field pointwise_initializer? string|initializer ("glorot_uniform") first values of the kernel that mixes channels
---@field pointwise_regularizer? string|regularizer adds a loss of it
---@field strides? integer|integer[] (1) how far the window moves from place to place
---@field use_bias? boolean (true) whether a bias is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- A depthwise convolution and then one of size 1 that mixes channels: far fewer products than a whole convolution.
--- Weights: `depthwise_kernel`, `pointwise_kernel`, `bias` `(filters)`.
--- ```lua
--- pod.layers.separable_conv2d(4, 3)(pod.ones { 1, 5, 5, 2 }).shape
--- --> (1, 3, 3, 4)
--- ```
---@param filters integer how many channels come out
---@param kernel_size integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@param options? pod.layers.separable_conv1d.options
---@return layer
function pod.layers.separable_conv1d(filters, kernel_size, options) end

pod.layers.separable_conv2d = pod.layers.separable_conv1d

pod.layers.separable_convolution1d = pod.layers.separable_conv1d

pod.layers.separable_convolution2d = pod.layers.separable_conv1d

---@class pod.layers.simple_rnn.options
---@field units? integer how many values come out
---@field activation? string|function ("tanh") what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field go_backwards? boolean (false) whether steps are read from the last to the first
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field recurrent_constraint? string|constraint what it is put through after each step
---@field recurrent_dropout? number (0.0) the share of states that is left out in training
---@field recurrent_initializer? string|initializer ("orthogonal") first values of the kernel of states
---@field recurrent_regularizer? string|regularizer adds a loss of it
---@field return_sequences? boolean (false) whether the outputs of all steps come out, not the last one's
---@field return_state? boolean (false) whether the last states come out, too, behind the output
---@field stateful? boolean (false) whether states go on from batch to batch, until `reset_states()`
---@field unroll? boolean (true) whether steps are written out; they always are
---@field use_bias? boolean (true) whether a bias is added
---@field use_cudnn? string ("auto") for Keras' sake: there is no cuDNN here
---@field zero_output_for_mask? boolean (false) whether outputs of masked steps are 0; else they are those of the step before
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- A recurrent layer: at each step `activation(x kernel + state recurrent_kernel + bias)` is output and next state.
--- Input `(batch, steps, features)`, output `(batch, units)`.
--- ```lua
--- pod.layers.simple_rnn(4)(pod.ones { 2, 5, 3 }).shape
--- --> (2, 4)
--- ```
---@param units integer how many values come out
---@param options? pod.layers.simple_rnn.options
---@return layer
function pod.layers.simple_rnn(units, options) end

---@class pod.layers.simple_rnn_cell.options
---@field units? integer how many values come out
---@field activation? string|function ("tanh") what is applied at the end (default: nothing)
---@field bias_constraint? string|constraint what the bias is put through after each step
---@field bias_initializer? string|initializer ("zeros") first values of the bias
---@field bias_regularizer? string|regularizer adds a loss of the bias
---@field dropout? number (0.0) the share of inputs, or of attention, that is left out in training
---@field kernel_constraint? string|constraint what the kernel is put through after each step
---@field kernel_initializer? string|initializer ("glorot_uniform") first values of the kernel
---@field kernel_regularizer? string|regularizer adds a loss of the kernel
---@field recurrent_constraint? string|constraint what it is put through after each step
---@field recurrent_dropout? number (0.0) the share of states that is left out in training
---@field recurrent_initializer? string|initializer ("orthogonal") first values of the kernel of states
---@field recurrent_regularizer? string|regularizer adds a loss of it
---@field use_bias? boolean (true) whether a bias is added
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- One step of `simple_rnn`, for `rnn`: called with an input `(batch, features)` and a list of states.
--- ```lua
--- pod.layers.rnn(pod.layers.simple_rnn_cell(4))(pod.ones { 2, 5, 3 }).shape
--- --> (2, 4)
--- ```
---@param units integer how many values come out
---@param options? pod.layers.simple_rnn_cell.options
---@return layer
function pod.layers.simple_rnn_cell(units, options) end

---@class pod.layers.softmax.options
---@field axis? integer|integer[] (-1) the axis or axes that it works along
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- `exp(x) / sum(exp(x))` along an axis, or along several as one: numbers from 0 to 1 that sum to 1. With a mask (true
--- where it counts, of a shape that broadcasts) the others get no share.
--- ```lua
--- pod.layers.softmax()(pod.tensor { { 1, 1 } })
--- --> { { 0.5, 0.5 } }
--- ```
---@param options? pod.layers.softmax.options
---@return layer
function pod.layers.softmax(options) end

---@class pod.layers.spatial_dropout1d.options
---@field rate? number the share that is left out, 0 to 1
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field seed? integer makes what is drawn the same in each run
---@field trainable? boolean whether its weights are trained (default true)

--- Dropout of whole channels: input `(batch, spatial..., channels)`.
--- ```lua
--- pod.layers.spatial_dropout1d(0.5)(pod.ones { 1, 2, 3 }).shape
--- --> (1, 2, 3)
--- ```
---@param rate number the share that is left out, 0 to 1
---@param options? pod.layers.spatial_dropout1d.options
---@return layer
function pod.layers.spatial_dropout1d(rate, options) end

pod.layers.spatial_dropout2d = pod.layers.spatial_dropout1d

pod.layers.spatial_dropout3d = pod.layers.spatial_dropout1d

---@class pod.layers.spectral_normalization.options
---@field layer? layer one with a kernel
---@field power_iterations? integer (1) how many rounds come nearer in each step
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Divides the kernel of a layer by its largest singular value, which steps of training come nearer to.
--- ```lua
--- pod.layers.spectral_normalization(pod.layers.dense(2))(pod.ones { 4, 3 }).shape
--- --> (4, 2)
--- ```
---@param layer layer one with a kernel
---@param options? pod.layers.spectral_normalization.options
---@return layer
function pod.layers.spectral_normalization(layer, options) end

---@class pod.layers.stacked_rnn_cells.options
---@field cells? layer[] the lowest first
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Several cells one upon the other as one cell, for `rnn`.
--- ```lua
--- pod.layers.rnn(pod.layers.stacked_rnn_cells { pod.layers.gru_cell(4) })(pod.ones { 2, 5, 3 }):size()
--- --> 8
--- ```
---@param cells layer[] the lowest first
---@param options? pod.layers.stacked_rnn_cells.options
---@return layer
function pod.layers.stacked_rnn_cells(cells, options) end

---@class pod.layers.string_lookup.options
---@field max_tokens? integer how many numbers there are at most
---@field idf_weights? number[] the weight of each, for "tf_idf"
---@field invert? boolean (false) whether numbers become strings
---@field mask_token? string the string that stands for nothing (default: none)
---@field num_oov_indices? integer (1) how many numbers unknown strings have, by their hash, as in Keras; 0: they are an error
---@field oov_token? string ("[UNK]") what an unknown string is with `invert`, and in the vocabulary
---@field output_mode? "int"|"one_hot"|"multi_hot"|"count"|"tf_idf" ("int") a number, a vector of each string, or one of all along the last axis
---@field pad_to_max_tokens? boolean (false) whether vectors are as long as `max_tokens`
---@field vocabulary? string[]|string the strings in their order, or the path of a file with one a line
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Gives each string its number in a vocabulary, which is given or made by `adapt(data)`. It takes strings and arrays
--- of strings; in a function of `map` it takes a string of the elements. With a `mask_token` that one is 0; then come
--- the numbers for unknown strings, then the vocabulary.
--- ```lua
--- local layer = pod.layers.string_lookup { vocabulary = { "cat", "dog" } }
--- assert(table.concat(layer({ "dog", "bird", "cat" }):totable(), " ") == "2 0 1")
--- ```
---@param max_tokens? integer how many numbers there are at most
---@param options? pod.layers.string_lookup.options
---@return layer
function pod.layers.string_lookup(max_tokens, options) end

--- Makes a layer class of one's own from a table with `call(self, x, options)` and, where it has weights, `build(self,
--- shape)`; other fields become methods. `name` is the class name, `setup(self, ...)` gets the arguments. Layers of the
--- class can be saved once it has a name (`pod.register_layer`): by the arguments that they were made with. Where the
--- table has `get_config(self)`, it is by what that returns, of which `from_config(config)`, or else the class called
--- with it, makes a layer.
--- ```lua
--- local Twice = pod.layers.subclass {
---   name = "Twice",
---   call = function(self, x)
---     return x * 2
---   end,
--- }
--- assert(Twice()(pod.ones { 1 }):item() == 2)
--- ```
---@param methods table
---@return class # called with what `setup` takes, it makes a layer
function pod.layers.subclass(methods) end

---@class pod.layers.subtract.options
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- The first of two inputs less the second.
--- ```lua
--- pod.layers.subtract()({ pod.tensor { 3, 4 }, pod.tensor { 1, 1 } })
--- --> { 2, 3 }
--- ```
---@param options? pod.layers.subtract.options
---@return layer
function pod.layers.subtract(options) end

---@class pod.layers.text_vectorization.options
---@field max_tokens? integer how many numbers there are at most
---@field idf_weights? number[] the weight of each, for "tf_idf"
---@field ngrams? integer|integer[] tokens are also joined: up to so many, or so many as the list says
---@field output_mode? "int"|"multi_hot"|"count"|"tf_idf" ("int") a number for each token, or a vector for each text
---@field output_sequence_length? integer to how many numbers "int" is cut or filled up with 0 (default: as long as the longest; in `map` it is needed)
---@field pad_to_max_tokens? boolean (false) whether vectors are as long as `max_tokens`
---@field split? "whitespace"|"character"|"none"|function ("whitespace") how it is split; a function gives an array of strings
---@field standardize? "lower_and_strip_punctuation"|"lower"|"strip_punctuation"|"none"|function ("lower_and_strip_punctuation") what is done to a text before; a function of a text gives the text
---@field vocabulary? string[]|string the tokens in their order, or the path of a file with one a line
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Makes numbers of texts: lowers and strips them, splits them into tokens, and gives each its number in a vocabulary,
--- which is given or made by `adapt(texts)`. 0 is padding, 1 an unknown token. It takes a text or an array of texts; in
--- a function of `map` it takes a string of the elements: `ds:map(function(text, label) return layer(text), label
--- end)`.
--- ```lua
--- local layer = pod.layers.text_vectorization { output_sequence_length = 4 }
--- layer:adapt { "The cat sat.", "The dog!" }
--- assert(table.concat(layer("the bird sat"):totable(), " ") == "2 1 3 0")
--- ```
---@param max_tokens? integer how many numbers there are at most
---@param options? pod.layers.text_vectorization.options
---@return layer
function pod.layers.text_vectorization(max_tokens, options) end

---@class pod.layers.time_distributed.options
---@field layer? layer what is applied to each step
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Applies a layer to each step: input `(batch, steps, ...)`, output `(batch, steps, ...)` of the layer's. In training
--- each step has batch statistics of its own.
--- ```lua
--- pod.layers.time_distributed(pod.layers.dense(2))(pod.ones { 4, 5, 3 }).shape
--- --> (4, 5, 2)
--- ```
---@param layer layer what is applied to each step
---@param options? pod.layers.time_distributed.options
---@return layer
function pod.layers.time_distributed(layer, options) end

---@class pod.layers.unit_normalization.options
---@field axis? integer|integer[] (-1) the axis or axes that it works along
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Divides vectors along `axis` by their length.
--- ```lua
--- pod.layers.unit_normalization()(pod.tensor { { 3, 4 } })
--- --> { { 0.6, 0.8 } }
--- ```
---@param options? pod.layers.unit_normalization.options
---@return layer
function pod.layers.unit_normalization(options) end

---@class pod.layers.up_sampling1d.options
---@field size? integer|integer[] (2) how often, by axis
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field interpolation? "nearest"|"bilinear" ("nearest") how values between places are found
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Repeats places along the spatial axes, or, in two dimensions, finds values between them.
--- ```lua
--- pod.layers.up_sampling2d(2)(pod.ones { 1, 2, 2, 3 }).shape
--- --> (1, 4, 4, 3)
--- ```
---@param size? integer|integer[] how often, by axis
---@param options? pod.layers.up_sampling1d.options
---@return layer
function pod.layers.up_sampling1d(size, options) end

pod.layers.up_sampling2d = pod.layers.up_sampling1d

pod.layers.up_sampling3d = pod.layers.up_sampling1d

---@class pod.layers.zero_padding1d.options
---@field padding? integer|integer[]|table (1) how many: a number, one for each axis, or { before, after } for each
---@field data_format? "channels_last"|"channels_first" where channels stand (default: last)
---@field activity_regularizer? string|regularizer|function adds a loss of the output
---@field batch_input_shape? integer[] the same with the batch, -1 where that is open
---@field dtype? string|policy the dtype or policy that it computes in (default: the global policy)
---@field input_shape? integer[] the shape of one row, without the batch: the model is built at once
---@field name? string what the layer is called in summaries, messages and files (default: its class and a number)
---@field trainable? boolean whether its weights are trained (default true)

--- Adds zeros around the spatial axes.
--- ```lua
--- pod.layers.zero_padding2d(1)(pod.ones { 1, 2, 2, 3 }).shape
--- --> (1, 4, 4, 3)
--- ```
---@param padding? integer|integer[]|table how many: a number, one for each axis, or { before, after } for each
---@param options? pod.layers.zero_padding1d.options
---@return layer
function pod.layers.zero_padding1d(padding, options) end

pod.layers.zero_padding2d = pod.layers.zero_padding1d

pod.layers.zero_padding3d = pod.layers.zero_padding1d

--- The losses of one model under several policies: moonpod.layers.compare_precision.
--- ```lua
--- local ds = pod.data.from_tensor_slices({ pod.ones { 4, 3 }, pod.zeros { 4, 1 } }):batch(2)
--- local compared = pod.mixed_precision.compare(function()
---   local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
---   model:compile { loss = "mse" }
---   return model
--- end, ds, { steps = 2 })
--- assert(#compared.losses.float32 == 2)
--- ```
---@param ... any
function pod.mixed_precision.compare(...) end

--- What set_float32_matmul_precision() has set.
--- ```lua
--- pod.get_float32_matmul_precision()
--- --> "highest"
--- ```
function pod.mixed_precision.get_float32_matmul_precision() end

--- Returns the policy of a name (a policy is returned as it is; nil gives the global one).
--- ```lua
--- pod.mixed_precision.get_policy("mixed_bfloat16").variable_dtype
--- --> "float32"
--- ```
---@param name any
function pod.mixed_precision.get_policy(name) end

pod.mixed_precision.policy = pod.mixed_precision.get_policy

--- The policy of layers that are given none.
--- ```lua
--- pod.mixed_precision.global_policy().compute_dtype
--- --> "float32"
--- ```
function pod.mixed_precision.global_policy() end

--- Whether a value is a policy.
--- ```lua
--- pod.mixed_precision.is_policy("float32")
--- --> false
--- ```
---@param value any
function pod.mixed_precision.is_policy(value) end

--- Says how exactly matrix products and convolutions of float32 operands, and their gradients, are computed that
--- are called from now on. "highest" is float32, the default here. "high" is three passes of bfloat16 where a CPU is
--- faster so, of which about 16 bits of the mantissa count; else it is as "highest". "default" is one pass, 8 bits, as
--- a TPU does unless told otherwise.
--- ```lua
--- pod.set_float32_matmul_precision "high"
--- pod.set_float32_matmul_precision "highest"
--- ```
---@param name any
function pod.mixed_precision.set_float32_matmul_precision(name) end

--- Sets the policy of layers made from now on. float16 on a TPU draws a warning: its units are for bfloat16.
--- ```lua
--- pod.mixed_precision.set_global_policy "mixed_bfloat16"
--- assert(pod.layers.dense(1):compute_dtype() == "bfloat16")
--- pod.mixed_precision.set_global_policy "float32"
--- ```
---@param name any
function pod.mixed_precision.set_global_policy(name) end

--- Receives warnings: replaced by hosts.
--- ```lua
--- local said, before = nil, pod.mixed_precision.warn
--- pod.mixed_precision.warn = function(line) said = line end
--- pod.mixed_precision.warn "rounded"
--- pod.mixed_precision.warn = before
--- assert(said == "rounded")
--- ```
---@param line string
function pod.mixed_precision.warn(line) end

--- These functions by the names of Keras' classes.
---@type table
pod.regularizers.by_class = nil

--- Finds a regularizer: nil, a name, or what was made by these functions, or any function, as it is.
--- ```lua
--- pod.regularizers.get("l2") ~= nil
--- --> true
--- ```
---@param value any
---@param where any
function pod.regularizers.get(value, where) end

--- Whether a value was made by one of these functions.
--- ```lua
--- pod.regularizers.is_regularizer(pod.regularizers.l1())
--- --> true
--- ```
---@param value any
---@return boolean
function pod.regularizers.is_regularizer(value) end

---@class pod.regularizers.l1.options
---@field l1? number (0.01) the factor; it may stand for the table: `l1(0.01)`

--- The factor times the sum of the absolute values: many weights become 0.
--- ```lua
--- pod.regularizers.l1(0.5)(pod.tensor { 1, -2 }):item()
--- --> 1.5
--- ```
---@param options? pod.regularizers.l1.options
---@return regularizer
function pod.regularizers.l1(options) end

--- Both sums; without options both factors are 0.01, and one that is absent is 0.
--- ```lua
--- pod.regularizers.l1_l2({ l1 = 1 })(pod.tensor { 1, -2 }):item()
--- --> 3
--- ```
---@param options? table `l1` and `l2`, the factors
---@return regularizer
function pod.regularizers.l1_l2(options) end

---@class pod.regularizers.l2.options
---@field l2? number (0.01) the factor; it may stand for the table: `l2(0.01)`

--- The factor times the sum of the squares.
--- ```lua
--- pod.regularizers.l2(0.5)(pod.tensor { 1, 2 }):item()
--- --> 2.5
--- ```
---@param options? pod.regularizers.l2.options
---@return regularizer
function pod.regularizers.l2(options) end

---@class pod.regularizers.orthogonal.options
---@field factor? number (0.01) what the loss is multiplied by
---@field mode? "rows"|"columns" ("rows") which of them

--- The rows, or columns, of a matrix are to be at right angles.
--- ```lua
--- pod.regularizers.orthogonal()(pod.eye(2)):item()
--- --> 0
--- ```
---@param options? pod.regularizers.orthogonal.options
---@return regularizer
function pod.regularizers.orthogonal(options) end

--- Says how exactly matrix products and convolutions of float32 operands, and their gradients, are computed that
--- are called from now on. "highest" is float32, the default here. "high" is three passes of bfloat16 where a CPU is
--- faster so, of which about 16 bits of the mantissa count; else it is as "highest". "default" is one pass, 8 bits, as
--- a TPU does unless told otherwise.
--- ```lua
--- pod.set_float32_matmul_precision "high"
--- pod.set_float32_matmul_precision "highest"
--- ```
---@param name any
function pod.set_float32_matmul_precision(name) end

--- Its name, as plain data.
--- ```lua
--- pod.mixed_precision.policy("mixed_bfloat16"):get_config().name
--- --> "mixed_bfloat16"
--- ```
function policy:get_config() end

--- What it was made with, as plain data.
--- ```lua
--- pod.constraints.max_norm({ max_value = 3 }):get_config().max_value
--- --> 3
--- ```
function regularizer:get_config() end

--- What the loss was made with, as plain data.
--- ```lua
--- pod.losses.huber { delta = 2 }:get_config().delta
--- --> 2
--- ```
---@return table # its options, with their defaults
function loss:get_config() end

--- Multiplies a mask into weights. For means, entries that count are scaled up so that the sum divided by the number of
--- all entries is the mean over those that count.
--- ```lua
--- pod.losses.apply_mask(nil, pod.tensor { true, false }, "float32", "sum")
--- --> { 1, 0 }
--- ```
---@param sample_weight? tensor weights, or nil
---@param mask? tensor true where a value counts, or nil
---@param dtype? string of the result
---@param reduction? string the loss's: "mean" and "sum_over_batch_size" are means
---@return tensor # the weights
function pod.losses.apply_mask(sample_weight, mask, dtype, reduction) end

---@class pod.losses.binary_crossentropy.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities; exact for large ones
---@field label_smoothing? number (0) 0 to 1: how far labels are moved to the middle
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The cross-entropy of labels 0 and 1 and probabilities: the mean of `-(y log p + (1 - y) log(1 - p))`. What a sigmoid
--- has made is taken back to its logits, so that it is exact there, too.
--- ```lua
--- pod.losses.bce { from_logits = true }({ { 1 } }, { { 0 } }):item()
--- --> 0.6931
--- ```
---@param options? pod.losses.binary_crossentropy.options
---@return loss
function pod.losses.binary_crossentropy(options) end

pod.losses.bce = pod.losses.binary_crossentropy

---@class pod.losses.binary_focal_crossentropy.options
---@field alpha? number (0.25) the weight of the class
---@field apply_class_balancing? boolean (false) whether class 1 is weighed by `alpha` and class 0 by `1 - alpha`
---@field axis? integer (-1) the axis of classes, or of vectors
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities; exact for large ones
---@field gamma? number (2.0) how strongly sure predictions are left out
---@field label_smoothing? number (0) 0 to 1: how far labels are moved to the middle
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The binary cross-entropy times `(1 - p_t)^gamma`, where `p_t` is the probability that the label has: what is easy
--- counts less.
--- ```lua
--- pod.losses.binary_focal_crossentropy()({ { 1 } }, { { 0.5 } }):item()
--- --> 0.1733
--- ```
---@param options? pod.losses.binary_focal_crossentropy.options
---@return loss
function pod.losses.binary_focal_crossentropy(options) end

--- The constructors of losses by all their names, and by those of Keras' classes.
---@type table
pod.losses.by_name = nil

---@class pod.losses.categorical_crossentropy.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities; exact for large ones
---@field label_smoothing? number (0) 0 to 1: how far labels are moved to the middle
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The cross-entropy of one-hot rows and probabilities of classes: `-sum(y log p)` over the axis of classes. For labels
--- that are class numbers take `sparse_categorical_crossentropy`.
--- ```lua
--- pod.losses.categorical_crossentropy()({ { 0, 1 } }, { { 0.5, 0.5 } }):item()
--- --> 0.6931
--- ```
---@param options? pod.losses.categorical_crossentropy.options
---@return loss
function pod.losses.categorical_crossentropy(options) end

---@class pod.losses.categorical_focal_crossentropy.options
---@field alpha? number (0.25) the weight of the class
---@field axis? integer (-1) the axis of classes, or of vectors
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities; exact for large ones
---@field gamma? number (2.0) how strongly sure predictions are left out
---@field label_smoothing? number (0) 0 to 1: how far labels are moved to the middle
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The categorical cross-entropy times `alpha (1 - p)^gamma`: classes that are found easily count less.
--- ```lua
--- pod.losses.categorical_focal_crossentropy()({ { 0, 1 } }, { { 0.5, 0.5 } }):item()
--- --> 0.04332
--- ```
---@param options? pod.losses.categorical_focal_crossentropy.options
---@return loss
function pod.losses.categorical_focal_crossentropy(options) end

---@class pod.losses.categorical_generalized_cross_entropy.options
---@field q? number (0.5) from above 0 to 1
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- `(1 - p[y]^q) / q` of class numbers: between the cross-entropy (q near 0) and the absolute error (q = 1), for labels
--- of which some are wrong.
--- ```lua
--- pod.losses.categorical_generalized_cross_entropy()({ 0 }, { { 0.25, 0.75 } }):item()
--- --> 1
--- ```
---@param options? pod.losses.categorical_generalized_cross_entropy.options
---@return loss
function pod.losses.categorical_generalized_cross_entropy(options) end

---@class pod.losses.categorical_hinge.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- `max(neg - pos + 1, 0)`, where `pos` is the prediction of the right class and `neg` the highest of the others.
--- `y_true` are one-hot rows.
--- ```lua
--- pod.losses.categorical_hinge()({ { 0, 1 } }, { { 0.5, 0.25 } }):item()
--- --> 1.25
--- ```
---@param options? pod.losses.categorical_hinge.options
---@return loss
function pod.losses.categorical_hinge(options) end

---@class pod.losses.circle.options
---@field gamma? number (80.0) scale of the exponents
---@field margin? number (0.4) how far the two kinds of pairs are to be apart
---@field remove_diagonal? boolean (true) whether a row's pair with itself is left out
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The circle loss of embeddings: pairs of a class are to be near, others far. `y_true` are class numbers `(batch)`,
--- `y_pred` vectors of length 1 `(batch, embedding)`.
--- ```lua
--- pod.losses.circle()({ 0, 0 }, { { 1, 0 }, { 1, 0 } }).shape
--- --> ()
--- ```
---@param options? pod.losses.circle.options
---@return loss
function pod.losses.circle(options) end

---@class pod.losses.compute_average_loss.options
---@field global_batch_size? integer the divisor (default: the rows of all replicas)
---@field sample_weight? tensor a weight for each

--- The mean over the global batch: the sum of a replica's losses over the rows of all replicas. In a step of one's own,
--- inside of `strategy:run`, the results of all replicas add up to the mean.
--- ```lua
--- pod.losses.compute_average_loss({ 1, 3 }):item()
--- --> 2
--- ```
---@param per_example tensor a loss for each sample, `(batch)`
---@param options? pod.losses.compute_average_loss.options
---@return tensor # a scalar
function pod.losses.compute_average_loss(per_example, options) end

---@class pod.losses.cosine_similarity.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- Minus the cosine of the angle between `y_true` and `y_pred`: -1 for the same direction, 0 at right angles, 1 for
--- opposite ones.
--- ```lua
--- pod.losses.cosine_similarity()({ { 1, 0 } }, { { 2, 0 } }):item()
--- --> -1
--- ```
---@param options? pod.losses.cosine_similarity.options
---@return loss
function pod.losses.cosine_similarity(options) end

---@class pod.losses.dice.options
---@field axis? integer|integer[] the axes that are summed over (default: all, of the whole batch)
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- 1 less the Dice coefficient: `1 - 2 sum(y p) / (sum(y) + sum(p))`, for masks of pictures.
--- ```lua
--- pod.losses.dice()({ { 1, 0 } }, { { 1, 0 } }):item()
--- --> 0
--- ```
---@param options? pod.losses.dice.options
---@return loss
function pod.losses.dice(options) end

--- A loss from a function of `y_true` and `y_pred` that gives one value for each sample.
--- ```lua
--- local loss = pod.losses.from_function(function(y_true, y_pred)
---   return pod.mean(pod.abs(y_true - y_pred), -1)
--- end, "mine")
--- assert(loss({ { 0 } }, { { 2 } }):item() == 2)
--- ```
---@param fn function of two tensors
---@param name? string what logs call it (default "loss")
---@return loss # with the reduction "sum_over_batch_size"
function pod.losses.from_function(fn, name) end

--- What losses compute, by their names: functions of `y_true`, `y_pred` and options that give a value for each
--- sample.
---@type table
pod.losses.functions = nil

--- Finds a loss by name, takes a loss as it is, makes one of a function.
--- ```lua
--- pod.losses.get "mse"
--- --> <loss mean_squared_error, reduction=sum_over_batch_size>
--- ```
---@param value string|loss|function
---@param where? string what messages begin with
---@return loss
function pod.losses.get(value, where) end

---@class pod.losses.hinge.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The mean of `max(1 - y_true y_pred, 0)`. Labels are -1 and 1; where all are 0 or 1 they are taken as those.
--- ```lua
--- pod.losses.hinge()({ { -1, 1 } }, { { 0.5, 0.5 } }):item()
--- --> 1
--- ```
---@param options? pod.losses.hinge.options
---@return loss
function pod.losses.hinge(options) end

---@class pod.losses.huber.options
---@field delta? number (1.0) where the line begins
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- Half the square of a miss up to `delta`, and a line from there: `delta |x| - delta^2 / 2`. So outliers count less
--- than in the squared error.
--- ```lua
--- pod.losses.huber()({ { 0, 0 } }, { { 0.5, 2.25 } }):item()
--- --> 0.9375
--- ```
---@param options? pod.losses.huber.options
---@return loss
function pod.losses.huber(options) end

--- Whether a value is a loss that a constructor has made.
--- ```lua
--- pod.losses.is_loss(pod.losses.mse()), pod.losses.is_loss "mse"
--- --> true, false
--- ```
---@param value any
---@return boolean
function pod.losses.is_loss(value) end

--- Whether a value is what `compute_average_loss` gave inside of `strategy:run`, one replica's part of a mean.
--- ```lua
--- pod.losses.is_part(pod.tensor(1))
--- --> false
--- ```
---@param value any
---@return boolean
function pod.losses.is_part(value) end

---@class pod.losses.kl_divergence.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The Kullback-Leibler divergence: the sum over the last axis of `y_true log(y_true / y_pred)`. Both are
--- probabilities, kept between 1e-7 and 1.
--- ```lua
--- pod.losses.kld()({ { 0.5, 0.5 } }, { { 0.5, 0.5 } }):item()
--- --> 0
--- ```
---@param options? pod.losses.kl_divergence.options
---@return loss
function pod.losses.kl_divergence(options) end

pod.losses.kld = pod.losses.kl_divergence

pod.losses.kullback_leibler_divergence = pod.losses.kl_divergence

---@class pod.losses.log_cosh.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The mean of `log(cosh(y_pred - y_true))`: about half the square of small misses, and the size of large ones less log
--- 2.
--- ```lua
--- pod.losses.log_cosh()({ { 0 } }, { { 0 } }):item()
--- --> 0
--- ```
---@param options? pod.losses.log_cosh.options
---@return loss
function pod.losses.log_cosh(options) end

pod.losses.logcosh = pod.losses.log_cosh

---@class pod.losses.mean_absolute_error.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The mean of `|y_true - y_pred|`: all misses count by their size.
--- ```lua
--- pod.losses.mae()({ { 1, 2 } }, { { 2, 4 } }):item()
--- --> 1.5
--- ```
---@param options? pod.losses.mean_absolute_error.options
---@return loss
function pod.losses.mean_absolute_error(options) end

pod.losses.mae = pod.losses.mean_absolute_error

---@class pod.losses.mean_absolute_percentage_error.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The mean of `100 |(y_true - y_pred) / y_true|`, in percent. Labels nearer to 0 than 1e-7 count as 1e-7.
--- ```lua
--- pod.losses.mape()({ { 1, 2 } }, { { 2, 4 } }):item()
--- --> 100
--- ```
---@param options? pod.losses.mean_absolute_percentage_error.options
---@return loss
function pod.losses.mean_absolute_percentage_error(options) end

pod.losses.mape = pod.losses.mean_absolute_percentage_error

---@class pod.losses.mean_squared_error.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The mean of `(y_true - y_pred)^2`: the usual loss of a regression. Far misses count much.
--- ```lua
--- pod.losses.mse()({ { 1, 2 } }, { { 2, 4 } }):item()
--- --> 2.5
--- ```
---@param options? pod.losses.mean_squared_error.options
---@return loss
function pod.losses.mean_squared_error(options) end

pod.losses.mse = pod.losses.mean_squared_error

---@class pod.losses.mean_squared_logarithmic_error.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The mean of `(log(y_true + 1) - log(y_pred + 1))^2`: ratios count, not differences. Values below 1e-7 count as that.
--- ```lua
--- pod.losses.msle()({ { 0 } }, { { 0 } }):item()
--- --> 0
--- ```
---@param options? pod.losses.mean_squared_logarithmic_error.options
---@return loss
function pod.losses.mean_squared_logarithmic_error(options) end

pod.losses.msle = pod.losses.mean_squared_logarithmic_error

---@class pod.losses.poisson.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The mean of `y_pred - y_true log(y_pred)`: for counts, whose rate `y_pred` is.
--- ```lua
--- pod.losses.poisson()({ { 0 } }, { { 2 } }):item()
--- --> 2
--- ```
---@param options? pod.losses.poisson.options
---@return loss
function pod.losses.poisson(options) end

--- Makes one value of those of samples, as a loss does: weighs them, leaves out what a mask says, and reduces.
--- ```lua
--- pod.losses.reduce(pod.tensor { 1, 2, 3 }, nil, nil, "sum"):item()
--- --> 6
--- ```
---@param values tensor of the losses of samples, `(batch, ...)`
---@param sample_weight? tensor one weight for each sample, or for each value
---@param mask? tensor true where a value counts
---@param reduction? string see pod.losses
---@return tensor # a scalar; the weighed values for "none"
function pod.losses.reduce(values, sample_weight, mask, reduction) end

--- Makes two tensors one rank where one has an extra last axis of size 1.
--- ```lua
--- pod.losses.same_rank(pod.ones { 2, 1 }, pod.ones { 2 }).shape
--- --> (2, 1)
--- ```
---@param a tensor
---@param b tensor
---@return tensor # a
---@return tensor # b
function pod.losses.same_rank(a, b) end

--- A replica's share of a regularization loss: the sum of it divided by the number of replicas.
--- ```lua
--- pod.losses.scale_regularization_loss(pod.tensor { 1, 2 }):item()
--- --> 3
--- ```
---@param value tensor
---@return tensor # a scalar
function pod.losses.scale_regularization_loss(value) end

---@class pod.losses.sparse_categorical_crossentropy.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities; exact for large ones
---@field ignore_class? integer a label whose rows count for nothing
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The cross-entropy of class numbers, from 0, and probabilities of classes: `-log p[y]`. `y_true` has the shape of
--- `y_pred` without the axis of classes, or with 1 there.
--- ```lua
--- pod.losses.sparse_categorical_crossentropy()({ 1 }, { { 0.75, 0.25 } }):item()
--- --> 1.386
--- ```
---@param options? pod.losses.sparse_categorical_crossentropy.options
---@return loss
function pod.losses.sparse_categorical_crossentropy(options) end

---@class pod.losses.squared_hinge.options
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- The mean of `max(1 - y_true y_pred, 0)^2`. Labels as those of `hinge`.
--- ```lua
--- pod.losses.squared_hinge()({ { -1, 1 } }, { { 0.5, 0.5 } }):item()
--- --> 1.25
--- ```
---@param options? pod.losses.squared_hinge.options
---@return loss
function pod.losses.squared_hinge(options) end

---@class pod.losses.tversky.options
---@field alpha? number (0.5) weight of false positives
---@field axis? integer|integer[] the axes that are summed over (default: all, of the whole batch)
---@field beta? number (0.5) weight of false negatives
---@field dtype? string of predictions and the result (default "float32"); what is between has 32 bits or more
---@field name? string what logs and messages call it (default: its name)
---@field reduction? "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all

--- 1 less the Tversky index: like `dice`, with weights of their own for false positives and false negatives.
--- ```lua
--- pod.losses.tversky()({ { 1, 0 } }, { { 0, 1 } }):item()
--- --> 1
--- ```
---@param options? pod.losses.tversky.options
---@return loss
function pod.losses.tversky(options) end

--- Runs `fn(...)`; with `sparse` a categorical cross-entropy of rows that `pod.one_hot` made in this trace takes the
--- class numbers they were made of, so that the rows are not needed.
--- ```lua
--- pod.losses.with_sparse_labels(true, function(x) return x + 1 end, 1)
--- --> false, 2
--- ```
---@param sparse? any whether to take class numbers
---@param fn function
---@return boolean # whether there were such rows, and before the results of `fn`
function pod.losses.with_sparse_labels(sparse, fn) end

--- The mean of a loss over those elements that a mask keeps, with static shapes: the same number as the mean of `loss`
--- over `logits[mask]` and `labels[mask]`. (Multiplying logits and labels by the mask is not: what is masked then still
--- adds its own constant, ln C for class numbers, ln 2 for a binary cross-entropy.) Inside of `strategy:run` the mean
--- divides by the number of kept elements of all replicas, so that replicas' losses add up. Nothing kept: 0.
--- ```lua
--- pod.masked_loss("mse", { { 1 }, { 5 } }, { { 0 }, { 0 } }, { true, false }):item()
--- --> 1
--- ```
---@param loss string|loss|function that gives a loss for each element: a name, a loss, or a function of labels and logits
---@param logits tensor predictions, `(batch, ...)`
---@param labels tensor what they should be
---@param mask tensor of booleans, whose axes are the first of logits and labels
---@return tensor # a scalar
function pod.masked_loss(loss, logits, labels, mask) end

--- Makes a state variable, zero at first unless an initializer is given.
--- ```lua
--- pod.metrics.mean():add_variable("more", { 2 }):value()
--- --> { 0, 0 }
--- ```
---@param name string
---@param shape? integer[]
---@param initializer? anything
---@param dtype? any
function metric:add_variable(name, shape, initializer, dtype) end

--- What it was made with, as plain data.
--- ```lua
--- pod.metrics.auc():get_config().curve
--- --> "ROC"
--- ```
function metric:get_config() end

--- Forgets what was counted: `result()` begins anew.
--- ```lua
--- pod.metrics.mean():reset_state() == nil
--- --> true
--- ```
function metric:reset_state() end

--- The value of all batches since `reset_state()`.
--- ```lua
--- pod.metrics.sum():result():item()
--- --> 0
--- ```
---@return tensor
function metric:result() end

--- Adds a batch to what was counted.
--- ```lua
--- local mean = pod.metrics.mean()
--- mean:update_state(pod.tensor { 1, 3 })
--- mean:update_state(pod.tensor { 5 })
--- assert(mean:result():item() == 3)
--- ```
---@param y_true tensor what should come; of `mean` and `sum` the values
---@param y_pred tensor what came; of `mean` and `sum` the weights
---@param sample_weight? tensor how much each row counts: `(rows)`
function metric:update_state(y_true, y_pred, sample_weight) end

---@class pod.metrics.accuracy.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The share of predictions that are equal to the labels. As the name "accuracy" of `compile` it is one of the three
--- below, by the shapes.
--- ```lua
--- pod.metrics.accuracy()({ { 1 }, { 2 } }, { { 1 }, { 3 } }):item()
--- --> 0.5
--- ```
---@param options? pod.metrics.accuracy.options
---@return metric
function pod.metrics.accuracy(options) end

---@class pod.metrics.auc.options
---@field curve? "ROC"|"PR"|"PRGAIN" ("ROC") which curve
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities
---@field label_weights? number[] how much each label counts
---@field multi_label? boolean (false) whether each label has a curve of its own, and the result is their mean
---@field num_labels? integer how many labels there are, with `multi_label`
---@field num_thresholds? integer (200) at how many thresholds it is counted
---@field summation_method? "interpolation"|"minoring"|"majoring" ("interpolation") between thresholds: a line, the lower, the higher
---@field thresholds? number|number[] above which a prediction counts as true: 0 to 1; a list gives a value for each (default 0.5)
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The area under a curve: that of true over false positives (ROC), or of precision over recall (PR), summed at
--- thresholds.
--- ```lua
--- pod.metrics.auc()({ 0, 1 }, { 0.2, 0.8 }):item()
--- --> 1
--- ```
---@param options? pod.metrics.auc.options
---@return metric
function pod.metrics.auc(options) end

---@class pod.metrics.binary_accuracy.options
---@field threshold? number (0.5) above which a prediction counts as true
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The share of predictions that are on the label's side of the threshold; labels are 0 and 1.
--- ```lua
--- pod.metrics.binary_accuracy()({ { 1 }, { 0 } }, { { 0.8 }, { 0.7 } }):item()
--- --> 0.5
--- ```
---@param options? pod.metrics.binary_accuracy.options
---@return metric
function pod.metrics.binary_accuracy(options) end

---@class pod.metrics.binary_crossentropy.options
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities
---@field label_smoothing? number (0) 0 to 1: how far labels are moved to the middle
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The cross-entropy of labels 0 and 1 and probabilities.
--- ```lua
--- pod.metrics.bce { from_logits = true }({ { 1 } }, { { 0 } }):item()
--- --> 0.6931
--- ```
---@param options? pod.metrics.binary_crossentropy.options
---@return metric
function pod.metrics.binary_crossentropy(options) end

pod.metrics.bce = pod.metrics.binary_crossentropy

--- The constructors of metrics by all their names, and by those of Keras' classes.
---@type table
pod.metrics.by_name = nil

---@class pod.metrics.categorical_accuracy.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The share of rows whose largest prediction is at the label's place; labels are one-hot rows.
--- ```lua
--- pod.metrics.categorical_accuracy()({ { 0, 1 } }, { { 0.2, 0.8 } }):item()
--- --> 1
--- ```
---@param options? pod.metrics.categorical_accuracy.options
---@return metric
function pod.metrics.categorical_accuracy(options) end

---@class pod.metrics.categorical_crossentropy.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities
---@field label_smoothing? number (0) 0 to 1: how far labels are moved to the middle
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The cross-entropy of one-hot rows and probabilities of classes.
--- ```lua
--- pod.metrics.categorical_crossentropy()({ { 0, 1 } }, { { 0.5, 0.5 } }):item()
--- --> 0.6931
--- ```
---@param options? pod.metrics.categorical_crossentropy.options
---@return metric
function pod.metrics.categorical_crossentropy(options) end

---@class pod.metrics.categorical_hinge.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- `max(neg - pos + 1, 0)`, of the right class and the highest other.
--- ```lua
--- pod.metrics.categorical_hinge()({ { 0, 1 } }, { { 0.5, 0.5 } }):item()
--- --> 1
--- ```
---@param options? pod.metrics.categorical_hinge.options
---@return metric
function pod.metrics.categorical_hinge(options) end

---@class pod.metrics.concordance_correlation.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The correlation that also asks for the same mean and variance: 1 where `y_pred` is `y_true`.
--- ```lua
--- pod.metrics.concordance_correlation()({ { 0, 4 } }, { { 0, 4 } }):item()
--- --> 1
--- ```
---@param options? pod.metrics.concordance_correlation.options
---@return metric
function pod.metrics.concordance_correlation(options) end

---@class pod.metrics.cosine_similarity.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The cosine of the angle between `y_true` and `y_pred`: 1 for the same direction.
--- ```lua
--- pod.metrics.cosine_similarity()({ { 1, 0 } }, { { 2, 0 } }):item()
--- --> 1
--- ```
---@param options? pod.metrics.cosine_similarity.options
---@return metric
function pod.metrics.cosine_similarity(options) end

---@class pod.metrics.f1_score.options
---@field average? "micro"|"macro"|"weighted" how classes become one number: counts of all, their mean, their mean by how often they come (default: a number for each class)
---@field beta? number (1.0) 1 for the F1 score
---@field threshold? number above which a prediction counts as true
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The F-score of classes: the harmonic mean of precision and recall, in which recall counts `beta` times as much.
--- Labels and predictions are `(batch, classes)`; without a threshold the largest prediction of a row is its class.
--- ```lua
--- pod.metrics.f1_score()({ { 0, 1 }, { 1, 0 } }, { { 0.2, 0.8 }, { 0.9, 0.1 } })
--- --> { 1, 1 }
--- ```
---@param options? pod.metrics.f1_score.options
---@return metric
function pod.metrics.f1_score(options) end

pod.metrics.fbeta_score = pod.metrics.f1_score

--- A metric from a function of (y_true, y_pred) that gives one value for each sample.
--- ```lua
--- local metric = pod.metrics.from_function(function(y_true, y_pred)
---   return pod.abs(y_true - y_pred)
--- end)
--- assert(metric({ 1 }, { 3 }):item() == 2)
--- ```
---@param fn function
---@param name? string
function pod.metrics.from_function(fn, name) end

--- Finds a metric: a name, a metric, or a function. y_true and y_pred give shapes for "accuracy".
--- ```lua
--- pod.metrics.get("mae").name
--- --> "mae"
--- ```
---@param value any
---@param where any
---@param y_true any
---@param y_pred any
function pod.metrics.get(value, where, y_true, y_pred) end

---@class pod.metrics.hinge.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of `max(1 - y_true y_pred, 0)`, of labels -1 and 1, or 0 and 1.
--- ```lua
--- pod.metrics.hinge()({ { 1 } }, { { 0.5 } }):item()
--- --> 0.5
--- ```
---@param options? pod.metrics.hinge.options
---@return metric
function pod.metrics.hinge(options) end

---@class pod.metrics.iou.options
---@field num_classes? integer how many classes there are
---@field axis? integer (-1) the axis of classes, or of vectors
---@field ignore_class? integer a label whose elements count for nothing
---@field sparse_y_pred? boolean (true) whether predictions are class numbers, not scores of classes
---@field sparse_y_true? boolean (true) whether labels are class numbers, not one-hot rows
---@field target_class_ids? integer[] the classes whose mean is the result (default: all)
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- Intersection over union: true positives over all that is or was taken for a class, the mean of classes. The
--- `one_hot` ones take one-hot rows and scores; `binary_iou` takes probabilities with a threshold; `mean_iou` is of all
--- classes.
--- ```lua
--- pod.metrics.mean_iou(2)({ 0, 1 }, { 0, 1 }):item()
--- --> 1
--- ```
---@param num_classes? integer how many classes there are
---@param options? pod.metrics.iou.options
---@return metric
function pod.metrics.iou(num_classes, options) end

pod.metrics.binary_iou = pod.metrics.iou

pod.metrics.mean_iou = pod.metrics.iou

pod.metrics.one_hot_iou = pod.metrics.iou

pod.metrics.one_hot_mean_iou = pod.metrics.iou

--- Whether a value is a metric.
--- ```lua
--- pod.metrics.is_metric(pod.metrics.mean())
--- --> true
--- ```
---@param value any
function pod.metrics.is_metric(value) end

---@class pod.metrics.kl_divergence.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The sum of `y_true log(y_true / y_pred)` over the last axis.
--- ```lua
--- pod.metrics.kld()({ { 0.5, 0.5 } }, { { 0.5, 0.5 } }):item()
--- --> 0
--- ```
---@param options? pod.metrics.kl_divergence.options
---@return metric
function pod.metrics.kl_divergence(options) end

pod.metrics.kld = pod.metrics.kl_divergence

---@class pod.metrics.log_cosh_error.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of `log(cosh(y_pred - y_true))`.
--- ```lua
--- pod.metrics.logcosh()({ { 1 } }, { { 1 } }):item()
--- --> 0
--- ```
---@param options? pod.metrics.log_cosh_error.options
---@return metric
function pod.metrics.log_cosh_error(options) end

pod.metrics.logcosh = pod.metrics.log_cosh_error

---@class pod.metrics.mean.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of values: `update_state(values, sample_weight)`.
--- ```lua
--- pod.metrics.mean()({ 1, 2, 6 }):item()
--- --> 3
--- ```
---@param options? pod.metrics.mean.options
---@return metric
function pod.metrics.mean(options) end

---@class pod.metrics.mean_absolute_error.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of `|y_true - y_pred|`.
--- ```lua
--- pod.metrics.mae()({ { 1 }, { 2 } }, { { 1 }, { 4 } }):item()
--- --> 1
--- ```
---@param options? pod.metrics.mean_absolute_error.options
---@return metric
function pod.metrics.mean_absolute_error(options) end

pod.metrics.mae = pod.metrics.mean_absolute_error

---@class pod.metrics.mean_absolute_percentage_error.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of `100 |(y_true - y_pred) / y_true|`, in percent.
--- ```lua
--- pod.metrics.mape()({ { 1 }, { 2 } }, { { 1 }, { 4 } }):item()
--- --> 50
--- ```
---@param options? pod.metrics.mean_absolute_percentage_error.options
---@return metric
function pod.metrics.mean_absolute_percentage_error(options) end

pod.metrics.mape = pod.metrics.mean_absolute_percentage_error

---@class pod.metrics.mean_squared_error.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of `(y_true - y_pred)^2`.
--- ```lua
--- pod.metrics.mse()({ { 1 }, { 2 } }, { { 1 }, { 4 } }):item()
--- --> 2
--- ```
---@param options? pod.metrics.mean_squared_error.options
---@return metric
function pod.metrics.mean_squared_error(options) end

pod.metrics.mse = pod.metrics.mean_squared_error

---@class pod.metrics.mean_squared_logarithmic_error.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of `(log(y_true + 1) - log(y_pred + 1))^2`.
--- ```lua
--- pod.metrics.msle()({ { 1 } }, { { 1 } }):item()
--- --> 0
--- ```
---@param options? pod.metrics.mean_squared_logarithmic_error.options
---@return metric
function pod.metrics.mean_squared_logarithmic_error(options) end

pod.metrics.msle = pod.metrics.mean_squared_logarithmic_error

---@class pod.metrics.pearson_correlation.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The correlation of `y_true` and `y_pred` along an axis: -1 to 1, and NaN where one of them does not change.
--- ```lua
--- pod.metrics.pearson_correlation()({ { 1, 2 } }, { { 2, 4 } }):item()
--- --> 1
--- ```
---@param options? pod.metrics.pearson_correlation.options
---@return metric
function pod.metrics.pearson_correlation(options) end

---@class pod.metrics.poisson.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of `y_pred - y_true log(y_pred)`.
--- ```lua
--- pod.metrics.poisson()({ { 0 } }, { { 2 } }):item()
--- --> 2
--- ```
---@param options? pod.metrics.poisson.options
---@return metric
function pod.metrics.poisson(options) end

---@class pod.metrics.precision.options
---@field class_id? integer the only class that is looked at
---@field thresholds? number|number[] above which a prediction counts as true: 0 to 1; a list gives a value for each (default 0.5)
---@field top_k? integer of each row only so many of the largest predictions count
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- Of what was taken for true, the share that is: `tp / (tp + fp)`.
--- ```lua
--- pod.metrics.precision()({ { 1 }, { 0 } }, { { 0.8 }, { 0.7 } }):item()
--- --> 0.5
--- ```
---@param options? pod.metrics.precision.options
---@return metric
function pod.metrics.precision(options) end

---@class pod.metrics.r2_score.options
---@field class_aggregation? "uniform_average"|"variance_weighted_average" ("uniform_average") how outputs become one number
---@field num_regressors? integer (0) for the adjusted score: how many predictors there are; 0: not adjusted
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The coefficient of determination: 1 less the squared errors over the variance of labels. 1 is perfect, 0 is no
--- better than their mean.
--- ```lua
--- pod.metrics.r2_score()({ { 1 }, { 3 } }, { { 1 }, { 3 } }):item()
--- --> 1
--- ```
---@param options? pod.metrics.r2_score.options
---@return metric
function pod.metrics.r2_score(options) end

---@class pod.metrics.recall.options
---@field class_id? integer the only class that is looked at
---@field thresholds? number|number[] above which a prediction counts as true: 0 to 1; a list gives a value for each (default 0.5)
---@field top_k? integer of each row only so many of the largest predictions count
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- Of what is true, the share that was found: `tp / (tp + fn)`.
--- ```lua
--- pod.metrics.recall()({ { 1 }, { 1 } }, { { 0.8 }, { 0.2 } }):item()
--- --> 0.5
--- ```
---@param options? pod.metrics.recall.options
---@return metric
function pod.metrics.recall(options) end

---@class pod.metrics.root_mean_squared_error.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The root of the mean of squared errors of all batches.
--- ```lua
--- pod.metrics.rmse()({ { 1 }, { 2 } }, { { 1 }, { 4 } }):item()
--- --> 1.414
--- ```
---@param options? pod.metrics.root_mean_squared_error.options
---@return metric
function pod.metrics.root_mean_squared_error(options) end

pod.metrics.rmse = pod.metrics.root_mean_squared_error

---@class pod.metrics.sensitivity_at_specificity.options
---@field specificity? number 0 to 1: the least specificity
---@field class_id? integer the only class that is looked at
---@field num_thresholds? integer (200) at how many thresholds it is counted
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The best of one rate at the thresholds where another is at least what is asked for.
--- ```lua
--- pod.metrics.recall_at_precision(0.5)({ 0, 1 }, { 0.2, 0.8 }):item()
--- --> 1
--- ```
---@param specificity? number 0 to 1: the least specificity
---@param options? pod.metrics.sensitivity_at_specificity.options
---@return metric
function pod.metrics.sensitivity_at_specificity(specificity, options) end

pod.metrics.precision_at_recall = pod.metrics.sensitivity_at_specificity

pod.metrics.recall_at_precision = pod.metrics.sensitivity_at_specificity

pod.metrics.specificity_at_sensitivity = pod.metrics.sensitivity_at_specificity

---@class pod.metrics.sparse_categorical_accuracy.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The share of rows whose largest prediction is at the label's place; labels are class numbers.
--- ```lua
--- pod.metrics.sparse_categorical_accuracy()({ 1, 0 }, { { 0.2, 0.8 }, { 0.1, 0.9 } }):item()
--- --> 0.5
--- ```
---@param options? pod.metrics.sparse_categorical_accuracy.options
---@return metric
function pod.metrics.sparse_categorical_accuracy(options) end

---@class pod.metrics.sparse_categorical_crossentropy.options
---@field axis? integer (-1) the axis of classes, or of vectors
---@field from_logits? boolean (false) whether `y_pred` are logits, not probabilities
---@field ignore_class? integer a label whose elements count for nothing
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The cross-entropy of class numbers and probabilities of classes.
--- ```lua
--- pod.metrics.sparse_categorical_crossentropy()({ 1 }, { { 0.5, 0.5 } }):item()
--- --> 0.6931
--- ```
---@param options? pod.metrics.sparse_categorical_crossentropy.options
---@return metric
function pod.metrics.sparse_categorical_crossentropy(options) end

---@class pod.metrics.sparse_top_k_categorical_accuracy.options
---@field k? integer (5) among how many of the largest predictions the label may be
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The share of rows whose label, a class number, is among the k largest predictions.
--- ```lua
--- pod.metrics.sparse_top_k_categorical_accuracy(2)({ 1 }, { { 0.5, 0.4, 0.1 } }):item()
--- --> 1
--- ```
---@param k? integer among how many of the largest predictions the label may be
---@param options? pod.metrics.sparse_top_k_categorical_accuracy.options
---@return metric
function pod.metrics.sparse_top_k_categorical_accuracy(k, options) end

---@class pod.metrics.squared_hinge.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The mean of `max(1 - y_true y_pred, 0)^2`, of labels -1 and 1, or 0 and 1.
--- ```lua
--- pod.metrics.squared_hinge()({ { 1 } }, { { 0.5 } }):item()
--- --> 0.25
--- ```
---@param options? pod.metrics.squared_hinge.options
---@return metric
function pod.metrics.squared_hinge(options) end

--- Makes a class of metrics of one's own from a table: `setup(self, ...)` makes its variables with
--- `self:add_variable(name, shape)`, `update_state(self, y_true, y_pred, sample_weight)` adds a batch to them, and
--- `result(self)` gives the value. `reset_state(self)` sets the variables back unless the table has another. `name` is
--- the class's, and what the progress bar shows, in small letters, unless `setup` says `self.name = "..."`. A variable
--- has a part on each replica; reading it adds them up, so add to it by `assign_add`. Metrics of the class can be
--- saved once it has a name (`pod.register`): by the arguments that they were made with. Where the table has
--- `get_config(self)`, it is by what that returns, of which `from_config(config)`, or else the class called with it,
--- makes one.
--- ```lua
--- local Share = pod.metrics.subclass {
---   name = "ShareAbove",
---   setup = function(self, limit)
---     self.limit = limit
---     self.above, self.all = self:add_variable "above", self:add_variable "all"
---   end,
---   update_state = function(self, y_true, y_pred)
---     local is_above = pod.cast(pod.greater(y_pred, self.limit), "float32")
---     self.above:assign_add(pod.sum(is_above))
---     self.all:assign_add(pod.sum(pod.ones_like(is_above)))
---   end,
---   result = function(self)
---     return pod.divide_no_nan(self.above:value(), self.all:value())
---   end,
--- }
--- local metric = Share(0.5)
--- assert(metric.name == "share_above" and metric({ 0, 0 }, { 0.2, 0.9 }):item() == 0.5)
--- ```
---@param methods table
---@return class # called with what `setup` takes, it makes a metric
function pod.metrics.subclass(methods) end

---@class pod.metrics.sum.options
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The sum of values: `update_state(values, sample_weight)`.
--- ```lua
--- pod.metrics.sum()({ 1, 2, 6 }):item()
--- --> 9
--- ```
---@param options? pod.metrics.sum.options
---@return metric
function pod.metrics.sum(options) end

---@class pod.metrics.top_k_categorical_accuracy.options
---@field k? integer (5) among how many of the largest predictions the label may be
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- The share of rows whose label, a one-hot row, is among the k largest predictions.
--- ```lua
--- pod.metrics.top_k_categorical_accuracy(2)({ { 0, 1, 0 } }, { { 0.5, 0.4, 0.1 } }):item()
--- --> 1
--- ```
---@param k? integer among how many of the largest predictions the label may be
---@param options? pod.metrics.top_k_categorical_accuracy.options
---@return metric
function pod.metrics.top_k_categorical_accuracy(k, options) end

---@class pod.metrics.true_positives.options
---@field class_id? integer the only class that is looked at
---@field thresholds? number|number[] above which a prediction counts as true: 0 to 1; a list gives a value for each (default 0.5)
---@field top_k? integer of each row only so many of the largest predictions count
---@field dtype? string of the result (default "float32"); it counts in no less than float32
---@field name? string what logs call it (default: its name)

--- How many predictions are truly or falsely on which side of the threshold, weighed.
--- ```lua
--- pod.metrics.true_positives()({ { 1 }, { 0 } }, { { 0.8 }, { 0.7 } }):item()
--- --> 1
--- ```
---@param options? pod.metrics.true_positives.options
---@return metric
function pod.metrics.true_positives(options) end

pod.metrics.false_negatives = pod.metrics.true_positives

pod.metrics.false_positives = pod.metrics.true_positives

pod.metrics.true_negatives = pod.metrics.true_positives

--- Applies gradients (a list, nil where there is none) to weights (default: those it was built for). Inside
--- strategy:run the gradients of all replicas are added up first. `condition`: a boolean tensor; where it is false
--- nothing changes.
--- ```lua
--- local w = pod.variable({ 1, 2 })
--- local optimizer = pod.optimizers.sgd(0.5)
--- optimizer:build { w }
--- optimizer:apply({ pod.tensor { 1, 1 } }, { w })
--- assert(w:value():totable()[1] == 0.5)
--- ```
---@param gradients any
---@param weights? any
---@param condition? tensor|number
function optimizer:apply(gradients, weights, condition) end

--- Applies a list of { gradient, weight } pairs.
--- ```lua
--- local v = pod.variable { 1, 2 }
--- pod.optimizers.sgd(0.5):apply_gradients { { pod.tensor { 2, 2 }, v } }
--- assert(v:totable()[2] == 1)
--- ```
---@param pairs_list any
function optimizer:apply_gradients(pairs_list) end

--- Makes the slots for a list of weights, under the strategy of the optimizer. Weights of another strategy are
--- refused.
--- ```lua
--- local v = pod.variable { 1, 2 }
--- local adam = pod.optimizers.adam()
--- adam:build { v }
--- assert(#adam.variables > 2)
--- ```
---@param weights any
function optimizer:build(weights) end

--- The rate for the present iteration, a float32 scalar. Schedules count every step, accumulating ones too, as in
--- Keras.
--- ```lua
--- pod.optimizers.sgd(0.5):current_learning_rate():item()
--- --> 0.5
--- ```
function optimizer:current_learning_rate() end

---@class optimizer.exclude_from_weight_decay.options
---@field var_list? variable[] weights
---@field var_names? string[] Lua patterns of names

--- Keeps weights out of weight decay, before the optimizer is built. Options: var_list, var_names (Lua patterns).
--- ```lua
--- local kernel, bias = pod.variable({ 1 }, { name = "kernel" }), pod.variable({ 1 }, { name = "bias" })
--- local sgd = pod.optimizers.sgd(0.1, { weight_decay = 0.5 })
--- sgd:exclude_from_weight_decay { var_names = { "bias" } }
--- sgd:apply({ pod.zeros { 1 }, pod.zeros { 1 } }, { kernel, bias })
--- assert(kernel:totable()[1] < 1 and bias:totable()[1] == 1)
--- ```
---@param options? optimizer.exclude_from_weight_decay.options
function optimizer:exclude_from_weight_decay(options) end

--- Puts the averages of use_ema into the weights. Before the first step, and where loss scaling has left out all steps,
--- there are none: the weights stay.
--- ```lua
--- local v = pod.variable { 4 }
--- local sgd = pod.optimizers.sgd(1, { use_ema = true, ema_momentum = 0.5 })
--- sgd:apply({ pod.tensor { 2 } }, { v })
--- sgd:finalize_variable_values { v }
--- assert(v:totable()[1] > 0)
--- ```
---@param weights? any
function optimizer:finalize_variable_values(weights) end

--- What it was made with and the rate that it has now, as plain data.
--- ```lua
--- pod.optimizers.adam():get_config().beta_1
--- --> 0.9
--- ```
function optimizer:get_config() end

--- The loss to differentiate: scaled where the optimizer scales losses.
--- ```lua
--- pod.optimizers.sgd(0.5, { loss_scale_factor = 4 }):scale_loss(pod.tensor(3)):item()
--- --> 12
--- ```
---@param loss tensor
function optimizer:scale_loss(loss) end

--- Updates done so far: with accumulation, iterations // steps.
--- ```lua
--- pod.optimizers.sgd(0.5):update_count():item()
--- --> 0
--- ```
function optimizer:update_count() end

---@class pod.optimizers.adadelta.options
---@field epsilon? number (1e-07) a small number that is added to what it divides by
---@field rho? number (0.95) how much of the mean of squares stays at each step
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Gradients over the root of the mean of their squares, times that of the updates' squares (Zeiler 2012).
--- ```lua
--- pod.optimizers.adadelta(1).name
--- --> "adadelta"
--- ```
---@param options? pod.optimizers.adadelta.options
---@return optimizer
function pod.optimizers.adadelta(options) end

---@class pod.optimizers.adafactor.options
---@field beta_2_decay? number (-0.8) how fast means of squares come to stay, below 0
---@field clip_threshold? number (1.0) updates larger than this, by the root of their mean of squares, are made as large
---@field epsilon_1? number (1e-30) is added to squares
---@field epsilon_2? number (0.001) the least size of a weight that a step is a part of
---@field relative_step? boolean (true) whether the rate falls as 1 over the root of the step
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Adam with little memory (Shazeer and Stern 2018): of matrices it keeps means of squares by rows and by columns.
--- ```lua
--- pod.optimizers.adafactor(0.01).name
--- --> "adafactor"
--- ```
---@param options? pod.optimizers.adafactor.options
---@return optimizer
function pod.optimizers.adafactor(options) end

---@class pod.optimizers.adagrad.options
---@field epsilon? number (1e-07) a small number that is added to what it divides by
---@field initial_accumulator_value? number (0.1) what sums of squares begin with
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Divides gradients by the root of the sum of all their squares: what is seen seldom moves far.
--- ```lua
--- pod.optimizers.adagrad(0.01).name
--- --> "adagrad"
--- ```
---@param options? pod.optimizers.adagrad.options
---@return optimizer
function pod.optimizers.adagrad(options) end

---@class pod.optimizers.adam.options
---@field amsgrad? boolean (false) whether the largest mean of squares so far is divided by
---@field beta_1? number (0.9) how much of the mean of gradients stays at each step
---@field beta_2? number (0.999) how much of the mean of squares stays at each step
---@field epsilon? number (1e-07) a small number that is added to what it divides by
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Adam (Kingma and Ba 2014): steps of the mean of gradients over the root of the mean of their squares, both moving
--- and corrected for their beginning.
--- ```lua
--- pod.optimizers.adam { learning_rate = 0.01, beta_1 = 0.8 }.name
--- --> "adam"
--- ```
---@param options? pod.optimizers.adam.options
---@return optimizer
function pod.optimizers.adam(options) end

---@class pod.optimizers.adamax.options
---@field beta_1? number (0.9) how much of the mean of gradients stays at each step
---@field beta_2? number (0.999) how much of the mean of squares stays at each step
---@field epsilon? number (1e-07) a small number that is added to what it divides by
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Adam with the largest absolute gradient, which fades, in the place of the mean of squares.
--- ```lua
--- pod.optimizers.adamax(0.002).name
--- --> "adamax"
--- ```
---@param options? pod.optimizers.adamax.options
---@return optimizer
function pod.optimizers.adamax(options) end

---@class pod.optimizers.adamw.options
---@field amsgrad? boolean (false) whether the largest mean of squares so far is divided by
---@field beta_1? number (0.9) how much of the mean of gradients stays at each step
---@field beta_2? number (0.999) how much of the mean of squares stays at each step
---@field epsilon? number (1e-07) a small number that is added to what it divides by
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number (0.004) each step takes this share, times the rate, of the weights away (default: none)

--- Adam with weight decay apart from gradients (Loshchilov and Hutter 2017): 0.004 by default.
--- ```lua
--- pod.optimizers.adamw(0.001, { weight_decay = 0.01 }).config.weight_decay
--- --> 0.01
--- ```
---@param options? pod.optimizers.adamw.options
---@return optimizer
function pod.optimizers.adamw(options) end

--- The constructors of optimizers by their names and those of Keras' classes.
---@type table
pod.optimizers.by_name = nil

---@class pod.optimizers.ftrl.options
---@field beta? number (0.0) is added to the root of sums of squares
---@field initial_accumulator_value? number (0.1) what sums of squares begin with
---@field l1_regularization_strength? number (0.0) factor of absolute values
---@field l2_regularization_strength? number (0.0) factor of squares
---@field l2_shrinkage_regularization_strength? number (0.0) is added to gradients alone
---@field learning_rate_power? number (-0.5) at most 0: how the rate falls; 0 keeps it
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Follow the regularized leader (McMahan et al. 2013): with `l1_regularization_strength` many weights become 0.
--- ```lua
--- pod.optimizers.ftrl(0.01).name
--- --> "ftrl"
--- ```
---@param options? pod.optimizers.ftrl.options
---@return optimizer
function pod.optimizers.ftrl(options) end

--- Finds an optimizer: a name, or an optimizer as it is.
--- ```lua
--- pod.optimizers.get("sgd").name
--- --> "sgd"
--- ```
---@param value any
---@param where any
function pod.optimizers.get(value, where) end

--- Whether a value is an optimizer.
--- ```lua
--- pod.optimizers.is_optimizer(pod.optimizers.sgd())
--- --> true
--- ```
---@param value any
function pod.optimizers.is_optimizer(value) end

---@class pod.optimizers.lamb.options
---@field beta_1? number (0.9) how much of the mean of gradients stays at each step
---@field beta_2? number (0.999) how much of the mean of squares stays at each step
---@field epsilon? number (1e-07) a small number that is added to what it divides by
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Adam whose step is as long as the weight is, times the rate, for each weight (You et al. 2019); for large batches.
--- ```lua
--- pod.optimizers.lamb(0.002).name
--- --> "lamb"
--- ```
---@param options? pod.optimizers.lamb.options
---@return optimizer
function pod.optimizers.lamb(options) end

---@class pod.optimizers.lars.options
---@field eps? number (0.0) is added to what it divides by
---@field momentum? number (0.9) how much of the last update goes into the next
---@field nesterov? boolean (false) whether the gradient is taken ahead, as Nesterov has it
---@field trust_coefficient? number (0.001) the part of a weight's length that a step may go
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Layer-wise adaptive rates (You et al. 2017): momentum whose rate grows with the length of each weight and falls
--- with that of its gradient; for large batches.
--- ```lua
--- pod.optimizers.lars(0.1).name
--- --> "lars"
--- ```
---@param options? pod.optimizers.lars.options
---@return optimizer
function pod.optimizers.lars(options) end

---@class pod.optimizers.lion.options
---@field beta_1? number (0.9) how much of the mean of gradients stays at each step
---@field beta_2? number (0.99) how much of the mean of squares stays at each step
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Steps by the sign of a mean of gradients alone (Chen et al. 2023): one slot a weight. Rates are a third to a tenth
--- of Adam's.
--- ```lua
--- pod.optimizers.lion(1e-4).name
--- --> "lion"
--- ```
---@param options? pod.optimizers.lion.options
---@return optimizer
function pod.optimizers.lion(options) end

---@class pod.optimizers.loss_scale_optimizer.options
---@field dynamic_growth_steps? integer after so many good steps it doubles (default 2000)
---@field initial_scale? number (2) the scale at first (default 2^15)
---@field name? string ("loss_scale_optimizer") what messages and files call it (default: its name)

--- Makes losses of float16 models large while gradients are computed, so that small ones do not vanish. When a gradient
--- is not finite the scale halves and the step is left out. It doubles after dynamic_growth_steps good steps. Options:
--- initial_scale (2^15), dynamic_growth_steps (2000).
--- ```lua
--- pod.optimizers.loss_scale_optimizer(pod.optimizers.sgd()).dynamic_scale:value():item()
--- --> 32768
--- ```
---@param inner any
---@param options? pod.optimizers.loss_scale_optimizer.options
---@return optimizer
function pod.optimizers.loss_scale_optimizer(inner, options) end

---@class pod.optimizers.nadam.options
---@field beta_1? number (0.9) how much of the mean of gradients stays at each step
---@field beta_2? number (0.999) how much of the mean of squares stays at each step
---@field epsilon? number (1e-07) a small number that is added to what it divides by
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Adam with Nesterov's momentum (Dozat 2016).
--- ```lua
--- pod.optimizers.nadam(0.002).name
--- --> "nadam"
--- ```
---@param options? pod.optimizers.nadam.options
---@return optimizer
function pod.optimizers.nadam(options) end

---@class pod.optimizers.rmsprop.options
---@field centered? boolean (false) whether the variance, not the mean of squares, is divided by
---@field epsilon? number (1e-07) a small number that is added to what it divides by
---@field momentum? number (0.0) how much of the last update goes into the next
---@field rho? number (0.9) how much of the mean of squares stays at each step
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Divides gradients by the root of a moving mean of their squares.
--- ```lua
--- pod.optimizers.rmsprop(0.001).name
--- --> "rmsprop"
--- ```
---@param options? pod.optimizers.rmsprop.options
---@return optimizer
function pod.optimizers.rmsprop(options) end

---@class pod.optimizers.sgd.options
---@field momentum? number (0.0) how much of the last update goes into the next
---@field nesterov? boolean (false) whether the gradient is taken ahead, as Nesterov has it
---@field clipnorm? number gradients longer than this are made as long, each by itself
---@field clipvalue? number each entry of a gradient is kept within minus this and this
---@field ema_momentum? number how much of an average stays at each step (default 0.99)
---@field ema_overwrite_frequency? integer after how many steps the averages are put into the weights
---@field global_clipnorm? number gradients that are together longer than this are made as long; one of the three clips only
---@field gradient_accumulation_steps? integer how many steps' gradients are averaged for one update, from 2 on
---@field learning_rate? number|schedule|function (0.01) how far a step goes (default 0.001)
---@field loss_scale_factor? number what the loss is multiplied by before gradients are taken, and they divided by
---@field name? string what messages and files call it (default: its name)
---@field use_ema? boolean whether moving averages of the weights are kept; `fit` puts them into the weights at its end (default false)
---@field weight_decay? number each step takes this share, times the rate, of the weights away (default: none)

--- Gradient descent: `w - rate g`, with momentum `v = momentum v - rate g; w + v`. Its learning rate is 0.01 by
--- default.
--- ```lua
--- pod.optimizers.sgd(0.1, { momentum = 0.9 }).name
--- --> "sgd"
--- ```
---@param options? pod.optimizers.sgd.options
---@return optimizer
function pod.optimizers.sgd(options) end

--- The constructors of schedules by the names of Keras' classes.
---@type table
pod.schedules.by_class = nil

---@class pod.schedules.cosine_decay.options
---@field initial_learning_rate? number the rate of step 0
---@field decay_steps? integer over how many steps it falls once
---@field alpha? number (0.0) the lowest rate, as a part of the highest
---@field warmup_steps? integer (0) over how many steps it rises before
---@field warmup_target? number|false (false) the rate that the warm-up ends at; false: there is none

--- Falls along half a cosine in `decay_steps` steps to `alpha` of the rate (Loshchilov and Hutter 2016), after a linear
--- rise to `warmup_target`, if that is given.
--- ```lua
--- pod.schedules.cosine_decay(0.1, 10)(5)
--- --> 0.05
--- ```
---@param initial_learning_rate number the rate of step 0
---@param decay_steps integer over how many steps it falls once
---@param options? pod.schedules.cosine_decay.options
---@return schedule
function pod.schedules.cosine_decay(initial_learning_rate, decay_steps, options) end

---@class pod.schedules.cosine_decay_restarts.options
---@field initial_learning_rate? number the rate of step 0
---@field first_decay_steps? integer over how many steps it falls the first time
---@field alpha? number (0.0) the lowest rate, as a part of the highest
---@field m_mul? number (1.0) how many times higher it begins
---@field t_mul? number (2.0) how many times longer each turn is than the one before

--- Falls along half a cosine again and again.
--- ```lua
--- pod.schedules.cosine_decay_restarts(0.1, 10)(0)
--- --> 0.1
--- ```
---@param initial_learning_rate number the rate of step 0
---@param first_decay_steps integer over how many steps it falls the first time
---@param options? pod.schedules.cosine_decay_restarts.options
---@return schedule
function pod.schedules.cosine_decay_restarts(initial_learning_rate, first_decay_steps, options) end

---@class pod.schedules.exponential_decay.options
---@field initial_learning_rate? number the rate of step 0
---@field decay_steps? integer over how many steps it falls once
---@field decay_rate? number what it falls by
---@field staircase? boolean (false) whether it falls in steps, not smoothly

--- `initial_learning_rate decay_rate^(step / decay_steps)`.
--- ```lua
--- pod.schedules.exponential_decay(0.1, 10, 0.5)(20)
--- --> 0.025
--- ```
---@param initial_learning_rate number the rate of step 0
---@param decay_steps integer over how many steps it falls once
---@param decay_rate number what it falls by
---@param options? pod.schedules.exponential_decay.options
---@return schedule
function pod.schedules.exponential_decay(initial_learning_rate, decay_steps, decay_rate, options) end

---@class pod.schedules.inverse_time_decay.options
---@field initial_learning_rate? number the rate of step 0
---@field decay_steps? integer over how many steps it falls once
---@field decay_rate? number what it falls by
---@field staircase? boolean (false) whether it falls in steps, not smoothly

--- `initial_learning_rate / (1 + decay_rate step / decay_steps)`.
--- ```lua
--- pod.schedules.inverse_time_decay(0.1, 10, 1)(10)
--- --> 0.05
--- ```
---@param initial_learning_rate number the rate of step 0
---@param decay_steps integer over how many steps it falls once
---@param decay_rate number what it falls by
---@param options? pod.schedules.inverse_time_decay.options
---@return schedule
function pod.schedules.inverse_time_decay(initial_learning_rate, decay_steps, decay_rate, options) end

--- Whether a value is a schedule.
--- ```lua
--- pod.schedules.is_schedule(0.1)
--- --> false
--- ```
---@param value any
function pod.schedules.is_schedule(value) end

---@class pod.schedules.linear_scale.options
---@field base_learning_rate? number the rate for `base_batch` rows
---@field base_batch? integer the rows of the batch that the base rate is for
---@field batch? integer the rows of a global batch
---@field warmup_steps? integer (0) over how many steps it rises before

--- The rate grows with the batch (Goyal et al. 2017): `base_learning_rate batch / base_batch`, after a linear rise from
--- `base_learning_rate` over `warmup_steps` steps.
--- ```lua
--- pod.schedules.linear_scale(0.1, 256, 1024)(0)
--- --> 0.4
--- ```
---@param base_learning_rate number the rate for `base_batch` rows
---@param base_batch integer the rows of the batch that the base rate is for
---@param batch integer the rows of a global batch
---@param options? pod.schedules.linear_scale.options
---@return schedule
function pod.schedules.linear_scale(base_learning_rate, base_batch, batch, options) end

---@class pod.schedules.piecewise_constant_decay.options
---@field boundaries? integer[] the last steps of the pieces
---@field values? number[] their rates

--- `values[1]` up to step `boundaries[1]`, then `values[2]`, and so on; there is one value more than boundaries.
--- ```lua
--- pod.schedules.piecewise_constant_decay({ 5 }, { 0.1, 0.01 })(6)
--- --> 0.01
--- ```
---@param boundaries integer[] the last steps of the pieces
---@param values number[] their rates
---@return schedule
function pod.schedules.piecewise_constant_decay(boundaries, values) end

---@class pod.schedules.polynomial_decay.options
---@field initial_learning_rate? number the rate of step 0
---@field decay_steps? integer over how many steps it falls once
---@field cycle? boolean (false) whether it begins anew, each time over as many steps more
---@field end_learning_rate? number (0.0001) the rate at the end
---@field power? number (1.0) 1 is a line

--- Falls from `initial_learning_rate` to `end_learning_rate` in `decay_steps` steps, as a power of the rest of the way.
--- ```lua
--- pod.schedules.polynomial_decay(0.1, 10, { end_learning_rate = 0 })(5)
--- --> 0.05
--- ```
---@param initial_learning_rate number the rate of step 0
---@param decay_steps integer over how many steps it falls once
---@param options? pod.schedules.polynomial_decay.options
---@return schedule
function pod.schedules.polynomial_decay(initial_learning_rate, decay_steps, options) end

--- What it was made with, as plain data.
--- ```lua
--- pod.schedules.cosine_decay(0.1, 10):get_config().decay_steps
--- --> 10
--- ```
function schedule:get_config() end

---@class pod.callbacks.backup_and_restore.options
---@field backup_dir? string a folder for nothing else
---@field delete_checkpoint? boolean (true) whether nothing stays of a run that came to its end
---@field double_checkpoint? boolean (false) whether the state before the last one is kept, too
---@field save_freq? "epoch"|integer|false ("epoch") after each epoch, after so many batches, or only where it is interrupted

--- Keeps all that a run needs to go on where it was, should it end before its time, and goes on there. Kept are
--- weights, optimizer, random numbers, the position in the data, metrics, the history, and what callbacks keep. The run
--- that goes on ends with the bits of one that was never stopped.
--- ```lua
--- pod.callbacks.backup_and_restore("build/backup").save_freq
--- --> "epoch"
--- ```
---@param backup_dir? string a folder for nothing else
---@param options? pod.callbacks.backup_and_restore.options
---@return callback
function pod.callbacks.backup_and_restore(backup_dir, options) end

---@class pod.callbacks.csv_logger.options
---@field filename? string the file
---@field append? boolean (false) whether lines are added to a file that is there
---@field separator? string (",") one character

--- Writes the logs of each epoch as a line of a file, as Keras' does.
--- ```lua
--- pod.callbacks.csv_logger("log.csv").separator
--- --> ","
--- ```
---@param filename? string the file
---@param options? pod.callbacks.csv_logger.options
---@return callback
function pod.callbacks.csv_logger(filename, options) end

---@class pod.callbacks.early_stopping.options
---@field monitor? string ("val_loss") the log that is watched, as "loss" or "val_accuracy"
---@field baseline? number what it must become better than
---@field min_delta? number (0) what is better by less counts for nothing
---@field mode? "auto"|"min"|"max" ("auto") whether smaller or larger is better; "auto" knows by the metric
---@field patience? integer (0) how many epochs may pass without becoming better
---@field restore_best_weights? boolean (false) whether the weights of the best epoch are put back
---@field start_from_epoch? integer (0) epochs before this one are not looked at
---@field verbose? integer (0) 0: silent; 1: says what it does

--- Ends training when a value has stopped to become better. Fields after: `stopped_epoch`, `best`, `best_epoch`.
--- ```lua
--- pod.callbacks.early_stopping { monitor = "loss", patience = 3 }.patience
--- --> 3
--- ```
---@param monitor? string the log that is watched, as "loss" or "val_accuracy"
---@param options? pod.callbacks.early_stopping.options
---@return callback
function pod.callbacks.early_stopping(monitor, options) end

--- Keeps the logs of all epochs: `model:fit` returns one, whose `history` is a table of lists by name, and `epoch` a
--- list. Beside them, for each epoch: `seconds` since the training began, and `samples`, the rows trained on so far.
--- Rows count as in the mean of the loss: a `train_step` of one's own that tracks none has none. `steps_per_execution`
--- is how many steps ran at once at last: what "auto" chose.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse", steps_per_execution = "auto" }
--- local history = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { epochs = 2, verbose = 0 })
--- assert(history.samples[2] == 16 and history.seconds[2] >= history.seconds[1])
--- assert(history.steps_per_execution >= 1)
--- ```
---@param first any
---@param options any
---@return callback
function pod.callbacks.history(first, options) end

--- Whether a value is an instance of a class of callbacks.
--- ```lua
--- pod.callbacks.is_callback(pod.callbacks.history())
--- --> true
--- ```
---@param value any
function pod.callbacks.is_callback(value) end

---@class pod.callbacks.json_logger.options
---@field fields? table what stands in every line besides, as { run = "a7" }
---@field filename? string the file
---@field level? "debug"|"info"|"warning"|"error" what is less is not written; "debug" has each batch

--- Writes what happens in a training as lines of JSON, behind those that are there: that it begins, each epoch with its
--- logs, warnings meanwhile, that it ends or was broken off. `:write(level, message, fields)` adds a line of one's own.
--- ```lua
--- pod.callbacks.json_logger("run.jsonl").level
--- --> "info"
--- ```
---@param ... any
---@return callback
function pod.callbacks.json_logger(...) end

--- A callback from a table of functions, which get what hooks get but for the callback itself. Names that are no hook
--- are refused.
--- ```lua
--- pod.callbacks.lambda { on_epoch_end = function(epoch, logs) print(epoch, logs.loss) end }.name
--- --> "lambda"
--- ```
---@param given table functions by the names of hooks
---@return callback
function pod.callbacks.lambda(given) end

---@class pod.callbacks.learning_rate_scheduler.options
---@field schedule? function of the epoch, from 0, and the rate before
---@field verbose? integer (0) 0: silent; 1: says what it does

--- Sets the learning rate of each epoch: `schedule(epoch, rate)` returns it.
--- ```lua
--- pod.callbacks.learning_rate_scheduler(function(epoch, rate) return rate * 0.9 end).verbose
--- --> 0
--- ```
---@param schedule? function of the epoch, from 0, and the rate before
---@param options? pod.callbacks.learning_rate_scheduler.options
---@return callback
function pod.callbacks.learning_rate_scheduler(schedule, options) end

---@class pod.callbacks.model_checkpoint.options
---@field filepath? string with epoch and logs as Python writes them: "run/{epoch:02d}-{val_loss:.2f}.safetensors"
---@field initial_value_threshold? number what the first must be better than
---@field max_to_keep? integer only the last so many of its files stay
---@field mode? "auto"|"min"|"max" ("auto") whether smaller or larger is better; "auto" knows by the metric
---@field monitor? string ("val_loss") the log that is watched, as "loss" or "val_accuracy"
---@field save_best_only? boolean (false) whether only what is better than all before is saved
---@field save_freq? "epoch"|integer ("epoch") after each epoch, or after so many batches
---@field save_weights_only? boolean (false) whether weights are saved, not models
---@field verbose? integer (0) 0: silent; 1: says what it does

--- Saves the model, or its weights, while it is trained. The folder is made where it is not there. With `verbose = 0`
--- training goes on while a thread writes the file, if it ends in `.safetensors`.
--- ```lua
--- pod.callbacks.model_checkpoint("run/{epoch:02d}.safetensors").monitor
--- --> "val_loss"
--- ```
---@param filepath? string with epoch and logs as Python writes them: "run/{epoch:02d}-{val_loss:.2f}.safetensors"
---@param options? pod.callbacks.model_checkpoint.options
---@return callback
function pod.callbacks.model_checkpoint(filepath, options) end

--- Names of all callbacks, sorted.
--- ```lua
--- pod.callbacks.names()[1]
--- --> "backup_and_restore"
--- ```
function pod.callbacks.names() end

---@class pod.callbacks.progress.options
---@field verbose? integer 1: a bar; 2: a line an epoch

--- Prints a line for each epoch, with a bar on a terminal. `fit` adds one unless `verbose` is 0.
--- ```lua
--- pod.callbacks.progress(2).name
--- --> "progress"
--- ```
---@param verbose? integer 1: a bar; 2: a line an epoch
---@return callback
function pod.callbacks.progress(verbose) end

---@class pod.callbacks.reduce_lr_on_plateau.options
---@field monitor? string ("val_loss") the log that is watched, as "loss" or "val_accuracy"
---@field cooldown? integer (0) how many epochs pass before it looks again
---@field factor? number (0.1) below 1
---@field min_delta? number (0.0001) what is better by less counts for nothing
---@field min_lr? number (0) the lowest rate
---@field mode? "auto"|"min"|"max" ("auto") whether smaller or larger is better; "auto" knows by the metric
---@field patience? integer (10) how many epochs may pass without becoming better
---@field verbose? integer (0) 0: silent; 1: says what it does

--- Multiplies the learning rate by a factor when a value has stopped to become better.
--- ```lua
--- pod.callbacks.reduce_lr_on_plateau { factor = 0.5 }.factor
--- --> 0.5
--- ```
---@param monitor? string the log that is watched, as "loss" or "val_accuracy"
---@param options? pod.callbacks.reduce_lr_on_plateau.options
---@return callback
function pod.callbacks.reduce_lr_on_plateau(monitor, options) end

--- Makes a class from a table of hooks and other methods: `setup(self, ...)` gets what the class is called with, `name`
--- is what errors call it, `state` names the fields that a resumed run needs.
--- ```lua
--- local Count = pod.callbacks.subclass {
---   setup = function(self)
---     self.epochs = 0
---   end,
---   on_epoch_end = function(self)
---     self.epochs = self.epochs + 1
---   end,
--- }
--- assert(Count().epochs == 0)
--- ```
---@param methods any
function pod.callbacks.subclass(methods) end

---@class pod.callbacks.swap_ema_weights.options
---@field swap_on_epoch? boolean (false) whether they stand in the model from the end of an epoch to the next one's begin, so that callbacks behind this one save them

--- Evaluates and predicts with the averages of the weights that an optimizer with `use_ema = true` keeps.
--- ```lua
--- pod.callbacks.swap_ema_weights().swap_on_epoch
--- --> false
--- ```
---@param first any
---@param options? pod.callbacks.swap_ema_weights.options
---@return callback
function pod.callbacks.swap_ema_weights(first, options) end

---@class pod.callbacks.tensorboard.options
---@field log_dir? string ("logs") the folder of the run
---@field embeddings_freq? integer (0) after how many epochs embeddings are written; 0: never
---@field embeddings_metadata? string|table a file of labels, or files by layers' names
---@field gradients? table { x, y, sample_weight }: a batch whose gradients' histograms are written with those of the weights
---@field histogram_freq? integer (0) after how many epochs histograms of weights are written; 0: never
---@field profile_batch? integer (0) 0; `fit` has the option `profile_batch`
---@field update_freq? "epoch"|"batch"|integer ("epoch") after what losses and metrics are written: an epoch, or so many executions
---@field write_graph? boolean (true) whether the model is written
---@field write_images? boolean (false) whether weights are written as pictures
---@field write_steps_per_second? boolean (false) whether steps a second are written

--- Writes what TensorBoard shows of a run, under Keras' tags: `log_dir/train` and `log_dir/validation`.
--- ```lua
--- pod.callbacks.tensorboard("logs").update_freq
--- --> "epoch"
--- ```
---@param log_dir? string the folder of the run
---@param options? pod.callbacks.tensorboard.options
---@return callback
function pod.callbacks.tensorboard(log_dir, options) end

---@class pod.callbacks.terminate_on_nan.options
---@field raise_error? boolean (false) whether it ends by an error, not cleanly

--- Ends training where the loss is NaN or infinite.
--- ```lua
--- pod.callbacks.terminate_on_nan().raise_error
--- --> false
--- ```
---@param first any
---@param options? pod.callbacks.terminate_on_nan.options
---@return callback
function pod.callbacks.terminate_on_nan(first, options) end

---@class dataset.batch.options
---@field deterministic? boolean whether elements keep their order (default true)
---@field drop_remainder? boolean whether a last batch that is short is left out
---@field num_parallel_calls? integer how many threads do it; `pod.data.AUTOTUNE` finds a number

--- Stacks n elements along a new first axis. Options: drop_remainder leaves out a last batch that is short.
--- ```lua
--- pod.data.range(5):batch(2):totable()[3]
--- --> { 4 }
--- ```
---@param size any
---@param options? dataset.batch.options
function dataset:batch(size, options) end

---@class dataset.bench.options
---@field seconds? number (1) how long at most (default 1)

--- Takes `steps` elements (1000) as fast as they come and tells what each stage did, as stats() does. Options:
--- seconds (1 at most).
--- ```lua
--- type(pod.data.range(4):bench(4))
--- --> "table"
--- ```
---@param steps any
---@param options? dataset.bench.options
function dataset:bench(steps, options) end

---@class dataset.bucket_by_sequence_length.options
---@field bucket_batch_sizes? integer[] rows of a batch of each bucket, one more than boundaries
---@field bucket_boundaries? integer[] lengths that the buckets are below
---@field drop_remainder? boolean whether a last batch that is short is left out
---@field element_length_func? function of an element: its length
---@field pad_to_bucket_boundary? boolean whether rows are as long as the boundary, not as the longest
---@field padded_shapes? table the shape that elements get, or a structure of them; -1: as large as the largest
---@field padding_values? number|table what stands in places that are added (default 0)

--- Batches elements of similar length. Options as tf.data's: element_length_func, bucket_boundaries,
--- bucket_batch_sizes, padded_shapes, padding_values, pad_to_bucket_boundary, drop_remainder.
--- ```lua
--- local ds = pod.data.range(1, 5):map(function(n) return n == 1 and { 7 } or { 1, 2, 3 } end, { interpret = true })
--- ds = ds:bucket_by_sequence_length { element_length_func = function(x) return x.shape[1] end,
---   bucket_boundaries = { 2 }, bucket_batch_sizes = { 1, 3 } }
--- for batch in ds:iter() do
---   assert(batch.shape[1] == (batch.shape[2] == 1 and 1 or 3)) -- one short row, three long ones
--- end
--- ```
---@param options? dataset.bucket_by_sequence_length.options
function dataset:bucket_by_sequence_length(options) end

--- Keeps the elements of the first whole pass in host memory, or in a file, which later processes read as well. What is
--- mapped before is computed in that pass alone. Datasets of `pod.datasets` stay what they are stored as, bytes mostly.
--- Options for files: compression ("gzip").
--- ```lua
--- pod.data.range(5):cache():cardinality()
--- --> 5
--- ```
---@param path any
---@param options any
function dataset:cache(path, options) end

--- The number of elements; pod.data.INFINITE (-1) or pod.data.UNKNOWN (-2).
--- ```lua
--- pod.data.range(5):cardinality()
--- --> 5
--- ```
function dataset:cardinality() end

--- The elements of other datasets behind these.
--- ```lua
--- pod.data.range(2):concatenate(pod.data.range(3)):cardinality()
--- --> 5
--- ```
---@param ... any
function dataset:concatenate(...) end

--- Makes an element of raw components (as raw() gives them, in their flat order): applies the functions
--- that wait, in the trace that is open, and builds the element's structure. Returns the element's values.
--- ```lua
--- local ds = pod.data.range(4):batch(2):map(function(x) return x * 10 end)
--- local it = ds:raw():iterator()
--- assert(ds:decode(it:next()):totable()[2] == 10)
--- ```
---@param ... any
function dataset:decode(...) end

--- Gives the elements as global batches to the replicas of a strategy.
--- ```lua
--- pod.data.range(4):batch(2):distribute(pod.distribute.mirrored(2)) ~= nil
--- --> true
--- ```
---@param strategy any
function dataset:distribute(strategy) end

--- What an element looks like: specs in the place of tensors. Sizes of -1 may differ from element to element.
--- ```lua
--- pod.data.from_tensor_slices(pod.ones { 4, 3 }):element_spec()
--- --> spec(float32 (3,))
--- ```
function dataset:element_spec() end

--- Pairs of a number, from `start` on, and the element.
--- ```lua
--- pod.data.from_tensors({ 5 }):enumerate():cardinality()
--- --> 1
--- ```
---@param start any
function dataset:enumerate(start) end

---@class dataset.filter.options
---@field deterministic? boolean whether elements keep their order (default true)
---@field num_parallel_calls? integer how many threads do it; `pod.data.AUTOTUNE` finds a number

--- Keeps the elements for which fn returns true, a bool scalar. Options: num_parallel_calls, deterministic.
--- ```lua
--- pod.data.range(5):filter(function(x) return pod.greater(x, 2) end):batch(5):totable()[1]
--- --> { 3, 4 }
--- ```
---@param fn any
---@param options? dataset.filter.options
function dataset:filter(fn, options) end

--- The elements of the datasets that fn makes of elements, one dataset after the other.
--- ```lua
--- local ds = pod.data.range(3):flat_map(function(x)
---   return pod.data.from_tensors(x):repeat_(2)
--- end)
--- assert(#ds:totable() == 6)
--- ```
---@param fn any
function dataset:flat_map(fn) end

--- Calls fn(state, element values...) for each element, with what it returned before; returns the last state.
--- ```lua
--- pod.data.range(4):fold(0, function(sum, x) return sum + x:item() end)
--- --> 6
--- ```
---@param initial? anything
---@param fn function
function dataset:fold(initial, fn) end

---@class dataset.group_by_window.options
---@field key? function of an element: an integer
---@field reduce? function of a key and the dataset of a window, which makes a dataset
---@field window_size? integer|function how many elements, or a function of the key

--- Gathers elements by their key, an integer; reduce(key, dataset of a window) makes a dataset of each full window,
--- and of what is left at the end, smallest keys first. Options: key (function of an element), reduce, window_size
--- (a number or a function of the key).
--- ```lua
--- local ds = pod.data.range(6):group_by_window { key = function(x) return x % 2 end, window_size = 3,
---   reduce = function(_, window) return window:batch(3) end }
--- assert(table.concat(ds:iterator():next():totable(), " ") == "0 2 4") -- then the odd ones
--- ```
---@param options? dataset.group_by_window.options
function dataset:group_by_window(options) end

--- Estimated bytes that an iterator holds besides its sources; nil when sizes are not known.
--- ```lua
--- pod.data.range(4):batch(2):host_bytes()
--- --> 16
--- ```
function dataset:host_bytes() end

---@class dataset.interleave.options
---@field block_length? integer (1) elements a turn
---@field cycle_length? integer (4) how many datasets at once
---@field deterministic? boolean whether elements keep their order (default true)
---@field num_parallel_calls? integer how many threads do it; `pod.data.AUTOTUNE` finds a number

--- The elements of the datasets that fn makes of elements, in turns. Options: cycle_length (datasets at once),
--- block_length (elements a turn), num_parallel_calls (datasets that are read ahead, each by a thread; AUTOTUNE),
--- deterministic = false (a turn passes over datasets that would have to be waited for). What fn makes is found out
--- from the first element.
--- ```lua
--- local ds = pod.data.range(2):interleave(function(x)
---   return pod.data.from_tensors(x):repeat_(2)
--- end, { cycle_length = 2 })
--- assert(#ds:totable() == 4)
--- ```
---@param fn any
---@param options? dataset.interleave.options
function dataset:interleave(fn, options) end

--- for x, y in ds:iter() do ... end. The iterator, which comes second, is closed when it is collected, or by close().
--- There is no closing value for the loop: Lua 5.4.0 to 5.4.5 confuse their stack where such a loop is left by break.
--- ```lua
--- local sum = 0
--- for x in pod.data.range(4):iter() do
---   sum = sum + x:item()
--- end
--- assert(sum == 6)
--- ```
---@param options? table
function dataset:iter(options) end

---@class dataset.iterator.options
---@field at_marks? boolean whether the parts are of elements, where `shard(SHARD_HINT, SHARD_HINT)` stands
---@field epoch? integer the number of the pass, from 1 (default: one more than those that began before)
---@field file_shard? integer which host's part of the files
---@field file_shards? integer of how many hosts
---@field no_threads? boolean whether nothing is prepared ahead
---@field repetition? integer passes within it that came before
---@field skip? integer elements to pass over

--- An iterator: it:next(), it:has_next(), it:rewind(), it:peek_spec(), it:infeed(), it:stats(), it:cancel(),
--- it:close(), it:state() and it:restore(bytes), it:save(path) and it:load(path). Shuffles and random
--- numbers depend on `epoch`.
--- `convert`, if given, is applied to each
--- element.
--- ```lua
--- pod.data.range(3):iterator():next():item()
--- --> 0
--- ```
---@param options? dataset.iterator.options
---@param convert? function
---@param options? dataset.iterator.options
---@return iterator
function dataset:iterator(options, convert, options) end

--- Advice about the order of stages: an array of texts.
--- ```lua
--- #pod.data.range(5):batch(2):lint() >= 0
--- --> true
--- ```
function dataset:lint() end

---@class dataset.map.options
---@field defer? boolean false: applies it here, not behind stages that follow
---@field deterministic? boolean whether elements keep their order (default true)
---@field interpret? boolean whether `fn` runs as Lua on Lua values
---@field num_parallel_calls? integer how many threads do it; `pod.data.AUTOTUNE` finds a number
---@field output_signature? table specs of what `fn` returns, with `interpret`
---@field seed? integer makes what is drawn the same each time

--- Applies fn to each element. It is traced once, with the types of an element, and waits until it can be applied to
--- whole batches where that changes nothing. On several threads elements keep their order unless deterministic is
--- false. pod.random in fn draws anew for each element and pass, by the option seed. Of strings fn gets stand-ins,
--- which pod.data.read_file and pod.image.decode_png and the like take.
--- ```lua
--- pod.data.range(3):map(function(x) return x * 2 end):batch(3):totable()[1]
--- --> { 0, 2, 4 }
--- ```
---@param fn any
---@param options? dataset.map.options
function dataset:map(fn, options) end

--- Applies fn to whole batches: what map does behind batch, by name.
--- ```lua
--- pod.data.range(4):batch(2):map_batched(function(x) return x + 1 end):totable()[1]
--- --> { 1, 2 }
--- ```
---@param fn any
---@param options any
function dataset:map_batched(fn, options) end

---@class dataset.move_to_device.options
---@field seed? integer makes what is drawn the same each time

--- As map, but fn runs as part of the step that takes the elements (fit, evaluate, predict, decode()), on its cores:
--- what travels is what fn gets, bytes if it casts bytes. Stages that would need fn's results on the host are refused;
--- loops in Lua get them as they do of a map. Options: seed.
--- ```lua
--- pod.data.range(4):move_to_device(function(x) return x + 1 end):cardinality()
--- --> 4
--- ```
---@param fn any
---@param options? dataset.move_to_device.options
function dataset:move_to_device(fn, options) end

--- dataset:options { name = value, ... } gives a dataset with them; dataset:options() a table of those it has.
--- ```lua
--- pod.data.range(4):options() ~= nil
--- --> true
--- ```
---@param given? table
function dataset:options(given) end

---@class dataset.padded_batch.options
---@field drop_remainder? boolean whether a last batch that is short is left out
---@field padded_shapes? table the shape that elements get, or a structure of them; -1: as large as the largest
---@field padding_values? number|table what stands in places that are added (default 0)

--- Stacks elements of different sizes, filled up at the end of each axis. Options: padded_shapes (a shape, or a
--- structure of them like an element; -1: as large as the largest), padding_values, drop_remainder.
--- ```lua
--- local ds = pod.data.range(1, 3):map(function(n) return n == 1 and { 7 } or { 1, 2, 3 } end, { interpret = true })
--- assert(ds:padded_batch(2):iterator():next():totable()[1][3] == 0) -- zeros stand behind what is shorter
--- ```
---@param size any
---@param options? dataset.padded_batch.options
function dataset:padded_batch(size, options) end

---@class dataset.parse_example.options
---@field deterministic? boolean whether elements keep their order (default true)
---@field num_parallel_calls? integer how many threads do it; `pod.data.AUTOTUNE` finds a number

--- Parses elements that are records of tf.train.Example. features: a table by name of pod.spec(shape, dtype), or {
--- shape =, dtype =, default = }; dtype "text" is a string. To decode a picture: { image = "png" ("jpeg", "any"), shape
--- =, ... }, with the options of pod.image.decode_png. Options: num_parallel_calls, deterministic.
--- ```lua
--- local record = "\10\13\10\11\10\1a\18\6\26\4\10\2\3\5" -- a tf.train.Example with a = 3, 5
--- local ds = pod.data.from_texts({ record }):parse_example { a = pod.spec({ 2 }, "int64") }
--- assert(ds:iterator():next().a:totable()[2] == 5)
--- ```
---@param features any
---@param options? dataset.parse_example.options
function dataset:parse_example(features, options) end

--- Runs through the elements once, now, and keeps them in memory as one block a component: later stages only choose and
--- copy rows of it. Functions that wait go on waiting: bytes stay bytes. Where the number of elements is not known
--- before, as of CSV files, it runs through them once more, to count them.
--- ```lua
--- pod.data.range(5):pin():cardinality()
--- --> 5
--- ```
function dataset:pin() end

--- Prepares n elements ahead on a thread of its own; pod.data.AUTOTUNE finds n.
--- ```lua
--- pod.data.range(5):batch(2):prefetch(1):cardinality()
--- --> 3
--- ```
---@param count any
function dataset:prefetch(count) end

--- The dataset without the functions that wait: its elements are raw components.
--- ```lua
--- pod.data.range(4):raw():cardinality()
--- --> 4
--- ```
function dataset:raw() end

--- fn(state, element values...) returns the new state: gives the last one. fn is compiled.
--- ```lua
--- pod.data.range(4):reduce(0, function(sum, x) return sum + x end):item()
--- --> 6
--- ```
---@param initial any
---@param fn function
function dataset:reduce(initial, fn) end

--- Passes over the elements n times; without n for ever.
--- ```lua
--- pod.data.range(2):repeat_(3):cardinality()
--- --> 6
--- ```
---@param count any
function dataset:repeat_(count) end

dataset.rep = dataset.repeat_

--- Writes the elements to a file, for pod.data.load(path). Options: compression ("gzip").
--- ```lua
--- local path = os.tmpname()
--- pod.data.range(3):save(path)
--- assert(pod.data.load(path):cardinality() == 3)
--- os.remove(path)
--- ```
---@param path any
---@param options any
function dataset:save(path, options) end

--- fn(state, element values...) returns the new state and a result: gives the results.
--- ```lua
--- local sums = pod.data.range(3):scan(0, function(sum, x)
---   return sum + x, sum + x
--- end)
--- assert(sums:batch(3):totable()[1][3] == 3)
--- ```
---@param initial any
---@param fn function
function dataset:scan(initial, fn) end

--- Element i where i mod n is index. shard(pod.data.SHARD_HINT, pod.data.SHARD_HINT): what is a host's, with
--- options { auto_shard = "HINT" }.
--- ```lua
--- pod.data.range(5):shard(2, 0):batch(3):totable()[1]
--- --> { 0, 2, 4 }
--- ```
---@param count any
---@param index any
function dataset:shard(count, index) end

---@class dataset.shuffle.options
---@field reshuffle_each_iteration? boolean whether each pass has another order (default true)
---@field seed? integer makes what is drawn the same each time

--- Draws elements from a buffer that the next ones fill (as tf.data). Options: seed, reshuffle_each_iteration (true).
--- ```lua
--- pod.data.range(5):shuffle(5, { seed = 1 }):cardinality()
--- --> 5
--- ```
---@param buffer_size any
---@param options? dataset.shuffle.options
function dataset:shuffle(buffer_size, options) end

--- All but the first n elements, or none where n is -1.
--- ```lua
--- pod.data.range(5):skip(2):cardinality()
--- --> 3
--- ```
---@param count any
function dataset:skip(count) end

--- A cache in a file of a directory; another one when the stages before are others. Options: compression ("gzip").
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- local ds = pod.data.range(3):snapshot(folder)
--- assert(#ds:totable() == 3 and #ds:totable() == 3) -- the second time from the file
--- ```
---@param directory any
---@param options any
function dataset:snapshot(directory, options) end

--- The names of the stages of the core, first to last.
--- ```lua
--- pod.data.range(4):batch(2):stages()
--- --> { "range", "batch" }
--- ```
function dataset:stages() end

--- What each stage did in the iterator that was opened last over this dataset (by a loop, fit, ...): see
--- moonpod.data.measure.
--- ```lua
--- local ds = pod.data.range(4):batch(2)
--- for _ in ds:iter() do end
--- assert(ds:stats()[2].elements == 2)
--- ```
function dataset:stats() end

--- The first n elements, or all where n is -1.
--- ```lua
--- pod.data.range(5):take(2):cardinality()
--- --> 2
--- ```
---@param count any
function dataset:take(count) end

--- All elements as an array, or the first `limit`: tensors as nested Lua tables. For small datasets and tests.
--- ```lua
--- #pod.data.range(3):totable()
--- --> 3
--- ```
---@param limit? integer
function dataset:totable(limit) end

--- The rows of batches as elements.
--- ```lua
--- pod.data.range(4):batch(2):unbatch():cardinality()
--- --> 4
--- ```
function dataset:unbatch() end

---@class dataset.window.options
---@field drop_remainder? boolean whether a last batch that is short is left out
---@field shift? integer how far windows are apart (default: `size`)
---@field stride? integer (1) how far elements of a window are apart

--- Windows of elements: each is a dataset. Options: shift (size), stride (1), drop_remainder.
--- ```lua
--- pod.data.range(4):window(2):cardinality()
--- --> 2
--- ```
---@param size any
---@param options? dataset.window.options
function dataset:window(size, options) end

--- Makes a waiting next() raise; a rewind takes it back.
--- ```lua
--- local it = pod.data.range(3):iterator()
--- it:cancel()
--- assert(not pcall(it.next, it))
--- it:rewind()
--- assert(it:next():item() == 0)
--- ```
function iterator:cancel() end

--- Ends the threads and gives the memory back; may be called twice.
--- ```lua
--- local it = pod.data.range(3):iterator()
--- it:close()
--- assert(not pcall(it.next, it))
--- ```
function iterator:close() end

--- What a message of a step that failed says of the element that it took last: which one it was and, where one of the
--- dataset's own functions failed in it, at which stage and row. These run as part of the step; to find out they are
--- applied anew.
--- ```lua
--- local it = pod.data.range(3):iterator()
--- it:next()
--- assert(it:explain("no luck") == "element 0 of the dataset: no luck")
--- ```
---@param message any
function iterator:explain(message) end

--- Whether there is another element; makes it where it is not made yet.
--- ```lua
--- pod.data.range(3):iterator():has_next()
--- --> true
--- ```
function iterator:has_next() end

--- A userdata that gives programs their input.
--- ```lua
--- type(pod.data.range(3):iterator():infeed())
--- --> "userdata"
--- ```
function iterator:infeed() end

--- Goes on where Iterator:save() wrote that another iterator stood.
--- ```lua
--- local path = os.tmpname()
--- local first, second = pod.data.range(3):iterator(), pod.data.range(3):iterator()
--- first:next()
--- first:save(path)
--- second:load(path)
--- assert(second:next():item() == 1)
--- os.remove(path)
--- ```
---@param path any
function iterator:load(path) end

--- Makes up to `count` elements ready, one where functions of the script make none, within so many nanoseconds (0: for
--- as long as it takes). Where one is not done by then the next call goes on with it. Returns how many are ready, and
--- whether the data has ended and there are none.
--- ```lua
--- (pod.data.range(3):iterator():make_ready(0, 2))
--- --> 1
--- ```
---@param nanoseconds any
---@param count any
function iterator:make_ready(nanoseconds, count) end

--- The next element's values, nil at the end.
--- ```lua
--- pod.data.range(3):iterator():next():item()
--- --> 0
--- ```
function iterator:next() end

--- The next element's components as an array of buffers, empty at the end, and its skeleton.
--- ```lua
--- #pod.data.range(3):iterator():next_buffers()
--- --> 1
--- ```
function iterator:next_buffers() end

--- The next element as one value, nil at the end.
--- ```lua
--- pod.data.range(3):iterator():next_element():item()
--- --> 0
--- ```
function iterator:next_element() end

--- An array of { dtype =, shape = } of the next element's raw components, nil at the end.
--- ```lua
--- pod.data.range(3):iterator():peek_spec()
--- --> { { dtype = "int64", shape = () } }
--- ```
function iterator:peek_spec() end

--- Goes to where another iterator was: the same elements follow as there, in this pass and the later ones.
--- ```lua
--- local first, second = pod.data.range(3):iterator(), pod.data.range(3):iterator()
--- first:next()
--- second:restore(first:state())
--- assert(second:next():item() == 1)
--- ```
---@param state any
function iterator:restore(state) end

--- Begins the next pass.
--- ```lua
--- pod.data.range(3):iterator():rewind() ~= false
--- --> true
--- ```
function iterator:rewind() end

--- state() as a file, which is written whole or not at all, and restore() from it.
--- ```lua
--- local path = os.tmpname()
--- local it = pod.data.range(3):iterator()
--- it:next()
--- it:save(path)
--- assert(it:next():item() == 1)
--- os.remove(path)
--- ```
---@param path any
function iterator:save(path) end

--- What each stage did so far, first to last, over all passes: an array that prints as a table (see
--- moonpod.data.stage_report). After close(): up to then.
--- ```lua
--- local it = pod.data.range(3):batch(2):iterator()
--- it:next()
--- assert(it:stages()[2].stage == "batch")
--- ```
function iterator:stages() end

--- Bytes that tell where the iterator is: for restore() of an iterator over a dataset that was made in the same way, in
--- this process or another.
--- ```lua
--- type(pod.data.range(3):iterator():state())
--- --> "string"
--- ```
function iterator:state() end

--- { elements =, epoch = (its number), position = (in this pass), waited =, seconds_waited =, prefetch_buffer = }
--- ```lua
--- local it = pod.data.range(3):iterator()
--- it:next()
--- assert(it:stats().elements == 1)
--- ```
function iterator:stats() end

--- Whether making elements takes the calling thread time that a run in slices is to divide.
--- ```lua
--- pod.data.range(3):iterator():takes_time()
--- --> false
--- ```
function iterator:takes_time() end

--- For `num_parallel_calls` and `prefetch`: a good number is found while the pipeline runs.
---@type number
pod.data.AUTOTUNE = nil

--- What `cardinality()` gives of a dataset that never ends.
---@type number
pod.data.INFINITE = nil

--- For `shard`: the number of hosts and that of this one, which the strategy says.
---@type number
pod.data.SHARD_HINT = nil

--- What `cardinality()` gives where the number of elements is not known before they came.
---@type number
pod.data.UNKNOWN = nil

---@class pod.data.choose_from_datasets.options
---@field stop_on_empty_dataset? boolean (true) whether it ends with the first that ends (default true)

--- Takes element i from the dataset whose number, counted from 0, is element i of `choices`. Options:
--- stop_on_empty_dataset (true).
--- ```lua
--- local small, large = pod.data.range(3), pod.data.range(10, 13)
--- local ds = pod.data.choose_from_datasets({ small, large }, pod.data.range(2):repeat_(2))
--- assert(table.concat(ds:totable(), " ") == "0 10 1 11")
--- ```
---@param inputs any
---@param choices any
---@param options? pod.data.choose_from_datasets.options
function pod.data.choose_from_datasets(inputs, choices, options) end

---@class pod.data.csv.options
---@field columns? table names, or { name =, dtype =, default =, index = } for each column (default: all)
---@field compression? string "gzip", or nothing
---@field header? boolean (true) whether the first row has the names (default true)
---@field label? string a column: elements are then features and label
---@field separator? string (default ",")

--- The rows of CSV files: tables of scalars by name. Columns that are named have the types of the first row;
--- dtype "text" is a string.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write("height,weight\n1.8,80\n1.6,55\n")
--- file:close()
--- for row in pod.data.csv(path):take(1):iter() do
---   assert(row.weight:item() == 80)
--- end
--- os.remove(path)
--- ```
---@param paths any
---@param options? pod.data.csv.options
function pod.data.csv(paths, options) end

--- Gives the elements of a dataset, global batches, to the replicas of a strategy.
--- ```lua
--- local both = pod.data.distribute(pod.data.range(4):batch(4), pod.distribute.mirrored(2))
--- for value in both:iter() do
---   assert(value:values()[2].shape[1] == 2) -- each replica has two of the four rows
--- end
--- ```
---@param source any
---@param strategy any
function pod.data.distribute(source, strategy) end

--- Gives local batches to the replicas of a strategy: fn(input_context) makes the dataset.
--- ```lua
--- local both = pod.data.distribute_from_function(function(context)
---   return pod.data.range(4):batch(context:get_per_replica_batch_size(4))
--- end, pod.distribute.mirrored(2))
--- for value in both:iter() do
---   assert(#value:values() == 2)
--- end
--- ```
---@param fn function
---@param strategy strategy
function pod.data.distribute_from_function(fn, strategy) end

---@class pod.data.fixed_length_records.options
---@field footer_bytes? integer bytes at its end
---@field header_bytes? integer bytes at the begin of a file that are passed over

--- Pieces of one length of files: uint8 (record_bytes). Options: header_bytes, footer_bytes.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "wb")
--- file:write("abcdef")
--- file:close()
--- local ds = pod.data.fixed_length_records(path, 2)
--- assert(#ds:totable() == 3 and ds:iterator():next():totable()[2] == ("b"):byte())
--- os.remove(path)
--- ```
---@param paths any
---@param record_bytes any
---@param options? pod.data.fixed_length_records.options
function pod.data.fixed_length_records(paths, record_bytes, options) end

---@class pod.data.from_generator.options
---@field cardinality? integer how many elements there will be (default: not known)

--- from_generator(fn, signature, { cardinality = }); see moonpod.data.generator.
--- ```lua
--- pod.data.from_generator(function() return 1 end, pod.spec({}, "float32")):take(2):cardinality()
--- --> -2
--- ```
---@param fn any
---@param signature any
---@param options? pod.data.from_generator.options
function pod.data.from_generator(fn, signature, options) end

--- Rows of tensors, along axis 0. x: a tensor, an array of numbers, or a (nested) table of such.
--- ```lua
--- pod.data.from_tensor_slices({ pod.ones { 4, 3 }, pod.zeros { 4 } }):cardinality()
--- --> 4
--- ```
---@param x any
function pod.data.from_tensor_slices(x) end

--- One element.
--- ```lua
--- pod.data.from_tensors({ 1, 2 }):cardinality()
--- --> 1
--- ```
---@param x any
function pod.data.from_tensors(x) end

--- Elements that are strings.
--- ```lua
--- pod.data.from_texts({ "a", "b" }):cardinality()
--- --> 2
--- ```
---@param texts any
function pod.data.from_texts(texts) end

---@class pod.data.image_folder.options
---@field batch_size? integer|boolean pictures of a batch (default 32); false: single pictures
---@field class_names? string[] the folders that are taken, in their order (default: all, sorted)
---@field color_mode? "rgb"|"rgba"|"grayscale" how many channels there are (default "rgb")
---@field image_size? integer[] { height, width } that all get (default { 256, 256 })
---@field interpolation? "bilinear"|"nearest" how (default "bilinear")
---@field label_mode? "int"|"categorical"|"binary"|"none" int32 numbers from 0 (default), one-hot rows, or 0 and 1 as float32 `(n, 1)`
---@field labels? "inferred"|"none"|integer[] classes by the folders; nothing; or that of each file, sorted
---@field num_parallel_calls? integer how many threads do it; `pod.data.AUTOTUNE` finds a number
---@field shuffle? boolean whether there is another order in each pass (default true)
---@field subset? "training"|"validation"|"both" which part is wanted; "both" gives two datasets
---@field validation_split? number the share that is set aside, with `subset` and, to shuffle, `seed`
---@field dtype? string "float32", 0 to 255 (default), or "uint8"
---@field seed? integer makes what is drawn the same each time

--- Pictures of the folders in a folder, each a class, in the order of their names: batches of pictures `(n, height,
--- width, channels)` and labels. The dataset has the fields `class_names`, `file_paths` and `source`. Pictures are read
--- and decoded while the dataset is used, on threads.
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- for _, class in ipairs { "cat", "dog" } do
---   os.execute(("mkdir -p %s/%s"):format(folder, class))
---   local file = io.open(("%s/%s/1.png"):format(folder, class), "wb")
---   file:write(pod.image.encode_png(pod.ones({ 4, 4, 3 }, { dtype = "uint8" })))
---   file:close()
--- end
--- local pets = pod.data.image_folder(folder, { image_size = { 8, 8 }, batch_size = 2 })
--- assert(pets.class_names[2] == "dog" and pets:iterator():next().shape[2] == 8)
--- os.execute("rm -r " .. folder)
--- ```
---@param path string the folder that has a folder for each class
---@param options? pod.data.image_folder.options
---@return dataset # with "both" two: to train on, and to validate with
function pod.data.image_folder(path, options) end

pod.data.image_dataset_from_directory = pod.data.image_folder

--- Whether a value is a dataset.
--- ```lua
--- pod.data.is_dataset(pod.data.range(3))
--- --> true
--- ```
---@param value any
function pod.data.is_dataset(value) end

--- Advice about a dataset: an array of texts, empty when there is none.
--- ```lua
--- #pod.data.lint(pod.data.range(4):batch(2):prefetch(2))
--- --> 0
--- ```
function pod.data.lint() end

---@class pod.data.list_files.options
---@field shuffle? boolean whether names come in another order in each pass (default true)
---@field seed? integer makes what is drawn the same each time

--- The names of the files that patterns match (*, ?, [a-z], {a,b}). Options: shuffle (true), seed.
--- ```lua
--- local path = os.tmpname()
--- assert(pod.data.list_files(path .. "*"):cardinality() == 1)
--- os.remove(path)
--- ```
---@param patterns any
---@param options? pod.data.list_files.options
function pod.data.list_files(patterns, options) end

--- The elements that save() wrote.
--- ```lua
--- local path = os.tmpname()
--- pod.data.range(3):batch(2):save(path)
--- for batch in pod.data.load(path):take(1):iter() do
---   assert(batch.shape[1] == 2)
--- end
--- os.remove(path)
--- ```
---@param path any
function pod.data.load(path) end

---@class pod.data.load_csv.options
---@field columns? string[] which columns, and their order (default: all)
---@field compression? string "gzip", or nothing
---@field header? boolean (true) whether the first row has the names (default true)
---@field separator? string (default ",")
---@field dtype? string ("float32") what numbers become (default "float32")

--- The numbers of a CSV file as one tensor `(rows, columns)`, as NumPy's `loadtxt` has them, and the names of its
--- columns. `pod.data.csv` reads rows one after the other, and texts too.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write("height,weight\n1.8,80\n1.6,55\n")
--- file:close()
--- local rows, names = pod.data.load_csv(path)
--- assert(rows.shape[1] == 2 and names[2] == "weight")
--- local weights = rows[{ ":", -1 }]
--- assert(weights:sum():item() == 135)
--- os.remove(path)
--- ```
---@param path string|string[] the file, or files that have the same columns
---@param options? pod.data.load_csv.options
---@return tensor # and the names, as an array
function pod.data.load_csv(path, options) end

--- Reads an HDF5 file of which all arrays lie in one piece: a table of tensors by path ("layers/dense/vars/0"), its
--- attributes that are texts ("layers/dense/vars@name"), and the paths in the order of the file. `member`: the file is
--- that member of a zip archive.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_hdf5(path, { ["layers/a"] = pod.ones { 2, 3 } })
--- assert(pod.data.load_hdf5(path)["layers/a"].shape[2] == 3)
--- os.remove(path)
--- ```
---@param path any
---@param member any
function pod.data.load_hdf5(path, member) end

--- Reads an IDX file (of MNIST's kind), compressed by gzip or not, as a tensor.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_idx(path, pod.ones({ 2, 28, 28 }, { dtype = "uint8" }))
--- assert(pod.data.load_idx(path).shape[3] == 28)
--- os.remove(path)
--- ```
---@param path any
function pod.data.load_idx(path) end

--- Reads a .npy file of NumPy as a tensor.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_npy(path, pod.tensor { 1, 2, 3 })
--- assert(pod.data.load_npy(path):sum():item() == 6)
--- os.remove(path)
--- ```
---@param path any
function pod.data.load_npy(path) end

--- Reads a .npz archive: a table of tensors by name, and the names in their order.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_npz(path, { a = pod.ones { 2 }, b = pod.zeros { 3 } })
--- local arrays, names = pod.data.load_npz(path)
--- assert(#names == 2 and arrays.b.shape[1] == 3)
--- os.remove(path)
--- ```
---@param path any
function pod.data.load_npz(path) end

--- Reads a safetensors file: a table of tensors by name, its metadata, and the names in the order of the file.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_safetensors(path, { a = pod.ones { 2, 3 } }, { by = "me" })
--- local arrays, about, names = pod.data.load_safetensors(path)
--- assert(arrays.a.shape[2] == 3 and about.by == "me" and names[1] == "a")
--- os.remove(path)
--- ```
---@param path any
function pod.data.load_safetensors(path) end

---@class pod.data.random.options
---@field rerandomize_each_iteration? boolean whether each pass gives other numbers (default false)
---@field seed? integer makes what is drawn the same each time

--- Integers of 0 to 2^32 - 1 (int64) without end, each a function of the seed and its place in the pass. Options: seed;
--- rerandomize_each_iteration: other ones in each pass (false).
--- ```lua
--- pod.data.random({ seed = 1 }):take(3):cardinality()
--- --> 3
--- ```
---@param options? pod.data.random.options
function pod.data.random(options) end

--- range(stop), range(start, stop), range(start, stop, step): int64 scalars.
--- ```lua
--- pod.data.range(2, 5):batch(3):totable()[1]
--- --> { 2, 3, 4 }
--- ```
---@param start any
---@param stop any
---@param step any
function pod.data.range(start, stop, step) end

--- The bytes of a file: a string, or in a function of `map` what `pod.image.decode_png` and the like take.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write "bytes"
--- file:close()
--- assert(pod.data.read_file(path) == "bytes")
--- os.remove(path)
--- ```
---@param path string the file; in `map` the string of an element
---@return string
function pod.data.read_file(path) end

--- Reads the bytes of a tf.train.Example: arrays by name, each with its field `kind`.
--- ```lua
--- pod.data.records.decode(pod.data.records.example { label = 3 }).label.kind
--- --> "int64"
--- ```
---@param bytes string what `example` made, or a record of a file
---@return table
function pod.data.records.decode(bytes) end

--- The bytes of a tf.train.Example.
--- ```lua
--- pod.data.records.decode(pod.data.records.example { label = 3 }).label[1]
--- --> 3
--- ```
---@param features table values by name: strings, numbers (whole ones are int64, others floats), arrays of them, tensors, or arrays with a field `kind` ("bytes", "float", "int64")
---@return string
function pod.data.records.example(features) end

---@class pod.data.records.read.options
---@field compression? "gzip"|"zlib"|"auto" how it is packed (default: not; "auto": as its first bytes say)

--- Goes through a record file: `for bytes in pod.data.records.read(path) do ... end`.
--- ```lua
--- local path = os.tmpname()
--- local writer = pod.data.records.writer(path)
--- writer:write "a record"
--- writer:close()
--- assert(pod.data.records.read(path)() == "a record")
--- os.remove(path)
--- ```
---@param path string the file
---@param options? pod.data.records.read.options
function pod.data.records.read(path, options) end

---@class pod.data.records.shard.options
---@field compression? "gzip"|"zlib" how files are packed (default: not)
---@field encode? function makes a string of an element (default: strings as they are, tables as examples)
---@field num_shards? integer so many files, which elements go to in turn, in the place of `target_mb`
---@field target_mb? number (100) about how large a file is, before it is compressed (default 100)

--- Writes the elements of a dataset to record files PREFIX-00000-of-00010 and so on.
--- ```lua
--- local prefix = os.tmpname()
--- local paths = pod.data.records.shard(pod.data.from_texts { "a", "b", "c" }, prefix, { num_shards = 2 })
--- assert(#paths == 2 and pod.data.tfrecord(paths):cardinality() == -2)
--- assert(#pod.data.tfrecord(paths):totable() == 3)
--- os.remove(paths[1])
--- os.remove(paths[2])
--- os.remove(prefix)
--- ```
---@param ds dataset with an end: of strings, or of tables of tensors by name
---@param prefix string what paths begin with
---@param options? pod.data.records.shard.options
---@return string[] # the paths
function pod.data.records.shard(ds, prefix, options) end

---@class pod.data.records.writer.options
---@field compression? "gzip"|"zlib" how it is packed (default: not)

--- Opens a record file for writing: `writer:write(bytes)`, `writer:close()` or `writer:abandon()`. The file is there
--- once it is closed.
--- ```lua
--- local path = os.tmpname()
--- local writer = pod.data.records.writer(path, { compression = "gzip" })
--- writer:write "a record"
--- writer:close()
--- assert(pod.data.records.read(path, { compression = "auto" })() == "a record")
--- os.remove(path)
--- ```
---@param path string where it is to be
---@param options? pod.data.records.writer.options
function pod.data.records.writer(path, options) end

---@class pod.data.sample_from_datasets.options
---@field stop_on_empty_dataset? boolean whether it ends with the first that ends
---@field weights? number[] how often each is drawn from (default: all alike)
---@field seed? integer makes what is drawn the same each time

--- Takes each element from a random one of several datasets. Options: weights, seed, stop_on_empty_dataset.
--- ```lua
--- pod.data.sample_from_datasets({ pod.data.range(3), pod.data.range(3) }):take(2):cardinality() ~= 0
--- --> true
--- ```
---@param inputs any
---@param options? pod.data.sample_from_datasets.options
function pod.data.sample_from_datasets(inputs, options) end

--- Writes a table of tensors by path, and texts by "path@name", as load_hdf5 gives them.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_hdf5(path, { a = pod.ones { 2, 3 } })
--- assert(pod.data.load_hdf5(path).a.shape[2] == 3)
--- os.remove(path)
--- ```
---@param path any
---@param arrays any
---@param texts any
function pod.data.save_hdf5(path, arrays, texts) end

--- Writes an IDX file; a path that ends in ".gz" is compressed.
--- ```lua
--- local path = os.tmpname() .. ".gz"
--- pod.data.save_idx(path, pod.tensor({ 1, 2, 3 }, { dtype = "uint8" }))
--- assert(pod.data.load_idx(path):sum():item() == 6)
--- os.remove(path)
--- ```
---@param path any
---@param value any
function pod.data.save_idx(path, value) end

--- Writes a tensor as NumPy's .npy.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_npy(path, pod.ones { 2, 3 })
--- assert(pod.data.load_npy(path).shape[2] == 3)
--- os.remove(path)
--- ```
---@param path any
---@param value any
function pod.data.save_npy(path, value) end

---@class pod.data.save_npz.options
---@field compress? boolean whether it is compressed

--- Writes a table of tensors by name. Options: compress.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_npz(path, { a = pod.ones { 2, 3 } })
--- assert(pod.data.load_npz(path).a.shape[2] == 3)
--- os.remove(path)
--- ```
---@param path any
---@param arrays any
---@param options? pod.data.save_npz.options
function pod.data.save_npz(path, arrays, options) end

--- Writes a table of tensors by name, and metadata: a table of texts by name.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_safetensors(path, { a = pod.ones { 2, 3 } })
--- assert(pod.data.load_safetensors(path).a.shape[2] == 3)
--- os.remove(path)
--- ```
---@param path any
---@param arrays any
---@param metadata any
function pod.data.save_safetensors(path, arrays, metadata) end

---@class pod.data.synthetic.mnist.options
---@field n? integer (60000) how many (default 60000)
---@field seed? integer (1) what they are made from (default 1)

--- Pictures in the form of MNIST, uint8 `(28, 28)`, and their digits, uint8 scalars: turned, moved and noisy digits of
--- a display. The same seed gives the same bytes.
--- ```lua
--- pod.data.synthetic.mnist({ n = 10 }):cardinality()
--- --> 10
--- ```
---@param options? pod.data.synthetic.mnist.options
---@return dataset
function pod.data.synthetic.mnist(options) end

---@class pod.data.text_folder.options
---@field class_names? string[] the folders that are taken, in their order (default: all, sorted)
---@field label_mode? "int"|"categorical"|"binary"|"none" int32 numbers from 0 (default), one-hot rows, or 0 and 1 as float32 `(1)`
---@field labels? "inferred"|"none"|integer[] classes by the folders; nothing; or that of each file, sorted
---@field max_length? integer bytes of a text that are kept (default: all)
---@field shuffle? boolean whether there is another order in each pass (default true)
---@field subset? "training"|"validation"|"both" which part is wanted; "both" gives two datasets
---@field validation_split? number the share that is set aside, with `subset` and, to shuffle, `seed`
---@field seed? integer makes what is drawn the same each time

--- Texts of the folders in a folder, each a class, in the order of their names: single texts and labels. `map` them
--- through `text_vectorization`, then `batch`: a batch is of numbers. The dataset has the fields `class_names`,
--- `file_paths` and `source`. Texts are read at once.
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- for class, text in pairs { bad = "a dull film", good = "a lovely film" } do
---   os.execute(("mkdir -p %s/%s"):format(folder, class))
---   local file = io.open(("%s/%s/1.txt"):format(folder, class), "w")
---   file:write(text)
---   file:close()
--- end
--- local reviews = pod.data.text_folder(folder, { shuffle = false })
--- local vectorize = pod.layers.text_vectorization { output_sequence_length = 4 }
--- vectorize:adapt(reviews)
--- local rows = reviews:map(function(text, label) return vectorize(text), label end):batch(2)
--- assert(rows:iterator():next().shape[2] == 4)
--- os.execute("rm -r " .. folder)
--- ```
---@param path string the folder that has a folder for each class
---@param options? pod.data.text_folder.options
---@return dataset # with "both" two: to train on, and to validate with
function pod.data.text_folder(path, options) end

pod.data.text_dataset_from_directory = pod.data.text_folder

--- The lines of text files, as strings. Options: those of tfrecord.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write("one\ntwo\n")
--- file:close()
--- assert(#pod.data.text_lines(path):totable() == 2)
--- os.remove(path)
--- ```
---@param paths any
---@param options any
function pod.data.text_lines(paths, options) end

--- The records of TFRecord files, as strings. Options: compression ("gzip", "zlib", "auto"), num_parallel_reads (files
--- that are read at once, each by a thread, and give a record each in turn; AUTOTUNE: 10).
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events") -- such files have records
--- writer:scalar("loss", 0.5, 1)
--- writer:close()
--- assert(#pod.data.tfrecord(writer.path):totable() > 1)
--- os.remove(writer.path)
--- ```
---@param paths any
---@param options any
function pod.data.tfrecord(paths, options) end

--- zip{ a, b, ... } or zip(a, b, ...): elements that are tuples of one of each.
--- ```lua
--- pod.data.zip({ pod.data.range(3), pod.data.range(2) }):cardinality()
--- --> 2
--- ```
---@param first any
---@param ... any
function pod.data.zip(first, ...) end

---@class pod.datasets.digits.options
---@field directory? string where the files lie
---@field shape? integer[] the shape of an element
---@field test_split? number the share of rows that is test data (default 0.2; 0: all is training data)
---@field seed? integer which rows are which (default 113)

--- Handwritten digits, 8x8: x 64 pixels, float32 in [0, 1], y the digit, int32. Options: as above, and shape of an
--- image ({ 64 }; { 8, 8, 1 } for convolutions).
--- ```lua
--- local ok, train, test = pcall(pod.datasets.digits, { test_split = 0.25 }) -- a package of Debian has them
--- assert(not ok or train:cardinality() + test:cardinality() == 1797)
--- ```
---@param options? pod.datasets.digits.options
function pod.datasets.digits(options) end

---@class pod.datasets.fashion_mnist.options
---@field directory? string where the files lie
---@field shape? integer[] the shape of an element

--- Returns Fashion-MNIST's training and test data: x 784 pixels, float32 in [0, 1] (stored as bytes), y the
--- class, int32. Options: directory (that has fashion-mnist/; MOONPOD_DATASETS, else /usr/share/datasets), shape of an
--- image ({ 784 }; { 28, 28, 1 } for convolutions).
--- ```lua
--- local ok, train = pcall(pod.datasets.fashion_mnist) -- Debian's package dataset-fashion-mnist has it
--- assert(not ok or train:cardinality() == 60000)
--- ```
---@param options? pod.datasets.fashion_mnist.options
function pod.datasets.fashion_mnist(options) end

---@class pod.datasets.iris.options
---@field directory? string where the files lie
---@field test_split? number the share of rows that is test data (default 0.2; 0: all is training data)
---@field seed? integer which rows are which (default 113)

--- A small table for classification: features `x`, float32, and the class `y`, int32; the field `class_names` has their
--- names. `iris` has 150 rows of 4 features in 3 classes, `wine` 178 of 13 in 3, `breast_cancer` 569 of 30 in 2.
--- ```lua
--- local ok, flowers = pcall(pod.datasets.iris) -- a package of Debian has it
--- assert(not ok or flowers:cardinality() == 150 and #flowers.class_names == 3)
--- ```
---@param options? pod.datasets.iris.options
---@return dataset # for training
---@return dataset # for tests, nil without a split
function pod.datasets.iris(options) end

pod.datasets.breast_cancer = pod.datasets.iris

pod.datasets.wine = pod.datasets.iris

---@class pod.datasets.kjv_text.options
---@field directory? string where the files lie
---@field references? boolean whether places of the text are kept

--- The King James Bible, a verse a line: a string of 4.2 million bytes, and a dataset of the lines, whose field
--- `source` says what was read. Options: references (false: "Ge1:1 " is left out at the beginning of lines), directory
--- (where Debian's packages bible-kjv and bible-kjv-text were unpacked; MOONPOD_DATASETS).
--- ```lua
--- local ok, text, verses = pcall(pod.datasets.kjv_text) -- Debian's packages bible-kjv and bible-kjv-text have it
--- assert(not ok or #text > 4e6 and verses:cardinality() == 31102)
--- ```
---@param options? pod.datasets.kjv_text.options
function pod.datasets.kjv_text(options) end

--- Adds delta (of pixels as floats from 0 to 1 where they are integers).
--- ```lua
--- pod.image.adjust_brightness(pod.zeros { 1, 1, 1 }, 0.5)
--- --> { { { 0.5 } } }
--- ```
---@param x any
---@param delta any
function pod.image.adjust_brightness(x, delta) end

--- Multiplies the distance from the mean, that of each channel and picture.
--- ```lua
--- pod.image.adjust_contrast(pod.ones { 2, 2, 1 }, 2).shape
--- --> (2, 2, 1)
--- ```
---@param x any
---@param factor any
function pod.image.adjust_contrast(x, factor) end

--- The middle of a picture, of { height, width }.
--- ```lua
--- pod.image.center_crop(pod.ones { 4, 4, 3 }, { 2, 2 }).shape
--- --> (2, 2, 3)
--- ```
---@param x any
---@param size any
function pod.image.center_crop(x, size) end

--- The middle of a picture, a share of its sides (0 to 1).
--- ```lua
--- pod.image.central_crop(pod.ones { 4, 4, 3 }, 0.5).shape
--- --> (2, 2, 3)
--- ```
---@param x any
---@param share any
function pod.image.central_crop(x, share) end

--- Another type of pixels: integers of all their range stand for floats from 0 to 1. Floats outside of it saturate.
--- ```lua
--- local bytes = pod.tensor({ { { 255 } } }, { dtype = "uint8" })
--- assert(pod.image.convert_image_dtype(bytes, "float32"):item() == 1)
--- ```
---@param x any
---@param dtype any
function pod.image.convert_image_dtype(x, dtype) end

--- The part of a size whose upper left corner is at (top, left).
--- ```lua
--- pod.image.crop_to_bounding_box(pod.ones { 4, 4, 3 }, 1, 1, 2, 3).shape
--- --> (2, 3, 3)
--- ```
---@param x any
---@param top any
---@param left any
---@param height any
---@param width any
function pod.image.crop_to_bounding_box(x, top, left, height, width) end

--- A picture from the bytes of its file, as a tensor `(height, width, channels)` of uint8. `decode_image` finds out
--- which format it is. In functions of `map` all sizes must be known.
--- ```lua
--- local picture = pod.ones({ 4, 6, 3 }, { dtype = "uint8" })
--- assert(pod.image.decode_image(pod.image.encode_png(picture)).shape[2] == 6)
--- ```
---@param contents string the bytes, or in `map` what `read_file` gave
---@param options? table `channels` (1, 3 or 4), `size` ({ height, width }: resizes), `shape` (what is announced), `dtype`
---@return tensor
function pod.image.decode_png(contents, options) end

pod.image.decode_image = pod.image.decode_png

pod.image.decode_jpeg = pod.image.decode_png

---@class pod.image.encode_jpeg.options
---@field chroma_downsampling? boolean whether colours are kept for squares of four pixels (default true)
---@field quality? integer (95) from 1 (small) to 100 (close to what was given); default 95

--- Encodes a picture as JPEG, which is smaller than PNG; pixels come back about as they were.
--- ```lua
--- local bytes = pod.image.encode_jpeg(pod.ones({ 16, 24, 3 }, "uint8"), { quality = 80 })
--- assert(pod.image.decode_jpeg(bytes).shape == pod.ones({ 16, 24, 3 }).shape)
--- ```
---@param image tensor (height, width) or (height, width, channels) with 1 or 3 channels, uint8 or floats from 0 to 1
---@param options? pod.image.encode_jpeg.options
---@return string # bytes of a file
function pod.image.encode_jpeg(image, options) end

--- Encodes a picture as PNG; the pixels come back from `pod.image.decode_png` as they were.
--- ```lua
--- local bytes = pod.image.encode_png(pod.zeros({ 2, 3, 1 }, "uint8"))
--- assert(pod.image.decode_png(bytes).shape == pod.zeros({ 2, 3, 1 }).shape)
--- ```
---@param image tensor (height, width) or (height, width, channels) with 1 to 4 channels, uint8 or floats from 0 to 1
---@return string # bytes of a file
function pod.image.encode_png(image) end

--- Mirrors each line.
--- ```lua
--- pod.image.flip_left_right(pod.tensor { { { 1 }, { 2 } } })
--- --> { { { 2 }, { 1 } } }
--- ```
---@param x any
function pod.image.flip_left_right(x) end

--- Puts the last line first.
--- ```lua
--- pod.image.flip_up_down(pod.tensor { { { 1 } }, { { 2 } } })
--- --> { { { 2 } }, { { 1 } } }
--- ```
---@param x any
function pod.image.flip_up_down(x) end

--- Three equal channels of one.
--- ```lua
--- pod.image.grayscale_to_rgb(pod.ones { 2, 2, 1 }).shape
--- --> (2, 2, 3)
--- ```
---@param x any
function pod.image.grayscale_to_rgb(x) end

--- A picture of zeros of that size, with x at (top, left).
--- ```lua
--- pod.image.pad_to_bounding_box(pod.ones { 2, 2, 3 }, 1, 1, 4, 4).shape
--- --> (4, 4, 3)
--- ```
---@param x any
---@param top any
---@param left any
---@param height any
---@param width any
function pod.image.pad_to_bounding_box(x, top, left, height, width) end

--- Each picture with mean 0 and deviation 1 (at least 1 / sqrt of the number of its values is divided by): float32.
--- ```lua
--- pod.image.per_image_standardization(pod.ones { 2, 2, 1 }).shape
--- --> (2, 2, 1)
--- ```
---@param x any
function pod.image.per_image_standardization(x) end

--- Adds -max_delta to max_delta. Options: seed.
--- ```lua
--- pod.image.random_brightness(pod.ones { 2, 2, 3 }, 0.2).shape
--- --> (2, 2, 3)
--- ```
---@param x any
---@param max_delta any
---@param options any
function pod.image.random_brightness(x, max_delta, options) end

--- Multiplies the distance from the mean by lower to upper. Options: seed.
--- ```lua
--- pod.image.random_contrast(pod.ones { 2, 2, 3 }, 0.5, 1.5).shape
--- --> (2, 2, 3)
--- ```
---@param x any
---@param lower any
---@param upper any
---@param options any
function pod.image.random_contrast(x, lower, upper, options) end

--- A part of { height, width } (a third size, the channels, may be given as TensorFlow has it) at a random place.
--- Options: padding (pixels of zeros, or by padding_mode "reflect" or "symmetric", put around before), seed.
--- ```lua
--- pod.image.random_crop(pod.ones { 4, 4, 3 }, { 2, 2 }).shape
--- --> (2, 2, 3)
--- ```
---@param x any
---@param size any
---@param options any
function pod.image.random_crop(x, size, options) end

--- Replaces a box at a random place. Options: scale ({ 0.02, 0.33 }: of each side the square root of such a share),
--- factor (1: how probable it is; { low, high } draws that), seed. What is put there: fill_value (0; "normal": noise of
--- deviation noise_scale, clipped to 0 to noise_scale), noise_scale (255).
--- ```lua
--- local picture = pod.image.random_erasing(pod.ones { 8, 8, 3 }, { scale = { 0.2, 0.3 }, seed = 1 })
--- assert(picture:sum():item() < 8 * 8 * 3)
--- ```
---@param x any
---@param options any
function pod.image.random_erasing(x, options) end

--- Mirrors half of the pictures, at random.
--- ```lua
--- pod.image.random_flip_left_right(pod.ones { 2, 2, 3 }).shape
--- --> (2, 2, 3)
--- ```
---@param x tensor `(height, width, channels)`, or with a batch before
---@param options? table `seed`
---@return tensor # of the same shape
function pod.image.random_flip_left_right(x, options) end

pod.image.random_flip_up_down = pod.image.random_flip_left_right

--- Turns by a random part of a full turn: factor f stands for { -f, f }. Options: those of rotate (fill_mode is
--- "reflect" unless given), seed.
--- ```lua
--- pod.image.random_rotation(pod.ones { 4, 4, 3 }, 0.1).shape
--- --> (4, 4, 3)
--- ```
---@param x any
---@param factor any
---@param options any
function pod.image.random_rotation(x, factor, options) end

--- Moves pictures down and to the right by random parts of their sides. Factor f stands for { -f, f }. Options: those
--- of rotate (fill_mode is "reflect" unless given), seed.
--- ```lua
--- pod.image.random_translation(pod.ones { 4, 4, 3 }, 0.1, 0.1).shape
--- --> (4, 4, 3)
--- ```
---@param height_factor number|number[] -1 to 1; above 0 is down
---@param width_factor number|number[] -1 to 1; above 0 is to the right
function pod.image.random_translation(height_factor, width_factor) end

--- Makes pictures larger or smaller about their middles, by a random part: below 0 they come nearer, above 0 they go
--- away. Factor f stands for { -f, f }; without a width's both sides keep their relation. Options: those of rotate
--- (fill_mode is "reflect" unless given), seed.
--- ```lua
--- pod.image.random_zoom(pod.ones { 4, 4, 3 }, 0.1).shape
--- --> (4, 4, 3)
--- ```
---@param height_factor number|number[] above -1, at most 1
---@param width_factor? number|number[]
function pod.image.random_zoom(height_factor, width_factor) end

---@class pod.image.resize.options
---@field method? "bilinear"|"nearest" ("bilinear") how values between pixels are found

--- Resizes to { height, width }: "bilinear" (gives float32) or "nearest". Centres of pixels lie half a pixel inside.
--- ```lua
--- pod.image.resize(pod.ones { 4, 4, 3 }, { 2, 2 }).shape
--- --> (2, 2, 3)
--- ```
---@param x any
---@param size any
---@param options? pod.image.resize.options
function pod.image.resize(x, size, options) end

--- Crops or pads with zeros, evenly on both sides.
--- ```lua
--- pod.image.resize_with_crop_or_pad(pod.ones { 4, 4, 3 }, 2, 6).shape
--- --> (2, 6, 3)
--- ```
---@param x any
---@param height any
---@param width any
function pod.image.resize_with_crop_or_pad(x, height, width) end

--- The luma of ITU-R BT.601.
--- ```lua
--- pod.image.rgb_to_grayscale(pod.ones { 2, 2, 3 }).shape
--- --> (2, 2, 1)
--- ```
---@param x any
function pod.image.rgb_to_grayscale(x) end

--- Turns by 90 degrees k times (1), against the clock.
--- ```lua
--- pod.image.rot90(pod.ones { 2, 4, 3 }).shape
--- --> (4, 2, 3)
--- ```
---@param x any
---@param k any
function pod.image.rot90(x, k) end

---@class pod.image.rotate.options
---@field fill_mode? "reflect"|"wrap"|"constant"|"nearest" what stands beyond the edges
---@field fill_value? number the value of "constant"
---@field interpolation? "bilinear"|"nearest" how values between pixels are found

--- Turns pictures about their middles by an angle in radians, against the clock: a number, or a tensor of an angle a
--- picture. Options: interpolation ("bilinear", "nearest"), fill_mode ("constant", "nearest", "reflect", "wrap"),
--- fill_value (0).
--- ```lua
--- pod.image.rotate(pod.ones { 4, 4, 3 }, 0.5).shape
--- --> (4, 4, 3)
--- ```
---@param x any
---@param angle any
---@param options? pod.image.rotate.options
function pod.image.rotate(x, angle, options) end

--- Crops the middle of the wanted aspect, then resizes.
--- ```lua
--- pod.image.smart_resize(pod.ones { 4, 6, 3 }, { 2, 2 }).shape
--- --> (2, 2, 3)
--- ```
---@param x any
---@param size any
---@param options any
function pod.image.smart_resize(x, size, options) end

--- Swaps height and width.
--- ```lua
--- pod.image.transpose(pod.ones { 2, 4, 3 }).shape
--- --> (4, 2, 3)
--- ```
---@param x any
function pod.image.transpose(x) end

--- The outputs for rows, as model:predict gives them.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:export(path)
--- assert(pod.load_exported(path):predict(pod.ones { 5, 3 }).shape[1] == 5)
--- os.remove(path)
--- ```
---@param ... any
function exported_program:predict(...) end

--- A weight by its name: what it holds now, as a tensor of its own.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):export(path)
--- local program = pod.load_exported(path)
--- assert(program:weight(program.weights[1]):size() > 0)
--- os.remove(path)
--- ```
---@param name string
function exported_program:weight(name) end

---@class pod.deserialize.options
---@field custom_objects? table classes and functions by name that are not Moonpod's own
---@field live? boolean for copies in the same process: what is no plain data stays what it is
---@field where? string ("deserialize") what messages begin with

--- The object of plain data. kind ("layer", "loss", "metric", ...; nil: any) says of which kind a class name is that
--- several have. Options: custom_objects (name -> class or function, before those that are registered).
--- ```lua
--- pod.deserialize(pod.serialize(pod.layers.dense(3))).config.units
--- --> 3
--- ```
---@param data any
---@param kind any
---@param options? pod.deserialize.options
function pod.deserialize(data, kind, options) end

---@class pod.load_exported.options
---@field bytes? string the file's content, in place of a path

--- pod.load_exported(path): a program that model:export or fn:export wrote; in place of a path { bytes = the file's, as
--- a string }, where a host has its files in an archive. It is called as the function was, or with what the model
--- predicts for. Fields: name, inputs and outputs ({ name =, dtype =, shape = }; of one row where the
--- program takes rows), batch_sizes, weights (names).
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- pod.func(function(x) return x * 2 end):export(path, { pod.spec { 3 } })
--- assert(pod.load_exported(path)(pod.ones { 3 }):sum():item() == 6)
--- os.remove(path)
--- ```
---@param path? string|table
---@param options? pod.load_exported.options
function pod.load_exported(path, options) end

--- pod.register(name, object): gives a name to a function or a class, so that what uses it can be saved. Functions are
--- those of lambda layers, losses, metrics, activations, initializers, ...; classes are by layers.subclass,
--- models.subclass or metrics.subclass. A file that has the name is loaded where the name is registered, too. A name
--- that is registered again is the new object's. Returns the object.
--- ```lua
--- local function half(x) return x / 2 end
--- pod.register("help_half", half)
--- assert(pod.serialize(pod.layers.dense(1, { activation = half })).config.activation.config == "help_half")
--- ```
---@param name any
---@param object any
function pod.register(name, object) end

--- pod.register_layer(name, class): gives a class of layers, or of models, a name, so that its layers can be saved. (As
--- Keras' register_keras_serializable.) Returns the class.
--- ```lua
--- local Twice = pod.layers.subclass { name = "HelpTwice", call = function(_, x) return x * 2 end }
--- pod.register_layer("HelpTwice", Twice)
--- assert(pod.deserialize(pod.serialize(Twice())).class_name == "HelpTwice")
--- ```
---@param name any
---@param class any
function pod.register_layer(name, class) end

---@class pod.serialize.options
---@field live? boolean whether functions, tensors and classes stay what they are; for copies in the same process
---@field where? string ("serialize") what messages begin with

--- The plain data of a layer, model, loss, metric, optimizer, schedule, initializer, regularizer, constraint or dtype
--- policy, of a registered function, or of a table of such. Options: live (functions, tensors and classes stay what
--- they are; for copies in the same process).
--- ```lua
--- pod.serialize(pod.layers.dense(3)).class_name
--- --> "Dense"
--- ```
---@param object any
---@param options? pod.serialize.options
function pod.serialize(object, options) end

--- A checkpoint of models, optimizers, variables, metrics and iterators by name: see moonpod.saving.checkpoint.
--- ```lua
--- local v = pod.variable(1)
--- local path = pod.train.checkpoint({ v = v }):save(os.tmpname() .. ".safetensors")
--- v:assign(2)
--- pod.train.checkpoint({ v = v }):restore(path)
--- assert(v:value():item() == 1)
--- os.remove(path)
--- ```
---@param objects any
function pod.train.checkpoint(objects) end

---@class pod.train.checkpoint_manager.options
---@field checkpoint? checkpoint what is kept: `pod.train.checkpoint { ... }`
---@field checkpoint_interval? integer saves only so many steps after the last one
---@field checkpoint_name? string ("ckpt") what names of files begin with (default "ckpt")
---@field directory? string the folder
---@field init_fn? function `restore_or_initialize()` calls it where there is nothing to restore
---@field keep_checkpoint_every_n_hours? number one of so many hours stays for good
---@field max_to_keep? integer how many stay
---@field step_counter? variable counts the steps

--- Numbered checkpoints in a folder, of which the last ones stay.
--- ```lua
--- local manager = pod.train.checkpoint_manager { checkpoint = pod.train.checkpoint { v = pod.variable(1) },
---   directory = os.tmpname() .. "_kept", max_to_keep = 2 }
--- for _ = 1, 3 do manager:save() end
--- assert(#manager.checkpoints == 2)
--- ```
---@param options? pod.train.checkpoint_manager.options
---@return checkpoint_manager
function pod.train.checkpoint_manager(options) end

---@class pod.summary.writer.options
---@field filename_suffix? string (default ".v2")
---@field flush_millis? integer or so long, till the next one comes (default 2000)
---@field max_queue? integer so many events wait before they are written (default 10)
---@field worker? integer the folder is "worker_<i>" within, for TensorBoard follows one file a folder

--- Opens a new event file in a folder, which is made where it is not there.
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- local writer = pod.summary.writer(folder)
--- writer:scalar("loss", 0.5, 1)
--- writer:close()
--- os.remove(writer.path)
--- os.remove(folder)
--- ```
---@param dir string the folder
---@param options? pod.summary.writer.options
---@return summary_writer
function pod.summary.writer(dir, options) end

--- Writes what waits and closes the file. succeeded: how the run of hparams() has ended (true). What is never closed is
--- closed by the collector.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:close()
--- assert(not pcall(writer.scalar, writer, "loss", 0.5, 1))
--- ```
---@param succeeded any
function summary_writer:close(succeeded) end

--- Writes what waits, for whoever reads the file now.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:scalar("loss", 0.5, 1)
--- writer:flush()
--- assert(#pod.data.tfrecord(writer.path):totable() > 1)
--- writer:close()
--- ```
function summary_writer:flush() end

---@class summary_writer.graph.options
---@field inputs? string[] names of nodes
---@field op? string what it does
---@field shape? integer[] sizes
---@field name? string of a node

--- Writes the graph that TensorBoard shows for this file: that of a model's layers, or a list of nodes { name =, op =,
--- inputs = { names }, shape = sizes or nil }.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:graph(pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) })
--- writer:close()
--- ```
---@param value any
---@param options? summary_writer.graph.options
function summary_writer:graph(value, options) end

---@class summary_writer.histogram.options
---@field buckets? integer how many parts (default 30)

--- Writes how the elements of a tensor are distributed. Options: buckets (30). NaN and infinities are left out.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:histogram("weights", pod.random.normal { 100 }, 1, { buckets = 10 })
--- writer:close()
--- ```
---@param tag string
---@param values tensor|number
---@param step? any
---@param options? summary_writer.histogram.options
function summary_writer:histogram(tag, values, step, options) end

---@class summary_writer.hparams.options
---@field group? string runs of one name are one trial
---@field metrics? string[] tags of scalars by which runs are compared

--- Writes with what hyperparameters the run begins: numbers, texts and booleans by name. Options: metrics (tags of
--- scalars by which runs are compared), group (runs of one name are one trial). close() writes that it has ended.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:hparams({ rate = 0.1, optimizer = "adam" }, { metrics = { "loss" } })
--- writer:close()
--- ```
---@param values table
---@param options? summary_writer.hparams.options
function summary_writer:hparams(values, options) end

---@class summary_writer.image.options
---@field max_outputs? integer how many pictures of several (default 3)

--- Writes pictures: (height, width, channels), or several of them (k, height, width, channels), as uint8 or as floats
--- from 0 to 1, with 1 to 4 channels. Options: max_outputs (3: how many of them).
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:image("first", pod.ones { 8, 8, 3 }, 1)
--- writer:close()
--- ```
---@param tag string
---@param images tensor|number
---@param step? any
---@param options? summary_writer.image.options
function summary_writer:image(tag, images, step, options) end

--- Writes a model in Keras' JSON, as Keras' callback does.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- writer:keras_model("keras", model:to_json(), 0)
--- writer:close()
--- ```
---@param tag string
---@param json string
---@param step? any
function summary_writer:keras_model(tag, json, step) end

--- Writes a number: a tensor or a variable of one element, or a number of Lua.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:scalar("loss", 0.5, 1)
--- writer:close()
--- ```
---@param tag string
---@param value tensor|number
---@param step? any
function summary_writer:scalar(tag, value, step) end

--- Writes a text in Markdown, a list of texts or a table of them (a list of rows).
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:text("notes", { { "rate", "0.1" }, { "rows", "32" } }, 1)
--- writer:close()
--- ```
---@param tag string
---@param value any
---@param step? any
function summary_writer:text(tag, value, step) end

---@class description.html.options
---@field height? integer pixels
---@field theme? string "auto", "light" or "dark"
---@field width? integer pixels

--- Draws a description as a part of a page of HTML.
--- ```lua
--- assert(pod.plot.line({ 3, 1, 2 }):html():find "<svg")
--- ```
---@param options? description.html.options
---@return string # html
function description:html(options) end

---@class description.png.options
---@field height? integer pixels
---@field theme? string "light" (also for "auto") or "dark"
---@field width? integer pixels

--- Draws a description as PNG, of two pixels for each one that is asked for.
--- ```lua
--- assert(pod.plot.line({ 3, 1, 2 }):png { width = 200, height = 100 })
--- ```
---@param options? description.png.options
---@return string # bytes of a file
function description:png(options) end

--- Writes a description to a file, whole or not at all: as its ending says, .svg, .png, .html or .txt.
--- ```lua
--- local path = os.tmpname()
--- pod.plot.line({ 3, 1, 2 }):save(path .. ".svg")
--- os.remove(path)
--- os.remove(path .. ".svg")
--- ```
---@param path string the file
---@param options? table of `svg`, `png` or `html`
---@return description # self
function description:save(path, options) end

---@class description.svg.options
---@field height? integer pixels
---@field theme? string "auto" (as the reader's page), "light" or "dark"
---@field width? integer pixels (what the description says, or 640)

--- Draws a description as SVG: one text that needs nothing else, for light and for dark pages.
--- ```lua
--- assert(pod.plot.line({ 3, 1, 2 }):svg { width = 300, theme = "dark" })
--- ```
---@param options? description.svg.options
---@return string # svg
function description:svg(options) end

---@class description.text.options
---@field ascii? boolean no letters beyond ASCII (where the locale has none)
---@field color? boolean pictures in half blocks of 24-bit colours, not in shades (false)
---@field graphics? string "kitty" or "sixel": drawn in pixels, for terminals that know that protocol
---@field height? integer rows of the field (15)
---@field width? integer columns (those of the terminal)

--- Draws a description as text: in Braille and half blocks, in ASCII where the locale is not UTF-8.
--- ```lua
--- print(pod.plot.line({ 3, 1, 2 }):text { width = 40, height = 5 })
--- ```
---@param options? description.text.options
---@return string # text lines, without a line break at the end
function description:text(options) end

---@class pod.plot.bar.options
---@field horizontal? boolean bars to the right
---@field labels? table names of the categories (1, 2, …)
---@field stacked? boolean bars of several series upon each other
---@field title? string what stands above

--- Draws bars from 0, of categories.
--- ```lua
--- print(pod.plot.bar({ conv2d = 40.5, dense = 12 }, { title = "ms a step" }))
--- ```
---@param data table a number for each: a list, a tensor, numbers by name; or several such as `pod.plot.line` takes them
---@param options? pod.plot.bar.options
---@return description # chart
function pod.plot.bar(data, options) end

---@class pod.plot.confusion_matrix.options
---@field height? integer pixels of an SVG
---@field labels? table names of the classes
---@field normalize? boolean shares of each row in the place of counts (false)
---@field title? string what stands above
---@field width? integer pixels of an SVG

--- Draws how often each class was taken for each: rows are what is true, columns what was predicted.
--- ```lua
--- print(pod.plot.confusion_matrix({ { 50, 2 }, { 3, 44 } }, { labels = { "cat", "dog" } }))
--- ```
---@param matrix table counts: rows of numbers, or a tensor of two axes
---@param options? pod.plot.confusion_matrix.options
---@return description # chart
function pod.plot.confusion_matrix(matrix, options) end

---@class pod.plot.heat_map.options
---@field annotate? boolean numbers in the cells (where there is room)
---@field columns? table names of the columns
---@field height? integer pixels of an SVG
---@field map? string colours: "viridis", "blues", "grey", or "diverging" (where numbers are below and above 0)
---@field range? table `{ low, high }` of the colours (those of the numbers)
---@field rows? table names of the rows
---@field title? string ("") what stands above
---@field width? integer pixels of an SVG (as cells need, at most 560)
---@field x_label? string ("") what stands below
---@field y_label? string ("") what stands at the left

--- Draws a matrix in colours, the first row above.
--- ```lua
--- print(pod.plot.heat_map({ { 1, 2 }, { 3, 4 } }, { rows = { "a", "b" } }))
--- ```
---@param matrix table rows of numbers, or a tensor of two axes
---@param options? pod.plot.heat_map.options
---@return description # chart
function pod.plot.heat_map(matrix, options) end

---@class pod.plot.histogram.options
---@field bins? integer parts (by the number of values: 5 to 60)
---@field height? integer pixels of an SVG (400)
---@field range? table `{ low, high }` in the place of the values' own
---@field title? string what stands above
---@field width? integer pixels of an SVG (640)
---@field x_label? string what stands below
---@field y_label? string what stands at the left
---@field y_log? boolean whether counts are logarithmic

--- Draws how values are distributed: how many lie in each of equal parts of their range.
--- Values that are not finite are not counted.
--- ```lua
--- print(pod.plot.histogram(pod.random.normal({ 100 }, { seed = 1 }), { bins = 10 }))
--- ```
---@param values table numbers, or a tensor of any shape
---@param options? pod.plot.histogram.options
---@return description # chart
function pod.plot.histogram(values, options) end

---@class pod.plot.image.options
---@field range? table `{ low, high }`: what is black and what is white
---@field title? string ("") what stands above
---@field width? integer pixels of an SVG

--- Draws a tensor as a picture.
--- ```lua
--- print(pod.plot.image(pod.random.uniform({ 8, 8 }, { seed = 1 })))
--- ```
---@param image tensor (height, width) or (height, width, channels) with 1 to 4 channels: uint8, floats from 0 to 1, or grey floats of any range
---@param options? pod.plot.image.options
---@return description # picture
function pod.plot.image(image, options) end

---@class pod.plot.image_grid.options
---@field columns? integer pictures in a row (about as many as rows)
---@field labels? table what stands below each
---@field range? table `{ low, high }`: what is black and what is white
---@field title? string ("") what stands above
---@field width? integer pixels of an SVG

--- Draws pictures beside each other.
--- ```lua
--- print(pod.plot.image_grid(pod.random.uniform({ 4, 6, 6, 1 }, { seed = 1 }), { columns = 2 }))
--- ```
---@param images table a list of tensors as `pod.plot.image` takes them, or a tensor (n, height, width, channels)
---@param options? pod.plot.image_grid.options
---@return description # picture
function pod.plot.image_grid(images, options) end

---@class pod.plot.line.options
---@field height? integer pixels of an SVG (400)
---@field legend? boolean names of series (where there are several)
---@field notes? table points with words: a list of `{ x =, y =, text = }`
---@field stacked? boolean areas upon each other
---@field title? string what stands above
---@field width? integer pixels of an SVG (640)
---@field x_label? string what stands below
---@field x_log? boolean whether x is logarithmic
---@field x_range? table `{ low, high }`
---@field y_label? string what stands at the left
---@field y_log? boolean whether y is logarithmic
---@field y_range? table `{ low, high }`

--- Draws lines.
--- Numbers that are not finite leave gaps; of many points those are drawn that can be seen.
--- ```lua
--- local chart = pod.plot.line({ loss = { 3, 2, 1.5 }, val_loss = { 3, 2.4, 2.2 } }, { title = "A run" })
--- print(chart)
--- ```
---@param data table numbers, or a tensor; `{ x =, y =, name =, mark = }`; a list of such, or a table by names; a tensor of two axes, a column each; a history. A mark is "line", "points" or "area"
---@param options? pod.plot.line.options
---@return description # chart
function pod.plot.line(data, options) end

--- Draws the scalars of a tag in all event files in a folder and those below it, a line each run.
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- local writer = pod.summary.writer(folder)
--- for step = 1, 5 do
---  writer:scalar("loss", 1 / step, step)
--- end
--- writer:close()
--- print(pod.plot.log(folder, "loss"))
--- ```
---@param dir string the folder
---@param tag string the name of the scalars
---@param options? table as `pod.plot.line` takes them
---@return description # chart
function pod.plot.log(dir, tag, options) end

--- Draws points.
--- ```lua
--- print(pod.plot.scatter({ x = { 1, 2, 3 }, y = { 2, 3.9, 6.2 } }, { title = "measured" }))
--- ```
---@param data table as `pod.plot.line` takes it
---@param options? table as `pod.plot.line` takes them
---@return description # chart
function pod.plot.scatter(data, options) end

--- Calls a function; what the script does within it has this name in profiles that are recorded meanwhile.
--- ```lua
--- pod.profiler.annotate("sum", function(a, b) return a + b end, 1, 2)
--- --> 3
--- ```
---@param name string the name, of up to 127 bytes
---@param fn function what is called
---@param ... any its arguments
---@return any # what the function returns
function pod.profiler.annotate(name, fn, ...) end

--- A callback that records a profile of some batches of a training: what `fit`'s option `profile_batch` adds.
--- ```lua
--- pod.profiler.batches({ 2, 3 }).last
--- --> 3
--- ```
---@param given integer|table the number of a batch, from 1, or { first, last }, with the field `directory` to save it
---@param where? string what messages begin with
---@return callback # whose `profile` is there when the batches are done
function pod.profiler.batches(given, where) end

--- Whether a profile is being recorded.
--- ```lua
--- pod.profiler.is_on()
--- --> false
--- ```
---@return boolean # on
function pod.profiler.is_on() end

--- Records while a function runs, and returns the profile. A function that ended before a step did is called once more:
--- a profile is never empty for that.
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p.overview.steps >= 0)
--- ```
---@param fn function what is recorded
---@return table # profile
function pod.profiler.record(fn) end

--- Begins to record. One profile is recorded at a time: another call raises.
--- Memory for it, about 24 MiB of which only what is written to is ever touched, is kept until the context ends.
--- ```lua
--- pod.profiler.start()
--- local sum = pod.ones({ 8 }):sum():item()
--- assert(#pod.profiler.stop():op_stats() > 0 and sum == 8)
--- ```
function pod.profiler.start() end

--- Ends the recording and returns the profile; raises where none is recorded.
--- ```lua
--- pod.profiler.start()
--- local y = (pod.ones { 8, 8 } + 1):data()
--- print(pod.profiler.stop().threads)
--- ```
---@return table # profile with `overview`, `ops`, `input`, `threads`, `steps`, `memory`, `pod` and `advice`, which print
function pod.profiler.stop() end

--- Returns the profile of what was recorded so far, and goes on recording: what a script that runs on did last.
--- ```lua
--- pod.profiler.start()
--- local sum = pod.ones({ 8 }):sum():item()
--- assert(#pod.profiler.take():op_stats() > 0 and sum == 8) -- and goes on recording
--- pod.profiler.stop()
--- ```
---@return table # profile
function pod.profiler.take() end

--- Records while a function runs, as `pod.profiler.record` does, and writes what there is to tell into a folder, also
--- when the function raised.
--- ```lua
--- local folder = os.tmpname() .. "_profile"
--- pod.profiler.trace(folder, function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(io.open(folder .. "/overview.txt"))
--- ```
---@param directory string the folder, which is made
---@param fn function what is recorded
---@return table # profile
function pod.profiler.trace(directory, fn) end

--- Finds the slowest stage of the input: of those that work, the one whose busiest thread works most.
--- ```lua
--- local p = pod.profiler.record(function() return pod.data.range(1000):batch(10):totable() end)
--- local stage = p:bottleneck()
--- assert(stage == nil or stage.share > 0)
--- ```
---@return table # stage { name =, stage =, share = (of the recording), fix = (what helps) }; nil where none was recorded
function profile:bottleneck() end

--- Draws a chart of a profile.
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:chart "ops":svg():find "<svg")
--- ```
---@param name string "parts", "steps", "ops", "layers", "stages", "roofline", "memory_in_step", "memory_over_steps", "memory_by_layer", "threads", "counters" or "feeds"
---@return description # chart with the readers text and svg; nil where there is nothing to draw
function profile:chart(name) end

--- What changed from this profile to a later one, by part of a step, op, layer and line.
--- ```lua
--- local function work() return (pod.ones { 64, 64 } * 2):data() end
--- local before, after = pod.profiler.record(work), pod.profiler.record(work)
--- assert(before:compare(after).ratio > 0)
--- ```
---@param other moonpod.profile the later profile; both have a step
---@return table # comparison before, after (seconds a step), ratio, row_ratio, and parts, ops, layers, lines: tables of before, after, change and ratio; `:chart "parts"` and so on draws one, `:csv()` has all
function profile:compare(other) end

--- Lists what threads did and when, in the order in which it began: what the trace shows, each thread's newest events.
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:events()[1].began >= 0)
--- ```
---@return table # rows of `thread`, `kind` ("span", "stage", "instruction", "meeting", "feed", "run" or "step"), `part`, `name`, and `began` and `seconds` in seconds of the recording; prints as a table, and has `:csv()`
function profile:events() end

---@class profile.op_stats.options
---@field roof? boolean also `share_of_roof` and `bound`, for which this machine is measured, once (false)

--- Sums time on all threads, calls, FLOPs and bytes of all steps, the slowest first.
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:op_stats "op"[1].calls > 0)
--- ```
---@param by? string "op" (as when not given), "layer", "line" (of the script) or "instruction"
---@param options? profile.op_stats.options
---@return table # rows of the key that `by` names, `seconds`, `share`, `calls`, `flops`, `bytes`, `flops_per_second` and `bytes_per_second` (of a thread) and `intensity` (FLOPs a byte); prints as a table, and has `:csv()`
function profile:op_stats(by, options) end

--- Compares what ops achieve with what this machine could, which is measured once, for some tenths of a second.
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:roofline "op".roofs)
--- ```
---@param by? string "op" (as when not given), "layer", "line" or "instruction"
---@return table # roofline points (rows), step and roofs
function profile:roofline(by) end

---@class profile.save.options
---@field before? moonpod.profile an earlier profile: what changed is written, too
---@field measure? boolean (true) false: without roofline and advice, for which this machine is measured (true)

--- Writes all there is into a folder, which is made with those above it: trace.json, trace.perfetto, profile.pb.gz (of
--- pprof), report.html, overview.txt, and each table as CSV. These are overview, parts, input, categories, stages, pod,
--- replicas, ops, layers, lines, instructions, roofline, threads, counters, steps, memory, memory_layers,
--- memory_timeline, memory_steps, trace, advice and changes.
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- local paths = p:save(os.tmpname() .. "_profile", { measure = false })
--- assert(io.open(paths["overview.txt"]))
--- ```
---@param directory string the folder
---@param options? profile.save.options
---@return table # paths of the files by their names
function profile:save(directory, options) end

---@class profile.save_html.options
---@field before? moonpod.profile an earlier profile: a view more shows what changed
---@field measure? boolean (true) false: without the roofline and advice, for which this machine is measured (true)

--- Writes one page of HTML with all views, which needs no network and no other file.
--- ```lua
--- local path = os.tmpname()
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:save_html(path, { measure = false }) == path)
--- os.remove(path)
--- ```
---@param path string the file, written whole or not at all
---@param options? profile.save_html.options
---@return string # path
function profile:save_html(path, options) end

--- Writes the events as Perfetto's TrackEvents (protocol buffers), a quarter of the JSON's size.
--- ```lua
--- local path = os.tmpname()
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:save_perfetto(path) == path)
--- os.remove(path)
--- ```
---@param path string the file, written whole or not at all
---@return string # path
function profile:save_perfetto(path) end

--- Writes sums by op, layer and line of source as pprof's profile.proto, compressed: for `go tool pprof`.
--- ```lua
--- local path = os.tmpname()
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:save_pprof(path) == path)
--- os.remove(path)
--- ```
---@param path string the file, written whole or not at all
---@return string # path
function profile:save_pprof(path) end

--- Writes the events as JSON of Chrome's trace format, which Perfetto and chrome://tracing open.
--- ```lua
--- local path = os.tmpname()
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:save_trace(path) == path)
--- os.remove(path)
--- ```
---@param path string the file, written whole or not at all
---@return string # path
function profile:save_trace(path) end

--- Names of slices, smallest first; past `most` the middle is left out.
--- ```lua
--- #pod.chips("v3"):slice_names() > 0
--- --> true
--- ```
---@param most? integer
function chip:slice_names(most) end

--- The slices that have names, smallest first.
--- ```lua
--- #pod.chips("v3"):slices() > 0
--- --> true
--- ```
function chip:slices() end

---@class pod.add_chip.options
---@field based_on? string the generation that it is like, as "v5e"
---@field bf16_flops? number a chip's peak a second; with it the other peaks are not taken from the base
---@field clock_mhz? integer MHz
---@field cmem_bytes? integer bytes of a chip's common memory; 0 for none
---@field cores? integer TensorCores of a chip
---@field devices? integer what programs run on: 1, all cores as one, or as many as cores
---@field fp8_flops? number a chip's peak a second
---@field hbm_bytes? integer bytes of a chip, as built; hbm_limit_bytes goes with it
---@field hbm_bytes_per_second? number bytes a second of a chip
---@field hbm_limit_bytes? integer bytes that a program on one device may use
---@field hbm_reserved_bytes? integer bytes that the system keeps of a device's
---@field host_shape? integer[] chips of a host along each axis
---@field int4_ops? number a chip's peak a second
---@field int8_ops? number a chip's peak a second
---@field lanes? integer of a vector register: 128
---@field layout_rows? integer fewest rows of a tile, in words of 32 bits: 2 up to v3, else 1
---@field link_bytes_per_second? number bytes a second of a link, one way
---@field link_usable_per_second? number the same as measured (default as said)
---@field links? integer links of a chip to others
---@field mxu_size? integer rows and columns of one
---@field mxus_per_core? integer matrix units of a core
---@field name_counts? "cores"|"chips" what the number in a slice's name counts
---@field network_bytes_per_second? number bytes a second from host to host
---@field packs_below_bytes? boolean whether elements of 4 bits take half a byte
---@field pcie_bytes_per_second? number bytes a second from host to chip
---@field pod_chips? integer chips of the largest slice (default all of pod_shape)
---@field pod_shape? integer[] chips of a full pod along each axis: { 16, 16 } or { 16, 16, 16 }
---@field product? string what reports call it (default its name)
---@field smem_bytes? integer bytes of a core's scalar memory
---@field sparse_cores? integer SparseCores of a chip; 0 for none
---@field sublanes? integer of a vector register: 8
---@field vmem_bytes? integer bytes of a core's vector memory
---@field name? string up to 12 letters and digits in lower case

--- Adds a chip of one's own beside the generations: from then on its name stands wherever theirs may ("v9x", slices as
--- "v9x-8" and "v9x:2x4"). It is planned for by the rules of compiling of the generation that it is based on, and what
--- is not given is as there. Reports say that its numbers are its user's. A name stands for the same numbers as long
--- as the process runs.
--- ```lua
--- pod.add_chip({ name = "v5half", based_on = "v5e", hbm_bytes = 2^33, hbm_limit_bytes = 8e9 }).cores
--- --> 1
--- ```
---@param options? pod.add_chip.options
---@return chip
function pod.add_chip(options) end

--- Adds the chips of a file (JSON): docs/reference/formats.md says what is in it. All of them, or none where one is
--- refused.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write [[{ "format": "moonpod", "kind": "chips", "version": "1.0",
---   "chips": [{ "name": "v5double", "based_on": "v5e", "hbm_bytes": 34359738368, "hbm_limit_bytes": 33554432000 }] }]]
--- file:close()
--- assert(pod.add_chips(path)[1].name == "v5double")
--- os.remove(path)
--- ```
---@param path string the file
---@return chip[]
function pod.add_chips(path) end

---@class pod.auto_strategy.options
---@field prefer? string|string[] what is taken where there is no TPU, as "v3-8" or "cpu"; the first that is possible
---@field sink? function gets the line that is said, in the place of stderr
---@field tpu? string the name of a TPU to ask for
---@field verbose? integer 1: says more (default); 0: one line only

--- Takes a TPU where there is one, else what is preferred here, and says so on stderr.
--- ```lua
--- pod.auto_strategy({ prefer = "cpu", sink = function() end }).num_replicas_in_sync
--- --> 1
--- ```
---@param options? pod.auto_strategy.options
---@return strategy
function pod.auto_strategy(options) end

--- pod.chips() lists the generations, oldest first, then chips that were added; also by name: pod.chips().v3.
--- pod.chips "v3" is one of them; a slice's name does as well.
--- ```lua
--- pod.chips("v3").name
--- --> "v3"
--- ```
---@param name any
function pod.chips(name) end

---@class pod.cluster.auto_strategy.options
---@field prefer? string|string[] what is taken where there is no TPU, as "v3-8" or "cpu"; the first that is possible
---@field sink? function gets the line that is said, in the place of stderr
---@field tpu? string the name of a TPU to ask for
---@field verbose? integer 1: says more (default); 0: one line only

--- Takes a TPU where there is one, else what is preferred here, and says so on stderr.
--- ```lua
--- pod.auto_strategy({ prefer = "cpu", sink = function() end }).num_replicas_in_sync
--- --> 1
--- ```
---@param options? pod.cluster.auto_strategy.options
---@return strategy
function pod.cluster.auto_strategy(options) end

--- Makes a resolver's cores those that devices are named by.
--- ```lua
--- local resolver = pod.cluster.resolve "v3-8"
--- pod.cluster.connect(resolver)
--- assert(pod.cluster.initialize(resolver).num_cores == 8)
--- pod.cluster.shutdown(resolver)
--- ```
---@param resolver any
function pod.cluster.connect(resolver) end

--- Resolves, connects and initialises.
--- ```lua
--- local resolver = pod.cluster.connect_to "v3-8"
--- assert(resolver:num_replicas() == 8)
--- pod.cluster.shutdown(resolver)
--- ```
---@param options? any
function pod.cluster.connect_to(options) end

--- Initialises the system and returns its topology. Doing it again forgets compiled programs, and variables made
--- before are lost.
--- ```lua
--- local resolver = pod.cluster.resolve "v3-8"
--- assert(pod.cluster.initialize(resolver).num_chips == 4)
--- pod.cluster.shutdown(resolver)
--- ```
---@param resolver any
function pod.cluster.initialize(resolver) end

---@class pod.cluster.resolve.options
---@field accelerator? string "v3-8" and the like, or "local"; it may stand for the table
---@field coordinator_address? string taken for TensorFlow's sake
---@field coordinator_name? string taken for TensorFlow's sake
---@field credentials? string ("default") taken for TensorFlow's sake
---@field discovery_url? string taken for TensorFlow's sake
---@field host? "vm"|"node" ("vm") a TPU VM, whose own processors read the data (default), or a TPU Node of the old kind, which refuses pipelines with Lua functions
---@field job_name? string ("worker") the job in names of devices
---@field num_cores? integer (8) of "local": how many cores
---@field project? string taken for TensorFlow's sake
---@field service? any taken for TensorFlow's sake
---@field topology? string the shape of a slice, as "4x4"
---@field tpu? string the name of a real TPU
---@field version? string the generation, as "v3"
---@field zone? string taken for TensorFlow's sake

--- Finds cores: an accelerator by name ("v3-8", "local") is the replicated engine here; `tpu` asks for a real one.
--- Without one the environment says which (`TPU_ACCELERATOR_TYPE`, `TPU_TOPOLOGY`), then the file
--- `~/.config/moonpod/cluster.json`, which has options as JSON, then it is a v3-8. What was given or found are fields
--- of the resolver: `accelerator`, `version`, `topology`, `num_cores`, `host`, `zone` and the others.
--- ```lua
--- pod.cluster.resolve("v3-8"):num_replicas()
--- --> 8
--- ```
---@param options? pod.cluster.resolve.options
---@return resolver
function pod.cluster.resolve(options) end

--- Gives the system back: programs and variables are forgotten.
--- ```lua
--- local resolver = pod.cluster.connect_to "v3-8"
--- pod.cluster.shutdown(resolver)
--- assert(not pcall(pod.distribute.tpu_strategy, resolver))
--- ```
---@param resolver any
function pod.cluster.shutdown(resolver) end

--- pod.memory_info "/TPU:0": { current =, peak =, limit =, largest_free =, fragmentation = } of a core of the resolver
--- in use. They are what variables and tensors take of its HBM, with padding; peak counts the programs that were
--- trained. Of this host it is pod.memory_info "/CPU:0": { current =, peak = }.
--- ```lua
--- pod.advisor.memory_info("/CPU:0").peak >= pod.advisor.memory_info("/CPU:0").current
--- --> true
--- ```
---@param name any
function pod.memory_info(name) end

---@class pod.padding.options
---@field chip? string|chip (default "v3")
---@field layout? string|integer[] forces one: "{0,1}" or { 0, 1 }
---@field memory_space? integer where it lies
---@field policy? "compact"|"row_major_2021"|"convolution_2021" how a layout is chosen (default "compact")
---@field shape? integer[] its sizes
---@field text? string the array in a notation
---@field tile? integer[] forces a tile
---@field dtype? string its type, as "f32"

--- How much of an array is padding in a TPU's memory: `pod.padding "s32[29360128,10]{1,0:T(8,128)}"` measures one in
--- XLA's notation (or StableHLO's, "tensor<1024x10xf32>"), `pod.padding { shape = { 128, 18 }, dtype = "f32" }` chooses
--- a layout.
--- ```lua
--- pod.padding({ shape = { 128, 18 }, dtype = "f32" }).shape[2]
--- --> 18
--- ```
---@param array any
---@param options? pod.padding.options
---@return padding # which prints
function pod.padding(array, options) end

---@class pod.topology.options
---@field topology? string the shape, as "4x4"
---@field version? string the generation, as "v3"
---@field wrap? boolean whether the ends of every axis are linked; by default the rule of the generation says
---@field name? string the name of a slice, as "v3-32"

--- How the chips of a slice are connected: `pod.topology "v3-32"`, `"v4:2x2x4"`, or by options.
--- ```lua
--- pod.topology("v4:2x2x4"):hops(0, 1)
--- --> 1
--- ```
---@param name any
---@param options? pod.topology.options
---@return topology # which prints
function pod.topology(name, options) end

--- Scripts that connect or initialise do so in TensorFlow's order; scripts that do neither need not.
--- ```lua
--- local resolver = pod.cluster.resolve "v3-8"
--- pod.cluster.connect(resolver)
--- assert(not pcall(resolver.check_ready, resolver, "train")) -- it is not initialised
--- ```
---@param where string
function resolver:check_ready(where) end

--- The cores as rows for pod.devices.
--- ```lua
--- type(pod.cluster.resolve("v3-8"):device_table())
--- --> "table"
--- ```
function resolver:device_table() end

--- A line that says which cores this stands for, and why.
--- ```lua
--- type(pod.cluster.resolve("v3-8"):explain())
--- --> "string"
--- ```
function resolver:explain() end

--- "sim://v3-8": the cores are replicated here.
--- ```lua
--- pod.cluster.resolve("v3-8"):master()
--- --> "sim://v3-8"
--- ```
function resolver:master() end

--- What the slice is made of.
--- ```lua
--- type(pod.cluster.resolve("v3-8"):metadata())
--- --> "table"
--- ```
function resolver:metadata() end

--- How many replicas a strategy on it has: devices (a megacore is one).
--- ```lua
--- pod.cluster.resolve("v3-8"):num_accelerators()
--- --> 8
--- ```
function resolver:num_accelerators() end

resolver.num_replicas = resolver.num_accelerators

--- The chip at a place.
--- ```lua
--- pod.topology("v4:2x2x4"):chip_at({ 1, 1, 0 })
--- --> 3
--- ```
---@param place any
function topology:chip_at(place) end

--- The place of a chip along each axis, from 0.
--- ```lua
--- pod.topology("v4:2x2x4"):coordinates(3)
--- --> { 1, 1, 0 }
--- ```
---@param chip? anything
function topology:coordinates(chip) end

--- The slice as text: chips by their numbers, links between them, dashed ends where an axis wraps.
--- ```lua
--- type(pod.topology("v4:2x2x1"):draw())
--- --> "string"
--- ```
function topology:draw() end

--- The fewest links between two chips.
--- ```lua
--- pod.topology("v4:2x2x4"):hops(0, 1)
--- --> 1
--- ```
---@param from? anything
---@param to? anything
function topology:hops(from, to) end

--- The chips that a chip is linked with. Chips count from 0, the first axis fastest.
--- ```lua
--- #pod.topology("v4:2x2x4"):neighbors(0)
--- --> 3
--- ```
---@param chip? anything
function topology:neighbors(chip) end

topology.neighbours = topology.neighbors

--- Applies a remedy (by its place in the list, 1 if not said) to the model, and returns the report of what it is then.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(300, { input_shape = { 300 } }), pod.layers.dense(300) }
--- model:compile { loss = "mse", optimizer = "adam" }
--- local report = model:memory_report("v3", { batch = 2048 })
--- local remedy = report:remedies()[1]
--- assert(report:apply().need_bytes == remedy.need_bytes)
--- ```
---@param number? integer
function memory_report:apply(number) end

--- Gives the plan's memory back; the numbers stay.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- local report = model:memory_report("v5e", { batch = 4 })
--- report:close()
--- assert(report.verdict == "fits")
--- ```
function memory_report:close() end

--- Writes the viewer as one HTML page; returns it as text where no path is given.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }):html():find "^<!DOCTYPE html>")
--- ```
---@param path? string
function memory_report:html(path) end

--- The temporaries in HBM summed up by layer, the largest first: an array that prints, of { layer =, padded_bytes =,
--- unpadded_bytes =, expansion = }.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(#model:memory_report("v5e", { batch = 4 }):layers() > 0)
--- ```
function memory_report:layers() end

--- What would need less, the most first: an array that prints, of { title =, call =, need_bytes =, saves_bytes =,
--- verdict = }. Each is computed: the changed program is lowered.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(#model:memory_report("v5e", { batch = 4 }):remedies() == 0) -- nothing would need less
--- ```
function memory_report:remedies() end

--- Writes the viewer's chart as SVG; returns it as text where no path is given.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }):svg():find "^<svg")
--- ```
---@param path? string
function memory_report:svg(path) end

---@class memory_report.text.options
---@field largest? integer how many buffers are listed (default 10)

--- The report as text: "today" (as it prints), "2021" or "2026" (the errors of a TPU's compiler of those years).
--- Options: largest (buffers that are listed, 10).
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }):text("2021"):find "Total hbm usage")
--- ```
---@param form? anything
---@param options? memory_report.text.options
function memory_report:text(form, options) end

---@class memory_report.viewer.options
---@field height? integer lines (default 16)
---@field width? integer columns (default: the terminal's)

--- The memory viewer as text: HBM in use over the program's order, and what lives at the peak. Options: width (the
--- terminal's), height (16 lines).
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }):viewer({ width = 60, height = 4 }):find "peak")
--- ```
---@param options? memory_report.viewer.options
function memory_report:viewer(options) end

---@class pod.advise.options
---@field chip? string|chip ("v3") which chip (default "v3")
---@field cores? integer of how many cores the batch is
---@field donate? boolean whether results take over the buffers of arguments of their type, as where PyTorch/XLA updates tensors in place
---@field policy? string which policy of layouts: "compact" or "row_major_2021"

--- What the StableHLO module in a file takes of a chip, and what the chip refuses of it. The result prints. Its
--- fields are `memory` (a report, as `model:memory_report` gives), `unknown` (ops of which it is not known what they
--- need inside) and `compatibility` (what is refused or slow, as `model:check_tpu` gives). Then `parameters`,
--- `outputs`, `notes`, `device_argument_bytes` (of a module that the compiler divides), `verdict` ("fits",
--- "does_not_fit", "cannot_say").
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write(pod.func(function(x) return x * 2 end):stablehlo(pod.spec { 2, 3 }))
--- file:close()
--- assert(pod.advise(path, { chip = "v5e" }).verdict == "fits")
--- os.remove(path)
--- ```
---@param path string a file of StableHLO text, as JAX and TensorFlow write it
---@param options? pod.advise.options
---@return advice
function pod.advise(path, options) end

---@class pod.advisor.advise.options
---@field chip? string|chip ("v3") which chip (default "v3")
---@field cores? integer of how many cores the batch is
---@field donate? boolean whether results take over the buffers of arguments of their type, as where PyTorch/XLA updates tensors in place
---@field policy? string which policy of layouts: "compact" or "row_major_2021"

--- What the StableHLO module in a file takes of a chip, and what the chip refuses of it. The result prints. Its
--- fields are `memory` (a report, as `model:memory_report` gives), `unknown` (ops of which it is not known what they
--- need inside) and `compatibility` (what is refused or slow, as `model:check_tpu` gives). Then `parameters`,
--- `outputs`, `notes`, `device_argument_bytes` (of a module that the compiler divides), `verdict` ("fits",
--- "does_not_fit", "cannot_say").
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write(pod.func(function(x) return x * 2 end):stablehlo(pod.spec { 2, 3 }))
--- file:close()
--- assert(pod.advise(path, { chip = "v5e" }).verdict == "fits")
--- os.remove(path)
--- ```
---@param path string a file of StableHLO text, as JAX and TensorFlow write it
---@param options? pod.advisor.advise.options
---@return advice
function pod.advisor.advise(path, options) end

---@class pod.advisor.batch_rules.options
---@field batch? integer rows a core
---@field features? integer (128) the size of the features' axis (default 128)
---@field replicas? integer (1) how many cores (default 1)

--- Which of the published rules for sizes hold, and what would: an array that prints.
--- ```lua
--- pod.advisor.batch_rules({ batch = 100, replicas = 8 })[1].holds
--- --> false
--- ```
---@param options? pod.advisor.batch_rules.options
---@return table
function pod.advisor.batch_rules(options) end

--- pod.memory_info "/TPU:0": { current =, peak =, limit =, largest_free =, fragmentation = } of a core of the resolver
--- in use. They are what variables and tensors take of its HBM, with padding; peak counts the programs that were
--- trained. Of this host it is pod.memory_info "/CPU:0": { current =, peak = }.
--- ```lua
--- pod.advisor.memory_info("/CPU:0").peak >= pod.advisor.memory_info("/CPU:0").current
--- --> true
--- ```
---@param name any
function pod.advisor.memory_info(name) end

---@class pod.advisor.whatif.options
---@field batch? integer[] the batches, rows a core
---@field chip? string|string[] which chip or chips, also added ones (default: that of the model's strategy, else "v3")
---@field data? dataset whose elements say types and shapes
---@field kind? string which step: "train" (default), "evaluate" or "predict"
---@field policy? string which policy of layouts
---@field sample_weight? tensor as `x`
---@field x? tensor which says them, in the place of `data`
---@field y? tensor as `x`

--- What each of some batches would need, side by side, on a chip or on several: an array that prints. Rows are reports
--- as `memory_report` gives them, with `expansion`: padded to unpadded bytes at the peak.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
--- model:compile { loss = "mse" }
--- local rows = pod.advisor.whatif(model, { chip = "v3", batch = { 64, 128 } })
--- assert(#rows == 2 and rows[1].batch == 64 and rows[2].need_bytes >= rows[1].need_bytes)
--- ```
---@param model model compiled
---@param options? pod.advisor.whatif.options
---@return table
function pod.advisor.whatif(model, options) end

--- pod.explain(text): what the messages in a text mean, of TensorFlow, XLA, JAX and PyTorch/XLA. A list of { name,
--- from, cause, cure, facts, page }, which prints readably. It is empty where no message is known. What Moonpod itself
--- says has its cause and its cure in the message.
--- ```lua
--- pod.explain("Loss is NaN")[1].page
--- --> "docs/reference/messages.md#nan-losses"
--- ```
---@param text any
function pod.explain(text) end

---@class pod.op_rules.options
---@field host? "vm"|"node" ("vm") a TPU VM, or a TPU Node of the old kind

--- The verdict of a chip on every operation there is.
--- ```lua
--- #pod.op_rules("v5e") > 50
--- --> true
--- ```
---@param chip string|chip as "v5e"
---@param options? pod.op_rules.options
---@return table # a list of { op, support, reason, instead }
function pod.op_rules(chip, options) end

--- An array of a tensor a replica, with its true rows.
--- ```lua
--- local value = pod.distribute.mirrored(2):split(pod.tensor { 1, 2, 3 })
--- assert(value:values()[1].shape[1] == 2 and value:values()[2].shape[1] == 1)
--- ```
function per_replica:values() end

--- The same kind of value of another tensor.
--- ```lua
--- local value = pod.distribute.mirrored(2):from_values { pod.tensor(1), pod.tensor(2) }
--- assert(value:with_tensor(value.tensor * 10):values()[2]:item() == 20)
--- ```
---@param t tensor|number
function per_replica:with_tensor(t) end

--- Raises unless two objects were made under one strategy; `what` says what the second is.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1) }
--- pod.distribute.check_same_strategy(model, pod.variable(1), "variable")
--- local other = pod.distribute.mirrored(2):scope(function() return pod.variable(1) end)
--- assert(not pcall(pod.distribute.check_same_strategy, model, other, "variable"))
--- ```
---@param owner table
---@param other table
---@param what string
function pod.distribute.check_same_strategy(owner, other, what) end

--- The strategy of scripts that name none: one replica.
--- ```lua
--- pod.distribute.default_strategy().num_replicas_in_sync
--- --> 1
--- ```
function pod.distribute.default_strategy() end

--- Which cores each replica has: moonpod.distribute.device_assignment.
--- ```lua
--- pod.distribute.device_assignment(pod.topology "v3-8", { num_replicas = 8 }).num_replicas
--- --> 8
--- ```
---@param topology? anything
---@param options? table
function pod.distribute.device_assignment(topology, options) end

--- The innermost open scope's strategy, or the default one.
--- ```lua
--- pod.distribute.get_strategy().num_replicas_in_sync
--- --> 1
--- ```
function pod.distribute.get_strategy() end

--- The number of rows of the whole batch (int32) that a tensor is this replica's part of.
--- ```lua
--- pod.distribute.global_rows(pod.ones { 4, 3 })
--- --> 4
--- ```
---@param t tensor|number
function pod.distribute.global_rows(t) end

--- Whether this runs within a scope or a replica of a strategy other than the default one.
--- ```lua
--- pod.distribute.has_strategy()
--- --> false
--- ```
function pod.distribute.has_strategy() end

--- True inside of strategy:run.
--- ```lua
--- pod.distribute.in_replica_context()
--- --> false
--- ```
function pod.distribute.in_replica_context() end

--- Whether a value has one part for each replica.
--- ```lua
--- pod.distribute.is_per_replica(pod.ones { 2 })
--- --> false
--- ```
---@param value any
function pod.distribute.is_per_replica(value) end

---@class pod.distribute.mirrored.options
---@field num_hosts? integer (1) how many hosts the cores belong to

--- n replicas without the rules of a TPU. Options: num_hosts, among which they, and the input, are divided (1).
--- ```lua
--- pod.distribute.mirrored(4).num_replicas_in_sync
--- --> 4
--- ```
---@param n? integer
---@param options? pod.distribute.mirrored.options
function pod.distribute.mirrored(n, options) end

--- Runs fn(...); meanwhile what a core does in strategy:run is told to observe(graph, strategy), before its replicas
--- are made: the graph of one core, with the new values of variables as aliases. It is the observer's to close.
--- ```lua
--- local strategy, seen = pod.distribute.mirrored(2), 0
--- pod.distribute.observe_cores(function(graph)
---   seen = seen + 1
---   graph:close()
--- end, pod.func(function() return strategy:run(function() return pod.ones { 2 } end) end))
--- assert(seen == 1)
--- ```
---@param observe function
---@param fn function
---@param ... any
function pod.distribute.observe_cores(observe, fn, ...) end

--- The context of the replica that is traced; raises outside of strategy:run.
--- ```lua
--- local value = pod.distribute.mirrored(2):run(function()
---   return pod.tensor(pod.distribute.replica_context().num_replicas_in_sync)
--- end)
--- assert(value:values()[2]:item() == 2)
--- ```
function pod.distribute.replica_context() end

--- The number of this replica, from 0: a tensor within strategy:run().
--- ```lua
--- local value = pod.distribute.mirrored(2):run(function() return pod.distribute.replica_id() * 10 end)
--- assert(value:values()[2]:item() == 10)
--- ```
function pod.distribute.replica_id() end

--- Sums over replicas inside of strategy:run; the same value outside.
--- ```lua
--- pod.distribute.sum_over_replicas(pod.tensor { 1, 2 })
--- --> { 1, 2 }
--- ```
---@param value tensor|number
function pod.distribute.sum_over_replicas(value) end

---@class pod.distribute.tpu_strategy.options
---@field device_assignment? device_assignment which core does what

--- Replicas on the cores of a resolver. Options: device_assignment, where a replica spans several cores.
--- ```lua
--- local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve "v3-8")
--- assert(strategy.num_replicas_in_sync == 8)
--- pod.device.set_resolver(nil) -- names of devices are again those of this host
--- ```
---@param resolver? anything
---@param options? pod.distribute.tpu_strategy.options
function pod.distribute.tpu_strategy(resolver, options) end

--- Runs fn with a strategy (nil: the current one) whatever scope is open: for building lazily what belongs to it.
--- ```lua
--- pod.distribute.within(pod.distribute.mirrored(2), function()
---   assert(pod.distribute.get_strategy().num_replicas_in_sync == 2)
--- end)
--- ```
---@param strategy? strategy
---@param fn function
---@param ... any
function pod.distribute.within(strategy, fn, ...) end

--- Divides a dataset that is batched by the global size among the replicas.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- for value in strategy:distribute_dataset(pod.data.range(4):batch(4)):iter() do
---   assert(value:values()[1].shape[1] == 2)
--- end
--- ```
---@param dataset any
---@param options? table
function strategy:distribute_dataset(dataset, options) end

strategy.experimental_distribute_dataset = strategy.distribute_dataset

--- A dataset a host from fn(input_context), batched by the size of a replica.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local ds = strategy:distribute_datasets_from_function(function(context)
---   return pod.data.range(4):batch(context:get_per_replica_batch_size(4))
--- end)
--- for value in ds:iter() do
---   assert(value:values()[1].shape[1] == 2)
--- end
--- ```
---@param fn function
---@param options? table
function strategy:distribute_datasets_from_function(fn, options) end

strategy.experimental_distribute_datasets_from_function = strategy.distribute_datasets_from_function

--- One value a replica from fn(context), where context.replica_id_in_sync_group counts from 0.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:experimental_distribute_values_from_function(function(context)
---   return pod.tensor(context.replica_id_in_sync_group * 10)
--- end)
--- assert(value:values()[2]:item() == 10)
--- ```
---@param fn function
function strategy:experimental_distribute_values_from_function(fn) end

--- An array of the values of this host's replicas.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:from_values { pod.tensor(1), pod.tensor(2) }
--- assert(#strategy:experimental_local_results(value) == 2)
--- ```
---@param value any
function strategy:experimental_local_results(value) end

strategy.local_results = strategy.experimental_local_results

--- Per-replica values of an array of tensors, one a replica.
--- ```lua
--- local value = pod.distribute.mirrored(2):from_values { pod.tensor(1), pod.tensor(2) }
--- assert(value:values()[2]:item() == 2)
--- ```
---@param list any
function strategy:from_values(list) end

--- Joins the replicas' values along an axis.
--- ```lua
--- pod.distribute.mirrored(2):gather(pod.ones { 4 }, 0).shape
--- --> (4,)
--- ```
---@param value any
---@param axis? integer
function strategy:gather(value, axis) end

--- The global batch of a batch a replica.
--- ```lua
--- pod.distribute.mirrored(4):global_batch(32)
--- --> 128
--- ```
---@param rows integer
function strategy:global_batch(rows) end

--- Makes one tensor of per-replica values: op is "sum" or "mean". axis also reduces within each value (0: over rows,
--- of which only true ones count).
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:from_values { pod.tensor(1), pod.tensor(2) }
--- assert(strategy:reduce("sum", value):item() == 3)
--- ```
---@param op string
---@param value any
---@param axis? integer
function strategy:reduce(op, value, axis) end

--- Runs fn on every replica: args is an array. Per-replica values among them are taken apart, other tensors are the
--- same for all. fn is traced once, for one core. Returns per-replica values.
--- ```lua
--- pod.distribute.mirrored(2):run(function() return pod.tensor(1) end) ~= nil
--- --> true
--- ```
---@param fn function
---@param args? table
---@param kwargs? table
function strategy:run(fn, args, kwargs) end

--- Divides a tensor (or a nested table of them) by rows among the replicas: full shards first.
--- ```lua
--- pod.distribute.mirrored(2):split(pod.ones { 4, 2 }) ~= nil
--- --> true
--- ```
---@param value any
function strategy:split(value) end

--- The trace for arguments like these (tensors or specs).
--- ```lua
--- pod.func(function(x) return x * 2 end):concrete(pod.spec({ 2 }, "float32")) ~= nil
--- --> true
--- ```
---@param ... any
function func:concrete(...) end

--- Writes the function as a program with its variables, for hosts without Lua: see moonpod.saving.export.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- pod.func(function(x) return x * 2 end):export(path, { pod.spec { 3 } })
--- assert(pod.load_exported(path)(pod.ones { 3 }):sum():item() == 6)
--- os.remove(path)
--- ```
---@param ... any
function func:export(...) end

--- What a call takes of a chip's memory, or with no chip of this host's: see moonpod.advisor.model_memory.
--- ```lua
--- local fn = pod.func(function(x) return x * 2 end)
--- assert(fn:memory_report("v5e", { arguments = { pod.spec { 2, 3 } } }).verdict == "fits")
--- ```
---@param ... any
function func:memory_report(...) end

---@class func.run_steps.options
---@field arguments? table what follows the arguments of the input
---@field pause? table runs in slices: `wait()` before each may yield, and gives its nanoseconds (0: to the end); `execution` is what runs; `meet(written, read)` gets its variables; `is_alone()`: on this thread

--- Runs at most `count` steps in C; each step's arguments come from `input`. Returns the results of the last step
--- (nil when none was done) as one value or a packed table, and a report { steps =, ended =, interrupted = }.
--- A run is short where the next arguments have other types; the next call goes on with them. What the input raises
--- is raised here, behind the steps before it.
--- ```lua
--- local total = pod.variable(0)
--- local step = pod.func(function(x) total:assign_add(x:cast "float32") end)
--- local _, report = step:run_steps(10, pod.data.range(5):iterator())
--- assert(report.steps == 5 and total:item() == 10)
--- ```
---@param count integer how many steps at most; 0 runs none
---@param options? func.run_steps.options
function func:run_steps(count, options) end

--- The traced signatures with what they return: an array of "step(float32(2,), 3) -> float32(2,)".
--- ```lua
--- #pod.func(function(x) return x end):signatures()
--- --> 0
--- ```
function func:signatures() end

--- The step of one core as StableHLO text, which JAX's and other compilers read: for arguments like those given (specs
--- and tensors among them), or like those of the last trace.
--- ```lua
--- local text = pod.func(function(x) return x * 2 end):stablehlo(pod.spec { 2, 3 })
--- assert(text:find("stablehlo.multiply", 1, true))
--- ```
---@param ... any
function func:stablehlo(...) end

--- Arguments without values: like those given (specs and tensors among them), or as those of the last trace. Returns
--- their skeleton and types; nil where there was no trace.
--- ```lua
--- local fn = pod.func(function(x) return x * 2 end)
--- local _, leaves = fn:stand_in_arguments { pod.spec { 2, 3 } }
--- assert(leaves[1].shape[2] == 3)
--- ```
---@param arguments? table
function func:stand_in_arguments(arguments) end

--- What has been traced: an array of { signature =, count = runs, cause =, location =, trace_seconds =, compile_seconds
--- =, bucket = }. With batch_buckets `bucket` is { rows = of its program, given = rows of all calls, padding = rows
--- that filled them up }.
--- ```lua
--- pod.func(function(x) return x end):traces()
--- --> {}
--- ```
function func:traces() end

--- Stands for a size that any number fits, as -1 does: `pod.spec({ pod.any_size, 3 }, "float32")`.
---@type number
pod.any_size = nil

--- pod.compile_report(): { programs =, seconds =, functions = array of { name =, location =, calls =, traces =,
--- trace_seconds =, compile_seconds = } }. Functions that were never traced are left out. It prints.
--- ```lua
--- type(tostring(pod.compile_report()))
--- --> "string"
--- ```
function pod.compile_report() end

---@class pod.func.options
---@field batch_buckets? "powers_of_two"|"multiples_of_eight"|table|false numbers of rows that have programs: fewer are filled up. It raises where a number would change. Default: powers of two on TPUs, else none
---@field input_signature? table specs of the arguments: others are refused; there is a program for each size of those that may be any
---@field reduce_retracing? boolean whether sizes that differ from call to call become any size
---@field strategy? strategy the strategy that it belongs to
---@field name? string ("function") what messages and profiles call it

--- A compiled function. At the first call with each kind of arguments `fn` is run once with tensors that have no values
--- yet, to see what it computes; what is compiled of that runs from then on. So `fn` decides by shapes, not by values,
--- and what it prints is printed once.
--- ```lua
--- pod.func(function(x) return pod.sum(x * x) end)(pod.tensor { 1, 2 }):item()
--- --> 5
--- ```
---@param fn function of tensors, or tables of tensors, that returns such
---@param options? pod.func.options
---@return func
function pod.func(fn, options) end

--- The innermost open scope's strategy, or the default one.
--- ```lua
--- pod.distribute.get_strategy().num_replicas_in_sync
--- --> 1
--- ```
function pod.get_strategy() end

---@class pod.gradcheck.options
---@field epsilon? number (1e-5) how far values are moved
---@field tolerance? number (1e-4) how much slopes may differ

--- Compares gradients of fn(inputs...) with finite differences; raises where they differ. Inputs are float
--- tensors. Returns the largest difference found.
--- ```lua
--- pod.gradcheck(function(x) return pod.sum(x * x) end, { pod.tensor { 1, 2 } }) < 0.1
--- --> true
--- ```
---@param fn function
---@param inputs any
---@param options? pod.gradcheck.options
function pod.gradcheck(fn, inputs, options) end

--- Whether a value is a variable.
--- ```lua
--- pod.is_variable(pod.variable(1))
--- --> true
--- ```
---@param value any
function pod.is_variable(value) end

--- Gives the state of a compiled function its next step; called at the end of its trace.
--- ```lua
--- local fn = pod.func(function() return pod.random.uniform { 2 } end)
--- assert(not pod.allclose(fn(), fn())) -- a compiled function ends with it, so that each call draws anew
--- ```
function pod.random.advance() end

---@class pod.random.bernoulli.options
---@field like? tensor the result gets its rows: on several replicas each draws its own
---@field p? number the probability of true (default 0.5)
---@field dtype? string ("bool") the type of the result (default "float32")
---@field seed? integer makes what is drawn the same each time (default: drawn from the global generator)

--- 1 with probability p, else 0.
--- ```lua
--- pod.random.bernoulli({ 3 }).shape
--- --> (3,)
--- ```
---@param shape any
---@param p? any
---@param options? pod.random.bernoulli.options
function pod.random.bernoulli(shape, p, options) end

---@class pod.random.categorical.options
---@field dtype? string ("int32") the type of the result (default "float32")
---@field seed? integer makes what is drawn the same each time (default: drawn from the global generator)

--- Draws `samples` classes a row of logits [rows, classes].
--- ```lua
--- pod.random.categorical({ { 0, 100 } }, 3).shape
--- --> (1, 3)
--- ```
---@param logits tensor|number
---@param samples? integer
---@param options? pod.random.categorical.options
function pod.random.categorical(logits, samples, options) end

--- Returns the state operand and the place of a composite that draws by itself; nil in a function of elements, where
--- each element draws its own.
--- ```lua
--- local state, place = pod.random.draw()
--- assert(state.shape[1] == 2 and place >= 0)
--- ```
---@param seed any
function pod.random.draw(seed) end

---@class pod.random.dropout.options
---@field noise_shape? integer[] the shape of what is drawn, 1 for an axis that draws once
---@field seed? integer makes what is drawn the same each time (default: drawn from the global generator)

--- Sets a share `rate` of the elements to 0 and divides the others by 1 - rate. Options: seed, noise_shape (sizes
--- of 1 share one draw along their axis).
--- ```lua
--- pod.random.dropout({ 1, 2 }, 0)
--- --> { 1, 2 }
--- ```
---@param x tensor|number
---@param rate number
---@param options? pod.random.dropout.options
function pod.random.dropout(x, rate, options) end

--- Returns the variable that holds seed and step of compiled functions: checkpoints keep it.
--- ```lua
--- pod.random.generator().shape
--- --> (2,)
--- ```
function pod.random.generator() end

--- Where random numbers are: the seed, how many draws were made outside of compiled functions, and the state of those
--- inside (a tensor; nil before one draws). What restore_state() takes.
--- ```lua
--- local state = pod.random.get_state()
--- local first = pod.random.uniform({}):item()
--- pod.random.restore_state(state)
--- assert(pod.random.uniform({}):item() == first)
--- ```
function pod.random.get_state() end

---@class pod.random.normal.options
---@field like? tensor the result gets its rows: on several replicas each draws its own
---@field mean? number (0) the mean (default 0)
---@field stddev? number (1) the standard deviation (default 1)
---@field dtype? string the type of the result (default "float32")
---@field seed? integer makes what is drawn the same each time (default: drawn from the global generator)

--- Normally distributed numbers of a mean (0) and a standard deviation (stddev, 1).
--- ```lua
--- pod.random.normal({ 2, 3 }, { seed = 1 }).shape
--- --> (2, 3)
--- ```
---@param shape any
---@param options? pod.random.normal.options
function pod.random.normal(shape, options) end

---@class pod.random.permutation.options
---@field seed? integer makes what is drawn the same each time (default: drawn from the global generator)

--- The numbers 0 .. n - 1 in random order, or the rows of a tensor.
--- ```lua
--- pod.random.permutation(5).shape
--- --> (5,)
--- ```
---@param n tensor|number
---@param options? pod.random.permutation.options
function pod.random.permutation(n, options) end

--- Goes on where random numbers were when get_state() was called.
--- ```lua
--- local state = pod.random.get_state()
--- local first = pod.random.uniform { 3 }
--- pod.random.restore_state(state)
--- assert(pod.allclose(pod.random.uniform { 3 }, first))
--- ```
---@param state table
function pod.random.restore_state(state) end

--- Starts all random numbers anew from a seed.
--- ```lua
--- pod.random.set_seed(1)
--- local first = pod.random.uniform({}):item()
--- pod.random.set_seed(1)
--- assert(pod.random.uniform({}):item() == first)
--- ```
---@param seed any
function pod.random.set_seed(seed) end

---@class pod.random.shuffle.options
---@field seed? integer makes what is drawn the same each time (default: drawn from the global generator)

--- The rows of a tensor in random order.
--- ```lua
--- pod.random.shuffle({ 1, 2, 3 }).shape
--- --> (3,)
--- ```
---@param x tensor|number
---@param options? pod.random.shuffle.options
function pod.random.shuffle(x, options) end

---@class pod.random.truncated_normal.options
---@field like? tensor the result gets its rows: on several replicas each draws its own
---@field mean? number (0) the mean (default 0)
---@field stddev? number (1) the standard deviation (default 1)
---@field dtype? string the type of the result (default "float32")
---@field seed? integer makes what is drawn the same each time (default: drawn from the global generator)

--- Normal, without what is further than two standard deviations from the mean.
--- ```lua
--- pod.random.truncated_normal({ 2, 3 }).shape
--- --> (2, 3)
--- ```
---@param shape any
---@param options? pod.random.truncated_normal.options
function pod.random.truncated_normal(shape, options) end

---@class pod.random.uniform.options
---@field like? tensor the result gets its rows: on several replicas each draws its own
---@field maxval? number the value that all are below (default 1)
---@field minval? number (0) the lowest value (default 0)
---@field dtype? string ("float32") the type of the result (default "float32")
---@field seed? integer makes what is drawn the same each time (default: drawn from the global generator)

--- Numbers from minval (0) to below maxval (1, which must be given for whole numbers).
--- ```lua
--- pod.random.uniform({ 2, 3 }, { minval = 1, maxval = 2 }).shape
--- --> (2, 3)
--- ```
---@param shape any
---@param options? pod.random.uniform.options
function pod.random.uniform(shape, options) end

--- Calls fn(...) and returns what it returns; where it fails, no number was drawn.
--- ```lua
--- local before = pod.random.get_state().count
--- pcall(pod.random.unless_it_fails, function() error(pod.random.uniform {}) end)
--- assert(pod.random.get_state().count == before)
--- ```
---@param fn any
---@param ... any
function pod.random.unless_it_fails(fn, ...) end

--- pod.spec(shape, dtype, name?): what an argument must be like. Sizes of -1 (pod.any) fit all.
--- ```lua
--- pod.spec({ -1, 3 }, "float32")
--- --> spec(float32 (any, 3))
--- ```
---@param shape any
---@param dtype? any
---@param name? string
function pod.spec(shape, dtype, name) end

---@class pod.tape.options
---@field persistent? boolean whether several gradients can be asked for
---@field watch_accessed_variables? boolean (true) whether variables are watched that are read (default true)

--- Records what is computed, for gradients. `pod.tape()` records until `gradient()`, `close()` or the end of a
--- `<close>` variable; `pod.tape(fn)` records while `fn(tape)` runs, and returns the tape and what `fn` returned. What
--- was computed before counts as constant.
--- ```lua
--- local x = pod.variable(3)
--- local tape, y = pod.tape(function() return x:value() * x:value() end)
--- assert(tape:gradient(y, x):item() == 6)
--- ```
---@param fn? function
---@param options? pod.tape.options
---@return tape
function pod.tape(fn, options) end

---@class pod.variable.options
---@field aggregation? "none"|"sum"|"mean"|"only_first_replica" how what replicas assign becomes one
---@field initial? any the same, by name
---@field shape? integer[] its shape, where the first value is an initializer
---@field strategy? strategy the strategy that it belongs to
---@field synchronization? "auto"|"on_read" "on_read": each replica has a value of its own, joined where it is read
---@field dtype? string (default: that of the value)
---@field name? string what summaries and files call it
---@field trainable? boolean whether tapes watch it (default true)

--- A variable: a tensor that keeps its value and can be assigned to.
--- ```lua
--- pod.variable({ 1, 2 }):value()
--- --> { 1, 2 }
--- ```
---@param initial number|table|tensor|initializer its first value
---@param options? pod.variable.options
---@return variable
function pod.variable(initial, options) end

--- Joins the replicas' tensors along an axis.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:run(function(x)
---   return pod.distribute.replica_context():all_gather(x, 0)
--- end, { strategy:from_values { pod.tensor { 1 }, pod.tensor { 2 } } })
--- assert(value:values()[1]:totable()[2] == 2)
--- ```
---@param value any
---@param axis? integer
function replica_context:all_gather(value, axis) end

--- Reduces a tensor (or a table of them) over all replicas; each gets the result.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:run(function(x)
---   return pod.distribute.replica_context():all_reduce("sum", x)
--- end, { strategy:from_values { pod.tensor(1), pod.tensor(2) } })
--- assert(value:values()[1]:item() == 3)
--- ```
---@param op string
---@param value any
function replica_context:all_reduce(op, value) end

--- The value of the first replica.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:run(function(x)
---   return pod.distribute.replica_context():first_replica(x)
--- end, { strategy:from_values { pod.tensor(1), pod.tensor(2) } })
--- assert(value:values()[2]:item() == 1)
--- ```
---@param value tensor|number
function replica_context:first_replica(value) end

--- The replica's number, from 0: a node, not a Lua number.
--- ```lua
--- local value = pod.distribute.mirrored(2):run(function()
---   return pod.distribute.replica_context():replica_id()
--- end)
--- assert(value:values()[2]:item() == 1)
--- ```
function replica_context:replica_id() end

--- Closes the scope: what is made from here on belongs to the strategy of before.
--- ```lua
--- local scope = pod.distribute.mirrored(2):enter()
--- scope:close()
--- ```
function scope:close() end

--- The device of replica i, from 0; the first one where it has several.
--- ```lua
--- pod.distribute.mirrored(2):device_name(0)
--- --> "/job:localhost/replica:0/task:0/device:TPU:0"
--- ```
---@param i integer
function strategy:device_name(i) end

--- Opens the scope; `local s <close> = strategy:enter()` in Lua 5.4, s:close() everywhere.
--- ```lua
--- local scope = pod.distribute.mirrored(2):enter()
--- local v = pod.variable(1)
--- scope:close()
--- assert(v:value():item() == 1)
--- ```
function strategy:enter() end

--- Runs fn in the scope: what it makes belongs to this strategy. Returns what fn returns.
--- ```lua
--- pod.distribute.mirrored(2):scope(function() return pod.variable(1):value():item() end)
--- --> 1
--- ```
---@param fn function
---@param ... any
function strategy:scope(fn, ...) end

--- Ends the recording, as the end of a <close> variable does: gradients can be asked for once. A persistent tape, which
--- may have answered already, gives back what it recorded.
--- ```lua
--- local v = pod.variable(3)
--- local tape = pod.tape()
--- local y = v * v
--- tape:close()
--- assert(tape:gradient(y, v):item() == 6)
--- ```
function tape:close() end

---@class tape.gradient.options
---@field output_gradients? tensor|table what the elements of the target count
---@field unconnected_gradients? "none"|"zero" what there is where the target does not depend on a source

--- d(target) / d(source) for each of `sources`: a tensor, a variable, or a table of them; the answer has the same
--- structure, nil where the target does not depend on a source. A target that is not a scalar counts as the
--- sum of its elements (times output_gradients).
--- ```lua
--- local x = pod.variable(3)
--- local tape, y = pod.tape(function() return x:value() * x:value() end)
--- assert(tape:gradient(y, x):item() == 6)
--- ```
---@param target any
---@param sources any
---@param options? tape.gradient.options
function tape:gradient(target, sources, options) end

--- Remembers what a variable was read as: called by traces.
--- ```lua
--- local v = pod.variable(3)
--- local tape = pod.tape(function() return v * v end)
--- assert(tape:watched_variables()[1] == v) -- reading v called it
--- ```
---@param seen any
---@param t tensor
function tape:saw(seen, t) end

--- Stops recording; gradients can still be asked for.
--- ```lua
--- local v = pod.variable(3)
--- local tape, y = pod.tape(function() return v * v end)
--- assert(tape:stop():gradient(y, v):item() == 6)
--- ```
function tape:stop() end

--- Makes a tensor or variable a source of gradients. Tensors need no watching; with
--- watch_accessed_variables = false variables do.
--- ```lua
--- local x = pod.tensor(3)
--- local tape, y = pod.tape(function(tape)
---   tape:watch(x)
---   return x * x
--- end)
--- assert(tape:gradient(y, x):item() == 6)
--- ```
---@param source tensor|number
function tape:watch(source) end

--- Variables that were read, in order.
--- ```lua
--- local v = pod.variable(3)
--- local tape = pod.tape(function() return v * v end)
--- assert(#tape:watched_variables() == 1)
--- ```
function tape:watched_variables() end

---@class variable.assign.options
---@field aggregated? boolean whether the value is that of all replicas already

--- Gives the variable a new value. Returns the variable.
--- ```lua
--- pod.variable({ 1, 2 }):assign({ 3, 4 }):value()
--- --> { 3, 4 }
--- ```
---@param value tensor|number
---@param options? variable.assign.options
function variable:assign(value, options) end

---@class variable.assign_add.options
---@field aggregated? boolean whether the value is that of all replicas already

--- Adds to the variable; aggregated = true: the value is that of all replicas already.
--- ```lua
--- pod.variable({ 1, 2 }):assign_add({ 3, 4 }):value()
--- --> { 4, 6 }
--- ```
---@param value tensor|number
---@param options? variable.assign_add.options
function variable:assign_add(value, options) end

--- Subtracts from the variable, as assign_add() adds.
--- ```lua
--- pod.variable({ 3, 4 }):assign_sub({ 1, 1 }):value()
--- --> { 2, 3 }
--- ```
---@param value tensor|number
---@param options? table
function variable:assign_sub(value, options) end

--- The value on each replica: an array of { device =, value = }.
--- ```lua
--- local v = pod.distribute.mirrored(2):scope(function() return pod.variable(3) end)
--- assert(#v:per_replica() == 2 and v:per_replica()[2].value:item() == 3)
--- ```
function variable:per_replica() end

--- The value now: later assignments do not change it.
--- ```lua
--- pod.variable({ 1, 2 }):read()
--- --> { 1, 2 }
--- ```
function variable:read() end

variable.value = variable.read

--- Assigns the initial value again; random initial values are drawn anew.
--- ```lua
--- local v = pod.variable(3)
--- v:assign(5)
--- v:reset()
--- assert(v:item() == 3)
--- ```
function variable:reset() end

--- Whether the variable has ever been given another value than its first.
--- ```lua
--- pod.variable({ 3, 4 }):was_assigned()
--- --> false
--- ```
function variable:was_assigned() end

--- Makes a tensor of a number, boolean, nested table, variable or tensor; raises for what is none.
--- dtype converts.
--- ```lua
--- pod.convert_to_tensor({ 1, 2 }, "float32")
--- --> { 1, 2 }
--- ```
---@param value any
---@param dtype any
function pod.convert_to_tensor(value, dtype) end

--- The binding of the C library, for Moonpod's own modules: what scripts need of it has a function elsewhere.
---@type table
pod.core = nil

--- A breakpoint. Values are known where operations run one by one: outside of compiled functions, and in a model
--- that was compiled with run_eagerly = true. While a function is traced there are none, and it only says so.
--- ```lua
--- local before = pod.debug.on_break
--- pod.debug.on_break = function(stop) assert(stop.locals[1].name == "before") end -- else it asks for lines of Lua
--- pod.debug.break_()
--- pod.debug.on_break = before
--- ```
---@param label any
function pod.debug.break_(label) end

--- pod.debug.nan(true): from now on a run fails at the first operation that makes Inf or NaN out of finite numbers. It
--- says which, in which layer, on which line of the script. That is so in fit, in pod.func and in what runs eagerly. It
--- is compiled again for that, without fusion: slow. pod.debug.nan(false) ends it. Returns what was set before.
--- ```lua
--- local before = pod.debug.nan(true)
--- local ok, message = pcall(function() return pod.log(pod.zeros { 2 }):sum():item() end)
--- pod.debug.nan(before)
--- assert(not ok and message:find "log")
--- ```
---@param enabled any
function pod.debug.nan(enabled) end

--- What a breakpoint does: prints the place and the local variables, then reads Lua lines until "cont". Hosts and tests
--- replace it. stop: { location =, label =, locals = }.
--- ```lua
--- local before, stopped = pod.debug.on_break, nil
--- pod.debug.on_break = function(stop) stopped = stop.label end
--- pod.debug.break_ "here"
--- pod.debug.on_break = before
--- assert(stopped == "here")
--- ```
---@param stop table
function pod.debug.on_break(stop) end

--- Runs fn(...) and returns an array of the operations it made, in order, each as log_placement writes them, then what
--- fn returned.
--- ```lua
--- local list, y = pod.debug.operations(function() return pod.ones { 2 } + 1 end)
--- assert(#list > 0 and y:sum():item() == 4)
--- ```
---@param fn function
---@param ... any
function pod.debug.operations(fn, ...) end

---@class pod.device.configure.options
---@field files? string|boolean the one folder that files are read from and written to: paths are below it, `..` and symbolic links are refused; false: no files. It can be narrowed later, never widened
---@field isa? string the best family of kernels allowed
---@field log? function|boolean (true) called with the level ("debug", "info", "warning") and the text of what the library has to say, on the script's thread; without, and from `false` on, `pod.device.messages()` has it
---@field memory_limit? integer most bytes that tensors, programs and pipelines hold at once; 0: no limit. What would need more raises an error that names it, and leaves variables and files as they are
---@field nice? integer how far the threads that are started to run programs are below the script's own, 0 (default) to 19, as `nice` has it (Linux)
---@field short_run_nanoseconds? integer runs that take less by estimate are the caller's thread's; negative: none is
---@field threads? integer most threads that run programs, the caller's included (default, and 0: the CPUs)
---@field unpacked_bytes? integer most bytes that one record, line, array, archive or picture may become that is compressed in its file, or comes from a pipe or a device (default 2^30)

--- Says what the library may take of its host: before the first tensor; all but `isa` also later. Nothing starts a
--- thread before a run that needs some, and short runs need none.
--- ```lua
--- pod.device.configure { threads = 2, memory_limit = 256 * 2 ^ 20 }
--- ```
---@param options? pod.device.configure.options
function pod.device.configure(options) end

--- The context, made when first needed.
--- ```lua
--- tostring(pod.device.context()):match "^moonpod.context"
--- --> "moonpod.context"
--- ```
function pod.device.context() end

--- The binding of the C library, for Moonpod's own modules: what scripts need of it has a function elsewhere.
---@type table
pod.device.core = nil

--- The full name of the device that computes now: that of the innermost `pod.device(name, fn)`, else the first one.
--- ```lua
--- pod.device.default_name()
--- --> "/job:localhost/replica:0/task:0/device:CPU:0"
--- ```
function pod.device.default_name() end

--- The full name of a device.
--- ```lua
--- pod.device.full_name("TPU", 1)
--- --> "/job:localhost/replica:0/task:0/device:TPU:1"
--- ```
---@param kind string
---@param index integer
function pod.device.full_name(kind, index) end

--- Whether `configure { threads = }` has said how many threads there may be. Where it has not, a `"stepped"` run keeps
--- to the thread of who calls `run:step`.
--- ```lua
--- pod.device.configure { threads = 2 }
--- assert(pod.device.has_threads())
--- ```
---@return boolean
function pod.device.has_threads() end

--- The replicated cores of the resolver in use ("TPU"), the host ("CPU"), or both.
--- ```lua
--- #pod.device.list() > 0
--- --> true
--- ```
---@param kind? string
function pod.device.list(kind) end

--- Where a path leads: below the folder of configure{ files = }, where there is one; else it is refused. What opens
--- files without the core asks here first.
--- ```lua
--- pod.device.locate "models/best.safetensors"
--- --> "models/best.safetensors"
--- ```
---@param path any
---@param where any
function pod.device.locate(path, where) end

--- pod.device.log_placement(true | false | function(line)): one line an operation that is recorded.
--- ```lua
--- local lines = {}
--- pod.device.log_placement(function(line) lines[#lines + 1] = line end)
--- local y = pod.ones { 2 } + 1
--- pod.device.log_placement(false)
--- assert(#lines > 0 and y.shape[1] == 2)
--- ```
---@param sink? true, false or a function of a line
function pod.device.log_placement(sink) end

--- Bytes held by the library now and at most: host memory, never a TPU's.
--- ```lua
--- type(pod.device.memory())
--- --> "table"
--- ```
function pod.device.memory() end

--- What the library had to say since it was last asked, as when a program could not be kept on disk: an array of
--- { level = "debug", "info" or "warning", text = }, the latest last. Of many, the latest are kept.
--- ```lua
--- type(pod.device.messages())
--- --> "table"
--- ```
function pod.device.messages() end

--- Opens a file as `io.open` does; where `configure { files = }` gave a folder, below it and through no symbolic link.
--- What is outside of it raises.
--- ```lua
--- pod.device.open("/nowhere/at/all") == nil
--- --> true
--- ```
---@param path string
---@param mode string "r" (default), "w" or "a", also with a "b"
---@return file|nil # file nil where it cannot be opened
---@return string # message why not
---@return integer # code 2 where there is no such file
function pod.device.open(path, mode) end

--- Parses "/TPU:0", "/device:TPU:0", "TPU:0" and "/job:worker/replica:0/task:0/device:TPU:0".
--- Returns { type =, index =, job =, replica =, task = }; raises for a device that the resolver in use does not have.
--- ```lua
--- pod.device.parse("/TPU:3").index
--- --> 3
--- ```
---@param name any
function pod.device.parse(name) end

--- The function that receives placement lines, or nil.
--- ```lua
--- pod.device.placement_log() == nil
--- --> true
--- ```
function pod.device.placement_log() end

--- Deletes a file or an empty folder as `os.remove` does; where `configure { files = }` gave a folder, below it.
--- ```lua
--- pod.device.remove("/nowhere/at/all") == nil
--- --> true
--- ```
---@param path string
---@return boolean|nil # deleted nil where it cannot be deleted
---@return string # message why not
function pod.device.remove(path) end

--- Gives a file another name as `os.rename` does; where `configure { files = }` gave a folder, below it.
--- ```lua
--- pod.device.rename("/nowhere/at/all", "/nowhere/else") == nil
--- --> true
--- ```
---@param from string
---@param to string
---@return boolean|nil # renamed nil where it cannot be
---@return string # message why not
function pod.device.rename(from, to) end

--- The resolver in use, or nil.
--- ```lua
--- local resolver = pod.device.resolver()
--- assert(resolver == nil or resolver:num_replicas() > 0)
--- ```
function pod.device.resolver() end

--- Runs fn(...) on a device; `pod.device("/TPU:3", fn)` is short for it. What is made within says so (`t:device()`),
--- prints and is logged so. All cores are replicated on this host, so the numbers are the same on each. The innermost
--- scope counts. Results of a compiled function are where it is called. A strategy's replicas have cores of their own,
--- whatever scope is open.
--- ```lua
--- pod.device("/CPU:0", function() return pod.ones({ 2 }):device() end):sub(-5)
--- --> "CPU:0"
--- ```
---@param name string "/TPU:3", "/CPU:0" and the like
---@param fn function
---@return any # what fn returns
function pod.device.scope(name, fn) end

--- Says which cores there are: cluster.connect() calls it.
--- ```lua
--- local before, mine = pod.device.resolver(), pod.cluster.resolve "v3-8"
--- pod.device.set_resolver(mine)
--- assert(pod.device.resolver() == mine)
--- pod.device.set_resolver(before)
--- ```
---@param resolver? any
function pod.device.set_resolver(resolver) end

--- Calls fn(resolver or nil) when another resolver comes into use, and now.
--- ```lua
--- local seen = false
--- pod.device.watch_resolver(function(resolver) seen = resolver end)
--- assert(seen == pod.device.resolver())
--- ```
---@param fn function
function pod.device.watch_resolver(fn) end

--- The replicated cores of the resolver in use ("TPU"), the host ("CPU"), or both.
--- ```lua
--- #pod.device.list() > 0
--- --> true
--- ```
---@param kind? string
function pod.devices(kind) end

--- Whether a value is a tensor.
--- ```lua
--- pod.is_tensor(pod.ones { 2 })
--- --> true
--- ```
---@param value any
function pod.is_tensor(value) end

--- pod.device.log_placement(true | false | function(line)): one line an operation that is recorded.
--- ```lua
--- local lines = {}
--- pod.device.log_placement(function(line) lines[#lines + 1] = line end)
--- local y = pod.ones { 2 } + 1
--- pod.device.log_placement(false)
--- assert(#lines > 0 and y.shape[1] == 2)
--- ```
---@param sink? true, false or a function of a line
function pod.log_placement(sink) end

--- How tensors print from now on: `pod.print_options { precision = 4 }`, as NumPy's `set_printoptions`.
--- ```lua
--- assert(pod.print_options().precision == 8)
--- ```
---@param options table those of `tensor:format`
---@return table # options all that are in use
function pod.print_options(options) end

--- Runs what is pending; pod.sync() for scripts that measure time.
--- ```lua
--- local y = pod.ones { 2 } + 1
--- pod.sync() -- now it is computed
--- assert(y:sum():item() == 4)
--- ```
function pod.sync() end

---@class pod.tensor.options
---@field shape? integer[] the shape that the values get, in their order
---@field dtype? string (default: float32 for numbers, bool for booleans)

--- A tensor of a number, a boolean, a (nested) table of such, or another tensor.
--- ```lua
--- pod.tensor({ 1, 2, 3, 4 }, { shape = { 2, 2 } })
--- --> { { 1, 2 }, { 3, 4 } }
--- ```
---@param value number|boolean|table|tensor
---@param options? pod.tensor.options
---@return tensor
function pod.tensor(value, options) end

--- The elements as a string of raw bytes.
--- ```lua
--- type(pod.ones({ 2 }):data())
--- --> "string"
--- ```
---@param t any
function tensor:data(t) end

--- The device string of the core that holds the value: that of the `pod.device` in which it was made, else the first.
--- ```lua
--- pod.ones({ 2 }):device()
--- --> "/job:localhost/replica:0/task:0/device:CPU:0"
--- ```
---@param t any
function tensor:device(t) end

---@class tensor.format.options
---@field edge_items? integer elements at each end of an axis that are shown then (3)
---@field line_width? integer columns (75)
---@field precision? integer digits behind the point at most (8)
---@field suppress? boolean no exponents for small numbers (false)
---@field threshold? integer from more elements than these only the edges are shown (1000)

--- Writes a tensor as text, as NumPy prints arrays.
--- ```lua
--- local text = pod.tensor({ 1 / 3, 2 / 3 }):format { precision = 3 }
--- assert(text:find("[0.333 0.667]", 1, true))
--- ```
---@param t any
---@param options? tensor.format.options
---@return string # text elements, then type, shape and device on a line of their own; of a scalar its number
function tensor:format(t, options) end

--- The one element as a number or a boolean.
--- ```lua
--- pod.tensor({ 7 }):item()
--- --> 7
--- ```
---@param t any
function tensor:item(t) end

--- The same as totable().
--- ```lua
--- type(pod.ones({ 2 }):numpy())
--- --> "table"
--- ```
---@param t any
function tensor:numpy(t) end

--- How many elements there are.
--- ```lua
--- pod.ones({ 2, 3 }):size()
--- --> 6
--- ```
---@param t any
function tensor:size(t) end

--- The elements as nested tables; of a scalar its number.
--- ```lua
--- pod.tensor({ { 1, 2 } }):totable()[1][2]
--- --> 2
--- ```
---@param t any
function tensor:totable(t) end

--- The absolute value of each element.
--- ```lua
--- pod.abs { -1, 2 }
--- --> { 1, 2 }
--- ```
---@param x tensor
---@return tensor
function pod.abs(x) end

--- The angle of this cosine, 0 to pi.
--- ```lua
--- pod.acos { 1 }
--- --> { 0 }
--- ```
---@param x tensor|number
function pod.acos(x) end

--- The number, 0 or more, of this hyperbolic cosine; NaN below 1.
--- ```lua
--- pod.acosh { 1 }
--- --> { 0 }
--- ```
---@param x tensor|number
function pod.acosh(x) end

--- The sum of each pair of elements; also `a + b`. Shapes broadcast.
--- ```lua
--- pod.add({ 1, 2 }, { 3, 4 })
--- --> { 4, 6 }
--- ```
---@param a tensor
---@param b tensor
---@return tensor
function pod.add(a, b) end

--- Returns x, which cannot be read before the tensors (of floats) in a list are computed: what is computed of it
--- waits, and takes no memory until then. A condition that always holds chooses it, but to know that takes the sum.
--- ```lua
--- pod.after({ 1, 2 }, { pod.tensor(3) })
--- --> { 1, 2 }
--- ```
---@param x tensor|number
---@param list any
function pod.after(x, list) end

--- sum, max, all and so on over an axis, axes or all; keepdims = true: axes stay, of size 1.
--- ```lua
--- pod.sum({ { 1, 2 }, { 3, 4 } }, 0)
--- --> { 4, 6 }
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
---@param options? any
function pod.all(x, axis, options) end

pod.any = pod.all

pod.max = pod.all

pod.min = pod.all

pod.prod = pod.all

pod.sum = pod.all

---@class pod.allclose.options
---@field atol? number (1e-8) and by how much besides
---@field rtol? number (1e-5) how much of `|b|` they may differ by

--- Whether a and b are equal within atol + rtol * |b|: a boolean, read at once.
--- ```lua
--- pod.allclose({ 1 }, { 1.000001 })
--- --> true
--- ```
---@param a tensor|number
---@param b tensor|number
---@param options? pod.allclose.options
function pod.allclose(a, b, options) end

---@class pod.arange.options
---@field dtype? string the type of the result

--- arange(stop), arange(start, stop), arange(start, stop, step), each with { dtype = } last. Whole numbers are int32,
--- or int64 where one is beyond it, others float32.
--- ```lua
--- pod.arange(2, 5)
--- --> { 2, 3, 4 }
--- ```
---@param ... any
function pod.arange(...) end

---@class pod.argmax.options
---@field keepdims? boolean whether axes that are reduced stay with size 1
---@field dtype? string the type of the result

--- The index, from 0, of the largest or smallest element along an axis; the first of equals.
--- ```lua
--- pod.argmax({ { 1, 3, 2 } }, -1)
--- --> { 1 }
--- ```
---@param x tensor|number
---@param axis? integer
---@param options? pod.argmax.options
function pod.argmax(x, axis, options) end

pod.argmin = pod.argmax

---@class pod.argsort.options
---@field descending? boolean whether the largest come first

--- The indices, from 0, that sort() would take the elements by.
--- ```lua
--- pod.argsort { 3, 1, 2 }
--- --> { 1, 2, 0 }
--- ```
---@param x tensor|number
---@param axis? integer
---@param options? pod.argsort.options
function pod.argsort(x, axis, options) end

--- The angle of this sine, -pi/2 to pi/2.
--- ```lua
--- pod.asin { 0 }
--- --> { 0 }
--- ```
---@param x tensor|number
function pod.asin(x) end

--- The number of this hyperbolic sine.
--- ```lua
--- pod.asinh { 0 }
--- --> { 0 }
--- ```
---@param x tensor|number
function pod.asinh(x) end

--- x by a text or a list of indices, as NumPy writes them: "0, 1:3".
--- ```lua
--- pod.at(pod.tensor { { 1, 2 }, { 3, 4 } }, "1, 0:2")
--- --> { 3, 4 }
--- ```
---@param x tensor|number
---@param indices any
function pod.at(x, indices) end

--- The angle of this tangent, -pi/2 to pi/2.
--- ```lua
--- pod.atan { 0 }
--- --> { 0 }
--- ```
---@param x tensor|number
function pod.atan(x) end

--- The angle of the point `(b, a)`, -pi to pi.
--- ```lua
--- pod.atan2({ 0 }, { 1 })
--- --> { 0 }
--- ```
---@param a tensor
---@param b tensor
---@return tensor
function pod.atan2(a, b) end

--- The number of this hyperbolic tangent; infinite at -1 and 1, NaN beyond.
--- ```lua
--- pod.atanh { 0 }
--- --> { 0 }
--- ```
---@param x tensor|number
function pod.atanh(x) end

--- The same value, which passes of the compiler do not look through.
--- ```lua
--- pod.barrier { 1, 2 }
--- --> { 1, 2 }
--- ```
---@param x tensor|number
function pod.barrier(x) end

--- Reinterprets the bits as another dtype of the same size.
--- ```lua
--- pod.bitcast({ 1 }, "int32")
--- --> { 1065353216 }
--- ```
---@param x tensor|number
---@param dtype any
function pod.bitcast(x, dtype) end

--- Of the bits of each pair of whole numbers: and, or, exclusive or, `a` moved left by `b`. Shapes broadcast.
--- ```lua
--- pod.bitwise_and(pod.tensor({ 6 }, { dtype = "int32" }), 3)
--- --> { 2 }
--- ```
---@param a tensor
---@param b tensor
---@return tensor
function pod.bitwise_and(a, b) end

pod.bitwise_or = pod.bitwise_and

pod.bitwise_xor = pod.bitwise_and

pod.left_shift = pod.bitwise_and

--- Turns each bit of whole numbers; of booleans logical_not.
--- ```lua
--- pod.bitwise_not(pod.tensor({ 0 }, { dtype = "int32" }))
--- --> { -1 }
--- ```
---@param x tensor|number
function pod.bitwise_not(x) end

---@class pod.boolean_mask.options
---@field axis? integer (0) (default 0)

--- pod.boolean_mask(x, mask, { axis = 0 }): what of x the mask is true for, in a row along `axis`. While a step is
--- traced
--- the mask's values are not known, and the shape would depend on them.
--- ```lua
--- pod.boolean_mask({ 1, 2, 3 }, { true, false, true })
--- --> { 1, 3 }
--- ```
---@param x any
---@param mask any
---@param options? pod.boolean_mask.options
function pod.boolean_mask(x, mask, options) end

--- Repeats axes of size 1, and new ones in front, to a shape.
--- ```lua
--- pod.broadcast_to({ 1, 2 }, { 2, 2 })
--- --> { { 1, 2 }, { 1, 2 } }
--- ```
---@param x tensor|number
---@param shape integer[]
function pod.broadcast_to(x, shape) end

--- Converts to a dtype; the same tensor when it has it.
--- ```lua
--- pod.cast({ 1.7 }, "int32")
--- --> { 1 }
--- ```
---@param x tensor|number
---@param dtype any
function pod.cast(x, dtype) end

--- Returns t; the run fails with the message where the condition (booleans of any shape) is false.
--- ```lua
--- pod.check(pod.tensor(1), true):item()
--- --> 1
--- ```
---@param t tensor|number
---@param condition tensor|number
---@param message? string
function pod.check(t, condition, message) end

--- Limits x to low .. high.
--- ```lua
--- pod.clip({ -1, 0.5, 2 }, 0, 1)
--- --> { 0, 0.5, 1 }
--- ```
---@param x tensor|number
---@param low tensor|number
---@param high tensor|number
function pod.clip(x, low, high) end

--- Joins tensors along an axis that they have; stack along a new one.
--- ```lua
--- pod.concat { { 1, 2 }, { 3 } }
--- --> { 1, 2, 3 }
--- ```
---@param list any
---@param axis? integer
function pod.concat(list, axis) end

pod.concatenate = pod.concat

--- Runs one of two functions without arguments, as the predicate says at run time. Both must return values of
--- the same types and shapes; variables that either assigns get what was assigned.
--- ```lua
--- pod.cond(true, function() return pod.tensor(1) end, function() return pod.tensor(2) end):item()
--- --> 1
--- ```
---@param predicate tensor|number
---@param on_true function
---@param on_false? function
function pod.cond(predicate, on_true, on_false) end

--- The cosine of each element, an angle in radians.
--- ```lua
--- pod.cos { 0 }
--- --> { 1 }
--- ```
---@param x tensor
---@return tensor
function pod.cos(x) end

--- The hyperbolic cosine.
--- ```lua
--- pod.cosh { 0 }
--- --> { 1 }
--- ```
---@param x tensor|number
function pod.cosh(x) end

--- How many elements are not 0.
--- ```lua
--- pod.count_nonzero({ 0, 3, 4 }):item()
--- --> 2
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
---@param options? any
function pod.count_nonzero(x, axis, options) end

---@class pod.cumsum.options
---@field exclusive? boolean whether the element itself is left out
---@field reverse? boolean whether sums are from the end

--- Sums of all elements up to each along an axis; exclusive = true: without it, reverse = true: from the end.
--- ```lua
--- pod.cumsum { 1, 2, 3 }
--- --> { 1, 3, 6 }
--- ```
---@param x tensor|number
---@param axis? integer
---@param options? pod.cumsum.options
function pod.cumsum(x, axis, options) end

--- Makes of a function, which returns its value and a function from upstream gradients to gradients of its
--- arguments, one that differentiates like that.
--- ```lua
--- local twice = pod.custom_gradient(function(x)
---   return x * 2, function(g)
---     return g * 2
---   end
--- end)
--- assert(twice(pod.tensor(3)):item() == 6)
--- ```
---@param fn function
function pod.custom_gradient(fn) end

--- The true number of rows of an axis: a shard may be short.
--- ```lua
--- pod.dimension_size(pod.ones { 4, 3 }, 0):item()
--- --> 4
--- ```
---@param x tensor|number
---@param axis? integer
function pod.dimension_size(x, axis) end

--- True division: integers become float32.
--- ```lua
--- pod.divide({ 1, 2 }, 2)
--- --> { 0.5, 1 }
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.divide(a, b) end

--- a / b, 0 where b is 0.
--- ```lua
--- pod.divide_no_nan({ 1, 2 }, { 0, 4 })
--- --> { 0, 0.5 }
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.divide_no_nan(a, b) end

--- NumPy's dot: the last axis of a with the last but one of b.
--- ```lua
--- pod.dot({ 1, 2 }, { 3, 4 }):item()
--- --> 11
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.dot(a, b) end

--- Returns the long name of a dtype; raises for one that does not exist.
--- ```lua
--- pod.dtype "f32"
--- --> "float32"
--- ```
---@param name any
function pod.dtype(name) end

--- A part of static size at a place known at run time; starts is an array of scalars.
--- ```lua
--- pod.dynamic_slice({ 1, 2, 3 }, { pod.tensor(1, { dtype = "int32" }) }, { 2 })
--- --> { 2, 3 }
--- ```
---@param x tensor|number
---@param starts any
---@param size any
function pod.dynamic_slice(x, starts, size) end

--- x with `update` in the place that begins at `starts`, which may be a tensor.
--- ```lua
--- pod.dynamic_update_slice({ 1, 2, 3 }, { 9 }, { pod.tensor(1, { dtype = "int32" }) })
--- --> { 1, 9, 3 }
--- ```
---@param x tensor|number
---@param update tensor|number
---@param starts any
function pod.dynamic_update_slice(x, update, starts) end

--- einsum("bij,bjk->bik", a, b): any number of operands, from the left.
--- ```lua
--- pod.einsum("ij,j->i", { { 1, 2 }, { 3, 4 } }, { 1, 1 })
--- --> { 3, 7 }
--- ```
---@param equation string
---@param ... any
function pod.einsum(equation, ...) end

--- Compares each pair of elements. Shapes broadcast; a NaN is equal to nothing.
--- ```lua
--- pod.less({ 1, 3 }, 2)
--- --> { true, false }
--- ```
---@param a tensor
---@param b tensor
---@return tensor # of booleans
function pod.equal(a, b) end

pod.greater = pod.equal

pod.greater_equal = pod.equal

pod.less = pod.equal

pod.less_equal = pod.equal

pod.not_equal = pod.equal

--- The error function of each element.
--- ```lua
--- pod.erf { 0 }
--- --> { 0 }
--- ```
---@param x tensor
---@return tensor
function pod.erf(x) end

--- The inverse of the error function, of elements from -1 to 1.
--- ```lua
--- pod.erf_inv { 0 }
--- --> { 0 }
--- ```
---@param x tensor
---@return tensor
function pod.erf_inv(x) end

--- e to the power of each element.
--- ```lua
--- pod.exp { 0 }
--- --> { 1 }
--- ```
---@param x tensor
---@return tensor
function pod.exp(x) end

--- Adds an axis of size 1.
--- ```lua
--- pod.expand_dims({ 1, 2 }, 0)
--- --> { { 1, 2 } }
--- ```
---@param x tensor|number
---@param axis integer
function pod.expand_dims(x, axis) end

--- `exp(x) - 1`, exact near 0.
--- ```lua
--- pod.expm1 { 0 }
--- --> { 0 }
--- ```
---@param x tensor
---@return tensor
function pod.expm1(x) end

---@class pod.eye.options
---@field k? integer (0) which diagonal: 0 the main one, above it positive
---@field dtype? string ("float32") the type of the result

--- Ones on a diagonal.
--- ```lua
--- pod.eye(2)
--- --> { { 1, 0 }, { 0, 1 } }
--- ```
---@param rows integer
---@param columns? any
---@param options? pod.eye.options
function pod.eye(rows, columns, options) end

--- One axis of all elements.
--- ```lua
--- pod.flatten { { 1, 2 }, { 3, 4 } }
--- --> { 1, 2, 3, 4 }
--- ```
---@param x tensor|number
function pod.flatten(x) end

--- Reverses along axes: one, a table, or all.
--- ```lua
--- pod.flip { 1, 2, 3 }
--- --> { 3, 2, 1 }
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
function pod.flip(x, axis) end

--- Integers and booleans become float32.
--- ```lua
--- pod.floating({ 1, 2 }).dtype
--- --> "float32"
--- ```
---@param x tensor|number
function pod.floating(x) end

--- The whole number below, above, or nearest to each element; halves go to the even one. Whole numbers stay.
--- ```lua
--- pod.floor { -1.5, 2.5 }
--- --> { -2, 2 }
--- ```
---@param x tensor
---@return tensor
function pod.floor(x) end

pod.ceil = pod.floor

pod.round = pod.floor

--- NumPy's floor_divide: rounds towards minus infinity; what `mod` gives is the rest.
--- ```lua
--- pod.floor_divide({ 7, -7 }, 2)
--- --> { 3, -4 }
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.floor_divide(a, b) end

---@class pod.full.options
---@field dtype? string the type of the result

--- A tensor of one value: full(shape, value, dtype?)
--- ```lua
--- pod.full({ 2 }, 7)
--- --> { 7, 7 }
--- ```
---@param shape? integer[]
---@param value tensor|number
---@param dtype? any
---@param options? pod.full.options
function pod.full(shape, value, dtype, options) end

--- `value` in the shape and, where none is given, the type of x.
--- ```lua
--- pod.full_like({ 1, 2 }, 7)
--- --> { 7, 7 }
--- ```
---@param x tensor|number
---@param value tensor|number
---@param dtype? any
function pod.full_like(x, value, dtype) end

---@class pod.gather.options
---@field axis? integer (default 0)
---@field batch_dims? integer (0) how many axes at the front indices and tensor have together

--- Takes the slices at `indices` along an axis (tf.gather).
--- ```lua
--- pod.gather({ 5, 6, 7 }, { 2, 0 })
--- --> { 7, 5 }
--- ```
--- ```lua
--- pod.take({ 5, 6, 7 }, { 2, 0 })
--- --> { 7, 5 }
--- ```
---@param x tensor|number
---@param indices tensor|number
---@param axis? integer|integer[]
---@param options? pod.gather.options
function pod.gather(x, indices, axis, options) end

pod.take = pod.gather

--- Whether each target is among the k largest predictions.
--- ```lua
--- pod.in_top_k({ 1 }, { { 0.1, 0.8, 0.1 } }, 1)
--- --> { true }
--- ```
---@param targets tensor|number
---@param predictions tensor|number
---@param k? integer
function pod.in_top_k(targets, predictions, k) end

--- t[{ 0, "1:3", ":" }] and t:at("0, 1:3"): NumPy's basic indexing, counted from 0.
--- ```lua
--- pod.index(pod.tensor { { 1, 2 }, { 3, 4 } }, { 1, 0 }):item()
--- --> 3
--- ```
---@param x tensor|number
---@param indices any
function pod.index(x, indices) end

--- A copy of x in which what indices pick is `value`, which broadcasts: what v[{ 0, "1:3" }] = value assigns.
--- ```lua
--- pod.index_update({ 1, 2, 3 }, "0:2", 9)
--- --> { 9, 9, 3 }
--- ```
---@param x tensor|number
---@param indices any
---@param value tensor|number
function pod.index_update(x, indices, value) end

--- Counts 0, 1, ... along an axis of a shape.
--- ```lua
--- pod.iota({ 3 })
--- --> { 0, 1, 2 }
--- ```
---@param shape integer[]
---@param axis? integer
---@param dtype? any
function pod.iota(shape, axis, dtype) end

--- Whether each element is neither infinite nor NaN.
--- ```lua
--- pod.is_finite { 1, 1 / 0 }
--- --> { true, false }
--- ```
---@param x tensor|number
function pod.is_finite(x) end

--- Whether a type is one of floats.
--- ```lua
--- pod.is_float "bfloat16"
--- --> true
--- ```
---@param dtype any
function pod.is_float(dtype) end

--- Whether each element is infinite.
--- ```lua
--- pod.is_inf { 1, 1 / 0 }
--- --> { false, true }
--- ```
---@param x tensor|number
function pod.is_inf(x) end

--- Whether a type is one of whole numbers.
--- ```lua
--- pod.is_integer "int8"
--- --> true
--- ```
---@param dtype any
function pod.is_integer(dtype) end

--- Whether each element is NaN.
--- ```lua
--- pod.is_nan { 1, 0 / 0 }
--- --> { false, true }
--- ```
---@param x tensor|number
function pod.is_nan(x) end

---@class pod.linspace.options
---@field endpoint? boolean whether the last value is `stop` (default true)
---@field dtype? string the type of the result

--- `count` values from start to stop, both among them.
--- ```lua
--- pod.linspace(0, 1, 3)
--- --> { 0, 0.5, 1 }
--- ```
---@param start number
---@param stop number
---@param count? integer
---@param options? pod.linspace.options
function pod.linspace(start, stop, count, options) end

--- The natural logarithm of each element; NaN below 0.
--- ```lua
--- pod.log { 1 }
--- --> { 0 }
--- ```
---@param x tensor
---@return tensor
function pod.log(x) end

--- The logarithm to base 10.
--- ```lua
--- pod.log10 { 100 }
--- --> { 2 }
--- ```
---@param x tensor|number
function pod.log10(x) end

--- `log(1 + x)`, exact near 0.
--- ```lua
--- pod.log1p { 0 }
--- --> { 0 }
--- ```
---@param x tensor
---@return tensor
function pod.log1p(x) end

--- The logarithm to base 2.
--- ```lua
--- pod.log2 { 8 }
--- --> { 3 }
--- ```
---@param x tensor|number
function pod.log2(x) end

--- The logarithm of softmax(), more exact than taken of it.
--- ```lua
--- pod.log_softmax { { 1, 1 } }
--- --> { { -0.6931, -0.6931 } }
--- ```
---@param x tensor|number
---@param axis? integer
function pod.log_softmax(x, axis) end

--- Whether both, one of, or exactly one of two elements is true; what is not 0 is true. Shapes broadcast.
--- ```lua
--- pod.logical_and({ true, true }, { true, false })
--- --> { true, false }
--- ```
---@param a tensor
---@param b tensor
---@return tensor # of booleans
function pod.logical_and(a, b) end

pod.logical_or = pod.logical_and

pod.logical_xor = pod.logical_and

--- True where x is false or 0.
--- ```lua
--- pod.logical_not { true, false }
--- --> { false, true }
--- ```
---@param x tensor|number
function pod.logical_not(x) end

--- log(sum(exp(x))) without overflow.
--- ```lua
--- pod.logsumexp({ 0, 0 }):item()
--- --> 0.6931
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
---@param options? any
function pod.logsumexp(x, axis, options) end

---@class pod.matmul.options
---@field transpose_a? boolean whether the last two axes of a are exchanged
---@field transpose_b? boolean whether those of b are

--- Multiplies matrices as NumPy's matmul.
--- ```lua
--- pod.matmul({ { 1, 2 } }, { { 3 }, { 4 } })
--- --> { { 11 } }
--- ```
---@param a tensor|number
---@param b tensor|number
---@param options? pod.matmul.options
function pod.matmul(a, b, options) end

--- The larger of each pair of elements. Shapes broadcast.
--- ```lua
--- pod.maximum({ 1, 4 }, 2)
--- --> { 2, 4 }
--- ```
---@param a tensor
---@param b tensor
---@return tensor
function pod.maximum(a, b) end

--- Divides by the true number of elements, also of a short shard.
--- ```lua
--- pod.mean({ { 1, 2 }, { 3, 4 } }, 0)
--- --> { 2, 3 }
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
---@param options? any
function pod.mean(x, axis, options) end

--- The smaller of each pair of elements. Shapes broadcast.
--- ```lua
--- pod.minimum({ 1, 4 }, 2)
--- --> { 1, 2 }
--- ```
---@param a tensor
---@param b tensor
---@return tensor
function pod.minimum(a, b) end

--- The remainder with the divisor's sign, as Lua's and Python's %.
--- ```lua
--- pod.mod({ -5, 5 }, 3)
--- --> { 1, 2 }
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.mod(a, b) end

--- Mean and variance at once.
--- ```lua
--- pod.moments({ 1, 3 })
--- --> 2, 1
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
---@param options? any
function pod.moments(x, axis, options) end

--- Moves axes to other places; the rest keep their order.
--- ```lua
--- pod.moveaxis(pod.ones { 2, 3, 4 }, 0, 2).shape
--- --> (3, 4, 2)
--- ```
---@param x tensor|number
---@param from integer
---@param to integer
function pod.moveaxis(x, from, to) end

--- The product of each pair of elements; also `a * b`. Shapes broadcast.
--- ```lua
--- pod.multiply({ 1, 2 }, { 3, 4 })
--- --> { 3, 8 }
--- ```
---@param a tensor
---@param b tensor
---@return tensor
function pod.multiply(a, b) end

--- Each element with the other sign; also `-x`.
--- ```lua
--- pod.negative { -1, 2 }
--- --> { 1, -2 }
--- ```
---@param x tensor
---@return tensor
function pod.negative(x) end

--- The mean of each window; padding does not count. Options as nn.max_pool.
--- ```lua
--- pod.nn.average_pool(pod.ones { 1, 4, 4, 1 }, { pool_size = { 2, 2 } }).shape
--- --> (1, 2, 2, 1)
--- ```
---@param x tensor|number
---@param options table
function pod.nn.average_pool(x, options) end

--- Convolves x [n, spatial..., c] with kernel [spatial..., c / groups, filters]. Options: strides (1), padding
--- ("valid", "same", for one axis also "causal"), dilation_rate (1), groups (1).
--- ```lua
--- pod.nn.conv(pod.ones { 1, 4, 4, 3 }, pod.ones { 3, 3, 3, 8 }).shape
--- --> (1, 2, 2, 8)
--- ```
---@param x tensor|number
---@param kernel tensor|number
---@param options? table
function pod.nn.conv(x, kernel, options) end

--- The transposed convolution of x [n, spatial..., c] with kernel [spatial..., filters, c]. Options: strides, padding,
--- dilation_rate, output_padding.
--- ```lua
--- local y = pod.nn.conv_transpose(pod.ones { 1, 4, 4, 3 }, pod.ones { 2, 2, 8, 3 }, { strides = 2 })
--- assert(y.shape[2] == 8)
--- ```
---@param x tensor|number
---@param kernel tensor|number
---@param options? table
function pod.nn.conv_transpose(x, kernel, options) end

--- Convolves each channel with kernels of its own: kernel [spatial..., c, multiplier].
--- ```lua
--- pod.nn.depthwise_conv(pod.ones { 1, 4, 4, 3 }, pod.ones { 3, 3, 3, 1 }).shape
--- --> (1, 2, 2, 3)
--- ```
---@param x tensor|number
---@param kernel tensor|number
---@param options? table
function pod.nn.depthwise_conv(x, kernel, options) end

--- The largest of each window. Options: pool_size, strides (the pool size), padding.
--- ```lua
--- pod.nn.max_pool(pod.ones { 1, 4, 4, 1 }, { pool_size = { 2, 2 } }).shape
--- --> (1, 2, 2, 1)
--- ```
---@param x tensor|number
---@param options table
function pod.nn.max_pool(x, options) end

--- Depthwise, then a convolution over single points: pointwise [1..., c * multiplier, filters].
--- ```lua
--- local y = pod.nn.separable_conv(pod.ones { 1, 4, 4, 3 }, pod.ones { 3, 3, 3, 1 }, pod.ones { 1, 1, 3, 8 })
--- assert(y.shape[4] == 8)
--- ```
---@param x tensor|number
---@param depthwise tensor|number
---@param pointwise tensor|number
---@param options? table
function pod.nn.separable_conv(x, depthwise, pointwise, options) end

--- The Euclidean norm; { ord = 1 } the sum of sizes, { ord = math.huge } the largest.
--- ```lua
--- pod.norm({ 3, 4 }):item()
--- --> 5
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
---@param options? any
function pod.norm(x, axis, options) end

---@class pod.one_hot.options
---@field axis? integer (-1) where the new axis is (default: the last)
---@field off_value? number (0) what stands elsewhere (default 0)
---@field on_value? number (1) what stands at the index (default 1)
---@field dtype? string ("float32") the type of the result

--- A 1 at each index along a new axis; indices outside give only zeros.
--- ```lua
--- pod.one_hot({ 0, 2 }, 3)
--- --> { { 1, 0, 0 }, { 0, 0, 1 } }
--- ```
---@param indices tensor|number
---@param depth integer
---@param options? pod.one_hot.options
function pod.one_hot(indices, depth, options) end

--- Of the shape and, where none is given, the type of x.
--- ```lua
--- pod.ones_like { 5, 6 }
--- --> { 1, 1 }
--- ```
---@param x tensor|number
---@param dtype? any
function pod.ones_like(x, dtype) end

pod.zeros_like = pod.ones_like

--- Each element of a times each of b: a matrix.
--- ```lua
--- pod.outer({ 1, 2 }, { 3, 4 })
--- --> { { 3, 4 }, { 6, 8 } }
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.outer(a, b) end

---@class pod.pad.options
---@field mode? "constant"|"reflect"|"symmetric" ("constant") what stands there: `value`, or what is on the other side of the edge, without or with the edge (default "constant")
---@field value? number (0) (default 0)

--- Adds places around a tensor.
--- ```lua
--- pod.pad({ 1, 2 }, { { 1, 0 } })
--- --> { 0, 1, 2 }
--- ```
---@param x tensor
---@param paddings integer[][] { before, after } for each axis
---@param options? pod.pad.options
---@return tensor
function pod.pad(x, paddings, options) end

--- Makes tensors of one type of two operands.
--- ```lua
--- pod.pair({ 1, 2 }, 3)
--- --> { 1, 2 }, 3
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.pair(a, b) end

--- a ^ b. Small whole exponents are products: exact, and differentiable everywhere.
--- ```lua
--- pod.power({ 2, 3 }, 2)
--- --> { 4, 9 }
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.power(a, b) end

--- Prints a tensor each time it is computed: print(label, t) or print(t). Returns t.
--- ```lua
--- local twice = pod.func(function(x) return pod.print("x is", x) * 2 end)
--- assert(twice(pod.tensor(3)):item() == 6) -- each call prints x
--- ```
---@param label any
---@param t any
function pod.print(label, t) end

--- Returns the type that two meet in, as NumPy and Keras have it. Floats win over integers, the two 16-bit floats meet
--- in float32, a signed and an unsigned one in a signed type that holds both.
--- ```lua
--- pod.promote("int8", "float16")
--- --> "float16"
--- ```
---@param a any
---@param b any
function pod.promote(a, b) end

--- 1 / x.
--- ```lua
--- pod.reciprocal { 2, 4 }
--- --> { 0.5, 0.25 }
--- ```
---@param x tensor|number
function pod.reciprocal(x) end

--- max(x, 0), with the gradient 0 at 0 (a maximum halves it there).
--- ```lua
--- pod.relu { -1, 2 }
--- --> { 0, 2 }
--- ```
---@param x tensor|number
function pod.relu(x) end

--- The remainder of a division, with the sign of the first, as C's `fmod`; `mod` has the divisor's sign.
--- ```lua
--- pod.remainder({ -5 }, 3)
--- --> { -2 }
--- ```
---@param a tensor
---@param b tensor
---@return tensor
function pod.remainder(a, b) end

--- Makes of a function one whose inner values are computed again in the backward pass instead of kept.
--- ```lua
--- pod.remat(function(x) return x * x end)(pod.tensor { 3 })
--- --> { 9 }
--- ```
---@param fn function
function pod.remat(fn) end

--- Repeats each element along an axis (NumPy's repeat, a keyword in Lua).
--- ```lua
--- pod.repeat_({ 1, 2 }, 2, 0)
--- --> { 1, 1, 2, 2 }
--- ```
---@param x tensor|number
---@param count integer
---@param axis? integer
function pod.repeat_(x, count, axis) end

--- Another shape for the same elements; one size may be -1. Sizes as a table or as numbers.
--- ```lua
--- pod.reshape({ 1, 2, 3, 4 }, { 2, -1 })
--- --> { { 1, 2 }, { 3, 4 } }
--- ```
---@param x tensor|number
---@param ...? integer[]
function pod.reshape(x, ...) end

--- a moved by b bits; the sign of signed numbers stays.
--- ```lua
--- pod.right_shift(pod.tensor({ 8 }, { dtype = "int32" }), 2)
--- --> { 2 }
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.right_shift(a, b) end

--- Moves elements along an axis; those that leave come in at the other end.
--- ```lua
--- pod.roll({ 1, 2, 3 }, 1)
--- --> { 3, 1, 2 }
--- ```
---@param x tensor|number
---@param shift integer
---@param axis? integer
function pod.roll(x, shift, axis) end

--- Row `index`, counted from 0.
--- ```lua
--- pod.row({ { 1, 2 }, { 3, 4 } }, 1)
--- --> { 3, 4 }
--- ```
---@param x tensor|number
---@param index integer
function pod.row(x, index) end

--- 1 over the square root of each element.
--- ```lua
--- pod.rsqrt { 4 }
--- --> { 0.5 }
--- ```
---@param x tensor
---@return tensor
function pod.rsqrt(x) end

--- Folds updates into x at indices along an axis: kind is "assign", "sum", "max" or "min".
--- ```lua
--- pod.scatter({ 0, 0, 0 }, { 1 }, { 5 })
--- --> { 0, 5, 0 }
--- ```
---@param x tensor|number
---@param indices tensor|number
---@param updates tensor|number
---@param axis? integer
---@param kind? string
function pod.scatter(x, indices, updates, axis, kind) end

--- `1 / (1 + exp(-x))` of each element.
--- ```lua
--- pod.sigmoid { 0 }
--- --> { 0.5 }
--- ```
---@param x tensor
---@return tensor
function pod.sigmoid(x) end

--- -1, 0 or 1: the sign of each element.
--- ```lua
--- pod.sign { -3, 0, 2 }
--- --> { -1, 0, 1 }
--- ```
---@param x tensor
---@return tensor
function pod.sign(x) end

--- The sine of each element, an angle in radians.
--- ```lua
--- pod.sin { 0 }
--- --> { 0 }
--- ```
---@param x tensor
---@return tensor
function pod.sin(x) end

--- The hyperbolic sine.
--- ```lua
--- pod.sinh { 0 }
--- --> { 0 }
--- ```
---@param x tensor|number
function pod.sinh(x) end

--- The part that begins at `low` and has `size` (-1: all that is left), for each axis, from 0.
--- ```lua
--- pod.slice({ 1, 2, 3, 4 }, { 1 }, { 2 })
--- --> { 2, 3 }
--- ```
---@param x tensor|number
---@param low any
---@param size any
function pod.slice(x, low, size) end

--- Elements low (inclusive) to high (exclusive) with a step, along one axis.
--- ```lua
--- pod.slice_axis({ 1, 2, 3, 4 }, 0, 1, 3)
--- --> { 2, 3 }
--- ```
---@param x tensor|number
---@param axis integer
---@param low integer
---@param high integer
---@param step? integer
function pod.slice_axis(x, axis, low, high, step) end

--- exp(x) as shares of its sum along an axis (the last).
--- ```lua
--- pod.softmax { { 1, 1 } }
--- --> { { 0.5, 0.5 } }
--- ```
---@param x tensor|number
---@param axis? integer
function pod.softmax(x, axis) end

--- log(1 + exp(x)).
--- ```lua
--- pod.softplus { 0 }
--- --> { 0.6931 }
--- ```
---@param x tensor|number
function pod.softplus(x) end

---@class pod.sort.options
---@field descending? boolean whether the largest come first

--- Sorts along an axis (the last): upwards, or descending = true.
--- ```lua
--- pod.sort { 3, 1, 2 }
--- --> { 1, 2, 3 }
--- ```
---@param x tensor|number
---@param axis? integer
---@param options? pod.sort.options
function pod.sort(x, axis, options) end

--- Splits along an axis into `parts` equal ones, or into a table of sizes.
--- ```lua
--- pod.split({ 1, 2, 3, 4 }, 2)[1]
--- --> { 1, 2 }
--- ```
---@param x tensor|number
---@param parts integer[]
---@param axis? integer
function pod.split(x, parts, axis) end

--- The square root of each element; NaN below 0.
--- ```lua
--- pod.sqrt { 4, 9 }
--- --> { 2, 3 }
--- ```
---@param x tensor
---@return tensor
function pod.sqrt(x) end

--- x * x.
--- ```lua
--- pod.square { 2, 3 }
--- --> { 4, 9 }
--- ```
---@param x tensor|number
function pod.square(x) end

--- (a - b)^2.
--- ```lua
--- pod.squared_difference({ 1, 5 }, 3)
--- --> { 4, 4 }
--- ```
---@param a tensor|number
---@param b tensor|number
function pod.squared_difference(a, b) end

--- Takes axes of size 1 away: those given (one or a table), or all.
--- ```lua
--- pod.squeeze({ { 1, 2 } }, 0)
--- --> { 1, 2 }
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
function pod.squeeze(x, axis) end

--- Joins tensors of one shape along a new axis (0).
--- ```lua
--- pod.stack { { 1, 2 }, { 3, 4 } }
--- --> { { 1, 2 }, { 3, 4 } }
--- ```
---@param list any
---@param axis? integer
function pod.stack(list, axis) end

--- The standard deviation: the root of var().
--- ```lua
--- pod.std({ 1, 3 }):item()
--- --> 1
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
---@param options? any
function pod.std(x, axis, options) end

--- The same value, which gradients do not pass.
--- ```lua
--- pod.stop_gradient { 1, 2 }
--- --> { 1, 2 }
--- ```
---@param x tensor|number
function pod.stop_gradient(x) end

--- The difference of each pair of elements; also `a - b`. Shapes broadcast.
--- ```lua
--- pod.subtract({ 3, 4 }, 1)
--- --> { 2, 3 }
--- ```
---@param a tensor
---@param b tensor
---@return tensor
function pod.subtract(a, b) end

--- Swaps two axes.
--- ```lua
--- pod.swapaxes(pod.ones { 2, 3, 4 }, 0, 2).shape
--- --> (4, 3, 2)
--- ```
---@param x tensor|number
---@param a integer
---@param b integer
function pod.swapaxes(x, a, b) end

--- Takes one element a place along an axis; indices has x's shape but for that axis.
--- ```lua
--- pod.take_along_axis({ { 5, 6 } }, { { 1 } }, 1)
--- --> { { 6 } }
--- ```
---@param x tensor|number
---@param indices tensor|number
---@param axis? integer
function pod.take_along_axis(x, indices, axis) end

--- The tangent of each element, an angle in radians.
--- ```lua
--- pod.tan { 0 }
--- --> { 0 }
--- ```
---@param x tensor
---@return tensor
function pod.tan(x) end

--- The hyperbolic tangent of each element.
--- ```lua
--- pod.tanh { 0 }
--- --> { 0 }
--- ```
---@param x tensor
---@return tensor
function pod.tanh(x) end

--- Sums products over axes: a number (the last of a with the first of b) or { axes of a, axes of b }.
--- ```lua
--- pod.tensordot({ { 1, 2 } }, { { 3 }, { 4 } }, 1)
--- --> { { 11 } }
--- ```
---@param a tensor|number
---@param b tensor|number
---@param axes? integer|integer[]
function pod.tensordot(a, b, axes) end

--- Repeats the whole along each axis.
--- ```lua
--- pod.tile({ 1, 2 }, { 2 })
--- --> { 1, 2, 1, 2 }
--- ```
---@param x tensor|number
---@param repeats integer[]
function pod.tile(x, repeats) end

--- The k largest of the last axis, descending, and their places.
--- ```lua
--- pod.top_k({ 3, 1, 2 }, 2)
--- --> { 3, 2 }, { 0, 2 }
--- ```
---@param x tensor|number
---@param k? integer
function pod.top_k(x, k) end

--- Permutes axes; without axes it reverses them.
--- ```lua
--- pod.transpose { { 1, 2 }, { 3, 4 } }
--- --> { { 1, 3 }, { 2, 4 } }
--- ```
---@param x tensor|number
---@param ...? integer|integer[]
function pod.transpose(x, ...) end

--- Keeps the lower (`tril`) or upper (`triu`) triangle of the last two axes; the rest becomes 0.
--- ```lua
--- pod.tril { { 1, 2 }, { 3, 4 } }
--- --> { { 1, 0 }, { 3, 4 } }
--- ```
---@param x tensor `(..., rows, columns)`
---@param k? integer how many diagonals above the main one belong to the lower triangle, below it to neither (default 0)
---@return tensor
function pod.tril(x, k) end

pod.triu = pod.tril

--- The whole number of each element, without its fraction: the next one towards 0. Whole numbers stay.
--- ```lua
--- pod.trunc { -1.5, 2.5 }
--- --> { -1, 2 }
--- ```
---@param x tensor|number
function pod.trunc(x) end

--- The parts of x along an axis (0), without that axis: a list.
--- ```lua
--- pod.unstack({ { 1, 2 }, { 3, 4 } })[2]
--- --> { 3, 4 }
--- ```
---@param x tensor|number
---@param axis? integer
function pod.unstack(x, axis) end

--- The mean of the squared distances from the mean.
--- ```lua
--- pod.var({ 1, 3 }):item()
--- --> 1
--- ```
---@param x tensor|number
---@param axis? integer|integer[]
---@param options? any
function pod.var(x, axis, options) end

--- Takes elements of a where the condition is true, of b elsewhere.
--- ```lua
--- pod.where({ true, false }, { 1, 2 }, { 3, 4 })
--- --> { 1, 4 }
--- ```
---@param condition tensor|number
---@param a? tensor|number
---@param b? tensor|number
function pod.where(condition, a, b) end

---@class pod.while_loop.options
---@field maximum_iterations? integer after so many turns it ends

--- Repeats `state = body(state)` while `condition(state)` is true. Both functions get the state's entries as arguments;
--- `body` returns the new ones. In a compiled function the loop is part of the program.
--- ```lua
--- pod.while_loop(function(i) return pod.less(i, 5) end, function(i) return i + 1 end, { pod.tensor(0) })
--- --> 5
--- ```
---@param condition function that gives a boolean scalar
---@param body function
---@param state tensor[]
---@param options? pod.while_loop.options
---@return tensor # the last ones
function pod.while_loop(condition, body, state, options) end

---@class pod.zeros.options
---@field shape? integer[] sizes of the axes
---@field dtype? string ("float32") (default "float32")

--- A tensor of zeros, or of ones, of a shape: `zeros { 2, 3 }` or `zeros(2, 3)`.
--- ```lua
--- pod.zeros { 2, 2 }
--- --> { { 0, 0 }, { 0, 0 } }
--- ```
---@param shape integer[] sizes of the axes
---@param dtype? string (default "float32")
---@param options? pod.zeros.options
---@return tensor
function pod.zeros(shape, dtype, options) end

pod.ones = pod.zeros

--- Clears the terminal, or what the cell of a notebook has shown; nothing in scripts.
--- ```lua
--- pod.session.clear() == nil
--- --> true
--- ```
function pod.session.clear() end

--- Says whether what is typed is in colours.
--- ```lua
--- pod.session.color(false)
--- --> false
--- ```
---@param on boolean
---@return boolean # done false where lines are plain
function pod.session.color(on) end

--- Opens a text in $VISUAL or $EDITOR; the next entry of the session begins with what comes of it.
--- ```lua
--- (pcall(pod.session.edit, "1 + 1"))
--- --> false
--- ```
---@param text? string (default: the last entry)
function pod.session.edit(text) end

--- Frees the results that a session keeps in `_` and `_1` to `_9`.
--- ```lua
--- pod.session.forget() == nil
--- --> true
--- ```
function pod.session.forget() end

--- What was entered in sessions, the oldest first.
--- ```lua
--- #pod.session.history(5) <= 5
--- --> true
--- ```
---@param wanted? integer|string the last so many (default 20), or those with a text in them
---@return table # an array of `{ number =, text = }`, empty in scripts; it prints
function pod.session.history(wanted) end

--- The keys of the line editor.
--- ```lua
--- type(pod.session.keys())
--- --> "table"
--- ```
---@return table # an array of `{ key, what it does }`, empty in scripts; it prints
function pod.session.keys() end

--- The last error that a session or the executable told, with all frames, those of Moonpod and of C, too.
--- ```lua
--- assert(pod.session.last_error() == nil or #pod.session.last_error() > 0)
--- ```
---@return string|nil # text nil where there was none
function pod.session.last_error() end

--- What the engine did for the last line of a session.
--- ```lua
--- assert(pod.session.last_work().collectives == 0)
--- ```
---@return work # as that of `pod.session.why`
function pod.session.last_work() end

--- The memory of this process that Moonpod knows of, in bytes; `pod.memory_info` has a TPU's.
--- ```lua
--- assert(pod.session.mem().current >= 0)
--- ```
---@return memory # `{ current =, peak = of tensors and programs, lua =, variables =, variable_count = }`, which prints
function pod.session.mem() end

--- Ends the session behind this entry, as Ctrl-D does; a script goes on.
--- ```lua
--- pod.session.quit() == nil
--- --> true
--- ```
function pod.session.quit() end

--- Loads a module again, as after its file was changed: who holds its table sees what is new.
--- ```lua
--- package.preload.mine = function() return { value = #tostring(package.loaded.mine) } end
--- local mine = require "mine"
--- assert(pod.session.reload "mine" == mine)
--- package.preload.mine, package.loaded.mine = nil, nil
--- ```
---@param name string as `require` takes it; it is loaded already
---@return any # what the module gives
function pod.session.reload(name) end

--- Runs a file of Lua with the globals that there are.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write("return (...) * 2")
--- file:close()
--- assert(pod.session.run(path, 21) == 42)
--- os.remove(path)
--- ```
---@param path string
---@param ... any what it gets as `...`
---@return any # what it returns
function pod.session.run(path, ...) end

--- Writes what was entered in this session into a new file, whole or not at all.
--- ```lua
--- local path = os.tmpname()
--- os.remove(path)
--- assert(pod.session.save(path) >= 0)
--- os.remove(path)
--- ```
---@param path string
---@return integer # count of entries
function pod.session.save(path) end

--- Opens a strategy's scope for what follows, in the place of the one that was opened so before.
--- ```lua
--- pod.session.scope(nil) == nil
--- --> true
--- ```
---@param strategy? strategy nil or false: closes it
function pod.session.scope(strategy) end

--- Refuses to read globals that nobody has set, as misspelled names are; names with an underscore in front are left
--- alone.
--- ```lua
--- pod.session.strict(true)
--- local ok, message = pcall(function() return undefined_name end)
--- pod.session.strict(false)
--- assert(not ok and message:find "there is no global 'undefined_name'")
--- ```
---@param on boolean false: as before
function pod.session.strict(on) end

--- Calls a function once. Returns how long that took, `{ seconds =, cpu_seconds = }`, which prints, and what the
--- function returned.
--- ```lua
--- local time, sum = pod.session.time(function() return pod.ones({ 8 }):sum():item() end)
--- assert(type(time.seconds) == "number" and sum == 8)
--- ```
---@param fn function what is measured
---@return time # its seconds by the clock and by the processors, of all threads
function pod.session.time(fn) end

---@class pod.session.timeit.options
---@field rounds? integer how many rounds (default 7)
---@field seconds? number how long a round takes at least (default 0.05)

--- Calls a function many times, in rounds of so many calls that each takes a while. Garbage is collected before each
--- round, and not within it.
--- ```lua
--- local time = pod.session.timeit(function() return 6 * 7 end, { rounds = 3, seconds = 0.001 })
--- assert(time.best <= time.median and time.median <= time.worst)
--- ```
---@param fn function what is measured, called without arguments
---@param options? pod.session.timeit.options
---@return time # `{ best =, median =, worst = seconds of a call, count = calls a round, rounds = }`, which prints
function pod.session.timeit(fn, options) end

--- The globals that are the user's: names, types, sizes of tensors.
--- ```lua
--- assert(type(pod.session.who()) == "table")
--- ```
---@return table # an array of `{ name =, kind =, about = }` sorted by name, which prints
function pod.session.who() end

--- What the engine does while a function runs: traces made, programs compiled, bytes moved, padding, collectives.
--- ```lua
--- local work = pod.session.why(function() return (pod.ones { 3, 5 } * 2):sum():item() end)
--- assert(work.runs == 1 and work.collectives == 0)
--- ```
---@param fn function what is looked at; further arguments go to it
---@return work # `{ traces =, traced = counts by name, compiled =, seconds = of compiling, runs =, steps =, moved = bytes, unpadded =, padded = bytes of what went in, here and on a TPU, collectives = }`, which prints; then what fn returned
function pod.session.why(fn) end

--- Whether a value is a sandbox.
--- ```lua
--- pod.sandbox.is(3)
--- --> false
--- ```
---@param value any
function pod.sandbox.is(value) end

---@class pod.sandbox.new.options
---@field env? table what scripts find by name beside Lua's functions: plain data, tensors, functions of the host, and plain tables of those
---@field files? string|boolean the folder that its files must lie in, within the host's own; false (default): no files
---@field instructions? integer most instructions of a run (default 1e8); what other functions do counts, too
---@field memory? integer most bytes that its Lua values, tensors and programs hold (default 64 MiB)
---@field seconds? number most seconds of a run (default 5)
---@field threads? integer most threads that its programs use (default 1)

--- Makes a sandbox: a Lua state of its own for scripts that nobody trusts. They have Lua's safe functions and `pod`,
--- and no `io`, `debug`, `package`, bytecode or finalisers (`__gc`). What a script sets stays from run to run.
--- Under LuaJIT scripts are interpreted: compiled code would not see its limits. What `env` has is copied once; its
--- functions are called in the host on copies of their arguments, and what they return or raise goes back as a copy.
--- Their time counts, but no limit stops them: what a script gives them is what nobody trusts.
--- ```lua
--- local box = pod.sandbox.new { memory = 32 * 2 ^ 20, seconds = 1 }
--- assert(box:run("return ... + 1", 2) == 3)
--- box:close()
--- local score = 0
--- box = pod.sandbox.new { env = { level = 3, add = function(n) score = score + n end } }
--- box:run "add(level)"
--- assert(score == 3)
--- box:close()
--- ```
---@param options? pod.sandbox.new.options
---@return sandbox # sandbox with the methods `run`, `output`, `memory` and `close`
function pod.sandbox.new(options) end

--- Ends the sandbox and frees its memory.
--- ```lua
--- local box = pod.sandbox.new()
--- box:close()
--- assert(not pcall(box.run, box, "return 1"))
--- ```
function sandbox:close() end

--- Returns the bytes that the sandbox holds, and the most that it ever held.
--- ```lua
--- local box = pod.sandbox.new()
--- local held, peak = box:memory()
--- assert(held > 0 and peak >= held)
--- ```
---@return integer # held
---@return integer # peak
function sandbox:memory() end

--- Returns what scripts printed since this was last asked, 64 KiB at most.
--- ```lua
--- local box = pod.sandbox.new()
--- box:run "print 'hello'"
--- assert(box:output() == "hello\n")
--- ```
---@return string # text
function sandbox:output() end

--- Runs a script with copies of values as its arguments, and returns copies of its results: nil, booleans, numbers,
--- strings, tensors, and plain tables of those. What the script raises is raised here; so is the end of a limit, which
--- no script can catch. The sandbox is usable afterwards, with its limits anew.
--- ```lua
--- pod.sandbox.new():run("return (...) * 2", 21)
--- --> 42
--- ```
---@param text string Lua source
---@return any # results of the script
function sandbox:run(text) end

return pod
