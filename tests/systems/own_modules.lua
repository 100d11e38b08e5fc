-- The executable that is one file has its own modules, whatever LUA_PATH and LUA_CPATH say: here this file, for each.

assert(... == nil, "a module was taken from package.path")
local pod = require "moonpod"
assert(tostring(pod.tensor { 1, 2 }):find "1. 2.")
assert(require "moonpod.layers" == pod.layers)
print "1 passed, 0 failed"
