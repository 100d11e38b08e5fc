-- source - texts of Lua as they stand in their files: of functions, and the comments above them.

local block = require "moonpod.help.block"
local reflect = require "moonpod.help.reflect"
local texts = require "moonpod.base.texts"

local source = {}

local getinfo = debug and debug.getinfo

-- path -> array of lines, of so many files at most.
local files, file_count = {}, 0
local MOST_FILES = 80

-- The text of a file within an executable that is one file, or nil.
local function embedded(path)
  local host = package.loaded["moonpod.host"]
  return host and host.text and host.text(path) or nil
end

local function read(path)
  return texts.read(path) or embedded(path)
end

-- The lines of a file, or nil where it cannot be read.
function source.lines(path)
  if not files[path] then
    local text = read(path)
    if not text then
      return nil
    end
    if file_count >= MOST_FILES then
      files, file_count = {}, 0
    end
    files[path], file_count = texts.lines(text), file_count + 1
  end
  return files[path]
end

-- Where a function is written: path, first and last line; nil for those of C and of text that is in no file.
function source.place(fn)
  local info = getinfo and getinfo(fn, "S")
  local path = info and info.what ~= "C" and info.source:match "^@(.*)$"
  if path then
    return path, info.linedefined, info.lastlinedefined
  end
end

-- The text of a function, and where it stands ("path:line"), or nil.
function source.text(fn)
  local path, first, last = source.place(fn)
  local lines = path and source.lines(path)
  if not lines or not lines[first] then
    return nil
  end
  local indent = lines[first]:match "^%s*"
  local text = {}
  for i = first, math.min(last, #lines) do
    text[#text + 1] = lines[i]:sub(1, #indent) == indent and lines[i]:sub(#indent + 1) or lines[i]
  end
  return table.concat(text, "\n"), ("%s:%d"):format(path, first)
end

-- The block that ends at a line: its lines without dashes, the first line's number; nil where there is none. Ours have
-- three dashes; a comment of two is a user's, where `any` says so.
local function block_above(lines, last, any)
  local found, at = {}, last
  while at >= 1 do
    local text = lines[at]:match "^%s*%-%-%-(.*)$" or any and lines[at]:match "^%s*%-%-%f[^%-](.*)$"
    if not text or text:find "^%-" or any and text:find "^%[=*%[" then
      break
    end
    table.insert(found, 1, text)
    at = at - 1
  end
  if #found > 0 then
    return found, at + 1
  end
end

-- The help that ends in a line of a file, taken apart (help/block.lua), with path and line; nil where there is none.
-- any: of comments with two dashes, too.
local function help_until(path, last, any)
  local found, first = block_above(source.lines(path), last, any)
  local help = found and block.parse(found)
  if help then
    help.path, help.line = path, first
  end
  return help
end

-- The same that begins at a line, or above it.
local function help_from(path, line)
  local lines = source.lines(path)
  while lines and lines[line + 1] and lines[line + 1]:find "^%s*%-%-%-" do
    line = line + 1
  end
  return lines and help_until(path, line) or nil
end

-- The help above a line. A block with names is of these, not of what happens to stand below it.
local function help_at(path, line, any)
  local help = help_until(path, math.min(line - 1, #source.lines(path)), any)
  return help and #help.names == 0 and help or nil
end

-- The help above a line of a user's file.
function source.help_at(path, line)
  return help_at(path, line, true)
end

-- The help above a function.
function source.help_above(fn)
  local path, first = source.place(fn)
  if path and source.lines(path) then
    return help_at(path, first, not reflect.is_ours(fn))
  end
end

-- The names that a function's parameters have where it is written, or nil.
function source.parameters(fn)
  local path, first, last = source.place(fn)
  local lines = path and source.lines(path)
  if not lines or not lines[first] then
    return nil
  end
  local head = table.concat(lines, " ", first, math.min(last, first + 4, #lines))
  local list = head:match "function%s*[%w_.:]*%s*%(([^)]*)%)"
  if not list then
    return nil
  end
  return texts.parts(list, "[%w_.]+"),
    head:find "^%s*function%s+[%w_.]+:" ~= nil or head:find "^%s*local function [%w_.]+:" ~= nil
end

-- ---- blocks with names -----------------------------------------------------------------------------------

local function path_of_module(name)
  local stem = reflect.ROOT:sub(2) .. name:gsub("^moonpod%.?", ""):gsub("%.", "/")
  for _, path in ipairs { stem .. ".lua", stem .. "/init.lua", stem .. "init.lua" } do
    if texts.exists(path) or embedded(path) then
      return path
    end
  end
end

local looked_at = {} -- module -> true
local named = {} -- name -> { path, line }
local absent = {} -- name -> true: in no module that is loaded

-- Most files have none: a file is read as one text, and its lines are counted where there is a name.
local function look_at(path)
  local text, at, number = read(path) or "", 1, 1
  while true do
    local tag = text:find("---@name", at, true)
    if not tag then
      return
    end
    number = number + select(2, text:sub(at, tag):gsub("\n", ""))
    local begins_line = text:sub(math.max(tag - 80, 1), tag - 1):match("[^\n]*$"):find "^%s*$"
    for name in (begins_line and text:match("^[^\r\n]*", tag + 8) or ""):gmatch "%S+" do
      named[name] = named[name] or { path, number }
    end
    at = tag + 1
  end
end

-- The modules of ours that are loaded and whose files were not looked at yet are looked at.
local function look()
  for name in next, package.loaded do
    if type(name) == "string" and name:find "^moonpod" and name ~= "moonpod.core" and not looked_at[name] then
      looked_at[name], absent = true, {}
      local path = reflect.ROOT and path_of_module(name)
      if path then
        look_at(path)
      end
    end
  end
end

-- The help whose block names a thing, such as "pod.losses.huber", taken apart; nil where there is none. The module that
-- declares it is loaded already.
function source.help_of_name(name)
  if not named[name] and not absent[name] then
    look()
    absent[name] = not named[name] or nil
  end
  local place = named[name]
  return place and help_from(place[1], place[2])
end

-- The names of all blocks in the files of the modules that are loaded.
function source.all_named()
  look()
  return named
end

-- The help at the head of a module's file, taken apart, or nil.
function source.help_of_module(name)
  local path = reflect.ROOT and path_of_module(name)
  return path and help_from(path, 0)
end

return source
