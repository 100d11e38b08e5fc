-- Numbers come in by one door, which refuses what a type does not hold, and go out with a point.

local pod = require "moonpod"
local data = require "moonpod.data"
local decimal = require "moonpod.base.decimal"

local function refused(what, fn, ...)
  local ok, message = pcall(fn, ...)
  assert.is_false(ok, "it was taken")
  assert.truthy(message:find(what, 1, true), message)
end

local function file_of(text)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

-- What the types hold of some numbers: true, or what is told of it.
local HUGE, NAN = math.huge, 0 / 0
local CASES = {
  { "int8", { -128, 127, 3.0, true }, { -129, 128, 0.5, NAN, HUGE } },
  { "uint8", { 0, 255 }, { -1, 256, 0.5, -HUGE } },
  { "int16", { -32768, 32767 }, { -32769, 32768, 1e300 } },
  { "uint16", { 0, 65535 }, { -1, 65536, 1.25 } },
  { "int32", { -2 ^ 31, 2 ^ 31 - 1 }, { -2 ^ 31 - 1, 2 ^ 31, NAN } },
  { "uint32", { 0, 2 ^ 32 - 1 }, { -1, 2 ^ 32 } },
  { "int64", { -2 ^ 63, 2 ^ 53 }, { 2 ^ 63, -2 ^ 64, 1e-300 } },
  { "uint64", { 0, 2 ^ 63 }, { -1, 2 ^ 64, HUGE } },
  { "bool", { 0, 1, true, false }, { 2, -1, 0.5, NAN } },
  { "float16", { 65504, 65519, HUGE, NAN, 1e-30 }, { 65520, -1e5, 1e300 } },
  { "bfloat16", { 3.38e38, -HUGE }, { 3.4e38, 1e300 } },
  { "float32", { 3.4e38, HUGE, NAN, 1e-300 }, { 3.5e38, -1e300 } },
  { "float64", { 1e308, HUGE, NAN }, {} },
}

-- The ways in: each makes a tensor of a number and a type.
local function of_generator(number, dtype)
  return data.from_generator(function()
    local done = false
    return function()
      if not done then
        done = true
        return number
      end
    end
  end, pod.spec({}, dtype)):iterator():next()
end

local DOORS = {
  tensor = function(number, dtype) return pod.tensor({ { number } }, { dtype = dtype }) end,
  full = function(number, dtype) return pod.full({ 2 }, number, dtype) end,
  convert = function(number, dtype) return pod.convert_to_tensor(number, dtype) end,
  variable = function(number, dtype) return pod.variable(number, { dtype = dtype }):value() end,
  generator = of_generator,
  trace = function(number, dtype)
    return pod.func(function() return pod.convert_to_tensor(number, dtype) end)()
  end,
}

describe("a number", function()
  for name, door in pairs(DOORS) do
    it("is refused by " .. name .. " where its type does not hold it", function()
      for _, case in ipairs(CASES) do
        for _, number in ipairs(case[2]) do
          local t = door(number, case[1])
          assert.equal(case[1], t.dtype)
          local item = t:flatten():totable()[1]
          if not case[1]:find "float" then
            assert.equal(number == true and 1 or number == false and 0 or number,
              item == true and 1 or item == false and 0 or item)
          elseif number == number and math.abs(number) > 1e-20 then
            assert.equal(math.abs(number) == HUGE, math.abs(item) == HUGE)
          end
        end
        for _, number in ipairs(case[3]) do
          refused(case[1]:find "float" and "is too large for " .. case[1] or "is no " .. case[1], door, number, case[1])
        end
      end
    end)
  end

  it("of another kind is refused by a trace of int64 to the last digit", function()
    local large = math.tointeger and math.tointeger(2 ^ 53) + 1 -- luacheck: ignore
    if large then
      for _, door in pairs(DOORS) do
        assert.equal(large, door(large, "int64"):flatten():totable()[1])
      end
    end
  end)

  it("is cast where a cast is asked for", function()
    assert.same({ 255, 0, 2 }, pod.tensor({ 300, -1, 2.75 }):cast("uint8"):totable())
  end)
end)

