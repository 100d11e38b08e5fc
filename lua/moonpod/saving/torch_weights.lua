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

-- Puts the elements of a value into a weight.
local function set(weight, value)
  weight:assign(ops.cast(ops.reshape(value, weight.shape), weight.dtype), { aggregated = true })
end

-- What make and take of a weight are whose axes have another order, and then, where it is given, another shape; `order`
-- from ours to PyTorch's, from 1.
local function permuted(weight, order, shape)
  local forth, back, sizes = {}, {}, {}
  for i, from in ipairs(order) do
    forth[i], back[from], sizes[i] = from - 1, i - 1, weight.shape[from]
  end
  return function()
    return ops.reshape(ops.transpose(weight:value(), forth), shape or sizes)
  end, function(value)
    set(weight, ops.transpose(ops.reshape(value, sizes), back))
  end
end

-- A weight as it is, where the layer has it.
local function optional(add, name, weight)
  if weight then
    add(name, function()
      return weight:value()
    end, function(value)
      set(weight, value)
    end)
  end
end

-- Our kernels have places, inputs, outputs; PyTorch's outputs, inputs, places.
local function convolution(rank)
  return function(one, add)
    add("weight", permuted(one.kernel, tables.join({ rank + 2, rank + 1 }, tables.range(1, rank))))
    optional(add, "bias", one.bias)
  end
end

for rank = 1, 3 do
  modules[("Conv%dD"):format(rank)], modules[("Conv%dDTranspose"):format(rank)] = convolution(rank), convolution(rank)
end

modules.Dense = convolution(0)

-- A convolution whose groups are the channels: outputs are the channels' in turn.
local function depthwise(rank)
  return function(one, add)
    local kernel = one.kernel
    local outputs = kernel.shape[rank + 1] * kernel.shape[rank + 2]
    add("weight", permuted(kernel, tables.join({ rank + 1, rank + 2 }, tables.range(1, rank)),
      tables.join({ outputs, 1 }, tables.slice(kernel.shape, 1, rank))))
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
  add("weight", permuted(one.alpha, tables.range(1, #one.alpha.shape), { -1 }))
end

-- ---- recurrent layers -----------------------------------------------------------------------------------------------

-- The columns of gates in another order, where there is one; `order` are places, from 1.
local function gates(value, order)
  local parted = order and ops.split(value, #order, -1)
  return order and ops.concat(tables.map(order, function(from)
    return parted[from]
  end), -1) or value
end

local SWAPPED = { 2, 1, 3 } -- GRU: update, reset, new; an LSTM's gates stand as PyTorch's do

local function gate_kernel(add, name, weight, order)
  add(name, function()
    return ops.transpose(gates(weight:value(), order))
  end, function(value)
    set(weight, gates(ops.transpose(value), order))
  end)
end

-- One bias of ours is the sum of two of PyTorch's.
local function summed_bias(add, suffix, bias)
  local first
  add("bias_ih_l0" .. suffix, function()
    return bias:value()
  end, function(value)
    first = value
  end)
  add("bias_hh_l0" .. suffix, function()
    return ops.zeros_like(bias:value())
  end, function(value)
    set(bias, first and first + value or value)
  end)
end

-- The two biases of a GRU that resets after the product.
local function gru_bias(add, suffix, bias, order)
  local first
  local function row(i)
    return gates(ops.split(bias:value(), 2, 0)[i], order):reshape { -1 }
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
  local order = one.class_name == "GRU" and SWAPPED or nil
  if order and one.config.reset_after == false then
    return "PyTorch's resets after the product: reset_after = true"
  end
  gate_kernel(add, "weight_ih_l0" .. suffix, one.kernel, order)
  gate_kernel(add, "weight_hh_l0" .. suffix, one.recurrent_kernel, order)
  if one.bias and order then
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

-- make and take of one tensor that has those of several weights behind each other; parts: their makes and takes.
local function joined(parts_of)
  return function()
    return ops.concat(tables.map(parts_of, function(part)
      return part[1]()
    end), 0)
  end, function(all)
    for i, value in ipairs(ops.split(all, #parts_of, 0)) do
      parts_of[i][2](value)
    end
  end
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
  local three, biases = { query, key, value }, {}
  local kernels = tables.map(three, function(each) -- (inputs, heads, size) as (heads * size, inputs)
    return { permuted(each.kernel, { 2, 3, 1 }, { -1, each.kernel.shape[1] }) }
  end)
  if key.kernel.shape[1] == width and value.kernel.shape[1] == width then
    add("in_proj_weight", joined(kernels))
  else
    for i, name in ipairs { "q_proj_weight", "k_proj_weight", "v_proj_weight" } do
      add(name, kernels[i][1], kernels[i][2])
    end
  end
  if query.bias then
    for i, each in ipairs(three) do
      biases[i] = { permuted(each.bias, { 1, 2 }, { -1 }) }
    end
    add("in_proj_bias", joined(biases))
  end
  add("out_proj.weight", permuted(output.kernel, { 3, 1, 2 }, { width, -1 }))
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
