-- random_python - random programs of the Python that `moonpod port` reads. Each prints whole numbers and texts with
-- formats, so that Python and every Lua print the same.

local random_python = {}

local Writer = {}
Writer.__index = Writer

function Writer:pick(list)
  return list[self.random(#list)]
end

function Writer:variable()
  return self:pick(self.names)
end

local INT, BOOL, TEXT, LIST = {}, {}, {}, {}

local function one_of(rules)
  return function(self, depth)
    local from = depth > 0 and 1 or rules.deep
    return rules[self.random(from, #rules)](self, depth - 1)
  end
end

local int, bool, text, list = one_of(INT), one_of(BOOL), one_of(TEXT), one_of(LIST)

for _, operator in ipairs { "+", "-", "*" } do
  INT[#INT + 1] = function(self, depth)
    return ("(%s %s %s)"):format(int(self, depth), operator, int(self, depth))
  end
end
for _, operator in ipairs { "//", "%" } do
  INT[#INT + 1] = function(self, depth)
    return ("%s %s %d"):format(self:variable(), operator, self:pick { -7, -2, 3, 5 }) .. (depth > 1 and "" or " + 1")
  end
end
INT[#INT + 1] = function(self, depth)
  return ("(%s if %s else %s)"):format(int(self, depth), bool(self, depth), int(self, depth))
end
INT[#INT + 1] = function(self, depth)
  return ("len(%s)"):format(self:pick { list, text }(self, depth))
end
INT[#INT + 1] = function(self, depth)
  return ("%s(%s, %s)"):format(self:pick { "max", "min", "twice" }, int(self, depth), int(self, depth))
end
INT[#INT + 1] = function(self, depth)
  return ("-(%s)"):format(int(self, depth))
end
INT[#INT + 1] = function(self)
  return ("numbers[%d]"):format(self.random(-5, 4))
end
INT.deep = #INT
INT[#INT + 1] = Writer.variable
INT[#INT + 1] = function(self)
  return ("%d"):format(self.random(0, 9))
end

for _, operator in ipairs { "<", "<=", ">", ">=", "==", "!=" } do
  BOOL[#BOOL + 1] = function(self, depth)
    return ("%s %s %s"):format(int(self, depth), operator, int(self, depth))
  end
end
for _, operator in ipairs { "and", "or" } do
  BOOL[#BOOL + 1] = function(self, depth)
    return ("(%s %s %s)"):format(bool(self, depth), operator, bool(self, depth))
  end
end
BOOL[#BOOL + 1] = function(self, depth)
  return ("(not %s)"):format(self:pick { bool, int, list, text }(self, depth))
end
BOOL.deep = #BOOL + 1
BOOL[#BOOL + 1] = function(self)
  return ("%s > %d"):format(self:variable(), self.random(-5, 5))
end

TEXT[1] = function(self, depth)
  return ("(%s + %s)"):format(text(self, depth), text(self, depth))
end
TEXT[2] = function(self, depth)
  return ('"%%%dd and %%s" %% (%s, %s)'):format(self.random(1, 4), int(self, depth), text(self, depth))
end
TEXT[3] = function(self, depth)
  return ('f"<{%s:4d}|{word:>5}|{word:<4}>"'):format(int(self, depth))
end
TEXT[4] = function(self)
  return ("word[%s:%s]"):format(self:pick { "", "0", "1", "-2" }, self:pick { "", "3", "-1", "9" })
end
TEXT.deep = 4
TEXT[5] = function(self)
  return self:pick { '"x"', "word", '""' }
end

LIST[1] = function(self, depth)
  return ("[%s, %s]"):format(int(self, depth), int(self, depth))
end
LIST[2] = function(self, depth)
  return ("[n * %s for n in numbers if n %% 2 == %d]"):format(int(self, depth), self.random(0, 1))
end
LIST.deep = 3
LIST[3] = function(self)
  return ("numbers[%s:%s]"):format(self:pick { "", "0", "2", "-3" }, self:pick { "", "4", "-1" })
end
LIST[4] = function()
  return "numbers"
end

-- ---- statements --------------------------------------------------------------------------------------------------

local STATEMENTS = {}

-- Statements; names that they make are not there behind a block that may not run.
local function block(self, depth, indent)
  local count = #self.names
  for _ = 1, self.random(1, 3) do
    STATEMENTS[self.random(depth > 0 and 1 or 5, #STATEMENTS)](self, depth - 1, indent)
  end
  for i = indent > 0 and #self.names or 0, count + 1, -1 do
    self.names[i] = nil
  end
end

function Writer:line(indent, format, ...)
  self.lines[#self.lines + 1] = ("    "):rep(indent) .. format:format(...)
end

function Writer:new_name()
  self.count = self.count + 1
  return "v" .. self.count
end

-- A name that both branches give a value to, and that is read behind them.
STATEMENTS[1] = function(self, depth, indent)
  local name = self:new_name()
  self:line(indent, "if %s:", bool(self, 2))
  block(self, depth, indent + 1)
  self:line(indent + 1, "%s = %s", name, int(self, 2))
  self:line(indent, "else:")
  self:line(indent + 1, "%s = %s", name, int(self, 2))
  self.names[#self.names + 1] = name
end
STATEMENTS[2] = function(self, depth, indent)
  local name, at = self:new_name(), self:new_name()
  self:line(indent, "for %s in range(%d):", at, self.random(2, 4))
  if self.random(2) == 1 then
    self:line(indent + 1, "if %s %% 2 == 1:", at)
    self:line(indent + 2, "continue")
  end
  self:line(indent + 1, "%s = %s + %s", name, at, self:variable())
  block(self, depth, indent + 1)
  self.names[#self.names + 1] = name
end
STATEMENTS[3] = function(self, _, indent)
  local at, value = self:new_name(), self:new_name()
  self:line(indent, "for %s, %s in enumerate(numbers):", at, value)
  self:line(indent + 1, "if %s > %d:", value, self.random(3, 9))
  self:line(indent + 2, "break")
  self:line(indent + 1, "total += %s * %s %% 11", at, value)
end
STATEMENTS[4] = function(self, _, indent)
  local name, argument = self:new_name(), self:new_name()
  self:line(indent, "def %s(%s, more=%d):", name, argument, self.random(9))
  self:line(indent + 1, "inside = %s + more * %s", argument, self:variable())
  self:line(indent + 1, "return inside %% 1000")
  self:line(indent, 'print("%%d %%d" %% (%s(3), %s(%s %% 9, more=2)))', name, name, self:variable())
end
STATEMENTS[5] = function(self, _, indent)
  self:line(indent, "total = (total + %s) %% 9973", int(self, 2))
end
STATEMENTS[6] = function(self, _, indent)
  self:line(indent, 'print("%%d" %% (%s))', int(self, 3))
end
STATEMENTS[7] = function(self, _, indent)
  self:line(indent, 'print("%%s" %% (%s,))', text(self, 2))
end
STATEMENTS[8] = function(self, _, indent)
  self:line(indent, 'print("yes" if %s else "no")', bool(self, 3))
end

-- A program of some statements from a generator of numbers: random(n), random(low, high).
function random_python.program(random)
  local writer = setmetatable({ random = random, lines = {}, count = 0, names = { "a", "b", "total" } }, Writer)
  for _, line in ipairs { "a, b, total = 3, -4, 0", "numbers = [3, -1, 4, 12, 5]", 'word = "pod"', "def twice(x, y=1):",
    "    return x * 2 + y" } do
    writer:line(0, "%s", line)
  end
  block(writer, 3, 0)
  block(writer, 2, 0)
  writer:line(0, 'print("%%d" %% total)')
  return table.concat(writer.lines, "\n") .. "\n"
end

return random_python
