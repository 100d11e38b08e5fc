-- sweep - scenarios with one call of the system failing: the first, the second, ... until a run passes without a fault.
--
--     tests/faults/run BUILD sweep MOST [SCENARIO...]
--
-- MOST faults at most of a kind in a scenario, chosen by a fixed seed where there are more calls. After each fault: the
-- run gave the right answer or an error with a message; files are as before or as after, and there are no others. After
-- some memory and files are at the level of before, and after all of a kind the same run without faults gives the right
-- answer.

local injector = require "fault_injector"
local pod = require "moonpod"
local programs = require "moonpod.tensor.programs"
local scope = require "moonpod.layers.scope"
local trace = require "moonpod.tensor.trace"

local here = arg[0]:gsub("[^/]*$", "")
local stopping = dofile(here .. "../lua/support/stopping.lua")
local scenarios = dofile(here .. "scenarios.lua")

local SECONDS = 60       -- for one run
local ROUND = 10         -- runs between two looks at memory
-- Bytes that may be held more after all faults of a kind, by the core and by the process with all that the C library
-- keeps. Runs of a round in which Lua lost a finaliser do not count: to call one takes memory where Lua has no frame to
-- spare, and what it would have freed is lost with it.
local LEVEL = 8 * 1024

pod.device.configure { threads = 2 } -- whatever the machine has

local most = tonumber(arg[1])
local folder = arg[2]
local failed = 0

local function fail(format, ...)
  failed = failed + 1
  print("  FAILED " .. format:format(...))
end

local function excerpt(value)
  return ("%q"):format(tostring(value):sub(1, 80))
end

-- ---- files ---------------------------------------------------------------------------------------------------------

local open = io.open

local function read_file(path)
  local file = open(path, "rb")
  local bytes = file and file:read "a"
  if file then
    file:close()
  end
  return bytes
end

-- Bytes of all files below a folder by path; what is no file nor folder is not looked for.
local function snapshot(path, into, prefix)
  for _, name in ipairs(injector.entries(path)) do
    local below = path .. "/" .. name
    if injector.entries(below) then
      snapshot(below, into, prefix .. name .. "/")
    else
      into[prefix .. name] = read_file(below)
    end
  end
  return into
end

local function remove_all(path)
  for _, name in ipairs(injector.entries(path) or {}) do
    local below = path .. "/" .. name
    if injector.entries(below) then
      remove_all(below)
    end
    os.remove(below)
  end
end

-- Whether every file is as it was or as it becomes, and none is missing that was there.
local function check_files(scenario, clean, complete, where)
  local now = snapshot(folder, {}, "")
  for path in pairs(now) do
    if path:find "%.part$" then -- writers that nobody has any longer leave no file
      collectgarbage()
      collectgarbage()
      now = snapshot(folder, {}, "")
      break
    end
  end
  local before, after = clean.before, clean.after
  for path, bytes in pairs(now) do
    if bytes ~= after[path] and (complete or bytes ~= before[path])
      and not (scenario.is_another and scenario.is_another(path)) then
      fail("%s: file %s is %s", where, path, (after[path] or before[path]) and "neither as before nor as after"
        or "left over")
    end
  end
  for path in pairs(complete and after or before) do
    if now[path] == nil and (complete or after[path]) then
      fail("%s: file %s is missing", where, path)
    end
  end
end

-- ---- what outlives a run --------------------------------------------------------------------------------------------

local functions = { open = io.open, random = math.random, time = os.time }

