-- What the data service promises, row by row of the table in docs/guides/data-service.md: each test is named after its
-- row and the cells of it that it shows; the last one looks that none is left out. Workers, consumers and the
-- dispatcher are processes, which are killed at places that a seed draws.

local pod = require "moonpod"
local files = require "tests.lua.support.files"
local service = require "tests.lua.support.service_processes"

local long = os.getenv "MOONPOD_LONG"
local seed = tonumber(os.getenv "MOONPOD_SEED") or os.time() % 100000
local in_folder, kill, start_dispatcher = service.in_folder, service.kill, service.start_dispatcher

-- Names of tests by the row that they are of.
local names = {}
local described

local function describe_row(name, fn)
  describe(name, function()
    described, names[name] = name, {}
    fn()
  end)
end

local function test(name, fn)
  table.insert(names[described], name);
  (service.is_there and it or pending)(name, fn)
end

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

-- What a consumer does with an element by `take`, up to number `place`, where it does what `last` says.
local function up_to(place, last, take)
  return ([[(function()
    local take, count = %s, 0
    return function(element)
      count = count + 1
      if count == %d then
        %s
      end
      return take(element)
    end
  end)()]]):format(take, place, last)
end

-- It waits, so that it is there when it is killed.
local WAITS = "io.read()"

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

-- Adds the numbers in the lines of a text to how often each came; returns that.
local function add_numbers(text, times)
  for number in text:gmatch "%d+" do
    times[tonumber(number)] = (times[tonumber(number)] or 0) + 1
  end
  return times
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

local ONCE = "while all live, a worker dies, the dispatcher dies: exactly once"

describe_row("distributed_epoch", function()
  test(ONCE .. "; in order", runs(function(draw, message)
    disturbed(draw, message, { in_order = true })
  end))

  test(ONCE .. "; by blocks", runs(function(draw, message)
    disturbed(draw, message, { sharding = "block" })
  end))

  test(ONCE .. "; with stages here", runs(function(draw, message)
    disturbed(draw, message, { stages_here = 1, in_order = true })
  end))
end)

local STATIC = "while all live, the dispatcher dies: exactly once; a worker dies: exactly once, "
  .. "when another has taken its place"

