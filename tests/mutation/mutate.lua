--[[
mutate ROOT [--seed S] [--count N] [--draw] [--sample FILE] [--only K] [--jobs J] [--again] - does the suite see
faults?

Puts N faults (100) into the folders that compile and run programs (core/ir, core/program, core/compile,
core/engine, core/grad, core/replicate), drawn with seed S (1) or written
down in FILE (as tests/mutation/samples/seed1.txt): all in one build below build/mutants, each behind a switch. Runs
the tests against one after the other, J at once, each until a test fails, and prints what found it. See sites.lua for
the faults, sample.lua for the choice.

It goes on where it was stopped. --again copies the tests anew and tries those that survived once more; the sources
stay what they were when the sample was drawn. --only K tries mutant K alone. --draw prints the sample of a seed, for
a file; with --sample that one, where others are drawn for those whose line is no more.
]]

package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path

local sample = require "sample"
local system = require "system"
local trials = require "trials"

-- ---- options -------------------------------------------------------------------------------------------------

local root, name = arg[1], nil
local options = { seed = 1, count = 100, jobs = 1 }
local numbers_wanted = { ["--seed"] = "seed", ["--count"] = "count", ["--only"] = "only", ["--jobs"] = "jobs" }

local flags = { ["--again"] = "again", ["--draw"] = "draw", ["--worker"] = "worker" }

local function read_options()
  local i = 2
  while arg[i] do
    if flags[arg[i]] then
      options[flags[arg[i]]] = true
    elseif arg[i] == "--sample" and arg[i + 1] then
      options.sample, i = arg[i + 1], i + 1
    elseif numbers_wanted[arg[i]] and math.tointeger(tonumber(arg[i + 1])) then
      options[numbers_wanted[arg[i]]], i = math.tointeger(tonumber(arg[i + 1])), i + 1
    else
      error("mutate: '" .. arg[i] .. "' is not an option, or lacks its number", 0)
    end
    i = i + 1
  end
end

-- ---- the build -----------------------------------------------------------------------------------------------

-- A test that fails ends its process: the others need not run.
local function stop_at_failures(tree)
  local path = tree .. "/tests/core/test.h"
  local text, count = system.read(path):gsub("(    fflush%(stdout%);\n)(})",
    "%1    if (!passed)\n        exit(1);\n%2", 1)
  assert(count == 1, "tests/core/test.h has no line that flushes after a test")
  system.write(path, text)
end

local function copy(folder, what)
  system.run(("cd %s && { git ls-files -z %s; git ls-files -z --others --exclude-standard %s; } | " ..
    "xargs -0 cp -p --parents -t %s/tree"):format(system.quote(root), what, what, system.quote(folder)))
  stop_at_failures(folder .. "/tree")
end

local function build_in(folder, name, flags, targets)
  local build_folder = system.quote(folder .. "/" .. name)
  system.run(("[ -e %s/build.ninja ] || cmake -S %s/tree -B %s -G Ninja %s"):format(build_folder, system.quote(folder),
    build_folder, flags))
  system.run(("ninja --quiet -C %s -j %d %s"):format(build_folder, options.jobs, targets))
end

local function build(folder)
  build_in(folder, "build", "-DCMAKE_C_FLAGS_RELEASE='-O1 -DNDEBUG'", "runtime core_tests")
end

local function read_sample()
  return assert(system.read(options.sample), "there is no " .. options.sample)
end

local function drawn_text(tree)
  local commit = system.run(("git -C %s log -1 --format=%%h"):format(system.quote(root))):gsub("%s", "")
  if options.sample then
    local text = read_sample()
    local drawn = sample.read(tree, text)
    sample.redraw(tree, drawn, options.seed)
    return text:match "^# [^\n]*" .. (", again at %s\n"):format(commit) .. sample.write(drawn)
  end
  local text = sample.write(sample.draw(tree, options.seed, options.count))
  return ("# seed %d, drawn at commit %s\n"):format(options.seed, commit) .. text
end

