-- The name that scripts know moonpod.base.errors by (docs/lua.md).
return require "moonpod.base.errors"
