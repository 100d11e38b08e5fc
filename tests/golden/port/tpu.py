"""Fashion-MNIST on a TPU, as the guides of TensorFlow have it."""
import tensorflow as tf
from tensorflow.keras import layers

tf.random.set_seed(1)
try:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="")
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
except ValueError:
    strategy = tf.distribute.get_strategy()
print("Number of replicas:", strategy.num_replicas_in_sync)
print("All devices: ", tf.config.list_logical_devices("TPU"))

BATCH_SIZE = 128 * strategy.num_replicas_in_sync
EPOCHS = 3

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()
x_train = x_train.reshape(-1, 784).astype("float32") / 255.0
x_test = x_test.reshape(-1, 784).astype("float32") / 255.0


def prepare(x, y):
    return tf.cast(x, tf.float32), tf.cast(y, tf.int32)


train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train_ds = train_ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).cache()
train_ds = train_ds.shuffle(10000).batch(BATCH_SIZE, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(1000)


def create_model():
    return tf.keras.Sequential([
        layers.Input(shape=(784,)),
        layers.Dense(128, activation="relu"),
        layers.Dense(10),
    ])


with strategy.scope():
    model = create_model()
    model.compile(
        optimizer=tf.keras.optimizers.Adam(learning_rate=1e-3),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
        steps_per_execution=50)

history = model.fit(train_ds, epochs=EPOCHS, validation_data=test_ds)
for epoch, loss in enumerate(history.history["loss"]):
    print(f"epoch {epoch + 1}: loss {loss:.4f}")
loss, accuracy = model.evaluate(test_ds, verbose=0)
print(f"Test accuracy: {accuracy:.4f}")
if accuracy > 0.8:
    print("good")
elif accuracy > 0.5:
    print("fair")
else:
    print("bad")
