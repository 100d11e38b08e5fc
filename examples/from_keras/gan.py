"""Two networks that play against each other: one draws digits, the other tells them from real ones. Both are trained in
one step of its own. The port is gan.lua.

    KERAS_BACKEND=tensorflow python examples/from_keras/gan.py [folder=build/from_keras] [seed=1] [epochs=25]
"""
import sys

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 25
keras.utils.set_random_seed(seed)

SIZE = 16
digits = np.load(folder + "/digits.npz")["x"].astype("float32").reshape(-1, 14, 2, 14, 2)
digits = digits.mean(axis=(2, 4)).reshape(-1, 196) / 127.5 - 1

generator = keras.Sequential([
    keras.Input((SIZE,)),
    layers.Dense(128, activation="leaky_relu"),
    layers.BatchNormalization(momentum=0.9),
    layers.Dense(256, activation="leaky_relu"),
    layers.Dense(196, activation="tanh"),
], name="generator")
discriminator = keras.Sequential([
    keras.Input((196,)),
    layers.Dense(128, activation="leaky_relu"),
    layers.Dropout(0.3),
    layers.Dense(64, activation="leaky_relu"),
    layers.Dense(1),
], name="discriminator")


class GAN(keras.Model):
    def __init__(self):
        super().__init__()
        self.generator, self.discriminator = generator, discriminator
        self.d_tracker = keras.metrics.Mean(name="d_loss")
        self.g_tracker = keras.metrics.Mean(name="g_loss")
        self.draws = keras.random.SeedGenerator(seed)
        self.g_optimizer = keras.optimizers.Adam(5e-4, beta_1=0.5)

    @property
    def metrics(self):
        return [self.d_tracker, self.g_tracker]

    def call(self, noise):
        return self.generator(noise)

    def train_step(self, real):
        rows = ops.shape(real)[0]
        labels = ops.concatenate([ops.ones((rows, 1)) * 0.9, ops.zeros((rows, 1))], axis=0)
        with tf.GradientTape() as tape:
            drawn = self.generator(keras.random.normal((rows, SIZE), seed=self.draws), training=True)
            d_loss = self.loss(labels, self.discriminator(ops.concatenate([real, drawn], axis=0), training=True))
        weights = self.discriminator.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(d_loss, weights), weights))

        with tf.GradientTape() as tape:
            drawn = self.generator(keras.random.normal((rows, SIZE), seed=self.draws), training=True)
            g_loss = self.loss(ops.ones((rows, 1)), self.discriminator(drawn, training=True))
        weights = self.generator.trainable_weights
        self.g_optimizer.apply_gradients(zip(tape.gradient(g_loss, weights), weights))

        self.d_tracker.update_state(d_loss)
        self.g_tracker.update_state(g_loss)
        return {metric.name: metric.result() for metric in self.metrics}


model = GAN()
model.compile(optimizer=keras.optimizers.Adam(5e-4, beta_1=0.5),
              loss=keras.losses.BinaryCrossentropy(from_logits=True))
model.fit(digits, batch_size=16, epochs=epochs, verbose=2)

# How far the means of the pixels, and their deviations, are from those of real digits.
drawn = generator.predict(keras.random.normal((1000, SIZE), seed=seed), verbose=0)
off = np.abs(drawn.mean(axis=0) - digits.mean(axis=0)).mean()
spread = drawn.std(axis=0).mean() / digits.std(axis=0).mean()
print("off: %.4f, spread: %.4f" % (off, spread))
for row in drawn[0].reshape(14, 14):
    print("".join("#" if value > 0 else "." for value in row))
