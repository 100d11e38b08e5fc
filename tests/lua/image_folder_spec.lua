-- Pictures in folders.

local pod = require "moonpod"
local golden = dofile "tests/golden/images.lua"

local function unhex(text)
  return (text:gsub("..", function(pair)
    return string.char(tonumber(pair, 16))
  end))
end

local bytes = {}
for _, case in ipairs(golden.pictures) do
  bytes[case.name] = unhex(case.bytes)
end

local function write(path, content)
  local file = assert(io.open(path, "wb"))
  file:write(content)
  file:close()
end

local root

describe("image_folder", function()
  before_each(function()
    root = os.tmpname()
    os.remove(root)
    os.execute(("mkdir -p %s/cats/old %s/dogs '%s/[odd] names'"):format(root, root, root))
    write(root .. "/cats/a.png", bytes["png colour 2 depth 8"])
    write(root .. "/cats/b.PNG", bytes["png colour 0 depth 8"])
    write(root .. "/cats/old/c.jpeg", bytes["jpeg of 3"])
    write(root .. "/dogs/d.jpg", bytes["jpeg of 1"])
    write(root .. "/dogs/e.png", bytes["png colour 6 depth 8"])
    write(root .. "/dogs/notes.txt", "no picture")
  end)

  after_each(function()
    os.execute(("rm -r '%s'"):format(root))
  end)

  local function plain(options)
    local all = { shuffle = false, image_size = { 6, 5 }, class_names = { "cats", "dogs" } }
    for name, value in pairs(options or {}) do
      all[name] = value
    end
    return all
  end

  it("labels pictures by their folders, in the order of names", function()
    local ds = pod.data.image_folder(root, { shuffle = false, image_size = { 6, 5 }, batch_size = 4 })
    assert.same({ "[odd] names", "cats", "dogs" }, ds.class_names)
    assert.equal("5 pictures in 3 classes, from " .. root, ds.source)
    local shapes, labels = {}, {}
    for x, y in ds:iter() do
      assert.equal("float32", x.dtype)
      assert.equal("int32", y.dtype)
      shapes[#shapes + 1] = tostring(x.shape)
      for _, label in ipairs(y:totable()) do
        labels[#labels + 1] = label
      end
    end
    assert.same({ "(4, 6, 5, 3)", "(1, 6, 5, 3)" }, shapes)
    assert.same({ 1, 1, 1, 2, 2 }, labels)
    assert.matches("/cats/old/c.jpeg$", ds.file_paths[3])
  end)

  it("resizes as image.resize does, in the colours that are asked for", function()
    local ds = pod.data.image_folder(root .. "/", plain { color_mode = "grayscale", batch_size = false })
    local first = ds:iterator():next()
    local expected = pod.image.resize(pod.image.decode_png(bytes["png colour 2 depth 8"], { channels = 1 }), { 6, 5 })
    assert.is_true(pod.allclose(first, expected))
    ds = pod.data.image_folder(root, plain { color_mode = "rgba", interpolation = "nearest", dtype = "uint8",
      batch_size = 2 })
    assert.equal("spec(uint8 (any, 6, 5, 4))", tostring(ds:element_spec()[1]))
  end)

  it("gives labels in each mode", function()
    local function first_label(mode)
      local _, y = pod.data.image_folder(root, plain { label_mode = mode }):iterator():next()
      return y
    end
    assert.same({ { 1, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 }, { 0, 1 } }, first_label("categorical"):totable())
    assert.same({ { 0 }, { 0 }, { 0 }, { 1 }, { 1 } }, first_label("binary"):totable())
    assert.is_nil(first_label "none")
    local _, y = pod.data.image_folder(root, plain { labels = { 4, 3, 2, 1, 0 } }):iterator():next()
    assert.same({ 4, 3, 2, 1, 0 }, y:totable())
  end)

  it("shuffles by the seed, anew each pass", function()
    local function order(ds)
      local result = {}
      for x in ds:iter() do
        result[#result + 1] = math.floor(x:sum():item())
      end
      return table.concat(result, " ")
    end
    local options = plain { shuffle = true, seed = 4, batch_size = false }
    local one, other = pod.data.image_folder(root, options), pod.data.image_folder(root, options)
    local passes = {}
    for i = 1, 4 do
      passes[i] = order(one)
      assert.equal(passes[i], order(other))
    end
    assert.is_false(passes[1] == passes[2] and passes[2] == passes[3] and passes[3] == passes[4])
  end)

  it("splits into training and validation data", function()
    local options = plain { shuffle = true, seed = 4, validation_split = 0.4, subset = "both" }
    local training, validation = pod.data.image_folder(root, options)
    assert.equal(3, #training.file_paths)
    assert.equal(2, #validation.file_paths)
    local seen = {}
    for _, set in ipairs { training, validation } do
      for _, path in ipairs(set.file_paths) do
        assert.is_nil(seen[path])
        seen[path] = true
      end
    end
    options.subset = "validation"
    assert.same(validation.file_paths, pod.data.image_folder(root, options).file_paths)
    options.seed = nil
    assert.error_matches(function()
      pod.data.image_folder(root, options)
    end, "needs a seed")
  end)

  it("tells which file is damaged", function()
    write(root .. "/dogs/e.png", bytes["png colour 6 depth 8"]:sub(1, 60))
    assert.error_matches(function()
      pod.data.image_folder(root, plain()):totable()
    end, "element 4: .*/dogs/e.png: PNG, offset")
  end)

  it("says what is wrong with its arguments", function()
    for message, options in pairs {
      ["no folder in .* did you mean 'cats'"] = { class_names = { "cat" } },
      ["label_mode must be one of \"binary\""] = { label_mode = "ints" },
      ["color_mode must be"] = { color_mode = "cmyk" },
      ["is for 2 classes; there are 1"] = { label_mode = "binary", class_names = { "cats" } },
      ["belong together"] = { validation_split = 0.5 },
      ["unknown option 'images'"] = { images = 3 },
      ["2 labels are given for 5 pictures"] = { labels = { 1, 2 } },
    } do
      assert.error_matches(function()
        pod.data.image_folder(root, plain(options))
      end, message)
    end
    assert.error_matches(function()
      pod.data.image_folder(root .. "/dogs")
    end, "there are no pictures")
  end)

  it("is found under Keras' name", function()
    assert.equal(pod.data.image_folder, pod.data.image_dataset_from_directory)
  end)
end)

describe("the example image_folder", function()
  it("ends well and its loss falls", function()
    root = os.tmpname()
    os.remove(root)
    os.execute(("mkdir -p %s/dark %s/light"):format(root, root))
    local dark, light = bytes["png of a pixel"], bytes["png colour 0 depth 8"]
    for i = 1, 12 do
      write(("%s/dark/%d.png"):format(root, i), dark)
      write(("%s/light/%d.png"):format(root, i), light)
    end
    local executable = (os.getenv "MOONPOD_BUILD" or "") .. "/moonpod"
    local runner = io.open(executable) and "'" .. executable .. "'" or "lua5.4"
    local pipe = io.popen(("%s examples/image_folder.lua %s 3 1 2>&1"):format(runner, root))
    local output = pipe:read "*a"
    local ended = pipe:close()
    os.execute("rm -r " .. root)
    assert(ended, output)
    assert.matches("20 pictures in 2 classes", output)
    local losses = {}
    for loss in output:gmatch "[- ]loss: ([%d.e+-]+)" do
      losses[#losses + 1] = tonumber(loss)
    end
    assert.is_true(#losses >= 3 and losses[3] < losses[1], output)
  end)
end)

describe("list_files", function()
  it("is sorted over all patterns, or in an order of its seed", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    for _, name in ipairs { "b.x", "a.y", "B.x", "c.x", "d.y" } do
      write(folder .. "/" .. name, "")
    end
    local patterns = { folder .. "/*.x", folder .. "/*.y" }
    local function names(options)
      local list = pod.data.list_files(patterns, options):totable()
      for i, path in ipairs(list) do
        list[i] = path:match "[^/]+$"
      end
      return table.concat(list, " ")
    end
    assert.equal("B.x a.y b.x c.x d.y", names { shuffle = false })
    assert.equal(names { seed = 3 }, names { seed = 3 })
    local different = {}
    for seed = 1, 5 do
      different[names { seed = seed }] = true
    end
    assert.is_not_nil(next(different, next(different)))
    local function matched(pattern)
      local ok, list = pcall(pod.data.list_files, folder .. pattern, { shuffle = false })
      return ok and table.concat(list:totable(), " "):gsub(folder:gsub("%W", "%%%0"), "") or list
    end
    for _, name in ipairs { ".hidden", "{}", "a*", "a[b" } do
      write(folder .. "/" .. name, "")
    end
    os.execute(("mkdir '%s/sub' '%s/sub/deep'"):format(folder, folder))
    write(folder .. "/sub/deep/f.x", "")
    assert.equal("/a.y /b.x", matched "/{a,b}.?")
    assert.equal("/a.y /b.x", matched "/{b.x,{a,c}.y}")
    assert.equal("/b.x /c.x", matched "/[b-c].x")
    assert.equal("/B.x /a.y", matched "/[!bcd].?")
    assert.equal("/.hidden", matched "/.h*")
    assert.equal("/{}", matched "/{}")
    assert.equal("/a*", matched "/a\\*")
    assert.equal("/a[b", matched "/a\\[b")
    assert.equal("/sub/deep/f.x", matched "/*/*/*.x")
    assert.equal("/sub/", matched "/*/")
    assert.equal("/sub/deep/../deep/f.x", matched "/sub/*/../deep/f.x")
    assert.matches("no file has a name like", matched "/b.x/*")
    assert.matches("no file has a name like", matched "/none/*")
    os.execute("rm -r " .. folder)
  end)
end)
