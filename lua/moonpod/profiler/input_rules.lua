-- input_rules - what could be changed of the input: as advice_rules.

local facts = require "moonpod.profiler.facts"
local tables = require "moonpod.profiler.tables"

local rules = {}

local show = tables.seconds

-- Stages that work on elements one by one, which may be done on several threads.
local function is_parallel_kind(stage)
  return stage == "Transform" or stage == "ParseExample" or stage:find "^Decode" or stage == "Map"
end

-- Whether something is prepared ahead of the script's thread.
local function works_ahead(f)
  for _, name in ipairs(f.recording.names) do
    if name.text:find "^Iterator::Prefetch" or name.text:find "^Iterator::Distribute" then
      return true
    end
  end
  return false
end

-- Seconds of a step in which a thread of the input would be as long at work as `seconds`, by how long it is now.
local function instead(f, lane, seconds)
  if lane == f.main then
    return seconds
  end
  return f.time * math.min(1, seconds / math.max(f.rest, f.lanes[lane], f.work / f.cpus))
end

function rules.prefetch(f)
  local own = f.parts.input_read + f.parts.input_work
  if own == 0 or works_ahead(f) or f.cpus < 2 then
    return nil
  end
  local slowest = f.profile.input.bottleneck
  return { title = "prepare batches ahead of the step", time = math.max(f.time - own, own, f.pipeline, f.work / f.cpus),
    evidence = { input_seconds = own, rest_seconds = f.rest, step_seconds = f.time },
    why = ("the script's thread works on the input for %s of a step of %s; the rest takes %s"):format(show(own),
      show(f.time), show(f.rest)),
    fix = "data = data:prefetch(pod.data.AUTOTUNE)", where = slowest and slowest.name }
end

-- Of the stages that are accepted the slowest: what it takes of a step, on its busiest thread and on all.
local function slowest_of(f, accepts)
  local one = tables.largest(f.profile.input.stages, "busiest", function(stage)
    return stage.lane and not stage.worker and accepts(stage.stage, stage.part)
  end)
  return one and { name = one.name, stage = one.stage, busiest = one.busiest / f.steps, lane = one.lane,
    lanes = one.threads, all = one.self / f.steps }
end

function rules.parallel_calls(f)
  local one = slowest_of(f, is_parallel_kind)
  if not one or f.input < 0.05 * f.time or one.lanes >= f.cpus or #f.profile.input.feeds > 1 then
    return nil
  end
  local others = f.lanes[one.lane] - one.busiest -- what else the thread has to do
  local needed = one.lane == f.main and f.rest + others or math.max(f.rest, others)
  local least = math.max(needed, f.work / f.cpus)
  local threads = math.min(f.cpus, math.max(one.lanes + 1, math.ceil(one.all / least)))
  return { title = ("run %s on %d threads"):format(one.stage, threads),
    time = instead(f, one.lane, math.max(least, one.all / threads)),
    evidence = { stage_seconds = one.all, threads = one.lanes, cpus = f.cpus, rest_seconds = f.rest,
      step_seconds = f.time },
    why = ("%s works %s for a step of %s on %d thread%s; the rest of a step takes %s"):format(one.stage, show(one.all),
      show(f.time), one.lanes, one.lanes == 1 and "" or "s", show(f.rest)),
    fix = ("{ num_parallel_calls = %d }  -- of the stage, or pod.data.AUTOTUNE%s"):format(threads,
      one.stage == "Transform" and "; without interpret = true it would be part of the step" or ""), value = threads,
    where = one.name }
end

-- Sources that read memory, and what was kept: reading them again costs as much.
local function is_in_memory(stage)
  return stage:find "^FromTensor" or stage:find "^Cache" or stage == "Range" or stage == "FromGenerator"
end

function rules.cache(f)
  local best = slowest_of(f, function(stage, part)
    return part == "input_read" and not is_in_memory(stage)
  end)
  if not best or f.input < 0.05 * f.time then
    return nil
  end
  local others = f.lanes[best.lane] - best.busiest
  local needed = best.lane == f.main and f.time - best.busiest or math.max(f.rest, others)
  return { title = "keep what was read in memory", least = 0.1,
    time = instead(f, best.lane, math.max(needed, (f.work - best.busiest) / f.cpus)),
    evidence = { read_seconds = best.busiest, rest_seconds = f.rest, step_seconds = f.time },
    why = ("%s reads for %s of a step of %s, and again in each pass"):format(best.stage, show(best.busiest),
      show(f.time)),
    fix = "data = data:cache()  -- behind what reads, where all of it fits in memory; from the second pass on",
    where = best.name }
end

function rules.slow_feed(f)
  local feeds = f.profile.input.feeds
  if #feeds < 2 then
    return nil
  end
  local slow, others = tables.largest(feeds, "total"), {}
  for _, feed in ipairs(feeds) do
    if feed ~= slow then
      others[#others + 1] = feed.total
    end
  end
  table.sort(others)
  local usual = others[math.floor((#others + 1) / 2)] / f.steps
  local own = slow.total / f.steps
  if own < 1.5 * usual then
    return nil
  end
  local slowest = tables.largest(f.profile.input.stages, "self", function(stage)
    return stage.name:sub(1, #slow.feed) == slow.feed
  end)
  return { title = ("make the feed of %s as fast as the others"):format(slow.feed:match "Hosts%[%d+%]" or slow.feed),
    time = facts.without(f, math.min(own - usual, f.input)),
    evidence = { feed_seconds = own, others_seconds = usual, elements = slow.elements, step_seconds = f.time },
    why = ("its batch takes %s of a step of %s, those of the others %s: all wait for it"):format(show(own),
      show(f.time), show(usual)),
    fix = ("less work in %s, or { num_parallel_calls = pod.data.AUTOTUNE } there"):format(slowest and slowest.stage
      or "it"), where = slowest and slowest.name or slow.feed }
end

return rules
