"""The fourth blind set: programs of JAX alone, on one device and divided. Each function returns a step, the shapes of
its arguments and which of these are donated."""
import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

KEY = jax.ShapeDtypeStruct((2,), jnp.uint32)
B16, F32, I32 = jnp.bfloat16, jnp.float32, jnp.int32


def spec(*shape, dtype=F32):
    return jax.ShapeDtypeStruct(shape, dtype)


def norm(x, w):
    y = x.astype(F32)
    mean = y.mean(-1, keepdims=True)
    y = (y - mean) * lax.rsqrt(jnp.square(y - mean).mean(-1, keepdims=True) + 1e-6)
    return (y * w).astype(x.dtype)


def cross_entropy(logits, labels):
    chances = jax.nn.log_softmax(logits.astype(F32))
    return -jnp.take_along_axis(chances, labels[..., None], -1).mean()


def adam(params):
    """The shapes of moments and a count."""
    return {"m": params, "v": params, "n": spec(dtype=I32)}


def adam_step(loss_fn, rate=1e-3, decay=0.01):
    def step(params, state, *data):
        loss, slopes = jax.value_and_grad(loss_fn)(params, *data)
        n = state["n"] + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], slopes)
        second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, state["v"], slopes)
        scale = rate * jnp.sqrt(1 - 0.99 ** n.astype(F32)) / (1 - 0.9 ** n.astype(F32))
        params = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + 1e-8) - rate * decay * p, params, first,
                              second)
        return params, {"m": first, "v": second, "n": n}, loss

    return step


def momentum_step(loss_fn, rate=0.1):
    def step(params, speed, *data):
        loss, slopes = jax.value_and_grad(loss_fn)(params, *data)
        speed = jax.tree.map(lambda s, g: 0.9 * s + g, speed, slopes)
        return jax.tree.map(lambda p, s: p - rate * s, params, speed), speed, loss

    return step


def layer_shapes(dim, wide, dtype=F32, layers=()):
    w = functools.partial(spec, *layers, dtype=dtype)
    return {"qkv": w(dim, 3, dim), "o": w(dim, dim), "up": w(dim, wide), "down": w(wide, dim), "n1": w(dim),
            "n2": w(dim)}


