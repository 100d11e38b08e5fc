-- pod_view - a row for each feed of the replicas. Replicas are computed together, in one program, so what can tell them
-- apart is what feeds them: each host has a pipeline of its own.

local tables = require "moonpod.profiler.tables"

local pod_view = {}

-- A feed is slow whose batch takes so many times as long as those of the others in the middle, and so long at least.
local SLOW, LEAST = 1.5, 20e-6

local function middle(values)
  table.sort(values)
  local half = math.floor((#values + 1) / 2)
  return #values % 2 == 1 and values[half] or (values[half] + values[half + 1]) / 2
end

local function verdict(row)
  return row.slow and ("SLOW: %.1f times the others"):format(row.ratio) or "ok"
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
  for i, row in ipairs(rows) do
    local others = {}
    for j, other in ipairs(rows) do
      others[#others + 1] = j ~= i and other.per_element or nil
    end
    local usual = #others > 0 and middle(others) or 0
    row.ratio = usual > 0 and row.per_element / usual or 1
    row.slow = row.ratio >= SLOW and row.per_element - usual >= LEAST
    row.verdict = verdict(row)
  end
  return tables.new(rows, { columns = { { key = "feed" }, { key = "verdict" },
    { key = "elements", show = tables.count },
    { key = "rows", show = tables.count }, { key = "bytes", show = tables.bytes },
    { key = "total", title = "time", show = tables.seconds },
    { key = "per_element", title = "a batch", show = tables.seconds }, { key = "waiting", show = tables.seconds } } })
end

return pod_view
