"""The third blind set: programs of JAX with loops."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from jax import lax

from jax_loops import KEY, rms, rope, spec


# ---- decoding --------------------------------------------------------------------------------------------------------


def block_weights(dim, heads, groups, hidden, dtype=jnp.float32, layers=None):
    """Shapes of a layer of a decoder, or of a stack of them."""
    first = () if layers is None else (layers,)
    w = lambda *shape: spec(first + shape, dtype)
    head = dim // heads
    return {"n1": w(dim), "n2": w(dim), "q": w(dim, heads * head), "k": w(dim, groups * head),
            "v": w(dim, groups * head), "o": w(heads * head, dim), "gate": w(dim, hidden), "up": w(dim, hidden),
            "down": w(hidden, dim)}


def normed_queries_decode(batch=64, tokens=4096, steps=64, layers=6, dim=2048, heads=16, groups=4, hidden=6144,
                          vocab=50000, donate=True):
    """Queries and keys are normed (as Qwen 3); a list of caches is what fori_loop carries, donated."""
    head = dim // heads

    def token_of(params, caches, ids, pos):
        x, after = params["embed"][ids][:, None], []
        at = jnp.full((batch, 1), pos)
        for w, (keys, values) in zip(params["layers"], caches):
            h = rms(x, w["n1"])
            q = rope(rms((h @ w["q"]).reshape(batch, 1, heads, head), w["qn"]), at)
            k = rope(rms((h @ w["k"]).reshape(batch, 1, groups, head), w["kn"]), at)
            keys = lax.dynamic_update_slice(keys, k, (0, pos, 0, 0))
            v = (h @ w["v"]).reshape(batch, 1, groups, head)
            values = lax.dynamic_update_slice(values, v, (0, pos, 0, 0))
            after.append((keys, values))
            many = q.reshape(batch, groups, heads // groups, head)
            s = jnp.einsum("bgmd,btgd->bgmt", many, keys, preferred_element_type=jnp.float32) * head ** -0.5
            p = jax.nn.softmax(jnp.where(jnp.arange(tokens) <= pos, s, -1e30)).astype(x.dtype)
            x = x + jnp.einsum("bgmt,btgd->bgmd", p, values).reshape(batch, 1, -1) @ w["o"]
            h = rms(x, w["n2"])
            x = x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"]
        return after, jnp.argmax(rms(x[:, 0], params["norm"]) @ params["embed"].T, -1).astype(jnp.int32)

    def generate(params, caches, ids, start):
        def turn(i, carry):
            caches, ids, out = carry
            caches, ids = token_of(params, caches, ids, start + i)
            return caches, ids, out.at[:, i].set(ids)

        caches, ids, out = lax.fori_loop(0, steps, turn, (caches, ids, jnp.zeros((batch, steps), jnp.int32)))
        return caches, out

    b16 = lambda *shape: spec(shape, jnp.bfloat16)
    layer = {**block_weights(dim, heads, groups, hidden, jnp.bfloat16), "qn": b16(head), "kn": b16(head)}
    params = {"embed": b16(vocab, dim), "norm": b16(dim), "layers": [layer] * layers}
    caches = [(b16(batch, tokens, groups, head),) * 2] * layers
    return generate, (params, caches, spec((batch,), jnp.int32), spec((), jnp.int32)), (1,) if donate else ()


def drafts_checked(batch=32, tokens=8192, drafts=8, layers=12, dim=2048, heads=16, groups=8, hidden=5632, vocab=32000):
    """Eight drafted tokens are checked at once: layers are scanned, each layer's cache is an input and an output."""
    head = dim // heads

    def check(params, cache, ids, pos):
        at = pos + jnp.broadcast_to(jnp.arange(drafts), (batch, drafts))
        seen = jnp.arange(tokens)[None] <= (pos + jnp.arange(drafts))[:, None]

        def layer(x, one):
            w, keys, values = one
            h = rms(x, w["n1"])
            q = rope((h @ w["q"]).reshape(batch, drafts, heads, head), at)
            k = rope((h @ w["k"]).reshape(batch, drafts, groups, head), at)
            keys = lax.dynamic_update_slice(keys, k, (0, pos, 0, 0))
            values = lax.dynamic_update_slice(values, (h @ w["v"]).reshape(k.shape), (0, pos, 0, 0))
            q = q.reshape(batch, drafts, groups, heads // groups, head)
            s = jnp.einsum("bqgmd,btgd->bgmqt", q, keys, preferred_element_type=jnp.float32) * head ** -0.5
            p = jax.nn.softmax(jnp.where(seen, s, -1e30)).astype(x.dtype)
            x = x + jnp.einsum("bgmqt,btgd->bqgmd", p, values).reshape(batch, drafts, -1) @ w["o"]
            h = rms(x, w["n2"])
            return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"], (keys, values)

        x, cache = lax.scan(layer, params["embed"][ids], (params["layers"], *cache))
        best = jnp.argmax(rms(x, params["norm"]) @ params["head"], -1)
        right = jnp.cumprod(best[:, :-1] == ids[:, 1:], -1).sum(-1)
        return cache, right, best

    b16 = lambda *shape: spec(shape, jnp.bfloat16)
    params = {"embed": b16(vocab, dim), "head": b16(dim, vocab), "norm": b16(dim),
              "layers": block_weights(dim, heads, groups, hidden, jnp.bfloat16, layers)}
    cache = (b16(layers, batch, tokens, groups, head),) * 2
    return check, (params, cache, spec((batch, drafts), jnp.int32), spec((), jnp.int32)), (1,)


def captions_decode(batch=128, places=577, tokens=256, layers=6, dim=1024, heads=16, vocab=32000):
    """A captioner: each layer attends to a cache and to pictures; a while loop that nobody donates anything to."""
    head = dim // heads

    def generate(params, pictures, first):
        of = [tuple(jnp.einsum("bpd,de->bpe", pictures, w[n]).reshape(batch, places, heads, head)
                    for n in ("ck", "cv")) for w in params["layers"]]

        def attend(q, keys, values, mask=None):
            s = jnp.einsum("bhd,bthd->bht", q, keys).astype(jnp.float32) * head ** -0.5
            p = jax.nn.softmax(s if mask is None else jnp.where(mask, s, -1e9))
            return jnp.einsum("bht,bthd->bhd", p.astype(q.dtype), values).reshape(batch, dim)

        def turn(carry):
            i, ids, ended, caches, out = carry
            x, after = params["embed"][ids] + params["places"][i], []
            for w, (keys, values), pair in zip(params["layers"], caches, of):
                h = rms(x, w["n1"])
                q, k, v = jnp.split(h @ w["qkv"], 3, -1)
                keys = keys.at[:, i].set(k.reshape(batch, heads, head))
                values = values.at[:, i].set(v.reshape(batch, heads, head))
                after.append((keys, values))
                x = x + attend(q.reshape(batch, heads, head), keys, values, jnp.arange(tokens) <= i) @ w["o"]
                x = x + attend((rms(x, w["n2"]) @ w["cq"]).reshape(batch, heads, head), *pair) @ w["co"]
                x = x + jax.nn.gelu(rms(x, w["n3"]) @ w["up"]) @ w["down"]
            ids = jnp.argmax(x @ params["embed"].T, -1).astype(jnp.int32)
            return i + 1, ids, ended | (ids == 2), after, out.at[:, i].set(jnp.where(ended, 0, ids))

        empty = jnp.zeros((batch, tokens, heads, head), pictures.dtype)
        start = (0, first, jnp.zeros(batch, bool), [(empty, empty)] * layers, jnp.zeros((batch, tokens), jnp.int32))
        return lax.while_loop(lambda c: (c[0] < tokens) & ~c[2].all(), turn, start)[-1]

    b16 = lambda *shape: spec(shape, jnp.bfloat16)
    layer = {**{n: b16(dim) for n in ("n1", "n2", "n3")}, "qkv": b16(dim, 3 * dim),
             **{n: b16(dim, dim) for n in ("o", "cq", "co", "ck", "cv")}, "up": b16(dim, 4 * dim),
             "down": b16(4 * dim, dim)}
    params = {"embed": b16(vocab, dim), "places": b16(tokens, dim), "layers": [layer] * layers}
    return generate, (params, b16(batch, places, dim), spec((batch,), jnp.int32)), ()


def guided_sampler(batch=32, size=32, layers=4, dim=768, heads=12, steps=50):
    """A diffusion transformer samples by DDIM with guidance: two halves of a batch in each turn."""
    head, places = dim // heads, (size // 2) ** 2

    def net(params, x, t, label):
        n = x.shape[0]
        x = x.reshape(n, size // 2, 2, size // 2, 2, 4).transpose(0, 1, 3, 2, 4, 5).reshape(n, places, 16)
        x = x @ params["in"] + params["places"]
        freqs = jnp.exp(-jnp.arange(128) / 14)
        c = jnp.concatenate([jnp.cos(t * freqs), jnp.sin(t * freqs)]) @ params["time"] + params["label"][label]
        for w in params["layers"]:
            a = (jax.nn.silu(c) @ w["mod"]).reshape(n, 6, 1, dim)
            h = jax.nn.standardize(x) * (1 + a[:, 0]) + a[:, 1]
            q, k, v = (z.reshape(n, places, heads, head) for z in jnp.split(h @ w["qkv"], 3, -1))
            x = x + a[:, 2] * (jax.nn.dot_product_attention(q, k, v).reshape(n, places, dim) @ w["o"])
            h = jax.nn.standardize(x) * (1 + a[:, 3]) + a[:, 4]
            x = x + a[:, 5] * (jax.nn.gelu(h @ w["up"]) @ w["down"])
        x = jax.nn.standardize(x) @ params["out"]
        return x.reshape(n, size // 2, size // 2, 2, 2, 4).transpose(0, 1, 3, 2, 4, 5).reshape(n, size, size, 4)

    def sample(params, key, labels):
        alphas = jnp.cumprod(1 - jnp.linspace(1e-4, 0.02, 1000))[::-1000 // steps]

        def turn(x, at):
            now, after, t = at
            both = net(params, jnp.concatenate([x, x]), t, jnp.concatenate([labels, jnp.full_like(labels, 1000)]))
            given, free = jnp.split(both, 2)
            noise = free + 4.0 * (given - free)
            clean = (x - jnp.sqrt(1 - now) * noise) / jnp.sqrt(now)
            return jnp.sqrt(after) * clean + jnp.sqrt(1 - after) * noise, None

        x = jax.random.normal(key, (batch, size, size, 4))
        times = jnp.arange(999, -1, -1000 // steps)[:alphas.shape[0] - 1].astype(jnp.float32)
        return lax.scan(turn, x, (alphas[:-1], alphas[1:], times))[0]

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"mod": f(dim, 6 * dim), "qkv": f(dim, 3 * dim), "o": f(dim, dim), "up": f(dim, 4 * dim),
             "down": f(4 * dim, dim)}
    params = {"in": f(16, dim), "places": f(places, dim), "time": f(256, dim), "label": f(1001, dim),
              "out": f(dim, 16), "layers": [layer] * layers}
    return sample, (params, KEY, spec((batch,), jnp.int32)), ()


# ---- scanned layers --------------------------------------------------------------------------------------------------


class EncoderLayer(nn.Module):
    width: int
    heads: int

    @nn.compact
    def __call__(self, x, _):
        h = nn.LayerNorm(dtype=jnp.bfloat16)(x)
        x = x + nn.MultiHeadDotProductAttention(self.heads, dtype=jnp.bfloat16)(h, h)
        h = nn.Dense(4 * self.width, dtype=jnp.bfloat16)(nn.LayerNorm(dtype=jnp.bfloat16)(x))
        return x + nn.Dense(self.width, dtype=jnp.bfloat16)(nn.gelu(h)), None


class ScannedViT(nn.Module):
    layers: int
    width: int
    heads: int
    remat: bool

    @nn.compact
    def __call__(self, images):
        x = nn.Conv(self.width, (14, 14), (14, 14), dtype=jnp.bfloat16)(images)
        x = x.reshape(x.shape[0], -1, self.width)
        x = x + self.param("places", nn.initializers.normal(0.02), x.shape[1:]).astype(x.dtype)
        one = nn.remat(EncoderLayer, prevent_cse=False) if self.remat else EncoderLayer
        many = nn.scan(one, variable_axes={"params": 0}, split_rngs={"params": True}, length=self.layers)
        x, _ = many(self.width, self.heads)(x, None)
        return nn.Dense(1000)(nn.LayerNorm()(x).mean(1))


def scanned_vit(batch=512, layers=24, width=1024, heads=16, remat=True):
    """A ViT-L of patches of 14, layers by nn.scan with nn.remat; AdamW with a mask, smoothed labels."""
    net = ScannedViT(layers, width, heads, remat)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(
        1e-3, b2=0.95, weight_decay=0.1, mask=lambda p: jax.tree.map(lambda w: w.ndim > 1, p)))

    def step(params, opt, images, labels):
        def loss_fn(params):
            logits = net.apply(params, images.astype(jnp.bfloat16) / 128 - 1)
            return optax.softmax_cross_entropy(logits, optax.smooth_labels(jax.nn.one_hot(labels, 1000), 0.1)).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    params = jax.eval_shape(net.init, KEY, spec((1, 224, 224, 3), jnp.bfloat16))
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, 224, 224, 3), jnp.uint8),
                  spec((batch,), jnp.int32)), (0, 1)


