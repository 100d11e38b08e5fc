"""Random models: layers, wiring, losses, metrics, optimizers, data and what is done with them.

A model is made layer by layer with Keras, whose tensors tell shapes, and written down as a case of keras_models.py.
Sizes are mostly few, so that JAX compiles an operation once: rows of 4 and 2, features of 4, three steps of time,
pictures of 4 by 4; and up to 70. Given numbers are multiples of 1/64, which are short as text and exact in every type.
"""
import keras
import numpy as np

from keras_models import Obj, by_key, inp, make, node, obj, one_or_list

ROWS, BATCH = 6, 4
LARGEST = 70
GRID = 64

ACTIVATIONS = ["relu", "tanh", "sigmoid", "gelu", "elu", "selu", "softplus", "softsign", "silu", "linear", "relu6",
               "leaky_relu", "hard_sigmoid", "hard_silu", "mish", "exponential", "softmax", "log_softmax",
               "tanh_shrink", "celu"]

# What is exempt, and why (docs/reference/differences.md):
# - layers that draw random numbers have rate 0: the numbers are others
# - batch normalisation that is not synchronized has one replica: its statistics are those of a shard
# - losses of elements have weights of elements: weights of rows are an error in Keras
# - Dice and Tversky, which are one number a batch, have no weights: those are an error here
# - layers with a policy of their own have no masks: Keras drops those of what it casts
# - stateful layers have one replica, whose rows they keep: several are refused
# - labels are classes: others are an error here
# - no IoU: Keras cuts the fractions off weights; no RMS normalisation of inner axes: it scales the last one
# - no cosine similarity of single numbers: its gradient is 0, and rounding is all that optimizers see
# - layers within RNN and TimeDistributed have no activity regularizers: Keras drops them
# - no spectral normalisation beside Keras on JAX: there the kernel that a step divided is lost


def grid(rng, shape, low=-1.0, high=1.0):
    """Random multiples of 1/64."""
    return (rng.integers(round(low * GRID), round(high * GRID) + 1, size=shape) / GRID).astype("float32")


class Wiring:
    """A functional model in the making: tensors by number, inputs first, then one a node."""

    def __init__(self, rng):
        self.rng, self.inputs, self.nodes = rng, [], []
        self.tensors, self.made = [], []
        self.masked = self.stateful = False
        self.largest = self.pick([4, 4, 4, 12, LARGEST])
        self.batch_size = None

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return items[int(self.rng.integers(len(items)))]

    def add_input(self, shape, dtype="float32", high=None):
        one = inp("x%d" % len(self.inputs), shape, dtype, high)
        self.inputs.append(one)
        self.tensors.append(keras.Input(shape=one["shape"], dtype=dtype, name=one["name"],
                                        batch_size=self.batch_size))
        self.made.append(None)
        return len(self.tensors) - 1

    def shape(self, at):
        return tuple(self.tensors[at].shape[1:])

    def call(self, layer, options, sources, **call):
        """Adds a node; what Keras refuses is left out and gives None."""
        one = node(layer, dict(options, name="n%d" % len(self.nodes)) if isinstance(layer, str) else options,
                   sources, **call)
        try:
            if isinstance(layer, int):
                made = self.made[layer]
            elif isinstance(layer, Obj):
                made = layer.make()
            else:
                made = getattr(keras.layers, layer)(**{key: make(value) for key, value in one["options"].items()})
            args = [self.tensors[i] for i in sources] if isinstance(sources, list) else self.tensors[sources]
            if "initial_state" in call:
                out = made(args[0], initial_state=args[1:])
            elif layer in ("MultiHeadAttention", "GroupQueryAttention"):
                args = args if isinstance(args, list) else [args]
                out = made(args[0], args[1] if len(args) > 1 else args[0], **call)
            else:
                out = made(args, **call)
        except Exception:  # noqa: BLE001 - whatever Keras does not take
            return None
        if isinstance(out, (list, tuple)) or any(size is None or size < 1 for size in out.shape[1:]) \
                or np.prod(out.shape[1:]) > (160 if self.largest == 4 else 1000):
            return None
        self.nodes.append(one)
        self.made.append(made)
        self.tensors.append(out)
        return len(self.tensors) - 1


# ---- layers ---------------------------------------------------------------------------------------------

def regularizer(w):
    return w.pick([obj("regularizer", "L2", l2=0.03), obj("regularizer", "L1", l1=0.02),
                   obj("regularizer", "L1L2", l1=0.01, l2=0.02)])


