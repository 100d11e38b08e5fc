-- Layers that number the words, or the whole numbers, of a vocabulary.

local adapt_data = require "moonpod.layers.adapt_data"
local check = require "moonpod.layers.check"
local device = require "moonpod.tensor.device"
local encode_categories = require "moonpod.layers.encode_categories"
local errors = require "moonpod.base.errors"
local index_numbers = require "moonpod.ops.index_numbers"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local strings = require "moonpod.layers.strings"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local vocabulary = require "moonpod.layers.vocabulary"

local lookup = {}

local MODES = check.one_of("int", "one_hot", "multi_hot", "count", "tf_idf", "binary", "tf-idf")

local function checks_of(more)
  return tables.merge({ max_tokens = check.positive_integer, num_oov_indices = check.non_negative_integer,
    output_mode = MODES, pad_to_max_tokens = check.boolean, invert = check.boolean, idf_weights = check.numbers,
    vocabulary = vocabulary.check }, more)
end

local function setup(self, config)
  config.output_mode = encode_categories.OLDER[config.output_mode] or config.output_mode
  if config.invert and config.output_mode ~= "int" then
    errors.raise('%s: with invert = true output_mode is "int", not "%s"', self.function_name, config.output_mode)
  end
  vocabulary.setup(self, config)
end

local function add_methods(class, each)
  --- The words in the order of their numbers.
  ---@param options.include_special_tokens boolean whether those for masks and unknown words are told, too (default
  ---   true)
  ---@return list
  ---@example pod.layers.string_lookup({ vocabulary = { "a" } }):get_vocabulary()[1] --> "[UNK]"
  function class:get_vocabulary(options)
    return vocabulary.list(self, options)
  end

  --- How many numbers there are, with those for masks and unknown words.
  ---@return integer
  ---@example pod.layers.string_lookup({ vocabulary = { "a" } }):vocabulary_size() --> 2
  function class:vocabulary_size()
    return vocabulary.size(self)
  end

  --- Takes a vocabulary in the place of the one it has.
  ---@param words list|string the words in their order, or the path of a file with one a line
  ---@param idf_weights number[] of each word, for the mode "tf_idf"
  --- ```lua
  --- local layer = pod.layers.string_lookup()
  --- layer:set_vocabulary { "cat", "dog" }
  --- print(layer { "dog", "bird", "cat" })
  --- --> [2 0 1]
  --- --> int64 (3,) on CPU:0
  --- ```
  function class:set_vocabulary(words, idf_weights)
    vocabulary.give(self, words, idf_weights)
  end

  --- Makes the vocabulary of the words of the data: those that come most often first.
  ---@param data list|tensor|dataset
  ---@param options.steps integer how many elements of a dataset are looked at (default: all)
  --- ```lua
  --- local layer = pod.layers.string_lookup()
  --- layer:adapt { "dog", "cat", "dog" }
  --- print(layer { "dog", "cat" }) -- the most frequent first
  --- --> [1 2]
  --- --> int64 (2,) on CPU:0
  --- ```
  function class:adapt(data, options)
    local where = ("layer '%s' (%s): adapt"):format(self.name, self.class_name)
    options = errors.check_options(options, { steps = "count" }, where)
    vocabulary.begin(self)
    each(self, data, where, options.steps)
    vocabulary.finish(self)
  end
end

-- ---- strings --------------------------------------------------------------------------------------------------------

