-- batch too small: see record.lua
return {
 cpus = 1,
 disk_faults = 0,
 events = 454,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 454,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 1.7119e-05, callback = 1.3921e-05, compile = 2.2293e-05,
    compute = 0.0049855, garbage = 0.0024461, host = 0.00037753,
    input_feed = 2.4003e-05, input_read = 2.924e-06, input_wait = 0,
    input_work = 4.196e-06, launch = 3.0907e-05, other = 1.4972e-05,
    output = 0.00027962, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 3.085e-06,
     text = "history: on_train_begin", total = 3.085e-06}
   },
   part = "callback",
   self = 3.085e-06,
   text = "history: on_train_begin",
   total = 3.085e-06
  },
  {
   amount = 16,
   calls = 16,
   lanes = {
    {amount = 16, calls = 16, part = "input_work", self = 4.196e-06,
     text = "Iterator::Repeat", total = 7.12e-06}
   },
   part = "input_work",
   self = 4.196e-06,
   text = "Iterator::Repeat",
   total = 7.12e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.0836e-05,
     text = "history: on_epoch_end", total = 1.0836e-05}
   },
   part = "callback",
   self = 1.0836e-05,
   text = "history: on_epoch_end",
   total = 1.0836e-05
  },
  {
   amount = 16,
   calls = 31,
   lanes = {
    {amount = 16, calls = 31, part = "input_read", self = 2.924e-06,
     text = "Iterator::Repeat::FromTensors", total = 2.924e-06}
   },
   part = "input_read",
   self = 2.924e-06,
   text = "Iterator::Repeat::FromTensors",
   total = 2.924e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00022609, text = "train loop",
     total = 0.0052373}
   },
   part = "host",
   self = 0.00022609,
   text = "train loop",
   total = 0.0052373
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.00028749, text = "metrics",
     total = 0.00029116}
   },
   part = "output",
   self = 0.00028749,
   text = "metrics",
   total = 0.00029116
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0024461, text = "collect",
     total = 0.0024461}
   },
   part = "garbage",
   self = 0.0024461,
   text = "collect",
   total = 0.0024461
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00021561, text = "fit",
     total = 0.0082041}
   },
   part = "host",
   self = 0.00021561,
   text = "fit",
   total = 0.0082041
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "compile", self = 2.2293e-05, text = "compile",
     total = 2.2293e-05}
   },
   part = "compile",
   self = 2.2293e-05,
   text = "compile",
   total = 2.2293e-05
  }
 },
 page_faults = 4,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 8.41e-07, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 8.1e-08, variable_bytes = 0},
   runs = 1,
   seconds = 9.22e-07,
   steps = 1,
   waiting = 1.9e-07
  },
  {
   {bytes = 1628416, columns = 512, depth = 784, elements = 401408,
    flops = 3215360, is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32 of few rows",
    operations = 3211264, phase = 0, products = 1, rows = 4, runs = 16,
    seconds = 0.00065952, variable_bytes = 1607680},
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 16,
    seconds = 2.1352e-05, variable_bytes = 16},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 6.75e-06, variable_bytes = 8},
   {bytes = 29232, columns = 10, depth = 512, elements = 5120, flops = 41240,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32 of few rows", operations = 40960,
    phase = 1, products = 1, rows = 4, runs = 16, seconds = 2.9333e-05,
    variable_bytes = 20520},
   {bytes = 80, columns = 0, depth = 0, elements = 10, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 9.763e-06, variable_bytes = 0},
   {bytes = 176, columns = 0, depth = 0, elements = 40, flops = 44,
    is_half = false, kind = "loop", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 7.25e-06, variable_bytes = 0},
   {bytes = 39072, columns = 512, depth = 10, elements = 5120, flops = 47104,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32 of few rows", operations = 40960,
    phase = 1, products = 1, rows = 4, runs = 16, seconds = 0.00029095,
    variable_bytes = 20480},
   {bytes = 4096, columns = 0, depth = 0, elements = 512, flops = 0,
    is_half = false, kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 1.943e-06, variable_bytes = 0},
   {bytes = 20, columns = 0, depth = 0, elements = 4, flops = 4, is_half = false,
    kind = "loop", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 2.114e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 8.91e-07, variable_bytes = 0},
   {bytes = 480, columns = 0, depth = 0, elements = 320, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 4.996e-06, variable_bytes = 0},
   {bytes = 131396, columns = 10, depth = 4, elements = 5120, flops = 40960,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 40960, phase = 1,
    products = 1, rows = 512, runs = 16, seconds = 9.6945e-05,
    variable_bytes = 122880},
   {bytes = 284, columns = 0, depth = 0, elements = 10, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 6.718e-06, variable_bytes = 240},
   {bytes = 16448, columns = 0, depth = 0, elements = 8256, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 7.122e-06, variable_bytes = 0},
   {bytes = 14340, columns = 0, depth = 0, elements = 512, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 8.952e-06, variable_bytes = 12288},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 9.955e-06, variable_bytes = 8},
   {bytes = 9654596, columns = 512, depth = 4, elements = 401408, flops = 3211264,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 3211264, phase = 2,
    products = 1, rows = 784, runs = 32, seconds = 0.0038164,
    variable_bytes = 9633792},
   runs = 1,
   seconds = 0.0049809,
   steps = 16,
   waiting = 4.788e-06
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 3.435e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 2.41e-07, variable_bytes = 0},
   runs = 1,
   seconds = 3.676e-06,
   steps = 1,
   waiting = 1.4e-07
  }
 },
 seconds = 0.0082195,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 8.31e-07, callback = 3.085e-06, compile = 2.2293e-05,
    compute = 9.22e-07, garbage = 0, host = 0.00022026, input_feed = 3.404e-06,
    input_read = 5.61e-07, input_wait = 0, input_work = 5.41e-07,
    launch = 3.465e-06, other = 1.2869e-05, output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.00026823
  },
  {
   began = 0.00026823,
   lane = 1,
   parts = {barrier = 1.041e-06, callback = 0, compile = 0, compute = 0.000566,
    garbage = 0, host = 2.2333e-05, input_feed = 1.272e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 1.4812e-05, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00060546
  },
  {
   began = 0.00087368,
   lane = 1,
   parts = {barrier = 4.52e-07, callback = 0, compile = 0, compute = 0.0002979,
    garbage = 0, host = 0, input_feed = 1.442e-06, input_read = 3.1e-07,
    input_wait = 0, input_work = 3.71e-07, launch = 1.3e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00030061
  },
  {
   began = 0.0011743,
   lane = 1,
   parts = {barrier = 4e-07, callback = 0, compile = 0, compute = 0.00027939, garbage = 0,
    host = 0, input_feed = 1.061e-06, input_read = 2.11e-07, input_wait = 0,
    input_work = 2.2e-07, launch = 1.31e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00028142
  },
  {
   began = 0.0014557,
   lane = 1,
   parts = {barrier = 5.01e-07, callback = 0, compile = 0, compute = 0.00028677,
    garbage = 0, host = 0, input_feed = 1.002e-06, input_read = 2.1e-07,
    input_wait = 0, input_work = 1.8e-07, launch = 1.8e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00028884
  },
  {
   began = 0.0017445,
   lane = 1,
   parts = {barrier = 1.212e-06, callback = 0, compile = 0, compute = 0.00036762,
    garbage = 0, host = 0, input_feed = 1.022e-06, input_read = 2.7e-07,
    input_wait = 0, input_work = 1.9e-07, launch = 1.41e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00037046
  },
  {
   began = 0.002115,
   lane = 1,
   parts = {barrier = 1.533e-06, callback = 0, compile = 0, compute = 0.00033428,
    garbage = 0, host = 0, input_feed = 3.524e-06, input_read = 1.2e-07,
    input_wait = 0, input_work = 6.62e-07, launch = 1.9e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.0003403
  },
  {
   began = 0.0024553,
   lane = 1,
   parts = {barrier = 7.02e-07, callback = 0, compile = 0, compute = 0.00027911,
    garbage = 0, host = 0, input_feed = 1.812e-06, input_read = 3.11e-07,
    input_wait = 0, input_work = 3.7e-07, launch = 1.3e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00028244
  },
  {
   began = 0.0027377,
   lane = 1,
   parts = {barrier = 6.6e-07, callback = 0, compile = 0, compute = 0.00028921,
    garbage = 0, host = 0, input_feed = 9.81e-07, input_read = 9e-08,
    input_wait = 0, input_work = 2.31e-07, launch = 1.32e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.0002913
  },
  {
   began = 0.003029,
   lane = 1,
   parts = {barrier = 5.61e-07, callback = 0, compile = 0, compute = 0.00027918,
    garbage = 0, host = 0, input_feed = 9.22e-07, input_read = 1.3e-07,
    input_wait = 0, input_work = 2.1e-07, launch = 1.3e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00028114
  },
  {
   began = 0.0033102,
   lane = 1,
   parts = {barrier = 4.82e-07, callback = 0, compile = 0, compute = 0.00027639,
    garbage = 0, host = 0, input_feed = 8.71e-07, input_read = 1e-07,
    input_wait = 0, input_work = 2e-07, launch = 1.3e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00027817
  },
  {
   began = 0.0035884,
   lane = 1,
   parts = {barrier = 7.33e-07, callback = 0, compile = 0, compute = 0.00032464,
    garbage = 0, host = 0, input_feed = 8.5e-07, input_read = 9e-08, input_wait = 0,
    input_work = 1.61e-07, launch = 1.7e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00032664
  },
  {
   began = 0.003915,
   lane = 1,
   parts = {barrier = 5.328e-06, callback = 0, compile = 0, compute = 0.00027968,
    garbage = 0, host = 0, input_feed = 1.743e-06, input_read = 1.2e-07,
    input_wait = 0, input_work = 1.7e-07, launch = 1.4e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00028719
  },
  {
   began = 0.0042022,
   lane = 1,
   parts = {barrier = 4e-07, callback = 0, compile = 0, compute = 0.0002831, garbage = 0,
    host = 0, input_feed = 9.22e-07, input_read = 1.1e-07, input_wait = 0,
    input_work = 1.7e-07, launch = 1.8e-07, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00028488
  },
  {
   began = 0.0044871,
   lane = 1,
   parts = {barrier = 4.2e-07, callback = 0, compile = 0, compute = 0.0002775,
    garbage = 0, host = 0, input_feed = 1.352e-06, input_read = 1.01e-07,
    input_wait = 0, input_work = 1.9e-07, launch = 1.2e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00027968
  },
  {
   began = 0.0047667,
   lane = 1,
   parts = {barrier = 3.91e-07, callback = 0, compile = 0, compute = 0.00028136,
    garbage = 0, host = 0, input_feed = 7.82e-07, input_read = 1e-07,
    input_wait = 0, input_work = 1.7e-07, launch = 1.6e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00028296
  },
  {
   began = 0.0050497,
   lane = 1,
   parts = {barrier = 4.62e-07, callback = 0, compile = 0, compute = 0.00027879,
    garbage = 0, host = 0, input_feed = 1.041e-06, input_read = 9e-08,
    input_wait = 0, input_work = 1.6e-07, launch = 1.2e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 4,
   seconds = 0.00028067
  },
  {
   began = 0.0053304,
   lane = 1,
   parts = {barrier = 7.8e-07, callback = 0, compile = 0, compute = 3.676e-06,
    garbage = 0, host = 8.9984e-05, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.0165e-05, other = 0, output = 0.00026479, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.0003694
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
