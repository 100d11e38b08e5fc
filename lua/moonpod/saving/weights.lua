-- weights - the weights of models in files: all of them go in, or nothing changes.

local around = require "moonpod.base.around"
local errors = require "moonpod.base.errors"
local file = require "moonpod.saving.file"
local file_kinds = require "moonpod.saving.file_kinds"
local header = require "moonpod.saving.header"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"
local node_files = require "moonpod.saving.node_files"
local warnings = require "moonpod.base.warnings"
local weight_paths = require "moonpod.saving.weight_paths"

local weights = {}

-- How many lines an error has for differences.
local LINES = 24

local KIND_OF = { float16 = "float", bfloat16 = "float", float32 = "float", float64 = "float", bool = "bool" }

-- Whether values of one type may become another's: floats any floats, integers those that hold them all.
local function converts(from, to)
  local kind = KIND_OF[from] or "integer"
  if from == to or kind ~= (KIND_OF[to] or "integer") then
    return from == to
  elseif kind == "float" then
    return true
  end
  local from_bits, to_bits = tonumber(from:match "%d+$"), tonumber(to:match "%d+$")
  local from_unsigned, to_unsigned = from:sub(1, 1) == "u", to:sub(1, 1) == "u"
  return to_bits > from_bits and (from_unsigned or not to_unsigned)
end

-- Refuses a model some of whose weights are not made yet.
function weights.check_built(model, where)
  model:each_layer(function(one)
    if not one.built and one.build then
      errors.raise("%s: layer '%s' of '%s' is not built yet, so its weights are not there: call the model on data, or "
        .. "give its first layer an input_shape", where, tostring(one.name), tostring(model.name))
    end
  end)
end

-- What a file of weights has.
local function content_of(model, where)
  weights.check_built(model, where)
  node_files.warn(model)
  return { metadata = header.make "weights", tensors = tables.map(weight_paths.of(model), function(entry)
    return not entry.variable.is_state and { entry.path, entry.variable } or nil
  end) }
end

-- model:save_weights(path, { background =, style = })
function weights.save(model, path, options)
  errors.check_type(path, "string", "save_weights", "the path")
  options = errors.check_options(options, { background = "boolean", style = "string" }, "save_weights")
  local kind = file_kinds.check(path, "weights", "save_weights", false, options.style)
  if kind.write_weights then
    weights.check_built(model, "save_weights")
    node_files.warn(model)
    return kind.write_weights(model, path, options)
  end
  return file.write(path, content_of(model, "save_weights"), { background = options.background })
end

-- model:weights_to_string(): the bytes of the file that save_weights() would write.
function weights.to_string(model)
  return file.to_string(content_of(model, "weights_to_string"))
end

-- ---- what fits -----------------------------------------------------------------------------------------------------

-- Whether a tensor has values of a variable, one a replica.
local function is_of_replicas(value, one)
  for axis = 1, #one.shape do
    if value.shape[axis + 1] ~= one.shape[axis] then
      return false
    end
  end
  return #value.shape == #one.shape + 1
end

