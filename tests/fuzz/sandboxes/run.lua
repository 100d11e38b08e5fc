-- run - random scripts in sandboxes: lua run.lua [--count N] [--seed S] [--seconds T]. Scripts are written of
-- statements that try to run forever, to take memory, to reach what is not theirs; every tenth calls all that it
-- reaches with anything (calls.lua). After each the sandbox must be within its memory, have ended in its time, and
-- answer; and the host must compute as before. Ends with 1 where one did not.

local pod = require "moonpod"
local core = require "moonpod.core"
local tensor = require "moonpod.tensor"

local given = {}
for i = 1, #arg, 2 do
  given[assert(arg[i]:match "^%-%-(%l+)$", arg[i])] = arg[i + 1]
end
local seed, seconds = tonumber(given.seed or 1), tonumber(given.seconds)
local most = tonumber(given.count) or seconds and math.huge or 1000

local CALLS, CALLER_MEMORY = 300, 64 * 2 ^ 20 -- of each script that calls
local calling = assert(io.open((arg[0]:gsub("[^/]*$", "")) .. "calls.lua")):read "*a"
local state = seed

local function draw(n)
  state = (state * 48271) % 2147483647
  return state % n + 1
end

local function pick(list)
  return list[draw(#list)]
end

local NAMES = { "a", "b", "c", "t", "s", "f", "_G", "pod", "string", "table", "math", "coroutine", "error", "x",
  "lent" }
local NUMBERS = { "0", "1", "-1", "2", "3.5", "1e3", "1e9", "2^53", "-2^63", "0/0", "1/0", "255" }
local STRINGS = { "''", "'a'", "'%'", "'.-.-b'", "('x'):rep(1e3)", "'__index'", "'\\27Lua'", "'[a-'", "'%b()'", "'n'" }
local FIELDS = { "rep", "find", "gsub", "gmatch", "format", "sort", "concat", "insert", "remove", "unpack", "move",
  "wrap", "create", "resume", "huge", "random", "ones", "zeros", "tensor", "func", "matmul", "device", "core",
  "context", "configure", "data", "range", "map", "layers", "dense", "models", "sequential", "sandbox", "new",
  "variable", "__index", "limit", "sum", "load", "n", "shape", "totable", "while_loop" }
local FUNCTIONS = { "pcall", "xpcall", "error", "load", "setmetatable", "getmetatable", "rawset", "rawget", "select",
  "tostring", "tonumber", "next", "pairs", "ipairs", "type", "assert", "collectgarbage", "print", "require",
  "string.rep", "string.find", "string.gsub", "string.gmatch", "string.format", "string.byte", "string.char",
  "table.sort", "table.concat", "table.insert", "table.remove", "coroutine.wrap", "coroutine.resume",
  "coroutine.create", "pod.ones", "pod.zeros", "pod.tensor", "pod.matmul", "pod.sum", "pod.func", "pod.concat",
  "lent.echo", "lent.fail", "lent.raise", "lent.object", "lent.large", "lent.tensor", "lent.yield", "lent.again",
  "lent.close", "lent.keep", "lent.other", "pod.core.buffer",
  "pod.core.context", "pod.core.file_read", "pod.device.configure", "pod.data.range", "pod.reshape",
  "math.floor", "unpack or table.unpack", "rawequal", "math.random", "pod.random.uniform" }

local expression, block

function expression(depth)
  local kind = depth > 0 and draw(12) or draw(4)
  if kind == 1 then
    return pick(NAMES)
  elseif kind == 2 then
    return pick(NUMBERS)
  elseif kind == 3 then
    return pick(STRINGS)
  elseif kind == 4 then
    return pick { "nil", "true", "false", "{}", "..." }
  elseif kind == 5 then
    return ("(%s)(%s, %s)"):format(pick(FUNCTIONS), expression(depth - 1), expression(depth - 1))
  elseif kind == 6 then
    return ("(%s)(%s)"):format(pick(FUNCTIONS), expression(depth - 1))
  elseif kind == 7 then
    return ("(%s).%s"):format(expression(depth - 1), pick(FIELDS))
  elseif kind == 8 then
    return ("(%s):%s(%s)"):format(expression(depth - 1), pick(FIELDS), expression(depth - 1))
  elseif kind == 9 then
    return ("function(...) %s end"):format(block(depth - 1))
  elseif kind == 10 then
    return ("{ %s, %s, [%s or 1] = %s }"):format(expression(depth - 1), expression(depth - 1), expression(depth - 1),
      expression(depth - 1))
  elseif kind == 11 then
    return ("(%s) %s (%s)"):format(expression(depth - 1), pick { "+", "-", "*", "..", "==", "<", "and", "or", "^",
      "%" }, expression(depth - 1))
  end
  return ("setmetatable({}, { %s = %s })"):format(pick { "__index", "__call", "__len", "__lt", "__concat", "__gc",
    "__close", "__tostring", "__newindex", "__mode" }, expression(depth - 1))
end

local function statement(depth)
  local kind = depth > 0 and draw(10) or draw(3)
  if kind <= 2 then
    return ("%s = %s"):format(pick { "a", "b", "c", "t", "s", "f", "x", "t.x", "pod.x", "string.x" }, expression(depth))
  elseif kind == 3 then
    return ("pcall(%s, %s)"):format(pick(FUNCTIONS), expression(depth))
  elseif kind == 4 then
    return ("while %s do %s end"):format(pick { "true", expression(depth - 1) }, block(depth - 1))
  elseif kind == 5 then
    return ("for i = 1, %s do %s end"):format(pick { "10", "1e4", "1e9" }, block(depth - 1))
  elseif kind == 6 then
    return ("local ok, e = pcall(function(...) %s end, %s)"):format(block(depth - 1), expression(depth - 1))
  elseif kind == 7 then
    return ("xpcall(function(...) %s end, function(...) %s end)"):format(block(depth - 1), block(depth - 1))
  elseif kind == 8 then
    return ("coroutine.wrap(function(...) %s end)(%s)"):format(block(depth - 1), expression(depth - 1))
  elseif kind == 9 then
    return ("if %s then %s else %s end"):format(expression(depth - 1), block(depth - 1), block(depth - 1))
  end
  return ("t = %s; t[#t + 1] = %s"):format("type(t) == 'table' and t or {}", expression(depth - 1))
end

function block(depth)
  local list = {}
  for i = 1, draw(3) do
    list[i] = statement(depth)
  end
  return table.concat(list, " ")
end

local LIMIT, MEMORY = 0.3, 24 * 2 ^ 20
local began, slowest = core.clock(), 0
local counts = { scripts = 0, ended = 0, raised = 0, stopped = 0, malformed = 0, calls = 0 }
local box, uses

-- What the host lends to scripts: functions that fail in all ways.
local kept
local lent = {
  echo = function(...) return ... end,
  fail = function() error {} end,
  raise = function(text) error(text, 0) end,
  object = function() return setmetatable({}, { __index = error }), print end,
  large = function(n) return ("x"):rep(type(n) == "number" and n > 0 and n < 3e7 and n or 1e7) end,
  tensor = function(t) return tensor.is(t) and t * 2 or pod.ones { 100, 100 } end,
  yield = function(...) return coroutine.yield(...) end,
  again = function(text) return box:run(text) end,
  close = function() box:close() end,
  other = function(text)
    local other = pod.sandbox.new { memory = MEMORY, instructions = 1e5, seconds = LIMIT }
    local ok, message = pcall(other.run, other, text)
    other:close()
    return ok, tostring(message)
  end,
  keep = function(t)
    local was = kept
    kept = t
    return was
  end }

local function fail(text, format, ...)
  io.write(("sandboxes: script %d of seed %d: "):format(counts.scripts, seed), format:format(...), "\n", text, "\n")
  os.exit(1)
end

local function try(text)
  if not box or uses == 50 then
    if box then
      box:close()
    end
    box, uses = pod.sandbox.new { memory = MEMORY, instructions = 3e6, seconds = LIMIT,
      env = { lent = lent } }, 0
  end
  uses = uses + 1
  local before, cpu = core.clock(), os.clock()
  local ok, message = pcall(box.run, box, text)
  local took = os.clock() - cpu
  slowest = math.max(slowest, took)
  local held, peak = box:memory()
  if took > LIMIT + 5 then
    fail(text, "it took %.2f s of the processor, %.2f s in all", took, core.clock() - before)
  elseif held > MEMORY or peak > MEMORY then
    fail(text, "%d bytes are held", held)
  end
  message = tostring(message)
  local outcome = ok and "ended" or message:find "was stopped" and "stopped" or message:find "near" and "malformed"
    or "raised"
  counts[outcome] = counts[outcome] + 1
  local alive, answer = pcall(box.run, box, "return 1 + 1")
  if not alive or answer ~= 2 then -- a script may have spoilt its own globals, or taken all memory: the host drops it
    box:close()
    box = nil
  end
end

-- Calls all that there is in a sandbox that has more time, and is kept for some runs.
local caller
local function call_anything()
  if not caller or counts.scripts % 200 == 0 then
    if caller then
      caller:close()
    end
    caller = pod.sandbox.new { memory = CALLER_MEMORY, instructions = 1e9, seconds = 20, env = { lent = lent } }
  end
  local ok = pcall(caller.run, caller, calling, draw(2 ^ 30), CALLS)
  local alive, made = pcall(caller.run, caller, "return made")
  local _, peak = caller:memory()
  counts[ok and "ended" or "stopped"] = counts[ok and "ended" or "stopped"] + 1
  counts.calls = counts.calls + (alive and type(made) == "number" and made or 0)
  if peak > CALLER_MEMORY then
    fail("calls.lua", "%d bytes were held", peak)
  elseif not alive then
    caller:close()
    caller = nil
  end
end

while counts.scripts < most and (not seconds or core.clock() - began < seconds) do
  counts.scripts = counts.scripts + 1
  local text = counts.scripts % 10 == 0 and "calls" or block(4)
  if text == "calls" then
    call_anything()
  else
    try(text)
  end
  if (pod.ones { 2 } + pod.ones { 2 }):totable()[2] ~= 2 or type(string.rep) ~= "function" then
    fail(text, "the host computes something else")
  end
end
if box then
  box:close()
end
print(("sandboxes: %d scripts (%d ended, %d raised, %d stopped, %d malformed; %d calls), the slowest took %.2f s")
  :format(counts.scripts, counts.ended, counts.raised, counts.stopped, counts.malformed, counts.calls, slowest))
