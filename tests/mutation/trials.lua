--[[
trials - runs the tests of a mutated build: each once as it is, which tells how long it takes and which mutants it
reaches, then against each mutant those that reach it, the fastest first, until one fails.

What is known is in files below the folder of the sample, so a run goes on where it was stopped, and several processes
share the work: tests/NAME (a test as it is) and rounds/ROUND/NUMBER (a mutant's end); who makes one first makes the
folder NAME.taken. The last round is of C tests under ASan and UBSan, as `./dev test --sanitize` runs them.
]]

local system = require "system"

local trials = {}

-- A trial may take so many times what the test takes without a mutant, and so many seconds more; then it hangs.
local patience, grace = 5, 10
-- Memory that a trial may ask for, KiB; sanitizers ask for all that can be had.
local most_memory = 8 * 1024 * 1024

local skipped = 77

-- Tests that take minutes: measured and run for mutants alone that no other finds.
local slow = { examples_spec = true, golden_spec = true, indexing_spec = true, random_programs = true }

-- Tests of the folders that are mutated, which find the most.
local telling = { "^test_compile", "^test_engine", "^test_grad$", "^test_grad_", "^test_replicate", "^test_subgroups",
                  "^test_ops_",
                  "^test_verify", "^test_row_tables", "^test_byte_tables", "^test_times",
                  "^program_cost" }

-- All mutants are tried by the tests of a price below the first of these, then those that are left by the next.
local rounds = { 1.5, 4, 15, math.huge }
trials.rounds = #rounds + 1

-- A test that fails by itself at times is tried so often, before it is left out.
local attempts = 3

-- ---- tests -------------------------------------------------------------------------------------------------

-- All tests: { name, source, command }, the command to be run in the tree.
local function list(folder)
  local tests, build = {}, folder .. "/build"
  local described = system.run(("cd %s && ctest --show-only=json-v1"):format(system.quote(build)))
  for command, name in described:gmatch '"command"%s*:%s*%[(.-)%],%s*"name"%s*:%s*"([^"]+)"' do
    local program, family = name:match "^([^:]+):?(.*)$"
    local words = { "env", family ~= "" and "MOONPOD_ISA=" .. family or nil }
    for word in command:gmatch '"([^"]*)"' do words[#words + 1] = system.quote(word) end
    local source = "tests/core/" .. program .. ".c"
    if not system.read(folder .. "/tree/" .. source) then source = "CMakeLists.txt" end -- of a command made there
    tests[#tests + 1] = { name = name, source = source, command = table.concat(words, " ") }
  end
  local specs = system.run(("cd %s/tree && find tests/lua -name '*_spec.lua' | sort"):format(system.quote(folder)))
  for _, spec in ipairs(system.lines(specs)) do
    tests[#tests + 1] = {
      name = spec:match "([^/]+)%.lua$", source = spec,
      command = ("env MOONPOD_BUILD=%s LUA_PATH=\"$PWD/lua/?.lua;$PWD/lua/?/init.lua;;\" " ..
        "LUA_CPATH=%s\"/lua/?.so;;\" lua5.4 \"$(command -v busted)\" --no-keep-going -o plainTerminal %s"):format(
        system.quote(build), system.quote(build), spec),
    }
  end
  return tests
end

-- Runs a test in the tree; returns its exit status, the seconds of CPU and of the clock, and what it printed.
local function try(folder, test, mutant, limits, variables)
  local temporary = os.tmpname()
  os.remove(temporary)
  local script = ([[
mkdir %s && cd %s/tree && ulimit -c 0 && ulimit -v %s && ulimit -t %d
TIMEFORMAT='%%U %%S %%R'
time TMPDIR=%s POD_MUTANT=%d %s timeout -k 5 %d %s >%s/output 2>&1 </dev/null
status=$?
tail -c 3000 %s/output
rm -rf %s
exit $status]]):format(temporary, system.quote(folder), limits.memory or most_memory, limits.cpu, temporary, mutant,
    variables or "", limits.clock, test.command, temporary, temporary, temporary)
  local pipe = assert(io.popen("exec bash -c " .. system.quote(script) .. " 2>&1"))
  local output = pipe:read "a"
  local _, how, status = pipe:close()
  local user, kernel, clock = output:match "([%d.]+) ([%d.]+) ([%d.]+)\n"
  return how == "exit" and status or 128 + status, (tonumber(user) or 0) + (tonumber(kernel) or
    0), tonumber(clock) or 0, output
end

-- ---- tests as they are ---------------------------------------------------------------------------------------

local function fingerprint(folder, test)
  return (system.run("cksum < " .. system.quote(folder .. "/tree/" .. test.source)):gsub("%s+$", ""))
end

local function read_test(folder, test)
  local text = system.read(folder .. "/tests/" .. test.name)
  if not text then return false end
  local state, print_, cpu, clock, reached = text:match "^(%S+)\n([^\n]*)\n(%S+) (%S+)\n(.*)$"
  if print_ ~= fingerprint(folder, test) then return false end
  test.state, test.cpu, test.clock, test.reaches = state, tonumber(cpu), tonumber(clock), {}
  for number in reached:gmatch "%d+" do test.reaches[tonumber(number)] = true end
  return true
end

local function measure(folder, test)
  local reached = os.tmpname()
  local status, cpu, clock, output
  for _ = 1, attempts do
    status, cpu, clock, output = try(folder, test, 0, { cpu = 900, clock = 1800 }, "POD_MUTANTS_REACHED=" .. reached)
    if status == 0 or status == skipped then break end
    io.write(("%s fails without a mutant:\n%s\n"):format(test.name, output))
  end
  local state = status == 0 and "passes" or status == skipped and "skipped" or "fails"
  system.write(folder .. "/tests/" .. test.name, ("%s\n%s\n%g %g\n%s"):format(state, fingerprint(folder, test), cpu,
    clock, table.concat(system.lines(system.run("sort -nu " .. reached)), " ")))
  os.remove(reached)
  if state == "fails" then io.write(("%s is left out\n"):format(test.name)) end
end

-- Removes what is known of tests that are others now.
function trials.forget_tests(folder)
  for _, test in ipairs(list(folder)) do
    if not read_test(folder, test) then os.remove(folder .. "/tests/" .. test.name) end
  end
end

local function is_telling(test)
  for _, pattern in ipairs(telling) do
    if test.name:match(pattern) then return true end
  end
  return false
end

-- What a test costs for what it tells: seconds, ten times as many where it is of another folder.
local function price(test)
  if slow[test.name] then return math.huge end
  return is_telling(test) and test.cpu or 10 * (test.cpu + 0.05)
end

-- The first round in which a test is run: others than those of the folders wait until those have found what they find.
local function round_of(test)
  local round = is_telling(test) and 1 or 2
  while round < #rounds and price(test) >= rounds[round] do round = round + 1 end
  return round
end

-- All tests of a round that pass, the cheapest first, once all that may be of it are measured.
function trials.tests(folder, round)
  local tests, usable = {}, {}
  for _, test in ipairs(list(folder)) do
    local may = round == #rounds or not slow[test.name] and (round > 1 or is_telling(test))
    if may then tests[#tests + 1] = test end
  end
  for _, test in ipairs(tests) do
    local place = folder .. "/tests/" .. test.name
    if not system.read(place) and system.claim(place .. ".taken") then measure(folder, test) end
  end
  for _, test in ipairs(tests) do
    while not read_test(folder, test) do os.execute "sleep 1" end
    if test.state == "passes" and round_of(test) == round then usable[#usable + 1] = test end
  end
  table.sort(usable, function(a, b)
    if price(a) ~= price(b) then return price(a) < price(b) end
    return a.name < b.name
  end)
  return usable
end

-- ---- mutants -------------------------------------------------------------------------------------------------

-- Why a trial failed: the test's own word, or how it ended.
local function reason(status, output)
  if status == 124 or status == 128 + 9 or status == 128 + 24 then return "hangs" end
  if status > 128 then return "dies of signal " .. status - 128 end
  local what = output:match "\n# ([^\n]*)\nnot ok" or output:match "^# ([^\n]*)\nnot ok" or
    output:match "\nnot ok %d+ %- ([^\n]*)" or
    output:match "\n[FE][ar][ir][lo][ur][re]?e? → ([^\n]*)" or output:match "\n%S+ → ([^\n]*)"
  return what or "ends with " .. status
end

-- Tries a mutant; returns the test that found it and why, or nil and the number of tests that reach it.
local function hunt(folder, tests, number)
  local met = 0
  for _, test in ipairs(tests) do
    if test.reaches[number] then
      met = met + 1
      local limits = { cpu = math.ceil(test.cpu * patience + grace),
        clock = math.ceil(test.clock * patience * 2 + 3 * grace) }
      local status, _, _, output = try(folder, test, number, limits)
      -- What fails must do so again: on a busy machine a test may fail of itself.
      if status ~= 0 and reason(status, output) ~= "hangs" then
        status, _, _, output = try(folder, test, number, limits)
      end
      if status ~= 0 then return test.name, reason(status, output) end
    end
  end
  return nil, met
end

local function place_of(folder, round, number)
  return ("%s/rounds/%d/%d"):format(folder, round, number)
end

-- A round for those of the numbers that are not found yet and that nobody has tried in it.
local function try_all(folder, numbers, round, report)
  local tests = trials.tests(folder, round)
  for _, number in ipairs(numbers) do
    local place = place_of(folder, round, number)
    local before = round > 1 and system.read(place_of(folder, round - 1, number)) or "survived\t0"
    if before:match "^found" then
      if not system.read(place) then system.write(place, before) end
    elseif not system.read(place) and system.claim(place .. ".taken") then
      local test, what = hunt(folder, tests, number)
      local met = tonumber(before:match "%d+")
      system.write(place, test and ("found\t%s\t%s\n"):format(test, what) or ("survived\t%d\n"):format(met + what))
      if test or round == #rounds then report(number) end
    end
  end
  for _, number in ipairs(numbers) do
    while not system.read(place_of(folder, round, number)) do os.execute "sleep 1" end
  end
end

-- ---- sanitizers --------------------------------------------------------------------------------------------

-- Sanitizers take so many times longer.
local slowness = 20

local function try_sanitized(folder, test, number)
  local plain_build = (folder .. "/build/"):gsub("%p", "%%%0")
  local sanitized = { command = test.command:gsub(plain_build, function() return folder .. "/sanitized/" end) }
  local limits = { cpu = math.ceil(test.cpu * slowness + grace), clock = math.ceil(test.clock * 2 * slowness + grace),
                   memory = "unlimited" }
  return try(folder, sanitized, number, limits)
end

-- The first test that passes under sanitizers as it is and fails with the mutant, and why; nil and how many reach it.
local function hunt_sanitized(folder, tests, number)
  local met = 0
  for _, test in ipairs(tests) do
    if test.source:match "^tests/core/" and test.reaches[number] then
      met = met + 1
      local status, _, _, output = try_sanitized(folder, test, number)
      if status ~= 0 and try_sanitized(folder, test, 0) == 0 then
        local found = output:match "ERROR: AddressSanitizer: [^\n]*" or output:match "runtime error: [^\n]*"
        return test.name .. " sanitized", found or reason(status, output)
      end
    end
  end
  return nil, met
end

-- Numbers that no test found as it is.
function trials.survivors(folder, numbers)
  local result = {}
  for _, number in ipairs(numbers) do
    if system.read(place_of(folder, #rounds, number)):match "^survived" then result[#result + 1] = number end
  end
  return result
end

-- Tries those of the numbers that are not tried yet by the sanitized tests of the folder.
function trials.sanitize(folder, numbers, report)
  local tests = {}
  for round = 1, #rounds do
    for _, test in ipairs(trials.tests(folder, round)) do tests[#tests + 1] = test end
  end
  for _, number in ipairs(numbers) do
    local place = place_of(folder, trials.rounds, number)
    if not system.read(place) then
      local test, what = hunt_sanitized(folder, tests, number)
      local before = system.read(place_of(folder, #rounds, number))
      system.write(place, test and ("found\t%s\t%s\n"):format(test, what) or before)
      report(number)
    end
  end
end

-- Tries those of the numbers that nobody has tried.
function trials.work(folder, numbers, report)
  for round = 1, #rounds do try_all(folder, numbers, round, report) end
end

-- How a mutant ended, or is doing: "found", the test and why; "survived" and how many tests reach it; nil: not tried.
function trials.ended(folder, number)
  for round = trials.rounds, 1, -1 do
    local text = system.read(place_of(folder, round, number))
    if text then return text:match "^(%S+)\t([^\t\n]*)\t?([^\n]*)" end
  end
end

return trials
