-- Made by tests/fuzz/models/run.py with Keras 3.15.1.

return {
  {
    name = "1/0",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Concatenate", options = { axis = 1, name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Activation", options = { activation = "silu", name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activation = "softplus", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, name = "n3" }, sources = 3, call = {} }, { layer = 4, options = {}, sources = 4, call = {} }, { layer = "Flatten", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n6" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-54 -24 -4 15 -29 54 -64 44 19 -32 28 -11 43 64 -28 -4 -37 25 18 44 39 62 60 51 -45 -59 -2 -20 51 38 -10 10 12
50 -61 -1 22 -6 54 58 42 -5 50 -55 21 -30 -33 23 35 50 -37 48 43 -24 -56 35 42 -5 -43 -46 -16 33 -24 -60 25 32
-41 8 -13 0 -64 17 -31 7 -10 14 -51 -18 17 34 -15 -61 29 1 20 -44 -9 49 47 -24 17 -54 40 -30 -20 60 6 48 -39 33
64 -55 -33 -46 -31 -24 -55 51 -31 54 34 -42 26 35 -48 -48 -16 -56 -10 -3 21 9 -6 -36 11 -6 44 26 29 9 -17 -28 -7
9 -17 -46 -50 -59 -38 -12 -28 -42 -24 28]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 2 1 0 2 2]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-18 28 -18 -43 45 -19 -21 -40]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-3 -20 -46 -41 40 43 42 31 -6 0 -2 -34 6 -31 -9 1]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-32 -32 37 -42]] }, { tensor = "float32", shape = {96, 3}, scale = 64, data = [[31 30 23 -31 -22 33 -13 -37 -9 15 6 37 -32 22 43 -6 17 -40 -1 -25 -35 14 10 17 -2 0 7 26 -24 32 -21 -25 -37 -28
36 32 -18 43 36 -34 17 18 -43 6 -39 -41 -11 -21 -5 -15 31 -46 32 -29 -20 -20 9 29 -8 21 -30 27 -22 -2 10 -3 -22
-9 19 -5 -2 1 12 -2 -22 16 -28 -10 21 1 31 1 -29 6 -25 12 23 -42 36 13 43 34 -19 -14 37 -46 20 -14 -34 27 47 23
-12 -45 -8 23 44 7 -11 -13 29 -27 -31 -18 -4 4 -37 29 3 -3 23 33 45 -37 -21 -6 -1 -17 44 43 -34 12 -12 2 -24 40
-24 28 34 -24 45 42 30 -16 -22 -36 -1 -19 -26 -36 34 -45 30 47 27 -45 -8 45 -41 47 -30 -44 -21 -2 -41 10 6 -5 9
16 -41 23 43 22 25 -16 47 11 5 12 -48 -44 0 42 48 15 0 16 -24 10 35 20 22 43 -9 31 -4 -37 -43 -37 5 -33 15 -43
-18 -22 22 30 -47 8 -11 17 -31 -22 -40 22 23 31 10 13 0 -21 -19 35 -41 33 8 30 4 10 -3 30 37 43 -29 -33 -4 38
-24 -3 37 -3 -2 -5 -37 -41 33 -3 15 31 -35 -37 -9 7 19 -2 42 40 -15 -32 -45 -40 45 7 18 -22 -31 16 1 42 -40 17
14 21 21 12 -17 10 -10 33 -27 5 0 -27 -4 -38 -18 10]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[34 32 48]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.952077]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.846416]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.742723]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.00683784 0.00358094 0.989581 0.00726973 0.00481789 0.987912 0.0107989 0.00394433 0.985257 0.00795518
0.00439437 0.98765]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.2787 0.437875 -0.278797 -0.669102 0.70181 -0.299373 -0.331517 -0.619185]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.0254697 -0.320416 -0.70966 -0.618554 0.623918 0.691174 0.662648 0.51505 -0.0562018 0.0009144 -0.0297823
-0.537121 0.0649554 -0.437941 -0.134968 0.0760074]] }, { tensor = "float32", shape = {4}, data = [[-0.421885 -0.544705 0.59461 -0.682601]] }, { tensor = "float32", shape = {96, 3}, data = [[0.504921 0.466916 0.340662 -0.478372 -0.34411 0.509982 -0.212635 -0.577005 -0.132234 0.25621 0.0918014 0.558238
-0.47846 0.341485 0.652601 -0.0868076 0.265151 -0.631468 -0.024168 -0.389677 -0.53928 0.241397 0.154464 0.244764
-0.0151785 -0.00179993 0.0951035 0.411644 -0.375659 0.495265 -0.338576 -0.389766 -0.568533 -0.412536 0.559969
0.477567 -0.260591 0.669547 0.544169 -0.523931 0.265022 0.274534 -0.680165 0.0945812 -0.601916 -0.616474
-0.173832 -0.350319 -0.0571095 -0.236086 0.46507 -0.713196 0.499394 -0.458073 -0.322312 -0.311581 0.149518
0.473762 -0.127512 0.310001 -0.444771 0.419706 -0.36556 -0.0242964 0.155441 -0.0530194 -0.35196 -0.139957
0.304416 -0.0576909 -0.0337189 -0.00234028 0.209548 -0.0334545 -0.363594 0.256447 -0.43808 -0.162117 0.319137
0.0164945 0.492493 0.0368933 -0.455151 0.0745078 -0.372395 0.185244 0.343401 -0.650296 0.561626 0.198046
0.662147 0.531854 -0.287751 -0.194836 0.575616 -0.740156 0.332512 -0.220725 -0.549287 0.428109 0.73389 0.353626
-0.196877 -0.702132 -0.116616 0.382108 0.685447 0.0886951 -0.151142 -0.205443 0.434711 -0.41425 -0.485047
-0.288203 -0.0704834 0.0632777 -0.570919 0.477775 0.0447913 -0.0694414 0.381441 0.513465 0.683219 -0.56981
-0.328774 -0.101416 -0.0228317 -0.264804 0.693886 0.696607 -0.533435 0.164953 -0.164845 0.0290153 -0.39542
0.632709 -0.375694 0.430485 0.523485 -0.374236 0.710126 0.679297 0.466547 -0.270843 -0.323204 -0.564334
-0.0343376 -0.290872 -0.40661 -0.568143 0.52174 -0.702005 0.477141 0.75621 0.419926 -0.723012 -0.10346 0.70086
-0.659899 0.741317 -0.469224 -0.693968 -0.336668 -0.0303023 -0.63303 0.178897 0.0919641 -0.0989859 0.156696
0.2482 -0.654896 0.364769 0.671216 0.339015 0.380174 -0.249141 0.743967 0.196839 0.0755939 0.165067 -0.729341
-0.689828 -0.0183314 0.663569 0.749397 0.227659 -0.00829037 0.250831 -0.367541 0.180401 0.544918 0.290306
0.364765 0.670164 -0.15993 0.489929 -0.0631056 -0.583073 -0.681687 -0.577206 0.0870183 -0.494988 0.231863 -0.69
-0.257271 -0.345919 0.32194 0.475704 -0.735184 0.118856 -0.180085 0.266294 -0.476834 -0.323316 -0.627469
0.325785 0.381423 0.482171 0.136406 0.209572 -0.00057987 -0.333992 -0.305863 0.547745 -0.632507 0.536893
0.122974 0.449508 0.0807302 0.153994 -0.062849 0.474704 0.577251 0.666796 -0.462854 -0.515021 -0.0533756
0.617664 -0.377509 -0.0682806 0.598137 -0.0488504 -0.0492869 -0.0718907 -0.57861 -0.646374 0.506248 -0.0458823
0.242759 0.507108 -0.548928 -0.598805 -0.119892 0.107057 0.278461 -0.0236248 0.655578 0.618047 -0.242358
-0.499222 -0.695919 -0.60035 0.701041 0.0868086 0.303316 -0.34591 -0.504281 0.258315 0.0149758 0.648584
-0.632207 0.266446 0.225136 0.352857 0.32594 0.164953 -0.24297 0.154015 -0.17667 0.523334 -0.422569 0.07111
-0.0077649 -0.421111 -0.0554989 -0.570703 -0.283453 0.135407]] }, { tensor = "float32", shape = {3}, data = [[0.510028 0.502036 0.769187]] } },
  },
  {
    name = "1/1",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "SimpleRNN", options = { units = 4, use_bias = false, go_backwards = true, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 2, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "celu", name = "n1" }, sources = 1, call = {} }, { layer = "LayerNormalization", options = { axis = -1, scale = false, name = "n2" }, sources = 2, call = {} }, { layer = 3, options = {}, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "r2_score", options = { name = "m0" } }, { object = "metric", class = "cosine_similarity", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-63 64 -45 3 10 7 13 -15 -27 -12 -19 20 29 4 -7 -1 45 -51 48 50 -42 -49 -61 -36 -9 39 22 -38 60 -17 -20 56 4 -16
-37 -39 24 -11 12 -45 33 -18 -25 -10 19 14 33 20 4 57 -31 53 34 -56 46 -3 48 -7 16 54 -20 60 11 -54 -47 43 21 -2
-57 53 31 36]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[48 24 38 -33 4 -29 57 -15 21 -14 38 51 37 1 5 5 -31 49]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[117 41 102 17 27 54]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[2 10 -43 -22 -27 36 26 -28 27 37 46 18 -38 -22 -46 26]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[19 -23 -30 40 -47 -21 -43 -7 0 -21 16 14 -27 -48 -19 1]] }, { tensor = "float32", shape = {4, 2}, scale = 64, data = [[40 13 -45 -30 15 17 -47 -34]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-21 14]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-9 18]] }, { tensor = "float32", shape = {2, 3}, scale = 64, data = [[39 -37 18 32 -21 34]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[10 33 8]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.282554]] }, m0 = { tensor = "float32", shape = {1}, data = [[-0.99759]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.315885]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.216517]] }, m0 = { tensor = "float32", shape = {}, data = [[-0.149142]] }, m1 = { tensor = "float32", shape = {}, data = [[0.36307]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.190053]] }, m0 = { tensor = "float32", shape = {}, data = [[-0.165899]] }, m1 = { tensor = "float32", shape = {}, data = [[0.430535]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.515805 0.227235 0.41538 0.515805 0.227235 0.41538 0.515805 0.227235 0.41538 0.515805 0.227235 0.415379
0.515805 0.227235 0.41538 0.515805 0.227235 0.41538]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.0312504 0.156249 -0.671875 -0.343751 -0.421874 0.5625 0.40625 -0.4375 0.421875 0.578125 0.71875 0.281249
-0.593751 -0.343751 -0.71875 0.406249]] }, { tensor = "float32", shape = {4, 4}, data = [[0.296875 -0.359375 -0.46875 0.625 -0.734376 -0.328124 -0.671875 -0.109375 -1.92859e-06 -0.328125 0.25 0.21875
-0.421874 -0.75 -0.296875 0.0156249]] }, { tensor = "float32", shape = {4, 2}, data = [[0.52674 0.104865 -0.604865 -0.37049 0.136115 0.167365 -0.636116 -0.43299]] }, { tensor = "float32", shape = {2}, data = [[-0.328117 0.21874]] }, { tensor = "float32", shape = {2}, data = [[-0.0322218 0.393994]] }, { tensor = "float32", shape = {2, 3}, data = [[0.516429 -0.452721 0.289994 0.579115 -0.453099 0.456198]] }, { tensor = "float32", shape = {3}, data = [[0.241615 0.391544 0.0788385]] } },
  },
  {
    name = "1/2",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, use_bias = false, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "relu", name = "n1" }, sources = 2, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n2" }, sources = 3, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "softplus", name = "n4" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = {} } },
    metrics = { { { object = "metric", class = "poisson", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.05, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[0 53 -17 14 12 -42 -45 -16 -1 -12 29 58 -11 -1 17 48 13 36 -9 -44 -54 -21 -29 47]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[21 3 -36 -54 32 -3 20 -35 2 -21 52 34 34 24 -59 60 21 -56 -28 43 21 -16 59 -55]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[119 14 125 50 112 90]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[36 29 -2 -12 46 -7 -2 -16 -21 39 -19 -33 30 -38 8 22]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[24 -40 40 -41 -9 43 23 -16 14 -38 39 -4 25 32 -43 -14]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-28 12 -47 11]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-13 -16 44 28]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.20211 0.197773 0.198318]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.1244 1.24242 1.11815]] }, m1 = { tensor = "float32", shape = {3}, data = [[89.2107 52.7448 89.7409]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.196305]] }, m0 = { tensor = "float32", shape = {}, data = [[1.15563]] }, m1 = { tensor = "float32", shape = {}, data = [[76.836]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.569719 0.455962 -0.0305117 -0.185026 0.716574 -0.120543 -0.0255392 -0.258782 -0.332846 0.595023 -0.29005
-0.52696 0.454531 -0.607794 0.128553 0.332317]] }, { tensor = "float32", shape = {4, 4}, data = [[0.375 -0.632952 0.625 -0.628783 -0.140625 0.67019 0.359375 -0.262653 0.21875 -0.590472 0.609375 -0.0648383
0.390625 0.506608 -0.671875 -0.220183]] }, { tensor = "float32", shape = {4}, data = [[-0.4375 0.170968 -0.734375 0.217714]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.178108 -0.233639 0.662483 0.423362]] } },
  },
  {
    name = "1/4",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "RNN", options = { cell = { object = "layer", class = "gru_cell", options = { units = 4 } }, return_sequences = true, go_backwards = true, name = "n0" }, sources = 0, call = {} }, { layer = "Bidirectional", options = { layer = { object = "layer", class = "simple_rnn", options = { units = 4, use_bias = false } }, merge_mode = "ave", name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "linear", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activation = "selu", name = "n3" }, sources = 3, call = {} }, { layer = 3, options = {}, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "cosine_similarity", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-40 55 -8 7 -8 58 -52 55 -58 -40 8 -6 57 -64 38 -23 -57 -63 -44 -8 43 -2 27 64 -47 -13 -32 57 10 -14 -29 45 1 27
-48 -22 32 -4 16 41 -7 -8 -48 18 2 -63 11 7 15 -9 56 8 -57 4 4 -52 62 -36 -10 -60 -47 -15 12 6 -54 -27 -13 -48
-18 13 37 -15]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[42 -19 -9 43 -49 4 -19 63 -1 58 55 41 -17 -9 56 60 26 19]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 12}, scale = 64, data = [[-39 13 -6 5 33 23 -28 17 34 -11 0 43 -42 35 26 -27 -28 11 48 14 -5 11 -31 48 7 48 -25 -18 -12 -10 27 34 -10 45
-47 -36 39 46 4 -18 23 -16 -39 -42 11 42 23 -2]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[4 -22 35 -3 -7 47 19 -40 -34 -20 44 -22 44 -6 -21 35 -2 38 -28 -43 8 -19 32 44 1 4 -37 -41 -36 -47 -35 -2 -34 41
40 -45 -14 34 14 -27 15 -17 45 21 39 -22 -33 -44]] }, { tensor = "float32", shape = {2, 12}, scale = 64, data = [[22 -4 26 30 -3 -11 -16 3 22 -21 -19 -9 -10 36 -39 -17 -5 -34 -30 21 38 4 -36 37]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-32 18 8 -35 26 20 -37 23 12 -32 40 -39 6 5 9 -30]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[36 3 -48 7 -4 -30 -10 -11 -2 -38 31 12 22 -26 10 -24]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[30 38 -34 17 -13 -24 -19 -38 -43 43 23 36 -42 -33 -47 -11]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-38 -7 -8 -18 8 16 -40 7 -40 -25 -21 -16 42 24 -11 -24]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-22 -7 -48 42]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[39]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-35 8 -40 -9]] }, { tensor = "float32", shape = {1, 3}, scale = 64, data = [[-35 -21 43]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-22 -45 6]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.239652]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.23096]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.358198]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.226994]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.888731 -1.05251 0.826276 -0.945739 -1.08794 0.899795 -0.92813 -1.077 0.877086 -0.897748 -1.05812 0.837905
-0.980033 -1.10925 0.944023 -0.957237 -1.09509 0.914624]] } } },
    final = { { tensor = "float32", shape = {4, 12}, data = [[-0.626222 0.217388 -0.109603 0.0880365 0.512288 0.35294 -0.443336 0.264844 0.533082 -0.163176 0.00643292
0.675625 -0.640996 0.552492 0.40897 -0.435606 -0.421885 0.188732 0.750762 0.233934 -0.0678058 0.167628 -0.492142
0.756076 0.120234 0.743072 -0.407009 -0.264275 -0.209413 -0.171851 0.422995 0.513909 -0.171442 0.703221
-0.731666 -0.562536 0.611821 0.710834 0.0560541 -0.279738 0.35308 -0.244761 -0.597734 -0.661559 0.162083
0.658417 0.347745 -0.0400596]] }, { tensor = "float32", shape = {4, 12}, data = [[0.067958 -0.355341 0.555613 -0.0582908 -0.107953 0.733083 0.306571 -0.627954 -0.535567 -0.308131 0.676042
-0.354831 0.685763 -0.0836483 -0.330649 0.558201 -0.0244088 0.604719 -0.446659 -0.663649 0.132251 -0.300466
0.509733 0.698104 0.0152776 0.0676743 -0.577648 -0.626075 -0.567142 -0.734014 -0.548767 -0.0363876 -0.53816
0.648318 0.623465 -0.702119 -0.210028 0.525463 0.238306 -0.418109 0.249858 -0.248935 0.703211 0.340467 0.616093
-0.347337 -0.512096 -0.686256]] }, { tensor = "float32", shape = {2, 12}, data = [[0.336234 -0.0708923 0.410366 0.459641 -0.0428135 -0.170924 -0.242567 0.0492147 0.348319 -0.329623 -0.30771
-0.151536 -0.168412 0.546465 -0.600289 -0.280299 -0.0711911 -0.529671 -0.455388 0.331538 0.596032 0.0615526
-0.566551 0.571369]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.508997 0.26756 0.119513 -0.533896 0.394682 0.302641 -0.57769 0.357883 0.185197 -0.500773 0.62243 -0.606293
0.105184 0.09306 0.15086 -0.476045]] }, { tensor = "float32", shape = {4, 4}, data = [[0.568282 0.056323 -0.742034 0.100279 -0.0623324 -0.466628 -0.150007 -0.173191 -0.0356495 -0.603472 0.474006
0.197299 0.321525 -0.40885 0.15209 -0.364004]] }, { tensor = "float32", shape = {4, 4}, data = [[0.4569 0.598275 -0.544667 0.276405 -0.18764 -0.390209 -0.283976 -0.605593 -0.671717 0.668988 0.357955 0.56624
-0.67424 -0.537691 -0.748293 -0.162982]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.60109 -0.103014 -0.130954 -0.275566 0.115057 0.258214 -0.634209 0.116207 -0.615889 -0.387293 -0.320281
-0.25715 0.651908 0.389527 -0.176543 -0.374274]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.340755 -0.0943154 -0.745103 0.640522]] }, { tensor = "float32", shape = {1}, data = [[0.622239]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.555335 0.115692 -0.633354 -0.131239]] }, { tensor = "float32", shape = {1, 3}, data = [[-0.530825 -0.329889 0.684578]] }, { tensor = "float32", shape = {3}, data = [[-0.330158 -0.705379 0.105914]] } },
  },
  {
    name = "1/5",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Reshape", options = { target_shape = { -1 }, name = "n0" }, sources = 0, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "hard_sigmoid" } }, name = "n2" }, sources = 2, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "log_softmax" } }, name = "n3" }, sources = 3, call = {} }, { layer = "Subtract", options = { name = "n4" }, sources = { 4, 4 }, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "softsign", name = "n6" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 3, name = "n7" }, sources = 7, call = {} } },
    outputs = { 6, 8 },
    loss = { { object = "loss", class = "squared_hinge", options = {} }, { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } }, {} },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01, global_clipnorm = 0.5, gradient_accumulation_steps = 2 } },
    tasks = { "signs", "regression" },
    loss_weights = { 1, 0.25 },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[44 -9 39 -53 60 -5 -37 -37 -14 -44 43 36 11 -3 30 -25 3 2 56 -43 8 -39 -11 7 41 6 26 -1 -39 -14 12 -43 33 38 48
20 -59 43 19 16 0 18 -34 40 -58 12 52 12 17 27 -52 -23 -1 33 46 22 -37 57 -37 30 4 24 33 9 -13 53 57 -62 26 32
-24 -21]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 -64 64 -64 64 64]] }, { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-19 49 -18 -13 -53 -15 55 27 -44 7 -21 -6 29 -56 19 -55 -53 57]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {12}, scale = 64, data = [[52 37 85 48 71 46 89 79 65 61 68 44]] }, { tensor = "float32", shape = {12, 4}, scale = 64, data = [[-44 -1 42 48 38 19 4 -4 38 34 19 -35 27 44 45 23 48 -38 -31 -28 41 30 -29 37 -41 9 8 -48 -13 22 -17 -14 34 -28
33 -24 0 -32 -31 41 -41 3 11 -22 -43 14 -8 7]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-15 -41 -21 -35]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[46 -19 29 40]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[48 -29 14 26 -26 -17 46 26 41 -40 43 -24 4 -14 -1 28]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[27 -42 45 -4]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[20 -25 45 33]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-25 -37 -9 18 1 -23 -28 -4 0 -46 2 5 -46 4 -20 -23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[40 -23 -30 7]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-14 10 -24 42]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-17]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-17 11 44 -44 35 -10 -35 -43 -27 19 -20 25]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[14 -40 -14]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.31078]] }, n5_loss = { tensor = "float32", shape = {}, data = [[1.06737]] }, n5_m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, n5_m1 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, n7_loss = { tensor = "float32", shape = {}, data = [[0.609908]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.31078]] }, n5_loss = { tensor = "float32", shape = {}, data = [[1.06737]] }, n5_m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, n5_m1 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, n7_loss = { tensor = "float32", shape = {}, data = [[0.609908]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.46734]] }, n5_loss = { tensor = "float32", shape = {1}, data = [[1.23667]] }, n5_m0 = { tensor = "float32", shape = {1}, data = [[1.08503]] }, n5_m1 = { tensor = "float32", shape = {1}, data = [[1.08503]] }, n7_loss = { tensor = "float32", shape = {1}, data = [[0.559032]] } }, { { tensor = "float32", shape = {4, 1}, data = [[-0.2551 -0.2551 -0.2551 -0.2551]] }, { tensor = "float32", shape = {4, 3}, data = [[0.501339 -0.51914 0.258803 0.501339 -0.51914 0.258803 0.501339 -0.51914 0.258803 0.501339 -0.51914 0.258803]] } } },
    final = { { tensor = "float32", shape = {12}, scale = 64, data = [[52 37 85 48 71 46 89 79 65 61 68 44]] }, { tensor = "float32", shape = {12, 4}, data = [[-0.413285 -0.00939285 0.394499 0.450857 0.356928 0.178464 0.0375714 -0.0375714 0.356928 0.319357 0.178464
-0.32875 0.253607 0.413285 0.422678 0.216035 0.450857 -0.356928 -0.291178 -0.263 0.385107 0.281785 -0.272392
0.347535 -0.385107 0.0845356 0.0751428 -0.450857 -0.122107 0.206643 -0.159678 -0.1315 0.319357 -0.263 0.309964
-0.225428 0 -0.300571 -0.291178 0.385107 -0.385107 0.0281785 0.103321 -0.206643 -0.403892 0.1315 -0.0751428
0.0657499]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.389921 -0.572286 -0.366778 -0.621228]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[46 -19 29 40]] }, { tensor = "float32", shape = {4, 4}, data = [[0.521313 -0.31496 0.15205 0.282378 -0.282378 -0.184632 0.499592 0.282378 0.445288 -0.434427 0.46701 -0.260657
0.0434428 -0.15205 -0.0108607 0.304099]] }, { tensor = "float32", shape = {1, 4}, data = [[0.574304 -0.580955 0.570856 0.0824008]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[20 -25 45 33]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.390428 -0.577928 -0.140428 0.281053 0.0154282 -0.359178 -0.437303 -0.0623032 0 -0.718553 0.0310532 0.0779282
-0.718553 0.0623032 -0.312303 -0.359178]] }, { tensor = "float32", shape = {4}, data = [[0.624854 -0.359032 -0.468613 0.108912]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-14 10 -24 42]] }, { tensor = "float32", shape = {1}, data = [[-0.26086]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.265783 0.172033 0.687185 -0.687392 0.546767 -0.156033 -0.546744 -0.672006 -0.421613 0.296835 -0.31246
0.390544]] }, { tensor = "float32", shape = {3}, data = [[0.21834 -0.62459 -0.21957]] } },
  },
  {
    name = "1/6",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "MaxPooling2D", options = { padding = "same", strides = 2, pool_size = { 1, 3 }, name = "n0" }, sources = 0, call = {} }, { layer = "Minimum", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Dense", options = { units = 4, name = "n2" }, sources = 2, call = {} }, { layer = "AlphaDropout", options = { rate = 0, name = "n3" }, sources = 3, call = {} }, { layer = "GlobalAveragePooling2D", options = { keepdims = false, name = "n4" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "cosine_similarity", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "cosine_similarity", options = { name = "m0" } }, { object = "metric", class = "cosine_similarity", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-53 -50 -58 8 -7 6 28 -38 -37 8 58 45 -21 3 -4 29 -34 -43 34 -57 -19 -10 64 13 -17 48 -47 2 -27 -48 64 15 11 46
-26 -32 -26 61 59 -35 8 -59 10 -59 -10 -25 59 50 -53 16 -6 47 59 47 -61 39 0 -42 55 56 46 -9 -22 64 -24 -36 -19
24 54 -19 56 39 -61 -57 52 -7 -12 58 15 43 45 -31 2 2 20 -29 16 56 -31 58 -8 26 62 51 30 60 54 -55 60 -21 -7 -11
-50 -55 -58 -29 46 56 -49 17 -39 -59 -54 -39 -40 60 -6 47 -60 32 42 -45 -18 -8 -14 -28 -51 14 33 63 42 50 45 -10
-35 -41 4 53 -39 50 34 19 35 11 -61 -23 20 9 24 -55 3 37 64 16 58 -48 -13 41 -9 -60 -7 44 51 55 -52 -11 64 -38
-6 -31 -45 -18 28 53 -31 -1 -12 -49 -63 -62 20 -7 45 61 -44 54 58 57 -2 56 43 34]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-62 42 -54 53 56 -24 47 -60 -53 18 -39 -51 58 2 -27 -10 50 -1]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[39 18 96 124 74 36]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, validation = true, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {2, 3}, scale = 64, data = [[2 -48 7 42 -30 28]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-17 -16 22]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.358682 0.577414 0.292693]] }, m0 = { tensor = "float32", shape = {3}, data = [[-0.395064 -0.596942 -0.360063]] }, m1 = { tensor = "float32", shape = {3}, data = [[-0.395064 -0.596942 -0.360063]] }, val_loss = { tensor = "float32", shape = {3}, data = [[0.384941 0.380945 0.322299]] }, val_m0 = { tensor = "float32", shape = {3}, data = [[-0.435316 -0.435553 -0.405839]] }, val_m1 = { tensor = "float32", shape = {3}, data = [[-0.435316 -0.435553 -0.405839]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.322299]] }, m0 = { tensor = "float32", shape = {}, data = [[-0.405839]] }, m1 = { tensor = "float32", shape = {}, data = [[-0.405839]] } } },
    final = { { tensor = "float32", shape = {2, 3}, data = [[0.0511316 -0.743949 0.114813 0.669604 -0.467687 0.438948]] }, { tensor = "float32", shape = {3}, data = [[-0.252638 -0.338563 0.263582]] } },
  },
  {
    name = "1/7",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = false, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activation = "selu", name = "n1" }, sources = 1, call = {} }, { layer = 2, options = {}, sources = 2, call = {} }, { layer = 3, options = {}, sources = 3, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "log_softmax" } }, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "int32", shape = {6, 3}, data = [[4 5 2 4 5 3 1 1 4 4 3 4 1 0 2 3 1 3]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[-64 64 64 64 -64 -64 -64 64 64 -64 64 64 -64 -64 64 -64 -64 64]] } },
    sample_weight = { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 49 68 52 50 96 88 36 71 48 69 109 47 64 89 52 48 70]] },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[22 -1 46 -14 43 20 -18 18 7 -3 -40 -2 -31 -48 -33 39 -44 -6 19 -3 -20 -45 -43 44]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-16 9 -23 -7 12 -30 -9 47 -31 18 33 39 5 -46 48 48]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-37 -18 -25 -28 -37 -47 42 -30 32 -20 36 -22 -44 14 -16 -39]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-40 -42 12 26]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[27 37 35 -35]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-5 30 47 34]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[5]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.18068]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.18059]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.18055]] } }, { { tensor = "float32", shape = {6, 3, 1}, data = [[-0.988581 -0.9803 -0.976014 -0.988581 -0.9803 -0.982269 -0.978072 -0.978072 -0.988581 -0.988581 -0.982269
-0.988581 -0.978072 -0.988623 -0.976014 -0.982269 -0.978072 -0.982269]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[0.34375 -0.015625 0.71875 -0.21875 0.671726 0.312591 -0.280525 0.281674 0.109478 -0.0466946 -0.625166 -0.0312971
-0.48447 -0.750135 -0.515404 0.609446 -0.687206 -0.0937227 0.296106 -0.047497 -0.312504 -0.703131 -0.67187
0.687502]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.250106 0.141216 -0.358538 -0.108767 0.187583 -0.468847 -0.140629 0.734221 -0.484372 0.280719 0.51503 0.608869
0.0781929 -0.718556 0.750026 0.750125]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.397216 -0.192953 -0.267839 -0.300167 -0.396373 -0.504033 0.450381 -0.322093 0.343228 -0.214594 0.385679
-0.235494 -0.471616 0.15016 -0.172086 -0.417984]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.643756 -0.443065 0.207499 -0.588401]] }, { tensor = "float32", shape = {4}, data = [[0.42068 0.577959 0.547681 -0.546316]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.0807564 0.466457 0.731253 0.526886]] }, { tensor = "float32", shape = {1}, data = [[0.0802549]] } },
  },
  {
    name = "1/8",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "UnitNormalization", options = { axis = 3, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Reshape", options = { target_shape = { -1 }, name = "n2" }, sources = 2, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "elu" } }, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "hinge", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-19 -17 31 -42 -41 62 9 44 -41 -10 -60 32 -18 -34 49 60 14 -63 60 -50 -41 -57 -2 -51 59 9 14 -26 -21 48 6 -29
-22 33 3 -21 21 37 59 -24 32 -60 26 23 31 4 -56 -47 -36 57 10 -54 4 60 64 60 -21 31 -55 -43 -3 45 -60 31 49 -35
-46 -63 -44 19 -47 -22 27 63 12 12 -47 -44 -58 -3 -55 0 54 18 -9 3 12 10 -11 -40 48 -32 -62 47 4 -30 42 -24 50
49 -34 2 57 -32 58 8 -58 57 25 -2 27 6 1 17 7 18 -57 53 -45 -8 3 59 35 3 3 -36 -57 -55 -15 35 12 -4 41 9 22 -38
-52 57 -11 -40 -12 -44 -20 39]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 -64 -64 -64 64 -64 64 64 64 64 -64 64 64 -64 -64 64 -64 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[31 44 55 93 45 34]] },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {24, 4}, scale = 64, data = [[18 -27 -13 -23 46 -44 -42 4 28 4 46 28 42 40 -15 -12 1 -17 -27 15 -36 39 32 15 -20 27 -8 36 -3 -30 8 11 48 43 1
31 15 -27 18 4 -41 36 47 29 10 -45 -3 -39 22 25 -33 26 -38 -37 -2 -38 19 -1 -23 -12 0 -44 32 6 7 31 -26 -39 43
-6 -39 -21 -11 -9 -32 -31 -31 -14 9 -34 8 20 14 13 46 -12 -14 -7 -12 -44 24 -9 0 33 -3 -5]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-41 34 -3 18]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-14 -42 4 7]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-25 -44 -13 -32 -35 -44 16 14 -36 1 -4 47]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[16 47 -8]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.802672]] }, m0 = { tensor = "float32", shape = {}, data = [[0.972769]] }, m1 = { tensor = "float32", shape = {}, data = [[0.972769]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.782116]] }, m0 = { tensor = "float32", shape = {}, data = [[0.954991]] }, m1 = { tensor = "float32", shape = {}, data = [[0.954991]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.762467]] }, m0 = { tensor = "float32", shape = {}, data = [[0.936774]] }, m1 = { tensor = "float32", shape = {}, data = [[0.936774]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.757816 0.925451 0.0908745 0.630197 0.887564 -0.0783308 0.684052 0.880224 0.712802 0.591306 0.812918 0.359158
0.0265368 0.184151 -0.0066425 0.303231 0.538954 0.523949]] } } },
    final = { { tensor = "float32", shape = {24, 4}, data = [[0.107388 -0.137513 -0.0959975 -0.135084 0.248665 -0.27912 -0.271782 0.04877 0.152046 0.0340647 0.265773 0.156215
0.243368 0.216915 -0.112487 -0.0472126 0.00976235 -0.121758 -0.171636 0.109503 -0.193022 0.250366 0.214391
0.0627118 -0.116605 0.151912 -0.0242034 0.192178 -0.0339641 -0.196832 0.0382349 0.0827038 0.300708 0.235968
0.0139165 0.19051 0.0737712 -0.148587 0.122869 0.0182256 -0.247235 0.224193 0.254786 0.192031 0.0519852
-0.258107 -0.0404962 -0.213305 0.147371 0.163075 -0.172701 0.131693 -0.244544 -0.225253 -0.023475 -0.204241
0.129794 0.0179137 -0.128529 -0.0939938 -0.0217361 -0.280537 0.164964 0.0597695 0.0323528 0.196426 -0.131553
-0.249808 0.272344 -0.0521752 -0.219814 -0.120113 -0.0607831 -0.0311796 -0.203892 -0.201344 -0.161292 -0.061415
0.0757143 -0.224563 0.0692328 0.138935 0.106426 0.0524283 0.248675 -0.092186 -0.107057 -0.0156242 -0.0569589
-0.272394 0.121472 -0.0375661 0.0187317 0.179688 -0.0249895 -0.0213925]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.414492 0.65206 0.500506 0.390522]] }, { tensor = "float32", shape = {4}, data = [[-0.240973 -0.645571 0.045619 0.125787]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.369724 -0.705915 -0.178834 -0.526095 -0.525364 -0.713726 0.237179 0.222693 -0.582339 0.015891 -0.0405732
0.720479]] }, { tensor = "float32", shape = {3}, data = [[0.27578 0.714791 -0.100193]] } },
  },
  {
    name = "1/9",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 1, kernel_constraint = { object = "constraint", class = "min_max_norm", options = { min_value = 0.3, max_value = 0.7 } }, name = "n0" }, sources = 0, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "exponential" } }, name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, name = "n2" }, sources = 3, call = {} }, { layer = "Normalization", options = { mean = { 0, 0.25, 0.5, 0.75 }, variance = { 0.5, 0.75, 1, 1.25 }, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, bias_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "tanh", name = "n4" }, sources = 5, call = {} } },
    outputs = { 4, 6 },
    loss = { { object = "loss", class = "cosine_similarity", options = {} }, { object = "loss", class = "squared_hinge", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { {}, {} },
    weighted_metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m5" } }, { object = "metric", class = "root_mean_squared_error", options = { name = "m6" } } }, {} },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.01 } },
    tasks = { "regression", "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[6 18 -37 -63 25 -16 20 31 25 41 -12 -43 60 58 -11 42 29 -6 -25 -55 49 -41 -29 -54]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-56 20 47 -21 58 4 28 -41 4 -59 58 -56 6 -42 62 -24 -26 13 20 -31 -30 44 34 -51]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-28 -27 -47 -51 -30 -32 -39 -25 -14 -56 4 -1 -6 49 -31 -4 45 -24]] }, { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 64 -64 -64 -64 64 -64 64 -64 64 64 64 -64 64 64 64 64 -64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[19 42 12 4]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[32]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-38 -3 35 23]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-11 46 44 13]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-11 43 8 -37]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[41 -44 -48 -12 46 28 -26 44 -41 36 33 0]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-12 -45 33 44 -11 -45 -40 47 37 -14 35 46]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[38 -37 -25]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.53482]] }, n2_loss = { tensor = "float32", shape = {}, data = [[0.120104]] }, n2_m5 = { tensor = "float32", shape = {}, data = [[1.83438]] }, n2_m6 = { tensor = "float32", shape = {}, data = [[1.83438]] }, n4_loss = { tensor = "float32", shape = {}, data = [[1.24724]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.44868]] }, n2_loss = { tensor = "float32", shape = {}, data = [[0.092187]] }, n2_m5 = { tensor = "float32", shape = {}, data = [[1.79971]] }, n2_m6 = { tensor = "float32", shape = {}, data = [[1.79971]] }, n4_loss = { tensor = "float32", shape = {}, data = [[1.19056]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.34605]] }, n2_loss = { tensor = "float32", shape = {}, data = [[0.0618829]] }, n2_m5 = { tensor = "float32", shape = {}, data = [[1.7875]] }, n2_m6 = { tensor = "float32", shape = {}, data = [[1.7875]] }, n4_loss = { tensor = "float32", shape = {}, data = [[1.11971]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.418317 2.35984 -0.861241 -0.38128 2.28332 -0.824469 -0.609745 2.76984 -1.09833 -0.820425 3.23903 -1.42754
-0.371325 2.26294 -0.815149 -0.248681 2.01895 -0.720998]] }, { tensor = "float32", shape = {6, 3}, data = [[0.651524 -0.358724 -0.389289 0.68258 -0.442982 -0.430813 0.425822 0.152696 -0.105954 0.0530636 0.631631 0.285062
0.690316 -0.464324 -0.44122 0.767073 -0.679394 -0.544693]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[0.295381 0.618382 0.139968 0.0276198]] }, { tensor = "float32", shape = {1}, data = [[0.53]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.677526 -0.0806456 0.626365 0.42172]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.667526 -0.0706456 0.616365 0.41172]] }, { tensor = "float32", shape = {4}, data = [[-0.201875 0.641875 0.155 -0.548125]] }, { tensor = "float32", shape = {4, 3}, data = [[0.610625 -0.7175 -0.78 -0.2175 0.68875 0.4075 -0.43625 0.6575 -0.670625 0.5325 0.485625 -0.03]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.2175 -0.673125 0.545625 0.6575 -0.141875 -0.673125 -0.655 0.764375 0.608125 -0.18875 0.516875 0.68875]] }, { tensor = "float32", shape = {3}, data = [[0.56375 -0.548125 -0.360625]] } },
  },
  {
    name = "1/10",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "ReLU", options = { name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05, weight_decay = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-50 1 -17 22 -30 -40 -32 -29 5 4 35 36 -28 -48 -28 19 28 -11 8 64 -26 19 28 -31]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 -64 -64 64 64 -64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[13 1 32 -24]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[8]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.07897]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.07785]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.0759]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.00258816 0.127227 0.187666 0.0195091 -0.0936285 0.320883]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[0.196354 0.0124006 0.459498 -0.365165]] }, { tensor = "float32", shape = {1}, data = [[0.12792]] } },
  },
  {
    name = "1/11",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Conv3D", options = { padding = "same", kernel_size = { 1, 2, 2 }, filters = 2, bias_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, activation = "tanh", groups = 2, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5, reduction = "mean" } } },
    metrics = { { { object = "metric", class = "r2_score", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[5 -22 -28 34 -6 11 -53 8 -49 46 22 49 45 27 -27 -2 43 -31 11 -50 58 38 44 47 -17 -64 -6 27 -62 -41 22 -22 -14 19
-28 31 30 56 -31 17 60 -63 24 -64 -2 31 -50 46 -43 23 35 47 -49 -28 49 -28 -12 -30 -26 52 62 64 21 -35 46 -15 22
-8 -36 60 -42 -59 31 12 -11 12 6 -2 -32 -5 45 9 21 61 46 46 24 -32 29 30 53 -16 62 -55 -24 -24 -12 -14 -23 -4
-31 -42 -46 5 -31 -30 47 37 12 -34 26 -56 -63 -9 31 -2 15 -60 14 26 28 55 -40 -64 22 -56 29 19 -62 -17 -1 -44 4
-2 -30 28 57 37 18 -50 -17 54 51 -20]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[14 44 -2 0 2 -5 52 58 53 32 28 1 27 -23 -57 24 -30 -48]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 3,
    rematerialize = 7,
    weights = { { tensor = "float32", shape = {1, 2, 2, 1, 2}, scale = 64, data = [[42 35 -26 35 41 -23 -27 -2]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-46 -3]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-21 44 46 -19 -1 -19 11 43 10 -8 -16 46 -22 -38 27 -17 -48 13 -17 -20 5 35 -20 4 -28 42 3 26 4 12 29 13 -5 -44
-11 -4 -32 30 36 -29 -34 5 24 35 -37 -30 -3 42 38 34 -19 30 -31 -5 18 -9 -4 32 7 37 -5 1 -44 32 19 30 -43 26 40
34 30 -44]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.462802]] }, m0 = { tensor = "float32", shape = {}, data = [[-16.9962]] }, m1 = { tensor = "float32", shape = {}, data = [[1.11138]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.562251]] }, m0 = { tensor = "float32", shape = {}, data = [[-23.9128]] }, m1 = { tensor = "float32", shape = {}, data = [[1.3313]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.551649]] }, m0 = { tensor = "float32", shape = {}, data = [[-23.1794]] }, m1 = { tensor = "float32", shape = {}, data = [[1.31052]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.560048 -1.75903 -0.668726 0.328586 -1.79302 -0.644818 0.111712 -2.15848 -0.885459 0.313972 -2.03585 -1.0585
1.1207 -2.03944 -1.37456 0.266698 -2.27227 -0.862382]] } } },
    final = { { tensor = "float32", shape = {1, 2, 2, 1, 2}, data = [[0.660274 0.544787 0 0.55061 0.643187 0 0 0]] }, { tensor = "float32", shape = {2}, data = [[-0.692247 -0.0438326]] }, { tensor = "float32", shape = {24, 3}, data = [[-0.330166 0.68208 0.713955 -0.295656 -0.0142431 -0.29565 0.169851 0.66583 0.151065 -0.124308 -0.248988 0.719595
-0.345826 -0.599457 0.416944 -0.267192 -0.752676 0.200931 -0.267949 -0.318776 0.072693 0.545901 -0.314173
0.0611112 -0.439269 0.651081 0.0424063 0.406978 0.0649149 0.189548 0.451013 0.197579 -0.0829398 -0.68711
-0.170891 -0.0616283 -0.500733 0.465749 0.559623 -0.452305 -0.530388 0.078456 0.372789 0.541027 -0.58316
-0.468614 -0.0470913 0.655732 0.592184 0.527239 -0.300382 0.467726 -0.486926 -0.079954 0.2789 -0.146719
-0.0678388 0.499595 0.108023 0.577217 -0.0798651 0.0110848 -0.691436 0.499505 0.296938 0.468421 -0.674018
0.400645 0.620095 0.530731 0.46838 -0.687997]] } },
  },
  {
    name = "1/12",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Subtract", options = { name = "n0" }, sources = { 0, 1 }, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 2, call = {} }, { layer = "Add", options = { name = "n2" }, sources = { 3, 1 }, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 0, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.05, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-17 -17 13 20 -5 46 37 9 -52 -1 12 11 20 8 -21 13 52 -20 -42 32 -36 -40 -24 56]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[27 -50 12 -44 53 -4 -33 11 -44 -55 -7 6 -53 15 -52 25 -42 -5 45 14 59 -42 -64 -20]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[4 31 38 38 -12 -40 -55 58 55 -14 58 -3 18 -18 -60 55 62 -26]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-23 -45 -32 -40 -10 28 -14 -19 47 10 -27 -32]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[4 -32 35]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.278793 0.128533 0.24649]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.205091]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.303459 -0.749381 -0.478996 -0.578471 -0.130212 0.397081 -0.188316 -0.269401 0.703741 0.135566 -0.363528
-0.539782]] }, { tensor = "float32", shape = {3}, data = [[0.0224587 -0.420457 0.476724]] } },
  },
  {
    name = "1/13",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Multiply", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Attention", options = { use_scale = true, name = "n2" }, sources = { 0, 0 }, call = {} }, { layer = "GlobalAveragePooling1D", options = { keepdims = false, name = "n3" }, sources = 3, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n4" }, sources = 4, call = {} }, { layer = "GroupQueryAttention", options = { head_dim = 2, num_query_heads = 4, num_key_value_heads = 2, name = "n5" }, sources = 5, call = {} }, { layer = "Flatten", options = { name = "n6" }, sources = 6, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n7" }, sources = 7, call = {} } },
    outputs = { 8 },
    loss = { { object = "loss", class = "kl_divergence", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } }, { object = "metric", class = "mean_squared_logarithmic_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { l1_regularization_strength = 0.01, l2_regularization_strength = 0.02, learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "positive" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-36 -54 -42 -13 0 0 0 0 0 0 0 0 -61 9 17 27 -63 -27 33 18 0 0 0 0 18 4 -56 3 -1 20 -55 -21 0 28 37 17 50 54 -24
3 0 0 0 0 0 0 0 0 -50 51 -56 -14 37 57 -45 38 0 0 0 0 -25 -55 -30 4 -39 12 36 -14 -39 43 28 -15]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[89 127 47 107 75 46]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {}, data = [[0.75]] }, { tensor = "float32", shape = {4, 4, 2}, scale = 64, data = [[37 -14 -8 -45 22 -36 41 22 -38 16 -47 3 -41 42 -13 -16 -39 17 45 7 42 25 32 -6 10 -7 15 -36 29 2 -5 35]] }, { tensor = "float32", shape = {4, 2}, scale = 64, data = [[-46 7 21 -47 -11 26 16 -29]] }, { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[16 37 -15 18 -17 -12 -16 -13 -6 11 -48 -8 12 -31 32 -41]] }, { tensor = "float32", shape = {2, 2}, scale = 64, data = [[17 15 -26 8]] }, { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[18 -34 43 -13 -30 37 -44 -28 -46 31 -22 45 37 28 22 46]] }, { tensor = "float32", shape = {2, 2}, scale = 64, data = [[-7 -7 33 45]] }, { tensor = "float32", shape = {4, 2, 4}, scale = 64, data = [[-47 18 -44 3 -42 -11 32 15 -37 -29 -37 -24 -48 26 21 40 22 40 9 -33 -40 -5 -13 3 -27 -2 -45 20 -7 -3 -31 -12]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-35 33 -23 -17]] }, { tensor = "float32", shape = {12, 1}, scale = 64, data = [[12 -36 29 -46 -17 -17 2 -26 -24 18 42 -27]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-8]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[0.384452 0.562221 0.440413 0.449377 0.535093 0.618343]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.527973 0.284842]] }, m0 = { tensor = "float32", shape = {2}, data = [[51.2712 39.242]] }, m1 = { tensor = "float32", shape = {2}, data = [[0.199528 0.126043]] }, val_loss = { tensor = "float32", shape = {2}, data = [[0.28635 0.277341]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[39.3743 38.7704]] }, val_m1 = { tensor = "float32", shape = {2}, data = [[0.126247 0.123952]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.277341]] }, m0 = { tensor = "float32", shape = {}, data = [[38.7704]] }, m1 = { tensor = "float32", shape = {}, data = [[0.123952]] } } },
    final = { { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, { tensor = "float32", shape = {4, 4, 2}, scale = 64, data = [[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]] }, { tensor = "float32", shape = {4, 2}, scale = 64, data = [[0 0 0 0 0 0 0 0]] }, { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]] }, { tensor = "float32", shape = {2, 2}, scale = 64, data = [[0 0 0 0]] }, { tensor = "float32", shape = {4, 2, 2}, data = [[0.00167232 -0.000655421 0.0177506 0 0 0 -0.000186213 0 -0.00105621 0 -0.00401081 0.00120219 0 0 0 0]] }, { tensor = "float32", shape = {2, 2}, data = [[-0.0186292 -0.00110188 0.207561 0.0408372]] }, { tensor = "float32", shape = {4, 2, 4}, data = [[0 0 -0.000449346 0.000204687 0 0 0 0.000834685 0 0 -0.000400499 0 0 2.35802e-05 0 0.00166148 0.000835203
0.00652023 0.0127008 -0.0554454 -0.0142111 -0.00434164 -0.0169544 0.00221705 -0.00597709 -0.00208198 -0.0349327
0.0253411 -0.00399543 -0.00345179 -0.0475206 -0.0387108]] }, { tensor = "float32", shape = {4}, data = [[-0.0372966 0.0350507 -0.0765913 -0.105039]] }, { tensor = "float32", shape = {12, 1}, data = [[0.013744 -0.0313194 0.0533285 -0.0335871 -0.0353392 -0.0116517 -0.00498625 -0.0226997 -0.0473226 0.0239886
0.0816677 -0.023244]] }, { tensor = "float32", shape = {1}, data = [[-0.0328926]] } },
  },
  {
    name = "1/14",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "UnitNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "TimeDistributed", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "selu" } }, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = {} } },
    metrics = { { { object = "metric", class = "poisson", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[56 -16 -34 43 -40 -58 -60 -39 8 -36 -64 -19 38 31 14 22 32 43 15 34 -23 -54 22 -16 -4 60 23 -31 12 -10 -42 35
-63 58 24 42 58 -53 -49 20 13 60 29 -39 17 -59 -22 -34 -16 35 23 11 -23 -46 -50 -35 15 -21 -48 7 42 30 14 24 -47
30 17 -45 -17 -42 53 -6 -15 -38 64 -18 57 -5 -39 5 20 -41 58 15 31 -61 -33 24 31 43 59 54 -57 -62 0 48 -21 29 -3
7 -45 6 -61 -43 -10 -15 25 16 3 50 -38 -54 -38 33 -21 -25 51 -32 -24 31 -49 -55 53 19 53 -13 -51 5 41 31 -42 -30
8 55 43 25 58 35 -2 32 -22 -46 61 -33]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[14 60 71 35 66 113 30 112 41 103 55 116 77 29 56 40 106 113]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    rematerialize = 4,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[42 42 33 28 42 29 -3 7]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[0 -17 -6 37]] }, { tensor = "float32", shape = {48, 3}, scale = 64, data = [[-46 47 34 -46 4 -48 37 -36 -7 34 21 -41 12 -45 46 -27 39 26 13 16 16 29 41 -36 -25 9 29 4 -25 6 26 42 -31 17 40
28 47 -27 15 -22 30 37 -8 35 42 34 1 -44 -26 -42 32 48 35 17 41 -12 -39 40 42 38 -22 -37 -31 10 -9 0 -47 7 -5 43
3 -32 5 3 -45 6 31 18 -29 -39 11 -15 -1 22 -29 33 -39 -24 -32 44 -29 -9 11 5 14 21 22 -8 13 -29 -26 39 -34 12 2
-22 39 8 48 -48 -39 -40 -46 46 30 34 -19 15 28 40 29 39 15 -14 6 -46 -31 4 -43 2 -35 1 -36 -35 -16 1 -46 21 -41
-2 40 -41 -45 0]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[10 24 38]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.204658]] }, m0 = { tensor = "float32", shape = {}, data = [[1.31287]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.188462]] }, m0 = { tensor = "float32", shape = {}, data = [[1.27761]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.174686]] }, m0 = { tensor = "float32", shape = {}, data = [[1.24749]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.598124 0.593259 0.758608 1.89738 2.94302 0.368256 0.719484 2.05703 1.07779 2.77404 0.195612 1.21169 1.27136
1.81055 0.0291898 1.94531 0.875185 3.96698]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[0.65461 0.659592 0.503517 0.446198 0.653395 0.462678 -0.0256572 0.102358]] }, { tensor = "float32", shape = {4}, data = [[0.0115923 -0.221522 -0.081969 0.547039]] }, { tensor = "float32", shape = {48, 3}, data = [[-0.721174 0.730354 0.531538 -0.717274 0.0605574 -0.751173 0.580147 -0.561032 -0.109777 0.523679 0.326707
-0.636378 0.185439 -0.702166 0.717812 -0.420652 0.610162 0.403887 0.201699 0.248537 0.250416 0.443891 0.63864
-0.558087 -0.38822 0.14095 0.454894 0.0665571 -0.3901 0.0942994 0.405508 0.655352 -0.482144 0.257567 0.623211
0.443347 0.741436 -0.422916 0.231955 -0.333137 0.469358 0.573123 -0.116641 0.548158 0.651576 0.528701 0.0146492
-0.685934 -0.402652 -0.657396 0.497922 0.75691 0.547843 0.261324 0.642914 -0.184584 -0.611856 0.618778 0.65608
0.596453 -0.346709 -0.581072 -0.479159 0.157077 -0.142228 0.00289682 -0.732766 0.109307 -0.0766 0.664078
0.0449249 -0.493911 0.0748316 0.0462684 -0.703907 0.0932369 0.48417 0.279523 -0.456515 -0.610333 0.173575
-0.244783 -0.0176323 0.348813 -0.454042 0.517684 -0.61187 -0.371116 -0.49746 0.682499 -0.448183 -0.138626
0.167215 0.0723679 0.218688 0.329715 0.335385 -0.125208 0.210714 -0.45622 -0.405406 0.614085 -0.530757 0.188893
0.0330573 -0.353011 0.608675 0.131575 0.74723 -0.74582 -0.605444 -0.624761 -0.715187 0.72053 0.466341 0.530635
-0.295291 0.224603 0.436519 0.63088 0.463199 0.609838 0.22932 -0.207931 0.0943558 -0.724251 -0.481684 0.0609972
-0.672983 0.0263897 -0.548951 0.0184815 -0.560608 -0.541854 -0.25304 0.019806 -0.71423 0.323844 -0.639347
-0.0295369 0.622467 -0.647753 -0.7028 0.00251618]] }, { tensor = "float32", shape = {3}, data = [[0.14456 0.372929 0.60007]] } },
  },
  {
    name = "1/15",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, name = "n2" }, sources = 2, call = {} }, { layer = "TimeDistributed", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "relu6" } }, name = "n3" }, sources = 3, call = {} }, { layer = "Flatten", options = { name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "cosine_similarity", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "root_mean_squared_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[10 -8 -61 -59 -58 9 -57 -33 33 -21 -16 -13 11 -62 23 5 -25 41 48 -56 60 -1 62 -7]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-63 52 15 62 -4 -30 35 -35 -63 -35 -15 62 -13 10 31 9 -62 35]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-10 29 40 31 20 -40 -44 7 14 28 16 39 -12 -4 23 -31]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[48 -23 39 42]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[12 13 17 -19 -27 14 30 24 -23 4 8 -30 44 -9 -44 -43]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[26 -48 0 -36]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[5 -47 42 -48 -4 -18 43 18 -19 -34 43 -28 33 23 -4 -19]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[8 17 -37 -43]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[20 25 25 4 -17 -2 21 10 -48 17 4 -44 -43 24 -28 -32 31 2 21 4 -27 28 34 -33 -34 -17 5 -28 8 -41 -44 43 16 30 0
39]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-44 -32 34]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.0893823]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.799706]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.799706]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.297193]] }, m0 = { tensor = "float32", shape = {}, data = [[0.910133]] }, m1 = { tensor = "float32", shape = {}, data = [[0.910133]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0883644]] }, m0 = { tensor = "float32", shape = {}, data = [[0.799518]] }, m1 = { tensor = "float32", shape = {}, data = [[0.799518]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.684635 -0.500634 0.534365 -0.684635 -0.500634 0.534365 -0.684635 -0.500634 0.534365 -0.684635 -0.500634
0.534365 -0.684635 -0.500634 0.534365 -0.684635 -0.500634 0.534365]] } } },
    final = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-10 29 40 31 20 -40 -44 7 14 28 16 39 -12 -4 23 -31]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[48 -23 39 42]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[12 13 17 -19 -27 14 30 24 -23 4 8 -30 44 -9 -44 -43]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[26 -48 0 -36]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[5 -47 42 -48 -4 -18 43 18 -19 -34 43 -28 33 23 -4 -19]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[8 17 -37 -43]] }, { tensor = "float32", shape = {12, 3}, data = [[0.3119 0.390025 0.390025 0.0619 -0.265025 -0.03065 0.327525 0.15565 -0.7494 0.265025 0.0619 -0.6869 -0.671275
0.3744 -0.4369 -0.4994 0.483775 0.03065 0.327525 0.0619 -0.421275 0.4369 0.53065 -0.515025 -0.53065 -0.265025
0.077525 -0.4369 0.1244 -0.640025 -0.6869 0.671275 0.2494 0.46815 0 0.608775]] }, { tensor = "float32", shape = {3}, data = [[-0.684635 -0.500634 0.534365]] } },
  },
  {
    name = "1/17",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "exponential", name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.05, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-9 12 1 3 39 -64 -32 32 11 8 -49 52 31 28 -54 -52 16 5 36 -52 -29 -25 32 63 -13 -16 52 11 3 32 5 -51 -1 -62 -45
4 58 58 58 -23 -58 -1 41 34 45 31 -4 -43 11 -35 -50 50 48 -26 1 5 44 -62 -5 60 -55 -23 -10 55 -5 53 38 -40 -11
-11 4 44 58 -62 -61 48 63 45 -18 -39 -44 52 -50 -55 30 -32 42 -43 35 30 63 -45 -33 -60 -22 63 35 -1 60 50 -64
-19 -16 31 -29 3 22 29 -33 -29 -52 -6 -9 52 -23 1 -27 40 8 4 54 -17 -50 -21 -62 58 3 23 -36 -2 10 -35 2 30 -8
-41 11 59 51 7 -11 14 -32 2 -26 -56 39 -2 4 32 14 45 -3 22 -7 47 61 -50 -11 11 24 -4 -58 47 -10 63 37 38 -39 -27
-17 61 51 -38 -2 62 -42 8 52 62 10 31 -3 38 -48 -41 -63 18 8 25 -28 -9]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[36 27 -56 21 -40 -63]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    steps_per_execution = 4,
    rematerialize = 7,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[38 7 -6 5]] }, { tensor = "float32", shape = {64, 1}, scale = 64, data = [[-3 3 -2 -12 20 -43 17 -13 -5 -14 19 -25 12 -44 -48 40 25 3 35 -37 17 -35 28 -5 -42 0 30 28 -27 -45 18 -22 -47 34
33 41 32 6 22 -23 16 23 11 -45 25 15 19 -31 32 -4 24 17 12 36 -45 26 -15 23 22 22 31 -5 -35 -21]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-44]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.25492 2.54411 3.95676]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.828518 1.86194 3.26513]] } }, { loss = { tensor = "float32", shape = {}, data = [[3.3696]] }, m0 = { tensor = "float32", shape = {}, data = [[2.68765]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.741291 0.171973 -0.345188 0.190705 -0.289216 -0.674991 0.109351 -0.544123]] }, { tensor = "float32", shape = {4}, data = [[0.524955 0.154206 -0.151217 0.132279]] }, { tensor = "float32", shape = {64, 1}, data = [[-0.097832 -0.00851897 -0.0841023 -0.242917 0.254612 -0.721291 0.20775 -0.253269 -0.133019 -0.272297 0.241416
-0.444001 0.13678 -0.736883 -0.804122 0.573958 0.330851 -0.0105766 0.491363 -0.634707 0.208703 -0.596005
0.380772 -0.128265 -0.708617 -0.0597435 0.416466 0.378716 -0.474739 -0.756068 0.226519 -0.396601 -0.788505
0.482365 0.45983 0.590272 0.445864 0.0416385 0.288691 -0.41145 0.195266 0.304732 0.117342 -0.757619 0.334469
0.179771 0.241868 -0.538824 0.437493 -0.119459 0.319494 0.209548 0.126958 0.507445 -0.759564 0.351599 -0.289989
0.311852 0.28741 0.295572 0.42742 -0.133435 -0.601867 -0.383055]] }, { tensor = "float32", shape = {1}, data = [[-0.742005]] } },
  },
  {
    name = "1/18",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "GRU", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, go_backwards = true, name = "n1" }, sources = 1, call = {} }, { layer = "Average", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "Dense", options = { units = 4, kernel_constraint = { object = "constraint", class = "max_norm", options = { max_value = 0.6 } }, activation = "silu", name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, bias_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, activation = "sigmoid", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "sensitivity_at_specificity", options = { name = "m0", specificity = 0.5, num_thresholds = 20 } }, { object = "metric", class = "binary_accuracy", options = { name = "m1", threshold = 0.25 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01, clipnorm = 0.5, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2, weight_decay = 0.05 } },
    tasks = { "binary" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[41 -47 33 -62 0 0 0 0 0 0 0 0 -27 -49 -23 -49 16 3 35 8 0 0 0 0 8 -56 60 27 35 44 40 45 27 39 -59 14 61 59 43
-33 0 0 0 0 0 0 0 0 -44 -40 24 -59 3 40 62 -33 0 0 0 0 -26 39 -50 58 12 -5 -31 -28 -38 -23 -57 -53]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 64 0 64 64 64 0 64 0 64 0 0 64 0 0 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "predict_on_batch" } },
    rematerialize = 2,
    policy = "mixed_bfloat16",
    weights = { { tensor = "float32", shape = {4, 12}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4 40 38 13 44 -29 1 -13 6 47 -33 23 -48 37 27 -18 -24 -26 -40 30 -28
43 -26 -43 -7 -14 30 18 -43 -20 -30 38 1]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[36 -17 44 7 15 41 -47 27 -24 3 -17 -48 -15 11 19 -46 -48 -26 17 7 20 -1 28 -13 3 24 26 -29 26 5 -5 -32 34 -4 -27
23 -8 -12 40 10 39 28 -42 -3 -47 -46 23 -22]] }, { tensor = "float32", shape = {2, 12}, scale = 64, data = [[-42 12 0 -27 7 9 44 -25 -1 -11 24 -45 -18 44 15 -44 -23 41 20 -26 37 -12 -14 -28]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[42 3 -12 46 24 -12 24 -45 17 -13 36 -22 -39 -14 -7 -25]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[11 -44 -39 -5]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[18 25 -7 -6 20 -38 23 45 -8 -40 40 28]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-47 33 -28]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.696092]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {}, data = [[0.583333]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.671993]] }, m0 = { tensor = "float32", shape = {}, data = [[0.142857]] }, m1 = { tensor = "float32", shape = {}, data = [[0.583333]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.649599]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.111111]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.5]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.64686]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.111111]] }, val_m1 = { tensor = "float32", shape = {1}, data = [[0.5]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.328125 0.671875 0.433594 0.314453 0.660156 0.435547 0.328125 0.660156 0.425781 0.328125 0.640625 0.421875]] } } },
    final = { { tensor = "float32", shape = {4, 12}, data = [[-0.296362 0.748783 -0.561589 0.0624198 0.592765 -0.0156011 0.421177 0.14039 0.545886 0.280855 0.48362 0.0312119
0.12477 -0.530363 0.218387 0.0623954 0.623982 0.592768 0.202796 0.686367 -0.452348 0.0155939 -0.202837 0.0935593
0.733183 -0.514738 0.35876 -0.748742 0.577165 0.42118 -0.280792 -0.374384 -0.405645 -0.623901 0.468032 -0.436762
0.670719 -0.405556 -0.670772 -0.109219 -0.218363 0.467978 0.280786 -0.670761 -0.311818 -0.467988 0.592748
0.0155002]] }, { tensor = "float32", shape = {4, 12}, data = [[0.562077 -0.265417 0.686982 0.109293 0.234196 0.640145 -0.733825 0.421557 -0.374724 0.0468516 -0.265422
-0.749434 -0.234203 0.171746 0.296652 -0.718211 -0.749434 -0.405946 0.265427 0.109293 0.31227 -0.0156171
0.437164 -0.202975 0.0468442 0.374721 0.405945 -0.452786 0.405941 0.0780673 -0.0780688 -0.499625 0.530847
-0.0624446 -0.421546 0.359108 -0.124913 -0.187367 0.624532 0.156134 0.608932 0.43717 -0.655754 -0.0468377
-0.733806 -0.718231 0.359086 -0.343506]] }, { tensor = "float32", shape = {2, 12}, data = [[-0.655708 0.187394 -1.77789e-05 -0.421528 0.10925 0.140519 0.686976 -0.390342 -0.0159057 -0.171599 0.374815
-0.702474 -0.280989 0.687019 0.234181 -0.686953 -0.359149 0.640144 0.312257 -0.405956 0.577542 -0.187257
-0.218517 -0.437126]] }, { tensor = "float32", shape = {4, 4}, data = [[0.539986 0.0467901 -0.174718 0.570409 0.308548 -0.187359 0.34938 -0.558265 0.218643 -0.202958 0.524129 -0.273038
-0.501414 -0.218517 -0.10189 -0.309743]] }, { tensor = "float32", shape = {4}, data = [[0.171684 -0.687102 -0.608963 -0.0788689]] }, { tensor = "float32", shape = {4, 3}, data = [[0.28171 0.389816 -0.0614203 -0.0528299 0.312462 -0.333877 0.358885 0.702825 -0.0703548 -0.351187 0.62427
0.437217]] }, { tensor = "float32", shape = {3}, data = [[-0.732419 0.513918 -0.436505]] } },
  },
  {
    name = "1/19",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "log_softmax", name = "n0" }, sources = 0, call = {} }, { layer = "ReLU", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Subtract", options = { name = "n2" }, sources = { 0, 1 }, call = {} }, { layer = 2, options = {}, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_hinge", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "categorical_crossentropy", options = { name = "m0" } }, { object = "metric", class = "f1_score", options = { name = "m1", average = "macro" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { l1_regularization_strength = 0.01, l2_regularization_strength = 0.02, learning_rate = 0.05, clipnorm = 0.5, weight_decay = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[41 15 -35 40 -36 -10 38 30 12 -31 13 23 -35 -42 34 5 20 5 15 12 54 20 -27 57]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 64 0 0 64 0 0 0 64 0 64 0 0 64 0 0]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[42 -28 41 40]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[34 -18 -23 27 15 2 40 -15 -7 6 -5 -1]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[17 -34 -35]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.969796 0.0186479 0.0115565 0.956613 0.0238138 0.0195732 0.960877 0.0224272 0.0166963 0.931937 0.0369059
0.0311569 0.972907 0.016 0.0110933 0.983009 0.0105635 0.00642748]] } }, { loss = { tensor = "float32", shape = {2}, data = [[3.32185 3.34629]] }, m0 = { tensor = "float32", shape = {2}, data = [[1.59747 1.04419]] }, m1 = { tensor = "float32", shape = {2}, data = [[0.166667 0.266667]] }, val_loss = { tensor = "float32", shape = {2}, data = [[3.3522 3.20421]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[1.04914 0.946943]] }, val_m1 = { tensor = "float32", shape = {2}, data = [[0.266667 0.266667]] } }, { loss = { tensor = "float32", shape = {}, data = [[3.20421]] }, m0 = { tensor = "float32", shape = {}, data = [[0.946943]] }, m1 = { tensor = "float32", shape = {}, data = [[0.266667]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0 0 0 -0.00126679 0 0 0 0 -0.00237856 0 -0.000309641 0.00237847 0 0 0 0]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[0 0 0 0]] }, { tensor = "float32", shape = {4, 3}, data = [[0.0449015 -0.025312 -0.0202281 0.038559 -0.0158232 -0.0167818 0.0455049 -0.013597 -0.0282689 0.0471747
-0.0191761 -0.0273434]] }, { tensor = "float32", shape = {3}, data = [[0.0660915 -0.0307795 -0.037753]] } },
  },
  {
    name = "1/20",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "UnitNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } }, { object = "metric", class = "r2_score", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-32 3 54 46 9 -43 -40 -43 33 43 8 26 41 21 27 -49 11 -34 47 -31 24 32 -49 42 -19 -46 -8 31 39 -40 -7 -6 -27 0 59
59 42 -48 4 48 0 40 -48 -44 16 10 14 54 19 13 -40 -53 -41 43 -54 16 -12 51 42 -57 4 -6 -55 23 -3 -16 24 -13 35
-7 54 -12 24 -57 38 -20 -21 -22 -37 49 -59 -38 47 -44 47 31 14 5 57 -51 28 -16 44 -53 48 0 -37 58 -8 -9 14 34 12
-56 -39 3 15 49 43 58 35 38 47 -30 -31 39 49 61 -13 -63 13 47 -56 -9 54 -17 -40 7 -4 -20 -54 43 -22 -35 25 17
-22 -17 -30 49 -63 -54 61 -3]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-23 55 -22 -12 -22 3]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {24, 1}, scale = 64, data = [[42 35 -26 35 41 -23 -27 -2 -46 -3 -21 44 46 -19 -1 -19 11 43 10 -8 -16 46 -22 -38]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.24363 1.68742 1.19376]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.669379 1.03595 0.631447]] }, m1 = { tensor = "float32", shape = {3}, data = [[-5.86362 -76.8265 -5.39927]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.30392]] }, m0 = { tensor = "float32", shape = {}, data = [[0.722221]] }, m1 = { tensor = "float32", shape = {}, data = [[-9.31454]] } } },
    final = { { tensor = "float32", shape = {24, 1}, data = [[0.674111 0.541088 -0.399655 0.532906 0.619539 -0.3516 -0.418865 -0.011586 -0.717262 -0.0447731 -0.323682
0.659682 0.717425 -0.296566 -0.0264511 -0.299366 0.173239 0.666641 0.172364 -0.131357 -0.248258 0.703469
-0.331777 -0.600452]] } },
  },
  {
    name = "1/21",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "softsign", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "relu6", name = "n1" }, sources = 1, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "hard_silu" } }, name = "n2" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "sigmoid", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "binary_crossentropy", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = { object = "schedule", class = "cosine_decay", options = { initial_learning_rate = 0.05, decay_steps = 5 } }, global_clipnorm = 0.5 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[36 -50 56 -13 62 4 -31 -6 -39 0 20 -18 58 -53 -17 -3 44 -9 45 -30 -35 -43 -18 -7 -45 53 1 15 -9 13 -58 -45 -17
-50 -38 18 -5 -63 -8 33 31 58 27 61 48 -55 35 58 34 39 47 1 17 -2 -25 42 -38 49 -44 -29 14 -13 -63 -30 56 30 -60
-64 -46 -1 15 -42 39 -7 25 -6 -47 37 0 -17 30 -20 -38 7 30 -42 -25 59 4 13 -60 -13 27 15 -31 15 -64 53 10 45 -38
37 39 -2 38 12 57 -1 -40 -52 -32 -7 58 34 35 -37 -19 56 11 -29 -19 18 -7 4 -47 48 48 60 -61 -27 58 46 -11 14 -26
-10 56 -10 22 8 7 14 58 -26]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 0 64 64 0 0]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-23 -45 -32 -40 -10 28 -14 -19]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[47 10 -27 -32]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[4 -32 35 14 0 8 -20 14 4 -13 8 -48 2 44 31 20]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[34 28 16 4]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[40 9 -34 10]] }, { tensor = "float32", shape = {48, 1}, scale = 64, data = [[-43 34 -45 14 -9 -32 -46 23 -38 -32 3 -34 31 47 -48 13 -7 29 14 -12 35 -42 -9 -36 16 21 17 -12 5 -47 4 36 -6 -44
7 -24 41 -8 5 33 -24 -20 -6 13 7 6 31 -1]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[17]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.06851]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.783503]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.14327]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.708064 0.713244 0.701964 0.69548 0.710607 0.715602]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.366534 -0.701342 -0.500948 -0.620024 -0.156768 0.436118 -0.214681 -0.288713]] }, { tensor = "float32", shape = {4}, data = [[0.732692 0.157257 -0.418612 -0.510646]] }, { tensor = "float32", shape = {4, 4}, data = [[0.0718221 -0.495823 0.530269 0.214377 0.0298624 0.117141 -0.295517 0.214565 0.0795019 -0.202692 0.127132
-0.72436 0.0513521 0.662366 0.477356 0.310952]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.00460431 0.7032 0.26324 0.660449]] }, { tensor = "float32", shape = {4}, data = [[0.627283 0.123031 -0.540042 0.157783]] }, { tensor = "float32", shape = {48, 1}, data = [[-0.659149 0.520782 -0.703604 0.217129 -0.127454 -0.499627 -0.718612 0.357444 -0.580375 -0.498806 0.0366523
-0.522131 0.488988 0.727142 -0.750442 0.205047 -0.0955919 0.445059 0.207186 -0.175679 0.552332 -0.651491
-0.137841 -0.552765 0.25305 0.317474 0.254619 -0.178446 0.0829355 -0.729983 0.0537487 0.562988 -0.0798895
-0.685677 0.0993251 -0.36487 0.646683 -0.117865 0.0737521 0.51331 -0.360069 -0.307528 -0.0915128 0.202671
0.114397 0.087679 0.475797 -0.00509818]] }, { tensor = "float32", shape = {1}, data = [[0.289808]] } },
  },
  {
    name = "1/22",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "mish" } }, name = "n0" }, sources = 0, call = {} }, { layer = "Identity", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n2" }, sources = 2, call = {} }, { layer = "Maximum", options = { name = "n3" }, sources = { 3, 3 }, call = {} }, { layer = "Dense", options = { units = 4, trainable = false, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "tanh", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "squared_hinge", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.05, clipnorm = 0.5, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2, weight_decay = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[35 47 40 55 57 52 5 -51 33 59 -33 20 10 -62 -29 35 46 -48 37 -16 -28 59 40 -30]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 -64 -64 64 -64 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[78 30 125 55 42 32]] },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-24 37 -14 -8 -45 22 -36 41 22 -38 16 -47 3 -41 42 -13]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-16 -39 17 45]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[7 42 25 32]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-6 10 -7 15 -36 29 2 -5 35 -46 7 21]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-47 -11 26]] }, { tensor = "float32", shape = {3, 4}, scale = 64, data = [[16 -29 16 37 -15 18 -17 -12 -16 -13 -6 11]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-48 -8 12 -31]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[32 -41 17 15]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.07427]] }, m0 = { tensor = "float32", shape = {}, data = [[1.0428]] }, m1 = { tensor = "float32", shape = {}, data = [[1.40252]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.0337]] }, m0 = { tensor = "float32", shape = {}, data = [[0.998396]] }, m1 = { tensor = "float32", shape = {}, data = [[1.34972]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.904819]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.02862]] }, m1 = { tensor = "float32", shape = {1}, data = [[1.41504]] } }, { { tensor = "float32", shape = {4, 1}, data = [[-0.610973 -0.502973 -0.750952 -0.564195]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.439645 0.665462 -0.255258 -0.132817 -0.820842 0.385405 -0.659055 0.76855 0.403293 -0.684106 0.293641
-0.873447 0.0516765 -0.737896 0.770833 -0.251008]] }, { tensor = "float32", shape = {1, 4}, data = [[0.405101 -0.621144 0.51505 -0.429881]] }, { tensor = "float32", shape = {4}, data = [[0.103531 0.642186 0.392905 0.51364]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.079367 0.145597 -0.10839 0.197484 -0.531586 0.449159 0.0577117 -0.0981675 0.54621 -0.747655 0.133764 0.325064]] }, { tensor = "float32", shape = {3}, data = [[-0.734284 -0.169387 0.404636]] }, { tensor = "float32", shape = {3, 4}, scale = 64, data = [[16 -29 16 37 -15 18 -17 -12 -16 -13 -6 11]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-48 -8 12 -31]] }, { tensor = "float32", shape = {4, 1}, data = [[0.506001 -0.623165 0.260855 0.239502]] } },
  },
  {
    name = "1/23",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "TimeDistributed", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "silu" } }, name = "n0" }, sources = 0, call = {} }, { layer = "Average", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Reshape", options = { target_shape = { -1 }, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "kl_divergence", options = {} } },
    metrics = { { { object = "metric", class = "poisson", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "poisson", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.01, gradient_accumulation_steps = 2 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[45 42 46 -19 40 -7 24 -42 -30 56 -8 -63 -1 -30 -24 -31 -53 -28 61 -47 45 -33 31 -16 28 -37 -63 -38 -60 13 0 -24
42 60 36 -35 47 50 -44 64 -14 -35 -14 0 30 -11 -25 -35 -14 -32 -30 -3 3 -1 14 27 61 -35 -27 30 -1 7 57 26 -63 -1
-62 58 -61 -49 15 -23 16 -62 -29 37 19 -61 2 50 6 22 -17 -29 -19 0 49 -31 21 -20 -49 -18 -42 -19 -32 20 5 14 -56
-50 1 -45 34 44 -36 -50 0 -53 5 -11 6 -63 8 14 -44 11 -15 -33 52 -35 28 42 -18 -54 11 6 -15 -8 -48 27 -31 -64
-42 -20 -33 -42 -17 33 -50 38 11 -56 62 43]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[78 41 91 59 82 112 55 38 26 16 17 64 16 65 119 117 34 43]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[63 74 82 64 67 20]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    steps_per_execution = 3,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[42 42 33 28 42 29 -3 7]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[0 -17 -6 37]] }, { tensor = "float32", shape = {48, 3}, scale = 64, data = [[-46 47 34 -46 4 -48 37 -36 -7 34 21 -41 12 -45 46 -27 39 26 13 16 16 29 41 -36 -25 9 29 4 -25 6 26 42 -31 17 40
28 47 -27 15 -22 30 37 -8 35 42 34 1 -44 -26 -42 32 48 35 17 41 -12 -39 40 42 38 -22 -37 -31 10 -9 0 -47 7 -5 43
3 -32 5 3 -45 6 31 18 -29 -39 11 -15 -1 22 -29 33 -39 -24 -32 44 -29 -9 11 5 14 21 22 -8 13 -29 -26 39 -34 12 2
-22 39 8 48 -48 -39 -40 -46 46 30 34 -19 15 28 40 29 39 15 -14 6 -46 -31 4 -43 2 -35 1 -36 -35 -16 1 -46 21 -41
-2 40 -41 -45 0]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[10 24 38]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[-0.296501]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.19411]] }, m5 = { tensor = "float32", shape = {1}, data = [[1.1931]] } }, { loss = { tensor = "float32", shape = {}, data = [[-0.385945]] }, m0 = { tensor = "float32", shape = {}, data = [[1.23452]] }, m5 = { tensor = "float32", shape = {}, data = [[1.22845]] } }, { loss = { tensor = "float32", shape = {}, data = [[-0.308404]] }, m0 = { tensor = "float32", shape = {}, data = [[1.19294]] }, m5 = { tensor = "float32", shape = {}, data = [[1.19214]] } }, { { tensor = "float32", shape = {6, 3}, data = [[1.26577 2.07935 0.99797 1.79921 1.56306 0.619985 1.65643 1.33877 1.0363 1.76522 1.59566 1.18039 1.15236 1.19885
1.00097 0.554 0.839115 0.86273]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[0.656196 0.655484 0.516895 0.43291 0.656989 0.453127 -0.045861 0.111483]] }, { tensor = "float32", shape = {4}, data = [[-0.000486456 -0.261923 -0.0951074 0.580767]] }, { tensor = "float32", shape = {48, 3}, data = [[-0.717766 0.73464 0.533158 -0.718267 0.0626493 -0.749542 0.578109 -0.56234 -0.108858 0.532149 0.328557 -0.636674
0.187028 -0.703193 0.716769 -0.422249 0.609033 0.404102 0.202917 0.249871 0.24872 0.453425 0.640684 -0.56059
-0.39037 0.140681 0.452159 0.0623893 -0.390593 0.0921561 0.40616 0.656115 -0.484787 0.266341 0.625251 0.440256
0.734034 -0.421882 0.23614 -0.344017 0.468496 0.578128 -0.12515 0.546683 0.656467 0.531655 0.0158681 -0.683658
-0.406348 -0.656204 0.501249 0.749475 0.546586 0.265058 0.64015 -0.187628 -0.610138 0.625188 0.656268 0.596508
-0.344164 -0.578242 -0.48589 0.155728 -0.140833 -0.00187768 -0.734463 0.109242 -0.0781006 0.672009 0.046993
-0.496961 0.0777076 0.0466733 -0.701493 0.0932722 0.484058 0.281043 -0.45334 -0.609399 0.17192 -0.23406
-0.0154945 0.347206 -0.453477 0.51531 -0.610554 -0.375397 -0.500127 0.685396 -0.453289 -0.140718 0.170866
0.0784046 0.218847 0.330473 0.343847 -0.124897 0.202596 -0.453207 -0.406251 0.607761 -0.531351 0.187364
0.0303535 -0.343099 0.609534 0.127699 0.749741 -0.749901 -0.610032 -0.625226 -0.718774 0.717007 0.468299
0.530973 -0.297572 0.234647 0.437564 0.627592 0.452706 0.609097 0.233713 -0.219075 0.0935553 -0.719918 -0.484243
0.0625037 -0.671477 0.0318755 -0.546459 0.0189328 -0.561063 -0.546098 -0.249154 0.0164052 -0.718223 0.327716
-0.640092 -0.03105 0.625913 -0.639174 -0.702318 0.0038022]] }, { tensor = "float32", shape = {3}, data = [[0.157817 0.375743 0.599147]] } },
  },
  {
    name = "1/24",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "BatchNormalization", options = { axis = 1, momentum = 0.8, synchronized = true, trainable = false, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } }, { object = "metric", class = "poisson", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.01, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[39 63 -26 -58 34 -61 -61 34 -6 -52 -34 47 26 9 -32 28 16 35 36 -18 9 -30 -30 -35 56 37 -57 -38 -62 -11 20 11 -12
-27 -54 -44 -30 -42 -9 22 -11 -57 46 -55 -23 -6 32 -61 -40 -56 31 23 -25 2 52 -31 -27 41 36 34 64 -48 -18 35 7
25 -64 28 -25 35 30 27 34 -52 60 11 12 -52 -27 -10 -27 -50 -36 -7 27 4 37 -3 27 49 -43 -59 -48 20 -27 -49 -63
-31 -19 24 -64 7 4 58 -64 3 17 8 4 59 6 46 -35 -30 6 -22 -39 44 22 20 -17 -34 -54 -10 52 58 -33 -11 -64 17 62
-53 -27 -62 39 58 21 -37 -51 -37 -53 -6 55 58]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[69 77 40 24 121 25 24 45 95 38 69 87 41 44 114 114 79 22]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    steps_per_execution = 4,
    weights = { { tensor = "float32", shape = {2}, scale = 64, data = [[58 83]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[40 31]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[20 -40]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[34 69]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[14 28 16 39 -12 -4 23 -31 48 -23 39 42 12 13 17 -19 -27 14 30 24 -23 4 8 -30 44 -9 -44 -43 26 -48 0 -36 5 -47 42
-48 -4 -18 43 18 -19 -34 43 -28 33 23 -4 -19 8 17 -37 -43 20 25 25 4 -17 -2 21 10 -48 17 4 -44 -43 24 -28 -32 31
2 21 4]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-27 28 34]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.646761 1.38335 0.623138 1.43599 0.346113 0.874331 0.010027 0.643572 3.44701 0.397753 0.327572 4.74455
0.0788913 0.125719 1.37686 0.177018 0.118169 3.50382]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.307633 0.298718]] }, m0 = { tensor = "float32", shape = {2}, data = [[134.343 131.475]] }, m1 = { tensor = "float32", shape = {2}, data = [[1.67377 1.64658]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.299152]] }, m0 = { tensor = "float32", shape = {}, data = [[131.827]] }, m1 = { tensor = "float32", shape = {}, data = [[1.64857]] } } },
    final = { { tensor = "float32", shape = {2}, scale = 64, data = [[58 83]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[40 31]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[20 -40]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[34 69]] }, { tensor = "float32", shape = {24, 3}, data = [[0.216907 0.439721 0.247833 0.607787 -0.187488 -0.0602908 0.360333 -0.484931 0.749333 -0.358632 0.609566 0.655339
0.190833 0.202065 0.263466 -0.296358 -0.421333 0.217112 0.466588 0.376049 -0.360042 0.0626872 0.126118 -0.468131
0.686213 -0.141961 -0.685056 -0.671393 0.405812 -0.751057 0.00255667 -0.563015 0.0759319 -0.733167 0.654706
-0.748908 -0.060785 -0.277862 0.665819 0.282579 -0.29429 -0.533001 0.673135 -0.432782 0.508794 0.360557
-0.057419 -0.304251 0.126489 0.269668 -0.584946 -0.669378 0.315084 0.385112 0.388895 0.0663521 -0.268138
-0.0300681 0.329192 0.152943 -0.749999 0.267386 0.0600245 -0.686916 -0.667419 0.36884 -0.437536 -0.49493
0.477338 0.0340219 0.330418 0.0569647]] }, { tensor = "float32", shape = {3}, data = [[-0.421415 0.440783 0.526439]] } },
  },
  {
    name = "1/25",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "AveragePooling2D", options = { padding = "valid", pool_size = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Permute", options = { dims = { 3, 2, 1 }, name = "n2" }, sources = 2, call = {} }, { layer = "GlobalAveragePooling2D", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, name = "n4" }, sources = 4, call = {} }, { layer = "Conv2DTranspose", options = { padding = "same", kernel_size = { 1, 1 }, filters = 4, activation = "mish", name = "n5" }, sources = 3, call = {} }, { layer = "Flatten", options = { name = "n6" }, sources = 6, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n7" }, sources = 7, call = {} } },
    outputs = { 5, 8 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5 } }, { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } }, {} },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01 } },
    tasks = { "regression", "sparse" },
    loss_weights = { 1, 0.25 },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-41 -30 -2 -41 -2 -46 30 60 -3 -16 -5 37 -62 -53 -7 58 -64 61 -44 21 54 -34 0 -43 11 64 -59 14 -48 59 39 -22 -2
