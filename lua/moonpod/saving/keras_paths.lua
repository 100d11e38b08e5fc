-- keras_paths - the names of variables in Keras' .weights.h5: where a walk through a model's attributes comes to them,
-- "layers/dense_1/vars/0" (keras/src/saving/saving_lib.py, _save_state).
--
-- Of a layer, "vars" has its own variables, those that train first. What is below it stands behind the attribute that
-- has it: attributes come in the order of their names, private ones last, and what was met before does not come again.
-- The layers of a list are named by their classes: "dense", "dense_1".

local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local optimizer_class = require "moonpod.optimizers.optimizer"
local parts = require "moonpod.layers.parts"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local vocabulary = require "moonpod.layers.vocabulary"

local keras_paths = {}

-- Fields of layers and models that are no attributes of Keras' which have layers.
local SKIPPED = { config = true, name = true, dtype_policy = true, input_spec = true, inputs = true, outputs = true,
  optimizer = true, loss = true, metrics = true, history = true }

-- Classes that have another name in Keras.
local CLASSES = { GroupQueryAttention = "GroupedQueryAttention" }

-- Layers whose variables Keras keeps in a layer within.
local CELLS = { SimpleRNN = true, LSTM = true, GRU = true, ConvLSTM1D = true, ConvLSTM2D = true, ConvLSTM3D = true }

-- The layers within that attention has in Keras, by the first part of our names.
local PROJECTIONS = {
  MultiHeadAttention = { query = "query_dense", key = "key_dense", value = "value_dense",
    attention_output = "output_dense", gate = "_gate_dense" },
  GroupQueryAttention = { query = "_query_dense", key = "_key_dense", value = "_value_dense",
    attention_output = "_output_dense", gate = "_gate_dense" },
}

local function join(path, name)
  return path == "" and name or path .. "/" .. name
end

local function snake_case(one)
  return names.snake_case(CLASSES[one.class_name] or one.class_name)
end

