-- own_tools - what Moonpod says of memory, threads, programs as text, sandboxes, sessions, notebooks and of itself.
-- Read by own_messages.lua.

local entries = {
  {
    name = "no memory",
    signs = { { "needs ", "bytes, and there is no memory" }, "there is no memory", "no memory for", "no memory to",
      "no room for a call" },
    cause = "The system, or the limit that a host has set, gives no more memory. Nothing was changed.",
    cure = "A smaller batch, data from files in the place of tables, or bytes in the place of floats. "
      .. "pod.memory_info() tells what is held; collectgarbage() gives back what nobody needs.",
  },
  {
    name = "threads and processes",
    signs = { "before this process was forked", "the system gives no more than", "refuses a thread a nice",
      "cannot make a ", "cannot start a thread", "cannot start the prefetch thread", "option 'threads'",
      "the number of threads is", { "threads and ", " bytes is not possible" }, "cannot have a nice",
      "a Lua state failed" },
    cause = "The system gives no more threads, locks or rights (ulimit -u, a container's limits), or a process was "
      .. "forked: a child has none of the threads of its parent.",
    cure = "Ask for fewer threads: pod.device.configure { threads = 2 } before the first tensor. Fork before the "
      .. "first computation, or start a program of its own.",
  },
  {
    name = "kernels that this CPU does not have",
    signs = { "which names no family of kernels", "which this CPU or its system cannot run",
      "are in use already; call it before", "MOONPOD_SHORT_RUN" },
    cause = "MOONPOD_ISA, MOONPOD_SHORT_RUN or pod.device.configure chooses kernels and how short work is run. That "
      .. "is fixed with the first tensor, and a CPU has only some families.",
    cure = "Leave the variable unset: the best that the CPU has is taken. moonpod doctor lists them.",
  },
  {
    name = "a time or a memory that a sandbox has used up",
    signs = { "the sandbox has no", "of a sandbox", "in a sandbox", "a sandbox makes no", "a sandbox loads no",
      "sandbox: ", "sandbox.new:", "cannot be copied", "a sandbox cannot be made", "sandbox may have",
      "the host has no such function", "'prelude'", "a chunk is a text" },
    cause = "A script of somebody else runs with bounds of memory, time and threads, without files, and with plain "
      .. "values alone between it and its host. It asked for more.",
    cure = "The host chooses the bounds: pod.sandbox.new { memory =, seconds =, files =, env = }. What a script needs "
      .. "besides comes as a function in env. docs/reference/sandbox.md lists what a script has.",
  },
  {
    name = "patterns of Lua",
    signs = { "malformed pattern", "invalid capture", "unfinished capture", "too many captures",
      "invalid pattern capture", "invalid use of '", "missing '['", "pattern too complex", "invalid replacement value",
      "string/function/table expected" },
    cause = "string.find, match, gmatch or gsub got a pattern that is none, or replaces by what is no text. In a "
      .. "sandbox these are Moonpod's own, with Lua's words.",
    cure = "The characters ^$()%.[]*+-? have a meaning: write % before one that is meant itself. find(text, what, 1, "
      .. "true) searches plain text.",
  },
  {
    name = "StableHLO that runs nowhere here",
    signs = { "can be read and measured, but not run" },
    cause = "The program has an operation that Moonpod's table of operations has not: a call of another compiler's "
      .. "own, a collective of another kind, a type of 4 bits. It was read, so that its memory can be told.",
    cure = "pod.advise gives its report. To run it, export the program without that operation: the message has its "
      .. "name and place.",
  },
  {
    name = "StableHLO text that cannot be read",
    signs = { "the text ends where", "is expected, not '", "in this constant", "this constant has", "this bracket",
      "brackets are nested", "this text has no", "is not defined here", "is defined a second time",
      "there is no function @", "function @", "regions are nested", "calls are nested", "this is nested",
      "but the types of", "is written for it", { ", but ", " is written" }, "are given and",
      "a body must end with a return", "ops follow this return", "a second block", "the module has no function @main",
      "these resources are not closed", "is not in this text", { "has ", " values, but #" }, "this is no element type",
      "this integer", "this array has", "its comparator takes", "an op has 1 to", "its moonpod attributes",
      { "it has ", " operands and" }, "it needs a tuple", "it normalises no floats", "has not its features",
      "a loop needs a condition", "has another number of results", "is an alias of output", "no sym_name",
      "dims must be", "its reduction is", "with all calls in place", "element type '", { "argument ", " of @" },
      { "result ", " of @" }, "of its body has another type", "its region must take", "in a region of",
      "feature_index is", "dimension_numbers must", "dimensions must list", "epsilon is not" },
    cause = "The text is no whole module of StableHLO in MLIR's words: cut, edited by hand, of another dialect, or a "
      .. "form that the reader does not know.",
    cure = "The message has line and column. Export it anew as text, with its dynamic sizes fixed and its calls "
      .. "inlined: docs/guides/advise.md has the line for JAX, TensorFlow and PyTorch.",
  },
  {
    name = "a graph that is built by hand",
    signs = { "operands are given", { "it has ", " operand" }, "operand 0 must be", { "it has ", " to ", " regions" },
      "has no output", "cannot be the new parameter", "cannot both be the new parameter",
      { "parameter ", " of region" }, { "output ", " of region" }, "of no op", "must be in ascending order",
      "count is negative", "count is ", "the state must be uint64", "the initial value must be",
      "what is padded with must be", "operands are x", "behind v come a mask", "with low < high", "the window has size",
      "low and high of integers", "the infeed gives", "from its infeed", "it cannot come from an infeed",
      "the buffer for result", { "it has ", " to ", " operands" }, "the heads of k and v",
      { "types of 1 to ", " results" }, "a slice needs a chip", " inputs given", "the placements of", "lane must",
      "no buffer", "dims must list", "are numbered from 1", { "has ", " operands" },
      "a number of bytes is not negative", "a buffer needs an element type", "a budget of", "is a node of",
      "moonpod.core", "it needs at least one operand", { "region ", " outputs, but needs" },
      { "region ", " parameters, but gets" }, { "a view ", "does not lie within" }, { "a buffer ", "is not possible" },
      "entries; the graph has", "attribute 'data'", "is expected, but", "attributes have names" },
    cause = "A function that builds graphs, or runs a program of C, got operands, regions, buffers or attributes that "
      .. "the operation does not have.",
    cure = "docs/reference/c.md has each function with the shapes and types that it takes; core/graph/ops.def is the "
      .. "table of operations. In Lua the functions of pod do it for you.",
  },
  {
    name = "a fault of Moonpod itself",
    signs = { { "graph '", "' is broken" }, "the ir is broken", { "graph '", "is broken: node" }, "is broken: output",
      "above: nobody does", "a gate is a table", "error loading module", "arguments: what is", "was built for version",
      "the state has no require", "a step of the program takes", "Lua has no memory" },
    cause = "A check within the library found what should not be, or its parts (the module, libmoonpod, the Lua "
      .. "files) are of different versions.",
    cure = "Install all parts from one build: moonpod doctor tells the versions. If it stays, it is a fault: keep "
      .. "script and message, and report it. MOONPOD_CACHE=off shows whether a stored program is the reason.",
  },
  {
    name = "a stored program that is not right", general = true,
    signs = { "a loop ", "a product ", "a convolution ", "an instruction ", "a slot ", "a kernel is ", "a phase ",
      "a group ", "an operand is packed", "a pooling ", "a copy has", "a branch has", "a weight's number",
      "partial sums are", "there is no such instruction", "there is no such slot", "threads' blocks",
      "there is memory that no slot", "the elements do not fit", "has no good" },
    cause = "Compiled programs are kept in the folder of MOONPOD_CACHE. Before one is run it is proved that it "
      .. "touches no memory but its own; this one failed, so it was damaged or changed.",
    cure = "Nothing is lost: it is compiled anew and written over. If that happens again and again, look at the disk, "
      .. "or switch the folder off by MOONPOD_CACHE=off.",
  },
  {
    name = "an event file for TensorBoard",
    signs = { "summary.writer", "event file", "the tag of a summary", "an event writer", "can be shown",
      "callbacks.tensorboard:", "a scalar is one number", "embeddings_metadata", "plot.log:", "histogram of " },
    cause = "A summary has a tag, a step and a value of its kind: one number, a text, a picture, numbers for a "
      .. "histogram. One of these is not so, or the file cannot be written.",
    cure = "writer:scalar(tag, value, step) as in docs/guides/tensorboard.md. writer.step saves giving the step each "
      .. "time. A folder has files of several runs: one folder a run keeps them apart.",
  },
  {
    name = "charts",
    signs = { "plot.", "a mark is", "a list of numbers", "a list of rows", "series go by", "a note is", "chart:",
      "with low below high", "theme is", "description", "a drawing of", "numbers or a tensor are wanted", "display:",
      "a tensor of two axes is wanted", "a list of pictures", "is from 1 to 10000", "graphics is",
      "columns is too short" },
    cause = "A chart is made of lists of numbers or tensors of one or two axes. One of another form was given, or an "
      .. "option that the chart does not have.",
    cure = "x:totable() and tensors may be given as they are; losses of fit come as history.history.loss. "
      .. "docs/guides/plots.md has each kind with a picture.",
  },
  {
    name = "a profile",
    signs = { "profile_batch", "a profile is", "both profiles", "op_stats:", "nothing was recorded", "profiler." },
    cause = "One recording runs at a time, from a beginning to an end, and it needs a whole step between them.",
    cure = "pod.profiler.record(function() ... end) begins and ends by itself. Batches of fit count from 1: "
      .. "profile_batch = { 3, 5 }. docs/guides/profiling.md goes through a profile.",
  },
  {
    name = "commands and functions of a session",
    signs = { "%color", "%precision", "%run", "%save", "%scope", "%strict", "%edit", "%reload", "%help",
      "lists them", "session.", "!: write a command", "is not loaded; write require", "there is no session",
      "is no strategy: write", "did you mean" },
    cause = "A command of the prompt was written otherwise than it is read, or there is no session for it: in scripts "
      .. "there is no terminal and no history.",
    cure = "%help lists the commands, %help NAME tells one. docs/reference/session.md has the functions that do the "
      .. "same in scripts.",
  },
  {
    name = "the command line",
    signs = { "moonpod: '", "moonpod: the output could", "in the background, which", "there is no command '", "--cores",
      "--seed", "advise: ", "there is no option", "is a second one", "is given twice", "one file at a time" },
    cause = "The executable was given an option or a file that it does not take, or in a way that it does not read.",
    cure = "moonpod --help, moonpod advise --help and moonpod notebook --help list the options; "
      .. "docs/reference/command-line.md has them with what they do.",
  },
  {
    name = "Jupyter and notebooks",
    signs = { "--install-kernel", "connection file", "signature_scheme", "transport is", "allow_stdin",
      "the question was not answered", "'cells'", "'cell_type'", "'metadata'", "'outputs'", "'source'", "'attachments'",
      "'data' of an output", "a stream has", "an attachment is", "an output is", "it is no object",
      "an error has 'traceback'", "'id' is", "'nbformat_minor'", "notebook is an object", "a cell does not end",
      "there is nothing to read", "an id has", "the prompt must be" },
    cause = "A notebook's file is not as nbformat 4 has it, Jupyter's files are elsewhere, or a cell does what only a "
      .. "program with a terminal can do.",
    cure = "jupyter --paths shows where kernels are looked for. moonpod notebook convert writes a notebook anew; "
      .. "docs/guides/jupyter.md and docs/guides/notebooks.md have the rest.",
  },
}

return entries
