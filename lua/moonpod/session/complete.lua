-- complete - how a text of Lua that is being typed could go on: names of globals, fields, methods, modules and files.
-- Nothing of the user's runs for it: tables are read as they are, metatables are looked into and not asked. Our own
-- modules, which load their parts when they are first named, are asked.

local calls = require "moonpod.session.calls"
local commands = require "moonpod.session.commands"
local find = require "moonpod.help.find"
local help = require "moonpod.help"
local reflect = require "moonpod.help.reflect"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"
local tokens = require "moonpod.base.tokens"

local complete = {}

local MOST = 1000 -- candidates
local MOST_WITH_HELP = 200

-- ---- the value before the cursor -----------------------------------------------------------------------

local global_table = _G

-- Splits `a.b["c"][1].d` before a place into names and keys, read from the right: { "a", "b", ... }, or nil where it
-- is no such chain (a call's result is not known before it is called).
local function chain_before(text, last)
  local keys = {}
  while true do
    local rest = text:sub(1, last)
    local before, key = rest:match "^(.-)%[%s*(%d+)%s*%]%s*$"
    if before then
      key = tonumber(key)
    else
      before, key = rest:match "^(.-)%[%s*\"([^\"\\%]]*)\"%s*%]%s*$"
      if not before then
        before, key = rest:match "^(.-)%[%s*'([^'\\%]]*)'%s*%]%s*$"
      end
    end
    if before then
      table.insert(keys, 1, key)
      last = #before
    else
      local start, name = rest:match "()([%a_][%w_]*)%s*$"
      if not start then
        return nil
      end
      table.insert(keys, 1, name)
      local dot = rest:sub(1, start - 1):match "()[.:]%s*$"
      if not dot or rest:sub(dot - 1, dot - 1) == "." then
        return not dot and keys or nil
      end
      last = dot - 1
    end
  end
end

local function value_of(keys, late)
  local value = rawget(global_table, keys[1])
  if value == nil and late and late[keys[1]] then
    local ok, loaded = pcall(late[keys[1]])
    value = ok and loaded or nil
  end
  for i = 2, #keys do
    if value == nil then
      return nil
    end
    value = reflect.field(value, keys[i])
  end
  return value
end

-- ---- candidates ----------------------------------------------------------------------------------------

local function sorted(names, partial)
  local list = {}
  for name in next, names do
    local hidden = name:sub(1, 1) == "_" and partial:sub(1, 1) ~= "_"
    if name:sub(1, #partial) == partial and not hidden then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  local candidates = {}
  for i = 1, math.min(#list, MOST) do
    candidates[i] = { text = list[i] }
  end
  return candidates
end

-- The sentences of all names of `pod`, for which all modules would have to be loaded: the build has written them beside
-- the module in C (cmake/sentences.lua).
local sentences
local function sentences_of_pod()
  if not sentences then
    local search = package.searchpath -- luacheck: ignore
    local folder = (search and search("moonpod.core", package.cpath) or ""):match "^(.*)core%.so$"
    local written = folder and texts.read(folder .. "sentences.txt") or ""
    sentences = {}
    for name, text in written:gmatch "(%S+) ([^\n]+)\n" do
      sentences[name] = text
    end
  end
  return sentences
end

-- Whether a name of a function or class is the one to offer: of several the one that it has itself, else the longest.
local function is_better(name, other, held)
  local own = type(held) == "table" and rawget(held, "function_name")
  own = type(own) == "string" and own:match "[%w_]+$"
  return name == own or other ~= own and #name > #other
end

-- Candidates that are a module's fields, what has several names once. Loads them.
local function without_aliases(candidates, value)
  local name_of, once = {}, {}
  for i = 1, math.min(#candidates, MOST_WITH_HELP) do
    local name = candidates[i].text
    local ok, held = pcall(reflect.field, value, name)
    local is_named = ok and (type(held) == "function" or type(held) == "table")
    candidates[i].held = is_named and held or nil
    if is_named and (not name_of[held] or is_better(name, name_of[held], held)) then
      name_of[held] = name
    end
  end
  for _, one in ipairs(candidates) do
    once[#once + 1] = (not one.held or name_of[one.held] == one.text) and one or nil
    one.held = nil
  end
  return once
end

-- Gives candidates that are a value's fields the sentence of their help. above: the value's name.
local function with_help(candidates, value, above)
  local is_pod = above == "pod" and rawequal(value, package.loaded.moonpod)
  local known = is_pod and sentences_of_pod() or {}
  candidates = not is_pod and reflect.is_our_module(value) and without_aliases(candidates, value) or candidates
  for i, one in ipairs(candidates) do
    one.help = known[one.text]
    if not one.help and i <= MOST_WITH_HELP then
      local ok, line = pcall(find.line, reflect.field(value, one.text), (above or "?") .. "." .. one.text)
      one.help = ok and line or nil
    end
  end
  return candidates
end

local function of_fields(text, start, partial, late)
  local place, sign = text:sub(1, start - 1):match "()([.:])%s*$"
  local value, keys
  if text:sub(place - 1, place - 1) == "." or place == 1 then
    return {}
  elseif text:sub(1, place - 1):find "[\"']%s*%)%s*$" then
    value = "" -- the methods of a text
  else
    keys = chain_before(text, place - 1)
    value = keys and value_of(keys, late)
  end
  if value == nil then
    return {}
  end
  local names = reflect.names(value)
  for name, kind in next, names do
    if sign == ":" and kind ~= "function" and kind ~= "any" then
      names[name] = nil
    end
  end
  return with_help(sorted(names, partial), value, keys and table.concat(keys, "."))
end

local function of_globals(text, start, partial, late)
  local names = reflect.names(global_table)
  for name in next, late or {} do
    names[name] = "any"
  end
  for word in pairs(tokens.keywords) do
    names[word] = partial ~= "" and "keyword" or nil
  end
  for word in text:sub(1, start - 1):gmatch "[%a_][%w_]+" do -- locals of the entry
    names[word] = names[word] or "any"
  end
  return sorted(names, partial)
end

-- Files that begin with what is typed: a folder's name ends in "/". `list(folder)` gives the names in a folder.
local function of_files(typed, list)
  local folder, partial = typed:match "^(.*/)([^/]*)$"
  folder, partial = folder or "", partial or typed
  local place = folder == "" and "." or folder
  if place:find "^~/" then
    place = (os.getenv "HOME" or "~") .. place:sub(2)
  end
  local names = {}
  for _, name in ipairs(list and list(place) or {}) do
    if not name:find "[\"'\\%c]" and (name:sub(1, 1) ~= "." or partial:sub(1, 1) == ".") then
      names[name] = "file"
    end
  end
  return tables.map(sorted(names, partial), function(candidate)
    return { text = folder .. candidate.text }
  end)
end

-- Modules whose names begin with what is typed: loaded, preloaded, or in a folder of package.path or package.cpath.
local function of_modules(typed, list)
  local names = {}
  for _, from in ipairs { package.loaded, package.preload } do
    for name in next, from do
      names[name] = type(name) == "string" and "module" or nil
    end
  end
  local above = typed:match "^(.*%.)" or ""
  for template in (package.path .. ";" .. package.cpath):gmatch "[^;]+" do
    local before, behind = template:match "^([^?]*)%?(.*)$"
    -- The part of the template's name that stands before the module's own: "lib?.so" looks for others.
    local folder, first = (before or ""):match "^(.*/)(.*)$"
    for _, name in ipairs(folder and first == "" and list and list(folder .. above:gsub("%.", "/")) or {}) do
      local module = behind:find "^/" and name:match "^(.*)/$" or
        name:sub(-#behind) == behind and name:sub(1, #name - #behind)
      if module and module:find "^[%w_-]+$" then
        names[above .. module] = "module"
      end
    end
  end
  return sorted(names, typed)
end

-- ---- arguments and options -----------------------------------------------------------------------------

local function value_before(text, last, late)
  local keys = chain_before(text, last)
  return keys and value_of(keys, late), keys
end

-- The options of what is called, each { name =, values =, text =, place = }; none where it is not known.
local function options_of(text, call, late)
  local value = value_before(text, call.callee, late)
  local ok, list = pcall(help.options, value)
  return value ~= nil and ok and list or {}
end

-- The keys of the table of options that a place is in, or nil where it is in none.
local function of_options(text, start, partial, late)
  local call = calls.at_end(text:sub(1, start - 1))
  if not call or not call.options or call.key then
    return nil
  end
  local names, helps = {}, {}
  for _, option in ipairs(options_of(text, call, late)) do
    if not (call.given:gsub("%b{}", "{}")):find("%f[%w_]" .. option.name .. "%s*=") then
      names[option.name], helps[option.name] = "option", option.text
    end
  end
  local found = sorted(names, partial)
  for _, candidate in ipairs(found) do
    candidate.help = helps[candidate.text]
    candidate.text = candidate.text .. " = "
  end
  return #found > 0 and found or nil
end

-- The names of a model's layers where a text is the argument of its method get_layer.
local function of_layers(keys, partial, late)
  if keys[#keys] ~= "get_layer" then
    return nil
  end
  local above = tables.slice(keys, 1, #keys - 1)
  local model = above[1] and value_of(above, late)
  local list = type(model) == "table" and reflect.field(model, "_list_layers")
  local ok, layers = pcall(reflect.is_ours(list) and list or error, model)
  local names = {}
  for _, layer in ipairs(ok and layers or {}) do
    names[tostring(rawget(layer, "name"))] = "layer"
  end
  return sorted(names, partial)
end

-- The keys of a table where a text in brackets is its key: t["
local function of_keys(text, partial, late)
  local last = text:match "^.*()%S%s*%[%s*$"
  local value = last and value_before(text, last, late)
  if type(value) ~= "table" then
    return nil
  end
  local names = {}
  for key, held in next, value do
    if type(key) == "string" and not key:find "[%c\"'\\]" then
      names[key] = type(held)
    end
  end
  return sorted(names, partial)
end

-- What a text may be that is a key, an option's value or an argument; nil where nothing is known.
local function of_texts(text, partial, late)
  local found = of_keys(text, partial, late)
  local call = not found and calls.at_end(text)
  if not call then
    return found
  end
  local keys = chain_before(text, call.callee)
  found = keys and call.place == 1 and of_layers(keys, partial, late)
  if found then
    return found
  end
  for _, option in ipairs(options_of(text, call, late)) do
    if call.key and option.name == call.key or call.place and option.place == call.place then
      found = sorted(tables.set_of(option.values or {}), partial)
      return #found > 0 and found or nil
    end
  end
end

-- Where in the text the candidates begin, and an array of { text = }. `text` is what stands before the cursor; `where`:
-- string (the place where the text of an open string begins), comment (true within one), list (gives the names in a
-- folder; none are offered without it), late (globals that are
-- there when they are first named: name -> function that gives it), load (by which `pod` and `help` are two of these).
function complete.candidates(text, where)
  where = where or {}
  local late = where.load and { pod = function()
    return where.load "moonpod"
  end, help = function()
    return help
  end } or where.late
  local sign, command = text:match "^%s*([%%!?]+)(%S*)$"
  if sign == "%" then
    local found = sorted(commands.list, command)
    for _, candidate in ipairs(found) do
      candidate.help = commands.list[candidate.text].help
    end
    return #text - #command + 1, found
  elseif text:find "^%s*!" or text:find "^%s*%%run%s" or text:find "^%s*%%save%s" then
    local typed = text:match "[^%s!]*$"
    return #text - #typed + 1, of_files(typed, where.list)
  elseif where.comment then
    return #text + 1, {}
  elseif where.string then
    local typed = text:sub(where.string)
    local requires = text:sub(1, where.string - 2):find "%f[%w_]require%s*%(?%s*$"
    return where.string, requires and of_modules(typed, where.list)
      or of_texts(text:sub(1, where.string - 2), typed, late) or of_files(typed, where.list)
  end
  local start, partial = text:match "()([%a_][%w_]*)$"
  start, partial = start or #text + 1, partial or ""
  if text:sub(1, start - 1):find "[.:]%s*$" and not text:sub(1, start - 1):find "::%s*$" then
    return start, of_fields(text, start, partial, late)
  end
  return start, of_options(text, start, partial, late) or of_globals(text, start, partial, late)
end

return complete