def constraint(w):
    return w.pick([obj("constraint", "NonNeg"), obj("constraint", "MaxNorm", max_value=0.6),
                   obj("constraint", "UnitNorm"), obj("constraint", "MinMaxNorm", min_value=0.3, max_value=0.7)])


def with_weights(w, options, bias=True, activity=True):
    """Options of layers with a kernel."""
    if bias and w.chance(0.2):
        options["use_bias"] = False
    if w.chance(0.12):
        options["kernel_regularizer"] = regularizer(w)
    if bias and "use_bias" not in options and w.chance(0.06):
        options["bias_regularizer"] = regularizer(w)
    if activity and w.chance(0.05):
        options["activity_regularizer"] = regularizer(w)
    if w.chance(0.08):
        options["kernel_constraint"] = constraint(w)
    if w.chance(0.07):
        options["trainable"] = False
    if w.chance(0.02) and not w.masked:
        options["dtype"] = "mixed_bfloat16"
    return options


def activation(w, options, chance=0.6):
    if w.chance(chance):
        options["activation"] = w.pick(ACTIVATIONS)
    return options


def size(w, usual):
    """A size, the usual one in small models."""
    return usual if w.largest == 4 or w.chance(0.4) else int(w.rng.integers(1, w.largest + 1))


def units(w):
    return size(w, 4) if w.chance(0.75) else int(w.rng.integers(1, 4))


def dense(w, shape):
    return "Dense", activation(w, with_weights(w, dict(units=units(w))))


def small_layer(w):
    """A layer of a wrapper."""
    return obj("layer", "Dense", units=4, activation=w.pick(ACTIVATIONS))


def inner_layers(w):
    """Layers of a nested model: the last size stays 4."""
    rest = [obj("layer", "LayerNormalization"), obj("layer", "BatchNormalization", synchronized=True, momentum=0.8),
            obj("layer", "Dense", units=4, use_bias=False, kernel_regularizer=regularizer(w)), small_layer(w),
            obj("layer", "Dropout", rate=0.0), obj("layer", "PReLU"),
            obj("layer", "Dense", units=4, trainable=False)]
    return [small_layer(w)] + [w.pick(rest) for _ in range(int(w.rng.integers(1, 3)))]


def each_step(w, shape):
    """A layer that TimeDistributed gives the steps of an input."""
    if len(shape) == 2:
        return small_layer(w)
    return w.pick([small_layer(w), obj("layer", "Conv1D", filters=4, kernel_size=2, padding="same"),
                   obj("layer", "Flatten"), obj("layer", "GlobalMaxPooling1D"), obj("layer", "LayerNormalization"),
                   obj("layer", "GRU", units=4)]) if len(shape) == 3 else small_layer(w)


def elementwise(w, shape):
    return w.pick([
        ("Activation", dict(activation=w.pick(ACTIVATIONS))), ("LeakyReLU", dict(negative_slope=0.1)),
        ("ELU", dict(alpha=0.7)), ("PReLU", {} if len(shape) == 1 or w.chance(0.5) else dict(shared_axes=[1])),
        ("ReLU", w.pick([{}, dict(max_value=0.75, negative_slope=0.125, threshold=0.25)])),
        ("Softmax", {} if len(shape) == 1 or w.chance(0.6) else dict(axis=1)),
        ("Rescaling", dict(scale=0.5, offset=0.25)), ("Identity", {}),
        ("Dropout", dict(rate=0.0)), ("GaussianNoise", dict(stddev=0.0)), ("GaussianDropout", dict(rate=0.0)),
        ("AlphaDropout", dict(rate=0.0)), ("ActivityRegularization", dict(l1=0.01, l2=0.02)),
        ("Normalization", dict(mean=[0.25 * i for i in range(shape[-1])],
                               variance=[0.5 + 0.25 * i for i in range(shape[-1])])),
    ])


def normalizing(w, shape):
    axis = -1 if len(shape) == 1 or w.chance(0.6) else int(w.rng.integers(1, len(shape) + 1))
    kind = w.pick(["LayerNormalization", "BatchNormalization", "RMSNormalization", "UnitNormalization",
                   "GroupNormalization"])
    options = dict(axis=axis)
    if kind in ("LayerNormalization", "BatchNormalization", "GroupNormalization"):
        options.update(w.pick([{}, {}, dict(center=False), dict(scale=False)]))
        if w.chance(0.1):
            options["gamma_regularizer" if options.get("scale", True) else "beta_regularizer"] = regularizer(w)
        if w.chance(0.3):
            options["epsilon"] = 0.01
    if kind == "LayerNormalization" and len(shape) > 1 and w.chance(0.3):
        options["axis"] = list(range(1, len(shape) + 1))
    if kind == "BatchNormalization":
        options.update(momentum=w.pick([0.5, 0.8, 0.99]), **w.pick([{}, {}, dict(synchronized=True)]))
        if w.chance(0.15):
            options["trainable"] = False
    if kind == "GroupNormalization":
        size = shape[options["axis"] - 1 if options["axis"] > 0 else -1]
        options["groups"] = w.pick([g for g in (1, 2, 4, -1) if g == -1 or size % g == 0])
    if kind == "RMSNormalization":
        options["axis"] = -1  # other axes are scaled along the last one by Keras
    return kind, options


