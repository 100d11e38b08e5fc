"""Answers chains of stages by tf.data: a line of JSON in, a line of text out. build.lua and answer.lua do the same
with Moonpod's datasets; run.lua compares."""
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
import numpy as np
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(2)
Dataset = tf.data.Dataset
MOST = 200


# ---- elements ----


def each(value, fn):
    if isinstance(value, (tuple, list)):
        return tuple(each(part, fn) for part in value)
    if isinstance(value, dict):
        return {key: each(part, fn) for key, part in value.items()}
    return fn(value)


def leaves(value):
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key])]
    return [value]


def packed(args):
    """tf.data spreads tuples over the arguments of a function."""
    return args[0] if len(args) == 1 else tuple(args)


def key(value):
    return tf.reduce_sum(tf.cast(leaves(value)[0], tf.int64))


# ---- functions: those of functions.lua ----


def affine(value, call):
    def leaf(x):
        if x.dtype == tf.bool:
            return tf.logical_not(x)
        return x * tf.cast(call["a"], x.dtype) + tf.cast(call["b"], x.dtype)

    return each(value, leaf)


MAPS = {
    "affine": affine,
    "pair": lambda value, call: (value, affine(value, call)),
    "swap": lambda value, call: (value[1], value[0]),
    "pick": lambda value, call: value[call["i"] - 1],
    "name": lambda value, call: {"a": value, "b": affine(value, call)},
    "field": lambda value, call: value[call["field"]],
    "sums": lambda value, call: each(value, lambda x: tf.reduce_sum(tf.cast(x, tf.int64))),
    "cast": lambda value, call: each(value, lambda x: tf.cast(x, call["dtype"])),
    "rows": lambda value, call: each(value, lambda x: tf.stack([x, x * tf.cast(call["a"], x.dtype)])),
}
INTERPRETED = {
    "fill": lambda x: tf.fill([x % 4], x),
    "double": lambda x: 2 * x,
    "scalar": lambda x: 3 * x + 1,
}


# ---- sources ----


def leaf_of(leaf, rows):
    shape = [rows] + leaf["shape"]
    size = int(np.prod(leaf["shape"], dtype=np.int64))
    values = np.array([i + 10 * leaf["number"] + k for i in range(rows) for k in range(size)], np.int64)
    if leaf["dtype"] == "bool":
        values = values % 2 == 1
    return tf.constant(values.reshape(shape).astype(leaf["dtype"]))


def structure_of(shape, rows):
    if isinstance(shape, list):
        return tuple(structure_of(part, rows) for part in shape)
    if "dtype" in shape:
        return leaf_of(shape, rows)
    return {name: structure_of(part, rows) for name, part in shape.items()}


def generator(call):
    rows = [np.array(row, np.int64) for row in call["rows"]]
    return Dataset.from_generator(lambda: iter(rows), output_signature=tf.TensorSpec([None], tf.int64))


SOURCES = {
    "range": lambda call: Dataset.range(call["start"], call["stop"], call["step"]),
    "slices": lambda call: Dataset.from_tensor_slices(structure_of(call["structure"], call["rows"])),
    "tensors": lambda call: Dataset.from_tensors(structure_of(call["structure"], call["rows"])),
    "generator": generator,
}


# ---- stages ----


def is_tuple(ds):
    return isinstance(ds.element_spec, tuple)


def function_of(ds, fn):
    """Elements as one value, whatever tf.data makes of tuples. Python's own ifs and loops stay what they are: to look
    for them takes longer than all the rest."""
    return tf.autograph.experimental.do_not_convert((lambda *args: fn(tuple(args))) if is_tuple(ds) else fn)


def padded_batch(ds, call):
    shapes = call.get("shapes")
    value = call.get("value")
    if shapes is not None:
        shapes = [None if size < 0 else size for size in shapes]
    if value is not None:
        value = tf.nest.map_structure(lambda spec: tf.cast(value, spec.dtype), ds.element_spec)
    return ds.padded_batch(call["size"], shapes, value, call.get("drop", False))


def window(ds, call):
    def of_window(structure):
        w = Dataset.zip(structure) if not isinstance(structure, Dataset) else structure
        if call.get("take") is not None:
            w = w.take(call["take"])
        return w.batch(call["batch"], call.get("drop_batch", False)) if call.get("batch") else w

    windows = ds.window(call["size"], call["shift"], call["stride"], call.get("drop", False))
    return windows.flat_map(function_of(ds, of_window))


def unbatch(ds, call):
    for spec in leaves(ds.element_spec):
        if 0 in spec.shape.as_list():
            raise NotImplementedError("TensorFlow 2.21 dies of rows without elements")
    return ds.unbatch()


EXPANSIONS = {
    "repeated": lambda value, call: Dataset.from_tensors(value).repeat(call["count"]),
    "rows": lambda value, call: Dataset.from_tensor_slices(value),
    "range": lambda value, call: Dataset.range(key(value) % call["count"]),
    "batches": lambda value, call: Dataset.from_tensors(value).repeat(call["count"]).batch(2),
}


def expander(ds, call):
    return function_of(ds, lambda value: EXPANSIONS[call["fn"]](value, call))


def group(ds, call):
    return ds.group_by_window(
        function_of(ds, lambda value: key(value) % call["modulus"]),
        tf.autograph.experimental.do_not_convert(lambda _, window: window.batch(call["batch"])),
        window_size=call["size"],
    )


