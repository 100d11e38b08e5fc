-- find - the help of a value or a name: its text, its signature, its options.

local exports = require "moonpod.help.exports"
local kinds = require "moonpod.base.kinds"
local options = require "moonpod.help.options"
local reflect = require "moonpod.help.reflect"
local source = require "moonpod.help.source"
local tables = require "moonpod.base.tables"

local find = {}

local getinfo = debug and debug.getinfo

-- `pod`, where a script has it already; a table without fields otherwise.
function find.facade()
  return package.loaded.moonpod or {}
end

local facade = find.facade

-- ---- texts -------------------------------------------------------------------------------------------------

-- The text above a function, or above the one that does its work.
local function help_of_function(fn)
  local steps = 0
  while type(fn) == "function" and steps < 8 do
    local found = source.help_above(fn)
    if found then
      return found
    end
    fn, steps = reflect.behind(fn), steps + 1
  end
end

-- The first function of a table of methods in the file that it is written in: path, line, or nil.
local function first_method(class)
  local path, line
  for _, value in next, class do
    local at, first = nil, nil
    if type(value) == "function" and not reflect.is_ours(reflect.origin(value)) then
      at, first = source.place(reflect.origin(value))
    end
    if at and (not line or first < line) then
      path, line = at, first
    end
  end
  return path, line
end

