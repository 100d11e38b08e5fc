-- Texts as numbers: tokens of a vocabulary, or counts of them.

local adapt_data = require "moonpod.layers.adapt_data"
local check = require "moonpod.layers.check"
local encode_categories = require "moonpod.layers.encode_categories"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local strings = require "moonpod.layers.strings"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local text_encoder = require "moonpod.layers.text_encoder"
local vocabulary = require "moonpod.layers.vocabulary"

local layers = {}

-- What an option may be that is a name or a function.
local function name_or_function(...)
  local is_name = check.one_of(...)
  return function(value)
    local problem = type(value) ~= "function" and is_name(value)
    return problem and problem .. ", or a function" or nil
  end
end

local function check_ngrams(value)
  for _, one in ipairs(type(value) == "table" and value or { value }) do
    if check.positive_integer(one) then
      return "must be a whole number from 1, or a list of them"
    end
  end
end

---@name pod.layers.text_vectorization
--- Makes numbers of texts: lowers and strips them, splits them into tokens, and gives each its number in a vocabulary,
--- which is given or made by `adapt(texts)`. 0 is padding, 1 an unknown token. It takes a text or an array of texts; in
--- a function of `map` it takes a string of the elements: `ds:map(function(text, label) return layer(text), label
--- end)`.
---@param options.max_tokens integer how many numbers there are at most
---@param options.standardize "lower_and_strip_punctuation"|"lower"|"strip_punctuation"|"none"|function what is done to
---   a text before; a function of a text gives the text
---@param options.split "whitespace"|"character"|"none"|function how it is split; a function gives an array of strings
---@param options.ngrams integer|integer[] tokens are also joined: up to so many, or so many as the list says
---@param options.output_mode "int"|"multi_hot"|"count"|"tf_idf" a number for each token, or a vector for each text
---@param options.output_sequence_length integer to how many numbers "int" is cut or filled up with 0 (default: as long
---   as the longest; in `map` it is needed)
---@param options.pad_to_max_tokens boolean whether vectors are as long as `max_tokens`
---@param options.vocabulary string[]|string the tokens in their order, or the path of a file with one a line
---@param options.idf_weights number[] the weight of each, for "tf_idf"
---@return layer
---@error no vocabulary was given nor made
--- ```lua
--- local layer = pod.layers.text_vectorization { output_sequence_length = 4 }
--- layer:adapt { "The cat sat.", "The dog!" }
--- print(layer { "the bird sat", "the dog!" })
--- --> [[2 1 3 0]
--- -->  [2 4 0 0]]
--- --> int64 (2, 4) on CPU:0
--- ```
---@see layer:adapt layer:get_vocabulary
layers.text_vectorization = layer.define {
  name = "TextVectorization",
  autocast = false,
  arguments = { "max_tokens" },
  defaults = { standardize = "lower_and_strip_punctuation", split = "whitespace", output_mode = "int",
    pad_to_max_tokens = false },
  optional = { "max_tokens" },
  checks = { max_tokens = check.positive_integer, output_sequence_length = check.positive_integer,
    ngrams = check_ngrams, pad_to_max_tokens = check.boolean, vocabulary = vocabulary.check,
    idf_weights = check.numbers,
    output_mode = check.one_of("int", "multi_hot", "count", "tf_idf", "binary", "tf-idf"),
    standardize = name_or_function("lower_and_strip_punctuation", "lower", "strip_punctuation", "none"),
    split = name_or_function("whitespace", "character", "none") },
  example = "layers.text_vectorization { max_tokens = 1000, output_sequence_length = 50 }",
}

local vectorize = layers.text_vectorization

-- The options that vocabularies ask for and this layer does not let choose.
local FIXED = { mask_token = "", oov_token = "[UNK]", num_oov_indices = 1, invert = false }

function vectorize:setup(config)
  config.output_mode = encode_categories.OLDER[config.output_mode] or config.output_mode
  if config.output_sequence_length and config.output_mode ~= "int" then
    errors.raise('layers.text_vectorization: output_sequence_length is for output_mode = "int", not "%s"',
      config.output_mode)
  end
  local words = setmetatable({}, { __index = function(_, key)
    local fixed = FIXED[key]
    if fixed ~= nil then
      return fixed
    end
    return config[key]
  end, __newindex = config })
  self._state.lookup = { name = self.name, class_name = self.class_name, config = words, _state = {} }
  vocabulary.setup(self._state.lookup, words)
end

