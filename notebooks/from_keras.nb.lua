-- %% [markdown]
-- # From Keras and JAX to Moonpod, and back
--
-- Models travel in files. This notebook writes and reads each kind: `.keras`, `.weights.h5`, safetensors and
-- StableHLO. It needs no Python. Where Python has a part, its few lines are shown.

-- %% [markdown]
-- ## A model, in both languages
--
-- In Keras:
--
-- ```python
-- model = keras.Sequential([
--     keras.Input((8,)),
--     keras.layers.Dense(16, activation="relu"),
--     keras.layers.Dense(3),
-- ])
-- model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
-- ```
--
-- Here the names are the same, in small letters; options go into a table.

-- %%
pod.random.set_seed(1)
function new_model()
  local model = pod.models.sequential { pod.layers.input { shape = { 8 } },
    pod.layers.dense(16, { activation = "relu", name = "hidden" }), pod.layers.dense(3, { name = "votes" }) }
  model:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end
model = new_model()
pod.display(model)
x = pod.random.normal { 300, 8 }
y = x:at(":, :3"):argmax(-1):cast "int32"
history = model:fit(x, y, { epochs = 8, batch_size = 30, verbose = 0 })
pod.plot.line(history.history.loss, { title = "Loss", x_label = "epoch" })

-- %% [markdown]
-- ## Weights: `.weights.h5`
--
-- Keras' `model.load_weights("clothes.weights.h5")` reads what is written here, and the other way round. Moonpod reads
-- HDF5 by itself.

-- %%
folder = os.tmpname()
os.remove(folder)
function file(name)
  return folder .. "-" .. name
end
model:save_weights(file "m.weights.h5")
other = new_model()
before = (other:predict(x, { verbose = 0 }) - model:predict(x, { verbose = 0 })):abs():max():item()
other:load_weights(file "m.weights.h5")
after = (other:predict(x, { verbose = 0 }) - model:predict(x, { verbose = 0 })):abs():max():item()
print("the largest difference before: " .. tostring(before > 0.1 and "large" or before) .. ", after: " .. after)

-- %% [markdown]
-- What is in such a file? Weights by their place in the model.

-- %%
function show(tensors, path)
  local names = {}
  for name in pairs(tensors) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local one = tensors[name]
    if pod.is_tensor(one) then
      print(path .. name, one.dtype, tostring(one.shape))
    elseif type(one) == "table" then
      show(one, path .. name .. "/")
    end
  end
end
show(pod.data.load_hdf5(file "m.weights.h5"), "")

-- %% [markdown]
-- ## Weights: safetensors
--
-- The same weights, by names. PyTorch and JAX have libraries for such files. `style = "torch"` turns and names weights
-- as modules of `torch.nn` have them: a `Linear` has its kernel the other way round.

-- %%
model:save_weights(file "m.safetensors")
model:save_weights(file "t.safetensors", { style = "torch" })
print "Moonpod and Keras:"
show(pod.data.load_safetensors(file "m.safetensors"), "  ")
print "PyTorch:"
show(pod.data.load_safetensors(file "t.safetensors"), "  ")

-- %% [markdown]
-- ```python
-- weights = safetensors.torch.load_file("t.safetensors")
-- module.load_state_dict(weights)
-- ```
--
-- ## Architecture: JSON of Keras
--
-- A `.keras` file is an archive of a JSON text, `config.json`, and weights. The text says what the model is made of.
-- Here is what Keras writes for a model; Moonpod makes it.

-- %%
from_keras = [[{ "class_name": "Sequential", "config": { "name": "small", "layers": [
  { "class_name": "InputLayer", "config": { "batch_shape": [null, 4], "dtype": "float32", "name": "in" } },
  { "class_name": "Dense", "config": { "name": "first", "units": 6, "activation": "tanh" } },
  { "class_name": "Dropout", "config": { "name": "rest", "rate": 0.5 } },
  { "class_name": "Dense", "config": { "name": "last", "units": 1, "activation": "linear" } } ] } }]]
