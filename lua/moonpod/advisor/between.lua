-- between - the graphs of batches that lie between two that were traced: made of one of these, as their tracing takes
-- ten times as long. They are where the step of the least batch is planned alike if it is traced and if it is made of
-- that of the largest.

local errors = require "moonpod.base.errors"
local projection = require "moonpod.advisor.projection"
local tables = require "moonpod.base.tables"

local between = {}

-- Batches of which one is at least to be saved.
local FEWEST = 3

local SAME = { "need_bytes", "argument_bytes", "output_bytes", "alias_bytes", "temp_bytes", "peak_padded_bytes",
  "peak_unpadded_bytes", "margin", "margin_below", "margin_bytes", "verdict", "infeed_bytes" }

--- Batches that are asked for under one setting.
function between.family()
  return { count = 0, seen = {} }
end

--- Notes a batch of a family; nil is none.
function between.expect(family, rows)
  if rows and not family.seen[rows] then
    family.seen[rows], family.count = true, family.count + 1
    family.least, family.most = math.min(rows, family.least or rows), math.max(rows, family.most or rows)
  end
end

-- What was traced for `source.rows`, for other rows; nil where an op has no rule.
local function resized(source, rows)
  local graph, batch, kind, bytes = source.graph, source.rows, source.kind, source.bytes
  local axis = source.axis
  local ok, made = errors.attempt(graph.rescale, graph, axis.parameter, axis.axis, rows, axis.parts, false)
  return ok and { model = source.model, traced = { made, rows, kind, bytes / batch * rows } } or nil
end

local function is_alike(a, b)
  local one, other = projection.try(a._plan, {}), projection.try(b._plan, {})
  local alike = (one == nil) == (other == nil)
    and (not one or one.device_seconds == other.device_seconds and one.product_flops == other.product_flops
      and #one.kernels == #other.kernels)
  return alike and tables.all(SAME, function(name)
    return a[name] == b[name]
  end)
end

-- What other batches are made of; false for nothing.
local function find_source(family, trace, report_of)
  if family.count < FEWEST or family.least < 2 then
    return false
  end
  local known, least = trace(family.most), trace(family.least)
  if known.why or least.why then
    return false
  end
  local graph, rows, kind, bytes = known.traced[1], known.traced[2], known.traced[3], known.traced[4]
  local ok, axis = errors.attempt(graph.find_batch, graph, rows)
  if not ok then
    return false
  end
  local source = { graph = graph, rows = rows, kind = kind, bytes = bytes, axis = axis, model = known.model }
  local made = resized(source, family.least)
  return made and is_alike(report_of(made), report_of(least)) and source
end

--- What trace(rows) would return, made of a larger batch; nil where that cannot be said. report_of(known) plans it.
function between.trace(family, rows, trace, report_of)
  if not family or not family.seen[rows] or rows == family.least or rows == family.most then
    return nil
  end
  if family.source == nil then
    family.source = find_source(family, trace, report_of)
  end
  return family.source and resized(family.source, rows)
end

return between
