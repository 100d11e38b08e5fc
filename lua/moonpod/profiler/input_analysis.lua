-- input_analysis - what the input pipeline does: the four categories of the host, its stages, and the slowest one.

local arrays = require "moonpod.base.tables"
local decimal = require "moonpod.base.decimal"
local tables = require "moonpod.profiler.tables"

local input_analysis = {}

-- What helps a stage, by what it is and whether it stands in the consumer's way.
local function fix_of(stage)
  if stage.worker then
    return "start more workers of the data service, or do less there for each element"
  elseif stage.part == "input_read" and stage.waits then
    return "read ahead: put :prefetch(pod.data.AUTOTUNE) behind it, or read several files at once (:interleave)"
  elseif stage.part == "input_read" then
    return "read several files at once (:interleave), or keep what was read (:cache)"
  elseif stage.stage:find "Map" and not stage.name:find "ParallelMap" then
    return "map on several threads: num_parallel_calls = pod.data.AUTOTUNE, or keep its results (:cache)"
  elseif stage.waits then
    return "work ahead: put :prefetch(pod.data.AUTOTUNE) at the end of the pipeline"
  end
  return "do less there for each element, or keep its results (:cache)"
end

local function stages_of(recording)
  local stages = {}
  for _, name in ipairs(recording.names) do
    if name.part:find "^input_" and not name.text:find "^device: " then -- what is sent to a device is none
      local lanes, most, lane = 0, 0, nil
      for at, on in pairs(name.lanes) do
        lanes = lanes + 1
        if on.self > most then
          most, lane = on.self, at
        end
      end
      stages[#stages + 1] = { name = name.text, stage = name.text:match "[^:]*$", part = name.part, calls = name.calls,
        elements = name.amount, rows = name.rows, bytes = name.bytes, self = name.self, total = name.total,
        worker = tonumber(name.text:match "::Distribute%[(%d+)%]"), threads = lanes,
        waits = name.lanes[recording.main_lane] ~= nil, busiest = most, lane = lane }
    end
  end
  tables.sort(stages, "self", "name")
  return stages
end

-- The stage that the others wait for: of those that work, the one whose busiest thread works most.
local function bottleneck_of(stages, seconds)
  local slowest = tables.largest(stages, "busiest", function(stage)
    return stage.part ~= "input_wait"
  end)
  if not slowest or seconds <= 0 then
    return nil
  end
  return { name = slowest.name, stage = slowest.stage, share = slowest.busiest / seconds, fix = fix_of(slowest),
    seconds = slowest.busiest }
end

local CATEGORIES = {
  { "on_demand", "reading data from files on demand" },
  { "in_advance", "reading data from files in advance" },
  { "preprocessing", "data preprocessing" },
  { "enqueuing", "enqueuing data to be transferred to device" },
}

-- Seconds of the four categories that TensorFlow's input pipeline analyzer has.
local function categories_of(recording)
  local sums = { on_demand = 0, in_advance = 0, preprocessing = 0, enqueuing = 0 }
  for i, lane in ipairs(recording.lanes) do
    sums.enqueuing = sums.enqueuing + lane.parts.input_feed
    local reading = i == recording.main_lane and "on_demand" or "in_advance"
    sums[reading] = sums[reading] + lane.parts.input_read
    sums.preprocessing = sums.preprocessing + lane.parts.input_work
  end
  local all = sums.on_demand + sums.in_advance + sums.preprocessing + sums.enqueuing
  local rows = {}
  for i, category in ipairs(CATEGORIES) do
    local seconds = sums[category[1]]
    rows[i] = { category = category[2], seconds = seconds, share = all > 0 and seconds / all or 0 }
  end
  return tables.new(rows, { "category", "seconds seconds: all threads", "share percent" })
end

