-- All that scripts can call: the functions of `pod` and of its parts, and an object of each class with its methods.

local pod = require "moonpod"

local api = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local function is_callable(value)
  local meta = type(value) == "table" and getmetatable(value)
  return type(value) == "function" or type(meta) == "table" and meta.__call ~= nil
end

-- Names of a part that are loaded when they are asked for: what its __index looks them up in.
local function late_names(part)
  local meta, names = getmetatable(part), {}
  local index = type(meta) == "table" and meta.__index
  for i = 1, type(index) == "function" and 60 or 0 do
    local name, value = debug.getupvalue(index, i)
    if not name then
      break
    end
    for key in pairs(type(value) == "table" and value ~= part and value or {}) do
      names[#names + 1] = type(key) == "string" and key or nil
    end
  end
  return names
end

-- An array of { name =, fn = } of all functions, by their names. The core's are for modules, and test themselves.
function api.functions()
  local found = {}
  local function add(name, value)
    if is_callable(value) then
      found[name] = value
    end
  end
  for _, name in ipairs(getmetatable(pod).names()) do
    local value = pod[name]
    add("pod." .. name, value)
    if type(value) == "table" and name ~= "core" then
      local names = late_names(value)
      for key in pairs(value) do
        names[#names + 1] = type(key) == "string" and key or nil
      end
      for _, key in ipairs(names) do
        local ok, one = pcall(function()
          return value[key]
        end)
        add("pod." .. name .. "." .. key, ok and one or nil)
      end
    end
  end
  local list = {}
  for name, fn in pairs(found) do
    list[#list + 1] = { name = name, fn = fn }
  end
  table.sort(list, function(a, b)
    return a.name < b.name
  end)
  return list
end

-- Adds the names of functions that an object's metatables lead to; what stands in the object itself is data.
local function collect(object, from, names, seen)
  if type(from) ~= "table" or seen[from] then
    return
  end
  seen[from] = true
  for key, value in pairs(from) do
    if type(key) == "string" and key:sub(1, 1) ~= "_" and type(value) == "function"
        and not (type(object) == "table" and rawget(object, key)) then
      names[key] = true
    end
  end
  local meta = getmetatable(from)
  if type(meta) == "table" then
    collect(object, meta, names, seen)
  end
  local index = rawget(from, "__index")
  collect(object, index, names, seen)
  for i = 1, type(index) == "function" and 60 or 0 do
    local name, value = debug.getupvalue(index, i)
    if not name then
      break
    end
    collect(object, value, names, seen)
  end
end

-- An array of { name =, fn = } of an object's methods, by their names.
function api.methods(object)
  local names, list = {}, {}
  collect(object, getmetatable(object), names, { [_G] = true })
  for key in pairs(names) do
    local ok, fn = pcall(function()
      return object[key]
    end)
    if ok and type(fn) == "function" then
      list[#list + 1] = { name = key, fn = fn }
    end
  end
  table.sort(list, function(a, b)
    return a.name < b.name
  end)
  return list
end

-- What the constructors of layers need.
local LAYERS = {
  dense = { 2 }, conv1d = { 2, 1 }, conv2d = { 2, 1 }, conv3d = { 2, 1 }, conv1d_transpose = { 2, 1 },
  conv2d_transpose = { 2, 1 }, conv3d_transpose = { 2, 1 }, depthwise_conv1d = { 1 }, depthwise_conv2d = { 1 },
  separable_conv1d = { 2, 1 }, separable_conv2d = { 2, 1 }, reshape = { { 6 } }, permute = { { 1 } },
  repeat_vector = { 2 }, dropout = { 0.5 }, spatial_dropout1d = { 0.5 }, spatial_dropout2d = { 0.5 },
  spatial_dropout3d = { 0.5 }, gaussian_noise = { 0.5 }, gaussian_dropout = { 0.5 }, alpha_dropout = { 0.5 },
  activation = { "relu" }, embedding = { 5, 2 }, dot = { 1 }, lambda = { function(x) return x end },
  rescaling = { 0.5 }, normalization = { { mean = 0, variance = 1 } }, simple_rnn = { 2 }, lstm = { 2 }, gru = { 2 },
  random_rotation = { 0.1 }, random_brightness = { 0.1 }, random_contrast = { 0.1 }, random_erasing = { 0.5 },
  random_zoom = { 0.1 }, random_translation = { 0.1, 0.1 }, category_encoding = { 3 }, discretization = { { 0, 1 } },
  reversible_embedding = { 5, 2 }, position_embedding = { 8 },
  string_lookup = { { vocabulary = { "a" } } }, integer_lookup = { { vocabulary = { 3 } } }, hashing = { 3 },
  hashed_crossing = { 3 },
  text_vectorization = { { vocabulary = { "a" } } }, random_crop = { 2, 2 }, center_crop = { 2, 2 },
  resizing = { 2, 2 }, einsum_dense = { "abc,cd->abd", { -1, 2 } },
  conv_lstm1d = { 2, 2 }, conv_lstm2d = { 2, 2 }, conv_lstm3d = { 2, 2 }, simple_rnn_cell = { 2 }, lstm_cell = { 2 },
  gru_cell = { 2 }, multi_head_attention = { 2, 3 }, group_query_attention = { 3, 4, 2 },
  group_normalization = { { groups = 3 } },
}
for rank = 1, 3 do
  LAYERS["max_pooling" .. rank .. "d"], LAYERS["average_pooling" .. rank .. "d"] = { 2 }, { 2 }
  LAYERS["zero_padding" .. rank .. "d"], LAYERS["cropping" .. rank .. "d"] = { 1 }, { 1 }
  LAYERS["up_sampling" .. rank .. "d"] = { 2 }
end

local function add_layers(add)
  local layers = pod.layers
  local wrappers = {
    time_distributed = { layers.dense(2) }, spectral_normalization = { layers.dense(2) },
    stacked_rnn_cells = { { layers.lstm_cell(2) } }, rnn = { layers.gru_cell(2) }, bidirectional = { layers.lstm(2) },
  }
  for _, name in ipairs(layers.names()) do
    if name ~= "input" then
      add("layers." .. name, layers[name](unpack(LAYERS[name] or wrappers[name] or {})))
    end
  end
end

-- An array of { name =, object = } of new layers, one of each class.
function api.layers()
  local list = {}
  add_layers(function(name, object)
    list[#list + 1] = { name = name, object = object }
  end)
  return list
end

-- A writer whose file is gone.
local function summary_writer()
  local folder = os.tmpname()
  os.remove(folder)
  local writer = pod.summary.writer(folder)
  os.remove(writer.path)
  os.remove(folder)
  return writer
end

-- An array of { name =, object = }, one a class.
function api.objects()
  local layers, models, data = pod.layers, pod.models, pod.data
  local list = {}
  local function add(name, object)
    list[#list + 1] = { name = name, object = object }
  end
  local t = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }
  local strategy = pod.distribute.mirrored(2)
  local resolver = pod.cluster.resolve "v3-8"
  local model = models.sequential { layers.dense(2, { input_shape = { 3 } }), layers.dense(1) }
  model:compile { optimizer = "sgd", loss = "mse", metrics = { "mae" } }
  model:train_on_batch(pod.zeros { 4, 3 }, pod.zeros { 4, 1 })
  local input = layers.input { 3 }
  local batches = data.from_tensor_slices { pod.zeros { 8, 3 }, pod.zeros { 8, 1 } }:batch(4)
  add("tensor", t)
  add("shape", t.shape)
  add("variable", pod.variable(pod.zeros { 2 }))
  add("func", pod.func(function(x) return pod.exp(x) end))
  add("spec", pod.spec { 2, 3 })
  add("sequential", model)
  add("not compiled", models.sequential { layers.dense(2) })
  add("functional", models.functional { inputs = input, outputs = layers.dense(1)(input) })
  add("symbolic", input)
  add("dataset", batches)
  add("iterator", batches:iterator())
  add("strategy", strategy)
  add("per-replica", strategy:split(pod.zeros { 4, 2 }))
  add("distributed dataset", strategy:distribute_dataset(batches))
  add("resolver", resolver)
  add("topology", pod.topology "v4:2x2x1")
  add("tape", pod.tape({ persistent = true }):stop())
  add("padding", pod.padding { shape = { 3, 5 }, dtype = "float32" })
  add("chip", pod.chips "v3")
  add("chips", pod.chips())
  add("devices", pod.devices())
  add("policy", pod.mixed_precision.policy "mixed_bfloat16")
  add("schedule", pod.schedules.exponential_decay(0.1, 10, 0.9))
  add("initializer", pod.initializers.glorot_uniform())
  add("loss", pod.losses.huber())
  add("memory report", model:memory_report("v5e", { batch = 4 }))
  add("check", model:check_tpu("v5e", { batch = 4 }))
  add("compile report", pod.compile_report())
  add("summary writer", summary_writer())
  add("history", pod.callbacks.history())
  add_layers(add)
  for _, name in ipairs { "sgd", "adam", "adamw", "rmsprop", "adagrad", "adadelta", "adamax", "nadam", "ftrl", "lion",
    "adafactor", "lamb", "lars", "muon" } do
    add("optimizers." .. name, pod.optimizers[name]())
  end
  add("built optimizer", model.optimizer)
  add("loss scale", pod.optimizers.loss_scale_optimizer(pod.optimizers.sgd()))
  for _, name in ipairs { "mean", "sum", "binary_accuracy", "auc", "precision", "recall", "mean_absolute_error",
    "f1_score", "r2_score", "cosine_similarity" } do
    add("metrics." .. name, pod.metrics[name]())
  end
  return list
end

return api
