-- Layers that make numbers of texts, categories and pictures, against what Keras gives (tests/golden/
-- keras_preprocessing.lua, made by keras_preprocessing.py), by hand and in functions of datasets.

local executable = require "tests.lua.support.executable"
local pod = require "moonpod"

local golden = dofile "tests/golden/keras_preprocessing.lua"

local TEXT = { text_vectorization = true, string_lookup = true }

local function is_of_text(case)
  return TEXT[case.layer] or case.x.dtype == "string" or case.x.columns
end

-- Nested arrays of a flat list.
local function nested(values, shape, axis, place)
  axis, place = axis or 1, place or { 0 }
  if axis > #shape then
    place[1] = place[1] + 1
    return values[place[1]]
  end
  local out = {}
  for i = 1, shape[axis] do
    out[i] = nested(values, shape, axis + 1, place)
  end
  return out
end

local value_of

value_of = function(array)
  if array.columns then
    local columns = {}
    for i, column in ipairs(array.columns) do
      columns[i] = value_of(column)
    end
    return columns
  end
  if array.dtype == "string" then
    return nested(array.values, array.shape)
  end
  return pod.tensor(array.values, { dtype = array.dtype }):reshape(array.shape)
end

local function compare(expected, got, what)
  if expected.dtype == "string" then
    assert.same(nested(expected.values, expected.shape), got)
    return
  end
  assert.same(expected.shape, { (table.unpack or unpack)(got.shape) }, what) -- luacheck: ignore
  local flat = #got.shape == 0 and { got:item() } or got:reshape({ -1 }):totable()
  local tolerance = expected.dtype:find "^u?int" and 0 or 2e-5
  for i, value in ipairs(expected.values) do
    assert.near(value, flat[i], tolerance * math.max(1, math.abs(value)), what .. ", element " .. i)
  end
end

local function made(case)
  local layer = pod.layers[case.layer](case.options)
  if case.adapt then
    local data = value_of(case.adapt)
    if case.batches > 0 then
      data = TEXT[case.layer] and pod.data.from_texts(data)
        or pod.data.from_tensor_slices(data):batch(case.batches)
    end
    layer:adapt(data)
  end
  return layer
end

