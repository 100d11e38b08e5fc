-- The networks of examples/from_keras learn what they learn in Keras, step by step, from the same weights on the same
-- data in the same order (tests/golden/from_keras.lua, made by from_keras.py).

local pod = require "moonpod"
local files = require "tests.lua.support.files"

local layers = pod.layers
local golden = dofile "tests/golden/from_keras.lua"
local STEPS = 30

-- Sets weights to the numbers that the script of Python sets them to, and biases to 0.
local function set_weights(model)
  local state = 12345
  for _, weight in ipairs(model.trainable_weights) do
    local values, count, rows = {}, 1, 1
    for axis, size in ipairs(weight.shape) do
      count, rows = count * size, axis < #weight.shape and rows * size or rows
    end
    for i = 1, count do
      if #weight.shape > 1 then
        state = state * 16807 % 2147483647
        values[i] = (state / 2147483647 * 2 - 1) * math.sqrt(3 / rows)
      end
    end
    if #weight.shape > 1 then
      weight:assign(pod.tensor(values):reshape(weight.shape))
    end
  end
end

local function near(expected, got, tolerance, what)
  local off = math.abs(expected - got) / math.max(math.abs(expected), 1e-3)
  assert.is_true(off <= tolerance, ("%s: Keras has %.9g, here it is %.9g"):format(what, expected, got))
end

