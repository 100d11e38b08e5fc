"""Random models, trained by Keras and by Moonpod, and compared.

    tests/fuzz/models/run.py --count 2000 --seed 1 [--first N] [--as-drawn] [--lua COMMAND] [--keep 200]

draws models, compares them and makes what differs smaller; --keep adds small models that agree, with Keras' answers, to
tests/golden/keras_random.lua, which the tests run without Python. Those there are of seeds 1 and 2, by TensorFlow.

Keras runs on JAX, operation by operation, each compiled for each shape: some 10 seconds of processor time a model, 2
once all is compiled. KERAS_BACKEND=tensorflow compiles nothing: less than half a second. Its answers go to run.lua as
Lua tables, some models a file; what that finds to differ is made smaller, as long as it differs alike, and printed. A
difference counts where it is more than 8 times what changes of inputs and initial weights by 2^-18 make in Keras: steps
on a kink or a tie are no fault of either. Each number is changed up or down by itself, the gradients too, by a share of
the largest of all, and so several times: of what rounding leaves of a gradient of 0, Lion takes the sign, and of what
it leaves of x - x, before any weight, unit normalisation makes a vector of length 1. With 16-bit layers a difference
counts where it is more than twice what it makes in Keras to move inputs and initial weights to the next number of the
type.

Keras leaves out the step of a float16 model whose gradients overflow; Moonpod, which keeps float32 within a call
(docs/reference/differences.md), need not. Such a model is judged with less loss scale, at which no gradient
overflows in Keras; where one does at any, as the model's own numbers do, it is judged by what Keras gives in float32.
How many were so is printed.
"""
import argparse
import collections
import copy
import functools
import gc
import os
import re
import subprocess
import sys
import time
import warnings

for variable, value in dict(KERAS_BACKEND="jax", JAX_PLATFORMS="cpu", TF_CPP_MIN_LOG_LEVEL="3",
                            TF_NUM_INTRAOP_THREADS="1", TF_NUM_INTEROP_THREADS="1").items():
    os.environ.setdefault(variable, value)
warnings.simplefilter("ignore")

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(ROOT, "tests", "golden"), HERE]

import keras  # noqa: E402
import numpy as np  # noqa: E402

import space  # noqa: E402
from keras_models import Raw, build, by_key, lua, make, one_or_list, tensor_text, write_cases  # noqa: E402

keras.config.disable_traceback_filtering()
def keep_masks(call):
    """Multi-head attention takes the masks off its inputs, so that what is called after it on the same has none."""
    @functools.wraps(call)
    def keeping(self, query, value, *more, **options):
        masks = [(one, keras.src.backend.get_keras_mask(one)) for one in (query, value)]
        out = call(self, query, value, *more, **options)
        for one, mask in masks:
            keras.src.backend.set_keras_mask(one, mask)
        return out
    return keeping


def find_mask(call):
    """A layer that is called with initial states loses the mask of its sequences, as it has two operands then."""
    @functools.wraps(call)
    def finding(self, sequences, initial_state=None, mask=None, **options):
        if mask is None and initial_state is not None:
            mask = keras.src.backend.get_keras_mask(sequences)
        return call(self, sequences, initial_state=initial_state, mask=mask, **options)
    return finding


def widen(update):
    """Metrics that are means of a function compute it in the type of what is predicted; losses do in float32."""
    @functools.wraps(update)
    def wide(self, y_true, y_pred, *more, **options):
        mask = keras.src.backend.get_keras_mask(y_pred)
        y_pred = keras.ops.convert_to_tensor(y_pred)
        y_pred = y_pred if y_pred.dtype == "float64" else keras.ops.cast(y_pred, "float32")
        if mask is not None:
            keras.src.backend.set_keras_mask(y_pred, mask)
        return update(self, y_true, y_pred, *more, **options)
    return wide


keras.layers.MultiHeadAttention.call = keep_masks(keras.layers.MultiHeadAttention.call)
for recurrent in (keras.layers.RNN, keras.layers.Bidirectional):
    recurrent.call = find_mask(recurrent.call)
keras.metrics.MeanMetricWrapper.update_state = widen(keras.metrics.MeanMetricWrapper.update_state)
if keras.backend.backend() == "tensorflow":
    import on_tensorflow  # noqa: F401 - it changes Keras

