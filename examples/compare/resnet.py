"""examples/resnet.lua with Keras: the same weights, batches and settings.

Keras computes in float64 here: in float32 its batch normalisation, whose sums over the constant background cancel,
gives gradients that are 1 % off, a hundred times as far from those of float64 as Moonpod's.
"""

import keras
from common import compare
from keras import layers

keras.config.set_floatx("float64")


def normalised_convolution(x, filters, strides, kernel_size=3):
    x = layers.Conv2D(filters, kernel_size, strides=strides, padding="same", use_bias=False)(x)
    return layers.BatchNormalization(momentum=0.9)(x)


def block(x, filters, strides):
    around = x
    if strides > 1:
        around = normalised_convolution(x, filters, strides, 1)
    y = layers.ReLU()(normalised_convolution(x, filters, strides))
    y = normalised_convolution(y, filters, 1)
    return layers.ReLU()(layers.Add()([y, around]))


def make_model(_run, arguments):
    epochs, images = arguments
    inputs = keras.Input((32, 32, 3))
    x = layers.ReLU()(normalised_convolution(inputs, 8, 1))
    x = block(x, 8, 1)
    x = block(x, 16, 2)
    x = block(x, 32, 2)
    x = layers.GlobalAveragePooling2D()(x)
    model = keras.Model(inputs, layers.Dense(10)(x))
    rate = keras.optimizers.schedules.CosineDecay(0.02, epochs * (images // 64))
    model.compile(optimizer=keras.optimizers.SGD(rate, momentum=0.9, nesterov=True), metrics=["accuracy"],
                  jit_compile=False, loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


compare("resnet", make_model, ["4", "4000"])
