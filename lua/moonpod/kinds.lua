-- The name that scripts know moonpod.base.kinds by (docs/lua.md).
return require "moonpod.base.kinds"
