-- `train.lua NAME PRECISION EPOCHS SEED` trains a workload of models.lua on 8 replicas and prints one JSON line with
-- its accuracy on the test data.

local pod = require "moonpod"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local models = require "models"

local name, precision, epochs, seed = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4])
local work = models[name]
pod.device.context():set_threads(2)
pod.random.set_seed(seed)
local model = models.compile(name, precision, 8, { "accuracy" })
local train, test = pod.datasets.fashion_mnist { shape = work.shape }
model:fit(train:shuffle(60000, { seed = seed }):batch(work.batch), { epochs = epochs, verbose = 0 })
local results = model:evaluate(test:batch(1000), { verbose = 0, return_dict = true })
print(('{"workload": "%s", "precision": "%s", "accuracy": %.4f}'):format(name, precision, results.accuracy))
