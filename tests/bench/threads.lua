-- How a training step would take more threads than this machine has cores:
--
--   ./dev bench threads [--most N] [--steps N] [NAME...]
--
-- Each model (w1 to w4) trains in f32 on 1, 2, 4, ... N (64) threads, however few cores there are, with a trace. What
-- each piece of a step takes is the median of its steps, which is that of a piece nobody interrupts. Then so many cores
-- are simulated: those of a phase take its pieces as they become free, in the order of the trace, and meet at its end.
-- A meeting takes what it takes of two threads, once for each doubling. What cores take from each other's memory and
-- clock is not simulated, so this is a bound; where there are as many cores, the measured step stands beside it.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local json = require "moonpod.base.json"
local models = require "models"
local pod = require "moonpod"
local tools = require "tools"

local context = pod.device.context()

local WORKLOADS = { "w1", "w2", "w3", "w4" }
local options = { ["--most"] = 64, ["--steps"] = 12 }
local function take(word, text)
  options[word] = tools.whole_number(word, text)
end
local names = tools.read_words({ ["--most"] = take, ["--steps"] = take },
  { w1 = true, w2 = true, w3 = true, w4 = true }, {}, WORKLOADS)
local most, steps = options["--most"], options["--steps"]

-- The events of some steps of a model on so many threads.
local function trace(name, threads)
  local path = os.tmpname()
  context:set_threads(threads)
  pod.random.set_seed(tools.SEED)
  local model = models.compile(name, "fp32", 1)
  for x, y in models.data(name):batch(models[name].batch):take(1):iter() do
    for step = 1, steps + 2 do -- the first two compile and touch memory
      if step == 3 then
        pod.profiler.start()
      end
      model:train_on_batch(x, y)
    end
  end
  pod.profiler.stop():save_trace(path)
  local file = assert(io.open(path))
  local events = json.decode(file:read "a").traceEvents
  file:close()
  os.remove(path)
  return events
end

-- Those of the program that takes longest, which is the step.
local function of_step(events)
  local spent, best = {}, nil
  for _, event in ipairs(events) do
    if event.cat == "compute" then
      local program = event.args.program
      spent[program] = (spent[program] or 0) + event.dur
      best = best and spent[best] > spent[program] and best or program
    end
  end
  local list = {}
  for _, event in ipairs(events) do
    if event.args and event.args.program == best then
      list[#list + 1] = event
    end
  end
  return list
end

-- The phases of a step: lists of the pieces that a step had, each with its median; and the median of a meeting that
-- found the others there.
local function phases_of(events)
  local windows, lanes, measured = {}, {}, {}
  for _, event in ipairs(events) do
    if event.cat == "step" then
      windows[#windows + 1] = { event.ts, event.ts + event.dur }
      measured[#measured + 1] = event.dur
    elseif event.cat == "compute" or event.cat == "barrier" then
      lanes[event.tid] = lanes[event.tid] or {}
      table.insert(lanes[event.tid], event)
    end
  end
  local times, steps_of, meetings = {}, {}, {}
  for _, lane in pairs(lanes) do
    table.sort(lane, function(a, b)
      return a.ts < b.ts
    end)
    local window, phase = 1, 1
    for _, event in ipairs(lane) do
      while windows[window] and event.ts > windows[window][2] do
        window, phase = window + 1, 1
      end
      if windows[window] and event.ts >= windows[window][1] then
        if event.cat == "barrier" then
          phase = phase + 1
          meetings[#meetings + 1] = event.dur
        else
          local key = event.name .. "\0" .. event.args.flops .. "\0" .. event.args.amount
          times[key] = times[key] or {}
          table.insert(times[key], event.dur)
          steps_of[window] = steps_of[window] or {}
          steps_of[window][phase] = steps_of[window][phase] or {}
          table.insert(steps_of[window][phase], { key = key, ts = event.ts })
        end
      end
    end
  end
  for key, list in pairs(times) do
    times[key] = tools.median(list)
  end
  local phases = steps_of[#windows] -- of the last step, whose pieces are those of all
  for _, phase in pairs(phases) do
    table.sort(phase, function(a, b)
      return a.ts < b.ts
    end)
    for i, piece in ipairs(phase) do
      phase[i] = times[piece.key]
    end
  end
  table.sort(meetings)
  return phases, meetings[1 + #meetings // 10] or 0, tools.median(measured)
end

-- Microseconds until so many cores have done the pieces of a phase.
local function makespan(pieces, cores)
  local free = {}
  for i = 1, cores do
    free[i] = 0
  end
  for _, time in ipairs(pieces) do
    local first = 1
    for i = 2, cores do
      if free[i] < free[first] then
        first = i
      end
    end
    free[first] = free[first] + time
  end
  return math.max(table.unpack(free))
end

local cores = tonumber(tools.capture "nproc")
tools.print_machine(here, build, tools.SEED, false)
for _, name in ipairs(names) do
  print(("\n%s, fp32\n%8s %12s %9s %12s %9s %8s"):format(name, "threads", "simulated ms", "speed-up", "work ms",
    "phases", "measured ms"))
  local alone, meeting
  local threads = 1
  while threads <= most do
    local phases, met, measured = phases_of(of_step(trace(name, threads)))
    meeting = threads == 2 and met or meeting
    local total, work, count = 0, 0, 0
    for _, pieces in pairs(phases) do
      total, count = total + makespan(pieces, threads), count + 1
      for _, time in ipairs(pieces) do
        work = work + time
      end
    end
    total = total + count * (meeting or 0) * math.log(threads, 2)
    alone = alone or total
    print(("%8d %12.3f %9.2f %12.3f %9d %8s"):format(threads, total / 1e3, alone / total, work / 1e3, count,
      threads <= cores and ("%.3f"):format(measured / 1e3) or ""))
    io.stdout:flush()
    threads = threads * 2
  end
end
