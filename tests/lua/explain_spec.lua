-- pod.explain: messages as TensorFlow, XLA, JAX and PyTorch/XLA print them, and what is said of them.

local pod = require "moonpod"

-- A message, a word of its explanation's name, and where there are, facts read from it.
local MESSAGES = {
  { "Unable to find the relevant tensor remote_handle: Op ID: 22643, Output num: 7", "input pipeline" },
  { "Detected unsupported operations when trying to compile graph cluster_train_function_123 on XLA_TPU_JIT: PyFunc "
    .. "(No registered 'PyFunc' OpKernel for XLA_TPU_JIT devices compatible with node {{node model/segLoss/PyFunc}})",
    "a Python function" },
  { "One approach is to outside compile the unsupported ops to run on CPUs by enabling soft placement "
    .. "`tf.config.set_soft_device_placement(True)`. This has a potential performance penalty.", "does not have" },
  { "Detected unsupported operations when trying to compile graph c on XLA_TPU_JIT: StringFormat (No registered "
    .. "'StringFormat' OpKernel for XLA_TPU_JIT devices compatible with node {{node a/b}})", "does not have",
    "StringFormat at a/b" },
  { "InvalidArgumentError: Dst node should be assigned to an allowed device.", "variable without a size" },
  { "[XLA:TPU compile permanent error.] Ran out of memory in memory space hbm. Used 19.46G of 15.48G hbm. Exceeded "
    .. "hbm capacity by 3.98G.", "2021 form", "19.46G of 15.48G, 3.98G too many" },
  { "RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory required for HLO "
    .. "temporaries (68.00G) exceeds available HBM (15.48G). HLO module: NAME.", "2026 form", "68.00G of 15.48G" },
  { "Ran out of memory in memory space vmem. Used 29.95M of 16.00M vmem", "on-chip memory" },
  { "Requires 3.84T, has 90.96G available. xla_tpu_impure_oom_fast_exit_threshold", "far too large" },
  { "Allocation (size=107374182400) would exceed memory (size=17179869184) :: #allocation7 [shape = "
    .. "'u8[327680,327680]{1,0:T(8,128)(4,1)}', space=hbm, size=107374182400, tag = 'output of "
    .. "xor_convert_fusion@{}'] :: <no-hlo-instruction>", "when running", "100.00 GiB were asked for, the memory "
    .. "has 16.00" },
  { "NotImplementedError: TPUStrategy.run(fn, ...) does not support pure eager execution.", "outside of tf.function" },
  { "ValueError: Trying to create optimizer slot variable under the scope for tf.distribute.Strategy (x), which is "
    .. "different from the scope used for the original variable (y)", "another scope" },
  { "RuntimeError: Need to be inside \"with strategy.scope()\" for <x>", "too late" },
  { "UNIMPLEMENTED: File system scheme '[local]' not implemented", "does not see" },
  { "Compilation failure: Dynamic shape is not supported: %dynamic", "depends on values" },
  { "UNIMPLEMENTED: While rewriting computation to not contain X64 element types, XLA encountered an HLO for which "
    .. "this rewriting is not implemented: %dot.3", "64-bit" },
  { "JaxRuntimeError: UNIMPLEMENTED: While rewriting computation to not contain X{64|128} element types, XLA "
    .. "encountered",
    "64-bit" },
  { "INVALID_ARGUMENT: Custom emitter for lapack_sgetrf_ffi not found", "kernel of one's own", "lapack_sgetrf_ffi" },
  { "NotImplementedError: MLIR translation rule for primitive 'eig' not found for platform tpu", "no form of", "eig" },
  { "Op(s) not lowered: aten::nonzero, aten::_local_scalar_dense", "fall back", "aten::nonzero, aten::_local" },
  { "pt-xla-profiler: CompileTime too frequent: 21 counts during 11 steps", "again and again" },
  { "TPU not found. Using default strategy.", "no TPU" },
  { "RuntimeError: TPU cores on each device is not the same. This should never happen", "hosts" },
  { "replicate_on_device is not currently supported for TPUStrategy", "not for this strategy" },
  { "ParseCommandLine is not invoked yet", "not initialised" },
}

describe("pod.explain", function()
  for _, case in ipairs(MESSAGES) do
    it("knows: " .. case[1]:sub(1, 60), function()
      local found = pod.explain(case[1])
      assert(#found >= 1, "nothing is known of it")
      assert.truthy(found[1].name:find(case[2], 1, true), found[1].name)
      assert.truthy(#found[1].cause > 40 and #found[1].cure > 20)
      if case[3] then
        assert.truthy(found[1].facts:find(case[3], 1, true), found[1].facts)
      end
      assert.truthy(tostring(found):find("cure:", 1, true))
    end)
  end

  it("knows a message that a terminal broke into lines, in other letters, within other text", function()
    local found = pod.explain("2026-01-01 E0101 something\n  RAN OUT OF MEMORY\n   in memory space\n hbm. Used "
      .. "1.00G of 0.50G hbm.")
    assert.truthy(found[1].name:find("2021 form", 1, true))
  end)

  it("says so when nothing is known", function()
    local found = pod.explain "everything is fine"
    assert.equal(0, #found)
    assert.truthy(tostring(found):find("not known here", 1, true))
  end)

  it("takes a text", function()
    assert.error_matches(function() pod.explain(3) end, "explain")
  end)
end)
