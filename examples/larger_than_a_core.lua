-- Trains a transformer that does not fit the memory of one core, on cores that divide it.
--
--     moonpod examples/larger_than_a_core.lua
--
-- Shows pod.distribute.mesh, layout_map and model_parallel: heads of attention and wide layers are divided along the
-- axis "model" of a mesh, rows of batches, weights and the optimizer's state along "data". Prints what a core needs
-- with one core, which is more than its limit, and with eight, and the loss of each epoch.

local pod = require "moonpod"

local VOCABULARY, LENGTH, WIDTH, LIMIT = 16, 8, 16, 80000

local function transformer()
  local layers = pod.layers
  local tokens = layers.input({ LENGTH }, { dtype = "int32" })
  local x = layers.embedding(VOCABULARY, WIDTH, { name = "tokens" })(tokens)
  for i = 1, 2 do
    local h = layers.layer_normalization()(x)
    h = layers.multi_head_attention { num_heads = 4, key_dim = 4, name = "attention_" .. i }(h, h)
    x = layers.add()({ x, h })
    h = layers.dense(2 * WIDTH, { activation = "gelu", name = "up_" .. i })(layers.layer_normalization()(x))
    x = layers.add()({ x, layers.dense(WIDTH, { name = "down_" .. i })(h) })
  end
  local model = pod.models.functional { inputs = tokens, outputs = layers.dense(VOCABULARY, { name = "head" })(x) }
  model:compile { optimizer = pod.optimizers.adam(0.01), metrics = { "accuracy" },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end

-- Trains on a mesh of so many cores along "data" and "model"; returns the losses and what a core needed.
local function train(data, model)
  local map = pod.distribute.layout_map(pod.distribute.mesh({ data, model }, { "data", "model" }))
  map["tokens/embeddings"], map["head/kernel"] = { "model", nil }, { nil, "model" }
  map["attention_%d/query/kernel"], map["attention_%d/key/kernel"] = { nil, "model" }, { nil, "model" }
  map["attention_%d/value/kernel"], map["attention_%d/attention_output/kernel"] = { nil, "model" }, { "model" }
  map["up_%d/kernel"], map["up_%d/bias"], map["down_%d/kernel"] = { nil, "model" }, { "model" }, { "model" }
  local strategy = pod.distribute.model_parallel { layout_map = map, shard_weights = true, memory_limit = LIMIT }
  pod.random.set_seed(7)
  local tokens = pod.random.uniform({ 128, LENGTH }, { minval = 0, maxval = VOCABULARY, dtype = "int32" })
  local x, others = tokens[{ "0:64" }], tokens[{ "64:128" }]
  local made = strategy:scope(transformer)
  local losses = made:fit(x, (x + 1) % VOCABULARY, { epochs = 5, batch_size = 8, verbose = 0 }).history.loss
  local test_loss = made:evaluate(others, (others + 1) % VOCABULARY, { batch_size = 8, verbose = 0 })
  return losses, strategy:core_memory(), test_loss
end

local ok, message = pcall(train, 1, 1)
assert(not ok)
print("one core: " .. message:match "a core would need %d+ bytes")
local losses, memory, test_loss = train(4, 2)
print(("eight cores: each needs %d bytes, has %d of %d bytes of weights and state"):format(memory.need_bytes,
  memory.argument_bytes, memory.whole_argument_bytes))
for epoch, loss in ipairs(losses) do
  print(("epoch %d: loss: %.3f"):format(epoch, loss))
end
print(("Test loss: %.3f"):format(type(test_loss) == "table" and test_loss[1] or test_loss))
