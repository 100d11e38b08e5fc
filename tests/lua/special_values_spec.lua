-- Infinities, NaN, zeros of both signs and numbers near the borders of types, through every function of numbers, pairs
-- and rows: what JAX gives for them, eagerly and compiled, and the slopes (tests/golden/special_values.lua, made by
-- special_values.py).

package.path = "tests/golden/?.lua;" .. package.path

local pod = require "moonpod"
local golden = require "special_values"

-- What differs, and why it may: which of two zeros is the greater one, JAX and NumPy do not say either; the slopes of
-- asin and acos at 1 and -1 are infinite, and NaN here; those of sinh and cosh end where exp does, at 88.7. JAX has
-- slopes of acosh and atanh where they have no values, and takes that of asinh for 0 where a square overflows.
local function is_exempt(case, how, want, got, x)
  return how == "slope" and (case.name == "acosh" and x < 1 or case.name == "atanh" and math.abs(x) > 1
      or case.name == "asinh" and want == 0 and math.abs(math.abs(got * x) - 1) < 1e-5)
    or (case.name == "maximum" or case.name == "minimum") and want == 0 and got == 0
    or (case.name == "asin" or case.name == "acos") and how == "slope" and math.abs(want) == math.huge and got ~= got
    or (case.name == "sinh" or case.name == "cosh") and how == "slope" and want > 1e38 and got == math.huge
end

local DIGITS = { float32 = 2e-6, float64 = 1e-11, bfloat16 = 2 ^ -7 }

local function is_same(want, got, digits)
  if want ~= want or got ~= got then
    return want ~= want and got ~= got
  elseif want == 0 and got == 0 then
    return 1 / want == 1 / got -- zeros of the same sign
  end
  return want == got or math.abs(want - got) <= digits * math.max(math.abs(want), 1e-30)
end

-- The first number of each pair, and the second.
local function pairs_of(list)
  local a, b = {}, {}
  for _, one in ipairs(list) do
    for _, two in ipairs(list) do
      a[#a + 1], b[#b + 1] = one, two
    end
  end
  return a, b
end

-- Wraps integers into the range of their type.
local function of_type(list, dtype)
  local bits = tonumber(dtype:match "int(%d+)$")
  local made = {}
  for i, value in ipairs(list) do
    local least = bits and (dtype:find "^u" and 0 or -2 ^ (bits - 1))
    made[i] = bits and (value - least) % 2 ^ bits + least or value
  end
  return made
end

local function operands_of(case)
  local is_integer = case.dtype:find "int" ~= nil
  if case.operands == 1 then
    return { pod.tensor(golden.numbers, case.dtype) }
  elseif case.operands == 3 then
    return { pod.tensor(golden.rows, case.dtype) }
  end
  local a, b = pairs_of(is_integer and golden.integers or golden.operands)
  a, b = of_type(a, case.dtype), of_type(b, case.dtype)
  if is_integer and (case.name == "mod" or case.name == "remainder" or case.name == "floor_divide") then
    for i, value in ipairs(b) do
      b[i] = value == 0 and 1 or value
    end
  end
  return { pod.tensor(a, case.dtype), pod.tensor(b, case.dtype) }
end

local function numbers_of(t)
  return pod.cast(t, "float64"):reshape({ -1 }):totable()
end

local function compare(case, how, want, got, operands, digits)
  assert.equal(#want, #got)
  local lines = {}
  for i, number in ipairs(want) do
    local of = {}
    for k, operand in ipairs(operands) do
      local list = numbers_of(operand)
      of[k] = case.operands == 3 and "row " .. math.ceil(i / (#want / #golden.rows)) or list[i]
    end
    if not is_same(number, got[i], digits) and not is_exempt(case, how, number, got[i], of[1]) then
      lines[#lines + 1] = ("%s of %s (%s): %s, by JAX %s"):format(case.name, table.concat({ tostring(of[1]),
        of[2] and tostring(of[2]) }, ", "), how, tostring(got[i]), tostring(number))
    end
  end
  assert.equal("", table.concat(lines, "\n"))
end

describe("functions of special values", function()
  for _, case in ipairs(golden.cases) do
    it(case.name .. " of " .. case.dtype, function()
      local operands = operands_of(case)
      local unpack = table.unpack or unpack -- luacheck: ignore
      local function fn(...)
        if case.operands == 3 then
          return (pod[case.name](..., -1))
        end
        return (pod[case.name](...))
      end
      local digits = DIGITS[case.dtype] or 0
      compare(case, "eager", case.result, numbers_of(fn(unpack(operands))), operands, digits)
      compare(case, "compiled", case.result, numbers_of(pod.func(fn)(unpack(operands))), operands, digits)
      if case.slope then
        local x = pod.variable(operands[1])
        local tape, y = pod.tape(function()
          return pod.sum(fn(x:value()))
        end)
        compare(case, "slope", case.slope, numbers_of(tape:gradient(y, x)), operands, 1e-4)
      end
    end)
  end
end)

describe("inverse hyperbolic functions", function()
  it("keep their digits in 32 bits: near 0 and 1, and at the ends of the range", function()
    local numbers = {}
    for power = -37, 38, 0.25 do
      numbers[#numbers + 1], numbers[#numbers + 2] = 10 ^ power, -10 ^ power
    end
    local all = pod.tensor(numbers, "float32")
    local small = pod.tensor(numbers, "float32"):clip(-1, 1)
    local near_1 = 1 + pod.abs(all)
    for name, x in pairs { asinh = all, acosh = near_1, atanh = small * 0.99 } do
      local want, got = numbers_of(pod[name](x:cast "float64")), numbers_of(pod[name](x))
      for i, value in ipairs(want) do
        assert.near(value, got[i], 3e-7 * math.abs(value), name)
      end
    end
  end)

  it("are what the hyperbolic ones were made of", function()
    local x = pod.linspace(-3, 3, 25, { dtype = "float64" })
    assert.is_true(pod.allclose(x, pod.asinh(pod.sinh(x)), { rtol = 1e-13, atol = 1e-13 }))
    assert.is_true(pod.allclose(pod.abs(x), pod.acosh(pod.cosh(x)), { rtol = 1e-12, atol = 1e-7 }))
    assert.is_true(pod.allclose(x, pod.atanh(pod.tanh(x)), { rtol = 1e-12, atol = 1e-12 }))
  end)
end)
