"""predict_peers - one-row predictions of a 784-128-10 network: python predict_peers.py PEER WEIGHTS CALLS TFLITE.

WEIGHTS has float32, little-endian: kernel (784, 128), bias (128), kernel (128, 10), bias (10). Writes one line: seconds
to import (NumPy too, which each of them imports itself) and build, KiB that this holds, seconds of CALLS calls less
those of as many empty calls of Python, the same of the processor's time, outputs.
With the peer "make" writes TFLITE from the weights, by TensorFlow.
"""

import resource
import sys
import time

peer, path, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
memory_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.perf_counter()

import numpy

data = numpy.fromfile(path, dtype="<f4")
parts, at = [], 0
for shape in ((784, 128), (128,), (128, 10), (10,)):
    size = int(numpy.prod(shape))
    parts.append(data[at : at + size].reshape(shape))
    at += size
w1, b1, w2, b2 = parts
x = (numpy.arange(784, dtype=numpy.float32) % 17 / 17).reshape(1, 784)


def fastest_of(*candidates):
    times = {}
    for candidate in candidates:
        for _ in range(200):
            candidate()
        start = time.perf_counter()
        for _ in range(500):
            candidate()
        times[time.perf_counter() - start] = candidate
    return times[min(times)]


def onnxruntime_call():
    """Inputs and outputs are bound once: the fastest call there is."""
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    weights = [numpy_helper.from_array(a, n) for a, n in ((w1, "w1"), (b1, "b1"), (w2, "w2"), (b2, "b2"))]
    nodes = [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["h"]),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("Gemm", ["r", "w2", "b2"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 784])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 10])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    y = numpy.zeros((1, 10), numpy.float32)
    binding = session.io_binding()
    binding.bind_cpu_input("x", x)
    binding.bind_output("y", "cpu", 0, numpy.float32, y.shape, y.ctypes.data)
    run = session._sess.run_with_iobinding if hasattr(session, "_sess") else session.run_with_iobinding
    raw = binding._iobinding if hasattr(binding, "_iobinding") else binding
    try:
        run(raw, None)
        return lambda: run(raw, None), lambda: y
    except TypeError:
        return lambda: session.run_with_iobinding(binding), lambda: y


def torch_call():
    import torch

    torch.set_num_threads(1)
    net = torch.nn.Sequential(torch.nn.Linear(784, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
    with torch.no_grad():
        net[0].weight.copy_(torch.from_numpy(w1.T.copy()))
        net[0].bias.copy_(torch.from_numpy(b1))
        net[2].weight.copy_(torch.from_numpy(w2.T.copy()))
        net[2].bias.copy_(torch.from_numpy(b2))
    t = torch.from_numpy(x)
    traced = torch.jit.freeze(torch.jit.trace(net.eval(), t))
    out = {"guard": torch.inference_mode()}  # kept: its end would be that of the mode
    out["guard"].__enter__()

    def call_of(network):
        def call():
            out["y"] = network(t)

        return call

    return fastest_of(call_of(net), call_of(traced)), lambda: out["y"].detach().numpy()


def open_litert():
    """Returns its interpreter behind the wrapper's checks, and the places of input and output."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=sys.argv[4], num_threads=1)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
    details = interpreter.get_input_details()[0]["index"], interpreter.get_output_details()[0]["index"]
    return interpreter, interpreter._interpreter, *details


def litert_call():
    """A row goes in, and its outputs come out as an array of their own: the faster of the two ways to do so."""
    interpreter, native, into, out_of = open_litert()
    invoke, copy, kept = native.Invoke, numpy.copyto, {}
    row, outputs = interpreter.tensor(into)(), interpreter.tensor(out_of)()

    def by_views():
        copy(row, x)
        invoke()
        kept["y"] = outputs.copy()

    def by_values():
        native.SetTensor(into, x)
        invoke()
        kept["y"] = native.GetTensor(out_of)

    return fastest_of(by_views, by_values), lambda: kept["y"]


def litert_invoke_call():
    """The same row again and again; nothing is handed over."""
    _, native, _, out_of = open_litert()
    return native.Invoke, lambda: native.GetTensor(out_of)


def make():
    import tensorflow as tf

    function = tf.function(lambda t: tf.nn.relu(t @ w1 + b1) @ w2 + b2, autograph=False)
    concrete = function.get_concrete_function(tf.TensorSpec((1, 784), tf.float32))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete])
    with open(sys.argv[4], "wb") as file:
        file.write(converter.convert())
    sys.exit(0)


def empty():
    pass


peers = {"onnxruntime": onnxruntime_call, "torch": torch_call, "litert": litert_call}
call, result = {**peers, "litert_invoke": litert_invoke_call, "make": make}[peer]()
call()
started = time.perf_counter() - began
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory_before
for _ in range(200):
    call()


def measure(function):
    start, work = time.perf_counter(), time.process_time()
    for _ in range(calls):
        function()
    return time.perf_counter() - start, time.process_time() - work


nothing, some = measure(empty), measure(call)
print(started, memory, some[0] - nothing[0], some[1] - nothing[1], *result().ravel())
