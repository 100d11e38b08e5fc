-- own_calls - what Moonpod says of calls: options, names, values of arguments. Read by own_messages.lua.
--
-- Entries with `general` answer where no other entry does.

-- Where the help of the function is that refused: most messages begin with its name.
local function help_of(text)
  local name = text:gsub("^[^:\n]+:%d+: ", ""):match "^([%a_][%w_]*[.:][%a_][%w_.]*): "
  return name and ("?%s shows what it takes, at the prompt."):format(name) or nil
end

local entries = {
  {
    name = "a method that was called with a dot",
    signs = { { "is a method of", "with a colon" }, "this is a field of layers and models, not a function" },
    cause = "object.method(x) hands x over in the object's place. Lua's colon hands over the object as well.",
    cure = "Write object:method(x). Functions of modules, as pod.ones, have a dot.",
  },
  {
    name = "options that exclude each other",
    signs = { "are both given", "cannot be given at the same time", "leave one out", { "; leave ", " out" },
      "belong together", "is given twice, by place and by name", "Only one of `", "it cannot be given as well",
      "do not go together", "and variance go together", "version and topology go together", "'tpu' names a real TPU",
      "are one option; give one", "leave the policy out", "leave the option tile out",
      "its boundaries were given; make it with", "leave cores out", "were given; there is nothing to adapt",
      "its vocabulary was given", { "is given without", "as well" }, "is given without y" },
    cause = "Two of what was given say the same, or one has a meaning only beside another.",
    cure = "Keep the one that you mean. Look whether a table of options that several calls share brings the other.",
  },
  {
    name = "a maker in the place of what it makes",
    signs = { "is a class of metrics; call it", "makes a loss, of options", "layer.init sets up", "call the class",
      "setup is called where the class makes a layer", "or a class by layers.subclass",
      "must be a class by layers.subclass", "takes a learning rate or a table of options",
      { "schedules.", "and a table of options; argument" } },
    cause = "Moonpod has functions that make an object, and objects that are called. One stands where the other is "
      .. "wanted.",
    cure = "Make the object first, with its options, then hand it over: local loss = pod.losses.huber(); loss(y_true, "
      .. "y_pred). A class of your own comes from layers.subclass, models.subclass or metrics.subclass.",
  },
  {
    name = "a name or option that there is not", read = help_of,
    signs = { "unknown option '", "unknown attribute '", { "unknown", "; it is one of" }, "unknown dtype '",
      "there is no loss '", "there is no metric '", "there is no optimizer '", "there is no activation '",
      "there is no initializer '", "there is no layer '", "there is no callback '", "there is no reduction '",
      "there is no hook '", "there is no kind '", "there is no dtype", "there is no operation '", "there is no pod.",
      "tensors have no '", "datasets have no '", "there is no image.", "there is no function of", "there is no event '",
      "there is no mode '", "there is no distribution '", "there is no primitive op", "there is no composite '",
      "there is no map", "there is no layout policy", "there is no form", "there is no aggregation",
      "there is no synchronization", "there is no style", "there is no remedy", "there is no precision",
      "variable: there is no", "help: there is no", "chart: there is no", "has no layer '", "there is no global '",
      { "index ", " is none" }, "description: no kind", "unknown compression", "there is no scalar '",
      "the comparison is none of", "is no comparison", "there is no option", "there is no callback",
      "moonpod: unrecognized option", "is no reduction;" },
    cause = "The name is misspelt, or it is another library's name for the thing.",
    cure = "The message has the nearest name, or all there are. Tab completes names at the prompt, and ?NAME shows a "
      .. "function's options with their defaults. docs/reference/differences.md has the names of Keras that are "
      .. "others here.",
  },
  {
    name = "a callback's watched value",
    signs = { "isn't able to automatically determine", "is unknown, fallback to auto mode",
      "Early stopping conditioned on metric", "Learning rate reduction is conditioned on metric",
      "Can save best model only", "does not support a factor" },
    cause = "The callback watches a value of the logs by its name, and there is none of that name, or nobody knows "
      .. "whether less of it is better.",
    cure = "Print the names: model:fit's history has them as keys. Those of validation begin with val_ and need "
      .. "validation_data. Say mode = \"min\" or \"max\" for values of your own.",
  },
  {
    name = "a callback that needs a file",
    signs = { "'filepath' is missing", "'filename' is missing", "backup_dir", "save_freq", "the filepath provided",
      "Please specify a non-directory filepath", "Failed to format this callback filepath", "is no format such as",
      "is for whole numbers", "cannot be written as '" },
    cause = "The callback writes files, and its path, the pattern of its names, or how often it writes is none.",
    cure = "A path may hold {epoch:02d} and names of the logs, such as {val_loss:.2f}, as in Keras. Weights end in "
      .. ".weights.h5 or .safetensors. backup_dir is a folder of its own.",
  },
  {
    name = "an argument that is missing",
    signs = { "is missing; write", "is missing; give", "' is missing", "no value given", "is not given",
      "are not given", "no initial value given", "no element type was given", "is nil; give", "x is nil",
      "was called with nil", "are missing", "options threshold and default_value are needed", "needs a resolver:",
      "there is no step; give it", "needs argument", "which file?", "is NULL", "needs a folder", "name the notebook:",
      "write where from and where to", "write run, convert or new", "sequence_length is missing", "a shape is needed",
      "there is nothing to serialize", "a slice needs a chip", "none is given", "for which chip?",
      "a layout needs a chip", "needs the name of a slice", "topology needs a version", "padding needs an array",
      "padding needs numbers", "a string of bytes needs options", "concat needs", "there are no sources",
      "without weights before", "say what the elements are", "says no size", "pad_to_max_tokens needs",
      "integers need maxval", "needs at least one", "zip: datasets are needed", "a batch needs inputs",
      "sequential wants a list", "has no layers", "needs step_counter", "where needs (condition", "the name is empty",
      "Empty `", "operands are the state and", "data must hold count pairs", "needs a weight of each",
      "sizes must give one for each axis", "the window must give numbers" },
    cause = "What the call cannot do without was not given. Often a variable is nil: a misspelt name of a local, or a "
      .. "function that returned nothing.",
    cure = "Print the value in the line before the call. %strict on makes names that there are not an error at the "
      .. "prompt. ?NAME shows the arguments and which of them have defaults.",
  },
  {
    name = "an optimizer's or a schedule's numbers",
    signs = { "optimizers.", "schedules.", "learning_rate can be set to a number only", "learning_rate must",
      "a schedule is called with", "the `schedule` function should be", "exclude_from_weight_decay must",
      "SwapEMAWeights must be used", "'schedule' is missing" },
    cause = "A learning rate, a schedule, or a number of the optimizer is not one that its rule can compute with.",
    cure = "A learning rate is a number, a schedule of pod.schedules, or a function of the iteration. The reference "
      .. "of optimizers has each number's range and default, which are those of Keras.",
  },
  {
    name = "a value of the wrong kind", general = true, read = help_of,
    signs = { { "must be ", ", not " }, { "must be ", "; got " }, { "must hold ", "; got " }, " is needed, not ",
      " is wanted, not ", " are wanted, not ", { " is a name", ", not " }, { " is a ", ", not " },
      { " is an ", ", not " }, { " is \"", ", not " }, { " are an array", ", not " }, { " are a ", ", not " },
      { " is { ", ", not " }, { "takes a ", ", not " }, { "wants a ", ", not " }, { "takes numbers", ", not " },
      { "take numbers", ", not " }, { " are integers", ", not " }, { " are ", "; numbers are needed" },
      { " is ", "; strings are needed" }, { " are ", "; strings are needed" }, { " is ", "; numbers are needed" },
      { "is ", "; an array of numbers is needed" }, { "entry ", " is no dataset but" },
      { "entry ", " is no string but" }, "is no dataset", { "are whole numbers from", "; got" },
      { " a whole number from ", "; got" }, "is no pod.spec", "must be a function, or have infeed",
      "is no function; its text", "options go into a table, not", "the mode is \"r\"", "needs a name, not",
      "have names, not", { "is from ", ", not " }, { "go by names", ", not by" } },
    cause = "An argument is of a type or form that the function does not take. The message has what it takes, and "
      .. "what it was given.",
    cure = "Look at the value where the message's line gets it: %who lists globals, print shows a table's entries. "
      .. "?NAME shows the types of a function's arguments.",
  },
  {
    name = "a number outside of its range", general = true, read = help_of,
    signs = { "; it must be ", " must be from ", " must be at least ", "must not be negative", "cannot be negative",
      { " is ", "; it may be " }, { " is ", "; it is -1" }, { " must be ", " to " }, "sizes are 0 or more",
      "the step is 0", "step of a range is 0", "the step cannot be 0", "must be at least ", { "needs 1 to ", ", not" },
      "one at least must be positive", "weights are at least 0", "elements can be prepared", "epochs count from 1",
      "to skip are at least 0", { " has ", "entries; at most" }, { " is ", "; at most" }, { " has ", " sizes; 1 to" },
      "fewer than the elements of its shape take", { " are given, but ", " are needed" },
      "bytes are expected, one an image", "is for 2 classes", { "the model takes batches of", "so batch_sizes is" },
      "do not ascend from 1", { "numbers in x, ", " in y" } },
    cause = "A number is smaller or larger than makes sense there, or than the library has room for.",
    cure = "The message has the number and its bounds. Where the number is computed, print what it is computed from: "
      .. "a size that is 0 comes of an empty table, a negative one of a subtraction.",
  },
}

return entries
