"""Trains small models in Keras with its callbacks and writes what these do to keras_callbacks.lua, which
tests/lua/callbacks_golden_spec.lua reads.

    KERAS_BACKEND=jax python tests/golden/keras_callbacks.py

A case is data: callbacks with options that mean the same on both sides, run with 1 and with 7 steps an execution. Kept
are the weights, the history (with learning rates), what is printed and warned of, and the files: their names, and the
text of CSV files. An epoch has 14 batches: with 7 steps, the last execution is whole, for Keras gives a wrong number
for one that is short (docs/reference/differences.md). Files of weights end in .safetensors here, in .weights.h5 or
.keras there.
"""
import contextlib
import io
import json
import os
import re
import shutil
import tempfile
import warnings
import zlib

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import keras  # noqa: E402
import numpy as np  # noqa: E402

from keras_models import Raw, draw, make, obj, write_cases  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FEATURES, ROWS, BATCH = 3, 28, 2


class Inject(keras.callbacks.Callback):
    """Adds a value to the logs of each epoch: callbacks decide by it, whatever the training."""

    def __init__(self, values):
        super().__init__()
        self.values = values

    def on_epoch_end(self, epoch, logs=None):
        logs["own"] = self.values[epoch]


class Stop(keras.callbacks.Callback):
    """Ends the first run behind an epoch."""

    def __init__(self, epoch):
        super().__init__()
        self.epoch = epoch

    def on_epoch_begin(self, epoch, logs=None):
        if epoch == self.epoch:
            self.epoch = None
            raise KeyboardInterrupt


def printer():
    def line(name):
        return lambda *args, **_: print(name, *[a for a in args if isinstance(a, int)])

    hooks = ["on_train_begin", "on_train_end", "on_epoch_begin", "on_epoch_end", "on_train_batch_begin",
             "on_train_batch_end", "on_test_begin", "on_test_end", "on_test_batch_begin", "on_test_batch_end"]
    given = {name: line(name) for name in hooks}
    return keras.callbacks.LambdaCallback(**given)


def decay(factor):
    return lambda epoch, rate: rate * factor


def steps(rates):
    return lambda epoch: rates[epoch]


def callback(name, **options):
    return obj("callback", name, **options)


def make_callback(one):
    options = dict(one.options)
    if one.name in ("Inject", "Stop"):
        return globals()[one.name](**options)
    if one.name == "Printer":
        return printer()
    if one.name == "LearningRateScheduler":
        kind, value = options.pop("schedule")
        return keras.callbacks.LearningRateScheduler({"decay": decay, "steps": steps}[kind](value), **options)
    for key in ("filepath",):
        if key in options:
            ending = ".weights.h5" if options.get("save_weights_only") else ".keras"
            options[key] = options[key].replace(".safetensors", ending)
    return getattr(keras.callbacks, one.name)(**options)


def text(value):
    return Raw(json.dumps(re.sub(r"\.weights\.h5|\.keras", ".safetensors", value)))


def train(case, initial, x, y, spe):
    keras.utils.clear_session()
    built = keras.Sequential([keras.Input([FEATURES]), keras.layers.Dense(4, activation="tanh"),
                              keras.layers.Dense(2)])
    built.set_weights(initial)
    built.compile(optimizer=make(case["optimizer"]), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=case["metrics"], steps_per_execution=spe)
    callbacks = [make_callback(one) for one in case["callbacks"]]
    fit = dict(case["fit"])
    runs = fit.pop("runs", 1)
    validation = (x[:10], y[:10]) if fit.pop("validation", True) else None
    out, error, epochs = io.StringIO(), None, []
    with contextlib.redirect_stdout(out), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for _ in range(runs):
            try:
                history = built.fit(x, y, shuffle=False, batch_size=BATCH, validation_data=validation,
                                    validation_batch_size=5, callbacks=callbacks, **{"verbose": 0, **fit})
                epochs.append([float(e) for e in history.epoch])
            except (RuntimeError, KeyboardInterrupt) as failure:
                error = str(failure)
                epochs.append([])
    result = {
        "printed": text(out.getvalue()), "error": text(error) if error else None, "epochs": epochs,
        "warned": [text(str(one.message)) for one in warned if issubclass(one.category, UserWarning)],
        "history": {key: [float(v) for v in values] for key, values in built.history.history.items()},
        "final": built.get_weights(),
        "rate": float(keras.ops.convert_to_numpy(built.optimizer.learning_rate)),
    }
    files, csv = [], {}
    for folder, _, names in os.walk("."):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name))
            files.append(path)
            if path.endswith(".csv"):
                with open(path, newline="") as file:
                    csv = file.read()
    files.sort()
    saved = [path for path in files if path.endswith((".weights.h5", ".keras")) and "backup" not in path]
    if saved:
        (built.load_weights if saved[-1].endswith("h5") else
         lambda path: built.set_weights(keras.models.load_model(path).get_weights()))(saved[-1])
        result["saved"] = built.get_weights()
    result["files"] = [text(path) for path in files if "backup" not in path]
    result["keeps_backup"] = os.path.exists("backup")
    result["csv"] = Raw(json.dumps(csv)) if csv else None
    return result


