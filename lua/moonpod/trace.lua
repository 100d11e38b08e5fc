-- The name that scripts know moonpod.tensor.trace by (docs/lua.md).
return require "moonpod.tensor.trace"
