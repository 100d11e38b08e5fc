-- What every system trains (./dev test --for): a small dense network on part of Fashion-MNIST. Prints its counts as
-- tests of C do.

local pod = require "moonpod"

local IMAGES, LEAST = 12800, 0.78

pod.random.set_seed(2)
local train, test = pod.datasets.fashion_mnist()
local model = pod.models.sequential {
  pod.layers.dense(64, { activation = "relu", input_shape = { 784 } }),
  pod.layers.dense(10),
}
model:compile {
  optimizer = pod.optimizers.adam { learning_rate = 2e-3 },
  loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
  metrics = { "accuracy" }, steps_per_execution = 50,
}
local before = os.clock()
model:fit(train:take(IMAGES):batch(64, { drop_remainder = true }), { epochs = 2, verbose = 0 })
local reached = model:evaluate(test:take(2000):batch(1000), { return_dict = true, verbose = 0 }).accuracy
print(("# %s, %s kernels: accuracy %.4f in %.1f s of CPU"):format(jit and jit.version or _VERSION,
  require "moonpod.tensor.device".context():isa(), reached, os.clock() - before))
local passed = reached >= LEAST
print(("%d passed, %d failed"):format(passed and 1 or 0, passed and 0 or 1))
if not passed then error "the accuracy is too low" end
