-- own_means - gradients of a mean over a replica's own rows.
--
-- Optimizers add the gradients of all replicas up. Of losses that are divided by the size of the global batch that is
-- the gradient of the batch; of means that each replica takes of its own rows it is n times that. The trace of a core
-- shows which it is: a mean divides by the number of rows that a shard has, and nothing asks the other replicas.

local errors = require "moonpod.base.errors"
local strategies = require "moonpod.func.strategies"
local trace = require "moonpod.tensor.trace"

local own_means = {}

local gradients = setmetatable({}, { __mode = "k" }) -- gradient -> true where its target was such a mean

local function replicas()
  return strategies.get_strategy().num_replicas_in_sync
end

-- Whether a number is made of the sizes of a shard alone.
local function counts_own_rows(graph, id)
  local node = graph:describe(id)
  if node.op == "dimension_size" then
    return true
  elseif node.op == "convert" then
    return counts_own_rows(graph, node.inputs[1])
  elseif node.op == "multiply" then
    return counts_own_rows(graph, node.inputs[1]) or counts_own_rows(graph, node.inputs[2])
  end
  return false
end

-- Whether a value is a sum with a mean of the replica's own rows in it. `scale`: what it is multiplied with further on;
-- a mean that is divided by the number of replicas is a part of the mean of all.
local function has_own_mean(graph, id, scale, count)
  local node = graph:describe(id)
  local first, second = node.inputs[1], node.inputs[2]
  if node.op == "convert" or node.op == "reshape" or node.op == "negate" then
    return has_own_mean(graph, first, scale, count)
  elseif node.op == "add" or node.op == "subtract" then
    return has_own_mean(graph, first, scale, count) or has_own_mean(graph, second, scale, count)
  elseif node.op == "multiply" then
    local left, right = graph:describe(first).value, graph:describe(second).value
    if right then
      return has_own_mean(graph, first, scale * right, count)
    end
    return left ~= nil and has_own_mean(graph, second, scale * left, count)
  elseif node.op == "divide" then
    local divisor = graph:describe(second).value
    if divisor then
      return has_own_mean(graph, first, scale / divisor, count)
    end
    return counts_own_rows(graph, second) and math.abs(scale * count - 1) > 1e-5
  end
  return false
end

-- Remembers of gradients whether one of their targets was a mean of the replica's own rows.
function own_means.note(targets, results)
  local count = trace.enclosing "core" and replicas() or 1
  if count == 1 then
    return
  end
  local top = trace.top()
  for _, target in ipairs(targets) do
    if has_own_mean(top.graph, top:node(target), 1, count) then
      for _, gradient in pairs(results) do
        gradients[gradient or 0] = true
      end
      return
    end
  end
end

-- Refuses to add such gradients up over the replicas.
function own_means.check(gradient, who)
  if gradients[gradient] then
    errors.raise("%s: the gradients are of a mean over each replica's own rows, and those of the %d replicas are "
      .. "added up: steps would be %d times as long. Divide by the size of the global batch: "
      .. "pod.losses.compute_average_loss(losses) of the rows' losses, pod.losses.scale_regularization_loss(value) "
      .. "of a loss of weights, or call a loss of pod.losses", who, replicas(), replicas())
  end
end

return own_means
