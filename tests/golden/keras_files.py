"""Files of Keras 3 with what their models predict, and Keras reading files of Moonpod.

    python tests/golden/keras_files.py write DIRECTORY [NAME] makes tests/golden/keras_files: NAME.keras, which has the
                                                              weights, and NAME.npz with inputs and predictions
    python tests/golden/keras_files.py names FILE             makes tests/golden/keras_files/names.json
    python tests/golden/keras_files.py read DIRECTORY [NAME]  loads NAME.weights.h5, which Moonpod wrote, into the model
                                                              and predicts what NAME.npz says:
                                                              tests/lua/keras_files_spec.lua
"""
import json
import os
import sys
import zipfile

# NumPy trains nothing, but each of these models would be compiled, op by op.
os.environ["KERAS_BACKEND"] = "jax" if sys.argv[1:2] == ["write"] else "numpy"
os.environ.setdefault("JAX_PLATFORMS", "cpu")
import h5py
import keras
import numpy as np
from keras import layers as L


def sequential(shape, *layers, dtype=None):
    return keras.Sequential([L.Input(shape, dtype=dtype), *layers])


def functional(call, *shapes):
    inputs = [L.Input(shape) for shape in shapes]
    return keras.Model(inputs, call(*inputs))


def dense():
    return sequential((6,), L.Dense(8, activation="relu", kernel_regularizer="l2"), L.BatchNormalization(),
                      L.Dropout(0.3), L.Dense(5, activation="gelu", use_bias=False), L.Dense(3, activation="softmax"))


def conv1d():
    return sequential((12, 3), L.Conv1D(5, 3, strides=2, padding="same", activation="tanh"), L.ZeroPadding1D(1),
                      L.Conv1D(4, 3, dilation_rate=2, padding="causal"), L.MaxPooling1D(2), L.SeparableConv1D(3, 2),
                      L.UpSampling1D(2), L.Cropping1D(1), L.GlobalAveragePooling1D())


def conv2d():
    return sequential((9, 8, 3), L.Conv2D(6, 3, activation="relu", padding="same"), L.BatchNormalization(scale=False),
                      L.AveragePooling2D(2, padding="same"), L.DepthwiseConv2D(3, depth_multiplier=2, padding="same"),
                      L.GroupNormalization(3), L.SeparableConv2D(4, 3, depth_multiplier=2), L.PReLU(shared_axes=[1, 2]),
                      L.Flatten(), L.Dense(4))


def conv3d():
    return sequential((5, 6, 5, 2), L.Conv3D(3, 2, activation="elu"), L.MaxPooling3D(2, padding="same"),
                      L.Conv3DTranspose(2, 2, strides=2), L.GlobalMaxPooling3D())


def transposed():
    return sequential((5, 4), L.Reshape((5, 4, 1)), L.Conv2DTranspose(4, 3, strides=2, padding="same"),
                      L.LeakyReLU(negative_slope=0.1), L.Conv2DTranspose(2, 3, use_bias=False), L.Permute((2, 1, 3)),
                      L.ELU(), L.Cropping2D(((1, 1), (0, 2))))


def normalizations():
    return sequential((4, 6), L.LayerNormalization(), L.Dense(6, activation="swish"), L.RMSNormalization(),
                      L.BatchNormalization(axis=1, center=False), L.GroupNormalization(2), L.UnitNormalization(),
                      L.SpectralNormalization(L.Dense(5)))


def embeddings():
    return sequential((7,), L.Embedding(11, 5, mask_zero=True), L.LSTM(6, return_sequences=True), L.GRU(4),
                      dtype="int32")


def simple_rnn():
    return sequential((6, 3), L.SimpleRNN(5, return_sequences=True, activation="relu"), L.SimpleRNN(4))


def lstm():
    return sequential((6, 3), L.LSTM(5, return_sequences=True, go_backwards=True), L.LSTM(4, use_bias=False))


def gru():
    return sequential((6, 3), L.GRU(5, return_sequences=True), L.GRU(4, reset_after=False))


def bidirectional():
    return sequential((6, 3), L.Bidirectional(L.LSTM(4, return_sequences=True)),
                      L.Bidirectional(L.GRU(3), merge_mode="sum"))


def cells():
    return sequential((6, 3), L.RNN([L.LSTMCell(4), L.GRUCell(3), L.SimpleRNNCell(2)], return_sequences=True))


def conv_lstm():
    return sequential((3, 6, 6, 2), L.ConvLSTM2D(3, 3, padding="same", return_sequences=True), L.ConvLSTM2D(2, 2))


def attention():
    def call(query, value):
        plain = L.Attention(use_scale=True)([query, value])
        additive = L.AdditiveAttention()([query, value])
        return L.Concatenate()([plain, additive])
    return functional(call, (4, 5), (6, 5))


def multi_head_attention():
    def call(x, y):
        own = L.MultiHeadAttention(2, 3)(x, x, use_causal_mask=True)
        other = L.MultiHeadAttention(2, 3, use_bias=False, output_shape=6)(own, y)
        return L.GroupQueryAttention(3, 4, 2)(L.Add()([x, other]), y)
    return functional(call, (5, 6), (4, 6))