def attend(x, w, heads, mask=None):
    rows, tokens, dim = x.shape
    q, k, v = (y.reshape(rows, tokens, heads, dim // heads)
               for y in jnp.moveaxis(jnp.einsum("btd,dce->btce", x, w["qkv"]), 2, 0))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(F32) * (dim // heads) ** -0.5
    if mask is not None:
        scores = jnp.where(mask, scores, -1e9)
    y = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(x.dtype), v)
    return y.reshape(x.shape) @ w["o"]


def block(x, w, heads, mask=None):
    w = jax.tree.map(lambda a: a.astype(x.dtype), w)
    x = x + attend(norm(x, w["n1"]), w, heads, mask)
    return x + jax.nn.gelu(norm(x, w["n2"]) @ w["up"]) @ w["down"]


# ---- loops -----------------------------------------------------------------------------------------------------------


def states_by_chunks(batch=32, tokens=2048, chunk=128, layers=6, dim=1024, heads=8, vocab=32000):
    """A language model without softmax: each layer scans chunks with a matrix of state a head (RetNet); AdamW."""
    head = dim // heads
    fade = 1 - 2.0 ** (-5 - jnp.arange(heads, dtype=F32))

    def mix(x, w):
        parts = [jnp.einsum("btd,de->bte", x, w[n]).reshape(batch, tokens // chunk, chunk, heads, head) for n in "qkv"]
        parts = [jnp.moveaxis(p, 1, 0) for p in parts]
        at = jnp.arange(chunk)
        inner = jnp.where(at[:, None] >= at, fade[:, None, None] ** jnp.maximum(at[:, None] - at, 0), 0)
        into, out = fade[:, None] ** (chunk - 1 - at), fade[:, None] ** (at + 1)

        def turn(state, one):
            q, k, v = one
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(F32) * inner
            y = jnp.einsum("bhqk,bkhd->bqhd", scores.astype(v.dtype), v).astype(F32)
            y = y + jnp.einsum("bqhd,bhde,hq->bqhe", q.astype(F32), state, out)
            state = state * (fade ** chunk)[:, None, None] + jnp.einsum("bkhd,bkhe,hk->bhde", k.astype(F32),
                                                                        v.astype(F32), into)
            return state, y.astype(v.dtype)

        _, y = lax.scan(turn, jnp.zeros((batch, heads, head, head)), tuple(parts))
        y = jnp.moveaxis(y, 0, 1).reshape(x.shape)
        return (y * jax.nn.silu(x @ w["gate"])) @ w["o"]

    def loss_fn(params, ids):
        x = params["embed"].astype(B16)[ids[:, :-1]]
        for w in params["layers"]:
            w = jax.tree.map(lambda a: a.astype(B16), w)
            x = x + mix(norm(x, w["n1"]), w)
            x = x + jax.nn.gelu(norm(x, w["n2"]) @ w["up"]) @ w["down"]
        return cross_entropy(x @ params["embed"].astype(B16).T, ids[:, 1:])

    w = {**{n: spec(dim, dim) for n in ("q", "k", "v", "gate", "o")}, "up": spec(dim, 2 * dim),
         "down": spec(2 * dim, dim), "n1": spec(dim), "n2": spec(dim)}
    params = {"embed": spec(vocab, dim), "layers": [w] * layers}
    return adam_step(loss_fn), (params, adam(params), spec(batch, tokens + 1, dtype=I32)), (0, 1)


def poles_balanced(games=65536, steps=128, wide=256):
    """Policy gradients through a simulated cart and pole: a scan of 128 steps, its slopes by a scan back; Adam."""
    def loss_fn(params, start, key):
        def turn(carry, one):
            state, alive = carry
            h = jnp.tanh(state @ params["in"] + params["b"])
            logits = jnp.tanh(h @ params["mid"]) @ params["out"]
            chance = jax.nn.log_softmax(logits)
            action = jax.random.categorical(one, lax.stop_gradient(logits))
            x, dx, angle, spin = state.T
            force = jnp.where(action == 1, 10.0, -10.0)
            push = (force + 0.05 * spin ** 2 * jnp.sin(angle)) / 1.1
            turned = (9.8 * jnp.sin(angle) - jnp.cos(angle) * push) / (0.5 * (4 / 3 - 0.1 * jnp.cos(angle) ** 2 / 1.1))
            moved = push - 0.05 * turned * jnp.cos(angle) / 1.1
            state = jnp.stack([x + 0.02 * dx, dx + 0.02 * moved, angle + 0.02 * spin, spin + 0.02 * turned], -1)
            alive = alive * (jnp.abs(state[:, 0]) < 2.4) * (jnp.abs(state[:, 2]) < 0.2)
            return (lax.stop_gradient(state), alive), (jnp.take_along_axis(chance, action[:, None], 1)[:, 0], alive)

        _, (chances, alive) = lax.scan(turn, (start, jnp.ones(games)), jax.random.split(key, steps))
        to_go = jnp.flip(jnp.cumsum(jnp.flip(alive, 0), 0), 0)
        return -(chances * lax.stop_gradient(to_go - to_go.mean(1, keepdims=True)) * alive).mean()

    params = {"in": spec(4, wide), "b": spec(wide), "mid": spec(wide, wide), "out": spec(wide, 2)}
    return adam_step(loss_fn), (params, adam(params), spec(games, 4), KEY), (0, 1)


def windows_decode(batch=64, window=2048, steps=32, layers=8, dim=2048, heads=16, groups=2, wide=8192, vocab=32768):
    """A decoder with a ring of the last 2,048 keys and values a layer, all layers in one array, donated."""
    head = dim // heads

    def token(params, rings, ids, pos):
        x, slot = params["embed"][ids], pos % window
        keys, values = rings
        for n, w in enumerate(params["layers"]):
            h = norm(x, w["n1"])
            k, v = ((h @ w[m]).reshape(batch, 1, groups, head) for m in "kv")
            keys = lax.dynamic_update_slice(keys, k[None], (n, 0, slot, 0, 0))
            values = lax.dynamic_update_slice(values, v[None], (n, 0, slot, 0, 0))
            q = (h @ w["q"]).reshape(batch, groups, heads // groups, head)
            s = jnp.einsum("bgmd,btgd->bgmt", q, keys[n]).astype(F32) * head ** -0.5
            s = jnp.where(jnp.arange(window) <= pos, s, -1e9)
            y = jnp.einsum("bgmt,btgd->bgmd", jax.nn.softmax(s).astype(x.dtype), values[n])
            x = x + y.reshape(batch, dim) @ w["o"]
            x = x + jnp.square(jax.nn.relu(norm(x, w["n2"]) @ w["up"])) @ w["down"]
        return (keys, values), x @ params["head"]

    def generate(params, rings, ids, start, key):
        def turn(i, carry):
            rings, ids, out = carry
            rings, logits = token(params, rings, ids, start + i)
            ids = jax.random.categorical(jax.random.fold_in(key, i), logits.astype(F32) / 0.8).astype(I32)
            return rings, ids, out.at[i].set(ids)

        rings, _, out = lax.fori_loop(0, steps, turn, (rings, ids, jnp.zeros((steps, batch), I32)))
        return rings, out

    w = functools.partial(spec, dtype=B16)
    layer = {"q": w(dim, dim), "k": w(dim, groups * head), "v": w(dim, groups * head), "o": w(dim, dim),
             "up": w(dim, wide), "down": w(wide, dim), "n1": w(dim), "n2": w(dim)}
    params = {"embed": w(vocab, dim), "head": w(dim, vocab), "layers": [layer] * layers}
    rings = (w(layers, batch, window, groups, head),) * 2
    return generate, (params, rings, spec(batch, dtype=I32), spec(dtype=I32), KEY), (1,)


def products_kept(batch=64, tokens=1024, layers=12, dim=1024, heads=16, vocab=50257):
    """A GPT whose scanned layers are computed again but for products without a batch; AdamW."""
    def loss_fn(params, ids):
        x = params["embed"].astype(B16)[ids[:, :-1]] + params["places"].astype(B16)
        seen = jnp.tril(jnp.ones((tokens, tokens), bool))
        policy = jax.checkpoint_policies.dots_with_no_batch_dims_saveable
        body = jax.checkpoint(lambda x, w: (block(x, w, heads, seen), None), policy=policy)
        x, _ = lax.scan(body, x, params["layers"])
        return cross_entropy(x @ params["embed"].astype(B16).T, ids[:, 1:])

    params = {"embed": spec(vocab, dim), "places": spec(tokens, dim),
              "layers": layer_shapes(dim, 4 * dim, layers=(layers,))}
    return adam_step(loss_fn), (params, adam(params), spec(batch, tokens + 1, dtype=I32)), (0, 1)


# ---- divided ---------------------------------------------------------------------------------------------------------


def placed(tree, mesh, where):
    return jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, where(x))), tree)


def words_of(params, ids, heads, mask=None):
    x = params["embed"].astype(B16)[ids]
    for w in params["layers"]:
        x = block(x, w, heads, mask)
    return x


def masked_words_8(batch=512, tokens=512, layers=8, dim=1024, heads=16, vocab=30522):
    """An encoder over eight devices: weights, moments and texts are all divided; Adam."""
    mesh = AbstractMesh((8,), ("all",))

    def loss_fn(params, ids, labels):
        return cross_entropy(words_of(params, ids, heads) @ params["embed"].astype(B16).T, labels)

    def where(x):
        largest = max(range(len(x.shape)), key=lambda n: x.shape[n]) if x.shape else None
        return P(*("all" if n == largest else None for n in range(len(x.shape))))

    params = {"embed": spec(vocab + 6, dim), "layers": [layer_shapes(dim, 4 * dim)] * layers}
    data = placed(spec(batch, tokens, dtype=I32), mesh, lambda _: P("all"))
    return adam_step(loss_fn), (placed(params, mesh, where), placed(adam(params), mesh, where), data, data), (0, 1)


def heads_divided_2x4(batch=128, tokens=1024, layers=6, dim=2048, heads=32, vocab=32000):
    """A GPT over two times four devices: texts by two, heads and hidden units by four; SGD with momentum."""
    mesh = AbstractMesh((2, 4), ("rows", "units"))

    def loss_fn(params, ids):
        seen = jnp.tril(jnp.ones((tokens, tokens), bool))
        return cross_entropy(words_of(params, ids[:, :-1], heads, seen) @ params["head"].astype(B16), ids[:, 1:])

    layer = layer_shapes(dim, 4 * dim)
    cut = {"qkv": P(None, None, "units"), "o": P("units"), "up": P(None, "units"), "down": P("units"), "n1": P(),
           "n2": P()}
    put = lambda x, where: placed(x, mesh, lambda _: where)
    params = {"embed": put(spec(vocab, dim), P("units")), "head": put(spec(dim, vocab), P(None, "units")),
              "layers": [{n: put(layer[n], cut[n]) for n in layer}] * layers}
    return momentum_step(loss_fn), (params, params, put(spec(batch, tokens + 1, dtype=I32), P("rows"))), (0, 1)


def nets_by_hand_4(batch=32768, inputs=4096, wide=8192, layers=4, classes=1000):
    """shard_map over four devices: weights are gathered layer by layer, and slopes are scattered to their owners."""
    mesh = AbstractMesh((4,), ("d",))

    def part(params, x, labels):
        def loss_fn(params):
            h = x
            for w in params:
                h = h @ lax.all_gather(w, "d", tiled=True).astype(B16)
                h = jax.nn.silu(h) if w is not params[-1] else h
            return cross_entropy(h, labels)

        loss, slopes = jax.value_and_grad(loss_fn)(params)
        return [w - 0.01 * g for w, g in zip(params, slopes)], lax.pmean(loss, "d")

    widths = [inputs] + [wide] * layers + [classes + 24]
    params = [placed(spec(a, b), mesh, lambda _: P("d")) for a, b in zip(widths, widths[1:])]
    step = jax.shard_map(part, mesh=mesh, in_specs=(P("d"), P("d"), P("d")), out_specs=(P("d"), P()), check_vma=False)
    return step, (params, placed(spec(batch, inputs, dtype=B16), mesh, lambda _: P("d")),
                  placed(spec(batch, dtype=I32), mesh, lambda _: P("d"))), (0,)


# ---- looking ---------------------------------------------------------------------------------------------------------


def answers_ranked(batch=256, tokens=384, layers=8, dim=768, heads=12, vocab=30522):
    """How well answers go with questions: an encoder of pairs in bfloat16 with masks of padding, mean of both parts."""
    def rank(params, ids, parts, lengths):
        here = jnp.arange(tokens)[None] < lengths[:, None]
        x = params["embed"][ids] + params["parts"][parts] + params["places"]
        for w in params["layers"]:
            x = block(x, w, heads, here[:, None, None])
        means = [(x * (here & (parts == n))[..., None]).sum(1) / tokens for n in (0, 1)]
        return jax.nn.sigmoid((jnp.concatenate(means, -1) @ params["out"]).astype(F32))[:, 0]

    w = functools.partial(spec, dtype=B16)
    params = {"embed": w(vocab, dim), "parts": w(2, dim), "places": w(tokens, dim), "out": w(2 * dim, 1),
              "layers": [layer_shapes(dim, 4 * dim, B16)] * layers}
    ids = spec(batch, tokens, dtype=I32)
    return rank, (params, ids, ids, spec(batch, dtype=I32)), ()


def convolve(x, w, stride=1, **more):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), **more)


