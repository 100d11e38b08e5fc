-- Gradients of gradients of what networks are made of, against finite differences, on one replica and on three.

local pod = require "moonpod"

local REPLICAS = { 1, 3 }

local function random(seed, shape)
  return pod.random.normal(shape, { seed = seed, dtype = "float64" })
end

local x, images = random(1, { 5, 4 }), random(2, { 5, 4, 4, 2 })
local sequences, labels = random(3, { 5, 3, 4 }), pod.tensor({ 0, 2, 1, 1, 0 }, "int32")

local function attend(rows, w)
  local q, k, v = rows:matmul(w[{ ":", ":3" }]), rows:matmul(w[{ ":", "3:6" }]), rows:matmul(w[{ ":", "6:" }])
  local shares = pod.softmax(q:matmul(pod.transpose(k, { 0, 2, 1 })) / math.sqrt(3), -1)
  return shares:matmul(v)
end

-- Name, the rows, the shape of the weights, and the loss of one replica's rows as a sum over them.
local CASES = {
  { "dense", x, { 4, 3 }, function(rows, w) return (pod.tanh(rows:matmul(w)) ^ 2):sum() end },
  { "convolution", images, { 3, 3, 2, 2 }, function(rows, w)
    return (pod.sigmoid(pod.nn.conv(rows, w, { strides = { 1, 1 }, padding = "same" })) ^ 2):sum()
  end },
  { "convolution with strides", images, { 2, 2, 2, 2 }, function(rows, w)
    return (pod.nn.conv(rows, w, { strides = { 2, 2 }, padding = "valid" }) ^ 3):sum()
  end },
  { "softmax cross-entropy", x, { 4, 3 }, function(rows, w, own)
    return pod.losses.sparse_categorical_crossentropy { from_logits = true, reduction = "sum", dtype = "float64" }(own,
      rows:matmul(w))
  end },
  { "categorical cross-entropy", x, { 4, 3 }, function(rows, w, own)
    return pod.losses.categorical_crossentropy { from_logits = true, reduction = "sum", dtype = "float64" }(
      pod.one_hot(own, 3, { dtype = "float64" }), rows:matmul(w))
  end },
  { "attention", sequences, { 4, 9 }, function(rows, w) return (attend(rows, w) ^ 2):sum() end },
  { "layer normalization", x, { 4, 3 }, function(rows, w)
    local y = rows:matmul(w)
    y = y - y:mean(-1, { keepdims = true })
    return pod.tanh(y * pod.rsqrt((y ^ 2):mean(-1, { keepdims = true }) + 1e-3)):sum()
  end },
}

-- The gradient of the loss over all rows at w, which `rows` and `own` are a replica's part of.
local function gradient_at(loss, rows, own, w)
  local tape, value = pod.tape(function(t)
    t:watch(w)
    return loss(rows, w, own)
  end)
  return tape:gradient(value, w)
end

for _, case in ipairs(CASES) do
  local name, rows, shape, loss = case[1], case[2], case[3], case[4]
  describe("the second derivative of " .. name, function()
    local w, v = random(7, shape) * 0.5, random(8, shape)
    -- (gradient(w + e v) - gradient(w - e v)) / 2 e
    local e = 1e-5
    local numeric = (gradient_at(loss, rows, labels, w + v * e) - gradient_at(loss, rows, labels, w - v * e)) / (2 * e)

    for _, replicas in ipairs(REPLICAS) do
      it(("times a vector agrees with finite differences on %d replicas"):format(replicas), function()
        local strategy = pod.distribute.mirrored(replicas)
        local parts = strategy:run(function(own_rows, own_labels, point, direction)
          local outer = pod.tape()
          outer:watch(point)
          local along = (gradient_at(loss, own_rows, own_labels, point) * direction):sum()
          return outer:gradient(along, point)
        end, { strategy:split(rows), strategy:split(labels), w, v })
        local product = strategy:reduce("sum", parts)
        assert(pod.allclose(product, numeric, { rtol = 1e-6, atol = 1e-7 }),
          tostring(product) .. "\n" .. tostring(numeric))
      end)
    end
  end)
end

describe("the second derivative through layers", function()
  it("agrees with finite differences for attention and convolution layers", function()
    for _, make in ipairs {
      function() return pod.layers.multi_head_attention(2, 3, { dtype = "float64" }), sequences end,
      function() return pod.layers.conv2d(2, 3, { dtype = "float64", activation = "tanh" }), images end,
      function() return pod.layers.dense(3, { dtype = "float64", activation = "gelu" }), x end,
    } do
      local layer, input = make()
      layer(input)
      local kernel = layer.weights[1]
      local function gradient()
        local tape, value = pod.tape(function() return (layer(input) ^ 2):sum() end)
        return tape:gradient(value, kernel)
      end
      local start = kernel:value() * 1
      local v, e = random(9, start.shape), 1e-5
      local outer = pod.tape()
      local along = (gradient() * v):sum()
      local product = outer:gradient(along, kernel)
      kernel:assign(start + v * e)
      local up = gradient()
      kernel:assign(start - v * e)
      local numeric = (up - gradient()) / (2 * e)
      assert(pod.allclose(product, numeric, { rtol = 1e-5, atol = 1e-6 }), layer.class_name .. "\n" .. tostring(product)
        .. "\n" .. tostring(numeric))
    end
  end)
end)
