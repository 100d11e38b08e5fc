-- Judges predictions of programs' memory by a compiler's answers, for blind.lua.
--
-- A prediction is { program =, kind =, chip =, need =, limit =, margin =, below =, verdict =, named =, cause = }, where
-- `named` is how many bytes of temporaries at the peak have an op or a line. `margin` is what a need may be above the
-- prediction, `below` what it may be less; where that is nil, as in sets frozen before, it is the same.
-- An answer is { program =, chip =, fits =, need =,
-- temporaries = }; its need is 0 where the compiler gave no figure.

local judge = {}

local NEAR, SMALL = 0.05, 4 * 2 ^ 20 -- a need is met within 5 % of it or 4 MB
local LOW, HIGH = 0.9, 1.1 -- of the limit: outside these a verdict is owed

local function group()
  return { all = 0, wrong = {}, close = 0, outside = 0, close_outside = 0, asked = 0, inside = 0, met = 0,
    pressed = 0, pressed_inside = 0 }
end

-- By how much a need was missed, whether that is inside the margin, and whether it is near.
local function missed(prediction, answer)
  local miss = math.abs(prediction.need - answer.need)
  local share = answer.need > prediction.need and prediction.margin or prediction.below or prediction.margin
  return miss, miss <= share * prediction.need, miss <= NEAR * answer.need or miss <= SMALL
end

local function add(one, prediction, answer)
  one.all = one.all + 1
  local close = prediction.verdict == "cannot_say"
  one.close = one.close + (close and 1 or 0)
  if not close and (prediction.verdict == "fits") ~= answer.fits then
    one.wrong[#one.wrong + 1] = ("%s on %s: %s"):format(prediction.program, prediction.chip, prediction.verdict)
  end
  local share = answer.need / prediction.limit
  if answer.need == 0 then
    return
  end
  if share < LOW or share > HIGH then
    one.outside = one.outside + 1
    one.close_outside = one.close_outside + (close and 1 or 0)
  end
  local _, within, met = missed(prediction, answer)
  local inside = within and 1 or 0
  one.asked = one.asked + 1
  one.inside = one.inside + inside
  one.met = one.met + (met and 1 or 0)
  if prediction.need > prediction.limit then
    one.pressed, one.pressed_inside = one.pressed + 1, one.pressed_inside + inside
  end
end

-- Answers by their program and chip.
local function by_row(answers)
  local asked = {}
  for _, answer in ipairs(answers) do
    asked[answer.program .. " " .. answer.chip] = answer
  end
  return asked
end

-- What predictions are worth: { total =, chips = { [chip] = }, kinds = { [kind] = }, named = { total =, least =,
-- least_program = }, unasked = how many predictions have no answer }.
function judge.figures(predictions, answers)
  local asked = by_row(answers)
  local found = { total = group(), chips = {}, kinds = {}, unasked = 0, named = { total = 1, least = 1 } }
  local named, taken = 0, 0
  for _, prediction in ipairs(predictions) do
    local answer = asked[prediction.program .. " " .. prediction.chip]
    if not answer then
      found.unasked = found.unasked + 1
    else
      local chip, kind = prediction.chip, prediction.kind
      found.chips[chip], found.kinds[kind] = found.chips[chip] or group(), found.kinds[kind] or group()
      add(found.total, prediction, answer)
      add(found.chips[chip], prediction, answer)
      add(found.kinds[kind], prediction, answer)
      if kind == "loop" and answer.temporaries > 0 then
        local of_it = math.min(prediction.named, answer.temporaries)
        named, taken = named + of_it, taken + answer.temporaries
        local share = of_it / answer.temporaries
        if share < found.named.least then
          found.named.least, found.named.least_program = share, prediction.program .. " on " .. chip
        end
      end
    end
  end
  found.named.total = taken > 0 and named / taken or 1
  return found
end

local function percent(part, of)
  return of > 0 and ("%.0f %%"):format(100 * part / of) or "-"
end

local function line(name, one)
  return ("%-10s %4d %6d %10s %16s %14s %20s %14s"):format(name, one.all, #one.wrong, percent(one.close, one.all),
    percent(one.close_outside, one.outside), percent(one.inside, one.asked), percent(one.pressed_inside, one.pressed),
    percent(one.met, one.asked))
end

-- A line for each prediction whose need was not near, the worst first: what was said, what the compiler said, the
-- first as a share of the second, and the margin, with a sign where that did not hold.
function judge.misses(predictions, answers)
  local asked, rows = by_row(answers), {}
  for _, prediction in ipairs(predictions) do
    local answer = asked[prediction.program .. " " .. prediction.chip]
    if answer and answer.need > 0 then
      local miss, inside, met = missed(prediction, answer)
      if not met then
        rows[#rows + 1] = { share = miss / answer.need, text = ("%-26s %-4s %9.2f %9.2f GB %6.2f  margin %.2f%s  %s%s")
          :format(prediction.program, prediction.chip, prediction.need / 1e9, answer.need / 1e9,
            prediction.need / answer.need, prediction.margin, inside and " " or "!", prediction.verdict,
            prediction.cause and ": " .. prediction.cause or "") }
      end
    end
  end
  table.sort(rows, function(a, b) return a.share > b.share end)
  local lines = {}
  for i, row in ipairs(rows) do
    lines[i] = row.text
  end
  return table.concat(lines, "\n")
end

-- The figures as lines of text.
function judge.text(found)
  local lines = { ("%-10s %4s %6s %10s %16s %14s %20s %14s"):format("", "all", "wrong", "too close", "outside 90-110",
    "inside margin", "where need > limit", "5 % or 4 MB") }
  for _, key in ipairs { "chips", "kinds" } do
    local names = {}
    for name in pairs(found[key]) do
      names[#names + 1] = name
    end
    table.sort(names)
    for _, name in ipairs(names) do
      lines[#lines + 1] = line(name, found[key][name])
    end
  end
  lines[#lines + 1] = line("all", found.total)
  lines[#lines + 1] = ("bytes of temporaries that have a name, in loops: %.0f %%, at least %.0f %%%s"):format(
    100 * found.named.total, 100 * found.named.least, found.named.least_program and " (" .. found.named.least_program
    .. ")" or "")
  for _, text in ipairs(found.total.wrong) do
    lines[#lines + 1] = "wrong: " .. text
  end
  if found.unasked > 0 then
    lines[#lines + 1] = ("%d predictions have no answer yet"):format(found.unasked)
  end
  if found.total.all > found.total.asked then
    lines[#lines + 1] = ("%d answers have no figure, only whether it fits"):format(found.total.all - found.total.asked)
  end
  return table.concat(lines, "\n")
end

return judge
