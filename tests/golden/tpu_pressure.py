"""Programs that need more than a chip has by their plan, which the compiler may make fit by computing values again.

    pip install jax libtpu
    python tests/golden/tpu_pressure.py make tests/golden/tpu_programs [NAME=BATCH ...]
    python tests/golden/tpu_pressure.py ask v5e tests/golden/tpu_programs/pressure_*.mlir.gz

`make` writes the programs as StableHLO, `ask` prints what an installed compiler says: the bytes that it needs, and 1
where that fits. tpu_pressure.def has that beside what the plan said before. No TPU is needed, as in tpu_memory.py.
"""
import functools
import gzip
import os
import re
import sys

os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("ALLOW_MULTIPLE_LIBTPU_LOAD", "1")  # two of them may ask at a time

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def spec(*shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def train(loss, params, *data, adam=False):
    """A step of SGD, or of Adam, whose state is donated."""
    zeros = params if adam else ()

    def step(state, *data):
        weights, first, second = state
        value, slopes = jax.value_and_grad(loss)(weights, *data)
        if not adam:
            return (jax.tree.map(lambda w, g: w - 0.1 * g, weights, slopes), first, second), value
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, slopes)
        second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, second, slopes)
        weights = jax.tree.map(lambda w, m, v: w - 1e-3 * m / (jnp.sqrt(v) + 1e-8), weights, first, second)
        return (weights, first, second), value

    return step, ((params, zeros, zeros), *data)


def cross_entropy(logits, labels):
    logits = logits.astype(jnp.float32)
    return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0])


# ---- dense -----------------------------------------------------------------------------------------------------------


def mlp(batch, width=4096, depth=8, act=jax.nn.relu, dtype=jnp.bfloat16, adam=False):
    def loss(weights, x, y):
        for w in weights:
            x = act(x @ w.astype(dtype))
        return jnp.mean((x.astype(jnp.float32) - y) ** 2)

    return train(loss, [spec(width, width)] * depth, spec(batch, width, dtype=dtype), spec(batch, width), adam=adam)


def mixer(batch, tokens=196, width=512, depth=4):
    def loss(weights, x, y):
        for a, b, c, d in weights:
            t = jax.nn.gelu(jnp.einsum("bnc,nm->bmc", norm(x), a))
            x = x + jnp.einsum("bmc,mn->bnc", t, b)
            x = x + jax.nn.gelu(norm(x) @ c) @ d
        return cross_entropy(x.mean(1), y)

    layer = (spec(tokens, 384), spec(384, tokens), spec(width, 4 * width), spec(4 * width, width))
    return train(loss, [layer] * depth, spec(batch, tokens, width), spec(batch, dtype=jnp.int32))


# ---- attention -------------------------------------------------------------------------------------------------------


def norm(x):
    wide = x.astype(jnp.float32)
    wide = wide - wide.mean(-1, keepdims=True)
    return (wide * jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)).astype(x.dtype)


def block(weights, x, heads, causal):
    rows, tokens, width = x.shape
    wqkv, wo, w1, w2 = (w.astype(x.dtype) for w in weights)
    q, k, v = jnp.split((norm(x) @ wqkv).reshape(rows, tokens, heads, -1), 3, -1)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 8
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores.astype(jnp.float32)).astype(x.dtype), v)
    x = x + mixed.reshape(rows, tokens, width) @ wo
    return x + jax.nn.gelu(norm(x) @ w1) @ w2


def layer_specs(width):
    return spec(width, 3 * width), spec(width, width), spec(width, 4 * width), spec(4 * width, width)


