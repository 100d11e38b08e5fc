"""The second blind set: programs of JAX that train in loops."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from jax.flatten_util import ravel_pytree

from jax_loops import KEY, rms, rope, spec


# ---- scanned layers --------------------------------------------------------------------------------------------------


def parallel_blocks_remat(batch=46, tokens=2048, layers=20, dim=3072, heads=24, hidden=8192, vocab=64000):
    """Attention and MLP side by side in a scan with remat that keeps what has a name; Lion."""
    head = dim // heads

    @functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.save_only_these_names("mixed"))
    def block(x, w):
        w = jax.tree.map(lambda a: a.astype(x.dtype), w)
        h = rms(x, w["norm"])
        at = jnp.broadcast_to(jnp.arange(tokens), x.shape[:2])
        q, k, v = (jnp.einsum("btd,dhk->bthk", h, w[n]) for n in "qkv")
        q, k = rope(q, at), rope(k, at)
        s = jnp.einsum("bqhk,bshk->bhqs", q, k, preferred_element_type=jnp.float32) * head ** -0.5
        s = jax.nn.softmax(s + jnp.where(jnp.tri(tokens, dtype=bool), 0.0, -1e30)).astype(x.dtype)
        mixed = checkpoint_name(jnp.einsum("bhqs,bshk->bqhk", s, v), "mixed")
        x = x + jnp.einsum("bqhk,hkd->bqd", mixed, w["o"])
        return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"], None

    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.lion(1e-4, b2=0.98, mu_dtype=jnp.bfloat16, weight_decay=0.1))

    def step(state, ids):
        def loss_fn(params):
            x, _ = lax.scan(block, params["embed"].astype(jnp.bfloat16)[ids[:, :-1]], params["layers"])
            x = rms(x, params["norm"].astype(x.dtype))
            logits = jnp.einsum("btd,vd->btv", x, params["embed"].astype(x.dtype)) * 0.0625
            return optax.softmax_cross_entropy_with_integer_labels(logits.astype(jnp.float32), ids[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(state["params"])
        updates, opt = tx.update(grads, state["opt"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "opt": opt}, loss

    s = lambda *shape: spec((layers,) + shape, jnp.float32)
    stack = {**{n: s(dim, heads, head) for n in "qkv"}, "o": s(heads, head, dim), "norm": s(dim),
             "gate": s(dim, hidden), "up": s(dim, hidden), "down": s(hidden, dim)}
    params = {"embed": spec((vocab, dim), jnp.float32), "norm": spec((dim,), jnp.float32), "layers": stack}
    state = {"params": params, "opt": jax.eval_shape(tx.init, params)}
    return step, (state, spec((batch, tokens + 1), jnp.int32)), (0,)


class MixerBlock(nnx.Module):
    def __init__(self, places, width, rngs):
        dense = functools.partial(nnx.Linear, dtype=jnp.bfloat16, rngs=rngs)
        self.n1, self.n2 = (nnx.LayerNorm(width, dtype=jnp.bfloat16, rngs=rngs) for _ in range(2))
        self.p1, self.p2 = dense(places, width // 2), dense(width // 2, places)
        self.c1, self.c2 = dense(width, 4 * width), dense(4 * width, width)

    def __call__(self, x):
        x = x + self.p2(nnx.gelu(self.p1(self.n1(x).swapaxes(1, 2)))).swapaxes(1, 2)
        return x + self.c2(nnx.gelu(self.c1(self.n2(x))))


class Mixer(nnx.Module):
    def __init__(self, size, layers, width, classes, rngs):
        self.stem = nnx.Conv(3, width, (16, 16), (16, 16), dtype=jnp.bfloat16, rngs=rngs)

        @nnx.split_rngs(splits=layers)
        @nnx.vmap(in_axes=(0,), out_axes=0)
        def make(rngs):
            return MixerBlock((size // 16) ** 2, width, rngs)

        self.blocks, self.head = make(rngs), nnx.Linear(width, classes, rngs=rngs)

    def __call__(self, images):
        @nnx.scan(in_axes=(0, nnx.Carry), out_axes=nnx.Carry)
        def through(block, x):
            return block(x)

        x = self.stem(images)
        x = through(self.blocks, x.reshape(x.shape[0], -1, x.shape[-1]))
        return self.head(x.mean(1).astype(jnp.float32))


def mixer_scan_plain(batch=288, size=224, layers=12, width=768, classes=1000):
    """An MLP-Mixer whose layers are made by nnx.vmap and gone through by nnx.scan, with nothing computed twice."""
    graph, params = nnx.split(nnx.eval_shape(lambda: Mixer(size, layers, width, classes, nnx.Rngs(0))), nnx.Param)
    tx = optax.chain(optax.add_decayed_weights(1e-4), optax.sgd(optax.linear_schedule(0.1, 0.0, 90000), momentum=0.9,
                                                                accumulator_dtype=jnp.bfloat16))

    def step(params, opt, images, labels):
        def loss_fn(params):
            logits = nnx.merge(graph, params)(images.astype(jnp.bfloat16) / 255)
            return optax.softmax_cross_entropy(logits, optax.smooth_labels(jax.nn.one_hot(labels, classes), 0.1)).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    return step, (params, jax.eval_shape(tx.init, params), spec((batch, size, size, 3), jnp.uint8),
                  spec((batch,), jnp.int32)), (0, 1)


# ---- gradients added up ----------------------------------------------------------------------------------------------


class SpeakerNet(nn.Module):
    """Of ECAPA-TDNN's kind: dilated convolutions over time in groups, squeezed and excited, pooled by attention."""
    width: int = 1056

    @nn.compact
    def __call__(self, mel):
        conv = lambda w, k, d=1: nn.Sequential([nn.Conv(w, (k,), kernel_dilation=(d,)), nn.relu, nn.LayerNorm()])
        x = conv(self.width, 5)(mel)
        outs = []
        for dilation in (2, 4):
            y = jnp.split(conv(self.width, 1)(x), 3, -1)
            parts = [y[0]]
            for part in y[1:]:
                parts.append(conv(self.width // 3, 3, dilation)(part + parts[-1] if len(parts) > 1 else part))
            y = conv(self.width, 1)(jnp.concatenate(parts, -1))
            gate = nn.sigmoid(nn.Dense(self.width)(nn.relu(nn.Dense(128)(y.mean(1)))))
            x = x + y * gate[:, None]
            outs.append(x)
        x = conv(1536, 1)(jnp.concatenate(outs, -1))
        weight = jax.nn.softmax(nn.Dense(1536)(jnp.tanh(nn.Dense(128)(x))), 1)
        mean = (weight * x).sum(1)
        spread = jnp.sqrt(jnp.maximum((weight * x ** 2).sum(1) - mean ** 2, 1e-6))
        return nn.Dense(192)(nn.LayerNorm()(jnp.concatenate([mean, spread], -1)))


def speakers_accumulated(parts=4, rows=336, frames=400, people=7205):
    """Parts of a batch by a scan, whose carry is the sum of the slopes; an angle's margin is added to the right one."""
    net, tx = SpeakerNet(), optax.sgd(0.2, momentum=0.9)

    def loss_fn(params, mel, who):
        x = net.apply(params["net"], mel - mel.mean(1, keepdims=True))
        unit = lambda v, axis: v / (jnp.linalg.norm(v, axis=axis, keepdims=True) + 1e-8)
        cosine = jnp.clip(unit(x, -1) @ unit(params["people"], 0), -1 + 1e-6, 1 - 1e-6)
        moved = cosine * jnp.cos(0.2) - jnp.sqrt(1 - cosine ** 2) * jnp.sin(0.2)
        logits = 30.0 * jnp.where(jax.nn.one_hot(who, people, dtype=bool), moved, cosine)
        return optax.softmax_cross_entropy_with_integer_labels(logits, who).mean()

    def step(params, opt, mel, who):
        def add(carry, piece):
            total, losses = carry
            loss, grads = jax.value_and_grad(loss_fn)(params, *piece)
            return (optax.tree.add(total, grads), losses + loss), None

        (grads, loss), _ = lax.scan(add, (optax.tree.zeros_like(params), 0.0), (mel, who))
        updates, opt = tx.update(optax.tree.scale(1 / parts, grads), opt, params)
        return optax.apply_updates(params, updates), opt, loss / parts

    params = {"net": jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, frames, 80))), KEY),
              "people": spec((192, people), jnp.float32)}
    return step, (params, jax.eval_shape(tx.init, params), spec((parts, rows, frames, 80), jnp.float32),
                  spec((parts, rows), jnp.int32)), (0, 1)


