"""The models of ../shapes.lua in PyTorch, by their names: functions that make one. The larger are in known_torch.py."""

import known_torch
import torch
from torch import nn
from torch.nn import functional


def dense(widths, activation):
    layers, width = [], 784
    for next_width in widths:
        layers += [nn.Linear(width, next_width), activation()]
        width = next_width
    return nn.Sequential(*layers, nn.Linear(width, 10))


def norm():
    layers, width = [], 784
    for _ in range(2):
        layers += [nn.Linear(width, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Dropout(0.2)]
        width = 256
    return nn.Sequential(*layers, nn.Linear(width, 10))


class Recurrent(nn.Module):
    def __init__(self, kind, inputs, units):
        super().__init__()
        self.cells, self.logits = kind(inputs, units, batch_first=True), nn.Linear(units, 10)

    def forward(self, x):
        return self.logits(self.cells(x)[0][:, -1])


def convolve(inputs, filters, strides, size):
    return nn.Sequential(nn.Conv2d(inputs, filters, size, strides, size // 2, bias=False), nn.BatchNorm2d(filters))


class Block(nn.Module):
    def __init__(self, inputs, filters):
        super().__init__()
        strides = 1 if inputs == filters else 2
        self.around = nn.Identity() if strides == 1 else convolve(inputs, filters, strides, 1)
        self.first, self.second = convolve(inputs, filters, strides, 3), convolve(filters, filters, 1, 3)

    def forward(self, x):
        return functional.relu(self.second(functional.relu(self.first(x))) + self.around(x))


def resnet(channels=1, blocks=2):
    layers, before = [convolve(channels, 16, 1, 3), nn.ReLU()], 16
    for filters in (16, 32, 64):
        for _ in range(blocks):
            layers.append(Block(before, filters))
            before = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 10))


def mobile():
    layers, before = [convolve(1, 32, 1, 3), nn.ReLU()], 32
    for filters, strides in ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1)):
        layers += [nn.Conv2d(before, before, 3, strides, 1, groups=before, bias=False), nn.BatchNorm2d(before),
                   nn.ReLU(), convolve(before, filters, 1, 1), nn.ReLU()]
        before = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 10))


def convae():
    return nn.Sequential(nn.Conv2d(1, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(),
                         nn.ConvTranspose2d(32, 16, 3, 2, 1, 1), nn.ReLU(),
                         nn.ConvTranspose2d(16, 1, 3, 2, 1, 1), nn.Sigmoid())


MODELS = {"small": lambda: dense([128], nn.ReLU), "odd": lambda: dense([500, 300], nn.Tanh), "norm": norm,
          "lstm": lambda: Recurrent(nn.LSTM, 28, 128), "resnet": resnet, "convae": convae, "mobile": mobile,
          "row": lambda: dense([512, 512], nn.ReLU), "lstm256": lambda: Recurrent(nn.LSTM, 128, 256),
          "gru256": lambda: Recurrent(nn.GRU, 128, 256), "resnet20": lambda: resnet(3, 3), **known_torch.MODELS}


def optimizer(name, parameters):
    if name in ("norm", "resnet", "mobile", "resnet20", "resnet50", "mobilenet"):
        return torch.optim.SGD(parameters, 0.01, momentum=0.9)
    if name in ("vit", "bert", "gpt2"):
        return torch.optim.AdamW(parameters, 1e-3, weight_decay=0.004)
    return torch.optim.Adam(parameters, 1e-3)
