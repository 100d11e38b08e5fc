local pod = require "moonpod"

describe("the list of chips", function()
  it("has the generations, oldest first and by name", function()
    local names = {}
    for i, chip in ipairs(pod.chips()) do
      names[i] = not chip.based_on and chip.name or nil
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

describe("a chip of one's own", function()
  -- A file of chips; its path.
  local function file_of(text)
    local path = os.tmpname()
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
    finally(function()
      os.remove(path)
    end)
    return path
  end

  local function head(chips, version)
    return ('{"format": "moonpod", "kind": "chips", "version": "%s", "chips": [%s]}'):format(version or "1.0", chips)
  end

  it("stands wherever a generation may, and says whose it is", function()
    local chip = pod.add_chip { name = "v9x", based_on = "v5e", hbm_bytes = 2 ^ 36, hbm_limit_bytes = 63 * 2 ^ 30,
      bf16_flops = 6e14, pod_shape = { 32, 32 } }
    assert.equal(chip, pod.chips "v9x")
    assert.equal(chip, pod.chips()[#pod.chips()])
    assert.same({ 2 ^ 36, 6e14, 1024, "v5e", 128 }, { chip.hbm_bytes, chip.bf16_flops, chip.pod_chips, chip.based_on,
      chip.mxu_size })
    assert.is_nil(chip.int8_ops) -- of a peak that is not the base's nothing else is taken from there
    assert.matches("\nv9x: v9x, a chip of its user's %(rules of v5e%); its numbers are as they were given$",
      tostring(pod.chips()))
    assert.equal("8x16", pod.topology("v9x-128").topology)
    assert.equal(8, pod.cluster.resolve({ version = "v9x", topology = "2x4" }):num_replicas())
    local row = pod.cluster.resolve("v9x-8"):device_table()[8]
    assert.equal(2 ^ 36, row.memory_bytes)
    assert.equal(pod.padding("bf16[100,3]", { chip = "v5e" }).padded_bytes,
      pod.padding("bf16[100,3]", { chip = "v9x" }).padded_bytes)
    assert.equal(#pod.op_rules "v5e", #pod.op_rules "v9x")
    assert.equal(chip, pod.add_chip { name = "v9x", based_on = "v5e", hbm_bytes = 2 ^ 36,
      hbm_limit_bytes = 63 * 2 ^ 30, bf16_flops = 6e14, pod_shape = { 32, 32 } }) -- once more is no other
  end)

  it("with a generation's own numbers gives that one's reports, but for the name", function()
    local given = { name = "v5z", based_on = "v5e" }
    for name, value in pairs(pod.chips "v5e") do
      given[name] = given[name] or value
    end
    given.torus_rank, given.chips_per_host, given.product = nil, nil, nil
    pod.add_chip(given)
    local model = pod.models.sequential {
      pod.layers.conv2d(8, 3, { activation = "relu", input_shape = { 28, 28, 1 } }),
      pod.layers.flatten(), pod.layers.dense(300, { activation = "relu" }), pod.layers.dense(10),
    }
    model:compile { optimizer = "adam", loss = "mse" }
    local function texts(chip)
      local report = model:memory_report(chip, { batch = 512 })
      local all = table.concat({ tostring(report), report:viewer(), report:svg(), report:html(),
        tostring(model:check_tpu(chip)), tostring(pod.advisor.whatif(model, { chip = chip, batch = { 128, 1024 } })),
      }, "\n")
      return (all:gsub("v5z, a chip of its user's %(rules of v5e%)", "TPU v5e")
        :gsub("v5z, a chip of its user&#39;s %(rules of v5e%)", "TPU v5e"):gsub("v5z", "v5e"))
    end
    local theirs, own = texts "v5e", texts "v5z"
    assert.is_true(#theirs > 10000)
    assert.is_true(theirs == own)
    assert.matches("on a core of v5z, a chip of its user's %(rules of v5e%)", tostring(model:memory_report("v5z",
      { batch = 512 })))
  end)

  it("with less memory fits less", function()
    pod.add_chip { name = "v5tiny", based_on = "v5e", hbm_bytes = 2 ^ 27, hbm_limit_bytes = 2 ^ 26,
      vmem_bytes = 2 ^ 24 }
    local model = pod.models.sequential { pod.layers.dense(4096, { input_shape = { 4096 } }) }
    model:compile { optimizer = "adam", loss = "mse" }
    assert.equal("fits", model:memory_report("v5e", { batch = 64 }).verdict)
    local report = model:memory_report("v5tiny", { batch = 64 })
    assert.equal("does_not_fit", report.verdict)
    assert.equal(2 ^ 26, report.limit_bytes)
    assert.equal(0, report.on_chip_bytes) -- kernels keep all of so small a VMEM
    local rows = pod.advisor.whatif(model, { chip = { "v5e", "v5tiny" }, batch = { 32, 64 } })
    assert.same({ "v5e", "v5e", "v5tiny", "v5tiny" }, { rows[1].chip, rows[2].chip, rows[3].chip, rows[4].chip })
    assert.matches("on v5e, v5tiny\nchip +batch.*\nv5tiny +64 .* does not fit", tostring(rows))
    assert.error_matches(function() pod.advisor.whatif(model, { chip = {}, batch = { 1 } }) end, "without a chip")
  end)

  it("is refused where no chip could be so, and what is missing is named", function()
    local function refused(fields, message)
      fields.name, fields.based_on = fields.name or "v9q", fields.based_on or "v5e"
      assert.error_matches(function() pod.add_chip(fields) end, message)
      assert.error_matches(function() pod.chips "v9q" end, "no TPU generation")
    end
    assert.error_matches(function() pod.add_chip {} end, "name is missing")
    assert.error_matches(function() pod.add_chip { name = "v9q" } end, "based_on is missing")
    assert.error_matches(function() pod.add_chip "x.json" end, "must be a table")
    refused({ based_on = "v11" }, "no generation 'v11'")
    refused({ name = "v3" }, "that of a generation")
    refused({ name = "V9-8" }, "name must be a letter")
    refused({ name = "v9x", cores = 2 }, "a chip 'v9x' already")
    refused({ hbm = 1 }, "unknown option 'hbm'")
    refused({ hbm_bytes = 2 ^ 40 }, "hbm_limit_bytes is missing")
    refused({ hbm_bytes = 2 ^ 34, hbm_limit_bytes = 2 ^ 35 }, "hbm_limit_bytes must be")
    refused({ hbm_bytes = 2.5 ^ 30, hbm_limit_bytes = 1 }, "hbm_bytes must be an integer")
    refused({ hbm_limit_bytes = -1 }, "hbm_limit_bytes must be")
    refused({ bf16_flops = 0 / 0 }, "bf16_flops must be")
    refused({ bf16_flops = math.huge }, "bf16_flops must be")
    refused({ hbm_bytes_per_second = 0 }, "hbm_bytes_per_second must be")
    refused({ cores = 2 ^ 40 }, "cores")
    refused({ cores = 3, devices = 2 }, "devices must be 1")
    refused({ lanes = 256 }, "lanes must be 128")
    refused({ pod_shape = { 3, 3 } }, "pod_shape must be")
    refused({ pod_shape = { 4 } }, "pod_shape must be")
    refused({ pod_shape = { 16, 16 }, pod_chips = 257 }, "pod_chips must be")
    refused({ host_shape = { 2, 2, 2 } }, "as many sizes")
    refused({ product = ("x"):rep(41) }, "product")
  end)

  it("comes from a file, all of it or nothing", function()
    local path = file_of(head [[{"name": "v8a", "based_on": "v6e", "vmem_bytes": 67108864},
      {"name": "v8b", "based_on": "v4", "product": "TPU v8 (planned)"}]])
    local list = pod.add_chips(path)
    assert.same({ "v8a", "v8b", 2 ^ 26 }, { list[1].name, list[2].name, list[1].vmem_bytes })
    assert.equal("TPU v8 (planned), a chip of its user's (rules of v4)", pod.chips("v8b").product)
    local function refused(text, message)
      assert.error_matches(function() pod.add_chips(file_of(text)) end, message)
      assert.error_matches(function() pod.chips "v8q" end, "no TPU generation")
    end
    refused("", "a value is missing")
    refused("[]", "it must be an object, not an array")
    refused('{"chips": []}', "no file of chips")
    refused(head("", "2.0"), "version 2.0")
    refused(head("", "x"), "no version")
    refused(head '{"name": "v8q", "based_on": "v5e"}, {"name": "v8r"}', "based_on is missing")
    refused(head '{"name": "v8q", "based_on": "v5e"}, 3', "'chips.2' must be an object")
    refused(head '{"name": "v8q", "based_on": "v5e", "rows": 3}', "unknown option 'rows'")
    refused(head '{"name": "v8q", "based_on": "v5e"}, {"name": "v8q", "based_on": "v4"}', "a chip 'v8q' already")
    refused('{"format": "moonpod", "kind": "chips", "version": "1.0", "chips": {"a": 1}}', "'chips' must be an array")
    refused((" "):rep(2 ^ 20 + 1), "at most 1048576 bytes")
    assert.error_matches(function() pod.add_chips "/nowhere/x.json" end, "cannot be read")
    pod.add_chips(file_of(head('{"name": "v8n", "based_on": "v5e", "rows": 3}', "1.7")))
    assert.equal("v5e", pod.chips("v8n").based_on)
  end)
end)
