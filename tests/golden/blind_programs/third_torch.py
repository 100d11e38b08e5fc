"""The third blind set: programs of PyTorch/XLA."""
import os

os.environ.setdefault("PJRT_DEVICE", "CPU")

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

LONG, F32 = torch.long, torch.float32


def classes_loss(net, x, y):
    return F.cross_entropy(net(x), y)


# ---- words -----------------------------------------------------------------------------------------------------------


class Block(nn.Module):
    """A layer of a GPT or, where nothing is causal, of an encoder."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.o = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n, t, c = x.shape
        q, k, v = (z.view(n, t, self.heads, -1).transpose(1, 2) for z in self.qkv(self.n1(x)).split(c, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        x = x + self.o(y.transpose(1, 2).reshape(n, t, c))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Words(nn.Module):
    def __init__(self, layers, width, heads, vocab, tokens, causal=True):
        super().__init__()
        self.words, self.places = nn.Embedding(vocab, width), nn.Embedding(tokens, width)
        self.blocks = nn.ModuleList(Block(width, heads, causal) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)

    def body(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.size(1), device=ids.device))
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, ids):
        return self.head(self.body(ids))


def next_words(batch=32, tokens=1024, layers=3, width=1024, heads=16, vocab=50304):
    """Float32 weights, autocast to bfloat16, logits shifted by slices as Hugging Face has them; AdamW."""
    def loss(net, ids):
        with torch.autocast("xla", dtype=torch.bfloat16):
            logits = net(ids)
        return F.cross_entropy(logits[:, :-1].float().reshape(-1, vocab), ids[:, 1:].reshape(-1))

    return Words(layers, width, heads, vocab, tokens), lambda p: torch.optim.AdamW(p, lr=3e-4), loss, batch, [
        ((tokens,), LONG)]


class Tuned(nn.Module):
    """Everything but the last layer's adapters is held."""

    def __init__(self, layers, width, heads, vocab, tokens, rank, kinds):
        super().__init__()
        self.net = Words(layers, width, heads, vocab, tokens, causal=False)
        for weight in self.net.parameters():
            weight.requires_grad_(False)
        self.down, self.up, self.kinds = nn.Linear(width, rank), nn.Linear(rank, width), nn.Linear(width, kinds)

    def forward(self, ids):
        x = self.net.body(ids)
        return self.kinds((x + self.up(torch.tanh(self.down(x)))).amax(1))


def adapters_tuned(batch=256, tokens=512, layers=4, width=1024, heads=16, vocab=30522):
    """A held encoder in float32 with an adapter and a head that learn; Adam."""
    net = Tuned(layers, width, heads, vocab, tokens, 64, 20)
    learned = [*net.down.parameters(), *net.up.parameters(), *net.kinds.parameters()]
    return net, lambda p: torch.optim.Adam(learned, lr=1e-3), classes_loss, batch, [((tokens,), LONG), ((), LONG)]


class Pairs(nn.Module):
    def __init__(self, width=768, layers=3):
        super().__init__()
        self.text = Words(layers, width, 12, 49408, 77)
        self.patch = nn.Conv2d(3, width, 16, 16)
        self.places = nn.Parameter(torch.zeros(1, 196, width))
        self.blocks = nn.ModuleList(Block(width, 12, False) for _ in range(layers))
        self.seen, self.told = nn.Linear(width, 512, bias=False), nn.Linear(width, 512, bias=False)

    def forward(self, pictures, ids):
        x = self.patch(pictures).flatten(2).transpose(1, 2) + self.places
        for block in self.blocks:
            x = block(x)
        x, y = F.normalize(self.seen(x.mean(1)), dim=-1), F.normalize(self.told(self.text.body(ids)[:, -1]), dim=-1)
        return (100 * x @ y.t()).softmax(-1)


def pictures_named(batch=1024):
    """Pictures and texts in bfloat16: chances of each text for each picture."""
    return Pairs().eval().bfloat16(), None, None, batch, [((3, 224, 224), torch.bfloat16), ((77,), LONG)]


# ---- pictures --------------------------------------------------------------------------------------------------------


