"""Pictures in folders: changed at random while training, told apart by convolutions. The port is pictures.lua.

    python examples/from_keras/pictures.py [folder=build/from_keras] [seed=1]
"""
import sys

import keras
from keras import layers

folder = sys.argv[1] if len(sys.argv) > 1 else "build/from_keras"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
keras.utils.set_random_seed(seed)

train, test = keras.utils.image_dataset_from_directory(
    folder + "/pictures", image_size=(32, 32), batch_size=32,
    validation_split=0.25, subset="both", seed=seed)
print("classes:", train.class_names)

augment = keras.Sequential([
    layers.RandomFlip("horizontal"),
    layers.RandomRotation(0.05),
    layers.RandomZoom(0.1),
    layers.RandomTranslation(0.1, 0.1),
], name="augment")

inputs = keras.Input((32, 32, 3))
x = augment(inputs)
x = layers.Rescaling(1 / 255)(x)
for filters in (16, 32):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    x = layers.MaxPooling2D()(x)
x = layers.Flatten()(x)
x = layers.Dropout(0.2)(x)
x = layers.Dense(64, activation="relu")(x)
outputs = layers.Dense(len(train.class_names), activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.summary()
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy",
              metrics=["accuracy"])
model.fit(train, validation_data=test, epochs=30, verbose=2,
          callbacks=[keras.callbacks.ReduceLROnPlateau(
              monitor="loss", patience=5)])
result = model.evaluate(test, verbose=0, return_dict=True)
print("test loss: %.4f, accuracy: %.4f" % (
    result["loss"], result["accuracy"]))
