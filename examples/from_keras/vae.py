"""A variational autoencoder: digits from four numbers, with a training step of its own. The port is vae.lua.

    KERAS_BACKEND=tensorflow python examples/from_keras/vae.py [folder=build/from_keras] [seed=1] [epochs=15]
"""
import sys

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 15
keras.utils.set_random_seed(seed)

SIZE = 4
x = np.load(folder + "/digits.npz")["x"].astype("float32").reshape(-1, 784) / 255
count = len(x) * 2 // 3
x_train, x_test = x[:count], x[count:]

inputs = keras.Input((784,))
h = layers.Dense(128, activation="relu")(inputs)
encoder = keras.Model(inputs, [layers.Dense(SIZE)(h), layers.Dense(SIZE)(h)], name="encoder")
decoder = keras.Sequential([
    keras.Input((SIZE,)),
    layers.Dense(128, activation="relu"),
    layers.Dense(784, activation="sigmoid"),
], name="decoder")


class VAE(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        self.total_tracker = keras.metrics.Mean(name="loss")
        self.reconstruction_tracker = keras.metrics.Mean(name="reconstruction")
        self.kl_tracker = keras.metrics.Mean(name="kl")
        self.draws = keras.random.SeedGenerator(seed)

    @property
    def metrics(self):
        return [self.total_tracker, self.reconstruction_tracker, self.kl_tracker]

    def call(self, x):
        return self.decoder(self.encoder(x)[0])

    def losses_of(self, x):
        mean, log_variance = self.encoder(x)
        z = mean + ops.exp(0.5 * log_variance) * keras.random.normal(ops.shape(mean), seed=self.draws)
        drawn = ops.clip(self.decoder(z), 1e-6, 1 - 1e-6)
        reconstruction = ops.mean(-ops.sum(x * ops.log(drawn) + (1 - x) * ops.log(1 - drawn), axis=1))
        kl = ops.mean(-0.5 * ops.sum(1 + log_variance - ops.square(mean) - ops.exp(log_variance), axis=1))
        return reconstruction, kl

    def track(self, reconstruction, kl):
        self.total_tracker.update_state(reconstruction + kl)
        self.reconstruction_tracker.update_state(reconstruction)
        self.kl_tracker.update_state(kl)
        return {metric.name: metric.result() for metric in self.metrics}

    def train_step(self, x):
        with tf.GradientTape() as tape:
            reconstruction, kl = self.losses_of(x)
            loss = reconstruction + kl
        weights = self.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return self.track(reconstruction, kl)

    def test_step(self, x):
        return self.track(*self.losses_of(x))


model = VAE()
model.compile(optimizer=keras.optimizers.Adam(2e-3))
model.fit(x_train, batch_size=32, epochs=epochs, verbose=2)
result = model.evaluate(x_test, verbose=0, return_dict=True)
print("test loss: %.3f, reconstruction: %.3f, kl: %.3f" % (result["loss"], result["reconstruction"], result["kl"]))

drawn = decoder.predict(keras.random.normal((1, SIZE), seed=seed), verbose=0).reshape(28, 28)
for row in drawn[::2]:
    print("".join("#" if value > 0.4 else "." for value in row))
