"""The third blind set: programs of JAX that are divided over devices."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

from jax_divided import largest_axis, place
from jax_loops import KEY, rms, rope, spec
from third_loops import ScannedViT, block_weights


def decoder(params, ids, heads, groups, there=lambda x, *axes: x):
    """Hidden values of a Llama in bfloat16; `there` says where activations are."""
    x = there(params["embed"].astype(jnp.bfloat16)[ids], "rows", None)
    at = jnp.broadcast_to(jnp.arange(ids.shape[1]), ids.shape)
    for w in params["layers"]:
        w = jax.tree.map(lambda a: a.astype(jnp.bfloat16), w)
        h = rms(x, w["n1"])
        q, k, v = ((h @ w[n]).reshape(*ids.shape, m, -1) for n, m in (("q", heads), ("k", groups), ("v", groups)))
        y = jax.nn.dot_product_attention(rope(q, at), rope(k, at), v, is_causal=True)
        x = there(x + y.reshape(x.shape) @ w["o"], "rows", None)
        h = rms(x, w["n2"])
        x = there(x + there(jax.nn.silu(h @ w["gate"]) * (h @ w["up"]), "rows", "wide") @ w["down"], "rows", None)
    return rms(x, params["norm"].astype(x.dtype))


def decoder_shapes(layers, dim, heads, groups, hidden, vocab, dtype=jnp.float32):
    w = lambda *shape: spec(shape, dtype)
    return {"embed": w(vocab, dim), "head": w(dim, vocab), "norm": w(dim),
            "layers": [block_weights(dim, heads, groups, hidden, dtype)] * layers}


def lm_step(tx, heads, groups, there=lambda x, *axes: x):
    def step(params, opt, ids, targets):
        def loss_fn(params):
            x = decoder(params, ids, heads, groups, there)
            logits = (x @ params["head"].astype(x.dtype)).astype(jnp.float32)
            return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    return step


# ---- data ------------------------------------------------------------------------------------------------------------


def vit_on_eight(batch=2048, devices=8, layers=12, width=768, heads=12):
    """Images divided, everything else on each; layers are scanned with remat."""
    net, mesh = ScannedViT(layers, width, heads, True), AbstractMesh((devices,), ("data",))
    tx = optax.lamb(2e-3)

    def step(params, opt, images, labels):
        def loss_fn(params):
            logits = net.apply(params, images.astype(jnp.bfloat16) / 255)
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    params = jax.eval_shape(net.init, KEY, spec((1, 224, 224, 3), jnp.bfloat16))
    whole, rows = (lambda *_: P()), (lambda *_: P("data"))
    return step, (place(params, mesh, whole), place(jax.eval_shape(tx.init, params), mesh, whole),
                  place(spec((batch, 224, 224, 3), jnp.uint8), mesh, rows),
                  place(spec((batch,), jnp.int32), mesh, rows)), (0, 1)


class PlainNet(nn.Module):
    @nn.compact
    def __call__(self, x):
        for width in (64, 128, 256, 512):
            x = nn.relu(nn.GroupNorm(16)(nn.Conv(width, (3, 3), use_bias=False)(x)))
            x = nn.relu(nn.GroupNorm(16)(nn.Conv(width, (3, 3), (2, 2), use_bias=False)(x)))
        return nn.Dense(200)(x.mean((1, 2)))


def tiny_images_by_hand(batch=4096, devices=4):
    """shard_map over four devices: slopes by psum, group norms, SGD with warm-up."""
    net, mesh = PlainNet(), AbstractMesh((devices,), ("d",))
    tx = optax.sgd(optax.warmup_cosine_decay_schedule(0.0, 0.4, 500, 20000), momentum=0.9)

    def part(params, opt, images, labels):
        def loss_fn(params):
            logits = net.apply(params, images.astype(jnp.float32) / 255)
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        grads = jax.tree.map(lambda g: lax.psum(g, "d") / devices, grads)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, lax.pmean(loss, "d")

    step = jax.shard_map(part, mesh=mesh, in_specs=(P(), P(), P("d"), P("d")), out_specs=P(), check_vma=False)
    params = jax.eval_shape(lambda k: net.clone(parent=None).init(k, jnp.zeros((1, 64, 64, 3))), KEY)
    data = place((spec((batch, 64, 64, 3), jnp.uint8), spec((batch,), jnp.int32)), mesh, lambda *_: P("d"))
    whole = lambda tree: place(tree, mesh, lambda *_: P())
    return step, (whole(params), whole(jax.eval_shape(tx.init, params)), *data), (0, 1)


# ---- weights, or parts of the optimizer ------------------------------------------------------------------------------


def fully_sharded_lm(batch=64, tokens=1024, devices=8, layers=3, dim=2048, heads=16, groups=4, hidden=8192,
                     vocab=50304):
    """All weights and moments over eight devices, each row of a batch, too; AdamW."""
    mesh, tx = AbstractMesh((devices,), ("all",)), optax.adamw(3e-4, weight_decay=0.1)
    params = decoder_shapes(layers, dim, heads, groups, hidden, vocab)
    divide = largest_axis("all", devices)
    data = place(spec((batch, tokens), jnp.int32), mesh, lambda *_: P("all"))
    return lm_step(tx, heads, groups), (place(params, mesh, divide), place(jax.eval_shape(tx.init, params), mesh,
                                                                           divide), data, data), (0, 1)


def moments_divided(batch=64, tokens=1024, devices=4, layers=2, dim=2048, heads=16, groups=16, hidden=8192,
                    vocab=50304):
    """Weights whole on each of four devices, moments of Adam in parts (stage one)."""
    mesh, tx = AbstractMesh((devices,), ("d",)), optax.adam(3e-4)
    params = decoder_shapes(layers, dim, heads, groups, hidden, vocab)
    data = place(spec((batch, tokens), jnp.int32), mesh, lambda *_: P("d"))
    return lm_step(tx, heads, groups), (place(params, mesh, lambda *_: P()), place(
        jax.eval_shape(tx.init, params), mesh, largest_axis("d", devices)), data, data), (0, 1)


def rule_of_columns(first, second):
    """Tensor parallel: queries, keys, values, gates by columns, what follows them by rows; `first` divides the other
    axis."""
    def rule(path, x):
        if x.ndim < 2:
            return P()
        by_rows = any("'%s'" % n in path for n in ("o", "down"))
        return P(second, first) if by_rows or "embed" in path else P(first, second)

    return rule


def columns_and_rows(batch=16, tokens=2048, devices=4, layers=3, dim=3072, heads=24, groups=8, hidden=8192,
                     vocab=64000):
    """Tensor parallel training on four devices, momentum; activations stay whole between the layers."""
    mesh, tx = AbstractMesh((devices,), ("t",)), optax.sgd(0.01, momentum=0.9)
    there = lambda x, *axes: lax.with_sharding_constraint(
        x, NamedSharding(mesh, P(*(None,) * (x.ndim - 1), "t" if axes[-1] == "wide" else None)))
    params = decoder_shapes(layers, dim, heads, groups, hidden, vocab)
    rule = rule_of_columns(None, "t")
    data = place(spec((batch, tokens), jnp.int32), mesh, lambda *_: P())
    return lm_step(tx, heads, groups, there), (place(params, mesh, rule), place(
        jax.eval_shape(tx.init, params), mesh, rule), data, data), (0, 1)


def data_and_columns(batch=64, tokens=2048, shape=(2, 4), layers=3, dim=4096, heads=32, groups=8, hidden=11008,
                     vocab=128000):
    """Eight devices, two by four: rows of a batch and one axis of weights by two, the other axis by four; Lion."""
    mesh, tx = AbstractMesh(shape, ("data", "model")), optax.lion(1e-4, weight_decay=0.1)
    there = lambda x, *axes: lax.with_sharding_constraint(
        x, NamedSharding(mesh, P("data", *(None,) * (x.ndim - 2), "model" if axes[-1] == "wide" else None)))
    params = decoder_shapes(layers, dim, heads, groups, hidden, vocab)
    rule = rule_of_columns("data", "model")
    data = place(spec((batch, tokens), jnp.int32), mesh, lambda *_: P("data"))
    return lm_step(tx, heads, groups, there), (place(params, mesh, rule), place(
        jax.eval_shape(tx.init, params), mesh, rule), data, data), (0, 1)


def experts_by_masks(batch=64, tokens=512, devices=8, experts=16, dim=1024, hidden=4096, vocab=32000, room=1.25):
    """Experts over eight devices: who goes where by masks and einsum, as Mesh TensorFlow had it; one such layer
    between two dense ones."""
    mesh, tx = AbstractMesh((devices,), ("e",)), optax.adam(1e-4)
    seats = int(room * tokens / experts)
    at = lambda x, *axes: lax.with_sharding_constraint(x, NamedSharding(mesh, P(*axes)))

    def loss_fn(params, ids, targets):
        x = params["embed"][ids]
        x = x + jax.nn.relu(x @ params["a"]) @ params["b"]
        chances = jax.nn.softmax(x @ params["router"])
        best = jnp.argmax(chances, -1)
        mask = jax.nn.one_hot(best, experts)
        place_of = (jnp.cumsum(mask, 1) - 1) * mask
        mask = mask * (place_of < seats)
        send = mask[..., None] * jax.nn.one_hot(place_of.astype(jnp.int32), seats)
        sent = at(jnp.einsum("btes,btd->ebsd", send, x), "e", None, None, None)
        h = jax.nn.relu(jnp.einsum("ebsd,edh->ebsh", sent, params["up"]))
        back = at(jnp.einsum("ebsh,ehd->ebsd", h, params["down"]), "e", None, None, None)
        y = jnp.einsum("btes,ebsd->btd", send * chances.max(-1)[..., None, None], back)
        x = at(x + y, "e", None, None)
        even = (mask.mean((0, 1)) * chances.mean((0, 1))).sum() * experts
        logits = x @ params["embed"].T
        return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean() + 0.01 * even

    def step(params, opt, ids, targets):
        loss, grads = jax.value_and_grad(loss_fn)(params, ids, targets)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    f = lambda *shape: spec(shape, jnp.float32)
    params = {"embed": f(vocab, dim), "a": f(dim, hidden), "b": f(hidden, dim), "router": f(dim, experts),
              "up": f(experts, dim, hidden), "down": f(experts, hidden, dim)}
    rule = lambda path, x: P("e") if x.ndim == 3 else P()
    data = place(spec((batch, tokens), jnp.int32), mesh, lambda *_: P("e"))
    return step, (place(params, mesh, rule), place(jax.eval_shape(tx.init, params), mesh, rule), data, data), (0, 1)


# ---- looking ---------------------------------------------------------------------------------------------------------


def long_prompts(batch=16, tokens=8192, shape=(2, 4), layers=2, dim=8192, heads=64, groups=8, hidden=28672,
                 vocab=128256):
    """A prefill of long prompts on two by four devices, bfloat16: rows by two, heads and columns by four; the last
    token's logits."""
    mesh = AbstractMesh(shape, ("rows", "heads"))
    there = lambda x, *axes: lax.with_sharding_constraint(
        x, NamedSharding(mesh, P("rows", None, "heads" if axes[-1] == "wide" else None)))

    def prefill(params, ids):
        x = decoder(params, ids, heads, groups, there)
        return jnp.argmax(x[:, -1] @ params["head"], -1)

    params = decoder_shapes(layers, dim, heads, groups, hidden, vocab, jnp.bfloat16)
    return prefill, (place(params, mesh, rule_of_columns(None, "heads")), place(
        spec((batch, tokens), jnp.int32), mesh, lambda *_: P("rows"))), ()
