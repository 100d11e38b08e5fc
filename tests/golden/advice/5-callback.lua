-- callback per batch: see record.lua
return {
 cpus = 1,
 disk_faults = 0,
 events = 674,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 674,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 1.9765e-05, callback = 0.0019873, compile = 2.8913e-05,
    compute = 0.00090707, garbage = 0.0024902, host = 0.0010079,
    input_feed = 2.2876e-05, input_read = 3.094e-06, input_wait = 0,
    input_work = 4.714e-06, launch = 0.0001445, other = 2.1862e-05,
    output = 0.0018111, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 3.805e-06,
     text = "history: on_train_begin", total = 3.805e-06}
   },
   part = "callback",
   self = 3.805e-06,
   text = "history: on_train_begin",
   total = 3.805e-06
  },
  {
   amount = 16,
   calls = 16,
   lanes = {
    {amount = 16, calls = 16, part = "input_work", self = 4.714e-06,
     text = "Iterator::Repeat", total = 7.808e-06}
   },
   part = "input_work",
   self = 4.714e-06,
   text = "Iterator::Repeat",
   total = 7.808e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.325e-05,
     text = "history: on_epoch_end", total = 1.325e-05}
   },
   part = "callback",
   self = 1.325e-05,
   text = "history: on_epoch_end",
   total = 1.325e-05
  },
  {
   amount = 0,
   calls = 16,
   lanes = {
    {amount = 0, calls = 16, part = "callback", self = 0.0019702,
     text = "watch: on_train_batch_end", total = 0.0019702}
   },
   part = "callback",
   self = 0.0019702,
   text = "watch: on_train_batch_end",
   total = 0.0019702
  },
  {
   amount = 16,
   calls = 31,
   lanes = {
    {amount = 16, calls = 31, part = "input_read", self = 3.094e-06,
     text = "Iterator::Repeat::FromTensors", total = 3.094e-06}
   },
   part = "input_read",
   self = 3.094e-06,
   text = "Iterator::Repeat::FromTensors",
   total = 3.094e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00095002, text = "train loop",
     total = 0.0055651}
   },
   part = "host",
   self = 0.00095002,
   text = "train loop",
   total = 0.0055651
  },
  {
   amount = 0,
   calls = 17,
   lanes = {
    {amount = 0, calls = 17, part = "output", self = 0.0018492, text = "metrics",
     total = 0.0018695}
   },
   part = "output",
   self = 0.0018492,
   text = "metrics",
   total = 0.0018695
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0024902, text = "collect",
     total = 0.0024902}
   },
   part = "garbage",
   self = 0.0024902,
   text = "collect",
   total = 0.0024902
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.000207, text = "fit",
     total = 0.0084274}
   },
   part = "host",
   self = 0.000207,
   text = "fit",
   total = 0.0084274
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "compile", self = 2.8913e-05, text = "compile",
     total = 2.8913e-05}
   },
   part = "compile",
   self = 2.8913e-05,
   text = "compile",
   total = 2.8913e-05
  }
 },
 page_faults = 74,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 6.01e-07, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 8e-08, variable_bytes = 0},
   runs = 1,
   seconds = 6.81e-07,
   steps = 1,
   waiting = 1.7e-07
  },
  {
   {bytes = 107584, columns = 256, depth = 64, elements = 65600, flops = 1064960,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 1048576, phase = 0,
    products = 1, rows = 32, runs = 16, seconds = 0.0002169, variable_bytes = 1024},
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 16,
    seconds = 1.974e-05, variable_bytes = 16},
   {bytes = 17472, columns = 0, depth = 0, elements = 16448, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 1.3528e-05, variable_bytes = 1024},
   {bytes = 2112, columns = 0, depth = 0, elements = 1088, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 8.0431e-05, variable_bytes = 1024},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 6.319e-06, variable_bytes = 8},
   {bytes = 49732, columns = 1, depth = 256, elements = 16448, flops = 16576,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 16384, phase = 1,
    products = 1, rows = 32, runs = 16, seconds = 5.0974e-05, variable_bytes = 4},
   {bytes = 132, columns = 0, depth = 0, elements = 32, flops = 32,
    is_half = false, kind = "loop", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 4.409e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 1.263e-06, variable_bytes = 0},
   {bytes = 132, columns = 0, depth = 0, elements = 32, flops = 32,
    is_half = false, kind = "loop", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 2.43e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 8.22e-07, variable_bytes = 0},
   {bytes = 67776, columns = 256, depth = 1, elements = 8192, flops = 40960,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 16384, phase = 1,
    products = 1, rows = 32, runs = 16, seconds = 4.4235e-05, variable_bytes = 0},
   {bytes = 2048, columns = 0, depth = 0, elements = 256, flops = 0,
    is_half = false, kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 1.904e-06, variable_bytes = 0},
   {bytes = 2240, columns = 0, depth = 0, elements = 2112, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 2.985e-06, variable_bytes = 0},
   {bytes = 41028, columns = 1, depth = 32, elements = 8192, flops = 16384,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 16384, phase = 1,
    products = 1, rows = 256, runs = 16, seconds = 6.7229e-05,
    variable_bytes = 6144},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 5.728e-06, variable_bytes = 8},
   {bytes = 65600, columns = 0, depth = 0, elements = 32832, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 1.8246e-05, variable_bytes = 0},
   {bytes = 7172, columns = 0, depth = 0, elements = 256, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 16, seconds = 7.243e-06, variable_bytes = 6144},
   {bytes = 32, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 1, products = 0, rows = 0, runs = 16,
    seconds = 4.344e-06, variable_bytes = 24},
   {bytes = 499844, columns = 256, depth = 32, elements = 65600, flops = 1048576,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 1048576, phase = 2,
    products = 1, rows = 64, runs = 16, seconds = 0.00033737,
    variable_bytes = 393216},
   runs = 16,
   seconds = 0.0008861,
   steps = 16,
   waiting = 4.988e-06
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 17, seconds = 1.8659e-05, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 17, seconds = 1.623e-06, variable_bytes = 0},
   runs = 17,
   seconds = 2.0282e-05,
   steps = 17,
   waiting = 2.323e-06
  }
 },
 seconds = 0.0084497,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 1.022e-06, callback = 3.805e-06, compile = 2.8913e-05,
    compute = 6.81e-07, garbage = 0, host = 0.00022992, input_feed = 4.215e-06,
    input_read = 1.102e-06, input_wait = 0, input_work = 6.91e-07,
    launch = 4.166e-06, other = 1.8778e-05, output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.0002933
  },
  {
   began = 0.0002933,
   lane = 1,
   parts = {barrier = 7.61e-07, callback = 0, compile = 0, compute = 8.16e-05,
    garbage = 0, host = 2.1903e-05, input_feed = 1.232e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 3.6895e-05, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00014239
  },
  {
   began = 0.00043569,
   lane = 1,
   parts = {barrier = 3.8e-07, callback = 0, compile = 0, compute = 3.055e-06,
    garbage = 0, host = 7.501e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 3.866e-06, other = 0, output = 0.00010508, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00011988
  },
  {
   began = 0.00055556,
   lane = 1,
   parts = {barrier = 5.91e-07, callback = 0.00011935, compile = 0, compute = 4.9312e-05,
    garbage = 0, host = 3.7224e-05, input_feed = 1.243e-06, input_read = 1.4e-07,
    input_wait = 0, input_work = 3.91e-07, launch = 4.808e-06, other = 0,
    output = 9.413e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00022247
  },
  {
   began = 0.00077803,
   lane = 1,
   parts = {barrier = 4.71e-07, callback = 0, compile = 0, compute = 1.372e-06,
    garbage = 0, host = 6.1652e-05, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.752e-06, other = 0, output = 9.7945e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00016319
  },
  {
   began = 0.00094122,
   lane = 1,
   parts = {barrier = 6.9e-07, callback = 0.00011797, compile = 0, compute = 5.383e-05,
    garbage = 0, host = 3.4722e-05, input_feed = 1.492e-06, input_read = 1.6e-07,
    input_wait = 0, input_work = 2.7e-07, launch = 5.339e-06, other = 0,
    output = 7.861e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00022233
  },
  {
   began = 0.0011636,
   lane = 1,
   parts = {barrier = 3.51e-07, callback = 0, compile = 0, compute = 8.82e-07,
    garbage = 0, host = 5.058e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.691e-06, other = 0, output = 8.6839e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 9.4821e-05
  },
  {
   began = 0.0012584,
   lane = 1,
   parts = {barrier = 6.31e-07, callback = 0.00012675, compile = 0, compute = 4.8802e-05,
    garbage = 0, host = 4.1092e-05, input_feed = 2.012e-06, input_read = 3.21e-07,
    input_wait = 0, input_work = 4.3e-07, launch = 5.368e-06, other = 0,
    output = 7.491e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.0002329
  },
  {
   began = 0.0014913,
   lane = 1,
   parts = {barrier = 7.51e-07, callback = 0, compile = 0, compute = 1.031e-06,
    garbage = 0, host = 7.281e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.742e-06, other = 0, output = 9.2988e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00010379
  },
  {
   began = 0.0015951,
   lane = 1,
   parts = {barrier = 5.82e-07, callback = 0.0001182, compile = 0, compute = 4.4336e-05,
    garbage = 0, host = 3.2729e-05, input_feed = 7.91e-07, input_read = 1.1e-07,
    input_wait = 0, input_work = 2e-07, launch = 3.635e-06, other = 0,
    output = 6.87e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00020745
  },
  {
   began = 0.0018025,
   lane = 1,
   parts = {barrier = 3.2e-07, callback = 0, compile = 0, compute = 8.62e-07, garbage = 0,
    host = 9.775e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.301e-06, other = 0, output = 8.9913e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00010217
  },
  {
   began = 0.0019047,
   lane = 1,
   parts = {barrier = 5.6e-07, callback = 0.00011898, compile = 0, compute = 4.5248e-05,
    garbage = 0, host = 3.2519e-05, input_feed = 7.51e-07, input_read = 9e-08,
    input_wait = 0, input_work = 2.1e-07, launch = 3.415e-06, other = 0,
    output = 6.9e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00020867
  },
  {
   began = 0.0021133,
   lane = 1,
   parts = {barrier = 3e-07, callback = 0, compile = 0, compute = 1.132e-06, garbage = 0,
    host = 4.506e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.352e-06, other = 0, output = 8.742e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 9.471e-05
  },
  {
   began = 0.0022081,
   lane = 1,
   parts = {barrier = 5.02e-07, callback = 0.00011842, compile = 0, compute = 4.4926e-05,
    garbage = 0, host = 3.0726e-05, input_feed = 8.62e-07, input_read = 9e-08,
    input_wait = 0, input_work = 2e-07, launch = 3.404e-06, other = 0,
    output = 6.48e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00020561
  },
  {
   began = 0.0024137,
   lane = 1,
   parts = {barrier = 4.21e-07, callback = 0, compile = 0, compute = 7.81e-07,
    garbage = 0, host = 4.217e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.021e-06, other = 0, output = 8.5406e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 9.1846e-05
  },
  {
   began = 0.0025055,
   lane = 1,
   parts = {barrier = 5.3e-07, callback = 0.00011848, compile = 0, compute = 4.8061e-05,
    garbage = 0, host = 3.1316e-05, input_feed = 7.72e-07, input_read = 9e-08,
    input_wait = 0, input_work = 2e-07, launch = 3.325e-06, other = 0,
    output = 6.439e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00020921
  },
  {
   began = 0.0027147,
   lane = 1,
   parts = {barrier = 3.21e-07, callback = 0, compile = 0, compute = 7.81e-07,
    garbage = 0, host = 4.587e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.332e-06, other = 0, output = 8.5987e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 9.3008e-05
  },
  {
   began = 0.0028077,
   lane = 1,
   parts = {barrier = 5.5e-07, callback = 0.00011834, compile = 0, compute = 8.755e-05,
    garbage = 0, host = 3.0986e-05, input_feed = 8.42e-07, input_read = 8e-08,
    input_wait = 0, input_work = 1.8e-07, launch = 3.335e-06, other = 0,
    output = 6.49e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00024835
  },
  {
   began = 0.0030561,
   lane = 1,
   parts = {barrier = 5.61e-07, callback = 0, compile = 0, compute = 9.51e-07,
    garbage = 0, host = 5.448e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.642e-06, other = 0, output = 8.8832e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 9.7434e-05
  },
  {
   began = 0.0031535,
   lane = 1,
   parts = {barrier = 5.1e-07, callback = 0.00011869, compile = 0, compute = 6.8963e-05,
    garbage = 0, host = 3.2166e-05, input_feed = 1.063e-06, input_read = 1.1e-07,
    input_wait = 0, input_work = 2.4e-07, launch = 3.605e-06, other = 0,
    output = 6.831e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00023217
  },
  {
   began = 0.0033857,
   lane = 1,
   parts = {barrier = 3e-07, callback = 0, compile = 0, compute = 9.71e-07, garbage = 0,
    host = 9.534e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.753e-06, other = 0, output = 8.2883e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 9.5441e-05
  },
  {
   began = 0.0034811,
   lane = 1,
   parts = {barrier = 6.3e-07, callback = 0.00014812, compile = 0, compute = 4.8803e-05,
    garbage = 0, host = 7.7565e-05, input_feed = 1.843e-06, input_read = 2.1e-07,
    input_wait = 0, input_work = 2.81e-07, launch = 5.739e-06, other = 0,
    output = 6.87e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00029006
  },
  {
   began = 0.0037712,
   lane = 1,
   parts = {barrier = 3.5e-07, callback = 0, compile = 0, compute = 1.302e-06,
    garbage = 0, host = 5.668e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.903e-06, other = 0, output = 9.1105e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00010033
  },
  {
   began = 0.0038715,
   lane = 1,
   parts = {barrier = 5.91e-07, callback = 0.00011864, compile = 0, compute = 4.6359e-05,
    garbage = 0, host = 3.2107e-05, input_feed = 1.102e-06, input_read = 1.31e-07,
    input_wait = 0, input_work = 4.5e-07, launch = 3.845e-06, other = 0,
    output = 7.471e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00021069
  },
  {
   began = 0.0040822,
   lane = 1,
   parts = {barrier = 3.61e-07, callback = 0, compile = 0, compute = 9.32e-07,
    garbage = 0, host = 5.288e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.091e-06, other = 0, output = 0.000108, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00011567
  },
  {
   began = 0.0041979,
   lane = 1,
   parts = {barrier = 5.11e-07, callback = 0.00011832, compile = 0, compute = 4.9033e-05,
    garbage = 0, host = 3.275e-05, input_feed = 1.111e-06, input_read = 1.1e-07,
    input_wait = 0, input_work = 2.2e-07, launch = 5.117e-06, other = 0,
    output = 6.95e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00021412
  },
  {
   began = 0.004412,
   lane = 1,
   parts = {barrier = 2.8e-07, callback = 0, compile = 0, compute = 7.91e-07, garbage = 0,
    host = 4.687e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.182e-06, other = 0, output = 0.00010967, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00011661
  },
  {
   began = 0.0045286,
   lane = 1,
   parts = {barrier = 3.084e-06, callback = 0.00011843, compile = 0, compute = 4.4666e-05,
    garbage = 0, host = 3.0315e-05, input_feed = 1.071e-06, input_read = 1e-07,
    input_wait = 0, input_work = 3.11e-07, launch = 3.527e-06, other = 0,
    output = 6.609e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00020811
  },
  {
   began = 0.0047367,
   lane = 1,
   parts = {barrier = 3e-07, callback = 0, compile = 0, compute = 1.122e-06, garbage = 0,
    host = 4.327e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 3.324e-06, other = 0, output = 0.00010282, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.0001119
  },
  {
   began = 0.0048486,
   lane = 1,
   parts = {barrier = 5.21e-07, callback = 0.0001183, compile = 0, compute = 4.6428e-05,
    garbage = 0, host = 3.0325e-05, input_feed = 1.062e-06, input_read = 1.1e-07,
    input_wait = 0, input_work = 2e-07, launch = 4.458e-06, other = 0,
    output = 6.95e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00020835
  },
  {
   began = 0.005057,
   lane = 1,
   parts = {barrier = 3e-07, callback = 0, compile = 0, compute = 1.042e-06, garbage = 0,
    host = 9.474e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 9.143e-06, other = 0, output = 9.8747e-05, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00011871
  },
  {
   began = 0.0051757,
   lane = 1,
   parts = {barrier = 6.92e-07, callback = 0.00013167, compile = 0, compute = 7.8186e-05,
    garbage = 0, host = 4.4145e-05, input_feed = 1.412e-06, input_read = 1.4e-07,
    input_wait = 0, input_work = 2.4e-07, launch = 6.038e-06, other = 0,
    output = 6.53e-06, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00026905
  },
  {
   began = 0.0054447,
   lane = 1,
   parts = {barrier = 3.8e-07, callback = 0, compile = 0, compute = 1.262e-06,
    garbage = 0, host = 1.328e-05, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 2.183e-06, other = 0, output = 0.00013901, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00015611
  },
  {
   began = 0.0056008,
   lane = 1,
   parts = {barrier = 4.3e-07, callback = 0.00014163, compile = 0, compute = 2.013e-06,
    garbage = 0, host = 7.061e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.904e-06, other = 0, output = 0.00014266, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.0002957
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