def recurrent_options(w):
    options = with_weights(w, dict(units=size(w, 4)), activity=False)
    if w.stateful and w.chance(0.8):
        options["stateful"] = True
    if w.chance(0.2):
        options["activation"] = w.pick(["relu", "tanh", "sigmoid", "softsign"])
    if w.chance(0.5):
        options["return_sequences"] = True
    if w.chance(0.25):
        options["go_backwards"] = True
    if w.chance(0.1):
        options["recurrent_regularizer"] = regularizer(w)
    return options


def recurrent(w, shape):
    kind = w.pick(["SimpleRNN", "LSTM", "GRU", "Bidirectional", "RNN"])
    if kind == "Bidirectional":
        options = recurrent_options(w)
        options.pop("go_backwards", None)
        layer = obj("layer", w.pick(["SimpleRNN", "LSTM", "GRU"]), **options)
        return kind, dict(layer=layer, merge_mode=w.pick(["concat", "sum", "mul", "ave"]))
    if kind == "RNN":
        def cell():
            return obj("layer", w.pick(["SimpleRNNCell", "LSTMCell", "GRUCell"]), units=4)
        one = cell() if w.chance(0.5) else obj("layer", "StackedRNNCells", cells=[cell(), cell()])
        return kind, dict(cell=one, return_sequences=w.chance(0.5), go_backwards=w.chance(0.25),
                          **(dict(stateful=True) if w.stateful else {}))
    options = recurrent_options(w)
    if kind == "GRU" and w.chance(0.3):
        options["reset_after"] = False
    if kind != "SimpleRNN" and w.chance(0.2):
        options["recurrent_activation"] = w.pick(["hard_sigmoid", "sigmoid", "tanh"])
    if kind == "LSTM" and w.chance(0.2):
        options["unit_forget_bias"] = False
    return kind, options


def window(w, rank):
    """Sizes of a window, strides and padding."""
    size = w.pick([1, 2, 2, 3])
    options = dict(padding=w.pick(["same", "valid"]))
    if w.chance(0.3):
        options["strides"] = 2
    if rank > 1 and w.chance(0.3):
        size = [w.pick([1, 2, 3]) for _ in range(rank)]
    return size, options


def convolution(w, shape):
    rank = len(shape) - 1
    size, options = window(w, rank)
    kinds = ["Conv%dD" % rank, "Conv%dDTranspose" % rank]
    if rank < 3:
        kinds += ["Depthwise", "Separable"]
    kind = w.pick(kinds + kinds[:1])
    options["kernel_size"] = size
    if kind == "Depthwise":
        options.update(depth_multiplier=w.pick([1, 2]))
        if w.chance(0.2):
            options["use_bias"] = False
        return "DepthwiseConv%dD" % rank, activation(w, options, 0.4)
    if kind == "Separable":
        options.update(filters=units(w), depth_multiplier=w.pick([1, 2]))
        return "SeparableConv%dD" % rank, activation(w, options, 0.4)
    options = activation(w, with_weights(w, dict(options, filters=units(w))), 0.4)
    if not kind.endswith("Transpose"):
        if rank == 1 and w.chance(0.2):
            options["padding"] = "causal"
        if "strides" not in options and w.chance(0.2):
            options["dilation_rate"] = 2
        if options["filters"] % 2 == 0 and shape[-1] % 2 == 0 and w.chance(0.15):
            options["groups"] = 2
    elif "strides" in options and w.chance(0.2):
        options["output_padding"] = 1
    return kind, options


def pooling(w, shape):
    rank = len(shape) - 1
    size, options = window(w, rank)
    return w.pick([
        ("MaxPooling%dD" % rank, dict(options, pool_size=size)),
        ("AveragePooling%dD" % rank, dict(options, pool_size=size)),
        ("GlobalMaxPooling%dD" % rank, dict(keepdims=w.chance(0.3))),
        ("GlobalAveragePooling%dD" % rank, dict(keepdims=w.chance(0.3))),
        ("ZeroPadding%dD" % rank, dict(padding=1)), ("Cropping%dD" % rank, dict(cropping=1)),
        ("UpSampling%dD" % rank, dict(size=2)), ("SpatialDropout%dD" % rank, dict(rate=0.0)),
    ])


