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


def write(name, **options):
    arguments = ((shapes(), shapes(), shapes()), jax.ShapeDtypeStruct((BATCH, SIZES[0]), jnp.float32),
                 jax.ShapeDtypeStruct((BATCH,), jnp.int32))
    lowered = jax.jit(adam, **options).trace(*arguments).lower(lowering_platforms=("tpu",))
    (HERE / f"{name}.mlir").write_text(lowered.as_text())


HERE.mkdir(exist_ok=True)
write("not_donated")
write("donated", donate_argnums=0)
