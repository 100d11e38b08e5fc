"""examples/text.lua with Keras: the same weights, batches and settings."""

import keras
from common import Embedding, compare
from keras import layers


def make_model(run, _arguments):
    letters = run.weights["embedding/embeddings"].shape[0]
    model = keras.Sequential([
        keras.Input((40,), dtype="int32"),
        Embedding(letters, 24),
        layers.LSTM(96, return_sequences=True),
        layers.Dense(letters),
    ])
    model.compile(optimizer=keras.optimizers.Adam(5e-3, clipnorm=1), metrics=["accuracy"], jit_compile=False,
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


compare("text", make_model, ["2", "60000"])
