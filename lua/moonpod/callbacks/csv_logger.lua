-- csv_logger - writes the logs of each epoch as a line of a file, as Keras' does.
--
-- Options: filename, separator (","), append (false). A run that is resumed goes on behind the lines of the epochs that
-- its backup knows of.

local device = require "moonpod.tensor.device"
local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local folders = require "moonpod.callbacks.folders"
local python_text = require "moonpod.callbacks.python_text"

local function setup(self, where)
  if self.filename == nil or self.filename == "" then
    errors.raise("%s: 'filename' is missing", where)
  elseif #self.separator ~= 1 then
    errors.raise("%s: 'separator' must be one character, not %q", where, self.separator)
  end
end

local function close(self)
  local file = self.file
  self.file = nil
  if file and not file:close() then
    errors.raise("csv_logger: %s could not be written to its end", self.filename)
  end
end

local function open(self, mode)
  local file, message = device.open(self.filename, mode)
  if not file then
    errors.raise("csv_logger: %s", message)
  end
  return file
end

-- What stands in a file, "" where there is none.
local function content(self)
  local file = folders.open(self.filename)
  if not file then
    return ""
  end
  local text, message = file:read "*a"
  file:close()
  return text or errors.raise("csv_logger: %s: %s", self.filename, message)
end

local function on_train_begin(self)
  close(self)
  self.keys = nil
  self.size = self.append and #content(self) or 0
  self.has_header = self.append and self.size > 0
  -- A run that goes on cuts the file in set_state(): what stands there is needed yet.
  self.file = open(self, (self.append or self.run and self.run:is_resumed()) and "ab" or "wb")
end

-- A field as Python's csv writes it.
local function quoted(self, text)
  if text:find('["\r\n' .. (self.separator:gsub("%W", "%%%0")) .. "]") then
    return '"' .. text:gsub('"', '""') .. '"'
  end
  return text
end

local function write_line(self, fields)
  for i, field in ipairs(fields) do
    fields[i] = quoted(self, field)
  end
  local line = table.concat(fields, self.separator) .. "\r\n"
  local ok, message = self.file:write(line)
  if ok then
    ok, message = self.file:flush()
  end
  if not ok then
    errors.raise("csv_logger: %s: %s", self.filename, message)
  end
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
    local header = { "epoch" }
    for i, key in ipairs(self.keys) do
      header[i + 1] = key
    end
    write_line(self, header)
  end
  local fields = { ("%d"):format(epoch) }
  for i, key in ipairs(self.keys) do
    fields[i + 1] = field_of(logs[key])
  end
  write_line(self, fields)
end

-- Cuts the file behind the lines that the run had written by then.
local function set_state(self, state)
  local text = content(self)
  if #text < state.size then
    errors.raise("csv_logger: %s has %d bytes; the run that is resumed had written %d: it is another file, or was "
      .. "changed", self.filename, #text, state.size)
  end
  close(self)
  if #text > state.size then
    local name = self.filename .. ".part"
    local file = assert(device.open(name, "wb"))
    assert(file:write((text:sub(1, state.size))))
    assert(file:close())
    assert(device.rename(name, self.filename))
  end
  self.keys, self.size, self.has_header = state.keys, state.size, state.has_header
  self.file = open(self, "ab")
end

---@name pod.callbacks.csv_logger
--- Writes the logs of each epoch as a line of a file, as Keras' does.
---@param options.filename string the file
---@param options.separator string one character
---@param options.append boolean whether lines are added to a file that is there
---@return callback
---@example pod.callbacks.csv_logger("log.csv").separator --> ","
return callback.define {
  name = "csv_logger", first = "filename", setup = setup, defaults = { separator = ",", append = false },
  kinds = { filename = "string", separator = "string", append = "boolean" }, state = { "keys", "size", "has_header" },
  on_train_begin = on_train_begin, on_epoch_end = on_epoch_end, on_train_end = close, close = close,
  set_state = set_state,
}
