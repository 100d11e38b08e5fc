"""Files of other programs: NumPy, TensorFlow, safetensors.

    python tests/golden/data_files.py golden > tests/golden/data_files.lua    files as hexadecimal bytes
    python tests/golden/data_files.py write DIRECTORY                         the same as files
    python tests/golden/data_files.py read DIRECTORY                          checks what Moonpod wrote there
"""
import csv
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import safetensors.numpy
try:
    import tensorflow as tf
except ImportError:  # then read leaves its files out
    tf = None

FLOATS = np.array([[1.5, -2.0, 3.25], [4.0, 5.0, 6.0]], np.float32)
INTEGERS = np.array([7, -8, 9], np.int64)
BYTES = np.arange(6, dtype=np.uint8).reshape(2, 3)


def example():
    feature = tf.train.Feature
    return tf.train.Example(features=tf.train.Features(feature={
        "f": feature(float_list=tf.train.FloatList(value=[0.5, -1.0])),
        "i": feature(int64_list=tf.train.Int64List(value=[3, -4])),
        "s": feature(bytes_list=tf.train.BytesList(value=[b"hi"])),
    })).SerializeToString(deterministic=True)


def records(path, compression):
    with tf.io.TFRecordWriter(path, compression) as writer:
        for record in (b"abc", b"", example()):
            writer.write(record)


def write(directory):
    at = lambda name: os.path.join(directory, name)
    np.save(at("floats.npy"), FLOATS)
    np.save(at("columns.npy"), np.asfortranarray(FLOATS))
    np.savez(at("arrays.npz"), floats=FLOATS, integers=INTEGERS)
    np.savez_compressed(at("packed.npz"), floats=FLOATS, bytes=BYTES)
    safetensors.numpy.save_file({"floats": FLOATS, "integers": INTEGERS}, at("arrays.safetensors"), {"made": "here"})
    records(at("plain.tfrecord"), "")
    records(at("gzip.tfrecord"), "GZIP")
    records(at("zlib.tfrecord"), "ZLIB")
    with open(at("table.csv"), "w", newline="") as file:
        csv.writer(file).writerows([["a", "b", "c"], [1, 2.5, 'x "y"'], [-3, "", "line\nbreak"]])


def demand(holds, what):
    if not holds:
        sys.exit("not as written: " + what)


def same(found, wanted, what):
    demand(found.dtype == wanted.dtype and found.shape == wanted.shape and (found == wanted).all(), what)


def read(directory):
    at = lambda name: os.path.join(directory, name)
    same(np.load(at("floats.npy")), FLOATS, "npy")
    for name in ("arrays.npz", "packed.npz"):
        arrays = np.load(at(name))
        demand(sorted(arrays.files) == ["floats", "integers"], name)
        same(arrays["floats"], FLOATS, name)
        same(arrays["integers"], INTEGERS, name)
    arrays = safetensors.numpy.load_file(at("arrays.safetensors"))
    same(arrays["floats"], FLOATS, "safetensors")
    same(arrays["integers"], INTEGERS, "safetensors")
    with safetensors.safe_open(at("arrays.safetensors"), "np") as file:
        demand(file.metadata() == {"made": "here"}, "safetensors: metadata")
    if tf is None:
        print("without TensorFlow: all others as written")
        return
    for name, compression in (("plain", ""), ("gzip", "GZIP"), ("zlib", "ZLIB")):
        found = [r.numpy() for r in tf.data.TFRecordDataset(at(name + ".tfrecord"), compression)]
        demand(found[:2] == [b"abc", b""] and len(found) == 3, name + ".tfrecord")
        parsed = tf.train.Example.FromString(found[2]).features.feature
        demand(list(parsed["f"].float_list.value) == [0.5, -1.0], "example: f")
        demand(list(parsed["i"].int64_list.value) == [3, -4], "example: i")
        demand(list(parsed["s"].bytes_list.value) == [b"hi"], "example: s")
        demand(found[2] == example(), "example: its bytes")
    print("all as written")


def golden():
    import tempfile

    print("-- Made by tests/golden/data_files.py with NumPy %s, TensorFlow %s, safetensors %s."
          % (np.__version__, tf.__version__, safetensors.__version__))
    print("return {")
    with tempfile.TemporaryDirectory() as directory:
        write(directory)
        for name in sorted(os.listdir(directory)):
            with open(os.path.join(directory, name), "rb") as file:
                text = file.read().hex()
            print('  ["%s"] = table.concat {' % name)
            for i in range(0, len(text), 110):
                print('    "%s",' % text[i:i + 110])
            print("  },")
    print("}")


if sys.argv[1] == "golden":
    golden()
else:
    {"write": write, "read": read}[sys.argv[1]](sys.argv[2])
