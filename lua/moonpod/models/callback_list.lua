-- callback_list - the callbacks of one run of fit, evaluate or predict, and the calls of their hooks.
--
-- Batch hooks run once an execution: the begin hook gets the number of its first batch, the end hook that of its last;
-- logs.batches is how many batches the execution had. An error in a hook says which hook of which callback it was.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local history = require "moonpod.models.history"
local hooks = require "moonpod.models.hooks"
local readable = require "moonpod.base.readable"
local schema = require "moonpod.base.schema"
local span = require "moonpod.tensor.span"
local tables = require "moonpod.base.tables"

local callback_list = {}

local List = {}
List.__index = List

-- Lists in lists are one list.
local function flatten(given, out)
  for i, one in ipairs(given) do
    if type(one) ~= "table" then
      errors.raise("callback %d is %s; a callback is a table of hooks", i, errors.describe(one))
    elseif not callback.is_callback(one) and one[1] ~= nil then
      flatten(one, out)
    else
      out[#out + 1] = one
    end
  end
  return out
end

local function read(given)
  if given ~= nil and type(given) ~= "table" then
    errors.raise("callbacks must be a list of callbacks, not %s", errors.describe(given))
  elseif given and (callback.is_callback(given) or given[1] == nil and next(given) ~= nil) then
    given = { given }
  end
  local items = flatten(given or {}, {})
  for i, one in ipairs(items) do
    hooks.check(one, "callback " .. i)
  end
  return items
end

-- What comes after all others: it keeps what they did.
local function order(items)
  local list = {}
  for _, last in ipairs { false, true } do
    for _, one in ipairs(items) do
      if (one.runs_last == true) == last then
        list[#list + 1] = one
      end
    end
  end
  return list
end

local function described(self, one)
  for i, other in ipairs(self.given) do
    if rawequal(other, one) then
      return type(one.name) == "string" and ("callback %d (%s)"):format(i, one.name) or "callback " .. i
    end
  end
  return "callback " .. tostring(one.name)
end

-- Puts the hook and the callback into a message, behind the place where it has one, else behind that of the call.
local function told(self, one, method, message)
  local who = ("%s of %s"):format(method, described(self, one))
  local text = tostring(message)
  local place, rest = text:match "^([^\n:]+:%d+): (.*)$"
  if not place then
    place, rest = errors.location(), text
  end
  return ("%s%s: %s"):format(place and place .. ": " or "", who, rest)
end

-- Calls a method of one callback; returns its first result.
local function call(self, one, method, a, b, c)
  local number = span.on and span.enter("callback", (one.name or "callback") .. ": " .. method)
  local ok, result = xpcall(function()
    return (errors.calling(one[method], one, a, b, c))
  end, function(message)
    return told(self, one, method, message)
  end)
  if number and span.on then
    span.leave(number)
  end
  if not ok then
    error(result, 0)
  end
  return result
end

-- The same for one that need not be there; else the value becomes a field.
local function give(self, one, setter, field, value)
  if one[setter] then
    call(self, one, setter, value)
  else
    one[field] = value
  end
end

-- A list of callbacks for one run. Options: model, epochs, steps (nil: unknown), verbose, background, history (true:
-- with one).
function callback_list.new(given, options)
  local items = read(given)
  local self = setmetatable({ given = items }, List)
  local all, has_progress = {}, false
  for i, one in ipairs(items) do
    all[i] = one
    self.history = callback.is_callback(one) and one.is_history and one or self.history
    has_progress = has_progress or callback.is_callback(one) and one.is_progress == true
  end
  if options.history and not self.history then
    self.history = history()
    all[#all + 1] = self.history
  end
  if options.verbose ~= 0 and not has_progress then
    all[#all + 1] = require "moonpod.models.progress"()
  end
  self.items = order(all)
  self.params = readable.of { verbose = options.verbose, epochs = options.epochs or 1, steps = options.steps,
    background = options.background }
  for _, one in ipairs(self.items) do
    give(self, one, "set_params", "params", self.params)
    give(self, one, "set_model", "model", options.model)
  end
  return self
end

-- Adds one behind the others: it sees what they did.
function List:add(one)
  self.items[#self.items + 1] = one
  self.given[#self.given + 1] = one
end

-- Calls a hook of all callbacks. `rest`, where the run has set it, is called before each.
function List:call(hook, a, b, c)
  local alias, rest = hooks.aliases[hook], self.rest
  for _, one in ipairs(self.items) do
    local does, does_alias = one[hook], alias and one[alias]
    if rest and (does or does_alias) then
      rest()
    end
    if does then
      call(self, one, hook, a, b, c)
    end
    if does_alias then
      call(self, one, alias, a, b, c)
    end
  end
end

-- Calls an end-of-batch hook. `logs` is a function that reads the metrics: it is called once, and only when some
-- callback looks.
function List:batch_end(hook, batch, logs)
  local values
  local function value()
    values = values or logs()
    return values
  end
  local alias = hooks.aliases[hook]
  for _, one in ipairs(self.items) do
    if one[hook] then
      call(self, one, hook, batch, value())
    end
    if alias and one[alias] then
      call(self, one, alias, batch, value())
    end
    if one[hook .. "_lazy"] then
      call(self, one, hook .. "_lazy", batch, value)
    end
  end
end

-- Says how many batches were trained on so far.
function List:set_batches_seen(count)
  self.batches_seen = count
  for _, one in ipairs(self.items) do
    one.batches_seen = count
  end
end

-- What callbacks see as batches_seen is the count of the optimizer's iterations.
function List:begin_training(optimizer)
  self:set_batches_seen(optimizer.iterations and optimizer.iterations:value():item() or 0)
end

-- Tells callbacks of the run of fit that they are of, and lets them have it go on where another one stood.
function List:prepare(run)
  for _, one in ipairs(self.items) do
    give(self, one, "set_run", "run", run)
  end
  for _, one in ipairs(self.items) do
    if type(one.prepare) == "function" then
      call(self, one, "prepare", run)
    end
  end
end

-- Callbacks by names that are the same in each run: calls visit(one, key).
local function each_by_key(self, visit)
  local counts = {}
  for _, one in ipairs(self.items) do
    local name = type(one.name) == "string" and one.name or "callback"
    counts[name] = (counts[name] or 0) + 1
    visit(one, counts[name] == 1 and name or name .. "_" .. counts[name])
  end
end

-- What a run that goes on needs of the callbacks: key -> what get_state() gave.
function List:get_states()
  local states = {}
  each_by_key(self, function(one, key)
    if type(one.get_state) == "function" then
      states[key] = call(self, one, "get_state")
    end
  end)
  return states
end

-- Has callbacks see onto the disk what they wrote.
function List:sync()
  for _, one in ipairs(self.items) do
    if type(one.sync) == "function" then
      call(self, one, "sync")
    end
  end
end

-- Refuses states that set_states() could not put back. where: what they are of.
function List:check_states(states, where)
  each_by_key(self, function(one, key)
    local state, kind = states[key], callback.is_callback(one) and getmetatable(one).class.schema
    if state ~= nil and kind then
      schema.check(state, kind, ("%s: the state of callback '%s'"):format(where, key))
    end
    if state ~= nil and type(one.check_state) == "function" then
      errors.reading(where, call, self, one, "check_state", state)
    end
  end)
end

-- Puts back what get_states() gave. Returns the keys of callbacks that are not there any more.
function List:set_states(states)
  local left = tables.merge(states)
  each_by_key(self, function(one, key)
    if states[key] ~= nil and type(one.set_state) == "function" then
      left[key] = nil
      call(self, one, "set_state", states[key])
    end
  end)
  return tables.sorted_keys(left)
end

-- Lets each callback close what it holds open, whatever the others do. Raises what the first could not, where `ok`:
-- else another error is on its way.
function List:close(ok)
  local first
  for _, one in ipairs(self.items) do
    if type(one.close) == "function" then
      local closed, message = pcall(call, self, one, "close")
      first = first or not closed and message or nil
    end
  end
  if first and ok then
    error(first, 0)
  end
end

return callback_list
