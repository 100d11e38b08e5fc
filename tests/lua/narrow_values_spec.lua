-- A tensor of 16 bits has one value: for all that read it, looked at or not, eager or compiled.

local pod = require "moonpod"

local TYPES = { "bfloat16", "float16" }

local function narrow(values, dtype)
  return pod.tensor(values, { dtype = dtype })
end

-- What a function gives compiled, eager, and eager where each tensor is looked at before it is read.
local function ways(fn)
  local looked = {}
  local function look(x)
    looked[#looked + 1] = tostring(x)
    return x
  end
  local function same(x) return x end
  return pod.func(function() return fn(same) end)(), fn(same), fn(look)
end

local function assert_same(expected, fn)
  local compiled, eager, looked = ways(fn)
  assert.same(expected, compiled:totable(), "compiled")
  assert.same(expected, eager:totable(), "eager")
  assert.same(expected, looked:totable(), "looked at")
end

describe("a tensor of 16 bits", function()
  it("is rounded for an op that reads it in the same loop", function()
    for _, dtype in ipairs(TYPES) do
      local tiny = dtype == "bfloat16" and 0.001 or 0.0001
      assert_same({ 0 }, function(see)
        local a = narrow({ 1 }, dtype)
        local y = see(a + narrow({ tiny }, dtype))
        return (y - a) * 1000
      end)
    end
  end)

  it("is rounded where it is the result of a product, a sum, a mean or a layer", function()
    for _, dtype in ipairs(TYPES) do
      -- 1 + 2^-12 has no place beside 1 in either type; without rounding 2^-12 would be left.
      local x = narrow({ { 1, 2 ^ -12 } }, dtype)
      local one = narrow({ { 1 } }, dtype)
      assert_same({ { 0 } }, function(see)
        return see(pod.matmul(x, narrow({ { 1 }, { 1 } }, dtype))) - one
      end)
      assert_same({ 0 }, function(see) return see(pod.sum(x, 1)) - narrow({ 1 }, dtype) end)
      assert_same({ 0 }, function(see) return see(pod.mean(x, 1)) - narrow({ 0.5 }, dtype) end)
      local dense = pod.layers.dense(1, { kernel_initializer = "ones", bias_initializer = "zeros", dtype = dtype })
      assert_same({ { 0 } }, function(see) return see(dense(x)) - one end)
    end
  end)

  it("is infinite for all readers where it leaves its range", function()
    assert_same({ math.huge, math.huge }, function(see)
      return see(pod.full({ 2 }, 300, { dtype = "float16" }) * 300) / 300
    end)
    local fn = pod.func(function(x)
      local square = x * x
      return square, pod.is_finite(square), square / 300
    end)
    local square, finite, quotient = fn(pod.full({ 2 }, 300, { dtype = "float16" }))
    assert.same({ math.huge, math.huge }, square:totable())
    assert.same({ false, false }, finite:totable())
    assert.same({ math.huge, math.huge }, quotient:totable())
  end)

  it("is the same for a gradient as for what is printed", function()
    for _, dtype in ipairs(TYPES) do
      local x = pod.variable(narrow({ 1, 3 }, dtype))
      local function gradient(see)
        local tape, y = pod.tape(function()
          local z = see(x * narrow({ 1 + 2 ^ -7, 1 + 2 ^ -7 }, dtype))
          return see(z * z * z)
        end)
        return tape:gradient(y, x)
      end
      local eager = gradient(function(v) return v end)
      local looked = gradient(function(v) return tostring(v) and v end)
      assert.same(eager:totable(), looked:totable())
    end
  end)

  -- Chains of random ops, of which each result is looked at in one of the ways.
  it("is one value in random chains", function()
    local activations = pod.activations
    local ops = {
      function(a, b) return a + b end, function(a, b) return a - b end, function(a, b) return a * b end,
      function(a) return pod.maximum(a, 0.1) end, function(a) return -a end, function(a) return pod.tanh(a) end,
      function(a) return activations.softmax(a) end, function(a) return activations.relu(a) end,
      function(a) return activations.gelu(a) end, function(a) return activations.silu(a) end,
      function(a, b) return pod.where(pod.greater(a, b), a, b) end,
      function(a) return pod.transpose(pod.matmul(a, pod.transpose(a))) end,
      function(a) return a / (1 + pod.abs(a)) end, function(a, b) return a + pod.mean(b, 0, { keepdims = true }) end,
    }
    local state = 7
    local function draw(n)
      state = (state * 16807) % 2147483647
      return state % n + 1
    end
    for trial = 1, 40 do
      local dtype = TYPES[trial % 2 + 1]
      local picks = {}
      for i = 1, 8 do picks[i] = { draw(#ops), draw(i), draw(i) } end
      local rows = {}
      for i = 1, 4 do
        rows[i] = {}
        for j = 1, 4 do rows[i][j] = draw(2000) / 700 - 1.4 end
      end
      local compiled, eager, looked = ways(function(see)
        local values = { narrow(rows, dtype) }
        for _, pick in ipairs(picks) do
          values[#values + 1] = see(ops[pick[1]](values[pick[2]], values[pick[3]]))
        end
        local sum = values[1]
        for i = 2, #values do sum = see(sum + values[i]) end
        return sum
      end)
      local what = "trial " .. trial
      assert.same(looked:totable(), eager:totable(), what)
      assert.same(looked:totable(), compiled:totable(), what)
    end
  end)

  -- What these sum or square on the way is beyond float16.
  it("is rounded once by a function of several ops", function()
    local x = pod.full({ 4 }, 300, { dtype = "float16" })
    assert.same({ 0, 0, 600 }, { pod.var(x):item(), pod.std(x):item(), pod.norm(x):item() })
    assert.equal(301.5, pod.logsumexp(x):item()) -- 300 + log(4) = 301.386; float16 has 301.25 and 301.5
    assert.same({ 0.25, 0.25, 0.25, 0.25 }, pod.softmax(x):totable())
    assert.equal(300, pod.mean(pod.full({ 1000 }, 300, { dtype = "float16" })):item())
    local picture = pod.full({ 1, 100, 100, 1 }, 300, { dtype = "float16" })
    local pooled = pod.nn.average_pool(picture, { pool_size = { 100, 100 } })
    assert.equal(300, pooled:item())
    -- 3 fits 333 times into 1000; bfloat16 has 332 and 334.
    local thousand = pod.full({}, 1000, { dtype = "bfloat16" })
    assert.equal(332, pod.floor_divide(thousand, 3):item())
  end)
end)
