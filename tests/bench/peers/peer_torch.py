"""The workloads in PyTorch: `peer_torch.py NAME PRECISION [SECONDS [eager | compiled]]` prints one JSON line with the
median milliseconds of a step.

Same model, data, batch and optimizer as ../workloads.lua; rows are gathered through a shuffled index in each step.
Without the last argument what is fastest goes through torch.compile: w4.
"""

import sys

import shapes_torch
import torch
from common import arguments, dataset, measure
from models_torch import make_model, make_optimizer, to_tensors
from torch import nn
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
parameters = sum(one.numel() for one in model.parameters())
x, y = to_tensors(*dataset(name))
loss_of = functional.mse_loss if name == "convae" else functional.cross_entropy
y = x if name == "convae" else y
if name == "unet":
    loss_of, y = functional.binary_cross_entropy_with_logits, y.permute(0, 3, 1, 2).float()


@torch.no_grad()
def initialize(part):
    """As Keras does."""
    if isinstance(part, (nn.Linear, nn.Conv2d)):
        (nn.init.kaiming_normal_ if name == "unet" else nn.init.xavier_uniform_)(part.weight)
        if part.bias is not None:
            part.bias.zero_()
    elif isinstance(part, nn.Embedding):
        part.weight.uniform_(-0.05, 0.05)
    elif isinstance(part, (nn.LSTM, nn.GRU)):
        nn.init.xavier_uniform_(part.weight_ih_l0)
        nn.init.orthogonal_(part.weight_hh_l0)
        part.bias_ih_l0.zero_()
        part.bias_hh_l0.zero_()
        if isinstance(part, nn.LSTM):
            part.bias_ih_l0[part.hidden_size:2 * part.hidden_size] = 1


if seconds == "check":
    model.apply(initialize)
    # An LSTM has one bias elsewhere.
    parameters -= sum(one.bias_hh_l0.numel() for one in model.modules() if isinstance(one, nn.LSTM))
way = sys.argv[4] if len(sys.argv) > 4 else "compiled" if name == "w4" else "eager"
if way == "compiled":
    model = torch.compile(model)


def step(rows):
    rows = torch.from_numpy(rows)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bf16"):
        loss = loss_of(model(x[rows]), y[rows])
    loss.backward()
    optimizer.step()
    return loss


def predict(rows):
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bf16"):
        model(x[:1])


if name == "row":
    model.eval()
    step = predict
measure("torch " + torch.__version__, name, precision, seconds, step, len(x), parameters)
