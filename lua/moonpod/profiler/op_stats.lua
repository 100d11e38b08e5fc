-- op_stats - time, operations and bytes of a program's instructions, by op, layer or line.

local tables = require "moonpod.profiler.tables"

local op_stats = {}

-- What an instruction is counted under.
op_stats.keys = {
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

-- What instruction number `index` of a program is counted under.
function op_stats.name_of(by, one, index)
  return op_stats.keys[by](one, index)
end

-- Rows { [by] =, seconds = (of all threads), share =, calls =, flops =, bytes = (of all steps), flops_per_second = and
-- bytes_per_second = (of a thread), intensity = (FLOPs a byte) }, the slowest first. Bytes are those of the values that
-- are read and written. roofs: points of a roofline of the same, whose share_of_roof and bound rows have too; or nil.
function op_stats.new(program, by, roofs)
  local rows, all = {}, 0
  local row_of = tables.by_name(rows, function(name)
    return { [by] = name, seconds = 0, calls = 0, flops = 0, bytes = 0 }
  end)
  for i, one in ipairs(program or {}) do
    local row = row_of(op_stats.name_of(by, one, i))
    row.seconds = row.seconds + one.seconds
    row.calls = row.calls + one.runs
    row.flops = row.flops + one.flops * program.steps
    row.bytes = row.bytes + one.bytes * program.steps
    all = all + one.seconds
  end
  for _, row in ipairs(rows) do
    row.share = all > 0 and row.seconds / all or 0
    row.flops_per_second = row.seconds > 0 and row.flops / row.seconds or 0
    row.bytes_per_second = row.seconds > 0 and row.bytes / row.seconds or 0
    row.intensity = row.bytes > 0 and row.flops / row.bytes or 0
  end
  tables.sort(rows, "seconds", by)
  local columns = { by, "seconds seconds: time", "share percent", "calls count", "flops scaled: FLOPs", "bytes scaled",
    "flops_per_second scaled: FLOP/s", "bytes_per_second scaled: bytes/s" }
  if roofs then
    local point_of = {}
    for _, point in ipairs(roofs) do
      point_of[point[by]] = point
    end
    for _, row in ipairs(rows) do
      local point = point_of[row[by]] or {}
      row.share_of_roof, row.bound = point.share_of_roof, point.bound
    end
    columns[9], columns[10] = "share_of_roof percent: of the roof", "bound"
  end
  return tables.new(rows, columns)
end

return op_stats
