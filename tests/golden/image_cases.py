"""Decodes pictures and runs functions on pictures in TensorFlow, and writes what it gives to images.lua, which
tests/lua/image_golden_spec.lua reads.

    python tests/golden/image_cases.py

PNG files are written here, bit by bit, so that every colour type, depth, filter and interlacing is there; JPEG files by
TensorFlow. Pixels are numbers from a generator seeded by the case's name.
"""
import os
import struct
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def rng_of(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


# ---- PNG -----------------------------------------------------------------------------------------------------------

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def pack_row(samples, depth):
    if depth == 16:
        return samples.astype(">u2").tobytes()
    if depth == 8:
        return samples.astype(np.uint8).tobytes()
    bits = "".join(format(int(s), "0%db" % depth) for s in samples)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def paeth(a, b, c):
    p = a + b - c
    distances = [abs(p - a), abs(p - b), abs(p - c)]
    return (a, b, c)[distances.index(min(distances))]


def apply_filter(kind, row, above, step):
    out = bytearray()
    for i, value in enumerate(row):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        guess = [0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner)][kind]
        out.append((value - guess) % 256)
    return bytes([kind]) + bytes(out)


def filtered(pixels, depth, rng):
    step = max(1, pixels.shape[2] * depth // 8)
    rows, above = b"", None
    for y in range(pixels.shape[0]):
        row = pack_row(pixels[y].reshape(-1), depth)
        rows += apply_filter(int(rng.integers(5)), row, above or bytes(len(row)), step)
        above = row
    return rows


def write_png(name, height, width, colour, depth, interlaced=False, transparent=False, pieces=1):
    rng = rng_of(name)
    palette_size = min(2 ** depth, 7)
    most = palette_size if colour == 3 else 2 ** depth
    pixels = rng.integers(0, most, (height, width, CHANNELS[colour]))
    if interlaced:
        data = b""
        for x, y, dx, dy in PASSES:
            part = pixels[y::dy, x::dx]
            data += filtered(part, depth, rng) if part.size else b""
    else:
        data = filtered(pixels, depth, rng)
    data = zlib.compress(data, 9)
    png = b"\x89PNG\r\n\x1a\n"
    png += chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, int(interlaced)))
    png += chunk(b"tEXt", b"Comment\0none")
    if colour == 3:
        png += chunk(b"PLTE", rng.integers(0, 256, 3 * palette_size).astype(np.uint8).tobytes())
    if transparent and colour == 3:
        png += chunk(b"tRNS", bytes([0, 100, 200][:palette_size]))
    elif transparent:
        png += chunk(b"tRNS", b"".join(struct.pack(">H", int(s)) for s in pixels[0, 0]))
    step = -(-len(data) // pieces)
    for i in range(0, len(data), step):
        png += chunk(b"IDAT", data[i:i + step])
    return png + chunk(b"IEND", b"")


def png_cases():
    cases = []
    for colour, depths in {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}.items():
        for depth in depths:
            for interlaced in (False, True):
                name = "png colour %d depth %d%s" % (colour, depth, " interlaced" if interlaced else "")
                cases.append((name, write_png(name, 5, 9, colour, depth, interlaced)))
    for colour, depth in ((0, 2), (0, 8), (0, 16), (2, 8), (2, 16), (3, 4)):
        name = "png colour %d depth %d transparent" % (colour, depth)
        cases.append((name, write_png(name, 4, 4, colour, depth, transparent=True)))
    cases.append(("png in pieces", write_png("png in pieces", 9, 6, 2, 8, pieces=4)))
    cases.append(("png of a pixel", write_png("png of a pixel", 1, 1, 0, 1, interlaced=True)))
    return cases


# 8x8 pixels of CMYK, written by TurboJPEG: TensorFlow writes none.
CMYK = bytes.fromhex(
    "ffd8ffee000e41646f626500640000000002ffdb0043002016181c1814201c1a1c24222026305034302c2c3062464a3a5074667a"
    "787266706e8090b89c8088ae8a6e70a0daa2aebec4ced0ce7c9ae2f2e0c8f0b8cacec6ffdb004301222424302a305e34345ec684"
    "7084c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6"
    "ffc00014080008000804011100021101031101041100ffc4001f0000010501010101010100000000000000000102030405060708"
    "090a0bffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c1"
    "1552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a63646566676869"
    "6a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9"
    "cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffc4001f010003010101010101010101000000000000"
    "0102030405060708090a0bffc400b511000201020404030407050404000102770001020311040521310612415107617113223281"
    "08144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758"
    "595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8"
    "b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9faffda000e04010002110311040000"
    "3f008f61ee4569cf2eb22e58d2c087dabfffd9")


def without_adobe(data):
    """Leaves out the segment that says that inks are stored inverted."""
    at = data.index(b"\xff\xee")
    return data[:at] + data[at + 2 + int.from_bytes(data[at + 2:at + 4], "big"):]


def jpeg_cases():
    cases = [("jpeg cmyk", CMYK), ("jpeg cmyk, not inverted", without_adobe(CMYK))]
    y, x = np.mgrid[0:13, 0:18]
    for channels in (1, 3):
        pixels = np.stack([(y * (7 + c) + x * (5 + 3 * c)) % 256 for c in range(channels)], -1).astype(np.uint8)
        for progressive in (False, True):
            for subsampled in (False, True):
                name = "jpeg of %d%s%s" % (channels, " progressive" * progressive, " subsampled" * subsampled)
                cases.append((name, tf.io.encode_jpeg(pixels, quality=90, progressive=progressive,
                                                      chroma_downsampling=subsampled).numpy()))
    return cases


# ---- Lua text --------------------------------------------------------------------------------------------------------

def encoded_cases():
    """Pictures, and the JPEG files that TensorFlow makes of them."""
    for channels, quality, downsampled in [(1, 95, True), (3, 95, True), (3, 95, False), (3, 40, True), (3, 7, False)]:
        rng = rng_of("encoded %d %d %s" % (channels, quality, downsampled))
        rows, columns = np.mgrid[0:19, 0:21]
        waves = [128 + 90 * np.sin(rows / (2 + i) + i) * np.cos(columns / (3 - i / 2)) for i in range(channels)]
        pixels = np.clip(np.stack(waves, -1) + rng.normal(scale=12, size=(19, 21, channels)), 0, 255).astype(np.uint8)
        data = tf.io.encode_jpeg(pixels, quality=quality, chroma_downsampling=downsampled).numpy()
        yield pixels, quality, downsampled, data


def number(value):
    return "%.9g" % float(value)


def array(values):
    """Integers as hexadecimal digits, the highest byte first."""
    values = np.asarray(values)
    if values.dtype.kind == "u":
        data = "\"%s\"" % values.astype(values.dtype.newbyteorder(">")).tobytes().hex()
    else:
        data = "{ %s }" % ", ".join(map(number, values.reshape(-1)))
    return "{ dtype = \"%s\", shape = { %s }, data = %s }" % (
        values.dtype.name, ", ".join(map(str, values.shape)), data)


def wanted(name):
    """Channels and types to decode to. Below 8 bits TensorFlow gives pixels without alpha another alpha than 255."""
    if not name.startswith("png"):
        return [(channels, tf.uint8) for channels in ((0, 3) if "cmyk" in name else (0, 1, 3))]
    few = any(" depth %d" % depth in name for depth in (1, 2, 4)) and "transparent" not in name
    few = few or name == "png of a pixel"
    pairs = [(channels, tf.uint8) for channels in (0, 1, 3, 4) if not (few and channels == 4)] + [(0, tf.uint16)]
    return pairs + [(1, tf.uint16)] if "depth 16" in name else pairs


def decode_case(name, data):
    """What decode_image gives for several channels and types."""
    results = []
    for channels, dtype in wanted(name):
        decoded = (tf.io.decode_png(data, channels, dtype) if name.startswith("png")
                   else tf.io.decode_jpeg(data, channels, dct_method="INTEGER_ACCURATE"))
        results.append("{ channels = %d, pixels = %s }" % (channels, array(decoded.numpy())))
    return "    { name = \"%s\", bytes = \"%s\", results = {\n      %s,\n    } },\n" % (
        name, data.hex(), ",\n      ".join(results))


# Of these batches are tried too.
BATCHED = ("rot90", "resize", "per_image_standardization", "adjust_contrast", "flip_left_right")

OPERATIONS = [
    ("flip_left_right", lambda x: tf.image.flip_left_right(x), ""),
    ("flip_up_down", lambda x: tf.image.flip_up_down(x), ""),
    ("transpose", lambda x: tf.image.transpose(x), ""),
    ("rot90", lambda x: tf.image.rot90(x, 1), "1"),
    ("rot90", lambda x: tf.image.rot90(x, 2), "2"),
    ("rot90", lambda x: tf.image.rot90(x, 3), "3"),
    ("central_crop", lambda x: tf.image.central_crop(x, 0.5), "0.5"),
    ("central_crop", lambda x: tf.image.central_crop(x, 0.7), "0.7"),
    ("center_crop", lambda x: tf.cast(tf.keras.layers.CenterCrop(4, 3)(x), x.dtype), "{ 4, 3 }"),
    ("crop_to_bounding_box", lambda x: tf.image.crop_to_bounding_box(x, 1, 2, 4, 3), "1, 2, 4, 3"),
    ("pad_to_bounding_box", lambda x: tf.image.pad_to_bounding_box(x, 1, 2, 9, 12), "1, 2, 9, 12"),
    ("resize_with_crop_or_pad", lambda x: tf.image.resize_with_crop_or_pad(x, 9, 4), "9, 4"),
    ("resize_with_crop_or_pad", lambda x: tf.image.resize_with_crop_or_pad(x, 4, 11), "4, 11"),
    ("resize", lambda x: tf.image.resize(x, (3, 4)), "{ 3, 4 }"),
    ("resize", lambda x: tf.image.resize(x, (13, 17)), "{ 13, 17 }"),
    ("resize", lambda x: tf.image.resize(x, (6, 5), "nearest"), "{ 6, 5 }, { method = \"nearest\" }"),
    ("resize", lambda x: tf.image.resize(x, (11, 20), "nearest"), "{ 11, 20 }, { method = \"nearest\" }"),
    ("smart_resize", lambda x: tf.keras.preprocessing.image.smart_resize(x, (4, 4)), "{ 4, 4 }"),
    ("rgb_to_grayscale", lambda x: tf.image.rgb_to_grayscale(x), ""),
    ("per_image_standardization", lambda x: tf.image.per_image_standardization(x), ""),
    ("adjust_brightness", lambda x: tf.image.adjust_brightness(x, 0.2), "0.2"),
    ("adjust_brightness", lambda x: tf.image.adjust_brightness(x, -0.4), "-0.4"),
    ("adjust_contrast", lambda x: tf.image.adjust_contrast(x, 1.7), "1.7"),
    ("adjust_contrast", lambda x: tf.image.adjust_contrast(x, 0.3), "0.3"),
    ("convert_image_dtype", lambda x: tf.image.convert_image_dtype(x, tf.float32), "\"float32\""),
    ("convert_image_dtype", lambda x: tf.image.convert_image_dtype(x, tf.uint8, saturate=True), "\"uint8\""),
    ("convert_image_dtype", lambda x: tf.image.convert_image_dtype(x, tf.uint16, saturate=True), "\"uint16\""),
]


def inputs():
    rng = rng_of("inputs")
    return {
        "bytes": rng.integers(0, 256, (7, 8, 3)).astype(np.uint8),
        "floats": rng.uniform(-0.2, 1.2, (7, 8, 3)).astype(np.float32),
        "batch": rng.integers(0, 256, (2, 7, 8, 3)).astype(np.uint8),
    }


def main():
    with open(os.path.join(HERE, "images.lua"), "w") as out:
        out.write("-- Made by image_cases.py with TensorFlow %s.\n\nreturn {\n  pictures = {\n" % tf.__version__)
        for name, data in png_cases() + jpeg_cases():
            out.write(decode_case(name, data))
        out.write("  },\n  inputs = {\n")
        for name, values in inputs().items():
            out.write("    %s = %s,\n" % (name, array(values)))
        out.write("  },\n  operations = {\n")
        for name, values in inputs().items():
            for operation, run, arguments in OPERATIONS:
                if name == "batch" and operation not in BATCHED:
                    continue
                out.write("    { name = \"%s\", input = \"%s\", arguments = { %s },\n      result = %s },\n" % (
                    operation, name, arguments, array(run(tf.constant(values)))))
        out.write("  },\n  encoded = {\n")
        for pixels, quality, downsampled, data in encoded_cases():
            out.write("    { quality = %d, chroma_downsampling = %s, pixels = %s,\n      file = \"%s\" },\n" % (
                quality, str(downsampled).lower(), array(pixels), data.hex()))
        out.write("  },\n}\n")


main()
