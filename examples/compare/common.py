"""What the comparisons share: running an example of Moonpod's and the same training with Keras."""

import argparse
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 0.01


class Embedding(keras.layers.Embedding):
    """An embedding whose gradient is one dense matrix.

    The gradient of Keras' own, with TensorFlow, is a list of rows in which a number that occurs n times has n entries.
    Keras' Adam squares the entries one by one where it should square their sum, so that its first step for a frequent
    number is several times the learning rate, which Adam's first step cannot be. (With PyTorch below Keras it is not.)
    """

    def call(self, inputs):
        return keras.ops.take(self.embeddings * 1.0, inputs, axis=0)


class Pass:
    """The batches of one pass over the data, one array a part, and what the example printed of it."""

    def __init__(self):
        self.parts = []
        self.rows = 0
        self.values = {}

    def arguments(self):
        names = ["x", "y", "sample_weight"]
        return dict(zip(names, self.parts), batch_size=self.rows, verbose=0)


class Run:
    """One run of an example: the weights it began with, and the passes of its fits and evaluations."""

    def __init__(self, executable, example, arguments):
        self.weights, self.passes = {}, {}
        with tempfile.TemporaryDirectory() as directory:
            script = os.path.join(HERE, "export.lua")
            subprocess.run([executable, script, directory, os.path.join(HERE, "..", example + ".lua"), *arguments],
                           check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(directory, "index"), encoding="utf-8") as index:
                for line in index:
                    self.read_line(directory, line.split())

    def at(self, name, epoch):
        return self.passes.setdefault((name, int(epoch)), Pass())

    def read_line(self, directory, words):
        kind, words = words[0], words[1:]
        if kind == "weight":
            file, dtype, name, *sizes = words
            values = numpy.fromfile(os.path.join(directory, file), dtype)
            self.weights[name] = values.reshape([int(size) for size in sizes])
        elif kind == "part":
            name, epoch, file, dtype, rows, *sizes = words
            values = numpy.fromfile(os.path.join(directory, file), dtype)
            one = self.at(name, epoch)
            one.parts.append(values.reshape([-1] + [int(size) for size in sizes]))
            one.rows = int(rows)
        else:
            name, epoch, key, number = words
            self.at(name, epoch).values[key] = float(number)

    def epochs(self, fit):
        return [one for (name, _), one in sorted(self.passes.items()) if name == fit]


def set_weights(model, weights):
    """Gives a Keras model the weights of the example, by the names of layers and weights."""
    left = dict(weights)
    for variable in model.weights:
        path = variable.path.split("/")
        found = [name for name in left if name.split("/") == [part for part in path if part in name.split("/")]
                 and name.split("/")[-1] == path[-1]]
        if len(found) != 1:
            raise SystemExit(f"{variable.path}: {len(found)} weights of the example have this name")
        variable.assign(left.pop(found[0]))
    if left:
        raise SystemExit(f"weights that the other model does not have: {sorted(left)}")


def compare(example, make_model, arguments, fit="fit1", evaluation="evaluate1"):
    """Runs both, once a seed, and prints the final values. make_model(run, arguments) returns a compiled model."""
    parser = argparse.ArgumentParser(description=f"Compares examples/{example}.lua with Keras.")
    parser.add_argument("executable", help="path of the moonpod executable")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds to average over")
    parser.add_argument("arguments", nargs="*", help=f"of the example, but for the seed ({' '.join(arguments)})")
    given = parser.parse_args()
    arguments = given.arguments or arguments
    ours, peers = {}, {}
    for seed in range(1, given.seeds + 1):
        run = Run(given.executable, example, [*arguments, str(seed)])
        keras.backend.clear_session()
        model = make_model(run, [int(value) for value in arguments])
        set_weights(model, run.weights)
        for one in run.epochs(fit):
            history = model.fit(shuffle=False, **one.arguments()).history
        tested = run.at(evaluation, 1)
        result = model.evaluate(return_dict=True, **tested.arguments())
        for key in result:
            for values, value, test_value in ((ours, one.values[key], tested.values[key]),
                                              (peers, history[key][0], result[key])):
                values.setdefault(key, []).append(value)
                values.setdefault("test " + key, []).append(test_value)
    worst = 0
    print(f"{example} {' '.join(arguments)}: means over {given.seeds} seed(s)")
    for key in ours:
        mine, peer = numpy.mean(ours[key]), numpy.mean(peers[key])
        difference = abs(mine - peer) / max(abs(peer), 1e-12)
        worst = max(worst, difference)
        print(f"  {key:16} moonpod {mine:.6f}  keras {peer:.6f}  relative difference {100 * difference:.3f} %")
    if worst > LIMIT:
        sys.exit(f"more than {100 * LIMIT:g} % apart")
