-- Random steps over variables of a few sizes: products, what is between them, gradients (and gradients through
-- gradients), updates, assignments of one variable to the other, parts that are written, loops and branches; in any
-- order, so that variables are read before, between and behind their updates. They are run one operation after the
-- other, compiled and called step by step, and compiled and run without a return to Lua, over batches of several sizes.

local differences = require "tests.lua.support.differences"
local pod = require "moonpod"

local steps = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local STEPS = 5
local WIDTHS = { 1, 2, 3, 8, 8, 16, 16, 24, 33, 40 }
local ROWS = { 1, 4, 5, 8, 16, 16, 33, 48 }

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

-- Numbers between -1 and 1 in a shape.
local function values(pick, shape)
  local count, list = 1, {}
  for i = 1, #shape do
    count = count * shape[i]
  end
  for i = 1, count do
    list[i] = pick(2001) / 1001 - 1
  end
  return pod.reshape(pod.tensor(list, { dtype = "float32" }), shape)
end

-- ---- what is computed -------------------------------------------------------------------------------------------

local SMOOTH = { pod.tanh, pod.sigmoid, pod.sin, pod.softplus, function(x) return pod.relu(x + 0.123) end, pod.erf,
  function(x) return pod.softmax(x, -1) end,
  function(x) return x * pod.rsqrt(pod.mean(pod.square(x), -1, { keepdims = true }) + 0.5) end,
  function(x) return pod.flip(x, 1) end,
  function(x) return pod.where(pod.greater(x, -0.1), x + 0.1, 0.3 * x + 0.03) end,
  function(x) return pod.stop_gradient(x) * 0.5 + x end,
  -- these look at other rows
  function(x) return x - pod.mean(x, 0, { keepdims = true }) end,
  function(x) return pod.cumsum(x, 0) * 0.1 end,
  function(x) return pod.concat({ pod.slice_axis(x, 0, 1, x.shape[1]), pod.slice_axis(x, 0, 0, 1) }, 0) end,
}
local ROW_BY_ROW = #SMOOTH - 3

local PAIRS = { pod.add, pod.multiply,
  function(a, b) return a - 0.5 * b end,
  function(a, b) return a * pod.sigmoid(2 * b) end,
  function(a, b) return a / (1 + pod.square(b)) end,
}

