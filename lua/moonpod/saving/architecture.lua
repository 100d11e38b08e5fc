-- architecture - models as plain data, without their weights: what they are made of, and what compile() was given.
--
--   local data = architecture.of(model)             { class_name = "Functional", config = { ... }, module = "models" }
--   local copy = architecture.build(data)           of the same names, with weights of its own
--
-- It is the form of Keras 3's model.to_json(), from which it differs in this:
--   * `module` is a short name ("layers", "losses", "ops"); there is no compile_config in it, and build_config only of
--     users' classes, which no option tells about
--   * options that were given by name stay names: kernel_initializer = "glorot_uniform"; options that have no value are
--     left out, where Keras writes null
--   * what symbolic tensors compute among themselves (x * 2) has module "ops" and config.operation, a method of tensors
--     or an event of Lua ("__mul"); its arguments are those of the call
--   * users' classes without get_config have config.arguments, those that their layer was made with
--   * a layer in several places has shared_object_id in each, and its config in the first alone
--   * models may have memory_options

local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local model_class = require "moonpod.models.model"
local objects = require "moonpod.saving.objects"
local random = require "moonpod.func.random"
local schema = require "moonpod.base.schema"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"

local architecture = {}

local function check_model(model, where)
  if not model_class.is_model(model) then
    errors.raise("%s: a model is needed, not %s", where, errors.describe(model))
  end
end

-- The plain data of a model. Raises for what no file can hold, and names it.
function architecture.of(model, options)
  check_model(model, "architecture")
  options = options or {}
  return objects.serialize(model, { live = options.live, where = options.where or "the model's architecture" })
end

-- The model of plain data. Options: custom_objects (name -> class or function), strategy (that it is made under; the
-- current one), where (what messages begin with).
function architecture.build(data, options)
  options = options or {}
  local where = options.where or "the model's architecture"
  local model = random.unless_it_fails(errors.reading, where, strategies.within, options.strategy, function()
    return objects.deserialize(data, "model", { custom_objects = options.custom_objects, live = options.live,
      where = where })
  end)
  check_model(model, where)
  return model
end

-- What a model has besides its weights, such as states of random numbers: so many elements.
local OTHERS = 65536

-- As build() where the weights come from a file, whose tensors are given by name: an architecture of more weights than
-- are there is refused before memory is taken for them. Where the file's cannot be read, `failure` is raised then.
function architecture.build_for(tensors, failure, data, options)
  local elements = 0
  for _, value in pairs(tensors or {}) do
    elements = elements + shapes.product(value.shape)
  end
  return variable.bounded(elements + OTHERS, function(name, shape)
    if not tensors then
      error(failure, 0)
    end
    errors.raise("%s has more weights than the file, whose tensors have %d elements in all: it is damaged, or of "
      .. "another model; '%s' of shape %s would be one too many", options.where, elements, name, tostring(shape))
  end, architecture.build, data, options)
end

-- ---- compile() ------------------------------------------------------------------------------------------------------

local SETTINGS = { "loss", "loss_weights", "metrics", "weighted_metrics", "run_eagerly", "jit_compile",
  "auto_scale_loss", "on_nan" }

-- The plain data of what compile() was given, with the optimizer as it is now; nil for a model that is not compiled.
function architecture.compile_config(model, options)
  options = options or {}
  if not model.compiled then
    return nil
  end
  local settings = tables.pick(model._state.compile_options, SETTINGS)
  settings.optimizer, settings.steps_per_execution = model.optimizer, model.steps_per_execution
  return objects.serialize(settings, { live = options.live, where = options.where or "what compile() was given" })
end

-- Compiles a model by what compile_config() gave. Options: custom_objects, where.
function architecture.compile(model, data, options)
  options = options or {}
  local where = options.where or "what compile() was given"
  errors.check_type(data, "table", where, "it")
  local MODULE = { loss = "loss", metrics = "metric", weighted_metrics = "metric", optimizer = "optimizer" }
  errors.reading(where, strategies.within, model._strategy, function()
    local settings = {}
    for name, value in pairs(data) do
      settings[name] = value
      if type(value) == "table" then
        settings[name] = objects.deserialize(value, MODULE[name], { custom_objects = options.custom_objects,
          live = options.live, where = where })
      end
    end
    model:compile(settings)
  end)
  return model
end

-- ---- text -----------------------------------------------------------------------------------------------------------

-- What model:to_json() gives.
function architecture.to_json(model, options)
  options = errors.check_options(options, { indent = "count" }, "to_json")
  return json.encode(architecture.of(model, { where = "to_json" }), { indent = options.indent, where = "to_json" })
end

-- Builds what data tell: also of a config alone, of a sequential or functional model.
local function from_data(data, options, where)
  errors.check_type(data, "table", where, "the data")
  options = errors.check_options(options, { custom_objects = "table", strategy = "strategy" }, where)
  if data.class_name == nil and type(data.layers) == "table" then
    data = { class_name = data.input_layers and "Functional" or "Sequential", config = data }
  end
  return architecture.build(data, { custom_objects = options.custom_objects, strategy = options.strategy,
    where = where })
end

-- What pod.models.from_json() gives.
function architecture.from_json(text, options)
  local where = "models.from_json"
  errors.check_type(text, "string", where, "the text")
  return from_data(schema.read(text, schema.object {}, where), options, where)
end

-- What pod.models.from_config() gives.
function architecture.from_config(data, options)
  return from_data(data, options, "models.from_config")
end

return architecture
