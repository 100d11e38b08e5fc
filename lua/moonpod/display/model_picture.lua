-- model_picture - the graph of a model's layers as a picture.

local description = require "moonpod.plot.description"
local model_graph = require "moonpod.summary.model_graph"
local symbolic = require "moonpod.layers.symbolic"
require "moonpod.plot.kinds"

local model_picture = {}

-- The name of a layer's activation, or nil.
local function activation_of(layer)
  local given = layer and layer.config and layer.config.activation
  return type(given) == "string" and given or given and "function" or nil
end

-- Describes a model's graph. Options: show_shapes, show_layer_names (both true), show_dtype, show_layer_activations,
-- show_trainable (false), title.
function model_picture.describe(model, options)
  options = options or {}
  local nodes = {}
  local list, of = model_graph.nodes(model)
  for i, node in ipairs(list) do
    local layer, dtype = of[node.name].layer, of[node.name].dtype
    local lines = { node.op }
    if options.show_layer_names ~= false then
      lines[#lines + 1] = node.name
    end
    if node.shape and options.show_shapes ~= false then
      lines[#lines + 1] = symbolic.format_shape(node.shape)
    end
    local activation = options.show_layer_activations and activation_of(layer)
    lines[#lines + 1] = activation and "activation " .. activation or nil
    lines[#lines + 1] = options.show_dtype and dtype or nil
    if options.show_trainable and layer and #layer.weights > 0 then
      lines[#lines + 1] = layer.trainable and "trainable" or "not trainable"
    end
    nodes[i] = { name = node.name, inputs = node.inputs, lines = lines }
  end
  return description.new { kind = "graph", title = options.title or model.name or "", nodes = nodes }
end

return model_picture
