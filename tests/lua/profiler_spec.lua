-- Profiles: parts that sum to steps, operations counted by hand, names of stages, files.

local pod = require "moonpod"
local core = require "moonpod.core"
local json = require "moonpod.base.json"
local files = require "tests.lua.support.files"

local read, temporary = files.read, files.temporary

local ROWS, BATCH, INPUTS, HIDDEN, OUTPUTS = 96, 8, 16, 32, 4

local function new_model(options)
  local model = pod.models.sequential { pod.layers.input { INPUTS }, pod.layers.dense(HIDDEN, { name = "first" }),
    pod.layers.dense(OUTPUTS, { name = "second" }) }
  local given = { optimizer = pod.optimizers.sgd(0.05), loss = "mse" }
  for key, value in pairs(options or {}) do
    given[key] = value
  end
  model:compile(given)
  return model
end

local X, Y = pod.random.uniform { ROWS, INPUTS }, pod.random.uniform { ROWS, OUTPUTS }

local function dataset()
  return pod.data.from_tensor_slices { X, Y }:shuffle(ROWS):batch(BATCH):prefetch(2)
end

local function record(fn)
  pod.profiler.start()
  fn()
  return pod.profiler.stop()
end

local function remove(paths, directory)
  for _, path in pairs(paths) do
    os.remove(path)
  end
  os.remove(directory)
end

