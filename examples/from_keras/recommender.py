"""A recommender: vectors of users and items, of which the product says how a user would rate an item. The port is
recommender.lua.

    python examples/from_keras/recommender.py [folder=build/from_keras] [seed=1] [epochs=12]
"""
import sys

import keras
import numpy as np
from keras import layers, ops

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 12
keras.utils.set_random_seed(seed)

rows = np.genfromtxt(folder + "/ratings.csv", delimiter=",", skip_header=1, dtype="float32")
pairs, ratings = rows[:, :2].astype("int32"), rows[:, 2:]
users, items = int(pairs[:, 0].max()) + 1, int(pairs[:, 1].max()) + 1
count = len(rows) * 4 // 5
x_train, y_train, x_test, y_test = pairs[:count], ratings[:count], pairs[count:], ratings[count:]
mean = float(y_train.mean())


def embedding(number, size):
    return layers.Embedding(number, size, embeddings_initializer="he_normal",
                            embeddings_regularizer=keras.regularizers.L2(1e-5))


class Recommender(keras.Model):
    def __init__(self, size):
        super().__init__()
        self.user, self.user_bias = embedding(users, size), layers.Embedding(users, 1)
        self.item, self.item_bias = embedding(items, size), layers.Embedding(items, 1)

    def call(self, x):
        user, item = x[:, 0], x[:, 1]
        fit = ops.sum(self.user(user) * self.item(item), axis=1, keepdims=True)
        return mean + fit + self.user_bias(user) + self.item_bias(item)


model = Recommender(8)
model.compile(optimizer=keras.optimizers.Adam(5e-3), loss="mse", metrics=[keras.metrics.RootMeanSquaredError()])
model.fit(x_train, y_train, batch_size=64, epochs=epochs, validation_data=(x_test, y_test), verbose=2)
result = model.evaluate(x_test, y_test, verbose=0, return_dict=True)
guessed = np.sqrt(np.mean(np.square(y_test - mean)))
print("off: %.4f, with the mean alone: %.4f" % (result["root_mean_squared_error"], guessed))

# The items that user 0 would like best.
everything = np.stack([np.zeros(items, "int32"), np.arange(items, dtype="int32")], axis=1)
values, best = ops.top_k(model.predict(everything, verbose=0).reshape(-1), 3)
for i in range(3):
    print("item %d: %.2f" % (best[i], values[i]))
