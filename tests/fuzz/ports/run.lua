-- run - random scripts in Python, ported and beside Python: lua run.lua [--count N] [--seed S] [--seconds T]. Each
-- prints what Python prints, or says by its line what is not ported. What differs is made as short as it goes. Ends
-- with 1 where one did.

local core = require "moonpod.core"
local ported = require "tests.lua.support.ported"
local random_python = require "tests.lua.support.random_python"

local given = {}
for i = 1, #arg, 2 do
  given[assert(arg[i]:match "^%-%-(%l+)$", arg[i])] = tonumber(arg[i + 1])
end
local seed, count = given.seed or 1, given.count or given.seconds and math.huge or 100
local counts, reasons, differing = { equal = 0, refused = 0, invalid = 0, different = 0 }, {}, 0

local number, ends = seed, given.seconds and core.clock() + given.seconds or math.huge
while number < seed + count and core.clock() < ends do
  local fault, verdict, why = ported.fault(random_python.program(ported.numbers_from(number)))
  counts[verdict] = counts[verdict] + 1
  if fault then
    differing = differing + 1
    io.write(("ports: script of seed %d: %s\n"):format(number, fault))
    io.stdout:flush()
  elseif why then
    reasons[why] = (reasons[why] or 0) + 1
  end
  number = number + 1
end
for why, times in pairs(reasons) do
  print(("%5d  refused: %s"):format(times, why))
end
print(("ports: %d scripts from seed %d (%d equal, %d refused, %d are no right Python), %d differ"):format(number - seed,
  seed, counts.equal, counts.refused, counts.invalid, differing))
os.exit(differing == 0 and 0 or 1)
