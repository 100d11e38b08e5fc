"""The second blind set: programs of JAX that are divided over devices."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P
from optax import contrib

from jax_divided import largest_axis, place
from jax_loops import KEY, rms, rope, spec


# ---- data parallel ---------------------------------------------------------------------------------------------------


class WideNet(nn.Module):
    """A wide residual net whose batch norms ask all devices for their means."""
    widths: tuple = (160, 320, 640)
    depth: int = 2

    @nn.compact
    def __call__(self, x):
        norm = functools.partial(nn.BatchNorm, use_running_average=False, axis_name="replica")
        x = nn.Conv(16, (3, 3), use_bias=False)(x)
        for stage, width in enumerate(self.widths):
            for n in range(self.depth):
                stride = (2, 2) if stage and not n else (1, 1)
                y = nn.relu(norm()(x))
                short = x if n else nn.Conv(width, (1, 1), stride, use_bias=False)(y)
                y = nn.Conv(width, (3, 3), stride, use_bias=False)(y)
                x = short + nn.Conv(width, (3, 3), use_bias=False)(nn.relu(norm()(y)))
        return nn.Dense(100)(nn.relu(norm()(x)).mean((1, 2)))


def wide_net_by_hand(batch=12288, devices=8):
    """A step as pmap had it, by shard_map: each device its part, slopes and means of batch norm by psum."""
    net, tx = WideNet(), optax.sgd(0.1, momentum=0.9, nesterov=True)
    mesh = AbstractMesh((devices,), ("replica",))

    def part(state, images, labels):
        params, stats, opt = state

        def loss_fn(params):
            x = (images.astype(jnp.float32) - 127.5) / 64
            logits, new = net.apply({"params": params, "batch_stats": stats}, x, mutable=["batch_stats"])
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), (new["batch_stats"], logits)

        (loss, (stats, logits)), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
        grads, loss = lax.pmean((grads, loss), "replica")
        updates, opt = tx.update(grads, opt, params)
        right = lax.psum((logits.argmax(-1) == labels).sum(), "replica")
        return (optax.apply_updates(params, updates), stats, opt), loss, right

    step = jax.shard_map(part, mesh=mesh, in_specs=(P(), P("replica"), P("replica")), out_specs=P(), check_vma=False)
    v = jax.eval_shape(lambda k: net.clone(parent=None).init(k, jnp.zeros((1, 32, 32, 3))), KEY)
    state = v["params"], v["batch_stats"], jax.eval_shape(tx.init, v["params"])
    data = place((spec((batch, 32, 32, 3), jnp.uint8), spec((batch,), jnp.int32)), mesh, lambda *_: P("replica"))
    return step, (place(state, mesh, lambda *_: P()), *data), (0,)


class TextTower(nn.Module):
    """An encoder whose weights say by names how they may be divided."""
    layers: int
    width: int

    @nn.compact
    def __call__(self, ids, lengths):
        init = nn.initializers.normal(0.02)
        named = lambda *axes: nn.with_partitioning(init, axes)
        seen = jnp.arange(ids.shape[1])[None] < lengths[:, None]
        x = nn.Embed(30528, self.width, dtype=jnp.bfloat16, embedding_init=named("data", None))(ids)
        x = x + self.param("position", init, (ids.shape[1], self.width)).astype(x.dtype)
        for _ in range(self.layers):
            dense = functools.partial(nn.Dense, dtype=jnp.bfloat16, kernel_init=named(None, "data"))
            h = nn.MultiHeadDotProductAttention(self.width // 64, dtype=jnp.bfloat16)(x, x, mask=seen[:, None, None])
            x = nn.LayerNorm(dtype=jnp.bfloat16)(x + h)
            x = nn.LayerNorm(dtype=jnp.bfloat16)(x + dense(self.width)(nn.gelu(dense(4 * self.width)(x))))
        x = (x * seen[..., None]).sum(1).astype(jnp.float32) / lengths[:, None]
        return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


def text_pairs(batch=6144, devices=4, tokens=128, layers=2, width=768):
    """Questions and answers by one tower: every question against the answers of all devices."""
    net, tx = TextTower(layers, width), optax.adamw(2e-5)
    mesh = AbstractMesh((devices,), ("data",))

    def step(params, opt, batch):
        def loss_fn(params):
            q, a = (net.apply(params, batch[n], batch[n + "_length"]) for n in ("question", "answer"))
            scores = lax.with_sharding_constraint(q @ a.T / 0.02, NamedSharding(mesh, P("data", None)))
            right = jnp.arange(scores.shape[0])
            one = optax.softmax_cross_entropy_with_integer_labels(scores, right)
            return (one + optax.softmax_cross_entropy_with_integer_labels(scores.T, right)).mean() / 2

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    boxed = jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, tokens), jnp.int32), jnp.ones((1,), jnp.int32)), KEY)

    def placed(tree):
        named = jax.tree.map(lambda p: NamedSharding(mesh, p), nn.get_partition_spec(tree),
                             is_leaf=lambda p: isinstance(p, P))
        return jax.tree.map(lambda x, s: spec(x.shape, x.dtype, sharding=s), nn.unbox(tree), named)

    words = spec((batch, tokens), jnp.int32)
    row = spec((batch,), jnp.int32)
    data = {"question": words, "answer": words, "question_length": row, "answer_length": row}
    data = place(data, mesh, lambda *_: P("data"))
    return step, (placed(boxed), placed(jax.eval_shape(tx.init, boxed)), data), (0, 1)


# ---- weights divided -------------------------------------------------------------------------------------------------


def schedule_free_fsdp(batch=112, devices=8, layers=3, dim=4096, heads=32, kv=8, head=128, hidden=16384, vocab=131072,
                       tokens=4096):
    """Norms before and after, of keys and queries, too; logits that are bent; AdamW without a schedule."""
    mesh = AbstractMesh((devices,), ("fsdp",))

    @jax.checkpoint
    def block(x, w):
        w = jax.tree.map(lambda a: a.astype(x.dtype), w)
        at = jnp.broadcast_to(jnp.arange(tokens), x.shape[:2])
        h = rms(x, w["norms"][0])
        q, k, v = jnp.split((h @ w["qkv"]).reshape(*x.shape[:2], heads + 2 * kv, head), [heads, heads + kv], 2)
        q, k = rope(rms(q, w["nq"]), at, 1e6), rope(rms(k, w["nk"]), at, 1e6)
        mixed = jax.nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=(1023, 0))
        x = x + rms(mixed.reshape(*x.shape[:2], -1) @ w["o"], w["norms"][1])
        a, b = jnp.split(rms(x, w["norms"][2]) @ w["up"], 2, -1)
        x = x + rms((jax.nn.gelu(a) * b) @ w["down"], w["norms"][3])
        return lax.with_sharding_constraint(x, NamedSharding(mesh, P("fsdp", None, None)))

    tx = contrib.schedule_free_adamw(3e-4, warmup_steps=2000, b1=0.95)

    def step(params, opt, ids):
        def loss_fn(params):
            x = params["embed"].astype(jnp.bfloat16)[ids[:, :-1]] * dim ** 0.5
            for w in params["layers"]:
                x = block(x, w)
            logits = jnp.einsum("btd,vd->btv", rms(x, params["norm"].astype(x.dtype)),
                                params["embed"].astype(x.dtype), preferred_element_type=jnp.float32)
            return optax.softmax_cross_entropy_with_integer_labels(30.0 * jnp.tanh(logits / 30.0), ids[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"norms": f(4, dim), "nq": f(head), "nk": f(head), "qkv": f(dim, (heads + 2 * kv) * head),
             "o": f(heads * head, dim), "up": f(dim, 2 * hidden), "down": f(hidden, dim)}
    params = {"embed": f(vocab, dim), "norm": f(dim), "layers": [layer] * layers}
    rule = largest_axis("fsdp", devices)
    return step, (place(params, mesh, rule), place(jax.eval_shape(tx.init, params), mesh, rule),
                  spec((batch, tokens + 1), jnp.int32, sharding=NamedSharding(mesh, P("fsdp")))), (0, 1)


def sequence_and_tensor(batch=6, devices=4, layers=4, dim=8192, heads=64, vocab=51200, tokens=2048):
    """Megatron's way: columns then rows, and between them tokens are divided; learned positions, GELU."""
    mesh = AbstractMesh((devices,), ("model",))
    cons = lambda x, *axes: lax.with_sharding_constraint(x, NamedSharding(mesh, P(*axes)))
    head = dim // heads

    def norm(x, w):
        y = x.astype(jnp.float32)
        y = (y - y.mean(-1, keepdims=True)) / jnp.sqrt(y.var(-1, keepdims=True) + 1e-5)
        return cons((y * w[0] + w[1]).astype(jnp.bfloat16), None, "model", None)

    def block(x, w):
        b = {n: a.astype(jnp.bfloat16) for n, a in w.items()}
        h = cons(norm(x, w["n1"]), None, None, None)
        q, k, v = (cons(h @ b[n], None, None, "model").reshape(batch, tokens, heads, head) for n in "qkv")
        s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(head).astype(q.dtype)
        s = jnp.where(jnp.tri(tokens, dtype=bool), s, -1e9).astype(jnp.float32)
        o = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s).astype(q.dtype), v).reshape(batch, tokens, dim)
        x = x + cons(o @ b["o"], None, "model", None)
        h = cons(norm(x, w["n2"]), None, None, None)
        h = jax.nn.gelu(cons(h @ b["up"], None, None, "model") + b["bias"])
        return x + cons(h @ b["down"], None, "model", None)

    tx = optax.adamw(1e-4, b2=0.95)

    def step(state, ids, targets):
        params, opt = state

        def loss_fn(p):
            x = p["embed"].astype(jnp.bfloat16)[ids] + p["position"].astype(jnp.bfloat16)
            x = cons(x, None, "model", None)
            for w in p["layers"]:
                x = block(x, w)
            x = cons(norm(x, p["norm"]), None, None, None)
            logits = cons(x @ p["embed"].T.astype(x.dtype), None, None, "model").astype(jnp.float32)
            top = lax.stop_gradient(logits.max(-1, keepdims=True))
            total = jnp.log(jnp.exp(logits - top).sum(-1)) + top[..., 0]
            picked = (logits * jax.nn.one_hot(targets, vocab)).sum(-1)
            return (total - picked).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return (optax.apply_updates(params, updates), opt), loss

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"n1": f(2, dim), "n2": f(2, dim), "q": f(dim, dim), "k": f(dim, dim), "v": f(dim, dim), "o": f(dim, dim),
             "up": f(dim, 4 * dim), "bias": f(4 * dim), "down": f(4 * dim, dim)}
    params = {"embed": f(vocab, dim), "position": f(tokens, dim), "norm": f(2, dim), "layers": [layer] * layers}
    axes = {"q": P(None, "model"), "k": P(None, "model"), "v": P(None, "model"), "o": P("model", None),
            "up": P(None, "model"), "bias": P("model"), "down": P("model", None), "embed": P("model", None)}

    def rule(name, x):
        found = axes.get(name.split("'")[-2] if "'" in name else "", P())
        return found if len(found) <= x.ndim else P()

    words = spec((batch, tokens), jnp.int32, sharding=NamedSharding(mesh, P()))
    return step, (place((params, jax.eval_shape(tx.init, params)), mesh, rule), words, words), (0,)


