-- exported_models - small models of many kinds, for tests of what is exported of them.
--
--   LUA_PATH=... lua5.4 tests/lua/support/exported_models.lua DIRECTORY
--
-- writes them and what they predict for, for tests/golden/exported.py.

local pod = require "moonpod"

local exported_models = {}

-- Models of all kinds, each with what it predicts for.
exported_models.models = {
  dense = function()
    return pod.models.sequential { pod.layers.dense(16, { activation = "relu", input_shape = { 6 }, name = "first" }),
      pod.layers.dropout(0.5), pod.layers.batch_normalization(), pod.layers.dense(3, { activation = "softmax" }) },
      pod.random.normal { 35, 6 }
  end,
  convolutional = function()
    return pod.models.sequential { pod.layers.conv2d(4, 3, { activation = "relu", input_shape = { 9, 8, 2 } }),
      pod.layers.max_pooling2d(), pod.layers.flatten(), pod.layers.dense(2) }, pod.random.normal { 35, 9, 8, 2 }
  end,
  recurrent = function()
    local x = pod.layers.input { shape = { 7 }, dtype = "int32", name = "words" }
    local y = pod.layers.embedding(11, 5, { mask_zero = true })(x)
    y = pod.layers.bidirectional(pod.layers.lstm(6))(y)
    return pod.models.functional { inputs = x, outputs = pod.layers.dense(2, { name = "mood" })(y) },
      pod.random.uniform({ 35, 7 }, { minval = 0, maxval = 11, dtype = "int32" })
  end,
  attentive = function()
    local x = pod.layers.input { shape = { 5, 8 } }
    local y = pod.layers.multi_head_attention { num_heads = 2, key_dim = 4 }(x, x)
    y = pod.layers.layer_normalization()(pod.layers.add()({ x, y }))
    return pod.models.functional { inputs = x, outputs = y }, pod.random.normal { 35, 5, 8 }
  end,
  half = function()
    local model = pod.models.sequential { pod.layers.dense(16, { activation = "gelu", input_shape = { 6 },
      dtype = "mixed_bfloat16" }), pod.layers.dense(3, { dtype = "float32" }) }
    return model, pod.random.normal { 35, 6 }
  end,
  shared = function()
    local layer = pod.layers.dense(4, { activation = "tanh" })
    local a, b = pod.layers.input { shape = { 4 }, name = "left" }, pod.layers.input { shape = { 4 }, name = "right" }
    local inner = pod.models.sequential({ pod.layers.dense(3, { input_shape = { 8 } }) }, { name = "inner" })
    local joined = pod.layers.concatenate()({ layer(a), layer(layer(b)) })
    return pod.models.functional { inputs = { a = a, b = b }, outputs = { both = inner(joined), one = layer(b) } },
      { a = pod.random.normal { 35, 4 }, b = pod.random.normal { 35, 4 } }
  end,
}

exported_models.names = {}
for name in pairs(exported_models.models) do
  table.insert(exported_models.names, name)
end
table.sort(exported_models.names)

-- Some rows of a tensor, or of all tensors of a table.
function exported_models.rows(value, first, count)
  if pod.is_tensor(value) then
    return pod.slice_axis(value, 0, first, first + count)
  end
  local out = {}
  for key, part in pairs(value) do
    out[key] = exported_models.rows(part, first, count)
  end
  return out
end

-- The tensors of a value, tables in the order of their keys.
function exported_models.leaves(value)
  if pod.is_tensor(value) then
    return { value }
  end
  local keys, list = {}, {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for i, key in ipairs(keys) do
    list[i] = value[key]
  end
  return list
end

-- How far another compiler's results may be from ours: XLA rounds bfloat16 at more places.
function exported_models.tolerance(name)
  return name == "half" and { rtol = 0.03, atol = 0.02 } or { rtol = 1e-5, atol = 1e-6 }
end

-- Writes all models for five rows: NAME.mlir, NAME.safetensors with the weights, NAME.xN.npy with the inputs.
function exported_models.write(directory)
  for _, name in ipairs(exported_models.names) do
    pod.random.set_seed(11)
    local model, x = exported_models.models[name]()
    local path = ("%s/%s"):format(directory, name)
    model:export(path .. ".mlir", { batch_sizes = { 5 } })
    model:export(path .. ".safetensors", { batch_sizes = { 5 } })
    for i, value in ipairs(exported_models.leaves(exported_models.rows(x, 0, 5))) do
      pod.data.save_npy(("%s.x%d.npy"):format(path, i - 1), value)
    end
  end
end

if arg and arg[0] and arg[0]:find "exported_models%.lua$" then
  exported_models.write(assert(arg[1], "which directory?"))
end

return exported_models