local function draw(folder)
  if options.sample then
    local text = read_sample()
    local drawn, kept = sample.read(folder .. "/tree", text), { text:match "^# [^\n]*" }
    for _, one in ipairs(drawn) do
      if one.site then kept[#kept + 1] = one.text
      else print(("%d: its line is no more: %s:%d"):format(one.number, one.name, one.line)) end
    end
    return drawn, table.concat(kept, "\n") .. "\n"
  end
  local text = drawn_text(folder .. "/tree")
  return sample.read(folder .. "/tree", text), text
end

local function prepare(folder)
  if system.read(folder .. "/sample.txt") then
    if not options.again then return end
    copy(folder, "tests")
    build(folder)
    trials.forget_tests(folder)
    system.run(("cd %s && { grep -rls '^survived' rounds | xargs -r rm -f; }"):format(system.quote(folder)))
    return
  end
  system.run(("rm -rf %s && mkdir -p %s/tree %s/tests %s/rounds"):format(folder, folder, folder, folder))
  for round = 1, trials.rounds do system.run(("mkdir %s/rounds/%d"):format(folder, round)) end
  copy(folder, "")
  local drawn, text = draw(folder)
  sample.apply(folder .. "/tree", drawn)
  build(folder)
  system.write(folder .. "/sample.txt", text)
end

-- ---- the run -------------------------------------------------------------------------------------------------

local function mutants(folder)
  local text = system.read(folder .. "/sample.txt")
  local result = {}
  for _, line in ipairs(system.lines(text)) do
    local number, name, at, operator = line:match "^(%d+)\t(%S+)\t(%d+)\t(%S+)\t"
    number = tonumber(number)
    if number and (not options.only or options.only == number) then
      result[#result + 1] = { number = number, where = name .. ":" .. at, operator = operator }
    end
  end
  return result, text:match "^# ([^\n]*)"
end

-- Why mutants of the sample change nothing that could be seen, by their number.
local function read_equivalents()
  local result = {}
  for _, line in ipairs(system.lines(system.read(root .. "/tests/mutation/equivalents.txt") or "")) do
    local of, number, why = line:match "^(%S+)\t(%d+)\t(.*)$"
    if of == name then result[tonumber(number)] = why end
  end
  return result
end

local function describe(folder, mutant)
  local how, test, why = trials.ended(folder, mutant.number)
  local equal = read_equivalents()[mutant.number]
  local fate = not how and "not tried" or how == "found" and ("%s: %s"):format(test, why) or
    equal and "equivalent: " .. equal or ("SURVIVED (%s tests reach it)"):format(test)
  return ("%3d  %-42s %-18s %s"):format(mutant.number, mutant.where, mutant.operator, fate:sub(1, 150)), how
end

-- The numbers of all mutants, and a function that prints how one ended.
local function numbers_of(folder)
  local all, by_number, numbers = mutants(folder), {}, {}
  for i, mutant in ipairs(all) do numbers[i], by_number[mutant.number] = mutant.number, mutant end
  return numbers, function(number)
    io.write(describe(folder, by_number[number]), "\n")
    io.flush()
  end
end

-- What reads past an array, say, and gets away with it. Mutants that are known to change nothing are let be.
local function sanitize(folder)
  local numbers, report = numbers_of(folder)
  local equivalents, left = read_equivalents(), {}
  for _, number in ipairs(trials.survivors(folder, numbers)) do
    if not equivalents[number] then left[#left + 1] = number end
  end
  if #left == 0 then return end
  build_in(folder, "sanitized", "-DMOONPOD_SANITIZE=address -DMOONPOD_LUA=OFF", "core_tests")
  trials.sanitize(folder, left, report)
end

local function command_of_worker()
  local words = { "lua5.4" }
  for i = 0, #arg do words[#words + 1] = system.quote(arg[i]) end
  words[#words + 1] = "--worker"
  return table.concat(words, " ")
end

local function print_table(folder)
  local all, drawn = mutants(folder)
  local found = 0
  print("\nTests in their order, seconds of CPU each:")
  for round = 1, trials.rounds - 1 do
    for _, test in ipairs(trials.tests(folder, round)) do io.write((" %s %.1f"):format(test.name, test.cpu)) end
  end
  print("\n\n" .. (drawn or "drawn"))
  for _, mutant in ipairs(all) do
    local line, how = describe(folder, mutant)
    print(line)
    if how == "found" then found = found + 1 end
  end
  print(("\n%d of %d found"):format(found, #all))
end

read_options()
name = options.sample and options.sample:match "([^/]+)%.txt$" or "seed" .. options.seed
local folder = root .. "/build/mutants/" .. name
if options.worker then
  trials.work(folder, numbers_of(folder))
elseif options.draw then
  io.write(drawn_text(root))
else
  prepare(folder)
  system.run(("cd %s && rm -rf tests/*.taken rounds/*/*.taken"):format(folder))
  local command = command_of_worker()
  os.execute((command .. " & "):rep(options.jobs) .. "wait")
  sanitize(folder)
  print_table(folder)
end
