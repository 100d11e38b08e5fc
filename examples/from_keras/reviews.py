"""Reviews, good or bad: a vocabulary, an embedding, a GRU, and a training loop of one's own. The port is reviews.lua.

    KERAS_BACKEND=tensorflow python examples/from_keras/reviews.py [folder=build/from_keras] [seed=1]
"""
import csv
import sys

import keras
import tensorflow as tf
from keras import layers

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
keras.utils.set_random_seed(seed)

with open(folder + "/reviews.csv", newline="") as file:
    rows = list(csv.DictReader(file))
texts = [row["text"] for row in rows]
labels = [[float(row["label"])] for row in rows]
count = len(rows) * 4 // 5

vectorize = layers.TextVectorization(
    max_tokens=200, output_sequence_length=24)
vectorize.adapt(texts[:count])
print("vocabulary:", vectorize.vocabulary_size(),
      vectorize.get_vocabulary()[:6])


def batches(first, last):
    return tf.data.Dataset.from_tensor_slices(
        (texts[first:last], labels[first:last]))


def numbers(text, label):
    return vectorize(text), label


train = batches(0, count).map(numbers).cache()
train = train.shuffle(count, seed=seed).batch(32)
test = batches(count, len(rows)).map(numbers).batch(100)

model = keras.Sequential([
    keras.Input((24,), dtype="int64"),
    layers.Embedding(200, 16, mask_zero=True),
    layers.GRU(24),
    layers.Dense(1),
])
optimizer = keras.optimizers.Adam(5e-3)
loss_fn = keras.losses.BinaryCrossentropy(from_logits=True)
loss_metric = keras.metrics.Mean()
accuracy = keras.metrics.BinaryAccuracy(threshold=0.0)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
    loss_metric.update_state(loss)
    accuracy.update_state(y, logits)


for epoch in range(8):
    loss_metric.reset_state()
    accuracy.reset_state()
    for x, y in train:
        train_step(x, y)
    print("epoch %d - loss: %.4f - accuracy: %.4f" % (
        epoch + 1, loss_metric.result(), accuracy.result()))

accuracy.reset_state()
for x, y in test:
    accuracy.update_state(y, model(x))
print("test accuracy: %.4f" % accuracy.result())
for text in ["the plot was not bad",
             "I saw it on Monday. The film was boring."]:
    score = keras.ops.sigmoid(model(vectorize([text])))[0, 0]
    print("%.3f  %s" % (score, text))
