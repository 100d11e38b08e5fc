-- monitor - what callbacks have that look at one value of the logs: which way is better, and whether it became so.

local errors = require "moonpod.base.errors"
local metric_logs = require "moonpod.models.metric_logs"
local tables = require "moonpod.base.tables"
local warnings = require "moonpod.base.warnings"

local monitor = {}

local MODES = { auto = true, min = true, max = true }

-- Reads the options `monitor`, `mode` and `min_delta` of a callback, which are its fields. title: Keras' name of it.
function monitor.setup(self, title)
  if not MODES[self.mode] then
    warnings.warn("%s mode '%s' is unknown, fallback to auto mode.", title, self.mode)
    self.mode = "auto"
  end
  self.title = title
  self.min_delta = math.abs(self.min_delta or 0)
end

-- 1 where more of a metric is better, -1 where less is, nil where it does not say.
local function direction_of(model, name)
  local found = name == "loss" and -1 or nil
  metric_logs.each(model, function(shown, metric)
    if shown == name or metric.name == name then
      found = metric.direction == "up" and 1 or metric.direction and -1 or found
    end
  end)
  return found
end

-- The model's metrics are known once a step was traced.
local function direction(self)
  if not self.direction then
    if self.mode ~= "auto" then
      self.direction = self.mode == "max" and 1 or -1
    else
      self.direction = direction_of(self.model, (self.monitor:gsub("^val_", ""))) or errors.raise(
        "%s callback received monitor=%s, but Moonpod isn't able to automatically determine whether that metric should "
        .. "be maximized or minimized. Pass `mode = \"max\"` in order to monitor based on the highest metric value, or "
        .. "pass `mode = \"min\"` in order to use the lowest value.", self.title, self.monitor)
    end
  end
  return self.direction
end

-- Whether a value is better than another by more than min_delta; nil: there is none yet.
function monitor.is_improvement(self, value, reference)
  if type(value) ~= "number" then
    errors.raise("%s: '%s' is %s; what is monitored is a number", self.title or self.name, self.monitor,
      errors.describe(value))
  elseif reference == nil then
    return true
  end
  local sign = direction(self)
  return sign * (value - sign * self.min_delta) > sign * reference
end

-- Finds out which way is better, or raises.
monitor.find_direction = direction

-- The names of the logs as Keras' messages list them.
function monitor.names_of(logs)
  local names = tables.sorted_keys(logs)
  tables.remove(names, "batches")
  return table.concat(names, ",")
end

return monitor
