-- file_kinds - which files there are, by the end of their names, and who reads and writes them.

local errors = require "moonpod.base.errors"

local file_kinds = {}

-- Each has: ending; weights, model: "both", "read" or nil, what can be done with such a file. Those of others than the
-- project have write_weights(path, list, options), read_weights(path, model) and read_model(path, options).
file_kinds.list = {
  { ending = ".safetensors", weights = "both", model = "both" },
}

-- The kind of file that a path names. what: "weights" or "model"; reading: whether it is read. Raises where there is
-- none of that ending, or none that can be written.
function file_kinds.check(path, what, where, reading)
  local endings = {}
  for _, kind in ipairs(file_kinds.list) do
    local can = kind[what] == "both" or reading and kind[what] == "read"
    if can and path:sub(-#kind.ending) == kind.ending then
      return kind
    end
    endings[#endings + 1] = can and '"' .. kind.ending .. '"' or nil
  end
  errors.raise('%s: the path "%s" must end in %s', where, path, table.concat(endings, " or "))
end

return file_kinds
