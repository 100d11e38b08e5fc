-- value_hooks - functions that are called with values of a step, also of a compiled one.
--
-- Where a function is traced a value goes through a print op, whose label says of which hook it is. The engine hands
-- out what print ops see, of each step of a run, and behind the run that comes here. So a program has nothing of hooks
-- while there are none; with others it is another program, as they are a piece of the global state.

local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local ops = require "moonpod.ops"
local strategies = require "moonpod.func.strategies"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local value_hooks = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- The numbers of the hooks that count: those that are there, none within without().
local counting = global_state.new("hooks", "")

-- Hooks by number. Their owners have them: who is gone has none.
local by_number, last_number = setmetatable({}, { __mode = "v" }), 0

local function count_anew()
  counting:become(table.concat(tables.sorted_keys(by_number), " "))
end

-- Makes a hook: fn(value, owner) is called with values that are sent, or with what measure(value) makes of them in the
-- step. Of `owner` the hook knows its name; `what` is what it sees, for messages.
function value_hooks.new(owner, what, fn, measure)
  last_number = last_number + 1
  local hook = { number = last_number, owner = owner, what = what, fn = fn, measure = measure, forms = {} }
  by_number[last_number] = hook
  count_anew()
  return hook
end

function value_hooks.remove(hook)
  by_number[hook.number] = nil
  count_anew()
end

-- Whether hooks are called for what is computed now.
function value_hooks.are_called()
  return counting.value ~= ""
end

-- Runs fn(...), which traces what is not run: hooks are no part of it.
function value_hooks.without(fn, ...)
  return counting:with("", fn, ...)
end

-- Hooks of a kind, in the order in which they were made.
function value_hooks.of(what)
  local found = {}
  for _, number in ipairs(tables.sorted_keys(by_number)) do
    found[#found + 1] = by_number[number].what == what and by_number[number] or nil
  end
  return found
end

local function where(hook)
  return ("layer '%s': the hook of its %s"):format(hook.owner.name, hook.what)
end

local function call(hook, value)
  local result = errors.calling(hook.fn, value, hook.owner)
  if result ~= nil then
    errors.raise("%s returned %s. A hook looks on and gives nothing: what a layer computes is changed in a layer of "
      .. "one's own around it (pod.layers.subclass), a gradient by pod.custom_gradient", where(hook),
      errors.describe(result))
  end
end

-- How often a trace has sent to a hook: a layer that is called twice has two places.
local function next_place(hook)
  local root = trace.top()
  while root.parent do
    root = root.parent
  end
  root.sent = root.sent or {}
  root.sent[hook.number] = (root.sent[hook.number] or 0) + 1
  return root.sent[hook.number]
end

-- The number of a structure of values: leaves that come one by one are put into it.
local function form_of(hook, skeleton, count)
  local key = structure.key(skeleton, tostring)
  local form = hook.forms[key]
  if not form then
    hook.forms[#hook.forms + 1] = { skeleton = skeleton, count = count, got = {} }
    form = #hook.forms
    hook.forms[key] = form
  end
  return form
end

-- Gives a hook a value, which has tensors in it: now, or from the step that is traced. Returns the value.
function value_hooks.send(hook, value)
  local seen = value
  if hook.measure then
    seen = errors.calling(hook.measure, value)
    if seen == nil then
      errors.raise("%s: its measure returned nothing; return tensors", where(hook))
    end
  end
  if not trace.is_tracing() then
    call(hook, seen)
    return value
  elseif trace.enclosing "mesh" then
    errors.raise("%s: a strategy that divides values among cores would give it each core's part; train without the "
      .. "hook, or by pod.distribute.mirrored", where(hook))
  elseif (strategies.get_strategy().resolver or {}).devices then
    errors.raise("%s: programs on devices of a plugin hand out results alone; train without the hook, or on this host",
      where(hook))
  end
  local leaves, printed = {}, {}
  local skeleton = structure.flatten(seen, tensor.is, leaves)
  if #leaves == 0 then
    errors.raise("%s gets %s, in which there is no tensor", where(hook), errors.describe(seen))
  end
  local label = ("\1%d %d %d "):format(hook.number, form_of(hook, skeleton, #leaves), next_place(hook))
  for i, leaf in ipairs(leaves) do
    printed[i] = trace.apply("print", { leaf }, { name = label .. i })
  end
  local own = {}
  local whole = structure.flatten(value, tensor.is, own)
  for i, leaf in ipairs(own) do
    own[i] = hook.measure and leaf or printed[i]
  end
  return structure.rebuild(whole, own)
end

-- Gives a hook the gradients of a value's tensors of floats, where a tape computes them. Returns the value, of which
-- is computed on.
function value_hooks.send_gradients(hook, value)
  local leaves, places, floats = {}, {}, {}
  local skeleton = structure.flatten(value, tensor.is, leaves)
  for i, leaf in ipairs(leaves) do
    if ops.is_float(leaf.dtype) then
      floats[#floats + 1], places[#places + 1] = leaf, i
    end
  end
  if #floats == 0 then
    return value
  end
  local same = ops.custom_gradient(function(...)
    return { ... }, function(...)
      local all = tables.slice(leaves)
      for i, place in ipairs(places) do
        all[place] = select(i, ...)
      end
      local sent = {}
      structure.flatten(value_hooks.send(hook, structure.rebuild(skeleton, all)), tensor.is, sent)
      return unpack(tables.map(places, function(place)
        return sent[place]
      end))
    end
  end)
  for i, one in ipairs(same(unpack(floats))) do
    leaves[places[i]] = one
  end
  return structure.rebuild(skeleton, leaves)
end

-- What print ops hand out comes here: a leaf of a value, which is whole with its last one.
function trace.receive(label, t)
  local number, form, place, leaf = label:match "^\1(%d+) (%d+) (%d+) (%d+)$"
  local hook = by_number[tonumber(number)]
  if not hook then
    return -- it was removed while the run went on
  end
  form = hook.forms[tonumber(form)]
  local got = form.got[place] or {}
  got[tonumber(leaf)] = t
  form.got[place] = got
  if #tables.sorted_keys(got) == form.count then
    form.got[place] = nil
    call(hook, structure.rebuild(form.skeleton, got))
  end
end

return value_hooks
