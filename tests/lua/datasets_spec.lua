local pod = require "moonpod"
local datasets = require "moonpod.datasets"

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

local function be32(n)
  return string.pack(">I4", n)
end

-- A directory with IDX files of n images, as the package has them (not compressed: readers look at the bytes).
local function make_root(n, labels)
  local root = os.tmpname()
  os.remove(root)
  os.execute(("mkdir -p %s/fashion-mnist"):format(root))
  for _, prefix in ipairs { "train", "t10k" } do
    local base = root .. "/fashion-mnist/" .. prefix
    local pixels = {}
    for i = 1, n * 784 do
      pixels[i] = string.char(i % 256)
    end
    write(base .. "-images-idx3-ubyte.gz", "\0\0\8\3" .. be32(n) .. be32(28) .. be32(28) .. table.concat(pixels))
    write(base .. "-labels-idx1-ubyte.gz", "\0\0\8\1" .. be32(labels or n) .. ("\7"):rep(labels or n))
  end
  return root
end

describe("Fashion-MNIST", function()
  it("is read from the package's files", function()
    local root = make_root(5)
    local train, test = datasets.fashion_mnist { directory = root }
    assert.equal(5, #train)
    assert.equal(5, #test)
    assert.matches("5 images of 28x28 bytes in 10 classes, from " .. root, train.source, 1, true)
    local x, y = train:batch(5):iterator():next()
    assert.equal("(5, 784)", tostring(x.shape))
    assert.equal("float32", x.dtype)
    assert.equal("int32", y.dtype)
    assert.near(1 / 255, x:totable()[1][1], 1e-9)
    assert.near(1, x:totable()[1][255], 1e-9)
    assert.equal(7, y:totable()[3])
    local raw = train:raw():element_spec()
    assert.equal("uint8", raw[1].dtype)
    assert.equal("uint8", raw[2].dtype)
    local images = datasets.fashion_mnist { directory = root, shape = { 28, 28, 1 } }
    assert.equal("spec(float32 (28, 28, 1))", tostring(images:element_spec()[1]))
    os.execute("rm -r " .. root)
  end)

  it("says which package is missing, and which file is damaged", function()
    assert.error_matches(function() datasets.fashion_mnist { directory = "/nowhere" } end,
      "/nowhere/fashion%-mnist/train%-images%-idx3%-ubyte.gz is not there.*apt%-get install dataset%-fashion%-mnist")
    local root = make_root(5, 4)
    local function load()
      datasets.fashion_mnist { directory = root }
    end
    assert.error_matches(load, "5 bytes are expected, one an image")
    local header = "\0\0\8\3" .. be32(60000) .. be32(28) .. be32(28)
    write(root .. "/fashion-mnist/train-images-idx3-ubyte.gz", header .. "abc")
    assert.error_matches(load, "train%-images%-idx3%-ubyte.gz is truncated: its header, which ends at offset 16, "
      .. "announces uint8 %(60000, 28, 28%)")
    assert.error_matches(function() datasets.fashion_mnist { shape = { 28 } } end, "784 pixels")
    os.execute("rm -r " .. root)
  end)

  local package = io.open "/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz"
  if package then
    package:close()
    it("is all there in Debian's package", function()
      local train, test = datasets.fashion_mnist()
      assert.equal(60000, #train)
      assert.equal(10000, #test)
      local counts = {}
      for _, y in test:batch(1000):iter() do
        for _, class in ipairs(y:totable()) do
          counts[class] = (counts[class] or 0) + 1
        end
      end
      for class = 0, 9 do
        assert.equal(1000, counts[class])
      end
      local sum = train:batch(10000):fold(0, function(total, x)
        return total + x:mean():item()
      end)
      assert.near(0.2860406, sum / 6, 1e-5) -- the set's known mean
      collectgarbage()
      collectgarbage()
      assert.is_true(pod.device.memory().current_bytes < 70e6)
    end)
  end
end)
