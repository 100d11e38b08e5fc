-- The name that scripts know moonpod.tensor.trace by (docs/reference/lua.md).
return require "moonpod.tensor.trace"
