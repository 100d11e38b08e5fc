-- others - names of Keras, TensorFlow, PyTorch, JAX and NumPy, and what is here in their place: for `?name`, messages
-- and the search of the book, which leads to the first name of ours in a text.

local others = {}

-- How names are shortened there, and what they are in full.
others.short = { { "^convolution(%d)", "conv%1" }, { "^separableconvolution(%d)", "separableconv%1" },
  { "avgpool(%d)", "averagepooling%1" }, { "maxpool(%d)", "maxpooling%1" }, { "^(orthogonal)%l+$", "%1" },
  { "^(identity)%l+$", "%1" } }

-- A name in small letters, without "_" and in full.
function others.bare(name)
  local text = name:gsub("_", ""):lower()
  for _, one in ipairs(others.short) do
    text = text:gsub(one[1], one[2])
  end
  return text
end

-- Bare names.
others.names = {
  setrandomseed = "pod.random.set_seed(1)", manualseed = "pod.random.set_seed(1)", prngkey = "pod.random.generator",
  imgtoarray = "pod.image.decode_image", loadimg = "pod.image.decode_image(pod.data.read_file(path))",
  saveimg = "pod.image.encode_png", arraytoimg = "pod.plot.image", imread = "pod.image.decode_image",
  imshow = "pod.plot.image", layer = "pod.layers.subclass", wrapper = "pod.layers.subclass",
  metric = "pod.metrics.subclass", callback = "pod.callbacks.subclass",
  model = "pod.models.functional, or pod.models.subclass", module = "pod.models.subclass",
  loss = "a function of y_true and y_pred: see pod.losses",
  meanmetricwrapper = "a function of y_true and y_pred: see pod.metrics",
  learningrateschedule = "a function of the step: see pod.schedules", ops = "pod itself: pod.sum, pod.reshape",
  lrscheduler = "pod.schedules, or pod.callbacks.learning_rate_scheduler",
  steplr = "pod.schedules.piecewise_constant_decay", exponentiallr = "pod.schedules.exponential_decay",
  cosineannealinglr = "pod.schedules.cosine_decay", cosineannealingwarmrestarts = "pod.schedules.cosine_decay_restarts",
  seedgenerator = "pod.random.generator",
  lambdacallback = "pod.callbacks.lambda", progbarlogger = "pod.callbacks.progress", progbar = "pod.callbacks.progress",
  registerkerasserializable = "pod.register", customobjectscope = "the option custom_objects of pod.models.load",
  getcustomobjects = "the option custom_objects of pod.models.load",
  serializekerasobject = "pod.serialize", deserializekerasobject = "pod.deserialize",
  inputlayer = "pod.layers.input", inputspec = "pod.spec", tensorspec = "pod.spec", kerastensor = "pod.layers.input",
  shapedtypestruct = "pod.spec", modelfromjson = "pod.models.from_json", savemodel = "model:save(path)",
  saveweights = "model:save_weights(path)", loadweights = "model:load_weights(path)", loadmodel = "pod.models.load",
  statedict = "model:save_weights(path)", loadstatedict = "model:load_weights(path)",
  plotmodel = "pod.utils.plot_model",
  tfrecorddataset = "pod.data.tfrecord", dataset = "pod.data.from_tensor_slices and its like",
  tensordataset = "pod.data.from_tensor_slices", pydataset = "pod.data.from_generator",
  iterabledataset = "pod.data.from_generator", sequence = "pod.data.from_generator",
  dataloader = "pod.data.from_tensor_slices { x, y }:batch(32)", imagefolder = "pod.data.image_folder",
  splitdataset = "dataset:take(n) and dataset:skip(n)", randomsplit = "dataset:take(n) and dataset:skip(n)",
  textlinedataset = "pod.data.text_lines", fixedlengthrecorddataset = "pod.data.fixed_length_records",
  csvdataset = "pod.data.csv", repeatdataset = "dataset:repeat_", collatefn = "dataset:padded_batch",
  makecsvdataset = "pod.data.csv", readcsv = "pod.data.load_csv", pandas = "pod.data.load_csv",
  dataframe = "pod.data.load_csv", hist = "pod.plot.histogram", pyplot = "pod.plot.line", matplotlib = "pod.plot.line",
  loadtxt = "pod.data.load_csv", genfromtxt = "pod.data.load_csv", savez = "pod.data.save_npz",
  dtypepolicy = "pod.mixed_precision.set_global_policy", setdtypepolicy = "pod.mixed_precision.set_global_policy",
  autocast = "pod.mixed_precision.set_global_policy", gradscaler = "pod.optimizers.loss_scale_optimizer",
  amp = "pod.mixed_precision.set_global_policy",
  array = "pod.tensor", asarray = "pod.tensor", constant = "pod.tensor", fromnumpy = "pod.tensor",
  rand = "pod.random.uniform", randint = "pod.random.uniform", randn = "pod.random.normal", range = "pod.arange",
  gradienttape = "pod.tape", ["function"] = "pod.func", jit = "pod.func", grad = "pod.tape", vmap = "pod.func",
  valueandgrad = "pod.tape", backward = "tape:gradient", autograd = "pod.tape", pmap = "pod.distribute.tpu_strategy",
  shardmap = "pod.distribute.tpu_strategy", scan = "dataset:scan; over a tensor pod.while_loop",
  foriloop = "pod.while_loop", checkpoint = "pod.train.checkpoint; of layers that are computed again pod.remat",
  customvjp = "pod.custom_gradient", nograd = "pod.stop_gradient", detach = "pod.stop_gradient",
  requiresgrad = "layer:set_trainable", registerforwardhook = 'layer:hook("output", fn)',
  registerforwardprehook = 'layer:hook("input", fn)', registerhook = 'layer:hook("gradient", fn)',
  registerfullbackwardhook = 'layer:hook("gradient", fn)',
  zerograd = "pod.tape: gradients are not added up",
  optimizerstep = "optimizer:apply_gradients", applygradients = "optimizer:apply_gradients",
  clipgradnorm = "the option clipnorm of pod.optimizers.adam",
  mirroredstrategy = "pod.distribute.mirrored", tpustrategy = "pod.distribute.tpu_strategy",
  dataparallel = "pod.distribute.mirrored", distributeddataparallel = "pod.distribute.tpu_strategy",
  tpuclusterresolver = "pod.cluster.resolve", distribution = "pod.distribute", preprocessing = "pod.utils",
  saving = "model:save(path) and pod.models.load", config = "pod.device.configure", nnlinear = "pod.layers.dense",
  cuda = "pod.device", profile = "pod.profiler.record", summarywriter = "pod.summary.writer",
  linear = "pod.layers.dense", batchnorm = "pod.layers.batch_normalization",
  batchnorm1d = "pod.layers.batch_normalization", batchnorm2d = "pod.layers.batch_normalization",
  layernorm = "pod.layers.layer_normalization", groupnorm = "pod.layers.group_normalization",
  rmsnorm = "pod.layers.rms_normalization", convtranspose2d = "pod.layers.conv2d_transpose",
  multiheadattention = "pod.layers.multi_head_attention", adaptiveavgpool2d = "pod.layers.global_average_pooling2d",
  crossentropyloss = "pod.losses.sparse_categorical_crossentropy", nllloss =
    "pod.losses.sparse_categorical_crossentropy",
  bceloss = "pod.losses.binary_crossentropy", bcewithlogitsloss = "pod.losses.binary_crossentropy",
  mseloss = "pod.losses.mean_squared_error", l1loss = "pod.losses.mean_absolute_error",
  smoothl1loss = "pod.losses.huber", kldivloss = "pod.losses.kl_divergence",
  cat = "pod.concat", concatenate = "pod.concat", permute = "pod.transpose", view = "pod.reshape", clamp = "pod.clip",
  unsortedsegmentsum = "pod.segment_sum", indexadd = "pod.segment_sum", scatteradd = "pod.segment_sum",
  segmentmax = "pod.scatter(x, indices, updates, 0, 'max')",
  reducemean = "pod.mean", reducesum = "pod.sum", reducemax = "pod.max", reducemin = "pod.min", reduceprod = "pod.prod",
  reduceall = "pod.all", reduceany = "pod.any", reducelogsumexp = "pod.logsumexp",
  onecyclelr = "pod.schedules.cosine_decay, with its option warmup_steps",
  imagedatagenerator = "pod.data.image_dataset_from_directory, and the layers random_flip, random_rotation and others",
  flowfromdirectory = "pod.data.image_dataset_from_directory", tokenizer = "pod.layers.text_vectorization",
  wandblogger = "pod.callbacks.tensorboard, or pod.callbacks.json_logger", torchsave = "model:save(path)",
  torchload = "pod.models.load", torchcompile = "pod.func", laxscan = "pod.while_loop", jaxcheckpoint = "pod.remat",
  jaxrandomsplit = "pod.random.generator", classweight = "the option class_weight of model:fit",
  gradientclipping = "the options clipnorm and global_clipnorm of pod.optimizers.adam",
  clipbyglobalnorm = "the option global_clipnorm of pod.optimizers.adam",
  learningratefinder = "pod.advisor.lr_find", confusionmatrix = "pod.plot.confusion_matrix",
  outofmemory = "model:memory_report(chip); of programs of others moonpod advise",
  nnflatten = "pod.layers.flatten", mnist = "pod.datasets.mnist", deviceput = "pod.device",
  freezelayers = "layer:set_trainable(false)",
  transferlearning = "pod.applications, with layer:set_trainable(false)",
  argwhere = "pod.boolean_mask", onnx = "model:export", torchscript = "model:export", exportsavedmodel = "model:export",
}

return others