---@name pod.layers.string_lookup
--- Gives each string its number in a vocabulary, which is given or made by `adapt(data)`. It takes strings and arrays
--- of strings; in a function of `map` it takes a string of the elements. With a `mask_token` that one is 0; then come
--- the numbers for unknown strings, then the vocabulary.
---@param options.max_tokens integer how many numbers there are at most
---@param options.num_oov_indices integer how many numbers unknown strings have, by their hash, as in Keras; 0: they are
---   an error
---@param options.mask_token string the string that stands for nothing (default: none)
---@param options.oov_token string what an unknown string is with `invert`, and in the vocabulary
---@param options.vocabulary string[]|string the strings in their order, or the path of a file with one a line
---@param options.idf_weights number[] the weight of each, for "tf_idf"
---@param options.invert boolean whether numbers become strings
---@param options.output_mode "int"|"one_hot"|"multi_hot"|"count"|"tf_idf" a number, a vector of each string, or one of
---   all along the last axis
---@param options.pad_to_max_tokens boolean whether vectors are as long as `max_tokens`
---@return layer
---@error no vocabulary was given nor made
--- ```lua
--- local layer = pod.layers.string_lookup { vocabulary = { "cat", "dog" } }
--- print(layer { "dog", "bird", "cat" })
--- --> [2 0 1]
--- --> int64 (3,) on CPU:0
--- ```
lookup.string_lookup = layer.define {
  name = "StringLookup",
  arguments = { "max_tokens" },
  defaults = { num_oov_indices = 1, oov_token = "[UNK]", invert = false, output_mode = "int",
    pad_to_max_tokens = false },
  autocast = false,
  optional = { "max_tokens" },
  checks = checks_of { mask_token = check.string, oov_token = check.string },
  example = 'layers.string_lookup { vocabulary = { "cat", "dog" } }',
}

local of_strings = lookup.string_lookup

of_strings.setup = setup

add_methods(of_strings, function(self, data, where, steps)
  local is_list = not adapt_data.is_dataset(data)
  if is_list and type(data) == "table" then
    local list = strings.flatten(data, self)
    local rows = type(data[1]) == "table" and #data or #list
    for row = 1, rows do
      local width = #list / rows
      vocabulary.count(self, tables.slice(list, (row - 1) * width + 1, row * width))
    end
    return
  end
  adapt_data.each_text(data, where, function(text)
    vocabulary.count(self, { text })
  end, steps)
end)

