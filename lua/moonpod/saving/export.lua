-- export - programs with their weights in one file, for hosts without Lua (moonpod/exported.h), and as StableHLO text
-- for other compilers.

local concretes = require "moonpod.func.concretes"
local core_call = require "moonpod.tensor.core_call"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local file = require "moonpod.saving.file"
local free_name = require("moonpod.base.names").free
local header = require "moonpod.saving.header"
local json = require "moonpod.base.json"
local nest = require "moonpod.tensor.nest"
local random = require "moonpod.func.random"
local specs = require "moonpod.func.specs"
local strategies = require "moonpod.func.strategies"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local value_hooks = require "moonpod.func.value_hooks"
local weight_paths = require "moonpod.saving.weight_paths"
local is_whole = require "moonpod.base.kinds".is_whole

local export = {}

-- ---- names ----------------------------------------------------------------------------------------------------------

-- Names for the leaves of a skeleton: what the tables call them, or `base` and a number.
local function leaf_names(skeleton, base)
  local found, used = {}, {}
  local function walk(at, path)
    if at.leaf then
      local name = path or base
      if name:find "^%d" then
        name = base .. "_" .. name
      end
      found[at.leaf] = free_name(name, used, 2)
    end
    for i, key in ipairs(at.keys or {}) do
      key = type(key) == "number" and ("%d"):format(key) or tostring(key)
      walk(at.parts[i], path and path .. "_" .. key or key)
    end
  end
  walk(skeleton)
  return found
end

-- A skeleton as plain data. Values other than plain ones cannot be in a file.
local function plain(at, where)
  if at.leaf then
    return { leaf = at.leaf }
  elseif not at.keys then
    local kind = type(at.value)
    if kind ~= "number" and kind ~= "string" and kind ~= "boolean" and kind ~= "nil" then
      errors.raise("%s: a program gives tensors and plain values, not %s", where, errors.describe(at.value))
    end
    return { value = at.value }
  end
  local copy = { keys = json.array {}, parts = json.array {} }
  for i, key in ipairs(at.keys) do
    copy.keys[i], copy.parts[i] = key, plain(at.parts[i], where)
  end
  return copy
end

-- ---- what a program reads -----------------------------------------------------------------------------------------

-- Calls found(variable or tensor, whether it is a variable) for all that traces read besides their arguments.
local function each_read(traces, found)
  for _, one in ipairs(traces) do
    for _, parameter in ipairs(one.trace.parameters) do
      if parameter.kind ~= "argument" then
        found(parameter.variable or parameter.tensor, parameter.kind == "variable")
      end
    end
  end
end

-- A name that `used` has not: "kernel", "kernel_1", ... Constants and random numbers are no weights: they stand below
-- names that no layer has.
local function new_name(value, is_variable, used)
  local base = is_variable and value.name or "variables/constant"
  if is_variable and value == random.generator() then
    base = "random/generator"
  elseif is_variable and weight_paths.is_reserved(base) then
    base = base .. "_variable"
  end
  return free_name(base, used)
end

