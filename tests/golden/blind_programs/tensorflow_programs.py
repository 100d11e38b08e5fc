"""Programs of TensorFlow: tf.function with jit_compile, Keras models and plain ops.

Each gives (tf.function, arguments as specs); variables are the program's first arguments when it is lowered.
"""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras  # noqa: E402
import tensorflow as tf  # noqa: E402

f32, i32 = tf.float32, tf.int32


def bert_classifier(batch=48, tokens=384, layers=12, dim=768, heads=12, vocab=30522):
    """Question answering on BERT base, mixed bfloat16, Adam by hand over Keras' layers."""
    policy = keras.mixed_precision.Policy("mixed_bfloat16")
    L = lambda kind, *a, **k: kind(*a, dtype=policy, **k)
    ids, kinds, mask = (keras.Input((tokens,), dtype="int32") for _ in range(3))
    x = L(keras.layers.Embedding, vocab, dim)(ids) + L(keras.layers.Embedding, 2, dim)(kinds)
    x = x + L(keras.layers.Embedding, 512, dim)(keras.ops.arange(tokens))
    x = L(keras.layers.Dropout, 0.1)(L(keras.layers.LayerNormalization, epsilon=1e-12)(x))
    seen = keras.ops.cast(mask, "bool")[:, None, :]
    for _ in range(layers):
        a = L(keras.layers.MultiHeadAttention, heads, dim // heads, dropout=0.1)(x, x, attention_mask=seen)
        x = L(keras.layers.LayerNormalization, epsilon=1e-12)(x + L(keras.layers.Dropout, 0.1)(a))
        h = L(keras.layers.Dense, 4 * dim, activation="gelu")(x)
        h = L(keras.layers.Dropout, 0.1)(L(keras.layers.Dense, dim)(h))
        x = L(keras.layers.LayerNormalization, epsilon=1e-12)(x + h)
    spans = keras.layers.Dense(2, dtype="float32")(x)
    model = keras.Model([ids, kinds, mask], [spans[..., 0], spans[..., 1]])
    weights = model.trainable_variables
    slots = [(tf.Variable(tf.zeros(w.shape)), tf.Variable(tf.zeros(w.shape))) for w in weights]
    count = tf.Variable(0, dtype=tf.int64)

    @tf.function(jit_compile=True)
    def step(ids, kinds, mask, start, end):
        with tf.GradientTape() as tape:
            first, last = model([ids, kinds, mask], training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(start, first)
                                  + tf.nn.sparse_softmax_cross_entropy_with_logits(end, last)) / 2
        slopes, _ = tf.clip_by_global_norm([tf.convert_to_tensor(g) for g in tape.gradient(
            loss, [w.value for w in weights])], 1.0)
        t = tf.cast(count.assign_add(1), f32)
        rate = 3e-5 * tf.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t)
        for w, g, (m, v) in zip(weights, slopes, slots):
            m.assign(0.9 * m + 0.1 * g)
            v.assign(0.999 * v + 0.001 * g * g)
            w.value.assign_sub(rate * (m / (tf.sqrt(v) + 1e-6) + 0.01 * w.value))
        return loss

    one, word = tf.TensorSpec((batch,), i32), tf.TensorSpec((batch, tokens), i32)
    return step, (word, word, word, one, one)


def fit_step(model, loss, optimizer, *data):
    """The step that Keras' fit runs, of a compiled model."""
    model.compile(optimizer, loss, jit_compile=False)
    model.optimizer.build(model.trainable_variables)

    @tf.function(jit_compile=True)
    def train_step(x, y):
        with tf.GradientTape() as tape:
            value = model.compute_loss(y=y, y_pred=model(x, training=True))
        model.optimizer.apply(tape.gradient(value, model.trainable_weights))
        return value

    return train_step, data


def efficientnet(batch=64, size=224, policy="float32"):
    keras.mixed_precision.set_global_policy(policy)
    model = keras.applications.EfficientNetB0(weights=None, input_shape=(size, size, 3), classes=1000)
    keras.mixed_precision.set_global_policy("float32")
    return fit_step(model, keras.losses.CategoricalCrossentropy(label_smoothing=0.1),
                    keras.optimizers.RMSprop(0.256, rho=0.9, momentum=0.9), tf.TensorSpec((batch, size, size, 3), f32),
                    tf.TensorSpec((batch, 1000), f32))


