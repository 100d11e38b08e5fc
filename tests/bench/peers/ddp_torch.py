"""A process of `./dev bench mpi`: `ddp_torch.py NAME PRECISION STEPS RANK COUNT PORT` trains a workload in PyTorch's
DistributedDataParallel over gloo, on one thread. Rank 0 prints one JSON line with the median milliseconds of a step.
"""

import json
import sys
import time

import numpy
import shapes_torch
import torch
import torch.distributed
from common import BATCH, dataset
from models_torch import make_model, make_optimizer, to_tensors
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

name, precision = sys.argv[1:3]
steps, rank, count, port = map(int, sys.argv[3:])
WARM = 5
torch.set_num_threads(1)
torch.manual_seed(1)
torch.distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=count)
is_shape = name in shapes_torch.MODELS
made = shapes_torch.MODELS[name]() if is_shape else make_model(name)
optimizer = shapes_torch.optimizer(name, made.parameters()) if is_shape else make_optimizer(name, made)
model = DistributedDataParallel(made)
x, y = to_tensors(*dataset(name))
batch = BATCH[name]
own = batch // count
generator = numpy.random.default_rng(1)
order, at, times = generator.permutation(len(x)), 0, []
for _ in range(WARM + steps):
    if at + batch > len(x):
        order, at = generator.permutation(len(x)), 0
    begin = time.perf_counter()
    rows = torch.from_numpy(order[at + rank * own:at + (rank + 1) * own])
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bf16"):
        loss = functional.cross_entropy(model(x[rows]), y[rows])
    loss.backward()
    optimizer.step()
    times.append((time.perf_counter() - begin) * 1e3)
    at += batch
if rank == 0:
    times = sorted(times[WARM:])
    print(json.dumps({"peer": "torch " + torch.__version__, "workload": name,
                      "step_ms": round(times[len(times) // 2], 4)}))
torch.distributed.destroy_process_group()
