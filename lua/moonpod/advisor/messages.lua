-- messages - what TensorFlow, XLA, JAX and PyTorch/XLA say when a program does not run on a TPU: by what a message is
-- known, what it means and what to do. Read by explain.lua.
--
-- An entry has: name, from (who says it), signs (pieces of the message: plain text, or a list of pieces that
-- follow each other; upper and lower case are alike), cause, cure, and read (an optional function from the text to
-- facts in words).

local decimal = require "moonpod.base.decimal"

local messages = {}

local function add(entry)
  messages[#messages + 1] = entry
end

-- ---- memory -----------------------------------------------------------------------------------------------------

local SMALLER = "In the order of what it costs: compute in bfloat16. Take a sparse loss instead of one-hot "
  .. "labels. Round sizes that are no multiples of 8 and 128, so that less is padding. Take a smaller batch, with "
  .. "gradient accumulation where the sum shall stay. Compute activations again (rematerialisation). "
  .. "moonpod.advise(jax.jit(step).trace(...)) in Python, moonpod advise FILE and, in Lua, "
  .. "model:memory_report(chip):remedies() compute what your program would need then."

add {
  name = "out of HBM when compiling (2021 form)", from = "XLA",
  signs = { "Ran out of memory in memory space hbm", "Program hbm requirement" },
  cause = "The compiler planned more memory for one core than the chip has: nothing has run yet. What counts is "
    .. "padded bytes: arrays lie in tiles of 8 x 128, so a last axis of 10 takes up to 12.8 times its size.",
  cure = SMALLER,
  read = function(text)
    local used, capacity = text:match "Used ([%d.]+%a) of ([%d.]+%a) hbm"
    local over = text:match "Exceeded hbm capacity by ([%d.]+%a)"
    return used and string.format("It needs %s of %s%s.", used, capacity,
      over and ", " .. over .. " too many" or "") or nil
  end,
}
add {
  name = "out of on-chip memory", from = "XLA",
  signs = { "Ran out of memory in memory space vmem", "E1001", "Ran out of memory in memory space smem",
    "Ran out of memory in memory space cmem", "exceeded scoped vmem limit" },
  cause = "One operation wants more of a core's on-chip memory (VMEM for vectors, SMEM for scalars, CMEM of v4) than "
    .. "there is: a fusion or a kernel of one's own with blocks that are too large. HBM is not what lacks.",
  cure = "Take smaller blocks in a kernel of your own; elsewhere make the array's last two axes smaller, or raise "
    .. "xla_tpu_scoped_vmem_limit_kib.",
  read = function(text)
    local used, capacity, space = text:match "Used ([%d.]+%a) of ([%d.]+%a) (%a?mem)"
    if used then
      return string.format("It needs %s of %s in %s.", used, capacity, space)
    end
    local size, limit = text:match "allocation with size ([%d.]+%a) and limit ([%d.]+%a)"
    return size and string.format("One kernel needs %s of %s.", size, limit) or nil
  end,
}
add {
  name = "out of HBM when compiling (2026 form)", from = "XLA",
  signs = { "CompileTimeHbmOom", "E1000", "Ran out of memory on HBM" },
  cause = "The compiler planned more memory for one core than the chip has; \"temporaries\" in this message include "
    .. "arguments and outputs. Nothing has run yet. Sizes are padded ones.",
  cure = SMALLER,
  read = function(text)
    local needed, available = text:match "temporaries %(([%d.]+%a)%) exceeds available HBM %(([%d.]+%a)%)"
    return needed and string.format("It needs %s of %s.", needed, available) or nil
  end,
}
add {
  name = "far too large to compile", from = "XLA",
  signs = { "xla_tpu_impure_oom_fast_exit_threshold", { "Requires", "available", "fast_exit" } },
  cause = "The program needs so many times the chip's memory that the compiler gave up before planning it: usually "
    .. "an array was broadcast or one-hot encoded to a size that nobody meant.",
  cure = "Look for the largest array: pod.advise(file, { chip = ... }) lists them with the lines that made "
    .. "them. " .. SMALLER,
}
add {
  name = "out of memory when running", from = "the runtime of a TPU or another device",
  signs = { { "Allocation (size=", "would exceed memory (size=" },
    { "Attempting to allocate", "That was not possible" },
    { "RESOURCE_EXHAUSTED", "Attempting to allocate" }, { "ResourceExhaustedError", "allocat" },
    { "Attempting to reserve", "at the bottom of memory" }, "Error allocating device buffer",
    "Out of memory allocating", "ran out of memory trying to allocate", "OOM when allocating tensor",
    { "out of memory", "Tried to allocate" } },
  cause = "A buffer did not fit when it was asked for: other programs, data kept on the device, or fragments "
    .. "between them hold the rest. The shape in the message has its layout: what stands after T are tiles, to "
    .. "which it is padded.",
  cure = "Free what you keep on the device (old models, predictions, cached batches), donate arguments that are "
    .. "replaced (optimizer state), and run one process a chip. pod.padding \"SHAPE\" tells what a shape really "
    .. "takes. " .. SMALLER,
  read = function(text)
    local size, limit = text:match "Allocation %(size=(%d+)%) would exceed memory %(size=(%d+)%)"
    if size then
      return decimal.format("%.2f GiB were asked for, the memory has %.2f GiB.", size / 2 ^ 30, limit / 2 ^ 30)
    end
    local bytes = text:match "[Oo]ut of memory allocating (%d+) bytes"
    local wanted = bytes and decimal.format("%.2f GiB", bytes / 2 ^ 30) or text:match "Attempting to %a+ ([%d.]+%a)"
      or text:match "to allocate ([%d.]+ ?%a+)"
    local free = text:match "There are ([%d.]+%a) free"
    local region = text:match "largest contiguous region of free memory is ([%d.]+%a)"
    return wanted and table.concat { wanted, " were asked for", free and ", " .. free .. " are free" or "",
      region and ", the largest piece of it has " .. region or "", "." } or nil
  end,
}

-- ---- operations that are refused --------------------------------------------------------------------------------

add {
  name = "a Python function in the model", from = "TensorFlow",
  signs = { "No registered 'PyFunc'", { "Detected unsupported operations", "PyFunc" }, "EagerPyFunc" },
  cause = "tf.py_function or tf.numpy_function stands in code that is compiled for the TPU: Python cannot run there.",
  cure = "Write it with native operations, or do it on the host: in the input pipeline, or in a metric or callback "
    .. "after the step. In a pipeline of a remote TPU host (\"TPU node\") Python functions are refused, too: make "
    .. "files of the results first.",
}
add {
  name = "an operation the compiler does not have", from = "TensorFlow",
  signs = { "Detected unsupported operations when trying to compile graph", "outside compile the unsupported ops",
    { "No registered", "OpKernel for XLA_TPU_JIT" }, "set_soft_device_placement" },
  cause = "An operation of the model has no form for the TPU: strings, decoding of images, custom operations, or "
    .. "one whose result's size depends on values.",
  cure = "Move it into the input pipeline, or write it with native operations. The node's name in the message is "
    .. "the layer. tf.config.set_soft_device_placement(True) runs it on the host instead, at the price of a trip "
    .. "over PCIe in each step.",
  read = function(text)
    local op = text:match "No registered '([%w_]+)'"
    local node = text:match "{{node ([^}]+)}}"
    return op and string.format("The operation is %s%s.", op, node and " at " .. node or "") or nil
  end,
}
add {
  name = "a size that depends on values", from = "TensorFlow, XLA",
  signs = { "Dynamic shape is not supported", "must be a compile-time constant", "non-static shape",
    "NonConcreteBooleanIndexError", "Shapes must be 1D sequences of concrete values", "ConcretizationTypeError",
    "Only support static input shape", "Asked to propagate a dynamic dimension", "dynamic_padder" },
  cause = "Programs of a TPU have fixed sizes. Something's size depends on what values it holds: boolean_mask, "
    .. "where, unique, nonzero, a batch whose last one is shorter, or an argument (axis, shape) that is computed.",
  cure = "Multiply by the mask instead of selecting with it (pod.masked_loss does it for losses, exactly); batch "
    .. "with drop_remainder = true or pad the last batch; give axes and shapes as plain numbers.",
}
add {
  name = "a Python decision on a traced value", from = "JAX",
  signs = { "TracerBoolConversionError", "TracerArrayConversionError", "TracerIntegerConversionError",
    "Attempted boolean conversion of traced array", "UnexpectedTracerError" },
  cause = "While a function is traced its arrays have shapes, but no values: Python's if, while, int() and NumPy "
    .. "cannot look at them, and none of them may be kept for after the trace.",
  cure = "jnp.where, lax.cond and lax.while_loop decide on values (here pod.where, pod.cond, pod.while_loop); "
    .. "arguments that are settings are static_argnums; return what shall be kept.",
}
add {
  name = "64-bit numbers that became 32", from = "JAX",
  signs = { { "Explicitly requested dtype", "will be truncated" } },
  cause = "JAX computes with 32 bits unless jax_enable_x64 is set. The chip has no 64-bit numbers, so that is right.",
  cure = "Ask for float32 or int32; leave jax_enable_x64 off.",
}
add {
  name = "64-bit numbers", from = "XLA",
  signs = { "While rewriting computation to not contain X64", "not contain X{64|128}",
    { "X64", "rewriting is not implemented" } },
  cause = "The chip has no 64-bit numbers. They are emulated by two 32-bit ones, and for this operation (64-bit "
    .. "integer products, FFT of complex128, reduce_precision) there is no emulation.",
  cure = "Use float32 and int32: in JAX leave jax_enable_x64 off, in TensorFlow cast labels and indices to int32, "
    .. "in PyTorch .float() and .int(). model:check_tpu(chip) names each 64-bit value and its line.",
}
add {
  name = "a kernel of one's own that the chip does not have", from = "XLA",
  signs = { { "Custom emitter for", "not found" }, { "No registered implementation for custom call to" } },
  cause = "The program calls a function outside of XLA (a custom call) that is built for another device: CUDA "
    .. "kernels, LAPACK of the CPU, an extension.",
  cure = "Use the operation that XLA has for it (qr, cholesky, eigh, svd in 32 bits), or compute it on the host; a "
    .. "kernel of one's own is written in Pallas.",
  read = function(text)
    local name = text:match "Custom emitter for ([%w_.]+) not found" or text:match "custom call to ([%w_.]+)"
    return name and "The function is " .. name .. "." or nil
  end,
}
add {
  name = "an operation JAX has no form of for this device", from = "JAX",
  signs = { { "MLIR translation rule for primitive", "not found for platform" } },
  cause = "The primitive is implemented for other devices only: eig, eigvals, schur, hessenberg, sqrtm.",
  cure = "Use the symmetric form (eigh), a series, or compute it on the host with jax.pure_callback.",
  read = function(text)
    local name, platform = text:match "primitive '([%w_]+)' not found for platform (%w+)"
    return name and string.format("The primitive is %s, the platform %s.", name, platform) or nil
  end,
}
add {
  name = "operations that fall back to the CPU", from = "PyTorch/XLA",
  signs = { "Op(s) not lowered", "aten::_local_scalar_dense", { "counter", "aten::" },
    "ops not capturable by Pytorch/XLA" },
  cause = "These operations have no form for XLA: each time, the graph is cut, tensors go to the host, are computed "
    .. "there and come back. aten::_local_scalar_dense is .item() or a Python `if` on a tensor.",
  cure = "Replace them with operations that are lowered; read values (.item(), print) only every so many steps.",
  read = function(text)
    local names = {}
    for name in text:gmatch "aten::[%w_]+" do
      names[#names + 1] = name
    end
    return #names > 0 and "They are " .. table.concat(names, ", ") .. "." or nil
  end,
}
add {
  name = "compiled again and again", from = "PyTorch/XLA",
  signs = { "CompileTime too frequent", "CompileTime too long" },
  cause = "Almost each step is another program: shapes change (the last batch, sequences of different length), or a "
    .. "Python number that changes is part of the graph.",
  cure = "Fix the shapes: drop_remainder, or pad to a few lengths; pass numbers that change as tensors. "
    .. "pod.compile_report() says what changed from one trace to the next.",
}

add {
  name = "slow to compile", from = "XLA",
  signs = { "Very slow compile", "Large amount of constants were captured during lowering" },
  cause = "The program is very large: loops that Python unrolls, step by step, or arrays that became constants of it.",
  cure = "Let the loop be one (lax.scan, keras' RNN layers with unroll off, torch_xla's scan); hand arrays to the "
    .. "function as arguments.",
}
add {
  name = "a kernel of one's own that does not compile", from = "Pallas",
  signs = { "Mosaic failed to compile TPU kernel", { "Pallas TPU lowering", "divisible by 8 and 128" } },
  cause = "A kernel written in Pallas takes blocks, types or operations that the chip's vector unit does not have. "
    .. "The last two sizes of a block must be multiples of 8 and 128 (16 or 32 rows for narrow types) or the whole "
    .. "axis.",
  cure = "Take blocks of whole tiles (pod.padding tells them for each type and chip), compute in float32 inside, and "
    .. "try the kernel with interpret=True first.",
}
add {
  name = "a donated argument that was not taken over", from = "JAX",
  signs = { "Some donated buffers were not usable" },
  cause = "No result has the shape and type of the argument that was given away: the step needs memory for both.",
  cure = "Return the updated state in the types and shapes it came in (no float32 from bfloat16), and donate only "
    .. "that. pod.advise tells what is aliased.",
}
add {
  name = "an array that was given away", from = "JAX",
  signs = { "Array has been deleted" },
  cause = "The array was donated to a step, which wrote its results over it.",
  cure = "Go on with what the step returned: state = step(state, batch).",
}

-- ---- strategies and the host ------------------------------------------------------------------------------------

add {
  name = "a step outside of tf.function", from = "TensorFlow",
  signs = { "does not support pure eager execution" },
  cause = "strategy.run was called where nothing compiles: a TPU runs compiled programs only.",
  cure = "Wrap the function that calls strategy.run in @tf.function (here: pod.func), and keep everything of the "
    .. "step inside.",
}
add {
  name = "variables of another scope", from = "TensorFlow",
  signs = { "Trying to create optimizer slot variable under the scope" },
  cause = "The model's variables and the optimizer's were made under different strategies: the model before, or "
    .. "outside of, the scope.",
  cure = "Make model, optimizer and metrics within the same strategy.scope(), and call compile there.",
}
add {
  name = "variables made too late", from = "Keras",
  signs = { "Need to be inside \"with strategy.scope()\"" },
  cause = "A layer made its variables at its first call, outside of the scope.",
  cure = "Give the model an input shape, or build it, within the scope.",
}
add {
  name = "a variable without a size", from = "TensorFlow",
  signs = { "Dst node should be assigned to an allowed device" },
  cause = "A variable has an unknown axis (shape=[None, 1], validate_shape=False): the TPU cannot give it a place.",
  cure = "Give it a fixed shape, for example { batch, 1 }, and leave validate_shape at True.",
}
add {
  name = "the input pipeline failed elsewhere", from = "TensorFlow",
  signs = { "Unable to find the relevant tensor remote_handle" },
  cause = "The input graph failed on the TPU's host, and the message that arrives is not the reason. That is a file "
    .. "that cannot be read there, a Python function in the pipeline, or a host that ran out of memory or restarted.",
  cure = "Run the pipeline alone on the CPU for one epoch (for element in dataset): it fails there with its real "
    .. "message. Read from a bucket the host can see, and keep Python functions out of the pipeline.",
}
add {
  name = "a file the TPU's host does not see", from = "TensorFlow",
  signs = { "File system scheme '[local]' not implemented" },
  cause = "The TPU's host is another machine and reads or writes what it is told to by path: a local path is this "
    .. "machine's.",
  cure = "Use a bucket (gs://...), or save through this machine (experimental_io_device = \"/job:localhost\"); on "
    .. "TPU VMs local paths work.",
}
add {
  name = "not for this strategy", from = "TensorFlow",
  signs = { "not currently supported for TPUStrategy" },
  cause = "The option exists for other strategies; the TPU's host does not do it, for example replicating by "
    .. "replica on the device before the input is prefetched.",
  cure = "Leave the option out; per-replica batches come from distribute_datasets_from_function.",
}
add {
  name = "a TPU that another process holds", from = "libtpu",
  signs = { "The TPU is already in use by", "libtpu.so already in use", "libtpu.so is already in use" },
  cause = "One process at a time may use a chip: an earlier run, a notebook or a stopped script still holds it.",
  cure = "End that process (lsof -w /dev/accel0 or /dev/vfio/* names it), or use other chips of the host.",
}
add {
  name = "no TPU", from = "TensorFlow",
  signs = { "TPU not found", "No TPU devices found", "Cannot find any TPU cores in the system", "Please provide a "
    .. "TPU Name to connect to", "No TPU Platform available", "Unable to initialize backend 'tpu'" },
  cause = "No TPU was found: the name or zone is wrong, it is not running, another process holds it, or this "
    .. "machine has none.",
  cure = "Check that it is READY, that its software fits the framework's version, and that no other process uses "
    .. "it. Without one, pod.cluster.resolve { accelerator = \"v3-8\" } trains here under that chip's rules.",
}
add {
  name = "a connection to the TPU's host that broke", from = "TensorFlow",
  signs = { { "Socket closed" }, "failed to connect to all addresses" },
  cause = "The TPU's host is gone: it was preempted, restarted, ran out of memory, or a network stands between.",
  cure = "Look at its state and log, make it anew if it was preempted, and resume from the last checkpoint. If it "
    .. "happens at the same step each time, its memory is too small for the input pipeline.",
}
add {
  name = "a batch that does not divide", from = "JAX, TensorFlow",
  signs = { { "global size of its dimension", "should be divisible by" }, { "batch size", "not divisible by" },
    "pmap got inconsistent sizes", { "must be divisible by the number of", "replicas" } },
  cause = "The batch is divided evenly among the cores, and its size is no multiple of their number.",
  cure = "Take a global batch of the cores' number times a multiple of 8 (better 128), and drop or pad the last one; "
    .. "here uneven batches are padded and masked.",
  read = function(text)
    local by, size = text:match "should be divisible by (%d+), but it is equal to (%d+)"
    return by and string.format("The size is %s, the devices are %s.", size, by) or nil
  end,
}
add {
  name = "hosts that do not match", from = "TensorFlow",
  signs = { "TPU cores on each device is not the same" },
  cause = "The hosts of the slice report different numbers of cores: a host is missing, or the topology that was "
    .. "asked for is not the slice's.",
  cure = "Ask for a whole slice by its name; pod.topology \"v3-32\" lists hosts, chips and cores of those that exist.",
}
add {
  name = "the library is not initialised", from = "libtpu",
  signs = { "ParseCommandLine is not invoked yet" },
  cause = "libtpu was used before it was set up: it is asked for a compiler in a process without TPUs, or two "
    .. "versions of it are loaded.",
  cure = "Use one libtpu, of the version that belongs to the framework; to compile without a TPU, ask for a "
    .. "topology description.",
}
add {
  name = "a core that stopped", from = "the TPU's runtime",
  signs = { "Core halted unexpectedly" },
  cause = "The program of one core was ended by the chip or its runtime, with no reason given: a fault of the "
    .. "compiled program, software of the TPU and of the host of different versions, or broken hardware. It is no "
    .. "message about memory or about your numbers, and the other cores fail only because they wait for this one.",
  cure = "Read the logs of all hosts: the first that complains has more. Take the same version of the software on "
    .. "the TPU and on its host, restart the runtime, and make the TPU anew: if it is gone, it was the machine. If it "
    .. "comes back in the same step, take parts of the model away until it does not, and report that program.",
}

-- ---- profiles ---------------------------------------------------------------------------------------------------

add {
  name = "a profile without data", from = "TensorBoard",
  signs = { "No profile data was found" },
  cause = "There is no file *.xplane.pb in plugins/profile/RUN below the folder that TensorBoard looks at: another "
    .. "folder was named, the recording never ended, or it was written to a bucket that cannot be read.",
  cure = "Give --logdir the folder above plugins. Let the recording end before the program does (stop_trace, or leave "
    .. "the block). Install the profiler's plug-in with TensorBoard's own version. Here pod.profiler.trace(folder, "
    .. "fn) writes such a folder, whole.",
}
add {
  name = "a profile without steps", from = "TensorBoard",
  signs = { "No step markers observed" },
  cause = "The recording has no step in it that began and ended: it was shorter than one step, or a loop of your own "
    .. "does not say where its steps are. Times of operations are right; times per step are not known.",
  cure = "Record for longer than a step takes, from the second step on: the first one compiles. Mark the steps of your "
    .. "own loop (tf.profiler.experimental.Trace with step_num, jax.profiler.StepTraceAnnotation). A recording of "
    .. "Moonpod has a whole step always.",
}

add {
  name = "NaN losses", from = "training",
  signs = { "NaN in summary histogram", "Loss is NaN", "loss: nan", "Invalid loss, terminating",
    "invalid value (nan) encountered", "made Inf or NaN out of finite numbers" },
  cause = "A value left the range of its type: a learning rate that is too high, a logarithm or division at 0, "
    .. "float16 without loss scaling, or NaN in the data.",
  cure = "pod.debug.nan(true) names the first operation, layer and line that made one. On TPUs use "
    .. "mixed_bfloat16: it has float32's range.",
}

return messages
