-- overview - the page that comes first: how long a step takes, of which parts that is made, and which ops take most.

local arrays = require "moonpod.base.tables"
local decimal = require "moonpod.base.decimal"
local span = require "moonpod.tensor.span"
local tables = require "moonpod.profiler.tables"

local overview = {}

-- Parts of a step in the order in which they are told, with what XProf's breakdown calls them.
overview.PARTS = {
  { "compute", "device compute" }, { "barrier", "device to device" }, { "launch", "kernel launch" },
  { "input_wait", "input" }, { "input_read", "input" }, { "input_work", "input" }, { "input_feed", "input" },
  { "host", "host compute" }, { "callback", "host compute" }, { "trace", "compilation" },
  { "compile", "compilation" }, { "output", "output" }, { "garbage", "host compute" }, { "other", "other" },
}

-- Percent of a step from which waiting for input is moderate and high, and that all else is told of.
local MODERATE, HIGH, ELSE = 0.05, 0.20, 0.03

-- The program whose steps computed longest: of those that an infeed gives rows, where there are any.
local function main_program(recording)
  local seconds, main, fed = {}, nil, false
  for _, step in ipairs(recording.steps) do
    fed = fed or step.rows > 0
  end
  for _, step in ipairs(recording.steps) do
    if step.rows > 0 or not fed then
      seconds[step.program] = (seconds[step.program] or 0) + step.parts.compute
    end
  end
  for program, sum in pairs(seconds) do
    if not main or sum > seconds[main] or (sum == seconds[main] and program < main) then
      main = program
    end
  end
  return main
end

local function add_step(sum, step)
  if not sum then
    sum = { began = step.began, seconds = 0, rows = 0, lane = step.lane, parts = {} }
  end
  sum.seconds, sum.rows, sum.program = sum.seconds + step.seconds, step.rows, step.program
  for part, seconds in pairs(step.parts) do
    sum.parts[part] = (sum.parts[part] or 0) + seconds
  end
  return sum
end

