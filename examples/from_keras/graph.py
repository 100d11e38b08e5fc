"""A graph network: what group a person is of, by a few whose group is known and by who knows whom. The port is
graph.lua.

    KERAS_BACKEND=tensorflow python examples/from_keras/graph.py [folder=build/from_keras] [seed=1] [epochs=100]
"""
import sys

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 100
keras.utils.set_random_seed(seed)

graph = {name: tf.constant(values) for name, values in np.load(folder + "/graph.npz").items()}
nodes, known = len(graph["features"]), len(graph["features"]) // 8
degrees = ops.segment_sum(ops.ones(len(graph["targets"])), graph["targets"], nodes)


class Passing(layers.Layer):
    """Each node takes the mean of what its neighbours say, joined with what it is itself."""

    def __init__(self, units):
        super().__init__()
        self.message = layers.Dense(units, activation="relu")
        self.update = layers.Dense(units, activation="relu")

    def call(self, x):
        sent = ops.take(self.message(x), graph["sources"], axis=0)
        heard = ops.segment_sum(sent, graph["targets"], nodes)
        heard = heard / ops.maximum(ops.expand_dims(degrees, 1), 1)
        return self.update(ops.concatenate([x, heard], axis=1))


def network(layer):
    return keras.Sequential([
        layer(32),
        layers.Dropout(0.3),
        layer(32),
        layers.Dropout(0.3),
        layers.Dense(4),
    ])


loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def train(model, name):
    """Trains with the first `known` groups, on the whole graph in each step. Returns the share of the others that is
    told right."""
    optimizer = keras.optimizers.Adam(learning_rate=5e-3, weight_decay=5e-3)
    model(graph["features"])

    @tf.function
    def step(features):
        with tf.GradientTape() as tape:
            loss = loss_fn(graph["groups"][:known], model(features, training=True)[:known])
        weights = model.trainable_weights
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    for epoch in range(1, epochs + 1):
        loss = step(graph["features"])
        if epoch % 25 == 0:
            print("%s, epoch %d - loss: %.4f" % (name, epoch, loss))
    told = np.argmax(model(graph["features"]), axis=1)[known:]
    return np.mean(told == graph["groups"].numpy()[known:])


with_graph = train(network(Passing), "with the graph")
without = train(network(lambda units: layers.Dense(units, activation="relu")), "without")
print("accuracy: %.4f, without the graph: %.4f" % (with_graph, without))