def reshaping(w, shape):
    axes = [int(i) + 1 for i in w.rng.permutation(len(shape))]
    return w.pick([("Flatten", {}), ("Permute", dict(dims=axes)), ("Reshape", dict(target_shape=[-1])),
                   ("Reshape", dict(target_shape=[2, -1]))])


def wrapped(w, shape):
    kind = w.pick(["TimeDistributed", "EinsumDense", "SpectralNormalization", "Sequential", "Residual"])
    if kind == "EinsumDense" and len(shape) == 1:
        return kind, activation(w, dict(equation="ab,bc->ac", output_shape=4, bias_axes="c"), 0.4)
    if kind == "EinsumDense":
        return kind, activation(w, dict(equation="...x,xy->...y", output_shape=4, bias_axes=w.pick([None, "y"])), 0.4)
    if kind == "Sequential":
        return obj("sequential", kind, shape=list(shape), layers=inner_layers(w), name="inner%d" % len(w.nodes)), {}
    if kind == "Residual" and shape[-1] == 4:
        return obj("residual", kind, layers=inner_layers(w), name="inner%d" % len(w.nodes)), {}
    if kind == "Residual":
        kind = "SpectralNormalization"
    if kind == "TimeDistributed" and len(shape) == 1:
        kind = "SpectralNormalization"
    if kind == "SpectralNormalization" and keras.backend.backend() == "jax":
        return dense(w, shape)
    return kind, dict(layer=each_step(w, shape) if kind == "TimeDistributed" else small_layer(w))


def choose(w, shape):
    """A layer for an input of a shape without the batch: class and options."""
    kinds = [dense, dense, elementwise, normalizing, wrapped]
    if len(shape) == 1:
        kinds += [dense, lambda w, shape: ("RepeatVector", dict(n=3))]
    elif len(shape) == 2:
        kinds += [recurrent, recurrent, convolution, pooling, reshaping, attention]
    elif len(shape) == 3:
        kinds += [convolution, convolution, pooling, pooling, reshaping, picture]
    else:
        kinds += [convolution, pooling, reshaping]
    return w.pick(kinds)(w, shape)


def picture(w, shape):
    return w.pick([
        ("ConvLSTM1D", dict(filters=2, kernel_size=2, padding=w.pick(["same", "valid"]),
                            return_sequences=w.chance(0.5), go_backwards=w.chance(0.3),
                            **(dict(stateful=True) if w.stateful else {}))),
        ("Resizing", dict(height=3, width=2, interpolation=w.pick(["bilinear", "nearest"]))),
        ("CenterCrop", dict(height=2, width=2)),
        ("UpSampling2D", dict(size=2, interpolation="bilinear")),
    ])


def attention(w, shape):
    options = dict(num_heads=2, key_dim=2)
    options.update(w.pick([{}, dict(use_bias=False), dict(value_dim=3), dict(output_shape=4)]))
    return w.pick([("MultiHeadAttention", options),
                   ("GroupQueryAttention", dict(head_dim=2, num_query_heads=4, num_key_value_heads=2))])


MERGES = ["Add", "Subtract", "Multiply", "Maximum", "Minimum", "Average", "Concatenate", "Dot"]


def merge(w, at):
    """A merge of a tensor with another of its shape, or attention between two sequences."""
    same = [i for i in range(len(w.tensors)) if w.shape(i) == w.shape(at) and w.tensors[i].dtype != "int32"]
    other = w.pick(same)
    rank = len(w.shape(at))
    if rank == 2 and w.chance(0.25):
        kind, options = w.pick([("Attention", w.pick([{}, dict(use_scale=True), dict(score_mode="concat")])),
                                ("AdditiveAttention", {})])
        return w.call(kind, options, [at, other])
    kind = w.pick(MERGES)
    if kind == "Dot":
        options = dict(axes=1 if rank == 1 else 2, normalize=w.chance(0.3))
    elif kind == "Concatenate":
        options = dict(axis=w.pick([-1, 1]))
    else:
        options = {}
    return w.call(kind, options, [at, other])


