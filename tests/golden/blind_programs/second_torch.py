"""The second blind set: programs of PyTorch/XLA."""
import os

os.environ.setdefault("PJRT_DEVICE", "CPU")

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402


# ---- words -----------------------------------------------------------------------------------------------------------


class Translator(nn.Module):
    """torch.nn.Transformer as it is, with dropout."""

    def __init__(self, vocab, width, heads, layers):
        super().__init__()
        self.left, self.right = nn.Embedding(vocab, width), nn.Embedding(vocab, width)
        self.body = nn.Transformer(width, heads, layers, layers, 4 * width, 0.1, batch_first=True)
        self.out = nn.Linear(width, vocab)
        self.register_buffer("places", torch.zeros(1, 512, width))

    def forward(self, source, target):
        later = torch.triu(torch.ones(target.size(1), target.size(1), device=target.device), 1).bool()
        x = self.left(source) * 32.0 + self.places[:, :source.size(1)]
        y = self.right(target) * 32.0 + self.places[:, :target.size(1)]
        return self.out(self.body(x, y, tgt_mask=later, src_key_padding_mask=source == 0,
                                  tgt_key_padding_mask=target == 0, memory_key_padding_mask=source == 0))


def translation(batch=256, tokens=128, vocab=32000, width=1024, heads=16, layers=2):
    """Float32, two layers each side, smoothed labels, Adam without decay."""
    def loss(net, source, target, wanted):
        return F.cross_entropy(net(source, target).flatten(0, 1), wanted.flatten(), ignore_index=0,
                               label_smoothing=0.1)

    words = ((tokens,), torch.long)
    return Translator(vocab, width, heads, layers), lambda p: torch.optim.Adam(
        p, lr=1e-4, betas=(0.9, 0.98), eps=1e-9), loss, batch, [words, words, words]


class LlamaLayer(nn.Module):
    def __init__(self, width, heads, groups, hidden):
        super().__init__()
        self.heads, self.groups, self.head = heads, groups, width // heads
        self.q, self.o = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.kv = nn.Linear(width, 2 * groups * self.head, bias=False)
        self.gate, self.up = nn.Linear(width, hidden, bias=False), nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)
        self.n1, self.n2 = nn.RMSNorm(width, 1e-5), nn.RMSNorm(width, 1e-5)

    def turn(self, x, cos, sin):
        a, b = x.chunk(2, -1)
        return x * cos + torch.cat([-b, a], -1) * sin

    def forward(self, x, cos, sin):
        n, t, _ = x.shape
        h = self.n1(x)
        q = self.q(h).view(n, t, self.heads, self.head).transpose(1, 2)
        k, v = self.kv(h).view(n, t, 2 * self.groups, self.head).transpose(1, 2).chunk(2, 1)
        many = self.heads // self.groups
        k = self.turn(k, cos, sin).repeat_interleave(many, 1)
        y = F.scaled_dot_product_attention(self.turn(q, cos, sin), k, v.repeat_interleave(many, 1), is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(n, t, -1))
        h = self.n2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Llama(nn.Module):
    def __init__(self, layers, width, heads, groups, hidden, vocab, tokens):
        super().__init__()
        self.embed, self.head = nn.Embedding(vocab, width), nn.Linear(width, vocab, bias=False)
        self.layers = nn.ModuleList(LlamaLayer(width, heads, groups, hidden) for _ in range(layers))
        self.norm = nn.RMSNorm(width, 1e-5)
        half = width // heads // 2
        angle = torch.arange(tokens)[:, None] * 500000.0 ** (-torch.arange(half) / half)
        angle = torch.cat([angle, angle], -1)
        self.register_buffer("cos", angle.cos())
        self.register_buffer("sin", angle.sin())

    def forward(self, ids):
        from torch_xla.utils.checkpoint import checkpoint
        x = self.embed(ids)
        for layer in self.layers:
            x = checkpoint(layer, x, self.cos, self.sin, use_reentrant=True)
        return self.head(self.norm(x))


