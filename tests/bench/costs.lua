-- What a training step costs, counted instead of timed: `costs.lua [NAME...]` compiles the workloads of models.lua on 8
-- replicas and prints for each in bf16 and f32 a line of
--
--   NAME PRECISION phases P instructions I moved M arena A live L
--
-- phases: after each the threads wait for each other; moved: bytes that instructions read and write, each operand once;
-- arena: bytes of temporaries; live: the most of them that are needed at a time, below which no arena could be. The
-- figures depend on the family of kernels (MOONPOD_ISA) alone, not on the machine.
--
-- `costs.lua memory [NAME...]` trains models of models.lua and shapes.lua in f32 in a process each, 1 replica, and
-- prints as lines of a table, in MiB: the most memory that the process held, and what the plan of the step says that it
-- cannot do without, which is what it held before the first step, what the optimizer keeps, and what runs take, with
-- what is live in the place of the arena. The last column is their ratio.

local pod = require "moonpod"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local models = require "models"

local tools = require "tools"

local OF_MEMORY = { "w1", "w2", "w3", "w4", "lstm256", "gru256", "resnet20", "resnet50", "bert", "gpt2", "mobilenet",
  "vit", "unet" }

-- MiB of the process, now or at the most.
local function held(key)
  local file = assert(io.open "/proc/self/status")
  local text = file:read "a"
  file:close()
  return tonumber(text:match(key .. ":%s*(%d+) kB")) / 1024
end

local function tell_memory(name)
  local work, model = models[name], models.compile(name, "fp32", 1)
  local weights = 0
  for _, weight in ipairs(model:get_weights()) do
    weights = weights + 4 * weight:size()
  end
  for x, y in models.data(name):batch(work.batch):take(1):iter() do
    local before = held "VmRSS"
    for _ = 1, 3 do
      model:train_on_batch(x, y)
    end
    local stats = models.step_program(model):stats()
    local run = stats.planned_bytes - stats.arena_bytes + stats.live_bytes
    local least = before + (math.max(stats.alias_bytes - weights, 0) + run) / 2 ^ 20
    print(("| %s | %.0f | %.0f | %.2f |"):format(name, held "VmHWM", least, held "VmHWM" / least))
  end
end

pod.device.context():set_threads(2)
if arg[1] == "memory" and #arg == 2 then
  return tell_memory(arg[2])
elseif arg[1] == "memory" then
  for _, name in ipairs(#arg > 1 and { table.unpack(arg, 2) } or OF_MEMORY) do
    io.write(tools.capture(("%s %s memory %s"):format(tools.quote(arg[-1]), tools.quote(arg[0]), name)))
    io.flush()
  end
  return
end
local names = #arg > 0 and { table.unpack(arg) } or { "w1", "w2", "w3", "w4" }

for _, name in ipairs(names) do
  for _, precision in ipairs { "bf16", "fp32" } do
    local work = models[name]
    local model = models.compile(name, precision, 8)
    local x, y
    if work.shape then
      x, y = pod.zeros({ work.batch, table.unpack(work.shape) }, "uint8"), pod.zeros({ work.batch }, "uint8")
    else
      x, y = pod.zeros({ work.batch, models.LENGTH }, "int32"), pod.zeros({ work.batch, models.LENGTH }, "int32")
    end
    model:train_on_batch(x, y)
    local program = models.step_program(model)
    local times, moved = program:times(), 0
    for _, one in ipairs(times) do
      moved = moved + one.bytes
    end
    local stats = program:stats()
    print(("%s %s phases %d instructions %d moved %d arena %d live %d"):format(name, precision, times.phases, #times,
      moved, stats.arena_bytes, stats.live_bytes))
  end
end
