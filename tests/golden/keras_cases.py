"""Runs small cases in Keras and writes what they give to Lua data files, which tests/lua/golden_spec.lua reads.

    KERAS_BACKEND=tensorflow python tests/golden/keras_cases.py [family ...]

Families are functions named family_<name>; each gives a list of cases and makes keras_<name>.lua. A case is data: class
names and options that mean the same on both sides. Option values that are objects are written as
obj(kind, class, options). Weights and data come from a generator seeded by the case's name, so adding a case leaves
the others alone. Tensors are written as "dtype" "shape" and a string of %.9g numbers.
"""
import os
import sys
import zlib

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ["COLUMNS"] = "140"

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

# TensorFlow gives the gradient of an embedding as rows, a token that comes twice as two of them, and Keras' optimizers
# square and clip each by itself. Dense gradients are what Keras has on its other backends.
_apply = keras.optimizers.Optimizer.apply
keras.optimizers.Optimizer.apply = lambda self, grads, trainable_variables=None: _apply(
    self, [tf.convert_to_tensor(g) if isinstance(g, tf.IndexedSlices) else g for g in grads], trainable_variables)

from keras_models import BATCH, Obj, build, draw, draw_input, inp, make, node, obj, write_cases  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def rng_of(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


def write(family, cases):
    names = [case["name"] for case in cases]
    assert len(set(names)) == len(names), "names must differ"
    path = os.path.join(HERE, "keras_%s.lua" % family)
    write_cases(path, "keras_cases.py", cases)
    print("%-12s %3d cases %7d bytes" % (family, len(cases), os.path.getsize(path)))


# ---- models --------------------------------------------------------------------------------------------------------

def target_for(rng, loss, shape):
    name = loss.name if isinstance(loss, Obj) else loss
    if name.startswith("Sparse"):
        return rng.integers(0, shape[-1], size=shape[:-1]).astype("int32")
    if name == "CategoricalCrossentropy":
        return np.eye(shape[-1], dtype="float32")[rng.integers(0, shape[-1], size=shape[:-1])]
    if name == "BinaryCrossentropy":
        return rng.integers(0, 2, size=shape).astype("float32")
    return rng.normal(size=shape).astype("float32")


MSE = obj("loss", "MeanSquaredError")


def model(name, inputs, nodes, outputs=None, loss=MSE, optimizer=None, steps=8, policy=None, training_output=False,
          sample_weight=False, zero_tail=None, loss_weights=None, **more):
    """A functional model: outputs, losses of `steps` steps of training on one batch, weights afterwards."""
    rng = rng_of(name)
    inputs = inputs if isinstance(inputs, list) else [inputs]
    for i, one in enumerate(nodes):  # chains need no numbers
        if one["sources"] == 0 and i > 0:
            one["sources"] = len(inputs) + i - 1
    optimizer = optimizer or obj("optimizer", "SGD", learning_rate=0.05)
    case = {"name": name, "inputs": inputs, "nodes": nodes, "outputs": outputs or [len(inputs) + len(nodes) - 1]}
    keras.utils.clear_session()
    keras.config.set_dtype_policy(policy or "float32")
    built, _ = build(case)
    weights = [draw(rng, w.path, w.shape) for w in built.weights]
    built.set_weights(weights)
    x = [draw_input(rng, one) for one in inputs]
    if zero_tail is not None:  # rows end in zeros, as padded texts do
        for row in range(BATCH):
            x[zero_tail][row, 1 + row % x[zero_tail].shape[1]:] = 0
            x[zero_tail][row, 0] += x[zero_tail][row, 0] == 0
    feed = x if len(x) > 1 else x[0]
    value = built(feed, training=False)
    values = value if isinstance(value, list) else [value]
    losses = loss if isinstance(loss, list) else [loss]
    y = [target_for(rng, losses[i if len(losses) > 1 else 0], v.shape) for i, v in enumerate(values)]
    weight = None
    if sample_weight:
        size = values[0].shape[:-1] if sample_weight == "elements" else BATCH
        weight = rng.uniform(0.2, 2.0, size=size).astype("float32")
    case.update(policy=policy, loss=losses, loss_weights=loss_weights, optimizer=optimizer, steps=steps,
                x=x, y=y, sample_weight=weight, weights=weights,
                output=[np.array(v).astype("float32") for v in values])
    if training_output:
        value = built(feed, training=True)
        values = value if isinstance(value, list) else [value]
        case["training_output"] = [np.array(v).astype("float32") for v in values]
        built.set_weights(weights)
    made = [make(one) for one in losses]
    built.compile(optimizer=make(optimizer), loss=made if len(made) > 1 else made[0], loss_weights=loss_weights,
                  run_eagerly=True)
    history = []
    for _ in range(steps):
        built.reset_metrics()
        result = built.train_on_batch(feed, y if len(y) > 1 else y[0], sample_weight=weight, return_dict=True)
        history.append(float(result["loss"]))
    case.update(losses=np.array(history, dtype="float32"), final=[np.array(w) for w in built.weights])
    keras.config.set_dtype_policy("float32")
    case.update(more)
    return case


def chain(name, shape, *layers, **options):
    """A model of layers one after the other."""
    one = options.pop("input", None) or inp("x", shape)
    return model(name, [one], [node(layer, opts) for layer, opts in layers], **options)


ADAM = obj("optimizer", "Adam", learning_rate=0.01)
SCE = obj("loss", "SparseCategoricalCrossentropy", from_logits=True)


def d(units=3, **options):
    return ("Dense", dict(units=units, **options))


def family_dense():
    reg = obj
    return [
        chain("dense", [4], d()),
        chain("dense no bias", [4], d(use_bias=False)),
        chain("dense stack adam", [4], d(5, activation="relu"), d(3), optimizer=ADAM, loss=SCE),
        chain("dense over axes", [2, 4], d(3, activation="tanh"), d(2)),
        chain("dense softmax", [4], d(3, activation="softmax"), loss=obj("loss", "CategoricalCrossentropy")),
        chain("dense softmax sparse", [4], d(3, activation="softmax"),
              loss=obj("loss", "SparseCategoricalCrossentropy")),
        chain("dense sigmoid bce", [4], d(1, activation="sigmoid"), loss=obj("loss", "BinaryCrossentropy")),
        chain("dense l2", [4], d(3, kernel_regularizer=reg("regularizer", "L2", l2=0.05),
                                 bias_regularizer=reg("regularizer", "L1", l1=0.02))),
        chain("dense l1l2", [4], d(3, kernel_regularizer=reg("regularizer", "L1L2", l1=0.01, l2=0.03),
                                   activity_regularizer=reg("regularizer", "L2", l2=0.01))),
        chain("dense orthogonal regularizer", [4], d(3, kernel_regularizer=reg(
            "regularizer", "OrthogonalRegularizer", factor=0.1, mode="columns"))),
        chain("dense max norm", [4], d(3, kernel_constraint=reg("constraint", "MaxNorm", max_value=0.5))),
        chain("dense non neg", [4], d(3, kernel_constraint=reg("constraint", "NonNeg"))),
        chain("dense unit norm", [4], d(3, kernel_constraint=reg("constraint", "UnitNorm", axis=1))),
        chain("dense min max norm", [4], d(3, kernel_constraint=reg("constraint", "MinMaxNorm", min_value=0.3,
                                                                    max_value=0.6, rate=0.8))),
        chain("frozen layer", [4], d(4, trainable=False, activation="relu"), d(2)),
        chain("sample weights", [4], d(3), sample_weight=True),
        chain("sample weights sequence", [3, 4], d(2), sample_weight="elements"),
        chain("flatten", [2, 3], d(4), ("Flatten", {}), d(2)),
        chain("reshape", [6], d(6), ("Reshape", dict(target_shape=[2, -1])), d(2)),
        chain("permute", [2, 3], d(4), ("Permute", dict(dims=[2, 1])), d(2)),
        chain("repeat vector", [3], d(4), ("RepeatVector", dict(n=3)), d(2)),
        chain("rescaling", [3], ("Rescaling", dict(scale=0.5, offset=1.0)), d(2)),
        chain("normalization", [3], ("Normalization", dict(mean=[0.1, -0.2, 0.3], variance=[0.5, 1.0, 2.0])), d(2)),
        chain("identity", [3], d(3), ("Identity", {}), d(2)),
        chain("activity regularization", [3], d(3), ("ActivityRegularization", dict(l1=0.01, l2=0.02)), d(2)),
        chain("dropout off", [3], d(3), ("Dropout", dict(rate=0.0)), d(2), training_output=True),
        chain("time distributed", [3, 4], ("TimeDistributed", dict(layer=obj("layer", "Dense", units=3))), d(2)),
        chain("unit normalization", [4], d(4), ("UnitNormalization", {}), d(2)),
        chain("einsum dense", [3, 4], ("EinsumDense", dict(equation="abc,cd->abd", output_shape=[3, 5], bias_axes="d",
                                                           activation="tanh")), d(2)),
        chain("einsum dense heads", [3, 4], ("EinsumDense", dict(equation="abc,cde->abde", output_shape=[3, 2, 3],
                                                                 bias_axes="de")), ("Flatten", {}), d(2)),
        chain("einsum dense dots", [3, 4], ("EinsumDense", dict(equation="...x,xy->...y", output_shape=2))),
        chain("spectral normalization", [4], ("SpectralNormalization", dict(layer=obj("layer", "Dense", units=3),
                                                                            power_iterations=2)), d(2), steps=5),
        chain("softmax over axes", [3, 4], d(4), ("Softmax", dict(axis=[1, 2])), d(2)),
        chain("constraint after averaging", [4], d(3, kernel_constraint=reg("constraint", "NonNeg")), d(2),
              optimizer=obj("optimizer", "SGD", learning_rate=0.3, use_ema=True, ema_momentum=0.8,
                            ema_overwrite_frequency=3)),
        chain("sigmoid of large logits", [4], ("Rescaling", dict(scale=60.0)), d(1, activation="sigmoid"),
              loss=obj("loss", "BinaryCrossentropy"), optimizer=obj("optimizer", "SGD", learning_rate=0.001)),
        chain("softmax said to be logits", [4], d(3, activation="softmax"),
              loss=obj("loss", "CategoricalCrossentropy", from_logits=True)),
        chain("embedding adam", None, ("Embedding", dict(input_dim=4, output_dim=3)), ("Flatten", {}), d(2),
              input=inp("x", [5], "int32", 4), optimizer=ADAM),
        chain("embedding", None, ("Embedding", dict(input_dim=7, output_dim=4)), ("Flatten", {}), d(2),
              input=inp("x", [3], "int32", 7)),
    ]


def family_activation_layers():
    out = []
    for name, options in [("ReLU", {}), ("ReLU", dict(max_value=1.0, negative_slope=0.1, threshold=0.2)),
                          ("LeakyReLU", {}), ("LeakyReLU", dict(negative_slope=0.1)), ("ELU", dict(alpha=0.7)),
                          ("PReLU", {}), ("Softmax", {}), ("Activation", dict(activation="gelu"))]:
        out.append(chain("layer %s %d" % (name, len(out)), [4], d(4), (name, options), d(2)))
    out.append(chain("layer PReLU shared", [3, 4], d(4), ("PReLU", dict(shared_axes=[1])), d(2)))
    out.append(chain("layer Softmax axis", [3, 4], d(4), ("Softmax", dict(axis=1)), d(2)))
    return out


def family_convolution():
    def conv(name, shape, layer, *after, **options):
        return chain(name, shape, (layer, options), *after, optimizer=obj("optimizer", "SGD", learning_rate=0.02),
                     steps=4)
    flat = [("Flatten", {}), d(2)]
    return [
        conv("conv1d", [7, 2], "Conv1D", filters=3, kernel_size=3),
        conv("conv1d same stride", [7, 2], "Conv1D", filters=3, kernel_size=3, padding="same", strides=2),
        conv("conv1d causal dilated", [7, 2], "Conv1D", filters=3, kernel_size=3, padding="causal", dilation_rate=2),
        conv("conv2d", [5, 6, 2], "Conv2D", *flat, filters=3, kernel_size=3, activation="relu"),
        conv("conv2d same", [5, 4, 2], "Conv2D", filters=2, kernel_size=[3, 2], padding="same"),
        conv("conv2d even kernel same", [4, 4, 2], "Conv2D", filters=2, kernel_size=2, padding="same"),
        conv("conv2d strides", [6, 5, 2], "Conv2D", filters=2, kernel_size=3, padding="same", strides=2),
        conv("conv2d strides valid", [6, 5, 2], "Conv2D", filters=2, kernel_size=3, strides=[2, 1]),
        conv("conv2d dilated", [6, 6, 1], "Conv2D", filters=2, kernel_size=2, dilation_rate=2),
        conv("conv2d groups", [4, 4, 4], "Conv2D", filters=4, kernel_size=3, groups=2),
        conv("conv2d no bias", [4, 4, 2], "Conv2D", filters=2, kernel_size=1, use_bias=False),
        conv("conv3d", [3, 4, 3, 2], "Conv3D", filters=2, kernel_size=2),
        conv("conv3d same stride", [4, 3, 4, 1], "Conv3D", filters=2, kernel_size=3, strides=2, padding="same"),
        conv("conv1d transpose", [4, 2], "Conv1DTranspose", filters=3, kernel_size=3, strides=2),
        conv("conv2d transpose", [3, 3, 2], "Conv2DTranspose", filters=2, kernel_size=3, strides=2),
        conv("conv2d transpose same", [3, 3, 2], "Conv2DTranspose", filters=2, kernel_size=3, strides=2,
             padding="same"),
        conv("conv2d transpose stride 1", [3, 4, 2], "Conv2DTranspose", filters=2, kernel_size=[2, 3]),
        conv("conv2d transpose output padding", [3, 3, 1], "Conv2DTranspose", filters=2, kernel_size=3, strides=2,
             padding="same", output_padding=1),
        conv("conv3d transpose", [2, 2, 2, 1], "Conv3DTranspose", filters=2, kernel_size=2, strides=2),
        conv("depthwise1d", [6, 3], "DepthwiseConv1D", kernel_size=3),
        conv("depthwise2d", [4, 5, 2], "DepthwiseConv2D", kernel_size=3, depth_multiplier=2),
        conv("depthwise2d same stride", [5, 5, 2], "DepthwiseConv2D", kernel_size=3, strides=2, padding="same"),
        conv("separable1d", [6, 2], "SeparableConv1D", filters=3, kernel_size=3),
        conv("separable2d", [4, 4, 2], "SeparableConv2D", filters=3, kernel_size=3, depth_multiplier=2,
             padding="same"),
    ]


def family_pooling():
    def pool(name, shape, layer, **options):
        return chain(name, shape, d(2), (layer, options), steps=4)
    return [
        pool("max pool 1d", [6, 2], "MaxPooling1D"),
        pool("max pool 1d same", [5, 2], "MaxPooling1D", pool_size=3, strides=2, padding="same"),
        pool("max pool 2d", [4, 6, 2], "MaxPooling2D"),
        pool("max pool 2d strides", [5, 5, 2], "MaxPooling2D", pool_size=3, strides=1),
        pool("max pool 2d same", [5, 5, 2], "MaxPooling2D", pool_size=2, padding="same"),
        pool("max pool 3d", [4, 2, 4, 1], "MaxPooling3D"),
        pool("average pool 1d", [6, 2], "AveragePooling1D", pool_size=3),
        pool("average pool 2d", [4, 4, 2], "AveragePooling2D", pool_size=2),
        pool("average pool 2d same", [5, 5, 2], "AveragePooling2D", pool_size=[2, 3], padding="same"),
        pool("average pool 3d", [2, 4, 2, 1], "AveragePooling3D", pool_size=2),
        pool("global max 1d", [4, 2], "GlobalMaxPooling1D"),
        pool("global max 2d", [3, 4, 2], "GlobalMaxPooling2D", keepdims=True),
        pool("global average 1d", [4, 2], "GlobalAveragePooling1D"),
        pool("global average 2d", [3, 4, 2], "GlobalAveragePooling2D"),
        pool("global average 3d", [2, 3, 2, 2], "GlobalAveragePooling3D", keepdims=True),
        pool("global max 3d", [2, 3, 2, 2], "GlobalMaxPooling3D"),
        pool("zero padding 1d", [3, 2], "ZeroPadding1D", padding=2),
        pool("zero padding 2d", [3, 2, 2], "ZeroPadding2D", padding=[[1, 0], [2, 1]]),
        pool("zero padding 3d", [2, 2, 2, 1], "ZeroPadding3D", padding=[1, 0, 2]),
        pool("cropping 1d", [6, 2], "Cropping1D", cropping=[1, 2]),
        pool("cropping 2d", [5, 5, 2], "Cropping2D", cropping=[[1, 2], [0, 1]]),
        pool("cropping 3d", [4, 3, 3, 1], "Cropping3D"),
        pool("up sampling 1d", [3, 2], "UpSampling1D", size=3),
        pool("up sampling 2d", [2, 3, 2], "UpSampling2D", size=[2, 3]),
        pool("up sampling 2d bilinear", [2, 3, 2], "UpSampling2D", interpolation="bilinear"),
        pool("up sampling 3d", [2, 2, 2, 1], "UpSampling3D"),
    ]


def family_normalization():
    def norm(name, shape, layer, **options):
        return chain(name, shape, (layer, options), d(2), training_output=True, steps=6)
    return [
        norm("layer norm", [5], "LayerNormalization"),
        norm("layer norm axes", [3, 4], "LayerNormalization", axis=[1, 2]),
        norm("layer norm axis 1", [3, 4], "LayerNormalization", axis=1, epsilon=1e-5),
        norm("layer norm no scale", [5], "LayerNormalization", scale=False),
        norm("layer norm no center", [5], "LayerNormalization", center=False),
        norm("rms norm", [5], "RMSNormalization"),
        norm("group norm", [4, 6], "GroupNormalization", groups=3),
        norm("group norm instance", [3, 4, 2], "GroupNormalization", groups=-1),
        dict(norm("batch norm", [4], "BatchNormalization"), replicas=False),
        dict(norm("batch norm 2d", [3, 3, 2], "BatchNormalization", momentum=0.8, epsilon=1e-4), replicas=False),
        dict(norm("batch norm axis", [3, 4], "BatchNormalization", axis=1, momentum=0.9), replicas=False),
        dict(norm("batch norm plain", [4], "BatchNormalization", center=False, scale=False), replicas=False),
        dict(norm("batch norm frozen", [4], "BatchNormalization", trainable=False)),
        norm("batch norm synchronized", [4], "BatchNormalization", synchronized=True, momentum=0.9),
        dict(chain("batch norm of each step", [3, 4],
                   ("TimeDistributed", dict(layer=obj("layer", "BatchNormalization", momentum=0.9))), d(2),
                   training_output=True, steps=6), replicas=False),
    ]


def family_recurrent():
    def rnn(name, kind, after=(), shape=(4, 3), **options):
        return chain(name, list(shape), (kind, options), *after, steps=5)
    bi = lambda **options: obj("layer", options.pop("kind", "LSTM"), **options)  # noqa: E731
    tokens = inp("x", [5], "int32", 6)
    return [
        rnn("simple rnn", "SimpleRNN", units=3),
        rnn("simple rnn sequences", "SimpleRNN", units=3, return_sequences=True, activation="relu"),
        rnn("lstm", "LSTM", units=3),
        rnn("lstm sequences", "LSTM", [("LSTM", dict(units=2))], units=3, return_sequences=True),
        rnn("lstm backwards", "LSTM", units=2, go_backwards=True, return_sequences=True),
        rnn("lstm no bias", "LSTM", units=2, use_bias=False),
        rnn("lstm activations", "LSTM", units=2, activation="relu", recurrent_activation="hard_sigmoid"),
        rnn("lstm regularized", "LSTM", units=2, recurrent_regularizer=obj("regularizer", "L2", l2=0.1),
            kernel_constraint=obj("constraint", "MaxNorm", max_value=0.7)),
        rnn("gru", "GRU", units=3),
        rnn("gru reset before", "GRU", units=3, reset_after=False),
        rnn("gru sequences", "GRU", units=2, return_sequences=True),
        rnn("bidirectional lstm", "Bidirectional", layer=bi(units=2)),
        rnn("bidirectional sequences", "Bidirectional", layer=bi(units=2, return_sequences=True)),
        rnn("bidirectional sum", "Bidirectional", layer=bi(kind="GRU", units=2, return_sequences=True),
            merge_mode="sum"),
        rnn("bidirectional ave", "Bidirectional", layer=bi(kind="SimpleRNN", units=2), merge_mode="ave"),
        rnn("bidirectional mul", "Bidirectional", layer=bi(units=2), merge_mode="mul"),
        chain("masked lstm", None, ("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True)),
              ("LSTM", dict(units=3)), d(2), input=tokens, zero_tail=0, steps=5),
        chain("masked gru sequences", None, ("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True)),
              ("GRU", dict(units=3, return_sequences=True)), d(2), input=tokens, zero_tail=0, steps=5),
        chain("masked sequence loss", None, ("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True)),
              ("SimpleRNN", dict(units=3, return_sequences=True)),
              ("TimeDistributed", dict(layer=obj("layer", "Dense", units=4))), input=tokens, zero_tail=0, loss=SCE,
              steps=5),
        chain("masked weights", None, ("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True)),
              ("LSTM", dict(units=3, return_sequences=True)), d(2), input=tokens, zero_tail=0, sample_weight="elements",
              steps=5),
        chain("masked bidirectional", None, ("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True)),
              ("Bidirectional", dict(layer=bi(units=2))), d(2), input=tokens, zero_tail=0, steps=5),
        chain("masking layer", [4, 3], ("Masking", dict(mask_value=0.0)), ("LSTM", dict(units=2)), zero_tail=0,
              steps=5),
        chain("masked average", None, ("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True)),
              ("GlobalAveragePooling1D", {}), d(2), input=tokens, zero_tail=0, steps=5),
        chain("masked bidirectional sequences", None, ("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True)),
              ("Bidirectional", dict(layer=bi(kind="GRU", units=2, return_sequences=True), merge_mode="sum")), d(2),
              input=tokens, zero_tail=0, steps=5),
        chain("masked rescaling", [4, 3], ("Masking", {}), ("Rescaling", dict(scale=1.5, offset=-0.2)),
              ("LSTM", dict(units=2, go_backwards=True)), zero_tail=0, steps=5),
        rnn("rnn of a cell", "RNN", cell=obj("layer", "GRUCell", units=3), return_sequences=True),
        rnn("rnn of cells", "RNN", cell=obj("layer", "StackedRNNCells", cells=[obj("layer", "LSTMCell", units=3),
                                                                               obj("layer", "SimpleRNNCell", units=2),
                                                                               ])),
        rnn("conv lstm 1d", "ConvLSTM1D", [("Flatten", {}), d(2)], shape=(3, 5, 2), filters=2, kernel_size=3),
        rnn("conv lstm 2d", "ConvLSTM2D", [("Flatten", {}), d(2)], shape=(3, 4, 4, 2), filters=2, kernel_size=2,
            strides=2, padding="same", return_sequences=True, go_backwards=True),
        model("lstm states", [inp("x", [4, 3]), inp("h", [2]), inp("c", [2])],
              [node("LSTM", dict(units=2), [0], initial_state=[1, 2])], steps=5),
    ]


def family_attention():
    q, v = inp("q", [3, 4]), inp("v", [5, 4])
    return [
        model("self attention", [q], [node("MultiHeadAttention", dict(num_heads=2, key_dim=3)), node("Dense",
              dict(units=2))], steps=5),
        model("causal attention", [q], [node("MultiHeadAttention", dict(num_heads=2, key_dim=3), 0,
              use_causal_mask=True)], steps=5),
        model("cross attention", [q, v], [node("MultiHeadAttention", dict(num_heads=2, key_dim=2, value_dim=3,
              output_shape=5), [0, 1])], steps=5),
        model("attention no bias", [q, v], [node("MultiHeadAttention", dict(num_heads=1, key_dim=2, use_bias=False),
              [0, 1])], steps=5),
        model("masked attention", [inp("x", [5], "int32", 6)], [
            node("Embedding", dict(input_dim=6, output_dim=4, mask_zero=True)),
            node("MultiHeadAttention", dict(num_heads=2, key_dim=2))], zero_tail=0, steps=5),
        model("masked attention that may look nowhere", [inp("x", [5, 3])], [
            node("Masking"), node("MultiHeadAttention", dict(num_heads=1, key_dim=3))], zero_tail=0, steps=5),
        model("gated attention", [q], [node("MultiHeadAttention", dict(num_heads=2, key_dim=3, use_gate=True,
              kernel_regularizer=obj("regularizer", "L2", l2=0.01)))], steps=5),
        model("attention over two axes", [inp("image", [2, 3, 4])], [node("MultiHeadAttention", dict(
            num_heads=2, key_dim=2))], steps=5),
        model("attention over one axis of two", [inp("image", [2, 3, 4])], [node("MultiHeadAttention", dict(
            num_heads=2, key_dim=2, attention_axes=[2]))], steps=5),
        model("sliding attention", [inp("x", [6, 4])], [node("MultiHeadAttention", dict(
            num_heads=1, key_dim=2, sliding_window=2))], steps=5),
        model("grouped query attention", [q, v], [node("GroupQueryAttention", dict(
            head_dim=3, num_query_heads=4, num_key_value_heads=2), [0, 1])], steps=5),
        model("dot attention", [q, v], [node("Dense", dict(units=4)), node("Attention", {}, [2, 1])], steps=5),
        model("scaled attention", [q, v], [node("Dense", dict(units=4)), node("Attention", dict(use_scale=True),
              [2, 1])], steps=5),
        model("concat attention", [q, v], [node("Dense", dict(units=4)), node("Attention", dict(
            score_mode="concat"), [2, 1])], steps=5),
        model("additive attention", [q, v], [node("Dense", dict(units=4)), node("AdditiveAttention", {}, [2, 1])],
              steps=5),
        model("additive attention plain", [q, v], [node("Dense", dict(units=4)), node(
            "AdditiveAttention", dict(use_scale=False), [2, 1])], steps=5),
        model("transformer block", [q], [
            node("LayerNormalization"),
            node("MultiHeadAttention", dict(num_heads=2, key_dim=2), 1),
            node("Add", {}, [0, 2]),
            node("LayerNormalization", {}, 3),
            node("Dense", dict(units=6, activation="gelu"), 4),
            node("Dense", dict(units=4), 5),
            node("Add", {}, [3, 6])]),
    ]


def family_merging():
    a, b = inp("a", [3]), inp("b", [3])
    out = []
    for name, options in [("Add", {}), ("Subtract", {}), ("Multiply", {}), ("Maximum", {}), ("Minimum", {}),
                          ("Average", {}), ("Concatenate", {}), ("Dot", dict(axes=1)),
                          ("Dot", dict(axes=1, normalize=True))]:
        out.append(model("merge %s%s" % (name, " normalized" if options.get("normalize") else ""), [a, b], [
            node("Dense", dict(units=3), 0), node("Dense", dict(units=3), 1), node(name, options, [2, 3])], steps=5))
    tokens = inp("x", [5], "int32", 6)
    for name in ["Add", "Multiply", "Maximum", "Minimum"]:
        out.append(model("merge %s masked" % name, [tokens, inp("a", [5, 3])], [
            node("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True), 0),
            node("Rescaling", dict(scale=2.0, offset=0.5), 2), node(name, {}, [2, 3]),
            node("Add", {}, [4, 4]), node("LSTM", dict(units=2), 5), node("Flatten", {}, 1),
            node("Concatenate", {}, [6, 7])], zero_tail=0, steps=5))
    out.append(model("merge Concatenate masked", [tokens, inp("a", [5, 3])], [
        node("Embedding", dict(input_dim=6, output_dim=3, mask_zero=True), 0),
        node("Concatenate", dict(axis=1), [2, 1]),
        node("GRU", dict(units=2), 3)], zero_tail=0, steps=5))
    s, t = inp("s", [3, 4]), inp("t", [2, 4])
    out.append(model("merge Concatenate axis", [s, t], [node("Dense", dict(units=4), 0), node(
        "Concatenate", dict(axis=1), [2, 1])], steps=5))
    out.append(model("merge Dot 3d", [s, t], [node("Dense", dict(units=4), 0), node("Dot", dict(axes=[2, 2]), [2, 1])],
                     steps=5))
    out.append(model("merge three", [a, b], [node("Dense", dict(units=3), 0), node("Add", {}, [0, 1, 2]),
                                             node("Multiply", {}, [3, 2])], steps=5))
    out.append(model("shared layer", [a, b], [node("Dense", dict(units=4, activation="tanh"), 0), node(2, {}, 1),
                                              node("Concatenate", {}, [2, 3]), node("Dense", dict(units=2), 4)]))
    out.append(model("two outputs", [a, b], [
        node("Concatenate", {}, [0, 1]), node("Dense", dict(units=4, activation="relu"), 2),
        node("Dense", dict(units=3), 3), node("Dense", dict(units=2), 3)], outputs=[4, 5], loss=[SCE, MSE],
        loss_weights=[1.0, 0.3], optimizer=ADAM))
    out.append(model("residual net", [inp("image", [4, 4, 2])], [
        node("Conv2D", dict(filters=3, kernel_size=3, padding="same", activation="relu"), 0),
        node("Conv2D", dict(filters=3, kernel_size=3, padding="same"), 1),
        node("Add", {}, [1, 2]), node("Activation", dict(activation="relu"), 3),
        node("GlobalAveragePooling2D", {}, 4), node("Dense", dict(units=3), 5)], loss=SCE, optimizer=ADAM))
    return out


def family_precision():
    loose = dict(tolerance=0.02)
    return [
        chain("bfloat16 dense", [4], d(6, activation="relu"), d(3), policy="mixed_bfloat16", **loose),
        chain("bfloat16 softmax", [4], d(6, activation="relu"), d(3, activation="softmax", dtype="float32"),
              loss=obj("loss", "SparseCategoricalCrossentropy"), policy="mixed_bfloat16", **loose),
        chain("bfloat16 conv", [4, 4, 2], ("Conv2D", dict(filters=3, kernel_size=3)), ("Flatten", {}), d(2),
              policy="mixed_bfloat16", **loose),
        chain("bfloat16 layer norm", [4], d(6), ("LayerNormalization", {}), d(2), policy="mixed_bfloat16", **loose),
        chain("float16 dense", [4], d(6, activation="relu"), d(3), policy="mixed_float16", **loose),
    ]


# ---- losses ----------------------------------------------------------------------------------------------------------

def loss_case(name, shape=(BATCH, 3), weight=None, mask=False, true="normal", pred="normal", **options):
    title = "%s %s" % (name, " ".join("%s=%s" % item for item in options.items()))
    title = title.strip() + (" w=" + weight if weight else "") + (" masked" if mask else "")
    if len(shape) != 2:
        title += " rank %d" % len(shape)
    if pred != "normal":
        title += " " + pred
    if true != "normal":
        title += " of " + true
    rng = rng_of(title)

    def values(kind):
        if kind == "normal":
            return rng.normal(size=shape).astype("float32")
        if kind == "positive":
            return rng.uniform(0.1, 2.0, size=shape).astype("float32")
        if kind == "unit":
            return rng.uniform(0.02, 0.98, size=shape).astype("float32")
        if kind == "simplex":
            p = rng.uniform(0.1, 1.0, size=shape)
            return (p / p.sum(-1, keepdims=True)).astype("float32")
        if kind == "binary":
            return rng.integers(0, 2, size=shape).astype("float32")
        if kind == "signs":
            return (rng.integers(0, 2, size=shape) * 2 - 1).astype("float32")
        if kind == "one hot":
            return np.eye(shape[-1], dtype="float32")[rng.integers(0, shape[-1], size=shape[:-1])]
        if kind == "one hot axis 1":
            return np.moveaxis(values("one hot"), -1, 1)
        if kind == "classes":
            return rng.integers(0, shape[-1], size=shape[:-1]).astype("int32")
        raise KeyError(kind)
    y_true, y_pred = values(true), values(pred)
    w = None
    if weight == "rows":
        w = rng.uniform(0.1, 2.0, size=shape[:1]).astype("float32")
    elif weight == "column":
        w = rng.uniform(0.1, 2.0, size=(shape[0], 1)).astype("float32")
    elif weight == "elements":
        w = rng.uniform(0.1, 2.0, size=shape[:-1]).astype("float32")
    m = rng.integers(0, 2, size=shape[:-1]).astype("bool") if mask else None
    loss = getattr(keras.losses, name)(**options)
    with tf.GradientTape() as tape:
        p = tf.Variable(y_pred)
        q = tf.identity(p)
        if m is not None:
            q._keras_mask = tf.constant(m)
        value = loss(y_true, q, sample_weight=w)
        total = tf.reduce_sum(value)
    gradient = tape.gradient(total, p)
    if isinstance(gradient, tf.IndexedSlices):
        gradient = tf.convert_to_tensor(gradient)
    return {"name": title, "class": name, "options": options, "y_true": y_true, "y_pred": y_pred, "sample_weight": w,
            "mask": m.astype("int32") if m is not None else None, "value": value.numpy(),
            "gradient": gradient.numpy()}


def family_losses():
    out = []
    plain = [("MeanSquaredError", "normal", "normal"), ("MeanAbsoluteError", "normal", "normal"),
             ("MeanAbsolutePercentageError", "normal", "normal"),
             ("MeanSquaredLogarithmicError", "positive", "positive"), ("CosineSimilarity", "normal", "normal"),
             ("Huber", "normal", "normal"), ("LogCosh", "normal", "normal"), ("Hinge", "signs", "normal"),
             ("SquaredHinge", "binary", "normal"), ("CategoricalHinge", "one hot", "normal"),
             ("KLDivergence", "simplex", "simplex"), ("Poisson", "positive", "positive"),
             ("BinaryCrossentropy", "binary", "unit"), ("BinaryFocalCrossentropy", "binary", "unit"),
             ("CategoricalCrossentropy", "one hot", "simplex"),
             ("CategoricalFocalCrossentropy", "one hot", "simplex"),
             ("SparseCategoricalCrossentropy", "classes", "simplex"), ("Dice", "binary", "unit"),
             ("Tversky", "binary", "unit")]
    for name, true, pred in plain:
        out.append(loss_case(name, true=true, pred=pred))
        if name not in ("Dice", "Tversky"):
            out.append(loss_case(name, true=true, pred=pred, weight="rows"))
            out.append(loss_case(name, true=true, pred=pred, reduction="none"))
    for reduction in ["sum", "mean", "mean_with_sample_weight", "sum_over_batch_size", "none"]:
        for name, true in [("MeanSquaredError", "normal"), ("SparseCategoricalCrossentropy", "classes")]:
            options = dict(from_logits=True) if name.startswith("Sparse") else {}
            out.append(loss_case(name, true=true, weight="column", reduction=reduction, **options))
            out.append(loss_case(name, true=true, shape=(BATCH, 4, 3), weight="elements", reduction=reduction,
                                 **options))
            out.append(loss_case(name, true=true, shape=(BATCH, 4, 3), mask=True, reduction=reduction, **options))
    out += [
        loss_case("MeanSquaredError", shape=(BATCH, 4, 3), weight="column", mask=True),
        loss_case("MeanSquaredError", shape=(BATCH, 4, 3), weight="elements", mask=True,
                  reduction="mean_with_sample_weight"),
        loss_case("Huber", delta=0.3),
        loss_case("CosineSimilarity", axis=0),
        loss_case("BinaryCrossentropy", true="binary", from_logits=True, label_smoothing=0.1),
        loss_case("BinaryCrossentropy", true="binary", pred="unit", label_smoothing=0.2),
        loss_case("BinaryFocalCrossentropy", true="binary", from_logits=True, gamma=1.5),
        loss_case("BinaryFocalCrossentropy", true="binary", pred="unit", apply_class_balancing=True, alpha=0.4),
        loss_case("CategoricalCrossentropy", true="one hot", from_logits=True, label_smoothing=0.1),
        loss_case("CategoricalCrossentropy", true="one hot", pred="positive"),
        loss_case("CategoricalCrossentropy", true="one hot axis 1", from_logits=True, axis=1, shape=(BATCH, 3, 3)),
        loss_case("CategoricalFocalCrossentropy", true="one hot", from_logits=True, gamma=1.0, alpha=0.5),
        loss_case("SparseCategoricalCrossentropy", true="classes", from_logits=True),
        loss_case("SparseCategoricalCrossentropy", true="classes", from_logits=True, ignore_class=1),
        loss_case("SparseCategoricalCrossentropy", true="classes", pred="simplex", ignore_class=0,
                  shape=(BATCH, 4, 3)),
        loss_case("SparseCategoricalCrossentropy", true="classes", pred="positive"),
        loss_case("Dice", true="binary", pred="unit", axis=[1]),
        loss_case("Tversky", true="binary", pred="unit", alpha=0.3, beta=0.7),
        loss_case("Tversky", true="binary", pred="unit", axis=[1]),
        loss_case("CategoricalGeneralizedCrossEntropy", true="classes", pred="simplex", q=0.7),
    ]
    # Circle: classes for rows.
    name = "Circle"
    rng = rng_of(name)
    for options in [{}, dict(gamma=16.0, margin=0.25)]:
        y_true = rng.integers(0, 4, size=(BATCH,)).astype("int32")
        y_pred = rng.normal(size=(BATCH, 5))
        y_pred = (y_pred / np.linalg.norm(y_pred, axis=1, keepdims=True)).astype("float32")
        loss = keras.losses.Circle(**options)
        with tf.GradientTape() as tape:
            p = tf.Variable(y_pred)
            value = loss(y_true, p)
        out.append({"name": "Circle %d" % len(options), "class": "Circle", "options": options, "y_true": y_true,
                    "y_pred": y_pred, "value": value.numpy(), "gradient": tape.gradient(value, p).numpy()})
    return out


# ---- metrics ---------------------------------------------------------------------------------------------------------

def metric_case(name, true, pred, shape=(BATCH, 3), weight=None, updates=2, label="", **options):
    title = ("%s %s%s %s %s" % (name, " ".join("%s=%s" % item for item in options.items()),
                                " w=" + weight if weight else "", true, pred)).strip() + label
    rng = rng_of(title)

    def values(kind):
        if kind == "none":
            return None
        if kind == "normal":
            return rng.normal(size=shape).astype("float32")
        if kind == "positive":
            return rng.uniform(0.1, 2.0, size=shape).astype("float32")
        if kind == "unit":
            return rng.uniform(0.02, 0.98, size=shape).astype("float32")
        if kind == "simplex":
            p = rng.uniform(0.1, 1.0, size=shape)
            return (p / p.sum(-1, keepdims=True)).astype("float32")
        if kind == "binary":
            return rng.integers(0, 2, size=shape).astype("float32")
        if kind == "one hot":
            return np.eye(shape[-1], dtype="float32")[rng.integers(0, shape[-1], size=shape[:-1])]
        if kind == "classes":
            return rng.integers(0, shape[-1], size=shape[:-1]).astype("int32")
        if kind == "labels":
            return rng.integers(0, 3, size=shape[:-1]).astype("int32")
        if kind == "row":
            return rng.normal(size=shape[:1]).astype("float32")
        if kind == "constant":
            return np.full(shape, 0.5, "float32")
        raise KeyError(kind)
    metric = getattr(keras.metrics, name)(**options)
    steps = []
    for _ in range(updates):
        a, b = values(true), values(pred)
        w = None
        if weight == "rows":
            w = rng.uniform(0.1, 2.0, size=shape[:1]).astype("float32")
            if name.endswith("IoU"):  # Keras cuts the fractions of these weights off
                w = rng.integers(0, 4, size=shape[:1]).astype("float32")
        elif weight == "elements":
            w = rng.uniform(0.1, 2.0, size=shape[:-1]).astype("float32")
        if b is None:
            metric.update_state(a, sample_weight=w)
        else:
            metric.update_state(a, b, sample_weight=w)
        steps.append({"y_true": a, "y_pred": b, "sample_weight": w,
                      "result": np.asarray(metric.result(), dtype="float32")})
    options = {key: "none" if value is None else value for key, value in options.items()}
    return {"name": title, "class": name, "options": options, "updates": steps}


def family_metrics():
    out = [metric_case("Mean", "normal", "none"), metric_case("Mean", "normal", "none", weight="rows"),
           metric_case("Mean", "row", "none", weight="rows"), metric_case("Sum", "normal", "none"),
           metric_case("Sum", "normal", "none", weight="rows")]
    wrapped = [("Accuracy", "labels", "labels", {}), ("BinaryAccuracy", "binary", "unit", {}),
               ("BinaryAccuracy", "binary", "unit", dict(threshold=0.7)),
               ("CategoricalAccuracy", "one hot", "simplex", {}),
               ("SparseCategoricalAccuracy", "classes", "simplex", {}),
               ("TopKCategoricalAccuracy", "one hot", "normal", dict(k=2)),
               ("SparseTopKCategoricalAccuracy", "classes", "normal", dict(k=2)),
               ("MeanSquaredError", "normal", "normal", {}), ("MeanAbsoluteError", "normal", "normal", {}),
               ("MeanAbsolutePercentageError", "normal", "normal", {}),
               ("MeanSquaredLogarithmicError", "positive", "positive", {}),
               ("RootMeanSquaredError", "normal", "normal", {}), ("LogCoshError", "normal", "normal", {}),
               ("Hinge", "binary", "normal", {}), ("SquaredHinge", "binary", "normal", {}),
               ("CategoricalHinge", "one hot", "normal", {}), ("KLDivergence", "simplex", "simplex", {}),
               ("Poisson", "positive", "positive", {}), ("CosineSimilarity", "normal", "normal", {}),
               ("BinaryCrossentropy", "binary", "unit", dict(label_smoothing=0.1)),
               ("CategoricalCrossentropy", "one hot", "normal", dict(from_logits=True)),
               ("SparseCategoricalCrossentropy", "classes", "normal", dict(from_logits=True)),
               ("SparseCategoricalCrossentropy", "classes", "simplex", {}),
               ("Precision", "binary", "unit", {}), ("Precision", "binary", "unit", dict(thresholds=[0.3, 0.6])),
               ("Precision", "one hot", "simplex", dict(top_k=2)),
               ("Precision", "one hot", "simplex", dict(class_id=1)),
               ("Recall", "binary", "unit", {}), ("Recall", "binary", "unit", dict(thresholds=[0.3, 0.6])),
               ("Recall", "one hot", "simplex", dict(top_k=1, class_id=2)),
               ("TruePositives", "binary", "unit", {}), ("TrueNegatives", "binary", "unit", {}),
               ("FalsePositives", "binary", "unit", dict(thresholds=[0.2, 0.8])),
               ("FalseNegatives", "binary", "unit", {}), ("AUC", "binary", "unit", {}),
               ("AUC", "binary", "unit", dict(curve="PR")),
               ("AUC", "binary", "unit", dict(num_thresholds=20, summation_method="minoring")),
               ("AUC", "binary", "unit", dict(num_thresholds=20, summation_method="majoring", curve="PR")),
               ("AUC", "binary", "normal", dict(from_logits=True, num_thresholds=50)),
               ("AUC", "binary", "unit", dict(thresholds=[0.2, 0.5, 0.7])),
               ("AUC", "binary", "unit", dict(multi_label=True, num_thresholds=20)),
               ("AUC", "binary", "unit", dict(multi_label=True, label_weights=[0.2, 0.5, 0.3], curve="PR")),
               ("AUC", "binary", "unit", dict(curve="PRGAIN", num_thresholds=30)),
               ("PearsonCorrelation", "normal", "normal", {}), ("PearsonCorrelation", "normal", "constant", {}),
               ("ConcordanceCorrelation", "normal", "normal", {}),
               ("SensitivityAtSpecificity", "binary", "unit", dict(specificity=0.6)),
               ("SpecificityAtSensitivity", "binary", "unit", dict(sensitivity=0.6)),
               ("PrecisionAtRecall", "binary", "unit", dict(recall=0.6)),
               ("RecallAtPrecision", "binary", "unit", dict(precision=0.5)),
               ("F1Score", "one hot", "simplex", {}), ("F1Score", "binary", "unit", dict(threshold=0.5,
                                                                                         average="micro")),
               ("F1Score", "one hot", "simplex", dict(average="macro")),
               ("FBetaScore", "one hot", "simplex", dict(beta=2.0, average="weighted")),
               ("IoU", "labels", "labels", dict(num_classes=3, target_class_ids=[0, 2])),
               ("MeanIoU", "labels", "labels", dict(num_classes=3)),
               ("MeanIoU", "labels", "labels", dict(num_classes=3, ignore_class=0)),
               ("OneHotIoU", "one hot", "simplex", dict(num_classes=3, target_class_ids=[1])),
               ("OneHotMeanIoU", "one hot", "simplex", dict(num_classes=3)),
               ("BinaryIoU", "binary", "unit", dict(threshold=0.4)),
               ("R2Score", "normal", "normal", {}),
               ("R2Score", "normal", "normal", dict(class_aggregation="variance_weighted_average")),
               ("R2Score", "normal", "normal", dict(class_aggregation=None)),
               ("R2Score", "normal", "normal", dict(num_regressors=2)),
               ]
    for name, true, pred, options in wrapped:
        out.append(metric_case(name, true, pred, **options))
        if name in ("F1Score", "FBetaScore") or name.endswith("IoU") and "ignore_class" in options:
            continue
        shape = (BATCH, 3)
        weight = "rows"
        if name == "BinaryIoU":
            continue
        out.append(metric_case(name, true, pred, weight=weight, shape=shape, **options))
    for name, true, pred in [("MeanSquaredError", "normal", "normal"), ("BinaryAccuracy", "binary", "unit"),
                             ("SparseCategoricalAccuracy", "classes", "simplex")]:
        out.append(metric_case(name, true, pred, shape=(BATCH, 4, 3), label=" rank 3"))
        out.append(metric_case(name, true, pred, shape=(BATCH, 4, 3), weight="elements", label=" rank 3"))
        out.append(metric_case(name, true, pred, shape=(BATCH, 4, 3), weight="rows", label=" rank 3"))
    return out


# ---- optimizers ------------------------------------------------------------------------------------------------------

def optimizer_case(name, label="", steps=8, exclude=None, **options):
    title = (name + " " + (label or " ".join("%s=%s" % (k, v.name if isinstance(v, Obj) else v)
                                             for k, v in options.items()))).strip()
    rng = rng_of(title)
    keras.utils.clear_session()
    start = [rng.normal(size=(2, 3)).astype("float32"), rng.normal(size=(3,)).astype("float32")]
    variables = [keras.Variable(value, name=which) for value, which in zip(start, ["kernel", "bias"])]
    gradients = [[(rng.normal(size=v.shape) * 0.7).astype("float32") for v in start] for _ in range(steps)]
    optimizer = getattr(keras.optimizers, name)(**{key: make(value) for key, value in options.items()})
    if exclude:
        optimizer.exclude_from_weight_decay(var_names=exclude)
    states = []
    for step in gradients:
        optimizer.apply([tf.constant(g) for g in step], variables)
        states.append(np.concatenate([np.array(v).ravel() for v in variables]))
    case = {"name": title, "class": name, "options": options, "exclude": exclude, "start": start,
            "gradients": [np.stack([step[i] for step in gradients]) for i in range(2)], "states": np.stack(states)}
    if options.get("use_ema"):
        optimizer.finalize_variable_values(variables)
        case["averages"] = np.concatenate([np.array(v).ravel() for v in variables])
    return case


def family_optimizers():
    o = optimizer_case
    out = [o(name) for name in ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "Nadam", "Ftrl",
                                "Lion", "Lamb"]]
    out += [o(name, learning_rate=0.05) for name in ["Adam", "Adagrad", "Adadelta", "Adamax", "Nadam", "Ftrl", "Lion",
                                                     "Lamb", "RMSprop"]]
    out += [
        o("SGD", momentum=0.9), o("SGD", momentum=0.9, nesterov=True), o("SGD", learning_rate=0.1, clipnorm=0.2),
        o("SGD", learning_rate=0.1, clipvalue=0.1), o("SGD", learning_rate=0.1, global_clipnorm=0.3),
        o("SGD", learning_rate=0.1, weight_decay=0.01), o("SGD", momentum=0.5, weight_decay=0.1, exclude=["bias"],
                                                          label="excluded"),
        o("SGD", learning_rate=0.1, use_ema=True, ema_momentum=0.8),
        o("SGD", learning_rate=0.1, use_ema=True, ema_momentum=0.8, ema_overwrite_frequency=3),
        o("SGD", learning_rate=0.1, gradient_accumulation_steps=3),
        o("SGD", learning_rate=0.1, gradient_accumulation_steps=2, clipnorm=0.5, weight_decay=0.01),
        o("SGD", learning_rate=0.1, momentum=0.9, gradient_accumulation_steps=4, use_ema=True, ema_momentum=0.9),
        o("SGD", learning_rate=0.1, loss_scale_factor=4.0),
        o("Adam", beta_1=0.8, beta_2=0.95, epsilon=1e-3), o("Adam", amsgrad=True, learning_rate=0.02),
        o("Adam", learning_rate=0.02, weight_decay=0.02), o("Adam", learning_rate=0.02, global_clipnorm=0.5),
        o("Adam", learning_rate=0.02, gradient_accumulation_steps=2),
        o("Adam", learning_rate=0.02, gradient_accumulation_steps=3, use_ema=True, ema_momentum=0.5),
        o("AdamW", learning_rate=0.05, weight_decay=0.1), o("AdamW", amsgrad=True, clipvalue=0.3),
        o("RMSprop", momentum=0.9, rho=0.8), o("RMSprop", centered=True, momentum=0.5), o("RMSprop", centered=True),
        o("Adagrad", initial_accumulator_value=0.5, learning_rate=0.1), o("Adadelta", rho=0.8, learning_rate=1.0),
        o("Adamax", beta_1=0.7, learning_rate=0.1), o("Nadam", beta_1=0.8, learning_rate=0.1),
        o("Nadam", learning_rate=0.05, gradient_accumulation_steps=2),
        o("Ftrl", learning_rate=0.1, l1_regularization_strength=0.1, l2_regularization_strength=0.2),
        o("Ftrl", learning_rate=0.1, l2_shrinkage_regularization_strength=0.1, beta=0.5,
          learning_rate_power=-0.7),
        o("Adafactor"), o("Adafactor", learning_rate=0.3, clip_threshold=0.5, beta_2_decay=-0.6, weight_decay=0.01),
        o("Muon"), o("Muon", learning_rate=0.05, weight_decay=0.1, adam_weight_decay=0.3, adam_lr_ratio=0.5),
        o("Muon", learning_rate=0.05, nesterov=False, ns_steps=3, momentum=0.8, gradient_accumulation_steps=2),
        o("Muon", learning_rate=0.05, exclude_layers=["kern"], adam_beta_1=0.8, adam_beta_2=0.9, epsilon=1e-3),
        o("Lion", beta_1=0.8, beta_2=0.9, learning_rate=0.01), o("Lamb", learning_rate=0.05, weight_decay=0.1),
        o("SGD", label="exponential", learning_rate=obj("schedule", "ExponentialDecay", initial_learning_rate=0.1,
                                                        decay_steps=3, decay_rate=0.5, staircase=True)),
        o("Adam", label="cosine", learning_rate=obj("schedule", "CosineDecay", initial_learning_rate=0.1,
                                                    decay_steps=6, warmup_target=0.2, warmup_steps=3)),
        o("SGD", label="schedule and accumulation", gradient_accumulation_steps=2,
          learning_rate=obj("schedule", "InverseTimeDecay", initial_learning_rate=0.1, decay_steps=1,
                            decay_rate=0.5)),
    ]
    # Loss scaling: the third gradient is not finite.
    rng = rng_of("loss scale")
    start = [rng.normal(size=(2, 3)).astype("float32"), rng.normal(size=(3,)).astype("float32")]
    variables = [keras.Variable(value) for value in start]
    optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(learning_rate=0.05), initial_scale=1024.0,
                                                    dynamic_growth_steps=3)
    gradients = [[(rng.normal(size=v.shape) * 700).astype("float32") for v in start] for _ in range(8)]
    gradients[2][0][1, 1] = np.inf
    gradients[6][1][0] = np.nan
    states, scales = [], []
    for step in gradients:
        optimizer.apply([tf.constant(g) for g in step], variables)
        states.append(np.concatenate([np.array(v).ravel() for v in variables]))
        scales.append(float(optimizer.dynamic_scale.numpy()))
    out.append({"name": "LossScaleOptimizer", "class": "Adam", "options": dict(learning_rate=0.05),
                "loss_scale": dict(initial_scale=1024.0, dynamic_growth_steps=3), "start": start,
                "gradients": [np.stack([step[i] for step in gradients]) for i in range(2)],
                "states": np.stack(states), "scales": np.array(scales, dtype="float32")})
    return out


def family_schedules():
    out = []
    for name, options in [
            ("ExponentialDecay", dict(initial_learning_rate=0.1, decay_steps=7, decay_rate=0.6)),
            ("ExponentialDecay", dict(initial_learning_rate=0.1, decay_steps=7, decay_rate=0.6, staircase=True)),
            ("InverseTimeDecay", dict(initial_learning_rate=0.1, decay_steps=5, decay_rate=0.5)),
            ("InverseTimeDecay", dict(initial_learning_rate=0.1, decay_steps=5, decay_rate=0.5, staircase=True)),
            ("PiecewiseConstantDecay", dict(boundaries=[3, 10, 20], values=[0.1, 0.05, 0.02, 0.01])),
            ("PolynomialDecay", dict(initial_learning_rate=0.1, decay_steps=20)),
            ("PolynomialDecay", dict(initial_learning_rate=0.1, decay_steps=10, power=0.5, end_learning_rate=0.01)),
            ("PolynomialDecay", dict(initial_learning_rate=0.1, decay_steps=10, power=2.0, cycle=True)),
            ("CosineDecay", dict(initial_learning_rate=0.1, decay_steps=20)),
            ("CosineDecay", dict(initial_learning_rate=0.1, decay_steps=20, alpha=0.2)),
            ("CosineDecay", dict(initial_learning_rate=0.0, decay_steps=20, warmup_target=0.1, warmup_steps=10)),
            ("CosineDecayRestarts", dict(initial_learning_rate=0.1, first_decay_steps=4)),
            ("CosineDecayRestarts", dict(initial_learning_rate=0.1, first_decay_steps=5, t_mul=1.0, m_mul=0.9,
                                         alpha=0.1))]:
        schedule = getattr(keras.optimizers.schedules, name)(**options)
        steps = list(range(0, 41))
        if name == "CosineDecayRestarts":
            # At a restart itself rounding decides which side of it a step is on.
            steps = [s for s in steps if s not in (0, 4, 12, 28)]
        out.append({"name": "%s %d" % (name, len(out)), "class": name, "options": options,
                    "steps": np.array(steps, dtype="int32"),
                    "values": np.array([float(schedule(s)) for s in steps], dtype="float32")})
    return out


def exact_sparsemax(x):
    """Martins and Astudillo 2016; that of Keras 3.15 adds up the wrong sums."""
    ordered = tf.sort(x, direction="DESCENDING", axis=-1)
    sums = tf.cumsum(ordered, axis=-1)
    support = tf.cast(1 + tf.range(1, x.shape[-1] + 1, dtype=x.dtype) * ordered > sums, x.dtype)
    size = tf.reduce_sum(support, axis=-1, keepdims=True)
    return tf.nn.relu(x - (tf.reduce_sum(ordered * support, axis=-1, keepdims=True) - 1) / size)


def family_activations():
    out = []
    rng = rng_of("activations")
    x = np.concatenate([np.linspace(-5, 5, 23), rng.normal(size=25) * 2]).reshape(8, 6).astype("float32")
    x[np.abs(x) < 1e-6] = 0.01
    for name, options in [("linear", {}), ("relu", {}),
                          ("relu", dict(negative_slope=0.2, max_value=2.0, threshold=0.5)),
                          ("relu6", {}), ("leaky_relu", {}), ("leaky_relu", dict(negative_slope=0.05)), ("elu", {}),
                          ("elu", dict(alpha=0.5)), ("selu", {}), ("celu", {}), ("celu", dict(alpha=2.0)), ("gelu", {}),
                          ("gelu", dict(approximate=True)), ("silu", {}), ("hard_sigmoid", {}), ("hard_silu", {}),
                          ("softplus", {}), ("softsign", {}), ("soft_shrink", {}), ("hard_shrink", {}),
                          ("hard_shrink", dict(threshold=1.5)), ("tanh", {}), ("tanh_shrink", {}), ("hard_tanh", {}),
                          ("sigmoid", {}), ("log_sigmoid", {}), ("exponential", {}), ("mish", {}),
                          ("threshold", dict(threshold=0.5, default_value=-1.0)), ("squareplus", {}),
                          ("squareplus", dict(b=2.0)), ("sparse_plus", {}), ("sparse_sigmoid", {}), ("glu", {}),
                          ("softmax", {}), ("softmax", dict(axis=0)), ("log_softmax", {}), ("sparsemax", {})]:
        fn = exact_sparsemax if name == "sparsemax" else getattr(keras.activations, name)
        g = rng_of("up " + name).normal(size=(8, 3 if name == "glu" else 6)).astype("float32")
        with tf.GradientTape() as tape:
            v = tf.Variable(x)
            y = fn(v, **options)
            total = tf.reduce_sum(y * g)
        out.append({"name": "%s %d" % (name, len(out)), "activation": name, "options": options, "x": x,
                    "y": y.numpy(), "upstream": g, "gradient": tape.gradient(total, v).numpy()})
    return out


def family_initializers():
    out = []
    shape = [120, 200]
    for name, options in [("GlorotUniform", {}), ("GlorotNormal", {}), ("HeUniform", {}), ("HeNormal", {}),
                          ("LecunUniform", {}), ("LecunNormal", {}), ("RandomNormal", {}),
                          ("RandomNormal", dict(mean=1.0, stddev=0.3)), ("RandomUniform", {}),
                          ("RandomUniform", dict(minval=-1.0, maxval=3.0)), ("TruncatedNormal", {}),
                          ("TruncatedNormal", dict(mean=0.5, stddev=0.2)),
                          ("VarianceScaling", dict(scale=2.0, mode="fan_out", distribution="uniform")),
                          ("VarianceScaling", dict(scale=0.5, mode="fan_avg", distribution="untruncated_normal")),
                          ("Orthogonal", {}), ("Orthogonal", dict(gain=2.0))]:
        value = np.array(getattr(keras.initializers, name)(seed=1, **options)(shape), dtype="float64")
        out.append({"name": "%s %d" % (name, len(out)), "class": name, "options": options, "shape": shape,
                    "mean": float(value.mean()), "deviation": float(value.std()), "low": float(value.min()),
                    "high": float(value.max())})
    for name, options in [("Zeros", {}), ("Ones", {}), ("Constant", dict(value=0.25)), ("Identity", dict(gain=2.0))]:
        out.append({"name": name, "class": name, "options": options, "shape": [4, 4],
                    "exact": np.array(getattr(keras.initializers, name)(**options)([4, 4]))})
    conv = [3, 3, 8, 40]
    for name in ["GlorotUniform", "HeNormal", "LecunUniform"]:
        value = np.array(getattr(keras.initializers, name)(seed=1)(conv), dtype="float64")
        out.append({"name": name + " of a convolution", "class": name, "options": {}, "shape": conv,
                    "mean": float(value.mean()), "deviation": float(value.std()), "low": float(value.min()),
                    "high": float(value.max())})
    return out


# ---- fit -------------------------------------------------------------------------------------------------------------

def fit_case(name, rows=26, features=4, units=3, loss=SCE, metrics=None, fit=None, weights=False, class_weight=None,
             evaluate=True, weighted_metrics=None, optimizer=None, layers=None):
    rng = rng_of(name)
    keras.utils.clear_session()
    layers = layers or [("Dense", dict(units=5, activation="tanh")), ("Dense", dict(units=units))]
    built = keras.Sequential([keras.Input([features])] + [
        getattr(keras.layers, layer)(**{key: make(value) for key, value in options.items()})
        for layer, options in layers])
    initial = [draw(rng, w.path, w.shape) for w in built.weights]
    built.set_weights(initial)
    x = rng.normal(size=(rows, features)).astype("float32")
    y = target_for(rng, loss, (rows, units))
    optimizer = optimizer or obj("optimizer", "SGD", learning_rate=0.1)
    weight = rng.uniform(0.2, 2.0, size=rows).astype("float32") if weights else None
    built.compile(optimizer=make(optimizer), loss=make(loss), metrics=make(metrics),
                  weighted_metrics=make(weighted_metrics))
    fit = fit or {}
    history = built.fit(x, y, shuffle=False, verbose=0, sample_weight=weight, class_weight=class_weight, **fit)
    case = {"name": name, "layers": [{"layer": lua_name(layer), "options": options} for layer, options in layers],
            "features": features, "weights": initial, "x": x, "y": y, "sample_weight": weight, "loss": loss,
            "class_weight": [class_weight[i] for i in sorted(class_weight)] if class_weight else None,
            "optimizer": optimizer, "metrics": metrics, "weighted_metrics": weighted_metrics, "fit": fit,
            "history": {key: [float(v) for v in values] for key, values in history.history.items()},
            "epochs": [float(e) for e in history.epoch], "final": [np.array(w) for w in built.weights],
            "predict": built.predict(x, verbose=0, batch_size=7)}
    if evaluate:
        case["evaluate"] = {key: float(v) for key, v in built.evaluate(
            x, y, batch_size=7, verbose=0, return_dict=True, sample_weight=weight).items()}
    return case


def family_fit():
    acc = ["accuracy"]
    return [
        fit_case("fit sparse", metrics=acc, fit=dict(epochs=3, batch_size=13)),
        fit_case("fit one batch", rows=24, metrics=acc, fit=dict(epochs=2, batch_size=24)),
        fit_case("fit even batches", rows=24, metrics=acc, fit=dict(epochs=3, batch_size=8)),
        fit_case("fit categorical", rows=24, loss=obj("loss", "CategoricalCrossentropy", from_logits=True),
                 metrics=acc, fit=dict(epochs=2, batch_size=8)),
        fit_case("fit binary", rows=24, units=1, loss=obj("loss", "BinaryCrossentropy", from_logits=True), metrics=acc,
                 fit=dict(epochs=2, batch_size=8)),
        fit_case("fit mse mae", rows=24, loss=MSE, metrics=["mae", obj("metric", "RootMeanSquaredError")],
                 fit=dict(epochs=2, batch_size=8), optimizer=ADAM),
        fit_case("fit sample weight", rows=24, metrics=acc, weighted_metrics=acc, weights=True,
                 fit=dict(epochs=2, batch_size=8)),
        fit_case("fit class weight", rows=24, metrics=acc, class_weight={0: 1.0, 1: 3.0, 2: 0.5},
                 fit=dict(epochs=2, batch_size=8)),
        fit_case("fit class weight one hot", rows=24, class_weight={0: 1.0, 1: 3.0, 2: 0.5},
                 loss=obj("loss", "CategoricalCrossentropy", from_logits=True), fit=dict(epochs=2, batch_size=8)),
        fit_case("fit split", rows=32, metrics=acc, fit=dict(epochs=2, batch_size=8, validation_split=0.25)),
        fit_case("fit split weights", rows=32, loss=MSE, weights=True, fit=dict(epochs=2, batch_size=8,
                                                                                validation_split=0.25)),
        fit_case("fit epochs from", rows=24, fit=dict(epochs=5, initial_epoch=3, batch_size=8)),
        fit_case("fit batch norm", rows=24, fit=dict(epochs=2, batch_size=8), layers=[
            ("Dense", dict(units=4)), ("BatchNormalization", dict(momentum=0.9)), ("Dense", dict(units=3))]),
        fit_case("fit regularized", rows=24, metrics=acc, fit=dict(epochs=2, batch_size=8), layers=[
            ("Dense", dict(units=4, kernel_regularizer=obj("regularizer", "L2", l2=0.05))),
            ("Dense", dict(units=3))]),
    ]


# ---- texts -----------------------------------------------------------------------------------------------------------

def summary_case(name, inputs, nodes, outputs=None, trained=False, sequential=None, **options):
    keras.utils.clear_session()
    case = {"name": name, "options": options, "trained": trained}
    if sequential:
        case["sequential"] = sequential
        built = keras.Sequential([make(one) for one in sequential], name="sequential")
        if inputs:
            built.build([None] + inputs)
        case["build"] = inputs
    else:
        inputs = inputs if isinstance(inputs, list) else [inputs]
        case.update(inputs=inputs, nodes=nodes, model_name="net", outputs=outputs or [len(inputs) + len(nodes) - 1])
        built, _ = build(case)
    if trained:
        built.compile(optimizer="adam", loss="mse")
        built.fit(np.zeros([4] + inputs), np.zeros([4] + list(built.output_shape[1:])), verbose=0)
    text = []
    built.summary(print_fn=lambda line, *_: text.append(line), **options)
    case["text"] = "\n".join(text).rstrip("\n") + "\n"
    return case


def family_summaries():
    layer = lambda kind, /, **options: obj("layer", kind, **options)  # noqa: E731
    dense = [layer("Dense", units=128, activation="relu"), layer("Dense", units=10)]
    branch = [
        node("Dense", dict(units=8, activation="relu"), 0), node("Dense", dict(units=8), 1),
        node("Concatenate", {}, [2, 3]), node("BatchNormalization", {}, 4), node("Dense", dict(units=3), 5)]
    nested = obj("sequential", "encoder", shape=[6], name="encoder",
                 layers=[layer("Dense", units=5, name="inner"), layer("ReLU", name="act")])
    return [
        summary_case("sequential at 76", [784], None, sequential=dense, line_length=76),
        summary_case("sequential at 88", [784], None, sequential=dense, line_length=88),
        summary_case("sequential trained", [784], None, sequential=dense, line_length=76, trained=True),
        summary_case("sequential not built", None, None, sequential=dense, line_length=76),
        summary_case("sequential conv", [28, 28, 1], None, line_length=76, sequential=[
            layer("Conv2D", filters=32, kernel_size=3), layer("BatchNormalization"), layer("MaxPooling2D"),
            layer("Flatten"), layer("Dropout", rate=0.5), layer("Dense", units=10, trainable=False)]),
        summary_case("sequential show trainable", [28, 28, 1], None, line_length=88, show_trainable=True, sequential=[
            layer("Conv2D", filters=32, kernel_size=3), layer("Flatten"),
            layer("Dense", units=10, trainable=False)]),
        summary_case("functional", [inp("a", [4]), inp("b", [4])], branch, line_length=104),
        summary_case("functional chain", [inp("a", [4])], [node("Dense", dict(units=8), 0), node("ReLU", {}, 1)],
                     line_length=80),
        summary_case("shared layer", [inp("a", [4]), inp("b", [4])], [
            node("Dense", dict(units=8), 0), node(2, {}, 1), node("Add", {}, [2, 3])], line_length=104),
        summary_case("two outputs", [inp("a", [4], "int32", 5)], [
            node("Embedding", dict(input_dim=50, output_dim=8), 0),
            node("LSTM", dict(units=4, return_state=True), 1)], outputs=[1], line_length=104),
        summary_case("nested", [inp("a", [6])], [node(nested, {}, 0), node("Dense", dict(units=2), 1)], line_length=80),
        summary_case("nested expanded", [inp("a", [6])], [node(nested, {}, 0), node("Dense", dict(units=2), 1)],
                     line_length=80, expand_nested=True),
        summary_case("long names", [inp("a_very_long_name_for_an_input_layer", [4]), inp("b", [4])], [
            node("Dense", dict(units=8, name="the_projection_of_the_first_input"), 0),
            node("Add", dict(name="sum"), [2, 2])], line_length=80),
    ]


def progress_case(name, target, events, verbose=1, terminal=True, stateless=()):
    """events: (seconds, step, [(name, value)] [, finalize])."""
    from keras.src.utils import io_utils, progbar
    text, now = [], [100.0]

    class Clock:
        time = staticmethod(lambda: now[0])

    real_time, real_print = progbar.time, io_utils.print_msg
    progbar.time, io_utils.print_msg = Clock, lambda message, line_break=True: text.append(message)
    try:
        bar = progbar.Progbar(target=target, verbose=verbose, stateless_metrics=set(stateless))
        bar._dynamic_display = terminal
        for event in events:
            now[0] = 100.0 + event[0]
            bar.update(event[1], values=[(k, v) for k, v in event[2]],
                       finalize=event[3] if len(event) > 3 else None)
    finally:
        progbar.time, io_utils.print_msg = real_time, real_print
    return {"name": name, "target": target, "stateless": list(stateless), "verbose": verbose, "terminal": terminal,
            "events": [dict(time=e[0], step=e[1], values=[list(pair) for pair in e[2]],
                            finalize=e[3] if len(e) > 3 else None) for e in events],
            "bytes": [m.encode("utf-8").hex() for m in text]}


def family_progress():
    logs = lambda a, b: [("accuracy", a), ("loss", b)]  # noqa: E731
    return [
        progress_case("58 steps", 58, [(1.0, 1, logs(0.1, 2.3026)), (1.29, 30, logs(0.5, 1.2)),
                                       (1.57, 58, logs(0.75, 0.0005), False),
                                       (2.0, 58, logs(0.75, 0.0005) + [("val_accuracy", 0.7), ("val_loss", 0.9)],
                                        True)]),
        progress_case("one line an epoch", 58, [(1.0, 1, logs(0.1, 2.3)), (2.0, 58, logs(0.75, 0.5), True)], verbose=2),
        progress_case("not on a terminal", 5, [(0.5, 1, logs(0.1, 2.3)), (0.6, 3, logs(0.2, 1.5)),
                                               (0.7, 5, logs(0.3, 1.0), True)], terminal=False),
        progress_case("unknown target", None, [(0.5, 1, logs(0.1, 2.3)), (0.9, 7, logs(0.2, 1.5)),
                                               (1.4, 12, logs(0.3, 1.0))]),
        progress_case("long waits", 1000, [(90.0, 1, logs(0.1, 2.3)), (100.0, 2, logs(0.1, 2.2)),
                                           (110.0, 3, logs(0.1, 2.1)), (112.0, 500, logs(0.2, 1.0))]),
        progress_case("fast steps", 100000, [(0.001, 1, logs(0.1, 2.3)), (0.06, 3000, logs(0.2, 2.0)),
                                             (0.08, 4000, logs(0.2, 1.9)), (0.3, 30000, logs(0.9, 0.0001))]),
        progress_case("no values", 3, [(0.1, 1, []), (0.2, 2, []), (0.3, 3, [])]),
        progress_case("averages", 20, [(0.1, 1, logs(0.1, 2.3)), (0.2, 5, logs(0.2, 2.2)), (0.22, 8, logs(0.3, 2.0)),
                                       (0.9, 12, logs(0.4, 1.0)), (1.5, 20, logs(0.5, 0.5))], stateless=["loss"]),
        progress_case("one step", 1, [(0.25, 1, logs(0.5, 0.25))]),
        progress_case("negative and small", 10, [(0.1, 1, [("a", -0.5), ("b", 0.001), ("c", -2e-5)]),
                                                 (0.5, 10, [("a", -0.25), ("b", 0.002), ("c", 0.0)])]),
    ]


def main():
    families = {name[len("family_"):]: fn for name, fn in globals().items() if name.startswith("family_")}
    for name in sys.argv[1:] or families:
        write(name, families[name]())


if __name__ == "__main__":
    main()
