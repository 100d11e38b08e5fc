-- What a profile tells of memory, roofs and feeds, its charts, and the page that shows all of it.

local pod = require "moonpod"
local executable = require "tests.lua.support.executable"
local caches = require "moonpod.profiler.caches"
local counters = require "moonpod.profiler.counters"
local json = require "moonpod.base.json"
local op_stats = require "moonpod.profiler.op_stats"
local pod_view = require "moonpod.profiler.pod_view"
local roofline = require "moonpod.profiler.roofline"
local files = require "tests.lua.support.files"

local read, temporary = files.read, files.temporary

local ROWS, BATCH, INPUTS, HIDDEN = 96, 8, 16, 32

local function new_model()
  local model = pod.models.sequential { pod.layers.dense(HIDDEN, { name = "first", activation = "relu" }),
    pod.layers.dense(4, { name = "second" }) }
  model:compile { optimizer = "sgd", loss = "mse" }
  return model
end

local function dataset()
  local x, y = pod.random.uniform { ROWS, INPUTS }, pod.random.uniform { ROWS, 4 }
  return pod.data.from_tensor_slices { x, y }:batch(BATCH):prefetch(2)
end

local HOSTILE = "</script><b>x"

local profile = pod.profiler.record(function()
  new_model():fit(dataset(), { verbose = 0, epochs = 3, callbacks = {
    { name = HOSTILE, on_epoch_end = function() end } } })
end)

local function page(options)
  local path = temporary() .. ".html"
  profile:save_html(path, options)
  local text = read(path)
  os.remove(path)
  return text
end

