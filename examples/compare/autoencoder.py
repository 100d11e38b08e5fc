"""examples/autoencoder.lua with Keras: the same weights, batches and settings."""

import keras
from common import compare
from keras import layers


def make_model(_run, _arguments):
    image = keras.Input((784,))
    hidden = layers.Dense(128, activation="relu")(image)
    encoder = keras.Model(image, layers.Dense(16)(hidden))
    code = keras.Input((16,))
    hidden = layers.Dense(128, activation="relu")(code)
    decoder = keras.Model(code, layers.Dense(784, activation="sigmoid")(hidden))
    model = keras.Model(image, decoder(encoder(image)))
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["mse"], jit_compile=False)
    return model


compare("autoencoder", make_model, ["4", "4000"])
