"""The second blind set: transformers of JAX that train on one device."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax import lax
from optax import contrib

from jax_loops import KEY, rms, rope, spec


# ---- words -----------------------------------------------------------------------------------------------------------


def packed_masked_words(batch=36, tokens=2048, layers=5, dim=768, heads=12, vocab=50368, masked=640, window=128):
    """Of ModernBERT's kind: many texts in a row, every third layer sees all of its text, others neighbours in chunks;
    only the words that were masked meet the head."""
    head, chunks = dim // heads, tokens // window

    def norm(x, g):
        y = x.astype(jnp.float32)
        return ((y - y.mean(-1, keepdims=True)) * lax.rsqrt(y.var(-1, keepdims=True) + 1e-5) * g).astype(x.dtype)

    def softmax(s, seen):
        return jax.nn.softmax(jnp.where(seen, s.astype(jnp.float32), -1e30), -1)

    def everywhere(q, k, v, texts):
        seen = (texts[:, :, None] == texts[:, None])[:, None]
        a = softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), seen).astype(v.dtype)
        return jnp.einsum("bhqk,bkhd->bqhd", a, v)

    def near(q, k, v, texts):
        def around(x):
            x = x.reshape(batch, chunks, window, *x.shape[2:])
            gap = [(0, 0), (1, 1)] + [(0, 0)] * (x.ndim - 2)
            x = jnp.pad(x, gap, constant_values=-1 if x.dtype == jnp.int32 else 0)
            return jnp.concatenate([x[:, :-2], x[:, 1:-1], x[:, 2:]], 2)

        k, v, others = around(k), around(v), around(texts)
        q = q.reshape(batch, chunks, window, heads, head)
        distance = jnp.arange(window)[:, None] + window - jnp.arange(3 * window)[None]
        same = texts.reshape(batch, chunks, window)[..., None] == others[:, :, None]
        seen = (same & (jnp.abs(distance) <= window // 2))[:, :, None]
        a = softmax(jnp.einsum("bcqhd,bckhd->bchqk", q, k), seen).astype(v.dtype)
        return jnp.einsum("bchqk,bckhd->bcqhd", a, v).reshape(batch, tokens, heads, head)

    def forward(p, ids, texts, at, where):
        x = norm(p["embed"].astype(jnp.bfloat16)[ids], p["norm0"])
        for n, w in enumerate(p["layers"]):
            q, k, v = jnp.moveaxis((norm(x, w["n1"]) @ w["qkv"].astype(x.dtype)).reshape(
                batch, tokens, 3, heads, head), 2, 0)
            base = 160000.0 if n % 3 == 0 else 10000.0
            q, k = rope(q * head ** -0.5, at, base), rope(k, at, base)
            x = x + (near if n % 3 else everywhere)(q, k, v, texts).reshape(x.shape) @ w["o"].astype(x.dtype)
            a, b = jnp.split(norm(x, w["n2"]) @ w["up"].astype(x.dtype), 2, -1)
            x = x + (jax.nn.gelu(a, approximate=False) * b) @ w["down"].astype(x.dtype)
        x = jnp.take_along_axis(x, where[..., None], 1)
        x = norm(jax.nn.gelu(x @ p["dense"].astype(x.dtype)), p["norm1"])
        return (x @ p["embed"].T.astype(x.dtype)).astype(jnp.float32) + p["bias"]

    tx = optax.chain(optax.scale_by_adam(b2=0.98, eps=1e-6), optax.add_decayed_weights(1e-5),
                     optax.scale_by_learning_rate(5e-4))

    def step(params, opt, ids, texts, at, where, right):
        def loss_fn(p):
            logits = forward(p, ids, texts, at, where)
            each = jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, right[..., None], -1)[..., 0]
            return (each * (right > 0)).sum() / jnp.maximum((right > 0).sum(), 1)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"n1": f(dim), "n2": f(dim), "qkv": f(dim, 3 * dim), "o": f(dim, dim), "up": f(dim, 3 * dim),
             "down": f(3 * dim // 2, dim)}
    params = {"embed": f(vocab, dim), "norm0": f(dim), "norm1": f(dim), "dense": f(dim, dim), "bias": f(vocab),
              "layers": [layer] * layers}
    words, few = spec((batch, tokens), jnp.int32), spec((batch, masked), jnp.int32)
    return step, (params, jax.eval_shape(tx.init, params), words, words, words, few, few), (0, 1)


def orthogonal_steps(batch=96, tokens=1024, layers=4, dim=1536, heads=12, vocab=50304):
    """Of a speedrun: squared ReLU, norms of queries and keys, values of the first layer mixed in; Muon, Adam beside."""
    head = dim // heads

    def unit(x):
        return (x * lax.rsqrt(jnp.square(x.astype(jnp.float32)).mean(-1, keepdims=True) + 1e-6)).astype(x.dtype)

    def forward(p, ids):
        x = first = unit(p["embed"][ids].astype(jnp.bfloat16))
        at = jnp.broadcast_to(jnp.arange(tokens), ids.shape)
        values = None
        for w in p["layers"]:
            x = w["mix"][0].astype(x.dtype) * x + w["mix"][1].astype(x.dtype) * first
            h = unit(x)
            q, k, v = ((h @ w[n].astype(x.dtype)).reshape(*ids.shape, heads, head) for n in "qkv")
            values = v if values is None else values
            v = v + w["mix"][2].astype(x.dtype) * values
            q, k = rope(unit(q), at), rope(unit(k), at)
            s = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * 0.12
            a = jax.nn.softmax(jnp.where(jnp.tri(tokens, dtype=bool), s, -jnp.inf), -1).astype(x.dtype)
            x = x + jnp.einsum("bhqk,bkhd->bqhd", a, v).reshape(x.shape) @ w["o"].astype(x.dtype)
            x = x + jnp.square(jax.nn.relu(unit(x) @ w["up"].astype(x.dtype))) @ w["down"].astype(x.dtype)
        logits = (unit(x) @ p["head"].astype(x.dtype)).astype(jnp.float32)
        return 15 * logits * lax.rsqrt(jnp.square(logits) + 225)

    tx = contrib.muon(0.02, adam_b2=0.95)

    def step(params, opt, ids, targets):
        loss, grads = jax.value_and_grad(lambda p: optax.softmax_cross_entropy_with_integer_labels(
            forward(p, ids), targets).mean())(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"q": f(dim, dim), "k": f(dim, dim), "v": f(dim, dim), "o": f(dim, dim), "up": f(dim, 4 * dim),
             "down": f(4 * dim, dim), "mix": f(3)}
    params = {"embed": f(vocab, dim), "head": f(dim, vocab), "layers": [layer] * layers}
    words = spec((batch, tokens), jnp.int32)
    return step, (params, jax.eval_shape(tx.init, params), words, words), (0, 1)


def preferences(pairs=64, tokens=1024, layers=3, dim=5120, heads=40, hidden=13824, vocab=32000):
    """DPO: what was preferred and what was not go through a net that learns and through a frozen one of bfloat16."""
    head = dim // heads

    def block(x, w):
        w = jax.tree.map(lambda a: a.astype(x.dtype), w)
        at = jnp.broadcast_to(jnp.arange(tokens), x.shape[:2])
        h = rms(x, w["n1"])
        q, k, v = (jnp.einsum("btd,dhk->bthk", h, w[n]) for n in "qkv")
        mixed = jax.nn.dot_product_attention(rope(q, at), rope(k, at), v, is_causal=True)
        x = x + jnp.einsum("bthk,hkd->btd", mixed, w["o"])
        h = rms(x, w["n2"])
        return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"]

    def chances(p, ids, kept):
        x = p["embed"].astype(jnp.bfloat16)[ids]
        for w in p["layers"]:
            x = jax.checkpoint(block)(x, w)
        logits = (rms(x, p["norm"].astype(x.dtype)) @ p["head"].astype(x.dtype))[:, :-1].astype(jnp.float32)
        logp = jnp.take_along_axis(jax.nn.log_softmax(logits, -1), ids[:, 1:, None], -1)[..., 0]
        return (logp * kept[:, 1:]).sum(-1)

    tx = optax.chain(optax.clip(1.0), optax.adam(5e-7, mu_dtype=jnp.bfloat16))

    def step(params, opt, frozen, ids, kept):
        def loss_fn(params):
            gain = chances(params, ids, kept) - lax.stop_gradient(chances(frozen, ids, kept))
            better, worse = jnp.split(gain, 2)
            margin = 0.1 * (better - worse)
            return -jax.nn.log_sigmoid(margin).mean(), (margin > 0).mean()

        (loss, right), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, {"loss": loss, "right": right}

    def weights(dtype):
        f = lambda *shape: spec(shape, dtype)
        layer = {**{n: f(dim, heads, head) for n in "qkv"}, "o": f(heads, head, dim), "n1": f(dim), "n2": f(dim),
                 "gate": f(dim, hidden), "up": f(dim, hidden), "down": f(hidden, dim)}
        return {"embed": f(vocab, dim), "head": f(dim, vocab), "norm": f(dim), "layers": [layer] * layers}

    params = weights(jnp.float32)
    return step, (params, jax.eval_shape(tx.init, params), weights(jnp.bfloat16), spec((2 * pairs, tokens), jnp.int32),
                  spec((2 * pairs, tokens), jnp.float32)), (0, 1)


# ---- pictures --------------------------------------------------------------------------------------------------------


class Layer(nnx.Module):
    def __init__(self, width, heads, rngs):
        new = functools.partial(nnx.Linear, dtype=jnp.bfloat16, rngs=rngs)
        self.n1, self.n2 = (nnx.LayerNorm(width, dtype=jnp.bfloat16, rngs=rngs) for _ in range(2))
        self.attend = nnx.MultiHeadAttention(heads, width, dtype=jnp.bfloat16, decode=False, use_bias=False, rngs=rngs)
        self.up, self.down = new(width, 4 * width), new(4 * width, width)

    def __call__(self, x):
        x = x + self.attend(self.n1(x))
        return x + self.down(nnx.gelu(self.up(self.n2(x))))


class MaskedPictures(nnx.Module):
    def __init__(self, places, wide, narrow, layers, rngs):
        self.stem = nnx.Linear(768, wide, dtype=jnp.bfloat16, rngs=rngs)
        self.between = nnx.Linear(wide, narrow, dtype=jnp.bfloat16, rngs=rngs)
        self.last = nnx.Linear(narrow, 768, dtype=jnp.bfloat16, rngs=rngs)
        self.at, self.at2 = nnx.Embed(places, wide, rngs=rngs), nnx.Embed(places, narrow, rngs=rngs)
        self.hidden = nnx.Param(jnp.zeros((narrow,)))
        self.encoder = nnx.List([Layer(wide, wide // 64, rngs) for _ in range(layers[0])])
        self.decoder = nnx.List([Layer(narrow, narrow // 32, rngs) for _ in range(layers[1])])
        self.places = places

    def __call__(self, patches, key):
        n, kept = patches.shape[0], self.places // 4
        order = jnp.argsort(jax.random.uniform(key, (n, self.places)), -1)
        back, seen = jnp.argsort(order, -1), order[:, :kept]
        x = self.stem(jnp.take_along_axis(patches, seen[..., None], 1)) + self.at(seen).astype(jnp.bfloat16)
        for layer in self.encoder:
            x = layer(x)
        x = self.between(x)
        rest = jnp.broadcast_to(self.hidden[...].astype(x.dtype), (n, self.places - kept, x.shape[-1]))
        x = jnp.take_along_axis(jnp.concatenate([x, rest], 1), back[..., None], 1)
        x = x + self.at2.embedding[...].astype(x.dtype)
        for layer in self.decoder:
            x = layer(x)
        return self.last(x), back >= kept


def masked_pictures(batch=1152, size=224, layers=(2, 2), wide=1024, narrow=512):
    """MAE: a quarter of the patches, chosen by a sort, meet the encoder; the loss is of patches made even."""
    places = (size // 16) ** 2
    graph, params = nnx.split(nnx.eval_shape(lambda: MaskedPictures(places, wide, narrow, layers, nnx.Rngs(0))))
    tx = optax.adamw(1.5e-4, b2=0.95, weight_decay=0.05)

    def step(state, images, key):
        params, opt = state

        def loss_fn(params):
            x = images.astype(jnp.float32).reshape(batch, size // 16, 16, size // 16, 16, 3) / 255
            x = x.transpose(0, 1, 3, 2, 4, 5).reshape(batch, places, 768)
            made, hidden = nnx.merge(graph, params)(x.astype(jnp.bfloat16), key)
            x = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-6)
            far = jnp.square(made.astype(jnp.float32) - x).mean(-1)
            return (far * hidden).sum() / hidden.sum()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return (optax.apply_updates(params, updates), opt), loss

    return step, ((params, jax.eval_shape(tx.init, params)), spec((batch, size, size, 3), jnp.uint8), KEY), (0,)