def buckets(ds, call):
    return ds.bucket_by_sequence_length(
        function_of(ds, lambda value: tf.shape(leaves(value)[0])[0]),
        bucket_boundaries=call["boundaries"],
        bucket_batch_sizes=call["sizes"],
        drop_remainder=call.get("drop", False),
        pad_to_bucket_boundary=call.get("to_boundary", False),
    )


def scan(ds, call):
    @tf.autograph.experimental.do_not_convert
    def step(state, value):
        found = key(value)
        return state + found, (state, found)

    return ds.scan(tf.constant(0, tf.int64), step)


def zipped(ds, call):
    both = [ds] + [chain(other) for other in call["others"]]
    if call.get("last"):
        both[0], both[-1] = both[-1], both[0]
    return Dataset.zip(tuple(both))


def concatenate(ds, call):
    for other in call["others"]:
        ds = ds.concatenate(chain(other))
    return ds


def choose(ds, call):
    return Dataset.choose_from_datasets(
        [ds] + [chain(other) for other in call["others"]],
        Dataset.from_tensor_slices(tf.constant(call["choices"], tf.int64)),
        stop_on_empty_dataset=call.get("stop", False),
    )


def sample(ds, call):
    count = 1 + len(call["others"])
    return Dataset.sample_from_datasets(
        [ds] + [chain(other) for other in call["others"]],
        weights=[float(i + 1 == call["only"]) for i in range(count)],
        stop_on_empty_dataset=call.get("stop", False),
    )


STAGES = {
    "map": lambda ds, call: ds.map(function_of(ds, lambda value: MAPS[call["fn"]](value, call))),
    "interpret": lambda ds, call: ds.map(function_of(ds, INTERPRETED[call["fn"]])),
    "filter": lambda ds, call: ds.filter(function_of(ds, lambda value: key(value) % call["modulus"] != call["rest"])),
    "scan": scan,
    "batch": lambda ds, call: ds.batch(call["size"], call.get("drop", False)),
    "padded_batch": padded_batch,
    "take": lambda ds, call: ds.take(call["count"]),
    "skip": lambda ds, call: ds.skip(call["count"]),
    "repeat_": lambda ds, call: ds.repeat(call["count"]),
    "unbatch": unbatch,
    "shard": lambda ds, call: ds.shard(call["count"], call["index"]),
    "enumerate": lambda ds, call: ds.enumerate(call["start"]),
    "cache": lambda ds, call: ds.cache(),
    "save": lambda ds, call: ds,
    "pin": lambda ds, call: ds,
    "prefetch": lambda ds, call: ds.prefetch(call["count"]),
    "shuffle_one": lambda ds, call: ds.shuffle(1),
    "window": window,
    "flat_map": lambda ds, call: ds.flat_map(expander(ds, call)),
    "interleave": lambda ds, call: ds.interleave(expander(ds, call), call["cycle"], call["block"]),
    "group": group,
    "buckets": buckets,
    "zip": zipped,
    "concatenate": concatenate,
    "choose": choose,
    "sample": sample,
}


built = {}  # datasets of the chain in hand by what they are made of: others of several inputs begin alike


def chain(calls):
    text = json.dumps(calls)
    if text not in built:
        call = calls[-1]
        built[text] = SOURCES[call["op"]](call) if len(calls) == 1 else STAGES[call["op"]](chain(calls[:-1]), call)
    return built[text]


# ---- answers: those of answer.lua ----


def structure_text(value, leaf_text):
    if isinstance(value, (tuple, list)):
        return "{" + " ".join(structure_text(part, leaf_text) for part in value) + "}"
    if isinstance(value, dict):
        return "{" + " ".join(name + "=" + structure_text(value[name], leaf_text) for name in sorted(value)) + "}"
    return leaf_text(value)


def tensor_text(tensor):
    array = tensor.numpy()
    form = "%.9g" if array.dtype.kind == "f" else "%d"
    values = " ".join(form % value for value in array.reshape(-1).tolist())
    return "%s[%s|%s]" % (array.dtype.name, ",".join(str(size) for size in array.shape), values)


def spec_text(spec):
    if spec.shape.rank is None:
        return "%s(?)" % spec.dtype.name
    return "%s(%s)" % (spec.dtype.name, ",".join("any" if size is None else str(size) for size in spec.shape))


def answer(calls):
    built.clear()
    ds = chain(calls)
    options = tf.data.Options()
    options.threading.private_threadpool_size = 1
    options.experimental_optimization.apply_default_optimizations = False
    texts, message = [], ""
    try:
        for value in ds.with_options(options).take(MOST):
            texts.append(structure_text(value, tensor_text))
    except tf.errors.OpError as failure:
        texts.append("error")
        message = " ".join(str(failure).split())[:300]
    spec = structure_text(ds.element_spec, spec_text)
    return "%s #%d: %s\t%s" % (spec, ds.cardinality().numpy(), " ".join(texts), message)


for line in sys.stdin:
    try:
        text = answer(json.loads(line))
    except NotImplementedError as failure:
        text = "died\t" + str(failure)
    except Exception as failure:  # what it is is for a person to judge
        text = "refused\t" + " ".join(str(failure).split())[:300]
    print(text, flush=True)