def sandwich_lm(batch=16, tokens=1024, layers=8, dim=1024, heads=8, groups=4, hidden=4096, vocab=64000, remat=False):
    """Norms before and after (as Gemma 2), scores and logits capped by tanh, layers scanned as they are; SGD."""
    head = dim // heads

    def block(x, w):
        h = rms(x, w["n1"])
        at = jnp.broadcast_to(jnp.arange(tokens), (batch, tokens))
        q = rope((h @ w["q"]).reshape(batch, tokens, heads, head), at)
        k = rope((h @ w["k"]).reshape(batch, tokens, groups, head), at)
        v = (h @ w["v"]).reshape(batch, tokens, groups, head)
        q = q.reshape(batch, tokens, groups, heads // groups, head)
        s = 50 * jnp.tanh(jnp.einsum("bqgmd,bkgd->bgmqk", q, k) * head ** -0.5 / 50)
        s = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), s, -1e30)
        y = jnp.einsum("bgmqk,bkgd->bqgmd", jax.nn.softmax(s), v).reshape(batch, tokens, dim) @ w["o"]
        x = x + rms(y, w["n3"])
        h = rms(x, w["n2"])
        return x + rms((jax.nn.gelu(h @ w["gate"]) * (h @ w["up"])) @ w["down"], w["n4"]), None

    tx = optax.sgd(0.1, momentum=0.9)

    def step(params, opt, ids):
        def loss_fn(params):
            x = params["embed"][ids] * dim ** 0.5
            x, _ = lax.scan(jax.checkpoint(block) if remat else block, x, params["layers"])
            logits = 30 * jnp.tanh(rms(x, params["norm"]) @ params["embed"].T / 30)
            return optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], ids[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    params = {"embed": f(vocab, dim), "norm": f(dim), "layers": {
        **block_weights(dim, heads, groups, hidden, layers=layers), "n3": f(layers, dim), "n4": f(layers, dim)}}
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, tokens), jnp.int32)), (0, 1)


