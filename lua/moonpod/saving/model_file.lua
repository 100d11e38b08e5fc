-- model_file - a model in one file: architecture, weights, what compile() was given, and all that training changes.

local architecture = require "moonpod.saving.architecture"
local errors = require "moonpod.base.errors"
local file = require "moonpod.saving.file"
local file_kinds = require "moonpod.saving.file_kinds"
local keras_model = require "moonpod.saving.keras_model"
local model_state = require "moonpod.saving.model_state"
local random = require "moonpod.func.random"
local weights = require "moonpod.saving.weights"

local model_file = {}

-- What a file of a model has.
local function content_of(model, options, where)
  local with_optimizer = options.include_optimizer ~= false and model.compiled or false
  return model_state.capture(model, { kind = "model", iterator = options.iterator,
    optimizer = with_optimizer and model.optimizer or false,
    values = {
      architecture = architecture.of(model, { where = where }),
      compile = with_optimizer and architecture.compile_config(model, { where = where .. ": what compile() was given" })
        or nil,
    } })
end

-- model:save(path, { background =, include_optimizer =, iterator = }). What cannot be saved is named before anything
-- is written. include_optimizer = false leaves out what compile() was given and the optimizer; iterator adds its
-- position in the data; background lets a thread of its own write the file, as save_weights does.
function model_file.save(model, path, options)
  errors.check_type(path, "string", "save", "the path")
  options = errors.check_options(options, { background = "boolean", include_optimizer = "boolean", iterator = true },
    "save")
  file_kinds.check(path, "model", "save")
  return file.write(path, content_of(model, options, "save"), { background = options.background })
end

-- model:to_string({ include_optimizer =, iterator = }): the bytes of the file that save() would write.
function model_file.to_string(model, options)
  options = errors.check_options(options, { include_optimizer = "boolean", iterator = true }, "to_string")
  return file.to_string(content_of(model, options, "to_string"))
end

local function read_model(path, options, text)
  local read = model_state.open(text and file.from_string(text, path) or file.read(path), path)
  if not read.architecture then
    errors.raise("%s: the file has no architecture: it is a %s; make the model and read it by %s", path,
      tostring(read.kind):sub(1, 40), read.kind == "weights" and "load_weights" or "pod.train.checkpoint's restore")
  end
  local where = path .. ": the architecture"
  local model = architecture.build_for(read.tensors, nil, read.architecture, {
    custom_objects = options.custom_objects, strategy = options.strategy, where = where })
  local compiles = options.compile ~= false and read.compile ~= nil
  if compiles then
    architecture.compile(model, read.compile, { custom_objects = options.custom_objects,
      where = path .. ": what compile() was given" })
  end
  model_state.apply(model, read, { iterator = options.iterator, optimizer = compiles and model.optimizer or false,
    random = compiles })
  return model
end

local LOADING = { custom_objects = "table", compile = "boolean", strategy = "strategy", iterator = true }

-- pod.models.load(path, { custom_objects =, compile =, strategy =, iterator = }). A model that was compiled is so again
-- and goes on where it was, with the same random numbers; compile = false leaves out what training needs. iterator is
-- put to the position that save() was given.
function model_file.load(path, options)
  errors.check_type(path, "string", "models.load", "the path")
  options = errors.check_options(options, LOADING, "models.load")
  local kind = file_kinds.check(path, "model", "models.load", true)
  return random.unless_it_fails(errors.reading, path, kind.ending == ".keras" and keras_model.load or read_model,
    path, options)
end

-- pod.models.from_string(text, options): as load(), of what to_string() gave or a file of save() has.
function model_file.from_string(text, options)
  errors.check_type(text, "string", "models.from_string", "the text")
  options = errors.check_options(options, LOADING, "models.from_string")
  return random.unless_it_fails(errors.reading, weights.STRING, read_model, weights.STRING, options, text)
end

return model_file
