"""Weights of PyTorch with what its modules predict, and PyTorch reading weights of Moonpod.

    python tests/golden/torch_files.py write DIRECTORY   makes tests/golden/torch_files: NAME.safetensors and, with
                                                         inputs and predictions, NAME.npz
    python tests/golden/torch_files.py read DIRECTORY    loads NAME.safetensors, which Moonpod wrote, into the module
                                                         and predicts what NAME.npz says: tests/lua/torch_files_spec.lua
"""
import os
import sys

import numpy as np
import safetensors.torch
import torch
from torch import nn


class Dense(nn.Module):
    shape = (3, 6)

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.slope = nn.Linear(6, 5), nn.BatchNorm1d(5), nn.PReLU(5)
        self.layer_norm, self.rms = nn.LayerNorm(5, eps=1e-3), nn.RMSNorm(5, eps=1e-6)
        self.last = nn.Linear(5, 2, bias=False)

    def forward(self, x):
        return self.last(self.rms(self.layer_norm(self.slope(self.norm(self.first(x))))))


class Images(nn.Module):
    """Channels come last, as Moonpod has them."""
    shape = (3, 7, 6, 4)

    def __init__(self):
        super().__init__()
        self.conv, self.groups = nn.Conv2d(4, 6, (3, 2)), nn.GroupNorm(3, 6, eps=1e-3)
        self.depthwise, self.up = nn.Conv2d(6, 12, 2, groups=6), nn.ConvTranspose2d(12, 3, 3, stride=2)

    def forward(self, x):
        x = self.depthwise(torch.relu(self.groups(self.conv(x.permute(0, 3, 1, 2)))))
        return self.up(x).permute(0, 2, 3, 1)


class Lines(nn.Module):
    shape = (2, 9, 3)

    def __init__(self):
        super().__init__()
        self.conv, self.up = nn.Conv1d(3, 5, 3, dilation=2), nn.ConvTranspose1d(5, 2, 2)

    def forward(self, x):
        return self.up(self.conv(x.transpose(1, 2))).transpose(1, 2)


class Volumes(nn.Module):
    shape = (2, 4, 5, 4, 2)

    def __init__(self):
        super().__init__()
        self.conv, self.up = nn.Conv3d(2, 3, 2), nn.ConvTranspose3d(3, 2, 2)

    def forward(self, x):
        return self.up(self.conv(x.permute(0, 4, 1, 2, 3))).permute(0, 2, 3, 4, 1)


class Words(nn.Module):
    shape = (3, 5)

    def __init__(self):
        super().__init__()
        self.words, self.lstm = nn.Embedding(9, 4), nn.LSTM(4, 6, batch_first=True)
        self.gru, self.rnn = nn.GRU(6, 5, batch_first=True), nn.RNN(5, 3, batch_first=True)

    def forward(self, x):
        return self.rnn(self.gru(self.lstm(self.words(x))[0])[0])[0]


class BothWays(nn.Module):
    shape = (3, 5, 4)

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 3, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(6, 2, batch_first=True, bidirectional=True)
        self.plain = nn.LSTM(4, 3, batch_first=True, bias=False)

    def forward(self, x):
        return self.plain(self.gru(self.lstm(x)[0])[0])[0]


class Attention(nn.Module):
    shape = (2, 5, 6)

    def __init__(self):
        super().__init__()
        self.own, self.norm = nn.MultiheadAttention(6, 2, batch_first=True), nn.LayerNorm(6, eps=1e-3)
        self.narrow = nn.Linear(6, 4)
        self.other = nn.MultiheadAttention(6, 3, batch_first=True, kdim=4, vdim=4)
        self.block = nn.ModuleDict({"wide": nn.Linear(6, 8), "back": nn.Linear(8, 6)})

    def forward(self, x):
        x = self.norm(x + self.own(x, x, x)[0])
        y = self.narrow(x)
        x = self.other(x, y, y)[0]
        return self.block["back"](torch.relu(self.block["wide"](x)))


MODULES = [Dense, Images, Lines, Volumes, Words, BothWays, Attention]


def run(module, x):
    with torch.no_grad():
        return module.eval()(torch.from_numpy(x)).numpy()


def write(directory):
    for i, make in enumerate(MODULES):
        torch.manual_seed(i)
        module, random = make(), np.random.default_rng(i)
        for name, value in module.state_dict().items():
            if value.dtype == torch.float32:
                value.copy_(value + torch.rand(value.shape) * (1 if "var" in name else 0.3))
        x = random.integers(0, 9, make.shape) if make is Words else random.normal(size=make.shape).astype("float32")
        path = os.path.join(directory, make.__name__.lower())
        safetensors.torch.save_file(module.state_dict(), path + ".safetensors")
        np.savez_compressed(path + ".npz", x=x, y=run(module, x))


def read(directory):
    for i, make in enumerate(MODULES):
        torch.manual_seed(100 + i)
        path = os.path.join(directory, make.__name__.lower())
        module, arrays = make(), np.load(path + ".npz")
        module.load_state_dict(safetensors.torch.load_file(path + ".safetensors"), strict=True)
        found, wanted = run(module, arrays["x"]), arrays["y"]
        error = np.abs(found - wanted)
        worst = float((error / np.maximum(1e-6, np.abs(wanted) * 1e-5)).max())
        print("%s %.3f %s" % (make.__name__.lower(), worst, "ok" if worst <= 1 else "DIFFERS"))


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](sys.argv[2])
