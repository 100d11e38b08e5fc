local pod = require "moonpod"

describe("the list of chips", function()
  it("has the generations, oldest first and by name", function()
    local names = {}
    for i, chip in ipairs(pod.chips()) do
      names[i] = chip.name
      assert.equal(chip, pod.chips()[chip.name])
      assert.equal(chip, pod.chips(chip.name))
    end
    assert.same({ "v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x" }, names)
    assert.equal("v5e", pod.chips("v5litepod-8").name)
  end)

  it("says what a chip has", function()
    local v3 = pod.chips "v3"
    assert.same({ 2, 2, 2, 128, 123e12 },
      { v3.cores, v3.devices, v3.mxus_per_core, v3.mxu_size, v3.bf16_flops })
    assert.equal(32 * 2 ^ 30, v3.hbm_bytes)
    assert.equal(16 * 2 ^ 30 - 530 * 2 ^ 20, v3.hbm_limit_bytes)
    assert.is_nil(v3.int8_ops)
    assert.equal(1, pod.chips("v4").devices)
    assert.equal(256, pod.chips("v6e").mxu_size)
    assert.equal(394e12, pod.chips("v5e").int8_ops)
    assert.equal("chips", pod.chips("v5e").name_counts)
    assert.same({ 2, 4 }, pod.chips("v6e").host_shape)
  end)

  it("prints", function()
    local text = tostring(pod.chips())
    assert.matches("^chip +cores +devices", text)
    assert.matches("\nv3 +2 +2 +4x128%^2 +123T +32G +15.48G", text)
    assert.matches("slices: v3%-8, v3%-32, v3%-64", tostring(pod.chips "v3"))
    assert.equal(8, #pod.chips("v5e"):slices())
  end)

  it("refuses what does not exist, with what does", function()
    assert.error_matches(function() pod.chips "v9" end, "no TPU generation 'v9'")
    assert.error_matches(function() pod.chips "v3-9" end, "no v3%-9.*v3%-8")
    assert.error_matches(function() pod.chips(3) end, "must be a string")
  end)
end)