-- Compares tensors by path with the variables of `entries`. Returns pairs { variable, tensor } that fit, and what does
-- not: an array of { path =, what = "missing", "extra" or a text, shown = how messages show the path, if otherwise }.
function weights.compare(entries, tensors, match)
  local pairs_found, differences, wanted = {}, {}, {}
  local by_path = {}
  for path, value in pairs(tensors) do
    by_path[match[path] or path] = value
  end
  local function differ(path, what, shown)
    differences[#differences + 1] = { path = path, what = what, shown = shown }
  end
  for _, entry in ipairs(entries) do
    local value, one = by_path[entry.path], entry.variable
    wanted[entry.path] = true
    if value == nil then -- files of weights have no states, which stay as they are
      if not one.is_state then
        differ(entry.path, "missing", entry.shown)
      end
    elseif value.shape ~= one.shape and not (entry.is_replicated and is_of_replicas(value, one)) then
      differ(entry.path, "has shape " .. value.shape .. " in the file, " .. one.shape .. " in the model", entry.shown)
    elseif not converts(value.dtype, one.dtype) then
      differ(entry.path, ("is %s in the file, %s in the model"):format(value.dtype, one.dtype), entry.shown)
    else
      pairs_found[#pairs_found + 1] = { variable = one, tensor = value, path = entry.path,
        is_replicated = entry.is_replicated }
    end
  end
  for _, path in ipairs(tables.sorted_keys(by_path)) do
    if not wanted[path] then
      differ(path, "extra")
    end
  end
  return pairs_found, differences
end

local WORDS = { missing = "missing in the file", extra = "not in the model" }

-- Differences as lines, a layer each: "dense_1: bias missing in the file; kernel has shape (3, 4) in the file, ...".
function weights.describe(differences)
  local lines, by_layer = {}, {}
  for _, one in ipairs(differences) do
    local path = one.shown or one.path
    local above, name = path:match "^(.*)/([^/]*)$"
    above, name = above or "", name or path
    local line = by_layer[above]
    if not line then
      line = { layer = above }
      by_layer[above] = line
      lines[#lines + 1] = line
    end
    local what = WORDS[one.what] and one.what or #line + 1
    line[what] = line[what] or {}
    table.insert(line[what], WORDS[one.what] and name or name .. " " .. one.what)
  end
  local texts = {}
  for i, line in ipairs(lines) do
    if i > LINES then
      texts[i] = ("  and %d layers more"):format(#lines - LINES)
      break
    end
    local texts_of_line = {}
    for _, what in ipairs { "missing", "extra" } do
      if line[what] then
        texts_of_line[#texts_of_line + 1] = table.concat(line[what], ", ") .. " " .. WORDS[what]
      end
    end
    for _, list in ipairs(line) do
      texts_of_line[#texts_of_line + 1] = table.concat(list, ", ")
    end
    texts[i] = ("  %s: %s"):format(line.layer == "" and "the model's own" or line.layer,
      table.concat(texts_of_line, "; "))
  end
  return table.concat(texts, "\n")
end

-- Converts what fits, which may fail. Returns the function that assigns it all, which fails where it is interrupted,
-- and the variables.
function weights.convert(found)
  local values, variables = {}, {}
  for i, entry in ipairs(found) do
    local value = ops.cast(entry.tensor, entry.variable.dtype)
    tensor.buffer(value)
    values[i], variables[i] = value, entry.variable
  end
  local function assign()
    for i, entry in ipairs(found) do
      if entry.is_replicated then
        variable.set_replica_values(entry.variable, values[i])
      else
        entry.variable:assign(values[i], { aggregated = true })
      end
    end
  end
  return assign, variables
end

-- Calls fn, which assigns to variables: to all of them, or where it fails, to none.
function weights.commit(variables, fn)
  local put_back = variable.remember(variables)
  around(nil, function(ok)
    if not ok then
      put_back()
    end
  end, fn)
end

-- ---- loading -------------------------------------------------------------------------------------------------------

-- What of a file of ours are weights of a model: not what stands below reserved names. Returns the model's weights, the
-- file's, and which names in the file are others in the model, as layers that got theirs by themselves may be numbered
-- otherwise.
local function read_own(model, path, options, text)
  local read, entries = text and file.from_string(text, path) or file.read(path), weight_paths.of(model)
  local tensors, names = {}, {}
  header.read(read.metadata or {}, path)
  for _, name in ipairs(read.names) do
    if not weight_paths.is_reserved(name) then
      tensors[name] = read.tensors[name]
      names[#names + 1] = name
    end
  end
  return entries, tensors,
    options.by_name and {} or weight_paths.match({ model }, tables.column(entries, "path"), names)
end

-- The path of the layer that an entry or a difference is of.
local function layer_of(one)
  return one.path:match "^(.*)/[^/]*$" or ""
end

-- Layers of which something differs are left out, whole.
local function without_layers(found, differences)
  local left_out = tables.set_of(tables.map(differences, layer_of))
  return tables.map(found, function(entry)
    return not left_out[layer_of(entry)] and entry or nil
  end)
end

-- Puts tensors into the weights of a model, as load_weights does.
function weights.take(model, path, options, entries, tensors, match)
  local found, differences = weights.compare(entries, tensors, match)
  if options.by_name then
    differences = tables.map(differences, function(one)
      return not WORDS[one.what] and one or nil
    end)
  end
  if #differences > 0 and options.skip_mismatch then
    found = without_layers(found, differences)
    warnings.warn("load_weights: layers of '%s' that differ from '%s' stay as they are:\n%s", tostring(model.name),
      path, weights.describe(differences))
  elseif #differences > 0 then
    errors.raise("load_weights: '%s' has the weights of another model than '%s'; nothing was loaded (skip_mismatch = "
      .. "true leaves out layers that differ):\n%s", path, tostring(model.name), weights.describe(differences))
  end
  local assign, variables = weights.convert(found)
  weights.commit(variables, assign)
end

-- What messages call bytes that are in no file.
weights.STRING = "the string"

-- model:weights_from_string(text, { skip_mismatch =, by_name = }): as load_weights.
function weights.from_string(model, text, options)
  errors.check_type(text, "string", "weights_from_string", "the text")
  options = errors.check_options(options, { skip_mismatch = "boolean", by_name = "boolean" }, "weights_from_string")
  weights.check_built(model, "weights_from_string")
  weights.take(model, weights.STRING, options, read_own(model, weights.STRING, options, text))
end

-- model:load_weights(path, { skip_mismatch =, by_name =, style = }): layers are found by their names; those that got
-- theirs by themselves, by their order among such. skip_mismatch: layers that differ are left as they are, with a
-- warning. by_name: what only one of both has is left as it is.
function weights.load(model, path, options)
  errors.check_type(path, "string", "load_weights", "the path")
  options = errors.check_options(options, { skip_mismatch = "boolean", by_name = "boolean", style = "string" },
    "load_weights")
  local kind = file_kinds.check(path, "weights", "load_weights", true, options.style)
  weights.check_built(model, "load_weights")
  local entries, tensors, match, finish = (kind.read_weights or read_own)(model, path, options)
  weights.take(model, path, options, entries, tensors, match)
  if finish then
    finish()
  end
end

return weights