class SmallWideNet(nn.Module):
    """A wide residual net with group norms, as privacy wants them."""

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(16, (3, 3))(x)
        for width, stride in ((64, 1), (128, 2), (256, 2)):
            y = nn.relu(nn.GroupNorm(16)(x))
            short = nn.Conv(width, (1, 1), (stride, stride))(y)
            y = nn.Conv(width, (3, 3), (stride, stride))(y)
            x = short + nn.Conv(width, (3, 3))(nn.relu(nn.GroupNorm(16)(y)))
        return nn.Dense(10)(nn.relu(nn.GroupNorm(16)(x)).mean((1, 2)))


def private_sgd_fori(batch=1024, rows=128):
    """DP-SGD: slopes of every picture alone by vmap, cut and added in a fori loop over parts, then noise."""
    net, tx = SmallWideNet(), optax.sgd(2.0, momentum=0.9)

    def one(params, image, label):
        logits = net.apply(params, image[None])
        return optax.softmax_cross_entropy_with_integer_labels(logits, label[None]).mean()

    def step(params, opt, images, labels, key):
        def add(i, total):
            take = lambda x: lax.dynamic_slice_in_dim(x, i * rows, rows)
            grads = jax.vmap(jax.grad(one), (None, 0, 0))(params, take(images), take(labels))
            cut = jax.vmap(lambda g: optax.tree.scale(jnp.minimum(1.0, 1.0 / (optax.global_norm(g) + 1e-6)), g))(grads)
            return jax.tree.map(lambda t, g: t + g.sum(0), total, cut)

        grads = lax.fori_loop(0, batch // rows, add, jax.tree.map(jnp.zeros_like, params))
        flat, shape = ravel_pytree(grads)
        noisy = (flat + 1.1 * jax.random.normal(key, flat.shape)) / batch
        updates, opt = tx.update(shape(noisy), opt, params)
        return optax.apply_updates(params, updates), opt

    params = jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, 32, 32, 3))), KEY)
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, 32, 32, 3), jnp.float32),
                  spec((batch,), jnp.int32), KEY), (0, 1)


