local pod = require "moonpod"

describe("a topology", function()
  it("has chips, cores, devices and hosts", function()
    local t = pod.topology "v3-32"
    assert.same({ "v3-32", "v3", "4x4", 16, 32, 32, 4, 4 }, { t.name, t.generation, t.topology,
      t.num_chips, t.num_cores, t.num_devices, t.num_hosts, t.chips_per_host })
    assert.same({ 4, 4 }, t.shape)
    assert.equal(512 * 2 ^ 30, t.hbm_bytes)
    local same = pod.topology { version = "v3", topology = "4x4" }
    assert.equal("v3-32", same.name)
    assert.equal("v4-512", pod.topology("v4:4x4x16").name)
    assert.same({ 4, 8, 8 }, pod.topology("v4-512").shape)
  end)

  it("says how long exchanges take", function()
    local seconds = 2 * 1e9 * 3 / 4 / (2 * 1e11 * 0.655)
    assert.equal(seconds, pod.topology("v3-8"):exchange_seconds("all_reduce", 1e9))
    assert.equal(seconds / 2, pod.topology("v3-8"):exchange_seconds("all_gather", 1e9))
    assert.equal(0, pod.topology("v3-8"):exchange_seconds("all_gather", 1e9, 2))
    -- rings have twice the links to each chip
    assert.equal(seconds / 2, pod.topology("v3-8", { wrap = true }):exchange_seconds("all_reduce", 1e9))
    assert.has_error(function() pod.topology("v3-8"):exchange_seconds("all", 1e9) end)
    assert.has_error(function() pod.topology("v3-8"):exchange_seconds("all_reduce", 1e9, 9) end)
  end)

  it("wraps by its generation's rule, or as told", function()
    local mesh, torus = pod.topology "v3-32", pod.topology("v3-32", { wrap = true })
    assert.same({ 4, 6 }, { mesh.bisection_links, mesh.diameter })
    assert.same({ 8, 4 }, { torus.bisection_links, torus.diameter })
    assert.same({ false, true }, pod.topology("v5e-128").wraps)
    assert.same({ true, true, true }, pod.topology("v4-128").wraps)
    assert.same({ false, false, false }, pod.topology("v4-64").wraps)
    assert.is_true(pod.topology("v4-256").can_twist)
    assert.equal(6.4e12, pod.topology("v3-2048").bisection_bytes_per_second)
  end)

  it("knows neighbours, hops and places", function()
    local mesh, torus = pod.topology "v3-32", pod.topology("v3-32", { wrap = true })
    assert.same({ 1, 4 }, mesh:neighbours(0))
    assert.same({ 1, 3, 4, 12 }, torus:neighbours(0))
    assert.same({ 1, 4, 6, 9 }, mesh:neighbors(5))
    assert.same({ 6, 2 }, { mesh:hops(0, 15), torus:hops(0, 15) })
    assert.same({ 1, 2 }, mesh:coordinates(9))
    assert.equal(9, mesh:chip_at { 1, 2 })
    assert.equal(6, #pod.topology("v4-128"):neighbours(0))
    assert.same({}, pod.topology("v5e-1"):neighbours(0))
    assert.error_matches(function() mesh:neighbours(16) end, "a chip of v3%-32 is 16; it must be from 0 to 15")
    assert.error_matches(function() mesh:hops(0, -1) end, "from 0 to 15")
    assert.error_matches(function() mesh:chip_at { 1, 4 } end, "place 2 must be an integer from 0 to 3")
  end)

  it("draws itself", function()
    assert.equal(table.concat({
      "v3-8: 2x2 chips, 8 cores, 8 devices, 1 host of 4 chips",
      "a mesh: no axis wraps around; bisection 2 links (200.0 GB/s one way), diameter 2 hops; HBM 128.00G",
      "   0──1",
      "   │  │",
      "   2──3",
    }, "\n"), tostring(pod.topology "v3-8"))
    assert.matches("  ╌12──13──14──15╌\n   ╎   ╎   ╎   ╎", pod.topology("v3-32", { wrap = true }):draw())
    assert.matches("plane 1 of 2\n   4──5", pod.topology("v4-16"):draw())
    for line in tostring(pod.topology "v3-2048"):gmatch "[^\n]+" do
      assert.is_true(#line:gsub("[\128-\191]", "") <= 110)
    end
  end)

  it("loses a link of a ring", function()
    local torus = pod.topology("v3-32", { wrap = true })
    local cut = torus:cut(1, 2)
    assert.equal(table.concat({
      "   ╎   ╎   ╎   ╎",
      "  ╌0───1   2───3 ╌",
      "   │   │   │   │",
      "  ╌4───5───6───7 ╌",
    }, "\n"), cut:draw():match "^[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*")
    assert.matches("y wraps around", tostring(cut))
    -- three of four links of a chip are left to a sum, which needs 4 / 3 of the time
    local whole = torus:exchange_seconds("all_reduce", 1e9)
    assert.near(whole * 4 / 3, cut:exchange_seconds("all_reduce", 1e9), 1e-9)
    local twice = cut:cut(12, 0)
    assert.near(whole * 2, twice:exchange_seconds("all_reduce", 1e9), 1e-9)
    assert.matches("^       ╎   ╎   ╎\n", twice:draw())
    assert.same({ true, true }, torus.wraps)
    assert.error_matches(function() torus:cut(0, 5) end, "no link goes from chip 0 to chip 5 of v3%-32")
    assert.error_matches(function() torus:cut(0, 0) end, "no link")
    assert.error_matches(function() cut:cut(1, 2) end, "no link goes from chip 1 to chip 2")
    assert.error_matches(function() cut:cut(5, 6) end, "axis 1 of v3%-32 is a line")
    assert.error_matches(function() pod.topology("v3-8"):cut(0, 1) end, "is a line, by which nothing could pass")
    assert.error_matches(function() torus:cut(0, 99) end, "from 0 to 15")
  end)

  it("refuses what does not exist, with the nearest that do", function()
    assert.error_matches(function() pod.topology "v3-9" end, "no v3%-9.*v3%-8 %(2x2%), v3%-32 %(4x4%)")
    assert.error_matches(function() pod.topology "v3:3x3" end, "nearest are 2x2")
    assert.error_matches(function() pod.topology "v12-8" end, "no TPU generation 'v12'")
    assert.error_matches(function() pod.topology "v3-x" end, "no topology")
    assert.error_matches(function() pod.topology() end, "needs the name of a slice")
    local function refuses(options, message)
      assert.error_matches(function() pod.topology(options) end, message)
    end
    refuses({ version = "v3", topology = "2x2 junk" }, "'2x2 junk' is no topology")
    refuses({ version = "v3", topology = "4x4x4" }, "no slice of v3 of 4x4x4 chips; the nearest are .*4x8")
    refuses({ version = "v3-32", topology = "4x4" }, "version is a generation, such as \"v3\", not \"v3%-32\"")
    refuses({ version = "v3" }, "version and topology go together")
    refuses({ name = "v3-8", topology = "4x4" }, "leave topology out")
    refuses({ version = "v3", topology = 4 }, "option 'topology' must be a string")
    assert.error_matches(function() pod.topology("v3-8", { wrap = 1 }) end, "option 'wrap' must be a boolean")
    assert.error_matches(function() pod.topology("v3-8", { warp = true }) end, "did you mean 'wrap'")
  end)
end)
