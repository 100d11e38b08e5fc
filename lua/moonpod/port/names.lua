-- names - what stands here for a name of Keras, tf.data, TensorFlow and NumPy, where both mean the same.

local find = require "moonpod.help.find"
local others = require "moonpod.help.others"
local reflect = require "moonpod.help.reflect"
local texts = require "moonpod.base.texts"

local names = {}

-- Parts of Keras whose members have the same names here, in small letters.
local PARTS = { ["keras.layers"] = "pod.layers", ["keras.losses"] = "pod.losses", ["keras.metrics"] = "pod.metrics",
  ["keras.optimizers"] = "pod.optimizers", ["keras.optimizers.legacy"] = "pod.optimizers",
  ["keras.optimizers.schedules"] = "pod.schedules", ["keras.callbacks"] = "pod.callbacks",
  ["keras.initializers"] = "pod.initializers", ["keras.regularizers"] = "pod.regularizers",
  ["keras.constraints"] = "pod.constraints", ["keras.activations"] = "pod.activations", ["keras.utils"] = "pod.utils",
  ["keras.layers.experimental.preprocessing"] = "pod.layers", ["keras.preprocessing.sequence"] = "pod.utils",
  ["keras.mixed_precision"] = "pod.mixed_precision", ["tensorflow.image"] = "pod.image" }

-- What members of a part are: `kinds` of expressions.
local KIND_OF_PART = { ["pod.layers"] = "layer", ["pod.losses"] = "loss", ["pod.metrics"] = "metric",
  ["pod.optimizers"] = "optimizer", ["pod.callbacks"] = "callback", ["pod.utils"] = "tensor",
  ["pod.image"] = "tensor" }

-- Functions: what is here, what its arguments are called there, and what kind the result has.
local FUNCTIONS = {}

local function add(paths, ours, order, kind)
  for path in paths:gmatch "%S+" do
    FUNCTIONS[path] = { name = ours, order = order and texts.parts(order, "%S+"), kind = kind }
  end
end

-- Operations have one name in four places.
local function add_op(names_there, ours, order)
  for name in names_there:gmatch "%S+" do
    for _, part in ipairs { "tensorflow.", "tensorflow.math.", "tensorflow.nn.", "keras.ops.", "numpy." } do
      FUNCTIONS[part .. name] = { name = ours, order = texts.parts(order, "%S+"), kind = "tensor" }
    end
  end
end

for name in ("abs exp log sqrt square sin cos tan tanh sigmoid relu softplus floor ceil sign rsqrt log1p expm1 "
    .. "zeros_like ones_like stop_gradient cosh sinh erf relu6"):gmatch "%S+" do
  add_op(name, "pod." .. name, "x")
end
for theirs, ours in pairs { add = "add", subtract = "subtract", multiply = "multiply", divide = "divide",
  maximum = "maximum", minimum = "minimum", matmul = "matmul", dot = "dot", equal = "equal", not_equal = "not_equal",
  less = "less", less_equal = "less_equal", greater = "greater", greater_equal = "greater_equal", pow = "power",
  power = "power", logical_and = "logical_and", logical_or = "logical_or",
  squared_difference = "squared_difference" } do
  add_op(theirs, "pod." .. ours, "a b")
end
for theirs, ours in pairs { ["reduce_sum sum"] = "sum", ["reduce_mean mean"] = "mean", ["reduce_max max"] = "max",
  ["reduce_min min"] = "min", ["reduce_prod prod"] = "prod", std = "std", var = "var", ["reduce_all all"] = "all",
  ["reduce_any any"] = "any", argmax = "argmax", argmin = "argmin", softmax = "softmax", log_softmax = "log_softmax",
  expand_dims = "expand_dims", squeeze = "squeeze", cumsum = "cumsum" } do
  add_op(theirs, "pod." .. ours, "x axis keepdims")
