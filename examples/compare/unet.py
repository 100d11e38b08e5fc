"""examples/unet.lua with Keras: the same weights, batches and settings; its training with the sparse loss."""

import keras
from common import compare
from keras import layers


def two_convolutions(x, filters):
    for _ in range(2):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return x


def up(x, skipped, filters):
    x = layers.Conv2DTranspose(filters, 2, strides=2, activation="relu")(x)
    return two_convolutions(layers.Concatenate()([x, skipped]), filters)


def make_model(_run, _arguments):
    inputs = keras.Input((28, 28, 1))
    first = two_convolutions(inputs, 8)
    second = two_convolutions(layers.MaxPooling2D(2)(first), 16)
    x = two_convolutions(layers.MaxPooling2D(2)(second), 32)
    x = up(x, second, 16)
    x = up(x, first, 8)
    model = keras.Model(inputs, layers.Conv2D(5, 1)(x))
    model.compile(optimizer=keras.optimizers.Adam(3e-3), metrics=["accuracy"], jit_compile=False,
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


compare("unet", make_model, ["2", "1000"])
