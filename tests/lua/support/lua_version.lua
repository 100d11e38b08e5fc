-- lua_version - what the Lua that runs the specs can do, beyond Lua 5.1.

local load_text = loadstring or load -- luacheck: ignore

local meta = { __len = function() return 7 end, __lt = function() return true end }
meta.__eq = meta.__lt
local table_with = setmetatable({}, meta)

local weak = setmetatable({}, { __mode = "k" })
do
  local key = {}
  weak[key] = { key }
end
collectgarbage()
collectgarbage()

local waiting = coroutine.create(function()
  pcall(string.gsub, "a", "a", coroutine.yield)
  pcall(coroutine.yield)
end)
coroutine.resume(waiting)

return {
  -- #t asks a table's metatable
  has_table_length = #table_with == 7,
  -- t < 3 asks the metatable of t
  compares_kinds = pcall(function() return table_with < 3 end),
  -- 64-bit integers
  has_integers = math.type and math.type(1) == "integer" and 2 ^ 53 ~= 2 ^ 53 + 1 or math.maxinteger ~= nil,
  -- a value of a weak table that refers to its own key does not keep it
  has_ephemerons = next(weak) == nil,
  -- t[nil] = x asks the metatable of t
  asks_for_keys = pcall(function() setmetatable({}, { __newindex = function() end })[nil] = 1 end),
  -- local x <close>
  has_close = load_text "local x <close> = nil" ~= nil,
  -- a coroutine may yield while Lua is called from C
  yields_across_calls = coroutine.status(waiting) == "suspended",
}
