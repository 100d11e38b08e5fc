-- random_chain - makes a chain of a seed: stages that a dataset of Moonpod takes, and that tf.data knows.

local build = require "pipelines.build"
local draw = require "pipelines.draw"
local functions = require "pipelines.functions"

local random_chain = {}

local DTYPES = { "int64", "int64", "int64", "int32", "float32", "float32", "bool", "int8", "int16", "uint8", "uint16",
  "uint32", "uint64", "float16", "bfloat16", "float64" }
local SHAPES = { {}, {}, {}, { 2 }, { 3 }, { 1 }, { 0 }, { 2, 3 }, { 0, 2 }, { 2, 0 } }

-- What differs from tf.data on purpose: a stage that is refused so is left out. See docs/reference/differences.md.
local REFUSALS = { "need all sizes", "mapped over batches of changing sizes",
  "so what the function makes cannot be found" }

function random_chain.is_refusal(message)
  for _, text in ipairs(REFUSALS) do
    if tostring(message):find(text, 1, true) then
      return true
    end
  end
  return false
end

-- ---- sources ------------------------------------------------------------------------------------------------

local function random_leaf(random, state)
  state.leaves = state.leaves + 1
  local dtype = random:pick(DTYPES)
  return { dtype = dtype, shape = random:pick(SHAPES), number = state.leaves,
    extreme = dtype ~= "bool" and random:chance(25) or nil }
end

-- For which keys a function fails, { modulus, rest }; mostly nil.
local function random_fail(random)
  if random:chance(12) then
    local modulus = random:pick { 2, 3, 5, 7, 11, 25 }
    return { modulus, random:integer(0, modulus - 1) }
  end
end

local function random_structure(random, state, depth)
  local kind = depth < 2 and random:integer(1, 6) or 1
  if kind <= 3 then
    return random_leaf(random, state)
  elseif kind <= 5 then
    local tuple = {}
    for i = 1, random:integer(1, 3) do
      tuple[i] = random_structure(random, state, depth + 1)
    end
    return tuple
  end
  return { x = random_structure(random, state, depth + 1), y = random_leaf(random, state) }
end

local function random_rows(random)
  local rows = {}
  for i = 1, random:integer(0, 7) do
    rows[i] = {}
    for j = 1, random:integer(0, 4) do
      rows[i][j] = i + 10 * j
    end
  end
  return rows
end

local sources = {
  function(random)
    local step = random:pick { 1, 1, 1, 2, -1, 3 }
    local start, length = random:integer(-3, 5), random:pick { 0, 1, 2, 3, 5, 7, 10, 12 }
    return { op = "range", start = start, stop = start + length * step, step = step }
  end,
  function(random)
    local structure = random_structure(random, { leaves = 0 }, 0)
    return { op = "slices", structure = structure, rows = random:pick { 0, 1, 2, 5, 8 } }
  end,
  function(random)
    return { op = "tensors", structure = random_structure(random, { leaves = 0 }, 0), rows = random:integer(1, 3) }
  end,
  function(random)
    return { op = "generator", rows = random_rows(random), fails = random:chance(20) and random:integer(1, 6) or nil }
  end,
}

-- ---- stages ----------------------------------------------------------------------------------------------------

-- What is known of the dataset so far: spec, its leaves, whether it ends.
local function facts_of(ds)
  local spec = ds:element_spec()
  return { ds = ds, spec = spec, leaves = functions.leaves(spec), infinite = ds:cardinality() == -1 }
end

local function all_leaves(facts, check)
  for _, leaf in ipairs(facts.leaves) do
    if not check(leaf) then
      return false
    end
  end
  return true
end

local function is_static(leaf)
  for _, size in ipairs(leaf.shape) do
    if size < 0 then
      return false
    end
  end
  return #leaf.shape < 4
end

local function numeric(leaf)
  return leaf.dtype ~= "bool"
end

local function signed(leaf)
  return leaf.dtype:find "^int" or leaf.dtype:find "float"
end

-- Elements of rows: the same number of them in all leaves.
local function has_rows(facts)
  local first = facts.leaves[1].shape[1]
  return first ~= nil and all_leaves(facts, function(leaf)
    return leaf.shape[1] == first
  end)
end

local function is_single(facts, rank)
  return functions.is_leaf(facts.spec) and #facts.spec.shape == rank and facts.spec.dtype == "int64"
end


local makers = {}

