-- placement - the scopes of devices that are open: entries { name = a full name }.

return require("moonpod.base.scopes").new()
