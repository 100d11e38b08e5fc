-- pod.advise { exact = } and --exact: what an installed compiler of TPUs says. The plugin of tests stands for it
-- (tests/tools/pjrt_plugin.c); libtpu itself is asked by ./dev test --long exact where it is installed.

local pod = require "moonpod"

local build = os.getenv "MOONPOD_BUILD"
local plugin = build and build .. "/tests/pjrt_plugin.so"
local ADD = [[
module @jit_f {
  func.func public @main(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.add %a, %a : tensor<1024x1024xf32>
    return %0 : tensor<1024x1024xf32>
  }
}
]]

describe("advise { exact }", function()
  local path
  setup(function()
    path = os.tmpname()
    local handle = assert(io.open(path, "w"))
    handle:write(ADD)
    handle:close()
  end)
  teardown(function()
    os.remove(path)
  end)

  local function advise(options)
    options.exact = options.exact or plugin
    return pod.advise(path, options)
  end

  it("has the compiler's totals and verdict beside the plan's", function()
    local memory = advise({ chip = "v5e" }).memory
    assert.equal("fits", memory.verdict)
    assert.equal(#ADD, memory.argument_bytes)
    assert.equal(1, memory.alias_bytes)
    assert.equal("compiler of tests", memory.compiled.version)
    assert.equal("v5e:2x2", memory.compiled.topology)
    local text = tostring(memory)
    assert.truthy(text:find("so its compiler says (compiler of tests, PJRT 0.90); the plan needs", 1, true), text)
    assert.truthy(text:find("planned 4.00M", 1, true), text)
  end)

  it("names slices as the compiler does", function()
    for chip, topology in pairs { v3 = "v3:2x2", v4 = "v4:2x2x1", v5p = "v5:2x2x1", v6e = "v6e:2x2",
      v7x = "tpu7x:2x2x1", ["v5e-16"] = "v5e:4x4", ["v4:2x2x4"] = "v4:2x2x4" } do
      assert.equal(topology, advise({ chip = chip }).memory.compiled.topology)
    end
  end)

  it("says what is wrong with the compiler", function()
    assert.error_matches(function() advise { exact = "/nowhere/libtpu.so" } end,
      "the compiler gave no answer for v3:2x2: the plugin cannot be loaded")
    assert.error_matches(function() advise { exact = 7 } end, "exact")
  end)

  it("loads nothing for a script in a sandbox", function()
    local folder = path .. ".folder"
    assert(os.execute(("mkdir %s && cp %s %s && cp %s %s"):format(folder, path, folder, plugin, folder)))
    local box = pod.sandbox.new { files = folder }
    assert.error_matches(function()
      box:run(([[return pod.advise(%q, { exact = "pjrt_plugin.so" })]]):format(path:match "[^/]+$"))
    end, "a sandbox may load no compiler")
    os.execute("rm -r " .. folder)
  end)
end)