small = pod.models.from_json(from_keras)
small

-- %% [markdown]
-- `pod.models.load "model.keras"` does both at once, and takes the optimizer's state along. A file has no code, and
-- loading runs none: a `Lambda` layer is refused by name.
--
-- ## Programs: StableHLO
--
-- JAX, TensorFlow and PyTorch can write what they compile as StableHLO text. This is a step that JAX wrote:
--
-- ```python
-- step = jax.jit(lambda w, x: jnp.tanh(x @ w))
-- print(step.lower(w, x).as_text())
-- ```

-- %%
text = [[
module @step {
  func.func public @main(%w: tensor<8x16xf32>, %x: tensor<4096x8xf32>) -> tensor<4096x16xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x8xf32>,
      tensor<8x16xf32>) -> tensor<4096x16xf32>
    %1 = stablehlo.tanh %0 : tensor<4096x16xf32>
    return %1 : tensor<4096x16xf32>
  }
}
]]
out = io.open(file "step.mlir", "w")
out:write(text)
out:close()
advice = pod.advise(file "step.mlir", { chip = "v3" })
print(advice.verdict)
print((advice.memory:text():gsub("/%S*(step.mlir)", "%1")))

-- %% [markdown]
-- And back: `export` writes what a model predicts, for other compilers, with its weights as the first arguments.

-- %%
model:export(file "net.mlir", { batch_sizes = { 4 } })
lines = {}
for line in io.lines(file "net.mlir") do
  lines[#lines + 1] = #line > 110 and line:sub(1, 107) .. "..." or line
end
print(table.concat(lines, "\n"))

-- %% [markdown]
-- ## A program for hosts without Lua
--
-- One safetensors file with program and weights. A C program opens it by `pod_exported_open()`, without Lua.

-- %%
model:export(file "net.safetensors", { batch_sizes = { 1, 32 } })
net = pod.load_exported(file "net.safetensors")
same = net:predict(x):data() == model:predict(x, { verbose = 0 }):data()
print("the same to the bit: " .. tostring(same))
for _, name in ipairs { "m.weights.h5", "m.safetensors", "t.safetensors", "step.mlir", "net.mlir",
  "net.safetensors" } do
  os.remove(file(name))
end

-- %% [markdown]
-- ## Exercises
--
-- 1. Save the optimizer, too, and go on with a training elsewhere. Are the weights the same as without the break?
-- 2. Load weights into a model with a layer of another size. What does the message say?
-- 3. Bring the torch file back.
--
-- The answers are below.

-- %% [markdown]
-- ## Answers
--
-- **1.** `save` keeps all of it, and random numbers.

-- %%
model:save(file "m.model.safetensors")
again = pod.models.load(file "m.model.safetensors")
os.remove(file "m.model.safetensors")
a = again:fit(x, y, { epochs = 2, batch_size = 30, shuffle = false, verbose = 0 }).history.loss
b = model:fit(x, y, { epochs = 2, batch_size = 30, shuffle = false, verbose = 0 }).history.loss
print("the same losses: " .. tostring(a[1] == b[1] and a[2] == b[2]))

-- %% [markdown]
-- **2.** Nothing is loaded, and the message names each weight that differs.

-- %%
model:save_weights(file "m.safetensors")
wide = pod.models.sequential { pod.layers.input { shape = { 8 } }, pod.layers.dense(20, { name = "hidden" }),
  pod.layers.dense(3, { name = "votes" }) }
ok, message = pcall(wide.load_weights, wide, file "m.safetensors")
print((message:gsub("'[^']*(m.safetensors)'", "'%1'")))

-- %% [markdown]
-- **3.** The same option reads it.

-- %%
model:save_weights(file "t.safetensors", { style = "torch" })
back = new_model()
back:load_weights(file "t.safetensors", { style = "torch" })
print("the same to the bit: " .. tostring(back:predict(x, { verbose = 0 }):data() ==
  model:predict(x, { verbose = 0 }):data()))
os.remove(file "m.safetensors")
os.remove(file "t.safetensors");
