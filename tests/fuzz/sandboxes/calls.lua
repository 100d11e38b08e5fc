-- calls - a script for sandboxes: calls what a script can reach with anything. It is run with a seed and a number of
-- calls; what calls returned is given to later ones, and has its methods called.

local state, most = ...

local function draw(n)
  state = (state * 48271) % 2147483647
  return state % n + 1
end

local NUMBERS = { 0, 1, -1, 2, 3, 1.5, 255, 2 ^ 31, -2 ^ 31, 2 ^ 31 - 1, 2 ^ 32, 2 ^ 53,
  2 ^ 53 + 2, 2 ^ 61 - 13, 2 ^ 61, 2 ^ 62, 2 ^ 63, -2 ^ 63, 1e308, 0 / 0, 1 / 0,
  -1 / 0, math.maxinteger or 0, math.mininteger or 0 }
local TEXTS = { "", "x", "float32", "int8", "bfloat16", "relu", "same", "adam", "mse", "sum", "a/../../b",
  "/etc/passwd", "\0", "\27Lua", "%s%n", "{}", "[[", ("x"):rep(1e4), "__index", "0:2" }
local functions, kept = {}, {}

local function walk(t, depth)
  for _, value in pairs(t) do
    if type(value) == "function" or type(value) == "table" and depth == 3 then
      functions[#functions + 1] = value
    elseif type(value) == "table" then
      walk(value, depth + 1)
    end
  end
end

if not reached then -- kept from run to run
  walk(pod, 1)
  walk({ string, table, math, coroutine, os, utf8 }, 2)
  reached = functions
end
functions = reached

local value
local function list(n)
  local t = {}
  for i = 1, draw(n) do
    t[i] = value()
  end
  return t
end

function value()
  local kind = draw(12)
  if kind <= 4 then
    return NUMBERS[draw(#NUMBERS)]
  elseif kind == 5 then
    return TEXTS[draw(#TEXTS)]
  elseif kind == 6 then
    return list(3)
  elseif kind == 7 then
    return functions[draw(#functions)]
  elseif kind == 8 then
    return draw(2) == 1 and pod.ones { draw(4), draw(4) } or pod.tensor { 1, 2, 3 }
  elseif kind == 9 then
    return ({ true, false, setmetatable({}, { __index = error }), coroutine.create(print),
      function(...) return ... end })[draw(5)]
  end
  return kept[draw(#kept + 1)]
end

-- A method of a value, by the tables that its metatable leads to.
local function method_of(of)
  local names = {}
  local ok = pcall(function()
    local meta = getmetatable(of)
    local index = type(meta) == "table" and rawget(meta, "__index") or type(of) == "table" and of
    for name, fn in next, type(index) == "table" and index or {} do
      names[#names + 1] = type(fn) == "function" and name or nil
    end
    table.sort(names)
  end)
  return ok and #names > 0 and of[names[draw(#names)]] or nil
end

made = 0
while made < most do
  made = made + 1
  local of = draw(2) == 1 and kept[draw(#kept + 1)] or nil
  local fn = of and method_of(of) or functions[draw(#functions)]
  local results = { pcall(fn, of or value(), value(), value(), draw(3) == 1 and list(3) or value()) }
  if results[1] and results[2] ~= nil then
    kept[#kept < 30 and #kept + 1 or draw(30)] = results[2]
  end
end
return made
