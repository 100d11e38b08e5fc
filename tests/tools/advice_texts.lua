-- Prints what is said of each StableHLO file for each TPU generation, with its remedies: to be compared before and
-- after a change that may alter no plan.
--   moonpod tests/tools/advice_texts.lua FILE.mlir ... > after.txt; diff before.txt after.txt

local pod = require "moonpod"
local chips = require "moonpod.tpu.chips"

for _, path in ipairs(arg) do
  for _, chip in ipairs(chips.names()) do
    local ok, advice = pcall(pod.advise, path, { chip = chip })
    print(path, chip, ok and tostring(advice) .. "\n" .. tostring(advice:remedies()) or advice)
  end
end
