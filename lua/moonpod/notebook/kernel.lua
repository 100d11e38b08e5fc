-- kernel - what the Jupyter kernel answers on the thread of Lua: runs cells (moonpod.notebook.cell), completes and
-- looks names up as the prompt does. Of C (notebooks/kernel) it has what protocol.lua says, and
--   begin_output()       what is written to the standard streams belongs to this request from now on
--   flush()              what was written there is published
--   hold()               requests that have come by now are answered as those that were held
--   protect(fn, handler) calls a function that may be interrupted; as xpcall
--   ask(content)         sends an input_request; returns the header and the content of what is answered, or nothing
--   place(text)          where in Lua the end of a text stands: where the text of an open string begins, or nil;
--                        whether it is within a comment
--   depth(text)          how many blocks and brackets are open at its end
--   list(folder)         the names in a folder
--   load(name)           loads a module, as require does

local background = require "moonpod.notebook.background"
local cell = require "moonpod.notebook.cell"
local complete = require "moonpod.session.complete"
local help = require "moonpod.help"
local json = require "moonpod.base.json"
local protocol = require "moonpod.notebook.protocol"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"

local kernel = {}

local field = protocol.field

local MOST_ENTRIES = 10000

-- Seconds that the background is given at a time: requests wait no longer.
local SLICE = 0.003

-- ---- running ----------------------------------------------------------------------------------------------

-- Outputs of a cell belong to its request for ever.
local function outputs_of(self, header)
  return function(output)
    self.wire.flush() -- what was printed before it stands before it
    local content = tables.merge(output)
    content.output_type = nil
    self:publish(output.output_type, content, header)
  end
end

local function evaluate(self, text)
  local shown, failed
  self.session:execute(text, function(output)
    shown = output.output_type == "execute_result" and output or shown
    failed = output.output_type == "error" and output or failed
  end, { store_history = false })
  if failed then
    return { status = "error", ename = failed.ename, evalue = failed.evalue, traceback = failed.traceback }
  end
  return { status = "ok", data = shown and shown.data or { ["text/plain"] = "nil" }, metadata = {} }
end

