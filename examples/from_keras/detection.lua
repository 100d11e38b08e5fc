-- Object detection: a head that tells for each cell of a grid whether a shape has its middle there, which one it is and
-- how large. Ported from detection.py. Prints a line an epoch, and how many shapes of pictures kept apart are found.
--
--   moonpod examples/from_keras/detection.lua [folder=build/from_keras] [seed=1] [epochs=20]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 20)
pod.random.set_seed(seed)

local GRID = 4
local scenes = pod.data.load_npz(folder .. "/scenes.npz")
local x = scenes.pictures:cast "float32" / 255

-- For each cell: whether a shape is there, its class, its middle within the cell, its height and width.
local targets = {}
local boxes, classes = scenes.boxes:totable(), scenes.classes:totable()
for i, shapes in ipairs(boxes) do
  local cells = {}
  for j, box in ipairs(shapes) do
    local row, column = math.floor(box[1] * GRID), math.floor(box[2] * GRID)
    if classes[i][j] > 0 then
      cells[row * GRID + column] = { 1, classes[i][j] - 1, box[1] * GRID - row, box[2] * GRID - column, box[3], box[4] }
    end
  end
  targets[i] = {}
  for cell = 0, GRID * GRID - 1 do
    targets[i][cell + 1] = cells[cell] or { 0, 0, 0, 0, 0, 0 }
  end
end
local y = pod.tensor(targets):reshape { -1, GRID, GRID, 6 }
local count = math.floor(x.shape[1] * 4 / 5)

local model = pod.models.sequential {
  layers.input { 32, 32, 1 },
  layers.conv2d(16, 3, { padding = "same", activation = "relu" }),
  layers.max_pooling2d(),
  layers.conv2d(24, 3, { padding = "same", activation = "relu" }),
  layers.max_pooling2d(),
  layers.conv2d(32, 3, { padding = "same", activation = "relu" }),
  layers.max_pooling2d(),
  layers.conv2d(48, 3, { padding = "same", activation = "relu" }),
  layers.conv2d(6, 1),
}
model:summary()

-- Parts of what the head gives: logits of "a shape" and of its class, and the box.
local function parts(t)
  return t[{ "...", 0 }], t[{ "...", 1 }], t[{ "...", "2:" }]
end

local function crossentropy(labels, logits)
  return pod.softplus(logits) - labels * logits
end

local function detection_loss(y_true, y_pred)
  local there, class, box = parts(y_true)
  local there_pred, class_pred, box_pred = parts(y_pred)
  local off = pod.sum(pod.square(box - pod.sigmoid(box_pred)), -1)
  return pod.sum(crossentropy(there, there_pred) + there * (crossentropy(class, class_pred) + 10 * off), { 1, 2 })
end

model:compile { optimizer = pod.optimizers.adam(3e-3), loss = detection_loss }
model:fit(x[{ ":" .. count }], y[{ ":" .. count }], { batch_size = 8, epochs = epochs, verbose = 2 })

-- A shape is found where its cell says so, with the right class and a box that overlaps by more than half.
local there, class, box = parts(y[{ count .. ":" }])
local there_pred, class_pred, box_pred = parts(model:predict(x[{ count .. ":" }], { verbose = 0 }))
box_pred = pod.sigmoid(box_pred)
local function corners(b)
  local middle, size = b[{ "...", ":2" }] / GRID, b[{ "...", "2:" }]
  return middle - size / 2, middle + size / 2, pod.prod(size, -1)
end
local low, high, area = corners(box)
local low_pred, high_pred, area_pred = corners(box_pred)
local both = pod.prod(pod.maximum(pod.minimum(high, high_pred) - pod.maximum(low, low_pred), 0), -1)
local overlap = both / (area + area_pred - both)
local is_there = pod.greater(there_pred, 0):cast "float32"
local is_class = pod.equal(pod.greater(class_pred, 0):cast "float32", class):cast "float32"
local found = pod.sum(there * is_there * is_class * pod.greater(overlap, 0.5):cast "float32"):item()
print(("found: %.4f, of those told: %.4f"):format(found / pod.sum(there):item(),
  found / math.max(1, pod.sum(is_there):item())))
