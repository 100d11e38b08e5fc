"""Models as data, which Keras and Moonpod make alike, and their text in Lua: what the golden cases and the random
models have in common.

A case is data: class names and options that mean the same on both sides. Option values that are objects are written as
obj(kind, class, options). Tensors are written as "dtype" "shape" and a string of %.9g numbers.
"""
import re

import keras
import numpy as np

BATCH = 12


class Obj:
    """An object in an option: made from class and options on both sides."""

    def __init__(self, kind, name, options, arguments=()):
        self.kind, self.name, self.options, self.arguments = kind, name, options, arguments

    def make(self):
        options = {key: make(value) for key, value in self.options.items()}
        if self.kind == "residual":
            return Residual(options["layers"], name=options.get("name"))
        if self.kind == "sequential":
            return keras.Sequential([keras.Input(options["shape"])] + options["layers"], name=options.get("name"))
        space = {"layer": keras.layers, "schedule": keras.optimizers.schedules, "regularizer": keras.regularizers,
                 "constraint": keras.constraints, "initializer": keras.initializers, "loss": keras.losses,
                 "optimizer": keras.optimizers, "metric": keras.metrics}[self.kind]
        return getattr(space, self.name)(**options)


class Residual(keras.Model):
    """A model of a class of one's own: layers one after the other, and what they were given added."""

    def __init__(self, inner, name=None):
        super().__init__(name=name)
        self.inner = inner

    def call(self, x, training=None):
        out = x
        for layer in self.inner:
            out = layer(out, training=training) if layer._call_has_training_arg else layer(out)
        return x + out


def obj(kind, name, /, **options):
    return Obj(kind, name, options)


def make(value):
    if isinstance(value, Obj):
        return value.make()
    if isinstance(value, (list, tuple)):
        return [make(item) for item in value]
    return value


# ---- Lua text ------------------------------------------------------------------------------------------------------

def snake(name):
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


LUA_NAMES = {"LeakyReLU": "leaky_relu", "AdamW": "adamw", "RMSprop": "rmsprop",
             "PReLU": "prelu", "FBetaScore": "fbeta_score", "CosineDecayRestarts": "cosine_decay_restarts"}


def lua_name(name):
    return LUA_NAMES.get(name, snake(name))


def number(x):
    x = float(x)
    if x != x:
        return "nan"
    if x in (float("inf"), float("-inf")):
        return "inf" if x > 0 else "-inf"
    return "%.9g" % x


def wrap(words, width=112):
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) + 1 > width:
            lines.append(line)
            line = word
        else:
            line = word if not line else line + " " + word
    lines.append(line)
    return "\n".join(lines)


class Raw:
    """Text of Lua as it is."""

    def __init__(self, text):
        self.text = text


def tensor_text(array, words, scale=""):
    return '{ tensor = "%s", shape = {%s}, %sdata = [[%s]] }' % (
        array.dtype, ", ".join(map(str, array.shape)), scale, wrap(words))


def lua(value):
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Obj):
        return "{ object = %s, class = %s, options = %s }" % (lua(value.kind), lua(lua_name(value.name)),
                                                              lua(value.options))
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        if "\n" in value:
            return "[[\n" + value + "]]"
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (int, float)):
        text = number(value)
        return {"inf": "math.huge", "-inf": "-math.huge", "nan": "0 / 0"}.get(text, text)
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        array = array.astype("float32") if array.dtype == np.float64 else array
        return tensor_text(array, [number(x) for x in array.ravel()])
    if isinstance(value, (list, tuple)):
        return "{ " + ", ".join(lua(item) for item in value) + " }" if value else "{}"
    if isinstance(value, dict):
        parts = ["%s = %s" % (key, lua(item)) for key, item in value.items() if item is not None]
        return "{ " + ", ".join(parts) + " }" if parts else "{}"
    raise TypeError(type(value))


def write_cases(path, maker, cases):
    """Writes a list of cases as a Lua file."""
    with open(path, "w") as out:
        out.write("-- Made by %s with Keras %s.\n\nreturn {\n" % (maker, keras.__version__))
        for case in cases:
            out.write("  {\n")
            for key, value in case.items():
                if value is not None and not key.startswith("_"):
                    out.write("    %s = %s,\n" % (key, lua(value)))
            out.write("  },\n")
        out.write("}\n")


# ---- models --------------------------------------------------------------------------------------------------------

def inp(name, shape, dtype="float32", high=None):
    """An input: shape without the batch; integers are below `high`."""
    return {"name": name, "shape": list(shape), "dtype": dtype, "high": high}


def node(layer, options=None, sources=0, **call):
    """A call of a layer on nodes by number (inputs come first, from 0). `layer` may be the number of an earlier node
    whose layer is called again."""
    return {"layer": layer, "options": options or {}, "sources": sources, "call": call}


def draw(rng, name, shape):
    value = rng.normal(size=shape) * 0.4
    if "variance" in name:
        value = np.abs(value) + 0.5
    if name.endswith("gamma") or name.endswith("scale"):
        value = 1 + value * 0.5
    return value.astype("float32")


def draw_input(rng, one, batch=BATCH):
    if one["dtype"].startswith("int"):
        value = rng.integers(0, one["high"], size=[batch] + one["shape"])
        return value.astype(one["dtype"])
    return rng.normal(size=[batch] + one["shape"]).astype("float32")


def build(case):
    tensors = [keras.Input(shape=one["shape"], dtype=one["dtype"], name=one["name"],
                           batch_size=case.get("batch_size")) for one in case["inputs"]]
    made = [None] * len(tensors)
    for one in case["nodes"]:
        if isinstance(one["layer"], int):
            layer = made[one["layer"]]
        elif isinstance(one["layer"], Obj):
            layer = make(one["layer"])
        else:
            options = {key: make(value) for key, value in one["options"].items()}
            layer = getattr(keras.layers, one["layer"])(**options)
        sources = one["sources"]
        args = [tensors[i] for i in sources] if isinstance(sources, list) else tensors[sources]
        call = dict(one["call"])
        if "initial_state" in call:  # nodes by number
            args, call["initial_state"] = args[0], [tensors[i] for i in call["initial_state"]]
        if one["layer"] in ("MultiHeadAttention", "GroupQueryAttention"):
            args = args if isinstance(args, list) else [args]
            out = layer(args[0], args[1] if len(args) > 1 else args[0], *args[2:], **call)
        else:
            out = layer(args, **call)
        made.append(layer)
        tensors.append(out)
    outputs = [tensors[i] for i in case["outputs"]]
    inputs = tensors[:len(case["inputs"])]
    return keras.Model(by_key(inputs, case.get("input_keys")), by_key(outputs, case.get("output_keys")),
                       name=case.get("model_name")), made


def one_or_list(values):
    return values if len(values) > 1 else values[0]


def by_key(values, keys):
    """A dictionary where there are keys."""
    return dict(zip(keys, values)) if keys else one_or_list(values)