# ---- gradients added up, and agents ----------------------------------------------------------------------------------


class SmallUNet(nn.Module):
    @nn.compact
    def __call__(self, x):
        kept = []
        for width in (64, 128, 256):
            x = nn.relu(nn.Conv(width, (3, 3))(nn.relu(nn.Conv(width, (3, 3))(x))))
            kept.append(x)
            x = nn.max_pool(x, (2, 2), strides=(2, 2))
        x = nn.relu(nn.Conv(512, (3, 3))(x))
        for width, skip in zip((256, 128, 64), reversed(kept)):
            x = jnp.concatenate([nn.ConvTranspose(width, (2, 2), (2, 2))(x), skip], -1)
            x = nn.relu(nn.Conv(width, (3, 3))(nn.relu(nn.Conv(width, (3, 3))(x))))
        return nn.Conv(1, (1, 1))(x)


def cells_accumulated(batch=32, parts=8, size=256):
    """Masks of cells: losses of Dice in eight parts of a batch, gradients added up in a scan; Adam."""
    net, tx = SmallUNet(), optax.adam(3e-4)

    def step(params, opt, images, masks):
        def loss_fn(params, images, masks):
            p = jax.nn.sigmoid(net.apply(params, images))
            both = (p * masks).sum((1, 2, 3))
            return (1 - (2 * both + 1) / (p.sum((1, 2, 3)) + masks.sum((1, 2, 3)) + 1)).mean()

        def turn(sums, part):
            loss, grads = jax.value_and_grad(loss_fn)(params, *part)
            return jax.tree.map(jnp.add, sums, grads), loss

        split = lambda x: x.reshape(parts, batch // parts, *x.shape[1:])
        grads, losses = lax.scan(turn, jax.tree.map(jnp.zeros_like, params), (split(images), split(masks)))
        updates, opt = tx.update(jax.tree.map(lambda g: g / parts, grads), opt)
        return optax.apply_updates(params, updates), opt, losses.mean()

    params = jax.eval_shape(net.init, KEY, spec((1, size, size, 1), jnp.float32))
    data = spec((batch, size, size, 1), jnp.float32)
    return step, (params, jax.eval_shape(tx.init, params), data, data), (0, 1)


def lessons_accumulated(batch=64, parts=8, tokens=512, layers=4, dim=2048, heads=16, vocab=50304):
    """A decoder in bfloat16 with weights of float32; fori_loop over parts that it slices; Adafactor."""
    head = dim // heads
    tx = optax.adafactor(1e-3)

    def loss_fn(params, ids):
        params = half_of(params)
        x = params["embed"][ids] + params["places"]
        mask = jnp.tril(jnp.ones((tokens, tokens), bool))
        for w in params["layers"]:
            h = jax.nn.standardize(x.astype(jnp.float32)).astype(x.dtype) * w["n1"]
            q, k, v = (z.reshape(*ids.shape, heads, head) for z in jnp.split(h @ w["qkv"], 3, -1))
            x = x + jax.nn.dot_product_attention(q, k, v, mask=mask[None, None]).reshape(x.shape) @ w["o"]
            h = jax.nn.standardize(x.astype(jnp.float32)).astype(x.dtype) * w["n2"]
            x = x + jnp.square(jax.nn.relu(h @ w["up"])) @ w["down"]
        logits = (x @ params["embed"].T).astype(jnp.float32)
        return optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], ids[:, 1:]).mean()

    def half_of(tree):
        return jax.tree.map(lambda w: w.astype(jnp.bfloat16), tree)

    def step(params, opt, ids):
        rows = batch // parts

        def turn(i, carry):
            sums, total = carry
            loss, grads = jax.value_and_grad(loss_fn)(params, lax.dynamic_slice_in_dim(ids, i * rows, rows))
            return jax.tree.map(jnp.add, sums, grads), total + loss

        grads, total = lax.fori_loop(0, parts, turn, (jax.tree.map(jnp.zeros_like, params), 0.0))
        updates, opt = tx.update(jax.tree.map(lambda g: g / parts, grads), opt, params)
        return optax.apply_updates(params, updates), opt, total / parts

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"n1": f(dim), "n2": f(dim), "qkv": f(dim, 3 * dim), "o": f(dim, dim), "up": f(dim, 4 * dim),
             "down": f(4 * dim, dim)}
    params = {"embed": f(vocab, dim), "places": f(tokens, dim), "layers": [layer] * layers}
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, tokens), jnp.int32)), (0, 1)


