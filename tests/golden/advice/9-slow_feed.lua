-- one replica's feed is slow: see record.lua
return {
 cpus = 1,
 disk_faults = 0,
 events = 1956,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 1956,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 1.856e-05, callback = 2.019e-05, compile = 4.6519e-05,
    compute = 0.00048411, garbage = 0.002783, host = 0.0022096,
    input_feed = 4.1869e-05, input_read = 2.8741e-05, input_wait = 1.1173e-05,
    input_work = 0.012137, launch = 0.00014806, other = 3.1547e-05,
    output = 0.00036539, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 5.969e-06,
     text = "history: on_train_begin", total = 5.969e-06}
   },
   part = "callback",
   self = 5.969e-06,
   text = "history: on_train_begin",
   total = 5.969e-06
  },
  {
   amount = 24,
   calls = 24,
   lanes = {
    {amount = 24, calls = 24, part = "input_work", self = 9.3024e-05,
     text = "Iterator::Hosts[1]::Prefetch::Batch", total = 0.012078}
   },
   part = "input_work",
   self = 9.3024e-05,
   text = "Iterator::Hosts[1]::Prefetch::Batch",
   total = 0.012078
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.4221e-05,
     text = "history: on_epoch_end", total = 1.4221e-05}
   },
   part = "callback",
   self = 1.4221e-05,
   text = "history: on_epoch_end",
   total = 1.4221e-05
  },
  {
   amount = 24,
   calls = 24,
   lanes = {
    {amount = 24, calls = 24, part = "input_wait", self = 6.694e-06,
     text = "Iterator::Hosts[0]::Prefetch", total = 5.238e-05}
   },
   part = "input_wait",
   self = 6.694e-06,
   text = "Iterator::Hosts[0]::Prefetch",
   total = 5.238e-05
  },
  {
   amount = 24,
   calls = 24,
   lanes = {
    {amount = 24, calls = 24, part = "input_wait", self = 4.479e-06,
     text = "Iterator::Hosts[1]::Prefetch", total = 0.012082}
   },
   part = "input_wait",
   self = 4.479e-06,
   text = "Iterator::Hosts[1]::Prefetch",
   total = 0.012082
  },
  {
   amount = 384,
   calls = 384,
   lanes = {
    {amount = 384, calls = 384, part = "input_work", self = 7.4473e-05,
     text = "Iterator::Hosts[1]::Prefetch::Batch::Repeat::Transform::Number",
     total = 9.8027e-05}
   },
   part = "input_work",
   self = 7.4473e-05,
   text = "Iterator::Hosts[1]::Prefetch::Batch::Repeat::Transform::Number",
   total = 9.8027e-05
  },
  {
   amount = 384,
   calls = 384,
   lanes = {
    {amount = 384, calls = 384, part = "input_read", self = 2.3554e-05,
     text = "Iterator::Hosts[1]::Prefetch::Batch::Repeat::Transform::Number::FromTensorSlices",
     total = 2.3554e-05}
   },
   part = "input_read",
   self = 2.3554e-05,
   text = "Iterator::Hosts[1]::Prefetch::Batch::Repeat::Transform::Number::FromTensorSlices",
   total = 2.3554e-05
  },
  {
   amount = 384,
   calls = 24,
   lanes = {
    {amount = 384, calls = 24, part = "input_work", self = 6.433e-06,
     text = "Iterator::Hosts[0]::Prefetch::Batch::Repeat", total = 1.162e-05}
   },
   part = "input_work",
   self = 6.433e-06,
   text = "Iterator::Hosts[0]::Prefetch::Batch::Repeat",
   total = 1.162e-05
  },
  {
   amount = 24,
   calls = 24,
   lanes = {
    {amount = 24, calls = 24, part = "input_work", self = 3.4066e-05,
     text = "Iterator::Hosts[0]::Prefetch::Batch", total = 4.5686e-05}
   },
   part = "input_work",
   self = 3.4066e-05,
   text = "Iterator::Hosts[0]::Prefetch::Batch",
   total = 4.5686e-05
  },
  {
   amount = 24,
   calls = 24,
   lanes = {
    {amount = 24, calls = 24, part = "input_work", self = 4.2217e-05,
     text = "Iterator::Hosts", total = 0.012177}
   },
   part = "input_work",
   self = 4.2217e-05,
   text = "Iterator::Hosts",
   total = 0.012177
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.0017997, text = "train loop",
     total = 0.01449}
   },
   part = "host",
   self = 0.0017997,
   text = "train loop",
   total = 0.01449
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.0003784, text = "metrics",
     total = 0.00039541}
   },
   part = "output",
   self = 0.0003784,
   text = "metrics",
   total = 0.00039541
  },
  {
   amount = 384,
   calls = 195,
   lanes = {
    {amount = 384, calls = 195, part = "input_work", self = 3.9571e-05,
     text = "Iterator::Hosts[1]::Prefetch::Batch::Repeat", total = 0.011985}
   },
   part = "input_work",
   self = 3.9571e-05,
   text = "Iterator::Hosts[1]::Prefetch::Batch::Repeat",
   total = 0.011985
  },
  {
   amount = 384,
   calls = 24,
   lanes = {
    {amount = 384, calls = 24, part = "input_read", self = 5.187e-06,
     text = "Iterator::Hosts[0]::Prefetch::Batch::Repeat::FromTensorSlices",
     total = 5.187e-06}
   },
   part = "input_read",
   self = 5.187e-06,
   text = "Iterator::Hosts[0]::Prefetch::Batch::Repeat::FromTensorSlices",
   total = 5.187e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.002783, text = "collect",
     total = 0.002783}
   },
   part = "garbage",
   self = 0.002783,
   text = "collect",
   total = 0.002783
  },
  {
   amount = 384,
   calls = 195,
   lanes = {
    {amount = 384, calls = 195, part = "input_work", self = 0.011847,
     text = "Iterator::Hosts[1]::Prefetch::Batch::Repeat::Transform",
     total = 0.011945}
   },
   part = "input_work",
   self = 0.011847,
   text = "Iterator::Hosts[1]::Prefetch::Batch::Repeat::Transform",
   total = 0.011945
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.00060543, text = "fit",
     total = 0.018294}
   },
   part = "host",
   self = 0.00060543,
   text = "fit",
   total = 0.018294
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "compile", self = 4.6519e-05, text = "compile",
     total = 4.6519e-05}
   },
   part = "compile",
   self = 4.6519e-05,
   text = "compile",
   total = 4.6519e-05
  }
 },
 page_faults = 23,
 preemptions = 0,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.181e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.21e-07, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 5e-08, variable_bytes = 0},
   {bytes = 16, columns = 0, depth = 0, elements = 2, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 2.4e-07, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.1e-07, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 6e-08, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 6e-08, variable_bytes = 0},
   {bytes = 16, columns = 0, depth = 0, elements = 2, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 8.1e-08, variable_bytes = 0},
   runs = 1,
   seconds = 1.903e-06,
   steps = 1,
   waiting = 6.81e-07
  },
  {
   {bytes = 14656, columns = 64, depth = 16, elements = 4160, flops = 69632,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 65536, phase = 0,
    products = 1, rows = 32, runs = 24, seconds = 7.7644e-05, variable_bytes = 256},
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 24,
    seconds = 5.1253e-05, variable_bytes = 16},
   {bytes = 4416, columns = 0, depth = 0, elements = 4160, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.7998e-05, variable_bytes = 256},
   {bytes = 12868, columns = 1, depth = 64, elements = 4160, flops = 4288,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 0,
    products = 1, rows = 32, runs = 24, seconds = 4.1421e-05, variable_bytes = 4},
   {bytes = 132, columns = 0, depth = 0, elements = 32, flops = 32,
    is_half = false, kind = "loop", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.23e-05, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 3.023e-06, variable_bytes = 0},
   {bytes = 576, columns = 0, depth = 0, elements = 320, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 2.2416e-05, variable_bytes = 256},
   {bytes = 25344, columns = 64, depth = 1, elements = 8256, flops = 10240,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 0,
    products = 1, rows = 32, runs = 24, seconds = 5.1082e-05, variable_bytes = 0},
   {bytes = 512, columns = 0, depth = 0, elements = 64, flops = 0,
    is_half = false, kind = "combine", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 2.907e-06, variable_bytes = 0},
   {bytes = 144, columns = 0, depth = 0, elements = 32, flops = 38,
    is_half = false, kind = "loop", location = "record.lua:50", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 24,
    seconds = 2.4855e-05, variable_bytes = 8},
   {bytes = 2240, columns = 0, depth = 0, elements = 2112, flops = 0,
    is_half = false, kind = "pack", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "b", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.1278e-05, variable_bytes = 0},
   {bytes = 11844, columns = 1, depth = 32, elements = 2112, flops = 4096,
    is_half = false, kind = "product", layer = "sequential/dense_1",
    location = "advice_cases.lua:13", name = "f32", operations = 4096, phase = 0,
    products = 1, rows = 64, runs = 24, seconds = 4.9842e-05, variable_bytes = 1536},
   {bytes = 39044, columns = 64, depth = 32, elements = 8256, flops = 65536,
    is_half = false, kind = "product", layer = "sequential/dense",
    location = "advice_cases.lua:13", name = "f32", operations = 65536, phase = 0,
    products = 1, rows = 16, runs = 24, seconds = 5.5664e-05,
    variable_bytes = 24576},
   {bytes = 1796, columns = 0, depth = 0, elements = 64, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.4833e-05, variable_bytes = 1536},
   {bytes = 32, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 24,
    seconds = 1.4018e-05, variable_bytes = 24},
   {bytes = 16, columns = 0, depth = 0, elements = 2, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 24, seconds = 2.214e-06, variable_bytes = 8},
   {bytes = 16, columns = 0, depth = 0, elements = 2, flops = 2, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 24, seconds = 1.2449e-05, variable_bytes = 16},
   runs = 24,
   seconds = 0.0004652,
   steps = 24,
   waiting = 4.928e-06
  },
  {
   {bytes = 12, columns = 0, depth = 0, elements = 2, flops = 2, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 2.554e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", location = "record.lua:50", name = "partials", operations = 0,
    phase = 0, products = 0, rows = 0, runs = 1, seconds = 2.7e-07,
    variable_bytes = 0},
   {bytes = 12, columns = 0, depth = 0, elements = 2, flops = 2, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 8.943e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "combine", location = "record.lua:50", name = "partials", operations = 0,
    phase = 0, products = 0, rows = 0, runs = 1, seconds = 2.51e-07,
    variable_bytes = 0},
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 4.537e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 4.5e-07, variable_bytes = 0},
   runs = 1,
   seconds = 1.7005e-05,
   steps = 1,
   waiting = 1.91e-07
  }
 },
 seconds = 0.018326,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 2.093e-06, callback = 5.969e-06, compile = 4.6519e-05,
    compute = 1.903e-06, garbage = 0, host = 0.00049709, input_feed = 4.958e-06,
    input_read = 2.353e-06, input_wait = 2.015e-06, input_work = 0.00068956,
    launch = 6.219e-06, other = 2.7371e-05, output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.001286
  },
  {
   began = 0.001286,
   lane = 1,
   parts = {barrier = 1.052e-06, callback = 0, compile = 0, compute = 5.2878e-05,
    garbage = 0, host = 4.5367e-05, input_feed = 1.683e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 6.9072e-05, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00017005
  },
  {
   began = 0.0014561,
   lane = 1,
   parts = {barrier = 5.6e-07, callback = 0, compile = 0, compute = 2.4556e-05,
    garbage = 0, host = 8.1251e-05, input_feed = 2.895e-06, input_read = 1.643e-06,
    input_wait = 6.13e-07, input_work = 0.00057063, launch = 3.636e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00068579
  },
  {
   began = 0.0021419,
   lane = 1,
   parts = {barrier = 5.1e-07, callback = 0, compile = 0, compute = 1.7226e-05,
    garbage = 0, host = 5.2559e-05, input_feed = 1.801e-06, input_read = 1.152e-06,
    input_wait = 3.6e-07, input_work = 0.00053372, launch = 2.704e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00061003
  },
  {
   began = 0.0027519,
   lane = 1,
   parts = {barrier = 5.92e-07, callback = 0, compile = 0, compute = 1.5993e-05,
    garbage = 0, host = 4.8301e-05, input_feed = 1.554e-06, input_read = 1.052e-06,
    input_wait = 4.41e-07, input_work = 0.00048312, launch = 3.014e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00055407
  },
  {
   began = 0.003306,
   lane = 1,
   parts = {barrier = 5.41e-07, callback = 0, compile = 0, compute = 2.1472e-05,
    garbage = 0, host = 4.722e-05, input_feed = 1.452e-06, input_read = 1.042e-06,
    input_wait = 5.41e-07, input_work = 0.00051096, launch = 2.403e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00058563
  },
  {
   began = 0.0038916,
   lane = 1,
   parts = {barrier = 4.5e-07, callback = 0, compile = 0, compute = 1.4391e-05,
    garbage = 0, host = 4.7661e-05, input_feed = 9.91e-07, input_read = 1.03e-06,
    input_wait = 3.21e-07, input_work = 0.00048324, launch = 1.593e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00054967
  },
  {
   began = 0.0044413,
   lane = 1,
   parts = {barrier = 5.7e-07, callback = 0, compile = 0, compute = 1.4271e-05,
    garbage = 0, host = 4.5798e-05, input_feed = 1.161e-06, input_read = 1.064e-06,
    input_wait = 2.7e-07, input_work = 0.00049819, launch = 2.164e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00056348
  },
  {
   began = 0.0050048,
   lane = 1,
   parts = {barrier = 5.4e-07, callback = 0, compile = 0, compute = 1.4341e-05,
    garbage = 0, host = 4.7871e-05, input_feed = 1.062e-06, input_read = 1.031e-06,
    input_wait = 3.31e-07, input_work = 0.00048095, launch = 1.924e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00054805
  },
  {
   began = 0.0055528,
   lane = 1,
   parts = {barrier = 5.01e-07, callback = 0, compile = 0, compute = 1.7265e-05,
    garbage = 0, host = 5.8306e-05, input_feed = 1.482e-06, input_read = 1.194e-06,
    input_wait = 3.4e-07, input_work = 0.00056293, launch = 1.943e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00064396
  },
  {
   began = 0.0061968,
   lane = 1,
   parts = {barrier = 8.51e-07, callback = 0, compile = 0, compute = 1.4362e-05,
    garbage = 0, host = 4.6439e-05, input_feed = 1.101e-06, input_read = 9.84e-07,
    input_wait = 4.51e-07, input_work = 0.00048011, launch = 1.613e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00054591
  },
  {
   began = 0.0067427,
   lane = 1,
   parts = {barrier = 6e-07, callback = 0, compile = 0, compute = 1.8488e-05, garbage = 0,
    host = 5.2888e-05, input_feed = 1.552e-06, input_read = 1.051e-06,
    input_wait = 3.6e-07, input_work = 0.00055379, launch = 7.462e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00063619
  },
  {
   began = 0.0073789,
   lane = 1,
   parts = {barrier = 5.61e-07, callback = 0, compile = 0, compute = 1.5112e-05,
    garbage = 0, host = 5.0545e-05, input_feed = 1.682e-06, input_read = 1.172e-06,
    input_wait = 4.81e-07, input_work = 0.00051169, launch = 1.913e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00058315
  },
  {
   began = 0.007962,
   lane = 1,
   parts = {barrier = 5.12e-07, callback = 0, compile = 0, compute = 1.4922e-05,
    garbage = 0, host = 4.5657e-05, input_feed = 1.122e-06, input_read = 1.053e-06,
    input_wait = 3.61e-07, input_work = 0.00051436, launch = 1.822e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00057981
  },
  {
   began = 0.0085418,
   lane = 1,
   parts = {barrier = 5.72e-07, callback = 0, compile = 0, compute = 1.9779e-05,
    garbage = 0, host = 4.4827e-05, input_feed = 1.07e-06, input_read = 1.033e-06,
    input_wait = 3.31e-07, input_work = 0.00048187, launch = 1.742e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00055123
  },
  {
   began = 0.0090931,
   lane = 1,
   parts = {barrier = 5.01e-07, callback = 0, compile = 0, compute = 1.7065e-05,
    garbage = 0, host = 9.6923e-05, input_feed = 1.463e-06, input_read = 1.051e-06,
    input_wait = 3e-07, input_work = 0.00049626, launch = 2.554e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00061611
  },
  {
   began = 0.0097092,
   lane = 1,
   parts = {barrier = 5.41e-07, callback = 0, compile = 0, compute = 1.4341e-05,
    garbage = 0, host = 4.8562e-05, input_feed = 1.262e-06, input_read = 1.261e-06,
    input_wait = 3.71e-07, input_work = 0.00049084, launch = 1.732e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00055891
  },
  {
   began = 0.010268,
   lane = 1,
   parts = {barrier = 6.12e-07, callback = 0, compile = 0, compute = 1.364e-05,
    garbage = 0, host = 4.5318e-05, input_feed = 1.191e-06, input_read = 1.013e-06,
    input_wait = 3.41e-07, input_work = 0.00052586, launch = 1.561e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00058953
  },
  {
   began = 0.010858,
   lane = 1,
   parts = {barrier = 5.21e-07, callback = 0, compile = 0, compute = 1.7135e-05,
    garbage = 0, host = 0.00010472, input_feed = 1.672e-06, input_read = 1.132e-06,
    input_wait = 3.8e-07, input_work = 0.00048728, launch = 2.925e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00061576
  },
  {
   began = 0.011473,
   lane = 1,
   parts = {barrier = 6.31e-07, callback = 0, compile = 0, compute = 2.043e-05,
    garbage = 0, host = 4.76e-05, input_feed = 1.262e-06, input_read = 1.101e-06,
    input_wait = 3.81e-07, input_work = 0.00051292, launch = 2.023e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00058635
  },
  {
   began = 0.01206,
   lane = 1,
   parts = {barrier = 6.31e-07, callback = 0, compile = 0, compute = 1.4542e-05,
    garbage = 0, host = 4.5628e-05, input_feed = 1.172e-06, input_read = 1.001e-06,
    input_wait = 2.8e-07, input_work = 0.00045826, launch = 1.852e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00052337
  },
  {
   began = 0.012583,
   lane = 1,
   parts = {barrier = 7.82e-07, callback = 0, compile = 0, compute = 2.026e-05,
    garbage = 0, host = 4.3744e-05, input_feed = 1.161e-06, input_read = 1.041e-06,
    input_wait = 3.11e-07, input_work = 0.00047228, launch = 3.646e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00054323
  },
  {
   began = 0.013126,
   lane = 1,
   parts = {barrier = 9.82e-07, callback = 0, compile = 0, compute = 2.2253e-05,
    garbage = 0, host = 0.00014085, input_feed = 2.954e-06, input_read = 9.7e-07,
    input_wait = 7.61e-07, input_work = 0.00043275, launch = 2.974e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.0006045
  },
  {
   began = 0.013731,
   lane = 1,
   parts = {barrier = 8.41e-07, callback = 0, compile = 0, compute = 2.653e-05,
    garbage = 0, host = 6.5497e-05, input_feed = 1.973e-06, input_read = 1.994e-06,
    input_wait = 4.82e-07, input_work = 0.00044815, launch = 2.934e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.0005484
  },
  {
   began = 0.014279,
   lane = 1,
   parts = {barrier = 9.51e-07, callback = 0, compile = 0, compute = 2.3945e-05,
    garbage = 0, host = 0.00011445, input_feed = 2.193e-06, input_read = 1.323e-06,
    input_wait = 3.5e-07, input_work = 0.00045723, launch = 3.226e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 32,
   seconds = 0.00060366
  },
  {
   began = 0.014883,
   lane = 1,
   parts = {barrier = 8.22e-07, callback = 0, compile = 0, compute = 1.7005e-05,
    garbage = 0, host = 3.2969e-05, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 1.2859e-05, other = 0, output = 0.0003446, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00040826
  }
 },
 steps_lost = 0,
 threads = 1,
 threads_lost = 0
}
