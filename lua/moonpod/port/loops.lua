-- loops - Python's for loops: over numbers, lists, datasets, and several of them at once.

local expressions = require "moonpod.port.expressions"
local formats = require "moonpod.port.formats"
local layout = require "moonpod.port.layout"
local scopes = require "moonpod.port.scopes"
local texts = require "moonpod.base.texts"

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

-- What a loop's head names, and the line that gives it on to variables that are there outside of the loop, or nil.
local function head_of(port, node, list)
  local heads, shared, from = {}, {}, {}
  for i, name in ipairs(list) do
    heads[i] = scopes.lua_name(name)
    if scopes.is_shared(port.scope, node, name) then
      shared[#shared + 1], from[#from + 1] = heads[i], scopes.fresh(port.scope, "next_" .. name)
      heads[i] = from[#from]
    end
  end
  local line = #shared > 0 and table.concat(shared, ", ") .. " = " .. table.concat(from, ", ") or nil
  return table.concat(heads, ", "), line
end

-- The lines of a loop's body, in which names of these kinds are there.
local function body_of(port, node, known)
  for name, kind in pairs(known) do
    local outside = scopes.is_shared(port.scope, node, name) and scopes.find(port.scope, name)
    if outside then -- the loop may not have run
      outside.kind = outside.kind == kind and kind or "unknown"
      outside.parameters, outside.result = nil, nil
    end
  end
  return (port:block(node.body, known))
end

local function all_of(list, kind)
  local known = {}
  for _, name in ipairs(list) do
    known[name] = kind or "unknown"
  end
  return known
end

-- Adds a loop, with lines before its body's where there are some: `last` stands nearest to the body.
local function add(lines, head, body, last, before)
  for _, line in ipairs { last or before, last and before } do
    table.insert(body, 1, line)
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
  local head, first = head_of(port, node, list)
  add(lines, { "for ", head, " = ", low and port:value(low, 0) or "0", ", ", minus_one(port, high),
    by and by ~= 1 and (", %d"):format(by) or "", " do" }, body_of(port, node, all_of(list, "number")), first)
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
  local head, first = head_of(port, node, parts)
  local is_shared = scopes.is_shared(port.scope, node, index)
  local body = body_of(port, node, known)
  if expressions.is_list[kind] then
    if #parts > 1 then
      port:refuse(node, "it takes elements of a list apart")
    end
    return add(lines, { "for at, ", head, " in ipairs(", piece, ") do" }, body,
      first, (is_shared and "%s = at - 1" or "local %s = at - 1"):format(name))
  end
  if kind ~= "dataset" then
    port:refuse(node, "what it goes through is not known to be a list or a dataset")
  end
  local count = is_shared and scopes.fresh(port.scope, "next_" .. index) or name
  lines[#lines + 1] = ("local %s = -1"):format(count)
  if not is_shared then
    scopes.declare(port.scope, index, "number")
  end
  if is_shared then
    table.insert(body, 1, { name, " = ", count })
  end
  add(lines, { "for ", head, " in ", piece, ":iter() do" }, body, first, ("%s = %s + 1"):format(count, count))
end

-- for a, b in zip(list, list).
local function over_pairs(port, node, call, lines)
  local list = names_of(port, node.target)
  if #list ~= #call.args then
    port:refuse(node, "zip is ported with a name for each list")
  end
  local pieces, kinds, known = {}, {}, {}
  local head, first = head_of(port, node, list)
  for i, one in ipairs(call.args) do
    pieces[i] = port:value(one, WHOLE)
    if one.is ~= "Name" then -- it is computed once
      pieces[i] = scopes.fresh(port.scope, "of_" .. list[i])
      lines[#lines + 1] = { "local ", pieces[i], " = ", port:value(one, 0) }
    end
    kinds[i] = port:kind(one)
    known[list[i]] = kinds[i] == "tensor" and "tensor" or "unknown"
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
  end)(), ", "), ") do" }, body_of(port, node, known), first, { "local ", head, " = ", layout.list(values) })
