-- vocabulary - the words of lookup layers and their numbers: given, read from a file, or counted in data.
--
-- A layer keeps them in its state: `words` (without those for masks and unknown words), `index` (word -> number) and
-- `idf` (a weight a number). Its config has them as options, so that files do.

local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local text_encoder = require "moonpod.layers.text_encoder"
local is_whole = require "moonpod.base.kinds".is_whole
local texts = require "moonpod.base.texts"

local vocabulary = {}

-- What is wrong with an option `vocabulary`.
function vocabulary.check(value)
  if type(value) ~= "string" and type(value) ~= "table" then
    return "must be a list of words or the path of a file"
  end
end

local function is_of_text(self)
  return self.class_name ~= "IntegerLookup"
end

-- The number of the first unknown word, and of the first of the vocabulary.
local function starts(self)
  local config = self.config
  local unknown = config.mask_token ~= nil and config.output_mode == "int" and 1 or 0
  return unknown, unknown + config.num_oov_indices
end

local function read_lines(self, path)
  local text, problem = texts.read(path)
  if not text then
    check.fail(self, ": the vocabulary cannot be read: %s", tostring(problem))
  end
  local words = {}
  for line in text:gsub("\r\n", "\n"):gsub("\n$", ""):gmatch "([^\n]*)\n?" do
    words[#words + 1] = is_of_text(self) and line or tonumber(line) or line
  end
  if words[#words] == "" then -- the end of the text is matched once more
    words[#words] = nil
  end
  return words
end

-- The words that are given, without those for masks and unknown words at the begin; how many of these there were.
local function without_special(self, given)
  local config, special = self.config, {}
  local first_unknown, first = starts(self)
  if first_unknown == 1 then
    special[1] = config.mask_token
  end
  for _ = 1, config.num_oov_indices do
    special[#special + 1] = config.oov_token
  end
  local is_there = #given >= #special
  for i, one in ipairs(special) do
    is_there = is_there and given[i] == one
  end
  local left = is_there and first or 0
  return tables.slice(given, left + 1), left
end

local function take(self, words)
  local state, config = self._state, self.config
  local first_unknown, first = starts(self)
  local index, kind = {}, is_of_text(self) and "string" or "number"
  for i, word in ipairs(words) do
    if type(word) ~= kind or kind == "number" and not is_whole(word) then
      check.fail(self, ": entry %d of the vocabulary is %s; %s are needed", i, errors.describe(word),
        kind == "string" and "strings" or "whole numbers")
    elseif index[word] then
      check.fail(self, ": the vocabulary has '%s' twice", tostring(word))
    elseif word == config.mask_token or config.invert and word == config.oov_token then
      check.fail(self, ": the vocabulary has '%s' at place %d, which stands for masks or unknown words: leave it out, "
        .. "or put these at the begin", tostring(word), i)
    end
    index[word] = first + i - 1
  end
  if config.max_tokens and first + #words > config.max_tokens then
    check.fail(self, ": the vocabulary has %d entries, with those for masks and unknown words; max_tokens is %d",
      first + #words, config.max_tokens)
  end
  if config.mask_token ~= nil then -- in vectors it has no place
    index[config.mask_token] = first_unknown == 1 and 0 or -1
  end
  state.words, state.index = words, index
  config.vocabulary = words
end

-- The weights of numbers; where the words had no special ones these get the mean.
local function take_weights(self, weights, left, words)
  local _, first = starts(self)
  weights = tensor.is(weights) and weights:totable() or weights
  if type(weights) ~= "table" or #weights ~= #words + left then
    check.fail(self, ': in the mode "tf_idf" the vocabulary of %d words needs a weight of each: idf_weights',
      #words + left)
  end
  local sum, idf = 0, {}
  for i, weight in ipairs(weights) do
    sum, idf[i] = sum + weight, weight
  end
  for _ = 1, left == 0 and first or 0 do
    table.insert(idf, 1, sum / #weights)
  end
  self._state.idf, self.config.idf_weights = idf, idf
  if left == 0 and first > 0 then -- the config's words are without them
    self.config.idf_weights = weights
  end
end

-- Sets the vocabulary: words, or the path of a file.
function vocabulary.give(self, given, idf_weights)
  if type(given) == "string" then
    given = read_lines(self, given)
  elseif tensor.is(given) then
    given = given:totable()
  end
  if type(given) ~= "table" or #given == 0 then
    check.fail(self, ": a vocabulary is a list of words that is not empty, or the path of a file with one a line")
  end
  local words, left = without_special(self, given)
  take(self, words)
  if self.config.output_mode == "tf_idf" then
    take_weights(self, idf_weights, left, words)
    if left > 0 then
      self.config.vocabulary = given
    end
  elseif idf_weights ~= nil then
    check.fail(self, ': idf_weights are for output_mode = "tf_idf"')
  end
end

function vocabulary.setup(self, config)
  if config.pad_to_max_tokens and not config.max_tokens then
    check.fail(self, ": pad_to_max_tokens needs max_tokens")
  end
  self._state.vocabulary_was_given = config.vocabulary ~= nil
  if config.vocabulary ~= nil then
    vocabulary.give(self, config.vocabulary, config.idf_weights)
  end
end

-- ---- counting -------------------------------------------------------------------------------------------------------

function vocabulary.begin(self)
  if self._state.vocabulary_was_given then
    check.fail(self, ": its vocabulary was given; there is nothing to adapt")
  end
  self._state.tally, self._state.document_counts, self._state.documents = {}, {}, 0
end

-- Counts the words of a document.
function vocabulary.count(self, tokens)
  local state, seen = self._state, {}
  for _, token in ipairs(tokens) do
    state.tally[token] = (state.tally[token] or 0) + 1
    if not seen[token] then
      seen[token] = true
      state.document_counts[token] = (state.document_counts[token] or 0) + 1
    end
  end
  state.documents = state.documents + 1
end

function vocabulary.finish(self)
  local state, config = self._state, self.config
  local tally, of_documents, documents = state.tally, state.document_counts, state.documents
  state.tally, state.document_counts, state.documents = nil, nil, nil
  if config.mask_token ~= nil then
    tally[config.mask_token] = nil
  end
  if config.oov_token ~= nil then
    tally[config.oov_token] = nil
  end
  local words, _, first = text_encoder.sorted(tally), starts(self)
  if #words == 0 then
    check.fail(self, ": adapt found no words in the data")
  end
  for i = #words, config.max_tokens and math.max(config.max_tokens - first, 0) + 1 or #words + 1, -1 do
    words[i] = nil
  end
  take(self, words)
  if config.output_mode == "tf_idf" then
    local weights = {}
    for i, word in ipairs(words) do
      weights[i] = math.log(1 + documents / (1 + of_documents[word]))
    end
    take_weights(self, weights, 0, words)
  end
end

-- ---- what layers ask ------------------------------------------------------------------------------------------------

local function check_there(self)
  if not self._state.words then
    check.fail(self, " has no vocabulary: call adapt(data) first, or give vocabulary = { ... }")
  end
end

-- word -> number
function vocabulary.index(self)
  check_there(self)
  return self._state.index
end

-- The number of unknown words, or nil where there is none.
function vocabulary.unknown(self)
  return self.config.num_oov_indices > 0 and (starts(self)) or nil
end

function vocabulary.size(self)
  local _, first = starts(self)
  return first + #(self._state.words or {})
end

-- The length of vectors.
function vocabulary.depth(self)
  check_there(self)
  return self.config.pad_to_max_tokens and self.config.max_tokens or vocabulary.size(self)
end

-- The weight of each number, as many as vectors are long.
function vocabulary.weights(self)
  check_there(self)
  local weights = {}
  for i = 1, vocabulary.depth(self) do
    weights[i] = self._state.idf[i] or 0
  end
  return weights
end

-- The words in the order of their numbers. Options: include_special_tokens (true).
function vocabulary.list(self, options)
  options = errors.check_options(options, { include_special_tokens = "boolean" }, "get_vocabulary")
  local first_unknown, first = starts(self)
  local list = {}
  if options.include_special_tokens ~= false then
    for i = 1, self._state.words and first or 0 do
      list[i] = i <= first_unknown and self.config.mask_token or self.config.oov_token
    end
  end
  return tables.extend(list, self._state.words or {})
end

return vocabulary
