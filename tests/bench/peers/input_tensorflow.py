"""The cases of ../input.lua in tf.data: `input_tensorflow.py NAME SECONDS PICTURES` prints one JSON line."""

import json
import os
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf  # noqa: E402

from common import read  # noqa: E402

BATCH, AUTOTUNE = 1024, tf.data.AUTOTUNE
name, seconds, pictures = sys.argv[1], float(sys.argv[2]), sys.argv[3]


def rate(dataset, limit=None):
    """Elements a second of batches, over whole passes (or as much of one as the limit allows), after a first one."""
    def one_pass():
        batches, began = 0, time.perf_counter()
        for _ in dataset:
            batches += 1
            if limit and time.perf_counter() - began > limit:
                break
        return batches, time.perf_counter() - began

    one_pass()
    elements = elapsed = 0
    while elapsed < seconds:
        batches, took = one_pass()
        elements, elapsed = elements + batches * BATCH, elapsed + took
    return elements / elapsed


def to_floats(image, label):
    return tf.cast(image, tf.float32) / 255, tf.cast(label, tf.int32)


def images():
    x = read("train-images-idx3-ubyte.gz", 16).reshape(60000, 784)
    return tf.data.Dataset.from_tensor_slices((x, read("train-labels-idx1-ubyte.gz", 8))).shuffle(60000, seed=1)


def parse(record):
    row = tf.io.parse_single_example(record, {"image": tf.io.FixedLenFeature((), tf.string),
                                              "label": tf.io.FixedLenFeature((), tf.int64)})
    return to_floats(tf.io.decode_png(row["image"], channels=1), row["label"])


def python_function(i):
    return float(i * 2 + 1 if i % 2 == 0 else i / 2)


def called(i):
    return tf.py_function(python_function, [i], tf.float32)


if name == "memory":
    result = rate(images().batch(BATCH, drop_remainder=True).map(to_floats, AUTOTUNE).prefetch(AUTOTUNE))
elif name == "map_first":
    result = rate(images().map(to_floats, AUTOTUNE).batch(BATCH, drop_remainder=True).prefetch(AUTOTUNE))
elif name == "pictures":
    result = rate(tf.data.TFRecordDataset(pictures).map(parse, AUTOTUNE).batch(BATCH, drop_remainder=True)
                  .prefetch(AUTOTUNE), seconds)
else:
    result = rate(tf.data.Dataset.range(20 * BATCH).map(called, AUTOTUNE).batch(BATCH, drop_remainder=True)
                  .prefetch(AUTOTUNE))
print(json.dumps({"peer": "tensorflow " + tf.__version__, "case": name, "elements_per_s": round(result)}))
