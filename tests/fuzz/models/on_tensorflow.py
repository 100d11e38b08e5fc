"""What the TensorFlow backend of Keras does otherwise than the others, and what takes its time: both changed."""
import keras
import tensorflow as tf
from keras.src.backend.tensorflow.optimizer import TFOptimizer
from keras.src.losses import losses
from keras.src.metrics.confusion_metrics import _ConfusionMatrixConditionCount
from keras.src.optimizers.base_optimizer import BaseOptimizer
from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter
from tensorflow.python.eager import context

_apply = keras.optimizers.Optimizer.apply


def _apply_whole(self, grads, trainable_variables=None):
    """An embedding's gradient comes as rows, which the optimizers would clip and square one by one."""
    return _apply(self, [tf.convert_to_tensor(g) if isinstance(g, tf.IndexedSlices) else g for g in grads],
                  trainable_variables)


_focal = losses.binary_focal_crossentropy


def _focal_of_probabilities(y_true, y_pred, from_logits=False, **options):
    """This backend remembers what a sigmoid is of, where others clip its value."""
    return _focal(y_true, tf.identity(tf.sigmoid(y_pred)) if from_logits else y_pred, **options)


_counts = _ConfusionMatrixConditionCount.result


def _counts_now(self):
    """Counts by several thresholds are the variable itself, so that a history has those of the validation after it."""
    return tf.identity(_counts(self))


class _Batches:
    """The batches of arrays, without the making of a tf.data pipeline, which takes longer than a step."""

    def __init__(self, adapter):
        self.adapter = adapter

    def __iter__(self):
        for batch in self.adapter.get_numpy_iterator():
            yield keras.tree.map_structure(tf.convert_to_tensor, batch)


keras.optimizers.Optimizer.apply = _apply_whole
losses.binary_focal_crossentropy = _focal_of_probabilities
_ConfusionMatrixConditionCount.result = _counts_now
ArrayDataAdapter.get_tf_dataset = lambda self: _Batches(self)
TFOptimizer._backend_update_step = BaseOptimizer._backend_update_step  # not through tf.distribute: one replica
context.context().clear_kernel_cache = lambda: None  # as clear_session would for each model
