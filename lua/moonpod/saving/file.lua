-- file - files of named tensors and texts: safetensors, written whole or not at all.

local core_call = require "moonpod.tensor.core_call"
local errors = require "moonpod.base.errors"
local ranks = require "moonpod.func.ranks"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"

local file = {}

-- The buffer of what is written now: nothing that is done later changes it, as programs write into buffers of variables
-- that nobody else has.
local function snapshot(value)
  return tensor.buffer(variable.is_variable(value) and value:value() or value)
end

local function sorted_texts(metadata)
  local texts = {}
  for _, key in ipairs(tables.sorted_keys(metadata or {})) do
    tables.extend(texts, { key, metadata[key] })
  end
  return texts
end

-- ---- written by a thread of its own ---------------------------------------------------------------------------------

-- Files that are being written, the oldest first: each begins when the one before it has its name. No more than
-- MOST_WRITING at once, as each holds the values of its time.
local writing = {}
local MOST_WRITING = 2

local Written = { __name = "moonpod.written_file" }
Written.__index = Written

-- Waits for a file and takes it off the list. Its failure stays in it; an interrupt ends the waiting alone.
local function settle(written)
  local ok, failure = pcall(written.pending.wait, written.pending)
  if not ok and errors.is_interrupt(failure) then
    errors.raise_from_core(failure)
  end
  tables.remove(writing, written)
  written.is_settled, written.failure = true, not ok and failure or nil
end

local function tell(written)
  if written.failure then
    written.is_told = true
    errors.raise_from_core(("%s%s"):format(written.failure, written.location
      and (" (the file that was begun at %s)"):format(written.location) or ""))
  end
end

-- Waits until the file is there; raises what failed.
function Written:wait()
  if not self.is_settled then
    settle(self)
  end
  tell(self)
end

-- Whether the file is there, or could not be written.
function Written:is_done()
  return self.is_settled or self.pending:is_done()
end

function Written:__tostring()
  return ("<file %s%s>"):format(self.path, self:is_done() and "" or ", being written")
end

-- Waits until no more than `most` files are being written; raises what one of them failed by, unless wait() told it.
local function wait_for(most)
  while writing[1] and (#writing > most or writing[1].pending:is_done()) do
    local first = writing[1]
    settle(first)
    if not first.is_told then
      tell(first)
    end
  end
end

local function begin(path, list, texts)
  wait_for(MOST_WRITING - 1)
  local last = writing[#writing]
  local written = setmetatable({ path = path, location = errors.location() }, Written)
  written.pending = core_call("safetensors_begin", path, list, texts, last and last.pending)
  writing[#writing + 1] = written
  return written
end

-- ---- files ----------------------------------------------------------------------------------------------------------

-- The tensors and texts of `content` as the core takes them.
local function parts_of(content)
  local list = {}
  for i, entry in ipairs(content.tensors) do
    list[i] = { entry[1], snapshot(entry[2]) }
  end
  return list, sorted_texts(content.metadata)
end

-- Writes a file, of several ranks the first alone; without `background` all come here, and go on when it is there.
-- content: tensors = { { name, tensor or variable }, ... } and metadata = { key = text }. With
-- background = true the tensors are those of now, and a thread of its own writes the file: what is returned has
-- wait(), which raises what failed, and is_done(). A failure that nobody waited for is raised by the next write.
function file.write(path, content, options)
  options = errors.check_options(options, { background = "boolean" }, "file.write")
  local list, texts = parts_of(content)
  if list[1] then
    ranks.note_checkpoint(path)
  end
  if options.background then
    return ranks.is_first() and begin(path, list, texts) or setmetatable({ path = path, is_settled = true }, Written)
  end
  ranks.first_does(function()
    wait_for(0)
    core_call("safetensors_write", path, list, texts)
  end)
end

-- The bytes that write() would write, as a string.
function file.to_string(content)
  return core_call("safetensors_to_text", parts_of(content))
end

local function read(list, metadata)
  local tensors, names = {}, {}
  for i, entry in ipairs(list) do
    names[i] = entry[1]
    tensors[entry[1]] = tensor.from_buffer(entry[2])
  end
  return { tensors = tensors, names = names, metadata = metadata }
end

-- As read(), of the bytes of a file; `name` is what messages call them.
function file.from_string(text, name)
  return read(core_call("safetensors_from_text", name, text))
end

-- Reads a file, behind those that are being written: tensors by name, their names in the order of the file, and the
-- texts by key.
function file.read(path)
  for i = #writing, 1, -1 do -- which may be this file
    settle(writing[i])
  end
  return read(core_call("safetensors_read", path))
end

return file
