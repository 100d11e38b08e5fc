-- How long steps would take: of models, functions and StableHLO files.

local pod = require "moonpod"
local files = require "tests.lua.support.files"
local json = require "moonpod.base.json"

local build = os.getenv "MOONPOD_BUILD"
local executable = build and build .. "/moonpod"

local file = files.with

teardown(files.remove_given)

-- What the command prints.
local function advise(path, options)
  local pipe = assert(io.popen(("'%s' advise '%s' %s 2>&1"):format(executable, path, options)))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

-- A loop that multiplies so often; `condition` is what its turns are for.
local function loop(condition)
  return ([[
func.func @main(%%x: tensor<256x256xf32>, %%n: tensor<i32>) -> tensor<256x256xf32> {
  %%i0 = stablehlo.constant dense<2> : tensor<i32>
  %%0:2 = stablehlo.while(%%i = %%i0, %%y = %%x) : tensor<i32>, tensor<256x256xf32>
  cond {
    %%end = stablehlo.constant dense<45> : tensor<i32>
    %%1 = stablehlo.compare %s, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%1 : tensor<i1>
  } do {
    %%stride = stablehlo.constant dense<4> : tensor<i32>
    %%2 = stablehlo.add %%i, %%stride : tensor<i32>
    %%3 = stablehlo.dot_general %%y, %%x, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    stablehlo.return %%2, %%3 : tensor<i32>, tensor<256x256xf32>
  }
  return %%0#1 : tensor<256x256xf32>
}
]]):format(condition)
end