def pix2pix_unet(batch=32, size=256):
    """A U-Net of strided and transposed convolutions with an L1 loss, from a tutorial."""
    def down(x, width, norm=True):
        x = keras.layers.Conv2D(width, 4, 2, "same", use_bias=False)(x)
        return keras.layers.LeakyReLU()(keras.layers.BatchNormalization()(x) if norm else x)

    def up(x, width, drop=False):
        x = keras.layers.BatchNormalization()(keras.layers.Conv2DTranspose(width, 4, 2, "same", use_bias=False)(x))
        return keras.layers.ReLU()(keras.layers.Dropout(0.5)(x) if drop else x)

    inputs = x = keras.Input((size, size, 3))
    skips = []
    for i, width in enumerate((64, 128, 256, 512, 512, 512, 512)):
        x = down(x, width, i > 0)
        skips.append(x)
    for i, (width, skip) in enumerate(zip((512, 512, 512, 256, 128, 64), skips[-2::-1])):
        x = keras.layers.Concatenate()([up(x, width, i < 3), skip])
    x = keras.layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh")(x)
    image = tf.TensorSpec((batch, size, size, 3), f32)
    return fit_step(keras.Model(inputs, x), "mae", keras.optimizers.Adam(2e-4, beta_1=0.5), image, image)