-- The part of a variable's name behind that of its layer: "query/kernel".
local function own_name(one, weight)
  local prefix = one.name .. "/"
  return weight.name:sub(1, #prefix) == prefix and weight.name:sub(#prefix + 1) or weight.name
end

-- A layer's own variables by the place within it where Keras has them: an array of { place, variables }.
local function own_groups(one)
  local groups, by_place = {}, {}
  local within = PROJECTIONS[one.class_name]
  local function add(weight)
    local first = within and own_name(one, weight):match "^([^/]+)/"
    local place = CELLS[one.class_name] and "cell" or first and within[first] or ""
    if not by_place[place] then
      by_place[place] = { place = place }
      groups[#groups + 1] = by_place[place]
    end
    table.insert(by_place[place], weight)
  end
  local added = {}
  for _, trainable in ipairs { true, false } do
    for _, weight in ipairs(parts.own_variables(one)) do
      if weight.trainable == trainable and not added[weight] and not weight.is_state then -- Keras keeps none in files
        added[weight] = true
        add(weight)
      end
    end
  end
  return groups
end

-- Private attributes come last.
local function sort_key(name)
  return name:sub(1, 1) == "_" and "~" .. name or name
end

-- The attributes with layers of a layer: an array of { name, layer or list }.
local function attributes(one)
  local list = {}
  for key, value in pairs(one) do
    if type(key) == "string" and key ~= "_state" and not SKIPPED[key] and type(value) == "table"
      and (parts.is_layer(value) or readable.is_plain(value)) then
      list[#list + 1] = { key, value }
    end
  end
  if one._state.is_model then
    list[#list + 1] = { "layers", one:sublayers() }
  end
  table.sort(list, function(a, b)
    return sort_key(a[1]) < sort_key(b[1])
  end)
  return list
end

local visit

-- Lists that hold themselves are gone through once.
local function visit_list(list, path, found, seen)
  if seen[list] then
    return
  end
  seen[list] = true
  local used = {}
  for _, item in ipairs(list) do
    if parts.is_layer(item) then
      visit(item, join(path, names.unique(snake_case(item), used)), found, seen)
    elseif readable.is_plain(item) then
      visit_list(item, join(path, names.unique("container", used)), found, seen)
    end
  end
end

function visit(one, path, found, seen)
  if seen[one] then
    return
  end
  seen[one] = true
  found.names[join(path, "vars")] = one.name
  for _, group in ipairs(own_groups(one)) do
    local place = join(group.place == "" and path or join(path, group.place), "vars")
    for i, weight in ipairs(group) do
      found[#found + 1] = { path = join(place, i - 1), variable = weight, layer = one,
        shown = ("%s (%s)/%s"):format(place, tostring(one.name), own_name(one, weight):gsub("/", ".")) }
    end
  end
  if one.class_name == "Normalization" and one.mean then -- what Keras counts there it never reads
    found[#found + 1] = { path = join(join(path, "vars"), 2), constant = tensor.new(0, { dtype = "int32" }) }
  end
  if one.class_name == "IntegerLookup" and one.config.output_mode == "tf_idf" then
    found[#found + 1] = { path = join(path, "vars/idf_weights"), constant = tensor.new(vocabulary.weights(one)) }
  end
  if one._state.layers then -- of sequential and functional models
    visit_list(one._state.layers, join(path, "layers"), found, seen)
  end
  for _, attribute in ipairs(attributes(one)) do
    local name, value = attribute[1], attribute[2]
    if parts.is_layer(value) then
      visit(value, join(path, name), found, seen)
    else
      visit_list(value, join(path, name), found, seen)
    end
  end
end

-- The variables of a model with Keras' paths: an array of { path =, variable = or constant =, layer =, shown = }; in
-- field `names` the layers' names by the path of their variables, "layers/dense/vars".
function keras_paths.of(model)
  local found = { names = {} }
  visit(model, "", found, {})
  return found
end

-- ---- optimizers -------------------------------------------------------------------------------------------------

-- The slots that Keras makes for all weights before it goes on to the next; those that are not named come last,
-- together.
local BEFORE = { { "average" }, { "gradient_accumulator" } }
local GROUPS = {
  rmsprop = { { "velocity" }, { "momentum" }, { "average_gradient" } },
  adam = { { "momentum", "velocity" }, { "velocity_hat" } },
  adamw = { { "momentum", "velocity" }, { "velocity_hat" } },
  adafactor = { { "row", "column", "velocity" } },
}

-- What Keras has and we have not: the slots of adafactor that a weight does not use.
local function unused_slot(name, weight)
  if name == "velocity" then
    return ops.zeros(weight.shape, { dtype = weight.dtype })
  end
  return tensor.new(0, { dtype = "int32" })
end

local function slot_groups(one)
  local given = GROUPS[one.spec.name]
    or { tables.column(optimizer_class.slots_of(one.spec, one.config, { 1, 1 }), 1) }
  return tables.join(BEFORE, given)
end

-- The variables of an optimizer in Keras' order: an array of variables and, where Keras has more, tensors.
local function variables_of(one)
  local list, slots = { one.iterations }, one._state.slots
  local rate = one.variables[2]
  if rate and rate.name == one.name .. "/learning_rate" then
    list[2] = rate
  end
  for _, group in ipairs(one.built and slot_groups(one) or {}) do
    for _, weight in ipairs(one.weights) do
      for _, name in ipairs(group) do
        local slot = slots[weight][name]
        if slot or one.spec.name == "adafactor" and group[3] then
          list[#list + 1] = slot or unused_slot(name, weight)
        end
      end
    end
  end
  for _, entry in ipairs(one.built and one.spec.scalars or {}) do
    list[#list + 1] = one[entry[1]]
  end
  return list
end

local function add_all(found, path, list)
  for i, one in ipairs(list) do
    local is_tensor = tensor.is(one)
    found[#found + 1] = { path = path .. "/vars/" .. i - 1, variable = not is_tensor and one or nil,
      constant = is_tensor and one or nil, optimizer = true, shown = path .. "/" .. (is_tensor and i - 1 or one.name) }
  end
end

-- The variables of a model's optimizer, as above. Around another, an optimizer has the other's variables, too.
function keras_paths.of_optimizer(optimizer)
  local found = { names = { ["optimizer/vars"] = optimizer.name } }
  local inner = rawget(optimizer, "inner")
  if not inner then
    add_all(found, "optimizer", variables_of(optimizer))
    return found
  end
  local within = variables_of(inner)
  local list = { inner.iterations, within[2] ~= nil and within[2] or nil, optimizer.step_counter,
    optimizer.dynamic_scale }
  tables.extend(list, within)
  add_all(found, "optimizer", list)
  add_all(found, "optimizer/inner_optimizer", within)
  found.names["optimizer/inner_optimizer/vars"] = inner.name
  return found
end

return keras_paths
