-- sentences - what each name of `pod` is, in a sentence. Made by ./dev reference from the comments of lua/moonpod;
-- change those.

return {
  abs = "The absolute value of each element.",
  acos = "The angle of this cosine, 0 to pi.",
  acosh = "The number, 0 or more, of this hyperbolic cosine; NaN below 1.",
  activations =
    "Activations: functions of each element, or along an axis, which layers apply at their end.",
  add = "The sum of each pair of elements; also `a + b`.",
  add_chip =
    "Adds a chip of one's own beside the generations: from then on its name stands wherever theirs may "
    .. "(\"v9x\", slices as \"v9x-8\" and \"v9x:2x4\").",
  add_chips = "Adds the chips of a file (JSON): docs/reference/formats.md says what is in it.",
  advise = "What the StableHLO module in a file takes of a chip, and what the chip refuses of it.",
  advisor =
    "What a program would take of a TPU, said before there is one: memory, what a chip refuses, what "
    .. "would need less.",
  after =
    "Returns x, which cannot be read before the tensors (of floats) in a list are computed: what is "
    .. "computed of it waits, and takes no memory until then.",
  all = "sum, max, all and so on over an axis, axes or all; keepdims = true.",
  allclose = "Whether a and b are equal within atol + rtol * |b|.",
  any = "sum, max, all and so on over an axis, axes or all; keepdims = true.",
  any_size = "Stands for a size that any number fits, as -1 does.",
  applications = "Known models, without weights.",
  arange = "arange(stop), arange(start, stop), arange(start, stop, step), each with { dtype = } last.",
  argmax = "The index, from 0, of the largest or smallest element along an axis; the first of equals.",
  argmin = "The index, from 0, of the largest or smallest element along an axis; the first of equals.",
  argsort = "The indices, from 0, that sort() would take the elements by.",
  asin = "The angle of this sine, -pi/2 to pi/2.",
  asinh = "The number of this hyperbolic sine.",
  at = "x by a text or a list of indices, as NumPy writes them.",
  atan = "The angle of this tangent, -pi/2 to pi/2.",
  atan2 = "The angle of the point `(b, a)`, -pi to pi.",
  atanh = "The number of this hyperbolic tangent; infinite at -1 and 1, NaN beyond.",
  auto_strategy = "Takes a TPU where there is one, else what is preferred here, and says so on stderr.",
  barrier = "The same value, which passes of the compiler do not look through.",
  bitcast = "Reinterprets the bits as another dtype of the same size.",
  bitwise_and =
    "Of the bits of each pair of whole numbers: and, or, exclusive or, `a` moved left by `b`.",
  bitwise_not = "Turns each bit of whole numbers; of booleans logical_not.",
  bitwise_or = "Of the bits of each pair of whole numbers: and, or, exclusive or, `a` moved left by `b`.",
  bitwise_xor =
    "Of the bits of each pair of whole numbers: and, or, exclusive or, `a` moved left by `b`.",
  boolean_mask =
    "pod.boolean_mask(x, mask, { axis = 0 }): what of x the mask is true for, in a row along `axis`.",
  broadcast_to = "Repeats axes of size 1, and new ones in front, to a shape.",
  callbacks =
    "Callbacks watch, stop and keep a run: `model:fit(x, y, { callbacks = { ... } })` calls their hooks.",
  cast = "Converts to a dtype; the same tensor when it has it.",
  ceil = "The whole number below, above, or nearest to each element; halves go to the even one.",
  check =
    "Returns t; the run fails with the message where the condition (booleans of any shape) is false.",
  chips = "pod.chips() lists the generations, oldest first, then chips that were added; also by name.",
  clip = "Limits x to low .. high.",
  cluster = "Which cores there are.",
  compile_report =
    "pod.compile_report(): { programs =, seconds =, functions = array of { name =, location =, calls =, "
    .. "traces =, trace_seconds =, compile_seconds = } }.",
  concat = "Joins tensors along an axis that they have; stack along a new one.",
  concatenate = "Joins tensors along an axis that they have; stack along a new one.",
  cond = "Runs one of two functions without arguments, as the predicate says at run time.",
  constraints =
    "Constraints: functions from a weight to the weight that is allowed, applied after each step.",
  convert_to_tensor =
    "Makes a tensor of a number, boolean, nested table, variable or tensor; raises for what is none.",
  core = "The binding of the C library, for Moonpod's own modules.",
  cos = "The cosine of each element, an angle in radians.",
  cosh = "The hyperbolic cosine.",
  count_nonzero = "How many elements are not 0.",
  cumsum = "Sums of all elements up to each along an axis; exclusive = true.",
  custom_gradient =
    "Makes of a function, which returns its value and a function from upstream gradients to gradients of "
    .. "its arguments, one that differentiates like that.",
  data = "Datasets: where batches come from.",
  datasets =
    "Well-known data, read from packages of the system: each function returns training and test data.",
  debug =
    "Finding where numbers go wrong (`pod.debug.nan`), and stopping in the middle of a step "
    .. "(`pod.debug.break_`).",
  deserialize =
    "The object of plain data. kind (\"layer\", \"loss\", \"metric\", ...; nil: any) says of which kind a "
    .. "class name is that several have.",
  device = "The context that everything runs in.",
  devices = "The replicated cores of the resolver in use (\"TPU\"), the host (\"CPU\"), or both.",
  dimension_size = "The true number of rows of an axis.",
  display = "Describes a value: what is shown of it as text, SVG, HTML and PNG.",
  distribute = "Strategies.",
  divide = "True division.",
  divide_no_nan = "a / b, 0 where b is 0.",
  dot = "NumPy's dot.",
  dtype = "Returns the long name of a dtype; raises for one that does not exist.",
  dynamic_slice = "A part of static size at a place known at run time; starts is an array of scalars.",
  dynamic_update_slice = "x with `update` in the place that begins at `starts`, which may be a tensor.",
  einsum = "einsum(\"bij,bjk->bik\", a, b).",
  equal = "Compares each pair of elements.",
  erf = "The error function of each element.",
  erf_inv = "The inverse of the error function, of elements from -1 to 1.",
  exp = "e to the power of each element.",
  expand_dims = "Adds an axis of size 1.",
  explain =
    "pod.explain(text): what the messages in a text mean, of TensorFlow, XLA, JAX and PyTorch/XLA.",
  expm1 = "`exp(x) - 1`, exact near 0.",
  eye = "Ones on a diagonal.",
  flatten = "One axis of all elements.",
  flip = "Reverses along axes.",
  floating = "Integers and booleans become float32.",
  floor = "The whole number below, above, or nearest to each element; halves go to the even one.",
  floor_divide = "NumPy's floor_divide.",
  full = "A tensor of one value.",
  full_like = "`value` in the shape and, where none is given, the type of x.",
  func = "A compiled function.",
  gather = "Takes the slices at `indices` along an axis (tf.gather).",
  get_float32_matmul_precision = "What set_float32_matmul_precision() has set.",
  get_strategy = "The innermost open scope's strategy, or the default one.",
  gradcheck = "Compares gradients of fn(inputs...) with finite differences; raises where they differ.",
  greater = "Compares each pair of elements.",
  greater_equal = "Compares each pair of elements.",
  help =
    "The help of a value or a name: what it does, its arguments and options with their types and "
    .. "defaults, an example.",
  image =
    "Functions of pictures: tensors of shape `(height, width, channels)`, or `(n, height, width, "
    .. "channels)`, by TensorFlow's names.",
  in_top_k = "Whether each target is among the k largest predictions.",
  index = "t[{ 0, \"1:3\", \":\" }] and t:at(\"0, 1:3\").",
  index_update = "A copy of x in which what indices pick is `value`, which broadcasts.",
  initializers = "Initializers: what makes the first values of weights, with Keras' names and formulas.",
  iota = "Counts 0, 1, ... along an axis of a shape.",
  is_finite = "Whether each element is neither infinite nor NaN.",
  is_float = "Whether a type is one of floats.",
  is_inf = "Whether each element is infinite.",
  is_integer = "Whether a type is one of whole numbers.",
  is_nan = "Whether each element is NaN.",
  is_tensor = "Whether a value is a tensor.",
  is_variable = "Whether a value is a variable.",
  layers =
    "Layers, with Keras' names, options and numbers: `pod.layers.NAME(arguments, options)` makes one, "
    .. "and calling it with a tensor computes.",
  left_shift = "Of the bits of each pair of whole numbers: and, or, exclusive or, `a` moved left by `b`.",
  less = "Compares each pair of elements.",
  less_equal = "Compares each pair of elements.",
  linspace = "`count` values from start to stop, both among them.",
  load_exported =
    "pod.load_exported(path): a program that model:export or fn:export wrote; in place of a path { bytes "
    .. "= the file's, as a string }, where a host has its files in an archive.",
  log = "The natural logarithm of each element; NaN below 0.",
  log10 = "The logarithm to base 10.",
  log1p = "`log(1 + x)`, exact near 0.",
  log2 = "The logarithm to base 2.",
  log_placement = "pod.device.log_placement(true | false | function(line)).",
  log_softmax = "The logarithm of softmax(), more exact than taken of it.",
  logical_and = "Whether both, one of, or exactly one of two elements is true; what is not 0 is true.",
  logical_not = "True where x is false or 0.",
  logical_or = "Whether both, one of, or exactly one of two elements is true; what is not 0 is true.",
  logical_xor = "Whether both, one of, or exactly one of two elements is true; what is not 0 is true.",
  logsumexp = "log(sum(exp(x))) without overflow.",
  losses = "Losses, with Keras' names, defaults and numbers: `pod.losses.NAME(options)` makes one.",
  masked_loss =
    "The mean of a loss over those elements that a mask keeps, with static shapes: the same number as "
    .. "the mean of `loss` over `logits[mask]` and `labels[mask]`. (Multiplying logits and labels by the "
    .. "mask is not: what is masked then still adds its own constant, ln C for class numbers, ln 2 for a "
    .. "binary cross-entropy.) Inside of `strategy:run` the mean divides by the number of kept elements of "
    .. "all replicas, so that replicas' losses add up.",
  matmul = "Multiplies matrices as NumPy's matmul.",
  max = "sum, max, all and so on over an axis, axes or all; keepdims = true.",
  maximum = "The larger of each pair of elements.",
  mean = "Divides by the true number of elements, also of a short shard.",
  memory_info =
    "pod.memory_info \"/TPU:0\": { current =, peak =, limit =, largest_free =, fragmentation = } of a core "
    .. "of the resolver in use.",
  metrics = "Metrics, with Keras' names, defaults and numbers.",
  min = "sum, max, all and so on over an axis, axes or all; keepdims = true.",
  minimum = "The smaller of each pair of elements.",
  mixed_precision = "Which types layers compute in and keep their weights in.",
  mod = "The remainder with the divisor's sign, as Lua's and Python's %.",
  models = "Models.",
  moments = "Mean and variance at once.",
  moveaxis = "Moves axes to other places; the rest keep their order.",
  multiply = "The product of each pair of elements; also `a * b`.",
  negative = "Each element with the other sign; also `-x`.",
  nn =
    "Convolutions and pooling of tensors `(batch, spatial..., channels)`, as functions without weights "
    .. "of their own.",
  norm = "The Euclidean norm; { ord = 1 } the sum of sizes, { ord = math.huge } the largest.",
  not_equal = "Compares each pair of elements.",
  one_hot = "A 1 at each index along a new axis; indices outside give only zeros.",
  ones = "A tensor of zeros, or of ones, of a shape.",
  ones_like = "Of the shape and, where none is given, the type of x.",
  op_rules = "The verdict of a chip on every operation there is.",
  optimizers = "Optimizers, with Keras' names, defaults and order of operations.",
  outer = "Each element of a times each of b.",
  pad = "Adds places around a tensor.",
  padding = "How much of an array is padding in a TPU's memory.",
  pair = "Makes tensors of one type of two operands.",
  plot = "Charts and pictures.",
  power = "a ^ b.",
  print = "Prints a tensor each time it is computed: print(label, t) or print(t).",
  print_options = "How tensors print from now on.",
  prod = "sum, max, all and so on over an axis, axes or all; keepdims = true.",
  profiler =
    "Records where the time of steps goes: `start()` and `stop()`, or `trace(directory, fn)`, or `fit`'s "
    .. "option `profile_batch`.",
  promote = "Returns the type that two meet in, as NumPy and Keras have it.",
  random = "Random numbers, keyed by seed, the operation's place in the program, step, row and element.",
  reciprocal = "1 / x.",
  register =
    "pod.register(name, object): gives a name to a function or a class, so that what uses it can be "
    .. "saved.",
  register_layer = "pod.register_layer(name, class).",
  regularizers =
    "Regularizers: functions of a weight that give a loss, which training adds to that of the model.",
  relu = "max(x, 0), with the gradient 0 at 0 (a maximum halves it there).",
  remainder =
    "The remainder of a division, with the sign of the first, as C's `fmod`; `mod` has the divisor's "
    .. "sign.",
  remat =
    "Makes of a function one whose inner values are computed again in the backward pass instead of kept.",
  repeat_ = "Repeats each element along an axis (NumPy's repeat, a keyword in Lua).",
  reshape = "Another shape for the same elements; one size may be -1.",
  right_shift = "a moved by b bits; the sign of signed numbers stays.",
  roll = "Moves elements along an axis; those that leave come in at the other end.",
  round = "The whole number below, above, or nearest to each element; halves go to the even one.",
  row = "Row `index`, counted from 0.",
  rsqrt = "1 over the square root of each element.",
  sandbox =
    "Runs scripts that nobody trusts, each in a Lua state of its own with limits of memory, time and "
    .. "steps.",
  scatter = "Folds updates into x at indices along an axis.",
  schedules =
    "Learning rate schedules, with Keras' names and formulas: functions of the step, a number or a "
    .. "tensor.",
  serialize =
    "The plain data of a layer, model, loss, metric, optimizer, schedule, initializer, regularizer, "
    .. "constraint or dtype policy, of a registered function, or of a table of such.",
  session = "What the commands of a session do, as functions for scripts.",
  set_float32_matmul_precision =
    "Says how exactly matrix products and convolutions of float32 operands, and their gradients, are "
    .. "computed that are called from now on.",
  sigmoid = "`1 / (1 + exp(-x))` of each element.",
  sign = "-1, 0 or 1.",
  sin = "The sine of each element, an angle in radians.",
  sinh = "The hyperbolic sine.",
  slice = "The part that begins at `low` and has `size` (-1.",
  slice_axis = "Elements low (inclusive) to high (exclusive) with a step, along one axis.",
  softmax = "exp(x) as shares of its sum along an axis (the last).",
  softplus = "log(1 + exp(x)).",
  sort = "Sorts along an axis (the last).",
  spec = "pod.spec(shape, dtype, name?): what an argument must be like.",
  split = "Splits along an axis into `parts` equal ones, or into a table of sizes.",
  sqrt = "The square root of each element; NaN below 0.",
  square = "x * x.",
  squared_difference = "(a - b)^2.",
  squeeze = "Takes axes of size 1 away.",
  stack = "Joins tensors of one shape along a new axis (0).",
  std = "The standard deviation.",
  stop_gradient = "The same value, which gradients do not pass.",
  subtract = "The difference of each pair of elements; also `a - b`.",
  sum = "sum, max, all and so on over an axis, axes or all; keepdims = true.",
  summary =
    "Event files, which TensorBoard shows: `pod.summary.writer(directory)` opens one, and its methods "
    .. "write scalars, histograms, pictures, texts and graphs.",
  swapaxes = "Swaps two axes.",
  sync = "Runs what is pending; pod.sync() for scripts that measure time.",
  take = "Takes the slices at `indices` along an axis (tf.gather).",
  take_along_axis = "Takes one element a place along an axis; indices has x's shape but for that axis.",
  tan = "The tangent of each element, an angle in radians.",
  tanh = "The hyperbolic tangent of each element.",
  tape = "Records what is computed, for gradients.",
  tensor = "A tensor of a number, a boolean, a (nested) table of such, or another tensor.",
  tensordot = "Sums products over axes.",
  tile = "Repeats the whole along each axis.",
  top_k = "The k largest of the last axis, descending, and their places.",
  topology = "How the chips of a slice are connected.",
  train = "What loops of one's own need besides the loop.",
  transpose = "Permutes axes; without axes it reverses them.",
  tril = "Keeps the lower (`tril`) or upper (`triu`) triangle of the last two axes; the rest becomes 0.",
  triu = "Keeps the lower (`tril`) or upper (`triu`) triangle of the last two axes; the rest becomes 0.",
  trunc = "The whole number of each element, without its fraction: the next one towards 0.",
  unstack = "The parts of x along an axis (0), without that axis.",
  utils = "Helpers with the names that Keras has in `keras.utils`.",
  var = "The mean of the squared distances from the mean.",
  variable = "A variable.",
  version = "The version of the library that runs.",
  where = "Takes elements of a where the condition is true, of b elsewhere.",
  while_loop = "Repeats `state = body(state)` while `condition(state)` is true.",
  zeros = "A tensor of zeros, or of ones, of a shape.",
  zeros_like = "Of the shape and, where none is given, the type of x.",
}
