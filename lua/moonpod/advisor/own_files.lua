-- own_files - what Moonpod says of files and datasets. Read by own_messages.lua.

local entries = {
  {
    name = "a data set that is not on this machine",
    signs = { "It is part of Debian's package", "the package can be restored with", { "prints ", " verses" } },
    cause = "Known data sets are files of Debian packages. Nothing is downloaded while a script runs.",
    cure = "Install the package as the message says, or unpack it anywhere and set MOONPOD_DATASETS to its folder. "
      .. "./dev run does the former by itself for its examples.",
  },
  {
    name = "an operation that the file system refused",
    signs = { { "the name of array ", " is too long" }, "logger: ", { ": there are no ", " (" }, ": cannot ",
      "no file has a name like", "there is no folder", "a file was not written in the background",
      "could not be written", "has no folder in", "is a pipe or a device", "cannot be read: ",
      "the one folder that files", "are switched off here", "'files'", "it is another file, or was changed",
      "has no name; NULL switches", "the old one stays", "there is no event file", "the cached program is not used",
      "the program is not kept", "a file has this name", "there is no editor here", "has a zero byte",
      "cannot be read (", "none of the files can be read", "the file has no version such",
      "is there already; it is kept", "delete it, or choose another path", "the link leads to itself",
      "is empty: it has no row", "events: ", "cannot write events" },
    cause = "A file or folder is not there, is not for this user, or the disk is full. Relative paths begin where the "
      .. "process was started, and not where the script lies.",
    cure = "The end of the message is what the system says. Try ls -l on the path of the message from the same "
      .. "folder. A program that is not kept is compiled anew the next time: nothing is lost but time.",
  },
  {
    name = "a file that is larger than allowed",
    signs = { "that may be unpacked at once", "unpacked_bytes =", "max_pixels", "are read as a whole",
      "2 GiB are the most", { "at most ", " are read" }, { "claims ", " bytes; " },
      { "is longer than ", " bytes before" } },
    cause = "A file may claim more than it has: a few compressed bytes can stand for terabytes. So what is unpacked "
      .. "at once has a bound, and pictures have one of pixels.",
    cure = "If the file is yours and so large, raise the bound: pod.device.configure { unpacked_bytes = 8e9 }, or "
      .. "max_pixels where pictures are decoded. Of a file of others that is small, be suspicious.",
  },
  {
    name = "a file of another kind",
    signs = { "this is no file of a dataset's elements", "is no HDF5 file", "is no IDX file", "is no zip archive",
      "is no npy file", "is no file of weights", "this is a file of kind", "none that Moonpod wrote",
      "has weights at most", "has no architecture", "is none that backup_and_restore wrote", "there is no model in it",
      { "is of version ", "." }, "has version %", "the state has version", "is it a notebook", "nbformat",
      "a notebook is a file", "a notebook is written as", "must end in ", "must end in .", "must end in \".",
      "must end in `", "is MLIR bytecode", "is compressed; unpack it", "is HLO text", "is no text: it has bytes",
      "weights of Keras 2", "only files of ours", "is none; it is written as", "has what is not here",
      { "does not know ", ": kept" }, "has layers that have no weights in PyTorch", "format is \"moonpod\"",
      "the config must", "StableHLO text is of one batch", "this is what a file holds, no path",
      "does not begin as one", "newer one" },
    cause = "The file is whole, but another program wrote it, another version, or it holds something else: weights "
      .. "alone where a model is wanted, bytecode where text is read.",
    cure = "docs/reference/formats.md lists what is read and written, and by which function. Weights go by "
      .. "model:load_weights into a model that is there; models with their architecture by pod.models.load.",
  },
  {
    name = "a format's part that is not supported",
    signs = { "a superblock of version", "its array lies in chunks", "its elements are no numbers",
      "is encrypted or packed by", "arrays of records are not supported", "which are not supported",
      "this build of Moonpod has no", "are not read from compressed", "of a version that is not known",
      "not known here", "are not known", "cannot hold", "an unknown chunk is needed", "libzmq", "quantized elements",
      "was built without" },
    cause = "The file is right, but uses a part of its format that Moonpod does not read, or this build lacks the "
      .. "library for it.",
    cure = "Write the file again without it: uncompressed or gzip, plain numbers, no encryption. moonpod doctor tells "
      .. "which libraries this build found.",
  },
  {
    name = "weights that do not belong to the model",
    signs = { "has the weights of another model", "has the state of another model", "that differ from",
      "stays as it is:", "has more weights than the file", "has the state of another one", "has no tensor '",
      "nothing was loaded", "set_weights:", "has no weight '", "which was not there when the program was exported",
      "when the program was exported", "reads a weight '", "is updated, but is no weight", "has the state of callback",
      "clone_model:", { "weight '", "' is" }, "the file has no tensor" },
    cause = "Weights are found by the names and order of layers, and have shapes. The model was built otherwise than "
      .. "the one that wrote the file: another number of classes, a layer more, other names.",
    cure = "Compare model:summary() of both. load_weights(path, { skip_mismatch = true }) leaves out layers that "
      .. "differ, as for a new head. A model's whole file (model:save) brings its architecture along.",
  },
  {
    name = "what cannot be written",
    signs = { "which no file can hold", "by which a file can name it", "register it first",
      "a tensor that has no value yet", "options hold no variables", "tables that are saved are lists",
      "a function has no name", "JSON has numbers, strings", "a table must be a list or have names only",
      "was put into it after it was built", "cannot be written as StableHLO", "Model failed to serialize",
      "a program gives tensors and plain values", "custom_objects:", "arrays have names", "what is saved has",
      "is a name of the checkpoint's own", "checkpoint_interval", "checkpoint_name", "what a callback keeps for a run",
      "is saved has a name", "keys are texts", "json.null is a value", "names of letters", "two arrays",
      "is there twice", "train.checkpoint", "register: ", "has the key", "lies within '", "is no path of an array",
      "options: '" },
    cause = "Files hold tensors, numbers, texts and tables of these, each by a name. Functions of Lua and objects "
      .. "without a name cannot be written, for loading never runs code.",
    cure = "Give classes of your own a name by pod.register, or hand them to load as custom_objects. Save weights "
      .. "alone (model:save_weights) where the architecture is made by a script anyhow.",
  },
  {
    name = "an architecture in a file that fits nothing",
    signs = { "there is no function '", "there is no class '", "'trainable' of a", "the name of a ", "shared layer ",
      "a call of layer '", "a keras_history is", "an InputLayer has no", "calls of layers go in a circle",
      "each of its layers must have a name", "input_layers and output_layers", "reads a call '", "' reads no tensor",
      "there is no output ", "two of its layers are named", "its class makes no layer" },
    cause = "The JSON of a model names layers, calls and functions that do not fit together: it was changed by hand, "
      .. "or a class of your own makes other layers now than when it was saved.",
    cure = "Make the model by the script that wrote it and save it anew. If only weights count, make the model and "
      .. "read them by load_weights. Functions and classes are found by the names under which pod.register has them.",
  },
  {
    name = "a table of data that is not as announced",
    signs = { "csv: ", "load_csv:", "quoted field", "row is too long", "the row has too many fields",
      { "column ", " has no type" }, "a quote in", "no row of data", "columns count from 0", "the separator is",
      { ", row ", "fields, but" }, { ", row ", ", column " } },
    cause = "A row of the CSV file has other fields than its head, a value is none of its column's type, or a quote "
      .. "is not closed. Types come from the first rows unless they are given.",
    cure = "The message has file, row and column. Name the columns that you need with their types and defaults: "
      .. "columns = { { name = \"age\", dtype = \"float32\", default = 0 } }. Another separator: separator = \";\".",
  },
  {
    name = "examples and features",
    signs = { "feature '", "malformed example", "is neither an element nor the end", "its array was never written",
      "the example has no feature", "example: ", "examples are parsed", "parse_example", "records.shard",
      "of a bytes feature", "of a float feature", "of an int64 feature", "fixed-length records", "the features" },
    cause = "A tf.train.Example has lists of int64, float32 or bytes by name. What was asked for has another type or "
      .. "length than the record holds, or is not in it.",
    cure = "Read one record without parsing, and print it. Lists of any length are asked for with shape { -1 }; give "
      .. "a default for what may be missing.",
  },
  {
    name = "a dataset without end, or without elements",
    signs = { "has no end", "never ends", "without end", "the dataset is empty", "has no elements", "has no rows",
      "number of elements is", { "announced ", " elements" }, "repeat behind cache", "before all were read",
      "take some elements", "nothing went through this dataset" },
    cause = "Some stages need all elements at once (cache, save, adapt, predict), others need at least one to see "
      .. "what elements are. repeat_ has no end unless it is told one.",
    cure = "Put take(n) before, and repeat_ last but for batch. An empty dataset is often a filter that keeps "
      .. "nothing, a skip beyond the end, or a pattern of names that matches no file.",
  },
  {
    name = "elements that do not go into a batch",
    signs = { "cannot stack", "elements of one window have", "use padded_batch", "pad_to",
      "so there is no size to pad it", "larger than the padded shape", "boundaries", "the batch of host",
      "is no batch: it has no rows", "elements are tables by name", { "elements have ", " components" },
      "elements of dataset", { "elements have no component ", "only" }, { "component ", " of dataset " },
      { "elements of ", "components, those of the first" }, "was announced, but a tensor of", "over rows: component",
      "elements are no batches yet", "values are given for", "shapes are given for", { "component ", " has" },
      { "component ", " is" }, "the components of" },
    cause = "Elements of a batch have the same components, types and shapes. Here two differ, or a stage is given "
      .. "components that the elements do not have.",
    cure = "print(dataset) after each stage shows what its elements are. padded_batch fills up, "
      .. "bucket_by_sequence_length puts like lengths together, and a map before batch crops or resizes.",
  },
  {
    name = "functions that run for the elements of a dataset",
    signs = { "cannot be handed to another Lua state", "to be handed to another Lua state", "in a mapped function",
      "on threads of its own, without what stands around it", "may change while elements are prepared ahead",
      "must return a dataset", "map: ", "map_batched:", "move_to_device", "from_generator", "is traced once for all",
      "cannot run on several threads", "on no threads of their own", "group_by_window:", "scan:", "filter:",
      "stage '" },
    cause = "The function of a map is traced once where it can be, or runs in Lua states of other threads. There it "
      .. "has what it was given, and not what stands around it.",
    cure = "Let it use its arguments, pod and plain values. map(fn, { interpret = true }) runs Lua for each element; "
      .. "layers that learn nothing (rescaling, text_vectorization) go into a map as they are. docs/guides/data.md "
      .. "has both kinds.",
  },
  {
    name = "a dataset's place that cannot be taken up",
    signs = { "the state is of another dataset", "no state of an iterator", "no position tells which",
      "has no position in the data", "has no sound", "it cannot go on there" },
    cause = "A place in a dataset is kept as the number of elements that each stage gave. It fits only the same chain "
      .. "of stages, in which elements come in one order.",
    cure = "Build the dataset by the same script, with the same seeds, before it is restored. Stages with "
      .. "deterministic = false have no place to go back to.",
  },
  {
    name = "data divided among hosts",
    signs = { "auto_shard", "SHARD_HINT", "hosts with", "of hosts have", { "among ", " hosts" }, "shards are numbered",
      { "which ", " hosts could divide" }, "distribute_dataset", "distributed datasets have no", "distribute:" },
    cause = "Each host reads its part of the data: whole files (FILE), every n-th element (DATA), or what a stage "
      .. "that is marked gives (HINT).",
    cure = "Write at least as many files as hosts, or say options { auto_shard = \"DATA\" }. Batch first: the batch "
      .. "of a dataset is the global one. docs/guides/replicas.md shows it.",
  },
  {
    name = "pictures",
    signs = { "PNG, offset", "PNG: ", "JPEG: ", "for JPEG is", "for PNG is", "JPEG is from", "a picture ",
      "pictures are", "pictures have", "pictures become", "the picture ", "image.", "for JPEG has sides",
      "input_shape is { height", "the quality of a JPEG" },
    cause = "A picture is a tensor (height, width, channels) of uint8, or of floats from 0 to 1. The file is damaged, "
      .. "or the tensor has another form, type or size than the function takes.",
    cure = "pod.image.decode_image(pod.data.read_file(path)) on the one file tells whether it is the file; other "
      .. "programs tell it as well. Cast to float32 and divide by 255, or leave uint8 and begin the model with "
      .. "layers.rescaling.",
  },
  {
    name = "texts and vocabularies",
    signs = { "vocabulary", "UTF-8", "max_tokens", "idf_weights", "num_oov_indices", "labels are texts",
      "the key of a text", "takes a text or an array of texts", "output_mode" },
    cause = "A vocabulary is a list of different words, without those for masks and unknown words, which the layer "
      .. "puts in front. Texts are UTF-8.",
    cure = "Let adapt(texts) make the vocabulary; layer:get_vocabulary() prints it with what was put in front. iconv "
      .. "-f LATIN1 -t UTF-8 converts a file.",
  },
  {
    name = "a header or a text that is malformed",
    signs = { "at byte ", "malformed JSON", "npy header", "config.json", "the metadata", "in the metadata",
      "metadata '", "metadata must", "data_offsets", "the header claims", "the header describes", "behind '=' is JSON",
      "the signature", "is malformed", "an unknown or a double field", "is damaged", "lacks dtype" },
    cause = "The header or a part of the file is not as its format wants it: it was written by hand, cut, or by a "
      .. "program with a fault. The message has the place.",
    cure = "Have the program that wrote it write it again. Of JSON, python3 -m json.tool FILE names the place as "
      .. "well.",
  },
  {
    name = "a damaged file",
    signs = { "is truncated", { "the header claims", "bytes at offset" }, "damaged near offset", "is cut short",
      "checksum", "ends at offset", "the file ends within", ", at offset", "corrupted record", "malformed example",
      { "malformed ", " at offset" }, "that before it ends at", "is longer than its components",
      "directory of the zip archive claims", "has no member", "; going on from", { "no state in ", "can be read" },
      "a shape has a negative size or", "lacks name, dtype or shape", "is truncated:", "goes on behind",
      "are announced, but", "the record at offset", "the file has ", "was begun at", "overlap",
      "is not where it should be", "are asked for, but the file has", "but the file goes on", "but the data goes on",
      "its structure is damaged", "has another size than", { "without ", " of header" }, "announces ",
      { "not the ", " that the directory tells" } },
    cause = "The file ends before what it announces, or its checksum is wrong: a copy or a download that broke off, a "
      .. "full disk, or a file of another kind.",
    cure = "Copy it again and compare sizes. Files that Moonpod writes are whole or not there: a file of another name "
      .. "that ends in .part is one that broke off.",
  },
}

return entries
