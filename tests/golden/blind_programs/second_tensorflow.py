"""The second blind set: programs of TensorFlow, in plain ops, in tf.Module and in Keras."""
import keras
import tensorflow as tf

from tensorflow_programs import f32, fit_step, i32


def zeros(*shape, dtype=f32):
    return tf.Variable(tf.zeros(shape, dtype))


# ---- looking ---------------------------------------------------------------------------------------------------------


def street_scenes(batch=24, height=512, width=1024, classes=19):
    """A DeepLab of sorts: dilated separable convolutions, a pyramid, pictures of classes in full size."""
    def block(x, filters, stride=1, rate=1):
        x = keras.layers.SeparableConv2D(filters, 3, stride, "same", dilation_rate=rate, use_bias=False)(x)
        return keras.layers.ReLU()(keras.layers.BatchNormalization()(x))

    inputs = keras.Input((height, width, 3))
    x = keras.layers.Rescaling(1 / 127.5, -1.0)(inputs)
    x = keras.layers.Conv2D(32, 3, 2, "same", activation="relu")(x)
    x = early = block(block(x, 64), 128, 2)
    for filters, stride, rate in ((256, 2, 1), (512, 2, 1), (512, 1, 2)):
        x = block(x, filters, stride, rate)
    arms = [keras.layers.Conv2D(256, 1, activation="relu")(x)]
    arms += [block(x, 256, 1, rate) for rate in (6, 12, 18)]
    whole = keras.layers.GlobalAveragePooling2D(keepdims=True)(x)
    whole = keras.layers.Conv2D(256, 1, activation="relu")(whole)
    arms.append(keras.layers.UpSampling2D((height // 16, width // 16), interpolation="bilinear")(whole))
    x = keras.layers.Conv2D(256, 1, activation="relu")(keras.layers.Concatenate()(arms))
    x = keras.layers.UpSampling2D(4, interpolation="bilinear")(x)
    x = keras.layers.Concatenate()([x, keras.layers.Conv2D(48, 1, activation="relu")(early)])
    model = keras.Model(inputs, keras.layers.Conv2D(classes, 1)(block(x, 256)))

    @tf.function(jit_compile=True)
    def serve(pictures):
        logits = tf.image.resize(model(tf.cast(pictures, f32), training=False), (height, width))
        return tf.argmax(logits, -1, output_type=i32), tf.reduce_max(tf.nn.softmax(logits), -1)

    return serve, (tf.TensorSpec((batch, height, width, 3), tf.uint8),)


def shared_layers_reranker(batch=256, tokens=256, times=8, dim=1024, heads=16, vocab=30000):
    """Of ALBERT's kind: a narrow table, one layer gone through eight times, bfloat16; the ten best of each query."""
    half = tf.bfloat16
    table, widen = zeros(vocab, 128, dtype=half), zeros(128, dim, dtype=half)
    position, score = zeros(tokens, 128, dtype=half), zeros(dim, 1)
    qkv, out = zeros(3, dim, heads, dim // heads, dtype=half), zeros(heads, dim // heads, dim, dtype=half)
    up, down = zeros(dim, 4 * dim, dtype=half), zeros(4 * dim, dim, dtype=half)
    scales = zeros(2, 2, dim)

    def norm(x, w):
        mean, variance = tf.nn.moments(tf.cast(x, f32), [-1], keepdims=True)
        return tf.cast(tf.nn.batch_normalization(tf.cast(x, f32), mean, variance, w[1], w[0], 1e-12), half)

    @tf.function(jit_compile=True)
    def rank(ids, lengths):
        mask = (1.0 - tf.sequence_mask(lengths, tokens, f32))[:, None, None] * -1e9
        x = tf.einsum("bte,ed->btd", tf.gather(table, ids) + position, widen)
        for _ in range(times):
            q, k, v = tf.unstack(tf.einsum("btd,cdhk->cbhtk", x, qkv))
            s = tf.cast(tf.einsum("bhqk,bhsk->bhqs", q, k), f32) / (dim // heads) ** 0.5 + mask
            o = tf.einsum("bhqs,bhsk->bhqk", tf.cast(tf.nn.softmax(s), half), v)
            x = norm(x + tf.einsum("bhqk,hkd->bqd", o, out), scales[0])
            x = norm(x + tf.einsum("btf,fd->btd", tf.nn.gelu(tf.einsum("btd,df->btf", x, up), True), down), scales[1])
        scores = tf.reshape(tf.tanh(tf.cast(x[:, 0], f32)) @ score, (-1, 64))
        return tf.math.top_k(scores, 10)

    return rank, (tf.TensorSpec((batch, tokens), i32), tf.TensorSpec((batch,), i32))


# ---- pictures --------------------------------------------------------------------------------------------------------


def vgg_plain(batch=232, size=224, classes=1000):
    """VGG-16 in tf.nn alone, as a course has it: float32, dropout, momentum by hand, decay in the loss."""
    plan, inputs, filters = ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)), 3, []
    for width, depth in plan:
        for _ in range(depth):
            filters.append((zeros(3, 3, inputs, width), zeros(width)))
            inputs = width
    dense = [(zeros(512 * (size // 32) ** 2, 4096), zeros(4096)), (zeros(4096, 4096), zeros(4096)),
             (zeros(4096, classes), zeros(classes))]
    weights = [w for pair in filters + dense for w in pair]
    speeds = [tf.Variable(tf.zeros_like(w)) for w in weights]

    @tf.function(jit_compile=True)
    def step(images, labels, seed, rate):
        with tf.GradientTape() as tape:
            x, layers = tf.cast(images, f32) - tf.constant([123.68, 116.78, 103.94]), iter(filters)
            for _, depth in plan:
                for _ in range(depth):
                    w, b = next(layers)
                    x = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, 1, "SAME"), b))
                x = tf.nn.max_pool2d(x, 2, 2, "VALID")
            x = tf.reshape(x, (batch, -1))
            for n, (w, b) in enumerate(dense):
                x = tf.matmul(x, w) + b
                if n < 2:
                    x = tf.nn.experimental.stateless_dropout(tf.nn.relu(x), 0.5, seed + n)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x))
            total = loss + 5e-4 * tf.add_n([tf.nn.l2_loss(w) for w, _ in filters + dense])
        for w, v, g in zip(weights, speeds, tape.gradient(total, weights)):
            v.assign(0.9 * v + g)
            w.assign_sub(rate * v)
        return loss

    return step, (tf.TensorSpec((batch, size, size, 3), tf.uint8), tf.TensorSpec((batch,), i32),
                  tf.TensorSpec((2,), i32), tf.TensorSpec((), f32))


def pets_by_separable(batch=192, size=160, classes=3):
    """Keras' example of segmenting: separable convolutions down, transposed ones up, sums instead of skips; Lion."""
    inputs = keras.Input((size, size, 3))
    x = keras.layers.Conv2D(32, 3, 2, "same", activation="relu")(inputs)
    for filters in (64, 128):
        before = keras.layers.Conv2D(filters, 1, 2, "same")(x)
        x = keras.layers.SeparableConv2D(filters, 3, padding="same")(keras.layers.Activation("relu")(x))
        x = keras.layers.BatchNormalization()(x)
        x = keras.layers.add([keras.layers.MaxPooling2D(3, 2, "same")(x), before])
    for filters in (128, 64, 32):
        before = keras.layers.Conv2D(filters, 1)(keras.layers.UpSampling2D(2)(x))
        x = keras.layers.Conv2DTranspose(filters, 3, padding="same")(keras.layers.Activation("relu")(x))
        x = keras.layers.UpSampling2D(2)(keras.layers.BatchNormalization()(x))
        x = keras.layers.add([x, before])
    model = keras.Model(inputs, keras.layers.Conv2D(classes, 3, padding="same")(x))
    return fit_step(model, keras.losses.SparseCategoricalCrossentropy(from_logits=True), keras.optimizers.Lion(1e-4),
                    tf.TensorSpec((batch, size, size, 3), f32), tf.TensorSpec((batch, size, size), i32))


# ---- ranking ---------------------------------------------------------------------------------------------------------


class NextThing(tf.Module):
    """SASRec: what comes next, of what came before."""

    def __init__(self, things, tokens, dim, layers):
        super().__init__()
        self.table, self.position = zeros(things, dim), zeros(tokens, dim)
        self.layers = [{"q": zeros(dim, dim), "k": zeros(dim, dim), "v": zeros(dim, dim), "w1": zeros(dim, dim),
                        "w2": zeros(dim, dim), "g": zeros(2, 2, dim)} for _ in range(layers)]

    def __call__(self, ids, seed):
        norm = lambda x, g: g[0] * (x - tf.reduce_mean(x, -1, True)) / (
            tf.math.reduce_std(x, -1, True) + 1e-8) + g[1]
        drop = lambda x, n: tf.nn.experimental.stateless_dropout(x, 0.2, seed + n)
        real = tf.cast(ids > 0, f32)[..., None]
        x = (drop(tf.gather(self.table, ids) * self.table.shape[1] ** 0.5 + self.position, 0)) * real
        later = 1 - tf.linalg.band_part(tf.ones((ids.shape[1], ids.shape[1])), -1, 0)
        for n, w in enumerate(self.layers):
            h = norm(x, w["g"][0])
            s = tf.matmul(h @ w["q"], x @ w["k"], transpose_b=True) / x.shape[-1] ** 0.5 - 1e9 * later
            x = h + tf.nn.softmax(s) @ (x @ w["v"])
            h = norm(x, w["g"][1])
            x = (h + drop(tf.nn.relu(h @ w["w1"]) @ w["w2"], n + 1)) * real
        return x


def next_thing(batch=2048, tokens=200, things=1000000, dim=64, layers=2):
    """One thing that came next against one that did not, at each place; Adam over the whole table."""
    net = NextThing(things, tokens, dim, layers)
    weights = net.trainable_variables
    optimizer = keras.optimizers.Adam(1e-3, beta_2=0.98)
    optimizer.build(weights)

    @tf.function(jit_compile=True)
    def step(ids, right, wrong, seed):
        with tf.GradientTape() as tape:
            x = net(ids, seed)
            good, bad = (tf.reduce_sum(x * tf.gather(net.table, t), -1) for t in (right, wrong))
            real = tf.cast(right > 0, f32)
            each = tf.nn.softplus(-good) + tf.nn.softplus(bad)
            loss = tf.reduce_sum(each * real) / tf.reduce_sum(real)
        optimizer.apply([tf.convert_to_tensor(g) for g in tape.gradient(loss, weights)], weights)
        return loss

    words = tf.TensorSpec((batch, tokens), i32)
    return step, (words, words, words, tf.TensorSpec((2,), i32))


def crossed_features(batch=65536, fields=26, rows=120000, width=32, crosses=3):
    """DCN v2: crosses of low rank, one table for all fields, a deep part beside; Adagrad and a tower for two tasks."""
    table = zeros(fields * rows, width)
    size, rank = fields * width + 13, 128
    cross = [(zeros(size, rank), zeros(rank, size), zeros(size)) for _ in range(crosses)]
    sizes = (size, 1024, 512)
    deep = [(zeros(a, b), zeros(b)) for a, b in zip(sizes, sizes[1:])]
    heads = [zeros(size + 512, 1), zeros(size + 512, 1)]
    weights = [table, *(w for part in cross + deep for w in part), *heads]
    sums = [tf.Variable(tf.fill(w.shape, 0.1)) for w in weights]
    starts = tf.range(fields) * rows

    @tf.function(jit_compile=True)
    def step(numbers, ids, clicked, bought):
        with tf.GradientTape() as tape:
            x0 = tf.concat([tf.sign(numbers) * tf.math.log1p(tf.abs(numbers)), tf.reshape(
                tf.gather(table, ids + starts), (batch, -1))], 1)
            x = h = x0
            for u, v, b in cross:
                x = x0 * (x @ u @ v + b) + x
            for w, b in deep:
                h = tf.nn.relu(h @ w + b)
            both = tf.concat([x, h], 1)
            click, buy = (tf.squeeze(both @ w, 1) for w in heads)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(clicked, click))
            chance = tf.clip_by_value(tf.sigmoid(click) * tf.sigmoid(buy), 1e-7, 1 - 1e-7)
            loss -= tf.reduce_mean(bought * tf.math.log(chance) + (1 - bought) * tf.math.log1p(-chance))
        slopes = tape.gradient(loss, weights)
        places = tf.reshape(slopes[0].indices, (-1,))
        rows_of = tf.math.unsorted_segment_sum(tf.reshape(slopes[0].values, (-1, width)), places, fields * rows)
        for w, s, g in zip(weights, sums, [rows_of, *slopes[1:]]):
            s.assign_add(tf.square(g))
            w.assign_sub(0.01 * g * tf.math.rsqrt(s))
        return loss

    row = tf.TensorSpec((batch,), f32)
    return step, (tf.TensorSpec((batch, 13), f32), tf.TensorSpec((batch, fields), i32), row, row)
