-- Calls everything that the Lua API has with anything: all exports and methods, of what is exported and of what calls
-- return; garbage, extremes of int64, closed handles, wrong selves, cyclic tables, functions that call the API again.
--
--     lua5.4 tests/fuzz/api.lua [--seconds S | --count N] [--seed S] [--only TEXT] [--scratch DIRECTORY]
--
-- A call may give a result or raise an error that says what is wrong: a crash, a hang or an error that Lua itself
-- raised in a file of lua/moonpod is a fault. Before each call DIRECTORY/last-call has what it is; the same seed makes
-- the same calls. Written for Lua 5.4.

local options = { count = 20000, seed = 1, scratch = os.getenv "TMPDIR" or "/tmp" }
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  assert(name and arg[i + 1], "api.lua: give --seconds, --count, --seed, --only or --scratch with a value")
  options[name] = tonumber(arg[i + 1]) or arg[i + 1]
end

local pod = require "moonpod"
local core = require "moonpod.core"
local handles = dofile((arg[0]:gsub("[^/]*$", "")) .. "api_handles.lua")
local real_print, clock = print, os.clock

-- ---- chance --------------------------------------------------------------------------------------------------

local state = options.seed * 2654435761 + 88172645463325252
local function draw(n)
  state = state ~ state << 13
  state = state ~ state >> 7
  state = state ~ state << 17
  return (state >> 1) % n + 1
end

