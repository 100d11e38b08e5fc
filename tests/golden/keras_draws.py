"""How what Keras draws at random is distributed: writes keras_draws.lua, which tests/lua/draws_spec.lua reads.

    KERAS_BACKEND=tensorflow python tests/golden/keras_draws.py

Layers change many copies of one picture, whose first channel says where a pixel stands from the left and whose second
from the top. Four of its pixels tell all that was drawn. Written are points of their distributions, their correlations,
and those with the next picture's.
"""
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers as L  # noqa: E402

HEIGHT, WIDTH, PROBES = 13, 17, [(6, 8), (6, 12), (2, 3), (12, 0)]
COUNT = 20000

PICTURES = [  # our name, options in order, options by name
    ("random_flip", L.RandomFlip, ["horizontal"], {}),
    ("random_flip", L.RandomFlip, ["vertical"], {}),
    ("random_rotation", L.RandomRotation, [0.05], {}),
    ("random_rotation", L.RandomRotation, [(0.02, 0.2)], {"fill_mode": "nearest"}),
    ("random_rotation", L.RandomRotation, [0.5], {"fill_mode": "constant", "interpolation": "nearest"}),
    ("random_zoom", L.RandomZoom, [0.2], {}),
    ("random_zoom", L.RandomZoom, [0.3, (-0.2, 0.1)], {"fill_mode": "constant", "fill_value": 7.0}),
    ("random_translation", L.RandomTranslation, [0.1, 0.2], {}),
    ("random_translation", L.RandomTranslation, [(-0.3, 0.1), (0.0, 0.2)], {"fill_mode": "nearest"}),
    ("random_brightness", L.RandomBrightness, [0.2], {}),
    ("random_brightness", L.RandomBrightness, [(-0.6, 0.1)], {"value_range": (0, 200)}),
    ("random_contrast", L.RandomContrast, [(0.5, 0.5)], {}),
    ("random_contrast", L.RandomContrast, [(0.2, 0.9)], {"value_range": (50, 150)}),
    ("random_erasing", L.RandomErasing, [], {"factor": 1.0, "fill_value": 5.0}),
    ("random_erasing", L.RandomErasing, [], {"factor": 0.6, "scale": (0.3, 0.6), "fill_value": 200.0}),
    ("dropout", L.Dropout, [0.3], {}),
    ("spatial_dropout2d", L.SpatialDropout2D, [0.4], {}),
    ("gaussian_dropout", L.GaussianDropout, [0.3], {}),
    ("gaussian_noise", L.GaussianNoise, [0.5], {}),
    ("alpha_dropout", L.AlphaDropout, [0.25], {}),
]

# Of shape (100, 250), or what is given: fans and the trimmed tails of normal distributions show.
INITIALIZERS = [
    ("glorot_uniform", {}, None), ("glorot_normal", {}, None), ("he_uniform", {}, None), ("he_normal", {}, None),
    ("lecun_uniform", {}, None), ("lecun_normal", {}, None), ("orthogonal", {}, None), ("random_uniform", {}, None),
    ("random_normal", {}, None), ("truncated_normal", {}, None),
    ("variance_scaling", {"scale": 2.0, "mode": "fan_avg", "distribution": "untruncated_normal"}, None),
    ("glorot_uniform", {}, (3, 3, 16, 40)), ("he_normal", {}, (3, 3, 16, 40)), ("glorot_uniform", {}, (3000,)),
]


def picture():
    x = np.empty((HEIGHT, WIDTH, 2), "float32")
    x[..., 0] = np.arange(WIDTH) * 10 + 20
    x[..., 1] = np.arange(HEIGHT)[:, None] * 10 + 40
    return x


def distribution(values):
    """Points (value, share of what is below, with half of what is equal)."""
    values = np.sort(values.astype("float64"))
    points = []
    for value in np.unique(np.quantile(values, np.linspace(0, 1, 17), method="nearest").round(4)):
        below = np.searchsorted(values, value - 1e-3)
        points.append((value, (below + np.searchsorted(values, value + 1e-3)) / 2 / len(values)))
    return points


def correlation(a, b):
    return 0.0 if a.std() < 1e-3 or b.std() < 1e-3 else float(np.corrcoef(a, b)[0, 1])


def draws(values):
    columns = [values[:, i] for i in range(values.shape[1])]
    return {
        "distributions": [distribution(one) for one in columns],
        "correlations": [correlation(columns[i], columns[j]) for i in range(len(columns)) for j in range(i)],
        "next": [correlation(one[1:], one[:-1]) for one in columns],
    }


def pictures():
    out = []
    for name, make, arguments, options in PICTURES:
        y = np.asarray(make(*arguments, **options)(np.stack([picture()] * COUNT), training=True))
        values = np.stack([y[:, row, column, channel] for row, column in PROBES for channel in (0, 1)], axis=1)
        out.append({"layer": name, "arguments": arguments, "options": options, **draws(values)})
    return out


def initializers():
    out = []
    for name, options, shape in INITIALIZERS:
        shape = shape or (100, 250)
        values = np.asarray(keras.initializers.get({"class_name": name, "config": options})(shape)).reshape(-1)
        out.append({"initializer": name, "options": options, "shape": shape, "least": values.min(),
                    "most": values.max(), "quantiles": np.quantile(values, np.linspace(0.02, 0.98, 13))})
    return out


def lua(value):
    if isinstance(value, dict):
        return "{ " + ", ".join("%s = %s" % (key, lua(one)) for key, one in value.items()) + " }" if value else "{}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "{ " + ", ".join(lua(one) for one in value) + " }" if len(value) else "{}"
    return '"%s"' % value if isinstance(value, str) else "%.7g" % value


def wrapped(text, indent):
    line, lines = indent, []
    for word in text.split(" "):
        if len(line) + len(word) + 1 > 119:
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    return "\n".join(lines + [line.rstrip()])


keras.utils.set_random_seed(1)
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_draws.lua")
with open(path, "w") as file:
    file.write("-- Written by keras_draws.py: do not edit.\nreturn {\n")
    for make in (pictures, initializers):
        file.write("  %s = {\n" % make.__name__)
        for case in make():
            file.write(wrapped(lua(case) + ",", "    ") + "\n")
        file.write("  },\n")
    file.write("}\n")
print("%s: %d bytes" % (path, os.path.getsize(path)))
