-- A variational autoencoder: digits from four numbers, with a training step of its own. Ported from vae.py.
-- Prints a line an epoch, the bound on digits kept apart, and a digit that it made up.
--
--   moonpod examples/from_keras/vae.lua [folder=build/from_keras] [seed=1] [epochs=15]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 15)
pod.random.set_seed(seed)

local SIZE = 4
local x = pod.data.load_npz(folder .. "/digits.npz").x:cast "float32":reshape { -1, 784 } / 255
local count = math.floor(x.shape[1] * 2 / 3)
local x_train, x_test = x[{ ":" .. count }], x[{ count .. ":" }]

local inputs = layers.input { 784 }
local h = layers.dense(128, { activation = "relu" })(inputs)
local encoder = pod.models.functional {
  inputs = inputs, outputs = { layers.dense(SIZE)(h), layers.dense(SIZE)(h) }, name = "encoder" }
local decoder = pod.models.sequential({
  layers.input { SIZE },
  layers.dense(128, { activation = "relu" }),
  layers.dense(784, { activation = "sigmoid" }),
}, { name = "decoder" })

local VAE = pod.models.subclass {
  name = "VAE",
  setup = function(self)
    self.encoder, self.decoder = encoder, decoder
    self.total_tracker = pod.metrics.mean { name = "loss" }
    self.reconstruction_tracker = pod.metrics.mean { name = "reconstruction" }
    self.kl_tracker = pod.metrics.mean { name = "kl" }
  end,

  call = function(self, x)
    return self.decoder(self.encoder(x)[1])
  end,

  losses_of = function(self, x)
    local codes = self.encoder(x)
    local mean, log_variance = codes[1], codes[2]
    local z = mean + pod.exp(0.5 * log_variance) * pod.random.normal(mean.shape)
    local drawn = pod.clip(self.decoder(z), 1e-6, 1 - 1e-6)
    local reconstruction = pod.mean(-pod.sum(x * pod.log(drawn) + (1 - x) * pod.log(1 - drawn), 1))
    local kl = pod.mean(-0.5 * pod.sum(1 + log_variance - pod.square(mean) - pod.exp(log_variance), 1))
    return reconstruction, kl
  end,

  track = function(self, reconstruction, kl)
    self.total_tracker:update_state(reconstruction + kl)
    self.reconstruction_tracker:update_state(reconstruction)
    self.kl_tracker:update_state(kl)
    return { loss = self.total_tracker:result(), reconstruction = self.reconstruction_tracker:result(),
      kl = self.kl_tracker:result() }
  end,

  train_step = function(self, data)
    local tape, loss, reconstruction, kl = pod.tape(function()
      local reconstruction, kl = self:losses_of(data[1])
      return reconstruction + kl, reconstruction, kl
    end)
    local weights = self.trainable_weights
    self.optimizer:apply(tape:gradient(loss, weights), weights)
    return self:track(reconstruction, kl)
  end,

  test_step = function(self, data)
    return self:track(self:losses_of(data[1]))
  end,
}

local model = VAE()
model:compile { optimizer = pod.optimizers.adam(2e-3) }
model:fit(x_train, { batch_size = 32, epochs = epochs, verbose = 2 })
local result = model:evaluate(x_test, { verbose = 0, return_dict = true })
print(("test loss: %.3f, reconstruction: %.3f, kl: %.3f"):format(result.loss, result.reconstruction, result.kl))

local drawn = decoder:predict(pod.random.normal { 1, SIZE }, { verbose = 0 }):reshape { 28, 28 }:totable()
for row = 1, 28, 2 do
  local line = {}
  for column = 1, 28 do
    line[column] = drawn[row][column] > 0.4 and "#" or "."
  end
  print(table.concat(line))
end