describe("Keras:", function()
  for i, case in ipairs(golden.cases) do
    it(("%s, case %d"):format(case.layer, i), function()
      local layer = made(case)
      if case.vocabulary then
        assert.same(case.vocabulary, layer:get_vocabulary())
        assert.equal(#case.vocabulary, layer:vocabulary_size())
      end
      if case.boundaries then
        assert.equal(#case.boundaries, #layer.config.bin_boundaries)
        for j, boundary in ipairs(case.boundaries) do
          assert.near(boundary, layer.config.bin_boundaries[j], 2e-5)
        end
      end
      local x = value_of(case.x)
      compare(case.y, layer(x, { training = case.training }), case.layer)
      if not is_of_text(case) and not case.options.invert and #case.x.shape > 1 and not case.training then
        compare(case.y, pod.func(function(given) return layer(given) end)(x), "compiled")
      end
      local again = pod.deserialize(pod.serialize(layer))
      if case.layer ~= "normalization" then -- whose numbers are weights
        compare(case.y, again(x, { training = case.training }), "again")
      end
    end)
  end
end)

describe("a vocabulary", function()
  it("is read from a file, a word a line", function()
    local path = os.tmpname()
    for text, words in pairs { ["cat\r\ndog"] = "cat dog", ["cat\n\ndog\n"] = "cat  dog" } do
      local file = assert(io.open(path, "wb"))
      file:write(text)
      file:close()
      local layer = pod.layers.string_lookup { vocabulary = path, num_oov_indices = 0 }
      assert.equal(words, table.concat(layer:get_vocabulary(), " "))
    end
    os.remove(path)
    local ok, message = pcall(pod.layers.string_lookup, { vocabulary = path })
    assert(not ok and message:find "cannot be read", message)
  end)
end)

describe("hashing", function()
  it("refuses what it cannot hash", function()
    local function refuses(options, x, message)
      assert.error_matches(function()
        pod.layers.hashing(options)(x)
      end, message)
    end
    refuses({ num_bins = 0 }, { "a" }, "num_bins")
    refuses({ num_bins = 3, salt = { 1 } }, { "a" }, "salt.*or a list of two")
    refuses({ num_bins = 3, salt = -1 }, { "a" }, "salt")
    refuses({ num_bins = 3, mask_value = 4 }, { "a" }, "called with strings, but its mask_value is a number")
    refuses({ num_bins = 3, mask_value = "a" }, pod.tensor { 4 }, "called with numbers, but its mask_value is a string")
    refuses({ num_bins = 3 }, { { "a" }, { "a", "b" } }, "different lengths")
    refuses({ num_bins = 3 }, pod.tensor { true }, "numbers or strings, not booleans")
  end)

  it("is a layer of a model, of whole numbers", function()
    local x = pod.layers.input { shape = { 2 }, dtype = "int64" }
    local model = pod.models.functional { inputs = x, outputs = pod.layers.embedding(5, 3)(pod.layers.hashing(5)(x)) }
    assert.same("(4, 2, 3)", tostring(model:predict(pod.ones({ 4, 2 }, "int64")).shape))
  end)
end)

describe("hashed_crossing", function()
  it("refuses what it cannot cross", function()
    local layer = pod.layers.hashed_crossing(5)
    for message, x in pairs { ["list of two columns or more"] = { { "a" } },
      ["column 2 has shape"] = { { "a" }, { 1, 2 } }, ["column 1 is of float32"] = { pod.ones { 2 }, { 1, 2 } },
      ["column 1 has shape"] = { { { 1, 2 } }, { { 1, 2 } } } } do
      assert.error_matches(function() layer(x) end, message)
    end
    assert.error_matches(function() layer { { "a", 3 }, { 1, 2 } } end, "strings")
    assert.error_matches(function() layer { { 1.5, 3 }, { 1, 2 } } end, "column 1 has numbers that are not whole")
    assert.error_matches(function() pod.layers.hashed_crossing(0) end, "num_bins")
    assert.error_matches(function() pod.layers.hashed_crossing { num_bins = 3, output_mode = "count" } end,
      "output_mode")
  end)

  it("is a layer of a model, of whole numbers, and of a dataset", function()
    local a = pod.layers.input { shape = { 1 }, dtype = "int64" }
    local b = pod.layers.input { shape = { 1 }, dtype = "int32" }
    local layer = pod.layers.hashed_crossing { num_bins = 50 }
    local model = pod.models.functional { inputs = { a, b }, outputs = layer { a, b } }
    local x, y = pod.tensor({ { 3 }, { -4 } }, { dtype = "int64" }), pod.tensor({ { 5 }, { 6 } }, { dtype = "int32" })
    assert.same(layer({ x, y }):totable(), model:predict({ x, y }):totable())
    local texts = { "cat", "", "dog and more" }
    local lookup = pod.layers.string_lookup { num_oov_indices = 4, vocabulary = { "cat" } }
    local ds = pod.data.zip { pod.data.from_texts(texts), pod.data.range(3) }
    for _, threads in ipairs { false, 2 } do
      local got, found = ds:map(function(text, number)
        return layer { text, number }, lookup(text)
      end, { num_parallel_calls = threads or nil }):batch(3):iterator():next()
      assert.same(layer({ texts, { 0, 1, 2 } }):totable(), got:totable())
      assert.same(lookup(texts):totable(), found:totable())
    end
  end)
end)

describe("in a dataset", function()
  it("texts become what they become by hand", function()
    for _, case in ipairs(golden.cases) do
      local options = case.options
      if case.layer == "text_vectorization" and (options.output_mode or options.output_sequence_length) then
        local layer, texts = made(case), value_of(case.x)
        local ds = pod.data.zip { pod.data.from_texts(texts), pod.data.range(#texts) }
        for _, threads in ipairs { false, 2 } do
          local rows = ds:map(function(text, number)
            return layer(text), number * 2
          end, { num_parallel_calls = threads or nil }):batch(#texts)
          local x, y = rows:iterator():next()
          compare(case.y, x, "mapped")
          assert.equal(2 * #texts - 2, y[#texts]:item())
        end
      end
    end
  end)

  it("strings and numbers fall into the bins that they do by hand", function()
    for _, options in ipairs { { num_bins = 50 }, { num_bins = 9, mask_value = "b", salt = 7 },
      { num_bins = 6, output_mode = "one_hot" } } do
      local layer, texts = pod.layers.hashing(options), { "a", "b", "c and more", "", "a" }
      local rows = pod.data.from_texts(texts):map(function(text)
        return layer(text)
      end, { num_parallel_calls = 2 }):batch(5)
      assert.same(layer(texts):totable(), rows:iterator():next():totable())
      if options.mask_value == nil then
        local numbers = pod.tensor({ 4, -17, 100000 }, { dtype = "int64" })
        local mapped = pod.data.from_tensor_slices(numbers):map(function(number)
          return layer(number)
        end):batch(3)
        assert.same(layer(numbers):totable(), mapped:iterator():next():totable())
      end
    end
  end)

  it("several layers, random numbers and functions of one's own go together", function()
    local upper = pod.layers.text_vectorization { output_sequence_length = 2, split = "none", vocabulary = { "A", "B" },
      standardize = function(text)
        return (text:upper():gsub("%.", ""))
      end }
    local known = pod.layers.string_lookup { vocabulary = { "b." }, output_mode = "one_hot" }
    local ds = pod.data.from_texts({ "a", "b.", "c" }):map(function(text)
      return { upper = upper(text), known = known(text), noise = pod.random.uniform { 2 }, again = upper(text) }
    end, { seed = 3 })
    local row = ds:batch(3):iterator():next()
    assert.same({ { 2, 0 }, { 3, 0 }, { 1, 0 } }, row.upper:totable())
    assert.same({ { 2, 0 }, { 3, 0 }, { 1, 0 } }, row.again:totable())
    assert.same({ { 1, 0 }, { 0, 1 }, { 1, 0 } }, row.known:totable())
    assert.is_true(row.noise:min():item() > 0)
  end)

  it("what threads cannot do is told", function()
    local suffix = "x"
    local own = pod.layers.text_vectorization { output_sequence_length = 2, vocabulary = { "a" },
      standardize = function(text)
        return text .. suffix
      end }
    local ok, message = pcall(function()
      return pod.data.from_texts({ "a" }):map(function(text) return own(text) end)
    end)
    assert(not ok and message:find "'standardize'" and message:find "'suffix'", message)
    local open = pod.layers.text_vectorization { vocabulary = { "a" } }
    ok, message = pcall(function()
      return pod.data.from_texts({ "a" }):map(function(text) return open(text) end)
    end)
    assert(not ok and message:find "output_sequence_length", message)
    assert.same({ { 2, 1 }, { 2, 0 } }, open({ "a b", "a" }):totable())
  end)

  it("a model trains on what integer_lookup makes, within it", function()
    local ids = pod.layers.integer_lookup { output_mode = "multi_hot", name = "ids" }
    ids:adapt(pod.data.from_tensor_slices(pod.tensor({ { 100, 7 }, { 100, 9 } }, { dtype = "int64" })):batch(2))
    local input = pod.layers.input { shape = { 2 }, dtype = "int64" }
    local model = pod.models.functional { inputs = input, outputs = pod.layers.dense(1)(ids(input)) }
    model:compile { optimizer = "sgd", loss = "mse" }
    model:fit(pod.tensor({ { 100, 9 }, { 7, 5 } }, { dtype = "int64" }), pod.ones { 2, 1 }, { epochs = 2, verbose = 0 })
    local path = os.tmpname() .. ".safetensors"
    model:save(path)
    local loaded = pod.models.load(path)
    os.remove(path)
    assert.same({ "[UNK]" }, { pod.layers.string_lookup({ vocabulary = { "a" } }):get_vocabulary()[1] })
    assert.same(ids:get_vocabulary(), loaded:get_layer("ids"):get_vocabulary())
    local x = pod.tensor({ { 100, 5 } }, { dtype = "int64" })
    assert.equal(model:predict(x):item(), loaded:predict(x):item())
  end)
end)

describe("Keras' utils:", function()
  for i, case in ipairs(golden.utils) do
    it(("%s, case %d"):format(case.name, i), function()
      local call = pod.utils[case.name]
      if case.name == "to_categorical" then
        compare(case.y, call(case.first, case.options.num_classes), case.name)
      elseif case.name == "pad_sequences" then
        local y = call(case.first, case.options)
        compare(case.y, y, case.name)
        assert.equal(case.y.dtype, y.dtype)
      else
        local data = pod.cast(pod.iota(60), "float32"):reshape { 30, 2 }
        local targets = case.with_targets and pod.cast(pod.iota(30), "float32") * 10
        local count = 0
        for x, y in call(data, targets, case.options):iter() do
          count = count + 1
          compare(case.batches[count][1], x, "windows")
          if case.with_targets then
            compare(case.batches[count][2], y, "targets")
          end
        end
        assert.equal(#case.batches, count)
      end
    end)
  end

  it("time series are shuffled in each pass, and what has no window is told", function()
    local series, options = pod.iota(20), { sequence_length = 4, shuffle = true, seed = 3, batch_size = false }
    local windows = pod.utils.timeseries_dataset_from_array(series, false, options)
    local first, second = windows:totable(), windows:totable()
    assert.equal(17, #first)
    assert.is_false(first[1][1] == second[1][1] and first[2][1] == second[2][1] and first[3][1] == second[3][1])
    local ok, message = pcall(pod.utils.timeseries_dataset_from_array, series, nil, { sequence_length = 21 })
    assert(not ok and message:find "no window", message)
    ok, message = pcall(pod.utils.to_categorical, { 0, 3 }, 3)
    assert(not ok and message:find "0 to 2", message)
  end)

  it("windows of time series need nothing else of pod.data", function()
    local text = executable.run(("-e %s"):format(executable.quote(
      "print(#require'moonpod'.utils.timeseries_dataset_from_array(require'moonpod'.iota(6), nil, "
        .. "{ sequence_length = 3 }):totable())")))
    assert.equal("1\n", text)
  end)
end)

describe("a model's fields", function()
  local layers = pod.layers

  it("are its layers, inputs, outputs and optimizer", function()
    local model = pod.models.sequential { layers.dense(3, { input_shape = { 4 }, name = "first" }), layers.dense(2) }
    assert.equal(2, #model.layers)
    assert.equal(model.layers[1], model:get_layer "first")
    assert.equal("(None, 4)", tostring(model.inputs[1].shape))
    assert.equal("(None, 2)", tostring(model.output.shape))
    assert.is_nil(model.optimizer)
    model:compile { optimizer = "adam", loss = "mse" }
    assert.equal("adam", model.optimizer.name)
    assert.is_nil(pod.models.sequential({ layers.dense(2) }).inputs)
    local features = pod.models.functional { inputs = model.inputs, outputs = model:get_layer("first").output }
    local x = pod.random.normal { 2, 4 }
    assert.is_true(pod.allclose(features(x), model.layers[1](x)))
    local behind = pod.models.functional { inputs = model.layers[1].output, outputs = model.output }
    assert.is_true(pod.allclose(behind(features(x)), model(x)))
  end)

  it("a layer that was called twice has no one output", function()
    local shared, input = layers.dense(2), layers.input { 2 }
    shared(shared(input))
    local ok, message = pcall(function()
      return shared.output
    end)
    assert(not ok and message:find "called 2 times", message)
  end)
end)
