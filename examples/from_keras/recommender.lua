-- A recommender: vectors of users and items, of which the product says how a user would rate an item. Ported from
-- recommender.py. Prints a line an epoch, how far off ratings are that were kept apart, and what a user may like.
--
--   moonpod examples/from_keras/recommender.lua [folder=build/from_keras] [seed=1] [epochs=12]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 12)
pod.random.set_seed(seed)

local rows = pod.data.load_csv(folder .. "/ratings.csv")
local pairs_of, ratings = rows[{ ":", ":2" }]:cast "int32", rows[{ ":", "2:" }]
local users, items = pairs_of[{ ":", 0 }]:max():item() + 1, pairs_of[{ ":", 1 }]:max():item() + 1
local count = math.floor(rows.shape[1] * 4 / 5)
local x_train, y_train = pairs_of[{ ":" .. count }], ratings[{ ":" .. count }]
local x_test, y_test = pairs_of[{ count .. ":" }], ratings[{ count .. ":" }]
local mean = y_train:mean():item()

local function embedding(number, size)
  return layers.embedding(number, size, { embeddings_initializer = "he_normal",
    embeddings_regularizer = pod.regularizers.l2(1e-5) })
end

local Recommender = pod.models.subclass {
  name = "Recommender",
  setup = function(self, size)
    self.user, self.user_bias = embedding(users, size), layers.embedding(users, 1)
    self.item, self.item_bias = embedding(items, size), layers.embedding(items, 1)
  end,
  call = function(self, x)
    local user, item = x[{ ":", 0 }], x[{ ":", 1 }]
    local fit = pod.sum(self.user(user) * self.item(item), 1, { keepdims = true })
    return mean + fit + self.user_bias(user) + self.item_bias(item)
  end,
}

local model = Recommender(8)
model:compile { optimizer = pod.optimizers.adam(5e-3), loss = "mse", metrics = { "root_mean_squared_error" } }
model:fit(x_train, y_train, { batch_size = 64, epochs = epochs, validation_data = { x_test, y_test }, verbose = 2 })
local result = model:evaluate(x_test, y_test, { verbose = 0, return_dict = true })
local guessed = pod.sqrt(pod.mean(pod.square(y_test - mean))):item()
print(("off: %.4f, with the mean alone: %.4f"):format(result.root_mean_squared_error, guessed))

-- The items that user 0 would like best.
local all = pod.stack({ pod.zeros({ items }, "int32"), pod.arange(items, { dtype = "int32" }) }, 1)
local values, best = pod.top_k(model:predict(all):reshape { -1 }, 3)
for i = 1, 3 do
  print(("item %d: %.2f"):format(best[i]:item(), values[i]:item()))
end
