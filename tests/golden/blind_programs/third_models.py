"""The third blind set: models of JAX on one device, that look and that train."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax import lax

from jax_loops import KEY, rms, spec
from third_divided import decoder, decoder_shapes


def train(tx, loss_fn):
    """A step by the slopes of loss_fn(params, *data)."""
    def step(params, opt, *data):
        loss, grads = jax.value_and_grad(loss_fn)(params, *data)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    return step


# ---- looking ---------------------------------------------------------------------------------------------------------


def words_scored(batch=256, tokens=512, layers=4, dim=1024, heads=16, vocab=50265):
    """Masked words by an encoder in bfloat16: how likely each word of a text was, summed."""
    head = dim // heads

    def score(params, ids, mask):
        x = params["embed"][ids] + params["places"]
        bias = jnp.where(mask, 0.0, -1e9)[:, None, None]
        for w in params["layers"]:
            q, k, v = ((x @ w[n]).reshape(batch, tokens, heads, head) for n in "qkv")
            s = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * head ** -0.5 + bias
            p = jax.nn.softmax(s).astype(x.dtype)
            x = rms(x + jnp.einsum("bhqk,bkhd->bqhd", p, v).reshape(x.shape) @ w["o"], w["n1"])
            x = rms(x + jax.nn.gelu(x @ w["up"], approximate=False) @ w["down"], w["n2"])
        chances = jax.nn.log_softmax((x @ params["embed"].T).astype(jnp.float32))
        of = jnp.take_along_axis(chances, ids[..., None], -1)[..., 0]
        return (of * mask).sum(-1)

    b16 = lambda *shape: spec(shape, jnp.bfloat16)
    layer = {**{n: b16(dim, dim) for n in "qkvo"}, "up": b16(dim, 4 * dim), "down": b16(4 * dim, dim),
             "n1": b16(dim), "n2": b16(dim)}
    params = {"embed": b16(vocab, dim), "places": b16(tokens, dim), "layers": [layer] * layers}
    return score, (params, spec((batch, tokens), jnp.int32), spec((batch, tokens), bool)), ()


def prompts_read(batch=32, tokens=4096, layers=3, dim=4096, heads=32, groups=8, hidden=14336, vocab=128256):
    """A prefill in bfloat16: the last token's chances and an embedding of each prompt."""
    def read(params, ids, lengths):
        x = decoder(params, ids, heads, groups)
        seen = jnp.arange(tokens)[None] < lengths[:, None]
        mean = (x * seen[..., None]).sum(1) / lengths[:, None]
        last = jnp.take_along_axis(x, lengths[:, None, None] - 1, 1)[:, 0]
        return jax.nn.softmax((last @ params["head"]).astype(jnp.float32)), mean.astype(jnp.float32)

    params = decoder_shapes(layers, dim, heads, groups, hidden, vocab, jnp.bfloat16)
    return read, (params, spec((batch, tokens), jnp.int32), spec((batch,), jnp.int32)), ()


