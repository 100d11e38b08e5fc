"""The workloads in JAX: `peer_jax.py NAME PRECISION [SECONDS]` prints one JSON line with the median
milliseconds of a step.

Same model, data, batch and optimizer as ../workloads.lua; the step is one jitted function whose arguments are donated.
Master weights are float32; in bf16 products and activations are bfloat16.
"""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=true")

import functools

import jax
from common import HEADS, LAYERS, LENGTH, VOCABULARY, WIDTH, WIDTHS, arguments, dataset, measure
from jax import numpy

name, precision, seconds = arguments()
compute = numpy.bfloat16 if precision == "bf16" else numpy.float32
keys = iter(jax.random.split(jax.random.key(1), 200))


def matrix(*shape):
    inputs = functools.reduce(lambda a, b: a * b, shape[:-1])
    return jax.random.normal(next(keys), shape) / inputs ** 0.5


def dense_weights(inputs, outputs):
    return [matrix(inputs, outputs), numpy.zeros(outputs)]


def norm_weights():
    return [numpy.ones(WIDTH), numpy.zeros(WIDTH)]


def dense(x, weights):
    kernel, bias = weights
    return x.astype(compute) @ kernel.astype(compute) + bias.astype(compute)


def normalize(x, weights):
    x = x.astype(numpy.float32)
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * weights[0] + weights[1]


def convolve(x, weights):
    kernel, bias = weights
    x = jax.lax.conv_general_dilated(x.astype(compute), kernel.astype(compute), (1, 1), "SAME",
                                     dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias.astype(compute)
    x = jax.nn.relu(x)
    return jax.lax.reduce_window(x, -numpy.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def attend(x, block):
    batch, length, _ = x.shape
    parts = dense(x, block["heads"]).reshape(batch, length, 3, HEADS, WIDTH // HEADS)
    query, key, value = (parts[:, :, i] for i in range(3))
    mixed = jax.nn.dot_product_attention(query, key, value, is_causal=True)
    return dense(mixed.reshape(batch, length, WIDTH), block["project"])


def decode(weights, x):
    x = weights["tokens"][x] + weights["places"]
    for block in weights["blocks"]:
        x = x + attend(normalize(x, block["first"]), block)
        y = jax.nn.gelu(dense(normalize(x, block["second"]), block["widen"]), approximate=False)
        x = x + dense(y, block["narrow"])
    return dense(normalize(x, weights["last"]), weights["logits"])


def new_weights():
    if name == "w4":
        blocks = [{"first": norm_weights(), "second": norm_weights(), "heads": dense_weights(WIDTH, 3 * WIDTH),
                   "project": dense_weights(WIDTH, WIDTH), "widen": dense_weights(WIDTH, 4 * WIDTH),
                   "narrow": dense_weights(4 * WIDTH, WIDTH)} for _ in range(LAYERS)]
        return {"tokens": matrix(VOCABULARY, WIDTH), "places": matrix(LENGTH, WIDTH), "blocks": blocks,
                "last": norm_weights(), "logits": dense_weights(WIDTH, VOCABULARY)}
    if name in WIDTHS:
        sizes = [784, *WIDTHS[name], 10]
        return [dense_weights(*pair) for pair in zip(sizes, sizes[1:])]
    return [[matrix(3, 3, 1, 32), numpy.zeros(32)], [matrix(3, 3, 32, 64), numpy.zeros(64)], dense_weights(3136, 128),
            dense_weights(128, 10)]


def predict(weights, x):
    if name == "w4":
        return decode(weights, x)
    if name not in WIDTHS:
        x = convolve(convolve(x, weights[0]), weights[1]).reshape(len(x), 3136)
        weights = weights[2:]
    for one in weights[:-1]:
        x = jax.nn.relu(dense(x, one))
    return dense(x, weights[-1])


def loss_of(weights, x, y):
    logits = jax.nn.log_softmax(predict(weights, x).astype(numpy.float32))
    return -numpy.take_along_axis(logits, y[..., None], -1).mean()


@functools.partial(jax.jit, donate_argnums=(0, 1, 2))
def train(weights, first, second, count, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
    count = count + 1
    rate = 1e-3 * numpy.sqrt(1 - 0.999 ** count) / (1 - 0.9 ** count)
    decay = 1e-3 * 0.01 if name == "w4" else 0.0
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    weights = jax.tree.map(lambda w, m, v: w - decay * w - rate * m / (numpy.sqrt(v) + 1e-8), weights, first, second)
    return weights, first, second, count, loss


x, y = dataset(name)
weights = new_weights()
state = [weights, jax.tree.map(numpy.zeros_like, weights), jax.tree.map(numpy.zeros_like, weights), numpy.float32(0)]


def step(rows):
    *state[:], loss = train(*state, x[rows], y[rows])
    loss.block_until_ready()


measure("jax " + jax.__version__, name, precision, seconds, step, len(x))
