"""Prices of houses: normalized columns, a metric of one's own, early stopping. The port is tabular.lua.

    python examples/from_keras/tabular.py [folder=build/from_keras] [seed=1]
"""
import sys

import keras
import numpy as np
from keras import layers, ops

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
keras.utils.set_random_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)

rows = np.genfromtxt(folder + "/houses.csv", delimiter=",", skip_header=1,
                     dtype="float32")
x, y = rows[:, :-1], rows[:, -1:]
count = len(rows) * 4 // 5
x_train, y_train, x_test, y_test = x[:count], y[:count], x[count:], y[count:]


class WithinTenPercent(keras.metrics.Metric):
    def __init__(self, name="within_10_percent", **kwargs):
        super().__init__(name=name, **kwargs)
        self.hits = self.add_variable(
            shape=(), initializer="zeros", name="hits")
        self.rows = self.add_variable(
            shape=(), initializer="zeros", name="rows")

    def update_state(self, y_true, y_pred, sample_weight=None):
        near = ops.abs(y_pred - y_true) <= 0.1 * ops.abs(y_true)
        near = ops.cast(near, "float32")
        self.hits.assign_add(ops.sum(near))
        self.rows.assign_add(ops.sum(ops.ones_like(near)))

    def result(self):
        return self.hits / ops.maximum(self.rows, 1)


normalize = layers.Normalization()
normalize.adapt(x_train)

model = keras.Sequential([
    keras.Input((x.shape[1],)),
    normalize,
    layers.Dense(32, activation="relu"),
    layers.Dense(32, activation="relu"),
    layers.Dense(1),
])
model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="mse",
              metrics=["mae", WithinTenPercent()])
model.summary()
history = model.fit(
    x_train, y_train, batch_size=32, epochs=60, validation_split=0.2,
    verbose=2, callbacks=[keras.callbacks.EarlyStopping(
        monitor="val_loss", patience=5, restore_best_weights=True)])
print("stopped after %d epochs" % len(history.history["loss"]))
result = model.evaluate(x_test, y_test, verbose=0, return_dict=True)
print("test mae: %.3f, within 10 %%: %.4f" % (
    result["mae"], result["within_10_percent"]))
