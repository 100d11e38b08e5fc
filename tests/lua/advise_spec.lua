-- pod.advise and the command: StableHLO modules measured for a chip.

local pod = require "moonpod"
local files = require "tests.lua.support.files"
local tables = require "moonpod.base.tables"

local build = os.getenv "MOONPOD_BUILD"
local executable = build and build .. "/moonpod"

local file = files.with

teardown(files.remove_given)

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

-- A loop that writes into a cache, which its result takes over.
local DECODE = [[
module @jit_decode {
  func.func public @main(%cache: tensor<64x8x1048576xbf16> {tf.aliasing_output = 0 : i32},
    %w: tensor<8192x8192xf32>, %x: tensor<8x1048576xbf16>) -> (tensor<64x8x1048576xbf16>, tensor<8192x8192xf32>) {
    %i0 = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %i0, %c = %cache) : tensor<i32>, tensor<64x8x1048576xbf16>
    cond {
      %n = stablehlo.constant dense<64> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.dynamic_slice %c, %i, %i0, %i0, sizes = [1, 8, 1048576]
        : (tensor<64x8x1048576xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x1048576xbf16>
      %3 = stablehlo.reshape %x : (tensor<8x1048576xbf16>) -> tensor<1x8x1048576xbf16>
      %4 = stablehlo.add %2, %3 : tensor<1x8x1048576xbf16>
      %5 = stablehlo.dynamic_update_slice %c, %4, %i, %i0, %i0 : (tensor<64x8x1048576xbf16>,
        tensor<1x8x1048576xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x8x1048576xbf16>
      %6 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %6, %5 : tensor<i32>, tensor<64x8x1048576xbf16>
    }
    %7 = stablehlo.dot_general %w, %w, contracting_dims = [1] x [0]
      : (tensor<8192x8192xf32>, tensor<8192x8192xf32>) -> tensor<8192x8192xf32>
    return %0#1, %7 : tensor<64x8x1048576xbf16>, tensor<8192x8192xf32>
  }
}
]]

-- Arrays that the compiler divides among eight devices.
local DIVIDED = [[
module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]>
  func.func public @main(%w: tensor<32768x32768xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>,
    tf.aliasing_output = 0 : i32}) -> tensor<32768x32768xf32> {
    %0 = stablehlo.dot_general %w, %w, contracting_dims = [1] x [0]
      : (tensor<32768x32768xf32>, tensor<32768x32768xf32>) -> tensor<32768x32768xf32>
    return %0 : tensor<32768x32768xf32>
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
      assert.truthy(tostring(advice):find("on each of 8 devices", 1, true))
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

  it("tells where a copy of an argument is asked for", function()
    local text = tostring(pod.advise(file [=[
module {
  func.func public @main(%table: tensor<100000x64xf32>, %at: tensor<8192x1xi32>) -> tensor<8192x64xf32> {
    %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 64>}> : (tensor<100000x64xf32>, tensor<8192x1xi32>) -> tensor<8192x64xf32>
    return %0 : tensor<8192x64xf32>
  }
}
]=], { chip = "v3" }))
    assert.matches("48.83M  f32%[100000,64%]%b{}  copy%.%d+\n[^\n]+\n      temporary of copy at [^\n]+:3, steps", text)
  end)

  it("plans a loop that makes what takes over arguments", function()
    local advice = pod.advise(file(DECODE), { chip = "v5e" })
    assert.is_nil((advice.memory.doubt or ""):find "takes? over")
    assert.is_true(advice.memory.temp_bytes < 1048576) -- its compiler says 0
    -- what the loop's argument is read for afterwards, it is not written into
    local kept = DECODE:gsub("%%w, %%w, contracting", "%%r, %%w, contracting"):gsub("    %%7 = ",
      "    %%s = stablehlo.slice %%cache [0:8, 0:8, 0:1048576] : (tensor<64x8x1048576xbf16>) -> "
      .. "tensor<8x8x1048576xbf16>\n"
      .. "    %%t = stablehlo.reshape %%s : (tensor<8x8x1048576xbf16>) -> tensor<8192x8192xbf16>\n"
      .. "    %%r = stablehlo.convert %%t : (tensor<8192x8192xbf16>) -> tensor<8192x8192xf32>\n    %%7 = ")
    assert.is_true(pod.advise(file(kept), { chip = "v5e" }).memory.temp_bytes >= 1073741824)
  end)

  it("plans what one device has of a module that the compiler divides, and gathers", function()
    local advice = pod.advise(file(DIVIDED), { chip = "v5e-8" })
    assert.equal(4096 * 32768 * 4, advice.memory.argument_bytes)
    assert.equal(advice.memory.argument_bytes, advice.memory.alias_bytes)
    assert.same({ 4096, 32768 }, advice.parameters[1].shape)
    assert.matches("all_gather", tostring(advice))
    assert.matches("one device of 8", advice.notes[1])
  end)

  it("cannot say of what cannot be divided here, but for arguments that surely do not fit", function()
    local call = '%0 = "stablehlo.custom_call"(%w) {call_target_name = "mine"} : (tensor<32768x32768xf32>)'
      .. " -> tensor<32768x32768xf32>\n    return"
    local foreign = (DIVIDED:gsub("%%0 = .-return", (call:gsub("%%", "%%%%"))))
    local advice = pod.advise(file(foreign), { chip = "v5e-8" })
    assert.equal("cannot_say", advice.verdict)
    assert.matches("among 8 devices.+:5: 'custom_call @mine' cannot be divided here", advice.memory.doubt)
    local large = pod.advise(file((foreign:gsub("32768x32768", "3276800x3276800"))), { chip = "v5e-8" })
    assert.equal("does_not_fit", large.verdict)
    assert.matches("does not fit: at the least it needs 4.88T of 15.75G", tostring(large))
    assert.error_matches(function()
      pod.advise(file(DIVIDED), { chip = "v5e-4" })
    end, "for 8 devices, and v5e%-4 has 4")
  end)

  it("cannot say of ops that are not known, of branches, and where few such programs are kept", function()
    local function doubt(body, chip)
      return pod.advise(file("module {\n  func.func @main(%x: tensor<8192x8192xf32> {tf.aliasing_output = 0 : i32}) -> "
        .. "tensor<8192x8192xf32> {\n" .. body .. "\n    return %y : tensor<8192x8192xf32>\n  }\n}\n"),
        { chip = chip or "v3" }).memory.doubt
    end
    local call = "%y = stablehlo.custom_call @mine(%x) : (tensor<8192x8192xf32>) -> tensor<8192x8192xf32>"
    assert.matches("what .*mine at .+:3 needs inside is not known", doubt(call))
    assert.matches("what .*collective_permute at .+:3 needs inside", doubt('%y = "stablehlo.collective_permute"(%x) '
      .. "<{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8192x8192xf32>) -> "
      .. "tensor<8192x8192xf32>"))
    local branch = "%p = stablehlo.constant dense<0> : tensor<i32>\n%y = \"stablehlo.case\"(%p) ({\n%d = "
      .. "stablehlo.exponential %x : tensor<8192x8192xf32>\nstablehlo.return %d : tensor<8192x8192xf32>\n}, "
      .. "{\nstablehlo.return %x : tensor<8192x8192xf32>\n}) : (tensor<i32>) -> tensor<8192x8192xf32>"
    assert.matches("a branch at .+:4 computes values of 512.00M in all", doubt(branch))
    assert.is_nil(doubt "%y = stablehlo.exponential %x : tensor<8192x8192xf32>")
  end)

  it("says that it fits where many times what is planned would, if nothing is left out", function()
    local function few_images(size)
      local image = ("tensor<4x%dx%dx128xf32>"):format(size, size)
      return pod.advise(file(("module {\n  func.func @main(%%x: IMAGE, %%k: tensor<1x1x128x128xf32>) -> IMAGE {\n"
        .. "    %%y = stablehlo.convolution(%%x, %%k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        .. "window = {}\n"
        .. "      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (IMAGE, tensor<1x1x128x128xf32>) -> "
        .. "IMAGE\n    %%z = stablehlo.tanh %%y : IMAGE\n    return %%z : IMAGE\n  }\n}\n")
        :gsub("%%%%", "%%"):gsub("IMAGE", image)), { chip = "v5e" })
    end
    local small, large = few_images(256), few_images(1024)
    assert.matches("a convolution at .+:3 has 4 images", large.memory.doubt)
    assert.equal("cannot_say", large.verdict)
    assert.equal("fits", small.verdict)
    assert.matches("fits: many times what is planned would, though a convolution at .+:3 has 4 images", tostring(small))
  end)

  it("ends where a file is no text or does not end", function()
    assert.error_matches(function() pod.advise "/dev/zero" end, "/dev/zero is no text")
    local most = pod.device.context():unpacked_bytes()
    pod.device.configure { unpacked_bytes = 100 }
    local ok, message = pcall(pod.advise, file(STEP))
    pod.device.configure { unpacked_bytes = most }
    assert.is_false(ok)
    assert.matches("goes on after 100 bytes; pod.device.configure", message)
    assert.error_matches(function() pod.advise(file "\31\139\8") end, "is compressed")
    assert.error_matches(function() pod.advise "/proc" end, "cannot be read: Is a directory")
  end)

  it("refuses cores that the slice does not have", function()
    assert.error_matches(function() pod.advise(file(STEP), { chip = "v3-8", cores = 4 }) end,
      "v3%-8 has 8 devices, not 4")
    assert.equal(8, pod.advise(file(STEP), { chip = "v3-8", cores = 8 }).cores)
    assert.equal(8, pod.advise(file(STEP), { chip = "v3:2x2" }).cores)
  end)

  it("has no trouble with any chip", function()
    local path = file(STEP)
    for _, chip in ipairs(pod.chips()) do
      local memory = pod.advise(path, { chip = chip.name }).memory
      assert.equal(chip.hbm_limit_bytes, memory.limit_bytes)
      for _, form in ipairs { "today", "error" } do
        assert(#memory:text(form) > 100)
        assert.is_nil(memory:text(form):find "Ran out of memory")
      end
      assert(#memory:viewer() > 100)
    end
  end)
end)

describe("moonpod advise", function()
  -- Runs the command; whether it ended well, what it printed, and its exit code.
  local function run(words)
    local pipe = io.popen(("'%s' advise %s 2>&1"):format(executable, words))
    local output = pipe:read "a"
    local ended, _, code = pipe:close()
    return ended == true, output, code
  end
  local test = executable and io.open(executable) and it or pending

  test("prints the same, and draws", function()
    local path, page = file(STEP), os.tmpname()
    local ended, output = run(path .. " --chip v5e --viewer --html " .. page)
    assert(ended, output)
    local advice = pod.advise(path, { chip = "v5e" })
    local verdict = ("%s on v5e: %s\n"):format(path, advice.memory.verdict_text)
    assert.equal(verdict .. "\n" .. tostring(advice) .. "\n", output:sub(1, #verdict + #tostring(advice) + 2))
    assert.equal("\n" .. verdict, output:sub(-#verdict - 1)) -- the last line as the first
    assert.equal(verdict, (select(2, run(path .. " --chip v5e --quiet"))))
    assert.truthy(output:find "▼ peak")
    assert.truthy(assert(io.open(page)):read("a"):find "^<!DOCTYPE html>")
    os.remove(page)
  end)

  test("gives its figures as JSON", function()
    local json = require "moonpod.base.json"
    local path = file(STEP)
    local told = json.decode((select(2, run(path .. " --chip v5e --json"))))
    local memory = pod.advise(path, { chip = "v5e" }).memory
    assert.same({ "fits", "v5e", memory.need_bytes, memory.least_bytes, memory.margin, #memory.buffers },
      { told.verdict, told.chip, told.need_bytes, told.least_bytes, told.margin, #told.buffers })
    local sizes = tables.column(memory.buffers, "padded_bytes")
    table.sort(sizes, function(a, b) return a > b end)
    assert.same(sizes, tables.column(told.buffers, "padded_bytes"))
    assert.equal(#pod.chips(), #json.decode((select(2, run(path .. " --chip all --json")))))
  end)

  test("compares all chips", function()
    local function all(text)
      local _, output, code = run(file(text) .. " --chip all")
      return code, output
    end
    local code, output = all(STEP)
    assert.equal(0, code)
    assert.matches("chip +verdict +needs +of +margin\nv2 ", output)
    assert.equal(2, (all((STEP:gsub("1000", "100000000")))))
    assert.equal(3, (all((STEP:gsub("1000", "38600000"))))) -- within the margin of a v5p
    assert.equal(1, select(3, run(file(STEP) .. " --chip all --viewer")))
  end)

  test("ends with the verdict's code", function()
    local function code(text, words)
      return select(3, run(file(text) .. " " .. words))
    end
    assert.equal(0, code(STEP, "--chip v3"))
    assert.equal(2, code((STEP:gsub("1000", "10000000")), "--chip v3"))
    assert.equal(3, code((STEP:gsub("1000", "6300000")), "--chip v5e"))
    assert.equal(0, code(DIVIDED, "--chip v5e-8"))
    assert.equal(1, code(STEP, "--chip v9"))
    assert.equal(1, code("module {", "--chip v3"))
    local mine = file [[{"format": "moonpod", "kind": "chips", "version": "1.0",
      "chips": [{"name": "v5tiny", "based_on": "v5e", "hbm_bytes": 2097152, "hbm_limit_bytes": 1048576}]}]]
    assert.equal(2, code(STEP, "--chips " .. mine .. " --chip v5tiny"))
    assert.equal(1, code(STEP, "--chips " .. mine .. " --chip v5tinier"))
    assert.matches("^moonpod advise: .*no file of chips", select(2, run(file(STEP) .. " --chips " .. file "{}")))
  end)

  test("fails with a message and a status", function()
    for words, expected in pairs {
      [""] = "which file?", ["/nowhere.mlir"] = "No such file", ["--chip"] = "%-%-chip needs a value",
      ["--chipz v3 x"] = "no option %-%-chipz", ["x --chips"] = "%-%-chips needs a value",
      ["a b"] = "one file at a time",
      ["x --cores many"] = "must be a whole number",
      ["x --cores 2.5"] = "must be a whole number", ["x --chip v3 --chip v4"] = "%-%-chip is given twice",
      ["x --donate --donate"] = "%-%-donate is given twice", ["x --chip v3-9"] = "no v3%-9.*nearest are v3%-8",
    } do
      local ended, output, code = run(words)
      assert.is_false(ended)
      assert.equal(1, code)
      assert.truthy(output:find(expected), output)
      assert.is_nil(output:find "stack traceback")
    end
    local ended, output = run "--help"
    assert.is_true(ended)
    assert.truthy(output:find "usage: moonpod advise")
  end)
end)
