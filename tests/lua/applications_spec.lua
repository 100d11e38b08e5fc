-- Known models: as many weights as were published, and small ones that train, are saved and asked about devices.

local pod = require "moonpod"

local applications = pod.applications

-- All weights, and those that are trained: what Keras (ResNet-50, MobileNetV2), torchvision (ResNet-18), timm
-- (ViT-S/16) and the papers' own programs (U-Net, GPT-2, BERT) count.
local PUBLISHED = {
  mobilenet_v2 = { 3538984, 3504872 },
  resnet18 = { 11699112, 11689512 },
  resnet50 = { 25636712, 25583592 },
  unet = { 31031685, 31031685 },
  vit_small = { 22050664, 22050664 },
}
local LARGE = { gpt2_small = { 124439808, 124439808 }, bert_base = { 109482240, 109482240 } } -- half a gigabyte each

local function pictures(shape, classes)
  return pod.random.normal({ 4, shape[1], shape[2], shape[3] }, { seed = 1 }),
    pod.tensor({ 0, 1, 0, classes - 1 }, "int32")
end

-- Options of small models; the shape of what they give.
local SMALL = {
  mobilenet_v2 = { { input_shape = { 32, 32, 3 }, classes = 3 }, { 4, 3 } },
  resnet18 = { { input_shape = { 32, 32, 3 }, classes = 3 }, { 4, 3 } },
  unet = { { input_shape = { 16, 16, 1 }, classes = 3, filters = 2 }, { 4, 16, 16, 3 } },
  vit_small = { { input_shape = { 16, 16, 3 }, classes = 3, patch_size = 4, width = 16, depth = 2, heads = 2 },
    { 4, 3 } },
}

describe("the known model", function()
  for name, counts in pairs(PUBLISHED) do
    it(name .. " has the weights that were published", function()
      local model = applications[name]()
      local trained = 0
      for _, weight in ipairs(model.trainable_weights) do
        trained = trained + weight:size()
      end
      assert.same(counts, { model:count_params(), trained })
    end)
  end

  for name, counts in pairs(LARGE) do
    local test = os.getenv "MOONPOD_LONG" and it or pending
    test(name .. " has the weights that were published", function()
      assert.equal(counts[1], applications[name]():count_params())
      collectgarbage()
    end)
  end

  for name, case in pairs(SMALL) do
    it(name .. " trains, is saved, and is asked about a device", function()
      local model = applications[name](case[1])
      local x, y = pictures(case[1].input_shape, 3)
      if name == "unet" then
        y = pod.zeros({ 4, 16, 16 }, "int32") + y:reshape { 4, 1, 1 }
      end
      assert.same(case[2], { (table.unpack or unpack)(model:predict(x).shape) }) -- luacheck: ignore
      model:compile { optimizer = "adam", loss = "sparse_categorical_crossentropy" }
      local history = model:fit(x, y, { epochs = 2, verbose = 0 }).history
      assert.is_true(history.loss[2] == history.loss[2])
      local path = os.tmpname() .. ".safetensors"
      model:save(path)
      local loaded = pod.models.load(path)
      os.remove(path)
      assert.is_true(pod.allclose(loaded(x), model(x)))
      assert.is_not_nil(model:memory_report("v5e", { batch = 2 }).verdict)
    end)
  end

  it("gpt2_small learns what token follows; no place sees what comes later", function()
    local model = applications.gpt2_small { vocabulary = 12, sequence_length = 6, width = 16, depth = 1, heads = 2 }
    local x = pod.tensor({ { 1, 2, 3, 4, 5, 6 }, { 4, 5, 6, 7, 8, 9 } }, { dtype = "int32" })
    local before = model(x)
    local changed = model(pod.concatenate({ pod.slice_axis(x, 1, 0, 5), pod.zeros({ 2, 1 }, "int32") }, 1))
    assert.is_true(pod.allclose(pod.slice_axis(before, 1, 0, 5), pod.slice_axis(changed, 1, 0, 5)))
    model:compile { optimizer = pod.optimizers.adam(0.02),
      loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    local loss = model:fit(x, x + 1, { epochs = 40, verbose = 0 }).history.loss
    assert.is_true(loss[#loss] < 0.5 * loss[1])
  end)

  it("bert_base sees no padding", function()
    local model = applications.bert_base { vocabulary = 12, sequence_length = 4, width = 16, depth = 2, heads = 2 }
    local mask, segments = pod.tensor({ { 1, 1, 1, 0 } }, { dtype = "int32" }), pod.zeros({ 1, 4 }, "int32")
    local function pooled(last)
      return model { token_ids = pod.tensor({ { 3, 5, 7, last } }, { dtype = "int32" }), segment_ids = segments,
        padding_mask = mask }.pooled
    end
    assert.is_true(pod.allclose(pooled(0), pooled(9)))
  end)

  it("says what options cannot be", function()
    for _, case in ipairs {
      { "vit_small", { input_shape = { 30, 30, 3 } }, "patches of 16x16" },
      { "gpt2_small", { width = 10, heads = 3 }, "multiple of heads" },
      { "resnet50", { clases = 3 }, "did you mean 'classes'" },
      { "resnet18", { input_shape = { 32, 32 } }, "{ height, width, channels }" },
      { "unet", { filters = 0 }, "filters" },
    } do
      local ok, message = pcall(applications[case[1]], case[2])
      assert(not ok and message:find(case[3], 1, true), message)
    end
  end)
end)