-- The weights that traces read: an array of { name =, value = variable or tensor } in the order of the model's paths,
-- then others as they are met; and the number of each variable and tensor. Tensors of the same content are one.
local function weights_of(traces, paths)
  local list, number_of, constants, read, used = {}, {}, {}, {}, {}
  local function add(name, value)
    list[#list + 1] = { name = name, value = value }
    number_of[value], used[name] = #list, true
  end
  each_read(traces, function(value, is_variable)
    if is_variable and value._layout then
      errors.raise("export: weight '%s' is divided among the cores of a mesh; save the model, load it outside of its "
        .. "strategy, and export that", value.name)
    end
    read[value] = true
  end)
  for _, entry in ipairs(paths) do
    if read[entry.variable] then
      add(entry.path, entry.variable)
    end
  end
  each_read(traces, function(value, is_variable)
    for _, number in ipairs(not number_of[value] and not is_variable and constants or {}) do
      if tensor.buffer(list[number].value):equal(tensor.buffer(value)) then
        number_of[value] = number
      end
    end
    if not number_of[value] then
      add(new_name(value, is_variable, used), value)
      constants[#constants + 1] = not is_variable and #list or nil
    end
  end)
  return list, number_of
end

-- The graph of a trace with the weights first, then the inputs, by name.
local function arranged(one, name, weights, number_of, inputs)
  local context = device.context()
  local graph = device.core.graph(context, name)
  local weight_ids, input_ids, given = {}, {}, {}
  for i, weight in ipairs(weights) do
    local value = weight.value
    weight_ids[i] = graph:parameter(value.dtype, value.shape, weight.name)
  end
  for i, input in ipairs(inputs) do
    input_ids[i] = graph:parameter(one.leaves[i].dtype, one.leaves[i].shape, input)
  end
  local count = 0
  for i, parameter in ipairs(one.trace.parameters) do
    local value = parameter.variable or parameter.tensor
    if value then
      given[i] = weight_ids[number_of[value]]
    else
      count = count + 1
      given[i] = input_ids[count]
    end
  end
  local results = #one.outputs
  for i, id in ipairs(graph:inline(one.graph, given)) do
    local output = graph:output(id)
    if i > results then
      graph:alias(output, number_of[one.aliases[i - results]] - 1)
    end
  end
  return graph
end

-- ---- files ----------------------------------------------------------------------------------------------------------

-- Without the axis of rows, where there is one.
local function described(leaves, names, has_rows)
  local list = json.array {}
  for i, leaf in ipairs(leaves) do
    list[i] = { name = names[i], dtype = leaf.dtype,
      shape = json.array(tables.slice(leaf.shape, has_rows and 2 or 1)) }
  end
  return list
end

local function write_program(path, made)
  local programs_of, sizes, names, tensors = {}, json.array {}, json.array {}, {}
  for i, graph in ipairs(made.graphs) do
    sizes[i] = made.sizes[i]
    local key = made.sizes[i] and ("program.%d"):format(made.sizes[i]) or "program"
    programs_of[key] = core_call("stablehlo_write", graph)
  end
  for i, weight in ipairs(made.weights) do
    names[i] = weight.name
    tensors[i] = { weight.name, weight.value }
  end
  local first = made.traces[1]
  local metadata = header.make("exported", {
    signature = { weights = names, sizes = sizes, precision = "default",
      inputs = described(first.leaves, made.inputs, made.sizes[1]),
      outputs = described(first.outputs, made.outputs, made.sizes[1]) },
    structure = { inputs = plain(made.skeleton, made.where), outputs = plain(first.result_skeleton, made.where),
      results = first.result_count },
  }, programs_of)
  metadata.name = made.name
  file.write(path, { tensors = tensors, metadata = metadata })
end

local function type_text(one)
  return ("%s %s"):format(one.dtype, tostring(tensor.shape(one.shape)))
end

-- A module with comments ahead that say what its arguments are.
local function write_stablehlo(path, made)
  local lines, first = {}, made.traces[1]
  local function say(...)
    lines[#lines + 1] = ("// " .. (...)):format(select(2, ...))
  end
  say("%s, exported by Moonpod. The weights are those of the safetensors file that export writes.",
    (made.name:gsub("%c", " ")))
  for i, weight in ipairs(made.weights) do
    say("argument %d: weight %s %s", i - 1, (weight.name:gsub("%c", " ")), type_text(weight.value))
  end
  for i, input in ipairs(made.inputs) do
    say("argument %d: input %s %s", #made.weights + i - 1, (input:gsub("%c", " ")), type_text(first.leaves[i]))
  end
  for i, output in ipairs(made.outputs) do
    say("result %d: output %s %s", i - 1, (output:gsub("%c", " ")), type_text(first.outputs[i]))
  end
  for i, assigned in ipairs(first.aliases) do
    say("result %d: the new value of argument %d", #made.outputs + i - 1, made.number_of[assigned] - 1)
  end
  lines[#lines + 1] = core_call("stablehlo_write", made.graphs[1])
  core_call("file_write", path, table.concat(lines, "\n"))
end

local WRITERS = { moonpod = write_program, stablehlo = write_stablehlo }
local FORMATS = { safetensors = "moonpod", mlir = "stablehlo" }

-- Checks what an export is asked for; returns the options and what writes the file.
local function begin(path, options, allowed, where)
  errors.check_type(path, "string", where, "the path")
  options = errors.check_options(options, allowed, where)
  if trace.is_tracing() then
    errors.raise("%s: a function is being traced; export outside of it", where)
  elseif options.format and not WRITERS[options.format] then
    errors.raise('%s: format is "moonpod" or "stablehlo", not %s', where, errors.describe(options.format))
  end
  return options, WRITERS[options.format or FORMATS[path:match "%.([^./]*)$"]]
    or errors.raise('%s: the path "%s" must end in ".safetensors" (a program with its weights) or ".mlir" (StableHLO '
    .. 'with weights as arguments); or give format = "moonpod" or "stablehlo"', where, path)
end

-- Traces fn for each list of leaves, and writes.
local function write(path, made, writer)
  made.traces, made.graphs = {}, {}
  for i, leaves in ipairs(made.leaves) do
    local one = value_hooks.without(concretes.trace, { name = made.name, fn = made.fn }, made.skeleton, leaves, "")
    one.leaves = leaves
    made.traces[i] = one
  end
  made.weights, made.number_of = weights_of(made.traces, made.paths)
  made.outputs = made.output_names(made.traces[1])
  if made.check then
    made.check(made)
  end
  for i, one in ipairs(made.traces) do
    made.graphs[i] = arranged(one, made.name, made.weights, made.number_of, made.inputs)
  end
  local ok, failure = pcall(writer, path, made)
  for i, graph in ipairs(made.graphs) do
    graph:close()
    made.traces[i].graph:close()
  end
  if not ok then
    error(failure, 0)
  end
end

-- ---- functions --------------------------------------------------------------------------------------------------

-- fn:export(path, arguments, { format = }): the program of a compiled function for arguments like these (specs and
-- tensors among them), or like those of the last call.
function export.of_function(fn, path, arguments, options)
  local where = ("export of function '%s'"):format(fn.name)
  local _, writer = begin(path, options, { format = "string" }, where)
  local given = arguments and structure.map(arguments, specs.is, function(spec)
    return specs.stand_ins({ spec })[1]
  end)
  local skeleton, leaves = fn:stand_in_arguments(given)
  if not skeleton then
    errors.raise("%s: it was not called yet; give arguments such as { pod.spec { 2, 3 } }", where)
  end
  local names = leaf_names(skeleton, "argument")
  for i = 1, arguments and #arguments or 0 do
    local part = skeleton.parts and skeleton.parts[i]
    if specs.is(arguments[i]) and arguments[i].name and part and part.leaf then
      names[part.leaf] = arguments[i].name
    end
  end
  write(path, { where = where, name = fn.name, fn = fn.fn, skeleton = skeleton, leaves = { leaves }, sizes = {},
    paths = {}, inputs = names, output_names = function(one)
      local parts = one.result_skeleton
      return leaf_names(one.result_count == 1 and parts.parts[1] or parts, "output")
    end }, writer)
end

-- ---- models -------------------------------------------------------------------------------------------------------

-- What a model takes, as leaves with -1 for rows: as the caller says it, or as the model was made.
local function inputs_of(model, given, where)
  given = given or model._state.input
  if given == nil then
    errors.raise("%s: the shapes of the inputs are not known; give inputs = pod.spec({ -1, 784 }), or a table of such",
      where)
  end
  local leaves = {}
  local skeleton = structure.flatten(given, function(value)
    return specs.is(value) or nest.is_leaf(value) and type(value) == "table" and value.shape ~= nil
  end, leaves)
  local names = leaf_names(skeleton, "input")
  for i, leaf in ipairs(leaves) do
    local history = not specs.is(leaf) and leaf.history
    names[i] = specs.is(leaf) and leaf.name or history and history.call.layer.name or names[i]
    if #leaf.shape == 0 then
      errors.raise("%s: input '%s' has no axis of rows", where, names[i])
    end
    for axis = 2, #leaf.shape do
      if leaf.shape[axis] < 0 then
        errors.raise("%s: size %d of input '%s' is not known, and programs have known sizes: give inputs = "
          .. "pod.spec { -1, ... }", where, axis, names[i])
      end
    end
  end
  return skeleton, leaves, names
end

-- The leaves for a number of rows, without values.
local function with_rows(leaves, rows, where)
  local list = {}
  for i, leaf in ipairs(leaves) do
    local own = leaf.shape[1]
    if own >= 0 and own ~= rows then
      errors.raise("%s: the model takes batches of %d rows, so batch_sizes is { %d }", where, own, own)
    end
    list[i] = specs.new(tables.join({ rows }, tables.slice(leaf.shape, 2)), leaf.dtype)
  end
  return specs.stand_ins(list)
end

local function sizes_of(options, leaves, default, where)
  local fixed = leaves[1] and leaves[1].shape[1] or -1
  local given = options.batch_sizes or (fixed >= 0 and { fixed } or default)
  local sizes, known = {}, {}
  for _, size in ipairs(given) do
    if not is_whole(size, 1, 2 ^ 31) then
      errors.raise("%s: batch_sizes are whole numbers from 1; got %s", where, errors.describe(size))
    end
    if not known[size] then
      known[size] = true
      sizes[#sizes + 1] = size
    end
  end
  if #sizes == 0 or #sizes > 64 then
    errors.raise("%s: batch_sizes has %d sizes; 1 to 64 are possible", where, #sizes)
  end
  table.sort(sizes)
  return sizes
end

-- The names of the layers that make the outputs of a model, where it knows them.
local function output_names(model, one)
  local names = leaf_names(one.result_count == 1 and one.result_skeleton.parts[1] or one.result_skeleton, "output")
  local made = model._state.input and model._state.output
  local flat = made ~= nil and nest.flatten(made) or {}
  local used = {}
  for i, t in ipairs(#flat == #one.outputs and flat or {}) do
    local name = t.history and t.history.call.layer.name
    if name and not used[name] then
      used[name] = true
      names[i] = name
    end
  end
  return names
end

-- Each output must have a row for each row of input.
local function check_rows(made)
  for i, one in ipairs(made.traces) do
    for j, output in ipairs(one.outputs) do
      if #output.shape == 0 or output.shape[1] ~= made.sizes[i] then
        errors.raise("%s: output '%s' has shape %s for %d rows of input; it must have a row for each", made.where,
          made.outputs[j], tostring(output.shape), made.sizes[i])
      end
    end
  end
end

-- model:export(path, { batch_sizes = { 1, 32 }, inputs =, format = }): what model:predict computes.
function export.of_model(model, path, options)
  local where = ("export of model '%s'"):format(tostring(model.name))
  local writer
  options, writer = begin(path, options, { batch_sizes = "list", inputs = "value", format = "string" }, where)
  local skeleton, leaves, names = inputs_of(model, options.inputs, where)
  local sizes = sizes_of(options, leaves, writer == write_program and { 1, 32 } or { 1 }, where)
  if writer == write_stablehlo and #sizes > 1 then
    errors.raise("%s: StableHLO text is of one batch size; %d are given", where, #sizes)
  end
  local made = { where = where, name = tostring(model.name), sizes = sizes, leaves = {}, inputs = names,
    skeleton = { keys = { 1 }, parts = { skeleton }, count = 1 }, check = check_rows,
    fn = function(x)
      return model:predict_step({ x })
    end,
    output_names = function(one)
      return output_names(model, one)
    end }
  for i, size in ipairs(sizes) do
    made.leaves[i] = with_rows(leaves, size, where)
  end
  strategies.within(model._strategy, function()
    if not model.built then
      errors.raise("%s: it is not built yet, so its weights are not there: call it on data, or give its first layer an "
        .. "input_shape", where)
    end
    made.paths = weight_paths.of(model)
    write(path, made, writer)
  end)
end

return export
