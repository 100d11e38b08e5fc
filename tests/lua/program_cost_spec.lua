-- A guard against steps that become slower unnoticed: what the programs of the workloads cost is counted (see
-- tests/bench/costs.lua), not timed, and held against what it was. Where a change makes them cheaper, put the new
-- figures here; where it makes them dearer, find out why first.

local build = os.getenv "MOONPOD_BUILD"

-- Phases, megabytes read and written by instructions, megabytes of temporaries; kernels of the family avx2.
local BASELINE = {
  ["w1 bf16"] = { 3, 11.7, 3.3 },
  ["w1 fp32"] = { 3, 17.9, 5.4 },
  ["w2 bf16"] = { 3, 114.6, 30.6 },
  ["w2 fp32"] = { 3, 142.5, 40.5 },
  ["w3 bf16"] = { 4, 510.7, 36.8 },
  ["w3 fp32"] = { 4, 973.1, 22.7 },
  ["w4 bf16"] = { 6, 1194.6, 254.5 },
  ["w4 fp32"] = { 6, 1950.1, 313.3 },
}
local SLACK = 1.03

local function costs()
  local command = ("MOONPOD_ISA=avx2 '%s/moonpod' tests/bench/costs.lua 2>&1"):format(build)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  return pipe:close(), text
end

describe("programs of the workloads", function()
  it("cost no more than they did", function()
    local works, text = costs()
    if not works and text:find("avx2", 1, true) then
      pending "this machine has no AVX2"
      return
    end
    assert.is_truthy(works, text)
    local seen = 0
    for name, phases, moved, arena in text:gmatch "(%w+ %w+) phases (%d+) instructions %d+ moved (%d+) arena (%d+)" do
      local limit = assert(BASELINE[name], name)
      local cost = { tonumber(phases), moved / 1e6, arena / 1e6 }
      local form = "%s: %d phases, %.1f MB moved, %.1f MB of temporaries"
      assert.is_true(cost[1] <= limit[1] and cost[2] <= SLACK * limit[2] and cost[3] <= SLACK * limit[3],
        form:format(name, table.unpack(cost)) .. "; " .. form:format("it was", table.unpack(limit)))
      seen = seen + 1
    end
    assert.equal(8, seen)
  end)
end)
