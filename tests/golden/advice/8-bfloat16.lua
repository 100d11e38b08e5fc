-- f32 where bf16 is faster: see record.lua
return {
 cpus = 1,
 disk_faults = 0,
 events = 191,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 191,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 4.4815e-05, callback = 2.0741e-05, compile = 3.1656e-05,
    compute = 0.13301, garbage = 0.0029885, host = 0.0012881,
    input_feed = 2.8691e-05, input_read = 4.94e-06, input_wait = 0,
    input_work = 5.726e-06, launch = 0.0041142, other = 2.1693e-05,
    output = 0.00032243, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 5.078e-06,
     text = "history: on_train_begin", total = 5.078e-06}
   },
   part = "callback",
   self = 5.078e-06,
   text = "history: on_train_begin",
   total = 5.078e-06
  },
  {
   amount = 4,
   calls = 4,
   lanes = {
    {amount = 4, calls = 4, part = "input_work", self = 5.726e-06,
     text = "Iterator::Repeat", total = 1.0666e-05}
   },
   part = "input_work",
   self = 5.726e-06,
   text = "Iterator::Repeat",
   total = 1.0666e-05
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.5663e-05,
     text = "history: on_epoch_end", total = 1.5663e-05}
   },
   part = "callback",
   self = 1.5663e-05,
   text = "history: on_epoch_end",
   total = 1.5663e-05
  },
  {
   amount = 4,
   calls = 7,
   lanes = {
    {amount = 4, calls = 7, part = "input_read", self = 4.94e-06,
     text = "Iterator::Repeat::FromTensors", total = 4.94e-06}
   },
   part = "input_read",
   self = 4.94e-06,
   text = "Iterator::Repeat::FromTensors",
   total = 4.94e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.0051293, text = "train loop",
     total = 0.13818}
   },
   part = "host",
   self = 0.0051293,
   text = "train loop",
   total = 0.13818
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.00033409, text = "metrics",
     total = 0.00034058}
   },
   part = "output",
   self = 0.00033409,
   text = "metrics",
   total = 0.00034058
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0029885, text = "collect",
     total = 0.0029885}
   },
   part = "garbage",
   self = 0.0029885,
   text = "collect",
   total = 0.0029885
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00033493, text = "fit",
     total = 0.14186}
   },
   part = "host",
   self = 0.00033493,
   text = "fit",
   total = 0.14186
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "compile", self = 3.1656e-05, text = "compile",
     total = 3.1656e-05}
   },
   part = "compile",
   self = 3.1656e-05,
   text = "compile",
   total = 3.1656e-05
  }
 },
 page_faults = 1,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.603e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.2e-07, variable_bytes = 0},
   runs = 1,
   seconds = 1.723e-06,
   steps = 1,
   waiting = 4.52e-07
  },
  {
   {bytes = 6295616, columns = 1024, depth = 1024, elements = 4194368,
    flops = 537395200, is_half = false, kind = "product",
    layer = "sequential/dense", location = "advice_cases.lua:13", name = "f32",
    operations = 536870912, phase = 0, products = 1, rows = 256, runs = 8,
    seconds = 0.021932, variable_bytes = 4096},
   {bytes = 6295616, columns = 1024, depth = 1024, elements = 4194368,
    flops = 537395200, is_half = false, kind = "product",
    layer = "sequential/dense_1", location = "advice_cases.lua:13", name = "f32",
    operations = 536870912, phase = 0, products = 1, rows = 256, runs = 8,
    seconds = 0.021754, variable_bytes = 4096},
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 4,
    seconds = 4.3394e-05, variable_bytes = 16},
   {bytes = 69696, columns = 0, depth = 0, elements = 65600, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_2",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 4, seconds = 3.6813e-05, variable_bytes = 4096},
   {bytes = 8256, columns = 0, depth = 0, elements = 4160, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_2",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 4, seconds = 4.8373e-05, variable_bytes = 4096},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 4, seconds = 9.714e-06, variable_bytes = 8},
   {bytes = 1118276, columns = 1, depth = 1024, elements = 262144, flops = 525824,
    is_half = false, kind = "product", layer = "sequential/dense_2",
    location = "advice_cases.lua:13", name = "f32", operations = 524288, phase = 1,
    products = 1, rows = 256, runs = 4, seconds = 0.00047407, variable_bytes = 4},
   {bytes = 1056, columns = 0, depth = 0, elements = 256, flops = 256,
    is_half = false, kind = "loop", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 4, seconds = 8.632e-06, variable_bytes = 0},
   {bytes = 36, columns = 0, depth = 0, elements = 8, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 4, seconds = 2.424e-06, variable_bytes = 0},
   {bytes = 1056, columns = 0, depth = 0, elements = 256, flops = 256,
    is_half = false, kind = "loop", layer = "sequential/dense_2",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 4, seconds = 4.506e-06, variable_bytes = 0},
   {bytes = 36, columns = 0, depth = 0, elements = 8, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/dense_2",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 4, seconds = 1.253e-06, variable_bytes = 0},
   {bytes = 17472, columns = 0, depth = 0, elements = 16448, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_2",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 4, seconds = 9.644e-06, variable_bytes = 0},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 4, seconds = 8.202e-06, variable_bytes = 8},
   {bytes = 32, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 1, products = 0, rows = 0, runs = 4,
    seconds = 1.0765e-05, variable_bytes = 24},
   {bytes = 3183744, columns = 1024, depth = 1, elements = 1048640,
    flops = 1310720, is_half = false, kind = "product",
    layer = "sequential/dense_2", location = "advice_cases.lua:13", name = "f32",
    operations = 524288, phase = 2, products = 1, rows = 256, runs = 8,
    seconds = 0.0019217, variable_bytes = 0},
   {bytes = 8421504, columns = 1024, depth = 1024, elements = 4194368,
    flops = 537657344, is_half = false, kind = "product",
    layer = "sequential/dense_1", location = "advice_cases.lua:13", name = "f32",
    operations = 536870912, phase = 2, products = 1, rows = 256, runs = 8,
    seconds = 0.022967, variable_bytes = 0},
   {bytes = 1089604, columns = 1, depth = 256, elements = 262144, flops = 524288,
    is_half = false, kind = "product", layer = "sequential/dense_2",
    location = "advice_cases.lua:13", name = "f32", operations = 524288, phase = 2,
    products = 1, rows = 1024, runs = 4, seconds = 0.00095144,
    variable_bytes = 24576},
   {bytes = 36864, columns = 0, depth = 0, elements = 8192, flops = 0,
    is_half = false, kind = "combine", layer = "sequential/dense_2",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 3,
    products = 0, rows = 0, runs = 4, seconds = 1.8426e-05, variable_bytes = 0},
   {bytes = 28676, columns = 0, depth = 0, elements = 1024, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 3,
    products = 0, rows = 0, runs = 4, seconds = 1.4141e-05, variable_bytes = 24576},
   {bytes = 36864, columns = 0, depth = 0, elements = 8192, flops = 0,
    is_half = false, kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 3,
    products = 0, rows = 0, runs = 4, seconds = 8.493e-06, variable_bytes = 0},
   {bytes = 28676, columns = 0, depth = 0, elements = 1024, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 3,
    products = 0, rows = 0, runs = 4, seconds = 1.5864e-05, variable_bytes = 24576},
   {bytes = 35651780, columns = 1024, depth = 256, elements = 4194368,
    flops = 536870912, is_half = false, kind = "product",
    layer = "sequential/dense_1", location = "advice_cases.lua:13", name = "f32",
    operations = 536870912, phase = 3, products = 1, rows = 1024, runs = 8,
    seconds = 0.03377, variable_bytes = 25165824},
   {bytes = 31457412, columns = 1024, depth = 256, elements = 4194368,
    flops = 536870912, is_half = false, kind = "product",
    layer = "sequential/dense", location = "advice_cases.lua:13", name = "f32",
    operations = 536870912, phase = 3, products = 1, rows = 1024, runs = 8,
    seconds = 0.028993, variable_bytes = 25165824},
   runs = 4,
   seconds = 0.133,
   steps = 4,
   waiting = 1.6204e-05
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 5.919e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 5.71e-07, variable_bytes = 0},
   runs = 1,
   seconds = 6.49e-06,
   steps = 1,
   waiting = 2.8e-07
  }
 },
 seconds = 0.14188,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 1.732e-06, callback = 5.078e-06, compile = 3.1656e-05,
    compute = 1.723e-06, garbage = 0, host = 0.0003554, input_feed = 4.347e-06,
    input_read = 1.192e-06, input_wait = 0, input_work = 9.11e-07,
    launch = 5.678e-06, other = 1.8428e-05, output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.00042614
  },
  {
   began = 0.00042614,
   lane = 1,
   parts = {barrier = 7.853e-06, callback = 0, compile = 0, compute = 0.032263,
    garbage = 0, host = 4.7971e-05, input_feed = 1.672e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 0.0040414, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 256,
   seconds = 0.036362
  },
  {
   began = 0.036788,
   lane = 1,
   parts = {barrier = 7.34e-06, callback = 0, compile = 0, compute = 0.033952,
    garbage = 0, host = 0.00020485, input_feed = 5.989e-06, input_read = 1.183e-06,
    input_wait = 0, input_work = 1.751e-06, launch = 1.3992e-05, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 256,
   seconds = 0.034187
  },
  {
   began = 0.070976,
   lane = 1,
   parts = {barrier = 1.8947e-05, callback = 0, compile = 0, compute = 0.032948,
    garbage = 0, host = 0.000297, input_feed = 8.112e-06, input_read = 1.213e-06,
    input_wait = 0, input_work = 1.501e-06, launch = 1.7326e-05, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 256,
   seconds = 0.033292
  },
  {
   began = 0.10427,
   lane = 1,
   parts = {barrier = 6.7e-06, callback = 0, compile = 0, compute = 0.033841, garbage = 0,
    host = 0.00023517, input_feed = 8.571e-06, input_read = 1.352e-06,
    input_wait = 0, input_work = 1.563e-06, launch = 1.7647e-05, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 256,
   seconds = 0.034112
  },
  {
   began = 0.13838,
   lane = 1,
   parts = {barrier = 2.023e-06, callback = 0, compile = 0, compute = 6.49e-06,
    garbage = 0, host = 8.11e-05, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.7816e-05, other = 0, output = 0.00030219, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00040962
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
