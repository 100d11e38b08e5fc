"""The models of ../models.lua and the known ones of ../shapes.lua in Keras."""

import keras
from common import HEADS, LAYERS, LENGTH, SHAPES, TOKENS, VOCABULARY, WIDTH, WIDTHS
from keras import layers, ops

normal = keras.initializers.RandomNormal(stddev=0.02)


def logits(size):
    return layers.Dense(size, dtype="float32")


def block(x, heads, epsilon=1e-3, before=True, causal=False, mask=None):
    """Of a transformer. before: whether it normalizes before each part, else behind their sums."""
    width = x.shape[-1]

    def norm(y, here):
        return layers.LayerNormalization(epsilon=epsilon)(y) if here else y

    y = norm(x, before)
    y = layers.MultiHeadAttention(heads, width // heads)(y, y, use_causal_mask=causal, attention_mask=mask)
    x = norm(x + y, not before)
    y = layers.Dense(4 * width, activation="gelu")(norm(x, before))
    return norm(x + layers.Dense(width)(y), not before)


class Table(layers.Layer):
    """Adds a row to each place, or puts one before all of them."""

    def __init__(self, rows, initializer=normal, before=False):
        super().__init__()
        self.rows, self.initializer, self.before = rows, initializer, before

    def build(self, shape):
        self.table = self.add_weight(shape=(1, self.rows, shape[-1]), initializer=self.initializer)

    def call(self, x):
        table = ops.cast(self.table, x.dtype)
        if self.before:
            return ops.concatenate([ops.broadcast_to(table, (ops.shape(x)[0], 1, x.shape[-1])), x], 1)
        return x + table


def decoder():
    inputs = keras.Input((LENGTH,), dtype="int32")
    x = Table(LENGTH, "uniform")(layers.Embedding(VOCABULARY, WIDTH)(inputs))
    for _ in range(LAYERS):
        x = block(x, HEADS, causal=True)
    return keras.Model(inputs, logits(VOCABULARY)(layers.LayerNormalization()(x)))


def gpt2():
    length, vocabulary = TOKENS["gpt2"]
    inputs = keras.Input((length,), dtype="int32")
    tokens = layers.ReversibleEmbedding(vocabulary, 768, embeddings_initializer=normal)
    x = layers.Dropout(0.1)(Table(length)(tokens(inputs)))
    for _ in range(12):
        x = block(x, 12, 1e-5, causal=True)
    return keras.Model(inputs, tokens(layers.LayerNormalization(epsilon=1e-5)(x), reverse=True))


def bert():
    length, vocabulary = TOKENS["bert"]
    inputs = keras.Input((3, length), dtype="int32")
    x = layers.Embedding(vocabulary, 768, embeddings_initializer=normal)(inputs[:, 0])
    x = x + layers.Embedding(2, 768, embeddings_initializer=normal)(inputs[:, 1])
    x = layers.Dropout(0.1)(layers.LayerNormalization(epsilon=1e-12)(Table(length)(x)))
    mask = inputs[:, 2:] != 0
    for _ in range(12):
        x = block(x, 12, 1e-12, before=False, mask=mask)
    return keras.Model(inputs, logits(2)(layers.Dense(768, activation="tanh")(x[:, 0])))


def vit():
    inputs = keras.Input((224, 224, 3))
    x = layers.Reshape((196, 384))(layers.Conv2D(384, 16, 16)(inputs))
    x = Table(197)(Table(1, "zeros", before=True)(x))
    for _ in range(12):
        x = block(x, 6, 1e-6)
    return keras.Model(inputs, logits(1000)(layers.LayerNormalization(epsilon=1e-6)(x)[:, 0]))


def twice(x, filters):
    for _ in range(2):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu", kernel_initializer="he_normal")(x)
    return x


def unet():
    inputs = x = keras.Input(SHAPES["unet"])
    skips = []
    for depth in range(5):
        x = twice(layers.MaxPooling2D()(x) if depth else x, 64 << depth)
        x = layers.Dropout(0.5)(x) if depth >= 3 else x
        skips.append(x)
    for skip in skips[3::-1]:
        filters = skip.shape[-1]
        x = layers.Conv2D(filters, 2, padding="same", activation="relu", kernel_initializer="he_normal")(
            layers.UpSampling2D()(x))
        x = twice(layers.Concatenate()([skip, x]), filters)
    x = layers.Conv2D(2, 3, padding="same", activation="relu", kernel_initializer="he_normal")(x)
    return keras.Model(inputs, layers.Conv2D(1, 1, dtype="float32")(x))


def convolve(x, filters, strides, size):
    x = layers.Conv2D(filters, size, strides, padding="same", use_bias=False)(x)
    return layers.BatchNormalization()(x)


def resnet20():
    inputs = keras.Input(SHAPES["resnet20"])
    x, before = layers.ReLU()(convolve(inputs, 16, 1, 3)), 16
    for filters in (16, 32, 64):
        for _ in range(3):
            strides = 1 if before == filters else 2
            around = x if strides == 1 else convolve(x, filters, strides, 1)
            y = layers.ReLU()(convolve(x, filters, strides, 3))
            x = layers.ReLU()(convolve(y, filters, 1, 3) + around)
            before = filters
    return keras.Model(inputs, logits(10)(layers.GlobalAveragePooling2D()(x)))


def images():
    return keras.Sequential([
        keras.Input((28, 28, 1)), layers.Conv2D(32, 3, padding="same", activation="relu"), layers.MaxPooling2D(),
        layers.Conv2D(64, 3, padding="same", activation="relu"), layers.MaxPooling2D(), layers.Flatten(),
        layers.Dense(128, activation="relu"), logits(10)])


def recurrent(kind):
    return keras.Sequential([keras.Input(SHAPES["lstm256"]), kind(256), logits(10)])


MODELS = {"w3": images, "w3s": images, "w4": decoder, "lstm256": lambda: recurrent(layers.LSTM),
          "gru256": lambda: recurrent(layers.GRU), "resnet20": resnet20, "vit": vit, "unet": unet, "bert": bert,
          "gpt2": gpt2,
          "resnet50": lambda: keras.applications.ResNet50(weights=None, classifier_activation=None),
          "mobilenet": lambda: keras.applications.MobileNetV2(weights=None, classifier_activation=None)}


def make_model(name):
    if name in WIDTHS:
        hidden = [layers.Dense(width, activation="relu") for width in WIDTHS[name]]
        return keras.Sequential([keras.Input((784,)), *hidden, logits(10)])
    return MODELS[name]()


def make_optimizer(name):
    if name in ("resnet20", "resnet50", "mobilenet"):
        return keras.optimizers.SGD(0.01, momentum=0.9)
    return (keras.optimizers.AdamW if name in ("w4", "vit", "bert", "gpt2") else keras.optimizers.Adam)(1e-3)


def make_loss(name):
    if name == "unet":
        return keras.losses.BinaryCrossentropy(from_logits=True)
    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)
