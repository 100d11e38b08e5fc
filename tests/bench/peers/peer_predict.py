"""Predictions of the workloads: `peer_predict.py NAME ROWS SECONDS torch | onnxruntime FOLDER` prints one JSON line
with the median milliseconds, in f32 on two threads. ONNX Runtime runs what PyTorch exports, which is kept in FOLDER.
ROWS may be "token": what GPT-2 makes of the next token, with the keys and values of those before kept.
"""

import json
import os
import resource
import sys
import time

import numpy
import shapes_torch
import torch
from common import dataset
from known_torch import NextToken
from models_torch import make_model, to_tensors

name, count, seconds, peer, folder = sys.argv[1], sys.argv[2], float(sys.argv[3]), *sys.argv[4:]
torch.set_num_threads(2)
torch.manual_seed(1)
if count == "token":
    rows, model = 1, NextToken().eval()
    inputs = torch.tensor([[5]]), torch.randn(24, 1, 12, NextToken.PLACES, 64)
else:
    rows = int(count)
    model = (shapes_torch.MODELS[name]() if name in shapes_torch.MODELS else make_model(name)).eval()
    images, labels = dataset(name)
    inputs = to_tensors(numpy.resize(images[:rows], (rows, *images.shape[1:])), labels[:rows])[:1]


def exported():
    """A function that predicts by ONNX Runtime, and its version."""
    import onnxruntime

    path = f"{folder}/{name}_{count}.onnx"
    if not os.path.exists(path):
        torch.onnx.export(model, tuple(x.contiguous() for x in inputs), path, dynamo=True, verbose=False)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = 2, 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feed = {one.name: x.contiguous().numpy() for one, x in zip(session.get_inputs(), inputs)}
    return lambda: session.run(None, feed), "onnxruntime " + onnxruntime.__version__


with torch.inference_mode():
    if inputs[0].dim() == 4:
        model = model.to(memory_format=torch.channels_last)
    predict, version = exported() if peer == "onnxruntime" else (lambda: model(*inputs), "torch " + torch.__version__)
    for _ in range(3):
        predict()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        begin = time.perf_counter()
        predict()
        times.append((time.perf_counter() - begin) * 1e3)
print(json.dumps({"peer": version, "workload": name, "batch": rows, "step_ms": round(sorted(times)[len(times) // 2], 4),
                  "first_step_s": 0, "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
