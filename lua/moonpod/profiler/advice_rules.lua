-- advice_rules - what could be changed, of a step that is not for the input: each rule looks at the facts of a profile
-- (see facts.lua) and gives what it found, or nil:
--
--   title     what to do
--   time      seconds that a step would take then (for each row that it takes now)
--   evidence  numbers by name;  why: the sentence with them
--   fix       code;  value: the number in it that was chosen, if any
--   where     the line, layer, stage or callback

local decimal = require "moonpod.base.decimal"
local facts = require "moonpod.profiler.facts"
local tables = require "moonpod.profiler.tables"

local rules = {}

local show = tables.seconds

-- ---- the script -----------------------------------------------------------------------------------------------------

-- Hooks that run every batch, a callback each: { name =, seconds =, calls =, reads = (whether it wants the logs) }.
local function batch_hooks(recording)
  local list = {}
  local one_of = tables.by_name(list, function(callback, hook)
    return { name = callback, hook = hook, seconds = 0, calls = 0, reads = false }
  end)
  for _, name in ipairs(recording.names) do
    local callback, hook = name.text:match "^(.*): (on_.*batch.*)$"
    if name.part == "callback" and callback then
      local one = one_of(callback, hook)
      one.seconds, one.calls = one.seconds + name.total, math.max(one.calls, name.calls)
      one.reads = one.reads or hook:find "_end$" ~= nil
      one.hook = hook:find "_end" and hook or one.hook
    end
  end
  tables.sort(list, "seconds", "name")
  return list
end

function rules.callback(f)
  local hooks = batch_hooks(f.recording)
  local slowest, readers = hooks[1], 0
  for _, one in ipairs(hooks) do
    readers = readers + (one.reads and 1 or 0)
  end
  if not slowest then
    return nil
  end
  local own = slowest.seconds / f.steps
  local logs = slowest.reads and readers == 1 and f.parts.output or 0
  return { title = "do less in a callback every batch", time = facts.without(f, own + logs),
    evidence = { callback_seconds = own, logs_seconds = logs, calls = slowest.calls, step_seconds = f.time },
    why = ("%s of '%s' takes %s of a step of %s, and reading the metrics for it %s"):format(slowest.hook, slowest.name,
      show(own), show(f.time), show(logs)),
    fix = "on_epoch_end = function(self, epoch, logs) ... end  -- instead of " .. slowest.hook
      .. "; or read `logs` in " .. slowest.hook:gsub("_lazy$", "") .. "_lazy now and then",
    where = slowest.name .. ": " .. slowest.hook }
end

-- The execution's own time is to be 2 % of it at most.
local OVERHEAD, MOST_STEPS = 0.02, 1024

function rules.steps_per_execution(f)
  local own = f.parts.host + f.parts.launch
  if not facts.is_fit(f) or own <= 0 or not f.program or f.program.runs < 2 then
    return nil
  end
  local now, others = 1 / f.executions, math.max(f.time - own, 1e-9)
  local steps = now
  while steps < MOST_STEPS and own * now / steps > OVERHEAD * others do
    steps = steps * 2
  end
  steps = math.floor(steps)
  if steps <= now then
    return nil
  end
  return { title = "run more steps an execution", time = facts.without(f, own * (1 - now / steps)),
    evidence = { execution_seconds = own * now, steps_per_execution = now, step_seconds = f.time },
    why = ("an execution of %.0f steps costs %s besides its steps, of %s each"):format(now, show(own * now),
      show(f.time)),
    fix = ("model:compile { steps_per_execution = %d, ... }"):format(steps), value = steps, where = "fit" }
end

function rules.retrace(f)
  local own = f.parts.trace + f.parts.compile
  return { title = "trace and compile less often", time = facts.without(f, own),
    evidence = { trace_seconds = f.parts.trace, compile_seconds = f.parts.compile, step_seconds = f.time },
    why = ("%s of a step of %s is tracing and compiling: arguments change their types or sizes"):format(show(own),
      show(f.time)),
    fix = "data:batch(n, { drop_remainder = true }); pod.func(fn, { input_signature = ... })", where = "program" }
end

