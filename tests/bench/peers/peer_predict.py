"""Predictions of the workloads: `peer_predict.py NAME ROWS SECONDS torch | onnxruntime FOLDER` prints one JSON line
with the median milliseconds, in f32 on two threads. ONNX Runtime runs what PyTorch exports, which is kept in FOLDER.
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
from models_torch import make_model, to_tensors

name, rows, seconds, peer, folder = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:]
torch.set_num_threads(2)
torch.manual_seed(1)
model = (shapes_torch.MODELS[name]() if name in shapes_torch.MODELS else make_model(name)).eval()
images, labels = dataset(name)
x, _ = to_tensors(numpy.resize(images[:rows], (rows, *images.shape[1:])), labels[:rows])


def exported():
    """A function that predicts by ONNX Runtime, and its version."""
    import onnxruntime

    path = f"{folder}/{name}_{rows}.onnx"
    if not os.path.exists(path):
        torch.onnx.export(model, (x.contiguous(),), path, dynamo=True, verbose=False)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = 2, 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feed = {session.get_inputs()[0].name: x.contiguous().numpy()}
    return lambda: session.run(None, feed), "onnxruntime " + onnxruntime.__version__


with torch.inference_mode():
    if x.dim() == 4:
        model = model.to(memory_format=torch.channels_last)
    predict, version = exported() if peer == "onnxruntime" else (lambda: model(x), "torch " + torch.__version__)
    for _ in range(3):
        predict()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        begin = time.perf_counter()
        predict()
        times.append((time.perf_counter() - begin) * 1e3)
print(json.dumps({"peer": version, "workload": name, "batch": rows, "step_ms": round(sorted(times)[len(times) // 2], 4),
                  "first_step_s": 0, "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
