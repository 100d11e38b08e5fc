-- mutate - changes of JSON: values of other types and sizes, members that are missing, new or elsewhere.

local json = require "moonpod.base.json"

local mutate = {}

local state = 1

function mutate.seed(seed)
  state = seed % 2147483646 + 1
  for _ = 1, 20 do
    mutate.draw(2)
  end
end

-- From 1 to n.
function mutate.draw(n)
  state = state * 48271 % 2147483647
  return math.floor(state / 2147483647 * n) + 1
end

function mutate.pick(list)
  return list[mutate.draw(#list)]
end

local OTHERS = { 0, 1, -1, 0.5, 2 ^ 31, 2 ^ 53, 2 ^ 62, 1e300, 0 / 0, math.huge, "", "x", "a/b", "\0", true, false,
  json.null }

local function other()
  local kind = mutate.draw(8)
  if kind == 1 then
    return json.array {}
  elseif kind == 2 then
    return {}
  elseif kind == 3 then
    return { 1, "x", json.null }
  elseif kind == 4 then
    return { class_name = mutate.pick { "Dense", "Huber", "function", "__tensor__", "Adam" }, config = mutate.pick { {},
      "os.exit", { value = { 1 }, dtype = "float32", shape = { 7 } } } }
  elseif kind == 5 then
    return { ["$tensor"] = mutate.pick { "a/kernel", "none", 3 } }
  end
  return mutate.pick(OTHERS)
end

local function is_table(value)
  return type(value) == "table" and value ~= json.null
end

-- All places of nested tables, in an order that is the same in each run: { table, key }.
local function places_of(value)
  local places = {}
  local function visit(t)
    local keys = {}
    for key in pairs(t) do
      keys[#keys + 1] = key
    end
    table.sort(keys, function(a, b)
      return tostring(a) < tostring(b)
    end)
    for _, key in ipairs(keys) do
      places[#places + 1] = { t, key }
      if is_table(t[key]) then
        visit(t[key])
      end
    end
  end
  visit(value)
  return places
end

local function put(t, key, value)
  if value == nil and type(key) == "number" then
    table.remove(t, key)
  else
    t[key] = value
  end
end

local changes = {
  function(place)
    put(place[1], place[2], other())
  end,
  function(place)
    put(place[1], place[2], nil)
  end,
  function(place) -- of its own type
    local value = place[1][place[2]]
    if type(value) == "number" then
      value = mutate.pick { value + 1, value - 1, -value, value * 1e18, value + 0.5 }
    elseif type(value) == "string" then
      value = mutate.pick { value .. "x", value:sub(1, -2), value:upper(), "" }
    elseif type(value) == "boolean" then
      value = not value
    end
    put(place[1], place[2], value)
  end,
  function(place)
    place[1][place[2]] = { place[1][place[2]] }
  end,
  function(place, places) -- two change places, unless one is within the other
    local second = mutate.pick(places)
    if not is_table(place[1][place[2]]) and not is_table(second[1][second[2]]) then
      place[1][place[2]], second[1][second[2]] = second[1][second[2]], place[1][place[2]]
    end
  end,
  function(place)
    if type(place[2]) == "string" then
      place[1][place[2] .. "_"], place[1][place[2]] = place[1][place[2]], nil
    else
      table.insert(place[1], place[2], other())
    end
  end,
}

-- Changes a table at one to three places; says at which.
function mutate.change(value)
  local said = {}
  for i = 1, mutate.draw(4) == 1 and mutate.draw(3) or 1 do
    local places = places_of(value)
    if #places == 0 then
      break
    end
    local place, kind = mutate.pick(places), mutate.draw(#changes)
    changes[kind](place, places)
    said[i] = ("%s by %d"):format(tostring(place[2]), kind)
  end
  return table.concat(said, ", ")
end

-- The text of a value that was changed, or of one that is read again but for a byte; and what was done.
function mutate.text(text)
  if mutate.draw(10) == 1 then
    local at = mutate.draw(#text)
    return text:sub(1, at - 1) .. string.char(mutate.draw(127)) .. text:sub(at + 1), "byte " .. at
  end
  local value = json.decode(text)
  local said = mutate.change(value)
  return json.encode(value), said
end

return mutate