def grow(w, at, count):
    """Adds layers behind tensor `at`; returns the last."""
    for _ in range(count):
        if w.chance(0.15):
            new = merge(w, at)
        elif w.chance(0.12):
            new = share(w, at)
        else:
            kind, options = choose(w, w.shape(at))
            call, sources = {}, at
            if kind == "MultiHeadAttention" and w.chance(0.3):
                call["use_causal_mask"] = True
            if kind in ("SimpleRNN", "LSTM", "GRU") and not w.stateful and w.chance(0.3):
                states = first_states(w, at, options["units"], 2 if kind == "LSTM" else 1)
                if states:
                    call["initial_state"], sources = states, [at] + states
            new = w.call(kind, options, sources, **call)
        if new is not None:
            at = new
        if w.chance(0.12):  # a branch: goes on from an earlier place
            floats = [i for i in range(len(w.tensors)) if w.tensors[i].dtype != "int32"]
            at = w.pick(floats)
    return at


def first_states(w, at, count, wanted):
    """Vectors of `count` numbers that a recurrent layer begins with: some of the model's, or made of its input."""
    found = [i for i in range(len(w.tensors)) if w.shape(i) == (count,) and w.tensors[i].dtype != "int32"]
    while len(found) < wanted:
        flat = w.call("GlobalMaxPooling1D", {}, at)
        new = flat and w.call("Dense", dict(units=count, activation="tanh"), flat)
        if new is None:
            return None
        found.append(new)
    return [int(i) for i in w.rng.permutation(found)[:wanted]]


def share(w, at):
    """Calls a layer that was made for the same shape again."""
    fitting = [i for i, one in enumerate(w.made) if one is not None and isinstance(one_source(w, i), int)
               and w.shape(one_source(w, i)) == w.shape(at)]
    if not fitting:
        return None
    return w.call(w.pick(fitting), {}, at)


def one_source(w, i):
    return w.nodes[i - len(w.inputs)]["sources"]


def masked_input(w, at):
    """What marks rows that end in zeros."""
    w.masked = True
    return w.call("Masking", dict(mask_value=0.0), at), 0


def inputs(w):
    """Inputs of a kind; returns the number of the tensor to go on from, and which input ends in zeros."""
    kind = w.pick(["vector", "vector", "sequence", "sequence", "tokens", "picture", "volume", "frames", "two",
                   "several"])
    if w.stateful:
        kind = w.pick(["sequence", "tokens", "frames"])
    if kind == "vector":
        return w.add_input([size(w, 4)]), None
    if kind == "two":
        first = w.add_input([4])
        w.add_input([4])
        return first, None
    if kind == "several":
        return several_inputs(w), None
    if kind == "picture":
        return w.add_input([min(size(w, 4), 12), min(size(w, 4), 12), 2]), None
    if kind == "frames":
        return w.add_input([3, 4, 2]), None
    if kind == "volume":
        return w.add_input([2, 3, 2, 2]), None
    if kind == "tokens":
        at = w.add_input([3], "int32", 6)
        w.masked = w.chance(0.6)
        new = w.call("Embedding", dict(input_dim=6, output_dim=4, mask_zero=w.masked), at)
        return new, 0 if w.masked else None
    at = w.add_input([min(size(w, 3), 12), size(w, 4)])
    return masked_input(w, at) if w.chance(0.4) else (at, None)


def several_inputs(w):
    """Two or three inputs, each made a vector; returns all of them joined."""
    parts = []
    for at in [w.add_input(w.pick([[size(w, 4)], [3, 2], [2, 2, 2]])) for _ in range(int(w.rng.integers(2, 4)))]:
        if len(w.shape(at)) > 1:
            at = w.call(w.pick(["Flatten", "GlobalAveragePooling%dD" % (len(w.shape(at)) - 1)]), {}, at)
        parts.append(w.call("Dense", dict(units=4, activation=w.pick(ACTIVATIONS)), at))
    return w.call(w.pick(["Concatenate", "Add", "Multiply"]), {}, parts)


# ---- heads, losses, metrics -----------------------------------------------------------------------------

def metric(w, name, index, **options):
    return obj("metric", name, name="m%d" % index, **options)


TASKS = ["regression", "regression", "positive", "binary", "categorical", "sparse", "signs"]