SCRATCH = os.path.join(ROOT, "build", "fuzz-models")
PART = 20  # models a file
FLAT = 1 / 64  # of gradients: what is saturated has less, or 0 by rounding
CHANGES = 8  # of weights and gradients, which show how far answers move
MORE_CHANGES = 64  # where that is not far enough
KEPT_SIZE = 4500  # characters of a model that is kept, at most
LOSS_SCALES = (2.0 ** 10, 2.0 ** 5, 1.0)  # for float16 models that overflow at 2^15
overflows = collections.Counter()  # models judged otherwise as float16 overflows, by what was changed


# ---- what Keras gives -----------------------------------------------------------------------------------

def compile_model(case, model):
    keys = case.get("output_keys")

    def per_output(lists):
        if not any(lists):
            return None
        return by_key([make(one) for one in lists], keys)
    optimizer = make(case["optimizer"])
    if case.get("loss_scale"):
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer, initial_scale=case["loss_scale"])
    model.compile(optimizer=optimizer, loss=by_key(make(case["loss"]), keys),
                  loss_weights=case.get("loss_weights") and by_key(case["loss_weights"], keys),
                  metrics=per_output(case["metrics"]), weighted_metrics=per_output(case["weighted_metrics"]),
                  run_eagerly=True, jit_compile=False)


def run_action(case, model, action):
    """What one action gives: numbers by name, or tensors."""
    x = by_key(case["x"], case.get("input_keys") or case.get("input_names"))
    y = by_key(case["y"], case.get("output_keys"))
    weight, classes = case.get("sample_weight"), case.get("class_weight")
    if weight is not None and case.get("output_keys"):
        weight = by_key(weight if isinstance(weight, list) else [weight], case["output_keys"])
    classes = classes and dict(enumerate(classes))
    rows = case.get("batch") or space.BATCH

    def first(value):
        return None if value is None else keras.tree.map_structure(lambda one: one[:rows], value)
    kind = action["kind"]
    if kind == "fit":
        held_out = (x, y) if weight is None else (x, y, weight)
        more = dict(validation_data=held_out) if action.get("validation") else {}
        if action.get("validation_split"):
            more["validation_split"] = action["validation_split"]
        history = model.fit(x, y, batch_size=action["batch_size"], epochs=action["epochs"], shuffle=False, verbose=0,
                            sample_weight=weight, class_weight=classes, steps_per_epoch=action.get("steps_per_epoch"),
                            validation_batch_size=rows, **more).history
        return {name: np.array(values, dtype="float32") for name, values in history.items()}
    model.reset_metrics()
    if kind == "train":
        return model.train_on_batch(first(x), first(y), sample_weight=first(weight), class_weight=classes,
                                    return_dict=True)
    if kind == "test":
        return model.test_on_batch(first(x), first(y), sample_weight=first(weight), return_dict=True)
    if kind == "evaluate":
        return model.evaluate(x, y, batch_size=rows, sample_weight=weight, verbose=0, return_dict=True)
    out = model.predict_on_batch(first(x)) if kind == "predict_on_batch" else model.predict(
        x, batch_size=rows, verbose=0)
    out = [out[key] for key in sorted(out)] if isinstance(out, dict) else out
    return [np.asarray(one, dtype="float32") for one in (out if isinstance(out, list) else [out])]


def numbers(result):
    """Plain numbers of what an action gave."""
    if isinstance(result, dict):
        return {name: np.asarray(value, dtype="float32") for name, value in sorted(result.items())}
    return result


