-- Reinforcement learning: a cart balances a pole, by an actor that learns from what a critic did not expect. Ported
-- from cart_pole.py. Prints how long poles stand while it learns, and in the end with the likelier push in each state.
--
--   moonpod examples/from_keras/cart_pole.lua [folder, not read] [seed=1] [rounds=70]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local _, seed, rounds = ...
seed, rounds = tonumber(seed or 1), tonumber(rounds or 70)
pod.random.set_seed(seed)

-- ---- the cart: place, speed, angle of the pole and how fast that grows; Barto, Sutton and Anderson 1983 ------------

local CARTS, STEPS = 16, 200
local state = seed * 7919 % 2147483647
local function random() -- Park and Miller's generator: the same in every Lua, and in Python
  state = state * 16807 % 2147483647
  return state / 2147483647
end

local function new_carts()
  local carts = {}
  for i = 1, CARTS do
    carts[i] = { 0.1 * random() - 0.05, 0.1 * random() - 0.05, 0.1 * random() - 0.05, 0.1 * random() - 0.05 }
  end
  return carts
end

-- Pushes a cart for a fiftieth of a second; tells whether the pole still stands and the cart is on its track.
local function push(cart, force)
  local x, speed, angle, turn = cart[1], cart[2], cart[3], cart[4]
  local pulled = (force + 0.05 * turn * turn * math.sin(angle)) / 1.1
  local bend = (9.8 * math.sin(angle) - math.cos(angle) * pulled) / (0.5 * (4 / 3 - 0.1 * math.cos(angle) ^ 2 / 1.1))
  cart[1], cart[2] = x + 0.02 * speed, speed + 0.02 * (pulled - 0.05 * bend * math.cos(angle) / 1.1)
  cart[3], cart[4] = angle + 0.02 * turn, turn + 0.02 * bend
  return math.abs(cart[1]) < 2.4 and math.abs(cart[3]) < 0.2095
end

-- ---- actor and critic: two heads of one network --------------------------------------------------------------------

local inputs = layers.input { 4 }
local h = layers.dense(64, { activation = "tanh" })(inputs)
local model = pod.models.functional { inputs = inputs, outputs = { layers.dense(2)(h), layers.dense(1)(h) } }
local optimizer = pod.optimizers.adam(0.01)

local act = pod.func(function(states)
  return pod.softmax(model(states)[1])
end)

local learn = pod.func(function(states, actions, returns, counts)
  local tape, loss = pod.tape(function()
    local outputs = model(states)
    local missed = returns - outputs[2]:reshape { -1 }
    local chosen = pod.sum(pod.log_softmax(outputs[1]) * pod.one_hot(actions, 2), 1)
    local each = -chosen * pod.stop_gradient(missed) + pod.square(missed)
    return pod.sum(each * counts) / pod.sum(counts)
  end)
  optimizer:apply(tape:gradient(loss, model.trainable_weights), model.trainable_weights)
end)

-- Lets all carts go until their poles fall; returns how long they stood, and what happened for `learn`.
local function play(is_greedy)
  local carts, stood, states, actions = new_carts(), {}, {}, {}
  for step = 1, STEPS do
    local now = {}
    for i, cart in ipairs(carts) do
      now[i] = { cart[1], cart[2], cart[3], cart[4] }
    end
    local chances = act(pod.tensor(now)):totable()
    for i, cart in ipairs(carts) do
      local limit = is_greedy and 0.5 or random()
      local action = chances[i][2] > limit and 1 or 0
      states[#states + 1], actions[#actions + 1] = now[i], action
      if not stood[i] and (not push(cart, action == 1 and 10 or -10) or step == STEPS) then
        stood[i] = step
      end
    end
  end
  return stood, states, actions
end

local function mean(values)
  local sum = 0
  for _, value in ipairs(values) do
    sum = sum + value
  end
  return sum / #values
end

for round = 1, rounds do
  local stood, states, actions = play(false)
  local returns, counts = {}, {}
  for i = 1, CARTS do
    for step = 1, STEPS do -- what the steps from this one on are worth, the next ones most
      local at = (step - 1) * CARTS + i
      local left = stood[i] - step + 1
      returns[at], counts[at] = left > 0 and (1 - 0.98 ^ left) or 0, left > 0 and 1 or 0
    end
  end
  learn(pod.tensor(states), pod.tensor(actions, { dtype = "int32" }), pod.tensor(returns), pod.tensor(counts))
  if round % 10 == 0 then
    print(("round %d - stood: %.1f"):format(round, mean(stood)))
  end
end
print(("steps stood in the end: %.1f"):format(mean((play(true)))))
