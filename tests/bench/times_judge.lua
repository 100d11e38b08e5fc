-- Judges projections by what a compiler estimates of the same programs, for blind.lua.
--
-- An answer is { program =, kind =, chip =, cycles =, kernels =, without =, loops =, flops =, bytes =, longest =
-- "line:cycles ..." }: what it estimates of kernels, how many of these have no estimate, how many loops are in the
-- cycles with one turn, and the longest by lines of the module. A
-- projection is what `moonpod advise --time --json` has as `time`; of a step whose time is not known what is known is
-- judged, as the compiler's estimates lack the same: sorts, and turns that it does not know.

local judge = {}

local NEAR, SAME = 0.2, 0.05 -- of a step's time; of FLOPs and bytes
local APART = 1.1            -- kernels whose estimates are this far apart have an order
local NEAREST = 3            -- lines that the compiler's line of a kernel may be away from ours

-- The longest kernels of an answer: { line =, cycles = }.
local function longest_of(answer)
  local list = {}
  for line, cycles in tostring(answer.longest):gmatch "(%d+):(%d+)" do
    list[#list + 1] = { line = tonumber(line), cycles = tonumber(cycles) }
  end
  return list
end

-- Seconds that the compiler would estimate of our kernels by the line that they are of, the longest of each; `once`:
-- of one turn of loops.
local function seconds_by_line(kernels, once)
  local by = {}
  for _, kernel in ipairs(kernels) do
    local line = tonumber((kernel.location or ""):match ":(%d+)$")
    if line then
      by[line] = math.max(by[line] or 0, kernel.estimated_seconds / (once and kernel.times or 1))
    end
  end
  return by
end

-- The seconds of our kernel nearest to a line: a fusion is told by any of its ops. nil where there is none.
local function seconds_near(by, line)
  for distance = 0, NEAREST do
    local one, other = by[line - distance], by[line + distance]
    if one or other then
      return math.max(one or 0, other or 0)
    end
  end
end

-- How many of the compiler's longest kernels are among ours, whether no two of them that are apart are in the other
-- order, and whether no two at all are.
local function compare_order(longest, kernels, once)
  local by, seconds, found, ordered, strict = seconds_by_line(kernels, once), {}, 0, true, true
  for i, one in ipairs(longest) do
    seconds[i] = seconds_near(by, one.line)
    found = found + (seconds[i] and 1 or 0)
    for j = 1, i - 1 do
      if longest[j].line ~= one.line and longest[j].cycles > one.cycles and (seconds[j] or 0) < (seconds[i] or 0) then
        strict = false
        ordered = ordered and longest[j].cycles <= APART * one.cycles
      end
    end
  end
  return found, ordered and found == #longest, strict and found == #longest
end

-- What an answer and a projection have in common; `not_known`: why there is no projection.
function judge.row(answer, time)
  local row = { program = answer.program, kind = answer.kind, chip = answer.chip, cycles = answer.cycles,
    has_estimate = answer.kernels / math.max(1, answer.kernels + answer.without), not_known = time.not_known }
  time = time.not_known and time.known or time
  if not time.estimated then
    return row
  end
  local ours = time.estimated -- of the kernels that the compiler estimates; it counts FLOPs and bytes of one turn
  local seconds = answer.loops > 0 and ours.turn_seconds or ours.seconds
  row.time = seconds * time.cycles_per_second / answer.cycles
  row.flops, row.bytes = ours.turn_flops / math.max(1, answer.flops), ours.turn_bytes / math.max(1, answer.bytes)
  local longest = longest_of(answer)
  row.longest = #longest
  row.found, row.ordered, row.strict = compare_order(longest, time.kernels, answer.loops > 0)
  return row
end

local function within(value, share)
  return value and math.abs(value - 1) <= share
end

-- Of all rows: { all =, known =, time =, flops =, bytes =, both =, ordered =, strict =, found = }; `both`: FLOPs and
-- bytes.
function judge.figures(rows)
  local sums = { all = #rows, known = 0, time = 0, flops = 0, bytes = 0, both = 0, ordered = 0, strict = 0, found = 0,
    longest = 0 }
  for _, row in ipairs(rows) do
    sums.known = sums.known + (row.not_known and 0 or 1)
    sums.time = sums.time + (within(row.time, NEAR) and 1 or 0)
    sums.flops = sums.flops + (within(row.flops, SAME) and 1 or 0)
    sums.bytes = sums.bytes + (within(row.bytes, SAME) and 1 or 0)
    sums.both = sums.both + (within(row.flops, SAME) and within(row.bytes, SAME) and 1 or 0)
    sums.ordered = sums.ordered + (row.ordered and 1 or 0)
    sums.strict = sums.strict + (row.strict and 1 or 0)
    sums.found, sums.longest = sums.found + (row.found or 0), sums.longest + (row.longest or 0)
  end
  return sums
end

local function ratio(value)
  return value and ("%.2f"):format(value) or "-"
end

function judge.text(rows)
  table.sort(rows, function(a, b) return (a.time or 0) < (b.time or 0) end)
  local lines = { ("%-28s %-10s %-4s %9s %6s %6s %6s %8s %7s"):format("program", "kind", "chip", "estimated", "time",
    "FLOPs", "bytes", "longest", "ordered") }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ("%-28s %-10s %-4s %7.0f %% %6s %6s %6s %8s %7s%s"):format(row.program, row.kind, row.chip,
      100 * row.has_estimate, ratio(row.time), ratio(row.flops), ratio(row.bytes),
      row.found and ("%d of %d"):format(row.found, row.longest) or "-", row.ordered and "yes" or "no",
      row.not_known and "  " .. row.not_known or "")
  end
  local sums = judge.figures(rows)
  local function share(part, of)
    return of > 0 and ("%.0f %%"):format(100 * part / of) or "none"
  end
  lines[#lines + 1] = ("of %d programs %d have a projection; the time is within 20 %% in %s, FLOPs within 5 %% in %s, "
    .. "bytes in %s, both in %s; the longest kernels are ours in %s, in the same order in %s of programs (but those "
    .. "within 10 %% of each other; else in %s)"):format(sums.all, sums.known, share(sums.time, sums.all),
    share(sums.flops, sums.all), share(sums.bytes, sums.all), share(sums.both, sums.all),
    share(sums.found, sums.longest), share(sums.ordered, sums.all), share(sums.strict, sums.all))
  return table.concat(lines, "\n")
end

return judge
