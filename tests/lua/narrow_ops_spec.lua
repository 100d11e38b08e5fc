-- Every function that takes floats, on tensors of 16 bits: what it gives has the same bits eagerly, eagerly with each
-- step computed by itself, and compiled; and it is rounded once: as near to what float64 gives as the type has room.

local api = require "tests.lua.support.api"
local pod = require "moonpod"
local tables = require "moonpod.base.tables"
local trace = require "moonpod.tensor.trace"

local unpack = table.unpack or unpack -- luacheck: ignore

local BITS = { bfloat16 = 8, float16 = 11 }
local TYPES = tables.sorted_keys(BITS) -- in an order, as numbers are drawn on the way
local N = 6

-- ---- values ------------------------------------------------------------------------------------------------

local state = 11
local function draw(low, high)
  state = (state * 16807) % 2147483647
  return low + (high - low) * state / 2147483647
end

local function random(shape, dtype, low, high)
  local count, list = 1, {}
  for _, size in ipairs(shape) do count = count * size end
  for i = 1, count do list[i] = draw(low or -3, high or 3) end
  return pod.reshape(pod.tensor(list, { dtype = dtype }), shape)
end

local function flat(value, list)
  list = list or {}
  if pod.is_tensor(value) then
    list[#list + 1] = value
  elseif type(value) == "table" then
    for _, one in ipairs(value) do flat(one, list) end
  end
  return list
end

local function numbers(t)
  return pod.reshape(pod.cast(t, "float64"), { -1 }):totable()
end

-- All bits of all tensors, as text.
local function text(value)
  local list = {}
  for i, t in ipairs(flat(value)) do
    local parts = { t.dtype .. tostring(t.shape) }
    for _, x in ipairs(numbers(t)) do parts[#parts + 1] = x ~= x and "nan" or ("%.17g"):format(x) end
    list[i] = table.concat(parts, " ")
  end
  return table.concat(list, "; ")
end

-- Arguments with float64 in the place of a type.
local function widened(value, dtype)
  if pod.is_tensor(value) then
    return value.dtype == dtype and pod.cast(value, "float64") or value
  elseif type(value) ~= "table" or getmetatable(value) then
    return value
  end
  local copy = {}
  for key, one in pairs(value) do copy[key] = widened(one, dtype) end
  return copy
end

-- ---- checks ------------------------------------------------------------------------------------------------

local function alone(fn)
  local limit = trace.pending_nodes_limit
  trace.pending_nodes_limit = 1
  local ok, result = pcall(fn)
  trace.pending_nodes_limit = limit
  return ok and result or error(result, 0)
end

-- What differs between the three ways of running fn() -> list of tensors; nil: nothing. What is drawn is another number
-- in compiled functions.
local function difference(fn, draws)
  local function run() return text(fn()) end
  local function seeded(way)
    pod.random.set_seed(5)
    return way()
  end
  local compiled = not draws and pod.func(function() return unpack(flat(fn())) end)
  local eager = seeded(run)
  if seeded(function() return alone(run) end) ~= eager then
    return "each step by itself"
  end
  return compiled and seeded(function() return text { compiled() } end) ~= eager and "compiled" or nil
end

-- Two roundings of numbers below 4 to float32.
local FLOAT32 = 2 ^ -22

-- Units in the last place by which results of `dtype` are from what float32 may have of exact ones, at most. Where
-- exact ones are as good as 0 or beyond the type, units say nothing.
local function distance(results, exact, dtype)
  local worst = 0
  for i, t in ipairs(flat(results)) do
    local have, want = numbers(t), t.dtype == dtype and numbers(flat(exact)[i]) or {}
    for k, x in ipairs(want) do
      if x == x and have[k] == have[k] and math.abs(x) > 1e-3 and math.abs(x) < 6e4 then
        local unit = 2 ^ (math.floor(math.log(math.abs(x)) / math.log(2)) + 1 - BITS[dtype])
        worst = math.max(worst, (math.abs(have[k] - x) - FLOAT32) / unit)
      end
    end
  end
  return worst
end

local function gradient(fn, arguments)
  local x = pod.variable(arguments[1])
  local tape, loss = pod.tape(function()
    local sum = pod.full({}, 0, "float32")
    for _, t in ipairs(flat { fn(x:value(), unpack(arguments, 2)) }) do
      sum = pod.is_float(t.dtype) and sum + pod.sum(pod.cast(t, "float32")) or sum
    end
    return sum
  end)
  return tape:gradient(loss, x)
end

-- Checks fn(...) in both types: make(dtype) gives the arguments. `limit`: of units in the last place.
local function check(name, fn, make, limit, found)
  for _, dtype in ipairs(TYPES) do
    local arguments = { make(dtype) }
    local where, draws = name .. " of " .. dtype .. ": ", name:find "^random_"
    local differs = difference(function() return { fn(unpack(arguments)) } end, draws)
    if differs then found[#found + 1] = where .. differs end
    if limit < math.huge then
      local units = distance({ fn(unpack(arguments)) }, { fn(unpack(widened(arguments, dtype))) }, dtype)
      if units > limit then found[#found + 1] = ("%s%.3f units"):format(where, units) end
    end
    if pod.is_tensor(arguments[1]) and arguments[1].dtype == dtype then
      local one = difference(function() return { gradient(fn, arguments) } end, draws)
      if one then found[#found + 1] = where .. "gradient, " .. one end
    end
  end
end

-- Half a unit, and what numbers above 4 leave open in float32.
local ONCE = 0.51

-- ---- functions of pod --------------------------------------------------------------------------------------

-- What functions are defined for.
local RANGES = { acosh = { 1, 9 }, acos = { -1, 1 }, asin = { -1, 1 }, atanh = { -0.9, 0.9 }, log = { 0.1, 9 },
  log2 = { 0.1, 9 }, log10 = { 0.1, 9 }, sqrt = { 0.1, 9 }, rsqrt = { 0.1, 9 }, log1p = { -0.9, 3 },
  power = { 0.1, 3 } }

local function integers(list) return pod.tensor(list, { dtype = "int32" }) end

-- Arguments that do not follow from the signature.
local ARGUMENTS = {
  expand_dims = function(x) return x, 1 end,
  reshape = function(x) return x, { -1 } end,
  broadcast_to = function(x) return x, { 2, N, N } end,
  tensordot = function(x, y) return x, y, 1 end,
  einsum = function(x, y) return "ij,jk->ik", x, y end,
  full = function(x) return { 2, 2 }, x[1][1] end,
  at = function(x) return x, "1:3, 0" end,
  index = function(x) return x, { 1, 2 } end,
  index_update = function(x, y) return x, { 1, 2 }, y[1][1] end,
  slice = function(x) return x, { 1, 2 }, { 3, 2 } end,
  slice_axis = function(x) return x, 1, 1, 4 end,
  take_along_axis = function(x) return x, pod.cast(pod.floor(pod.abs(x)), "int32"), 1 end,
  gather = function(x) return x, integers { 1, 0, 1 }, 0 end,
  take = function(x) return x, integers { 1, 0, 1 }, 0 end,
  scatter = function(x, y) return x, integers { 1, 0, 1, 2, 1, 1 }, y, 0, "sum" end,
  segment_sum = function(x) return x, integers { 1, 0, 1, 2, 1, 1 }, 3 end,
  one_hot = function() return integers { 1, 0 }, 3, { dtype = "bfloat16" } end,
  in_top_k = function(x) return integers { 1, 0, 2, 1, 1, 0 }, x, 3 end,
  dynamic_slice = function(x) return x, { integers(1), integers(2) }, { 2, 2 } end,
  dynamic_update_slice = function(x, y) return x, y:slice({ 0, 0 }, { 2, 2 }), { integers(1), integers(2) } end,
  where = function(x, y) return pod.greater(x, 0), x, y end,
  check = function(x) return x, pod.less(x, 9) end,
  cast = function(x) return x, "float32" end,
  pad = function(x) return x, { { 1, 0 }, { 0, 2 } } end,
  linspace = function() return 0, 1, 7, { dtype = "float16" } end,
  cond = function(x, y)
    return pod.greater(pod.sum(x), 0), function() return x * y + x end, function() return x * y - x end
  end,
  while_loop = function(x)
    return function(i) return pod.less(i, 3) end, function(i, z) return i + 1, z * 1.1 + 0.1 end, { integers(0), x }
  end,
}

-- Of these no tensor of 16 bits comes or goes, or the bits matter; remat and custom_gradient take functions.
local LEFT_OUT = {}
for name in ([[bitwise_and bitwise_or bitwise_xor bitwise_not left_shift right_shift promote allclose remat bitcast
  custom_gradient]]):gmatch "%S+" do
  LEFT_OUT[name] = true
end

-- These round what the functions that they are given do.
local BODIES = { cond = true, while_loop = true }

local BY_KIND = { axis = 1, count = 2, integer = 1, shape = { N * N }, dtype = "float32", number = 1, list = true,
  repeats = { 2, 1 }, parts = 3 }

local function by_signature(signature, x, y)
  local arguments = {}
  for word in signature:gmatch "%S+" do
    local name, kind, optional = word:match "^([%w_]+):?([%w_]*)(%??)$"
    if optional == "?" then break end
    if name == "list" then
      arguments[#arguments + 1] = { x, y }
    elseif BY_KIND[name] or BY_KIND[kind] then
      arguments[#arguments + 1] = BY_KIND[name] or BY_KIND[kind]
    else
      arguments[#arguments + 1] = #arguments == 0 and x or y
    end
  end
  return unpack(arguments)
end

-- Names and signatures of all operations.
local function operations()
  local list, declares = {}, require "moonpod.ops.arguments"
  for i = 1, 20 do
    local name, value = debug.getupvalue(declares, i)
    for signature, names in pairs(name == "SIGNATURES" and value or {}) do
      for one in names:gmatch "%S+" do list[#list + 1] = { name = one, signature = signature } end
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- ---- functions of its parts --------------------------------------------------------------------------------

local function picture(dtype, low, high) return random({ 2, 4, 4, 3 }, dtype, low, high) end

local NN = {
  conv = function(dtype) return picture(dtype), random({ 2, 2, 3, 2 }, dtype) end,
  depthwise_conv = function(dtype) return picture(dtype), random({ 2, 2, 3, 1 }, dtype) end,
  conv_transpose = function(dtype) return picture(dtype), random({ 2, 2, 2, 3 }, dtype), { strides = 2 } end,
  separable_conv = function(dtype)
    return picture(dtype), pod.ones({ 1, 1, 3, 1 }, dtype), random({ 1, 1, 3, 2 }, dtype)
  end,
  max_pool = function(dtype) return picture(dtype), { pool_size = 2 } end,
  average_pool = function(dtype) return picture(dtype), { pool_size = 3, strides = 1, padding = "same" } end,
}

local function activations()
  local names = {}
  for name, fn in pairs(pod.activations) do
    names[name] = type(fn) == "function" and name ~= "get" and name ~= "threshold" or nil
  end
  return names
end

local function probabilities(dtype) return random({ N, N }, dtype, 0.05, 0.9) end

local LOSSES = {
  function(dtype) return probabilities(dtype), probabilities(dtype) end,
  sparse_categorical_crossentropy = function(dtype) return integers { 1, 0, 2, 1, 1, 0 }, probabilities(dtype) end,
  circle = function(dtype) return integers { 1, 0, 2, 1, 1, 0 }, random({ N, 3 }, dtype, -0.5, 0.5), { gamma = 2 } end,
}
LOSSES.categorical_generalized_cross_entropy = LOSSES.sparse_categorical_crossentropy

local function image(...)
  local more = { ... }
  return function(dtype) return picture(dtype, 0, 1), unpack(more) end
end

-- Files are bytes; what a seed draws is of float32.
local IMAGES = {
  image(),
  decode_png = false, decode_jpeg = false, decode_image = false, encode_png = false, encode_jpeg = false,
  convert_image_dtype = image "float32", rot90 = image(1), rotate = image(0.5), central_crop = image(0.5),
  center_crop = image { 2, 2 }, crop_to_bounding_box = image(1, 1, 2, 2), pad_to_bounding_box = image(1, 1, 6, 6),
  resize_with_crop_or_pad = image(3, 6), resize = image { 3, 7 }, smart_resize = image { 3, 7 },
  adjust_brightness = image(0.3), adjust_contrast = image(1.7), random_crop = image({ 2, 2, 2, 3 }, { seed = 1 }),
  grayscale_to_rgb = function(dtype) return random({ 2, 4, 4, 1 }, dtype) end,
  random_rotation = image(0.2, { seed = 1 }), random_zoom = image(0.2, 0.2, { seed = 1 }),
  random_translation = image(0.2, 0.2, { seed = 1 }), random_brightness = image(0.3, { seed = 1 }),
  random_contrast = image(0.5, 1.5, { seed = 1 }), random_erasing = image { seed = 1 },
  random_flip_left_right = image { seed = 1 }, random_flip_up_down = image { seed = 1 },
}

local function image_names()
  local names = {}
  for i = 1, 10 do
    local name, files = debug.getupvalue(getmetatable(pod.image).__index, i)
    for one in pairs(name == "file_of" and files or {}) do names[one] = true end
  end
  assert.is_true(names.rotate)
  return names
end

-- The objects of a kind, called with a weight.
local function weight_functions(kind)
  local names, part = {}, {}
  for name, make in pairs(kind) do
    if type(make) == "function" and name ~= "get" and not name:find "^is_" then
      names[name], part[name] = true, function(w) return make()(w) end
    end
  end
  return names, part
end

-- ---- layers ------------------------------------------------------------------------------------------------

local SHAPES = { { { 4, 6, 6, 3 } }, { { 4, 6, 3 } }, { { 4, 6 } }, { { 4, 6, 6, 6, 3 } }, { { 4, 6 }, { 4, 6 } },
  { { 4, 6, 3 }, { 4, 6, 3 } }, { { 2, 3, 6, 6, 3 } }, { { 2, 3, 6, 3 } }, { { 2, 2, 6, 6, 6, 3 } } }

local OPTIMIZERS = "sgd adam adamw rmsprop adagrad adadelta adamax nadam ftrl lion adafactor lamb lars muon"

-- The first inputs of 16 bits that a layer takes; nil: none.
local function inputs_of(one, dtype)
  for _, shapes in ipairs(SHAPES) do
    local inputs = {}
    for i, shape in ipairs(shapes) do inputs[i] = random(shape, dtype, -1, 1) end
    inputs = #inputs == 1 and inputs[1] or inputs
    if pcall(function() return text { one.object(inputs, { training = true }) } end) then
      return inputs
    end
  end
end

-- Values for the weights of a layer, none of them 0 or 1.
local function values_of(layer)
  local list = {}
  for i, weight in ipairs(layer.weights) do
    local shape = {}
    for k = 1, #weight.shape do shape[k] = weight.shape[k] end
    list[i] = pod.is_float(weight.dtype) and random(shape, weight.dtype, 0.3, 1.2) or weight:value() + 0
  end
  return list
end

describe("a tensor of 16 bits", function()
  after_each(function() pod.mixed_precision.set_global_policy "float32" end)

  it("has one value by all operations, and is rounded once", function()
    local found, list = {}, operations()
    assert.is_true(#list > 140)
    for _, op in ipairs(list) do
      local range = RANGES[op.name] or {}
      if not LEFT_OUT[op.name] then
        check(op.name, require("moonpod.ops")[op.name], function(dtype)
          local x, y = random({ N, N }, dtype, unpack(range)), random({ N, N }, dtype, unpack(range))
          if ARGUMENTS[op.name] then return ARGUMENTS[op.name](x, y) end
          return by_signature(op.signature, x, y)
        end, BODIES[op.name] and math.huge or ONCE, found)
      end
    end
    assert.same({}, found)
  end)

  it("has one value by convolutions, activations, losses, pictures and functions of weights", function()
    local found = {}
    local function all(names, part, cases, limit)
      for _, name in ipairs(tables.sorted_keys(names)) do
        local case = cases[name]
        if case == nil then case = cases[1] end
        assert.not_nil(case, name .. " has no arguments here")
        local _ = case and check(name, function(...) return part[name](...) end, case, limit, found)
      end
    end
    all(pod.nn, pod.nn, NN, ONCE)
    all(activations(), pod.activations, { function(dtype) return random({ N, N }, dtype) end }, 0.6, found)
    all(pod.losses.functions, pod.losses.functions, LOSSES, ONCE)
    all(image_names(), pod.image, IMAGES, ONCE)
    for _, kind in ipairs { pod.constraints, pod.regularizers } do
      local names, part = weight_functions(kind)
      all(names, part, { function(dtype) return random({ N, N }, dtype) end }, ONCE)
    end
    assert.same({}, found)
  end)

  it("has one value by loss objects, whose sums are of float32", function()
    local found = {}
    for _, name in ipairs(tables.sorted_keys(pod.losses.functions)) do
      check(name, function(y_true, y_pred, weights)
        return pod.losses[name] { dtype = y_pred.dtype, reduction = "mean_with_sample_weight" }(y_true, y_pred, weights)
      end, function(dtype)
        local y_true, y_pred = (LOSSES[name] or LOSSES[1])(dtype)
        local one_a_batch = name == "dice" or name == "tversky"
        return y_true, y_pred, not one_a_batch and random({ N }, dtype, 0.3, 1) or nil
      end, ONCE, found)
    end
    assert.same({}, found)
  end)

  it("has one value by layers", function()
    local found, counts = {}, 0
    for _, dtype in ipairs(TYPES) do
      pod.mixed_precision.set_global_policy(dtype)
      for _, one in ipairs(api.layers()) do
        local inputs = inputs_of(one, dtype)
        for _, training in ipairs(inputs and { false, true } or {}) do
          local options = { training = training }
          local weights = values_of(one.object)
          local differs = difference(function()
            for i, value in ipairs(weights) do one.object.weights[i]:assign(value) end
            return { one.object(inputs, options) }
          end, training)
          counts = counts + 1
          if differs then found[#found + 1] = one.name .. " of " .. dtype .. ": " .. differs end
        end
      end
    end
    assert.same({}, found)
    assert.is_true(counts > 300, counts .. " calls")
  end)

  it("has one value by optimizers", function()
    local found = {}
    for _, dtype in ipairs(TYPES) do
      local value, slope = random({ N, N }, dtype), random({ N, N }, dtype)
      for name in OPTIMIZERS:gmatch "%S+" do
        local x = pod.variable(value)
        local function steps(compile)
          x:assign(value)
          local optimizer = pod.optimizers[name] { learning_rate = 0.1, clipnorm = 0.9 }
          local function apply() optimizer:apply({ slope }, { x }) end
          local step = compile and pod.func(apply) or apply
          for _ = 1, 3 do step() end
          return text { x:value() }
        end
        local eager = steps()
        for way, bits in pairs { alone = alone(steps), compiled = steps(true) } do
          if bits ~= eager then found[#found + 1] = name .. " of " .. dtype .. ": " .. way end
        end
      end
    end
    assert.same({}, found)
  end)

  -- 16 bits end to count at 256 or 2048.
  it("is what metrics give, not what they count in", function()
    for _, dtype in ipairs(TYPES) do
      local mean, accuracy = pod.metrics.mean { dtype = dtype }, pod.metrics.binary_accuracy { dtype = dtype }
      for i = 1, 800 do
        mean:update_state(pod.full({ 10 }, i <= 400 and 1 or 3))
        accuracy:update_state(pod.ones { 10, 1 }, pod.full({ 10, 1 }, i <= 400 and 1 or 0))
      end
      assert.same({ 2, dtype, 0.5, dtype },
        { mean:result():item(), mean:result().dtype, accuracy:result():item(), accuracy:result().dtype })
    end
  end)
end)
