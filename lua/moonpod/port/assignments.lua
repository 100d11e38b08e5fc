-- assignments - what gives values to names: of variables, fields, elements, and of several at once.

local arguments = require "moonpod.port.arguments"
local expressions = require "moonpod.port.expressions"
local layout = require "moonpod.port.layout"
local names = require "moonpod.port.names"
local nones = require "moonpod.port.nones"
local scopes = require "moonpod.port.scopes"
local tables = require "moonpod.base.tables"

local add = layout.add

local assignments = {}

-- Declares a variable where it is none of this function yet: "local " or "", and its entry.
function assignments.declare(port, name, kind)
  local entry, scope = scopes.find(port.scope, name, true)
  if not entry then
    return "local ", scopes.declare(port.scope, name, kind)
  end
  if entry.kind ~= kind then
    entry.kind = scope == port.scope and kind or "unknown" -- a block may not have run
  end
  entry.parameters, entry.result = nil, nil
  return "", entry
end

-- Declares names that a block gives values to and others need.
function assignments.hoist(port, list, lines)
  if #list > 0 then
    local ours = {}
    for i, name in ipairs(list) do
      ours[i] = scopes.lua_name(name)
      scopes.declare(port.scope, name)
    end
    add(lines, "local " .. table.concat(ours, ", "))
  end
end

-- What an assignment writes to: a piece, and "local " before it.
local function target_piece(port, target, kind)
  if target.is == "Name" then
    local before = assignments.declare(port, target.id, kind)
    return scopes.lua_name(target.id), before
  elseif target.is == "Attribute" then
    if target.value.is == "Name" and target.value.id == "self" and port.class then
      port.class.kinds[target.attr] = kind
    end
    return { port:value(target.value, expressions.WHOLE), ".", port:field(target.attr) }, ""
  elseif target.is == "Subscript" and port:kind(target.value) ~= "tensor" and target.slice.is ~= "Slice" then
    return port:value({ is = "Subscript", value = target.value, slice = target.slice, line = target.line,
      is_target = true }, expressions.WHOLE), ""
  end
  port:refuse(target, "tensors and parts of lists are not changed in place here; fill a list")
end

local function is_load_data(port, node)
  local path = node.is == "Call" and expressions.path_of(port, node.func)
  local found = path and names.resolve(path)
  return found and found.special == "load_data" and found
end

-- (x_train, y_train) of a set.
local function add_set(port, lines, set, targets)
  local x, before_x = target_piece(port, targets[1], "tensor")
  local y, before_y = target_piece(port, targets[2], "tensor")
  if before_x == before_y then
    add(lines, { before_x, x, ", ", y, " = ", set, ".x, ", set, ".y" })
  else
    add(lines, { before_x, x, " = ", set, ".x" }, { before_y, y, " = ", set, ".y" })
  end
end

-- Whether a pair may be taken of a set: two names, or _.
local function is_pair(pair)
  return pair and (#(pair.elts or {}) == 2 or pair.id == "_")
end

-- (x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data(num_words=10000); _ where a pair is not wanted.
local function assign_data(port, node, found, lines)
  local target = node.targets[1]
  local first, second = (target.elts or {})[1], (target.elts or {})[2]
  if not (is_pair(first) and is_pair(second)) then
    port:refuse(node, "write (x_train, y_train), (x_test, y_test) = ....load_data()")
  end
  local sets = { first.elts and scopes.fresh(port.scope, "train_set") or "_",
    second.elts and scopes.fresh(port.scope, "test_set") or "_" }
  add(lines, { "local ", sets[1], ", ", sets[2], " = ", found.name, arguments.of(port, node.value, found.name, {}) })
  for i, pair in ipairs { first, second } do
    if pair.elts then
      add_set(port, lines, sets[i], pair.elts)
    end
  end
end

-- The values that a tuple of `count` names gets from one value.
local function taken_apart(port, node, count)
  node.is_spread = true
  local piece, kind = port:typed(node)
  if node.is == "Name" or kind == "shape" then
    local list = {}
    for i = 1, count do
      list[i] = { piece, ("[%d]"):format(i) }
    end
    return layout.list(list)
  elseif node.is == "Call" and not expressions.is_list[kind] and kind ~= "tensor" then
    return piece -- a function that returns several values
  end
  port.needs.unpack = true
  return { "unpack(", piece, ")" }
end

local function assign_tuple(port, node, target, lines)
  local value, pieces, befores = node.value, {}, {}
  local values = (value.is == "Tuple" or value.is == "List") and #value.elts == #target.elts and value.elts
  local right = {}
  for i, one in ipairs(values or {}) do
    right[i] = port:value(one, 0)
  end
  local whole = values and layout.list(right) or taken_apart(port, value, #target.elts)
  local kind = port:kind(value)
  for i, one in ipairs(target.elts) do
    local of_one = values and port:kind(values[i]) or kind == "numbers" and "number"
      or kind == "dataset" and "dataset" or "unknown"
    pieces[i], befores[i] = target_piece(port, one, of_one)
  end
  local new = 0
  for _, before in ipairs(befores) do
    new = new + (before ~= "" and 1 or 0)
  end
  if new > 0 and new < #befores then -- those that are there stay what they are
    for i, before in ipairs(befores) do
      if before ~= "" then
        add(lines, { "local ", pieces[i] })
      end
    end
    befores[1] = ""
  end
  add(lines, { befores[1], layout.list(pieces), " = ", whole })
end

function assignments.Assign(port, node, lines)
  local found = is_load_data(port, node.value)
  if found then
    return assign_data(port, node, found, lines)
  end
  for i, target in ipairs(node.targets) do
    if i > 1 and node.targets[1].is == "Name" then -- a = b = f() calls once
      node = tables.merge(node, { value = tables.merge(node.targets[1], { line = node.line }) })
    end
    if target.is == "Tuple" or target.is == "List" then
      assign_tuple(port, node, target, lines)
    else
      local value, kind = port:typed(node.value)
      value = target.is == "Subscript" and nones.kept(port, node.value) or value
      if target.is == "Subscript" and (expressions.constant_whole(target.slice) or 0) < 0
          and scopes.calls(port, node.value) then
        port:refuse(node, "the list may grow within the call; give its value to a name first")
      end
      local piece, before = target_piece(port, target, kind)
      add(lines, { before, piece, " = ", value })
    end
  end
end

function assignments.AnnAssign(port, node, lines)
  if node.value then
    assignments.Assign(port, { is = "Assign", targets = { node.target }, value = node.value, line = node.line }, lines)
  end
end

-- NumPy's arrays change in place, and with them what else has the array.
function assignments.AugAssign(port, node, lines)
  local kind = node.target.is == "Name" and port:kind(node.target)
  if (kind == "tensor" or kind == "unknown") and scopes.is_alias(port.tree, node.target.id) then
    port:refuse(node, ("another name may have the same array; write %s = %s ..."):format(node.target.id,
      node.target.id))
  end
  local value = { is = "BinOp", left = node.target, op = node.op, right = node.value, line = node.line }
  assignments.Assign(port, { is = "Assign", targets = { node.target }, value = value, line = node.line }, lines)
end

return assignments
