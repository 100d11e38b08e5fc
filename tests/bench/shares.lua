-- What steps take where threads are not equally fast:
--
--   ./dev bench shares [NAME...] [--rounds N] [--seconds N] [--precision fp32|bf16]
--
-- NAME is one of models.lua (w1 to w4). In each round a model is stepped for so many seconds (2) on as many threads as
-- there are CPUs: undisturbed, beside a loop that takes half of a CPU, of another in each round, and on twice as many
-- threads. What is printed: medians in milliseconds, and their ratio to what the sum of speeds gives: all CPUs but a
-- half, all CPUs.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local core = require "moonpod.core"
local pod = require "moonpod"
local models = require "models"
local fail = tools.fail

local options, names = { ["--rounds"] = 5, ["--seconds"] = 2, ["--precision"] = "fp32" }, {}
local at = 3
while arg[at] do
  local word = arg[at]
  if options[word] then
    at = at + 1
    local value = arg[at] or fail("%s needs a value", word)
    options[word] = word == "--precision" and value or tools.whole_number(word, value)
  elseif type(models[word]) == "table" and models[word].batch then
    names[#names + 1] = word
  else
    fail("unknown argument '%s'; there are workloads and the options %s", word, tools.names_of(options))
  end
  at = at + 1
end
names = #names > 0 and names or { "w1", "w2", "w3", "w4" }

local cpus = tonumber(tools.capture "nproc")
local context = pod.device.context()

local function batch_of(work)
  if work.shape then
    return pod.random.uniform { work.batch, table.unpack(work.shape) }, pod.cast(pod.zeros { work.batch }, "int32")
  end
  for x, y in work.data():batch(work.batch):take(1):iter() do
    return x, y
  end
end

-- Milliseconds of each step, on so many threads, until the time is over.
local function step(model, x, y, threads, times)
  context:set_threads(threads)
  model:train_on_batch(x, y)
  local stop = core.clock() + options["--seconds"]
  repeat
    local began = core.clock()
    model:train_on_batch(x, y)
    times[#times + 1] = (core.clock() - began) * 1e3
  until core.clock() > stop
end

local function beside_a_loop(cpu, ...)
  local loop = io.popen(("exec taskset -c %d timeout 600 sh -c 'echo $$; while :; do :; done'"):format(cpu))
  local process = loop:read "n"
  step(...)
  os.execute("kill " .. process)
  loop:close()
end

tools.print_machine(here, build, tools.SEED, false)
print(("%-4s %12s %12s %8s %14s %8s"):format("", "alone", "beside loop", "of sum", "twice threads", "of one"))
for _, name in ipairs(names) do
  local model = models.compile(name, options["--precision"], 1)
  local x, y = batch_of(models[name])
  local alone, beside, twice = {}, {}, {}
  for round = 1, options["--rounds"] do
    step(model, x, y, cpus, alone)
    beside_a_loop(round % cpus, model, x, y, cpus, beside)
    step(model, x, y, 2 * cpus, twice)
  end
  local a, b, t = tools.median(alone), tools.median(beside), tools.median(twice)
  print(("%-4s %12.2f %12.2f %8.2f %14.2f %8.2f"):format(name, a, b, b * (cpus - 0.5) / cpus / a, t, t / a))
end