describe("arange", function()
  it("counts in int64 beyond int32", function()
    assert.equal("int32", pod.arange(2 ^ 31 - 2, 2 ^ 31).dtype)
    local beyond = pod.arange(2 ^ 31 - 1, 2 ^ 31 + 1)
    assert.equal("int64", beyond.dtype)
    assert.same({ 2 ^ 31 - 1, 2 ^ 31 }, beyond:totable())
    assert.same({ -2 ^ 31, -2 ^ 31 - 1 }, pod.arange(-2 ^ 31, -2 ^ 31 - 2, -1):totable())
  end)

  it("refuses a type that does not hold its numbers", function()
    refused("256 is no uint8", pod.arange, 257, { dtype = "uint8" })
    assert.equal(256, #pod.arange(256, { dtype = "uint8" }):totable())
    assert.same({ 5, 3, 1 }, pod.arange(5, 0, -2, { dtype = "uint8" }):totable())
    assert.same({ 7 }, pod.arange(7, 300, 1000, { dtype = "uint8" }):totable())
    refused("0.5 is no int32", pod.arange, 0, 1, 0.5, { dtype = "int32" })
  end)
end)

describe("an interpreted map", function()
  local function mapped(fn, options)
    options = options or {}
    options.interpret = true
    return data.range(4):map(fn, options):totable()
  end

  it("keeps fractions wherever they stand", function()
    local integers = math.type ~= nil -- luacheck: ignore
    assert.same({ { 0, 0 }, { 1, 0.5 }, { 2, 1 }, { 3, 1.5 } }, mapped(function(x) return { x, x / 2 } end))
    assert.same({ { { 1, 0.25 } } }, { mapped(function(x) return { { 1, x * 0.25 } } end)[2] })
    if integers then
      refused("map (", mapped, function(x) return x > 1 and 0.5 or 0 end)
      refused("element 2: 0.5 is no int64", mapped, function(x) return x > 1 and 0.5 or 0 end)
    else -- there are no integers apart: all are floats
      assert.same({ 0, 0, 0.5, 0.5 }, mapped(function(x) return x > 1 and 0.5 or 0 end))
    end
    assert.same({ 0, 0, 0.5, 0.5 }, mapped(function(x) return x > 1 and 0.5 or 0 end,
      { output_signature = pod.spec({}, "float32") }))
    refused("element 3: 300 is no uint8", mapped, function(x) return x * 100 end,
      { output_signature = pod.spec({}, "uint8") })
  end)
end)

describe("a file's number", function()
  it("is refused where the type of its column does not hold it", function()
    local path = file_of "a\n300\n-1\n3000000000\n"
    local function read(dtype, count)
      return data.csv(path, { columns = { { name = "a", dtype = dtype } } }):take(count):totable()
    end
    assert.equal(3000000000, read("int64", 3)[3].a)
    refused("row 4, field 1: 3000000000 is no int32", read, "int32", 3)
    refused("row 2, field 1: 300 is no uint8", read, "uint8", 1)
    refused("row 3, field 1: -1 is no uint16", read, "uint16", 2)
    refused("row 2, field 1: 300 is no bool", read, "bool", 1)
    refused("row 4, field 1: 3e+09 is too large for float16", read, "float16", 3)
    refused("column 0, its default: 0.5 is no int32", data.csv, path,
      { columns = { { name = "a", dtype = "int32", default = 0.5 } } })
    os.remove(path)
  end)

  it("is refused as padding that the elements do not hold", function()
    local ds = data.from_tensor_slices(pod.tensor({ 1, 2, 3 }, "uint8"))
    refused("the padding of component 0: 300 is no uint8", ds.padded_batch, ds, 2, { padding_values = 300 })
    refused("the padding of component 0: 0.5 is no uint8", ds.padded_batch, ds, 2, { padding_values = 0.5 })
    assert.same({ { 1, 2 }, { 3 } }, ds:padded_batch(2, { padding_values = 9 }):totable())
  end)
end)

describe("event files", function()
  it("keep numbers that are beyond float32, and one kind a tag", function()
    local folder = os.tmpname()
    os.remove(folder)
    local writer = pod.summary.writer(folder)
    writer:scalar("large", 1e300, 1)
    writer:scalar("large", -0.1, 2)
    writer:histogram("weights", pod.ones { 3 }, 1)
    refused("the tag 'weights' is of histograms already", writer.scalar, writer, "weights", 1, 1)
    refused("the tag 'large' is of scalars already", writer.histogram, writer, "large", pod.ones { 3 }, 1)
    refused("the tag 'large' is of scalars already", writer.text, writer, "large", "a text", 1)
    for i = 1, 300 do
      writer:scalar("tag " .. i, i, 1)
    end
    refused("the tag 'tag 300' is of scalars already", writer.text, writer, "tag 300", "a text", 1)
    writer:close()
    local series = require("moonpod.plot.event_scalars").read(folder, "large")
    assert.same({ 1, 2 }, series[1].x)
    assert.equal(1e300, series[1].y[1])
    assert.near(-0.1, series[1].y[2], 1e-8)
    os.execute("rm -r " .. folder)
  end)
end)

-- The text of numbers with a comma, as Lua has it after os.setlocale "de_DE": where that locale is not there, its
-- functions stand in. LuaJIT never looks at the locale.
local function in_germany(fn)
  local before = os.setlocale(nil, "numeric")
  local format, text = string.format, tostring
  if not os.setlocale("de_DE.UTF-8", "numeric") then
    string.format = function(pattern, ...) -- luacheck: ignore
      local result = format(pattern, ...)
      return pattern:find "%%[%d%.]*[efg]" and result:gsub("(%d)%.(%d)", "%1,%2") or result
    end
    tostring = function(value) -- luacheck: ignore
      local result = text(value)
      return type(value) == "number" and result:gsub("%.", ",") or result
    end
  end
  local results = { pcall(fn) }
  string.format, tostring = format, text -- luacheck: ignore
  os.setlocale(before, "numeric")
  assert(results[1], results[2])
  return results[2]
end

describe("a number's text", function()
  it("has a point in every locale", function()
    local told = in_germany(function()
      return { decimal.format("%.2f%% of %5.1e, %d, %s, %s", 1.5, 2.5, 3, 0.25, "a,b"), decimal.text(-0.125),
        decimal.read "1.5", decimal.read "x" == nil }
    end)
    assert.same({ "1.50% of 2.5e+00, 3, 0.25, a,b", "-0.125", 1.5, true }, told)
  end)

  it("has a point in logs, messages and tables", function()
    local path = os.tmpname()
    local x, y = pod.random.normal({ 8, 2 }, { seed = 1 }), pod.random.normal({ 8, 1 }, { seed = 2 })
    local model = pod.models.sequential { pod.layers.input { shape = { 2 } }, pod.layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse" }
    in_germany(function()
      model:fit(x, y, { epochs = 1, verbose = 0, callbacks = { pod.callbacks.csv_logger { filename = path } } })
      local file = assert(io.open(path))
      local text = file:read "*a"
      file:close()
      assert(text:find "^epoch,loss,val_loss\r\n0,%d+%.%d+,NA\r\n$", text)
      local json = require "moonpod.base.json"
      assert(json.encode { a = 1.5 } == '{"a": 1.5}' or json.encode { a = 1.5 } == '{"a":1.5}')
      assert(json.decode("[1.5]")[1] == 1.5)
      local ok, message = pcall(pod.layers.dropout, 1.5)
      assert(not ok and message:find("1.5", 1, true), message)
      assert(not pcall(pod.tensor, { 0.5 }, { dtype = "int32" }))
      assert(tostring(pod.tensor { 0.5 }):find("0.5", 1, true))
      local rows = file_of "a,b\n1.5,2\n"
      assert(data.csv(rows):totable()[1].a == 1.5)
      os.remove(rows)
    end)
    os.remove(path)
  end)
end)
