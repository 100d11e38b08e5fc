--- Random numbers, keyed by seed, the operation's place in the program, step, row and element: a seed gives the same
--- run on any number of cores and threads.
---@param options.seed integer makes what is drawn the same each time (default: drawn from the global generator)
---@param options.dtype string the type of the result (default "float32")
---@param options.mean number the mean (default 0)
---@param options.stddev number the standard deviation (default 1)
---@param options.minval number the lowest value (default 0)
---@param options.maxval number the value that all are below (default 1)
---@param options.like tensor the result gets its rows: on several replicas each draws its own
---@param options.p number the probability of true (default 0.5)
---@param options.noise_shape integer[] the shape of what is drawn, 1 for an axis that draws once
---@example pod.random.uniform({ 2, 3 }).shape --> (2, 3)

-- random - counter-based random numbers: keyed by seed, the op's place in the program, step, row and
-- element. So a seed gives the same run on any number of cores and threads.

local around = require "moonpod.base.around"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local random_state = require "moonpod.func.random_state"
local readable = require "moonpod.base.readable"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local variable = require "moonpod.func.variable"
local is_whole = require "moonpod.base.kinds".is_whole

local random = {}

local apply, call = trace.apply, trace.call
local now, state_tensor, ensure_seeded = random_state.now, random_state.tensor, random_state.ensure_seeded

local function check_seed(seed)
  if not is_whole(seed, 0, 2 ^ 53) then
    errors.raise("a seed is an integer from 0 to 2^53, not %s", tostring(seed))
  end
  return seed
end

--- Starts all random numbers anew from a seed.
--- ```lua
--- pod.random.set_seed(1)
--- local first = pod.random.uniform({}):item()
--- pod.random.set_seed(1)
--- assert(pod.random.uniform({}):item() == first)
--- ```
function random.set_seed(seed)
  now.seed, now.random_count = check_seed(seed), 0
  now.is_seeded = true
  if now.generator then
    trace.escape(now.generator.assign, now.generator, state_tensor(seed, 0), { aggregated = true })
  end
end

--- Returns the variable that holds seed and step of compiled functions: checkpoints keep it.
---@example pod.random.generator().shape --> (2,)
function random.generator()
  if not now.generator then
    ensure_seeded()
    now.generator = trace.escape(variable.new, {
      initial = state_tensor(now.seed, 0),
      name = "random_state",
      trainable = false,
      strategy = strategies.default_strategy(),
    })
  end
  return now.generator
end

--- Where random numbers are: the seed, how many draws were made outside of compiled functions, and the state of those
--- inside (a tensor; nil before one draws). What restore_state() takes.
--- ```lua
--- local state = pod.random.get_state()
--- local first = pod.random.uniform({}):item()
--- pod.random.restore_state(state)
--- assert(pod.random.uniform({}):item() == first)
--- ```
function random.get_state()
  ensure_seeded()
  return readable.of { seed = now.seed, count = now.random_count, generator = random_state.generator_value() }
end

--- Goes on where random numbers were when get_state() was called.
--- ```lua
--- local state = pod.random.get_state()
--- local first = pod.random.uniform { 3 }
--- pod.random.restore_state(state)
--- assert(pod.allclose(pod.random.uniform { 3 }, first))
--- ```
function random.restore_state(state)
  local seed = check_seed(state.seed)
  if state.generator or now.generator then
    local value = state.generator or state_tensor(seed, 0)
    random.generator():assign(value, { aggregated = true })
  end
  now.seed, now.random_count, now.is_seeded = seed, state.count, true
end

--- Calls fn(...) and returns what it returns; where it fails, no number was drawn.
--- ```lua
--- local before = pod.random.get_state().count
--- pcall(pod.random.unless_it_fails, function() error(pod.random.uniform {}) end)
--- assert(pod.random.get_state().count == before)
--- ```
function random.unless_it_fails(fn, ...)
  errors.check_type(fn, "function", "random.unless_it_fails", "the first argument")
  local before = random.get_state()
  return around(nil, function(ok)
    if not ok then
      random.restore_state(before)
    end
  end, fn, ...)
end

local function root_trace()
  local root = trace.top()
  while root.parent do
    root = root.parent
  end
  return root
end

