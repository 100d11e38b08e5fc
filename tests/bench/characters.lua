-- Rows of characters for W4, and what follows each: the images' bytes stand for them.

local pod = require "moonpod"
local models = require "models"

return function()
  local root = os.getenv "MOONPOD_DATASETS" or "/usr/share/datasets"
  local pixels = pod.data.load_idx(root .. "/fashion-mnist/train-images-idx3-ubyte.gz"):reshape { -1 }
  local count = math.floor(pixels.shape[1] / (models.LENGTH + 1) / 8)
  local rows = pod.slice_axis(pixels, 0, 0, count * (models.LENGTH + 1)):cast("int32") % models.VOCABULARY
  rows = rows:reshape { count, models.LENGTH + 1 }
  return pod.data.from_tensor_slices { pod.slice_axis(rows, 1, 0, models.LENGTH),
    pod.slice_axis(rows, 1, 1, models.LENGTH + 1) }
end
