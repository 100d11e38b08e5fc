-- Runs an example and writes down what its training started from, so that another library can do the same training.
--
--   moonpod examples/compare/export.lua DIRECTORY EXAMPLE.lua [arguments of the example]
--
-- For each call of fit: the weights before it, the batches of each epoch in their order, and the values of each epoch;
-- for each call of evaluate: its batches and results. DIRECTORY gets files of plain numbers, and `index`, a line each:
--   weight FILE DTYPE NAME SIZES... | part FIT EPOCH FILE DTYPE ROWS SIZES... | value FIT EPOCH NAME NUMBER
-- where FIT is fit1, fit2, ... or evaluate1, ... (with EPOCH 1), and ROWS the size of a batch.

local pod = require "moonpod"
local feed = require "moonpod.models.feed"
local model = require "moonpod.models.model"

local directory, example = ...
local index = assert(io.open(directory .. "/index", "w"))
local fit, evaluate, open = model.fit, model.evaluate, feed.open
local fits, evaluations = 0, 0

local function write(file, ...)
  local path = directory .. "/" .. file
  local out = assert(io.open(path, "ab"))
  out:write(...)
  out:close()
end

local function line(...)
  index:write(table.concat({ ... }, " "), "\n")
end

local function write_weights(self)
  for _, weight in ipairs(self.weights) do
    local file = "weight-" .. weight.name:gsub("/", ".")
    write(file, weight:value():data())
    line("weight", file, weight.dtype, weight.name, table.concat(weight.shape, " "))
  end
end

-- Writes the batches of one pass, a file for x, y and sample weights each.
local function write_pass(dataset, name, epoch)
  local rows
  for x, y, weight in dataset:iter { epoch = epoch } do
    for i, part in ipairs { x, y, weight } do
      local file = string.format("%s-%d-%d", name, epoch, i)
      if not rows then
        line("part", name, epoch, file, part.dtype, part.shape[1], table.concat(part.shape, " ", 2))
      end
      write(file, part:data())
    end
    rows = true
  end
end

local function write_values(name, epoch, values)
  for key, value in pairs(values) do
    line("value", name, epoch, key, string.format("%.9g", value))
  end
end

function model:fit(dataset, options)
  fits = fits + 1
  local name = "fit" .. fits
  if fits == 1 then
    write_weights(self)
  end
  for epoch = 1, options.epochs or 1 do
    write_pass(dataset, name, epoch)
  end
  -- The first source that fit opens is that of the training data: it starts with the pass that was written.
  feed.open = function(...)
    feed.open = open
    local source = open(...)
    source.iterator = function(self_)
      return self_.dataset:raw():iterator { epoch = 1 }
    end
    return source
  end
  local history = fit(self, dataset, options)
  for key, values in pairs(history.history) do
    for epoch, value in ipairs(values) do
      write_values(name, epoch, { [key] = value })
    end
  end
  return history
end

function model:evaluate(dataset, options)
  evaluations = evaluations + 1
  local name = "evaluate" .. evaluations
  write_pass(dataset, name, 1)
  local result = evaluate(self, dataset, options)
  write_values(name, 1, result)
  return result
end

assert(loadfile(example))(select(3, ...))
pod.sync()
index:close()
