"""The third blind set: programs of TensorFlow."""
import keras
import tensorflow as tf

from tensorflow_programs import f32, fit_step, i32


def mixed(make):
    """What a function makes of Keras' layers while they compute in bfloat16."""
    keras.mixed_precision.set_global_policy("mixed_bfloat16")
    model = make()
    keras.mixed_precision.set_global_policy("float32")
    return model


# ---- looking ---------------------------------------------------------------------------------------------------------


def names_tagged(batch=512, tokens=256, vocab=50000, units=512, tags=17):
    """A tagger of two LSTMs, both ways, over embeddings with a mask."""
    inputs = keras.Input((tokens,), dtype="int32")
    x = keras.layers.Embedding(vocab, 300, mask_zero=True)(inputs)
    for _ in range(2):
        x = keras.layers.Bidirectional(keras.layers.LSTM(units, return_sequences=True))(x)
    model = keras.Model(inputs, keras.layers.Dense(tags, activation="softmax")(x))

    @tf.function(jit_compile=True)
    def tag(ids):
        return tf.argmax(model(ids, training=False), -1, i32)

    return tag, (tf.TensorSpec((batch, tokens), i32),)


def pictures_sorted(batch=512, size=224):
    """A plain net of convolutions with biases and pooling in float32, chances of a thousand kinds."""
    inputs = keras.Input((size, size, 3), dtype="uint8")
    x = keras.ops.cast(inputs, "float32") / 127.5 - 1
    for width, depth in ((48, 1), (96, 2), (192, 2), (384, 2)):
        for _ in range(depth):
            x = keras.layers.Conv2D(width, 3, padding="same", activation="relu")(x)
        x = keras.layers.MaxPooling2D()(x)
    x = keras.layers.Dense(1024, activation="relu")(keras.layers.GlobalAveragePooling2D()(x))
    model = keras.Model(inputs, keras.layers.Dense(1000, activation="softmax")(x))

    @tf.function(jit_compile=True)
    def classify(images):
        chances, kinds = tf.math.top_k(model(images, training=False), 5)
        return chances, kinds

    return classify, (tf.TensorSpec((batch, size, size, 3), tf.uint8),)


# ---- a loop ----------------------------------------------------------------------------------------------------------


def many_steps(rows=16384, steps=32, inputs=512, width=2048):
    """Steps of training in a tf.while_loop, each of its rows of a batch that came for all; momentum by hand."""
    sizes = (inputs, width, width, width, 1)
    weights = [tf.Variable(tf.zeros(s)) for a, b in zip(sizes, sizes[1:]) for s in ((a, b), (b,))]
    speeds = [tf.Variable(tf.zeros_like(w)) for w in weights]

    def loss_of(weights, x, y):
        for w, b in zip(weights[:-2:2], weights[1:-2:2]):
            x = tf.nn.elu(x @ w + b)
        return tf.reduce_mean(tf.keras.losses.huber(y, (x @ weights[-2] + weights[-1])[:, 0]))

    @tf.function(jit_compile=True)
    def train(x, y):
        def turn(i, total, weights, speeds):
            with tf.GradientTape() as tape:
                tape.watch(weights)
                loss = loss_of(weights, x[i], y[i])
            speeds = [0.9 * s + g for s, g in zip(speeds, tape.gradient(loss, weights))]
            return i + 1, total + loss, [w - 0.01 * s for w, s in zip(weights, speeds)], speeds

        _, total, new, fast = tf.while_loop(lambda i, *_: i < steps, turn, (
            0, 0.0, [w.read_value() for w in weights], [s.read_value() for s in speeds]))
        for old, value in zip(weights + speeds, new + fast):
            old.assign(value)
        return total / steps

    return train, (tf.TensorSpec((steps, rows, inputs), f32), tf.TensorSpec((steps, rows), f32))


# ---- training --------------------------------------------------------------------------------------------------------


