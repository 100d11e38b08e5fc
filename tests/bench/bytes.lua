-- Data of any shape: the bytes of Fashion-MNIST's images as they follow each other. Each function returns one that
-- makes a dataset; peers/common.py has the same. But for characters there are two batches, which take little memory.

local pod = require "moonpod"

local bytes = {}

local function file(name)
  local root = os.getenv "MOONPOD_DATASETS" or "/usr/share/datasets"
  return pod.data.load_idx(root .. "/fashion-mnist/train-" .. name .. "-ubyte.gz")
end

local function product(sizes)
  local count = 1
  for _, size in ipairs(sizes) do
    count = count * size
  end
  return count
end

-- The first numbers of the file, as an array of these sizes.
local function read(sizes)
  return pod.slice_axis(file "images-idx3":reshape { -1 }, 0, 0, product(sizes)):reshape(sizes)
end

-- Rows but their last number, and but their first.
local function followed(rows)
  local length = rows.shape[2]
  return pod.data.from_tensor_slices { pod.slice_axis(rows, 1, 0, length - 1), pod.slice_axis(rows, 1, 1, length) }
end

local function labels(rows, classes)
  return pod.slice_axis(file "labels-idx1", 0, 0, rows):cast "int32" % classes
end

-- Pictures, or sequences, and classes.
function bytes.pictures(batch, shape)
  return function()
    return pod.data.from_tensor_slices { read { 2 * batch, table.unpack(shape) }:cast "float32" / 255,
      labels(2 * batch, 10) }
  end
end

-- Pictures and where they are bright.
function bytes.masks(batch, shape)
  return function()
    local x = read { 2 * batch, table.unpack(shape) }:cast "float32" / 255
    return pod.data.from_tensor_slices { x, pod.greater(x, 0.5):cast "float32" }
  end
end

-- Bytes as characters, an eighth of the file, and what follows each.
function bytes.characters(length, vocabulary)
  return function()
    local pixels = file "images-idx3":reshape { -1 }
    local count = math.floor(pixels.shape[1] / (length + 1) / 8)
    local rows = pod.slice_axis(pixels, 0, 0, count * (length + 1)):cast "int32" % vocabulary
    return followed(rows:reshape { count, length + 1 })
  end
end

-- Two bytes are a token.
local function tokens(rows, length, vocabulary)
  local x = read { rows, length, 2 }:cast "int32"
  local high, low = pod.slice_axis(x, 2, 0, 1), pod.slice_axis(x, 2, 1, 2)
  return ((high * 256 + low) % vocabulary):reshape { rows, length }
end

-- Tokens and what follows each.
function bytes.tokens(batch, length, vocabulary)
  return function()
    return followed(tokens(2 * batch, length + 1, vocabulary))
  end
end

-- Sentences of two halves, all of full length, and one of two classes.
function bytes.sentences(batch, length, vocabulary)
  return function()
    local rows = 2 * batch
    local x = tokens(rows, length, vocabulary)
    local zeros = pod.zeros({ rows, length // 2 }, "int32")
    return pod.data.from_tensor_slices { { token_ids = x, segment_ids = pod.concat({ zeros, zeros + 1 }, 1),
      padding_mask = pod.ones({ rows, length }, "int32") }, labels(rows, 2) }
  end
end

return bytes
