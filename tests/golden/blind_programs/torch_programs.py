"""Programs of PyTorch/XLA: steps as the lazy tensors have them before they run, and exported models.

The optimizer steps once with slopes of zero, so that it has its state, and then a step is traced, which does not run. A
program gives (net, optimizer or None, loss of a batch, the batch).
"""
import os

os.environ.setdefault("PJRT_DEVICE", "CPU")

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402


# ---- GPT-2, as nanoGPT has it ----------------------------------------------------------------------------------------


class CausalSelfAttention(nn.Module):
    def __init__(self, width, heads, tokens):
        super().__init__()
        self.c_attn, self.c_proj, self.heads = nn.Linear(width, 3 * width), nn.Linear(width, width), heads
        self.register_buffer("bias", torch.tril(torch.ones(tokens, tokens)).view(1, 1, tokens, tokens))

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = (z.view(b, t, self.heads, c // self.heads).transpose(1, 2) for z in self.c_attn(x).split(c, dim=2))
        att = (q @ k.transpose(-2, -1)) * (c // self.heads) ** -0.5
        att = att.masked_fill(self.bias[:, :, :t, :t] == 0, float("-inf")).softmax(-1)
        return self.c_proj((att @ v).transpose(1, 2).contiguous().view(b, t, c))


class GPTBlock(nn.Module):
    def __init__(self, width, heads, tokens):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = CausalSelfAttention(width, heads, tokens)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, layers=12, width=768, heads=12, tokens=1024, vocab=50257):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, width), nn.Embedding(tokens, width)
        self.h = nn.ModuleList(GPTBlock(width, heads, tokens) for _ in range(layers))
        self.ln_f, self.lm_head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, ids, targets):
        x = self.wte(ids) + self.wpe(torch.arange(ids.size(1), device=ids.device))
        for block in self.h:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


def gpt2_small(batch=12, tokens=1024, layers=12):
    """Training of GPT-2 small, under autocast to bfloat16, with AdamW."""
    net = GPT(layers, tokens=tokens)

    def loss(net, ids, targets):
        with torch.autocast("xla", dtype=torch.bfloat16):
            return net(ids, targets)

    words = ((tokens,), torch.long)
    make = lambda p: torch.optim.AdamW(p, lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1)
    return net, make, loss, batch, [words, words]


# ---- ResNet ----------------------------------------------------------------------------------------------------------


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride=1):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = nn.Conv2d(width, 4 * width, 1, bias=False), nn.BatchNorm2d(4 * width)
        self.short = nn.Identity() if inputs == 4 * width else nn.Sequential(
            nn.Conv2d(inputs, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = F.relu(self.bn2(self.conv2(y)))
        return F.relu(self.bn3(self.conv3(y)) + self.short(x))


def resnet(depths=(3, 4, 6, 3), classes=1000):
    layers, inputs = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], 64
    for stage, depth in enumerate(depths):
        for i in range(depth):
            layers.append(Bottleneck(inputs, 64 * 2 ** stage, 2 if stage and i == 0 else 1))
            inputs = 256 * 2 ** stage
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes))


def resnet50_training(batch=128, size=224):
    """Float32, channels first, SGD with momentum and label smoothing."""
    net = resnet()

    def loss(net, images, labels):
        return F.cross_entropy(net(images), labels, label_smoothing=0.1)

    return net, lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=5e-5), loss, batch, [
        ((3, size, size), torch.float32), ((), torch.long)]


def resnet101_serving(batch=256, size=288):
    """ResNet-101 in bfloat16, batch norms as they are when a model looks."""
    return resnet((3, 4, 23, 3)).eval().bfloat16(), None, None, batch, [((3, size, size), torch.bfloat16)]


# ---- recommending ----------------------------------------------------------------------------------------------------


