"""Object detection: a head that tells for each cell of a grid whether a shape has its middle there, which one it is and
how large. The port is detection.lua.

    python examples/from_keras/detection.py [folder=build/from_keras] [seed=1] [epochs=20]
"""
import sys

import keras
import numpy as np
from keras import layers, ops

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 20
keras.utils.set_random_seed(seed)

GRID = 4
scenes = np.load(folder + "/scenes.npz")
x = scenes["pictures"].astype("float32") / 255

# For each cell: whether a shape is there, its class, its middle within the cell, its height and width.
y = np.zeros((len(x), GRID, GRID, 6), "float32")
for i, (shapes, classes) in enumerate(zip(scenes["boxes"], scenes["classes"])):
    for box, kind in zip(shapes, classes):
        row, column = int(box[0] * GRID), int(box[1] * GRID)
        if kind > 0:
            y[i, row, column] = [1, kind - 1, box[0] * GRID - row, box[1] * GRID - column, box[2], box[3]]
count = len(x) * 4 // 5

model = keras.Sequential([
    keras.Input((32, 32, 1)),
    layers.Conv2D(16, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(24, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(32, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(48, 3, padding="same", activation="relu"),
    layers.Conv2D(6, 1),
])
model.summary()


def parts(t):
    """Parts of what the head gives: logits of "a shape" and of its class, and the box."""
    return t[..., 0], t[..., 1], t[..., 2:]


def crossentropy(labels, logits):
    return ops.softplus(logits) - labels * logits


def detection_loss(y_true, y_pred):
    there, kind, box = parts(y_true)
    there_pred, kind_pred, box_pred = parts(y_pred)
    off = ops.sum(ops.square(box - ops.sigmoid(box_pred)), axis=-1)
    each = crossentropy(there, there_pred) + there * (crossentropy(kind, kind_pred) + 10 * off)
    return ops.sum(each, axis=(1, 2))


model.compile(optimizer=keras.optimizers.Adam(3e-3), loss=detection_loss)
model.fit(x[:count], y[:count], batch_size=8, epochs=epochs, verbose=2)

# A shape is found where its cell says so, with the right class and a box that overlaps by more than half.
there, kind, box = parts(y[count:])
there_pred, kind_pred, box_pred = parts(model.predict(x[count:], verbose=0))
box_pred = 1 / (1 + np.exp(-box_pred))


def corners(b):
    middle, size = b[..., :2] / GRID, b[..., 2:]
    return middle - size / 2, middle + size / 2, np.prod(size, axis=-1)


low, high, area = corners(box)
low_pred, high_pred, area_pred = corners(box_pred)
both = np.prod(np.maximum(np.minimum(high, high_pred) - np.maximum(low, low_pred), 0), axis=-1)
overlap = both / (area + area_pred - both)
found = np.sum((there > 0) & (there_pred > 0) & ((kind_pred > 0) == kind) & (overlap > 0.5))
print("found: %.4f, of those told: %.4f" % (found / there.sum(), found / max(1, np.sum(there_pred > 0))))
