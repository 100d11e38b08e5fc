"""The workloads in TensorFlow: `peer_tensorflow.py NAME PRECISION [SECONDS]` prints one JSON line with the median
milliseconds of a step.

Same model, data, batch and optimizer as ../workloads.lua: Keras' layers and optimizers, the step a tf.function.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import tensorflow
from common import HEADS, LAYERS, LENGTH, VOCABULARY, WIDTH, WIDTHS, arguments, dataset, measure
from keras import layers

name, precision, seconds = arguments()
tensorflow.config.threading.set_intra_op_parallelism_threads(2)
tensorflow.config.threading.set_inter_op_parallelism_threads(2)
keras.utils.set_random_seed(1)
keras.mixed_precision.set_global_policy("mixed_bfloat16" if precision == "bf16" else "float32")


def decoder():
    inputs = keras.Input((LENGTH,), dtype="int32")
    places = layers.Embedding(LENGTH, WIDTH)(keras.ops.arange(LENGTH)[None])
    x = layers.Embedding(VOCABULARY, WIDTH)(inputs) + places
    for _ in range(LAYERS):
        y = layers.LayerNormalization()(x)
        y = layers.MultiHeadAttention(HEADS, WIDTH // HEADS)(y, y, use_causal_mask=True)
        x = x + y
        y = layers.Dense(4 * WIDTH, activation="gelu")(layers.LayerNormalization()(x))
        x = x + layers.Dense(WIDTH)(y)
    return keras.Model(inputs, layers.Dense(VOCABULARY, dtype="float32")(layers.LayerNormalization()(x)))


def make_model():
    if name == "w4":
        return decoder()
    if name in WIDTHS:
        hidden = [layers.Dense(width, activation="relu") for width in WIDTHS[name]]
        return keras.Sequential([keras.Input((784,)), *hidden, layers.Dense(10, dtype="float32")])
    return keras.Sequential([
        keras.Input((28, 28, 1)), layers.Conv2D(32, 3, padding="same", activation="relu"), layers.MaxPooling2D(),
        layers.Conv2D(64, 3, padding="same", activation="relu"), layers.MaxPooling2D(), layers.Flatten(),
        layers.Dense(128, activation="relu"), layers.Dense(10, dtype="float32")])


model = make_model()
optimizer = (keras.optimizers.AdamW if name == "w4" else keras.optimizers.Adam)(1e-3)
optimizer.build(model.trainable_variables)
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
x, y = dataset(name)


@tensorflow.function
def train(images, labels):
    with tensorflow.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
    return loss


def step(rows):
    train(tensorflow.constant(x[rows]), tensorflow.constant(y[rows])).numpy()


measure("tensorflow " + tensorflow.__version__, name, precision, seconds, step, len(x))
