-- The training steps of the examples by compilers of devices that are not here: MOONPOD_LIBTPU names libtpu.so,
-- MOONPOD_CUDA XLA's plugin for CUDA; what is not named is skipped. The examples run on XLA's plugin for CPUs, behind a
-- proxy that keeps each program's text (tests/tools/pjrt_proxy.c); the longest is that of the step.

local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local examples = require "tests.lua.support.plugin_examples"
local files = require "tests.lua.support.files"
local plugin = require "tests.lua.support.plugin"

local proxy = (os.getenv "MOONPOD_BUILD" or "build/release") .. "/tests/pjrt_proxy.so"

local TPUS = { "v2:2x2", "v3:2x2", "v4:2x2x1", "v5e:2x2", "v5:2x2x1", "v6e:2x2", "tpu7x:2x2x1" } -- v5: of v5p

-- The longest text of an example's programs.
local function step_of(example)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir '%s'"):format(folder)))
  examples.steps(example, proxy, ("MOONPOD_TEST_DEVICES=1 MOONPOD_TEST_RECORD='%s'"):format(folder))
  local longest, pipe = "", io.popen(("ls '%s'/*.mlir"):format(folder))
  for path in pipe:lines() do
    local text = files.read(path)
    longest = #text > #longest and text or longest
  end
  pipe:close()
  os.execute(("rm -r '%s'"):format(folder))
  return longest
end

describe("the training step of", function()
  local compilers = {}
  if os.getenv "MOONPOD_LIBTPU" then
    for _, topology in ipairs(TPUS) do
      compilers[#compilers + 1] = { os.getenv "MOONPOD_LIBTPU", topology, topology }
    end
  end
  if os.getenv "MOONPOD_CUDA" then
    compilers[#compilers + 1] = { os.getenv "MOONPOD_CUDA", files.read "tests/tools/h100.txtpb", "H100" }
  end
  if not os.getenv "MOONPOD_LONG" or #compilers == 0 or not plugin.is_there() then
    return it("the examples is compiled", function()
      pending "MOONPOD_LIBTPU and MOONPOD_CUDA name no compiler, or the test is not a long one"
    end)
  end

  for _, list in ipairs { examples.daily, examples.long } do
    for _, example in ipairs(list) do
      it(example:match "^%S+" .. " is compiled", function()
        local text = step_of(example)
        for _, compiler in ipairs(compilers) do
          local ok, memory = pcall(core.compiled_memory, device.context(), compiler[1], compiler[2], text,
            { seconds = 7200 })
          assert(ok, compiler[3] .. ": " .. tostring(memory))
          assert(memory.fits, compiler[3])
        end
      end)
    end
  end

  teardown(examples.clean)
end)