def einsum():
    return sequential((4, 6), L.EinsumDense("abc,cd->abd", (4, 5), bias_axes="d", activation="relu"),
                      L.EinsumDense("abc,bcd->ad", 3))


def shared():
    def call(x, y):
        encoder = L.Dense(5, activation="tanh", name="encoder")
        a, b = encoder(x), encoder(y)
        return [L.Dot(axes=1)([a, b]), L.Dense(2, name="head")(L.Subtract()([a, b])), L.Maximum()([a, b])]
    return functional(call, (4,), (4,))


def nested():
    def inner(name):
        return keras.Sequential([L.Input((5,)), L.Dense(4), L.BatchNormalization()], name=name)
    x = L.Input((5,))
    middle = keras.Model(x, L.Add()([L.Dense(4)(x), inner("within")(x)]), name="middle")
    return functional(lambda x, y: L.Concatenate()([middle(x), inner("beside")(y), L.Dense(2)(middle(y))]), (5,), (5,))


def time_distributed():
    return sequential((3, 6, 5), L.TimeDistributed(L.Conv1D(4, 2)), L.TimeDistributed(L.LSTM(3)), L.Dense(2))


def several():
    image, words = L.Input((6, 6, 1), name="image"), L.Input((4,), name="words", dtype="int32")
    x = L.Flatten()(L.MaxPooling2D(2)(L.Conv2D(3, 3, activation="relu")(L.Rescaling(0.5, 0.1)(image))))
    y = L.GlobalAveragePooling1D()(L.Embedding(9, 4)(words))
    both = L.Concatenate()([x, y])
    return keras.Model({"image": image, "words": words},
                       {"kind": L.Dense(3, activation="softmax", name="kind")(both),
                        "size": L.Dense(1, name="size")(both)})


def operations():
    return functional(lambda x, y: [(x * 2.0 + y) / 3.0 - 1.0, L.Dense(2)(x - y), -x, 1.0 / (x ** 2.0 + 1.0)],
                      (4,), (4,))


def calls():
    """Inputs by name, several outputs, arguments of calls."""
    def call(x):
        sequences, state, memory = L.LSTM(3, return_state=True, return_sequences=True)(x)
        attended = L.MultiHeadAttention(2, 2)(query=x, value=sequences, key=x)
        return [sequences, state, memory, L.BatchNormalization()(attended, training=False)]
    return functional(call, (5, 4))


def pictures():
    """Layers whose calls Keras writes with training=True, which counts only where the model's call says so."""
    def call(x):
        x = L.Resizing(6, 5)(L.RandomBrightness(0.3)(L.RandomFlip()(x)))
        return L.CenterCrop(4, 4)(L.RandomRotation(0.2)(L.RandomContrast(0.4)(L.Rescaling(0.5)(x))))
    return functional(call, (8, 7, 3))


def masks():
    """Keras writes how masks are computed as operations of their own."""
    words, x = L.Input((5,), dtype="int32"), L.Input((5, 4))
    a = L.Embedding(9, 4, mask_zero=True)(words)
    b = L.Masking(0.0)(x)
    both = L.Add()([a, b])
    attended = L.MultiHeadAttention(2, 2)(both, a)
    return keras.Model([words, x], [L.LSTM(3)(both), L.GlobalAveragePooling1D()(attended), L.GRU(2)(L.Dense(3)(b)),
                                    L.Bidirectional(L.SimpleRNN(2))(a)])


def trained():
    model = sequential((4,), L.Normalization(), L.Dense(5, activation="relu"), L.Dense(1))
    model.layers[0].adapt(np.linspace(-2, 3, 80).reshape(20, 4))
    model.compile(keras.optimizers.Adam(0.01, clipnorm=1.0), "mse", metrics=["mae"])
    model.optimizer.build(model.trainable_variables)
    if keras.backend.backend() == "jax":
        x = np.random.default_rng(1).normal(size=(16, 4)).astype("float32")
        model.fit(x, x[:, :1] * 2, epochs=2, batch_size=8, verbose=0, shuffle=False)
    return model


MODELS = [dense, conv1d, conv2d, conv3d, transposed, normalizations, embeddings, simple_rnn, lstm, gru, bidirectional,
          cells, conv_lstm, attention, multi_head_attention, einsum, shared, nested, time_distributed, several,
          operations, calls, masks, trained, pictures]


def build(make, seed):
    keras.backend.clear_session()
    keras.utils.set_random_seed(seed)
    return make()


def inputs_of(model, random):
    """Random inputs by name, in the order of the model's inputs."""
    found = {}
    for i, one in enumerate(model.inputs):
        shape = (3,) + tuple(one.shape[1:])
        if "int" in str(one.dtype):
            found["in_%d" % i] = random.integers(0, 9, size=shape).astype("int32")
        else:
            found["in_%d" % i] = random.normal(size=shape).astype("float32")
    return found


