"""The workloads in JAX: `peer_jax.py NAME PRECISION [SECONDS]` prints one JSON line with the median milliseconds of a
step.

Same model, data, batch and optimizer as ../workloads.lua: Keras' layers and optimizers, the step one jitted function
whose arguments are donated.
"""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=true")
os.environ["KERAS_BACKEND"] = "jax"

import functools

import jax
import keras
from common import arguments, dataset, measure
from models_keras import make_loss, make_model, make_optimizer

name, precision, seconds = arguments()
keras.utils.set_random_seed(1)
keras.mixed_precision.set_global_policy("mixed_bfloat16" if precision == "bf16" else "float32")
model, optimizer, loss_of = make_model(name), make_optimizer(name), make_loss(name)
optimizer.build(model.trainable_variables)
x, y = dataset(name)


@functools.partial(jax.value_and_grad, has_aux=True)
def differentiate(weights, others, images, labels):
    outputs, others = model.stateless_call(weights, others, images, training=True)
    return loss_of(labels, outputs), others


@functools.partial(jax.jit, donate_argnums=(0, 1, 2))
def train(weights, others, moments, images, labels):
    (loss, others), gradients = differentiate(weights, others, images, labels)
    weights, moments = optimizer.stateless_apply(moments, gradients, weights)
    return weights, others, moments, loss


state = [[one.value for one in kind] for kind in (model.trainable_variables, model.non_trainable_variables,
                                                  optimizer.variables)]
parameters = sum(one.size for one in state[0])


def step(rows):
    *state[:], loss = train(*state, x[rows], y[rows])
    return loss.block_until_ready()


measure("jax " + jax.__version__, name, precision, seconds, step, len(x), parameters)
