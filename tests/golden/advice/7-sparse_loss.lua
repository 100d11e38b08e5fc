-- one-hot loss: see record.lua
return {
 cpus = 1,
 disk_faults = 0,
 events = 1191,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 1191,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 3.2799e-05, callback = 2.5367e-05, compile = 3.6053e-05,
    compute = 0.049368, garbage = 0.0056472, host = 0.0014978,
    input_feed = 3.0443e-05, input_read = 3.456e-06, input_wait = 0,
    input_work = 7.261e-06, launch = 9.6033e-05, other = 4.5518e-05,
    output = 0.00033139, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 8.763e-06,
     text = "history: on_train_begin", total = 8.763e-06}
   },
   part = "callback",
   self = 8.763e-06,
   text = "history: on_train_begin",
   total = 8.763e-06
  },
  {
   amount = 4,
   calls = 4,
   lanes = {
    {amount = 4, calls = 4, part = "input_work", self = 7.261e-06,
     text = "Iterator::Repeat", total = 1.0717e-05}
   },
   part = "input_work",
   self = 7.261e-06,
   text = "Iterator::Repeat",
   total = 1.0717e-05
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.6604e-05,
     text = "history: on_epoch_end", total = 1.6604e-05}
   },
   part = "callback",
   self = 1.6604e-05,
   text = "history: on_epoch_end",
   total = 1.6604e-05
  },
  {
   amount = 4,
   calls = 7,
   lanes = {
    {amount = 4, calls = 7, part = "input_read", self = 3.456e-06,
     text = "Iterator::Repeat::FromTensors", total = 3.456e-06}
   },
   part = "input_read",
   self = 3.456e-06,
   text = "Iterator::Repeat::FromTensors",
   total = 3.456e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.0010676, text = "train loop",
     total = 0.050478}
   },
   part = "host",
   self = 0.0010676,
   text = "train loop",
   total = 0.050478
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.00034245, text = "metrics",
     total = 0.00034752}
   },
   part = "output",
   self = 0.00034245,
   text = "metrics",
   total = 0.00034752
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0056472, text = "collect",
     total = 0.0056472}
   },
   part = "garbage",
   self = 0.0056472,
   text = "collect",
   total = 0.0056472
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00057845, text = "fit",
     total = 0.057076}
   },
   part = "host",
   self = 0.00057845,
   text = "fit",
   total = 0.057076
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "compile", self = 3.6053e-05, text = "compile",
     total = 3.6053e-05}
   },
   part = "compile",
   self = 3.6053e-05,
   text = "compile",
   total = 3.6053e-05
  }
 },
 page_faults = 15,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.703e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.2e-07, variable_bytes = 0},
   runs = 1,
   seconds = 1.823e-06,
   steps = 1,
   waiting = 7.81e-07
  },
  {
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 4,
    seconds = 2.682e-05, variable_bytes = 16},
   {bytes = 1048640, columns = 0, depth = 0, elements = 524352, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 4, seconds = 0.00076935, variable_bytes = 524288},
   {bytes = 1048640, columns = 0, depth = 0, elements = 524352, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 4, seconds = 0.00035758, variable_bytes = 524288},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 4, seconds = 7.832e-06, variable_bytes = 8},
   {bytes = 69824, columns = 32, depth = 32, elements = 8192, flops = 540672,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 524288, phase = 1,
    products = 1, rows = 256, runs = 8, seconds = 7.4891e-05, variable_bytes = 128},
   {bytes = 4767808, columns = 4096, depth = 32, elements = 1048576,
    flops = 68157440, is_half = false, kind = "product",
    layer = "sequential/dense_1", location = "advice_cases.lua:13", name = "f32",
    operations = 67108864, phase = 1, products = 1, rows = 256, runs = 8,
    seconds = 0.0060176, variable_bytes = 16384},
   {bytes = 4195328, columns = 0, depth = 0, elements = 1048576, flops = 1048576,
    is_half = false, kind = "loop",
    layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 64, seconds = 0.0012728, variable_bytes = 0},
   {bytes = 2048, columns = 0, depth = 0, elements = 256, flops = 512,
    is_half = false, kind = "loop",
    layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 64, seconds = 5.7634e-05, variable_bytes = 0},
   {bytes = 2048, columns = 0, depth = 0, elements = 256, flops = 5242880,
    is_half = false, kind = "loop",
    layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 180, seconds = 0.0060228, variable_bytes = 0},
   {bytes = 8390656, columns = 0, depth = 0, elements = 1048576, flops = 3145728,
    is_half = false, kind = "loop",
    layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 180, seconds = 0.0055622, variable_bytes = 0},
   {bytes = 3072, columns = 0, depth = 0, elements = 256, flops = 512,
    is_half = false, kind = "loop",
    layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 180, seconds = 7.5067e-05, variable_bytes = 0},
   {bytes = 3072, columns = 0, depth = 0, elements = 256, flops = 256,
    is_half = false, kind = "loop",
    layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 180, seconds = 6.8568e-05, variable_bytes = 0},
   {bytes = 4197376, columns = 0, depth = 0, elements = 1048576, flops = 3145728,
    is_half = false, kind = "loop",
    layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 180, seconds = 0.006263, variable_bytes = 0},
   {bytes = 12716096, columns = 0, depth = 0, elements = 4194368, flops = 3145728,
    is_half = false, kind = "loop", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 3,
    products = 0, rows = 0, runs = 8, seconds = 0.015199, variable_bytes = 0},
   {bytes = 4818048, columns = 32, depth = 4096, elements = 1048576,
    flops = 67133440, is_half = false, kind = "product",
    layer = "sequential/dense_1", location = "advice_cases.lua:13", name = "f32",
    operations = 67108864, phase = 3, products = 1, rows = 256, runs = 8,
    seconds = 0.0030138, variable_bytes = 0},
   {bytes = 1056, columns = 0, depth = 0, elements = 256, flops = 512,
    is_half = false, kind = "loop",
    layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 3,
    products = 0, rows = 0, runs = 4, seconds = 1.6214e-05, variable_bytes = 0},
   {bytes = 36, columns = 0, depth = 0, elements = 8, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/loss/categorical_crossentropy",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 3,
    products = 0, rows = 0, runs = 4, seconds = 2.023e-06, variable_bytes = 0},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 3,
    products = 0, rows = 0, runs = 4, seconds = 1.0675e-05, variable_bytes = 8},
   {bytes = 147456, columns = 0, depth = 0, elements = 32768, flops = 0,
    is_half = false, kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 4,
    products = 0, rows = 0, runs = 4, seconds = 7.5702e-05, variable_bytes = 0},
   {bytes = 114692, columns = 0, depth = 0, elements = 4096, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 4,
    products = 0, rows = 0, runs = 4, seconds = 3.982e-05, variable_bytes = 98304},
   {bytes = 1152, columns = 0, depth = 0, elements = 256, flops = 0,
    is_half = false, kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 4,
    products = 0, rows = 0, runs = 4, seconds = 2.453e-06, variable_bytes = 0},
   {bytes = 900, columns = 0, depth = 0, elements = 32, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 4,
    products = 0, rows = 0, runs = 4, seconds = 9.203e-06, variable_bytes = 768},
   {bytes = 7372868, columns = 4096, depth = 256, elements = 4194368,
    flops = 67108864, is_half = false, kind = "product",
    layer = "sequential/dense_1", location = "advice_cases.lua:13", name = "f32",
    operations = 67108864, phase = 4, products = 1, rows = 32, runs = 4,
    seconds = 0.0043387, variable_bytes = 3145728},
   {bytes = 94340, columns = 32, depth = 256, elements = 32832, flops = 524288,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 524288, phase = 4,
    products = 1, rows = 32, runs = 4, seconds = 7.8004e-05, variable_bytes = 24576},
   runs = 4,
   seconds = 0.049361,
   steps = 4,
   waiting = 1.5614e-05
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 4.646e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 4.21e-07, variable_bytes = 0},
   runs = 1,
   seconds = 5.067e-06,
   steps = 1,
   waiting = 1.8e-07
  }
 },
 seconds = 0.057123,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 2.844e-06, callback = 8.763e-06, compile = 3.6053e-05,
    compute = 1.823e-06, garbage = 0, host = 0.00044566, input_feed = 7.592e-06,
    input_read = 1.142e-06, input_wait = 0, input_work = 1.342e-06,
    launch = 7.651e-06, other = 3.4251e-05, output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.00054712
  },
  {
   began = 0.00054712,
   lane = 1,
   parts = {barrier = 7.642e-06, callback = 0, compile = 0, compute = 0.011839,
    garbage = 0, host = 5.2498e-05, input_feed = 2.063e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 3.3371e-05, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 256,
   seconds = 0.011935
  },
  {
   began = 0.012482,
   lane = 1,
   parts = {barrier = 6.319e-06, callback = 0, compile = 0, compute = 0.011583,
    garbage = 0, host = 0.00022495, input_feed = 7.019e-06, input_read = 8.12e-07,
    input_wait = 0, input_work = 1.752e-06, launch = 1.2399e-05, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 256,
   seconds = 0.011836
  },
  {
   began = 0.024318,
   lane = 1,
   parts = {barrier = 6.911e-06, callback = 0, compile = 0, compute = 0.013437,
    garbage = 0, host = 0.00023746, input_feed = 6.869e-06, input_read = 7.51e-07,
    input_wait = 0, input_work = 2.013e-06, launch = 1.3118e-05, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 256,
   seconds = 0.013704
  },
  {
   began = 0.038023,
   lane = 1,
   parts = {barrier = 7.01e-06, callback = 0, compile = 0, compute = 0.012502,
    garbage = 0, host = 0.00021449, input_feed = 6.9e-06, input_read = 7.51e-07,
    input_wait = 0, input_work = 2.154e-06, launch = 1.2629e-05, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 256,
   seconds = 0.012746
  },
  {
   began = 0.050768,
   lane = 1,
   parts = {barrier = 1.833e-06, callback = 0, compile = 0, compute = 5.067e-06,
    garbage = 0, host = 8.089e-05, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.6464e-05, other = 0, output = 0.00030834, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00041259
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
