-- %% [markdown]
-- # Data-parallel training, seen from inside
--
-- Eight cores train one model. Each has a copy of the weights, a *replica*, and sees an eighth of the batch, its
-- *shard*. They add up their gradients, the *all-reduce*, and all take the same step. This notebook looks at each of
-- these.

-- %%
pod.random.set_seed(1)
resolver = pod.cluster.resolve { accelerator = "v3-8" }
strategy = pod.distribute.tpu_strategy(resolver)
print(pod.devices "TPU")
pod.topology "v3-8"

-- %% [markdown]
-- ## Shards
--
-- A global batch of 20 rows is divided among 8 cores. It need not come out even: the first shards are full, the last
-- ones have less, or nothing.

-- %%
batch = pod.arange(20):reshape { 20, 1 }:cast "float32"
shards = strategy:split(batch)
sizes, owner = {}, {}
for core, shard in ipairs(shards:values()) do
  sizes[core] = shard.shape[1]
  for _ = 1, shard.shape[1] do
    owner[#owner + 1] = core - 1
  end
  print(("core %d has rows %s"):format(core - 1, table.concat(pod.reshape(shard, { -1 }):totable(), " ")))
end

-- %%
cells = {}
for core = 1, 8 do
  cells[core] = {}
  for row = 1, 20 do
    cells[core][row] = owner[row] == core - 1 and 1 or 0
  end
end
rows = { "core 0", "core 1", "core 2", "core 3", "core 4", "core 5", "core 6", "core 7" }
pod.plot.heat_map(cells, { rows = rows, map = "blues", x_label = "row of the batch", title = "Who has which row" })

-- %% [markdown]
-- ## Inside a step
--
-- `strategy:run` runs a function on every core. Inside, a core knows its number and sees its own shard.

-- %%
results = strategy:run(function(shard)
  local context = pod.distribute.replica_context()
  local own = shard:sum()
  return { id = pod.distribute.replica_id(), own = own, all = context:all_reduce("sum", own) }
end, { shards })
for core = 1, 8 do
  print(("core %d: its own sum is %g, that of all is %g"):format(results.id:values()[core]:item(),
    results.own:values()[core]:item(), results.all:values()[core]:item()))
end

-- %% [markdown]
-- Each core has a sum of its own, and after the all-reduce all have the same one. On one core the sum would be 190,
-- too.

-- %%
own, all = {}, {}
for core = 1, 8 do
  own[core], all[core] = results.own:values()[core]:item(), results.all:values()[core]:item()
end
pod.plot.bar({ { name = "its own", y = own }, { name = "after the all-reduce", y = all } },
  { labels = rows, title = "Sums" })

-- %% [markdown]
-- ## The gradient is such a sum
--
-- The loss of a batch is the mean over its rows. So the gradient of the batch is the sum of the shards' gradients,
-- each divided by the rows of the *whole* batch. A common mistake is to divide by the rows of the shard.

-- %%
w = pod.variable({ { 0.5 } })
target = batch * 3
function slope_of(rows_x, rows_y, count)
  local tape, loss = pod.tape(function()
    return ((rows_x:matmul(w) - rows_y) ^ 2):sum() / count
  end)
  return tape:gradient(loss, w):reshape({}):item()
end
whole = slope_of(batch, target, 20)
sum, wrong = 0, 0
for core, shard in ipairs(shards:values()) do
  local n = shard.shape[1]
  if n > 0 then
    sum = sum + slope_of(shard, shard * 3, 20)
    wrong = wrong + slope_of(shard, shard * 3, n) / 8
  end
end
print(("the whole batch: %.3f"):format(whole))
print(("the sum of the shards' parts: %.3f"):format(sum))
print(("mean of the shards' means: %.3f, which is wrong where shards are uneven"):format(wrong))

-- %% [markdown]
-- ## One core and eight
--
-- The same model, the same data, once on one core and once on eight. The batch is the *global* one in both cases.

-- %%
train, test = pod.datasets.fashion_mnist()
train = train:take(8000):cache():batch(200)
test = test:take(2000):batch(500)
function new_model()
  local model = pod.models.sequential({
    pod.layers.dense(64, { activation = "relu", input_shape = { 784 }, kernel_initializer =
      pod.initializers.glorot_uniform { seed = 3 } }),
    pod.layers.dense(10, { kernel_initializer = pod.initializers.glorot_uniform { seed = 4 } }),
  }, { name = "clothes" })
  model:compile { optimizer = "adam", metrics = { "accuracy" },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end
one = new_model()
eight = strategy:scope(new_model)
losses = { ["one core"] = one:fit(train, { epochs = 4, verbose = 0 }).history.loss,
  ["eight cores"] = eight:fit(train, { epochs = 4, verbose = 0 }).history.loss }
pod.plot.line(losses, { title = "Loss", x_label = "epoch" })

-- %% [markdown]
-- There is one curve, for one lies upon the other. The weights are the same to the bit: sums have one order here,
-- whatever the number of cores. (On a real TPU the last digits differ.)

-- %%
function bytes_of(model)
  local parts = {}
  for i, weight in ipairs(model:get_weights()) do
    parts[i] = weight:data()
  end
  return table.concat(parts)
end
print("the same weights to the bit: " .. tostring(bytes_of(one) == bytes_of(eight)))

-- %% [markdown]
-- What does it cost? The step on eight cores has collectives, which are exchanges among cores: one for the gradient of
-- each of the four weights, one for the loss and one for the accuracy. The step on one core has none.

-- %%
x, y = pod.random.normal { 200, 784 }, pod.zeros({ 200 }, { dtype = "int32" })
for _, row in ipairs { { "one core", one }, { "eight cores", eight } } do
  local work = pod.session.why(function()
    row[2]:train_on_batch(x, y)
  end)
  print(("%s: %d collectives"):format(row[1], work.collectives))
end

-- %% [markdown]
-- ## What changes with eight cores
--
-- What looks at the whole batch changes. Batch normalisation takes the mean of its *shard*, unless it is synchronised.
-- A shard of 25 rows gives other means than a batch of 200.

-- %%
rows200 = pod.random.normal({ 200, 1 }, { seed = 7 }) * 2 + 1
means = strategy:run(function(shard)
  return shard:mean()
end, { strategy:split(rows200) })
shard_means = {}
for core, mean in ipairs(means:values()) do
  shard_means[core] = mean:item()
end
pod.plot.bar({ { name = "mean of the shard", y = shard_means } }, { labels = rows,
  title = ("The mean of all 200 rows is %.3f"):format(rows200:mean():item()) })

-- %% [markdown]
-- And the batch is often made larger, for eight cores have room. Then there are fewer steps in an epoch, so the
-- learning rate is made larger, too.

-- %%
big = train:unbatch():batch(1600)
curves = {}
for _, rate in ipairs { 0.001, 0.004, 0.008 } do
  local model = strategy:scope(new_model)
  model.optimizer.learning_rate:assign(rate)
  curves[("batch 1600, rate %g"):format(rate)] = model:fit(big, { epochs = 4, verbose = 0 }).history.loss
end
curves["batch 200, rate 0.001"] = losses["one core"]
pod.plot.line(curves, { title = "Eight times the batch", x_label = "epoch", y_label = "loss" })

-- %% [markdown]
-- ## Exercises
--
-- 1. Divide 5 rows among the 8 cores. What do the last cores have, and what is the mean over all rows?
-- 2. `all_reduce("mean", ...)` takes the mean over cores. Is that the mean over rows?
-- 3. How many collectives does a step have if the model has three layers in place of two?
--
-- The answers are below.

-- %% [markdown]
-- ## Answers
--
-- **1.** The last three cores have no row. `strategy:reduce("mean", value, 0)` counts rows, so it is right all the
-- same.

-- %%
few = strategy:split(pod.arange(5):reshape { 5, 1 }:cast "float32")
sizes = {}
for core, shard in ipairs(few:values()) do
  sizes[core] = shard.shape[1]
end
print("rows: " .. table.concat(sizes, " "))
print("mean over rows: " .. strategy:reduce("mean", few, 0):item())

-- %% [markdown]
-- **2.** Only where all shards have as many rows.

-- %%
both = strategy:run(function(shard)
  return pod.distribute.replica_context():all_reduce("mean", shard:mean())
end, { shards })
print(("mean of the cores' means: %.3f, mean of the rows: %.3f"):format(both:values()[1]:item(),
  batch:mean():item()))

-- %% [markdown]
-- **3.** Gradients of each weight are summed: two more for a layer, which has a kernel and a bias.

-- %%
deep = strategy:scope(function()
  local model = pod.models.sequential { pod.layers.dense(64, { activation = "relu", input_shape = { 784 } }),
    pod.layers.dense(32, { activation = "relu" }), pod.layers.dense(10) }
  model:compile { optimizer = "adam", metrics = { "accuracy" },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end)
deep:train_on_batch(x, y)
for _, row in ipairs { { "two layers", eight }, { "three layers", deep } } do
  print(row[1], pod.session.why(function()
    row[2]:train_on_batch(x, y)
  end).collectives)
end
