"""Asks Keras for values and slopes at the very kinks of functions, and one float32 on either side of each.

    KERAS_BACKEND=tensorflow python tests/golden/keras_kinks.py [--beside]

writes keras_kinks.lua, which tests/lua/kinks_spec.lua reads. --beside, with KERAS_BACKEND=jax, writes nothing: it
prints where that backend differs from what is kept.
"""
import os
import re
import sys

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import ops  # noqa: E402

from keras_models import make, obj, write_cases  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BESIDE_ZERO = np.float32(2 ** -20)  # of less, exp(x) - 1 leaves 0


def gradients(fn, *values):
    """What a function of tensors gives, and the gradients of its sum."""
    if keras.backend.backend() == "jax":
        import jax
        given = [jax.numpy.asarray(v) for v in values]
        return np.asarray(fn(*given)), [np.asarray(g) for g in jax.grad(
            lambda *v: fn(*v).sum(), argnums=tuple(range(len(values))))(*given)]
    import tensorflow as tf
    given = [tf.Variable(v) for v in values]
    with tf.GradientTape() as tape:
        value = fn(*given)
        total = tf.reduce_sum(value)
    return np.asarray(value), [np.asarray(tf.convert_to_tensor(g)) for g in tape.gradient(total, given)]


def around(*kinks):
    """Numbers before, at and behind each kink."""
    out = []
    for kink in kinks:
        kink = np.float32(kink)
        below, above = [np.nextafter(kink, np.float32(to)) for to in (-np.inf, np.inf)]
        out += [-BESIDE_ZERO, kink, BESIDE_ZERO] if kink == 0 else [below, kink, above]
    return np.array(out, dtype="float32")


def activation(name, kinks, **options):
    x = around(*kinks)
    y, (gradient,) = gradients(lambda v: getattr(keras.activations, name)(v, **options), x)
    return dict(name=title(name, options), activation=name, options=options, x=x, y=y, gradient=gradient)


def title(name, options):
    return " ".join([name] + ["%s=%s" % (key, value) for key, value in options.items()])


def of_activations():
    one = activation
    return [
        one("relu", [0]), one("relu", [0, 2], max_value=2.0), one("relu", [0, 6], max_value=6.0),
        one("relu", [0, 0.5], threshold=0.5), one("relu", [0, -0.5], threshold=-0.5),
        one("relu", [0], negative_slope=0.25),
        one("relu", [0, 0.5, 2], negative_slope=0.25, threshold=0.5, max_value=2.0),
        one("relu", [0, 2], negative_slope=0.25, max_value=2.0), one("relu6", [0, 6]), one("leaky_relu", [0]),
        one("leaky_relu", [0], negative_slope=0.5), one("elu", [0]), one("elu", [0], alpha=0.5), one("selu", [0]),
        one("celu", [0]), one("celu", [0], alpha=2.0), one("gelu", [0]), one("silu", [0]),
        one("hard_sigmoid", [-3, 0, 3]), one("hard_silu", [-3, 0, 3]), one("hard_tanh", [-1, 0, 1]),
        one("softplus", [-14, 0, 14, 88]),
        one("softsign", [0]), one("soft_shrink", [-0.5, 0, 0.5]), one("soft_shrink", [-0.75, 0.75], threshold=0.75),
        one("hard_shrink", [-0.5, 0, 0.5]), one("hard_shrink", [-0.75, 0.75], threshold=0.75),
        one("threshold", [0, 0.5], threshold=0.5, default_value=-1.0), one("tanh_shrink", [0]), one("mish", [0]),
        one("log_sigmoid", [0]), one("squareplus", [0]), one("sparse_plus", [-1, 0, 1]),
        one("sparse_sigmoid", [-1, 0, 1]),
    ]


