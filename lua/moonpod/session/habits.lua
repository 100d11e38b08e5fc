-- habits - what those who come from Python write, and what Lua has in its place: the ends of messages of errors.

local texts = require "moonpod.base.texts"

local habits = {}

-- Words of Python's that are globals there. What Lua has for them, and `pod`.
local WORDS = {
  len = "Lua writes #x", range = "Lua counts so: for i = 1, n do ... end", enumerate = "Lua writes ipairs(x)",
  zip = "pod.data.zip { a, b } joins datasets", str = "Lua writes tostring(x)",
  int = "Lua writes math.floor(x), or x:cast \"int32\" of a tensor",
  float = "Lua writes tonumber(x), or x:item() of a tensor", list = "a list is a table: { 1, 2 }",
  tuple = "a tuple is a table: { 1, 2 }", dict = "a dict is a table: { name = value }",
  isinstance = "Lua writes type(x), and pod.is_tensor(x)", sum = "pod.sum(x) is of tensors",
  max = "Lua writes math.max(a, b), and pod.max(x) of tensors",
  min = "Lua writes math.min(a, b), and pod.min(x) of tensors",
  abs = "Lua writes math.abs(x), and pod.abs(x) of tensors", sorted = "Lua writes table.sort(list)",
  input = "Lua writes io.read()", open = "Lua writes io.open(path)", exit = "Lua writes os.exit()",
  np = "NumPy's functions are in pod: pod.zeros { 2, 3 }", numpy = "NumPy's functions are in pod: pod.zeros { 2, 3 }",
  tf = "what TensorFlow and Keras have is in pod: pod.data, pod.layers",
  keras = "what Keras has is in pod: pod.layers, pod.models",
  torch = "PyTorch's functions are in pod, by NumPy's names",
  tensorflow = "what TensorFlow and Keras have is in pod: pod.data, pod.layers",
  pod = "begin with: local pod = require \"moonpod\"",
}

-- Parts of pod that scripts of Keras import.
local PARTS = { layers = true, models = true, losses = true, metrics = true, optimizers = true, callbacks = true,
  datasets = true, initializers = true, regularizers = true, constraints = true, applications = true }

-- The end of a message about a global that is nil; nil where there is nothing to say.
function habits.of_global(name)
  if WORDS[name] and rawget(_G, name) == nil then
    return "; " .. WORDS[name]
  end
  if PARTS[name] then
    return ("; write pod.%s, or before: local %s = pod.%s"):format(name, name, name)
  end
end

-- Patterns of the line that is no Lua, and of the message; the first that fit tell what Lua writes.
local LINES = {
  { "^%s*import%s", nil, "Lua writes: local pod = require \"moonpod\"" },
  { "^%s*from%s.*%simport%s", nil, "Lua writes: local layers = pod.layers" },
  { "^%s*def%s", nil, "Lua writes: local function name(x) ... end" },
  { "^%s*class%s", nil, "Lua has no classes: pod.layers.subclass and its like make them" },
  { "^%s*#", "near '#'", "comments begin with --" },
  { "^%s*elif%s", nil, "Lua writes: elseif ... then" },
  { "^%s*else%s*:", nil, "Lua writes else without a colon" },
  { "^%s*try%s*:", nil, "Lua writes: local ok, message = pcall(f, ...)" },
  { "%f[%w]lambda%f[%W].*:", nil, "Lua writes: function(x) return ... end" },
  { "%sis%s", "near 'is'", "Lua writes: x == nil" },
  { "//", "near '/'", "comments begin with --" },
  { "^%s*if%s.*:%s*$", nil, "Lua writes: if ... then ... end" },
  { "^%s*for%s.*:%s*$", nil, "Lua writes: for i = 1, n do ... end" },
  { "^%s*while%s.*:%s*$", nil, "Lua writes: while ... do ... end" },
  { "^%s*with%s.*:%s*$", nil, "Lua writes: strategy:scope(function() ... end), pod.tape(function() ... end)" },
  { "!=", nil, "Lua writes ~= for \"is not equal\"" },
  { "[+*/-]=", nil, "Lua writes x = x + 1" },
  { "&&", nil, "Lua writes: a and b" },
  { "||", nil, "Lua writes: a or b" },
  { "%*%*", nil, "Lua writes x ^ 2 for a power" },
  { "%w%s*@%s*%w", "near '@'", "a product of matrices is pod.matmul(a, b)" },
  { "%(.*[%w_]+%s*=[^=]", "%)' expected.* near '='", "options stand in a table: f(x, { name = value })" },
  { "[%(=,]%s*%[", "unexpected symbol near '%['", "a list is { 1, 2 }" },
  { "%[[^%]]*,", "%]' expected.* near ','", "x[{ 0, 1 }] counts from 0, as NumPy" },
  { "%[[^%]]*:", "%]' expected.* near ':'", "x[{ \"0:3\" }] picks as NumPy does" },
  { "%)%s*:%s*[%w_]+%s*$", "function arguments expected", "a field has a dot: model:fit(...).history" },
  { ":[%w_]+%s*%.", "function arguments expected", "a field has a dot, a method a colon and arguments" },
  { "%{", "'}' expected.* near '?[%w\"'{]", "is a comma missing before it?" },
  { "%(", "'%)' expected.* near '?[%w\"'{]", "is a comma missing before it?" },
}

-- What a message of Lua's compiler is to end with, or "". text: what was compiled; nil: the script that the message
-- names, if it uses Moonpod.
function habits.of_syntax(message, text)
  local path, number = message:match "^(.-):(%d+): "
  if not text then
    text = path and texts.read(path, 1e6) or ""
    if not text:find("moonpod", 1, true) then
      return ""
    end
  end
  local line = number and texts.lines(text)[tonumber(number)]
  local name = line and message:find "near '<\\%d+>'" and line:match "[%w_]*[\128-\255][%w_\128-\255]*"
  if name then
    return ("; names are made of a-z, A-Z, 0-9 and _ in this Lua: '%s' is none"):format(name)
  end
  for _, one in ipairs(line and LINES or {}) do
    if line:find(one[1]) and (one[2] == nil or message:find(one[2])) then
      return "; " .. one[3]
    end
  end
  return ""
end

return habits
