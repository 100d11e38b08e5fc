-- The files that a profile is written into, as others read them: protocol buffers of Google, `go tool pprof`, protoc.

local pod = require "moonpod"
local executable = require "tests.lua.support.executable"
local json = require "moonpod.base.json"
local peers = require "tests.lua.support.peers"
local files = require "tests.lua.support.files"

local temporary = files.temporary

local ROWS, BATCH = 96, 8

local function recorded()
  local x, y = pod.random.uniform { ROWS, 16 }, pod.random.uniform { ROWS, 4 }
  local data = pod.data.from_tensor_slices { x, y }:batch(BATCH):prefetch(2)
  local model = pod.models.sequential { pod.layers.dense(32, { name = "first", activation = "relu" }),
    pod.layers.dense(4, { name = "second" }) }
  model:compile { optimizer = "sgd", loss = "mse" }
  model:fit(data, { verbose = 0 })
  pod.profiler.start()
  model:fit(data, { verbose = 0, epochs = 2 })
  return pod.profiler.stop()
end

-- Calls fn with a folder that the profile was saved into.
local function saved(profile, fn)
  local directory = temporary()
  local paths = profile:save(directory)
  local ok, failure = pcall(fn, directory, paths)
  for _, path in pairs(paths) do
    os.remove(path)
  end
  os.remove(directory)
  assert(ok, failure)
end

-- Nanoseconds by what pprof calls a function, of the instructions and of what has a name.
local function totals_of(recording)
  local flat, all = {}, 0
  local function add(name, seconds)
    flat[name] = (flat[name] or 0) + math.floor(seconds * 1e9 + 0.5)
    all = all + math.floor(seconds * 1e9 + 0.5)
  end
  for _, program in ipairs(recording.programs) do
    for _, one in ipairs(program) do
      add(one.name ~= "" and one.kind .. " " .. one.name or one.kind, one.seconds)
    end
    add("waiting for other threads", program.waiting)
  end
  for _, name in ipairs(recording.names) do
    add(name.text, name.self)
  end
  return flat, all
end

local profile = recorded()