def loss(name, y_true, y_pred, **options):
    """A loss of single numbers in rows, or of rows; gradients of the sum."""
    options["reduction"] = "sum"
    made = getattr(keras.losses, name)(**options)
    y_true, y_pred = np.asarray(y_true, dtype="float32"), np.asarray(y_pred, dtype="float32")
    if y_pred.ndim == 1:
        y_true, y_pred = y_true[:, None] * np.ones_like(y_pred)[:, None], y_pred[:, None]
    rows = [gradients(lambda p, one=i: made(y_true[one:one + 1], p), y_pred[i:i + 1]) for i in range(len(y_pred))]
    return dict(name=title(name, options), loss=name, options=options, y_true=y_true, y_pred=y_pred,
                values=np.array([value for value, _ in rows], dtype="float32"),
                gradient=np.concatenate([gradient for _, (gradient,) in rows]))


def beside(kinks, *others):
    """Rows whose first number is near a kink."""
    first = around(*kinks)
    return np.concatenate([first[:, None]] + [np.full_like(first, v)[:, None] for v in others], axis=1)


def of_losses():
    ones, zeros = np.ones(1), np.zeros(1)
    small, large = np.float32(1e-7), np.float32(1) - np.float32(1e-7)
    hot = [[1.0, 0.0, 0.0]]
    out = [
        loss("Huber", zeros, around(-1, 0, 1)), loss("Huber", zeros, around(-0.5, 0, 0.5), delta=0.5),
        loss("Huber", ones, around(0.5, 1, 1.5), delta=0.5), loss("MeanAbsoluteError", ones, around(1)),
        loss("MeanAbsolutePercentageError", ones, around(1)),
        loss("MeanAbsolutePercentageError", zeros, around(0, 1e-7)),
        loss("MeanSquaredLogarithmicError", ones, around(0, 1e-7, 1)), loss("LogCosh", zeros, around(0)),
        loss("Hinge", ones, around(0, 1)), loss("Hinge", -ones, around(-1)), loss("Hinge", zeros, around(-1, 1)),
        loss("SquaredHinge", ones, around(0, 1)), loss("SquaredHinge", -ones, around(-1)),
        loss("Poisson", ones, around(0, 1e-7)), loss("CategoricalHinge", hot * 6, beside([-0.25, 0.75], -0.25, -0.5)),
        loss("CategoricalHinge", hot * 3, beside([1.5], 0.5, 0.5)),
        loss("KLDivergence", hot * 9, beside([0, small, 1], 0.5, 0.0)), loss("KLDivergence", ones, around(0, 1e-7, 1)),
        loss("BinaryCrossentropy", zeros, around(0, small, large, 1)),
        loss("BinaryCrossentropy", ones, around(0, small, large, 1)),
        loss("BinaryCrossentropy", ones, around(0), from_logits=True),
        loss("BinaryCrossentropy", zeros, around(0), from_logits=True),
        loss("BinaryFocalCrossentropy", ones, around(0, small, large, 1)),
        loss("CategoricalCrossentropy", hot * 9, beside([0, small, 1], 0.25, 0.75)),
        loss("CategoricalFocalCrossentropy", hot * 9, beside([0, small, 1], 0.25, 0.75)),
    ]
    for length in (0.0, 1e-9, 0.99e-7, 1.01e-7, 1e-5):
        out.append(dict(loss("CosineSimilarity", [[0.6, 0.8]], [[0.8 * length, 0.6 * length]]),
                        name="CosineSimilarity %g" % length))
    return out


def layer(name, values, label, **options):
    """A layer on whole tensors: the gradients of the sum of its outputs times 1, 2, ..."""
    made = getattr(keras.layers, name)(**{key: make(value) for key, value in options.items()})
    values = [np.asarray(v, dtype="float32") for v in values]

    def call(*tensors):
        out = made(list(tensors) if len(tensors) > 1 else tensors[0])
        return out * np.arange(1, int(np.prod(out.shape)) + 1, dtype="float32").reshape(out.shape)
    y, slopes = gradients(call, *values)
    return dict(name=title(name, dict(options, of=label)), layer=name, options=options, x=values, y=y, gradients=slopes)


