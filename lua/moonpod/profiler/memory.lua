-- memory - what a program of steps keeps in this machine's memory, and what the context held from step to step. What a
-- TPU would take is told elsewhere: model:memory_report().

local op_stats = require "moonpod.profiler.op_stats"
local tables = require "moonpod.profiler.tables"

local memory = {}

local op_of = op_stats.keys.op

-- Bytes in use while each instruction runs, in the order of the schedule.
local function over_program(program)
  local change, bytes, rows = {}, 0, {}
  for _, value in ipairs(program.values) do
    local first, last = value.kept and 1 or value.first, value.kept and #program or value.last
    change[first] = (change[first] or 0) + value.bytes
    change[last + 1] = (change[last + 1] or 0) - value.bytes
  end
  for i, one in ipairs(program) do
    bytes = bytes + (change[i] or 0)
    rows[i] = { instruction = i, op = op_of(one), layer = one.layer or "", bytes = bytes }
  end
  return tables.new(rows, { "instruction count", "op", "layer", "bytes bytes" })
end

-- What is in use while an instruction runs, the largest first.
local function at(program, instruction)
  local rows = {}
  for _, value in ipairs(program.values) do
    local one = program[value.first]
    if one and (value.kept or value.first <= instruction and instruction <= value.last) then
      local place = value.kept and value.place == "temporary" and "kept" or value.place
      rows[#rows + 1] = { bytes = value.bytes, place = place, layer = one.layer or "", op = op_of(one),
        line = one.location or "", first = value.kept and 1 or value.first,
        last = value.kept and #program or value.last }
    end
  end
  tables.sort(rows, "bytes", "first")
  return tables.new(rows, { "bytes bytes", "place", "layer", "op", "line", "first count: from", "last count: to" })
end

-- Sums of the bytes of rows by one of their fields.
local function sums(rows, by)
  local list, all = {}, 0
  local sum_of = tables.by_name(list, function(name)
    return { [by] = name, bytes = 0, values = 0 }
  end)
  for _, row in ipairs(rows) do
    local sum = sum_of(row[by] ~= "" and row[by] or "(none)")
    sum.bytes, sum.values = sum.bytes + row.bytes, sum.values + 1
    all = all + row.bytes
  end
  for _, row in ipairs(list) do
    row.share = all > 0 and row.bytes / all or 0
  end
  tables.sort(list, "bytes", by)
  return tables.new(list, { by, "bytes bytes", "share percent", "values count" })
end

local function over_steps(recording)
  local rows = {}
  for i, step in ipairs(recording.steps) do
    rows[i] = { step = i, began = step.began + step.seconds, bytes = step.memory }
  end
  return tables.new(rows, { "step count", "began seconds: ended at", "bytes bytes" })
end

local function to_text(self)
  if not self.peak then
    return "memory: no step was recorded"
  end
  return table.concat({ ("memory: a step has at most %s in use, at instruction %d of %d: %s"):format(
    tables.bytes(self.peak_bytes), self.peak_instruction, #self.timeline,
    self.timeline[self.peak_instruction].op), tostring(self.by_layer), tostring(self.by_op), tostring(self.peak) },
    "\n")
end

-- The memory of a recording's main program: timeline (rows over the instructions of a step), peak_bytes,
-- peak_instruction, peak (what is in use then), by_layer, by_op and by_place (sums of it), steps (bytes that the
-- context held as each step ended).
function memory.new(recording, program)
  local self = { steps = over_steps(recording), peak_bytes = 0 }
  if program and #program > 0 then
    self.timeline = over_program(program)
    for i, row in ipairs(self.timeline) do
      if row.bytes > self.peak_bytes or i == 1 then
        self.peak_bytes, self.peak_instruction = row.bytes, i
      end
    end
    self.peak = at(program, self.peak_instruction)
    self.by_layer, self.by_op, self.by_place = sums(self.peak, "layer"), sums(self.peak, "op"), sums(self.peak, "place")
  end
  return setmetatable(self, { __tostring = to_text, __name = "moonpod.profile_memory" })
end

return memory
