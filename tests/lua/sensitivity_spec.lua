-- pod.advisor.sensitivity and pod.suitability: what one more row or feature costs, and whether a model suits a TPU.

local pod = require "moonpod"

local unpack = table.unpack or unpack -- luacheck: ignore

local function model_of(...)
  local layers = { ... }
  local model = pod.models.sequential(layers)
  model:compile { optimizer = "sgd", loss = "mse" }
  return model
end

local function dense(size, inputs, name, more)
  local options = { name = name, input_shape = inputs and { inputs } or nil }
  for key, value in pairs(more or {}) do
    options[key] = value
  end
  return pod.layers.dense(size, options)
end

local function row_of(rows, name, to)
  for _, row in ipairs(rows) do
    if row.name == name and row.to == to then
      return row
    end
  end
end

describe("sensitivity", function()
  local function rows_of(size)
    return pod.advisor.sensitivity(model_of(dense(size, 512, "inner"), dense(512, nil, "last")),
      { chip = "v5e", batch = 1024 })
  end

  it("shows the cliff between whole tiles and one more", function()
    local whole, over = rows_of(128), rows_of(129)
    assert.truthy(row_of(whole, "inner", 129).mxu_change > 0.05)
    assert.truthy(math.abs(row_of(whole, "inner", 127).mxu_change) < 0.02)
    assert.truthy(row_of(over, "inner", 128).mxu_change < -0.05)
    assert.truthy(math.abs(row_of(over, "inner", 130).mxu_change) < 0.02)
    assert.truthy(row_of(over, "inner", 128).time_change < 0)
    assert.truthy(row_of(over, "inner", 128).need_change < 0)
    assert.truthy(row_of(whole, "batch", 1152) and row_of(whole, "inner", 256))
    assert.matches("^sequential on v5e, 1024 rows a core.*inner +128 +129 +%+", tostring(whole))
  end)

  it("has the size of which one more or less changes most first", function()
    local rows, seen, before = rows_of(129), {}, math.huge
    for _, row in ipairs(rows) do
      seen[row.name] = seen[row.name] or 0
      if math.abs(row.to - row.from) == 1 then
        seen[row.name] = math.max(seen[row.name], math.abs(row.mxu_change))
      end
    end
    for _, row in ipairs(rows) do
      assert.truthy(seen[row.name] <= before)
      before = seen[row.name]
    end
  end)

  it("agrees with the plan of the other model", function()
    local row = row_of(rows_of(129), "inner", 256)
    local function time(size)
      return model_of(dense(size, 512, "inner"), dense(512, nil, "last")):projection("v5e", { batch = 1024 })
        .device_seconds
    end
    assert.near(time(256) / time(129) - 1, row.time_change, 1e-9)
  end)

  it("says what is wrong", function()
    assert.error_matches(function() pod.advisor.sensitivity(5) end, "must be a model, not 5")
    local model = model_of(dense(4, 8))
    assert.error_matches(function() pod.advisor.sensitivity(model, { chip = "v9", batch = 8 }) end, "v9")
    assert.error_matches(function() pod.advisor.sensitivity(model, { bacth = 8 }) end, "did you mean 'batch'")
    assert.error_matches(function() pod.advisor.sensitivity(model, { chip = "v5e" }) end, "rows")
  end)
end)

describe("suitability", function()
  it("is that of models of products", function()
    local result = pod.suitability(model_of(dense(2048, 2048), dense(2048)), "v5e", { batch = 1024 })
    assert.equal("suits", result.verdict)
    assert.truthy(result.product_share > 0.8 and result.product_flops_share > 0.9)
    assert.same({}, result.reasons)
    assert.matches("is of the kind that TPUs are made for %(v5e%)\n +%d+%% of the FLOPs and", tostring(result))
  end)

  it("is poor of elementwise work, and says what it goes to", function()
    local waves = {}
    for i = 1, 6 do
      waves[i] = pod.layers.layer_normalization { input_shape = i == 1 and { 256, 256 } or nil }
    end
    local result = pod.suitability(model_of(unpack(waves)), "v5e", { batch = 256 })
    assert.equal("poor", result.verdict)
    assert.truthy(result.product_share < 0.5 and result.other_bytes > 2 ^ 20)
    assert.matches("it goes to elementwise operations", result.reasons[1])
  end)

  it("is poor of float64", function()
    local model = model_of(dense(2048, 2048, "a", { dtype = "float64" }), dense(2048, nil, "b", { dtype = "float64" }))
    local result = pod.suitability(model, "v5e", { batch = 1024 })
    assert.is_true(result.float64)
    assert.equal("poor", result.verdict)
    assert.matches("float64", result.reasons[1])
  end)

  it("is none of what is refused", function()
    local model = pod.models.sequential { dense(64, 64) }
    model:compile { optimizer = "sgd", loss = function(y, z)
      return pod.mean(pod.boolean_mask(z, pod.greater(y, 0)))
    end }
    local result = pod.suitability(model, "v5e", { batch = 64 })
    assert.same({ "not_as_it_is", nil }, { result.verdict, result.projection })
    assert.matches("refused: boolean_mask at .-: the size of the result depends", result.reasons[1])
    assert.matches("does not run as it is", tostring(result))
  end)

  it("says what is wrong", function()
    assert.error_matches(function() pod.suitability(5, "v5e") end, "must be a model, not 5")
    assert.error_matches(function() pod.suitability(model_of(dense(4, 8)), "v9") end, "v9")
  end)
end)
