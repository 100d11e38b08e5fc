-- expressions - Python's expressions as Lua's. Each gives a piece of text, what kind of value it is as far as that is
-- known ("number", "text", "tensor", "dataset", "layer" ...), and how tightly its outermost operator binds.

local arguments = require "moonpod.port.arguments"
local formats = require "moonpod.port.formats"
local layout = require "moonpod.port.layout"
local names = require "moonpod.port.names"
local nones = require "moonpod.port.nones"
local scopes = require "moonpod.port.scopes"
local tables = require "moonpod.base.tables"

local expressions = {}

-- How tightly Lua's operators bind.
local OR, AND, COMPARE, JOIN, ADD, MULTIPLY, UNARY, POWER, WHOLE = 1, 2, 3, 4, 5, 6, 7, 8, 9

expressions.WHOLE = WHOLE

-- Kinds that are lists: of anything, of numbers, of texts.
local is_list = { list = true, numbers = true, texts = true }

expressions.is_list = is_list

local is_tensor = { tensor = true, scalar = true, variable = true }

-- ---- constants, names, fields --------------------------------------------------------------------------------

function expressions.Constant(port, node)
  if node.kind == "NoneType" then
    return "nil", "nothing", WHOLE
  elseif node.kind == "bool" then
    return tostring(node.value), "boolean", WHOLE
  elseif node.kind == "str" then
    return formats.quote(node.value), "text", WHOLE
  elseif node.kind == "int" and node.value:find "^0[bo]" or node.kind ~= "int" and node.kind ~= "float" then
    port:refuse(node, "Lua has no such constant")
  end
  return (node.value:gsub("^%.", "0."):gsub("%.$", ".0"):gsub("%.e", ".0e")), "number", WHOLE
end

-- The dotted path of a name or a field as Python imported it, or nil.
local function path_of(port, node)
  if node.is == "Name" then
    return not port:local_name(node.id) and port.aliases[node.id] or nil
  elseif node.is == "Attribute" then
    local above = path_of(port, node.value)
    return above and above .. "." .. node.attr
  end
end

expressions.path_of = path_of

-- A name of ours, by the script's own name for its part where it has one: layers.dense.
local function short(port, name)
  local part, member = name:match "^(pod%.[%w_]+)%.([%w_]+)$"
  return part and port.parts[part] and port.parts[part] .. "." .. member or name
end

expressions.short = short

local function of_path(port, node, path)
  if path == "sys.argv" then
    return "arg", "list", WHOLE
  elseif names.part(path) then
    return short(port, names.part(path)), "part", WHOLE
  end
  local found = names.resolve(path)
  if not found or found.special then
    port:refuse(node, names.unknown(path))
  elseif found.value then
    return found.value, found.value:find '^"' and "text" or "number", WHOLE
  end
  return short(port, found.name), "function", WHOLE
end

-- Python's own types as types of elements; its other functions are no values here.
local TYPES = { int = '"int64"', float = '"float64"', bool = '"bool"' }
local FUNCTIONS = tables.set_of { "abs", "all", "any", "dict", "enumerate", "filter", "isinstance", "len", "list",
  "map", "max", "min", "open", "print", "range", "reversed", "round", "sorted", "str", "sum", "tuple", "zip" }

function expressions.Name(port, node)
  local path = path_of(port, node)
  if path then
    return of_path(port, node, path)
  end
  local name, kind = port:local_name(node.id)
  if not name and TYPES[node.id] then
    return TYPES[node.id], "text", WHOLE
  elseif not name and FUNCTIONS[node.id] then
    port:refuse(node, ("there is no %s here that could be a value"):format(node.id))
  end
  return name or port:lua_name(node.id), kind or "unknown", WHOLE
end

local KIND_OF_FIELD = { shape = "shape", num_replicas_in_sync = "number", class_names = "list", name = "text",
  history = "histories", ndim = "number" }

