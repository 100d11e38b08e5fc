-- pod_view - a row for each feed of the replicas, and one for each replica. Replicas are computed together, in one
-- program, so what can tell them apart is their rows and what feeds them: each host has a pipeline of its own.

local decimal = require "moonpod.base.decimal"
local tables = require "moonpod.profiler.tables"

local pod_view = {}

-- A feed is slow whose batch takes so many times as long as those of the others in the middle, and so long at least.
local SLOW, LEAST = 1.5, 20e-6

-- Rows { feed =, elements =, rows =, bytes =, total = (seconds of making batches), per_element =, waiting = (of these,
-- for stages on other threads), ratio = (per_element to the others'), slow = }. feeds: those of the input analysis.
function pod_view.new(feeds)
  local rows = {}
  for i, feed in ipairs(feeds) do
    rows[i] = { feed = feed.feed:match "Hosts%[%d+%]" or feed.feed, elements = feed.elements, rows = feed.rows,
      bytes = feed.bytes, total = feed.total, waiting = feed.waiting,
      per_element = feed.elements > 0 and feed.total / feed.elements or 0 }
  end
  for i, row in ipairs(rows) do
    local others = {}
    for j, other in ipairs(rows) do
      others[#others + 1] = j ~= i and other.per_element or nil
    end
    table.sort(others)
    local usual = tables.median(others)
    row.ratio = usual > 0 and row.per_element / usual or 1
    row.slow = row.ratio >= SLOW and row.per_element - usual >= LEAST
    row.verdict = row.slow and decimal.format("SLOW: %.1f times the others", row.ratio) or "ok"
  end
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

return pod_view
