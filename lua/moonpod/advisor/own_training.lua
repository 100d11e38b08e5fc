-- own_training - what Moonpod says of models, their training, strategies and chips. Read by own_messages.lua.

local entries = {
  {
    name = "layers that are not built yet",
    signs = { "is not built yet", "it was not called yet", "was not traced yet", "has not run yet",
      "has no compiled step yet", "call adapt(data) first", "no mean and variance", "has no vocabulary",
      "or num_bins and call adapt", "result was asked for before update_state", "adapt found no words" },
    cause = "A layer makes its weights when it knows its input's shape, a step is there once it was traced, and a "
      .. "preprocessing layer knows its words or statistics once it has seen data.",
    cure = "Give the first layer an input_shape, or call the model on a batch. layer:adapt(data) before training, "
      .. "with the training data alone, teaches layers that learn from data without training.",
  },
  {
    name = "data that fit cannot train on",
    signs = { "validation_split", "the data has no targets", "sample_weight has shape", "class_weight",
      "sample_weight is", "it may have x, y and sample weights", "gave no batch", "the dataset gave no batch",
      "validation_data must be", "there is no loss to train on", "there is no batch_size, for texts",
      "the targets have", "was called with nil for", "wants y_true and y_pred", "give { x, y }",
      "compute_loss returned", "in fit a loss must be reduced", "the dataset has no batch",
      "function must return a compiled model", "cross-entropy has no classes", "the logits need a last axis",
      "to be divided into micro_batches", "outputs; a list has one for each" },
    cause = "fit takes x and y of as many rows, a dataset of { x, y } or { x, y, sample_weight }, and for several "
      .. "outputs tables by their names. What was given has not that form.",
    cure = "print(dataset) shows what an element is. Weights of classes are { [0] = 1.0, [1] = 5.0 }: Lua's { 1, 5 } "
      .. "begins with class 1. docs/guides/training.md has each form once.",
  },
  {
    name = "a training that was stopped",
    signs = { "interrupted", "was interrupted", "was cancelled", "was stopped: it has no", "the run is over",
      "Invalid loss, terminating", "NaN or Inf loss encountered" },
    cause = "Somebody pressed Ctrl-C, a host asked to stop, a limit of time was reached, or a callback ended it. What "
      .. "was done stays: weights are those of the last whole step.",
    cure = "fit again goes on with those weights. To go on with the very next batch, with the optimizer and the order "
      .. "of data, train with callbacks.backup_and_restore.",
  },
  {
    name = "a run that is used from within itself",
    signs = { "is in training already", "from what the run itself calls", "the program is running",
      "the run is within a slice", "is already running work", "the sandbox is running", "the iterator is in use",
      "a run in slices", "the run is not over", "makes elements only while", "of the host are called in a run alone",
      "inside of strategy:run: the function runs on one replica", "cannot resume dead coroutine",
      "the host has no room for a call", "the state is closing" },
    cause = "What runs was asked to run once more before it ended: by a callback, a function of a dataset, or by a "
      .. "second fit beside one in the background.",
    cure = "Let the call return first: a callback sets model.stop_training and no more. run:wait() waits for what "
      .. "trains in the background, run:stop() ends it; model:current_run() is the run where nobody kept it.",
  },
  {
    name = "something that is closed",
    signs = { " is closed", "was closed: gradient() has", "was collected", "events cannot be read any more",
      "was shut down", "is not initialised", "connected but not initialised", "call pod.cluster.connect",
      "was lost when the system", "profile is being recorded already", "no profile is being recorded",
      "records a profile already", "records no profile", { "scope of ", " (made" }, "cannot open inside of that of" },
    cause = "The object was closed, or its time is over: things that are opened and closed go in pairs, and a system "
      .. "of TPUs that is initialised anew forgets its variables.",
    cure = "Look for the close, stop, shutdown or end of a scope that came before, perhaps in a callback or a handler "
      .. "of an error. Make the object anew rather than keeping a closed one.",
  },
  {
    name = "objects of different strategies",
    signs = { "inside the same strategy:scope", "both inside of one strategy:scope", "use one strategy for both",
      "is used in strategy:run of", "was given to a strategy of" },
    cause = "Models, optimizers, metrics and datasets belong to the strategy under which they were made. Two meet "
      .. "here that have different ones; the message has the lines that made them.",
    cure = "Make all of them within one strategy:scope(function() ... end), or all outside.",
  },
  {
    name = "a value that differs between replicas",
    signs = { "differs between replicas", "per-replica value", "there is no replica here",
      "is for the outside of strategy:run", "on the first and", "values given for", "short shards",
      "cannot be divided among", "cannot be divided evenly among", "to split: take it per replica", "a global batch of",
      "number of replicas", { "rows over ", " replicas" }, "strategy:reduce: '", "strategy:split",
      "each replica's part of the loss", "the gradients are of a mean over each replica",
      "has no room for one of replicas", { "the batch of ", " elements is the GLOBAL batch" },
      "rows; with split parameters", "average the other axes first", "the replicas'; merge", "the replicas'",
      "was traced for another number of replicas", "must be the number of replicas",
      "has no meaning in a program of one host", "so its rows are not divided", "aggregate it with all_reduce",
      "so many boxes", "keeps state from run to run", { "' cannot run ", " rows" }, "of a product it is not there" },
    cause = "Within strategy:run each replica has rows, and values, of its own. Outside there is one value for all. "
      .. "Here one is taken for the other, or the rows do not divide among the replicas.",
    cure = "strategy:reduce(\"sum\", value) makes one value of many outside; "
      .. "pod.distribute.replica_context():all_reduce does so inside. The batch of a dataset is the global one: "
      .. "strategy:global_batch(rows_of_one_replica). docs/guides/replicas.md goes through it.",
  },
  {
    name = "a slice or chip that there is not",
    signs = { "there is no TPU generation", "is no slice:", "is no topology:", "there is no slice of",
      "is no accelerator:", "no TPU generation", "the nearest are", "resolve: ", "topology: ", "is no device name",
      "there is no device '", "device_assignment", "the device assignment wants", "no TPU named '", "there is no host",
      { "has ", " devices" }, { "is for ", " devices" }, "how graphs are compiled for a", "tpu_strategy" },
    cause = "A slice is a generation and its cores or chips, such as \"v3-8\", and only some sizes exist. This "
      .. "machine has no TPU: Moonpod computes what one would, on the CPU.",
    cure = "pod.topology \"v3-32\" prints what a slice consists of; pod.chips() lists generations, the message the "
      .. "nearest sizes. pod.auto_strategy() takes what there is.",
  },
  {
    name = "a chip of one's own",
    signs = { "add_chips", "must be more than 0", "is that of a generation; take another",
      "says that there is no chip; take", "whose rules of compiling", "pod_shape has no third axis",
      "there is no chip to check", "an array of two or three sizes", "hbm_limit_bytes is missing",
      "host_shape must have as many", "based_on", "could be based on", "reports name it: take another name",
      "chips of one's own, not more", "a file of chips has", "this is no file of chips",
      "must be an array of objects, one a chip", "what the chip is called", "is an array without a chip" },
    cause = "A chip that Moonpod does not know is described by its numbers and by the generation whose compiler's "
      .. "rules hold for it. A number lacks, or two of them contradict each other.",
    cure = "print(pod.chips \"v5e\") shows all fields of a chip with their units: take one as the pattern. The name "
      .. "must be new, for reports are told apart by it.",
  },
  {
    name = "rows that are filled up to a bucket",
    signs = { "batch_buckets", "that fill a bucket up would count", "it computes something else for",
      "cannot be filled up to", "all have as many", "it takes other tensors from outside", "rows of the bucket" },
    cause = "With batch_buckets a batch is filled up to the next of a few sizes, so that few programs are compiled. "
      .. "That is exact only where rows do not look at each other.",
    cure = "Take means and sums over the batch outside of the function, or leave batch_buckets out: each size is a "
      .. "program of its own then.",
  },
  {
    name = "a memory report that lacks something",
    signs = { "memory report", "memory_report", "find_batch:", "check_tpu:", "memory_info:", "set_memory_options:",
      "apply: there is no remedy", "remedies are for reports", "ask for the report of the function", "batch_rules",
      "a graph is planned for a chip" },
    cause = "A report needs a chip, the shapes of a batch, and a compiled model or a traced function. The rest it "
      .. "knows from there.",
    cure = "Before the first fit: model:memory_report(\"v3\", { batch = 128, x = pod.spec { -1, 784 } }). After it "
      .. "the shapes are known. docs/tutorials/tpu-memory.md shows the way from report to remedy.",
  },
  {
    name = "a shape or layout written as text",
    signs = { "an array is written as f32", { "the layout ", " orders" }, { "orders ", " axes and the shape" },
      "padding: ", "a tile has", "tiles, not", "a layout has", "elements are stored in" },
    cause = "XLA's notation for an array is its type, shape and layout: f32[128,18]{1,0:T(8,128)}. The order of axes "
      .. "goes from the innermost to the outermost, tiles stand behind T.",
    cure = "Leave the layout out to be told the chip's own. pod.padding \"f32[128,18]\" prints what it takes.",
  },
  {
    name = "mixed precision and policies",
    signs = { "dtype policy", "of policy '", { "would be ", ": make a new model" }, "matmul_precision",
      "mixed_precision.compare" },
    cause = "A policy names the type that layers compute in and the type of their variables. It is fixed when a layer "
      .. "is made.",
    cure = "Set it before the model is made: pod.mixed_precision.set_global_policy \"mixed_bfloat16\". Give the last "
      .. "layer dtype = \"float32\". docs/guides/mixed-precision.md says what to look at.",
  },
  {
    name = "a step that knows nothing of a change",
    signs = { "call compile before", "stay as they are", "was changed after compile", "for output '", "_step returned",
      "'on_nan' must be", "trainable of layer" },
    cause = "compile makes one training step of model, loss, metrics and optimizer. What changes afterwards, or what "
      .. "the step does not know by name, is not in it.",
    cure = "Call model:compile again after such a change. Losses and metrics of several outputs go by the outputs' "
      .. "names, which model:summary() prints.",
  },
}

return entries
