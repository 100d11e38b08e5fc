-- arguments - the arguments of a call: those that Python gives by place or name, as ours are given.

local find = require "moonpod.help.find"
local layout = require "moonpod.port.layout"
local names = require "moonpod.port.names"
local nones = require "moonpod.port.nones"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"

local arguments = {}

-- Options for which None is a choice of its own; for others it is what they are without.
local NONE_IS_A_CHOICE = tables.set_of { "reduction", "merge_mode", "class_aggregation" }

local function is_none(node)
  return node.is == "Constant" and node.kind == "NoneType"
end

arguments.is_none = is_none

-- The help of a function by its name, once a name.
local entries = {}

local function entry_of(name)
  if entries[name] == nil then
    local value = find.value(name)
    entries[name] = value ~= nil and find.of_value(value, name) or false
  end
  return entries[name] or nil
end

-- Names of arguments that may stand before the table of options; nil where nothing is known of the function.
local function places_of(name)
  local entry = entry_of(name)
  local places = {}
  for _, one in ipairs(entry and entry.arguments or {}) do
    if one.name ~= "options" then
      places[#places + 1] = one.name
    end
  end
  return entry and places
end

-- Whether a function takes an option; true where its options are not known.
local function takes(name, option)
  local entry = entry_of(name)
  if not entry or #entry.options == 0 then
    return true
  end
  for _, one in ipairs(entry.options) do
    if one.name == option then
      return true
    end
  end
  return false
end

-- Arguments of a call by name: values, and their names in the order in which they stand.
local function bind(port, node, ours, order)
  local renamed, silent = names.arguments[ours] or {}, names.silent[ours] or {}
  local given, sequence = {}, {}
  local function put(name, value)
    name = renamed[name] or name
    if given[name] then
      port:refuse(node, ("it gives %s twice"):format(name))
    elseif not silent[name] then
      given[name] = value
      sequence[#sequence + 1] = name
    end
  end
  for i, value in ipairs(node.args) do
    if value.is == "Starred" then
      port:refuse(node, "it unpacks its arguments")
    elseif not order[i] then
      port:refuse(node, ("%s takes %d arguments without a name here"):format(ours, #order))
    end
    put(order[i], value)
  end
  for _, one in ipairs(node.keywords) do
    if not one.arg then
      port:refuse(node, "it unpacks its arguments")
    end
    put(one.arg, one.value)
  end
  return given, sequence
end

-- The piece for an argument of what is none of the script's functions: sizes in it may be None.
local function argument(port, value)
  value.is_option = true
  return port:value(value, 0)
end

-- `name = value` of a table, or nil where nothing has to be said.
local function option(port, name, value)
  if is_none(value) and not NONE_IS_A_CHOICE[name] then
    return nil
  end
  return { port.key(name), " = ", is_none(value) and '"none"' or argument(port, value) }
end

-- The table of options { name = value }, or nil where there is none.
local function options_of(port, given, sequence)
  local items = {}
  for _, name in ipairs(sequence) do
    items[#items + 1] = option(port, name, given[name])
  end
  return #items > 0 and layout.table(items) or nil
end

-- Whether a piece is a table, or a text in quotes, which need no ( ).
local function stands_alone(piece)
  return type(piece) == "table" and piece.items ~= nil or type(piece) == "string" and piece:match '^"[^"]*"$' ~= nil
end

-- The arguments of a call in ( ), or as one table or text behind a blank.
function arguments.list(pieces)
  if #pieces == 1 and stands_alone(pieces[1]) then
    return { " ", pieces[1] }
  end
  return { "(", layout.list(pieces), ")" }
end

-- What writes whole models, in files of our own, and what reads them.
local WRITES, READS = tables.set_of { "model:save", "pod.callbacks.model_checkpoint" }, "pod.models.load"

-- A file "x.keras" that the script writes is "x.safetensors" here, also where the script reads it.
local function rename_files(port, ours, given)
  for name, value in pairs(WRITES[ours] and given or ours == READS and given or {}) do
    local stem = value.is == "Constant" and value.kind == "str" and value.value:match "^(.*)%.keras$"
    if stem and (WRITES[ours] or port.written[value.value]) then
      port.written[value.value] = true
      given[name] = tables.merge(value, { value = stem .. ".safetensors" })
    end
  end
end

-- A call with arguments.
function arguments.call(name, ...)
  return { name, arguments.list { ... } }
end

-- The argument of a call that has one.
function arguments.one(port, node)
  if #node.args ~= 1 or #node.keywords > 0 then
    port:refuse(node, "it is ported with one argument alone")
  end
  return node.args[1]
end

-- The arguments of a call of a function of ours: those that have a place there, then a table of options.
function arguments.of(port, node, ours, order)
  local places = places_of(ours)
  if not places then
    port:refuse(node, ("there is no %s"):format(ours))
  end
  local given, sequence = bind(port, node, ours, order or places)
  rename_files(port, ours, given)
  local pieces, is_placed, last = {}, {}, 0
  for i, name in ipairs(places) do
    is_placed[name] = true
    last = given[name] and i or last
  end
  for i = 1, last do
    local value = given[places[i]]
    pieces[i] = value and argument(port, value) or "nil"
  end
  local rest = {}
  for _, name in ipairs(sequence) do
    if not is_placed[name] then
      if not takes(ours, name) then
        port:refuse(node, ("%s has no option %s"):format(ours, name))
      end
      rest[#rest + 1] = name
    end
  end
  pieces[#pieces + 1] = options_of(port, given, rest)
  return arguments.list(pieces)
end

-- The arguments of a function that the script defines: by place, in the order of its parameters.
function arguments.of_own(port, node, parameters)
  local given = bind(port, node, "", parameters)
  local pieces, last = {}, 0
  for i, name in ipairs(parameters) do
    last = given[name] and i or last
    if given[name] and parameters.has_default[name] then
      nones.check(port, given[name], name)
    end
  end
  for i = 1, last do
    local value = given[parameters[i]]
    pieces[i] = value and port:value(value, 0) or "nil"
  end
  return arguments.list(pieces)
end

-- The arguments of a call of what is not known: by place, then a table of those with names.
function arguments.plain(port, node)
  local pieces = {}
  for i, value in ipairs(node.args) do
    pieces[i] = argument(port, value)
  end
  local given, sequence = bind(port, { args = {}, keywords = node.keywords, line = node.line }, "", {})
  pieces[#pieces + 1] = options_of(port, given, sequence)
  return arguments.list(pieces)
end

-- The argument of that place or name, or nil.
function arguments.get(node, place, name)
  for _, one in ipairs(node.keywords) do
    if one.arg == name then
      return one.value
    end
  end
  return node.args[place]
end

-- Refuses arguments by name that are not among those.
function arguments.only(port, node, allowed)
  local known = tables.set_of(texts.parts(allowed, "%S+"))
  for _, one in ipairs(node.keywords) do
    if not known[one.arg] then
      port:refuse(node, ("its argument %s has nothing in its place here"):format(one.arg or "**"))
    end
  end
end

return arguments
