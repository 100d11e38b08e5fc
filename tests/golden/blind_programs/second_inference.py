"""The second blind set: programs of JAX that only look."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
from jax import lax

from jax_loops import KEY, half, rms, rope, spec


# ---- pictures --------------------------------------------------------------------------------------------------------


class Twice(nn.Module):
    """Two normed convolutions beside a short way."""
    width: int

    @nn.compact
    def __call__(self, x):
        h = x
        for _ in range(2):
            h = nn.Conv(self.width, (3, 3))(nn.silu(nn.GroupNorm(32, epsilon=1e-6)(h)))
        return h + (x if x.shape[-1] == self.width else nn.Conv(self.width, (1, 1))(x))


class LatentDecoder(nn.Module):
    """What makes pictures of the latents of a diffusion model."""

    @nn.compact
    def __call__(self, z):
        x = nn.Conv(512, (3, 3))(nn.Conv(4, (1, 1))(z / 0.18215))
        x = Twice(512)(x)
        n, h, w, c = x.shape
        y = nn.GroupNorm(32)(x).reshape(n, h * w, c)
        q, k, v = jnp.split(nn.Dense(3 * c)(y), 3, -1)
        a = jax.nn.softmax(jnp.einsum("nqc,nkc->nqk", q, k) * c ** -0.5, -1)
        x = Twice(512)(x + nn.Dense(c)(a @ v).reshape(x.shape))
        for width in (512, 512, 256, 128):
            x = Twice(width)(Twice(width)(x))
            if width > 128:
                x = jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)
                x = nn.Conv(x.shape[-1], (3, 3))(x)
        return nn.Conv(3, (3, 3))(nn.silu(nn.GroupNorm(32)(x)))


def latents_to_pictures(batch=36, size=64):
    """Latents of 64 x 64 to bytes of pictures of 512 x 512, bfloat16."""
    net = LatentDecoder()

    def decode(params, z):
        x = net.apply(params, z).astype(jnp.float32)
        return jnp.clip(127.5 * (x + 1), 0, 255).astype(jnp.uint8)

    params = half(jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, 8, 8, 4))), KEY))
    return decode, (params, spec((batch, size, size, 4), jnp.bfloat16)), ()


class SpatialAttention(nn.Module):
    """Attention over places with what is added for rows and columns apart; in windows if told."""
    heads: int
    window: int

    @nn.compact
    def __call__(self, x):
        n, h, w, c = x.shape
        if self.window:
            m = self.window
            parts = x.reshape(n, h // m, m, w // m, m, c).swapaxes(2, 3).reshape(-1, m, m, c)
            y = SpatialAttention(self.heads, 0)(parts)
            return y.reshape(n, h // m, w // m, m, m, c).swapaxes(2, 3).reshape(x.shape)
        d = c // self.heads
        q, k, v = jnp.moveaxis(nn.Dense(3 * c)(x).reshape(n, h * w, 3, self.heads, d), 2, 0)
        scores = jnp.einsum("nqhd,nkhd->nhqk", q * d ** -0.5, k)
        off = jnp.arange(h)[:, None] - jnp.arange(h)[None] + h - 1
        rows, columns = (self.param(p, nn.initializers.zeros, (2 * h - 1, d))[off] for p in ("rows", "columns"))
        q = q.reshape(n, h, w, self.heads, d)
        by_row = jnp.einsum("nhwed,hkd->nehwk", q, rows)[..., :, None]
        by_column = jnp.einsum("nhwed,wkd->nehwk", q, columns)[..., None, :]
        scores = scores.reshape(n, self.heads, h, w, h, w) + by_row + by_column
        a = jax.nn.softmax(scores.reshape(n, self.heads, h * w, h * w).astype(jnp.float32), -1).astype(x.dtype)
        return nn.Dense(c)(jnp.einsum("nhqk,nkhd->nqhd", a, v).reshape(x.shape))


class SegmentAnything(nn.Module):
    width: int = 1024

    @nn.compact
    def __call__(self, images):
        x = nn.Conv(self.width, (16, 16), (16, 16))(images)
        x = x + self.param("position", nn.initializers.zeros, (1, *x.shape[1:]))
        for window in (16, 16, 16, 0, 16, 0):
            x = x + SpatialAttention(16, window)(nn.LayerNorm()(x))
            x = x + nn.Dense(self.width)(nn.gelu(nn.Dense(4 * self.width)(nn.LayerNorm()(x)), approximate=False))
        x = nn.LayerNorm()(nn.Conv(256, (1, 1), use_bias=False)(x))
        return nn.LayerNorm()(nn.Conv(256, (3, 3), use_bias=False)(x))


def segment_anything_encoder(batch=16, size=1024):
    """Pictures of 1024: four layers look in windows, two at all 4096 places."""
    net = SegmentAnything()

    def embed(params, images):
        mean, deviation = jnp.array([123.7, 116.3, 103.5]), jnp.array([58.4, 57.1, 57.4])
        return net.apply(params, ((images - mean) / deviation).astype(jnp.bfloat16))

    params = half(jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, size, size, 3))), KEY))
    return embed, (params, spec((batch, size, size, 3), jnp.uint8)), ()


# ---- words -----------------------------------------------------------------------------------------------------------


def integer_weights_scores(batch=16, tokens=1024, layers=8, dim=4096, heads=16, head=256, hidden=14336, vocab=256128):
    """How likely texts are, by a model whose weights are integers of 8 bits with a scale a column."""

    def product(x, w):
        return jnp.einsum("...d,df->...f", x, w["w"].astype(x.dtype)) * w["s"].astype(x.dtype)

    def score(params, ids, lengths):
        table = params["embed"]
        x = table["w"][ids].astype(jnp.bfloat16) * table["s"][ids][..., None].astype(jnp.bfloat16)
        at = jnp.broadcast_to(jnp.arange(tokens), ids.shape)
        valid = at < lengths[:, None]
        mask = valid[:, None, None] & jnp.tri(tokens, dtype=bool)
        for w in params["layers"]:
            h = rms(x, w["n1"])
            q, k, v = (product(h, w[n]).reshape(batch, tokens, -1, head) for n in "qkv")
            q, k = rope(q, at), rope(k, at)
            q = q.reshape(batch, tokens, k.shape[2], -1, head)
            s = jnp.einsum("btkgh,bskh->bkgts", q, k).astype(jnp.float32) * head ** -0.5
            s = jax.nn.softmax(jnp.where(mask[:, :, None], s, -2e38)).astype(x.dtype)
            o = jnp.einsum("bkgts,bskh->btkgh", s, v).reshape(batch, tokens, heads * head)
            x = x + product(o, w["o"])
            h = rms(x, w["n2"])
            x = x + product(jax.nn.gelu(product(h, w["gate"])) * product(h, w["up"]), w["down"])
        x = rms(x, params["norm"]) * 1.0
        logits = jnp.einsum("btd,vd->btv", x, table["w"].astype(x.dtype)).astype(jnp.float32) * table["s"]
        logits = 30.0 * jnp.tanh(logits / 30.0)
        logits = logits[:, :-1]
        chance = jnp.take_along_axis(logits, ids[:, 1:, None], -1)[..., 0] - jax.nn.logsumexp(logits, -1)
        return (chance * valid[:, 1:]).sum(-1) / lengths

    def i8(a, b):
        return {"w": spec((a, b), jnp.int8), "s": spec((b,), jnp.float32)}

    norm = spec((dim,), jnp.bfloat16)
    layer = {"n1": norm, "n2": norm, "q": i8(dim, heads * head), "k": i8(dim, heads * head // 2),
             "v": i8(dim, heads * head // 2), "o": i8(heads * head, dim), "gate": i8(dim, hidden),
             "up": i8(dim, hidden), "down": i8(hidden, dim)}
    table = {"w": spec((vocab, dim), jnp.int8), "s": spec((vocab,), jnp.float32)}
    return score, ({"embed": table, "norm": norm, "layers": [layer] * layers}, spec((batch, tokens), jnp.int32),
                   spec((batch,), jnp.int32)), ()


# ---- sound -----------------------------------------------------------------------------------------------------------


class Vocoder(nn.Module):
    """HiFi-GAN's generator: transposed convolutions, each followed by dilated ones of two sizes."""

    @nn.compact
    def __call__(self, mel):
        act = functools.partial(nn.leaky_relu, negative_slope=0.1)
        x = nn.Conv(512, (7,))(mel)
        for width, rate in ((256, 8), (128, 8), (64, 2), (32, 2)):
            x = nn.ConvTranspose(width, (2 * rate,), (rate,))(act(x))
            total = 0
            for kernel in (3, 7):
                y = x
                for dilation in (1, 3):
                    h = nn.Conv(width, (kernel,), kernel_dilation=(dilation,))(act(y))
                    y = y + nn.Conv(width, (kernel,))(act(h))
                total = total + y
            x = total / 2
        return jnp.tanh(nn.Conv(1, (7,))(act(x)))[..., 0]


def vocoder(batch=64, frames=400):
    """Sound of spectrograms, float32, with few channels over long rows at the end."""
    net = Vocoder()

    def speak(params, mel):
        return net.apply(params, jnp.log(jnp.clip(mel, 1e-5)))

    params = jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, frames, 80))), KEY)
    return speak, (params, spec((batch, frames, 80), jnp.float32)), ()