def case(name, *callbacks, optimizer=None, metrics=None, **fit):
    fit.setdefault("epochs", 5)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    one = {"name": name, "callbacks": list(callbacks), "fit": fit, "metrics": metrics or ["accuracy"],
           "optimizer": optimizer or obj("optimizer", "SGD", learning_rate=0.1)}
    initial = [draw(rng, str(i), shape) for i, shape in enumerate([(FEATURES, 4), (4,), (4, 2), (2,)])]
    x = rng.normal(size=(ROWS, FEATURES)).astype("float32")
    y = (x[:, 0] + 0.3 * x[:, 1] > 0).astype("int32")
    one.update(weights=initial, x=x, y=y)
    here = os.getcwd()
    for spe in (1, 7):
        folder = tempfile.mkdtemp()
        try:
            os.chdir(folder)
            one["steps_%d" % spe] = train(one, initial, x, y, spe)
        finally:
            os.chdir(here)
            shutil.rmtree(folder)
    print(name, flush=True)
    return one


def early(name, values, **options):
    options = {"monitor": "own", "mode": "min", "verbose": 1, **options}
    return case("early stopping: " + name, callback("Inject", values=values), callback("EarlyStopping", **options),
                epochs=len(values))


def plateau(name, values, **options):
    options = {"monitor": "own", "mode": "min", "verbose": 1, **options}
    return case("plateau: " + name, callback("Inject", values=values), callback("ReduceLROnPlateau", **options),
                epochs=len(values))


def checkpoint(name, *before, fit=None, **options):
    return case("checkpoint: " + name, *before, callback("ModelCheckpoint", **options), **(fit or {}))


UP_DOWN = [5.0, 4.0, 4.5, 3.0, 3.5, 3.2, 3.1, 3.05, 2.0, 1.0]
WEIGHTS = dict(save_weights_only=True)


