-- An agent that learns in play, in LÖVE: a ball falls, the agent moves a paddle, and each frame gives a slice of its
-- time to a training that goes on over what the agent saw and gained: run:step breaks off within a step, too.
--
--     love examples/love_agent              LÖVE's own Lua is LuaJIT: it takes Moonpod's module for Lua 5.1
--     LOVE_FRAMES=600 xvfb-run love examples/love_agent

local pod = require "moonpod"

local WIDTH, HEIGHT, PADDLE, SPEED, FALL, BATCH = 320, 240, 40, 5, 4, 32
local SLICE = 4 -- milliseconds of a frame

local ball, paddle, past, frames, caught, fallen, over = { x = 0, y = 0 }, WIDTH / 2, {}, 0, {}, {}, {}
local model, run
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

-- What each move would have gained: how much nearer to the ball.
local function gains_of(x, from)
  local gains = {}
  for move = 1, 3 do
    local to = math.min(WIDTH, math.max(0, from + SPEED * (move - 2)))
    gains[move] = (math.abs(x - from) - math.abs(x - to)) / SPEED
  end
  return gains
end

local function remember()
  past[#past + 1] = { row = seen(), gains = gains_of(ball.x, paddle) }
end

-- What trains: what was seen of late, again and again. The run asks for the next batch when it needs one.
local function remembered()
  return pod.data.from_generator(function()
    return function()
      local rows, gains = {}, {}
      for i = 1, BATCH do
        local one = past[love.math.random(math.max(1, #past - 2000), #past)]
        rows[i], gains[i] = one.row, one.gains
      end
      return pod.tensor(rows), pod.tensor(gains)
    end
  end, { pod.spec { BATCH, 2 }, pod.spec { BATCH, 3 } }, { cardinality = pod.data.INFINITE })
end

-- All is compiled here, so that no frame waits for it.
function love.load()
  love.math.setRandomSeed(1)
  pod.device.configure { threads = 1 }
  pod.random.set_seed(1)
  model = pod.models.sequential { pod.layers.dense(32, { activation = "tanh", input_shape = { 2 } }),
    pod.layers.dense(3) }
  model:compile { optimizer = pod.optimizers.adam { learning_rate = 0.003 }, loss = "mse" }
  drop()
  remember()
  choose(seen())
  -- One epoch that never ends: the end of one is not divided, and takes some milliseconds.
  run = model:fit(remembered(), { background = "stepped", steps_per_epoch = 1e9, verbose = 0 })
end

local function report()
  local steps = run:progress().step
  run:stop()
  table.sort(over)
  print(("%d frames, %d steps; caught %d of %d in the first half, %d of %d in the second"):format(frames,
    steps, caught[1] or 0, fallen[1] or 0, caught[2] or 0, fallen[2] or 0))
  print(("over the training budget of %g ms: worst %.3f ms, p99 %.3f ms"):format(SLICE, over[#over],
    over[math.ceil(0.99 * #over)]))
end

function love.update()
  frames = frames + 1
  remember()
  paddle = math.min(WIDTH, math.max(0, paddle + SPEED * (choose(seen()) - 2)))
  ball.y = ball.y + FALL
  if ball.y >= HEIGHT then
    local part = last_frame and frames > last_frame / 2 and 2 or 1
    fallen[part] = (fallen[part] or 0) + 1
    caught[part] = (caught[part] or 0) + (math.abs(ball.x - paddle) < PADDLE / 2 and 1 or 0)
    drop()
  end
  local began = love.timer.getTime()
  run:step { ms = SLICE }
  over[frames] = math.max(0, (love.timer.getTime() - began) * 1000 - SLICE)
  if frames == last_frame then
    report()
    love.event.quit()
  end
end

function love.draw()
  love.graphics.circle("fill", ball.x, ball.y, 5)
  love.graphics.rectangle("fill", paddle - PADDLE / 2, HEIGHT - 8, PADDLE, 8)
end