# ---- mixed, with the shardings of before Shardy ----------------------------------------------------------------------


def giant_vit_mixed(batch=1856, data=2, fsdp=2, tensor=2, layers=5, dim=1536, heads=16, size=224, patch=14,
                    labels=30000):
    """A large ViT on a mesh of three axes, marked as GSPMD wants it; a sigmoid for each of many labels; Adafactor."""
    jax.config.update("jax_use_shardy_partitioner", False)
    mesh = AbstractMesh((data, fsdp, tensor), ("data", "fsdp", "tensor"))
    cons = lambda x, *axes: lax.with_sharding_constraint(x, NamedSharding(mesh, P(*axes)))
    rows, head, places = ("data", "fsdp"), dim // heads, (size // patch) ** 2

    def norm(x, g):
        y = x.astype(jnp.float32)
        return ((y - y.mean(-1, keepdims=True)) * lax.rsqrt(y.var(-1, keepdims=True) + 1e-6) * g).astype(x.dtype)

    def forward(p, images):
        x = images.astype(jnp.bfloat16).reshape(batch, size // patch, patch, size // patch, patch, 3)
        x = jnp.einsum("bipjqc,pqcd->bijd", x / 128 - 1, p["stem"].astype(x.dtype)).reshape(batch, places, dim)
        x = cons(x + p["position"].astype(x.dtype), rows, None, None)
        for w in p["layers"]:
            b = jax.tree.map(lambda a: a.astype(x.dtype), w)
            h = norm(x, w["n1"])
            q, k, v = cons(jnp.einsum("btd,cdhk->cbhtk", h, b["qkv"]), None, rows, "tensor", None, None)
            a = jax.nn.softmax(jnp.einsum("bhqk,bhsk->bhqs", q * head ** -0.5, k).astype(jnp.float32))
            o = jnp.einsum("bhqs,bhsk->bqhk", a.astype(x.dtype), v)
            x = cons(x + jnp.einsum("bqhk,hkd->bqd", o, b["o"]), rows, None, None)
            h = jax.nn.gelu(cons(norm(x, w["n2"]) @ b["up"], rows, None, "tensor"))
            x = cons(x + h @ b["down"], rows, None, None)
        return norm(x, p["norm"]).mean(1).astype(jnp.float32) @ p["head"]

    tx = optax.adafactor(1e-3, multiply_by_parameter_scale=False, momentum=0.9, dtype_momentum=jnp.bfloat16)

    def step(params, opt, images, wanted):
        loss, grads = jax.value_and_grad(lambda p: optax.sigmoid_binary_cross_entropy(
            forward(p, images), wanted.astype(jnp.float32)).sum(-1).mean())(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"n1": f(dim), "n2": f(dim), "qkv": f(3, dim, heads, head), "o": f(heads, head, dim),
             "up": f(dim, 4 * dim), "down": f(4 * dim, dim)}
    params = {"stem": f(patch, patch, 3, dim), "position": f(places, dim), "norm": f(dim), "head": f(dim, labels),
              "layers": [layer] * layers}
    axes = {"qkv": P(None, "fsdp", "tensor", None), "o": P("tensor", None, "fsdp"), "up": P("fsdp", "tensor"),
            "down": P("tensor", "fsdp"), "head": P("fsdp", "tensor"), "stem": P(None, None, None, "fsdp")}

    def rule(name, x):
        found = axes.get(name.split("'")[-2] if "'" in name else "", P())
        return found if len(found) == x.ndim else P()

    data = place((spec((batch, size, size, 3), jnp.uint8), spec((batch, labels), jnp.int8)), mesh, lambda *_: P(rows))
    return step, (place(params, mesh, rule), place(jax.eval_shape(tx.init, params), mesh, rule), *data), (0, 1)


# ---- experts and long contexts ---------------------------------------------------------------------------------------


def experts_all_to_all(batch=64, devices=8, layers=3, tokens=1024, dim=2048, hidden=8192, experts=16, vocab=32000):
    """Tokens are scattered into places of experts, sent by all_to_all, and come back, all by hand in shard_map."""
    mesh = AbstractMesh((devices,), ("x",))
    rows, head = batch // devices, 128
    places = 2 * rows * tokens // experts

    def experts_of(x, w):
        flat = x.reshape(-1, dim)
        chance = jax.nn.sigmoid(flat.astype(jnp.float32) @ w["router"])
        weight, choice = lax.top_k(chance, 1)
        choice = choice[:, 0]
        rank = jnp.cumsum(jax.nn.one_hot(choice, experts, dtype=jnp.int32), 0)[jnp.arange(flat.shape[0]), choice] - 1
        sent = jnp.zeros((experts, places, dim), flat.dtype).at[choice, rank].set(flat, mode="drop")
        sent = lax.all_to_all(sent, "x", 0, 1, tiled=True)
        h = jax.nn.silu(jnp.einsum("ecd,edf->ecf", sent, w["up"].astype(flat.dtype)))
        back = lax.all_to_all(jnp.einsum("ecf,efd->ecd", h, w["down"].astype(flat.dtype)), "x", 1, 0, tiled=True)
        out = back.at[choice, rank].get(mode="fill", fill_value=0) * weight.astype(flat.dtype)
        return out.reshape(x.shape)

    def loss_of_part(p, ids):
        x = p["embed"][ids[:, :-1]].astype(jnp.bfloat16)
        at = jnp.broadcast_to(jnp.arange(tokens), (rows, tokens))
        for w in p["layers"]:
            h = rms(x, w["n1"].astype(x.dtype))
            q, k, v = jnp.split((h @ w["qkv"].astype(x.dtype)).reshape(rows, tokens, -1, head), 3, 2)
            mixed = jax.nn.dot_product_attention(rope(q, at), rope(k, at), v, is_causal=True)
            x = x + mixed.reshape(x.shape) @ w["o"].astype(x.dtype)
            x = x + experts_of(rms(x, w["n2"].astype(x.dtype)), w)
        logits = (x @ p["embed"].T.astype(x.dtype)).astype(jnp.float32)
        return lax.pmean(optax.softmax_cross_entropy_with_integer_labels(logits, ids[:, 1:]).mean(), "x")

    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"n1": f(dim), "n2": f(dim), "qkv": f(dim, 3 * dim), "o": f(dim, dim), "router": f(dim, experts),
             "up": f(experts, dim, hidden), "down": f(experts, hidden, dim)}
    params = {"embed": f(vocab, dim), "layers": [layer] * layers}

    def rule(name, x):
        return P("x") if ("'up'" in name or "'down'" in name) and x.ndim == 3 else P()

    rules = jax.tree_util.tree_map_with_path(lambda path, x: rule(jax.tree_util.keystr(path), x), params)
    loss_fn = jax.shard_map(loss_of_part, mesh=mesh, in_specs=(rules, P("x")), out_specs=P(), check_vma=False)
    tx = optax.adamw(3e-4, mu_dtype=jnp.bfloat16)

    def step(state, ids):
        params, opt = state
        loss, grads = jax.value_and_grad(loss_fn)(params, ids)
        updates, opt = tx.update(grads, opt, params)
        return (optax.apply_updates(params, updates), opt), loss

    return step, (place((params, jax.eval_shape(tx.init, params)), mesh, rule),
                  spec((batch, tokens + 1), jnp.int32, sharding=NamedSharding(mesh, P("x")))), (0,)


