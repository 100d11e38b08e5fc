"""Programs of JAX that only look: no gradients, no state."""
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx
from jax import lax

from jax_loops import KEY, half, llama_params, rms, rope, spec
from jax_training import ViT


def vit_large_features(batch=256, size=384, patch=16):
    """Embeddings of pictures by a ViT-L at 384; weights of float32."""
    graph, params, rest = nnx.split(nnx.eval_shape(
        lambda: ViT(size, patch, 24, 1024, 16, 1000, nnx.Rngs(0))), nnx.Param, ...)

    def features(params, rest, images):
        x = images.astype(jnp.bfloat16) / 127.5 - 1.0
        logits = nnx.merge(graph, params, rest)(x)
        values, ids = lax.top_k(jax.nn.softmax(logits), 5)
        return {"classes": ids, "chances": values}

    return features, (params, rest, spec((batch, size, size, 3), jnp.uint8)), ()


class CrossBlock(nn.Module):
    heads: int

    @nn.compact
    def __call__(self, x, text):
        n, h, w, c = x.shape
        y = nn.Dense(c)(nn.GroupNorm(32)(x).reshape(n, h * w, c))
        z = nn.LayerNorm()(y)
        y = y + nn.MultiHeadDotProductAttention(self.heads)(z, z)
        y = y + nn.MultiHeadDotProductAttention(self.heads)(nn.LayerNorm()(y), text)
        a, b = jnp.split(nn.Dense(8 * c)(nn.LayerNorm()(y)), 2, -1)
        y = y + nn.Dense(c)(a * nn.gelu(b))
        return x + nn.Dense(c)(y).reshape(x.shape)


class TimeBlock(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, t):
        h = nn.Conv(self.width, (3, 3))(nn.swish(nn.GroupNorm(32)(x)))
        h = h + nn.Dense(self.width)(nn.swish(t))[:, None, None]
        h = nn.Conv(self.width, (3, 3))(nn.swish(nn.GroupNorm(32)(h)))
        return h + (x if x.shape[-1] == self.width else nn.Conv(self.width, (1, 1))(x))


class LatentUNet(nn.Module):
    widths: tuple = (320, 640, 1280)

    @nn.compact
    def __call__(self, x, t, text):
        freqs = jnp.exp(-9.21 * jnp.arange(160) / 160)
        t = jnp.concatenate([jnp.cos(t[:, None] * freqs), jnp.sin(t[:, None] * freqs)], -1).astype(x.dtype)
        t = nn.Dense(1280)(nn.swish(nn.Dense(1280)(t)))
        x = nn.Conv(320, (3, 3))(x)
        skips = [x]
        for i, w in enumerate(self.widths):
            for _ in range(2):
                x = CrossBlock(8)(TimeBlock(w)(x, t), text)
                skips.append(x)
            if w != self.widths[-1]:
                x = nn.Conv(w, (3, 3), (2, 2))(x)
                skips.append(x)
        x = TimeBlock(self.widths[-1])(CrossBlock(8)(TimeBlock(self.widths[-1])(x, t), text), t)
        for i, w in enumerate(reversed(self.widths)):
            for _ in range(3):
                x = CrossBlock(8)(TimeBlock(w)(jnp.concatenate([x, skips.pop()], -1), t), text)
            if skips:
                x = jax.image.resize(x, (x.shape[0], 2 * x.shape[1], 2 * x.shape[2], x.shape[3]), "nearest")
                x = nn.Conv(w, (3, 3))(x)
        return nn.Conv(4, (3, 3))(nn.swish(nn.GroupNorm(32)(x)))


def latent_diffusion_step(batch=8, size=64):
    """One step of a sampler with guidance: the net sees the batch twice, weights and values are bfloat16."""
    net = LatentUNet()

    def step(params, latents, text, empty, t, alpha, alpha_before):
        both = jnp.concatenate([latents, latents])
        noise = net.apply(params, both, jnp.broadcast_to(t, (2 * batch,)), jnp.concatenate([text, empty]))
        with_text, without = jnp.split(noise.astype(jnp.float32), 2)
        noise = without + 7.5 * (with_text - without)
        clean = (latents - jnp.sqrt(1 - alpha) * noise) / jnp.sqrt(alpha)
        return (jnp.sqrt(alpha_before) * clean + jnp.sqrt(1 - alpha_before) * noise).astype(latents.dtype)

    params = half(jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, size, size, 4)), jnp.zeros((1,)),
                                                    jnp.zeros((1, 77, 768))), KEY))
    text = spec((batch, 77, 768), jnp.bfloat16)
    number = spec((), jnp.float32)
    return step, (params, spec((batch, size, size, 4), jnp.bfloat16), text, text, number, number, number), (1,)


def llama_prefill(batch=8, tokens=2048, layers=16, dim=2048, heads=32, kv=8, hidden=8192, vocab=128256):
    """Prompts of 2048 tokens through a 1.2 B model; out come the cache and the chances of every token."""
    head = dim // heads

    def forward(params, ids):
        x = jnp.take(params["tok"], ids, axis=0)
        at = jnp.broadcast_to(jnp.arange(tokens), ids.shape)
        cache = []
        for w in params["layers"]:
            h = rms(x, w["att_norm"], 1e-5)
            q = rope((h @ w["wq"]).reshape(batch, tokens, heads, head), at, 500000.0)
            k = rope((h @ w["wk"]).reshape(batch, tokens, kv, head), at, 500000.0)
            v = (h @ w["wv"]).reshape(batch, tokens, kv, head)
            cache.append((k, v))
            x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ w["wo"]
            h = rms(x, w["ffn_norm"], 1e-5)
            x = x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"]
        logits = rms(x, params["norm"]) @ params["out"]
        chance = jax.nn.log_softmax(logits.astype(jnp.float32), -1)
        return jnp.take_along_axis(chance[:, :-1], ids[:, 1:, None], -1)[..., 0], cache

    return forward, (llama_params(layers, dim, heads, kv, hidden, vocab), spec((batch, tokens), jnp.int32)), ()
