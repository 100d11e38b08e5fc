-- traceback - what is told of an error: the message, the user's line with its text, and the user's frames; frames of
-- Moonpod's own and of C stand apart. Nothing of the user's is called for it but __tostring of an error that is no
-- text.

local errors = require "moonpod.base.errors"
local habits = require "moonpod.session.habits"
local inspect = require "moonpod.base.inspect"
local reflect = require "moonpod.help.reflect"
local texts = require "moonpod.base.texts"

local traceback = {}

local MOST_FRAMES = 60 -- of a stack, from its top
local MOST_VALUES = 250 -- of a frame, that are looked through

-- The last error: { message =, frames = array of { text =, own =, path =, line = } }; nil before the first.
traceback.last = nil

-- ---- what was meant ------------------------------------------------------------------------------------

local function what_is(value)
  local meta = debug.getmetatable(value)
  return type(meta) == "table" and type(rawget(meta, "__name")) == "string" and errors.describe(value) or nil
end

-- The object whose method is called at a level: the value behind the nil that is no function. They lie, without names,
-- behind the locals of a frame.
local function object_at(level, method)
  local before, found = 0, nil
  for i = 1, MOST_VALUES do
    local name, value = debug.getlocal(level, i)
    if not name or found then
      break
    end
    local is_unnamed = name:sub(1, 1) == "("
    if is_unnamed and before == nil and type(value) == "table" and reflect.field(value, method) == nil then
      found = value
    end
    before = is_unnamed and value
  end
  return found
end

-- What could have been meant by a name that is nil and was called: the end of a message, or nil. kind: what Lua says of
-- the name; object: the one whose method it is.
function traceback.meant(kind, name, object)
  if kind == "global" then
    local hint = errors.suggest(name, reflect.public_names(_G))
    return habits.of_global(name) or hint:find "did you mean" and hint
  end
  local what = kind == "method" and object and what_is(object)
  if what then
    local hint = errors.suggest(name, reflect.public_names(object))
    return "; it is " .. what .. (hint:find "did you mean" and hint or "")
  end
end

-- The same of a message that was raised at a level. (That of the executable has it already: repl/trouble.c.)
local function meant(message, level)
  if message:find "attempt to call a moonpod%.dataset value %(for iterator" then
    return "; go through a dataset by: for x in ds:iter() do"
  end
  local kind, name = message:match "a nil value %((%l+) '([^']*)'%)$"
  return kind and traceback.meant(kind, name, kind == "method" and object_at(level + 1, name))
end

-- ---- frames --------------------------------------------------------------------------------------------

local function name_of(info)
  if info.what == "main" then
    return "in main chunk"
  elseif info.name and info.name ~= "" then
    return ("in %s '%s'"):format(info.namewhat ~= "" and info.namewhat or "function", info.name)
  end
  return ("in function <%s:%d>"):format(info.short_src, info.linedefined)
end

-- The frames from a level on, without the session's own at the bottom: below the outermost one of the source `base`,
-- where one is named.
local function collect(level, base)
  local frames = {}
  for i = level, level + MOST_FRAMES do
    local info = debug.getinfo(i, "Slnf")
    if not info then
      break
    end
    local place = info.what == "C" and "[C]" or ("%s:%d"):format(info.short_src, info.currentline)
    frames[#frames + 1] = { text = ("%s: %s"):format(place, name_of(info)), is_main = info.what == "main",
      own = info.what == "C" or reflect.is_ours(info.func),
      path = info.source:match "^@(.*)", source = info.source, line = info.currentline }
  end
  local last = #frames
  while base and last > 0 and frames[last].source ~= base do
    last = last - 1
  end
  for i = #frames, last > 0 and last + 1 or #frames + 1, -1 do
    frames[i] = nil
  end
  while frames[#frames] and frames[#frames].text:find "^%[C%]: in function <" do
    frames[#frames] = nil
  end
  return frames
end

-- The line of a file, of the entry that runs, or of a source that the session has.
local function line_of(frame, entry, sources)
  local text
  if frame.source == "=stdin" then
    text = frame.is_main and entry or nil
  elseif sources and sources[frame.source] then
    text = sources[frame.source]
  elseif frame.path then
    text = texts.read(frame.path, 1e6)
  end
  local line = text and texts.lines(text)[frame.line]
  return line and (line:sub(1, 200):gsub("%c", " "))
end

-- The user's line that a message names where the stack has it no more: what calls functions of the user's has caught
-- the error and raised it again. nil where that is no line of a script.
local function named(message, frames, entry, sources)
  local path, line = message:match "^([^:\n]+):(%d+): "
  if not path then
    path, line = message:match "%(([^:()\n]+):(%d+)%)$"
  end
  local place, is_script = path and path .. ":" .. line, path and path:find "%.lua$"
  for _, frame in ipairs(place and frames or {}) do
    if frame.text:sub(1, #place + 1) == place .. ":" then
      return nil
    end
    is_script = is_script or frame.path == path
  end
  if not is_script then
    return nil
  end
  local frame = { text = place .. ": in a function that Moonpod called", own = false, path = path, source = "@" .. path,
    line = tonumber(line) }
  frame.context = line_of(frame, entry, sources)
  return frame.context and frame
end

-- What is to be told of an error that was raised at a level: for handlers of xpcall(). Returns a text. options: entry
-- (what was typed), sources (texts by the names of chunks), base (the chunk that the session runs), all (Moonpod's own
-- frames, too), colours.
function traceback.of(message, level, options)
  local is_text = type(message) == "string"
  if type(message) == "table" or type(message) == "userdata" then
    local meta = debug.getmetatable(message)
    local ok, text = pcall(tostring, message)
    if type(meta) == "table" and rawget(meta, "__tostring") and ok then
      message = text
    else
      message = "an error that is no text: " .. inspect.text(message)
    end
  elseif not is_text then
    message = ("an error that is no text: %s"):format(tostring(message))
  end
  if is_text then
    local ok, more = pcall(meant, message, level + 2) -- pcall and meant lie between
    message = message .. (ok and more or "")
  end
  options = options or {}
  local frames = collect(level + 1, options.base)
  local place = is_text and named(message, frames, options.entry, options.sources)
  if place then
    table.insert(frames, 1, place)
  end
  local last = { message = message, frames = frames, entry = options.entry }
  for _, frame in ipairs(frames) do
    if not frame.own then
      frame.context = line_of(frame, last.entry, options.sources)
      last.first = last.first or frame.context and frame
    end
  end
  traceback.last = last
  return traceback.text(last, options)
end

-- An error as text. options: all (frames of Moonpod and of C in their places), colours.
function traceback.text(last, options)
  options = options or {}
  local function paint(code, text)
    return options.colours and "\27[" .. code .. "m" .. text .. "\27[m" or text
  end
  local lines = { paint("31", last.message) }
  if last.first then
    lines[2] = ("  %4d | %s"):format(last.first.line, paint("1", last.first.context))
  end
  lines[#lines + 1] = "stack traceback:"
  local hidden = 0
  for _, frame in ipairs(last.frames) do
    if options.all or not frame.own then
      lines[#lines + 1] = "\t" .. (frame.own and paint("90", frame.text) or frame.text)
      if frame.context and frame ~= last.first then
        lines[#lines + 1] = paint("90", ("\t  %4d | %s"):format(frame.line, frame.context))
      end
    else
      hidden = hidden + 1
    end
  end
  if hidden > 0 then
    lines[#lines + 1] = ("\t(%s shows %d more, of Moonpod and of C)"):format(options.more or "%tb", hidden)
  end
  return table.concat(lines, "\n")
end

return traceback