-- Numbers as strings, in arrays of the tensor's shape.
local function words_of(self, numbers)
  local list, special = vocabulary.list(self), self.config.oov_token
  local function word(value)
    return type(value) == "table" and tables.map(value, word) or list[value + 1] or special
  end
  local t = tensor.new(numbers)
  return word(#t.shape == 0 and t:item() or t:totable())
end

local function encoded(self, numbers)
  local config = self.config
  if config.output_mode == "int" then
    return numbers
  end
  local counted = config.output_mode == "tf_idf" and "count" or config.output_mode
  local hot = encode_categories.encode(numbers, counted, vocabulary.depth(self), "float32")
  return config.output_mode == "tf_idf" and hot * vocabulary.weights(self) or hot
end

strings.define(of_strings, {
  of_list = function(self, list, shape)
    local index, oov, numbers = vocabulary.index(self), vocabulary.unknown(self), {}
    local many = self.config.num_oov_indices
    for i, text in ipairs(list) do
      numbers[i] = index[text] or oov and many > 1 and oov + device.core.text_bucket(text, many) or oov
        or errors.raise("layer '%s' (StringLookup): '%s' is not in the vocabulary, and num_oov_indices is 0", self.name,
          text)
    end
    return encoded(self, tensor.new(numbers, { dtype = "int64" }):reshape(shape))
  end,
  how = function(self)
    return { mode = "int", standardize = "none", split = "none", index = vocabulary.index(self),
      oov = vocabulary.unknown(self), length = 1,
      unknown_count = self.config.num_oov_indices > 1 and self.config.num_oov_indices or nil }
  end,
  of_one = function(self, numbers)
    return encoded(self, ops.reshape(numbers, {}))
  end,
})

local call_strings = of_strings.__call
of_strings.__call = function(self, x, options)
  if self.config.invert then
    if x == nil or not (tensor.is(x) or type(x) == "table" or type(x) == "number") or not tensor.is_known(
      tensor.new(x)) then
      check.fail(self, ": with invert = true it takes numbers whose values are known")
    end
    return words_of(self, x)
  end
  return call_strings(self, x, options)
end

-- ---- whole numbers --------------------------------------------------------------------------------------------------

---@name pod.layers.integer_lookup
--- Gives each whole number its place in a vocabulary, which is given or made by `adapt(data)`. Input: integers of any
--- shape, also in models and functions of `map`. With a `mask_token` that one is 0; then come the numbers for unknown
--- ones, then the vocabulary.
---@param options.max_tokens integer how many numbers there are at most
---@param options.num_oov_indices integer how many numbers unknown ones have, by their rest of the division; 0: they
---   become -1, or an error where they are known
---@param options.mask_token integer the number that stands for nothing (default: none)
---@param options.oov_token integer what an unknown number is with `invert`
---@param options.vocabulary integer[]|string the numbers in their order, or the path of a file with one a line
---@param options.vocabulary_dtype string the type of the numbers
---@param options.idf_weights number[] the weight of each, for "tf_idf"
---@param options.invert boolean whether places become numbers of the vocabulary
---@param options.output_mode "int"|"one_hot"|"multi_hot"|"count"|"tf_idf" a number, a vector of each, or one of all
---   along the last axis
---@param options.pad_to_max_tokens boolean whether vectors are as long as `max_tokens`
---@return layer
---@error no vocabulary was given nor made
--- ```lua
--- local layer = pod.layers.integer_lookup { vocabulary = { 12, 36, 1138, 42 } }
--- print(layer(pod.tensor { 42, 5, 12 }))
--- --> [4 0 1]
--- --> int64 (3,) on CPU:0
--- ```
lookup.integer_lookup = layer.define {
  name = "IntegerLookup",
  arguments = { "max_tokens" },
  defaults = { num_oov_indices = 1, oov_token = -1, invert = false, output_mode = "int", pad_to_max_tokens = false,
    vocabulary_dtype = "int64" },
  autocast = false,
  optional = { "max_tokens" },
  checks = checks_of { mask_token = check.integer, oov_token = check.integer,
    vocabulary_dtype = check.one_of("int64", "int32") },
  example = "layers.integer_lookup { vocabulary = { 12, 36 } }",
}

local of_integers = lookup.integer_lookup

of_integers.setup = setup

add_methods(of_integers, function(self, data, where, steps)
  adapt_data.each_tensor(data, where, function(batch)
    local rows = batch:totable()
    for _, row in ipairs(type(rows) == "table" and rows or { rows }) do
      vocabulary.count(self, type(row) == "table" and row or { row })
    end
  end, steps)
end)

-- The entries, sorted, and the number of each.
local function sorted_entries(self)
  local index = vocabulary.index(self)
  local keys = tables.sorted_keys(index)
  return keys, tables.map(keys, function(key)
    return index[key]
  end)
end

local UNKNOWN = -2 -- -1 is a mask's in the modes of vectors; neither has a place there

-- Numbers of which none is unknown, where that can be seen.
local function check_known(self, numbers)
  if self.config.num_oov_indices > 0 then
    return numbers
  elseif tensor.is_known(numbers) and numbers:size() > 0 and ops.min(numbers):item() == UNKNOWN then
    check.fail(self, ": a number is not in the vocabulary, and num_oov_indices is 0")
  end
  return ops.maximum(numbers, -1)
end

function of_integers:call(x)
  local config = self.config
  if config.invert then
    local list = tensor.new(vocabulary.list(self), { dtype = config.vocabulary_dtype })
    local place = index_numbers(x)
    local inside = ops.logical_and(ops.greater_equal(place, 0), ops.less(place, list.shape[1]))
    return ops.where(inside, ops.gather(list, ops.clip(place, 0, list.shape[1] - 1), 0),
      tensor.new(config.oov_token, { dtype = config.vocabulary_dtype }))
  end
  local keys, numbers = sorted_entries(self)
  x = ops.cast(x, "int64")
  local first = config.mask_token ~= nil and config.output_mode == "int" and 1 or 0
  local unknown = ops.zeros_like(x) + UNKNOWN
  if config.num_oov_indices > 0 then
    local many = config.num_oov_indices
    unknown = (many > 1 and ops.mod(x, many) or ops.zeros_like(x)) + first
  end
  local found = unknown
  if #keys > 0 then
    local place = encode_categories.count_below(x, keys, "int64")
    local before = ops.maximum(place - 1, 0)
    local is_entry = ops.logical_and(ops.greater(place, 0),
      ops.equal(ops.gather(tensor.new(keys, { dtype = "int64" }), before, 0), x))
    found = ops.where(is_entry, ops.gather(tensor.new(numbers, { dtype = "int64" }), before, 0), unknown)
  end
  return encoded(self, check_known(self, found))
end

return lookup