describe_row("distributed_epoch with static splits", function()
  test(STATIC, runs(function(draw, message)
    disturbed(draw, message, { assignment = "static", target_workers = 2 }, true)
  end))

  test(STATIC .. "; in order", runs(function(draw, message)
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

-- Two consumers that are processes. `second`: what the second does with an element; FIRST.
local function start_consumers(elements, options, second)
  service.start_consumer("c1", rows_text(elements), options, FIRST)
  service.start_consumer("c2", rows_text(elements), options, second or FIRST)
end

describe_row("distributed_epoch with job_name", function()
  test("while all live, a worker dies: exactly once; the dispatcher dies: exactly once with --state",
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
    -- what it had in hand comes again: once it is taken for dead, or at once where it can say so, as here
    start_consumers(elements, "job_name = 'all', split_size = 50", up_to(1 + draw(200), "error 'ends'", FIRST))
    local times = {}
    add_numbers(service.join "c1", times)
    add_numbers(service.join "c2", times)
    for number = 0, elements - 1 do
      assert.is_true((times[number] or 0) >= 1, ("element %d%s"):format(number, message))
    end
  end))
end)

describe_row("distributed_epoch without job_name, several consumers", function()
  test("while all live, a worker dies, the dispatcher dies: exactly once each", runs(function(draw, message)
    local elements = long and 20000 or 2000
    workers.start(2)
    start_consumers(elements, "split_size = 50")
    for i = 1, 2 do
      wait_for("c" .. draw(2), draw(math.floor(elements / 4)))
      workers.replace(i)
      restart_dispatcher()
    end
    for i = 1, 2 do
      expect_times(add_numbers(service.join("c" .. i), {}), elements, 1, 1, message)
    end
  end))

  test("a consumer dies: the others go on", runs(function(draw, message)
    local elements = 2000
    workers.start(2)
    local place = 1 + draw(elements - 1)
    start_consumers(elements, "split_size = 50", up_to(place, WAITS, FIRST))
    wait_for("c2", place - 1)
    kill "c2"
    expect_times(add_numbers(service.join "c1", {}), elements, 1, 1, message)
  end))
end)

-- ---- consumers in step ---------------------------------------------------------------------------------------------

local LENGTHS, GROUPS = 5, long and 100 or 10

-- What is printed of a batch: how long its rows are, and their numbers.
local LENGTH_AND_ROWS = [[function(e)
  local length = 0
  while length < 5 and e[1][length + 1]:item() > 0 do length = length + 1 end
  return ('%d %d %d'):format(length, e[1][1]:item() - 1, e[2][1]:item() - 1)
end]]

-- Starts four consumers in step. Of each length there are so many groups of four batches, of two rows each. `fourth`:
-- what the last of them does with a batch.
local function start_in_step(fourth)
  local parts = {}
  for length = 1, LENGTHS do
    local part = ([[pod.data.range(%d, %d):map(function(x) return pod.broadcast_to(x + 1, { %d }) end):batch(2)
      :map(function(x) return pod.pad(x, { { 0, 0 }, { 0, %d } }) end)]]):format((length - 1) * 8 * GROUPS,
      length * 8 * GROUPS, length, LENGTHS - length)
    parts[length] = length == 1 and part or (":concatenate(%s)"):format(part)
  end
  for i = 1, 4 do
    service.start_consumer("c" .. i, table.concat(parts),
      ("consumer_index = %d, num_consumers = 4, split_size = 2"):format(i - 1), i == 4 and fourth or LENGTH_AND_ROWS)
  end
end

-- Waits for one of them. Returns the length that it had in each step; `times` receives how often each row came.
local function join_in_step(name, times)
  local steps = {}
  for length, first, second in service.join(name):gmatch "(%d+) (%d+) (%d+)" do
    steps[#steps + 1] = tonumber(length)
    add_numbers(first .. " " .. second, times)
  end
  for step = 1, GROUPS * LENGTHS do
    assert.equal(math.ceil(step / GROUPS), steps[step])
  end
  assert.equal(GROUPS * LENGTHS, #steps)
end

describe_row("distributed_epoch with num_consumers", function()
  test(ONCE .. "; batches of one length",
    runs(function(draw, message)
      workers.start(2)
      start_in_step()
      for i = 1, 2 do
        wait_for("c" .. draw(4), draw(GROUPS * LENGTHS - 1))
        workers.replace(i)
        restart_dispatcher()
      end
      local times = {}
      for i = 1, 4 do
        join_in_step("c" .. i, times)
      end
      expect_times(times, 8 * GROUPS * LENGTHS, 1, 1, message)
    end))

  test("a consumer dies: the others go on", runs(function(draw)
    workers.start(2)
    local place = 1 + draw(GROUPS * LENGTHS - 1)
    start_in_step(up_to(place, WAITS, LENGTH_AND_ROWS))
    wait_for("c4", place - 1)
    kill "c4"
    local times = {}
    for i = 1, 3 do
      join_in_step("c" .. i, times)
    end
    for step = 0, GROUPS * LENGTHS - 1 do -- of each, six rows of eight
      for i = 0, 7 do
        assert.equal(i < 6 and 1 or nil, times[8 * step + i])
      end
    end
  end))
end)

-- ---- parallel_epochs ---------------------------------------------------------------------------------------------

local function last_of(list)
  return list[#list]
end

-- Takes all that two workers give, `elements` each; behind number `place`, `fn` is done. Only the first is taken before
-- both are there, and neither can be done before.
local function take_parallel(elements, place, fn)
  workers.start(2)
  local ds = rows_of(elements):distribute { service = service.address(), mode = "parallel_epochs" }
  local it, times, count = ds:iterator(), {}, 0
  for row in function() return it:next() end do
    add_numbers(("%d"):format(row[1]:item()), times)
    count = count + 1
    local until_time = os.time() + 60
    while count == 1 and last_of(it:stages()).workers < 2 do
      assert(os.time() < until_time, "no second worker in a minute")
    end
    if count == place then
      fn()
    end
  end
  it:close()
  return times, count
end

describe_row("parallel_epochs", function()
  test("while all live: once a worker", runs(function(_, message)
    expect_times(take_parallel(2000), 2000, 2, 2, message)
  end))

  test("a worker dies: what it had not given is missing", runs(function(draw, message)
    local times, count = take_parallel(2000, draw(500), function()
      kill "w1"
    end)
    expect_times(times, 2000, 1, 2, message) -- the other one's are all there
    assert.is_true(count < 4000)
  end))

  test("the dispatcher dies: as while all live with --state", runs(function(draw, message)
    expect_times(take_parallel(2000, draw(4000), restart_dispatcher), 2000, 2, 2, message)
  end))
end)

-- ---- the table ---------------------------------------------------------------------------------------------------

-- The cells of a line of a table, as names of tests have them.
local function cells_of(line)
  local cells = {}
  for cell in line:gmatch "|([^|]+)" do
    cells[#cells + 1] = cell:gsub("`", ""):gsub("^%s+", ""):gsub("%s+$", "")
  end
  return cells
end

-- Whether one of the row's tests has a promise in its name: "..., a worker dies, ...: exactly once".
local function is_promised(tests, head, promise)
  for _, name in ipairs(tests) do
    for part in (name .. "; "):gmatch "(.-); " do
      local heads, what = part:match "^(.-): (.*)$"
      if what == promise and (", " .. heads .. ", "):find(", " .. head .. ", ", 1, true) then
        return true
      end
    end
  end
end

describe("the table of promises", function()
  it("has a test of each row and cell", function()
    local heads, rows = nil, 0
    for line in files.read("docs/guides/data-service.md"):gmatch "[^\n]+" do
      local cells = cells_of(line)
      if cells[1] == "mode" then
        heads = cells
      elseif heads and cells[1] and not cells[1]:find "^%-+$" then
        rows = rows + 1
        local tests = assert(names[cells[1]], "no test is named after the row " .. cells[1])
        for i = 3, #heads do
          assert(cells[i] == "–" or is_promised(tests, heads[i], cells[i]),
            ("no test of %s is named after %s: %s"):format(cells[1], heads[i], cells[i]))
        end
      elseif heads and not cells[1] then
        break
      end
    end
    assert.equal(6, rows)
  end)
end)
