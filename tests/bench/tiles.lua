-- What is left of a training step when AMX's tiles are free: `./dev bench tiles [w1 w2 ...] [--precision bf16|fp32]
-- [--seconds N]`.
--
--   tiles.lua HERE BUILD [w1 w2 w3 w4] [--precision bf16|fp32] [--seconds N]
--
-- BUILD is one with MOONPOD_TILES=free: it has the packing, epilogues, updates, loops and waiting of AMX machines, and
-- tiles whose loads and products cost nothing and whose sums are a pattern (free_tiles.h says what that leaves out). So
-- the time of a step here is a lower bound of what it takes there besides products. It is no measurement of AMX, and
-- what it trains is nonsense.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local instructions = require "instructions"
local quote, capture, number_in = tools.quote, tools.capture, tools.number_in

local REPLICAS = 8
local SMALLEST_SHARE = 0.01 -- of the step; smaller products are added up, other rows below half of it left out

local names, precisions, seconds = {}, { "bf16", "fp32" }, 4
local at = 3
while arg[at] do
  local word, value = arg[at], arg[at + 1]
  if word == "--seconds" then
    seconds, at = tools.whole_number(word, value), at + 1
  elseif word == "--precision" and (value == "bf16" or value == "fp32") then
    precisions, at = { value }, at + 1
  elseif word:match "^w[1234]$" then
    names[#names + 1] = word
  else
    tools.fail("unknown argument '%s'; there are w1, w2, w3, w4, --precision bf16 or fp32, and --seconds N", word)
  end
  at = at + 1
end
if #names == 0 then
  names = { "w1", "w2", "w3", "w4" }
end

for _, name in ipairs(names) do
  for _, precision in ipairs(precisions) do
    local text = capture(("%s %s %s %s %d %d times"):format(quote(build .. "/moonpod"), quote(here .. "/workloads.lua"),
      name, precision, REPLICAS, seconds))
    if instructions.text_in(text, "isa") ~= "amx" then
      tools.fail("this needs a CPU with AVX-512 BF16, and runs with free tiles: "
        .. "MOONPOD_ISA must not name another family")
    end
    local rows, sum = instructions.read(text)
    print(("%s %s: %.3f ms a step are left where tiles are free; microseconds a thread:"):format(name, precision,
      number_in(text, "step_ms")))
    for _, row in ipairs(instructions.join(rows, SMALLEST_SHARE * sum)) do
      if row.nanoseconds >= SMALLEST_SHARE / 2 * sum then
        print(("  %9.1f  %s%s"):format(row.nanoseconds / 2e3, row.label,
          row.count > 1 and (" (%d)"):format(row.count) or ""))
      end
    end
  end
end
