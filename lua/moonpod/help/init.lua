--- The help of a value or a name: what it does, its arguments and options with their types and defaults, an example.
--- In a session `?name`, `name?` and `help(name)` show it, `??name` shows the text of a function, and `?*part*` looks
--- for names.
---
--- Texts are the comments above declarations: lines that begin with ---, with the tags that editors know (`---@param`,
--- `---@return`). Your own functions and classes have help as soon as they have such comments.
---@name pod.help
---@param value? any a function, a class, an object, a part of `pod`, or a name as text; nothing for an overview
---@return help whose text `tostring` gives
---@see pod.advisor pod.layers
--- ```lua
--- print(pod.help(pod.layers.dense))
--- print(pod.help "pod.losses.huber")
--- ```

local errors = require "moonpod.base.errors"
local elsewhere = require "moonpod.help.elsewhere"
local exports = require "moonpod.help.exports"
local find = require "moonpod.help.find"
local options = require "moonpod.help.options"
local others = require "moonpod.help.others"
local reflect = require "moonpod.help.reflect"
local render = require "moonpod.help.render"
local source = require "moonpod.help.source"
local tables = require "moonpod.base.tables"

local facade = find.facade

local help = {}

local Help = { __name = "moonpod.help" }
Help.__index = Help

function Help:__tostring()
  return self.text
end

local function made(text, entry)
  return setmetatable({ text = text:gsub("\n+$", ""), entry = entry }, Help)
end

-- ---- lists -------------------------------------------------------------------------------------------------

