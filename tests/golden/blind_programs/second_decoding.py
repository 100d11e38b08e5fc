"""The second blind set: programs of JAX that decode or sample in loops."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
from jax import lax

from jax_loops import KEY, half, rms, rope, spec


def latent_attention_decode(batch=704, layers=8, dim=2048, heads=16, latent=512, turned=64, tokens=4096, vocab=102400):
    """Attention over a compressed cache (as DeepSeek's), in a while loop that ends when every row has ended."""
    head = 128

    def token_of(params, cache, ids, pos):
        x = params["embed"][ids]
        compressed, keys = cache
        at = jnp.broadcast_to(pos, (batch, 1))
        seen = jnp.arange(tokens) <= pos
        for n, w in enumerate(params["layers"]):
            h = rms(x, w["n1"])
            q = (h @ w["q"]).reshape(batch, heads, head + turned)
            q, q_turned = q[..., :head], rope(q[:, None, :, head:], at)[:, 0]
            c, k = jnp.split(h @ w["down_kv"], [latent], -1)
            compressed = compressed.at[n, :, pos].set(rms(c, w["n3"]))
            keys = keys.at[n, :, pos].set(rope(k[:, None, None], at)[:, 0, 0])
            q = jnp.einsum("bhd,hdc->bhc", q, w["up_k"])
            s = jnp.einsum("bhc,btc->bht", q, compressed[n]) + jnp.einsum("bhr,btr->bht", q_turned, keys[n])
            s = jnp.where(seen, s.astype(jnp.float32) * (head + turned) ** -0.5, -jnp.inf)
            o = jnp.einsum("bht,btc->bhc", jax.nn.softmax(s).astype(x.dtype), compressed[n])
            x = x + jnp.einsum("bhc,hcd->bhd", o, w["up_v"]).reshape(batch, -1) @ w["o"]
            h = rms(x, w["n2"])
            x = x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"]
        return (compressed, keys), (rms(x, params["norm"]) @ params["head"]).astype(jnp.float32)

    def generate(params, cache, ids, start, most, end):
        def goes_on(carry):
            return (carry[3] < most) & ~jnp.all(carry[2])

        def body(carry):
            cache, ids, ended, pos = carry
            cache, logits = token_of(params, cache, ids, pos)
            ids = jnp.where(ended, end, jnp.argmax(logits, -1).astype(jnp.int32))
            return cache, ids, ended | (ids == end), pos + 1

        cache, ids, _, pos = lax.while_loop(goes_on, body, (cache, ids, jnp.zeros((batch,), bool), start))
        return cache, ids, pos

    p = lambda *shape: spec(shape, jnp.bfloat16)
    layer = {"n1": p(dim), "n2": p(dim), "n3": p(latent), "q": p(dim, heads * (head + turned)),
             "down_kv": p(dim, latent + turned), "up_k": p(heads, head, latent), "up_v": p(heads, latent, head),
             "o": p(heads * head, dim), "gate": p(dim, 10944), "up": p(dim, 10944), "down": p(10944, dim)}
    params = {"embed": p(vocab, dim), "head": p(dim, vocab), "norm": p(dim), "layers": [layer] * layers}
    cache = p(layers, batch, tokens, latent), p(layers, batch, tokens, turned)
    number = spec((), jnp.int32)
    return generate, (params, cache, spec((batch,), jnp.int32), number, number, number), (1,)


def beam_search(rows=64, beams=5, layers=4, dim=512, heads=8, source=128, steps=128, vocab=32000):
    """A translation by beams: made caches of float32 are carried by a scan and reordered by the beams each step."""
    head, every = dim // heads, rows * beams

    def norm(x, w):
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * w["g"] + w["b"]

    def attend(w, q, k, v, mask):
        q = (q @ w["q"]).reshape(every, heads, head)
        s = jnp.where(mask, jnp.einsum("bhd,bthd->bht", q, k) / head ** 0.5, -1e9)
        return jnp.einsum("bht,bthd->bhd", jax.nn.softmax(s), v).reshape(every, dim) @ w["o"]

    def search(params, memory, lengths):
        memory = jnp.repeat(memory, beams, 0)
        read = jnp.arange(source) < jnp.repeat(lengths, beams)[:, None, None]
        cross = [[(memory @ w["cross"][n]).reshape(every, source, heads, head) for n in "kv"]
                 for w in params["layers"]]

        def step(carry, i):
            caches, scores, ids, texts = carry
            x = params["embed"][ids].reshape(every, dim) * dim ** 0.5 + params["position"][i]
            new = []
            for w, (k, v), (far_k, far_v) in zip(params["layers"], caches, cross):
                k, v = (lax.dynamic_update_index_in_dim(c, (x @ w["own"][n]).reshape(every, heads, head), i, 1)
                        for c, n in ((k, "k"), (v, "v")))
                x = norm(x + attend(w["own"], x, k, v, jnp.arange(steps) <= i), w["n1"])
                x = norm(x + attend(w["cross"], x, far_k, far_v, read), w["n2"])
                x = norm(x + jax.nn.relu(x @ w["up"]) @ w["down"], w["n3"])
                new.append((k, v))
            chances = jax.nn.log_softmax(x @ params["embed"].T).reshape(rows, beams, vocab) + scores[..., None]
            scores, best = lax.top_k(chances.reshape(rows, beams * vocab), beams)
            parents, ids = best // vocab, best % vocab
            flat = (jnp.arange(rows)[:, None] * beams + parents).reshape(-1)
            caches = jax.tree.map(lambda c: c[flat], new)
            texts = jnp.take_along_axis(texts, parents[..., None], 1).at[:, :, i].set(ids)
            return (caches, scores, ids, texts), None

        empty = jnp.zeros((every, steps, heads, head))
        first = jnp.where(jnp.arange(beams) == 0, 0.0, -1e9) * jnp.ones((rows, 1))
        start = [(empty, empty)] * layers, first, jnp.zeros((rows, beams), jnp.int32), jnp.zeros(
            (rows, beams, steps), jnp.int32)
        (_, scores, _, texts), _ = lax.scan(step, start, jnp.arange(steps))
        return texts[:, 0], scores[:, 0]

    s = lambda *shape: spec(shape, jnp.float32)
    attention = {n: s(dim, dim) for n in "qkvo"}
    scale = {"g": s(dim), "b": s(dim)}
    layer = {"own": attention, "cross": attention, "n1": scale, "n2": scale, "n3": scale, "up": s(dim, 4 * dim),
             "down": s(4 * dim, dim)}
    params = {"embed": s(vocab, dim), "position": s(steps, dim), "layers": [layer] * layers}
    return search, (params, s(rows, source, dim), spec((rows,), jnp.int32)), ()


def integer_cache_decode(batch=44, layers=24, dim=4096, heads=32, kv=8, hidden=14336, tokens=8192, vocab=128256):
    """A token by a scan over layers whose keys and values are integers of 8 bits with a scale a head; donated."""
    head = dim // heads

    def pack(x):
        scale = jnp.max(jnp.abs(x.astype(jnp.float32)), -1, keepdims=True) / 127 + 1e-8
        return jnp.round(x / scale).astype(jnp.int8), scale[..., 0]

    def step(params, cache, ids, pos):
        rows = jnp.arange(batch)

        def layer(x, inputs):
            w, (k_all, k_scale, v_all, v_scale) = inputs
            h = rms(x, w["n1"])
            q = rope((h @ w["q"]).reshape(batch, 1, heads, head), pos[:, None], 500000.0)[:, 0]
            k = rope((h @ w["k"]).reshape(batch, 1, kv, head), pos[:, None], 500000.0)[:, 0]
            (k, ks), (v, vs) = pack(k), pack((h @ w["v"]).reshape(batch, kv, head))
            k_all, k_scale = k_all.at[rows, pos].set(k), k_scale.at[rows, pos].set(ks)
            v_all, v_scale = v_all.at[rows, pos].set(v), v_scale.at[rows, pos].set(vs)
            q = q.reshape(batch, kv, heads // kv, head)
            s = jnp.einsum("bkgd,btkd->bkgt", q, k_all.astype(q.dtype)).astype(jnp.float32)
            s = s * k_scale.swapaxes(1, 2)[:, :, None] * head ** -0.5
            s = jax.nn.softmax(jnp.where(jnp.arange(tokens) <= pos[:, None, None, None], s, -1e30))
            s = (s * v_scale.swapaxes(1, 2)[:, :, None]).astype(q.dtype)
            x = x + jnp.einsum("bkgt,btkd->bkgd", s, v_all.astype(q.dtype)).reshape(batch, dim) @ w["o"]
            h = rms(x, w["n2"])
            x = x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"]
            return x, (k_all, k_scale, v_all, v_scale)

        x, cache = lax.scan(layer, params["embed"][ids], (params["layers"], cache))
        return cache, jnp.argmax(rms(x, params["norm"]) @ params["head"], -1)

    p = lambda *shape: spec(shape, jnp.bfloat16)
    n = layers
    stack = {"n1": p(n, dim), "n2": p(n, dim), "q": p(n, dim, dim), "k": p(n, dim, kv * head),
             "v": p(n, dim, kv * head), "o": p(n, dim, dim), "gate": p(n, dim, hidden), "up": p(n, dim, hidden),
             "down": p(n, hidden, dim)}
    params = {"embed": p(vocab, dim), "head": p(dim, vocab), "norm": p(dim), "layers": stack}
    whole, scale = spec((n, batch, tokens, kv, head), jnp.int8), spec((n, batch, tokens, kv), jnp.float32)
    return step, (params, (whole, scale, whole, scale), spec((batch,), jnp.int32), spec((batch,), jnp.int32)), (1,)


def rolling_window_decode(batch=48, layers=18, dim=2048, heads=8, kv=4, head=256, hidden=8192, window=1024,
                          vocab=256128):
    """A token through a scan over layers with a window that is written around and around; nobody donates it."""

    @jax.vmap
    def write(cache, new, slot):
        return lax.dynamic_update_slice(cache, new[None], (slot, 0, 0))

    def step(params, keys, values, ids, pos):
        x = params["embed"][ids] * jnp.sqrt(dim).astype(jnp.bfloat16)
        valid = (jnp.arange(window)[None] <= pos[:, None]) | (pos[:, None] >= window)

        def layer(x, inputs):
            w, k_all, v_all = inputs
            h = rms(x, 1 + w["n1"])
            qkv = jnp.einsum("bd,dnh->bnh", h, w["qkv"])
            q, k, v = jnp.split(qkv, [heads, heads + kv], 1)
            q, k = rope(q[:, None], pos[:, None])[:, 0], rope(k[:, None], pos[:, None])[:, 0]
            k_all, v_all = write(k_all, k, pos % window), write(v_all, v, pos % window)
            q = q.reshape(batch, kv, heads // kv, head) * head ** -0.5
            s = 50.0 * jnp.tanh(jnp.einsum("bkgh,bwkh->bkgw", q, k_all).astype(jnp.float32) / 50.0)
            s = jax.nn.softmax(jnp.where(valid[:, None, None], s, -2e38)).astype(x.dtype)
            o = jnp.einsum("bkgw,bwkh->bkgh", s, v_all).reshape(batch, heads, head)
            x = x + rms(jnp.einsum("bnh,nhd->bd", o, w["o"]), 1 + w["n2"])
            a, b = jnp.einsum("bd,cdf->cbf", rms(x, 1 + w["n3"]), w["up"])
            return x + rms((jax.nn.gelu(a) * b) @ w["down"], 1 + w["n4"]), (k_all, v_all)

        x, (keys, values) = lax.scan(layer, x, (params["layers"], keys, values), unroll=2)
        logits = (rms(x, 1 + params["norm"]) @ params["embed"].T).astype(jnp.float32)
        return keys, values, 30.0 * jnp.tanh(logits / 30.0), pos + 1

    s = lambda *shape: spec((layers,) + shape, jnp.bfloat16)
    stack = {"n1": s(dim), "n2": s(dim), "n3": s(dim), "n4": s(dim), "qkv": s(dim, heads + 2 * kv, head),
             "o": s(heads, head, dim), "up": s(2, dim, hidden), "down": s(hidden, dim)}
    params = {"embed": spec((vocab, dim), jnp.bfloat16), "norm": spec((dim,), jnp.bfloat16), "layers": stack}
    cache, row = s(batch, window, kv, head), spec((batch,), jnp.int32)
    return step, (params, cache, cache, row, row), ()


class ModulatedBlock(nn.Module):
    """A block of a DiT, whose scales and shifts come of the time and the class."""
    heads: int

    @nn.compact
    def __call__(self, x, c):
        d = x.shape[-1]
        parts = nn.Dense(6 * d, kernel_init=nn.initializers.zeros)(nn.silu(c))[:, None]
        shift, scale, gate, shift2, scale2, gate2 = jnp.split(parts, 6, -1)
        norm = functools.partial(nn.LayerNorm, use_bias=False, use_scale=False, epsilon=1e-6)
        h = norm()(x) * (1 + scale) + shift
        x = x + gate * nn.SelfAttention(self.heads)(h)
        h = norm()(x) * (1 + scale2) + shift2
        return x + gate2 * nn.Dense(d)(nn.gelu(nn.Dense(4 * d)(h)))


class DiT(nn.Module):
    layers: int
    width: int
    heads: int

    @nn.compact
    def __call__(self, x, t, label):
        n, size, _, channels = x.shape
        side = size // 2
        freqs = jnp.exp(-9.21 * jnp.arange(128) / 128)
        angle = t.astype(jnp.float32)[:, None] * freqs
        c = jnp.concatenate([jnp.cos(angle), jnp.sin(angle)], -1).astype(x.dtype)
        c = nn.Dense(self.width)(nn.silu(nn.Dense(self.width)(c))) + nn.Embed(1001, self.width)(label)
        x = nn.Conv(self.width, (2, 2), (2, 2))(x).reshape(n, side * side, self.width)
        x = x + self.param("position", nn.initializers.normal(0.02), (side * side, self.width))
        for _ in range(self.layers):
            x = ModulatedBlock(self.heads)(x, c)
        shift, scale = jnp.split(nn.Dense(2 * self.width)(nn.silu(c))[:, None], 2, -1)
        x = nn.Dense(4 * channels)(nn.LayerNorm(use_bias=False, use_scale=False)(x) * (1 + scale) + shift)
        return x.reshape(n, side, side, 2, 2, channels).transpose(0, 1, 3, 2, 4, 5).reshape(n, size, size, channels)


def diffusion_sampler(batch=64, steps=50, size=32, layers=6, width=1024, heads=16):
    """All steps of a sampler in a fori loop: a DiT sees each picture with its class and without, then Heun's step."""
    net = DiT(layers, width, heads)

    def sample(params, labels, key):
        sigmas = jnp.append((80 ** (1 / 7) + jnp.linspace(0, 1, steps) * (0.002 ** (1 / 7) - 80 ** (1 / 7))) ** 7, 0.0)

        def clean(x, sigma):
            both = jnp.concatenate([x, x]).astype(jnp.bfloat16) * lax.rsqrt(sigma ** 2 + 0.25).astype(jnp.bfloat16)
            out = net.apply(params, both, jnp.full((2 * batch,), jnp.log(sigma + 1e-8) / 4),
                            jnp.concatenate([labels, jnp.full_like(labels, 1000)])).astype(jnp.float32)
            with_class, without = jnp.split(out, 2)
            out = without + 4.0 * (with_class - without)
            return 0.25 / (sigma ** 2 + 0.25) * x + sigma * 0.5 * lax.rsqrt(sigma ** 2 + 0.25) * out

        def body(i, x):
            now, then = sigmas[i], sigmas[i + 1]
            slope = (x - clean(x, now)) / now
            ahead = x + (then - now) * slope
            again = (ahead - clean(ahead, then)) / jnp.maximum(then, 1e-3)
            return jnp.where(then > 0, x + (then - now) * 0.5 * (slope + again), ahead)

        return lax.fori_loop(0, steps, body, 80.0 * jax.random.normal(key, (batch, size, size, 4)))

    params = half(jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, size, size, 4)), jnp.zeros((1,)),
                                                    jnp.zeros((1,), jnp.int32)), KEY))
    return sample, (params, spec((batch,), jnp.int32), KEY), ()
