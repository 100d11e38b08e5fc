-- Layers that change pictures.

local pod = require "moonpod"
local unpack = table.unpack or unpack -- luacheck: ignore

local function pictures(n)
  return pod.iota({ n, 6, 8, 3 }, 1, "float32") * 20 + pod.iota({ n, 6, 8, 3 }, 2, "float32")
    + pod.iota({ n, 6, 8, 3 }, 0, "float32") * 0.25
end

local function make(name, ...)
  return pod.models.sequential { pod.layers.input { shape = { 6, 8, 3 } }, pod.layers[name](...) }
end

local RANDOM = {
  { "random_flip", "horizontal" },
  { "random_rotation", 0.2 },
  { "random_zoom", 0.3 },
  { "random_translation", 0.3, 0.2 },
  { "random_brightness", 0.3 },
  { "random_contrast", 0.5 },
  { "random_erasing", 1 },
}

describe("a layer that changes pictures at random", function()
  for _, case in ipairs(RANDOM) do
    it(("%s does so while training, and not in inference"):format(case[1]), function()
      local model = make(unpack(case))
      local x = pictures(16)
      assert.is_true(pod.allclose(model(x, { training = false }), x))
      assert.is_true(pod.allclose(model:predict(x, { verbose = 0 }), x))
      pod.random.set_seed(3)
      local changed = model(x, { training = true })
      assert.same({ 16, 6, 8, 3 }, { unpack(changed.shape) })
      local ways = {}
      for i = 1, 16 do
        local difference = (changed[i] - x[i]):abs():sum():item()
        ways[("%.2f"):format(difference)] = true
      end
      assert.is_not_nil(next(ways, next(ways))) -- pictures are not all changed alike
    end)

    it(("%s gives the same by the same seed, and on replicas"):format(case[1]), function()
      local function run(replicas)
        pod.random.set_seed(11)
        local strategy = replicas > 1
            and pod.distribute.tpu_strategy(pod.cluster.resolve { accelerator = "v3-8" }) or nil
        local function build()
          local model = pod.models.sequential { pod.layers.input { shape = { 6, 8, 3 } },
            pod.layers[case[1]](case[2], case[3]),
            pod.layers.flatten(), pod.layers.dense(1, { kernel_initializer = "ones" }) }
          model:compile { optimizer = pod.optimizers.sgd { learning_rate = 1e-9 }, loss = "mse" }
          return model
        end
        local model = strategy and strategy:scope(build) or build()
        local history = model:fit(pictures(16), pod.zeros { 16, 1 }, { epochs = 2, batch_size = 16, verbose = 0,
          shuffle = false })
        return history.history.loss
      end
      local one, again, many = run(1), run(1), run(8)
      assert.same(one, again)
      for i, loss in ipairs(one) do
        assert.near(1, many[i] / loss, 1e-5)
      end
      if case[1] ~= "random_flip" then -- sums of mirrored pictures are the same
        assert.is_true(one[1] ~= one[2])
      end
    end)
  end

  it("does so by hand and in functions of datasets unless told otherwise; a model with weights does not", function()
    local layer, x = pod.layers.random_translation(0.4, 0.4), pictures(16)
    local function moves(y)
      return not pod.allclose(y, x)
    end
    local function mapped(change)
      return pod.data.from_tensor_slices(x):map(change):batch(16):iterator():next()
    end
    local function within(picture)
      return layer(picture)
    end
    assert.is_true(moves(layer(x)) and moves(mapped(within)) and moves(pod.func(within)(x)))
    assert.is_false(moves(layer(x, { training = false })))
    local augment = pod.models.sequential { layer, pod.layers.rescaling(1) }
    assert.is_true(moves(augment(x)) and moves(mapped(function(picture)
      return augment(picture[{ "newaxis" }])[1]
    end)))
    local model = pod.models.sequential { layer, pod.layers.conv2d(2, 1) }
    assert.is_true(pod.allclose(model(x), model:predict(x, { verbose = 0 }), { atol = 1e-4 }))
    assert.is_false(pod.allclose(model(x), model(x, { training = true }), { atol = 1e-2 }))
  end)

  it("crops while training, and resizes in inference", function()
    local model = make("random_crop", 4, 4)
    local x = pictures(2)
    assert.is_true(pod.allclose(model(x, { training = false }), pod.image.smart_resize(x, { 4, 4 })))
    local cropped = model(x, { training = true })
    assert.same({ 2, 4, 4, 3 }, { unpack(cropped.shape) })
    local corner = cropped[1][1][1][1]:item()
    assert.near(20, cropped[1][2][1][1]:item() - corner, 1e-4)
    assert.near(1, cropped[1][1][2][1]:item() - corner, 1e-4)
  end)

  it("keeps to the range of values", function()
    local bright = make("random_brightness", { 1, 1 })(pictures(2), { training = true })
    assert.equal(255, bright:min():item())
    local dark = make("random_brightness", { -1, -1 }, { value_range = { 0, 1 } })(pictures(2), { training = true })
    assert.is_true(dark:max():item() <= 1)
  end)
end)

describe("a layer of sizes", function()
  it("crops the middle or resizes", function()
    local x = pictures(2)
    assert.is_true(pod.allclose(make("center_crop", 4, 4)(x), pod.image.center_crop(x, { 4, 4 })))
    assert.is_true(pod.allclose(make("center_crop", 9, 9)(x), pod.image.smart_resize(x, { 9, 9 })))
    assert.is_true(pod.allclose(make("resizing", 3, 5)(x), pod.image.resize(x, { 3, 5 })))
    assert.is_true(pod.allclose(make("resizing", 3, 3, { crop_to_aspect_ratio = true, interpolation = "nearest" })(x),
      pod.image.smart_resize(x, { 3, 3 }, { method = "nearest" })))
  end)

  it("tells what is wrong", function()
    assert.error_matches(function()
      pod.layers.random_flip "diagonal"
    end, 'must be one of "horizontal"')
    assert.error_matches(function()
      pod.layers.random_erasing { scale = 3 }
    end, "must be { low, high }")
    assert.error_matches(function()
      pod.layers.resizing(3, 3)(pod.zeros { 4, 4 })
    end, "wants pictures")
  end)
end)
