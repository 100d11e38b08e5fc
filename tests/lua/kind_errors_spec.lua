-- Names that are nearly right: the message names the one that was meant, at the user's line.

local pod = require "moonpod"
local errors = require "moonpod.base.errors"

local function refuses(fn, expected)
  local line = debug.getinfo(fn, "S").linedefined
  local ok, message = pcall(fn)
  assert.is_false(ok, expected)
  assert.equal(("kind_errors_spec.lua:%d: %s"):format(line, expected), message:match "[^/]*$")
end

describe("what is nearly right", function()
  local x, y = pod.ones { 4, 3 }, pod.zeros { 4, 2 }

  local function compiled()
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 }, name = "last" }) }
    model:compile { optimizer = "sgd", loss = "mse" }
    return model
  end

  it("is counted in edits, of which two letters that change places are one", function()
    for _, case in ipairs { { "relu", "rleu", 1 }, { "elu", "rleu", 2 }, { "", "abc", 3 }, { "abc", "abc", 0 },
      { "mse", "mes", 1 }, { "ab", "ba", 1 }, { "abcd", "badc", 2 }, { "dense", "dens", 1 }, { "ca", "abc", 3 } } do
      assert.equal(case[3], errors.distance(case[1], case[2]))
      assert.equal(case[3], errors.distance(case[2], case[1]))
    end
  end)

  it("is told of names of parts and of what they have", function()
    refuses(function() return pod.lossess end, "there is no pod.lossess; did you mean 'losses'?")
    refuses(function() return pod.layers.dens end, "there is no layer 'dens'; did you mean 'dense'?")
    refuses(function() return pod.distribute.mirored(2) end,
      "there is no pod.distribute.mirored; did you mean 'mirrored'?")
    assert.error_matches(function() pod.plot { 1, 2 } end, "this is a part, and no function:\n"
      .. "pod.plot: bar, .*, line,\n  log, scatter\n%?pod.plot tells what each is")
    refuses(function() return pod.losses.mes end, "there is no pod.losses.mes; did you mean 'mse'?")
    refuses(function() return pod.data.form_tensor_slices end,
      "there is no pod.data.form_tensor_slices; did you mean 'from_tensor_slices'?")
    refuses(function() return pod.optimizers.Adan end, "there is no pod.optimizers.Adan; did you mean 'adam'?")
    assert.error_matches(function() return pod.optimizers.shampoo end,
      "no pod.optimizers.shampoo; there are adadelta, ")
    assert.error_matches(function() pod.layers.relu(6) end, "layers.re_lu: argument 1 must be a table of options, "
      .. "not 6; write layers.relu { max_value = 6 }")
    assert.error_matches(function() pod.utils.to_categorical { -1, 2 } end, "labels are %-1 to 2; classes count from 0")
    refuses(function() return pod.utils.image_dataset_from_directory end, "there is no pod.utils."
      .. "image_dataset_from_directory; here it is pod.data.image_dataset_from_directory")
    refuses(function() return pod.Sequential end, "there is no pod.Sequential; here it is pod.models.sequential")
    refuses(function() return pod.layers.EarlyStopping end, "there is no layer 'EarlyStopping'; here it is "
      .. "pod.callbacks.early_stopping")
    refuses(function() return pod.optimizers.schedules.EarlyStopping end, "there is no pod.schedules.EarlyStopping; "
      .. "here it is pod.callbacks.early_stopping")
    refuses(function() return pod.array end, "there is no pod.array; here it is pod.tensor")
    local ok, message = pcall(function() return pod.callbacks.x end)
    assert.is_false(ok)
    assert.truthy(message:find("there is no callback 'x'; there are backup_and_restore, ", 1, true))
    assert.is_nil(pod.losses._hidden)
    assert.is_nil(pod._hidden)
  end)

  it("is told of words: the near one, and of near ones that which is written like it", function()
    refuses(function() pod.layers.dense(2, { activation = "rleu" }) end,
      "layers.dense: there is no activation 'rleu'; did you mean 'relu'?")
    refuses(function() compiled():compile { optimizer = "sdg" } end,
      "compile: there is no optimizer 'sdg'; did you mean 'sgd'?")
    refuses(function() compiled():compile { optimizr = "sgd" } end,
      "compile: unknown option 'optimizr'; did you mean 'optimizer'?")
    refuses(function() pod.optimizers.adam { 0.01, beta_1 = 0.5 } end,
      "optimizers.adam: 0.01 has no name among the options; without one it stands before their table: (0.01, { ... })")
    local model = compiled()
    refuses(function() model:get_layer "lats" end,
      ("get_layer: model '%s' has no layer 'lats'; did you mean 'last'?"):format(model.name))
  end)

  it("is told of tensors and datasets", function()
    refuses(function() return x:summ() end, "tensors have no 'summ'; did you mean 'sum'?")
    refuses(function() return x.shap end, "tensors have no 'shap'; did you mean 'shape'?")
    refuses(function() return pod.data.range(3):mapp(print) end, "datasets have no 'mapp'; did you mean 'map'?")
  end)

  it("names the colon where a method is called with a dot", function()
    local model = compiled()
    refuses(function() model.fit(x, y) end, "model:fit is a method of a model: write object:fit(...) with a colon; "
      .. "it was given a tensor of shape (4, 3) in the object's place")
  end)

  it("takes the data by name, as the options are", function()
    local model = compiled()
    assert.is_true(model:evaluate { x = x, y = y, verbose = 0 } > 0)
    assert.equal(2, #model:fit({ x = x, y = y, epochs = 2, verbose = 0 }).epoch)
    local data = pod.data.from_tensor_slices({ x, y }):batch(2)
    assert.equal(1, #model:fit({ x = data, verbose = 0 }).epoch)
    assert.equal("(4, 2)", tostring(model:predict({ x = x, verbose = 0 }).shape))
  end)

  it("takes a table of tensors for inputs where a model has such names", function()
    local a, b = pod.layers.input { shape = { 3 }, name = "x" }, pod.layers.input { shape = { 3 }, name = "z" }
    local model = pod.models.functional { inputs = { x = a, z = b }, outputs = pod.layers.add() { a, b } }
    assert.equal(2, model:predict({ x = x, z = x }, { verbose = 0 }):totable()[1][1])
  end)

  it("is told in the words of what was called, with what to do", function()
    local a = pod.ones { 8, 4 }
    for expected, fn in pairs {
      ["matmul: the last axis of (8, 4) has 4, but the last axis but one of (8, 4) has 8"] = function()
        local _ = pod.matmul(a, a)
      end,
      ["zeros: the size of axis 0 is -1; sizes are whole numbers from 0"] = function()
        local _ = pod.zeros { -1, 2 }
      end,
      ["full: the size of axis 1 is -3"] = function() local _ = pod.full({ 2, -3 }, 1) end,
      ["on axis 1 there is a row of 1 where the first is a row of 2"] = function()
        local _ = pod.tensor { { 1, 2 }, { 3 } }
      end,
      ["on axis 1 there is number where the first is a row of 2"] = function() local _ = pod.tensor { { 1, 2 }, 3 } end,
      ["all have the same number"] = function() local _ = pod.data.from_tensor_slices { a, pod.ones { 7 } } end,
      ["predict: the data is \"a\"; give a dataset or tensors"] = function() compiled():predict "a" end,
    } do
      local ok, message = pcall(fn)
      assert.is_false(ok, expected)
      assert.truthy(message:find(expected, 1, true), message)
    end
  end)
end)
