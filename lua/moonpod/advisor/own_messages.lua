-- own_messages - what Moonpod itself says when something is wrong. Entries as those of messages.lua, which has them at
-- its end: first those of one message or a few, then families, which answer where none of the others does. Among
-- families those that are `general` come last. Lint holds that each message of the sources has an entry, and that each
-- sign is in one of them (tests/style/rules/messages.lua).

-- Of families, as they are asked.
local FAMILIES = {
  require "moonpod.advisor.own_calls", require "moonpod.advisor.own_training", require "moonpod.advisor.own_files",
  require "moonpod.advisor.own_arrays", require "moonpod.advisor.own_tools",
}

local entries = {
  {
    name = "sizes that do not match",
    signs = { "axes differ:", "do not broadcast: counted from the last axis", "wants inputs of shape",
      "make batches of the dataset" },
    cause = "Two arrays meet whose axes have other sizes than the operation wants. Often an axis is missing (a row "
      .. "where a batch is wanted), or a product has its operands the wrong way round.",
    cure = "The message has both shapes. model:summary() shows the shape behind each layer, print(dataset) that of an "
      .. "element. reshape, expand_dims or transpose one of them.",
  },
  {
    name = "a decision on a value that is being traced",
    signs = { "is not known while tracing" },
    cause = "The function is traced: it runs once, on tensors that have a shape and no value yet. Lua's if and while "
      .. "need a value.",
    cure = "Choose between values with pod.where, between computations with pod.cond, and compare with pod.less and "
      .. "its like. What depends on Lua's own numbers may stay an if.",
  },
  {
    name = "a tensor that left its trace",
    signs = { { "was made while", "was traced and has no value outside of it" } },
    cause = "A function that was traced put a tensor into a variable outside. What it put there is a node of a graph, "
      .. "not a value.",
    cure = "Return the tensor from the function. To keep a value from call to call, make a pod.variable before and "
      .. "assign to it. pod.print shows a value on the way.",
  },
  {
    name = "a function that is traced again and again",
    signs = { { "traced it anew", "each trace is compiled" } },
    cause = "Each new shape, type or number of Lua among the arguments is a trace of its own, and each is compiled.",
    cure = "Batches of one size (drop_remainder = true), numbers that change as tensors, or pod.func(fn, { "
      .. "reduce_retracing = true }). f:traces() tells why each trace was made.",
  },
  {
    name = "a variable with a value a replica",
    signs = { "has a value a replica and no aggregation" },
    cause = "Within strategy:run each replica assigned its own value. Outside there is one, and nobody said how many "
      .. "become one.",
    cure = "Make the variable with aggregation = \"sum\", \"mean\" or \"only_first_replica\", or assign what is the "
      .. "same on all replicas: the sum or mean over them.",
  },
  {
    name = "a variable of another strategy",
    signs = { "is used in strategy:run of" },
    cause = "A variable belongs to the strategy in whose scope it was made.",
    cure = "Make model and optimizer within strategy:scope(function() ... end) of the strategy that runs them.",
  },
  {
    name = "a model that is not compiled",
    signs = { "call compile before" },
    cause = "fit and evaluate need an optimizer and a loss.",
    cure = "model:compile { optimizer = \"adam\", loss = ... } once, also after loading weights alone. predict needs "
      .. "none.",
  },
  {
    name = "a step that does not fit the chip",
    signs = { { "No step has run", "memory_check = false" } },
    cause = "The model was made under the strategy of a chip, and its step surely takes more memory than that has.",
    cure = "Take one of the remedies in the message: report:apply(1) gives the report of the model with the first. "
      .. "memory_check = false trains on this machine all the same.",
  },
  {
    name = "data that ends too early",
    signs = { "Your input ran out of data" },
    cause = "steps_per_epoch times epochs asks for more batches than the dataset has.",
    cure = "Leave steps_per_epoch out, or write data:repeat_() before it is batched.",
  },
  {
    name = "a file of a newer version",
    signs = { "a newer Moonpod wrote this file" },
    cause = "The major version of the file's format is one that this Moonpod does not know.",
    cure = "Read it with that Moonpod or a newer one; moonpod --version tells which this is.",
  },
}

local function add(entry, is_family)
  entry.from = "Moonpod"
  entry.family = is_family
  return entry
end

for _, entry in ipairs(entries) do
  add(entry, false)
end
for _, is_general in ipairs { false, true } do
  for _, family in ipairs(FAMILIES) do
    for _, entry in ipairs(family) do
      if (entry.general or false) == is_general then
        entries[#entries + 1] = add(entry, true)
      end
    end
  end
end

return entries
