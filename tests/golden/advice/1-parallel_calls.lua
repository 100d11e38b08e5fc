-- slow map: see record.lua
return {
 cpus = 2,
 disk_faults = 0,
 events = 3122,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 668,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 2.1628e-05, callback = 1.7385e-05, compile = 6.064e-05,
    compute = 0.00052719, garbage = 0.0032005, host = 0.0023728,
    input_feed = 5.1292e-05, input_read = 0, input_wait = 0.013292, input_work = 0,
    launch = 0.00011919, other = 3.6374e-05, output = 0.00026894, trace = 0}
  },
  {
   began = 0.00045076,
   events = 2454,
   lost = 0,
   name = "prefetch",
   number = 0,
   parts = {barrier = 0, callback = 0, compile = 0, compute = 0, garbage = 0, host = 0,
    input_feed = 0, input_read = 4.078e-05, input_wait = 0, input_work = 0.017696,
    launch = 0, other = 0.00025959, output = 0, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 4.697e-06,
     text = "history: on_train_begin", total = 4.697e-06}
   },
   part = "callback",
   self = 4.697e-06,
   text = "history: on_train_begin",
   total = 4.697e-06
  },
  {
   amount = 896,
   calls = 896,
   lanes = {
    [2] = {amount = 896, calls = 896, part = "input_read", self = 4.078e-05,
     text = "Iterator::Prefetch::Batch::Repeat::Transform::Number::FromTensorSlices",
     total = 4.078e-05}
   },
   part = "input_read",
   self = 4.078e-05,
   text = "Iterator::Prefetch::Batch::Repeat::Transform::Number::FromTensorSlices",
   total = 4.078e-05
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.2688e-05,
     text = "history: on_epoch_end", total = 1.2688e-05}
   },
   part = "callback",
   self = 1.2688e-05,
   text = "history: on_epoch_end",
   total = 1.2688e-05
  },
  {
   amount = 896,
   calls = 896,
   lanes = {
    [2] = {amount = 896, calls = 896, part = "input_work", self = 0.00017694,
     text = "Iterator::Prefetch::Batch::Repeat::Transform::Number",
     total = 0.00021772}
   },
   part = "input_work",
   self = 0.00017694,
   text = "Iterator::Prefetch::Batch::Repeat::Transform::Number",
   total = 0.00021772
  },
  {
   amount = 28,
   calls = 28,
   lanes = {
    [2] = {amount = 28, calls = 28, part = "input_work", self = 0.00011341,
     text = "Iterator::Prefetch::Batch", total = 0.017737}
   },
   part = "input_work",
   self = 0.00011341,
   text = "Iterator::Prefetch::Batch",
   total = 0.017737
  },
  {
   amount = 896,
   calls = 317,
   lanes = {
    [2] = {amount = 896, calls = 317, part = "input_work", self = 0.01735,
     text = "Iterator::Prefetch::Batch::Repeat::Transform", total = 0.017568}
   },
   part = "input_work",
   self = 0.01735,
   text = "Iterator::Prefetch::Batch::Repeat::Transform",
   total = 0.017568
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.0018757, text = "train loop",
     total = 0.015751}
   },
   part = "host",
   self = 0.0018757,
   text = "train loop",
   total = 0.015751
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.00027659, text = "metrics",
     total = 0.00028064}
   },
   part = "output",
   self = 0.00027659,
   text = "metrics",
   total = 0.00028064
  },
  {
   amount = 24,
   calls = 24,
   lanes = {
    {amount = 24, calls = 24, part = "input_wait", self = 0.013292,
     text = "Iterator::Prefetch", total = 0.013292}
   },
   part = "input_wait",
   self = 0.013292,
   text = "Iterator::Prefetch",
   total = 0.013292
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0032005, text = "collect",
     total = 0.0032005}
   },
   part = "garbage",
   self = 0.0032005,
   text = "collect",
   total = 0.0032005
  },
  {
   amount = 896,
   calls = 317,
   lanes = {
    [2] = {amount = 896, calls = 317, part = "input_work", self = 5.5545e-05,
     text = "Iterator::Prefetch::Batch::Repeat", total = 0.017624}
   },
   part = "input_work",
   self = 5.5545e-05,
   text = "Iterator::Prefetch::Batch::Repeat",
   total = 0.017624
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00068156, text = "fit",
     total = 0.019932}
   },
   part = "host",
   self = 0.00068156,
   text = "fit",
   total = 0.019932
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "compile", self = 6.064e-05, text = "compile",
     total = 6.064e-05}
   },
   part = "compile",
   self = 6.064e-05,
   text = "compile",
   total = 6.064e-05
  }
 },
 page_faults = 47,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.732e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.2e-07, variable_bytes = 0},
   runs = 1,
   seconds = 1.852e-06,
   steps = 1,
   waiting = 7.31e-07
  },
  {
   {bytes = 14656, columns = 64, depth = 16, elements = 4160, flops = 69632,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 65536, phase = 0,
    products = 1, rows = 32, runs = 24, seconds = 8.0877e-05, variable_bytes = 256},
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 24,
    seconds = 5.351e-05, variable_bytes = 16},
   {bytes = 4416, columns = 0, depth = 0, elements = 4160, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.7295e-05, variable_bytes = 256},
   {bytes = 12868, columns = 1, depth = 64, elements = 4160, flops = 4288,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 0,
    products = 1, rows = 32, runs = 24, seconds = 4.641e-05, variable_bytes = 4},
   {bytes = 132, columns = 0, depth = 0, elements = 32, flops = 32,
    is_half = false, kind = "loop", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.4076e-05, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 8.476e-06, variable_bytes = 0},
   {bytes = 132, columns = 0, depth = 0, elements = 32, flops = 32,
    is_half = false, kind = "loop", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 6.27e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 2.666e-06, variable_bytes = 0},
   {bytes = 576, columns = 0, depth = 0, elements = 320, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 6.0819e-05, variable_bytes = 256},
   {bytes = 25344, columns = 64, depth = 1, elements = 8256, flops = 10240,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 0,
    products = 1, rows = 32, runs = 24, seconds = 5.2446e-05, variable_bytes = 0},
   {bytes = 512, columns = 0, depth = 0, elements = 64, flops = 0,
    is_half = false, kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 7.852e-06, variable_bytes = 0},
   {bytes = 2240, columns = 0, depth = 0, elements = 2112, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 6.708e-06, variable_bytes = 0},
   {bytes = 11844, columns = 1, depth = 32, elements = 2112, flops = 4096,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 0,
    products = 1, rows = 64, runs = 24, seconds = 5.5594e-05, variable_bytes = 1536},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.51e-05, variable_bytes = 8},
   {bytes = 39044, columns = 64, depth = 32, elements = 8256, flops = 65536,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 65536, phase = 0,
    products = 1, rows = 16, runs = 24, seconds = 5.5125e-05,
    variable_bytes = 24576},
   {bytes = 1796, columns = 0, depth = 0, elements = 64, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.4641e-05, variable_bytes = 1536},
   {bytes = 32, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 24,
    seconds = 1.1507e-05, variable_bytes = 24},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.1905e-05, variable_bytes = 8},
   runs = 24,
   seconds = 0.00052128,
   steps = 24,
   waiting = 6.01e-06
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 3.775e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 2.81e-07, variable_bytes = 0},
   runs = 1,
   seconds = 4.056e-06,
   steps = 1,
   waiting = 1.7e-07
  }
 },
 seconds = 0.019968,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 2.264e-06, callback = 4.697e-06, compile = 6.064e-05,
    compute = 1.852e-06, garbage = 0, host = 0.00044848, input_feed = 4.967e-06,
    input_read = 0, input_wait = 0.0012731, input_work = 0, launch = 8.322e-06,
    other = 2.9033e-05, output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.0018334
  },
  {
   began = 0.0018334,
   lane = 1,
   parts = {barrier = 1.332e-06, callback = 0, compile = 0, compute = 7.2678e-05,
    garbage = 0, host = 7.1937e-05, input_feed = 2.103e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 4.2422e-05, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00019047
  },
  {
   began = 0.0020238,
   lane = 1,
   parts = {barrier = 7e-07, callback = 0, compile = 0, compute = 1.4201e-05, garbage = 0,
    host = 8.0148e-05, input_feed = 1.925e-06, input_read = 0,
    input_wait = 0.00019994, input_work = 0, launch = 3.104e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00030001
  },
  {
   began = 0.0023239,
   lane = 1,
   parts = {barrier = 7.72e-07, callback = 0, compile = 0, compute = 1.4601e-05,
    garbage = 0, host = 5.6483e-05, input_feed = 1.792e-06, input_read = 0,
    input_wait = 0.00052586, input_work = 0, launch = 2.294e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.0006018
  },
  {
   began = 0.0029257,
   lane = 1,
   parts = {barrier = 7.32e-07, callback = 0, compile = 0, compute = 2.2683e-05,
    garbage = 0, host = 6.2032e-05, input_feed = 2.083e-06, input_read = 0,
    input_wait = 0.00047959, input_work = 0, launch = 2.374e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00056949
  },
  {
   began = 0.0034951,
   lane = 1,
   parts = {barrier = 6.3e-07, callback = 0, compile = 0, compute = 1.6304e-05,
    garbage = 0, host = 5.7305e-05, input_feed = 1.814e-06, input_read = 0,
    input_wait = 0.00048974, input_work = 0, launch = 2.593e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00056839
  },
  {
   began = 0.0040635,
   lane = 1,
   parts = {barrier = 7.72e-07, callback = 0, compile = 0, compute = 1.6344e-05,
    garbage = 0, host = 5.9698e-05, input_feed = 1.772e-06, input_read = 0,
    input_wait = 0.0005099, input_work = 0, launch = 2.254e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00059074
  },
  {
   began = 0.0046543,
   lane = 1,
   parts = {barrier = 6.7e-07, callback = 0, compile = 0, compute = 1.7416e-05,
    garbage = 0, host = 6.1981e-05, input_feed = 1.574e-06, input_read = 0,
    input_wait = 0.00053549, input_work = 0, launch = 2.063e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.0006192
  },
  {
   began = 0.0052735,
   lane = 1,
   parts = {barrier = 6.5e-07, callback = 0, compile = 0, compute = 2.1472e-05,
    garbage = 0, host = 6.2072e-05, input_feed = 1.883e-06, input_read = 0,
    input_wait = 0.00050369, input_work = 0, launch = 2.564e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00059233
  },
  {
   began = 0.0058658,
   lane = 1,
   parts = {barrier = 1.053e-06, callback = 0, compile = 0, compute = 5.8877e-05,
    garbage = 0, host = 6.5386e-05, input_feed = 2.093e-06, input_read = 0,
    input_wait = 0.00051886, input_work = 0, launch = 3.345e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00064961
  },
  {
   began = 0.0065154,
   lane = 1,
   parts = {barrier = 7.71e-07, callback = 0, compile = 0, compute = 1.9038e-05,
    garbage = 0, host = 7.3969e-05, input_feed = 2.374e-06, input_read = 0,
    input_wait = 0.0005287, input_work = 0, launch = 3.335e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00062819
  },
  {
   began = 0.0071436,
   lane = 1,
   parts = {barrier = 8.71e-07, callback = 0, compile = 0, compute = 1.4902e-05,
    garbage = 0, host = 6.0819e-05, input_feed = 2.385e-06, input_read = 0,
    input_wait = 0.00049008, input_work = 0, launch = 2.854e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00057191
  },
  {
   began = 0.0077155,
   lane = 1,
   parts = {barrier = 9.03e-07, callback = 0, compile = 0, compute = 1.8487e-05,
    garbage = 0, host = 7.5311e-05, input_feed = 2.135e-06, input_read = 0,
    input_wait = 0.00053007, input_work = 0, launch = 3.143e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00063005
  },
  {
   began = 0.0083456,
   lane = 1,
   parts = {barrier = 8.61e-07, callback = 0, compile = 0, compute = 2.0651e-05,
    garbage = 0, host = 6.3914e-05, input_feed = 2.144e-06, input_read = 0,
    input_wait = 0.00069837, input_work = 0, launch = 2.634e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00078858
  },
  {
   began = 0.0091341,
   lane = 1,
   parts = {barrier = 7.12e-07, callback = 0, compile = 0, compute = 1.402e-05,
    garbage = 0, host = 4.9834e-05, input_feed = 1.872e-06, input_read = 0,
    input_wait = 0.00049594, input_work = 0, launch = 2.535e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00056492
  },
  {
   began = 0.0096991,
   lane = 1,
   parts = {barrier = 8.12e-07, callback = 0, compile = 0, compute = 2.2924e-05,
    garbage = 0, host = 5.8266e-05, input_feed = 1.662e-06, input_read = 0,
    input_wait = 0.00051901, input_work = 0, launch = 2.443e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00060512
  },
  {
   began = 0.010304,
   lane = 1,
   parts = {barrier = 7.22e-07, callback = 0, compile = 0, compute = 1.7956e-05,
    garbage = 0, host = 6.5848e-05, input_feed = 1.992e-06, input_read = 0,
    input_wait = 0.00056316, input_work = 0, launch = 2.473e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00065216
  },
  {
   began = 0.010956,
   lane = 1,
   parts = {barrier = 7.82e-07, callback = 0, compile = 0, compute = 1.5633e-05,
    garbage = 0, host = 5.5993e-05, input_feed = 1.492e-06, input_read = 0,
    input_wait = 0.00073877, input_work = 0, launch = 2.373e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00081505
  },
  {
   began = 0.011771,
   lane = 1,
   parts = {barrier = 7.52e-07, callback = 0, compile = 0, compute = 1.6814e-05,
    garbage = 0, host = 5.8256e-05, input_feed = 1.512e-06, input_read = 0,
    input_wait = 0.00052347, input_work = 0, launch = 2.475e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00060327
  },
  {
   began = 0.012375,
   lane = 1,
   parts = {barrier = 7.5e-07, callback = 0, compile = 0, compute = 2.1562e-05,
    garbage = 0, host = 6.1e-05, input_feed = 1.724e-06, input_read = 0,
    input_wait = 0.0005488, input_work = 0, launch = 2.614e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00063645
  },
  {
   began = 0.013011,
   lane = 1,
   parts = {barrier = 7e-07, callback = 0, compile = 0, compute = 1.6725e-05, garbage = 0,
    host = 6.045e-05, input_feed = 1.933e-06, input_read = 0,
    input_wait = 0.00050187, input_work = 0, launch = 2.504e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00058419
  },
  {
   began = 0.013595,
   lane = 1,
   parts = {barrier = 6.02e-07, callback = 0, compile = 0, compute = 1.7095e-05,
    garbage = 0, host = 5.3188e-05, input_feed = 1.253e-06, input_read = 0,
    input_wait = 0.00054554, input_work = 0, launch = 2.424e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.0006201
  },
  {
   began = 0.014215,
   lane = 1,
   parts = {barrier = 7.52e-07, callback = 0, compile = 0, compute = 1.5623e-05,
    garbage = 0, host = 5.2187e-05, input_feed = 2.242e-06, input_read = 0,
    input_wait = 0.00054453, input_work = 0, launch = 2.604e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00061794
  },
  {
   began = 0.014833,
   lane = 1,
   parts = {barrier = 6.21e-07, callback = 0, compile = 0, compute = 1.8447e-05,
    garbage = 0, host = 5.7175e-05, input_feed = 2.393e-06, input_read = 0,
    input_wait = 0.00051823, input_work = 0, launch = 2.804e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00059967
  },
  {
   began = 0.015433,
   lane = 1,
   parts = {barrier = 7.41e-07, callback = 0, compile = 0, compute = 1.6824e-05,
    garbage = 0, host = 6.3074e-05, input_feed = 2.173e-06, input_read = 0,
    input_wait = 0.00050927, input_work = 0, launch = 2.905e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00059499
  },
  {
   began = 0.016028,
   lane = 1,
   parts = {barrier = 5.21e-07, callback = 0, compile = 0, compute = 4.056e-06,
    garbage = 0, host = 1.8888e-05, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 7.421e-06, other = 0, output = 0.00025159, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00028248
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
