"""Programs of JAX with loops: decoding, scanned layers, gradients added up, PPO, a state space model."""
import functools
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from jax import lax

spec = jax.ShapeDtypeStruct
KEY = spec((2,), jnp.uint32)


def half(tree):
    return jax.tree.map(lambda x: spec(x.shape, jnp.bfloat16), tree)


# ---- decoding --------------------------------------------------------------------------------------------------------


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    freqs = base ** (-jnp.arange(0, d, 2, dtype=jnp.float32) / d)
    angles = positions[..., None].astype(jnp.float32) * freqs
    sin, cos = jnp.sin(angles)[..., None, :], jnp.cos(angles)[..., None, :]
    a, b = jnp.split(x.astype(jnp.float32), 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1).astype(x.dtype)


def rms(x, scale, eps=1e-6):
    var = jnp.mean(jnp.square(x.astype(jnp.float32)), -1, keepdims=True)
    return (x * lax.rsqrt(var + eps)).astype(x.dtype) * scale


def llama_params(layers, dim, heads, kv, hidden, vocab, dtype=jnp.bfloat16):
    head = dim // heads
    p = lambda *shape: spec(shape, dtype)
    block = dict(att_norm=p(dim), ffn_norm=p(dim), wq=p(dim, heads * head), wk=p(dim, kv * head), wv=p(dim, kv * head),
                 wo=p(heads * head, dim), gate=p(dim, hidden), up=p(dim, hidden), down=p(hidden, dim))
    return dict(tok=p(vocab, dim), out=p(dim, vocab), norm=p(dim), layers=[dict(block) for _ in range(layers)])