describe("memory", function()
  local memory = profile.memory

  it("is at its peak what is live then", function()
    local sum, by_layer = 0, 0
    for _, row in ipairs(memory.peak) do
      assert.is_true(row.first <= memory.peak_instruction and memory.peak_instruction <= row.last)
      sum = sum + row.bytes
    end
    for _, row in ipairs(memory.by_layer) do
      by_layer = by_layer + row.bytes
    end
    assert.equal(memory.peak_bytes, sum)
    assert.equal(memory.peak_bytes, by_layer)
    for _, row in ipairs(memory.timeline) do
      assert.is_true(row.bytes <= memory.peak_bytes)
    end
    assert.equal(#profile.program, #memory.timeline)
  end)

  it("has the weights and the batch", function()
    local weights = 4 * (INPUTS * HIDDEN + HIDDEN + HIDDEN * 4 + 4)
    local arguments = 0
    for _, row in ipairs(memory.peak) do
      arguments = arguments + (row.place == "argument" and row.bytes or 0)
    end
    assert.is_true(arguments >= weights + 4 * BATCH * (INPUTS + 4), tostring(arguments))
    assert.is_true(arguments <= weights + 4 * BATCH * (INPUTS + 4) + 1024, tostring(arguments))
  end)

  it("is told for each step", function()
    assert.equal(#profile.recording.steps, #memory.steps)
    for _, row in ipairs(memory.steps) do
      assert.is_true(row.bytes > 0)
    end
  end)
end)

describe("the roofline", function()
  it("has what ops achieve below roofs that are measured", function()
    local one = profile:roofline()
    assert.is_true(one.roofs.float32 > 0 and one.roofs.bfloat16 > 0 and one.roofs.bytes > 0)
    assert.is_true(#one.points > 0)
    assert.equal("memory", one.roofs.places[#one.roofs.places].name)
    local places = {}
    for _, place in ipairs(one.roofs.places) do
      assert.is_true(place.rate > 0)
      places[place.name] = place
    end
    for _, point in ipairs(one.points) do
      assert.is_true(point.bound == "compute" or places[point.bound] ~= nil)
      assert.is_true(point.share_of_roof > 0)
      if point.roof > 0 then
        assert.is_true(math.abs(point.share_of_roof * point.roof / point.flops_per_second - 1) < 1e-9)
      else -- what only moves bytes
        assert.equal(0, point.flops_per_second)
        assert.is_true(point.bytes_per_second > 0 and point.bound ~= "compute")
      end
    end
    assert.is_truthy(tostring(one):find "of its roof")
    assert.equal(one.step.share_of_roof, profile.overview.share_of_roof)
    assert.is_truthy(tostring(profile.overview):find "of the machine's measured roof")
    assert.is_truthy(profile.overview.facts:csv():find "\nshare of the machine's roof,")
    assert.has_error(function() profile:roofline "colour" end)
  end)

  it("is in the op stats where it is asked for", function()
    for _, by in ipairs { "op", "layer", "line", "instruction" } do
      local shares = {}
      for _, point in ipairs(profile:roofline(by).points) do
        shares[point[by]] = point.share_of_roof
      end
      local rows = profile:op_stats(by, { roof = true })
      for _, row in ipairs(rows) do
        assert.equal(shares[row[by]], row.share_of_roof)
      end
      assert.is_truthy(rows:csv():find "^[^\r]*,share_of_roof,bound\r\n")
      assert.is_nil(profile:op_stats(by):csv():find "share_of_roof")
    end
  end)

  it("judges an instruction by the nearest cache that holds its bytes", function()
    local points = {}
    for _, point in ipairs(profile:roofline("instruction").points) do
      points[point.instruction] = point
    end
    local roofs, seen = profile:roofline().roofs, 0
    for i, one in ipairs(profile.program) do
      local point = points[op_stats.name_of("instruction", one, i)]
      local place = roofs.places[1]
      for j = #roofs.places, 1, -1 do
        place = one.bytes <= roofs.places[j].holds and roofs.places[j] or place
      end
      if point and one.flops > 0 then
        local roof = math.min(roofs.float32, one.flops / one.bytes * place.rate)
        seen = seen + 1
        assert.is_true(math.abs(point.roof / roof - 1) < 1e-9)
        assert.equal(roof == roofs.float32 and "compute" or place.name, point.bound)
      end
    end
    assert.is_true(seen > 3)
  end)

  it("knows caches from the system, for so many threads", function()
    local folder = temporary()
    local function cache(i, level, kind, size, shared)
      local at = folder .. "/index" .. i
      executable.shell("mkdir -p " .. at)
      for name, word in pairs { level = level, type = kind, size = size, shared_cpu_list = shared } do
        executable.shell(("echo %s >%s/%s"):format(word, at, name))
      end
    end
    cache(0, "1", "Data", "32K", "0")
    cache(1, "1", "Instruction", "32K", "0")
    cache(2, "2", "Unified", "1M", "0,8")
    cache(3, "3", "Unified", "16384K", "0-3,8-11")
    local list = caches.list(folder .. "/index")
    executable.shell("rm -rf " .. folder)
    assert.same({ { level = 1, bytes = 2 ^ 15, cpus = 1 }, { level = 2, bytes = 2 ^ 20, cpus = 2 },
      { level = 3, bytes = 2 ^ 24, cpus = 8 } }, list)
    assert.same({}, caches.list(folder .. "/index"))

    local names, holds = {}, {}
    for i, place in ipairs(roofline.places(list, 4)) do
      names[i], holds[i] = place.name, place.holds
      assert.is_true(place.bytes <= place.holds and (i == 1 or place.bytes > holds[i - 1]))
    end
    assert.same({ "L1", "L2", "L3", "memory" }, names)
    assert.same({ 2 ^ 17, 2 ^ 21, 2 ^ 24, math.huge }, holds)
    assert.same({ { name = "memory", holds = math.huge, bytes = 2 ^ 25 } }, roofline.places({}, 2))
  end)
end)

describe("the pod's view", function()
  local function feed(i, total)
    return { feed = "Iterator::Hosts[" .. i .. "]", elements = 10, rows = 80, bytes = 320, total = total,
      waiting = 0 }
  end

  it("flags a feed that takes longer than the others", function()
    local rows = pod_view.new { feed(0, 0.010), feed(1, 0.011), feed(2, 0.040), feed(3, 0.009) }
    for i, row in ipairs(rows) do
      assert.equal(i == 3, row.slow, row.feed)
      assert.equal(80, row.rows)
    end
    assert.is_truthy(tostring(rows):find "SLOW: 4.0 times")
  end)

  it("flags none where they are alike, or take next to nothing", function()
    for _, feeds in ipairs { { feed(0, 0.01), feed(1, 0.012) }, { feed(0, 1e-6), feed(1, 5e-6) }, { feed(0, 1) } } do
      for _, row in ipairs(pod_view.new(feeds)) do
        assert.is_false(row.slow)
      end
    end
  end)

  -- Batches of 10 rows: of four replicas the last one has one row of each. Two hosts give 12 and 8 in turn.
  local function of_replicas(hosts)
    local strategy, model = pod.distribute.mirrored(4, { num_hosts = hosts }), nil
    strategy:scope(function() model = new_model() end)
    local x, y = pod.random.uniform { 40, INPUTS }, pod.random.uniform { 40, 4 }
    local data = pod.data.from_tensor_slices { x, y }:batch(10)
    local of_fit = pod.profiler.record(function()
      model:fit(hosts > 1 and strategy:distribute_dataset(data:options { auto_shard = "OFF" }) or data, { verbose = 0,
        epochs = 2 })
    end)
    return of_fit, of_fit.replicas
  end

  it("give each replica its rows", function()
    for hosts = 1, 2 do
      local of_fit, rows = of_replicas(hosts)
      local all = { rows = 0, bytes = 0 }
      assert.equal(4, #rows)
      for i, row in ipairs(rows) do
        assert.equal(i - 1, row.replica)
        assert.equal(hosts == 2 and ("Hosts[%d]"):format(i > 2 and 1 or 0) or "Iterator::Batch", row.feed)
        assert.is_true(row.least <= row.most and row.waiting > 0)
        all.rows, all.bytes = all.rows + row.rows, all.bytes + row.bytes
      end
      assert.equal(80 * hosts, all.rows) -- without sharding each host reads all
      assert.equal(80 * hosts * 4 * (INPUTS + 4), all.bytes)
      assert.same(hosts == 1 and { 3, 3, 1, 1 } or { 2, 3, 2, 3 }, { rows[1].least, rows[1].most, rows[4].least,
        rows[4].most })
      assert.is_truthy(tostring(of_fit):find("waits for its feed", 1, true))
    end
  end)
end)

describe("charts", function()
  it("are descriptions that draw themselves", function()
    for _, name in ipairs { "parts", "steps", "ops", "layers", "stages", "roofline", "memory_in_step",
      "memory_over_steps", "memory_by_layer", "threads" } do
      local chart = profile:chart(name)
      assert.is_truthy(chart:svg():find "^<svg", name)
      assert.is_true(#chart:text() > 0, name)
    end
    assert.is_nil(profile:chart "feeds")
    assert.has_error(function() profile:chart "colour" end)
  end)
end)

describe("the report", function()
  it("is one page that needs nothing else", function()
    local text = page()
    for address in text:gmatch "https?://[^\"' <]*" do
      assert.equal("http://www.w3.org/2000/svg", address)
    end
    assert.is_nil(text:find "<link" or text:find "<%a[^<>]*%ssrc=" or text:find "@import" or text:find "url%(")
    assert.is_truthy(text:find("default-src 'none'", 1, true))
    for id in ("overview advice input ops roofline memory threads pod steps trace"):gmatch "%a+" do
      assert.is_truthy(text:find('<section id="' .. id .. '"', 1, true), id)
    end
    assert.is_truthy(text:find "other is %d")
    assert.is_nil(page { measure = false }:find('<section id="advice"', 1, true))
  end)

  it("is there for a recording without a step, too", function()
    pod.profiler.start()
    local empty = pod.profiler.stop()
    local path = temporary() .. ".html"
    empty:save_html(path)
    local text = read(path)
    os.remove(path)
    assert.is_truthy(text:find "no step of a program ended")
    assert.is_truthy(tostring(empty):find "no step")
  end)

  it("shows what changed since an earlier profile", function()
    local text = page { measure = false, before = profile }
    assert.is_truthy(text:find('<section id="changes"', 1, true))
    assert.is_truthy(text:find('<figure data-name="parts"', 1, true))
    assert.is_nil(page { measure = false }:find('<section id="changes"', 1, true))
    local change = profile:compare(profile)
    local csv = change:csv()
    assert.equal("kind,name,before,after,change,ratio", csv:match "^[^\r]*")
    for kind, rows in pairs { part = change.parts, op = change.ops, layer = change.layers, line = change.lines } do
      assert.equal(#rows, select(2, csv:gsub("\n" .. kind .. ",", "")))
    end
    assert.is_truthy(change:chart("layers"):svg())
    assert.error_matches(function() change:chart "colours" end, "colours")
    assert.error_matches(function() profile:save_html("x.html", { before = {} }) end, "compared with a profile")
  end)

  it("shows what the CPU counted, or why it did not", function()
    local own = profile.counters
    local lanes = { { name = "main", number = 0, cycles = 4e9, cpu_instructions = 9e9, cache_misses = 31e5 } }
    profile.counters = counters.new({ lanes = lanes }, 10)
    local with = page { measure = false }
    profile.counters = counters.new({ lanes = lanes, no_counters = "not allowed here" }, 10)
    local without = page { measure = false }
    profile.counters = own
    assert.is_truthy(with:find("3.10 M", 1, true) and with:find('<figure data-name="counters"', 1, true))
    assert.is_truthy(without:find("cache misses: not allowed here", 1, true))
    assert.is_nil(without:find('<figure data-name="counters"', 1, true))
  end)

  it("lets no name out of its place", function()
    local text = page { measure = false }
    assert.is_nil(text:find(HOSTILE, 1, true))
    assert.is_truthy(text:find("\\u003c/script\\u003e", 1, true))
  end)

  it("has all events that were kept, each within what it is in", function()
    local text = page { measure = false }
    local trace = json.decode(text:match '<script type="application/json" id="events">(.-)</script>')
    local count, kept = 0, 0
    for _, lane in ipairs(trace.lanes) do
      local began, ends = 0, {}
      for i = 1, #lane.events, 5 do
        local events = lane.events
        began = began + events[i]
        local depth = events[i + 4]
        assert.is_true(events[i] >= 0 and events[i + 1] >= 0)
        assert.is_true(depth == 0 or began < ends[depth])
        ends[depth + 1] = began + events[i + 1]
        assert.is_true(lane.steps or events[i + 2] < #trace.names)
        assert.is_true(events[i + 3] < #trace.parts)
        count = count + 1
      end
    end
    for _, lane in ipairs(profile.recording.lanes) do
      kept = kept + lane.events
    end
    assert.equal(kept, count)
  end)

  it("is drawn by a browser without a network", function()
    if not os.getenv "MOONPOD_LONG" then
      return pending "starts a browser: ./dev test --long"
    end
    local _, none = executable.shell "chromium --version"
    if none ~= 0 then
      return pending "there is no chromium"
    end
    local path, home = temporary() .. ".html", temporary()
    profile:save_html(path)
    local text = executable.shell(("HOME=%s chromium --headless --no-sandbox --disable-gpu --user-data-dir=%s "
      .. "--proxy-server=127.0.0.1:1 --virtual-time-budget=4000 --dump-dom 'file://%s#trace'"):format(home, home, path))
    os.remove(path)
    executable.shell("rm -rf " .. executable.quote(home))
    assert.is_true(tonumber(text:match 'data%-drawn="(%d+)"') > 0, text:sub(1, 500))
    assert.is_truthy(text:find('<section id="trace" aria-label="Trace" class="on"', 1, true))
  end)
end)

describe("other ways in", function()
  it("%prof gives the profile of what is typed", function()
    local commands = require "moonpod.session.commands"
    local double = pod.func(function(x) return x * 2 end)
    rawset(_G, "profiled_by_spec", function() double(pod.ones { 4, 4 }):data() end)
    local _, made = commands.run("%prof profiled_by_spec()", {})
    rawset(_G, "profiled_by_spec", nil)
    assert.is_true(made.overview.steps >= 1)
    assert.has_error(function() commands.run("%prof", {}) end)
  end)

  it("the callback tensorboard writes its batches' profile beside its logs", function()
    local folder = temporary()
    new_model():fit(dataset(), { verbose = 0, callbacks = {
      pod.callbacks.tensorboard { log_dir = folder, profile_batch = { 3, 6 }, write_graph = false } } })
    local overview, html = read(folder .. "/profile/overview.txt"), read(folder .. "/profile/report.html")
    executable.shell("rm -rf " .. executable.quote(folder))
    assert.is_truthy(overview:find "4 steps in")
    assert.is_truthy(html:find "</html>%s*$")
    assert.is_false(pod.profiler.is_on())
  end)
end)