class Noise:
    """Changes numbers up or down by a share of their size: in tensors of weights, and in gradients."""

    now = None  # what changes numbers of the model that is trained

    def __init__(self, seed, share=2.0 ** -18):
        self.rng, self.share = np.random.default_rng(seed), np.float32(share)

    def signs(self, shape):
        return self.rng.choice(np.array([-1, 1], dtype="float32"), size=tuple(shape))

    def weight(self, value):
        """A weight; numbers near 0 count as a tenth of the largest."""
        if value.dtype != np.float32 or value.size == 0:
            return value
        size = np.maximum(np.abs(value), np.abs(value).max() / 10)
        return value + self.share * size * self.signs(value.shape)

    def probability(self, value):
        """What a sigmoid gives, by the last place of 1, of which a logarithm of what is left to 1 makes much."""
        moved = value + 2.0 ** -24 * self.signs(value.shape)
        return keras.ops.cast(keras.ops.clip(moved, 0.0, 1.0), value.dtype)

    def input(self, value):
        """What a model is given; numbers of 0, which masks read, stay."""
        return value + self.share * value * self.signs(value.shape) if value.dtype == np.float32 else value

    def gradients(self, values):
        """All gradients of a step, by a share of the largest number of all, or of FLAT where all are less."""
        sizes = [keras.ops.max(keras.ops.abs(keras.ops.cast(g, "float32"))) for g in values if g is not None]
        change = self.share * keras.ops.max(keras.ops.stack([FLAT] + sizes))
        return [g if g is None else g + keras.ops.cast(change * self.signs(g.shape), g.dtype) for g in values]


focal = keras.src.losses.losses.binary_focal_crossentropy


def focal_of_moved(y_true, y_pred, from_logits=False, **options):
    """Keras computes it of probabilities, not of logits."""
    if from_logits and Noise.now:
        return focal(y_true, Noise.now.probability(keras.ops.sigmoid(y_pred)), **options)
    return focal(y_true, y_pred, from_logits=from_logits, **options)


keras.src.losses.losses.binary_focal_crossentropy = focal_of_moved

sigmoid = keras.src.backend.nn.sigmoid


def sigmoid_rounded_once(x):
    """TensorFlow rounds each step of a 16-bit sigmoid to the type: it gives 0.5039 of 0.0045, which is 0.5011."""
    return keras.ops.cast(sigmoid(keras.ops.cast(x, "float32")), x.dtype)


keras.src.backend.nn.sigmoid = sigmoid_rounded_once


def celu_of_one_side(x, alpha=1.0):
    """TensorFlow's slope at 0, where a padded pixel may be, is that of both sides together: 2."""
    alpha = keras.ops.cast(alpha, x.dtype)
    return keras.ops.where(x > 0, x, alpha * keras.ops.expm1(keras.ops.minimum(x, 0) / alpha))


keras.src.backend.nn.celu = celu_of_one_side


argmax = keras.src.backend.numpy.argmax


def argmax_of_moved(x, *axis, **options):
    """Numbers that are equal but for their last places, as those of columns of length 1, are in no order."""
    if Noise.now and x.dtype == "float32":
        x = x * (1 + 2.0 ** -22 * Noise.now.signs(x.shape))
    return argmax(x, *axis, **options)


keras.src.backend.numpy.argmax = argmax_of_moved


class Step(Noise):
    """Moves numbers to the next one of a 16-bit type, up or down."""

    def __init__(self, seed, dtype):
        super().__init__(seed)
        self.dtype = dtype

    def input(self, value):
        if value.dtype != np.float32:
            return value
        signs = self.signs(value.shape)
        if self.dtype == "float16":
            moved = np.nextafter(value.astype("float16"), np.float16("inf") * signs.astype("float16"))
        else:
            bits = value.view("int32").astype("int64") + 0x10000 * (signs * np.sign(value)).astype("int64")
            moved = bits.astype("int32").view("float32")
        return np.where(value == 0, value, moved.astype("float32"))

    weight = input
    gradients = None


def train(case, model, noise=None):
    """Answers of all actions, then the weights."""
    model.set_weights([noise.weight(w) if noise else w for w in case["weights"]])
    compile_model(case, model)
    if noise and noise.gradients:
        apply = model.optimizer.apply
        model.optimizer.apply = lambda grads, *variables: apply(noise.gradients(grads), *variables)
    Noise.now = noise
    try:
        answers = [numbers(run_action(case, model, action)) for action in case["actions"]]
    finally:
        Noise.now = None
    return answers, [np.array(w, dtype="float32") for w in model.get_weights()]


def is_finite(answers, final):
    values = [v for a in answers for v in (a.values() if isinstance(a, dict) else a)] + final
    return all(np.all(np.isfinite(v)) and np.all(np.abs(v) < 1e5) for v in values)


def build_anew(case):
    keras.utils.clear_session(free_memory=False)
    keras.config.set_dtype_policy(case.get("_policy_of_keras") or case.get("policy") or "float32")
    return build(case)[0]