def long_context_decode(batch=8, devices=4, layers=20, dim=4096, heads=32, kv=8, hidden=14336, tokens=524288,
                        vocab=128256):
    """One token where each device holds a quarter of what was said, weights divided by columns; donated."""
    mesh = AbstractMesh((devices,), ("x",))
    head = dim // heads

    def step(params, cache, ids, pos):
        mine = jnp.arange(tokens) == pos
        seen = jnp.arange(tokens) <= pos

        def layer(x, inputs):
            w, (keys, values) = inputs
            h = rms(x, w["n1"])
            at = jnp.broadcast_to(pos, (batch, 1))
            q = rope((h @ w["q"]).reshape(batch, 1, heads, head), at, 5e6).reshape(batch, kv, heads // kv, head)
            k = rope((h @ w["k"]).reshape(batch, 1, kv, head), at, 5e6)
            v = (h @ w["v"]).reshape(batch, 1, kv, head)
            keys, values = (jnp.where(mine[None, :, None, None], new, old) for new, old in ((k, keys), (v, values)))
            s = jnp.einsum("bkgd,btkd->bkgt", q, keys, preferred_element_type=jnp.float32) * head ** -0.5
            s = jnp.where(seen, s, -1e30)
            e = jnp.exp(s - s.max(-1, keepdims=True))
            o = jnp.einsum("bkgt,btkd->bkgd", e.astype(x.dtype), values) / e.sum(-1, keepdims=True).astype(x.dtype)
            x = x + o.reshape(batch, dim) @ w["o"]
            h = rms(x, w["n2"])
            return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"], (keys, values)

        x, cache = lax.scan(layer, params["embed"][ids], (params["layers"], cache))
        return cache, (rms(x, params["norm"]) @ params["head"]).astype(jnp.float32)

    def p(*shape, axes=P()):
        return spec(shape, jnp.bfloat16, sharding=NamedSharding(mesh, axes))

    columns, lines, n = P(None, None, "x"), P(None, "x", None), layers
    stack = {"n1": p(n, dim), "n2": p(n, dim), "q": p(n, dim, dim, axes=columns),
             "k": p(n, dim, kv * head, axes=columns), "v": p(n, dim, kv * head, axes=columns),
             "o": p(n, dim, dim, axes=lines),
             "gate": p(n, dim, hidden, axes=columns), "up": p(n, dim, hidden, axes=columns),
             "down": p(n, hidden, dim, axes=lines)}
    params = {"embed": p(vocab, dim), "head": p(dim, vocab, axes=P(None, "x")), "norm": p(dim), "layers": stack}
    cache = p(n, batch, tokens, kv, head, axes=P(None, None, "x"))
    number = NamedSharding(mesh, P())
    return step, (params, (cache, cache), spec((batch,), jnp.int32, sharding=number), spec((), jnp.int32,
                                                                                           sharding=number)), (1,)
