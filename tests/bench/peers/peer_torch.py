"""The workloads in PyTorch: `peer_torch.py NAME PRECISION [SECONDS]` prints one JSON line with the median
milliseconds of a step.

Same model, data, batch and optimizer as ../workloads.lua; rows are gathered through a shuffled index in each step.
"""

import shapes_torch
import torch
from common import arguments, dataset, measure
from models_torch import make_model, make_optimizer, to_tensors
from torch.nn import functional

name, precision, seconds = arguments()
torch.set_num_threads(2)
torch.manual_seed(1)
if name in shapes_torch.MODELS:
    model = shapes_torch.MODELS[name]().to(memory_format=torch.channels_last)
    optimizer = shapes_torch.optimizer(name, model.parameters())
else:
    model = make_model(name)
    optimizer = make_optimizer(name, model)
x, y = to_tensors(*dataset(name))
loss_of = functional.mse_loss if name == "convae" else functional.cross_entropy
y = x if name == "convae" else y


def step(rows):
    rows = torch.from_numpy(rows)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bf16"):
        loss = loss_of(model(x[rows]), y[rows])
    loss.backward()
    optimizer.step()


def predict(rows):
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bf16"):
        model(x[:1])


if name == "row":
    model.eval()
    step = predict
measure("torch " + torch.__version__, name, precision, seconds, step, len(x))
