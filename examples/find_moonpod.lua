-- Lets any Lua find the module of the checkout that the examples lie in, once ./dev build has made it; LUA_PATH and
-- LUA_CPATH come first. A script of your own needs this not: it requires an installed Moonpod.

if os.getenv "LUA_PATH" or os.getenv "LUA_CPATH" then
  return
end
local root = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "../"
local version = _VERSION:match "%d+%.%d+"
local modules = root .. "build/release/lua" .. (version == "5.4" and "" or version)
package.path = root .. "lua/?.lua;" .. root .. "lua/?/init.lua;" .. package.path
package.cpath = modules .. "/?.so;" .. package.cpath