def conv(inputs, width, stride=1, kernel=3):
    return nn.Sequential(nn.Conv2d(inputs, width, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(width))


class Residual(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.a, self.b, self.short = conv(inputs, width, stride), conv(width, width), conv(inputs, width, stride, 1)

    def forward(self, x):
        return F.relu(self.b(F.relu(self.a(x))) + self.short(x))


class Residuals(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = conv(3, 64, 2, 7)
        self.body = nn.Sequential(*(Residual(a, b, s) for a, b, s in (
            (64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2))))
        self.head = nn.Linear(512, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.stem(x)), 3, 2, 1)
        return self.head(self.body(x).mean((2, 3)))


def birds_told(batch=512, size=224):
    """A small ResNet in float32, channels first; SGD with weight decay."""
    return Residuals(200), lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=1e-4), classes_loss, batch, [
        ((3, size, size), F32), ((), LONG)]


class Doubled(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.body = nn.Sequential(conv(inputs, width), nn.ReLU(), conv(width, width), nn.ReLU())

    def forward(self, x):
        return self.body(x)


class Roads(nn.Module):
    """A U-Net with batch norms and transposed convolutions."""

    def __init__(self, widths=(32, 64, 128, 256)):
        super().__init__()
        self.down = nn.ModuleList(Doubled(a, b) for a, b in zip((3, *widths), widths))
        self.turned = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in zip(widths, widths[1:]))
        self.up = nn.ModuleList(Doubled(2 * a, a) for a in widths[:-1])
        self.out = nn.Conv2d(widths[0], 1, 1)

    def forward(self, x):
        kept = []
        for n, block in enumerate(self.down):
            x = block(F.max_pool2d(x, 2) if n else x)
            kept.append(x)
        for turned, up, skip in zip(reversed(self.turned), reversed(self.up), reversed(kept[:-1])):
            x = up(torch.cat([skip, turned(x)], 1))
        return self.out(x)


def roads_found(batch=64, size=256):
    """Masks of roads by a U-Net, channels first; RMSprop with momentum, as a well-known repository has it."""
    return Roads(), lambda p: torch.optim.RMSprop(p, lr=1e-5, momentum=0.999, weight_decay=1e-8), (
        lambda net, x, y: F.binary_cross_entropy_with_logits(net(x), y)), batch, [
            ((3, size, size), F32), ((1, size, size), F32)]


def roads_looked_at(batch=64, size=512):
    """The same net looks: masks of large pictures."""
    return Roads().eval(), None, None, batch, [((3, size, size), F32)]


# ---- others ----------------------------------------------------------------------------------------------------------


class Forecast(nn.Module):
    """Patches of many series, each by itself (PatchTST's kind)."""

    def __init__(self, patch=16, width=256, layers=3, ahead=96, patches=32):
        super().__init__()
        self.patch, self.into = patch, nn.Linear(patch, width)
        self.places = nn.Parameter(torch.zeros(1, patches, width))
        self.blocks = nn.ModuleList(Block(width, 8, False) for _ in range(layers))
        self.out = nn.Linear(patches * width, ahead)

    def forward(self, x):
        n, t, c = x.shape
        mean, wide = x.mean(1, keepdim=True), x.std(1, keepdim=True) + 1e-5
        z = ((x - mean) / wide).transpose(1, 2).reshape(n * c, t // self.patch, self.patch)
        z = self.into(z) + self.places
        for block in self.blocks:
            z = block(z)
        return self.out(z.flatten(1)).view(n, c, -1).transpose(1, 2) * wide + mean


def load_forecast(batch=64, series=321, steps=512):
    """What 321 users of electricity take next; float32, AdamW."""
    return Forecast(patches=steps // 16), lambda p: torch.optim.AdamW(p, lr=1e-4), (
        lambda net, x, y: F.mse_loss(net(x), y)), batch, [((steps, series), F32), ((96, series), F32)]


class Ranked(nn.Module):
    """Columns of kinds by tables, numbers beside them, layers with batch norms."""

    def __init__(self, tables=12, rows=200000, width=64, numbers=20):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, width) for _ in range(tables))
        sizes = (tables * width + numbers, 2048, 1024, 512)
        self.body = nn.Sequential(*(layer for a, b in zip(sizes, sizes[1:]) for layer in (
            nn.Linear(a, b), nn.BatchNorm1d(b), nn.ReLU())))
        self.out = nn.Linear(512, 1)

    def forward(self, ids, numbers):
        x = torch.cat([*(table(ids[:, n]) for n, table in enumerate(self.tables)), numbers], 1)
        return self.out(self.body(x))[:, 0]


def offers_ranked(batch=65536):
    """Twelve tables and a deep part, binary cross-entropy, Adagrad."""
    return Ranked(), lambda p: torch.optim.Adagrad(p, lr=0.01), (
        lambda net, ids, x, y: F.binary_cross_entropy_with_logits(net(ids, x), y)), batch, [
            ((12,), LONG), ((20,), F32), ((), F32)]
