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
      row.stage,
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
    if row.received_rate > 0 then
      lines[#lines + 1] = ("%s: %s/s came from workers"):format(row.stage, bytes_text(row.received_rate))
    end
  end
  lines[#lines + 1] = decimal.format("in %.3f s%s", report.seconds, report.tuned and "; * chosen by autotune" or "")
  return table.concat(lines, "\n")
end

-- Makes what the core counted readable: an array of
--   { stage =, elements =, rate = (elements a second), busy = (share of the time that its threads worked, 0 to 1),
--     waited = (share that the stage behind waited for it), threads =, queue_count =, queue_size =, queue_bytes =,
--     seconds_busy =, seconds_waited =, tunes_threads =, tunes_queue =, received_bytes = (from workers of the data
--     service), received_rate = (those a second) }
-- with the field seconds, from the first element to the last.
function stage_report.new(stages, seconds)
  local report = { seconds = seconds, tuned = false }
  for i, row in ipairs(stages) do
    row.rate = seconds > 0 and row.elements / seconds or 0
    row.busy = seconds > 0 and row.seconds_busy / seconds / math.max(row.threads, 1) or 0
    row.waited = seconds > 0 and row.seconds_waited / seconds or 0
    row.received_rate = seconds > 0 and row.received_bytes / seconds or 0
    report.tuned = report.tuned or row.tunes_threads or row.tunes_queue
    report[i] = row
  end
  return setmetatable(report, Report)
end

return stage_report
