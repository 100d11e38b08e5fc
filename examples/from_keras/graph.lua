-- A graph network: what group a person is of, by a few whose group is known and by who knows whom. Ported from
-- graph.py. Prints the loss now and then, how many are told right, and how many without the graph.
--
--   moonpod examples/from_keras/graph.lua [folder=build/from_keras] [seed=1] [epochs=100]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 100)
pod.random.set_seed(seed)

local graph = pod.data.load_npz(folder .. "/graph.npz")
local nodes, known = graph.features.shape[1], math.floor(graph.features.shape[1] / 8)
local degrees = pod.segment_sum(pod.ones { graph.targets.shape[1] }, graph.targets, nodes)

-- Each node takes the mean of what its neighbours say, joined with what it is itself.
local Passing = pod.layers.subclass {
  name = "Passing",
  setup = function(self, units)
    self.message = layers.dense(units, { activation = "relu" })
    self.update = layers.dense(units, { activation = "relu" })
  end,
  call = function(self, x)
    local sent = pod.gather(self.message(x), graph.sources)
    local heard = pod.segment_sum(sent, graph.targets, nodes)
    heard = heard / pod.maximum(pod.expand_dims(degrees, 1), 1)
    return self.update(pod.concat({ x, heard }, 1))
  end,
}

local function network(layer)
  return pod.models.sequential {
    layers.input({ 16 }, { batch_size = nodes }),
    layer(32),
    layers.dropout(0.3),
    layer(32),
    layers.dropout(0.3),
    layers.dense(4),
  }
end

local loss_fn = pod.losses.sparse_categorical_crossentropy { from_logits = true }

-- Trains with the first `known` groups, on the whole graph in each step; returns the share of the others told right.
local function train(model, name)
  local optimizer = pod.optimizers.adam { learning_rate = 5e-3, weight_decay = 5e-3 }
  local groups = graph.groups[{ ":" .. known }]
  local step = pod.func(function(features)
    local weights = model.trainable_weights
    local tape, loss = pod.tape(function()
      return loss_fn(groups, model(features, { training = true })[{ ":" .. known }])
    end)
    optimizer:apply(tape:gradient(loss, weights), weights)
    return loss
  end)
  for epoch = 1, epochs do
    local loss = step(graph.features)
    if epoch % 25 == 0 then
      print(("%s, epoch %d - loss: %.4f"):format(name, epoch, loss:item()))
    end
  end
  local told = pod.argmax(model(graph.features), 1)[{ known .. ":" }]
  return pod.mean(pod.cast(pod.equal(told, graph.groups[{ known .. ":" }]), "float32")):item()
end

local with_graph = train(network(Passing), "with the graph")
local without = train(network(function(units) return layers.dense(units, { activation = "relu" }) end), "without")
print(("accuracy: %.4f, without the graph: %.4f"):format(with_graph, without))
