-- cell - runs cells of a notebook as the prompt runs entries: the same globals, commands, help, `_` and messages. What
-- comes of a cell goes to a function as Jupyter's outputs; nothing is read or written here.
--
--     local session = cell.new {}
--     local reply = session:execute("x = 6 * 7\nx", function(output) ... end)
--     reply.status --> "ok"; the output was { output_type = "execute_result", data = { ["text/plain"] = "42" }, ... }

local bundle = require "moonpod.notebook.bundle"
local capture = require "moonpod.notebook.capture"
local core = require "moonpod.core"
local entry = require "moonpod.session.entry"
local results = require "moonpod.session.results"
local errors = require "moonpod.base.errors"
local measure = require "moonpod.session.measure"
local split = require "moonpod.notebook.split"
local texts = require "moonpod.base.texts"
local traceback = require "moonpod.session.traceback"

local cell = {}

local Session = {}
Session.__index = Session

-- Texts of cells that are kept for messages.
local MOST_TEXTS = 1000

local function nothing()
end

-- What commands ask of a session (moonpod.session.commands).
local function new_host(options)
  return { entries = {}, history = options.history or nothing, edit = nothing, offer = options.offer or nothing,
    colours = nothing, keys = function()
      return {}
    end, clear = options.clear or nothing, load = _G["require"], now = core.clock, has_colours = false }
end

-- Makes a session. options: history(), an array of what was entered in all sessions; read_line(prompt, is_secret),
-- which reads for io.read and input; offer(text), what the next cell begins with;
-- page(text), which shows help; clear(), which takes away what the cell has shown;
-- protect(fn, handler), in the place of xpcall around what may be interrupted; streams = false where others catch what
-- is printed.
function cell.new(options)
  options = options or {}
  return setmetatable({ count = 0, sources = {}, host = new_host(options), to = capture.new(options),
    protect = options.protect or xpcall, page = options.page }, Session)
end

-- ---- errors --------------------------------------------------------------------------------------------

-- Messages that only say what was typed wrong, as those of commands, are objects with a text.
local function plain_text(message)
  local meta = type(message) == "table" and debug.getmetatable(message)
  local ok, text = pcall(tostring, message)
  return type(meta) == "table" and rawget(meta, "__tostring") and rawget(meta, "__name") == nil and ok and text or nil
end

local function name_of(message)
  if errors.is_interrupt(message) then
    return "Interrupted"
  end
  local meta = type(message) == "table" and debug.getmetatable(message)
  local name = type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name:match "[^.]*$" or "Error"
end

local Syntax = { __tostring = function(self)
  return self.text
end }

-- What is told of a cell that is no Lua.
local function syntax_error(self, one)
  local line = tonumber(one.text:match "^[^:]*:(%d+):")
  local text = line and texts.lines(self.sources[self.name])[line]
  return { ename = "SyntaxError", evalue = texts.clean(one.text), line = line,
    traceback = texts.lines(texts.clean(one.text .. (text and ("\n  %4d | %s"):format(line, text) or ""))) }
end

-- What an error is told as; for xpcall and its like.
local function handler(self)
  return function(message)
    if type(message) == "table" and getmetatable(message) == Syntax then
      return syntax_error(self, message)
    end
    local plain = plain_text(message)
    if plain then
      return { ename = "Error", evalue = texts.clean(plain), traceback = texts.lines(texts.clean(plain)) }
    end
    local text = traceback.of(message, 3, { sources = self.sources, base = self.name, more = "%tb" })
    text = texts.clean(text)
    return { ename = name_of(message), evalue = texts.clean(traceback.last.message), traceback = texts.lines(text),
      line = traceback.last.first and traceback.last.first.line }
  end
end

-- ---- cells ---------------------------------------------------------------------------------------------

local function run_piece(self, piece)
  if piece.is_command then
    return entry.run_command(piece.text, self.host, self.page)
  end
  local fn, failure = split.compile(piece, self.name)
  if not fn then
    error(setmetatable({ text = failure }, Syntax), 0)
  end
  entry.note(piece.text, self.host)
  return fn()
end

local function run_pieces(self, source)
  local values = { n = 0 }
  for _, piece in ipairs(split.pieces(source)) do
    values = measure.pack(run_piece(self, piece))
  end
  return values
end

-- The results that are not on the page already; the file that io.write returns nobody wants to see.
local function not_shown(self, values)
  local left = { n = 0 }
  for i = 1, values.n do
    if values[i] == nil or not self.to.shown[values[i]] and io.type(values[i]) == nil then
      left.n = left.n + 1
      left[left.n] = values[i]
    end
  end
  return left
end

local function show_results(self, values, source)
  if values.n > 0 and values[1] ~= nil then
    results.keep(values[1], self.count)
  end
  local left = not_shown(self, values)
  if left.n > 0 and not split.is_muted(source) then
    local data = bundle.of_values(left)
    capture.deliver(self.to, { output_type = "execute_result", execution_count = self.count, data = data,
      metadata = {} })
  end
end

local function run_all(self, source)
  show_results(self, run_pieces(self, source), source)
end

-- Runs a cell; out(output) is called with each output, also later, by what still runs in the background. options:
-- silent (no output, and it is not counted), store_history = false (it is not counted). Returns { status = "ok" or
-- "error", execution_count = }, and for an error ename, evalue, traceback (an array of lines) and line, its line in the
-- cell, as far as that is known; the output of an error is sent, too.
function Session:execute(source, out, options)
  options = options or {}
  if not options.silent and options.store_history ~= false then
    self.count = self.count + 1
  end
  self.name = "=cell " .. self.count
  self.sources[self.name] = source
  self.sources["=cell " .. (self.count - MOST_TEXTS)] = nil
  self.to.out, self.to.shown = not options.silent and out or nil, setmetatable({}, { __mode = "k" })
  local reply
  capture.run(self.to, function()
    local ok, failure = self.protect(function()
      run_all(self, source)
    end, handler(self))
    reply = ok and { status = "ok" } or failure
  end)
  if type(reply) ~= "table" then -- the handler itself failed, as where memory is short
    reply = { ename = "Error", evalue = tostring(reply), traceback = { tostring(reply) } }
  end
  reply.status, reply.execution_count = reply.status or "error", self.count
  if reply.status == "error" then
    capture.deliver(self.to, { output_type = "error", ename = reply.ename, evalue = reply.evalue,
      traceback = reply.traceback })
  end
  return reply
end

-- Calls fn(...), as what goes on in the background, while what it prints and shows goes to the last cell's function.
function Session:call(fn, ...)
  return capture.run(self.to, fn, ...)
end

-- Whether a cell is "complete", "incomplete" or "invalid".
cell.completeness = split.completeness

return cell
