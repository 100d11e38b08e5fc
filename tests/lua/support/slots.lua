-- slots - the share of time that stages of a pipeline wait, by the tasks of a step in the order in which they were
-- done: a task begins once its stage is free and what it reads was made.

local slots = {}

-- The name of a task among those of a step.
function slots.name(task)
  return ("%d %d %s"):format(task.stage, task.microbatch, tostring(task.backward))
end

-- tasks: { stage =, microbatch =, backward = } in order, of so many stages; lengths: of each by its name, else 1.
function slots.bubble(tasks, stages, lengths)
  local free, made, last, sum = {}, {}, 0, 0
  for _, task in ipairs(tasks) do
    local s, backward = task.stage, task.backward
    local reads = { stage = backward and math.min(s + 1, stages) or s - 1, microbatch = task.microbatch,
      backward = backward and s < stages }
    local from = (backward or s > 1) and made[slots.name(reads)] or not backward and s == 1 and 0
    assert(from, "a task reads what was not made before it")
    local length = lengths and lengths[slots.name(task)] or 1
    local ends = math.max(free[s] or 0, from) + length
    free[s], made[slots.name(task)], last, sum = ends, ends, math.max(last, ends), sum + length
  end
  return 1 - sum / (stages * last)
end

return slots
