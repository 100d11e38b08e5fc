"""examples/custom_loop.lua with Keras: the same weights, batches and settings."""

import keras
from common import compare
from keras import layers


def make_model(_run, _arguments):
    model = keras.Sequential([
        keras.Input((784,)),
        layers.Dense(128, activation="relu"),
        layers.Dense(64, activation="relu"),
        layers.Dense(10),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), metrics=["accuracy"], jit_compile=False,
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


compare("custom_loop", make_model, ["3", "12800"])
