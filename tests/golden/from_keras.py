"""Trains the networks of examples/from_keras in Keras, from weights and in an order that tests/lua/from_keras_spec.lua
has as well, and writes what comes of it to from_keras.lua: the loss of each step, the history of a run that stops
early, and some of each weight's numbers in the end.

    moonpod examples/from_keras/data.lua /tmp/from_keras 0.1
    KERAS_BACKEND=tensorflow python tests/golden/from_keras.py /tmp/from_keras

What is drawn at random in the programs is not here: data come in their order, dropout is left out, and pictures are
changed by fixed amounts.
"""
import csv
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers, ops  # noqa: E402

FOLDER = sys.argv[1]
STEPS = 30

# TensorFlow gives the gradient of an embedding as rows, a word that comes twice as two of them, and Keras squares each
# by itself. Dense gradients are what Keras has on its other backends, and Moonpod.
_apply = keras.optimizers.Optimizer.apply
keras.optimizers.Optimizer.apply = lambda self, grads, *rest: _apply(
    self, [tf.convert_to_tensor(g) if isinstance(g, tf.IndexedSlices) else g for g in grads], *rest)


class Draws:
    """Park and Miller's generator: the same numbers in Lua."""

    state = 12345

    def values(self, shape, limit):
        out = np.empty(int(np.prod(shape)))
        for i in range(out.size):
            self.state = self.state * 16807 % 2147483647
            out[i] = (self.state / 2147483647 * 2 - 1) * limit
        return out.reshape(shape).astype("float32")


def set_weights(model):
    draws = Draws()
    for weight in model.trainable_weights:
        if len(weight.shape) > 1:
            weight.assign(draws.values(weight.shape, (3 / np.prod(weight.shape[:-1])) ** 0.5))


