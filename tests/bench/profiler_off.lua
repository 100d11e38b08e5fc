-- What a recorder costs, off and on, in instructions of the CPU:
--
--   ./dev bench profiler off
--
-- W1 trains at batch 1024 and at batch 8 in two builds, with and without the recorder (build/no-recorder), and in the
-- first while it records, under callgrind, on one thread, for two numbers of steps: their difference is that of steps
-- alone. callgrind knows no AVX-512, so the kernels are avx2's.

local here, build, mode, batch, steps = arg[1], arg[2], arg[3], tonumber(arg[4]), tonumber(arg[5])
local records = arg[6] == "on"
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"

if mode == "--inner" then
  local models = require "models"
  local pod = require "moonpod"
  pod.device.context():set_threads(1)
  pod.random.set_seed(1)
  local model = models.compile("w1", "fp32", 1)
  local train = pod.data.from_tensor_slices { pod.random.uniform { 4096, 784 },
    pod.random.uniform({ 4096 }, { maxval = 10, dtype = "int32" }) }
  if records then
    pod.profiler.start()
  end
  model:fit(train:shuffle(4096, { seed = 1 }):repeat_():batch(batch), { steps_per_epoch = steps, verbose = 0 })
  return
end

local quote = tools.quote

local function instructions(folder, rows, count, on)
  local path = ("%s/lua/?.so;%s"):format(folder, package.cpath)
  local text = tools.capture(("LUA_CPATH=%s MOONPOD_ISA=avx2 valgrind --tool=callgrind "
    .. "--callgrind-out-file=/dev/null %s %s %s %s --inner %d %d %s 2>&1"):format(quote(path),
    quote(folder .. "/moonpod"), quote(here .. "/profiler_off.lua"), quote(here), quote(folder), rows,
    count, on and "on" or "off"))
  return tonumber(text:match "Collected : (%d+)") or tools.fail("callgrind says: %s", text)
end

local without = build:match "^(.*)/[^/]*$" .. "/no-recorder"
for _, case in ipairs { { 8, 100, 500 }, { 1024, 4, 12 } } do
  local function a_step(folder, on)
    return (instructions(folder, case[1], case[3], on) - instructions(folder, case[1], case[2], on))
      / (case[3] - case[2])
  end
  local off, on, none = a_step(build), a_step(build, true), a_step(without)
  print(("batch %d: %.0f instructions a step without a recorder; off %.0f, %+.3f %%; on %.0f, %+.2f %%"):format(case[1],
    none, off, (off / none - 1) * 100, on, (on / none - 1) * 100))
end
