-- What would make a model's step take less time: faults that are planted, found, ranked and mended.

local pod = require "moonpod"

local function model_of(options)
  local list = {}
  for i, size in ipairs(options.sizes) do
    list[i] = pod.layers.dense(size, { activation = "relu", name = "d" .. i, input_shape = i == 1 and { 1024 } or nil })
  end
  list[#list + 1] = pod.layers.dense(options.classes or 128, { name = "last" })
  local model = pod.models.sequential(list)
  model:compile { optimizer = "sgd", steps_per_execution = options.steps or 100,
    loss = options.loss or pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  if not options.f32 then
    model:set_dtype_policy "mixed_bfloat16"
  end
  return model
end

local function one_hot_loss(classes)
  return function(y, logits)
    local labels = pod.one_hot(pod.reshape(pod.cast(y, "int32"), { -1 }), classes)
    return pod.losses.categorical_crossentropy { from_logits = true } (labels, logits)
  end
end

local function kinds_of(advice)
  local list = {}
  for i, remedy in ipairs(advice) do
    list[i] = remedy.kind
  end
  return list
end

-- Nothing is wrong: whole tiles, bfloat16, many steps at once.
local GOOD = { sizes = { 2048, 2048 } }

-- Each remedy's gain and memory are those of the plan after it, and gains stand in order.
local function check(advice, wanted)
  assert.truthy(table.concat(kinds_of(advice), " "):find(wanted, 1, true),
    wanted .. " in " .. table.concat(kinds_of(advice), " "))
  for i, remedy in ipairs(advice) do
    local before = advice[i - 1]
    assert.is_true(i == 1 or not advice.row.fits or (remedy.longer and not before.longer)
      or remedy.longer == before.longer and (remedy.gain or -1) <= (before.gain or -1))
  end
end

local function apply(advice, kind)
  for i, remedy in ipairs(advice) do
    if remedy.kind == kind then
      local after = advice:apply(i)
      assert.equal(remedy.row.need_bytes, after.row.need_bytes)
      assert.is_true(math.abs(remedy.row.seconds - after.row.seconds) <= 1e-9 * after.row.seconds)
      for _, left in ipairs(after) do
        assert.is_true(left.kind ~= kind, kind .. " is mended")
      end
      return after, remedy
    end
  end
  error("there is no " .. kind .. " in " .. table.concat(kinds_of(advice), " "))
end

describe("advice on a model", function()
  it("finds nothing to do where nothing is wrong", function()
    local advice = model_of(GOOD):advice("v3", { batch = 2048 })
    assert.same({}, kinds_of(advice))
    assert.truthy(tostring(advice):find("nothing that is known would gain", 1, true))
  end)

  it("finds an odd batch", function()
    local advice = model_of(GOOD):advice("v3", { batch = 1030 })
    check(advice, "batch")
    local after = apply(advice, "batch")
    assert.equal(0, after.row.batch % 8)
  end)

  it("finds odd features", function()
    local model = model_of { sizes = { 2100, 2100 } }
    local advice = model:advice("v3", { batch = 2048 })
    check(advice, "features")
    local after = apply(advice, "features")
    assert.equal(2048, after.model.layers[1].config.units)
    assert.is_true(after.model ~= model)
  end)

  it("finds float32", function()
    local model = model_of { sizes = GOOD.sizes, f32 = true }
    local advice = model:advice("v3", { batch = 2048 })
    check(advice, "dtype")
    assert.is_true(advice[1].kind == "dtype" and advice[1].gain > 0.3)
    apply(advice, "dtype")
    assert.equal("mixed_bfloat16", model.layers[1].dtype_policy.name)
  end)

  it("finds executions of one step", function()
    local model = model_of { sizes = { 256 }, steps = 1 }
    local advice = model:advice("v3", { batch = 128 })
    check(advice, "steps")
    apply(advice, "steps")
    assert.equal(100, model.steps_per_execution)
  end)

  it("finds starved input", function()
    local advice = model_of(GOOD):advice("v3", { batch = 2048, input_seconds = 1 })
    check(advice, "input")
    assert.is_true(advice.row.bound == "input" and advice[1].gain > 0.5)
    apply(advice, "input")
  end)

  it("finds a mask whose result has no size", function()
    local model = model_of { sizes = GOOD.sizes, loss = function(y, logits)
      return pod.mean(pod.boolean_mask(logits, pod.greater(pod.reshape(pod.cast(y, "float32"), { -1 }), 0)))
    end }
    local advice = model:advice("v3", { x = pod.spec { 2048, 1024 }, y = pod.spec({ 2048 }, "int32") })
    assert.truthy(tostring(advice):find("refused: boolean_mask at .-: the size of the result depends"))
    assert.truthy(tostring(advice):find("instead: multiply by the mask", 1, true))
    assert.same({ "mask" }, kinds_of(advice))
    assert.truthy(tostring(advice):find("the step can be built", 1, true))
    local after = apply(advice, "mask")
    assert.equal("fits", after.row.verdict)
    assert.same({}, after.notes)
  end)

  it("finds one-hot labels", function()
    local classes = 32768
    local model = model_of { sizes = { 128 }, classes = classes, loss = one_hot_loss(classes) }
    local advice = model:advice("v5e", { x = pod.spec { 1024, 1024 }, y = pod.spec({ 1024 }, "int32") })
    check(advice, "one_hot")
    apply(advice, "one_hot")
  end)

  it("finds more replicas than the batch has work for", function()
    local advice = model_of { sizes = { 256 } }:advice("v3-128", { global_batch = 1024 })
    check(advice, "slice")
    local after, remedy = apply(advice, "slice")
    assert.equal("v3-8", remedy.row.slice)
    assert.equal(1024, after.row.global_batch)
    assert.equal(128, after.row.batch)
  end)

  it("tells what transposes take", function()
    local inputs = pod.layers.input { shape = { 256, 512 } }
    local model = pod.models.functional { inputs = inputs, outputs = pod.layers.permute { 2, 1 } (inputs) }
    model:compile { loss = "mse" }
    local advice = model:advice("v3", { batch = 64, kind = "predict" })
    assert.equal(1, advice.transposes)
    assert.truthy(tostring(advice):find("100% of the step moves arrays into another order", 1, true))
    check(advice, "transposes")
    assert.equal("transposes", advice[1].kind)
    assert.truthy(advice[1].call:find "^keep one order of axes at .*model_advice_spec.lua:%d+")
    assert.error_matches(function() advice:apply(1) end, "remedy 1 is for a person: keep one order")
    -- where the layout of what is read takes care of it nothing moves
    local dense = pod.models.functional { inputs = inputs,
      outputs = pod.layers.dense(8)(pod.layers.permute { 2, 1 } (inputs)) }
    dense:compile { loss = "mse" }
    assert.equal(0, dense:advice("v3", { batch = 64 }).transposes)
  end)

  it("finds a loop that turns an array, first", function()
    local inputs = pod.layers.input { shape = { 1024 } }
    local turned = pod.layers.lambda(function(x)
      local square = pod.matmul(x, x, { transpose_a = true })
      local _, _, sums = pod.while_loop(function(i) return pod.less(i, 16) end, function(i, kept, sums)
        return i + 1, pod.transpose(kept), sums + kept:at "0"
      end, { pod.zeros({}, { dtype = "int32" }), square, square:at "0" })
      return x + sums
    end)(inputs)
    local model = pod.models.functional { inputs = inputs, outputs = turned }
    model:compile { loss = "mse", steps_per_execution = 100 }
    local advice = model:advice("v3", { batch = 256, kind = "predict" })
    check(advice, "transposes dtype")
    assert.equal("transposes", advice[1].kind)
  end)

  it("makes a step fit that does not", function()
    pod.add_chip { name = "vtight", based_on = "v5e", hbm_bytes = 2 ^ 28, hbm_limit_bytes = 3 * 2 ^ 26,
      vmem_bytes = 2 ^ 20 }
    local model = model_of { sizes = { 1024, 1024, 1024, 1024 } }
    local advice = model:advice("vtight", { batch = 16384 })
    assert.is_false(advice.row.fits)
    assert.is_true(advice[1].row.fits)
    check(advice, "accumulation")
    check(advice, "fitting_batch")
    assert.is_true(model:memory_report("vtight", { batch = advice[1].row.batch }).fits
      or advice[1].kind == "accumulation")
    assert.is_true(advice:apply(1).row.fits)
  end)

  it("ranks several faults by what each gains", function()
    local model = model_of { sizes = { 2100, 2100 }, f32 = true, steps = 1 }
    local advice = model:advice("v3-32", { batch = 130, input_seconds = 0.0001 })
    check(advice, "dtype")
    local kinds = table.concat(kinds_of(advice), " ")
    for _, kind in ipairs { "dtype", "batch", "features", "steps" } do
      assert.truthy(kinds:find(kind, 1, true), kind .. " in " .. kinds)
    end
    local before = advice.row.seconds / advice.row.global_batch
    for _ = 1, 4 do
      advice = advice:apply(1)
      local now = advice.row.seconds / advice.row.global_batch
      assert.is_true(now < before)
      before = now
    end
  end)

  it("refuses what means nothing", function()
    local model = model_of { sizes = { 32 } }
    assert.has_error(function() model:advice("v9", { batch = 8 }) end)
    assert.has_error(function() model:advice("v3", { batch = 8, global_batch = 8 }) end)
    assert.has_error(function() model:advice("v3", { bacth = 8 }) end)
    assert.has_error(function() model:advice("v3", { batch = 8 }):apply(99) end)
  end)
end)
