-- loops - Python's for loops: over numbers, lists, datasets, and several of them at once.

local expressions = require "moonpod.port.expressions"
local layout = require "moonpod.port.layout"
local scopes = require "moonpod.port.scopes"

local loops = {}

local WHOLE = expressions.WHOLE

-- The names of a target "x" or "x, y", without names of others in it.
local function names_of(port, target)
  local list = target.is == "Name" and { target } or target.elts or {}
  local found = {}
  for i, one in ipairs(list) do
    if one.is ~= "Name" then
      port:refuse(target, "it takes values apart twice")
    end
    found[i] = one.id
  end
  return found
end

local function ours(list)
  local found = {}
  for i, name in ipairs(list) do
    found[i] = scopes.lua_name(name)
  end
  return table.concat(found, ", ")
end

-- The lines of a loop's body, in which names are there. kind: of all, or an array.
local function body_of(port, node, list, kind)
  local known = {}
  for i, name in ipairs(list) do
    known[name] = type(kind) == "table" and kind[i] or type(kind) == "string" and kind or "unknown"
  end
  return (port:block(node.body, known))
end

local function add(lines, head, body, first)
  if first then
    table.insert(body, 1, first)
  end
  lines[#lines + 1] = { head = head, body = body, tail = "end" }
end

local function minus_one(port, node)
  local number = expressions.constant_whole(node)
  if number then
    return ("%d"):format(number - 1)
  end
  return { port:value(node, 5), " - 1" }
end

-- for i in range(low, high, step).
local function over_range(port, node, call, lines)
  local list = names_of(port, node.target)
  local low, high, step = call.args[1], call.args[2], call.args[3]
  if not high then
    low, high = nil, low
  end
  local by = step and expressions.constant_whole(step)
  if step and (not by or by < 1) then
    port:refuse(node, "its step is computed, or negative")
  end
  add(lines, { "for ", ours(list), " = ", low and port:value(low, 0) or "0", ", ", minus_one(port, high),
    by and by ~= 1 and (", %d"):format(by) or "", " do" }, body_of(port, node, list, "number"))
end

-- for i, x in enumerate(list), and enumerate(dataset), whose elements may have parts: i, (x, y).
local function over_numbered(port, node, call, lines)
  local pair = node.target.elts
  if not pair or #pair ~= 2 or pair[1].is ~= "Name" or #call.args ~= 1 or #call.keywords > 0 then
    port:refuse(node, "enumerate is ported with a number, an element and one argument")
  end
  local index, parts = pair[1].id, names_of(port, pair[2])
  local kind, piece = port:kind(call.args[1]), port:value(call.args[1], WHOLE)
  local name = scopes.lua_name(index)
  local known = { [index] = "number" }
  for _, one in ipairs(parts) do
    known[one] = kind == "dataset" and "tensor" or kind == "numbers" and "number" or kind == "texts" and "text"
      or "unknown"
  end
  local body = port:block(node.body, known)
  if expressions.is_list[kind] then
    if #parts > 1 then
      port:refuse(node, "it takes elements of a list apart")
    end
    return add(lines, { "for at, ", ours(parts), " in ipairs(", piece, ") do" }, body,
      ("local %s = at - 1"):format(name))
  end
  if kind ~= "dataset" then
    port:refuse(node, "what it goes through is not known to be a list or a dataset")
  end
  lines[#lines + 1] = ("local %s = -1"):format(name)
  scopes.declare(port.scope, index, "number")
  add(lines, { "for ", ours(parts), " in ", piece, ":iter() do" }, body, ("%s = %s + 1"):format(name, name))
end

-- for a, b in zip(list, list).
local function over_pairs(port, node, call, lines)
  local list = names_of(port, node.target)
  if #list ~= #call.args then
    port:refuse(node, "zip is ported with a name for each list")
  end
  local pieces, kinds, of_each = {}, {}, {}
  for i, one in ipairs(call.args) do
    pieces[i] = port:value(one, WHOLE)
    if one.is ~= "Name" then -- it is computed once
      pieces[i] = ("of_%s"):format(scopes.lua_name(list[i]))
      lines[#lines + 1] = { "local ", pieces[i], " = ", port:value(one, 0) }
    end
    kinds[i] = port:kind(one)
    of_each[i] = kinds[i] == "tensor" and "tensor" or "unknown"
    if kinds[i] == "dataset" then
      port:refuse(node, "zip is ported for lists and tensors")
    end
  end
  local values = {}
  for i, piece in ipairs(pieces) do
    values[i] = { piece, "[at]" }
  end
  add(lines, { "for at = 1, math.min(", layout.join((function()
    local sizes = {}
    for i, piece in ipairs(pieces) do
      sizes[i] = kinds[i] == "tensor" and { piece, ".shape[1]" } or { "#", piece }
    end
    return sizes
  end)(), ", "), ") do" }, body_of(port, node, list, of_each), { "local ", ours(list), " = ", layout.list(values) })
end

-- for name, value in table.items().
local function over_items(port, node, call, lines)
  local list = names_of(port, node.target)
  add(lines, { "for ", ours(list), " in pairs(", port:value(call.func.value, 0), ") do" }, body_of(port, node, list))
end

local FUNCTIONS = { range = over_range, enumerate = over_numbered, zip = over_pairs }

-- The names of an element's parts: those that the loop takes it apart into in its first line.
local function element_names(port, node, name)
  local first = node.body[1]
  local target = first.is == "Assign" and first.value.is == "Name" and first.value.id == name and first.targets[1]
  if not target or target.is ~= "Tuple" or #scopes.loads(node.body, name, first) > 0 then
    port:refuse(node, "the parts of an element come as several values here; write for x, y in dataset:")
  end
  table.remove(node.body, 1)
  return names_of(port, target)
end

-- Writes a loop.
function loops.write(port, node, lines)
  local iter = node.iter
  local name = iter.is == "Call" and iter.func.is == "Name" and not port:local_name(iter.func.id) and iter.func.id
  if FUNCTIONS[name] then
    return FUNCTIONS[name](port, node, iter, lines)
  elseif iter.is == "Call" and iter.func.attr == "items" then
    return over_items(port, node, iter, lines)
  end
  local list, kind = names_of(port, node.target), port:kind(iter)
  if kind == "dataset" and #list == 1 then
    list = element_names(port, node, list[1])
  end
  if kind == "dataset" then
    return add(lines, { "for ", ours(list), " in ", port:value(iter, WHOLE), ":iter() do" },
      body_of(port, node, list, "tensor"))
  elseif expressions.is_list[kind] then
    if #list > 1 then
      port:refuse(node, "it takes elements of a list apart")
    end
    local of_one = kind == "texts" and "text" or kind == "numbers" and "number"
      or iter.elts and iter.elts[1] and port:kind(iter.elts[1]) or nil
    return add(lines, { "for _, ", ours(list), " in ipairs", iter.elts and { " ", port:value(iter, 0) }
      or { "(", port:value(iter, 0), ")" }, " do" }, body_of(port, node, list, of_one))
  end
  if kind == "tensor" and #list == 1 then -- its rows; it is computed once
    local rows = "of_" .. ours(list)
    lines[#lines + 1] = { "local ", rows, " = ", port:value(iter, 0) }
    return add(lines, { "for at = 1, ", rows, ".shape[1] do" }, body_of(port, node, list, "tensor"),
      { "local ", ours(list), " = ", rows, "[at]" })
  end
  port:refuse(node, "what it goes through is not known to be a list, a range, a tensor or a dataset")
end

return loops
