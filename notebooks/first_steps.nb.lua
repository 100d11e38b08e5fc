-- %% [markdown]
-- # First steps
--
-- This notebook goes from a tensor to a trained network. Run the cells from above to below. Each takes a second or
-- two.
--
-- A cell is Lua. The value of its last expression is shown, and a `;` at the end keeps it quiet.

-- %%
6 * 7

-- %% [markdown]
-- ## Tensors
--
-- `pod` is the module. A tensor has a type and a shape. Axes count from 0, as in NumPy.

-- %%
t = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }
t * 10 + 1

-- %%
t:sum(1)

-- %% [markdown]
-- Random numbers are the same in each run once a seed is set.

-- %%
pod.random.set_seed(1)
pod.plot.histogram(pod.random.normal { 20000 }, { title = "20,000 normal numbers", bins = 40 })

-- %% [markdown]
-- ## Slopes
--
-- A tape remembers what was computed, and gives the slope of a result. Here is `x^3 - 3x` with its slope `3x^2 - 3`.

-- %%
x = pod.linspace(-2, 2, 81)
tape, y = pod.tape(function(tape)
  tape:watch(x)
  return x ^ 3 - x * 3
end)
slope = tape:gradient(y, x)
pod.plot.line({ { x = x, y = y, name = "x^3 - 3x" }, { x = x, y = slope, name = "its slope" } },
  { title = "A function and its slope", x_label = "x" })

-- %% [markdown]
-- ## Data
--
-- Fashion-MNIST has pictures of clothes, 28 by 28 pixels, in ten classes. We take 8,000 of them for training and 2,000
-- for testing.

-- %%
names = { "T-shirt", "trousers", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "boot" }
train, test = pod.datasets.fashion_mnist()
train, test = train:take(8000), test:take(2000)
first = {}
for pixels, class in train:take(8):iter() do
  first[#first + 1] = { picture = pixels:reshape { 28, 28 }, name = names[class:item() + 1] }
end
pictures, labels = {}, {}
for i, one in ipairs(first) do
  pictures[i], labels[i] = one.picture, one.name
end
pod.plot.image_grid(pictures, { columns = 8, labels = labels, title = "The first eight" })

-- %% [markdown]
-- ## A model
--
-- Two layers: 64 units that look at all pixels, and ten that vote for the classes.

-- %%
model = pod.models.sequential({
  pod.layers.dense(64, { activation = "relu", input_shape = { 784 }, name = "hidden" }),
  pod.layers.dense(10, { name = "votes" }),
}, { name = "clothes" })
model:compile { optimizer = "adam", metrics = { "accuracy" },
  loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
model

-- %% [markdown]
-- `fit` trains. One pass over the data is an epoch. The bar moves while it trains.

-- %%
history = model:fit(train:shuffle(8000):batch(100), { epochs = 4, validation_data = test:batch(500) });

-- %%
history

-- %% [markdown]
-- ## What it learned
--
-- Which class is taken for which? Rows are what a picture shows, columns what the model says.

-- %%
truth = {}
votes = model:predict(test:batch(500), { verbose = 0 })
guesses = votes:argmax(-1):totable()
for _, class in test:iter() do
  truth[#truth + 1] = class:item()
end
counts = {}
for row = 1, 10 do
  counts[row] = {}
  for column = 1, 10 do
    counts[row][column] = 0
  end
end
for i, class in ipairs(truth) do
  local row = counts[class + 1]
  row[guesses[i] + 1] = row[guesses[i] + 1] + 1
end
pod.plot.confusion_matrix(counts, { labels = names, title = "2,000 pictures", width = 560 })

-- %% [markdown]
-- What does a unit look for? It has a weight for each pixel. Those of the model above began as noise, of which most is
-- still there. So here is a simpler one: ten units that begin at zero, one for each class. Bright pixels speak for the
-- class, dark ones against it.

-- %%
simple = pod.models.sequential { pod.layers.dense(10, { kernel_initializer = "zeros", input_shape = { 784 } }) }
simple:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
simple:fit(train:shuffle(8000):batch(100), { epochs = 4, verbose = 0 })
kernel = simple:get_weights()[1]
units = {}
for i = 1, 10 do
  units[i] = kernel:at((":, %d"):format(i - 1)):reshape { 28, 28 }
end
pod.plot.image_grid(units, { columns = 5, labels = names, title = "What ten units look for" })

-- %% [markdown]
-- ## Keep it
--
-- A model is kept in one file. What is loaded predicts the same, to the bit.

-- %%
path = os.tmpname() .. ".safetensors"
model:save(path)
again = pod.models.load(path)
os.remove(path)
same = again:predict(test:batch(500), { verbose = 0 }):data() == votes:data()
print("the same to the bit: " .. tostring(same))

-- %% [markdown]
-- ## Exercises
--
-- 1. Draw `sin(x)` and its slope.
-- 2. Which class does the model know best, and which least?
-- 3. Give the hidden layer 16 units. How much worse is it?
--
-- The answers are below.

-- %% [markdown]
-- ## Answers
--
-- **1.** The slope of `sin` is `cos`: the same wave, a quarter earlier.

-- %%
tape, y = pod.tape(function(tape)
  tape:watch(x)
  return pod.sin(x)
end)
pod.plot.line { { x = x, y = y, name = "sin" }, { x = x, y = tape:gradient(y, x), name = "its slope" } }

-- %% [markdown]
-- **2.** The share of each row that lies on the diagonal. Trousers are known best. Shirts are least: they look like
-- T-shirts, pullovers and coats.

-- %%
shares = {}
for i, name in ipairs(names) do
  local sum = 0
  for _, count in ipairs(counts[i]) do
    sum = sum + count
  end
  shares[name] = counts[i][i] / sum
end
pod.plot.bar(shares, { horizontal = true, title = "Share that is recognised" })

-- %% [markdown]
-- **3.** A quarter of the units costs two or three points in a hundred.

-- %%
small = pod.models.sequential { pod.layers.dense(16, { activation = "relu", input_shape = { 784 } }),
  pod.layers.dense(10) }
small:compile { optimizer = "adam", metrics = { "accuracy" },
  loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
small:fit(train:shuffle(8000):batch(100), { epochs = 4, verbose = 0 })
print(("64 units: %.3f, 16 units: %.3f"):format(
  model:evaluate(test:batch(500), { verbose = 0, return_dict = true }).accuracy,
  small:evaluate(test:batch(500), { verbose = 0, return_dict = true }).accuracy))
