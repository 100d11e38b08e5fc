-- %% [markdown]
-- # Mixed precision, and where it goes wrong
--
-- A TPU multiplies numbers of 16 bits. They take half the memory, and are less exact. Mixed precision computes in 16
-- bits and keeps weights in 32. This notebook shows why that works, and what happens where one forgets about it.

-- %% [markdown]
-- ## Two kinds of 16 bits
--
-- Of its 16 bits, `bfloat16` has 8 for the exponent and 7 for digits. `float16` has 5 and 10. So the one has the range
-- of `float32`, and the other more digits.

-- %%
function kept(value, dtype)
  return pod.tensor(value):cast(dtype):cast("float32"):item()
end
for _, value in ipairs { 1 / 3, 1000.5, 70000, 1e-6, 1e-9, 1e30 } do
  print(("%-8g  float16 %-12g bfloat16 %-12g"):format(value, kept(value, "float16"), kept(value, "bfloat16")))
end

-- %% [markdown]
-- How far apart are neighbours? The gap between a number and the next one grows with the number.

-- %%
x, gaps = {}, { float16 = {}, bfloat16 = {}, float32 = {} }
digits = { float16 = 10, bfloat16 = 7, float32 = 23 }
for power = -14, 15 do
  x[#x + 1] = 2 ^ power
  for name, bits in pairs(digits) do
    gaps[name][#x] = 2 ^ (power - bits)
  end
end
lines = {}
for _, name in ipairs { "float16", "bfloat16", "float32" } do
  lines[#lines + 1] = { x = x, y = gaps[name], name = name }
end
pod.plot.line(lines, { x_log = true, y_log = true, x_label = "number", y_label = "gap to the next one" })

-- %% [markdown]
-- ## It goes wrong: small steps vanish
--
-- A weight of 1 is to grow by 0.001, a thousand times. In `bfloat16` the next number above 1 is 1.0078. So each step
-- is rounded away, and nothing is learned.

-- %%
function grow(dtype, first, by, steps)
  local w = pod.variable(first, { dtype = dtype })
  local step = pod.func(function()
    w:assign_add(pod.tensor(by, { dtype = dtype }))
  end)
  local values = {}
  for i = 1, steps do
    step()
    if i % 20 == 0 then
      values[#values + 1] = w:value():cast("float32"):item()
    end
  end
  return values
end
sums = {}
for _, dtype in ipairs { "float32", "float16", "bfloat16" } do
  sums[dtype] = grow(dtype, 1, 0.001, 1000)
  print(("%-8s  %g"):format(dtype, sums[dtype][#sums[dtype]]))
end
pod.plot.line(sums, { title = "1 + 1000 times 0.001", x_label = "20 steps each" })

-- %% [markdown]
-- That is why mixed precision keeps the weights in 32 bits. It rounds a *copy* for the products.

-- %%
pod.mixed_precision.set_global_policy "mixed_bfloat16"
policy = pod.mixed_precision.global_policy()
print(("computes in %s, keeps %s"):format(policy.compute_dtype, policy.variable_dtype))
layer = pod.layers.dense(4)
y = layer(pod.ones { 2, 3 })
print("weights: " .. layer:get_weights()[1].dtype .. ", result: " .. y.dtype)
pod.mixed_precision.set_global_policy "float32";

-- %% [markdown]
-- ## It goes wrong: numbers that are too large
--
-- `float16` ends at 65504. `exp(12)` is beyond, and a softmax that is written by hand gives infinity by infinity,
-- which is no number. The one in the library takes the largest away first.

-- %%
scores = pod.tensor({ 1, 5, 12 }, { dtype = "float16" })
by_hand = pod.exp(scores) / pod.exp(scores):sum()
print("by hand:      ", table.concat(by_hand:cast("float32"):totable(), " "))
print("the library's:", table.concat(pod.softmax(scores):cast("float32"):totable(), " "))

-- %% [markdown]
-- `pod.debug.nan(true)` finds the place: it names the first operation that makes infinity out of numbers, and its
-- line.

-- %% tags=["raises-exception"]
pod.debug.nan(true)
bad = pod.exp(scores) / pod.exp(scores):sum()
bad:totable()

-- %%
pod.debug.nan(false);

-- %% [markdown]
-- ## It goes wrong: gradients that are too small
--
-- The least number of `float16` above zero is about 6e-8. Many gradients are smaller. Loss scaling multiplies the loss
-- by a large number, and so all gradients; before the step they are divided by it again.

-- %%
gradients = pod.random.normal({ 20000 }, { seed = 3 }) * 1e-7
for _, scale in ipairs { 1, 2 ^ 7, 2 ^ 15 } do
  local back = (gradients * scale):cast("float16"):cast("float32") / scale
  local zeros = pod.equal(back, 0):cast("float32"):mean():item()
  print(("scale %-6d %5.1f %% of the gradients vanish"):format(scale, zeros * 100))
end

-- %%
function exponents(values)
  return pod.log(pod.abs(values) + 1e-12) / math.log(10)
end
pod.plot.histogram(exponents(gradients), { title = "Gradients: powers of ten (float16 ends at -7.2)", bins = 40,
  range = { -11, -5 } })

-- %% [markdown]
-- With `mixed_float16` the optimizer does that by itself. `bfloat16` has the range of `float32` and needs none of it.
--
-- ## It goes right: three policies beside each other

-- %%
train, test = pod.datasets.fashion_mnist()
train, test = train:take(3000):batch(100), test:take(1000):batch(500)
function train_under(policy, rate)
  pod.random.set_seed(5)
  pod.mixed_precision.set_global_policy(policy)
  local model = pod.models.sequential {
    pod.layers.dense(32, { activation = "relu", input_shape = { 784 } }),
    pod.layers.dense(10),
    pod.layers.activation("linear", { dtype = "float32" }),
  }
  model:compile { optimizer = pod.optimizers.adam { learning_rate = rate or 0.001 }, metrics = { "accuracy" },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  local history = model:fit(train, { epochs = 4, verbose = 0 }).history
  pod.mixed_precision.set_global_policy "float32"
  return history.loss, model:evaluate(test, { verbose = 0, return_dict = true }).accuracy, model
end
curves, models = {}, {}
for _, policy in ipairs { "float32", "mixed_bfloat16", "mixed_float16" } do
  local loss, accuracy, model = train_under(policy)
  curves[policy], models[policy] = loss, model
  print(("%-14s  loss %.3f, accuracy on the test %.3f"):format(policy, loss[#loss], accuracy))
end
pod.plot.line(curves, { title = "Loss", x_label = "epoch" })

-- %% [markdown]
-- The last layer gives `float32`, so the loss is computed in 32 bits. That is cheap, and a rule worth keeping.
--
-- And the memory? On a TPU activations take half. The votes stay `float32`, and so does what the loss makes of them.

-- %%
need = {}
for _, policy in ipairs { "float32", "mixed_bfloat16" } do
  local report = models[policy]:memory_report("v3", { batch = 4096 })
  need[policy] = report.temp_bytes / 2 ^ 20
end
pod.plot.bar(need, { horizontal = true, title = "Temporaries of a step of 4096 rows, MiB", height = 200 })

-- %% [markdown]
-- ## Exercises
--
-- 1. From which number on does `bfloat16` no longer count by ones? And `float16`?
-- 2. Add up ones in `bfloat16`, one after the other, and by `sum()`. Why do they differ?
-- 3. Train with weights in `bfloat16` (policy `"bfloat16"`). What do you see?
--
-- The answers are below.

-- %% [markdown]
-- ## Answers
--
-- **1.** From 256 on, and from 2048 on: then the gap is 2.

-- %%
for _, dtype in ipairs { "bfloat16", "float16" } do
  local n = 1
  while kept(n + 1, dtype) == n + 1 do
    n = n + 1
  end
  print(dtype, n)
end

-- %% [markdown]
-- **2.** One after the other stops at 256, where 1 is half a gap. `sum()` adds in 32 bits and rounds once.

-- %%
counted = grow("bfloat16", 0, 1, 400)
print("400 ones, one after the other:", counted[#counted])
print("10,000 ones by sum():", pod.ones({ 10000 }, { dtype = "bfloat16" }):sum():cast("float32"):item())

-- %% [markdown]
-- **3.** At the usual rate of 0.001 hardly anything: steps are as large as the gaps between weights. At a fiftieth of
-- it, steps vanish where weights are large, and it learns less.

-- %%
slow = {}
for _, policy in ipairs { "float32", "mixed_bfloat16", "bfloat16" } do
  slow[policy] = train_under(policy, 0.00002)
end
print(("at a rate of 0.001: %.3f in place of %.3f"):format(train_under("bfloat16")[4], curves.float32[4]))
pod.plot.line(slow, { title = "Loss at a rate of 0.00002", x_label = "epoch" })
