-- The data service where something is short, slow or large: a full disk, a consumer that stops, many consumers,
-- elements of a gigabyte, minutes of work. With $MOONPOD_LONG as large as the promises are, otherwise small.

local pod = require "moonpod"
local service = require "tests.lua.support.service_processes"

local long = os.getenv "MOONPOD_LONG"
local test = service.is_there and it or pending
local MB = 2 ^ 20

local function sleep(seconds)
  os.execute("sleep " .. seconds)
end

-- How often each number stands in the lines of a text.
local function count_numbers(text, times)
  for number in text:gmatch "%d+" do
    times[tonumber(number)] = (times[tonumber(number)] or 0) + 1
  end
  return times
end

local function expect_each_once(times, count)
  for number = 0, count - 1 do
    assert.equal(1, times[number], "element " .. number)
    times[number] = nil
  end
  assert.same({}, times)
end

-- Rows of `size` numbers, as an expression; its first number is the row's.
local function rows_text(count, size)
  return ("pod.data.range(%d):map(function(x) return pod.broadcast_to(x, { %d }) end)"):format(count, size)
end

local FIRST = "function(row) return ('%d'):format(row[1]:item()) end"

describe("a full disk under the dispatcher's state", function()
  test("is an error that says so, and the dispatcher goes on where there is room again", service.in_folder(function()
    service.start_dispatcher "trap '' XFSZ; ulimit -f 200;"
    service.start_worker "w"
    local ds = pod.data.range(20000):distribute { service = service.address(), split_size = 10 }
    assert.error_matches(function()
      ds:totable()
    end, "the dispatcher's state: .*disk")
    service.kill "dispatcher"
    service.start_dispatcher()
    assert.equal(20000, #ds:totable())
  end))
end)

describe("a wait for a dispatcher that is not there", function()
  test("is announced, while the script waits", service.in_folder(function()
    service.start_consumer("c", rows_text(1, 1), "split_size = 1", FIRST)
    local until_time = os.time() + 60
    while not service.text("c.err"):find("does not answer; waiting for it", 1, true) do
      assert(os.time() < until_time, "a minute without a word")
      sleep(0.1)
    end
    assert.equal("", service.text "c.out")
    service.start_dispatcher()
    service.start_worker "w"
    assert.equal("0\n", service.join "c")
  end))
end)

describe("a consumer that stops", function()
  test("is waited for within bounds, and has each element once", service.in_folder(function()
    service.start_dispatcher()
    service.start_worker "w"
    service.start_consumer("c", rows_text(20000, 2000), "split_size = 100", FIRST)
    while service.text "c.out" == "" do
      sleep(0.05)
    end
    service.signal("c", "STOP")
    sleep(0.2) -- until what was under way has come
    local before = { service.resident "dispatcher", service.resident "w" }
    sleep(long and 30 or 1)
    local after = { service.resident "dispatcher", service.resident "w" }
    service.signal("c", "CONT")
    for i = 1, 2 do
      assert.is_true(after[i] < before[i] + 32 * MB)
    end
    expect_each_once(count_numbers(service.join "c", {}), 20000)
  end))
end)

describe("many consumers", function()
  test("divide a job, each element once", service.in_folder(function()
    local consumers, elements = long and 200 or 8, long and 20000 or 800
    service.start_dispatcher()
    service.start_worker "w1"
    service.start_worker "w2"
    for i = 1, consumers do
      service.start_consumer("c" .. i, ("pod.data.range(%d)"):format(elements), "job_name = 'all', split_size = 10",
        "function(value) return ('%d'):format(value:item()) end")
    end
    local times = {}
    for i = 1, consumers do
      count_numbers(service.join("c" .. i), times)
      -- on a machine with other work it may have announced a wait
      assert.equal("", (service.text(("c%d.err"):format(i)):gsub("moonpod: warning: distribute: [^\n]+\n", "")))
    end
    expect_each_once(times, elements)
  end))
end)

describe("a large element", function()
  test("comes", service.in_folder(function()
    local size = long and 2 ^ 27 or 2 ^ 22 -- numbers of 8 bytes
    service.start_dispatcher()
    service.start_worker "w"
    local count = 0
    local rows = pod.data.range(3):map(function(x)
      return pod.broadcast_to(x, { size })
    end)
    for row in rows:distribute { service = service.address(), in_order = true }:iter() do
      assert.equal(count, row[size]:item())
      count = count + 1
    end
    assert.equal(3, count)
  end))
end)

describe("ten minutes of work", function()
  (long and test or pending)("leave the memory of all sides as it was", service.in_folder(function()
    local names = { "dispatcher", "w1", "w2", "c" }
    service.start_dispatcher()
    service.start_worker "w1"
    service.start_worker "w2"
    service.start_consumer("c", rows_text(20000, 2000) .. ":rep()", "split_size = 100", "function() end")
    local first
    for minute = 0, 10 do
      local now = {}
      for i, name in ipairs(names) do
        now[i] = service.resident(name) / MB
      end
      print(("# service_trouble_spec: minute %d: MB of dispatcher %.1f, workers %.1f and %.1f, consumer %.1f"):format(
        minute, now[1], now[2], now[3], now[4]))
      first = minute == 2 and now or first
      for i, name in ipairs(first and names or {}) do
        assert.is_true(now[i] < first[i] * 1.1 + 8, name .. " grows")
      end
      sleep(60)
    end
  end))
end)