def checkpointed_llama(batch=44, tokens=2048, layers=4, width=1536, heads=12, groups=4, hidden=4096, vocab=32000):
    """Everything in bfloat16, layers by torch_xla's checkpoint, SGD with momentum as torchtune's smallest recipe."""
    def loss(net, ids, targets):
        return F.cross_entropy(net(ids).float().view(-1, vocab), targets.view(-1))

    words = ((tokens,), torch.long)
    net = Llama(layers, width, heads, groups, hidden, vocab, tokens).bfloat16()
    return net, lambda p: torch.optim.SGD(p, lr=1e-3, momentum=0.9), loss, batch, [words, words]


class AlibiLayer(nn.Module):
    """Attention with slopes for distances, of MPT's kind."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.o = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, bias):
        n, t, c = x.shape
        q, k, v = self.qkv(self.n1(x)).view(n, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = torch.softmax(torch.matmul(q, k.transpose(2, 3)) * (c // self.heads) ** -0.5 + bias, -1)
        x = x + self.o(torch.matmul(a, v).transpose(1, 2).reshape(n, t, c))
        return x + self.down(F.gelu(self.up(self.n2(x)), approximate="tanh"))


class AlibiModel(nn.Module):
    def __init__(self, layers, width, heads, vocab, tokens):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(AlibiLayer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)
        far = torch.arange(tokens)[None] - torch.arange(tokens)[:, None]
        bias = slopes[:, None, None] * far[None]
        self.register_buffer("bias", bias.masked_fill(far > 0, -1e9)[None])

    def divide(self):
        """Marks weights for a mesh of four times two devices, as torch_xla's SPMD is used."""
        import numpy
        import torch_xla.distributed.spmd as xs
        self.mesh = xs.Mesh(numpy.arange(8), (4, 2), ("fsdp", "tensor"))
        xs.mark_sharding(self.embed.weight, self.mesh, ("tensor", "fsdp"))
        for layer in self.layers:
            for linear, axes in ((layer.qkv, ("tensor", "fsdp")), (layer.o, ("fsdp", "tensor")),
                                 (layer.up, ("tensor", "fsdp")), (layer.down, ("fsdp", "tensor"))):
                xs.mark_sharding(linear.weight, self.mesh, axes)

    def forward(self, ids):
        import torch_xla.distributed.spmd as xs
        xs.mark_sharding(ids, self.mesh, ("fsdp", None))
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x, self.bias)
            xs.mark_sharding(x, self.mesh, ("fsdp", None, None))
        return F.linear(self.norm(x), self.embed.weight)


def spmd_alibi(batch=96, tokens=1024, layers=3, width=1024, heads=16, vocab=32768):
    """Weights along two axes of a mesh of eight devices, the batch along one; AdamW under autocast."""
    import torch_xla.runtime as xr
    import torch_xla.distributed.spmd as xs
    xr.use_spmd()

    def loss(net, ids, targets):
        xs.mark_sharding(targets, net.mesh, ("fsdp", None))
        with torch.autocast("xla", dtype=torch.bfloat16):
            logits = net(ids)
        return F.cross_entropy(logits.float().view(-1, vocab), targets.view(-1))

    words = ((tokens,), torch.long)
    return AlibiModel(layers, width, heads, vocab, tokens), lambda p: torch.optim.AdamW(p, lr=3e-4), loss, batch, [
        words, words]


class ProteinLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.out, self.n1, self.n2 = nn.Linear(width, width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, bias, cos, sin):
        n, t, c = x.shape
        h = self.n1(x)
        q, k, v = (m(h).view(n, t, self.heads, -1).transpose(1, 2) for m in (self.query, self.key, self.value))
        q, k = (z * cos + torch.cat([-z[..., z.shape[-1] // 2:], z[..., :z.shape[-1] // 2]], -1) * sin for z in (q, k))
        a = torch.softmax((q @ k.transpose(-1, -2)).float() * (c // self.heads) ** -0.5 + bias, -1)
        x = x + self.out((a.to(v.dtype) @ v).transpose(1, 2).reshape(n, t, c))
        h = self.up(self.n2(x))
        return x + self.down(h * 0.5 * (1.0 + torch.erf(h / 2 ** 0.5)))


class Protein(nn.Module):
    """ESM-2's kind: an encoder of amino acids with rotary positions; chances of each, and a mean."""

    def __init__(self, layers=6, width=1280, heads=20, tokens=1024):
        super().__init__()
        self.embed = nn.Embedding(33, width)
        self.layers = nn.ModuleList(ProteinLayer(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 33)
        half = width // heads // 2
        angle = torch.arange(tokens)[:, None] * 10000.0 ** (-torch.arange(half) / half)
        angle = torch.cat([angle, angle], -1)
        self.register_buffer("cos", angle.cos())
        self.register_buffer("sin", angle.sin())

    def forward(self, ids):
        real = ids != 1
        x = self.embed(ids) * real[..., None].to(self.embed.weight.dtype)
        bias = (~real).float()[:, None, None] * -1e9
        for layer in self.layers:
            x = layer(x, bias, self.cos, self.sin)
        x = self.norm(x)
        kept = real[..., None].to(x.dtype)
        return self.head(x).float().log_softmax(-1), (x * kept).sum(1) / kept.sum(1)


def proteins(batch=560, tokens=1024):
    """Embeddings of sequences of 1024, bfloat16 but for the softmax."""
    return Protein(tokens=tokens).eval().bfloat16(), None, None, batch, [((tokens,), torch.long)]


# ---- pictures --------------------------------------------------------------------------------------------------------


def conv(inputs, width, kernel=1, stride=1, groups=1, act=nn.SiLU):
    return nn.Sequential(nn.Conv2d(inputs, width, kernel, stride, kernel // 2, groups=groups, bias=False),
                         nn.BatchNorm2d(width, 1e-3, 0.03), act())


class Partial(nn.Module):
    """A cross stage partial block, as detectors have it."""

    def __init__(self, inputs, width, depth=1):
        super().__init__()
        self.a, self.b = conv(inputs, width // 2), conv(inputs, width // 2)
        self.inner = nn.ModuleList(nn.Sequential(conv(width // 2, width // 2), conv(width // 2, width // 2, 3))
                                   for _ in range(depth))
        self.out = conv(width, width)

    def forward(self, x):
        y = self.a(x)
        for layer in self.inner:
            y = y + layer(y)
        return self.out(torch.cat([y, self.b(x)], 1))


class Detector(nn.Module):
    """Of YOLO's kind: three sizes up and down, boxes of all of them, the hundred best."""

    def __init__(self, classes=80):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 32, 5, 2), conv(32, 64, 3, 2), Partial(64, 64))
        self.c3 = nn.Sequential(conv(64, 128, 3, 2), Partial(128, 128))
        self.c4 = nn.Sequential(conv(128, 256, 3, 2), Partial(256, 256))
        self.c5 = nn.Sequential(conv(256, 512, 3, 2), Partial(512, 512))
        self.squeeze, self.merge = conv(1024, 512), conv(512, 256)
        self.p4, self.thin, self.p3 = Partial(512, 256), conv(256, 128), Partial(256, 128)
        self.heads = nn.ModuleList(nn.Conv2d(w, 5 + classes, 1) for w in (128, 256, 512))

    def forward(self, images):
        c3 = self.c3(self.stem(images))
        c4 = self.c4(c3)
        c5 = self.c5(c4)
        c5 = self.squeeze(torch.cat([c5, F.max_pool2d(c5, 5, 1, 2)], 1))
        p4 = self.p4(torch.cat([F.interpolate(self.merge(c5), scale_factor=2.0), c4], 1))
        p3 = self.p3(torch.cat([F.interpolate(self.thin(p4), scale_factor=2.0), c3], 1))
        found = torch.cat([h(x).flatten(2) for h, x in zip(self.heads, (p3, p4, c5))], 2).transpose(1, 2)
        scores, kinds = (found[..., 4:5].sigmoid() * found[..., 5:].sigmoid()).max(-1)
        best, at = scores.topk(100, 1)
        boxes = torch.gather(found[..., :4], 1, at[..., None].expand(-1, -1, 4))
        return boxes, best, torch.gather(kinds, 1, at)


def detector(batch=64, size=640):
    """Pictures of 640, float32, channels first."""
    return Detector().eval(), None, None, batch, [((3, size, size), torch.float32)]


class Excited(nn.Module):
    """RegNetY's block: grouped convolutions, squeezed and excited."""

    def __init__(self, inputs, width, stride, group):
        super().__init__()
        self.a, self.b = conv(inputs, width, act=nn.ReLU), conv(width, width, 3, stride, width // group, act=nn.ReLU)
        self.squeeze, self.excite = nn.Conv2d(width, inputs // 4, 1), nn.Conv2d(inputs // 4, width, 1)
        self.c = conv(width, width, act=nn.Identity)
        self.short = conv(inputs, width, 1, stride, act=nn.Identity) if stride > 1 else nn.Identity()

    def forward(self, x):
        y = self.b(self.a(x))
        gate = torch.sigmoid(self.excite(F.relu(self.squeeze(y.mean((2, 3), keepdim=True)))))
        return F.relu(self.c(y * gate) + self.short(x))


def excited_groups(batch=512, size=224):
    """Grouped convolutions under autocast; SGD with Nesterov's momentum and mixed labels."""
    layers, inputs = [conv(3, 32, 3, 2, act=nn.ReLU)], 32
    for width, depth in ((48, 1), (120, 1), (336, 2), (888, 1)):
        for n in range(depth):
            layers.append(Excited(inputs, width, 1 if n else 2, 24))
            inputs = width
    net = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))

    def loss(net, images, a, b, share):
        with torch.autocast("xla", dtype=torch.bfloat16):
            logits = net(images)
        logp = F.log_softmax(logits.float(), -1)
        return (share * F.nll_loss(logp, a, reduction="none") + (1 - share) * F.nll_loss(
            logp, b, reduction="none")).mean()

    return net, lambda p: torch.optim.SGD(p, lr=0.5, momentum=0.9, weight_decay=5e-5, nesterov=True), loss, batch, [
        ((3, size, size), torch.float32), ((), torch.long), ((), torch.long), ((), torch.float32)]


# ---- tables ----------------------------------------------------------------------------------------------------------


class FeatureTransformer(nn.Module):
    """FT-Transformer: each column a token, gated by ReLU, the first token answers."""

    def __init__(self, numbers, kinds, rows, width, heads, layers):
        super().__init__()
        self.scale, self.shift = (nn.Parameter(torch.zeros(numbers, width)) for _ in range(2))
        self.table, self.first = nn.Embedding(kinds * rows, width), nn.Parameter(torch.zeros(width))
        self.register_buffer("starts", torch.arange(kinds) * rows)
        self.attend = nn.ModuleList(nn.MultiheadAttention(width, heads, batch_first=True) for _ in range(layers))
        self.up = nn.ModuleList(nn.Linear(width, 2 * width) for _ in range(layers))
        self.down = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.n1 = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.n2 = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.head = nn.Linear(width, 1)

    def forward(self, numbers, kinds):
        x = torch.cat([self.first.expand(numbers.size(0), 1, -1), numbers[..., None] * self.scale + self.shift,
                       self.table(kinds + self.starts)], 1)
        for attend, up, down, n1, n2 in zip(self.attend, self.up, self.down, self.n1, self.n2):
            h = n1(x)
            x = x + attend(h, h, h, need_weights=False)[0]
            a, b = up(n2(x)).chunk(2, -1)
            x = x + down(a * F.relu(b))
        return self.head(F.relu(x[:, 0]))[:, 0]


def feature_transformer(batch=3072, numbers=100, kinds=27, rows=1000, width=192, heads=8, layers=3):
    """A table of 127 columns, float32, a loss that forgives outliers; AdamW."""
    def loss(net, numbers, kinds, wanted):
        return F.huber_loss(net(numbers, kinds), wanted)

    return FeatureTransformer(numbers, kinds, rows, width, heads, layers), lambda p: torch.optim.AdamW(
        p, lr=1e-4, weight_decay=1e-5), loss, batch, [((numbers,), torch.float32), ((kinds,), torch.long),
                                                      ((), torch.float32)]
