-- model_picture - the graph of a model's layers as a picture.

local description = require "moonpod.plot.description"
local model_graph = require "moonpod.summary.model_graph"
local symbolic = require "moonpod.layers.symbolic"
require "moonpod.plot.kinds"

local model_picture = {}

-- Describes a model's graph. Options: show_shapes, show_layer_names (both true), title.
function model_picture.describe(model, options)
  options = options or {}
  local nodes = {}
  for i, node in ipairs(model_graph.nodes(model)) do
    local lines = { node.op }
    if options.show_layer_names ~= false then
      lines[#lines + 1] = node.name
    end
    if node.shape and options.show_shapes ~= false then
      lines[#lines + 1] = symbolic.format_shape(node.shape)
    end
    nodes[i] = { name = node.name, inputs = node.inputs, lines = lines }
  end
  return description.new { kind = "graph", title = options.title or model.name or "", nodes = nodes }
end

return model_picture
