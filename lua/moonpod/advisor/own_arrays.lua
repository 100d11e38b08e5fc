-- own_arrays - what Moonpod says of shapes, types, indices, traces and gradients. Read by own_messages.lua.

local entries = {
  {
    name = "rows of different lengths",
    signs = { "rows differ: at depth", "rows have different lengths", "rows of a result differ in length",
      "rows of different shapes", "have different numbers of rows", "same number of rows",
      "all must have the same number", { "line ", "numbers are expected" }, { "has ", " numbers, row 1 has" },
      { "labels for", "entries" }, "labels are given for", " rows, component 0 has", "but component 0 has",
      { "has ", " rows, but the first has" }, "rows, those before it have", "all rows of a table have as many",
      "as many columns as rows", "there are not as many texts", "rows in component 0 and",
      "batches of different sizes" },
    cause = "A tensor is rectangular, and so is a batch: all its rows have one length, and inputs, labels and weights "
      .. "have a row each for the same examples.",
    cure = "Count both sides: #x and #y of tables, x.shape[1] of tensors. Texts and sequences become one length by "
      .. "utils.pad_sequences, or by padded_batch in a dataset.",
  },
  {
    name = "a size that is not known",
    signs = { "sizes must be known", "has no known size", "all sizes must be known", "need all sizes",
      "whose sizes are not all known", "programs have known sizes", "is not known: it must be", "not all sizes of",
      "this shape is not static", "shapes of the inputs are not known", "needs to know the size of",
      "the model does not know its input", "has one that is any", "has no static shape", "would depend on values",
      "must be known: give batch_size", "has no axis of rows", "batches of changing sizes",
      "how many rows does a core get", "the number of elements is infinite" },
    cause = "Programs have static shapes: each size is known when a function is traced, but for that of the batch. "
      .. "Here one is open, or would follow from values.",
    cure = "Give layers.input all sizes, batch with drop_remainder = true, or pad to one size. In the place of "
      .. "picking elements multiply by a mask: pod.masked_loss does that for losses. docs/reference/differences.md, "
      .. "Shapes, has the rule.",
  },
  {
    name = "an axis that there is not",
    signs = { "does not exist in", "is not one of the", "is none of an input", { "axes is", "has no axes" },
      { "lists axis", "twice" }, { "lists", "axes;" }, { "lists", "axes, but" }, { "axis is", "but the operand" },
      "has no axes", "no such axis", "share an axis", "must name each axis", "the array has no axis",
      "there is no axis", "but the axes of", "axes; give one start for each", "has no such axis",
      "that are named are not those", "that are contracted are not given", "must hold one axis", "is no axis of",
      "needs two axes", "a scalar has no", "a scalar is no matrix", "row: a scalar", "entries, one an axis of",
      "it has not one start", "pairs given for shape", { "is given for ", " spatial axes" }, "spatial axes; 1 to",
      "but window.size has", "needs a range for each axis", "must list", "is a scalar, which has",
      "indices given for shape", "split: a scalar", { "attention_axes has", "they are from" }, "dims has",
      "got one number", "scatter_dimension", "have rows along its first axis", "pooling has no groups" },
    cause = "Axes count from 0, and -1 is the last. The array has fewer axes than the call speaks of, or it speaks of "
      .. "one twice.",
    cure = "print(x.shape) shows the axes. Pictures are (height, width, channels), a batch of them has one axis more "
      .. "in front: expand_dims adds one, squeeze takes one away. Class numbers and axes count from 0, rows of t[i] "
      .. "from 1.",
  },
  {
    name = "an index that is outside",
    signs = { { "index ", "is outside" }, { "row ", "is outside" }, { "place ", "is outside" }, "is no index;",
      { "rows ", "are none of" }, { "index ", "is not below its size" }, { "axis ", "cannot be cut from" },
      { "part of shape", "does not lie in" }, { "place", "must be an integer from 0" }, "has results 0 to",
      "item() needs a tensor of one element", "has no part of", "has no room at", "has no middle of", "have no part of",
      "is beyond 2^31", "the node has fewer results", "the graph has no node", "is not one of the classes",
      "it must hold one class number", "labels are", "classes are 0 to", { "choice ", "there are datasets" },
      "of the indices) is outside", "the tuple has", "names replica", "classes are those from 0 to",
      { "has chips 0 to", "not" }, "would be one too many", "places; the sequence has", "no elements that an index" },
    cause = "An index, a label or a position lies beyond the array. Labels count from 0 to the number of classes - 1, "
      .. "t[i] counts from 1, and functions as pod.gather count from 0.",
    cure = "Compare reduce_min and reduce_max of the indices with the size that the message has. Labels from 1 to n: "
      .. "subtract 1. Words beyond a vocabulary: an embedding needs one row more for what is unknown.",
  },
  {
    name = "types that do not go together",
    signs = { "have different types", "; convert it", "convert it to a float", "but must be a float",
      "but must be int32 or int64", "cannot be summed from", "is a float type, not",
      "a float or integer type, not bool", "bool cannot count", "has no order, so", "must be int64 scalars",
      "must be an int32 scalar", "must be a bool scalar", "must return one bool", "must return one boolean",
      "must be one boolean", "the result is int32", "bits are uint32", "makes floats, not", "is uint8, not",
      "become uint8, uint16", "are uint8 (0 to 255)", "takes numbers or strings", "it is called with numbers",
      "it is called with strings", "it has another dtype", "is text, which is uint8", "which cannot be filled up to",
      "of the type that is written", "is text: parse", "takes strings, which no program", "which is text",
      "elements are strings", "it is text or has", "have strings, which", "must be integers: class numbers",
      "takes logarithms of it", "not booleans", "strings and arrays of strings", "has elements of type",
      "elements of type '", "another type", "for types that it does not take", "but the function was traced for" },
    cause = "An operation computes with operands of one type, and has rules which types it takes. Nothing is "
      .. "converted unasked but by a layer's policy.",
    cure = "pod.cast(x, \"float32\") converts; x.dtype tells what a tensor is. Pictures of files are uint8: divide by "
      .. "255 after a cast, or begin the model with layers.rescaling. Labels for sparse losses stay integers.",
  },
  {
    name = "more than can be counted",
    signs = { "2^63", "63 bits", "int32 counts", "does not fit 64 bits", "fit in memory", "2^48", "more axes than ",
      { "would have", "axes; at most" }, { "would have more than", "axes" }, { "more than", "axes" }, "too many axes",
      "axes already", "no room for one more", "leaves none for a batch", "no room for one of replicas", "must be 0 to",
      "ranks from 0 to", "columns are read, not", "components are decoded, not", "features are parsed, not",
      "components; there are 1 to", { "there are more than", "features" }, { "more than", "values cannot" },
      { "values of more than", "bytes cannot" }, { "buckets:", "can be had" }, "room for one more",
      { "more than ", " components" }, "they have 1 to", "is a chain of", "would be a chain of", "a state of more than",
      "cannot grow beyond", { "more than", "ops" }, { "more than ", " sizes" }, "too large for PNG",
      "elements, more than" },
    cause = "A tensor has at most 8 axes, and sizes whose product is a number of 63 bits; datasets, graphs and files "
      .. "have bounds, too. What was asked for is beyond: usually a product of sizes that nobody meant.",
    cure = "Look for the axis that grew: reshape or expand_dims in a loop, a broadcast of (n) with (n, 1), a one-hot "
      .. "of a large vocabulary, a stage that is added to itself in a loop.",
  },
  {
    name = "a value that is not there while tracing",
    signs = { "the function assigns variable '", "takes numbers whose values are known", "values are not known",
      "while tracing", { "is decided once", "is traced, and not in each run" },
      "has no meaning in a function that is traced", "does not stop while a function is traced",
      "a function is being traced", "that is being traced cannot", "outside of functions that are traced",
      "cannot be called inside of a compiled function", "which only describes one for a model",
      "must be symbolic tensors", "must be a symbolic tensor", "a symbolic tensor is needed", "export outside of it" },
    cause = "A compiled function runs once in Lua, on tensors without values, and its operations run in each step. "
      .. "What Lua itself decides, prints, draws or reads is fixed at that first run.",
    cure = "Decide by pod.where or pod.cond, print by pod.print, draw by pod.random, or do it before the call. "
      .. "model:compile { run_eagerly = true } runs a model's steps in Lua, slower. docs/explanation/program.md tells "
      .. "what a trace is.",
  },
  {
    name = "a function that returns something else",
    signs = { "the function must return", "its call returned nothing", "the function returned", "must return a tensor",
      "; return a tensor of", { "returns", "it must return" }, "must return its value and a function",
      { "branch returns", "tensors, the other" }, { "in one branch and", "both must have one type" },
      "what body returns", { "values are returned, but", "are wanted" }, "reduce must return", "the function gave",
      "must return { output", "; return the loss", "; return a table", "raised an error that is no text",
      { "tensors before and", "after an element" }, { "state ", "after an element" }, { "gave ", ", where" },
      "gave shape", "gives shape", "returned no function", { "result ", " is a" }, "the first of the",
      "where a string is needed", "where an array of strings is needed", { "returned ", "; " } },
    cause = "A function of yours is called by Moonpod, and what it returns has not the number, type or shape that its "
      .. "caller goes on with.",
    cure = "Call the function by itself on one element or batch (dataset:totable(1)) and print what it returns. Both "
      .. "branches of a cond, and a loop's state before and after, have the same structure, shapes and types.",
  },
  {
    name = "a tensor or dataset that is taken for a table",
    signs = { "has elements, not pairs", "has rows, not pairs", "has no element by its number", "tensors do not change",
      "compares single numbers", "a tensor cannot be compared with", "has names and places as keys", " is no tensor",
      "there is no tensor in", "t:at takes a text" },
    cause = "Tensors and datasets look like tables of Lua, and are none: a tensor is one value that never changes, "
      .. "and a dataset makes its elements when they are asked for.",
    cure = "t[i] is a row, t:at(\"0, 1:3\") a part, t:totable() a table of Lua. for x in dataset:iter() do goes "
      .. "through elements. pod.where and pod.scatter make changed copies, pod.variable has assign.",
  },
  {
    name = "tables in tables without end",
    signs = { "nested more than", "nested deeper than", "nested too deeply", "objects lie in each other" },
    cause = "Tables, brackets or objects lie in each other deeper than anything that is meant: most often a table "
      .. "holds itself.",
    cure = "Look for a field such as parent, _G or self that leads back. Copy what is needed into a plain table.",
  },
  {
    name = "an equation of einsum",
    signs = { "einsum: '", "(EinsumDense): " },
    cause = "Each letter of the equation is an axis: those before the arrow are the operands', those behind it the "
      .. "result's. A letter has one size wherever it stands.",
    cure = "Count the letters of each operand against its shape. \"ij,jk->ik\" is a product of matrices, "
      .. "\"bij,bjk->bik\" one of batches of them; dots stand for axes that are left alone.",
  },
  {
    name = "columns that cannot be crossed",
    signs = { "(HashedCrossing)" },
    cause = "Crossing takes a row of several columns as one: each column has a value a row, a string or a whole "
      .. "number, and all have as many rows.",
    cure = "Give a list of columns: layer { colours, sizes }, each (batch) or (batch, 1). Numbers with fractions go "
      .. "into bins first: pod.layers.discretization.",
  },
  {
    name = "layers that are put together otherwise than they fit",
    signs = { "takes one input; got a list", "wants a list of tensors", "wants a list of at least",
      "wants exactly 2 tensors", "an input can only come first", "names must differ",
      "the layer inside changed the number", "must have go_backwards", " states: cell(x",
      "was built for inputs whose axis", "was built for statistics", "masks of inputs with", "times: there is no one '",
      "has neither a kernel", "layers.input: axis", "the table has no function", "a callback is a table of hooks",
      "of the list is nil", { "argument ", " of its call is " }, { "model '", "; it was called with" },
      { "program '", "; it was called with" }, { "model '", "must have shape" }, "has neither units nor filters",
      "vectors of ", "and an option table; ", "arguments by its input_signature", "the outputs depend on '",
      "makes matrices, not shape" },
    cause = "Layers hand tensors on to each other. One got another number of tensors than it joins, shapes other than "
      .. "those that it was built for, or a class lacks one of its functions.",
    cure = "model:summary() shows what each layer is given. Layers that join (add, concatenate, attention) take one "
      .. "list: layer { a, b }. A layer that was built keeps its sizes: make a new one for inputs of another size.",
  },
  {
    name = "a gradient that there is not",
    signs = { "No gradients provided", "no gradient for", "gradient of ", "this tape was", "tape:gradient:",
      "gradient: ", "there is no gradient where", "has no trainable weights", "apply got a gradient",
      "gradients must be", "the loss does not depend", "the gradient for '", "the seed is",
      { "the gradient is ", ", but the window" }, "apply wants a list of gradients", "was built for other weights",
      { "element ", " of input ", ": the gradient is" } },
    cause = "What the gradient is asked of does not follow from what it is asked for, passes an operation that has "
      .. "none, or the tape that would know is gone.",
    cure = "Look whether the loss uses all weights, and whether a value was taken out of the computation on the way "
      .. "(totable, item, a new pod.tensor). Watch variables within one tape, and ask it once unless persistent = "
      .. "true.",
  },
  {
    name = "something that was made elsewhere",
    signs = { "is a node of another graph", "is not a node of", "is not one value of graph", "could not be made",
      "are one graph", "is one region alone", "is no region of its own", "does not go into itself",
      "is the graph that it would be put into", "take one of them", "must be a node of it", "are the same buffer",
      "the same buffer" },
    cause = "A node, a buffer or a graph of C is used where it does not belong: in another graph, twice, or after the "
      .. "call that made it had failed.",
    cure = "Keep one graph a function, hand values of others in as parameters, and look at the status of each call: "
      .. "the first failure is the reason, those behind it follow.",
  },
  {
    name = "shapes that do not fit", general = true,
    signs = { "do not broadcast", "axes differ", "wants an input", "wants inputs", "wants pictures", " wants (batch",
      "have different shapes", "which does not fit shape", "cannot become", "cannot pair with", "do not agree",
      "does not fit", "broadcast or reshape one", "; reshape it", "; reshape one", { "has size", "not 1" },
      "they must be equal", { "has shape", "must" }, { "has shape", "but" }, { "shape", "they must" },
      "must be a multiple of", { "sizes sum to", "but axis" }, "cannot be cut into", "cannot be divided",
      "channels are wanted", "differ in size", "does not have the elements", "does not divide",
      { "shape", "must broadcast" }, "spatial axes needs", { "is ", ", but the program has" }, "was compiled for",
      "bytes given, but", "leaves no valid size", "leaves nothing", "smaller than the window",
      "some windows would see nothing", "cannot take a value of shape", "which do not fill", "became shorter",
      "only size 1 repeats", "but must be", "does not go with those before", "it must be as axes",
      { "is ", ", but ", " was announced" }, "axes, the layer keeps", "groups times the kernel's", "which is not",
      "has more axes than", "may have no more axes", "its axes must be as theirs", "have no window of",
      "but its input_signature says", "where the first has", { "is ", ", that of the first" }, "that of input 1",
      "axes; got", "axes or more; got", "are not made of patches", "rows of input", "are expected, but it has",
      { "but axis", "has size" }, "axes; the samples have", "the target shape", "do not fit", { "is ", ", the window" },
      "is no batch", { "weights; ", " were given" } },
    cause = "Two things meet whose axes have other sizes than the operation wants. Often an axis is missing (a row "
      .. "where a batch is wanted), channels stand first, or a model is used with data of another kind.",
    cure = "The message has both shapes. model:summary() shows the shape behind each layer, print(dataset) that of an "
      .. "element. reshape, expand_dims or transpose one of them.",
  },
}

return entries