local function one_of(list)
  return list[draw(math.max(#list, 1))]
end

-- ---- what can be called ----------------------------------------------------------------------------------------

-- What waits for a person or another program, ends this one, or changes what the fuzzer itself stands on, as who closes
-- pod's own context does; models of up to half a gigabyte.
local left_out = {
  "on_break", "^pod%.core%.%w+_interrupt", "wait_for", "%.serve", "^pod%.data%.watch", "^pod%.cache%.clear",
  "^pod%.device%.configure", "^pod%.device%.context", "set_threads",
  "^pod%.applications%.",
}

local function is_left_out(name)
  for _, pattern in ipairs(left_out) do
    if name:find(pattern) then
      return true
    end
  end
  return false
end

-- The keys of a table that are strings, in an order that is the same at each start.
local function names_in(t)
  local names = {}
  for key in next, t do
    if type(key) == "string" then
      names[#names + 1] = key
    end
  end
  table.sort(names)
  return names
end

local calls, known, walked = {}, {}, {}

local function add(name, fn, self)
  if not is_left_out(name) and (self ~= nil or not known[fn]) then
    known[fn] = true
    calls[#calls + 1] = { name = name, fn = fn, self = self }
  end
end

local walk

-- What a metatable brings: operators, methods of all ancestors.
local function walk_metatable(name, meta, self, depth)
  for _, key in ipairs(names_in(meta)) do
    if key:find "^__" and type(meta[key]) == "function" and key ~= "__gc" then
      add(name .. "@" .. key, meta[key], self)
    end
  end
  if type(rawget(meta, "__index")) == "table" then
    walk(name, meta.__index, self, depth)
  end
end

function walk(name, t, self, depth)
  if depth > 4 or (self == nil and walked[t]) then
    return
  end
  walked[t] = true
  for _, key in ipairs(names_in(t)) do
    local value = rawget(t, key)
    if type(value) == "function" then
      add(name .. "." .. key, value, self)
    elseif type(value) == "table" and self == nil then
      walk(name .. "." .. key, value, nil, depth + 1)
    end
  end
  local meta = debug.getmetatable(t)
  if type(meta) == "table" then
    if type(meta.__call) == "function" then
      add(name .. "()", function(...) return t(...) end)
    end
    walk_metatable(name, meta, self, depth + 1)
  end
end

-- pod loads its parts when they are asked for: the lists that it looks them up in are upvalues.
local function load_all()
  local function upvalue(fn, wanted)
    for i = 1, 20 do
      local name, value = debug.getupvalue(fn, i)
      if name == wanted then
        return value
      end
    end
  end
  local find = upvalue(getmetatable(pod).__index, "find")
  for _, list in ipairs { upvalue(find, "functions"), upvalue(find, "is_part"), (require "moonpod.ops") } do
    for _, name in ipairs(names_in(list)) do
      pcall(function() return pod[name] end)
    end
  end
end

-- ---- what they are called with -----------------------------------------------------------------------------------

local context = handles.context

local function small_model()
  local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
  model:compile { optimizer = "sgd", loss = "mse" }
  return model
end

local function small_graph()
  local graph = core.graph(context())
  local x = graph:parameter("f32", { 3 })
  graph:output((graph:unary("exp", x)))
  return graph
end

local function closed(thing)
  thing:close()
  return thing
end

-- One of each kind. Made anew from time to time: calls close and spoil them.
local makers = {
  batched = function() return pod.data.from_tensor_slices({ pod.ones { 4, 3 }, pod.ones { 4, 2 } }):batch(2) end,
  bool = function() return pod.tensor { true, false } end,
  closed_dataset = function() return closed(core.dataset_range(context(), 0, 5, 1)) end,
  closed_iterator = function() return closed(pod.data.range(5):iterator()) end,
  core_buffer = function() return core.buffer(context(), { 1, 2, 3 }) end,
  core_closed_buffer = function() return closed(core.buffer(context(), { 1, 2, 3 })) end,
  core_closed_context = function() return closed(core.context {}) end,
  core_closed_graph = function() return closed(small_graph()) end,
  core_closed_program = function() return closed(core.compile(context(), small_graph())) end,
  core_context = function() return context() end,
  core_dataset = function() return core.dataset_range(context(), 0, 5, 1) end,
  core_graph = small_graph,
  core_iterator = function() return core.dataset_range(context(), 0, 5, 1):iterator() end,
  core_program = function() return core.compile(context(), small_graph()) end,
  core_source = function() return core.source(function() return nil end) end,
  dataset = function() return pod.data.range(5) end,
  empty = function() return pod.zeros { 0, 3 } end,
  func = function() return pod.func(function(x) return x * 2 end) end,
  generator = function()
    return pod.data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        return i < 4 and pod.tensor { i } or nil
      end
    end, pod.spec({ 1 }, "float32"))
  end,
  input = function() return pod.layers.input { shape = { 3 } } end,
  integers = function() return pod.tensor({ 1, 2 }, { dtype = "int32" }) end,
  iterator = function() return pod.data.range(5):iterator() end,
  layer = function() return pod.layers.dense(3) end,
  layer_conv = function() return pod.layers.conv2d(3, 3) end,
  layer_lstm = function() return pod.layers.lstm(3) end,
  loss = function() return pod.losses.mean_squared_error() end,
  metric = function() return pod.metrics.mean() end,
  model = small_model,
  model_empty = function() return pod.models.sequential {} end,
  optimizer = function() return pod.optimizers.adam() end,
  record_writer = function() return pod.data.records.writer(options.scratch .. "/w.rec") end,
  scalar = function() return pod.tensor(3) end,
  schedule = function() return pod.schedules.exponential_decay(0.1, 10, 0.9) end,
  spec = function() return pod.spec({ 2, 3 }, "float32") end,
  strategy = function() return pod.distribute.mirrored(2) end,
  tape = function() return pod.tape { persistent = true } end,
  tensor = function() return pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } } end,
  topology = function() return pod.topology "v3-8" end,
  variable = function() return pod.variable { 1, 2, 3 } end,
}

os.execute(("mkdir -p '%s'"):format(options.scratch))
for name, make in next, handles.makers(options.scratch) do
  makers[name] = make
end
local object_names, objects = names_in(makers), {}
local function make_object(name)
  local ok, made = pcall(makers[name])
  objects[name] = ok and made or {}
  handles.keep(made, draw)
  return ok, made
end

local cycle, cycle_of_fields = { 1 }, {}
cycle[1] = cycle
cycle_of_fields.x = cycle_of_fields
local hostile = setmetatable({}, {
  __index = function() error "hostile __index" end,
  __len = function() error "hostile __len" end,
  __tostring = function() error "hostile __tostring" end,
})

local function deep(levels)
  local t = 1
  for _ = 1, levels do
    t = { t }
  end
  return t
end

local least, most = math.mininteger, math.maxinteger
local numbers = { 0, -1, 1, 2, 3, 7, 1.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 31, -2 ^ 31, 2 ^ 32, 2 ^ 53, 2 ^ 63, 1e308,
  least, most, least + 1, most - 1, 1 << 31, 1 << 32, 1 << 48, 1 << 62, -(1 << 62), most // 8 }
local texts = { "", "float32", "int32", "bool", "bfloat16", "relu", "adam", "mse", "same", "valid", "sum", "auto",
  "mean", "v3-8", "0:2", "::-1", "\0\1\255", "nothere/x", ("x"):rep(5000), "%s%n%d", "{}", "a b", "apply", "exp",
  ("%d:%d:%d"):format(most, least, most) }
local tables = { {}, { 1, 2, 3 }, { -1 }, { 0 }, { 2, 3 }, { 2 ^ 40, 2 ^ 40 }, { most }, { least, least },
  { most, most, most }, { 0 / 0 }, { {}, {} }, { { 1, 2 }, { 3 } }, { { 1, "x" } }, { a = 1 }, { 1, nil, 3 }, cycle,
  cycle_of_fields, hostile, deep(3), deep(60), { { least, most } }, { "float32" }, { axis = most }, { axis = 9 },
  { seed = -1 }, { units = -1 }, { name = 5 }, { dtype = 5 }, { dtype = "int64" }, { input_shape = { -1 } },
  { batch_size = -1, epochs = -1 }, { optimizer = "nope" }, { verbose = 0, epochs = 1 }, { shape = { most } },
  { keepdims = "x" }, { strides = most }, { padding = "same", strides = 2 }, { steps = most },
  { shape = { 2 }, dtype = "int32" } }

local depth, act = 0, nil -- of calls within calls

-- Functions that call back: each does something to an object or calls anything.
local functions = {
  function() end,
  function(...) return ... end,
  function() error "on purpose" end,
  function() error {} end,
  function() collectgarbage() end,
  function() return act() end,
  function(...) act() return ... end,
  function() coroutine.yield() end,
  function()
    local object = objects[one_of(object_names)]
    pcall(function() object:close() end)
    return object
  end,
}

-- What a bare function of C raises has the place of the file that called it: those here raise nothing.
local others = { true, false, io.stdout, coroutine.create(function() end), print, os.clock }

local function argument()
  local kind = draw(12)
  if kind <= 3 then
    return one_of(numbers)
  elseif kind == 4 then
    return one_of(texts)
  elseif kind <= 6 then
    return one_of(tables)
  elseif kind == 7 then
    return one_of(functions)
  elseif kind == 8 then
    return one_of(others)
  elseif kind == 9 then
    return { one_of(numbers), one_of(numbers) }
  elseif kind == 10 then
    return { argument(), argument() }
  end
  return objects[one_of(object_names)]
end

-- ---- what comes of it ----------------------------------------------------------------------------------------------

local names_of = {}

local function show(value, nested)
  local kind = type(value)
  if kind == "string" then
    return ("%q"):format(value:sub(1, 24))
  elseif kind == "table" and rawequal(value, hostile) then
    return "hostile"
  elseif kind == "table" or kind == "userdata" then
    for _, name in ipairs(object_names) do
      if rawequal(objects[name], value) then
        return "<" .. name .. ">"
      end
    end
    if kind == "userdata" or nested or debug.getmetatable(value) then
      return kind == "userdata" and kind or "{..}"
    end
    local parts = {}
    for i = 1, math.min(#value, 4) do
      parts[i] = show(value[i], true)
    end
    for _, key in ipairs(names_in(value)) do
      parts[#parts + 1] = key .. " = " .. show(value[key], true)
    end
    return "{ " .. table.concat(parts, ", ") .. " }"
  elseif kind == "function" then
    return names_of[value] or kind
  end
  return tostring(value)
end

for i, fn in ipairs(functions) do
  names_of[fn] = "callback " .. i
end

-- Ways in which Lua and its libraries say that they were given something else than the code expected.
local raw = { "attempt to ", "bad argument", "assertion failed", "stack overflow", "invalid value %(", "invalid option",
  "malformed pattern", "table index is", "unable to dump", "cannot convert", "invalid key to 'next'", "'for' " }

local on_purpose = { "on purpose", "hostile __", "took too long", "outside a coroutine", "across a C%-call",
  "cannot resume dead", "C stack overflow" }

local faults, fault_order = {}, {}

-- Keeps an error that is none of ours: raised in a file of lua/moonpod, or by a function of the module that was
-- called with what a file of lua/moonpod had not looked at.
local function judge(call, arguments, count, message)
  if type(message) ~= "string" then
    local ok, text = pcall(tostring, message)
    if type(message) == "table" and ok and debug.getmetatable(message) then
      message = text
    else
      return -- of a callback that raised it
    end
  end
  for _, pattern in ipairs(on_purpose) do
    if message:find(pattern) then
      return
    end
  end
  local where = message:match "moonpod/([%w_/]+%.lua:%d+)"
  local is_raw = false
  for _, pattern in ipairs(raw) do
    is_raw = is_raw or message:find(pattern) ~= nil
  end
  -- behind a place in this file is what a function of the API says, or one of the callbacks above; a function of C that
  -- is called from here has no place, and names itself as well as it can
  local is_own = not where and (message:find "^[^\n]*api%.lua:%d+: " or message:find "^bad argument #%d+ to"
    and debug.getinfo(call.fn, "S").what == "C")
  if not is_raw or is_own then
    return
  end
  local key = where or (call.name .. message:gsub("%d+", "N"))
  if not faults[key] then
    local shown = {}
    for i = 1, count do
      shown[i] = show(arguments[i])
    end
    faults[key] = ("%s(%s)\n    %s"):format(call.name, table.concat(shown, ", "), message:match "^[^\n]*":sub(1, 220))
    fault_order[#fault_order + 1] = key
  end
end

-- ---- calling --------------------------------------------------------------------------------------------------------

local last_call = assert(io.open(options.scratch .. "/last-call", "w"))
last_call:setvbuf "no"

local function note(number, call, arguments, count)
  local shown = {}
  for i = 1, count do
    shown[i] = show(arguments[i])
  end
  local text = ("%s%d: %s(%s)"):format((" "):rep(2 * (depth - 1)), number, call.name, table.concat(shown, ", "))
  if depth == 1 then
    last_call:seek "set"
  end
  last_call:write(text:sub(1, 900), (" "):rep(math.max(0, 900 - #text)), "\n")
end

local function too_long()
  error("took too long", 0)
end

local made, raised = 0, 0

function act()
  if depth >= 3 then
    return nil
  end
  depth = depth + 1
  local call, arguments, count = one_of(calls), {}, draw(6) - 1
  for i = 1, count do
    arguments[i] = argument()
  end
  if call.self and draw(4) > 1 then
    arguments[1], count = objects[call.self], math.max(count, 1)
  elseif call.class and draw(8) > 1 then
    arguments[1], count = one_of(handles.of(call.class)), math.max(count, 1)
  end
  made = made + 1
  note(made, call, arguments, count)
  local result = table.pack(pcall(call.fn, table.unpack(arguments, 1, count)))
  for i = 2, math.min(result.n, 4) do
    handles.keep(result[i], draw)
  end
  if not result[1] then
    raised = raised + 1
    judge(call, arguments, count, result[2])
  elseif draw(4) == 1 and result[2] ~= nil then
    local ok, message = pcall(tostring, result[2])
    if not ok then
      judge({ name = "tostring of " .. call.name }, arguments, count, message)
    end
  end
  depth = depth - 1
  return result[2]
end

local function prepare()
  load_all()
  for _, name in ipairs(object_names) do
    local ok, message = make_object(name)
    if not ok then
      real_print("api: " .. name .. " cannot be made: " .. tostring(message))
      os.exit(2)
    end
  end
  walk("pod", pod, nil, 1)
  for _, name in ipairs(object_names) do
    local object = objects[name]
    local meta = debug.getmetatable(object)
    if type(object) == "table" then
      walk(name, object, name, 1)
    elseif meta then
      walk_metatable(name, meta, name, 1)
    end
  end
  local classes = handles.classes()
  for _, class in ipairs(names_in(classes)) do
    for _, key in ipairs(names_in(classes[class])) do
      if not is_left_out(class .. "." .. key) then
        calls[#calls + 1] = { name = class .. ":" .. key, fn = classes[class][key], class = class }
      end
    end
  end
  -- methods of tensors are ops, which __index finds
  for _, name in ipairs(names_in(require "moonpod.ops")) do
    local ok, fn = pcall(function() return objects.tensor[name] end)
    if ok and type(fn) == "function" then
      add("tensor:" .. name, fn, "tensor")
    end
  end
  if options.only then
    local some = {}
    for _, call in ipairs(calls) do
      some[#some + 1] = call.name:find(options.only, 1, true) and call or nil
    end
    calls = some
  end
end

prepare()
real_print(("api: %d functions, seed %d, without a handle:%s"):format(#calls, options.seed,
  handles.missing()))
print = function() end -- some of what is called prints
io.write = function() return io.stdout end
local began = clock()
local step, log_placement = 0, pod.device.log_placement
while options.seconds and clock() - began < options.seconds or not options.seconds and made < options.count do
  step = step + 1
  handles.limit(30)
  debug.sethook(too_long, "", 20000000)
  local ok, message = pcall(act)
  debug.sethook()
  depth = 0
  if step % 16 == 0 then
    log_placement(false) -- to a callback that collects garbage each operation took as long as many steps
  end
  if not ok and not tostring(message):find "took too long" then
    real_print("api: the fuzzer itself failed: " .. tostring(message))
    os.exit(2)
  end
  make_object(one_of(object_names))
end
for _, key in ipairs(fault_order) do
  real_print("RAW " .. faults[key])
end
real_print(("api: %d calls, %d errors, %d of them raw"):format(made, raised, #fault_order))
os.exit(#fault_order == 0 and 0 or 1, true)
