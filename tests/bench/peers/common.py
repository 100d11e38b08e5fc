"""What the peers' scripts share: arguments, data, timing and the line that they print."""

import gzip
import json
import resource
import sys
import time

import numpy

FOLDER = "/usr/share/datasets/fashion-mnist/"
WIDTHS = {"w1": [128], "w2": [1024, 1024]}
BATCH = {"w1": 1024, "w2": 1024, "w3": 1024, "w3s": 128, "w4": 32,
         "small": 8, "odd": 100, "norm": 256, "lstm": 128, "resnet": 128, "convae": 128, "mobile": 64, "row": 1}
FLAT = {*WIDTHS, "small", "odd", "norm", "row"}  # read images as rows of 784
LAYERS, WIDTH, HEADS, LENGTH, VOCABULARY = 4, 256, 4, 128, 96  # of w4


def arguments():
    """Workload, precision (bf16 or fp32) and seconds to measure for."""
    return sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 5.0


def read(file, offset):
    return numpy.frombuffer(gzip.open(FOLDER + file).read(), numpy.uint8)[offset:]


def dataset(name, part="train"):
    """x and y of all rows of the training data, or of the test data (t10k). Of w4 the images' bytes stand for
    characters, and y is x one place on."""
    pixels = read(part + "-images-idx3-ubyte.gz", 16)
    if name == "w4":
        count = len(pixels) // (LENGTH + 1) // 8
        rows = (pixels[:count * (LENGTH + 1)] % VOCABULARY).astype(numpy.int32).reshape(count, LENGTH + 1)
        return rows[:, :-1].copy(), rows[:, 1:].copy()
    shape = (-1, 784) if name in FLAT else (-1, 28, 28) if name == "lstm" else (-1, 28, 28, 1)
    images = (pixels.astype(numpy.float32) / 255).reshape(shape)
    if name == "convae":
        return images, images
    return images, read(part + "-labels-idx1-ubyte.gz", 8).astype(numpy.int32)


def measure(peer, name, precision, seconds, step, rows):
    """Calls step(indices of a batch) until the time is over; prints the median step, its start left out."""
    batch = BATCH[name]
    generator = numpy.random.default_rng(1)
    times, order, at, end = [], generator.permutation(rows), 0, None
    while end is None or time.perf_counter() < end or len(times) < 6:
        if at + batch > rows:
            order, at = generator.permutation(rows), 0
        begin = time.perf_counter()
        step(order[at:at + batch])
        times.append((time.perf_counter() - begin) * 1e3)
        at += batch
        if len(times) == 3:  # these compile and warm up
            end = time.perf_counter() + seconds
    times = sorted(times[3:])
    median = times[len(times) // 2]
    print(json.dumps({"peer": peer, "workload": name, "precision": precision, "batch": batch,
                      "step_ms": round(median, 4), "samples_per_s": round(batch / median * 1e3),
                      "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
