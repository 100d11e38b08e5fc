-- The data service as processes, which are killed at places that a seed draws. Each promise of the table in
-- docs/guides/data-service.md is a test of that name.

local pod = require "moonpod"
local executable = require "tests.lua.support.executable"
local service = require "tests.lua.support.service_processes"

local long = os.getenv "MOONPOD_LONG"
local test = service.is_there and it or pending
local in_folder, kill, start_dispatcher, start_worker = service.in_folder, service.kill, service.start_dispatcher,
  service.start_worker

-- Numbers from 0 on, each in a row of 2,000 elements: no run is over before it is disturbed, and a split is several
-- blocks, of which a worker that is killed has sent some.
local function rows_of(count)
  return pod.data.range(count):map(function(x)
    return pod.broadcast_to(x, { 2000 })
  end)
end

-- Takes all elements; `at`: what is done behind so many of them. Returns how often each number came.
local function take(ds, at)
  local times, count = {}, 0
  for row in ds:iter() do
    local number = row[1]:item()
    times[number] = (times[number] or 0) + 1
    count = count + 1
    if at[count] then
      at[count]()
    end
  end
  return times, count
end

-- ---- distributed_epoch -----------------------------------------------------------------------------------

-- One run: workers are killed and others come, the dispatcher is killed twice and started again.
local function disturbed_run(elements, seed)
  local state = seed
  local function draw(most)
    state = (state * 1103515245 + 12345) % 2 ^ 31
    return math.floor(state / 2 ^ 31 * most) + 1
  end
  start_dispatcher()
  for i = 1, 3 do
    start_worker("w" .. i)
  end
  local at, workers = {}, 3
  local function disturb(fn)
    local place = draw(elements - 2)
    while at[place] do
      place = place % (elements - 2) + 1
    end
    at[place] = fn
  end
  for i = 1, 3 do
    disturb(function()
      kill("w" .. i)
      workers = workers + 1
      start_worker("w" .. workers)
    end)
  end
  for _ = 1, 2 do
    disturb(function()
      kill "dispatcher"
      start_dispatcher()
    end)
  end
  local times, count = take(rows_of(elements):distribute { service = service.address(), split_size = 100 }, at)
  local message = ("of seed %d"):format(seed)
  assert.equal(elements, count, message)
  for number = 0, elements - 1 do
    assert.equal(1, times[number], ("element %d %s"):format(number, message))
  end
  service.kill_all()
  for _, part in ipairs { "", "-wal", "-shm" } do
    os.remove(service.folder .. "/state" .. part)
  end
end

describe("distributed_epoch", function()
  test("gives each element exactly once through the death of workers and of the dispatcher", in_folder(function()
    local seed, runs = tonumber(os.getenv "MOONPOD_SEED") or os.time() % 100000, long and 100 or 2
    print(("# service_spec: %d runs, seeds from %d"):format(runs, seed))
    for run = 1, runs do
      disturbed_run(long and 100000 or 2000, seed + run)
      if long then
        print(("# service_spec: seed %d is done"):format(seed + run))
      end
    end
  end))
end)

-- ---- children of this process ------------------------------------------------------------------------------

