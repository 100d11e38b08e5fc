-- The name that scripts know moonpod.base.kinds by (docs/reference/lua.md).
return require "moonpod.base.kinds"
