-- The training of frames.c in Lua: the same situations by the same random numbers, the same layers, and a run in slices
-- of a few milliseconds. It ends with the weights of frames.c, to the bit, however the slices cut its steps.
--
--     lua5.4 examples/embed_frames/policy.lua
--     EPOCHS=20 SLICE=1 moonpod -i < examples/embed_frames/policy.lua      SLICE: milliseconds

do -- one block, so that it is one entry at the prompt
  pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
  local pod = require "moonpod"
  local epochs, slice = tonumber(os.getenv "EPOCHS") or 2000, tonumber(os.getenv "SLICE") or 4

  local INPUTS, HIDDEN, MOVES, BATCH, SITUATIONS = 2, 128, 3, 256, 4096
  local WIDTH, SPEED = 320, 5

  -- Park and Miller's generator: its products are whole numbers that doubles hold.
  local state = 20240
  local function next_random()
    state = state * 16807 % 2147483647
    return state / 2147483647
  end

  local function new_weights()
    local weights = {}
    for i, shape in ipairs { { INPUTS, HIDDEN }, { HIDDEN, HIDDEN }, { HIDDEN, MOVES } } do
      local values = {}
      for j = 1, shape[1] * shape[2] do
        values[j] = (2 * next_random() - 1) / math.sqrt(shape[1])
      end
      weights[2 * i - 1], weights[2 * i] = pod.tensor(values):reshape(shape), pod.zeros { shape[2] }
    end
    return weights
  end

  -- Where the ball and the paddle are, and how much nearer to the ball each move brings the paddle.
  local function new_situations()
    local seen, gains = {}, {}
    for i = 1, SITUATIONS do
      local ball, paddle, row = next_random() * WIDTH, next_random() * WIDTH, {}
      for move = 1, MOVES do
        local to = math.min(WIDTH, math.max(0, paddle + SPEED * (move - 2)))
        row[move] = (math.abs(ball - paddle) - math.abs(ball - to)) / SPEED
      end
      seen[i], gains[i] = { ball / WIDTH - 0.5, paddle / WIDTH - 0.5 }, row
    end
    return pod.data.from_tensor_slices { pod.tensor(seen), pod.tensor(gains) }:batch(BATCH)
  end

  -- A number for all bits of the weights, in whole numbers that every Lua has.
  local function hash_of(weights)
    local hash = 1
    for _, weight in ipairs(weights) do
      local bytes = weight:data()
      for i = 1, #bytes do
        hash = (hash * 257 + bytes:byte(i)) % 4294967291
      end
    end
    return ("%08x"):format(hash)
  end

  pod.device.configure { threads = 1 }
  local model = pod.models.sequential {
    pod.layers.dense(HIDDEN, { activation = "tanh", input_shape = { INPUTS } }),
    pod.layers.dense(HIDDEN, { activation = "tanh" }),
    pod.layers.dense(MOVES),
  }
  model:compile { optimizer = pod.optimizers.sgd(0.05, { momentum = 0.9 }), loss = "mse" }
  model:set_weights(new_weights())
  local run = model:fit(new_situations(), { epochs = epochs, background = "stepped", verbose = 0 })
  local slices = 1
  while run:step { ms = slice } do -- a game draws its frames in between
    slices = slices + 1
  end
  local report = "%d steps in %d slices, loss %.4f\nweights %s"
  print(report:format(epochs * SITUATIONS / BATCH, slices, run.logs.loss, hash_of(model:get_weights())))
end
