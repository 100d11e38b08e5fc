-- Profiles and projections as XProf's own converters read them: each of its tools has our figures.

local pod = require "moonpod"
local executable = require "tests.lua.support.executable"
local json = require "moonpod.base.json"
local peers = require "tests.lua.support.peers"
local plugin = require "tests.lua.support.plugin"

local python, why = peers.python { "google.protobuf" }
if python and not plugin.is_there "build/plugins/xprof/version.py" then
  python, why = nil, plugin.why
end

local function near(expected, value, what, tolerance)
  local limit = (tolerance or 1e-6) * math.max(math.abs(expected), 1e-12)
  assert.is_true(math.abs(value - expected) <= limit, ("%s: %.9g, not %.9g"):format(what, value, expected))
end

-- What XProf makes of what `save(folder)` writes.
local function read(save)
  local folder = os.tmpname()
  os.remove(folder)
  local path = save(folder)
  assert.equal(folder .. "/plugins/profile/run/localhost.xplane.pb", path)
  local text, code = executable.shell(("PYTHONPATH=build/plugins %s tests/tools/xprof_reads.py %s 2>%s.log"):format(
    executable.quote(python), executable.quote(folder), executable.quote(folder)))
  local log = assert(io.open(folder .. ".log")):read "*a"
  executable.shell(("rm -rf %s %s.log"):format(executable.quote(folder), executable.quote(folder)))
  assert.equal(0, code, log:sub(-2000))
  assert.is_nil(log:find("INTERNAL", 1, true), log:sub(-2000)) -- it says that of programs that it does not take
  return json.decode(text)
end

local function trained()
  local model = pod.models.sequential { pod.layers.conv2d(8, 3, { input_shape = { 12, 12, 1 }, name = "conv" }),
    pod.layers.flatten(), pod.layers.dense(64, { name = "wide", activation = "relu" }),
    pod.layers.dense(10, { name = "last" }) }
  model:compile { loss = "mse", optimizer = "adam" }
  return model
end

local TOOLS = { "framework_op_stats", "graph_viewer", "hlo_stats", "input_pipeline_analyzer", "memory_profile",
  "memory_viewer", "op_profile", "overview_page", "roofline_model", "trace_viewer@" }