class DLRM(nn.Module):
    def __init__(self, tables, rows, width):
        super().__init__()
        self.emb = nn.ModuleList(nn.EmbeddingBag(rows, width, mode="sum") for _ in range(tables))
        self.bottom = nn.Sequential(nn.Linear(13, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                                    nn.Linear(256, width), nn.ReLU())
        n = tables + 1
        self.register_buffer("i", torch.tril_indices(n, n, -1)[0])
        self.register_buffer("j", torch.tril_indices(n, n, -1)[1])
        self.top = nn.Sequential(nn.Linear(width + n * (n - 1) // 2, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                                 nn.Linear(256, 1))

    def forward(self, dense, ids):
        x = self.bottom(dense)
        t = torch.stack([x] + [e.weight[ids[:, n]].sum(1) for n, e in enumerate(self.emb)], 1)
        z = torch.bmm(t, t.transpose(1, 2))[:, self.i, self.j]
        return self.top(torch.cat([x, z], 1)).squeeze(1)


def dlrm(batch=16384, tables=8, rows=200000, width=64, hot=4):
    """Four ids of each of eight tables, summed; Adagrad over dense slopes."""
    def loss(net, dense, ids, clicks):
        return F.binary_cross_entropy_with_logits(net(dense, ids), clicks)

    return DLRM(tables, rows, width), lambda p: torch.optim.Adagrad(p, lr=0.01), loss, batch, [
        ((13,), torch.float32), ((tables, hot), torch.long), ((), torch.float32)]


# ---- speech and text -------------------------------------------------------------------------------------------------


class WhisperEncoder(nn.Module):
    def __init__(self, width=768, heads=12, layers=12):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv1d(80, width, 3, padding=1), nn.Conv1d(width, width, 3, 2, 1)
        self.register_buffer("positions", torch.zeros(1500, width))
        self.blocks = nn.TransformerEncoder(nn.TransformerEncoderLayer(
            width, heads, 4 * width, 0.0, "gelu", batch_first=True, norm_first=True), layers,
            nn.LayerNorm(width), enable_nested_tensor=False)

    def forward(self, mel):
        x = F.gelu(self.conv2(F.gelu(self.conv1(mel)))).transpose(1, 2)
        return self.blocks(x + self.positions)


def whisper_encoder(batch=32):
    """Whisper small's encoder over thirty seconds of speech, bfloat16."""
    torch.backends.mha.set_fastpath_enabled(False)
    return WhisperEncoder().eval().bfloat16(), None, None, batch, [((80, 3000), torch.bfloat16)]


class SentenceEncoder(nn.Module):
    """MiniLM of sorts, its mean over words made a unit."""

    def __init__(self, layers=6, width=384, heads=12, vocab=30522):
        super().__init__()
        self.words, self.places = nn.Embedding(vocab, width), nn.Embedding(512, width)
        self.norm = nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.ModuleList(nn.Linear(width, width) for _ in range(layers)) for _ in "qkvo")
        self.up = nn.ModuleList(nn.Linear(width, 4 * width) for _ in range(layers))
        self.down = nn.ModuleList(nn.Linear(4 * width, width) for _ in range(layers))
        self.n1 = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.n2 = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.heads = heads

    def forward(self, ids, mask):
        n, t = ids.shape
        x = self.norm(self.words(ids) + self.places(torch.arange(t, device=ids.device)))
        bias = (1.0 - mask[:, None, None].to(x.dtype)) * -1e4
        for i in range(len(self.q)):
            q, k, v = (m[i](x).view(n, t, self.heads, -1).transpose(1, 2) for m in (self.q, self.k, self.v))
            a = torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + bias, -1) @ v
            x = self.n1[i](x + self.o[i](a.transpose(1, 2).reshape(n, t, -1)))
            x = self.n2[i](x + self.down[i](F.gelu(self.up[i](x))))
        kept = mask[..., None].to(x.dtype)
        return F.normalize((x * kept).sum(1) / kept.sum(1).clamp(min=1e-9))


def sentence_embeddings(batch=512, tokens=256):
    """A search index is filled: float32, heads of 32 lanes."""
    return SentenceEncoder().eval(), None, None, batch, [((tokens,), torch.long), ((tokens,), torch.long)]


class PointNet(nn.Module):
    """Classes of points by what is around them: shared layers, maxima over the cloud."""

    def __init__(self, parts=50):
        super().__init__()
        def shared(*sizes):
            return nn.Sequential(*(m for a, b in zip(sizes, sizes[1:]) for m in (nn.Conv1d(a, b, 1), nn.BatchNorm1d(b),
                                                                                  nn.ReLU())))

        self.near, self.far = shared(6, 64, 128, 128), shared(128, 512, 1024)
        self.head, self.last = shared(1024 + 128, 512, 256, 128), nn.Conv1d(128, parts, 1)

    def forward(self, points):
        near = self.near(points)
        all_of_it = self.far(near).amax(2, keepdim=True).expand(-1, -1, points.shape[2])
        return self.last(self.head(torch.cat([near, all_of_it], 1)))


def pointnet_parts(batch=32, points=2048):
    def loss(net, points, parts):
        return F.cross_entropy(net(points), parts)

    return PointNet(), lambda p: torch.optim.Adam(p, lr=1e-3), loss, batch, [((6, points), torch.float32),
                                                                              ((points,), torch.long)]
