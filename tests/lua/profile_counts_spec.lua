-- FLOPs and bytes of instructions equal what a hand counts.

local pod = require "moonpod"

local M, K, N = 64, 100, 48
local FLOAT = 4

-- The instructions of a function's program.
local function instructions(fn, ...)
  local compiled = pod.func(fn)
  compiled(...)
  pod.profiler.start()
  compiled(...)
  return pod.profiler.stop().program
end

local function sum(list, key, kind)
  local all = 0
  for _, one in ipairs(list) do
    all = all + ((not kind or one.kind == kind) and one[key] or 0)
  end
  return all
end

-- Bytes that an instruction reads and writes but for operands that were packed for it: those are laid out as a family
-- of kernels wants them, and what packs them reads them plain, and writes them.
local function bytes_of(list, kind, plain)
  local bytes, packed, own = 0, 0, 0
  for _, one in ipairs(list) do
    if one.kind == kind then
      bytes, own = bytes + one.bytes, own + 1
    elseif one.kind == "pack" or one.name == "pack" then
      packed = packed + one.bytes - plain
    end
  end
  assert.equal(1, own)
  return packed > 0 and bytes - packed or bytes - plain
end

local x, y = pod.random.uniform { M, K }, pod.random.uniform { M, K }
local w, bias = pod.random.uniform { K, N }, pod.random.uniform { N }

describe("FLOPs and bytes", function()
  it("of elementwise operations", function()
    local list = instructions(function(a, b) return a * b + 1 end, x, y)
    assert.equal(1, #list)
    assert.equal(2 * M * K, list[1].flops)
    assert.equal(3 * M * K * FLOAT, list[1].bytes)
    assert.equal(0, list[1].operations)
    assert.equal(M * K, list[1].elements)
  end)

  it("of an operand that is read twice", function()
    local list = instructions(function(a) return a * a + a end, x)
    assert.equal(2 * M * K, sum(list, "flops"))
    assert.equal(2 * M * K * FLOAT, sum(list, "bytes"))
  end)

  it("of 16-bit operands", function()
    local list = instructions(function(a, b) return a * b end, x:cast "bfloat16", y:cast "bfloat16")
    assert.equal(3 * M * K * 2, sum(list, "bytes"))
    assert.is_true(list[1].is_half)
  end)

  it("of a product of 16-bit operands, whose bias has 32", function()
    local list = instructions(function(a, b, c)
      return pod.relu(pod.matmul(a, b):cast "float32" + c)
    end, x:cast "bfloat16", w:cast "bfloat16", bias)
    for _, one in ipairs(list) do
      assert.is_true(one.kind ~= "product" or one.is_half)
    end
    assert.is_true(sum(list, "flops", "product") >= 2 * M * K * N)
    local plain = instructions(function(a, b) return pod.matmul(a, b) end, x, w)
    for _, one in ipairs(plain) do
      assert.is_true(one.kind ~= "product" or not one.is_half)
    end
  end)

  it("of reductions", function()
    local rows = instructions(function(a) return pod.sum(a, 1) end, x)
    assert.equal(M * K, sum(rows, "flops"))
    assert.equal((M * K + M) * FLOAT, sum(rows, "bytes"))
    local all = instructions(function(a) return pod.max(a) end, x)
    assert.equal(M * K, sum(all, "flops"))
    -- what is read, partial results, written and read, and the result
    local partial = sum(all, "bytes", "loop") - M * K * FLOAT
    assert.equal(#all > 1 and partial + FLOAT or 0, sum(all, "bytes", "combine"))
  end)

  it("of a softmax: the largest, less it, exponents, their sum, a division", function()
    assert.equal(5 * M * K, sum(instructions(function(a) return pod.softmax(a) end, x), "flops"))
  end)

  it("of a product", function()
    local list = instructions(function(a, b) return pod.matmul(a, b) end, x, w)
    assert.equal(2 * M * K * N, sum(list, "flops", "product"))
    assert.equal(2 * M * K * N, sum(list, "flops"))
    assert.equal(2 * M * K * N, sum(list, "operations"))
    assert.equal((M * K + M * N) * FLOAT, bytes_of(list, "product", K * N * FLOAT))
    for _, one in ipairs(list) do
      if one.kind == "product" then
        assert.same({ 1, M, N, K }, { one.products, one.rows, one.columns, one.depth })
      end
    end
  end)

  it("of a dense layer: the product, a bias, a relu", function()
    local list = instructions(function(a, b, c) return pod.relu(pod.matmul(a, b) + c) end, x, w, bias)
    assert.equal(2 * M * K * N + 2 * M * N, sum(list, "flops"))
    assert.equal((M * K + N + M * N) * FLOAT, bytes_of(list, "product", K * N * FLOAT))
  end)

  it("of Adam's update, which a kernel does whole", function()
    local function flops(optimizer)
      local model = pod.models.sequential { pod.layers.dense(N, { input_shape = { K }, use_bias = false }) }
      model:compile { optimizer = optimizer, loss = "mse" }
      local function fit(epochs)
        model:fit(x, pod.zeros { M, N }, { verbose = 0, batch_size = M, epochs = epochs })
      end
      fit(1)
      return pod.profiler.record(function() fit(2) end).overview.flops
    end
    assert.is_true(flops "adam" >= flops "sgd" + 8 * K * N)
  end)

  it("of convolutions: they are the product's, not of what packs its kernel", function()
    local images, kernel = pod.random.uniform { 4, 12, 12, 16 }, pod.random.uniform { 3, 3, 16, 24 }
    for _, case in ipairs { { "valid", 1, 10 }, { "same", 1, 12 }, { "same", 2, 6 } } do
      local list = instructions(function(a, k)
        return pod.nn.conv(a, k, { padding = case[1], strides = case[2] })
      end, images, kernel)
      local out = 4 * case[3] * case[3] * 24
      assert.equal(2 * out * 3 * 3 * 16, sum(list, "flops"))
      assert.equal(2 * out * 3 * 3 * 16, sum(list, "operations"))
      for _, one in ipairs(list) do
        assert.equal(one.operations, one.kind == "convolution" and one.flops or 0)
      end
    end
  end)

  it("of copies: no operation, what is read and written", function()
    local list = instructions(function(a, b) return pod.concat({ a, b }, 1) end, x, y)
    assert.equal(0, sum(list, "flops"))
    assert.equal(4 * M * K * FLOAT, sum(list, "bytes"))
  end)
end)