end
-- Without an axis TensorFlow takes the first, the others all elements; of sums up to each we take the first.
for _, part in ipairs { "tensorflow.", "tensorflow.math." } do
  FUNCTIONS[part .. "argmax"].axis, FUNCTIONS[part .. "argmin"].axis = "0", "0"
end
FUNCTIONS["numpy.cumsum"].axis, FUNCTIONS["keras.ops.cumsum"].axis = "none", "none"
add_op("reshape", "pod.reshape", "x shape")
add_op("transpose", "pod.transpose", "x axes")
add_op("concat concatenate", "pod.concat", "list axis")
add_op("stack", "pod.stack", "list axis")
add_op("cast", "pod.cast", "x dtype")
add_op("one_hot", "pod.one_hot", "indices depth")
add_op("clip clip_by_value", "pod.clip", "x low high")
add_op("where", "pod.where", "condition a b")
add_op("zeros", "pod.zeros", "shape dtype")
add_op("ones", "pod.ones", "shape dtype")
add_op("convert_to_tensor constant array asarray", "pod.tensor", "value dtype")
-- The type of whole numbers that are written out.
for name in ("convert_to_tensor constant array asarray"):gmatch "%S+" do
  for part, dtype in pairs { ["numpy."] = "int64", ["tensorflow."] = "int32", ["keras.ops."] = "int32" } do
    (FUNCTIONS[part .. name] or {}).whole = dtype
  end
end

add("keras.utils.set_random_seed tensorflow.random.set_seed numpy.random.seed keras.random.set_seed",
  "pod.random.set_seed", "seed")
add("tensorflow.random.normal keras.random.normal", "pod.random.normal", "shape mean stddev", "tensor")
add("numpy.random.normal", "pod.random.normal", "mean stddev shape", "tensor")
add("tensorflow.random.uniform keras.random.uniform", "pod.random.uniform", "shape minval maxval dtype seed", "tensor")
add("numpy.random.uniform", "pod.random.uniform", "minval maxval shape", "tensor")
add("numpy.random.random numpy.random.random_sample", "pod.random.uniform", "size", "tensor")
add("numpy.load", "pod.data.load_npz", "path", "arrays")
add("numpy.genfromtxt numpy.loadtxt", "pod.data.load_csv", "path dtype comments delimiter skip_header", "tensor")
add("keras.mixed_precision.set_global_policy keras.config.set_dtype_policy keras.mixed_precision.set_dtype_policy "
  .. "keras.mixed_precision.experimental.set_policy", "pod.mixed_precision.set_global_policy", "policy")
add("keras.utils.image_dataset_from_directory keras.preprocessing.image_dataset_from_directory",
  "pod.data.image_dataset_from_directory",
  "directory labels label_mode class_names color_mode batch_size image_size shuffle seed", "dataset")
add("keras.utils.text_dataset_from_directory keras.preprocessing.text_dataset_from_directory",
  "pod.data.text_dataset_from_directory", "directory labels label_mode class_names batch_size", "dataset")
add("keras.models.load_model keras.saving.load_model", "pod.models.load", "path", "model")
add("keras.models.clone_model", "pod.models.clone_model", "model", "model")
add("tensorflow.data.Dataset.from_tensor_slices", "pod.data.from_tensor_slices", "x", "dataset")
add("tensorflow.data.Dataset.range", "pod.data.range", "start stop step", "dataset")
add("tensorflow.data.Dataset.zip", "pod.data.zip", "datasets", "dataset")
add("tensorflow.data.TFRecordDataset", "pod.data.tfrecord", "filenames", "dataset")
add("tensorflow.config.experimental_connect_to_cluster", "pod.cluster.connect", "resolver")
add("tensorflow.tpu.experimental.initialize_tpu_system", "pod.cluster.initialize", "resolver")
add("tensorflow.distribute.TPUStrategy tensorflow.distribute.experimental.TPUStrategy", "pod.distribute.tpu_strategy",
  "resolver", "strategy")
