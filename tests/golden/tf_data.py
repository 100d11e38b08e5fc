"""Writes tf_data.lua: what tf.data's stages give, for tests/lua/data_goldens_spec.lua. Needs TensorFlow; run it as

    python tests/golden/tf_data.py > tests/golden/tf_data.lua
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

D = tf.data.Dataset
r = D.range


def rows(n):
    """[1], [2, 2], [3, 3, 3], ..."""
    return r(1, n + 1).map(lambda x: tf.fill([x], x))


def windows(ds):
    return ds.flat_map(lambda w: w.batch(100))


def lists(lengths):
    return D.from_generator(lambda: ([n] * n for n in lengths), output_signature=tf.TensorSpec([None], tf.int64))


choices = D.from_tensor_slices(tf.constant([0, 1, 0, 0, 1, 1, 0, 1, 1], tf.int64))
cases = {
    "batch": r(8).batch(3),
    "batch_drop": r(8).batch(3, drop_remainder=True),
    "batch_large": r(3).batch(10),
    "batch_large_drop": r(3).batch(10, drop_remainder=True),
    "repeat_batch": r(5).repeat(2).batch(3),
    "batch_repeat": r(5).batch(3).repeat(2),
    "batch_batch": r(10).batch(2).batch(3, drop_remainder=True),
    "repeat_0": r(5).repeat(0),
    "repeat_take": r(3).repeat().take(7),
    "take_0": r(5).take(0),
    "take_all": r(5).take(-1),
    "take_more": r(5).take(9),
    "skip_none": r(5).skip(0),
    "skip_all": r(5).skip(-1),
    "skip_more": r(5).skip(9),
    "skip_take": r(9).skip(2).take(3),
    "range_down": r(10, 0, -3),
    "range_empty": r(5, 5),
    "shard_0": r(10).shard(3, 0),
    "shard_2": r(10).shard(3, 2),
    "shard_many": r(2).shard(5, 4),
    "concatenate": r(3).concatenate(r(10, 12)),
    "zip": D.zip((r(3), r(10, 20))),
    "enumerate": r(5, 8).enumerate(3),
    "filter": r(10).filter(lambda x: x % 3 != 1),
    "map": r(4).map(lambda x: x * x),
    "flat_map": r(4).flat_map(lambda x: r(x)),
    "interleave": r(1, 6).interleave(lambda x: D.from_tensors(x).repeat(6), cycle_length=2, block_length=4),
    "interleave_uneven": r(1, 6).interleave(lambda x: D.from_tensors(x).repeat(x), cycle_length=3, block_length=2),
    "interleave_one": r(1, 5).interleave(lambda x: D.from_tensors(x).repeat(x), cycle_length=1),
    "interleave_wide": r(1, 5).interleave(lambda x: D.from_tensors(x).repeat(x), cycle_length=10),
    "window": windows(r(7).window(3, 2, 1, True)),
    "window_stride": windows(r(7).window(3, 1, 2, True)),
    "window_rest": windows(r(7).window(3)),
    "window_stride_rest": windows(r(7).window(3, 1, 2)),
    "window_gaps": windows(r(11).window(2, 4)),
    "window_overlap_rest": windows(r(5).window(4, 1)),
    "unbatch": r(7).batch(3).unbatch(),
    "unbatch_batch": r(7).batch(3).unbatch().batch(2),
    "padded_batch": rows(4).padded_batch(2),
    "padded_batch_shape": rows(3).padded_batch(2, padded_shapes=[4], padding_values=tf.constant(-1, tf.int64)),
    "padded_batch_drop": rows(5).padded_batch(2, drop_remainder=True),
    "scan": r(5).scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s)),
    "choose_stop": D.choose_from_datasets([r(3), r(10, 13)], choices),
    "choose_on": D.choose_from_datasets([r(3), r(10, 13)], choices, stop_on_empty_dataset=False),
    "sample_one": D.sample_from_datasets([r(3), r(10, 13)], weights=[0.0, 1.0], stop_on_empty_dataset=True),
    "group_by_window": r(10).group_by_window(key_func=lambda x: x % 3, reduce_func=lambda k, w: w.batch(4),
                                             window_size=3),
    "buckets": lists([1, 4, 2, 5, 3, 6, 2, 7]).bucket_by_sequence_length(
        element_length_func=lambda x: tf.shape(x)[0], bucket_boundaries=[3, 5], bucket_batch_sizes=[2, 2, 3]),
    "buckets_boundary": lists([1, 2, 3, 4, 2, 3]).bucket_by_sequence_length(
        element_length_func=lambda x: tf.shape(x)[0], bucket_boundaries=[3, 6], bucket_batch_sizes=[2, 2, 1],
        pad_to_bucket_boundary=True),
    "buckets_drop": lists([1, 4, 2, 5, 3, 6, 2, 7, 1]).bucket_by_sequence_length(
        element_length_func=lambda x: tf.shape(x)[0], bucket_boundaries=[3, 5], bucket_batch_sizes=[3, 2, 2],
        drop_remainder=True),
    "buckets_same_drop": lists([1, 4, 2, 5, 3, 6, 2, 7, 1]).bucket_by_sequence_length(
        element_length_func=lambda x: tf.shape(x)[0], bucket_boundaries=[3, 5], bucket_batch_sizes=[2, 2, 2],
        drop_remainder=True),
    "buckets_no_padding": lists([2, 1, 2, 1, 1, 2, 2]).bucket_by_sequence_length(
        element_length_func=lambda x: tf.shape(x)[0], bucket_boundaries=[2], bucket_batch_sizes=[2, 3],
        no_padding=True),
    "buckets_values": lists([1, 4, 2, 3]).bucket_by_sequence_length(
        element_length_func=lambda x: tf.shape(x)[0], bucket_boundaries=[3], bucket_batch_sizes=[2, 2],
        padded_shapes=[5], padding_values=tf.constant(-1, tf.int64)),
    "buckets_shapes": lists([1, 4, 2, 3]).bucket_by_sequence_length(
        element_length_func=lambda x: tf.shape(x)[0], bucket_boundaries=[3, 6], bucket_batch_sizes=[2, 2, 1],
        padded_shapes=[None], pad_to_bucket_boundary=True),
    "buckets_numbers": r(9).bucket_by_sequence_length(
        element_length_func=lambda x: tf.cast(x * 5 % 7, tf.int32), bucket_boundaries=[2, 5],
        bucket_batch_sizes=[2, 1, 3]),
    "buckets_pairs": D.zip((lists([1, 4, 2, 5, 3]), r(5))).bucket_by_sequence_length(
        element_length_func=lambda x, i: tf.shape(x)[0] + tf.cast(i, tf.int32), bucket_boundaries=[5],
        bucket_batch_sizes=[2, 2]),
    "buckets_in_step": lists([1, 4, 2, 5, 2, 3, 6, 1, 3, 2, 2, 1, 1]).bucket_by_sequence_length(
        element_length_func=lambda x: tf.shape(x)[0], bucket_boundaries=[3, 7], bucket_batch_sizes=[2, 1, 1],
        pad_to_bucket_boundary=True).group_by_window(
            key_func=lambda x: tf.cast(tf.shape(x)[1], tf.int64), reduce_func=lambda key, batches: batches,
            window_size=2),
    "cache_repeat": r(3).cache().repeat(2),
    "prefetch": r(4).prefetch(2),
    "slices": D.from_tensor_slices((tf.constant([[1, 2], [3, 4]]), tf.constant([5, 6]))),
}


def plain(value):
    if isinstance(value, tuple):
        return "{ " + ", ".join(plain(v) for v in value) + " }"
    if isinstance(value, list):
        return "{ " + ", ".join(plain(v) for v in value) + " }" if value else "{}"
    return str(value)


def element(value):
    if isinstance(value, tuple):
        return tuple(element(v) for v in value)
    return value.numpy().tolist()


def spec(value):
    if isinstance(value, tuple):
        return ", ".join(spec(v) for v in value)
    shape = ["any" if size is None else str(size) for size in value.shape]
    return "%s (%s%s)" % (value.dtype.name, ", ".join(shape), "," if len(shape) == 1 else "")


print("-- Made by tests/golden/tf_data.py with TensorFlow %s: elements, cardinality, types." % tf.__version__)
print("return {")
for name, ds in cases.items():
    values = [element(v) for v in ds]
    print("  %s = {" % name)
    line = "    elements = %s," % plain(values)
    if len(line) > 110:
        line = "    elements = {\n%s    }," % "".join("      %s,\n" % plain(v) for v in values)
    print(line)
    print('    cardinality = %d, spec = "%s",' % (ds.cardinality().numpy(), spec(ds.element_spec)))
    print("  },")
print("}")