# ---- reinforcement learning ------------------------------------------------------------------------------------------


class Stack(nn.Module):
    sizes: tuple

    @nn.compact
    def __call__(self, x):
        for size in self.sizes[:-1]:
            x = nn.relu(nn.LayerNorm()(nn.Dense(size)(x)))
        return nn.Dense(self.sizes[-1])(x)


def soft_actor_critic(held=2000000, rows=4096, updates=32, sees=376, acts=17):
    """Thirty-two updates in a scan, each on rows drawn from what is held on the device; five critics by vmap."""
    actor, critic = Stack((1024, 1024, 2 * acts)), Stack((1024, 1024, 1))
    tx = optax.adam(3e-4)
    judge = jax.vmap(lambda w, s, a: critic.apply(w, jnp.concatenate([s, a], -1))[:, 0], (0, None, None))

    def draw(weights, s, key):
        mean, log_std = jnp.split(actor.apply(weights, s), 2, -1)
        log_std = jnp.clip(log_std, -10, 2)
        raw = mean + jnp.exp(log_std) * jax.random.normal(key, mean.shape)
        chance = (-0.5 * ((raw - mean) / jnp.exp(log_std)) ** 2 - log_std - 0.919).sum(-1)
        return jnp.tanh(raw), chance - (2 * (0.6931 - raw - jax.nn.softplus(-2 * raw))).sum(-1)

    def update(state, memory, filled, key):
        def turn(carry, key):
            s, opts = carry
            at, now, then = jax.random.split(key, 3)
            rows_at = jax.random.randint(at, (rows,), 0, filled)
            b = jax.tree.map(lambda x: x[rows_at], memory)
            action, chance = draw(s["actor"], b["next"], then)
            heat = jnp.exp(s["heat"])
            aim = judge(s["target"], b["next"], action).min(0) - heat * chance
            aim = lax.stop_gradient(b["reward"] + 0.99 * (1 - b["done"]) * aim)

            def critic_loss(w):
                return jnp.square(judge(w, b["now"], b["action"]) - aim).mean()

            def actor_loss(w):
                action, chance = draw(w, b["now"], now)
                return (heat * chance - judge(s["critic"], b["now"], action).min(0)).mean(), chance.mean()

            slopes = {"critic": jax.grad(critic_loss)(s["critic"])}
            slopes["actor"], chance = jax.grad(actor_loss, has_aux=True)(s["actor"])
            slopes["heat"] = -(chance - acts)
            s = dict(s)
            opts = dict(opts)
            for n, g in slopes.items():
                change, opts[n] = tx.update(g, opts[n])
                s[n] = optax.apply_updates(s[n], change)
            s["target"] = optax.incremental_update(s["critic"], s["target"], 0.005)
            return (s, opts), chance

        return lax.scan(turn, state, jax.random.split(key, updates))

    w = jax.eval_shape(lambda k: actor.init(k, jnp.zeros((1, sees))), KEY)
    five = jax.eval_shape(jax.vmap(lambda k: critic.init(k, jnp.zeros((1, sees + acts)))), spec((5, 2), jnp.uint32))
    s = {"actor": w, "critic": five, "target": five, "heat": spec((), jnp.float32)}
    opts = {n: jax.eval_shape(tx.init, s[n]) for n in ("actor", "critic", "heat")}
    f = lambda *more: spec((held, *more), jnp.float32)
    memory = {"now": f(sees), "next": f(sees), "action": f(acts), "reward": f(), "done": f()}
    return update, ((s, opts), memory, spec((), jnp.int32), KEY), (0,)


