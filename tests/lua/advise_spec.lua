-- pod.advise and the command: StableHLO modules measured for a chip.

local pod = require "moonpod"

local build = os.getenv "MOONPOD_BUILD"
local executable = build and build .. "/moonpod"

local files = {}

-- A file with a text; its path.
local function file(text)
  local path = os.tmpname()
  files[#files + 1] = path
  local handle = assert(io.open(path, "wb"))
  handle:write(text)
  handle:close()
  return path
end

teardown(function()
  for _, path in ipairs(files) do
    os.remove(path)
  end
end)

local STEP = [[
module @jit_step {
  func.func public @main(%w: tensor<512x1000xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<256x512xf32>)
      -> (tensor<512x1000xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<256x512xf32>, tensor<512x1000xf32>) -> tensor<256x1000xf32>
    %1 = stablehlo.tanh %0 : tensor<256x1000xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<256x1000xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.dot_general %x, %1, contracting_dims = [0] x [0]
      : (tensor<256x512xf32>, tensor<256x1000xf32>) -> tensor<512x1000xf32>
    %4 = stablehlo.subtract %w, %3 : tensor<512x1000xf32>
    return %4, %2 : tensor<512x1000xf32>, tensor<f32>
  }
}
]]

describe("advise", function()
  it("measures a module: arguments by the rule of layouts, aliases, temporaries", function()
    local advice = pod.advise(file(STEP), { chip = "v3", cores = 8 })
    local weights = pod.padding("f32[512,1000]").padded_bytes
    assert.equal(weights + pod.padding("f32[256,512]").padded_bytes, advice.memory.argument_bytes)
    assert.equal(weights, advice.memory.alias_bytes)
    -- a scalar, and the table of two results
    assert.equal(weights + 1024 + 1024, advice.memory.output_bytes)
    local need = advice.memory.argument_bytes + advice.memory.output_bytes - advice.memory.alias_bytes
      + advice.memory.temp_bytes
    assert.equal(need, advice.memory.need_bytes)
    assert.equal(pod.chips("v3").hbm_limit_bytes, advice.memory.limit_bytes)
    assert.equal(0, #advice.unknown)
    assert.equal("jit_step", advice.name)
    local text = tostring(advice)
    assert.truthy(text:find("module jit_step, function main, 2 arguments, 2 results", 1, true))
    assert.truthy(text:find("argument w", 1, true))
    assert.truthy(text:find("on each of 8 cores", 1, true))
  end)

  it("takes what is donated without a place by the first result of the same type", function()
    local text = STEP:gsub("tf.aliasing_output = 0 : i32", "jax.buffer_donor = true")
    assert.equal(pod.padding("f32[512,1000]").padded_bytes, pod.advise(file(text)).memory.alias_bytes)
    local plain = pod.advise(file((STEP:gsub(" {tf.aliasing_output = 0 : i32}", ""))))
    assert.equal(0, plain.memory.alias_bytes)
    assert.truthy(tostring(plain):find "no argument is donated")
    local donated = pod.advise(file((STEP:gsub(" {tf.aliasing_output = 0 : i32}", ""))), { donate = true })
    assert.equal(pod.padding("f32[512,1000]").padded_bytes, donated.memory.alias_bytes)
    assert.is_nil(tostring(donated):find "no argument is donated")
  end)

  it("measures what one device has of a module that shard_map divides", function()
    local advice = pod.advise(file [=[
module @jit_f attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["d"=4]>
  func.func public @main(%x: tensor<1024x256xf32>) -> (tensor<1024x256xf32>) {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"d"}, {}]>] out_shardings=[<@mesh, [{"d"}, {}]>]
      manual_axes={"d"} (%a: tensor<256x256xf32>) {
      %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
        : (tensor<256x256xf32>) -> tensor<256x256xf32>
      sdy.return %1 : tensor<256x256xf32>
    } : (tensor<1024x256xf32>) -> tensor<1024x256xf32>
    return %0 : tensor<1024x256xf32>
  }
}
]=])
    assert.equal(256 * 256 * 4, advice.memory.argument_bytes)
    assert.equal(256 * 256 * 4, advice.memory.output_bytes)
    assert.equal(0, #advice.unknown)
    assert.truthy(tostring(advice):find("sizes are those of one device", 1, true))
    assert.truthy(tostring(advice):find("collective_permute", 1, true))
  end)

  it("measures one device's part of arguments that notes divide", function()
    local template = [=[
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  %s
  func.func public @main(%%x: tensor<1024x256xf32> {%s}, %%w: tensor<256x100xbf16> {%s}, %%b: tensor<100xf32>)
      -> (tensor<1024x100xbf16>) {
    %%0 = stablehlo.convert %%x : (tensor<1024x256xf32>) -> tensor<1024x256xbf16>
    %%1 = stablehlo.dot_general %%0, %%w, contracting_dims = [1] x [0]
      : (tensor<1024x256xbf16>, tensor<256x100xbf16>) -> tensor<1024x100xbf16>
    return %%1 : tensor<1024x100xbf16>
  }
}
]=]
    local expected = pod.padding("f32[256,256]").padded_bytes + pod.padding("bf16[256,50]{0,1}").padded_bytes
      + pod.padding("f32[100]").padded_bytes
    for _, notes in ipairs {
      { 'sdy.mesh @mesh = <["d"=4, "m"=2]>', 'sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>',
        'sdy.sharding = #sdy.sharding<@mesh, [{}, {"m", ?}p0]>' },
      { 'sdy.mesh @mesh = <["a"=8]>', 'sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)4}, {}]>',
        'sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(4)2}]>' },
      { "", 'mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"',
        'mhlo.sharding = "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"' },
    } do
      local advice = pod.advise(file(template:format(notes[1], notes[2], notes[3])))
      assert.equal(expected, advice.device_argument_bytes)
      assert.truthy(tostring(advice):find("of the arguments one device has", 1, true))
    end
    local unknown = pod.advise(file(template:format("", 'mhlo.sharding = "{maximal device=1}"',
      'mhlo.sharding = "{replicated}"')))
    assert.is_nil(unknown.device_argument_bytes)
    assert.is_nil(pod.advise(file(STEP)).device_argument_bytes)
  end)

  it("prints findings of one kind together", function()
    local lines = { "module {\n  func.func @main(%x0: tensor<8x128xi64>) -> tensor<8x128xi64> {" }
    for i = 1, 50 do
      lines[#lines + 1] = ("    %%x%d = stablehlo.add %%x%d, %%x0 : tensor<8x128xi64>"):format(i, i - 1)
    end
    lines[#lines + 1] = "    return %x50 : tensor<8x128xi64>\n  }\n}\n"
    local check = pod.advise(file(table.concat(lines, "\n"))).compatibility
    assert.equal(51, #check)
    local text = tostring(check)
    assert.truthy(text:find("parameter, add (51 times) at", 1, true), text)
    assert.truthy(text:find("and 48 other places", 1, true), text)
    assert.truthy(select(2, text:gsub("\n", "\n")) < 6, text)
  end)

  it("names ops that are not known with their lines, and measures the rest", function()
    local advice = pod.advise(file [[
module {
  func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
    %0 = stablehlo.custom_call @my_kernel(%x) : (tensor<8x128xf32>) -> tensor<8x128xf32>
    %1 = stablehlo.add %0, %x : tensor<8x128xf32>
    return %1 : tensor<8x128xf32>
  }
}
]], { chip = "v5e" })
    assert.equal(1, #advice.unknown)
    assert.equal(3, advice.unknown[1].line)
    assert.truthy(advice.unknown[1].name:find "my_kernel")
    assert.equal(4096, advice.memory.argument_bytes)
    assert.truthy(tostring(advice):find(":3:%d+: custom_call @my_kernel"))
  end)

  it("begins messages with file, line and column", function()
    local path = file("module {\n  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      .. "    return %y : tensor<2xf32>\n  }\n}\n")
    local ok, message = pcall(pod.advise, path)
    assert.is_false(ok)
    assert.equal(1, (message:find(path .. ":3:12: ", 1, true)))
    assert.error_matches(function() pod.advise(file "ML\239R\1\2\3") end, "MLIR bytecode")
    assert.error_matches(function() pod.advise "/nowhere/step.mlir" end, "No such file")
    assert.error_matches(function() pod.advise(file(STEP), { chip = "h100" }) end, "no TPU generation 'h100'")
    assert.error_matches(function() pod.advise(file(STEP), { chips = "v3" }) end, "did you mean 'chip'")
    assert.error_matches(function() pod.advise(file(STEP), { cores = 0 }) end, "cores must be")
    assert.error_matches(function() pod.advise(file(STEP), { donate = 1 }) end, "donate must be")
    assert.error_matches(function() pod.advise(3) end, "path")
  end)

  it("has no trouble with any chip", function()
    local path = file(STEP)
    for _, chip in ipairs(pod.chips()) do
      local memory = pod.advise(path, { chip = chip.name }).memory
      assert.equal(chip.hbm_limit_bytes, memory.limit_bytes)
      for _, form in ipairs { "today", "2021", "2026" } do
        assert(#memory:text(form) > 100)
        assert.is_nil(memory:text(form):find "Ran out of memory")
      end
      assert(#memory:viewer() > 100)
    end
  end)
end)

describe("moonpod advise", function()
  -- Runs the command; whether it ended well, and what it printed.
  local function run(words)
    local pipe = io.popen(("'%s' advise %s 2>&1"):format(executable, words))
    local output = pipe:read "a"
    return pipe:close() == true, output
  end
  local test = executable and io.open(executable) and it or pending

  test("prints the same, and draws", function()
    local path, page = file(STEP), os.tmpname()
    local ended, output = run(path .. " --chip v5e --viewer --html " .. page)
    assert(ended, output)
    local plain = tostring(pod.advise(path, { chip = "v5e" }))
    assert.equal(plain, output:sub(1, #plain))
    assert.truthy(output:find "▼ peak")
    assert.truthy(assert(io.open(page)):read("a"):find "^<!DOCTYPE html>")
    os.remove(page)
  end)

  test("fails with a message and a status", function()
    for words, expected in pairs {
      [""] = "which file?", ["/nowhere.mlir"] = "No such file", ["--chip"] = "%-%-chip needs a value",
      ["--chips v3 x"] = "no option %-%-chips", ["a b"] = "one file at a time", ["x --cores many"] = "must be a number",
    } do
      local ended, output = run(words)
      assert.is_false(ended)
      assert.truthy(output:find(expected), output)
      assert.is_nil(output:find "stack traceback")
    end
    local ended, output = run "--help"
    assert.is_true(ended)
    assert.truthy(output:find "usage: moonpod advise")
  end)
end)
