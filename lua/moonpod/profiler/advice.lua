-- advice - what to change, by what it would bring: rules look at a profile and say what a step would take.

local advice_rules = require "moonpod.profiler.advice_rules"
local decimal = require "moonpod.base.decimal"
local facts = require "moonpod.profiler.facts"
local input_rules = require "moonpod.profiler.input_rules"
local machine = require "moonpod.profiler.machine"
local tables = require "moonpod.profiler.tables"

local advice = {}

-- Each rule by its id, with the page that has more of it.
local RULES = {
  { "prefetch", input_rules.prefetch, "guides/data.md" },
  { "parallel_calls", input_rules.parallel_calls, "guides/data.md" },
  { "cache", input_rules.cache, "guides/data.md" },
  { "slow_feed", input_rules.slow_feed, "guides/replicas.md" },
  { "steps_per_execution", advice_rules.steps_per_execution, "guides/training.md" },
  { "callback", advice_rules.callback, "guides/training.md" },
  { "retrace", advice_rules.retrace, "reference/func.md" },
  { "batch", advice_rules.batch, "guides/scaling.md" },
  { "bfloat16", advice_rules.bfloat16, "guides/mixed-precision.md" },
  { "sparse_loss", advice_rules.sparse_loss, "reference/losses.md" },
  { "remat", advice_rules.remat, "guides/advise.md" },
  { "threads", advice_rules.threads, "guides/scaling.md" },
}

-- The share of a step that a rule has to save to be told of, unless it says otherwise; what counts as about as much.
local LEAST, NEAR = 0.05, 0.05

-- The pages of all rules, by their ids.
advice.PAGES = {}
for _, rule in ipairs(RULES) do
  advice.PAGES[rule[1]] = "docs/" .. rule[3]
end

local LINES = { "  %d. [%s] %s: a step in %.2f of the time (%.1f times as fast)", "     %s", "     %s", "     at %s" }

local function to_text(self)
  if #self == 0 then
    return "advice: none: no rule found what would save 5 % of a step"
  end
  local lines = { "advice, with what it is predicted to bring alone:" }
  for i, one in ipairs(self) do
    lines[#lines + 1] = decimal.format(LINES[1], i, one.id, one.title, one.gain, 1 / one.gain)
    lines[#lines + 1] = LINES[2]:format(one.why)
    lines[#lines + 1] = LINES[3]:format(one.fix)
    if one.where then
      lines[#lines + 1] = LINES[4]:format(one.where)
    end
  end
  return table.concat(lines, "\n")
end

-- The advice of a profile: rows { id =, title =, gain = (what a step would take, as a ratio), evidence = (numbers by
-- name), why =, fix = (code), value = (the number in it), where =, page = (of the documentation) }, what saves most
-- first. `by` times other forms of the same work as moonpod.profiler.machine does, which it is when not given.
function advice.new(profile, by)
  local rows, f = {}, facts.new(profile)
  if f then
    f.machine = by or machine
    for place, rule in ipairs(RULES) do
      local one = rule[2](f)
      if one and one.time < f.time * (1 - (one.least or LEAST)) then
        one.id, one.place, one.gain = rule[1], place, math.max(one.time, 1e-9) / f.time
        one.page = advice.PAGES[one.id]
        rows[#rows + 1] = one
      end
    end
  end
  -- What brings about as much comes in the order of the rules: what changes less first.
  table.sort(rows, function(a, b)
    local one, other = math.floor(a.gain / NEAR), math.floor(b.gain / NEAR)
    return one < other or (one == other and a.place < b.place)
  end)
  return tables.new(rows, { text = to_text, "id", "title", "gain decimal", "why", "fix", "where", "page" })
end

return advice