describe("a projection in XProf", function()
  if not python then
    return pending(why)
  end
  local model = trained()
  local projection = model:projection("v5e", { batch = 256 })
  local answer = read(function(folder) return projection:save_xplane(folder, { run = "run" }) end)

  it("is offered in all tools", function()
    table.sort(answer.tools)
    assert.same(TOOLS, answer.tools)
  end)

  it("has each kernel's time, FLOPs, bytes, layer and line", function()
    local kernels, flops = {}, 0
    for _, kernel in ipairs(projection.kernels) do
      kernels[kernel.name] = kernel
    end
    local last = table.remove(answer.ops) -- kernels wait for copies beside them
    assert.equal("copies", last.name)
    local seconds = last.seconds
    assert.equal(#projection.kernels, #answer.ops)
    assert.equal(#projection.kernels, answer.lines["XLA Ops"])
    for _, op in ipairs(answer.ops) do
      local kernel = assert(kernels[op.name], op.name)
      assert.is_true(math.abs(op.seconds - kernel.seconds) <= 1e-12, op.name)
      assert.is_true(math.abs(op.flops - kernel.product_flops - kernel.other_flops) <= 1, op.name)
      near(kernel.bytes, op.bytes, op.name)
      assert.is_true(math.abs(op.hbm_bytes - kernel.hbm_bytes) <= 1, op.name)
      assert.equal(kernel.location, op.file .. ":" .. op.line)
      assert.equal(kernel.scope and kernel.scope .. ":" .. kernel.op or "", op.layer)
      assert.equal(kernel.product_flops > 0, op.category == "convolution fusion")
      assert.is_true(math.abs(answer.hlo_stats[op.name] - op.seconds) <= 1e-12)
      seconds, flops = seconds + op.seconds, flops + op.flops
    end
    near(projection.device_seconds, seconds, "device")
    near(projection.product_flops + projection.other_flops, flops, "FLOPs", 1e-5)
  end)

  it("has the step and the chip", function()
    assert.equal(1, #answer.steps)
    assert.is_true(math.abs(answer.steps[1].compute - projection.device_seconds) < 1e-11)
    assert.is_true(math.abs(answer.steps[1].idle - projection.host_seconds) < 1e-11)
    assert.equal("TPU v5e", answer.overview.device_type)
    local mxu = projection:utilization()
    assert.equal(("%.1f%%"):format(100 * mxu[1].seconds / projection.device_seconds),
      answer.overview.mxu_utilization_percent)
    near(projection.peak_flops, answer.roofs.peak_flop_rate * 1e9, "peak", 1e-4)
    near(819e9, answer.roofs.peak_hbm_bw * 2 ^ 30, "HBM", 1e-4)
    local longest = projection.kernels[1]
    near((longest.product_flops + longest.other_flops) / longest.bytes, answer.points[longest.name], "intensity", 1e-5)
  end)

  it("has the plan's memory", function()
    local memory = model:memory_report("v5e", { batch = 256 })
    local module = projection.name .. "(1)"
    near(memory.argument_bytes, answer.memory[module].arguments, "arguments")
    near(memory.need_bytes, answer.memory[module].all, "all", 1e-3)
    assert.is_true(answer.graph_has_op)
  end)

  it("waits for input where that takes longer", function()
    local starved = model:projection("v5e", { batch = 256, input_seconds = 1 })
    local slow = read(function(folder) return starved:save_xplane(folder, { run = "run" }) end)
    near(1 - starved.device_seconds, slow.steps[1].infeed, "infeed")
    near(1 + starved.host_seconds, slow.step_seconds, "step", 1e-3)
  end)
end)

describe("a training in XProf", function()
  if not python then
    return pending(why)
  end
  local data = pod.data.from_tensor_slices { pod.random.uniform { 96, 12, 12, 1 }, pod.random.uniform { 96, 10 } }
  data = data:batch(8):prefetch(2)
  local model = trained()
  local threads = pod.device.context():threads()
  pod.device.configure { threads = 1 } -- of several the first one may be given no part of an instruction
  model:fit(data, { verbose = 0 })
  pod.profiler.start()
  model:fit(data, { verbose = 0, epochs = 2 })
  local profile = pod.profiler.stop()
  pod.device.configure { threads = threads }
  local answer = read(function(folder) return profile:save_xplane(folder, { run = "run", measure = false }) end)

  it("has each step", function()
    assert.equal(#profile.recording.steps, #answer.steps)
    for i, step in ipairs(profile.recording.steps) do
      local sum = answer.steps[i].compute + answer.steps[i].idle + answer.steps[i].infeed
      assert.is_true(math.abs(sum - step.seconds) < 1e-9)
    end
  end)

  it("has the instructions' FLOPs, bytes, layers and lines", function()
    local found = 0
    for i, one in ipairs(profile.program) do
      local name = ("%s.%d"):format(one.kind, i)
      for _, op in ipairs(answer.ops) do
        if op.name == name and op.program == "1" then
          found = found + 1
          near(one.flops * profile.program.steps, op.flops, name, 1e-6)
          assert.is_true(math.abs(one.bytes * profile.program.steps - op.bytes) <= op.events, name)
          assert.equal(one.layer and one.layer .. ":" .. one.kind or "", op.layer)
          assert.equal(one.location or ":0", op.file .. ":" .. op.line)
          assert.is_true(op.seconds <= one.seconds + 1e-9, name) -- those of all threads
        end
      end
    end
    assert.equal(#profile.program, found)
  end)

  it("has a chip's units as busy as its input lets them be", function()
    local projection = model:projection("v5e", { batch = 8 })
    local rows, alone = profile:utilization(projection), projection:utilization()
    assert.equal("infeed", rows[6].unit)
    assert.is_true(rows[6].seconds > alone[6].seconds and rows[1].busy <= alone[1].busy)
    assert.has_error(function() profile:utilization(3) end)
  end)

  it("has the input's stages, all threads and the memory", function()
    assert.is_truthy(answer.stages["Iterator::Prefetch::Batch"])
    local lanes = 0
    for name in pairs(answer.lines) do
      lanes = lanes + (name:find "^%l" and 1 or 0) -- lines of the device begin with a capital letter
    end
    local expected = 0
    for _, lane in ipairs(profile.recording.lanes) do
      expected = expected + (lane.events > 0 and 1 or 0)
    end
    assert.equal(expected, lanes)
    local peak = 0
    for _, step in ipairs(profile.recording.steps) do
      peak = math.max(peak, step.memory)
    end
    assert.equal(peak, answer.memory_peaks.moonpod)
    assert.is_true(answer.memory["program_1(1)"].all > answer.memory["program_1(1)"].arguments)
    assert.equal(0, answer.roofs.peak_flop_rate)
  end)
end)