function expressions.Attribute(port, node)
  local path = path_of(port, node)
  if path then
    return of_path(port, node, path)
  end
  local base, kind = port:value(node.value, WHOLE), port:kind(node.value)
  if node.attr == "T" then
    return { "pod.transpose(", base, ")" }, "tensor", WHOLE
  elseif node.attr == "ndim" then
    return { "#", base, ".shape" }, "number", UNARY
  elseif node.attr == "size" and is_tensor[kind] then
    port:refuse(node, "tensors have no field size here")
  end
  local full = node.value.is == "Name" and node.value.id == "self" and port:self_kind(node.attr)
  return { base, ".", port:field(node.attr) }, full or KIND_OF_FIELD[node.attr] or "unknown", WHOLE
end

-- ---- tables ----------------------------------------------------------------------------------------------------

-- None is a size that is not known, where a list is an argument of ours.
local function list(port, node)
  local items, is_numbers, is_texts = {}, true, true
  for i, one in ipairs(node.elts) do
    if one.is == "Starred" then
      port:refuse(one, "it unpacks a list")
    end
    one.is_option = node.is_option
    local is_size = node.is_option and arguments.is_none(one)
    local kind = is_size and "number" or port:kind(one)
    is_numbers, is_texts = is_numbers and kind == "number", is_texts and kind == "text"
    items[i] = is_size and "-1" or nones.kept(port, one)
  end
  local kind = #items > 0 and (is_numbers and "numbers" or is_texts and "texts")
  return layout.table(items), kind or "list", WHOLE
end

expressions.List, expressions.Tuple = list, list

function expressions.Dict(port, node)
  local items = {}
  for i, key in ipairs(node.keys) do
    if type(key) ~= "table" or #node.keys ~= #node.values then
      port:refuse(node, "it unpacks a dictionary")
    end
    port.found_numbered = port.found_numbered or port:kind(key) ~= "text" and not node.is_option
    local name = key.is == "Constant" and key.kind == "str" and port.key(key.value) or { "[", port:value(key, 0), "]" }
    node.values[i].is_option = node.is_option
    items[i] = { name, " = ", (node.is_option and port.value or nones.kept)(port, node.values[i], 0) }
  end
  return layout.table(items), "dict", WHOLE
end