local function all_near(expected, got, tolerance, what)
  assert.equal(#expected, #got, what)
  for i, value in ipairs(expected) do
    near(value, got[i], tolerance, what .. " " .. i)
  end
end

-- Compares some numbers of each weight; each may be off by `tolerance` of the weight's largest.
local function weights_near(expected, model, tolerance)
  local weights = {}
  for _, weight in ipairs(model.trainable_weights) do
    weights[#weights + 1] = weight
  end
  for _, weight in ipairs(model.non_trainable_weights) do
    weights[#weights + 1] = weight.dtype == "float32" and weight or nil
  end
  assert.equal(#expected, #weights)
  for i, values in ipairs(expected) do
    local got = weights[i]:value():reshape({ -1 }):totable()
    local step, largest = math.max(1, math.floor(#got / 40)), 1e-3
    for _, value in ipairs(values) do
      largest = math.max(largest, math.abs(value))
    end
    for j, value in ipairs(values) do
      assert.near(value, got[1 + (j - 1) * step], tolerance * largest, ("weight %d, %d"):format(i, j))
    end
  end
end

local function train(model, batches)
  local losses = {}
  while #losses < STEPS do
    for _, batch in ipairs(batches) do
      losses[#losses + 1] = model:train_on_batch(batch[1], batch[2], { return_dict = true }).loss
      if #losses == STEPS then
        break
      end
    end
  end
  return losses
end

describe("a program ported from Keras:", function()
  local folder = files.temporary()

  setup(function()
    local quiet = setmetatable({ print = function() end }, { __index = _G })
    local chunk = assert(loadfile("examples/from_keras/data.lua", "t", quiet))
    if setfenv then -- Lua 5.1
      setfenv(chunk, quiet)
    end
    chunk(folder, 0.1)
  end)

  teardown(function()
    os.execute("rm -rf '" .. folder .. "'")
  end)

  it("tabular has the losses, the weights and the early end that it has in Keras", function()
    local expected = golden.tabular
    local rows = pod.data.load_csv(folder .. "/houses.csv")
    local x, y = rows[{ ":", ":-1" }], rows[{ ":", "-1:" }]
    local normalize = layers.normalization()
    normalize:adapt(x)
    local model = pod.models.sequential {
      layers.input { shape = { x.shape[2] } },
      normalize,
      layers.dense(32, { activation = "relu" }),
      layers.dense(32, { activation = "relu" }),
      layers.dense(1),
    }
    local WithinTenPercent = pod.metrics.subclass {
      name = "WithinTenPercent",
      setup = function(self)
        self.name = "within_10_percent"
        self.hits = self:add_variable "hits"
        self.rows = self:add_variable "rows"
      end,
      update_state = function(self, y_true, y_pred)
        local is_near = pod.cast(pod.less_equal(pod.abs(y_pred - y_true), 0.1 * pod.abs(y_true)), "float32")
        self.hits:assign_add(pod.sum(is_near))
        self.rows:assign_add(pod.sum(pod.ones_like(is_near)))
      end,
      result = function(self)
        return self.hits / pod.maximum(self.rows, 1)
      end,
    }
    local function begin()
      model:compile { optimizer = pod.optimizers.adam(0.03), loss = "mse", metrics = { "mae", WithinTenPercent() } }
      set_weights(model)
    end
    begin()
    local batches = {}
    for i = 0, x.shape[1] - 1, 32 do
      local part = ("%d:%d"):format(i, math.min(i + 32, x.shape[1]))
      batches[#batches + 1] = { x[{ part }], y[{ part }] }
    end
    all_near(expected.losses, train(model, batches), 2e-5, "loss of step")
    weights_near(expected.weights, model, 1e-4)

    for _, weight in ipairs(model.trainable_weights) do
      weight:assign(pod.zeros(weight.shape))
    end
    begin()
    local history = model:fit(x, y, { batch_size = 32, epochs = 60, validation_split = 0.2, shuffle = false,
      verbose = 0, callbacks = {
        pod.callbacks.early_stopping { monitor = "val_loss", patience = 2, restore_best_weights = true } } })
    for name, values in pairs(expected.history) do
      all_near(values, history.history[name], 1e-4, name .. " of epoch")
    end
    weights_near(expected.restored, model, 1e-4)
    local result = model:evaluate(x, y, { verbose = 0, return_dict = true })
    for name, value in pairs(expected.evaluated) do
      near(value, result[name], 1e-4, name)
    end
  end)

  it("pictures, changed by fixed amounts, has the losses and the weights that it has in Keras", function()
    local expected = golden.pictures
    local train_set, test_set = pod.data.image_dataset_from_directory(folder .. "/pictures", {
      image_size = { 28, 36 }, batch_size = 16, validation_split = 0.25, subset = "both", shuffle = false,
    })
    local inputs = layers.input { 28, 36, 3 }
    local x = layers.random_rotation { 0.05, 0.05 }(inputs)
    x = layers.random_zoom { 0.1, 0.1 }(x)
    x = layers.random_translation({ 0.1, 0.1 }, { -0.05, -0.05 })(x)
    x = layers.rescaling(1 / 255)(x)
    for _, filters in ipairs { 8, 16 } do
      x = layers.conv2d(filters, 3, { padding = "same", activation = "relu" })(x)
      x = layers.batch_normalization()(x)
      x = layers.max_pooling2d()(x)
    end
    x = layers.flatten()(x)
    x = layers.dense(16, { activation = "relu" })(x)
    local model = pod.models.functional { inputs = inputs, outputs = layers.dense(3, { activation = "softmax" })(x) }
    model:compile { optimizer = "adam", loss = "sparse_categorical_crossentropy", metrics = { "accuracy" } }
    set_weights(model)
    local batches, pixels = {}, {}
    for images, labels in train_set:iter() do
      batches[#batches + 1] = { images, labels }
      pixels[#pixels + 1] = images:mean():item()
    end
    assert.equal(expected.batches, #batches)
    all_near(expected.pixels, pixels, 1e-5, "mean of the pixels of batch")
    local order = {}
    for i = 0, #batches - 1 do
      order[#order + 1] = batches[1 + i * 4 % #batches]
    end
    all_near(expected.losses, train(model, order), 2e-4, "loss of step")
    weights_near(expected.weights, model, 2e-3)
    local result = model:evaluate(test_set, { verbose = 0, return_dict = true })
    for name, value in pairs(expected.evaluated) do
      near(value, result[name], 5e-3, name)
    end
  end)

  it("reviews, in a loop of its own, has the losses and the weights that it has in Keras", function()
    local expected = golden.reviews
    local texts, labels = {}, {}
    for row, label in pod.data.csv(folder .. "/reviews.csv", { label = "label" }):iter() do
      texts[#texts + 1], labels[#labels + 1] = row.text, { label:item() }
    end
    local vectorize = layers.text_vectorization { max_tokens = 200, output_sequence_length = 24 }
    vectorize:adapt(texts)
    assert.same(expected.vocabulary, vectorize:get_vocabulary())
    local all_x, all_y = vectorize(texts), pod.tensor(labels)
    local model = pod.models.sequential {
      layers.input { shape = { 24 }, dtype = "int64" },
      layers.embedding(200, 16, { mask_zero = true }),
      layers.gru(24),
      layers.dense(1),
    }
    set_weights(model)
    local optimizer = pod.optimizers.adam(5e-3)
    local loss_fn = pod.losses.binary_crossentropy { from_logits = true }
    local accuracy = pod.metrics.binary_accuracy { threshold = 0 }
    local train_step = pod.func(function(x, y)
      local weights = model.trainable_weights
      local tape, loss, logits = pod.tape(function()
        local logits = model(x, { training = true })
        return loss_fn(y, logits), logits
      end)
      optimizer:apply(tape:gradient(loss, weights), weights)
      accuracy:update_state(y, logits)
      return loss
    end)
    local losses = {}
    for step = 0, STEPS - 1 do
      local at = step * 32 % (#texts - 32)
      local part = ("%d:%d"):format(at, at + 32)
      losses[#losses + 1] = train_step(all_x[{ part }], all_y[{ part }]):item()
    end
    all_near(expected.losses, losses, 2e-5, "loss of step")
    weights_near(expected.weights, model, 1e-4)
    near(expected.accuracy, accuracy:result():item(), 1e-6, "accuracy")
  end)
end)
