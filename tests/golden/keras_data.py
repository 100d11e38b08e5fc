"""Makes small files in the form of those that Keras' data sets are, and what Keras' own loaders read of them.

    build/peers/bin/python tests/golden/keras_data.py

writes tests/golden/keras_data: mnist.npz and its like, and expected.json. The pickles are those of Python 2 with
protocol 2, as in Toronto's archives, or of Python 3, as NumPy writes them.
"""

import hashlib
import io
import json
import os
import struct
import tarfile
import tempfile

os.environ["KERAS_BACKEND"] = "numpy"

import numpy as np  # noqa: E402
from keras.src.datasets import boston_housing, cifar, cifar100, imdb, mnist, reuters  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_data")
ROWS = 3


class Python2:
    """Pickles as cPickle of Python 2 wrote them: protocol 2, numbers of the memo from 1."""

    def __init__(self):
        self.out, self.memo = [b"\x80\x02"], 0

    def put(self):
        self.memo += 1
        self.out.append(b"q" + bytes([self.memo]) if self.memo < 256 else b"r" + struct.pack("<I", self.memo))

    def text(self, value):
        short = len(value) < 256
        self.out.append((b"U" + bytes([len(value)]) if short else b"T" + struct.pack("<I", len(value))) + value)
        self.put()

    def number(self, value):
        if 0 <= value < 256:
            self.out.append(b"K" + bytes([value]))
        elif 0 <= value < 65536:
            self.out.append(b"M" + struct.pack("<H", value))
        else:
            self.out.append(b"J" + struct.pack("<i", value))

    def array(self, value):
        self.out.append(b"cnumpy.core.multiarray\n_reconstruct\n")
        self.put()
        self.out.append(b"cnumpy\nndarray\n")
        self.put()
        self.out.append(b"K\x00\x85")
        self.put()
        self.text(b"b")
        self.out.append(b"\x87")
        self.put()
        self.out.append(b"R")
        self.put()
        self.out.append(b"(K\x01")
        for size in value.shape:
            self.number(size)
        self.out.append(b"\x86")
        self.put()
        self.out.append(b"cnumpy\ndtype\n")
        self.put()
        self.text(b"u1")
        self.out.append(b"K\x00K\x01\x87")
        self.put()
        self.out.append(b"R")
        self.put()
        self.out.append(b"(K\x03")
        self.text(b"|")
        self.out.append(b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t")
        self.put()
        self.out.append(b"b\x89")
        self.text(value.tobytes())
        self.out.append(b"t")
        self.put()
        self.out.append(b"b")

    def value(self, value):
        if isinstance(value, bytes):
            self.text(value)
        elif isinstance(value, int):
            self.number(value)
        elif isinstance(value, np.ndarray):
            self.array(value)
        elif isinstance(value, list):
            self.out.append(b"]")
            self.put()
            self.out.append(b"(")
            for item in value:
                self.value(item)
            self.out.append(b"e")
        else:
            self.out.append(b"}")
            self.put()
            self.out.append(b"(")
            for key, item in value.items():
                self.value(key)
                self.value(item)
            self.out.append(b"u")

    def bytes(self, value):
        self.value(value)
        return b"".join(self.out) + b"."


def pictures(seed):
    """Rows of bytes that compress: each a slope of its own."""
    start = np.arange(ROWS)[:, None] * 31 + seed
    return ((start + np.arange(3072)[None, :] // 16) % 256).astype("uint8")


def archive(name, members):
    """A tar file as GNU tar writes it, with folders and a page between the members."""
    with tarfile.open(os.path.join(FOLDER, name), "w:gz", format=tarfile.GNU_FORMAT, compresslevel=9) as tar:
        for path, content in members:
            info = tarfile.TarInfo(path)
            info.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            info.size = len(content or b"")
            tar.addfile(info, io.BytesIO(content or b""))


def make_pictures():
    members = [("cifar-10-batches-py/", None)]
    for number, member in enumerate(["data_batch_4", "test_batch"] + [f"data_batch_{i}" for i in (3, 2, 5, 1)]):
        members.append((f"cifar-10-batches-py/{member}", Python2().bytes({
            b"batch_label": f"batch {number}".encode(),
            b"labels": [(number + i) % 10 for i in range(ROWS)],
            b"data": pictures(number),
            b"filenames": [f"picture_{i}.png".encode() for i in range(ROWS)],
        })))
        if number == 1:
            members.append(("cifar-10-batches-py/readme.html", b"<p>a page, of " + b"many words " * 60 + b"</p>"))
    archive("cifar-10-python.tar.gz", members)
    members = [("cifar-100-python/", None)]
    for number, member in enumerate(["train", "test"]):
        members.append((f"cifar-100-python/{member}", Python2().bytes({
            b"filenames": [f"picture_{i}.png".encode() for i in range(ROWS)],
            b"batch_label": b"all",
            b"fine_labels": [90 + i - number for i in range(ROWS)],
            b"coarse_labels": [19 - i - number for i in range(ROWS)],
            b"data": pictures(number + 100),
        })))
    archive("cifar-100-python.tar.gz", members)


def sentences(draw, count):
    """Lists of numbers of words, small ones more frequent, one above 65535."""
    rows = [[int(w) for w in np.minimum(draw.zipf(1.3, draw.integers(3, 25)), 70000)] for _ in range(count)]
    rows[0].append(66000)
    result = np.empty(count, dtype=object)
    result[:] = rows
    return result


def make_arrays():
    draw = np.random.default_rng(7)

    def path(name):
        return os.path.join(FOLDER, name)

    np.savez_compressed(path("mnist.npz"), x_train=draw.integers(0, 2, (5, 28, 28)).astype("uint8") * 255,
                        y_train=draw.integers(0, 10, 5).astype("uint8"),
                        x_test=draw.integers(0, 2, (2, 28, 28)).astype("uint8") * 255,
                        y_test=draw.integers(0, 10, 2).astype("uint8"))
    np.savez(path("boston_housing.npz"), x=draw.normal(size=(21, 13)).round(3), y=draw.normal(size=21).round(1))
    np.savez_compressed(path("imdb.npz"), x_train=sentences(draw, 40), y_train=draw.integers(0, 2, 40),
                        x_test=sentences(draw, 30), y_test=draw.integers(0, 2, 30))
    np.savez_compressed(path("reuters.npz"), x=sentences(draw, 50), y=draw.integers(0, 46, 50))


def plain(part):
    """An array as lists; pictures as their shape and the sum of their bytes."""
    if getattr(part, "dtype", None) == np.uint8 and part.ndim > 2:
        return {"shape": part.shape, "sha256": hashlib.sha256(part.tobytes()).hexdigest()}
    return [row if isinstance(row, list) else row.tolist() for row in part]


def listed(parts):
    (x_train, y_train), (x_test, y_test) = parts
    return {"x_train": plain(x_train), "y_train": plain(y_train), "x_test": plain(x_test), "y_test": plain(y_test)}


# What is asked of texts: Keras' arguments, None as false.
TEXTS = [{}, {"num_words": 20, "skip_top": 3}, {"num_words": 50, "oov_char": None, "maxlen": 15},
         {"start_char": None, "index_from": 0, "seed": 5}, {"start_char": None, "index_from": 2, "skip_top": 4}]


def load_pictures(folder, members, label):
    """Keras' load() knows 10000 rows a member alone: what it does with what its own load_batch() gives."""
    parts = [cifar.load_batch(os.path.join(folder, member), label) for member in members]
    x = np.concatenate([data for data, _ in parts]).transpose(0, 2, 3, 1)
    return x, np.concatenate([labels for _, labels in parts]).astype("uint8").reshape(-1, 1)


def expected():
    for module in (mnist, boston_housing, imdb, reuters):
        module.get_file = lambda *name, fname=None, **_: os.path.join(FOLDER, fname or name[0])
    result = {"mnist": listed(mnist.load_data()), "texts": []}
    result["boston_housing"] = [[{"test_split": share, "seed": seed},
                                 listed(boston_housing.load_data(test_split=share, seed=seed))]
                                for share, seed in ((0.2, 113), (0.5, 7), (0.0, 2**32 - 1))]
    for options in TEXTS:
        asked = {key: False if value is None else value for key, value in options.items()}
        result["texts"].append([asked, listed(imdb.load_data(**options)), listed(reuters.load_data(**options))])
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cifar-10-python.tar.gz", "cifar-100-python.tar.gz"):
            with tarfile.open(os.path.join(FOLDER, name)) as tar:
                tar.extractall(folder, filter="data")
        batches = os.path.join(folder, "cifar-10-batches-py")
        train = load_pictures(batches, [f"data_batch_{i}" for i in range(1, 6)], "labels")
        result["cifar10"] = listed((train, load_pictures(batches, ["test_batch"], "labels")))
        cifar100.get_file = lambda **_: folder
        for mode in ("fine", "coarse"):
            result["cifar100_" + mode] = listed(cifar100.load_data(label_mode=mode))
    return result


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    make_arrays()
    make_pictures()
    with open(os.path.join(FOLDER, "expected.json"), "w", encoding="ascii") as file:
        json.dump(expected(), file, separators=(",", ":"))