-- Returns the state operand and the place of the next random op.
local function next_state(seed)
  local root = root_trace()
  if root.kind == "eager" and trace.run == now then
    if seed then
      return state_tensor(check_seed(seed), 0), 0
    end
    ensure_seeded()
    return state_tensor(now.seed, trace.next_random_place()), 0
  end
  local state = root.kind == "eager" and random.generator():value() or trace.top():read(random.generator())
  root.uses_random = true
  local place = trace.next_random_place()
  if seed then
    local own = call("scalar", "uint64", check_seed(seed), { 1 })
    state = ops.concat({ own, ops.slice_axis(state, 0, 1, 2) }, 0)
  end
  return state, place
end

--- Returns the state operand and the place of a composite that draws by itself; nil in a function of elements, where
--- each element draws its own.
--- ```lua
--- local state, place = pod.random.draw()
--- assert(state.shape[1] == 2 and place >= 0)
--- ```
function random.draw(seed)
  if not root_trace().element_bits then
    return next_state(seed)
  end
end

--- Gives the state of a compiled function its next step; called at the end of its trace.
--- ```lua
--- local fn = pod.func(function() return pod.random.uniform { 2 } end)
--- assert(not pod.allclose(fn(), fn())) -- a compiled function ends with it, so that each call draws anew
--- ```
function random.advance()
  random.generator()
  random_state.advance()
end

-- 32 random bits an element. shape is an array; options.like a tensor of that shape, whose rows (where they
-- are divided among replicas) the random rows follow.
local function bits(shape, options)
  local like = options.like
  if tensor.is(shape) then
    shape, like = shape.shape, shape
  elseif type(shape) == "number" then
    shape = { shape }
  end
  local element_bits = root_trace().element_bits
  if element_bits then -- a function of elements: each draws its own
    return element_bits(shapes.dims(shape), options.seed and check_seed(options.seed))
  end
  local state, place = next_state(options.seed)
  if like and like.shape == tensor.shape(shapes.dims(shape)) then
    return apply("random_bits", { state, like }, { dtype = "uint32", seed = place })
  end
  if type(shape) ~= "table" then
    errors.raise("random: a shape is needed, such as { 2, 3 }, not %s", tostring(shape))
  end
  return apply("random_bits", { state }, { dtype = "uint32", shape = shapes.dims(shape), seed = place })
end

-- Uniform in [0, 1): 24 bits, which float32 holds exactly.
local function unit(shape, options)
  local whole = call("convert", ops.right_shift(bits(shape, options), 8), "float32")
  return whole * 2 ^ -24
end

-- Uniform in (0, 1), never an end.
local function open_unit(shape, options)
  local whole = call("convert", ops.right_shift(bits(shape, options), 9), "float32")
  return (whole + 0.5) * 2 ^ -23
end

--- Numbers from minval (0) to below maxval (1, which must be given for whole numbers).
---@example pod.random.uniform({ 2, 3 }, { minval = 1, maxval = 2 }).shape --> (2, 3)
function random.uniform(shape, options)
  options = errors.check_options(options,
    { minval = "tensor", maxval = "tensor", dtype = "dtype", seed = "count", like = "tensor" }, "random.uniform")
  local dtype = ops.dtype(options.dtype or "float32")
  local low, high = options.minval or 0, options.maxval
  if ops.is_integer(dtype) then
    if not high then
      errors.raise("random.uniform: integers need maxval (exclusive)")
    end
    local span = high - low
    if type(span) == "number" and not (span >= 1 and span < 2 ^ 32) then
      errors.raise("random.uniform: integers from %s to below %s; maxval must be 1 to 2^32 - 1 above minval",
        tostring(low), tostring(high))
    end
    local drawn = ops.remainder(bits(shape, options), span)
    return ops.cast(drawn, dtype) + low
  end
  local drawn = unit(shape, options)
  high = high or 1
  if low ~= 0 or high ~= 1 then
    drawn = drawn * (high - low) + low
  end
  return ops.cast(drawn, dtype)
end

-- erf(sqrt(2)): where two standard deviations are
local TWO_SIGMA = 0.95449973610364158

