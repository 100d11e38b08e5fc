-- metric_logs - the metrics of a model, and what is shown of them.

local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"
local metrics = require "moonpod.metrics"
local log_names = require "moonpod.models.log_names"
local ops = require "moonpod.ops"
local nest = require "moonpod.tensor.nest"
local span = require "moonpod.tensor.span"

local metric_logs = {}

local function own_metrics(self)
  local list = {}
  for _, value in pairs(self) do
    if metrics.is_metric(value) and value ~= self.loss_tracker then
      list[#list + 1] = value
    end
  end
  table.sort(list, function(a, b)
    return a.name < b.name
  end)
  return list
end

function metric_logs.each(self, visit)
  if self.loss_tracker then
    visit("loss", self.loss_tracker)
  end
  local trackers = self._state.output_trackers or {}
  for _, key in ipairs(nest.sorted_keys(trackers)) do
    visit(trackers[key].name, trackers[key])
  end
  for _, entry in ipairs(self._state.compiled_metrics or {}) do
    visit(entry.shown, entry.metric)
  end
  for _, metric in ipairs(own_metrics(self)) do
    visit(metric.name, metric)
  end
end

-- The metrics of a model: the loss's mean, then those of compile, and its own.
function metric_logs:_list_metrics()
  local list = {}
  local options = self._state.compile_options or {}
  local is_pending = not self._state.compiled_metrics and (options.metrics or options.weighted_metrics)
  metric_logs.each(self, function(_, metric)
    list[#list + 1] = metric
  end)
  if is_pending then
    table.insert(list, self.loss_tracker and 2 or 1, self:_pending_metrics())
  end
  return readable.of(list)
end

--- Sets the loss's mean and all metrics back to their beginning.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- model:test_on_batch(pod.ones { 4, 3 }, pod.zeros { 4, 1 })
--- model:reset_metrics()
--- assert(model:get_metrics_result().loss == 0)
--- ```
function metric_logs:reset_metrics()
  metric_logs.each(self, function(_, metric)
    metric:reset_state()
  end)
end

-- What the metrics hold: a function that puts it back, whatever is computed with them in between.
function metric_logs.remember(self)
  local variables = {}
  metric_logs.each(self, function(_, metric)
    tables.extend(variables, metric.variables)
  end)
  return variable.remember(variables)
end

local function number_of(value)
  if ops.is_tensor(value) then
    return value:size() == 1 and value:item() or value:totable()
  end
  return value
end

--- The present values of all metrics, by name.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- local loss = model:evaluate(pod.ones { 4, 3 }, pod.zeros { 4, 1 }, { verbose = 0 })
--- assert(model:get_metrics_result().loss == loss)
--- ```
function metric_logs:get_metrics_result()
  local tensors = {}
  metric_logs.each(self, function(name, metric)
    if #metric.variables > 0 then
      tensors[name] = metric:result()
    end
  end)
  local out = {}
  for name, value in pairs(tensors) do
    if name ~= "loss" or self._state.loss_was_tracked ~= false then
      out[name] = number_of(value)
    end
  end
  return readable.of(out)
end

local function read(self, results, batches)
  local logs
  if type(results) == "table" and not ops.is_tensor(results) and next(results) ~= nil then
    logs = {}
    for name, value in pairs(results) do
      logs[name] = number_of(value)
    end
    local tracked = self:get_metrics_result()
    for name in pairs(logs) do
      if tracked[name] ~= nil and name ~= "loss" then
        logs[name] = tracked[name]
      end
    end
  else
    logs = self:get_metrics_result()
  end
  logs.batches = batches
  return logs
end

-- The logs of an execution: what a step of one's own returned, else the metrics.
function metric_logs.read(self, results, batches)
  return span.around("output", "metrics", read, self, results, batches)
end

local function metric_order(self, logs)
  local order, seen = {}, {}
  local function add(name)
    if logs[name] ~= nil and not seen[name] then
      seen[name] = true
      order[#order + 1] = name
    end
  end
  metric_logs.each(self, add)
  for _, name in ipairs(log_names.sorted(logs)) do
    add(name)
  end
  return order
end

-- The values in the order of model.metrics: one number where there is one, else a list; or by name.
function metric_logs.results(self, logs, by_name)
  if by_name then
    return readable.of(logs)
  end
  local list = tables.map(metric_order(self, logs), function(name)
    return logs[name]
  end)
  return #list == 1 and list[1] or readable.of(list)
end

return metric_logs
