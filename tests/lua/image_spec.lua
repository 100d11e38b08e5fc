-- Pictures in pipelines: decoded by stages of the core, changed at random by element.

local pod = require "moonpod"
local unpack = table.unpack or unpack -- luacheck: ignore
local golden = dofile "tests/golden/images.lua"

local function unhex(text)
  return (text:gsub("..", function(pair)
    return string.char(tonumber(pair, 16))
  end))
end

local function picture(name)
  for _, case in ipairs(golden.pictures) do
    if case.name == name then
      return unhex(case.bytes)
    end
  end
end

local rgb, grey = picture "png colour 2 depth 8", picture "png colour 0 depth 8" -- both 5x9

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

-- Records of examples with a picture each.
local function with_records(contents, fn)
  local path = os.tmpname()
  local writer = pod.data.records.writer(path)
  for i, bytes in ipairs(contents) do
    writer:write(pod.data.records.example { image = bytes, label = i })
  end
  writer:close()
  local ok, failure = pcall(fn, path)
  os.remove(path)
  assert(ok, failure)
end

local SPEC = { image = { image = "png", shape = { 5, 9, 3 } }, label = pod.spec({}, "int64") }

describe("a picture in a record", function()
  it("is decoded while the record is parsed", function()
    with_records({ rgb, grey, rgb }, function(path)
      for threads = 1, 2 do
        local ds = pod.data.tfrecord(path):parse_example(SPEC, { num_parallel_calls = threads })
        assert.same({ 5, 9, 3 }, { unpack(ds:element_spec().image.shape) })
        local all = ds:totable()
        assert.same(pod.image.decode_png(rgb):totable(), all[1].image)
        assert.same(pod.image.decode_png(grey, { channels = 3 }):totable(), all[2].image)
        assert.equal(3, all[3].label)
      end
    end)
  end)

  it("is decoded in a mapped function, which goes on with pixels", function()
    with_records({ rgb, grey }, function(path)
      local ds = pod.data.tfrecord(path):parse_example { image = { dtype = "text" }, label = SPEC.label }
      local mapped = ds:map(function(element)
        local image = pod.image.decode_png(element.image, { shape = { 5, 9, 1 } })
        return pod.image.flip_left_right(image):cast "float32" / 255, element.label
      end, { num_parallel_calls = 2 })
      local expected = pod.image.flip_left_right(pod.image.decode_png(grey)):cast "float32" / 255
      local labels = {}
      for image, label in mapped:batch(1):iter() do
        labels[#labels + 1] = label:totable()[1]
        if #labels == 2 then
          assert.is_true(pod.allclose(image[1], expected))
        end
      end
      assert.same({ 1, 2 }, labels)
    end)
  end)

  it("is better decoded on several threads, which lint tells", function()
    local function advice(threads)
      local ds = pod.data.from_texts({ rgb }):map(function(bytes)
        return pod.image.decode_png(bytes, { shape = { 5, 9, 3 } })
      end, { num_parallel_calls = threads })
      return table.concat(ds:batch(2):lint(), "\n")
    end
    assert.matches("the decoding of pictures runs on one thread", advice(nil))
    assert.is_nil(advice(2):find "one thread")
  end)

  it("is resized on the way as image.resize does it", function()
    with_records({ rgb }, function(path)
      local ds = pod.data.tfrecord(path):parse_example { image = { image = "any", size = { 7, 4 }, channels = 3 } }
      for element in ds:iter() do
        assert.equal("float32", element.image.dtype)
        assert.is_true(pod.allclose(element.image, pod.image.resize(pod.image.decode_png(rgb), { 7, 4 })))
      end
    end)
  end)

  it("that is damaged is told by element and offset", function()
    local damaged = rgb:sub(1, -20) .. string.char((rgb:byte(-19) + 1) % 256) .. rgb:sub(-18)
    with_records({ rgb, damaged }, function(path)
      local ds = pod.data.tfrecord(path):parse_example(SPEC)
      assert.error_matches(function()
        ds:totable()
      end, "parse_example %(.*image_spec.lua:%d+%), element 1: feature 'image': PNG, offset %d+: ")
    end)
  end)

  it("must have the size that was announced", function()
    with_records({ rgb }, function(path)
      local ds = pod.data.tfrecord(path):parse_example { image = { image = "png", shape = { 5, 5, 3 } } }
      assert.error_matches(function()
        ds:totable()
      end, "becomes uint8 %(5, 9, 3%), but uint8 %(5, 5, 3%) was announced")
    end)
  end)

  it("is described by options that are checked", function()
    with_records({ rgb }, function(path)
      local ds = pod.data.tfrecord(path)
      for message, spec in pairs {
        ["image must be \"png\""] = { image = "gif" },
        ["channels must be 0"] = { image = "png", channels = 2 },
        ["method must be"] = { image = "png", size = { 2, 2 }, method = "cubic" },
        ["unknown option"] = { image = "png", colour = 3 },
      } do
        assert.error_matches(function()
          ds:parse_example { image = spec }
        end, message)
      end
    end)
  end)
end)

describe("a file with a picture", function()
  it("is read and decoded in a mapped function", function()
    local path = os.tmpname()
    write(path, rgb)
    local ds = pod.data.from_texts({ path }):map(function(name)
      return pod.image.decode_image(pod.data.read_file(name), { channels = 3, size = { 4, 4 } })
    end)
    local expected = pod.image.resize(pod.image.decode_png(pod.data.read_file(path)), { 4, 4 })
    for image in ds:iter() do
      assert.is_true(pod.allclose(image, expected))
    end
    write(path, "GIF89a")
    assert.error_matches(function()
      ds:totable()
    end, "element 0: " .. path:gsub("%p", "%%%0") .. ": a picture of PNG or JPEG is expected")
    os.remove(path)
    assert.error_matches(function()
      ds:totable()
    end, path:gsub("%p", "%%%0"))
  end)

  it("needs its sizes to be known", function()
    assert.error_matches(function()
      pod.data.from_texts({ "a" }):map(function(name)
        return pod.image.decode_png(pod.data.read_file(name))
      end)
    end, "all sizes must be known")
    assert.error_matches(function()
      pod.data.from_texts({ "a" }):map(function(name)
        return name
      end)
    end, "a string of the elements %(in a mapped function layers of texts, pod.data.read_file")
  end)
end)

-- Pixels of elements of a random function, by label, at a number of threads.
local function drawn(threads, options)
  local ds = pod.data.range(20):map(function(i)
    local x = pod.iota({ 6, 6, 1 }, 0, "float32") + pod.iota({ 6, 6, 1 }, 1, "float32") * 10 + i:cast "float32" * 100
    x = pod.image.random_flip_left_right(x)
    x = pod.image.random_flip_up_down(x)
    x = pod.image.random_crop(x, { 5, 5 }, { padding = 1 })
    x = pod.image.random_rotation(x, 0.1)
    x = pod.image.random_brightness(x, 0.5)
    x = pod.image.random_contrast(x, 0.5, 1.5)
    return pod.image.random_erasing(x), i
  end, { seed = 5, num_parallel_calls = threads, defer = false })
  if options.shuffle then
    ds = ds:shuffle(20, { seed = options.shuffle })
  end
  local result = {}
  local it = ds:iterator { epoch = options.epoch or 1, skip = options.skip }
  while it:has_next() do
    local x, i = it:next()
    result[i:item() + 1] = x:totable()
  end
  it:close()
  return result
end

describe("a picture that is changed at random", function()
  it("is the same at any number of threads and in any order", function()
    local expected = drawn(1, {})
    assert.equal(20, #expected)
    assert.same(expected, drawn(3, {}))
    assert.same(expected, drawn(2, { shuffle = 9 }))
    assert.same(expected, drawn(nil, {}))
  end)

  it("is another in each pass, and the same when a pass is resumed", function()
    local first, second = drawn(2, {}), drawn(2, { epoch = 2 })
    assert.not_same(first, second)
    local rest = drawn(2, { epoch = 2, skip = 12 })
    for i = 13, 20 do
      assert.same(second[i], rest[i])
    end
    assert.is_nil(rest[12])
  end)
end)

describe("one random change", function()
  local x = pod.iota({ 4, 6, 1 }, 0, "float32") * 10 + pod.iota({ 4, 6, 1 }, 1, "float32")
  local many = pod.stack({ x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x }, 0)

  local function count(results, predicate)
    local found = 0
    for i = 1, #results.shape > 3 and results.shape[1] or 1 do
      found = found + (predicate(results[i]) and 1 or 0)
    end
    return found
  end

  it("mirrors some pictures of a batch and leaves the others", function()
    local flipped = pod.image.random_flip_left_right(many, { seed = 3 })
    local mirrored = count(flipped, function(one)
      return pod.allclose(one, pod.image.flip_left_right(x))
    end)
    local kept = count(flipped, function(one)
      return pod.allclose(one, x)
    end)
    assert.equal(16, mirrored + kept)
    assert.is_true(mirrored > 0 and kept > 0)
  end)

  it("takes parts from everywhere", function()
    local seen, different = {}, 0
    for _, part in ipairs(pod.image.random_crop(many, { 2, 3 }, { seed = 1 }):totable()) do
      local first = part[1][1][1]
      local top, left = math.floor(first / 10), first % 10
      assert.is_true(top <= 2 and left <= 3)
      for i = 0, 1 do
        for j = 0, 2 do
          assert.equal((top + i) * 10 + left + j, part[i + 1][j + 1][1])
        end
      end
      different = different + (seen[first] and 0 or 1)
      seen[first] = true
    end
    assert.is_true(different > 3)
    assert.error_matches(function()
      pod.image.random_crop(x, { 5, 5 })
    end, "padding makes them larger")
  end)

  it("turns as rot90 does at a quarter turn", function()
    local square = pod.image.center_crop(x, { 4, 4 })
    for _, interpolation in ipairs { "bilinear", "nearest" } do
      local turned = pod.image.rotate(square, math.pi / 2, { interpolation = interpolation, fill_mode = "nearest" })
      assert.is_true(pod.allclose(turned, pod.image.rot90(square), { atol = 1e-4 }))
    end
    local outside = pod.image.rotate(square + 1, math.pi / 4, { fill_mode = "constant" })
    assert.is_true(outside[1][1]:item() < 2) -- the smallest pixel
    for _, mode in ipairs { "reflect", "wrap", "nearest" } do
      assert.is_true(pod.image.rotate(square + 1, math.pi / 4, { fill_mode = mode }):min():item() >= 2)
    end
  end)

  it("keeps the type of pixels", function()
    local bytes = many:cast "uint8"
    for _, fn in ipairs {
      pod.image.random_flip_up_down,
      function(y) return pod.image.random_crop(y, { 2, 2 }) end,
      function(y) return pod.image.random_rotation(y, 0.2) end,
      function(y) return pod.image.random_brightness(y, 0.1) end,
      function(y) return pod.image.random_contrast(y, 0.5, 1) end,
      pod.image.random_erasing,
      function(y) return pod.image.random_erasing(y, { fill_value = "normal" }) end,
    } do
      assert.equal("uint8", fn(bytes).dtype)
    end
  end)

  it("erases a box and nothing else", function()
    local erased = pod.image.random_erasing(many + 1, { seed = 2, scale = { 0.3, 0.6 } })
    local boxes = count(erased, function(one)
      local zeros = pod.sum(pod.equal(one, 0):cast "float32"):item()
      return zeros > 0 and zeros < 24
    end)
    assert.is_true(boxes >= 14)
    assert.is_true(pod.allclose(pod.image.random_erasing(many, { factor = 0 }), many))
  end)

  it("tells what is wrong with its input", function()
    assert.error_matches(function()
      pod.image.random_flip_left_right(pod.zeros { 3, 3 })
    end, "a picture has shape %(height, width, channels%)")
    assert.error_matches(function()
      pod.image.random_contrast(x, 2, 1)
    end, "lower and upper must be")
    assert.error_matches(function()
      pod.image.random_flips(x)
    end, "there is no image.random_flips")
  end)
end)

-- Each refuses every wild value with a message that names it, and ends.
describe("a wild argument", function()
  local x = pod.zeros { 4, 4, 3 }
  local WILD = { 0 / 0, math.huge, -math.huge, -1, 0.5, 1e18, "x", {}, { 1, "x" }, { 0 / 0, 1 }, true }
  local CALLS = {
    resize = function(value) pod.image.resize(x, value) end,
    smart_resize = function(value) pod.image.smart_resize(x, value) end,
    center_crop = function(value) pod.image.center_crop(x, value) end,
    crop_to_bounding_box = function(value) pod.image.crop_to_bounding_box(x, value, 0, 2, 2) end,
    pad_to_bounding_box = function(value) pod.image.pad_to_bounding_box(x, value, 0, 9, 9) end,
    resize_with_crop_or_pad = function(value) pod.image.resize_with_crop_or_pad(x, value, value) end,
    random_crop = function(value) pod.image.random_crop(x, value) end,
    decode_image = function(value) pod.image.decode_image(rgb, { size = value }) end,
    max_pixels = function(value) pod.image.decode_image(rgb, { max_pixels = value, channels = value }) end,
    rot90 = function(value) pod.image.rot90(x, type(value) == "number" and value == -1 and 0.5 or value) end,
  }
  for name, call in pairs(CALLS) do
    it(("of %s is refused"):format(name), function()
      for _, value in ipairs(WILD) do
        local ok, failure = pcall(call, value)
        assert(not ok, ("%s took %s"):format(name, tostring(value)))
        assert.equal("string", type(failure))
      end
    end)
  end

  it("that is no picture is refused", function()
    for _, value in ipairs { "", "x", ("\137PNG\r\n\26\n"), rgb:sub(1, 40), "\255\216\255" } do
      assert.is_false((pcall(pod.image.decode_image, value)))
    end
    assert.error_matches(function()
      pod.image.decode_image(nil)
    end, "the picture must be a string")
  end)
end)

describe("encode_png", function()
  it("keeps the pixels of every kind of picture", function()
    for channels = 1, 4 do
      local image = pod.cast(pod.random.uniform({ 5, 9, channels }, { minval = 0, maxval = 256, seed = channels }),
        "uint8")
      assert.is_true(image == pod.image.decode_png(pod.image.encode_png(image)))
    end
    local floats = pod.tensor({ { 0, 0.5, 1, 2 } })
    assert.same({ { { 0 }, { 127 }, { 255 }, { 255 } } }, pod.image.decode_png(pod.image.encode_png(floats)):totable())
  end)

  it("refuses what is no picture", function()
    assert.error_matches(function()
      pod.image.encode_png(pod.zeros({ 2, 2, 5 }, "uint8"))
    end, "1 to 4 channels")
    assert.error_matches(function()
      pod.image.encode_png(pod.zeros({ 2, 2 }, "int32"))
    end, "is uint8, not int32")
  end)
end)

describe("encode_jpeg", function()
  it("keeps pixels about as they are, of numbers and floats", function()
    local image = pod.cast(pod.iota(24 * 16):reshape { 24, 16 } * 0.6, "uint8")
    local again = pod.image.decode_image(pod.image.encode_jpeg(image))
    assert.same("(24, 16, 1)", tostring(again.shape))
    local error = pod.max(pod.abs(pod.cast(again, "float32") - pod.cast(image:reshape { 24, 16, 1 }, "float32")))
    assert(error:item() < 8)
    assert.same({ { { 255, 255, 255 } } }, pod.image.decode_jpeg(pod.image.encode_jpeg(pod.ones { 1, 1, 3 })):totable())
    assert(#pod.image.encode_jpeg(image, { quality = 10 }) < #pod.image.encode_jpeg(image))
  end)

  it("refuses what is no picture", function()
    local function refuses(message, ...)
      local given = { ... }
      assert.error_matches(function()
        pod.image.encode_jpeg(given[1], given[2])
      end, message)
    end
    refuses("1 or 3 channels", pod.zeros({ 2, 2, 4 }, "uint8"))
    refuses("is uint8, not int32", pod.zeros({ 2, 2 }, "int32"))
    refuses("sides of 1 to 65500 pixels, not 0", pod.zeros({ 0, 2, 1 }, "uint8"))
    refuses("sides of 1 to 65500 pixels, not 65501", pod.zeros({ 65501, 1, 1 }, "uint8"))
    refuses("quality must be a whole number from 1 to 100, not 101", pod.zeros({ 2, 2 }, "uint8"), { quality = 101 })
    refuses("quality", pod.zeros({ 2, 2 }, "uint8"), { quality = 0 })
    assert.error_matches(function()
      pod.func(function(x) return pod.image.encode_jpeg(x) end)(pod.zeros({ 2, 2 }, "uint8"))
    end, "values are not known yet")
  end)
end)
