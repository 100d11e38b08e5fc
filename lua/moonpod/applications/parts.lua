-- parts - what the builders of known models share: their options, and blocks of layers.

local errors = require "moonpod.base.errors"
local layers = require "moonpod.layers"
local models = require "moonpod.models"

local parts = {}

-- The options of a builder with its defaults. Each is of the default's type; input_shape is a list of sizes.
function parts.options(given, defaults, where)
  local kinds = { name = "string" }
  for name, default in pairs(defaults) do
    kinds[name] = type(default) == "number" and "count" or type(default) == "table" and "list" or type(default)
  end
  given = errors.check_options(given, kinds, where)
  local options = { name = given.name }
  for name, default in pairs(defaults) do
    local value = given[name]
    if value == nil then
      value = default
    end
    if type(value) == "number" and value < 1 then
      errors.raise("%s: %s must be a whole number from 1; got %s", where, name, errors.describe(value))
    end
    options[name] = value
  end
  return options
end

-- A picture's input.
function parts.picture(options, where)
  local shape = options.input_shape
  if #shape ~= 3 then
    errors.raise("%s: input_shape is { height, width, channels }; got %d sizes", where, #shape)
  end
  return layers.input { shape = shape }
end

-- What comes behind the last features of a picture: their mean and the classes' logits or probabilities.
function parts.head(x, options)
  if not options.include_top then
    return x
  end
  x = layers.global_average_pooling2d { name = "avg_pool" } (x)
  return layers.dense(options.classes, { name = "predictions", activation = options.classifier_activation })(x)
end

function parts.model(name, inputs, outputs, options)
  return models.functional { inputs = inputs, outputs = outputs, name = options.name or name }
end

-- A transformer's block. how: heads, hidden (of the two layers within), epsilon, before (whether it normalizes before
-- each part, else behind their sums), causal, mask (of attention).
function parts.transformer(x, how)
  local width = x.shape[3]
  local function normalized(y)
    return layers.layer_normalization { epsilon = how.epsilon } (y)
  end
  local y = how.before and normalized(x) or x
  y = layers.multi_head_attention(how.heads, width / how.heads)(y, y, { use_causal_mask = how.causal or nil,
    attention_mask = how.mask })
  x = layers.add() { x, y }
  x = how.before and x or normalized(x)
  y = how.before and normalized(x) or x
  y = layers.dense(how.hidden, { activation = how.activation })(y)
  x = layers.add() { x, layers.dense(width)(y) }
  return how.before and x or normalized(x)
end

return parts
