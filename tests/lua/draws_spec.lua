-- What layers and initializers draw at random is distributed as Keras' draws are (tests/golden/keras_draws.lua, made by
-- keras_draws.py): in compiled functions, and by hand with a seed, where each call and each draw has to be another.

local pod = require "moonpod"

local golden = dofile "tests/golden/keras_draws.lua"
local HEIGHT, WIDTH = 13, 17
local PROBES = { { 6, 8 }, { 6, 12 }, { 2, 3 }, { 12, 0 } }
local COUNT = 2000
local SHARE_OFF, CORRELATION_OFF = 0.055, 0.1 -- of 2,000: four and a half standard deviations and more

-- A picture whose channels say where a pixel is.
local function picture()
  local rows = {}
  for y = 0, HEIGHT - 1 do
    rows[y + 1] = {}
    for x = 0, WIDTH - 1 do
      rows[y + 1][x + 1] = { x * 10 + 20, y * 10 + 40 }
    end
  end
  return pod.tensor(rows, "float32")
end

local function pictures(count)
  return pod.broadcast_to(picture(), { count, HEIGHT, WIDTH, 2 })
end

-- The values of each channel of each probe.
local function columns_of(y)
  local columns = {}
  for _, probe in ipairs(PROBES) do
    local pixels = y[{ ":", probe[1], probe[2] }]:totable()
    for channel = 1, 2 do
      local column = {}
      for i, pixel in ipairs(pixels) do
        column[i] = pixel[channel]
      end
      columns[#columns + 1] = column
    end
  end
  return columns
end

local function share_below(values, point)
  local share = 0
  for _, value in ipairs(values) do
    share = share + (value < point - 1e-3 and 1 or value <= point + 1e-3 and 0.5 or 0)
  end
  return share / #values
end

local function moments(values)
  local mean, square = 0, 0
  for _, value in ipairs(values) do
    mean = mean + value / #values
  end
  for _, value in ipairs(values) do
    square = square + (value - mean) ^ 2 / #values
  end
  return mean, math.sqrt(square)
end

local function correlation(a, b, shift)
  local mean_a, deviation_a = moments(a)
  local mean_b, deviation_b = moments(b)
  if deviation_a < 1e-3 or deviation_b < 1e-3 then
    return 0
  end
  local sum = 0
  for i = 1, #a - shift do
    sum = sum + (a[i + shift] - mean_a) * (b[i] - mean_b)
  end
  return sum / (#a - shift) / deviation_a / deviation_b
end

local function compare(case, y)
  local columns, pair = columns_of(y), 0
  for i, column in ipairs(columns) do
    for _, point in ipairs(case.distributions[i]) do
      assert.near(point[2], share_below(column, point[1]), SHARE_OFF, ("number %d below %g"):format(i, point[1]))
    end
    for j = 1, i - 1 do
      pair = pair + 1
      assert.near(case.correlations[pair], correlation(column, columns[j], 0), CORRELATION_OFF,
        ("numbers %d, %d"):format(i, j))
    end
    assert.near(case.next[i], correlation(column, column, 1), CORRELATION_OFF,
      ("number %d and that of the next"):format(i))
  end
end

local function layer_of(case, seed)
  local options, arguments = { seed = seed }, {}
  for name, value in pairs(case.options) do
    options[name] = value
  end
  for i, value in ipairs(case.arguments) do
    arguments[i] = value
  end
  arguments[#arguments + 1] = options
  return pod.layers[case.layer]((table.unpack or unpack)(arguments)) -- luacheck: ignore
end

describe("Keras' distribution:", function()
  before_each(function()
    pod.random.set_seed(9)
  end)

  -- How a layer of Keras' options is called, and what it gives.
  local ways = {
    ["by hand with a seed"] = function(case, x)
      return layer_of(case, 5)(x, { training = true })
    end,
    ["compiled"] = function(case, x)
      local layer = layer_of(case)
      return pod.func(function(one)
        return layer(one, { training = true })
      end)(x)
    end,
  }

  for i, case in ipairs(golden.pictures) do
    for way, run in pairs(ways) do
      it(("%s, %d, %s"):format(case.layer, i, way), function()
        compare(case, run(case, pictures(COUNT)))
      end)
    end
  end

  for i, case in ipairs(golden.initializers) do
    it(("%s, %d"):format(case.initializer, i), function()
      local values = pod.initializers[case.initializer](case.options)(case.shape):reshape({ -1 }):totable()
      table.sort(values)
      local largest = math.max(-case.least, case.most)
      for j, quantile in ipairs(case.quantiles) do
        local share = 0.02 + 0.08 * (j - 1)
        assert.near(quantile, values[math.floor(share * (#values - 1) + 1.5)],
          (#values > 20000 and 0.03 or 0.12) * largest, "quantile " .. share)
      end
      local slack = case.initializer:find "uniform" and 0.02 or 0.35
      assert.near(case.least, values[1], slack * largest)
      assert.near(case.most, values[#values], slack * largest)
    end)
  end

  it("no: a layer with a seed draws anew in each call by hand, and the same again behind set_seed", function()
    local x = pod.ones { 4, 8, 8 }
    local pictures_x = pod.random.uniform { 4, 8, 8, 3 }
    for name, make in pairs {
      dropout = function() return pod.layers.dropout(0.5, { seed = 1 }) end,
      random_flip = function() return pod.layers.random_flip { seed = 1 } end,
      random_crop = function() return pod.layers.random_crop(3, 3, { seed = 1 }) end,
      gru = function() return pod.layers.gru(3, { dropout = 0.5, recurrent_dropout = 0.5, seed = 1 }) end,
    } do
      local layer, input = make(), name:find "random" and pictures_x or x
      layer(input)
      pod.random.set_seed(2)
      local first, second = layer(input, { training = true }), layer(input, { training = true })
      assert.is_false(pod.allclose(first, second), name)
      pod.random.set_seed(2)
      assert.is_true(pod.allclose(first, layer(input, { training = true })), name)
    end
  end)
end)

describe("a run by hand of one replica", function()
  local function dropout_of(options)
    local dropout = pod.layers.dropout(0.5, options)
    return function() return dropout(pod.ones { 8 }, { training = true }) end
  end
  local compiled = pod.func(function(x) return x + pod.random.uniform { 2 } end)
  local dense -- made in the first run
  local functions = {
    ["plain draws"] = function() return pod.random.uniform { 2 } + pod.random.normal { 2 } * 10 end,
    ["a seed"] = function() return pod.random.uniform({ 2 }, { seed = 5 }) end,
    ["a permutation"] = function() return pod.random.permutation(8) end,
    ["dropout"] = dropout_of(),
    ["dropout with a seed"] = dropout_of { seed = 4 },
    ["a compiled function"] = function() return compiled(pod.random.uniform { 2 }) + pod.random.uniform { 2 } end,
    ["a branch"] = function()
      local sign = pod.cond(pod.random.uniform {}:greater(0.5), function() return pod.random.uniform { 2 } end,
        function() return -pod.random.uniform { 2 } end)
      return sign + pod.random.uniform { 2 }
    end,
    ["a layer that is built"] = function()
      dense = dense or pod.layers.dense(2)
      return dense(pod.random.uniform { 1, 3 })
    end,
  }

  for name, fn in pairs(functions) do
    it("draws what each of several does: " .. name, function()
      local want
      for _, count in ipairs { 1, 2, 4 } do
        local strategy, draws = pod.distribute.mirrored(count), {}
        pod.random.set_seed(3)
        dense = nil
        for i = 1, 3 do
          local y = strategy:scope(function() return strategy:run(fn) end)
          draws[i] = (pod.is_tensor(y) and y or y:values()[1]):data()
        end
        assert.are_not.equal(draws[1], draws[2])
        want = want or draws
        assert.same(want, draws, count .. " replicas")
      end
    end)
  end

  it("and what is computed again within remat draws the same, in it and outside", function()
    local x = pod.variable(pod.ones { 64 })
    local function step()
      local y
      local tape = pod.tape(function()
        y = pod.remat(function(v) return pod.random.dropout(v, 0.5) * v end)(x)
      end)
      return pod.allclose(tape:gradient(y, { x })[1], y * 2)
    end
    for _ = 1, 3 do
      assert.is_true(step())
      assert.is_true(pod.distribute.default_strategy():run(step))
    end
  end)
end)
