"""The workloads in TensorFlow: `peer_tensorflow.py NAME PRECISION [SECONDS]` prints one JSON line with the median
milliseconds of a step.

Same model, data, batch and optimizer as ../workloads.lua: Keras' layers and optimizers, the step a tf.function.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import tensorflow
from common import arguments, dataset, measure
from models_keras import make_loss, make_model, make_optimizer

name, precision, seconds = arguments()
tensorflow.config.threading.set_intra_op_parallelism_threads(2)
tensorflow.config.threading.set_inter_op_parallelism_threads(2)
keras.utils.set_random_seed(1)
keras.mixed_precision.set_global_policy("mixed_bfloat16" if precision == "bf16" else "float32")
model, optimizer, loss_of = make_model(name), make_optimizer(name), make_loss(name)
optimizer.build(model.trainable_variables)
x, y = dataset(name)


@tensorflow.function
def train(images, labels):
    with tensorflow.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
    return loss


def step(rows):
    return train(tensorflow.constant(x[rows]), tensorflow.constant(y[rows])).numpy()


measure("tensorflow " + tensorflow.__version__, name, precision, seconds, step, len(x),
        sum(one.shape.num_elements() for one in model.trainable_variables))