def tinyllama_decode(batch=48, steps=128, cache_len=2048, layers=22, dim=2048, heads=32, kv=4, hidden=5632,
                     vocab=32000):
    """Greedy decoding of some tokens; the cache is what the loop carries, a list of an array a layer."""
    head = dim // heads

    def one_token(params, cache, token, pos):
        x = params["tok"][token][:, None, :]
        positions = jnp.full((token.shape[0], 1), pos)
        new_cache = []
        for lp, (ck, cv) in zip(params["layers"], cache):
            h = rms(x, lp["att_norm"])
            q = (h @ lp["wq"]).reshape(-1, 1, heads, head)
            k = (h @ lp["wk"]).reshape(-1, 1, kv, head)
            v = (h @ lp["wv"]).reshape(-1, 1, kv, head)
            q, k = rope(q, positions), rope(k, positions)
            ck = lax.dynamic_update_slice(ck, k, (0, pos, 0, 0))
            cv = lax.dynamic_update_slice(cv, v, (0, pos, 0, 0))
            new_cache.append((ck, cv))
            q = q.reshape(-1, kv, heads // kv, head)
            s = jnp.einsum("bkgd,btkd->bkgt", q, ck, preferred_element_type=jnp.float32) / head ** 0.5
            s = jnp.where(jnp.arange(ck.shape[1]) <= pos, s, -1e30)
            o = jnp.einsum("bkgt,btkd->bkgd", jax.nn.softmax(s).astype(cv.dtype), cv)
            x = x + o.reshape(x.shape[0], 1, -1) @ lp["wo"]
            h = rms(x, lp["ffn_norm"])
            x = x + (jax.nn.silu(h @ lp["gate"]) * (h @ lp["up"])) @ lp["down"]
        logits = (rms(x, params["norm"]) @ params["out"])[:, 0].astype(jnp.float32)
        return new_cache, jnp.argmax(logits, -1).astype(jnp.int32)

    def generate(params, cache, token, start):
        def body(i, carry):
            cache, token, out = carry
            cache, token = one_token(params, cache, token, start + i)
            return cache, token, out.at[:, i].set(token)

        out = jnp.zeros((token.shape[0], steps), jnp.int32)
        cache, _, out = lax.fori_loop(0, steps, body, (cache, token, out))
        return cache, out

    kv_spec = spec((batch, cache_len, kv, head), jnp.bfloat16)
    args = (llama_params(layers, dim, heads, kv, hidden, vocab), [(kv_spec, kv_spec)] * layers,
            spec((batch,), jnp.int32), spec((), jnp.int32))
    return generate, args, (1,)


def gpt2_params(layers, dim, vocab, tokens, dtype):
    s = lambda *shape: spec((layers,) + shape, dtype)
    stacked = {"ln1": {"g": s(dim), "b": s(dim)}, "ln2": {"g": s(dim), "b": s(dim)},
               "qkv": {"w": s(dim, 3 * dim), "b": s(3 * dim)}, "proj": {"w": s(dim, dim), "b": s(dim)},
               "fc": {"w": s(dim, 4 * dim), "b": s(4 * dim)}, "out": {"w": s(4 * dim, dim), "b": s(dim)}}
    return {"wte": spec((vocab, dim), dtype), "wpe": spec((tokens, dim), dtype), "blocks": stacked,
            "lnf": {"g": spec((dim,), dtype), "b": spec((dim,), dtype)}}


def layer_norm(x, p):
    x32 = x.astype(jnp.float32)
    mean, var = x32.mean(-1, keepdims=True), x32.var(-1, keepdims=True)
    return ((x32 - mean) * lax.rsqrt(var + 1e-5)).astype(x.dtype) * p["g"] + p["b"]


def gpt2_token_scanned(batch=64, layers=24, dim=1024, heads=16, tokens=1024, vocab=50257, donate=True):
    """One token: a scan over the layers, whose weights and cache come in and whose cache goes out by layer."""

    def dense(x, p):
        return x @ p["w"] + p["b"]

    def decode_step(params, cache, token, pos):
        x = params["wte"][token] + params["wpe"][pos]

        def layer(x, inputs):
            p, (k_cache, v_cache) = inputs
            q, k, v = jnp.split(dense(layer_norm(x, p["ln1"]), p["qkv"]), 3, -1)
            q, k, v = (t.reshape(batch, heads, dim // heads) for t in (q, k, v))
            k_cache = lax.dynamic_update_index_in_dim(k_cache, k, pos, 2)
            v_cache = lax.dynamic_update_index_in_dim(v_cache, v, pos, 2)
            att = jnp.einsum("bhd,bhtd->bht", q, k_cache).astype(jnp.float32) * (dim // heads) ** -0.5
            att = jnp.where(jnp.arange(tokens)[None, None] <= pos, att, jnp.finfo(jnp.float32).min)
            mix = jnp.einsum("bht,bhtd->bhd", jax.nn.softmax(att, -1).astype(x.dtype), v_cache).reshape(batch, dim)
            x = x + dense(mix, p["proj"])
            x = x + dense(jax.nn.gelu(dense(layer_norm(x, p["ln2"]), p["fc"])), p["out"])
            return x, (k_cache, v_cache)

        x, cache = lax.scan(layer, x, (params["blocks"], cache))
        logits = layer_norm(x, params["lnf"]) @ params["wte"].T
        return cache, logits.astype(jnp.float32)

    kv = spec((layers, batch, heads, tokens, dim // heads), jnp.bfloat16)
    args = (gpt2_params(layers, dim, vocab, tokens, jnp.bfloat16), (kv, kv), spec((batch,), jnp.int32),
            spec((), jnp.int32))
    return decode_step, args, (1,) if donate else ()


def sample_loop(batch=32, steps=64, layers=12, dim=768, heads=12, tokens=512, vocab=32128):
    """Sampling with a temperature and the 40 most likely words in a scan; a cache of float32 that nobody donates."""

    def step(params, carry, key):
        cache, token, pos = carry
        x = params["embed"][token].astype(jnp.bfloat16)
        keys, values = cache
        for n in range(layers):
            p = jax.tree.map(lambda w: w[n].astype(jnp.bfloat16), params["stack"])
            h = x * lax.rsqrt(jnp.mean(jnp.square(x), -1, keepdims=True) + 1e-6) * p["scale"]
            q, k, v = jnp.einsum("bd,cdhk->cbhk", h, p["qkv"])
            keys = keys.at[n, :, pos].set(k.astype(jnp.float32))
            values = values.at[n, :, pos].set(v.astype(jnp.float32))
            w = jnp.einsum("bhk,bthk->bht", q.astype(jnp.float32), keys[n])
            w = jax.nn.softmax(w, where=jnp.arange(tokens) <= pos, axis=-1)
            x = x + jnp.einsum("bht,bthk,hkd->bd", w, values[n], p["o"].astype(jnp.float32)).astype(jnp.bfloat16)
            x = x + jax.nn.relu(x @ p["wi"]) @ p["wo"]
        logits = (x @ params["embed"].T.astype(x.dtype)).astype(jnp.float32) / 0.8
        top, ids = lax.top_k(logits, 40)
        token = jnp.take_along_axis(ids, jax.random.categorical(key, top)[:, None], 1)[:, 0]
        return ((keys, values), token, pos + 1), token

    def sample(params, cache, token, seed):
        carry, out = lax.scan(functools.partial(step, params), (cache, token, 0), jax.random.split(seed, steps))
        return out.T, carry[0]

    head = dim // heads
    f = lambda *shape: spec((layers,) + shape, jnp.float32)
    params = {"embed": spec((vocab, dim), jnp.float32), "stack": {
        "scale": f(dim), "qkv": f(3, dim, heads, head), "o": f(heads, head, dim), "wi": f(dim, 4 * dim),
        "wo": f(4 * dim, dim)}}
    cache = spec((layers, batch, tokens, heads, head), jnp.float32)
    return sample, (params, (cache, cache), spec((batch,), jnp.int32), KEY), ()


# ---- scanned layers --------------------------------------------------------------------------------------------------


class Block(nn.Module):
    heads: int
    dtype: Any = jnp.bfloat16

    @nn.compact
    def __call__(self, x, mask):
        d = x.shape[-1]
        h = nn.LayerNorm(dtype=self.dtype)(x)
        x = x + nn.MultiHeadDotProductAttention(self.heads, dtype=self.dtype, deterministic=True)(h, h, mask=mask)
        h = nn.LayerNorm(dtype=self.dtype)(x)
        h = nn.Dense(4 * d, dtype=self.dtype)(h)
        return x + nn.Dense(d, dtype=self.dtype)(nn.gelu(h)), None


class ScannedLM(nn.Module):
    layers: int
    width: int
    heads: int
    vocab: int
    remat: bool

    @nn.compact
    def __call__(self, tokens):
        embed = nn.Embed(self.vocab, self.width, dtype=jnp.bfloat16)
        x = embed(tokens) + self.param("pos", nn.initializers.normal(0.02),
                                       (tokens.shape[1], self.width)).astype(jnp.bfloat16)
        block = nn.remat(Block, prevent_cse=False) if self.remat else Block
        x, _ = nn.scan(block, variable_axes={"params": 0}, split_rngs={"params": True}, in_axes=nn.broadcast,
                       length=self.layers)(self.heads)(x, nn.make_causal_mask(tokens))
        return embed.attend(nn.LayerNorm(dtype=jnp.bfloat16)(x)).astype(jnp.float32)


def scanned_lm(batch=24, tokens=1024, layers=24, width=1024, heads=16, vocab=50304, remat=True):
    model = ScannedLM(layers, width, heads, vocab, remat)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.warmup_cosine_decay_schedule(
        0.0, 3e-4, 2000, 100000), b2=0.95, weight_decay=0.1))

    def train_step(params, opt_state, batch):
        def loss_fn(params):
            logits = model.apply({"params": params}, batch[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, batch[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    words = spec((batch, tokens + 1), jnp.int32)
    params = jax.eval_shape(lambda k: model.init(k, jnp.zeros((1, tokens), jnp.int32))["params"], KEY)
    return train_step, (params, jax.eval_shape(tx.init, params), words), (0, 1)


def encoder_scan_plain(batch=32, tokens=256, layers=12, dim=512, heads=8, classes=6):
    """A scan over the layers without remat, as a text classifier has that was written for short code; float32, LAMB."""

    def norm(x, g):
        return g * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-6)

    def forward(params, ids, lengths):
        x = params["embed"][ids] + params["position"]
        valid = jnp.arange(tokens)[None] < lengths[:, None]
        bias = jnp.where(valid, 0.0, -1e9)[:, None, None]

        def layer(x, w):
            q, k, v = (jnp.einsum("btd,dhk->bhtk", x, w[n]) for n in "qkv")
            a = jax.nn.softmax(q @ k.swapaxes(-1, -2) / jnp.sqrt(q.shape[-1]) + bias)
            x = norm(x + jnp.einsum("bhtk,hkd->btd", a @ v, w["o"]), w["g1"])
            return norm(x + jax.nn.gelu(x @ w["w1"] + w["b1"], approximate=False) @ w["w2"], w["g2"]), None

        x, _ = lax.scan(layer, x, params["layers"])
        pooled = (x * valid[..., None]).sum(1) / lengths[:, None]
        return jnp.tanh(pooled @ params["pool"]) @ params["classify"]

    tx = optax.lamb(1e-3)

    def step(state, batch):
        params, opt = state

        def loss(p):
            logits = forward(p, batch["ids"], batch["lengths"])
            return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(batch["label"], classes), -1))

        value, grads = jax.value_and_grad(loss)(params)
        updates, opt = tx.update(grads, opt, params)
        return (optax.apply_updates(params, updates), opt), value

    s = lambda *shape: spec(shape, jnp.float32)
    head = dim // heads
    params = {"embed": s(30522, dim), "position": s(tokens, dim), "pool": s(dim, dim), "classify": s(dim, classes),
              "layers": {**{n: s(layers, dim, heads, head) for n in "qkv"}, "o": s(layers, heads, head, dim),
                         "w1": s(layers, dim, 4 * dim), "b1": s(layers, 4 * dim), "w2": s(layers, 4 * dim, dim),
                         "g1": s(layers, dim), "g2": s(layers, dim)}}
    data = {"ids": spec((batch, tokens), jnp.int32), "lengths": spec((batch,), jnp.int32),
            "label": spec((batch,), jnp.int32)}
    return step, ((params, jax.eval_shape(tx.init, params)), data), (0,)


# ---- gradients added up ----------------------------------------------------------------------------------------------


class SmallConvNet(nn.Module):
    """A ConvNeXt of sorts."""
    depths: tuple = (2, 2, 6, 2)
    widths: tuple = (64, 128, 256, 512)

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(self.widths[0], (4, 4), (4, 4), dtype=jnp.bfloat16)(x)
        for stage, (depth, width) in enumerate(zip(self.depths, self.widths)):
            if stage:
                x = nn.Conv(width, (2, 2), (2, 2), dtype=jnp.bfloat16)(nn.LayerNorm(dtype=jnp.bfloat16)(x))
            for _ in range(depth):
                y = nn.Conv(width, (7, 7), feature_group_count=width, dtype=jnp.bfloat16)(x)
                y = nn.Dense(4 * width, dtype=jnp.bfloat16)(nn.LayerNorm(dtype=jnp.bfloat16)(y))
                y = nn.Dense(width, dtype=jnp.bfloat16)(nn.gelu(y))
                x = x + y * self.param("scale_%d_%d" % (stage, _), nn.initializers.constant(1e-6), (width,),
                                       ).astype(y.dtype)
        return nn.Dense(1000)(x.mean((1, 2)).astype(jnp.float32))


def convnext_accumulated(micro=8, rows=96, size=224):
    """Images in equal parts that a scan goes through, gradients as its carry."""
    model, tx = SmallConvNet(), optax.adamw(4e-3, weight_decay=0.05, mu_dtype=jnp.bfloat16)

    def loss_fn(params, images, labels):
        logits = model.apply(params, images)
        smooth = optax.smooth_labels(jax.nn.one_hot(labels, 1000), 0.1)
        return optax.softmax_cross_entropy(logits, smooth).mean()

    def step(params, opt_state, images, labels):
        def part(total, piece):
            image, label = piece
            loss, grads = jax.value_and_grad(loss_fn)(params, image.astype(jnp.bfloat16) / 127.5 - 1, label)
            return jax.tree.map(jnp.add, total, grads), loss

        zeros = jax.tree.map(jnp.zeros_like, params)
        images = images.reshape(micro, rows, size, size, 3)
        grads, losses = lax.scan(part, zeros, (images, labels.reshape(micro, rows)))
        grads = jax.tree.map(lambda g: g / micro, grads)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, losses.mean()

    params = jax.eval_shape(lambda k: model.init(k, jnp.zeros((1, size, size, 3))), KEY)
    return step, (params, jax.eval_shape(tx.init, params), spec((micro * rows, size, size, 3), jnp.uint8),
                  spec((micro * rows,), jnp.int32)), (0, 1)


def lm_accumulated_fori(batch=64, micro=8, tokens=512, layers=8, dim=768, vocab=32000):
    """A fori_loop that slices its part of the batch; an untied head; bfloat16 weights with a float32 master copy."""
    heads = dim // 64

    def forward(p, ids):
        x = p["embed"][ids]
        mask = jnp.tril(jnp.ones((tokens, tokens), jnp.bool_))
        for w in p["blocks"]:
            h = rms(x, w["n1"])
            qkv = (h @ w["qkv"]).reshape(*h.shape[:2], 3, heads, 64)
            x = x + jax.nn.dot_product_attention(qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2],
                                                 mask=mask[None, None]).reshape(x.shape) @ w["o"]
            h = rms(x, w["n2"])
            x = x + (jax.nn.gelu(h @ w["g"]) * (h @ w["u"])) @ w["d"]
        return rms(x, p["norm"]) @ p["head"]

    def loss(p, ids, targets):
        logits = forward(p, ids).astype(jnp.float32)
        return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, targets[..., None], -1)[..., 0])

    tx = optax.adafactor(1e-3)

    def train(state, ids, targets):
        master, opt = state
        weights = jax.tree.map(lambda w: w.astype(jnp.bfloat16), master)

        def add(i, carry):
            total, value = carry
            take = lambda x: lax.dynamic_slice_in_dim(x, i * (batch // micro), batch // micro)
            v, g = jax.value_and_grad(loss)(weights, take(ids), take(targets))
            return jax.tree.map(lambda t, g: t + g.astype(jnp.float32), total, g), value + v

        start = jax.tree.map(lambda w: jnp.zeros(w.shape, jnp.float32), master), jnp.float32(0)
        grads, value = lax.fori_loop(0, micro, add, start)
        updates, opt = tx.update(jax.tree.map(lambda g: g / micro, grads), opt, master)
        return (optax.apply_updates(master, updates), opt), value / micro

    s = lambda *shape: spec(shape, jnp.float32)
    block = {"n1": s(dim), "n2": s(dim), "qkv": s(dim, 3 * dim), "o": s(dim, dim), "g": s(dim, 3 * dim),
             "u": s(dim, 3 * dim), "d": s(3 * dim, dim)}
    params = {"embed": s(vocab, dim), "blocks": [dict(block) for _ in range(layers)], "norm": s(dim),
              "head": s(dim, vocab)}
    words = spec((batch, tokens), jnp.int32)
    return train, ((params, jax.eval_shape(tx.init, params)), words, words), (0,)


# ---- reinforcement learning ------------------------------------------------------------------------------------------


class ActorCritic(nn.Module):
    actions: int

    @nn.compact
    def __call__(self, frames):
        x = frames.astype(jnp.float32) / 255.0
        x = nn.relu(nn.Conv(32, (8, 8), (4, 4), padding="VALID", kernel_init=nn.initializers.orthogonal(2 ** 0.5))(x))
        x = nn.relu(nn.Conv(64, (4, 4), (2, 2), padding="VALID")(x))
        x = nn.relu(nn.Conv(64, (3, 3), (1, 1), padding="VALID")(x))
        x = nn.relu(nn.Dense(512)(x.reshape(x.shape[0], -1)))
        return nn.Dense(self.actions)(x), nn.Dense(1)(x)[..., 0]


def ppo_update(horizon=128, envs=256, epochs=4, minibatches=8, actions=18):
    """A whole update: advantages from the end, then epochs over shuffled minibatches."""
    net = ActorCritic(actions)
    tx = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(2.5e-4, eps=1e-5))

    def update(train_state, rollout, last_frames, key):
        params, opt_state = train_state
        _, last_value = net.apply(params, last_frames)

        def gae(carry, t):
            running, next_value = carry
            reward, value, done = t
            delta = reward + 0.99 * next_value * (1 - done) - value
            running = delta + 0.99 * 0.95 * (1 - done) * running
            return (running, value), running

        _, advantages = lax.scan(gae, (jnp.zeros_like(last_value), last_value),
                                 (rollout["reward"], rollout["value"], rollout["done"]), reverse=True, unroll=16)
        data = {"frames": rollout["frames"], "action": rollout["action"], "logp": rollout["logp"], "adv": advantages,
                "target": advantages + rollout["value"]}
        data = jax.tree.map(lambda x: x.reshape((horizon * envs,) + x.shape[2:]), data)

        def loss_fn(params, b):
            logits, value = net.apply(params, b["frames"])
            logp_all = jax.nn.log_softmax(logits)
            logp = jnp.take_along_axis(logp_all, b["action"][:, None], 1)[:, 0]
            ratio = jnp.exp(logp - b["logp"])
            adv = (b["adv"] - b["adv"].mean()) / (b["adv"].std() + 1e-8)
            policy = -jnp.minimum(ratio * adv, jnp.clip(ratio, 0.9, 1.1) * adv).mean()
            entropy = -(jnp.exp(logp_all) * logp_all).sum(-1).mean()
            return policy + 0.5 * jnp.square(value - b["target"]).mean() - 0.01 * entropy

        def minibatch(state, b):
            params, opt_state = state
            loss, grads = jax.value_and_grad(loss_fn)(params, b)
            updates, opt_state = tx.update(grads, opt_state)
            return (optax.apply_updates(params, updates), opt_state), loss

        def epoch(carry, _):
            state, key = carry
            key, sub = jax.random.split(key)
            order = jax.random.permutation(sub, horizon * envs)
            shuffled = jax.tree.map(lambda x: jnp.take(x, order, axis=0), data)
            batches = jax.tree.map(lambda x: x.reshape((minibatches, -1) + x.shape[1:]), shuffled)
            state, losses = lax.scan(minibatch, state, batches)
            return (state, key), losses

        (state, _), losses = lax.scan(epoch, ((params, opt_state), key), None, epochs)
        return state, losses.mean()

    params = jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, 84, 84, 4))), KEY)
    f = lambda dtype=jnp.float32: spec((horizon, envs), dtype)
    rollout = {"frames": spec((horizon, envs, 84, 84, 4), jnp.uint8), "action": f(jnp.int32), "logp": f(),
               "reward": f(), "value": f(), "done": f()}
    return update, ((params, jax.eval_shape(tx.init, params)), rollout, spec((envs, 84, 84, 4), jnp.uint8), KEY), (0,)


