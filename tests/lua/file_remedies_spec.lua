-- advice:remedies() of programs of others, by the plan. A compiler that MOONPOD_PJRT_PLUGIN names is asked as well
-- whether the program of the first one fits.

local files = require "tests.lua.support.files"
local pod = require "moonpod"

local build = os.getenv "MOONPOD_BUILD"
local plugin = os.getenv "MOONPOD_PJRT_PLUGIN"

-- A module whose types stand by names: @X.
local function module_of(types, arguments, results, body)
  local text = ("module @jit_step {\nfunc.func public @main(%s) -> (%s) {\n%s\n}\n}\n"):format(arguments, results, body)
  return (text:gsub("@(%u%d?)", function(name)
    return types[name] and ("tensor<%s>"):format(types[name])
  end))
end

-- Programs that do not fit a v5e, with the size of their batch.
local PROGRAMS = {
  mlp = { batch = 262144, text = module_of({ W = "4096x16384xf32", V = "16384x4096xf32", X = "262144x4096xf32",
    H = "262144x16384xf32" },
    "%w: @W {tf.aliasing_output = 0 : i32}, %v: @V {tf.aliasing_output = 1 : i32}, %x: @X", "@W, @V", [[
    %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (@X, @W) -> @H
    %h = stablehlo.tanh %a : @H
    %y = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (@H, @V) -> @X
    %gv = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (@H, @X) -> @V
    %gh = stablehlo.dot_general %y, %v, contracting_dims = [1] x [1] : (@X, @V) -> @H
    %s = stablehlo.multiply %h, %h : @H
    %one = stablehlo.constant dense<1.0> : @H
    %d = stablehlo.subtract %one, %s : @H
    %ga = stablehlo.multiply %gh, %d : @H
    %gw = stablehlo.dot_general %x, %ga, contracting_dims = [0] x [0] : (@X, @H) -> @W
    %p = stablehlo.subtract %w, %gw : @W
    %q = stablehlo.subtract %v, %gv : @V
    return %p, %q : @W, @V]]) },
  convolutions = { batch = 2048, text = module_of({ K = "3x3x128x128xf32", X = "2048x128x128x128xf32",
    Y = "2048x128xf32", F = "f32" }, "%k: @K, %x: @X", "@Y", [=[
    %a = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
      : (@X, @K) -> @X
    %zero = stablehlo.constant dense<0.0> : @F
    %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (@F) -> @X
    %b = stablehlo.maximum %a, %zeros : @X
    %y = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1, 2] : (@X, @F) -> @Y
    return %y : @Y]=]) },
  attention = { batch = 256, text = module_of({ X = "256x16x2048x64xf32", S = "256x16x2048x2048xf32",
    R = "256x16x2048xf32", F = "f32" }, "%q: @X, %k: @X, %v: @X", "@X", [[
    %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (@X, @X) -> @S
    %e = stablehlo.exponential %s : @S
    %zero = stablehlo.constant dense<0.0> : @F
    %r = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (@S, @F) -> @R
    %b = stablehlo.broadcast_in_dim %r, dims = [0, 1, 2] : (@R) -> @S
    %p = stablehlo.divide %e, %b : @S
    %y = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (@S, @X) -> @X
    return %y : @X]]) },
  loop = { batch = 2097152, text = module_of({ W = "4096x4096xf32", X = "2097152x4096xf32", I = "i32", B = "i1" },
    "%w: @W, %x: @X", "@X", [[
    %zero = stablehlo.constant dense<0> : @I
    %one = stablehlo.constant dense<1> : @I
    %ten = stablehlo.constant dense<10> : @I
    %r:2 = stablehlo.while(%i = %zero, %h = %x) : @I, @X
    cond {
      %c = stablehlo.compare LT, %i, %ten : (@I, @I) -> @B
      stablehlo.return %c : @B
    } do {
      %a = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (@X, @W) -> @X
      %t = stablehlo.tanh %a : @X
      %j = stablehlo.add %i, %one : @I
      stablehlo.return %j, %t : @I, @X
    }
    return %r#1 : @X]]) },
}

-- A step that donates nothing.
local PLAIN = (PROGRAMS.mlp.text:gsub(" {tf.aliasing_output = %d : i32}", ""))

-- No op takes a half of a batch that is not known to be one.
local HALF = module_of({ X = "4194304x4096xf32", H = "1000x4096xf32" }, "%x: @X", "@H", [[
    %h = stablehlo.slice %x [0:1000, 0:4096] : (@X) -> @H
    return %h : @H]])

-- A sum over time of [time, batch, features].
local SCAN = module_of({ X = "512x8192x1024xf32", S = "1x8192x1024xf32", H = "8192x1024xf32", I = "i32", B = "i1",
  F = "f32" }, "%x: @X", "@H", [[
    %zero = stablehlo.constant dense<0> : @I
    %one = stablehlo.constant dense<1> : @I
    %all = stablehlo.constant dense<512> : @I
    %none = stablehlo.constant dense<0.0> : @H
    %r:2 = stablehlo.while(%i = %zero, %h = %none) : @I, @H
    cond {
      %c = stablehlo.compare LT, %i, %all : (@I, @I) -> @B
      stablehlo.return %c : @B
    } do {
      %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8192, 1024] : (@X, @I, @I, @I) -> @S
      %y = stablehlo.reshape %s : (@S) -> @H
      %a = stablehlo.add %h, %y : @H
      %t = stablehlo.tanh %a : @H
      %j = stablehlo.add %i, %one : @I
      stablehlo.return %j, %t : @I, @H
    }
    return %r#1 : @H]])

describe("remedies of a file", function()
  local function advise(text, options)
    local path = files.with(text)
    return pod.advise(path, options or { chip = "v5e" }), path
  end
  teardown(files.remove_given)

  for name, program in pairs(PROGRAMS) do
    it("make a program fit: " .. name, function()
      local advice = advise(program.text)
      assert.not_equal("fits", advice.verdict)
      local first = advice:remedies()[1]
      assert.equal("batch", first.kind)
      assert.not_equal("does_not_fit", first.verdict)
      assert.is_true(first.batch < program.batch)
      local share = first.verdict == "fits" and 1 + advice.memory.margin or 2 -- a loop's plan is in doubt
      assert.is_true(first.need_bytes * share <= advice.memory.limit_bytes)
      -- the program that is written needs what the remedy says
      local again = advise(advice:remedy_program(1))
      assert.equal(first.need_bytes, again.memory.need_bytes)
      assert.truthy(tostring(advice):find(("1. batch %d -> %d: needs"):format(program.batch, first.batch), 1, true))
    end)

    it("fit by the compiler that is named: " .. name, function()
      if not plugin then
        pending "MOONPOD_PJRT_PLUGIN names no compiler"
        return
      end
      local asked = advise(advise(program.text):remedy_program(1), { chip = "v5e", exact = plugin })
      assert.equal("fits", asked.verdict)
    end)
  end

  it("add up gradients of parts, with one more set of them", function()
    local advice = advise(PROGRAMS.mlp.text)
    local list = advice:remedies()
    assert.equal("accumulation", list[2].kind)
    assert.equal(262144, list[2].batch * list[2].parts)
    local part = advise(advice:remedy_program(2)).memory
    assert.equal(part.need_bytes + 2 * 4096 * 16384 * 4, list[2].need_bytes)
    assert.equal("data_parallel", list[3].kind)
    assert.equal(262144, list[3].batch * list[3].devices)
  end)

  it("compute layers again, which changes no number", function()
    local layers, head, results, types = 48, {}, {}, {}
    local body, back = {}, {}
    for i = 1, layers do
      head[i] = ("%%w%d: @W {tf.aliasing_output = %d : i32}"):format(i, i - 1)
      results[i], types[i] = ("%%n%d"):format(i), "@W"
      body[i] = ([[
        %%a$ = stablehlo.dot_general %%h%d, %%w$, contracting_dims = [1] x [0] : (@X, @W) -> @X
        %%h$ = stablehlo.tanh %%a$ : @X]]):format(i - 1):gsub("%$", i)
      table.insert(back, 1, ([[
        %%s$ = stablehlo.multiply %%h$, %%h$ : @X
        %%d$ = stablehlo.subtract %%one, %%s$ : @X
        %%c$ = stablehlo.multiply %%g%d, %%d$ : @X
        %%u$ = stablehlo.dot_general %%h%d, %%c$, contracting_dims = [0] x [0] : (@X, @X) -> @W
        %%n$ = stablehlo.subtract %%w$, %%u$ : @W
        %%g$ = stablehlo.dot_general %%c$, %%w$, contracting_dims = [1] x [1] : (@X, @W) -> @X]])
        :format(i + 1, i - 1):gsub("%$", i) .. "")
    end
    local text = module_of({ W = "1024x1024xf32", X = "131072x1024xf32" },
      table.concat(head, ", ") .. ", %h0: @X", table.concat(types, ", "), table.concat(body, "\n")
      .. "\n%one = stablehlo.constant dense<1.0> : @X\n"
      .. ("%%g%d = stablehlo.multiply %%h%d, %%h%d : @X\n"):format(layers + 1, layers, layers)
      .. table.concat(back, "\n")
      .. ("\nreturn %s : %s"):format(table.concat(results, ", "), table.concat(types, ", ")))
    local advice = advise(text)
    assert.is_true(advice.memory.need_bytes > 24 * 2 ^ 30)
    local first = advice:remedies()[1]
    assert.equal("rematerialize", first.kind)
    assert.equal("fits", first.verdict)
    assert.truthy(first.call:find("jax.checkpoint", 1, true))
    local again = advise(advice:remedy_program(1))
    assert.equal(first.need_bytes, again.memory.need_bytes)
    assert.truthy(advice:remedy_program(1):find("optimization_barrier", 1, true))
  end)

  it("take over arguments that nothing donates", function()
    local advice = advise(PLAIN)
    for _, remedy in ipairs(advice:remedies()) do
      if remedy.kind == "donation" then
        assert.truthy(remedy.call:find("donate_argnums", 1, true))
        assert.is_true(remedy.saves_bytes >= 2 * 4096 * 16384 * 4)
        return
      end
    end
    error("donation is not offered")
  end)

  it("promise of a step of JAX that donates nothing what it needs when it does", function()
    for _, chip in ipairs { "v3", "v5e", "v6e" } do
      local planted = pod.advise("tests/golden/planted/not_donated.mlir", { chip = chip })
      local mended = pod.advise("tests/golden/planted/donated.mlir", { chip = chip })
      local remedy
      for _, one in ipairs(planted:remedies()) do
        remedy = one.kind == "donation" and one or remedy
      end
      assert.truthy(remedy.title:find("take over 18 arguments", 1, true), remedy.title)
      local promised, real = remedy.saves_bytes, planted.memory.need_bytes - mended.memory.need_bytes
      assert.truthy(real > 900 * 2 ^ 20)
      assert.near(real, promised, 0.05 * real)
      for _, one in ipairs(mended:remedies()) do
        assert.not_equal("donation", one.kind)
      end
    end
  end)

  it("add up no gradients where each row has a cache", function()
    local cache = advise(module_of({ X = "4194304x1024xf32" }, "%c: @X {tf.aliasing_output = 0 : i32}, %x: @X", "@X", [[
      %s = stablehlo.add %c, %x : @X
      return %s : @X]])):remedies()
    assert.equal("batch", cache[1].kind)
    for _, remedy in ipairs(cache) do
      assert.not_equal("accumulation", remedy.kind)
    end
  end)

  it("find a batch behind the axis of a loop over time", function()
    local advice = advise(SCAN)
    local list = advice:remedies()
    assert.equal("the batch is axis 1 of argument x", list.note)
    assert.is_true(list[1].batch < 8192)
  end)

  it("say that no batch fits where weights alone do not", function()
    local list = advise(module_of({ W = "65536x65536xf32", X = "1024x65536xf32" }, "%w: @W, %x: @X", "@X", [[
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (@X, @W) -> @X
      return %y : @X]])):remedies()
    for _, remedy in ipairs(list) do
      assert.equal("does_not_fit", remedy.verdict)
      assert.truthy(remedy.kind ~= "batch" or remedy.call:find("not even the least fits", 1, true))
    end
  end)

  it("say which op does not follow another batch", function()
    local list = advise(HALF):remedies()
    assert.truthy(list.problem:find("'slice' has no rule", 1, true), list.problem)
    assert.truthy(tostring(list):find("the batch cannot be changed here (", 1, true))
    assert.error_matches(function() advise(HALF):remedy_program() end, "there is no remedy 1; there are 0")
  end)

  it("tell a batch by its number where an op has no rule", function()
    local function step(weight)
      return advise(module_of({ X = "4194304x1024xf32", H = "4194304x512xf32", W = weight .. "x8xf32" },
        "%w: @W {tf.aliasing_output = 1 : i32}, %x: @X", "@H, @W", [[
        %h = stablehlo.slice %x [0:4194304, 0:1024:2] : (@X) -> @H
        %y = stablehlo.custom_call @foreign(%h) : (@H) -> @H
        %v = stablehlo.add %w, %w : @W
        return %y, %v : @H, @W]])):remedies()
    end
    local list = step(500)
    assert.equal("batch", list[1].kind)
    assert.is_nil(list.problem)
    assert.equal("the batch is told by its size, 4194304", list.note)
    -- rows of a table that is updated are no batch
    assert.truthy(step(4194304).problem:find("no rule for another size", 1, true))
  end)

  it("give a divided program more devices", function()
    local text = [[
module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]>
  func.func public @main(%x: tensor<4194304x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
      -> tensor<4194304x2048xf32> {
    %y = stablehlo.tanh %x : tensor<4194304x2048xf32>
    return %y : tensor<4194304x2048xf32>
  }
}
]]
    local advice = advise(text)
    local devices
    for _, remedy in ipairs(advice:remedies()) do
      devices = remedy.kind == "devices" and remedy or devices
    end
    assert.equal("fits", devices.verdict)
    assert.equal(8, devices.devices) -- 4 GiB of rows each, and as much of results
    assert.truthy(devices.call:find('8 devices along the axis "data"', 1, true))
  end)

  it("take another axis for the batch where its size is said", function()
    local advice = advise(PROGRAMS.attention.text, { chip = "v5e", batch = 16 })
    assert.is_true(advice:remedies()[1].batch < 16)
    local text = PROGRAMS.attention.text
    assert.truthy(advise(text, { chip = "v5e", batch = 77 }):remedies().problem:find("no argument", 1, true))
    assert.error_matches(function() advise(text, { batch = 1 }) end, "batch must be a whole number from 2")
  end)

  it("come with the command", function()
    if not build then
      pending "no executable is known"
      return
    end
    local _, path = advise(PROGRAMS.mlp.text)
    local out = files.with ""
    local pipe = assert(io.popen(("%s/moonpod advise %s --chip v5e --json --remedy %s"):format(build, path, out)))
    local text = pipe:read "a"
    pipe:close()
    assert.truthy(text:find('"kind": "batch"', 1, true))
    assert.equal("fits", pod.advise(out, { chip = "v5e" }).verdict)
  end)
end)