def some_of(model):
    """Of each weight up to 40 numbers, evenly spread."""
    out = []
    for weight in model.trainable_weights + [w for w in model.non_trainable_weights if w.dtype == "float32"]:
        flat = np.asarray(weight).reshape(-1)
        out.append(flat[::max(1, len(flat) // 40)])
    return out


def steps(model, batches):
    losses = []
    while len(losses) < STEPS:
        for x, y in batches:
            model.reset_metrics()
            losses.append(float(model.train_on_batch(x, y, return_dict=True)["loss"]))
            if len(losses) == STEPS:
                break
    return losses


class WithinTenPercent(keras.metrics.Metric):
    def __init__(self, name="within_10_percent", **kwargs):
        super().__init__(name=name, **kwargs)
        self.hits = self.add_variable(shape=(), initializer="zeros", name="hits")
        self.rows = self.add_variable(shape=(), initializer="zeros", name="rows")

    def update_state(self, y_true, y_pred, sample_weight=None):
        near = ops.cast(ops.abs(y_pred - y_true) <= 0.1 * ops.abs(y_true), "float32")
        self.hits.assign_add(ops.sum(near))
        self.rows.assign_add(ops.sum(ops.ones_like(near)))

    def result(self):
        return self.hits / ops.maximum(self.rows, 1)


def tabular():
    rows = np.genfromtxt(FOLDER + "/houses.csv", delimiter=",", skip_header=1, dtype="float32")
    x, y = rows[:, :-1], rows[:, -1:]
    normalize = layers.Normalization()
    normalize.adapt(x)
    model = keras.Sequential([
        keras.Input((x.shape[1],)), normalize, layers.Dense(32, activation="relu"),
        layers.Dense(32, activation="relu"), layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.Adam(0.03), loss="mse", metrics=["mae", WithinTenPercent()])
    set_weights(model)
    batches = [(x[i:i + 32], y[i:i + 32]) for i in range(0, len(x), 32)]
    out = {"losses": steps(model, batches), "weights": some_of(model)}
    set_weights(model)
    for weight in model.trainable_weights:
        if len(weight.shape) == 1:
            weight.assign(np.zeros(weight.shape, "float32"))
    model.compile(optimizer=keras.optimizers.Adam(0.03), loss="mse", metrics=["mae", WithinTenPercent()])
    stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=2, restore_best_weights=True)
    out["history"] = model.fit(x, y, batch_size=32, epochs=60, validation_split=0.2, shuffle=False, verbose=0,
                               callbacks=[stop]).history
    out["restored"] = some_of(model)
    out["evaluated"] = model.evaluate(x, y, verbose=0, return_dict=True)
    return out


def pictures():
    train, test = keras.utils.image_dataset_from_directory(
        FOLDER + "/pictures", image_size=(28, 36), batch_size=16, validation_split=0.25, subset="both", shuffle=False)
    inputs = keras.Input((28, 36, 3))
    x = layers.RandomRotation((0.05, 0.05))(inputs)
    x = layers.RandomZoom((0.1, 0.1))(x)
    x = layers.RandomTranslation((0.1, 0.1), (-0.05, -0.05))(x)
    x = layers.Rescaling(1 / 255)(x)
    for filters in (8, 16):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = layers.BatchNormalization()(x)
        x = layers.MaxPooling2D()(x)
    x = layers.Flatten()(x)
    x = layers.Dense(16, activation="relu")(x)
    model = keras.Model(inputs, layers.Dense(3, activation="softmax")(x))
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    set_weights(model)
    batches = list(train)
    order = [(i * 4) % len(batches) for i in range(len(batches))]  # a class after the other teaches little
    out = {"batches": len(batches), "losses": steps(model, [batches[i] for i in order]), "weights": some_of(model),
           "pixels": [float(np.mean(x)) for x, _ in batches]}
    out["evaluated"] = model.evaluate(test, verbose=0, return_dict=True)
    return out


def reviews():
    with open(FOLDER + "/reviews.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    vectorize = layers.TextVectorization(max_tokens=200, output_sequence_length=24)
    vectorize.adapt([row["text"] for row in rows])
    x = np.asarray(vectorize([row["text"] for row in rows]))
    y = np.array([[float(row["label"])] for row in rows], "float32")
    model = keras.Sequential([
        keras.Input((24,), dtype="int64"), layers.Embedding(200, 16, mask_zero=True), layers.GRU(24), layers.Dense(1)])
    set_weights(model)
    optimizer = keras.optimizers.Adam(5e-3)
    loss_fn = keras.losses.BinaryCrossentropy(from_logits=True)
    accuracy = keras.metrics.BinaryAccuracy(threshold=0.0)
    losses = []
    for step in range(STEPS):
        at = step * 32 % (len(x) - 32)
        with tf.GradientTape() as tape:
            logits = model(x[at:at + 32], training=True)
            loss = loss_fn(y[at:at + 32], logits)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
        losses.append(float(loss))
        accuracy.update_state(y[at:at + 32], logits)
    return {"vocabulary": vectorize.get_vocabulary(), "losses": losses, "weights": some_of(model),
            "accuracy": float(accuracy.result())}


def lua(value):
    if isinstance(value, dict):
        return "{ " + ", ".join("%s = %s" % (key, lua(one)) for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "{ " + ", ".join(lua(one) for one in value) + " }"
    return '"%s"' % value if isinstance(value, str) else "%.9g" % value


def wrapped(text, indent):
    line, lines = indent, []
    for word in text.split(" "):
        if len(line) + len(word) + 1 > 119:
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    return "\n".join(lines + [line.rstrip()])


path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "from_keras.lua")
with open(path, "w") as file:
    file.write("-- Written by from_keras.py: do not edit.\nreturn {\n")
    for make in (tabular, pictures, reviews):
        file.write("  %s = {\n" % make.__name__)
        for key, value in make().items():
            file.write(wrapped("%s = %s," % (key, lua(value)), "    ") + "\n")
        file.write("  },\n")
    file.write("}\n")
print("%s: %d bytes" % (path, os.path.getsize(path)))
