-- pipeline - how long stages of a pipeline wait, beside (p - 1) / (m + p - 1): `./dev bench pipeline [STEPS]`. Stages
-- are alike. `counted` has each task of a real step take one slot; `measured` has each take its median time of all
-- steps; of the first one, which compiles, none is taken.

local here, steps = arg[1], tonumber(arg[3] or 15)
package.path = here .. "/?.lua;" .. here .. "/../../?.lua;" .. package.path

local pod = require "moonpod"
local slots = require "tests.lua.support.slots"

local WIDTH, ROWS, STAGES = 512, 128, 4

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

print("stages  microbatches  schedule   formula   counted  measured")
for _, microbatches in ipairs { 1, 2, 4, 8, 16 } do
  for _, schedule in ipairs { "gpipe", "1f1b" } do
    local stages = {}
    for s = 1, STAGES do
      stages[s] = { pod.layers.dense(WIDTH, { activation = "tanh" }), pod.layers.dense(WIDTH) }
    end
    local pipe = pod.models.pipeline { stages = stages, loss = "mse", optimizer = "sgd", microbatches = microbatches,
      schedule = schedule }
    local x, y = pod.random.normal { ROWS * microbatches, WIDTH }, pod.random.normal { ROWS * microbatches, WIDTH }
    local times, tasks = {}, nil
    for step = 0, steps do
      pipe:train_on_batch(x, y)
      tasks = pipe:report().tasks
      for _, task in ipairs(step > 0 and tasks or {}) do
        local name = slots.name(task)
        times[name] = times[name] or {}
        table.insert(times[name], task.seconds)
      end
    end
    for name, list in pairs(times) do
      times[name] = median(list)
    end
    print(("%6d  %12d  %8s  %8.3f  %8.3f  %8.3f"):format(STAGES, microbatches, schedule,
      (STAGES - 1) / (microbatches + STAGES - 1), slots.bubble(tasks, STAGES), slots.bubble(tasks, STAGES, times)))
  end
end
