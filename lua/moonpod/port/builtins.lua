-- builtins - calls of Python's own functions as Lua's.

local arguments = require "moonpod.port.arguments"
local expressions = require "moonpod.port.expressions"
local layout = require "moonpod.port.layout"

local builtins = {}

local WHOLE, is_list = expressions.WHOLE, expressions.is_list
local call, one_argument, only = arguments.call, arguments.one, arguments.only

-- print(a, b) with lists as their elements.
function builtins.print(port, node)
  only(port, node, "flush")
  local pieces = {}
  for i, one in ipairs(node.args) do
    local piece, kind = port:typed(one)
    pieces[i] = is_list[kind] and one.is ~= "List"
      and { "table.concat(", piece, ', ", ")' } or piece
  end
  return { "print", #pieces == 0 and "()" or arguments.list(pieces) }, "nothing"
end

function builtins.len(port, node)
  local one = one_argument(port, node)
  local piece, kind = port:value(one, WHOLE), port:kind(one)
  if piece == "arg" then
    return "#arg + 1", "number", 5
  elseif kind == "tensor" then
    return { piece, ".shape[1]" }, "number"
  elseif kind == "unknown" or kind == "dict" then
    port.needs.length = true
    return call("length", piece), "number"
  end
  return { "#", piece }, "number", 7
end

function builtins.int(port, node)
  port.needs.whole = true
  return call("whole", port:value(one_argument(port, node), 0)), "number"
end

function builtins.float(port, node)
  local piece, kind = port:typed(one_argument(port, node))
  if kind == "number" then
    return piece, kind
  end
  port.needs.number = true
  return call("number", piece), "number"
end

function builtins.str(port, node)
  return call("tostring", port:value(one_argument(port, node), 0)), "text"
end

function builtins.list(port, node)
  local one = one_argument(port, node)
  return expressions.copied(port, one, port:kind(one))
end

builtins.tuple = builtins.list

-- abs, min and max of numbers; of what is not known they are refused.
for _, name in ipairs { "abs", "min", "max" } do
  builtins[name] = function(port, node)
    local pieces, kind = {}, "number"
    for i, one in ipairs(node.args) do
      pieces[i] = port:value(one, 0)
      kind = (port:kind(one) == "number" or port:kind(one) == "unknown") and kind or port:kind(one)
    end
    if kind == "tensor" and name == "abs" then
      return call("pod.abs", pieces[1]), "tensor"
    elseif is_list[kind] and #pieces == 1 and name ~= "abs" and #node.keywords == 0 then
      port.needs.unpack = true
      return { "math.", name, "(unpack(", pieces[1], "))" }, "number"
    elseif kind ~= "number" or #node.keywords > 0 or #pieces < (name == "abs" and 1 or 2) then
      port:refuse(node, ("%s is ported for numbers alone"):format(name))
    end
    return { "math.", name, "(", layout.list(pieces), ")" }, "number"
  end
end

function builtins.sum(port, node)
  local one = one_argument(port, node)
  if not is_list[port:kind(one)] then
    port:refuse(node, "sum is ported for lists")
  end
  port.needs.sum = true
  return call("sum", port:value(one, 0)), "number"
end

return builtins
