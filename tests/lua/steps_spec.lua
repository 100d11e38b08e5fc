-- Steps of training with several networks, which read each other's weights before and behind their updates: compiled,
-- where packed weights are kept from step to step, they give what the same functions give one operation after the
-- other. Networks are random, with a seed.

local pod = require "moonpod"

local layers = pod.layers

-- A generator of numbers of our own: the same on every Lua.
local function random(seed)
  local state = seed * 2654435 % 2147483647 + 1
  return function(count)
    state = state * 48271 % 2147483647
    return state % count + 1
  end
end

-- Numbers between -1/2 and 1/2 in a shape.
local function values(pick, shape)
  local count, list = 1, {}
  for i = 1, #shape do
    count = count * shape[i]
  end
  for i = 1, count do
    list[i] = pick(2001) / 2001 - 0.5
  end
  return pod.reshape(pod.tensor(list, { dtype = "float32" }), shape)
end

local WIDTHS = { 1, 2, 3, 8, 8, 8, 16, 33 }
local BATCHES = { 1, 5, 8, 16, 33 }
local ACTIVATIONS = { "tanh", "relu", "leaky_relu", "linear" }

local function network(pick, inputs, outputs, name)
  local list = { layers.input { inputs } }
  for i = 1, pick(2) do
    list[i + 1] = layers.dense(WIDTHS[pick(#WIDTHS)], { activation = ACTIVATIONS[pick(#ACTIVATIONS)] })
  end
  list[#list + 1] = layers.dense(outputs)
  local made = pod.models.sequential(list, { name = name })
  for _, variable in ipairs(made.weights) do
    variable:assign(values(pick, variable.shape))
  end
  return made
end

-- The losses and weights of some steps of a critic and of what learns from it.
local function train(seed, is_compiled)
  local pick = random(seed)
  local noise, width, rows = WIDTHS[pick(#WIDTHS)], WIDTHS[pick(#WIDTHS)], BATCHES[pick(#BATCHES)]
  local critic, generator = network(pick, width, 1, "critic"), network(pick, noise, width, "generator")
  local has_penalty, critic_learns_again = pick(3) > 1, pick(3) == 1
  local function sgd()
    return pod.optimizers.sgd(0.05)
  end
  local of_critic, of_generator = sgd(), sgd()

  local function update_critic(x, z)
    local tape, loss = pod.tape(function()
      local fake = generator(z)
      local penalty = 0
      if has_penalty then
        local mix = x + 0.25 * (fake - x)
        local inner, sum = pod.tape(function() return critic(mix):sum() end)
        penalty = pod.mean(pod.square(inner:gradient(sum, { mix })[1]))
      end
      return pod.mean(pod.square(critic(fake) + 1)) + pod.mean(pod.square(critic(x) - 1)) + penalty
    end)
    of_critic:apply(tape:gradient(loss, critic.trainable_variables), critic.trainable_variables)
    return loss
  end

  local function step(x, z)
    local loss = update_critic(x, z)
    local tape, other = pod.tape(function() return pod.mean(pod.square(critic(generator(z)) - 1)) end)
    of_generator:apply(tape:gradient(other, generator.trainable_variables), generator.trainable_variables)
    if critic_learns_again then
      loss = loss + update_critic(x, z)
    end
    return loss, other
  end

  if is_compiled then
    step = pod.func(step)
  end
  local numbers = {}
  for _ = 1, 3 do
    local loss, other = step(values(pick, { rows, width }), values(pick, { rows, noise }))
    numbers[#numbers + 1], numbers[#numbers + 2] = loss:item(), other:item()
  end
  for _, model in ipairs { critic, generator } do
    for _, weights in ipairs(model:get_weights()) do
      numbers[#numbers + 1] = pod.sum(weights):item()
    end
  end
  return numbers
end

describe("steps of two networks", function()
  for seed = 1, os.getenv "MOONPOD_LONG" and 400 or 40 do
    it(("number %d are the same compiled"):format(seed), function()
      local want, has = train(seed, false), train(seed, true)
      for i = 1, #want do
        assert.is_true(math.abs(has[i] - want[i]) <= 1e-4 * (1 + math.abs(want[i])),
          ("number %d is %.9g, and %.9g one operation after the other"):format(i, has[i], want[i]))
      end
    end)
  end
end)
