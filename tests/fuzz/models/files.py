"""Random models through files: Moonpod loads the .keras of Keras, which loads the .weights.h5 of Moonpod; both predict
alike.

    tests/fuzz/models/files.py --count 200 --seed 1 [--first N] [--lua COMMAND]

draws models as run.py does, gives them random weights, and has Moonpod (files.lua) predict what Keras did, change the
weights and save them; Keras then predicts what Moonpod did. What differs is printed with its number; --first N
--count 1 makes it again. Keras runs on NumPy, which compiles nothing.
"""
import argparse
import os
import subprocess
import sys

os.environ["KERAS_BACKEND"] = "numpy"

import run  # noqa: E402 - puts the folders of both into the path
import keras  # noqa: E402
import numpy as np  # noqa: E402

import space  # noqa: E402

SCRATCH = os.path.join(run.ROOT, "build", "fuzz-files")
PART = 40  # models a start of Moonpod
ALLOWED = (2e-5, 1e-5)  # of a value, and of a small one: models here are deeper than those of the tests


def predict(case, model):
    x = [np.asarray(one)[:case["batch"]] for one in case["x"]]
    out = model(run.by_key(x, case.get("input_keys")), training=False)
    return [np.asarray(one, dtype="float32") for one in run.keras.tree.flatten(out)]


def draw(seed, number):
    """A case in float32 and its model with random weights, or None."""
    keras.utils.clear_session(free_memory=False)
    drawn = space.draw(seed, number)
    if drawn is None or drawn[0].get("policy") or drawn[0].get("_policy_of_keras") or any(
            "dtype" in one["options"] for one in drawn[0]["nodes"] if "options" in one):
        return None
    case, model = drawn
    rng = np.random.default_rng(number)
    try:
        model.set_weights([space.weight_values(rng, w.path, tuple(w.shape)) for w in model.weights])
        case["_predicted"] = predict(case, model)
        model.save(os.path.join(SCRATCH, "%d.keras" % number))  # not with layers of the drawing's own
    except Exception as problem:  # noqa: BLE001 - what Keras refuses is no case
        if os.environ.get("FUZZ_VERBOSE"):
            print("Keras refuses %d: %s" % (number, problem))
        return None
    return drawn if all(np.all(np.isfinite(one)) for one in case["_predicted"]) else None


def difference(found, wanted):
    """The largest difference, of what is allowed; 0 to 1 is none."""
    worst = 0
    for one, other in zip(found, wanted, strict=True):
        if one.shape != other.shape:
            return np.inf
        size = np.maximum(ALLOWED[0] * np.abs(other), ALLOWED[1] * max(1, float(np.abs(other).max(initial=0))))
        worst = max(worst, float((np.abs(one - other) / size).max(initial=0)))
    return worst


def check(command, cases):
    """Messages of what differs, by number."""
    failed = {}
    for number, (case, model) in cases.items():
        path = os.path.join(SCRATCH, str(number))
        arrays = {"in_%d" % i: np.asarray(one)[:case["batch"]] for i, one in enumerate(case["x"])}
        np.savez(path + ".npz", **arrays, **{"out_%d" % i: one for i, one in enumerate(case["_predicted"])})
    answer = subprocess.run(command + [os.path.join(run.HERE, "files.lua"), SCRATCH] + [str(n) for n in cases],
                            capture_output=True, text=True, cwd=run.ROOT)
    lines = dict(line.split(" ", 1) for line in answer.stdout.splitlines() if line.split(" ", 1)[0].isdigit())
    for number, (case, model) in cases.items():
        line = lines.get(str(number), "no answer: " + answer.stderr[-2000:])
        if line != "ok":
            failed[number] = line
            continue
        path = os.path.join(SCRATCH, str(number))
        given = np.load(path + ".out.npz")
        here = [given["out_%d" % i] for i in range(len(case["_predicted"]))]
        first = difference([given["before_%d" % i] for i in range(len(here))], case["_predicted"])
        model.set_weights([np.zeros_like(w) for w in model.get_weights()])
        model.load_weights(path + ".weights.h5")
        second = difference(predict(case, model), here)
        if first > 1 or second > 1:
            failed[number] = "predictions differ: %.3g of what is allowed there, %.3g here" % (first, second)
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--lua", default="lua5.4")
    options = parser.parse_args()
    os.makedirs(SCRATCH, exist_ok=True)
    number, done, failed, cases = options.first, 0, {}, {}
    while done < options.count:
        drawn = draw(options.seed, number)
        if drawn is not None:
            cases[number] = drawn
            done += 1
        number += 1
        if cases and (len(cases) == PART or done == options.count):
            found = check(options.lua.split(), cases)
            for each, message in found.items():
                print("seed %d, model %d: %s\n%s" % (options.seed, each, message, run.show(cases[each][0])), flush=True)
            failed.update(found)
            cases = {}
    print("%d models, %d differ" % (done, len(failed)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
