"""Writes files of Keras 3 with classes and functions of somebody's own, and what their models predict for [[0, 1, 2],
[3, 4, 5]]: tests/golden/keras_custom.

    keras_custom.py FOLDER
"""

import json
import os
import sys
import zipfile

os.environ["KERAS_BACKEND"] = "jax"
import keras  # noqa: E402
import numpy as np  # noqa: E402

L = keras.layers
own = keras.saving.register_keras_serializable(package="mine")


class Scale(L.Layer):
    def __init__(self, factor=2.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def build(self, shape):
        self.gain = self.add_weight(shape=(shape[-1],), initializer="uniform", name="gain")

    def call(self, x):
        return x * self.gain * self.factor

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


class TwoLayers(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.first, self.second = L.Dense(4), L.Dense(1)

    def call(self, x):
        return self.second(self.first(x))


@own
class Trains(keras.Model):
    def train_step(self, *data):
        return super().train_step(*data)


@own
def cubes(y_true, y_pred):
    return keras.ops.mean(keras.ops.abs(y_true - y_pred) ** 3)


@own
def square(x):
    return x * x


def sequential(*layers):
    return keras.Sequential([L.Input((3,)), *layers])


def functional():
    x = keras.Input((3,))
    return Trains(x, L.Dense(1)(L.Dense(4)(x)))


MODELS = {
    "layer": lambda: sequential(L.Dense(4), Scale(3.0), L.Dense(1)),
    "lambda": lambda: sequential(L.Dense(4), L.Lambda(lambda x: x * 2), L.Dense(1)),
    "loss": lambda: sequential(L.Dense(1)),
    "activation": lambda: sequential(L.Dense(1, activation=square)),
    "train_step": functional,
    "subclass": TwoLayers,
}

folder = sys.argv[1]
x, outputs = np.arange(6).reshape(2, 3).astype("float32"), {}
for name, make in MODELS.items():
    keras.utils.set_random_seed(7)
    keras.backend.clear_session()
    model = make()
    outputs[name] = np.asarray(model(x)).ravel().tolist()
    if name == "loss":
        model.compile("sgd", cubes)
    path = os.path.join(folder, name + ".keras")
    model.save(path)
    with zipfile.ZipFile(path) as archive:
        parts = [(one, archive.read(one)) for one in archive.namelist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, content in parts:
            archive.writestr(zipfile.ZipInfo(one), content, zipfile.ZIP_DEFLATED)
with open(os.path.join(folder, "outputs.json"), "w") as file:
    json.dump(outputs, file, indent=1)
