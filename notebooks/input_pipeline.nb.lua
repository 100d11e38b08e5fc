-- %% [markdown]
-- # The input pipeline: find a bottleneck, and cure it
--
-- A step of training waits for its batch. If the input is slow, fast cores do nothing. This notebook builds a slow
-- pipeline, finds the stage that holds it up, and makes it fast.
--
-- What is printed here is what stays the same from run to run. For times, call `print(p)` on a profile `p`.

-- %% [markdown]
-- ## A pipeline is a chain
--
-- Each method returns a longer chain. Nothing is read before somebody asks for an element.

-- %%
pod.random.set_seed(1)
pictures = pod.datasets.fashion_mnist():take(1000)
function slow_map(x, y)
  local sum = 0
  for i = 1, 10000 do -- stands for whatever takes long: decoding, a dictionary, a file
    sum = sum + math.sin(i)
  end
  return x, y
end
slow = pictures:map(slow_map, { interpret = true }):batch(100)
function chain(dataset)
  local names = {}
  for i, stage in ipairs(dataset:stages()) do
    names[i] = tostring(stage)
  end
  return table.concat(names, " > ")
end
print(chain(slow))
slow:element_spec()

-- %% [markdown]
-- `interpret = true` runs the function as Lua, element by element. Without it, the function is traced and compiled.
--
-- ## Who waits for whom
--
-- Say that a batch takes 3 units to make, and a step takes 1. One after the other, a step takes 4. If the next batch
-- is made while the step runs, it takes 3. With three workers for the input it takes 1. This is a drawing, not a
-- measurement: 1 is input, 2 is a step.

-- %%
function draw(workers, ahead)
  local rows, ready, step_end = {}, {}, 0
  for worker = 1, workers + 1 do
    rows[worker] = {}
    for t = 1, 24 do
      rows[worker][t] = 0
    end
  end
  local free = {}
  for worker = 1, workers do
    free[worker] = 0
  end
  for batch = 1, 20 do
    local worker = (batch - 1) % workers + 1
    local begin = math.max(free[worker], ahead and 0 or step_end)
    ready[batch], free[worker] = begin + 3, begin + 3
    local start = math.max(ready[batch], step_end)
    step_end = start + 1
    for t = begin + 1, math.min(begin + 3, 24) do
      rows[worker][t] = 1
    end
    if step_end <= 24 then
      rows[workers + 1][step_end] = 2
    end
  end
  return rows
