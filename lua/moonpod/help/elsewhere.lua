-- elsewhere - where a name is that was looked for in another place, or under the name that Keras, TensorFlow or NumPy
-- have for it.

local exports = require "moonpod.help.exports"

local elsewhere = {}

-- Names of others, in small letters and without "_", and what is here in their place.
local OTHERS = {
  setrandomseed = "pod.random.set_seed(1)",
  imgtoarray = "pod.image.decode_image", loadimg = "pod.image.decode_image(pod.data.read_file(path))",
  saveimg = "pod.image.encode_png", arraytoimg = "pod.plot.image", imread = "pod.image.decode_image",
  layer = "pod.layers.subclass", wrapper = "pod.layers.subclass", metric = "pod.metrics.subclass",
  callback = "pod.callbacks.subclass", model = "pod.models.functional, or pod.models.subclass",
  loss = "a function of y_true and y_pred", meanmetricwrapper = "a function of y_true and y_pred",
  learningrateschedule = "a function of the step", ops = "pod itself: pod.sum, pod.reshape",
  seedgenerator = "pod.random.generator",
  lambdacallback = "pod.callbacks.lambda", progbarlogger = "pod.callbacks.progress", progbar = "pod.callbacks.progress",
  registerkerasserializable = "pod.register", customobjectscope = "the option custom_objects of pod.models.load",
  getcustomobjects = "the option custom_objects of pod.models.load",
  serializekerasobject = "pod.serialize", deserializekerasobject = "pod.deserialize",
  inputlayer = "pod.layers.input", inputspec = "pod.spec", tensorspec = "pod.spec", kerastensor = "pod.layers.input",
  modelfromjson = "pod.models.from_json", savemodel = "model:save(path)", saveweights = "model:save_weights(path)",
  loadweights = "model:load_weights(path)", loadmodel = "pod.models.load", plotmodel = "pod.utils.plot_model",
  mnist = "pod.data.synthetic.mnist, or pod.datasets.fashion_mnist", tfrecorddataset = "pod.data.tfrecord",
  dataset = "pod.data.from_tensor_slices and its like", pydataset = "pod.data.from_generator",
  sequence = "pod.data.from_generator", dataloader = "pod.data.from_tensor_slices { x, y }:batch(32)",
  splitdataset = "dataset:take(n) and dataset:skip(n)", textlinedataset = "pod.data.text_lines",
  csvdataset = "pod.data.csv",
  makecsvdataset = "pod.data.csv", readcsv = "pod.data.load_csv",
  loadtxt = "pod.data.load_csv", genfromtxt = "pod.data.load_csv", savez = "pod.data.save_npz",
  dtypepolicy = "pod.mixed_precision.set_global_policy", setdtypepolicy = "pod.mixed_precision.set_global_policy",
  array = "pod.tensor", asarray = "pod.tensor", constant = "pod.tensor", fromnumpy = "pod.tensor",
  rand = "pod.random.uniform", randint = "pod.random.uniform", randn = "pod.random.normal", range = "pod.arange",
  gradienttape = "pod.tape", ["function"] = "pod.func", jit = "pod.func", grad = "pod.tape", vmap = "pod.func",
  mirroredstrategy = "pod.distribute.mirrored", tpustrategy = "pod.distribute.tpu_strategy",
  tpuclusterresolver = "pod.cluster.resolve", distribution = "pod.distribute", preprocessing = "pod.utils",
  saving = "model:save(path) and pod.models.load", config = "pod.device.configure", nnlinear = "pod.layers.dense",
  linear = "pod.layers.dense", batchnorm2d = "pod.layers.batch_normalization", crossentropyloss =
    "pod.losses.sparse_categorical_crossentropy", mseloss = "pod.losses.mean_squared_error",
}

-- How Keras shortens names, and what they are in full.
local SHORT = { { "^convolution(%d)", "conv%1" }, { "^separableconvolution(%d)", "separableconv%1" },
  { "avgpool(%d)", "averagepooling%1" }, { "maxpool(%d)", "maxpooling%1" }, { "^(orthogonal)%l+$", "%1" },
  { "^(identity)%l+$", "%1" } }

local function bare(name)
  local text = name:gsub("_", ""):lower()
  for _, one in ipairs(SHORT) do
    text = text:gsub(one[1], one[2])
  end
  return text
end

-- Where in `pod`, if anywhere: "pod.data.text_lines", or several of them, or what is written in its place; else nil.
function elsewhere.find(name, pod)
  if type(name) ~= "string" then
    return nil
  end
  local wanted, found = bare(name), {}
  if OTHERS[wanted] then
    return OTHERS[wanted]
  end
  for _, entry in ipairs(exports.list(pod)) do
    local last = entry.name:match "^pod%..*%f[%w_]([%w_]+)$"
    if last and not entry.name:find(":", 1, true) and bare(last) == wanted then
      found[#found + 1] = entry.name
    end
  end
  return #found > 0 and #found <= 3 and table.concat(found, ", or ") or nil
end

return elsewhere
