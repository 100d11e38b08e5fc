-- The callback for TensorBoard: what TensorBoard's own readers see of a run is what they see of Keras' (tests/golden/
-- keras_tensorboard.py), but for rounding and for what there is more.

local pod = require "moonpod"
local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local files = require "tests.lua.support.files"
local goldens = dofile "tests/golden/keras_tensorboard.lua"
local peers = require "tests.lua.support.peers"

local layers, models = pod.layers, pod.models

local folder = os.tmpname()
os.remove(folder)

teardown(function()
  os.execute("rm -rf " .. folder)
end)

local X = (pod.iota({ 96 }, 0, "float32") * (2 / 95) - 1):reshape { 24, 4 }
local Y = pod.greater(X:sum(1, { keepdims = true }), 0):cast "float32"

local function dense(units, name)
  return layers.dense(units, { name = name, kernel_initializer = "ones" })
end

local make = {}

function make.sequential()
  return models.sequential { name = "seq", layers.input { shape = { 4 }, name = "in" }, dense(3, "d1"), dense(1, "d2") }
end

function make.functional()
  local x = layers.input { shape = { 4 }, name = "in" }
  local inner = models.sequential { name = "inner", layers.input { shape = { 4 }, name = "inner_in" }, dense(3, "d1") }
  return models.functional { name = "fun", inputs = x, outputs = dense(1, "d2")(inner(x)) }
end

local function new_model(kind, steps)
  local model = make[kind]()
  model:compile { optimizer = pod.optimizers.sgd(0.01), loss = "mse", metrics = { "mae" }, steps_per_execution = steps }
  return model
end

local function fit(model, callbacks, options)
  local given = { batch_size = 2, epochs = 3, shuffle = false, verbose = 0, callbacks = callbacks,
    validation_data = { X:slice({ 0, 0 }, { 6, 4 }), Y:slice({ 0, 0 }, { 6, 1 }) }, validation_batch_size = 2 }
  for name, value in pairs(options or {}) do
    given[name] = value
  end
  return model:fit(X, Y, given)
end

