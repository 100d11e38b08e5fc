-- Advice: what rules find in profiles that were recorded of programs with one planted fault each, and in short ones.

local advice = require "moonpod.profiler.advice"
local core = require "moonpod.core"
local files = require "tests.lua.support.files"
local machine = require "moonpod.profiler.machine"
local pod = require "moonpod"
local profile = require "moonpod.profiler.profile"

-- What the machine took where the profiles were recorded.
local RECORDED = {
  product_rate = function(_, _, _, dtype)
    return dtype == "bfloat16" and 190e9 or 92e9
  end,
  byte_rate = function()
    return 21e9
  end,
  cross_entropy_seconds = function()
    return 6.6e-3, 2.5e-3
  end,
}

-- A recording; what its programs keep in memory is not part of the file.
local function read(name)
  local recording = dofile("tests/golden/advice/" .. name .. ".lua")
  for _, program in ipairs(recording.programs) do
    program.values = program.values or {}
  end
  return recording
end

local function advise(recording, by)
  return advice.new(profile.new({ read = function() return recording end }), by or RECORDED)
end

local function ids(list)
  local names = {}
  for i, one in ipairs(list) do
    names[i] = one.id
  end
  return " " .. table.concat(names, " ") .. " "
end

-- File, id, what the fix has, where it is.
local PLANTED = {
  { "1-parallel_calls", "num_parallel_calls = 2", "Repeat::Transform$" },
  { "2-prefetch", ":prefetch%(pod%.data%.AUTOTUNE%)", "Iterator" },
  { "3-batch", "batch%(64%)", "batch" },
  { "4-parallel_calls", "num_parallel_calls = 2", "ParseExample$" },
  { "5-callback", "on_epoch_end", "watch: on_train_batch_end" },
  { "6-steps_per_execution", "steps_per_execution = %d+", "fit" },
  { "7-sparse_loss", "sparse_categorical_crossentropy", "advice_cases.lua:%d+" },
  { "8-bfloat16", "mixed_bfloat16", "advice_cases.lua:%d+" },
  { "9-slow_feed", "Transform", "Hosts%[1%].*Transform" },
}