def left_out_steps(optimizer):
    """Whether a step was left out as a gradient was not finite: the scale of the loss fell."""
    scale = getattr(optimizer, "dynamic_scale", None)
    return scale is not None and float(scale) < optimizer.initial_scale


def answer(case, model=None):
    """Adds what Keras gives to a case; False where Keras raises or overflows."""
    try:
        if model is None:
            model = build_anew(case)
        if "weights" not in case:
            rng = np.random.default_rng(sum(map(ord, case["name"])))
            case["weights"] = [space.weight_values(rng, w.path, tuple(w.shape)) for w in model.weights]
        case["answers"], case["final"] = train(case, model)
        case["_left_out_steps"] = left_out_steps(model.optimizer)
        return is_finite(case["answers"], case["final"])
    except Exception as problem:  # noqa: BLE001 - what Keras refuses is no case
        if os.environ.get("FUZZ_VERBOSE"):
            print("Keras refuses %s: %s" % (case["name"], problem))
        return False
    finally:
        keras.config.set_dtype_policy("float32")


def is_16_bit(case):
    return bool(case.get("policy") or case.get("mixed_layers"))


def flat(case_or_moved):
    return keras.tree.flatten([case_or_moved["answers"], case_or_moved["final"]])


def moved(case, seed):
    """The answers where weights and inputs are a little others, and gradients but for 16 bits."""
    model = build_anew(case)
    noise = Step(seed, (case.get("policy") or "mixed_bfloat16")[len("mixed_"):]) if is_16_bit(case) else Noise(seed)
    answers, final = train(dict(case, x=[noise.input(x) for x in case["x"]]), model, noise)
    keras.config.set_dtype_policy("float32")
    return dict(answers=answers, final=final)


def with_sensitivity(case, changes=CHANGES):
    """The case with `far`: how far each of its tensors may be from Keras', by how far that moves."""
    structure, far = [case["answers"], case["final"]], 0
    for seed in range(changes):
        far = np.maximum(far, [np.max(np.abs(one - other), initial=0) for one, other in
                               zip(flat(case), flat(moved(case, seed)), strict=True)])
    far = [float(np.nan_to_num(one, nan=np.inf)) * (2 if is_16_bit(case) else 8) for one in far]  # it may overflow
    answers, final = keras.tree.pack_sequence_as(structure, far)
    return dict(case, far=dict(answers=answers, final=final))


# ---- what Moonpod says ----------------------------------------------------------------------------------

