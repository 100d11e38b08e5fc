-- The name that scripts know moonpod.tpu.padding by (docs/reference/lua.md).
return require "moonpod.tpu.padding"
