-- Random functions of one core's rows: axes move, split, merge, are folded and grow again; within remat, branches and
-- loops, too. On two to seven replicas, of which the last have fewer rows or none, each must give of its part what the
-- function gives of those rows alone: values, their shapes and gradients. What has no exact rule is refused.

local pod = require "moonpod"

local random_rows = {}

local COLUMNS = 4
local MOST_AXES = 4

-- A generator of numbers of our own: the same on every Lua.
local function random(seed)
  local state = seed * 2654435 % 2147483647 + 1
  for _ = 1, 3 do
    state = state * 48271 % 2147483647
  end
  return function(count)
    state = state * 48271 % 2147483647
    return math.floor(state / 8) % count + 1
  end
end

-- ---- what is computed -------------------------------------------------------------------------------------------

-- A value `h` whose axes are told in words, as a core and the rows alone have other sizes: { rows = entries a row }, or
-- { size = }. Steps that do not fit a value leave it as it is, so that any may be taken away.

local function replaced(dims, from, count, ...)
  local list, new = {}, { ... }
  for i = 1, from - 1 do
    list[i] = dims[i]
  end
  for i = 1, #new do
    list[#list + 1] = new[i]
  end
  for i = from + count, #dims do
    list[#list + 1] = dims[i]
  end
  return list
end

-- The sizes for reshape: that of the rows is the one that is left open.
local function sizes(h, dims)
  local list = {}
  for i, axis in ipairs(dims) do
    list[i] = axis.size or h.rows * axis.rows
  end
  return list
end

local function same(a, b)
  for i = 1, math.max(#a, #b) do
    if not a[i] or not b[i] or a[i].rows ~= b[i].rows or a[i].size ~= b[i].size then
      return false
    end
  end
  return true
end

local UNARY = { pod.tanh, pod.sin, pod.sigmoid, pod.softplus, function(x) return pod.relu(x + 0.123) end, pod.erf,
  function(x) return pod.square(x) * 0.5 end, function(x) return pod.where(pod.greater(x, 0.05), x, x * 0.3) end,
  function(x) return x * pod.ones_like(x) + pod.full_like(x, 0.25) end, function(x) return pod.abs(x + 0.011) end,
  function(x) return pod.exp(x * 0.5) end, function(x) return pod.stop_gradient(x) * 0.5 + x end }

local FOLDS = { pod.sum, pod.mean, pod.max, pod.min, pod.logsumexp, pod.var, function(x, axis, options)
  return pod.prod(x * 0.3 + 0.9, axis, options)
end, function(x, axis, options) return pod.norm(x, axis, options) end }

local function axis_of(s, number)
  return #s.dims > 0 and (number - 1) % #s.dims + 1 or nil
end

local function constant_axis(s, number, least)
  local k = axis_of(s, number)
  return k and s.dims[k].size and s.dims[k].size >= least and k or nil
end

local steps = {}

function steps.unary(s, op)
  s.h = UNARY[(op.a - 1) % #UNARY + 1](s.h)
end

function steps.weights(s, op)
  s.h = s.h * s.b[op.a % COLUMNS + 1] + s.b[op.b % COLUMNS + 1]
end

function steps.bias(s)
  local last = s.dims[#s.dims]
  s.h = last and last.size == COLUMNS and s.h + s.b or s.h + pod.sum(s.b)
end

function steps.transpose(s, op)
  local order, dims, left = {}, {}, {}
  for i = 1, #s.dims do
    left[i] = i - 1
  end
  for i = 1, #s.dims do
    local k = table.remove(left, (op.a + op.b * i) % #left + 1)
    order[i], dims[i] = k, s.dims[k + 1]
  end
  if #order > 1 then
    s.h, s.dims = pod.transpose(s.h, order), dims
  end
end

function steps.expand(s, op)
  if #s.dims < MOST_AXES then
    local k = op.a % (#s.dims + 1) + 1
    s.h, s.dims = pod.expand_dims(s.h, k - 1), replaced(s.dims, k, 0, { size = 1 })
  end
end

function steps.squeeze(s, op)
  local k = axis_of(s, op.a)
  if k and s.dims[k].size == 1 then
    s.h, s.dims = pod.squeeze(s.h, k - 1), replaced(s.dims, k, 1)
  end
end

-- Rows merge with what is behind them; what is before them does not.
function steps.merge(s, op)
  local k = axis_of(s, op.a)
  local one, two = s.dims[k or 1], k and s.dims[k + 1]
  if one and two and two.size then
    local axis = one.size and { size = one.size * two.size } or { rows = one.rows * two.size }
    s.dims = replaced(s.dims, k, 2, axis)
    s.h = pod.reshape(s.h, sizes(s, s.dims))
  end
end

function steps.split(s, op)
  local k = axis_of(s, op.a)
  local axis = k and s.dims[k]
  if axis and #s.dims < MOST_AXES and (axis.rows or axis.size) > 1 and (axis.rows or axis.size) % 2 == 0 then
    local first = axis.rows and { rows = axis.rows / 2 } or { size = axis.size / 2 }
    s.dims = replaced(s.dims, k, 1, first, { size = 2 })
    s.h = pod.reshape(s.h, sizes(s, s.dims))
  end
end

function steps.fold(s, op)
  local k = axis_of(s, op.a)
  if k then
    local keep = op.c % 2 == 0
    s.h = FOLDS[(op.b - 1) % #FOLDS + 1](s.h * 0.5, k - 1, { keepdims = keep })
    s.dims = keep and replaced(s.dims, k, 1, { size = 1 }) or replaced(s.dims, k, 1)
  end
end

function steps.fold_two(s, op)
  if #s.dims > 2 then
    local k = op.a % (#s.dims - 1) + 1
    s.h = FOLDS[op.b % 3 + 1](s.h * 0.5, { k - 1, k })
    s.dims = replaced(s.dims, k, 2)
  end
end

-- A fold that is laid beside each of what it was of again.
function steps.centre(s, op)
  local k = axis_of(s, op.a)
  if k then
    s.h = s.h - 0.5 * FOLDS[(op.b - 1) % 4 + 1](s.h, k - 1, { keepdims = true })
  end
end

function steps.softmax(s, op)
  local k = axis_of(s, op.a)
  if k then
    s.h = (op.b % 2 == 0 and pod.softmax or pod.log_softmax)(s.h, k - 1)
  end
end

function steps.cumsum(s, op)
  local k = axis_of(s, op.a)
  if k then
    s.h = pod.cumsum(s.h, k - 1, { reverse = op.b % 2 == 0 }) * 0.3
  end
end

function steps.concat(s, op)
  local k = constant_axis(s, op.a, 1)
  if k and s.dims[k].size < 9 then
    s.h = pod.concat({ s.h, s.h * 0.5 }, k - 1)
    s.dims = replaced(s.dims, k, 1, { size = s.dims[k].size * 2 })
  end
end

function steps.stack(s, op)
  if #s.dims < MOST_AXES then
    local k = op.a % (#s.dims + 1) + 1
    s.h = pod.stack({ s.h, pod.tanh(s.h) }, k - 1)
    s.dims = replaced(s.dims, k, 0, { size = 2 })
  end
end

function steps.slice(s, op)
  local k = constant_axis(s, op.a, 2)
  if k then
    s.h = pod.slice_axis(s.h, k - 1, 1, s.dims[k].size)
    s.dims = replaced(s.dims, k, 1, { size = s.dims[k].size - 1 })
  end
end

function steps.flip(s, op)
  local k = axis_of(s, op.a) -- rows, too: that is refused
  if k and (s.dims[k].size or op.b % 4 == 0) then
    s.h = pod.flip(s.h, k - 1)
  end
end

function steps.pad(s, op)
  local k = constant_axis(s, op.a, 1)
  if k and s.dims[k].size < 9 then
    local paddings = {}
    for i = 1, #s.dims do
      paddings[i] = { i == k and 1 or 0, 0 }
    end
    s.h = pod.pad(s.h, paddings)
    s.dims = replaced(s.dims, k, 1, { size = s.dims[k].size + 1 })
  end
end

function steps.take(s, op)
  local k = constant_axis(s, op.a, 2)
  if k then
    s.h = pod.gather(s.h, pod.tensor({ 1, 0, 1 }, { dtype = "int32" }), k - 1)
    s.dims = replaced(s.dims, k, 1, { size = 3 })
  end
end

-- Rows of a table by numbers that are the rows'.
function steps.embed(s)
  if #s.dims < MOST_AXES then
    local numbers = pod.cast(pod.clip(pod.abs(pod.sum(s.x, 1)) * 3, 0, 3), "int32")
    s.h, s.dims = pod.gather(s.w, numbers, 0), { { rows = 1 }, { size = COLUMNS } }
  end
end

function steps.sort(s, op)
  local k = constant_axis(s, op.a, 2)
  if k then
    s.h = pod.sort(s.h, k - 1)
  end
end

function steps.matmul(s)
  local last = s.dims[#s.dims]
  if #s.dims > 1 and last.size == COLUMNS then
    s.h = pod.matmul(s.h, s.w) * 0.5
  end
end

-- Products of a value with itself: an axis is contracted, which may be that of the rows.
function steps.gram(s, op)
  if #s.dims == 2 then
    local form = ({ "ab,ac->bc", "ab,cb->ac", "ab,ab->b", "ab,ab->a" })[op.a % 4 + 1]
    local dims = ({ { 2, 2 }, { 1, 1 }, { 2 }, { 1 } })[op.a % 4 + 1]
    s.h = pod.einsum(form, s.h * 0.4, s.h * 0.4)
    for i, k in ipairs(dims) do
      dims[i] = s.dims[k]
    end
    s.dims = dims
  end
end

-- What rows are contracted with is the same on each core.
function steps.with_ones(s, op)
  local k = axis_of(s, op.a)
  if k and #s.dims == 2 then
    s.h = pod.einsum(k == 1 and "ab,a->b" or "ab,b->a", s.h, pod.ones { s.h.shape[k] } * 0.5)
    s.dims = replaced(s.dims, k, 1)
  end
end

function steps.stash(s)
  s.kept = { h = s.h, dims = s.dims }
end

function steps.join(s)
  if s.kept and same(s.kept.dims, s.dims) then
    s.h = s.h * 0.5 + pod.tanh(s.kept.h)
  end
end

-- A new value of the rows.
function steps.again(s)
  s.h, s.dims = pod.matmul(s.x, s.w) + s.b, { { rows = 1 }, { size = COLUMNS } }
end

function steps.remat(s, op)
  local k = axis_of(s, op.a)
  if k then
    s.h = pod.remat(function(h, b)
      return pod.tanh(h - pod.mean(h, k - 1, { keepdims = true })) + pod.sum(h * b[1], k - 1, { keepdims = true })
    end)(s.h, s.b)
  end
end

function steps.branch(s, op)
  local k = axis_of(s, op.a)
  local above = op.b % 2 == 0 and -9 or 9
  s.h = pod.cond(pod.greater(s.b[1], above), function()
    return k and s.h + pod.sum(s.h * s.b[1], k - 1, { keepdims = true }) or s.h + 1
  end, function() return s.h * 0.5 + s.b[2] end)
end

function steps.loop(s)
  local _, h = pod.while_loop(function(i) return pod.less(i, 2) end, function(i, h)
    return i + 1, pod.tanh(h) * 0.5 + s.b[1]
  end, { pod.tensor(0), s.h }, { maximum_iterations = 3 })
  s.h = h
end

function steps.custom(s)
  s.h = pod.custom_gradient(function(t)
    return t * 2, function(g) return g * 2 + 0.1 * pod.sum(g) end
  end)(s.h)
end

local KINDS = {}
for kind in pairs(steps) do
  KINDS[#KINDS + 1] = kind
end
table.sort(KINDS)

local ENDS = { pod.sum, pod.sum, pod.mean, function(h) return pod.sum(pod.square(h)) end, pod.logsumexp,
  function(h) return pod.sum(pod.sin(h)) end }

-- ---- cases ------------------------------------------------------------------------------------------------------

-- Draws the case of a seed: steps, rows and replicas. Some part is always short or without rows.
function random_rows.draw(seed)
  local pick = random(seed)
  local case = { replicas = pick(6) + 1, ends = pick(#ENDS), moves = {}, seed = seed }
  repeat
    case.rows = pick(3 * case.replicas)
  until case.rows % case.replicas ~= 0
  for i = 1, pick(7) + 1 do
    case.moves[i] = { kind = KINDS[pick(#KINDS)], a = pick(12), b = pick(12), c = pick(12) }
  end
  return case
end

-- The function of a case: value, its axes in words, loss, gradients.
local function compute(case, x, b, w)
  local s = { x = x, b = b, w = w, rows = x.shape[1] }
  local tape, loss = pod.tape(function(tape)
    tape:watch(x)
    tape:watch(b)
    tape:watch(w)
    s.h, s.dims = x * 0.5 + b, { { rows = 1 }, { size = COLUMNS } }
    for _, op in ipairs(case.moves) do
      steps[op.kind](s, op)
    end
    return ENDS[case.ends](s.h)
  end)
  local gradients = tape:gradient(loss, { x, b, w }, { unconnected_gradients = "zero" })
  return s.h, s.dims, loss, gradients[1], gradients[2], gradients[3]
end

local function inputs(case)
  local pick = random(case.seed + 7919)
  local function values(shape)
    local list = {}
    for i = 1, shape[1] * (shape[2] or 1) do
      list[i] = pick(2001) / 1001 - 1
    end
    return pod.reshape(pod.tensor(list, { dtype = "float32" }), shape)
  end
  return values { case.rows, COLUMNS }, values { COLUMNS }, values { COLUMNS, COLUMNS }
end

-- Says how two tensors differ, or nil. Numbers that are not finite are so in both.
local function compare(want, got)
  if tostring(want.shape) ~= tostring(got.shape) then
    return ("has shape %s, not %s"):format(tostring(got.shape), tostring(want.shape))
  elseif want:size() == 0 then
    return nil
  end
  local finite = pod.is_finite(want)
  local wrong = pod.any(pod.not_equal(finite, pod.is_finite(got))):item()
  local zero = pod.zeros_like(want)
  local a, c = pod.where(finite, want, zero), pod.where(finite, got, zero)
  local far = pod.max(pod.abs(a - c)):item() / (pod.max(pod.abs(a)):item() + 0.05)
  if wrong or far ~= far or far >= 2e-3 then
    return ("is %s, not %s"):format(tostring(got), tostring(want))
  end
end

local NAMES = { "the value", "the loss", "the gradient of x", "the gradient of b", "the gradient of w" }

-- What rows alone give, one part after the other, and the axes of the value.
local function expected(case, x, b, w)
  local chunk, parts, words = math.ceil(case.rows / case.replicas), {}, nil
  local alone = pod.func(function(part, one, two)
    local value, dims, loss, gx, gb, gw = compute(case, part, one, two)
    words = dims
    return value, loss, gx, gb, gw
  end)
  for i = 1, case.replicas do
    local low = math.min((i - 1) * chunk, case.rows)
    parts[i] = { alone(pod.slice_axis(x, 0, low, math.min(low + chunk, case.rows)), b, w) }
  end
  return parts, words
end

-- On the replicas: all results, and sums over the replicas of those that are the same size on each.
local function replicated(case, strategy, x, b, w)
  local step = pod.func(function(rows, one, two)
    return strategy:run(function(part)
      local value, _, loss, gx, gb, gw = compute(case, part, one, two)
      local context = pod.distribute.replica_context()
      return value, loss, gx, gb, gw, context:all_reduce("sum", loss), context:all_reduce("sum", gb),
        context:all_reduce("sum", gw)
    end, { strategy:split(rows) })
  end)
  return { step(x, b, w) }
end

local function column(parts, k)
  local list = {}
  for i, part in ipairs(parts) do
    list[i] = part[k]
  end
  return list
end

-- Sums over the replicas, where they are finite.
local function compare_sums(parts, found)
  for place, k in ipairs { 2, 4, 5 } do
    local want = pod.sum(pod.stack(column(parts, k), 0), 0)
    if pod.all(pod.is_finite(want)):item() then
      local wrong = compare(want, found[5 + place]:values()[1])
      if wrong then
        return ("the sum over all replicas of %s %s"):format(NAMES[k], wrong)
      end
    end
  end
end

-- The value when it is joined, folded and given to another run.
local function compare_joined(case, strategy, words, parts, value)
  local place, count = nil, 0
  for i, axis in ipairs(words) do
    if axis.rows then
      place, count = i, count + 1
    end
  end
  if count ~= 1 then
    return nil
  end
  local all = pod.concat(column(parts, 1), place - 1)
  local wrong = compare(all, strategy:gather(value, place - 1))
  if wrong then
    return "what is gathered " .. wrong
  end
  wrong = compare(pod.sum(all, place - 1), strategy:reduce("sum", value, place - 1))
  if wrong then
    return "what is reduced " .. wrong
  end
  local sums = strategy:run(function(h) return pod.sum(h * 1, place - 1) end, { value }):values()
  for i = 1, case.replicas do
    wrong = compare(pod.sum(parts[i][1], place - 1), sums[i])
    if wrong then
      return ("the sum in another run on replica %d %s"):format(i, wrong)
    end
  end
end

local function difference(case)
  local x, b, w = inputs(case)
  local parts, words = expected(case, x, b, w)
  local strategy = pod.distribute.mirrored(case.replicas)
  local made, found = pcall(replicated, case, strategy, x, b, w)
  if not made and tostring(found):find "short shards" then
    return nil, "refused"
  elseif not made then
    return "fails: " .. tostring(found)
  end
  for k = 1, 5 do
    for i, got in ipairs(found[k]:values()) do
      local wrong = compare(parts[i][k], got)
      if wrong then
        return ("%s on replica %d %s"):format(NAMES[k], i, wrong)
      end
    end
  end
  return compare_sums(parts, found) or compare_joined(case, strategy, words, parts, found[1])
end

local function describe(case)
  local list = {}
  for i, op in ipairs(case.moves) do
    list[i] = ("%s(%d %d %d)"):format(op.kind, op.a, op.b, op.c)
  end
  return ("%d rows on %d replicas: %s; end %d"):format(case.rows, case.replicas, table.concat(list, " "), case.ends)
end

-- Takes steps away as long as something is wrong.
local function shrink(case)
  local i = 1
  while i <= #case.moves do
    local op = table.remove(case.moves, i)
    if not difference(case) then
      table.insert(case.moves, i, op)
      i = i + 1
    end
  end
  for ends = 1, case.ends - 1 do
    local kept = case.ends
    case.ends = ends
    if difference(case) then
      break
    end
    case.ends = kept
  end
end

-- Runs the case of a seed. Returns nil, or what is wrong with the smallest part of it that is; then how it ended:
-- "equal" or "refused".
function random_rows.check(seed)
  local case = random_rows.draw(seed)
  local wrong, ended = difference(case)
  if not wrong then
    return nil, ended or "equal"
  end
  shrink(case)
  return ("seed %d, %s: %s"):format(seed, describe(case), (difference(case)) or wrong)
end

return random_rows
