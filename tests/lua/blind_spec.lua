-- How ./dev bench blind judges predictions, on made-up numbers.

local judge = require "tests.bench.blind_judge"
local times_judge = require "tests.bench.times_judge"

local GB = 1e9

local function prediction(program, chip, need, verdict, more)
  local made = { program = program, chip = chip, kind = "loop", need = need * GB, limit = 16 * GB, margin = 0.1,
    verdict = verdict, named = 0 }
  for key, value in pairs(more or {}) do
    made[key] = value
  end
  return made
end

local function answer(program, chip, need, fits, temporaries)
  return { program = program, chip = chip, need = need * GB, fits = fits, temporaries = (temporaries or 0) * GB }
end

describe("the judge of blind predictions", function()
  it("calls a verdict wrong that the compiler refutes, in either direction, and never one that is not given", function()
    local found = judge.figures({ prediction("a", "v3", 10, "fits"), prediction("b", "v3", 20, "does_not_fit"),
      prediction("c", "v3", 10, "cannot_say"), prediction("d", "v3", 10, "fits") },
      { answer("a", "v3", 18, false), answer("b", "v3", 15, true), answer("c", "v3", 18, false),
        answer("d", "v3", 10, true) })
    assert.same({ "a on v3: fits", "b on v3: does_not_fit" }, found.total.wrong)
  end)

  it("counts what is too close, and apart where the true need is outside 90 to 110 % of the limit", function()
    local found = judge.figures({ prediction("a", "v3", 15, "cannot_say"), prediction("b", "v3", 15, "cannot_say"),
      prediction("c", "v3", 8, "fits"), prediction("d", "v3", 18, "cannot_say") },
      { answer("a", "v3", 15.9, true), answer("b", "v3", 14.3, true), answer("c", "v3", 8, true),
        answer("d", "v3", 17.7, false) })
    assert.same({ 4, 3, 3, 2 }, { found.total.all, found.total.close, found.total.outside,
      found.total.close_outside })
  end)

  it("holds a miss to the margin of the need that was printed, and to 5 % or 4 MB of the true one", function()
    local found = judge.figures({ prediction("a", "v3", 10, "fits"), prediction("b", "v3", 10, "fits"),
      prediction("c", "v3", 10, "fits"), prediction("d", "v5e", 0.002, "fits") },
      { answer("a", "v3", 9.6, true), answer("b", "v3", 10.9, true), answer("c", "v3", 11.1, true),
        answer("d", "v5e", 0.005, true) })
    assert.same({ 2, 1 }, { found.chips.v3.inside, found.chips.v3.met })
    assert.same({ 0, 1 }, { found.chips.v5e.inside, found.chips.v5e.met })
    assert.equal(4, found.kinds.loop.all)
  end)

  it("holds needs that are less than predicted to a margin of their own", function()
    local found = judge.figures({ prediction("a", "v3", 10, "fits", { below = 0.3 }),
      prediction("b", "v3", 10, "fits", { below = 0.3 }), prediction("c", "v3", 10, "fits", { below = 0.3 }) },
      { answer("a", "v3", 7.1, true), answer("b", "v3", 6.9, true), answer("c", "v3", 12, true) })
    assert.equal(1, found.total.inside)
  end)

  it("counts needs above the limit apart, as a compiler may make these fit", function()
    local found = judge.figures({ prediction("a", "v3", 20, "cannot_say"), prediction("b", "v3", 20, "cannot_say") },
      { answer("a", "v3", 15, true), answer("b", "v3", 20.5, false) })
    assert.same({ 2, 1, 1 }, { found.total.pressed, found.total.pressed_inside, found.total.inside })
  end)

  it("takes bytes with a name of the compiler's temporaries, in loops alone and no more than all", function()
    local found = judge.figures({ prediction("a", "v3", 10, "fits", { named = 4 * GB }),
      prediction("b", "v3", 10, "fits", { named = 9 * GB }),
      prediction("c", "v3", 10, "fits", { named = 0, kind = "training" }) },
      { answer("a", "v3", 10, true, 8), answer("b", "v3", 10, true, 8), answer("c", "v3", 10, true, 8) })
    assert.same({ 0.75, 0.5, "a on v3" }, { found.named.total, found.named.least, found.named.least_program })
  end)

  it("tells what has no answer, and answers without a figure", function()
    local found = judge.figures({ prediction("a", "v3", 10, "fits"), prediction("b", "v3", 10, "fits") },
      { answer("a", "v3", 0, true) })
    assert.same({ 1, 1, 0 }, { found.unasked, found.total.all, found.total.asked })
    local text = judge.text(found)
    assert.matches("1 predictions have no answer yet", text, 1, true)
    assert.matches("1 answers have no figure", text, 1, true)
    assert.equal(0, #found.total.wrong)
  end)
end)

describe("the misses of blind predictions", function()
  it("are those that are not near, the worst first, with a sign where the margin did not hold", function()
    local text = judge.misses({ prediction("near", "v3", 10, "fits"), prediction("inside", "v3", 10, "fits"),
      prediction("beyond", "v3", 10, "cannot_say", { cause = "a scan" }), prediction("unasked", "v3", 10, "fits") },
      { answer("near", "v3", 9.6, true), answer("inside", "v3", 10.9, true), answer("beyond", "v3", 20, false) })
    local first, second, more = text:match "^([^\n]*)\n([^\n]*)(.*)$"
    assert.equal("", more)
    assert.matches("^beyond +v3 +10.00 +20.00 GB +0.50  margin 0.10!  cannot_say: a scan$", first)
    assert.matches("^inside +v3 +10.00 +10.90 GB +0.92  margin 0.10   fits$", second)
  end)
end)

describe("the judge of projections", function()
  local function estimate(more)
    local made = { program = "a", kind = "training", chip = "v5e", cycles = 1000, kernels = 3, without = 1, loops = 0,
      flops = 100, bytes = 200, longest = "10:500 20:300 30:200" }
    for key, value in pairs(more or {}) do
      made[key] = value
    end
    return made
  end

  -- A projection at 1 cycle a second whose kernels are { line, seconds, times }.
  local function projection(list, more)
    local kernels, seconds, turn = {}, 0, 0
    for i, one in ipairs(list) do
      kernels[i] = { location = "p.mlir:" .. one[1], estimated_seconds = one[2], times = one[3] or 1 }
      seconds, turn = seconds + one[2], turn + one[2] / (one[3] or 1)
    end
    local made = { cycles_per_second = 1, kernels = kernels,
      estimated = { seconds = seconds, turn_seconds = turn, turn_flops = 100, turn_bytes = 200 } }
    for key, value in pairs(more or {}) do
      made[key] = value
    end
    return made
  end

  it("holds times to 20 %, FLOPs and bytes to 5 %", function()
    local good = times_judge.row(estimate(), projection { { 10, 600 }, { 20, 350 }, { 30, 249 } })
    local slow = times_judge.row(estimate(), projection({ { 10, 600 }, { 20, 400 }, { 30, 201 } },
      { estimated = { seconds = 1201, turn_seconds = 1201, turn_flops = 106, turn_bytes = 189 } }))
    local unknown = times_judge.row(estimate(), { not_known = "a sort" })
    local known = times_judge.row(estimate(), { not_known = "a loop", known = projection { { 10, 1200 } } })
    assert.same({ 1.2, 1 }, { known.time, known.flops })
    local sums = times_judge.figures { good, slow, unknown }
    assert.same({ 3, 2, 1, 1, 1 }, { sums.all, sums.known, sums.time, sums.flops, sums.bytes })
    assert.matches("a sort", times_judge.text { unknown })
  end)

  it("takes one turn of loops whose turns the compiler does not tell", function()
    local looping = { { 10, 5000, 10 }, { 20, 300 }, { 30, 200 } }
    assert.equal(1, times_judge.row(estimate { loops = 1 }, projection(looping)).time)
    assert.equal(5.5, times_judge.row(estimate(), projection(looping)).time)
  end)

  it("finds kernels by their lines, and their order where estimates are apart", function()
    local function row(list, more)
      return times_judge.row(estimate(more), projection(list))
    end
    assert.is_true(row({ { 12, 500 }, { 20, 300 }, { 29, 200 } }).ordered) -- a line of the same fusion
    assert.is_false(row({ { 10, 300 }, { 20, 500 }, { 30, 200 } }).ordered)
    local near = row({ { 10, 500 }, { 20, 300 }, { 30, 310 } }, { longest = "10:500 20:300 30:299" })
    assert.same({ true, false }, { near.ordered, near.strict })
    assert.is_false(row({ { 10, 500 }, { 20, 300 }, { 30, 310 } }, { longest = "10:500 20:300 30:270" }).ordered)
    local missing = row({ { 10, 500 }, { 20, 300 } })
    assert.same({ 2, 3, false }, { missing.found, missing.longest, missing.ordered })
  end)
end)
