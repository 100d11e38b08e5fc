-- checkpoint_manager - numbered checkpoints in a folder, of which the last ones stay.

local checkpoint = require "moonpod.saving.checkpoint"
local core_call = require "moonpod.tensor.core_call"
local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local file = require "moonpod.saving.file"
local header = require "moonpod.saving.header"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"

local manager = {}

local Manager = { __name = "moonpod.checkpoint_manager" }
local methods = {}

local OPTIONS = { checkpoint = "checkpoint", directory = "string", max_to_keep = "count",
  keep_checkpoint_every_n_hours = "number", checkpoint_name = "string", step_counter = true,
  checkpoint_interval = "count", init_fn = "function" }

local is_manager = declare.is(Manager)

-- The file that says which checkpoints stay for good.
local function kept_path(self)
  return self._prefix .. ".kept.safetensors"
end

local function write_kept(self)
  local list = tables.sorted_keys(self._kept)
  file.write(kept_path(self), { tensors = {}, metadata = header.make("checkpoint", { extra = { kept = list,
    last = self._last_kept } }) })
end

local KEPT = schema.object { kept = schema.list_of(schema.count), last = schema.number }

local function read_kept(self)
  local path = kept_path(self)
  local there = device.open(path, "rb")
  if not there then
    return
  end
  there:close()
  local found = header.read(file.read(path).metadata, path, KEPT)
  if not found or not found.extra then
    errors.raise("%s: the file is none that a checkpoint_manager wrote", path)
  end
  for _, number in ipairs(found.extra.kept) do
    self._kept[number] = true
  end
  self._last_kept = found.extra.last
end

-- Options as TensorFlow's: checkpoint, directory, max_to_keep (nil: all), keep_checkpoint_every_n_hours (one in so many
-- hours stays for good), checkpoint_name ("ckpt"), step_counter (a variable), checkpoint_interval (steps between two
-- saves at least), init_fn (called by restore_or_initialize where there is nothing to restore).
function manager.new(options)
  options = errors.check_options(options, OPTIONS, "train.checkpoint_manager")
  for _, name in ipairs { "checkpoint", "directory" } do
    if options[name] == nil then
      errors.raise("train.checkpoint_manager: '%s' is missing; write train.checkpoint_manager{ checkpoint = saved, "
        .. "directory = \"checkpoints\", max_to_keep = 3 }", name)
    end
  end
  if options.max_to_keep == 0 then
    errors.raise("train.checkpoint_manager: max_to_keep must be at least 1, or nil to keep all")
  elseif options.checkpoint_interval and not variable.is_variable(options.step_counter) then
    errors.raise("train.checkpoint_manager: checkpoint_interval needs step_counter, a variable that counts the steps")
  end
  local name = options.checkpoint_name or "ckpt"
  if name == "" or name:find "/" then
    errors.raise("train.checkpoint_manager: checkpoint_name is the beginning of files' names, not %q", name)
  end
  local directory = options.directory:gsub("(.)/+$", "%1")
  core_call("make_folder", directory)
  local self = setmetatable({ checkpoint = options.checkpoint, directory = directory, _options = options,
    _prefix = directory .. "/" .. name, _kept = {}, _files = {} }, Manager)
  self._last_kept = os.time()
  read_kept(self)
  for _, entry in ipairs(checkpoint.numbered(self._prefix)) do
    self._files[#self._files + 1] = not self._kept[entry.number] and tables.merge(entry, { time = os.time() }) or nil
  end
  return self
end

-- Deletes what is more than max_to_keep, but for one in so many hours. A file is deleted once the newest is there.
local function delete_old(self)
  local most, hours = self._options.max_to_keep, self._options.keep_checkpoint_every_n_hours
  while most and #self._files > most do
    local oldest = table.remove(self._files, 1)
    if hours and oldest.time - self._last_kept >= hours * 3600 then
      self._kept[oldest.number], self._last_kept = true, oldest.time
      write_kept(self)
    else
      device.remove(oldest.path)
    end
  end
end

-- Waits for the file that is being written, if any, and deletes what is too much then.
function methods.wait(self)
  local writing = self._writing
  self._writing = nil
  if writing then
    local ok, failure = pcall(writing.handle.wait, writing.handle)
    if not ok then
      tables.remove(self._files, writing.entry)
      error(failure, 0)
    end
    delete_old(self)
  end
end

local function steps_of(self)
  return self._options.step_counter:value():item()
end

-- Whether enough steps went by since the last save.
local function is_due(self)
  local interval = self._options.checkpoint_interval
  return not interval or not self._last_step or steps_of(self) - self._last_step >= interval
end

-- Saves a checkpoint and deletes what is too much. Options: checkpoint_number (one more than the last), check_interval
-- (true), background (a thread of its own writes the file; what it fails by is raised by the next save or wait()).
-- Returns the path; nil where checkpoint_interval steps have not gone by.
function methods.save(self, options)
  options = errors.check_options(options, { checkpoint_number = "count", check_interval = "boolean",
    background = "boolean" }, "checkpoint_manager:save")
  if options.check_interval ~= false and not is_due(self) then
    return nil
  end
  self:wait()
  local last = self._files[#self._files]
  local number = options.checkpoint_number or math.max(self.checkpoint._count, last and last.number or 0) + 1
  local path = checkpoint.path(self._prefix, number)
  local before = self.checkpoint._count
  self.checkpoint._count = number
  local ok, handle = pcall(self.checkpoint.write, self.checkpoint, path, { background = options.background })
  if not ok then
    self.checkpoint._count = before
    error(handle, 0)
  end
  local entry = { path = path, number = number, time = os.time() }
  for i = #self._files, 1, -1 do
    if self._files[i].number == number then
      table.remove(self._files, i)
    end
  end
  table.insert(self._files, entry)
  self._last_step = self._options.step_counter and steps_of(self) or nil
  self._writing = handle and { handle = handle, entry = entry }
  if not handle then
    delete_old(self)
  end
  return path
end

-- Restores the newest checkpoint, or calls init_fn where there is none. Returns the path of what was restored, or nil.
function methods.restore_or_initialize(self)
  self:wait()
  local paths = self.checkpoints
  local place = checkpoint.restore_newest(self.checkpoint, paths)
  if not place and self._options.init_fn then
    self._options.init_fn()
  end
  self._last_step = self._options.step_counter and place and steps_of(self) or self._last_step
  return place and paths[place]
end

-- checkpoints: the paths of those that are kept by max_to_keep, the newest last; latest_checkpoint: the newest.
function Manager.__index(self, key)
  if key == "checkpoints" then
    return tables.column(self._files, "path")
  elseif key == "latest_checkpoint" then
    local last = rawget(self, "_files")[#rawget(self, "_files")]
    return last and last.path
  end
  return methods[key]
end

function Manager.__tostring(self)
  return ("<checkpoint_manager of %s, %d checkpoints>"):format(self.directory, #self._files)
end

declare.methods("checkpoint_manager", methods, is_manager, { ["options?"] = "save" })

return manager
