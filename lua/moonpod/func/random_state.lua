-- random_state - where random numbers are: see random.lua, which draws them. A training in the background has a state
-- of its own.

local device = require "moonpod.tensor.device"
local global_state = require "moonpod.base.global_state"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local is_whole = require "moonpod.base.kinds".is_whole

local random_state = {}

-- generator: the variable u64[2] = (seed, step) of compiled functions, nil before one draws; seed and random_count are
-- of what is drawn outside of them.
local now = trace.by_hand
now.seed, now.is_seeded = 0, false
global_state.argument "random numbers"
random_state.now = now

function random_state.tensor(seed, step)
  return tensor.from_buffer(device.core.buffer(device.context(), { seed, step }, "uint64"))
end

-- Without a seed each run of a script has one of its own.
function random_state.ensure_seeded()
  if not now.is_seeded then
    now.is_seeded = true
    now.seed = (os and os.time and os.time() or 0) % 2 ^ 31 * 1024 + math.floor(device.core.clock() * 1e6) % 1024
  end
end

-- What the generator of compiled functions holds now, as a tensor that no later draw writes into; nil before one draws.
function random_state.generator_value()
  local generator = now.generator
  if not generator then
    return nil
  end
  local value = trace.escape(generator.value, generator)
  generator._exclusive = false
  return value
end

-- Gives the generator its next step.
function random_state.advance()
  local step = tensor.from_buffer(device.core.buffer(device.context(), { 0, 1 }, "uint64"))
  now.generator:assign(now.generator:value() + step, { aggregated = true })
end

-- Returns the n-th seed that comes of a seed.
function random_state.derive(seed, n)
  local low = seed % 2 ^ 31
  return (low + n * 40503) * 48271 % 2147483647 * 2 ^ 21 + (low * 69 + n) % 2 ^ 21
end

-- Returns what a layer draws by that may have a seed, config.seed. In compiled functions each draw has a place, and
-- each call a step. By hand there is neither, so each call gets a seed of its own: else all steps would drop the same.
function random_state.seed_of_call(config)
  local root, seed = trace.top(), config.seed
  while root.parent do
    root = root.parent
  end
  if not is_whole(seed) or root.kind ~= "eager" or trace.run ~= now then
    return seed
  end
  now.random_count = now.random_count + 1
  return random_state.derive(seed, now.random_count)
end

-- ---- of trainings in the background ----

local FIELDS = { "_tensor", "_exclusive", "_execution", "_assigned" }

-- A state of its own that begins as the present one. What is drawn where it stands in the present one's place (see
-- exchange()) does not depend on what is drawn elsewhere, and the other way round.
function random_state.branch()
  random_state.ensure_seeded()
  local own = { seed = now.seed, count = now.random_count, _tensor = random_state.generator_value() }
  if own._tensor then
    own._exclusive, own._execution, own._assigned = false, false, now.generator._assigned
  end
  return own
end

-- What exchange() may need: takes memory, as exchange() does not.
function random_state.prepare_exchange(own)
  if not now.generator then
    own.spare = random_state.tensor(now.seed, 0)
  elseif not own._tensor then
    own._tensor = random_state.tensor(own.seed, 0)
  end
end

-- Puts a state of branch() in the place of the present one, which is kept in it; a second time: back.
function random_state.exchange(own)
  if now.generator then
    own._tensor = own._tensor or own.spare -- it was made meanwhile
  end
  now.seed, own.seed = own.seed, now.seed
  now.random_count, own.count = own.count, now.random_count
  for i = 1, now.generator and #FIELDS or 0 do
    local field = FIELDS[i]
    local kept = own[field] or false
    own[field] = now.generator[field]
    now.generator[field] = kept
  end
  trace.note_change()
end

-- Where nobody has set another seed meanwhile: goes on behind what was drawn with a state of branch().
function random_state.join(own)
  if own.seed ~= now.seed then
    return
  end
  now.random_count = math.max(now.random_count, own.count)
  if own._tensor and now.generator then
    local theirs, present = own._tensor:totable(), now.generator:value():totable()
    if theirs[1] == present[1] and theirs[2] > present[2] then
      now.generator:assign(own._tensor, { aggregated = true })
    end
  end
end

return random_state
