-- json_logger - writes what happens in a training as lines of JSON, which programs that collect logs read.
--
-- Each line is an object: time (UTC), level, event, message, model and what belongs to the event. It is written at once
-- and whole: what a killed process leaves half is ended by the next one's first line. A run that is resumed goes on
-- behind the lines that its backup knows of.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local folders = require "moonpod.callbacks.folders"
local json = require "moonpod.base.json"
local log_file = require "moonpod.callbacks.log_file"
local readable = require "moonpod.base.readable"
local schema = require "moonpod.base.schema"
local warnings = require "moonpod.base.warnings"

local LEVELS = { debug = 1, info = 2, warning = 3, error = 4 }

local function check_level(level, where)
  if not LEVELS[level] then
    errors.raise("%s: the level must be 'debug', 'info', 'warning' or 'error', not %s", where, errors.describe(level))
  end
end

local function setup(self, where)
  check_level(self.level, where)
end

-- A value as JSON has it: numbers that are not finite are texts.
local function plain(value)
  if readable.is_plain(value) then
    local copy = {}
    for key, one in pairs(value) do
      copy[key] = plain(one)
    end
    return copy
  elseif type(value) == "number" and value - value ~= 0 then
    return value ~= value and "nan" or value > 0 and "inf" or "-inf"
  elseif type(value) == "number" or type(value) == "string" or type(value) == "boolean" then
    return value
  end
  return tostring(value)
end

-- Whether the last line of the file was not written to its end.
local function is_broken_off(path)
  local file = folders.open(path)
  local last = file and file:seek "end" > 0 and file:seek("end", -1) and file:read(1)
  if file then
    file:close()
  end
  return last and last ~= "\n"
end

local function open(self)
  folders.make_for(self.filename)
  local begins = is_broken_off(self.filename) and "\n" or ""
  log_file.open(self, "ab")
  self.begins = begins
end

local function put(self, line)
  log_file.write(self, self.begins .. line .. "\n")
  self.begins = ""
end

-- Writes a line of one's own: level, message and a table of what else is to stand in it.
local function write(self, level, message, fields)
  check_level(level, "json_logger:write")
  if LEVELS[level] < LEVELS[self.level] then
    return
  end
  local row = plain(fields or {})
  for key, value in pairs(plain(self.fields or {})) do
    row[key] = row[key] == nil and value or row[key]
  end
  row.time, row.level, row.message = os.date "!%Y-%m-%dT%H:%M:%SZ", level, tostring(message)
  local is_open = self.file ~= nil
  if not is_open then
    open(self)
  end
  put(self, json.encode(row, { where = "json_logger" }))
  if not is_open then
    log_file.close(self)
  end
end

local function event(self, level, name, message, more)
  more = more or {}
  more.event, more.model = name, self.model and self.model.name
  write(self, level, message, more)
end

local function end_file(self)
  local unwatch = self.unwatch
  self.unwatch = nil
  if unwatch then
    unwatch()
  end
  log_file.close(self)
end

local function on_train_begin(self)
  end_file(self)
  open(self)
  self.unwatch = warnings.watch(function(text, where)
    event(self, "warning", "warning", text, { where = where })
  end)
  local params = self.params or {}
  event(self, "info", "train_begin", "training begins", { epochs = params.epochs, steps = params.steps })
end

local function on_train_batch_end(self, batch, logs)
  event(self, "debug", "batch_end", ("batch %d"):format(batch), { batch = batch, logs = logs })
end

local function on_epoch_end(self, epoch, logs)
  event(self, "info", "epoch_end", ("epoch %d"):format(epoch), { epoch = epoch, logs = logs })
end

local function on_train_end(self, logs)
  event(self, "info", "train_end", "training ends", { logs = logs })
  end_file(self)
end

local function get_state(self)
  local file = self.file or folders.open(self.filename)
  local size = file and file:seek "end" or 0
  if file and not self.file then
    file:close()
  end
  return { size = size }
end

-- Cuts the file behind the lines that the run had written by then. What this run wrote stays, and a file that is
-- shorter: others may have moved the lines elsewhere.
local function set_state(self, state)
  if not self.file then
    log_file.cut(self, state.size)
  end
end

-- Called behind all: the file is open yet where the training did not come to its end.
local function close(self)
  if self.file then
    event(self, "error", "train_broken_off", "the training was broken off by an error or an interrupt")
  end
  end_file(self)
end

local define = callback.define { name = "json_logger", first = "filename", missing = "", setup = setup,
  defaults = { level = "info" }, kinds = { filename = "string", level = "string", fields = "table" },
  on_train_begin = on_train_begin, on_epoch_end = on_epoch_end, on_train_end = on_train_end, close = close,
  write = write, state = { size = schema.count }, get_state = get_state, set_state = set_state, sync = log_file.sync }

---@name pod.callbacks.json_logger
--- Writes what happens in a training as lines of JSON, behind those that are there: that it begins, each epoch with its
--- logs, warnings meanwhile, that it ends or was broken off. `:write(level, message, fields)` adds a line of one's own.
---@param options.filename string the file
---@param options.level "debug"|"info"|"warning"|"error" what is less is not written; "debug" has each batch
---@param options.fields table what stands in every line besides, as { run = "a7" }
---@return callback
---@example pod.callbacks.json_logger("run.jsonl").level --> "info"
return function(...)
  local self = define(...)
  if self.level == "debug" then -- else batches run on without their logs being read
    self.on_train_batch_end = on_train_batch_end
  end
  return self
end
