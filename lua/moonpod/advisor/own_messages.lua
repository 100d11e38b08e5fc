-- own_messages - what Moonpod itself says most often when something is wrong. Entries as those of messages.lua, which
-- has them at its end; a spec looks for each sign in the sources.

local MOONPOD = "Moonpod"

return {
  {
    name = "sizes that do not match", from = MOONPOD,
    signs = { "axes differ:", "do not broadcast: counted from the last axis", "wants inputs of shape" },
    cause = "Two arrays meet whose axes have other sizes than the operation wants. Often an axis is missing (a row "
      .. "where a batch is wanted), or a product has its operands the wrong way round.",
    cure = "The message has both shapes. model:summary() shows the shape behind each layer, print(dataset) that of "
      .. "an element. reshape, expand_dims or transpose one of them.",
  },
  {
    name = "a decision on a value that is being traced", from = MOONPOD,
    signs = { "is not known while tracing" },
    cause = "The function is traced: it runs once, on tensors that have a shape and no value yet. Lua's if and "
      .. "while need a value.",
    cure = "Choose between values with pod.where, between computations with pod.cond, and compare with pod.less and "
      .. "its like. What depends on Lua's own numbers may stay an if.",
  },
  {
    name = "a tensor that left its trace", from = MOONPOD,
    signs = { { "was made while", "was traced and has no value outside of it" } },
    cause = "A function that was traced put a tensor into a variable outside. What it put there is a node of a "
      .. "graph, not a value.",
    cure = "Return the tensor from the function. To keep a value from call to call, make a pod.variable before and "
      .. "assign to it. pod.print shows a value on the way.",
  },
  {
    name = "a function that is traced again and again", from = MOONPOD,
    signs = { { "traced it anew", "each trace is compiled" } },
    cause = "Each new shape, type or number of Lua among the arguments is a trace of its own, and each is compiled.",
    cure = "Batches of one size (drop_remainder = true), numbers that change as tensors, or pod.func(fn, { "
      .. "reduce_retracing = true }). f:traces() tells why each trace was made.",
  },
  {
    name = "a variable with a value a replica", from = MOONPOD,
    signs = { "has a value a replica and no aggregation" },
    cause = "Within strategy:run each replica assigned its own value. Outside there is one, and nobody said how "
      .. "many become one.",
    cure = "Make the variable with aggregation = \"sum\", \"mean\" or \"only_first_replica\", or assign what is the "
      .. "same on all replicas: the sum or mean over them.",
  },
  {
    name = "a variable of another strategy", from = MOONPOD,
    signs = { "is used in strategy:run of" },
    cause = "A variable belongs to the strategy in whose scope it was made.",
    cure = "Make model and optimizer within strategy:scope(function() ... end) of the strategy that runs them.",
  },
  {
    name = "a model that is not compiled", from = MOONPOD,
    signs = { "call compile before" },
    cause = "fit and evaluate need an optimizer and a loss.",
    cure = "model:compile { optimizer = \"adam\", loss = ... } once, also after loading weights alone. predict "
      .. "needs none.",
  },
  {
    name = "a step that does not fit the chip", from = MOONPOD,
    signs = { { "No step has run", "memory_check = false" } },
    cause = "The model was made under the strategy of a chip, and its step surely takes more memory than that has.",
    cure = "Take one of the remedies in the message: report:apply(1) gives the report of the model with the first. "
      .. "memory_check = false trains on this machine all the same.",
  },
  {
    name = "data that ends too early", from = MOONPOD,
    signs = { "Your input ran out of data" },
    cause = "steps_per_epoch times epochs asks for more batches than the dataset has.",
    cure = "Leave steps_per_epoch out, or write data:repeat_() before it is batched.",
  },
  {
    name = "a damaged file", from = MOONPOD,
    signs = { "is truncated:", { "the header claims", "bytes at offset" }, "damaged near offset", "is cut short" },
    cause = "The file ends before what it announces, or its checksum is wrong: a copy or a download that broke off, "
      .. "a full disk, or a file of another kind.",
    cure = "Copy it again and compare sizes. Files that Moonpod writes are whole or not there: a file of another "
      .. "name that ends in .part is one that broke off.",
  },
  {
    name = "a file of a newer version", from = MOONPOD,
    signs = { "a newer Moonpod wrote this file" },
    cause = "The major version of the file's format is one that this Moonpod does not know.",
    cure = "Read it with that Moonpod or a newer one; moonpod --version tells which this is.",
  },
  {
    name = "no memory", from = MOONPOD,
    signs = { { "needs", "bytes, and there is no memory" }, "there is no memory for" },
    cause = "The system, or the limit that a host has set, gives no more memory. Nothing was changed.",
    cure = "A smaller batch, data from files in the place of tables, or bytes in the place of floats. "
      .. "pod.memory_info() tells what is held; collectgarbage() gives back what nobody needs.",
  },
}
