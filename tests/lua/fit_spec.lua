-- fit, evaluate, predict, train_on_batch and callbacks: what runs how often, in what order, with which numbers.

local pod = require "moonpod"
local names = require "moonpod.base.names"
local training_arguments = require "moonpod.models.training_arguments"
local bytes_of = require "tests.lua.support.bytes_of"
local warned_by = require "tests.lua.support.warned_by"

local function data(rows, features, seed)
  local x, y = {}, {}
  local state = seed or 1
  local function next_number()
    state = (state * 16807) % 2147483647
    return state / 2147483647 * 2 - 1
  end
  for i = 1, rows do
    x[i] = {}
    for j = 1, features do
      x[i][j] = next_number()
    end
    y[i] = (i * 7) % 3
  end
  return pod.tensor(x), pod.tensor(y, { dtype = "int32" })
end

local WEIGHTS = {
  { { 0.1, -0.2, 0.3 }, { 0.2, 0.1, -0.1 }, { -0.3, 0.2, 0.1 }, { 0.4, -0.1, 0.2 } },
  { 0.1, 0, -0.1 },
}

local function new_model(options, layers)
  local model = pod.models.sequential(layers or { pod.layers.input { 4 }, pod.layers.dense(3) })
  if not layers then
    model:set_weights(WEIGHTS)
  end
  local given = { optimizer = pod.optimizers.sgd(0.1),
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  for key, value in pairs(options or {}) do
    given[key] = value
  end
  model:compile(given)
  return model
end

local QUIET = { verbose = 0 }

local function quiet(options)
  options = options or {}
  options.verbose = options.verbose or 0
  return options
end

describe("steps_per_execution", function()
  it("gives the same bytes for 1, 7, 50 and auto", function()
    local x, y = data(116, 4)
    local first
    for _, steps in ipairs { 1, 7, 50, "auto" } do
      local model = new_model { steps_per_execution = steps, optimizer = pod.optimizers.adam(0.01) }
      model:fit(x, y, quiet { epochs = 3, batch_size = 4, shuffle = false })
      first = first or bytes_of(model)
      assert.equal(first, bytes_of(model))
    end
  end)

  it("calls the end hook with the number of the last batch", function()
    local x, y = data(58 * 2, 4)
    local begins, ends, counts = {}, {}, {}
    local model = new_model { steps_per_execution = 10 }
    model:fit(x, y, quiet { batch_size = 2, callbacks = { {
      on_train_batch_begin = function(_, batch) begins[#begins + 1] = batch end,
      on_train_batch_end = function(_, batch, logs)
        ends[#ends + 1] = batch
        counts[#counts + 1] = logs.batches
      end,
    } } })
    assert.same({ 0, 10, 20, 30, 40, 50 }, begins)
    assert.same({ 9, 19, 29, 39, 49, 57 }, ends)
    assert.same({ 10, 10, 10, 10, 10, 8 }, counts)
  end)

  it("tells what auto came to", function()
    local x, y = data(64, 4)
    local auto, five = new_model { steps_per_execution = "auto" }, new_model { steps_per_execution = 5 }
    local chosen = auto:fit(x, y, quiet { epochs = 8, batch_size = 2 }).steps_per_execution
    assert.equal(0, math.log(chosen) / math.log(2) % 1) -- it doubles
    assert.equal(5, five:fit(x, y, quiet {}).steps_per_execution)
  end)

  it("has the alias steps_per_exec and refuses nonsense", function()
    assert.equal(5, new_model { steps_per_exec = 5 }.steps_per_execution)
    assert.error_matches(function() new_model { steps_per_execution = 0 } end, "steps_per_execution")
    assert.error_matches(function() new_model { steps_per_execution = 1.5 } end, "whole number")
  end)
end)

describe("fit", function()
  it("trains by the optimizer that was put in another one's place", function()
    local x, y = data(12, 4)
    local model = new_model { optimizer = pod.optimizers.sgd(0) }
    model:fit(x, y, { verbose = 0, shuffle = false })
    local before = bytes_of(model)
    model.optimizer = pod.optimizers.sgd(0.5)
    model:fit(x, y, { verbose = 0, shuffle = false })
    local other = new_model { optimizer = pod.optimizers.sgd(0.5) }
    other:fit(x, y, { verbose = 0, shuffle = false })
    assert.not_equal(before, bytes_of(model))
    assert.equal(bytes_of(other), bytes_of(model))
  end)

  it("tells seconds and samples of each epoch", function()
    for _, replicas in ipairs { 1, 3 } do
      local x, y = data(103, 4)
      local model = pod.distribute.mirrored(replicas):scope(function() return new_model() end)
      local history = model:fit(x, y, quiet { epochs = 3, batch_size = 10, validation_split = 0.1 })
      assert.same({ 92, 184, 276 }, { history.samples[1], history.samples[2], history.samples[3] })
      assert.is_true(0 < history.seconds[1] and history.seconds[1] < history.seconds[3])
      assert.is_nil(history.history.seconds)
    end
  end)

  it("numbers epochs from initial_epoch and keeps a list of each", function()
    local x, y = data(12, 4)
    local model = new_model { metrics = { "accuracy" } }
    local seen = {}
    local history = model:fit(x, y, quiet { epochs = 5, initial_epoch = 2, callbacks = { {
      on_epoch_begin = function(_, epoch) seen[#seen + 1] = epoch end } } })
    assert.same({ 2, 3, 4 }, seen)
    assert.same({ 2, 3, 4 }, history.epoch)
    assert.equal(3, #history.history.loss)
    assert.equal(3, #history.history.accuracy)
    assert.equal(5, history.params.epochs)
    assert.equal(1, history.params.steps)
    assert.equal(history, model.history)
  end)

  it("calls hooks in Keras' order", function()
    local x, y = data(4, 4)
    local order = {}
    local callback = {}
    for _, phase in ipairs { "train", "test" } do
      for _, hook in ipairs { "on_" .. phase .. "_begin", "on_" .. phase .. "_end", "on_" .. phase .. "_batch_begin",
        "on_" .. phase .. "_batch_end" } do
        callback[hook] = function() order[#order + 1] = hook end
      end
    end
    callback.on_epoch_begin = function() order[#order + 1] = "on_epoch_begin" end
    callback.on_epoch_end = function(_, _, logs)
      order[#order + 1] = "on_epoch_end " .. (logs.val_loss and "with val_loss" or "")
    end
    new_model():fit(x, y, quiet { batch_size = 2, validation_data = { x, y }, callbacks = { callback } })
    assert.same({ "on_train_begin", "on_epoch_begin", "on_train_batch_begin", "on_train_batch_end",
      "on_train_batch_begin", "on_train_batch_end", "on_test_begin", "on_test_batch_begin", "on_test_batch_end",
      "on_test_batch_begin", "on_test_batch_end", "on_test_end", "on_epoch_end with val_loss", "on_train_end" }, order)
  end)

  it("goes on in the data over epochs with steps_per_epoch", function()
    local seen = {}
    local model = new_model()
    model.train_step = function(_, batch)
      return { loss = pod.sum(batch[1]) }
    end
    local rows = pod.data.from_tensor_slices({ pod.tensor { 1, 2, 3, 4, 5, 6 }, pod.tensor { 0, 0, 0, 0, 0, 0 } })
    local history = model:fit(rows:batch(1):repeat_(), quiet { epochs = 3, steps_per_epoch = 4, callbacks = { {
      on_train_batch_end = function(_, _, logs) seen[#seen + 1] = logs.loss end } } })
    assert.same({ 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6 }, seen)
    assert.equal(3, #history.epoch)
  end)

  it("begins the data again where an epoch took the last batch", function()
    local x, y = data(8, 4)
    local function losses(options)
      options.shuffle, options.batch_size = false, 4
      return new_model():fit(x, y, quiet(options)).history.loss
    end
    local each = losses { epochs = 4, steps_per_epoch = 1 }
    assert.equal(4, #each)
    assert.equal(2, #losses { epochs = 2, steps_per_epoch = 2 })
    assert.is_true(math.abs((each[3] + each[4]) / 2 - losses({ epochs = 2 })[2]) < 1e-6)
  end)

  it("warns when the data runs out", function()
    local x, y = data(8, 4)
    local dataset = pod.data.from_tensor_slices({ x, y }):batch(4)
    local model = new_model()
    local history
    local list = warned_by(function()
      history = model:fit(dataset, quiet { epochs = 2, steps_per_epoch = 5 })
    end)
    assert.equal(1, #list)
    assert.truthy(list[1]:find("Your input ran out of data; interrupting training", 1, true))
    assert.equal(1, #history.epoch)
  end)

  it("refuses data without end and without steps_per_epoch, and data without batches", function()
    local x, y = data(8, 4)
    assert.error_matches(function()
      new_model():fit(pod.data.from_tensor_slices({ x, y }):batch(4):repeat_(), quiet())
    end, "steps_per_epoch")
    assert.error_matches(function()
      new_model():fit(pod.data.from_tensor_slices({ x, y }):batch(16, { drop_remainder = true }), quiet())
    end, "no batch")
  end)

  it("stops with stop_training", function()
    local x, y = data(8, 4)
    local model = new_model()
    local history = model:fit(x, y, quiet { epochs = 9, callbacks = { {
      on_epoch_end = function(self, epoch) self.model.stop_training = epoch == 2 end } } })
    assert.same({ 0, 1, 2 }, history.epoch)
  end)

  it("validates every so many epochs", function()
    local x, y = data(8, 4)
    local history = new_model():fit(x, y, quiet { epochs = 5, validation_data = { x, y }, validation_freq = 2 })
    assert.equal(2, #history.history.val_loss)
    history = new_model():fit(x, y, quiet { epochs = 5, validation_data = { x, y }, validation_freq = { 1, 5 } })
    assert.equal(2, #history.history.val_loss)
  end)

  it("is the same for tensors and datasets, plain or distributed", function()
    local x, y = data(24, 4)
    local one = new_model()
    one:fit(x, y, quiet { batch_size = 7, shuffle = false, epochs = 2 })
    local dataset = pod.data.from_tensor_slices({ x, y }):batch(7)
    local strategy = pod.distribute.mirrored(3)
    local function in_strategy(...)
      local model = strategy:scope(function() return new_model() end)
      model:fit(...)
      return model
    end
    assert.equal(bytes_of(one), bytes_of(in_strategy(x, y, quiet { batch_size = 7, shuffle = false, epochs = 2 })))
    assert.equal(bytes_of(one), bytes_of(in_strategy(dataset, quiet { epochs = 2 })))
    local distributed
    warned_by(function() distributed = strategy:distribute_dataset(dataset) end)
    assert.equal(bytes_of(one), bytes_of(in_strategy(distributed, quiet { epochs = 2 })))
  end)

  it("shuffles tensors, each epoch anew, and not where told", function()
    local x, y = data(32, 4)
    local function order_of(options)
      local model = new_model()
      local seen = {}
      model.train_step = function(_, batch) return { loss = pod.sum(batch[1]) } end
      options.callbacks = { { on_train_batch_end = function(_, _, logs) seen[#seen + 1] = logs.loss end } }
      model:fit(x, y, quiet(options))
      return seen
    end
    local plain = order_of { batch_size = 1, shuffle = false }
    for i = 1, 32 do
      assert.is_true(math.abs(plain[i] - x[i]:sum():item()) < 1e-5)
    end
    local mixed = order_of { batch_size = 1, epochs = 2 }
    local same = true
    for i = 1, 32 do
      same = same and mixed[i] == mixed[i + 32]
    end
    assert.is_false(same)
    table.sort(plain)
    local first = {}
    for i = 1, 32 do
      first[i] = mixed[i]
    end
    table.sort(first)
    for i = 1, 32 do
      assert.is_true(math.abs(plain[i] - first[i]) < 1e-5)
    end
  end)

  it("trains eagerly as it does compiled", function()
    local x, y = data(10, 4)
    local a, b = new_model(), new_model { run_eagerly = true }
    a:fit(x, y, quiet { batch_size = 4, shuffle = false })
    b:fit(x, y, quiet { batch_size = 4, shuffle = false })
    for i, weight in ipairs(a:get_weights()) do
      assert.is_true(pod.allclose(weight, b:get_weights()[i], { atol = 1e-6 }))
    end
  end)
end)

describe("metrics of several numbers", function()
  it("are in the history of each epoch", function()
    pod.random.set_seed(1) -- a step more may move a value over the threshold with some weights
    local model = pod.models.sequential { pod.layers.input { 2 }, pod.layers.dense(3) }
    model:compile { optimizer = "sgd", loss = "mse",
      metrics = { pod.metrics.f1_score { threshold = 0.5, name = "f1" } } }
    local x, y = pod.ones { 4, 2 }, pod.ones { 4, 3 }
    local history = model:fit(x, y, { epochs = 2, verbose = 0 }).history
    assert.equal(2, #history.f1)
    assert.equal(3, #history.f1[1])
    assert.same(history.f1[2], model:fit(x, y, { epochs = 1, verbose = 0, validation_data = { x, y } }).history.f1[1])
  end)
end)

describe("what fit writes", function()
  local function written(fn)
    local old, parts = io.write, {}
    io.write = function(text) -- luacheck: ignore
      parts[#parts + 1] = text
      return io.stdout
    end
    local ok, message = pcall(fn)
    io.write = old -- luacheck: ignore
    assert(ok, message)
    return (table.concat(parts):gsub("%d+[mu]?s/step", "T/step"):gsub("%d+s", "Ts"):gsub("%d%.%d%d%d%d", "N"))
  end

  it("is one line an epoch with verbose = 2", function()
    local x, y = data(6, 4)
    assert.equal("Epoch 1/2\n3/3 - Ts - T/step - accuracy: N - loss: N - val_accuracy: N - val_loss: N\n"
      .. "Epoch 2/2\n3/3 - Ts - T/step - accuracy: N - loss: N - val_accuracy: N - val_loss: N\n",
      written(function()
        new_model({ metrics = { "accuracy" } }):fit(x, y, { epochs = 2, batch_size = 2, verbose = 2,
          validation_data = { x, y } })
      end))
  end)

  it("is one line an epoch in the background, whatever a bar would be", function()
    local x, y = data(6, 4)
    for _, verbose in ipairs { 1, 2 } do
      local text = written(function()
        new_model():fit(x, y, { epochs = 2, batch_size = 2, verbose = verbose, background = "stepped" }):wait()
      end)
      assert.equal("Epoch 1/2: 3/3 - Ts - T/step - loss: N\nEpoch 2/2: 3/3 - Ts - T/step - loss: N\n", text)
    end
  end)

  it("has no line for a single epoch, and nothing with verbose = 0", function()
    local x, y = data(6, 4)
    assert.equal("1/1 - Ts - T/step - loss: N\n", written(function() new_model():fit(x, y, { verbose = 2 }) end))
    assert.equal("", written(function() new_model():fit(x, y, { verbose = 0 }) end))
  end)

  it("learns the number of steps in the first epoch", function()
    local text = written(function()
      local bar = pod.callbacks.progress(2)
      bar:set_params { epochs = 2 }
      for epoch = 0, 1 do
        bar:on_epoch_begin(epoch)
        bar:on_epoch_end(epoch, { loss = 0.5 }, 3)
      end
    end)
    assert.equal("Epoch 1/2\n3/3 - Ts - T/step - loss: N\nEpoch 2/2\n3/3 - Ts - T/step - loss: N\n", text)
  end)
end)

describe("a step of one's own", function()
  it("finds the loss and the metrics of compile", function()
    local class = pod.models.subclass { name = "Finds",
      setup = function(self)
        self.dense = pod.layers.dense(1)
      end,
      call = function(self, x)
        return self.dense(x)
      end,
      train_step = function(self, batch)
        local x, y, results, prediction = batch[1], batch[2], {}, nil
        local tape, loss = pod.tape(function()
          prediction = self(x)
          return self:compute_loss(x, y, prediction)
        end)
        local weights = self:get_trainable_weights()
        self.optimizer:apply(tape:gradient(loss, weights), weights)
        for _, metric in ipairs(self.metrics) do
          if metric.name == "loss" then
            self:track_loss(metric, self.loss(y, prediction))
          else
            metric:update_state(y, prediction)
          end
          results[metric.name] = metric:result()
        end
        return results
      end }
    local x, y = data(8, 4)
    y = pod.cast(y, "float32"):reshape { 8, 1 }
    local histories = {}
    for i, is_own in ipairs { true, false } do
      pod.random.set_seed(3)
      local model = class()
      model.train_step = not is_own and require("moonpod.models.step").train_step or nil
      assert.is_nil(model.loss)
      model:compile { optimizer = "sgd", loss = "mse", metrics = { "mae" } }
      histories[i] = model:fit(x, y, { epochs = 2, batch_size = 4, shuffle = false, verbose = 0 }).history
      assert.same({ "loss", "mae" }, { model.metrics[1].name, model.metrics[2].name })
    end
    assert.same(histories[2], histories[1])
  end)
end)

describe("evaluate and predict", function()
  it("count the rows of an uneven last batch", function()
    local x, y = data(10, 4)
    local model = new_model { metrics = { "accuracy" } }
    local whole = model:evaluate(x, y, quiet { batch_size = 10, return_dict = true })
    for _, size in ipairs { 1, 3, 4, 7 } do
      local parts = model:evaluate(x, y, quiet { batch_size = size, return_dict = true })
      assert.is_true(math.abs(parts.loss - whole.loss) < 1e-6)
      assert.is_true(math.abs(parts.accuracy - whole.accuracy) < 1e-6)
    end
    local list = model:evaluate(x, y, QUIET)
    assert.is_true(math.abs(list[1] - whole.loss) < 1e-6 and math.abs(list[2] - whole.accuracy) < 1e-6)
  end)

  it("predict in the order of the rows, on replicas too", function()
    local x = data(11, 4)
    local model = new_model()
    local want = model(x)
    assert.is_true(pod.allclose(want, model:predict(x, { batch_size = 4 }), { atol = 1e-6 }))
    local strategy = pod.distribute.mirrored(4)
    local many = strategy:scope(function() return new_model() end)
    local got = many:predict(x, { batch_size = 5 })
    assert.equal("(11, 3)", tostring(got.shape))
    assert.is_true(pod.allclose(want, got, { atol = 1e-6 }))
    assert.is_true(pod.allclose(want, model:predict_on_batch(x), { atol = 1e-6 }))
  end)

  it("give numbers for one batch", function()
    local x, y = data(6, 4)
    local model = new_model { metrics = { "accuracy" } }
    local before = model:test_on_batch(x, y, { return_dict = true })
    local trained = model:train_on_batch(x, y, { return_dict = true })
    assert.is_true(math.abs(before.loss - trained.loss) < 1e-6)
    assert.is_true(model:test_on_batch(x, y)[1] < before.loss)
    assert.equal(1, model.optimizer.iterations:value():item())
  end)
end)

describe("weights of classes and samples", function()
  it("are the same thing", function()
    local x, y = data(12, 4)
    local by_class, by_sample = new_model(), new_model()
    local weights = {}
    for i, class in ipairs(y:totable()) do
      weights[i] = ({ [0] = 1, 3, 0.5 })[class]
    end
    by_class:fit(x, y, quiet { class_weight = { [0] = 1, 3, 0.5 }, shuffle = false })
    by_sample:fit(x, y, quiet { sample_weight = pod.tensor(weights), shuffle = false })
    for i, weight in ipairs(by_class:get_weights()) do
      assert.is_true(pod.allclose(weight, by_sample:get_weights()[i], { atol = 1e-6 }))
    end
  end)
end)

describe("a mask", function()
  it("has no part in a loss of one number a batch", function()
    local x, y = pod.tensor { { { 1 }, { 2 } }, { { 3 }, { 0 } } }, pod.tensor { { { 1 }, { 0 } }, { { 1 }, { 1 } } }
    local model = pod.models.sequential { pod.layers.masking(), pod.layers.dense(1, { activation = "sigmoid" }) }
    for _, name in ipairs { "dice", "tversky" } do
      model:compile { loss = name, optimizer = "sgd" }
      model:fit(x, y, { verbose = 0 })
      local expected = pod.losses.functions[name](y, model:predict(x)):item()
      assert.near(expected, model:evaluate(x, y, { verbose = 0 }), 1e-6)
    end
  end)
end)

describe("batch normalization on replicas", function()
  local function bn_model(options)
    local model = pod.models.sequential { pod.layers.input { 2 }, pod.layers.batch_normalization(options) }
    model:compile { optimizer = pod.optimizers.sgd(0.1), loss = "mse" }
    return model
  end
  local rows = { { 1, 2 }, { 3, -1 }, { 0, 5 }, { 2, 2 }, { -4, 1 }, { 6, 0 }, { 1, 1 } }

  it("takes statistics of each shard, and the mean of them", function()
    local strategy = pod.distribute.mirrored(3)
    local model = strategy:scope(function() return bn_model { momentum = 0.5 } end)
    model:train_on_batch(pod.tensor(rows), pod.zeros { 7, 2 })
    -- 7 rows on 3 replicas: 3, 3 and 1.
    local shards = { { 1, 3 }, { 4, 6 }, { 7, 7 } }
    local want_mean, want_variance = { 0, 0 }, { 0, 0 }
    for _, shard in ipairs(shards) do
      local count = shard[2] - shard[1] + 1
      for column = 1, 2 do
        local sum, square = 0, 0
        for i = shard[1], shard[2] do
          sum = sum + rows[i][column]
        end
        for i = shard[1], shard[2] do
          square = square + (rows[i][column] - sum / count) ^ 2
        end
        want_mean[column] = want_mean[column] + 0.5 * sum / count / 3
        want_variance[column] = want_variance[column] + (0.5 + 0.5 * square / count) / 3
      end
    end
    local weights = model:get_weights()
    assert.is_true(pod.allclose(weights[3], pod.tensor(want_mean), { atol = 1e-5 }), tostring(weights[3]))
    assert.is_true(pod.allclose(weights[4], pod.tensor(want_variance), { atol = 1e-5 }), tostring(weights[4]))
  end)

  it("leaves an empty shard out", function()
    local strategy = pod.distribute.mirrored(4)
    local model = strategy:scope(function() return bn_model { momentum = 0.5 } end)
    model:train_on_batch(pod.tensor { { 2, 4 }, { 6, 8 } }, pod.zeros { 2, 2 })
    assert.is_true(pod.allclose(model:get_weights()[3], pod.tensor { 2, 3 }, { atol = 1e-5 }))
    assert.is_true(pod.allclose(model:get_weights()[4], pod.tensor { 0.5, 0.5 }, { atol = 1e-5 }))
  end)

  it("synchronized is that of the joined batch", function()
    local one = bn_model { momentum = 0.5 }
    local strategy = pod.distribute.mirrored(4)
    local four = strategy:scope(function() return bn_model { momentum = 0.5, synchronized = true } end)
    for _ = 1, 3 do
      one:train_on_batch(pod.tensor(rows), pod.zeros { 7, 2 })
      four:train_on_batch(pod.tensor(rows), pod.zeros { 7, 2 })
    end
    for i, weight in ipairs(one:get_weights()) do
      assert.is_true(pod.allclose(weight, four:get_weights()[i], { atol = 1e-5 }), tostring(four:get_weights()[i]))
    end
  end)
end)

describe("a regularizer of a normalization's gain", function()
  it("counts in full where a batch leaves replicas without rows", function()
    local x, y = data(6, 4)
    local function trained(replicas, make)
      pod.random.set_seed(2)
      local model = pod.distribute.mirrored(replicas):scope(function()
        local made = pod.models.sequential { pod.layers.input { 4 }, pod.layers.reshape { 1, 4 }, make(),
          pod.layers.flatten(), pod.layers.dense(3) }
        made:compile { optimizer = pod.optimizers.sgd { learning_rate = 0.5 },
          loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
        return made
      end)
      model:fit(x, y, quiet { batch_size = 4, epochs = 2, shuffle = false })
      return model:get_weights()
    end
    local makers = {
      function() return pod.layers.group_normalization { groups = 2, gamma_regularizer = "l1_l2" } end,
      function() return pod.layers.layer_normalization { axis = { 1, 2 }, gamma_regularizer = "l1_l2" } end,
      function() return pod.layers.batch_normalization { synchronized = true, gamma_regularizer = "l1_l2" } end,
    }
    for _, make in ipairs(makers) do
      local expected = trained(1, make)
      for _, replicas in ipairs { 2, 3, 4 } do
        for i, weight in ipairs(trained(replicas, make)) do
          assert.is_true(pod.allclose(expected[i], weight, { rtol = 1e-5, atol = 1e-6 }))
        end
      end
    end
  end)
end)

describe("models of one's own", function()
  it("have layers, a call and steps of their own", function()
    local calls = { train = 0, test = 0 }
    local Net = pod.models.subclass {
      name = "Net",
      setup = function(self, units)
        self.hidden = pod.layers.dense(units, { activation = "relu" })
        self.out = pod.layers.dense(3)
      end,
      call = function(self, x, options)
        assert(options.training ~= nil)
        return self.out(self.hidden(x))
      end,
      train_step = function(self, batch)
        calls.train = calls.train + 1
        local x, y = batch[1], batch[2]
        local tape, loss = pod.tape(function()
          return self:compute_loss(x, y, self(x, { training = true }))
        end)
        local weights = self:get_trainable_weights()
        self.optimizer:apply(tape:gradient(loss, weights), weights)
        return { loss = loss, twice = loss * 2 }
      end,
      test_step = function(self, batch)
        calls.test = calls.test + 1
        return { loss = self:compute_loss(batch[1], batch[2], self(batch[1], { training = false })) }
      end,
    }
    local x, y = data(12, 4)
    local model = Net(5)
    model:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    local history = model:fit(x, y, quiet { epochs = 3 })
    assert.equal(1, calls.train)
    assert.equal(4, #model:get_weights())
    assert.is_true(math.abs(history.history.twice[1] - 2 * history.history.loss[1]) < 1e-5)
    assert.is_true(history.history.loss[3] < history.history.loss[1])
    assert.equal(2, pod.argmin(history.history.loss):item()) -- as np.argmin(history.history["loss"])
    assert.is_number(model:evaluate(x, y, QUIET))
    assert.equal(1, calls.test)
    assert.equal("net", model.name:match "^net")
  end)

  it("have layers with weights made in build", function()
    local Scale = pod.layers.subclass {
      name = "Scale",
      setup = function(self, start) self.start = start end,
      build = function(self, shape)
        self.factor = self:add_weight { name = "factor", shape = { shape[#shape] },
          initializer = pod.initializers.constant(self.start) }
      end,
      call = function(self, x) return x * self.factor end,
    }
    local layer = Scale(2)
    assert.same({ { 2, 4 } }, layer(pod.tensor { { 1, 2 } }):totable())
    local model = pod.models.sequential { pod.layers.input { 2 }, Scale(1), pod.layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse" }
    model:fit(pod.ones { 4, 2 }, pod.zeros { 4, 1 }, QUIET)
    assert.equal(3, #model:get_weights())
    assert.not_same({ 1, 1 }, model:get_weights()[1]:totable())
  end)

  it("may add losses", function()
    local Penalty = pod.layers.subclass {
      call = function(self, x)
        self:add_loss(pod.mean(pod.square(x)))
        return x
      end,
    }
    local model = pod.models.sequential { pod.layers.input { 2 }, Penalty() }
    model:compile { optimizer = "sgd", loss = "mse" }
    local loss = model:test_on_batch(pod.tensor { { 1, 2 }, { 3, 4 } }, pod.tensor { { 1, 2 }, { 3, 4 } })
    assert.is_true(math.abs(loss - 7.5) < 1e-6)
  end)
end)

describe("weights", function()
  it("come in Keras' order and go back", function()
    names.reset()
    local model = pod.models.sequential { pod.layers.input { 4 }, pod.layers.dense(3),
      pod.layers.batch_normalization(), pod.layers.dense(2, { use_bias = false }) }
    local found = {}
    for i, weight in ipairs(model.weights) do
      found[i] = weight.name
    end
    assert.same({ "dense/kernel", "dense/bias", "batch_normalization/gamma", "batch_normalization/beta",
      "batch_normalization/moving_mean", "batch_normalization/moving_variance", "dense_1/kernel" }, found)
    assert.equal(5, #model.trainable_weights)
    assert.equal(2, #model.non_trainable_weights)
    assert.equal(4 * 3 + 3 + 4 * 3 + 6, model:count_params())
    local values = model:get_weights()
    local other = pod.models.sequential { pod.layers.input { 4 }, pod.layers.dense(3),
      pod.layers.batch_normalization(), pod.layers.dense(2, { use_bias = false }) }
    other:set_weights(values)
    for i, value in ipairs(other:get_weights()) do
      assert.same(values[i]:totable(), value:totable())
    end
    assert.error_matches(function() model:set_weights { 1, 2 } end, "7 weights")
    assert.error_matches(function()
      values[1] = pod.zeros { 3, 3 }
      model:set_weights(values)
    end, "shape")
  end)
end)

describe("the data of fit", function()
  it("has rows", function()
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local x, y = pod.zeros { 0, 3 }, pod.zeros { 0, 2 }
    for _, call in ipairs { function() model:fit(x, y, { verbose = 0 }) end,
      function() model:fit(x, y, { verbose = 0, validation_split = 0.5 }) end,
      function() model:evaluate(x, y, { verbose = 0 }) end, function() model:predict(x) end } do
      assert.error_matches(call, "the data has no rows: there is a tensor of shape %(0, 3%)")
    end
  end)

  local function dataset(features)
    return pod.data.from_tensor_slices { pod.ones { 8, features }, pod.zeros { 8 } }
  end

  it("says that batches are missing", function()
    local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 4 } }) }
    model:compile { optimizer = "sgd", loss = "mse" }
    assert.error_matches(function() model:fit(dataset(4), { verbose = 0 }) end, "make batches of the dataset")
    assert.error_matches(function() model:predict(pod.ones { 4 }) end, "got %(4,%); the batch is missing")
    assert.error_matches(function() model:predict(pod.ones { 2, 5 }) end, "got %(2, 5%)$")
    local input = pod.layers.input { 2, 4 }
    local other = pod.models.functional { inputs = input, outputs = pod.layers.dense(1)(input) }
    assert.error_matches(function() other(pod.ones { 2, 4 }) end, "got %(2, 4%); the batch is missing")
  end)

  it("may have no options behind it, or an empty table of them", function()
    local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 4 } }) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local _, y, options = training_arguments.read("fit", { verbose = true }, dataset(4), {})
    assert.same({ n = 2, nil, {} }, { n = 2, y, options })
    assert.error_matches(function() model:fit(dataset(4):batch(4), 3) end, "options go into a table: { epochs = 3 }")
  end)
end)

describe("names of metrics in the logs", function()
  -- Those that Keras 3.15 gives the same.
  it("are Keras' where two have one name", function()
    local a, input = pod.layers, pod.layers.input { 4 }
    local model = pod.models.functional { inputs = input,
      outputs = { p = a.dense(1, { name = "p" })(input), k = a.dense(1, { name = "k" })(input) } }
    model:compile { optimizer = "sgd", loss = { p = "mse", k = "mse" },
      metrics = { p = { "mae", pod.metrics.mae { name = "mae" } }, k = { "mae" } },
      weighted_metrics = { k = { "mae" } } }
    local rows = { p = pod.zeros { 2, 1 }, k = pod.zeros { 2, 1 } }
    local result = model:evaluate(pod.ones { 2, 4 }, rows, { verbose = 0, return_dict = true,
      sample_weight = { p = pod.ones { 2 }, k = pod.tensor { 0, 2 } } })
    local found = {}
    for name in pairs(result) do
      found[#found + 1] = name
    end
    table.sort(found)
    assert.same({ "k_loss", "k_mae", "k_weighted_mae", "loss", "p_loss", "p_mae", "p_mae_1" }, found)
  end)

  it("are of all outputs: a list that has fewer is refused, as by Keras", function()
    local input = pod.layers.input { 4 }
    local model = pod.models.functional { inputs = input,
      outputs = { pod.layers.dense(1, { name = "a" })(input), pod.layers.dense(1, { name = "b" })(input) } }
    local function evaluate(options)
      options.optimizer = "sgd"
      model:compile(options)
      return model:evaluate(pod.ones { 2, 4 }, { pod.zeros { 2, 1 }, pod.zeros { 2, 1 } }, { verbose = 0,
        return_dict = true })
    end
    assert.error_matches(function() evaluate { loss = "mse", metrics = { "mae" } } end,
      "a metric is given for 1 of 2 outputs; .* { a = ... }")
    assert.error_matches(function() evaluate { loss = { "mse" } } end, "a loss is given for 1 of 2 outputs")
    local result = evaluate { loss = "mse", metrics = { {}, { "mae" } } }
    assert.is_true(result.b_mae ~= nil and result.a_mae == nil)
  end)

  it("keep what counts weights apart from what does not", function()
    local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 1 }, kernel_initializer = "ones" }) }
    model:compile { optimizer = "sgd", loss = "mse", metrics = { "mae" }, weighted_metrics = { "mae", "mse" } }
    local result = model:evaluate(pod.tensor { { 1 }, { 3 } }, pod.zeros { 2, 1 }, { verbose = 0, return_dict = true,
      sample_weight = pod.tensor { 1, 0 } })
    assert.near(2, result.mae, 1e-6)
    assert.near(1, result.weighted_mae, 1e-6)
    assert.near(1, result.mse, 1e-6)
  end)
end)
