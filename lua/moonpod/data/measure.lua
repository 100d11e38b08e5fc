-- measure - how fast a pipeline is, stage by stage, and what could be better about it.

local dataset = require "moonpod.data.dataset"
local decimal = require "moonpod.base.decimal"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"

local measure = {}

-- Runs a dataset for `steps` elements (1000), over several passes if it is shorter, and no longer than the option
-- seconds (1), and reports what its stages did.
function measure.bench(self, steps, options)
  options = errors.check_options(options, { seconds = true }, "bench")
  steps = dataset.check_integer(steps or 1000, 1, "bench", "the number of steps")
  local limit = options.seconds or 1
  errors.check_type(limit, "number", "bench", "seconds")
  local clock = device.core.clock
  local it = self:iterator()
  local started, taken, of_pass = clock(), 0, 0
  while taken < steps and clock() - started < limit do
    local buffers = it:next_buffers()
    if buffers[1] ~= nil then
      taken, of_pass = taken + 1, of_pass + 1
    elseif of_pass == 0 then
      break
    else
      it:rewind()
      of_pass = 0
    end
  end
  it:close()
  return it:stages()
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

-- Advice where passes end before the elements of a cache do: it keeps what was made in a whole pass alone. names: of
-- stages up to a take of `taken` of `elements`.
function measure.lost_cache(names, taken)
  local cache, take = last_of(names, "cache") or last_of(names, "cache_file"), last_of(names, "take")
  if not (cache and take and taken and cache < take) then
    return nil
  end
  for i = cache + 1, take do
    if names[i] == "repeat" or names[i] == "shuffle" then -- which may well go through all elements
      return nil
    end
  end
  if taken.elements < 0 or taken.count < taken.elements then
    return ("take(%d) is behind cache: no pass is a whole one, so nothing is ever kept; take before cache")
      :format(taken.count)
  end
end

-- Gives a text where there are stages of both names, the first before the second.
local function order(first, second, text)
  return function(names)
    local before, behind = last_of(names, first), last_of(names, second)
    return before and behind and before < behind and text or nil
  end
end

-- Each looks at the names of stages, first to last, and at the dataset; returns a text or nil.
local rules = {
  order("shuffle", "cache", "shuffle is before cache: every pass has the order of the first; shuffle behind cache"),
  function(names, self)
    return measure.lost_cache(names, self._taken)
  end,
  order("repeat", "shuffle",
    "repeat is before shuffle: elements of different epochs mix; shuffle before repeat keeps epochs apart"),
  order("batch", "repeat", "batch is before repeat: each pass ends with a short batch, which has a program of its own; "
    .. "repeat before batch, or batch with drop_remainder"),
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
  order("batch", "shuffle", "shuffle is behind batch: whole batches change places, and their elements stay together; "
    .. "shuffle before batch"),
  function(_, self)
    local shuffled = self._shuffled
    if shuffled and shuffled.elements > shuffled.buffer_size then
      return ("the shuffle buffer holds %d of %d elements: an element comes at most %d places early; of data in memory "
        .. "a buffer of all of them costs little"):format(shuffled.buffer_size, shuffled.elements,
        shuffled.buffer_size)
    end
  end,
  function(names, self)
    local one_by_one = { transform = "a function that runs as Lua", parse_example = "parse_example",
      decode = "the decoding of pictures" }
    for i, name in ipairs(names) do
      if one_by_one[name] and names[i + 1] ~= "parallel" and not self._handle:needs_own_thread() then
        return one_by_one[name] .. " runs on one thread; { num_parallel_calls = pod.data.AUTOTUNE } takes more where "
          .. "that helps"
      end
    end
  end,
  order("map", "batch", "a function is applied before batch, element by element; without { defer = false } it is "
    .. "applied to whole batches, or in the model's step"),
  order("shuffle", "shard", "shard is behind shuffle: hosts that shuffle by different seeds see some elements twice "
    .. "and others never; shard first"),
  function(_, self)
    if self._handle:needs_own_thread() then
      return "a Lua function makes or changes elements, so nothing runs ahead of the model on other threads"
    end
  end,
  function(_, self)
    local bytes = self._handle:host_bytes()
    if bytes and bytes > 2 ^ 30 then
      return decimal.format("an iterator will hold about %.1f GB; smaller batches, shuffle buffers or fewer elements "
        .. "prefetched help", bytes / 1e9)
    end
  end,
}

--- Advice about a dataset: an array of texts, empty when there is none.
---@example #pod.data.lint(pod.data.range(4):batch(2):prefetch(2)) --> 0
function measure.lint(self)
  if not dataset.is(self) then
    errors.raise("lint: %s is no dataset", errors.describe(self))
  end
  local whole = dataset.with_prefetch(self)
  local names, advice = whole._handle:stages(), {}
  for _, rule in ipairs(rules) do
    advice[#advice + 1] = rule(names, whole)
  end
  return readable.of(advice)
end

return measure
