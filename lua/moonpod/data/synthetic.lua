--- Data that is made up from a seed, in the form of what it stands for: for where there is none.
---@example pod.data.synthetic.mnist({ n = 10 }):cardinality() --> 10

-- synthetic - data made up from a seed, for where there is none: in the form of what it stands for.

local dataset = require "moonpod.data.dataset"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local tensor = require "moonpod.tensor"

local synthetic = {}

-- Pictures are made in blocks, each from seeds of its own: so the first rows do not depend on how many follow.
local BLOCK = 1000
local ANGLES = 16

-- Segments of a seven-segment display, as boxes top, left, bottom, right.
local SEGMENTS = {
  { 4, 9, 7, 19 }, { 4, 17, 14, 20 }, { 13, 17, 24, 20 }, { 21, 9, 24, 19 }, { 13, 8, 24, 11 }, { 4, 8, 14, 11 },
  { 12, 9, 15, 19 },
}
-- Which of them are lit for 0 to 9.
local LIT = { "1111110", "0110000", "1101101", "1111001", "0110011", "1011011", "1011111", "1110000", "1111111",
  "1111011" }

local function glyphs()
  local all = {}
  for digit, lit in ipairs(LIT) do
    local rows = {}
    for y = 1, 28 do
      rows[y] = {}
      for x = 1, 28 do
        rows[y][x] = { 0 }
      end
    end
    for i, box in ipairs(SEGMENTS) do
      for y = box[1] + 1, lit:sub(i, i) == "1" and box[3] or 0 do
        for x = box[2] + 1, box[4] do
          rows[y][x] = { 1 }
        end
      end
    end
    all[digit] = rows
  end
  return tensor.new(all, "float32")
end

-- All digits, turned by some angles: (10 * ANGLES, 28, 28, 1), those of a digit one behind the other.
local function turned_glyphs()
  local angles = {}
  for i = 1, 10 * ANGLES do
    angles[i] = ((i - 1) % ANGLES / (ANGLES - 1) - 0.5) * 0.5
  end
  return require("moonpod.image").rotate(ops.repeat_(glyphs(), ANGLES, 0), tensor.new(angles, "float32"))
end

local function make_block(shapes, seed)
  local random = require "moonpod.func.random"
  local labels = random.uniform({ BLOCK }, { maxval = 10, dtype = "int32", seed = seed })
  local angles = random.uniform({ BLOCK }, { maxval = ANGLES, dtype = "int32", seed = seed + 1 })
  local drawn = ops.gather(shapes, labels * ANGLES + angles, 0)
  drawn = require("moonpod.image").random_crop(drawn, { 28, 28 }, { padding = 3, seed = seed + 2 })
  local ink = random.uniform({ BLOCK, 1, 1, 1 }, { minval = 160, maxval = 255, seed = seed + 3 })
  local noise = random.uniform({ BLOCK, 28, 28, 1 }, { minval = -24, maxval = 24, seed = seed + 4 })
  local pixels = ops.clip(drawn * ink + noise, 0, 255):cast "uint8":reshape { BLOCK, 28, 28 }
  return pixels, labels:cast "uint8"
end

--- Pictures in the form of MNIST, uint8 `(28, 28)`, and their digits, uint8 scalars: turned, moved and noisy digits of
--- a display. The same seed gives the same bytes.
---@param options.n integer how many (default 60000)
---@param options.seed integer what they are made from (default 1)
---@return dataset
---@example pod.data.synthetic.mnist({ n = 10 }):cardinality() --> 10
function synthetic.mnist(options)
  options = errors.check_options(options, { n = true, seed = true }, "synthetic.mnist")
  local count = dataset.check_integer(options.n or 60000, 1, "synthetic.mnist", "n")
  local seed = dataset.check_integer(options.seed or 1, 0, "synthetic.mnist", "the seed")
  local shapes, images, labels = turned_glyphs(), {}, {}
  for block = 0, math.ceil(count / BLOCK) - 1 do
    local pixels, digits = make_block(shapes, (seed * 2 ^ 20 + block * 8) % 2 ^ 52)
    local rows = math.min(BLOCK, count - block * BLOCK)
    images[block + 1] = ops.slice_axis(pixels, 0, 0, rows)
    labels[block + 1] = ops.slice_axis(digits, 0, 0, rows)
    tensor.buffer(images[block + 1]) -- made now: blocks share no memory
  end
  local set = dataset.of_rows { ops.concat(images, 0), ops.concat(labels, 0) }
  set.source = ("synthetic digits: %d images of 28x28 bytes in 10 classes, from seed %d"):format(count, seed)
  return set
end

return synthetic