-- What each host's feed, from which its replicas get their rows, gave and took: the stages right behind "Hosts[i]".
-- Empty where there is one for all.
local function feeds_of(stages)
  local feeds = {}
  local feed_of = tables.by_name(feeds, function(name)
    return { feed = name, elements = 0, rows = 0, bytes = 0, total = 0, waiting = 0 }
  end)
  for _, stage in ipairs(stages) do
    local name, rest = stage.name:match "^(Iterator.-::Hosts%[%d+%])::(.*)$"
    if name then
      local feed = feed_of(name)
      feed.waiting = feed.waiting + (stage.part == "input_wait" and stage.self or 0)
      if not rest:find "::" then
        feed.elements, feed.total, feed.rows, feed.bytes = stage.elements, stage.total, stage.rows, stage.bytes
      end
    end
  end
  return tables.new(arrays.sort_by(feeds, "feed"), { "feed", "elements count", "rows count", "bytes bytes",
    "total seconds", "waiting seconds" })
end

-- What each worker of the data service did: what came from it, how much of the time its busiest stage worked, and how
-- much it waited for something to do or for this process to take elements. Empty where there is none.
local function workers_of(stages, seconds)
  local workers = {}
  local worker_of = tables.by_name(workers, function(name)
    return { worker = name, elements = 0, bytes = 0, rate = 0, working = 0, waiting = 0 }
  end)
  for _, stage in ipairs(stages) do
    local worker = stage.worker and worker_of(stage.name:match "^(.-%[%d+%])")
    if worker and stage.name == worker.worker then
      worker.elements, worker.bytes, worker.waiting = stage.elements, stage.bytes, stage.self / seconds
      worker.rate = stage.bytes / seconds
    elseif worker then
      worker.working = math.max(worker.working, stage.self / seconds)
    end
  end
  return tables.new(arrays.sort_by(workers, "worker"), { "worker", "elements count", "bytes bytes",
    "rate bytes: bytes a second", "working percent: busiest stage", "waiting percent" })
end

local function to_text(self)
  local lines = { decimal.format("%.1f %% of the step time is waiting for input", self.input_bound * 100),
    tostring(self.categories), tostring(self.stages) }
  for _, extra in ipairs { self.feeds, self.workers } do
    if #extra > 0 then
      lines[#lines + 1] = tostring(extra)
    end
  end
  if self.bottleneck then
    lines[#lines + 1] = decimal.format("slowest: %s, at work %.1f %% of the time: %s", self.bottleneck.name,
      self.bottleneck.share * 100, self.bottleneck.fix)
    lines[#lines + 1] = decimal.format("feed ratio: %.2f (batches that the input could give for each that a step "
      .. "takes)", self.feed_ratio)
  else
    lines[#lines + 1] = "no stage of a dataset was recorded"
  end
  return table.concat(lines, "\n")
end

-- What an analysis says besides its tables.
local function facts_of(self)
  local slowest = self.bottleneck
  local list = { { "input bound", self.input_bound, tables.percent }, { "verdict", self.verdict } }
  if slowest then
    list[#list + 1] = { "slowest stage", slowest.name }
    list[#list + 1] = { "at work", slowest.share, tables.percent }
    list[#list + 1] = { "fix", slowest.fix }
    if self.feed_ratio then
      list[#list + 1] = { "feed ratio", self.feed_ratio, tables.decimal }
    end
  end
  return tables.facts(list)
end

-- Analyses the input. overview: of the same recording.
function input_analysis.new(recording, overview)
  local stages = stages_of(recording)
  local result = { input_bound = overview.input_bound, class = overview.class, verdict = overview.verdict }
  result.categories = categories_of(recording)
  result.bottleneck = bottleneck_of(stages, recording.seconds)
  result.feeds, result.workers = feeds_of(stages), workers_of(stages, recording.seconds)
  result.stages = tables.new(stages, { "name", "threads count", "calls count", "elements count", "self seconds",
    "total seconds" })
  -- Batches a second that the slowest stage could give, to those that steps could take if they never waited.
  local taken = overview.steps * overview.step_seconds.mean * (1 - overview.input_bound)
  if result.bottleneck and result.bottleneck.seconds > 0 then
    result.feed_ratio = taken / result.bottleneck.seconds
  end
  result.facts = facts_of(result)
  return setmetatable(result, { __tostring = to_text, __name = "moonpod.profile_input" })
end

return input_analysis