-19 1 -15 -15 50 43 36 38 -35 -32 30 57 8 4 -27 18 -16 31 4 -45 -59 -53 -58 -6 5 14 5 -42 -36 -39 20 -59 50 59
63 32 27 17 -39 50 -24 63 47 7 37 51 20 -13 -40 -11 12 -38 41 -34 -37 -32 7 0 16 57 -9 46 -7 37 -14 55 17 -37 18
50 -49 -44 18 43 63 27 -17 -62 -50 21 -64 0 52 -10 -56 0 36 20 20 57 62 -28 -56 -46 9 51 -36 33 -15 43 -32 -41
42 49 60 -1 11 5 -6 -36 31 -52 3 63 -61 61 49 -25 -56 50 6 -38 11 -25 23 38 14 14 10 -50 -57 52 51 4 3 22 -53
-21 36 -54 -22 -53 -60 7 30 62 -52 -7 13 -9 -48 43 35 63 -52 -20 23 64 -25]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[61 -1 -14 40 -1 47 61 -12 5 -64 -23 17 -38 16 -45 48 -41 32]] }, { tensor = "int32", shape = {6}, data = [[1 1 1 0 1 1]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    steps_per_execution = 2,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[28 5 25 48]] }, { tensor = "float32", shape = {1, 1, 4, 1}, scale = 64, data = [[-17 -24 -32 -42]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[32 -14 -41 -19]] }, { tensor = "float32", shape = {1, 3}, scale = 64, data = [[36 45 -27]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[41 -25 -33]] }, { tensor = "float32", shape = {16, 3}, scale = 64, data = [[34 46 -23 32 -30 -27 -33 47 -15 -13 -31 44 35 -16 -29 -37 -44 -23 -14 -30 -39 32 10 9 11 -29 -33 -48 -24 43 8 26
36 25 -20 -23 24 24 23 -46 46 -37 -25 -17 5 46 -29 -5]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.407527]] }, n4_loss = { tensor = "float32", shape = {1}, data = [[0.192768]] }, n4_m0 = { tensor = "float32", shape = {1}, data = [[0.246032]] }, n7_loss = { tensor = "float32", shape = {1}, data = [[0.722854]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.364317]] }, n4_loss = { tensor = "float32", shape = {}, data = [[0.157703]] }, n4_m0 = { tensor = "float32", shape = {}, data = [[0.202453]] }, n7_loss = { tensor = "float32", shape = {}, data = [[0.711297]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.383701]] }, n4_loss = { tensor = "float32", shape = {}, data = [[0.174361]] }, n4_m0 = { tensor = "float32", shape = {}, data = [[0.220829]] }, n7_loss = { tensor = "float32", shape = {}, data = [[0.722318]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.883353 -0.0848748 -0.511649 0.908556 -0.0533214 -0.511617 0.782478 -0.211169 -0.511778 0.882761 -0.0856165
-0.51165 0.94165 -0.0118876 -0.511575 0.898553 -0.0658443 -0.51163]] }, { tensor = "float32", shape = {6, 3}, data = [[0.483954 0.321729 0.194316 0.474951 0.332396 0.192654 0.506056 0.31881 0.175134 0.480669 0.331109 0.188221
0.465378 0.341948 0.192675 0.477638 0.330504 0.191858]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.109447 0.265569 0.624941 0.15617 -0.749979 -0.640605 -0.140609 -0.562477]] }, { tensor = "float32", shape = {4}, data = [[0.436928 0.0778389 0.390312 0.749321]] }, { tensor = "float32", shape = {1, 1, 4, 1}, data = [[-0.26555 -0.374735 -0.49992 -0.656559]] }, { tensor = "float32", shape = {4}, data = [[0.499752 -0.218711 -0.640433 -0.297585]] }, { tensor = "float32", shape = {1, 3}, data = [[0.560488 0.70172 0.000712435]] }, { tensor = "float32", shape = {3}, data = [[0.638626 -0.391269 -0.51196]] }, { tensor = "float32", shape = {16, 3}, data = [[0.530993 0.719187 -0.359556 0.50017 -0.469037 -0.421757 -0.515355 0.733916 -0.234187 -0.202901 -0.484754
0.687656 0.546547 -0.249445 -0.453353 -0.578002 -0.68771 -0.359288 -0.218503 -0.46917 -0.609202 0.500162
0.155974 0.140739 0.171616 -0.452689 -0.515802 -0.749832 -0.375288 0.671995 0.12527 0.405791 0.562689 0.390848
-0.312881 -0.359216 0.374808 0.375325 0.359242 -0.718543 0.718399 -0.577981 -0.390342 -0.266106 0.0783228
0.719013 -0.453573 -0.0779409]] } },
  },
  {
    name = "1/27",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Add", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activation = "elu", name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, activation = "mish", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "max_norm", options = { max_value = 0.6 } }, activation = "softmax", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = { label_smoothing = 0.125 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-30 -50 25 -7 24 61 -10 -6 -20 35 43 -11 -63 21 15 29 -16 -5 -11 -28 12 28 59 47]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 0 0 64 0 0 64 64 0 0 64 0 0 0 64 0]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[40 38 13 44 -29 1 -13 6 47 -33 23 -48 37 27 -18 -24]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-26 -40 30 -28]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[43 -26 -43 -7 -14 30 18 -43 -20 -30 38 1]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[36 -17 44]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.482029 0.127101 0.39087 0.493014 0.131241 0.375745 0.921241 0.0220631 0.0566957 0.972256 0.00803465 0.0197092
0.413568 0.150797 0.435635 0.933572 0.01889 0.0475379]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.45708 1.30135]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.28139]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.298078 0.751793 -0.564666 0.0612314 0.58375 -0.005625 0.411875 0.130625 0.536875 0.29125 0.474375 0.02125
0.124439 -0.530746 0.21875 0.0614501]] }, { tensor = "float32", shape = {4, 4}, data = [[0.615 0.59625 0.193125 0.697054 -0.458587 0.0177851 -0.207989 0.0953276 0.724375 -0.513219 0.349375 -0.741152
0.568125 0.423022 -0.290273 -0.371018]] }, { tensor = "float32", shape = {4}, data = [[-0.41625 -0.623029 0.45875 -0.42921]] }, { tensor = "float32", shape = {4, 3}, data = [[0.454489 -0.235919 -0.45651 -0.0763045 -0.133559 0.323811 0.184888 -0.396158 -0.214523 -0.318808 0.349018
0.0131268]] }, { tensor = "float32", shape = {3}, data = [[0.5525 -0.264647 0.6875]] } },
  },
  {
    name = "1/28",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RMSNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "exponential", name = "n1" }, sources = 2, call = {} }, { layer = "Multiply", options = { name = "n2" }, sources = { 3, 3 }, call = {} }, { layer = 3, options = {}, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n4" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { { { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m0" } }, { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[7 30 -38 -42 28 -3 -49 29 24 23 18 44 5 42 44 51 -57 19 -30 35 -48 -30 -17 -44]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[19 13 46 -7 -12 -52 5 4 -58 -40 28 47 -19 45 45 48 -16 29 -53 -3 31 -49 15 10]] } },
    y = { { tensor = "int32", shape = {6}, data = [[1 1 2 2 2 2]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    steps_per_execution = 2,
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[44 54 59 60]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33 42 -28 41 40]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[34 -18 -23 27]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[15 2 40 -15 -7 6 -5 -1 17 -34 -35 -5]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.151754 0.137722 0.710524 0 0 1 0 0 1 0 0 1 0 0 1 0.0206962 0.0274378 0.951866]] } }, { loss = { tensor = "float32", shape = {2}, data = [[147.194 5.99844]] }, m0 = { tensor = "float32", shape = {2}, data = [[73.6069 3.00913]] }, m1 = { tensor = "float32", shape = {2}, data = [[73.6069 3.00913]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.83319]] }, m0 = { tensor = "float32", shape = {}, data = [[2.83319]] }, m1 = { tensor = "float32", shape = {}, data = [[2.83319]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[0.738524 0.793042 0.87163 0.886569]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.425933 0.433969 -0.44213 0.230012 -0.527532 -0.346889 -0.214737 -0.146304 -0.261716 0.0425341 -0.0268625
0.567194 0.605433 -0.487758 0.589311 0.573523]] }, { tensor = "float32", shape = {4}, data = [[0.480431 -0.330093 -0.410694 0.370194]] }, { tensor = "float32", shape = {4, 3}, data = [[0.212482 0.096845 0.566045 -0.269448 -0.0577657 0.0421865 -0.090741 0.033676 0.223684 -0.599495 -0.494229
-0.130719]] } },
  },
  {
    name = "1/29",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "max_norm", options = { max_value = 0.6 } }, name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "binary_crossentropy", options = { from_logits = true, label_smoothing = 0.125 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "cosine_decay", options = { initial_learning_rate = 0.05, decay_steps = 5 } } } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-13 -53 -43 -62 -57 -49 35 -12 0 43 20 20 -18 29 29 46 30 -14 -2 -20 25 24 -49 46]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 0 64 64 0 0 64 64 64 64 64 64 64 0 64 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, validation = true, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-35 21 31 37]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-21 -1 -15]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.900983 0.775859 0.761267]] }, val_loss = { tensor = "float32", shape = {3}, data = [[0.773477 0.747565 0.735109]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.735109]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.308918 0.464444 0.628751 -0.18548 0.65941 -0.556612 -0.142442 -0.329295 0.129377 -0.326356 -0.634118 0.484579
0.467219 0.221552 0.647204 -0.0239073]] }, { tensor = "float32", shape = {4}, data = [[-0.493455 0.239751 0.573215 0.490938]] }, { tensor = "float32", shape = {4, 3}, data = [[0.340358 -0.277671 0.0291572 -0.292798 -0.155752 0.240917 0.235768 0.353697 -0.089039 -0.210186 -0.341513
0.487304]] }, { tensor = "float32", shape = {3}, data = [[-0.23033 0.0837209 -0.268724]] } },
  },
  {
    name = "1/30",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "MultiHeadAttention", options = { num_heads = 2, key_dim = 2, output_shape = 4, name = "n1" }, sources = 1, call = { use_causal_mask = true } }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 0, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "root_mean_squared_error", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "cosine_similarity", options = { name = "m5" } }, { object = "metric", class = "log_cosh_error", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.05, global_clipnorm = 0.5, gradient_accumulation_steps = 2 } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[31 13 34 17 0 0 0 0 0 0 0 0 26 -2 29 -60 55 -17 3 13 0 0 0 0 -59 -60 -35 -30 21 9 -23 4 25 42 63 -18 -58 -25 23
50 0 0 0 0 0 0 0 0 2 -51 -27 -43 57 19 15 -21 0 0 0 0 22 46 -45 -50 -16 30 -7 52 5 -37 -35 -12]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[47 0 29 -59 -2 -41 -62 -44 20 43 -3 -2 -34 -48 27 52 3 -19]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-23 -45 -32 -40]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-10]] } },
    answers = { { { tensor = "float32", shape = {6, 3, 1}, data = [[-0.904785 -0.15625 -0.15625 0.0791016 -0.428711 -0.15625 1.40063 -0.232422 -1.07446 -0.223877 -0.15625 -0.15625
1.02368 -0.597168 -0.15625 0.0546875 -0.849121 0.612793]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.375973 0.367965]] }, m0 = { tensor = "float32", shape = {2}, data = [[1.00088 0.987451]] }, m1 = { tensor = "float32", shape = {2}, data = [[1.00088 0.987451]] }, m5 = { tensor = "float32", shape = {2}, data = [[-0.166667 -0.166667]] }, m6 = { tensor = "float32", shape = {2}, data = [[0.375973 0.367965]] }, val_loss = { tensor = "float32", shape = {2}, data = [[0.367965 0.358156]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[0.987451 0.970909]] }, val_m1 = { tensor = "float32", shape = {2}, data = [[0.987451 0.970909]] }, val_m5 = { tensor = "float32", shape = {2}, data = [[-0.166667 -0.166667]] }, val_m6 = { tensor = "float32", shape = {2}, data = [[0.367965 0.358156]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.358156]] }, m0 = { tensor = "float32", shape = {}, data = [[0.970909]] }, m1 = { tensor = "float32", shape = {}, data = [[0.970909]] }, m5 = { tensor = "float32", shape = {}, data = [[-0.166667]] }, m6 = { tensor = "float32", shape = {}, data = [[0.358156]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[-0.35118 -0.658898 -0.472473 -0.589267]] }, { tensor = "float32", shape = {1}, data = [[-0.138591]] } },
  },
  {
    name = "1/31",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "hard_silu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, name = "n1" }, sources = 1, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "cosine_similarity", options = { reduction = "sum" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-52 0 -38 -42 -64 31 20 -9 -7 1 -13 17 -29 -10 -34 -55 55 2 -21 15 26 -7 33 33]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-32 -35 27 49 -21 16 45 53 7 -13 -4 -21 -54 -63 -30 20 -58 -32 -32 18 53 14 -42 4]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-31 -45 -52 -32 -34 32 50 -46 28 43 -14 -26 13 -1 35 6 19 -33]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[69 34 118 16 48 120]] },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-24 37 -14 -8 -45 22 -36 41 22 -38 16 -47]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[3 -41 42]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[-2.44518]] } }, { loss = { tensor = "float32", shape = {}, data = [[-2.54717]] } }, { loss = { tensor = "float32", shape = {1}, data = [[-1.31785]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.393986 -0.151941 0.0894394 -0.756643 -0.405612 0.390469 0.291254 -0.575145 0.761576 0.576416 -0.714107
0.0508845]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.361268 0.594468 -0.202425 -0.125424 -0.683871 0.365295 -0.577417 0.621776 0.327355 -0.611489 0.227844
-0.75747]] }, { tensor = "float32", shape = {3}, data = [[0.0685579 -0.665454 0.629832]] } },
  },
  {
    name = "1/32",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "UpSampling1D", options = { size = 2, name = "n0" }, sources = 0, call = {} }, { layer = "SimpleRNN", options = { units = 4, go_backwards = true, name = "n1" }, sources = 1, call = {} }, { layer = "LayerNormalization", options = { axis = -1, scale = false, name = "n2" }, sources = 2, call = {} }, { layer = "UnitNormalization", options = { axis = -1, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.01, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-55 58 -27 -52 -3 -62 -64 -57 -18 -27 -15 23 -53 -5 -42 -64 -7 55 -61 63 -31 41 -20 -1 24 54 6 -47 -30 -44 55
-25 30 -22 64 13 -1 43 -6 -24 -31 46 53 -55 -45 -44 27 -7 -35 -48 -8 26 51 -17 57 59 56 -22 -48 -41 56 34 34 35
-36 -36 -18 -32 49 -27 -17 -51]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[25 48 23 44 9 56]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[42 42 33 28 42 29 -3 7 0 -17 -6 37 -46 47 34 -46]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[4 -48 37 -36 -7 34 21 -41 12 -45 46 -27 39 26 13 16]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[16 29 41 -36]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-25 9 29 4]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-25 6 26 42]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-31]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[-1.00907 -0.537802 -0.860427 -0.636441 -0.133986 -0.757118]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.61486 1.42344]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.621338 0.557536]] }, val_loss = { tensor = "float32", shape = {2}, data = [[1.43919 1.34554]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[0.562466 0.530186]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.34554]] }, m0 = { tensor = "float32", shape = {}, data = [[0.530186]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.665625 0.675625 0.49625 0.418125 0.636875 0.43375 -0.06625 0.11875 0.009375 -0.24625 -0.113125 0.55875
-0.709375 0.75375 0.511875 -0.738125]] }, { tensor = "float32", shape = {4, 4}, data = [[0.043125 -0.764375 0.56875 -0.543125 -0.1 0.550625 0.30875 -0.65 0.168125 -0.7225 0.738125 -0.4025 0.61875
0.425625 0.18375 0.230625]] }, { tensor = "float32", shape = {4}, data = [[0.230625 0.43375 0.66 -0.543125]] }, { tensor = "float32", shape = {4}, data = [[-0.41 0.14 0.4725 0.081875]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.37125 0.084375 0.425625 0.636875]] }, { tensor = "float32", shape = {1}, data = [[-0.465]] } },
  },
  {
    name = "1/33",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "LSTM", options = { units = 4, recurrent_activation = "hard_sigmoid", name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "cosine_similarity", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = { object = "schedule", class = "exponential_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } }, clipnorm = 0.5, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[11 -17 -52 26 -59 -40 -50 4 2 -63 -34 40 54 -50 28 -47 -42 15 12 -29 -38 58 57 17 -36 -11 15 -44 -1 1 -3 -46 -17
-11 -13 8 -45 45 47 44 -21 24 58 4 -62 40 3 -45 -31 -34 0 61 28 -3 9 24 -34 39 22 -34 11 35 19 -42 7 -2 21 22 28
63 -46 -63]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[26 -39 17 42 -52 17]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 16}, scale = 64, data = [[-10 29 40 31 20 -40 -44 7 14 28 16 39 -12 -4 23 -31 48 -23 39 42 12 13 17 -19 -27 14 30 24 -23 4 8 -30 44 -9 -44
-43 26 -48 0 -36 5 -47 42 -48 -4 -18 43 18 -19 -34 43 -28 33 23 -4 -19 8 17 -37 -43 20 25 25 4]] }, { tensor = "float32", shape = {4, 16}, scale = 64, data = [[-17 -2 21 10 -48 17 4 -44 -43 24 -28 -32 31 2 21 4 -27 28 34 -33 -34 -17 5 -28 8 -41 -44 43 16 30 0 39 -44 -32
34 -42 -24 40 33 -16 -11 -19 -25 4 8 -2 -41 -32 -26 30 -2 -48 11 35 14 11 10 -32 -7 10 45 -1 24 14]] }, { tensor = "float32", shape = {16}, scale = 64, data = [[-35 31 -4 8 -41 -41 21 -21 -16 -27 -44 -13 -24 25 1 -7]] }, { tensor = "float32", shape = {12, 1}, scale = 64, data = [[12 -24 -31 7 35 39 48 42 32 -17 -43 -37]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.120851]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.119476]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.118979]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.118747 -0.248831 -0.0333607 -0.217205 -0.125153 -0.0997652]] } } },
    final = { { tensor = "float32", shape = {4, 16}, data = [[-0.155389 0.450629 0.621558 0.481707 0.310779 -0.621558 -0.683713 0.108773 0.217545 0.43509 0.248623 0.606019
-0.186467 -0.0621557 0.357396 -0.481707 0.745869 -0.357396 0.606019 0.652635 0.186467 0.202006 0.264162 -0.29524
-0.419551 0.217545 0.466168 0.372934 -0.357396 0.0621557 0.124311 -0.466168 0.683713 -0.13985 -0.683713
-0.668174 0.404012 -0.745869 -3.62276e-11 -0.559402 0.0776947 -0.73033 0.652635 -0.745869 -0.0621557 -0.279701
0.668174 0.279701 -0.29524 -0.528324 0.668174 -0.43509 0.512785 0.357396 -0.0621557 -0.29524 0.124311 0.264162
-0.574941 -0.668174 0.310779 0.388473 0.388473 0.0621557]] }, { tensor = "float32", shape = {4, 16}, data = [[-0.264162 -0.0310779 0.326318 0.155389 -0.745869 0.264162 0.0621557 -0.683713 -0.668174 0.372934 -0.43509
-0.497246 0.481707 0.0310779 0.326318 0.0621557 -0.419551 0.43509 0.528324 -0.512785 -0.528324 -0.264162
0.0776947 -0.43509 0.124311 -0.637096 -0.683713 0.668174 0.248623 0.466168 2.17998e-12 0.606019 -0.683713
-0.497246 0.528324 -0.652635 -0.372934 0.621558 0.512785 -0.248623 -0.170928 -0.29524 -0.388473 0.0621557
0.124311 -0.0310779 -0.637096 -0.497246 -0.404012 0.466168 -0.0310779 -0.745869 0.170928 0.543863 0.217545
0.170928 0.155389 -0.497246 -0.108773 0.155389 0.699252 -0.0155389 0.372934 0.217545]] }, { tensor = "float32", shape = {16}, data = [[-0.543863 0.481707 -0.0621557 0.124311 -0.637096 -0.637096 0.326318 -0.326318 -0.248623 -0.419551 -0.683713
-0.202006 -0.372934 0.388473 0.0155389 -0.108773]] }, { tensor = "float32", shape = {12, 1}, data = [[0.184544 -0.370187 -0.478479 0.107192 0.540361 0.602242 0.741475 0.648653 0.49395 -0.261895 -0.664123 -0.571301]] } },
  },
  {
    name = "1/34",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RepeatVector", options = { n = 3, name = "n0" }, sources = 0, call = {} }, { layer = "UnitNormalization", options = { axis = -1, name = "n1" }, sources = 2, call = {} }, { layer = "TimeDistributed", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "relu" } }, name = "n2" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = { from_logits = true, reduction = "sum" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-58 -24 64 30 -39 -64 -49 26 -47 64 -23 31 34 -25 20 -27 52 -57 -58 29 -22 -11 -45 -39]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[55 53 -38 -45 -39 43 32 21 59 -53 -7 -62 4 -3 49 -55 6 -48 54 -63 -34 6 32 -5]] } },
    y = { { tensor = "float32", shape = {6, 3, 3}, scale = 64, data = [[0 0 64 64 0 0 64 0 0 64 0 0 0 64 0 64 0 0 64 0 0 0 0 64 64 0 0 0 0 64 64 0 0 0 64 0 0 0 64 0 0 64 0 0 64 0 64 0
64 0 0 0 0 64]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36 28 5 25 48 -17 -24 -32 -42]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[32 -14 -41 -19]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[36 45 -27 41 -25 -33 34 46 -23 32 -30 -27]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-33 47 -15]] } },
    answers = { { { tensor = "float32", shape = {6, 3, 3}, data = [[0.054464 1.39276 -0.664266 0.054464 1.39276 -0.664266 0.054464 1.39276 -0.664266 -0.0900612 1.26633 -0.553548
-0.0900612 1.26633 -0.553548 -0.0900612 1.26633 -0.553548 -0.515625 0.734375 -0.234375 -0.515625 0.734375
-0.234375 -0.515625 0.734375 -0.234375 0.832352 1.14882 -1.28462 0.832352 1.14882 -1.28462 0.832352 1.14882
-1.28462 -0.130303 1.06383 -0.527857 -0.130303 1.06383 -0.527857 -0.130303 1.06383 -0.527857 -0.22278 1.10043
-0.454009 -0.22278 1.10043 -0.454009 -0.22278 1.10043 -0.454009]] } }, { loss = { tensor = "float32", shape = {2}, data = [[15.984 15.4986]] }, val_loss = { tensor = "float32", shape = {2}, data = [[15.5367 15.136]] } }, { loss = { tensor = "float32", shape = {}, data = [[15.136]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.12716 0.255852 0.618901 0.145485 -0.722156 -0.630797 -0.136127 -0.565546 0.451748 0.0848928 0.387022 0.759756
-0.269267 -0.377205 -0.495145 -0.650244]] }, { tensor = "float32", shape = {4}, data = [[0.448338 -0.236431 -0.650207 -0.283585]] }, { tensor = "float32", shape = {4, 3}, data = [[0.583157 0.654766 -0.38699 0.638314 -0.397156 -0.506811 0.530705 0.717314 -0.357395 0.499145 -0.474686 -0.415102]] }, { tensor = "float32", shape = {3}, data = [[-0.482952 0.668584 -0.185044]] } },
  },
  {
    name = "1/35",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, activation = "elu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, name = "n1" }, sources = 2, call = {} }, { layer = "Subtract", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n3" }, sources = 4, call = {} } },
    outputs = { 3, 5 },
    loss = { { object = "loss", class = "binary_crossentropy", options = { from_logits = true, reduction = "mean_with_sample_weight" } }, { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { { { object = "metric", class = "binary_accuracy", options = { name = "m0", threshold = 0.25 } } }, { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m10" } }, { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m11" } } } },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01 } },
    tasks = { "binary", "sparse" },
    loss_weights = { 1, 0.25 },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-21 27 -18 10 24 -46 -23 -37 43 -43 37 -43 2 -60 -8 28 15 56 6 -28 47 57 -12 -26]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-28 22 38 31 45 -24 57 64 3 -28 -21 27 -13 -56 -59 -62 58 13 -64 -21 54 26 -40 2]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 0 0 0 64 0]] }, { tensor = "int32", shape = {6}, data = [[2 0 0 1 0 2]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    steps_per_execution = 2,
    rematerialize = 4,
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31 38 7 -6 5]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-3 3 -2]] }, { tensor = "float32", shape = {3, 1}, scale = 64, data = [[-12 20 -43]] }, { tensor = "float32", shape = {3, 3}, scale = 64, data = [[17 -13 -5 -14 19 -25 12 -44 -48]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[40 25 3]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.904598]] }, n1_loss = { tensor = "float32", shape = {1}, data = [[0.721478]] }, n1_m0 = { tensor = "float32", shape = {1}, data = [[0.833333]] }, n3_loss = { tensor = "float32", shape = {1}, data = [[0.732482]] }, n3_m10 = { tensor = "float32", shape = {1}, scale = 64, data = [[32]] }, n3_m11 = { tensor = "float32", shape = {1}, scale = 64, data = [[32]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.889348]] }, n1_loss = { tensor = "float32", shape = {}, data = [[0.709028]] }, n1_m0 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] }, n3_loss = { tensor = "float32", shape = {}, data = [[0.721279]] }, n3_m10 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, n3_m11 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.915726]] }, n1_loss = { tensor = "float32", shape = {}, data = [[0.732643]] }, n1_m0 = { tensor = "float32", shape = {}, data = [[0.666667]] }, n3_loss = { tensor = "float32", shape = {}, data = [[0.732332]] }, n3_m10 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, n3_m11 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.106905 0.297262 -0.14935 -0.202064 0.280499 0.563195]] }, { tensor = "float32", shape = {6, 3}, data = [[0.425561 0.335938 0.238501 0.425561 0.335938 0.238501 0.425561 0.335938 0.238501 0.425561 0.335938 0.238501
0.425561 0.335938 0.238501 0.425561 0.335938 0.238501]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.929328 0.366438 -0.394223 0.329727 -0.419241 -0.709086 0.0821202 -0.815759 0.579908 0.144522 -0.156517
0.0741114]] }, { tensor = "float32", shape = {3}, data = [[-0.0445503 0.0402606 -0.0198]] }, { tensor = "float32", shape = {3, 1}, data = [[-0.181082 0.305363 -0.673266]] }, { tensor = "float32", shape = {3, 3}, scale = 64, data = [[17 -13 -5 -14 19 -25 12 -44 -48]] }, { tensor = "float32", shape = {3}, data = [[0.626006 0.389524 0.04697]] } },
  },
  {
    name = "1/36",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "ELU", options = { alpha = 0.7, name = "n1" }, sources = 1, call = {} }, { layer = 2, options = {}, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activity_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "softplus", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } }, { object = "metric", class = "poisson", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m5" } }, { object = "metric", class = "kl_divergence", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-18 -47 -60 9 -54 24 -60 44 -13 -30 -54 22 11 -26 12 33 -17 59 -64 30 0 21 2 52 63 -26 -42 6 -4 15 57 61 33 -49
-57 -29 12 38 39 -54 50 20 27 -57 -43 -30 26 23 -51 -51 -40 -23 -40 -26 37 19 8 45 -42 12 -51 52 -61 22 23 -31
44 28 12 45 35 -53 -53 50 -49 -8 -21 -40 4 53 -47 62 34 19 -51 46 -14 4 38 10 -29 46 -63 -6 -28 -52 -8 -41 47 34
-14 54 -5 -64 37 -59 59 -45 14 -11 -14 5 3 64 4 18 -7 -17 -17 -54 43 -15 -27 3 -44 25 0 -2 44 14 -48 54 -62 19 2
-56 -56 63 3 -58 -29 49 36 -45]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[37 104 94 80 123 35 10 36 75 93 21 127 66 124 11 91 18 66]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[35 18 31 2]] }, { tensor = "float32", shape = {48, 3}, scale = 64, data = [[8 -34 14 4 40 38 13 44 -29 1 -13 6 47 -33 23 -48 37 27 -18 -24 -26 -40 30 -28 43 -26 -43 -7 -14 30 18 -43 -20
-30 38 1 36 -17 44 7 15 41 -47 27 -24 3 -17 -48 -15 11 19 -46 -48 -26 17 7 20 -1 28 -13 3 24 26 -29 26 5 -5 -32
34 -4 -27 23 -8 -12 40 10 39 28 -42 -3 -47 -46 23 -22 -42 12 0 -27 7 9 44 -25 -1 -11 24 -45 -18 44 15 -44 -23 41
20 -26 37 -12 -14 -28 42 3 -12 46 24 -12 24 -45 17 -13 36 -22 -39 -14 -7 -25 11 -44 -39 -5 18 25 -7 -6 20 -38 23
45 -8 -40 40 28 -47 33 -28 13]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-16 -42 21]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[1.93856 0.0300911 1.33322 0.548986 0.0893915 2.33089 0.552297 0.074042 0.962307 0.407005 0.111774 2.01259
0.461026 0.246433 0.837002 0.316119 0.0548614 1.85691]] } }, { loss = { tensor = "float32", shape = {2}, data = [[115.028 104.475]] }, m0 = { tensor = "float32", shape = {2}, data = [[1.9427 1.88909]] }, m1 = { tensor = "float32", shape = {2}, data = [[1.7511 1.68377]] }, m5 = { tensor = "float32", shape = {2}, data = [[1.9427 1.88909]] }, m6 = { tensor = "float32", shape = {2}, data = [[1.9427 1.88909]] } }, { loss = { tensor = "float32", shape = {}, data = [[96.8254]] }, m0 = { tensor = "float32", shape = {}, data = [[1.83058]] }, m1 = { tensor = "float32", shape = {}, data = [[1.62742]] }, m5 = { tensor = "float32", shape = {}, data = [[1.83058]] }, m6 = { tensor = "float32", shape = {}, data = [[1.83058]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.296044 0.729988 -0.543253 0.0456009 0.612903 -0.0330539 0.420441 0.16161]] }, { tensor = "float32", shape = {4}, data = [[0.528773 0.276812 0.490355 0.0484097]] }, { tensor = "float32", shape = {48, 3}, data = [[0.110994 -0.511327 0.203869 0.0844677 0.632712 0.571804 0.187227 0.706176 -0.456295 0.0323937 -0.183612
0.0891435 0.720892 -0.493442 0.341049 -0.728137 0.581158 0.414232 -0.296524 -0.352851 -0.425484 -0.603797
0.474062 -0.454183 0.660191 -0.385987 -0.689239 -0.0914011 -0.21436 0.446701 0.268129 -0.650841 -0.329453
-0.449516 0.598392 -0.00232302 0.546017 -0.244617 0.667355 0.0948391 0.256308 0.618865 -0.750435 0.44357
-0.390549 0.0288334 -0.248399 -0.756172 -0.251059 0.192047 0.303838 -0.726171 -0.732222 -0.424826 0.248458
0.12781 0.331385 -0.0321872 0.458756 -0.18442 0.0310606 0.396995 0.389723 -0.431016 0.428343 0.0616414
-0.0942095 -0.478268 0.511655 -0.0745464 -0.400275 0.359987 -0.139846 -0.165376 0.606186 0.153392 0.605682
0.418318 -0.671162 -0.0246817 -0.752296 -0.734364 0.379119 -0.365524 -0.672023 0.208339 -0.00405692 -0.401688
0.129938 0.118483 0.671768 -0.369398 -0.0196588 -0.188567 0.384021 -0.700604 -0.290171 0.707367 0.217399
-0.70301 -0.341847 0.619013 0.303562 -0.387674 0.570817 -0.191575 -0.198201 -0.45556 0.640926 0.067192 -0.192183
0.704138 0.396524 -0.207294 0.359884 -0.682433 0.261111 -0.219124 0.579565 -0.346622 -0.623953 -0.19664
-0.125978 -0.406794 0.187333 -0.688911 -0.622946 -0.0558954 0.263074 0.374339 -0.090317 -0.0878705 0.296004
-0.57505 0.337441 0.687789 -0.104324 -0.644637 0.610343 0.457098 -0.75361 0.495923 -0.457856 0.2052]] }, { tensor = "float32", shape = {3}, data = [[-0.263152 -0.634921 0.310897]] } },
  },
  {
    name = "1/37",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", name = "n1" }, sources = 1, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "hard_sigmoid" } }, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[1 -62 -57 21 50 -36 -26 55 39 18 23 10 52 24 -21 30 43 -44 5 -1 44 -17 14 -38]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[45 26 4 8 -37 -19]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, validation = true, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[42 -28 41 40]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[34 -18 -23 27 15 2 40 -15 -7 6 -5 -1 17 -34 -35 -5]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[0 42 -46 15]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[45 -37 -4 20 -28 19 -2 0 20 -46 22 5 -1 -21 -30 4]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[30 -12 -38 -9]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-30 42 -31 43]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-47 -32 -1 -25]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-33]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.06494 0.379752 1.02593]] }, val_loss = { tensor = "float32", shape = {3}, data = [[0.825252 0.805659 0.786301]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.786301]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.470161 -0.234743 -0.108907 -0.0801429 -0.373903 0.484343 -0.390594 0.282152 -0.577139 -0.296513 -0.265613
-0.0929082 -0.313103 0.0934656 -0.0778947 0.514347]] }, { tensor = "float32", shape = {4}, data = [[0.653057 -0.438102 0.640927 0.62124]] }, { tensor = "float32", shape = {4, 4}, data = [[0.528309 -0.279706 -0.358432 0.422879 0.23727 0.0296265 0.623777 -0.235702 -0.112774 0.0955384 -0.0770949
-0.0139271 0.262338 -0.529269 -0.545656 -0.0765559]] }, { tensor = "float32", shape = {4}, data = [[-0.00456354 0.658336 -0.716982 0.236509]] }, { tensor = "float32", shape = {4, 4}, data = [[0.526385 -0.436777 -0.0470766 0.233653 -0.331726 0.221543 -0.0235627 -0.00143434 0.247562 -0.530874 0.259032
0.067133 -0.0174964 -0.251035 -0.352793 0.0436526]] }, { tensor = "float32", shape = {1, 4}, data = [[0.633329 -0.742294 0.0586315 0.210847]] }, { tensor = "float32", shape = {4}, data = [[-0.477823 0.648781 -0.48434 0.665639]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.721479 -0.4818 -0.00433849 -0.373971]] }, { tensor = "float32", shape = {1}, data = [[-0.49496]] } },
  },
  {
    name = "1/38",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = false, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "gelu", name = "n1" }, sources = 1, call = {} }, { layer = "Add", options = { name = "n2" }, sources = { 2, 1 }, call = {} }, { layer = "Multiply", options = { name = "n3" }, sources = { 3, 1 }, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activation = "softplus", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { { { object = "metric", class = "poisson", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "int32", shape = {6, 3}, data = [[2 5 5 4 3 5 0 2 4 3 3 4 3 3 4 2 2 1]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[109 128 79 91 34 78 106 50 109 51 54 123 39 59 119 124 42 24]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6 -35 21 31 37 43 -30 -4 -37]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-16 23 23 34 -14 -29 -42 45 -21 -1 -15 -46 -34 21 -14 18]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-15 24 -16 -30]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-29 21 -11 24]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[44.1784]] }, m0 = { tensor = "float32", shape = {}, data = [[1.19646]] }, m1 = { tensor = "float32", shape = {}, data = [[44.1784]] } }, { loss = { tensor = "float32", shape = {}, data = [[40.7322]] }, m0 = { tensor = "float32", shape = {}, data = [[1.14211]] }, m1 = { tensor = "float32", shape = {}, data = [[40.7322]] } }, { loss = { tensor = "float32", shape = {}, data = [[37.4559]] }, m0 = { tensor = "float32", shape = {}, data = [[1.09038]] }, m1 = { tensor = "float32", shape = {}, data = [[37.4559]] } }, { { tensor = "float32", shape = {6, 3, 1}, data = [[0.795806 0.933692 0.933692 0.877369 0.737474 0.933692 0.821794 0.795806 0.877369 0.737474 0.737474 0.877369
0.737474 0.737474 0.877369 0.795806 0.795806 0.753071]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.13125 0.571875 0.521875 -0.384375 0.71875 -0.625 -0.09375 -0.40625 0.1375 -0.23125 -0.5375 0.596875 0.365625
0.321875 0.44375 -0.24375 -0.396875 0.478125 0.334375 0.728125 0.521875 -0.61875 -0.1125 -0.728125]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.4 0.209375 0.509375 0.48125 -0.06875 -0.303125 -0.80625 0.653125 -0.178125 0.134375 -0.284375 -0.76875
-0.38125 0.478125 -0.16875 0.43125]] }, { tensor = "float32", shape = {4}, data = [[-0.384375 0.225 -0.2 -0.41875]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.303125 0.478125 -0.021875 0.525]] } },
  },
  {
    name = "1/39",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Average", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "GroupNormalization", options = { axis = -1, gamma_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, groups = 2, name = "n1" }, sources = 2, call = {} }, { layer = "Multiply", options = { name = "n2" }, sources = { 3, 3 }, call = {} }, { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n4" }, sources = 0, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { { { object = "metric", class = "poisson", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[45 -26 11 35 62 42 3 -15 -63 -62 50 63 -47 6 2 -25 9 60 0 63 -60 19 -43 -20]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-55 -34 -63 -53 -20 7 2 48 -16 -20 -40 -19 62 52 16 3 -53 -17 -10 54 -32 42 -19 28]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[29 45 37 115 119 80 36 66 81 10 39 65 93 87 99 90 73 56]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[23 4 38 30 -28 12 10 -27 -3 -47 1 -29]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-14 -43 -7]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[65.1073]] }, m0 = { tensor = "float32", shape = {}, data = [[1.20109]] } }, { loss = { tensor = "float32", shape = {}, data = [[55.1617]] }, m0 = { tensor = "float32", shape = {}, data = [[1.18558]] } }, { loss = { tensor = "float32", shape = {1}, data = [[57.4572]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.29572]] }, val_loss = { tensor = "float32", shape = {1}, data = [[49.0389]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[1.22717]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.48829 0.622718 0.653266 1.03379 0.414043 1.19586 0.128083 0.670305 0.240291 0.389441 0.520079 0.685739]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.673053 -0.0231077 0.432791 0.473692 -0.454895 0.352192 0.156948 -0.394525 -0.0998381 -0.505081 0.104046
-0.531784]] }, { tensor = "float32", shape = {3}, data = [[-0.49435 -0.303841 0.0653323]] } },
  },
  {
    name = "1/40",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "GlobalAveragePooling2D", options = { keepdims = true, name = "n0" }, sources = 0, call = {} }, { layer = "SpatialDropout2D", options = { rate = 0, name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling2D", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, bias_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "relu6", name = "n4" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 3, name = "n6" }, sources = 6, call = {} } },
    outputs = { 4, 7 },
    loss = { { object = "loss", class = "mean_absolute_error", options = { reduction = "mean" } }, { object = "loss", class = "binary_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } }, { { object = "metric", class = "binary_accuracy", options = { name = "m10", threshold = 0.25 } }, { object = "metric", class = "binary_crossentropy", options = { name = "m11", from_logits = true } } } },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = { object = "schedule", class = "cosine_decay", options = { initial_learning_rate = 0.05, decay_steps = 5 } } } },
    tasks = { "regression", "binary" },
    loss_weights = { 1, 0.25 },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-10 -27 48 -31 -52 -52 63 -13 16 -19 -39 13 43 18 27 -31 61 -34 59 -19 52 43 -36 19 -60 11 -3 31 -1 30 -20 24 6
-63 51 -7 -29 -16 -20 -24 -8 -64 35 -29 11 -11 35 20 20 14 -43 -20 14 -49 18 -30 1 -42 58 38 -48 -30 50 19 -50
-17 -64 -45 -46 -51 -2 47 -17 9 20 -25 62 49 37 -39 34 -39 63 41 54 -55 29 -20 -20 -8 36 -61 17 26 28 62 -14 4
-34 -40 53 -18 -13 -9 12 -28 64 -16 -1 -55 -35 63 -24 38 -54 49 64 5 -38 -46 -48 -36 6 -21 62 56 -36 -15 -41 -2
-34 -20 12 61 15 38 -25 5 -52 34 52 54 14 13 -23 -31 -20 39 -24 -53 -55 9 -59 25 2 -35 -6 56 38 56 57 -55 59 -23
-21 53 20 23 -51 56 -29 -4 18 -2 20 58 -52 -46 -27 2 19 -47 -14 40 -37 -7 -42 -6 -1 -2 -56 -1]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[58 15 64 22 2 52]] }, { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 64 64 0 64 0 0 64 0 0 64 64 64 64 64 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {2, 1}, scale = 64, data = [[-24 37]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-14]] }, { tensor = "float32", shape = {2, 1}, scale = 64, data = [[-8 -45]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[22]] }, { tensor = "float32", shape = {1, 3}, scale = 64, data = [[-36 41 22]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-38 16 -47]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.617425 0.570823 0.605443]] }, n3_loss = { tensor = "float32", shape = {3}, data = [[0.372894 0.324344 0.369448]] }, n3_m0 = { tensor = "float32", shape = {3}, data = [[0.0890406 0.0627828 0.087044]] }, n6_loss = { tensor = "float32", shape = {3}, data = [[0.896269 0.907793 0.872316]] }, n6_m10 = { tensor = "float32", shape = {3}, scale = 64, data = [[32 0 32]] }, n6_m11 = { tensor = "float32", shape = {3}, data = [[0.896269 0.907793 0.872316]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.582084]] }, n3_loss = { tensor = "float32", shape = {}, data = [[0.350879]] }, n3_m0 = { tensor = "float32", shape = {}, data = [[0.0782813]] }, n6_loss = { tensor = "float32", shape = {}, data = [[0.860845]] }, n6_m10 = { tensor = "float32", shape = {}, data = [[0.333333]] }, n6_m11 = { tensor = "float32", shape = {}, data = [[0.860845]] } } },
    final = { { tensor = "float32", shape = {2, 1}, data = [[-0.312632 0.495769]] }, { tensor = "float32", shape = {1}, data = [[-0.186129]] }, { tensor = "float32", shape = {2, 1}, data = [[-0.0100995 -0.705769]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[22]] }, { tensor = "float32", shape = {1, 3}, scale = 64, data = [[-36 41 22]] }, { tensor = "float32", shape = {3}, data = [[-0.528459 0.203678 -0.595416]] } },
  },
}
