-- schema - what a text of JSON must be. All JSON that is read comes through schema.read(), which refuses what its
-- reader could not use: so nothing that is changed by what a file says is changed by half.
--
--   local POSITION = schema.object { epoch = schema.count, logs = schema.optional(schema.map_of(schema.number)) }
--   local position = schema.read(text, POSITION, "backup-1.safetensors: metadata 'extra'")
--
-- A kind is { what =, check = }: check(value) gives nil, or where in it what is wrong stands ("" for all of it), what
-- that must be, and what it is. Members that a schema does not name are kept: newer versions may write more.

local errors = require "moonpod.base.errors"
local late = require "moonpod.base.late"
local tables = require "moonpod.base.tables"
local is_whole = require "moonpod.base.kinds".is_whole

local schema = {}

-- Kinds are made with the classes that have them; few programs read a text.
local function json()
  return require "moonpod.base.json"
end
local is_null, is_array = late(json, "is_null"), late(json, "is_array")

local function is_object(value)
  return type(value) == "table" and not is_null(value) and not is_array(value)
end

-- An empty table that was not read as an array is written as an object: it may be either.
local function is_list(value)
  return is_array(value) or is_object(value) and next(value) == nil
end

-- Checks what stands below a key.
local function check_member(kind, value, key)
  local place, what, found = kind.check(value)
  if place then
    return place == "" and tostring(key) or tostring(key) .. "." .. place, what, found
  end
end

-- A kind of values that `is` knows.
function schema.kind(what, is)
  local kind = { what = what }
  function kind.check(value)
    if not is(value) then
      return "", kind.what, value
    end
  end
  return kind
end

-- Whole numbers from `least` to `most`.
function schema.integer(least, most)
  return schema.kind(("a whole number from %.0f to %.0f"):format(least, most), function(value)
    return is_whole(value, least, most)
  end)
end

local function is_of(lua_type)
  return function(value)
    return type(value) == lua_type
  end
end

schema.any = schema.kind("a value", function() return true end)
schema.text = schema.kind("a text", is_of "string")
schema.boolean = schema.kind("true or false", is_of "boolean")
schema.number = schema.kind("a number", is_of "number")
schema.count = schema.integer(0, 2 ^ 53)

-- The value itself.
function schema.constant(value)
  return schema.kind(errors.describe(value), function(given)
    return given == value
  end)
end

-- May be absent, or null.
function schema.optional(kind)
  return { what = kind.what, check = function(value)
    if not is_null(value) then
      return kind.check(value)
    end
  end }
end

function schema.list_of(kind)
  return { what = "an array", check = function(value)
    if not is_list(value) then
      return "", "an array", value
    end
    for i = 1, #value do
      local place, what, found = check_member(kind, value[i], i)
      if place then
        return place, what, found
      end
    end
  end }
end

-- Objects whose members have any names, and values of one kind.
function schema.map_of(kind)
  return { what = "an object", check = function(value)
    if not is_object(value) then
      return "", "an object", value
    end
    for key, item in pairs(value) do
      local place, what, found = check_member(kind, item, key)
      if place then
        return place, what, found
      end
    end
  end }
end

-- Objects with these members, and any others.
function schema.object(members)
  local names = tables.sorted_keys(members)
  return { what = "an object", check = function(value)
    if not is_object(value) then
      return "", "an object", value
    end
    for _, name in ipairs(names) do
      local place, what, found = check_member(members[name], value[name], name)
      if place then
        return place, what, found
      end
    end
  end }
end

-- The first of the kinds that fits; where none does, what the kinds are.
function schema.either(...)
  local kinds, texts = { ... }, {}
  for i, kind in ipairs(kinds) do
    texts[i] = kind.what
  end
  local what = table.concat(texts, " or ")
  return { what = what, check = function(value)
    local deepest, wanted, found = "", what, value
    for _, kind in ipairs(kinds) do
      local place, one, item = kind.check(value)
      if not place then
        return nil
      elseif #place > #deepest then
        deepest, wanted, found = place, one, item
      end
    end
    return deepest, wanted, found
  end }
end

-- A kind that is made of itself: make(kind) gives what it is. The reader bounds how deep texts are nested.
function schema.recursive(make)
  local kind = {}
  local made = make(kind)
  kind.what, kind.check = made.what, made.check
  return kind
end

-- A kind, and besides what `is` says of a value of the kind.
function schema.also(kind, what, is)
  return { what = what, check = function(value)
    local place, wanted, found = kind.check(value)
    if not place and not is(value) then
      place, wanted, found = "", what, value
    end
    return place, wanted, found
  end }
end

-- Numbers, and arrays of such: what logs and histories have.
schema.numbers = schema.recursive(function(self)
  return schema.either(schema.number, schema.list_of(self))
end)

-- The sentence of what is wrong with a value, nil where nothing is.
local function problem(value, kind)
  local place, what, found = kind.check(value)
  if place == nil then
    return nil
  end
  local is = is_null(found) and (found == nil and "missing" or "null") or is_array(found) and "an array"
    or is_object(found) and "an object" or errors.describe(found):sub(1, 80)
  return ("%s must be %s, not %s"):format(place == "" and "it" or "'" .. place:sub(1, 200) .. "'", what, is)
end

-- Refuses a value that is not of a kind. where: what messages begin with.
function schema.check(value, kind, where)
  local wrong = problem(value, kind)
  if wrong then
    errors.raise("%s: %s", where, wrong)
  end
  return value
end

-- The value of a text of JSON, of a kind. Members that are null are left out, unless with keep_null = true.
function schema.read(text, kind, where, options)
  local drop_null = not (options and options.keep_null)
  return schema.check(json().decode(text, { where = where, drop_null = drop_null }), kind, where)
end

return schema
