-- checkpoint - what loops of one's own save and go on from: pod.train.checkpoint{ model =, optimizer =, step =, ... }.
--
-- A checkpoint has models, layers, optimizers, variables, metrics and iterators by name; numbers, texts, booleans and
-- tables of those are its own fields, saved as they are. Random numbers are saved with each.

local data = require "moonpod.data"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local file = require "moonpod.saving.file"
local kinds = require "moonpod.base.kinds"
local model_state = require "moonpod.saving.model_state"
local readable = require "moonpod.base.readable"
local run_parts = require "moonpod.saving.run_parts"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local warnings = require "moonpod.base.warnings"

local checkpoint = {}

local Checkpoint = { __name = "moonpod.checkpoint" }
local methods = {}

-- Whether a value is a checkpoint.
checkpoint.is_checkpoint = declare.is(Checkpoint)

local PLAIN = { number = true, string = true, boolean = true }

-- The objects, and the fields that are plain values.
local function split(self)
  local objects, plain = {}, {}
  for name, value in pairs(self) do
    if type(name) ~= "string" then
      errors.raise("train.checkpoint: what is saved has a name, such as { model = model }; %s has none",
        errors.describe(value))
    elseif name:sub(1, 1) ~= "_" then
      local is_plain = PLAIN[type(value)]
        or readable.is_plain(value) and not run_parts.kind_of(value)
      local into = is_plain and plain or objects
      into[name] = value
    end
  end
  return objects, plain
end

-- Makes a checkpoint of what it is to keep.
function checkpoint.new(objects)
  errors.check_type(objects, "table", "train.checkpoint", "the objects")
  local self = setmetatable({ _count = 0 }, Checkpoint)
  for name, object in pairs(objects) do
    if type(name) == "string" and (methods[name] or name:sub(1, 1) == "_") then
      errors.raise("train.checkpoint: '%s' is a name of the checkpoint's own; give what is saved another", name)
    end
    rawset(self, name, object)
  end
  run_parts.list((split(self)), "train.checkpoint")
  return self
end

local function options_of(objects)
  local others = {}
  for name, object in pairs(objects) do
    if name ~= "model" and name ~= "optimizer" and name ~= "iterator" then
      others[name] = object
    end
  end
  return { optimizer = objects.optimizer or false, iterator = objects.iterator, others = others }
end

-- Writes the state of now to a file. Options: background (a thread of its own writes it; what is returned then has
-- wait()).
function methods.write(self, path, options)
  options = errors.check_options(options, { background = "boolean" }, "checkpoint:write")
  local objects, plain = split(self)
  local captured = options_of(objects)
  captured.extra = { fields = plain, count = self._count }
  return file.write(path, model_state.capture(objects.model, captured), { background = options.background })
end

-- Files of models may be read as well: they have no `extra`.
local EXTRA = schema.object { fields = schema.optional(schema.map_of(schema.any)),
  count = schema.optional(schema.count) }

-- Puts everything back to what a file has: all of it, or nothing.
function methods.restore(self, path)
  local objects = split(self)
  local read = model_state.open(file.read(path), path, EXTRA)
  local extra = model_state.apply(objects.model, read, options_of(objects)) or {}
  for name, value in pairs(extra.fields or {}) do
    if not objects[name] and not methods[name] and name:sub(1, 1) ~= "_" then
      rawset(self, name, value)
    end
  end
  self._count = extra.count or self._count
  return self
end

-- ---- numbered files -------------------------------------------------------------------------------------------------

-- The files PREFIX-1.safetensors, PREFIX-2.safetensors, ... that there are, by their numbers: { path =, number = }.
function checkpoint.numbered(prefix)
  local found = {}
  local pattern = prefix:gsub("[%*%?%[%]{}\\]", "\\%0") .. "-*.safetensors"
  local ok, names = errors.attempt(function()
    return data.list_files(pattern, { shuffle = false }):totable()
  end)
  if not ok and not tostring(names):find("no file has a name like", 1, true) then
    error(names, 0)
  end
  for _, path in ipairs(ok and names or {}) do
    local number = path:sub(#prefix + 1):match "^%-(%d+)%.safetensors$"
    if number and #number < 16 then
      found[#found + 1] = { path = path, number = tonumber(number) }
    end
  end
  table.sort(found, function(a, b)
    return a.number < b.number
  end)
  return found
end

-- The path of a numbered file.
function checkpoint.path(prefix, number)
  return ("%s-%.0f.safetensors"):format(prefix, number)
end

-- Writes PREFIX-N.safetensors, N being one more than that of the last save. Options: background. Returns the path, and
-- with background what has wait().
function methods.save(self, prefix, options)
  local before = self._count
  self._count = before + 1
  local path = checkpoint.path(prefix, self._count)
  local ok, written = pcall(self.write, self, path, options)
  if not ok then
    self._count = before
    error(written, 0)
  end
  return path, written
end

-- Restores the newest of `paths` that is not refused, the newest last. Returns its place, nil where there is none.
function checkpoint.restore_newest(self, paths)
  local failure
  for i = #paths, 1, -1 do
    local ok, message = errors.attempt(methods.restore, self, paths[i])
    if ok then
      if failure then
        warnings.warn("checkpoint: %s; going on from %s", failure, paths[i])
      end
      return i
    end
    failure = failure or tostring(message)
  end
  if failure then
    errors.raise("checkpoint: none of the files can be read: %s", failure)
  end
end

-- Restores the file of the highest number that save() wrote with this prefix. One that is refused is passed over with a
-- warning. Returns its path, nil where there is none.
function methods.restore_latest(self, prefix)
  local paths = tables.column(checkpoint.numbered(prefix), "path")
  local place = checkpoint.restore_newest(self, paths)
  return place and paths[place]
end

Checkpoint.__index = methods

function Checkpoint.__tostring(self)
  local objects, plain = split(self)
  local names = {}
  for _, from in ipairs { objects, plain } do
    for name in pairs(from) do
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return ("<checkpoint of %s>"):format(table.concat(names, ", "))
end

kinds.define("checkpoint", checkpoint.is_checkpoint, "a checkpoint")
declare.methods("checkpoint", methods, checkpoint.is_checkpoint, {
  ["path options?"] = "write",
  ["path"] = "restore",
  ["prefix:string options?"] = "save",
  ["prefix:string"] = "restore_latest",
})

return checkpoint
