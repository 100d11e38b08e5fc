-- How often a compiled function is traced, and what it tells of that.

local pod = require "moonpod"
local decimal = require "moonpod.base.decimal"
local lint = require "moonpod.base.lint"
local warned_by = require "tests.lua.support.warned_by"

local function causes(f)
  local list = {}
  for i, trace in ipairs(f:traces()) do
    list[i] = trace.cause
  end
  return list
end

describe("a trace's cause", function()
  it("names the dimension, dtype, rank, value or argument that changed", function()
    local f = pod.func(function(x, options) return x * (options and options.scale or 1) end, { name = "f" })
    f(pod.ones { 2, 3 })
    f(pod.ones { 2, 4 })
    f(pod.ones { 5, 6 })
    f(pod.ones({ 2, 3 }, "float64"))
    f(pod.ones { 2 })
    for _ = 1, 6 do
      f(pod.ones { 2 })
    end
    f(pod.ones { 2, 3 }, { scale = 2 })
    f(pod.ones { 2, 3 }, { scale = 3 })
    f(pod.ones { 2, 3 }, { scale = 3, note = "x" })
    assert.same({
      "first call",
      "dimension 1 of argument 1 was 3, now 4",
      "dimension 0 of argument 1 was 2, now 5; dimension 1 of argument 1 was 4, now 6",
      "dtype of argument 1 was float32, now float64",
      "rank of argument 1 was 2 (float64(2, 3)), now 1 (float32(2,))",
      "argument 2.scale is new (2)",
      "argument 2.scale was 2, now 3",
      'argument 2.note is new ("x")',
    }, causes(f))
    assert.same({
      "f(float32(2, 3)) -> float32(2, 3)",
      "f(float32(2, 4)) -> float32(2, 4)",
    }, { table.unpack(f:signatures(), 1, 2) })
  end)

  it("names the strategy", function()
    local f = pod.func(function(x) return x + 1 end)
    f(pod.ones { 2 })
    pod.distribute.mirrored(2):scope(function() f(pod.ones { 2 }) end)
    assert.same({ "first call", "the strategy was <default strategy>, now <mirrored strategy, 2 replicas>" }, causes(f))
  end)

  it("comes with runs and seconds", function()
    local f = pod.func(function(x) return x + 1 end)
    for _ = 1, 3 do
      f(pod.ones { 2 })
    end
    local trace = f:traces()[1]
    assert.equal(3, trace.count)
    assert.is_true(trace.trace_seconds > 0 and trace.compile_seconds > 0)
    assert.matches("retrace_spec.lua:%d+$", trace.location)
  end)
end)

