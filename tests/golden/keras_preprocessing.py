"""Runs Keras' preprocessing layers and helpers on random data and writes what they give to keras_preprocessing.lua,
which tests/lua/preprocessing_spec.lua reads.

    KERAS_BACKEND=tensorflow python tests/golden/keras_preprocessing.py
"""
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(22)

# Keras' classes by our names.
L = keras.layers
CLASSES = {
    "text_vectorization": L.TextVectorization, "string_lookup": L.StringLookup, "integer_lookup": L.IntegerLookup,
    "category_encoding": L.CategoryEncoding, "discretization": L.Discretization, "normalization": L.Normalization,
    "random_zoom": L.RandomZoom, "random_translation": L.RandomTranslation, "hashing": L.Hashing,
    "hashed_crossing": L.HashedCrossing,
}


def lua(value):
    """A value as Lua source."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return '"none"'
    if isinstance(value, (bytes, str)):
        text = value if isinstance(value, bytes) else value.encode()
        return '"%s"' % "".join(chr(c) if 32 <= c < 127 and chr(c) not in '"\\' else "\\%03d" % c for c in text)
    if isinstance(value, (int, np.integer)):
        return "%d" % value
    if isinstance(value, (float, np.floating)):
        return {"nan": "0/0", "inf": "1/0", "-inf": "-1/0"}.get("%g" % value, "%.7g" % value)
    if isinstance(value, dict):
        return "{ " + ", ".join("%s = %s" % (k, lua(v)) for k, v in value.items()) + " }"
    return "{ " + ", ".join(lua(v) for v in value) + " }"


def array(value):
    value = np.asarray(value)
    dtype = "string" if value.dtype.kind in "OSU" else str(value.dtype)
    return {"dtype": dtype, "shape": list(value.shape), "values": [v for v in value.reshape(-1)]}


cases = []


def wrapped(layer, x, options):
    """What Keras gives on JAX: pictures side by side. On TensorFlow they share the pixels at their edges."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    from keras.src.backend.jax import image

    change = layer.get_random_transformation(x, training=True)
    if "translations" in change:
        matrix = layer._get_translation_matrix(change["translations"])
    else:
        matrix = layer._get_zoom_matrix(np.concatenate([change["width_zoom"], change["height_zoom"]], 1), *x.shape[1:3])
    return image.affine_transform(np.asarray(x), np.asarray(matrix), interpolation=options["interpolation"],
                                  fill_mode="wrap", fill_value=options["fill_value"])



def case(name, options, x, adapt=None, training=False, batches=0, **more):
    made = CLASSES[name](**{**options, **more})
    out = {"layer": name, "options": options, "training": training, "batches": batches}
    if adapt is not None:
        data = np.asarray(adapt)
        made.adapt(tf.data.Dataset.from_tensor_slices(data).batch(batches) if batches else
                   data if name == "normalization" or name == "discretization" else tf.constant(adapt))
        out["adapt"] = array(data)
    if hasattr(made, "get_vocabulary"):
        out["vocabulary"] = made.get_vocabulary()
    if name == "discretization":
        out["boundaries"] = [float(v) for v in made.bin_boundaries]
    if isinstance(x, tuple):
        given = tuple(tf.constant(column) for column in x)
        out["x"] = {"dtype": "columns", "columns": [array(column) for column in x]}
    else:
        x = np.asarray(x)
        given = tf.constant(x)
        out["x"] = array(x)
    if options.get("fill_mode") == "wrap":
        out["y"] = array(wrapped(made, given, options))
    else:
        out["y"] = array(np.asarray(made(given, training=True) if training else made(given)))
    cases.append(out)


WORDS = ["the", "The", "cat", "dog,", "dog", "sat!", "on", "a", "mat.", "it's", "naïve", "ÄB", "x_y", "  ", "\t", "#1"]


def texts(count):
    return [" ".join(rng.choice(WORDS, size=rng.integers(1, 9))) for _ in range(count)]


