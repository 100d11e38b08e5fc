"""Sequence to sequence with attention: dates as people write them become dates as computers do, letter by letter. The
port is translation.lua.

    python examples/from_keras/translation.py [folder=build/from_keras] [seed=1] [epochs=8]
"""
import sys

import keras
import numpy as np
from keras import layers

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 8
keras.utils.set_random_seed(seed)

# Letters are numbered from 1; 0 stands for none, behind a text and before the first letter of an answer.
FROM, TO, UNITS = 18, 10, 48
LETTERS, DIGITS = " ,.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "-0123456789"


def encode(text, letters, length):
    return [letters.index(letter) + 1 for letter in text] + [0] * (length - len(text))


rows = [line.strip().split(";") for line in open(folder + "/dates.csv")][1:]
texts, answers = zip(*rows)
x = np.array([encode(text, LETTERS, FROM) for text in texts], "int32")
y = np.array([encode(iso, DIGITS, TO) for iso in answers], "int32")
count = len(x) * 4 // 5
before = np.pad(y[:, :-1], [(0, 0), (1, 0)])  # each letter's predecessor

read = keras.Input((FROM,), dtype="int32")
h = layers.Embedding(len(LETTERS) + 1, 24, mask_zero=True)(read)
encoded, state = layers.GRU(UNITS, return_sequences=True, return_state=True)(h)
written = keras.Input((TO,), dtype="int32")
h = layers.Embedding(len(DIGITS) + 1, 24)(written)
h = layers.GRU(UNITS, return_sequences=True)(h, initial_state=state)
looked_up = layers.Attention()([h, encoded])
h = layers.Concatenate()([h, looked_up])
h = layers.Dense(UNITS, activation="tanh")(h)
model = keras.Model([read, written], layers.Dense(len(DIGITS) + 1)(h))
model.summary()

model.compile(optimizer=keras.optimizers.Adam(5e-3), metrics=["accuracy"],
              loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit([x[:count], before[:count]], y[:count], batch_size=64, epochs=epochs, verbose=2)

# Writes the likeliest letter, reads it, and writes the next.
test = x[count:]
told = np.zeros((len(test), TO), "int32")
for i in range(TO):
    behind = np.pad(told[:, :-1], [(0, 0), (1, 0)])
    told[:, i] = np.argmax(model.predict_on_batch([test, behind])[:, i], axis=-1)
print("whole dates: %.4f" % np.mean((told == y[count:]).all(axis=1)))
for i in range(4):
    letters = "".join(DIGITS[code - 1] if code else " " for code in told[i])
    print("%-18s %s (%s)" % (texts[count + i], letters, answers[count + i]))