def predict(model, inputs):
    values = [inputs["in_%d" % i] for i in range(len(model.inputs))]
    given = model._inputs_struct if hasattr(model, "_inputs_struct") else None
    if isinstance(given, dict):
        names = [one.name for one in model.inputs]
        values = dict(zip(names, values))
    elif len(values) == 1:
        values = values[0]
    outputs = model(values, training=False)
    if isinstance(outputs, dict):
        outputs = [outputs[name] for name in sorted(outputs)]
    return [np.asarray(one) for one in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]


def disturb(model, random):
    """No weight keeps what an initializer gave: biases of 0 would hide that they were mixed up."""
    for one in model.weights:
        value = one.numpy()
        if value.dtype == np.float32:
            one.assign(np.abs(value + random.normal(scale=0.2, size=value.shape)) + 0.1 if "variance" in one.path
                       else value + random.normal(scale=0.1, size=value.shape))


def write(directory, *names):
    for i, make in enumerate(MODELS):
        if names and make.__name__ not in names:
            continue
        model, random = build(make, i), np.random.default_rng(i)
        if make is not trained:
            disturb(model, random)
        path = os.path.join(directory, make.__name__)
        model.save(path + ".keras")
        if make is not dense:  # that one stays as Keras wrote it; the others are smaller
            with zipfile.ZipFile(path + ".keras") as file:
                members = {name: file.read(name) for name in file.namelist()}
            with zipfile.ZipFile(path + ".keras", "w", zipfile.ZIP_DEFLATED) as file:
                for name, content in members.items():
                    file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED, 9)
        inputs = inputs_of(model, random)
        outputs = {"out_%d" % i: one for i, one in enumerate(predict(model, inputs))}
        np.savez_compressed(path + ".npz", **inputs, **outputs)


class Subclassed(keras.Model):
    def __init__(self):
        super().__init__()
        self.z, self.block, self._private = L.Dense(2), keras.Sequential([L.Dense(3), L.Dense(2)]), L.Dense(2)
        self.alike, self.last = [L.Dense(2), L.Dense(2), L.Dense(2)], L.LSTM(2)
        self.own = self.add_weight(shape=(2,), name="own")

    def call(self, x):
        for one in [self.z, self.block, self._private, *self.alike]:
            x = one(x)
        return self.last(x[:, None]) + self.own


def names(path):
    """The order of optimizers' variables, and the names in the weights of a user's class."""
    o = keras.optimizers
    found, rate = {}, o.schedules.ExponentialDecay(0.1, 10, 0.5)
    made = [o.SGD(), o.SGD(momentum=0.9), o.RMSprop(momentum=0.5, centered=True), o.Adam(amsgrad=True), o.AdamW(rate),
            o.Nadam(), o.Adamax(), o.Ftrl(), o.Adagrad(), o.Adadelta(), o.Lion(), o.Lamb(), o.Muon(),
            o.Adafactor(),
            o.Adam(use_ema=True, gradient_accumulation_steps=2), o.LossScaleOptimizer(o.SGD(momentum=0.9))]
    for one in made:
        model = build(lambda: sequential((4,), L.Dense(3)), 0)
        model.compile(one, "mse")
        one.build(model.trainable_variables)
        key = "%s %d" % (type(one).__name__, len(one.variables))
        found[key] = [[v.path.split("dense_")[-1] if "dense_" in v.path else "", list(v.shape)] for v in one.variables]
    model = build(Subclassed, 0)
    model(np.zeros((1, 2), "float32"))
    weights = os.path.join(os.path.dirname(path), "names.weights.h5")
    model.save_weights(weights)
    paths = []
    with h5py.File(weights) as file:
        file.visititems(lambda name, one: paths.append(name) if isinstance(one, h5py.Dataset) else None)
    os.remove(weights)
    with open(path, "w") as file:
        json.dump({"optimizers": found, "subclassed": sorted(paths)}, file, indent=1)


def read(directory, *names):
    for i, make in enumerate(MODELS):
        path = os.path.join(directory, make.__name__)
        if names and make.__name__ not in names or not os.path.exists(path + ".weights.h5"):
            continue
        model = build(make, 100 + i)
        model.load_weights(path + ".weights.h5")
        arrays = np.load(path + ".npz")
        if make is trained and (int(model.optimizer.iterations.value) != 4
                                or np.abs(np.asarray(model.optimizer.variables[2])).max() == 0):
            sys.exit("trained: the optimizer is as new")
        worst = 0
        for j, found in enumerate(predict(model, arrays)):
            wanted = arrays["out_%d" % j]
            if found.shape != wanted.shape:
                sys.exit("%s: output %d has shape %s, not %s" % (make.__name__, j, found.shape, wanted.shape))
            error = np.abs(found - wanted)
            worst = max(worst, float(np.min([error / 1e-6, error / np.maximum(np.abs(wanted), 1e-30) / 1e-5], 0).max()))
        print("%s %.3f %s" % (make.__name__, worst, "ok" if worst <= 1 else "DIFFERS"))


if __name__ == "__main__":
    {"write": write, "read": read, "names": names}[sys.argv[1]](*sys.argv[2:])
