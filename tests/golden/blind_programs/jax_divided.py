"""Programs of JAX that the compiler divides: data, FSDP, tensor and mixed, on abstract meshes."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

from jax_loops import KEY, rms, rope, spec


def place(tree, mesh, rule):
    """Shapes with the shardings that a rule of path and shape gives."""
    return jax.tree_util.tree_map_with_path(
        lambda path, x: spec(x.shape, x.dtype, sharding=NamedSharding(mesh, rule(jax.tree_util.keystr(path), x))), tree)


def largest_axis(name, n):
    """FSDP as people write it: the largest axis that can be divided, of arrays that are not small."""
    def rule(_, x):
        if np.prod(x.shape, dtype=np.int64) < 2 ** 16:
            return P()
        for axis in sorted(range(len(x.shape)), key=lambda a: -x.shape[a]):
            if x.shape[axis] % n == 0:
                return P(*(name if a == axis else None for a in range(len(x.shape))))
        return P()

    return rule


# ---- data parallel ---------------------------------------------------------------------------------------------------


class Bottleneck(nn.Module):
    width: int
    stride: int = 1

    @nn.compact
    def __call__(self, x, train):
        norm = functools.partial(nn.BatchNorm, use_running_average=not train, momentum=0.9, dtype=jnp.bfloat16)
        conv = functools.partial(nn.Conv, use_bias=False, dtype=jnp.bfloat16)
        y = nn.relu(norm()(conv(self.width, (1, 1))(x)))
        y = nn.relu(norm()(conv(self.width, (3, 3), (self.stride, self.stride))(y)))
        y = norm(scale_init=nn.initializers.zeros)(conv(4 * self.width, (1, 1))(y))
        if x.shape != y.shape:
            x = norm(name="norm_proj")(conv(4 * self.width, (1, 1), (self.stride, self.stride), name="conv_proj")(x))
        return nn.relu(x + y)


class ResNet50(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Conv(64, (7, 7), (2, 2), padding=[(3, 3), (3, 3)], use_bias=False, dtype=jnp.bfloat16)(x)
        x = nn.relu(nn.BatchNorm(use_running_average=not train, dtype=jnp.bfloat16)(x))
        x = nn.max_pool(x, (3, 3), strides=(2, 2), padding="SAME")
        for stage, depth in enumerate((3, 4, 6, 3)):
            for i in range(depth):
                x = Bottleneck(64 * 2 ** stage, 2 if stage and i == 0 else 1)(x, train)
        return nn.Dense(1000, dtype=jnp.float32)(x.mean((1, 2)))


def dp_resnet50(batch=2048, devices=8, size=224):
    """ImageNet on eight devices: everything on each, images divided."""
    model = ResNet50()
    tx = optax.sgd(optax.cosine_decay_schedule(0.8, 112590), momentum=0.9, nesterov=True)

    def train_step(state, images, labels):
        def loss_fn(params):
            logits, changed = model.apply({"params": params, "batch_stats": state["stats"]}, images,
                                          mutable=["batch_stats"])
            loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
            decay = sum(jnp.sum(w ** 2) for w in jax.tree.leaves(params) if w.ndim > 1)
            return loss + 0.5e-4 * decay, (changed["batch_stats"], logits)

        (loss, (stats, logits)), grads = jax.value_and_grad(loss_fn, has_aux=True)(state["params"])
        updates, opt = tx.update(grads, state["opt"], state["params"])
        right = jnp.mean(jnp.argmax(logits, -1) == labels)
        return {"params": optax.apply_updates(state["params"], updates), "stats": stats, "opt": opt}, (loss, right)

    mesh = AbstractMesh((devices,), ("batch",))
    variables = jax.eval_shape(lambda k: model.init(k, jnp.zeros((1, size, size, 3))), KEY)
    state = {"params": variables["params"], "stats": variables["batch_stats"],
             "opt": jax.eval_shape(tx.init, variables["params"])}
    data = place((spec((batch, size, size, 3), jnp.bfloat16), spec((batch,), jnp.int32)), mesh,
                 lambda _, x: P("batch"))
    return train_step, (place(state, mesh, lambda *_: P()), *data), (0,)


def zero1_bert(batch=512, devices=4, tokens=128, layers=12, dim=768, vocab=30522):
    """Masked words, data parallel, with the optimizer's state divided and the weights whole (ZeRO 1)."""
    mesh = AbstractMesh((devices,), ("dp",))

    def dropout(key, x, rate=0.1):
        return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)

    def ln(x, p):
        x = x.astype(jnp.float32)
        return ((x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-12) * p[0] + p[1])

    def encode(params, ids, key):
        x = dropout(key, ln(params["word"][ids] + params["pos"], params["ln"])).astype(jnp.bfloat16)
        for i, w in enumerate(params["layers"]):
            k1, k2, k3 = jax.random.split(jax.random.fold_in(key, i), 3)
            h = jax.tree.map(lambda a: a.astype(jnp.bfloat16), w)
            q, k, v = (jnp.einsum("btd,dhf->bthf", x, h[n]) for n in ("q", "k", "v"))
            p = jax.nn.softmax(jnp.einsum("bthf,bshf->bhts", q, k).astype(jnp.float32) * 0.125)
            o = jnp.einsum("bhts,bshf->bthf", dropout(k1, p).astype(jnp.bfloat16), v)
            x = ln(x + dropout(k2, jnp.einsum("bthf,hfd->btd", o, h["o"])), w["ln1"]).astype(jnp.bfloat16)
            y = jax.nn.gelu(x @ h["in"], approximate=False) @ h["out"]
            x = ln(x + dropout(k3, y), w["ln2"]).astype(jnp.bfloat16)
        return x

    tx = optax.adamw(1e-4)

    def step(params, opt_state, data, key):
        def loss_fn(params):
            x = encode(params, data["ids"], key)
            picked = jnp.take_along_axis(x, data["where"][..., None], 1)
            logits = jnp.einsum("bmd,vd->bmv", picked.astype(jnp.float32), params["word"]) + params["bias"]
            nll = optax.softmax_cross_entropy_with_integer_labels(logits, data["words"])
            return jnp.sum(nll * data["weight"]) / jnp.maximum(jnp.sum(data["weight"]), 1)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        divided = place(grads, mesh, largest_axis("dp", devices))
        grads = jax.tree.map(lambda g, s: lax.with_sharding_constraint(g, s.sharding), grads, divided)
        updates, opt_state = tx.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        params = jax.tree.map(lambda p: lax.with_sharding_constraint(p, NamedSharding(mesh, P())), params)
        return params, opt_state, loss

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {**{n: f(dim, 12, dim // 12) for n in "qkv"}, "o": f(12, dim // 12, dim), "in": f(dim, 4 * dim),
             "out": f(4 * dim, dim), "ln1": (f(dim), f(dim)), "ln2": (f(dim), f(dim))}
    params = {"word": f(vocab, dim), "pos": f(tokens, dim), "ln": (f(dim), f(dim)), "bias": f(vocab),
              "layers": [layer] * layers}
    opt = place(jax.eval_shape(tx.init, params), mesh, largest_axis("dp", devices))
    masks = {"where": spec((batch, 20), jnp.int32), "words": spec((batch, 20), jnp.int32), "weight": f(batch, 20),
             "ids": spec((batch, tokens), jnp.int32)}
    return step, (place(params, mesh, lambda *_: P()), opt, place(masks, mesh, lambda _, x: P("dp")),
                  place(KEY, mesh, lambda *_: P())), (0, 1)


# ---- FSDP ------------------------------------------------------------------------------------------------------------


class GPTBlock(nnx.Module):
    def __init__(self, dim, heads, rngs):
        self.ln_1, self.ln_2 = nnx.LayerNorm(dim, rngs=rngs), nnx.LayerNorm(dim, rngs=rngs)
        self.attn = nnx.MultiHeadAttention(heads, dim, dtype=jnp.bfloat16, decode=False, rngs=rngs)
        self.c_fc = nnx.Linear(dim, 4 * dim, dtype=jnp.bfloat16, rngs=rngs)
        self.c_proj = nnx.Linear(4 * dim, dim, dtype=jnp.bfloat16, rngs=rngs)

    def __call__(self, x, mask):
        x = x + self.attn(self.ln_1(x), mask=mask)
        return x + self.c_proj(jax.nn.gelu(self.c_fc(self.ln_2(x))))


class GPT(nnx.Module):
    def __init__(self, layers, dim, heads, vocab, tokens, rngs, again=False):
        self.wte, self.wpe = nnx.Embed(vocab, dim, rngs=rngs), nnx.Embed(tokens, dim, rngs=rngs)
        self.blocks = nnx.List([GPTBlock(dim, heads, rngs) for _ in range(layers)])
        self.ln_f, self.again = nnx.LayerNorm(dim, rngs=rngs), again

    def __call__(self, ids):
        x = (self.wte(ids) + self.wpe(jnp.arange(ids.shape[1]))).astype(jnp.bfloat16)
        mask = nnx.make_causal_mask(ids)
        for block in self.blocks:
            x = nnx.remat(lambda b, x: b(x, mask))(block, x) if self.again else block(x, mask)
        return self.wte.attend(self.ln_f(x).astype(jnp.bfloat16))


def fsdp_gpt2(batch=32, devices=8, layers=16, dim=1600, heads=25, vocab=50304, tokens=1024, again=True):
    """A third of GPT-2 XL: weights and Adam divided over the devices along their largest axes, as is the batch."""
    mesh = AbstractMesh((devices,), ("fsdp",))
    graph, params = nnx.split(nnx.eval_shape(
        lambda: GPT(layers, dim, heads, vocab, tokens, nnx.Rngs(0), again)), nnx.Param)[:2]
    tx = optax.adamw(2e-4, b2=0.95, weight_decay=0.1)

    def step(state, ids):
        params, opt = state

        def loss_fn(params):
            logits = nnx.merge(graph, params)(ids[:, :-1]).astype(jnp.float32)
            return optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return (optax.apply_updates(params, updates), opt), loss

    state = place((params, jax.eval_shape(tx.init, params)), mesh, largest_axis("fsdp", devices))
    return step, (state, spec((batch, tokens + 1), jnp.int32, sharding=NamedSharding(mesh, P("fsdp")))), (0,)


def fsdp_scan_llama(batch=16, devices=8, layers=26, dim=3072, heads=24, kv=8, hidden=8192, vocab=32768, tokens=2048):
    """3 B of weights: a scan over rematerialized layers whose weights are gathered one layer at a time."""
    mesh = AbstractMesh((devices,), ("x",))
    act = NamedSharding(mesh, P("x", None, None))
    head = dim // heads

    def block(x, w):
        w = jax.tree.map(lambda a: a.astype(jnp.bfloat16), w)
        pos = jnp.broadcast_to(jnp.arange(tokens), x.shape[:2])
        h = rms(x, w["norm_a"])
        q = rope((h @ w["wq"]).reshape(*x.shape[:2], heads, head), pos)
        k = rope((h @ w["wk"]).reshape(*x.shape[:2], kv, head), pos)
        v = (h @ w["wv"]).reshape(*x.shape[:2], kv, head)
        x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ w["wo"]
        h = rms(x, w["norm_f"])
        x = x + (jax.nn.silu(h @ w["w1"]) * (h @ w["w3"])) @ w["w2"]
        return lax.with_sharding_constraint(x, act), None

    def loss_fn(params, ids):
        x = lax.with_sharding_constraint(params["embed"].astype(jnp.bfloat16)[ids[:, :-1]], act)
        policy = jax.checkpoint_policies.nothing_saveable
        x, _ = lax.scan(jax.checkpoint(block, policy=policy), x, params["layers"])
        logits = (rms(x, params["norm"].astype(x.dtype)) @ params["head"].astype(x.dtype)).astype(jnp.float32)
        return optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 1:]).mean()

    tx = optax.adamw(1.5e-4, mu_dtype=jnp.bfloat16)

    def step(state, ids):
        loss, grads = jax.value_and_grad(loss_fn)(state["params"], ids)
        norm = optax.global_norm(grads)
        grads = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / (norm + 1e-6)), grads)
        updates, opt = tx.update(grads, state["opt"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "opt": opt}, {"loss": loss, "norm": norm}

    s = lambda *shape: spec((layers,) + shape, jnp.float32)
    params = {"embed": spec((vocab, dim), jnp.float32), "head": spec((dim, vocab), jnp.float32),
              "norm": spec((dim,), jnp.float32),
              "layers": {"norm_a": s(dim), "norm_f": s(dim), "wq": s(dim, heads * head), "wk": s(dim, kv * head),
                         "wv": s(dim, kv * head), "wo": s(heads * head, dim), "w1": s(dim, hidden),
                         "w3": s(dim, hidden), "w2": s(hidden, dim)}}

    def rule(name, x):
        return P() if x.ndim < 2 or x.shape[-1] % devices or "norm" in name else P(*[None] * (x.ndim - 1), "x")

    state = {"params": params, "opt": jax.eval_shape(tx.init, params)}
    return step, (place(state, mesh, rule), spec((batch, tokens + 1), jnp.int32, sharding=NamedSharding(mesh, P("x")))
                  ), (0,)


# ---- tensor parallel -------------------------------------------------------------------------------------------------


def tp_llama_prefill(batch=4, devices=4, layers=32, dim=4096, heads=32, hidden=11008, vocab=32000, tokens=2048):
    """Prefill of a 7 B model over four devices: the cache comes out divided by heads."""
    mesh = AbstractMesh((devices,), ("tp",))
    shard = lambda x, *axes: lax.with_sharding_constraint(x, NamedSharding(mesh, P(*axes)))
    head = dim // heads

    def prefill(params, ids):
        x = params["embed"][ids]
        pos = jnp.broadcast_to(jnp.arange(tokens), ids.shape)
        mask = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), 0.0, -1e9)
        caches = []
        for w in params["layers"]:
            h = rms(x, w["in"])
            q, k, v = (shard((h @ w[n]).reshape(batch, tokens, heads, head), None, None, "tp", None) for n in
                       ("q", "k", "v"))
            q, k = rope(q, pos), rope(k, pos)
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) / np.sqrt(head) + mask
            o = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1).astype(x.dtype), v)
            x = shard(x + o.reshape(batch, tokens, -1) @ w["o"], None, None, None)
            h = rms(x, w["post"])
            x = shard(x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"], None, None, None)
            caches.append((k, v))
        return (rms(x[:, -1], params["norm"]) @ params["head"]).astype(jnp.float32), caches

    def b(*shape, at=None):
        axes = [None] * len(shape)
        if at is not None:
            axes[at] = "tp"
        return spec(shape, jnp.bfloat16, sharding=NamedSharding(mesh, P(*axes)))

    layer = {"in": b(dim), "post": b(dim), "q": b(dim, dim, at=1), "k": b(dim, dim, at=1), "v": b(dim, dim, at=1),
             "o": b(dim, dim, at=0), "gate": b(dim, hidden, at=1), "up": b(dim, hidden, at=1),
             "down": b(hidden, dim, at=0)}
    params = {"embed": b(vocab, dim, at=1), "layers": [layer] * layers, "norm": b(dim), "head": b(dim, vocab, at=1)}
    return prefill, (params, spec((batch, tokens), jnp.int32, sharding=NamedSharding(mesh, P()))), ()


def mixed_lm(batch=64, data=4, model=2, layers=24, dim=2048, heads=16, vocab=50432, tokens=1024):
    """1.3 B on a mesh of data and model: activations along data, weights along model, Adam's along both."""
    mesh = AbstractMesh((data, model), ("data", "model"))
    cons = lambda x, *axes: lax.with_sharding_constraint(x, NamedSharding(mesh, P(*axes)))

    @functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)
    def block(x, w):
        n = x.astype(jnp.float32)
        n = ((n - n.mean(-1, keepdims=True)) * lax.rsqrt(n.var(-1, keepdims=True) + 1e-5)).astype(x.dtype) * w["ln"]
        qkv = cons(jnp.einsum("btd,dchk->cbthk", n, w["qkv"]), None, "data", None, "model", None)
        s = jnp.einsum("bqhk,bshk->bhqs", qkv[0], qkv[1]) * (dim // heads) ** -0.5
        s = jnp.where(jnp.tri(tokens, dtype=bool), s.astype(jnp.float32), -jnp.inf)
        a = jnp.einsum("bhqs,bshk->bqhk", jax.nn.softmax(s, -1).astype(x.dtype), qkv[2])
        up = cons(jnp.einsum("btd,df->btf", n, w["up"]), "data", None, "model")
        return cons(x + jnp.einsum("bqhk,hkd->bqd", a, w["o"]) + jax.nn.gelu(up) @ w["down"], "data", None, None)

    def loss_fn(params, ids):
        x = cons(params["embed"].astype(jnp.bfloat16)[ids[:, :-1]], "data", None, None)
        for w in params["layers"]:
            x = block(x, jax.tree.map(lambda a: a.astype(jnp.bfloat16), w))
        logits = cons((x @ params["embed"].astype(x.dtype).T), "data", None, "model").astype(jnp.float32)
        picked = jnp.take_along_axis(logits, ids[:, 1:, None], -1)[..., 0]
        return (jax.nn.logsumexp(logits, -1) - picked).mean() + 1e-4 * jnp.square(jax.nn.logsumexp(logits, -1)).mean()

    tx = optax.adam(2e-4)

    def step(params, opt, ids):
        loss, grads = jax.value_and_grad(loss_fn)(params, ids)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"ln": f(dim), "qkv": f(dim, 3, heads, dim // heads), "o": f(heads, dim // heads, dim),
             "up": f(dim, 4 * dim), "down": f(4 * dim, dim)}
    params = {"embed": f(vocab, dim), "layers": [layer] * layers}
    axes = {"qkv": (None, None, "model", None), "o": ("model", None, None), "up": (None, "model"),
            "down": ("model", None), "embed": ("model", None)}

    def rule(name, x, over=None):
        key = name.split("'")[-2] if "'" in name else ""
        if key not in axes or x.ndim != len(axes[key]):
            return P()
        found = list(axes[key])
        if over:
            found[found.index(None)] = over
        return P(*found)

    words = spec((batch, tokens + 1), jnp.int32, sharding=NamedSharding(mesh, P("data")))
    return step, (place(params, mesh, rule), place(jax.eval_shape(tx.init, params), mesh,
                                                   functools.partial(rule, over="data")), words), (0, 1)


# ---- experts and tables ----------------------------------------------------------------------------------------------


def expert_parallel(batch=64, devices=8, tokens=512, layers=4, dim=1024, experts=8, vocab=32000):
    """A switch transformer: an expert a device, tokens sent by one-hot dispatch, capacity 1.25."""
    mesh = AbstractMesh((devices,), ("e",))
    cons = lambda x, *axes: lax.with_sharding_constraint(x, NamedSharding(mesh, P(*axes)))
    capacity = int(1.25 * tokens / experts)

    def switch(x, w):
        gates = jax.nn.softmax(jnp.einsum("gsd,de->gse", x.astype(jnp.float32), w["router"]))
        best = jnp.argmax(gates, -1)
        hot = jax.nn.one_hot(best, experts)
        balance = experts * jnp.mean(hot.mean(1) * gates.mean(1)) * experts
        place_in = (jnp.cumsum(hot, 1) - 1) * hot
        keep = hot * (place_in < capacity)
        dispatch = keep[..., None] * jax.nn.one_hot(place_in.astype(jnp.int32), capacity)
        combine = dispatch * gates.max(-1)[..., None, None]
        sent = cons(jnp.einsum("gsec,gsd->egcd", dispatch.astype(x.dtype), x), "e", None, None, None)
        h = jax.nn.relu(jnp.einsum("egcd,edf->egcf", sent, w["wi"].astype(x.dtype)))
        back = cons(jnp.einsum("egcf,efd->egcd", h, w["wo"].astype(x.dtype)), "e", None, None, None)
        return cons(jnp.einsum("gsec,egcd->gsd", combine.astype(x.dtype), back), "e", None, None), balance

    def attend(x, w):
        q, k, v = (jnp.einsum("bsd,dhk->bshk", x, w[n].astype(x.dtype)) for n in ("q", "k", "v"))
        mixed = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        return jnp.einsum("bshk,hkd->bsd", mixed, w["o"].astype(x.dtype))

    def loss_fn(params, ids):
        x, extra = params["embed"][ids[:, :-1]].astype(jnp.bfloat16), 0.0
        for w in params["layers"]:
            x = x + attend(rms(x, w["n1"].astype(x.dtype)), w)
            y, balance = switch(rms(x, w["n2"].astype(x.dtype)), w)
            x, extra = x + y, extra + 0.01 * balance
        logits = jnp.einsum("bsd,vd->bsv", x, params["embed"].astype(x.dtype)).astype(jnp.float32)
        return optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 1:]).mean() + extra

    tx = optax.adafactor(1e-2, momentum=0.9, dtype_momentum=jnp.bfloat16)

    def step(state, ids):
        params, opt = state
        loss, grads = jax.value_and_grad(loss_fn)(params, ids)
        updates, opt = tx.update(grads, opt, params)
        return (optax.apply_updates(params, updates), opt), loss

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {**{n: f(dim, dim // 64, 64) for n in "qkv"}, "o": f(dim // 64, 64, dim), "n1": f(dim), "n2": f(dim),
             "router": f(dim, experts), "wi": f(experts, dim, 4 * dim), "wo": f(experts, 4 * dim, dim)}
    params = {"embed": f(vocab, dim), "layers": [layer] * layers}

    def rule(name, x):
        return P("e") if x.ndim == 3 and x.shape[0] == experts and ("wi" in name or "wo" in name) else P()

    state = place((params, jax.eval_shape(tx.init, params)), mesh, rule)
    return step, (state, spec((batch, tokens + 1), jnp.int32, sharding=NamedSharding(mesh, P("e")))), (0,)


def tables_by_rows(batch=65536, devices=8, tables=26, rows=1000000, width=64):
    """A recommender whose tables are divided by rows and whose dense part is data parallel; Adagrad for all."""
    mesh = AbstractMesh((devices,), ("d",))

    def mlp(x, ws, last=None):
        for i, (w, b) in enumerate(ws):
            x = x @ w + b
            x = jax.nn.relu(x) if last is None or i + 1 < len(ws) else last(x)
        return x

    def loss_fn(params, batch):
        dense = mlp(jnp.log1p(batch["dense"]), params["bottom"])
        looked = jax.vmap(lambda t, i: jnp.take(t, i, axis=0, mode="clip"), in_axes=(0, 1), out_axes=1)(
            params["tables"], batch["ids"])
        looked = lax.with_sharding_constraint(looked, NamedSharding(mesh, P("d", None, None)))
        crossed = jnp.concatenate([dense[:, None], looked], 1)
        inner = jnp.einsum("bnd,bmd->bnm", crossed, crossed)
        i, j = np.tril_indices(tables + 1, -1)
        logit = mlp(jnp.concatenate([dense, inner[:, i, j]], -1), params["top"], last=lambda x: x)[:, 0]
        return optax.sigmoid_binary_cross_entropy(logit, batch["click"]).mean()

    tx = optax.adagrad(0.01)

    def step(params, opt, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    pairs = width + tables * (tables + 1) // 2
    layers = lambda *sizes: [(f(a, b), f(b)) for a, b in zip(sizes, sizes[1:])]
    params = {"tables": f(tables, rows, width), "bottom": layers(13, 512, 256, width),
              "top": layers(pairs, 1024, 1024, 512, 256, 1)}

    def rule(name, x):
        return P(None, "d", None) if "tables" in name and x.ndim == 3 else P()

    data = {"dense": f(batch, 13), "ids": spec((batch, tables), jnp.int32), "click": f(batch)}
    return step, (place(params, mesh, rule), place(jax.eval_shape(tx.init, params), mesh, rule),
                  place(data, mesh, lambda *_: P("d"))), (0, 1)
