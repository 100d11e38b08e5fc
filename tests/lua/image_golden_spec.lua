-- What TensorFlow gave (tests/golden/images.lua, made by image_cases.py) and what Moonpod gives: decoded pictures to
-- the bit, functions on pictures to 1e-5.

local pod = require "moonpod"
local unpack = table.unpack or unpack -- luacheck: ignore
local golden = dofile "tests/golden/images.lua"

local function unhex(text)
  return (text:gsub("..", function(pair)
    return string.char(tonumber(pair, 16))
  end))
end

-- The values of an array: numbers, or hexadecimal digits of integers.
local function values_of(array)
  if type(array.data) == "table" then
    return array.data
  end
  local values = {}
  for digits in array.data:gmatch(array.dtype == "uint16" and "%x%x%x%x" or "%x%x") do
    values[#values + 1] = tonumber(digits, 16)
  end
  return values
end

local function expect_equal(expected, found, tolerance)
  assert.equal(expected.dtype, found.dtype)
  assert.same(expected.shape, { unpack(found.shape) })
  local values = found:reshape({ -1 }):totable()
  for i, value in ipairs(values_of(expected)) do
    if values[i] ~= values[i] or math.abs(value - values[i]) > tolerance * math.max(1, math.abs(value)) then
      error(("element %d is %s, expected %s"):format(i, values[i], value), 2)
    end
  end
end

describe("a decoded picture", function()
  for _, case in ipairs(golden.pictures) do
    it(case.name, function()
      for _, result in ipairs(case.results) do
        local options = { channels = result.channels, dtype = result.pixels.dtype }
        expect_equal(result.pixels, pod.image.decode_image(unhex(case.bytes), options), 0)
      end
    end)
  end
end)

describe("a function on pictures", function()
  for i, case in ipairs(golden.operations) do
    it(("%s of %s (%d)"):format(case.name, case.input, i), function()
      local input = golden.inputs[case.input]
      local x = pod.tensor(values_of(input), input.dtype):reshape(input.shape)
      expect_equal(case.result, pod.image[case.name](x, unpack(case.arguments)), 1e-5)
    end)
  end
end)

describe("an encoded picture", function()
  it("has the pixels that TensorFlow's file of it has", function()
    for _, case in ipairs(golden.encoded) do
      local pixels = pod.tensor(values_of(case.pixels), { dtype = "uint8" }):reshape(case.pixels.shape)
      local bytes = pod.image.encode_jpeg(pixels, { quality = case.quality,
        chroma_downsampling = case.chroma_downsampling })
      assert.is_true(pod.image.decode_jpeg(bytes) == pod.image.decode_jpeg(unhex(case.file)))
      assert(#bytes < 1.1 * #case.file / 2)
    end
  end)
end)