-- ---- the step's program ---------------------------------------------------------------------------------------------

-- Calls visit(instruction, seconds of a step by the clock).
local function each_instruction(f, visit)
  local program = f.program
  for _, one in ipairs(program or {}) do
    visit(one, one.seconds / math.max(1, program.steps))
  end
end

-- Seconds by the clock of what instructions take on all threads.
local function clock_of(f, seconds)
  local all = 0
  each_instruction(f, function(_, own)
    all = all + own
  end)
  return all > 0 and seconds / all * f.parts.compute or 0
end

-- Seconds that starting an instruction takes, about.
local START = 0.5e-6

-- Seconds that are as many for any number of rows: reading and writing variables, and starting instructions.
local function fixed_seconds(f)
  local fixed = 0
  local rate, bytes = f.machine.product_rate(256, 512, 512, "float32"), f.machine.byte_rate()
  each_instruction(f, function(one, own)
    local of_variables = one.variable_bytes / bytes
    if one.operations > 0 then
      of_variables = math.min(2 * of_variables, own - one.operations / rate)
    elseif 2 * one.variable_bytes > one.bytes then
      of_variables = own
    end
    fixed = fixed + math.min(own, math.max(of_variables, START))
  end)
  return clock_of(f, fixed)
end

local SPREAD, MOST_FACTOR, MOST_ROWS = 0.25, 16, 1024

function rules.batch(f)
  if not facts.is_fit(f) or f.rows == 0 or f.rows >= MOST_ROWS or f.parts.compute < 0.2 * f.time then
    return nil
  end
  local fixed = math.min(fixed_seconds(f), f.time)
  local moving, factor = f.parts.compute - fixed, 1
  while factor < MOST_FACTOR and f.rows * factor < MOST_ROWS and fixed / factor > SPREAD * math.max(moving, 0) do
    factor = factor * 2
  end
  if factor == 1 then
    return nil
  end
  local rows = f.rows * factor
  return { title = "take larger batches", time = facts.without(f, fixed * (1 - 1 / factor)), least = 0.2,
    evidence = { fixed_seconds = fixed, step_seconds = f.time, rows = f.rows },
    why = ("%s of a step of %s are the same for any number of rows, and there are only %d rows"):format(show(fixed),
      show(f.time), f.rows),
    fix = ("data:batch(%d)  -- a row then takes so much less; the learning rate may have to grow"):format(rows),
    value = rows, where = "batch" }
end

-- Whether an instruction is a product of f32 operands.
local function is_wide(one)
  return one.operations > 0 and not one.is_half and one.name:find "f32" ~= nil
end

local BF16 = { avx512bf16 = true, amx = true }
local MEASURED = 4 -- products of which both forms are timed: the slowest

