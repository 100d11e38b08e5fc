"""The workloads in PyTorch: `peer_torch.py NAME PRECISION` prints one JSON line with the median milliseconds of a step.

Same model, data, batch and optimizer as ../workloads.lua; rows are gathered through a shuffled index in each step.
"""

import gzip
import json
import resource
import sys
import time

import torch

name, precision = sys.argv[1], sys.argv[2]
WIDTHS = {"w1": [128], "w2": [1024, 1024]}[name]
STEPS, BATCH = {"w1": 600, "w2": 150}[name], 1024
FOLDER = "/usr/share/datasets/fashion-mnist/"

torch.set_num_threads(2)
torch.manual_seed(1)


def read(file, offset):
    data = gzip.open(FOLDER + file).read()[offset:]
    return torch.frombuffer(bytearray(data), dtype=torch.uint8)


images = read("train-images-idx3-ubyte.gz", 16).reshape(60000, 784).float() / 255
labels = read("train-labels-idx1-ubyte.gz", 8).long()
layers, width = [], 784
for next_width in WIDTHS:
    layers += [torch.nn.Linear(width, next_width), torch.nn.ReLU()]
    width = next_width
model = torch.nn.Sequential(*layers, torch.nn.Linear(width, 10))
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
times, order = [], torch.randperm(60000)
for step in range(STEPS):
    if step % 58 == 0:
        order = torch.randperm(60000)
    begin = time.perf_counter()
    rows = order[step % 58 * BATCH:(step % 58 + 1) * BATCH]
    x, y = images[rows], labels[rows]
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bf16"):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    times.append((time.perf_counter() - begin) * 1e3)
times = sorted(times[20:])
median = times[len(times) // 2]
print(json.dumps({"peer": "torch " + torch.__version__, "workload": name, "precision": precision, "batch": BATCH,
                  "step_ms": round(median, 4), "samples_per_s": round(BATCH / median * 1e3),
                  "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
