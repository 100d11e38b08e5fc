"""Time and bytes of saving and loading W4 with the state of AdamW by others: `checkpoint.py FOLDER REPEATS`.

Prints a JSON line a repeat and peer: PyTorch (torch.save), the safetensors package with the same arrays, Keras'
.weights.h5 and .keras, as far as their packages are there. Each file is seen onto the disk within the time of saving.
"""

import importlib.util
import json
import os
import sys
import time

import numpy
from common import HEADS, LAYERS, LENGTH, VOCABULARY, WIDTH

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
FOLDER, REPEATS = sys.argv[1], int(sys.argv[2])


def has(*names):
    return all(importlib.util.find_spec(name) for name in names)


def measure(peer, ending, save, load):
    """The first repeat touches memory."""
    path = f"{FOLDER}/peer{ending}"
    for repeat in range(REPEATS + 1):
        began = time.perf_counter()
        save(path)
        with open(path, "rb") as file:
            os.fsync(file.fileno())
        saved = time.perf_counter()
        load(path)
        ended = time.perf_counter()
        if repeat > 0:
            print(json.dumps({"peer": peer, "save_ms": round((saved - began) * 1e3, 3),
                              "load_ms": round((ended - saved) * 1e3, 3), "bytes": os.path.getsize(path)}))
    os.remove(path)


def measure_torch():
    import torch
    from models_torch import Decoder

    torch.set_num_threads(2)
    model = Decoder()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    for weight in model.parameters():
        weight.grad = torch.ones_like(weight)
    optimizer.step()

    def load(path):
        read = torch.load(path)
        model.load_state_dict(read["model"])
        optimizer.load_state_dict(read["optimizer"])

    measure("torch.save", ".pt", lambda path: torch.save({"model": model.state_dict(),
                                                          "optimizer": optimizer.state_dict()}, path), load)
    return {f"{kind}/{name}": value.detach().numpy() for kind, values in (
        ("model", dict(model.named_parameters())),
        ("exp_avg", {name: optimizer.state[weight]["exp_avg"] for name, weight in model.named_parameters()}),
        ("exp_avg_sq", {name: optimizer.state[weight]["exp_avg_sq"] for name, weight in model.named_parameters()}),
    ) for name, value in values.items()}


def measure_safetensors(arrays):
    from safetensors.numpy import load_file, save_file

    measure("safetensors", ".safetensors", lambda path: save_file(arrays, path), load_file)


def measure_keras():
    import keras
    from keras import layers

    @keras.saving.register_keras_serializable()
    class TokenAndPlace(layers.Layer):
        def __init__(self, **options):
            super().__init__(**options)
            self.tokens, self.places = layers.Embedding(VOCABULARY, WIDTH), layers.Embedding(LENGTH, WIDTH)

        def build(self, shape):
            self.tokens.build(shape)
            self.places.build((LENGTH,))

        def call(self, x):
            return self.tokens(x) + self.places(keras.ops.arange(LENGTH))

    inputs = keras.Input((LENGTH,), dtype="int32")
    x = TokenAndPlace()(inputs)
    for _ in range(LAYERS):
        y = layers.LayerNormalization()(x)
        x = layers.Add()([x, layers.MultiHeadAttention(HEADS, WIDTH // HEADS)(y, y, use_causal_mask=True)])
        y = layers.Dense(4 * WIDTH, activation="gelu")(layers.LayerNormalization()(x))
        x = layers.Add()([x, layers.Dense(WIDTH)(y)])
    model = keras.Model(inputs, layers.Dense(VOCABULARY)(layers.LayerNormalization()(x)))
    model.compile(optimizer="adamw", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.optimizer.build(model.trainable_variables)
    measure("Keras .weights.h5", ".weights.h5", model.save_weights, model.load_weights)
    measure("Keras .keras", ".keras", model.save, keras.models.load_model)


if has("torch"):
    ARRAYS = measure_torch()
else:
    ARRAYS = {f"array_{i}": numpy.zeros((WIDTH, 4 * WIDTH), numpy.float32) for i in range(38)}  # as many bytes
if has("safetensors"):
    measure_safetensors(ARRAYS)
if has("keras", "jax", "h5py"):
    measure_keras()
