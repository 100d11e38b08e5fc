-- stage_report - what the stages of a pipeline did, readable.

local decimal = require "moonpod.base.decimal"
local text_table = require "moonpod.base.text_table"

local stage_report = {}

local Report = { __name = "moonpod.pipeline_report" }

local function bytes_text(bytes)
  local units = { "B", "kB", "MB", "GB" }
  local unit = 1
  while bytes >= 1000 and unit < #units do
    bytes, unit = bytes / 1000, unit + 1
  end
  return decimal.format(unit == 1 and "%d %s" or "%.1f %s", bytes, units[unit])
end

-- What the data service did for a stage: what came, and who waited for whom.
local function service_text(row)
  return decimal.format("%s: %d worker%s, %s/s came; each worked %.0f%% of the time, waited %.0f%% for this end to "
    .. "take elements and %.0f%% for something to do", row.stage, row.workers, row.workers == 1 and "" or "s",
    bytes_text(row.received_rate), 100 * row.worked, 100 * row.held, 100 * row.idle)
end

-- A number that autotune chose is marked.
local function chosen(text, tuned)
  return tuned and text .. "*" or text
end

local columns = { { align = "left", width = 20 } }
for i, width in ipairs { 10, 12, 7, 7, 8, 12, 10 } do
  columns[i + 1] = { align = "right", width = width, gap = 1 }
end

function Report.__tostring(report)
  local rows = { { "stage", "elements", "elements/s", "busy", "waited", "threads", "queue", "bytes" } }
  for _, row in ipairs(report) do
    rows[#rows + 1] = {
      row.workers > 0 and not row.distributes and "workers: " .. row.stage or row.stage,
      ("%d"):format(row.elements),
      ("%.0f"):format(row.rate),
      decimal.format("%.1f%%", 100 * row.busy),
      decimal.format("%.1f%%", 100 * row.waited),
      row.threads > 0 and chosen(tostring(row.threads), row.tunes_threads) or "",
      row.queue_size > 0 and chosen(row.queue_count .. "/" .. row.queue_size, row.tunes_queue) or "",
      row.queue_bytes > 0 and bytes_text(row.queue_bytes) or "",
    }
  end
  local lines = text_table.lines(rows, columns)
  for _, row in ipairs(report) do
    if row.distributes then
      lines[#lines + 1] = service_text(row)
    end
    lines[#lines + 1] = row.cut
  end
  lines[#lines + 1] = decimal.format("in %.3f s%s", report.seconds, report.tuned and "; * chosen by autotune" or "")
  return table.concat(lines, "\n")
end

-- Makes what the core counted readable: an array of
--   { stage =, elements =, rate = (elements a second), busy = (share of the time that its threads worked, 0 to 1),
--     waited = (share that the stage behind waited for it), threads =, queue_count =, queue_size =, queue_bytes =,
--     seconds_busy =, seconds_waited =, tunes_threads =, tunes_queue =, workers = (of the data service that did it),
--     distributes = (it is the stage that gets elements from workers, and has these: received_bytes =, received_rate =
--     (bytes a second), and shares of the workers' time: worked =, held = (until this process took elements), idle =
--     (until there was something to do), cut = (which stages they run, and why)) }
-- with the field seconds, from the first element to the last.
function stage_report.new(stages, seconds)
  local report = { seconds = seconds, tuned = false }
  local function share(part, of)
    return seconds > 0 and part / seconds / math.max(of, 1) or 0
  end
  for i, row in ipairs(stages) do
    row.distributes = row.received_bytes > 0
    local workers = row.distributes and 1 or row.workers
    row.rate = seconds > 0 and row.elements / seconds or 0
    row.busy = share(row.seconds_busy, math.max(row.threads, 1) * math.max(workers, 1))
    row.waited = share(row.seconds_waited, workers)
    row.received_rate = share(row.received_bytes, 1)
    row.held, row.idle = share(row.seconds_held, row.workers), share(row.seconds_idle, row.workers)
    row.worked = row.distributes and math.max(0, 1 - row.held - row.idle) or nil
    report.tuned = report.tuned or row.tunes_threads or row.tunes_queue
    report[i] = row
  end
  return setmetatable(report, Report)
end

return stage_report
