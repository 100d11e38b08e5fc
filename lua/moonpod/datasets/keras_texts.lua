-- datasets_keras_texts - Keras' texts as numbers of words: reviews of films, and news.

local dataset_generator = require "moonpod.data.generator"
local errors = require "moonpod.base.errors"
local keras = require "moonpod.datasets.keras"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local texts = require "moonpod.base.texts"
local is_whole = require "moonpod.base.kinds".is_whole

local keras_texts = {}

local OPTIONS = { num_words = "count", skip_top = true, maxlen = "count", seed = true, start_char = true,
  oov_char = true, index_from = true }

-- A whole number from 0, or false where Keras takes None.
local function check_index(options, name, default, may_be_none, where)
  local value = options[name]
  if value == nil then
    return default
  elseif value == false and may_be_none then
    return nil
  elseif not is_whole(value, 0, 2 ^ 31 - 1) then
    errors.raise("%s: '%s' must be a whole number from 0%s, not %s", where, name, may_be_none and " or false" or "",
      errors.describe(value))
  end
  return value
end

local function check_indices(options, where)
  return { num_words = options.num_words, maxlen = options.maxlen,
    skip_top = check_index(options, "skip_top", 0, false, where),
    start_char = check_index(options, "start_char", 1, true, where),
    oov_char = check_index(options, "oov_char", 2, true, where),
    index_from = check_index(options, "index_from", 3, false, where) }
end