class NextBlock(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        h = nn.Conv(self.width, (7, 7), feature_group_count=self.width)(x)
        h = nn.Dense(4 * self.width)(nn.LayerNorm(epsilon=1e-6)(h))
        return x + nn.Dense(self.width)(nn.gelu(h)) * self.param("scale", nn.initializers.constant(1e-6), (self.width,))


class Features(nn.Module):
    depths: tuple = (1, 1, 3, 1)
    widths: tuple = (96, 192, 384, 768)

    @nn.compact
    def __call__(self, x):
        maps = []
        for depth, width in zip(self.depths, self.widths):
            patch = 2 if maps else 4
            x = nn.Conv(width, (patch, patch), (patch, patch))(nn.LayerNorm()(x) if maps else x)
            for _ in range(depth):
                x = NextBlock(width)(x)
            maps.append(nn.LayerNorm()(x))
        return maps


def maps_of_pictures(batch=192, size=384):
    """Feature maps of four sizes by a ConvNeXt of float32, for a detector."""
    net = Features()
    params = jax.eval_shape(net.init, KEY, spec((1, size, size, 3), jnp.float32))
    return net.apply, (params, spec((batch, size, size, 3), jnp.float32)), ()


class Res(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        h = nn.Conv(self.width, (3, 3), dtype=jnp.bfloat16)(nn.silu(nn.GroupNorm(32, dtype=jnp.bfloat16)(x)))
        h = nn.Conv(self.width, (3, 3), dtype=jnp.bfloat16)(nn.silu(nn.GroupNorm(32, dtype=jnp.bfloat16)(h)))
        return h + (x if x.shape[-1] == self.width else nn.Conv(self.width, (1, 1), dtype=jnp.bfloat16)(x))


class ToLatents(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(128, (3, 3), dtype=jnp.bfloat16)(x)
        for n, width in enumerate((128, 256, 512, 512)):
            x = Res(width)(x)
            if n < 3:
                x = nn.Conv(width, (3, 3), (2, 2), padding=((0, 1), (0, 1)), dtype=jnp.bfloat16)(x)
        h = nn.GroupNorm(32)(x).reshape(x.shape[0], -1, 512)
        h = nn.SelfAttention(1, dtype=jnp.bfloat16)(h)
        return nn.Conv(8, (3, 3))(nn.silu(nn.GroupNorm(32)(Res(512)(x + h.reshape(x.shape)))))


def pictures_to_latents(batch=32, size=512):
    """The encoder of a latent diffusion in bfloat16, with samples of the latents."""
    net = ToLatents()

    def encode(params, pictures, key):
        mean, wide = jnp.split(net.apply(params, pictures.astype(jnp.bfloat16) / 127.5 - 1), 2, -1)
        return 0.18215 * (mean + jnp.exp(0.5 * jnp.clip(wide, -30, 20)) * jax.random.normal(key, mean.shape))

    params = jax.eval_shape(net.init, KEY, spec((1, size, size, 3), jnp.bfloat16))
    return encode, (params, spec((batch, size, size, 3), jnp.uint8), KEY), ()


# ---- training --------------------------------------------------------------------------------------------------------


def rows_of_a_table(batch=131072, inputs=512, width=4096, layers=5):
    """A tabular net with residual blocks, dropout and batch norms in float32; Adam."""
    def loss_fn(params, x, y, key):
        x = x @ params["in"]
        for n, w in enumerate(params["layers"]):
            h = (x - x.mean(0)) * lax.rsqrt(x.var(0) + 1e-5) * w["g"] + w["b"]
            h = jax.nn.relu(h @ w["up"])
            keep = jax.random.bernoulli(jax.random.fold_in(key, n), 0.8, h.shape)
            x = x + jnp.where(keep, h / 0.8, 0) @ w["down"]
        return jnp.mean(jnp.square((jax.nn.relu(x) @ params["out"])[:, 0] - y))

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"g": f(width // 4), "b": f(width // 4), "up": f(width // 4, width), "down": f(width, width // 4)}
    params = {"in": f(inputs, width // 4), "layers": [layer] * layers, "out": f(width // 4, 1)}
    tx = optax.adam(1e-3)
    return train(tx, loss_fn), (params, jax.eval_shape(tx.init, params), f(batch, inputs), f(batch), KEY), (0, 1)


class Attention(nnx.Module):
    def __init__(self, width, heads, rngs):
        self.heads = heads
        linear = functools.partial(nnx.Linear, dtype=jnp.bfloat16, rngs=rngs)
        self.n1, self.n2 = (nnx.LayerNorm(width, dtype=jnp.bfloat16, rngs=rngs) for _ in range(2))
        self.qkv, self.o = linear(width, 3 * width), linear(width, width)
        self.up, self.down = linear(width, 4 * width), linear(4 * width, width)

    def __call__(self, x, mask):
        n, t, c = x.shape
        q, k, v = (z.reshape(n, t, self.heads, -1) for z in jnp.split(self.qkv(self.n1(x)), 3, -1))
        x = x + self.o(jax.nn.dot_product_attention(q, k, v, mask=mask).reshape(x.shape))
        return x + self.down(jax.nn.gelu(self.up(self.n2(x))))


class Writer(nnx.Module):
    def __init__(self, layers, width, heads, vocab, tokens, rngs):
        self.words = nnx.Embed(vocab, width, dtype=jnp.bfloat16, rngs=rngs)
        self.places = nnx.Embed(tokens, width, dtype=jnp.bfloat16, rngs=rngs)
        self.blocks = nnx.List([Attention(width, heads, rngs) for _ in range(layers)])
        self.norm = nnx.LayerNorm(width, dtype=jnp.bfloat16, rngs=rngs)

    def __call__(self, ids):
        x = self.words(ids) + self.places(jnp.arange(ids.shape[1]))
        mask = jnp.tril(jnp.ones((1, 1, ids.shape[1], ids.shape[1]), bool))
        for block in self.blocks:
            x = block(x, mask)
        return self.words.attend(self.norm(x)).astype(jnp.float32)


def stories(batch=64, tokens=512, layers=4, width=768, heads=12, vocab=50257):
    """A small GPT in nnx, next words by slices of the logits; AdamW."""
    graph, params, rest = nnx.split(nnx.eval_shape(lambda: Writer(layers, width, heads, vocab, tokens, nnx.Rngs(0))),
                                    nnx.Param, ...)

    def loss_fn(params, ids):
        logits = nnx.merge(graph, params, rest)(ids)
        return optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], ids[:, 1:]).mean()

    tx = optax.adamw(3e-4)
    return train(tx, loss_fn), (params, jax.eval_shape(tx.init, params), spec((batch, tokens), jnp.int32)), (0, 1)


class Basic(nn.Module):
    width: int
    stride: int = 1

    @nn.compact
    def __call__(self, x, train):
        norm = functools.partial(nn.BatchNorm, use_running_average=not train, dtype=jnp.bfloat16)
        conv = functools.partial(nn.Conv, kernel_size=(3, 3), use_bias=False, dtype=jnp.bfloat16)
        y = nn.relu(norm()(conv(self.width, strides=self.stride)(x)))
        y = norm()(conv(self.width)(y))
        if x.shape != y.shape:
            x = norm()(nn.Conv(self.width, (1, 1), self.stride, use_bias=False, dtype=jnp.bfloat16)(x))
        return nn.relu(x + y)


class Small(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, x, train=True):
        x = nn.relu(nn.BatchNorm(use_running_average=not train, dtype=jnp.bfloat16)(
            nn.Conv(64, (3, 3), use_bias=False, dtype=jnp.bfloat16)(x)))
        for n, width in enumerate((64, 128, 256, 512)):
            x = Basic(width, 2)(x, train) if n else Basic(width)(x, train)
        return nn.Dense(self.classes)(x.mean((1, 2)))


def two_views(batch=1024, size=64):
    """SimCLR: two views of each picture through a small ResNet, a table of all against all; LARS."""
    net, tx = Small(128), optax.lars(0.3, weight_decay=1e-6)

    def step(params, stats, opt, views):
        def loss_fn(params):
            z, new = net.apply({"params": params, "batch_stats": stats}, views.reshape(-1, size, size, 3),
                               mutable=["batch_stats"])
            z = z / jnp.linalg.norm(z, axis=-1, keepdims=True)
            s = z @ z.T / 0.1 - 1e9 * jnp.eye(2 * batch)
            other = jnp.roll(jnp.arange(2 * batch), batch)
            return optax.softmax_cross_entropy_with_integer_labels(s, other).mean(), new

        (loss, new), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), new["batch_stats"], opt, loss

    v = jax.eval_shape(net.init, KEY, spec((1, size, size, 3), jnp.float32))
    return step, (v["params"], v["batch_stats"], jax.eval_shape(tx.init, v["params"]),
                  spec((2, batch, size, size, 3), jnp.float32)), (0, 1, 2)


def papers_cited(nodes=400000, edges=4000000, inputs=128, width=256, classes=64):
    """A graph net of three layers: messages gathered by edges, summed by segments, divided by degrees; Adam."""
    def loss_fn(params, x, from_, to, labels, known):
        degree = jax.ops.segment_sum(jnp.ones_like(to, jnp.float32), to, nodes)
        for n, w in enumerate(params):
            of = jax.ops.segment_sum(x[from_], to, nodes) / jnp.maximum(degree, 1)[:, None]
            x = x @ w["self"] + of @ w["near"] + w["b"]
            x = jax.nn.relu(x) if n < 2 else x
        loss = optax.softmax_cross_entropy_with_integer_labels(x, labels)
        return jnp.where(known, loss, 0).sum() / known.sum()

    f = lambda *shape: spec(shape, jnp.float32)
    sizes = [inputs, width, width, classes]
    params = [{"self": f(a, b), "near": f(a, b), "b": f(b)} for a, b in zip(sizes, sizes[1:])]
    tx, i32 = optax.adam(0.01), lambda n: spec((n,), jnp.int32)
    return train(tx, loss_fn), (params, jax.eval_shape(tx.init, params), f(nodes, inputs), i32(edges), i32(edges),
                                i32(nodes), spec((nodes,), bool)), (0, 1)


def songs_embedded(batch=262144, people=2000000, songs=3000000, width=64):
    """Matrix factors with biases and drawn negatives: two tables, rows of which Adam updates whole."""
    def loss_fn(params, who, liked, other):
        p = params["people"][who]
        score = lambda s: (p * params["songs"][s]).sum(-1) + params["bias"][s]
        rank = -jax.nn.log_sigmoid(score(liked) - score(other)).mean()
        return rank + 1e-6 * jnp.square(p).sum() / batch

    f, i32 = lambda *shape: spec(shape, jnp.float32), spec((batch,), jnp.int32)
    params, tx = {"people": f(people, width), "songs": f(songs, width), "bias": f(songs)}, optax.adam(1e-3)
    return train(tx, loss_fn), (params, jax.eval_shape(tx.init, params), i32, i32, i32), (0, 1)


def distilled(batch=16, tokens=1024, layers=(3, 2), dims=(4096, 2048), vocab=128000):
    """A student learns a teacher's chances of all words (KL at two temperatures) beside the words themselves; AdamW on
    weights of bfloat16."""
    def loss_fn(student, teacher, ids):
        def logits(params, dim):
            return (decoder(params, ids, dim // 128, dim // 512) @ params["head"]).astype(jnp.float32)

        own, wanted = logits(student, dims[1]), lax.stop_gradient(logits(teacher, dims[0]))
        words = optax.softmax_cross_entropy_with_integer_labels(own[:, :-1], ids[:, 1:]).mean()
        soft = jax.nn.softmax(wanted / 2)
        kl = (soft * (jax.nn.log_softmax(wanted / 2) - jax.nn.log_softmax(own / 2))).sum(-1).mean()
        return 0.5 * words + 2 * kl

    teacher, student = (decoder_shapes(n, d, d // 128, d // 512, 3 * d, vocab, jnp.bfloat16)
                        for n, d in zip(layers, dims))
    tx = optax.adamw(1e-4)
    return train(tx, loss_fn), (student, jax.eval_shape(tx.init, student), teacher,
                                spec((batch, tokens), jnp.int32)), (0, 1)


class Cubes(nn.Module):
    @nn.compact
    def __call__(self, x):
        kept = []
        for width in (32, 64, 128):
            x = nn.leaky_relu(nn.GroupNorm(8)(nn.Conv(width, (3, 3, 3))(x)))
            kept.append(x)
            x = nn.Conv(width, (2, 2, 2), (2, 2, 2))(x)
        x = nn.leaky_relu(nn.GroupNorm(8)(nn.Conv(256, (3, 3, 3))(x)))
        for width, skip in zip((128, 64, 32), reversed(kept)):
            x = jnp.concatenate([nn.ConvTranspose(width, (2, 2, 2), (2, 2, 2))(x), skip], -1)
            x = nn.leaky_relu(nn.GroupNorm(8)(nn.Conv(width, (3, 3, 3))(x)))
        return nn.Conv(4, (1, 1, 1))(x)


def organs(batch=2, size=128):
    """A U-Net of volumes: four kinds of tissue, Dice and cross-entropy; SGD with Nesterov's momentum."""
    net, tx = Cubes(), optax.sgd(0.01, momentum=0.99, nesterov=True)

    def loss_fn(params, volumes, labels):
        logits = net.apply(params, volumes)
        p, y = jax.nn.softmax(logits), jax.nn.one_hot(labels, 4)
        dice = 2 * (p * y).sum((1, 2, 3)) / ((p + y).sum((1, 2, 3)) + 1e-5)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean() + 1 - dice.mean()

    params = jax.eval_shape(net.init, KEY, spec((1, size, size, size, 1), jnp.float32))
    cube = (batch, size, size, size)
    return train(tx, loss_fn), (params, jax.eval_shape(tx.init, params), spec((*cube, 1), jnp.float32),
                                spec(cube, jnp.int32)), (0, 1)


def waves_seen(batch=8, seconds=16384 * 4, width=256, layers=6):
    """Sound by dilated convolutions of gates (WaveNet's kind), logits of 256 steps each; Adam."""
    def loss_fn(params, wave):
        x = jax.nn.one_hot(wave[:, :-1], 256) @ params["in"]
        conv = lambda x, w, far: lax.conv_general_dilated(x, w, (1,), [(far, 0)], rhs_dilation=(far,),
                                                          dimension_numbers=("NWC", "WIO", "NWC"))
        total = 0.0
        for n, w in enumerate(params["layers"]):
            a, b = jnp.split(conv(x, w["gate"], 2 ** n), 2, -1)
            h = jnp.tanh(a) * jax.nn.sigmoid(b)
            total = total + h @ w["skip"]
            x = x + h @ w["res"]
        logits = jax.nn.relu(jax.nn.relu(total) @ params["mid"]) @ params["out"]
        return optax.softmax_cross_entropy_with_integer_labels(logits, wave[:, 1:]).mean()

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"gate": f(2, width, 2 * width), "res": f(width, width), "skip": f(width, width)}
    params = {"in": f(256, width), "layers": [layer] * layers, "mid": f(width, width), "out": f(width, 256)}
    tx = optax.adam(2e-4)
    return train(tx, loss_fn), (params, jax.eval_shape(tx.init, params), spec((batch, seconds + 1), jnp.int32)), (0, 1)