-- The steps of the program that computed longest, and its number. What ran between two of them without an infeed, as
-- what a callback computes does, belongs to the second; passes over other data, as an evaluation, to none.
function overview.main_steps(recording)
  local main = main_program(recording)
  local steps, before = {}, {}
  for _, step in ipairs(recording.steps) do
    if step.program == main then
      steps[#steps + 1] = add_step(before[step.lane], step)
      before[step.lane] = nil
    elseif step.rows == 0 then
      before[step.lane] = add_step(before[step.lane], step)
    else
      before[step.lane] = nil
    end
  end
  return steps, main
end

-- Mean, median, least, most and standard deviation of the steps' times.
local function spread(steps)
  local times, sum, squares = {}, 0, 0
  for i, step in ipairs(steps) do
    times[i] = step.seconds
    sum = sum + step.seconds
  end
  table.sort(times)
  local mean = #times > 0 and sum / #times or 0
  for _, time in ipairs(times) do
    squares = squares + (time - mean) ^ 2
  end
  return { mean = mean, median = tables.median(times), least = times[1] or 0, most = times[#times] or 0,
    deviation = #times > 1 and math.sqrt(squares / (#times - 1)) or 0 }
end

local function tell_sum(rows)
  local sum, other = 0, 0
  for _, row in ipairs(rows) do
    sum, other = sum + row.seconds, row.part == "other" and row.share or other
  end
  return ("the parts sum to %s, which is the step; other is %s of it"):format(tables.seconds(sum),
    tables.percent(other))
end

local function parts_of(steps, mean)
  local rows = {}
  for i, part in ipairs(overview.PARTS) do
    local seconds = 0
    for _, step in ipairs(steps) do
      seconds = seconds + step.parts[part[1]]
    end
    seconds = #steps > 0 and seconds / #steps or 0
    rows[i] = { part = part[1], category = part[2], seconds = seconds, share = mean > 0 and seconds / mean or 0 }
  end
  return tables.new(rows, { foot = tell_sum, "part", "category", "seconds seconds: a step", "share percent" })
end

-- Which class of a program this is, and a sentence with the numbers it follows from.
local function judge(result)
  local input, other = result.input_bound, result.shares.other + result.shares.host + result.shares.callback
  local percent = decimal.format("%.1f %%", input * 100)
  if input >= HIGH then
    return "host", "HIGHLY input-bound: " .. percent
      .. " of the step time is waiting for input. Shorten the input first."
  elseif input >= MODERATE then
    return "both", "MODERATELY input-bound: " .. percent
      .. " of the step time is waiting for input. Both the input and the rest are worth a look."
  elseif other >= ELSE then
    return "device", decimal.format("POTENTIALLY input-bound: only %s of the step time is waiting for input, but "
      .. "%.1f %% is the script's own (the training loop, callbacks and what is not known).", percent, other * 100)
  end
  return "device", "NOT input-bound: only " .. percent
    .. " of the step time is waiting for input. Shorten the rest."
end

-- Flops of a step, and the share of them whose operands have 16 bits.
local function flops_of(program)
  local all, half = 0, 0
  for _, one in ipairs(program or {}) do
    all = all + one.flops
    half = half + (one.is_half and one.flops or 0)
  end
  return all, all > 0 and half / all or 0
end

local function to_text(self)
  local time = self.step_seconds
  local lines = {}
  if self.note then
    lines[#lines + 1] = self.note
  end
  local newest = self.steps_kept < self.steps and ("; of the newest %d, "):format(self.steps_kept) or ": "
  lines[#lines + 1] = ("%d steps in %s%s%s each (median %s, %s to %s, deviation %s)"):format(self.steps,
    tables.seconds(self.seconds), newest, tables.seconds(time.mean), tables.seconds(time.median),
    tables.seconds(time.least), tables.seconds(time.most), tables.seconds(time.deviation))
  if self.steps > 0 then
    lines[#lines + 1] = self.verdict
    local roof = self.share_of_roof
    roof = roof and decimal.format(", %.1f %% of the machine's measured roof", roof * 100) or ""
    lines[#lines + 1] = decimal.format("%s FLOPs a step, %s FLOP/s%s; %.1f %% of them on 16-bit operands",
      tables.scaled(self.flops), tables.scaled(self.flops_per_second), roof, self.half_share * 100)
    lines[#lines + 1] = tostring(self.parts)
    lines[#lines + 1] = tostring(self.top)
  end
  lines[#lines + 1] = self.system
  if self.lost ~= "" then
    lines[#lines + 1] = self.lost
  end
  return table.concat(lines, "\n")
end

-- How many collections of Lua's garbage ended.
local function collections_of(recording)
  for _, name in ipairs(recording.names) do
    if name.text == span.COLLECTED and name.part == "garbage" then
      return name.calls
    end
  end
  return 0
end

-- What the system, and Lua, did to the process meanwhile.
local function system_text(recording)
  local text = ("%s, %d threads on %d CPUs; %.0f page faults, %.0f of them read from disk; %.0f times a thread that "
    .. "could go on had to wait for a CPU"):format(recording.isa, recording.threads, recording.cpus,
    recording.page_faults, recording.disk_faults, recording.preemptions)
  local count = collections_of(recording)
  if count > 0 then
    text = ("%s; Lua collected garbage %.0f times, step by step: in the parts that the steps fell into"):format(text,
      count)
  end
  return text
end

local function lost_text(recording)
  local counts = { { recording.events_lost, "older events are not in the trace" },
    { recording.steps_lost, "older steps are in the sums alone" },
    { recording.threads_lost, "times a thread found no room" } }
  return table.concat(arrays.map(counts, function(one)
    return one[1] > 0 and ("%.0f %s"):format(one[1], one[2]) or nil
  end), "; ")
end

-- What an overview has.
local function facts_of(self)
  local time, text = self.step_seconds, tables.seconds
  local list = { { "steps", self.steps, tables.count }, { "steps kept", self.steps_kept, tables.count },
    { "recorded", self.seconds, text },
    { "step, mean", time.mean, text }, { "step, median", time.median, text }, { "step, least", time.least, text },
    { "step, most", time.most, text }, { "step, deviation", time.deviation, text },
    { "input bound", self.input_bound, tables.percent }, { "class", self.class }, { "verdict", self.verdict },
    { "FLOPs a step", self.flops, tables.scaled }, { "FLOP/s", self.flops_per_second, tables.scaled },
    { "FLOPs on 16 bits", self.half_share, tables.percent }, { "collections of garbage", self.collections,
      tables.count }, { "system", self.system } }
  if self.share_of_roof then
    list[#list + 1] = { "share of the machine's roof", self.share_of_roof, tables.percent }
  end
  if self.note then
    list[#list + 1] = { "note", self.note }
  end
  return list
end

-- Makes the table of what an overview has, again where it has more. share_of_roof: of the machine, once it is measured.
function overview.set_facts(self, share_of_roof)
  self.share_of_roof = share_of_roof
  self.facts = tables.facts(facts_of(self))
end

-- The overview of a recording. ops: its op stats, from which the top ten come.
function overview.new(recording, ops, note)
  local steps, main = overview.main_steps(recording)
  local time, program = spread(steps), recording.programs[main]
  local result = { steps = math.max(#steps, program and program.steps or 0), steps_kept = #steps,
    seconds = recording.seconds, step_seconds = time, note = note,
    parts = parts_of(steps, time.mean), shares = {}, lost = lost_text(recording), system = system_text(recording),
    collections = collections_of(recording) }
  for _, row in ipairs(result.parts) do
    result.shares[row.part] = row.share
  end
  result.input_bound = result.shares.input_wait + result.shares.input_read + result.shares.input_work
    + result.shares.input_feed
  result.class, result.verdict = judge(result)
  result.flops, result.half_share = flops_of(program)
  result.flops_per_second = time.mean > 0 and result.flops / time.mean or 0
  local top = {}
  for i = 1, math.min(10, #ops) do
    top[i] = { op = ops[i].op, seconds = ops[i].seconds, share = ops[i].share }
  end
  result.top = tables.new(top, { "op", "seconds seconds: all threads", "share percent" })
  overview.set_facts(result)
  return setmetatable(result, { __tostring = to_text, __name = "moonpod.profile_overview" })
end

return overview