def compact(value):
    """The same with tensors as short text: whole 64ths, or six digits."""
    if isinstance(value, dict):
        return {key: compact(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [compact(item) for item in value]
    if isinstance(value, np.ndarray):
        whole = value * space.GRID
        if value.dtype == np.float32 and np.array_equal(whole, np.round(whole)):
            return Raw(tensor_text(value, ["%d" % x for x in whole.ravel()], "scale = %d, " % space.GRID))
        if value.dtype == np.float32:
            return Raw(tensor_text(value, ["%.6g" % x for x in value.ravel()]))
    return value


def is_small(case):
    return sum(len(lua(compact(value))) for value in case.values()) <= KEPT_SIZE


def write(path, cases):
    write_cases(path, "tests/fuzz/models/run.py", [compact(case) for case in cases])


def keep(cases, wanted):
    """Adds cases to those that the tests run, until there are so many."""
    path = os.path.join(ROOT, "tests", "golden", "keras_random.lua")
    if not os.path.exists(path):
        write(path, [])
    with open(path) as file:
        kept = file.read()
    added = os.path.join(SCRATCH, "kept.lua")
    room = wanted - kept.count("\n    name = ")
    write(added, [one for one in cases if is_small(one)][:max(room, 0)])
    with open(added) as file:
        body = file.read().split("return {\n", 1)[1]
    with open(path, "w") as file:
        file.write(kept[:kept.rindex("}")] + body)


def compare(command, cases, path):
    """Runs cases in Moonpod: a message by name for those that differ."""
    write(path, cases)
    run = subprocess.run(command + [os.path.join(HERE, "run.lua"), path], capture_output=True, text=True, check=False)
    found = {}
    for line in run.stdout.splitlines():
        if line.startswith("differs "):
            name, message = line[len("differs "):].split(": ", 1)
            found[name] = message
    if run.returncode not in (0, 1) or run.returncode == 1 and not found:
        found[cases[0]["name"]] = "the host ended: " + (run.stdout + run.stderr)[-600:]
    return found


def without_overflow(case):
    """A float16 model with a loss scale at which Keras leaves out no step, or else with Keras' answers in float32."""
    for scale in LOSS_SCALES:
        small = dict(case, loss_scale=scale)
        if answer(small) and not small["_left_out_steps"]:
            overflows["with less loss scale"] += 1
            return small
    plain = dict(case, loss_scale=1.0, _policy_of_keras="float32")
    if not answer(plain):
        raise SystemExit("Keras overflows in float32, too: %s" % case["name"])
    overflows["beside float32"] += 1
    return plain


def differs(command, case, path):
    """The message of a case that differs beyond its sensitivity, else None."""
    message = compare(command, [case], path).get(case["name"])
    if message is None:
        return None
    if case.get("_left_out_steps") and not re.search(r" is -?(nan|inf)", message):
        case = without_overflow(case)
        if not is_16_bit(case) and compare(command, [case], path).get(case["name"]) is None:
            return None
    return (compare(command, [with_sensitivity(case)], path).get(case["name"])
            and compare(command, [with_sensitivity(case, MORE_CHANGES)], path).get(case["name"]))


# ---- shrinking ------------------------------------------------------------------------------------------

def without_node(case, at):
    """The case with node `at` taken out: what read it reads its first source."""
    first = len(case["inputs"])
    one = case["nodes"][at - first]
    source = one["sources"][0] if isinstance(one["sources"], list) else one["sources"]
    if any(other["layer"] == at for other in case["nodes"]):
        return None

    def moved(i):
        return source if i == at else i - 1 if i > at else i
    small = copy.deepcopy(case)
    del small["nodes"][at - first]
    for other in small["nodes"]:
        s = other["sources"]
        other["sources"] = [moved(i) for i in s] if isinstance(s, list) else moved(s)
        if isinstance(other["layer"], int):
            other["layer"] = moved(other["layer"])
        if "initial_state" in other["call"]:
            other["call"]["initial_state"] = other["sources"][1:]
    small["outputs"] = [moved(i) for i in case["outputs"]]
    return small


def used_nodes(case):
    used, waiting = set(), list(case["outputs"])
    first = len(case["inputs"])
    while waiting:
        at = waiting.pop()
        if at in used or at < first:
            continue
        used.add(at)
        one = case["nodes"][at - first]
        waiting += one["sources"] if isinstance(one["sources"], list) else [one["sources"]]
        if isinstance(one["layer"], int):
            waiting.append(one["layer"])
    return used


def smaller_cases(case):
    first = len(case["inputs"])
    used = used_nodes(case)
    for at in range(first + len(case["nodes"]) - 1, first - 1, -1):
        yield without_node(case, at) if at not in used or at not in case["outputs"] else None
    for i in range(len(case["actions"])):
        if len(case["actions"]) > 1:
            small = copy.deepcopy(case)
            del small["actions"][i]
            yield small
    for key in ("input_keys", "input_names", "output_keys", "sample_weight", "class_weight", "replicas",
                "steps_per_execution", "rematerialize", "run_eagerly",
                "policy", "loss_weights"):
        if case.get(key) is not None:
            yield {k: v for k, v in case.items() if k != key}
    for key in ("metrics", "weighted_metrics"):
        for i, several in enumerate(case[key]):
            for j in range(len(several)):
                small = copy.deepcopy(case)
                del small[key][i][j]
                yield small
    for i, one in enumerate(case["nodes"]):
        for key in list(one["options"]):
            if key not in ("name", "units", "filters", "layer", "cell"):
                small = copy.deepcopy(case)
                del small["nodes"][i]["options"][key]
                yield small
    for key in list(case["optimizer"].options):
        small = copy.deepcopy(case)
        del small["optimizer"].options[key]
        yield small


def is_number(message):
    """Whether a message is of a number that is not Keras', not of what Moonpod refuses."""
    return "; Keras has " in message


def shrink(command, case, path, seconds=60):
    """The smallest case found that still differs, a number or a refusal as before, and its message."""
    message = differs(command, case, path)
    if message is None:
        return None, None
    until = time.time() + seconds
    again = True
    while again and time.time() < until:
        again = False
        for small in smaller_cases(case):
            if small is None or time.time() > until:
                continue
            small = {k: v for k, v in small.items() if k not in ("weights", "answers", "final")}
            if not answer(small):
                continue
            now = differs(command, small, path)
            if now is not None and is_number(now) == is_number(message):
                case, message, again = small, now, True
                break
    return case, message


def show(case):
    """A case as one reads it."""
    lines = []
    for i, one in enumerate(case["inputs"]):
        lines.append("  %d = input %s %s" % (i, one["shape"], one["dtype"]))
    for i, one in enumerate(case["nodes"]):
        layer = one["layer"] if isinstance(one["layer"], (str, int)) else lua(one["layer"])
        lines.append("  %d = %s(%s)%s %s" % (i + len(case["inputs"]), layer, one["sources"], lua(one["options"]),
                                             lua(one["call"]) if one["call"] else ""))
    for key in ("rows", "batch", "batch_size", "input_keys", "input_names", "output_keys", "outputs", "loss", "metrics",
                "weighted_metrics", "optimizer", "actions", "zero_tail", "class_weight",
                "replicas", "steps_per_execution", "rematerialize", "run_eagerly", "policy", "loss_weights"):
        if case.get(key):
            lines.append("  %s = %s" % (key, lua(case[key])))
    weights = case.get("sample_weight")
    if weights is not None:
        lines.append("  sample_weight of shape %s"
                     % [w.shape for w in (weights if isinstance(weights, list) else [weights])])
    return "\n".join(lines)


# ---- runs -----------------------------------------------------------------------------------------------

def drawn_cases(seed, first, count):
    """Yields `count` cases with Keras' answers."""
    number, refused = first, 0
    while count > 0:
        keras.utils.clear_session(free_memory=False)
        drawn = space.draw(seed, number)
        number += 1
        if drawn is not None and answer(*drawn):
            count, refused = count - 1, 0
            yield with_sensitivity(drawn[0]) if is_16_bit(drawn[0]) else drawn[0]
        else:
            refused += 1
            if refused == 100:
                raise SystemExit("Keras refuses 100 models in a row; FUZZ_VERBOSE=1 says why")


def report(command, failed, path, as_drawn):
    """Shrinks and prints what differs beyond its sensitivity; returns how many do."""
    faults = 0
    for case, message in failed:
        if message.startswith("the host ended"):
            small, shown = case, message
        elif as_drawn:
            shown = differs(command, case, path)
            small = shown and case
        else:
            small, shown = shrink(command, case, path)
        if small is None:
            continue
        faults += 1
        print("model %s differs: %s\n%s" % (case["name"], shown, show(small)), flush=True)
    return faults


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", type=int, default=0, help="number of the first model drawn")
    options.add_argument("--keep", type=int, default=0,
                         help="add models that agree, with answers, to those of the tests, up to so many")
    options.add_argument("--as-drawn", action="store_true", help="make nothing smaller")
    options.add_argument("--lua", default="lua5.4")
    given = options.parse_args()
    command = given.lua.split()
    os.makedirs(SCRATCH, exist_ok=True)
    path = os.path.join(SCRATCH, "seed%d_%d.lua" % (given.seed, given.first))
    gc.collect()
    gc.freeze()  # TensorFlow's objects stay: a collection need not go through them
    done = differing = faults = 0
    part, started = [], time.time()
    for case in drawn_cases(given.seed, given.first, given.count):
        part.append(case)
        if len(part) < min(PART, given.count - done):
            continue
        found = compare(command, part, path)
        failed = [(one, found[one["name"]]) for one in part if one["name"] in found]
        differing += len(failed)
        if given.keep:
            keep([one for one in part if one["name"] not in found], given.keep)
        faults += report(command, failed, path, given.as_drawn)
        done, part = done + len(part), []
        judged = "".join(", %d %s" % (number, how) for how, number in sorted(overflows.items()))
        print("%d models, %d differ, %d beyond their sensitivity%s, %d s, up to %s" % (
            done, differing, faults, judged, time.time() - started, case["name"]), flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
