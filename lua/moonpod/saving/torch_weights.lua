-- torch_weights - weights under the names and in the layout that modules of torch.nn give them, in safetensors files.
--
-- A layer is the module of its name; what is in another is behind it: "encoder.dense.weight". Which module a layer is
-- stands in the table below; layers with weights that are none of these are named before anything is written or read.

local errors = require "moonpod.base.errors"
local file = require "moonpod.saving.file"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local torch_weights = {}

-- ---- one layer ------------------------------------------------------------------------------------------------------
--
-- modules[class](layer, add) calls add(name, make, take) for each tensor of the module: make() gives it of the layer's
-- weights, take(value) puts one of its shape into them. take = false: PyTorch has what we have not.

local modules = {}

local function value_of(weight)
  return weight:value()
end

local function set(weight, value)
  weight:assign(ops.cast(value, weight.dtype), { aggregated = true })
end

-- A weight whose axes have another order; `order` from ours to PyTorch's, from 1.
local function permuted(add, name, weight, order)
  local forth, back = {}, {}
  for i, from in ipairs(order) do
    forth[i], back[from] = from - 1, i - 1
  end
  add(name, function()
    return ops.transpose(value_of(weight), forth)
  end, function(value)
    set(weight, ops.transpose(value, back))
  end)
end

-- A weight of another shape with the same elements.
local function reshaped(add, name, weight, shape)
  add(name, function()
    return shape and ops.reshape(value_of(weight), shape) or value_of(weight)
  end, function(value)
    set(weight, ops.reshape(value, weight.shape))
  end)
end

local function optional(add, name, weight)
  if weight then
    reshaped(add, name, weight)
  end
end

-- Our kernels have places, inputs, outputs; PyTorch's outputs, inputs, places.
local function convolution(rank, first, second)
  return function(one, add)
    permuted(add, "weight", one.kernel,
      tables.join({ rank + first, rank + second }, tables.range(1, rank)))
    optional(add, "bias", one.bias)
  end
end

for rank = 1, 3 do
  modules[("Conv%dD"):format(rank)] = convolution(rank, 2, 1)
  modules[("Conv%dDTranspose"):format(rank)] = convolution(rank, 2, 1)
end

function modules.Dense(one, add)
  permuted(add, "weight", one.kernel, { 2, 1 })
  optional(add, "bias", one.bias)
end

-- A convolution whose groups are the channels: outputs are the channels' in turn.
local function depthwise(rank)
  return function(one, add)
    local kernel = one.kernel
    local channels, times, places = kernel.shape[rank + 1], kernel.shape[rank + 2], {}
    local forth, back, shape = { rank, rank + 1 }, {}, { channels * times, 1 }
    for i = 1, rank do
      places[i], forth[i + 2], shape[i + 2], back[i] = kernel.shape[i], i - 1, kernel.shape[i], i + 1
    end
    back[rank + 1], back[rank + 2] = 0, 1
    add("weight", function()
      return ops.reshape(ops.transpose(value_of(kernel), forth), shape)
    end, function(value)
      local split = { channels, times }
      for i = 1, rank do
        split[i + 2] = places[i]
      end
      set(kernel, ops.transpose(ops.reshape(value, split), back))
    end)
    optional(add, "bias", one.bias)
  end
end

modules.DepthwiseConv1D, modules.DepthwiseConv2D = depthwise(1), depthwise(2)

function modules.BatchNormalization(one, add)
  if (one.gamma == nil) ~= (one.beta == nil) then
    return "PyTorch's has both scale and center, or neither"
  end
  optional(add, "weight", one.gamma)
  optional(add, "bias", one.beta)
  optional(add, "running_mean", one.moving_mean)
  optional(add, "running_var", one.moving_variance)
  add("num_batches_tracked", function()
    return tensor.new(0, { dtype = "int64" })
  end, false)
end

local function normalization(one, add)
  optional(add, "weight", one.gamma)
  optional(add, "bias", one.beta)
end

modules.LayerNormalization, modules.GroupNormalization = normalization, normalization