def seq2seq_lstm(batch=256, source=60, target=60, units=1024, vocab=24000):
    """Translation with two layers of LSTM on each side and Luong's attention."""
    words, before = keras.Input((source,), dtype="int32"), keras.Input((target,), dtype="int32")
    lstm = lambda **k: keras.layers.LSTM(units, return_sequences=True, **k)
    x = keras.layers.Embedding(vocab, 512)(words)
    memory, h, c = lstm(return_state=True)(keras.layers.Bidirectional(keras.layers.LSTM(
        units // 2, return_sequences=True))(x))
    y = lstm()(keras.layers.Embedding(vocab, 512)(before), initial_state=[h, c])
    y = keras.layers.Dropout(0.2)(lstm()(y))
    context = keras.layers.Attention()([y, memory])
    y = keras.layers.Dense(units, activation="tanh")(keras.layers.Concatenate()([y, context]))
    model = keras.Model([words, before], keras.layers.Dense(vocab)(y))
    optimizer = keras.optimizers.Adam(1e-3, clipnorm=5.0)
    optimizer.build(model.trainable_variables)

    @tf.function(jit_compile=True)
    def step(words, before, after):
        with tf.GradientTape() as tape:
            logits = model([words, before], training=True)
            each = tf.nn.sparse_softmax_cross_entropy_with_logits(after, logits)
            real = tf.cast(after != 0, f32)
            loss = tf.reduce_sum(each * real) / tf.reduce_sum(real)
        optimizer.apply(tape.gradient(loss, model.trainable_weights))
        return loss

    spec = lambda n: tf.TensorSpec((batch, n), i32)
    return step, (spec(source), spec(target), spec(target))


def mobilenet_serving(batch=256, size=224):
    """MobileNetV2 as a server has it: bytes of pictures in, the five best classes out."""
    model = keras.applications.MobileNetV2(weights=None, input_shape=(size, size, 3))

    @tf.function(jit_compile=True)
    def serve(pictures):
        chances = model(tf.cast(pictures, f32) / 127.5 - 1.0, training=False)
        return tf.math.top_k(chances, 5)

    return serve, (tf.TensorSpec((batch, size, size, 3), tf.uint8),)


def text_cnn_ranking(batch=4096, tokens=64, vocab=200000, dim=300):
    """Two towers of convolutions over words, scored for a page of a hundred documents."""
    table = tf.Variable(tf.zeros((vocab, dim)))
    filters = [tf.Variable(tf.zeros((k, dim, 256))) for k in (2, 3, 5)]
    head = tf.Variable(tf.zeros((768, 256)))

    def tower(ids):
        x = tf.gather(table, ids)
        parts = [tf.reduce_max(tf.nn.relu(tf.nn.conv1d(x, f, 1, "SAME")), 1) for f in filters]
        return tf.math.l2_normalize(tf.concat(parts, -1) @ head, -1)

    @tf.function(jit_compile=True)
    def rank(queries, documents):
        q, d = tower(queries), tower(documents)
        scores = tf.matmul(q, d, transpose_b=True)
        best = tf.argsort(scores, direction="DESCENDING")[:, :100]
        return tf.gather(scores, best, batch_dims=1), best

    return rank, (tf.TensorSpec((batch // 16, tokens), i32), tf.TensorSpec((batch, tokens), i32))


def gru_sampler(batch=512, steps=200, units=1024, vocab=256):
    """A text of characters is sampled in a while loop that stops when every row has ended; results in a TensorArray."""
    embed, head = tf.Variable(tf.zeros((vocab, 256))), tf.Variable(tf.zeros((units, vocab)))
    cells = [keras.layers.GRUCell(units) for _ in range(3)]
    size = 256
    for cell in cells:
        cell.build((batch, size))
        size = units

    @tf.function(jit_compile=True)
    def sample(first, seed):
        states = [tf.zeros((batch, units)) for _ in cells]
        texts = tf.TensorArray(i32, steps, element_shape=(batch,))
        _, letters, states, ended, texts = tf.while_loop(
            lambda i, letters, states, ended, texts: (i < steps) & ~tf.reduce_all(ended),
            lambda *a: turn(seed, *a), (0, first, states, tf.zeros((batch,), tf.bool), texts))
        return tf.transpose(texts.stack()), states

    def turn(seed, i, letters, states, ended, texts):
        x, after = tf.gather(embed, letters), []
        for cell, state in zip(cells, states):
            x, _ = cell(x, [state])
            after.append(x)
        letters = tf.random.stateless_categorical(x @ head / 0.7, 1, seed + i, dtype=i32)[:, 0]
        letters = tf.where(ended, 0, letters)
        return i + 1, letters, after, ended | (letters == 0), texts.write(i, letters)

    return sample, (tf.TensorSpec((batch,), i32), tf.TensorSpec((2,), i32))


def wide_and_deep(batch=32768, buckets=100000, columns=20, dim=32):
    """Clicks from a wide part of crossed columns and a deep part; Ftrl for the one, Adagrad for the other."""
    wide = tf.Variable(tf.zeros((columns, buckets)))
    tables = [tf.Variable(tf.zeros((buckets, dim))) for _ in range(columns)]
    sizes = (columns * dim + 13, 1024, 512, 256, 1)
    dense = [(tf.Variable(tf.zeros(s)), tf.Variable(tf.zeros(s[1:]))) for s in zip(sizes, sizes[1:])]
    deep = [*tables, *(w for pair in dense for w in pair)]
    sums = [tf.Variable(tf.fill(w.shape, 0.1)) for w in deep]
    n, z = tf.Variable(tf.fill(wide.shape, 0.1)), tf.Variable(tf.zeros(wide.shape))

    @tf.function(jit_compile=True)
    def train(ids, numbers, clicks):
        with tf.GradientTape() as tape:
            x = tf.concat([numbers] + [tf.gather(t, ids[:, i]) for i, t in enumerate(tables)], -1)
            for i, (w, b) in enumerate(dense):
                x = x @ w + b
                x = tf.nn.relu(x) if i + 1 < len(dense) else x
            logit = x[:, 0] + tf.reduce_sum(tf.gather(wide, tf.transpose(ids), batch_dims=1), 0)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(clicks, logit))
        slopes = tape.gradient(loss, [wide, *deep])
        g = tf.convert_to_tensor(slopes[0])
        more = n + g * g
        z.assign_add(g - (tf.sqrt(more) - tf.sqrt(n)) / 0.05 * wide)
        n.assign(more)
        wide.assign(tf.where(tf.abs(z) < 0.01, 0.0, (tf.sign(z) * 0.01 - z) / (tf.sqrt(n) / 0.05 + 0.1)))
        for w, g, s in zip(deep, slopes[1:], sums):
            g = tf.convert_to_tensor(g)
            s.assign_add(g * g)
            w.assign_sub(0.05 * g * tf.math.rsqrt(s))
        return loss

    return train, (tf.TensorSpec((batch, columns), i32), tf.TensorSpec((batch, 13), f32), tf.TensorSpec((batch,), f32))
