"""What Keras' callback for TensorBoard writes, as TensorBoard's own readers see it.

    python tests/golden/keras_tensorboard.py > tests/golden/keras_tensorboard.lua       wants keras with TensorFlow

tests/lua/tensorboard_spec.lua trains the same models on the same data. A line a thing, as tensorboard_reads.py says;
times are left out, and so are the steps that TensorFlow compiled.
"""
import os
import subprocess
import sys
import tempfile

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np

READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "tensorboard_reads.py")
# name: (model, steps_per_execution, update_freq)
RUNS = {
    "sequential_batch_1": ("sequential", 1, "batch"),
    "sequential_batch_7": ("sequential", 7, "batch"),
    "sequential_5_1": ("sequential", 1, 5),
    "functional_epoch_1": ("functional", 1, "epoch"),
    "functional_epoch_7": ("functional", 7, "epoch"),
}


def model_of(kind):
    dense = lambda units, name: keras.layers.Dense(units, name=name, kernel_initializer="ones")
    if kind == "sequential":
        return keras.Sequential([keras.Input((4,), name="in"), dense(3, "d1"), dense(1, "d2")], name="seq")
    x = keras.Input((4,), name="in")
    inner = keras.Sequential([keras.Input((4,), name="inner_in"), dense(3, "d1")], name="inner")
    return keras.Model(x, dense(1, "d2")(inner(x)), name="fun")


def train(kind, steps, frequency, folder):
    x = (np.arange(96, dtype=np.float32) * np.float32(2 / 95) - 1).reshape(24, 4)
    y = (x.sum(1, keepdims=True) > 0).astype(np.float32)
    model = model_of(kind)
    model.compile(keras.optimizers.SGD(0.01), "mse", metrics=["mae"], steps_per_execution=steps)
    model.fit(x, y, batch_size=2, epochs=3, shuffle=False, verbose=0, validation_data=(x[:6], y[:6]),
              validation_batch_size=2,
              callbacks=[keras.callbacks.TensorBoard(folder + "/fit", histogram_freq=2, write_images=True,
                                                     update_freq=frequency, write_steps_per_second=True)])
    model.evaluate(x, y, verbose=0, batch_size=4, callbacks=[keras.callbacks.TensorBoard(folder + "/evaluate")])


print("-- Made by tests/golden/keras_tensorboard.py with Keras %s." % keras.__version__)
print("return {")
for name, (kind, steps, frequency) in RUNS.items():
    with tempfile.TemporaryDirectory() as folder:
        train(kind, steps, frequency, folder)
        text = subprocess.run([sys.executable, READER, folder], check=True, capture_output=True, text=True).stdout
    print("  %s = [[" % name)
    for line in text.splitlines():
        if not line.startswith("graph ") and not (line.startswith("scalar ") and "_per_second" in line):
            print(line.rstrip())
    print("]],")
print("}")