-- Raises where a run left something open or changed.
local function check_process()
  assert(io.open == functions.open and math.random == functions.random and os.time == functions.time,
    "functions of Lua are replaced")
  assert(trace.current() == nil, "a trace is open")
  assert(#trace.tapes == 0, "a tape records")
  assert(not pod.distribute.has_strategy(), "the scope of a strategy is open")
  assert(not pod.distribute.in_replica_context(), "the context of a replica is open")
  assert(trace.scope_path() == nil, "a name of nodes is open")
  assert(scope.training(nil, {}) == false, "layers are training")
end

-- ---- levels --------------------------------------------------------------------------------------------------------

local function level()
  for _ = 1, 3 do
    collectgarbage()
    trace.sync() -- what waits to be computed, and programs of eager operations, are kept on purpose
    programs.clear()
  end
  local files = injector.entries "/proc/self/fd"
  return { core = pod.device.context():memory().current_bytes,
    process = injector.bytes() - collectgarbage "count" * 1024, files = files and #files or 0 }
end

-- Adds what the runs since `held` was last looked at hold.
local function look_at_level(held)
  local now, lost = level(), injector.lost()
  held.rounds = held.rounds + 1
  if lost == held.lost then
    held.looked = held.looked + 1
    for _, kind in ipairs { "core", "process", "files" } do
      held[kind] = held[kind] + now[kind] - held.last[kind]
    end
  end
  held.last, held.lost = now, lost
end

local function new_held()
  return { core = 0, process = 0, files = 0, rounds = 0, looked = 0, last = level(), lost = injector.lost() }
end

local function check_level(held, where)
  if held.core > LEVEL then
    fail("%s: the core holds %d bytes more than before", where, held.core)
  end
  if held.process > LEVEL then
    fail("%s: the process holds %d bytes more than before", where, held.process)
  end
  if held.files > 0 then
    fail("%s: %d files stay open", where, held.files)
  end
end

-- ---- a scenario -----------------------------------------------------------------------------------------------------

local NEVER = 1000000000000 -- the call that is never reached

-- One run with calls from `first` on failing, `count` of them (0: all). Returns whether it passed, what it gave, the
-- faults injected and the calls seen.
local function run(scenario, fault, first, count)
  remove_all(folder)
  local ready, why = pcall(scenario.before or type, folder)
  if not ready then -- the run before has left something that fails once
    fail("%s, before %s %d: %s", scenario.name, fault, first, tostring(why))
    scenario.before(folder)
  end
  local work = scenario.run
  injector.watch(("%s, %s %d (%d)"):format(scenario.name, fault, first, count), SECONDS)
  local ok, result, injected, calls
  if fault == "stop" and first == NEVER then
    calls = stopping.count(work, folder)
    ok, result = pcall(work, folder)
  elseif fault == "stop" then
    local stopped
    stopped, ok, result = stopping.pcall(first, work, folder)
    injected = stopped and 1 or 0
  else
    injector.arm(fault, first, count)
    ok, result = pcall(work, folder)
    injected, calls = injector.disarm()
  end
  pod.device.context():clear_interrupt()
  injector.watch("", 0)
  if scenario.after then
    scenario.after()
  end
  return ok, result, injected, calls
end

local function is_message(value)
  return type(value) == "string" and #value > 8
end

-- Numbers from 1 to n: all of them, or some that a fixed seed chooses, in rising order.
local function choose(n, most)
  local numbers, state = {}, 12345
  for i = 1, math.min(n, most) do
    state = (state * 1103515245 + 12345) % 2147483648
    numbers[i] = n <= most and i or 1 + math.floor((i - 1 + state / 2147483648) * n / most)
  end
  return numbers
end


-- All faults of a kind in a scenario, `count` calls at a time.
local function sweep(scenario, fault, count, clean)
  local _, _, _, calls = run(scenario, fault, NEVER, 1)
  local held = new_held()
  local tried, injected, errors, survived, failed_before = 0, 0, 0, 0, failed
  for _, number in ipairs(choose(calls, most * (scenario.weight or 1))) do
    local where = ("%s, %s %d%s"):format(scenario.name, fault, number, count == 0 and " and on" or count > 1
      and (" to %d"):format(number + count - 1) or "")
    local ok, result, hits = run(scenario, fault, number, count)
    tried, injected = tried + 1, injected + hits
    if tried % ROUND == 0 then
      look_at_level(held)
    end
    if hits > 0 then
      errors, survived = errors + (ok and 0 or 1), survived + (ok and 1 or 0)
    end
    if ok and result ~= clean.result and not scenario.partial then
      fail("%s: it passed, and gave %s, not %s", where, excerpt(result), excerpt(clean.result))
    elseif not ok and not is_message(result) then
      fail("%s: its error is %s", where, tostring(result))
    elseif os.getenv "FAULTS_VERBOSE" and not ok then
      print("    " .. where .. ": " .. tostring(result):sub(1, 200))
    end
    check_files(scenario, clean, ok and not scenario.optional_files, where)
    local whole, why = pcall(check_process)
    if whole and scenario.check then
      whole, why = pcall(scenario.check, folder)
    end
    if not whole then
      fail("%s: afterwards %s", where, why)
    end
    if failed - failed_before >= 10 then
      print "  and so on"
      break
    end
  end
  local where = scenario.name .. " after " .. fault
  local ok, result = run(scenario, fault, NEVER, 1)
  if not ok or result ~= clean.result then
    fail("%s: a run without faults gives %s", where, excerpt(result))
  end
  if tried > 0 then
    look_at_level(held)
    check_level(held, where)
    print(("%-28s %-18s %6d calls, %6d runs, %6d faults, %6d errors, %6d survived; "
      .. "core %+d, process %+d bytes in %d of %d rounds")
      :format(scenario.name, fault .. (count == 0 and " (on)" or count > 1 and (" (%d)"):format(count) or ""), calls,
      tried, injected, errors, survived, held.core, held.process, held.looked, held.rounds))
  end
  return injected, tried
end

-- What comes and goes: a call that it meets each time never ends.
local passes = { signal = true, stop = true, ["interrupted read"] = true, ["interrupted write"] = true }

local function all_of(scenario)
  -- Twice: what is made once in a process is there before anything is compared.
  local ok, result
  for _ = 1, 2 do
    ok, result = run(scenario, "allocation", NEVER, 1)
    if not ok then
      fail("%s without faults: %s", scenario.name, tostring(result))
      return 0, 0
    end
  end
  local clean = { result = result, after = snapshot(folder, {}, "") }
  remove_all(folder)
  if scenario.before then
    scenario.before(folder)
  end
  clean.before = snapshot(folder, {}, "")
  local injected, runs = 0, 0
  for _, fault in ipairs(scenario.faults) do
    -- Lua asks again for memory that it did not get, once it has collected garbage: two at a time are what it notices.
    for _, count in ipairs(fault == "allocation" and { 1, 2, 0 } or passes[fault] and { 1 } or { 1, 0 }) do
      local more, tried = sweep(scenario, fault, count, clean)
      injected, runs = injected + more, runs + tried
    end
  end
  return injected, runs
end

pod.device.context()
injector.catch_signals()
local injected, runs = 0, 0
for _, scenario in ipairs(scenarios) do
  local wanted = #arg < 3
  for i = 3, #arg do
    wanted = wanted or scenario.name:find(arg[i], 1, true) ~= nil
  end
  if wanted then
    local more, tried = all_of(scenario)
    injected, runs = injected + more, runs + tried
  end
end
remove_all(folder)
print(("%d faults in %d runs, %d failed"):format(injected, runs, failed))
os.exit(failed == 0 and runs > 0, true)
