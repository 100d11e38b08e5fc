-- What the data service promises, row by row of the table in docs/guides/data-service.md: each test is named after its
-- row. Workers and the dispatcher are processes, which are killed at places that a seed draws.

local pod = require "moonpod"
local service = require "tests.lua.support.service_processes"

local long = os.getenv "MOONPOD_LONG"
local test = service.is_there and it or pending
local seed = tonumber(os.getenv "MOONPOD_SEED") or os.time() % 100000
local in_folder, kill, start_dispatcher = service.in_folder, service.kill, service.start_dispatcher

-- ---- what happens -------------------------------------------------------------------------------------------

-- A row of a number is so many of it: a split is several blocks, of which a worker that is killed has sent some.
local WIDE = 2000

-- Numbers, each in such a row; as an expression for consumers that are processes.
local function rows_text(count)
  return ("pod.data.range(%d):map(function(x) return pod.broadcast_to(x, { %d }) end)"):format(count, WIDE)
end

local function rows_of(count)
  return pod.data.range(count):map(function(x)
    return pod.broadcast_to(x, { WIDE })
  end)
end

local FIRST = "function(row) return ('%d'):format(row[1]:item()) end"

-- Draws numbers from 1 to `most`, the same of one seed.
local function drawing(from)
  local state = from
  return function(most)
    state = (state * 1103515245 + 12345) % 2 ^ 31
    return math.floor(state / 2 ^ 31 * most) + 1
  end
end

-- Workers w1, w2, ...; one that is killed has its successor at its own address where `stays` says so.
local workers = {}

local function start_worker(name, stays)
  local address = stays and (" --address ipc://%s/%s.w"):format(service.folder, name) or ""
  service.start(name, "data-worker --until-input-ends --dispatcher " .. service.address() .. address)
end

function workers.start(count, stays)
  start_dispatcher()
  workers.count, workers.stays, workers.running = count, stays, {}
  for i = 1, count do
    workers.running[i] = "w" .. i
    start_worker("w" .. i, stays)
  end
end

-- Kills a worker, and starts another.
function workers.replace(index)
  local name = workers.running[index]
  kill(name)
  if not workers.stays then
    workers.count = workers.count + 1
    name = "w" .. workers.count
    workers.running[index] = name
  end
  start_worker(name, workers.stays)
end

local function restart_dispatcher()
  kill "dispatcher"
  start_dispatcher()
end

-- What is done behind which element, of `elements`: each worker is replaced, and the dispatcher twice.
local function disturbances(elements, draw)
  local at = {}
  local function add(fn)
    local place = draw(elements - 2)
    while at[place] do
      place = place % (elements - 2) + 1
    end
    at[place] = fn
  end
  for i = 1, workers.count do
    add(function()
      workers.replace(i)
    end)
  end
  add(restart_dispatcher)
  add(restart_dispatcher)
  return at
end

