-- What would make programs of JAX faster: a fault that was planted in each is found first, and what is promised is what
-- the program has that JAX writes without it (tests/golden/planted.py).

local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"
local pod = require "moonpod"

local build = os.getenv "MOONPOD_BUILD"

local function advise(name)
  return pod.advise("tests/golden/planted/" .. name .. ".mlir", { chip = "v5e" })
end

local MANY = { steps_per_execution = 100 }

-- The fault, the program, the options, the program without it, and what is to be written. How many steps are started at
-- once and how long input takes is not in a program: it is said.
local PLANTED = {
  { "batch", "odd_batch", MANY, "mended_batch", "^batch_size = 1152 for arg%d+ %(its axis 0%)" },
  { "features", "odd_features", MANY, "clean", "nn%.Dense%(features%)" },
  { "dtype", "float32", MANY, "mended_float32", "jnp%.bfloat16" },
  { "steps", "small", {}, nil, "jax%.lax%.scan%(step, state, batches%)%) over 100 batches" },
  { "input", "clean", { steps_per_execution = 100, input_seconds = 0.01 }, nil, "prefetch_to_device" },
  { "transposes", "transposes", MANY, "mended_transposes", "keep one order of axes.*transposes%.mlir:%d+" },
  { "devices", "replicas", MANY, "mended_replicas",
    '^Mesh%(jax%.devices%(%)%[:1%].* 1 along the axis "data" in the place of 64$' },
}

local function near(expected, value, share, what)
  assert.is_true(math.abs(value - expected) <= share * expected, ("%s: %.6g, not %.6g"):format(what, value, expected))
end

describe("advice on a program of JAX", function()
  it("finds nothing to do where nothing is wrong", function()
    local list = advise("clean"):advice(MANY)
    assert.equal(0, #list, tostring(list))
    assert.truthy(tostring(list):find("nothing that is known would gain a hundredth", 1, true))
  end)

  for _, case in ipairs(PLANTED) do
    local kind, program, options, mended, call = case[1], case[2], case[3], case[4], case[5]
    it("finds what was planted first: " .. kind, function()
      local one = advise(program)
      local list = one:advice(options)
      assert.equal(kind, list[1] and list[1].kind, tostring(list))
      assert.truthy(list[1].call:find(call), list[1].call)
      for i = 2, #list do
        assert.is_true(list[i].gain <= list[i - 1].gain)
      end
      assert.truthy(tostring(list):find(list[1].call, 1, true))
      if mended then
        local without = advise(mended)
        near(without.memory.need_bytes, list[1].need_bytes, 0.05, "memory")
        near(without:projection(options).device_seconds, list[1].time.device_seconds, 0.05, "time")
      end
    end)
  end

  for _, case in ipairs { { "arguments that no result takes over", "donation", "not_donated", "donated",
      "donate_argnums" }, { "labels that are one-hot rows", "one_hot", "one_hot", "mended_one_hot",
      "jax.nn.one_hot(numbers, classes)" } } do
    local what, kind, program, mended, call = case[1], case[2], case[3], case[4], case[5]
    it("finds " .. what .. ", for the memory", function()
      local list, without = advise(program):advice(MANY), advise(mended)
      local found
      for _, one in ipairs(list) do
        found = one.kind == kind and one or found
      end
      near(without.memory.need_bytes, found.need_bytes, 0.05, "memory")
      near(without:projection(MANY).device_seconds, found.time.device_seconds, 0.05, "time")
      assert.truthy(found.call:find(call, 1, true))
      for _, one in ipairs(without:advice(MANY)) do
        assert.is_true(one.kind ~= kind)
      end
    end)
  end

  it("finds all faults of one program", function()
    local one = advise "all"
    local wanted = { "batch", "donation", "dtype", "features", "one_hot", "steps", "transposes" }
    local list = one:advice()
    local kinds = {}
    for i, remedy in ipairs(list) do
      kinds[i] = remedy.kind
      assert.is_true(i == 1 or remedy.gain <= list[i - 1].gain)
    end
    table.sort(kinds)
    assert.same(wanted, kinds)
    assert.equal("input", one:advice({ input_seconds = 1 })[1].kind)
  end)

  it("tells what no file says, until it is said", function()
    local one = advise "clean"
    local text = tostring(one:advice())
    assert.truthy(text:find("no file says how many steps the host starts at once: one", 1, true), text)
    assert.truthy(text:find("no file says how long the input takes: it is there in time", 1, true), text)
    assert.falsy(tostring(one:advice { steps_per_execution = 1, input_seconds = 0 }):find("no file says", 1, true))
  end)

  it("is refused where a mask makes a result without a size, which JAX does not write", function()
    local path = files.with [[
module @jit_step {
func.func public @main(%x: tensor<16x8xf32>, %mask: tensor<16xi1>) -> tensor<?x8xf32> {
  %y = stablehlo.custom_call @boolean_mask(%x, %mask) : (tensor<16x8xf32>, tensor<16xi1>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
}
]]
    assert.error_matches(function() pod.advise(path, { chip = "v5e" }) end, "not static.-multiply by the mask")
    files.remove_given()
  end)

  it("ranks several faults, on other chips too", function()
    for _, chip in ipairs { "v3", "v6e" } do
      local list = pod.advise("tests/golden/planted/float32.mlir", { chip = chip }):advice { input_seconds = 1 }
      assert.equal("input", list[1].kind)
      local kinds = {}
      for _, one in ipairs(list) do
        kinds[one.kind] = true
      end
      assert.is_true(kinds.dtype or list[1].gain > 0.9)
    end
  end)

  it("comes with the command", function()
    if not build then
      return pending "no executable is known"
    end
    local text = executable.shell(("%s/moonpod advise tests/golden/planted/odd_features.mlir --chip v5e --advice")
      :format(build))
    assert.truthy(text:find("sizes of layers that fill tiles (another model): 2100 -> 2048", 1, true), text)
  end)

  it("refuses what means nothing", function()
    assert.has_error(function() advise("clean"):advice { steps = 3 } end)
  end)
end)
