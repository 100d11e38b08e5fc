-- Random steps (random_steps.lua) that take each row by itself, and sum over the rows of all replicas: on several
-- replicas, with parts of a batch that are short or have no rows, they give the bits that they give on one.

local differences = require "tests.lua.support.differences"
local pod = require "moonpod"
local random_steps = require "tests.lua.support.random_steps"

local random_replicas = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- What rows of the last step are on all replicas, with the variables behind them, and the losses, which are sums.
local function run(case, seed, replicas)
  local strategy = pod.distribute.mirrored(replicas)
  local variables, inputs
  strategy:scope(function()
    variables, inputs = random_steps.start(case, seed)
  end)
  local count -- of the losses
  local compiled = pod.func(function(x)
    local found = { strategy:run(function(part)
      local losses, rows = random_steps.step(case, variables, part, x.shape[1])
      count = #losses
      for i = 1, #rows do
        losses[#losses + 1] = rows[i]
      end
      return unpack(losses)
    end, { strategy:split(x) }) }
    for i = 1, #found do
      found[i] = i <= count and strategy:reduce("sum", found[i]) or strategy:gather(found[i], 0)
    end
    return unpack(found)
  end)
  local found
  for _, x in ipairs(inputs) do
    found = { compiled(x) }
  end
  local losses, exact = {}, {}
  for i, t in ipairs(found) do
    table.insert(i <= count and losses or exact, t)
  end
  for _, v in ipairs(variables) do
    exact[#exact + 1] = v:value()
  end
  return exact, losses
end

-- Runs the case of a seed; returns nil, or what differs.
function random_replicas.check(seed)
  local case = random_steps.draw(seed)
  case.row_by_row = true
  local replicas = ({ 2, 3, 4, 8 })[seed % 4 + 1]
  local want, want_losses = run(case, seed, 1)
  local got, losses = run(case, seed, replicas)
  local far = differences.largest(want_losses, losses)
  if not differences.are_same_bits(want, got) then
    return ("steps of seed %d on %d replicas are %.3g from those on one"):format(seed, replicas,
      differences.largest(want, got))
  elseif far > 1e-5 then
    return ("losses of seed %d on %d replicas are %.3g from those on one"):format(seed, replicas, far)
  end
end

return random_replicas
