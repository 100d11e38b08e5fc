-- random_python - random programs in Python of what `moonpod port` reads, and of what it should refuse: closures,
-- defaults, names that come back, aliases. Each prints whole numbers and texts with formats, so that Python and every
-- Lua print the same.

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
INT[#INT + 1] = function(self, depth)
  local name = #self.functions > 0 and self:pick(self.functions) or "half"
  return ("%s(%s)"):format(name, int(self, depth))
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
LIST[2] = function(self, depth) -- what it names may be there outside of it
  local name = self:pick { "n", "n", self:variable() }
  return ("[%s * %s for %s in numbers if %s %% 2 == %d]"):format(name, int(self, depth), name, name, self.random(0, 1))
end
LIST.deep = 3
LIST[3] = function(self)
  return ("numbers[%s:%s]"):format(self:pick { "", "0", "2", "-3" }, self:pick { "", "4", "-1" })
end
LIST[4] = function()
  return "numbers"
end

-- ---- statements --------------------------------------------------------------------------------------------------

local STATEMENTS, SIMPLE = {}, {}

-- Statements; names that they make are not there behind a block that may not run.
local function block(self, depth, indent)
  local count, functions = #self.names, #self.functions
  for _ = 1, self.random(1, 3) do
    local kinds = depth > 0 and self.random(4) > 1 and STATEMENTS or SIMPLE
    kinds[self.random(#kinds)](self, depth - 1, indent)
  end
  for i = indent > 0 and #self.names or 0, count + 1, -1 do
    self.names[i] = nil
  end
  for i = indent > 0 and #self.functions or 0, functions + 1, -1 do
    self.functions[i] = nil
  end
end

function Writer:line(indent, format, ...)
  self.lines[#self.lines + 1] = ("    "):rep(indent) .. format:format(...)
end

-- Names that mean something in Lua or in what a port writes.
local ODD = { "end", "list", "at", "table", "dict", "local", "number", "math", "string", "element", "arg", "then",
  "repeat", "options", "result", "i", "x" }

function Writer:new_name()
  self.count = self.count + 1
  local odd = self.random(8) == 1 and #self.odd > 0 and table.remove(self.odd, self.random(#self.odd))
  return odd or "v" .. self.count
end

-- A name to give a value to, that is there; within a function one of its own.
function Writer:target()
  return #self.names > self.first and self.names[self.random(self.first + 1, #self.names)] or self:new_name()
end

-- A name that is new, or at times one that is there.
function Writer:some_name()
  local name = self.random(5) == 1 and self:target()
  return name ~= "total" and name or self:new_name()
end

-- The statements of a function's or a loop's body with names of its own.
function Writer:within(depth, indent, ...)
  local count = #self.names
  for _, name in ipairs { ... } do
    self.names[#self.names + 1] = name
  end
  block(self, depth, indent)
  for i = #self.names, count + 1, -1 do
    self.names[i] = nil
  end
end

local function add(fn)
  STATEMENTS[#STATEMENTS + 1] = fn
end

-- A name that both branches give a value to, and that is read behind them.
add(function(self, depth, indent)
  local name = self:new_name()
  self:line(indent, "if %s:", bool(self, 2))
  block(self, depth, indent + 1)
  self:line(indent + 1, "%s = %s", name, int(self, 2))
  if self.random(2) == 1 then
    self:line(indent, "elif %s:", bool(self, 1))
    self:line(indent + 1, "%s = %s", name, int(self, 1))
  end
  self:line(indent, "else:")
  self:line(indent + 1, "%s = %s", name, int(self, 2))
  self.names[#self.names + 1] = name
end)

add(function(self, depth, indent)
  local name, at = self:new_name(), self:some_name()
  self:line(indent, "for %s in range(%d):", at, self.random(2, 4))
  if self.random(2) == 1 then
    self:line(indent + 1, "if %s %% 2 == 1:", at)
    self:line(indent + 2, "continue")
  end
  self:line(indent + 1, "%s = %s + %s", name, at, self:variable())
  self:within(depth, indent + 1, at, name)
  self.names[#self.names + 1] = self:pick { name, at }
end)

add(function(self, _, indent)
  local at, value = self:new_name(), self:some_name()
  self:line(indent, "for %s, %s in enumerate(numbers):", at, value)
  self:line(indent + 1, "if %s > %d:", value, self.random(3, 9))
  self:line(indent + 2, "break")
  self:line(indent + 1, "total += %s * %s %% 11", at, value)
  if self.random(2) == 1 then
    self.names[#self.names + 1] = self:pick { at, value }
  end
end)

-- Loops over lists, pairs of lists and texts, and one that counts down.
add(function(self, depth, indent)
  local one, other = self:some_name(), self:new_name()
  self:line(indent, self:pick { "for %s in %s:", "for %s, " .. other .. " in zip(%s, numbers):" }, one, list(self, 1))
  self:line(indent + 1, "total += %s", one)
  self:within(depth, indent + 1, one)
end)
add(function(self, depth, indent)
  local left = self:new_name()
  self:line(indent, "%s = %d", left, self.random(2, 4))
  self:line(indent, "while %s > 0:", left)
  self:line(indent + 1, "%s -= 1", left)
  if self.random(3) == 1 then
    self:line(indent + 1, "if %s %% 2 == 0:", left)
    self:line(indent + 2, self:pick { "continue", "break" })
  end
  self:within(depth, indent + 1)
  self:line(indent + 1, "total += %s", left)
end)

-- A function with a default, which the caller gives, leaves out, or gives as None.
add(function(self, depth, indent)
  local name, argument, more = self:new_name(), self:new_name(), self:new_name()
  local default = self:pick { "None", ("%d"):format(self.random(9)), self:variable() }
  self:line(indent, "def %s(%s, %s=%s):", name, argument, more, default)
  self:line(indent + 1, "global total")
  self:line(indent + 1, "if %s is None:", more)
  self:line(indent + 2, "%s = %s", more, self:pick { "7", self:variable(), "-1" })
  local inside = self:new_name()
  self:line(indent + 1, "%s = %s + %s * %s", inside, argument, more, self:variable())
  local first = self.first
  self.first = #self.names
  self:within(math.min(depth, 1), indent + 1, argument, more, inside)
  self.first = first
  self:line(indent + 1, "return %s %% 1000", inside)
  self.functions[#self.functions + 1] = name
  if self.random(3) == 1 then
    self:line(indent, "%s = %s", self:target(), int(self, 1))
  end
  self:line(indent, 'print("%%d %%d" %% (%s(3), %s(%s %% 9, %s)))', name, name, self:variable(),
    self:pick { more .. "=2", "None", more .. "=None", "4", self:variable() })
end)

-- A function that changes what is around it, and one within another.
add(function(self, _, indent)
  local outer, inner, count = self:new_name(), self:new_name(), self:new_name()
  self:line(indent, "def %s(%s):", outer, count)
  self:line(indent + 1, "def %s(step=1):", inner)
  self:line(indent + 2, "nonlocal %s", count)
  self:line(indent + 2, "%s = %s + step", count, count)
  self:line(indent + 2, "return %s", count)
  if self.random(2) == 1 then
    self:line(indent + 1, "%s(%d)", inner, self.random(9))
    self:line(indent + 1, "return %s() + %s", inner, count)
    self:line(indent, 'print("%%d" %% %s(%s))', outer, int(self, 1))
  else
    self:line(indent + 1, "return %s", inner)
    local made = self:new_name()
    self:line(indent, "%s = %s(%s)", made, outer, int(self, 1))
    self:line(indent, 'print("%%d %%d" %% (%s(), %s(2)))', made, made)
  end
end)

-- Functions that are made in a loop and called behind it.
add(function(self, _, indent)
  local made, at, own, one = self:new_name(), self:some_name(), self:new_name(), self:new_name()
  self:line(indent, "%s = []", made)
  self:line(indent, "for %s in range(%d):", at, self.random(2, 4))
  self:line(indent + 1, "%s = %s * 3 + %s", own, at, self:variable())
  local body = self:pick { at, own, at .. " + " .. own, self:variable() }
  if self.random(3) == 1 then
    local name = self:new_name()
    self:line(indent + 1, "def %s(y):", name)
    self:line(indent + 2, "return y + %s", body)
    self:line(indent + 1, "%s.append(%s)", made, name)
  else
    self:line(indent + 1, "%s.append(lambda y%s: y + %s)", made, self:pick { "", ", z=" .. at, ", z=3" }, body)
  end
  if self.random(3) == 1 then
    self:line(indent, "%s = %s", at, int(self, 1))
  end
  self:line(indent, "for %s in %s:", one, made)
  self:line(indent + 1, 'print("%%d" %% %s(%s))', one, self:variable())
end)
add(function(self, _, indent)
  local made = self:new_name()
  self:line(indent, "%s = [lambda y: y + n for n in range(3)]", made)
  self:line(indent, 'print("%%d %%d" %% (%s[0](1), %s[2](1)))', made, made)
end)

-- A function as an argument; one that calls itself; one that returns two values.
add(function(self, _, indent)
  local apply, fn, x = self:new_name(), self:new_name(), self:new_name()
  self:line(indent, "def %s(%s, %s):", apply, fn, x)
  self:line(indent + 1, "return %s(%s(%s))", fn, fn, x)
  self:line(indent, 'print("%%d" %% (%s(%s, %s)))', apply, self:pick { "lambda y: y * 2", "half", "lambda z: z + a" },
    int(self, 1))
end)
add(function(self, _, indent)
  local name, x = self:new_name(), self:new_name()
  self:line(indent, "def %s(%s):", name, x)
  self:line(indent + 1, "if %s <= 0:", x)
  self:line(indent + 2, "return %d", self.random(9))
  self:line(indent + 1, "return %s(%s - 1) + %s", name, x, x)
  self:line(indent, 'print("%%d" %% %s(%d))', name, self.random(6))
end)
add(function(self, _, indent)
  local name, x, one, other = self:new_name(), self:new_name(), self:some_name(), self:new_name()
  self:line(indent, "def %s(%s):", name, x)
  self:line(indent + 1, "return %s, %s", int(self, 1), x)
  self:line(indent, "%s, %s = %s(%s)", one, other, name, int(self, 1))
  self:line(indent, self:pick { "%s, %s = %s, %s", "%s, %s = %s + 1, %s" }, one, other, other, one)
  self:line(indent, 'print("%%d %%d %%d" %% (%s, %s, %s(2)[1]))', one, other, name)
  self.names[#self.names + 1] = other
end)

-- Global names that a function changes.
add(function(self, _, indent)
  if indent == 0 then
    local name = self:new_name()
    self:line(indent, "def %s():", name)
    self:line(indent + 1, "global a")
    self:line(indent + 1, "a = a %% 50 + %d", self.random(9))
    self:line(indent, "%s()", name)
  end
end)

-- Errors, and what is done behind them.
add(function(self, depth, indent)
  local name = self:new_name()
  self:line(indent, "%s = %s", name, int(self, 1))
  self:line(indent, "try:")
  self:line(indent + 1, "if %s:", bool(self, 1))
  self:line(indent + 2, 'raise ValueError("no")')
  self:line(indent + 1, "%s = %s", name, int(self, 1))
  self:line(indent, self:pick { "except ValueError:", "except:" })
  self:line(indent + 1, "%s = %s", name, int(self, 1))
  self:within(math.min(depth, 0), indent + 1)
  self.names[#self.names + 1] = name
end)

-- ---- statements without a block ------------------------------------------------------------------------------------

local function simple(fn)
  SIMPLE[#SIMPLE + 1] = fn
end

for _ = 1, 2 do
  simple(function(self, _, indent)
    self:line(indent, "total = (total + %s) %% 9973", int(self, 2))
  end)
  simple(function(self, _, indent)
    self:line(indent, 'print("%%d" %% (%s))', int(self, 3))
  end)
end
simple(function(self, _, indent)
  self:line(indent, 'print("%%s" %% (%s,))', text(self, 2))
end)
simple(function(self, _, indent)
  self:line(indent, 'print("yes" if %s else "no")', bool(self, 3))
end)
simple(function(self, _, indent)
  self:line(indent, "%s = %s %% 997", self:target(), int(self, 2))
end)
simple(function(self, _, indent)
  local name = self:new_name()
  self:line(indent, "%s = %s", name, int(self, 2))
  self.names[#self.names + 1] = name
end)
simple(function(self, _, indent)
  local name, other = self:new_name(), self:new_name()
  self:line(indent, "%s = %s", name, list(self, 1))
  self:line(indent, self:pick { "%s = %s", "%s = list(%s)", "%s = %s.copy()", "%s = %s[:]" }, other, name)
  self:line(indent, "%s.append(%s)", name, int(self, 1))
  self:line(indent, "%s[%d] %s %s", name, self:pick { 0, -1 }, self:pick { "=", "+=", "-=" }, int(self, 1))
  self:line(indent, 'print("%%d %%d" %% (len(%s), %s[-1]))', other, other)
end)
simple(function(self, _, indent)
  local name, key = self:new_name(), self:pick { "one", "end", "a b" }
  self:line(indent, '%s = {"one": %s, "two": %s}', name, int(self, 1), int(self, 1))
  self:line(indent, '%s["%s"] = %s', name, key, int(self, 1))
  self:line(indent, 'print("%%d %%d" %% (%s["%s"] + %s["two"], len(%s)))', name, key, name, name)
  if self.random(2) == 1 then
    self:line(indent, "for key, value in %s.items():", name)
    self:line(indent + 1, self:pick { 'print("%%s %%d" %% (key, value))', "total += value" })
  end
end)
simple(function(self, _, indent)
  local name, at = self:new_name(), self:new_name()
  local kept = self:pick { at, ("-%s if %s > 2 else %s"):format(at, at, self:pick { "0", "None" }) }
  self:line(indent, "%s = [%s for %s in [1, %s, 4]]", name, kept, at, self:pick { "3", "3", "None" })
  self:line(indent, "%s.append(%s)", name, self:pick { "5", 'None', '{"a": 1}.get("b")' })
  self:line(indent, 'print("%%d %%s" %% (len(%s), "no" if %s[-1] is None else "yes"))', name, name)
end)
simple(function(self, _, indent)
  local name = self:new_name()
  self:line(indent, "%s = None", name)
  self:line(indent, "if %s:", bool(self, 1))
  self:line(indent + 1, "%s = %s", name, int(self, 1))
  self:line(indent, 'print("%%d" %% (%s if %s is %s else 0))', self:pick { name, "1" }, name, "not None")
end)
simple(function(self, _, indent)
  self:line(indent, 'print("%%.3f %%d" %% (%s / 7, int(%s / 3)))', int(self, 1), int(self, 1))
end)
simple(function(self, _, indent)
  self:line(indent, 'print("-".join(["%%d" %% n for n in %s]).%s())', list(self, 1), self:pick { "upper", "lower" })
end)
simple(function(self, _, indent)
  self:line(indent, 'print("{} {:>3d}".format(%s, %s))', int(self, 1), self:variable())
end)
simple(function(self, _, indent)
  local name = self:pick { "n", self:variable() }
  self:line(indent, "print(\"%%d\" %% sum([%s * %s for %s in numbers]))", name, self:variable(), name)
end)

-- ---- programs ------------------------------------------------------------------------------------------------------

-- A program of some statements from a generator of numbers: random(n), random(low, high).
function random_python.program(random)
  local odd = {}
  for i, name in ipairs(ODD) do
    odd[i] = name
  end
  local writer = setmetatable({ random = random, lines = {}, count = 0, names = { "a", "b", "total" }, first = 0,
    functions = {}, odd = odd }, Writer)
  for _, line in ipairs { "a, b, total = 3, -4, 0", "numbers = [3, -1, 4, 12, 5]", 'word = "pod"', "def twice(x, y=1):",
    "    return x * 2 + y", "def half(x):", "    return x // 2" } do
    writer:line(0, "%s", line)
  end
  for _ = 1, 3 do
    block(writer, 3, 0)
  end
  writer:line(0, 'print("%%d" %% total)')
  return table.concat(writer.lines, "\n") .. "\n"
end

return random_python