local FILES = { "trace.json", "trace.perfetto", "profile.pb.gz", "report.html", "overview.txt" }
for name in ("overview parts input categories stages pod replicas ops layers lines instructions roofline threads "
  .. "counters steps memory memory_layers memory_timeline memory_steps trace advice"):gmatch "%S+" do
  FILES[#FILES + 1] = name .. ".csv"
end

local function files_in(directory)
  local paths = {}
  for _, name in ipairs(FILES) do
    paths[name] = directory .. "/" .. name
  end
  return paths
end

local function near(expected, actual)
  assert.is_true(math.abs(expected - actual) <= 1e-9 * math.max(1, math.abs(expected)),
    ("%.17g is not %.17g"):format(actual, expected))
end

describe("a profile of a training", function()
  local model = new_model()
  model:fit(dataset(), { verbose = 0 }) -- compiles
  local profile = record(function()
    model:fit(dataset(), { verbose = 0, epochs = 3 })
  end)

  it("has each step, of parts that sum to it", function()
    local overview = profile.overview
    assert.equal(3 * ROWS / BATCH, overview.steps)
    local sum, share = 0, 0
    for _, row in ipairs(overview.parts) do
      sum, share = sum + row.seconds, share + row.share
    end
    near(overview.step_seconds.mean, sum)
    near(1, share)
    for _, step in ipairs(profile.steps) do
      local parts = 0
      for _, row in ipairs(overview.parts) do
        parts = parts + step[row.part]
      end
      near(step.seconds, parts)
      assert.equal(BATCH, step.rows)
    end
    assert.is_true(overview.step_seconds.least <= overview.step_seconds.median)
    assert.is_true(overview.step_seconds.median <= overview.step_seconds.most)
  end)

  it("knows what fit does: nothing is left over", function()
    -- Of a step in the middle: where the machine is busy, the script is kept waiting anywhere.
    local shares = {}
    for i, step in ipairs(profile.steps) do
      shares[i] = step.other / step.seconds
    end
    table.sort(shares)
    local middle = shares[math.ceil(#shares / 2)]
    assert.is_true(middle <= 0.03, ("other: %.3f"):format(middle))
  end)

  it("counts the operations of layers as a hand does", function()
    local by_layer = {}
    for _, row in ipairs(profile:op_stats "layer") do
      by_layer[row.layer:match "[^/]*$"] = row
    end
    local steps = profile.overview.steps
    -- Forward and the weights' gradients; the second layer passes a gradient on, too. Biases add and sum.
    local first = 2 * 2 * BATCH * INPUTS * HIDDEN
    local second = 3 * 2 * BATCH * HIDDEN * OUTPUTS
    local products = 0
    for _, one in ipairs(profile.program) do
      products = products + one.operations
    end
    assert.equal(first + second, products)
    assert.is_true(by_layer.first.flops >= steps * first)
    assert.is_true(by_layer.second.flops >= steps * second)
  end)

  it("has the same sums by op, layer, line and instruction", function()
    local sums = {}
    for _, by in ipairs { "op", "layer", "line", "instruction" } do
      local flops, bytes, seconds, share = 0, 0, 0, 0
      for _, row in ipairs(profile:op_stats(by)) do
        flops, bytes, seconds = flops + row.flops, bytes + row.bytes, seconds + row.seconds
        share = share + row.share
        assert.is_string(row[by])
      end
      near(1, share)
      sums[#sums + 1] = { flops, bytes, seconds }
    end
    for i = 2, 4 do
      for j = 1, 3 do
        near(sums[1][j], sums[i][j])
      end
    end
    assert.has_error(function() profile:op_stats "colour" end)
  end)

  it("names stages by their way to the consumer", function()
    local names = {}
    for _, stage in ipairs(profile.input.stages) do
      names[stage.name] = stage
    end
    for _, name in ipairs { "Iterator::Prefetch", "Iterator::Prefetch::Batch", "Iterator::Prefetch::Batch::Shuffle",
      "Iterator::Prefetch::Batch::Shuffle::FromTensorSlices" } do
      assert.is_table(names[name], name)
    end
    assert.equal(3 * ROWS / BATCH, names["Iterator::Prefetch::Batch"].elements)
    local categories = {}
    for i, row in ipairs(profile.input.categories) do
      categories[i] = row.category
    end
    assert.equal(4, #categories)
  end)

  it("prints, and is written as CSV", function()
    local text = tostring(profile)
    for _, word in ipairs { "input%-bound", "compute", "Iterator::Prefetch", "thread", "FLOP/s" } do
      assert.is_truthy(text:find(word), word)
    end
    local lines = {}
    for line in profile.ops:csv():gmatch "([^\r\n]*)\r\n" do
      lines[#lines + 1] = line
    end
    assert.equal("op,seconds,share,calls,flops,bytes,flops_per_second,bytes_per_second", lines[1])
    assert.equal(#profile.ops + 1, #lines)
  end)

  it("has the facts of its overview and its input as tables", function()
    local facts = {}
    for _, list in ipairs { profile.overview.facts, profile.input.facts } do
      for _, row in ipairs(list) do
        facts[row.fact] = row.value
        assert.is_truthy(tostring(list):find(row.fact, 1, true), row.fact)
        assert.is_truthy(list:csv():find(row.fact:find "," and '"' .. row.fact .. '",' or row.fact .. ",", 1, true))
      end
    end
    assert.equal(3 * ROWS / BATCH, facts["steps"])
    assert.equal(profile.overview.step_seconds.mean, facts["step, mean"])
    assert.equal(profile.feed_ratio, facts["feed ratio"])
    assert.equal(profile:bottleneck().name, facts["slowest stage"])
  end)

  it("lists its events in the order in which they began", function()
    local events, kept, before = profile:events(), 0, 0
    for _, lane in ipairs(profile.recording.lanes) do
      kept = kept + lane.events
    end
    assert.equal(kept, #events)
    local threads, steps = {}, 0
    for _, row in ipairs(events) do
      assert.is_true(row.began >= before and row.began + row.seconds <= profile.recording.seconds + 1e-9)
      assert.is_truthy(#row.name > 0 and #row.part > 0)
      before, threads[row.thread], steps = row.began, true, steps + (row.kind == "step" and 1 or 0)
    end
    assert.equal(#profile.recording.steps, steps)
    assert.is_true(threads.main)
    assert.is_truthy(tostring(events):find "... and %d+ more")
  end)
end)

describe("the trace", function()
  it("is JSON of Chrome's format", function()
    local model = new_model()
    local profile = record(function()
      model:fit(dataset(), { verbose = 0 })
    end)
    local path = temporary()
    profile:save_trace(path)
    local trace = json.decode(read(path))
    os.remove(path)
    local lines, slices, open = {}, 0, {}
    for _, event in ipairs(trace.traceEvents) do
      assert.equal(1, event.pid)
      assert.is_string(event.name)
      if event.ph == "M" then
        assert.is_true(event.name == "process_name" or event.name == "thread_name" or event.name == "thread_sort_index")
        lines[event.tid] = lines[event.tid] or event.name == "thread_name"
      elseif event.ph == "C" then
        assert.is_true(event.name == "memory" and event.args.bytes > 0 and event.ts >= 0)
      else
        assert.equal("X", event.ph)
        assert.is_true(event.ts >= 0 and event.dur >= 0)
        assert.is_string(event.cat)
        assert.is_table(event.args)
        assert.is_true(lines[event.tid], "a slice is of a named thread")
        slices = slices + 1
        open[event.tid] = open[event.tid] or {}
        table.insert(open[event.tid], event)
      end
    end
    assert.is_true(slices > 2 * ROWS / BATCH)
    -- Slices of a thread lie beside or within each other: otherwise viewers draw what never was.
    for _, list in pairs(open) do
      table.sort(list, function(a, b)
        return a.ts < b.ts or (a.ts == b.ts and a.dur > b.dur)
      end)
      local ends = {}
      for _, event in ipairs(list) do
        while #ends > 0 and ends[#ends] <= event.ts + 0.0005 do
          ends[#ends] = nil
        end
        assert.is_true(#ends == 0 or event.ts + event.dur <= ends[#ends] + 0.002)
        ends[#ends + 1] = event.ts + event.dur
      end
    end
  end)
end)

describe("profiler.trace", function()
  it("writes all files, also when the function raises", function()
    local directory = temporary()
    assert.has_error(function()
      pod.profiler.trace(directory, function()
        new_model():fit(dataset(), { verbose = 0 })
        error "on purpose"
      end)
    end)
    assert.is_false(pod.profiler.is_on())
    local paths = files_in(directory)
    for _, path in pairs(paths) do
      assert.is_true(#read(path) > 0, path)
    end
    remove(paths, directory)
  end)

  it("calls a function once more that ends before a step does, and says so", function()
    local directory, calls = temporary(), 0
    local double = pod.func(function(x) return x * 2 end)
    local profile = pod.profiler.trace(directory, function()
      calls = calls + 1
      if calls == 2 then
        double(X):data()
      end
    end)
    assert.equal(2, calls)
    assert.is_true(profile.overview.steps > 0)
    assert.is_truthy(profile.note:find "once more")
    assert.is_truthy(read(directory .. "/overview.txt"):find "once more")
    remove(files_in(directory), directory)
  end)

  it("does not write where there is no folder for it", function()
    assert.has_error(function()
      pod.profiler.trace("/dev/null/folder", function() end)
    end)
    assert.is_false(pod.profiler.is_on())
  end)
end)

describe("start and stop", function()
  it("say when they are out of turn", function()
    assert.has_error(function() pod.profiler.stop() end)
    pod.profiler.start()
    assert.is_true(pod.profiler.is_on())
    assert.has_error(function() pod.profiler.start() end)
    local profile = pod.profiler.stop()
    assert.equal(0, profile.overview.steps)
    assert.is_truthy(profile.note:find "no step")
    assert.is_truthy(tostring(profile):find "no step")
  end)

  it("give what was recorded so far between them", function()
    assert.has_error(function() pod.profiler.take() end)
    pod.profiler.start()
    new_model():fit(dataset(), { verbose = 0 })
    local taken = pod.profiler.take()
    assert.is_true(pod.profiler.is_on())
    new_model():fit(dataset(), { verbose = 0 })
    assert.equal(ROWS / BATCH, taken.overview.steps)
    assert.is_true(#pod.profiler.stop().recording.steps > #taken.recording.steps)
  end)

  it("give what is annotated its name, also when it raises", function()
    pod.profiler.start()
    assert.equal(3, pod.profiler.annotate("mine", function(a, b) return a + b end, 1, 2))
    pcall(pod.profiler.annotate, "broken", error, "on purpose")
    local names = {}
    for _, name in ipairs(pod.profiler.stop().recording.names) do
      names[name.text] = name
    end
    assert.equal(1, names.mine.calls)
    assert.equal(1, names.broken.calls)
  end)

  it("count collections of garbage, also those that nobody asks for", function()
    local function collections(fn)
      pod.profiler.start()
      fn()
      return pod.profiler.stop()
    end
    local none = collections(function() end)
    local asked = collections(function()
      for _ = 1, 3 do
        collectgarbage()
      end
    end)
    assert.is_true(none.overview.collections <= 1)
    assert.is_true(asked.overview.collections >= 3 and asked.overview.collections <= 5)
    assert.is_truthy(tostring(asked):find("Lua collected garbage", 1, true))
    local ended = collections(function()
      collectgarbage "restart"
      local made, before = nil, collectgarbage "count"
      for i = 1, 1e6 do
        made = { made and i }
        if i % 1000 == 0 and collectgarbage "count" > before + 65536 then
          break
        end
      end
    end)
    assert.is_true(ended.overview.collections >= 1)
  end)

  it("see compilation, tracing and callbacks", function()
    local profile = record(function()
      new_model():fit(dataset(), { verbose = 0, callbacks = { { name = "slow", on_train_batch_end = function()
        local stop = core.clock() + 0.002
        while core.clock() < stop do end -- luacheck: ignore
      end } } })
    end)
    local all = profile.recording.lanes[profile.recording.main_lane].parts
    assert.is_true(all.compile > 0 and all.trace > 0)
    local parts = {}
    for _, row in ipairs(profile.overview.parts) do
      parts[row.part] = row.seconds
    end
    assert.is_true(parts.callback >= 0.0015, tostring(parts.callback))
    local found
    for _, name in ipairs(profile.recording.names) do
      found = found or name.text:find "slow: on_train_batch_end" and name
    end
    assert.equal(ROWS / BATCH, found.calls)
  end)
end)

describe("a long recording", function()
  it("keeps the newest steps, and sums miss none", function()
    local steps = 8192 + 1000 -- of which 8192 have room
    local data = pod.data.from_tensors { X, Y }:repeat_()
    local model = new_model { steps_per_execution = 8 }
    local profile = record(function()
      model:fit(data, { verbose = 0, steps_per_epoch = steps })
    end)
    local overview = profile.overview
    assert.equal(steps, overview.steps)
    assert.is_true(overview.steps_kept == #profile.steps and #profile.steps <= 8192 and #profile.steps > 8000)
    assert.is_true(profile.recording.steps_lost >= 1000)
    for _, row in ipairs(profile:op_stats "instruction") do
      assert.equal(0, row.flops % steps)
    end
    local text = tostring(overview)
    assert.is_truthy(text:find(("%d steps in "):format(steps), 1, true))
    assert.is_truthy(text:find(("of the newest %d, "):format(overview.steps_kept), 1, true))
    assert.is_truthy(text:find("older steps are in the sums alone", 1, true))
  end)
end)

describe("fit's profile_batch", function()
  it("records those batches", function()
    local history = new_model():fit(dataset(), { verbose = 0, epochs = 2, profile_batch = { 10, 20 } })
    assert.equal(11, history.profile.overview.steps)
    assert.is_false(pod.profiler.is_on())
  end)

  it("takes whole executions, and several epochs", function()
    local history = new_model({ steps_per_execution = 5 }):fit(dataset(), { verbose = 0, epochs = 3,
      profile_batch = { 7, 8 } })
    assert.equal(5, history.profile.overview.steps)
  end)

  it("says when the training is too short", function()
    local history = new_model():fit(dataset(), { verbose = 0, profile_batch = { 10, 200 } })
    assert.equal(ROWS / BATCH - 9, history.profile.overview.steps)
    assert.is_truthy(history.profile.note:find "before batch 200")
    history = new_model():fit(dataset(), { verbose = 0, profile_batch = 100 })
    assert.is_nil(history.profile)
  end)

  it("refuses what is no range of batches", function()
    for _, wrong in ipairs { { 0, 2 }, { 5, 2 }, { 1.5, 2 }, "ten", {} } do
      assert.has_error(function()
        new_model():fit(dataset(), { verbose = 0, profile_batch = wrong })
      end)
    end
    assert.is_false(pod.profiler.is_on())
  end)
end)

describe("a slow stage", function()
  it("is found by its name", function()
    local rows_of_x, rows_of_y = pod.random.uniform { 8, INPUTS }, pod.random.uniform { 8, OUTPUTS }
    local slow = pod.data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        local stop = core.clock() + 0.02
        while core.clock() < stop do end -- luacheck: ignore
        if i <= 12 then
          return rows_of_x, rows_of_y
        end
      end
    end, { output_signature = { pod.spec({ 8, INPUTS }, "float32"), pod.spec({ 8, OUTPUTS }, "float32") } })
    local model = new_model()
    model:fit(dataset(), { verbose = 0 })
    local profile = record(function()
      model:fit(slow, { verbose = 0 })
    end)
    assert.is_true(profile.overview.input_bound >= 0.2)
    assert.equal("host", profile.overview.class)
    assert.equal("Iterator::FromGenerator", profile:bottleneck().name)
    assert.is_true(profile.feed_ratio < 1)
  end)
end)

describe("feeds of several hosts", function()
  it("are told apart", function()
    local strategy = pod.distribute.mirrored(2, { num_hosts = 2 })
    local made = strategy:distribute_dataset(
      pod.data.range(40):batch(strategy:global_batch(2)):options { auto_shard = "OFF" })
    local profile = record(function()
      for _ in made:iter() do end -- luacheck: ignore
    end)
    local feeds = profile.input.feeds
    assert.equal(2, #feeds)
    for i, feed in ipairs(feeds) do
      assert.is_truthy(feed.feed:find("Hosts[" .. i - 1 .. "]", 1, true))
      assert.is_true(feed.elements >= 10)
      assert.equal(4 * feed.elements, feed.rows)
      assert.equal(8 * feed.rows, feed.bytes)
      assert.is_true(feed.total > 0)
    end
    assert.is_truthy(tostring(profile.input):find("Hosts[1]", 1, true))
  end)
end)

describe("docs/guides/profiling.md", function()
  it("runs", function()
    local parts = {}
    for block in read "docs/guides/profiling.md":gmatch "```lua\n(.-)```" do
      parts[#parts + 1] = block:gsub("\nlocal p = ", "\np = ")
    end
    assert.is_true(#parts >= 3)
    local load_text = loadstring or load -- luacheck: ignore
    local text = "local print = function() end\nlocal p\n" .. table.concat(parts, "\n")
    assert(load_text(text, "=profiling.md"))()
    assert.is_false(pod.profiler.is_on())
  end)
end)