-- The text above the statement that makes a user's class: the one around its first method, or `Name = {}` for a method
-- `Name:method`.
local function help_of_class(class)
  local path, line = first_method(class)
  local lines = path and source.lines(path)
  if not lines or not lines[line] then
    return nil
  end
  local owner = lines[line]:match "function%s+([%w_]+)[.:]"
  local indent = #lines[line]:match "^%s*"
  for at = line, 1, -1 do
    local text = lines[at]
    local makes = owner and (text:find("^%s*" .. owner .. "%s*=") or text:find("^%s*local%s+" .. owner .. "%s*="))
    if makes or not owner and text:find "%S" and (#text:match "^%s*" < indent or at == line and text:find "{") then
      return source.help_at(path, at)
    end
  end
end

local function class_of(object)
  local state = type(object) == "table" and rawget(object, "_state")
  local class = type(state) == "table" and rawget(state, "class")
  return type(class) == "table" and class or nil
end

local function public_name(value)
  local name = type(value) == "table" and rawget(value, "function_name")
  name = type(name) == "string" and name:match "^layers%.(.*)$"
  return name and rawequal(rawget(package.loaded["moonpod.layers"] or {}, name), value) and "pod.layers." .. name or nil
end

-- The name that objects of a class have in messages, of which their help is: "dataset", or nil.
local function owner_of(object)
  local meta = reflect.metatable_of(object)
  local name = type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name:match "^moonpod%.(.*)$" or nil
end

find.owner_of = owner_of

-- All names of a value, the one it was asked by first.
local function names_of(value, asked)
  local names = { asked }
  names[#names + 1] = public_name(value)
  return tables.extend(names, exports.names_of(value, facade()))
end

local function text_of(value, names)
  for _, name in ipairs(names) do
    local found = source.help_of_name(name)
    if found then
      return found
    end
  end
  local kind = type(value)
  if kind == "function" then
    return help_of_function(value)
  elseif kind ~= "table" then
    return nil
  end
  local module = not reflect.callee(value) and reflect.module_name(value)
  if module then
    return source.help_of_module(module) or nil
  end
  local owner = owner_of(value)
  local class = class_of(value)
  if class then
    return text_of(class, names_of(class)), class
  end
  local index = reflect.metatable_of(value)
  index = type(index) == "table" and rawget(index, "__index")
  return owner and source.help_of_name(owner) or help_of_class(value)
    or type(index) == "table" and not owner and help_of_class(index)
    or reflect.callee(value) and help_of_function(reflect.callee(value)) or nil
end

-- ---- signatures --------------------------------------------------------------------------------------------

-- The arguments of a function as { name, type, text, optional }: from its text, with what is tested of them.
local function arguments_of(value, help)
  local fn = reflect.callee(value)
  local declared = fn and reflect.declared(fn) or nil
  local list = {}
  local by_name = {}
  for _, one in ipairs(help and help.params or {}) do
    list[#list + 1] = { name = one.name, type = one.type, text = one.text, optional = one.optional }
    by_name[one.name] = list[#list]
  end
  local written, is_method = nil, false
  if fn and #list == 0 and not reflect.hands_on(reflect.origin(fn)) then
    written, is_method = source.parameters(reflect.origin(fn))
  end
  for i, name in ipairs(written or {}) do
    local is_options = name == "more" and written[i - 1] == "options" -- where arguments may stand before these
    if not (i == 1 and name == "self") and not is_options then
      list[#list + 1] = { name = name }
      by_name[name] = list[#list]
    end
  end
  for i, one in ipairs(declared or {}) do
    local known = by_name[one.name] or list[i]
    local kind = kinds.get(one.kind)
    if known then
      known.kind = known.kind or kind and kind.what or one.kind
      if known.optional == nil then
        known.optional = one.test(nil)
      end
    end
  end
  return list, is_method
end

-- The arguments of a class of layers or of a constructor: those options that may stand before the table.
local function placed(found)
  local list = {}
  for _, one in ipairs(found) do
    if one.place then
      list[#list + 1] = { name = one.name, type = one.type, text = one.text, optional = not one.required or nil }
    end
  end
  list[#list + 1] = #found > #list and { name = "options", optional = true } or nil
  return list
end

local function signature(name, list)
  return ("%s(%s)"):format(name, table.concat(tables.map(list, function(one)
    local may_lack = one.optional or one.name == "options" and one.optional ~= false
    return may_lack and one.name .. "?" or one.name
  end), ", "))
end

-- ---- entries -----------------------------------------------------------------------------------------------

-- The text of the part or class that a name is in, for options that all members have.
local function family_of(name)
  local owner = name and name:match "^([%l_]+):[%w_]+$"
  if owner then
    return source.help_of_name(owner)
  end
  local above = name and name:match "^(pod[%w_.]*)%.[^.]*$"
  local value = above and find.value(above)
  return type(value) == "table" and text_of(value, { above }) or nil
end

-- The help of a value: { value, name, kind, help (the text, taken apart, or nil), arguments, options, signature }.
-- `asked`: the name it was asked by, if any.
function find.of_value(value, asked)
  local is_public = asked and (asked:find "^pod[.:]" or asked:find "^[%l_]+:[%w_]+$")
  local names = { is_public and asked or nil }
  local help, class
  if is_public then -- its other names are looked for only where that does not find it
    help, class = text_of(value, { asked, public_name(value) })
  end
  if not help then
    names = names_of(value, names[1])
    help, class = text_of(value, names)
  end
  local subject = class or value
  local name = help and help.names[1] or names[1] or public_name(subject)
  local entry = { value = value, name = name, names = names, help = help, kind = exports.kind_of(value) }
  if class then
    entry.kind, entry.name = "object", public_name(class) or name
  elseif entry.kind == "value" and owner_of(value) then
    entry.kind, entry.name = "object", owner_of(value)
  end
  if asked and (asked:find "^pod[.:]" or not entry.name) then
    entry.name = asked
  end
  if entry.kind == "function" or entry.kind == "class" or class then
    local is_method
    entry.options = options.of(subject, help, family_of(entry.name))
    entry.arguments, is_method = arguments_of(subject, help)
    local is_made = #(help and help.params or {}) == 0 and #entry.options > 0
      and (type(subject) == "table" or entry.options[1].place)
    if is_made then
      entry.arguments = placed(entry.options)
    end
    local last = entry.arguments[#entry.arguments]
    if #placed(entry.options) > 0 and placed(entry.options)[#placed(entry.options)].name == "options"
        and not (last and (last.name == "options" or last.name == "...")) then
      entry.arguments[#entry.arguments + 1] = { name = "options", optional = true }
    end
    entry.signature = signature(entry.name or "function", entry.arguments)
    entry.is_method = is_method
    entry.is_c = type(value) == "function" and getinfo and getinfo(value, "S").what == "C" or nil
  end
  return entry
end

-- What a name such as "pod.layers.dense" or "model:fit" stands for, or nil: a field, through metatables, without
-- calling anything of the user's, or a method of the class of that name. globals: the table to begin in.
function find.value(name, globals)
  local owner, method = name:match "^([%w_]+):([%w_]+)$"
  local class = owner and require("moonpod.base.arguments").classes()[owner]
    or owner and require("moonpod.base.arguments").classes()[owner:gsub("_", " ")]
  for _, row in ipairs(class and class.tables or {}) do
    if row.methods[method] ~= nil then
      return row.methods[method]
    end
  end
  local value
  for key in name:gmatch "[^.:]+" do
    if value == nil then
      value = rawget(globals or _G, key)
      value = value == nil and key == "pod" and facade() or value
    else
      value = reflect.field(value, key)
    end
    if value == nil then
      return nil
    end
  end
  return value
end

-- Sentences of names of ours, which stay as they are: name -> sentence, or false.
local sentences = {}

-- One sentence about a value, for a list, or nil. name: what it is reached by. It is found faster than all of the help
-- is: other names of the value are not looked for.
function find.line(value, name)
  local is_ours = name and name:find "^pod%."
  if is_ours and sentences[name] ~= nil then
    return sentences[name] or nil
  end
  local help
  if type(value) == "function" or type(value) == "table" then
    help = text_of(value, { name, public_name(value) })
  else
    help = name and source.help_of_name(name)
  end
  local sentence = help and help.summary ~= "" and help.summary or nil
  if is_ours then
    sentences[name] = sentence or false
  end
  return sentence
end

return find
