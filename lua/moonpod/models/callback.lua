-- callback - what all callbacks are: a class with hooks, instances with fields of their own.
--
-- A hook is a method (self, number, logs) or (self, logs). Around the hooks, fit calls where a callback has them:
--   set_params(params), set_model(model)   before all; else the fields params and model are set
--   set_run(run), prepare(run)             before a training begins (see training_run.lua); else the field run is set
--   get_state(), set_state(state)          what a run that is resumed needs of it: a table of numbers, texts, booleans,
--                                          tensors and tables of these
--   check_state(state)                     refuses what set_state() could not use, before anything is put back
--   sync()                                 sees what was written so far onto the disk: the state is about to be
--   close()                                behind all, also where an error ends the run: files are closed here

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local hooks = require "moonpod.models.hooks"
local kinds = require "moonpod.base.kinds"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"

local callback = {}

local Callback = {}

--- Whether a value is an instance of a class of callbacks.
---@example pod.callbacks.is_callback(pod.callbacks.history()) --> true
function callback.is_callback(value)
  local meta = type(value) == "table" and getmetatable(value)
  return type(meta) == "table" and meta.is_callback == true
end

--- The fields that a class names in `state`.
---@example pod.callbacks.early_stopping():get_state().wait --> 0
function Callback:get_state()
  local class = getmetatable(self).class
  if not class.state then
    return nil
  end
  return tables.pick(self, class.names)
end

--- Puts back what get_state() gave.
--- ```lua
--- local Count = pod.callbacks.subclass { name = "HelpCount", state = { "seen" } }
--- local count = Count()
--- count:set_state { seen = 3 }
--- assert(count.seen == 3)
--- ```
function Callback:set_state(state)
  for _, name in ipairs(getmetatable(self).class.names) do
    self[name] = state[name]
  end
end

function Callback.__tostring(self)
  return "<callback " .. self.name .. ">"
end

local function new_class(name, methods)
  local class = setmetatable(tables.merge(methods), { __index = Callback })
  class.meta = { __index = class, __tostring = Callback.__tostring, __name = "moonpod.callback", is_callback = true,
    class = class }
  class.name, class.names = name, {}
  for key, field in pairs(methods.state or {}) do
    class.names[#class.names + 1] = type(key) == "string" and key or field
  end
  return class
end

-- What a callback's methods take: for those that are there.
local HOOK_SIGNATURES = {
  ["epoch:count logs:table?"] = "on_epoch_begin on_epoch_end",
  ["batch:count logs:table?"] = "on_batch_begin on_batch_end on_train_batch_begin on_train_batch_end "
    .. "on_test_batch_begin on_test_batch_end on_predict_batch_begin on_predict_batch_end",
  ["logs:table?"] = "on_train_begin on_train_end on_test_begin on_test_end on_predict_begin on_predict_end",
  ["batch:count logs:function"] = "on_train_batch_end_lazy on_test_batch_end_lazy on_predict_batch_end_lazy",
  ["params:table"] = "set_params",
  ["model:model"] = "set_model",
  ["state:table"] = "set_state",
  ["run:table"] = "set_run prepare",
}

local function check_methods(class)
  for signature, names in pairs(HOOK_SIGNATURES) do
    for name in names:gmatch "%S+" do
      if rawget(class, name) then
        class[name] = declare.method("callback", name, class[name], signature)
      end
    end
  end
  for _, name in ipairs { "close", "get_state" } do
    if rawget(class, name) then
      class[name] = declare.method("callback", name, class[name])
    end
  end
end

-- Makes a class of Moonpod's own and returns its constructor. spec: name, first (the option that may stand before the
-- table of options), missing (for one that must be given: what the message says besides), defaults, kinds (of
-- moonpod.base.kinds, by option; options of neither are refused), state (fields with their kinds of
-- moonpod.base.schema), setup (checks the options, which are fields by then), to_text (what print()
-- shows), and the hooks and methods.
function callback.define(spec)
  local where = "callbacks." .. spec.name
  local methods = tables.merge(spec)
  for _, key in ipairs { "first", "missing", "defaults", "kinds", "setup", "name", "to_text" } do
    methods[key] = nil
  end
  local class = new_class(spec.name, methods)
  class.meta.__tostring = spec.to_text or Callback.__tostring
  check_methods(class)
  class.schema = spec.state and schema.object(spec.state)
  local first_kind = kinds.get(spec.kinds[spec.first])
  local reading = { where = where, allowed = spec.kinds, first = spec.first, takes = "a table of options",
    is_first = function(value)
      return type(value) ~= "table" or first_kind.is(value)
    end }
  return function(first, options)
    local self = setmetatable(tables.merge(spec.defaults, errors.read_options(first, options, reading)), class.meta)
    if spec.missing and (self[spec.first] == nil or self[spec.first] == "") then
      errors.raise("%s: '%s' is missing%s", where, spec.first, spec.missing)
    end
    if spec.setup then
      spec.setup(self, where)
    end
    return self
  end
end

--- Makes a class from a table of hooks and other methods: `setup(self, ...)` gets what the class is called with, `name`
--- is what errors call it, `state` names the fields that a resumed run needs.
--- ```lua
--- local Count = pod.callbacks.subclass {
---   setup = function(self)
---     self.epochs = 0
---   end,
---   on_epoch_end = function(self)
---     self.epochs = self.epochs + 1
---   end,
--- }
--- local count = Count()
--- local model = pod.models.sequential { pod.layers.dense(1) }
--- model:compile { loss = "mse" }
--- model:fit(pod.ones { 4, 2 }, pod.ones { 4, 1 }, { epochs = 3, verbose = 0, callbacks = { count } })
--- print(count.epochs)
--- --> 3
--- ```
function callback.subclass(methods)
  errors.check_type(methods, "table", "callbacks.subclass", "the table of hooks")
  errors.check_type(methods.name or "", "string", "callbacks.subclass", "the name")
  errors.check_type(methods.state or {}, "table", "callbacks.subclass", "'state'")
  hooks.check(methods, "callbacks.subclass")
  local class = new_class(methods.name or "callback", methods)
  return setmetatable({}, { __call = function(_, ...)
    local self = setmetatable({}, class.meta)
    if methods.setup then
      methods.setup(self, ...)
    end
    return self
  end, __index = class, __name = "moonpod.callback_class" })
end

declare.methods("callback", Callback, callback.is_callback, { ["state:table"] = "set_state" })

return callback
