local pod = require "moonpod"
local datasets = require "moonpod.datasets"
local unpack = table.unpack or unpack -- luacheck: ignore

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

local function be32(n)
  return string.char(math.floor(n / 2 ^ 24), math.floor(n / 2 ^ 16) % 256, math.floor(n / 2 ^ 8) % 256, n % 256)
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
    assert.equal(5, train:cardinality())
    assert.equal(5, test:cardinality())
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
      assert.equal(60000, train:cardinality())
      assert.equal(10000, test:cardinality())
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

-- A directory with scikit-learn's files, in its form.
local function make_tables()
  local root = os.tmpname()
  os.remove(root)
  os.execute("mkdir " .. root)
  write(root .. "/iris.csv", "3,4,setosa,versicolor,virginica\n5.1,3.5,1.4,0.2,0\n6,2,4,1,1\n7,3,5.5,2,2\n")
  local pixels = {}
  for i = 1, 5 do
    pixels[i] = ("%d,"):format(i):rep(64) .. i - 1 .. "\n"
  end
  write(root .. "/digits.csv.gz", table.concat(pixels)) -- not compressed: readers look at the bytes
  return root
end

describe("scikit-learn's tables", function()
  it("are read from the package's files", function()
    local root = make_tables()
    local all, none = datasets.iris { directory = root, test_split = 0 }
    assert.is_nil(none)
    assert.equal(("Iris: 3 rows of 4 features in 3 classes, from %s/iris.csv"):format(root), all.source)
    assert.same({ "setosa", "versicolor", "virginica" }, all.class_names)
    local rows = {}
    for x, y in all:iter() do
      assert.equal("float32", x.dtype)
      assert.equal("int32", y.dtype)
      rows[y:item()] = x:totable()[1]
    end
    assert.near(5.1, rows[0], 1e-6)
    assert.near(7, rows[2], 1e-6)
    os.execute("rm -r " .. root)
  end)

  it("are split by a seed", function()
    local root = make_tables()
    local function labels(options)
      options.directory = root
      local parts = {}
      for i, set in ipairs { datasets.digits(options) } do
        parts[i] = {}
        for x, y in set:iter() do
          assert.near((y:item() + 1) / 16, x:totable()[64], 1e-6)
          parts[i][#parts[i] + 1] = y:item()
        end
      end
      return parts
    end
    local parts = labels { test_split = 0.4 }
    assert.equal(3, #parts[1])
    assert.equal(2, #parts[2])
    assert.same(parts, labels { test_split = 0.4 })
    local joined = { unpack(parts[1]) }
    joined[4], joined[5] = parts[2][1], parts[2][2]
    table.sort(joined)
    assert.same({ 0, 1, 2, 3, 4 }, joined)
    local images = datasets.digits { directory = root, shape = { 8, 8, 1 } }
    assert.equal("spec(float32 (8, 8, 1))", tostring(images:element_spec()[1]))
    os.execute("rm -r " .. root)
  end)

  it("say which package is missing, and what is damaged", function()
    assert.error_matches(function() datasets.wine { directory = "/nowhere" } end,
      "/nowhere/wine_data.csv nor .* is not there.*apt%-get install python3%-sklearn.*MOONPOD_DATASETS")
    assert.error_matches(function() datasets.digits { shape = { 8 } } end, "64 pixels")
    local root = make_tables()
    assert.error_matches(function() datasets.iris { directory = root, test_split = 1 } end,
      "test_split must be from 0 to below 1")
    write(root .. "/iris.csv", "1,4,a,b,c\n1,2,3,0\n")
    assert.error_matches(function() datasets.iris { directory = root } end, "iris.csv, line 2: 5 numbers are expected")
    os.execute("rm -r " .. root)
  end)

  local package = io.open "/usr/lib/python3/dist-packages/sklearn/datasets/data/iris.csv"
  local test = package and it or pending
  test("are all there in Debian's package", function()
    package:close()
    for name, count in pairs { iris = 150, wine = 178, breast_cancer = 569, digits = 1797 } do
      local train, rest = datasets[name]()
      assert.equal(count, #train + #rest)
    end
  end)
end)

describe("the King James Bible", function()
  local is_there = os.execute "bible -f gen1:1 </dev/null >/dev/null 2>&1"
  local test = (is_there == true or is_there == 0) and it or pending
  test("is a text, and a dataset of its verses", function()
    local text, verses = datasets.kjv_text()
    assert.equal("In the beginning God created the heaven and the earth.\n", text:match "^[^\n]*\n")
    assert.equal(31102, verses:cardinality())
    assert.matches("King James Bible: 31102 verses", verses.source, 1, true)
    local numbered = datasets.kjv_text { references = true }
    assert.equal("Ge1:1 In the beginning", numbered:sub(1, 22))
  end)

  it("says which package is missing", function()
    local root = os.tmpname()
    os.remove(root)
    os.execute(("mkdir -p %s/usr/bin"):format(root))
    write(root .. "/usr/bin/bible", "")
    assert.error_matches(function() datasets.kjv_text { directory = root } end,
      "prints 0 verses instead of 31102.*apt%-get install bible%-kjv")
    os.execute("rm -r " .. root)
  end)
end)

describe("synthetic digits", function()
  it("have the form of MNIST, and the bytes of their seed", function()
    local synthetic = pod.data.synthetic
    local function bytes(options)
      local x, y = synthetic.mnist(options):batch(1100):iterator():next()
      return x:cast("int64"), y
    end
    local x, y = bytes { n = 1100 }
    assert.equal("(1100, 28, 28)", tostring(x.shape))
    assert.equal("uint8", y.dtype)
    assert.equal("spec(uint8 (28, 28))", tostring(synthetic.mnist({ n = 3 }):element_spec()[1]))
    local again = bytes { n = 1100 }
    assert.equal(0, (x - again):abs():sum():item())
    assert.is_true((x - bytes { n = 1100, seed = 2 }):abs():sum():item() > 0)
    local fewer = bytes { n = 40 }
    assert.equal(0, (pod.slice_axis(x, 0, 0, 40) - fewer):abs():sum():item())
    assert.is_true(y:max():item() == 9 and y:min():item() == 0)
  end)
end)