describe("a planted fault", function()
  for _, case in ipairs(PLANTED) do
    it("is named first: " .. case[1], function()
      local list = advise(read(case[1]))
      local first = list[1]
      assert.equal(case[1]:match "^%d%-(.*)$", first and first.id)
      assert.is_truthy(first.fix:find(case[2]), first.fix)
      assert.is_truthy(first.where:find(case[3]), first.where)
      local known = 0
      for name, value in pairs(first.evidence) do
        assert.is_true(type(value) == "number" and value == value and value >= 0 and value < math.huge, name)
        known = known + 1
      end
      assert.is_true(known >= 2)
    end)
  end

  it("has gains that are less than a step, the first near the largest", function()
    for _, case in ipairs(PLANTED) do
      local list = advise(read(case[1]))
      for i, one in ipairs(list) do
        assert.is_true(one.gain > 0 and one.gain <= 0.95, one.id)
        assert.is_true(list[1].gain <= one.gain + 0.05, one.id)
        assert.is_true(i == 1 or one.id ~= list[i - 1].id)
      end
    end
  end)

  it("is not seen in a program without one", function()
    local list = advise(read "clean")
    assert.equal(0, #list, ids(list))
    assert.is_truthy(tostring(list):find "none")
  end)
end)

describe("the gain", function()
  it("is what times of the recording give", function()
    local recording = read "5-callback"
    local p = profile.new { read = function() return recording end }
    local one = advice.new(p, RECORDED)[1]
    local step = p.overview.step_seconds.mean
    local saved = (one.evidence.callback_seconds + one.evidence.logs_seconds) / step
    assert.is_true(math.abs(1 - one.gain - saved) < 1e-9)
    assert.equal(step, one.evidence.step_seconds)
  end)

  it("follows what is recorded: half the callback's time, half of what it saves", function()
    local recording = read "5-callback"
    local before = advise(recording)[1].evidence.callback_seconds
    for _, name in ipairs(recording.names) do
      if name.text:find "^watch" then
        name.total = name.total / 2
      end
    end
    assert.is_true(math.abs(advise(recording)[1].evidence.callback_seconds - before / 2) < 1e-12)
  end)

  it("of bfloat16 is what the machine measures", function()
    local recording = read "8-bfloat16"
    local by = setmetatable({ product_rate = function() return 1e11 end }, { __index = RECORDED })
    assert.is_nil(ids(advise(recording, by)):find " bfloat16 ")
  end)
end)

describe("each rule", function()
  it("has a page of the documentation, which is there and knows it", function()
    local guide = assert(files.read "docs/guides/profiling.md")
    local count = 0
    for id, page in pairs(advice.PAGES) do
      assert.is_truthy(guide:find("| `" .. id .. "` |", 1, true), id)
      assert.is_truthy(files.read(page), page)
      count = count + 1
    end
    assert.equal(12, count)
  end)
end)

describe("advice is not given", function()
  it("to use instructions that the CPU does not have", function()
    local recording = read "8-bfloat16"
    for _, isa in ipairs { "portable", "avx2", "avx512" } do
      recording.isa = isa
      assert.is_nil(ids(advise(recording)):find " bfloat16 ", isa)
    end
    recording.isa = "amx"
    assert.is_truthy(ids(advise(recording)):find " bfloat16 ")
  end)

  it("to work ahead or on several threads where there is one CPU", function()
    for _, name in ipairs { "1-parallel_calls", "2-prefetch", "4-parallel_calls" } do
      local recording = read(name)
      recording.cpus = 1
      local found = ids(advise(recording))
      assert.is_nil(found:find " prefetch ", name)
      assert.is_nil(found:find " parallel_calls ", name)
      assert.is_nil(found:find " threads ", name)
    end
  end)

  it("where no step was recorded", function()
    pod.profiler.start()
    assert.equal(0, #pod.profiler.stop().advice)
  end)

  it("to shorten what waits for the input anyway", function()
    local found = ids(advise(read "1-parallel_calls"))
    for _, id in ipairs { "batch", "bfloat16", "callback", "threads" } do
      assert.is_nil(found:find(" " .. id .. " ", 1, true), id)
    end
  end)
end)

describe("the machine", function()
  it("tells rates of products and bytes, and both forms of a loss", function()
    assert.is_true(machine.product_rate(16, 32, 16, "float32") > 0)
    assert.is_true(machine.product_rate(1e7, 32, 1, "bfloat16") > 0)
    assert.is_true(machine.byte_rate() > 0)
    local dense, sparse = machine.cross_entropy_seconds(32, 16)
    assert.is_true(dense > 0 and sparse > 0)
  end)
end)

describe("a short profile", function()
  local function fit(callbacks)
    local x, y = pod.random.uniform { 64, 8 }, pod.random.uniform { 64, 1 }
    local model = pod.models.sequential { pod.layers.input { 8 }, pod.layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse", steps_per_execution = 1 }
    local data = pod.data.from_tensor_slices { x, y }:batch(8):prefetch(2)
    model:fit(data, { verbose = 0 })
    pod.profiler.start()
    model:fit(data, { verbose = 0, epochs = 3, callbacks = callbacks })
    return pod.profiler.stop()
  end

  local function busy()
    local stop = core.clock() + 0.01
    while core.clock() < stop do end -- luacheck: ignore
  end

  local p = fit { { name = "plotter", on_train_batch_end = busy } }

  it("names a slow callback first, with its name", function()
    assert.equal("callback", p.advice[1].id)
    assert.is_truthy(p.advice[1].where:find "plotter")
    assert.is_true(p.advice[1].evidence.callback_seconds >= 0.01)
    assert.equal(p.advice, p.advice)
  end)

  it("tells what to do wherever it prints, and as CSV", function()
    assert.is_truthy(tostring(p):find("[callback]", 1, true))
    assert.is_truthy(tostring(p.advice):find("%d%.%d times as fast"))
    assert.equal("id,title,gain,why,fix,where,page", p.advice:csv():match "^[^\r]*")
  end)

  it("knows of what runs the steps were, and what the system counted", function()
    assert.equal(24, p.program.steps)
    assert.equal(24, p.program.runs)
    local recording = p.recording
    assert.is_true(recording.cpus >= 1 and recording.threads >= 1)
    assert.equal(pod.device.context():isa(), recording.isa)
    assert.is_true(recording.page_faults >= 0 and recording.disk_faults >= 0 and recording.preemptions >= 0)
    local variables, largest = 0, 0
    for _, one in ipairs(p.program) do
      variables, largest = variables + one.variable_bytes, math.max(largest, one.elements)
      assert.is_true(one.variable_bytes <= one.bytes)
    end
    assert.is_true(variables >= (8 + 1) * 4) -- a kernel and a bias
    assert.is_true(largest >= 8 * 8)
  end)
end)

describe("values computed again", function()
  local ROWS, WIDTH = 64, 64

  local function trained(groups)
    local layers = { pod.layers.input { WIDTH } }
    for i = 2, 5 do
      layers[i] = pod.layers.dense(WIDTH, { activation = "gelu" })
    end
    local model = pod.models.sequential(layers)
    model:compile { optimizer = "sgd", loss = "mse" }
    model:set_memory_options { rematerialize = groups }
    local data = pod.data.from_tensors { pod.random.uniform { ROWS, WIDTH }, pod.random.uniform { ROWS, WIDTH } }
    local options = { verbose = 0, steps_per_epoch = 4 }
    model:fit(data:repeat_(), options)
    pod.profiler.start()
    model:fit(data:repeat_(), options)
    return pod.profiler.stop()
  end

  it("are known by their layers, and their gradients are not of them", function()
    local function products(p)
      local again, all = 0, 0
      for _, one in ipairs(p.program) do
        all = all + one.operations
        again = again + ((one.layer or ""):find("again/", 1, true) and one.operations or 0)
      end
      return again, all
    end
    local one = 2 * ROWS * WIDTH ^ 2
    local again, all = products(trained(false))
    assert.same({ 0, 11 * one }, { again, all }) -- of four layers forward, of weights, of inputs but the first
    again, all = products(trained(1))
    assert.equal(4 * one, again)
    assert.equal(15 * one, all)
  end)

  it("are advised against where memory is free", function()
    local recording = read "8-bfloat16"
    local program = recording.programs[2]
    for i, one in ipairs(program) do
      one.layer = i % 2 == 0 and "sequential/again/dense" or one.layer
    end
    recording.free_memory = 1e9
    assert.is_truthy(ids(advise(recording)):find " remat ")
    program.values = { { kept = true, bytes = 5e8, first = 1, last = 1, place = "temporary" } }
    assert.is_nil(ids(advise(recording)):find " remat ")
  end)
end)

describe("counters of the CPU", function()
  it("are there, or it is said why not", function()
    pod.profiler.start()
    local double = pod.func(function(x) return x * 2 end)
    for _ = 1, 20 do
      double(pod.random.uniform { 64, 64 }):data()
    end
    local p = pod.profiler.stop()
    local note = p.recording.no_counters
    assert.is_true(note ~= nil or p.counters[1].cycles > 1000 and p.counters[1].instructions > 1000)
    assert.equal(note, p.counters.note)
    assert.is_truthy(tostring(p):find(note or "instructions a cycle", 1, true))
  end)

  it("are told by thread and step", function()
    local recording = read "clean"
    local lane = recording.lanes[recording.main_lane]
    lane.cycles, lane.cpu_instructions, lane.cache_misses = 8000, 20000, 16
    local p = profile.new { read = function() return recording end }
    assert.equal(1, #p.counters)
    local row = p.counters[1]
    assert.same({ "main", 8000, 20000, 16, 2.5, 8000 / p.overview.steps }, { row.thread, row.cycles, row.instructions,
      row.cache_misses, row.per_cycle, row.cycles_a_step })
    recording.no_counters = "not allowed here, see perf_event_paranoid"
    p = profile.new { read = function() return recording end }
    assert.equal(0, #p.counters)
    assert.is_truthy(tostring(p.counters):find("perf_event_paranoid", 1, true))
  end)
end)

describe("a comparison of two profiles", function()
  local function made(name)
    local recording = read(name)
    return profile.new { read = function() return recording end }
  end

  it("of the same finds no change", function()
    local c = made("8-bfloat16"):compare(made "8-bfloat16")
    assert.equal(1, c.ratio)
    for _, name in ipairs { "parts", "ops", "layers", "lines" } do
      assert.is_true(#c[name] > 0)
      for _, row in ipairs(c[name]) do
        assert.equal(0, row.change)
      end
    end
  end)

  it("has changes that sum to that of the step, and those of ops alike", function()
    local before, after = made "8-bfloat16", made "clean"
    local c = before:compare(after)
    local parts = 0
    for _, row in ipairs(c.parts) do
      parts = parts + row.change
    end
    assert.is_true(math.abs(parts - (c.after - c.before)) < 1e-3 * c.before) -- recorded with five digits
    local sums = {}
    for i, name in ipairs { "ops", "layers", "lines" } do
      sums[i] = 0
      for _, row in ipairs(c[name]) do
        sums[i] = sums[i] + row.change
      end
    end
    assert.is_true(math.abs(sums[1] - sums[2]) < 1e-9 and math.abs(sums[1] - sums[3]) < 1e-9)
    assert.is_true(math.abs(c.row_ratio - c.after / c.rows_after / (c.before / c.rows_before)) < 1e-12)
    assert.is_truthy(tostring(c):find "a row takes")
    assert.equal("layer,before,after,change,ratio", c.layers:csv():match "^[^\r]*")
  end)

  it("knows a layer by its place where a second model has other numbers", function()
    local before, recording = made "8-bfloat16", read "8-bfloat16"
    for _, one in ipairs(recording.programs[2]) do
      one.layer = one.layer and one.layer:gsub("dense_2", "dense_5"):gsub("dense_1", "dense_4")
        :gsub("dense$", "dense_3"):gsub("sequential", "sequential_1")
      one.seconds = one.seconds / 2
    end
    local c = before:compare(profile.new { read = function() return recording end })
    for _, row in ipairs(c.layers) do
      assert.is_true(row.before == 0 or math.abs(row.ratio - 0.5) < 1e-9, row.layer)
    end
  end)

  it("refuses what is no profile, and one without a step", function()
    local p = made "clean"
    assert.has_error(function() p:compare {} end)
    pod.profiler.start()
    local empty = pod.profiler.stop()
    assert.has_error(function() p:compare(empty) end)
  end)
end)
