"""The cases of ../service.lua in tf.data service: `service_tensorflow.py NAME WORKERS SECONDS FOLDER` prints one JSON
line; `service_tensorflow.py make FOLDER` writes the files that both read."""

import json
import os
import re
import subprocess
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

from common import read  # noqa: E402

PORT, AUTOTUNE = 15050, tf.data.AUTOTUNE
DISPATCHER = f"127.0.0.1:{PORT}"


def make(folder):
    """Pictures that are smooth, as photographs are, and records that are noise."""
    rng = np.random.default_rng(1)
    with tf.io.TFRecordWriter(folder + "/pictures.tfrecord") as writer:
        for _ in range(512):
            small = tf.constant(rng.integers(0, 256, (28, 28, 3)), tf.float32)
            picture = tf.cast(tf.image.resize(small, (224, 224), "bicubic"), tf.int32)
            encoded = tf.io.encode_jpeg(tf.cast(tf.clip_by_value(picture, 0, 255), tf.uint8), quality=90).numpy()
            feature = {"image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[encoded]))}
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    with tf.io.TFRecordWriter(folder + "/records.tfrecord") as writer:
        for _ in range(20000):
            writer.write(rng.bytes(1024))


def serve(role):
    service = tf.data.experimental.service
    if role == "dispatcher":
        server = service.DispatchServer(service.DispatcherConfig(port=PORT))
    else:
        server = service.WorkerServer(service.WorkerConfig(
            dispatcher_address=DISPATCHER, worker_address="127.0.0.1:%port%", port=0))
    print("ready", flush=True)
    sys.stdin.read()
    del server


def start(role):
    server = subprocess.Popen([sys.executable, __file__, "serve", role], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdout.readline()
    return server


def memory(folder):
    del folder
    def to_floats(image, label):
        return tf.cast(image, tf.float32) / 255, tf.cast(label, tf.int32)
    rows = read("train-images-idx3-ubyte.gz", 16).reshape(60000, 784), read("train-labels-idx1-ubyte.gz", 8)
    return tf.data.Dataset.from_tensor_slices(rows).map(to_floats, AUTOTUNE).batch(128, drop_remainder=True), 128


def jpeg(folder):
    def parse(record):
        row = tf.io.parse_single_example(record, {"image": tf.io.FixedLenFeature((), tf.string)})
        return tf.ensure_shape(tf.io.decode_jpeg(row["image"], channels=3), (224, 224, 3))
    return tf.data.TFRecordDataset(folder + "/pictures.tfrecord").map(parse, AUTOTUNE).batch(
        32, drop_remainder=True), 32


def records(folder):
    return tf.data.TFRecordDataset(folder + "/records.tfrecord"), 1


def sent():
    with open("/proc/net/dev") as file:
        return int(re.search(r"lo:\s*(\d+)", file.read()).group(1))


def measure(name, workers, seconds, folder):
    servers = [start("dispatcher")] + [start("worker") for _ in range(workers)]
    dataset, size = {"memory": memory, "divided": memory, "jpeg": jpeg, "records": records}[name](folder)
    sharding = tf.data.experimental.service.ShardingPolicy
    dataset = dataset.repeat().apply(tf.data.experimental.service.distribute(
        processing_mode=sharding.OFF if name == "memory" else sharding.DYNAMIC, service="grpc://" + DISPATCHER))
    elements = iter(dataset)
    warm = time.perf_counter() + 1
    while time.perf_counter() < warm:
        next(elements)
    began, before, count = time.perf_counter(), sent(), 0
    while time.perf_counter() - began < seconds:
        next(elements)
        count += size
    took = time.perf_counter() - began
    print(json.dumps({"peer": "tensorflow " + tf.__version__, "case": name, "elements_per_s": round(count / took, 1),
                      "bytes_per_element": round((sent() - before) / count, 1)}), flush=True)
    for server in servers:
        server.kill()
    os._exit(0)


if sys.argv[1] == "make":
    make(sys.argv[2])
elif sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    measure(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
