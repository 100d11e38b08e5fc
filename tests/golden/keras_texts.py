"""Files of Keras 3 (on TensorFlow) whose models have layers of texts and categories, with what they predict.

    python tests/golden/keras_texts.py write            makes tests/golden/keras_files/NAME.keras and texts.json
    python tests/golden/keras_texts.py read DIRECTORY   loads DIRECTORY/NAME.weights.h5, which Moonpod wrote, into such
                                                        models, and predicts what texts.json says:
                                                        tests/lua/keras_texts_spec.lua
"""
import json
import os
import sys
import zipfile

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers as L  # noqa: E402

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_files")
TEXTS = ["the dog", "a cat sat. Again", "", "dog dog the naïve the"]
WORDS = [["ox", "cat"], ["", "dog"], ["dog", "dog"], ["cat", "bird"]]
NUMBERS = [[1, 5, 0], [-7, 5, 5], [2, 2, 3], [1000, 4, 1]]
PICTURES = [[[[float(i * j % 7)] for i in range(5)] for j in range(6)]]


def adapted(layer, data):
    layer.adapt(data)
    return layer


def sequential(shape, dtype, *layers):
    return keras.Sequential([L.Input(shape, dtype=dtype), *layers])


def text_numbers():
    layer = adapted(L.TextVectorization(max_tokens=20, output_sequence_length=4), TEXTS)
    return sequential((1,), "string", layer, L.Embedding(20, 3), L.Flatten(), L.Dense(2)), [[one] for one in TEXTS]


def text_weights():
    layer = adapted(L.TextVectorization(output_mode="tf_idf", split="character", standardize=None), TEXTS)
    return sequential((1,), "string", layer, L.Dense(2)), [[one] for one in TEXTS]


def strings():
    layer = adapted(L.StringLookup(output_mode="one_hot"), WORDS)
    return sequential((2,), "string", layer, L.Dense(2)), WORDS


def hashed_strings():
    return sequential((2,), "string", L.Hashing(9, mask_value="", salt=5), L.Embedding(9, 2)), WORDS


def both():
    text, number = L.Input((1,), dtype="string", name="text"), L.Input((3,), dtype="int64", name="number")
    first = L.Embedding(12, 3)(adapted(L.TextVectorization(output_sequence_length=3), TEXTS)(text))
    second = L.Embedding(6, 3)(adapted(L.IntegerLookup(num_oov_indices=2), [[5], [2], [5]])(number))
    return keras.Model([text, number], L.Dense(2)(L.Add()([first, second]))), [[[one] for one in TEXTS], NUMBERS]


def integers():
    return sequential((3,), "int64", adapted(L.IntegerLookup(output_mode="multi_hot"), NUMBERS), L.Dense(2)), NUMBERS


def integer_weights():
    return sequential((3,), "int64", adapted(L.IntegerLookup(output_mode="tf_idf"), NUMBERS), L.Dense(2)), NUMBERS


def hashed_integers():
    return sequential((3,), "int64", L.Hashing(7, mask_value=2), L.Embedding(7, 2)), NUMBERS


def categories():
    return sequential((3,), "int32", L.CategoryEncoding(9, output_mode="count"), L.Dense(2)), np.abs(NUMBERS) % 9


def bins():
    layer = adapted(L.Discretization(num_bins=4), np.arange(40.0) ** 2)
    return sequential((3,), "float32", layer, L.Embedding(4, 2)), np.array(NUMBERS, "float32") * 40


def normal():
    layer = L.Normalization(mean=[1.0, 2.0, 3.0], variance=[4.0, 5.0, 6.0])
    return sequential((3,), "float32", layer, L.Dense(2)), np.array(NUMBERS, "float32")


def moved():
    return sequential((6, 5, 1), "float32", L.RandomZoom(0.2), L.RandomTranslation(0.1, (-0.2, 0.3)), L.Conv2D(2, 3),
                      L.Flatten(), L.Dense(2)), PICTURES


def stateful():
    x = np.random.default_rng(3).normal(size=(2, 4, 3)).round(3).astype("float32")
    return keras.Sequential([L.Input((4, 3), batch_size=2), L.LSTM(3, stateful=True), L.Dense(2)]), x


MODELS = [text_numbers, text_weights, strings, hashed_strings, both, integers, integer_weights, hashed_integers,
          categories, bins, normal, moved, stateful]


def tensor(value):
    value = np.asarray(value, dtype=object if isinstance(np.asarray(value).reshape(-1)[0], str) else None)
    return tf.constant(value.tolist()) if value.dtype == object else tf.constant(value)


def predict(model, x):
    return np.asarray(model([tensor(one) for one in x] if len(model.inputs) > 1 else tensor(x), training=False))


def plain(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


def write():
    found = {}
    for i, make in enumerate(MODELS):
        keras.backend.clear_session()
        keras.utils.set_random_seed(i)
        model, x = make()
        path = os.path.join(FILES, make.__name__ + ".keras")
        y = predict(model, x)
        model.save(path)
        with zipfile.ZipFile(path) as file:
            members = {name: file.read(name) for name in file.namelist()}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, content in members.items():
                file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED, 9)
        found[make.__name__] = {"x": plain(x), "y": y.tolist(), "several": len(model.inputs) > 1}
    with open(os.path.join(FILES, "texts.json"), "w") as file:
        json.dump(found, file, indent=0)


def read(directory):
    with open(os.path.join(FILES, "texts.json")) as file:
        cases = json.load(file)
    for make in MODELS:
        name = make.__name__
        if name == "text_weights":  # the weights of words are its layer's, which is no part of Moonpod's model
            continue
        case, (model, _) = cases[name], make()
        model.load_weights(os.path.join(directory, name + ".weights.h5"))
        x = case["x"]
        if name in ("bins", "normal", "moved", "stateful"):
            x = np.array(x, "float32")
        error = np.abs(predict(model, x) - np.array(case["y"])).max()
        print("%s %.2g %s" % (name, error, "ok" if error < 1e-5 else "DIFFERS"))


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](*sys.argv[2:])
