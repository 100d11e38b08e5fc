-- file_kinds - which files there are, by the end of their names, and who reads and writes them.

local errors = require "moonpod.base.errors"
local keras_weights = require "moonpod.saving.keras_weights"
local torch_weights = require "moonpod.saving.torch_weights"

local file_kinds = {}

-- Each has: ending; weights, model: "both", "read" or nil, what can be done with such a file. Those of others than the
-- project have
--   write_weights(model, path, options)
--   read_weights(model, path, options), which returns the model's weights by their names in the file, the file's
--     tensors by name, which of their names are others in the model, and what to call when all are loaded
--   style: files that have this style are asked for by it
file_kinds.list = {
  { ending = ".safetensors", weights = "both", model = "both" },
  { ending = ".weights.h5", weights = "both", write_weights = keras_weights.write, read_weights = keras_weights.read },
  { ending = ".safetensors", style = "torch", weights = "both", write_weights = torch_weights.write,
    read_weights = torch_weights.read },
  { ending = ".keras", weights = "read", model = "read", read_weights = keras_weights.read },
}

-- The kind of file that a path names. what: "weights" or "model"; reading: whether it is read. Raises where there is
-- none of that ending, or none that can be written.
function file_kinds.check(path, what, where, reading, style)
  local endings, styles = {}, {}
  for _, kind in ipairs(file_kinds.list) do
    local can = kind[what] == "both" or reading and kind[what] == "read"
    if can and kind.style == style and path:sub(-#kind.ending) == kind.ending then
      return kind
    end
    endings[#endings + 1] = can and kind.style == style and '"' .. kind.ending .. '"' or nil
    styles[#styles + 1] = can and kind.style and '"' .. kind.style .. '"' or nil
  end
  if #endings == 0 then
    errors.raise('%s: there is no style "%s" of files, but %s', where, style, table.concat(styles, " and "))
  end
  errors.raise('%s: the path "%s" must end in %s', where, path, table.concat(endings, " or "))
end

return file_kinds