def of_layers():
    out = []
    for length in (0.0, 1e-13, 1e-10, 1e-8, 1e-6, 1.0):
        x = np.array([[0.6 * length, 0.8 * length]])
        out.append(layer("UnitNormalization", [x], "%g" % length))
        out.append(layer("Dot", [x, [[0.8, 0.6]]], "%g" % length, axes=1, normalize=True))
    a, b = np.array([around(0, 1)]), np.array([[0.0] * 3 + [1.0] * 3])
    out += [layer("ReLU", [a], "0 and 1", max_value=1.0), layer("LeakyReLU", [a], "0 and 1", negative_slope=0.25),
            dict(layer("PReLU", [a], "0 and 1", alpha_initializer=obj("initializer", "Constant", value=0.25)),
                 name="PReLU"),
            layer("ELU", [a], "0 and 1", alpha=0.5)]
    out += [layer(name, [a, b], "ties") for name in ("Maximum", "Minimum")]
    out.append(layer("MaxPooling1D", [np.array([[[1.0], [1.0], [0.0], [2.0], [3.0], [3.0]]])], "ties", pool_size=3))
    out.append(layer("GlobalMaxPooling1D", [np.array([[[1.0], [2.0], [2.0], [0.0]]])], "ties"))
    return out


def clipped(label, gradient, **options):
    """What plain steps of rate 1 make of weights of 0."""
    optimizer = keras.optimizers.SGD(learning_rate=1.0, **options)
    parts = [np.asarray(g, dtype="float32") for g in gradient]
    variables = [keras.Variable(np.zeros_like(g)) for g in parts]
    optimizer.apply([ops.convert_to_tensor(g) for g in parts], variables)
    return dict(name=title("clip", dict(options, of=label)), optimizer=options, gradients=parts,
                steps=[-ops.convert_to_numpy(v) for v in variables])


def of_clips():
    out = []
    for label, factor in (("less", np.nextafter(np.float32(1), np.float32(0))), ("limit", np.float32(1)),
                          ("more", np.nextafter(np.float32(1), np.float32(2)))):
        g = [np.float32([3, 4]) * factor]
        out += [clipped(label, g, clipnorm=5.0), clipped(label, g, clipvalue=4.0),
                clipped(label, [g[0][:1], g[0][1:]], global_clipnorm=5.0)]
    nothing = [np.zeros(2), np.zeros(1)]
    return out + [clipped("nothing", nothing, clipnorm=5.0), clipped("nothing", nothing, global_clipnorm=5.0)]


def kept_numbers(path):
    with open(path) as file:
        return {name: [float(x) for data in re.findall(r"data = \[\[(.*?)\]\]", body, re.S) for x in data.split()]
                for name, body in re.findall(r'    name = "(.*?)",\n(.*?)\n  },', file.read(), re.S)}


def main():
    path = os.path.join(HERE, "keras_kinks.lua")
    cases = of_activations() + of_losses() + of_layers() + of_clips()
    names = [case["name"] for case in cases]
    for i, case in enumerate(cases):
        if names.count(case["name"]) > 1:
            case["name"] += " %d" % (names[:i].count(case["name"]) + 1)
    if "--beside" not in sys.argv:
        write_cases(path, "keras_kinks.py", cases)
        return
    other = os.path.join(HERE, "keras_kinks_%s.lua" % keras.backend.backend())
    write_cases(other, "keras_kinks.py", cases)
    kept, here = kept_numbers(path), kept_numbers(other)
    os.remove(other)
    for name, numbers in here.items():
        far = [(a, b) for a, b in zip(kept[name], numbers)
               if not np.isclose(a, b, rtol=1e-5, atol=1e-12, equal_nan=True)]
        if far:
            print("%s: %s" % (name, far))


if __name__ == "__main__":
    main()