-- Lines of tests/tools/tensorboard_reads.py: { { "scalar", "train", "epoch_loss", "0", "0x..." }, ... }.
local function rows_of(text)
  local rows = {}
  for line in text:gmatch "[^\n]+" do
    local row = {}
    for word in line:gmatch "%S+" do
      row[#row + 1] = word
    end
    rows[#rows + 1] = row
  end
  return rows
end

local function read(python, path)
  local text, code = peers.run(python, "tests/tools/tensorboard_reads.py", { path })
  assert.equal(0, code, text)
  return rows_of(text)
end

-- What Keras does not write, and what is not the same twice.
local function is_ours(row)
  local tag = row[3]
  return row[1] == "graph" or tag:find "^tpu/" or tag == "__run_graph__" or tag:find "gradient/histogram"
    or row[1] == "scalar" and tag:find "_per_second"
end

local function number(word)
  return word:find "^-?0x" and tonumber(word)
end

local function is_same(a, b)
  local x, y = number(a), number(b)
  if x and y then
    return math.abs(x - y) <= 1e-5 * math.max(math.abs(x), math.abs(y), 0.01)
  end
  return a == b
end

-- Keras 3 forgets what behind an epoch is to be written, where the last batch was none (docs/reference/differences.md).
local function is_forgotten(row)
  return row[2]:find "^fit/" ~= nil and not row[3]:find "^batch_" and row[3] ~= "keras"
end

-- Both as they are written, without what is_ours, and what skip(row) is true for.
local function compare(found, wanted, skip)
  local at = 1
  for _, row in ipairs(found) do
    if not is_ours(row) and not (skip and skip(row)) then
      local other = wanted[at] or {}
      for i = 1, math.max(#row, #other) do
        assert(row[i] and other[i] and is_same(row[i], other[i]),
          ("found:  %s\nwanted: %s"):format(table.concat(row, " "), table.concat(other, " ")))
      end
      at = at + 1
    end
  end
  assert.equal(#wanted, at - 1)
end

local function set_of(rows)
  local set = {}
  for _, row in ipairs(rows) do
    set[table.concat(row, " ")] = true
  end
  return set
end

-- All scalars below a folder's run, by tag: the values in the order of their steps.
local function scalars(run)
  local by_tag = {}
  local pipe = assert(io.popen("ls " .. folder .. "/" .. run .. "/*"))
  for path in pipe:lines() do
    local reader = core.event_reader(device.context(), path)
    for tag, step, value in function() return reader:next() end do
      if value then
        by_tag[tag] = by_tag[tag] or {}
        by_tag[tag][#by_tag[tag] + 1] = { step, value }
      end
    end
    reader:close()
  end
  pipe:close()
  return by_tag
end

describe("callbacks.tensorboard", function()
  local python, why = peers.python { "tensorboard", "PIL" }

  for name, text in pairs(goldens) do
    local kind, frequency, steps = name:match "^(%a+)_(%w+)_(%d+)$"
    it(("writes Keras' tags, steps and values: %s, update_freq = %s, %s steps an execution"):format(kind, frequency,
      steps), function()
      if not python then
        return pending(why)
      end
      local model = new_model(kind, tonumber(steps))
      fit(model, { pod.callbacks.tensorboard { log_dir = folder .. "/" .. name .. "/fit", histogram_freq = 2,
        write_images = true, write_steps_per_second = true, update_freq = tonumber(frequency) or frequency,
        gradients = { X, Y } } })
      model:evaluate(X, Y, { verbose = 0, batch_size = 4,
        callbacks = { pod.callbacks.tensorboard(folder .. "/" .. name .. "/evaluate") } })
      compare(read(python, folder .. "/" .. name), rows_of(text), frequency == "5" and is_forgotten or nil)
    end)
  end

  it("writes histograms of gradients, the waits for data, and the graph", function()
    if not python then
      return pending(why)
    end
    local model, callback = new_model("functional", 1), pod.callbacks.tensorboard { log_dir = folder .. "/more/",
      histogram_freq = 1, gradients = { X, Y } }
    fit(model, { callback }, { epochs = 2 })
    local seen = set_of(read(python, folder .. "/more"))
    assert.is_true(seen["tensors train inner/d1/kernel/gradient/histogram histograms 0 1"])
    assert.is_true(seen["tensors train tpu/input_bound scalars 0 1"])
    assert.is_true(seen["graph train inner/d1 Dense in -1x3"])
    assert.is_nil(seen["tensors train tpu/hbm_peak scalars 0 1"])
    assert.is_nil(seen["tensors train tpu/mxu_utilization scalars 0 1"])
    for _, entry in ipairs(scalars("more/train")["tpu/input_bound"]) do
      assert.is_true(entry[2] >= 0 and entry[2] <= 1)
    end
  end)
end)

describe("a callback for TensorBoard", function()
  it("changes nothing of the run", function()
    local plain, watched = new_model("sequential", 1), new_model("sequential", 1)
    fit(plain)
    fit(watched, { pod.callbacks.tensorboard { log_dir = folder .. "/watched", histogram_freq = 1, gradients = { X, Y },
      update_freq = "batch" } })
    for i, weight in ipairs(plain:get_weights()) do
      assert.equal(weight:data(), watched:get_weights()[i]:data())
    end
    assert.same(plain.history.history, watched.history.history)
  end)

  it("writes one value of all replicas, and the peak of a chip's memory", function()
    local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve "v3-8")
    local model = strategy:scope(new_model, "sequential", 2)
    fit(model, { pod.callbacks.tensorboard { log_dir = folder .. "/chip", histogram_freq = 1, gradients = { X, Y } } },
      { batch_size = 8, epochs = 2 })
    local train = scalars "chip/train"
    assert.equal(2, #train.epoch_loss)
    assert.equal(0, train.epoch_loss[1][1])
    assert.is_true(math.abs(model.history.history.loss[1] - train.epoch_loss[1][2]) < 1e-6)
    assert.equal(2, #train["tpu/hbm_peak"])
    assert.is_true(train["tpu/hbm_peak"][2][2] > 0)
  end)

  it("writes how much a chip's MXUs would work", function()
    local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve "v3-8")
    local model = strategy:scope(function()
      local made = pod.models.sequential { pod.layers.dense(256, { input_shape = { 128 } }), pod.layers.dense(256) }
      made:compile { optimizer = "sgd", loss = "mse" }
      return made
    end)
    model:fit(pod.ones { 64, 128 }, pod.ones { 64, 256 }, { verbose = 0, batch_size = 64, epochs = 2,
      callbacks = { pod.callbacks.tensorboard { log_dir = folder .. "/mxu" } } })
    local written = scalars "mxu/train"["tpu/mxu_utilization"]
    local busy = model:projection():utilization()[1].busy -- where the input is never waited for
    assert.equal(2, #written)
    for _, entry in ipairs(written) do
      assert.is_true(entry[2] > 0 and entry[2] <= busy * 1.000001)
    end
  end)

  it("closes its files, and tells what it could not write", function()
    os.execute("mkdir -p " .. folder .. "/taken; touch " .. folder .. "/taken/train")
    assert.error_matches(function()
      fit(new_model("sequential", 1), { pod.callbacks.tensorboard { log_dir = folder .. "/taken" } })
    end, "set_model of callback 1 %(tensorboard%): .*taken/train: cannot make the folder: a file has this name")
    local removed = { on_epoch_begin = function(_, epoch)
      if epoch == 1 then
        os.execute("rm -r " .. folder .. "/removed")
      end
    end }
    local callback = pod.callbacks.tensorboard { log_dir = folder .. "/removed" }
    local model = new_model("sequential", 1)
    assert.error_matches(function()
      fit(model, { removed, callback })
    end, "on_epoch_end of callback 2 %(tensorboard%): .*events cannot be read any more: the file, or its folder")
    assert.is_nil(callback.writers)
    fit(model, { callback }) -- goes on in new files
    assert.equal(3, #scalars("removed/train").epoch_loss)
  end)

  it("writes tables of embeddings for the projector", function()
    local model = models.sequential { layers.embedding(3, 2, { name = "words", input_shape = { 2 } }),
      layers.flatten(), layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local dir = folder .. "/embedded"
    model:fit(pod.zeros({ 4, 2 }, "int32"), pod.zeros { 4, 1 }, { verbose = 0,
      callbacks = { pod.callbacks.tensorboard { log_dir = dir, embeddings_freq = 1,
        embeddings_metadata = { words = "names.tsv" } } } })
    local file = assert(io.open(dir .. "/projector_config.pbtxt"))
    assert.equal('embeddings {\n  tensor_name: "words"\n  tensor_path: "words.tsv"\n  metadata_path: "names.tsv"\n}\n',
      file:read "*a")
    file:close()
    local rows = {}
    for line in io.lines(dir .. "/words.tsv") do
      local a, b = line:match "^(%S+)\t(%S+)$"
      rows[#rows + 1] = { tonumber(a), tonumber(b) }
    end
    local wanted = model:get_weights()[1]:totable()
    for i = 1, 3 do
      for j = 1, 2 do
        assert.is_true(math.abs(wanted[i][j] - rows[i][j]) < 1e-8)
      end
    end
    assert.error_matches(function()
      fit(new_model("sequential", 1), { pod.callbacks.tensorboard { log_dir = dir, embeddings_freq = 1,
        embeddings_metadata = { word = "names.tsv" } } })
    end, "embeddings_metadata has 'word', which is no Embedding layer of the model")
  end)

  it("says what is wrong with its options", function()
    for wanted, options in pairs {
      ["update_freq must be \"epoch\", \"batch\" or a whole number from 1, not 0"] = { update_freq = 0 },
      ["'profile_batch' must be { first, last }"] = { profile_batch = { 3, 2 } },
      ["did you mean 'histogram_freq'"] = { histogramm_freq = 2 },
      ["gradients must be a batch"] = { gradients = { X } },
      ["'write_graph' must be a boolean"] = { write_graph = 1 },
    } do
      local ok, message = pcall(pod.callbacks.tensorboard, options)
      assert.is_false(ok)
      assert.is_truthy(message:find(wanted, 1, true), message)
    end
  end)
end)

describe("docs/guides/tensorboard.md", function()
  it("runs, and draws what it shows", function()
    local parts = files.blocks "docs/guides/tensorboard.md"
    assert.equal(3, #parts)
    local drawn, load_text = nil, loadstring or load -- luacheck: ignore
    local text = table.concat(parts, "\n") .. "\nreturn logs"
    local shown = { require = require, os = os, print = function(whole) drawn = whole end }
    local chunk = setfenv and setfenv(assert(load_text(text)), shown) -- luacheck: ignore
      or assert(load(text, "=tensorboard.md", "t", shown)) -- luacheck: ignore
    local logs = chunk()
    os.execute("rm -rf " .. logs .. " " .. logs:gsub("%-logs$", ""))
    for line in drawn:gmatch "[^\n]+" do
      assert.is_truthy(assert(files.read "docs/guides/tensorboard.md"):find("\n" .. line .. "\n", 1, true), line)
    end
  end)
end)
