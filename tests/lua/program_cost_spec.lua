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

describe("a step with large temporaries", function()
  local pod = require "moonpod"
  local feed = require "moonpod.models.feed"
  local layers = pod.layers

  local function program(list, x)
    local model = pod.models.sequential(list)
    model:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    model:train_on_batch(x, pod.zeros({ x.shape[1] }, "int32"))
    local _, step = next(feed.functions_of(model))
    return step.list[1].program
  end

  it("has no place for gradients beside logits", function()
    local stats = program({ layers.input { 64 }, layers.dense(32768) }, pod.zeros { 256, 64 }):stats()
    -- 32 MiB each: logits, then gradients, and what is packed of these; twice 8 MiB that are packed of weights
    assert.is_true(stats.arena_bytes < 81 * 2 ^ 20, stats.arena_bytes)
  end)

  it("makes them when they are needed", function()
    local text = program({ layers.input { 1, dtype = "int32" }, layers.embedding(2 ^ 18, 32), layers.flatten(),
      layers.dense(1024), layers.batch_normalization(), layers.dense(10) }, pod.zeros({ 512, 1 }, "int32")):print()
    local zeros = text:find("loop  rows 262144 by 1: ->", 1, true)
    local scatter = text:find("kernel scatter", zeros, true)
    local _, phases = text:sub(zeros, scatter):gsub("\nphase", "")
    assert.equal(1, phases)
  end)
end)
