-- find - the other way round: which variant of a model fits and is the largest, smallest, cheapest or fastest.

local batch = require "moonpod.advisor.batch"
local chips = require "moonpod.tpu.chips"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local variants = require "moonpod.advisor.variants"
local is_whole = require "moonpod.base.kinds".is_whole

local find = {}

-- What is asked for: by what rows are compared, the least first; `own` options; whether times have to be known.
local QUESTIONS = {
  largest = { batch = { by = function(row) return -row.global_batch end } },
  smallest = { slice = { by = function(row) return row.chips end } },
  cheapest = { chip = { by = function(row) return row.cost_per_million end },
    slice = { by = function(row) return row.price_per_hour end } },
  fastest = { step = { by = function(row) return row.seconds end },
    epoch = { by = function(row) return row.seconds and row.seconds / row.global_batch end } },
}

-- The question of options: the word, what it is of and how rows are compared.
local function question_of(options)
  local found
  for _, word in ipairs(tables.sorted_keys(QUESTIONS)) do
    if options[word] ~= nil then
      if found then
        errors.raise("find: %s or %s? Ask for one", found, word)
      end
      found = word
    end
  end
  if not found then
    errors.raise("find: what for? %s", "largest = \"batch\", smallest = \"slice\", cheapest = \"chip\" or \"slice\", "
      .. "fastest = \"step\" or \"epoch\"")
  end
  local of = QUESTIONS[found][options[found]]
  if not of then
    errors.raise("find: there is no %s '%s'; there is %s", found, tostring(options[found]),
      table.concat(tables.sorted_keys(QUESTIONS[found]), " and "))
  end
  return found, of.by
end

-- Slices of all chips, or of those that have a price.
local function all_slices(price)
  local list = {}
  for _, name in ipairs(chips.names()) do
    list[#list + 1] = (type(price) ~= "table" or price[name]) and name .. "-*" or nil
  end
  return list
end

local function comes_before(a, b, by)
  local one, other = by(a), by(b)
  if one ~= other then
    return one < other
  end
  return a.chips < b.chips
end

local function may_be(row, options, by)
  return row.fits and by(row) ~= nil and not (options.below and not (row.price_per_hour
    and row.price_per_hour <= options.below))
end

-- The multiples of a step: the largest that fits is looked for in halves, and some above it, as more rows may need
-- less.
local ABOVE = 8

local function largest_batch(evaluator, variant, options)
  local step, rows = options.step or 8, {}
  if not is_whole(step, 1) then
    errors.raise("find: step must be a whole number from 1, not %s", errors.describe(step))
  end
  local function fits(size)
    rows[size] = rows[size] or evaluator:row(tables.merge(variant, { batch = size }))
    return rows[size].fits
  end
  local found = batch.search(step, step, fits)
  for size = (found or 0) + step, (found or 0) + ABOVE * step, step do
    found = fits(size) and size or found
  end
  return found and rows[found]
end

local function rows_of(evaluator, word, variant, options)
  if word == "largest" and options.batch == nil and options.global_batch == nil then
    return largest_batch(evaluator, variant, options)
  end
  return evaluator:row(variant)
end

---@name pod.advisor.find
--- The variant of a model that fits and is the largest, smallest, cheapest or fastest of those that options allow, as
--- `whatif` has them: its row; nil and why where there is none. It is what trying all of them finds. Of equals it has
--- the fewest chips.
---@param model model compiled
---@param options.largest string "batch": most rows; of the lists given, or else a multiple of `step` (default 8)
---@param options.smallest string "slice": fewest chips
---@param options.cheapest string "chip": least for a million examples; "slice": least an hour. Needs `price`
---@param options.fastest string "step", or "epoch": most examples a second
---@param options.fits string|string[] chips and slices, as `chip` (default: all slices; of those that have a price)
---@param options.below number an hour's price that is not to be passed
---@param options.step integer of batches
---@return table
---@see pod.advisor.whatif model:find_batch
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
--- model:compile { loss = "mse" }
--- local row = pod.advisor.find(model, { smallest = "slice", fits = "v5e-*", global_batch = 4096 })
--- assert(row.slice == "v5e-1" or row.chips == 1)
--- local price = { v5e = 1.2, v6e = 2.7 }
--- row = pod.advisor.find(model, { fastest = "epoch", global_batch = 4096, price = price, below = 20 })
--- assert(row.price_per_hour <= 20)
--- ```
function find.find(model, options)
  options = errors.check_options(options, tables.join(variants.OPTIONS, tables.sorted_keys(QUESTIONS),
    { "fits", "below", "step" }), "find")
  local word, by = question_of(options)
  if (word == "cheapest" or options.below) and options.price == nil then
    errors.raise("find: at which price? price = { v5e = 1.2, v6e = 2.7 }, for an hour of a chip")
  end
  local given = tables.merge(options, { chip = options.fits or options.chip or all_slices(options.price) })
  local list = variants.list(model, given, "find")
  local evaluator = variants.evaluator(model, given, list)
  local best, problem
  for _, variant in ipairs(list) do
    local row = rows_of(evaluator, word, variant, options)
    if row and may_be(row, options, by) then
      best = (not best or comes_before(row, best, by)) and row or best
    else
      problem = row and (row.problem or row.verdict_text) or problem
    end
  end
  return best, not best and "none of them fits" .. (problem and ": " .. problem or "") or nil
end

return find