# ---- a state space model ---------------------------------------------------------------------------------------------


class MambaBlock(nn.Module):
    width: int
    state: int = 16
    again: bool = False

    @nn.compact
    def __call__(self, x):
        inner, rank = 2 * self.width, self.width // 16
        x, z = jnp.split(nn.Dense(2 * inner, use_bias=False, dtype=jnp.bfloat16)(x), 2, -1)
        x = nn.silu(nn.Conv(inner, (4,), padding=[(3, 0)], feature_group_count=inner, dtype=jnp.bfloat16)(x))
        dbc = nn.Dense(rank + 2 * self.state, use_bias=False, dtype=jnp.bfloat16)(x)
        dt, b, c = jnp.split(dbc, [rank, rank + self.state], -1)
        dt = nn.softplus(nn.Dense(inner)(dt.astype(jnp.float32)))
        a = -jnp.exp(self.param("a_log", lambda k: jnp.log(jnp.tile(jnp.arange(1.0, self.state + 1), (inner, 1)))))
        skip = self.param("d", nn.initializers.ones, (inner,))

        def tick(h, t):
            x_t, dt_t, b_t, c_t = t
            h = jnp.exp(dt_t[..., None] * a) * h + (dt_t * x_t)[..., None] * b_t[:, None, :]
            return h, jnp.einsum("bds,bs->bd", h, c_t)

        h0 = jnp.zeros((x.shape[0], inner, self.state))
        over_time = jax.tree.map(lambda v: v.astype(jnp.float32).swapaxes(0, 1), (x, dt, b, c))
        _, y = lax.scan(jax.checkpoint(tick) if self.again else tick, h0, over_time)
        y = (y.swapaxes(0, 1) + x * skip).astype(jnp.bfloat16) * nn.silu(z)
        return nn.Dense(self.width, use_bias=False, dtype=jnp.bfloat16)(y)


def mamba_lm(batch=8, tokens=512, layers=6, width=512, vocab=50280, again=True):
    class Mamba(nn.Module):
        @nn.compact
        def __call__(self, ids):
            embed = nn.Embed(vocab, width)
            x = embed(ids).astype(jnp.bfloat16)
            for _ in range(layers):
                x = x + MambaBlock(width, again=again)(nn.RMSNorm(dtype=jnp.bfloat16)(x))
            return embed.attend(nn.RMSNorm()(x).astype(jnp.float32))

    model, tx = Mamba(), optax.adam(6e-4)

    def step(params, opt_state, ids):
        def loss(params):
            logits = model.apply(params, ids[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 1:]).mean()

        value, grads = jax.value_and_grad(loss)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, value

    params = jax.eval_shape(lambda k: model.init(k, jnp.zeros((1, tokens), jnp.int32)), KEY)
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, tokens + 1), jnp.int32)), (0, 1)
