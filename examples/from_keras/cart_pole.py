"""Reinforcement learning: a cart balances a pole, by an actor that learns from what a critic did not expect. The port
is cart_pole.lua.

    KERAS_BACKEND=tensorflow python examples/from_keras/cart_pole.py [folder, not read] [seed=1] [rounds=70]
"""
import math
import sys

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 70
keras.utils.set_random_seed(seed)

# The cart: place, speed, angle of the pole and how fast that grows; Barto, Sutton and Anderson 1983.
CARTS, STEPS = 16, 200
state = seed * 7919 % 2147483647


def random():
    """Park and Miller's generator: the same in Lua."""
    global state
    state = state * 16807 % 2147483647
    return state / 2147483647


def push(cart, force):
    """Pushes a cart for a fiftieth of a second; tells whether the pole still stands and the cart is on its track."""
    x, speed, angle, turn = cart
    pulled = (force + 0.05 * turn * turn * math.sin(angle)) / 1.1
    bend = (9.8 * math.sin(angle) - math.cos(angle) * pulled) / (0.5 * (4 / 3 - 0.1 * math.cos(angle) ** 2 / 1.1))
    cart[:] = [x + 0.02 * speed, speed + 0.02 * (pulled - 0.05 * bend * math.cos(angle) / 1.1),
               angle + 0.02 * turn, turn + 0.02 * bend]
    return abs(cart[0]) < 2.4 and abs(cart[2]) < 0.2095


# Actor and critic: two heads of one network.
inputs = keras.Input((4,))
h = layers.Dense(64, activation="tanh")(inputs)
model = keras.Model(inputs, [layers.Dense(2)(h), layers.Dense(1)(h)])
optimizer = keras.optimizers.Adam(0.01)


@tf.function
def act(states):
    return ops.softmax(model(states)[0])


@tf.function
def learn(states, actions, returns, counts):
    with tf.GradientTape() as tape:
        logits, values = model(states)
        missed = returns - ops.reshape(values, (-1,))
        chosen = ops.sum(ops.log_softmax(logits) * ops.one_hot(actions, 2), axis=1)
        each = -chosen * ops.stop_gradient(missed) + ops.square(missed)
        loss = ops.sum(each * counts) / ops.sum(counts)
    weights = model.trainable_weights
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


def play(is_greedy):
    """Lets all carts go until their poles fall; returns how long they stood, and what happened for `learn`."""
    carts = [[0.1 * random() - 0.05 for _ in range(4)] for _ in range(CARTS)]
    stood, states, actions = [0] * CARTS, [], []
    for step in range(1, STEPS + 1):
        now = np.array(carts, "float32")
        chances = act(tf.constant(now)).numpy()
        states.append(now)
        for i, cart in enumerate(carts):
            action = int(chances[i][1] > (0.5 if is_greedy else random()))
            actions.append(action)
            if not stood[i] and (not push(cart, 10 if action else -10) or step == STEPS):
                stood[i] = step
    return np.array(stood), np.concatenate(states), np.array(actions, "int32")


for number in range(1, rounds + 1):
    stood, states, actions = play(False)
    # What the steps from each one on are worth, the next ones most.
    left = np.maximum(stood - np.arange(STEPS)[:, None], 0).reshape(-1)
    returns, counts = (1 - 0.98 ** left).astype("float32"), (left > 0).astype("float32")
    learn(*(tf.constant(values) for values in (states, actions, returns, counts)))
    if number % 10 == 0:
        print("round %d - stood: %.1f" % (number, stood.mean()))
print("steps stood in the end: %.1f" % play(True)[0].mean())
