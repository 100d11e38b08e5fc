"""What Keras' recurrent layers compute where dropout leaves out known values: writes keras_recurrent_dropout.lua, which
tests/lua/recurrent_dropout_spec.lua reads.

    KERAS_BACKEND=tensorflow python tests/golden/keras_recurrent_dropout.py

In the place of random masks stand those of mask(): the n-th that a call draws has a pattern of its own. So outputs and
gradients tell which masks there are, in which order they are drawn, and what each is multiplied by.
"""
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers as L  # noqa: E402
from keras.src import backend  # noqa: E402

RNN = (2, 3, 2)  # batch, steps, features
BOTH = {"dropout": 0.5, "recurrent_dropout": 0.25}
INPUTS, STATES = {"dropout": 0.5}, {"recurrent_dropout": 0.25}

CASES = [  # how a layer is made, in Lua and here, and the shape of its input
    ("L.rnn(L.simple_rnn_cell(2, o))", lambda o: L.RNN(L.SimpleRNNCell(2, **o)), [BOTH], RNN),
    ("L.rnn(L.lstm_cell(2, o))", lambda o: L.RNN(L.LSTMCell(2, **o)), [INPUTS, STATES, BOTH], RNN),
    ("L.rnn(L.gru_cell(2, o))", lambda o: L.RNN(L.GRUCell(2, **o)), [INPUTS, STATES, BOTH], RNN),
    ("L.rnn(L.gru_cell(2, { reset_after = false, dropout = o.dropout, recurrent_dropout = o.recurrent_dropout }))",
     lambda o: L.RNN(L.GRUCell(2, reset_after=False, **o)), [BOTH], RNN),
    ("L.rnn { L.lstm_cell(2, o), L.gru_cell(3, o) }",
     lambda o: L.RNN([L.LSTMCell(2, **o), L.GRUCell(3, **o)]), [BOTH], RNN),
    ("L.bidirectional(L.rnn(L.gru_cell(2, o)))", lambda o: L.Bidirectional(L.RNN(L.GRUCell(2, **o))), [BOTH], RNN),
    ("L.simple_rnn(2, o)", lambda o: L.SimpleRNN(2, **o), [BOTH], RNN),
    ("L.lstm(2, o)", lambda o: L.LSTM(2, **o), [INPUTS, STATES, BOTH], RNN),
    ("L.gru(2, o)", lambda o: L.GRU(2, **o), [INPUTS, STATES, BOTH], RNN),
    ("L.conv_lstm1d(2, 2, o)", lambda o: L.ConvLSTM1D(2, 2, **o), [INPUTS, STATES, BOTH], (2, 2, 4, 2)),
]


def mask(n, shape, rate):
    i = np.arange(int(np.prod(shape)))
    kept = (i * i + i * (n + 2) + n * 3) % 7 >= 7 * rate
    return (kept / (1 - rate)).astype("float32").reshape(shape)


def values(shape, n):
    return np.sin(np.arange(int(np.prod(shape))) * (n * 0.7 + 1.3) + n).astype("float32").reshape(shape)


def case(text, make, options, shape):
    drawn = []

    def dropout(x, rate, seed=None, noise_shape=None):
        drawn.append(1)
        return tf.constant(mask(len(drawn), tuple(x.shape), rate))

    layer, x = make(options), tf.constant(values(shape, 0))
    layer(x)
    layer.set_weights([values(w.shape, n + 1) for n, w in enumerate(layer.weights)])
    backend.random.dropout = dropout
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x, training=True)
        loss = tf.reduce_sum(y * values(y.shape, 0))
    sources = [x] + [w.value for w in layer.trainable_weights]
    gradients = tape.gradient(loss, sources)
    return {"layer": "function(L, o) return %s end" % text, "options": options, "shape": shape, "count": len(drawn),
            "y": y.numpy().reshape(-1), "gradients": [tf.reshape(g, -1).numpy() for g in gradients]}


def lua(value):
    if isinstance(value, dict):
        return "{ " + ", ".join("%s = %s" % (key, lua(one)) for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "{ " + ", ".join(lua(one) for one in value) + " }"
    return value if isinstance(value, str) else "%.7g" % value


def wrapped(text, indent):
    line, lines = indent, []
    for word in text.split(" "):
        if len(line) + len(word) + 1 > 119:
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    return "\n".join(lines + [line.rstrip()])


path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_recurrent_dropout.lua")
with open(path, "w") as file:
    file.write("-- Written by keras_recurrent_dropout.py: do not edit.\nreturn {\n")
    for text, make, choices, shape in CASES:
        for options in choices:
            file.write(wrapped(lua(case(text, make, options, shape)) + ",", "  ") + "\n")
    file.write("}\n")
print("%s: %d bytes" % (path, os.path.getsize(path)))