add("tensorflow.distribute.MirroredStrategy", "pod.distribute.mirrored", "devices", "strategy")
add("tensorflow.distribute.get_strategy", "pod.get_strategy", "", "strategy")
add("tensorflow.config.list_logical_devices tensorflow.config.list_physical_devices "
  .. "tensorflow.config.experimental.list_logical_devices", "pod.devices", "kind", "devices")
add("tensorflow.nn.compute_average_loss", "pod.losses.compute_average_loss", "per_example sample_weight "
  .. "global_batch_size", "tensor")
for part in ("keras.layers keras.losses keras.metrics keras.optimizers keras.activations"):gmatch "%S+" do
  FUNCTIONS[part .. ".get"] = nil
end

-- Values.
local VALUES = { ["tensorflow.data.AUTOTUNE"] = "pod.data.AUTOTUNE", ["numpy.pi"] = "math.pi",
  ["tensorflow.data.experimental.AUTOTUNE"] = "pod.data.AUTOTUNE", ["math.pi"] = "math.pi", ["math.inf"] = "math.huge",
  ["numpy.inf"] = "math.huge", ["tensorflow.distribute.ReduceOp.SUM"] = '"sum"',
  ["tensorflow.distribute.ReduceOp.MEAN"] = '"mean"', ["numpy.newaxis"] = '"newaxis"',
  ["tensorflow.newaxis"] = '"newaxis"' }

