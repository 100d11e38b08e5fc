-- measure - how fast a pipeline is, stage by stage, and what could be better about it.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.device"
local errors = require "moonpod.errors"

local measure = {}

local Report = { __name = "moonpod.pipeline_report" }

function Report.__tostring(report)
  local lines = { ("%-24s %12s %14s"):format("stage", "elements", "elements/s") }
  for _, row in ipairs(report) do
    lines[#lines + 1] = ("%-24s %12d %14.0f"):format(row.stage, row.elements, row.rate)
  end
  return table.concat(lines, "\n")
end

-- Runs through one chain of the core for a while.
local function run(handle, options)
  local clock = device.core.clock
  local it = dataset.call(handle.iterator, handle)
  local started, elements, seconds = clock(), 0, 0
  while elements < options.elements and seconds < options.seconds do
    if it:next() == nil then
      if elements == 0 then
        break
      end
      it:rewind()
    else
      elements = elements + 1
    end
    seconds = clock() - started
  end
  it:close()
  return elements, seconds
end

-- Elements a second behind each stage of a dataset, first to last. Elements of later stages may be batches.
function measure.bench(self, options)
  options = errors.check_options(options, { elements = true, seconds = true }, "bench")
  local limits = { elements = options.elements or 1000, seconds = options.seconds or 1 }
  self = dataset.settled(self, "bench")
  local handles, handle = {}, self._handle
  while handle do
    table.insert(handles, 1, handle)
    handle = handle:input()
  end
  local report = {}
  for i, one in ipairs(handles) do
    local elements, seconds = run(one, limits)
    report[i] = {
      stage = one:stage(),
      elements = elements,
      seconds = seconds,
      rate = seconds > 0 and elements / seconds or 0,
    }
  end
  return setmetatable(report, Report)
end

-- ---- advice ----------------------------------------------------------------------------------------------

-- The place of the last stage of a name; nil when there is none.
local function last_of(names, name)
  for i = #names, 1, -1 do
    if names[i] == name then
      return i
    end
  end
end

-- Each looks at the names of stages, first to last, and at the dataset; returns a text or nil.
local rules = {
  function(names)
    local shuffle, cache = last_of(names, "shuffle"), last_of(names, "cache")
    if shuffle and cache and shuffle < cache then
      return "shuffle is before cache: every pass has the order of the first; shuffle behind cache"
    end
  end,
  function(names)
    local shuffle, repeat_ = last_of(names, "shuffle"), last_of(names, "repeat")
    if shuffle and repeat_ and repeat_ < shuffle then
      return "repeat is before shuffle: elements of different epochs mix; shuffle before repeat keeps epochs apart"
    end
  end,
  function(names)
    local batch, repeat_ = last_of(names, "batch"), last_of(names, "repeat")
    if batch and repeat_ and batch < repeat_ then
      return "batch is before repeat: each pass ends with a short batch, which has a program of its own; repeat "
        .. "before batch, or batch with drop_remainder"
    end
  end,
  function(names, self)
    local batch = last_of(names, "batch") or last_of(names, "padded_batch")
    local first = batch and self._handle:components()[1].shape[1]
    if first and first < 0 then
      return "the last batch is short: the model gets a second program for it; batch with { drop_remainder = true } "
        .. "for training"
    end
  end,
  function(names)
    if not last_of(names, "prefetch") then
      return "nothing is prepared ahead: put :prefetch(pod.data.AUTOTUNE) last"
    elseif names[#names] ~= "prefetch" then
      return "prefetch is not last: what is behind it runs while the model waits"
    end
  end,
  function(names)
    local map, batch = last_of(names, "map"), last_of(names, "batch")
    if map and batch and map < batch then
      return "a function is applied before batch, element by element; without { defer = false } it is applied to whole "
        .. "batches, or in the model's step"
    end
  end,
  function(names)
    local shard, shuffle = last_of(names, "shard"), last_of(names, "shuffle")
    if shard and shuffle and shuffle < shard then
      return "shard is behind shuffle: hosts that shuffle by different seeds see some elements twice and others never; "
        .. "shard first"
    end
  end,
  function(_, self)
    if self._handle:needs_own_thread() then
      return "a Lua function makes or changes elements, so nothing runs ahead of the model on other threads"
    end
  end,
  function(_, self)
    local bytes = self._handle:host_bytes()
    if bytes and bytes > 2 ^ 30 then
      return ("an iterator will hold about %.1f GB; smaller batches, shuffle buffers or fewer elements prefetched help")
        :format(bytes / 1e9)
    end
  end,
}

-- Advice about a dataset: an array of texts, empty when there is none.
function measure.lint(self)
  if not dataset.is(self) then
    errors.raise("lint: %s is no dataset", errors.describe(self))
  end
  local whole = dataset.with_prefetch(self)
  local names, advice = whole._handle:stages(), {}
  for _, rule in ipairs(rules) do
    advice[#advice + 1] = rule(names, whole)
  end
  return advice
end

return measure