end

-- The keys of a dictionary in the order in which Python has them: of a name that is a dictionary written out, and is
-- only read; nil for others.
local function keys_of(port, node)
  local found, uses, reads = nil, 0, 0
  scopes.visit(node.is == "Name" and port.tree or {}, function(one)
    local base = (one.is == "Subscript" or one.is == "Attribute" and (one.attr == "items" or one.attr == "get"))
      and one.value
    uses = uses + (one.is == "Name" and one.id == node.id and 1 or 0)
    reads = reads + (base and base.id == node.id and 1 or 0)
    for _, target in ipairs(one.is == "Assign" and one.targets or one.is == "AugAssign" and { one.target } or {}) do
      reads = reads - (target.is == "Subscript" and target.value.id == node.id and 1 or 0)
      found = one.value.is == "Dict" and one.is == "Assign" and target.id == node.id and one.value or found
    end
  end)
  local keys = {}
  for i, key in ipairs(found and uses == reads + 1 and found.keys or {}) do
    keys[i] = key.kind == "str" and formats.quote(key.value) or nil
  end
  return #keys > 0 and #keys == #found.keys and keys or nil
end

-- Whether it is all the same in which order a loop's statements come: they add numbers up, or fill a dictionary.
local function is_in_any_order(body)
  local sums, is_free = {}, true
  for _, one in ipairs(body) do
    local target = one.is == "AugAssign" and one.op.is ~= "FloorDiv" and one.op.is ~= "Mod" and one.target.id
    sums[#sums + 1] = target
    is_free = is_free and (target ~= nil and target ~= false or one.is_keyed == true)
  end
  for _, name in ipairs(sums) do
    for _, one in ipairs(body) do
      is_free = is_free and #scopes.loads({ one.value or one.parts }, name) == 0
    end
  end
  return is_free
end

-- for name, value in table.items(). Tables of Lua have no order.
local function over_items(port, node, call, lines)
  local list = names_of(port, node.target)
  local dict, keys = call.func.value, keys_of(port, call.func.value)
  if not keys and not is_in_any_order(node.body) then
    port:refuse(node, "tables of Lua have no order; go through a list of names")
  end
  local head, first = head_of(port, node, list)
  local body = body_of(port, node, all_of(list))
  if keys and #list == 2 then
    local heads = texts.parts(head, "[^, ]+")
    return add(lines, { "for _, ", heads[1], " in ipairs ", layout.table(keys), " do" }, body, first,
      { "local ", heads[2], " = ", port:value(dict, WHOLE), "[", heads[1], "]" })
  end
  add(lines, { "for ", head, " in pairs(", port:value(dict, 0), ") do" }, body, first)
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
  local head, first = head_of(port, node, list)
  if kind == "dataset" then
    return add(lines, { "for ", head, " in ", port:value(iter, WHOLE), ":iter() do" },
      body_of(port, node, all_of(list, "tensor")), first)
  elseif expressions.is_list[kind] then
    if #list > 1 then
      port:refuse(node, "it takes elements of a list apart")
    end
    local of_one = kind == "texts" and "text" or kind == "numbers" and "number"
      or iter.elts and iter.elts[1] and port:kind(iter.elts[1]) or nil
    return add(lines, { "for _, ", head, " in ipairs", iter.elts and { " ", port:value(iter, 0) }
      or { "(", port:value(iter, 0), ")" }, " do" }, body_of(port, node, all_of(list, of_one)), first)
  end
  if kind == "tensor" and #list == 1 then -- its rows; it is computed once
    local rows = scopes.fresh(port.scope, "of_" .. list[1])
    lines[#lines + 1] = { "local ", rows, " = ", port:value(iter, 0) }
    return add(lines, { "for at = 1, ", rows, ".shape[1] do" }, body_of(port, node, all_of(list, "tensor")), first,
      { "local ", head, " = ", rows, "[at]" })
  end
  port:refuse(node, "what it goes through is not known to be a list, a range, a tensor or a dataset")
end

return loops
