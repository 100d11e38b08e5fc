-- pod_view - a row for each feed of the replicas, one for each replica, and one for each core of all ranks. Replicas of
-- a process are computed together, in one program, so what can tell them apart is their rows and what feeds them: each
-- host has a pipeline of its own. Ranks are apart: one that others wait for has the longest steps of its own.

local arrays = require "moonpod.base.tables"
local decimal = require "moonpod.base.decimal"
local device = require "moonpod.tensor.device"
local ranks = require "moonpod.func.ranks"
local tables = require "moonpod.profiler.tables"

local pod_view = {}

-- What takes so many times as long as the others in the middle is slow, if it takes so much longer.
local SLOW, LEAST = 1.5, 20e-6

-- Says of rows which are slow, by their seconds of this name.
local function judge(rows, key)
  for i, row in ipairs(rows) do
    local others = {}
    for j, other in ipairs(rows) do
      others[#others + 1] = j ~= i and other[key] or nil
    end
    table.sort(others)
    local usual = tables.median(others)
    row.ratio = usual > 0 and row[key] / usual or 1
    row.slow = row.ratio >= SLOW and row[key] - usual >= LEAST
    row.verdict = row.slow and decimal.format("SLOW: %.1f times the others", row.ratio) or "ok"
  end
end

-- Rows { feed =, elements =, rows =, bytes =, total = (seconds of making batches), per_element =, waiting = (of these,
-- for stages on other threads), ratio = (per_element to the others'), slow = }. feeds: those of the input analysis.
function pod_view.new(feeds)
  local rows = {}
  for i, feed in ipairs(feeds) do
    rows[i] = { feed = feed.feed:match "Hosts%[%d+%]" or feed.feed, elements = feed.elements, rows = feed.rows,
      bytes = feed.bytes, total = feed.total, waiting = feed.waiting,
      per_element = feed.elements > 0 and feed.total / feed.elements or 0 }
  end
  judge(rows, "per_element")
  return tables.new(rows, { "feed", "verdict", "elements count", "rows count", "bytes bytes", "total seconds: time",
    "per_element seconds: a batch", "waiting seconds" })
end

-- How many replicas and hosts the loop has that took longest: loops are spans of these names. nil where none had
-- several replicas.
local function replicas_of(recording)
  local most, replicas, hosts = 0, nil, nil
  for _, name in ipairs(recording.names) do
    local count, of = name.text:match "^(%d+) replicas on (%d+) hosts$"
    if count and name.total >= most then
      most, replicas, hosts = name.total, tonumber(count), tonumber(of)
    end
  end
  return replicas, hosts
end

-- What one feed gave to all replicas: the stage that is nearest to the step.
local function feed_for_all(stages)
  local best
  for _, stage in ipairs(stages) do
    if stage.rows > 0 and (not best or #stage.name < #best.name) then
      best = stage
    end
  end
  return { feed = best and best.name or "", rows = best and best.rows or 0, bytes = best and best.bytes or 0 }
end

-- Rows { replica = (from 0), feed =, rows =, least = and most = (rows of a step), bytes =, waiting = (seconds of the
-- steps that went by until its feed's part was there), verdict = (of its feed) } of the replicas of a training, of all
-- steps that were fed and are kept; none where there is one. pod: what new() gave; input: the input analysis.
function pod_view.replicas(recording, pod, input)
  local replicas, hosts = replicas_of(recording)
  local rows, steps, waits = {}, {}, 0
  for _, step in ipairs(recording.steps) do
    local parts = step.parts
    if step.rows > 0 then
      steps[#steps + 1] = step
      waits = waits + parts.input_wait + parts.input_read + parts.input_work + parts.input_feed
    end
  end
  for replica = 0, (replicas or 0) - 1 do
    local feed = #pod == hosts and pod[math.floor(replica * hosts / replicas) + 1] or feed_for_all(input.stages)
    local row = { replica = replica, feed = feed.feed, rows = 0, least = math.huge, most = 0,
      waiting = feed.total or waits, verdict = feed.verdict or "ok" }
    for _, step in ipairs(steps) do -- consecutive rows, full replicas first
      local each = math.ceil(step.rows / replicas)
      local own = math.max(0, math.min(each, step.rows - replica * each))
      row.rows, row.least, row.most = row.rows + own, math.min(row.least, own), math.max(row.most, own)
    end
    row.least = math.min(row.least, row.most)
    row.bytes = feed.rows > 0 and row.rows * feed.bytes / feed.rows or 0
    rows[#rows + 1] = row
  end
  return tables.new(rows, { most = 64, "replica count", "feed", "verdict", "rows count", "least count: least a step",
    "most count: most a step", "bytes bytes", "waiting seconds: waits for its feed" })
end

-- Rows { core =, rank =, host =, steps =, step = (seconds), exchange = (of these, where ranks meet and wait for each
-- other), own = (the others), verdict =, slow =, ratio = } of the cores of all ranks, who all come here; none where
-- there are no ranks. Cores of a rank are computed together: they have its times.
function pod_view.ranks(of_ops, steps, seconds)
  local exchange = 0
  for _, row in ipairs(of_ops) do
    exchange = exchange + (row.op:find "^meet " and row.seconds or 0)
  end
  exchange = steps > 0 and exchange / steps or 0
  local own = decimal.format("%d %.17g %.17g", steps, seconds, exchange)
  local found = arrays.map(ranks.gather(own), function(text)
    local count, step, of_it = text:match "(%S+) (%S+) (%S+)"
    return { steps = tonumber(count), step = decimal.read(step), exchange = decimal.read(of_it) }
  end)
  for _, row in ipairs(found) do
    row.own = row.step - row.exchange
  end
  judge(found, "own")
  local rows = {}
  for _, core in ipairs(device.list()) do
    rows[#rows + 1] = core.rank and arrays.merge(found[core.rank + 1], { core = core.name, rank = core.rank,
      host = core.host }) or nil
  end
  return tables.new(rows, { most = 64, "core", "rank count", "host", "verdict", "steps count", "step seconds: a step",
    "own seconds: its own", "exchange seconds" })
end

return pod_view
