-- Two networks that play against each other: one draws digits, the other tells them from real ones. Both are trained in
-- one step of its own. Ported from gan.py. Prints a line an epoch, and how far the drawn digits are from real ones.
--
--   moonpod examples/from_keras/gan.lua [folder=build/from_keras] [seed=1] [epochs=25]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 25)
pod.random.set_seed(seed)

local SIZE = 16
local digits = pod.data.load_npz(folder .. "/digits.npz").x:cast "float32":reshape { -1, 14, 2, 14, 2 }
digits = pod.mean(digits, { 2, 4 }):reshape { -1, 196 } / 127.5 - 1

local generator = pod.models.sequential({
  layers.input { SIZE },
  layers.dense(128, { activation = "leaky_relu" }),
  layers.batch_normalization { momentum = 0.9 },
  layers.dense(256, { activation = "leaky_relu" }),
  layers.dense(196, { activation = "tanh" }),
}, { name = "generator" })
local discriminator = pod.models.sequential({
  layers.input { 196 },
  layers.dense(128, { activation = "leaky_relu" }),
  layers.dropout(0.3),
  layers.dense(64, { activation = "leaky_relu" }),
  layers.dense(1),
}, { name = "discriminator" })

local GAN = pod.models.subclass {
  name = "GAN",
  setup = function(self)
    self.generator, self.discriminator = generator, discriminator
    self.d_tracker = pod.metrics.mean { name = "d_loss" }
    self.g_tracker = pod.metrics.mean { name = "g_loss" }
  end,

  call = function(self, noise)
    return self.generator(noise)
  end,

  train_step = function(self, data)
    local real = data[1]
    local rows = real.shape[1]
    local labels = pod.concat({ pod.ones { rows, 1 } * 0.9, pod.zeros { rows, 1 } }, 0)
    local tape, d_loss = pod.tape(function()
      local drawn = self.generator(pod.random.normal { rows, SIZE }, { training = true })
      return self.loss(labels, self.discriminator(pod.concat({ real, drawn }, 0), { training = true }))
    end)
    local weights = self.discriminator.trainable_weights
    self.optimizer:apply(tape:gradient(d_loss, weights), weights)

    local g_tape, g_loss = pod.tape(function()
      local drawn = self.generator(pod.random.normal { rows, SIZE }, { training = true })
      return self.loss(pod.ones { rows, 1 }, self.discriminator(drawn, { training = true }))
    end)
    weights = self.generator.trainable_weights
    self.g_optimizer:apply(g_tape:gradient(g_loss, weights), weights)

    self.d_tracker:update_state(d_loss)
    self.g_tracker:update_state(g_loss)
    return { d_loss = self.d_tracker:result(), g_loss = self.g_tracker:result() }
  end,
}

local model = GAN()
model.g_optimizer = pod.optimizers.adam(5e-4, { beta_1 = 0.5 })
model:compile { optimizer = pod.optimizers.adam(5e-4, { beta_1 = 0.5 }),
  loss = pod.losses.binary_crossentropy { from_logits = true } }
model:fit(digits, { batch_size = 16, epochs = epochs, verbose = 2 })

-- How far the means of the pixels, and their deviations, are from those of real digits.
local drawn = generator:predict(pod.random.normal { 1000, SIZE }, { verbose = 0 })
local off = pod.mean(pod.abs(pod.mean(drawn, 0) - pod.mean(digits, 0)))
local spread = pod.mean(pod.std(drawn, 0)) / pod.mean(pod.std(digits, 0))
print(("off: %.4f, spread: %.4f"):format(off:item(), spread:item()))
local picture = drawn[1]:reshape { 14, 14 }:totable()
for row = 1, 14 do
  local line = {}
  for column = 1, 14 do
    line[column] = picture[row][column] > 0 and "#" or "."
  end
  print(table.concat(line))
end