def losses_of(w, task, from_logits, size):
    """A loss that fits a task, for predictions of `size` numbers."""
    logits = dict(from_logits=True) if from_logits else {}
    smooth = w.pick([{}, {}, dict(label_smoothing=0.125)])
    table = {
        "regression": [("MeanSquaredError", {}), ("MeanAbsoluteError", {}), ("Huber", dict(delta=0.5)),
                       ("LogCosh", {})] + ([("CosineSimilarity", {})] if size > 1 else []),
        "positive": [("Poisson", {}), ("MeanSquaredLogarithmicError", {}), ("MeanAbsolutePercentageError", {}),
                     ("KLDivergence", {})],
        "binary": [("BinaryCrossentropy", dict(logits, **smooth)),
                   ("BinaryFocalCrossentropy", dict(logits, gamma=1.5, apply_class_balancing=w.chance(0.5)))]
        + ([] if from_logits else [("Dice", {}), ("Tversky", dict(alpha=0.25, beta=0.75)), ("MeanSquaredError", {})]),
        "categorical": [("CategoricalCrossentropy", dict(logits, **smooth)), ("CategoricalFocalCrossentropy", logits)]
        + ([] if from_logits else [("KLDivergence", {})]) + [("CategoricalHinge", {})],
        "sparse": [("SparseCategoricalCrossentropy", logits)]
        + ([] if from_logits else [("CategoricalGeneralizedCrossEntropy", dict(q=0.75))]),
        "signs": [("Hinge", {}), ("SquaredHinge", {})],
    }
    name, options = w.pick(table[task])
    if name not in ("Dice", "Tversky") and w.chance(0.25):
        options = dict(options, reduction=w.pick(["sum", "mean_with_sample_weight", "mean"]))
    return obj("loss", name, **options)


def metrics_of(w, task, from_logits, rank, index):
    """Some metrics that fit a task."""
    logits = dict(from_logits=True) if from_logits else {}
    unit = not from_logits
    table = {
        "regression": ["MeanSquaredError", "MeanAbsoluteError", "RootMeanSquaredError", "LogCoshError",
                       "CosineSimilarity"] + (["R2Score"] if rank == 1 else []),
        "positive": ["Poisson", "MeanSquaredLogarithmicError", "MeanAbsolutePercentageError", "KLDivergence"],
        "binary": [("BinaryAccuracy", dict(threshold=0.25)), ("BinaryCrossentropy", logits)]
        + (["AUC", ("AUC", dict(curve="PR", num_thresholds=20)), "Precision", ("Recall", dict(thresholds=0.25)),
            "TruePositives", "FalseNegatives", ("Precision", dict(thresholds=[0.25, 0.625])),
            ("FalsePositives", dict(thresholds=[0.375, 0.5, 0.75])),
            ("PrecisionAtRecall", dict(recall=0.5, num_thresholds=20)),
            ("SensitivityAtSpecificity", dict(specificity=0.5, num_thresholds=20))] if unit else [])
        + ([("F1Score", dict(threshold=0.375)), ("FBetaScore", dict(beta=0.5, threshold=0.5, average="micro"))]
           if unit and rank == 1 else []),
        "categorical": ["CategoricalAccuracy", ("TopKCategoricalAccuracy", dict(k=2)),
                        ("CategoricalCrossentropy", logits), "CategoricalHinge"]
        + ([("F1Score", dict(average="macro")), "F1Score"] if rank == 1 else []),
        "sparse": ["SparseCategoricalAccuracy", ("SparseTopKCategoricalAccuracy", dict(k=2)),
                   ("SparseCategoricalCrossentropy", logits)],
        "signs": ["Hinge", "SquaredHinge", "MeanAbsoluteError"],
    }
    out = []
    for _ in range(int(w.rng.integers(0, 3))):
        one = w.pick(table[task])
        name, options = one if isinstance(one, tuple) else (one, {})
        out.append(metric(w, name, index + len(out), **options))
    return out


HEADS = {"regression": None, "positive": "softplus", "binary": "sigmoid", "categorical": "softmax", "sparse": "softmax",
         "signs": "tanh"}


def head(w, at, index):
    """A dense layer and the task that it is trained for; None where Keras refuses."""
    task = w.pick(TASKS)
    while len(w.shape(at)) > 2 or len(w.shape(at)) == 2 and not (index == 0 and w.chance(0.4)):
        at = w.call("Flatten" if w.chance(0.7) else "GlobalAveragePooling%dD" % (len(w.shape(at)) - 1), {}, at)
        if at is None:
            return None
    classes = size(w, 3) + (1 if w.largest > 4 else 0)
    count = {"binary": w.pick([1, 3]), "categorical": classes, "sparse": classes}.get(task, w.pick([1, 3]))
    from_logits = task in ("binary", "categorical", "sparse") and w.chance(0.4)
    options = with_weights(w, dict(units=count))
    options.pop("trainable", None)
    if HEADS[task] and not from_logits:
        options["activation"] = HEADS[task]
    at = w.call("Dense", options, at)
    rank = len(w.shape(at)) if at is not None else 0
    return at and dict(at=at, task=task, loss=losses_of(w, task, from_logits, count),
                       metrics=metrics_of(w, task, from_logits, rank, 10 * index),
                       weighted=metrics_of(w, task, from_logits, rank, 10 * index + 5) if w.chance(0.3) else [])


