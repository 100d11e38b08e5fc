-- strategies - whose strategy counts where: the scopes that are open, and what the replica that is traced can ask.

local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local ops = require "moonpod.ops"
local replica_context = require "moonpod.func.replica_context"
local trace = require "moonpod.tensor.trace"

local strategies = {}

-- ---- strategies ---------------------------------------------------------------------------------------------

-- What all strategies are; moonpod.distribute adds what they do.
local Strategy = { __name = "moonpod.strategy" }
Strategy.__index = Strategy
strategies.Strategy = Strategy

local strategy_count = 0

function strategies.new(kind, replicas, resolver)
  strategy_count = strategy_count + 1
  return setmetatable({
    kind = kind,
    num_replicas_in_sync = replicas,
    num_hosts = 1, -- input pipelines
    resolver = resolver,
    epoch = resolver and resolver.epoch,
    id = strategy_count,
    location = errors.location(),
  }, Strategy)
end

local default

--- The strategy of scripts that name none: one replica.
---@example pod.distribute.default_strategy().num_replicas_in_sync --> 1
function strategies.default_strategy()
  if not default then
    default = strategies.new("default", 1)
  end
  return default
end

function Strategy.__tostring(self)
  if self.kind == "tpu" then
    return ("<TPU strategy %s, %d replicas>"):format(self.resolver.accelerator,
      self.num_replicas_in_sync)
  elseif self.kind == "mirrored" then
    return ("<mirrored strategy, %d replicas>"):format(self.num_replicas_in_sync)
  elseif self.mesh then
    return ("<model parallel strategy, %s>"):format(tostring(self.mesh))
  end
  return "<default strategy>"
end

--- The device of replica i, from 0; the first one where it has several.
---@example pod.distribute.mirrored(2):device_name(0) --> "/job:localhost/replica:0/task:0/device:TPU:0"
function Strategy:device_name(i)
  local assignment = self.device_assignment
  return device.full_name(self.kind == "default" and "CPU" or "TPU", assignment and assignment:device(i, 0) or i)
end

-- ---- scopes

local open = global_state.scopes("strategy", function(entry) -- entries { strategy =, location = }
  return entry and entry.strategy or strategies.default_strategy()
end)
strategies.scopes = open

--- The innermost open scope's strategy, or the default one.
---@example pod.distribute.get_strategy().num_replicas_in_sync --> 1
function strategies.get_strategy()
  if not open[1] then
    return default or strategies.default_strategy()
  end
  local scope = open:innermost()
  return scope and scope.strategy or strategies.default_strategy()
end

--- Whether this runs within a scope or a replica of a strategy other than the default one.
---@example pod.distribute.has_strategy() --> false
function strategies.has_strategy()
  return strategies.get_strategy() ~= default
end

local Scope = { __name = "moonpod.scope" }
Scope.__index = Scope

-- A scope of a strategy that may open now.
local function own_scope(strategy)
  local outer = open:innermost()
  local location = errors.location()
  if outer and outer.strategy ~= strategy then
    errors.raise("the scope of %s (made at %s) cannot open inside of that of %s (made at %s, scope opened "
      .. "at %s): close that first", tostring(strategy), tostring(strategy.location), tostring(outer.strategy),
      tostring(outer.strategy.location), tostring(outer.location))
  end
  return open:entry { strategy = strategy, location = location }
end

--- Opens the scope; `local s <close> = strategy:enter()` in Lua 5.4, s:close() everywhere.
--- ```lua
--- local scope = pod.distribute.mirrored(2):enter()
--- local v = pod.variable(1)
--- scope:close()
--- assert(v:value():item() == 1)
--- ```
function Strategy:enter()
  local opened = setmetatable({ entry = own_scope(self) }, Scope)
  open:open(opened.entry) -- last: without memory nothing is open
  return opened
end

--- Closes the scope: what is made from here on belongs to the strategy of before.
--- ```lua
--- local scope = pod.distribute.mirrored(2):enter()
--- scope:close()
--- ```
function Scope:close()
  open:close(self.entry)
