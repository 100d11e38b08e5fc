-- facts - what rules of advice ask of a profile, a step: times of parts, of stages, of threads.

local arrays = require "moonpod.base.tables"

local facts = {}

-- Seconds a step of the stages of a lane, without those that wait, of this process; and of the busiest worker of the
-- data service.
local function stage_times(recording, steps)
  local lanes, workers, busiest = {}, {}, 0
  for i = 1, #recording.lanes do
    lanes[i] = 0
  end
  for _, name in ipairs(recording.names) do
    local works = name.part == "input_read" or name.part == "input_work"
    local worker = name.text:match "::Distribute%[%d+%]"
    for lane, on in pairs(works and name.lanes or {}) do
      local times, key = worker and workers or lanes, worker or lane
      times[key] = (times[key] or 0) + on.self / steps
      busiest = worker and math.max(busiest, times[key]) or busiest
    end
  end
  return lanes, busiest
end

-- Seconds a step that the threads besides the script's work.
local function work_of_others(recording, steps)
  local sum = 0
  for i, lane in ipairs(recording.lanes) do
    for part, seconds in pairs(i ~= recording.main_lane and lane.parts or {}) do
      local waits = part == "barrier" or part == "input_wait" or part == "other"
      sum = sum + (waits and 0 or seconds)
    end
  end
  return sum / steps
end

-- The facts of a profile; nil where it has no step. All times in seconds a step.
--   time        of a step; parts: of its parts by name; input: of all that are input
--   rest        what a step takes besides input
--   work        of all threads together; pipeline: of the busiest thread of the input besides the script's, or worker
--   executions  runs a step
function facts.new(profile)
  local overview, recording = profile.overview, profile.recording
  local steps = overview.steps
  if steps == 0 or overview.step_seconds.mean <= 0 then
    return nil
  end
  local self = { profile = profile, recording = recording, steps = steps, time = overview.step_seconds.mean, parts = {},
    program = profile.program, cpus = recording.cpus, threads = recording.threads, isa = recording.isa,
    main = recording.main_lane }
  for _, row in ipairs(overview.parts) do
    self.parts[row.part] = row.seconds
  end
  local parts = self.parts
  self.input = parts.input_wait + parts.input_read + parts.input_work + parts.input_feed
  self.rest = self.time - self.input
  self.work = self.time - parts.barrier - parts.input_wait + work_of_others(recording, steps)
  self.lanes, self.pipeline = stage_times(recording, steps)
  for lane, seconds in ipairs(self.lanes) do
    if lane ~= self.main then
      self.pipeline = math.max(self.pipeline, seconds)
    end
  end
  local program = self.program
  self.executions = program and program.steps > 0 and program.runs / program.steps or 1
  local rows = profile.steps[#profile.steps]
  self.rows = rows and rows.rows or 0
  return self
end

-- How long a step takes when the script's thread has so much less to do: where it waits for input, it waits longer.
function facts.without(self, seconds)
  return math.max(self.time - seconds, math.min(self.time, math.max(self.pipeline,
    (self.work - seconds) / self.cpus)))
end

-- Whether a training by fit was recorded: what its options change.
function facts.is_fit(self)
  return arrays.set_of(arrays.column(self.recording.names, "text"))["train loop"] == true
end

return facts
