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
         "small": 8, "odd": 100, "norm": 256, "lstm": 128, "resnet": 128, "convae": 128, "mobile": 64, "row": 1,
         "lstm256": 64, "gru256": 64, "resnet20": 128, "resnet50": 16, "mobilenet": 32, "vit": 8, "unet": 4, "bert": 8,
         "gpt2": 4}
# As ../bytes.lua has them: pictures and sequences of these shapes, and tokens, how long and of how many.
SHAPES = {"lstm256": (100, 128), "gru256": (100, 128), "resnet20": (32, 32, 3), "resnet50": (224, 224, 3),
          "mobilenet": (224, 224, 3), "vit": (224, 224, 3), "unet": (128, 128, 1)}
TOKENS = {"bert": (128, 30522), "gpt2": (256, 50257)}
FLAT = {*WIDTHS, "small", "odd", "norm", "row"}  # read images as rows of 784
LAYERS, WIDTH, HEADS, LENGTH, VOCABULARY = 4, 256, 4, 128, 96  # of w4


def arguments():
    """Workload, precision (bf16 or fp32) and seconds to measure for, or "check"."""
    seconds = sys.argv[3] if len(sys.argv) > 3 else "5"
    return sys.argv[1], sys.argv[2], seconds if seconds == "check" else float(seconds)


def read(file, offset):
    return numpy.frombuffer(gzip.open(FOLDER + file).read(), numpy.uint8)[offset:]


def bytes_in_order(name):
    """x and y of two batches that are made of the images' bytes as they follow each other."""
    rows = 2 * BATCH[name]
    pixels, labels = read("train-images-idx3-ubyte.gz", 16), read("train-labels-idx1-ubyte.gz", 8)[:rows]
    if name in TOKENS:
        length, vocabulary = TOKENS[name]
        length += name == "gpt2"
        pairs = pixels[:rows * length * 2].astype(numpy.int32).reshape(rows, length, 2)
        x = (pairs[..., 0] * 256 + pairs[..., 1]) % vocabulary
        if name == "gpt2":
            return x[:, :-1].copy(), x[:, 1:].copy()
        segments = numpy.arange(length, dtype=numpy.int32) // (length // 2)
        return numpy.stack([x, numpy.broadcast_to(segments, x.shape), numpy.ones_like(x)], 1), labels % 2
    shape = (rows, *SHAPES[name])
    x = pixels[:numpy.prod(shape)].astype(numpy.float32).reshape(shape) / 255
    return x, (x > 0.5).astype(numpy.float32) if name == "unet" else labels % 10


def dataset(name, part="train"):
    """x and y of all rows of the training data, or of the test data (t10k). Of w4 the images' bytes stand for
    characters, and y is x one place on. Of bert a row of x is tokens, segments and mask."""
    if name in SHAPES or name in TOKENS:
        x, y = bytes_in_order(name)
        return x, y if name == "unet" else y.astype(numpy.int32)
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


def age():
    """Seconds since the process was started."""
    with open("/proc/uptime") as uptime, open("/proc/self/stat") as stat:
        return float(uptime.read().split()[0]) - float(stat.read().rpartition(") ")[2].split()[19]) / 100


def measure(peer, name, precision, seconds, step, rows, parameters):
    """Calls step(indices of a batch) until the time is over; prints the median step and the mean of all, its start left
    out. Or checks: see ../workloads.lua."""
    batch = BATCH[name]
    if seconds == "check":
        losses = [float(step(numpy.arange(batch))) for _ in range(5)]
        print(json.dumps({"peer": peer, "parameters": parameters, "losses": losses}))
        return
    generator = numpy.random.default_rng(1)
    times, order, at, end = [], generator.permutation(rows), 0, None
    while end is None or time.perf_counter() < end or len(times) < warm + 3:
        if at + batch > rows:
            order, at = generator.permutation(rows), 0
        begin = time.perf_counter()
        step(order[at:at + batch])
        times.append((time.perf_counter() - begin) * 1e3)
        at += batch
        if len(times) == 1:
            first = age()
        if end is None and (len(times) == 3 or len(times) == 2 and times[1] > 1e3):  # these compile and warm up
            warm, end = len(times), time.perf_counter() + seconds
            begun = end - seconds
    mean = (time.perf_counter() - begun) * 1e3 / (len(times) - warm)
    times = sorted(times[warm:])
    median = times[len(times) // 2]
    print(json.dumps({"peer": peer, "workload": name, "precision": precision, "batch": batch,
                      "step_ms": round(median, 4), "mean_ms": round(mean, 4),
                      "samples_per_s": round(batch / median * 1e3),
                      "first_step_s": round(first, 2),
                      "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
