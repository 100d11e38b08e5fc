-- csv_logger - writes the logs of each epoch as a line of a file, as Keras' does.
--
-- Options: filename, separator (","), append (false). A run that is resumed goes on behind the lines of the epochs that
-- its backup knows of.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local log_file = require "moonpod.callbacks.log_file"
local python_text = require "moonpod.callbacks.python_text"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"

local function setup(self, where)
  if #self.separator ~= 1 then
    errors.raise("%s: 'separator' must be one character, not %q", where, self.separator)
  end
end

local function on_train_begin(self)
  log_file.close(self)
  self.keys = nil
  self.size = self.append and #log_file.content(self) or 0
  self.has_header = self.append and self.size > 0
  -- A run that goes on cuts the file in set_state(): what stands there is needed yet.
  log_file.open(self, (self.append or self.run and self.run:is_resumed()) and "ab" or "wb")
end

-- A field as Python's csv writes it.
local function quoted(text, separator)
  if text:find('["\r\n' .. (separator:gsub("%W", "%%%0")) .. "]") then
    return '"' .. text:gsub('"', '""') .. '"'
  end
  return text
end

local function write_line(self, fields)
  local line = table.concat(tables.map(fields, quoted, self.separator), self.separator) .. "\r\n"
  log_file.write(self, line)
  self.size = self.size + #line
end

-- The columns: the logs of the first epoch, and where none is of validation, room for those.
local function columns(logs)
  local keys, has_validation = {}, false
  for name in pairs(logs) do
    keys[#keys + 1] = name ~= "batches" and name or nil
    has_validation = has_validation or name:find "^val_" ~= nil
  end
  table.sort(keys)
  for i = 1, has_validation and 0 or #keys do
    keys[#keys + 1] = "val_" .. keys[i]
  end
  return keys
end

local function field_of(value)
  if value == nil then
    return "NA"
  elseif type(value) == "table" then
    return '"' .. python_text.value(value) .. '"'
  end
  return python_text.value(value)
end

local function on_epoch_end(self, epoch, logs)
  logs = logs or {}
  self.keys = self.keys or columns(logs)
  if not self.has_header then
    self.has_header = true
    write_line(self, tables.join({ "epoch" }, self.keys))
  end
  local fields = { ("%d"):format(epoch) }
  for i, key in ipairs(self.keys) do
    fields[i + 1] = field_of(logs[key])
  end
  write_line(self, fields)
end

local function check_state(self, state)
  local size = #log_file.content(self)
  if size < state.size then
    errors.raise("csv_logger: %s has %d bytes; the run that is resumed had written %d: it is another file, or was "
      .. "changed", self.filename, size, state.size)
  end
end

-- Cuts the file behind the lines that the run had written by then.
local function set_state(self, state)
  check_state(self, state)
  log_file.close(self)
  log_file.cut(self, state.size)
  self.keys, self.size, self.has_header = state.keys, state.size, state.has_header
  log_file.open(self, "ab")
end

---@name pod.callbacks.csv_logger
--- Writes the logs of each epoch as a line of a file, as Keras' does.
---@param options.filename string the file
---@param options.separator string one character
---@param options.append boolean whether lines are added to a file that is there
---@return callback
--- ```lua
--- local path = os.tmpname()
--- local model = pod.models.sequential {
---   pod.layers.dense(1, { input_shape = { 1 }, kernel_initializer = "zeros" }) }
--- model:compile { optimizer = pod.optimizers.sgd(0.125), loss = "mse" }
--- model:fit(pod.ones { 1, 1 }, pod.tensor { { 2 } },
---   { epochs = 3, verbose = 0, callbacks = { pod.callbacks.csv_logger(path) } })
--- for line in io.lines(path) do
---   print((line:gsub("\r$", "")))
--- end
--- --> epoch,loss,val_loss
--- --> 0,4.0,NA
--- --> 1,1.0,NA
--- --> 2,0.25,NA
--- os.remove(path)
--- ```
return callback.define {
  name = "csv_logger", first = "filename", missing = "", setup = setup, defaults = { separator = ",", append = false },
  kinds = { filename = "string", separator = "string", append = "boolean" },
  state = { keys = schema.optional(schema.list_of(schema.text)), size = schema.count, has_header = schema.boolean },
  on_train_begin = on_train_begin, on_epoch_end = on_epoch_end, on_train_end = log_file.close, close = log_file.close,
  check_state = check_state, set_state = set_state, sync = log_file.sync,
}