-- The names in a value with their sentences, those that are accepted. shown: what stands before a name in the list;
-- above: what stands before it elsewhere, or nil.
local function rows_of(value, shown, above, accepts)
  local rows, kinds = {}, reflect.names(value)
  for _, key in ipairs(reflect.public_names(value)) do
    local held = reflect.field(value, key)
    if held ~= nil and (not accepts or accepts(held, kinds[key])) then
      rows[#rows + 1] = { shown .. key, find.line(held, above and above .. key) }
    end
  end
  return rows
end

local PARTS_FIRST = "%s\n\nIn it (pod.help \"NAME\" tells more):\n%s"

local OVERVIEW = [[
Moonpod trains neural networks on replicated TPU-style cores.

  ?name  or  help(name)     what a function, class or object does, its options, an example
  ??name                    the text of a function
  ?*part*                   names that contain a text
  Tab                       how a name, an option or a value goes on
  %help                     commands of the session

Parts:
%s]]

local function overview()
  local rows = rows_of(facade(), "pod.", "pod.", function(value)
    return exports.kind_of(value) == "part"
  end)
  return made((OVERVIEW:gsub("%%help", "%%%%help"):format(render.list(rows))))
end

-- ---- what is asked -----------------------------------------------------------------------------------------

-- The help of a value. `asked`: the name it was asked by.
local function of_value(value, asked)
  local kind = type(value)
  asked = asked and asked:gsub("^_G%.", "")
  if kind ~= "function" and kind ~= "table" then
    return made(("%s: a %s"):format(asked or tostring(value), kind))
  end
  local entry = find.of_value(value, asked)
  local text = render.text(entry)
  if entry.kind == "part" and reflect.is_our_module(value) then
    local name = (entry.name or asked) .. "."
    text = PARTS_FIRST:format(text:gsub("%s+$", ""), render.list(rows_of(value, name, name)))
  elseif entry.kind == "object" or kind == "table" and not entry.signature then
    local owner = find.owner_of(value)
    local rows = rows_of(value, ":", owner and owner .. ":", function(_, its_kind)
      return its_kind == "function"
    end)
    text = #rows > 0 and ("%s\n\nmethods\n%s"):format(text:gsub("%s+$", ""), render.list(rows)) or text
  end
  return made(text, entry)
end

-- The row of an entry of help/exports.lua in a list.
local function row_of(entry)
  return { entry.name, find.line(entry.value, entry.name) }
end

-- All names with their sentences that a pattern fits: * stands for any text, other signs for themselves.
function help.search(pattern)
  errors.check_type(pattern, "string", "help.search", "the pattern")
  local wanted = pattern:lower():gsub("[^%w_*]", "%%%0"):gsub("%*+", ".*")
  local rows = tables.map(exports.list(facade()), function(entry)
    return entry.name:lower():find("^" .. wanted .. "$") and row_of(entry) or nil
  end)
  if #rows == 0 then
    return made(("no name is like '%s'; write * where anything may stand: ?*dense*"):format(pattern))
  end
  return made(render.list(rows))
end

-- Entries of help/exports.lua that a name without its beginning stands for: `fit` is model:fit, `dense` and `Dense` are
-- pod.layers.dense, `model.fit` is model:fit.
local function entries_like(name)
  local function bare(text)
    return text:gsub("_", ""):gsub(":", "."):lower()
  end
  local same, like = {}, {}
  for _, entry in ipairs(exports.list(facade())) do
    local whole = entry.name == name:gsub("%.([^.]*)$", ":%1")
    local last = entry.name:match "[^.:]+$" or entry.name -- a field that a script has set may end in a dot
    if whole or last == name then
      same[#same + 1] = entry
    elseif bare(last) == bare(name) then
      like[#like + 1] = entry
    end
  end
  return #same > 0 and same or like
end

-- The help of what a name without its beginning stands for; a list where there are several. nil: there is none.
local function of_entries(name)
  local found = entries_like(name)
  local rows = tables.map(found, row_of)
  return #rows > 1 and made(("'%s' is the end of these names; pod.help \"NAME\" tells more:\n%s"):format(name,
    render.list(rows))) or #rows == 1 and of_value(found[1].value, found[1].name) or nil
end

-- The names nearest to one that is not there, or what is in the place of one of others, as an end of a message.
local function nearest(name)
  local class, method = name:match "(%u%w*)[.:]([%w_]+)$" -- "tf.data.Dataset.prefetch" is dataset:prefetch
  method = class and others.bare(class) .. ":" .. method
  local place, names = elsewhere.find(name:gsub("%.load_data$", ""):match "[^.:]+$", facade()), {}
  for _, entry in ipairs(exports.list(facade())) do
    place = entry.name == method and method or place
    names[#names + 1] = entry.name
    names[#names + 1] = entry.name:match "[^.:]+$"
  end
  if place then
    return "; here it is " .. place
  end
  local best = errors.suggest(name, names)
  return best ~= "" and #best < 80 and best or "; ?*" .. (name:match "[^.:]+$" or name) .. "* looks for names"
end

-- What a name stands for, and the whole name: `layers.dense` is pod.layers.dense.
local function value_of(name, globals)
  local value = find.value(name, globals)
  if value == nil then
    value = find.value("pod." .. name)
    name = value ~= nil and "pod." .. name or name
  end
  if value == nil and name:find "^[%l_]+:[%w_]+$" then
    exports.list(facade()) -- loads the module that has the class
    value = find.value(name, globals)
  end
  return value, name
end

-- Whether there is help of a name, which of_name() would have to look for names like it to say.
function help.knows(name, globals)
  return value_of(name, globals) ~= nil or source.help_of_name(name) ~= nil
end

-- The help of a name. globals: the table that names begin in.
function help.of_name(name, globals)
  if name:find("*", 1, true) then
    return help.search(name)
  end
  local value
  value, name = value_of(name, globals)
  if value == nil then
    local found = source.help_of_name(name)
    if found then
      return made(render.text { name = name, help = found, kind = "value" })
    end
    return of_entries(name) or errors.raise("help: there is no '%s'%s", name, nearest(name))
  end
  return of_value(value, name)
end

--- The help of a value, or of a name as text; an overview without one.
function help.show(value)
  if value == nil then
    return overview()
  elseif type(value) == "string" then
    return help.of_name(value)
  end
  return of_value(value)
end

-- A function or a class in two lines, as a session shows it; nil where nothing is known of it.
function help.card(value)
  local meta = reflect.metatable_of(value)
  if type(value) == "table" and (not reflect.callee(value) or type(meta) == "table" and rawget(meta, "__tostring")) then
    return nil
  end
  local found = find.of_value(value).help
  if not found or found.summary == "" then
    return nil
  end
  local head = tostring(of_value(value)):match "^[^\n]+":gsub("^function%(", "(")
  return ("%s %s\n  %s"):format(type(value) == "table" and "class" or "function", head, found.summary)
end

-- The text of a function, with where it stands; of those of C what is known of them.
function help.source(value, asked)
  local fn = reflect.callee(value)
  if type(value) == "table" and rawget(value, "call") then -- a class of layers
    fn = rawget(value, "call")
    while reflect.behind(fn) do
      fn = reflect.behind(fn)
    end
  end
  if not fn then
    errors.raise("help: %s is no function; its text is not kept", asked or errors.describe(value))
  end
  local text, place = source.text(reflect.origin(fn))
  if not text then
    local entry = find.of_value(value, asked)
    return made((entry.is_c and "-- a function of C\n" or "-- its text is in no file\n") .. (entry.signature or ""))
  end
  return made(("-- %s\n%s"):format(place, text))
end

-- The same of a name.
function help.source_of_name(name, globals)
  local value
  value, name = value_of(name, globals)
  if value == nil then
    local like = entries_like(name)
    if #like ~= 1 then
      errors.raise("help: there is no '%s'%s", name, nearest(name))
    end
    value, name = like[1].value, like[1].name
  end
  return help.source(value, name)
end

-- The options that a function, class or constructor takes: see help/options.lua.
function help.options(value)
  local entry = find.of_value(value)
  return entry.options or options.of(value)
end

-- One sentence about a value, or nil: what stands beside a name in a list.
help.line = find.line

return help
