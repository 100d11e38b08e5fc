-- Made by keras_cases.py with Keras 3.15.1.

return {
  {
    name = "sequential at 76",
    options = { line_length = 76 },
    trained = false,
    sequential = { { object = "layer", class = "dense", options = { units = 128, activation = "relu" } }, { object = "layer", class = "dense", options = { units = 10 } } },
    build = { 784 },
    text = [[
Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense (Dense)                   │ (None, 128)            │       100,480 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense_1 (Dense)                 │ (None, 10)             │         1,290 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 101,770 (397.54 KB)
 Trainable params: 101,770 (397.54 KB)
 Non-trainable params: 0 (0.00 B)
]],
  },
  {
    name = "sequential at 88",
    options = { line_length = 88 },
    trained = false,
    sequential = { { object = "layer", class = "dense", options = { units = 128, activation = "relu" } }, { object = "layer", class = "dense", options = { units = 10 } } },
    build = { 784 },
    text = [[
Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━┓
┃ Layer (type)                         ┃ Output Shape                ┃         Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━┩
│ dense (Dense)                        │ (None, 128)                 │         100,480 │
├──────────────────────────────────────┼─────────────────────────────┼─────────────────┤
│ dense_1 (Dense)                      │ (None, 10)                  │           1,290 │
└──────────────────────────────────────┴─────────────────────────────┴─────────────────┘
 Total params: 101,770 (397.54 KB)
 Trainable params: 101,770 (397.54 KB)
 Non-trainable params: 0 (0.00 B)
]],
  },
  {
    name = "sequential trained",
    options = { line_length = 76 },
    trained = true,
    sequential = { { object = "layer", class = "dense", options = { units = 128, activation = "relu" } }, { object = "layer", class = "dense", options = { units = 10 } } },
    build = { 784 },
    text = [[
Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense (Dense)                   │ (None, 128)            │       100,480 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense_1 (Dense)                 │ (None, 10)             │         1,290 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 305,312 (1.16 MB)
 Trainable params: 101,770 (397.54 KB)
 Non-trainable params: 0 (0.00 B)
 Optimizer params: 203,542 (795.09 KB)
]],
  },
  {
    name = "sequential not built",
    options = { line_length = 76 },
    trained = false,
    sequential = { { object = "layer", class = "dense", options = { units = 128, activation = "relu" } }, { object = "layer", class = "dense", options = { units = 10 } } },
    text = [[
Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense (Dense)                   │ ?                      │   0 (unbuilt) │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense_1 (Dense)                 │ ?                      │   0 (unbuilt) │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 0 (0.00 B)
 Trainable params: 0 (0.00 B)
 Non-trainable params: 0 (0.00 B)
]],
  },
  {
    name = "sequential conv",
    options = { line_length = 76 },
    trained = false,
    sequential = { { object = "layer", class = "conv2d", options = { filters = 32, kernel_size = 3 } }, { object = "layer", class = "batch_normalization", options = {} }, { object = "layer", class = "max_pooling2d", options = {} }, { object = "layer", class = "flatten", options = {} }, { object = "layer", class = "dropout", options = { rate = 0.5 } }, { object = "layer", class = "dense", options = { units = 10, trainable = false } } },
    build = { 28, 28, 1 },
    text = [[
Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ conv2d (Conv2D)                 │ (None, 26, 26, 32)     │           320 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ batch_normalization             │ (None, 26, 26, 32)     │           128 │
│ (BatchNormalization)            │                        │               │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ max_pooling2d (MaxPooling2D)    │ (None, 13, 13, 32)     │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ flatten (Flatten)               │ (None, 5408)           │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dropout (Dropout)               │ (None, 5408)           │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense (Dense)                   │ (None, 10)             │        54,090 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 54,538 (213.04 KB)
 Trainable params: 384 (1.50 KB)
 Non-trainable params: 54,154 (211.54 KB)
]],
  },
  {
    name = "sequential show trainable",
    options = { line_length = 88, show_trainable = true },
    trained = false,
    sequential = { { object = "layer", class = "conv2d", options = { filters = 32, kernel_size = 3 } }, { object = "layer", class = "flatten", options = {} }, { object = "layer", class = "dense", options = { units = 10, trainable = false } } },
    build = { 28, 28, 1 },
    text = [[
Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━┳━━━━━━━━┓
┃ Layer (type)                     ┃ Output Shape              ┃      Param # ┃ Train… ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━╇━━━━━━━━┩
│ conv2d (Conv2D)                  │ (None, 26, 26, 32)        │          320 │   Y    │
├──────────────────────────────────┼───────────────────────────┼──────────────┼────────┤
│ flatten (Flatten)                │ (None, 21632)             │            0 │   -    │
├──────────────────────────────────┼───────────────────────────┼──────────────┼────────┤
│ dense (Dense)                    │ (None, 10)                │      216,330 │   N    │
└──────────────────────────────────┴───────────────────────────┴──────────────┴────────┘
 Total params: 216,650 (846.29 KB)
 Trainable params: 320 (1.25 KB)
 Non-trainable params: 216,330 (845.04 KB)
]],
  },
  {
    name = "functional",
    options = { line_length = 104 },
    trained = false,
    inputs = { { name = "a", shape = { 4 }, dtype = "float32" }, { name = "b", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 8, activation = "relu" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 8 }, sources = 1, call = {} }, { layer = "Concatenate", options = {}, sources = { 2, 3 }, call = {} }, { layer = "BatchNormalization", options = {}, sources = 4, call = {} }, { layer = "Dense", options = { units = 3 }, sources = 5, call = {} } },
    model_name = "net",
    outputs = { 6 },
    text = [[
Model: "net"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)                 ┃ Output Shape             ┃        Param # ┃ Connected to              ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
│ a (InputLayer)               │ (None, 4)                │              0 │ -                         │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ b (InputLayer)               │ (None, 4)                │              0 │ -                         │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ dense (Dense)                │ (None, 8)                │             40 │ a[0][0]                   │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ dense_1 (Dense)              │ (None, 8)                │             40 │ b[0][0]                   │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ concatenate (Concatenate)    │ (None, 16)               │              0 │ dense[0][0],              │
│                              │                          │                │ dense_1[0][0]             │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ batch_normalization          │ (None, 16)               │             64 │ concatenate[0][0]         │
│ (BatchNormalization)         │                          │                │                           │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ dense_2 (Dense)              │ (None, 3)                │             51 │ batch_normalization[0][0] │
└──────────────────────────────┴──────────────────────────┴────────────────┴───────────────────────────┘
 Total params: 195 (780.00 B)
 Trainable params: 163 (652.00 B)
 Non-trainable params: 32 (128.00 B)
]],
  },
  {
    name = "functional chain",
    options = { line_length = 80 },
    trained = false,
    inputs = { { name = "a", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 8 }, sources = 0, call = {} }, { layer = "ReLU", options = {}, sources = 1, call = {} } },
    model_name = "net",
    outputs = { 2 },
    text = [[
Model: "net"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                      ┃ Output Shape             ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ a (InputLayer)                    │ (None, 4)                │             0 │
├───────────────────────────────────┼──────────────────────────┼───────────────┤
│ dense (Dense)                     │ (None, 8)                │            40 │
├───────────────────────────────────┼──────────────────────────┼───────────────┤
│ re_lu (ReLU)                      │ (None, 8)                │             0 │
└───────────────────────────────────┴──────────────────────────┴───────────────┘
 Total params: 40 (160.00 B)
 Trainable params: 40 (160.00 B)
 Non-trainable params: 0 (0.00 B)
]],
  },
  {
    name = "shared layer",
    options = { line_length = 104 },
    trained = false,
    inputs = { { name = "a", shape = { 4 }, dtype = "float32" }, { name = "b", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 8 }, sources = 0, call = {} }, { layer = 2, options = {}, sources = 1, call = {} }, { layer = "Add", options = {}, sources = { 2, 3 }, call = {} } },
    model_name = "net",
    outputs = { 4 },
    text = [[
Model: "net"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)                 ┃ Output Shape             ┃        Param # ┃ Connected to              ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
│ a (InputLayer)               │ (None, 4)                │              0 │ -                         │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ b (InputLayer)               │ (None, 4)                │              0 │ -                         │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ dense (Dense)                │ (None, 8)                │             40 │ a[0][0], b[0][0]          │
├──────────────────────────────┼──────────────────────────┼────────────────┼───────────────────────────┤
│ add (Add)                    │ (None, 8)                │              0 │ dense[0][0], dense[1][0]  │
└──────────────────────────────┴──────────────────────────┴────────────────┴───────────────────────────┘
 Total params: 40 (160.00 B)
 Trainable params: 40 (160.00 B)
 Non-trainable params: 0 (0.00 B)
]],
  },
  {
    name = "two outputs",
    options = { line_length = 104 },
    trained = false,
    inputs = { { name = "a", shape = { 4 }, dtype = "int32", high = 5 } },
    nodes = { { layer = "Embedding", options = { input_dim = 50, output_dim = 8 }, sources = 0, call = {} }, { layer = "LSTM", options = { units = 4, return_state = true }, sources = 1, call = {} } },
    model_name = "net",
    outputs = { 1 },
    text = [[
Model: "net"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)                                ┃ Output Shape                      ┃            Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━┩
│ a (InputLayer)                              │ (None, 4)                         │                  0 │
├─────────────────────────────────────────────┼───────────────────────────────────┼────────────────────┤
│ embedding (Embedding)                       │ (None, 4, 8)                      │                400 │
└─────────────────────────────────────────────┴───────────────────────────────────┴────────────────────┘
 Total params: 400 (1.56 KB)
 Trainable params: 400 (1.56 KB)
 Non-trainable params: 0 (0.00 B)
]],
  },
  {
    name = "nested",
    options = { line_length = 80 },
    trained = false,
    inputs = { { name = "a", shape = { 6 }, dtype = "float32" } },
    nodes = { { layer = { object = "sequential", class = "encoder", options = { shape = { 6 }, name = "encoder", layers = { { object = "layer", class = "dense", options = { units = 5, name = "inner" } }, { object = "layer", class = "re_lu", options = { name = "act" } } } } }, options = {}, sources = 0, call = {} }, { layer = "Dense", options = { units = 2 }, sources = 1, call = {} } },
    model_name = "net",
    outputs = { 2 },
    text = [[
Model: "net"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                      ┃ Output Shape             ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ a (InputLayer)                    │ (None, 6)                │             0 │
├───────────────────────────────────┼──────────────────────────┼───────────────┤
│ encoder (Sequential)              │ (None, 5)                │            35 │
├───────────────────────────────────┼──────────────────────────┼───────────────┤
│ dense (Dense)                     │ (None, 2)                │            12 │
└───────────────────────────────────┴──────────────────────────┴───────────────┘
 Total params: 47 (188.00 B)
 Trainable params: 47 (188.00 B)
 Non-trainable params: 0 (0.00 B)
]],
  },
  {
    name = "nested expanded",
    options = { line_length = 80, expand_nested = true },
    trained = false,
    inputs = { { name = "a", shape = { 6 }, dtype = "float32" } },
    nodes = { { layer = { object = "sequential", class = "encoder", options = { shape = { 6 }, name = "encoder", layers = { { object = "layer", class = "dense", options = { units = 5, name = "inner" } }, { object = "layer", class = "re_lu", options = { name = "act" } } } } }, options = {}, sources = 0, call = {} }, { layer = "Dense", options = { units = 2 }, sources = 1, call = {} } },
    model_name = "net",
    outputs = { 2 },
    text = [[
Model: "net"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                      ┃ Output Shape             ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ a (InputLayer)                    │ (None, 6)                │             0 │
├───────────────────────────────────┼──────────────────────────┼───────────────┤
│ encoder (Sequential)              │ (None, 5)                │            35 │
├───────────────────────────────────┼──────────────────────────┼───────────────┤
│    └ inner (Dense)                │ (None, 5)                │            35 │
├───────────────────────────────────┼──────────────────────────┼───────────────┤
│    └ act (ReLU)                   │ (None, 5)                │             0 │
├───────────────────────────────────┼──────────────────────────┼───────────────┤
│ dense (Dense)                     │ (None, 2)                │            12 │
└───────────────────────────────────┴──────────────────────────┴───────────────┘
 Total params: 47 (188.00 B)
 Trainable params: 47 (188.00 B)
 Non-trainable params: 0 (0.00 B)
]],
  },
  {
    name = "long names",
    options = { line_length = 80 },
    trained = false,
    inputs = { { name = "a_very_long_name_for_an_input_layer", shape = { 4 }, dtype = "float32" }, { name = "b", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 8, name = "the_projection_of_the_first_input" }, sources = 0, call = {} }, { layer = "Add", options = { name = "sum" }, sources = { 2, 2 }, call = {} } },
    model_name = "net",
    outputs = { 3 },
    text = [[
Model: "net"
┏━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)          ┃ Output Shape      ┃     Param # ┃ Connected to       ┃
┡━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━┩
│ a_very_long_name_for… │ (None, 4)         │           0 │ -                  │
│ (InputLayer)          │                   │             │                    │
├───────────────────────┼───────────────────┼─────────────┼────────────────────┤
│ the_projection_of_th… │ (None, 8)         │          40 │ a_very_long_name_… │
│ (Dense)               │                   │             │                    │
├───────────────────────┼───────────────────┼─────────────┼────────────────────┤
│ b (InputLayer)        │ (None, 4)         │           0 │ -                  │
├───────────────────────┼───────────────────┼─────────────┼────────────────────┤
│ sum (Add)             │ (None, 8)         │           0 │ the_projection_of… │
│                       │                   │             │ the_projection_of… │
└───────────────────────┴───────────────────┴─────────────┴────────────────────┘
 Total params: 40 (160.00 B)
 Trainable params: 40 (160.00 B)
 Non-trainable params: 0 (0.00 B)
]],
  },
}