end
Scope.__close = Scope.close

--- Runs fn in the scope: what it makes belongs to this strategy. Returns what fn returns.
---@example pod.distribute.mirrored(2):scope(function() return pod.variable(1):value():item() end) --> 1
function Strategy:scope(fn, ...)
  return open:run(own_scope(self), errors.calling, fn, ...)
end

--- Runs fn with a strategy (nil: the current one) whatever scope is open: for building lazily what belongs to it.
--- ```lua
--- pod.distribute.within(pod.distribute.mirrored(2), function()
---   assert(pod.distribute.get_strategy().num_replicas_in_sync == 2)
--- end)
--- ```
function strategies.within(strategy, fn, ...)
  if strategy == nil or strategy == strategies.get_strategy() then
    return fn(...)
  end
  return open:run(open:entry { strategy = strategy, location = errors.location() }, fn, ...)
end

-- ---- replica context ------------------------------------------------------------------------------------

-- Of strategy:run with one replica, which has no trace of its own.
local in_single = global_state.new("run of one replica", false)

--- True inside of strategy:run.
---@example pod.distribute.in_replica_context() --> false
function strategies.in_replica_context()
  return trace.enclosing("core") ~= nil or in_single.value
end

--- The context of the replica that is traced; raises outside of strategy:run.
--- ```lua
--- local value = pod.distribute.mirrored(2):run(function()
---   return pod.tensor(pod.distribute.replica_context().num_replicas_in_sync)
--- end)
--- assert(value:values()[2]:item() == 2)
--- ```
function strategies.replica_context()
  if not strategies.in_replica_context() then
    errors.raise("there is no replica here: replica_context() and replica_id() are for functions that "
      .. "strategy:run runs")
  end
  local strategy = strategies.get_strategy()
  return replica_context.new(strategy, trace.enclosing("core") == nil)
end

--- The number of this replica, from 0: a tensor within strategy:run().
--- ```lua
--- local value = pod.distribute.mirrored(2):run(function() return pod.distribute.replica_id() * 10 end)
--- assert(value:values()[2]:item() == 10)
--- ```
function strategies.replica_id()
  return strategies.replica_context():replica_id()
end

--- Sums over replicas inside of strategy:run; the same value outside.
---@example pod.distribute.sum_over_replicas(pod.tensor { 1, 2 }) --> { 1, 2 }
function strategies.sum_over_replicas(value)
  if not strategies.in_replica_context() then
    return value
  end
  return strategies.replica_context():all_reduce("sum", value)
end

--- The number of rows of the whole batch (int32) that a tensor is this replica's part of.
---@example pod.distribute.global_rows(pod.ones { 4, 3 }) --> 4
function strategies.global_rows(t)
  return strategies.sum_over_replicas(ops.dimension_size(t, 0))
end

-- Runs fn as the one replica there is.
function strategies.run_single(fn, ...)
  return in_single:with(true, fn, ...)
end

-- ---- one strategy for what belongs together ------------------------------------------------------------------

-- The strategy that a thing was made under; nil for none. Layers and models keep it for themselves.
function strategies.of(thing)
  return rawget(thing, "_strategy") or rawget(thing, "strategy")
end

-- The line where a thing was made; nil where that is not known.
function strategies.origin(thing)
  return rawget(thing, "_created_at") or rawget(thing, "location")
end

-- Raises when two things were made under different strategies.
function strategies.check_same(a, b, what)
  local first, second = strategies.of(a), strategies.of(b)
  if first ~= second then
    errors.raise("Trying to use %s '%s' (made at %s under %s) with '%s' (made at %s under %s), which is different from "
      .. "the scope used for it: make both inside the same strategy:scope(function() ... end)", what, b.name,
      strategies.origin(b) or "?", tostring(second), a.name, strategies.origin(a) or "?", tostring(first))
  end
end

declare.methods("scope", Scope, Scope)
declare.metamethods("scope", Scope)

return strategies
