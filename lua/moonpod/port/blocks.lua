-- blocks - if, for, while, try and with.

local arguments = require "moonpod.port.arguments"
local assignments = require "moonpod.port.assignments"
local expressions = require "moonpod.port.expressions"
local layout = require "moonpod.port.layout"
local loops = require "moonpod.port.loops"
local names = require "moonpod.port.names"
local scopes = require "moonpod.port.scopes"
local tables = require "moonpod.base.tables"

local add = layout.add

local blocks = {}

local function is_main(test)
  return test.is == "Compare" and test.left.id == "__name__"
end

function blocks.If(port, node, lines)
  if is_main(node.test) then
    return port:statements(node.body, lines)
  end
  assignments.hoist(port, scopes.needed_outside(port.scope, node), lines)
  local chain = { head = { "if ", port:condition(node.test, 0), " then" }, body = port:block(node.body), more = {},
    tail = "end" }
  local rest = node.orelse
  while #rest == 1 and rest[1].is == "If" do
    local test = port:condition(rest[1].test, 0)
    add(chain.more, { head = { "elseif ", test, " then" }, body = port:block(rest[1].body) })
    rest = rest[1].orelse
  end
  if #rest > 0 then
    add(chain.more, { head = "else", body = port:block(rest) })
  end
  add(lines, chain)
end

function blocks.For(port, node, lines)
  if #node.orelse > 0 then
    port:refuse(node, "it has an else behind a loop")
  end
  assignments.hoist(port, scopes.needed_outside(port.scope, node), lines)
  node.body.is_loop = true
  loops.write(port, node, lines)
end

function blocks.While(port, node, lines)
  if #node.orelse > 0 then
    port:refuse(node, "it has an else behind a loop")
  end
  assignments.hoist(port, scopes.needed_outside(port.scope, node), lines)
  node.body.is_loop = true
  add(lines, { head = { "while ", port:condition(node.test, 0), " do" }, body = port:block(node.body), tail = "end" })
end

function blocks.Break(_, _, lines)
  add(lines, "break")
end

function blocks.Continue(port, node)
  port:refuse(node, "Lua 5.1 has no continue; put the rest of the loop into an if")
end

-- Refuses what would leave a function that a block becomes, and not the one around it.
local function stays_within(port, statements)
  local out = scopes.way_out(statements)
  if out then
    port:refuse(out, ("%s leaves a block that is a function here"):format(out.is:lower()))
  end
end

function blocks.Try(port, node, lines)
  local handler = node.handlers[1]
  if #node.handlers ~= 1 or #node.orelse > 0 or #node.finalbody > 0 or handler.name then
    port:refuse(node, "it has more than try and one except")
  end
  stays_within(port, node.body)
  assignments.hoist(port, scopes.needed_outside(port.scope, node), lines)
  local body = port:block(node.body)
  local call = { "pcall" }
  table.insert(port.tries, call)
  add(lines, { head = { "if not ", call, "(function()" }, body = body, more = { { head = "end) then", body =
    port:block(handler.body) } }, tail = "end" })
end

-- Names that a block of its own function gives values to and others need; those that are there already are not among
-- them.
local function results_of(port, node)
  local list = {}
  for _, name in ipairs(scopes.needed_outside(port.scope, { is = "Body", body = node.body })) do
    list[#list + 1] = name
  end
  return list
end

-- Runs a block as a function: `local a, b = open(function() ... return a, b end)`; where it ends by a return itself,
-- `return open(function() ... end)`.
local function as_function(port, node, open, first, lines, close)
  local last = node.body[#node.body]
  if last.is == "Return" and not first then
    stays_within(port, tables.slice(node.body, 1, #node.body - 1))
    node.returns = true
    return add(lines, { head = { "return ", open, "(function()" }, body = (port:block(node.body)), tail = "end)" })
  end
  stays_within(port, node.body)
  local results, ours = results_of(port, node), { first }
  local body, scope = port:block(node.body)
  for _, name in ipairs(results) do
    ours[#ours + 1] = scopes.lua_name(name)
  end
  local returned = tables.slice(ours, first and 2 or 1)
  if #returned > 0 then
    body[#body + 1] = "return " .. table.concat(returned, ", ")
  end
  for _, name in ipairs(results) do
    local entry = scope.known[name]
    port.scope.known[name] = entry or { kind = "unknown" }
  end
  local head = { #ours > 0 and "local " .. table.concat(ours, ", ") .. " = " or "", open, "(function()" }
  add(lines, { head = head, body = body, tail = { "end", close or "", ")" } })
end

local function with_tape(port, node, item, lines)
  local name = item.optional_vars and item.optional_vars.id
  local persistent = arguments.get(item.context_expr, nil, "persistent")
  if not name then
    port:refuse(node, "the tape has no name")
  end
  assignments.declare(port, name, "tape")
  as_function(port, node, "pod.tape", scopes.lua_name(name), lines,
    persistent and persistent.value and ", { persistent = true }" or nil)
end

function blocks.With(port, node, lines)
  local item = node.items[1]
  local context = item.context_expr
  local path = context.is == "Call" and expressions.path_of(port, context.func)
  local found = path and names.resolve(path)
  if #node.items == 1 and found and found.special == "tape" then
    return with_tape(port, node, item, lines)
  elseif #node.items == 1 and context.is == "Call" and context.func.attr == "scope" then
    return as_function(port, node, { port:value(context.func.value, expressions.WHOLE), ":scope" }, nil, lines)
  end
  port:refuse(node, "of with, strategy.scope() and tf.GradientTape() are ported")
end

return blocks
