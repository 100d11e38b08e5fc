"""Training steps of everyday models in JAX with Flax (linen and nnx) and Optax."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from flax.training import train_state
from jax import lax

from jax_loops import KEY, spec


# ---- pictures --------------------------------------------------------------------------------------------------------


class CifarNet(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        for width, drop in ((64, 0.2), (128, 0.3), (256, 0.4)):
            for _ in range(2):
                x = nn.Conv(width, (3, 3))(x)
                x = nn.elu(nn.BatchNorm(use_running_average=not train)(x))
            x = nn.Dropout(drop, deterministic=not train)(nn.max_pool(x, (2, 2), strides=(2, 2)))
        x = nn.relu(nn.Dense(512)(x.reshape(x.shape[0], -1)))
        return nn.Dense(10)(x)


class Stats(train_state.TrainState):
    batch_stats: dict
    key: jax.Array


def cifar_cnn(batch=1024, size=32):
    """Float32, dropout, batch norms, pictures flipped at random in the step."""
    model = CifarNet()

    def augment(key, images):
        flip = jax.random.bernoulli(key, 0.5, (images.shape[0], 1, 1, 1))
        return jnp.where(flip, images[:, :, ::-1], images).astype(jnp.float32) / 255.0 - 0.5

    def train_step(state, images, labels):
        key, flip, drop = jax.random.split(state.key, 3)

        def loss_fn(params):
            logits, updates = state.apply_fn({"params": params, "batch_stats": state.batch_stats},
                                             augment(flip, images), True, mutable=["batch_stats"],
                                             rngs={"dropout": drop})
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), (logits, updates)

        (loss, (logits, updates)), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
        state = state.apply_gradients(grads=grads, batch_stats=updates["batch_stats"], key=key)
        return state, {"loss": loss, "accuracy": (logits.argmax(-1) == labels).mean()}

    def make(key):
        v = model.init(key, jnp.zeros((1, size, size, 3)), False)
        return Stats.create(apply_fn=model.apply, params=v["params"], batch_stats=v["batch_stats"], key=key,
                            tx=optax.rmsprop(1e-3, decay=0.9))

    data = spec((batch, size, size, 3), jnp.uint8), spec((batch,), jnp.int32)
    return train_step, (jax.eval_shape(make, KEY), *data), 0


class EncoderLayer(nnx.Module):
    def __init__(self, dim, heads, rngs, dtype=jnp.bfloat16):
        self.norm1, self.norm2 = (nnx.LayerNorm(dim, epsilon=1e-6, rngs=rngs) for _ in range(2))
        self.attention = nnx.MultiHeadAttention(heads, dim, decode=False, dtype=dtype, rngs=rngs)
        self.mlp = nnx.Sequential(nnx.Linear(dim, 4 * dim, dtype=dtype, rngs=rngs), nnx.gelu,
                                  nnx.Linear(4 * dim, dim, dtype=dtype, rngs=rngs))

    def __call__(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class ViT(nnx.Module):
    def __init__(self, size, patch, layers, dim, heads, classes, rngs):
        n = (size // patch) ** 2
        self.patch = nnx.Conv(3, dim, (patch, patch), (patch, patch), dtype=jnp.bfloat16, rngs=rngs)
        self.cls = nnx.Param(jnp.zeros((1, 1, dim)))
        self.pos = nnx.Param(jax.random.normal(rngs.params(), (1, n + 1, dim)) * 0.02)
        self.layers = nnx.List([EncoderLayer(dim, heads, rngs) for _ in range(layers)])
        self.norm, self.head = nnx.LayerNorm(dim, rngs=rngs), nnx.Linear(dim, classes, rngs=rngs)

    def __call__(self, images):
        x = self.patch(images)
        x = x.reshape(x.shape[0], -1, x.shape[-1])
        x = jnp.concatenate([jnp.broadcast_to(self.cls[...], (x.shape[0], 1, x.shape[-1])).astype(x.dtype), x], 1)
        x = x + self.pos[...].astype(x.dtype)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x[:, 0]).astype(jnp.float32))


def vit_b16(batch=96, size=224, patch=16, layers=12, dim=768, heads=12, classes=1000):
    """ViT-B/16 with mixup and SGD, nnx; 197 tokens fill no tile."""
    graph, params, rest = nnx.split(nnx.eval_shape(
        lambda: ViT(size, patch, layers, dim, heads, classes, nnx.Rngs(0))), nnx.Param, ...)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.03, momentum=0.9, accumulator_dtype=jnp.bfloat16))

    def train_step(params, opt_state, rest, images, labels, key):
        mix = jax.random.beta(key, 0.2, 0.2)
        hot = jax.nn.one_hot(labels, classes)
        images, hot = (mix * x + (1 - mix) * x[::-1] for x in (images, hot))

        def loss_fn(params):
            return optax.softmax_cross_entropy(nnx.merge(graph, params, rest)(images), hot).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    return train_step, (params, jax.eval_shape(tx.init, params), rest, spec((batch, size, size, 3), jnp.float32),
                        spec((batch,), jnp.int32), KEY), (0, 1)


def segmenter(batch=16, size=512, classes=19, base=32, one_hot=True):
    """A U-Net whose masks are one-hot, with dice and cross-entropy, transposed convolutions and group norms."""
    class Twice(nn.Module):
        width: int

        @nn.compact
        def __call__(self, x):
            for _ in range(2):
                x = nn.Conv(self.width, (3, 3), use_bias=False, dtype=jnp.bfloat16)(x)
                x = nn.relu(nn.GroupNorm(8, dtype=jnp.bfloat16)(x))
            return x

    class UNet(nn.Module):
        @nn.compact
        def __call__(self, x):
            skips, widths = [], [base * 2 ** i for i in range(5)]
            for w in widths[:-1]:
                x = Twice(w)(x)
                skips.append(x)
                x = nn.max_pool(x, (2, 2), (2, 2))
            x = Twice(widths[-1])(x)
            for w, skip in zip(widths[-2::-1], skips[::-1]):
                x = nn.ConvTranspose(w, (2, 2), (2, 2), dtype=jnp.bfloat16)(x)
                x = Twice(w)(jnp.concatenate([skip, x], -1))
            return nn.Conv(classes, (1, 1), dtype=jnp.float32)(x)

    model, tx = UNet(), optax.adam(1e-3)

    def step(params, opt_state, images, masks):
        def loss_fn(params):
            logits = model.apply(params, images)
            wanted = masks if one_hot else jax.nn.one_hot(masks, classes)
            probs = jax.nn.softmax(logits)
            dice = 2 * (probs * wanted).sum((1, 2)) / ((probs + wanted).sum((1, 2)) + 1e-6)
            return optax.softmax_cross_entropy(logits, wanted).mean() + 1 - dice.mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    params = jax.eval_shape(lambda k: model.init(k, jnp.zeros((1, size, size, 3))), KEY)
    masks = spec((batch, size, size, classes), jnp.float32) if one_hot else spec((batch, size, size), jnp.int32)
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, size, size, 3), jnp.float32), masks), (0, 1)


# ---- generating ------------------------------------------------------------------------------------------------------


def beta_vae(batch=512, latent=32):
    """A convolutional VAE of 64 x 64 faces; the draw of the code is a part of the step."""
    class Encoder(nn.Module):
        @nn.compact
        def __call__(self, x):
            for f in (32, 32, 64, 64):
                x = nn.leaky_relu(nn.Conv(f, (4, 4), strides=(2, 2))(x))
            x = nn.Dense(256)(x.reshape(len(x), -1))
            return nn.Dense(latent)(x), nn.Dense(latent)(x)

    class Decoder(nn.Module):
        @nn.compact
        def __call__(self, z):
            x = nn.relu(nn.Dense(4 * 4 * 64)(nn.relu(nn.Dense(256)(z)))).reshape(-1, 4, 4, 64)
            for f in (64, 32, 32):
                x = nn.relu(nn.ConvTranspose(f, (4, 4), strides=(2, 2))(x))
            return nn.ConvTranspose(3, (4, 4), strides=(2, 2))(x)

    enc, dec, tx = Encoder(), Decoder(), optax.adam(5e-4)

    @jax.named_scope("elbo")
    def elbo(params, x, key):
        mean, log_var = enc.apply(params["enc"], x)
        z = mean + jnp.exp(0.5 * log_var) * jax.random.normal(key, mean.shape)
        logits = dec.apply(params["dec"], z)
        recon = optax.sigmoid_binary_cross_entropy(logits, x).sum((1, 2, 3))
        kl = -0.5 * (1 + log_var - mean ** 2 - jnp.exp(log_var)).sum(-1)
        return jnp.mean(recon + 4.0 * kl)

    def update(state, key, x):
        params, opt = state
        loss, grads = jax.value_and_grad(elbo)(params, x, key)
        updates, opt = tx.update(grads, opt, params)
        return (optax.apply_updates(params, updates), opt), loss

    params = jax.eval_shape(lambda k: {"enc": enc.init(k, jnp.zeros((1, 64, 64, 3))),
                                       "dec": dec.init(k, jnp.zeros((1, latent)))}, KEY)
    return update, ((params, jax.eval_shape(tx.init, params)), KEY, spec((batch, 64, 64, 3), jnp.float32)), 0


def dcgan(batch=256, noise=100, width=64):
    """Both players in one step, with strided and transposed convolutions of 64 x 64 pictures."""
    class Generator(nn.Module):
        @nn.compact
        def __call__(self, z):
            x = nn.Dense(4 * 4 * width * 8, use_bias=False)(z).reshape(-1, 4, 4, width * 8)
            for f in (width * 4, width * 2, width):
                x = nn.relu(nn.BatchNorm(use_running_average=False, axis_name=None)(x))
                x = nn.ConvTranspose(f, (5, 5), (2, 2), use_bias=False)(x)
            x = nn.relu(nn.BatchNorm(use_running_average=False)(x))
            return jnp.tanh(nn.ConvTranspose(3, (5, 5), (2, 2))(x))

    class Critic(nn.Module):
        @nn.compact
        def __call__(self, x):
            for i, f in enumerate((width, width * 2, width * 4, width * 8)):
                x = nn.Conv(f, (5, 5), (2, 2))(x)
                x = nn.leaky_relu(nn.BatchNorm(use_running_average=False)(x) if i else x, 0.2)
            return nn.Dense(1)(x.reshape(x.shape[0], -1))[:, 0]

    gen, critic, tx = Generator(), Critic(), optax.adam(2e-4, b1=0.5)

    def run(net, params, x):
        return net.apply(params, x, mutable=["batch_stats"])[0]

    def step(g_state, d_state, real, key):
        (g, g_opt), (d, d_opt) = g_state, d_state
        z = jax.random.normal(key, (batch, noise))

        def d_loss(d):
            fake = run(gen, g, z)
            return jnp.mean(jax.nn.softplus(-run(critic, d, real)) + jax.nn.softplus(run(critic, d, fake)))

        def g_loss(g, d):
            return jnp.mean(jax.nn.softplus(-run(critic, d, run(gen, g, z))))

        ld, grads = jax.value_and_grad(d_loss)(d)
        updates, d_opt = tx.update(grads, d_opt)
        d = optax.apply_updates(d, updates)
        lg, grads = jax.value_and_grad(g_loss)(g, d)
        updates, g_opt = tx.update(grads, g_opt)
        return (optax.apply_updates(g, updates), g_opt), (d, d_opt), {"critic": ld, "generator": lg}

    def state(net, shape):
        def make(k):
            variables = net.init(k, jnp.zeros(shape))
            return variables, tx.init(variables)

        return jax.eval_shape(make, KEY)

    return step, (state(gen, (1, noise)), state(critic, (1, 64, 64, 3)), spec((batch, 64, 64, 3), jnp.float32), KEY), (
        0, 1)


class DiffusionBlock(nnx.Module):
    def __init__(self, cin, cout, emb, rngs, attend=False):
        self.norm1, self.norm2 = nnx.GroupNorm(cin, num_groups=32, rngs=rngs), nnx.GroupNorm(
            cout, num_groups=32, rngs=rngs)
        self.conv1 = nnx.Conv(cin, cout, (3, 3), dtype=jnp.bfloat16, rngs=rngs)
        self.conv2 = nnx.Conv(cout, cout, (3, 3), dtype=jnp.bfloat16, rngs=rngs)
        self.time = nnx.Linear(emb, cout, rngs=rngs)
        self.short = nnx.Conv(cin, cout, (1, 1), dtype=jnp.bfloat16, rngs=rngs) if cin != cout else None
        self.attend = nnx.MultiHeadAttention(4, cout, decode=False, dtype=jnp.bfloat16, rngs=rngs) if attend else None

    def __call__(self, x, t):
        h = self.conv1(jax.nn.swish(self.norm1(x)))
        h = h + self.time(jax.nn.swish(t))[:, None, None].astype(h.dtype)
        h = self.conv2(jax.nn.swish(self.norm2(h)))
        x = h + (x if self.short is None else self.short(x))
        if self.attend is not None:
            flat = x.reshape(x.shape[0], -1, x.shape[-1])
            x = x + self.attend(flat).reshape(x.shape)
        return x


class Denoiser(nnx.Module):
    def __init__(self, base, mults, rngs):
        emb = 4 * base
        self.base, self.first = base, nnx.Conv(3, base, (3, 3), dtype=jnp.bfloat16, rngs=rngs)
        self.emb = nnx.Sequential(nnx.Linear(base, emb, rngs=rngs), jax.nn.swish, nnx.Linear(emb, emb, rngs=rngs))
        down, up, shrink, widths, c = [], [], [], [base], base
        for i, m in enumerate(mults):
            for _ in range(2):
                down.append(DiffusionBlock(c, base * m, emb, rngs, attend=i == 2))
                c = base * m
                widths.append(c)
            if i + 1 < len(mults):
                shrink.append(nnx.Conv(c, c, (3, 3), (2, 2), dtype=jnp.bfloat16, rngs=rngs))
                widths.append(c)
        for i, m in reversed(list(enumerate(mults))):
            for _ in range(3):
                up.append(DiffusionBlock(c + widths.pop(), base * m, emb, rngs, attend=i == 2))
                c = base * m
        self.down, self.up, self.shrink, self.stages = nnx.List(down), nnx.List(up), nnx.List(shrink), len(mults)
        self.middle = DiffusionBlock(base * mults[-1], base * mults[-1], emb, rngs, attend=True)
        self.last = nnx.Conv(c, 3, (3, 3), rngs=rngs)

    def __call__(self, x, t):
        freqs = jnp.exp(-jnp.log(10000.0) * jnp.arange(self.base // 2) / (self.base // 2))
        t = self.emb(jnp.concatenate([jnp.sin(t[:, None] * freqs), jnp.cos(t[:, None] * freqs)], -1))
        x = self.first(x)
        skips = [x]
        for i in range(self.stages):
            for block in self.down[2 * i:2 * i + 2]:
                x = block(x, t)
                skips.append(x)
            if i + 1 < self.stages:
                x = self.shrink[i](x)
                skips.append(x)
        x = self.middle(x, t)
        for i in range(self.stages):
            if i:
                n, h, w, c = x.shape
                x = jax.image.resize(x, (n, 2 * h, 2 * w, c), "nearest")
            for block in self.up[3 * i:3 * i + 3]:
                x = block(jnp.concatenate([x, skips.pop()], -1), t)
        return self.last(jax.nn.swish(x).astype(jnp.float32))


def ddpm(batch=128, size=64, base=64, mults=(1, 2, 2, 4)):
    """Noise is predicted by a U-Net with attention; an average of the weights is kept."""
    graph, params, rest = nnx.split(nnx.eval_shape(lambda: Denoiser(base, mults, nnx.Rngs(0))), nnx.Param, ...)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(2e-4))

    def step(state, images, key):
        params, ema, opt = state
        k1, k2 = jax.random.split(key)
        betas = jnp.linspace(1e-4, 0.02, 1000)
        signal = jnp.cumprod(1 - betas)
        t = jax.random.randint(k1, (batch,), 0, 1000)
        noise = jax.random.normal(k2, images.shape)
        a = signal[t][:, None, None, None]
        noisy = jnp.sqrt(a) * images + jnp.sqrt(1 - a) * noise

        def loss_fn(params):
            return jnp.mean((nnx.merge(graph, params, rest)(noisy, t.astype(jnp.float32)) - noise) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        params = optax.apply_updates(params, updates)
        ema = jax.tree.map(lambda e, p: 0.9999 * e + 0.0001 * p, ema, params)
        return (params, ema, opt), loss

    return step, ((params, params, jax.eval_shape(tx.init, params)), spec((batch, size, size, 3), jnp.float32), KEY), 0


# ---- language and speech ---------------------------------------------------------------------------------------------


def lora_llama(batch=4, tokens=1024, layers=22, dim=2048, heads=32, kv=4, hidden=5632, vocab=32000, rank=16):
    """Frozen bfloat16 weights of 1.1 B, adapters of q and v and the MLP in float32, every layer rematerialized."""
    from jax_loops import llama_params, rms, rope
    head = dim // heads

    def adapted(x, w, pair, scale=2.0):
        return x @ w + ((x @ pair["a"].astype(x.dtype)) @ pair["b"].astype(x.dtype)) * scale

    @jax.checkpoint
    def block(x, w, lora):
        n, t, _ = x.shape
        at = jnp.broadcast_to(jnp.arange(t), (n, t))
        h = rms(x, w["att_norm"])
        q = rope(adapted(h, w["wq"], lora["wq"]).reshape(n, t, heads, head), at)
        k = rope((h @ w["wk"]).reshape(n, t, kv, head), at)
        v = adapted(h, w["wv"], lora["wv"]).reshape(n, t, kv, head)
        k, v = (jnp.repeat(z, heads // kv, axis=2) for z in (k, v))
        s = jnp.einsum("nqhd,nkhd->nhqk", q, k).astype(jnp.float32) / head ** 0.5
        s = jnp.where(at[0][:, None] >= at[0][None, :], s, -1e30)
        x = x + jnp.einsum("nhqk,nkhd->nqhd", jax.nn.softmax(s).astype(x.dtype), v).reshape(n, t, -1) @ w["wo"]
        h = rms(x, w["ffn_norm"])
        return x + adapted(jax.nn.silu(h @ w["gate"]) * adapted(h, w["up"], lora["up"]), w["down"], lora["down"])

    def loss_fn(lora, frozen, ids, mask):
        x = frozen["tok"][ids[:, :-1]]
        for w, pair in zip(frozen["layers"], lora):
            x = block(x, w, pair)
        logits = (rms(x, frozen["norm"]) @ frozen["out"]).astype(jnp.float32)
        nll = optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 1:])
        return (nll * mask).sum() / mask.sum()

    tx = optax.adamw(1e-4, weight_decay=0.0)

    def step(lora, opt, frozen, ids, mask):
        loss, grads = jax.value_and_grad(loss_fn)(lora, frozen, ids, mask)
        updates, opt = tx.update(grads, opt, lora)
        return optax.apply_updates(lora, updates), opt, loss

    frozen = llama_params(layers, dim, heads, kv, hidden, vocab)
    pair = lambda a, b: {"a": spec((a, rank), jnp.float32), "b": spec((rank, b), jnp.float32)}
    lora = [{"wq": pair(dim, dim), "wv": pair(dim, kv * head), "up": pair(dim, hidden), "down": pair(hidden, dim)}
            for _ in range(layers)]
    return step, (lora, jax.eval_shape(tx.init, lora), frozen, spec((batch, tokens + 1), jnp.int32),
                  spec((batch, tokens), jnp.float32)), (0, 1)


def moe_top2(batch=16, tokens=512, layers=6, dim=512, experts=8, vocab=32000):
    """Two experts a token, sent by a sort of their choices: gathers and scatters instead of one-hot products."""
    def expert_layer(x, w):
        flat = x.reshape(-1, dim)
        chance = jax.nn.softmax((flat @ w["gate"].astype(flat.dtype)).astype(jnp.float32))
        weight, which = lax.top_k(chance, 2)
        weight = weight / weight.sum(-1, keepdims=True)
        order = jnp.argsort(which.reshape(-1))
        source = order // 2
        room = flat.shape[0] * 2 // experts * 5 // 4
        counts = jnp.bincount(which.reshape(-1), length=experts)
        start = jnp.cumsum(counts) - counts
        slot = start[:, None] + jnp.arange(room)
        ok = jnp.arange(room) < counts[:, None]
        picked = source[jnp.minimum(slot, source.shape[0] - 1)]
        boxes = jnp.where(ok[..., None], flat[picked], 0)
        h = jnp.einsum("erd,edf->erf", boxes, w["up"].astype(boxes.dtype))
        h = jnp.einsum("erf,efd->erd", jax.nn.silu(h), w["down"].astype(boxes.dtype))
        share = weight.reshape(-1)[order[jnp.minimum(slot, order.shape[0] - 1)]] * ok
        out = jnp.zeros_like(flat).at[picked.reshape(-1)].add((h * share[..., None].astype(h.dtype)).reshape(-1, dim))
        return out.reshape(x.shape), experts * jnp.sum(chance.mean(0) * counts / which.size)

    def attention(x, w):
        q, k, v = jnp.split(x @ w["qkv"].astype(x.dtype), 3, -1)
        split = lambda t: t.reshape(*t.shape[:2], 8, -1)
        return jax.nn.dot_product_attention(split(q), split(k), split(v), is_causal=True).reshape(x.shape) @ w[
            "o"].astype(x.dtype)

    def loss_fn(params, ids):
        x, balance = params["embed"][ids[:, :-1]].astype(jnp.bfloat16), 0.0
        for w in params["layers"]:
            x = x + attention(x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6), w)
            y, b = expert_layer(x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6), w)
            x, balance = x + y, balance + b
        logits = x.astype(jnp.float32) @ params["embed"].T
        return optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 1:]).mean() + 0.01 * balance

    tx = optax.lion(1e-4)

    def step(params, opt, ids):
        value, grads = jax.value_and_grad(loss_fn)(params, ids)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, value

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"qkv": f(dim, 3 * dim), "o": f(dim, dim), "gate": f(dim, experts), "up": f(experts, dim, 4 * dim),
             "down": f(experts, 4 * dim, dim)}
    params = {"embed": f(vocab, dim), "layers": [layer] * layers}
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, tokens + 1), jnp.int32)), (0, 1)


class T5Attention(nn.Module):
    heads: int
    causal: bool = False

    @nn.compact
    def __call__(self, x, memory=None, bias=None):
        d = x.shape[-1]
        proj = functools.partial(nn.DenseGeneral, features=(self.heads, 64), use_bias=False, dtype=jnp.bfloat16)
        source = x if memory is None else memory
        q, k, v = proj(name="q")(x), proj(name="k")(source), proj(name="v")(source)
        s = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32)
        if bias is not None:
            s = s + bias
        if self.causal:
            s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -1e9)
        o = jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(s).astype(jnp.bfloat16), v)
        return nn.DenseGeneral(d, axis=(-2, -1), use_bias=False, dtype=jnp.bfloat16, name="o")(o)


class T5Stack(nn.Module):
    layers: int
    heads: int
    decoder: bool
    rate: float = 0.1

    @nn.compact
    def __call__(self, x, memory=None):
        t, d = x.shape[1], x.shape[-1]
        far = jnp.arange(t)[None] - jnp.arange(t)[:, None]
        side = jnp.where(far > 0, 16, 0) if not self.decoder else 0
        bucket = side + jnp.minimum(jnp.where(jnp.abs(far) < 8, jnp.abs(far), 8 + (jnp.log(jnp.maximum(
            jnp.abs(far), 1) / 8) / jnp.log(16.0) * 8).astype(jnp.int32)), 15)
        bias = nn.Embed(32, self.heads, name="relative")(bucket).transpose(2, 0, 1)[None]
        drop = lambda y: nn.Dropout(self.rate, deterministic=False)(y)
        for i in range(self.layers):
            x = x + drop(T5Attention(self.heads, self.decoder)(nn.RMSNorm()(x).astype(jnp.bfloat16), bias=bias))
            if self.decoder:
                x = x + drop(T5Attention(self.heads)(nn.RMSNorm()(x).astype(jnp.bfloat16), memory))
            h = nn.RMSNorm()(x).astype(jnp.bfloat16)
            h = nn.gelu(nn.Dense(4 * d, False, jnp.bfloat16)(h)) * nn.Dense(4 * d, False, jnp.bfloat16)(h)
            x = x + drop(nn.Dense(d, False, jnp.bfloat16)(drop(h)))
        return nn.RMSNorm()(x).astype(jnp.bfloat16)


def t5_pretrain(batch=48, inputs=512, targets=114, layers=8, dim=512, heads=6, vocab=32128):
    """T5 1.1 small: relative biases, dropout, an encoder and a decoder, Adafactor, z-loss."""
    class T5(nn.Module):
        @nn.compact
        def __call__(self, inputs, targets):
            embed = nn.Embed(vocab, dim, dtype=jnp.bfloat16)
            memory = T5Stack(layers, heads, False, name="encoder")(embed(inputs))
            before = jnp.pad(targets[:, :-1], ((0, 0), (1, 0)))
            return nn.Dense(vocab, use_bias=False, dtype=jnp.float32)(
                T5Stack(layers, heads, True, name="decoder")(embed(before), memory))

    model, tx = T5(), optax.adafactor(1e-2, multiply_by_parameter_scale=True)

    def step(state, batch):
        params, opt, key = state
        key, drop = jax.random.split(key)

        def loss_fn(params):
            logits = model.apply(params, batch["inputs"], batch["targets"], rngs={"dropout": drop})
            total = jax.nn.logsumexp(logits, -1)
            right = jnp.take_along_axis(logits, batch["targets"][..., None], -1)[..., 0]
            weights = (batch["targets"] > 0).astype(jnp.float32)
            return ((total - right + 1e-4 * total ** 2) * weights).sum() / weights.sum()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return (optax.apply_updates(params, updates), opt, key), loss

    params = jax.eval_shape(lambda k: model.init({"params": k, "dropout": k}, jnp.zeros((1, inputs), jnp.int32),
                                                 jnp.zeros((1, targets), jnp.int32)), KEY)
    return step, ((params, jax.eval_shape(tx.init, params), KEY), {"inputs": spec((batch, inputs), jnp.int32),
                                                                   "targets": spec((batch, targets), jnp.int32)}), 0


def clip(batch=512, size=224, patch=32, layers=8, text_layers=8, dim=512, words=77, vocab=49408):
    """Two towers and the likeness of every picture with every text."""
    class Tower(nn.Module):
        layers: int
        heads: int

        @nn.compact
        def __call__(self, x, mask=None):
            for _ in range(self.layers):
                y = nn.LayerNorm(dtype=jnp.bfloat16)(x)
                x = x + nn.SelfAttention(self.heads, dtype=jnp.bfloat16, deterministic=True)(y, mask=mask)
                y = nn.Dense(4 * x.shape[-1], dtype=jnp.bfloat16)(nn.LayerNorm(dtype=jnp.bfloat16)(x))
                x = x + nn.Dense(x.shape[-1], dtype=jnp.bfloat16)(y * nn.sigmoid(1.702 * y))
            return nn.LayerNorm()(x)

    class Clip(nn.Module):
        @nn.compact
        def __call__(self, images, ids):
            x = nn.Conv(dim, (patch, patch), (patch, patch), use_bias=False, dtype=jnp.bfloat16)(images)
            x = x.reshape(x.shape[0], -1, dim)
            x = x + self.param("image_pos", nn.initializers.normal(0.01), x.shape[1:]).astype(x.dtype)
            pictures = nn.Dense(512, use_bias=False)(Tower(layers, dim // 64, name="visual")(x).mean(1))
            y = nn.Embed(vocab, dim, dtype=jnp.bfloat16)(ids)
            y = y + self.param("text_pos", nn.initializers.normal(0.01), (words, dim)).astype(y.dtype)
            y = Tower(text_layers, dim // 64, name="text")(y, nn.make_causal_mask(ids))
            texts = nn.Dense(512, use_bias=False)(y[jnp.arange(y.shape[0]), ids.argmax(-1)])
            scale = jnp.exp(self.param("scale", nn.initializers.constant(2.66), ()))
            unit = lambda v: v / jnp.linalg.norm(v, axis=-1, keepdims=True)
            return scale * unit(pictures) @ unit(texts).T

    model = Clip()
    tx = optax.adamw(5e-4, b2=0.98, weight_decay=0.2, mask=lambda p: jax.tree.map(lambda w: w.ndim > 1, p))

    def step(params, opt_state, images, ids):
        def loss_fn(params):
            scores, own = model.apply(params, images, ids), jnp.arange(batch)
            one = optax.softmax_cross_entropy_with_integer_labels
            return 0.5 * (one(scores, own).mean() + one(scores.T, own).mean())

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    params = jax.eval_shape(lambda k: model.init(k, jnp.zeros((1, size, size, 3)), jnp.zeros((1, words), jnp.int32)),
                            KEY)
    return step, (params, jax.eval_shape(tx.init, params), spec((batch, size, size, 3), jnp.bfloat16),
                  spec((batch, words), jnp.int32)), (0, 1)


class ConformerBlock(nn.Module):
    heads: int
    rate: float = 0.1

    @nn.compact
    def __call__(self, x, mask):
        d = x.shape[-1]
        drop = nn.Dropout(self.rate, deterministic=False)

        def feed(x):
            y = nn.swish(nn.Dense(4 * d)(nn.LayerNorm()(x)))
            return drop(nn.Dense(d)(drop(y)))

        x = x + 0.5 * feed(x)
        y = nn.LayerNorm()(x)
        x = x + drop(nn.MultiHeadDotProductAttention(self.heads, deterministic=True)(y, mask=mask))
        y = nn.glu(nn.Dense(2 * d)(nn.LayerNorm()(x)))
        y = nn.Conv(d, (31,), feature_group_count=d)(y)
        x = x + drop(nn.Dense(d)(nn.swish(nn.BatchNorm(use_running_average=False)(y))))
        x = x + 0.5 * feed(x)
        return nn.LayerNorm()(x)


def conformer_ctc(batch=32, frames=1600, layers=16, dim=256, labels=120, vocab=1024):
    """Speech in float32: masks of time and frequency in the step, strided convolutions, CTC."""
    class Conformer(nn.Module):
        @nn.compact
        def __call__(self, mel, lengths):
            x = mel[..., None]
            for _ in range(2):
                x = nn.relu(nn.Conv(dim, (3, 3), (2, 2))(x))
            x = nn.Dense(dim)(x.reshape(*x.shape[:2], -1))
            valid = jnp.arange(x.shape[1]) < (lengths[:, None] // 4)
            mask = valid[:, None, None] & valid[:, None, :, None]
            for _ in range(layers):
                x = ConformerBlock(4)(x, mask)
            return nn.Dense(vocab)(x), (~valid).astype(jnp.float32)

    model, tx = Conformer(), optax.adam(optax.schedules.warmup_cosine_decay_schedule(0, 2e-3, 10000, 200000), b2=0.98)

    def spec_augment(key, mel):
        k1, k2 = jax.random.split(key)
        start = jax.random.randint(k1, (batch, 1), 0, 80 - 27)
        band = (jnp.arange(80) >= start) & (jnp.arange(80) < start + 27)
        at = jax.random.randint(k2, (batch, 1), 0, frames - 100)
        gap = (jnp.arange(frames) >= at) & (jnp.arange(frames) < at + 100)
        return jnp.where(band[:, None] | gap[..., None], 0.0, mel)

    def train_step(variables, opt_state, batch, key):
        mask_key, drop = jax.random.split(key)

        def loss_fn(params):
            (logits, pads), stats = model.apply(
                {"params": params, "batch_stats": variables["batch_stats"]}, spec_augment(mask_key, batch["mel"]),
                batch["frames"], rngs={"dropout": drop}, mutable=["batch_stats"])
            label_pads = (jnp.arange(labels) >= batch["n"][:, None]).astype(jnp.float32)
            return optax.ctc_loss(logits, pads, batch["labels"], label_pads).mean(), stats

        (loss, stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(variables["params"])
        updates, opt_state = tx.update(grads, opt_state)
        return {"params": optax.apply_updates(variables["params"], updates), **stats}, opt_state, loss

    variables = jax.eval_shape(lambda k: dict(model.init({"params": k, "dropout": k}, jnp.zeros((1, frames, 80)),
                                                         jnp.ones((1,), jnp.int32))), KEY)
    data = {"mel": spec((batch, frames, 80), jnp.float32), "frames": spec((batch,), jnp.int32),
            "labels": spec((batch, labels), jnp.int32), "n": spec((batch,), jnp.int32)}
    return train_step, (variables, jax.eval_shape(tx.init, variables["params"]), data, KEY), (0, 1)


# ---- graphs and scenes -----------------------------------------------------------------------------------------------


def graph_attention(nodes=170000, edges=1200000, features=128, hidden=32, heads=8, classes=40):
    """A GAT over a whole citation graph: gathers by edge, softmax by segment, a mask of the nodes that train."""
    def layer(x, w, senders, receivers, last=False):
        h = jnp.einsum("nf,fhd->nhd", x, w["w"])
        score = jax.nn.leaky_relu((h * w["src"]).sum(-1)[senders] + (h * w["dst"]).sum(-1)[receivers], 0.2)
        top = jax.ops.segment_max(score, receivers, nodes)
        e = jnp.exp(score - top[receivers])
        e = e / (jax.ops.segment_sum(e, receivers, nodes)[receivers] + 1e-9)
        out = jax.ops.segment_sum(h[senders] * e[..., None], receivers, nodes)
        return out.mean(1) if last else jax.nn.elu(out.reshape(nodes, -1) + x @ w["skip"])

    tx = optax.adam(1e-3)

    def step(params, opt, graph):
        def loss_fn(params):
            x = graph["x"]
            for i, w in enumerate(params):
                x = layer(x, w, graph["senders"], graph["receivers"], i + 1 == len(params))
            nll = optax.softmax_cross_entropy_with_integer_labels(x, graph["y"])
            return jnp.where(graph["train"], nll, 0).sum() / graph["train"].sum()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    params, size = [], features
    for out in (hidden, hidden, classes):
        params.append({"w": f(size, heads, out), "src": f(heads, out), "dst": f(heads, out),
                       "skip": f(size, heads * out)})
        size = heads * out
    ends = spec((edges,), jnp.int32)
    graph = {"x": f(nodes, features), "senders": ends, "receivers": ends, "y": spec((nodes,), jnp.int32),
             "train": spec((nodes,), jnp.bool_)}
    return step, (params, jax.eval_shape(tx.init, params), graph), (0, 1)


def nerf(rays=4096, coarse=64, fine=128, width=256):
    """Two nets, points drawn along rays and again where the first found something."""
    def encode(x, octaves):
        scaled = (x[..., None, :] * 2.0 ** jnp.arange(octaves)[:, None]).reshape(*x.shape[:-1], -1)
        return jnp.concatenate([x, jnp.sin(scaled), jnp.cos(scaled)], -1)

    class Field(nn.Module):
        @nn.compact
        def __call__(self, points, views):
            inputs = x = encode(points, 10)
            for i in range(8):
                x = nn.relu(nn.Dense(width)(x))
                if i == 4:
                    x = jnp.concatenate([x, inputs], -1)
            sigma = nn.Dense(1)(x)[..., 0]
            views = jnp.broadcast_to(encode(views, 4)[:, None], (*x.shape[:2], 27))
            x = nn.relu(nn.Dense(width // 2)(jnp.concatenate([nn.Dense(width)(x), views], -1)))
            return nn.sigmoid(nn.Dense(3)(x)), sigma

    field, tx = Field(), optax.adam(5e-4)

    def render(params, origins, dirs, z):
        rgb, sigma = field.apply(params, origins[:, None] + dirs[:, None] * z[..., None], dirs)
        gaps = jnp.concatenate([z[:, 1:] - z[:, :-1], jnp.full_like(z[:, :1], 1e10)], -1)
        alpha = 1 - jnp.exp(-nn.relu(sigma) * gaps)
        clear = jnp.cumprod(1 - alpha + 1e-10, -1)
        weights = alpha * jnp.concatenate([jnp.ones_like(clear[:, :1]), clear[:, :-1]], -1)
        return (weights[..., None] * rgb).sum(1), weights

    def again(key, z, weights):
        middle = 0.5 * (z[:, 1:] + z[:, :-1])
        share = weights[:, 1:-1] + 1e-5
        cdf = jnp.cumsum(share / share.sum(-1, keepdims=True), -1)
        cdf = jnp.pad(cdf, ((0, 0), (1, 0)))
        u = jax.random.uniform(key, (rays, fine))
        at = jax.vmap(lambda c, v: jnp.searchsorted(c, v, side="right"))(cdf, u)
        low, high = jnp.maximum(at - 1, 0), jnp.minimum(at, cdf.shape[-1] - 1)
        take = lambda a, i: jnp.take_along_axis(a, i, 1)
        span = jnp.where(take(cdf, high) - take(cdf, low) < 1e-5, 1.0, take(cdf, high) - take(cdf, low))
        new = take(middle, low) + (u - take(cdf, low)) / span * (take(middle, high) - take(middle, low))
        return lax.stop_gradient(jnp.sort(jnp.concatenate([z, new], -1), -1))

    def step(state, origins, dirs, colors, key):
        params, opt = state
        k1, k2 = jax.random.split(key)
        z = jnp.linspace(2.0, 6.0, coarse) + jax.random.uniform(k1, (rays, coarse)) * 4.0 / coarse

        def loss_fn(params):
            rough, weights = render(params["coarse"], origins, dirs, z)
            sharp, _ = render(params["fine"], origins, dirs, again(k2, z, weights))
            return jnp.mean((rough - colors) ** 2) + jnp.mean((sharp - colors) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt)
        return (optax.apply_updates(params, updates), opt), {"loss": loss, "psnr": -10 * jnp.log10(loss)}

    params = jax.eval_shape(lambda k: {n: field.init(k, jnp.zeros((1, 2, 3)), jnp.zeros((1, 3))) for n in
                                       ("coarse", "fine")}, KEY)
    ray = spec((rays, 3), jnp.float32)
    return step, ((params, jax.eval_shape(tx.init, params)), ray, ray, ray, KEY), 0