def reviews_judged(batch=256, tokens=256, vocab=32000, width=512, heads=8, layers=3):
    """A small encoder in mixed precision, of Keras' attention, pooled by its mean; AdamW."""
    def make():
        inputs = keras.Input((tokens,), dtype="int32")
        x = keras.layers.Embedding(vocab, width)(inputs)
        x = x + keras.layers.Embedding(tokens, width)(keras.ops.arange(tokens))
        for _ in range(layers):
            h = keras.layers.MultiHeadAttention(heads, width // heads, dropout=0.1)(x, x)
            x = keras.layers.LayerNormalization()(x + h)
            h = keras.layers.Dense(width)(keras.layers.Dense(4 * width, activation="gelu")(x))
            x = keras.layers.LayerNormalization()(x + keras.layers.Dropout(0.1)(h))
        x = keras.layers.GlobalAveragePooling1D()(x)
        return keras.Model(inputs, keras.layers.Dense(5, activation="softmax", dtype="float32")(x))

    return fit_step(mixed(make), keras.losses.SparseCategoricalCrossentropy(), keras.optimizers.AdamW(1e-4),
                    tf.TensorSpec((batch, tokens), i32), tf.TensorSpec((batch,), i32))


def leaves_told(batch=256, size=160):
    """Residual blocks with batch norms, of Keras' layers in float32; SGD with Nesterov's momentum."""
    def block(x, width, stride):
        h = keras.layers.Conv2D(width, 3, stride, "same", use_bias=False)(x)
        h = keras.layers.ReLU()(keras.layers.BatchNormalization()(h))
        h = keras.layers.BatchNormalization()(keras.layers.Conv2D(width, 3, 1, "same", use_bias=False)(h))
        short = keras.layers.BatchNormalization()(keras.layers.Conv2D(width, 1, stride, use_bias=False)(x))
        return keras.layers.ReLU()(h + short)

    inputs = keras.Input((size, size, 3))
    x = keras.layers.Conv2D(32, 3, 2, "same", activation="relu")(inputs)
    for width in (64, 128, 256, 512):
        x = block(x, width, 2)
    x = keras.layers.Dropout(0.3)(keras.layers.GlobalAveragePooling2D()(x))
    model = keras.Model(inputs, keras.layers.Dense(185)(x))
    return fit_step(model, keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                    keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
                    tf.TensorSpec((batch, size, size, 3), f32), tf.TensorSpec((batch,), i32))


def noise_taken(batch=128, size=128):
    """An autoencoder of strided and transposed convolutions that takes noise out of pictures; Adam, mean squares."""
    inputs = keras.Input((size, size, 3))
    x = keras.layers.GaussianNoise(0.1)(inputs)
    for width in (64, 128, 256):
        x = keras.layers.LeakyReLU()(keras.layers.Conv2D(width, 4, 2, "same")(x))
    x = keras.layers.Conv2D(256, 3, 1, "same", activation="relu")(x)
    for width in (256, 128, 64):
        x = keras.layers.LeakyReLU()(keras.layers.Conv2DTranspose(width, 4, 2, "same")(x))
    model = keras.Model(inputs, keras.layers.Conv2D(3, 3, 1, "same", activation="sigmoid")(x))
    pictures = tf.TensorSpec((batch, size, size, 3), f32)
    return fit_step(model, keras.losses.MeanSquaredError(), keras.optimizers.Adam(2e-4), pictures, pictures)


def clicks_by_factors(batch=131072, fields=24, rows=100000, width=16):
    """DeepFM: a table for all fields, products of pairs by sums of squares, a deep part; Ftrl for nobody, Adam for
    all."""
    table = keras.layers.Embedding(fields * rows, width)
    ids = keras.Input((fields,), dtype="int32")
    x = table(ids + keras.ops.arange(fields) * rows)
    pairs = keras.ops.sum(keras.ops.square(keras.ops.sum(x, 1)) - keras.ops.sum(keras.ops.square(x), 1), 1,
                          keepdims=True)
    deep = keras.layers.Reshape((fields * width,))(x)
    for units in (1024, 512, 256):
        deep = keras.layers.Dense(units, activation="relu")(deep)
    model = keras.Model(ids, keras.ops.sigmoid(0.5 * pairs + keras.layers.Dense(1)(deep)))
    return fit_step(model, keras.losses.BinaryCrossentropy(), keras.optimizers.Adam(1e-3),
                    tf.TensorSpec((batch, fields), i32), tf.TensorSpec((batch, 1), f32))
