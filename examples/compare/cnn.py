"""examples/cnn.lua with Keras: the same weights, batches and settings."""

import keras
from common import compare
from keras import layers


def make_model(_run, _arguments):
    model = keras.Sequential([
        keras.Input((28, 28, 1)),
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPooling2D(2),
        layers.Conv2D(64, 3, activation="relu"),
        layers.MaxPooling2D(2),
        layers.Flatten(),
        layers.Dense(128, activation="relu"),
        layers.Dense(10),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), metrics=["accuracy"], jit_compile=False,
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


compare("cnn", make_model, ["2", "2000"])
