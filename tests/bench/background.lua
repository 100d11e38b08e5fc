-- What a training in the background costs beside one in the foreground:
--
--   ./dev bench background [NAME] [--pairs N] [--milliseconds N]
--
-- NAME is one of models.lua (w1). Each pair trains one epoch in the foreground and one in the background, in one
-- process and in turn, of so many milliseconds (300); which goes first changes. Ways of the background:
--
--   wait     run:wait()                   as a script does
--   prompt   slices of 20 ms              as the prompt does while it waits for keys
--   step     run:step { ms = 4 }          as a loop with frames does
--
-- What is printed is the ratio of the background's time to that of the foreground's beside it, by the clock and by the
-- CPU time of all threads, which others on the machine disturb less: median and quarters. A row of the foreground
-- against itself says what is noise.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local core = require "moonpod.core"
local pod = require "moonpod"
local models = require "models"
local fail = tools.fail

local name, options = "w1", { ["--pairs"] = 20, ["--milliseconds"] = 300 }
local at = 3
while arg[at] do
  local word = arg[at]
  if options[word] then
    at = at + 1
    options[word] = tools.whole_number(word, arg[at] or fail("%s needs a value", word))
  elseif type(models[word]) == "table" and models[word].shape then
    name = word
  else
    fail("unknown argument '%s'; there are models with a shape and the options %s", word, tools.names_of(options))
  end
  at = at + 1
end

pod.device.configure { threads = pod.device.context():threads() } -- else those that are stepped keep to one
local work = models[name]
local shape = { work.batch }
for i, length in ipairs(work.shape) do
  shape[i + 1] = length
end
local x = pod.random.uniform(shape)
local y = pod.cast(pod.random.uniform({ work.batch }, { maxval = 10 }), "int32")
local model = models.compile(name, "fp32", 1)
local dataset = pod.data.from_tensor_slices({ x, y }):rep():batch(work.batch)

local function fit(steps, background)
  return model:fit(dataset, { verbose = 0, steps_per_epoch = steps, background = background })
end

local ways = {
  foreground = function(steps)
    fit(steps)
  end,
  wait = function(steps)
    fit(steps, "stepped"):wait()
  end,
  prompt = function(steps)
    fit(steps, true)
    local pump = require "moonpod.models.run".pump
    while pump(0.02) do end -- luacheck: ignore
  end,
  step = function(steps)
    local run = fit(steps, "stepped")
    while run:step { ms = 4 } do end -- luacheck: ignore
  end,
}

local function measure(way, steps)
  collectgarbage()
  local wall, processor = core.clock(), os.clock()
  ways[way](steps)
  return core.clock() - wall, os.clock() - processor
end

local function spread(list)
  table.sort(list)
  local function share(part)
    return list[math.max(1, math.min(#list, math.floor(part * #list + 0.5)))]
  end
  return ("%6.3f (%.3f to %.3f)"):format(tools.median(list), share(0.25), share(0.75))
end

for _ = 1, 2 do -- traces, compiles, and lets executions grow
  measure("foreground", 20)
end
local seconds = measure("foreground", 20) / 20
local steps = math.max(1, math.floor(options["--milliseconds"] / 1000 / seconds))
print(("%s of %s: %d steps of %.2f ms, %d pairs"):format(name, build, steps, seconds * 1000, options["--pairs"]))
for _, way in ipairs { "foreground", "wait", "prompt", "step" } do
  measure(way, steps)
  local walls, processors = {}, {}
  for pair = 1, options["--pairs"] do
    local times = {}
    for turn = 1, 2 do
      local is_ours = (turn == 1) == (pair % 2 == 1)
      times[is_ours and "ours" or "foreground"] = { measure(is_ours and way or "foreground", steps) }
    end
    walls[pair] = times.ours[1] / times.foreground[1]
    processors[pair] = times.ours[2] / times.foreground[2]
  end
  print(("  %-11s wall %s   processors %s"):format(way, spread(walls), spread(processors)))
end
