-- one thread decodes: see record.lua
return {
 cpus = 2,
 disk_faults = 0,
 events = 945,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 763,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 2.1071e-05, callback = 1.5815e-05, compile = 0, compute = 0.0027805,
    garbage = 0.0024999, host = 0.0016837, input_feed = 4.0218e-05, input_read = 0,
    input_wait = 0.014297, input_work = 0, launch = 0.00010209, other = 1.0567e-05,
    output = 0.0002256, trace = 0}
  },
  {
   began = 0.00023846,
   events = 182,
   lost = 0,
   name = "prefetch",
   number = 0,
   parts = {barrier = 0, callback = 0, compile = 0, compute = 0, garbage = 0, host = 0,
    input_feed = 0, input_read = 0.001147, input_wait = 0, input_work = 0.018344,
    launch = 0, other = 0.00029977, output = 0, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 2.905e-06,
     text = "history: on_train_begin", total = 2.905e-06}
   },
   part = "callback",
   self = 2.905e-06,
   text = "history: on_train_begin",
   total = 2.905e-06
  },
  {
   amount = 3328,
   calls = 52,
   lanes = {
    [2] = {amount = 3328, calls = 52, part = "input_read", self = 0.001147,
     text = "Iterator::Prefetch::Batch::Repeat::ParseExample::Files",
     total = 0.001147}
   },
   part = "input_read",
   self = 0.001147,
   text = "Iterator::Prefetch::Batch::Repeat::ParseExample::Files",
   total = 0.001147
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.291e-05,
     text = "history: on_epoch_end", total = 1.291e-05}
   },
   part = "callback",
   self = 1.291e-05,
   text = "history: on_epoch_end",
   total = 1.291e-05
  },
  {
   amount = 26,
   calls = 26,
   lanes = {
    [2] = {amount = 26, calls = 26, part = "input_work", self = 0.0001388,
     text = "Iterator::Prefetch::Batch", total = 0.019491}
   },
   part = "input_work",
   self = 0.0001388,
   text = "Iterator::Prefetch::Batch",
   total = 0.019491
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.001525, text = "train loop",
     total = 0.018599}
   },
   part = "host",
   self = 0.001525,
   text = "train loop",
   total = 0.018599
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.00023134, text = "metrics",
     total = 0.00023434}
   },
   part = "output",
   self = 0.00023134,
   text = "metrics",
   total = 0.00023434
  },
  {
   amount = 24,
   calls = 24,
   lanes = {
    {amount = 24, calls = 24, part = "input_wait", self = 0.014297,
     text = "Iterator::Prefetch", total = 0.014297}
   },
   part = "input_wait",
   self = 0.014297,
   text = "Iterator::Prefetch",
   total = 0.014297
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0024999, text = "collect",
     total = 0.0024999}
   },
   part = "garbage",
   self = 0.0024999,
   text = "collect",
   total = 0.0024999
  },
  {
   amount = 3328,
   calls = 52,
   lanes = {
    [2] = {amount = 3328, calls = 52, part = "input_work", self = 1.4882e-05,
     text = "Iterator::Prefetch::Batch::Repeat", total = 0.019353}
   },
   part = "input_work",
   self = 1.4882e-05,
   text = "Iterator::Prefetch::Batch::Repeat",
   total = 0.019353
  },
  {
   amount = 3328,
   calls = 52,
   lanes = {
    [2] = {amount = 3328, calls = 52, part = "input_work", self = 0.018191,
     text = "Iterator::Prefetch::Batch::Repeat::ParseExample", total = 0.019338}
   },
   part = "input_work",
   self = 0.018191,
   text = "Iterator::Prefetch::Batch::Repeat::ParseExample",
   total = 0.019338
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00031642, text = "fit",
     total = 0.021665}
   },
   part = "host",
   self = 0.00031642,
   text = "fit",
   total = 0.021665
  }
 },
 page_faults = 0,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.752e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 3.31e-07, variable_bytes = 0},
   runs = 1,
   seconds = 2.083e-06,
   steps = 1,
   waiting = 2.41e-07
  },
  {
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 24,
    seconds = 5.1527e-05, variable_bytes = 16},
   {bytes = 1152, columns = 0, depth = 0, elements = 1088, flops = 0,
    is_half = false, kind = "pack", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.537e-05, variable_bytes = 64},
   {bytes = 192, columns = 0, depth = 0, elements = 128, flops = 0,
    is_half = false, kind = "pack", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 7.626e-06, variable_bytes = 64},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.2145e-05, variable_bytes = 8},
   {bytes = 501760, columns = 0, depth = 0, elements = 100352, flops = 200704,
    is_half = false, kind = "loop", location = "advice_cases.lua:78", name = "",
    operations = 0, phase = 1, products = 0, rows = 0, runs = 24,
    seconds = 0.00063594, variable_bytes = 0},
   {bytes = 459904, columns = 16, depth = 784, elements = 100352, flops = 3215360,
    is_half = false, kind = "product", layer = "sequential_3/dense_6",
    location = "advice_cases.lua:13", name = "f32", operations = 3211264, phase = 1,
    products = 1, rows = 128, runs = 24, seconds = 0.00071197, variable_bytes = 64},
   {bytes = 11844, columns = 1, depth = 16, elements = 2048, flops = 4992,
    is_half = false, kind = "product", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 1,
    products = 1, rows = 128, runs = 24, seconds = 4.6488e-05, variable_bytes = 4},
   {bytes = 528, columns = 0, depth = 0, elements = 128, flops = 128,
    is_half = false, kind = "loop", layer = "sequential_3/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 24, seconds = 1.297e-05, variable_bytes = 0},
   {bytes = 528, columns = 0, depth = 0, elements = 128, flops = 128,
    is_half = false, kind = "loop", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 24, seconds = 8.042e-06, variable_bytes = 0},
   {bytes = 25536, columns = 16, depth = 1, elements = 8256, flops = 10240,
    is_half = false, kind = "product", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 1,
    products = 1, rows = 128, runs = 24, seconds = 4.9351e-05, variable_bytes = 0},
   {bytes = 20, columns = 0, depth = 0, elements = 4, flops = 0, is_half = false,
    kind = "combine", layer = "sequential_3/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 3.746e-06, variable_bytes = 0},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 3.7933e-05, variable_bytes = 8},
   {bytes = 20, columns = 0, depth = 0, elements = 4, flops = 0, is_half = false,
    kind = "combine", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 3.218e-06, variable_bytes = 0},
   {bytes = 32, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 2, products = 0, rows = 0, runs = 24,
    seconds = 1.1815e-05, variable_bytes = 24},
   {bytes = 320, columns = 0, depth = 0, elements = 64, flops = 0,
    is_half = false, kind = "combine", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 3.015e-06, variable_bytes = 0},
   {bytes = 452, columns = 0, depth = 0, elements = 16, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 1.1115e-05, variable_bytes = 384},
   {bytes = 8768, columns = 0, depth = 0, elements = 8256, flops = 0,
    is_half = false, kind = "pack", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 1.0797e-05, variable_bytes = 0},
   {bytes = 16836, columns = 1, depth = 128, elements = 8256, flops = 4096,
    is_half = false, kind = "product", layer = "sequential_3/dense_7",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 2,
    products = 1, rows = 16, runs = 24, seconds = 3.5322e-05, variable_bytes = 384},
   {bytes = 760964, columns = 16, depth = 128, elements = 100352, flops = 3211264,
    is_half = false, kind = "product", layer = "sequential_3/dense_6",
    location = "advice_cases.lua:13", name = "f32", operations = 3211264, phase = 2,
    products = 1, rows = 784, runs = 48, seconds = 0.001107,
    variable_bytes = 301056},
   runs = 24,
   seconds = 0.0027754,
   steps = 24,
   waiting = 8.201e-06
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 2.754e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 2.41e-07, variable_bytes = 0},
   runs = 1,
   seconds = 2.995e-06,
   steps = 1,
   waiting = 3.8e-07
  }
 },
 seconds = 0.021676,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 7.51e-07, callback = 2.905e-06, compile = 0, compute = 2.083e-06,
    garbage = 0, host = 0.00021167, input_feed = 2.414e-06, input_read = 0,
    input_wait = 0.00089602, input_work = 0, launch = 3.505e-06, other = 8.433e-06,
    output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.0011278
  },
  {
   began = 0.0011278,
   lane = 1,
   parts = {barrier = 1.202e-06, callback = 0, compile = 0, compute = 0.0001451,
    garbage = 0, host = 2.2894e-05, input_feed = 1.151e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 3.5482e-05, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00020583
  },
  {
   began = 0.0013336,
   lane = 1,
   parts = {barrier = 6.62e-07, callback = 0, compile = 0, compute = 0.00011563,
    garbage = 0, host = 5.0375e-05, input_feed = 1.382e-06, input_read = 0,
    input_wait = 0.00047355, input_work = 0, launch = 2.383e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00064398
  },
  {
   began = 0.0019776,
   lane = 1,
   parts = {barrier = 7.5e-07, callback = 0, compile = 0, compute = 0.00010908,
    garbage = 0, host = 4.8642e-05, input_feed = 1.291e-06, input_read = 0,
    input_wait = 0.0005825, input_work = 0, launch = 2.464e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00074473
  },
  {
   began = 0.0027223,
   lane = 1,
   parts = {barrier = 8.82e-07, callback = 0, compile = 0, compute = 0.00011194,
    garbage = 0, host = 5.8945e-05, input_feed = 1.734e-06, input_read = 0,
    input_wait = 0.0005856, input_work = 0, launch = 2.937e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00076204
  },
  {
   began = 0.0034844,
   lane = 1,
   parts = {barrier = 7.51e-07, callback = 0, compile = 0, compute = 0.00011057,
    garbage = 0, host = 5.3379e-05, input_feed = 1.612e-06, input_read = 0,
    input_wait = 0.00059809, input_work = 0, launch = 2.243e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00076665
  },
  {
   began = 0.004251,
   lane = 1,
   parts = {barrier = 9.41e-07, callback = 0, compile = 0, compute = 0.00011053,
    garbage = 0, host = 5.1707e-05, input_feed = 1.251e-06, input_read = 0,
    input_wait = 0.00059318, input_work = 0, launch = 2.274e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00075989
  },
  {
   began = 0.0050109,
   lane = 1,
   parts = {barrier = 8.22e-07, callback = 0, compile = 0, compute = 0.00010903,
    garbage = 0, host = 5.3219e-05, input_feed = 1.462e-06, input_read = 0,
    input_wait = 0.00058473, input_work = 0, launch = 2.384e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00075164
  },
  {
   began = 0.0057625,
   lane = 1,
   parts = {barrier = 9.62e-07, callback = 0, compile = 0, compute = 0.00011552,
    garbage = 0, host = 5.9639e-05, input_feed = 1.643e-06, input_read = 0,
    input_wait = 0.00056202, input_work = 0, launch = 2.554e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00074234
  },
  {
   began = 0.0065049,
   lane = 1,
   parts = {barrier = 1.08e-06, callback = 0, compile = 0, compute = 0.00012972,
    garbage = 0, host = 7.481e-05, input_feed = 1.933e-06, input_read = 0,
    input_wait = 0.00059046, input_work = 0, launch = 2.524e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00080053
  },
  {
   began = 0.0073054,
   lane = 1,
   parts = {barrier = 5.5e-07, callback = 0, compile = 0, compute = 0.00011291,
    garbage = 0, host = 6.063e-05, input_feed = 1.782e-06, input_read = 0,
    input_wait = 0.00061429, input_work = 0, launch = 1.723e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00079188
  },
  {
   began = 0.0080973,
   lane = 1,
   parts = {barrier = 8.92e-07, callback = 0, compile = 0, compute = 0.0001161,
    garbage = 0, host = 5.0815e-05, input_feed = 1.242e-06, input_read = 0,
    input_wait = 0.00062821, input_work = 0, launch = 2.293e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00079955
  },
  {
   began = 0.0088968,
   lane = 1,
   parts = {barrier = 5.4e-07, callback = 0, compile = 0, compute = 0.00012101,
    garbage = 0, host = 4.4286e-05, input_feed = 8.72e-07, input_read = 0,
    input_wait = 0.0005474, input_work = 0, launch = 1.723e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00071583
  },
  {
   began = 0.0096127,
   lane = 1,
   parts = {barrier = 9.31e-07, callback = 0, compile = 0, compute = 0.00011203,
    garbage = 0, host = 6.1922e-05, input_feed = 2.724e-06, input_read = 0,
    input_wait = 0.00058782, input_work = 0, launch = 3.354e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00076878
  },
  {
   began = 0.010381,
   lane = 1,
   parts = {barrier = 8.01e-07, callback = 0, compile = 0, compute = 0.00011456,
    garbage = 0, host = 6.4265e-05, input_feed = 2.063e-06, input_read = 0,
    input_wait = 0.00056391, input_work = 0, launch = 2.996e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00074859
  },
  {
   began = 0.01113,
   lane = 1,
   parts = {barrier = 7e-07, callback = 0, compile = 0, compute = 0.00010906, garbage = 0,
    host = 5.2347e-05, input_feed = 1.303e-06, input_read = 0,
    input_wait = 0.00057814, input_work = 0, launch = 2.393e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00074394
  },
  {
   began = 0.011874,
   lane = 1,
   parts = {barrier = 6.82e-07, callback = 0, compile = 0, compute = 0.00010919,
    garbage = 0, host = 4.8311e-05, input_feed = 1.012e-06, input_read = 0,
    input_wait = 0.00059298, input_work = 0, launch = 2.284e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00075446
  },
  {
   began = 0.012628,
   lane = 1,
   parts = {barrier = 7.43e-07, callback = 0, compile = 0, compute = 0.00011635,
    garbage = 0, host = 4.8963e-05, input_feed = 9.8e-07, input_read = 0,
    input_wait = 0.0006026, input_work = 0, launch = 2.224e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00077186
  },
  {
   began = 0.0134,
   lane = 1,
   parts = {barrier = 7.02e-07, callback = 0, compile = 0, compute = 0.00011022,
    garbage = 0, host = 5.2528e-05, input_feed = 1.222e-06, input_read = 0,
    input_wait = 0.00062065, input_work = 0, launch = 2.694e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00078802
  },
  {
   began = 0.014188,
   lane = 1,
   parts = {barrier = 8.5e-07, callback = 0, compile = 0, compute = 0.00010904,
    garbage = 0, host = 4.732e-05, input_feed = 1.722e-06, input_read = 0,
    input_wait = 0.00057294, input_work = 0, launch = 2.003e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00073388
  },
  {
   began = 0.014922,
   lane = 1,
   parts = {barrier = 7.1e-07, callback = 0, compile = 0, compute = 0.00013778,
    garbage = 0, host = 5.6284e-05, input_feed = 2.293e-06, input_read = 0,
    input_wait = 0.00059266, input_work = 0, launch = 2.515e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00079224
  },
  {
   began = 0.015714,
   lane = 1,
   parts = {barrier = 6.83e-07, callback = 0, compile = 0, compute = 0.00011248,
    garbage = 0, host = 5.5893e-05, input_feed = 2.383e-06, input_read = 0,
    input_wait = 0.00061066, input_work = 0, launch = 3.294e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00078539
  },
  {
   began = 0.0165,
   lane = 1,
   parts = {barrier = 8.22e-07, callback = 0, compile = 0, compute = 0.00011097,
    garbage = 0, host = 5.2988e-05, input_feed = 1.413e-06, input_read = 0,
    input_wait = 0.00057713, input_work = 0, launch = 2.464e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00074579
  },
  {
   began = 0.017246,
   lane = 1,
   parts = {barrier = 9.81e-07, callback = 0, compile = 0, compute = 0.00011263,
    garbage = 0, host = 5.4491e-05, input_feed = 1.581e-06, input_read = 0,
    input_wait = 0.0005575, input_work = 0, launch = 2.955e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00073013
  },
  {
   began = 0.017976,
   lane = 1,
   parts = {barrier = 8.91e-07, callback = 0, compile = 0, compute = 0.00011393,
    garbage = 0, host = 6.3103e-05, input_feed = 1.753e-06, input_read = 0,
    input_wait = 0.0005835, input_work = 0, launch = 2.614e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00076579
  },
  {
   began = 0.018742,
   lane = 1,
   parts = {barrier = 5e-07, callback = 0, compile = 0, compute = 2.995e-06, garbage = 0,
    host = 2.2253e-05, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 5.538e-06, other = 0, output = 0.00020961, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.0002409
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