-- Rows of an array of lists in an order: a sequence of words each, where they begin and all words moved by index_from.
-- Those that have not fewer than maxlen numbers are left out. Returns sequences and labels.
local function sequences_of(words, lengths, labels, order, options)
  local flat, starts, at = words:totable(), {}, 0
  local sizes = lengths:totable()
  for i, size in ipairs(sizes) do
    starts[i], at = at, at + size
  end
  local sequences, kept, label_of = {}, {}, labels:totable()
  for _, row in ipairs(order:totable()) do
    local first, sequence = starts[row + 1], { options.start_char }
    local before = #sequence
    for i = 1, sizes[row + 1] do
      sequence[before + i] = flat[first + i] + options.index_from
    end
    if not options.maxlen or #sequence < options.maxlen then
      sequences[#sequences + 1], kept[#kept + 1] = sequence, label_of[row + 1]
    end
  end
  return sequences, kept
end

local function largest_word(sequences)
  local most = 0
  for _, sequence in ipairs(sequences) do
    for _, word in ipairs(sequence) do
      most = math.max(most, word)
    end
  end
  return most
end

-- Rare and very frequent words become oov_char, or go.
local function limit_words(sequences, num_words, options)
  local least, oov = options.skip_top, options.oov_char
  for _, sequence in ipairs(sequences) do
    local count = 0
    for i, word in ipairs(sequence) do
      sequence[i] = nil
      if word < least or word >= num_words then
        word = oov
      end
      if word then
        count = count + 1
        sequence[count] = word
      end
    end
  end
end

-- A dataset of sequences with all of them as fields x and y.
local function of_sequences(sequences, labels, title, path)
  local func = require "moonpod.func"
  local set = dataset_generator.new(function()
    local i = 0
    return function()
      i = i + 1
      if sequences[i] then
        return tensor.new(sequences[i], "int32"), tensor.new(labels[i], "int64")
      end
    end
  end, { func.spec({ -1 }, "int32"), func.spec({}, "int64") }, { cardinality = #sequences })
  set.x, set.y = sequences, tensor.new(labels, "int64"):reshape { #labels }
  set.source = ("%s: %d sequences of words, from %s"):format(title, #sequences, path)
  return set
end

local function check_lists(arrays, path, x, y)
  local words = keras.check(arrays[x], path, "int64", { 0 })
  local lengths = keras.check(arrays[x .. ".lengths"], path, "int64", { 0 })
  return words, lengths, keras.check(arrays[y], path, "int64", lengths.shape)
end

local function check_some(sequences, options, where)
  if #sequences == 0 then
    errors.raise("%s: no sequence has fewer than maxlen = %s words; raise it", where, tostring(options.maxlen))
  end
end

---@name pod.datasets.imdb
--- Reviews of films as Keras has them: 25000 and 25000, the words of each by how frequent they are (int32, of varying
--- length), and whether it praises (int64, 1 or 0). `set:padded_batch(32)` makes rows of them; the fields `x`, an array
--- of arrays of numbers for `pod.utils.pad_sequences`, and `y` have all of them.
---@param options.num_words integer words from this number on become `oov_char` (default: the largest there is)
---@param options.skip_top integer words below this number become `oov_char` (default 0)
---@param options.maxlen integer only sequences with fewer words are kept
---@param options.seed integer which order they have (default 113)
---@param options.start_char integer|false what each sequence begins with (default 1); false: nothing
---@param options.oov_char integer|false what stands for words that are left out (default 2); false: nothing
---@param options.index_from integer what is added to the numbers of words (default 3)
---@return dataset for training
---@return dataset for tests
---@error the file is not there and cannot be fetched; the message says what to do
--- ```lua
--- local ok, train = pcall(pod.datasets.imdb, { fetch = false, num_words = 10000 })
--- assert(not ok or #train == 25000 and train.x[1][1] == 1)
--- ```
function keras_texts.imdb(options)
  local where = "datasets.imdb"
  local path
  options, path = keras.file_of("imdb", options, OPTIONS)
  local index = check_indices(options, where)
  local arrays = keras.read_npz(path, { "x_train", "x_train.lengths", "y_train", "x_test", "x_test.lengths", "y_test" })
  local words, lengths, labels = check_lists(arrays, path, "x_train", "y_train")
  local test_words, test_lengths, test_labels = check_lists(arrays, path, "x_test", "y_test")
  local first, second = keras.orders(options.seed or 113, labels.shape[1], test_labels.shape[1], where)
  local train, train_kept = sequences_of(words, lengths, labels, first, index)
  local test, test_kept = sequences_of(test_words, test_lengths, test_labels, second, index)
  check_some(train, options, where)
  check_some(test, options, where)
  local num_words = options.num_words or math.max(largest_word(train), largest_word(test))
  limit_words(train, num_words, index)
  limit_words(test, num_words, index)
  return of_sequences(train, train_kept, "IMDB", path), of_sequences(test, test_kept, "IMDB", path)
end

local TOPICS = "cocoa grain veg-oil earn acq wheat copper housing money-supply coffee sugar trade reserves ship cotton "
  .. "carcass crude nat-gas cpi money-fx interest gnp meal-feed alum oilseed gold tin strategic-metal livestock retail "
  .. "ipi iron-steel rubber heat jobs lei bop zinc orange pet-chem dlr gas silver wpi hog lead"

---@name pod.datasets.reuters
--- News as Keras has them: 8982 and 2246, the words of each by how frequent they are (int32, of varying length), and
--- which of 46 topics it is about (int64), whose names the field `class_names` has. Options as of `pod.datasets.imdb`.
---@param options.test_split number the share that is test data (default 0.2)
---@return dataset for training
---@return dataset for tests
---@error the file is not there and cannot be fetched; the message says what to do
--- ```lua
--- local ok, train, test = pcall(pod.datasets.reuters, { fetch = false })
--- assert(not ok or #train + #test == 11228 and #train.class_names == 46)
--- ```
function keras_texts.reuters(options)
  local where = "datasets.reuters"
  local path
  options, path = keras.file_of("reuters", options, tables.merge(OPTIONS, { test_split = true }))
  local index, share = check_indices(options, where), keras.check_split(options.test_split, where)
  local arrays = keras.read_npz(path, { "x", "x.lengths", "y" })
  local words, lengths, labels = check_lists(arrays, path, "x", "y")
  local order = keras.orders(options.seed or 113, labels.shape[1], 0, where)
  local sequences, kept = sequences_of(words, lengths, labels, order, index)
  check_some(sequences, options, where)
  limit_words(sequences, options.num_words or largest_word(sequences), index)
  local count, names = math.floor(#sequences * (1 - share)), texts.parts(TOPICS, "%S+")
  local function part(first, last)
    local set = of_sequences(tables.slice(sequences, first, last), tables.slice(kept, first, last), "Reuters", path)
    set.class_names = names
    return set
  end
  return part(1, count), part(count + 1, #sequences)
end

return keras_texts
