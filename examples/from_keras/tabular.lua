-- Prices of houses: normalized columns, a metric of one's own, early stopping. Ported from tabular.py.
-- Prints a line an epoch, and the error on houses that were not trained on.
--
--   moonpod examples/from_keras/tabular.lua [folder=build/from_keras] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed = ...
folder, seed = folder or "build/from_keras", tonumber(seed or 1)
pod.random.set_seed(seed)

local rows = pod.data.load_csv(folder .. "/houses.csv")
local x, y = rows[{ ":", ":-1" }], rows[{ ":", "-1:" }]
local count = math.floor(rows.shape[1] * 4 / 5)
local x_train, y_train = x[{ ":" .. count }], y[{ ":" .. count }]
local x_test, y_test = x[{ count .. ":" }], y[{ count .. ":" }]

local WithinTenPercent = pod.metrics.subclass {
  name = "WithinTenPercent",
  setup = function(self)
    self.name = "within_10_percent"
    self.hits = self:add_variable "hits"
    self.rows = self:add_variable "rows"
  end,
  update_state = function(self, y_true, y_pred)
    local miss = pod.abs(y_pred - y_true)
    local near = pod.less_equal(miss, 0.1 * pod.abs(y_true))
    near = pod.cast(near, "float32")
    self.hits:assign_add(pod.sum(near))
    self.rows:assign_add(pod.sum(pod.ones_like(near)))
  end,
  result = function(self)
    return self.hits / pod.maximum(self.rows, 1)
  end,
}

local normalize = layers.normalization()
normalize:adapt(x_train)

local model = pod.models.sequential {
  layers.input { shape = { x.shape[2] } },
  normalize,
  layers.dense(32, { activation = "relu" }),
  layers.dense(32, { activation = "relu" }),
  layers.dense(1),
}
model:compile { optimizer = pod.optimizers.adam(3e-3), loss = "mse",
  metrics = { "mae", WithinTenPercent() } }
model:summary()
local history = model:fit(x_train, y_train, {
  batch_size = 32, epochs = 60, validation_split = 0.2, verbose = 2,
  callbacks = { pod.callbacks.early_stopping {
    monitor = "val_loss", patience = 5, restore_best_weights = true } } })
print(("stopped after %d epochs"):format(#history.history.loss))
local result = model:evaluate(x_test, y_test, {
  verbose = 0, return_dict = true })
print(("test mae: %.3f, within 10 %%: %.4f"):format(
  result.mae, result.within_10_percent))