local function remember(self, line, code)
  local entries = self.entries
  entries[#entries + 1] = { line = line, input = code }
  if #entries > MOST_ENTRIES then
    table.remove(entries, 1)
  end
end

local handlers = {}

function handlers.execute_request(self, content)
  local code, silent = field(content, "code", ""), field(content, "silent", false)
  local stored = field(content, "store_history", not silent) and not silent
  if self.was_held then -- behind one that failed
    return self:reply("execute_reply", { status = "aborted", execution_count = self.session.count })
  end
  self.wire.begin_output()
  self.may_ask = field(content, "allow_stdin", true)
  if not silent then
    self:publish("execute_input", { code = code, execution_count = self.session.count + (stored and 1 or 0) })
  end
  self.payload = json.array()
  local result = self.session:execute(code, outputs_of(self, self.header), { silent = silent, store_history = stored })
  self.background:watch(self.header)
  if stored then
    remember(self, result.execution_count, code)
  end
  local answer = { status = result.status, execution_count = result.execution_count }
  if result.status == "ok" then
    answer.payload, answer.user_expressions = self.payload, {}
    for name, text in pairs(field(content, "user_expressions", {})) do
      answer.user_expressions[name] = evaluate(self, tostring(text))
    end
  else
    answer.ename, answer.evalue, answer.traceback = result.ename, result.evalue, result.traceback
    if field(content, "stop_on_error", true) then
      self.wire.hold()
    end
  end
  self.wire.flush()
  self:reply("execute_reply", answer)
end

local REPLY = schema.object { msg_type = schema.constant "input_reply" }
local ANSWER = schema.object { value = schema.text }

-- A line of what io.read and input are answered.
local function read_line(self, prompt, is_secret)
  if not self.may_ask then
    error("this front end answers no questions (allow_stdin is false)", 0)
  end
  self.wire.flush()
  local header, content = self.wire.ask(protocol.encode { prompt = prompt, password = is_secret })
  local answer = content and protocol.decode(header, REPLY) and protocol.decode(content, ANSWER)
  if not answer then
    error("the question was not answered", 0)
  end
  return answer.value
end

-- ---- texts that are being typed -----------------------------------------------------------------------------

local function count_characters(text)
  return select(2, text:gsub("[^\128-\191]", ""))
end

-- The text before a place that is counted in characters; nothing says how many are meant: all.
local function text_before(code, cursor)
  if type(cursor) ~= "number" or cursor < 0 then
    return code
  end
  local at, left = 1, cursor
  while left > 0 and at <= #code do
    at = (code:find("[^\128-\191]", at + 1)) or #code + 1
    left = left - 1
  end
  return code:sub(1, at - 1)
end

-- Globals that are there when they are first named.
local function late_globals(self)
  return { pod = function()
    return self.wire.load "moonpod"
  end, help = function()
    return self.wire.load "moonpod.help"
  end, input = function() -- only cells have it
    return read_line
  end }
end

function handlers.complete_request(self, content)
  local code = field(content, "code", "")
  local before = text_before(code, content.cursor_pos)
  local line = before:match "[^\n]*$"
  local string_start, in_comment = self.wire.place(before)
  local late = late_globals(self)
  local command = not string_start and not in_comment and line:find "^%s*[%%!]" ~= nil
  local start, found
  if command then -- a command is a line
    start, found = complete.candidates(line, { list = self.wire.list, late = late })
    start = start + #before - #line
  else
    start, found = complete.candidates(before, { string = string_start, comment = in_comment, list = self.wire.list,
      late = late })
  end
  local matches, kinds = json.array(), json.array()
  local from, to = count_characters(before:sub(1, start - 1)), count_characters(before)
  for i, one in ipairs(found) do
    matches[i] = one.text
    kinds[i] = { start = from, ["end"] = to, text = one.text, type = one.help and "function" or "", signature = "" }
  end
  self:reply("complete_reply", { status = "ok", matches = matches, cursor_start = from, cursor_end = to,
    metadata = { _jupyter_types_experimental = kinds } })
end

function handlers.is_complete_request(self, content)
  local code = field(content, "code", "")
  local state = cell.completeness(code)
  self:reply("is_complete_reply", { status = state,
    indent = state == "incomplete" and ("  "):rep(self.wire.depth(code)) or nil })
end

-- The name that a place in a text is in or behind; of a call's arguments the name of what is called.
local function name_at(code, before)
  local left = before:match "[%w_.:]*$"
  local right = code:sub(#before + 1):match "^[%w_]*"
  local name = (left .. right):gsub("^[.:%d]+", ""):gsub("[.:]+$", "")
  if name ~= "" then
    return name
  end
  return before:match "([%a_][%w_.:]*)%s*[%({][^%(%)]*$"
end

function handlers.inspect_request(self, content)
  local code = field(content, "code", "")
  local name = name_at(code, text_before(code, content.cursor_pos))
  self.wire.load "moonpod"
  local ask = field(content, "detail_level", 0) > 0 and help.source_of_name or help.of_name
  local found, text = false, nil
  if name and help.knows(name) then
    found, text = pcall(ask, name)
  end
  self:reply("inspect_reply", { status = "ok", found = found, metadata = {},
    data = found and { ["text/plain"] = tostring(text) } or {} })
end

-- ---- what was run before, and the rest ------------------------------------------------------------------------

-- Whether all of a text is like a glob: ? is any byte, * any text. Patterns of Lua would try the stars of an unlucky
-- glob in all ways; here the last star alone is tried again.
local function is_like(text, glob)
  local at, place, star, from = 1, 1, nil, nil
  while at <= #text do
    local sign = glob:byte(place)
    if sign == 42 then -- *
      star, from, place = place, at, place + 1
    elseif sign == 63 or sign == text:byte(at) then -- ?
      at, place = at + 1, place + 1
    elseif star then
      from = from + 1
      at, place = from, star + 1
    else
      return false
    end
  end
  return glob:find("^%**$", place) ~= nil
end

local function search(self, content)
  local pattern, unique = field(content, "pattern", "*"), field(content, "unique", false)
  local found, seen = {}, {}
  for i = #self.entries, 1, -1 do
    local one = self.entries[i]
    if is_like(one.input, pattern) and not (unique and seen[one.input]) then
      table.insert(found, 1, one)
      seen[one.input] = true
    end
  end
  return found
end

-- Requests name sessions: this one is 0 or 1; others are not kept.
function handlers.history_request(self, content)
  local kind, found = field(content, "hist_access_type", "tail"), {}
  if kind == "range" then
    local first, stop = field(content, "start", 0), field(content, "stop", math.huge)
    local asked = field(content, "session", 0)
    for _, one in ipairs((asked == 0 or asked == 1) and self.entries or {}) do
      found[#found + 1] = one.line >= first and one.line < stop and one or nil
    end
  else
    found = kind == "search" and search(self, content) or self.entries
    found = tables.slice(found, math.max(#found - field(content, "n", math.huge) + 1, 1))
  end
  local with_output, history = field(content, "output", false), json.array()
  for i, one in ipairs(found) do
    history[i] = { 1, one.line, with_output and { one.input, json.null } or one.input }
  end
  self:reply("history_reply", { status = "ok", history = history })
end

function handlers.comm_info_request(self)
  self:reply("comm_info_reply", { status = "ok", comms = {} })
end

-- There is nothing behind comms: one that is opened is closed again.
function handlers.comm_open(self, content)
  self:publish("comm_close", { comm_id = field(content, "comm_id", ""), data = {} })
end

function handlers.comm_msg()
end

handlers.comm_close = handlers.comm_msg

-- ---- the kernel ---------------------------------------------------------------------------------------------

-- Makes the kernel, a table of functions: answer(header, parent, metadata, content, was_held); between requests
-- work(), which gives what runs in the background a little time and returns whether any of it goes on, and
-- interrupt(), which ends it.
function kernel.new(wire, about)
  local self = protocol.new(wire, handlers, about)
  self.entries, self.may_ask = {}, false
  self.payload = json.array()
  self.background = background.new(function(kind, content, header)
    self:publish(kind, content, header)
  end)
  self.session = cell.new { streams = false, protect = wire.protect, read_line = function(prompt, is_secret)
    return read_line(self, prompt, is_secret)
  end, history = function()
    return tables.column(self.entries, "input")
  end, clear = function()
    self.wire.flush()
    self:publish("clear_output", { wait = false })
  end, page = function(text)
    self.payload[#self.payload + 1] = { source = "page", data = { ["text/plain"] = text }, start = 0 }
  end, offer = function(text)
    self.payload[#self.payload + 1] = { source = "set_next_input", text = text, replace = false }
  end }
  return { answer = function(header, parent, metadata, content, was_held)
    self.was_held = was_held
    self:answer(header, parent, metadata, content)
  end, work = function()
    return self.session:call(self.background.work, self.background, SLICE)
  end, interrupt = function()
    self.background:interrupt()
  end }
end

return kernel