describe("a profile's files", function()
  it("are what Google's protocol buffers read", function()
    local python, why = peers.python { "google.protobuf" }
    if not python then
      return pending(why)
    end
    saved(profile, function(directory)
      local text, code = peers.run(python, "tests/tools/profile_reads.py", { directory })
      assert(code == 0, text)
      local flat, flops, layers, lines, types, slices, threads = {}, 0, {}, {}, {}, {}, 0
      local memory = {}
      for line in text:gmatch "[^\n]+" do
        local kind, rest = line:match "^(%w+) (.*)$"
        if kind == "type" then
          types[#types + 1] = rest
        elseif kind == "thread" then
          threads = threads + 1
        elseif kind == "memory" then
          memory[#memory + 1] = tonumber(rest:match "%d+$")
        elseif kind == "sample" then
          local count, time, done = rest:match "^(%d+) (%d+) (%d+) %d+"
          local leaf, middle, last = rest:match "\t([^\t]*)[ ]?\t?([^\t]*)[ ]?\t?([^\t]*)$"
          leaf = leaf:gsub(" $", "")
          assert.is_true(tonumber(count) > 0)
          flat[leaf] = (flat[leaf] or 0) + tonumber(time)
          flops = flops + tonumber(done)
          layers[middle:gsub(" $", "")], lines[last] = true, true
        else
          local name = rest:match "^%d+ %d+ %d+ %d+ (.*)$"
          slices[name] = (slices[name] or 0) + 1
        end
      end
      assert.same({ "count count", "time nanoseconds", "flops count", "traffic bytes" }, types)
      local expected, all = totals_of(profile.recording)
      assert.is_true(all > 0)
      for name, nanoseconds in pairs(expected) do
        if nanoseconds > 0 then
          assert.equal(nanoseconds, flat[name], name)
        end
      end
      local sum = 0
      for _, one in ipairs(profile.ops) do
        sum = sum + one.flops
      end
      assert.is_true(math.abs(flops - sum) <= 1e-6 * sum + #profile.program)
      assert.is_true(layers["layer sequential/first"] or layers["layer first"], "layers call instructions")
      local found
      for name in pairs(lines) do
        found = found or name:find "profile_files_spec.lua:%d+$"
      end
      assert.is_truthy(found, "lines of the script call layers")
      assert.equal(#profile.recording.lanes, threads)
      assert.equal(#profile.recording.steps, #memory)
      for i, step in ipairs(profile.recording.steps) do
        assert.equal(step.memory, memory[i])
      end
      local steps = 0
      for name, times in pairs(slices) do
        steps = steps + (name:find "^step %d+$" and times or 0)
      end
      assert.equal(#profile.recording.steps, steps)
      assert.is_truthy(slices["Iterator::Prefetch::Batch"])
    end)
  end)

  it("are decoded by protoc", function()
    local _, code = executable.shell "protoc --version"
    if code ~= 0 then
      return pending "there is no protoc"
    end
    saved(profile, function(_, paths)
      local text, failed = executable.shell("protoc -I tests/tools --decode=perfetto.Trace perfetto.proto < "
        .. executable.quote(paths["trace.perfetto"]))
      assert.equal(0, failed, text)
      local begins, ends = 0, 0
      for kind in text:gmatch "\n    type: (%d+)" do
        begins, ends = begins + (kind == "1" and 1 or 0), ends + (kind == "2" and 1 or 0)
      end
      assert.is_true(begins > profile.overview.steps and begins == ends)
      assert.is_nil(text:find "\n%s*%d+: ", "there are no fields that are not known")
      text, failed = executable.shell(
        ("gzip -dc %s | protoc -I tests/tools --decode=pprof.Profile pprof.proto"):format(
          executable.quote(paths["profile.pb.gz"])))
      assert.equal(0, failed, text)
      assert.is_nil(text:find "\n%s*%d+: ")
    end)
  end)

  it("are what go tool pprof sees", function()
    local _, code = executable.shell "go version"
    if code ~= 0 then
      return pending "there is no go"
    end
    saved(profile, function(_, paths)
      local text, failed = executable.shell(
        ("HOME=/nonexistent GOCACHE=off PPROF_TMPDIR=/tmp go tool pprof -top -nodecount=1000 -nodefraction=0 -unit=ns "
          .. "-sample_index=time %s"):format(executable.quote(paths["profile.pb.gz"])))
      assert.equal(0, failed, text)
      local expected, all = totals_of(profile.recording)
      local total = text:match "of (%d+)ns total"
      assert.equal(all, tonumber(total), text)
      local seen = 0
      for flat, name in text:gmatch "\n%s*(%d+)n?s?%s+[%d.]+%%%s+[%d.]+%%%s+%d+n?s?%s+[%d.]+%%%s+([^\n]+)" do
        if tonumber(flat) > 0 then
          assert.equal(expected[name], tonumber(flat), name)
          seen = seen + 1
        end
      end
      assert.is_true(seen >= #profile.ops, text)
    end)
  end)

  it("have the events that are recorded", function()
    local count, lane = 0, profile.recording.main_lane
    repeat
      local block = profile._recorded:events(lane, count)
      assert.equal(0, #block % 8)
      for i = 1, #block, 8 do
        assert.is_true(block[i + 6] >= 0 and block[i + 6] + block[i + 7] <= profile.recording.seconds + 1e-9)
      end
      count = count + #block / 8
    until #block == 0
    assert.equal(profile.recording.lanes[lane].events, count)
  end)

  it("name everything that JSON names", function()
    saved(profile, function(_, paths)
      local file = assert(io.open(paths["trace.json"], "rb"))
      local trace = json.decode(file:read "*a")
      file:close()
      assert.equal("ns", trace.displayTimeUnit)
      assert.is_true(#trace.traceEvents > profile.overview.steps)
    end)
  end)

  it("are not there where they cannot be written", function()
    for _, method in ipairs { "save_trace", "save_perfetto", "save_pprof", "save_xplane" } do
      assert.has_error(function() profile[method](profile, "/dev/null/file") end)
    end
  end)
end)
