-- The name that scripts know moonpod.base.arguments by (docs/reference/lua.md).
return require "moonpod.base.arguments"
