-- The Lua layer keeps to what Lua 5.1, LuaJIT and 5.2 to 5.4 share, and asks for what some of them have:
-- `local unpack = table.unpack or unpack`.
std = "min"
read_globals = { "unpack", "loadstring", "setfenv", "getfenv", "jit", table = { fields = { "unpack", "pack" } } }
max_line_length = 120
-- Unused `self` and arguments of callbacks are part of an interface.
unused_args = false

-- Specs may use what Lua 5.4 has: they run under it.
files["tests/lua"] = { std = "lua54+busted" }
files["tests/style"] = { std = "lua54" }
