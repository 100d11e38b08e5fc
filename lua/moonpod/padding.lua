-- The name that scripts know moonpod.tpu.padding by (docs/lua.md).
return require "moonpod.tpu.padding"