def targets(rng, task, shape):
    if task == "sparse":
        return rng.integers(0, shape[-1], size=shape[:-1]).astype("int32")
    if task == "categorical":
        return np.eye(shape[-1], dtype="float32")[rng.integers(0, shape[-1], size=shape[:-1])]
    if task == "binary":
        return rng.integers(0, 2, size=shape).astype("float32")
    if task == "signs":
        return (rng.integers(0, 2, size=shape) * 2 - 1).astype("float32")
    if task == "positive":
        return grid(rng, shape, 0.125, 2.0)
    return grid(rng, shape)


# ---- optimizers -----------------------------------------------------------------------------------------

def optimizer(w):
    """Rates that divide by the root of squares have an epsilon that noise in a gradient of 0 does not reach."""
    rate = w.pick([0.01, 0.05])
    if w.chance(0.15):
        rate = w.pick([obj("schedule", "ExponentialDecay", initial_learning_rate=0.05, decay_steps=2, decay_rate=0.5),
                       obj("schedule", "PolynomialDecay", initial_learning_rate=0.05, decay_steps=4),
                       obj("schedule", "CosineDecay", initial_learning_rate=0.05, decay_steps=5),
                       obj("schedule", "InverseTimeDecay", initial_learning_rate=0.05, decay_steps=2, decay_rate=0.5),
                       obj("schedule", "PiecewiseConstantDecay", boundaries=[1, 2], values=[0.05, 0.02, 0.01])])
    epsilon = dict(epsilon=0.01)
    name, options = w.pick([
        ("SGD", {}), ("SGD", {}), ("SGD", dict(momentum=0.9)), ("SGD", dict(momentum=0.9, nesterov=True)),
        ("Adam", epsilon), ("Adam", dict(epsilon, amsgrad=True)), ("AdamW", dict(epsilon, weight_decay=0.02)),
        ("RMSprop", epsilon), ("RMSprop", dict(epsilon, centered=True)), ("RMSprop", dict(epsilon, momentum=0.9)),
        ("Adagrad", epsilon), ("Adadelta", epsilon), ("Adamax", epsilon), ("Nadam", epsilon),
        ("Ftrl", w.pick([{}, dict(l1_regularization_strength=0.01, l2_regularization_strength=0.02),
                         dict(beta=0.1, l2_shrinkage_regularization_strength=0.01)])),
        ("Lion", {}), ("Lamb", epsilon), ("Adafactor", {}),
    ])
    options = dict(options, learning_rate=rate)
    options.update(w.pick([{}] * 6 + [dict(clipnorm=0.5), dict(clipvalue=0.05), dict(global_clipnorm=0.5)]))
    if w.chance(0.08):
        options.update(use_ema=True, ema_momentum=0.75, **w.pick([{}, dict(ema_overwrite_frequency=2)]))
    if w.chance(0.06):
        options["gradient_accumulation_steps"] = 2
    if "weight_decay" not in options and w.chance(0.08):
        options["weight_decay"] = 0.05
    return obj("optimizer", name, **options)


# ---- cases ----------------------------------------------------------------------------------------------

def weight_values(rng, path, shape):
    if "variance" in path:
        return grid(rng, shape, 0.5, 1.5)
    if path.endswith(("gamma", "scale")):
        return grid(rng, shape, 0.5, 1.5)
    return grid(rng, shape, -0.75, 0.75)


def actions(w, batch):
    fit = dict(kind="fit", batch_size=batch, epochs=1)
    if w.chance(0.4):
        whole, part = dict(validation=True), dict(validation_split=w.pick([0.25, 0.4]))
        fit.update(whole if w.stateful else w.pick([whole, part]))
    train, predict, evaluate = dict(kind="train"), dict(kind="predict"), dict(kind="evaluate")
    return w.pick([
        [fit, train, evaluate, predict], [fit, train, evaluate, predict], [train, train, train, predict],
        [predict, dict(fit, epochs=2), evaluate], [train, dict(kind="test"), fit, dict(kind="predict_on_batch")],
        [dict(fit, steps_per_epoch=1, epochs=3), evaluate],
    ])


def has_policy(value):
    """Whether a layer has a policy of its own, in options or within another layer's."""
    if isinstance(value, Obj):
        return has_policy(value.options)
    if isinstance(value, dict):
        return "dtype" in value or any(map(has_policy, value.values()))
    return isinstance(value, list) and any(map(has_policy, value))


