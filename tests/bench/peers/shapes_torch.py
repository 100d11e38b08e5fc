"""The models of ../shapes.lua in PyTorch, by their names: functions that make one."""

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


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells, self.logits = nn.LSTM(28, 128, batch_first=True), nn.Linear(128, 10)

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


def resnet():
    layers, before = [convolve(1, 16, 1, 3), nn.ReLU()], 16
    for filters in (16, 32, 64):
        for _ in range(2):
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
          "lstm": Lstm, "resnet": resnet, "convae": convae, "mobile": mobile,
          "row": lambda: dense([512, 512], nn.ReLU)}


def optimizer(name, parameters):
    if name in ("norm", "resnet", "mobile"):
        return torch.optim.SGD(parameters, 0.01, momentum=0.9)
    return torch.optim.Adam(parameters, 1e-3)
