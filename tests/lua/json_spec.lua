-- JSON: every rule of RFC 8259, values that come back as they were, time in proportion to the size, and texts of
-- Python's json.

local json = require "moonpod.base.json"
local stopping = require "tests.lua.support.stopping"

local null = json.null

local function refuses(text, message)
  local ok, problem = pcall(json.decode, text)
  assert.is_false(ok, text)
  assert.matches(message, problem, 1, true)
end

-- ---- random values ------------------------------------------------------------------------------------------------

local seed = tonumber(os.getenv "MOONPOD_SEED") or 20261123
local state

local function draw(count)
  state = (state * 16807) % 2147483647
  return state % count
end

local PIECES = { "a", "", " ", "\"", "\\", "/", "\b", "\f", "\n", "\r", "\t", "\0", "\1", "\31", "\127", "ä", "€", "𝄞",
  "\238\128\128", "\239\191\191", "\244\143\191\191", "null", "0" }

local function random_text()
  local parts = {}
  for i = 1, draw(6) do
    parts[i] = PIECES[draw(#PIECES) + 1]
  end
  return table.concat(parts)
end

local function random_number()
  local kind = draw(6)
  if kind == 0 then
    return draw(10) - 5
  elseif kind == 1 then
    return (draw(2147483646) - 1073741823) * 4194304 + draw(4194304)
  elseif kind == 2 then
    return (draw(2000) - 1000) / 8
  elseif kind == 3 then
    return (draw(2147483646) / 2147483647 - 0.5) * 10 ^ (draw(600) - 300)
  elseif kind == 4 then
    return ({ math.huge, -math.huge, 0.1, -0.0, 5e-324, 1.7976931348623157e308, 2 ^ 53, 1 / 3 })[draw(8) + 1]
  end
  return draw(2) == 0 and (math.maxinteger or 2 ^ 53) or (math.mininteger or -2 ^ 53)
end

local function random_value(level)
  local kind = draw(level > 4 and 4 or 7)
  if kind == 0 then
    return random_text()
  elseif kind == 1 then
    return draw(2) == 0
  elseif kind == 2 then
    return null
  elseif kind == 3 then
    return random_number()
  elseif kind == 4 then
    local list = json.array {}
    for i = 1, draw(5) do
      list[i] = random_value(level + 1)
    end
    return list
  end
  local object = {}
  for _ = 1, draw(5) do
    object[random_text()] = random_value(level + 1)
  end
  return object
end

-- Equal in value, type and sign of zero; empty arrays are no objects.
local function same(a, b)
  if type(a) == "number" and type(b) == "number" then
    return a == b and 1 / a == 1 / b and (not math.type or math.type(a) == math.type(b)) or a ~= a and b ~= b
  elseif type(a) ~= "table" or type(b) ~= "table" or a == null or b == null then
    return a == b
  end
  if json.is_array(a) ~= json.is_array(b) then
    return false
  end
  for key, value in pairs(a) do
    if not same(value, b[key]) then
      return false
    end
  end
  for key in pairs(b) do
    if a[key] == nil then
      return false
    end
  end
  return true
end

-- ---- tests --------------------------------------------------------------------------------------------------------

describe("json.encode", function()
  it("writes names in order, and the same text for equal values", function()
    assert.equal('{"a":[1,2,{"b":true}],"c":null,"d":{}}', json.encode { d = {}, c = null, a = { 1, 2, { b = true } } })
    assert.equal('[\n  1,\n  {\n    "a": []\n  }\n]', json.encode({ 1, { a = json.array() } }, { indent = 2 }))
    assert.equal("[]", json.encode(json.array {}))
    assert.equal("{}", json.encode {})
  end)

  it("writes numbers exactly and short", function()
    assert.equal("[0.1,1e+300,4.94065645841247e-324,0.3333333333333333]", json.encode { 0.1, 1e300, 5e-324, 1 / 3 })
    assert.equal("[9007199254740991,-3]", json.encode { 9007199254740991, -3 })
    assert.equal("[NaN,Infinity,-Infinity]", json.encode { 0 / 0, math.huge, -math.huge })
    if math.type then
      assert.equal("[1,1.0,-0.0,9223372036854775807,-9223372036854775808]",
        json.encode { 1, 1.0, -0.0, math.maxinteger, math.mininteger })
    end
  end)

  it("escapes what must be, and nothing else", function()
    assert.equal([["\"\\/\b\f\n\r\t\u0000\u001fé]] .. "\127" .. '€"', json.encode '"\\/\b\f\n\r\t\0\31é\127€')
  end)

  it("names what is no JSON, and where", function()
    local function refused(value, message)
      local ok, problem = pcall(json.encode, value)
      assert.is_false(ok)
      assert.matches(message, problem, 1, true)
    end
    refused({ a = { 1, print } }, "not a function at a/2")
    refused({ a = setmetatable({}, { __name = "moonpod.layer" }) }, "not a layer at a")
    refused({ 1, 2, x = 3 }, "both names, such as 'x', and numbers")
    refused({ [1] = 1, [3] = 3 }, "gaps")
    refused({ [true] = 1 }, "gaps, or keys that are no names")
    refused({ [0] = 1 }, "gaps")
    refused("\255", "byte 1 of")
    refused({ ["\237\160\128"] = 1 }, "must be UTF-8")
    local own = {}
    own.own = own
    refused(own, "does one hold itself?")
    assert.has_error(function()
      null.x = 1
    end)
  end)
end)

describe("json.decode", function()
  it("reads the examples of the RFC", function()
    local image = json.decode [[
      { "Image": { "Width": 800, "Height": 600, "Title": "View from 15th Floor", "Thumbnail": {
          "Url": "http://www.example.com/image/481989943", "Height": 125, "Width": 100 },
        "Animated" : false, "IDs": [116, 943, 234, 38793] } }]]
    assert.same({ 116, 943, 234, 38793 }, image.Image.IDs)
    assert.is_false(image.Image.Animated)
    assert.equal("𝄞", json.decode [["\uD834\udd1e"]])
    assert.equal("\\é/\b\f\n\r\t\0", json.decode [["\\\u00e9\/\b\f\n\r\t\u0000"]])
    assert.equal(42, json.decode " \t\r\n42 ")
    assert.equal(null, json.decode "null")
    assert.same({ 1, null, 3 }, json.decode "[1,null,3]")
    assert.same({ b = 1 }, json.decode('{"a":null,"b":1}', { drop_null = true }))
  end)

  it("reads numbers of all forms", function()
    for text, value in pairs { ["0"] = 0, ["-0"] = 0, ["10"] = 10, ["1.5"] = 1.5, ["1e2"] = 100, ["1E+2"] = 100,
      ["12.5e-1"] = 1.25, ["1e400"] = math.huge, ["Infinity"] = math.huge, ["-Infinity"] = -math.huge } do
      assert.equal(value, json.decode(text))
    end
    assert.not_equal(json.decode "NaN", json.decode "NaN")
    if math.type then
      assert.equal("integer", math.type(json.decode "9223372036854775807"))
      assert.equal("float", math.type(json.decode "9223372036854775808"))
      assert.equal("float", math.type(json.decode "1.0"))
    end
  end)

  it("refuses what is none, at its byte", function()
    for text, message in pairs {
      [""] = "a value is missing: the end at byte 1", ["   "] = "at byte 4", ["[1,]"] = "at byte 4",
      ["[1 2]"] = "',' or ']' is missing: \"2]\" at byte 4", ["{"] = "a name in quotes", ["{a:1}"] = "a name in quotes",
      ['{"a" 1}'] = "':' is missing", ['{"a":1,}'] = "a name in quotes", ['{"a":1 "b":2}'] = "',' or '}' is missing",
      ["01"] = "must not begin with 0", ["-01"] = "must not begin with 0", ["+1"] = "a value is missing",
      [".5"] = "a value is missing", ["1."] = "something follows", ["1e"] = "something follows", ["-"] = "is missing",
      ["0x10"] = "something follows", ["1 1"] = "something follows the value: \"1\" at byte 3", ["nul"] = "is missing",
      ["nullx"] = "is missing", ["True"] = "is missing", ["'a'"] = "is missing", ['"a'] = "does not end",
      ['"\\x"'] = "no such escape", ['"\\u12g4"'] = "no such escape", ['"\\ud800"'] = "surrogate",
      ['"\\udc00\\ud800"'] = "surrogate", ['"\\ud800\\u0041"'] = "surrogate", ['"a\nb"'] = "control character",
      ['"a\0b"'] = "control character", ["[1"] = "is missing", ["]"] = "is missing", ['{"a":1,"a":2}'] = "comes twice",
      ["\239\187\1911"] = "a value is missing", ['"\255"'] = "no UTF-8 at byte 2", ['"\192\128"'] = "no UTF-8",
      ['"\237\160\128"'] = "no UTF-8", ['"\244\144\128\128"'] = "no UTF-8", ['"\226\130'] = "no UTF-8",
      ["/**/1"] = "is missing", ['{"a":null,"a":1}'] = "comes twice",
    } do
      refuses(text, message)
    end
    local ok, problem = pcall(json.decode, "[", { where = "m.safetensors: metadata" })
    assert.is_false(ok)
    assert.matches("m.safetensors: metadata: a value is missing: the end at byte 2", problem, 1, true)
    assert.has_error(function()
      json.decode(3)
    end)
  end)

  it("bounds what is nested", function()
    assert.has_no.errors(function()
      json.decode(("["):rep(500) .. ("]"):rep(500))
    end)
    refuses(("["):rep(501) .. ("]"):rep(501), "nested more than 500 deep at byte 501")
    refuses(('{"a":'):rep(1000000), "nested more than 500 deep")
  end)

  it("takes any cut or changed text without anything but a value or an error", function()
    state = seed
    local text = json.encode(random_value(0)) .. json.encode { random_value(0), random_value(0), { a = "ä€\n" } }
    for at = 0, #text do
      pcall(json.decode, text:sub(1, at))
    end
    for _ = 1, 3000 do
      local at = draw(#text) + 1
      local ok, problem = pcall(json.decode, text:sub(1, at - 1) .. string.char(draw(256)) .. text:sub(at + 1))
      assert.is_true(ok or problem:find "at byte %d+$" ~= nil, problem)
    end
  end)
end)

describe("JSON", function()
  it("gives random values back (seed " .. seed .. ")", function()
    state = seed
    for i = 1, 3000 do
      local value = random_value(0)
      local text = json.encode(value, { indent = i % 3 == 0 and i % 4 or nil })
      local back = json.decode(text)
      assert.is_true(same(value, back), text)
      assert.equal(json.encode(value), json.encode(back))
    end
  end)

  it("takes time in proportion to the size", function()
    local function work_of(count)
      local object, is_same = {}, false
      for i = 1, count do
        object["name_" .. i] = { "text \\ " .. i, i, i / 7, { x = json.array() } }
      end
      local instructions, bytes = stopping.work_of(function()
        is_same = json.encode(object) == json.encode(json.decode(json.encode(object)))
      end)
      assert.is_true(is_same)
      return instructions, bytes
    end
    local instructions, bytes = work_of(2500)
    local more_instructions, more_bytes = work_of(20000)
    assert.is_true(more_instructions < 8 * 1.5 * instructions, ("%d, %d"):format(instructions, more_instructions))
    assert.is_true(more_bytes < 8 * 1.5 * bytes, ("%d, %d bytes"):format(bytes, more_bytes))
    local text = '{"a":"' .. ("\\n"):rep(1000000) .. '"}'
    assert.equal(1000000, #json.decode(text).a)
  end)

  it("is what Python's json reads and writes", function()
    local python = "build/peers/bin/python"
    if not os.execute(python .. " -c '' >/dev/null 2>&1") then
      assert.is_nil(os.getenv "CI", "build/peers is missing: ./dev peers")
      return pending "no build/peers"
    end
    state = seed
    local values, name = {}, os.tmpname()
    local file = assert(io.open(name, "wb"))
    for i = 1, 1000 do
      values[i] = random_value(0)
      file:write(json.encode(values[i]), "\n")
    end
    file:close()
    assert(os.execute(("%s tests/golden/json_texts.py %s %s.out"):format(python, name, name)))
    local i = 0
    for line in io.lines(name .. ".out") do
      i = i + 1
      local text = json.decode(line)
      assert.is_true(same(values[i], json.decode(text)), text)
    end
    assert.equal(1000, i)
    os.remove(name)
    os.remove(name .. ".out")
  end)
end)
