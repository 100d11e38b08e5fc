-- clean: see record.lua
return {
 cpus = 2,
 disk_faults = 0,
 events = 922,
 events_lost = 0,
 isa = "avx512bf16",
 lanes = {
  {
   began = 0,
   events = 438,
   lost = 0,
   name = "main",
   number = 0,
   parts = {barrier = 0.0044303, callback = 1.6764e-05, compile = 0, compute = 0.078894,
    garbage = 0.0034479, host = 0.0007508, input_feed = 0.00012443, input_read = 0,
    input_wait = 0.00095551, input_work = 0, launch = 0.00098276,
    other = 1.5573e-05, output = 0.00029155, trace = 0}
  },
  {
   began = 0.00026097,
   events = 157,
   lost = 0,
   name = "prefetch",
   number = 0,
   parts = {barrier = 0, callback = 0, compile = 0, compute = 0, garbage = 0, host = 0,
    input_feed = 0, input_read = 3.4931e-05, input_wait = 0, input_work = 0.0027921,
    launch = 0, other = 0.078548, output = 0, trace = 0}
  },
  {
   began = 0.0011548,
   events = 327,
   lost = 0,
   name = "worker",
   number = 1,
   parts = {barrier = 0.0028629, callback = 0, compile = 0, compute = 0.081012,
    garbage = 0, host = 0, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 0, other = 0.001171, output = 0, trace = 0}
  }
 },
 main_lane = 1,
 names = {
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 3.425e-06,
     text = "history: on_train_begin", total = 3.425e-06}
   },
   part = "callback",
   self = 3.425e-06,
   text = "history: on_train_begin",
   total = 3.425e-06
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "callback", self = 1.3339e-05,
     text = "history: on_epoch_end", total = 1.3339e-05}
   },
   part = "callback",
   self = 1.3339e-05,
   text = "history: on_epoch_end",
   total = 1.3339e-05
  },
  {
   amount = 16384,
   calls = 66,
   lanes = {
    [2] = {amount = 16384, calls = 66, part = "input_read", self = 3.4931e-05,
     text = "Iterator::Prefetch::Batch::Repeat::Shuffle::FromTensorSlices",
     total = 3.4931e-05}
   },
   part = "input_read",
   self = 3.4931e-05,
   text = "Iterator::Prefetch::Batch::Repeat::Shuffle::FromTensorSlices",
   total = 3.4931e-05
  },
  {
   amount = 10,
   calls = 10,
   lanes = {
    [2] = {amount = 10, calls = 10, part = "input_work", self = 0.0025417,
     text = "Iterator::Prefetch::Batch", total = 0.002827}
   },
   part = "input_work",
   self = 0.0025417,
   text = "Iterator::Prefetch::Batch",
   total = 0.002827
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.0058491, text = "train loop",
     total = 0.085693}
   },
   part = "host",
   self = 0.0058491,
   text = "train loop",
   total = 0.085693
  },
  {
   amount = 10240,
   calls = 41,
   lanes = {
    [2] = {amount = 10240, calls = 41, part = "input_work", self = 0.0002217,
     text = "Iterator::Prefetch::Batch::Repeat::Shuffle", total = 0.00025663}
   },
   part = "input_work",
   self = 0.0002217,
   text = "Iterator::Prefetch::Batch::Repeat::Shuffle",
   total = 0.00025663
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "output", self = 0.00032093, text = "metrics",
     total = 0.00032611}
   },
   part = "output",
   self = 0.00032093,
   text = "metrics",
   total = 0.00032611
  },
  {
   amount = 8,
   calls = 8,
   lanes = {
    {amount = 8, calls = 8, part = "input_wait", self = 0.00095551,
     text = "Iterator::Prefetch", total = 0.00095551}
   },
   part = "input_wait",
   self = 0.00095551,
   text = "Iterator::Prefetch",
   total = 0.00095551
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "garbage", self = 0.0034479, text = "collect",
     total = 0.0034479}
   },
   part = "garbage",
   self = 0.0034479,
   text = "collect",
   total = 0.0034479
  },
  {
   amount = 10240,
   calls = 40,
   lanes = {
    [2] = {amount = 10240, calls = 40, part = "input_work", self = 2.8648e-05,
     text = "Iterator::Prefetch::Batch::Repeat", total = 0.00028527}
   },
   part = "input_work",
   self = 2.8648e-05,
   text = "Iterator::Prefetch::Batch::Repeat",
   total = 0.00028527
  },
  {
   amount = 0,
   calls = 1,
   lanes = {
    {amount = 0, calls = 1, part = "host", self = 0.0004098, text = "fit",
     total = 0.089894}
   },
   part = "host",
   self = 0.0004098,
   text = "fit",
   total = 0.089894
  }
 },
 page_faults = 5,
 preemptions = 1,
 programs = {
  {
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 1.543e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 0.00036735, variable_bytes = 0},
   runs = 1,
   seconds = 0.0003689,
   steps = 1,
   waiting = 0.00086063
  },
  {
   {bytes = 3072, columns = 0, depth = 0, elements = 512, flops = 512,
    is_half = false, kind = "loop", layer = "sequential_9/dense_19",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 8, seconds = 2.6168e-05, variable_bytes = 2048},
   {bytes = 3072, columns = 0, depth = 0, elements = 512, flops = 512,
    is_half = false, kind = "loop", layer = "sequential_9/dense_20",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 16, seconds = 2.6308e-05, variable_bytes = 2048},
   {bytes = 60, columns = 0, depth = 0, elements = 10, flops = 10,
    is_half = false, kind = "loop", layer = "sequential_9/dense_21",
    location = "advice_cases.lua:13", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 8, seconds = 1.1056e-05, variable_bytes = 40},
   {bytes = 24, columns = 0, depth = 0, elements = 1, flops = 9, is_half = false,
    kind = "loop", layer = "adam", location = "advice_cases.lua:20", name = "",
    operations = 0, phase = 0, products = 0, rows = 0, runs = 8,
    seconds = 5.294e-05, variable_bytes = 16},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 1, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 8, seconds = 1.33e-05, variable_bytes = 8},
   {bytes = 4816896, columns = 0, depth = 0, elements = 802816, flops = 802816,
    is_half = false, kind = "loop", location = "record.lua:50", name = "",
    operations = 0, phase = 1, products = 0, rows = 0, runs = 64,
    seconds = 0.004236, variable_bytes = 0},
   {bytes = 3458112, columns = 512, depth = 784, elements = 802880,
    flops = 823132160, is_half = true, kind = "product",
    layer = "sequential_9/dense_19", location = "advice_cases.lua:13",
    name = "bf16", operations = 822083584, phase = 1, products = 1, rows = 1024,
    runs = 64, seconds = 0.033839, variable_bytes = 0},
   {bytes = 2622528, columns = 512, depth = 512, elements = 524352,
    flops = 537919488, is_half = true, kind = "product",
    layer = "sequential_9/dense_20", location = "advice_cases.lua:13",
    name = "bf16", operations = 536870912, phase = 1, products = 1, rows = 1024,
    runs = 64, seconds = 0.022615, variable_bytes = 0},
   {bytes = 1201556, columns = 10, depth = 512, elements = 524288,
    flops = 10567680, is_half = false, kind = "product",
    layer = "sequential_9/dense_21", location = "advice_cases.lua:13",
    name = "bf16", operations = 10485760, phase = 1, products = 1, rows = 1024,
    runs = 64, seconds = 0.0013985, variable_bytes = 0},
   {bytes = 45056, columns = 0, depth = 0, elements = 10240, flops = 11264,
    is_half = false, kind = "loop", layer = "sequential_9/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 64, seconds = 0.00012203, variable_bytes = 0},
   {bytes = 3242112, columns = 512, depth = 10, elements = 1048640,
    flops = 12058624, is_half = true, kind = "product",
    layer = "sequential_9/dense_21", location = "advice_cases.lua:13",
    name = "bf16", operations = 10485760, phase = 1, products = 1, rows = 1024,
    runs = 64, seconds = 0.0035139, variable_bytes = 0},
   {bytes = 4224, columns = 0, depth = 0, elements = 1024, flops = 1024,
    is_half = false, kind = "loop", layer = "sequential_9/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 1,
    products = 0, rows = 0, runs = 64, seconds = 4.0101e-05, variable_bytes = 0},
   {bytes = 4784256, columns = 512, depth = 512, elements = 1048640,
    flops = 538443776, is_half = true, kind = "product",
    layer = "sequential_9/dense_20", location = "advice_cases.lua:13",
    name = "bf16", operations = 536870912, phase = 1, products = 1, rows = 1024,
    runs = 64, seconds = 0.023131, variable_bytes = 0},
   {bytes = 1320, columns = 0, depth = 0, elements = 320, flops = 0,
    is_half = false, kind = "combine", layer = "sequential_9/dense_21",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 8, seconds = 1.2539e-05, variable_bytes = 0},
   {bytes = 284, columns = 0, depth = 0, elements = 10, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 8, seconds = 2.769e-05, variable_bytes = 240},
   {bytes = 67584, columns = 0, depth = 0, elements = 16384, flops = 0,
    is_half = false, kind = "combine", layer = "sequential_9/dense_21",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 8, seconds = 4.9734e-05, variable_bytes = 0},
   {bytes = 14340, columns = 0, depth = 0, elements = 512, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 8, seconds = 2.2834e-05, variable_bytes = 12288},
   {bytes = 132, columns = 0, depth = 0, elements = 32, flops = 0,
    is_half = false, kind = "combine",
    layer = "sequential_9/loss/mean_squared_error",
    location = "advice_cases.lua:20", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 8, seconds = 4.077e-06, variable_bytes = 0},
   {bytes = 12, columns = 0, depth = 0, elements = 1, flops = 3, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 8, seconds = 1.4609e-05, variable_bytes = 8},
   {bytes = 67584, columns = 0, depth = 0, elements = 16384, flops = 0,
    is_half = false, kind = "combine", layer = "sequential_9/dense_20",
    location = "advice_cases.lua:13", name = "partials", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 8, seconds = 4.9954e-05, variable_bytes = 0},
   {bytes = 14340, columns = 0, depth = 0, elements = 512, flops = 0,
    is_half = false, kind = "loop", layer = "adam",
    location = "advice_cases.lua:20", name = "", operations = 0, phase = 2,
    products = 0, rows = 0, runs = 8, seconds = 2.002e-05, variable_bytes = 12288},
   {bytes = 1231044, columns = 10, depth = 1024, elements = 524288,
    flops = 10485760, is_half = false, kind = "product",
    layer = "sequential_9/dense_21", location = "advice_cases.lua:13",
    name = "bf16", operations = 10485760, phase = 2, products = 1, rows = 512,
    runs = 8, seconds = 0.0020287, variable_bytes = 122880},
   {bytes = 9437380, columns = 512, depth = 1024, elements = 1048640,
    flops = 536870912, is_half = false, kind = "product",
    layer = "sequential_9/dense_20", location = "advice_cases.lua:13",
    name = "bf16", operations = 536870912, phase = 2, products = 1, rows = 512,
    runs = 8, seconds = 0.026912, variable_bytes = 6291456},
   {bytes = 13090948, columns = 512, depth = 1024, elements = 1048640,
    flops = 822083584, is_half = false, kind = "product",
    layer = "sequential_9/dense_19", location = "advice_cases.lua:13",
    name = "bf16", operations = 822083584, phase = 2, products = 1, rows = 784,
    runs = 16, seconds = 0.041364, variable_bytes = 9633792},
   runs = 1,
   seconds = 0.15953,
   steps = 8,
   waiting = 0.006382
  },
  {
   {bytes = 21, columns = 0, depth = 0, elements = 1, flops = 4, is_half = false,
    kind = "loop", location = "record.lua:50", name = "", operations = 0, phase = 0,
    products = 0, rows = 0, runs = 1, seconds = 4.797e-06, variable_bytes = 0},
   {bytes = 8, columns = 0, depth = 0, elements = 1, flops = 0, is_half = false,
    kind = "copy", name = "copy", operations = 0, phase = 0, products = 0, rows = 0,
    runs = 1, seconds = 3.91e-07, variable_bytes = 0},
   runs = 1,
   seconds = 5.188e-06,
   steps = 1,
   waiting = 1.6074e-05
  }
 },
 seconds = 0.089909,
 steps = {
  {
   began = 0,
   lane = 1,
   parts = {barrier = 0.00062787, callback = 3.425e-06, compile = 0, compute = 1.543e-06,
    garbage = 0, host = 0.00030995, input_feed = 3.214e-06, input_read = 0,
    input_wait = 0.00075285, input_work = 0, launch = 1.417e-05, other = 1.0105e-05,
    output = 0, trace = 0},
   program = 1,
   rows = 0,
   seconds = 0.0017231
  },
  {
   began = 0.0017231,
   lane = 1,
   parts = {barrier = 0.00015706, callback = 0, compile = 0, compute = 0.0090058,
    garbage = 0, host = 0.00010385, input_feed = 3.836e-06, input_read = 0,
    input_wait = 0, input_work = 0, launch = 0.00091402, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 1024,
   seconds = 0.010185
  },
  {
   began = 0.011908,
   lane = 1,
   parts = {barrier = 0.0010941, callback = 0, compile = 0, compute = 0.010104,
    garbage = 0, host = 0, input_feed = 1.7206e-05, input_read = 0,
    input_wait = 4.3073e-05, input_work = 0, launch = 1.192e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 1024,
   seconds = 0.011259
  },
  {
   began = 0.023167,
   lane = 1,
   parts = {barrier = 0.00017327, callback = 0, compile = 0, compute = 0.011078,
    garbage = 0, host = 0, input_feed = 1.9698e-05, input_read = 0,
    input_wait = 4.0801e-05, input_work = 0, launch = 1.313e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 1024,
   seconds = 0.011313
  },
  {
   began = 0.03448,
   lane = 1,
   parts = {barrier = 0.00077189, callback = 0, compile = 0, compute = 0.0095291,
    garbage = 0, host = 0, input_feed = 1.4161e-05, input_read = 0,
    input_wait = 2.67e-05, input_work = 0, launch = 6.2e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 1024,
   seconds = 0.010342
  },
  {
   began = 0.044823,
   lane = 1,
   parts = {barrier = 0.00086933, callback = 0, compile = 0, compute = 0.01051,
    garbage = 0, host = 0, input_feed = 1.5283e-05, input_read = 0,
    input_wait = 6.269e-06, input_work = 0, launch = 8.9e-07, other = 0, output = 0,
    trace = 0},
   program = 2,
   rows = 1024,
   seconds = 0.011401
  },
  {
   began = 0.056224,
   lane = 1,
   parts = {barrier = 9.4486e-05, callback = 0, compile = 0, compute = 0.0097466,
    garbage = 0, host = 0, input_feed = 1.7115e-05, input_read = 0,
    input_wait = 3.8627e-05, input_work = 0, launch = 7.62e-07, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 1024,
   seconds = 0.0098976
  },
  {
   began = 0.066122,
   lane = 1,
   parts = {barrier = 0.00043438, callback = 0, compile = 0, compute = 0.0095841,
    garbage = 0, host = 0, input_feed = 1.5072e-05, input_read = 0,
    input_wait = 2.3525e-05, input_work = 0, launch = 1.131e-06, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 1024,
   seconds = 0.010058
  },
  {
   began = 0.07618,
   lane = 1,
   parts = {barrier = 0.00016992, callback = 0, compile = 0, compute = 0.0093299,
    garbage = 0, host = 0, input_feed = 1.8848e-05, input_read = 0,
    input_wait = 2.3665e-05, input_work = 0, launch = 5.6e-07, other = 0,
    output = 0, trace = 0},
   program = 2,
   rows = 1024,
   seconds = 0.0095429
  },
  {
   began = 0.085723,
   lane = 1,
   parts = {barrier = 3.7585e-05, callback = 0, compile = 0, compute = 5.188e-06,
    garbage = 0, host = 0.00011408, input_feed = 0, input_read = 0, input_wait = 0,
    input_work = 0, launch = 4.761e-05, other = 0, output = 0.00027275, trace = 0},
   program = 3,
   rows = 0,
   seconds = 0.00047722
  }
 },
 steps_lost = 0,
 threads = 2,
 threads_lost = 0
}
