-- What a training step costs, counted instead of timed: `costs.lua [NAME...]` compiles the workloads of models.lua on 8
-- replicas and prints for each in bf16 and f32 a line of
--
--   NAME PRECISION phases P instructions I moved M arena A
--
-- phases: after each the threads wait for each other; moved: bytes that instructions read and write, each operand once;
-- arena: bytes of temporaries. The figures depend on the family of kernels (MOONPOD_ISA) alone, not on the machine.

local pod = require "moonpod"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local models = require "models"

local names = #arg > 0 and { table.unpack(arg) } or { "w1", "w2", "w3", "w4" }
pod.device.context():set_threads(2)

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
    print(("%s %s phases %d instructions %d moved %d arena %d"):format(name, precision, times.phases, #times, moved,
      program:stats().arena_bytes))
  end
end