describe("a local service", function()
  test("needs no options", function()
    local ds = pod.data.range(1000):map(function(x) return x * 2 end):batch(7)
      :distribute { service = "local", workers = 2, in_order = true }
    assert.equal(143, ds:cardinality())
    assert.same({ 0, 2, 4, 6, 8, 10, 12 }, ds:totable()[1])
    local stats = ds:stats()
    local here = stats[#stats]
    assert.equal("distribute", here.stage)
    assert.is_true(here.received_bytes >= 8 * 1000 and here.received_rate > 0)
    assert.is_true(here.worked >= 0 and here.held >= 0 and here.idle >= 0)
    -- what its workers did of the pipeline
    local stages = {}
    for i = 1, #stats - 1 do
      stages[i] = stats[i].stage
      assert.is_true(stats[i].workers >= 1 and stats[i].workers <= 2)
    end
    assert.same({ "range", "batch", "map" }, stages)
    assert.equal(143, stats[#stats - 1].elements)
    assert.match("workers: map +143 ", tostring(stats))
    assert.match("distribute: [12] workers?, [%d.]+ %a+/s came; each worked %d+%% of the time, waited %d+%% for this "
      .. "end to take elements and %d+%% for something to do", tostring(stats))
  end)

  -- The process takes an element, whichever comes first, and waits at its input; when it is killed its workers end.
  test("ends with its process, also by kill -9", in_folder(function()
    service.start_consumer("c", "pod.data.range(1000)", "workers = 2", [[function()
      if taken then
        io.read()
      end
      taken = true
      return "taken"
    end]], "local")
    local parent, children = service.pid "c", {}
    local function is_there(pid)
      local file = io.open(("/proc/%d/stat"):format(pid))
      local state = file and file:read("*a"):match "^%d+ %b() (%u)"
      if file then
        file:close()
      end
      return state ~= nil and state ~= "Z"
    end
    local limit = os.time() + 60
    while #children < 2 do
      assert(os.time() < limit, "no workers in a minute")
      children = {}
      local pipe = io.popen(("cat /proc/%d/task/*/children 2>/dev/null"):format(parent))
      for pid in pipe:read("*a"):gmatch "%d+" do
        children[#children + 1] = tonumber(pid)
      end
      pipe:close()
    end
    while service.text "c.out" == "" do
      assert(os.time() < limit, "no element in a minute")
      os.execute "sleep 0.02"
    end
    kill "c"
    while is_there(children[1]) or is_there(children[2]) do
      assert(os.time() < limit, "a worker is left")
      os.execute "sleep 0.02"
    end
  end))

  test("has what its workers did in a profile", function()
    local ds = pod.data.range(2000):map(function(x) return x * 2 end):batch(20)
      :distribute { service = "local", workers = 2, autotune = false }
    pod.profiler.start()
    assert.equal(100, #ds:totable())
    local input = pod.profiler.stop().input
    local elements, bytes = 0, 0
    for _, worker in ipairs(input.workers) do
      assert.match("^Iterator::Distribute%[%d+%]$", worker.worker)
      assert.is_true(worker.rate > 0 and worker.waiting >= 0)
      elements, bytes = elements + worker.elements, bytes + worker.bytes
    end
    assert.equal(100, elements)
    assert.is_true(bytes >= 8 * 2000)
    assert.match("Iterator::Distribute%[%d%]::Map::Batch::Range", tostring(input))
  end)

  test("refuses what needs this process, by name", function()
    local ds = pod.data.from_generator(function() return 1 end, pod.spec({}, "float32"))
    assert.error_matches(function()
      ds:distribute { service = "local" }
    end, "stage 'from_generator %(.-service_spec.lua:%d+%)' cannot be sent to workers")
  end)
end)

-- ---- roles within this process, keys -----------------------------------------------------------------------

describe("the roles in Lua", function()
  test("find each other with keys, and nobody else does", in_folder(function(folder)
    local keys = folder .. "/keys"
    local text, code = executable.shell(executable.program .. " data-keys new " .. keys)
    assert.equal("", text)
    assert.equal(0, code)
    local other = folder .. "/others"
    pod.data.service.new_keys(other)
    local dispatcher = pod.data.service.dispatcher { keys = keys }
    local worker = pod.data.service.worker { dispatcher = dispatcher:listens_at(), keys = keys }
    local ds = pod.data.range(5)
    assert.same({ 0, 1, 2, 3, 4 },
      ds:distribute { service = dispatcher:listens_at(), keys = keys, in_order = true }:totable())
    assert.error_matches(function()
      ds:distribute { service = dispatcher:listens_at(), keys = other }:totable()
    end, "the dispatcher does not accept the key")
    worker:close()
    dispatcher:close()
  end))

  test("need the secret of their own role alone", in_folder(function(folder)
    local roles, with = { "dispatcher", "worker", "consumer" }, {}
    pod.data.service.new_keys(folder .. "/keys")
    for _, role in ipairs(roles) do
      with[role] = ("%s/%s"):format(folder, role)
      os.execute(("mkdir %s && cp %s/keys/*.public %s/keys/%s.secret %s"):format(with[role], folder, folder, role,
        with[role]))
    end
    local dispatcher = pod.data.service.dispatcher { keys = with.dispatcher }
    local worker = pod.data.service.worker { dispatcher = dispatcher:listens_at(), keys = with.worker }
    assert.same({ 0, 1, 2 }, pod.data.range(3):distribute { service = dispatcher:listens_at(), keys = with.consumer,
      in_order = true }:totable())
    worker:close()
    dispatcher:close()
  end))

  test("listen on this machine alone without keys", function()
    assert.error_matches(function()
      pod.data.service.dispatcher { address = "tcp://0.0.0.0:*" }
    end, "without keys anybody could read the data there; make some with `moonpod data%-keys new FOLDER`")
  end)
end)

describe("a worker", function()
  test("opens files in its folder alone", in_folder(function(folder)
    os.execute(("mkdir %s/in && echo inside >%s/in/a && echo outside >%s/b"):format(folder, folder, folder))
    service.start_dispatcher()
    service.start("w", ("data-worker --until-input-ends --dispatcher %s --files %s/in"):format(service.address(),
      folder))
    local options = { service = service.address() }
    assert.same({ "inside" }, pod.data.text_lines(folder .. "/in/a"):distribute(options):totable())
    for _, path in ipairs { "/b", "/in/../b" } do
      assert.error_matches(function()
        pod.data.text_lines(folder .. path):distribute(options):totable()
      end, "on a worker: .*" .. path:gsub("%p", "%%%0"))
    end
  end))
end)

describe("compression", function()
  test("makes what is alike small on the way", function()
    service.with_threads(1, function(at)
      local bytes = {}
      for _, how in ipairs { "none", "auto", "zstd" } do
        local ds = pod.data.range(200):map(function(x)
          return pod.broadcast_to(x, { 1000 })
        end):distribute { service = at, compression = how, stages_here = 0, autotune = false }
        assert.equal(200, #ds:totable())
        local stats = ds:stats()
        bytes[how] = stats[#stats].received_bytes
      end
      assert.is_true(bytes.none >= 200 * 8000)
      assert.equal(bytes.none, bytes.auto) -- nothing goes to another machine
      assert.is_true(bytes.zstd < bytes.none / 4)
    end)
  end)
end)

-- ---- the other rows of the table ------------------------------------------------------------------------------

describe("distributed_epoch with job_name", function()
  test("divides the elements among its consumers, each exactly once", function()
    service.with_threads(2, function(at)
      local ds = [[require("moonpod").data.range(600):distribute { service = "%s", job_name = "shared", split_size = 7 }
        for value in ds:iter() do print(value:item()) end]]
      local other = io.popen(("%s -e '%s'"):format(executable.program, ("local ds = " .. ds):format(at)))
      local seen, count = {}, 0
      local function note(number)
        assert.is_nil(seen[number])
        seen[number], count = true, count + 1
      end
      for value in pod.data.range(600):distribute { service = at, job_name = "shared", split_size = 7 }:iter() do
        note(value:item())
      end
      for line in other:lines() do
        note(tonumber(line))
      end
      other:close()
      assert.equal(600, count)
    end)
  end)

  test("refuses another pipeline", function()
    service.with_threads(1, function(at)
      local options = { service = at, job_name = "shared" }
      local it = pod.data.range(5):distribute(options):iterator()
      it:next()
      assert.error_matches(function()
        pod.data.range(6):distribute(options):totable()
      end, "the job 'shared' is of another pipeline, or divided otherwise")
      it:close()
    end)
  end)
end)

describe("distributed_epoch with num_consumers", function()
  test("gives consumers in step batches of one length, in order", function()
    service.with_threads(2, function(at)
      -- Four batches of each length follow each other.
      local parts = {}
      for length = 1, 5 do
        parts[length] = pod.data.range(8):map(function(x)
          return pod.broadcast_to(x, { length })
        end):batch(2):map(function(x)
          return pod.pad(x, { { 0, 0 }, { 0, 5 - length } }), pod.sum(x[{ 1 }] * 0 + 1)
        end)
      end
      local ds, consumers = parts[1], {}
      for length = 2, 5 do
        ds = ds:concatenate(parts[length])
      end
      for i = 1, 4 do
        consumers[i] = ds:distribute { service = at, consumer_index = i - 1, num_consumers = 4 }
      end
      local lengths = {}
      for i, consumer in ipairs(consumers) do
        lengths[i] = {}
        for _, length in consumer:iter() do
          table.insert(lengths[i], length:item())
        end
        assert.same({ 1, 2, 3, 4, 5 }, lengths[i])
      end
    end)
  end)
end)

describe("parallel_epochs", function()
  test("gives all elements of every worker", function()
    service.with_threads(2, function(at)
      local times = {}
      local ds = pod.data.range(50):distribute { service = at, mode = "parallel_epochs", target_workers = 1 }
      for _, value in ipairs(ds:totable()) do
        times[value] = (times[value] or 0) + 1
      end
      for number = 0, 49 do
        assert.equal(1, times[number])
      end
    end)
  end)
end)

describe("sharding by file", function()
  test("makes a split of each file", in_folder(function(folder)
    local paths, lines = {}, {}
    for i = 1, 5 do
      paths[i] = ("%s/%d.txt"):format(folder, i)
      local file = io.open(paths[i], "w")
      file:write(("line %d\n"):format(i):rep(i))
      file:close()
    end
    service.with_threads(2, function(at)
      for line in pod.data.text_lines(paths):distribute { service = at, sharding = "file" }:iter() do
        lines[line] = (lines[line] or 0) + 1
      end
    end)
    for i = 1, 5 do
      assert.equal(i, lines["line " .. i])
    end
  end))
end)

describe("a distributed pass in order", function()
  test("goes on where another stopped", function()
    service.with_threads(2, function(at)
      local ds = pod.data.range(100):shuffle(20, { seed = 3 }):distribute { service = at, in_order = true }
      local it = ds:iterator()
      for _ = 1, 33 do
        it:next()
      end
      local state, rest = it:state(), {}
      for value in function() return it:next() end do
        rest[#rest + 1] = value:item()
      end
      it:close()
      local again = ds:iterator()
      again:restore(state)
      for i = 1, 67 do
        assert.equal(rest[i], again:next():item())
      end
      again:close()
    end)
  end)
end)
