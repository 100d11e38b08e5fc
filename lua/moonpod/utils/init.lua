--- Helpers with the names that Keras has in `keras.utils`.
---@example pod.utils.plot_model(pod.models.sequential { pod.layers.dense(2) }).kind --> "graph"

local arrays = require "moonpod.utils.arrays"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local model_picture = require "moonpod.display.model_picture"

local utils = { pad_sequences = arrays.pad_sequences, to_categorical = arrays.to_categorical,
  timeseries_dataset_from_array = arrays.timeseries_dataset_from_array }

local PLOT_MODEL = { to_file = "string", show_shapes = "boolean", show_dtype = "boolean", show_layer_names = "boolean",
  show_layer_activations = "boolean", show_trainable = "boolean", title = "string", theme = "string",
  rankdir = true, expand_nested = true, dpi = true, layer_range = true }

-- What Keras' plot_model has besides, with the one value that is drawn here, and why.
local ONE_WAY = {
  rankdir = { "TB", "layers are drawn from top to bottom" },
  expand_nested = { true, "layers of models within are drawn, too" },
  dpi = { 192, "that is what a .png has, and an .svg is sharp at any size" },
  layer_range = { false, "all layers are drawn; draw a model of those: pod.models.functional { inputs =, outputs = }" },
}

--- Draws a model as the graph of its layers, and writes it to a file where a path is given.
---@param model model a model; layers of models within it are drawn, too
---@param path string the file, whose ending says what is written: .svg, .png, .html or .txt
---@param options.to_file string the file, in the place of `path`
---@param options.show_shapes boolean shapes of what layers give, where they are known (true)
---@param options.show_layer_names boolean names of layers (true)
---@param options.show_dtype boolean types of what layers give (false)
---@param options.show_layer_activations boolean the activation of layers that have one (false)
---@param options.show_trainable boolean whether the weights of layers are trained (false)
---@param options.title string what stands above (the model's name)
---@param options.theme string "auto", "light" or "dark"
---@param options.rankdir string "TB", from top to bottom, as it is drawn; Keras' others are refused
---@param options.expand_nested boolean true, as it is drawn
---@param options.dpi integer 192, as a .png is drawn
---@param options.layer_range table refused: all layers are drawn
---@return description picture
---
---```lua
---local model = pod.models.sequential { pod.layers.dense(4, { input_shape = { 8 } }), pod.layers.dense(1) }
---assert(pod.utils.plot_model(model):svg():find "Dense")
---```
function utils.plot_model(model, path, options)
  if options == nil and type(path) == "table" then
    path, options = nil, path
  end
  options = errors.check_options(options, PLOT_MODEL, "utils.plot_model")
  for name, wanted in pairs(ONE_WAY) do
    local given = options[name]
    if given ~= nil and given ~= wanted[1] then
      errors.raise("utils.plot_model: '%s' can be %s alone: %s; got %s", name, tostring(wanted[1]), wanted[2],
        errors.describe(given))
    end
  end
  path = errors.once(path, options, "to_file", "utils.plot_model")
  local picture = model_picture.describe(model, options)
  if path ~= nil then
    errors.check_type(path, "string", "utils.plot_model", "the path")
    picture:save(path, not path:find "%.txt$" and { theme = options.theme } or nil)
  end
  return picture
end

return declare.functions("utils", utils, {
  ["model path:any? options?"] = "plot_model",
  ["sequences:list options?"] = "pad_sequences",
  ["labels:value num_classes:any?"] = "to_categorical",
  ["data:value targets:any? options?"] = "timeseries_dataset_from_array",
})