describe("tracing", function()
  it("happens once a signature, and side effects with it", function()
    local effects = 0
    local f = pod.func(function(x, flag)
      effects = effects + 1
      return flag and x * 2 or x
    end)
    for _ = 1, 4 do
      f(pod.ones { 1 }, true)
      f(pod.ones { 2 }, true)
      f(pod.ones { 2 }, false)
      f(pod.ones({ 2 }, "int32"), false)
    end
    assert.equal(4, effects)
    assert.equal(4, #f:traces())
  end)

  it("warns once when the last calls were traced again and again", function()
    local list = warned_by(function()
      local f = pod.func(function(x) return x:sum() end, { name = "total" })
      for n = 1, 12 do
        f(pod.ones { n })
      end
    end)
    assert.equal(1, #list)
    assert.matches("5 of the last 5 calls of function 'total' %(made at .-retrace_spec.lua:%d+%) traced it anew",
      list[1])
    assert.matches("because dimension 0 of argument 1 was 5, now 6", list[1])
    assert.same({}, warned_by(function()
      local f = pod.func(function(x) return x:sum() end)
      for n = 1, 6 do
        for _ = 1, 4 do
          f(pod.ones { n })
        end
      end
    end))
  end)

  it("is reduced where numbers change", function()
    local traced = 0
    local f = pod.func(function(x, rate)
      traced = traced + 1
      return x * rate
    end, { reduce_retracing = true })
    for i = 1, 8 do
      assert.equal(2 * i / 4, f(pod.tensor(2), i / 4):item())
    end
    assert.equal(2, traced)
    local g = pod.func(function(x, n) return x:reshape { n, -1 } end, { reduce_retracing = true })
    for _, n in ipairs { 1, 2, 4, 2 } do
      assert.equal(n, g(pod.ones { 8 }, n).shape[1])
    end
    assert.equal(3, #g:traces())
  end)

  it("is reduced without another type, digit or error", function()
    local bodies = {
      function(x, n) return x + n end, function(x, n) return n - x end, function(x, n) return x * n end,
      function(x, n) return n / x end, function(x, n) return pod.floor_divide(x, n) end,
      function(x, n) return x % n end,
      function(x, n) return x ^ n end, function(x, n) return pod.where(x:equal(n), n, x) end,
      function(x, n) return x * (1 - n) + n * n end, function(x, n) return x + n / 3 end,
      function(x, n) return x * -n + 2 * n * 0.5 end, function(x, n) return pod.clip(x, -3, n) end,
      function(x, n) return pod.sqrt(n) + x end, function(x, n) return x + n % 2 end,
      function(x, n) return x + math.floor(n) end, function(x, n) return pod.full({ 2 }, n) + x end,
      function(x, n) return pod.cast(n, x.dtype) + x end, function(x, n) return x, n end,
      function(x, n) return x:less(n) end,
      function(x, n)
        return n == 2 and x or x + n
      end,
    }
    local dtypes = { "float64", "float32", "bfloat16", "float16", "int64", "int32", "int8", "uint8", "uint32", "bool" }
    local values = { 1, 2, -1, 2.0, 0.1, 0.30000000000000004, 127, 128, 255, 256, 65519, 65520, 2 ^ 31, 2 ^ 32, 1e30,
      1e39, tonumber "1099511627777", tonumber "1152921504606846977", tonumber "1152921504606846978",
      math.maxinteger or 3, math.mininteger or 4, math.huge, -math.huge }
    local function described(fn, x, n)
      local ok, y, number = pcall(fn, x, n)
      ok, y = pcall(function() return ok and y.dtype .. tostring(y.shape) .. y:data() or error(y, 0) end)
      return ok and y .. (number and ("%s %.17g"):format(tostring((decimal.type(number))), number) or "") or "error"
    end
    math.randomseed(1)
    for i = 1, 10 * #bodies do
      local body = bodies[i % #bodies + 1]
      local exact, reduced = pod.func(body), pod.func(body, { reduce_retracing = true })
      local x = pod.cast(pod.tensor { 1, 3 }, dtypes[math.random(#dtypes)])
      for _ = 1, 6 do
        local n = values[math.random(#values)]
        assert.equal(described(exact, x, n), described(reduced, x, n),
          ("function %d of %s and %s"):format(i % #bodies + 1, x.dtype, n))
      end
    end
    local counts = pod.func(bodies[1], { reduce_retracing = true })
    for i = 1, 1000 do
      counts(pod.ones { 2 }, i)
      counts(pod.ones({ 2 }, "int32"), i)
    end
    assert.is_true(#counts:traces() < 12, #counts:traces())
  end)

  it("is told by a report of all functions", function()
    local before = pod.compile_report()
    local f = pod.func(function(x) return x * 3 end, { name = "thrice" })
    f(pod.ones { 2 })
    f(pod.ones { 3 })
    f(pod.ones { 3 })
    local report = pod.compile_report()
    assert.equal(before.programs + 2, report.programs)
    assert.is_true(report.seconds > before.seconds)
    local entry = report.functions[#report.functions]
    assert.same({ "thrice", 3, 2 }, { entry.name, entry.calls, #entry.traces })
    local text = tostring(report)
    assert.matches("^%d+ programs compiled in [%d.]+ s\n", text)
    assert.matches("thrice %(.-retrace_spec.lua:%d+%): 2 traces in 3 calls", text)
    assert.matches("2. %(float32%(3,%)%): 2 runs; dimension 0 of argument 1 was 2, now 3", text)
  end)
end)

describe("the question for a tensor's truth", function()
  local x = { dtype = "float32", rank = 1 }
  local flag = { dtype = "bool", rank = 0 }

  local function lines(source, tensors)
    local list = {}
    for i, finding in ipairs(lint.scan(source, tensors or { x = x, flag = flag })) do
      list[i] = finding.line
    end
    return list
  end

  it("is found in if, while, until, not, and, or", function()
    assert.same({ 1 }, lines "if flag then end")
    assert.same({ 1 }, lines "if a then elseif flag then end")
    assert.same({ 2 }, lines "local a\nwhile x do end")
    assert.same({ 2 }, lines "repeat a()\nuntil flag\nlocal b = 1")
    assert.same({ 1 }, lines "return not flag")
    assert.same({ 1 }, lines "return flag and 1 or 2")
    assert.same({ 1 }, lines "if pod.less(x, 3) then end")
    assert.same({ 1 }, lines "if a and x:any() then end")
    assert.same({ 2 }, lines "local done = x:less(2):any()\nif not pod.all(x) then end")
    assert.same({ 3 }, lines "local done = pod.any(x)\nlocal k = 1\nif done then end")
    assert.same({ 1 }, lines "if x == 0 then end")
  end)

  it("is not seen where it may be another", function()
    assert.same({}, lines "x = x or 1")
    assert.same({}, lines "if x then end")
    assert.same({}, lines "if x ~= nil then end")
    assert.same({}, lines "local flag = 1 if flag then end")
    assert.same({}, lines "if a.flag then end")
    assert.same({}, lines "if x:any():item() == 1 then end")
    assert.same({}, lines "local d = x:sum():item() if d then end")
    assert.same({}, lines "local d = pod.sum(x) d = 3 if d then end")
    assert.same({}, lines "if x.shape[1] > 3 then end")
    assert.same({}, lines "-- if flag then\nlocal s = 'if flag then' local t = [[ if flag then ]]")
  end)

  it("is warned of once, with its line", function()
    local list = warned_by(function()
      local f = pod.func(function(x, done) -- luacheck: ignore x
        if done then
          x = x + 1
        end
        return x
      end, { name = "step" })
      f(pod.ones { 2 }, pod.tensor(true))
      f(pod.ones { 3 }, pod.tensor(true))
      f(pod.ones { 4 }, false)
    end)
    assert.equal(1, #list)
    assert.matches("retrace_spec.lua:%d+: 'if' with 'done' is decided once, while function 'step' is traced", list[1])
    assert.matches("use pod.cond", list[1])
  end)
end)