def family_text():
    for options in [{}, {"max_tokens": 6}, {"output_sequence_length": 5}, {"standardize": "lower"},
                    {"standardize": "strip_punctuation"}, {"standardize": None}, {"split": "character"},
                    {"split": None}, {"ngrams": 2}, {"output_mode": "multi_hot"}, {"output_mode": "count"},
                    {"output_mode": "tf_idf"}, {"output_mode": "tf_idf", "ngrams": 3, "max_tokens": 8},
                    {"output_mode": "count", "max_tokens": 40, "pad_to_max_tokens": True},
                    {"vocabulary": ["cat", "dog", "the"]}, {"vocabulary": ["", "[UNK]", "cat", "dog"]},
                    {"vocabulary": ["cat", "dog"], "output_mode": "tf_idf", "idf_weights": [0.5, 0.25]}]:
        fixed = "vocabulary" in options
        case("text_vectorization", options, texts(6), None if fixed else texts(12), batches=0 if fixed else 5)


def family_lookup():
    def words(*shape):
        return rng.choice(["cat", "dog", "bird", "", "ox"], size=shape).astype(object)

    def numbers(*shape):
        return rng.integers(-4, 9, size=shape)

    for options in [{}, {"mask_token": ""}, {"max_tokens": 3}, {"output_mode": "one_hot"},
                    {"output_mode": "multi_hot"}, {"output_mode": "count", "mask_token": ""},
                    {"output_mode": "tf_idf"}, {"output_mode": "multi_hot", "max_tokens": 9,
                                                "pad_to_max_tokens": True}]:
        case("string_lookup", options, words(4, 3), words(6, 3))
    case("string_lookup", {"vocabulary": ["dog", "cat"]}, words(7))
    case("string_lookup", {"vocabulary": ["dog", "cat"], "mask_token": "ox"}, words(2, 2, 3))
    case("string_lookup", {"vocabulary": ["dog", "cat", "bird", "", "ox"], "num_oov_indices": 0}, words(5))
    case("string_lookup", {"vocabulary": ["dog", "cat"], "invert": True}, rng.integers(0, 3, size=(2, 4)))
    for options in [{}, {"mask_token": 0}, {"num_oov_indices": 3}, {"max_tokens": 4}, {"output_mode": "one_hot"},
                    {"output_mode": "multi_hot"}, {"output_mode": "count", "mask_token": 1},
                    {"output_mode": "tf_idf"}]:
        case("integer_lookup", options, numbers(5, 3), numbers(9, 3) // 2)
    case("integer_lookup", {"vocabulary": [12, 36, 1138, 42]}, np.array([[12, 1138, 42], [42, 1000, 36]]))
    case("integer_lookup", {"vocabulary": [int(v) for v in rng.permutation(500)[:100]]}, rng.integers(0, 500, size=60))
    case("integer_lookup", {"vocabulary": [5, 3], "invert": True, "num_oov_indices": 2}, rng.integers(0, 4, (2, 4)))


def family_categories():
    for mode in ["multi_hot", "one_hot", "count"]:
        case("category_encoding", {"num_tokens": 5, "output_mode": mode}, rng.integers(0, 5, size=(4, 3)))
        case("category_encoding", {"num_tokens": 5, "output_mode": mode}, rng.integers(0, 5, size=(4, 1)))
    for mode in ["int", "one_hot", "multi_hot", "count"]:
        case("discretization", {"bin_boundaries": [-1.0, 0.0, 0.5], "output_mode": mode},
             rng.normal(size=(5, 2)).round(1).astype("float32"))
    many = sorted(float(v) for v in rng.normal(size=70).round(3))
    case("discretization", {"bin_boundaries": many}, rng.normal(size=90).round(3).astype("float32"))
    for bins, epsilon, batches in [(4, 0.01, 0), (5, 0.1, 0), (3, 0.05, 40), (7, 0.02, 16)]:
        case("discretization", {"num_bins": bins, "epsilon": epsilon}, rng.normal(size=(6,)).astype("float32"),
             rng.normal(size=(120,)).astype("float32"), batches=batches)


def family_normalization():
    data = (rng.normal(size=(23, 4, 3)) * [1, 5, 20] + [0, 3, -7]).astype("float32")
    for options in [{}, {"axis": 1}, {"axis": [1, 2]}, {"axis": None}, {"invert": True}]:
        for batches in (0, 6):
            case("normalization", options, data[:2], data, batches=batches)
    case("normalization", {"mean": 3.0, "variance": 4.0}, data[:2])
    case("normalization", {"mean": [1.0, 2.0, 3.0], "variance": [4.0, 5.0, 6.0]}, data[:2])


def family_pictures():
    pictures = (rng.random(size=(2, 5, 6, 2)) * 255).round().astype("float32")
    for fill in ["reflect", "wrap", "constant", "nearest"]:
        for way in ["bilinear", "nearest"]:
            options = {"fill_mode": fill, "interpolation": way, "fill_value": 9.0}
            zoom, moved = round(float(rng.uniform(-0.6, 0.9)), 3), round(float(rng.uniform(-0.7, 0.7)), 3)
            case("random_zoom", {"height_factor": [zoom, zoom], **options}, pictures, training=True)
            case("random_zoom", {"height_factor": [zoom, zoom], "width_factor": [-0.313, -0.313], **options}, pictures,
                 training=True)
            case("random_translation", {"height_factor": [moved, moved], "width_factor": [0.217, 0.217], **options},
                 pictures, training=True)


def family_hashing():
    own = np.random.default_rng(64)
    words = ["", "a", "ox", "cat", "bird", "naïve", "sixteen chars...", "seventeen letters", "x" * 32,
             "thirty-three " * 3]
    words += ["".join(chr(c) for c in own.integers(33, 126, size=n)) for n in range(1, 200, 7)]
    texts = np.array(words, dtype=object)
    digits = [0, 1, -1, 9, 10, 99, 100, 999, 1000, -999, 10**7 - 1, 10**8, -10**7, 10**15, 10**16, -10**15, 10**17,
              2**62, 2**63 - 1024, -2**63, -2**63 + 2048]  # that doubles hold
    digits += [int(v) for v in own.integers(-2**53, 2**53, size=30) >> own.integers(0, 53, size=30)]
    digits += [int(v) << 10 for v in own.integers(-2**53, 2**53, size=8)]
    numbers = np.array(digits, dtype="int64")
    for salt in [None, 133, [133, 137]]:
        more = {} if salt is None else {"salt": salt}
        case("hashing", {"num_bins": 1000003, **more}, texts)
        case("hashing", {"num_bins": 2**31 - 1, **more}, numbers)
        case("hashing", {"num_bins": 3, "mask_value": "", **more}, texts[:8].reshape(4, 2))
        case("hashing", {"num_bins": 5, "mask_value": 10, **more}, numbers[:12].reshape(4, 3))
    case("hashing", {"num_bins": 1, "mask_value": 10}, numbers[:4])
    case("hashing", {"num_bins": 7}, numbers[:6].astype("int32").reshape(2, 3))
    case("hashing", {"num_bins": 7}, np.array([[1.9, -3.2], [0.0, 1e6]], "float32"))
    for mode in ["one_hot", "multi_hot", "count"]:
        case("hashing", {"num_bins": 4, "output_mode": mode}, texts[:12].reshape(4, 3))
        case("hashing", {"num_bins": 4, "output_mode": mode}, numbers[:12].reshape(4, 3))
        case("hashing", {"num_bins": 4, "output_mode": mode}, numbers[:4].reshape(4, 1))


def family_crossing():
    own = np.random.default_rng(65)
    words = np.array(["", "a", "cat", "naïve", "x" * 40, "%", "7", "-7"] +
                     ["".join(chr(c) for c in own.integers(33, 126, size=n)) for n in range(1, 100, 9)], dtype=object)
    for bins in [1, 2, 5, 1000003, 2**31 - 1, 2**40]:
        for count in [2, 3, 5]:
            columns = []
            for _ in range(count):
                if own.integers(2):
                    columns.append(own.choice(words, size=12))
                else:
                    columns.append(own.integers(-2**53, 2**53, size=12) >> own.integers(0, 53, size=12))
            case("hashed_crossing", {"num_bins": bins}, tuple(columns))
    a, b = own.choice(words, size=6), own.integers(-9, 9, size=6).astype("int32")
    for mode in ["int", "one_hot"]:
        case("hashed_crossing", {"num_bins": 7, "output_mode": mode}, (a.reshape(6, 1), b.reshape(6, 1)))
        case("hashed_crossing", {"num_bins": 7, "output_mode": mode}, (a, b))
    case("hashed_crossing", {"num_bins": 7}, (b[0], b[1]))
    for count in [2, 3, 17]:
        for more in [{}, {"mask_token": ""}, {"mask_token": "", "output_mode": "one_hot"}, {"output_mode": "count"}]:
            options = {"num_oov_indices": count, "vocabulary": ["cat", "a"], **more}
            case("string_lookup", options, words[:18].reshape(9, 2))


def family_ties():
    """Equal values in several batches, and NaN. In which order equal values come NumPy's sort leaves open unless told:
    it depends on the machine."""
    own, argsort = np.random.default_rng(66), np.argsort
    np.argsort = lambda values: argsort(values, kind="stable")
    for bins, epsilon, batches in [(3, 0.1, 1), (5, 0.1, 5), (2, 0.2, 4), (9, 0.1, 1), (4, 0.3, 1)]:
        data = (own.normal(size=(60,)) * 3).round().astype("float32")
        case("discretization", {"num_bins": bins, "epsilon": epsilon}, data[:8], data, batches=batches)
    np.argsort = argsort
    odd = np.array([np.nan, -np.inf, np.inf, 0.0, -0.0], "float32")
    case("discretization", {"bin_boundaries": [0.0, 1.0]}, odd)
    case("discretization", {"bin_boundaries": [float(i) for i in range(50)]}, odd)


def family_utils():
    """What keras.utils gives: name, arguments as Lua, result."""
    u, found = keras.utils, []
    lists = [[int(v) for v in rng.integers(1, 9, size=n)] for n in (3, 0, 5, 1)]
    for options in [{}, {"maxlen": 4}, {"maxlen": 2, "padding": "post"}, {"maxlen": 2, "truncating": "post"},
                    {"padding": "post", "value": -1}, {"dtype": "float32", "value": 0.5}]:
        found.append({"name": "pad_sequences", "first": lists, "options": options,
                      "y": array(u.pad_sequences(lists, **options))})
    for labels, count in [([0, 2, 1], None), ([[1], [0]], None), ([[1, 0], [2, 2]], 4)]:
        found.append({"name": "to_categorical", "first": labels, "options": {} if count is None else
                      {"num_classes": count}, "y": array(u.to_categorical(labels, count))})
    data = np.arange(60, dtype="float32").reshape(30, 2)
    targets = np.arange(30, dtype="float32") * 10
    for options in [{"sequence_length": 5, "batch_size": 4}, {"sequence_length": 3, "sequence_stride": 2},
                    {"sequence_length": 3, "sampling_rate": 3, "batch_size": 8},
                    {"sequence_length": 4, "start_index": 3, "end_index": 20, "batch_size": 5},
                    {"sequence_length": 2, "sequence_stride": 3, "sampling_rate": 2, "start_index": 1}]:
        for with_targets in (True, False):
            ds = u.timeseries_dataset_from_array(data, targets if with_targets else None, **options)
            batches = [[array(part) for part in batch] if with_targets else [array(batch)] for batch in ds]
            found.append({"name": "timeseries_dataset_from_array", "with_targets": with_targets, "options": options,
                          "batches": batches})
    return found


def main():
    for family in (family_text, family_lookup, family_categories, family_normalization, family_pictures,
                   family_hashing, family_crossing, family_ties):
        family()
    with open(os.path.join(HERE, "keras_preprocessing.lua"), "w") as f:
        f.write("-- Made by keras_preprocessing.py with Keras %s.\nreturn {\ncases = {\n" % keras.__version__)
        for one in cases:
            f.write(lua(one) + ",\n")
        f.write("},\nutils = {\n")
        for one in family_utils():
            f.write(lua(one) + ",\n")
        f.write("},\n}\n")
    print(len(cases), "cases")


if __name__ == "__main__":
    main()
