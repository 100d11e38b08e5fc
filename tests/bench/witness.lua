-- The times that a profile gives to ops, held to a witness outside, which samples the process.
--
--   ./dev bench witness [--seconds S] [--threads T] [--timer 1]
--
-- A program of three kinds of work, whose C functions have names of their own (products, elementwise loops, depthwise
-- convolutions), is profiled while it is sampled: by perf where the system lets it (perf_event_paranoid), else, or with
-- --timer 1, by a timer that stops the first thread 5000 times a second (tests/tools/time_sampler.c); that one needs
-- nothing but nm. Printed is the share of each kind by the profile, by the samples of the same stretch of time, and
-- how far they are apart.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local core = require "moonpod.core"
local pod = require "moonpod"
local tools = require "tools"

local options = { seconds = 4, threads = 1, inner = 0, timer = 0 }
local at = 3
while arg[at] do
  local key = arg[at]:match "^%-%-(%a+)$"
  if not key or options[key] == nil then
    tools.fail("unknown argument '%s'; there are --seconds, --threads and --timer", arg[at])
  end
  options[key] = tools.whole_number(arg[at], arg[at + 1])
  at = at + 2
end

-- Kinds of work, by the op stats' names and by those of C functions.
local KINDS = {
  { name = "products", op = { "^product", "^pack", "^combine" },
    symbol = { "tile", "_dot_", "pack_[ab]", "finish", "few" } },
  { name = "loops", op = { "^loop" }, symbol = { "loop", "chain", "block",
    "row", "log", "exp", "sin", "math", "run_", "f32_", "lanes", "step_elements" } },
  { name = "depthwise", op = { "convolution" },
    symbol = { "copy_tile", "sum_tile", "run_band", "run_batch" } },
}

local function kind_of(text, key)
  for i = #KINDS, 1, -1 do
    local kind = KINDS[i]
    for _, pattern in ipairs(kind[key]) do
      if text:find(pattern) then
        return i
      end
    end
  end
  return 0
end

if options.inner > 0 then
  pod.device.context():set_threads(options.threads)
  local step = pod.func(function(a, b, c, d, k)
    for _ = 1, 6 do
      c = (c * 0.5):exp():log():sin()
    end
    return pod.sum(pod.matmul(a, b)), pod.sum(c), pod.sum(pod.nn.depthwise_conv(d, k, { padding = "same" }))
  end)
  local a, b = pod.random.uniform { 512, 512 }, pod.random.uniform { 512, 512 }
  local c, d = pod.random.uniform { 512, 512 }, pod.random.uniform { 8, 56, 56, 64 }
  local k = pod.random.uniform { 3, 3, 64, 1 }
  step(a, b, c, d, k)
  pod.profiler.start()
  local began = core.clock()
  while core.clock() - began < options.seconds do
    step(a, b, c, d, k)
  end
  local ended = core.clock()
  local p = pod.profiler.stop()
  local sums = { [0] = 0, 0, 0, 0 }
  for _, row in ipairs(p.ops) do
    local kind = kind_of(row.op, "op")
    sums[kind] = sums[kind] + row.seconds
  end
  print(("witnessed %.6f %.6f %.6f %.6f %.6f"):format(began, ended, sums[1], sums[2], sums[3]))
  return
end

local quote = tools.quote
local inner = ("%s %s %s %s --inner 1 --seconds %d --threads %d"):format(quote(build .. "/moonpod"),
  quote(here .. "/witness.lua"), quote(here), quote(build), options.seconds, options.threads)

-- A witness runs the program; it gives what that printed, and samples: rows of seconds, C function and how many moments
-- it stands for. Nil: perf may not sample.
local function ask_perf()
  local data = os.tmpname()
  local record = "perf record -q -k CLOCK_MONOTONIC -e cpu-clock -F 5000 -o " .. quote(data) .. " -- "
  if not os.execute(record .. "true >/dev/null 2>&1") then
    os.remove(data)
    return nil
  end
  local text, samples = tools.capture(record .. inner), {}
  for line in tools.capture("perf script -F time,ip,sym -i " .. quote(data) .. " 2>/dev/null"):gmatch "[^\n]+" do
    local time, symbol = line:match "^%s*([%d.]+):%s+%x+%s+(.-)%s*$"
    if time then
      samples[#samples + 1] = { time = tonumber(time), symbol = symbol, weight = 1 }
    end
  end
  os.remove(data)
  return text, samples
end

-- The functions of a file by where they begin: two lists.
local function functions_of(file)
  local places, names = {}, {}
  local pipe = io.popen(("{ nm %s || nm -D %s; } 2>/dev/null"):format(quote(file), quote(file)))
  local list = {}
  for place, name in pipe:read("a"):gmatch "(%x+) [tTwW] (%S+)" do
    list[#list + 1] = { tonumber(place, 16), name }
  end
  pipe:close()
  table.sort(list, function(a, b)
    return a[1] < b[1]
  end)
  for i, one in ipairs(list) do
    places[i], names[i] = one[1], one[2]
  end
  return { places = places, names = names }
end

local function function_at(functions, place)
  local low, high = 0, #functions.places
  while low < high do
    local middle = (low + high + 1) // 2
    if functions.places[middle] <= place then
      low = middle
    else
      high = middle - 1
    end
  end
  return functions.names[low] or "?"
end

local function ask_timer()
  local data = os.tmpname()
  local text = tools.capture(("TIME_SAMPLER=%s LD_PRELOAD=%s %s"):format(quote(data),
    quote(build .. "/tests/time_sampler.so"), inner))
  local samples, files = {}, {}
  for line in io.lines(data) do
    local time, weight, file, place = line:match "^([%d.]+) (%d+) (.*) (%x+)$"
    files[file] = files[file] or functions_of(file)
    samples[#samples + 1] = { time = tonumber(time), symbol = function_at(files[file], tonumber(place, 16)),
      weight = tonumber(weight) }
  end
  os.remove(data)
  return text, samples
end

local witness, text, list = "perf", nil, nil
if options.timer == 0 then
  text, list = ask_perf()
end
if not text then
  witness = "the timer"
  text, list = ask_timer()
end
local numbers = {}
for number in text:match("witnessed ([^\n]*)"):gmatch "%S+" do
  numbers[#numbers + 1] = tonumber(number)
end
local samples, all, others = { [0] = 0, 0, 0, 0 }, 0, 0
for _, one in ipairs(list) do
  if one.time >= numbers[1] and one.time <= numbers[2] then
    local kind = kind_of(one.symbol, "symbol")
    samples[kind], all = samples[kind] + one.weight, all + one.weight
    if kind == 0 then
      others = others + one.weight
    end
  end
end
local by_profile, by_witness = numbers[3] + numbers[4] + numbers[5], samples[1] + samples[2] + samples[3]
print(("%d samples in %.2f s, %d of them in no kind's functions"):format(all, numbers[2] - numbers[1], others))
for i, kind in ipairs(KINDS) do
  local own, theirs = numbers[2 + i] / by_profile, samples[i] / by_witness
  print(("  %-9s %6.2f %% by the profile, %6.2f %% by %s: %+.1f %%"):format(kind.name, own * 100, theirs * 100, witness,
    (own / theirs - 1) * 100))
end
