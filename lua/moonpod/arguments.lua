-- The name that scripts know moonpod.base.arguments by (docs/lua.md).
return require "moonpod.base.arguments"