class QuantileNet(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = x.astype(jnp.float32) / 255
        for width, kernel, stride in ((32, 8, 4), (64, 4, 2), (64, 3, 1)):
            x = nn.relu(nn.Conv(width, (kernel, kernel), (stride, stride), "VALID")(x))
        x = nn.relu(nn.Dense(512)(x.reshape(x.shape[0], -1)))
        return nn.Dense(18 * 51)(x).reshape(-1, 18, 51)


def quantiles_replayed(rows=2048, steps=16, memory=65536):
    """Quantile regression of returns: sixteen steps, each of rows drawn from a memory on the device; what was learned
    goes to a slower net."""
    net, tx = QuantileNet(), optax.adam(5e-5, eps=0.01 / 32)

    def train(state, seen, actions, rewards, key):
        def turn(state, key):
            params, slow, opt = state
            at = jax.random.randint(key, (rows,), 0, memory - 1)
            now, after = seen[at], seen[at + 1]

            def loss_fn(params):
                chosen = jnp.take_along_axis(net.apply(params, now), actions[at][:, None, None], 1)[:, 0]
                later = net.apply(slow, after)
                best = jnp.take_along_axis(later, later.mean(-1).argmax(-1)[:, None, None], 1)[:, 0]
                wanted = lax.stop_gradient(rewards[at][:, None] + 0.99 * best)
                gap = wanted[:, None] - chosen[:, :, None]
                weight = jnp.abs((jnp.arange(51) + 0.5)[None, :, None] / 51 - (gap < 0))
                return (weight * optax.huber_loss(gap)).sum(1).mean()

            loss, grads = jax.value_and_grad(loss_fn)(params)
            updates, opt = tx.update(grads, opt)
            params = optax.apply_updates(params, updates)
            return (params, optax.incremental_update(params, slow, 0.005), opt), loss

        return lax.scan(turn, state, jax.random.split(key, steps))

    params = jax.eval_shape(net.init, KEY, spec((1, 84, 84, 4), jnp.uint8))
    state = params, params, jax.eval_shape(tx.init, params)
    return train, (state, spec((memory, 84, 84, 4), jnp.uint8), spec((memory,), jnp.int32),
                   spec((memory,), jnp.float32), KEY), (0,)


def speech_by_steps(batch=256, steps=400, width=1024, layers=3, letters=48):
    """Recurrent layers with gates (minimal ones) over frames, both ways, each by lax.scan; CTC; RMSProp."""
    def layer(w, x):
        def turn(h, at):
            z = jax.nn.sigmoid(at[0] + h @ w["u"])
            h = (1 - z) * h + z * jnp.tanh(at[1] + (z * h) @ w["v"])
            return h, h

        both = jnp.split(x @ w["in"], 2, -1)
        return lax.scan(turn, jnp.zeros((batch, width)), tuple(both))[1]

    def loss_fn(params, frames, lengths, texts, text_lengths):
        x = jnp.swapaxes(frames, 0, 1)
        for w in params["layers"]:
            x = jnp.concatenate([layer(w["left"], x), layer(w["right"], x[::-1])[::-1]], -1)
        logits = jnp.swapaxes(x @ params["out"], 0, 1)
        gone = (jnp.arange(steps) >= lengths[:, None]).astype(jnp.float32)
        text_gone = (jnp.arange(texts.shape[1]) >= text_lengths[:, None]).astype(jnp.float32)
        return optax.ctc_loss(logits, gone, texts, text_gone).mean()

    tx = optax.rmsprop(1e-3)

    def step(params, opt, *data):
        loss, grads = jax.value_and_grad(loss_fn)(params, *data)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    way = lambda inputs: {"in": f(inputs, 2 * width), "u": f(width, width), "v": f(width, width)}
    params = {"layers": [{"left": way(n), "right": way(n)} for n in [80] + [2 * width] * (layers - 1)],
              "out": f(2 * width, letters)}
    data = f(batch, steps, 80), spec((batch,), jnp.int32), spec((batch, 96), jnp.int32), spec((batch,), jnp.int32)
    return step, (params, jax.eval_shape(tx.init, params), *data), (0, 1)