-- Takes all elements of a dataset; returns how often each number came, and their order.
local function take(ds, at)
  local times, order = {}, {}
  for row in ds:iter() do
    local number = row[1]:item()
    times[number] = (times[number] or 0) + 1
    order[#order + 1] = number
    if at[#order] then
      at[#order]()
    end
  end
  return times, order
end

local function expect_times(times, count, least, most, message)
  for number = 0, count - 1 do
    local here = times[number] or 0
    assert.is_true(here >= least and here <= most, ("element %d came %d times%s"):format(number, here, message))
    times[number] = nil
  end
  assert.is_nil(next(times), "an element that there is not")
end

-- Adds the numbers in the lines of a text.
local function add_numbers(text, times)
  local list = {}
  for number in text:gmatch "%d+" do
    list[#list + 1] = tonumber(number)
    times[list[#list]] = (times[list[#list]] or 0) + 1
  end
  return list
end

-- Waits until a consumer has printed so many numbers.
local function wait_for(name, count)
  local until_time = os.time() + 60
  while select(2, service.text(name .. ".out"):gsub("\n", "")) < count do
    assert.not_match("stack traceback", service.text(name .. ".err"))
    assert(os.time() < until_time, name .. " has come no further in a minute")
    os.execute "sleep 0.02"
  end
end

-- Runs a test with one seed, or many where there is time.
local function runs(fn)
  return in_folder(function()
    for run = 1, long and 20 or 1 do
      fn(drawing(seed + run), (" (seed %d)"):format(seed + run))
      service.kill_all()
      for _, part in ipairs { "", "-wal", "-shm" } do
        os.remove(service.folder .. "/state" .. part)
      end
    end
  end)
end

-- ---- distributed_epoch -----------------------------------------------------------------------------------------

-- One pass of it, through the death of each worker and, twice, of the dispatcher.
local function disturbed(draw, message, options, stays)
  local elements = long and 20000 or 1500
  workers.start(2, stays)
  options.service, options.split_size = service.address(), options.split_size or 50
  local times, order = take(rows_of(elements):distribute(options), disturbances(elements, draw))
  assert.equal(elements, #order)
  expect_times(times, elements, 1, 1, message)
  if options.in_order then
    for i, number in ipairs(order) do
      assert.equal(i - 1, number)
    end
  end
end

describe("distributed_epoch", function()
  test("in order: exactly once, whoever dies", runs(function(draw, message)
    disturbed(draw, message, { in_order = true })
  end))

  test("by blocks of the source: exactly once, whoever dies", runs(function(draw, message)
    disturbed(draw, message, { sharding = "block" })
  end))

  test("with stages that run here: exactly once, whoever dies", runs(function(draw, message)
    disturbed(draw, message, { stages_here = 1, in_order = true })
  end))
end)

describe("distributed_epoch with static splits", function()
  test("exactly once, whoever dies, when another takes a worker's place", runs(function(draw, message)
    disturbed(draw, message, { assignment = "static", target_workers = 2 }, true)
  end))

  test("in order: exactly once, whoever dies, when another takes a worker's place", runs(function(draw, message)
    disturbed(draw, message, { assignment = "static", target_workers = 2, in_order = true }, true)
  end))

  test("gives a worker the same splits in each pass", in_folder(function()
    workers.start(2, true)
    local ds = pod.data.range(400):cache():distribute { service = service.address(), sharding = "block",
      assignment = "static", target_workers = 2, split_size = 10 }
    local it = ds:iterator()
    for pass = 1, 3 do
      local times = {}
      for value in function() return it:next() end do
        times[value:item()] = (times[value:item()] or 0) + 1
      end
      expect_times(times, 400, 1, 1, " in pass " .. pass)
      it:rewind()
    end
    -- so that a worker finds in its cache what it has of the source: that gave each element once, not thrice
    local stages = it:stages()
    assert.equal("range", stages[1].stage)
    assert.equal("cache", stages[2].stage)
    assert.equal(400, stages[1].elements)
    assert.equal(1200, stages[2].elements)
    it:close()
  end))
end)

-- ---- shared jobs -------------------------------------------------------------------------------------------------

-- Two consumers that are processes.
local function start_consumers(elements, options)
  for i = 1, 2 do
    service.start_consumer("c" .. i, rows_text(elements), options, FIRST)
  end
end

describe("distributed_epoch with job_name", function()
  test("divided among consumers: exactly once, whichever worker dies and when the dispatcher does",
    runs(function(draw, message)
      local elements = long and 20000 or 3000
      workers.start(2)
      start_consumers(elements, "job_name = 'all', split_size = 50")
      for i = 1, 2 do
        wait_for("c" .. draw(2), draw(math.floor(elements / 8)))
        workers.replace(i)
        restart_dispatcher()
      end
      local times = {}
      for i = 1, 2 do
        add_numbers(service.join("c" .. i), times)
      end
      expect_times(times, elements, 1, 1, message)
    end))

  test("a consumer dies: its splits come again, to others: at least once", runs(function(draw, message)
    local elements = 3000
    workers.start(2)
    start_consumers(elements, "job_name = 'all', split_size = 50")
    wait_for("c1", 1)
    wait_for("c2", 1 + draw(200))
    -- what it had in hand comes again: once it is taken for dead, or at once where it can say so, as here
    service.signal("c2", "INT")
    local times = {}
    add_numbers(service.join "c1", times)
    add_numbers(service.join "c2", times)
    for number = 0, elements - 1 do
      assert.is_true((times[number] or 0) >= 1, ("element %d%s"):format(number, message))
    end
  end))
end)

describe("distributed_epoch without job_name", function()
  test("two consumers each see all, exactly once, whichever worker dies and when the dispatcher does",
    runs(function(draw, message)
      local elements = long and 20000 or 2000
      workers.start(2)
      start_consumers(elements, "split_size = 50")
      for i = 1, 2 do
        wait_for("c" .. draw(2), draw(math.floor(elements / 4)))
        workers.replace(i)
        restart_dispatcher()
      end
      for i = 1, 2 do
        local times = {}
        add_numbers(service.join("c" .. i), times)
        expect_times(times, elements, 1, 1, message)
      end
    end))
end)

-- ---- consumers in step ---------------------------------------------------------------------------------------------

describe("distributed_epoch with num_consumers", function()
  test("in step, batches of one length, each exactly once, whichever worker dies and when the dispatcher does",
    runs(function(draw, message)
      -- Of each length 1 to 5 there are so many groups of four batches, of two rows each.
      local groups, lengths = long and 100 or 10, 5
      workers.start(2)
      local parts = {}
      for length = 1, lengths do
        parts[length] = ([[pod.data.range(%d, %d):map(function(x) return pod.broadcast_to(x + 1, { %d }) end):batch(2)
          :map(function(x) return pod.pad(x, { { 0, 0 }, { 0, %d } }) end)]]):format((length - 1) * 8 * groups,
          length * 8 * groups, length, lengths - length)
      end
      local text = parts[1]
      for length = 2, lengths do
        text = ("%s:concatenate(%s)"):format(text, parts[length])
      end
      for i = 1, 4 do
        service.start_consumer("c" .. i, text, ("consumer_index = %d, num_consumers = 4, split_size = 2"):format(i - 1),
          [[function(e)
            local length = 0
            while length < 5 and e[1][length + 1]:item() > 0 do length = length + 1 end
            return ('%d %d %d'):format(length, e[1][1]:item() - 1, e[2][1]:item() - 1)
          end]])
      end
      for i = 1, 2 do
        wait_for("c" .. draw(4), draw(groups * lengths - 1))
        workers.replace(i)
        restart_dispatcher()
      end
      local steps, times = {}, {}
      for i = 1, 4 do
        steps[i] = {}
        for length, first, second in service.join("c" .. i):gmatch "(%d+) (%d+) (%d+)" do
          table.insert(steps[i], length)
          for _, number in ipairs { tonumber(first), tonumber(second) } do
            times[number] = (times[number] or 0) + 1
          end
        end
        assert.equal(groups * lengths, #steps[i])
        assert.same(steps[1], steps[i])
      end
      expect_times(times, 8 * groups * lengths, 1, 1, message)
    end))
end)

-- ---- parallel_epochs ---------------------------------------------------------------------------------------------

describe("parallel_epochs", function()
  test("a worker dies: what it had not given is missing, and nothing comes twice from one", runs(function(draw, message)
    local elements = 2000
    workers.start(2)
    local at = {
      [draw(math.floor(elements / 4))] = function()
        kill "w1"
      end,
    }
    local times = take(rows_of(elements):distribute { service = service.address(), mode = "parallel_epochs" }, at)
    expect_times(times, elements, 1, 2, message)
  end))

  test("the dispatcher dies: all elements of every worker come", runs(function(draw, message)
    local elements = 2000
    workers.start(2)
    -- both workers are there when it begins: a worker joins a pass at any time
    os.execute "sleep 0.5"
    local at = { [draw(elements)] = restart_dispatcher }
    local times = take(rows_of(elements):distribute { service = service.address(), mode = "parallel_epochs" }, at)
    expect_times(times, elements, 1, 2, message)
  end))
end)
