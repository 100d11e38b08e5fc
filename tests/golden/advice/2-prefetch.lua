-- no prefetch: see record.lua
return {
 cpus = 2,
 disk_faults = 0,
 events = 783,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 783,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 4.5162e-05, callback = 2.2814e-05, compile = 0, compute = 0.025854,
    garbage = 0.0047307, host = 0.00087551, input_feed = 0.00012196,
    input_read = 2.7873e-05, input_wait = 0, input_work = 0.021776,
    launch = 0.00024115, other = 2.2493e-05, output = 0.00037017, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 4.657e-06,
     text = "history: on_train_begin", total = 4.657e-06}
   },
   part = "callback",
   self = 4.657e-06,
   text = "history: on_train_begin",
   total = 4.657e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.8157e-05,
     text = "history: on_epoch_end", total = 1.8157e-05}
   },
   part = "callback",
   self = 1.8157e-05,
   text = "history: on_epoch_end",
   total = 1.8157e-05
  },
  {
   amount = 24,
   calls = 24,
   lanes = {
    {amount = 24, calls = 24, part = "input_work", self = 0.00050332,
     text = "Iterator::Batch", total = 0.021804}
   },
   part = "input_work",
   self = 0.00050332,
   text = "Iterator::Batch",
   total = 0.021804
  },
  {
   amount = 3072,
   calls = 24,
   lanes = {
    {amount = 3072, calls = 24, part = "input_work", self = 2.5074e-05,
     text = "Iterator::Batch::Repeat", total = 0.021301}
   },
   part = "input_work",
   self = 2.5074e-05,
   text = "Iterator::Batch::Repeat",
   total = 0.021301
  },
  {
   amount = 3072,
   calls = 24,
   lanes = {
    {amount = 3072, calls = 24, part = "input_work", self = 0.021248,
     text = "Iterator::Batch::Repeat::Map", total = 0.021276}
   },
   part = "input_work",
   self = 0.021248,
   text = "Iterator::Batch::Repeat::Map",
   total = 0.021276
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00093623, text = "train loop",
     total = 0.048589}
   },
   part = "host",
   self = 0.00093623,
   text = "train loop",
   total = 0.048589
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.0003832, text = "metrics",
     total = 0.00038811}
   },
   part = "output",
   self = 0.0003832,
   text = "metrics",
   total = 0.00038811
  },
  {
   amount = 3072,
   calls = 12,
   lanes = {
    {amount = 3072, calls = 12, part = "input_read", self = 2.7873e-05,
     text = "Iterator::Batch::Repeat::Map::FromTensorSlices", total = 2.7873e-05}
   },
   part = "input_read",
   self = 2.7873e-05,
   text = "Iterator::Batch::Repeat::Map::FromTensorSlices",
   total = 2.7873e-05
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0047307, text = "collect",
     total = 0.0047307}
   },
   part = "garbage",
   self = 0.0047307,
   text = "collect",
   total = 0.0047307
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.0003345, text = "fit",
     total = 0.054065}
   },
   part = "host",
   self = 0.0003345,
   text = "fit",
   total = 0.054065
  }
 },
 page_faults = 1,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 8.21e-07, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 2e-07, variable_bytes = 0},
   runs = 1,
   seconds = 1.021e-06,
   steps = 1,
   waiting = 2e-07
  },
  {
   {bytes = 3072, columns = 0, depth = 0, elements = 512, flops = 512,
    is_half = false, kind = "loop", layer = "sequential_1/dense_2",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 3.1035e-05, variable_bytes = 2048},
   {bytes = 6, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", layer = "sequential_1/dense_3", location = "advice_cases.lua:13",
    name = "", operations = 0, phase = 0, products = 0, rows = 0, runs = 24,
    seconds = 2.0633e-05, variable_bytes = 4},
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 24,
    seconds = 8.5618e-05, variable_bytes = 16},
   {bytes = 18496, columns = 0, depth = 0, elements = 16448, flops = 0,
    is_half = false, kind = "pack", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 4.6947e-05, variable_bytes = 2048},
   {bytes = 4160, columns = 0, depth = 0, elements = 2112, flops = 0,
    is_half = false, kind = "pack", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 5.7538e-05, variable_bytes = 2048},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 2.3236e-05, variable_bytes = 8},
   {bytes = 393216, columns = 0, depth = 0, elements = 65536, flops = 65536,
    is_half = false, kind = "loop", location = "record.lua:50", name = "",
    operations = 0, phase = 1, products = 0, rows = 0, runs = 24,
    seconds = 0.00030026, variable_bytes = 0},
   {bytes = 787520, columns = 512, depth = 512, elements = 524352,
    flops = 67239936, is_half = true, kind = "product",
    layer = "sequential_1/dense_2", location = "advice_cases.lua:13", name = "bf16",
    operations = 67108864, phase = 1, products = 1, rows = 128, runs = 24,
    seconds = 0.0081851, variable_bytes = 0},
   {bytes = 149314, columns = 1, depth = 512, elements = 65536, flops = 131968,
    is_half = false, kind = "product", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "bf16", operations = 131072, phase = 1,
    products = 1, rows = 128, runs = 24, seconds = 0.0003446, variable_bytes = 0},
   {bytes = 528, columns = 0, depth = 0, elements = 128, flops = 128,
    is_half = false, kind = "loop", layer = "sequential_1/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 24, seconds = 2.5741e-05, variable_bytes = 0},
   {bytes = 272, columns = 0, depth = 0, elements = 128, flops = 128,
    is_half = true, kind = "loop", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 24, seconds = 1.8037e-05, variable_bytes = 0},
   {bytes = 403840, columns = 512, depth = 1, elements = 131136, flops = 327680,
    is_half = true, kind = "product", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "bf16", operations = 131072, phase = 1,
    products = 1, rows = 128, runs = 24, seconds = 0.0011351, variable_bytes = 0},
   {bytes = 20, columns = 0, depth = 0, elements = 4, flops = 0, is_half = false,
    kind = "combine", layer = "sequential_1/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 8.591e-06, variable_bytes = 0},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 2.7232e-05, variable_bytes = 8},
   {bytes = 20, columns = 0, depth = 0, elements = 4, flops = 0, is_half = false,
    kind = "combine", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 9.524e-06, variable_bytes = 0},
   {bytes = 32, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 2, products = 0, rows = 0, runs = 24,
    seconds = 3.0085e-05, variable_bytes = 24},
   {bytes = 10240, columns = 0, depth = 0, elements = 2048, flops = 0,
    is_half = false, kind = "combine", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 1.2318e-05, variable_bytes = 0},
   {bytes = 14340, columns = 0, depth = 0, elements = 512, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 3.1657e-05, variable_bytes = 12288},
   {bytes = 4416, columns = 0, depth = 0, elements = 4160, flops = 0,
    is_half = true, kind = "pack", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 24, seconds = 3.1325e-05, variable_bytes = 0},
   {bytes = 7078020, columns = 512, depth = 128, elements = 524352,
    flops = 67108864, is_half = false, kind = "product",
    layer = "sequential_1/dense_2", location = "advice_cases.lua:13", name = "bf16",
    operations = 67108864, phase = 2, products = 1, rows = 512, runs = 24,
    seconds = 0.014888, variable_bytes = 6291456},
   {bytes = 147524, columns = 1, depth = 128, elements = 65536, flops = 131072,
    is_half = false, kind = "product", layer = "sequential_1/dense_3",
    location = "advice_cases.lua:13", name = "bf16", operations = 131072, phase = 3,
    products = 1, rows = 512, runs = 24, seconds = 0.00053593,
    variable_bytes = 12288},
   runs = 2,
   seconds = 0.025848,
   steps = 24,
   waiting = 1.6758e-05
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 4.306e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 6.11e-07, variable_bytes = 0},
   runs = 1,
   seconds = 4.917e-06,
   steps = 1,
   waiting = 2.4e-07
  }
 },
 seconds = 0.054088,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 4.51e-07, callback = 4.657e-06, compile = 0, compute = 1.021e-06,
    garbage = 0, host = 0.00036362, input_feed = 4.978e-06, input_read = 2.013e-06,
    input_wait = 0, input_work = 0.0020563, launch = 3.134e-06, other = 1.9048e-05,
    output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.0024552
  },
  {
   began = 0.0024552,
   lane = 1,
   parts = {barrier = 2.415e-06, callback = 0, compile = 0, compute = 0.0012587,
    garbage = 0, host = 4.04e-05, input_feed = 1.402e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 0.00020009, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.001503
  },
  {
   began = 0.0039583,
   lane = 1,
   parts = {barrier = 1.412e-06, callback = 0, compile = 0, compute = 0.0010582,
    garbage = 0, host = 0, input_feed = 4.647e-06, input_read = 0, input_wait = 0,
    input_work = 2.1632e-05, launch = 4.21e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0010863
  },
  {
   began = 0.0050445,
   lane = 1,
   parts = {barrier = 1.533e-06, callback = 0, compile = 0, compute = 0.0010563,
    garbage = 0, host = 0, input_feed = 5.398e-06, input_read = 2.424e-06,
    input_wait = 0, input_work = 0.0018211, launch = 4.3e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0028872
  },
  {
   began = 0.0079317,
   lane = 1,
   parts = {barrier = 1.441e-06, callback = 0, compile = 0, compute = 0.00099445,
    garbage = 0, host = 0, input_feed = 4.657e-06, input_read = 0, input_wait = 0,
    input_work = 1.9199e-05, launch = 3e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0010201
  },
  {
   began = 0.0089518,
   lane = 1,
   parts = {barrier = 4.556e-06, callback = 0, compile = 0, compute = 0.0012887,
    garbage = 0, host = 0, input_feed = 7.23e-06, input_read = 2.033e-06,
    input_wait = 0, input_work = 0.0019039, launch = 6.62e-07, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.003207
  },
  {
   began = 0.012159,
   lane = 1,
   parts = {barrier = 3.546e-06, callback = 0, compile = 0, compute = 0.0012537,
    garbage = 0, host = 0, input_feed = 9.684e-06, input_read = 0, input_wait = 0,
    input_work = 4.05e-05, launch = 6.71e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0013081
  },
  {
   began = 0.013467,
   lane = 1,
   parts = {barrier = 2.102e-06, callback = 0, compile = 0, compute = 0.0011675,
    garbage = 0, host = 0, input_feed = 9.735e-06, input_read = 5.228e-06,
    input_wait = 0, input_work = 0.001829, launch = 8.51e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0030144
  },
  {
   began = 0.016481,
   lane = 1,
   parts = {barrier = 2.473e-06, callback = 0, compile = 0, compute = 0.00097104,
    garbage = 0, host = 0, input_feed = 7.392e-06, input_read = 0, input_wait = 0,
    input_work = 2.2663e-05, launch = 4.91e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0010041
  },
  {
   began = 0.017485,
   lane = 1,
   parts = {barrier = 1.561e-06, callback = 0, compile = 0, compute = 0.00093899,
    garbage = 0, host = 0, input_feed = 4.257e-06, input_read = 1.573e-06,
    input_wait = 0, input_work = 0.001789, launch = 4.8e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0027358
  },
  {
   began = 0.020221,
   lane = 1,
   parts = {barrier = 1.301e-06, callback = 0, compile = 0, compute = 0.00096014,
    garbage = 0, host = 0, input_feed = 4.017e-06, input_read = 0, input_wait = 0,
    input_work = 1.6724e-05, launch = 7.5e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00098294
  },
  {
   began = 0.021204,
   lane = 1,
   parts = {barrier = 1.453e-06, callback = 0, compile = 0, compute = 0.0010802,
    garbage = 0, host = 0, input_feed = 3.555e-06, input_read = 1.833e-06,
    input_wait = 0, input_work = 0.0016879, launch = 6.6e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0027756
  },
  {
   began = 0.02398,
   lane = 1,
   parts = {barrier = 1.041e-06, callback = 0, compile = 0, compute = 0.00097454,
    garbage = 0, host = 0, input_feed = 4.026e-06, input_read = 0, input_wait = 0,
    input_work = 1.8928e-05, launch = 3.41e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00099888
  },
  {
   began = 0.024979,
   lane = 1,
   parts = {barrier = 1.502e-06, callback = 0, compile = 0, compute = 0.0011073,
    garbage = 0, host = 0, input_feed = 3.555e-06, input_read = 1.673e-06,
    input_wait = 0, input_work = 0.0017298, launch = 4.91e-07, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0028444
  },
  {
   began = 0.027823,
   lane = 1,
   parts = {barrier = 1.632e-06, callback = 0, compile = 0, compute = 0.0010175,
    garbage = 0, host = 0, input_feed = 5.128e-06, input_read = 0, input_wait = 0,
    input_work = 1.8037e-05, launch = 7.3e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.001043
  },
  {
   began = 0.028866,
   lane = 1,
   parts = {barrier = 1.643e-06, callback = 0, compile = 0, compute = 0.0012982,
    garbage = 0, host = 0, input_feed = 3.905e-06, input_read = 1.452e-06,
    input_wait = 0, input_work = 0.0017655, launch = 1.201e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0030719
  },
  {
   began = 0.031938,
   lane = 1,
   parts = {barrier = 1.683e-06, callback = 0, compile = 0, compute = 0.0011278,
    garbage = 0, host = 0, input_feed = 8.873e-06, input_read = 0, input_wait = 0,
    input_work = 3.6694e-05, launch = 9.61e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.001176
  },
  {
   began = 0.033114,
   lane = 1,
   parts = {barrier = 2.022e-06, callback = 0, compile = 0, compute = 0.0010333,
    garbage = 0, host = 0.00026991, input_feed = 5.698e-06, input_read = 1.823e-06,
    input_wait = 0, input_work = 0.0017551, launch = 7.712e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0030756
  },
  {
   began = 0.03619,
   lane = 1,
   parts = {barrier = 1.412e-06, callback = 0, compile = 0, compute = 0.00097677,
    garbage = 0, host = 0, input_feed = 3.376e-06, input_read = 0, input_wait = 0,
    input_work = 1.6634e-05, launch = 8.81e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.00099907
  },
  {
   began = 0.037189,
   lane = 1,
   parts = {barrier = 1.442e-06, callback = 0, compile = 0, compute = 0.0010364,
    garbage = 0, host = 0, input_feed = 3.375e-06, input_read = 1.733e-06,
    input_wait = 0, input_work = 0.0017305, launch = 8.41e-07, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0027743
  },
  {
   began = 0.039963,
   lane = 1,
   parts = {barrier = 1.512e-06, callback = 0, compile = 0, compute = 0.00097519,
    garbage = 0, host = 0, input_feed = 3.625e-06, input_read = 0, input_wait = 0,
    input_work = 2.3525e-05, launch = 5.22e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0010044
  },
  {
   began = 0.040967,
   lane = 1,
   parts = {barrier = 1.752e-06, callback = 0, compile = 0, compute = 0.0011368,
    garbage = 0, host = 0, input_feed = 3.266e-06, input_read = 4.176e-06,
    input_wait = 0, input_work = 0.0017627, launch = 3.91e-07, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.002909
  },
  {
   began = 0.043876,
   lane = 1,
   parts = {barrier = 1.452e-06, callback = 0, compile = 0, compute = 0.0010289,
    garbage = 0, host = 0, input_feed = 3.555e-06, input_read = 0, input_wait = 0,
    input_work = 2.1933e-05, launch = 3.51e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0010562
  },
  {
   began = 0.044933,
   lane = 1,
   parts = {barrier = 1.102e-06, callback = 0, compile = 0, compute = 0.0010429,
    garbage = 0, host = 0, input_feed = 4.016e-06, input_read = 1.912e-06,
    input_wait = 0, input_work = 0.0016702, launch = 5.01e-07, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0027206
  },
  {
   began = 0.047653,
   lane = 1,
   parts = {barrier = 1.341e-06, callback = 0, compile = 0, compute = 0.0010645,
    garbage = 0, host = 0, input_feed = 2.605e-06, input_read = 0, input_wait = 0,
    input_work = 1.8577e-05, launch = 4.81e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 128,
   seconds = 0.0010875
  },
  {
   began = 0.048741,
   lane = 1,
   parts = {barrier = 1.192e-06, callback = 0, compile = 0, compute = 4.917e-06,
    garbage = 0, host = 0.00010925, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.6545e-05, other = 0, output = 0.00034811, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00048001
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