-- [f(x) for x in list], as a function that is called.
function expressions.ListComp(port, node)
  local one = node.generators[1]
  if #node.generators > 1 then
    port:refuse(node, "it has two loops in one")
  end
  local target = { is = "Name", id = "list" }
  local add = { is = "Raw", parts = { node.elt }, write = function()
    return { "list[#list + 1] = ", nones.kept(port, node.elt) }
  end }
  local body = { add }
  for _, test in ipairs(one.ifs) do
    body = { { is = "If", test = test, body = body, orelse = {}, line = node.line, last = node.last, is_inner = true } }
  end
  local lines = port:inner_block({ { is = "For", target = one.target, iter = one.iter, body = body, orelse = {},
    line = node.line, last = node.last, is_inner = true } }, { [target.id] = "list" })
  table.insert(lines, 1, "local list = {}")
  lines[#lines + 1] = "return list"
  return { "(", { head = "function()", body = lines, tail = "end" }, ")()" }, "list", WHOLE
end

expressions.GeneratorExp = expressions.ListComp

-- { key: value for x in list }, the same way.
function expressions.DictComp(port, node)
  local one = node.generators[1]
  if #node.generators > 1 or #one.ifs > 0 then
    port:refuse(node, "it has two loops, or a condition, in one")
  end
  local add = { is = "Raw", is_keyed = true, parts = { node.key, node.value }, write = function()
    port.found_numbered = port.found_numbered or port:kind(node.key) ~= "text"
    return { "dict[", port:value(node.key, 0), "] = ", nones.kept(port, node.value) }
  end }
  local lines = port:inner_block({ { is = "For", target = one.target, iter = one.iter, body = { add }, orelse = {},
    line = node.line, last = node.last, is_inner = true } }, { dict = "dict" })
  table.insert(lines, 1, "local dict = {}")
  lines[#lines + 1] = "return dict"
  return { "(", { head = "function()", body = lines, tail = "end" }, ")()" }, "dict", WHOLE
end

-- A whole number that is written out, or nil.
local function constant_whole(node)
  local negative = node.is == "UnaryOp" and node.op.is == "USub"
  local one = negative and node.operand or node
  local number = one.is == "Constant" and one.kind == "int" and tonumber(one.value)
  return number and (negative and -number or number)
end

expressions.constant_whole = constant_whole

-- ---- operators -------------------------------------------------------------------------------------------------

local ARITHMETIC = { Add = { "+", ADD }, Sub = { "-", ADD }, Mult = { "*", MULTIPLY }, Div = { "/", MULTIPLY },
  Mod = { "%", MULTIPLY } }

local function kind_of_both(left, right)
  return (is_tensor[left] or is_tensor[right]) and "tensor" or left == "number" and right == "number" and "number"
    or "unknown"
end

local function is_text(node)
  return node.is == "Constant" and node.kind == "str"
end

-- Refuses a variable on the left of a call that may change it: Python has read it before, Lua reads it behind the call.
local function keeps_order(port, left, right)
  local name = left.is == "Name" and left.id
  if name and scopes.is_changed_within(port.tree, name) and scopes.calls(port, right) then
    port:refuse(left, ("a call behind %s may change it; write the call before"):format(name))
  end
end

function expressions.BinOp(port, node)
  keeps_order(port, node.left, node.right)
  local op = node.op.is
  if op == "Mod" and is_text(node.left) then
    return formats.percent(port, node), "text", WHOLE
  end
  local left, right = port:kind(node.left), port:kind(node.right)
  local kind = kind_of_both(left, right)
  if op == "Add" and (left == "text" or right == "text") then
    return { port:value(node.left, JOIN + 1), " .. ", port:value(node.right, JOIN) }, "text", JOIN
  elseif op == "Mult" and left == "text" and (right == "number" or right == "unknown") then
    return { is_text(node.left) and { "(", port:value(node.left, 0), ")" } or port:value(node.left, WHOLE), ":rep(",
      port:value(node.right, 0), ")" }, "text", WHOLE
  elseif (is_list[left] or is_list[right]) and not is_tensor[kind] then
    port:refuse(node, "lists are joined or repeated")
  elseif op == "FloorDiv" and kind ~= "tensor" then
    return { "math.floor(", port:value(node.left, MULTIPLY), " / ", port:value(node.right, MULTIPLY + 1), ")" },
      "number", WHOLE
  elseif op == "Pow" and constant_whole(node.left) and (constant_whole(node.right) or -1) >= 0 then
    return ("%.0f"):format(constant_whole(node.left) ^ constant_whole(node.right)), "number", WHOLE
  elseif op == "Pow" then
    return { port:value(node.left, POWER + 1), " ^ ", port:value(node.right, POWER) }, kind, POWER
  elseif op == "MatMult" then
    return { "pod.matmul(", port:value(node.left, 0), ", ", port:value(node.right, 0), ")" }, "tensor", WHOLE
  elseif not ARITHMETIC[op] then
    port:refuse(node, ("the operator %s is not ported for such values"):format(op))
  end
  local sign, rank = ARITHMETIC[op][1], ARITHMETIC[op][2]
  return { port:value(node.left, rank), " ", sign, " ", port:value(node.right, rank + 1) }, kind, rank
end

local OPPOSITE = { Eq = "NotEq", NotEq = "Eq", Is = "IsNot", IsNot = "Is" }

function expressions.UnaryOp(port, node)
  local op, kind = node.op.is, port:kind(node.operand)
  if op == "USub" then
    local least = node.operand.is == "UnaryOp" and WHOLE or UNARY -- "--" begins a comment
    return { "-", port:value(node.operand, least) }, is_tensor[kind] and "tensor" or kind, UNARY
  elseif op == "UAdd" then
    return port:translate(node.operand)
  elseif op == "Not" and OPPOSITE[node.operand.is == "Compare" and node.operand.ops[1].is] then
    return port:translate { is = "Compare", left = node.operand.left, comparators = node.operand.comparators,
      ops = { { is = OPPOSITE[node.operand.ops[1].is] } }, line = node.line, is_condition = node.is_condition }
  elseif op == "Not" and not is_tensor[kind] then
    return { "not ", port:condition(node.operand, UNARY) }, "boolean", UNARY
  end
  port:refuse(node, ("the operator %s is not ported for such values"):format(op))
end

-- `and` and `or` give one of the values in both, but which values are false differs: only what is true or false is
-- ported here. Where a condition stands, Port:condition asks each value.
function expressions.BoolOp(port, node)
  for _, one in ipairs(node.values) do
    if port:kind(one) ~= "boolean" then
      port:refuse(node, "and, or of values that are not true or false; write a if b else c")
    end
  end
  return port:condition(node, 0), "boolean", expressions.rank_of_bool[node.op.is]
end

expressions.rank_of_bool = { And = AND, Or = OR }

local COMPARISONS = { Lt = { "<", "less" }, LtE = { "<=", "less_equal" }, Gt = { ">", "greater" },
  GtE = { ">=", "greater_equal" }, Eq = { "==", "equal" }, NotEq = { "~=", "not_equal" }, Is = { "==" },
  IsNot = { "~=" } }

function expressions.Compare(port, node)
  local sign = COMPARISONS[node.ops[1].is]
  if #node.ops > 1 or not sign then
    port:refuse(node, ("the comparison %s is not ported"):format(#node.ops > 1 and "of three values" or node.ops[1].is))
  end
  local right = node.comparators[1]
  keeps_order(port, node.left, right)
  for _, one in ipairs { node.left, right } do
    if is_list[port:kind(one)] or port:kind(one) == "dict" or port:kind(one) == "shape" then
      port:refuse(node, "it compares lists")
    end
  end
  if kind_of_both(port:kind(node.left), port:kind(right)) == "tensor" and sign[2] then
    return { "pod.", sign[2], "(", port:value(node.left, 0), ", ", port:value(right, 0), ")" }, "tensor", WHOLE
  end
  local is_unknown = port:kind(node.left) == "unknown" or port:kind(right) == "unknown"
  if is_unknown and not node.is_condition and (node.ops[1].is == "Eq" or node.ops[1].is == "NotEq") then
    port.needs.equal = true
    return { "equal(", layout.list { port:value(node.left, 0), port:value(right, 0),
      node.ops[1].is == "NotEq" and "false" or nil }, ")" }, "unknown", WHOLE
  end
  return { port:value(node.left, COMPARE + 1), " ", sign[1], " ", port:value(right, COMPARE + 1) }, "boolean", COMPARE
end

local NEVER_FALSE = { text = true, number = true, list = true, numbers = true, texts = true, dict = true, tensor = true,
  layer = true, model = true,
  dataset = true, optimizer = true, loss = true, metric = true, callback = true }

function expressions.IfExp(port, node)
  local kind = port:kind(node.body)
  local other = port:kind(node.orelse)
  local both = kind == other and kind or "unknown"
  if NEVER_FALSE[kind] then
    return { port:condition(node.test, AND), " and ", port:value(node.body, AND + 1), " or ",
      port:value(node.orelse, OR + 1) }, both, OR
  end
  return { "(", { head = "function()", body = { { head = { "if ", port:condition(node.test, 0), " then" },
    body = { { "return ", port:value(node.body, 0) } }, tail = "end" }, { "return ", port:value(node.orelse, 0) } },
    tail = "end" }, ")()" }, both, WHOLE
end

function expressions.JoinedStr(port, node)
  return formats.joined(port, node), "text", WHOLE
end

function expressions.Lambda(port, node)
  return port:function_piece(node.args, { { is = "Return", value = node.body, line = node.line } }, node), "function",
    WHOLE
end

-- ---- indices -----------------------------------------------------------------------------------------------------

-- An index of `base` that counts from 0, counted from 1; where the base takes negative ones itself, they stay.
local function moved(port, node, base, takes_negative)
  local number = constant_whole(node)
  if number and (number >= 0 or takes_negative) then
    return ("%d"):format(number >= 0 and number + 1 or number)
  elseif node.is == "UnaryOp" and node.op.is == "USub" and takes_negative then
    return port:value(node, 0)
  elseif number then
    return { "#", base, number == -1 and "" or (" - %d"):format(-number - 1) }
  elseif node.is == "UnaryOp" and node.op.is == "USub" then
    return { "#", base, " + 1 - ", port:value(node.operand, ADD + 1) }
  end
  return { port:value(node, ADD), " + 1" }
end

-- Part of a slice "low:high": a text, and what is joined to it.
local function bound(port, node)
  local number = node and constant_whole(node)
  if not node or number then
    return number and ("%d"):format(number) or ""
  end
  return nil, port:value(node, JOIN + 1)
end

local function slice(port, node)
  local parts, text = {}, ""
  local function put(one, before)
    local fixed, computed = bound(port, one)
    text = text .. before .. (fixed or "")
    if computed then
      if text ~= "" then
        parts[#parts + 1] = formats.quote(text)
      end
      parts[#parts + 1], text = computed, ""
    end
  end
  put(node.lower, "")
  put(node.upper, ":")
  if node.step then
    put(node.step, ":")
  end
  if text ~= "" then
    parts[#parts + 1] = formats.quote(text)
  end
  return #parts == 1 and parts[1] or layout.join(parts, " .. ")
end

local function axis_index(port, node)
  if node.is == "Slice" then
    return slice(port, node)
  elseif arguments.is_none(node) then
    return '"newaxis"'
  elseif node.is == "Constant" and node.kind == "ellipsis" then
    return '"..."'
  end
  return port:value(node, 0) -- what stands in a list counts from 0
end

-- x[low:high] of a list, a text or what is not known.
local function part_of(port, node, base)
  local index = node.slice
  if index.step then
    port:refuse(node, "a list is taken apart with a step")
  end
  port.needs.part = true
  return { "part(", layout.list { base, index.lower and port:value(index.lower, 0) or "0",
    index.upper and port:value(index.upper, 0) or nil }, ")" }
end

-- list(x), x.copy(): a list of its own; arrays never change here.
function expressions.copied(port, node, kind)
  if is_list[kind] or kind == "shape" then
    port.needs.part = true
    return arguments.call("part", port:value(node, 0), "0"), kind ~= "shape" and kind or "list"
  elseif kind == "unknown" or kind == "dict" or kind == "text" then
    port:refuse(node, "lists and arrays are copied, and this is none as far as is known")
  end
  return port:value(node, WHOLE), kind
end

local KIND_OF_ELEMENT = { results = "number", histories = "numbers", numbers = "number", shape = "number",
  arrays = "tensor", tensor = "tensor", texts = "text" }

-- base.key or base["a key"] for a key that is written out; nil for others.
function expressions.field(port, base, key)
  if is_text(key) then
    return key.value:find "^[%a_][%w_]*$" and port.key(key.value) == key.value and { base, ".", key.value }
      or { base, "[", formats.quote(key.value), "]" }
  end
end

function expressions.Subscript(port, node)
  local kind, index = port:kind(node.value), node.slice
  local base = port:value(node.value, WHOLE)
  local found = KIND_OF_ELEMENT[kind] or "unknown"
  if is_text(index) then
    return expressions.field(port, base, index), found, WHOLE
  elseif index.is == "Slice" or index.is == "Tuple" or arguments.is_none(index) then
    if index.is == "Slice" and not is_tensor[kind] then
      return part_of(port, node, base), kind ~= "shape" and kind or "list", WHOLE
    end
    local items = {}
    for i, one in ipairs(index.is == "Tuple" and index.elts or { index }) do
      items[i] = axis_index(port, one)
    end
    return { base, "[{ ", layout.join(items, ", "), " }]" }, "tensor", WHOLE
  elseif base == "arg" and constant_whole(index) then
    return ("arg[%d]"):format(constant_whole(index)), "text", WHOLE
  end
  if kind == "dict" or port:kind(index) == "text" then
    return { base, "[", port:value(index, 0), "]" }, "unknown", WHOLE
  elseif kind == "text" then
    local at = moved(port, index, base, true)
    return { node.value.is == "Constant" and { "(", base, ")" } or base, ":sub(", layout.list { at, at }, ")" }, "text",
      WHOLE
  elseif kind == "unknown" and port.has_numbered then
    port:refuse(node, "this may be a list, which counts from 1 here, or a dictionary with numbers as keys")
  elseif not node.is_target and port:kind(index) ~= "number" then
    port.needs.element = true
    return { "element(", layout.list { base, port:value(index, 0) }, ")" }, found, WHOLE
  end
  return { base, "[", moved(port, index, base, is_tensor[kind]), "]" }, found, WHOLE
end

return expressions
