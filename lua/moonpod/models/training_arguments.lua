-- training_arguments - what fit, evaluate, predict and their kin take.

local errors = require "moonpod.base.errors"
local kinds = require "moonpod.base.kinds"
local nest = require "moonpod.tensor.nest"
local ranks = require "moonpod.func.ranks"
local readable = require "moonpod.base.readable"
local screen = require "moonpod.base.screen"
local is_whole = require "moonpod.base.kinds".is_whole

local arguments = {}

-- Refuses a model that was not compiled; `name` is the method.
function arguments.check_compiled(self, name)
  if not self.compiled then
    errors.raise("model '%s': call compile before %s", self.name, name)
  end
end

-- Of several ranks one speaks.
function arguments.verbose_of(verbose)
  if not ranks.is_first() then
    return 0
  elseif verbose == nil or verbose == "auto" or verbose == true then
    return (screen.page or screen.is_terminal()) and 1 or 2
  elseif verbose == false then
    return 0
  end
  return verbose
end

-- Whether the first argument is the table of options, which names the data: fit { x = x, y = y, epochs = 2 }. A table
-- of tensors may have such names, too, where it is the data of a model with several inputs: then no other is there.
local function is_options_alone(allowed, x)
  if not readable.is_plain(x) or x.x == nil then
    return false
  end
  local dataset = kinds.get "dataset"
  local others = dataset ~= nil and dataset.is(x.x)
  for key in pairs(x) do
    if not allowed[key] then
      return false
    end
    others = others or key ~= "x"
  end
  return others
end

local VERBOSE = { [0] = true, [1] = true, [2] = true, auto = true, [true] = true, [false] = true }

local function check_values(name, allowed, options)
  for key, value in pairs(options) do
    local least = allowed[key]
    if least ~= true and not is_whole(value, least) then
      errors.raise("%s: '%s' must be a whole number from %d; got %s", name, key, least, errors.describe(value))
    elseif key == "verbose" and not VERBOSE[value] then
      errors.raise('%s: \'verbose\' must be 0, 1, 2 or "auto"; got %s', name, errors.describe(value))
    end
  end
end

-- fit(x, y, options), fit(dataset, options), fit(x, options): finds which is which. allowed: the names of the options,
-- with the least that whole numbers may be, true for others.
function arguments.read(name, allowed, x, y, options)
  if y == nil and options == nil and is_options_alone(allowed, x) then
    x, options = nil, x
  end
  if options == nil and readable.is_plain(y) and y[1] == nil then
    local is_options = true
    for key in pairs(y) do
      is_options = is_options and allowed[key] ~= nil
    end
    if is_options or not nest.is_tensor(nest.first(y)) then
      y, options = nil, y
    end
  end
  options = options or {}
  errors.check_options(options, allowed, name)
  x, y = errors.once(x, options, "x", name), errors.once(y, options, "y", name)
  if x == nil or type(x) == "string" or type(x) == "boolean" then
    errors.raise("%s: the data is %s; give a dataset or tensors", name, errors.describe(x))
  end
  check_values(name, allowed, options)
  return x, y, options
end

function arguments.raise_no_batch(where, source, interrupted)
  if interrupted then
    errors.raise("interrupted before the first batch")
  end
  errors.raise("%s: the dataset gave no batch%s", where, source.empty_hint or "")
end

return arguments
