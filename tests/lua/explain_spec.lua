-- pod.explain: messages as TensorFlow, XLA, JAX and PyTorch/XLA print them, and what is said of them.

local executable = dofile "tests/lua/support/executable.lua"
local files = dofile "tests/lua/support/files.lua"
local pod = require "moonpod"

-- A message, a word of its explanation's name, and where there are, facts read from it.
local MESSAGES = {
  { "Attempting to allocate 1.50G. That was not possible", "when running", "1.50G were asked for." },
  { "XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 17179869184 bytes.", "when running",
    "16.00 GiB were asked for." },
  { "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.50GiB", "when running", "2.50GiB were asked for." },
  { "OOM when allocating tensor with shape[128,1024,4096]", "when running" },
  { "CUDA out of memory. Tried to allocate 2.00 GiB", "when running", "2.00 GiB were asked for." },
  { "RESOURCE_EXHAUSTED: Attempting to allocate 5.94M. That was not possible. There are 8.20M free. The largest "
    .. "contiguous region of free memory is 4.10M due to fragmentation.", "when running",
    "5.94M were asked for, 8.20M are free, the largest piece of it has 4.10M." },
  { "Error recorded from training_loop: From /job:worker/replica:0/task:0: Core halted unexpectedly:", "core that" },
  { "No profile data was found.", "without data" },
  { "WARNING: No step markers observed and hence the step time is actually unknown.", "without steps" },
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
  { "XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used "
    .. "31.23G of 15.75G hbm. Exceeded hbm capacity by 15.48G.", "2021 form", "31.23G of 15.75G, 15.48G too many" },
  { "RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 2.00G. That was not possible. There "
    .. "are 1.65G free.; (0x0x0_HBM0)", "when running", "2.00G were asked for, 1.65G are free" },
  { "Error loading program 'jit_step': Attempting to reserve 12.50G at the bottom of memory. That was not possible. "
    .. "There are 9.01G free, 0B reserved, and 9.01G reservable.", "when running", "12.50G were asked for, 9.01G" },
  { "Ran out of memory in memory space vmem while allocating on stack for %k. Scoped allocation with size 21.00M and "
    .. "limit 16.00M exceeded scoped vmem limit by 5.00M.", "on-chip memory", "21.00M of 16.00M" },
  { "Ran out of memory in memory space smem. Used 1.20M of 1.00M smem.", "on-chip memory", "1.20M of 1.00M in smem" },
  { "jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].",
    "Python decision" },
  { "ValueError: Only support static input shape but got inputs = [<tf.Tensor 'x:0' shape=(None, 16)>]",
    "depends on values" },
  { "UNIMPLEMENTED: No registered implementation for custom call to lapack_sgesdd_ffi for platform TPU",
    "kernel of one's own", "lapack_sgesdd_ffi" },
  { "RuntimeError: This model contains ops not capturable by Pytorch/XLA: aten::_embedding_bag", "fall back",
    "aten::_embedding_bag" },
  { "Unable to initialize backend 'tpu': UNAVAILABLE: No TPU Platform available.", "no TPU" },
  { "Unable to initialize backend 'tpu': ABORTED: The TPU is already in use by another process probably owned by "
    .. "another user.", "another process holds" },
  { "UnavailableError: Socket closed", "connection" },
  { "ValueError: One of pjit arguments was given the sharding of NamedSharding(...), which implies that the global "
    .. "size of its dimension 0 should be divisible by 8, but it is equal to 100", "does not divide",
    "The size is 100, the devices are 8" },
  { "Mosaic failed to compile TPU kernel: Unsupported target bitwidth for truncation", "does not compile" },
  { "UserWarning: Some donated buffers were not usable: float32[1024,1024].", "not taken over" },
  { "RuntimeError: Array has been deleted with shape=float32[3].", "given away" },
  { "UserWarning: Explicitly requested dtype float64 requested in array is not available, and will be truncated to "
    .. "dtype float32.", "became 32" },
  { "[Compiling module jit_f] Very slow compile? If you want to file a bug, run with envvar XLA_FLAGS", "slow to" },
  { "FloatingPointError: invalid value (nan) encountered in jit(step)", "NaN" },
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

  it("names a heading of the page of messages", function()
    package.path = "docs/site/?.lua;" .. package.path
    local anchors = {}
    for _, heading in ipairs(require "pages".headings(assert(files.read "docs/reference/messages.md"))) do
      anchors[heading.anchor] = true
    end
    for _, case in ipairs(MESSAGES) do
      for _, found in ipairs(pod.explain(case[1])) do
        local page, anchor = found.page:match "^(.-)#(.*)$"
        assert.equal("docs/reference/messages.md", page)
        assert.is_true(anchors[anchor], found.page)
      end
    end
    assert.truthy(tostring(pod.explain "Loss is NaN"):find("more: docs/reference/messages.md#nan-losses", 1, true))
  end)

  it("names a page that is there, where packages and rocks install the book", function()
    local build, root = os.getenv "MOONPOD_BUILD" or "build/release", files.temporary()
    local modules = root .. "/share/lua/5.4/moonpod"
    local function more()
      local lua = root .. "/share/lua/5.4/?"
      local said = executable.shell(("LUA_PATH='%s.lua;%s/init.lua' LUA_CPATH='%s/lua/?.so' lua5.4 -e"
        .. " 'print(require([[moonpod]]).explain([[Loss is NaN]]))'"):format(lua, lua, build))
      return assert(said:match "more: (.-)\n", said)
    end
    executable.shell(("mkdir -p %s && cp -r lua/moonpod/. %s"):format(modules, modules))
    assert.equal("reference/messages.md#nan-losses in the book (Debian's package moonpod-doc has it)", more())
    local function has_book(folder, page)
      executable.shell(("mkdir -p %s/examples $(dirname %s/%s) && touch %s/examples/minimal.lua %s/%s"):format(folder,
        folder, page, folder, folder, page))
    end
    local rock = root .. "/lib/luarocks/rocks-5.4/moonpod/scm-1"
    has_book(rock, "docs/reference/messages.md")
    assert.equal(rock .. "/docs/reference/messages.md#nan-losses", more())
    has_book(root .. "/share/doc/moonpod", "html/reference/messages.html")
    assert.equal(root .. "/share/doc/moonpod/html/reference/messages.html#nan-losses", more())
    executable.shell("rm -r " .. root)
  end)

  it("knows nothing of what is no message of these", function()
    for _, text in ipairs { "Segmentation fault (core dumped)", "ModuleNotFoundError: No module named 'numpy'",
      "bash: moonpod: command not found", "Killed", "error: linker command failed with exit code 1",
      "KeyError: 'loss'", "fatal: not a git repository (or any of the parent directories): .git" } do
      assert.equal(0, #pod.explain(text), text)
    end
  end)

  it("advises names that there are", function()
    for _, entry in ipairs(require "moonpod.advisor.messages") do
      for name in entry.cure:gmatch "%f[%w]pod(%.[%w_.]*[%w_])" do
        local value = pod
        for part in name:gmatch "[%w_]+" do
          value = value and value[part]
        end
        assert(value, entry.name .. ": there is no pod" .. name)
      end
    end
  end)

  it("says so when nothing is known", function()
    local found = pod.explain "everything is fine"
    assert.equal(0, #found)
    assert.truthy(tostring(found):find("not known here", 1, true))
  end)

  local case = executable.program and it or pending
  case("takes a message in the place of a file, as a command", function()
    local text, code = executable.run 'explain "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm."'
    assert.equal(0, code, text)
    assert.matches("more memory for one core than the chip has", text)
    text, code = executable.run "explain nowhere.log"
    assert.equal(1, code)
    assert.matches("nowhere.log: No such file", text)
  end)

  it("takes a text", function()
    assert.error_matches(function() pod.explain(3) end, "explain")
  end)
end)
