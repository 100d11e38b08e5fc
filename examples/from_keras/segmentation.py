"""Segmentation: which pixels of a picture are disc, square or ground, by a small U-Net. The port is segmentation.lua.

    python examples/from_keras/segmentation.py [folder=build/from_keras] [seed=1] [epochs=6]
"""
import sys

import keras
import numpy as np
from keras import layers

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 6
keras.utils.set_random_seed(seed)

scenes = np.load(folder + "/scenes.npz")
x, y = scenes["pictures"].astype("float32") / 255, scenes["masks"].astype("int32")
count = len(x) * 4 // 5
x_train, y_train, x_test, y_test = x[:count], y[:count], x[count:], y[count:]


def block(filters, x):
    for _ in range(2):
        x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
        x = layers.BatchNormalization(momentum=0.9)(x)
        x = layers.Activation("relu")(x)
    return x


inputs = keras.Input((32, 32, 1))
skips, h = [], inputs
for filters in (8, 16):
    skips.append(block(filters, h))
    h = layers.MaxPooling2D()(skips[-1])
h = block(32, h)
for filters in (16, 8):
    h = layers.Conv2DTranspose(filters, 2, strides=2)(h)
    h = layers.Concatenate()([h, skips.pop()])
    h = block(filters, h)
outputs = layers.Conv2D(3, 1, activation="softmax")(h)
model = keras.Model(inputs, outputs)
model.summary()

model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="sparse_categorical_crossentropy",
              metrics=["accuracy", keras.metrics.MeanIoU(num_classes=3, sparse_y_pred=False, name="iou")])
model.fit(x_train, y_train, batch_size=8, epochs=epochs, validation_data=(x_test, y_test), verbose=2)
result = model.evaluate(x_test, y_test, verbose=0, return_dict=True)
print("test loss: %.4f, pixels: %.4f, overlap: %.4f" % (result["loss"], result["accuracy"], result["iou"]))