function modules.RMSNormalization(one, add)
  optional(add, "weight", one.scale)
end

function modules.Embedding(one, add)
  optional(add, "weight", one.embeddings)
end

function modules.PReLU(one, add)
  reshaped(add, "weight", one.alpha, { -1 })
end

-- ---- recurrent layers -----------------------------------------------------------------------------------------------

-- The columns of gates in another order; `order` are places, from 1.
local function gates(value, order)
  local parted = ops.split(value, #order, -1)
  return ops.concat(tables.map(order, function(from)
    return parted[from]
  end), -1)
end

local IN_ORDER, SWAPPED = { 1, 2, 3, 4 }, { 2, 1, 3 } -- LSTM: input, forget, cell, output; GRU: update, reset, new

local function gate_kernel(add, name, weight, order)
  add(name, function()
    local value = value_of(weight)
    return ops.transpose(order and gates(value, order) or value)
  end, function(value)
    value = ops.transpose(value)
    set(weight, order and gates(value, order) or value)
  end)
end

-- One bias of ours is the sum of two of PyTorch's.
local function summed_bias(add, suffix, bias)
  local first
  add("bias_ih_l0" .. suffix, function()
    return value_of(bias)
  end, function(value)
    first = value
  end)
  add("bias_hh_l0" .. suffix, function()
    return ops.zeros_like(value_of(bias))
  end, function(value)
    set(bias, first and first + value or value)
  end)
end

-- The two biases of a GRU that resets after the product.
local function gru_bias(add, suffix, bias, order)
  local first
  local function row(i)
    return gates(ops.split(value_of(bias), 2, 0)[i], order):reshape { -1 }
  end
  add("bias_ih_l0" .. suffix, function()
    return row(1)
  end, function(value)
    first = gates(value, order)
  end)
  add("bias_hh_l0" .. suffix, function()
    return row(2)
  end, function(value)
    set(bias, ops.stack({ first or gates(row(1), order), gates(value, order) }, 0))
  end)
end

local function recurrent(one, add, suffix)
  local config, order = one.config, one.class_name == "GRU" and SWAPPED or one.class_name == "LSTM" and IN_ORDER or nil
  if one.class_name == "GRU" and config.reset_after == false then
    return "PyTorch's resets after the product: reset_after = true"
  end
  gate_kernel(add, "weight_ih_l0" .. suffix, one.kernel, order)
  gate_kernel(add, "weight_hh_l0" .. suffix, one.recurrent_kernel, order)
  if one.bias and one.class_name == "GRU" then
    gru_bias(add, suffix, one.bias, order)
  elseif one.bias then
    summed_bias(add, suffix, one.bias)
  end
end

local function one_way(one, add)
  return recurrent(one, add, "")
end

modules.LSTM, modules.GRU, modules.SimpleRNN = one_way, one_way, one_way

function modules.Bidirectional(one, add)
  local class = one.forward_layer.class_name
  if class ~= "LSTM" and class ~= "GRU" and class ~= "SimpleRNN" then
    return "PyTorch has one of LSTM, GRU and SimpleRNN"
  end
  return recurrent(one.forward_layer, add, "") or recurrent(one.backward_layer, add, "_reverse")
end

-- ---- attention ------------------------------------------------------------------------------------------------------

-- A projection of ours, (inputs, heads, size), as PyTorch's (heads * size, inputs).
local function flat(kernel)
  local value = value_of(kernel)
  return ops.transpose(ops.reshape(value, { value.shape[1], -1 }))
end

local function take_flat(kernel, value)
  set(kernel, ops.reshape(ops.transpose(value), kernel.shape))
end

function modules.MultiHeadAttention(one, add)
  local query, key, value, output = one._query, one._key, one._value, one._output
  local width = query.kernel.shape[2] * query.kernel.shape[3]
  if one._gate then
    return "PyTorch's has no gate"
  elseif query.kernel.shape[1] ~= width or value.kernel.shape[3] ~= query.kernel.shape[3]
    or output.kernel.shape[3] ~= width then
    return "PyTorch's heads have the query's size together: num_heads * key_dim, value_dim and output_shape must fit it"
  end
  local three = { query, key, value }
  if key.kernel.shape[1] == width and value.kernel.shape[1] == width then
    add("in_proj_weight", function()
      return ops.concat({ flat(query.kernel), flat(key.kernel), flat(value.kernel) }, 0)
    end, function(all)
      for i, part in ipairs(ops.split(all, 3, 0)) do
        take_flat(three[i].kernel, part)
      end
    end)
  else
    for i, name in ipairs { "q_proj_weight", "k_proj_weight", "v_proj_weight" } do
      add(name, function()
        return flat(three[i].kernel)
      end, function(all)
        take_flat(three[i].kernel, all)
      end)
    end
  end
  if query.bias then
    add("in_proj_bias", function()
      return ops.concat(tables.map(three, function(each)
        return ops.reshape(value_of(each.bias), { -1 })
      end), 0)
    end, function(all)
      for i, part in ipairs(ops.split(all, 3, 0)) do
        set(three[i].bias, ops.reshape(part, three[i].bias.shape))
      end
    end)
  end
  add("out_proj.weight", function()
    return ops.transpose(ops.reshape(value_of(output.kernel), { -1, width }))
  end, function(all)
    set(output.kernel, ops.reshape(ops.transpose(all), output.kernel.shape))
  end)
  optional(add, "out_proj.bias", output.bias)
end

-- ---- models ---------------------------------------------------------------------------------------------------------

-- The tensors of a model: an array of { name, make, take }. Raises for layers that are no module.
local function entries_of(model, where)
  local list, problems, used = {}, {}, {}
  local function visit(one, path, seen)
    if seen[one] then
      return
    end
    seen[one] = true
    local describe, problem = modules[one.class_name], nil
    if describe then
      problem = describe(one, function(name, make, take)
        list[#list + 1] = { name = path .. "." .. name, make = make, take = take, path = path .. "/" .. name }
      end)
    elseif #parts.own_variables(one) > 0 then
      problem = "there is no module of torch.nn with its weights"
    else
      for _, sub in ipairs(one:sublayers()) do
        visit(sub, path == "" and sub.name or path .. "." .. sub.name, seen)
      end
    end
    if problem then
      problems[#problems + 1] = ("  %s '%s': %s"):format(one.class_name, tostring(one.name), problem)
    end
  end
  visit(model, "", {})
  for _, entry in ipairs(list) do
    if used[entry.name] then
      problems[#problems + 1] = ("  two layers are named '%s'"):format(entry.name:match "^(.*)%.[^.]*$")
    end
    used[entry.name] = true
  end
  if #problems > 0 then
    errors.raise("%s: '%s' has layers that have no weights in PyTorch's style:\n%s", where, tostring(model.name),
      table.concat(problems, "\n"))
  end
  return list
end

-- model:save_weights(path, { style = "torch" })
function torch_weights.write(model, path, options)
  local list = tables.map(entries_of(model, "save_weights"), function(entry)
    return { entry.name, entry.make() }
  end)
  return file.write(path, { tensors = list, metadata = { format = "pt" } }, { background = options.background })
end

-- model:load_weights(path, { style = "torch" }): see file_kinds.
function torch_weights.read(model, path)
  local read, entries, tensors = file.read(path), {}, {}
  local path_of = {}
  for _, entry in ipairs(entries_of(model, "load_weights")) do
    path_of[entry.name] = entry.take and entry.path or false
    if entry.take then
      local now = entry.make()
      entries[#entries + 1] = { path = entry.path, variable = { shape = now.shape, dtype = now.dtype,
        assign = function(_, value)
          entry.take(value)
        end } }
    end
  end
  for name, value in pairs(read.tensors) do
    local known = path_of[name]
    tensors[known or known == nil and name:gsub("%.([^.]*)$", "/%1") or name] = known ~= false and value or nil
  end
  return entries, tensors, {}
end

return torch_weights
