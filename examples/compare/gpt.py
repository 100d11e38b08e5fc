"""examples/gpt.lua with PyTorch: the same weights, batches and settings, in float32 or with autocast to bfloat16.

    gpt.py PATH/OF/moonpod [steps] [text file]

Moonpod's figures are those of the example's own policy, mixed_bfloat16. Without the flag --bfloat16 PyTorch computes in
float32.
"""

import argparse
import math
import os
import sys

os.environ["KERAS_BACKEND"] = "torch"  # TensorFlow and PyTorch do not load together

import torch
from common import Run
from torch import nn
from torch.nn import functional

LAYERS, WIDTH, HEADS, LENGTH = 4, 256, 4, 128


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.query, self.key, self.value, self.project = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.widen, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        y = self.first(x)
        parts = [part(y).view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
                 for part in (self.query, self.key, self.value)]
        mixed = functional.scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.project(mixed.transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.narrow(functional.gelu(self.widen(self.second(x))))


class Decoder(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks, self.last = nn.ModuleList(Block() for _ in range(LAYERS)), nn.LayerNorm(WIDTH)
        self.logits = nn.Linear(WIDTH, vocabulary)

    def forward(self, x):
        x = self.tokens(x) + self.places.weight
        for block in self.blocks:
            x = block(x)
        return self.logits(self.last(x))


def set_weights(model, weights):
    """Both list the weights in the order in which the model uses them; kernels are transposed to PyTorch's."""
    values = list(weights.values())
    own = [model.tokens.weight, model.places.weight]
    for block in model.blocks:
        for layer in (block.first, block.query, block.key, block.value, block.project, block.second, block.widen,
                      block.narrow):
            own += [layer.weight, layer.bias]
    own += [model.last.weight, model.last.bias, model.logits.weight, model.logits.bias]
    if len(own) != len(values):
        sys.exit(f"the example has {len(values)} weights, the model here {len(own)}")
    with torch.no_grad():
        for parameter, value in zip(own, values):
            value = torch.from_numpy(value.copy())
            if value.dim() == 3:  # heads apart: (width, heads, size) or (heads, size, width)
                value = value.reshape(WIDTH, WIDTH)
            linear = value.dim() == 2 and parameter is not own[0] and parameter is not own[1]
            parameter.copy_(value.reshape(-1) if parameter.dim() == 1 else value.T if linear else value)


def rate_at(step, steps):
    if step < 30:
        return 1e-4 + step / 30 * (1e-3 - 1e-4)
    return 1e-3 * 0.5 * (1 + math.cos(math.pi * min(step - 30, steps) / steps))


parser = argparse.ArgumentParser(description="Compares examples/gpt.lua with PyTorch.")
parser.add_argument("executable")
parser.add_argument("--bfloat16", action="store_true")
parser.add_argument("arguments", nargs="*")
given = parser.parse_args()
steps = int((given.arguments or ["300"])[0])
run = Run(given.executable, "gpt", given.arguments or ["300"])
model = Decoder(run.weights["embedding/embeddings"].shape[0])
set_weights(model, run.weights)
optimizer = torch.optim.AdamW(model.parameters(), 1e-3, eps=1e-7, weight_decay=0.01)


def losses_of(one, train):
    x, y = (torch.from_numpy(part.copy()).long() for part in one.parts)
    total = 0.0
    for at in range(0, len(x), one.rows):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=given.bfloat16):
            logits = model(x[at:at + one.rows])
        loss = functional.cross_entropy(logits.float().transpose(1, 2), y[at:at + one.rows])
        total += loss.item() * len(x[at:at + one.rows])
        if train:
            for group in optimizer.param_groups:
                group["lr"] = rate_at(losses_of.step, steps)
            losses_of.step += 1
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return total / len(x)


losses_of.step = 0
worst = 0.0
for epoch, one in enumerate(run.epochs("fit1"), 1):
    peer, own = losses_of(one, True), one.values["loss"]
    worst = abs(own - peer) / peer
    print(f"steps {losses_of.step:4}: loss moonpod {own:.5f}, torch {peer:.5f}, {100 * worst:.2f} % apart", flush=True)
with torch.no_grad():
    tested = run.at("evaluate1", 1)
    peer, own = losses_of(tested, False), tested.values["loss"]
worst = max(worst, abs(own - peer) / peer)
print(f"test loss: moonpod {own:.5f}, torch {peer:.5f}, {100 * abs(own - peer) / peer:.2f} % apart")
sys.exit("more than 2 % apart" if worst > 0.02 else 0)
