import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


class Block(layers.Layer):
    def __init__(self, units, rate=0.1, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(units, activation="relu")
        self.drop = layers.Dropout(rate)

    def call(self, x, training=False):
        h = self.dense(x)
        return x + self.drop(h, training=training)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = layers.Dense(16)
        self.blocks = [Block(16), Block(16, rate=0.2)]
        self.last = layers.Dense(3)
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def call(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return self.last(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


class Stop(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if logs["loss"] < 0.1:
            self.model.stop_training = True
            print(f"stopped at {epoch}: {logs['loss']:.3f}")


np.random.seed(0)
x = np.random.rand(256, 8)
y = np.random.randint(0, 3, size=(256,))
model = Net()
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, epochs=2, batch_size=32, verbose=0, callbacks=[Stop()])
total = 0
for i in range(1, 10, 2):
    if i == 5:
        continue
    total += i
print(total, -7 // 2, 2 ** 3)
