-- calls - Python's calls as Lua's: functions of Keras and its kin, Python's own, methods, and the script's functions.

local arguments = require "moonpod.port.arguments"
local builtins = require "moonpod.port.builtins"
local expressions = require "moonpod.port.expressions"
local find = require "moonpod.help.find"
local formats = require "moonpod.port.formats"
local layout = require "moonpod.port.layout"
local names = require "moonpod.port.names"
local nones = require "moonpod.port.nones"
local scopes = require "moonpod.port.scopes"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"

local calls = {}

local WHOLE, is_list = expressions.WHOLE, expressions.is_list
local TABLE = WHOLE - 1 -- a table that is written out has no fields without ( )
local call, get, one_argument, only = arguments.call, arguments.get, arguments.one, arguments.only

-- Arguments by name as a table of options, behind others.
local function with_options(port, name, pieces, options)
  local items = {}
  for _, one in ipairs(options) do
    items[#items + 1] = one[2] and not arguments.is_none(one[2]) and { one[1], " = ", port:value(one[2], 0) } or nil
  end
  if #items > 0 then
    pieces[#pieces + 1] = layout.table(items)
  end
  return { name, arguments.list(pieces) }
end

-- ---- functions that another rule writes --------------------------------------------------------------------------

local special = {}

function special.sequential(port, node)
  only(port, node, "layers name trainable")
  local layers = get(node, 1, "layers")
  return with_options(port, "pod.models.sequential", { layers and port:value(layers, 0) or "{}" },
    { { "name", get(node, 2, "name") } }), "model"
end

function special.functional(port, node)
  only(port, node, "inputs outputs name")
  return with_options(port, "pod.models.functional", {}, { { "inputs", get(node, 1, "inputs") },
    { "outputs", get(node, 2, "outputs") }, { "name", get(node, 3, "name") } }), "model"
end

function special.input(port, node)
  only(port, node, "shape batch_size dtype name input_shape")
  local shape = get(node, 1, "shape") or get(node, 1, "input_shape")
  local size, dtype, name = get(node, 2, "batch_size"), get(node, 3, "dtype"), get(node, nil, "name")
  local input = expressions.short(port, "pod.layers.input")
  if shape and not (size or dtype or name) then
    return call(input, port:value(shape, 0)), "tensor"
  end
  return with_options(port, input, {}, { { "shape", shape }, { "batch_size", size }, { "dtype", dtype },
    { "name", name } }), "tensor"
end

-- keras.layers.add([a, b]): a layer of several inputs, made and called at once.
function special.joined(port, node)
  only(port, node, "inputs axis axes normalize name")
  local name, inputs = node.func.attr or node.func.id, get(node, 1, "inputs")
  local second = ({ concatenate = "axis", dot = "axes" })[name]
  return with_options(port, expressions.short(port, "pod.layers." .. name), { port:value(inputs or node, 0) }, {
    { "axis", get(node, second == "axis" and 2, "axis") }, { "axes", get(node, second == "axes" and 2, "axes") },
    { "normalize", get(node, nil, "normalize") }, { "name", get(node, nil, "name") } }), "tensor"
end

function special.resolver(port, node)
  only(port, node, "tpu zone project")
  local tpu = get(node, 1, "tpu")
  local is_local = not tpu or arguments.is_none(tpu) or tpu.value == "" or tpu.value == "local"
  return is_local and "pod.cluster.resolve()" or call("pod.cluster.resolve",
    layout.table { { "tpu = ", port:value(tpu, 0) } }), "resolver"
end

function special.compiled(port, node)
  only(port, node, "func")
  return call("pod.func", port:value(get(node, 1, "func") or node, 0)), "function"
end

function special.shape(port, node)
  only(port, node, "x input")
  return { port:value(get(node, 1, "x") or get(node, 1, "input") or node, WHOLE), ".shape" }, "shape"
end

local function shaped(port, node, name, ...)
  local sizes = {}
  for i, one in ipairs(node.args) do
    sizes[i] = port:value(one, 0)
  end
  return call(name, layout.table(sizes), ...), "tensor"
end

function special.rand(port, node)
  return shaped(port, node, "pod.random.uniform")
end

function special.randn(port, node)
  return shaped(port, node, "pod.random.normal")
end

-- The same call with the shape {} where it has none, which is last in its order; and whether it had none.
local function with_shape(node, order)
  if get(node, #order, "size") or get(node, nil, "shape") then
    return node, false
  end
  local none = { arg = "size", value = { is = "List", elts = {}, line = node.line } }
  return tables.merge(node, { keywords = tables.join(node.keywords, { none }) }), true
end

-- A call that draws, without a size: one number.
local function one_drawn(piece)
  return { piece, ":item()" }, "number"
end

function special.randint(port, node)
  only(port, node, "low high size")
  local low, high, size = get(node, 1, "low"), get(node, 2, "high"), get(node, 3, "size")
  local bounds = { { "minval = ", high and port:value(low, 0) or "0" }, { "maxval = ", port:value(high or low, 0) },
    'dtype = "int32"' }
  if not size then
    return one_drawn(call("pod.random.uniform", "{}", layout.table(bounds)))
  end
  local shape = port:value(size, 0)
  return call("pod.random.uniform", is_list[port:kind(size)] and shape or layout.table { shape },
    layout.table(bounds)), "tensor"
end

function special.generator(port, node)
  only(port, node, "seed")
  local seed = get(node, 1, "seed")
  if not seed or arguments.is_none(seed) then
    return "pod.random", "generator"
  end
  port.needs.generator = true
  return call("generator", port:value(seed, 0)), "generator"
end

-- numpy.round(x, 2).
function special.rounded(port, node)
  only(port, node, "x a decimals")
  local x, decimals = get(node, 1, "x") or get(node, nil, "a"), get(node, 2, "decimals")
  local scale = decimals and (decimals.kind == "int" and 10 ^ tonumber(decimals.value) or 0) or 1
  if scale < 1 then
    port:refuse(node, "decimals are a number of digits behind the point here")
  elseif scale == 1 then
    return call("pod.round", port:value(x or node, 0)), "tensor"
  end
  local digits = ("%d"):format(scale)
  return { call("pod.round", call("pod.multiply", port:value(x or node, 0), digits)), " / ", digits }, "tensor", 6
end

function special.load_data(port, node)
  port:refuse(node, "write (x_train, y_train), (x_test, y_test) = ....load_data()")
end

function special.tape(port, node)
  port:refuse(node, "write with tf.GradientTape() as tape:")
end

for _, name in ipairs { "floor", "ceil", "sqrt", "log", "exp" } do
  special[name] = function(port, node)
    if #node.args ~= 1 then
      port:refuse(node, ("math.%s has one argument here"):format(name))
    end
    return call("math." .. name, port:value(node.args[1], 0)), "number"
  end
end

-- ---- methods -----------------------------------------------------------------------------------------------------

local methods = {}

-- Methods of numpy.random.default_rng(): a function here, and the order of arguments there.
local DRAWN = { normal = { "normal", "mean stddev shape" }, standard_normal = { "normal", "shape" },
  random = { "uniform", "shape" }, uniform = { "uniform", "minval maxval shape" } }

local function of_generator(port, node, base)
  local name = node.func.attr
  local drawn = DRAWN[name]
  if name == "integers" then
    return special.randint(port, node)
  elseif not drawn then
    port:refuse(node, ("nothing here is known to stand for %s of a generator"):format(name))
  end
  local order = texts.parts(drawn[2], "%S+")
  local drawing, is_one = with_shape(node, order)
  local piece = { base, ".", drawn[1], arguments.of(port, drawing, "pod.random." .. drawn[1], order) }
  if is_one then
    return one_drawn(piece)
  end
  return piece, "tensor"
end

-- What is a method of arrays there and a function here.
local function as_function(name, order)
  return function(port, node, base)
    local moved = { is = "Call", line = node.line, keywords = node.keywords,
      args = tables.join({ { is = "Raw", write = function() return base end } }, node.args) }
    return { name, arguments.of(port, moved, name, texts.parts(order, "%S+")) }, "tensor"
  end
end

methods.astype = as_function("pod.cast", "x dtype")
for _, name in ipairs { "sum", "mean", "max", "min", "std", "var", "argmax", "argmin" } do
  methods[name] = as_function("pod." .. name, "x axis keepdims")
end

local function with_sizes(name)
  return function(port, node, base)
    local sizes = {}
    for i, one in ipairs(node.args) do
      sizes[i] = port:value(one, 0)
    end
    local whole = #sizes == 1 and is_list[port:kind(node.args[1])] and sizes[1] or layout.table(sizes)
    return call(name, base, whole), "tensor"
  end
end

methods.reshape, methods.transpose = with_sizes "pod.reshape", with_sizes "pod.transpose"

function methods.flatten(_, _, base)
  return call("pod.reshape", base, "{ -1 }"), "tensor"
end

function methods.numpy(_, _, base, kind)
  if kind == "scalar" then
    return { base, ":item()" }, "number"
  end
  return base, "tensor"
end

function methods.item(_, _, base)
  return { base, ":item()" }, "number"
end

function methods.tolist(_, _, base)
  return { base, ":totable()" }, "list"
end

function methods.copy(port, node, _, kind)
  return expressions.copied(port, node.func.value, kind)
end

function methods.lower(_, _, base)
  return { base, ":lower()" }, "text"
end

function methods.upper(_, _, base)
  return { base, ":upper()" }, "text"
end

function methods.join(port, node, base)
  return call("table.concat", port:value(one_argument(port, node), 0), base), "text"
end

function methods.format(port, node)
  if node.func.value.is ~= "Constant" then
    port:refuse(node, "the text that it fills is computed")
  end
  return formats.braces(port, node), "text"
end

function methods.append(port, node, base)
  if scopes.calls(port, node.args) then -- the list may grow within the call
    return call("table.insert", base, nones.kept(port, one_argument(port, node))), "statement"
  end
  return { base, "[#", base, " + 1] = ", nones.kept(port, one_argument(port, node)) }, "statement"
end

-- logs.get("loss").
function methods.get(port, node, base)
  local key = one_argument(port, node)
  return expressions.field(port, base, key) or { base, "[", port:value(key, 0), "]" }, "unknown"
end

function methods.items(port, node)
  port:refuse(node, "write for name, value in x.items():")
end

-- optimizer.apply_gradients(zip(gradients, weights)).
function methods.apply_gradients(port, node, base)
  local pairs_of = one_argument(port, node)
  if pairs_of.is ~= "Call" or pairs_of.func.id ~= "zip" or #pairs_of.args ~= 2 then
    port:refuse(node, "write optimizer.apply_gradients(zip(gradients, weights))")
  end
  return { base, ":apply(", port:value(pairs_of.args[1], 0), ", ", port:value(pairs_of.args[2], 0), ")" }, "nothing"
end

function methods.reset_states(_, _, base)
  return { base, ":reset_state()" }, "nothing"
end

function methods.as_numpy_iterator(_, _, base)
  return base, "dataset"
end

-- self.add_variable(shape, initializer, name), add_weight: what is given by name has a place here.
function methods.add_variable(port, node, base)
  only(port, node, "shape initializer name dtype")
  local shape, name = get(node, 1, "shape"), get(node, 3, "name")
  local initializer = get(node, 2, "initializer")
  if initializer and initializer.value ~= "zeros" or not name then
    port:refuse(node, "variables of metrics have a name and begin with zeros here")
  end
  local is_one = not shape or shape.is == "Tuple" and #shape.elts == 0
  return { base, ":add_variable", arguments.list { port:value(name, 0), not is_one and port:value(shape, 0) or nil } },
    "variable"
end

-- Methods that a dataset alone has, by their names there.
local OF_DATASETS = tables.set_of {
  "batch", "prefetch", "shuffle", "map", "cache", "repeat", "padded_batch", "unbatch" }

local RESULTS = { ["model:fit"] = "history", ["model:predict"] = "tensor", ["metric:result"] = "scalar",
  ["tape:gradient"] = "list", ["strategy:reduce"] = "scalar", ["model:compute_loss"] = "scalar",
  ["dataset:cardinality"] = "number", ["model:predict_on_batch"] = "tensor",
  ["strategy:experimental_distribute_dataset"] = "dataset", ["variable:value"] = "tensor" }

local function kind_of_result(port, node, full, owner)
  if full == "model:evaluate" or full == "model:train_on_batch" or full == "model:test_on_batch" then
    local as_dict = get(node, nil, "return_dict")
    return as_dict and as_dict.value and "results" or "numbers"
  elseif RESULTS[full] then
    return RESULTS[full]
  end
  return owner == "dataset" and "dataset" or port:result_of_method(node.func.attr)
end

local OWNERS = tables.set_of { "model", "dataset", "optimizer", "metric", "strategy", "tape", "variable" }

-- A method of an object of ours.
local function of_object(port, node, base, kind)
  local name = node.func.attr
  local owner = OWNERS[kind] and kind or OF_DATASETS[name] and kind == "unknown" and "dataset"
  local full = owner and owner .. ":" .. (name == "repeat" and "repeat_" or name)
  if full and find.value(full) ~= nil then
    return { base, ":", full:match ":(.*)$", arguments.of(port, node, full, names.order(full)) },
      kind_of_result(port, node, full, owner)
  elseif owner and owner ~= "model" then
    port:refuse(node, ("%ss have no method %s here"):format(owner, name))
  end
  for _, value in ipairs(nones.has_default(port, name) and node.args or {}) do
    nones.check(port, value, "a parameter of " .. name)
  end
  return { base, ":", port:field(name), arguments.plain(port, node) }, port:result_of_method(name)
end

local is_array = { tensor = true, scalar = true, unknown = true, text = true, list = true, numbers = true, texts = true,
  variable = true }
local ALWAYS = tables.set_of { "apply_gradients", "reset_states", "as_numpy_iterator", "add_variable", "numpy" }

-- What a call of a function of the script gives: several values are a list, but where they are taken apart.
local function as_one(port, node, name, piece, kind)
  local several = port.several[name]
  if not several or node.is_spread and several == "always" then
    return piece, kind
  elseif several == "sometimes" then
    port:refuse(node, ("%s returns one value or several"):format(name))
  end
  return { "{ ", piece, " }" }, "list", TABLE
end

local function of_method(port, node)
  local name = node.func.attr
  local base, kind = port:value(node.func.value, WHOLE), port:kind(node.func.value)
  if node.func.value.is == "Constant" then
    base = { "(", base, ")" }
    if name == "join" then
      base = formats.quote(node.func.value.value)
    end
  end
  local is_self = node.func.value.is == "Name" and node.func.value.id == "self" and port:class_kind() ~= nil
  if is_self and port:method_parameters(name) then
    return as_one(port, node, name, { base, ":", port:field(name),
      arguments.of_own(port, node, port:method_parameters(name)) }, "unknown")
  elseif is_self and not port:is_method(name) and not methods[name] then -- a field that is called: a layer
    local callee = { is = "Call", func = { is = "Raw", kind = port:self_kind(name) or "layer", write = function()
      return { base, ".", port:field(name) }
    end }, args = node.args, keywords = node.keywords, line = node.line }
    return expressions.Call(port, callee)
  end
  kind = is_self and port:class_kind() or kind
  if kind == "generator" then
    return of_generator(port, node, base)
  elseif kind == "text" and not methods[name] then
    port:refuse(node, ("texts have no method %s in Lua"):format(name))
  elseif methods[name] and (is_array[kind] or ALWAYS[name] or kind == "dict" and name == "get") then
    return methods[name](port, node, base, kind)
  end
  return of_object(port, node, base, kind)
end

-- ---- all calls ---------------------------------------------------------------------------------------------------

-- Whether a literal has whole numbers alone.
local function is_whole(node)
  for _, one in ipairs(node.elts or {}) do
    if not is_whole(one) then
      return false
    end
  end
  return node.elts ~= nil and #node.elts > 0 or expressions.constant_whole(node) and true or false
end

local function of_path(port, node, path)
  local found = names.resolve(path)
  if not found or found.value then
    port:refuse(node, names.unknown(path))
  elseif found.special then
    return special[found.special](port, node)
  end
  local ours = expressions.short(port, found.name)
  if found.axis and not get(node, 2, "axis") then
    if found.axis == "none" then
      port:refuse(node, "it names no axis, and goes through all elements")
    end
    node.keywords = tables.join(node.keywords, { { arg = "axis", value = { is = "Constant", kind = "int",
      value = found.axis, line = node.line } } })
  end
  if found.whole and not get(node, 2, "dtype") and node.args[1] and is_whole(node.args[1]) then
    node.keywords = tables.join(node.keywords, { { arg = "dtype", value = { is = "Constant", kind = "str",
      value = found.whole, line = node.line } } })
  end
  if found.is_plain then
    return { ours, ' { reduction = "none" }', arguments.plain(port, node) }, "tensor"
  end
  local is_one
  if path:find "^numpy%.random%.[nur]" and found.kind == "tensor" then
    node, is_one = with_shape(node, found.order)
  end
  local piece = { ours, arguments.of(port, node, found.name, found.order) }
  if is_one then
    return one_drawn(piece)
  end
  return piece, found.kind or "unknown"
end

-- A layer or a model takes one input, or a list of them.
local function of_layer(port, node)
  local callee = port:value(node.func, WHOLE)
  if #node.args < 2 then
    return { callee, arguments.plain(port, node) }, "tensor"
  end
  local inputs = { is = "List", elts = node.args, line = node.line }
  return { callee, arguments.plain(port, { args = { inputs }, keywords = node.keywords, line = node.line }) }, "tensor"
end

local RESULT_OF_CALL = { loss = "tensor", metric = "scalar", class = "unknown" }

function expressions.Call(port, node)
  local func = node.func
  local path = expressions.path_of(port, func)
  if path then
    local piece, kind, rank = of_path(port, node, path)
    return piece, kind or "unknown", rank or WHOLE
  elseif func.is == "Attribute" then
    local piece, kind, rank = of_method(port, node)
    return piece, kind or "unknown", rank or WHOLE
  end
  local is_builtin = func.is == "Name" and not port:local_name(func.id)
  if is_builtin and builtins[func.id] then
    local piece, kind, rank = builtins[func.id](port, node)
    return piece, kind or "unknown", rank or WHOLE
  elseif is_builtin then
    port:refuse(node, ("there is no %s here"):format(func.id))
  end
  local kind = port:kind(func)
  if kind == "layer" or kind == "model" then
    local piece, found = of_layer(port, node)
    return piece, found, WHOLE
  end
  local parameters = func.is == "Name" and port:parameters(func.id)
  for _, value in ipairs(not parameters and nones.has_default(port) and node.args or {}) do
    nones.check(port, value, "a parameter of a function that is not known")
  end
  local list = parameters and arguments.of_own(port, node, parameters) or arguments.plain(port, node)
  local piece, found, rank = as_one(port, node, func.is == "Name" and func.id or "", { port:value(func, WHOLE), list },
    func.is == "Name" and port:result(func.id) or RESULT_OF_CALL[kind] or "unknown")
  return piece, found, rank or WHOLE
end

calls.special = special

return calls
