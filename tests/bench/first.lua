-- What somebody meets first, as README.md has it: `./dev bench first [ROUNDS]`. Each figure is the median of processes
-- of their own.

local here, build, rounds = arg[1], arg[2], tonumber(arg[3] or 9)
package.path = here .. "/?.lua;" .. here .. "/../../?.lua;" .. package.path

local files = require "tests.lua.support.files"
local tools = require "tools"

local FIT = [[
local pod = require "moonpod"
local model = pod.models.sequential { pod.layers.dense(16, { activation = "relu", input_shape = { 4 } }),
  pod.layers.dense(1) }
model:compile { optimizer = "adam", loss = "mse" }
model:fit(pod.random.normal { 256, 4 }, pod.random.normal { 256, 1 }, { verbose = 0 })
]]

-- The model of docs/tutorials/tpu-memory.md, up to its first question.
local blocks = files.blocks(here .. "/../../docs/tutorials/tpu-memory.md")
local REPORT = blocks[1] .. [[
local before = os.clock()
local report = model:memory_report("v3", { batch = 256 })
print(os.clock() - before, report.verdict)
]]

local PEAK = [[
print(os.clock())
for line in io.lines "/proc/self/status" do
  if line:find "^VmHWM" then print(line:match "%d+") end
end
]]

local script = os.tmpname()

local function run(source)
  local file = assert(io.open(script, "w"))
  file:write(source)
  file:close()
  return tools.capture(("%s/moonpod %s"):format(tools.quote(build), script))
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

local starts, peaks, reports, verdict = {}, {}, {}, nil
for i = 1, rounds do
  local seconds, kilobytes = run(FIT .. PEAK):match "(%S+)%s+(%S+)"
  starts[i], peaks[i] = tonumber(seconds), tonumber(kilobytes) / 1024
  seconds, verdict = run(REPORT):match "(%S+)%s+(%S+)"
  reports[i] = tonumber(seconds) * 1000
end
os.remove(script)
print(("%.2f s of the processor from the start to the end of a first fit"):format(median(starts)))
print(("%.0f MiB of memory at most, all of it"):format(median(peaks)))
print(("%.0f ms of the processor for the memory report of a U-Net's training step (it %s)"):format(median(reports),
  (verdict:gsub("_", " "))))
