"""`accuracy_torch.py NAME PRECISION EPOCHS SEED` trains a workload with PyTorch and prints its accuracy on the
test data.

Weights begin as Keras' do (Glorot's uniform distribution, biases of zero), as ours.
"""

import json
import sys

import numpy
import torch
from common import BATCH, dataset
from models_torch import make_model, make_optimizer, to_tensors
from torch import nn
from torch.nn import functional

name, precision, epochs, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
torch.set_num_threads(2)
torch.manual_seed(seed)
model = make_model(name)
for layer in model.modules():
    if isinstance(layer, (nn.Linear, nn.Conv2d)):
        nn.init.xavier_uniform_(layer.weight)
        nn.init.zeros_(layer.bias)
optimizer = make_optimizer(name, model)
x, y = to_tensors(*dataset(name))
test_x, test_y = to_tensors(*dataset(name, "t10k"))
generator = numpy.random.default_rng(seed)
autocast = {"device_type": "cpu", "dtype": torch.bfloat16, "enabled": precision == "bf16"}
for _ in range(epochs):
    order = torch.from_numpy(generator.permutation(len(x)))
    for rows in order.split(BATCH[name]):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(**autocast):
            loss = functional.cross_entropy(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
with torch.no_grad(), torch.autocast(**autocast):
    right = sum((model(test_x[at:at + 1000]).argmax(1) == test_y[at:at + 1000]).sum().item()
                for at in range(0, len(test_x), 1000))
print(json.dumps({"peer": "torch " + torch.__version__, "accuracy": right / len(test_x)}))
