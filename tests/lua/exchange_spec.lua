local core = require "moonpod.core"

local context = core.context { threads = 1 }

local step = [[
module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(
      %arg0: tensor<3x2xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 1 : i32},
      %arg1: tensor<4x3xf32> loc("x"), %arg2: tensor<8xf8E4M3FN> {jax.buffer_donor = true})
      -> (tensor<4x2xf32> {jax.result_info = "result[0]"}, tensor<3x2xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
      : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.unheard_of %arg0 : tensor<3x2xf32>
    %2 = stablehlo.unheard_of %1 : tensor<3x2xf32>
    return %0, %2 : tensor<4x2xf32>, tensor<3x2xf32>
  }
}
]]

describe("stablehlo_read", function()
  it("gives a graph and what the module says of its parameters and outputs", function()
    local graph, about = core.stablehlo_read(context, step, "step.mlir")
    assert.matches("dot%(%%1, %%0%)", graph:print(context))
    assert.equal("jit_step", about.name)
    assert.equal("main", about.function_name)
    assert.equal(2, about.partitions)
    assert.same({
      { name = "arg0", dtype = "float32", shape = { 3, 2 }, alias = 2, donated = true, sharding = "{replicated}" },
      { name = "x", dtype = "float32", shape = { 4, 3 }, donated = false },
      { name = "arg2", dtype = "float8_e4m3fn", shape = { 8 }, donated = true },
    }, about.parameters)
    assert.same({
      { name = "result[0]", dtype = "float32", shape = { 4, 2 } },
      { dtype = "float32", shape = { 3, 2 } },
    }, about.outputs)
  end)

  it("lists the ops that are not known, with their place", function()
    local graph, about = core.stablehlo_read(context, step)
    assert.matches('opaque%(%%0%) name="stablehlo.unheard_of"', graph:print(context))
    assert.same({ { name = "stablehlo.unheard_of", reason = "no op of ours means it", line = 8, column = 10,
      count = 2 } }, about.unknown)
  end)

  it("reads what stablehlo_write writes", function()
    local graph = core.stablehlo_read(context, step)
    local text = core.stablehlo_write(context, graph)
    assert.matches('"stablehlo.dot_general"', text)
    local again = core.stablehlo_read(context, text)
    assert.equal(text, core.stablehlo_write(context, again))
  end)

  it("names file, line and column of what is wrong", function()
    local read, message = pcall(core.stablehlo_read, context, "module {\n  func.func @main(%x: tensor<?xf32>) {",
      "a.mlir")
    assert.is_false(read)
    assert.matches("^a.mlir:2:30: this shape is not static", message)
  end)
end)

describe("f:stablehlo", function()
  local pod = require "moonpod"

  it("gives the step with variables as aliases", function()
    local w = pod.variable({ { 1, 2 }, { 3, 4 } }, { name = "kernel" })
    local f = pod.func(function(x)
      w:assign_add(x * 2)
      local y = pod.matmul(x, w)
      return y
    end, { name = "step" })
    local text = f:stablehlo(pod.spec { 2, 2 })
    assert.matches('loc%("kernel"', text)
    assert.matches("tf.aliasing_output = 1 : i32", text)
    local _, about = core.stablehlo_read(context, text, "step.mlir")
    assert.same({}, about.unknown)
    assert.equal(2, #about.parameters)
    f(pod.ones { 2, 2 })
    assert.equal(text, f:stablehlo())
  end)

  it("asks for arguments where nothing was traced", function()
    local f = pod.func(function(x) return x end)
    assert.error_matches(function() f:stablehlo() end, "was not traced yet")
  end)
end)