def gpt(batch, depth=6, width=768, tokens=512, vocab=16384, again=False, scan=False, dtype=jnp.bfloat16, adam=True):
    layer = functools.partial(block, heads=width // 64, causal=True)
    layer = jax.checkpoint(layer) if again else layer

    def loss(weights, words, targets):
        x = weights["embed"].astype(dtype)[words]
        if scan:
            x, _ = jax.lax.scan(lambda x, w: (layer(w, x), None), x, weights["layers"])
        else:
            for w in weights["layers"]:
                x = layer(w, x)
        return cross_entropy(norm(x) @ weights["embed"].astype(dtype).T, targets)

    layers = [layer_specs(width)] * depth
    if scan:
        layers = jax.tree.map(lambda *s: spec(depth, *s[0].shape), *layers)
    words = spec(batch, tokens, dtype=jnp.int32)
    return train(loss, {"embed": spec(vocab, width), "layers": layers}, words, words, adam=adam)


def vit(batch, depth=6, width=384, dtype=jnp.bfloat16, again=False):
    layer = functools.partial(block, heads=width // 64, causal=False)
    layer = jax.checkpoint(layer) if again else layer

    def loss(weights, images, labels):
        patches = images.reshape(-1, 14, 16, 14, 16, 3).transpose(0, 1, 3, 2, 4, 5).reshape(-1, 196, 768)
        x = patches.astype(dtype) @ weights["patch"].astype(dtype)
        for w in weights["layers"]:
            x = layer(w, x)
        return cross_entropy(norm(x).mean(1) @ weights["head"].astype(dtype), labels)

    weights = {"patch": spec(768, width), "layers": [layer_specs(width)] * depth, "head": spec(width, 1000)}
    return train(loss, weights, spec(batch, 224, 224, 3), spec(batch, dtype=jnp.int32))


# ---- convolutions ----------------------------------------------------------------------------------------------------


def conv(x, w, stride=1):
    return jax.lax.conv_general_dilated(x, w.astype(x.dtype), (stride, stride), "SAME",
                                        dimension_numbers=("NHWC", "HWIO", "NHWC"))


def batch_norm(x):
    wide = x.astype(jnp.float32)
    mean = wide.mean((0, 1, 2))
    return ((wide - mean) * jax.lax.rsqrt(jnp.mean(wide * wide, (0, 1, 2)) - mean * mean + 1e-5)).astype(x.dtype)


def resnet(batch, stages=((64, 2), (128, 2), (256, 2)), size=224, dtype=jnp.bfloat16):
    def loss(weights, images, labels):
        x = jax.nn.relu(batch_norm(conv(images.astype(dtype), weights[0], 2)))
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        at = 1
        for stage, (width, depth) in enumerate(stages):
            for i in range(depth):
                a, b, c, short = weights[at]
                stride = 2 if stage and i == 0 else 1
                y = jax.nn.relu(batch_norm(conv(x, a)))
                y = jax.nn.relu(batch_norm(conv(y, b, stride)))
                x = x if short is None else batch_norm(conv(x, short, stride))
                x = jax.nn.relu(x + batch_norm(conv(y, c)))
                at += 1
        return cross_entropy(x.mean((1, 2)) @ weights[-1].astype(dtype), labels)

    weights, before = [spec(7, 7, 3, 64)], 64
    for width, depth in stages:
        for i in range(depth):
            weights.append((spec(1, 1, before, width), spec(3, 3, width, width), spec(1, 1, width, 4 * width),
                            spec(1, 1, before, 4 * width) if i == 0 else None))
            before = 4 * width
    weights.append(spec(before, 1000))
    return train(loss, weights, spec(batch, size, size, 3), spec(batch, dtype=jnp.int32))


def vgg(batch, widths=(64, 128, 256, 512), size=128, dtype=jnp.float32):
    def loss(weights, x, labels):
        for a, b in weights[:-1]:
            x = jax.nn.relu(conv(jax.nn.relu(conv(x, a)), b))
            x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return cross_entropy(x.mean((1, 2)) @ weights[-1], labels)

    inputs = (3,) + widths[:-1]
    weights = [(spec(3, 3, i, o), spec(3, 3, o, o)) for i, o in zip(inputs, widths)]
    return train(loss, [*weights, spec(widths[-1], 1000)], spec(batch, size, size, 3, dtype=dtype),
                 spec(batch, dtype=jnp.int32))


def unet(batch, widths=(32, 64, 128), size=256, dtype=jnp.bfloat16):
    def loss(weights, x, labels):
        down, up, last = weights
        skips, x = [], x.astype(dtype)
        for a, b in down:
            x = jax.nn.relu(conv(jax.nn.relu(conv(x, a)), b))
            skips.append(x)
            x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        for a, b in up:
            x = jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)
            x = jnp.concatenate([x, skips.pop()], -1)
            x = jax.nn.relu(conv(jax.nn.relu(conv(x, a)), b))
        return cross_entropy(conv(x, last), labels)

    inputs = (3,) + widths[:-1]
    down = [(spec(3, 3, i, o), spec(3, 3, o, o)) for i, o in zip(inputs, widths)]
    up, before = [], widths[-1]
    for o in reversed(widths):
        up.append((spec(3, 3, before + o, o), spec(3, 3, o, o)))
        before = o
    return train(loss, (down, up, spec(1, 1, before, 21)), spec(batch, size, size, 3),
                 spec(batch, size, size, dtype=jnp.int32))


# ---- loops and tables ------------------------------------------------------------------------------------------------


def lstm(batch, tokens=128, width=512, vocab=10000):
    def loss(weights, words, targets):
        def turn(state, x):
            h, c = state
            i, f, g, o = jnp.split(x + h @ weights["h"], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        x = weights["embed"][words].swapaxes(0, 1) @ weights["x"]
        zero = jnp.zeros((words.shape[0], width))
        _, hs = jax.lax.scan(turn, (zero, zero), x)
        return cross_entropy(hs @ weights["head"], targets.T)

    words = spec(batch, tokens, dtype=jnp.int32)
    weights = {"embed": spec(vocab, width), "x": spec(width, 4 * width), "h": spec(width, 4 * width),
               "head": spec(width, vocab)}
    return train(loss, weights, words, words)


def dlrm(batch, tables=8, rows=100000, width=64):
    def loss(weights, dense, ids, clicks):
        x = dense
        for w in weights["bottom"]:
            x = jax.nn.relu(x @ w)
        parts = jnp.stack([x] + [t[ids[:, i]] for i, t in enumerate(weights["tables"])], 1)
        pairs = jnp.einsum("bic,bjc->bij", parts, parts).reshape(dense.shape[0], -1)
        x = jnp.concatenate([x, pairs], -1)
        for w in weights["top"]:
            x = jax.nn.relu(x @ w)
        logit = x.sum(-1)
        return jnp.mean(jnp.logaddexp(0.0, logit) - clicks * logit)

    weights = {"bottom": [spec(13, 512), spec(512, 256), spec(256, width)],
               "tables": [spec(rows, width)] * tables,
               "top": [spec(width + (tables + 1) ** 2, 1024), spec(1024, 1024), spec(1024, 256)]}
    return train(loss, weights, spec(batch, 13), spec(batch, tables, dtype=jnp.int32), spec(batch))


# ---- inference -------------------------------------------------------------------------------------------------------


def forward(program, batch, **keywords):
    """The loss of a program alone."""
    step, ((weights, _, _), *data) = program(batch, **keywords)
    return lambda weights, *data: step((weights, (), ()), *data)[1], (weights, *data)


def gram(batch, width=64):
    """Two products with a matrix of the likeness of all rows."""
    def look(x, v):
        like = jnp.exp(x @ x.T)
        return like @ (like @ v)

    return look, (spec(batch, width), spec(batch, width))


PROGRAMS = {
    "mlp_relu": (mlp, 250000),
    "mlp_gelu": (functools.partial(mlp, act=jax.nn.gelu), 300000),
    "mlp_f32_adam": (functools.partial(mlp, dtype=jnp.float32, adam=True, depth=4, act=jnp.tanh), 200000),
    "mlp_wide": (functools.partial(mlp, width=16384, depth=2), 100000),
    "mixer": (mixer, 2000),
    "gpt": (gpt, 128),
    "gpt_over": (gpt, 220),
    "gpt_again": (functools.partial(gpt, again=True), 384),
    "gpt_scan": (functools.partial(gpt, scan=True), 64),
    "gpt_scan_again": (functools.partial(gpt, scan=True, again=True), 400),
    "gpt_f32_sgd": (functools.partial(gpt, dtype=jnp.float32, adam=False, width=512), 180),
    "gpt_long": (functools.partial(gpt, tokens=2048, depth=4, width=512), 48),
    "vit": (vit, 1500),
    "vit_over": (vit, 2800),
    "vit_again": (functools.partial(vit, again=True), 2048),
    "vit_wide": (functools.partial(vit, depth=4, width=1024), 900),
    "resnet": (resnet, 900),
    "resnet_over": (resnet, 2000),
    "resnet_f32": (functools.partial(resnet, dtype=jnp.float32), 700),
    "vgg": (vgg, 1024),
    "vgg_bf16": (functools.partial(vgg, dtype=jnp.bfloat16), 2048),
    "unet": (unet, 300),
    "unet_over": (unet, 700),
    "lstm": (lstm, 2500),
    "dlrm": (dlrm, 1000000),
    "dlrm_over": (dlrm, 2000000),
    "gram": (gram, 96000),
    "vgg_forward": (functools.partial(forward, vgg), 3000),
    "gpt_forward": (functools.partial(forward, gpt, adam=False), 1500),
}


def make(folder, batches):
    for name, (program, batch) in PROGRAMS.items():
        if batches and name not in batches:
            continue
        step, arguments = program(batches.get(name, batch))
        lowered = jax.jit(step, donate_argnums=0).trace(*arguments).lower(lowering_platforms=("tpu",))
        path = os.path.join(folder, "pressure_%s.mlir.gz" % name)
        with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
            packed.write(lowered.as_text().encode())


def ask(chip, paths):
    import tpu_memory
    from jax.experimental import topologies
    device = topologies.get_topology_desc(platform="tpu", topology_name=tpu_memory.TOPOLOGIES[chip]).devices[0]
    units = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            text = file.read()
        name = os.path.basename(path).split(".mlir")[0]
        try:
            stats = tpu_memory.ask(text, device)
            need, fits = (stats.argument_size_in_bytes + stats.output_size_in_bytes - stats.alias_size_in_bytes
                          + stats.temp_size_in_bytes), 1
        except Exception as error:
            used = re.search(r"(?:Used |temporaries \()([\d.]+)([KMGT]?)", str(error))
            if not used:
                print("%s on %s: %s" % (path, chip, str(error)[:300]), file=sys.stderr, flush=True)
                continue
            need, fits = int(float(used[1]) * units[used[2]]), 0
        print('ASKED("%s", "%s", %d, %d)' % (name, chip, need, fits), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], {name: int(batch) for name, batch in (word.split("=") for word in sys.argv[3:])})
    else:
        ask(sys.argv[2], sys.argv[3:])