local function normal(shape, options, is_truncated)
  options = errors.check_options(options,
    { mean = "tensor", stddev = "tensor", dtype = "dtype", seed = "count", like = "tensor" },
    is_truncated and "random.truncated_normal" or "random.normal")
  local centred = open_unit(shape, options) * 2 - 1
  local drawn = ops.erf_inv(is_truncated and centred * TWO_SIGMA or centred) * math.sqrt(2)
  return ops.cast(drawn * (options.stddev or 1) + (options.mean or 0), options.dtype or "float32")
end

--- Normally distributed numbers of a mean (0) and a standard deviation (stddev, 1).
---@example pod.random.normal({ 2, 3 }, { seed = 1 }).shape --> (2, 3)
function random.normal(shape, options)
  return normal(shape, options, false)
end

--- Normal, without what is further than two standard deviations from the mean.
---@example pod.random.truncated_normal({ 2, 3 }).shape --> (2, 3)
function random.truncated_normal(shape, options)
  return normal(shape, options, true)
end

--- 1 with probability p, else 0.
---@example pod.random.bernoulli({ 3 }).shape --> (3,)
function random.bernoulli(shape, p, options)
  if type(p) == "table" and not tensor.is(p) then
    p, options = nil, p
  end
  options = errors.check_options(options, { dtype = "dtype", seed = "count", p = "tensor", like = "tensor" },
    "random.bernoulli")
  p = errors.once(p, options, "p", "random.bernoulli")
  return ops.cast(ops.less(unit(shape, options), p or 0.5), options.dtype or "bool")
end

--- Draws `samples` classes a row of logits [rows, classes].
---@example pod.random.categorical({ { 0, 100 } }, 3).shape --> (1, 3)
function random.categorical(logits, samples, options)
  options = errors.check_options(options, { dtype = "dtype", seed = "count" }, "random.categorical")
  logits = ops.floating(logits)
  local rows, classes = logits.shape[1], logits.shape[2]
  local drawn = open_unit({ rows, samples or 1, classes }, options)
  local gumbel = -ops.log(-ops.log(drawn))
  local scores = ops.cast(ops.expand_dims(logits, 1), "float32") + gumbel
  return ops.cast(ops.argmax(scores, -1), options.dtype or "int32")
end

--- The numbers 0 .. n - 1 in random order, or the rows of a tensor.
---@example pod.random.permutation(5).shape --> (5,)
function random.permutation(n, options)
  options = errors.check_options(options, { seed = "count" }, "random.permutation")
  if type(n) ~= "number" then
    return random.shuffle(n, options)
  end
  return ops.argsort(bits({ n }, options), 0)
end

--- The rows of a tensor in random order.
---@example pod.random.shuffle({ 1, 2, 3 }).shape --> (3,)
function random.shuffle(x, options)
  options = errors.check_options(options, { seed = "count" }, "random.shuffle")
  x = tensor.convert(x)
  return ops.gather(x, ops.argsort(bits({ x.shape[1] }, options), 0), 0)
end

--- Sets a share `rate` of the elements to 0 and divides the others by 1 - rate. Options: seed, noise_shape (sizes
--- of 1 share one draw along their axis).
---@example pod.random.dropout({ 1, 2 }, 0) --> { 1, 2 }
function random.dropout(x, rate, options)
  options = errors.check_options(options, { seed = "count", noise_shape = "integers" }, "random.dropout")
  x = tensor.convert(x)
  if rate == 0 then
    return x
  elseif rate == 1 then
    return ops.zeros_like(x)
  end
  local like = x
  if options.noise_shape then
    -- The draw follows the rows of x, of which it has as many.
    like = ops.slice(x, shapes.fill(#x.shape, 0), options.noise_shape)
  end
  local kept = ops.greater_equal(unit(like.shape, { seed = options.seed, like = like }), rate)
  return ops.where(kept, x * (1 / (1 - rate)), 0)
end

declare.functions("random", random, {
  ["shape:shape_or_tensor options?"] = "uniform normal truncated_normal",
  ["shape:shape_or_tensor p:tensor_or_options? options?"] = "bernoulli",
  ["logits:tensor samples:count? options?"] = "categorical",
  ["n:tensor options?"] = "permutation",
  ["x options?"] = "shuffle",
  ["x rate:number options?"] = "dropout",
  ["state:list"] = "restore_state",
})

return random
