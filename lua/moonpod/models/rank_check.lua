-- rank_check - before ranks train together they compare what each of them would do. One that has another script, seed,
-- build, model or data is told at once, on all of them, and not by results that make no sense.

local errors = require "moonpod.base.errors"
local decimal = require "moonpod.base.decimal"
local ops = require "moonpod.ops"
local random_state = require "moonpod.func.random_state"
local ranks = require "moonpod.func.ranks"

local rank_check = {}

-- A number of a text, by its bytes.
local function hash(text)
  local sum = 5381
  for i = 1, #text do
    sum = (sum * 33 + text:byte(i)) % 4294967296
  end
  return sum
end

-- What a model is: the shapes of its weights; and what they hold, as far as sums tell.
local function weights_of(model)
  local shapes, sums = {}, {}
  for i, value in ipairs(model:get_weights()) do
    shapes[i] = value.dtype .. tostring(value.shape)
    sums[i] = decimal.format("%.17g", ops.sum(ops.abs(ops.cast(value, "float32"))):item())
  end
  return table.concat(shapes, " "), table.concat(sums, " ")
end

-- What this rank would do: a list of lines, each { what it is, text }, what explains the others first.
local function what_is_done(model, source, options)
  local shapes, sums = weights_of(model)
  local script = ranks.script()
  return {
    { "its build", ranks.build() },
    { "its script", script and ("%d bytes, hash %08x"):format(#script, hash(script)) or "none" },
    { "its seed", ("%.0f"):format(random_state.now.seed) },
    { "its model", ("weights %s, optimizer %s"):format(shapes, tostring(model.optimizer and model.optimizer.name)) },
    { "its data", ("%s batches"):format(source.batches or "an unknown number of") },
    { "its options", ("epochs %s, initial_epoch %s, batch_size %s, steps_per_epoch %s"):format(options.epochs or 1,
      options.initial_epoch or 0, options.batch_size or "of the dataset", options.steps_per_epoch or "all") },
    { "what its weights hold", ("sums %s"):format(sums) },
  }
end

local function shortened(text)
  return #text <= 120 and text or ("%s... (hash %08x)"):format(text:sub(1, 100), hash(text))
end

-- Raises on all ranks where one of them would train otherwise than the first. Alone it does nothing.
function rank_check.compare(model, source, options)
  local strategy = model._strategy
  if not (strategy and strategy.num_ranks) then
    return
  end
  for _, entry in ipairs(what_is_done(model, source, options)) do
    local texts = ranks.gather(entry[2])
    for rank = 2, #texts do
      if texts[rank] ~= texts[1] then
        errors.raise("fit: rank %d would not train as rank 0 does: %s is %s, that of rank 0 %s. All ranks run one "
          .. "script on the same data", rank - 1, entry[1], shortened(texts[rank]), shortened(texts[1]))
      end
    end
  end
end

return rank_check
