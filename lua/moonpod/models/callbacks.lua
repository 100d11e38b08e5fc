-- Callbacks of fit, evaluate and predict.
--
-- A callback is a table with any of the functions on_train_begin, on_epoch_end and so on, called as methods
-- (self, number, logs). Batch hooks run once an execution: the begin hook gets the number of its first batch, the end
-- hook that of its last; logs.batches is how many batches the execution had.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local progress_bar = require "moonpod.models.progress_bar"

local callbacks = {}

local HOOKS = {}
for _, phase in ipairs { "train", "test", "predict" } do
  HOOKS["on_" .. phase .. "_begin"], HOOKS["on_" .. phase .. "_end"] = true, true
  HOOKS["on_" .. phase .. "_batch_begin"], HOOKS["on_" .. phase .. "_batch_end"] = true, true
end
for _, name in ipairs { "on_epoch_begin", "on_epoch_end", "on_batch_begin", "on_batch_end" } do
  HOOKS[name] = true
end

-- Makes a callback from a table of hooks; names that are no hook are refused.
function callbacks.lambda(hooks)
  errors.check_type(hooks, "table", "callbacks.lambda", "hooks")
  for name, hook in pairs(hooks) do
    if not HOOKS[name] then
      errors.raise("callbacks.lambda: there is no hook '%s'%s", tostring(name), errors.suggest(tostring(name), HOOKS))
    end
    errors.check_type(hook, "function", "callbacks.lambda", name)
  end
  local made = {}
  for name, hook in pairs(hooks) do
    made[name] = function(_, ...)
      return hook(...)
    end
  end
  return made
end

-- The mean of the numbers in a value: metrics may have one a class.
local function mean_of(value)
  if type(value) ~= "table" then
    return type(value) == "number" and value or nil
  end
  local sum = 0
  for _, part in ipairs(value) do
    local mean = mean_of(part)
    if not mean then
      return nil
    end
    sum = sum + mean
  end
  return value[1] ~= nil and sum / #value or nil
end

-- The names of the values that are numbers, or lists of them.
local function sorted_names(logs)
  local list = {}
  for name, value in pairs(logs) do
    if name ~= "batches" and mean_of(value) then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

callbacks.sorted_names = sorted_names

-- Keeps the values of each epoch: history.history.loss[1], history.epoch, history.params.
function callbacks.history()
  local self = { epoch = {}, history = {} }
  function self.set_params(_, params)
    self.params = params
  end
  function self.on_train_begin()
    self.epoch = {}
  end
  function self.on_epoch_end(_, epoch, logs)
    self.epoch[#self.epoch + 1] = epoch
    for _, name in ipairs(sorted_names(logs or {})) do
      self.history[name] = self.history[name] or {}
      local list = self.history[name]
      list[#list + 1] = logs[name]
    end
  end
  return self
end

-- Draws the progress bar.
function callbacks.progress(verbose)
  local self = { name = "progress" }
  local bar, counted
  -- How many steps an epoch has may be known only after the first.
  local function new_bar(steps)
    bar = progress_bar.new { target = steps or counted, verbose = verbose }
  end
  local function pairs_of(logs)
    local list = {}
    for _, name in ipairs(sorted_names(logs)) do
      list[#list + 1] = { name, mean_of(logs[name]) }
    end
    return list
  end
  function self.set_params(_, params)
    self.params = params
  end
  function self.on_epoch_begin(_, epoch)
    if self.params.epochs > 1 and verbose ~= 0 then
      io.write(string.format("Epoch %d/%d\n", epoch + 1, self.params.epochs))
    end
    new_bar(self.params.steps)
  end
  local function batch_end(_, batch, logs)
    if verbose == 1 and bar and bar:is_due(batch + 1) then
      bar:update(batch + 1, pairs_of(logs()), false)
    end
  end
  self.on_train_batch_end_lazy, self.on_test_batch_end_lazy, self.on_predict_batch_end_lazy = batch_end, batch_end,
    batch_end
  local function finish(logs, seen)
    if not bar then
      return
    end
    if not bar.target then
      counted = seen or bar.seen
      bar.target = counted
    end
    bar:update(bar.target, pairs_of(logs or {}), true)
    bar = nil
  end
  function self.on_epoch_end(_, _, logs, seen)
    finish(logs, seen)
  end
  function self.on_test_begin()
    if not bar then
      new_bar(self.params.steps)
    end
  end
  function self.on_test_end(_, logs, seen)
    finish(logs, seen)
  end
  self.on_predict_begin = self.on_test_begin
  self.on_predict_end = self.on_test_end
  return self
end

-- Refuses what is meant as a hook and is none, which would never be called. A hook's name and "_lazy" is the hook for
-- who computes the logs only where they are wanted.
local function check_hooks(one, place)
  for name, hook in pairs(one) do
    local known = type(name) == "string" and HOOKS[(name:gsub("_batch_end_lazy$", "_batch_end"))]
    local meant = type(name) == "string" and type(hook) == "function" and not known
      and (name:find "^on[_%u]" or HOOKS["on_" .. name])
    if meant then
      errors.raise("callback %d: there is no hook '%s'%s", place, name, errors.suggest(name, HOOKS))
    end
  end
end

local ALIASES = { on_train_batch_begin = "on_batch_begin", on_train_batch_end = "on_batch_end" }

local List = {}
List.__index = List

-- A list of callbacks for one run. Options: model, epochs, steps (nil: unknown), verbose.
function callbacks.list(given, options)
  local self = setmetatable({ items = {} }, List)
  if given ~= nil and type(given) ~= "table" then
    errors.raise("callbacks must be a list of callbacks, not %s", errors.describe(given))
  end
  if given and given[1] == nil and next(given) ~= nil then
    given = { given }
  end
  for i, one in ipairs(given or {}) do
    if type(one) ~= "table" then
      errors.raise("callback %d is %s; a callback is a table of hooks", i, errors.describe(one))
    end
    check_hooks(one, i)
    self.items[i] = one
  end
  if options.history then
    table.insert(self.items, options.history)
  end
  if options.verbose ~= 0 then
    table.insert(self.items, callbacks.progress(options.verbose))
  end
  local params = { verbose = options.verbose, epochs = options.epochs or 1, steps = options.steps }
  for _, one in ipairs(self.items) do
    if one.set_params then
      one:set_params(params)
    else
      one.params = params
    end
    if one.set_model then
      one:set_model(options.model)
    else
      one.model = options.model
    end
  end
  self.params = params
  return self
end

-- Calls a hook of all callbacks.
function List:call(hook, ...)
  local alias = ALIASES[hook]
  for _, one in ipairs(self.items) do
    if one[hook] then
      one[hook](one, ...)
    end
    if alias and one[alias] then
      one[alias](one, ...)
    end
  end
end

-- Calls an end-of-batch hook. `logs` is a function that reads the metrics: it is called once, and only when some
-- callback looks.
function List:batch_end(hook, batch, logs)
  local read
  local function value()
    read = read or logs()
    return read
  end
  local alias = ALIASES[hook]
  for _, one in ipairs(self.items) do
    if one[hook] then
      one[hook](one, batch, value())
    end
    if alias and one[alias] then
      one[alias](one, batch, value())
    end
    if one[hook .. "_lazy"] then
      one[hook .. "_lazy"](one, batch, value)
    end
  end
end

declare.functions("callbacks", callbacks, { ["given:any options"] = "list", ["logs:table"] = "sorted_names" })

return callbacks