describe("the projection of a step", function()
  it("has the kernels of a model's training", function()
    local model = pod.models.sequential { pod.layers.dense(512, { input_shape = { 256 }, name = "wide" }),
      pod.layers.dense(10) }
    model:compile { loss = "mse", optimizer = "sgd" }
    local projection = model:projection("v5e", { batch = 1024 })
    -- each layer once forward and once for its weights; for the inputs only of the second one
    local first, second = 2 * 1024 * 256 * 512, 2 * 1024 * 512 * 10
    assert.are.equal(2 * first + 3 * second, projection.product_flops)
    local seconds, layers = 0, {}
    for _, kernel in ipairs(projection.kernels) do
      seconds = seconds + kernel.seconds
      layers[(kernel.scope or ""):match "[^/]*$"] = true
    end
    assert.is_true(math.abs(seconds / projection.device_seconds - 1) < 1e-9)
    assert.is_true(layers.wide)
    assert.is_truthy(tostring(projection):find("^step time on v5e: "))
  end)

  it("says how much each unit works", function()
    local function units(fn, options)
      local spec = pod.spec({ 8192, 8192 }, "bfloat16")
      local projection = pod.func(fn, { name = "units" }):projection("v5e", { arguments = { spec, spec } })
      local by = projection:utilization(options)
      for _, row in ipairs(by) do
        assert.is_true(row.busy >= 0 and row.busy <= 1)
        by[row.unit] = row
      end
      return by, projection
    end
    local product, projection = units(function(x, y) return x:matmul(y) end)
    assert.is_true(product.MXU.busy > 0.9 and product.MXU.useful < product.MXU.busy)
    local step = projection.device_seconds + projection.host_seconds
    assert.is_true(math.abs(product.MXU.useful - 2 * 8192 ^ 3 / projection.peak_flops / step) < 1e-9)
    assert.equal(product.step_seconds, step)
    local sum = units(function(x, y) return x + y end)
    assert.is_true(sum.MXU.busy == 0 and sum.HBM.busy > 0.7)
    local starved = units(function(x, y) return x:matmul(y) end, { input_seconds = 9 * projection.device_seconds })
    assert.is_true(starved.infeed.busy > 0.95 and starved.MXU.busy < 0.12)
    assert.is_truthy(tostring(sum):find "MXU%s+0.0 %%")
  end)

  it("is longer for more rows and shorter on a faster chip", function()
    local fn = pod.func(function(x) return x:matmul(x:transpose()) end, { name = "gram" })
    local function seconds(chip, rows)
      return fn:projection(chip, { arguments = { pod.spec { rows, 4096 } } }).device_seconds
    end
    assert.is_true(seconds("v3", 4096) > 3 * seconds("v3", 2048))
    assert.is_true(seconds("v6e", 4096) < seconds("v5e", 4096) / 3)
  end)

  local function trained()
    local model = pod.models.sequential { pod.layers.dense(512, { input_shape = { 256 } }), pod.layers.dense(10) }
    model:compile { loss = "mse", optimizer = "sgd" }
    return model
  end

  it("has the exchanges of a slice, whose devices are the replicas", function()
    local model = trained()
    local alone, slice = model:projection("v3", { batch = 64 }), model:projection("v3-8", { batch = 64 })
    assert.are.equal(0, alone.exchange_seconds)
    local exchanged, longest = 0
    for _, kernel in ipairs(slice.kernels) do
      exchanged = exchanged + (kernel.exchange == "all_reduce" and kernel.exchanged_bytes or 0)
      longest = longest or kernel.exchange and kernel
    end
    -- the first layer's gradient goes over two axes without rings, both ways
    assert.are.equal(2 * 4 * 256 * 512 * 3 / 4 / (2 * 1e11 * 0.655), longest.links_seconds)
    local bytes = 4 * (256 * 512 + 512 + 512 * 10 + 10)
    assert.is_true(exchanged >= bytes and exchanged < bytes * 1.1) -- padded, with the metrics
    assert.is_truthy(tostring(slice):find("of them exchanges with other devices", 1, true))
    -- what a device computes is the same
    assert.are.equal(alone.product_flops, slice.product_flops)
    -- more of them, over longer ways
    assert.is_true(model:projection("v3-128", { batch = 64 }).exchange_seconds > slice.exchange_seconds)
    -- named by the number of replicas, too
    assert.are.equal(slice.device_seconds, model:projection("v3", { batch = 64, replicas = 8 }).device_seconds)
    assert.has_error(function() model:projection("v3-8", { batch = 64, replicas = 4 }) end)
    assert.has_error(function() model:projection("v3", { batch = 64, replicas = 5 }) end)
    assert.has_error(function() model:projection("v3-9", { batch = 64 }) end)
  end)

  it("waits for input that comes too slowly", function()
    local model = trained()
    local projection = model:projection("v3", { batch = 64, input_seconds = 1, steps_per_execution = 10 })
    assert.are.equal("input", projection.bound)
    assert.are.equal(1, projection.low_seconds)
    assert.is_truthy(tostring(projection):find("input 1.00 s meanwhile: the device waits for it", 1, true))
    local fast = model:projection("v3", { batch = 64 })
    assert.is_true(math.abs(fast.host_seconds - 10 * projection.host_seconds) < 1e-12)
    assert.are.equal(64 * (256 + 10) * 4 / 7.5e9, fast.input_seconds) -- over PCIe
  end)

  it("has the exchanges of a divided module", function()
    local path = file [[
module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=8]>
  func.func public @main(
    %x: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %g: tensor<4096x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0]
      : (tensor<4096x1024xf32>, tensor<4096x512xf32>) -> tensor<1024x512xf32>
    return %0 : tensor<1024x512xf32>
  }
}
]]
    local projection = pod.advise(path, { chip = "v5e" }):projection()
    local bytes, links = 1024 * 512 * 4, 2 * 4.5e10 * 0.655
    assert.are.equal(2 * 512 * 1024 * 512, projection.product_flops)
    assert.is_true(math.abs(projection.bounds.links - 2 * bytes * 7 / 8 / links) < 2e-6)
    -- v6e has faster links
    local other = pod.advise(path, { chip = "v6e" }):projection({ slice = "v6e-8" })
    assert.is_true(other.exchange_seconds < projection.exchange_seconds)
  end)

  it("wants to know for which chip", function()
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 }, name = "d" }) }
    assert.has_error(function() model:projection() end)
    assert.has_error(function() pod.func(function(x) return x end):projection() end)
  end)

  it("counts the turns of a loop that counts to a number", function()
    for condition, turns in pairs { ["LT, %i, %end"] = 11, ["LE, %i, %end"] = 11, ["LT, %end, %i"] = false,
      ["NE, %i, %end"] = false, ["LT, %i, %n"] = false } do
      local advice = pod.advise(file(loop(condition)), { chip = "v5e" })
      if turns then
        local projection = advice:projection()
        assert.are.equal(turns * 2 * 256 ^ 3, projection.product_flops)
        assert.are.equal(turns, projection.kernels[1].times)
      else
        local ok, message = pcall(advice.projection, advice)
        assert.is_false(ok)
        assert.is_truthy(tostring(message):find("how often the loop while at .- turns is not known"))
      end
    end
  end)

  -- The compiler counts what is brought in slices three times, what leaves, as much, four; and one turn of each loop.
  it("counts the bytes of a turn as the compiler does", function()
    if not executable then
      return pending "no executable"
    end
    local path = file ""
    assert(os.execute(("gzip -dc tests/golden/tpu_programs/loop_resmlp_remat_f32.mlir.gz > '%s'"):format(path)))
    local time = json.decode(advise(path, "--chip v5e --time --json")).time
    local bytes = 0
    for _, kernel in ipairs(time.kernels) do
      bytes = bytes + kernel.counted_bytes
    end
    local copied = time.estimated.turn_bytes - bytes
    assert.is_true(copied > 0)
    assert.are.equal(8, 3.5 * time.copied_bytes / copied)
  end)

  -- As libtpu 0.0.51 counts them for v5e: of rows that are looked up whole tiles, of what is scattered the result.
  for _, case in ipairs {
    { "looked up in rows", "gather", { 200000, 384 }, 906231808, pod.take },
    { "looked up across tiles", "gather", { 3120000, 32 }, 4328783872, pod.take },
    { "looked up in elements", "gather", { 2 ^ 26 }, 302252032, pod.take },
    { "scattered", "scatter", { 200000, 384 }, 307200000, function(x, places)
      local tape = pod.tape()
      tape:watch(x)
      return tape:gradient(pod.sum(pod.take(x, places) ^ 3), { x })[1]
    end },
  } do
    it("counts the bytes of what is " .. case[1] .. " as the compiler does", function()
      local places, counted = pod.spec({ 65536 }, "int32"), nil
      local time = pod.func(case[5]):projection("v5e", { arguments = { pod.spec(case[3]), places } })
      for _, kernel in ipairs(time.kernels) do
        counted = kernel.op == case[2] and kernel.counted_bytes or counted
      end
      assert.are.equal(case[4], counted)
    end)
  end

  -- The same of libtpu 0.0.52: of single elements a tile each, their places with the numbers of one in the lanes.
  it("counts the bytes of elements that several numbers pick as the compiler does", function()
    local time = pod.advise(file [[
func.func @main(%table: tensor<256x4096xf32>, %places: tensor<256x100x2xi32>) -> tensor<256x100xf32> {
  %0 = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
    start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
    : (tensor<256x4096xf32>, tensor<256x100x2xi32>) -> tensor<256x100xf32>
  return %0 : tensor<256x100xf32>
}
]], { chip = "v5e" }):projection()
    assert.are.equal(147980288, time.kernels[1].counted_bytes)
  end)

  -- libtpu 0.0.52 makes three kernels of four convolutions: the second is computed in the third.
  it("has a convolution in the next one, also through ReLU with a slope", function()
    local image, lines = "tensor<64x4096x64xf32>", {
      "func.func @main(%r0: X, %w: W) -> X {", "%zero = stablehlo.constant dense<0.0> : X",
      "%slope = stablehlo.constant dense<0.1> : X" }
    for i = 1, 4 do
      lines[#lines + 1] = ("%%c%d = stablehlo.convolution(%%r%d, %%w) dim_numbers = [b,0,f]x[0,i,o]->[b,0,f], "
        .. "window = {pad = [[1,1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (X, W) -> X")
        :format(i, i - 1)
      lines[#lines + 1] = ("%%p%d = stablehlo.compare GE, %%c%d, %%zero : (X, X) -> tensor<64x4096x64xi1>\n"
        .. "%%m%d = stablehlo.multiply %%c%d, %%slope : X\n"
        .. "%%r%d = stablehlo.select %%p%d, %%c%d, %%m%d : tensor<64x4096x64xi1>, X"):format(i, i, i, i, i, i, i, i)
    end
    lines[#lines + 1] = "return %c4 : X\n}"
    local text = table.concat(lines, "\n"):gsub("%f[%w]X%f[%W]", image):gsub("%f[%w]W%f[%W]", "tensor<3x64x64xf32>")
    local time = pod.advise(file(text), { chip = "v5e" }):projection()
    local count = 0
    for _, kernel in ipairs(time.kernels) do
      count = count + (kernel.product_flops > 0 and 1 or 0)
    end
    assert.are.equal(3, count)
  end)

  -- The bytes of the second of three convolutions, by libtpu 0.0.52.
  for before, counted in pairs { ["ReLU with a slope"] = 316407808, ReLU = 421265408 } do
    it("has what lies behind a convolution in it or in the next one: before it " .. before, function()
      local convolution = "stablehlo.convolution(%%%s, %%w) dim_numbers = [b,0,f]x[0,i,o]->[b,0,f], window = "
        .. "{pad = [[3,3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (X, W) -> X"
      local slope = "%p_N = stablehlo.compare GE, %N, %zero : (X, X) -> tensor<64x3200x256xi1>\n"
        .. "%m_N = stablehlo.multiply %N, %slope : X\n"
        .. "%r_N = stablehlo.select %p_N, %N, %m_N : tensor<64x3200x256xi1>, X"
      local text = table.concat({ "func.func @main(%arg: X, %w: W) -> (X, X) {",
        "%zero = stablehlo.constant dense<0.0> : X", "%slope = stablehlo.constant dense<0.1> : X",
        "%x = " .. convolution:format "arg", before == "ReLU" and "%r_x = stablehlo.maximum %x, %zero : X"
          or slope:gsub("N", "x"), "%y = " .. convolution:format "r_x",
        before == "ReLU" and "%r_y = stablehlo.tanh %y : X" or slope:gsub("N", "y"),
        "%z = " .. convolution:format "r_y", "%sum = stablehlo.add %z, %x : X", "return %sum, %x : X, X\n}" }, "\n")
        :gsub("%f[%w]X%f[%W]", "tensor<64x3200x256xf32>"):gsub("%f[%w]W%f[%W]", "tensor<7x256x256xf32>")
      local bytes = {}
      for i, kernel in ipairs(pod.advise(file(text), { chip = "v5e" }):projection().kernels) do
        bytes[i] = kernel.counted_bytes
      end
      table.sort(bytes)
      assert.are.equal(counted, bytes[1])
    end)
  end

  -- It counts what a convolution and what is added to it are both computed from twice.
  it("counts what a product reads again", function()
    local x = pod.spec({ 8192, 1024 }, "bfloat16")
    local time = pod.func(function(a, w) return a + pod.matmul(pod.tanh(a), w) end):projection("v5e", { arguments = { x,
      pod.spec({ 1024, 1024 }, "bfloat16") } })
    assert.are.equal(time.kernels[1].bytes + 2 * 8192 * 1024, time.kernels[1].counted_bytes)
  end)

  -- What libtpu 0.0.51 estimates for v5e of tables of columns that are copied into rows: no rate meets both.
  it("has copies into another layout take longer than others", function()
    for columns, cycles in pairs { [300] = 1848280, [16] = 98762 } do
      local time = pod.func(function(x, places) return pod.take(x, places, 0) * 2 end):projection("v5e", { arguments = {
        pod.spec { 200000, columns }, pod.spec({ 16384 }, "int32") } })
      local longest
      for _, kernel in ipairs(time.kernels) do
        longest = longest or kernel.op == "copy" and kernel
      end
      local off = longest.seconds * time.cycles_per_second / cycles
      assert.is_true(off > 1 / 1.5 and off < 1.5)
    end
  end)

  -- What libtpu 0.0.51 estimates for v5e of kernels of 65536 x 1024 elements.
  for _, case in ipairs {
    { "a loop", 1216155, function(x) return pod.tanh(x * 2) end },
    { "a loop of narrow elements", 1208896, function(x) return x * 2 end, "bfloat16" },
    { "what becomes narrow", 1489348, function(x) return pod.cast(x * 2, "bfloat16") end },
    { "an op of its own", 2021440, function(x) return pod.exp(x) end },
    { "a sum of squares", 1208896, function(x) return pod.sum(x * x, 1) end },
    { "a sum", 2021408, function(x) return pod.sum(x, 1) end },
    { "sums along columns of two arrays", 1794405, function(x, y) return pod.sum(x * y, 0) end },
  } do
    it("estimates " .. case[1] .. " as the compiler does", function()
      local spec = pod.spec({ 65536, 1024 }, case[4])
      local time = pod.func(case[3]):projection("v5e", { arguments = { spec, spec } })
      local seconds = 0
      for _, kernel in ipairs(time.kernels) do
        seconds = seconds + kernel.estimated_seconds
      end
      local ratio = seconds * time.cycles_per_second / case[2]
      assert.is_true(ratio > 0.9 and ratio < 1.1, ("%.3f"):format(ratio))
    end)
  end

  it("refuses a slice that is none", function()
    local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
    model:compile { loss = "mse" }
    assert.error_matches(function() model:projection("v5e", { batch = 8, slice = print }) end,
      "option 'slice' must be a name or a number of devices, not a function")
  end)

  it("says what it cannot count", function()
    local path = file [[
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<1024xf32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
]]
    local advice = pod.advise(path, { chip = "v5e" })
    assert.has_error(function() advice:projection() end)
    if executable then
      assert.is_truthy(advise(path, "--chip v5e --time"):find("step time: not known: .-how long sort at .-:2.- takes"))
      local time = json.decode(advise(path, "--chip v5e --time --json")).time
      assert.is_truthy(time.not_known:find("sort", 1, true))
      local looping = file(loop "LT, %i, %n")
      assert.is_truthy(advise(looping, "--chip v5e --time"):find("the device takes %d.- for all else"))
      time = json.decode(advise(looping, "--chip v5e --time --json")).time
      assert.are.equal(2 * 256 ^ 3, time.known.product_flops) -- of one turn
    end
  end)

  it("is printed by the command", function()
    if not executable then
      return pending "no executable"
    end
    local path = file(pod.func(function(x) return x:matmul(x) end):stablehlo(pod.spec { 8192, 8192 }))
    local text = advise(path, "--chip v5e --time")
    assert.is_truthy(text:find("step time on v5e: %d+%.%d+ to %d+%.%d+ ms; MFU "))
    assert.is_truthy(text:find("bound by MXU 100.0%", 1, true))
    assert.is_truthy(text:find("the 1 longest of 1 kernels", 1, true))
    assert.is_falsy(advise(path, "--chip v5e"):find("step time", 1, true))
    local time = json.decode(advise(path, "--chip v5e --time --json")).time
    assert.are.equal(2 * 8192 ^ 3, time.product_flops)
    assert.are.equal("MXU", time.kernels[1].bound)
    assert.is_truthy(advise(path, "--chip all --time"):find("of one chip", 1, true))
  end)
end)