def draw(seed, number):
    """The case of a seed and number: (case, Keras' model), or None where the dice fell outside of what Keras does."""
    rng = np.random.default_rng([seed, number])
    w = Wiring(rng)
    w.stateful = w.chance(0.08)
    rows, batch = (ROWS, BATCH) if w.chance(0.75) else (int(rng.integers(2, LARGEST + 1)), int(rng.integers(2, 33)))
    if w.stateful:
        w.batch_size, rows = batch, batch * int(rng.integers(1, 4))
    policy = w.pick(["mixed_bfloat16", "mixed_float16"]) if w.chance(0.05) else None
    keras.config.set_dtype_policy(policy or "float32")
    at, zero_tail = inputs(w)
    if at is None:
        return None
    at = grow(w, at, int(rng.integers(1, 6)))
    heads = [head(w, at, 0)]
    while len(heads) < 3 and w.chance(0.2):
        heads.append(head(w, grow(w, at, 1), len(heads)))
    if None in heads:
        return None
    case = dict(name="%d/%d" % (seed, number), inputs=w.inputs, nodes=w.nodes, outputs=[one["at"] for one in heads],
                loss=[one["loss"] for one in heads], metrics=[one["metrics"] for one in heads],
                weighted_metrics=[one["weighted"] for one in heads], optimizer=optimizer(w),
                tasks=[one["task"] for one in heads], zero_tail=zero_tail, rows=rows, batch=batch,
                batch_size=w.batch_size)
    if len(heads) > 1 and w.chance(0.5):
        case["loss_weights"] = [1.0, 0.25, 2.0][:len(heads)]
    shapes = [(rows,) + w.shape(one["at"]) for one in heads]
    case["x"] = [draw_rows(rng, one, rows, zero_tail == i) for i, one in enumerate(w.inputs)]
    case["y"] = [targets(rng, one["task"], shape) for one, shape in zip(heads, shapes)]
    weighted = w.pick(["", "", "rows", "classes"])
    if any(one["loss"].name in ("Dice", "Tversky") for one in heads):
        weighted = ""
    if weighted == "rows":
        weights = [grid(rng, shape[:-1], 0.25, 2.0) for shape in shapes]
        case["sample_weight"] = one_or_list(weights)
    if weighted == "classes" and len(heads) == 1 and len(shapes[0]) == 2 and (
            heads[0]["task"] == "sparse" or heads[0]["task"] == "categorical"
            or heads[0]["task"] == "binary" and shapes[0][-1] == 1):
        case["class_weight"] = [0.5, 2.0, 1.25] + [0.25 + i % 8 / 4 for i in range(3, shapes[0][-1])]
    case["actions"] = actions(w, batch)
    name_values(w, case)
    case["mixed_layers"] = any(has_policy([one["layer"], one["options"]]) for one in w.nodes) or None
    plain_norm = any(one["layer"] == "BatchNormalization" and not one["options"].get("synchronized")
                     for one in w.nodes)
    if w.chance(0.3) and not plain_norm and not w.stateful:
        case["replicas"] = int(rng.integers(2, 8))
    if w.chance(0.15):
        case["steps_per_execution"] = int(rng.integers(2, 5))
    if w.chance(0.12):
        case["rematerialize"] = int(rng.integers(1, 8))
    if w.chance(0.08):
        case["run_eagerly"] = True
    case["policy"] = policy
    outputs = [w.tensors[at] for at in case["outputs"]]
    return case, keras.Model(by_key(w.tensors[:len(w.inputs)], case.get("input_keys")),
                             by_key(outputs, case.get("output_keys")))


def name_values(w, case):
    """Names inputs and outputs, in no order: keys of their own, or the names of the layers where values are given."""
    def keys(count):
        return [w.pick("abkmxz") + str(i) for i in w.rng.permutation(count)]
    if w.chance(0.15):
        case["input_keys"] = keys(len(case["inputs"]))
    elif len(case["inputs"]) > 1 and w.chance(0.3):
        case["input_names"] = [one["name"] for one in case["inputs"]]
    if w.chance(0.15):
        case["output_keys"] = keys(len(case["outputs"]))


def draw_rows(rng, one, rows, zero_tail):
    shape = [rows] + one["shape"]
    if one["dtype"].startswith("int"):
        value = rng.integers(1 if zero_tail else 0, one["high"], size=shape).astype(one["dtype"])
    else:
        value = grid(rng, shape)
    if zero_tail:
        for row in range(rows):
            value[row, 1 + row % one["shape"][0]:] = 0
    return value