# ---- a recurrent net -------------------------------------------------------------------------------------------------


class TimeMix(nn.Module):
    @nn.compact
    def __call__(self, x):
        d = x.shape[-1]
        before = jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1]
        mu = self.param("mu", nn.initializers.uniform(1.0), (3, d)).astype(x.dtype)
        dense = functools.partial(nn.Dense, d, use_bias=False, dtype=jnp.bfloat16)
        k, v, r = (dense()(x * mu[n] + before * (1 - mu[n])) for n in range(3))
        decay = -jnp.exp(self.param("decay", nn.initializers.normal(1.0), (d,)))
        first = self.param("first", nn.initializers.normal(1.0), (d,))

        def tick(carry, kv):
            a, b, top = carry
            k, v = kv
            q = jnp.maximum(top, first + k)
            e1, e2 = jnp.exp(top - q), jnp.exp(first + k - q)
            out = (e1 * a + e2 * v) / (e1 * b + e2)
            q = jnp.maximum(top + decay, k)
            e1, e2 = jnp.exp(top + decay - q), jnp.exp(k - q)
            return (e1 * a + e2 * v, e1 * b + e2, q), out

        over_time = tuple(z.astype(jnp.float32).swapaxes(0, 1) for z in (k, v))
        zero = jnp.zeros((x.shape[0], d))
        _, y = lax.scan(tick, (zero, zero, zero - 1e30), over_time)
        return dense()(nn.sigmoid(r) * y.swapaxes(0, 1).astype(jnp.bfloat16))


class ChannelMix(nn.Module):
    @nn.compact
    def __call__(self, x):
        d = x.shape[-1]
        before = jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1]
        mu = self.param("mu", nn.initializers.uniform(1.0), (2, d)).astype(x.dtype)
        dense = functools.partial(nn.Dense, use_bias=False, dtype=jnp.bfloat16)
        k = jnp.square(nn.relu(dense(4 * d)(x * mu[0] + before * (1 - mu[0]))))
        return nn.sigmoid(dense(d)(x * mu[1] + before * (1 - mu[1]))) * dense(d)(k)


def rwkv(batch=18, tokens=1024, layers=2, width=2048, vocab=50277):
    """RWKV 4: a scan over time whose carry is a sum, its weight and the greatest exponent."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, ids):
            norm = functools.partial(nn.LayerNorm, dtype=jnp.bfloat16)
            x = norm()(nn.Embed(vocab, width, dtype=jnp.bfloat16)(ids))
            for _ in range(layers):
                x = x + TimeMix()(norm()(x))
                x = x + ChannelMix()(norm()(x))
            return nn.Dense(vocab, use_bias=False, dtype=jnp.bfloat16)(norm()(x))

    net, tx = Net(), optax.adam(6e-4, b1=0.9, b2=0.99)

    def step(params, opt, ids):
        def loss_fn(params):
            logits = net.apply(params, ids[:, :-1]).astype(jnp.float32)
            return optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    params = jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, tokens), jnp.int32)), KEY)
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, tokens + 1), jnp.int32)), (0, 1)