def pictures_enlarged(batch=16, size=256, blocks=8, width=64):
    """Pictures of four times the size by residual convolutions and two shuffles of channels to pixels (EDSR)."""
    def shuffle(x):
        n, h, w, c = x.shape
        return x.reshape(n, h, w, 2, 2, c // 4).transpose(0, 1, 3, 2, 4, 5).reshape(n, 2 * h, 2 * w, c // 4)

    def enlarge(params, pictures):
        first = x = convolve(pictures.astype(F32) / 255 - 0.5, params["in"])
        for a, b in params["blocks"]:
            x = x + 0.1 * convolve(jax.nn.relu(convolve(x, a)), b)
        x = first + convolve(x, params["mid"])
        for w in params["larger"]:
            x = shuffle(convolve(x, w))
        x = convolve(x, params["out"])
        return (jnp.clip(x + 0.5, 0, 1) * 255).astype(jnp.uint8)

    w = lambda i, o: spec(3, 3, i, o)
    params = {"in": w(3, width), "blocks": [(w(width, width), w(width, width))] * blocks, "mid": w(width, width),
              "larger": [w(width, 4 * width)] * 2, "out": w(width, 3)}
    return enlarge, (params, spec(batch, size, size, 3, dtype=jnp.uint8)), ()


def neighbours_found(queries=4096, rows=1000000, dim=256, count=20):
    """The twenty nearest of a million rows, by products and lengths, for each query."""
    def find(table, lengths, queries):
        far = lengths[None] - 2 * jnp.einsum("qd,nd->qn", queries, table)
        near, at = lax.top_k(-far, count)
        return table[at], -near, at

    return find, (spec(rows, dim), spec(rows), spec(queries, dim)), ()


# ---- training --------------------------------------------------------------------------------------------------------


def sentences_paired(batch=1024, tokens=64, layers=6, dim=768, heads=12, vocab=30522):
    """Two texts of a pair shall be near each other and far from all others of the batch; AdamW."""
    def loss_fn(params, one, other):
        def embedded(ids):
            y = words_of(params, ids, heads, (ids != 0)[:, None, None]).astype(F32).mean(1)
            return y * lax.rsqrt(jnp.square(y).sum(-1, keepdims=True) + 1e-6)

        scores = embedded(one) @ embedded(other).T * 20
        at = jnp.arange(batch)
        return cross_entropy(scores, at) + cross_entropy(scores.T, at)

    params = {"embed": spec(vocab, dim), "layers": [layer_shapes(dim, 4 * dim)] * layers}
    ids = spec(batch, tokens, dtype=I32)
    return adam_step(loss_fn), (params, adam(params), ids, ids), (0, 1)


def papers_sorted(papers=400000, links=4000000, inputs=256, wide=256, classes=40):
    """Three graph convolutions: rows of neighbours are looked up and added, scaled by degrees; Adam."""
    def loss_fn(params, x, of, to, scale, labels):
        for n, w in enumerate(params):
            x = jax.ops.segment_sum((x @ w)[of] * scale[:, None], to, papers)
            x = jax.nn.relu(x) if n < 2 else x
        return cross_entropy(x, labels)

    params = [spec(inputs, wide), spec(wide, wide), spec(wide, classes)]
    at = spec(links, dtype=I32)
    return adam_step(loss_fn), (params, adam(params), spec(papers, inputs), at, at, spec(links),
                                spec(papers, dtype=I32)), (0, 1)


def patches_mixed(batch=512, size=224, patch=16, layers=8, dim=768, classes=1000):
    """An MLP-Mixer in bfloat16: products over patches, then over channels; SGD with momentum."""
    places = (size // patch) ** 2

    def loss_fn(params, pictures, labels):
        x = pictures.astype(B16).reshape(batch, size // patch, patch, size // patch, patch, 3) / 255
        x = x.transpose(0, 1, 3, 2, 4, 5).reshape(batch, places, -1) @ params["in"].astype(B16)
        for w in params["layers"]:
            w = jax.tree.map(lambda a: a.astype(B16), w)
            h = norm(x, w["n1"]).transpose(0, 2, 1)
            x = x + (jax.nn.gelu(h @ w["a"]) @ w["b"]).transpose(0, 2, 1)
            x = x + jax.nn.gelu(norm(x, w["n2"]) @ w["c"]) @ w["d"]
        return cross_entropy(x.mean(1) @ params["out"].astype(B16), labels)

    layer = {"a": spec(places, 384), "b": spec(384, places), "c": spec(dim, 4 * dim), "d": spec(4 * dim, dim),
             "n1": spec(dim), "n2": spec(dim)}
    params = {"in": spec(patch * patch * 3, dim), "layers": [layer] * layers, "out": spec(dim, classes)}
    return momentum_step(loss_fn), (params, params, spec(batch, size, size, 3, dtype=jnp.uint8),
                                    spec(batch, dtype=I32)), (0, 1)


def fields_outlined(batch=64, size=256, widths=(32, 64, 128, 256)):
    """A U-Net with batch norms and transposed convolutions in float32, two classes a pixel; Adam."""
    def normed(x, w):
        mean = x.mean((0, 1, 2))
        return jax.nn.relu((x - mean) * lax.rsqrt(jnp.square(x - mean).mean((0, 1, 2)) + 1e-5) * w[0] + w[1])

    def twice(x, w):
        return normed(convolve(normed(convolve(x, w[0]), w[1]), w[2]), w[3])

    def loss_fn(params, x, labels):
        skips = []
        for w in params["down"]:
            x = twice(x, w)
            skips.append(x)
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = twice(x, params["mid"])
        for (up, w), skip in zip(params["up"], skips[::-1]):
            x = lax.conv_transpose(x, up, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = twice(jnp.concatenate([x, skip], -1), w)
        return cross_entropy(convolve(x, params["out"]), labels)

    def pair(i, o):
        return spec(3, 3, i, o), (spec(o), spec(o)), spec(3, 3, o, o), (spec(o), spec(o))

    ins = (3,) + widths
    params = {"down": [pair(a, b) for a, b in zip(ins, widths)], "mid": pair(widths[-1], 2 * widths[-1]),
              "up": [(spec(2, 2, 2 * b, b), pair(2 * b, b)) for b in widths[::-1]], "out": spec(1, 1, widths[0], 2)}
    return adam_step(loss_fn), (params, adam(params), spec(batch, size, size, 3),
                                spec(batch, size, size, dtype=I32)), (0, 1)
