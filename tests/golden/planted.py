"""Writes a training step as JAX prints it, with a fault that was planted and without.

    python tests/golden/planted.py

Writes planted/NAME.mlir. Shapes alone are needed: nothing is computed.
"""
import pathlib

import jax
import jax.numpy as jnp

HERE = pathlib.Path(__file__).parent / "planted"

SIZES = (1024, 8192, 8192, 1024)
BATCH = 512


def shapes(dtype=jnp.float32):
    return [{"w": jax.ShapeDtypeStruct((a, b), dtype), "b": jax.ShapeDtypeStruct((b,), dtype)}
            for a, b in zip(SIZES, SIZES[1:])]


def forward(weights, x):
    for layer in weights[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ weights[-1]["w"] + weights[-1]["b"]


def adam(state, x, labels):
    weights, means, squares = state

    def loss(weights):
        logs = jax.nn.log_softmax(forward(weights, x))
        return -jnp.mean(jnp.take_along_axis(logs, labels[:, None], axis=1))
    value, gradients = jax.value_and_grad(loss)(weights)
    means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, gradients)
    squares = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, squares, gradients)
    weights = jax.tree.map(lambda w, m, v: w - 1e-3 * m / (jnp.sqrt(v) + 1e-8), weights, means, squares)
    return (weights, means, squares), value


def write(name, step, *arguments, **options):
    lowered = jax.jit(step, **options).trace(*arguments).lower(lowering_platforms=("tpu",))
    (HERE / f"{name}.mlir").write_text(lowered.as_text())


HERE.mkdir(exist_ok=True)
STATE = (shapes(), shapes(), shapes())
DATA = jax.ShapeDtypeStruct((BATCH, SIZES[0]), jnp.float32), jax.ShapeDtypeStruct((BATCH,), jnp.int32)
write("not_donated", adam, STATE, *DATA)
write("donated", adam, STATE, *DATA, donate_argnums=0)


# ---- what costs time: a step of gradient descent that has no fault, and with one each --------------------------------

def descend(weights, x, labels):
    def loss(weights):
        logs = jax.nn.log_softmax(forward(weights, x).astype(jnp.float32))
        return -jnp.mean(jnp.take_along_axis(logs, labels[:, None], axis=1))
    value, gradients = jax.value_and_grad(loss)(weights)
    return jax.tree.map(lambda w, g: w - (1e-3 * g).astype(w.dtype), weights, gradients), value


def descend_by_rows(weights, x, labels):
    """Labels are one-hot rows."""
    def loss(weights):
        logs = jax.nn.log_softmax(forward(weights, x).astype(jnp.float32))
        return -jnp.mean(jnp.sum(labels * logs, axis=1))
    value, gradients = jax.value_and_grad(loss)(weights)
    return jax.tree.map(lambda w, g: w - (1e-3 * g).astype(w.dtype), weights, gradients), value


def plant(name, sizes=(1024, 2048, 2048, 1024), batch=2048, dtype=jnp.bfloat16, step=descend, parts=1, labels=None,
          donated=(0,)):
    weights = [{"w": jax.ShapeDtypeStruct((a, b), dtype), "b": jax.ShapeDtypeStruct((b,), dtype)}
               for a, b in zip(sizes, sizes[1:])]
    data = [jax.ShapeDtypeStruct((batch, sizes[0]), dtype), labels or jax.ShapeDtypeStruct((batch,), jnp.int32)]
    options = {"donate_argnums": donated}
    if parts > 1:
        mesh = jax.sharding.AbstractMesh((parts,), ("data",))
        rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
        whole = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
        options |= {"in_shardings": (whole, rows, rows), "out_shardings": (whole, whole)}
    write(name, step, weights, *data, **options)


def turned(weights, x, labels):
    """A loop that keeps what it reads in the other order for the next turn."""
    def turn(state, _):
        kept, sums = state
        return (kept.T, sums + kept[0]), None
    (kept, sums), _ = jax.lax.scan(turn, (x, x[0]), None, length=16)
    return descend(weights, kept + sums, labels)


def kept(weights, x, labels):
    """The loop without a turn."""
    (_, sums), _ = jax.lax.scan(lambda state, _: ((state[0], state[1] + state[0][0]), None), (x, x[0]), None, length=16)
    return descend(weights, x + sums, labels)


def with_all(weights, x, labels):
    """All faults of a program on one device."""
    def turn(state, _):
        kept, sums = state
        return (kept.T, sums + kept[0]), None
    square = x.T @ x
    (kept, sums), _ = jax.lax.scan(turn, (square, square[0]), None, length=4)
    return descend_by_rows(weights, x + kept[0] + sums, labels)


plant("clean")
plant("odd_batch", batch=1030)
plant("mended_batch", batch=1152)
plant("odd_features", sizes=(1024, 2100, 2100, 1024))
plant("float32", sizes=(1024, 8192, 8192, 1024), batch=256, dtype=jnp.float32)
plant("mended_float32", sizes=(1024, 8192, 8192, 1024), batch=256)
plant("small", sizes=(256, 256, 256), batch=128)
plant("transposes", sizes=(2048, 2048, 2048), step=turned)
plant("mended_transposes", sizes=(2048, 2048, 2048), step=kept)
plant("one_hot", sizes=(256, 256, 16384), step=descend_by_rows,
      labels=jax.ShapeDtypeStruct((2048, 16384), jnp.float32))
plant("mended_one_hot", sizes=(256, 256, 16384),
      step=lambda weights, x, labels: descend_by_rows(weights, x, jax.nn.one_hot(labels, 16384)))
plant("replicas", sizes=(256, 256, 256), batch=1024, parts=64)
plant("mended_replicas", sizes=(256, 256, 256), batch=1024)
plant("all", sizes=(2048, 2100, 16384), batch=1030, dtype=jnp.float32, step=with_all, donated=(),
      labels=jax.ShapeDtypeStruct((1030, 16384), jnp.float32))