function rules.bfloat16(f)
  if not BF16[f.isa] then
    return nil
  end
  local wide, all = {}, 0
  each_instruction(f, function(one, own)
    if is_wide(one) then
      wide[#wide + 1], all = { one = one, own = own }, all + own
    end
  end)
  table.sort(wide, function(a, b)
    return a.own > b.own
  end)
  all = clock_of(f, all)
  if all < 0.1 * f.time then
    return nil
  end
  local now, half = 0, 0
  for i = 1, math.min(MEASURED, #wide) do
    local one, own = wide[i].one, wide[i].own
    local ratio = f.machine.product_rate(one.rows, one.depth, one.columns, "float32")
      / f.machine.product_rate(one.rows, one.depth, one.columns, "bfloat16")
    now, half = now + own, half + own * math.min(1, ratio)
  end
  local ratio = now > 0 and half / now or 1
  return { title = "multiply in bfloat16", time = facts.without(f, all * (1 - ratio)), least = 0.1,
    evidence = { product_seconds = all, bfloat16_ratio = ratio, step_seconds = f.time },
    why = decimal.format("products of f32 take %s of a step of %s; in bfloat16 this CPU takes %.2f of that", show(all),
      show(f.time), ratio),
    fix = 'pod.mixed_precision.set_global_policy "mixed_bfloat16"  -- before the model is made',
    where = wide[1].one.location or wide[1].one.layer }
end

function rules.sparse_loss(f)
  local own, elements, layer, location = 0, 0, nil, nil
  each_instruction(f, function(one, seconds)
    if one.layer and one.layer:find "loss/categorical_crossentropy" then
      own, elements = own + seconds, math.max(elements, one.elements)
      layer, location = one.layer, location or one.location
    end
  end)
  local classes = f.rows > 0 and math.floor(elements / f.rows) or 0
  each_instruction(f, function(one, seconds) -- the gradient is part of the loop that adds up a bias's
    if one.kind == "loop" and one.layer ~= layer and one.elements >= elements then
      own = own + seconds
    end
  end)
  own = clock_of(f, own)
  if own < 0.05 * f.time or classes < 8 then
    return nil
  end
  local dense, sparse = f.machine.cross_entropy_seconds(f.rows, classes)
  local ratio = math.min(1, sparse / dense)
  return { title = "give the loss class numbers, not one-hot rows", time = facts.without(f, own * (1 - ratio)),
    evidence = { loss_seconds = own, classes = classes, sparse_ratio = ratio, step_seconds = f.time },
    why = decimal.format("the loss of rows of %d classes takes %s of a step of %s; that of class numbers %.2f of it",
      classes, show(own), show(f.time), ratio),
    fix = "loss = pod.losses.sparse_categorical_crossentropy { from_logits = true }  -- where each row of the labels "
      .. "has a single 1; the data gives its place",
    where = location or layer }
end

-- Memory is no reason to compute anything again where so many times what a step has in use is free.
local PLENTY = 4

function rules.remat(f)
  local own, layer, most = 0, nil, 0
  each_instruction(f, function(one, seconds)
    if one.layer and ("/" .. one.layer .. "/"):find("/again/", 1, true) then
      own = own + seconds
      if seconds > most then
        most, layer = seconds, one.layer
      end
    end
  end)
  own = clock_of(f, own)
  local bytes, free = f.profile.memory.peak_bytes, f.recording.free_memory or 0
  if own == 0 or free < PLENTY * bytes then
    return nil
  end
  return { title = "keep values instead of computing them again", time = facts.without(f, own),
    evidence = { again_seconds = own, peak_bytes = bytes, free_bytes = free, step_seconds = f.time },
    why = ("%s of a step of %s are computed a second time to save memory; a step has %s in use, and %s are free")
      :format(show(own), show(f.time), tables.bytes(bytes), tables.bytes(free)),
    fix = "model:set_memory_options { rematerialize = false }, or no pod.remat  -- here; a TPU may need it",
    where = layer }
end

function rules.threads(f)
  local one_thread = 0
  each_instruction(f, function(_, own)
    one_thread = one_thread + own
  end)
  local parts = f.parts
  if f.threads > 1 and parts.barrier > 0.25 * f.time and f.input < 0.05 * f.time then
    local time = f.time - parts.barrier - parts.compute + one_thread
    return { title = "compute on one thread", time = math.max(time, f.pipeline), least = 0.1,
      evidence = { barrier_seconds = parts.barrier, threads = f.threads, step_seconds = f.time },
      why = ("%d threads wait for each other %s of a step of %s; one would compute for %s"):format(f.threads,
        show(parts.barrier), show(f.time), show(one_thread)),
      fix = "pod.device.configure { threads = 1 }", value = 1, where = "device" }
  end
  if f.threads >= f.cpus or not f.program then
    return nil
  end
  local shared = 0 -- what falls into enough pieces
  each_instruction(f, function(one, own)
    if own > 20e-6 then
      shared = shared + own
    end
  end)
  local saved = clock_of(f, shared) * (1 - f.threads / f.cpus)
  return { title = "compute on all CPUs", time = math.max(f.time - saved, f.pipeline, f.work / f.cpus), least = 0.1,
    evidence = { compute_seconds = parts.compute, threads = f.threads, cpus = f.cpus, step_seconds = f.time },
    why = ("%d of %d CPUs compute for %s of a step of %s"):format(f.threads, f.cpus, show(parts.compute), show(f.time)),
    fix = ("pod.device.configure { threads = %d }"):format(f.cpus), value = f.cpus, where = "device" }
end

return rules
