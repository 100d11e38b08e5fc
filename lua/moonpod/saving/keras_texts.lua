-- keras_texts - the vocabularies of Keras' files, and the layers of strings in its models.
--
-- A vocabulary that was adapted is no option but an asset of the archive, at the layer's place. Programs have no
-- strings, so a layer that makes numbers of the strings of an input stands before the model here: the model's input is
-- what the layer gives.

local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local keras_masks = require "moonpod.saving.keras_masks"
local names = require "moonpod.base.names"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"

local keras_texts = {}

local HAVE_VOCABULARY = { TextVectorization = true, StringLookup = true, IntegerLookup = true }
local TAKE_STRINGS = { TextVectorization = true, StringLookup = true, Hashing = true }

-- Puts the place of each layer of a model into `places`: layers/dense_1, as Keras counts them.
function keras_texts.name_places(list, place, places)
  local used = {}
  for _, entry in ipairs(list) do
    if type(entry) == "table" and type(entry.class_name) == "string" then
      local name = names.unique(names.snake_case(entry.class_name), used)
      places[entry] = place .. (place == "" and "" or "/") .. "layers/" .. name
    end
  end
end

-- Gives options of a layer the vocabulary that the file has apart.
function keras_texts.add_vocabulary(options, entry, state)
  local place = state.places[entry]
  if not HAVE_VOCABULARY[entry.class_name] or options.vocabulary ~= nil or not place then
    return
  end
  local text = state.read_vocabulary(place)
  if not text then
    return
  end
  options.vocabulary = tables.map(texts.lines(text), function(line)
    return entry.class_name == "IntegerLookup" and tonumber(line) or line
  end)
  if options.output_mode == "tf_idf" and options.idf_weights == nil then
    options.idf_weights = state.read_weights(place)
  end
end

local function is_input_of_strings(entry)
  return type(entry) == "table" and entry.class_name == "InputLayer" and type(entry.config) == "table"
    and entry.config.dtype == "string"
end

local function name_of(entry)
  return type(entry.config) == "table" and type(entry.config.name) == "string" and entry.config.name or entry.name
end

-- What stands in the place of a layer of strings: an input of what it gives.
local function input_for(entry, made, input)
  local config, shape = made.config, tables.slice(input.config.batch_shape)
  if made.class_name == "TextVectorization" then
    shape = { shape[1], config.output_sequence_length or json.null }
  end
  if config.output_mode ~= "int" then
    local depth = config.num_bins or config.pad_to_max_tokens and config.max_tokens or made:vocabulary_size()
    local rank = #shape
    if config.output_mode == "one_hot" and rank > 1 and shape[rank] ~= 1 then
      rank = rank + 1
    end
    shape[rank] = depth
  end
  return { class_name = "InputLayer", name = name_of(entry), inbound_nodes = entry.inbound_nodes and json.array {},
    config = { name = name_of(entry), batch_shape = json.array(shape),
      dtype = config.output_mode == "int" and "int64" or "float32" } }
end

-- The layer that reads an input, of a list of layers: it alone may, and it must take strings. Returns its index, or nil
-- and what is wrong.
local function reader_of(list, at)
  if list[at].inbound_nodes == nil then -- of a sequential model
    local following = list[at + 1]
    return type(following) == "table" and TAKE_STRINGS[following.class_name] and at + 1 or nil
  end
  local found
  for i, entry in ipairs(list) do
    local reads = false
    keras_masks.each_reference(i ~= at and type(entry) == "table" and entry.inbound_nodes, function(name)
      reads = reads or name == list[at].name
    end, 1)
    if reads then
      if found or not TAKE_STRINGS[entry.class_name] then
        return nil
      end
      found = i
    end
  end
  return found
end

-- The names of inputs with others in the place of some.
local function renamed(value, new_names, level)
  if type(value) ~= "table" or rawequal(value, json.null) or level > 40 then
    return value
  end
  local out = json.is_array(value) and json.array {} or {}
  for key, item in pairs(value) do
    out[key] = renamed(item, new_names, level + 1)
  end
  if type(out[1]) == "string" and new_names[out[1]] then
    out[1] = new_names[out[1]]
  end
  return out
end

-- A model's config without the layers that take the strings of its inputs; those are made by make(entry), and put into
-- state.texts by their names. problem(state, format, ...) names what cannot be.
function keras_texts.take_out(config, state, make, problem)
  local left, new_names, list = {}, {}, config.layers
  for at, entry in ipairs(list) do
    if is_input_of_strings(entry) then
      local found = reader_of(list, at)
      local ok, made
      if not found or type(entry.config.batch_shape) ~= "table" then
        problem(state, "input '%s' is of strings, which only one text_vectorization, string_lookup or hashing may take "
          .. "here", tostring(name_of(entry)))
      else
        ok, made = errors.attempt(make, list[found])
      end
      if ok then
        state.texts[made.name] = made
        left[at], left[found] = false, input_for(list[found], made, entry)
        new_names[tostring(entry.name)] = name_of(list[found])
      elseif found then
        problem(state, "%s", tostring(made))
      end
    end
  end
  if next(left) == nil then
    return config
  end
  local out, kept = tables.merge(config), json.array {}
  for at, entry in ipairs(list) do
    if left[at] ~= false then
      kept[#kept + 1] = left[at] or entry
    end
  end
  out.layers, out.build_input_shape = kept, nil
  out.input_layers = renamed(config.input_layers, new_names, 1)
  return out
end

return keras_texts
