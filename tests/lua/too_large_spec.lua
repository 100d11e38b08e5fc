-- Programs of others that do not fit a v5e (the set `too_large` of tests/golden/tpu_blind.tar.xz): the first remedy
-- makes each fit by the plan, and with --long by the compiler that MOONPOD_PJRT_PLUGIN names.

local pod = require "moonpod"

local ARCHIVE = "tests/golden/tpu_blind.tar.xz"

-- What is offered first, and the least batch or number of devices of it that is no fault.
local PROGRAMS = {
  large_decode = { kind = "donation_and_batch", batch = 16 },
  large_dlrm = { kind = "batch", batch = 80000 },
  large_fsdp_on_2 = { kind = "devices", devices = 8 },
  large_gpt2 = { kind = "batch", batch = 8 },
  large_lora = { kind = "batch", batch = 8 },
  large_moe = { kind = "batch", batch = 8 },
  large_resnet50 = { kind = "batch", batch = 128 },
  large_scan_plain = { kind = "batch", batch = 1 },
  large_unet_one_hot = { kind = "batch", batch = 8 },
  large_vit_1024 = { kind = "batch", batch = 128 },
}

describe("programs that are too large", function()
  local folder
  setup(function()
    local pipe = assert(io.popen "mktemp -d")
    folder = pipe:read "l"
    pipe:close()
    local names = {}
    for name in pairs(PROGRAMS) do
      names[#names + 1] = name .. ".mlir"
    end
    assert.is_true((os.execute(("tar -xf '%s' -C '%s' %s"):format(ARCHIVE, folder, table.concat(names, " ")))))
  end)
  teardown(function()
    os.execute(("rm -r '%s'"):format(folder))
  end)

  it("are told to keep the places of experts in step where no batch fits else", function()
    pod.add_chip { name = "vfew", based_on = "v5e", hbm_bytes = 2 ^ 33, hbm_limit_bytes = 7 * 2 ^ 30 }
    local list = pod.advise(folder .. "/large_moe.mlir", { chip = "vfew" }):remedies()
    assert.equal("fits", list[1].verdict)
    assert.truthy(list.note:find("the places of experts", 1, true))
  end)

  for name, expected in pairs(PROGRAMS) do
    it("fit with the first remedy: " .. name, function()
      local advice = pod.advise(("%s/%s.mlir"):format(folder, name), { chip = "v5e" })
      assert.not_equal("fits", advice.verdict)
      local first = advice:remedies()[1]
      assert.equal(expected.kind, first.kind)
      assert.equal("fits", first.verdict)
      assert.is_true((first.batch or 0) >= (expected.batch or 0))
      assert.equal(expected.devices, first.devices)
      -- what is written has what was planned
      local path = ("%s/%s.remedy.mlir"):format(folder, name)
      local handle = assert(io.open(path, "w"))
      handle:write(advice:remedy_program(1))
      handle:close()
      local plugin = os.getenv "MOONPOD_LONG" and os.getenv "MOONPOD_PJRT_PLUGIN"
      local again = pod.advise(path, { chip = "v5e", exact = plugin or nil })
      if plugin then
        print(("# %s: %s: planned %d, compiled %d"):format(name, first.title, first.need_bytes,
          again.memory.need_bytes))
      else
        assert.equal(first.need_bytes, again.memory.need_bytes)
      end
      assert.equal("fits", again.verdict)
    end)
  end
end)
