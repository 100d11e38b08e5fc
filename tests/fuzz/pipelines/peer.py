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


def whole(x, dtype):
    if x.dtype.is_floating:
        x = tf.where(tf.abs(x) < 100, x, tf.cast(7, x.dtype))
    return tf.cast(x, dtype)


def key(value):
    return tf.reduce_sum(whole(leaves(value)[0], tf.int64))


def checked(value, call):
    fail = call.get("fail")
    if not fail:
        return value
    with tf.control_dependencies([tf.debugging.Assert(key(value) % fail[0] != fail[1], ["no luck"])]):
        return each(value, tf.identity)


# ---- functions: those of functions.lua ----


def affine(value, call):
    def leaf(x):
        if x.dtype == tf.bool:
            return tf.logical_not(x)
        sign = abs if x.dtype.is_unsigned else int
        return x * tf.cast(sign(call["a"]), x.dtype) + tf.cast(sign(call["b"]), x.dtype)

    return each(value, leaf)


MAPS = {
    "affine": affine,
    "fail": checked,
    "pair": lambda value, call: (value, affine(value, call)),
    "swap": lambda value, call: (value[1], value[0]),
    "pick": lambda value, call: value[call["i"] - 1],
    "name": lambda value, call: {"a": value, "b": affine(value, call)},
    "field": lambda value, call: value[call["field"]],
    "sums": lambda value, call: each(value, lambda x: tf.reduce_sum(whole(x, tf.int64))),
    "cast": lambda value, call: each(value, lambda x: (whole if "int" in call["dtype"] else tf.cast)(x, call["dtype"])),
    "rows": lambda value, call: each(value, lambda x: tf.stack([x, x * tf.cast(call["a"], x.dtype)])),
}
INTERPRETED = {
    "fill": lambda x: tf.fill([x % 4], x),
    "double": lambda x: 2 * x,
    "scalar": lambda x: 3 * x + 1,
    "fails": lambda x: checked(x, {"fail": [7, 4]}),
}


# ---- sources ----


def extremes_of(dtype):
    if "float" in dtype:
        return np.array([np.nan, np.inf, -np.inf, -0.0, 0.5, 3e38, -1e30, 1], np.float32)
    low, high = tf.as_dtype(dtype).min, tf.as_dtype(dtype).max
    if dtype == "uint64":
        return np.array([2**63, 2**63 - 1, 0, high, 1, 5], np.uint64)
    if low == 0:
        return np.array([0, high, high // 2 + 1, high // 2, 1, 5], dtype)
    return np.array([low, high, 0, -1, 1, 5], dtype)


def leaf_of(leaf, rows):
    shape = [rows] + leaf["shape"]
    size = int(np.prod(leaf["shape"], dtype=np.int64))
    values = np.array([i + 10 * leaf["number"] + k for i in range(rows) for k in range(size)], np.int64)
    if leaf["dtype"] == "bool":
        values = values % 2 == 1
    if leaf.get("extreme"):
        extremes = extremes_of(leaf["dtype"])
        values = extremes[values % len(extremes)]
    if "float" in leaf["dtype"]:
        values = values.astype(np.float32)
    with np.errstate(over="ignore"):
        return tf.constant(values.reshape(shape).astype(tf.as_dtype(leaf["dtype"]).as_numpy_dtype))


def structure_of(shape, rows):
    if isinstance(shape, list):
        return tuple(structure_of(part, rows) for part in shape)
    if "dtype" in shape:
        return leaf_of(shape, rows)
    return {name: structure_of(part, rows) for name, part in shape.items()}


def generator(call):
    def rows():
        for i, row in enumerate(call["rows"] + [[]]):
            if i + 1 == call.get("fails"):
                raise ValueError("no luck")
            if i < len(call["rows"]):
                yield np.array(row, np.int64)

    return Dataset.from_generator(rows, output_signature=tf.TensorSpec([None], tf.int64))


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
    "checked_rows": lambda value, call: checked_rows(Dataset.from_tensor_slices(value), call),
    "range": lambda value, call: Dataset.range(key(value) % call["count"]),
    "batches": lambda value, call: Dataset.from_tensors(value).repeat(call["count"]).batch(2),
}


def checked_rows(ds, call):
    return ds.map(function_of(ds, lambda row: checked(row, {"fail": call["row_fail"]})))


def expander(ds, call):
    return function_of(ds, lambda value: EXPANSIONS[call["fn"]](checked(value, call), call))


def group(ds, call):
    @tf.autograph.experimental.do_not_convert
    def reduce(number, window):
        tf.debugging.Assert(number != call.get("reduce_fails", -1), ["no luck"])
        return window.batch(call["batch"])

    return ds.group_by_window(
        function_of(ds, lambda value: key(checked(value, call)) % call["modulus"]), reduce, window_size=call["size"]
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
        found = key(checked(value, call))
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
    "filter": lambda ds, call: ds.filter(
        function_of(ds, lambda value: key(checked(value, call)) % call["modulus"] != call["rest"])
    ),
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
    "shuffle_one": lambda ds, call: ds,  # one that fails keeps the elements in its buffer, here they come before
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
    shape, name = array.shape, array.dtype.name
    array = array.astype(np.float32) if name == "bfloat16" else array.astype(np.int64) if name == "uint64" else array
    form = "%.17g" if name == "float64" else "%.9g" if "float" in name else "%d"
    values = " ".join(form % value for value in array.reshape(-1).tolist())
    return "%s[%s|%s]" % (name, ",".join(str(size) for size in shape), values)


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
