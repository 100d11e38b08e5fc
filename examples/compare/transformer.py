"""examples/transformer.lua with Keras: the same weights, batches and settings."""

import keras
from common import Embedding, compare
from keras import layers

LENGTH, WIDTH, TOKENS = 16, 64, 11


class TokenAndPlace(layers.Layer):
    def __init__(self):
        super().__init__()
        self.tokens = Embedding(TOKENS, WIDTH)
        self.places = Embedding(LENGTH, WIDTH)

    def call(self, x):
        return self.tokens(x) + self.places(keras.ops.arange(LENGTH))


def block(x):
    y = layers.LayerNormalization()(x)
    y = layers.MultiHeadAttention(4, WIDTH // 4)(y, y, use_causal_mask=True)
    x = layers.Add()([x, y])
    y = layers.LayerNormalization()(x)
    y = layers.Dense(2 * WIDTH, activation="gelu")(y)
    return layers.Add()([x, layers.Dense(WIDTH)(y)])


def make_model(_run, _arguments):
    inputs = keras.Input((LENGTH,), dtype="int32")
    x = TokenAndPlace()(inputs)
    for _ in range(2):
        x = block(x)
    model = keras.Model(inputs, layers.Dense(TOKENS)(layers.LayerNormalization()(x)))
    model.compile(optimizer=keras.optimizers.Adam(2e-3), weighted_metrics=["accuracy"], jit_compile=False,
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


compare("transformer", make_model, ["3", "3200"])