def cases():
    yield early("no patience", UP_DOWN)
    yield early("patience", UP_DOWN, patience=2)
    yield early("a long patience", UP_DOWN, patience=5)
    yield early("restores", UP_DOWN, patience=2, restore_best_weights=True)
    yield early("restores though it did not stop", [3.0, 2.0, 2.5], patience=3, restore_best_weights=True)
    yield early("more is better", [1.0, 2.0, 1.5, 1.2, 3.0], mode="max", patience=2, restore_best_weights=True)
    yield early("smallest change", [5.0, 4.9, 4.85, 4.4, 4.39, 4.38], min_delta=0.2, patience=2)
    yield early("a baseline that is not met", [5.0, 4.0, 3.0, 2.0], baseline=1.0, patience=2)
    yield early("a baseline that is met", [5.0, 0.5, 3.0, 2.0, 0.4], baseline=1.0, patience=2,
                restore_best_weights=True)
    yield early("begins later", [1.0, 2.0, 3.0, 2.5, 2.6, 2.7], start_from_epoch=2, patience=2)
    yield early("never begins", [1.0, 2.0, 3.0], start_from_epoch=9, restore_best_weights=True)
    yield case("early stopping: what is monitored by default", callback("EarlyStopping", patience=1, min_delta=0.5,
                                                                        verbose=1))
    yield case("early stopping: accuracy by itself", callback("EarlyStopping", monitor="val_accuracy", min_delta=0.9,
                                                              patience=3, verbose=1), epochs=6)
    yield case("early stopping: a value that is not there", callback("EarlyStopping", monitor="val_loss", verbose=1),
               validation=False, epochs=2)
    yield plateau("patience", UP_DOWN, patience=1, factor=0.5)
    yield plateau("a longer patience", UP_DOWN, patience=3)
    yield plateau("cooldown", [3.0] * 9, patience=1, factor=0.5, cooldown=2)
    yield plateau("a smallest rate", [3.0] * 6, patience=1, factor=0.1, min_lr=0.002)
    yield plateau("more is better", [1.0, 2.0, 1.5, 1.2, 3.0, 1.0, 1.0], mode="max", patience=2, factor=0.3)
    yield plateau("smallest change", [5.0, 4.9, 4.85, 4.4, 4.39, 4.38], min_delta=0.2, patience=1)
    yield plateau("silent", [3.0] * 4, patience=1, verbose=0)
    yield case("plateau: a value that is not there", callback("ReduceLROnPlateau", monitor="nothing", mode="min"),
               epochs=2)
    yield case("plateau: by default", callback("ReduceLROnPlateau", monitor="loss", patience=1, min_delta=0.5,
                                               verbose=1))
    yield case("schedule: decay", callback("LearningRateScheduler", schedule=["decay", 0.7], verbose=1))
    yield case("schedule: steps", callback("LearningRateScheduler", schedule=["steps", [0.1, 0.1, 0.05, 0.01, 0.3]]))
    yield case("schedule: and a plateau", callback("LearningRateScheduler", schedule=["decay", 0.9], verbose=1),
               callback("ReduceLROnPlateau", monitor="loss", patience=1, min_delta=9, verbose=1))
    yield case("csv: by default", callback("CSVLogger", filename="log.csv"), epochs=3)
    yield case("csv: another separator", callback("CSVLogger", filename="log.csv", separator=";"), epochs=2)
    yield case("csv: without validation", callback("CSVLogger", filename="log.csv"), epochs=2, validation=False)
    yield case("csv: validation later", callback("CSVLogger", filename="log.csv"), epochs=4, validation_freq=2)
    yield case("csv: goes on", callback("CSVLogger", filename="log.csv", append=True), epochs=2, runs=2)
    yield case("csv: begins anew", callback("CSVLogger", filename="log.csv"), epochs=2, runs=2)
    yield case("csv: learning rates", callback("LearningRateScheduler", schedule=["decay", 0.5]),
               callback("CSVLogger", filename="log.csv"), epochs=3)
    huge = obj("optimizer", "SGD", learning_rate=1e38)
    yield case("NaN: stops", callback("TerminateOnNaN"), optimizer=huge, validation=False)
    yield case("NaN: raises", callback("TerminateOnNaN", raise_error=True), optimizer=huge, validation=False)
    yield case("NaN: none", callback("TerminateOnNaN"), epochs=2)
    yield case("lambda", callback("Printer"), epochs=2)
    average = obj("optimizer", "SGD", learning_rate=0.1, use_ema=True, ema_momentum=0.8)
    yield case("averages: at evaluation", callback("SwapEMAWeights"), optimizer=average)
    yield case("averages: at epochs", callback("SwapEMAWeights", swap_on_epoch=True),
               callback("ModelCheckpoint", filepath="e{epoch}.safetensors", save_weights_only=True), optimizer=average)
    yield case("averages: of Adam", callback("SwapEMAWeights"),
               optimizer=obj("optimizer", "Adam", learning_rate=0.05, use_ema=True), epochs=3)
    yield case("history", epochs=4, initial_epoch=2)
    yield case("history: of two runs", epochs=2, runs=2)
    yield case("progress", epochs=2, verbose=2)
    yield checkpoint("each epoch", filepath="a/{epoch:02d}-{val_loss:.2f}.safetensors", verbose=1, **WEIGHTS)
    yield checkpoint("models", filepath="{epoch}.safetensors", fit=dict(epochs=3))
    yield checkpoint("one name", filepath="one.safetensors", verbose=1, **WEIGHTS)
    yield checkpoint("the best", callback("Inject", values=UP_DOWN), filepath="{epoch:03d}-{own:.1f}.safetensors",
                     monitor="own", mode="min", save_best_only=True, verbose=1, fit=dict(epochs=10), **WEIGHTS)
    yield checkpoint("the best is the largest", callback("Inject", values=UP_DOWN[::-1]),
                     filepath="best.safetensors", monitor="own", mode="max", save_best_only=True, verbose=1,
                     fit=dict(epochs=10), **WEIGHTS)
    yield checkpoint("a threshold", callback("Inject", values=UP_DOWN), filepath="{epoch}.safetensors", monitor="own",
                     mode="min", save_best_only=True, verbose=1, initial_value_threshold=3.15, fit=dict(epochs=10),
                     **WEIGHTS)
    yield checkpoint("the best of what is not there", filepath="{epoch}.safetensors", monitor="nothing", mode="min",
                     save_best_only=True, fit=dict(epochs=2), **WEIGHTS)
    for freq in (1, 4, 7, 10, 20):
        yield checkpoint("every %d batches" % freq, filepath="{epoch:02d}-{batch:02d}.safetensors", save_freq=freq,
                         verbose=1, fit=dict(epochs=3), **WEIGHTS)
    yield case("backup: of a run that is not stopped", callback("BackupAndRestore", backup_dir="backup"), epochs=3)
    yield case("backup: stays", callback("BackupAndRestore", backup_dir="backup", delete_checkpoint=False), epochs=3)
    yield case("backup: goes on", callback("BackupAndRestore", backup_dir="backup"), callback("Stop", epoch=3),
               epochs=5, runs=2)
    yield case("backup: goes on and stays", callback("BackupAndRestore", backup_dir="backup", delete_checkpoint=False,
                                                     double_checkpoint=True), callback("Stop", epoch=2),
               epochs=4, runs=2)


if __name__ == "__main__":
    made = list(cases())
    path = os.path.join(HERE, "keras_callbacks.lua")
    write_cases(path, "keras_callbacks.py", made)
    print("%d cases, %d bytes" % (len(made), os.path.getsize(path)))
