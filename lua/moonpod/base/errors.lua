-- errors - messages that say what, where in the user's script, and what to do.

local above = require "moonpod.base.above"
local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local kinds = require "moonpod.base.kinds"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"
local tail_calls = require "moonpod.base.tail_calls"

local errors = {}

local unpack = table.unpack or unpack -- luacheck: ignore
local getinfo = debug and debug.getinfo

-- Sources that start like this file's are Moonpod's own.
local own_prefix = getinfo and getinfo(1, "S").source:gsub("base/errors%.lua$", "") or ""

local function is_own(source)
  return #own_prefix > 1 and source:sub(1, #own_prefix) == own_prefix
end

local function file_of(info)
  return info.source:sub(1, 1) == "@" and info.source:sub(2) or info.short_src
end

-- The line of a function that returns the call which took its place on the stack: the last that may be one.
local function last_line(fn)
  local info = getinfo(fn, "SL")
  if is_own(info.source) then
    return nil
  end
  local last = info.linedefined
  for line in pairs(info.activelines or {}) do
    if line > last and line < info.lastlinedefined then
      last = line
    end
  end
  local returned = tail_calls.returned(info)
  return file_of(info) .. ":" .. (#returned > 0 and returned[#returned].line or last)
end

local function pass(...)
  return ...
end

-- Calls a user's function, so that errors.location() knows its lines also where it ends with `return pod.f(...)`:
-- Lua then forgets it, and what called Moonpod would be blamed.
function errors.calling(fn, ...)
  return pass(fn(...))
end

-- Returns "file:line" of the innermost function that is not Moonpod's, or nil. In a coroutine of Moonpod's own, where
-- there may be none, errors.elsewhere says whose it is.
function errors.location()
  local level = 2
  while getinfo do
    local place = core.user_line(own_prefix, errors.calling, level)
    if type(place) ~= "number" then
      return place or errors.elsewhere
    end
    local _, fn = debug.getlocal(place, 1)
    local line = type(fn) == "function" and last_line(fn)
    if line then
      return line
    end
    level = place + 1
  end
end

-- A text by string.format, whose %s takes any value: in Lua 5.1 it takes strings and numbers.
local function formatted(format, ...)
  local values = { ... }
  for i = 1, select("#", ...) do
    if type(values[i]) ~= "number" then
      values[i] = tostring(values[i])
    end
  end
  return decimal.format(format, unpack(values, 1, select("#", ...)))
end

-- The place of a call that the stack has no more, of an error whose message begins with the name of what was called.
local function place_of_tail(message)
  local name = getinfo and debug.getlocal and message:match "^[%w_.:]-([%w_]+): "
  return name and tail_calls.place(name, errors.calling, is_own, file_of)
end

-- Raises a message with the user's file and line in front.
function errors.raise(format, ...)
  local message = select("#", ...) > 0 and formatted(format, ...) or format
  local location = place_of_tail(message) or errors.location()
  error(location and location .. ": " .. message or message, 0)
end

-- True for the message of what was interrupted: by a host, or by Ctrl-C.
function errors.is_interrupt(message)
  return type(message) == "string" and message:find "%f[%a]interrupted%f[%A]" ~= nil
end

-- Takes back the request to stop that an interrupt was; moonpod.tensor.device, which has what is asked to stop, says
-- how.
function errors.clear_interrupt()
end

-- The most bytes that the library may hold, or nil: moonpod.tensor.device, which has them, says how many.
function errors.memory_limit()
end

-- Puts the user's file and line in front of a message of the core, unless it has one. An interrupt is told once: what
-- comes after it is not to stop as well.
function errors.raise_from_core(message)
  if type(message) ~= "string" then
    error(message, 0)
  elseif errors.is_interrupt(message) then
    errors.clear_interrupt()
  end
  if message:find("there is no memory", 1, true) and errors.memory_limit() then
    message = ("%s below the limit of %d bytes (pod.device.configure { memory_limit = })"):format(message,
      errors.memory_limit())
  end
  -- Lua's own words for an argument of a function in C, whose name and order are not those that the user wrote
  message = message:gsub("bad argument #%-?%d+ to '[^']*' %((.*)%)$", "%1")
  local place = place_of_tail(message)
  if place and message:find "%([^()\n]+:%d+%)$" then
    error(message:gsub("%([^()\n]+:%d+%)$", "") .. "(" .. place .. ")", 0)
  end
  local has_place = message:find("^[^:\n]+:%d+: ") or message:find("%([^()\n]+:%d+%)$")
  local location = not has_place and (place or errors.location())
  error(location and location .. ": " .. message or message, 0)
end

local function from_core(ok, ...)
  if not ok then
    errors.raise_from_core((...))
  end
  return ...
end

-- Calls a function of the core: what it refuses has the user's file and line in front.
function errors.call_core(fn, ...)
  return from_core(pcall(fn, ...))
end

-- True for a failure that tells nothing of what was tried: memory was short, or somebody pressed Ctrl-C.
function errors.is_passing(message)
  return errors.is_interrupt(message) or type(message) == "string"
    and (message:find("no memory", 1, true) or message:find("not enough memory", 1, true)) ~= nil
end

local function attempted(ok, ...)
  if not ok and errors.is_passing((...)) then
    error((...), 0)
  end
  return ok, ...
end

-- pcall for what goes on otherwise where fn fails: failures that tell nothing of fn are raised all the same.
function errors.attempt(fn, ...)
  return attempted(pcall(fn, ...))
end

local function named(where, ok, ...)
  if ok then
    return ...
  end
  local message = tostring((...))
  if message:find(where, 1, true) then
    error(message, 0)
  end
  local place, rest = message:match "^([^\n:]+:%d+): (.*)$"
  error(place and ("%s: %s: %s"):format(place, where, rest) or ("%s: %s"):format(where, message), 0)
end

-- Calls fn(...), which reads something: what it refuses says what it was reading.
function errors.reading(where, fn, ...)
  return named(where, errors.attempt(fn, ...))
end

-- The number of edits between two words, each of one letter, or of two neighbours that change places.
function errors.distance(a, b)
  local before, row = {}, {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local new = { [0] = i }
    for j = 1, #b do
      local best = math.min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (a:byte(i) == b:byte(j) and 0 or 1))
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        best = math.min(best, before[j - 2] + 1)
      end
      new[j] = best
    end
    before, row = row, new
  end
  return row[#b]
end

-- What other libraries call things, and what they are here.
local OTHERS = { lr = "learning_rate", T = "transpose", to = "cast", float = "cast", int = "cast", double = "cast",
  half = "cast", type = "cast", astype = "cast", view = "reshape", numel = "size", cpu = "totable", tolist = "totable",
  detach = "stop_gradient", unsqueeze = "expand_dims", permute = "transpose", cat = "concatenate", rand = "random",
  randn = "random", parameters = "get_weights", named_parameters = "get_weights", state_dict = "get_weights",
  zero_grad = "apply_gradients", seed = "set_seed", manual_seed = "random", hist = "histogram", imshow = "image",
  heatmap = "heat_map", backward = "gradient", step = "apply_gradients", forward = "call" }

-- Returns those of `names` (array or set) sorted, and the nearest to `word` or nil. Of those as near as each other the
-- one that is written more like it, then the longer one: letters are left out more often than made up.
local function nearest(word, names)
  local list, other = {}, nil
  for key, value in pairs(names) do
    local name = type(key) == "number" and value or key
    list[#list + 1] = name
    other = name == OTHERS[word] and name or other
  end
  table.sort(list)
  if other then
    return list, other
  end
  local best, best_distance, best_written
  local most = math.max(2, math.floor(#word / 3))
  for _, name in ipairs(list) do
    local first = tostring(name):match "^[^_]*"
    local begins = #word >= 3 and name:sub(1, #word) == word -- or is near its first part, as 'updaet' of 'update_state'
      or #word >= 4 and math.abs(#word - #first) <= 1 and errors.distance(word, first) == 1
    if begins or math.abs(#name - #word) <= most then -- else it is farther than that
      local d, written = begins and 1 or errors.distance(word:lower(), name:lower()), errors.distance(word, name)
      if not best_distance or d < best_distance or d == best_distance and (written < best_written
          or written == best_written and #name > #best) then
        best, best_distance, best_written = name, d, written
      end
    end
  end
  if best_distance and best_distance <= most and best_distance < math.max(#word, 2)
      and (#word > 4 or best_distance == 1 or word:sub(1, #best) == best) then -- half of a short word says little
    return list, best
  end
  return list, nil
end

-- More names than these nobody reads.
local MOST_NAMED = 80

-- Returns `; did you mean 'x'?` or `; there are a, b, c`.
function errors.suggest(word, names)
  local list, best = nearest(tostring(word), names)
  if best then
    return ("; did you mean '%s'?"):format(best)
  end
  if #list == 0 or #list > MOST_NAMED then
    return ""
  end
  return "; there are " .. table.concat(list, ", ")
end

-- What stands under a name among `known`; raises where nothing does ("WHERE: there is no WHAT 'NAME'; ...").
function errors.find(known, name, what, where)
  local found = known[name]
  if found == nil then
    errors.raise("%sthere is no %s '%s'%s", where and tostring(where) .. ": " or "", what, tostring(name),
      errors.suggest(name, known))
  end
  return found
end

-- As suggest(), of a name of `pod` or of a part: it may be in another part, or be called otherwise here.
function errors.suggest_name(word, names)
  local function bare(name)
    return tostring(name):gsub("_", ""):lower()
  end
  for key, value in pairs(names) do
    local name = type(key) == "number" and value or key
    if bare(name) == bare(word) then
      return ("; did you mean '%s'?"):format(name)
    end
  end
  local ok, place = errors.attempt(above.call, "elsewhere", word)
  return ok and place and "; here it is " .. place or errors.suggest(word, names)
end

-- Refuses options that `allowed` has not: an array of names, or a table from names to the kinds (moonpod.base.kinds)
-- that the options must be of, true where the caller looks at them. Returns the options, {} for nil.
function errors.check_options(options, allowed, where)
  if options == nil then
    return {}
  end
  if type(options) ~= "table" then
    errors.raise("%s: options go into a table, not %s", where, errors.describe(options))
  end
  local set = allowed[1] and tables.set_of(allowed) or allowed
  for name, value in pairs(options) do
    local kind = set[name]
    if not kind and type(name) == "number" then
      local text = errors.describe(value)
      if where:find "^layers%." and text:find "tensor" then
        errors.raise("%s makes a layer, which is then called with tensors: %s(options)({ ... }), not %s itself", where,
          where, where)
      end
      errors.raise("%s: %s has no name among the options; without one it stands before their table: (%s, { ... })",
        where, text, text)
    elseif not kind then
      errors.raise("%s: unknown option '%s'%s", where, tostring(name), errors.suggest(name, set))
    elseif type(kind) == "string" and not kinds.get(kind).is(value) then
      errors.raise("%s: '%s' must be %s, not %s", where, name, kinds.get(kind).what, errors.describe(value))
    end
  end
  return options
end

-- An argument that may be given by place or as options[name], but not twice.
function errors.once(given, options, name, where)
  if given == nil then
    return options[name]
  elseif options[name] ~= nil then
    errors.raise("%s: '%s' is given twice, by place and by name", where, name)
  end
  return given
end

-- The options of a constructor, which is called with them, or with one of them by its place and the others. spec has
-- where, allowed (as for check_options()), first (the name of the one, or nil), is_first(value) (whether a value is
-- that one; nil: what is no table), takes (what messages call all that it may be called with).
function errors.read_options(value, more, spec)
  errors.check_options(more, spec.allowed, spec.where)
  if value == nil then
    return more or {}
  end
  local is_first = spec.is_first or function()
    return type(value) ~= "table"
  end
  if spec.first and (more ~= nil or is_first(value)) then
    local given = tables.merge(more)
    given[spec.first] = errors.once(value, given, spec.first, spec.where)
    value = given
  elseif spec.takes and (more ~= nil or type(value) ~= "table") then
    errors.raise("%s takes %s, not %s", spec.where, spec.takes, errors.describe(value))
  end
  return errors.check_options(value, spec.allowed, spec.where)
end

-- Levels of nested tables that anything goes into.
local MOST_LEVELS = 100

-- For what goes into nested tables: the level below `level` (nil: the outermost). A table that holds itself has no end.
function errors.level_below(level, where)
  level = (level or 0) + 1
  if level > MOST_LEVELS then
    errors.raise("%s: tables are nested more than %d deep; does one hold itself?", where, MOST_LEVELS)
  end
  return level
end

-- Says what a value is, for messages: nil, "relu", 3, a table, ...; tables that are not nested by what is in them.
function errors.describe(value, is_nested)
  local kind = type(value)
  if kind == "string" then
    return string.format("%q", value)
  elseif kind == "number" then
    return decimal.text(value)
  elseif kind == "boolean" or kind == "nil" then
    return tostring(value)
  elseif readable.is_plain(value) and #value > 0 and #value <= 8 and not is_nested then
    return "{ " .. table.concat(tables.map(value, errors.describe, true), ", ") .. " }"
  end
  local meta = getmetatable(value)
  if type(meta) ~= "table" or kind ~= "table" then
    return "a " .. kind
  elseif meta.__name == "moonpod.tensor" or rawget(value, "shape") and rawget(value, "dtype") then
    return "a tensor of shape " .. tostring(value.shape)
  end
  if meta.__description then
    return meta.__description
  end
  local name = type(meta.__name) == "string" and meta.__name:match "^moonpod%.(.*)"
  return name and (name:find "^[aeiou]" and "an " or "a ") .. name:gsub("_", " ") or "a table"
end

-- Refuses a value that is not of the Lua type, naming it.
function errors.check_type(value, expected, where, what)
  if type(value) ~= expected then
    errors.raise("%s: %s must be a %s, not %s", where, what, expected,
      value == nil and "nil" or "a " .. type(value))
  end
  return value
end

return errors