-- name, whether it may stand behind a dataset without end, maker (returns nil where the stage does not fit)
local function add(weight, endless, maker)
  for _ = 1, weight do
    makers[#makers + 1] = { endless = endless, make = maker }
  end
end

add(4, true, function(random, facts)
  local calls = {
    { op = "map", fn = "affine", a = random:integer(-2, 3), b = random:integer(-3, 3) },
    { op = "map", fn = "pair", a = 2, b = 1 },
    { op = "map", fn = "name", a = 1, b = random:integer(1, 3) },
    { op = "map", fn = "sums" },
  }
  if #facts.leaves > 6 then
    calls = { calls[1], calls[4] }
  end
  if functions.is_tuple(facts.spec) then
    calls[#calls + 1] = { op = "map", fn = "pick", i = random:integer(1, #facts.spec) }
    calls[#calls + 1] = #facts.spec == 2 and { op = "map", fn = "swap" } or nil
  elseif not functions.is_leaf(facts.spec) then
    calls[#calls + 1] = { op = "map", fn = "field", field = random:pick(functions.keys_of(facts.spec)) }
  end
  if all_leaves(facts, numeric) then
    calls[#calls + 1] = { op = "map", fn = "cast",
      dtype = random:pick { "int64", "float32", "int32", "uint8", "float16", "float64" } }
    calls[#calls + 1] = all_leaves(facts, function(leaf) return #leaf.shape < 3 end)
      and { op = "map", fn = "rows", a = 3 } or nil
  end
  local call = random:pick(calls)
  call.at_once = random:chance(40)
  return call
end)
add(2, true, function(random, facts)
  if is_single(facts, 1) then
    return { op = "interpret", fn = "double" }
  end
  return is_single(facts, 0) and { op = "interpret", fn = random:pick { "fill", "fill", "scalar", "fails" } } or nil
end)
add(2, true, function(random)
  local modulus = random:pick { 2, 3, 5, 7, 11, 25 }
  return { op = "map", fn = "fail", fail = { modulus, random:integer(0, modulus - 1) }, at_once = random:chance(40) }
end)
add(2, false, function(random)
  local modulus = random:integer(1, 3)
  return { op = "filter", modulus = modulus, rest = random:integer(0, modulus), fail = random_fail(random) }
end)
add(1, true, function(random)
  return { op = "scan", fail = random_fail(random) }
end)
add(4, true, function(random, facts)
  if not all_leaves(facts, function(leaf) return #leaf.shape < 4 end) then
    return nil
  end
  return { op = "batch", size = random:pick { 1, 2, 2, 3, 4, 10 }, drop = random:chance(40) }
end)
add(2, true, function(random, facts)
  if not all_leaves(facts, function(leaf) return #leaf.shape < 4 end) then
    return nil
  end
  local call = { op = "padded_batch", size = random:pick { 1, 2, 3, 5 }, drop = random:chance(30) }
  if all_leaves(facts, numeric) and random:chance(50) then
    call.value = random:integer(all_leaves(facts, signed) and -1 or 0, 1)
  end
  if functions.is_leaf(facts.spec) and #facts.spec.shape == 1 and random:chance(40) then
    call.shapes = { random:pick { 4, 5, -1 } }
  end
  return call
end)
add(2, true, function(random)
  return { op = "take", count = random:pick { 0, 1, 2, 3, 5, -1, 20 } }
end)
add(2, true, function(random, facts)
  return { op = "skip", count = random:pick(facts.infinite and { 0, 1, 4 } or { 0, 1, 2, 4, -1, 20 }) }
end)
add(2, false, function(random)
  return { op = "repeat_", count = random:pick { 0, 1, 2, 2, 3, -1 } }
end)
add(2, true, function(_, facts)
  return has_rows(facts) and { op = "unbatch" } or nil
end)
add(2, true, function(random)
  local count = random:integer(1, 4)
  return { op = "shard", count = count, index = random:integer(0, count - 1) }
end)
add(1, true, function(random)
  return { op = "enumerate", start = random:pick { 0, 0, 3, -2 } }
end)
add(2, false, function(random, facts)
  local op = random:pick { "cache", "cache", "save", "pin" }
  return { op = op == "pin" and not all_leaves(facts, is_static) and "cache" or op } -- pinned elements are one array
end)
add(2, true, function(random)
  return { op = "prefetch", count = random:pick { 1, 3, -1 } }
end)
add(1, true, function()
  return { op = "shuffle_one" }
end)
add(2, false, function(random, facts)
  if not all_leaves(facts, is_static) then -- windows are arrays: their elements have one size
    return nil
  end
  return { op = "window", size = random:pick { 1, 2, 3, 5 }, shift = random:integer(1, 4),
    stride = random:integer(1, 3), drop = random:chance(40), batch = random:pick { 1, 2, 5, false } or nil,
    drop_batch = random:chance(30),
    take = random:chance(30) and random:integer(0, 3) or nil }
end)
add(3, false, function(random, facts)
  local names = { "repeated", "batches" }
  if not all_leaves(facts, function(leaf) return #leaf.shape < 4 end) then
    names[2] = nil
  end
  if has_rows(facts) then
    names[#names + 1] = "rows"
    names[#names + 1] = "checked_rows"
  end
  names[#names + 1] = "range"
  local call = { op = random:pick { "flat_map", "interleave", "interleave" }, fn = random:pick(names),
    fail = random_fail(random) }
  call.row_fail = call.fn == "checked_rows" and { random:pick { 2, 3, 5 }, 1 } or nil
  call.count = call.fn == "range" and random:integer(1, 4) or random:integer(0, 3)
  if call.op == "interleave" then
    call.cycle, call.block = random:integer(1, 4), random:integer(1, 3)
  end
  return call
end)
add(1, false, function(random, facts)
  if not all_leaves(facts, function(leaf) return #leaf.shape < 4 end) then
    return nil
  end
  return { op = "group", modulus = random:integer(1, 3), size = random:integer(1, 4), batch = random:integer(1, 3),
    fail = random_fail(random), reduce_fails = random:chance(15) and random:integer(0, 2) or nil }
end)
add(2, false, function(random, facts)
  if not (is_single(facts, 1) or functions.is_tuple(facts.spec) and #facts.leaves[1].shape == 1) then
    return nil
  end
  local call = { op = "buckets", boundaries = { 2, random:integer(3, 4) }, sizes = { random:integer(1, 3), 2, 2 },
    drop = random:chance(30), to_boundary = random:chance(25) }
  -- sizes that are known here and not there would be filled up there alone
  call.to_boundary = call.to_boundary and is_single(facts, 1) and facts.spec.shape[1] < 0
  return call
end)

-- ---- several datasets -----------------------------------------------------------------------------------------

local grow

-- A chain like another one, with elements of the same kind: the same stages and one more that only chooses.
local function sibling(random, chain)
  local copy = {}
  for i, call in ipairs(chain) do
    copy[i] = call
  end
  copy[#copy + 1] = random:pick {
    { op = "take", count = random:integer(0, 3) },
    { op = "skip", count = random:integer(0, 2) },
    { op = "filter", modulus = 2, rest = random:integer(0, 2) },
    { op = "shard", count = 2, index = 1 },
  }
  return copy
end

local function random_choices(random, count)
  local choices = {}
  for i = 1, random:integer(1, 9) do
    choices[i] = random:integer(0, random:chance(3) and count or count - 1)
  end
  return choices
end

local HOW = {} -- no threads, no files

add(2, true, function(random, facts, chain, depth)
  if depth > 1 or #facts.leaves > 8 then
    return nil
  end
  local others = { grow(random, depth + 1, random:integer(0, 2)) }
  if not pcall(build.chain, others[1], HOW) then -- what tries a first element that fails does so before all others
    return nil
  end
  if random:chance(30) then
    others[2] = sibling(random, chain)
  end
  return { op = "zip", others = others, last = random:chance(30) }
end)
add(2, false, function(random, _, chain)
  return { op = "concatenate", others = { sibling(random, chain) } }
end)
add(1, false, function(random, _, chain)
  return { op = "choose", others = { sibling(random, chain) }, choices = random_choices(random, 2),
    stop = random:chance(50) }
end)
add(1, false, function(random, _, chain)
  return { op = "sample", others = { sibling(random, chain) }, only = random:integer(1, 2), stop = random:chance(50) }
end)

-- ---- chains ------------------------------------------------------------------------------------------------------

-- Makes a chain of a source and about `length` stages. One that is refused, but for known reasons, ends it: tf.data may
-- take it.
function grow(random, depth, length)
  local chain = { sources[random:pick { 1, 1, 2, 2, 2, 3, 4 }](random) }
  local ds = build.stage(nil, chain[1], HOW)
  for _ = 1, length do
    local facts = facts_of(ds)
    local maker = random:pick(makers)
    local call = (maker.endless or not facts.infinite) and maker.make(random, facts, chain, depth)
    if call then
      local ok, made = pcall(build.stage, ds, call, HOW)
      if ok then
        chain[#chain + 1], ds = call, made
      elseif not random_chain.is_refusal(made) then
        chain[#chain + 1] = call
        return chain
      end
    end
  end
  if ds:cardinality() == -1 then
    chain[#chain + 1] = { op = "take", count = random:integer(1, 12) }
  end
  return chain
end

function random_chain.make(seed)
  local random = draw.new(seed)
  return grow(random, 0, random:integer(1, 8))
end

return random_chain