-- What text_encoder does for one text.
local function how(self, is_adapting)
  local config, words = self.config, self._state.lookup
  local ngrams = config.ngrams
  if type(ngrams) == "number" then
    ngrams = tables.range(1, config.ngrams)
  end
  local does = { mode = config.output_mode, ngrams = ngrams, length = config.output_sequence_length, functions = {} }
  for _, name in ipairs { "standardize", "split" } do
    local given = config[name]
    does[name] = type(given) == "function" and "none" or given
    does.functions[name] = type(given) == "function" and given or nil
  end
  if not is_adapting then
    does.index, does.oov = vocabulary.index(words), vocabulary.unknown(words)
    does.depth = config.output_mode ~= "int" and vocabulary.depth(words) or nil
    does.idf = config.output_mode == "tf_idf" and vocabulary.weights(words) or nil
  end
  return does
end

--- The tokens in the order of their numbers.
---@param options.include_special_tokens boolean whether padding and unknown tokens are told, too (default true)
---@return string[]
---@example pod.layers.text_vectorization({ vocabulary = { "a" } }):get_vocabulary()[3] --> "a"
function vectorize:get_vocabulary(options)
  return vocabulary.list(self._state.lookup, options)
end

--- How many numbers there are, with those of padding and unknown tokens.
---@return integer
---@example pod.layers.text_vectorization({ vocabulary = { "a" } }):vocabulary_size() --> 3
function vectorize:vocabulary_size()
  return vocabulary.size(self._state.lookup)
end

--- Takes a vocabulary in the place of the one it has.
---@param words string[]|string the tokens in their order, or the path of a file with one a line
---@param idf_weights number[] of each token, for the mode "tf_idf"
--- ```lua
--- local layer = pod.layers.text_vectorization()
--- layer:set_vocabulary { "cat", "dog" }
--- print(layer "dog")
--- --> [3]
--- --> int64 (1,) on CPU:0
--- ```
function vectorize:set_vocabulary(words, idf_weights)
  vocabulary.give(self._state.lookup, words, idf_weights)
end

--- Makes the vocabulary of the tokens of texts: those that come most often first.
---@param data string[]|dataset texts; of elements of `{ text, label }` it takes the text
---@param options.steps integer how many elements of a dataset are looked at (default: all)
--- ```lua
--- local layer = pod.layers.text_vectorization()
--- layer:adapt { "a dog", "a cat", "a dog" }
--- print(layer "a dog")
--- --> [2 3]
--- --> int64 (2,) on CPU:0
--- ```
function vectorize:adapt(data, options)
  local where = ("layer '%s' (TextVectorization): adapt"):format(self.name)
  options = errors.check_options(options, { steps = "count" }, where)
  local words, does = self._state.lookup, how(self, true)
  vocabulary.begin(words)
  adapt_data.each_text(data, where, function(text)
    vocabulary.count(words, text_encoder.tokens(does, text))
  end, options.steps)
  vocabulary.finish(words)
end

-- Whether a text becomes one number, so that numbers have the texts' shape.
local function is_one_number(self)
  local config = self.config
  return config.split == "none" and config.output_mode == "int" and not config.output_sequence_length
    and not config.ngrams
end

local function of_list(self, list, shape)
  if #shape > 1 and shape[#shape] ~= 1 or #shape > 2 then
    check.fail(self, " takes a text or an array of texts, not arrays of arrays")
  end
  local does, rows, longest = how(self), {}, 0
  for i, text in ipairs(list) do
    rows[i] = text_encoder.encode(does, text)
    longest = math.max(longest, #rows[i])
  end
  local flat = {}
  for _, row in ipairs(rows) do
    for i = 1, longest do
      flat[#flat + 1] = row[i] or 0
    end
  end
  return tensor.new(flat, { dtype = self.config.output_mode == "int" and "int64" or "float32" }):reshape(
    is_one_number(self) and shape or #shape == 0 and { longest } or { #list, longest })
end

strings.define(vectorize, {
  of_list = of_list,
  how = how,
  spec = function(self)
    local config = self.config
    if config.output_mode ~= "int" then
      return "float32", { vocabulary.depth(self._state.lookup) }
    elseif is_one_number(self) then
      return "int64", { 1 }
    elseif not config.output_sequence_length then
      check.fail(self, ": in a mapped function all sizes must be known: make the layer with output_sequence_length")
    end
    return "int64", { config.output_sequence_length }
  end,
  of_one = function(self, numbers)
    return is_one_number(self) and ops.reshape(numbers, {}) or numbers
  end,
})

return layers
