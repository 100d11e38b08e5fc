"""Known models in PyTorch as pod.applications has them, by the names of ../shapes.lua: functions that make one."""

import torch
from torch import nn
from torch.nn import functional


def convolved(inputs, filters, size, strides=1, linear=False):
    layers = [nn.Conv2d(inputs, filters, size, strides, size // 2), nn.BatchNorm2d(filters, eps=1.001e-5)]
    return nn.Sequential(*layers) if linear else nn.Sequential(*layers, nn.ReLU())


class Bottleneck(nn.Module):
    def __init__(self, inputs, filters, strides, is_first):
        super().__init__()
        self.around = convolved(inputs, 4 * filters, 1, strides, True) if is_first else nn.Identity()
        self.inner = nn.Sequential(convolved(inputs, filters, 1, strides), convolved(filters, filters, 3),
                                   convolved(filters, 4 * filters, 1, 1, True))

    def forward(self, x):
        return functional.relu(self.inner(x) + self.around(x))


def head(features):
    return nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(features, 1000)


def resnet50():
    layers, before = [convolved(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1)], 64
    for stage, count in enumerate((3, 4, 6, 3)):
        for i in range(count):
            layers.append(Bottleneck(before, 64 << stage, 2 if i == 0 and stage > 0 else 1, i == 0))
            before = 256 << stage
    return nn.Sequential(*layers, *head(before))


def normalized6(inputs, filters, size, strides=1, groups=1, linear=False):
    layers = [nn.Conv2d(inputs, filters, size, strides, size // 2, groups=groups, bias=False),
              nn.BatchNorm2d(filters, eps=1e-3)]
    return layers if linear else [*layers, nn.ReLU6()]


class Inverted(nn.Module):
    def __init__(self, inputs, filters, strides, expansion):
        super().__init__()
        wide, layers = expansion * inputs, []
        if expansion > 1:
            layers += normalized6(inputs, wide, 1)
        layers += normalized6(wide, wide, 3, strides, wide) + normalized6(wide, filters, 1, linear=True)
        self.inner, self.adds = nn.Sequential(*layers), inputs == filters and strides == 1

    def forward(self, x):
        return x + self.inner(x) if self.adds else self.inner(x)


def mobilenet():
    layers, before = normalized6(3, 32, 3, 2), 32
    for filters, count, strides in ((16, 1, 1), (24, 2, 2), (32, 3, 2), (64, 4, 2), (96, 3, 1), (160, 3, 2),
                                    (320, 1, 1)):
        for i in range(count):
            layers.append(Inverted(before, filters, strides if i == 0 else 1, 1 if filters == 16 else 6))
            before = filters
    return nn.Sequential(*layers, *normalized6(before, 1280, 1), *head(1280))


class Twice(nn.Sequential):
    def __init__(self, inputs, filters):
        super().__init__(nn.Conv2d(inputs, filters, 3, 1, 1), nn.ReLU(), nn.Conv2d(filters, filters, 3, 1, 1),
                         nn.ReLU())


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        sizes = [64 << depth for depth in range(5)]
        self.down = nn.ModuleList(Twice(a, b) for a, b in zip([1, *sizes], sizes))
        self.up = nn.ModuleList(nn.Conv2d(2 * size, size, 2) for size in sizes[3::-1])
        self.joined = nn.ModuleList(Twice(2 * size, size) for size in sizes[3::-1])
        self.last = nn.Sequential(nn.Conv2d(64, 2, 3, 1, 1), nn.ReLU(), nn.Conv2d(2, 1, 1))

    def forward(self, x):
        skips = []
        for depth, part in enumerate(self.down):
            x = part(functional.max_pool2d(x, 2) if depth > 0 else x)
            x = functional.dropout(x, 0.5, self.training) if depth >= 3 else x
            skips.append(x)
        for up, joined, skip in zip(self.up, self.joined, skips[3::-1]):
            x = functional.relu(up(functional.pad(functional.interpolate(x, scale_factor=2), (0, 1, 0, 1))))
            x = joined(torch.cat([skip, x], 1))
        return self.last(x)


class Block(nn.Module):
    """Of a transformer. before: whether it normalizes before each part, else behind their sums."""

    def __init__(self, width, heads, epsilon, before=True, causal=False):
        super().__init__()
        self.first, self.second = nn.LayerNorm(width, eps=epsilon), nn.LayerNorm(width, eps=epsilon)
        self.inputs, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.inner = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.heads, self.before, self.causal = heads, before, causal

    def attend(self, x, mask):
        batch, length, width = x.shape
        parts = self.inputs(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask, is_causal=self.causal)
        return self.project(mixed.transpose(1, 2).reshape(batch, length, width))

    def forward(self, x, mask=None):
        if self.before:
            x = x + self.attend(self.first(x), mask)
            return x + self.inner(self.second(x))
        x = self.first(x + self.attend(x, mask))
        return self.second(x + self.inner(x))


def table(rows, width):
    return nn.Parameter(0.02 * torch.randn(rows, width))


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.token = nn.Conv2d(3, 384, 16, 16), nn.Parameter(torch.zeros(1, 1, 384))
        self.places = table(197, 384)
        self.blocks = nn.Sequential(*(Block(384, 6, 1e-6) for _ in range(12)))
        self.last, self.logits = nn.LayerNorm(384, eps=1e-6), nn.Linear(384, 1000)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(len(x), 1, 384), x], 1) + self.places
        return self.logits(self.last(self.blocks(x))[:, 0])


class Gpt2(nn.Module):
    def __init__(self, length=256):
        super().__init__()
        self.tokens, self.places, self.last = table(50257, 768), table(length, 768), nn.LayerNorm(768, eps=1e-5)
        self.blocks = nn.Sequential(*(Block(768, 12, 1e-5, causal=True) for _ in range(12)))

    def forward(self, x):
        x = functional.dropout(functional.embedding(x, self.tokens) + self.places, 0.1, self.training)
        return functional.linear(self.last(self.blocks(x)), self.tokens).transpose(1, 2)


class NextToken(nn.Module):
    """What GPT-2 makes of one more token, whose place is 225: kept keys and values [24, 1, 12, 225, 64] are given, and
    new ones come back."""

    PLACES = 225

    def __init__(self):
        super().__init__()
        self.model = Gpt2()

    def forward(self, token, kept):
        model, new = self.model, []
        x = functional.embedding(token, model.tokens) + model.places[self.PLACES]
        for i, block in enumerate(model.blocks):
            query, *pair = block.inputs(block.first(x)).view(1, 1, 3, 12, 64).permute(2, 0, 3, 1, 4)
            keys, values = (torch.cat([kept[2 * i + j], pair[j]], 2) for j in range(2))
            mixed = functional.scaled_dot_product_attention(query, keys, values)
            x = x + block.project(mixed.transpose(1, 2).reshape(1, 1, 768))
            x = x + block.inner(block.second(x))
            new += pair
        return functional.linear(model.last(x), model.tokens), torch.stack(new)


class Bert(nn.Module):
    def __init__(self, length=128):
        super().__init__()
        self.tokens, self.segments, self.places = table(30522, 768), table(2, 768), table(length, 768)
        self.first, self.pool, self.logits = nn.LayerNorm(768, eps=1e-12), nn.Linear(768, 768), nn.Linear(768, 2)
        self.blocks = nn.ModuleList(Block(768, 12, 1e-12, before=False) for _ in range(12))

    def forward(self, x):
        tokens, segments, mask = x.unbind(1)
        x = functional.embedding(tokens, self.tokens) + functional.embedding(segments, self.segments) + self.places
        x = functional.dropout(self.first(x), 0.1, self.training)
        for block in self.blocks:
            x = block(x, (mask != 0)[:, None, None])
        return self.logits(torch.tanh(self.pool(x[:, 0])))


MODELS = {"resnet50": resnet50, "mobilenet": mobilenet, "unet": Unet, "vit": Vit, "gpt2": Gpt2, "bert": Bert}
