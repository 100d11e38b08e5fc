-- projector - the tables of embedding layers for TensorBoard's page of embeddings: one file of numbers a layer, of the
-- last epoch that was written, and projector_config.pbtxt, which names them.

local core_call = require "moonpod.tensor.core_call"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"

local projector = {}

local function each_embedding(model, visit)
  model:each_layer(function(one)
    if one.class_name == "Embedding" then
      visit(one)
    end
  end)
end

-- A text of the text format of protocol buffers.
local function quoted(text)
  return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"'
end

local function file_of(one)
  return (one.name:gsub("[^%w_.-]", "_")) .. ".tsv"
end

-- Writes the configuration. metadata: a file for all layers, or files by the names of layers.
function projector.configure(log_dir, model, metadata)
  local left, lines = tables.merge(type(metadata) == "table" and metadata or nil), {}
  each_embedding(model, function(one)
    local file = type(metadata) == "table" and metadata[one.name] or type(metadata) == "string" and metadata or nil
    left[one.name] = nil
    lines[#lines + 1] = ("embeddings {\n  tensor_name: %s\n  tensor_path: %s\n%s}\n"):format(quoted(one.name),
      quoted(file_of(one)), file and ("  metadata_path: %s\n"):format(quoted(file)) or "")
  end)
  if next(left) ~= nil then
    errors.raise("callbacks.tensorboard: embeddings_metadata has '%s', which is no Embedding layer of the model",
      tostring(next(left)))
  end
  core_call("file_write", log_dir .. "/projector_config.pbtxt", table.concat(lines))
end

-- Writes the tables as they are now.
function projector.write(log_dir, model)
  each_embedding(model, function(one)
    if not one.built then
      return
    end
    local rows = one.embeddings:value():cast("float32"):totable()
    local lines = {}
    for i, cells in ipairs(rows) do
      for j, value in ipairs(cells) do
        cells[j] = decimal.format("%.9g", value)
      end
      lines[i] = table.concat(cells, "\t") .. "\n"
    end
    core_call("file_write", log_dir .. "/" .. file_of(one), table.concat(lines))
  end)
end

return projector
