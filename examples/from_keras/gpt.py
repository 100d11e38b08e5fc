"""A small GPT: attention to what came before, a text learned character by character, and sentences of its own. The port
is gpt.lua.

    python examples/from_keras/gpt.py [folder=build/from_keras] [seed=1] [epochs=6]
"""
import math
import sys

import keras
import numpy as np
from keras import layers, ops

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 6
keras.utils.set_random_seed(seed)

LENGTH, WIDTH, HEADS, BLOCKS = 48, 32, 4, 2
text = open(folder + "/story.txt").read()

# Characters by their numbers, and numbers by their characters.
characters = sorted(set(text))
numbers = {character: i for i, character in enumerate(characters)}


def windows(part):
    """Windows of the text; the target of each character is the one behind it."""
    codes = np.array([numbers[character] for character in part], "int32")
    count = (len(codes) - 1) // LENGTH
    return codes[:count * LENGTH].reshape(count, LENGTH), codes[1:count * LENGTH + 1].reshape(count, LENGTH)


cut = len(text) * 9 // 10
x_train, y_train = windows(text[:cut])
x_test, y_test = windows(text[cut:])


class PositionEmbedding(layers.Layer):
    def build(self, shape):
        self.places = self.add_weight(shape=(LENGTH, WIDTH), initializer="glorot_uniform", name="places")

    def call(self, x):
        return ops.broadcast_to(self.places, ops.shape(x))


inputs = keras.Input((LENGTH,), dtype="int32")
x = layers.Embedding(len(characters), WIDTH)(inputs)
x = x + PositionEmbedding()(x)
for _ in range(BLOCKS):
    h = layers.LayerNormalization()(x)
    x = x + layers.MultiHeadAttention(HEADS, WIDTH // HEADS)(h, h, use_causal_mask=True)
    h = layers.LayerNormalization()(x)
    h = layers.Dense(4 * WIDTH, activation="gelu")(h)
    x = x + layers.Dense(WIDTH)(h)
x = layers.LayerNormalization()(x)
model = keras.Model(inputs, layers.Dense(len(characters))(x))
model.summary()

model.compile(optimizer=keras.optimizers.AdamW(learning_rate=3e-3, weight_decay=0.01),
              loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=16, epochs=epochs, verbose=2)
result = model.evaluate(x_test, y_test, verbose=0, return_dict=True)
print("test loss: %.4f, bits a character: %.4f" % (result["loss"], result["loss"] / math.log(2)))

# Writes on: the last LENGTH characters in, one of the likely ones out.
written = "\nthe sleepy horse "
for _ in range(80):
    last = written[-LENGTH:]
    codes = np.zeros((1, LENGTH), "int32")
    codes[0, :len(last)] = [numbers[character] for character in last]
    logits = model.predict_on_batch(codes)[:, len(last) - 1]
    drawn = keras.random.categorical(ops.convert_to_tensor(logits) / 0.7, 1)
    written += characters[int(drawn[0, 0])]
print(written)
