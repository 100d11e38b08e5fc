-- statements - Python's statements as lines of Lua. One that is not ported becomes an error that names its line, so
-- that no program comes out that does something else.

local assignments = require "moonpod.port.assignments"
local blocks = require "moonpod.port.blocks"
local formats = require "moonpod.port.formats"
local functions = require "moonpod.port.functions"
local layout = require "moonpod.port.layout"
local names = require "moonpod.port.names"
local Port = require "moonpod.port.port"
local scopes = require "moonpod.port.scopes"
local tables = require "moonpod.base.tables"

local add = layout.add

local statements = tables.merge(assignments, blocks, functions)

-- ---- lines -------------------------------------------------------------------------------------------------------

local function is_super_init(node)
  local callee = node.is == "Call" and node.func
  return callee and callee.is == "Attribute" and callee.attr == "__init__" and callee.value.is == "Call"
    and callee.value.func.id == "super"
end

-- super().__init__(name=name): the class does the rest.
local function super_init(port, node, lines)
  for _, one in ipairs(node.keywords) do
    if one.arg == "name" and port.class and port.class.part == "pod.metrics" then
      add(lines, { "self.name = ", port:value(one.value, 0) })
    elseif one.arg and one.arg ~= "name" then
      port:refuse(node, ("super().__init__ has %s"):format(one.arg))
    end
  end
end

function statements.Expr(port, node, lines)
  local value = node.value
  if value.is == "Constant" and value.kind == "str" then
    for line in (value.value:gsub("^%s+", ""):gsub("%s+$", "") .. "\n"):gmatch "(.-)\n" do
      add(lines, (("-- " .. line:gsub("^%s+", "")):gsub("%s+$", "")))
    end
    return nil
  elseif is_super_init(value) then
    return super_init(port, value, lines)
  end
  value.is_spread = true
  local piece, kind = port:typed(value)
  if value.is ~= "Call" and kind ~= "statement" then
    port:refuse(node, "its value is not used")
  end
  add(lines, piece)
end

function statements.Pass() end

function statements.Import(port, node)
  for _, one in ipairs(node.names) do
    local name = one.asname or one.name:match "^[^.]+"
    port.aliases[name] = one.asname and one.name or name
  end
end

-- from keras import layers.
function statements.ImportFrom(port, node, lines)
  for _, one in ipairs(node.names) do
    local path = (node.module or "") .. "." .. one.name
    local name, part = one.asname or one.name, names.part(path)
    if one.name == "*" then
      port:refuse(node, "it imports all names of a module")
    end
    port.aliases[name] = path
    if part and not port.parts[part] then
      port.parts[part] = scopes.lua_name(name)
      add(lines, ("local %s = %s"):format(scopes.lua_name(name), part))
    end
  end
end

function statements.Assert(port, node, lines)
  add(lines, { "assert(", port:condition(node.test, 0), node.msg and { ", ", port:value(node.msg, 0) } or "", ")" })
end

-- raise ValueError("...").
function statements.Raise(port, node, lines)
  local text = node.exc and node.exc.is == "Call" and node.exc.args[1]
  if not text then
    port:refuse(node, "it raises no text")
  end
  add(lines, { "error(", port:value(text, 0), ")" })
end

-- ---- all ---------------------------------------------------------------------------------------------------------

-- The lines of a block of statements, in a scope of its own in which `known` names are there; and that scope.
function Port:block(body, known)
  local outer = self.scope
  self.scope = scopes.new(outer)
  local scope, lines = self.scope, {}
  for name, kind in pairs(known or {}) do
    scopes.declare(scope, name, kind)
  end
  local ok, failure = pcall(self.statements, self, body, lines)
  self.scope = outer
  if not ok then
    error(failure, 0)
  end
  return lines, scope
end

-- The lines of a block within an expression, which is ported as a whole or not at all.
function Port:inner_block(body, known)
  local outer = self.strict
  self.strict = true
  local ok, lines = pcall(self.block, self, body, known)
  self.strict = outer
  if not ok then
    error(lines, 0)
  end
  return lines
end

-- Comments that stand before a line, and a blank line where the script has one.
function Port:comments_before(node, lines)
  local first = node.decorator_list and node.decorator_list[1] and node.decorator_list[1].line or node.line
  local function comes_first(comment) -- of a line with a statement, it stands above it
    return comment and (comment[1] < node.line or comment[1] == node.line and not comment[3])
  end
  while comes_first(self.comments[self.at]) do
    local comment = self.comments[self.at]
    if #lines > 0 and comment[3] and (self.lines[comment[1] - 1] or "x"):match "^%s*$" then
      add(lines, "")
    end
    add(lines, "--" .. comment[2]:gsub("%s+$", ""))
    self.at, first = self.at + 1, comment[3] and 0 or first
  end
  if first > 1 and #lines > 0 and (self.lines[first - 1] or "x"):match "^%s*$" and lines[#lines] ~= "" then
    add(lines, "")
  end
end

-- What stands for a statement that is not ported: an error that says so. What it would have given a value to is there.
local function not_ported(port, node, failure, lines)
  local line = failure.line or node.line
  port.refused[#port.refused + 1] = { line = line, why = failure.refused, text = port.lines[line] }
  local new = {}
  for _, one in ipairs(scopes.stores({ node }, false)) do
    if not scopes.find(port.scope, one.name, true) then
      scopes.declare(port.scope, one.name)
      new[#new + 1] = scopes.lua_name(one.name)
    end
  end
  for i = node.line, math.min(node.last or node.line, node.line + 7) do
    add(lines, "-- " .. port.lines[i])
  end
  if #new > 0 then
    add(lines, "local " .. table.concat(new, ", "))
  end
  add(lines, { "error(", formats.quote(("%s:%d is not ported: %s"):format(port.path, line, failure.refused)), ")" })
end

-- if test: continue, in a loop's body itself. The rest of that body stands within an if.
local function without_continue(port, node, rest, lines)
  rest.is_loop = true
  local whole = { is = "If", test = { is = "UnaryOp", op = { is = "Not" }, operand = node.test, line = node.line },
    body = rest, orelse = {}, line = node.line, last = rest[#rest] and rest[#rest].last or node.last }
  blocks.If(port, whole, lines)
end

local function is_continue(node)
  return node.is == "If" and #node.body == 1 and node.body[1].is == "Continue" and #node.orelse == 0
end

-- Adds the lines of statements.
function Port:statements(body, lines)
  for at, node in ipairs(body) do
    if node.is == "Raw" then
      add(lines, node.write())
    elseif body.is_loop and is_continue(node) then
      return without_continue(self, node, tables.slice(body, at + 1), lines)
    else
      self:comments_before(node, lines)
      local write, before = statements[node.is], #lines
      local ok, failure = pcall(write or function()
        self:refuse(node, ("%s is not ported"):format(node.is))
      end, self, node, lines)
      if not ok and (type(failure) ~= "table" or not failure.refused) then
        error(failure, 0)
      elseif not ok and self.strict then
        error(failure, 0)
      elseif not ok then
        for i = #lines, before + 1, -1 do
          lines[i] = nil
        end
        not_ported(self, node, failure, lines)
      end
    end
    if node.is == "Return" or node.is == "Break" or node.returns then
      return
    end
  end
end

return statements
