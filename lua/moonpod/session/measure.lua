-- measure - how long functions take.

local decimal = require "moonpod.base.decimal"

local measure = {}

measure.unpack = table.unpack or unpack -- luacheck: ignore

function measure.pack(...)
  return { n = select("#", ...), ... }
end

local ROUNDED_UP = 0.9995 -- three digits of this and more are 1

-- Seconds as text of three digits: "2.05 ms".
function measure.duration(seconds)
  for _, unit in ipairs { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "us" } } do
    if seconds >= ROUNDED_UP * unit[1] then
      return decimal.format("%.3g %s", seconds / unit[1], unit[2])
    end
  end
  return decimal.format("%.3g ns", seconds * 1e9)
end

local Time = { __name = "moonpod.session.time" }

function Time.__tostring(self)
  if self.seconds then
    return ("%s (processors: %s)"):format(measure.duration(self.seconds), measure.duration(self.cpu_seconds))
  end
  return ("%s a run: the best of %d rounds of %d; the median %s, the worst %s"):format(measure.duration(self.best),
    self.rounds, self.count, measure.duration(self.median), measure.duration(self.worst))
end

-- Calls fn once; returns { seconds =, cpu_seconds = } and what it returned. clock() gives seconds.
function measure.time(clock, fn, ...)
  local start, cpu = clock(), os.clock()
  local values = measure.pack(fn(...))
  local result = setmetatable({ seconds = clock() - start, cpu_seconds = os.clock() - cpu }, Time)
  return result, measure.unpack(values, 1, values.n)
end

local ROUNDS, LEAST = 7, 0.05 -- rounds, and the seconds of each

-- Seconds of so many runs. Garbage of runs before is collected first; while they run the collector rests, but where a
-- run makes very much.
local function time_runs(clock, fn, count)
  collectgarbage()
  local start = clock()
  for _ = 1, count do
    fn()
  end
  return clock() - start
end

-- Calls fn in rounds; options: rounds, seconds of each at least. Returns { best =, median =, worst =, count =,
-- rounds = }.
function measure.timeit(clock, fn, options)
  local least, number = options.seconds or LEAST, math.max(options.rounds or ROUNDS, 1)
  local count, taken = 1, time_runs(clock, fn, 1)
  while taken < least and count < 1e8 do
    count = count * (taken < least / 10 and 10 or 2)
    taken = time_runs(clock, fn, count)
  end
  local rounds = { taken / count }
  for i = 2, number do
    rounds[i] = time_runs(clock, fn, count) / count
  end
  table.sort(rounds)
  return setmetatable({ best = rounds[1], median = rounds[math.floor((number + 1) / 2)], worst = rounds[number],
    count = count, rounds = number }, Time)
end

return measure
