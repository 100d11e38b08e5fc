-- one step an execution: see record.lua
return {
 cpus = 1,
 disk_faults = 0,
 events = 434,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 434,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 8.676e-06, callback = 1.2509e-05, compile = 2.4506e-05,
    compute = 0.00015873, garbage = 0.0016308, host = 0.0010139,
    input_feed = 1.7345e-05, input_read = 2.315e-06, input_wait = 0,
    input_work = 3.565e-06, launch = 4.5322e-05, other = 2.4626e-05,
    output = 0.00016096, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 5.498e-06,
     text = "history: on_train_begin", total = 5.498e-06}
   },
   part = "callback",
   self = 5.498e-06,
   text = "history: on_train_begin",
   total = 5.498e-06
  },
  {
   amount = 16,
   calls = 16,
   lanes = {
    {amount = 16, calls = 16, part = "input_work", self = 3.565e-06,
     text = "Iterator::Repeat", total = 5.88e-06}
   },
   part = "input_work",
   self = 3.565e-06,
   text = "Iterator::Repeat",
   total = 5.88e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 7.011e-06,
     text = "history: on_epoch_end", total = 7.011e-06}
   },
   part = "callback",
   self = 7.011e-06,
   text = "history: on_epoch_end",
   total = 7.011e-06
  },
  {
   amount = 16,
   calls = 31,
   lanes = {
    {amount = 16, calls = 31, part = "input_read", self = 2.315e-06,
     text = "Iterator::Repeat::FromTensors", total = 2.315e-06}
   },
   part = "input_read",
   self = 2.315e-06,
   text = "Iterator::Repeat::FromTensors",
   total = 2.315e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00078817, text = "train loop",
     total = 0.00097368}
   },
   part = "host",
   self = 0.00078817,
   text = "train loop",
   total = 0.00097368
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.00016643, text = "metrics",
     total = 0.00017003}
   },
   part = "output",
   self = 0.00016643,
   text = "metrics",
   total = 0.00017003
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0016308, text = "collect",
     total = 0.0016308}
   },
   part = "garbage",
   self = 0.0016308,
   text = "collect",
   total = 0.0016308
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00029157, text = "fit",
     total = 0.0030785}
   },
   part = "host",
   self = 0.00029157,
   text = "fit",
   total = 0.0030785
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "compile", self = 2.4506e-05, text = "compile",
     total = 2.4506e-05}
   },
   part = "compile",
   self = 2.4506e-05,
   text = "compile",
   total = 2.4506e-05
  }
 },
 page_faults = 8,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.132e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.1e-07, variable_bytes = 0},
   runs = 1,
   seconds = 1.242e-06,
   steps = 1,
   waiting = 4.5e-07
  },
  {
   {bytes = 800, columns = 8, depth = 8, elements = 64, flops = 1152,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32 of few rows", operations = 1024,
    phase = 0, products = 1, rows = 8, runs = 16, seconds = 2.6729e-05,
    variable_bytes = 288},
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 16,
    seconds = 1.5814e-05, variable_bytes = 16},
   {bytes = 420, columns = 1, depth = 8, elements = 64, flops = 176,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32 of few rows", operations = 128,
    phase = 0, products = 1, rows = 8, runs = 16, seconds = 1.4272e-05,
    variable_bytes = 36},
   {bytes = 36, columns = 0, depth = 0, elements = 8, flops = 8, is_half = false,
    kind = "loop", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 3.414e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 1.2498e-05, variable_bytes = 0},
   {bytes = 36, columns = 0, depth = 0, elements = 8, flops = 8, is_half = false,
    kind = "loop", layer = "sequential/dense_1", location = "advice_cases.lua:13",
    name = "", operations = 0, phase = 0, products = 0, rows = 0, runs = 16,
    seconds = 4.758e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 1.011e-06, variable_bytes = 0},
   {bytes = 608, columns = 8, depth = 1, elements = 64, flops = 320,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32 of few rows", operations = 128,
    phase = 0, products = 1, rows = 8, runs = 16, seconds = 1.5242e-05,
    variable_bytes = 32},
   {bytes = 64, columns = 0, depth = 0, elements = 8, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 6.76e-06, variable_bytes = 0},
   {bytes = 484, columns = 1, depth = 8, elements = 64, flops = 128,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32 of few rows", operations = 128,
    phase = 0, products = 1, rows = 8, runs = 16, seconds = 1.4273e-05,
    variable_bytes = 192},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 8.321e-06, variable_bytes = 8},
   {bytes = 2052, columns = 8, depth = 8, elements = 64, flops = 1024,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32 of few rows", operations = 1024,
    phase = 0, products = 1, rows = 8, runs = 16, seconds = 1.0945e-05,
    variable_bytes = 1536},
   {bytes = 228, columns = 0, depth = 0, elements = 8, flops = 0, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 16,
    seconds = 8.453e-06, variable_bytes = 192},
   {bytes = 32, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 16,
    seconds = 3.916e-06, variable_bytes = 24},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 7.48e-06, variable_bytes = 8},
   runs = 16,
   seconds = 0.00015389,
   steps = 16,
   waiting = 2.455e-06
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 3.455e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.5e-07, variable_bytes = 0},
   runs = 1,
   seconds = 3.605e-06,
   steps = 1,
   waiting = 1.7e-07
  }
 },
 seconds = 0.0031033,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 1.402e-06, callback = 5.498e-06, compile = 2.4506e-05,
    compute = 1.242e-06, garbage = 0, host = 0.00030544, input_feed = 4.315e-06,
    input_read = 7.31e-07, input_wait = 0, input_work = 8.62e-07,
    launch = 4.196e-06, other = 2.2323e-05, output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.00037052
  },
  {
   began = 0.00037052,
   lane = 1,
   parts = {barrier = 5.92e-07, callback = 0, compile = 0, compute = 2.6669e-05,
    garbage = 0, host = 3.4681e-05, input_feed = 1.732e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 1.5153e-05, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 8,
   seconds = 7.8827e-05
  },
  {
   began = 0.00044935,
   lane = 1,
   parts = {barrier = 4.5e-07, callback = 0, compile = 0, compute = 8.152e-06,
    garbage = 0, host = 5.1756e-05, input_feed = 1.143e-06, input_read = 1.8e-07,
    input_wait = 0, input_work = 2.9e-07, launch = 1.943e-06, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 8,
   seconds = 6.3914e-05
  },
  {
   began = 0.00051326,
   lane = 1,
   parts = {barrier = 4.8e-07, callback = 0, compile = 0, compute = 7.291e-06,
    garbage = 0, host = 4.2223e-05, input_feed = 8.02e-07, input_read = 1.4e-07,
    input_wait = 0, input_work = 1.6e-07, launch = 1.632e-06, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 8,
   seconds = 5.2728e-05
  },
  {
   began = 0.00056599,
   lane = 1,
   parts = {barrier = 4e-07, callback = 0, compile = 0, compute = 1.2969e-05, garbage = 0,
    host = 4.1092e-05, input_feed = 7.21e-07, input_read = 1e-07, input_wait = 0,
    input_work = 1.7e-07, launch = 1.392e-06, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 8,
   seconds = 5.6844e-05
  },
  {
   began = 0.00062283,
   lane = 1,
   parts = {barrier = 4.21e-07, callback = 0, compile = 0, compute = 6.75e-06,
    garbage = 0, host = 3.9529e-05, input_feed = 6.71e-07, input_read = 1.11e-07,
    input_wait = 0, input_work = 1.8e-07, launch = 1.401e-06, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.9063e-05
  },
  {
   began = 0.0006719,
   lane = 1,
   parts = {barrier = 3.62e-07, callback = 0, compile = 0, compute = 6.689e-06,
    garbage = 0, host = 3.8327e-05, input_feed = 7.1e-07, input_read = 1e-07,
    input_wait = 0, input_work = 1.71e-07, launch = 1.232e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.7591e-05
  },
  {
   began = 0.00071949,
   lane = 1,
   parts = {barrier = 3.5e-07, callback = 0, compile = 0, compute = 6.79e-06, garbage = 0,
    host = 3.9108e-05, input_feed = 6.71e-07, input_read = 1.11e-07, input_wait = 0,
    input_work = 1.7e-07, launch = 1.231e-06, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.8431e-05
  },
  {
   began = 0.00076792,
   lane = 1,
   parts = {barrier = 4.23e-07, callback = 0, compile = 0, compute = 9.984e-06,
    garbage = 0, host = 3.8147e-05, input_feed = 7.21e-07, input_read = 1e-07,
    input_wait = 0, input_work = 1.7e-07, launch = 1.281e-06, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 8,
   seconds = 5.0826e-05
  },
  {
   began = 0.00081874,
   lane = 1,
   parts = {barrier = 3.7e-07, callback = 0, compile = 0, compute = 6.6e-06, garbage = 0,
    host = 3.9058e-05, input_feed = 7.12e-07, input_read = 9e-08, input_wait = 0,
    input_work = 1.7e-07, launch = 1.291e-06, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.8291e-05
  },
  {
   began = 0.00086703,
   lane = 1,
   parts = {barrier = 4.81e-07, callback = 0, compile = 0, compute = 6.74e-06,
    garbage = 0, host = 3.8838e-05, input_feed = 6.6e-07, input_read = 9e-08,
    input_wait = 0, input_work = 1.8e-07, launch = 1.313e-06, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.8302e-05
  },
  {
   began = 0.00091534,
   lane = 1,
   parts = {barrier = 3.7e-07, callback = 0, compile = 0, compute = 6.53e-06, garbage = 0,
    host = 3.6965e-05, input_feed = 6.71e-07, input_read = 9.1e-08, input_wait = 0,
    input_work = 1.6e-07, launch = 1.211e-06, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.5998e-05
  },
  {
   began = 0.00096133,
   lane = 1,
   parts = {barrier = 3.72e-07, callback = 0, compile = 0, compute = 9.884e-06,
    garbage = 0, host = 3.9397e-05, input_feed = 7.41e-07, input_read = 8e-08,
    input_wait = 0, input_work = 1.61e-07, launch = 1.212e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 8,
   seconds = 5.1847e-05
  },
  {
   began = 0.0010132,
   lane = 1,
   parts = {barrier = 4.51e-07, callback = 0, compile = 0, compute = 7.04e-06,
    garbage = 0, host = 3.8708e-05, input_feed = 8.11e-07, input_read = 8e-08,
    input_wait = 0, input_work = 1.71e-07, launch = 1.351e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.8612e-05
  },
  {
   began = 0.0010618,
   lane = 1,
   parts = {barrier = 3.4e-07, callback = 0, compile = 0, compute = 7.091e-06,
    garbage = 0, host = 3.9058e-05, input_feed = 7.9e-07, input_read = 1.11e-07,
    input_wait = 0, input_work = 2.1e-07, launch = 1.452e-06, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.9052e-05
  },
  {
   began = 0.0011108,
   lane = 1,
   parts = {barrier = 4e-07, callback = 0, compile = 0, compute = 6.73e-06, garbage = 0,
    host = 3.9178e-05, input_feed = 7.52e-07, input_read = 1e-07, input_wait = 0,
    input_work = 1.7e-07, launch = 1.382e-06, other = 0, output = 0, trace = 0},
   program = 2,
   rows = 8,
   seconds = 4.8712e-05
  },
  {
   began = 0.0011596,
   lane = 1,
   parts = {barrier = 3.8e-07, callback = 0, compile = 0, compute = 1.7977e-05,
    garbage = 0, host = 3.7155e-05, input_feed = 7.22e-07, input_read = 1e-07,
    input_wait = 0, input_work = 1.7e-07, launch = 1.272e-06, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 8,
   seconds = 5.7776e-05
  },
  {
   began = 0.0012173,
   lane = 1,
   parts = {barrier = 4.01e-07, callback = 0, compile = 0, compute = 3.605e-06,
    garbage = 0, host = 8.332e-06, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 5.087e-06, other = 0, output = 0.00014968, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00016711
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