end
all, names = {}, {}
for _, one in ipairs { { 1, false, "in turn" }, { 1, true, "prefetch" }, { 3, true, "parallel" } } do
  for i, row in ipairs(draw(one[1], one[2])) do
    all[#all + 1], names[#names + 1] = row, one[3] .. (i <= one[1] and ": input" or ": step")
  end
end
pod.plot.heat_map(all, { rows = names, map = "blues", x_label = "time", title = "Input and steps", width = 640 })

-- %% [markdown]
-- ## Find it
--
-- The profiler records what each thread does, and judges.

-- %%
function new_model()
  local model = pod.models.sequential { pod.layers.dense(256, { activation = "relu", input_shape = { 784 } }),
    pod.layers.dense(256, { activation = "relu" }), pod.layers.dense(10) }
  model:compile { optimizer = "adam",
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end
model = new_model()
function profile(dataset)
  model:fit(dataset, { verbose = 0 }) -- compiles, and fills caches
  return pod.profiler.record(function()
    model:fit(dataset, { verbose = 0 })
  end)
end
function tell(p)
  print("the time of a step is spent on the " .. (p.overview.class == "host" and "input" or "model"))
  if p.overview.class == "host" then
    print("the slowest stage of the input: " .. p:bottleneck().name)
  end
end
p = profile(slow)
tell(p)

-- %% [markdown]
-- `Iterator::Batch::Transform` is the map that stands before the batch. `p.advice` says what to change, with code, and
-- what each change would bring. `p.input.stages` has the time of each stage.
--
-- ## Cure it
--
-- There are four cures. The best one is to do the work once.
--
-- **Cache.** What is the same in each epoch is computed in the first one only.

-- %%
cached = pictures:map(slow_map, { interpret = true }):cache():batch(100)
print(chain(cached))
tell(profile(cached))

-- %% [markdown]
-- **Trace.** A function of tensors needs no Lua for each element. It is compiled, applied to whole batches, or made
-- part of the model's step.

-- %%
traced = pictures:map(function(x, y)
  return x * 2 - 1, y
end):batch(100)
tell(profile(traced))

-- %% [markdown]
-- **Parallel calls.** Work that must be done each time is divided among threads. **Prefetch.** And it is done while
-- the step runs. Both leave the elements and their order as they are.

-- %%
options = { interpret = true, num_parallel_calls = pod.data.AUTOTUNE }
ahead = pictures:map(slow_map, options):batch(100):prefetch(pod.data.AUTOTUNE)
print(chain(ahead))
function first_numbers(dataset)
  local sums = {}
  for x in dataset:take(3):iter() do
    sums[#sums + 1] = ("%.1f"):format(x:cast("float32"):sum():item())
  end
  return table.concat(sums, " ")
end
print("one thread:  " .. first_numbers(slow))
print("all of them: " .. first_numbers(ahead))

-- %% [markdown]
-- ## The order of stages
--
-- A cache holds what stands before it. Before the map it is small, and the map is done in each epoch; behind it, once.
-- A shuffle before the cache is the same in each epoch, which is seldom what is wanted.

-- %%
function first_of_epochs(dataset)
  local epochs = {}
  for epoch = 1, 3 do
    local numbers = {}
    for n in dataset:iter() do
      numbers[#numbers + 1] = n:item()
    end
    epochs[epoch] = numbers
  end
  return epochs
end
numbers = pod.data.range(12)
frozen = first_of_epochs(numbers:shuffle(12, { seed = 3 }):cache())
fresh = first_of_epochs(numbers:cache():shuffle(12, { seed = 3 }))
both = { frozen[1], frozen[2], frozen[3], fresh[1], fresh[2], fresh[3] }
pod.plot.heat_map(both, { rows = { "frozen, epoch 1", "epoch 2", "epoch 3", "fresh, epoch 1", "epoch 2", "epoch 3" },
  annotate = true, title = "Shuffle before the cache, and behind it", width = 640 })

-- %% [markdown]
-- How well does a shuffle mix? A buffer of 100 moves an element by about 100 places at most towards the front.

-- %%
places = {}
for _, buffer in ipairs { 1, 100, 1000 } do
  local y = {}
  for n in pod.data.range(1000):shuffle(buffer, { seed = 5 }):iter() do
    y[#y + 1] = n:item()
  end
  places[#places + 1] = { y = y, name = "buffer of " .. buffer, mark = "points" }
end
pod.plot.scatter(places, { title = "What comes when", x_label = "place", y_label = "element" })

-- %% [markdown]
-- ## Exercises
--
-- 1. Where in the chain does `repeat_` go, before `shuffle` or behind it?
-- 2. The last batch of 1000 elements in batches of 300: how large is it, and how is it left out?
-- 3. Keep a pipeline fast: write a line for a test that fails if the input is the limit.
--
-- The answers are below.

-- %% [markdown]
-- ## Answers
--
-- **1.** Behind it. Then each epoch has each element once. Before it, epochs run into each other.

-- %%
function epochs_of(dataset)
  local counts = {}
  for n in dataset:take(6):iter() do
    counts[n:item()] = (counts[n:item()] or 0) + 1
  end
  local seen = 0
  for _ in pairs(counts) do
    seen = seen + 1
  end
  return seen
end
six = pod.data.range(6)
print("different ones among the first six:")
print("shuffle, repeat: " .. epochs_of(six:shuffle(6, { seed = 1 }):repeat_(3)))
print("repeat, shuffle: " .. epochs_of(six:repeat_(3):shuffle(18, { seed = 1 })))

-- %% [markdown]
-- **2.** 100, and `drop_remainder` leaves it out. On a TPU all batches should have one size: another size is another
-- program.

-- %%
for _, drop in ipairs { false, true } do
  local sizes = {}
  for x in pictures:batch(300, { drop_remainder = drop }):iter() do
    sizes[#sizes + 1] = x.shape[1]
  end
  print(table.concat(sizes, " "))
end

-- %% [markdown]
-- **3.** A profile has numbers, so a test can look at them.

-- %%
good = profile(pictures:cache():shuffle(1000, { seed = 1 }):batch(100):prefetch(pod.data.AUTOTUNE))
assert(good.overview.input_bound < 0.5, "the input is the limit")
print "the input is not the limit"
