"""predict_peers - one-row predictions of a 784-128-10 network: python predict_peers.py PEER WEIGHTS CALLS TFLITE.

WEIGHTS has float32, little-endian: kernel (784, 128), bias (128), kernel (128, 10), bias (10). Writes one line: seconds
to import and build, KiB that this holds, seconds of CALLS calls less those of as many empty calls of Python, the same
of the processor's time, outputs.
With the peer "make" writes TFLITE from the weights, by TensorFlow.
"""

import resource
import sys
import time

import numpy

peer, path, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
memory_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.perf_counter()
data = numpy.fromfile(path, dtype="<f4")
parts, at = [], 0
for shape in ((784, 128), (128,), (128, 10), (10,)):
    size = int(numpy.prod(shape))
    parts.append(data[at : at + size].reshape(shape))
    at += size
w1, b1, w2, b2 = parts
x = (numpy.arange(784, dtype=numpy.float32) % 17 / 17).reshape(1, 784)


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
    fastest, best = None, None
    for candidate in (net, traced):
        for _ in range(200):
            candidate(t)
        start = time.perf_counter()
        for _ in range(500):
            candidate(t)
        took = time.perf_counter() - start
        if fastest is None or took < fastest:
            fastest, best = took, candidate

    def call():
        out["y"] = best(t)

    return call, lambda: out["y"].detach().numpy()


def litert_call():
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=sys.argv[4], num_threads=1)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
    place = interpreter.get_output_details()[0]["index"]
    interpreter.invoke()
    native = interpreter._interpreter  # behind the wrapper's checks
    return (lambda: native.Invoke()), lambda: interpreter.get_tensor(place)


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


call, result = {"onnxruntime": onnxruntime_call, "torch": torch_call, "litert": litert_call, "make": make}[peer]()
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
