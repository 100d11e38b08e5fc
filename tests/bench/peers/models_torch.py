"""The models of ../models.lua in PyTorch: images are channels-last."""

import torch
from common import HEADS, LAYERS, LENGTH, VOCABULARY, WIDTH, WIDTHS
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.heads, self.project = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.widen, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        parts = self.heads(self.first(x)).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.project(mixed.transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.narrow(functional.gelu(self.widen(self.second(x))))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks, self.last = nn.ModuleList(Block() for _ in range(LAYERS)), nn.LayerNorm(WIDTH)
        self.logits = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, x):
        x = self.tokens(x) + self.places.weight
        for block in self.blocks:
            x = block(x)
        return self.logits(self.last(x)).transpose(1, 2)


def make_model(name):
    if name == "w4":
        return Decoder()
    if name in WIDTHS:
        layers, width = [], 784
        for next_width in WIDTHS[name]:
            layers += [nn.Linear(width, next_width), nn.ReLU()]
            width = next_width
        return nn.Sequential(*layers, nn.Linear(width, 10))
    model = nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, padding=1),
                          nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(3136, 128), nn.ReLU(), nn.Linear(128, 10))
    return model.to(memory_format=torch.channels_last)


def make_optimizer(name, model):
    return (torch.optim.AdamW if name == "w4" else torch.optim.Adam)(model.parameters(), 1e-3)


def to_tensors(x, y):
    """NumPy's arrays as the models take them: channels-last strides as they are."""
    x, y = torch.from_numpy(x), torch.from_numpy(y).long()
    return (x.permute(0, 3, 1, 2) if x.dim() == 4 else x), y