-- A product of rows with a variable, of either side, and as batches of products.
local function product(state, s)
  local x = state.rows[s.a % #state.rows + 1]
  local width = x.shape[2]
  local fitting = {}
  for _, v in ipairs(state.variables) do
    if #v.shape == 2 and (v.shape[1] == width or v.shape[2] == width) then
      fitting[#fitting + 1] = v
    end
  end
  local v = fitting[s.b % #fitting + 1]
  local w = v:value()
  if v.shape[1] ~= width or v.shape[2] == width and s.n % 2 == 0 then
    w = pod.transpose(w)
  end
  local y = s.n % 5 == 0 and pod.transpose(pod.matmul(pod.transpose(w), pod.transpose(x))) or pod.matmul(x, w)
  y = y * (1 / math.sqrt(width))
  local biases = {}
  for _, bias in ipairs(state.variables) do
    if #bias.shape == 1 and bias.shape[1] == y.shape[2] then
      biases[#biases + 1] = bias
    end
  end
  if s.n % 3 > 0 and #biases > 0 then
    y = y + biases[s.n % #biases + 1]:value()
  end
  return s.op % 4 == 0 and y or SMOOTH[s.op % 6 + 1](y)
end

local function pair(state, s)
  local a = state.rows[s.a % #state.rows + 1]
  local fitting = {}
  for _, other in ipairs(state.rows) do
    if other.shape[2] == a.shape[2] then
      fitting[#fitting + 1] = other
    end
  end
  return pod.tanh(PAIRS[s.op % #PAIRS + 1](a, fitting[s.b % #fitting + 1]))
end

-- Rows of a variable, chosen by values.
local function lookup(state, s)
  local matrices = {}
  for _, v in ipairs(state.variables) do
    if #v.shape == 2 then
      matrices[#matrices + 1] = v
    end
  end
  local v = matrices[s.b % #matrices + 1]
  local x = state.rows[s.a % #state.rows + 1]
  local which = pod.cast(pod.floor(pod.abs(pod.sin(pod.sum(state.input, 1) * 7))
    * (v.shape[1] - 0.01)), "int32")
  local y = pod.gather(v:value(), which)
  return y.shape[2] == x.shape[2] and y + x or y
end

local function loop(state, s)
  local x = state.rows[s.a % #state.rows + 1]
  local w
  for _, v in ipairs(state.variables) do
    w = #v.shape == 2 and v.shape[1] == x.shape[2] and v.shape[2] == x.shape[2] and v or w
  end
  if not w then
    return pod.tanh(x * 1.5)
  end
  local _, y = pod.while_loop(function(i) return pod.less(i, s.n % 4) end, function(i, y)
    return i + 1, pod.tanh(pod.matmul(y, w:value()) * 0.5 + x)
  end, { pod.tensor(0), x }, { maximum_iterations = 4 })
  return y
end

local function compute(state, s)
  local made
  if s.kind <= 5 then
    made = product(state, s)
  elseif s.kind <= 7 then
    made = SMOOTH[s.op % (state.case.row_by_row and ROW_BY_ROW or #SMOOTH) + 1](state.rows[s.a % #state.rows + 1])
  elseif s.kind <= 9 then
    made = pair(state, s)
  elseif s.kind == 10 then
    made = lookup(state, s)
  else
    made = loop(state, s)
  end
  state.rows[#state.rows + 1] = made
end

-- ---- what is changed --------------------------------------------------------------------------------------------

-- The other variables of the same shape, or turned.
local function like(state, v)
  local list = {}
  for _, other in ipairs(state.variables) do
    if other ~= v and #other.shape == #v.shape then
      if other.shape == v.shape then
        list[#list + 1] = function() return other:value() end
      elseif #v.shape == 2 and other.shape[1] == v.shape[2] and other.shape[2] == v.shape[1] then
        list[#list + 1] = function() return pod.transpose(other:value()) end
      end
    end
  end
  return list
end

-- The sum over the rows of the whole batch, of all replicas.
local function total(t)
  return pod.distribute.sum_over_replicas(pod.sum(t))
end

local changes = {
  function(state, v)
    local mean = total(pod.mean(state.rows[#state.rows], 1)) / state.count
    v:assign(pod.tanh(v:value() * 1.1) + 0.01 * mean)
  end,
  function(state, v, s)
    local others = like(state, v)
    if #others > 0 then
      v:assign(0.7 * v:value() + 0.3 * others[s.b % #others + 1]())
    end
  end,
  function(state, v, s)
    local others = like(state, v)
    v:assign(#others > 0 and others[s.b % #others + 1]() or v:value() * 0.9)
  end,
  function(state, v, s)
    local others = {}
    for _, other in ipairs(state.variables) do
      others[#others + 1] = other ~= v and other.shape == v.shape and other or nil
    end
    if #others > 0 then
      local other = others[s.b % #others + 1]
      local old = v:value()
      v:assign(other:value())
      other:assign(old)
    end
  end,
  function(_, v, s) -- a row of it is written
    local n = v.shape[1]
    local row = pod.slice_axis(v:value(), 0, s.b % n, s.b % n + 1)
    local starts = #v.shape == 2 and { s.n % n, 0 } or { s.n % n }
    v:assign(pod.dynamic_update_slice(v:value(), pod.tanh(row * 1.2), starts))
  end,
  function(_, v) v:assign(pod.flip(v:value(), 0)) end,
  function(_, v) v:assign_add(0.02 * pod.cos(v:value())) end,
  function(state, v)
    pod.cond(pod.greater(total(state.input), 0), function()
      v:assign(v:value() * 0.9)
      return pod.tensor(1)
    end, function()
      v:assign_add(0.05)
      return pod.tensor(2)
    end)
  end,
  function(state, v) -- a product of rows with rows
    for _, x in ipairs(state.rows) do
      for _, y in ipairs(state.rows) do
        if #v.shape == 2 and x.shape[2] == v.shape[1] and y.shape[2] == v.shape[2] then
          local sum = pod.distribute.sum_over_replicas(pod.matmul(pod.transpose(x), y))
          return v:assign_add(0.05 / state.count * sum)
        end
      end
    end
  end,
}

local OPTIMIZERS = {
  function(o) return o.sgd(0.1) end,
  function(o) return o.sgd(0.1) end,
  function(o) return o.sgd { learning_rate = 0.1, momentum = 0.9 } end,
  function(o) return o.sgd { learning_rate = 0.1, momentum = 0.9, nesterov = true, clipvalue = 0.05 } end,
  function(o) return o.adam { learning_rate = 0.02, epsilon = 0.01 } end,
  function(o) return o.adam { learning_rate = 0.02, epsilon = 0.01, amsgrad = true } end,
  function(o) return o.adamw { learning_rate = 0.02, epsilon = 0.01, weight_decay = 0.1 } end,
  function(o) return o.rmsprop { learning_rate = 0.02, epsilon = 0.01, momentum = 0.5, centered = true } end,
  function(o) return o.adam { learning_rate = 0.02, epsilon = 0.01, global_clipnorm = 0.1 } end,
  function(o) return o.adam { learning_rate = 0.02, epsilon = 0.01, gradient_accumulation_steps = 2 } end,
  function(o) return o.sgd { learning_rate = 0.1, use_ema = true, ema_momentum = 0.7, ema_overwrite_frequency = 3 } end,
}

-- A loss of some more computations, its gradient, and an update of some variables.
local function learn(state, s)
  local before = #state.rows
  local function forward(list)
    for _, one in ipairs(list) do
      compute(state, one)
    end
    local last = state.rows[#state.rows]
    return pod.sum(pod.square(last - 0.3)) * (1 / state.count / last.shape[2])
  end
  local tape, loss = pod.tape(function()
    local loss = forward(s.list)
    if s.has_penalty then
      local x = state.rows[s.a % before + 1]
      local inner, sum = pod.tape(function()
        local kept = state.rows
        state.rows = { x }
        forward(s.inner)
        local sum = pod.sum(state.rows[#state.rows])
        state.rows = kept
        return sum
      end)
      local slope = inner:gradient(sum, { x })[1]
      loss = loss + (slope and 0.1 / state.count * pod.sum(pod.mean(pod.square(slope), 1)) or 0)
    end
    return loss
  end)
  local list = {}
  for i, v in ipairs(state.variables) do
    if s.mask[i] then
      list[#list + 1] = v
    end
  end
  local gradients = tape:gradient(loss, list)
  local some, with = {}, {}
  for i, v in ipairs(list) do
    if gradients[i] then
      some[#some + 1], with[#with + 1] = gradients[i], v
    end
  end
  if #with > 0 and (s.optimizer.seen == nil or s.optimizer.seen == #with) then
    s.optimizer.seen = #with
    s.optimizer.it:apply(some, with)
  end
  for i = #state.rows, before + 1, -1 do -- what was made within is not read behind
    if s.n % 2 == 0 then
      state.rows[i] = nil
    end
  end
  state.results[#state.results + 1] = loss
end

local function change(state, s)
  local v = state.variables[s.b % #state.variables + 1]
  changes[s.op % #changes + 1](state, v, s)
end

-- ---- steps ------------------------------------------------------------------------------------------------------

local function draw_compute(pick)
  return { kind = pick(11), a = pick(1024), b = pick(1024), op = pick(1024), n = pick(1024) }
end

local function draw_list(pick, count)
  local list = {}
  for i = 1, count do
    list[i] = draw_compute(pick)
  end
  return list
end

function steps.draw(seed)
  local pick = random(seed)
  local a, b = WIDTHS[pick(#WIDTHS)], WIDTHS[pick(#WIDTHS)]
  local case = { width = a, list = {}, shapes = { { a, b }, { b, a }, { a }, { b } } }
  for _ = 1, pick(4) do
    case.shapes[#case.shapes + 1] = ({ { a, a }, { b, b }, { a, b }, { a } })[pick(4)]
  end
  for i = 1, pick(5) + 2 do
    local kind = pick(10)
    local one = draw_compute(pick)
    if kind <= 3 then
      one.act = "compute"
    elseif kind <= 7 then
      one.act, one.list, one.inner = "learn", draw_list(pick, pick(4)), draw_list(pick, pick(3))
      one.has_penalty, one.optimizer, one.mask = pick(2) == 1, { number = pick(#OPTIMIZERS) }, {}
      for j = 1, #case.shapes do
        one.mask[j] = pick(4) > 1
      end
    else
      one.act = "change"
    end
    case.list[i] = one
  end
  case.rows = {}
  local size = ROWS[pick(#ROWS)]
  local varies = pick(3) == 1
  for i = 1, STEPS do
    case.rows[i] = varies and i % 2 == 0 and ROWS[pick(#ROWS)] or size
  end
  return case
end

-- One step on rows of a batch of `count` rows. Returns the losses, and what it computed.
function steps.step(case, variables, x, count)
  local state = { case = case, input = x, rows = { x }, variables = variables, results = {}, count = count }
  for _, one in ipairs(case.list) do
    if one.act == "compute" then
      compute(state, one)
    elseif one.act == "learn" then
      learn(state, one)
    else
      change(state, one)
    end
  end
  return state.results, state.rows
end

local function step_alone(case, variables, x)
  local results, rows = steps.step(case, variables, x, x.shape[1])
  for i = 1, #rows do
    results[#results + 1] = pod.mean(rows[i], 0)
  end
  return unpack(results)
end

-- The variables and the batches that a case begins with.
function steps.start(case, seed)
  local pick = random(seed + 7)
  local variables, inputs = {}, {}
  for i, shape in ipairs(case.shapes) do
    variables[i] = pod.variable(values(pick, shape) * 0.8)
  end
  for i = 1, STEPS do
    inputs[i] = values(pick, { case.rows[i], case.width })
  end
  for _, one in ipairs(case.list) do
    if one.optimizer then
      one.optimizer.it, one.optimizer.seen = OPTIMIZERS[one.optimizer.number](pod.optimizers), nil
    end
  end
  return variables, inputs
end

-- What the steps of a case give: its variables, and the results of each step (the last one's, where they are run
-- without a return).
local function run(case, seed, way)
  local variables, inputs = steps.start(case, seed)
  local function fn(x)
    return step_alone(case, variables, x)
  end
  local found = {}
  local compiled = way ~= "eager" and pod.func(fn)
  if way == "run_steps" then
    local data = pod.data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        return inputs[i]
      end
    end, { output_signature = pod.spec { -1, case.width } }):iterator()
    local done = 0
    while done < STEPS do
      local results, report = compiled:run_steps(STEPS - done, data)
      assert(report.steps > 0)
      done = done + report.steps
      if done == STEPS then
        found = pod.is_tensor(results) and { results } or { unpack(results) }
      end
    end
  else
    for i = 1, STEPS do
      found = { (compiled or fn)(inputs[i]) }
    end
  end
  for _, v in ipairs(variables) do
    found[#found + 1] = v:value()
  end
  return found
end

-- Returns nil, or what differs.
local function compare(case, seed)
  local want = run(case, seed, "eager")
  local calls = run(case, seed, "calls")
  local far = differences.largest(want, calls)
  if far > 2e-4 then
    return ("calls are %.3g from one operation after the other"):format(far)
  elseif far < 0 then
    return nil, "not finite"
  end
  local runs = run(case, seed, "run_steps")
  if not differences.are_same_bits(calls, runs) then
    return ("runs are %.3g from calls"):format(differences.largest(calls, runs))
  end
end

-- Makes lists shorter as long as a case still differs.
local function shrink(case, seed)
  local function is_wrong()
    local ok, message = pcall(compare, case, seed)
    return ok and message ~= nil
  end
  local function lists()
    local all = { case.list }
    for _, one in ipairs(case.list) do
      if one.list then
        all[#all + 1], all[#all + 2] = one.list, one.inner
      end
    end
    return all
  end
  local again = true
  while again do
    again = false
    for _, list in ipairs(lists()) do
      for i = #list, 1, -1 do
        local one = table.remove(list, i)
        if is_wrong() then
          again = true
        else
          table.insert(list, i, one)
        end
      end
    end
    for _, one in ipairs(case.list) do
      if one.has_penalty then
        one.has_penalty = false
        again = is_wrong() or again
        one.has_penalty = not is_wrong()
      end
    end
  end
end

-- Runs the case of a seed; returns nil, or what differs.
function steps.check(seed)
  local case = steps.draw(seed)
  local message, note = compare(case, seed)
  if message then
    shrink(case, seed)
    return ("steps of seed %d: %s; shrunk: %s"):format(seed, message, tostring(compare(case, seed))), case
  end
  return nil, note
end

return steps
