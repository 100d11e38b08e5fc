-- Made by tests/golden/tf_data.py with TensorFlow 2.21.0: elements, cardinality, types.
return {
  batch = {
    elements = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7 } },
    cardinality = 3, spec = "int64 (any,)",
  },
  batch_drop = {
    elements = { { 0, 1, 2 }, { 3, 4, 5 } },
    cardinality = 2, spec = "int64 (3,)",
  },
  batch_large = {
    elements = { { 0, 1, 2 } },
    cardinality = 1, spec = "int64 (any,)",
  },
  batch_large_drop = {
    elements = {},
    cardinality = 0, spec = "int64 (10,)",
  },
  repeat_batch = {
    elements = { { 0, 1, 2 }, { 3, 4, 0 }, { 1, 2, 3 }, { 4 } },
    cardinality = 4, spec = "int64 (any,)",
  },
  batch_repeat = {
    elements = { { 0, 1, 2 }, { 3, 4 }, { 0, 1, 2 }, { 3, 4 } },
    cardinality = 4, spec = "int64 (any,)",
  },
  batch_batch = {
    elements = { { { 0, 1 }, { 2, 3 }, { 4, 5 } } },
    cardinality = 1, spec = "int64 (3, any)",
  },
  repeat_0 = {
    elements = {},
    cardinality = 0, spec = "int64 ()",
  },
  repeat_take = {
    elements = { 0, 1, 2, 0, 1, 2, 0 },
    cardinality = 7, spec = "int64 ()",
  },
  take_0 = {
    elements = {},
    cardinality = 0, spec = "int64 ()",
  },
  take_all = {
    elements = { 0, 1, 2, 3, 4 },
    cardinality = 5, spec = "int64 ()",
  },
  take_more = {
    elements = { 0, 1, 2, 3, 4 },
    cardinality = 5, spec = "int64 ()",
  },
  skip_none = {
    elements = { 0, 1, 2, 3, 4 },
    cardinality = 5, spec = "int64 ()",
  },
  skip_all = {
    elements = {},
    cardinality = 0, spec = "int64 ()",
  },
  skip_more = {
    elements = {},
    cardinality = 0, spec = "int64 ()",
  },
  skip_take = {
    elements = { 2, 3, 4 },
    cardinality = 3, spec = "int64 ()",
  },
  range_down = {
    elements = { 10, 7, 4, 1 },
    cardinality = 4, spec = "int64 ()",
  },
  range_empty = {
    elements = {},
    cardinality = 0, spec = "int64 ()",
  },
  shard_0 = {
    elements = { 0, 3, 6, 9 },
    cardinality = 4, spec = "int64 ()",
  },
  shard_2 = {
    elements = { 2, 5, 8 },
    cardinality = 3, spec = "int64 ()",
  },
  shard_many = {
    elements = {},
    cardinality = 0, spec = "int64 ()",
  },
  concatenate = {
    elements = { 0, 1, 2, 10, 11 },
    cardinality = 5, spec = "int64 ()",
  },
  zip = {
    elements = { { 0, 10 }, { 1, 11 }, { 2, 12 } },
    cardinality = 3, spec = "int64 (), int64 ()",
  },
  enumerate = {
    elements = { { 3, 5 }, { 4, 6 }, { 5, 7 } },
    cardinality = 3, spec = "int64 (), int64 ()",
  },
  filter = {
    elements = { 0, 2, 3, 5, 6, 8, 9 },
    cardinality = -2, spec = "int64 ()",
  },
  map = {
    elements = { 0, 1, 4, 9 },
    cardinality = 4, spec = "int64 ()",
  },
  flat_map = {
    elements = { 0, 0, 1, 0, 1, 2 },
    cardinality = -2, spec = "int64 ()",
  },
  interleave = {
    elements = { 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5 },
    cardinality = -2, spec = "int64 ()",
  },
  interleave_uneven = {
    elements = { 1, 2, 2, 3, 3, 4, 4, 3, 4, 4, 5, 5, 5, 5, 5 },
    cardinality = -2, spec = "int64 ()",
  },
  interleave_one = {
    elements = { 1, 2, 2, 3, 3, 3, 4, 4, 4, 4 },
    cardinality = -2, spec = "int64 ()",
  },
  interleave_wide = {
    elements = { 1, 2, 3, 4, 2, 3, 4, 3, 4, 4 },
    cardinality = -2, spec = "int64 ()",
  },
  window = {
    elements = { { 0, 1, 2 }, { 2, 3, 4 }, { 4, 5, 6 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  window_stride = {
    elements = { { 0, 2, 4 }, { 1, 3, 5 }, { 2, 4, 6 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  window_rest = {
    elements = { { 0, 1, 2 }, { 3, 4, 5 }, { 6 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  window_stride_rest = {
    elements = { { 0, 2, 4 }, { 1, 3, 5 }, { 2, 4, 6 }, { 3, 5 }, { 4, 6 }, { 5 }, { 6 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  window_gaps = {
    elements = { { 0, 1 }, { 4, 5 }, { 8, 9 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  window_overlap_rest = {
    elements = { { 0, 1, 2, 3 }, { 1, 2, 3, 4 }, { 2, 3, 4 }, { 3, 4 }, { 4 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  unbatch = {
    elements = { 0, 1, 2, 3, 4, 5, 6 },
    cardinality = -2, spec = "int64 ()",
  },
  unbatch_batch = {
    elements = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  padded_batch = {
    elements = { { { 1, 0 }, { 2, 2 } }, { { 3, 3, 3, 0 }, { 4, 4, 4, 4 } } },
    cardinality = 2, spec = "int64 (any, any)",
  },
  padded_batch_shape = {
    elements = { { { 1, -1, -1, -1 }, { 2, 2, -1, -1 } }, { { 3, 3, 3, -1 } } },
    cardinality = 2, spec = "int64 (any, 4)",
  },
  padded_batch_drop = {
    elements = { { { 1, 0 }, { 2, 2 } }, { { 3, 3, 3, 0 }, { 4, 4, 4, 4 } } },
    cardinality = 2, spec = "int64 (2, any)",
  },
  scan = {
    elements = { 0, 0, 1, 3, 6 },
    cardinality = 5, spec = "int64 ()",
  },
  choose_stop = {
    elements = { 0, 10, 1, 2, 11, 12 },
    cardinality = -2, spec = "int64 ()",
  },
  choose_on = {
    elements = { 0, 10, 1, 2, 11, 12 },
    cardinality = -2, spec = "int64 ()",
  },
  sample_one = {
    elements = { 10, 11, 12 },
    cardinality = 3, spec = "int64 ()",
  },
  group_by_window = {
    elements = { { 0, 3, 6 }, { 1, 4, 7 }, { 2, 5, 8 }, { 9 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  buckets = {
    elements = {
      { { 1, 0 }, { 2, 2 } },
      { { 4, 4, 4, 4 }, { 3, 3, 3, 0 } },
      { { 5, 5, 5, 5, 5, 0, 0 }, { 6, 6, 6, 6, 6, 6, 0 }, { 7, 7, 7, 7, 7, 7, 7 } },
      { { 2, 2 } },
    },
    cardinality = -2, spec = "int64 (any, any)",
  },
  buckets_boundary = {
    elements = {
      { { 1, 0 }, { 2, 2 } },
      { { 3, 3, 3, 0, 0 }, { 4, 4, 4, 4, 0 } },
      { { 2, 2 } },
      { { 3, 3, 3, 0, 0 } },
    },
    cardinality = -2, spec = "int64 (any, any)",
  },
  buckets_drop = {
    elements = {
      { { 4, 4, 4, 4 }, { 3, 3, 3, 0 } },
      { { 5, 5, 5, 5, 5, 0 }, { 6, 6, 6, 6, 6, 6 } },
      { { 1, 0 }, { 2, 2 }, { 2, 2 } },
    },
    cardinality = -2, spec = "int64 (any, any)",
  },
  buckets_same_drop = {
    elements = {
      { { 1, 0 }, { 2, 2 } },
      { { 4, 4, 4, 4 }, { 3, 3, 3, 0 } },
      { { 5, 5, 5, 5, 5, 0 }, { 6, 6, 6, 6, 6, 6 } },
      { { 2, 2 }, { 1, 0 } },
    },
    cardinality = -2, spec = "int64 (any, any)",
  },
  buckets_no_padding = {
    elements = { { { 1 }, { 1 } }, { { 2, 2 }, { 2, 2 }, { 2, 2 } }, { { 1 } }, { { 2, 2 } } },
    cardinality = -2, spec = "int64 (any, any)",
  },
  buckets_values = {
    elements = {
      { { 1, -1, -1, -1, -1 }, { 2, 2, -1, -1, -1 } },
      { { 4, 4, 4, 4, -1 }, { 3, 3, 3, -1, -1 } },
    },
    cardinality = -2, spec = "int64 (any, 5)",
  },
  buckets_shapes = {
    elements = { { { 1, 0 }, { 2, 2 } }, { { 4, 4, 4, 4, 0 }, { 3, 3, 3, 0, 0 } } },
    cardinality = -2, spec = "int64 (any, any)",
  },
  buckets_numbers = {
    elements = { { 2 }, { 0, 3 }, { 5 }, { 6 }, { 1, 4, 8 }, { 7 } },
    cardinality = -2, spec = "int64 (any,)",
  },
  buckets_pairs = {
    elements = {
      { { { 1, 0 }, { 2, 2 } }, { 0, 2 } },
      { { { 4, 4, 4, 4, 0 }, { 5, 5, 5, 5, 5 } }, { 1, 3 } },
      { { { 3, 3, 3 } }, { 4 } },
    },
    cardinality = -2, spec = "int64 (any, any), int64 (any,)",
  },
  buckets_in_step = {
    elements = {
      { { 4, 4, 4, 4, 0, 0 } },
      { { 5, 5, 5, 5, 5, 0 } },
      { { 3, 3, 3, 0, 0, 0 } },
      { { 6, 6, 6, 6, 6, 6 } },
      { { 1, 0 }, { 2, 2 } },
      { { 2, 2 }, { 1, 0 } },
      { { 2, 2 }, { 2, 2 } },
      { { 1, 0 }, { 1, 0 } },
      { { 3, 3, 3, 0, 0, 0 } },
    },
    cardinality = -2, spec = "int64 (any, any)",
  },
  cache_repeat = {
    elements = { 0, 1, 2, 0, 1, 2 },
    cardinality = 6, spec = "int64 ()",
  },
  prefetch = {
    elements = { 0, 1, 2, 3 },
    cardinality = 4, spec = "int64 ()",
  },
  slices = {
    elements = { { { 1, 2 }, 5 }, { { 3, 4 }, 6 } },
    cardinality = 2, spec = "int32 (2,), int32 ()",
  },
}