for dtype in ("bool bfloat16 float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    .. "string"):gmatch "%S+" do
  for _, part in ipairs { "tensorflow.", "numpy." } do
    VALUES[part .. dtype] = ('"%s"'):format(dtype)
  end
end

-- Functions whose call another rule writes.
local SPECIAL = { ["keras.Sequential"] = "sequential", ["keras.Model"] = "functional", ["keras.Input"] = "input",
  ["tensorflow.function"] = "compiled", ["tensorflow.GradientTape"] = "tape",
  ["tensorflow.distribute.cluster_resolver.TPUClusterResolver"] = "resolver",
  ["keras.ops.shape"] = "shape", ["tensorflow.shape"] = "shape", ["numpy.shape"] = "shape",
  ["numpy.random.rand"] = "rand", ["numpy.random.randn"] = "randn", ["numpy.random.randint"] = "randint",
  ["numpy.random.default_rng"] = "generator",
  ["math.floor"] = "floor", ["math.ceil"] = "ceil", ["math.sqrt"] = "sqrt", ["math.log"] = "log",
  ["math.exp"] = "exp" }

for _, part in ipairs { "tensorflow.", "tensorflow.math.", "keras.ops.", "numpy." } do
  SPECIAL[part .. "round"] = "rounded"
end
for name in ("add subtract multiply average maximum minimum concatenate dot"):gmatch "%S+" do
  SPECIAL["keras.layers." .. name] = "joined"
end

-- Classes that a class of one's own may come from.
names.bases = { ["keras.Model"] = "pod.models", ["keras.layers.Layer"] = "pod.layers",
  ["keras.metrics.Metric"] = "pod.metrics", ["keras.callbacks.Callback"] = "pod.callbacks" }

-- Arguments of methods and of those constructors that are given more of them without a name than is usual here.
names.orders = {
  ["model:fit"] = "x y batch_size epochs verbose callbacks validation_split validation_data shuffle class_weight "
    .. "sample_weight initial_epoch steps_per_epoch validation_steps",
  ["model:evaluate"] = "x y batch_size verbose sample_weight steps callbacks return_dict",
  ["model:predict"] = "x batch_size verbose steps callbacks",
  ["model:compile"] = "optimizer loss loss_weights metrics weighted_metrics run_eagerly steps_per_execution "
    .. "jit_compile",
  ["dataset:batch"] = "size drop_remainder num_parallel_calls", ["dataset:prefetch"] = "count",
  ["dataset:shuffle"] = "buffer_size seed reshuffle_each_iteration", ["dataset:repeat_"] = "count",
  ["dataset:map"] = "fn num_parallel_calls deterministic", ["dataset:filter"] = "fn",
  ["dataset:padded_batch"] = "size padded_shapes padding_values drop_remainder",
  ["pod.layers.dense"] = "units activation use_bias",
  ["pod.layers.conv1d"] = "filters kernel_size strides padding",
  ["pod.layers.conv2d"] = "filters kernel_size strides padding",
  ["pod.layers.conv2d_transpose"] = "filters kernel_size strides padding",
  ["pod.layers.max_pooling2d"] = "pool_size strides padding",
  ["pod.layers.average_pooling2d"] = "pool_size strides padding",
  ["pod.layers.lstm"] = "units activation", ["pod.layers.gru"] = "units activation",
  ["pod.optimizers.adam"] = "learning_rate beta_1 beta_2 epsilon",
  ["pod.optimizers.sgd"] = "learning_rate momentum nesterov",
  ["pod.optimizers.rmsprop"] = "learning_rate rho momentum epsilon",
  ["pod.optimizers.adamw"] = "learning_rate weight_decay beta_1 beta_2 epsilon",
  ["pod.optimizers.adagrad"] = "learning_rate initial_accumulator_value epsilon",
  ["pod.optimizers.adadelta"] = "learning_rate rho epsilon",
  ["pod.optimizers.lion"] = "learning_rate beta_1 beta_2 weight_decay",
  ["pod.schedules.polynomial_decay"] = "initial_learning_rate decay_steps end_learning_rate power cycle",
  ["pod.schedules.cosine_decay"] = "initial_learning_rate decay_steps alpha",
  ["pod.schedules.cosine_decay_restarts"] = "initial_learning_rate first_decay_steps t_mul m_mul alpha",
  ["pod.losses.huber"] = "delta reduction", ["pod.losses.cosine_similarity"] = "axis reduction",
  ["pod.losses.sparse_categorical_crossentropy"] = "from_logits ignore_class reduction",
  ["pod.metrics.auc"] = "num_thresholds curve", ["pod.metrics.f1_score"] = "average threshold",
  ["pod.regularizers.l1"] = "l1", ["pod.regularizers.l2"] = "l2", ["pod.constraints.max_norm"] = "max_value axis",
  ["pod.initializers.constant"] = "value", ["pod.initializers.orthogonal"] = "gain seed",
  ["pod.initializers.random_normal"] = "mean stddev seed", ["pod.initializers.truncated_normal"] = "mean stddev seed",
  ["pod.initializers.random_uniform"] = "minval maxval seed",
  ["pod.layers.batch_normalization"] = "axis momentum epsilon", ["pod.layers.layer_normalization"] = "axis epsilon",
  ["pod.layers.group_normalization"] = "groups axis epsilon", ["pod.layers.normalization"] = "axis mean variance",
  ["pod.layers.re_lu"] = "max_value negative_slope threshold", ["pod.layers.softmax"] = "axis",
  ["pod.layers.masking"] = "mask_value", ["pod.layers.concatenate"] = "axis",
  ["pod.layers.simple_rnn"] = "units activation", ["pod.layers.bidirectional"] = "layer merge_mode",
  ["pod.callbacks.early_stopping"] = "monitor min_delta patience verbose mode",
  ["pod.callbacks.reduce_lr_on_plateau"] = "monitor factor patience verbose mode min_delta cooldown min_lr",
}
for _, name in ipairs { "binary_crossentropy", "categorical_crossentropy" } do
  names.orders["pod.losses." .. name] = "from_logits label_smoothing axis reduction"
end
for _, name in ipairs { "nadam", "adamax", "lamb" } do
  names.orders["pod.optimizers." .. name] = names.orders["pod.optimizers.adam"]
end
for _, name in ipairs { "precision", "recall" } do
  names.orders["pod.metrics." .. name] = "thresholds top_k class_id"
end

-- Arguments that have another name here: of a function, or of all.
names.arguments = {
  ["dataset:batch"] = { batch_size = "size" }, ["dataset:map"] = { map_func = "fn" },
  ["dataset:filter"] = { predicate = "fn" }, ["dataset:prefetch"] = { buffer_size = "count" },
  ["dataset:padded_batch"] = { batch_size = "size" }, ["pod.random.normal"] = { loc = "mean", scale = "stddev",
    size = "shape" }, ["pod.random.uniform"] = { size = "shape", low = "minval", high = "maxval" },
  ["pod.cast"] = { tensor = "x" },
  ["pod.data.load_csv"] = { delimiter = "separator", fname = "path" },
  ["pod.data.image_dataset_from_directory"] = { directory = "path" },
  ["pod.data.text_dataset_from_directory"] = { directory = "path" },
  ["pod.transpose"] = { perm = "...", axes = "..." }, ["pod.reshape"] = { shape = "...", newshape = "..." },
  ["pod.data.tfrecord"] = { filenames = "paths" }, ["pod.data.zip"] = { datasets = "first" },
  ["pod.mixed_precision.set_global_policy"] = { policy = "name" },
  ["pod.one_hot"] = { num_classes = "depth" },
  ["pod.clip"] = { clip_value_min = "low", clip_value_max = "high", a_min = "low", a_max = "high" },
}

-- Arguments that say nothing here.
names.silent = { ["pod.data.load_csv"] = { skip_header = true } }

-- A path as `keras.layers.Dense`, however the script came to it.
local function canonical(path)
  path = path:gsub("^tensorflow%.keras", "keras"):gsub("^tensorflow%.compat%.v2%.keras", "keras")
  return (path:gsub("^keras%.models%.Sequential$", "keras.Sequential"):gsub("^keras%.models%.Model$", "keras.Model")
    :gsub("^keras%.layers%.Input$", "keras.Input"):gsub("^keras%.layers%.InputLayer$", "keras.Input"))
end
names.canonical = canonical

-- Why a path is not ported, and what may be meant.
function names.unknown(path)
  path = canonical(path)
  local ours = others.names[others.bare(path:match "[^.]*$")] or path:find "^matplotlib%." and others.names.matplotlib
  return ("nothing here is known to stand for %s%s"):format(path, ours and "; see " .. ours or "")
end

-- The member of a part whose name has the same letters, or nil.
local function member(part, name)
  local bare, found = others.bare(name), nil
  for _, ours in ipairs(reflect.public_names(find.value(part))) do
    if ours:gsub("_", "") == name:gsub("_", ""):lower() then
      return ours
    end
    found = others.bare(ours) == bare and ours or found
  end
  return found
end

-- The part of `pod` that stands for a module, or nil.
function names.part(path)
  return PARTS[canonical(path)]
end

-- Names of a function's arguments in Keras' order where that differs from ours, or nil.
function names.order(ours)
  return names.orders[ours] and texts.parts(names.orders[ours], "%S+")
end

-- What stands for a path: { value = text }, { special = name }, { name, order, kind } of a function, with `is_plain`
-- where Keras computes at once what here is made first (keras.losses.mean_squared_error); nil where there is nothing.
function names.resolve(path)
  path = canonical(path)
  local known = VALUES[path] and { value = VALUES[path] } or SPECIAL[path] and { special = SPECIAL[path] }
    or FUNCTIONS[path]
  if known then
    return known
  end
  local set = path:match "^keras%.datasets%.([%w_]+)%.load_data$"
  if set then
    return { special = "load_data", name = "pod.datasets." .. set }
  end
  local above, name = path:match "^(.*)%.([%w_]+)$"
  local part = above and PARTS[above]
  local ours = part and member(part, name)
  if not ours then
    return nil
  end
  local full = part .. "." .. ours
  local is_plain = (part == "pod.losses" or part == "pod.metrics") and name:find "^%l" or nil
  return { name = full, order = names.order(full), kind = KIND_OF_PART[part], is_plain = is_plain ~= nil }
end

return names
