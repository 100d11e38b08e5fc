-- op_stats - time, operations and bytes of a program's instructions, by op, layer or line.

local tables = require "moonpod.profiler.tables"

local op_stats = {}

-- What an instruction is counted under.
local keys = {
  op = function(one)
    return one.name ~= "" and one.kind .. " " .. one.name or one.kind
  end,
  layer = function(one)
    return one.layer or "(no layer)"
  end,
  line = function(one)
    return one.location or "(no line)"
  end,
  instruction = function(one, index)
    return ("%d %s %s"):format(index, one.kind, one.layer or one.name)
  end,
}

op_stats.KEYS = { "op", "layer", "line", "instruction" }

-- What instruction number `index` of a program is counted under.
function op_stats.name_of(by, one, index)
  return keys[by](one, index)
end

-- Rows { [by] =, seconds = (of all threads), share =, calls =, flops =, bytes = (of all steps),
-- flops_per_second = (of a thread), intensity = (FLOPs a byte) }, the slowest first. Bytes are those of the values that
-- are read and written.
function op_stats.new(program, by)
  local rows, known, all = {}, {}, 0
  for i, one in ipairs(program or {}) do
    local name = op_stats.name_of(by, one, i)
    local row = known[name]
    if not row then
      row = { [by] = name, seconds = 0, calls = 0, flops = 0, bytes = 0 }
      known[name], rows[#rows + 1] = row, row
    end
    row.seconds = row.seconds + one.seconds
    row.calls = row.calls + one.runs
    row.flops = row.flops + one.flops * program.steps
    row.bytes = row.bytes + one.bytes * program.steps
    all = all + one.seconds
  end
  for _, row in ipairs(rows) do
    row.share = all > 0 and row.seconds / all or 0
    row.flops_per_second = row.seconds > 0 and row.flops / row.seconds or 0
    row.intensity = row.bytes > 0 and row.flops / row.bytes or 0
  end
  table.sort(rows, function(a, b)
    return a.seconds > b.seconds or (a.seconds == b.seconds and a[by] < b[by])
  end)
  return tables.new(rows, { columns = {
    { key = by }, { key = "seconds", title = "time", show = tables.seconds }, { key = "share", show = tables.percent },
    { key = "calls", show = tables.count }, { key = "flops", title = "FLOPs", show = tables.scaled },
    { key = "bytes", show = tables.scaled }, { key = "flops_per_second", title = "FLOP/s", show = tables.scaled },
  } })
end

return op_stats
