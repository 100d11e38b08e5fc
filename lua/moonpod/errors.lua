-- The name that scripts know moonpod.base.errors by (docs/reference/lua.md).
return require "moonpod.base.errors"
