-- An agent that learns in play, in LÖVE: a ball falls, the agent moves a paddle, and between two frames its policy
-- takes some steps of training over what it saw and gained.
--
--     love examples/love_agent              LÖVE's own Lua is LuaJIT: it takes Moonpod's module for Lua 5.1
--     LOVE_FRAMES=600 xvfb-run love examples/love_agent

local pod = require "moonpod"

local WIDTH, HEIGHT, PADDLE, SPEED, FALL, BATCH = 320, 240, 40, 5, 4, 32
local budget = 0.004 -- seconds of a frame

local ball, paddle, model, past, frames, caught, fallen, worst = { x = 0, y = 0 }, WIDTH / 2, nil, {}, 0, {}, {}, 0
local last_frame = tonumber(os.getenv "LOVE_FRAMES")

local function drop()
  ball.x, ball.y = love.math.random() * WIDTH, 0
end

local function seen()
  return { ball.x / WIDTH - 0.5, paddle / WIDTH - 0.5 }
end

-- The gain of each of the three moves, as the model has learned to foretell it.
local function choose(row)
  if love.math.random() < 0.1 then
    return love.math.random(3)
  end
  local gains = model:predict_on_batch(pod.tensor { row }):reshape { -1 }:totable()
  local best = 1
  for move = 2, 3 do
    if gains[move] > gains[best] then best = move end
  end
  return best
end

local function train()
  local rows, gains = {}, {}
  for i = 1, BATCH do
    local one = past[love.math.random(math.max(1, #past - 2000), #past)]
    rows[i], gains[i] = one.row, one.gains
  end
  model:train_on_batch(pod.tensor(rows), pod.tensor(gains))
end

-- What each move would have gained: how much nearer to the ball.
local function gains_of(x, from)
  local gains = {}
  for move = 1, 3 do
    local to = math.min(WIDTH, math.max(0, from + SPEED * (move - 2)))
    gains[move] = (math.abs(x - from) - math.abs(x - to)) / SPEED
  end
  return gains
end

function love.load()
  love.math.setRandomSeed(1)
  pod.device.configure { threads = 1 }
  pod.random.set_seed(1)
  model = pod.models.sequential { pod.layers.dense(32, { activation = "tanh", input_shape = { 2 } }),
    pod.layers.dense(3) }
  model:compile { optimizer = pod.optimizers.adam { learning_rate = 0.003 }, loss = "mse" }
  drop()
  choose(seen()) -- compiles what frames will run
end

function love.update()
  frames = frames + 1
  local row = seen()
  local gains = gains_of(ball.x, paddle)
  paddle = math.min(WIDTH, math.max(0, paddle + SPEED * (choose(row) - 2)))
  past[#past + 1] = { row = row, gains = gains }
  ball.y = ball.y + FALL
  if ball.y >= HEIGHT then
    local part = last_frame and frames > last_frame / 2 and 2 or 1
    fallen[part] = (fallen[part] or 0) + 1
    caught[part] = (caught[part] or 0) + (math.abs(ball.x - paddle) < PADDLE / 2 and 1 or 0)
    drop()
  end
  local began = love.timer.getTime()
  local ends = began + budget
  if #past >= BATCH then
    for _ = 1, 4 do
      if love.timer.getTime() > ends then break end
      train()
    end
  end
  if frames > 60 then worst = math.max(worst, love.timer.getTime() - ends) end
  if frames == last_frame then
    local report = "%d frames; caught %d of %d in the first half, %d of %d in the second; over the budget %.1f ms"
    print(report:format(frames, caught[1] or 0, fallen[1] or 0, caught[2] or 0, fallen[2] or 0,
      math.max(0, worst) * 1000))
    love.event.quit()
  end
end

function love.draw()
  love.graphics.circle("fill", ball.x, ball.y, 5)
  love.graphics.rectangle("fill", paddle - PADDLE / 2, HEIGHT - 8, PADDLE, 8)
end
