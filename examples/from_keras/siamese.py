"""A siamese network: whether two pictures show the same digit, by how far apart one network puts them. The port is
siamese.lua.

    python examples/from_keras/siamese.py [folder=build/from_keras] [seed=1] [epochs=6]
"""
import sys

import keras
import numpy as np
from keras import layers, ops

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 6
keras.utils.set_random_seed(seed)

digits = np.load(folder + "/digits.npz")
images, labels = digits["x"].astype("float32") / 255, digits["y"].astype(int)


def make_pairs(first, last):
    """Two pairs for each picture: with one of the same digit and with another one."""
    by_digit = [[i for i in range(first, last) if labels[i] == digit] for digit in range(10)]
    left, right, same = [], [], []
    for i in range(first, last):
        for shift in (0, 1 + i % 9):
            others = by_digit[(labels[i] + shift) % 10]
            left.append(i)
            right.append(others[(i * 7 + 3) % len(others)])
            same.append([float(shift == 0)])
    return [images[left], images[right]], np.array(same, "float32")


count = len(labels) * 2 // 3
x_train, y_train = make_pairs(0, count)
x_test, y_test = make_pairs(count, len(labels))

tower = keras.Sequential([
    keras.Input((28, 28)),
    layers.Reshape((28, 28, 1)),
    layers.Conv2D(8, 5, strides=2, activation="relu"),
    layers.Conv2D(16, 3, strides=2, activation="relu"),
    layers.Flatten(),
    layers.Dense(16),
], name="tower")

left, right = keras.Input((28, 28)), keras.Input((28, 28))
distance = layers.Lambda(lambda both: ops.sqrt(ops.maximum(
    ops.sum(ops.square(both[0] - both[1]), axis=1, keepdims=True), 1e-7)))([tower(left), tower(right)])
model = keras.Model([left, right], distance)
model.summary()


def contrastive_loss(y_true, y_pred):
    """Pairs of the same digit are drawn together, others pushed apart to a distance of 1."""
    return ops.mean(y_true * ops.square(y_pred) + (1 - y_true) * ops.square(ops.maximum(1 - y_pred, 0)), axis=-1)


def told_right(y_true, y_pred):
    return ops.mean(ops.cast(ops.equal(ops.cast(y_pred < 0.5, "float32"), y_true), "float32"), axis=-1)


model.compile(optimizer=keras.optimizers.Adam(2e-3), loss=contrastive_loss, metrics=[told_right])
model.fit(x_train, y_train, batch_size=32, epochs=epochs, verbose=2)
result = model.evaluate(x_test, y_test, verbose=0, return_dict=True)
print("test loss: %.4f, accuracy: %.4f" % (result["loss"], result["told_right"]))
