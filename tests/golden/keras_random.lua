-- Made by tests/fuzz/models/run.py with Keras 3.15.1.

return {
  {
    name = "1/0",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Concatenate", options = { axis = 1, name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Activation", options = { activation = "silu", name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activation = "softplus", name = "n2" }, sources = 2, call = {} }, { layer = "ELU", options = { alpha = 0.7, name = "n3" }, sources = 3, call = {} }, { layer = "Minimum", options = { name = "n4" }, sources = { 4, 3 }, call = {} }, { layer = "GlobalAveragePooling3D", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n6" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m5" } }, { object = "metric", class = "kl_divergence", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[22 47 44 49 -24 -4 15 -29 54 -64 44 19 -32 28 -11 43 64 -28 -4 -37 25 18 44 39 62 60 51 -45 -59 -2 -20 51 38 -10
10 12 50 -61 -1 22 -6 54 58 42 -5 50 -55 21 -30 -33 23 35 50 -37 48 43 -24 -56 35 42 -5 -43 -46 -16 33 -24 -60
25 32 -41 8 -13 0 -64 17 -31 7 -10 14 -51 -18 17 34 -15 -61 29 1 20 -44 -9 49 47 -24 17 -54 40 -30 -20 60 6 48
-39 33 64 -55 -33 -46 -31 -24 -55 51 -31 54 34 -42 26 35 -48 -48 -16 -56 -10 -3 21 9 -6 -36 11 -6 44 26 29 9 -17
-28 -7 9 -17 -46 -50 -59 -38 -12 -28]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[29 46 94 45 119 77]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-18 28 -18 -43 45 -19 -21 -40]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-3 -20 -46 -41]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[40]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[35.6616 67.0154 32.1459]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.333048 0.727239 0.185655]] }, m5 = { tensor = "float32", shape = {3}, data = [[35.6616 67.0154 32.1459]] }, m6 = { tensor = "float32", shape = {3}, data = [[0.333048 0.727239 0.185655]] } }, { loss = { tensor = "float32", shape = {}, data = [[37.0204]] }, m0 = { tensor = "float32", shape = {}, data = [[0.171216]] }, m5 = { tensor = "float32", shape = {}, data = [[37.0204]] }, m6 = { tensor = "float32", shape = {}, data = [[0.171216]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.243835 0.482202 -0.209461 -0.534352 0.665546 -0.349832 -0.372827 -0.669702]] }, { tensor = "float32", shape = {4, 1}, data = [[0.0906481 -0.174977 -0.581227 -0.503102]] }, { tensor = "float32", shape = {1}, data = [[0.762523]] } },
  },
  {
    name = "1/2",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, use_bias = false, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, name = "n1" }, sources = 2, call = {} }, { layer = "Rescaling", options = { scale = 0.5, offset = 0.25, name = "n2" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softplus", name = "n3" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "poisson", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[53 -17 14 12 -42 -45 -16 -1 -12 29 58 -11 -1 17 48 13 36 -9 -44 -54 -21 -29 47 21]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[3 -36 -54 32 -3 20 -35 2 -21 52 34 34 24 -59 60 21 -56 -28 43 21 -16 59 -55 54]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[14 125 50 112 90 35 103 66 110 88 13 99 96 62 122 51 128 90]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[36 29 -2 -12 46 -7 -2 -16 -21 39 -19 -33 30 -38 8 22]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[24 -40 40 -41 -9 43 23 -16 14 -38 39 -4 25 32 -43 -14]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-28 12 -47 11]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-13 -16 44 28 -36 -6 29 -4 -25 -44 32 39]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[261.411]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.29722]] }, val_loss = { tensor = "float32", shape = {1}, data = [[363.106]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[1.52406]] } }, { loss = { tensor = "float32", shape = {}, data = [[482.457]] }, m0 = { tensor = "float32", shape = {}, data = [[1.57569]] } }, { loss = { tensor = "float32", shape = {}, data = [[7887.53]] }, m0 = { tensor = "float32", shape = {}, data = [[22.9941]] } }, { { tensor = "float32", shape = {6, 3}, data = [[58.1851 0.000450505 5.9178e-07 22.7873 7.32266e-05 0.0107822 1.25049e-12 4.81359e-08 22.7726 2.48796e-07
7.25145e-08 19.1339 113.583 1.25766 5.1877e-21 6.30271e-12 1.04365e-07 21.9917]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[1.03943 -1.90227 1.11899 -1.68397 0.210132 0.333908 -0.34437 1.31479 -1.79198 1.84371 -1.44891 1.47995 -0.615991
0.359124 -0.923414 0.836911]] }, { tensor = "float32", shape = {4, 4}, data = [[0.161021 -2.56644 -6.11886 0.0813196 -3.12042 -0.474445 -8.91261 -2.17651 -1.05755 -2.29384 -1.16959 -0.37982
0.207975 2.09953 4.22291 0.497123]] }, { tensor = "float32", shape = {4}, data = [[2.0933 1.81785 0.849479 1.7403]] }, { tensor = "float32", shape = {4, 3}, data = [[17.1928 -2.99707 -4.50213 1.23242 -3.58727 1.68401 -7.04025 1.64302 3.22363 13.1077 -2.96743 -3.5627]] } },
  },
  {
    name = "1/3",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "UnitNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "relu", name = "n1" }, sources = 1, call = {} }, { layer = "Dropout", options = { rate = 0, name = "n2" }, sources = 2, call = {} }, { layer = "Average", options = { name = "n3" }, sources = { 3, 2 }, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = { object = "schedule", class = "inverse_time_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } }, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-7 20 -17 -14 18 -58 56 56 50 -44 -47 60 48 -35 36 -12 -58 24 41 -27 -44 22 -43 61]] } },
    y = { { tensor = "int32", shape = {6}, data = [[1 0 0 0 0 2]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    policy = "mixed_float16",
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-43 47 -5 27 8 13 38 5 -11 27 45 -21 -8 -39 7 19]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[12 -10 -32 -40]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[41 8 -1 -36 26 -48 -42 -48 -46 -42 14 44]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.411865 0.306152 0.282227 0.333252 0.333252 0.333252 0.333252 0.333252 0.333252 0.276123 0.47583 0.248657
0.426025 0.300293 0.273682 0.407715 0.307617 0.284912]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.01869 1.01052]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.12491]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.663885 0.725265 -0.078595 0.421186 0.111692 0.208741 0.593031 0.0779974 -0.155522 0.415082 0.702402 -0.327589
-0.12448 -0.606224 0.108914 0.29639]] }, { tensor = "float32", shape = {4}, data = [[0.165816 -0.167051 -0.498371 -0.623979]] }, { tensor = "float32", shape = {4, 3}, data = [[0.616673 0.147886 -0.0221629 -0.550683 0.398045 -0.752935 -0.654546 -0.749113 -0.717879 -0.655178 0.218393
0.686377]] } },
  },
  {
    name = "1/6",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "MaxPooling2D", options = { padding = "same", strides = 2, pool_size = { 1, 3 }, name = "n0" }, sources = 0, call = {} }, { layer = "Minimum", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Dense", options = { units = 4, activation = "gelu", name = "n2" }, sources = 2, call = {} }, { layer = "EinsumDense", options = { equation = "...x,xy->...y", output_shape = 4, bias_axes = "y", activation = "elu", name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 2, name = "n4" }, sources = 4, call = {} }, { layer = "Flatten", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n6" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "kl_divergence", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-21 3 -4 29 -34 -43 34 -57 -19 -10 64 13 -17 48 -47 2 -27 -48 64 15 11 46 -26 -32 -26 61 59 -35 8 -59 10 -59 -10
-25 59 50 -53 16 -6 47 59 47 -61 39 0 -42 55 56 46 -9 -22 64 -24 -36 -19 24 54 -19 56 39 -61 -57 52 -7 -12 58 15
43 45 -31 2 2 20 -29 16 56 -31 58 -8 26 62 51 30 60 54 -55 60 -21 -7 -11 -50 -55 -58 -29 46 56 -49 17 -39 -59
-54 -39 -40 60 -6 47 -60 32 42 -45 -18 -8 -14 -28 -51 14 33 63 42 50 45 -10 -35 -41 4 53 -39 50 34 19 35 11 -61
-23 20 9 24 -55 3 37 64 16 58 -48 -13 41 -9 -60 -7 44 51 55 -52 -11 64 -38 -6 -31 -45 -18 28 53 -31 -1 -12 -49
-63 -62 20 -7 45 61 -44 54 58 57 -2 56 43 34 -62 42 -54 53 56 -24 47 -60 -53 18 -39 -51]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 0 64 0 64 0 0 0 64 0 0 0 64 0 64 0]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[39 18 96 124 74 36]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, validation = true, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[2 -48 7 42 -30 28 -17 -16]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[22 18 -24 23]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[27 31 11 -38 -43 -19 -36 -18 12 9 40 11 5 40 -22 23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-33 -12 -20 29]] }, { tensor = "float32", shape = {4, 2}, scale = 64, data = [[-18 -1 -26 8 44 46 -34 18]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[39 8]] }, { tensor = "float32", shape = {8, 3}, scale = 64, data = [[-20 -22 -46 33 17 -19 12 -32 -43 29 8 -15 -38 -6 17 -34 9 -22 -43 6 -10 35 39 -40]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-36 46 15]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.12963 0.973051 1.12489]] }, val_loss = { tensor = "float32", shape = {3}, data = [[1.0489 1.04307 1.03122]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.03122]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[0.0286985 -0.74585 0.109288 0.680046 -0.466356 0.43347 -0.267027 -0.256889]] }, { tensor = "float32", shape = {4}, data = [[0.343757 0.280032 -0.375462 0.377573]] }, { tensor = "float32", shape = {4, 4}, data = [[0.424681 0.489463 0.168594 -0.587112 -0.675109 -0.302393 -0.547901 -0.286542 0.18702 0.140455 0.625219 0.17221
0.0862731 0.638282 -0.354244 0.374479]] }, { tensor = "float32", shape = {4}, data = [[-0.508588 -0.179092 -0.311424 0.460806]] }, { tensor = "float32", shape = {4, 2}, data = [[-0.289703 -0.0253009 -0.43361 0.118261 0.689229 0.708269 -0.549262 0.285048]] }, { tensor = "float32", shape = {2}, data = [[0.596802 0.139065]] }, { tensor = "float32", shape = {8, 3}, data = [[-0.316044 -0.330829 -0.728281 0.516443 0.255844 -0.287885 0.17553 -0.476529 -0.685342 0.458764 0.107223
-0.221606 -0.6016 -0.0939152 0.27271 -0.529135 0.140847 -0.346049 -0.688717 0.111325 -0.156921 0.552682 0.598565
-0.619923]] }, { tensor = "float32", shape = {3}, data = [[-0.542396 0.701667 0.227259]] } },
  },
  {
    name = "1/10",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "ReLU", options = { name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.01, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-30 -40 -32 -29 5 4 35 36 -28 -48 -28 19 28 -11 8 64 -26 19 28 -31 39 -47 -32 40]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 -64 64 -64 64 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[13 1 32 -24]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[8]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.991302]] }, m0 = { tensor = "float32", shape = {}, data = [[0.991302]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.988028]] }, m0 = { tensor = "float32", shape = {}, data = [[0.988028]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.936217]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.936217]] } }, { { tensor = "float32", shape = {4, 1}, data = [[0.127042 0.196928 0.0140185 -0.105691]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[0.199647 0.015899 0.494934 -0.383031]] }, { tensor = "float32", shape = {1}, data = [[0.127732]] } },
  },
  {
    name = "1/11",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Conv3D", options = { padding = "same", kernel_size = { 1, 2, 2 }, filters = 2, bias_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, groups = 2, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Permute", options = { dims = { 4, 3, 1, 2 }, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = { from_logits = true, reduction = "mean" } } },
    metrics = { { { object = "metric", class = "f1_score", options = { name = "m0", average = "macro" } }, { object = "metric", class = "top_k_categorical_accuracy", options = { name = "m1", k = 2 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[5 -22 -28 34 -6 11 -53 8 -49 46 22 49 45 27 -27 -2 43 -31 11 -50 58 38 44 47 -17 -64 -6 27 -62 -41 22 -22 -14 19
-28 31 30 56 -31 17 60 -63 24 -64 -2 31 -50 46 -43 23 35 47 -49 -28 49 -28 -12 -30 -26 52 62 64 21 -35 46 -15 22
-8 -36 60 -42 -59 31 12 -11 12 6 -2 -32 -5 45 9 21 61 46 46 24 -32 29 30 53 -16 62 -55 -24 -24 -12 -14 -23 -4
-31 -42 -46 5 -31 -30 47 37 12 -34 26 -56 -63 -9 31 -2 15 -60 14 26 28 55 -40 -64 22 -56 29 19 -62 -17 -1 -44 4
-2 -30 28 57 37 18 -50 -17 54 51 -20]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 0 64 0 64 0 0 64 0 0 64 0 0 64 0]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {1, 2, 2, 1, 2}, scale = 64, data = [[42 35 -26 35 41 -23 -27 -2]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-46 -3]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-21 44 46 -19 -1 -19 11 43 10 -8 -16 46 -22 -38 27 -17 -48 13 -17 -20 5 35 -20 4 -28 42 3 26 4 12 29 13 -5 -44
-11 -4 -32 30 36 -29 -34 5 24 35 -37 -30 -3 42 38 34 -19 30 -31 -5 18 -9 -4 32 7 37 -5 1 -44 32 19 30 -43 26 40
34 30 -44]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-39 -41 43]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.285061 1.02702 0.767745]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.5 0 0]] }, m1 = { tensor = "float32", shape = {3}, scale = 64, data = [[64 64 48]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.446729]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {}, data = [[0.833333]] } } },
    final = { { tensor = "float32", shape = {1, 2, 2, 1, 2}, data = [[0.63868 0.545726 0 0.549984 0.631586 0 0 0]] }, { tensor = "float32", shape = {2}, data = [[-0.707449 -0.031834]] }, { tensor = "float32", shape = {24, 3}, data = [[-0.320729 0.680092 0.718763 -0.289775 -0.0230652 -0.296535 0.176512 0.666888 0.1566 -0.12193 -0.253238 0.718918
-0.33965 -0.59812 0.422146 -0.261962 -0.753886 0.203348 -0.259177 -0.319475 0.0786527 0.552989 -0.318958
0.0628446 -0.433075 0.651609 0.0470904 0.411419 0.057159 0.187672 0.458696 0.197471 -0.0780417 -0.683049
-0.176467 -0.0623595 -0.500603 0.469494 0.562359 -0.451528 -0.532934 0.0782122 0.374254 0.547739 -0.578243
-0.469111 -0.0466154 0.656351 0.59571 0.529337 -0.296921 0.468718 -0.484476 -0.0779917 0.280892 -0.14021
-0.0625575 0.500876 0.108383 0.578241 -0.0784402 0.0159925 -0.687552 0.500215 0.296584 0.468826 -0.671216
0.405645 0.624946 0.531543 0.468356 -0.687399]] }, { tensor = "float32", shape = {3}, data = [[-0.62528 -0.62413 0.671286]] } },
  },
  {
    name = "1/12",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Subtract", options = { name = "n0" }, sources = { 0, 1 }, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 2, call = {} }, { layer = "Add", options = { name = "n2" }, sources = { 3, 1 }, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 0, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-63 13 20 -5 46 37 9 -52 -1 12 11 20 8 -21 13 52 -20 -42 32 -36 -40 -24 56 27]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-50 12 -44 53 -4 -33 11 -44 -55 -7 6 -53 15 -52 25 -42 -5 45 14 59 -42 -64 -20 4]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[31 38 38 -12 -40 -55 58 55 -14 58 -3 18 -18 -60 55 62 -26 33]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-23 -45 -32 -40 -10 28 -14 -19 47 10 -27 -32]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[4 -32 35]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.324344]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.31874]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.261675]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.226376 0.11442 1.36592 -0.701165 -0.786427 0.920747 -0.0182008 -0.684324 0.582674 0.326174 -0.920819 0.0650138]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.359287 -0.70345 -0.496678 -0.620876 -0.151403 0.432901 -0.214345 -0.295848 0.726239 0.162916 -0.412791
-0.49459]] }, { tensor = "float32", shape = {3}, data = [[0.0785289 -0.487081 0.523482]] } },
  },
  {
    name = "1/14",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "UnitNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "TimeDistributed", options = { layer = { object = "layer", class = "flatten", options = {} }, name = "n2" }, sources = 2, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05, weight_decay = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-21 -60 -39 8 -36 -64 -19 38 31 14 22 32 43 15 34 -23 -54 22 -16 -4 60 23 -31 12 -10 -42 35 -63 58 24 42 58 -53
-49 20 13 60 29 -39 17 -59 -22 -34 -16 35 23 11 -23 -46 -50 -35 15 -21 -48 7 42 30 14 24 -47 30 17 -45 -17 -42
53 -6 -15 -38 64 -18 57 -5 -39 5 20 -41 58 15 31 -61 -33 24 31 43 59 54 -57 -62 0 48 -21 29 -3 7 -45 6 -61 -43
-10 -15 25 16 3 50 -38 -54 -38 33 -21 -25 51 -32 -24 31 -49 -55 53 19 53 -13 -51 5 41 31 -42 -30 8 55 43 25 58
35 -2 32 -22 -46 61 -33 -58 -8 3 -35 -2]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[113 30 112 41 103 55]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {8, 1}, scale = 64, data = [[42 42 33 28 42 29 -3 7]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[0]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[45.5643]] }, m0 = { tensor = "float32", shape = {}, data = [[0.140229]] } }, { loss = { tensor = "float32", shape = {}, data = [[36.3802]] }, m0 = { tensor = "float32", shape = {}, data = [[0.189047]] } }, { loss = { tensor = "float32", shape = {}, data = [[35.9271]] }, m0 = { tensor = "float32", shape = {}, data = [[0.192788]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.695495 0.492983 0.605986 0.57311 0.347736 0.825853]] } } },
    final = { { tensor = "float32", shape = {8, 1}, data = [[0.747095 0.758606 0.423127 0.416525 0.537896 0.353497 -0.127739 0.18944]] }, { tensor = "float32", shape = {1}, data = [[-0.0782067]] } },
  },
  {
    name = "1/15",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "exponential", name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, name = "n2" }, sources = 2, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "silu" } }, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "tanh", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "squared_hinge", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[10 -8 -61 -59 -58 9 -57 -33 33 -21 -16 -13 11 -62 23 5 -25 41 48 -56 60 -1 62 -7]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-64 64 64 64 -64 -64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-10 29 40 31 20 -40 -44 7 14 28 16 39 -12 -4 23 -31]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[48 -23 39 42]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[12 13 17 -19 -27 14 30 24 -23 4 8 -30 44 -9 -44 -43]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[26 -48 0 -36]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[5 -47 42 -48 -4 -18 43 18 -19 -34 43 -28 33 23 -4 -19]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[8 17 -37 -43]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[20 25 25 4]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-17 -2 21 10]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-48]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[2.25689]] }, m0 = { tensor = "float32", shape = {1}, data = [[2.2448]] }, val_loss = { tensor = "float32", shape = {1}, data = [[1.81653]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[1.80427]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.867894]] }, m0 = { tensor = "float32", shape = {}, data = [[0.855638]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.72611]] }, m0 = { tensor = "float32", shape = {}, data = [[1.7132]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.193622 0.189273 0.523641 0.893513 0.997286 0.992433]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.152409 0.457854 0.635641 0.475645 0.316429 -0.617586 -0.684627 0.0988298 0.231553 0.446018 0.26787 0.591825
-0.175466 -0.0590719 0.363603 -0.490339]] }, { tensor = "float32", shape = {4}, data = [[0.759578 -0.36167 0.620287 0.655229]] }, { tensor = "float32", shape = {4, 4}, data = [[0.189496 0.215402 0.270337 -0.300817 -0.420214 0.229126 0.472678 0.371704 -0.349989 0.102623 0.142339 -0.480226
0.695888 -0.0847866 -0.66632 -0.689895]] }, { tensor = "float32", shape = {4}, data = [[0.406789 -0.746348 0.00134725 -0.563662]] }, { tensor = "float32", shape = {4, 4}, data = [[0.0487242 -0.449432 0.430338 -0.43716 -0.0382459 -0.172125 0.409522 0.170015 -0.182813 -0.32522 0.380823
-0.289436 0.311891 0.219509 -0.114284 -0.229481]] }, { tensor = "float32", shape = {1, 4}, data = [[0.154595 0.609375 -0.685124 0.367923]] }, { tensor = "float32", shape = {4}, data = [[0.312811 0.390669 0.396293 0.0664498]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.266792 -0.0334609 0.339976 0.196978]] }, { tensor = "float32", shape = {1}, data = [[-0.727857]] } },
  },
  {
    name = "1/18",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "Conv1D", options = { padding = "valid", strides = 2, kernel_size = 3, filters = 4, activation = "hard_silu", groups = 2, name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling1D", options = { keepdims = false, name = "n2" }, sources = 2, call = {} }, { layer = "Add", options = { name = "n3" }, sources = { 3, 3 }, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "max_norm", options = { max_value = 0.6 } }, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = { reduction = "mean" } } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "categorical_hinge", options = { name = "m5" } }, { object = "metric", class = "categorical_crossentropy", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = { object = "schedule", class = "piecewise_constant_decay", options = { boundaries = { 1, 2 }, values = { 0.05, 0.02, 0.01 } } } } },
    tasks = { "categorical" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[1 0 0 5 3 0 5 1 4 2 0 0 1 2 0 4 3 4]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 0 64 64 0 0 0 64 0 0 64 0 0 64 0]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    policy = "mixed_bfloat16",
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4 40 38 13 44 -29 1 -13 6]] }, { tensor = "float32", shape = {3, 2, 4}, scale = 64, data = [[47 -33 23 -48 37 27 -18 -24 -26 -40 30 -28 43 -26 -43 -7 -14 30 18 -43 -20 -30 38 1]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[36 -17 44 7]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[15 41 -47 27 -24 3 -17 -48 -15 11 19 -46]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-48 -26 17]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.74188]] }, m5 = { tensor = "float32", shape = {}, data = [[0.756836]] }, m6 = { tensor = "float32", shape = {}, data = [[0.741699]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.823705]] }, m5 = { tensor = "float32", shape = {}, data = [[0.838867]] }, m6 = { tensor = "float32", shape = {}, data = [[0.825195]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.866556]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.891927]] }, m6 = { tensor = "float32", shape = {1}, data = [[0.867839]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.196289 0.707031 0.0947266 0.199219 0.298828 0.5 0.185547 0.224609 0.589844 0.193359 0.738281 0.0703125]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.35354 0.793242 -0.569747 0.0972906 0.58255 0.0281527 0.375319 0.116899 0.622272 0.321566 0.453431 0.0422886
0.152187 -0.550049 0.252162 0.041502 0.64896 0.565206 0.145823 0.681669 -0.505031 0.0590739 -0.186246 0.048067]] }, { tensor = "float32", shape = {3, 2, 4}, data = [[0.792142 -0.571809 0.314048 -0.696461 0.65075 0.403314 -0.304412 -0.313053 -0.390275 -0.524643 0.545259 -0.43931
0.71681 -0.411361 -0.674979 -0.0689059 -0.181455 0.513351 0.325579 -0.641609 -0.250627 -0.442772 0.579218
0.0607125]] }, { tensor = "float32", shape = {4}, data = [[0.617433 -0.229767 0.672224 0.165741]] }, { tensor = "float32", shape = {4, 3}, data = [[0.19631 0.368646 -0.43374 0.437352 -0.234487 0.0680153 -0.230148 -0.381852 -0.1751 0.137294 0.15266 -0.369572]] }, { tensor = "float32", shape = {3}, data = [[-0.715908 -0.340648 0.20583]] } },
  },
  {
    name = "1/19",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Add", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n3" }, sources = 3, call = {} }, { layer = "Flatten", options = { name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, bias_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "tanh", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[15 12 54 20 -27 57 2 -39 -48 -4 -54 -47 -58 8 18 -64 -62 42 -15 35 56 11 -10 36]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-64 -64 -64 -64 -64 -64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[93 105 37 94 81 59]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[42 -28 41 40]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[34 -18 -23 27 15 2 40 -15 -7 6 -5 -1 17 -34 -35 -5]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[0 42 -46 15]] }, { tensor = "float32", shape = {12, 1}, scale = 64, data = [[45 -37 -4 20 -28 19 -2 0 20 -46 22 5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-1]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[2.37472]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.374279]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.170907]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-0.928102 -0.767093 -0.700229 -0.866731 -0.50818 -0.873317]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.398832 -0.195589 -0.14563 -0.0203665 -0.435733 0.453158 -0.361361 0.231457 -0.571989 -0.289398 -0.271651
-0.089339 -0.281958 0.109859 -0.0939623 0.539622]] }, { tensor = "float32", shape = {4}, data = [[0.566083 -0.497727 0.6978 0.545075]] }, { tensor = "float32", shape = {4, 4}, data = [[0.475664 -0.201191 -0.396768 0.381369 0.243264 0.0124494 0.62972 -0.226426 -0.150879 0.16053 -0.105722
-0.0440001 0.221491 -0.465151 -0.574055 -0.107405]] }, { tensor = "float32", shape = {4}, data = [[-0.072635 0.751401 -0.772946 0.178884]] }, { tensor = "float32", shape = {12, 1}, data = [[0.661335 -0.568009 0.0165821 0.275509 -0.47929 0.306991 0.0478321 -0.0369909 0.27071 -0.708634 0.422832
0.0411341]] }, { tensor = "float32", shape = {1}, data = [[-0.116259]] } },
  },
  {
    name = "1/20",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "UnitNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5 } } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[24 54 46 9 -43 -40 -43 33 43 8 26 41 21 27 -49 11 -34 47 -31 24 32 -49 42 -19 -46 -8 31 39 -40 -7 -6 -27 0 59 59
42 -48 4 48 0 40 -48 -44 16 10 14 54 19 13 -40 -53 -41 43 -54 16 -12 51 42 -57 4 -6 -55 23 -3 -16 24 -13 35 -7
54 -12 24 -57 38 -20 -21 -22 -37 49 -59 -38 47 -44 47 31 14 5 57 -51 28 -16 44 -53 48 0 -37 58 -8 -9 14 34 12
-56 -39 3 15 49 43 58 35 38 47 -30 -31 39 49 61 -13 -63 13 47 -56 -9 54 -17 -40 7 -4 -20 -54 43 -22 -35 25 17
-22 -17 -30 49 -63 -54 61 -3 -23]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[55 -22 -12 -22 3 51]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {24, 1}, scale = 64, data = [[42 35 -26 35 41 -23 -27 -2 -46 -3 -21 44 46 -19 -1 -19 11 43 10 -8 -16 46 -22 -38]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.562046]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.795887]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.609061]] }, m0 = { tensor = "float32", shape = {}, data = [[0.869317]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.500521]] }, m0 = { tensor = "float32", shape = {}, data = [[0.697473]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-0.0283011 -2.24752 0.501799 1.87551 1.44801 0.403036]] } } },
    final = { { tensor = "float32", shape = {24, 1}, data = [[0.643591 0.559137 -0.383235 0.567888 0.614881 -0.354838 -0.431715 -0.00940178 -0.708818 -0.0634079 -0.306999
0.691306 0.696841 -0.276522 -0.0367548 -0.316561 0.194982 0.650943 0.13525 -0.146012 -0.241683 0.706944
-0.316821 -0.599502]] } },
  },
  {
    name = "1/23",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "TimeDistributed", options = { layer = { object = "layer", class = "layer_normalization", options = {} }, name = "n0" }, sources = 0, call = {} }, { layer = "Maximum", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-59 -42 -30 56 -8 -63 -1 -30 -24 -31 -53 -28 61 -47 45 -33 31 -16 28 -37 -63 -38 -60 13 0 -24 42 60 36 -35 47 50
-44 64 -14 -35 -14 0 30 -11 -25 -35 -14 -32 -30 -3 3 -1 14 27 61 -35 -27 30 -1 7 57 26 -63 -1 -62 58 -61 -49 15
-23 16 -62 -29 37 19 -61 2 50 6 22 -17 -29 -19 0 49 -31 21 -20 -49 -18 -42 -19 -32 20 5 14 -56 -50 1 -45 34 44
-36 -50 0 -53 5 -11 6 -63 8 14 -44 11 -15 -33 52 -35 28 42 -18 -54 11 6 -15 -8 -48 27 -31 -64 -42 -20 -33 -42
-17 33 -50 38 11 -56 62 43 11 -28 25 -9 15 47]] } },
    y = { { tensor = "int32", shape = {6}, data = [[1 0 0 0 0 1]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {2}, scale = 64, data = [[92 92]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[33 28]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[42 29 -3 7 0 -17 -6 37 -46 47 34 -46 4 -48 37 -36 -7 34 21 -41 12 -45 46 -27 39 26 13 16 16 29 41 -36 -25 9 29 4
-25 6 26 42 -31 17 40 28 47 -27 15 -22 30 37 -8 35 42 34 1 -44 -26 -42 32 48 35 17 41 -12 -39 40 42 38 -22 -37
-31 10]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-9 0 -47]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[2.59004 1.88619 1.5701]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.94505]] } } },
    final = { { tensor = "float32", shape = {2}, data = [[1.23918 1.22618]] }, { tensor = "float32", shape = {2}, data = [[0.491179 0.461121]] }, { tensor = "float32", shape = {24, 3}, data = [[0.663633 0.430555 0.0192224 0.100814 0.0202273 -0.339682 0.000391725 0.484653 -0.66427 0.640783 0.626095
-0.786865 -0.0309613 -0.655296 0.503322 -0.468198 -0.203307 0.599325 0.282402 -0.589474 0.114252 -0.676821
0.689849 -0.357465 0.603686 0.421153 0.128555 0.251618 0.239372 0.519604 0.711314 -0.641567 -0.326224 0.120677
0.525664 -0.0110259 -0.440649 0.147293 0.33949 0.685938 -0.515754 0.317049 0.530491 0.532669 0.659917 -0.328432
0.141307 -0.276919 0.449001 0.650823 -0.199545 0.616445 0.577524 0.598263 -0.00365587 -0.615638 -0.474617
-0.588786 0.422458 0.80476 0.473535 0.331037 0.691735 -0.104158 -0.680116 0.558465 0.749136 0.501556 -0.290465
-0.672938 -0.389039 0.0881006]] }, { tensor = "float32", shape = {3}, data = [[-0.154906 0.026386 -0.806349]] } },
  },
  {
    name = "1/25",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "exponential", name = "n0" }, sources = 0, call = {} }, { layer = "Cropping2D", options = { cropping = 1, name = "n1" }, sources = 1, call = {} }, { layer = "AveragePooling2D", options = { padding = "same", strides = 2, pool_size = 3, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-3 -12 50 25 64 -3 20 31 9 59 -7 -43 30 32 54 -47 13 3 18 40 -31 15 22 -58 -13 38 15 57 0 -5 42 -12 -20 62 31 17
43 -1 -46 -26 41 -55 -36 -30 25 -18 -58 7 -52 -40 39 -31 -47 2 52 -30 -41 -30 -2 -41 -2 -46 30 60 -3 -16 -5 37
-62 -53 -7 58 -64 61 -44 21 54 -34 0 -43 11 64 -59 14 -48 59 39 -22 -2 -19 1 -15 -15 50 43 36 38 -35 -32 30 57 8
4 -27 18 -16 31 4 -45 -59 -53 -58 -6 5 14 5 -42 -36 -39 20 -59 50 59 63 32 27 17 -39 50 -24 63 47 7 37 51 20 -13
-40 -11 12 -38 41 -34 -37 -32 7 0 16 57 -9 46 -7 37 -14 55 17 -37 18 50 -49 -44 18 43 63 27 -17 -62 -50 21 -64 0
52 -10 -56 0 36 20 20 57 62 -28 -56 -46 9 51 -36 33 -15 43 -32 -41 42]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 2 1 1 1 1]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    replicas = 4,
    steps_per_execution = 4,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[28 5 25 48]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-17 -24 -32 -42 32 -14 -41 -19 36 45 -27 41]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.47865]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.39984]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.77265]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.130643 0.0952266 0.77413 0.125839 0.0809101 0.793251 0.158186 0.112072 0.729742 0.149055 0.0891102 0.761834]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.127631 0.245838 0.63338 0.17943 -0.766234 -0.667103 -0.125617 -0.534551]] }, { tensor = "float32", shape = {4}, data = [[0.457852 0.104441 0.366576 0.723556]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.293722 -0.348369 -0.525743 -0.683915 0.526181 -0.24397 -0.668963 -0.271139 0.537668 0.674766 -0.395484
0.615127]] } },
  },
  {
    name = "1/26",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "GlobalAveragePooling2D", options = { keepdims = false, name = "n0" }, sources = 0, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "hard_silu" } }, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_absolute_error", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.05, gradient_accumulation_steps = 2 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[1 8 7 -56 2 -21 -25 14 -46 8 -22 64 -39 52 53 -12 -51 34 49 8 64 8 -24 -42 -18 2 -43 -55 2 37 -26 3 0 -40 -5 49
20 15 64 -29 -4 -1 31 37 -58 4 -32 -58 44 -54 -28 50 -17 -35 40 -1 -58 44 -22 -2 41 51 64 -2 18 48 53 35 -50 -8
49 -52 -53 -54 -28 34 56 9 17 -13 -32 -63 -38 2 0 52 -21 -19 41 11 54 -30 -40 40 62 -12 51 -41 39 -46 42 -53 -29
15 45 -15 58 21 -13 -20 63 -1 -20 64 25 42 24 -62 -1 63 54 18 2 60 -54 8 62 -50 -22 36 49 2 -42 31 -64 -51 26 31
30 26 -50 -17 58 -5]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-48 -37 46 40 -28 57]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[38 7 -6 5]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-3 3 -2 -12]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[20 -43 17 -13]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-5]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.693202 0.592229 0.693397]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.659462]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.8638 0.270957 -0.499328 0.307609 -0.306148 -0.884611 0.0775047 -0.595313]] }, { tensor = "float32", shape = {1, 4}, data = [[0.868731 0.332399 0.345206 0.125099]] }, { tensor = "float32", shape = {4}, data = [[-0.0465279 0.0483675 -0.0309297 -0.186944]] }, { tensor = "float32", shape = {4, 1}, data = [[0.313091 -0.674685 0.266714 -0.20532]] }, { tensor = "float32", shape = {1}, data = [[-0.0780469]] } },
  },
  {
    name = "1/27",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Add", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, activation = "selu", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, activity_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "cosine_similarity", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[36 -10 -6 -20 35 43 -11 -63 21 15 29 -16 -5 -11 -28 12 28 59 47 -58 58 53 -63 -61]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[8 -60 10 -16 23 -2]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[40 38 13 44 -29 1 -13 6 47 -33 23 -48 37 27 -18 -24]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-26 -40 30 -28]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[43 -26 -43 -7]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-14]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.334374]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.56806]] }, m1 = { tensor = "float32", shape = {1}, data = [[-9.93411e-09]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.180757]] }, m0 = { tensor = "float32", shape = {}, data = [[0.417263]] }, m1 = { tensor = "float32", shape = {}, data = [[1.49012e-08]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.102141]] }, m0 = { tensor = "float32", shape = {}, data = [[0.31326]] }, m1 = { tensor = "float32", shape = {}, data = [[0.333333]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-0.195496 -0.386109 -0.0625225 -0.376094 0.0355047 -0.146962]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.317529 0.714641 -0.510678 0.113909 0.614973 -0.0853648 0.440758 0.154482 0.588209 0.219143 0.543353 0.0927172
0.146279 -0.47571 0.198802 0.040957]] }, { tensor = "float32", shape = {4, 4}, data = [[0.688804 0.618404 0.228359 0.692984 -0.405004 -0.00462388 -0.2272 0.0592753 0.755568 -0.459813 0.408988
-0.700498 0.645929 0.393364 -0.298727 -0.402472]] }, { tensor = "float32", shape = {4}, data = [[-0.332002 -0.699248 0.394502 -0.502325]] }, { tensor = "float32", shape = {4, 1}, data = [[0.595426 -0.482699 -0.646404 -0.14289]] }, { tensor = "float32", shape = {1}, data = [[-0.187551]] } },
  },
  {
    name = "1/28",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RMSNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "exponential", name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, name = "n2" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 4, activation = "tanh", name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softplus", name = "n4" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[28 29 -53 -3 31 -49 15 10 21 -11 47 62 32 39 62 52 -19 5 -48 22 60 -55 -62 -34]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-17 24 15 -25 -29 18 -44 -35 40 29 -47 -27 -11 46 -48 5 -1 33 33 -12 62 8 -61 2]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[8 72 70 36 114 69 86 10 55 69 61 91 94 33 106 91 74 45]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[44 54 59 60]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33 42 -28 41 40]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[34 -18 -23 27]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[15 2 40 -15 -7 6 -5 -1 17 -34 -35 -5 0 42 -46 15]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[45 -37 -4 20]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-28 19 -2 0 20 -46 22 5 -1 -21 -30 4 30 -12 -38 -9]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-30 42 -31 43]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-47 -32 -1 -25 -33 47 -18 5 35 18 40 9]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.091375]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.138258]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.117075]] } }, { { tensor = "float32", shape = {4, 3}, data = [[1.05297 0.860466 0.73338 1.19742 1.15988 0.34261 0.83414 0.975447 0.293199 0.832887 0.983966 0.327769]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[0.687255 0.844216 0.920558 0.934856]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.374259 0.48445 -0.390687 0.281427 -0.578668 -0.296941 -0.265438 -0.0949155 -0.308703 0.0937659 -0.0782806
0.515548 0.654312 -0.437583 0.641163 0.622459]] }, { tensor = "float32", shape = {4}, data = [[0.52847 -0.281252 -0.358896 0.419624]] }, { tensor = "float32", shape = {4, 4}, data = [[0.237795 0.0227553 0.619281 0 0.000398123 0.0935 0 0 0.266763 0 0 0 0.00215743 0.653741 0 0.230569]] }, { tensor = "float32", shape = {4}, data = [[0.703893 -0.579808 -0.0641559 0.311225]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.436971 0.303343 -0.0294881 -0.000478177 0.31099 -0.717496 0.34519 0.0775601 -0.0120085 -0.320087 -0.468105
0.0613251 0.468462 -0.185619 -0.592847 -0.140843]] }, { tensor = "float32", shape = {4}, data = [[-0.468481 0.659368 -0.483017 0.671956]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.731087 -0.50153 -0.017103 -0.393101 -0.513389 0.733037 -0.278446 0.0787801 0.542353 0.280702 0.624157
0.144568]] } },
  },
  {
    name = "1/29",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, activity_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "sigmoid", name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activation = "exponential", name = "n2" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 2, 4 },
    loss = { { object = "loss", class = "binary_crossentropy", options = { label_smoothing = 0.125 } }, { object = "loss", class = "squared_hinge", options = { reduction = "mean" } } },
    metrics = { {}, { { object = "metric", class = "mean_absolute_error", options = { name = "m10" } } } },
    weighted_metrics = { {}, { { object = "metric", class = "mean_absolute_error", options = { name = "m15" } } } },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "binary", "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[1 -25 -62 -54 -18 -5 11 0 -7 25 -30 22 48 12 31 -59 -46 23 -52 -1 14 -13 36 39]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 0 0 64 0 0 0 0 64 0 64 64 64 0 64 64]] }, { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 -64 -64 64 64 -64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-35 21 31 37]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45 -21 -1 -15 -46]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-34 21 -14 18 -15 24 -16 -30 -29 21 -11 24]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-24 -22 34]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-9 47 -25 28]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[47]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[2.70119]] }, n1_loss = { tensor = "float32", shape = {1}, data = [[0.753042]] }, n3_loss = { tensor = "float32", shape = {1}, data = [[1.88463]] }, n3_m10 = { tensor = "float32", shape = {1}, data = [[0.987791]] }, n3_m15 = { tensor = "float32", shape = {1}, data = [[0.987791]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.64789]] }, n1_loss = { tensor = "float32", shape = {}, data = [[0.717805]] }, n3_loss = { tensor = "float32", shape = {}, data = [[1.86622]] }, n3_m10 = { tensor = "float32", shape = {}, data = [[0.975501]] }, n3_m15 = { tensor = "float32", shape = {}, data = [[0.975501]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.65556]] }, n1_loss = { tensor = "float32", shape = {}, data = [[0.741598]] }, n3_loss = { tensor = "float32", shape = {}, data = [[1.8507]] }, n3_m10 = { tensor = "float32", shape = {}, data = [[0.983047]] }, n3_m15 = { tensor = "float32", shape = {}, data = [[0.983047]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.61165 0.208149 0.699056 0.526974 0.323304 0.709785 0.392113 0.295517 0.569661 0.585811 0.300025 0.727369
0.418375 0.335618 0.601974 0.502414 0.275637 0.68823]] }, { tensor = "float32", shape = {6, 1}, data = [[0.99778 0.911635 0.938281 0.958929 0.91427 0.919347]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.270316 0.407272 0.686854 -0.252038 0.725321 -0.631553 -0.105922 -0.40175 0.201412 -0.285408 -0.693327
0.536115 0.520894 0.171883 0.573141 -0.0729014]] }, { tensor = "float32", shape = {4}, data = [[-0.528202 0.3101 0.482309 0.583314]] }, { tensor = "float32", shape = {4, 4}, data = [[0.665976 -0.45205 -0.0751256 -0.562962 -0.244679 0.343962 0.370618 0.516541 -0.210454 -0.470446 -0.642353
0.685599 -0.319608 -0.0338301 -0.219151 -0.735517]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.520367 0.315943 -0.206497 0.272288 -0.230808 0.365126 -0.259242 -0.467365 -0.461732 0.31331 -0.161041
0.368395]] }, { tensor = "float32", shape = {3}, data = [[-0.389557 -0.335051 0.520695]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.154045 0.719764 -0.404605 0.422737]] }, { tensor = "float32", shape = {1}, data = [[0.712563]] } },
  },
  {
    name = "1/30",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "MultiHeadAttention", options = { num_heads = 2, key_dim = 2, output_shape = 4, name = "n1" }, sources = 1, call = { use_causal_mask = true } }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 0, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5 } } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-35 -9 18 13 0 0 0 0 0 0 0 0 -24 27 26 -2 29 -60 55 -17 0 0 0 0 31 57 -59 -60 -35 -30 21 9 -23 4 25 42 63 -18
-58 -25 0 0 0 0 0 0 0 0 5 -19 2 -51 -27 -43 57 19 0 0 0 0 -60 -10 22 46 -45 -50 -16 30 -7 52 5 -37]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[-35 -12 47 0 29 -59 -2 -41 -62 -44 20 43 -3 -2 -34 -48 27 52]] } },
    sample_weight = { tensor = "float32", shape = {6, 3}, scale = 64, data = [[55 20 103 43 81 81 56 36 35 58 23 98 25 96 124 78 67 66]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-23 -45 -32 -40]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-10]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.161901]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.513139]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.161033]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.511036]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.176089]] }, m0 = { tensor = "float32", shape = {}, data = [[0.542707]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.160717]] }, m0 = { tensor = "float32", shape = {}, data = [[0.510097]] } }, { { tensor = "float32", shape = {6, 3, 1}, data = [[-0.132711 -0.155176 -0.155176 -0.498826 0.0973847 -0.155176 0.0963651 0.114705 -0.682078 0.389923 -0.155176
-0.155176 0.518399 -0.158896 -0.155176 -0.344906 0.460373 -0.357587]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[-0.346963 -0.702171 -0.485986 -0.636752]] }, { tensor = "float32", shape = {1}, data = [[-0.155176]] } },
  },
  {
    name = "1/31",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, dtype = "mixed_bfloat16", activation = "hard_silu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, name = "n1" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-43 -64 31 20 -9 -7 1 -13 17 -29 -10 -34 -55 55 2 -21 15 26 -7 33 33 -32 -35 27]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[49 -21 16 45 53 7 -13 -4 -21 -54 -63 -30 20 -58 -32 -32 18 53 14 -42 4 -31 -45 -52]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-32 -34 32 50 -46 28]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    mixed_layers = true,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-24 37 -14 -8 -45 22 -36 41 22 -38 16 -47 3 -41 42 -13]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-16 -39 17 45]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[7]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[0.0888672 0.0797415 -0.118408 0.393902 0.23049 0.0734482]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.495159 0.477217]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.466708]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.378519 0.553111 -0.198087 -0.143948 -0.696085 0.349422 -0.551603 0.633404 0.353479 -0.565073 0.225392
-0.715881 0.0697036 -0.610335 0.627777 -0.233163]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.258874 -0.587118 0.249694 0.711179]] }, { tensor = "float32", shape = {1}, data = [[0.0794979]] } },
  },
  {
    name = "1/35",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, activation = "elu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, name = "n1" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[53 14 59 12 -39 44 1 9 -60 54 59 42 -41 -36 -39 42 -45 -8 -57 10 15 -50 -30 -40]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[9 55 -28 -51 -43 -41 -15 -21 27 -18 10 24 -46 -23 -37 43 -43 37 -43 2 -60 -8 28 15]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 1 0 2 2 1]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31 38 7 -6 5]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-3 3 -2]] }, { tensor = "float32", shape = {3, 3}, scale = 64, data = [[-12 20 -43 17 -13 -5 -14 19 -25]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[12 -44 -48]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.30178]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.20699]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[16]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.3845]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.166667]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.014973 -0.859228 -0.210132 -0.0226887 -0.624924 -0.937671 -0.0998252 -0.400378 -1.3837 0.0287385 -0.687872
-0.680723]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.880964 0.511961 -0.313764 0.455497 -0.38071 -0.781653 0.126884 -0.719895 0.534213 -0.0180552 -0.273324
-0.0720212]] }, { tensor = "float32", shape = {3}, data = [[-0.196875 -0.103125 -0.08125]] }, { tensor = "float32", shape = {3, 3}, data = [[-0.0375 0.2625 -0.721875 0.115625 -0.053125 -0.028125 -0.06875 0.246875 -0.340625]] }, { tensor = "float32", shape = {3}, data = [[0.0375 -0.7375 -0.6]] } },
  },
  {
    name = "1/36",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "softplus", name = "n0" }, sources = 0, call = {} }, { layer = "Activation", options = { activation = "exponential", name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling3D", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_hinge", options = {} } },
    metrics = { { { object = "metric", class = "categorical_accuracy", options = { name = "m0" } }, { object = "metric", class = "categorical_accuracy", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-18 -47 -60 9 -54 24 -60 44 -13 -30 -54 22 11 -26 12 33 -17 59 -64 30 0 21 2 52 63 -26 -42 6 -4 15 57 61 33 -49
-57 -29 12 38 39 -54 50 20 27 -57 -43 -30 26 23 -51 -51 -40 -23 -40 -26 37 19 8 45 -42 12 -51 52 -61 22 23 -31
44 28 12 45 35 -53 -53 50 -49 -8 -21 -40 4 53 -47 62 34 19 -51 46 -14 4 38 10 -29 46 -63 -6 -28 -52 -8 -41 47 34
-14 54 -5 -64 37 -59 59 -45 14 -11 -14 5 3 64 4 18 -7 -17 -17 -54 43 -15 -27 3 -44 25 0 -2 44 14 -48 54 -62 19 2
-56 -56 63 3 -58 -29 49 36 -45]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 0 0 64 0 0 64 0 64 0 0 0 64 64 0 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[35 18 31 2]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[8 -34 14 4 40 38 13 44 -29 1 -13 6]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.2314]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.166667]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.166667]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.12377]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[16]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[16]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.05428]] }, m0 = { tensor = "float32", shape = {}, data = [[0.166667]] }, m1 = { tensor = "float32", shape = {}, data = [[0.166667]] } }, { { tensor = "float32", shape = {6, 3}, data = [[1.34131 1.16461 0.779461 1.09196 1.43077 1.38295 1.21508 1.27234 1.0267 1.33198 1.17594 0.833674 1.09198 1.3182
1.27318 1.26166 1.26954 0.988454]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.313476 0.749549 -0.543789 0.066942 0.610624 -0.00666864 0.404629 0.143388]] }, { tensor = "float32", shape = {4}, data = [[0.55954 0.272839 0.47138 0.0435334]] }, { tensor = "float32", shape = {4, 3}, data = [[0.132311 -0.544349 0.232272 0.0654496 0.611845 0.607269 0.211695 0.674393 -0.439617 0.021148 -0.216232 0.107244]] } },
  },
  {
    name = "1/37",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = { object = "residual", class = "residual", options = { layers = { { object = "layer", class = "dense", options = { units = 4, activation = "mish" } }, { object = "layer", class = "batch_normalization", options = { synchronized = true, momentum = 0.8 } }, { object = "layer", class = "dense", options = { units = 4, activation = "mish" } } }, name = "inner1" } }, options = {}, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, activation = "selu", name = "n2" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { from_logits = true, gamma = 1.5, apply_class_balancing = false } } },
    metrics = { { { object = "metric", class = "binary_crossentropy", options = { name = "m0", from_logits = true } }, { object = "metric", class = "binary_crossentropy", options = { name = "m1", from_logits = true } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[49 -9 -55 -27 21 25 43 31 1 20 48 -54 18 -33 28 31 -37 -29 15 62 -60 4 56 -1]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 64 0 64 0 64 64 0 64 0 64 0 0 64 0 0 0 0]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[42 -28 41 40]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[34 -18 -23 27 15 2 40 -15 -7 6 -5 -1 17 -34 -35 -5]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[0 42 -46 15]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[45 -37 -4 20 -28 19 -2 0 20 -46 22 5]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-1 -21 -30]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.293226]] }, m0 = { tensor = "float32", shape = {}, data = [[0.723132]] }, m1 = { tensor = "float32", shape = {}, data = [[0.723132]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.284829]] }, m0 = { tensor = "float32", shape = {}, data = [[0.714853]] }, m1 = { tensor = "float32", shape = {}, data = [[0.714853]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.254474]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.673589]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.673589]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.245919]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.665747]] }, val_m1 = { tensor = "float32", shape = {1}, data = [[0.665747]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.0512414 -0.345045 -0.736015 0.0437218 -0.333627 -0.716689 -0.0684344 -0.345551 -0.604357 -0.135666 -0.242418
-0.731664]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.476155 -0.228551 -0.110751 -0.0732248 -0.383946 0.504642 -0.392996 0.267108 -0.590386 -0.282646 -0.262844
-0.112456 -0.306208 0.0760972 -0.0743093 0.520238]] }, { tensor = "float32", shape = {4}, data = [[0.641135 -0.425529 0.642616 0.608907]] }, { tensor = "float32", shape = {4, 4}, data = [[0.518235 -0.298035 -0.360827 0.418286 0.24028 0.0239492 0.615188 -0.229444 -0.122632 0.0812743 -0.0730297
-0.0184501 0.269444 -0.521115 -0.536799 -0.0853838]] }, { tensor = "float32", shape = {4}, data = [[0.0106567 0.670445 -0.704861 0.221458]] }, { tensor = "float32", shape = {4, 3}, data = [[0.713769 -0.557981 -0.0671554 0.330107 -0.427205 0.317021 -0.048842 -0.026234 0.290107 -0.703523 0.366526
0.0948956]] }, { tensor = "float32", shape = {3}, data = [[0.00179683 -0.303483 -0.446633]] } },
  },
  {
    name = "1/38",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = false, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "gelu", name = "n1" }, sources = 1, call = {} }, { layer = "Maximum", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "Conv1DTranspose", options = { padding = "valid", strides = 2, kernel_size = 1, filters = 4, use_bias = false, activation = "gelu", output_padding = 1, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01 } },
    tasks = { "positive" },
    x = { { tensor = "int32", shape = {6, 3}, data = [[2 2 5 1 2 5 5 1 0 5 2 5 2 3 2 2 0 2]] } },
    y = { { tensor = "float32", shape = {6, 6, 1}, scale = 64, data = [[82 39 63 110 19 76 52 110 117 110 23 18 36 15 101 61 51 112 108 45 9 52 117 53 70 56 93 126 36 104 88 84 92 111
63 23]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6 -35 21 31 37 43 -30 -4 -37]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-16 23 23 34 -14 -29 -42 45 -21 -1 -15 -46 -34 21 -14 18]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-15 24 -16 -30]] }, { tensor = "float32", shape = {1, 4, 4}, scale = 64, data = [[-29 21 -11 24 -24 -22 34 -9 47 -25 28 47 15 -48 7 -1]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-2 29 -36 41]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[40]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[80.182]] }, m0 = { tensor = "float32", shape = {1}, data = [[80.182]] } }, { loss = { tensor = "float32", shape = {}, data = [[97.7147]] }, m0 = { tensor = "float32", shape = {}, data = [[97.7147]] } }, { loss = { tensor = "float32", shape = {}, data = [[79.1392]] }, m0 = { tensor = "float32", shape = {}, data = [[79.1392]] } }, { { tensor = "float32", shape = {6, 6, 1}, data = [[0.989418 1.04507 0.989418 1.04507 1.01385 1.04507 1.00951 1.04507 0.989418 1.04507 1.01385 1.04507 1.01385
1.04507 1.00951 1.04507 1.07343 1.04507 1.01385 1.04507 0.989418 1.04507 1.01385 1.04507 0.989418 1.04507
1.03565 1.04507 0.989418 1.04507 0.989418 1.04507 1.07343 1.04507 0.989418 1.04507]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.277587 0.41271 0.67138 -0.229214 0.721697 -0.640098 -0.106006 -0.406776 0.201763 -0.272395 -0.700672 0.561001
0.508365 0.179938 0.594959 -0.10659 -0.546875 0.328125 0.484375 0.578125 0.677102 -0.485941 -0.0733093 -0.578373]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.240332 0.368413 0.35048 0.536479 -0.228529 -0.464007 -0.64672 0.695269 -0.335434 -0.0267068 -0.226971
-0.73622 -0.538662 0.324048 -0.211537 0.295547]] }, { tensor = "float32", shape = {4}, data = [[-0.227219 0.381226 -0.256861 -0.460413]] }, { tensor = "float32", shape = {1, 4, 4}, data = [[-0.463578 0.338773 -0.16337 0.372485 -0.36845 -0.353328 0.521115 -0.134866 0.726717 -0.380781 0.44727 0.728708
0.239486 -0.759137 0.0987109 -0.0088572]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.0424141 0.464566 -0.553559 0.650867]] }, { tensor = "float32", shape = {1}, data = [[0.611721]] } },
  },
  {
    name = "1/39",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Average", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "GroupNormalization", options = { axis = -1, gamma_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, groups = 2, name = "n1" }, sources = 2, call = {} }, { layer = "Multiply", options = { name = "n2" }, sources = { 3, 3 }, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "tanh" } }, name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 1, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { from_logits = true, gamma = 1.5, apply_class_balancing = true } } },
    metrics = { { { object = "metric", class = "binary_crossentropy", options = { name = "m0", from_logits = true } }, { object = "metric", class = "binary_accuracy", options = { name = "m1", threshold = 0.25 } } } },
    weighted_metrics = { { { object = "metric", class = "binary_accuracy", options = { name = "m5", threshold = 0.25 } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05, weight_decay = 0.05 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[11 -62 50 63 -47 6 2 -25 9 60 0 63 -60 19 -43 -20 -55 -34 -63 -53 -20 7 2 48]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-16 -20 -40 -19 62 52 16 3 -53 -17 -10 54 -32 42 -19 28 -41 -25 -33 50 55 13 -34 -2]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 0 64 64 64 64 64 0 0 0 0 64 0 64 64 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[111 97 18 61 123 94]] },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[23 4 38 30 -28 12 10 -27 -3 -47 1 -29]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-14 -43 -7]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.16034]] }, m0 = { tensor = "float32", shape = {}, data = [[0.83561]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, m5 = { tensor = "float32", shape = {}, data = [[0.583043]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.159546]] }, m0 = { tensor = "float32", shape = {}, data = [[0.834386]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, m5 = { tensor = "float32", shape = {}, data = [[0.583043]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.138883]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.752752]] }, m1 = { tensor = "float32", shape = {1}, scale = 64, data = [[32]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.556878]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.33075 -0.293935 -0.165846 0.477742 -1.0482 0.579999 -1.27311 -0.526941 -1.03135 -0.467182 -0.849067 -0.475125]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.34499 0.0696517 0.594153 0.451949 -0.429061 0.187965 0.149739 -0.414917 -0.0405656 -0.73143 0.0191694
-0.448709]] }, { tensor = "float32", shape = {3}, data = [[-0.226825 -0.664235 -0.117133]] } },
  },
  {
    name = "1/41",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "GRU", options = { units = 4, use_bias = false, trainable = false, return_sequences = true, go_backwards = true, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "sigmoid", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { gamma = 1.5, apply_class_balancing = false } } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "auc", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "ftrl", options = { beta = 0.1, l2_shrinkage_regularization_strength = 0.01, learning_rate = 0.05 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[6 30 0 -21 -50 3 -54 -32 -30 -11 36 -56 54 -21 14 52 -12 -43 -34 -23 -30 35 -26 -13 46 36 42 32 -22 6 -47 43 40
2 -20 -21 -51 -59 6 47 12 55 35 48 40 -34 -33 -56 -40 17 10 38 56 62 -5 -11 -25 -57 -17 -36 35 -58 -13 21 -44 55
34 29 60 -15 -17 61]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 64 64 0 0 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    rematerialize = 7,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[42 42 33 28 42 29 -3 7 0 -17 -6 37 -46 47 34 -46]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[4 -48 37 -36]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[-7 34 21 -41 12 -45 46 -27 39 26 13 16 16 29 41 -36 -25 9 29 4 -25 6 26 42 -31 17 40 28 47 -27 15 -22 30 37 -8
35 42 34 1 -44 -26 -42 32 48 35 17 41 -12]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[-39 40 42 38 -22 -37 -31 10 -9 0 -47 7 -5 43 3 -32 5 3 -45 6 31 18 -29 -39 11 -15 -1 22 -29 33 -39 -24 -32 44
-29 -9 11 5 14 21 22 -8 13 -29 -26 39 -34 12]] }, { tensor = "float32", shape = {12, 1}, scale = 64, data = [[2 -22 39 8 48 -48 -39 -40 -46 46 30 34]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-19]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.37384 0.246157 0.245744]] }, m5 = { tensor = "float32", shape = {3}, scale = 64, data = [[48 32 32]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.245676]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.00287616 0.0126292 -0.00283057 -0.0005545 -0.00299851 0.00389318 -0.00243159 -0.00106455 0.000130535
0.00390779 0.0020395 -0.00163342 -0.00765619 0.00906896 -0.000625368 0.000239849]] }, { tensor = "float32", shape = {4}, data = [[-0.0066042 0.00255858 0.00615336 -0.000200931]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[-7 34 21 -41 12 -45 46 -27 39 26 13 16 16 29 41 -36 -25 9 29 4 -25 6 26 42 -31 17 40 28 47 -27 15 -22 30 37 -8
35 42 34 1 -44 -26 -42 32 48 35 17 41 -12]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[-39 40 42 38 -22 -37 -31 10 -9 0 -47 7 -5 43 3 -32 5 3 -45 6 31 18 -29 -39 11 -15 -1 22 -29 33 -39 -24 -32 44
-29 -9 11 5 14 21 22 -8 13 -29 -26 39 -34 12]] }, { tensor = "float32", shape = {12, 1}, data = [[4.4486e-06 -0.00132386 0.00215323 0.00202604 0.00344533 -0.00190917 -0.00182161 0.00190161 -0.0012634 0.0049454
0.00221292 0.00799532]] }, { tensor = "float32", shape = {1}, data = [[-0.000760447]] } },
  },
  {
    name = "1/42",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Dot", options = { axes = 2, normalize = false, name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Minimum", options = { name = "n2" }, sources = { 1, 1 }, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "min_max_norm", options = { min_value = 0.3, max_value = 0.7 } }, name = "n4" }, sources = 4, call = {} } },
    outputs = { 2, 5 },
    loss = { { object = "loss", class = "log_cosh", options = { reduction = "mean_with_sample_weight" } }, { object = "loss", class = "log_cosh", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "cosine_similarity", options = { name = "m0" } } }, {} },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "adadelta", options = { epsilon = 0.01, learning_rate = 0.01, clipvalue = 0.05 } },
    tasks = { "regression", "regression" },
    loss_weights = { 1, 0.25 },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-20 39 -42 -35 -17 6 46 61 -26 -14 -5 -30 4 -6 -10 -55 10 33 -17 28 62 6 1 -9 -4 49 -13 -5 54 42 8 -3 14 -35 -3
-26 -14 28 -43 53 59 18 14 -39 38 -37 -3 -55 -8 -38 10 -21 -3 -39 25 3 40 29 -32 -54 13 -60 -50 9 27 -17 54 11
30 28 -46 -42]] } },
    y = { { tensor = "float32", shape = {6, 3, 3}, scale = 64, data = [[23 59 62 -51 18 8 24 -43 63 16 -53 -61 25 -7 27 23 34 -18 -50 -52 18 53 30 40 -44 43 10 -29 -11 3 -18 -50 -31 18
54 13 -50 -24 -53 12 -64 41 39 -61 62 6 -62 45 41 -38 -23 -48 16 5]] }, { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-36 5 -35 58 -64 61 30 -31 -56 -29 12 -31 -34 17 48 -2 1 -63]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {3, 3}, scale = 64, data = [[-10 29 40 31 20 -40 -44 7 14]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[28 16 39]] }, { tensor = "float32", shape = {9, 3}, scale = 64, data = [[-12 -4 23 -31 48 -23 39 42 12 13 17 -19 -27 14 30 24 -23 4 8 -30 44 -9 -44 -43 26 -48 0]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-36 5 -47]] } },
    answers = { { { tensor = "float32", shape = {6, 3, 3}, data = [[-0.369991 0.559631 1.95747 1.58511 0.288258 -0.954758 -0.112465 0.304646 1.15334 0.0186234 0.503494 1.36452
0.671135 0.2682 0.0603867 -0.189175 0.474789 0.843552 0.814091 0.62981 0.654739 1.04348 0.788929 0.116364
0.0670776 0.0786591 0.57811 0.599529 0.529251 1.69353 0.587097 0.438652 -0.493126 0.0572548 0.205151 -0.3041
0.661594 0.589603 0.631226 1.00027 0.543297 0.419319 -0.872036 0.184292 1.19506 -0.0562668 0.875511 1.79974
1.40236 0.353554 -0.336548 -0.829391 0.269211 1.40152]] }, { tensor = "float32", shape = {6, 3}, data = [[-0.879997 -0.371365 1.47807 -0.286652 -1.0623 0.115265 -1.40805 0.43652 -0.486248 -1.17416 -2.66486 -0.606007
-0.598186 -0.0484009 -0.378845 -0.670673 -0.429474 1.00749]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.769518 0.630136]] }, n1_loss = { tensor = "float32", shape = {2}, data = [[0.368503 0.36775]] }, n1_m0 = { tensor = "float32", shape = {2}, data = [[0.0466537 0.0467114]] }, n4_loss = { tensor = "float32", shape = {2}, data = [[1.60406 1.04955]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.628597]] }, n1_loss = { tensor = "float32", shape = {}, data = [[0.367148]] }, n1_m0 = { tensor = "float32", shape = {}, data = [[0.0467367]] }, n4_loss = { tensor = "float32", shape = {}, data = [[1.0458]] } } },
    final = { { tensor = "float32", shape = {3, 3}, data = [[-0.156244 0.451137 0.623011 0.482387 0.31115 -0.623304 -0.685511 0.109526 0.217749]] }, { tensor = "float32", shape = {3}, data = [[0.435512 0.248012 0.607386]] }, { tensor = "float32", shape = {9, 3}, data = [[-0.11796 -0.0263651 0.202094 -0.310309 0.331626 -0.202317 0.388558 0.289991 0.105554 0.128843 0.117042 -0.166916
-0.267742 0.0979773 0.264094 0.239376 -0.158872 0.0363043 0.079156 -0.208397 0.388763 -0.0899877 -0.304235
-0.379659 0.261307 -0.330653 0.000897383]] }, { tensor = "float32", shape = {3}, data = [[-0.560535 0.0792155 -0.734831]] } },
  },
  {
    name = "1/43",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "Add", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Concatenate", options = { axis = -1, name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, activation = "sigmoid", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "tversky", options = { alpha = 0.25, beta = 0.75 } } },
    metrics = { { { object = "metric", class = "true_positives", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "binary" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[3 0 0 5 1 0 3 3 5 3 0 0 2 3 0 3 2 1]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 64 64 0 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36 28 5 25 48 -17 -24 -32 -42 32 -14 -41 -19 36 45 -27 41]] }, { tensor = "float32", shape = {8, 1}, scale = 64, data = [[-25 -33 34 46 -23 32 -30 -27]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-33]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.54154 0.289995 0.489467]] }, m0 = { tensor = "float32", shape = {3}, scale = 64, data = [[0 0 0]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.399564]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.109375 0.265625 0.625 0.15625 -0.873076 -0.630962 -0.11881 -0.45622 0.401721 0.101098 0.380499 0.785779
-0.21216 -0.349447 -0.528353 -0.682148 0.5 -0.21875 -0.640625 -0.296875 0.473251 0.695527 -0.389097 0.728642]] }, { tensor = "float32", shape = {8, 1}, data = [[-0.331301 -0.46216 0.428185 0.788687 -0.300051 0.553465 -0.571815 -0.351938]] }, { tensor = "float32", shape = {1}, data = [[-0.390625]] } },
  },
  {
    name = "1/44",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "hard_silu", name = "n0" }, sources = 0, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, activation = "tanh", name = "n2" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "hinge", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.01, clipvalue = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-31 29 -21 -62 -22 16 33 28 -26 41 -8 -48 55 21 -20 58 -5 55 -29 37 -34 49 9 -7]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-55 37 -64 31 -42 -28 -54 -12 -24 -10 9 -53 -17 7 -8 25 53 45 9 -17 -18 1 55 -58]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-64 -64 -64 -64 64 -64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[99 57 59 102 88 35]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31 38 7 -6 5 -3 3 -2 -12]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[20 -43 17 -13]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[61 55 77 47]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[12 -44 -48 40]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[25]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.72912]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.17925]] }, m5 = { tensor = "float32", shape = {1}, data = [[1.19652]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.11745]] }, m0 = { tensor = "float32", shape = {}, data = [[1.26786]] }, m5 = { tensor = "float32", shape = {}, data = [[1.28261]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.72605]] }, m0 = { tensor = "float32", shape = {}, data = [[1.18453]] }, m5 = { tensor = "float32", shape = {}, data = [[1.20178]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.00818532 0.357483 0.0632356 0.606128 0.00916515 0.0813072]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.699101 0.220951 -0.404984 0.248685 -0.251943 -0.717436 0.0638145 -0.48569 0.595064 0.108061 -0.0950645
0.0794395 -0.0428505 0.0481895 -0.0352745 -0.188815]] }, { tensor = "float32", shape = {4}, data = [[0.309825 -0.670561 0.26694 -0.20444]] }, { tensor = "float32", shape = {4}, data = [[0.949101 0.858061 1.20444 0.735689]] }, { tensor = "float32", shape = {4, 1}, data = [[0.151256 -0.56761 -0.621615 0.518204]] }, { tensor = "float32", shape = {1}, data = [[0.38931]] } },
  },
  {
    name = "1/45",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, activity_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n1" }, sources = 2, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n3" }, sources = 4, call = {} } },
    outputs = { 3, 5 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} }, { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { {}, {} },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "regression", "sparse" },
    loss_weights = { 1, 0.25 },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-11 -44 -3 -56 -54 -41 -57 34 2 12 3 16 -46 -16 9 -27 -31 -26 62 -48 39 -2 29 45]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[40 23 -49 -4 39 27 1 -10 -56 59 -32 -8 46 18 -5 0 2 63 -36 35 10 -51 -61 1]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[32 -9 46 -51 3 31 -37 31 -32 -57 -48 -21 -64 -17 4 -27 -27 -31]] }, { tensor = "int32", shape = {6}, data = [[1 2 0 2 1 2]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[40 38 13 44]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[45 64 56 68]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[47 -33 23 -48 37 27 -18 -24 -26 -40 30 -28]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[43 -26 -43]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-7 -14 30 18 -43 -20 -30 38 1 36 -17 44]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[7 15 41]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.28339]] }, n1_loss = { tensor = "float32", shape = {}, data = [[0.916537]] }, n3_loss = { tensor = "float32", shape = {}, data = [[1.33957]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.1533]] }, n1_loss = { tensor = "float32", shape = {}, data = [[0.797219]] }, n3_loss = { tensor = "float32", shape = {}, data = [[1.31245]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.975031]] }, n1_loss = { tensor = "float32", shape = {1}, data = [[0.619641]] }, n3_loss = { tensor = "float32", shape = {1}, data = [[1.33127]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.370938 0.414467 -0.257198 0.478103 -0.352819 -1.05927 0.0532206 -0.2366 -0.530134 0.158695 -0.396251
-0.611103]] }, { tensor = "float32", shape = {4, 3}, data = [[0.578277 0.0481495 0.373573 0.161651 0.139948 0.698401 0.268765 0.0769687 0.654266 0.22478 0.108948 0.666272]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.263768 0.696352 -0.55692 0.0390626 0.587821 -0.0572454 0.423003 0.156556 0.543939 0.25699 0.516628 0.0287448
0.101878 -0.514182 0.202657 0.095751]] }, { tensor = "float32", shape = {4}, data = [[0.580346 0.651027 0.205555 0.71618]] }, { tensor = "float32", shape = {4}, data = [[0.696151 0.980828 0.875294 1.05166]] }, { tensor = "float32", shape = {4, 3}, data = [[0.676079 -0.511987 0.388857 -0.755996 0.551714 0.444661 -0.328982 -0.366812 -0.393941 -0.68091 0.472867
-0.393546]] }, { tensor = "float32", shape = {3}, data = [[0.608214 -0.401654 -0.619167]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.111253 -0.210262 0.461965 0.267917 -0.641308 -0.331554 -0.46778 0.595059 0.0131958 0.553456 -0.25242 0.683331]] }, { tensor = "float32", shape = {3}, data = [[0.0992348 0.251683 0.633061]] } },
  },
  {
    name = "1/46",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "elu", name = "n0" }, sources = 0, call = {} }, { layer = "BatchNormalization", options = { axis = -1, center = false, gamma_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, momentum = 0.8, name = "n1" }, sources = 2, call = {} }, { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", activation = "linear", name = "n2" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, bias_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, kernel_constraint = { object = "constraint", class = "min_max_norm", options = { min_value = 0.3, max_value = 0.7 } }, name = "n3" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = { from_logits = true, label_smoothing = 0.125 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05, gradient_accumulation_steps = 2 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[46 54 56 -28 19 -35 37 38 57 59 1 -27 -35 -15 20 39 10 7 -7 15 21 33 48 -4]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-17 63 9 -46 -54 -61 -36 -44 -52 -16 -24 -2 1 -60 -41 30 -17 -48 -47 -43 -2 19 -19 30]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 0 64 64 0 0 64 0 0 64 0 0 64 0 0]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[42 -28 41 40]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[87 52 49 82]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[15 2 40 -15]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[59 68 61 63]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[17 -34 -35 -5 0 42 -46 15 45 -37 -4 20 -28 19 -2 0]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[20 -46 22 5]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-1 -21 -30 4 30 -12 -38 -9 -30 42 -31 43]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-47 -32 -1]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[-1.37393 -0.38464 -0.250065 -1.19869 -0.811893 -0.127595 -1.14738 -0.498549 -0.0938541 -0.931305 -0.845119
0.0852223 -0.951112 -0.806726 0.0536196 -1.26847 -0.483974 -0.163957]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.30149 1.29196]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.3892]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.46342 -0.238469 -0.106182 -0.0821106 -0.370938 0.480968 -0.385493 0.273886 -0.581452 -0.298057 -0.273332
-0.0881506 -0.315362 0.0971639 -0.0811972 0.520366]] }, { tensor = "float32", shape = {4}, data = [[0.657691 -0.437548 0.640625 0.625]] }, { tensor = "float32", shape = {4}, data = [[1.35378 0.811138 0.762001 1.27464]] }, { tensor = "float32", shape = {4}, data = [[0.202826 -0.20441 0.487462 0.312025]] }, { tensor = "float32", shape = {4}, data = [[0.440119 0.440306 0.420954 0.410262]] }, { tensor = "float32", shape = {4, 4}, data = [[0.268434 -0.530506 -0.548581 -0.0761804 0.00413375 0.660022 -0.719421 0.231721 0.702541 -0.578823 -0.0627711
0.313529 -0.435366 0.297774 -0.0324103 0.00091038]] }, { tensor = "float32", shape = {4}, data = [[0.328024 -0.715962 0.335985 0.0883489]] }, { tensor = "float32", shape = {4, 3}, data = [[0.00075251 -0.301078 -0.350366 0.021617 0.434645 -0.118554 -0.464231 -0.132371 -0.340194 0.522701 -0.439219
0.483913]] }, { tensor = "float32", shape = {3}, data = [[-0.685156 -0.506795 -0.0500567]] } },
  },
  {
    name = "1/47",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Flatten", options = { name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } }, { object = "metric", class = "mean_squared_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[43 -53 45 -5 -42 -37 -14 -10 59 -46 14 13 57 -17 -6 -5 27 46 -60 22 21 -19 -59 -33 -5 -36 50 -35 25 -29 -18 -4 7
44 -30 29 64 -31 -13 -25 -5 -53 50 -9 -20 -19 -16 16 -21 16 26 4 -45 21 20 41 14 60 30 37 15 -56 -25 -8 7 54 38
58 26 -40 33 -60 -39 -42 -58 59 38 14 49 7 35 37 47 -30 59 1 -3 -45 7 24 -44 -51 -16 47 -20 -35 5 44 -29 -30 9
-11 5 32 -16 -40 24 62 51 53 -28 2 -11 -18 57 -44 -24 -30 20 -25 60 -10 -12 59 -23 10 -59 -63 -63 -15 -31 -13
-30 39 -55 16 14 -36 59 42 24 6 -38 62]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[42 -12 -6 -36 52 28 -49 -44 -6 -58 -45 -25 26 64 -10 32 6 25]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[82 53 75 118 102 16]] },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6 -35 21 31 37 43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45 -21
-1 -15 -46 -34 21 -14 18 -15 24 -16 -30 -29 21 -11 24 -24 -22 34 -9 47 -25 28 47 15 -48 7 -1 -2 29 -36 41 40 1
46 7 -19 18 -13 -10]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[32 -27 14]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[-3.1001 -0.17334 0.682129 1.06812 -1.01538 0.0703125 -1.13721 0.963379 -2.07397 0.550537 0.208252 1.11475
0.617188 1.17627 -0.579102 0.80835 -1.61987 2.43164]] } }, { loss = { tensor = "float32", shape = {2}, data = [[2.42748 2.1897]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.695719 0.648833]] }, m1 = { tensor = "float32", shape = {2}, data = [[2.23557 2.04296]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.02434]] }, m0 = { tensor = "float32", shape = {}, data = [[0.615736]] }, m1 = { tensor = "float32", shape = {}, data = [[1.91035]] } } },
    final = { { tensor = "float32", shape = {24, 3}, data = [[-0.255657 0.451912 0.669298 -0.262387 0.690141 -0.593837 -0.0671997 -0.379774 0.21045 -0.304849 -0.705459
0.512326 0.488896 0.191011 0.570441 -0.118374 -0.568863 0.342796 0.458622 0.547346 0.657191 -0.494653 -0.0968305
-0.542126 -0.222752 0.327312 0.338691 0.505537 -0.241453 -0.432347 -0.676061 0.673705 -0.341734 0.00520316
-0.231214 -0.684329 -0.517554 0.29873 -0.235243 0.248894 -0.20984 0.352369 -0.252324 -0.455671 -0.471039 0.35236
-0.145422 0.397074 -0.348665 -0.359172 0.496083 -0.113887 0.706482 -0.385312 0.408284 0.759791 0.260002
-0.721959 0.102625 0.00424243 -0.00497514 0.436076 -0.54642 0.615152 0.610764 -0.0126222 0.691525 0.0745595
-0.266297 0.256448 -0.173129 -0.175509]] }, { tensor = "float32", shape = {3}, data = [[0.51426 -0.443862 0.197991]] } },
  },
  {
    name = "1/48",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Subtract", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = { object = "schedule", class = "piecewise_constant_decay", options = { boundaries = { 1, 2 }, values = { 0.05, 0.02, 0.01 } } } } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[54 14 49 49 -36 -3 -49 -56 -11 60 32 0 41 17 -26 7 18 51 -38 23 29 44 8 -18 59 29 59 47 26 -11 8 -42 -31 -3 -28
-19 -64 49 34 -48 52 64 -25 -10 37 64 -61 13 -40 -23 6 36 -44 -48 58 53 -12 -21 16 -60 -29 54 -29 49 31 -8 1 5
10 -39 -11 -3]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 -64 -64 -64 -64 -64 64 -64 -64 64 64 64 -64 64 -64 64 -64 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {12, 3}, scale = 64, data = [[23 4 38 30 -28 12 10 -27 -3 -47 1 -29 -14 -43 -7 -22 26 46 14 26 36 -7 -6 -43 26 -38 -44 -29 46 -29 31 -28 22 3
-32 -31]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-9 4 -14]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.01886]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.986807]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.998645]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.0138519 -0.0487109 -0.260641 -0.0138519 -0.0487109 -0.260641 -0.0138519 -0.0487109 -0.260641 -0.0138519
-0.0487109 -0.260641]] } } },
    final = { { tensor = "float32", shape = {12, 3}, scale = 64, data = [[23 4 38 30 -28 12 10 -27 -3 -47 1 -29 -14 -43 -7 -22 26 46 14 26 36 -7 -6 -43 26 -38 -44 -29 46 -29 31 -28 22 3
-32 -31]] }, { tensor = "float32", shape = {3}, data = [[-0.0138527 -0.0487495 -0.266796]] } },
  },
  {
    name = "1/50",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activity_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "hard_silu", name = "n1" }, sources = 1, call = {} }, { layer = "PReLU", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { from_logits = true, reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m0", from_logits = true } } } },
    weighted_metrics = { { { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m5", k = 2 } }, { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m6", k = 2 } } } },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-26 -31 25 -27 35 37 64 -57 -6 -29 37 25 50 -55 -16 19 11 8 -18 -50 -45 -2 23 23]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 2 0 0 2 0]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[42 42 33 28 42 29 -3 7 0 -17 -6 37 -46 47 34 -46]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[4 -48 37 -36]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-7 34 21 -41 12 -45 46 -27 39 26 13 16 16 29 41 -36]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-25 9 29 4]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-25 6 26 42]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-31 17 40 28 47 -27 15 -22 30 37 -8 35]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.680391 0.543554 0.0792468 0.805027 1.2441 -0.620312 0.625395 0.125198 0.382152 0.47271 0.130155 0.299066
0.441158 0.781452 -0.35923 0.671215 0.0246176 0.574691]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.48581 0.64707]] }, m0 = { tensor = "float32", shape = {2}, data = [[1.18608 0.561531]] }, m5 = { tensor = "float32", shape = {2}, data = [[0.444444 1]] }, m6 = { tensor = "float32", shape = {2}, data = [[0.444444 1]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.184114]] }, m0 = { tensor = "float32", shape = {}, data = [[0.134867]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.537336 1.11344 0.274777 0.390922 0.554225 0.953531 -0.27208 0.118781 -0.310215 0.13342 -0.276341 0.37049
-0.516578 0.0487997 0.848025 -0.717334]] }, { tensor = "float32", shape = {4}, data = [[-0.303878 -0.111151 0.35786 -0.701828]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.304557 -0.0845169 0.926894 -0.783254 0.242431 -0.0971794 0.227968 -0.885698 0.534398 0.222598 0.254943
0.512358 0.181533 -0.00388118 0.89677 -0.825496]] }, { tensor = "float32", shape = {4}, data = [[-0.538632 -0.487412 1.12803 0.527258]] }, { tensor = "float32", shape = {4}, data = [[-0.535869 0.0985045 0.398381 0.570803]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.490019 0.155832 0.740045 0.0658075 0.179002 0.196872 -0.161673 -0.659963 1.06417 1.28656 -0.48519 0.0286399]] } },
  },
  {
    name = "1/54",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "GlobalMaxPooling1D", options = { keepdims = false, name = "n0" }, sources = 0, call = {} }, { layer = "ELU", options = { alpha = 0.7, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "log_softmax", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activation = "sigmoid", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "tversky", options = { alpha = 0.25, beta = 0.75 } } },
    metrics = { { { object = "metric", class = "sensitivity_at_specificity", options = { name = "m0", specificity = 0.5, num_thresholds = 20 } } } },
    weighted_metrics = { { { object = "metric", class = "false_negatives", options = { name = "m5" } }, { object = "metric", class = "recall", options = { name = "m6", thresholds = 0.25 } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = { object = "schedule", class = "inverse_time_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } }, global_clipnorm = 0.5 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-58 23 62 47 -36 -64 22 55 -4 22 0 19 -45 35 61 12 50 49 37 43 -29 23 -36 17 -39 42 -40 37 62 -12 -61 -39 -16
-11 -2 4 -8 33 -43 -16 9 46 32 37 15 -50 -23 14 55 -37 35 -61 -11 -31 -46 40 38 -1 -10 8 8 12 -15 -33 -63 37 39
-47 -25 62 21 4]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 0 64 64 0 0]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[40 38 13 44]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-29 1 -13 6]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.527661]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.526845]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.526202]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.630598 0.663504 0.715878 0.65168 0.715383 0.645656]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.296011 0.745239 -0.558895 0.0631385 0.588246 -0.0148849 0.418292 0.140552 0.544226 0.278455 0.481296
0.0298539 0.123776 -0.527046 0.216919 0.062274]] }, { tensor = "float32", shape = {4}, data = [[0.623752 0.594558 0.202519 0.688546]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.458757 0.0133698 -0.211458 0.091144]] } },
  },
  {
    name = "1/56",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = false, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "r2_score", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = { object = "schedule", class = "inverse_time_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } } } },
    tasks = { "regression" },
    x = { { tensor = "int32", shape = {6, 3}, data = [[3 0 5 1 1 0 2 2 4 4 5 5 3 3 5 1 2 4]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[50 7 37 -21 46 -32 60 -54 6 49 -46 -34 -36 -43 44 -55 21 11]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6 -35 21 31 37 43 -30 -4 -37]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-16 23 23 34 -14 -29 -42 45 -21 -1 -15 -46 -34 21 -14 18]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-15 24 -16 -30 -29 21 -11 24 -24 -22 34 -9]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[47 -25 28]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.808695 -0.481871 0.452089 0.651477 -0.394693 0.355797 0.584576 -0.401855 0.513767 0.674447 -0.415052 0.396292
0.689548 -0.458056 0.446276 0.608023 -0.428977 0.465246]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.218341 0.21198]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.71593 0.703196]] }, m1 = { tensor = "float32", shape = {2}, data = [[-0.381666 -0.33421]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.205106]] }, m0 = { tensor = "float32", shape = {}, data = [[0.689435]] }, m1 = { tensor = "float32", shape = {}, data = [[-0.279767]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.277939 0.423153 0.663934 -0.237425 0.727494 -0.624095 -0.111835 -0.412295 0.188478 -0.282153 -0.689928
0.545172 0.52013 0.170372 0.59009 -0.0913283 -0.545135 0.327076 0.480318 0.575727 0.673632 -0.470376 -0.0650411
-0.578982]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.241541 0.36343 0.36734 0.542288 -0.224439 -0.451988 -0.66251 0.696772 -0.324556 -0.0127561 -0.231663 -0.71312
-0.535894 0.327189 -0.222789 0.274455]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.232881 0.376495 -0.250923 -0.476201 -0.450953 0.322229 -0.18367 0.381017 -0.382772 -0.33919 0.526003
-0.139333]] }, { tensor = "float32", shape = {3}, data = [[0.688001 -0.369009 0.403934]] } },
  },
  {
    name = "1/61",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "LayerNormalization", options = { axis = -1, scale = false, name = "n0" }, sources = 0, call = {} }, { layer = "ActivityRegularization", options = { l1 = 0.01, l2 = 0.02, name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n2" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adadelta", options = { epsilon = 0.01, learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[63 -47 48 -55 27 22 -10 15 -5 35 -42 -16 26 58 22 61 34 47 -50 -18 -2 20 4 -58]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[58 -39 -4 -42 62 -5 -14 -10 22 -19 3 34 8 29 -26 -41 -22 7 52 52 35 48 -26 1]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 0 64 0 0 64 0 0 64 0 0 0 64 0 0 64]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[-7 17 40 10]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-48 -41 -9 -36 28 5 25 48 -17 -24 -32 -42]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.73963 1.44552 1.73408]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.12638]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[-0.110152 0.266869 0.626854 0.156475]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.749404 -0.641029 -0.140819 -0.564487 0.440446 0.0766358 0.39183 0.745771 -0.262418 -0.375778 -0.496348
-0.659079]] } },
  },
  {
    name = "1/64",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "GaussianDropout", options = { rate = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Cropping2D", options = { cropping = 1, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m5" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[53 48 -16 2 2 61 -33 17 54 35 11 -49 61 -34 47 -28 -20 6 60 -62 54 24 30 54 64 22 6 55 -3 44 -9 -28 47 35 37 42
37 -13 55 24 -20 1 38 -36 41 -39 35 21 -47 40 52 8 -14 -56 -60 3 31 -7 -48 26 -50 56 38 12 31 -13 56 0 -45 -14
-6 -20 -9 -3 -44 40 -13 56 -22 -7 39 54 -57 -41 29 -17 15 -42 28 27 35 53 -27 33 -11 -6 59 23 -14 38 19 -55 36
-56 8 38 -30 -55 -1 -40 38 -62 47 30 22 29 -63 29 51 -54 48 1 10 46 -11 13 -52 35 16 14 -62 14 55 49 -54 -24 -44
-32 -31 -24 -1 28 33 56 -21 51 -59 37 -29 -64 39 3 44 -24 64 35 -52 -39 10 11 -62 41 -10 60 -1 -64 64 47 -59 42
-47 52 2 33 43 30 11 -54 -16 57 -44 -55 -36 19 -64 -29 62 -42 -34 34 1 55]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[43 19 -50 -51 4 -16]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[100 83 21 91 46 71]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    steps_per_execution = 3,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {8, 1}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-37]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.755614]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.704261]] }, m6 = { tensor = "float32", shape = {1}, data = [[1.20288]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.06626]] }, m5 = { tensor = "float32", shape = {}, data = [[0.925297]] }, m6 = { tensor = "float32", shape = {}, data = [[1.53105]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.702887]] }, m5 = { tensor = "float32", shape = {}, data = [[0.655118]] }, m6 = { tensor = "float32", shape = {}, data = [[1.14141]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-1.45574 -1.05692 -0.709703 0.504833 0.196344 0.0178922]] } } },
    final = { { tensor = "float32", shape = {8, 1}, data = [[-0.444617 -0.259472 -0.0884175 -0.103075 -0.352443 0.460111 -0.367439 0.26743]] }, { tensor = "float32", shape = {1}, data = [[-0.562581]] } },
  },
  {
    name = "1/65",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Flatten", options = { name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "softmax", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-63 -19 41 -43 14 -32 -16 -49 -61 43 3 -53 -5 64 30 24 -9 -47 15 -17 9 -39 62 21 49 6 34 1 4 46 45 -49 27 -47
-23 -3 -36 -41 1 3 40 -2 -7 4 -56 -14 58 -43 -44 13 37 -13 -24 38 -60 -39 22 -48 -26 24 -44 -55 -20 -8 64 -57
-13 -11 -62 -27 -61 41 63 -3 -54 17 -32 -41 10 59 60 13 -14 -62 -31 -9 -5 51 -10 20 40 18 -8 21 9 27 -11 -42 38
46 12 -36 2 -49 20 3 45 41 -64 -19 49 -2 -26 52 11 40 -44 -64 -38 62 47 -35 51 1 -19 48 64 55 -17 28 -6 -60 27
-13 8 -11 -61 48 12 -15 42 -13 59 6]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 64 0 0 0 64 0 0 0 64 64 0 0 0 0 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6 -35 21 31 37 43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45 -21
-1 -15 -46 -34 21 -14 18 -15 24 -16 -30 -29 21 -11 24 -24 -22 34 -9 47 -25 28 47 15 -48 7 -1 -2 29 -36 41 40 1
46 7 -19 18 -13 -10]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[32 -27 14]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.923481]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.757555]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.553738]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.930229 0.0095507 0.0602199 0.424307 0.045218 0.530475 0.644249 0.0993233 0.256428 0.164759 0.210684 0.624557
0.664191 0.105037 0.230772 0.321742 0.0953133 0.582945]] } } },
    final = { { tensor = "float32", shape = {24, 3}, data = [[-0.206908 0.229968 0.737806 -0.184411 0.713348 -0.613638 0.0137829 -0.284982 0.0209302 -0.166481 -0.674198
0.473709 0.525487 0.095235 0.494635 -0.0585949 -0.417887 0.223814 0.463316 0.375755 0.736606 -0.630626 -0.131654
-0.226333 -0.124858 0.315945 0.222429 0.375837 -0.274728 -0.20121 -0.565701 0.602475 -0.265562 0.136837
-0.0778789 -0.885532 -0.629266 0.205361 0.0414982 0.165199 -0.268057 0.468502 -0.13014 -0.460504 -0.416125
0.276836 -0.154592 0.353258 -0.229783 -0.135952 0.247751 -0.0611736 0.533844 -0.211719 0.361992 0.624575
0.253323 -0.620547 0.0232715 -0.0413717 -0.158796 0.277345 -0.234991 0.498651 0.523961 0.0962578 0.683792
-0.0864607 -0.123319 0.196517 -0.0959026 -0.121671]] }, { tensor = "float32", shape = {3}, data = [[0.582001 -0.379734 0.0986605]] } },
  },
  {
    name = "1/67",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RepeatVector", options = { n = 3, name = "n0" }, sources = 0, call = {} }, { layer = "Permute", options = { dims = { 2, 1 }, name = "n1" }, sources = 2, call = {} }, { layer = "SimpleRNN", options = { units = 4, use_bias = false, return_sequences = true, go_backwards = true, name = "n2" }, sources = 3, call = {} }, { layer = "MultiHeadAttention", options = { num_heads = 2, key_dim = 2, use_bias = false, name = "n3" }, sources = 4, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n4" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 1, name = "n5" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "binary_crossentropy", options = { from_logits = true, label_smoothing = 0.125 } } },
    metrics = { { { object = "metric", class = "binary_crossentropy", options = { name = "m0", from_logits = true } }, { object = "metric", class = "binary_crossentropy", options = { name = "m1", from_logits = true } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-24 -50 56 37 1 41 -63 41 -62 -21 -47 14 -24 44 42 -14 42 46 62 -53 52 60 43 -22]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-23 -32 -52 31 8 62 18 -47 48 -13 47 -54 58 9 34 31 31 12 49 -61 30 30 -27 24]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 0 0 0 64 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[87 70 70 106 75 101]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {3, 4}, scale = 64, data = [[4 40 3 -26 -8 31 37 -30 -42 -8 -19 -35]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-20 -4 9 -39 -28 -11 19 45 -36 39 2 10 -35 -5 -6 35]] }, { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[40 39 -41 43 35 -6 28 -24 -9 14 2 35 -9 -31 -5 -12]] }, { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[0 -2 15 -19 37 24 -19 48 -36 -3 23 43 -10 -12 -18 -47]] }, { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[-43 -17 -21 -45 -25 24 36 41 42 20 -2 18 -34 -5 32 14]] }, { tensor = "float32", shape = {2, 2, 4}, scale = 64, data = [[44 -40 -24 -2 -22 46 -47 -42 -1 -42 -26 39 -15 -16 30 -47]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-19 12 39 46]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-6]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.849407 1.35396 0.847212]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.662079 1.01313 0.65857]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.662079 1.01313 0.65857]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.996807]] }, m0 = { tensor = "float32", shape = {}, data = [[0.760844]] }, m1 = { tensor = "float32", shape = {}, data = [[0.760844]] } } },
    final = { { tensor = "float32", shape = {3, 4}, data = [[0.0782887 0.624295 0.0321818 -0.401279 -0.109211 0.48367 0.563432 -0.463779 -0.640461 -0.125705 -0.311568
-0.541904]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.318732 -0.0637307 0.138428 -0.619715 -0.43072 -0.167 0.299742 0.714742 -0.558378 0.616037 0.0382406 0.162996
-0.554883 -0.0818939 -0.0965906 0.533827]] }, { tensor = "float32", shape = {4, 2, 2}, data = [[0.632419 0.618278 -0.640705 0.678872 0.544512 -0.0984986 0.437373 -0.381056 -0.13911 0.218977 0.0313462 0.543536
-0.128323 -0.469052 -0.0776354 -0.177123]] }, { tensor = "float32", shape = {4, 2, 2}, data = [[0.00289218 -0.0293429 0.244418 -0.303278 0.570175 0.363076 -0.304732 0.755404 -0.572736 -0.0553938 0.350752
0.675736 -0.153748 -0.175821 -0.276473 -0.73944]] }, { tensor = "float32", shape = {4, 2, 2}, data = [[-0.655708 -0.24861 -0.334094 -0.691959 -0.404607 0.360384 0.5691 0.629782 0.651188 0.307718 -0.0282705 0.276345
-0.511247 -0.0573321 0.491101 0.234069]] }, { tensor = "float32", shape = {2, 2, 4}, data = [[0.669929 -0.610177 -0.352859 -0.00806168 -0.357035 0.730178 -0.717895 -0.638968 -0.0188424 -0.653192 -0.403756
0.611472 -0.247042 -0.238912 0.48407 -0.718387]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.281655 0.175704 0.595063 0.701514]] }, { tensor = "float32", shape = {1}, data = [[-0.094678]] } },
  },
  {
    name = "1/68",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "PReLU", options = { name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, name = "n1" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "log_cosh", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "piecewise_constant_decay", options = { boundaries = { 1, 2 }, values = { 0.05, 0.02, 0.01 } } } } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-23 27 15 56 43 47 -25 -63 21 -52 -46 49 33 -28 -22 32 39 -28 -62 -6 13 52 24 14]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-58 34 1 -55 -33 -40 60 -60 48 33 5 58 -50 -20 5 -41 11 49 -38 -1 -23 -15 -9 57]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[26 -21 53 10 -47 -42]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[124 106 120 124 22 52]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 3,
    steps_per_execution = 3,
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[3 35 19 -11]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-30 48 -44 -17]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.60164]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.275037]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.29794]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.94218]] }, m0 = { tensor = "float32", shape = {}, data = [[0.261824]] }, m5 = { tensor = "float32", shape = {}, data = [[0.262236]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.34969]] }, m0 = { tensor = "float32", shape = {}, data = [[0.242473]] }, m5 = { tensor = "float32", shape = {}, data = [[0.253002]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-0.0576435 0.271611 -0.385714 -0.37869 -0.161647 0.132245]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[0.0849681 0.506827 0.33444 -0.211378]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.41981 0.674837 -0.764826 -0.201032]] } },
  },
  {
    name = "1/70",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "AlphaDropout", options = { rate = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Multiply", options = { name = "n1" }, sources = { 1, 0 }, call = {} }, { layer = "Minimum", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.05, global_clipnorm = 0.5, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[14 -18 -39 -14 32 31 -13 -1 -20 42 30 19 46 -5 -2 53 38 20 -10 33 14 -15 -42 -55 31 36 23 -52 24 -63 -57 42 38
-43 -37 -59 -8 8 4 50 31 43 34 32 55 45 19 46 19 -25 1 -15 -28 7 14 6 48 54 -17 45 16 7 55 43 22 3 10 -18 52 46
-17 1 34 44 59 -59 -63 11 -38 -57 10 -34 56 31 -43 37 13 1 -48 -55 -41 -16 40 31 53 -52 61 35 27 -37 38 -21 30
-37 1 -25 5 44 -15 59 -3 42 31 -55 -25 -5 -47 16 57 16 -43 -35 30 61 -10 -31 20 -47 45 -17 -22 3 62 43 44 35 -25
-42 18 33 -6 -17 -62 -33]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-61 -56 44 -27 6 15 9 -43 0 46 9 19 -39 7 32 -64 36 -58]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[75 121 119 102 20 120]] },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36 28 5 25 48 -17 -24 -32 -42 32 -14 -41 -19 36 45 -27 41 -25 -33 34 46 -23 32 -30 -27
-33 47 -15 -13 -31 44 35 -16 -29 -37 -44 -23 -14 -30 -39 32 10 9 11 -29 -33 -48 -24 43 8 26 36 25 -20 -23 24 24
23 -46 46 -37 -25 -17 5 46]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-29 -5 -45]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.561707]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.312224]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.162805]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.192539 0.0358502 0.64149 -0.056232 0.223743 0.425433 0.119082 -0.67601 -0.196459 0.527203 -0.588236 0.195581
0.437818 -0.939775 -0.665619 0.0279684 0.231012 0.80821]] } } },
    final = { { tensor = "float32", shape = {24, 3}, data = [[-0.002509 0.382026 0.610761 0.274379 -0.624659 -0.63151 -0.0183652 -0.43857 0.51592 0.204935 0.522563 0.700847
-0.138323 -0.24785 -0.409885 -0.565635 0.620149 -0.327145 -0.528425 -0.168794 0.467887 0.829246 -0.294728
0.634383 -0.285723 -0.396369 0.527533 0.830339 -0.232917 0.553422 -0.345326 -0.293928 -0.47463 0.848661
-0.103836 -0.290168 -0.389298 0.795747 0.627302 -0.148913 -0.352189 -0.523523 -0.574911 -0.242573 -0.13
-0.384723 -0.504694 0.436126 0.269595 0.264839 0.225515 -0.329115 -0.387598 -0.766144 -0.260717 0.791793
0.103814 0.47445 0.651488 0.345409 -0.191228 -0.22686 0.325346 0.490423 0.486968 -0.748336 0.834468 -0.455082
-0.309305 -0.160032 0.20523 0.709295]] }, { tensor = "float32", shape = {3}, data = [[-0.332067 0.0589726 -0.6471]] } },
  },
  {
    name = "1/71",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Maximum", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "MultiHeadAttention", options = { num_heads = 2, key_dim = 2, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "cosine_similarity", options = {} } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "cosine_similarity", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[63 9 59 -19 0 0 0 0 0 0 0 0 -37 -60 -51 18 41 -59 54 5 0 0 0 0 6 22 -19 -48 -57 -25 59 -61 -1 -53 -34 -55 -6 3
60 -18 0 0 0 0 0 0 0 0 35 17 28 33 -59 40 11 47 0 0 0 0 -61 53 -2 -2 -52 -41 -54 46 50 -20 -56 -33]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-22 28 -8 38 -10 -29 35 52 35 -1 6 2 10 50 16 -58 -42 -23]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31 38 7 -6 5 -3 3 -2 -12]] }, { tensor = "float32", shape = {2, 2}, scale = 64, data = [[20 -43 17 -13]] }, { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[-5 -14 19 -25 12 -44 -48 40 25 3 35 -37 17 -35 28 -5]] }, { tensor = "float32", shape = {2, 2}, scale = 64, data = [[-42 0 30 28]] }, { tensor = "float32", shape = {4, 2, 2}, scale = 64, data = [[-27 -45 18 -22 -47 34 33 41 32 6 22 -23 16 23 11 -45]] }, { tensor = "float32", shape = {2, 2}, scale = 64, data = [[25 15 19 -31]] }, { tensor = "float32", shape = {2, 2, 4}, scale = 64, data = [[32 -4 24 17 12 36 -45 26 -15 23 22 22 31 -5 -35 -21]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-44 34 -19 10]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-4 14 -31 -25 -26 46 46 31 -36 -1 43 -40 8 48 -6 -27 -16 2 24 27 -5 -43 -5 -2 -47 38 -34 43 9 17 -48 30 45 -10
-8 -8]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[24 47 -39]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.100878 -0.00445771 -0.377995]] }, m5 = { tensor = "float32", shape = {3}, data = [[-0.100878 0.00445771 0.377995]] } }, { loss = { tensor = "float32", shape = {}, data = [[-0.448733]] }, m5 = { tensor = "float32", shape = {}, data = [[0.448733]] } } },
    final = { { tensor = "float32", shape = {4, 2, 2}, data = [[-0.707456 0.220376 -0.405354 0.249243 -0.251088 -0.719097 0.0622109 -0.484161 0.591361 0.11252 -0.0933648
0.0779716 -0.044331 0.0410468 -0.0313338 -0.187449]] }, { tensor = "float32", shape = {2, 2}, data = [[0.316917 -0.67061 0.265166 -0.203237]] }, { tensor = "float32", shape = {4, 2, 2}, data = [[-0.0843886 -0.211107 0.29662 -0.39045 0.188128 -0.688495 -0.749313 0.624445 0.397403 0.0418032 0.547325
-0.578397 0.265271 -0.548879 0.437056 -0.0777038]] }, { tensor = "float32", shape = {2, 2}, data = [[-0.65625 6.33338e-10 0.46875 0.4375]] }, { tensor = "float32", shape = {4, 2, 2}, data = [[-0.427958 -0.706983 0.280991 -0.343913 -0.728796 0.536397 0.519082 0.638462 0.516849 0.0739997 0.354973
-0.375428 0.235697 0.37647 0.167465 -0.695308]] }, { tensor = "float32", shape = {2, 2}, data = [[0.447315 0.201599 0.311378 -0.498028]] }, { tensor = "float32", shape = {2, 2, 4}, data = [[0.531425 -0.0689326 0.41129 0.27159 0.210486 0.566337 -0.687776 0.416242 -0.209923 0.359124 0.374574 0.351041
0.454558 -0.0713459 -0.577165 -0.339864]] }, { tensor = "float32", shape = {4}, data = [[-0.630673 0.51832 -0.23975 0.174052]] }, { tensor = "float32", shape = {12, 3}, data = [[-0.0591348 0.180763 -0.497633 -0.402029 -0.362647 0.737089 0.728315 0.494443 -0.559595 -0.0241009 0.709665
-0.609831 0.130597 0.713425 -0.10748 -0.431567 -0.20555 0.0515716 0.38293 0.423992 -0.077245 -0.677986
-0.0403582 -0.014234 -0.728939 0.558131 -0.543273 0.663978 0.182052 0.283129 -0.74449 0.471976 0.70376 -0.160915
-0.0903693 -0.110374]] }, { tensor = "float32", shape = {3}, data = [[0.369438 0.782571 -0.592714]] } },
  },
  {
    name = "1/74",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 3, name = "n0" }, sources = 0, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "exponential" } }, name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n2" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "hinge", options = { name = "m5" } }, { object = "metric", class = "hinge", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "cosine_decay", options = { initial_learning_rate = 0.05, decay_steps = 5 } } } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[7 59 64 -17 -23 22 43 20 19 -35 41 4 -3 -27 39 -22 11 -57 -53 -36 -6 39 -19 -10]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[48 17 31 63 24 15 13 -30 -28 -45 56 -17 -57 -22 58 -6 -19 50 36 -21 22 -14 -64 18]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 64 64 -64 64 64 64 64 -64 64 -64 64 -64 -64 -64 64 64 -64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[33 11 38]] }, { tensor = "float32", shape = {3, 4}, scale = 64, data = [[-6 -35 21 31 37 43 -30 -4 -37 -16 23 23]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[34 -14 -29 -42]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[45 -21 -1 -15]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-46 -34 21 -14 18 -15 24 -16 -30 -29 21 -11]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[24 -24 -22]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.22902]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.22902]] }, m1 = { tensor = "float32", shape = {1}, data = [[1.22902]] }, m5 = { tensor = "float32", shape = {1}, data = [[1.22902]] }, m6 = { tensor = "float32", shape = {1}, data = [[1.22902]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.30182]] }, m0 = { tensor = "float32", shape = {}, data = [[1.30182]] }, m1 = { tensor = "float32", shape = {}, data = [[1.30182]] }, m5 = { tensor = "float32", shape = {}, data = [[1.30182]] }, m6 = { tensor = "float32", shape = {}, data = [[1.30182]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.13093]] }, m0 = { tensor = "float32", shape = {}, data = [[1.13093]] }, m1 = { tensor = "float32", shape = {}, data = [[1.13093]] }, m5 = { tensor = "float32", shape = {}, data = [[1.13093]] }, m6 = { tensor = "float32", shape = {}, data = [[1.13093]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.792394 -0.725292 -0.431863 -0.339811 -0.634732 -0.703871 0.151044 -0.54343 -0.870726 -0.178734 -0.588419
-0.788698 -0.363857 -0.577044 -0.761363 -0.840024 -0.751774 -0.381729]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.275573 0.406838 0.682575 -0.240502 0.716285 -0.611861 -0.10885 -0.410089 0.178709 -0.284029 -0.676007
0.541335]] }, { tensor = "float32", shape = {3}, data = [[0.519312 0.119901 0.641183]] }, { tensor = "float32", shape = {3, 4}, data = [[-0.106801 -0.38605 0.263975 0.332632 0.352548 0.486201 -0.333783 -0.0283885 -0.443572 -0.181287 0.307821
0.223729]] }, { tensor = "float32", shape = {1, 4}, data = [[0.506379 0.614949 -0.505102 -0.332099]] }, { tensor = "float32", shape = {4}, data = [[0.597748 -0.325483 0.0038858 -0.257551]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.684071 -0.464396 0.343021 -0.201406 0.308958 -0.241329 0.440126 -0.217239 -0.475022 -0.406165 0.349543
-0.183931]] }, { tensor = "float32", shape = {3}, data = [[0.410086 -0.345067 -0.348891]] } },
  },
  {
    name = "1/76",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "ELU", options = { alpha = 0.7, name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Dot", options = { axes = 2, normalize = false, name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "MultiHeadAttention", options = { num_heads = 2, key_dim = 2, value_dim = 3, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n4" }, sources = 0, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "kl_divergence", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-15 -10 7 34 -32 58 63 -61 46 -25 -52 -28 56 9 -35 18 -28 2 -44 -9 -11 53 28 54]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[65 21 97 20 111 101 35 72 42 88 44 51 25 80 20 66 56 112]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[4 40 3 -26 -8 31 37 -30 -42 -8 -19 -35]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-20 -4 9]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.659229]] }, m0 = { tensor = "float32", shape = {1}, data = [[61.7063]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.479447]] }, m0 = { tensor = "float32", shape = {}, data = [[53.8349]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.623096]] }, m0 = { tensor = "float32", shape = {}, data = [[61.6353]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.57852 0.520951 0.560299 0.686525 0.430266 0.954376 0.473145 1.27342 1.14295 0.425475 1.06671 0.955373 0.399228
0.714628 1.0875 0.481542 0.404672 0.609626]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.0680692 0.613668 0.0441574 -0.398754 -0.110576 0.497446 0.573129 -0.461038 -0.646092 -0.115265 -0.298931
-0.540814]] }, { tensor = "float32", shape = {3}, data = [[-0.291919 -0.0445565 0.15996]] } },
  },
  {
    name = "1/79",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RepeatVector", options = { n = 3, name = "n0" }, sources = 0, call = {} }, { layer = "Reshape", options = { target_shape = { 2, -1 }, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } }, { object = "metric", class = "mean_squared_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-28 32 61 57 -16 -39 54 -19 -40 -49 -23 9 -14 63 -44 -39 -21 21 25 -42 19 -63 50 25]] } },
    y = { { tensor = "float32", shape = {6, 2, 1}, scale = 64, data = [[56 60 -49 -8 -7 10 -32 -34 -23 39 52 -57]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[38 44 34 18 42 -28]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.65609 0.632763 0.648552]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.613464 0.607375 0.606591]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.488717 0.887497 0.47992]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.635072]] }, m0 = { tensor = "float32", shape = {}, data = [[0.599203]] }, m1 = { tensor = "float32", shape = {}, data = [[0.601797]] } } },
    final = { { tensor = "float32", shape = {6, 1}, data = [[0.581309 0.682339 0.526944 0.289778 0.643809 -0.442661]] } },
  },
  {
    name = "1/80",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 2, activation = "selu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, kernel_constraint = { object = "constraint", class = "min_max_norm", options = { min_value = 0.3, max_value = 0.7 } }, activation = "celu", name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_error", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "cosine_similarity", options = { name = "m5" } }, { object = "metric", class = "r2_score", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-52 -23 2 31 33 -44 49 23 52 -47 29 26 2 49 6 17 13 -27 -20 53 24 -21 55 -49]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[6 5 43 31 40 42 54 54 -35 -3 16 -43 -49 -45 56 -19 35 -41]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 2}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[38 7]] }, { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-6 5 -3 3 -2 -12 20 -43]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[17 -13 -5 -14]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[19 -25 12 -44 -48 40 25 3 35 -37 17 -35]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[28 -5 -42]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.216755 -0.0988635 -0.905834 0.186133 -0.0833443 -0.98938 0.353773 -0.0877711 -0.890479 0.757699 -0.100457
-0.620417 0.520506 -0.101068 -0.748979 0.579821 -0.0977616 -0.742623]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.747727 0.727069]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.69665 0.688582]] }, m5 = { tensor = "float32", shape = {2}, data = [[-0.159288 -0.187101]] }, m6 = { tensor = "float32", shape = {2}, data = [[-1.122 -1.0945]] }, val_loss = { tensor = "float32", shape = {2}, data = [[0.72799 0.712001]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[0.689231 0.684578]] }, val_m5 = { tensor = "float32", shape = {2}, data = [[-0.185374 -0.189551]] }, val_m6 = { tensor = "float32", shape = {2}, data = [[-1.09426 -1.05719]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.712001]] }, m0 = { tensor = "float32", shape = {}, data = [[0.684578]] }, m5 = { tensor = "float32", shape = {}, data = [[-0.189551]] }, m6 = { tensor = "float32", shape = {}, data = [[-1.05719]] } } },
    final = { { tensor = "float32", shape = {4, 2}, data = [[-0.702664 0.217351 -0.406499 0.248259 -0.249552 -0.719221 0.0624471 -0.481497]] }, { tensor = "float32", shape = {2}, data = [[0.596235 0.105988]] }, { tensor = "float32", shape = {2, 4}, data = [[-0.284263 0.131171 -0.0418971 0.0415761 -0.0958894 -0.27912 0.308368 -0.667652]] }, { tensor = "float32", shape = {4}, data = [[0.262822 -0.186204 -0.0731163 -0.221725]] }, { tensor = "float32", shape = {4, 3}, data = [[0.295258 -0.388193 0.190033 -0.686076 -0.750429 0.625093 0.392133 0.0451727 0.541808 -0.576004 0.266976
-0.543893]] }, { tensor = "float32", shape = {3}, data = [[0.423819 -0.070526 -0.633757]] } },
  },
  {
    name = "1/82",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Minimum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "kl_divergence", options = {} } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adadelta", options = { epsilon = 0.01, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[22 -19 11 47 18 62 -51 -5 33 -41 -52 25 -49 -2 7 -16 32 37 13 -35 6 -57 -23 12 -26 -35 -3 -62 -62 -39 -29 -20
-30 -20 -56 29 -27 -35 -55 -41 -8 19 -60 -5 -50 19 37 -26 -54 60 39 -27 20 -3 10 -47 -17 8 58 62 -15 29 -34 44
37 38 48 -35 -17 -54 5 -17 63 53 62 20 -8 44 43 -7 17 -63 -24 -43 -8 62 40 -49 5 -38 17 33 -12 2 35 33 -34 19 60
9 -13 32 62 -60 -25 62 -53 36 50 -10 26 -11 -5 56 -17 -55 -20 -35 44 -59 46 -29 -47 25 -10 -56 22 46 12 45 -8 26
-2 -30 24 -27 -61 35 -13 61 -14 -58 38 -15]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[30 106 82 19 19 38 22 107 48 88 107 11 15 85 124 22 86 41]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[91 42 29 72 37 42]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    rematerialize = 4,
    weights = { { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33 42 -28 41 40 34 -18 -23 27 15 2 40 -15 -7 6 -5 -1 17 -34
-35 -5 0 42 -46 15 45 -37 -4 20 -28 19 -2 0 20 -46 22 5 -1 -21 -30 4 30 -12 -38 -9 -30 42 -31 43 -47 -32 -1 -25
-33 47 -18 5]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.409835]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.543013]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.141012]] }, m0 = { tensor = "float32", shape = {}, data = [[0.060053]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.368716]] }, m0 = { tensor = "float32", shape = {}, data = [[0.502382]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.400218 0.866992 0.754381 1.00326 0.127226 0.525031 0.441855 0.885742 1.37934 1.12667 1.31926 0.350924 0.596148
2.44576 0.158455 0.113499 0.321143 1.10957]] } } },
    final = { { tensor = "float32", shape = {24, 3}, data = [[-0.466678 -0.230147 -0.107629 -0.0793876 -0.37895 0.481978 -0.389149 0.28115 -0.569047 -0.291518 -0.258369
-0.0868433 -0.310672 0.0951382 -0.0796488 0.520657 0.660913 -0.423816 0.637288 0.617349 0.526539 -0.282318
-0.359524 0.414342 0.237467 0.0364312 0.627981 -0.235915 -0.113005 0.0882444 -0.0834068 -0.0244967 0.247486
-0.52558 -0.535382 -0.0697787 -0.00476487 0.64544 -0.725465 0.233645 0.700438 -0.579498 -0.0613007 0.312105
-0.43581 0.295108 -0.0356023 -0.00795883 0.314567 -0.716549 0.349191 0.0851265 -0.0028629 -0.31623 -0.466947
0.0643771 0.466803 -0.190837 -0.596808 -0.151415 -0.469354 0.653313 -0.488276 0.661976 -0.752182 -0.512787
-0.0158778 -0.389808 -0.513005 0.733719 -0.282319 0.0748955]] } },
  },
  {
    name = "1/83",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Multiply", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Concatenate", options = { axis = 1, name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, name = "n3" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n4" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5 } } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-28 59 -8 58 -62 39 51 12 32 62 54 -36 11 -46 62 -26 -63 -9 -31 -2 56 64 23 -20]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[2 38 -18 16 -10 13 33 58 16 -15 46 27 -36 21 -20 -48 -59 57]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {8, 4}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6 -35 21 31 37 43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-21 -1 -15 -46]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-34]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.49979 0.22182 0.277493]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.31146 0.756727 0.876676]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.207991]] }, m0 = { tensor = "float32", shape = {}, data = [[0.724465]] } } },
    final = { { tensor = "float32", shape = {8, 4}, data = [[-0.390652 0.378165 0.571229 -0.356255 0.633389 -0.653437 -0.174561 -0.49547 0.0897839 -0.323736 -0.779225
0.442708 0.43255 0.147702 0.517069 -0.184837 -0.656277 0.284415 0.383728 0.456245 0.586514 -0.497187 -0.143311
-0.667345 -0.347716 0.316889 0.26765 0.427083 -0.301825 -0.477298 -0.732931 0.612038]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.259844 -0.0881933 -0.149202 -0.592664]] }, { tensor = "float32", shape = {1}, data = [[-0.419095]] } },
  },
  {
    name = "1/84",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Activation", options = { activation = "hard_sigmoid", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n1" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "hinge", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-44 -58 13 21 -60 -53 -19 2 10 61 -59 34 8 0 -16 27 -51 55 -19 -60 22 6 62 -46]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[32 37 47 -35 -35 32 25 9 -44 -58 -18 60 -37 2 10 40 -28 31 10 -41 -37 -27 0 12]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-64 -64 -64 -64 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 2,
    steps_per_execution = 4,
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[23 4 38 30]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-28]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.10964]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.10964]] }, m5 = { tensor = "float32", shape = {1}, data = [[1.10964]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.22758]] }, m0 = { tensor = "float32", shape = {}, data = [[1.22758]] }, m5 = { tensor = "float32", shape = {}, data = [[1.22758]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.06491]] }, m0 = { tensor = "float32", shape = {}, data = [[1.06491]] }, m5 = { tensor = "float32", shape = {}, data = [[1.06491]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.208337 0.127734 0.177615 0.223457 0.0791041 0.268569]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[0.338511 0.0452599 0.57698 0.432491]] }, { tensor = "float32", shape = {1}, data = [[-0.48275]] } },
  },
  {
    name = "1/86",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Multiply", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activation = "sigmoid", name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling3D", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = { object = "schedule", class = "inverse_time_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } } } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-30 63 -40 -56 33 32 58 -28 -14 -24 -59 -43 -64 21 27 -12 -54 -24 51 -58 35 45 12 37 31 -39 -24 0 -12 52 -43 61
40 46 -37 -22 -60 30 -30 -50 -53 4 28 -17 -13 42 18 11 51 34 -22 28 63 -64 54 18 17 -13 59 46 17 35 26 5 -9 7
-54 -15 43 -25 -14 32 43 33 44 58 -9 -61 -1 10 -52 58 59 23 -19 -36 50 16 -64 37 -50 -25 16 -40 41 -44 -13 38
-24 -34 62 3 2 58 51 34 -63 29 51 -17 -10 63 -38 -10 3 36 -12 2 -31 47 49 -44 -27 -26 46 -8 44 -39 23 54 -30 -12
-53 19 56 2 -46 23 22 -37 13 49 -61 -59]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[27 11 58 29 114 27]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[3 35 19 -11 -30 48 -44 -17]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[31 38 17 -38]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-34]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.0438129]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0395666]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.0829738]] } }, { { tensor = "float32", shape = {4, 1}, data = [[0.567974 0.559487 0.562001 0.567101]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[0.0426517 0.54207 0.294539 -0.166866 -0.473501 0.744655 -0.690109 -0.25992]] }, { tensor = "float32", shape = {4, 1}, data = [[0.442683 0.536081 0.223905 -0.635505]] }, { tensor = "float32", shape = {1}, data = [[-0.623533]] } },
  },
  {
    name = "1/87",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "GlobalAveragePooling1D", options = { keepdims = false, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[16 -60 30 11 0 0 0 0 0 0 0 0 27 57 -33 32 24 -46 18 -9 0 0 0 0 -51 31 21 24 -1 5 -19 -16 60 52 19 -59 -52 -35 55
-10 0 0 0 0 0 0 0 0 -31 17 53 -25 -64 -24 -60 13 0 0 0 0 3 -52 51 48 -54 33 19 53 63 5 -8 -2]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[58 -42 -19 59 -32 -18 -39 56 -62 -22 20 55 20 -30 14 56 -13 48]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-38 -22 -24 -1 29 37 31 7 19 30 -14 -2]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[6 33 -12]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.245883 0.210654 0.243349]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.245883 0.210654 0.243349]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.230091]] }, m0 = { tensor = "float32", shape = {}, data = [[0.230091]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.586852 -0.34149 -0.378476 -0.0174267 0.458002 0.571805 0.481309 0.105547 0.302123 0.473253 -0.221288
-0.0279996]] }, { tensor = "float32", shape = {3}, data = [[0.0949234 0.503735 -0.181641]] } },
  },
  {
    name = "1/88",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "ReLU", options = { max_value = 0.75, negative_slope = 0.125, threshold = 0.25, name = "n0" }, sources = 0, call = {} }, { layer = 2, options = {}, sources = 2, call = {} }, { layer = "Concatenate", options = { axis = -1, name = "n2" }, sources = { 3, 1 }, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, activation = "celu", name = "n3" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, activation = "sigmoid", name = "n4" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { gamma = 1.5, apply_class_balancing = false } } },
    metrics = { { { object = "metric", class = "true_positives", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "auc", options = { name = "m5", curve = "PR", num_thresholds = 20 } }, { object = "metric", class = "precision", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.05 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[52 -54 -31 21 20 -52 -53 54 6 15 -23 -23 63 24 -6 0 -8 1 16 35 59 25 21 -11]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[28 -31 -28 56 -8 -10 -47 61 -33 64 -22 -15 -33 -61 -28 -48 4 32 45 26 16 63 -17 27]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 0 64 0 0 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[42 109 70 51 87 105]] },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 4,
    steps_per_execution = 4,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[38 44 34 18 42 -28 -46 5 33 41 35 28 18 34 8 43]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[40 -22 28 -34]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-33]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.187957]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m5 = { tensor = "float32", shape = {}, data = [[0.37054]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.153677]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.128683]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.227714 0.196571 0.485751 0.384756 0.321386 0.422887]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.442247 0.636686 0.389475 0.43718 0.809434 -0.452017 -0.581364 -0.0643894 0.364017 0.344371 0.713886 0.308401
0.129327 0.521268 -0.0262838 0.842387]] }, { tensor = "float32", shape = {4, 1}, data = [[0.475 -0.49375 0.2875 -0.68125]] }, { tensor = "float32", shape = {1}, data = [[-0.365625]] } },
  },
  {
    name = "1/89",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = { object = "residual", class = "residual", options = { layers = { { object = "layer", class = "dense", options = { units = 4, activation = "hard_silu" } }, { object = "layer", class = "batch_normalization", options = { synchronized = true, momentum = 0.8 } } }, name = "inner0" } }, options = {}, sources = 0, call = {} }, { layer = "Minimum", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activation = "sigmoid", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "precision", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[5 -53 48 -26 23 -20 -50 2 -24 -55 -48 -49 -15 38 -7 53 -22 39 -37 -46 47 40 29 12]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 0 0 0 64 0]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[20 -21 10 8 -11 18 37 -47 26 -35 17 23 29 25 -22 20]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[34 -38 -34 -15]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[86 86 92 93]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[40 -44 44 -18]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[36 41 -39 -5]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[81 82 34 38]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[31 -45 -11 2]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.354258]] }, m0 = { tensor = "float32", shape = {1}, scale = 64, data = [[16]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.410474]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.333333]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.133329]] }, m0 = { tensor = "float32", shape = {}, data = [[0.333333]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.40641]] }, m0 = { tensor = "float32", shape = {}, data = [[0.2]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.864972 0.806395 0.790949 0.579032 0.48972 0.740736]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.3123 -0.327358 0.158337 0.124974 -0.172168 0.279753 0.578593 -0.734358 0.406693 -0.547285 0.267038 0.3594
0.452814 0.390006 -0.341839 0.312521]] }, { tensor = "float32", shape = {4}, data = [[0.531237 -0.593665 -0.531168 -0.234396]] }, { tensor = "float32", shape = {4}, data = [[1.34279 1.34186 1.43774 1.45305]] }, { tensor = "float32", shape = {4}, data = [[0.625255 -0.687866 0.687415 -0.281227]] }, { tensor = "float32", shape = {4}, data = [[0.419379 0.231975 -0.409508 -0.0878083]] }, { tensor = "float32", shape = {4}, data = [[0.68366 0.663815 0.272852 0.317893]] }, { tensor = "float32", shape = {4, 1}, data = [[0.480831 -0.697862 -0.174155 0.0262546]] } },
  },
  {
    name = "1/90",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "mish", name = "n0" }, sources = 0, call = {} }, { layer = "AlphaDropout", options = { rate = 0, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { reduction = "sum" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-36 24 -25 -7 -33 -54 43 -38 -8 -49 -39 20 37 -53 -62 -38 48 -60 13 39 25 -31 49 45]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 0 1 1 2 2]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    policy = "mixed_bfloat16",
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[40 38 13 44]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-29 1 -13 6 47 -33 23 -48 37 27 -18 -24]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[4.15522]] } }, { loss = { tensor = "float32", shape = {}, data = [[3.49171]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.96406]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.458984 0.283203 0.257812 0.378906 0.457031 0.165039 0.283203 0.542969 0.176758 0.139648 0.816406 0.0456543
0.179688 0.75 0.0703125 0.308594 0.558594 0.131836]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.146875 0.9 -0.7125 -0.0875 0.44375 -0.165625 0.571875 0.290625 0.396875 0.13125 0.634375 0.18125 0.275
-0.58125 0.06875 -0.0875]] }, { tensor = "float32", shape = {4}, data = [[0.775 0.74375 0.053125 0.6375]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.303125 -0.134375 -0.353125 -0.05625 0.884375 -0.665625 0.509375 -0.9 0.728125 0.371875 -0.13125 -0.525]] } },
  },
  {
    name = "1/91",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = false, name = "n0" }, sources = 0, call = {} }, { layer = "GRU", options = { units = 4, trainable = false, activation = "tanh", return_sequences = true, reset_after = false, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m0", k = 2 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { learning_rate = 0.01 } },
    tasks = { "sparse" },
    x = { { tensor = "int32", shape = {6, 3}, data = [[4 5 4 2 3 1 0 4 4 5 4 5 4 2 4 0 5 0]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 1 2 0 1 0]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33 42 -28 41 40 34 -18 -23 27]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[15 2 40 -15 -7 6 -5 -1 17 -34 -35 -5 0 42 -46 15 45 -37 -4 20 -28 19 -2 0 20 -46 22 5 -1 -21 -30 4 30 -12 -38 -9
-30 42 -31 43 -47 -32 -1 -25 -33 47 -18 5]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[35 18 40 9 2 -37 -5 5 35 -44 42 -48 -39 -47 -30 0 4 -40 22 -45 47 -39 2 2 -28 13 -26 -28 -47 40 -6 -31 29 -6 22
14 -18 12 -41 -29 -8 -29 8 -24 -1 6 43 33]] }, { tensor = "float32", shape = {12}, scale = 64, data = [[25 -32 -28 -1 -33 -27 -31 27 -33 -10 -44 -34]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-39 17 45 4]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-48]] }, { tensor = "float32", shape = {3, 3}, scale = 64, data = [[16 -30 -27 -19 -23 -34 -17 -31 33]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.350644 1.43695 0.411546 0.223713 0.90808 0.349659 0.424605 1.30472 0.294246 0.377851 1.32708 0.424047 0.280448
1.34129 0.350951 0.301223 1.10612 0.373167]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.26373 1.09955]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.5 0.666667]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.09944]] }, m0 = { tensor = "float32", shape = {}, data = [[0.666667]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[4.78446e-05 -0.000118746 -5.73587e-05 -0.000311875 -0.000200004 -4.45419e-05 -0.000181896 -9.92749e-05
-0.000735309 -0.000261689 7.39745e-05 -0.000360519 0.000144729 -3.69784e-05 0.000176216 -7.82629e-05 0.00391261
-0.00117777 0.00787336 0.01525 0.00085484 6.56937e-05 -0.00440403 0.00105421]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[15 2 40 -15 -7 6 -5 -1 17 -34 -35 -5 0 42 -46 15 45 -37 -4 20 -28 19 -2 0 20 -46 22 5 -1 -21 -30 4 30 -12 -38 -9
-30 42 -31 43 -47 -32 -1 -25 -33 47 -18 5]] }, { tensor = "float32", shape = {4, 12}, scale = 64, data = [[35 18 40 9 2 -37 -5 5 35 -44 42 -48 -39 -47 -30 0 4 -40 22 -45 47 -39 2 2 -28 13 -26 -28 -47 40 -6 -31 29 -6 22
14 -18 12 -41 -29 -8 -29 8 -24 -1 6 43 33]] }, { tensor = "float32", shape = {12}, scale = 64, data = [[25 -32 -28 -1 -33 -27 -31 27 -33 -10 -44 -34]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.00631083 0.00994421 0.110918 0.00155153]] }, { tensor = "float32", shape = {1}, data = [[-0.168717]] }, { tensor = "float32", shape = {3, 3}, data = [[-0.00129371 -0.12508 -0.103852 -0.00830391 -0.115159 -0.151954 -0.00561335 -0.174361 0.166508]] } },
  },
  {
    name = "1/93",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Multiply", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "ReLU", options = { max_value = 0.75, negative_slope = 0.125, threshold = 0.25, name = "n1" }, sources = 1, call = {} }, { layer = "Identity", options = { name = "n2" }, sources = 2, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n3" }, sources = 3, call = {} }, { layer = "GlobalMaxPooling2D", options = { keepdims = true, name = "n4" }, sources = 4, call = {} }, { layer = "Flatten", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n6" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "categorical_hinge", options = {} } },
    metrics = { { { object = "metric", class = "top_k_categorical_accuracy", options = { name = "m0", k = 2 } }, { object = "metric", class = "categorical_hinge", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "categorical_crossentropy", options = { name = "m5" } }, { object = "metric", class = "categorical_accuracy", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01, clipvalue = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-7 40 14 -45 20 9 -54 -56 -30 -24 -4 47 53 -13 34 -41 1 -61 -24 -27 -46 -32 37 -31 -9 42 15 52 15 25 42 17 58 -2
7 -59 22 -53 8 -39 -34 20 -32 -58 31 -61 38 -42 -57 40 -55 7 62 -54 -58 57 -12 -50 -30 26 50 32 56 -9 30 -46 10
43 47 64 29 -6 -17 53 34 -47 19 39 -39 -45 50 17 57 39 34 -41 28 -25 -43 59 -62 -51 -38 15 -45 15 36 -45 -61 -58
10 7 -31 28 18 -20 22 -36 -35 -55 -32 -6 -4 -29 1 -17 -55 -9 -14 5 50 -47 8 12 37 -34 33 38 -30 0 -50 -61 36 -26
44 57 -20 7 45 5 4 55 -18 -39]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 0 64 0 0 64 0 64 0 0 64 0 0 64 0 0]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[69 32 88 44 82 86]] },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    steps_per_execution = 3,
    weights = { { tensor = "float32", shape = {2}, scale = 64, data = [[80 66]] }, { tensor = "float32", shape = {2, 3}, scale = 64, data = [[38 30 -28 12 10 -27]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-3 -47 1]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.686834 0.264565 0.0486009 0.68678 0.264584 0.0486358 0.686866 0.264567 0.048567 0.686778 0.264579 0.0486424
0.686739 0.264578 0.0486828 0.686776 0.264576 0.0486474]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.873974 0.870326]] }, m0 = { tensor = "float32", shape = {2}, scale = 64, data = [[64 64]] }, m1 = { tensor = "float32", shape = {2}, data = [[0.864383 0.861607]] }, m5 = { tensor = "float32", shape = {2}, data = [[0.666638 0.663343]] }, m6 = { tensor = "float32", shape = {2}, data = [[0.700748 0.700748]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.863841]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m1 = { tensor = "float32", shape = {}, data = [[0.856549]] }, m5 = { tensor = "float32", shape = {}, data = [[0.659508]] }, m6 = { tensor = "float32", shape = {}, data = [[0.700748]] } } },
    final = { { tensor = "float32", shape = {2}, data = [[1.26015 1.04226]] }, { tensor = "float32", shape = {2, 3}, data = [[0.595114 0.467255 -0.442139 0.189594 0.154032 -0.425424]] }, { tensor = "float32", shape = {3}, data = [[-0.0442203 -0.737116 0.0114854]] } },
  },
  {
    name = "1/94",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Reshape", options = { target_shape = { 2, -1 }, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "squared_hinge", options = { reduction = "mean" } } },
    metrics = { { { object = "metric", class = "squared_hinge", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "signs" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[59 -16 -10 -54 0 0 0 0 0 0 0 0 54 0 2 -32 12 4 37 -19 0 0 0 0 -7 52 -37 29 9 15 -19 64 46 16 -10 20 -15 17 27 1
0 0 0 0 0 0 0 0 36 -17 15 -58 63 -8 -8 -57 0 0 0 0 -9 2 -37 -58 35 27 -50 -51 -10 -38 25 45]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 -64 -64 -64 -64 64 -64 64 64 -64 64 -64 -64 64 64 -64 64 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[20 107 57 37 35 36]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {12, 3}, scale = 64, data = [[4 40 3 -26 -8 31 37 -30 -42 -8 -19 -35 -20 -4 9 -39 -28 -11 19 45 -36 39 2 10 -35 -5 -6 35 40 39 -41 43 35 -6 28
-24]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-9 14 2]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.811897]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.985668]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.992816]] }, m0 = { tensor = "float32", shape = {}, data = [[1.22946]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.618891]] }, m0 = { tensor = "float32", shape = {}, data = [[0.800485]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.36229 0.814845 0.697202 -0.503558 0.826876 0.337699 -0.689454 0.415943 0.65251 -0.208432 -0.00236758
-0.0414578 -0.764363 0.601087 0.651457 -0.982286 0.433021 0.802567]] } } },
    final = { { tensor = "float32", shape = {12, 3}, data = [[-0.0729144 0.504302 0.184327 -0.431506 -0.0329361 0.488996 0.560396 -0.526667 -0.685751 -0.0207159 -0.278209
-0.635202 -0.361632 0.000417031 0.219213 -0.622799 -0.392801 -0.153291 0.221241 0.557735 -0.479432 0.645014
0.0641877 0.0862684 -0.5651 -0.0237227 -0.0769357 0.540575 0.602593 0.608853 -0.636689 0.687987 0.547433
-0.101764 0.519879 -0.358562]] }, { tensor = "float32", shape = {3}, data = [[-0.350096 0.351112 0.171057]] } },
  },
  {
    name = "1/95",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Permute", options = { dims = { 4, 1, 3, 2 }, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[62 -60 58 -61 -50 -8 12 35 2 33 49 -36 57 46 -13 -32 -33 7 18 -27 48 21 25 -17 -62 -48 -45 -62 -4 -52 18 29 -57
61 -52 1 -59 -34 -15 44 61 -24 18 -42 -9 62 -18 31 55 -46 -21 -40 -25 27 -64 -49 -39 17 33 -48 50 -22 -43 46 13
-26 -16 -51 -14 38 52 39 6 17 12 -47 43 38 -31 1 53 58 -15 44 64 52 -4 33 40 62 41 5 -43 -61 9 -62 33 -13 -20 55
-45 -9 57 -50 -22 29 -2 -59 48 10 -9 51 42 -24 -15 -21 4 -15 23 20 -52 -32 22 -13 -40 -22 -40 -28 -58 -37 -56 59
-12 -2 -26 58 41 43 14 12 -47 29 44 54]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-3 47 28 31 59 -53]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    replicas = 4,
    steps_per_execution = 3,
    rematerialize = 6,
    weights = { { tensor = "float32", shape = {24, 1}, scale = 64, data = [[3 35 19 -11 -30 48 -44 -17 31 38 17 -38 -34 34 -40 35 45 12 30 36 -18 28 17 44]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.935458]] }, m0 = { tensor = "float32", shape = {}, data = [[1.70082]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.887093]] }, m0 = { tensor = "float32", shape = {}, data = [[1.64217]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.953489]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.77087]] } }, { { tensor = "float32", shape = {4, 1}, data = [[-0.663503 -1.55569 -1.49412 -0.361801]] } } },
    final = { { tensor = "float32", shape = {24, 1}, data = [[0.0711232 0.523696 0.278332 -0.194141 -0.47729 0.758352 -0.663003 -0.243196 0.475756 0.575784 0.277248 -0.574157
-0.550084 0.521886 -0.602682 0.532708 0.699212 0.162276 0.485612 0.549575 -0.267768 0.46013 0.244262 0.703457]] } },
  },
  {
    name = "1/97",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "RMSNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Conv2D", options = { padding = "same", strides = 2, kernel_size = 1, filters = 4, groups = 2, name = "n1" }, sources = 1, call = {} }, { layer = "Subtract", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "ZeroPadding2D", options = { padding = 1, name = "n3" }, sources = 3, call = {} }, { layer = "GlobalMaxPooling2D", options = { keepdims = false, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-22 6 9 45 -63 41 38 40 -38 -52 -48 -4 2 -1 50 -22 -19 40 37 35 36 51 -2 -46 13 54 -40 -14 43 -47 -49 -38 -14 47
34 26 60 35 28 -6 -62 -33 -38 -59 -61 -59 -40 -10 28 35 56 7 56 -53 48 57 -3 49 50 -62 27 -54 50 -8 31 -21 -11
-61 28 34 43 63 -27 -42 -17 -38 20 50 42 42 -60 -2 -34 -49 -21 37 50 -29 0 -60 30 13 60 -34 53 -54 -23 -52 -49
34 -46 -42 62 37 -41 18 -47 -1 1 22 -58 48 -60 -22 54 -20 -33 57 -39 63 -22 62 -7 -30 -1 18 32 45 -26 -20 -64
-12 34 -36 -33 -50 -32 -54 -33 17 3 18 -34 -44 -45 8 13 52 16 -58 -36 -34 -21 -17 -33 50 -31 26 21 -3 51 11 10
-10 -16 -52 -45 -40 -7 -55 19 -26 -30 -27 34 -60 -37 -57 50 20 -29 -2 58 -59 26 -9 37 28 32 -22 4 41]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-15 13 -11 15 -51 -6 -29 -10 30 51 4 -38 -59 -30 -43 38 -6 57]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[97 87 97 60 120 111]] },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "predict_on_batch" } },
    rematerialize = 3,
    weights = { { tensor = "float32", shape = {2}, scale = 64, data = [[89 94]] }, { tensor = "float32", shape = {1, 1, 1, 4}, scale = 64, data = [[34 18 42 -28]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-46 5 33 41]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[35 28 18 34 8 43 40 -22 28 -34 -33 10]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[42 40 3]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.919309]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.913336]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.1483]] }, val_loss = { tensor = "float32", shape = {1}, data = [[1.13777]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.640283 0.608874 0.0323134 0.640283 0.608874 0.0323134 0.640283 0.608874 0.0323134 0.640283 0.608874 0.0323134]] } } },
    final = { { tensor = "float32", shape = {2}, scale = 64, data = [[89 94]] }, { tensor = "float32", shape = {1, 1, 1, 4}, scale = 64, data = [[34 18 42 -28]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-46 5 33 41]] }, { tensor = "float32", shape = {4, 3}, data = [[0.533063 0.423688 0.267438 0.517438 0.111188 0.658063 0.611188 -0.329938 0.423688 -0.517438 -0.501813 0.142438]] }, { tensor = "float32", shape = {3}, data = [[0.640283 0.608874 0.0323134]] } },
  },
  {
    name = "1/99",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, use_bias = false, activation = "hard_sigmoid", name = "n0" }, sources = 0, call = {} }, { layer = "ActivityRegularization", options = { l1 = 0.01, l2 = 0.02, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, activation = "softmax", name = "n2" }, sources = 2, call = {} }, { layer = "GroupNormalization", options = { axis = -1, scale = false, epsilon = 0.01, groups = 2, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n4" }, sources = 4, call = {} }, { layer = "Add", options = { name = "n5" }, sources = { 4, 0 }, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n6" }, sources = 6, call = {} } },
    outputs = { 5, 7 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = {} }, { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { {}, {} },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.05 } },
    tasks = { "categorical", "sparse" },
    loss_weights = { 1, 0.25 },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-46 38 18 -55 57 -50 -46 55 0 -30 17 -7 -2 21 30 -57 -28 24 13 17 -54 -8 35 29]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 64 0 0 0 0 64 0 64 0 0 64 0 64 0 0]] }, { tensor = "int32", shape = {6}, data = [[1 2 2 2 1 1]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-22 22 13 18 9 -8 34 11 -47 -47 -25 6 -48 -9 34 -4]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[8 30 34 12 -9 -19 -40 42 -42 41 15 36 -29 20 23 -44]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-41 23 -33 -11]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[17 47 41 -40]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[5 44 -38 -2 43 -32 48 33 -29 -27 -25 37]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-19 36 34]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[44 41 39 6 -42 40 -34 -1 -17 45 -26 1]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-20 -34 -39]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.387575]] }, n4_loss = { tensor = "float32", shape = {}, data = [[0.18583]] }, n6_loss = { tensor = "float32", shape = {}, data = [[0.646773]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.376916]] }, n4_loss = { tensor = "float32", shape = {}, data = [[0.175262]] }, n6_loss = { tensor = "float32", shape = {}, data = [[0.646417]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.364676]] }, n4_loss = { tensor = "float32", shape = {}, data = [[0.16324]] }, n6_loss = { tensor = "float32", shape = {}, data = [[0.645557]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.183242 0.635692 0.181067 0.155367 0.578259 0.266374 0.173409 0.617314 0.209277 0.181855 0.633233 0.184912
0.175861 0.621892 0.202247 0.179737 0.629397 0.190866]] }, { tensor = "float32", shape = {6, 3}, data = [[0.105636 0.0825729 0.811791 0.596721 0.0685642 0.334715 0.267632 0.162557 0.569811 0.116258 0.118568 0.765174
0.247942 0.055043 0.697014 0.285106 0.0960216 0.618873]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.342699 0.339863 0.202235 0.284298 0.141531 -0.127804 0.53066 0.174696 -0.736476 -0.728037 -0.389265 0.088046
-0.747816 -0.144274 0.530978 -0.0580784]] }, { tensor = "float32", shape = {4, 4}, data = [[0.124326 0.467304 0.519155 0.201367 -0.141194 -0.296773 -0.635302 0.666953 -0.656738 0.640851 0.225477 0.571627
-0.453819 0.311432 0.346942 -0.673601]] }, { tensor = "float32", shape = {4}, data = [[-0.642033 0.357016 -0.539182 -0.145693]] }, { tensor = "float32", shape = {4}, data = [[0.223703 0.704134 0.626878 -0.613086]] }, { tensor = "float32", shape = {4, 3}, data = [[0.0596486 0.718846 -0.610384 0.00760314 0.612409 -0.464363 0.749488 0.508311 -0.445346 -0.420874 -0.384161
0.570742]] }, { tensor = "float32", shape = {3}, data = [[-0.270499 0.519511 0.555241]] }, { tensor = "float32", shape = {4, 3}, data = [[0.693128 0.637881 0.606378 0.0710715 -0.65735 0.648462 -0.531132 -0.0165936 -0.264774 0.702129 -0.407941
0.0182879]] }, { tensor = "float32", shape = {3}, data = [[-0.331908 -0.535083 -0.587083]] } },
  },
  {
    name = "1/100",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Multiply", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-16 -38 -18 29 -59 -49 23 -26 17 -9 52 33 -16 -63 6 10 -10 -40 42 49 29 26 -3 6 41 13 16 24 -29 -7 -48 53 -64
-42 52 10 -58 45 9 39 52 -46 -55 38 45 -24 57 42 64 -13 0 -15 40 56 0 -28 2 61 -46 -52 -54 53 25 -1 -8 43 58 -23
-11 -14 3 -30 -31 5 -9 60 59 58 43 -15 -36 -19 -34 -19 5 -23 21 -36 -16 6 -5 -26 12 14 -62 -1 -28 17 -11 -56 50
2 -12 -51 -62 -12 4 48 -29 20 58 34 49 53 -59 -63 -55 50 33 -4 11 32 5 23 5 24 -11 47 -44 16 -43 57 -52 -31 -51
-53 63 57 -55 -44 14 -47 -44 47 10 -23 -56 -39 13 50 5 -20 49 16 61 0 -8 -13 8 -63 62 48 30 28 -34 -1 -27 36 9
-44 -35 34 47 5 -14 -36 -21 -32 -51 6 -13 -12 54 62 15 -51 -23 27 -57 -48 -1 -27]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[102 117 23 88 97 31 44 80 117 106 86 61 20 95 102 122 24 67]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {32, 3}, scale = 64, data = [[-5 -27 -36 -14 -43 23 -25 -7 33 -27 9 2 6 -42 -25 -3 -32 -7 -48 -36 21 -24 36 11 4 10 -25 28 -18 40 11 28 -5 34
24 19 -2 -11 -46 -2 36 44 -33 -44 1 6 38 13 40 37 21 20 -44 4 -7 39 25 31 -32 -24 34 47 4 -14 30 -21 -45 -44 28
0 28 -11 -6 -29 44 28 38 -44 -21 20 18 27 3 -5 -2 36 -3 14 -3 15 17 2 -19 -39 -2 0]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-15 4 -2]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.521832 2.07935 0.687426 0.627805 2.38428 0.506522 0.237879 0.241155 1.6047 0.611344 0.233521 1.29193 1.21931
1.601 0.648302 0.167567 0.137192 0.45619]] } }, { loss = { tensor = "float32", shape = {2}, data = [[67.7238 52.8974]] }, m0 = { tensor = "float32", shape = {2}, data = [[67.065 52.2544]] } }, { loss = { tensor = "float32", shape = {}, data = [[42.9878]] }, m0 = { tensor = "float32", shape = {}, data = [[42.3469]] } } },
    final = { { tensor = "float32", shape = {32, 3}, data = [[-0.0635251 -0.345478 -0.516267 -0.302262 -0.586717 0.426697 -0.300536 -0.122086 0.570602 -0.506594 0.0917205
0.0582396 0.110894 -0.608341 -0.399208 -0.00499397 -0.52292 -0.0763357 -0.664887 -0.604569 0.239613 -0.355222
0.543741 0.22724 -0.0194132 0.101437 -0.354817 0.349745 -0.264001 0.648467 0.193084 0.472465 -0.179954 0.622074
0.359691 0.257278 -0.0353427 -0.162132 -0.618587 0.012825 0.621168 0.720353 -0.4228 -0.726238 -0.0408277
0.0758489 0.527041 0.164824 0.620085 0.500235 0.288547 0.333194 -0.653401 0.0316801 -0.0903857 0.545554 0.297096
0.501124 -0.534118 -0.470276 0.511467 0.665491 0.0521746 -0.234093 0.40815 -0.357601 -0.682771 -0.58868 0.451889
0.0130996 0.515629 -0.12287 -0.11442 -0.500688 0.66431 0.432863 0.507183 -0.737373 -0.412829 0.333218 0.319982
0.380887 0.138053 -0.108333 -0.0392636 0.575498 -0.0491159 0.311734 -0.144767 0.175787 0.172512 -0.021384
-0.229031 -0.520802 -0.0698876 -0.0803952]] }, { tensor = "float32", shape = {3}, data = [[-0.243865 0.0235755 -0.039848]] } },
  },
  {
    name = "1/103",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RMSNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "LayerNormalization", options = { axis = -1, name = "n1" }, sources = 2, call = {} }, { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", name = "n2" }, sources = 3, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n3" }, sources = 4, call = {} }, { layer = "GroupNormalization", options = { axis = -1, center = false, epsilon = 0.01, groups = 2, name = "n4" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 1, activation = "sigmoid", name = "n5" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "binary_crossentropy", options = {} } },
    metrics = { { { object = "metric", class = "precision", options = { name = "m0" } }, { object = "metric", class = "precision_at_recall", options = { name = "m1", recall = 0.5, num_thresholds = 20 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[3 -64 -4 -43 -59 2 -2 -37 45 38 -63 -57 5 15 -34 53 45 46 -3 -5 28 -54 9 30]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-57 49 33 -47 -1 46 -27 -40 27 22 -57 55 44 10 2 -55 36 40 25 -33 -39 57 1 -18]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[64 64 64 64 0 64 64 64 0 0 0 0 0 0 0 64 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, validation = true, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[95 37 68 61]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[83 54 63 74]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-7 -25 -18 -46]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-24 -7 -29 -34 -7 17 31 12 -13 25 -8 -12 32 -9 5 27]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[10 -6 16 -21]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[46 65 43 78]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[9 -22 -43 -5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[34]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.881243 0.499874 0.848908]] }, m0 = { tensor = "float32", shape = {3}, data = [[0 1 0.333333]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.583333 1 0.583333]] }, val_loss = { tensor = "float32", shape = {3}, data = [[0.726993 0.727738 0.717429]] }, val_m0 = { tensor = "float32", shape = {3}, data = [[0.555556 0.555556 0.555556]] }, val_m1 = { tensor = "float32", shape = {3}, data = [[0.555556 0.555556 0.555556]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.717429]] }, m0 = { tensor = "float32", shape = {}, data = [[0.555556]] }, m1 = { tensor = "float32", shape = {}, data = [[0.555556]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[1.49421 0.593574 1.07655 0.938308]] }, { tensor = "float32", shape = {4}, data = [[1.3096 0.841789 0.96813 1.1421]] }, { tensor = "float32", shape = {4}, data = [[-0.110881 -0.38092 -0.295385 -0.726167]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.39586 -0.0885149 -0.47183 -0.512545 -0.101309 0.257559 0.481031 0.190844 -0.186958 0.374458 -0.142324
-0.170176 0.487718 -0.128343 0.0960592 0.403941]] }, { tensor = "float32", shape = {4}, data = [[0.172737 -0.110237 0.263355 -0.34148]] }, { tensor = "float32", shape = {4}, data = [[0.709812 1.00601 0.660519 1.22587]] }, { tensor = "float32", shape = {4, 1}, data = [[0.13108 -0.334109 -0.660768 -0.0895962]] }, { tensor = "float32", shape = {1}, data = [[0.540162]] } },
  },
  {
    name = "1/104",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = { object = "sequential", class = "sequential", options = { shape = { 4 }, layers = { { object = "layer", class = "dense", options = { units = 4, activation = "softsign" } }, { object = "layer", class = "dense", options = { units = 4, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } } } } }, name = "inner0" } }, options = {}, sources = 0, call = {} }, { layer = "Average", options = { name = "n1" }, sources = { 1, 0 }, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = { reduction = "sum" } } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "categorical_accuracy", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "exponential_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } }, weight_decay = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-50 -8 -34 -55 13 -27 -32 -38 4 -8 37 -23 0 -39 33 -56 -35 40 -45 57 -29 -31 51 -48]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 0 64 0 0 0 64 64 0 0 0 0 64 0 64 0]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[101 82 57 47 62 81]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[47 -9 -7 -3 -46 -37 27 -37 1 -1 38 -1 -17 34 20 -23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-11 -26 41 -30]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-20 -35 -31 -17 -36 24 -17 -34 47 10 7 7 -44 40 -8 -44]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[3 14 -31 -48 -12 -24 44 -2 -26 48 7 -7]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-10 -8 16]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.562556]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.37907]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.561289]] }, m5 = { tensor = "float32", shape = {}, data = [[0.351916]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.489213]] }, m5 = { tensor = "float32", shape = {}, data = [[0.511628]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.179338 0.288708 0.531955 0.206053 0.328106 0.465841 0.33429 0.323725 0.341986 0.27758 0.315298 0.407123
0.269842 0.310031 0.420127 0.312278 0.291972 0.395751]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.686482 -0.198831 -0.0494598 -0.113831 -0.665065 -0.514034 0.354616 -0.509816 0.0506891 -0.0445747 0.567359
-0.0740955 -0.276296 0.564257 0.263545 -0.360569]] }, { tensor = "float32", shape = {4}, data = [[-0.118351 -0.350098 0.69142 -0.399913]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.220818 -0.473472 -0.39422 -0.180509 -0.496402 0.295695 -0.181627 -0.446585 0.658163 0.0963425 0.0316477
0.0345678 -0.603974 0.545055 -0.037657 -0.600808]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.00961261 0.247084 -0.44533 -0.757794 -0.267302 -0.287351 0.72072 -0.0760611 -0.361169 0.679221 0.0475604
-0.0342771]] }, { tensor = "float32", shape = {3}, data = [[-0.238439 -0.049031 0.307485]] } },
  },
  {
    name = "1/105",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "Add", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = { object = "residual", class = "residual", options = { layers = { { object = "layer", class = "dense", options = { units = 4, activation = "mish" } }, { object = "layer", class = "dense", options = { units = 4, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } } } } }, name = "inner2" } }, options = {}, sources = 2, call = {} }, { layer = "GroupNormalization", options = { axis = -1, scale = false, groups = 2, name = "n3" }, sources = 3, call = {} }, { layer = "Concatenate", options = { axis = -1, name = "n4" }, sources = { 4, 2 }, call = {} }, { layer = "GroupNormalization", options = { axis = 1, scale = false, epsilon = 0.01, groups = -1, name = "n5" }, sources = 3, call = {} }, { layer = "Flatten", options = { name = "n6" }, sources = 6, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, name = "n7" }, sources = 7, call = {} } },
    outputs = { 8 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { from_logits = true, gamma = 1.5, apply_class_balancing = false } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "binary" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[3 0 0 1 5 0 1 3 4 3 0 0 1 1 0 3 4 2]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 64 0 64 64 64 64 0 0 64 0 64 0 0 64 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[21 -24 4 -18 38 27 -7 21 8 26 -1 -28 -38 33 -26 45 -3 -36 47 -32 8 48 -17 -25]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[46 38 -14 -42 6 7 -30 -20 -6 -13 22 -45 -34 -45 -16 -22]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[8 -27 -30 -35]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[5 41 32 34 -6 -31 40 43 -21 -47 8 39 14 -18 -48 40]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-15 -48 20]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-37 29 -45 10 12 48 -25 -11 -29 7 27 -48 29 -46 -46 -37 -12 -2 26 37 5 18 48 -28 47 -47 14 -12 -3 -29 -31 35 -2
37 18 -43]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.06453]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.571011]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.531818]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.343149 -0.296453 0.881495 -0.854977 -1.13529 0.771719 -1.27397 0.233399 0.520272 0.343149 -0.296453 0.881495
-0.667598 -1.34706 0.688621 -0.745795 -0.278522 0.735257]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[0.315347 -0.370526 0.0804097 -0.296387 0.604822 0.409826 -0.119922 0.34086 0.126464 0.404707 -0.0150973
-0.438011 -0.592071 0.503731 -0.419957 0.71154 -0.0480356 -0.572411 0.734552 -0.496248 0.121917 0.753062
-0.262293 -0.392375]] }, { tensor = "float32", shape = {4, 4}, data = [[0.72391 0.605249 -0.213172 -0.666988 0.0838866 0.100001 -0.479403 -0.304051 -0.0921703 -0.198946 0.351967
-0.708748 -0.540875 -0.713229 -0.259349 -0.333842]] }, { tensor = "float32", shape = {4}, data = [[0.13388 -0.407517 -0.457844 -0.547128]] }, { tensor = "float32", shape = {4, 4}, data = [[0.065534 0.635128 0.510736 0.535215 -0.101462 -0.478613 0.629508 0.666085 -0.327308 -0.727834 0.126027 0.603375
0.224541 -0.276373 -0.751885 0.617041]] }, { tensor = "float32", shape = {3}, data = [[-0.219292 -0.734126 0.324979]] }, { tensor = "float32", shape = {12, 3}, data = [[0.0044735 0.443775 0.000381718 0.157568 0.19913 0.739274 0 0 0.00930274 0.0998275 0.424497 0.00389231 0.441697 0
0.00421136 0.00429201 0 0.00174517 0.393454 0.577285 0.089797 0.287512 0.734733 0.00749516 0.728541 0.00693161
0.208997 0.00510231 0 0.00693847 0.00404283 0.560528 0 0.578445 0.271204 0.00423731]] } },
  },
  {
    name = "1/107",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "LayerNormalization", options = { axis = -1, scale = false, epsilon = 0.01, name = "n1" }, sources = 1, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n2" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "f1_score", options = { name = "m0", average = "macro" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.01, clipvalue = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[6 -17 46 23 -4 29 37 -47 20 -45 -62 -64 18 -57 25 -35 -64 23 -8 -3 -58 -57 -42 35]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 0 0 64 64 0 0 0 0 64 0 0 64 0 0 64]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[66 74 91 79]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-45 -44 48 26 32 26 34 -16 -44 35 -48 8]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-43 -5 -33]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.430142]] }, m0 = { tensor = "float32", shape = {}, data = [[0.222222]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.422559]] }, m0 = { tensor = "float32", shape = {}, data = [[0.222222]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.408534]] }, m0 = { tensor = "float32", shape = {}, data = [[0.222222]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.621492 -2.03235 -2.05393 -0.325236 1.30833 -1.37241 -3.03847 0.641036 0.390941 -1.87963 -0.831109 -1.54729
0.780357 1.83398 -1.45791 -0.472756 -0.230935 -1.08881]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[1.04478 1.15803 1.39437 1.20687]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.699042 -0.701297 0.759756 0.395299 0.520682 0.396347 0.503745 -0.277505 -0.659995 0.541583 -0.722495
0.0974954]] }, { tensor = "float32", shape = {3}, data = [[-0.669567 -0.10563 -0.48812]] } },
  },
  {
    name = "1/109",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "DepthwiseConv1D", options = { padding = "same", kernel_size = 3, depth_multiplier = 1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "hinge", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[25 -60 -54 5 -34 -43 44 -19 -55 -22 27 -54 -63 -16 11 -13 34 39 13 -3 -36 -50 40 17 61 16 -47 -37 -25 -48 -17 17
55 61 -33 63 12 -12 32 -28 -37 -33 -36 45 23 -6 -47 -11 63 -9 10 -14 -46 -52 -24 -51 64 -25 -61 5 60 -37 -61 41
16 -34 -59 -25 20 31 28 29]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 -64 64 -64 -64 -64 64 -64 64 -64 -64 -64 64 -64 -64 -64 64 -64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[103 92 57 107 52 67]] },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {3, 4, 1}, scale = 64, data = [[-10 -29 21 15 -35 -41 13 -27 -29 -46 -6 32]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[24 -33 -32 3]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-25 31 42 -41 10 -20 -34 -24 45 -34 35 10 34 5 26 3]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-14 -44 26 -2]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[23 23 13 20 -1 -34 -10 -44 35 -7 42 25 2 39 17 -22 31 35 38 1 14 -43 7 44 30 -14 -24 25 7 18 -31 -31 4 48 20 24]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.991946]] }, m0 = { tensor = "float32", shape = {}, data = [[0.628826]] }, m1 = { tensor = "float32", shape = {}, data = [[0.628826]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.97621]] }, m0 = { tensor = "float32", shape = {}, data = [[0.623115]] }, m1 = { tensor = "float32", shape = {}, data = [[0.623115]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.946828]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.699067]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.699067]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.890375]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.676895]] }, val_m1 = { tensor = "float32", shape = {1}, data = [[0.676895]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.675626 -0.968269 -0.890108 -0.697353 -0.968351 -0.14924 -0.518644 -0.63505 0.448947 -0.436932 -0.944043
-0.237678]] } } },
    final = { { tensor = "float32", shape = {3, 4, 1}, data = [[-0.151076 -0.452355 0.321207 0.237614 -0.560008 -0.642964 0.192475 -0.422505 -0.447172 -0.72243 -0.0853693
0.497886]] }, { tensor = "float32", shape = {4}, data = [[0.378137 -0.49392 -0.512535 0.0371688]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.397754 0.483852 0.649486 -0.651185 0.156368 -0.313452 -0.525427 -0.362857 0.698422 -0.527761 0.554599
0.169042 0.527814 0.0779378 0.410892 0.0352301]] }, { tensor = "float32", shape = {4}, data = [[-0.219454 -0.692483 0.387351 -0.0587301]] }, { tensor = "float32", shape = {12, 3}, data = [[0.35997 0.35752 0.21509 0.310885 -0.0174178 -0.530145 -0.160151 -0.689748 0.526712 -0.106507 0.656211 0.394887
0.0344686 0.608076 0.279163 -0.343092 0.484468 0.551993 0.594695 0.0152911 0.208847 -0.666257 0.109148 0.691213
0.466703 -0.220873 -0.357226 0.389412 0.109465 0.283051 -0.489101 -0.483447 0.0557162 0.754349 0.312127 0.378925]] } },
  },
  {
    name = "1/110",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "TimeDistributed", options = { layer = { object = "layer", class = "layer_normalization", options = {} }, name = "n0" }, sources = 0, call = {} }, { layer = "Permute", options = { dims = { 1, 2, 3 }, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "f1_score", options = { name = "m5", average = "macro" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[59 11 18 27 59 50 -31 -55 -54 35 56 -33 -26 -6 48 47 57 2 -13 -20 -36 5 48 -47 -47 -35 -25 63 57 4 46 20 -25 23
-59 -44 -38 26 -46 34 53 -23 15 53 -10 54 -21 17 -64 -46 -39 -20 -18 -44 -10 -29 -56 1 -64 28 -33 -31 12 55 -20
58 -54 -58 64 43 52 -53 60 -14 -17 -30 6 52 8 -49 -31 -24 36 30 -63 -59 -12 -12 -45 30 -41 27 -32 29 52 54 -32
-4 -42 59 -3 53 -60 45 19 9 -50 -15 54 57 19 -11 -8 -24 -32 0 -15 -25 -33 -23 -14 -42 27 -11 4 51 -59 24 -39 32
-32 16 -18 -50 64 40 20 19 -49 12 7 -36 34 36]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 64 0 0 64 0 0 0 64 0 0 0 64 0 0 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {2}, scale = 64, data = [[80 37]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-6 36]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-16 -8 42 -36 0 20 -14 -18 -24 -13 43 13 -45 20 45 32 -36 -11 8 -17 -44 18 -17 16 -32 35 -8 -36 6 19 -46 -47 15
-21 -45 40 -32 44 -17 31 -21 -6 -2 32 -9 34 -6 38 28 10 35 -43 -5 -7 37 -37 12 -46 47 -26 -3 17 -35 -27 9 37 35
-31 -16 -28 -3 -18]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.14262 1.84075 1.13115]] }, m5 = { tensor = "float32", shape = {3}, data = [[0.388889 0 0.388889]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.35644]] }, m5 = { tensor = "float32", shape = {}, data = [[0.333333]] } } },
    final = { { tensor = "float32", shape = {2}, data = [[1.25243 0.572554]] }, { tensor = "float32", shape = {2}, data = [[-0.0972376 0.552291]] }, { tensor = "float32", shape = {24, 3}, data = [[-0.25299 -0.125139 0.659379 -0.559655 -0.000132269 0.309788 -0.22104 -0.281444 -0.372516 -0.200603 0.671768
0.20071 -0.701715 0.313725 0.700491 0.500813 -0.563255 -0.171933 0.127473 -0.262559 -0.693039 0.281572 -0.26723
0.251283 -0.503396 0.546567 -0.121297 -0.559469 0.0936995 0.293894 -0.722299 -0.73216 0.235709 -0.325023
-0.704337 0.623111 -0.501574 0.685552 -0.262102 0.486566 -0.327423 -0.0966437 -0.0342282 0.497942 -0.135589
0.53409 -0.0929989 0.590159 0.433697 0.155028 0.5519 -0.668655 -0.0777574 -0.112963 0.578535 -0.577692 0.186657
-0.717476 0.733985 -0.407134 -0.0442082 0.262572 -0.546489 -0.42164 0.141835 0.57668 0.548527 -0.484179
-0.251848 -0.436799 -0.0471574 -0.281669]] } },
  },
  {
    name = "1/112",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Subtract", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Concatenate", options = { axis = 1, name = "n1" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[49 -8 9 10 -21 29 -19 -11 20 -32 12 -46 -7 -32 42 -25 -24 -4 14 38 36 -1 -34 36]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[97 64 51 25 29 68]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    steps_per_execution = 4,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {8, 1}, scale = 64, data = [[47 -40 6 -5 28 -16 -2 15]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.114473]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.114243]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.0937884]] } }, { { tensor = "float32", shape = {4, 1}, data = [[1.34075 0.36387 1.10299 0.846449]] } } },
    final = { { tensor = "float32", shape = {8, 1}, data = [[0.73305 -0.622886 0.0924482 -0.0773103 0.436531 -0.248336 -0.0318022 0.234215]] } },
  },
  {
    name = "1/115",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Average", options = { name = "n1" }, sources = { 1, 0 }, call = {} }, { layer = "Reshape", options = { target_shape = { 2, -1 }, name = "n2" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, activation = "sigmoid", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "dice", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = { object = "schedule", class = "piecewise_constant_decay", options = { boundaries = { 1, 2 }, values = { 0.05, 0.02, 0.01 } } } } },
    tasks = { "binary" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[47 53 -51 -6 0 0 0 0 0 0 0 0 47 -48 -20 58 50 -58 31 24 0 0 0 0 22 33 28 32 -42 11 -12 -43 9 -30 33 33 58 -47 33
-18 0 0 0 0 0 0 0 0 13 -31 31 2 -16 35 -56 -36 0 0 0 0 12 -13 52 36 -45 7 20 49 7 -50 -31 -13]] } },
    y = { { tensor = "float32", shape = {6, 2, 1}, scale = 64, data = [[64 0 0 0 64 0 64 64 0 64 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-18 25 -24 23 -37 10]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-26]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.499473]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.523758]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.495863]] } }, { { tensor = "float32", shape = {6, 2, 1}, data = [[0.500033 0.4046 0.260298 0.407952 0.537505 0.260735 0.227792 0.4046 0.36095 0.409509 0.452673 0.440468]] } } },
    final = { { tensor = "float32", shape = {6, 1}, data = [[-0.277406 0.395369 -0.371974 0.358907 -0.58602 0.156155]] }, { tensor = "float32", shape = {1}, data = [[-0.386333]] } },
  },
  {
    name = "1/119",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = { object = "residual", class = "residual", options = { layers = { { object = "layer", class = "dense", options = { units = 4, activation = "hard_silu" } }, { object = "layer", class = "prelu", options = {} } }, name = "inner0" } }, options = {}, sources = 0, call = {} }, { layer = "GaussianNoise", options = { stddev = 0, name = "n1" }, sources = 1, call = {} }, { layer = "ELU", options = { alpha = 0.7, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[19 50 15 61 -60 -50 43 -47 25 -42 -54 -32 -39 -6 32 -23 -53 22 -42 -48 -27 60 19 -62]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 2 2 1 2 0]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-39 5 46 38 5 -27 -43 -12 -47 10 24 -24 41 -30 8 -35]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-48 -4 -3 -11]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-38 24 9 40]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-29 -10 -32 -47 -13 -34 46 -48 -44 -22 38 -36]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[37 3 -16]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.904649]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.902665]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.900671]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.374841 0.51229 0.112869 0.763313 0.0938134 0.142874 0.375934 0.37063 0.253436 0.686651 0.145321 0.168029
0.381755 0.285896 0.332349 0.5426 0.230024 0.227376]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.609044 0.0765862 0.719408 0.591736 0.0783656 -0.42256 -0.669595 -0.186088 -0.734536 0.157343 0.375758
-0.372073 0.641034 -0.469963 0.127343 -0.546418]] }, { tensor = "float32", shape = {4}, data = [[-0.749257 -0.0611529 -0.0484079 -0.176216]] }, { tensor = "float32", shape = {4}, data = [[-0.59301 0.376513 0.140771 0.626761]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.447531 -0.164244 -0.4976 -0.72405 -0.207865 -0.536835 0.715656 -0.74726 -0.687146 -0.330695 0.584919
-0.566724]] }, { tensor = "float32", shape = {3}, data = [[0.571685 0.039436 -0.236121]] } },
  },
  {
    name = "1/120",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "selu" } }, name = "n0" }, sources = 0, call = {} }, { layer = "ActivityRegularization", options = { l1 = 0.01, l2 = 0.02, name = "n1" }, sources = 1, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "f1_score", options = { name = "m0", average = "macro" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = { object = "schedule", class = "piecewise_constant_decay", options = { boundaries = { 1, 2 }, values = { 0.05, 0.02, 0.01 } } }, clipvalue = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[34 -62 -12 -33 -2 9 22 2 3 -59 17 34 34 62 -5 -53 1 8 58 36 27 -62 46 22]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 64 0 0 0 64 0 0 64 0 0 64 0 0 0 64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    rematerialize = 4,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[39 -3 15 37 45 32 5 41 33 -20 19 -17 16 -9 -17 25]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-32 23 -3 21]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-42 -44 -34 42]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-32 19 -11 43 -18 11 16 -30 45 19 13 -3 25 20 -29 -17 -29 -34 3 -15 -1 -25 -29 -6 -25 -20 33 -16 -17 -8 -22 -18
8 41 15 -36]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-35 41 38]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.18776]] }, m0 = { tensor = "float32", shape = {}, data = [[0.285714]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.09371]] }, m0 = { tensor = "float32", shape = {}, data = [[0.285714]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.04387]] }, m0 = { tensor = "float32", shape = {}, data = [[0.285714]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.298535 1.99324 0.240488 0.256765 1.93113 -0.140222 0.285181 2.25327 0.100559 0.259726 1.40379 -0.516876
0.0609692 2.12378 -0.112581 0.130153 2.18309 0.29516]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.467335 -0.0506282 0.157725 0.423516 0.518076 0.355861 0.0595039 0.464178 0.366079 -0.215601 0.235831 -0.180992
0.169301 -0.0882742 -0.180876 0.298351]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.802676 -0.090989 -0.189396 -0.558177]] }, { tensor = "float32", shape = {4}, data = [[-0.674166 -0.665605 -0.550222 0.674922]] }, { tensor = "float32", shape = {12, 3}, data = [[-0.519047 0.278553 -0.151216 0.650017 -0.262784 0.191709 0.229154 -0.450699 0.721672 0.30734 0.209467 -0.0669981
0.369442 0.29414 -0.431792 -0.285234 -0.434247 -0.50973 0.0265162 -0.216886 0.00464532 -0.369442 -0.434603
-0.113761 -0.409935 -0.31284 0.534635 -0.269647 -0.247197 -0.104454 -0.363172 -0.263648 0.144933 0.650265
0.240642 -0.581387]] }, { tensor = "float32", shape = {3}, data = [[-0.525317 0.65219 0.57208]] } },
  },
  {
    name = "1/121",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "GroupNormalization", options = { axis = -1, center = false, groups = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "mean_absolute_error", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "log_cosh_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-9 -39 21 -29 0 46 -10 -9 55 -3 50 37 -57 10 -21 12 -1 2 26 -45 -38 -61 32 -18]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-12 -53 -32 -32 34 56]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[64 48 63 25 40 43]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[95 37 68 61]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[28 -16 -2 15]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.30404]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.614925]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.174061]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.49609]] }, m0 = { tensor = "float32", shape = {}, data = [[0.552482]] }, m1 = { tensor = "float32", shape = {}, data = [[0.141838]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.30404]] }, m0 = { tensor = "float32", shape = {}, data = [[0.614925]] }, m1 = { tensor = "float32", shape = {}, data = [[0.174061]] } }, { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 0 0 0 0 0]] } } },
    final = { { tensor = "float32", shape = {4}, scale = 64, data = [[95 37 68 61]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[28 -16 -2 15]] } },
  },
  {
    name = "1/122",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "GlobalAveragePooling2D", options = { keepdims = true, name = "n0" }, sources = 0, call = {} }, { layer = "Multiply", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "GlobalAveragePooling2D", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5 } } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m5" } }, { object = "metric", class = "root_mean_squared_error", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "polynomial_decay", options = { initial_learning_rate = 0.05, decay_steps = 4 } }, clipvalue = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-39 2 41 -43 -27 -18 56 7 25 -36 -56 -37 12 61 33 53 12 -55 14 56 27 22 49 62 38 15 -9 42 35 -10 24 9 -53 -31 35
-55 63 31 50 -6 6 46 -38 -41 -19 49 32 -11 48 55 50 -48 -48 5 -5 36 49 -29 -15 53 -40 10 3 63 -61 47 6 -42 -39
-17 -64 8 25 25 -13 -20 -57 -6 27 -11 24 -36 -37 -32 -43 46 -51 1 -48 -2 3 59 -2 -53 18 6 19 3 35 -22 -24 -12
-16 -27 -54 8 -40 -27 12 7 -31 43 -56 -5 44 -8 -49 -12 21 -54 -64 2 -8 51 25 -31 -2 -44 22 -43 -30 -6 13 21 -52
-23 56 -41 -55 0 -6 50 -55 -24]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[57 8 57 63 -38 -9 33 2 55 -37 18 56 -16 -42 -41 27 40 59]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[110 36 93 21 83 108]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {2, 3}, scale = 64, data = [[47 -9 -7 -3 -46 -37]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[27 -37 1]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.274942]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.591446]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.698795]] }, m6 = { tensor = "float32", shape = {1}, data = [[0.698795]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.27091]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.587897]] }, val_m5 = { tensor = "float32", shape = {1}, data = [[0.692959]] }, val_m6 = { tensor = "float32", shape = {1}, data = [[0.692959]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.226072]] }, m0 = { tensor = "float32", shape = {}, data = [[0.584678]] }, m5 = { tensor = "float32", shape = {}, data = [[0.648263]] }, m6 = { tensor = "float32", shape = {}, data = [[0.648263]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.269577]] }, m0 = { tensor = "float32", shape = {}, data = [[0.587063]] }, m5 = { tensor = "float32", shape = {}, data = [[0.69097]] }, m6 = { tensor = "float32", shape = {}, data = [[0.69097]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.4534 -0.573006 0.0212433 0.460168 -0.569417 0.0241625 0.442326 -0.588309 0.00888551 0.456357 -0.567591
0.0256118 0.450158 -0.57935 0.0161273 0.456552 -0.576342 0.0185771]] } } },
    final = { { tensor = "float32", shape = {2, 3}, data = [[0.71997 -0.136169 -0.105961 -0.0459603 -0.703666 -0.565973]] }, { tensor = "float32", shape = {3}, data = [[0.42745 -0.561485 0.0303799]] } },
  },
  {
    name = "1/123",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "EinsumDense", options = { equation = "...x,xy->...y", output_shape = 4, activation = "softmax", name = "n1" }, sources = 1, call = {} }, { layer = "AlphaDropout", options = { rate = 0, name = "n2" }, sources = 2, call = {} }, { layer = 3, options = {}, sources = 3, call = {} }, { layer = "Conv1D", options = { padding = "valid", kernel_size = 2, filters = 4, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, activation = "sigmoid", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "tversky", options = { alpha = 0.25, beta = 0.75 } } },
    metrics = { { { object = "metric", class = "binary_accuracy", options = { name = "m0", threshold = 0.25 } }, { object = "metric", class = "auc", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "binary" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-56 -16 -58 -14 0 0 0 0 0 0 0 0 60 -60 32 -1 -58 -33 30 38 0 0 0 0 2 21 -32 -23 -16 58 -49 -53 6 50 -49 28 -43
27 -54 45 0 0 0 0 0 0 0 0 10 -44 -35 3 19 -49 -63 62 0 0 0 0 -18 13 -13 29 44 -10 26 36 -28 42 -37 15]] } },
    y = { { tensor = "float32", shape = {6, 2, 3}, scale = 64, data = [[64 64 64 64 64 64 0 64 0 64 64 64 64 64 0 64 64 0 0 64 0 64 64 64 0 64 0 0 64 0 0 0 64 64 0 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    steps_per_execution = 2,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[21 -24 4 -18 38 27 -7 21 8 26 -1 -28 -38 33 -26 45]] }, { tensor = "float32", shape = {2, 4, 4}, scale = 64, data = [[-3 -36 47 -32 8 48 -17 -25 46 38 -14 -42 6 7 -30 -20 -6 -13 22 -45 -34 -45 -16 -22 8 -27 -30 -35 5 41 32 34]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-6 -31 40 43]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-21 -47 8 39 14 -18 -48 40 -15 -48 20 -37]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[29 -45 10]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.376572]] }, m0 = { tensor = "float32", shape = {}, data = [[0.75]] }, m1 = { tensor = "float32", shape = {}, data = [[0.236111]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.37586]] }, m0 = { tensor = "float32", shape = {}, data = [[0.75]] }, m1 = { tensor = "float32", shape = {}, data = [[0.240741]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.443297]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.638889]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.329431]] } }, { { tensor = "float32", shape = {4, 2, 3}, data = [[0.466007 0.37368 0.546324 0.445425 0.391278 0.543382 0.42666 0.399265 0.532497 0.498758 0.381062 0.53429
0.424458 0.397305 0.556191 0.356945 0.456975 0.499023 0.482335 0.377999 0.540436 0.445425 0.391278 0.543382]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.328219 -0.375002 0.0624675 -0.28131 0.593434 0.422069 -0.108812 0.327683 0.12487 0.406181 -0.0152312 -0.437695
-0.593657 0.515468 -0.406462 0.703401]] }, { tensor = "float32", shape = {2, 4, 4}, data = [[-0.0480028 -0.561815 0.734571 -0.500224 0.124007 0.750451 -0.265522 -0.391135 0.717528 0.59433 -0.218263
-0.656291 0.0923023 0.109893 -0.467901 -0.312359 -0.0949124 -0.202479 0.343927 -0.703476 -0.532335 -0.702699
-0.24953 -0.343848 0.123925 -0.421402 -0.468359 -0.547017 0.0766568 0.641314 0.500598 0.531208]] }, { tensor = "float32", shape = {4}, data = [[-0.0983858 -0.482165 0.626632 0.671242]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.328061 -0.734155 0.12494 0.608475 0.216607 -0.281618 -0.748278 0.628316 -0.233879 -0.750162 0.312574
-0.578228]] }, { tensor = "float32", shape = {3}, data = [[0.455319 -0.6976 0.157581]] } },
  },
  {
    name = "1/125",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, trainable = false, activation = "softplus", name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", activation = "relu", name = "n2" }, sources = 2, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "cosine_similarity", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } }, { object = "metric", class = "root_mean_squared_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[29 -29 64 -39 30 -17 -44 -21 37 9 -60 -24 -16 -22 46 -42 -49 17 -61 41 57 -21 -14 22]] } },
    y = { { tensor = "float32", shape = {6, 3, 3}, scale = 64, data = [[45 15 -63 -14 -33 27 56 12 14 -6 -37 -21 -18 -7 3 0 -19 -53 17 46 34 57 -13 -54 -41 22 -36 -44 24 9 -56 -43 -55
43 0 -34 7 -38 -46 41 43 21 -38 26 59 5 -24 -43 -50 64 13 -51 -51 -32]] } },
    sample_weight = { tensor = "float32", shape = {6, 3}, scale = 64, data = [[25 109 93 42 93 93 87 42 79 120 23 66 92 95 24 102 90 121]] },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[2 15 40 22 -45 -44 48 26 32 26 34 -16 -44 35 -48 8]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-43 -5 -33 -14]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[24 -26 -47 2 -26 -14 -14 -46 45 37 -47 -18 -5 46 -42 39]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[43 -23 -2 -19]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[25 32 28 -18 -34 13 -46 42 -44 11 -38 1]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-4 44 5]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.0681411]] }, m0 = { tensor = "float32", shape = {}, data = [[0.823479]] }, m1 = { tensor = "float32", shape = {}, data = [[0.940233]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0657455]] }, m0 = { tensor = "float32", shape = {}, data = [[0.816442]] }, m1 = { tensor = "float32", shape = {}, data = [[0.932285]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0632893]] }, m0 = { tensor = "float32", shape = {}, data = [[0.808753]] }, m1 = { tensor = "float32", shape = {}, data = [[0.923796]] } }, { { tensor = "float32", shape = {6, 3, 3}, data = [[0.174926 0.912545 0.742913 0.174926 0.912545 0.742913 0.174926 0.912545 0.742913 0.139145 0.940391 0.461289
0.139145 0.940391 0.461289 0.139145 0.940391 0.461289 0.138769 0.963135 0.387373 0.138769 0.963135 0.387373
0.138769 0.963135 0.387373 0.169767 0.93519 0.64343 0.169767 0.93519 0.64343 0.169767 0.93519 0.64343 0.134824
0.952623 0.399248 0.134824 0.952623 0.399248 0.134824 0.952623 0.399248 0.125375 0.8928 0.537192 0.125375 0.8928
0.537192 0.125375 0.8928 0.537192]] } } },
    final = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[2 15 40 22 -45 -44 48 26 32 26 34 -16 -44 35 -48 8]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-43 -5 -33 -14]] }, { tensor = "float32", shape = {4, 4}, data = [[0.358803 -0.415776 -0.734375 0.03125 -0.422159 -0.234184 -0.21875 -0.71875 0.68782 0.603267 -0.734375 -0.28125
-0.0944729 0.714265 -0.65625 0.609375]] }, { tensor = "float32", shape = {4}, data = [[0.659466 -0.370964 -0.03125 -0.296875]] }, { tensor = "float32", shape = {4, 3}, data = [[0.376346 0.510554 0.422848 -0.295267 -0.57117 0.207457 -0.71875 0.65625 -0.6875 0.171875 -0.59375 0.015625]] }, { tensor = "float32", shape = {3}, data = [[-0.0747072 0.699358 0.0658935]] } },
  },
  {
    name = "1/126",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "GlobalAveragePooling1D", options = { keepdims = false, name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "TimeDistributed", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "log_softmax" } }, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, activation = "softplus", name = "n3" }, sources = 3, call = {} }, { layer = "AdditiveAttention", options = { name = "n4" }, sources = { 4, 0 }, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "tanh", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "hinge", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05, use_ema = true, ema_momentum = 0.75, weight_decay = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[54 -55 4 -13 -56 -1 -40 -42 -15 -45 -63 -37 0 -10 -31 14 -48 -45 23 -59 22 6 37 56 -62 -56 -50 59 -50 -29 -16 30
63 -27 -45 -48 0 10 54 31 3 -57 -46 64 14 14 -38 -52 -51 45 -49 -23 12 8 -29 40 13 -54 -28 23 -57 29 2 39 59 37
-4 -11 44 52 14 -6]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[-64 64 64 64 -64 64 64 -64 64 64 64 -64 64 -64 64 -64 -64 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[20 44 48 47 47 42 13 -45 -32 35 -45 40 -42 -47 2 -15]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[26 -31 26 28]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[33 5 15 -5 -41 -28 -28 0 35 -12 -26 -5 -47 -11 31 -15]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[6 -11 22 -35]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[45 42 41 83]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[34 9 21 22]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-18]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.36081]] }, m0 = { tensor = "float32", shape = {}, data = [[1.09321]] }, m1 = { tensor = "float32", shape = {}, data = [[1.09321]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.23104]] }, m0 = { tensor = "float32", shape = {}, data = [[1.05646]] }, m1 = { tensor = "float32", shape = {}, data = [[1.05646]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.17729]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.04473]] }, m1 = { tensor = "float32", shape = {1}, data = [[1.04473]] } }, { { tensor = "float32", shape = {4, 3, 1}, data = [[-0.312244 -0.312244 -0.312244 0.176543 0.176543 0.176543 -0.429212 -0.429212 -0.429212 0.0601491 0.0601491
0.0601491]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.328048 0.666476 0.759095 0.720628 0.771614 0.610979 0.227776 -0.719519 -0.461102 0.506024 -0.677077 0.604178
-0.628807 -0.756389 0.0459536 -0.247657]] }, { tensor = "float32", shape = {4}, data = [[0.353962 -0.430628 0.374987 0.45288]] }, { tensor = "float32", shape = {4, 4}, data = [[0.569847 0.0586042 0.290413 -0.030533 -0.574321 -0.477475 -0.37309 0.0551321 0.598769 -0.213963 -0.3486
-0.0291351 -0.677013 -0.20161 0.538092 -0.188843]] }, { tensor = "float32", shape = {4}, data = [[0.0402812 -0.147146 0.288181 -0.587721]] }, { tensor = "float32", shape = {4}, data = [[0.754968 0.624707 0.699418 1.35442]] }, { tensor = "float32", shape = {4, 1}, data = [[0.458842 0.0647613 0.250898 0.413734]] }, { tensor = "float32", shape = {1}, data = [[-0.209224]] } },
  },
  {
    name = "1/129",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Reshape", options = { target_shape = { -1 }, name = "n0" }, sources = 0, call = {} }, { layer = "LayerNormalization", options = { axis = -1, center = false, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { { { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[1 62 19 43 -45 -23 -19 9 -33 8 7 -61 -53 15 14 2 27 31 12 19 26 53 -64 37 38 -56 -56 43 43 7 29 11 -28 35 7 -4
-61 -55 27 -4 -15 -36 -30 -61 15 19 -6 -16 31 15 31 59 49 -42 -50 1 45 0 -42 -7 36 -38 -52 -4 -48 30 18 12 -6
-31 51 -59]] } },
    y = { { tensor = "int32", shape = {6}, data = [[1 0 0 0 1 1]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[58 102 43 103 62 107]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    steps_per_execution = 4,
    policy = "mixed_bfloat16",
    weights = { { tensor = "float32", shape = {12}, scale = 64, data = [[86 68 91 66 43 84 35 69 39 60 66 68]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-7 25 30 -27 44 -43 -43 1 24 -39 -45 48 -34 43 -8 42 -25 23 5 22 -5 25 -45 31 18 -20 -27 15 -35 -44 -32 -31 -28
-19 32 25]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[2.27216]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.57633]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.978214]] }, m0 = { tensor = "float32", shape = {}, data = [[0.810791]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.14137]] }, m0 = { tensor = "float32", shape = {}, data = [[1.49365]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.144531 0.363281 0.492188 0.867188 0.0776367 0.0544434 0.527344 0.0255127 0.445312 0.259766 0.267578 0.470703
0.0148315 0.423828 0.5625 0.804688 0.00708008 0.188477]] } } },
    final = { { tensor = "float32", shape = {12}, data = [[1.3529 1.06967 1.4106 1.01616 0.660927 1.30925 0.546227 1.0705 0.614742 0.951383 1.03132 1.05523]] }, { tensor = "float32", shape = {12, 3}, data = [[-0.132646 0.408062 0.474584 -0.434095 0.695308 -0.667444 -0.65319 0.00605595 0.36585 -0.605117 -0.696413
0.739018 -0.525067 0.665809 -0.125106 0.646863 -0.388619 0.366767 0.0759663 0.343705 -0.0759185 0.376453
-0.695026 0.490441 0.286402 -0.315684 -0.423854 0.249466 -0.553628 -0.695821 -0.506551 -0.476945 -0.438392
-0.287985 0.484285 0.397476]] } },
  },
  {
    name = "1/130",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Add", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 4, activation = "leaky_relu", name = "n1" }, sources = 1, call = {} }, { layer = 2, options = {}, sources = 2, call = {} }, { layer = { object = "residual", class = "residual", options = { layers = { { object = "layer", class = "dense", options = { units = 4, activation = "softmax" } }, { object = "layer", class = "prelu", options = {} } }, name = "inner3" } }, options = {}, sources = 1, call = {} }, { layer = "GroupNormalization", options = { axis = -1, scale = false, beta_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, groups = 4, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n5" }, sources = 3, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "cosine_similarity", options = { reduction = "mean" } } },
    metrics = { { { object = "metric", class = "mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "log_cosh_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[44 -19 28 19 -46 45 -31 -21 16 -5 61 -59 13 -14 -32 23 -30 -54 -11 -23 -48 62 0 22]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[1 7 -29 19 35 -56 -26 -6 -22 -21 -44 -26 0 12 -12 19 -13 -64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    steps_per_execution = 3,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[47 -40 6 -5 28 -16 -2 15 -7 -25 -18 -46 -24 -7 -29 -34]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-7 17 31 12]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-13 25 -8 -12 32 -9 5 27 10 -6 16 -21]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.45553]] }, m0 = { tensor = "float32", shape = {}, data = [[0.252594]] }, m1 = { tensor = "float32", shape = {}, data = [[0.117239]] } }, { loss = { tensor = "float32", shape = {}, data = [[-0.051978]] }, m0 = { tensor = "float32", shape = {}, data = [[0.237371]] }, m1 = { tensor = "float32", shape = {}, data = [[0.110417]] } }, { loss = { tensor = "float32", shape = {}, data = [[-0.18742]] }, m0 = { tensor = "float32", shape = {}, data = [[0.230333]] }, m1 = { tensor = "float32", shape = {}, data = [[0.106898]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.206748 0.481573 -0.200907 0.0509347 -0.242936 0.0470699 -0.30613 0.330953 -0.238073 0.0193406 -0.0747353
0.0182404 -0.0292927 -0.112725 -0.0252927 -0.0182795 0.244699 -0.0290029]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.84823 -0.569169 -0.0261557 0.0259049 0.353374 -0.361873 -0.148222 0.191104 -0.00956865 -0.428121 -0.380656
-0.778485 -0.44682 -0.201273 -0.493068 -0.425411]] }, { tensor = "float32", shape = {4}, data = [[-0.00215862 0.235405 0.367256 0.299894]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.319693 0.361241 -0.254177 -0.0992441 0.605256 -0.00952588 -0.0101335 0.304759 0.0539844 -0.0457484 0.362264
-0.20651]] } },
  },
  {
    name = "1/131",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "DepthwiseConv1D", options = { padding = "same", kernel_size = 2, depth_multiplier = 2, activation = "selu", name = "n1" }, sources = 1, call = {} }, { layer = "AveragePooling1D", options = { padding = "valid", strides = 2, pool_size = 2, name = "n2" }, sources = 2, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "selu" } }, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 4, activation = "log_softmax", name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, activation = "tanh", name = "n5" }, sources = 4, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "squared_hinge", options = { name = "m0" } }, { object = "metric", class = "squared_hinge", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "signs" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[5 0 0 5 4 0 1 2 5 3 0 0 3 3 0 3 5 3]] } },
    y = { { tensor = "float32", shape = {6, 1, 3}, scale = 64, data = [[64 64 64 64 64 -64 64 64 64 64 -64 -64 -64 64 64 -64 -64 -64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[47 -9 -7 -3 -46 -37 27 -37 1 -1 38 -1 -17 34 20 -23 -11 -26 41 -30 -20 -35 -31 -17]] }, { tensor = "float32", shape = {2, 4, 2}, scale = 64, data = [[-36 24 -17 -34 47 10 7 7 -44 40 -8 -44 3 14 -31 -48]] }, { tensor = "float32", shape = {8}, scale = 64, data = [[-12 -24 44 -2 -26 48 7 -7]] }, { tensor = "float32", shape = {8, 4}, scale = 64, data = [[-10 -8 16 35 7 -48 17 -38 1 -26 35 7 14 -23 20 21 12 39 1 -25 -28 -26 -48 46 28 -43 -11 24 31 45 -12 -14]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-17 30 43 12]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[11 5 0 46]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-3 -15 0 -41 -43 -40 -40 -22 -26 23 -48 32]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-31 -25 32]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.42953 1.92014 1.42123]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.42953 1.92014 1.42123]] }, m1 = { tensor = "float32", shape = {3}, data = [[1.42953 1.92014 1.42123]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.54999]] }, m0 = { tensor = "float32", shape = {}, data = [[1.54999]] }, m1 = { tensor = "float32", shape = {}, data = [[1.54999]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[0.743043 -0.132295 -0.106526 -0.0373577 -0.714083 -0.577495 0.389752 -0.580666 0.0224339 -0.0149312 0.589132
-0.000270137 -0.264555 0.534602 0.325763 -0.357552 -0.1654 -0.401888 0.640176 -0.464428 -0.306262 -0.540518
-0.483422 -0.265154]] }, { tensor = "float32", shape = {2, 4, 2}, data = [[-0.552343 0.36248 -0.258321 -0.525934 0.726348 0.158598 0.110892 0.114929 -0.696673 0.640885 -0.117365 -0.682685
0.0277282 0.225653 -0.481249 -0.745842]] }, { tensor = "float32", shape = {8}, data = [[-0.198297 -0.364579 0.679972 -0.0414053 -0.408074 0.752226 0.11112 -0.113809]] }, { tensor = "float32", shape = {8, 4}, data = [[-0.086539 -0.0694588 0.155491 0.331446 0.0690381 -0.442385 0.158114 -0.346392 0.00399191 -0.244253 0.321269
0.0580653 0.12585 -0.219884 0.179125 0.192643 0.116065 0.362906 0.0119845 -0.224664 -0.264954 -0.244021
-0.447815 0.41925 0.254728 -0.400668 -0.10386 0.215433 0.293627 0.425686 -0.101831 -0.125762]] }, { tensor = "float32", shape = {1, 4}, data = [[0.193911 0.806201 0.105371 -0.54894]] }, { tensor = "float32", shape = {4}, data = [[0.163951 0.0742395 -0.00395547 0.708316]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.0485059 -0.221679 0.0101673 -0.665146 -0.624717 -0.699477 -0.646119 -0.323745 -0.445483 0.371159 -0.675112
0.558724]] }, { tensor = "float32", shape = {3}, data = [[-0.482161 -0.378255 0.487417]] } },
  },
  {
    name = "1/132",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = { object = "residual", class = "residual", options = { layers = { { object = "layer", class = "dense", options = { units = 4, activation = "softmax" } }, { object = "layer", class = "prelu", options = {} }, { object = "layer", class = "layer_normalization", options = {} } }, name = "inner1" } }, options = {}, sources = 1, call = {} }, { layer = "ActivityRegularization", options = { l1 = 0.01, l2 = 0.02, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { from_logits = true } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = { object = "schedule", class = "piecewise_constant_decay", options = { boundaries = { 1, 2 }, values = { 0.05, 0.02, 0.01 } } } } },
    tasks = { "sparse" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[8 43 -57 41 0 0 0 0 0 0 0 0 31 -12 -8 -28 6 44 -18 -40 0 0 0 0 -22 -44 34 26 28 37 -45 -43 24 -37 -59 -53 -56 2
61 54 0 0 0 0 0 0 0 0 -37 20 2 46 2 -4 58 27 0 0 0 0 54 -20 60 39 61 0 -1 -7 55 28 44 -58]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 2 2 1 1 1]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[21 -24 4 -18 38 27 -7 21 8 26 -1 -28 -38 33 -26 45]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-3 -36 47 -32]] }, { tensor = "float32", shape = {3, 4}, scale = 64, data = [[8 48 -17 -25 46 38 -14 -42 6 7 -30 -20]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[60 55 79 34]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-34 -45 -16 -22]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[8 -27 -30 -35 5 41 32 34 -6 -31 40 43 -21 -47 8 39 14 -18 -48 40 -15 -48 20 -37 29 -45 10 12 48 -25 -11 -29 7 27
-48 29]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-46 -46 -37]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[-3.41516 0.338922 0.468822 0.147789 -1.84827 -1.4372 -0.150823 -0.414092 -0.0530801 -3.37697 1.5096 1.58629
-3.68317 2.33167 0.83633 -0.794146 -0.845546 -1.27559]] } }, { loss = { tensor = "float32", shape = {2}, data = [[2.10235 1.73528]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.5583]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.199829 -0.335837 0.136277 -0.265895 0.713612 0.347679 -0.0707571 0.243841 -0.0661035 0.472856 0.0139104
-0.342538 -0.5664 0.454242 -0.283902 0.614809]] }, { tensor = "float32", shape = {4}, data = [[-0.115654 -0.57433 0.94462 -0.629636]] }, { tensor = "float32", shape = {3, 4}, scale = 64, data = [[8 48 -17 -25 46 38 -14 -42 6 7 -30 -20]] }, { tensor = "float32", shape = {4}, data = [[0.847866 0.783557 1.11311 0.351619]] }, { tensor = "float32", shape = {4}, data = [[-0.579255 -0.587103 -0.311532 -0.270433]] }, { tensor = "float32", shape = {12, 3}, data = [[0.0887922 -0.456578 -0.397839 -0.467427 0.0850467 0.554255 0.302794 0.681335 -0.0466289 -0.370574 0.61888
0.564194 -0.414811 -0.707024 0.184335 0.626038 0.149859 -0.229022 -0.734186 0.717125 -0.342314 -0.676912
0.301896 -0.640609 0.40632 -0.613458 0.113387 0.232463 0.727603 -0.413191 -0.199416 -0.379022 0.0628126 0.489205
-0.824904 0.4607]] }, { tensor = "float32", shape = {3}, data = [[-0.748425 -0.679333 -0.587867]] } },
  },
  {
    name = "1/135",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Dropout", options = { rate = 0, name = "n0" }, sources = 0, call = {} }, { layer = "BatchNormalization", options = { axis = 1, momentum = 0.5, synchronized = true, trainable = false, name = "n1" }, sources = 1, call = {} }, { layer = "GroupQueryAttention", options = { head_dim = 2, num_query_heads = 4, num_key_value_heads = 2, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { l1_regularization_strength = 0.01, l2_regularization_strength = 0.02, learning_rate = 0.01, clipvalue = 0.05, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-40 -33 20 61 -45 -60 -17 28 39 39 47 5 52 11 -41 40 -36 -45 48 -19 7 20 4 -29 1 -38 41 -44 6 6 58 21 -35 -49
-54 42 -29 -50 -36 0 61 -14 34 60 -33 -32 -17 -27 64 24 59 20 59 55 -52 -43 -34 64 -11 -54 -63 -3 -57 49 -15 -42
16 44 11 -60 -1 7]] } },
    y = { { tensor = "int32", shape = {6}, data = [[1 2 2 2 0 1]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {12, 3}, scale = 64, data = [[20 44 48 47 47 42 13 -45 -32 35 -45 40 -42 -47 2 -15 26 -31 26 28 33 5 15 -5 -41 -28 -28 0 35 -12 -26 -5 -47 -11
31 -15]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[6 -11 22]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.65865]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.743668]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.742299]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.331643 0.338649 0.329708 0.330579 0.332438 0.336983 0.328593 0.330358 0.341049 0.329214 0.33005 0.340736
0.338714 0.329603 0.331682 0.330313 0.331806 0.337881]] } } },
    final = { { tensor = "float32", shape = {12, 3}, data = [[0.0015305 0 0.00717611 0.0132984 0 0.00389291 0.00214454 -0.000307538 -0.00446496 -0.00013046 -0.00352516
-0.00134857 0.00156163 -0.00932075 0.000991805 0.0014394 -0.00207641 -0.00562135 5.60998e-05 0.00349433 0.010359
-0.00334313 0.00103487 0.00179659 -0.00160095 -0.000439069 -0.00733451 0.00228968 0.00794529 -0.00522869
-0.000383299 0.00214808 -0.0113634 -0.000927431 0.00164829 0.000464286]] }, { tensor = "float32", shape = {3}, data = [[-9.62136e-05 -0.00116627 0.00545602]] } },
  },
  {
    name = "1/138",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Permute", options = { dims = { 2, 1, 4, 3 }, name = "n0" }, sources = 0, call = {} }, { layer = "GlobalAveragePooling3D", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05, gradient_accumulation_steps = 2 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-11 -41 17 -33 -57 26 -24 -14 18 31 -34 -25 -35 36 8 63 -48 18 36 -26 -43 -33 48 3 -49 -33 -44 -1 -60 -11 -38
-55 -19 -53 28 -51 -27 64 -19 30 0 -4 37 -41 -50 -6 -56 56 42 10 -52 35 -61 -34 -12 46 -23 -60 60 19 -46 15 -46
-16 38 -51 54 16 42 -43 51 7 -17 -51 13 -31 -16 59 23 -61 -17 -14 12 -44 18 24 18 50 37 -59 -41 9 40 -61 -14 -63
-45 59 -5 27 63 -27 -43 -39 47 10 12 -55 16 50 51 16 -54 17 6 -21 30 24 3 63 -14 -55 -55 -47 5 -58 49 56 -29 -43
31 -51 -35 14 -26 -36 -21 57 -34 -10 29 -34 -31 9]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 64 -64 64 64 64 -64 -64 -64 64 64 64 -64 -64 64 64 64 -64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {2, 3}, scale = 64, data = [[34 6 40 2 -32 30]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-43 7 -38]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.3547]] }, val_loss = { tensor = "float32", shape = {1}, data = [[1.34383]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.4331]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.34383]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.635698 0.0843734 -0.592736 -0.681554 0.183278 -0.704482 -0.645536 -0.0128596 -0.551782 -0.604454 0.188776
-0.60756 -0.481928 0.124583 -0.393389 -0.65716 0.184727 -0.674216]] } } },
    final = { { tensor = "float32", shape = {2, 3}, data = [[0.52657 0.088792 0.626785 0.0282154 -0.503416 0.46751]] }, { tensor = "float32", shape = {3}, data = [[-0.656315 0.113099 -0.579998]] } },
  },
  {
    name = "1/140",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "selu", name = "n0" }, sources = 0, call = {} }, { layer = 2, options = {}, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n2" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = {} } },
    metrics = { { { object = "metric", class = "top_k_categorical_accuracy", options = { name = "m0", k = 2 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01, clipvalue = 0.05, gradient_accumulation_steps = 2 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-36 -38 -11 -34 63 41 54 19 32 41 -59 20 19 30 53 -45 36 -63 11 -15 -33 -20 -11 23]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[56 15 9 38 -24 12 -23 -55 63 30 -29 55 -43 27 -58 52 53 -42 -5 -37 53 12 -28 23]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 64 0 0 64 0 64 0 0 0 64 0 0 0 64]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    rematerialize = 7,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[47 -9 -7 -3 -46 -37 27 -37 1 -1 38 -1 -17 34 20 -23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-11 -26 41 -30]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-20 -35 -31 -17 -36 24 -17 -34 47 10 7 7]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-44 40 -8]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.24051]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.963067]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.2653]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.833333]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.137066 0.463663 0.399271 0.164284 0.501418 0.334298 0.160385 0.617605 0.22201 0.161556 0.449236 0.389208]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.737989 -0.135782 -0.112718 -0.0503405 -0.71411 -0.573282 0.426718 -0.574477 0.0119784 -0.020468 0.588907
-0.0175005 -0.268997 0.536093 0.317343 -0.354532]] }, { tensor = "float32", shape = {4}, data = [[-0.167334 -0.410791 0.636084 -0.473291]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.316224 -0.542457 -0.488793 -0.261207 -0.566918 0.379418 -0.270043 -0.526832 0.729957 0.157185 0.113793
0.104957]] }, { tensor = "float32", shape = {3}, data = [[-0.692913 0.630413 -0.130413]] } },
  },
  {
    name = "1/141",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "RMSNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, name = "n1" }, sources = 1, call = {} }, { layer = "GaussianNoise", options = { stddev = 0, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m0" } }, { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m1", k = 2 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[10 -18 -20 -26 -52 -23 -32 -43 51 -13 49 48 -35 32 9 -12 -27 47 25 -41 20 48 -19 -40 -18 -2 -55 -15 10 26 -9 -20
-58 -50 45 -54 43 -39 -25 44 36 12 59 -51 -21 30 35 -32 1 -31 -56 30 3 -18 9 16 -29 37 12 60 -48 61 -39 -15 -61
18 39 -24 10 7 -26 38]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 2 2 0 0 2]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[78 48 67 52]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[38 27 -7 21]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[8]] }, { tensor = "float32", shape = {3, 3}, scale = 64, data = [[26 -1 -28 -38 33 -26 45 -3 -36]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.595844]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.572979]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.652111]] }, m0 = { tensor = "float32", shape = {1}, scale = 64, data = [[32]] }, m1 = { tensor = "float32", shape = {1}, scale = 64, data = [[64]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.780694 0.0710272 0.148278 0.391319 0.204633 0.404049 0.0529754 0.351975 0.59505 0.312333 0.411374 0.276293]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[1.24005 0.720126 1.04334 0.846062]] }, { tensor = "float32", shape = {4, 1}, data = [[0.637544 0.368258 -0.0731725 0.40926]] }, { tensor = "float32", shape = {1}, data = [[0.0667954]] }, { tensor = "float32", shape = {3, 3}, data = [[0.447135 -0.020565 -0.473445 -0.585189 0.505855 -0.405042 0.69393 -0.0269129 -0.573267]] } },
  },
  {
    name = "1/142",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, activation = "mish", name = "n2" }, sources = 2, call = {} }, { layer = "MaxPooling1D", options = { padding = "same", pool_size = 2, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 4, activation = "hard_silu", name = "n4" }, sources = 4, call = {} }, { layer = "Permute", options = { dims = { 2, 1 }, name = "n5" }, sources = 5, call = {} }, { layer = "Flatten", options = { name = "n6" }, sources = 6, call = {} }, { layer = "Dense", options = { units = 1, name = "n7" }, sources = 7, call = {} } },
    outputs = { 8 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { from_logits = true, gamma = 1.5, apply_class_balancing = false } } },
    metrics = { { { object = "metric", class = "binary_crossentropy", options = { name = "m0", from_logits = true } }, { object = "metric", class = "binary_crossentropy", options = { name = "m1", from_logits = true } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "inverse_time_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } }, global_clipnorm = 0.5 } },
    tasks = { "binary" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[2 0 0 2 1 0 4 2 4 1 0 0 5 4 0 5 3 3]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 64 64 64 64 64]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-18 25 -24 23 -37 10 -26 7 -4 -7 -48 -17 22 1 17 25 41 -48 -1 -12 1 -8 22 -1]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[44 85 44 86]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[47 -34 41 -27 -12 -4 31 -13 -4 -26 -9 35 -15 4 -9 41]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-36 21 41 36]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[38 5 11 -9 -42 32 -34 11 4 24 32 -15 -9 1 17 25]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-32 35 35 5]] }, { tensor = "float32", shape = {8, 1}, scale = 64, data = [[8 -46 7 -28 -23 -20 -21 40]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[12]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.429032]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.685985]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.685985]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.226432]] }, m0 = { tensor = "float32", shape = {}, data = [[0.599872]] }, m1 = { tensor = "float32", shape = {}, data = [[0.599872]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.166526]] }, m0 = { tensor = "float32", shape = {}, data = [[0.529576]] }, m1 = { tensor = "float32", shape = {}, data = [[0.529576]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.658703 0.732021 0.548544 0.657963 0.658528 0.654527]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.342062 0.309378 -0.354337 0.412428 -0.574812 0.1545 -0.416136 0.091936 -0.070175 -0.11389 -0.750091 -0.261752
0.320378 -0.0191121 0.274403 0.406879 0.613824 -0.77593 -0.0152458 -0.173589 0.015324 -0.129335 0.341039
-0.0403855]] }, { tensor = "float32", shape = {4}, data = [[0.671429 1.31342 0.683759 1.35573]] }, { tensor = "float32", shape = {4, 4}, data = [[0.715867 0.00963076 0.639248 6.58354e-05 0.00845703 0 0.453967 0.0148693 0.000278385 0.00550122 0.00532561
0.535143 0.00167594 0.0939588 0 0.658403]] }, { tensor = "float32", shape = {4}, data = [[-0.583993 0.392002 0.558587 0.563298]] }, { tensor = "float32", shape = {4, 4}, data = [[0.591827 0.0847689 0.176442 -0.150661 -0.663947 0.483467 -0.58924 0.183875 0.0459075 0.341488 0.431211 -0.195195
-0.165142 -0.0286944 0.169841 0.448568]] }, { tensor = "float32", shape = {4}, data = [[-0.535672 0.499793 0.436514 0.134838]] }, { tensor = "float32", shape = {8, 1}, data = [[0.0415295 -0.79707 0.261699 -0.293207 -0.260427 -0.191085 -0.267288 0.686581]] }, { tensor = "float32", shape = {1}, data = [[0.3892]] } },
  },
  {
    name = "1/145",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, trainable = false, activation = "exponential", name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "binary_crossentropy", options = { from_logits = true } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = { object = "schedule", class = "exponential_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } } } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[50 55 35 7 -45 48 48 54 47 -43 -21 18 -58 -23 -45 -30 4 5 28 -15 37 -10 41 17]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-33 -46 7 49 64 -52 -8 -55 -57 -24 42 -41 -29 12 1 -24 -44 -48 -27 -63 -8 14 10 64]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 0 64 64 0 64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-10 -29 21 15 -35 -41 13 -27 -29 -46 -6 32 24 -33 -32 3]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-25 31 42 -41]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[10 -20 -34 -24 45 -34 35 10 34 5 26 3 -14 -44 26 -2]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[23 23 13 20]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-1 -34 -10 -44]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[35]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.92261]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.52229]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.2639]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-2.23972 -1.89196 -0.567172 -0.379688 -1.33029 -1.15479]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.103963 -0.401537 0.308636 0.297294 -0.510491 -0.592024 0.192498 -0.365261 -0.451619 -0.681415 -0.0921736
0.540031 0.366734 -0.505757 -0.497351 0.054782]] }, { tensor = "float32", shape = {4}, data = [[-0.311594 0.536522 0.612593 -0.56677]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[10 -20 -34 -24 45 -34 35 10 34 5 26 3 -14 -44 26 -2]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[23 23 13 20]] }, { tensor = "float32", shape = {4, 1}, data = [[0.0854845 -0.436286 -0.0638622 -0.597447]] }, { tensor = "float32", shape = {1}, data = [[0.625603]] } },
  },
  {
    name = "1/147",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Subtract", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n2" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-21 11 41 -3 -22 26 -59 -40 -42 -17 17 60 -20 -62 -21 49 23 -30 0 -4 52 38 36 -56]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-12 -34 28 -38 22 -37 57 -8 -20 52 -40 6 9 -30 -40 37 17 -2 38 -64 -8 -30 -6 13]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[-38 -12 26 60 -39 12 0 6 21 20 19 -42 -26 48 -32 12 -1 5]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[34 6 40 2]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.390046]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.446598]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.40965]] }, m0 = { tensor = "float32", shape = {}, data = [[0.462876]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.388638]] }, m0 = { tensor = "float32", shape = {}, data = [[0.446598]] } }, { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[0.511809 0.0850308 0.603428 0.0241774]] } },
  },
  {
    name = "1/148",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RepeatVector", options = { n = 3, name = "n0" }, sources = 0, call = {} }, { layer = "Bidirectional", options = { layer = { object = "layer", class = "simple_rnn", options = { units = 4, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} } } }, merge_mode = "concat", name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, activation = "sigmoid", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-62 59 -37 23 14 1 -36 -57 -45 19 24 57 42 -16 51 30 -23 -36 -9 -20 28 6 59 24]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[33 54 -18 -19 32 49 -8 33 -47 -33 16 60 53 -55 31 63 32 26]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[8 -24 -7 13 27 -40 37 20 -2 -47 -24 21 36 15 28 -18]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-1 -30 -37 20 11 33 -31 -21 2 21 -22 23 -32 26 -24 27]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[40 -2 35 15]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[4 38 -4 22 30 -39 39 38 -17 -3 30 19 -32 -25 29 22]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-5 36 7 38 6 -37 0 9 19 3 -47 -20 -8 24 39 1]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-38 -27 22 -32]] }, { tensor = "float32", shape = {8, 4}, scale = 64, data = [[26 7 32 38 9 24 -12 3 -7 17 -10 26 -31 11 -6 44 6 -19 -26 -48 -32 -4 33 -2 -10 -45 34 -29 -12 48 -3 30]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[14 -27 -42 21]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[3 -13 -33 44 10 36 22 32 23 31 -41 -15]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[13 30 -9]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.301551 0.169939 0.293286]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.301551 0.169939 0.293286]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.24736]] }, m0 = { tensor = "float32", shape = {}, data = [[0.24736]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.174704 -0.353486 -0.132659 0.356304 0.590125 -0.589054 0.701908 0.546979 -0.0438015 -0.692282 -0.455581
0.574998 0.786964 0.220927 0.531199 -0.493192]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.0159338 -0.468939 -0.578665 0.312166 0.17201 0.515662 -0.48419 -0.328058 0.0313527 0.328119 -0.344032 0.35918
-0.500834 0.405944 -0.375671 0.421476]] }, { tensor = "float32", shape = {4}, data = [[0.623989 -0.0315778 0.546122 0.234206]] }, { tensor = "float32", shape = {4, 4}, data = [[0.0846062 0.633603 -0.0700099 0.41829 0.63555 -0.649931 0.681337 0.721434 -0.360161 -0.049791 0.523725 0.360953
-0.677644 -0.416722 0.506547 0.417468]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.0782836 0.562353 0.109151 0.593616 0.0933192 -0.5784 -0.000690121 0.140945 0.296778 0.0467735 -0.734454
-0.312215 -0.125687 0.374587 0.608368 0.0160478]] }, { tensor = "float32", shape = {4}, data = [[-0.592505 -0.421062 0.344924 -0.500475]] }, { tensor = "float32", shape = {8, 4}, data = [[0.405882 0.108884 0.500102 0.592982 0.140951 0.374915 -0.187802 0.0471266 -0.10949 0.265292 -0.156149 0.405732
-0.485425 0.171488 -0.0932158 0.685838 0.0945385 -0.296649 -0.406346 -0.749279 -0.499356 -0.0619591 0.515458
-0.0301813 -0.156231 -0.703394 0.531402 -0.453446 -0.186539 0.750331 -0.0469364 0.469843]] }, { tensor = "float32", shape = {4}, data = [[0.216984 -0.422382 -0.655839 0.32594]] }, { tensor = "float32", shape = {4, 3}, data = [[0.0389379 -0.200629 -0.509342 0.682687 0.157901 0.56652 0.338767 0.50192 0.363354 0.474449 -0.63649 -0.226703]] }, { tensor = "float32", shape = {3}, data = [[0.189639 0.473558 -0.129467]] } },
  },
  {
    name = "1/149",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, kernel_constraint = { object = "constraint", class = "max_norm", options = { max_value = 0.6 } }, activation = "linear", name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Dense", options = { units = 2, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "softplus", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } }, { object = "metric", class = "poisson", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "poisson", options = { name = "m5" } }, { object = "metric", class = "kl_divergence", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "cosine_decay", options = { initial_learning_rate = 0.05, decay_steps = 5 } }, gradient_accumulation_steps = 2 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-24 -29 -60 -51 -47 -44 62 -47 59 36 15 10 56 -17 -25 33 -24 39 37 -41 -23 -49 -20 -47]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[8 28 76 89 81 19 60 98 24 34 93 120 89 36 29 49 36 120]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-20 -5 39 2 31 24 -39 -31 -43 8 18 -2 -9 38 15 25]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-8 18 -27 -43]] }, { tensor = "float32", shape = {4, 2}, scale = 64, data = [[-6 -26 -11 -38 21 25 5 -39]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-41 -42]] }, { tensor = "float32", shape = {2, 3}, scale = 64, data = [[2 35 47 22 -7 34]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[11 45 -17]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[73.6087]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.822556]] }, m1 = { tensor = "float32", shape = {1}, data = [[1.20467]] }, m5 = { tensor = "float32", shape = {1}, data = [[1.20467]] }, m6 = { tensor = "float32", shape = {1}, data = [[0.822556]] } }, { loss = { tensor = "float32", shape = {}, data = [[82.2067]] }, m0 = { tensor = "float32", shape = {}, data = [[0.803786]] }, m1 = { tensor = "float32", shape = {}, data = [[1.16033]] }, m5 = { tensor = "float32", shape = {}, data = [[1.16033]] }, m6 = { tensor = "float32", shape = {}, data = [[0.803786]] } }, { loss = { tensor = "float32", shape = {}, data = [[68.5315]] }, m0 = { tensor = "float32", shape = {}, data = [[0.746345]] }, m1 = { tensor = "float32", shape = {}, data = [[1.17625]] }, m5 = { tensor = "float32", shape = {}, data = [[1.17625]] }, m6 = { tensor = "float32", shape = {}, data = [[0.746345]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.728605 0.819922 0.346667 0.698985 0.787437 0.299067 0.706613 0.758188 0.291237 0.676605 0.778052 0.273394
0.733487 0.76622 0.321452 0.711573 0.813552 0.32537]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.195543 -0.051614 0.376845 0.0422388 0.336673 0.299467 -0.376851 -0.463462 -0.436075 0.0907291 0.193875
-0.0422184 -0.0804971 0.509337 0.136566 0.376346]] }, { tensor = "float32", shape = {4}, data = [[-0.144108 0.261962 -0.402605 -0.691178]] }, { tensor = "float32", shape = {4, 2}, data = [[-0.0763124 -0.388727 -0.154377 -0.610935 0.310582 0.37306 0.0606932 -0.62694]] }, { tensor = "float32", shape = {2}, data = [[-0.669752 -0.626722]] }, { tensor = "float32", shape = {2, 3}, data = [[0.0519695 0.567624 0.713628 0.32343 -0.0886925 0.510532]] }, { tensor = "float32", shape = {3}, data = [[0.151748 0.682988 -0.245492]] } },
  },
  {
    name = "1/150",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "exponential", name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, bias_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "r2_score", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-31 59 44 13 22 -14 -36 -56 -10 10 -45 61 55 58 -49 -39 -2 4 39 4 -20 1 44 58 3 -1 26 29 -37 62 -3 -1 43 61 25
36 58 57 9 47 27 -54 50 40 -32 -6 -11 0 -12 24 -40 9 29 -5 -31 44 13 10 -9 -32 41 15 -53 47 -28 45 -2 38 -49 47
36 -26 5 27 31 -22 16 -49 34 46 37 25 -64 21 35 -19 26 11 -3 17 -61 51 18 -31 9 38 -41 -45 7 13 19 -15 10 46 24
55 57 -11 -37 0 -1 -33 -50 -10 -46 -52 -55 52 8 -49 16 -50 -2 -8 27 6 29 37 -62 24 -21 8 45 4 -29 15 -32 58 22
-55 -59 -1 -47 -32]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-33 20 59 -1 -32 -36 -33 -15 60 59 3 -25 42 -28 60 -12 -62 5]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    rematerialize = 1,
    weights = { { tensor = "float32", shape = {24, 3}, scale = 64, data = [[21 -24 4 -18 38 27 -7 21 8 26 -1 -28 -38 33 -26 45 -3 -36 47 -32 8 48 -17 -25 46 38 -14 -42 6 7 -30 -20 -6 -13
22 -45 -34 -45 -16 -22 8 -27 -30 -35 5 41 32 34 -6 -31 40 43 -21 -47 8 39 14 -18 -48 40 -15 -48 20 -37 29 -45 10
12 48 -25 -11 -29]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[7 27 -48]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.40553]] }, m5 = { tensor = "float32", shape = {}, data = [[-14.3787]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.34438]] }, m5 = { tensor = "float32", shape = {}, data = [[-13.3883]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.30126]] }, m5 = { tensor = "float32", shape = {}, data = [[-12.4202]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-2.46057 2.52679 -1.37132 0.00095582 0.594155 -0.501413 0.796908 1.63797 -1.18227 0.347028 -0.890903 -0.106993
-0.172461 2.03394 -2.86716 1.24843 0.665655 -3.34073]] } } },
    final = { { tensor = "float32", shape = {24, 3}, data = [[0.297648 -0.344453 0.0324213 -0.250843 0.562875 0.451227 -0.079226 0.357618 0.0948276 0.415626 -0.0455866
-0.406859 -0.602845 0.544837 -0.395636 0.712056 -0.0767897 -0.551662 0.763259 -0.469265 0.0948276 0.718891
-0.235242 -0.420024 0.727657 0.562875 -0.208427 -0.645281 0.0636245 0.119206 -0.498032 -0.342016 -0.0836144
-0.172835 0.31325 -0.692076 -0.500469 -0.732056 -0.21964 -0.33325 0.0948276 -0.391258 -0.438062 -0.51607
0.0480229 0.60968 0.469265 0.540449 -0.0636245 -0.513634 0.614058 0.660883 -0.297648 -0.743269 0.134798 0.578476
0.248407 -0.270843 -0.778861 0.634058 -0.204039 -0.718891 0.282047 -0.607243 0.422461 -0.672086 0.186001
0.157234 0.778861 -0.360054 -0.141632 -0.482431]] }, { tensor = "float32", shape = {3}, data = [[0.139196 0.391258 -0.718891]] } },
  },
  {
    name = "1/151",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "BatchNormalization", options = { axis = -1, gamma_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, momentum = 0.99, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "poisson", options = {} } },
    metrics = { { { object = "metric", class = "mean_squared_logarithmic_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, centered = true, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "positive" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-61 -24 -34 -64 0 0 0 0 0 0 0 0 53 -18 -2 38 -32 50 -33 -45 0 0 0 0 -41 -44 27 -57 -2 -58 8 60 33 13 14 -64 62
-39 -53 -46 0 0 0 0 0 0 0 0 -22 30 -30 -14 -8 1 5 -17 0 0 0 0 -53 -24 -14 12 26 8 28 -29 46 28 -14 -23]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[9 14 85 113 102 70 127 43 96 64 36 57 35 36 90 91 107 114]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    rematerialize = 1,
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[52 81 48 80]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-37 10 -26 7]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-4 -7 -48 -17]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[78 65 75 81]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[41 -48 -1 -12 1 -8 22 -1 -30 31 -30 33 47 -34 41 -27 -12 -4 31 -13 -4 -26 -9 35 -15 4 -9 41 -36 21 41 36 38 5 11
-9]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-42 32 -34]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.69183 1.51214 1.31376]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.285483 0.2133 0.170368]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.16507]] }, m0 = { tensor = "float32", shape = {}, data = [[0.105397]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[0.646474 1.20155 0.817864 1.04521]] }, { tensor = "float32", shape = {4}, data = [[-0.3579 0.201919 -0.14914 0.295494]] }, { tensor = "float32", shape = {4}, data = [[-0.0604536 -0.1101 -0.731724 -0.2678]] }, { tensor = "float32", shape = {4}, data = [[1.19529 0.99216 1.14167 1.23963]] }, { tensor = "float32", shape = {12, 3}, data = [[0.564227 -0.680834 -0.119981 -0.238492 -0.0574952 -0.109645 0.317184 0.0198218 -0.532521 0.551772 -0.256236
0.562636 0.584725 -0.525349 0.574834 -0.31451 -0.0541163 -0.0145708 0.425382 -0.210608 -0.0648933 -0.234587
-0.294783 0.578156 -0.304877 0.0971102 -0.173559 0.80029 -0.521738 0.391163 0.66814 0.523671 0.584786 0.131333
0.133195 -0.0795934]] }, { tensor = "float32", shape = {3}, data = [[-0.440739 0.508507 -0.374672]] } },
  },
  {
    name = "1/152",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "gelu", name = "n0" }, sources = 0, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[28 -50 26 27 -6 -6 17 -57 -34 -36 -2 -58 -42 -54 -6 2 11 5 18 -48 -58 -29 52 54]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[75 94 85 99 48 40 49 85 97 124 92 57 92 97 98 10 65 122]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[2 15 40 22 -45 -44 48 26 32 26 34 -16 -44 35 -48 8]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-43 -5 -33 -14]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[80 47 33 65]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-26 -14 -14 -46 45 37 -47 -18 -5 46 -42 39]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[43 -23 -2]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[41.7807]] } }, { loss = { tensor = "float32", shape = {}, data = [[37.0023]] } }, { loss = { tensor = "float32", shape = {1}, data = [[54.0067]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.543337 1.2228 1.2106 0.819458 0.8076 0.210839 0.793415 0.835282 0.281631 0.473211 1.48761 0.970381]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.0329589 0.163252 0.675619 0.353427 -0.681244 -0.741862 0.741327 0.338548 0.430871 0.416272 0.442162 -0.245422
-0.625638 0.569213 -0.677286 0.171504]] }, { tensor = "float32", shape = {4}, data = [[-0.726602 -0.00395207 -0.606314 -0.225836]] }, { tensor = "float32", shape = {4}, data = [[1.19463 0.76401 0.492756 1.01177]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.368967 -0.15916 -0.230837 -0.689417 0.615244 0.615909 -0.712616 -0.231202 -0.0859151 0.713829 -0.71752
0.560046]] }, { tensor = "float32", shape = {3}, data = [[0.676023 -0.32143 0.0260867]] } },
  },
  {
    name = "1/153",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Average", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_error", options = { reduction = "mean" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-6 8 35 16 54 61 -29 -33 -36 -36 -4 17 -30 36 34 56 -25 -34 17 28 -64 14 -3 -28]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[13 23 -25 59 8 50]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[17 56 117 122 72 64]] },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[20 44 48 47 47 42 13 -45 -32 35 -45 40 -42 -47 2 -15]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[26 -31 26 28]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[33]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.847435]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.711619]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.55753]] } }, { { tensor = "float32", shape = {4, 1}, data = [[0.272001 0.648993 0.404303 0.23607]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.215109 0.78584 0.652609 0.636469 0.832715 0.55791 0.301465 -0.604785 -0.426572 0.476507 -0.629698 0.697182
-0.586911 -0.803714 0.100589 -0.165036]] }, { tensor = "float32", shape = {4, 1}, data = [[0.35797 -0.419704 0.341388 0.372638]] }, { tensor = "float32", shape = {1}, data = [[0.442084]] } },
  },
  {
    name = "1/156",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "sigmoid", name = "n1" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 2, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, activation = "silu", name = "n2" }, sources = 2, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "tanh", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "hinge", options = { name = "m5" } }, { object = "metric", class = "squared_hinge", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-42 -33 -18 -56 -22 34 42 44 -47 -10 -41 41 -49 30 -55 25 -55 15 10 -62 13 -21 24 27]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 -64 -64 -64 -64 64 -64 64 64 -64 64 64 -64 -64 64 64 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 4,
    policy = "mixed_float16",
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[34 6 40 2 -32 30 -43 7 -38 -5 2 6 -7 25 30 -27]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[44 -43 -43 1]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[24 -39 -45 48 -34 43 -8 42 -25 23 5 22 -5 25 -45 31]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[18 -20 -27 15]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-35 -44 -32 -31 -28 -19 32 25 -40 -42 32 44]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.29202]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.751343]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.751343]] }, m6 = { tensor = "float32", shape = {1}, data = [[1.00753]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.25822]] }, m0 = { tensor = "float32", shape = {}, data = [[0.793518]] }, m5 = { tensor = "float32", shape = {}, data = [[0.793518]] }, m6 = { tensor = "float32", shape = {}, data = [[0.982056]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.16425]] }, m0 = { tensor = "float32", shape = {}, data = [[0.765869]] }, m5 = { tensor = "float32", shape = {}, data = [[0.765869]] }, m6 = { tensor = "float32", shape = {}, data = [[0.892659]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.650391 0.271484 0.933105 -0.379883 -0.202637 0.6875 -0.614258 0.0144958 0.880859 -0.681641 0.0497742 0.909668
-0.603516 0.171021 0.909668 -0.441406 -0.0295715 0.777344]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.506539 0.0781676 0.62847 -0.00964253 -0.437508 0.509905 -0.664915 0.143035 -0.592041 -0.0524826 0.0495049
0.0676214 -0.0634463 0.342446 0.418463 -0.380089]] }, { tensor = "float32", shape = {4}, data = [[0.668211 -0.680455 -0.657916 6.84948e-05]] }, { tensor = "float32", shape = {4, 4}, data = [[0.336864 -0.62451 -0.657718 0.705477 -0.488002 0.68364 -0.142999 0.655063 -0.363827 0.353504 0.0815308 0.286876
-0.0959277 0.365453 -0.677669 0.497866]] }, { tensor = "float32", shape = {4}, data = [[0.244326 -0.341465 -0.397554 0.22721]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.512767 -0.648604 -0.483047 -0.515289 -0.454328 -0.292784 0.458258 0.351798 -0.61361 -0.608646 0.490578
0.668329]] } },
  },
  {
    name = "1/158",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 2, use_bias = false, activation = "relu6", name = "n0" }, sources = 0, call = {} }, { layer = "ELU", options = { alpha = 0.7, name = "n1" }, sources = 2, call = {} }, { layer = "Concatenate", options = { axis = 1, name = "n2" }, sources = { 3, 3 }, call = {} }, { layer = "AlphaDropout", options = { rate = 0, name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, bias_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n4" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "log_cosh_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-52 56 -34 5 1 -60 -43 -45 -16 -43 33 -8 45 12 -48 55 38 52 17 -5 36 -35 -5 38]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-14 -43 -18 -3 -16 -11 47 -35 40 54 -8 -33 -45 -56 2 -17 38 49 -33 63 32 21 -59 -12]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-11 -58 -8 -63 34 -18 -35 4 38 24 -21 -46 16 8 7 56 24 -19]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {4, 2}, scale = 64, data = [[-20 -5 39 2 31 24 -39 -31]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-43 8 18 -2 -9 38 15 25 -8 18 -27 -43]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-6 -26 -11]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.351942]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.584106]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.155264]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.347771]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.580755]] }, val_m1 = { tensor = "float32", shape = {1}, data = [[0.153641]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.35105]] }, m0 = { tensor = "float32", shape = {}, data = [[0.583571]] }, m1 = { tensor = "float32", shape = {}, data = [[0.155417]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.345174]] }, m0 = { tensor = "float32", shape = {}, data = [[0.578682]] }, m1 = { tensor = "float32", shape = {}, data = [[0.152631]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.294635 -0.150182 -0.0927465 -0.0805918 -0.415562 -0.170777 -0.0303373 -0.528798 -0.18552 -0.0912123 -0.391631
-0.167661 -0.269236 -0.213147 -0.0997953 -0.0912123 -0.391631 -0.167661]] } } },
    final = { { tensor = "float32", shape = {4, 2}, data = [[-0.308206 -0.0770608 0.604482 0.0403526 0.487402 0.377829 -0.609864 -0.477763]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.668269 0.122547 0.282356 -0.0328671 -0.13739 0.596615 0.237982 0.388172 -0.123894 0.279633 -0.41864 -0.66901]] }, { tensor = "float32", shape = {3}, data = [[-0.0912123 -0.391631 -0.167661]] } },
  },
  {
    name = "1/160",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "GlobalAveragePooling2D", options = { keepdims = false, name = "n0" }, sources = 0, call = {} }, { layer = "Multiply", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "BatchNormalization", options = { axis = -1, center = false, momentum = 0.99, name = "n2" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activation = "mish", name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { { { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m0" } }, { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m1", k = 2 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01, gradient_accumulation_steps = 2 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[34 12 14 28 14 -28 -11 36 -5 -38 18 -7 -47 54 17 49 -40 45 17 -3 -8 4 5 38 35 24 -54 24 15 -61 -56 -39 -25 -41
-24 46 0 29 16 -46 22 52 47 41 -48 -63 -42 21 35 54 -22 56 56 -46 38 0 43 17 10 -25 40 -27 -23 -53 -47 -53 13 -4
-3 3 -38 -23 14 -60 5 -30 19 31 -15 -41 -35 25 -14 -25 -51 37 57 -47 -29 14 64 32 -39 42 -5 -47 0 61 -4 -51 58
-15 -19 -58 60 -48 -40 43 13 60 27 17 16 -36 34 16 1 -10 8 44 -38 31 -16 -7 61 -48 44 11 35 22 -1 49 -59 -20 -31
15 42 -24 -46 -29 29 3 -21 -58]] } },
    y = { { tensor = "int32", shape = {6}, data = [[1 2 0 2 0 2]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    rematerialize = 1,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {2}, scale = 64, data = [[52 81]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-24 23]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[39 70]] }, { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-26 7 -4 -7 -48 -17 22 1]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[17 25 41 -48 -1 -12 1 -8 22 -1 -30 31]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-30 33 47]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.32547]] }, m0 = { tensor = "float32", shape = {}, data = [[1.15683]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.19186]] }, m0 = { tensor = "float32", shape = {}, data = [[1.11843]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.19044]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.18194]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.666667]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.140274 0.398462 0.461264 0.13137 0.396081 0.472548 0.128829 0.407029 0.464142 0.129458 0.400579 0.469963]] } } },
    final = { { tensor = "float32", shape = {2}, data = [[0.82267 1.25454]] }, { tensor = "float32", shape = {2}, data = [[-0.363078 0.348538]] }, { tensor = "float32", shape = {2}, data = [[0.591578 1.06172]] }, { tensor = "float32", shape = {2, 4}, data = [[-0.409756 0.105932 -0.0659906 -0.113075 -0.751018 -0.261944 0.339909 0.0117419]] }, { tensor = "float32", shape = {4, 3}, data = [[0.264593 0.385973 0.645194 -0.745646 -0.019994 -0.183255 0.0113598 -0.120361 0.339171 -0.0163513 -0.465211
0.481437]] }, { tensor = "float32", shape = {3}, data = [[-0.475404 0.522433 0.730932]] } },
  },
  {
    name = "1/161",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "AlphaDropout", options = { rate = 0, name = "n0" }, sources = 0, call = {} }, { layer = "LayerNormalization", options = { axis = 1, name = "n1" }, sources = 1, call = {} }, { layer = "Conv1D", options = { padding = "same", kernel_size = 3, filters = 4, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m0", k = 2 } } } },
    weighted_metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m5" } }, { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m6", k = 2 } } } },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.01 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[4 -29 24 18 -40 -43 48 -13 43 23 15 -47 -39 18 -37 29 22 -1 -36 14 -26 7 30 24 -59 36 -12 -57 20 52 -51 -45 49
-11 -18 -34 14 52 23 -58 29 10 -4 -26 -6 -33 -50 37 -20 -20 2 57 -6 49 -26 45 -46 19 44 -42 5 36 -4 -17 -53 -19
32 29 -58 -23 -30 54]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 2 0 1 0 1]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[65 121 43 25 44 73]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {3}, scale = 64, data = [[66 74 91]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[22 -45 -44]] }, { tensor = "float32", shape = {3, 4, 4}, scale = 64, data = [[48 26 32 26 34 -16 -44 35 -48 8 -43 -5 -33 -14 24 -26 -47 2 -26 -14 -14 -46 45 37 -47 -18 -5 46 -42 39 43 -23 -2
-19 25 32 28 -18 -34 13 -46 42 -44 11 -38 1 -4 44]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[5 -46 -18 -46]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-29 -19 46 -10 -6 -13 -2 -48 -36 -7 -25 -33 39 19 -17 32 -1 -22 -40 3 -45 -14 -13 25 -32 12 -8 7 -23 31 -30 31
-29 43 23 14]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-34 40 7]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[2.16097]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.833333]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.196765]] }, m6 = { tensor = "float32", shape = {1}, data = [[0.884097]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.87089]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m6 = { tensor = "float32", shape = {}, data = [[0.830709]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.45894]] }, m0 = { tensor = "float32", shape = {}, data = [[0.833333]] }, m5 = { tensor = "float32", shape = {}, data = [[0.522911]] }, m6 = { tensor = "float32", shape = {}, data = [[0.884097]] } }, { { tensor = "float32", shape = {6, 3}, data = [[1.87379 2.50721 -2.73275 1.94128 -0.41081 2.15711 -2.50524 -1.84656 2.64153 -3.00304 -0.239314 -0.184446
0.829866 4.08356 -2.14481 0.0477811 1.00505 -1.28357]] } } },
    final = { { tensor = "float32", shape = {3}, data = [[1.00125 1.16625 1.41188]] }, { tensor = "float32", shape = {3}, data = [[0.33375 -0.713125 -0.6575]] }, { tensor = "float32", shape = {3, 4, 4}, data = [[0.76 0.41625 0.51 0.39625 0.50125 -0.28 -0.6775 0.576875 -0.72 0.135 -0.661875 -0.108125 -0.525625 -0.22875
0.345 -0.37625 -0.744375 0.00125 -0.39625 -0.20875 -0.18875 -0.68875 0.673125 0.548125 -0.744375 -0.25125
-0.068125 0.70875 -0.62625 0.599375 0.701875 -0.389375 -0.02125 -0.286875 0.380625 0.49 0.4075 -0.27125 -0.54125
0.233125 -0.72875 0.64625 -0.6775 0.181875 -0.62375 0.005625 -0.0325 0.7175]] }, { tensor = "float32", shape = {4}, data = [[0.068125 -0.68875 -0.31125 -0.68875]] }, { tensor = "float32", shape = {12, 3}, data = [[-0.463125 -0.286875 0.72875 -0.14625 -0.12375 -0.173125 -0.04125 -0.78 -0.5325 -0.099375 -0.360625 -0.545625
0.619375 0.286875 -0.255625 0.49 -0.005625 -0.31375 -0.595 0.016875 -0.733125 -0.20875 -0.173125 0.360625 -0.51
0.1975 -0.095 0.079375 -0.329375 0.454375 -0.49875 0.514375 -0.423125 0.661875 0.369375 0.24875]] }, { tensor = "float32", shape = {3}, data = [[-0.50125 0.595 0.119375]] } },
  },
  {
    name = "1/163",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "relu6", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "hard_silu", name = "n1" }, sources = 1, call = {} }, { layer = "DepthwiseConv1D", options = { padding = "valid", kernel_size = 1, depth_multiplier = 2, activation = "mish", name = "n2" }, sources = 2, call = {} }, { layer = "Add", options = { name = "n3" }, sources = { 3, 3 }, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "squared_hinge", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[30 46 23 2 54 -64 62 55 -37 28 -54 2 -2 -3 27 -28 32 25 -6 35 -56 25 39 -61 47 -43 15 -21 -54 7 -31 -13 -43 -47
63 19 -49 61 7 -46 47 64 -46 8 6 -25 1 -21 -7 26 12 47 37 20 10 19 45 11 33 36 -62 22 57 -59 -1 -4 38 -40 -10 58
48 56]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-64 64 -64 64 64 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[117 75 46 111 114 55]] },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-10 -29 21 15 -35 -41 13 -27 -29 -46 -6 32 24 -33 -32 3]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-25 31 42 -41]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[10 -20 -34 -24 45 -34 35 10 34 5 26 3 -14 -44 26 -2]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[23 23 13 20]] }, { tensor = "float32", shape = {1, 4, 2}, scale = 64, data = [[-1 -34 -10 -44 35 -7 42 25]] }, { tensor = "float32", shape = {8}, scale = 64, data = [[2 39 17 -22 31 35 38 1]] }, { tensor = "float32", shape = {8, 1}, scale = 64, data = [[14 -43 7 44 30 -14 -24 25]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[7]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[-0.373379 -0.330164 -0.214872 -0.230458 -0.570598 -0.395568]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.96773 1.64942]] }, m0 = { tensor = "float32", shape = {2}, data = [[1.11566 1.05431]] }, m1 = { tensor = "float32", shape = {2}, data = [[1.33689 1.13369]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.51495]] }, m0 = { tensor = "float32", shape = {}, data = [[1.00798]] }, m1 = { tensor = "float32", shape = {}, data = [[1.05163]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.134587 -0.481612 0.329081 0.210666 -0.525212 -0.615037 0.235376 -0.399317 -0.431462 -0.686297 -0.0790507
0.477666 0.353337 -0.545703 -0.50182 0.0239651]] }, { tensor = "float32", shape = {4}, data = [[-0.390625 0.513429 0.687094 -0.657732]] }, { tensor = "float32", shape = {4, 4}, data = [[0.15625 -0.3125 -0.53125 -0.375 0.72922 -0.555555 0.573095 0.134373 0.562677 0.0473567 0.438172 0.0179502
-0.235469 -0.67408 0.389735 -0.0194723]] }, { tensor = "float32", shape = {4}, data = [[0.389919 0.329459 0.23401 0.283744]] }, { tensor = "float32", shape = {1, 4, 2}, data = [[0.0153044 -0.56225 -0.129612 -0.658166 0.577976 -0.139028 0.627178 0.419694]] }, { tensor = "float32", shape = {8}, data = [[0.0617392 0.579043 0.295853 -0.313459 0.515263 0.51685 0.563329 0.0463239]] }, { tensor = "float32", shape = {8, 1}, data = [[0.246116 -0.643412 0.139865 0.657015 0.499863 -0.188393 -0.344457 0.420535]] }, { tensor = "float32", shape = {1}, data = [[0.140073]] } },
  },
  {
    name = "1/165",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Minimum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Identity", options = { name = "n1" }, sources = 0, call = {} }, { layer = "Average", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "TimeDistributed", options = { layer = { object = "layer", class = "global_max_pooling1d", options = {} }, name = "n3" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n4" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softplus", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[18 11 7 54 6 39 -58 -30 50 49 38 45 -12 -29 59 -8 -36 -10 11 -28 -17 21 13 40 -14 -19 -47 -23 15 42 -53 -8 9 23
-23 54 52 -4 49 2 -32 39 44 -63 4 -32 -56 63 -41 -28 17 -27 2 39 10 13 24 -51 15 -64 62 -2 57 31 20 55 -17 -57
-21 -45 -38 -41 -28 -12 -12 -31 -36 50 60 -43 -49 -56 44 25 59 -60 41 -21 53 -2 38 0 -32 18 -61 -42 1 -56 52 -33
-26 55 5 57 -10 -44 47 63 -49 -50 -50 54 60 -23 46 -18 46 -24 -12 -9 -4 -13 -59 -59 -4 30 -17 63 -44 56 -8 28 50
34 16 -28 -45 -9 -29 -1 37 10 16 -49 -8 36 -62 6 -57 -28 26 24 46 12 -26 -38 56 -62 -23 16 -16 -50 41 -7 -45 -38
61 57 -12 52 26 56 22 -44 -22 -48 59 0 56 29 -31 -46 0 22 59 -3 -49 -17 57 44 -35 -14]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[101 110 122 17 117 115 105 69 37 59 114 14 114 110 99 68 47 103]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {32, 3}, scale = 64, data = [[34 6 40 2 -32 30 -43 7 -38 -5 2 6 -7 25 30 -27 44 -43 -43 1 24 -39 -45 48 -34 43 -8 42 -25 23 5 22 -5 25 -45 31
18 -20 -27 15 -35 -44 -32 -31 -28 -19 32 25 -40 -42 32 44 -28 43 32 18 -29 32 44 11 -33 -40 -42 -46 40 -29 46
-11 -22 -43 29 -37 -32 -9 -22 29 28 -43 11 29 -1 42 26 41 24 34 -33 -42 -31 44 -35 7 -6 11 -12 28]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.229407]] }, m0 = { tensor = "float32", shape = {1}, data = [[79.7893]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.2437]] }, m0 = { tensor = "float32", shape = {}, data = [[92.6196]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.221974]] }, m0 = { tensor = "float32", shape = {}, data = [[77.5096]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.667017 0.96311 0.350813 0.186283 2.34882 0.831948 2.30031 0.136505 0.0911222 0.0402615 0.325983 1.11655 1.5888
0.509423 0.245251 0.652723 0.105048 1.43698]] } } },
    final = { { tensor = "float32", shape = {32, 3}, data = [[0.53079 0.0914082 0.624425 0.0285824 -0.499015 0.480306 -0.669024 0.114074 -0.599949 -0.0727144 0.0303723
0.105912 -0.109309 0.389996 0.477648 -0.418085 0.694495 -0.672907 -0.671938 0.0129235 0.373993 -0.60773
-0.702772 0.740458 -0.528218 0.66971 -0.125351 0.661274 -0.392495 0.370086 0.0823874 0.346274 -0.0779799
0.396996 -0.694188 0.478067 0.282248 -0.314959 -0.415969 0.228667 -0.550032 -0.686575 -0.49943 -0.480857
-0.429889 -0.297301 0.495923 0.384915 -0.623367 -0.653554 0.488048 0.688664 -0.438249 0.672684 0.501142 0.282788
-0.458004 0.498039 0.687154 0.170358 -0.519865 -0.625463 -0.664942 -0.717413 0.617973 -0.449549 0.718505
-0.168821 -0.338523 -0.667514 0.455937 -0.571481 -0.50001 -0.135522 -0.33857 0.451549 0.437502 -0.675116
0.164886 0.443749 -0.0146841 0.652655 0.398426 0.637184 0.379922 0.534784 -0.506043 -0.652884 -0.483124 0.684979
-0.549856 0.0991107 -0.0955593 0.173311 -0.184106 0.433236]] } },
  },
  {
    name = "1/166",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dot", options = { axes = 1, normalize = true, name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "GaussianDropout", options = { rate = 0, name = "n1" }, sources = 1, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "gelu" } }, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "hinge", options = { name = "m5" } }, { object = "metric", class = "hinge", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[52 58 14 54 -55 -6 33 21 -56 36 -1 39 -32 25 -42 -3 -56 -46 37 -55 -18 -19 13 -64]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 64 64 64 64 64 64 -64 -64 64 -64 64 -64 -64 64 -64 64 64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 2,
    rematerialize = 7,
    policy = "mixed_bfloat16",
    weights = { { tensor = "float32", shape = {1, 4}, scale = 64, data = [[8 -24 -7 13]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[27 -40 37 20]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-2 -47 -24 21]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[36 15 28 -18 -1 -30 -37 20 11 33 -31 -21]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[2 21 -22]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.0456]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[58]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[58]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[58]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[58]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.958698]] }, m0 = { tensor = "float32", shape = {}, data = [[0.866211]] }, m1 = { tensor = "float32", shape = {}, data = [[0.866211]] }, m5 = { tensor = "float32", shape = {}, data = [[0.866211]] }, m6 = { tensor = "float32", shape = {}, data = [[0.866211]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.878961]] }, m0 = { tensor = "float32", shape = {}, data = [[0.823242]] }, m1 = { tensor = "float32", shape = {}, data = [[0.823242]] }, m5 = { tensor = "float32", shape = {}, data = [[0.823242]] }, m6 = { tensor = "float32", shape = {}, data = [[0.823242]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.6875 0.0527344 -0.0527344 0.683594 0.0527344 -0.0537109 0.683594 0.0527344 -0.0537109 0.679688 0.0537109
-0.0546875 0.675781 0.0556641 -0.0566406 0.675781 0.0556641 -0.0566406]] } } },
    final = { { tensor = "float32", shape = {1, 4}, data = [[0.414714 -0.746272 -0.292224 0.384737]] }, { tensor = "float32", shape = {1, 4}, data = [[0.376953 -0.789062 -0.283203 0.404297]] }, { tensor = "float32", shape = {4}, data = [[0.09375 -0.616406 -0.413461 0.246691]] }, { tensor = "float32", shape = {4, 3}, data = [[0.654271 0.134807 0.5625 -0.298462 0.0127794 -0.577671 -0.660765 0.223922 0.046875 0.640625 -0.427041 -0.203125]] }, { tensor = "float32", shape = {3}, data = [[0.15625 0.245435 -0.21875]] } },
  },
  {
    name = "1/168",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "Identity", options = { name = "n1" }, sources = 1, call = {} }, { layer = 2, options = {}, sources = 2, call = {} }, { layer = 2, options = {}, sources = 3, call = {} }, { layer = "Dot", options = { axes = 2, normalize = false, name = "n4" }, sources = { 4, 2 }, call = {} }, { layer = "Flatten", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n6" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "kl_divergence", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } }, { object = "metric", class = "poisson", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "mean_squared_logarithmic_error", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "positive" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[1 0 0 3 3 0 3 2 2 4 0 0 2 3 0 1 5 5]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[29 77 44 8 19 33 92 90 45 90 42 109 26 121 66 101 23 46]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    replicas = 4,
    rematerialize = 6,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-31 30 41 -2 14 27 30 8 -48 9 -40 16 7 -35 17 43 35 -28 30 10 9 12 -37 19]] }, { tensor = "float32", shape = {9, 3}, scale = 64, data = [[25 -5 -27 -17 -10 -15 7 -2 -11 15 48 -15 8 -33 -18 -16 8 23 -24 -26 -31 -17 -12 -21 -22 38 35]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[10 46 10]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.507178 1.14156 0.590073 0.905412 1.55112 0.577521 0.583805 1.06698 0.847945 0.625255 1.06849 0.854197 0.942728
1.05695 0.69987 0.704564 1.08377 0.821961]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.00057103 -0.0660002]] }, m0 = { tensor = "float32", shape = {2}, data = [[102.476 103.999]] }, m1 = { tensor = "float32", shape = {2}, data = [[1.05195 1.04478]] }, m5 = { tensor = "float32", shape = {2}, data = [[0.106197 0.103857]] }, val_loss = { tensor = "float32", shape = {2}, data = [[-0.0562415 -0.127795]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[103.871 105.554]] }, val_m1 = { tensor = "float32", shape = {2}, data = [[1.0455 1.03877]] }, val_m5 = { tensor = "float32", shape = {2}, data = [[0.104079 0.101972]] } }, { loss = { tensor = "float32", shape = {}, data = [[-0.127795]] }, m0 = { tensor = "float32", shape = {}, data = [[105.554]] }, m1 = { tensor = "float32", shape = {}, data = [[1.03877]] }, m5 = { tensor = "float32", shape = {}, data = [[0.101972]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.491014 0.476275 0.634898 -0.0447226 0.223193 0.410809 0.468791 0.119281 -0.73098 0.143695 -0.622444 0.231929
0.12573 -0.540838 0.270028 0.654058 0.555636 -0.446227 0.456343 0.15697 0.133724 0.177981 -0.575752 0.289141]] }, { tensor = "float32", shape = {9, 3}, data = [[0.414064 -0.0779689 -0.395123 -0.270262 -0.155938 -0.231512 0.103317 -0.0311875 -0.174575 0.228739 0.748501
-0.231512 0.150073 -0.514595 -0.253839 -0.226575 0.12475 0.378396 -0.38009 -0.405438 -0.48645 -0.242168
-0.187125 -0.30773 -0.317667 0.592563 0.572779]] }, { tensor = "float32", shape = {3}, data = [[0.183607 0.717314 0.184499]] } },
  },
  {
    name = "1/170",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Average", options = { name = "n0" }, sources = { 0, 1 }, call = {} }, { layer = "Maximum", options = { name = "n1" }, sources = { 0, 1 }, call = {} }, { layer = { object = "sequential", class = "sequential", options = { shape = { 4 }, layers = { { object = "layer", class = "dense", options = { units = 4, activation = "mish" } }, { object = "layer", class = "dense", options = { units = 4, activation = "hard_silu" } }, { object = "layer", class = "batch_normalization", options = { synchronized = true, momentum = 0.8 } } }, name = "inner2" } }, options = {}, sources = 3, call = {} }, { layer = "Identity", options = { name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n4" }, sources = 1, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[30 43 -2 -51 -46 -9 25 -48 -28 -13 -41 -15 -56 14 -30 56 -25 -47 30 -19 44 31 26 -16]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-36 34 7 -53 -57 35 -13 37 -49 -18 10 22 24 -48 45 -21 25 54 -7 -45 31 -14 -37 36]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-64 64 -64 64 -64 -64]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[2 15 40 22]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-45]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[-0.670967 -0.48615 -0.52059 -0.493387 -0.665835 -0.719798]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.73427 0.728508]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.722821]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[0.0207779 0.210966 0.646882 0.358952]] }, { tensor = "float32", shape = {1}, data = [[-0.74797]] } },
  },
  {
    name = "1/171",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "tanh", name = "n0" }, sources = 0, call = {} }, { layer = "BatchNormalization", options = { axis = -1, momentum = 0.8, name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, activity_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n2" }, sources = 3, call = {} }, { layer = "Softmax", options = { name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 4, name = "n4" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 1, activation = "sigmoid", name = "n5" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "tversky", options = { alpha = 0.25, beta = 0.75 } } },
    metrics = { { { object = "metric", class = "f1_score", options = { name = "m0", threshold = 0.375 } }, { object = "metric", class = "fbeta_score", options = { name = "m1", beta = 0.5, threshold = 0.5, average = "micro" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-4 -42 39 -25 37 -55 -23 26 -24 -52 -22 58 -25 61 -45 -39 37 -16 12 8 -30 -12 11 62]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[11 -26 22 34 37 -12 -59 52 16 26 34 7 -51 -24 12 -62 44 -51 -12 -31 -40 -54 -19 -60]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 64 0 0 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[20 44 48 47 47 42 13 -45 -32 35 -45 40 -42 -47 2 -15]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[26 -31 26 28]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[86 68 74 61]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-41 -28 -28 0]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[35 -12 -26 -5]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[33 56 85 54]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[6 -11 22 -35 -28 -33 -35 29 34 9 21 22 -18 23 24 -40]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-17 -13 3 29]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-19 20 14 10 -29 18 -20 -2 12 -36 40 -9 28 -14 2 -32]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-40 -33 -10 27]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[9 -3 14 39]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[11]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.563772 0.178142 0.514155]] }, m0 = { tensor = "float32", shape = {3, 1}, data = [[0.666667 1 0.666667]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.555555 1 0.555555]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.3746]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.8]] }, m1 = { tensor = "float32", shape = {}, data = [[0.714286]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.248057 0.736983 0.805212 0.752329 0.769985 0.778582 0.341914 -0.636142 -0.437373 0.401473 -0.596607 0.65465
-0.706863 -0.671271 -0.133291 -0.309832]] }, { tensor = "float32", shape = {4}, data = [[0.370428 -0.506395 0.313869 0.362919]] }, { tensor = "float32", shape = {4}, data = [[1.25279 0.934701 0.984586 0.73889]] }, { tensor = "float32", shape = {4}, data = [[-0.562272 -0.518991 -0.412247 0.0636677]] }, { tensor = "float32", shape = {4}, data = [[0.248521 -0.369402 -0.0817163 0.126132]] }, { tensor = "float32", shape = {4}, data = [[0.39843 0.513015 0.752127 0.578435]] }, { tensor = "float32", shape = {4, 4}, data = [[0.0216836 -0.0904144 0.317756 -0.516323 -0.443264 -0.437265 -0.536684 0.502211 0.45491 0.190375 0.247494
0.361352 -0.222987 0.300045 0.336609 -0.556341]] }, { tensor = "float32", shape = {4}, data = [[-0.216791 -0.229388 0.0763319 0.400151]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.284206 0.305375 0.239056 0.199139 -0.40658 0.257427 -0.24692 0.0777948 0.229404 -0.584156 0.685142 -0.0373532
0.449816 -0.227211 0.0491787 -0.473597]] }, { tensor = "float32", shape = {4}, data = [[-0.566893 -0.551309 -0.0831955 0.51938]] }, { tensor = "float32", shape = {4, 1}, data = [[0.0779426 -0.104974 0.214921 0.663065]] }, { tensor = "float32", shape = {1}, data = [[0.198967]] } },
  },
  {
    name = "1/172",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "gelu", name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "sigmoid", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "dice", options = {} } },
    metrics = { { { object = "metric", class = "binary_crossentropy", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "precision", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.01 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-24 45 -1 -24 -42 -39 -6 -34 57 9 38 -44 -47 21 -40 -44 -28 -49 38 19 44 -45 3 -54]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 64 0 0 64 64 0 64 64 64 64 64 0 64 64 0 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-10 -29 21 15 -35 -41 13 -27 -29 -46 -6 32 24 -33 -32 3]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-25 31 42 -41]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[10 -20 -34 -24 45 -34 35 10 34 5 26 3 -14 -44 26 -2]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[23 23 13 20]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-1 -34 -10 -44 35 -7 42 25 2 39 17 -22]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.542382]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.720844]] }, m5 = { tensor = "float32", shape = {1}, scale = 64, data = [[40]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.561445]] }, m0 = { tensor = "float32", shape = {}, data = [[0.792769]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.53561]] }, m0 = { tensor = "float32", shape = {}, data = [[0.716079]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[40]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.513326 0.606136 0.392505 0.703028 0.393434 0.405282 0.619823 0.663813 0.412797 0.63794 0.438789 0.375 0.596129
0.479395 0.452119 0.747325 0.466482 0.408736]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.155358 -0.449574 0.329906 0.234956 -0.5482 -0.641597 0.203188 -0.422219 -0.451877 -0.716727 -0.0932148
0.501033 0.373984 -0.513047 -0.496639 0.0437637]] }, { tensor = "float32", shape = {4}, data = [[-0.38871 0.480348 0.650672 -0.634861]] }, { tensor = "float32", shape = {4, 4}, data = [[0.161014 -0.3085 -0.531149 -0.373577 0.695349 -0.534499 0.545657 0.15407 0.524263 0.0726212 0.405571 0.0450801
-0.211742 -0.685329 0.406024 -0.029254]] }, { tensor = "float32", shape = {4}, data = [[0.351382 0.353601 0.202344 0.309883]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.00958583 -0.529104 -0.148088 -0.685259 0.549267 -0.104875 0.661246 0.390797 0.0368842 0.612415 0.266561
-0.339437]] } },
  },
  {
    name = "1/173",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Flatten", options = { name = "n0" }, sources = 0, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } }, { object = "metric", class = "root_mean_squared_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[2 -29 -47 -8 -4 -8 33 9 -32 55 52 12 -52 50 34 -11 42 27 -56 -52 58 -62 -30 3 49 9 -19 21 5 -24 36 24 52 52 -59
-32 47 -34 47 -23 -64 -52 -28 -37 15 29 -9 -7 -13 34 -23 9 18 -1 38 -48 16 9 -32 53 -35 -64 11 -50 4 -9 -64 33
-51 -56 32 34 9 -45 -32 44 52 -47 50 -47 -50 58 2 31 13 -64 -52 -24 21 21 -38 36 -34 5 37 2 25 -47 -63 39 62 -46
49 -20 63 10 -1 -1 -11 31 1 -36 37 -21 -34 -20 31 -32 3 19 40 35 59 -58 8 39 -18 26 36 55 5 -46 49 -12 -15 -40
14 -7 61 36 13 5 -47 -61]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[48 -6 15 -13 -63 -28 -43 -15 63 -50 10 16 15 50 -61 -44 -3 33]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 4,
    steps_per_execution = 4,
    rematerialize = 5,
    weights = { { tensor = "float32", shape = {24}, scale = 64, data = [[38 67 95 89 67 46 35 56 32 71 80 48 91 44 69 41 32 61 62 57 39 80 70 91]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-29 -10 -32 -47 -13 -34 46 -48 -44 -22 38 -36 37 3 -16 48 13 11 14 32 -35 34 11 -47 41 45 -22 30 0 -34 45 -2 19
3 6 -34 -46 -44 38 -16 -12 -47 -47 11 -11 -48 -43 47 9 -42 24 15 -25 -6 45 11 -43 13 10 2 -23 -39 -18 12 -8 7 8
17 1 18 -27 -25]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-11 -25 -18]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.6525 0.57772 0.467301]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.05662 0.195613 0.144209]] }, m1 = { tensor = "float32", shape = {3}, data = [[1.98811 0.659176 0.56324]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.494427]] }, m0 = { tensor = "float32", shape = {}, data = [[0.157187]] }, m1 = { tensor = "float32", shape = {}, data = [[0.588742]] } } },
    final = { { tensor = "float32", shape = {24}, data = [[-0.00154745 0.0952425 0.181151 0.0058136 -0.000869375 0.0193875 0.0578773 0.00182056 0.0212272 -0.00312794
0.0359254 -0.00140516 0.00193083 0.00439133 0.236803 0.0386952 -0.00244133 -0.00103853 0.0241523 5.63256e-06
0.00817638 0.0249121 0.000102967 0.0073166]] }, { tensor = "float32", shape = {24, 3}, data = [[0.00188068 -0.0041889 0.00181038 -0.0081698 -0.00169754 0.00512067 -0.00638631 -0.0538477 -0.0183534 -0.00434445
0.0047924 -0.00551942 -0.00215437 -0.00871663 -0.00515932 0.000594299 0.00936272 0.00221402 0.00610968
0.00284359 0.00112909 0.0046475 0.00881044 0.00169172 0.00993983 0.00117843 0.00208875 0.0159622 -0.0227155
0.000503306 0.00174194 0.00821745 -0.00294723 0.000336572 -0.00550716 0.000335988 -0.0230461 0.00153401
0.00140858 0.00137517 0.00642402 0.000650077 -0.0313941 -0.0133275 -0.000462333 -0.00823138 -0.00367244
-0.00205602 -0.00256438 -0.000225011 -0.00219068 -0.00470598 0.00162549 -0.00796825 0.0127506 0.0388382
-0.0397179 -0.00596195 0.00253933 -0.00969339 0.00343026 0.00135499 0.00299728 -0.00735156 0.0081154 -0.0104541
-0.00510103 -0.00333897 -0.00588288 0.00737336 -0.00955157 0.00285431]] }, { tensor = "float32", shape = {3}, data = [[-0.0176417 -0.128691 0.0119998]] } },
  },
  {
    name = "1/174",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = false, name = "n0" }, sources = 0, call = {} }, { layer = "Reshape", options = { target_shape = { -1 }, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, activation = "tanh_shrink", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { from_logits = true } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01 } },
    tasks = { "sparse" },
    x = { { tensor = "int32", shape = {6, 3}, data = [[0 5 5 1 1 2 0 3 1 2 1 1 5 2 1 5 2 5]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 0 1 2 2 2]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[34 6 40 2 -32 30 -43 7 -38 -5 2 6 -7 25 30 -27 44 -43 -43 1 24 -39 -45 48]] }, { tensor = "float32", shape = {12, 4}, scale = 64, data = [[-34 43 -8 42 -25 23 5 22 -5 25 -45 31 18 -20 -27 15 -35 -44 -32 -31 -28 -19 32 25 -40 -42 32 44 -28 43 32 18 -29
32 44 11 -33 -40 -42 -46 40 -29 46 -11 -22 -43 29 -37]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-32 -9 -22 29]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[28 -43 11 29 -1 42 26 41 24 34 -33 -42 -31 44 -35 7]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-6 11 -12 28]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-5 -47 -8 -29 8 45 -27 -21 24 -1 -48 10]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[14 -33 -38]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[-0.24029 -0.826938 0.296025 0.225846 -0.706925 -0.473575 0.128465 -0.30754 -0.131344 0.237498 -0.866278
-0.478753 0.241678 -0.77539 -0.483383 0.204365 -0.571065 -0.395833]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.63671 1.58928]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.21708]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[0.546333 0.105125 0.626366 0.0210047 -0.479607 0.459959 -0.684328 0.111481 -0.601926 -0.079522 0.0337811
0.117504 -0.10816 0.402044 0.482656 -0.410672 0.6875 -0.671875 -0.671875 0.015625 0.388838 -0.616323 -0.712305
0.74276]] }, { tensor = "float32", shape = {12, 4}, data = [[-0.546825 0.684163 -0.11546 0.673656 -0.392832 0.346627 0.0942687 0.337829 -0.0877235 0.387668 -0.688311
0.488477 0.268361 -0.290918 -0.424384 0.257247 -0.538264 -0.688558 -0.498648 -0.502301 -0.445572 -0.311566
0.511504 0.398492 -0.634094 -0.668309 0.511783 0.695874 -0.430298 0.687375 0.488428 0.275223 -0.44138 0.504165
0.676349 0.164016 -0.524773 -0.634121 -0.645485 -0.715923 0.641026 -0.468519 0.712116 -0.192163 -0.353178
-0.649064 0.45177 -0.559949]] }, { tensor = "float32", shape = {4}, data = [[-0.510035 -0.125506 -0.338677 0.465989]] }, { tensor = "float32", shape = {4, 4}, data = [[0.444556 -0.6725 0.166738 0.458741 -0.0105864 0.658581 0.420801 0.636221 0.380053 0.511196 -0.518109 -0.646551
-0.484281 0.689307 -0.520574 0.101862]] }, { tensor = "float32", shape = {4}, data = [[-0.0950939 0.181276 -0.178471 0.438968]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.0631111 -0.738997 -0.129941 -0.469905 0.12789 0.714314 -0.407581 -0.326652 0.370723 -0.0326672 -0.746801
0.176205]] }, { tensor = "float32", shape = {3}, data = [[0.201292 -0.515037 -0.577357]] } },
  },
  {
    name = "1/175",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "UnitNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "log_cosh", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = { object = "schedule", class = "piecewise_constant_decay", options = { boundaries = { 1, 2 }, values = { 0.05, 0.02, 0.01 } } } } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-22 -35 -37 32 -59 8 -7 59 -1 41 -12 25 42 -46 -9 42 -13 51 -61 -42 -5 -33 63 61 -50 -26 8 -6 -43 48 -33 -13 -43
59 -39 28 -57 49 -52 8 64 -2 -25 -63 41 50 -51 9 -11 33 -6 28 31 -5 -5 0 -56 -48 13 -60 40 21 -21 56 40 -38 -54
17 -57 -53 -62 39 47 24 17 16 11 30 34 -32 59 -64 -64 -26 58 14 -39 -19 59 -60 14 -37 57 -38 32 -6 -9 15 2 -22 5
1 9 -1 62 38 0 -61 -6 2 -63 -25 22 46 46 -54 -27 15 48 17 -37 23 -47 27 53 -36 -32 15 -63 -12 -6 -43 -41 -5 -56
27 27 7 20 -64 -10 38 33 37]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-5 43 -1 29 47 6]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    rematerialize = 2,
    weights = { { tensor = "float32", shape = {24, 1}, scale = 64, data = [[8 -24 -7 13 27 -40 37 20 -2 -47 -24 21 36 15 28 -18 -1 -30 -37 20 11 33 -31 -21]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[2]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[2.58771 3.78413 1.07638]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.35746 2.70032 0.791335]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.16307]] }, m0 = { tensor = "float32", shape = {}, data = [[1.1753]] } } },
    final = { { tensor = "float32", shape = {24, 1}, data = [[-0.000780441 -0.420981 -0.115379 0.142476 0.37085 -0.562887 0.573641 0.34868 -0.0301903 -0.589806 -0.483869
0.358925 0.433636 0.228046 0.273133 -0.26205 0.0818391 -0.339395 -0.55491 0.107831 0.195304 0.600805 -0.376015
-0.251862]] }, { tensor = "float32", shape = {1}, data = [[0.222539]] } },
  },
  {
    name = "1/176",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Add", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "GroupNormalization", options = { axis = -1, center = false, groups = 4, name = "n2" }, sources = 2, call = {} }, { layer = 3, options = {}, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = { from_logits = true } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-12 -17 50 59 -61 36 -38 -33 3 -3 -24 39 40 -11 2 62 1 35 40 -51 0 54 -4 43 -55 1 -28 -63 -34 25 9 5 45 18 -26
-13 -51 22 26 -14 21 -59 -57 -37 36 -52 -64 -17 40 -12 -12 -24 -59 10 -18 -27 -45 47 37 30 -8 41 -60 -51 21 48
-40 35 45 -44 47 49 45 -17 21 3 58 -33 -46 31 19 13 -42 -12 -56 -32 36 -9 44 32 17 64 25 -4 -41 -52 1 4 -55 3
-17 64 -39 -23 -27 39 -40 -50 -54 16 -3 -29 1 -26 -1 -28 -31 29 43 -32 -24 55 -37 -37 -18 28 3 17 52 -49 -2 26
35 43 29 -36 29 -22 25 51 -3 57 41 24]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 0 0 64 0 64 0 0 0 64 0 0 64 0 0 64]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 4,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {24}, scale = 64, data = [[50 60 90 66 85 80 38 43 35 69 76 62 58 89 74 81 59 76 46 35 60 46 56 38]] }, { tensor = "float32", shape = {24, 1}, scale = 64, data = [[21 25 5 -39 -41 -42 2 35 47 22 -7 34 11 45 -17 35 -9 42 -7 -12 41 -39 8 -14]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[42]] }, { tensor = "float32", shape = {1, 3}, scale = 64, data = [[-7 -7 -39]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[10 -17 21]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.39434]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.57866]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.90591]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.0304133 -0.372097 -0.392228 -0.00993648 -0.358358 -0.297384 -0.475806 -0.670944 -2.45519 0.0378554 -0.326291
-0.076022 0.264653 -0.174115 0.974457 0.334514 -0.12724 1.29804]] } } },
    final = { { tensor = "float32", shape = {24}, data = [[0.804812 0.940218 1.39917 1.00887 1.3079 1.27044 0.576549 0.673268 0.522781 1.0639 1.16441 0.981473 0.888116
1.39616 1.18218 1.25883 0.942456 1.19187 0.724131 0.524016 0.930233 0.73913 0.884595 0.580522]] }, { tensor = "float32", shape = {24, 1}, data = [[0.349664 0.393773 0.0730666 -0.587079 -0.61922 -0.676833 0.0523549 0.525254 0.711243 0.321311 -0.086233 0.514115
0.197477 0.709642 -0.292901 0.540331 -0.16601 0.675283 -0.12515 -0.170495 0.632776 -0.630071 0.138318 -0.20425]] }, { tensor = "float32", shape = {1}, data = [[0.628758]] }, { tensor = "float32", shape = {1, 3}, data = [[-0.128658 -0.0863263 -0.595918]] }, { tensor = "float32", shape = {3}, data = [[0.131212 -0.26365 0.356388]] } },
  },
  {
    name = "1/178",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01, clipvalue = 0.05 } },
    tasks = { "positive" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[5 0 0 4 2 0 1 1 2 4 0 0 4 2 0 4 5 2]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[49 60 79 74 18 114 111 76 44 26 24 97 128 105 61 28 53 19]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-6 21 17 47 -36 48 -41 -3 -47 -34 -27 -15 23 -27 14 44 8 7 1 38 44 7 -36 25]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-17 -4 37 42]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-7]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[58.4488]] } }, { loss = { tensor = "float32", shape = {}, data = [[58.3978]] } }, { loss = { tensor = "float32", shape = {1}, data = [[61.5041]] } }, { { tensor = "float32", shape = {4, 3, 1}, data = [[0.52682 0.991682 0.991682 0.823067 0.561204 0.991682 0.51012 0.51012 0.561204 0.823067 0.991682 0.991682]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.09375 0.328125 0.265625 0.734375 -0.5635 0.749 -0.639625 -0.045875 -0.732875 -0.52975 -0.423375 -0.235875
0.359375 -0.421875 0.21875 0.6875 0.1265 0.110875 0.014125 0.59225 0.686 0.107875 -0.561 0.392125]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.264125 -0.061 0.577625 0.65475]] }, { tensor = "float32", shape = {1}, data = [[-0.110875]] } },
  },
  {
    name = "1/179",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "tanh", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "max_norm", options = { max_value = 0.6 } }, activation = "softplus", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-5 -25 10 10 27 32 39 -25 5 55 23 1 11 -24 -7 20 4 64 35 -5 -33 -14 40 52]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[51 83 115 36 92 78 60 58 77 49 64 12 76 35 31 91 34 82]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[25 24 -6 33 9 5 -37 43 -37 43 0 -15 36 48 -45 14]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-36 45 38 -44]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-18 -9 8 -6 33 43 -38 4 -1 38 47 44]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-13 -7 40]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.334456 0.60398 0.969177 0.447285 0.778186 1.17487 0.572091 0.834926 1.29792 0.348871 0.627875 1.05108 0.592282
0.857737 1.31116 0.402284 0.633495 1.04703]] } }, { loss = { tensor = "float32", shape = {2}, data = [[71.8269 74.7196]] }, m0 = { tensor = "float32", shape = {2}, data = [[71.8269 74.7196]] }, val_loss = { tensor = "float32", shape = {2}, data = [[71.578 56.8442]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[71.578 56.8442]] } }, { loss = { tensor = "float32", shape = {}, data = [[56.8442]] }, m0 = { tensor = "float32", shape = {}, data = [[56.8442]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.342021 0.32524 0.0177567 0.649242 0.273056 0.0427094 -0.871172 1.07513 -0.346382 0.442609 -0.414643 0.246055
0.676948 0.362617 -0.806516 -0.138585]] }, { tensor = "float32", shape = {4}, data = [[-0.105362 -0.637637 0.0808589 -0.398267]] }, { tensor = "float32", shape = {4, 3}, data = [[0.164674 0.153004 0.29183 0.0622347 -0.331874 0.0667453 -0.21946 -0.191631 0.412779 0.108743 0.0989458 -0.316217]] }, { tensor = "float32", shape = {3}, data = [[-0.114822 -1.1147 -1.17223]] } },
  },
  {
    name = "1/180",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Reshape", options = { target_shape = { -1 }, name = "n0" }, sources = 0, call = {} }, { layer = "Average", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Minimum", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n3" }, sources = 3, call = {} }, { layer = "GroupNormalization", options = { axis = -1, center = false, groups = 1, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = {} } },
    metrics = { { { object = "metric", class = "top_k_categorical_accuracy", options = { name = "m0", k = 2 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-17 -33 -12 60 -7 -57 -45 -41 -31 20 41 -54 -15 45 28 -60 -28 -33 -28 41 40 27 -63 -5 26 9 53 -59 56 31 25 27 30
52 31 18 -36 -24 64 55 -50 -35 -51 23 -19 -51 0 -57 42 60 56 29 60 -9 11 -56 24 52 -46 -22 55 -41 29 -3 -36 0
-60 -37 12 -45 25 48 33 58 -6 -44 52 -63 -22 -51 -9 -64 51 -25 -33 14 44 40 -41 -33 -52 24 34 21 36 18 16 6 21
63 13 58 26 -40 -41 -64 1 51 14 36 -10 -16 25 4 19 27 45 60 -5 -48 -55 26 -18 39 -50 -10 27 47 21 49 52 62 -25
14 -55 35 -17 37 -48 -17 5 -36 -36 -55]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 0 64 0 0 0 64 0 64 0 64 0 0 0 64 0]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    replicas = 3,
    rematerialize = 2,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {24}, scale = 64, data = [[77 93 96 95 95 92 72 34 42 88 34 91 36 32 65 54 82 43 82 83 86 68 74 61]] }, { tensor = "float32", shape = {24}, scale = 64, data = [[37 46 45 64 87 56 47 60 33 56 85 54 68 56 79 41 45 42 41 83 87 70 78 79]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[-18 23 24 -40 -17 -13 3 29 -19 20 14 10 -29 18 -20 -2 12 -36 40 -9 28 -14 2 -32 -40 -33 -10 27 9 -3 14 39 11 -15
-20 11 6 25 11 -21 -19 -46 21 32 47 42 -21 -10 23 -42 3 18 28 20 30 -14 -39 -14 2 -2 42 -22 41 -32 -8 2 -32 -25
-26 -34 3 -27]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.227042]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.1327]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.505508]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.833333]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.177531 0.242129 0.58034 0.0392236 0.892154 0.0686221 0.0266248 0.788908 0.184467 0.00736162 0.389972 0.602667]] } } },
    final = { { tensor = "float32", shape = {24}, data = [[1.2061 1.46696 1.48023 1.49027 1.49353 1.41627 1.13541 0.539786 0.664524 1.37129 0.557957 1.42823 0.54829
0.517095 1.01612 0.833698 1.29675 0.674741 1.29781 1.3 1.31807 1.04899 1.15815 0.940034]] }, { tensor = "float32", shape = {24}, data = [[0.574255 0.721684 0.676418 0.991016 1.36532 0.852737 0.743784 0.946702 0.520439 0.848293 1.35483 0.83481 1.05312
0.88962 1.2258 0.629475 0.711401 0.656956 0.653174 1.30027 1.33267 1.07898 1.21695 1.22496]] }, { tensor = "float32", shape = {24, 3}, data = [[-0.277462 0.361146 0.372847 -0.629863 -0.242912 -0.223874 0.0500369 0.426418 -0.273126 0.301926 0.199973
0.175027 -0.453127 0.296551 -0.325543 -0.0217153 0.160793 -0.542798 0.622642 -0.152793 0.449179 -0.221107
0.0437411 -0.510084 -0.629097 -0.515628 -0.151064 0.414557 0.121848 -0.0229055 0.212561 0.636082 0.146672
-0.233942 -0.304124 0.159003 0.0975254 0.363918 0.196518 -0.333061 -0.270168 -0.7427 0.328052 0.518777 0.715598
0.653488 -0.301418 -0.179772 0.366494 -0.663333 0.0473076 0.277774 0.433893 0.318626 0.476273 -0.217942
-0.614286 -0.217969 0.0500267 -0.0537777 0.648985 -0.317043 0.613918 -0.496663 -0.106223 0.00799576 -0.491985
-0.371848 -0.425027 -0.528644 0.0295103 -0.403068]] } },
  },
  {
    name = "1/181",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 2, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n1" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "categorical_hinge", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[22 -30 38 -9 -48 46 49 -44 2 18 18 19 15 58 57 -39 18 17 4 -45 27 -53 12 23]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[3 29 -12 -25 -55 -21 -6 12 -37 32 -9 -31 -27 -22 -24 5 41 -22 -28 -64 -48 48 -28 -36]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 0 0 64 0 0 64 0 64 0 64 0 0 0 0 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {4, 2}, scale = 64, data = [[-10 -29 21 15 -35 -41 13 -27]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-29 -46]] }, { tensor = "float32", shape = {2, 3}, scale = 64, data = [[-6 32 24 -33 -32 3]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-25 31 42]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.118098 0.196514 0.120978]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.03937 1.15288 1.033]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.144417]] }, m0 = { tensor = "float32", shape = {}, data = [[1.06971]] } } },
    final = { { tensor = "float32", shape = {4, 2}, data = [[-0.22763 -0.492891 0.477709 0.253333 -0.795052 -0.695045 0.296431 -0.458033]] }, { tensor = "float32", shape = {2}, data = [[-0.452961 -0.714665]] }, { tensor = "float32", shape = {2, 3}, data = [[-0.0913687 0.504247 0.3685 -0.511768 -0.49467 0.0381621]] }, { tensor = "float32", shape = {3}, data = [[-0.392476 0.47892 0.663384]] } },
  },
  {
    name = "1/182",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Conv2DTranspose", options = { padding = "valid", kernel_size = { 3, 1 }, filters = 4, activation = "leaky_relu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, dtype = "mixed_bfloat16", name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling2D", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m0", from_logits = true } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-51 14 58 -27 -62 -45 46 -26 35 23 -27 9 -44 40 20 58 24 -17 17 -6 -6 15 -61 42 48 -45 26 55 51 -8 -24 -35 -32
-39 27 55 44 1 18 60 45 -29 -49 42 -32 -11 28 -51 41 39 -15 -22 7 -53 -45 -10 -20 -48 32 -64 9 33 -2 -32 47 49
-8 -23 -21 54 -5 -62 -18 -2 28 64 -4 51 -48 9 -44 -64 -3 8 -45 -14 -1 -15 14 -7 -14 12 1 53 8 -26 58 17 -21 -61
-34 -45 -32 33 29 33 -39 62 30 -11 -58 -60 36 60 -60 -47 -44 48 -33 -49 -55 -28 21 -46 18 44 -53 -48 -54 42 33 7
27 -52 -50 -14 42 -46 0 -23 -58 -9 56 -43]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 2 0 0 1 0]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    mixed_layers = true,
    policy = "mixed_bfloat16",
    weights = { { tensor = "float32", shape = {3, 1, 4, 2}, scale = 64, data = [[-39 5 46 38 5 -27 -43 -12 -47 10 24 -24 41 -30 8 -35 -48 -4 -3 -11 -38 24 9 40]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-29 -10 -32 -47]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-13 -34 46 -48 -44 -22 38 -36 37 3 -16 48 13 11 14 32]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-35 34 11 -47]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[41 45 -22 30 0 -34 45 -2 19 3 6 -34]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-46 -44 38]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.15481]] }, m0 = { tensor = "float32", shape = {}, data = [[1.15747]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.13328]] }, m0 = { tensor = "float32", shape = {}, data = [[1.13257]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.1191]] }, m0 = { tensor = "float32", shape = {}, data = [[1.12012]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.726562 -1.22656 1.00781 -0.753906 -1.23438 0.9375 -0.746094 -1.21875 0.933594 -0.730469 -1.21875 0.96875
-0.714844 -1.26562 1.125 -0.699219 -1.1875 0.945312]] } } },
    final = { { tensor = "float32", shape = {3, 1, 4, 2}, data = [[-0.608258 0.0789874 0.719272 0.590981 0.0777009 -0.423071 -0.671964 -0.187517 -0.733104 0.155819 0.37668
-0.37143 0.639697 -0.469642 0.124571 -0.546864 -0.749809 -0.0622189 -0.0464187 -0.169066 -0.594766 0.374683
0.140314 0.624695]] }, { tensor = "float32", shape = {4}, data = [[-0.459368 -0.166776 -0.495029 -0.730742]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.204623 -0.533065 0.717748 -0.750866 -0.686889 -0.342864 0.59436 -0.562151 0.576146 0.0445592 -0.251211
0.748853 0.199619 0.167683 0.216441 0.497952]] }, { tensor = "float32", shape = {4}, data = [[-0.530503 0.548887 0.184976 -0.722592]] }, { tensor = "float32", shape = {4, 3}, data = [[0.625562 0.707862 -0.330887 0.482514 -0.00393587 -0.542846 0.707697 -0.032415 0.293411 0.029624 0.0998715
-0.515969]] }, { tensor = "float32", shape = {3}, data = [[-0.700281 -0.694697 0.577052]] } },
  },
  {
    name = "2/0",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RepeatVector", options = { n = 3, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "r2_score", options = { name = "m0" } }, { object = "metric", class = "r2_score", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-51 3 23 0 45 12 19 -6 -12 12 2 37 12 -4 47 -37 -8 -2 51 -8 15 -55 42 -7]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 -52 25 17 -21 35]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[22 40 45 27 72 20]] },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {12, 1}, scale = 64, data = [[2 10 -43 -22 -27 36 26 -28 27 37 46 18]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-38]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[-0.39502 -0.147217 -0.631348 -0.0471191 -0.2146 -1.34888]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.387529 0.304522]] }, m0 = { tensor = "float32", shape = {2}, data = [[-3.2613 -2.23725]] }, m1 = { tensor = "float32", shape = {2}, data = [[-3.2613 -2.23725]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.269256]] }, m0 = { tensor = "float32", shape = {}, data = [[-1.84788]] }, m1 = { tensor = "float32", shape = {}, data = [[-1.84788]] } } },
    final = { { tensor = "float32", shape = {12, 1}, data = [[-0.0634202 0.131007 -0.585788 -0.229226 -0.516545 0.537257 0.492337 -0.322976 0.327205 0.552882 0.804837
0.395774]] }, { tensor = "float32", shape = {1}, data = [[-0.437586]] } },
  },
  {
    name = "2/1",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Attention", options = { score_mode = "concat", name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "Dense", options = { units = 4, name = "n3" }, sources = 3, call = {} }, { layer = "Conv1D", options = { padding = "valid", strides = 2, kernel_size = 3, filters = 4, activation = "elu", name = "n4" }, sources = 4, call = {} }, { layer = "MultiHeadAttention", options = { num_heads = 2, key_dim = 2, output_shape = 4, name = "n5" }, sources = 5, call = { use_causal_mask = true } }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n6" }, sources = 3, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "squared_hinge", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.05 } },
    tasks = { "signs" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-38 59 64 -22 0 0 0 0 0 0 0 0 6 -17 34 61 37 -61 17 41 0 0 0 0 20 -48 42 -46 -50 -19 -61 47 -3 30 12 -15 -26 -27
41 -6 0 0 0 0 0 0 0 0 12 1 -7 50 8 43 56 -37 0 0 0 0 18 56 63 -62 25 32 -33 53 -4 -41 22 1]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[-64 -64 -64 64 -64 -64 64 -64 -64 -64 64 -64 64 64 64 -64 64 -64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 4,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {}, data = [[0.5625]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[29 -2 -12 46]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-7]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.808602]] }, m0 = { tensor = "float32", shape = {}, data = [[0.818392]] }, m1 = { tensor = "float32", shape = {}, data = [[0.808602]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.796405]] }, m0 = { tensor = "float32", shape = {}, data = [[0.805593]] }, m1 = { tensor = "float32", shape = {}, data = [[0.796405]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.782594]] }, m0 = { tensor = "float32", shape = {}, data = [[0.792555]] }, m1 = { tensor = "float32", shape = {}, data = [[0.782594]] } }, { { tensor = "float32", shape = {6, 3, 1}, data = [[-0.773131 -0.193414 -0.193414 0.453576 0.453447 -0.193414 -0.395603 -0.330315 -0.369541 -0.54357 -0.193414
-0.193414 -0.260918 -0.0561863 -0.193414 -0.126221 -0.221354 -0.162692]] } } },
    final = { { tensor = "float32", shape = {}, data = [[0.56303]] }, { tensor = "float32", shape = {4, 1}, data = [[0.502463 -0.0384592 -0.24328 0.742144]] }, { tensor = "float32", shape = {1}, data = [[-0.195881]] } },
  },
  {
    name = "2/3",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "DepthwiseConv1D", options = { padding = "valid", kernel_size = 1, depth_multiplier = 2, name = "n0" }, sources = 0, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = { object = "schedule", class = "polynomial_decay", options = { initial_learning_rate = 0.05, decay_steps = 4 } } } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[57 52 -50 61 19 -39 -47 13 -27 -51 8 -57 45 -19 11 -19 -2 2 -60 46 -63 -14 59 40 54 39 -44 -58 -15 54 -31 31 26
-22 -45 -55 -14 4 55 -10 39 -53 -29 -56 -28 41 -47 -17 22 -17 -30 -25 9 -57 18 -7 -45 -27 -22 -8 63 3 -8 -44 3
56 64 -49 57 -47 35 -46]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 64 64 64 64 -64 64 -64 64 -64 64 -64 64 -64 -64 -64 -64 -64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {1, 4, 2}, scale = 64, data = [[-39 13 -6 5 33 23 -28 17]] }, { tensor = "float32", shape = {8}, scale = 64, data = [[34 -11 0 43 -42 35 26 -27]] }, { tensor = "float32", shape = {8}, scale = 64, data = [[45 71 96 73 60 71 43 96]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[7 48 -25 -18 -12 -10 27 34 -10 45 -47 -36 39 46 4 -18 23 -16 -39 -42 11 42 23 -2 4 -22 35 -3 -7 47 19 -40 -34
-20 44 -22 44 -6 -21 35 -2 38 -28 -43 8 -19 32 44 1 4 -37 -41 -36 -47 -35 -2 -34 41 40 -45 -14 34 14 -27 15 -17
45 21 39 -22 -33 -44]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[22 -4 26]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.71089]] }, m0 = { tensor = "float32", shape = {}, data = [[1.12284]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.10837]] }, m0 = { tensor = "float32", shape = {}, data = [[0.869465]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.33858]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.0104]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.406247 0.898987 0.85746 -0.975776 0.946106 0.0887582 -0.630559 0.00589954 0.960665 0.0287368 0.95189
-0.0480973]] } } },
    final = { { tensor = "float32", shape = {1, 4, 2}, data = [[-0.60859 0.207278 0.0414421 -0.0561653 0.591815 0.368755 -0.461233 0.249511]] }, { tensor = "float32", shape = {8}, data = [[0.539405 -0.236987 -0.187033 0.586544 -0.628926 0.679338 0.396018 -0.362009]] }, { tensor = "float32", shape = {8}, data = [[0.728655 1.11853 1.4866 1.0436 0.906407 1.15963 0.657018 1.4713]] }, { tensor = "float32", shape = {24, 3}, data = [[0.0915882 0.778206 -0.395018 -0.270686 -0.199796 -0.152242 0.430062 0.53238 -0.162359 0.66043 -0.622641
-0.491733 0.630588 0.645134 -0.0247682 -0.325573 0.451864 -0.232812 -0.583789 -0.634944 0.182981 0.634946
0.292137 -0.0691028 0.0789364 -0.318008 0.576719 -0.0546378 -0.120642 0.720388 0.279896 -0.608795 -0.528211
-0.329214 0.779883 -0.276451 0.717411 -0.238543 -0.423215 0.527134 -0.0124192 0.607339 -0.473931 -0.639637
0.134188 -0.238258 0.421631 0.651714 -0.0139825 0.142264 -0.55192 -0.623926 -0.602017 -0.746545 -0.543216
-0.0241853 -0.519867 0.615547 0.709039 -0.651945 -0.20999 0.467565 0.161825 -0.454233 0.299651 -0.23602 0.683972
0.361429 0.651605 -0.309842 -0.590542 -0.764205]] }, { tensor = "float32", shape = {3}, data = [[0.323094 0.00322911 0.448323]] } },
  },
  {
    name = "2/7",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Permute", options = { dims = { 2, 3, 1 }, name = "n0" }, sources = 0, call = {} }, { layer = "Maximum", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Dense", options = { units = 4, activation = "silu", name = "n2" }, sources = 2, call = {} }, { layer = "Permute", options = { dims = { 3, 2, 1 }, name = "n3" }, sources = 3, call = {} }, { layer = "Flatten", options = { name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[36 39 25 -21 -12 14 -28 -23 -24 -22 -9 -13 1 44 31 -29 36 16 55 20 -20 -4 33 -38 -56 -28 7 -23 64 -34 29 59 -29
33 -7 -57 55 -21 -35 54 27 61 6 40 -9 24 17 -11 -1 -6 -42 31 12 -12 -64 11 -8 -36 15 -64 -25 -29 -10 -28 -34 -18
-51 34 -27 59 -64 -43 -47 -11 -64 61 -51 43 5 19 5 35 11 21 -58 -46 -13 -18 31 8 1 54 24 1 -38 -62 -61 -47 28 58
-34 45 3 18 -49 29 49 16 -19 -55 -6 13 57 -9 -63 13 10 -55 61 -53 29 -6 37 29 18 -33 60 36 25 64 26 -2 -62 -58 8
37 41 -18 -32 0 58 -7 -61 -59]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[34 6 58 -30 63 -63 20 -19 4 -28 42 -9 -2 6 -22 44 -41 35]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {3, 4}, scale = 64, data = [[18 -27 -13 -23 46 -44 -42 4 28 4 46 28]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[42 40 -15 -12]] }, { tensor = "float32", shape = {32, 3}, scale = 64, data = [[1 -17 -27 15 -36 39 32 15 -20 27 -8 36 -3 -30 8 11 48 43 1 31 15 -27 18 4 -41 36 47 29 10 -45 -3 -39 22 25 -33
26 -38 -37 -2 -38 19 -1 -23 -12 0 -44 32 6 7 31 -26 -39 43 -6 -39 -21 -11 -9 -32 -31 -31 -14 9 -34 8 20 14 13 46
-12 -14 -7 -12 -44 24 -9 0 33 -3 -5 -41 34 -3 18 -14 -42 4 7 -25 -44 -13 -32 -35 -44 16 14]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.459352]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.441159]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.440582]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.211648 0.548947 1.33004 -0.914367 0.38197 1.01657 -0.932393 0.0151661 1.23729 -0.290757 -0.173093 1.70586]] } } },
    final = { { tensor = "float32", shape = {3, 4}, data = [[0.286742 -0.420775 -0.212894 -0.350889 0.71747 -0.671406 -0.646815 0.0554099 0.435106 0.053729 0.711224 0.439527]] }, { tensor = "float32", shape = {4}, data = [[0.642781 0.604692 -0.24639 -0.194562]] }, { tensor = "float32", shape = {32, 3}, data = [[0.0216566 -0.262942 -0.429936 0.241664 -0.560453 0.59992 0.507103 0.238864 -0.321932 0.427631 -0.124335 0.555211
-0.0394287 -0.460956 0.112647 0.175975 0.756607 0.660576 0.0230182 0.482206 0.226462 -0.416067 0.287366 0.053449
-0.632236 0.568796 0.72086 0.45924 0.159649 -0.712749 -0.040736 -0.603873 0.331802 0.398667 -0.512828 0.394879
-0.586317 -0.578486 -0.0405202 -0.583077 0.298577 -0.0274839 -0.350423 -0.181105 -0.0126584 -0.681047 0.497688
0.0859757 0.110553 0.487034 -0.410843 -0.610787 0.670317 -0.0909066 -0.611273 -0.324285 -0.17337 -0.142405
-0.500169 -0.482588 -0.484475 -0.219946 0.142116 -0.525767 0.126011 0.306014 0.22232 0.204427 0.714472 -0.191127
-0.221312 -0.103181 -0.188561 -0.684876 0.372969 -0.142432 -8.22571e-05 0.517235 -0.0496601 -0.0774724 -0.638257
0.530131 -0.0490943 0.283976 -0.219657 -0.654476 0.0621034 0.108909 -0.390863 -0.686498 -0.202427 -0.50097
-0.54585 -0.69104 0.248043 0.224515]] } },
  },
  {
    name = "2/8",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, trainable = false, activation = "softsign", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n1" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m0" } }, { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01, global_clipnorm = 0.5, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-26 28 9 14 -26 32 -26 -25 -18 56 -15 30 -25 15 -18 34 -64 21 32 -64 -1 -33 -1 -8]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-34 26 -8 64 57 -25 39 36 3 4 -34 11 51 15 -38 64 44 -23 -42 13 25 27 -59 4]] } },
    y = { { tensor = "int32", shape = {6}, data = [[1 0 1 2 0 1]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, validation = true, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[19 42 12 4 32 -38 -3 35 23 -11 46 44 13 -11 43 8]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-37 41 -44 -48]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-12 46 28 -26 44 -41 36 33 0 -12 -45 33]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.771122 0.619793 0.770376]] }, m0 = { tensor = "float32", shape = {3}, scale = 64, data = [[0 64 0]] }, m1 = { tensor = "float32", shape = {3}, scale = 64, data = [[0 64 0]] }, val_loss = { tensor = "float32", shape = {3}, data = [[0.720305 0.719228 0.718149]] }, val_m0 = { tensor = "float32", shape = {3}, data = [[0.333333 0.333333 0.333333]] }, val_m1 = { tensor = "float32", shape = {3}, data = [[0.333333 0.333333 0.333333]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.719561]] }, m0 = { tensor = "float32", shape = {}, data = [[0.333333]] }, m1 = { tensor = "float32", shape = {}, data = [[0.333333]] } } },
    final = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[19 42 12 4 32 -38 -3 35 23 -11 46 44 13 -11 43 8]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-37 41 -44 -48]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.190877 0.712241 0.444707 -0.403206 0.682445 -0.636403 0.557043 0.503463 0.0127871 -0.183283 -0.712401
0.523377]] } },
  },
  {
    name = "2/9",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, trainable = false, name = "n0" }, sources = 0, call = {} }, { layer = "LayerNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = 2, options = {}, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } }, { object = "metric", class = "log_cosh_error", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m5" } }, { object = "metric", class = "r2_score", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[1 -4 -27 38 -31 18 -3 59 -48 -47 -45 33 56 -49 11 45 -46 37 2 48 -20 -48 34 -21]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-58 31 27 -39 -30 -6 -42 59 -29 -35 -58 47 19 -30 -34 33 -21 38 1 -61 35 -33 -4 20]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[23 -37 38 -22 1 62 48 -53 -8 58 -13 -43 -33 38 26 -60 56 45]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[51 69 68 74]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[36 -29 12 -29]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-38 40 25 -41 -48 3 -34 36 -34 38 6 -27 -15 -9 -43 47]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[10 34 -43 -5]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[15 -48 44 34 -46 24 -19 -26 -39 40 -27 1]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[33 13 -20]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.632235]] }, m0 = { tensor = "float32", shape = {}, data = [[0.272003]] }, m1 = { tensor = "float32", shape = {}, data = [[0.272003]] }, m5 = { tensor = "float32", shape = {}, data = [[0.834571]] }, m6 = { tensor = "float32", shape = {}, data = [[-1.9809]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.616059]] }, m0 = { tensor = "float32", shape = {}, data = [[0.255372]] }, m1 = { tensor = "float32", shape = {}, data = [[0.255372]] }, m5 = { tensor = "float32", shape = {}, data = [[0.803385]] }, m6 = { tensor = "float32", shape = {}, data = [[-1.73221]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.689095]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.286084]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.286084]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.845377]] }, m6 = { tensor = "float32", shape = {1}, data = [[-0.911088]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.652781]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.258962]] }, val_m1 = { tensor = "float32", shape = {1}, data = [[0.258962]] }, val_m5 = { tensor = "float32", shape = {1}, data = [[0.797122]] }, val_m6 = { tensor = "float32", shape = {1}, data = [[-0.709923]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.429136 0.0397645 0.0371159 1.39223 -0.125813 0.879583 1.19788 -0.261266 0.829874 0.565278 -0.492623 0.503857]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[0.808127 1.02622 1.0402 1.11569]] }, { tensor = "float32", shape = {4}, data = [[0.580379 -0.492767 0.189701 -0.494058]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-38 40 25 -41 -48 3 -34 36 -34 38 6 -27 -15 -9 -43 47]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[10 34 -43 -5]] }, { tensor = "float32", shape = {4, 3}, data = [[0.227219 -0.734573 0.644036 0.500562 -0.728597 0.40337 -0.237401 -0.360739 -0.614356 0.596465 -0.44912
0.00390196]] }, { tensor = "float32", shape = {3}, data = [[0.45398 0.173334 -0.302997]] } },
  },
  {
    name = "2/11",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Minimum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, activation = "softmax", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "categorical_hinge", options = {} } },
    metrics = { { { object = "metric", class = "categorical_hinge", options = { name = "m0" } }, { object = "metric", class = "f1_score", options = { name = "m1", average = "macro" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-33 44 -35 -27 54 -26 56 0 -17 -59 54 3 29 -18 18 6 -58 3 -54 42 -21 15 -28 6 -51 49 57 -56 13 -28 37 51 -38 53
-27 2 38 -51 64 19 -12 7 48 29 -14 -60 16 37 -14 19 14 56 -29 -13 2 8 -14 -14 45 27 20 62 -25 -55 -38 50 20 11
63 55 -10 -45 0 -61 -40 5 -30 11 49 0 -36 -53 -58 -37 36 2 -57 35 -42 4 20 -64 19 53 42 29 -57 -10 27 -8 0 -14
-40 -36 -56 -2 -16 -39 45 -34 34 -17 -32 13 39 25 -30 47 -28 -18 47 29 -42 -4 -36 1 13 -18 -6 11 36 -18 0 8 -64
-30 25 15 29 -10 12 -54 -33 -49 28 52 -12 20 -8 -61 10 14 -23 -9 -46 61 -8 63 -6 12 -9 9 -35 22 -23 30 44 62 -39
13 10 56 -45 12 54 -21 -33 -49 57 -60 -31 64 18 41 -19 45 10 -3 24 -53 63 -50]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 64 0 0 0 64 64 0 0 0 64 0 0 64 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 2,
    steps_per_execution = 4,
    weights = { { tensor = "float32", shape = {32, 3}, scale = 64, data = [[-23 -45 -32 -40 -10 28 -14 -19 47 10 -27 -32 4 -32 35 14 0 8 -20 14 4 -13 8 -48 2 44 31 20 34 28 16 4 40 9 -34
10 -43 34 -45 14 -9 -32 -46 23 -38 -32 3 -34 31 47 -48 13 -7 29 14 -12 35 -42 -9 -36 16 21 17 -12 5 -47 4 36 -6
-44 7 -24 41 -8 5 33 -24 -20 -6 13 7 6 31 -1 17 -14 27 -29 47 27 -19 10 37 33 26 48]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-40 -45 -40]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.09781]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.07723]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.111111]] }, val_loss = { tensor = "float32", shape = {1}, data = [[1.02239]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[1.00447]] }, val_m1 = { tensor = "float32", shape = {1}, data = [[0.522222]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.968809]] }, m0 = { tensor = "float32", shape = {}, data = [[0.950429]] }, m1 = { tensor = "float32", shape = {}, data = [[0.777778]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.974897]] }, m0 = { tensor = "float32", shape = {}, data = [[0.95695]] }, m1 = { tensor = "float32", shape = {}, data = [[0.522222]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.172794 0.281139 0.546066 0.103128 0.516507 0.380365 0.134139 0.185756 0.680105 0.401773 0.296787 0.30144
0.211954 0.346512 0.441534 0.394273 0.281698 0.324029]] } } },
    final = { { tensor = "float32", shape = {32, 3}, data = [[-0.167047 -0.341754 -0.155688 -0.307107 -0.046198 0.13328 -0.0744113 -0.138557 0.266744 0.0461507 -0.214788
-0.155688 0.0527614 -0.221181 0.172495 0.0744113 -0.0045368 0.0683996 -0.165804 0.103288 0.0189686 -0.116348
0.0807681 -0.272346 0.00958149 0.286023 0.177108 0.116802 0.255135 0.140451 0.0885416 0.0525534 0.200506
0.0390856 -0.215486 0.079604 -0.279301 0.244362 -0.275681 0.0744113 -0.0878218 -0.155688 -0.320448 0.186573
-0.216324 -0.230634 0.0256978 -0.193915 0.214471 0.307184 -0.265465 0.116348 -0.025037 0.138882 0.103461
-0.0603053 0.192637 -0.272236 -0.0589462 -0.225261 0.108494 0.123788 0.118819 -0.080233 0.0109296 -0.266744
0.00375981 0.269242 -0.030173 -0.335367 0.0538676 -0.131013 0.314172 -0.0807681 0.0245708 0.237699 -0.144949
-0.115484 -0.0668917 0.0962345 0.0357752 0.0378421 0.243003 -0.0291841 0.0956068 -0.0744126 0.174841 -0.209438
0.355861 0.127678 -0.129689 0.0659999 0.230863 0.228601 0.159057 0.272346]] }, { tensor = "float32", shape = {3}, data = [[-0.615 -0.673125 -0.655]] } },
  },
  {
    name = "2/13",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Softmax", options = { axis = 1, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_absolute_error", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "r2_score", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-14 -59 -62 -24 40 21 -10 64 -35 10 -35 -21 45 62 -10 -61 1 56 41 31 -21 -42 -29 -58 45 13 10 -36 -5 -9 29 31 62
-1 -57 45 -27 -10 -52 51 -15 -17 13 22 -9 -23 14 -30 60 -44 51 38 -34 -7 5 23 -54 46 52 -42 64 36 -59 -39 -47 16
43 -47 -34 32 -51 59 -33 -37 -40 62 25 39 36 46 32 -60 -50 13 -26 61 -60 5 55 -16 -6 1 22 -46 -29 19 -31 10 -29
-10 -45 16 22 21 16 -61 -47 -28 3 9 -22 53 28 -57 -19 -51 58 56 -32 20 17 -19 20 -6 -54 62 -40 -33 -15 -24 -17
-34 53 -38 10 17 -19 -46 -12 23 -17 62 24 -8]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-13 -35 28 -16 10 33]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[56 58 108 46 57 49]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {24, 1}, scale = 64, data = [[42 42 33 28 42 29 -3 7 0 -17 -6 37 -46 47 34 -46 4 -48 37 -36 -7 34 21 -41]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[12]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.60645]] }, m0 = { tensor = "float32", shape = {1}, data = [[-21.8245]] }, m1 = { tensor = "float32", shape = {1}, data = [[1.72744]] }, val_loss = { tensor = "float32", shape = {1}, data = [[1.41921]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[-17.3536]] }, val_m1 = { tensor = "float32", shape = {1}, data = [[1.53986]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.58728]] }, m0 = { tensor = "float32", shape = {}, data = [[-25.9083]] }, m1 = { tensor = "float32", shape = {}, data = [[1.7698]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.32942]] }, m0 = { tensor = "float32", shape = {}, data = [[-15.5279]] }, m1 = { tensor = "float32", shape = {}, data = [[1.45023]] } }, { { tensor = "float32", shape = {6, 1}, data = [[1.3783 1.75687 1.22113 1.79665 1.19039 1.4674]] } } },
    final = { { tensor = "float32", shape = {24, 1}, data = [[0.630949 0.630506 0.490325 0.413225 0.631683 0.427254 -0.0719282 0.0845143 -0.0245617 -0.287126 -0.117886
0.552807 -0.74289 0.709166 0.50541 -0.742755 0.0371956 -0.771416 0.552579 -0.586685 -0.134379 0.505431 0.302447
-0.664865]] }, { tensor = "float32", shape = {1}, data = [[0.162008]] } },
  },
  {
    name = "2/14",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Conv3D", options = { padding = "valid", kernel_size = 2, filters = 4, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, groups = 2, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, dtype = "mixed_bfloat16", activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = {} } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05, clipvalue = 0.05, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-61 -60 -24 26 32 -55 -37 43 45 64 -33 43 41 -47 -42 36 0 31 -21 58 -62 45 -52 13 -8 60 21 -42 -36 17 62 -57 -5
-13 50 -46 -15 -31 -53 -8 16 61 11 -53 -49 -38 -35 11 -14 19 19 17 44 5 -6 -8 2 -61 -30 40 -20 -60 43 25 55 60
-8 54 39 26 14 41 -22 14 -26 -9 -61 22 48 -64 37 -10 42 22 -16 39 -58 -43 55 24 59 -19 31 57 10 -5 -37 64 -40
-62 41 -26 21 43 -8 -53 -12 14 -21 -30 -16 -35 5 -11 28 32 31 19 -31 5 -7 16 -42 -30 -59 26 23 40 -48 24 25 -1
63 -3 60 11 52 23 -3 -63 -51 47 55 -23]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[70 128 65 16 89 69]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    mixed_layers = true,
    replicas = 4,
    policy = "mixed_bfloat16",
    weights = { { tensor = "float32", shape = {2, 2, 2, 1, 4}, scale = 64, data = [[-10 29 40 31 20 -40 -44 7 14 28 16 39 -12 -4 23 -31 48 -23 39 42 12 13 17 -19 -27 14 30 24 -23 4 8 -30]] }, { tensor = "float32", shape = {8, 1}, scale = 64, data = [[44 -9 -44 -43 26 -48 0 -36]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[5]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.411752]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.33728]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.337443]] }, m0 = { tensor = "float32", shape = {}, data = [[0.12146]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.282056]] }, m0 = { tensor = "float32", shape = {}, data = [[0.0996704]] } }, { { tensor = "float32", shape = {6, 1}, data = [[1.52344 0.84375 0.882812 0.535156 0.621094 0.984375]] } } },
    final = { { tensor = "float32", shape = {2, 2, 2, 1, 4}, data = [[-0.114941 0.490614 0.54302 0.402395 0.375299 -0.699219 -0.60552 0.189493 0.137532 0.497576 0.171543 0.546107
-0.105492 -0.138184 0.415026 -0.421576 0.67003 -0.313879 0.550746 0.5792 0.1297 0.131654 0.291396 -0.214848
-0.351124 0.169284 0.38728 0.324346 -0.286565 0.0144089 0.195556 -0.387116]] }, { tensor = "float32", shape = {8, 1}, data = [[0.60552 -0.194766 -0.60552 -0.609076 0.488553 -0.831988 0.0407348 -0.495409]] }, { tensor = "float32", shape = {1}, data = [[0.153676]] } },
  },
  {
    name = "2/15",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, use_bias = false, activation = "hard_sigmoid", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01, clipvalue = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-47 -32 -12 4 13 -54 1 51 45 -43 -8 -15 59 63 47 60 53 -10 26 39 -48 -63 -10 28 64 56 -24 38 28 -43 -1 45 8 30
30 36 26 18 1 22 -19 35 -39 49 16 -63 38 40 -40 -2 22 -50 21 61 41 -32 -46 12 53 37 -32 -27 -13 -49 -3 -57 -25
-3 46 3 -3 -14 23 -63 43 8 -35 50 27 -58 46 -52 34 49 -24 50 55 46 53 -29 60 -46 8 61 -6 27 18 39 -2 -57 4 -53
36 -39 56 45 34 -42 10 9 15 32 -46 4 3 8 37 29 -18 6 -17 34 -60 -40 43 -27 -52 5 -62 -8 53 59 -15 -35 3 2 -16 26
-64 -54 -39 2 11 37]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 64 64 -64 -64 64 -64 -64 64 -64 -64 64 64 64 -64 64 -64 64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[28 5 25 48]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-17]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-24 -32 -42 32 -14 -41 -19 36 45 -27 41 -25 -33 34 46 -23 32 -30 -27 -33 47 -15 -13 -31 44 35 -16 -29 -37 -44
-23 -14 -30 -39 32 10]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[9 11 -29]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.248]] }, m0 = { tensor = "float32", shape = {}, data = [[1.248]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.24711]] }, m0 = { tensor = "float32", shape = {}, data = [[1.24711]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.24622]] }, m0 = { tensor = "float32", shape = {}, data = [[1.24622]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-0.887216 0.717161 -0.848024 -0.892123 0.626046 -0.815216 -0.866949 0.621018 -0.933486 -0.890446 0.645014
-0.934467 -0.896391 0.727015 -0.89508 -0.88774 0.538222 -0.846384]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.109437 0.265614 0.624944 0.156143 -0.750161 -0.640654 -0.140769 -0.562777]] }, { tensor = "float32", shape = {4, 1}, data = [[0.436 0.076625 0.389125 0.7485]] }, { tensor = "float32", shape = {1}, data = [[-0.267125]] }, { tensor = "float32", shape = {12, 3}, data = [[-0.375634 -0.5015 -0.655047 0.499332 -0.22025 -0.639479 -0.297343 0.56103 0.704433 -0.422649 0.639125 -0.389506
-0.516184 0.52975 0.72002 -0.359892 0.4985 -0.467613 -0.422486 -0.517125 0.735468 -0.235053 -0.204625 -0.483266
0.686829 0.545375 -0.248759 -0.453778 -0.579625 -0.68642 -0.359977 -0.22025 -0.467386 -0.609989 0.4985 0.157343]] }, { tensor = "float32", shape = {3}, data = [[0.139518 0.170375 -0.451625]] } },
  },
  {
    name = "2/19",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Softmax", options = { name = "n0" }, sources = 0, call = {} }, { layer = { object = "residual", class = "residual", options = { layers = { { object = "layer", class = "dense", options = { units = 4, activation = "mish" } }, { object = "layer", class = "dense", options = { units = 4, trainable = false } } }, name = "inner1" } }, options = {}, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, activation = "relu", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5, reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "mean_squared_error", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "mean_squared_error", options = { name = "m5" } }, { object = "metric", class = "mean_squared_error", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-8 9 -12 -43 63 -35 -32 -20 -21 -34 -6 -28 -24 -16 -13 5 27 -37 -45 -17 -28 -53 27 12]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[63 13 31 21 50 58 41 -63 -50 -45 60 -64 54 27 44 -6 51 -38]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[88 73 118 40 69 88]] },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-35 21 31 37]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45 -21 -1 -15 -46]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-34 21 -14 18]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-15 24 -16 -30 -29 21 -11 24 -24 -22 34 -9 47 -25 28 47]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[15 -48 7 -1]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-2 29 -36 41 40 1 46 7 -19 18 -13 -10]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[32 -27 14]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.232674]] }, m0 = { tensor = "float32", shape = {}, data = [[0.855623]] }, m5 = { tensor = "float32", shape = {}, data = [[0.677836]] }, m6 = { tensor = "float32", shape = {}, data = [[0.677836]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.216919]] }, m0 = { tensor = "float32", shape = {}, data = [[0.746254]] }, m5 = { tensor = "float32", shape = {}, data = [[0.598489]] }, m6 = { tensor = "float32", shape = {}, data = [[0.598489]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.215455]] }, m0 = { tensor = "float32", shape = {}, data = [[0.736994]] }, m5 = { tensor = "float32", shape = {}, data = [[0.592087]] }, m6 = { tensor = "float32", shape = {}, data = [[0.592087]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.765418 -0.209074 -0.303299 0.866864 -0.101631 -0.53703 0.807544 -0.183867 -0.34363 0.838834 -0.150892
-0.428164 0.865088 -0.109908 -0.52237 0.835095 -0.173407 -0.353574]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.278295 0.416305 0.665871 -0.230453 0.713734 -0.62111 -0.0932921 -0.402526 0.186374 -0.279862 -0.682414
0.543368 0.512011 0.169859 0.58942 -0.0925189]] }, { tensor = "float32", shape = {4}, data = [[-0.541051 0.321024 0.479584 0.577767]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45 -21 -1 -15 -46]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-34 21 -14 18]] }, { tensor = "float32", shape = {4, 4}, data = [[0 0.372195 0.00230557 0.00120281 0.000497008 0.32567 0 0.370235 0 0 0.530608 0.00138068 0.730376 0 0.426692
0.724379]] }, { tensor = "float32", shape = {4}, data = [[0.234278 -0.744389 0.100257 -0.0202002]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.0416209 0.455751 -0.555513 0.635832 0.620324 0.0155081 0.709571 0.109916 -0.294407 0.268521 -0.195686
-0.152257]] }, { tensor = "float32", shape = {3}, data = [[0.484776 -0.413013 0.219488]] } },
  },
  {
    name = "2/22",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "SpatialDropout2D", options = { rate = 0, name = "n0" }, sources = 0, call = {} }, { layer = "ConvLSTM1D", options = { filters = 2, kernel_size = 2, padding = "same", return_sequences = false, go_backwards = false, name = "n1" }, sources = 1, call = {} }, { layer = "Normalization", options = { mean = { 0, 0.25 }, variance = { 0.5, 0.75 }, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = {} } },
    metrics = { { { object = "metric", class = "categorical_crossentropy", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adadelta", options = { epsilon = 0.01, learning_rate = 0.01, gradient_accumulation_steps = 2 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-11 27 -58 28 54 6 -10 55 -59 -55 23 -60 -10 60 -45 -46 0 -14 -1 -49 -40 -15 -32 -64 29 10 19 -35 45 37 48 -40
39 -7 -42 32 -21 61 50 -37 10 38 5 59 12 29 57 5 14 -58 -21 29 -36 -47 30 -41 -22 -32 38 53 61 -5 -6 10 -60 -13
4 -25 -36 -6 25 -45 -22 37 -28 10 -17 26 -35 -28 7 44 -18 19 -31 49 -52 -44 -13 15 9 -52 -54 -22 -39 38 8 -29 13
1 18 -17 0 52 32 -39 7 58 55 -21 46 31 -20 -53 -21 -18 59 -59 -59 -31 4 -15 -35 -3 -18 42 45 -64 62 -7 17 -55
-55 22 36 -35 -29 4 -46 -20 -2 -8 -8 45]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 0 64 0 64 0 64 0 0 64 0 0 0 64 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {2, 2, 8}, scale = 64, data = [[42 42 33 28 42 29 -3 7 0 -17 -6 37 -46 47 34 -46 4 -48 37 -36 -7 34 21 -41 12 -45 46 -27 39 26 13 16]] }, { tensor = "float32", shape = {2, 2, 8}, scale = 64, data = [[16 29 41 -36 -25 9 29 4 -25 6 26 42 -31 17 40 28 47 -27 15 -22 30 37 -8 35 42 34 1 -44 -26 -42 32 48]] }, { tensor = "float32", shape = {8}, scale = 64, data = [[35 17 41 -12 -39 40 42 38]] }, { tensor = "float32", shape = {8, 3}, scale = 64, data = [[-22 -37 -31 10 -9 0 -47 7 -5 43 3 -32 5 3 -45 6 31 18 -29 -39 11 -15 -1 22]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-29 33 -39]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.00489 0.881611 1.01346]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.00489 0.881611 1.01346]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.968787]] }, m0 = { tensor = "float32", shape = {}, data = [[0.968787]] } } },
    final = { { tensor = "float32", shape = {2, 2, 8}, data = [[0.656348 0.656169 0.515669 0.437447 0.657106 0.452867 -0.0468271 0.109456 0.000115457 -0.265555 -0.093859
0.578158 -0.71901 0.734289 0.531193 -0.718809 0.0626666 -0.749974 0.578237 -0.562396 -0.109537 0.531657 0.328458
-0.640505 0.187556 -0.703138 0.718591 -0.421984 0.609908 0.406217 0.202846 0.249887]] }, { tensor = "float32", shape = {2, 2, 8}, data = [[0.249942 0.453083 0.640566 -0.562575 -0.390448 0.140354 0.452948 0.0624751 -0.390606 0.0937435 0.40629 0.656246
-0.48413 0.265661 0.625058 0.437506 0.734494 -0.421777 0.23437 -0.343724 0.468566 0.578107 -0.1249 0.546967
0.656259 0.531259 0.0156699 -0.687469 -0.406059 -0.656101 0.500073 0.750023]] }, { tensor = "float32", shape = {8}, data = [[0.546897 0.265541 0.640768 -0.187442 -0.60841 0.624958 0.656476 0.593665]] }, { tensor = "float32", shape = {8, 3}, data = [[-0.289887 -0.584872 -0.439772 0.130631 -0.141983 0.000584896 -0.619214 0.111552 -0.0708552 0.565278 0.0470146
-0.453459 0.0660684 0.0472222 -0.63884 0.0778873 0.490882 0.255907 -0.382679 -0.616169 0.156819 -0.197635
-0.0158703 0.312662]] }, { tensor = "float32", shape = {3}, data = [[-0.45162 0.515103 -0.610418]] } },
  },
  {
    name = "2/25",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "BatchNormalization", options = { axis = -1, scale = false, momentum = 0.5, trainable = false, name = "n0" }, sources = 0, call = {} }, { layer = "UnitNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = 2, options = {}, sources = 0, call = {} }, { layer = 1, options = {}, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, kernel_constraint = { object = "constraint", class = "non_neg", options = {} }, name = "n5" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, dtype = "mixed_bfloat16", activation = "tanh", name = "n6" }, sources = 3, call = {} } },
    outputs = { 5, 7 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5 } }, { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "mean_squared_error", options = { name = "m1" } } }, { { object = "metric", class = "hinge", options = { name = "m10" } } } },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05 } },
    tasks = { "regression", "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-54 48 -29 41 -16 41 -53 32 17 9 24 1 -17 42 1 44 -58 22 40 41 -25 -19 -53 -20]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-13 5 -23 28 57 42]] }, { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 64 64 -64 -64 -64]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    mixed_layers = true,
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[-45 14 -26 16]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-16 -46 4 -31]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[89 69 60 67]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-3 3 -2 -12]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[20]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-43 17 -13 -5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-14]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[0.231611 0.235396 0.217463 0.169925 0.192154 0.342384]] }, { tensor = "float32", shape = {6, 1}, data = [[0.351562 0.173828 -0.585938 0.0820312 0.175781 0.151367]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.1864 1.1605]] }, n4_loss = { tensor = "float32", shape = {2}, data = [[0.101606 0.0946603]] }, n4_m0 = { tensor = "float32", shape = {2}, data = [[0.21371 0.195793]] }, n4_m1 = { tensor = "float32", shape = {2}, data = [[0.21371 0.195793]] }, n6_loss = { tensor = "float32", shape = {2}, data = [[1.0848 1.06584]] }, n6_m10 = { tensor = "float32", shape = {2}, data = [[1.08464 1.06641]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.15043]] }, n4_loss = { tensor = "float32", shape = {}, data = [[0.0961444]] }, n4_m0 = { tensor = "float32", shape = {}, data = [[0.196348]] }, n4_m1 = { tensor = "float32", shape = {}, data = [[0.196348]] }, n6_loss = { tensor = "float32", shape = {}, data = [[1.05428]] }, n6_m10 = { tensor = "float32", shape = {}, data = [[1.05534]] } } },
    final = { { tensor = "float32", shape = {4}, scale = 64, data = [[-45 14 -26 16]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-16 -46 4 -31]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[89 69 60 67]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.0966749 0.0499838 -0.053087 -0.166296]] }, { tensor = "float32", shape = {1}, data = [[0.333562]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.582573 0.304597 -0.20347 -0.0838283]] }, { tensor = "float32", shape = {1}, data = [[-0.297892]] } },
  },
  {
    name = "2/26",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Conv2D", options = { padding = "valid", strides = 2, kernel_size = 1, filters = 4, name = "n0" }, sources = 0, call = {} }, { layer = "AlphaDropout", options = { rate = 0, name = "n1" }, sources = 1, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softplus", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "poisson", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-12 -40 -32 19 -36 40 63 16 0 41 29 -28 47 -37 -2 -40 57 36 -49 -56 -58 36 -32 -28 -15 -17 -42 48 4 39 19 -10 -7
44 -20 38 58 38 -44 -3 49 53 12 24 9 12 -2 33 -41 -41 6 22 -45 9 27 5 43 -35 17 21 13 -18 35 -49 44 -55 -54 18
54 -49 -25 10 20 58 14 -58 39 38 -46 -56 -6 59 -63 -38 -15 44 9 31 -52 43 -18 -8 53 15 -40 -45 -20 -37 59 53 -11
59 53 14 16 -22 29 61 -6 -17 -13 -12 52 52 -54 12 -27 42 -20 16 17 10 50 -44 -50 -12 23 44 -7 -34 -55 5 62 -25 3
39 -1 8 50 -14 -57 29 50 -55 -22 -46 28 59 -12 19 2 -56 -50 -11 17 -61 -62 -27 -64 34 -6 -53 7 -48 8 62 -53 31
44 -5 -54 30 -43 2 2 -36 0 -58 28 54 4 -21 25 27 -12 56 -58 20 35 2 38 -17]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[38 123 119 29 111 75 120 51 47 23 14 16 32 76 40 27 76 37]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {1, 1, 2, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[35 18 31 2]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[69 41 74 67]] }, { tensor = "float32", shape = {16, 3}, scale = 64, data = [[40 38 13 44 -29 1 -13 6 47 -33 23 -48 37 27 -18 -24 -26 -40 30 -28 43 -26 -43 -7 -14 30 18 -43 -20 -30 38 1 36
-17 44 7 15 41 -47 27 -24 3 -17 -48 -15 11 19 -46]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.23445 1.34463 1.26366]] }, m0 = { tensor = "float32", shape = {3}, data = [[181.908 139.847 146.118]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.12351]] }, m0 = { tensor = "float32", shape = {}, data = [[104.506]] } } },
    final = { { tensor = "float32", shape = {1, 1, 2, 4}, data = [[-0.269286 0.7927 -0.60279 0.00244803 0.42472 -0.0393129 0.387533 -0.0465285]] }, { tensor = "float32", shape = {4}, data = [[0.69971 0.280212 0.521889 0.312912]] }, { tensor = "float32", shape = {4}, data = [[1.0028 0.623787 1.10492 1.01119]] }, { tensor = "float32", shape = {16, 3}, data = [[0.547967 0.600169 0.204956 0.68206 -0.431475 0.0281711 -0.315797 0.118966 0.714723 -0.50565 0.344274 -0.734133
0.496629 0.439133 -0.286236 -0.386938 -0.392656 -0.613127 0.400023 -0.425156 0.659812 -0.417766 -0.669616
-0.106006 -0.247056 0.469325 0.30664 -0.703782 -0.298144 -0.472057 0.544885 0.0443322 0.57367 -0.255853 0.671001
0.121222 0.174352 0.662359 -0.716053 0.416526 -0.362509 0.037856 -0.334529 -0.722996 -0.217126 0.169306 0.294482
-0.713494]] } },
  },
  {
    name = "2/27",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RepeatVector", options = { n = 3, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "sigmoid", name = "n1" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n2" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m0" } }, { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adadelta", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "exponential_decay", options = { initial_learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5 } }, clipvalue = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[12 -15 12 40 -8 28 44 25 45 -13 23 -61 -15 53 -25 0 -23 -36 10 50 9 0 54 30]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[42 -28 -5 42 32 46 33 25 38 15 -18 41 -9 14 -14 -35 41 -32 19 -4 -31 54 -39 -41]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 0 1 0 2 0]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 3,
    rematerialize = 7,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[42 -28 41 40]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[34 -18 -23 27 15 2 40 -15 -7 6 -5 -1]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[17 -34 -35]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.43407]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] }, m1 = { tensor = "float32", shape = {}, data = [[0.737576]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.432577]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] }, m1 = { tensor = "float32", shape = {}, data = [[0.737335]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.431534]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[48]] }, m1 = { tensor = "float32", shape = {}, data = [[0.737185]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.795867 0.10297 0.101163 0.776335 0.113601 0.110064 0.79243 0.104761 0.102809 0.809948 0.0980723 0.0919793
0.812133 0.0948062 0.0930612 0.772275 0.114651 0.113074]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.469442 -0.234532 -0.110108 -0.0782784 -0.37388 0.484756 -0.389505 0.281432 -0.577793 -0.296742 -0.265391
-0.0937362 -0.310718 0.0942213 -0.0764119 0.515952]] }, { tensor = "float32", shape = {4}, data = [[0.658444 -0.436626 0.642574 0.625248]] }, { tensor = "float32", shape = {4, 3}, data = [[0.536735 -0.282708 -0.363855 0.426934 0.232522 0.0280267 0.630485 -0.235873 -0.114047 0.0992349 -0.0810628
-0.0209205]] }, { tensor = "float32", shape = {3}, data = [[0.27111 -0.534037 -0.55236]] } },
  },
  {
    name = "2/28",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Conv2D", options = { padding = "valid", kernel_size = 2, filters = 4, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, dilation_rate = 2, groups = 2, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, centered = true, learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[45 -60 -8 -9 46 -23 10 29 6 27 -9 52 -21 64 17 -48 3 -9 -8 -37 -20 -41 -36 6 4 -17 -59 2 12 -9 2 7 -2 52 5 26 24
25 35 -37 13 26 -57 -57 -52 -41 37 -33 -26 43 -16 -49 -1 -51 1 -38 -20 -53 20 27 -2 -63 -8 33 -7 -2 21 24 8 55
-11 -60 8 34 61 -63 -44 -12 26 18 13 56 -39 35 -57 58 55 -40 -7 48 4 -8 -52 1 31 36 -48 -59 -6 24 47 -64 -12 -20
9 -30 -6 -14 -9 -47 39 28 63 -43 -14 20 6 24 2 53 27 -8 38 -61 -34 50 -17 -31 30 5 1 -50 -18 18 -54 -30 -60 -30
-13 -10 -14 23 22 17 5 32 63 -21 -61 -24 -34 5 14 -19 -41 -14 24 -34 -59 -40 -17 -63 -15 -63 12 57 56 -47 24 -3
60 -46 -25 -14 44 -22 53 2 20 17 -29 -30 34 7 53 27 63 16 1 3 47 5]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 0 64 0 0 64 0 64 0 0 0 64 0 64 0 0]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    rematerialize = 7,
    weights = { { tensor = "float32", shape = {2, 2, 1, 4}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-35 21 31 37]] }, { tensor = "float32", shape = {16, 3}, scale = 64, data = [[43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45 -21 -1 -15 -46 -34 21 -14 18 -15 24 -16 -30 -29 21 -11 24 -24 -22 34
-9 47 -25 28 47 15 -48 7 -1 -2 29 -36 41 40 1 46 7]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.0501493 0.153766 0.796085 0.361201 0.173084 0.465715 0.124163 0.116534 0.759303 0.27943 0.147312 0.573258
0.0350415 0.363895 0.601063 0.36186 0.197805 0.440335]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.3342 1.09464]] }, val_loss = { tensor = "float32", shape = {2}, data = [[1.10364 0.970508]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.970508]] } } },
    final = { { tensor = "float32", shape = {2, 2, 1, 4}, data = [[-0.303102 0.441588 0.680959 -0.266695 0.685786 -0.668181 -0.0711236 -0.458934 0.229382 -0.316872 -0.636004
0.487145 0.554705 0.17589 0.625067 -0.0865625]] }, { tensor = "float32", shape = {4}, data = [[-0.576772 0.239928 0.486082 0.503537]] }, { tensor = "float32", shape = {16, 3}, data = [[0.680391 -0.540484 -0.0007201 -0.619744 -0.21286 0.364376 0.349522 0.558 -0.230942 -0.422111 -0.609968 0.6395
-0.314272 -0.0727294 -0.178875 -0.734437 -0.476369 0.288412 -0.217387 0.320638 -0.271032 0.426058 -0.204711
-0.547773 -0.48071 0.283149 -0.105804 0.381249 -0.340987 -0.389439 0.551069 -0.117407 0.695806 -0.340285
0.472222 0.664697 0.247081 -0.78835 0.141563 -0.0170311 -0.0333249 0.456566 -0.54941 0.639436 0.612675 0.0287898
0.75801 0.0473492]] } },
  },
  {
    name = "2/29",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Add", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "MaxPooling1D", options = { padding = "same", pool_size = 1, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "min_max_norm", options = { min_value = 0.3, max_value = 0.7 } }, name = "n3" }, sources = 1, call = {} }, { layer = "Normalization", options = { mean = { 0, 0.25, 0.5, 0.75 }, variance = { 0.5, 0.75, 1, 1.25 }, name = "n4" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n5" }, sources = 5, call = {} } },
    outputs = { 4, 6 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} }, { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } }, {} },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "regression", "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-43 -4 7 55 -25 -23 -52 2 -38 -38 43 -36 11 61 41 56 -15 -48 -43 -35 -46 46 -42 -18]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[59 -29 -6 -7 -43 17 -29 -20 -63 -42 -48 16 48 5 -27 40 -45 -25]] }, { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-22 -31 -52 39 44 62 61 45 -18 -44 7 4 -1 -44 -42 -13 56 -29]] } },
    sample_weight = { { tensor = "float32", shape = {6}, scale = 64, data = [[20 30 59 74 38 36]] }, { tensor = "float32", shape = {6}, scale = 64, data = [[122 29 45 40 68 90]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[23 4 38 30 -28 12 10 -27 -3 -47 1 -29]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-14 -43 -7]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-22 26 46 14 26 36 -7 -6 -43 26 -38 -44]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-29 46 -29]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.75639]] }, n3_loss = { tensor = "float32", shape = {1}, data = [[0.48508]] }, n3_m0 = { tensor = "float32", shape = {1}, data = [[0.353069]] }, n5_loss = { tensor = "float32", shape = {1}, data = [[1.27131]] }, val_loss = { tensor = "float32", shape = {1}, data = [[1.07423]] }, val_n3_loss = { tensor = "float32", shape = {1}, data = [[0.28301]] }, val_n3_m0 = { tensor = "float32", shape = {1}, data = [[0.237229]] }, val_n5_loss = { tensor = "float32", shape = {1}, data = [[0.79122]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.02905]] }, n3_loss = { tensor = "float32", shape = {}, data = [[0.364907]] }, n3_m0 = { tensor = "float32", shape = {}, data = [[0.310527]] }, n5_loss = { tensor = "float32", shape = {}, data = [[0.664145]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.759846]] }, n3_loss = { tensor = "float32", shape = {}, data = [[0.194507]] }, n3_m0 = { tensor = "float32", shape = {}, data = [[0.181054]] }, n5_loss = { tensor = "float32", shape = {}, data = [[0.565339]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-1.28202 -0.424745 -1.23143 -0.46927 -0.0690802 -0.572946 -0.10849 -0.790429 -0.767064 -0.476734 -1.09048
0.157325 -0.046714 -0.066947 -0.336393 0.346401 -0.864144 -0.197054]] }, { tensor = "float32", shape = {6, 3}, data = [[0.280169 -0.649809 -1.58197 0.0920291 0.186823 0.286409 -0.133584 0.345936 -1.20579 -0.695492 1.02625 -0.286088
-0.143381 0.580407 0.56248 0.138114 1.00895 0.795487]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.160924 0.0685806 0.534641 0.280401 -0.273312 0.270497 -0.0185527 -0.217354 -0.0516875 -0.515934 0.14849
-0.25543]] }, { tensor = "float32", shape = {3}, data = [[-0.139912 -0.574426 -0.0288659]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.307992 0.366516 0.461446 -0.0568927 0.348362 0.330444 -0.103984 -0.00088682 -0.53303 0.117362 -0.528065
-0.502959]] }, { tensor = "float32", shape = {3}, data = [[-0.460695 0.654852 -0.276089]] } },
  },
  {
    name = "2/31",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Maximum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = { object = "residual", class = "residual", options = { layers = { { object = "layer", class = "dense", options = { units = 4, activation = "gelu" } }, { object = "layer", class = "dense", options = { units = 4, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } } } } }, name = "inner1" } }, options = {}, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { reduction = "mean" } } },
    metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m5" } }, { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adadelta", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-19 -31 49 -48 -32 58 61 -40 -26 10 43 -29 -23 -11 1 58 -39 46 -49 -31 -18 -63 9 9]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 1 1 0 2 1]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[86 104 103 19 119 75]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[42 42 33 28 42 29 -3 7 0 -17 -6 37 -46 47 34 -46]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[4 -48 37 -36]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-7 34 21 -41 12 -45 46 -27 39 26 13 16 16 29 41 -36]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-25 9 29 4 -25 6 26 42 -31 17 40 28]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[47 -27 15]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[2.32331]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.166667]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.0375494]] }, m6 = { tensor = "float32", shape = {1}, data = [[0.0375494]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.4485]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[16]] }, m5 = { tensor = "float32", shape = {}, data = [[0.0608974]] }, m6 = { tensor = "float32", shape = {}, data = [[0.0608974]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.12105]] }, m0 = { tensor = "float32", shape = {}, data = [[0.166667]] }, m5 = { tensor = "float32", shape = {}, data = [[0.0375494]] }, m6 = { tensor = "float32", shape = {}, data = [[0.0375494]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.6246 0.227793 0.147608 0.75164 0.129293 0.119066 0.645553 0.17854 0.175907 0.431043 0.215046 0.353911 0.506649
0.0594883 0.433863 0.461987 0.252713 0.2853]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.673033 0.65754 0.507754 0.44044 0.639024 0.452398 -0.0438269 0.112393 -0.0128399 -0.269352 -0.0885674 0.570346
-0.699173 0.734816 0.520742 -0.712261]] }, { tensor = "float32", shape = {4}, data = [[0.0311235 -0.753321 0.595366 -0.571626]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.0912101 0.518254 0.324104 -0.626814 0.178238 -0.692944 0.712799 -0.421806 0.603384 0.399892 0.207139 0.249101
0.249473 0.447827 0.6353 -0.556413]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.347781 0.113732 0.435607 0.0216953 -0.368472 0.0979371 0.381388 0.693038 -0.487685 0.307877 0.600484 0.404768]] }, { tensor = "float32", shape = {3}, data = [[0.676076 -0.371984 0.263945]] } },
  },
  {
    name = "2/32",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 2, use_bias = false, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, use_bias = false, activity_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, activation = "tanh_shrink", name = "n2" }, sources = 2, call = {} }, { layer = "BatchNormalization", options = { axis = -1, center = false, momentum = 0.99, synchronized = true, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } }, { object = "metric", class = "log_cosh_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-17 26 11 -61 -58 12 42 -28 19 -45 -27 12 21 36 1 -64 21 36 -14 -37 39 -8 49 -15]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-19 46 59 -35 -21 24]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 2}, scale = 64, data = [[-10 29 40 31 20 -40 -44 7]] }, { tensor = "float32", shape = {2, 4}, scale = 64, data = [[14 28 16 39 -12 -4 23 -31]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[48 -23 39 42 12 13 17 -19 -27 14 30 24 -23 4 8 -30]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[44 -9 -44 -43]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[82 32 64 40]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[5 -47 42 -48]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[61 52 93 76]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-19 -34 43 -28]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[33]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[2.33921 0.742698 2.21422]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.36198 0.701603 1.32305]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.810733 0.303588 0.776967]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.534149]] }, m0 = { tensor = "float32", shape = {}, data = [[0.562027]] }, m1 = { tensor = "float32", shape = {}, data = [[0.217208]] } } },
    final = { { tensor = "float32", shape = {4, 2}, data = [[-0.155406 0.457295 0.617017 0.482949 0.315486 -0.628743 -0.681311 0.109505]] }, { tensor = "float32", shape = {2, 4}, data = [[0.227862 0.438119 0.246155 0.603709 -0.186 -0.0646424 0.357392 -0.487934]] }, { tensor = "float32", shape = {4, 4}, data = [[0.752215 -0.359273 0.610243 0.656181 0.193004 0.20336 0.265172 -0.295329 -0.417296 0.218925 0.4657 0.378048
-0.353186 0.0627848 0.127178 -0.468787]] }, { tensor = "float32", shape = {4}, data = [[0.677853 -0.145217 -0.679234 -0.670128]] }, { tensor = "float32", shape = {4}, data = [[1.27735 0.500414 0.987303 0.624606]] }, { tensor = "float32", shape = {4}, data = [[0.0782479 -0.712589 0.635032 -0.731638]] }, { tensor = "float32", shape = {4}, data = [[0.92483 0.788368 1.41019 1.15234]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.287776 -0.531467 0.661378 -0.436715]] }, { tensor = "float32", shape = {1}, data = [[0.500625]] } },
  },
  {
    name = "2/34",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "tanh_shrink" } }, name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 2, call = {} }, { layer = "Average", options = { name = "n2" }, sources = { 3, 3 }, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, name = "n4" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "cosine_similarity", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.01, clipvalue = 0.05, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-4 31 50 -1 -42 50 -5 60 19 64 -34 -50 53 -27 44 -3 33 3 -58 29 -46 29 56 56]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[12 -10 -48 -7 -35 -1 49 -2 -54 4 -7 -19 1 29 -39 -40 51 64 53 -56 59 54 64 44]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-10 -39 62 -41 52 23]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, validation = true, steps_per_epoch = 1 }, { kind = "evaluate" } },
    rematerialize = 3,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31 38 7 -6 5 -3 3 -2 -12]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[20 -43 17 -13]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-5 -14 19 -25]] }, { tensor = "float32", shape = {12, 1}, scale = 64, data = [[12 -44 -48 40 25 3 35 -37 17 -35 28 -5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-42]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.599989 1.74854 0.596355]] }, m0 = { tensor = "float32", shape = {3}, scale = 64, data = [[32 -64 32]] }, val_loss = { tensor = "float32", shape = {3}, data = [[0.981404 0.978647 0.975681]] }, val_m0 = { tensor = "float32", shape = {3}, data = [[-1.98682e-08 -1.98682e-08 0]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.975681]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.727728 0.226372 -0.421404 0.259249 -0.257782 -0.74693 0.0652612 -0.502584 0.614293 0.113934 -0.0970405
0.0810521 -0.0491141 0.0491141 -0.0323771 -0.194441]] }, { tensor = "float32", shape = {1, 4}, data = [[0.40826 -0.660683 0.339173 -0.530832]] }, { tensor = "float32", shape = {4}, data = [[-0.0765086 -0.219921 0.297185 -0.390444]] }, { tensor = "float32", shape = {12, 1}, data = [[0.18572 -0.687969 -0.748477 0.622564 0.38854 0.0453055 0.546454 -0.578758 0.263728 -0.547554 0.437243 -0.0795071]] }, { tensor = "float32", shape = {1}, data = [[-0.653767]] } },
  },
  {
    name = "2/35",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "mish" } }, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, kernel_constraint = { object = "constraint", class = "max_norm", options = { max_value = 0.6 } }, activation = "log_softmax", name = "n1" }, sources = 0, call = {} }, { layer = "GlobalAveragePooling3D", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "sigmoid", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "dice", options = {} } },
    metrics = { { { object = "metric", class = "fbeta_score", options = { name = "m0", beta = 0.5, threshold = 0.5, average = "micro" } }, { object = "metric", class = "fbeta_score", options = { name = "m1", beta = 0.5, threshold = 0.5, average = "micro" } } } },
    weighted_metrics = { { { object = "metric", class = "binary_accuracy", options = { name = "m5", threshold = 0.25 } } } },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.01, clipvalue = 0.05, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[55 56 51 12 -48 34 56 49 14 -33 -54 57 -3 37 39 -18 -36 -34 18 -56 -2 36 -41 -16 15 30 49 26 -21 -37 -32 33 -42
-53 25 29 -19 -3 16 14 -6 47 -47 -13 -59 18 51 29 -41 -36 -5 57 -2 59 34 46 -60 21 -20 -4 -54 -12 -64 -58 -30 11
30 20 -50 -46 -57 6 0 -22 -11 9 -62 26 23 -19 40 6 58 14 -55 16 12 44 -43 54 14 -24 -35 -7 60 62 56 19 53 -61
-11 28 -50 -33 -17 -57 35 62 62 2 32 -55 -17 10 5 31 -48 -12 -26 28 23 26 64 48 35 -6 -45 22 -44 -26 51 20 6 14
3 -49 63 4 47 -44 37 -32 22 46]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 0 0 0 0 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[35 18 31 2]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[8 -34 14 4]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[40]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.01724]] }, m0 = { tensor = "float32", shape = {1}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {1}, scale = 64, data = [[0]] }, m5 = { tensor = "float32", shape = {1}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.01771]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.0171]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.704616 0.718697 0.745388 0.712397 0.692781 0.671635]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.26833 0.599871 -0.480006 0.0625008 0.536655 -0.0124616 0.359992 0.140618]] }, { tensor = "float32", shape = {4}, data = [[0.546751 0.281627 0.484182 0.031186]] }, { tensor = "float32", shape = {4, 1}, data = [[0.125879 -0.530116 0.21968 0.063776]] }, { tensor = "float32", shape = {1}, data = [[0.624262]] } },
  },
  {
    name = "2/36",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "LayerNormalization", options = { axis = -1, scale = false, name = "n0" }, sources = 0, call = {} }, { layer = "Multiply", options = { name = "n1" }, sources = { 0, 1 }, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "poisson", options = {} } },
    metrics = { { { object = "metric", class = "poisson", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, centered = true, learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-8 -13 -3 61 -13 -27 32 -43 -64 8 -60 64 40 61 56 -22 -48 37 1 -39 34 -41 -55 -26]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[75 78 123 45 48 12]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[-30 -15 -7 -5]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-24 31 -25 18]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-37]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.54761]] }, m0 = { tensor = "float32", shape = {}, data = [[1.54761]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.47562]] }, m0 = { tensor = "float32", shape = {}, data = [[1.47562]] } }, { loss = { tensor = "float32", shape = {1}, data = [[1.2454]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.2454]] }, val_loss = { tensor = "float32", shape = {1}, data = [[1.20864]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[1.20864]] } }, { { tensor = "float32", shape = {4, 1}, data = [[0.721366 0.513184 0.366289 0.614364]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[-0.440598 -0.23056 -0.0945984 -0.0602886]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.321894 0.501738 -0.345253 0.336195]] }, { tensor = "float32", shape = {1}, data = [[-0.524787]] } },
  },
  {
    name = "2/37",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Normalization", options = { mean = { 0, 0.25, 0.5, 0.75 }, variance = { 0.5, 0.75, 1, 1.25 }, name = "n0" }, sources = 0, call = {} }, { layer = "UnitNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m0" } }, { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m1", k = 2 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.05, use_ema = true, ema_momentum = 0.75, weight_decay = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[29 -40 15 -51 37 -50 -30 -45 2 -5 -42 -57 -62 9 37 6 -27 30 20 14 -63 9 49 -63]] } },
    y = { { tensor = "int32", shape = {6}, data = [[0 0 2 1 2 1]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-18 27 43 -15]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[46]] }, { tensor = "float32", shape = {1, 3}, scale = 64, data = [[-40 -6 -26]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[12 -18 -44]] }, { tensor = "float32", shape = {3, 3}, scale = 64, data = [[35 33 11 38 -6 -35 21 31 37]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[43 -30 -4]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.519244 0.181418 0.299338 0.527768 0.183569 0.288663 0.521461 0.181981 0.296558 0.505317 0.177826 0.316857
0.505844 0.177964 0.316192 0.504313 0.177564 0.318124]] } }, { loss = { tensor = "float32", shape = {2}, data = [[5.30453 4.93191]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.333333 0.333333]] }, m1 = { tensor = "float32", shape = {2}, data = [[0.666667 0.666667]] }, val_loss = { tensor = "float32", shape = {2}, data = [[3.66788 3.59634]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[0.333333 0.333333]] }, val_m1 = { tensor = "float32", shape = {2}, data = [[0.666667 0.666667]] } }, { loss = { tensor = "float32", shape = {}, data = [[3.6542]] }, m0 = { tensor = "float32", shape = {}, data = [[0.333333]] }, m1 = { tensor = "float32", shape = {}, data = [[0.666667]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[-0.289209 0.472693 0.631995 -0.276835]] }, { tensor = "float32", shape = {1}, data = [[0.798748]] }, { tensor = "float32", shape = {1, 3}, data = [[-0.619332 -0.138744 -0.367371]] }, { tensor = "float32", shape = {3}, data = [[0.139069 -0.325508 -0.645874]] }, { tensor = "float32", shape = {3, 3}, data = [[0.588111 0.462227 0.222111 0.640214 -0.141728 -0.539374 0.373415 0.435264 0.582853]] }, { tensor = "float32", shape = {3}, data = [[0.619273 -0.416787 -0.0779212]] } },
  },
  {
    name = "2/38",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = false, name = "n0" }, sources = 0, call = {} }, { layer = "Concatenate", options = { axis = -1, name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Activation", options = { activation = "exponential", name = "n2" }, sources = 2, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "relu" } }, name = "n3" }, sources = 3, call = {} }, { layer = "Concatenate", options = { axis = -1, name = "n4" }, sources = { 4, 1 }, call = {} }, { layer = "Flatten", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 1, name = "n6" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "mean_squared_error", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "int32", shape = {6, 3}, data = [[2 4 2 0 5 4 2 1 3 4 3 0 5 0 1 0 4 1]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-2 44 -28 -56 -16 -2]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[23 4 38 30 -28 12 10 -27 -3 -47 1 -29 -14 -43 -7 -22 26 46 14 26 36 -7 -6 -43]] }, { tensor = "float32", shape = {8, 4}, scale = 64, data = [[26 -38 -44 -29 46 -29 31 -28 22 3 -32 -31 -9 4 -14 -32 39 -1 -33 8 19 17 -2 23 36 -8 -10 32 -26 -7 43 17]] }, { tensor = "float32", shape = {1, 4}, scale = 64, data = [[-41 -2 4 23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[4 -19 37 46]] }, { tensor = "float32", shape = {24, 1}, scale = 64, data = [[48 2 -9 -7 35 48 -32 13 -31 11 12 7 5 41 30 -37 17 -33 7 11 -42 25 -37 14]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-16]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[7.56841 0.188542 11.4034]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.593762 0.046315 0.909954]] }, m5 = { tensor = "float32", shape = {3}, data = [[1.07851 0.301309 1.43336]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.1499]] }, m0 = { tensor = "float32", shape = {}, data = [[0.140343]] }, m5 = { tensor = "float32", shape = {}, data = [[0.480259]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[0.320637 -0.42957 0.341374 0.463698 -0.431058 0.179296 0.139971 -0.378057 -0.107009 -0.485382 -0.245705 -0.43609
-0.0144292 -0.779277 -0.105342 -0.0789129 -0.556288 -0.296971 0.0489761 0.350514 0.672575 0.0200016 0.00477077
-0.631627]] }, { tensor = "float32", shape = {8, 4}, data = [[-0.507259 -0.24199 -0.244717 -0.326665 -0.710708 -0.184677 0.206055 -0.224435 -0.505263 0.0191045 -0.173745
-0.374249 -0.902182 0.0254727 -0.0489132 -0.335288 -0.424473 -0.00636817 -0.174667 -0.0910428 -0.882649 0.108259
-0.00409505 0.100341 -0.416109 -0.0509454 -0.0336456 0.0269452 -1.01044 -0.0445772 0.314072 -0.0232481]] }, { tensor = "float32", shape = {1, 4}, data = [[-0.963662 0.000328615 0.265731 0.0272597]] }, { tensor = "float32", shape = {4}, data = [[-0.349468 -0.296875 0.610721 0.543169]] }, { tensor = "float32", shape = {24, 1}, data = [[-1.22142 0.03125 -0.0938346 -0.166102 0.228347 -0.0228234 -0.502707 0.0057626 -1.33399 0.171875 0.217471
-0.247577 0.313131 0.986764 0.540502 -0.207759 -1.49614 -0.515625 0.150965 0.0871609 -0.915686 -0.0606185
-0.790572 -0.0841313]] }, { tensor = "float32", shape = {1}, data = [[-0.429697]] } },
  },
  {
    name = "2/40",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, kernel_constraint = { object = "constraint", class = "unit_norm", options = {} }, activation = "hard_sigmoid", name = "n0" }, sources = 0, call = {} }, { layer = "Rescaling", options = { scale = 0.5, offset = 0.25, name = "n1" }, sources = 1, call = {} }, { layer = 1, options = {}, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activation = "softplus", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "mean_squared_logarithmic_error", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "mean_absolute_percentage_error", options = { name = "m5" } }, { object = "metric", class = "poisson", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-1 -50 29 36 -53 -22 2 44 8 59 -15 10 59 4 -6 23 7 -55 -55 -45 -48 30 -20 -6]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[60 59 88 89 84 74]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[42 42 33 28 42 29 -3 7 0 -17 -6 37 -46 47 34 -46]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[4 -48 37 -36]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-7 34 21 -41]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.0501876]] }, m5 = { tensor = "float32", shape = {}, data = [[31.8555]] }, m6 = { tensor = "float32", shape = {}, data = [[1.07737]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0473239]] }, m5 = { tensor = "float32", shape = {}, data = [[30.6811]] }, m6 = { tensor = "float32", shape = {}, data = [[1.07074]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.0485627]] }, m5 = { tensor = "float32", shape = {1}, data = [[32.4732]] }, m6 = { tensor = "float32", shape = {1}, data = [[1.07484]] } }, { { tensor = "float32", shape = {4, 1}, data = [[0.794583 0.790418 0.799752 0.798236]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.558747 0.588587 0.690012 0.423923 0.558786 0.406895 -0.0609984 0.104077 -0.000541055 -0.234538 -0.123067
0.560519 -0.612829 0.658023 0.710645 -0.703759]] }, { tensor = "float32", shape = {4}, data = [[0.0617408 -0.744889 0.580893 -0.567548]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.0793239 0.557703 0.364267 -0.615984]] } },
  },
  {
    name = "2/42",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "hinge", options = { reduction = "mean" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05, gradient_accumulation_steps = 2 } },
    tasks = { "signs" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-14 -8 -34 28 0 0 0 0 0 0 0 0 31 -16 38 58 6 37 20 11 0 0 0 0 11 -23 -27 -52 -5 2 -15 -1 8 23 25 59 -44 -6 54 11
0 0 0 0 0 0 0 0 54 18 26 37 50 -37 -2 57 0 0 0 0 -50 -11 21 12 29 -4 57 50 45 -11 -55 -51]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 64 -64 -64 64 64 64 -64 64 -64 -64 -64 -64 -64 -64 64 64 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[93 123 28 53 48 51]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36 28 5 25 48 -17 -24 -32 -42 32 -14 -41 -19 36 45 -27 41 -25 -33 34 46 -23 32 -30 -27
-33 47 -15 -13]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.829335]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.789026]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.827116]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.112042 0.468009 0.0379242 -0.534117 0.406263 0.907736 0.644779 -0.221304 -0.608631 -0.0452117 -0.476355
0.126792 0.63584 -0.734055 0.847182 -0.571375 -0.621063 0.9196]] } } },
    final = { { tensor = "float32", shape = {12, 3}, data = [[-0.112138 0.264712 0.626125 0.156413 -0.75145 -0.640805 -0.142448 -0.562444 0.437661 0.0728232 0.394729 0.748146
-0.266371 -0.374829 -0.500435 -0.656973 0.502622 -0.217848 -0.639612 -0.293782 0.563069 0.702715 -0.420992
0.640353 -0.388994 -0.514317 0.531681 0.71856 -0.360034 0.500118 -0.470453 -0.423946 -0.515841 0.733095
-0.236782 -0.203005]] } },
  },
  {
    name = "2/44",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "GaussianNoise", options = { stddev = 0, name = "n1" }, sources = 1, call = {} }, { layer = "SeparableConv1D", options = { padding = "valid", kernel_size = 3, filters = 1, depth_multiplier = 2, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = { label_smoothing = 0.125 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.01 } },
    tasks = { "categorical" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[41 -32 -48 45 0 0 0 0 0 0 0 0 -59 -55 40 -55 54 31 35 -43 0 0 0 0 -62 24 -43 56 -41 -10 -30 -16 -41 50 56 21 -51
19 -35 -37 0 0 0 0 0 0 0 0 -54 33 38 -45 47 24 -24 41 0 0 0 0 -4 6 13 9 62 -7 51 12 1 -46 -52 30]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 64 0 0 64 0 64 0 0 0 0 64 64 0 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {3, 4, 2}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4 40 38 13 44 -29 1 -13 6]] }, { tensor = "float32", shape = {1, 8, 1}, scale = 64, data = [[47 -33 23 -48 37 27 -18 -24]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-26]] }, { tensor = "float32", shape = {1, 3}, scale = 64, data = [[-40 30 -28]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[43 -26 -43]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.44229]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.42099]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.28439]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.70499 0.121539 0.173471 0.416162 0.44029 0.143548 0.671923 0.153787 0.17429 0.585919 0.244163 0.169919
0.508126 0.331675 0.160199 0.576161 0.254881 0.168958]] } } },
    final = { { tensor = "float32", shape = {3, 4, 2}, data = [[-0.323162 0.769322 -0.58644 0.108459 0.546555 -0.0521074 0.393528 0.103384 0.514193 0.305815 0.486717 0.0264571
0.110675 -0.542052 0.236983 0.0868625 0.589533 0.619949 0.231901 0.633116 -0.405555 0.0523323 -0.207221
0.0882807]] }, { tensor = "float32", shape = {1, 8, 1}, data = [[0.690591 -0.575715 0.411473 -0.703156 0.500688 0.439123 -0.255557 -0.363832]] }, { tensor = "float32", shape = {1}, data = [[-0.334476]] }, { tensor = "float32", shape = {1, 3}, data = [[-0.567903 0.378667 -0.391681]] }, { tensor = "float32", shape = {3}, data = [[0.578572 -0.33916 -0.667181]] } },
  },
  {
    name = "2/45",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 2, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "hard_silu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[46 -7 -61 1 -13 -30 -4 62 -35 -16 -8 -16 59 -58 -60 -59 -63 56 50 -41 -42 -54 58 -27]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-52 37 -33 28 -6 35]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 2}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-37 -19]] }, { tensor = "float32", shape = {2, 1}, scale = 64, data = [[-17 -6]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-20]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.20051]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.557544]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.204268]] }, m0 = { tensor = "float32", shape = {}, data = [[0.582517]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.197128]] }, m0 = { tensor = "float32", shape = {}, data = [[0.553486]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-0.209076 -0.221951 -0.267399 -0.240575 -0.269929 -0.268061]] } } },
    final = { { tensor = "float32", shape = {4, 2}, data = [[-0.464917 -0.231877 -0.106371 -0.0766668 -0.373168 0.480074 -0.386666 0.278907]] }, { tensor = "float32", shape = {2}, data = [[-0.580199 -0.298012]] }, { tensor = "float32", shape = {2, 1}, data = [[-0.269804 -0.0920673]] }, { tensor = "float32", shape = {1}, data = [[-0.299108]] } },
  },
  {
    name = "2/46",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "AveragePooling2D", options = { padding = "same", strides = 2, pool_size = 2, name = "n0" }, sources = 0, call = {} }, { layer = "UpSampling2D", options = { size = 2, interpolation = "bilinear", name = "n1" }, sources = 1, call = {} }, { layer = "Multiply", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "kl_divergence", options = {} } },
    metrics = { { { object = "metric", class = "categorical_crossentropy", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-41 -30 43 26 64 52 -1 -23 29 18 -52 10 20 4 -36 -16 -14 39 4 -8 -12 -17 -47 24 -15 -38 -4 32 -23 -38 29 -39 21
-42 56 19 -34 -61 5 -38 15 -58 52 -48 50 9 -13 0 -25 24 19 -19 33 -40 1 -26 -43 40 -10 36 59 -28 26 44 3 12 21
-2 -42 64 -47 51 25 36 62 -36 -30 -4 31 -56 22 -55 56 47 -19 28 -16 -8 -59 -53 -9 11 12 17 54 41 61 -61 -30 -5
30 42 22 -43 46 -52 46 -31 41 -2 15 -45 -18 40 -9 20 -9 -37 30 19 35 -46 47 9 -52 -17 46 -33 6 -44 -41 -16 40
-19 35 21 -31 39 -7 44 7 53 -15 17]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 0 64 0 64 0 0 0 0 64 0 0 64 0 0 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[50 27 28 128 110 61]] },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {32, 3}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35 33 11 38 -6 -35 21 31 37 43 -30 -4 -37 -16 23 23 34 -14 -29 -42 45 -21
-1 -15 -46 -34 21 -14 18 -15 24 -16 -30 -29 21 -11 24 -24 -22 34 -9 47 -25 28 47 15 -48 7 -1 -2 29 -36 41 40 1
46 7 -19 18 -13 -10 32 -27 14 24 -38 -22 -16 45 -3 44 17 -43 42 20 -44 11 36 38 0 40 -25 41 -25 26]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[44 19 -9]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.499797 0.363443 0.13676 0.601928 0.298069 0.100004 0.6592 0.243941 0.0968589 0.467009 0.32662 0.206371
0.457478 0.348971 0.19355 0.616176 0.255842 0.127982]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.66079 1.32872]] }, m0 = { tensor = "float32", shape = {2}, data = [[1.45386 1.21271]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.986007]] }, m0 = { tensor = "float32", shape = {}, data = [[1.00005]] } } },
    final = { { tensor = "float32", shape = {32, 3}, data = [[-0.502325 0.2008 0.89295 -0.320369 0.620878 -0.532502 -0.30672 -0.578348 0.408574 -0.383882 -0.771553 0.642201
0.427155 0.0704891 0.692239 -0.234241 -0.552995 0.427821 0.39472 0.459643 0.788647 -0.597962 -0.0109551
-0.500265 -0.402888 0.271443 0.572717 0.437327 -0.272177 -0.347865 -0.781715 0.625034 -0.163429 -0.0956644
-0.26436 -0.62055 -0.626875 0.255031 -0.115662 0.217535 -0.222252 0.426426 -0.338557 -0.546704 -0.361674
0.266697 -0.141179 0.405692 -0.459045 -0.337637 0.609299 -0.345143 0.723365 -0.23015 0.39528 0.752432 0.258567
-0.885128 0.105593 0.0906894 -0.0926095 0.417162 -0.465485 0.566013 0.574126 0.127176 0.596863 0.00793691
-0.103413 0.18173 -0.308038 0.0144623 0.295312 -0.534532 0.439824 0.153925 -0.608498 -0.14174 -0.373736 0.688714
0.0910025 0.525926 0.225072 -0.560421 0.576411 0.262178 -0.558408 0.0836694 0.431191 0.740296 -0.151306 0.478566
-0.22436 0.508088 -0.597535 0.627325]] }, { tensor = "float32", shape = {3}, data = [[0.466425 0.0758005 0.0804495]] } },
  },
  {
    name = "2/49",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 1, use_bias = false, name = "n0" }, sources = 0, call = {} }, { layer = "GroupNormalization", options = { axis = 3, epsilon = 0.01, groups = 2, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = { reduction = "mean" } } },
    metrics = { { { object = "metric", class = "top_k_categorical_accuracy", options = { name = "m0", k = 2 } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-11 -27 50 43 -46 15 27 31 40 -38 -46 -8 9 -25 10 58 51 -6 -7 11 -63 -43 -64 16 -6 32 46 5 24 36 15 14 -9 -53 16
48 -16 -44 4 -20 -1 -43 -55 17 -40 56 -61 -45 -19 25 36 -58 46 11 -39 22 12 -47 -10 -57 -2 42 35 14 50 57 -21 55
40 1 -15 -30 -22 25 -64 58 26 33 38 -14 -31 -56 7 42 -60 11 -4 -50 -2 32 6 7 -49 -45 -18 -33 -6 48 40 14 42 64
-44 -35 -4 44 -1 1 -25 21 -3 24 27 -58 61 -24 -21 15 61 39 29 3 57 -9 51 -6 22 4 50 64 18 -27 18 -42 -12 -48 50
53 36 -5 -19 -29 -8 28]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 0 64 0 0 64 0 64 0 0 64 0 0 64 0 0]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {2, 1}, scale = 64, data = [[3 35]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[77 57]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-30 48]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-44 -17 31 38 17 -38 -34 34 -40 35 45 12 30 36 -18 28 17 44 -12 38 24 -40 -8 32 3 12 -7 31 -14 6 3 -8 -48 -32 2
8]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[27 10 -36]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.400665]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.384658]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.365821]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.245994 0.603617 0.15039 0.830525 0.0780189 0.0914566 0.139941 0.0621315 0.797927 0.552781 0.191293 0.255925
0.12553 0.377966 0.496504 0.89997 0.0805688 0.019461]] } } },
    final = { { tensor = "float32", shape = {2, 1}, data = [[0.069867 0.534299]] }, { tensor = "float32", shape = {2}, data = [[1.19031 0.878971]] }, { tensor = "float32", shape = {2}, data = [[-0.454293 0.749244]] }, { tensor = "float32", shape = {12, 3}, data = [[-0.694312 -0.260438 0.486747 0.599405 0.262752 -0.597135 -0.52684 0.526107 -0.623987 0.544909 0.713418 0.178133
0.473206 0.547188 -0.267262 0.426931 0.27657 0.686589 -0.181502 0.588017 0.374591 -0.617522 -0.122299 0.490992
0.0573782 0.181377 -0.116044 0.478806 -0.205061 0.0823074 0.0334748 -0.115836 -0.741841 -0.494285 0.0269732
0.123042]] }, { tensor = "float32", shape = {3}, data = [[0.42157 0.164735 -0.570833]] } },
  },
  {
    name = "2/50",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "ZeroPadding2D", options = { padding = 1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, centered = true, learning_rate = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-45 26 37 -51 -15 37 59 -29 29 15 15 -39 10 15 59 -8 -33 -19 -57 -7 37 -5 37 -1 -52 60 -33 10 15 -20 -47 2 -22
57 8 -48 -51 -54 -19 -25 53 22 29 -32 15 -60 -56 29 -42 -44 17 -15 -41 11 -14 -36 -15 -7 28 62 -37 -28 -48 -16
36 -55 59 0 -49 49 -6 -56 -28 -52 -60 28 56 -18 -51 -49 -31 -13 -28 55 36 -35 -7 23 7 -58 -15 -38 49 -10 64 -47
40 -5 -28 -59 -3 -63 62 57 7 -15 -7 -36 20 7 -64 16 -33 -26 -63 56 63 -13 21 -56 54 57 -33 -38 37 15 4 18 47 -8
25 -14 3 -39 -8 64 30 -47 64 24 -37 -60 -6 -23]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 64 64 64 -64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {60, 1}, scale = 64, data = [[-10 29 40 31 20 -40 -44 7 14 28 16 39 -12 -4 23 -31 48 -23 39 42 12 13 17 -19 -27 14 30 24 -23 4 8 -30 44 -9 -44
-43 26 -48 0 -36 5 -47 42 -48 -4 -18 43 18 -19 -34 43 -28 33 23 -4 -19 8 17 -37 -43]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[20]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.775708 0.17808 0.02016]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.62562 0.32853 0.121473]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.62562 0.32853 0.121473]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0121394]] }, m0 = { tensor = "float32", shape = {}, data = [[0.098906]] }, m1 = { tensor = "float32", shape = {}, data = [[0.098906]] } } },
    final = { { tensor = "float32", shape = {60, 1}, data = [[-0.15625 0.453125 0.625 0.484375 0.3125 -0.625 -0.6875 0.109375 0.21875 0.4375 0.25 0.609375 -0.1875 -0.0625
0.133051 -0.468887 0.802978 -0.26035 0.510094 0.77608 -0.065816 -0.0398273 0.265625 -0.296875 -0.421875 0.21875
0.337448 0.533358 -0.21898 0.267688 -0.0690994 -0.638149 0.638934 -0.301557 -0.6875 -0.671875 0.40625 -0.75
0.216666 -0.631332 0.335391 -0.953621 0.405798 -0.679244 -0.246882 -0.289444 0.671875 0.28125 -0.296875 -0.53125
0.671875 -0.4375 0.515625 0.359375 -0.0625 -0.296875 0.125 0.265625 -0.578125 -0.671875]] }, { tensor = "float32", shape = {1}, data = [[0.409906]] } },
  },
  {
    name = "2/51",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, activation = "softmax", name = "n0" }, sources = 0, call = {} }, { layer = { object = "sequential", class = "sequential", options = { shape = { 4 }, layers = { { object = "layer", class = "dense", options = { units = 4, activation = "relu" } }, { object = "layer", class = "layer_normalization", options = {} }, { object = "layer", class = "dense", options = { units = 4, trainable = false } } }, name = "inner1" } }, options = {}, sources = 2, call = {} }, { layer = "GroupNormalization", options = { axis = -1, scale = false, epsilon = 0.01, groups = -1, name = "n2" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n3" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-50 -45 -6 14 57 40 39 -10 4 -64 12 -20 -1 29 17 -49 -62 -43 28 18 21 -51 20 -6]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-47 36 -55 -39 56 -58 -27 -58 -40 -7 46 -2 34 11 44 3 23 -8 14 -13 38 -57 -34 -49]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-13 -15 53 -51 -28 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36 28 5 25 48 -17 -24 -32 -42]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[32 -14 -41 -19]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[36 45 -27 41 -25 -33 34 46 -23 32 -30 -27 -33 47 -15 -13]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-31 44 35 -16]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[45 39 34 49]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-14 -30 -39 32]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[10 9 11 -29 -33 -48 -24 43 8 26 36 25 -20 -23 24 24]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[23 -46 46 -37]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-25 -17 5 46]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-29 -5 -45 -5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[28]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.9074]] }, m0 = { tensor = "float32", shape = {}, data = [[0.857598]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.894577]] }, m0 = { tensor = "float32", shape = {}, data = [[0.839821]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.878857]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.809642]] } }, { { tensor = "float32", shape = {4, 1}, data = [[0.479577 0.479577 0.479577 0.479577]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.108783 0.264189 0.621656 0.155404 -0.746009 -0.6372 -0.139864 -0.559484 0.435145 0.0777019 0.388519 0.746009
-0.264189 -0.372978 -0.497313 -0.652744]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[32 -14 -41 -19]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[36 45 -27 41 -25 -33 34 46 -23 32 -30 -27 -33 47 -15 -13]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-31 44 35 -16]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[45 39 34 49]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-14 -30 -39 32]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[10 9 11 -29 -33 -48 -24 43 8 26 36 25 -20 -23 24 24]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[23 -46 46 -37]] }, { tensor = "float32", shape = {4}, data = [[-0.380117 -0.26335 0.0912808 0.721188]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.442158 -0.0706269 -0.701785 -0.091238]] }, { tensor = "float32", shape = {1}, data = [[0.422765]] } },
  },
  {
    name = "2/52",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "PReLU", options = { shared_axes = { 1 }, name = "n0" }, sources = 0, call = {} }, { layer = "Permute", options = { dims = { 2, 1, 3, 4 }, name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling3D", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "sigmoid", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { gamma = 1.5, apply_class_balancing = true } } },
    metrics = { { { object = "metric", class = "recall", options = { name = "m0", thresholds = 0.25 } }, { object = "metric", class = "precision", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "auc", options = { name = "m5", curve = "PR", num_thresholds = 20 } }, { object = "metric", class = "f1_score", options = { name = "m6", threshold = 0.375 } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[53 -53 -5 32 -42 -27 -3 27 1 13 -58 11 51 8 -15 27 -40 48 -5 46 6 -55 60 3 37 -46 -4 -53 29 -26 45 -37 9 10 55
54 -1 10 -32 31 12 -16 -61 18 -54 21 18 48 -55 46 15 -39 -4 37 -20 -19 -7 -35 -35 22 -33 12 51 13 58 -10 43 12
-47 26 64 37 12 -10 53 25 -4 41 -20 -14 62 41 46 -41 50 20 2 -41 11 -13 -22 -45 26 -11 43 -36 -53 -23 -28 28 46
-12 42 -7 29 58 13 -54 -9 -31 -59 41 -22 40 -38 11 10 -34 -59 7 -46 14 26 -19 44 56 35 0 49 -6 -36 -41 40 -6 4
27 -50 29 -42 -54 -48 -32 -14 29]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 64 0 0 0 0 64 64 64 64 64 0 0 64 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {1, 3, 2, 2}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31 38 7 -6 5]] }, { tensor = "float32", shape = {2, 3}, scale = 64, data = [[-3 3 -2 -12 20 -43]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[17 -13 -5]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.157623 0.140201 0.157383]] }, m0 = { tensor = "float32", shape = {3}, scale = 64, data = [[64 64 64]] }, m1 = { tensor = "float32", shape = {3}, scale = 64, data = [[16 32 16]] }, m5 = { tensor = "float32", shape = {3}, data = [[0.360932 0.5 0.360932]] }, m6 = { tensor = "float32", shape = {3, 3}, data = [[0.4 0.857143 0.4 0.666667 1 0 0.4 0.857143 0.4]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.151387]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m1 = { tensor = "float32", shape = {}, data = [[0.333333]] }, m5 = { tensor = "float32", shape = {}, data = [[0.404645]] }, m6 = { tensor = "float32", shape = {3}, data = [[0.5 0.909091 0.285714]] } } },
    final = { { tensor = "float32", shape = {1, 3, 2, 2}, data = [[-0.703136 0.218623 -0.406259 0.249925 -0.250015 -0.718822 0.0624863 -0.48446 0.593737 0.109253 -0.0937651
0.0780688]] }, { tensor = "float32", shape = {2, 3}, data = [[-0.0472313 0.0464244 -0.031365 -0.187518 0.311419 -0.670532]] }, { tensor = "float32", shape = {3}, data = [[0.261914 -0.202279 -0.0808692]] } },
  },
  {
    name = "2/54",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "Concatenate", options = { axis = 1, name = "n1" }, sources = { 1, 0 }, call = {} }, { layer = "Dense", options = { units = 4, activation = "tanh", name = "n2" }, sources = 2, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n3" }, sources = 3, call = {} }, { layer = "MultiHeadAttention", options = { num_heads = 2, key_dim = 2, use_bias = false, name = "n4" }, sources = 4, call = { use_causal_mask = true } }, { layer = "Dense", options = { units = 3, activation = "sigmoid", name = "n5" }, sources = 2, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { gamma = 1.5, apply_class_balancing = false } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "cosine_decay", options = { initial_learning_rate = 0.05, decay_steps = 5 } } } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-33 56 6 -61 -36 47 -43 58 53 2 -17 0 58 -63 8 -44 34 7 30 17 -47 -43 -15 -50]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 64 0 64 64 0 0 64 0 64 64 64 0 64 0 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[85 105 32 57 35 22]] },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    policy = "mixed_float16",
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6 -20 6 -5 33]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[42 -28 41 40]] }, { tensor = "float32", shape = {8, 3}, scale = 64, data = [[34 -18 -23 27 15 2 40 -15 -7 6 -5 -1 17 -34 -35 -5 0 42 -46 15 45 -37 -4 20]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-28 19 -2]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.321568]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.293928]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.27119]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.537109 0.567383 0.572266 0.588379 0.421875 0.597168 0.604492 0.317627 0.349854 0.644531 0.305664 0.207031
0.314453 0.436035 0.572266 0.755859 0.43042 0.280518]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.499133 -0.191591 -0.0670095 -0.0619843 -0.337507 0.43661 -0.436934 0.262543 -0.626387 -0.320153 -0.318431
-0.121204 -0.251168 0.142873 -0.0143934 0.558392]] }, { tensor = "float32", shape = {4}, data = [[0.550872 -0.532936 0.612699 0.653495]] }, { tensor = "float32", shape = {8, 3}, data = [[0.493412 -0.329621 -0.304182 0.39552 0.221196 -0.0315034 0.659845 -0.285803 -0.0474597 0.145693 -0.13872
0.0326202 0.319693 -0.536595 -0.484544 -0.135304 -0.00821918 0.591892 -0.772066 0.289624 0.656615 -0.51465
-0.124052 0.366995]] }, { tensor = "float32", shape = {3}, data = [[-0.460154 0.254118 0.0156078]] } },
  },
  {
    name = "2/57",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "LeakyReLU", options = { negative_slope = 0.1, name = "n1" }, sources = 1, call = {} }, { layer = 2, options = {}, sources = 2, call = {} }, { layer = "Maximum", options = { name = "n3" }, sources = { 1, 2 }, call = {} }, { layer = "Add", options = { name = "n4" }, sources = { 4, 3 }, call = {} }, { layer = "LSTM", options = { units = 4, go_backwards = true, name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 1, name = "n6" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adagrad", options = { epsilon = 0.01, learning_rate = 0.05, clipvalue = 0.05 } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[5 0 0 3 3 0 2 5 5 4 0 0 5 3 0 4 4 5]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[7 8 58 -60 33 39]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[4 40 3 -26 -8 31 37 -30 -42 -8 -19 -35 -20 -4 9 -39 -28 -11 19 45 -36 39 2 10]] }, { tensor = "float32", shape = {4, 16}, scale = 64, data = [[-35 -5 -6 35 40 39 -41 43 35 -6 28 -24 -9 14 2 35 -9 -31 -5 -12 0 -2 15 -19 37 24 -19 48 -36 -3 23 43 -10 -12
-18 -47 -43 -17 -21 -45 -25 24 36 41 42 20 -2 18 -34 -5 32 14 44 -40 -24 -2 -22 46 -47 -42 -1 -42 -26 39]] }, { tensor = "float32", shape = {4, 16}, scale = 64, data = [[-15 -16 30 -47 -19 12 39 46 -6 -19 15 1 40 46 -36 2 17 -34 9 -14 -10 -15 32 10 24 27 15 -24 10 46 14 31 -5 -17 3
-47 -10 31 37 -29 -19 38 -45 4 34 -23 13 40 -39 -28 -19 45 37 -16 -16 5 44 -46 7 -12 -40 1 -2 13]] }, { tensor = "float32", shape = {16}, scale = 64, data = [[38 33 -27 -4 21 -4 4 44 -16 19 -20 16 -25 -21 -30 13]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[44 33 8 2]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[7]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.366297 0.227522 0.362483]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.309903]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[0.0625 0.625 0.046875 -0.40625 -0.125 0.484375 0.578125 -0.46875 -0.655201 -0.123805 -0.296482 -0.546554
-0.312247 -0.0621191 0.140489 -0.609347 -0.437618 -0.171636 0.299398 0.703274 -0.561333 0.624646 0.021828
0.142239]] }, { tensor = "float32", shape = {4, 16}, data = [[-0.547207 -0.0783594 -0.0936802 0.546828 0.624849 0.609028 -0.640559 0.67183 0.544497 -0.0952796 0.437267
-0.375276 -0.141076 0.218489 0.031315 0.546844 -0.135765 -0.478297 -0.0797893 -0.186071 0.000136794 -0.0292002
0.233929 -0.296894 0.595895 0.382448 -0.294558 0.751218 -0.562367 -0.0428325 0.358365 0.671824 -0.155492
-0.18764 -0.281068 -0.734687 -0.67203 -0.265044 -0.32825 -0.702746 -0.388099 0.375465 0.562399 0.642404 0.657165
0.311708 -0.0308087 0.281262 -0.526314 -0.0779696 0.500223 0.218136 0.687226 -0.62332 -0.375365 -0.0303567
-0.346575 0.719007 -0.734553 -0.652165 -0.0119726 -0.658395 -0.405364 0.609385]] }, { tensor = "float32", shape = {4, 16}, data = [[-0.234152 -0.250176 0.468787 -0.734418 -0.296551 0.187703 0.60934 0.718787 -0.0929301 -0.295661 0.23447
0.0157542 0.625784 0.718398 -0.562448 0.0312652 0.265032 -0.530554 0.140429 -0.218859 -0.155917 -0.233601
0.49985 0.15636 0.379636 0.425044 0.234913 -0.374266 0.156172 0.720181 0.218424 0.484408 -0.0776274 -0.266149
0.0470243 -0.734252 -0.15668 0.483617 0.578272 -0.453236 -0.301224 0.59052 -0.703625 0.061793 0.531076 -0.360471
0.203387 0.624971 -0.609333 -0.436807 -0.297113 0.702958 0.579157 -0.248557 -0.250257 0.0783474 0.695613
-0.71193 0.110341 -0.186317 -0.623123 0.0169606 -0.0315984 0.203233]] }, { tensor = "float32", shape = {16}, data = [[0.599022 0.51947 -0.4229 -0.061851 0.330165 -0.0571242 0.061465 0.688337 -0.22879 0.316579 -0.308948 0.25501
-0.383882 -0.324795 -0.469499 0.203574]] }, { tensor = "float32", shape = {4, 1}, data = [[0.694875 0.510492 0.124423 0.0515466]] }, { tensor = "float32", shape = {1}, data = [[0.102]] } },
  },
  {
    name = "2/59",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 2, bias_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n0" }, sources = 0, call = {} }, { layer = "Softmax", options = { name = "n1" }, sources = 0, call = {} }, { layer = 2, options = {}, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, activation = "celu", name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.01, gradient_accumulation_steps = 2 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-54 -63 10 55 -57 53 -8 29 52 -46 64 14 53 -11 -14 -30 10 -36 -5 -49 30 35 44 26]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-2 25 11 25 37 -18 -57 54 -35 55 -32 -47 44 -61 52 -37 -9 54]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-38 -22 -24 -1 29 37 31 7 19 30 -14 -2 6 33 -12 -21]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-40 16 -33 48]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[20 -1 48 8 -15 10 35 4 3 -42 -43 -16]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-3 -48 3]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.52196 0.465974 0.51436]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.95902 0.9658 0.951292]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.495284]] }, m0 = { tensor = "float32", shape = {}, data = [[0.951583]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.593055 -0.34384 -0.374456 -0.0177301 0.453789 0.578034 0.484886 0.107362 0.297572 0.468649 -0.21823
-0.0333341 0.0944311 0.51552 -0.186981 -0.330194]] }, { tensor = "float32", shape = {4}, data = [[-0.622729 0.249624 -0.513815 0.744895]] }, { tensor = "float32", shape = {4, 3}, data = [[0.310413 -0.0181754 0.748358 0.127471 -0.231329 0.158265 0.544741 0.0598744 0.0451754 -0.653327 -0.668368
-0.247627]] }, { tensor = "float32", shape = {3}, data = [[-0.0431093 -0.745578 0.0500061]] } },
  },
  {
    name = "2/60",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = false, name = "n0" }, sources = 0, call = {} }, { layer = "Concatenate", options = { axis = 1, name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n2" }, sources = 1, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "poisson", options = { reduction = "mean" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.01, clipvalue = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "int32", shape = {6, 3}, data = [[5 1 2 0 0 5 5 5 1 2 4 5 2 0 2 4 2 3]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[98 97 123 15 59 22 66 125 79 78 62 21 122 71 44 57 123 121]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 3,
    steps_per_execution = 3,
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-7 17 40 10 -48 -41 -9 -36 28 5 25 48 -17 -24 -32 -42 32 -14 -41 -19 36 45 -27 41]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-25 -33 34 46]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-23]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.27863]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.22295]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.24965]] } }, { { tensor = "float32", shape = {6, 3, 1}, data = [[0.433487 0.602666 0.830842 0.69508 0.69508 0.433487 0.433487 0.433487 0.602666 0.830842 0.335967 0.433487
0.830842 0.695081 0.830842 0.335967 0.830842 0.379907]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.11029 0.264943 0.62569 0.156654 -0.764936 -0.656547 -0.124696 -0.546571 0.417315 0.0572186 0.411513 0.771231
-0.274227 -0.383602 -0.491398 -0.647648 0.482661 -0.237631 -0.621655 -0.276573 0.546571 0.687196 -0.405946
0.656554]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.369394 -0.507263 0.511383 0.738542]] }, { tensor = "float32", shape = {1}, data = [[-0.338144]] } },
  },
  {
    name = "2/61",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "UpSampling2D", options = { size = 2, interpolation = "bilinear", name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { reduction = "mean" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lion", options = { learning_rate = 0.01, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-59 -28 -10 11 -4 -2 61 -15 -40 5 -34 32 13 1 24 57 -26 5 -33 -2 -52 -3 13 -64 -50 18 23 -63 34 -56 30 -49 -20
14 -54 -47 56 21 -55 -7 -51 -38 -2 47 -30 -21 -5 -44 12 46 -33 -45 -60 50 13 -46 -64 -61 -20 4 -13 51 15 60 -9
-26 -25 -14 43 20 -46 -12 13 -15 0 57 57 35 -40 -56 -11 -57 26 -15 63 24 6 18 -58 -49 19 46 49 -51 -1 39 8 49 64
-41 -38 63 60 -4 8 48 -26 14 20 -12 3 -50 9 42 3 42 55 23 0 45 -46 54 -24 -34 10 46 -60 -59 30 -6 43 51 -16 18
63 -36 -6 -43 12 -21 59 38 -43 -14 5 53 -63 60 -35 24 -47 -26 55 -3 -2 -29 -14 -9 -63 -36 -44 23 11 -8 20 48 19
10 44 5 10 43 -46 -13 4 62 -50 56 -19 -60 17 55 56 55 21 33 -23 -64 -56 -3 46 24]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 0 1 1 2 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {32, 3}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31 38 7 -6 5 -3 3 -2 -12 20 -43 17 -13 -5 -14 19 -25 12 -44 -48 40 25 3 35 -37 17 -35
28 -5 -42 0 30 28 -27 -45 18 -22 -47 34 33 41 32 6 22 -23 16 23 11 -45 25 15 19 -31 32 -4 24 17 12 36 -45 26 -15
23 22 22 31 -5 -35 -21 -44 34 -19 10 -4 14 -31 -25 -26 46 46 31 -36 -1 43 -40 8 48 -6 -27]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-16 2 24]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.17641]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.25251]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.990033]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.00402998 0.381474 0.614496 0.0901184 0.761153 0.148728 0.0431206 0.589051 0.367828 0.0442101 0.332156 0.623634
0.0543089 0.508341 0.43735 0.555328 0.155268 0.289403]] } } },
    final = { { tensor = "float32", shape = {32, 3}, data = [[-0.725625 0.23625 -0.42375 0.2725 -0.2275 -0.74125 0.045 -0.466875 0.57625 0.086875 -0.11625 0.100625 -0.024375
0.029375 -0.05375 -0.165 0.33 -0.694375 0.248125 -0.185625 -0.055625 -0.23625 0.319375 -0.393125 0.17 -0.67
-0.7725 0.6075 0.413125 0.024375 0.549375 -0.600625 0.288125 -0.524375 0.42 -0.100625 -0.67875 0.0175 0.45125
0.415 -0.404375 -0.700625 0.26375 -0.36125 -0.716875 0.51375 0.493125 0.658125 0.5175 0.11625 0.32625 -0.336875
0.2275 0.341875 0.149375 -0.680625 0.368125 0.211875 0.314375 -0.501875 0.4825 -0.04 0.3525 0.288125 0.165 0.54
-0.680625 0.38875 -0.236875 0.341875 0.36625 0.32125 0.466875 -0.060625 -0.524375 -0.345625 -0.67 0.50875
-0.319375 0.13875 -0.04 0.21625 -0.461875 -0.408125 -0.42875 0.74125 0.70125 0.506875 -0.58 -0.038125 0.694375
-0.6425 0.1425 0.7725 -0.11125 -0.444375]] }, { tensor = "float32", shape = {3}, data = [[-0.2275 0.00875 0.3575]] } },
  },
  {
    name = "2/63",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 3, activation = "softplus", name = "n0" }, sources = 0, call = {} } },
    outputs = { 1 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = {} } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "mean_squared_logarithmic_error", options = { name = "m5" } }, { object = "metric", class = "mean_squared_logarithmic_error", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-1 4 -10 36 24 -16 -30 -36 -56 13 -45 59 -50 33 -57 -14 19 -12 12 36 -13 -12 36 2]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[101 123 65 79 53 111 69 14 72 116 76 105 19 108 62 47 49 100]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-30 -15 -7 -5 -24 31 -25 18 -37 -19 -17 -6]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-20 6 -5]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[48.9744]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.770165]] }, m5 = { tensor = "float32", shape = {1}, data = [[0.107034]] }, m6 = { tensor = "float32", shape = {1}, data = [[0.107034]] } }, { loss = { tensor = "float32", shape = {}, data = [[34.8783]] }, m0 = { tensor = "float32", shape = {}, data = [[0.666038]] }, m5 = { tensor = "float32", shape = {}, data = [[0.0987493]] }, m6 = { tensor = "float32", shape = {}, data = [[0.0987493]] } }, { loss = { tensor = "float32", shape = {}, data = [[33.8914]] }, m0 = { tensor = "float32", shape = {}, data = [[0.667337]] }, m5 = { tensor = "float32", shape = {}, data = [[0.0957341]] }, m6 = { tensor = "float32", shape = {}, data = [[0.0957341]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.609568 0.375392 1.16613 0.781181 0.858623 1.11435 1.11076 0.182202 1.68016 1.48793 0.361337 1.8564 0.421003
0.49074 0.879673 0.567428 0.674489 0.766217]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.795036 0.313388 -0.212834 0.0222376 -0.446515 0.510628 -0.635474 0.349688 -0.741692 -0.411246 -0.836415
0.0579566]] }, { tensor = "float32", shape = {3}, data = [[-0.056565 -0.228298 0.609064]] } },
  },
  {
    name = "2/66",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Reshape", options = { target_shape = { -1 }, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, name = "n1" }, sources = 1, call = {} }, { layer = "AlphaDropout", options = { rate = 0, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { from_logits = true, gamma = 1.5, apply_class_balancing = true } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.01, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-1 21 23 -13 32 37 49 3 -53 -52 11 -52 52 59 -49 6 -31 19 40 24 -12 1 -18 -31 -49 36 -9 42 -60 54 -57 -2 40 -41
-8 -31 23 29 8 -54 -46 21 -38 1 6 36 -25 -44 44 -50 -50 12 -63 34 -26 48 -55 64 52 -5 58 -64 32 17 23 10 -14 -3
60 45 19 13]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 0 64 0 0 0]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    replicas = 4,
    weights = { { tensor = "float32", shape = {12, 4}, scale = 64, data = [[4 40 3 -26 -8 31 37 -30 -42 -8 -19 -35 -20 -4 9 -39 -28 -11 19 45 -36 39 2 10 -35 -5 -6 35 40 39 -41 43 35 -6 28
-24 -9 14 2 35 -9 -31 -5 -12 0 -2 15 -19]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[37 24 -19 48]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-36 -3 23 43]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-10]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[1.07065 -0.146885 -1.47771 -0.643108 -0.462879 -0.298267]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.155164 0.142165]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.142725]] } } },
    final = { { tensor = "float32", shape = {12, 4}, data = [[0.0797068 0.632391 0.0309131 -0.423784 -0.124483 0.482883 0.578303 -0.469566 -0.666296 -0.127137 -0.288543
-0.536234 -0.320046 -0.0645802 0.147294 -0.601552 -0.438934 -0.172436 0.298299 0.704494 -0.565631 0.609117
0.033662 0.159658 -0.539254 -0.0758273 -0.100587 0.539013 0.637336 0.612101 -0.650806 0.658787 0.540172
-0.0952795 0.443242 -0.367974 -0.124278 0.224714 0.016469 0.530072 -0.141031 -0.48348 -0.0783104 -0.186815
-0.00332239 -0.0316689 0.23692 -0.293229]] }, { tensor = "float32", shape = {4}, data = [[0.591432 0.37947 -0.308482 0.736105]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.56238 -0.0646854 0.363714 0.653159]] }, { tensor = "float32", shape = {1}, data = [[-0.171446]] } },
  },
  {
    name = "2/67",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Minimum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Subtract", options = { name = "n1" }, sources = { 1, 0 }, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 1, activation = "sigmoid", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "tversky", options = { alpha = 0.25, beta = 0.75 } } },
    metrics = { { { object = "metric", class = "auc", options = { name = "m0" } }, { object = "metric", class = "fbeta_score", options = { name = "m1", beta = 0.5, threshold = 0.5, average = "micro" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-34 -62 48 -4 50 21 58 -62 -41 -9 -7 46 29 27 -20 64 1 -33 -12 1 -60 -55 22 49 8 63 -49 -48 39 14 -5 53 16 37 8
-27 -50 17 40 19 8 -11 57 -2 -15 -29 27 -1 -10 -39 17 -5 44 -3 43 -47 -35 44 18 -15 -37 -41 -30 -26 49 58 12 57
-3 -7 53 -30 59 -32 -55 46 56 33 -28 62 -58 -35 55 40 45 43 54 43 18 -21 -23 62 -30 49 -49 -45 -44 46 36 48 -54
31 -62 -29 -4 40 -32 5 -60 27 -8 -14 -31 26 12 -33 -17 5 16 52 30 -22 58 45 26 12 -34 -15 -26 64 -57 -5 12 51 12
-40 -43 41 36 -38 -8 -33 17 58 0 -9 -11 -49 -28 -59 46 62 -52 48 -46 13 23 15 55 -59 -42 -59 -2 27 61 -1 42 21
36 2 -23 63 26 18 -9 49 50 -7 -45 -44 16 -46 -27 43 49 -62 4 -5 -20 -8 39 29]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 64 64 0 0 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 3,
    steps_per_execution = 2,
    weights = { { tensor = "float32", shape = {32, 1}, scale = 64, data = [[3 35 19 -11 -30 48 -44 -17 31 38 17 -38 -34 34 -40 35 45 12 30 36 -18 28 17 44 -12 38 24 -40 -8 32 3 12]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-7]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.671414]] }, m0 = { tensor = "float32", shape = {1}, scale = 64, data = [[16]] }, m1 = { tensor = "float32", shape = {1}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.500021]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.666601]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, m1 = { tensor = "float32", shape = {}, data = [[0.384615]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.500391 0.500391 0.500391 0.500391 0.500391 0.500391]] } } },
    final = { { tensor = "float32", shape = {32, 1}, scale = 64, data = [[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]] }, { tensor = "float32", shape = {1}, data = [[0.00156578]] } },
  },
  {
    name = "2/68",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "GaussianNoise", options = { stddev = 0, name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 2, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n2" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n3" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { { { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m0" } }, { object = "metric", class = "sparse_categorical_accuracy", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.01, clipvalue = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-4 -49 40 54 7 41 -57 23 -20 19 -27 28 25 -43 -29 64 -54 54 38 5 55 30 35 40]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-52 -32 -2 -59 -40 0 4 26 43 -6 -17 12 -15 -58 4 28 -51 -55 -2 -27 -10 43 -59 55]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 0 0 2 0 2]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-38 -22 -24 -1 29 37 31 7 19 30 -14 -2]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[6 33 -12]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.909201]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.908406]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.877267]] }, m0 = { tensor = "float32", shape = {1}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {1}, scale = 64, data = [[0]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.574139 0.265624 0.160237 0.228304 0.51843 0.253266 0.32104 0.445027 0.233933 0.477761 0.346581 0.175658]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.596295 -0.343454 -0.37258 -0.0116005 0.451383 0.57536 0.482251 0.1115 0.299908 0.467743 -0.222775 -0.0272255]] }, { tensor = "float32", shape = {3}, data = [[0.0977745 0.511601 -0.183475]] } },
  },
  {
    name = "2/70",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Normalization", options = { mean = { 0, 0.25, 0.5, 0.75 }, variance = { 0.5, 0.75, 1, 1.25 }, name = "n0" }, sources = 0, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "binary_focal_crossentropy", options = { from_logits = true, gamma = 1.5, apply_class_balancing = false } } },
    metrics = { { { object = "metric", class = "binary_accuracy", options = { name = "m0", threshold = 0.25 } }, { object = "metric", class = "binary_crossentropy", options = { name = "m1", from_logits = true } } } },
    weighted_metrics = { { { object = "metric", class = "binary_accuracy", options = { name = "m5", threshold = 0.25 } } } },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.05, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[37 -28 -13 54 -45 -5 -40 -41 47 -11 -26 14 -13 4 -2 -41 1 -48 -52 1 -26 -44 13 -13 -51 -31 -6 -29 -10 -23 -60 17
-57 64 -30 42 35 31 31 -25 -43 56 45 -8 -20 -19 -40 -63 12 -8 34 51 -4 36 34 42 -55 4 43 23 41 53 -36 44 -54 -48
-41 -42 -45 43 -5 37]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 0 64 0 0 64 0 0 64 0 0 0 64 0 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-45 14 -26 16 -16 -46 4 -31 38 7 -6 5]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-3 3 -2]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.250742 0.265548 0.240751]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.666667 0.666667 0.666667]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.677808 0.708769 0.664058]] }, m5 = { tensor = "float32", shape = {3}, data = [[0.666667 0.666667 0.666667]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.246765]] }, m0 = { tensor = "float32", shape = {}, data = [[0.722222]] }, m1 = { tensor = "float32", shape = {}, data = [[0.675888]] }, m5 = { tensor = "float32", shape = {}, data = [[0.722222]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.681264 0.181076 -0.379823 0.277119 -0.208375 -0.707665 0.0935175 -0.475259 0.598193 0.138463 -0.108144
0.0977661]] }, { tensor = "float32", shape = {3}, data = [[-0.0499376 0.0440706 -0.0330304]] } },
  },
  {
    name = "2/71",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "Attention", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "SimpleRNN", options = { units = 4, activation = "sigmoid", return_sequences = true, name = "n2" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5, reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, centered = true, learning_rate = 0.01, global_clipnorm = 0.5, gradient_accumulation_steps = 2, weight_decay = 0.05 } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[2 0 0 4 2 0 4 2 4 1 0 0 5 2 0 5 2 5]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-25 -14 -42 14 11 58 -45 -21 52 -11 57 -2 -56 -53 -37 -27 -5 -44]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-19 48 -36 4 38 -1 27 9 35 18 31 2 8 -34 14 4 40 38 13 44 -29 1 -13 6]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[47 -33 23 -48 37 27 -18 -24 -26 -40 30 -28 43 -26 -43 -7]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-14 30 18 -43 -20 -30 38 1 36 -17 44 7 15 41 -47 27]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-24 3 -17 -48]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[-15 11 19 -46 -48 -26 17 7 20 -1 28 -13 3 24 26 -29 26 5 -5 -32 34 -4 -27 23 -8 -12 40 10 39 28 -42 -3 -47 -46
23 -22]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-42 12 0]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.300492]] }, m0 = { tensor = "float32", shape = {}, data = [[0.81028]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.300492]] }, m0 = { tensor = "float32", shape = {}, data = [[0.81028]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.287514]] }, m0 = { tensor = "float32", shape = {}, data = [[0.783004]] } }, { { tensor = "float32", shape = {6, 3}, data = [[-1.54762 0.29724 0.703593 -1.62365 0.316897 0.815333 -1.63414 0.3203 0.853222 -1.52034 0.290656 0.685039
-1.74695 0.253756 0.55748 -1.81062 0.353942 0.519912]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.296727 0.749625 -0.562219 0.0624687 0.592634 -0.0163796 0.422293 0.14072 0.546633 0.279297 0.486788 0.0308971
0.124937 -0.530984 0.218641 0.0624687 0.62528 0.592646 0.204543 0.687298 -0.452898 0.0156172 -0.203023 0.0937031]] }, { tensor = "float32", shape = {4, 4}, data = [[0.73135 -0.517961 0.358221 -0.750796 0.576656 0.420197 -0.28134 -0.3756 -0.407961 -0.626396 0.46785 -0.438
0.670676 -0.407226 -0.671871 -0.109966]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.21892 0.467233 0.280602 -0.672001 -0.312513 -0.469319 0.593116 0.0153118 0.562047 -0.266368 0.686743 0.108947
0.234186 0.639981 -0.734129 0.421556]] }, { tensor = "float32", shape = {4}, data = [[-0.379405 0.0424118 -0.267147 -0.751627]] }, { tensor = "float32", shape = {12, 3}, data = [[-0.225116 0.168168 0.292531 -0.712095 -0.751958 -0.409199 0.272933 0.107119 0.308068 -0.0125921 0.436388
-0.20464 0.0558142 0.371321 0.401853 -0.446375 0.403549 0.0749289 -0.0694232 -0.502826 0.526698 -0.0597545
-0.422345 0.357584 -0.115832 -0.191056 0.620471 0.162608 0.606664 0.434137 -0.647192 -0.0500013 -0.738305
-0.715675 0.358514 -0.34519]] }, { tensor = "float32", shape = {3}, data = [[-0.641015 0.181926 -0.00817021]] } },
  },
  {
    name = "2/73",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "RepeatVector", options = { n = 3, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "categorical_hinge", options = { reduction = "sum" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.01, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-2 59 -6 -19 33 54 -15 6 -31 52 -64 0 -19 63 17 31 -55 37 43 38 58 51 18 38]] } },
    y = { { tensor = "float32", shape = {6, 3, 3}, scale = 64, data = [[0 0 64 0 0 64 64 0 0 0 0 64 64 0 0 0 64 0 64 0 0 0 0 64 0 64 0 0 0 64 64 0 0 0 64 0 0 0 64 0 64 0 0 0 64 0 0 64
0 64 0 0 64 0]] } },
    sample_weight = { tensor = "float32", shape = {6, 3}, scale = 64, data = [[49 74 124 87 77 67 98 24 109 27 124 23 77 64 33 38 109 89]] },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-18 27 43 -15 46 -40 -6 -26 12 -18 -44 35]] } },
    answers = { { { tensor = "float32", shape = {6, 3, 3}, data = [[0.235182 0.64352 0.121298 0.235182 0.64352 0.121298 0.235182 0.64352 0.121298 0.181291 0.603053 0.215656
0.181291 0.603053 0.215656 0.181291 0.603053 0.215656 0.289384 0.610387 0.100229 0.289384 0.610387 0.100229
0.289384 0.610387 0.100229 0.294686 0.462024 0.243291 0.294686 0.462024 0.243291 0.294686 0.462024 0.243291
0.435051 0.262714 0.302235 0.435051 0.262714 0.302235 0.435051 0.262714 0.302235 0.143196 0.416482 0.440322
0.143196 0.416482 0.440322 0.143196 0.416482 0.440322]] } }, { loss = { tensor = "float32", shape = {2}, data = [[13.4368 13.3995]] } }, { loss = { tensor = "float32", shape = {}, data = [[13.389]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.277195 0.426463 0.666704 -0.221692 0.705681 -0.614937 -0.0980264 -0.398969 0.185345 -0.283612 -0.683433
0.542679]] } },
  },
  {
    name = "2/74",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Minimum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 3, name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "r2_score", options = { name = "m5" } }, { object = "metric", class = "mean_squared_error", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-61 54 22 -47 35 -12 -57 -55 -7 30 29 55 21 -1 -55 -19 -47 -41 40 -55 -49 -36 16 -7]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-57 -28 -5 -23 -56 -23 56 -11 -5 47 31 19 44 55 61 -25 -41 61]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    steps_per_execution = 3,
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[23 4 38 30 -28 12 10 -27 -3 -47 1 -29]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-14 -43 -7]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.427246 -1.25708 -0.200439 0.381836 -0.193359 0.611328 -0.598633 -1.06152 -0.49707 -0.0244141 -0.286621
0.257324 -0.0541992 -0.7146 -0.30542 -0.638184 -0.580811 -0.631592]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.801814 0.736779]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.353873 0.310904]] }, m5 = { tensor = "float32", shape = {2}, data = [[-1.44303 -1.08919]] }, m6 = { tensor = "float32", shape = {2}, data = [[0.861062 0.74425]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.693376]] }, m0 = { tensor = "float32", shape = {}, data = [[0.28453]] }, m5 = { tensor = "float32", shape = {}, data = [[-0.874654]] }, m6 = { tensor = "float32", shape = {}, data = [[0.675689]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.325234 -0.0270061 0.464211 0.33837 -0.351832 0.156396 0.279315 -0.282358 0.0908324 -0.706469 0.00336577
-0.444571]] }, { tensor = "float32", shape = {3}, data = [[-0.12416 -0.574821 0.0321658]] } },
  },
  {
    name = "2/76",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Concatenate", options = { axis = -1, name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.01, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[9 35 -3 42 -60 -22 56 -57 -20 -51 -54 -43 -35 52 -60 2 -35 -50 -21 49 39 -60 -12 -22 -3 2 64 53 4 -18 -35 27 38
-10 46 -40 -31 -22 32 -17 11 7 63 -60 -48 36 4 53 -10 38 2 36 -64 -7 37 -53 -31 21 -3 17 7 -9 15 23 -50 -53 16
11 53 -17 3 63 -53 30 -34 -44 -57 6 -64 34 47 59 -33 -11 29 -6 6 25 60 -28 -35 46 -19 -49 19 -11 -5 -22 -61 18 5
-5 50 25 -2 -41 53 61 57 -51 57 -40 -9 -10 -62 55 -53 -3 -33 -32 7 -23 22 36 -10 -61 -9 -61 -50 0 -22 14 -38 26
-21 -14 28 11 24 1 -8 56 29 -23]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-25 36 26 5 5 -3 19 4 -34 -62 2 54 2 30 19 -22 -52 4]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, validation = true, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {48, 3}, scale = 64, data = [[3 35 19 -11 -30 48 -44 -17 31 38 17 -38 -34 34 -40 35 45 12 30 36 -18 28 17 44 -12 38 24 -40 -8 32 3 12 -7 31
-14 6 3 -8 -48 -32 2 8 27 10 -36 -23 -13 -21 -24 -7 25 23 34 40 32 -6 -12 18 22 0 -24 18 -34 36 -5 -16 41 -39 41
-1 -48 -29 -9 -21 13 19 -6 36 29 -24 -16 -31 13 20 17 2 -6 -21 25 40 -42 1 29 25 -13 6 16 26 41 31 22 -44 7 5 -2
0 36 25 20 2 24 6 -14 13 -42 44 -39 -19 -9 46 47 46 -10 -18 -14 -26 1 47 25 45 43 -30 -45 28 15 -7 -31 -40 -19
-31 -12 -17 16 -37]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-45 20 10]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[3.88725 8.89468 3.54968]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.35459 1.87163 1.26646]] }, val_loss = { tensor = "float32", shape = {3}, data = [[5.42573 5.22756 5.04224]] }, val_m0 = { tensor = "float32", shape = {3}, data = [[1.49419 1.45107 1.40831]] } }, { loss = { tensor = "float32", shape = {}, data = [[5.04224]] }, m0 = { tensor = "float32", shape = {}, data = [[1.40831]] } } },
    final = { { tensor = "float32", shape = {48, 3}, data = [[0.0327941 0.530226 0.308701 -0.171487 -0.459538 0.733845 -0.698011 -0.280983 0.49592 0.586854 0.271769 -0.607534
-0.5195 0.515581 -0.612951 0.5469 0.687101 0.201546 0.477315 0.546784 -0.269716 0.437689 0.250257 0.700797
-0.173024 0.584583 0.387217 -0.62023 -0.111437 0.484621 0.0595442 0.178942 -0.0959521 0.484181 -0.205046
0.0789806 0.0342402 -0.12218 -0.733382 -0.483577 0.0358861 0.115575 0.408678 0.158274 -0.546163 -0.343162
-0.191901 -0.317826 -0.35893 -0.0967048 0.37488 0.365296 0.530933 0.608755 0.514583 -0.0811033 -0.201908
0.287288 0.343714 -0.0149746 -0.359685 0.280439 -0.515926 0.547272 -0.0649355 -0.235644 0.653879 -0.608542
0.653948 -0.0290108 -0.735803 -0.438465 -0.14043 -0.313891 0.193471 0.281285 -0.0960057 0.546397 0.448474
-0.360696 -0.257051 -0.498345 0.200121 0.296771 0.279462 0.0331299 -0.0783355 -0.332518 0.390155 0.608543
-0.640451 0.0175283 0.467491 0.380009 -0.201997 0.0780893 0.25817 0.406332 0.626741 0.492125 0.327597 -0.673527
0.117755 0.0786989 -0.0432324 0.00891505 0.546019 0.402122 0.320952 0.0163187 0.385252 0.0804291 -0.202722
0.191294 -0.644583 0.671585 -0.597065 -0.308634 -0.124714 0.706146 0.720497 0.715924 -0.171331 -0.274233
-0.234137 -0.391653 0.00282406 0.731526 0.374507 0.706516 0.655104 -0.454059 -0.697971 0.43357 0.219273
-0.0942352 -0.499638 -0.612891 -0.29233 -0.486439 -0.200941 -0.250251 0.233605 -0.566087]] }, { tensor = "float32", shape = {3}, data = [[-0.69649 0.330993 0.149817]] } },
  },
  {
    name = "2/77",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "DepthwiseConv2D", options = { padding = "valid", strides = 2, kernel_size = { 1, 1 }, depth_multiplier = 2, activation = "log_softmax", name = "n0" }, sources = 0, call = {} }, { layer = "Permute", options = { dims = { 3, 1, 2 }, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softplus", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "mean_absolute_percentage_error", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.05, global_clipnorm = 0.5, gradient_accumulation_steps = 2 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[-34 32 28 5 1 -21 54 -22 29 -16 -11 9 47 0 -52 -34 35 -47 -24 -31 46 29 -44 15 -43 -46 10 14 -29 22 -59 46 20 23
-36 -30 20 -34 54 57 43 -28 60 34 34 -28 -21 -17 -53 10 -60 -12 35 -53 -24 25 -19 9 -45 56 -26 -17 -35 -24 44 -1
13 55 -16 -36 -4 -53 46 17 -32 20 4 3 -30 59 -55 1 -8 -54 -47 -14 9 -40 -15 36 -48 -35 8 -23 7 9 22 58 -62 -47
45 25 63 -4 58 22 -58 -8 -51 -4 21 -35 -12 2 23 -44 54 16 61 -26 4 -40 41 51 15 -27 -13 13 13 -49 38 -30 -29 1
-41 -43 15 28 42 43 37 -10 20 -11 -19 -5 -45 62 -17 -47 -21 21 -41 50 -21 1 -64 49 48 -18 -28 -6 -30 -5 -13 30
33 21 14 0 -38 36 -53 41 -27 -20 -45 21 -7 24 -24 59 -3 -58 -32 36 4 41 60 23 3 30]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[26 76 102 22 116 65 128 67 107 122 57 62 98 83 106 95 39 22]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {1, 1, 2, 2}, scale = 64, data = [[-38 -22 -24 -1]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[29 37 31 7]] }, { tensor = "float32", shape = {16, 3}, scale = 64, data = [[19 30 -14 -2 6 33 -12 -21 -40 16 -33 48 20 -1 48 8 -15 10 35 4 3 -42 -43 -16 -3 -48 3 22 2 -37 -12 3 33 -16 -14
-42 26 -5 33 -2 42 4 -25 -3 -45 42 -29 -35]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[41 -30 -36]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[65.3758 110.365 47.5384]] } }, { loss = { tensor = "float32", shape = {}, data = [[55.2492]] } } },
    final = { { tensor = "float32", shape = {1, 1, 2, 2}, data = [[-0.592469 -0.339504 -0.36282 -0.00372785]] }, { tensor = "float32", shape = {4}, data = [[0.439313 0.582815 0.500556 0.102288]] }, { tensor = "float32", shape = {16, 3}, data = [[0.279442 0.519531 -0.21198 -0.0495527 0.143929 0.523436 -0.204102 -0.28187 -0.618505 0.230575 -0.465258 0.755391
0.29662 0.0312849 0.758479 0.108504 -0.187914 0.164095 0.530798 0.10832 0.0547728 -0.673067 -0.625422 -0.243372
-0.0650769 -0.69894 0.058731 0.327302 0.0831461 -0.564411 -0.205798 0.101827 0.530094 -0.266134 -0.165545
-0.638425 0.384219 -0.0152592 0.531161 -0.0534587 0.718961 0.0753235 -0.414182 0.0192433 -0.688431 0.634801
-0.390603 -0.533466]] }, { tensor = "float32", shape = {3}, data = [[0.653717 -0.507439 -0.569989]] } },
  },
  {
    name = "2/78",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, name = "n0" }, sources = 0, call = {} }, { layer = "Concatenate", options = { axis = 1, name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Minimum", options = { name = "n2" }, sources = { 2, 2 }, call = {} }, { layer = "Dense", options = { units = 4, activation = "silu", name = "n3" }, sources = 3, call = {} }, { layer = "Flatten", options = { name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[15 48 -5 -14 -38 -56 63 64 59 47 -62 -19 34 28 11 35 -35 51 -42 51 -60 25 -20 -46 58 -5 4 -23 18 -58 4 8 41 -45
36 45 34 -62 -46 -38 41 32 -19 46 -17 -35 45 -53 -26 18 -59 -61 48 11 13 -18 -34 21 -9 -51 32 3 -26 44 59 58 9
-53 -54 5 53 56 -56 -38 -45 -27 54 -53 63 1 37 59 -18 43 0 -36 -58 10 -56 -15 -46 38 55 -17 -29 34 -37 21 -14
-15 -60 -3 9 -10 -35 2 56 7 52 54 32 -30 -7 52 18 -59 22 -24 21 -11 -23 40 -23 62 22 -29 45 47 -3 15 34 15 -33
-8 47 -40 -54 3 -15 0 -15 31 -28 -32]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-48 50 19 42 -1 54]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    steps_per_execution = 2,
    rematerialize = 1,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[38 44 34 18 42 -28 -46 5]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[33 41 35 28]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[18 34 8 43 40 -22 28 -34 -33 10 42 40 3 -44 42 -24]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[24 43 14 23]] }, { tensor = "float32", shape = {96, 1}, scale = 64, data = [[46 28 -26 -28 46 -39 7 12 28 -45 -38 43 -41 13 -16 44 -17 36 -17 34 -48 24 33 -40 40 13 26 13 4 46 43 19 -2 34
-42 46 48 19 -41 14 -31 -34 -41 11 39 -30 -34 -27 -46 24 -36 40 -18 22 26 21 6 8 -39 -35 43 41 -4 -21 -43 13 17
35 -19 6 14 42 39 46 47 32 -22 -47 6 4 -41 26 18 5 42 -27 36 37 -4 -22 -2 -47 -41 -40 -27 -21]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[35]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[4.83656]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.3549]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.335147]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-1.00161 0.0532622 0.587015 1.34138 0.785105 0.371675]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.193294 0.546792 -0.0693888 0.357375 -0.29155 -0.0723829 -1.02417 0.770364]] }, { tensor = "float32", shape = {4}, data = [[0.245561 0.609201 0.45183 0.494596]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.158093 -0.451204 -0.357471 -0.0938028 0.359657 -0.570118 -0.199797 -0.570999 -0.511724 0.164538 0.15518
0.79323 -0.214623 -0.949484 0.369879 -0.547602]] }, { tensor = "float32", shape = {4}, data = [[0.219752 0.437002 0.0312953 0.28004]] }, { tensor = "float32", shape = {96, 1}, data = [[0.674216 0.308714 -0.314631 -0.561459 0.753126 -0.640237 0.0517893 0.139017 0.528505 -0.699642 -0.22928 0.761154
-0.655064 0.0704083 -0.173844 0.546548 -0.2901 0.492498 -0.245541 0.450004 -0.557085 0.411331 0.665405 -0.556936
0.513151 0.133438 0.482825 0.13534 -0.0290175 0.658403 0.665587 0.222192 -0.0489338 0.455609 -0.508832 0.672753
0.786489 0.254391 -0.592065 0.182649 -0.393188 -0.602137 -0.222008 0.204411 0.65128 -0.40134 -0.526162 -0.350464
-0.763284 0.246214 -0.470881 0.501041 -0.246874 0.312888 0.348664 0.279642 0.184755 0.128483 -0.244905 -0.457596
0.657436 0.507908 0.0136561 -0.469077 -0.69635 0.133123 0.285709 0.465629 -0.10396 0.130081 0.36853 0.724314
0.497526 0.649063 0.81095 0.432215 -0.435268 -0.794722 0.0874622 -0.0121827 -0.658309 0.330609 0.428668
0.0321284 0.692739 -0.464359 0.61106 0.542024 0.0286866 -0.414637 0.387367 -0.701839 -0.59872 -0.55759 -0.416787
-0.256714]] }, { tensor = "float32", shape = {1}, data = [[0.674889]] } },
  },
  {
    name = "2/79",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "ActivityRegularization", options = { l1 = 0.01, l2 = 0.02, name = "n0" }, sources = 0, call = {} }, { layer = "PReLU", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Maximum", options = { name = "n2" }, sources = { 1, 2 }, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "cosine_similarity", options = {} } },
    metrics = { { { object = "metric", class = "mean_squared_error", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "mean_squared_error", options = { name = "m5" } }, { object = "metric", class = "r2_score", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.01, clipvalue = 0.05, weight_decay = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-24 14 -58 46 27 62 38 2 -61 26 17 -20 -13 -10 15 -53 14 64 -58 63 17 27 -48 18]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[17 -12 57 62 -36 -28 -30 -3 9 16 61 -25 -41 -3 -7 55 -43 -3]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    replicas = 4,
    steps_per_execution = 4,
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[20 -21 10 8]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-11 18 37 -47 26 -35 17 23 29 25 -22 20]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[34 -38 -34]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.633896 -0.8358 -0.558182 -0.0827637 0.121094 -0.53833 0.339401 -0.403595 -0.817459 0.526329 -0.470963
-0.522133 0.106186 -0.515244 -0.708206 0.254517 -0.48645 -0.573608]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.0434756 0.0413943]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.548693 0.548404]] }, m5 = { tensor = "float32", shape = {2}, data = [[0.548693 0.548404]] }, m6 = { tensor = "float32", shape = {2}, data = [[-1.15088 -1.1493]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0381144]] }, m0 = { tensor = "float32", shape = {}, data = [[0.547825]] }, m5 = { tensor = "float32", shape = {}, data = [[0.547825]] }, m6 = { tensor = "float32", shape = {}, data = [[-1.14667]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[0.311113 -0.328534 0.154783 0.12815]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.169553 0.275172 0.576553 -0.732176 0.39937 -0.546788 0.270451 0.356236 0.447655 0.390576 -0.349131 0.315683]] }, { tensor = "float32", shape = {3}, data = [[0.53092 -0.598632 -0.53092]] } },
  },
  {
    name = "2/81",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n2" }, sources = 2, call = {} }, { layer = "Permute", options = { dims = { 2, 1 }, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 4, trainable = false, activation = "tanh_shrink", name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.01 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-33 13 -57 -5 9 -56 -45 0 -40 26 54 10 -63 11 -31 -32 13 -15 -13 -50 -20 5 -36 -6]] } },
    y = { { tensor = "int32", shape = {6, 3}, data = [[2 1 1 2 2 1 2 2 0 1 2 1 1 2 2 1 2 2]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-30 -15 -7 -5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-24]] }, { tensor = "float32", shape = {1, 3}, scale = 64, data = [[31 -25 18]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-37 -19 -17]] }, { tensor = "float32", shape = {3, 4}, scale = 64, data = [[-6 -20 6 -5 33 42 -28 41 40 34 -18 -23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[27 15 2 40]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-15 -7 6 -5 -1 17 -34 -35 -5 0 42 -46]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[15 45 -37]] } },
    answers = { { { tensor = "float32", shape = {6, 3, 3}, data = [[0.325696 0.53283 0.141474 0.324262 0.537208 0.13853 0.324358 0.536944 0.138698 0.325935 0.532328 0.141736 0.3241
0.537616 0.138283 0.324456 0.536654 0.13889 0.326368 0.531566 0.142067 0.323819 0.538238 0.137944 0.324594
0.536219 0.139187 0.325202 0.534141 0.140657 0.324617 0.536144 0.13924 0.324057 0.53772 0.138224 0.326573
0.53125 0.142177 0.323688 0.538495 0.137817 0.324647 0.536041 0.139311 0.325996 0.532211 0.141793 0.32406
0.537712 0.138228 0.324479 0.536586 0.138935]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.40711 1.39779]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.38926]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[-0.46421 -0.231885 -0.108295 -0.07755]] }, { tensor = "float32", shape = {1}, data = [[-0.374457]] }, { tensor = "float32", shape = {1, 3}, data = [[0.484454 -0.390209 0.281651]] }, { tensor = "float32", shape = {3}, data = [[-0.578538 -0.299336 -0.266506]] }, { tensor = "float32", shape = {3, 4}, scale = 64, data = [[-6 -20 6 -5 33 42 -28 41 40 34 -18 -23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[27 15 2 40]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.234282 -0.109448 0.0937307 -0.0778443 -0.0156326 0.265353 -0.531886 -0.546968 -0.0774005 -0.00238333 0.654732
-0.715042]] }, { tensor = "float32", shape = {3}, data = [[0.212132 0.686834 -0.551972]] } },
  },
  {
    name = "2/83",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activation = "selu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, activation = "relu", name = "n1" }, sources = 1, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n2" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "tanh", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "squared_hinge", options = { reduction = "mean" } } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = { object = "schedule", class = "polynomial_decay", options = { initial_learning_rate = 0.05, decay_steps = 4 } } } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-25 -62 54 -64 50 56 48 39 -22 -35 -54 -29 -4 26 55 -26 -32 -42 13 39 43 -34 -51 -56]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 -64 -64 -64 -64 64 -64 -64 -64 -64 64 -64 64 -64 64 64 -64 64]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    replicas = 4,
    steps_per_execution = 3,
    rematerialize = 7,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[23 4 38 30 -28 12 10 -27 -3 -47 1 -29 -14 -43 -7 -22]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[26 46 14 26]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[36 -7 -6 -43 26 -38 -44 -29 46 -29 31 -28 22 3 -32 -31 -9 4 -14 -32 39 -1 -33 8 19 17 -2 23 36 -8 -10 32 -26 -7
43 17]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[0.329109 0.803741 -0.784129 -0.465448 -0.484581 0.601158 -0.757021 0.974361 -0.919513 -0.322854 0.233653
-0.167073 0.652199 0.341605 -0.541244 -0.946814 0.989461 -0.900255]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.50573 1.28926]] }, m0 = { tensor = "float32", shape = {2}, data = [[1.02878 0.937043]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.2147]] }, m0 = { tensor = "float32", shape = {}, data = [[0.902168]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.36595 0.0839774 0.556431 0.482766 -0.381825 0.276885 0.0212416 -0.37194 -0.112796 -0.673324 0.0945189
-0.406494 -0.183389 -0.780661 -0.136722 -0.403417]] }, { tensor = "float32", shape = {4}, data = [[0.278053 0.656048 0.429364 0.407211]] }, { tensor = "float32", shape = {12, 3}, data = [[0.521549 -0.156896 -0.065036 -0.707204 0.389044 -0.5765 -0.708503 -0.444363 0.714283 -0.470347 0.446245 -0.39747
0.302799 -0.000646339 -0.471286 -0.519704 -0.157831 0.0797503 -0.239753 -0.491238 0.604908 -0.0328466 -0.553755
0.16503 0.255924 0.218104 -0.00253601 0.324046 0.545295 -0.10775 -0.177253 0.508762 -0.410717 -0.126597 0.633745
0.305655]] } },
  },
  {
    name = "2/85",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Average", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "squared_hinge", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "mean_absolute_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adadelta", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[32 49 26 14 59 -39 -38 39 -36 -22 4 -37 -5 34 -62 -54 39 -1 -33 13 53 51 -58 1 51 53 8 59 61 -58 -59 -48 5 -20 4
-20 60 -29 -26 15 -28 -50 -3 44 64 -6 -47 39 50 -5 57 -11 5 15 20 -9 -33 -50 27 61 -54 -4 -22 -23 -9 -52 15 -40
15 -27 14 43]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 -64 64 64 64 64 -64 -64 -64 64 -64 64 -64 64 -64 64 64 -64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[62 31 68 76 52 66]] },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {12, 3}, scale = 64, data = [[3 35 19 -11 -30 48 -44 -17 31 38 17 -38 -34 34 -40 35 45 12 30 36 -18 28 17 44 -12 38 24 -40 -8 32 3 12 -7 31
-14 6]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[3 -8 -48]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[2.9962]] }, m0 = { tensor = "float32", shape = {}, data = [[0.775913]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.93509]] }, m0 = { tensor = "float32", shape = {}, data = [[0.768763]] } }, { loss = { tensor = "float32", shape = {1}, data = [[2.74642]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.827981]] } }, { { tensor = "float32", shape = {4, 3}, data = [[-0.765371 -0.492727 -0.444517 -0.770131 -0.098324 0.379744 -0.868385 -0.515785 -0.910086 0.678667 0.40968
-0.0286974]] } } },
    final = { { tensor = "float32", shape = {12, 3}, data = [[0.0440704 0.538678 0.304856 -0.172114 -0.465885 0.754819 -0.696949 -0.264953 0.479581 0.589022 0.256395 -0.58993
-0.532708 0.533587 -0.618916 0.542012 0.710486 0.179084 0.467164 0.569194 -0.288561 0.43725 0.256425 0.695886
-0.178483 0.585679 0.382437 -0.619681 -0.12178 0.497425 0.0407232 0.195338 -0.11733 0.48572 -0.219567 0.0943581]] }, { tensor = "float32", shape = {3}, data = [[0.0521299 -0.129562 -0.741667]] } },
  },
  {
    name = "2/86",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "SeparableConv2D", options = { padding = "same", kernel_size = 3, filters = 4, depth_multiplier = 1, activation = "elu", name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "kl_divergence", options = {} } },
    metrics = { { { object = "metric", class = "mean_squared_logarithmic_error", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.01 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[64 -57 -59 -46 3 -29 -42 9 58 -13 -23 -8 0 10 -19 -36 15 57 -46 -19 36 -2 29 47 33 5 -19 14 64 -22 3 12 -12 -61
-31 8 -41 9 6 -60 1 -21 39 -33 47 -5 -34 8 11 -64 -16 27 16 -39 45 -14 59 21 15 46 23 48 -25 61 -37 -29 -12 -25
-12 -44 -35 39 -17 32 -19 5 12 -28 -43 -6 -17 9 -47 34 23 12 -44 61 55 -41 -44 54 6 56 -10 60 44 57 -59 31 -16
17 47 64 -41 -21 54 -41 22 -37 20 -9 -18 30 10 2 -47 8 57 -49 -36 -59 21 20 30 -43 -42 -46 44 61 -8 47 38 -14 -6
23 49 43 55 61 -10 38 -36 -8]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 119 37 67 111 28]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {3, 3, 2, 1}, scale = 64, data = [[-38 -22 -24 -1 29 37 31 7 19 30 -14 -2 6 33 -12 -21 -40 16]] }, { tensor = "float32", shape = {1, 1, 2, 4}, scale = 64, data = [[-33 48 20 -1 48 8 -15 10]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[35 4 3 -42]] }, { tensor = "float32", shape = {48, 1}, scale = 64, data = [[-43 -16 -3 -48 3 22 2 -37 -12 3 33 -16 -14 -42 26 -5 33 -2 42 4 -25 -3 -45 42 -29 -35 41 -30 -36 -44 11 11 2 -36
-4 30 37 22 36 39 11 40 -46 18 -8 -17 31 -5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-33]] } },
    answers = { { { tensor = "float32", shape = {6, 1}, data = [[0.245216 0.316405 0.238455 0.193144 0.144546 0.409018]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.09103 0.890948]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.319272 0.276715]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.717512]] }, m0 = { tensor = "float32", shape = {}, data = [[0.236762]] } } },
    final = { { tensor = "float32", shape = {3, 3, 2, 1}, data = [[-0.603463 -0.337985 -0.375617 -0.0086834 0.456918 0.576754 0.470446 0.111481 0.30019 0.46853 -0.222799
-0.0281986 0.0907157 0.501124 -0.182195 -0.334967 -0.629113 0.240869]] }, { tensor = "float32", shape = {1, 1, 2, 4}, data = [[-0.537574 0.738817 0.313876 -0.0227726 0.741409 0.107697 -0.222168 0.158524]] }, { tensor = "float32", shape = {4}, data = [[0.515067 0.0286513 0.0811603 -0.656593]] }, { tensor = "float32", shape = {48, 1}, data = [[-0.648106 -0.233391 -0.0358378 -0.774704 0.0719508 0.343946 0.0353662 -0.602878 -0.162679 0.0477231 0.520303
-0.274839 -0.193391 -0.641878 0.415224 -0.102815 0.542661 -0.0389185 0.653948 0.0378219 -0.366432 -0.036611
-0.693568 0.631395 -0.430546 -0.533957 0.646781 -0.493376 -0.534589 -0.686446 0.171139 0.147353 0.0577145
-0.55725 -0.0593641 0.444147 0.602913 0.356344 0.568524 0.584708 0.19873 0.627333 -0.716204 0.256655 -0.0980021
-0.258354 0.488243 -0.102731]] }, { tensor = "float32", shape = {1}, data = [[-0.484898]] } },
  },
  {
    name = "2/87",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Concatenate", options = { axis = -1, name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "UnitNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "binary_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "binary_crossentropy", options = { name = "m0", from_logits = true } }, { object = "metric", class = "binary_crossentropy", options = { name = "m1", from_logits = true } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-16 48 52 -3 54 53 28 52 -34 -15 17 28 56 11 29 -62 54 -53 -3 35 61 -57 -35 13]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[0 64 0 0 0 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {8, 1}, scale = 64, data = [[38 44 34 18 42 -28 -46 5]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.587418]] }, m0 = { tensor = "float32", shape = {}, data = [[0.587418]] }, m1 = { tensor = "float32", shape = {}, data = [[0.587418]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.583562]] }, m0 = { tensor = "float32", shape = {}, data = [[0.583562]] }, m1 = { tensor = "float32", shape = {}, data = [[0.583562]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.634824]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.634824]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.634824]] } }, { { tensor = "float32", shape = {4, 1}, data = [[-0.230312 0.701743 -0.570497 0.322217]] } } },
    final = { { tensor = "float32", shape = {8, 1}, data = [[0.602745 0.686075 0.490362 0.305655 0.665245 -0.438925 -0.759638 0.10253]] } },
  },
  {
    name = "2/88",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, bias_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "mean_absolute_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[60 -36 -31 -58 0 0 0 0 0 0 0 0 33 -41 13 46 59 57 -40 -8 0 0 0 0 30 12 -62 -25 -22 38 -55 -38 -14 -51 49 -55 32
-24 -8 -60 0 0 0 0 0 0 0 0 6 39 15 13 -26 -9 -49 -58 0 0 0 0 24 7 -32 63 45 44 10 -42 53 -49 52 29]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[43 -1 57 33 4 -5]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {12, 1}, scale = 64, data = [[20 -21 10 8 -11 18 37 -47 26 -35 17 23]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[29]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.679477]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.631169]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.227701]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.616903]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.607294 0.596635 0.694769 0.482453 0.536949 2.21786]] } } },
    final = { { tensor = "float32", shape = {12, 1}, data = [[0.269959 -0.295196 0.146267 0.126393 -0.206724 0.266468 0.580871 -0.724124 0.389471 -0.555627 0.272969 0.332229]] }, { tensor = "float32", shape = {1}, data = [[0.373552]] } },
  },
  {
    name = "2/89",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "LayerNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activation = "tanh", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "squared_hinge", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "squared_hinge", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { beta = 0.1, l2_shrinkage_regularization_strength = 0.01, learning_rate = 0.01 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-54 -29 -54 -41 -38 27 29 -57 -33 -10 -46 56 13 7 61 -28 60 20 -31 28 37 48 34 40]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 -64 64 -64 -64 64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[49 78 73 76]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[9 -8 34 11]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-47 -47 -25 6]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[2.53714]] }, m0 = { tensor = "float32", shape = {}, data = [[0.634286]] }, m1 = { tensor = "float32", shape = {}, data = [[0.581255]] } }, { loss = { tensor = "float32", shape = {}, data = [[3.10078]] }, m0 = { tensor = "float32", shape = {}, data = [[0.775195]] }, m1 = { tensor = "float32", shape = {}, data = [[0.776716]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.99417]] }, m0 = { tensor = "float32", shape = {}, data = [[0.748543]] }, m1 = { tensor = "float32", shape = {}, data = [[0.764794]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-0.419204 -0.620425 0.417693 -0.360999 -0.0738416 -0.50451]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[0.600099 0.993139 0.79665 0.134057]] }, { tensor = "float32", shape = {4}, data = [[0.0884625 -0.114097 0.293386 0.0317733]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.549035 -0.631946 -0.345021 0.0933487]] } },
  },
  {
    name = "2/90",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Subtract", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "UpSampling2D", options = { size = 2, name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling2D", options = { keepdims = false, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.01, gradient_accumulation_steps = 2 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[-64 -42 18 51 -27 -17 27 -14 53 32 -30 -27 29 41 10 -31 7 -48 14 -7 62 -56 48 11 5 -62 -60 -33 -24 20 47 62 21
-61 26 -39 -4 12 63 -61 -8 50 59 -61 -21 -13 -56 -29 -49 -1 -23 60 -16 -34 -30 -58 -47 -26 -32 -58 61 21 8 -25 7
-63 25 -26 48 29 46 -32 -62 -63 -2 -43 -46 -2 38 45 36 44 -48 -25 61 12 63 -8 -31 -5 -60 -60 2 -36 19 -49 48 49
-9 -16 -15 -17 -13 -27 45 -32 -50 -13 -58 24 -6 -55 31 -9 -35 33 46 38 10 31 1 -1 59 -9 -50 -21 47 -54 61 -46 37
-8 32 23 -48 -53 -8 41 2 34 12 46 55 48]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 -64 -64 -64 64 64 -64 -64 -64 64 -64 -64 64 -64 -64 64 -64 -64]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    replicas = 2,
    policy = "mixed_float16",
    weights = { { tensor = "float32", shape = {2, 3}, scale = 64, data = [[-30 -15 -7 -5 -24 31]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-25 18 -37]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[-0.371826 0.27417 -0.521484 -0.371826 0.27417 -0.521484 -0.371826 0.27417 -0.521484 -0.371826 0.27417 -0.521484
-0.371826 0.27417 -0.521484 -0.371826 0.27417 -0.521484]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.05187 1.04662]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.04084]] } } },
    final = { { tensor = "float32", shape = {2, 3}, data = [[-0.468563 -0.234281 -0.109331 -0.0780938 -0.37485 0.484181]] }, { tensor = "float32", shape = {3}, data = [[-0.37902 0.267094 -0.583795]] } },
  },
  {
    name = "2/91",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "RMSNormalization", options = { axis = -1, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "hinge", options = { reduction = "mean_with_sample_weight" } } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { learning_rate = 0.01, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[58 -4 46 -35 -47 -40 -36 38 -38 35 -44 61 59 -26 19 18 -46 -2 -54 58 -35 -46 9 15 52 -31 47 -10 -60 -36 28 32
-33 -63 41 -56 26 25 63 22 63 13 16 35 62 -49 27 11 49 5 -34 57 -17 -27 -57 -5 -34 -61 -52 -13 21 -57 42 -59 -53
-59 30 -48 25 59 -3 -45]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[-64 64 -64 64 -64 64 -64 -64 64 -64 64 -64 -64 64 -64 64 64 -64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4}, scale = 64, data = [[52 82 93 54]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[46 -40 -6 -26]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[12]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.822841]] }, m0 = { tensor = "float32", shape = {}, data = [[0.822841]] }, m1 = { tensor = "float32", shape = {}, data = [[0.822841]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.997791]] }, m0 = { tensor = "float32", shape = {}, data = [[0.997791]] }, m1 = { tensor = "float32", shape = {}, data = [[0.997791]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.997589]] }, m0 = { tensor = "float32", shape = {}, data = [[0.997589]] }, m1 = { tensor = "float32", shape = {}, data = [[0.997589]] } }, { { tensor = "float32", shape = {6, 3, 1}, data = [[-0.00784456 0.00126492 -0.016597 -0.0012257 -0.00834265 0.00667628 -0.000681972 0.000110908 0.00407174
-0.0155662 -0.0123565 0.00300721 -0.0100268 -0.000376748 0.00532203 0.00344127 0.00349747 -0.0241203]] } } },
    final = { { tensor = "float32", shape = {4}, data = [[0.000709145 0.0797351 0.00157093 0.00164727]] }, { tensor = "float32", shape = {4, 1}, data = [[0.000802751 -0.127604 -0.0176544 -0.0033635]] }, { tensor = "float32", shape = {1}, data = [[-0.00881199]] } },
  },
  {
    name = "2/94",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Subtract", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 4, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, activation = "sigmoid", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "tversky", options = { alpha = 0.25, beta = 0.75 } } },
    metrics = { { { object = "metric", class = "fbeta_score", options = { name = "m0", beta = 0.5, threshold = 0.5, average = "micro" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-11 -41 53 11 38 53 -43 28 -57 -38 -52 -39 47 -34 -53 -26 -54 62 55 -25 -59 45 16 -12]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 64 0 64 64 64]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    steps_per_execution = 3,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[3 35 19 -11 -30 48 -44 -17 31 38 17 -38 -34 34 -40 35]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[45 12 30 36]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-18 28 17 44]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-12]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.311792]] }, m0 = { tensor = "float32", shape = {}, data = [[0.789474]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.308368]] }, m0 = { tensor = "float32", shape = {}, data = [[0.789474]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.304007]] }, m0 = { tensor = "float32", shape = {}, data = [[0.789474]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.585732 0.585732 0.585732 0.585732 0.585732 0.585732]] } } },
    final = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[3 35 19 -11 -30 48 -44 -17 31 38 17 -38 -34 34 -40 35]] }, { tensor = "float32", shape = {4}, data = [[0.687862 0.210397 0.483719 0.595585]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.247852 0.44845 0.289908 0.715802]] }, { tensor = "float32", shape = {1}, data = [[-0.144068]] } },
  },
  {
    name = "2/95",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Multiply", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 4, name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n2" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75, reduction = "sum" } } },
    metrics = { { { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m0" } } } },
    weighted_metrics = { { { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "adadelta", options = { epsilon = 0.01, learning_rate = 0.05, weight_decay = 0.05 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-40 41 -37 -19 -17 60 -20 27 -5 -16 -48 -47 24 -32 -43 -2 -2 18 49 44 -46 -58 28 -35]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-11 5 -24 -50 51 7 -38 28 7 -16 20 39 -30 55 -2 -47 15 63 -64 22 -24 11 2 45]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 0 0 0 0 0]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-38 -22 -24 -1 29 37 31 7 19 30 -14 -2 6 33 -12 -21]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-40 16 -33 48]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[20 -1 48 8 -15 10 35 4 3 -42 -43 -16]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-3 -48 3]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.48554]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.07148]] }, m5 = { tensor = "float32", shape = {1}, data = [[1.00018]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.82486]] }, m0 = { tensor = "float32", shape = {}, data = [[1.00165]] }, m5 = { tensor = "float32", shape = {}, data = [[0.929923]] } }, { loss = { tensor = "float32", shape = {}, data = [[2.33931]] }, m0 = { tensor = "float32", shape = {}, data = [[1.01502]] }, m5 = { tensor = "float32", shape = {}, data = [[1.01502]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.338425 0.182621 0.478953 0.365265 0.131677 0.503058 0.330437 0.164463 0.5051 0.333184 0.173667 0.493149
0.329899 0.162938 0.507163 0.356493 0.159582 0.483926]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.582949 -0.338351 -0.373381 -0.0116365 0.452033 0.577957 0.487626 0.107639 0.296331 0.468953 -0.210527
-0.032183 0.0908767 0.513527 -0.179379 -0.328999]] }, { tensor = "float32", shape = {4}, data = [[-0.614189 0.258339 -0.495736 0.742693]] }, { tensor = "float32", shape = {4, 3}, data = [[0.302116 -0.00268991 0.739557 0.152597 -0.250337 0.14288 0.527991 0.0762293 0.0470103 -0.630098 -0.685773
-0.250101]] }, { tensor = "float32", shape = {3}, data = [[-0.0159331 -0.769484 0.0412054]] } },
  },
  {
    name = "2/97",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 2, activation = "elu", name = "n0" }, sources = 0, call = {} }, { layer = "BatchNormalization", options = { axis = -1, epsilon = 0.01, momentum = 0.8, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activation = "softplus", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "poisson", options = {} } },
    metrics = { { { object = "metric", class = "mean_squared_logarithmic_error", options = { name = "m0" } }, { object = "metric", class = "poisson", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.05, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2, weight_decay = 0.05 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-58 7 23 49 -10 33 5 0 0 -22 20 60 -17 8 -45 62 25 60 24 11 34 47 -27 -23]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[12 50 97 80 34 128]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[111 28 25 46 38 49]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    steps_per_execution = 4,
    weights = { { tensor = "float32", shape = {4, 2}, scale = 64, data = [[20 -21 10 8 -11 18 37 -47]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[26 -35]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[75 80]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[29 25]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-22 20]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[87 39]] }, { tensor = "float32", shape = {2, 1}, scale = 64, data = [[-34 -15]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.862238]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.166502]] }, m1 = { tensor = "float32", shape = {1}, data = [[1.21411]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.85846]] }, val_m0 = { tensor = "float32", shape = {1}, data = [[0.170552]] }, val_m1 = { tensor = "float32", shape = {1}, data = [[1.2354]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.850706]] }, m0 = { tensor = "float32", shape = {}, data = [[0.149441]] }, m1 = { tensor = "float32", shape = {}, data = [[1.19716]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.832916]] }, m0 = { tensor = "float32", shape = {}, data = [[0.156294]] }, m1 = { tensor = "float32", shape = {}, data = [[1.19216]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.537735 0.546969 0.522008 0.499848 0.506329 0.552642]] } } },
    final = { { tensor = "float32", shape = {4, 2}, data = [[0.257114 -0.351357 0.15023 0.12256 -0.123299 0.307319 0.614621 -0.707321]] }, { tensor = "float32", shape = {2}, data = [[0.403969 -0.541166]] }, { tensor = "float32", shape = {2}, data = [[1.13659 1.25401]] }, { tensor = "float32", shape = {2}, data = [[0.430421 0.378301]] }, { tensor = "float32", shape = {2}, data = [[0.156227 -0.0915531]] }, { tensor = "float32", shape = {2}, data = [[0.715993 0.320741]] }, { tensor = "float32", shape = {2, 1}, data = [[-0.445986 -0.274834]] } },
  },
  {
    name = "2/98",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 3, activation = "selu", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-57 59 22 -25 6 61 5 47 34 -43 11 -45 40 -59 57 -51 -1 -60 -13 29 6 -37 30 -59]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-22 7 -49 -62 10 -17]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 4,
    rematerialize = 3,
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-22 22 13 18 9 -8 34 11 -47 -47 -25 6]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-48 -9 34]] }, { tensor = "float32", shape = {3, 1}, scale = 64, data = [[-4 8 30]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[34]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.56867]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.53321]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.4991]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.432202 0.745545 0.816034 0.564465 0.902271 0.61491]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[-0.328385 0.331804 0.192544 0.26092 0.149598 -0.114499 0.540575 0.160661 -0.745266 -0.74401 -0.380141 0.104682]] }, { tensor = "float32", shape = {3}, data = [[-0.734307 -0.156388 0.515373]] }, { tensor = "float32", shape = {3, 1}, data = [[-0.0542646 0.116919 0.460545]] }, { tensor = "float32", shape = {1}, data = [[0.515544]] } },
  },
  {
    name = "2/99",
    inputs = { { name = "x0", shape = { 4, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Conv2D", options = { padding = "same", kernel_size = { 2, 2 }, filters = 4, use_bias = false, dilation_rate = 2, name = "n0" }, sources = 0, call = {} }, { layer = "SeparableConv2D", options = { padding = "same", strides = 2, kernel_size = 2, filters = 2, depth_multiplier = 1, name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "hinge", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4, 4, 2}, scale = 64, data = [[60 -11 -29 -20 -62 -15 12 -16 -7 35 -15 47 32 -9 32 -55 44 -33 36 -10 -43 -19 -41 -33 51 47 51 40 7 -15 -32 28
-12 59 -23 -57 63 -26 -38 -62 7 -2 9 23 0 40 10 22 48 -37 49 -53 56 -14 -14 -61 -23 20 49 -54 42 -32 49 38 -5
-42 34 6 17 61 -50 53 -64 -63 -41 22 -62 -10 21 64 -36 -33 -12 -43 -16 -64 -20 -54 -1 20 35 36 60 21 54 27 -48
-35 10 -59 -62 46 61 -4 8 18 -23 36 -43 -47 10 -56 23 -19 -37 10 50 -6 64 43 -39 -16 -26 46 17 -3 44 -46 9 -18
-64 47 48 -28 -11 7 63 -42 -59 42 -15 17 50 62 23 -19 -58 29 -36 64 2 -37 37 -19 -37 39 -9 4 -3 -20 -26 -4 -30
-16 -45 40 19 18 22 26 -1 -48 -14 26 -61 41 44 -52 24 -41 25 57 -61 61 -13 45 63 10 5 -40 16 2]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 64 64 64 -64 64 64 64 64 64 -64 64 -64 -64 64 64 -64 -64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {2, 2, 2, 4}, scale = 64, data = [[-33 -5 -41 -12 26 -28 18 14 3 -17 -10 48 28 42 48 6 30 -38 33 13 39 17 7 -33 -19 3 42 16 12 -6 16 -36]] }, { tensor = "float32", shape = {2, 2, 4, 1}, scale = 64, data = [[-21 26 -35 44 -26 48 0 46 -39 -41 -2 -26 45 1 -14 -23]] }, { tensor = "float32", shape = {1, 1, 4, 2}, scale = 64, data = [[15 7 -17 -32 34 27 -11 -35]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[16 43]] }, { tensor = "float32", shape = {8, 3}, scale = 64, data = [[-44 44 -25 -36 -14 27 -15 38 0 48 -41 27 -19 47 8 -8 -44 13 27 47 -1 -27 -25 -26]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[18 7 43]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.73175]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.73175]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.73175]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.510118]] }, m0 = { tensor = "float32", shape = {}, data = [[0.510118]] }, m1 = { tensor = "float32", shape = {}, data = [[0.510118]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.458763]] }, m0 = { tensor = "float32", shape = {}, data = [[0.458763]] }, m1 = { tensor = "float32", shape = {}, data = [[0.458763]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.607906 -0.827764 0.801835 0.803033 -0.940623 0.950243 0.837438 -0.991723 0.978423 0.901251 -0.981617 0.937068
-0.0678431 -0.942943 0.931337 0.827064 -0.953618 0.900489]] } } },
    final = { { tensor = "float32", shape = {2, 2, 2, 4}, data = [[-0.535431 -0.0999649 -0.632582 -0.239509 0.431184 -0.474932 0.275158 0.236927 0.0639343 -0.287567 -0.160076
0.779289 0.387182 0.7254 0.767961 0.0876295 0.431281 -0.570634 0.521866 0.289577 0.641696 0.253196 0.0798028
-0.538994 -0.289721 -0.00377898 0.699271 0.225629 0.182204 -0.0383464 0.256936 -0.484922]] }, { tensor = "float32", shape = {2, 2, 4, 1}, data = [[-0.315777 0.373444 -0.584545 0.696046 -0.413333 0.770755 0.0232812 0.714035 -0.577807 -0.706432 0.0392856
-0.403781 0.730113 0.0736381 -0.288899 -0.407591]] }, { tensor = "float32", shape = {1, 1, 4, 2}, data = [[0.130003 0.243614 -0.47564 -0.418808 0.573652 0.453885 0.00309421 -0.624843]] }, { tensor = "float32", shape = {2}, data = [[0.00830798 0.774316]] }, { tensor = "float32", shape = {8, 3}, data = [[-0.692603 0.672694 -0.371872 -0.42226 -0.274294 0.491914 -0.18758 0.57401 0.00799762 0.906416 -0.699776 0.478563
-0.3515 0.725843 0.110489 -0.0563715 -0.727984 0.239328 0.455214 0.746472 -0.0116024 -0.287618 -0.399953
-0.367231]] }, { tensor = "float32", shape = {3}, data = [[0.448604 0.0456622 0.752472]] } },
  },
  {
    name = "2/100",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = { object = "sequential", class = "sequential", options = { shape = { 3, 4 }, layers = { { object = "layer", class = "dense", options = { units = 4, activation = "selu" } }, { object = "layer", class = "prelu", options = {} }, { object = "layer", class = "dense", options = { units = 4, activation = "tanh_shrink" } } }, name = "inner1" } }, options = {}, sources = 1, call = {} }, { layer = "Conv1D", options = { padding = "same", strides = 2, kernel_size = 2, filters = 3, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "softplus", name = "n3" }, sources = 2, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "poisson", options = {} } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "positive" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-59 -22 -52 31 0 0 0 0 0 0 0 0 -40 11 38 -14 3 -36 -47 -9 0 0 0 0 -62 -29 30 2 -11 -1 -45 -55 -50 10 33 -32 -29
1 45 53 0 0 0 0 0 0 0 0 -53 -33 41 5 -18 53 11 32 0 0 0 0 10 -53 -50 -20 -54 -37 -22 -1 -51 59 -2 -57]] } },
    y = { { tensor = "float32", shape = {6, 3, 3}, scale = 64, data = [[63 82 64 41 124 105 48 56 81 24 19 81 39 80 63 37 108 75 19 11 40 41 75 9 72 118 26 119 63 44 16 86 36 93 22 54
116 47 106 113 19 121 93 76 53 65 87 34 116 52 20 96 37 117]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2, validation = true }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[23 -40 -6 36 -16 -8 42 -36 0 20 -14 -18 -24 -13 43 13]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-45 20 45 32]] }, { tensor = "float32", shape = {3, 4}, scale = 64, data = [[-36 -11 8 -17 -44 18 -17 16 -32 35 -8 -36]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[6 19 -46 -47 15 -21 -45 40 -32 44 -17 31 -21 -6 -2 32]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-9 34 -6 38]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[28 10 35 -43 -5 -7 37 -37 12 -46 47 -26]] } },
    answers = { { { tensor = "float32", shape = {6, 3, 3}, data = [[0.347609 0.994192 0.533491 0.475359 0.833636 0.602943 0.476056 0.844617 0.595302 0.440662 0.966156 0.584975
0.519374 0.823092 0.603667 0.476056 0.844617 0.595302 0.434407 1.0134 0.577715 0.566954 0.797251 0.638107
0.434385 1.01544 0.571385 0.341137 0.989207 0.540801 0.475359 0.833636 0.602943 0.476056 0.844617 0.595302
0.44653 0.997818 0.581997 0.290246 0.895428 0.532006 0.476056 0.844617 0.595302 0.546575 0.832566 0.607502
0.452557 0.95643 0.588596 0.373503 1.06416 0.537849]] } }, { loss = { tensor = "float32", shape = {2}, data = [[1.25752 1.19202]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.724595 0.587526]] }, val_loss = { tensor = "float32", shape = {2}, data = [[1.19787 1.16313]] }, val_m0 = { tensor = "float32", shape = {2}, data = [[0.597067 0.531743]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.16313]] }, m0 = { tensor = "float32", shape = {}, data = [[0.531743]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.36698 -0.56547 -0.0357612 0.599199 -0.318195 -0.139025 0.634459 -0.490333 -0.0959704 0.243811 -0.267672
-0.34653 -0.327783 -0.208434 0.63777 0.108522]] }, { tensor = "float32", shape = {4}, data = [[-0.664553 0.219155 0.607261 0.42178]] }, { tensor = "float32", shape = {3, 4}, data = [[-0.560266 -0.171875 0.125 -0.223789 -0.597529 0.28125 -0.265625 0.270801 -0.517841 0.546875 -0.125 -0.521462]] }, { tensor = "float32", shape = {4, 4}, data = [[0.163912 0.218022 -0.640893 -0.809025 0.276747 -0.38776 -0.624937 0.546636 -0.416523 0.600403 -0.19187 0.41215
-0.249614 -0.16896 0.0287105 0.440642]] }, { tensor = "float32", shape = {4}, data = [[-0.0789611 0.464378 -0.0292471 0.53103]] }, { tensor = "float32", shape = {4, 3}, data = [[0.36972 0.0699403 0.422026 -0.58187 -0.0571777 -0.0306201 0.49569 -0.480633 0.111448 -0.636619 0.640382 -0.32332]] } },
  },
  {
    name = "2/101",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "Bidirectional", options = { layer = { object = "layer", class = "simple_rnn", options = { units = 4, use_bias = false } }, merge_mode = "ave", name = "n1" }, sources = 1, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n2" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "log_cosh_error", options = { name = "m0" } }, { object = "metric", class = "log_cosh_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = { object = "schedule", class = "cosine_decay", options = { initial_learning_rate = 0.05, decay_steps = 5 } } } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[2 0 0 1 5 0 5 3 5 3 0 0 5 2 0 3 3 4]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-34 56 41 -7 51 -8]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[39 -3 15 37 45 32 5 41 33 -20 19 -17 16 -9 -17 25 -32 23 -3 21 -42 -44 -34 42]] }, { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-32 19 -11 43]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-18]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.096724 0.220939 0.0632654]] }, m0 = { tensor = "float32", shape = {3}, data = [[0.096724 0.220939 0.0632654]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.096724 0.220939 0.0632654]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0931462]] }, m0 = { tensor = "float32", shape = {}, data = [[0.0931462]] }, m1 = { tensor = "float32", shape = {}, data = [[0.0931462]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[0.609375 -0.046875 0.234375 0.578125 0.694368 0.505075 0.0750721 0.652483 0.495383 -0.300779 0.289743 -0.238008
0.249565 -0.140329 -0.26574 0.391122 -0.498246 0.358363 -0.0462514 0.325717 -0.684061 -0.671395 -0.541022
0.694118]] }, { tensor = "float32", shape = {4, 1}, data = [[-0.501786 0.253581 -0.188257 0.70862]] }, { tensor = "float32", shape = {1}, data = [[-0.170232]] } },
  },
  {
    name = "2/102",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "tanh", name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 4, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n2" }, sources = 0, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "lamb", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-42 -9 38 -39 56 -59 -56 -31 62 -47 52 -32 24 -44 1 50 2 42 19 -14 -21 28 -4 -15]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 64 64 -64 64 -64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[103 28 23 56 73 117]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    rematerialize = 1,
    run_eagerly = true,
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[47 -40 6 -5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[28]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.961188]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.717154]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.918513]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.286186 0.924655 0.954454 0.79753 0.1109 -0.0558731]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[0.705086 -0.696382 0.190564 -0.14411]] }, { tensor = "float32", shape = {1}, data = [[0.458227]] } },
  },
  {
    name = "2/103",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "ActivityRegularization", options = { l1 = 0.01, l2 = 0.02, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, activation = "gelu", name = "n3" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, name = "n5" }, sources = 5, call = {} } },
    outputs = { 3, 6 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5 } }, { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "mean_absolute_error", options = { name = "m1" } } }, {} },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.05 } },
    tasks = { "regression", "regression" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-5 -23 56 31 12 53 -46 31 52 -48 27 -4 -15 26 16 45 17 0 34 11 41 -57 -28 45 1 -50 -12 -26 51 -27 39 7 22 -24
-46 42 -44 53 48 -61 -15 27 48 -3 43 55 -13 -31 -29 5 58 33 -30 -46 9 -53 39 -3 -60 0 -57 -22 62 -30 46 -38 61
-20 26 -46 -5 40]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[14 32 -53 -12 -40 -20]] }, { tensor = "float32", shape = {6, 1}, scale = 64, data = [[39 -18 -8 -14 -49 22]] } },
    sample_weight = { { tensor = "float32", shape = {6}, scale = 64, data = [[70 78 123 65 35 64]] }, { tensor = "float32", shape = {6}, scale = 64, data = [[126 125 74 104 71 21]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[47 -9 -7 -3 -46 -37 27 -37 1 -1 38 -1 -17 34 20 -23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-11 -26 41 -30]] }, { tensor = "float32", shape = {12, 1}, scale = 64, data = [[-20 -35 -31 -17 -36 24 -17 -34 47 10 7 7]] }, { tensor = "float32", shape = {12, 1}, scale = 64, data = [[-44 40 -8 -44 3 14 -31 -48 -12 -24 44 -2]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.558114]] }, n2_loss = { tensor = "float32", shape = {}, data = [[0.279704]] }, n2_m0 = { tensor = "float32", shape = {}, data = [[0.470482]] }, n2_m1 = { tensor = "float32", shape = {}, data = [[0.600708]] }, n5_loss = { tensor = "float32", shape = {}, data = [[0.138508]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.483194]] }, n2_loss = { tensor = "float32", shape = {}, data = [[0.255041]] }, n2_m0 = { tensor = "float32", shape = {}, data = [[0.426356]] }, n2_m1 = { tensor = "float32", shape = {}, data = [[0.566152]] }, n5_loss = { tensor = "float32", shape = {}, data = [[0.0884754]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.430228]] }, n2_loss = { tensor = "float32", shape = {}, data = [[0.232206]] }, n2_m0 = { tensor = "float32", shape = {}, data = [[0.388787]] }, n2_m1 = { tensor = "float32", shape = {}, data = [[0.534448]] }, n5_loss = { tensor = "float32", shape = {}, data = [[0.0583637]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.356044 -0.475115 -0.220439 0.11625 0.157551 -0.578446]] }, { tensor = "float32", shape = {6, 1}, data = [[0.318656 -0.212921 -0.32599 0.0231702 0.0534018 -0.0156424]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.69439 -0.243105 -0.0843809 -0.0883566 -0.66889 -0.584449 0.362534 -0.522175 -0.0375803 0.0835687 0.645104
-0.0694707 -0.299967 0.611084 0.26732 -0.332843]] }, { tensor = "float32", shape = {4}, data = [[-0.228001 -0.337849 0.64046 -0.526453]] }, { tensor = "float32", shape = {12, 1}, data = [[-0.258414 -0.481319 -0.537477 -0.204235 -0.62654 0.444551 -0.324981 -0.598816 0.674689 0.0970902 0.171193
0.154972]] }, { tensor = "float32", shape = {12, 1}, data = [[-0.612349 0.714147 -0.0742824 -0.737865 0.121848 0.163296 -0.448009 -0.804969 -0.127013 -0.327629 0.742132
-0.0850182]] } },
  },
  {
    name = "2/104",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Bidirectional", options = { layer = { object = "layer", class = "gru", options = { units = 4, return_sequences = true } }, merge_mode = "concat", name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[29 -49 64 21 -37 -39 -48 -32 15 40 23 -11 23 5 -15 40 -42 -27 28 -52 13 -49 30 -46 -44 -27 -47 -29 -50 -20 -23
58 56 -53 27 -26 -17 -50 -14 -11 6 -25 -11 -54 -12 -56 7 39 -3 53 -32 -47 20 53 26 38 -51 -46 46 50 25 -42 -53
-46 37 29 -29 -31 39 8 32 -55]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[-64 64 -64 -64 -64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 3,
    weights = { { tensor = "float32", shape = {12, 1}, scale = 64, data = [[21 -24 4 -18 38 27 -7 21 8 26 -1 -28]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-38]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.711628]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.955991]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.637825]] } }, { { tensor = "float32", shape = {6, 1}, data = [[-0.613708 -0.87029 -0.815272 -0.891384 -0.747645 0.735168]] } } },
    final = { { tensor = "float32", shape = {12, 1}, data = [[0.423074 -0.337658 -0.0352988 -0.180199 0.655182 0.450687 -0.0476712 0.208521 0.120721 0.349829 -0.0822417
-0.553628]] }, { tensor = "float32", shape = {1}, data = [[-0.661261]] } },
  },
  {
    name = "2/105",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", name = "n0" }, sources = 0, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = {} } },
    metrics = { { { object = "metric", class = "sparse_top_k_categorical_accuracy", options = { name = "m0", k = 2 } }, { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01 } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-31 59 5 -58 -19 -47 54 -38 1 -35 61 39 -1 13 13 12 -41 -48 -9 -53 -10 -37 -7 23]] } },
    y = { { tensor = "int32", shape = {6, 3}, data = [[0 0 0 2 2 0 1 2 0 0 1 2 2 0 1 0 2 1]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    steps_per_execution = 3,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-18 25 -24 23 -37 10 -26 7 -4 -7 -48 -17 22 1 17 25]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[41 -48 -1 -12]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[1 -8 22 -1 -30 31 -30 33 47 -34 41 -27]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-12 -4 31]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.972306]] }, m0 = { tensor = "float32", shape = {}, data = [[0.833333]] }, m1 = { tensor = "float32", shape = {}, data = [[0.972306]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.970934]] }, m0 = { tensor = "float32", shape = {}, data = [[0.833333]] }, m1 = { tensor = "float32", shape = {}, data = [[0.970934]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.968359]] }, m0 = { tensor = "float32", shape = {}, data = [[0.833333]] }, m1 = { tensor = "float32", shape = {}, data = [[0.968359]] } }, { { tensor = "float32", shape = {6, 3, 3}, data = [[0.484682 0.217156 0.298161 0.484682 0.217156 0.298161 0.484682 0.217156 0.298161 0.44394 0.177355 0.378705
0.44394 0.177355 0.378705 0.44394 0.177355 0.378705 0.34741 0.262468 0.390122 0.34741 0.262468 0.390122 0.34741
0.262468 0.390122 0.310008 0.303672 0.386319 0.310008 0.303672 0.386319 0.310008 0.303672 0.386319 0.23596
0.221451 0.542589 0.23596 0.221451 0.542589 0.23596 0.221451 0.542589 0.16678 0.313935 0.519285 0.16678 0.313935
0.519285 0.16678 0.313935 0.519285]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.28129 0.39002 -0.371714 0.362154 -0.580089 0.153608 -0.415639 0.106929 -0.0615852 -0.107644 -0.748781
-0.267053 0.34332 0.013779 0.271562 0.396592]] }, { tensor = "float32", shape = {4}, data = [[0.640668 -0.748892 -0.0220386 -0.192831]] }, { tensor = "float32", shape = {4, 3}, data = [[0.0138063 -0.125792 0.346361 -0.0201953 -0.464567 0.484763 -0.471953 0.517839 0.735364 -0.534742 0.644453
-0.42221]] }, { tensor = "float32", shape = {3}, data = [[-0.181376 -0.0668819 0.482633]] } },
  },
  {
    name = "2/106",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, name = "n0" }, sources = 0, call = {} }, { layer = "Flatten", options = { name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, kernel_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "tanh", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } }, { object = "metric", class = "squared_hinge", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05, clipnorm = 0.5 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-20 21 45 -1 36 37 -24 -8 8 35 -38 40 53 56 58 13 -30 -14 -50 31 20 -25 -27 35 -28 12 7 -48 -3 -14 9 5 25 -56 11
0 -55 -46 3 -50 48 59 -58 39 15 5 38 11 -63 30 41 52 54 -22 -54 4 -17 -55 -62 47 -35 40 4 -23 33 8 16 21 -23 30
25 50]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 -64 -64 64 -64 64]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[66 127 53 26 68 95]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[2 15 40 22 -45 -44 48 26 32 26 34 -16 -44 35 -48 8]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-43 -5 -33 -14]] }, { tensor = "float32", shape = {12, 1}, scale = 64, data = [[24 -26 -47 2 -26 -14 -14 -46 45 37 -47 -18]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-5]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.77324 2.21289 1.45533]] }, m0 = { tensor = "float32", shape = {3}, data = [[1.27797 1.59724 1.11124]] }, m1 = { tensor = "float32", shape = {3}, data = [[2.10925 2.62944 1.72598]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.48258]] }, m0 = { tensor = "float32", shape = {}, data = [[1.15228]] }, m1 = { tensor = "float32", shape = {}, data = [[1.82694]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[-0.0868493 0.244519 0.742763 0.240323 -0.621507 -0.584916 0.661166 0.296221 0.439005 0.515513 0.540741 -0.364444
-0.652507 0.556463 -0.6627 0.172273]] }, { tensor = "float32", shape = {4}, data = [[-0.714158 -0.0550117 -0.465988 -0.169412]] }, { tensor = "float32", shape = {12, 1}, data = [[0.413525 -0.433443 -0.815157 -0.0552144 -0.368887 -0.212442 -0.12275 -0.637038 0.701807 0.493495 -0.658982
-0.216413]] }, { tensor = "float32", shape = {1}, data = [[-0.111133]] } },
  },
  {
    name = "2/107",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Dense", options = { units = 4, bias_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 2, activation = "linear", name = "n1" }, sources = 2, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n2" }, sources = 3, call = {} }, { layer = "SpectralNormalization", options = { layer = { object = "layer", class = "dense", options = { units = 4, activation = "mish" } }, name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 4, activation = "silu", name = "n4" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l1", options = { l1 = 0.02 } }, name = "n5" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "log_cosh", options = { reduction = "mean" } } },
    metrics = { { { object = "metric", class = "cosine_similarity", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-18 0 44 5 -35 -43 -55 -58 3 57 29 -28 -10 -44 38 29 25 -59 -54 -52 -9 19 19 40]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-50 -64 18 16 -47 20 -8 -62 0 33 -48 -14 0 -31 -64 -4 -6 23 37 -46 -6 14 15 -12]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[23 2 -31 62 -39 44 31 -35 31 -37 50 6 -32 -62 -21 -9 19 -6]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[71 36 28 121 94 18]] },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[20 44 48 47 47 42 13 -45 -32 35 -45 40 -42 -47 2 -15]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[26 -31 26 28]] }, { tensor = "float32", shape = {4, 2}, scale = 64, data = [[33 5 15 -5 -41 -28 -28 0]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[35 -12]] }, { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-26 -5 -47 -11 31 -15 6 -11]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[22 -35 -28 -33]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-35 29 34 9 21 22 -18 23 24 -40 -17 -13]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[3 29 -19]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.251337]] }, m0 = { tensor = "float32", shape = {}, data = [[0.137018]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.249814]] }, m0 = { tensor = "float32", shape = {}, data = [[0.139087]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.24833]] }, m0 = { tensor = "float32", shape = {}, data = [[0.141127]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.144011 0.40044 -0.334354 0.172341 0.375369 -0.363275 0.281222 0.294111 -0.458298 -0.0286962 0.544881 -0.170589
0.0713448 0.453743 -0.274699 0.147164 0.395703 -0.339926]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.312581 0.687541 0.749913 0.734303 0.736237 0.65741 0.201747 -0.704887 -0.501534 0.545936 -0.701942 0.626442
-0.657852 -0.735374 0.0324311 -0.232859]] }, { tensor = "float32", shape = {4}, data = [[0.401343 -0.482534 0.404748 0.436287]] }, { tensor = "float32", shape = {4, 2}, data = [[0.520874 0.0745646 0.239819 -0.0817205 -0.639147 -0.438449 -0.443214 0.0037326]] }, { tensor = "float32", shape = {2}, data = [[0.542814 -0.184984]] }, { tensor = "float32", shape = {2, 4}, data = [[-0.41122 -0.0783683 -0.73595 -0.172729 0.484315 -0.234454 0.0936621 -0.171763]] }, { tensor = "float32", shape = {4}, data = [[0.348887 -0.546431 -0.43501 -0.515036]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.547011 0.451298 0.529924 0.138204 0.326887 0.338002 -0.279444 0.3594 0.369569 -0.621671 -0.260679 -0.202847]] }, { tensor = "float32", shape = {3}, data = [[0.0434506 0.444589 -0.282654]] } },
  },
  {
    name = "2/108",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Maximum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 1, activation = "sigmoid", name = "n2" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "mean_squared_error", options = {} } },
    metrics = { {} },
    weighted_metrics = { { { object = "metric", class = "false_negatives", options = { name = "m5" } }, { object = "metric", class = "auc", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.05 } },
    tasks = { "binary" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-29 -26 -35 -61 -56 46 -15 20 -36 -43 46 45 55 -21 25 6 26 16 -15 5 36 -63 16 3]] } },
    y = { { tensor = "float32", shape = {6, 3, 1}, scale = 64, data = [[64 0 64 64 0 64 0 64 64 0 64 64 0 0 0 64 0 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    steps_per_execution = 2,
    weights = { { tensor = "float32", shape = {4, 1}, scale = 64, data = [[-10 -29 21 15]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-35]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.299393]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[384]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.297943]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[384]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.258308]] }, m5 = { tensor = "float32", shape = {1}, scale = 64, data = [[512]] }, m6 = { tensor = "float32", shape = {1}, scale = 64, data = [[44]] } }, { { tensor = "float32", shape = {4, 3, 1}, data = [[0.343103 0.343103 0.343103 0.330899 0.330899 0.330899 0.571653 0.571653 0.571653 0.412488 0.412488 0.412488]] } } },
    final = { { tensor = "float32", shape = {4, 1}, data = [[-0.16563 -0.461222 0.328443 0.230508]] }, { tensor = "float32", shape = {1}, data = [[-0.512598]] } },
  },
  {
    name = "2/109",
    inputs = { { name = "x0", shape = { 3 }, dtype = "int32", high = 6 } },
    nodes = { { layer = "Embedding", options = { input_dim = 6, output_dim = 4, mask_zero = true, name = "n0" }, sources = 0, call = {} }, { layer = "MultiHeadAttention", options = { num_heads = 2, key_dim = 2, value_dim = 3, name = "n1" }, sources = 1, call = {} }, { layer = "RNN", options = { cell = { object = "layer", class = "stacked_rnn_cells", options = { cells = { { object = "layer", class = "lstm_cell", options = { units = 4 } }, { object = "layer", class = "lstm_cell", options = { units = 4 } } } } }, return_sequences = true, go_backwards = false, name = "n2" }, sources = 2, call = {} }, { layer = "SpatialDropout1D", options = { rate = 0, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 1, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "huber", options = { delta = 0.5, reduction = "mean_with_sample_weight" } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adam", options = { epsilon = 0.01, amsgrad = true, learning_rate = 0.01 } },
    tasks = { "regression" },
    zero_tail = 0,
    x = { { tensor = "int32", shape = {6, 3}, data = [[3 0 0 5 4 0 1 5 3 3 0 0 5 4 0 2 1 3]] } },
    y = { { tensor = "float32", shape = {6, 3, 3}, scale = 64, data = [[31 30 -38 52 -34 39 47 -52 -18 -22 -17 -60 -37 -55 -51 -39 -1 -26 -26 -10 7 -35 -4 -49 -38 3 -15 -26 51 -64 -50
57 -62 -7 22 2 60 -62 -2 24 63 24 -47 52 -59 26 54 7 -61 -28 21 -37 63 -38]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-39 5 46 38 5 -27 -43 -12 -47 10 24 -24 41 -30 8 -35 -48 -4 -3 -11 -38 24 9 40]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[-29 -10 -32 -47 -13 -34 46 -48 -44 -22 38 -36]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[37 3 -16]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.271094]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.260257]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.266025]] } }, { { tensor = "float32", shape = {6, 3, 3}, data = [[0.882679 -0.361939 -0.117278 1.10055 -0.0657716 -0.818308 1.10055 -0.0657716 -0.818308 0.448802 0.317621
-0.606665 0.972365 0.106625 0.277125 1.10055 -0.0657716 -0.818308 0.417084 0.51119 0.487804 0.448802 0.317621
-0.606665 0.882679 -0.361939 -0.117278 0.882679 -0.361939 -0.117278 1.10055 -0.0657716 -0.818308 1.10055
-0.0657716 -0.818308 0.448802 0.317621 -0.606665 0.972365 0.106625 0.277125 1.10055 -0.0657716 -0.818308 1.18022
-0.373995 -0.0184244 0.417084 0.51119 0.487804 0.882679 -0.361939 -0.117278]] } } },
    final = { { tensor = "float32", shape = {6, 4}, data = [[-0.609375 0.078125 0.71875 0.59375 0.0810101 -0.418037 -0.670381 -0.187182 -0.734137 0.15678 0.373056 -0.37398
0.645085 -0.463001 0.119597 -0.53925 -0.747592 -0.0592163 -0.0474055 -0.170193 -0.591595 0.377943 0.14274
0.623588]] }, { tensor = "float32", shape = {4, 3}, data = [[-0.452794 -0.150836 -0.502178 -0.730978 -0.206364 -0.528003 0.719399 -0.747207 -0.686739 -0.340353 0.588094
-0.559412]] }, { tensor = "float32", shape = {3}, data = [[0.566752 0.046309 -0.257328]] } },
  },
  {
    name = "2/113",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Flatten", options = { name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, use_bias = false, activation = "softmax", name = "n1" }, sources = 1, call = {} } },
    outputs = { 2 },
    loss = { { object = "loss", class = "kl_divergence", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "top_k_categorical_accuracy", options = { name = "m0", k = 2 } }, { object = "metric", class = "categorical_crossentropy", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05, global_clipnorm = 0.5 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-63 50 -41 -48 -37 -45 -61 -24 20 -5 -38 63 23 8 -4 62 25 12 13 -34 -9 -24 -47 12 -34 -25 34 40 -35 40 -20 57
-42 9 -31 -62 33 -58 40 11 -14 -1 47 29 25 7 -2 18 51 46 -12 -9 -32 18 56 35 -10 7 -51 24 51 -49 -42 -31 -17 -58
-3 35 39 -32 -30 46 -38 -49 62 -23 5 0 24 0 -1 -40 -21 26 -24 -55 -27 -49 48 36 19 -51 -41 56 7 10 -42 -2 -3 63
38 9 -53 61 36 12 49 -41 38 11 27 -13 -32 -28 -46 61 56 32 60 60 17 63 -2 10 -47 -18 -61 -5 -55 -44 -11 -8 -29
-4 10 52 39 -18 -47 20 33 -59 11 -64]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 64 0 0 64 0 0 64 0 0 0 64 0 64 0 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {24, 3}, scale = 64, data = [[21 -24 4 -18 38 27 -7 21 8 26 -1 -28 -38 33 -26 45 -3 -36 47 -32 8 48 -17 -25 46 38 -14 -42 6 7 -30 -20 -6 -13
22 -45 -34 -45 -16 -22 8 -27 -30 -35 5 41 32 34 -6 -31 40 43 -21 -47 8 39 14 -18 -48 40 -15 -48 20 -37 29 -45 10
12 48 -25 -11 -29]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[2.60756 4.48392 1.65139]] }, m0 = { tensor = "float32", shape = {3}, scale = 64, data = [[64 64 64]] }, m1 = { tensor = "float32", shape = {3}, data = [[0.651894 2.24196 0.41285]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.94052]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m1 = { tensor = "float32", shape = {}, data = [[0.765468]] } } },
    final = { { tensor = "float32", shape = {24, 3}, data = [[0.313815 -0.372251 0.0927532 -0.299485 0.678575 0.31546 -0.0214283 0.237932 0.0924957 0.433087 0.045195
-0.510244 -0.704975 0.506589 -0.301402 0.765444 -0.104506 -0.614661 0.779872 -0.612356 0.129042 0.825644
-0.272433 -0.494243 0.607114 0.683202 -0.115846 -0.761457 0.183382 0.120404 -0.569102 -0.225553 -0.0185644
-0.245745 0.304898 -0.639077 -0.488544 -0.602848 -0.329173 -0.438272 0.218572 -0.335561 -0.538946 -0.451515
0.084751 0.591173 0.579623 0.513195 0.00642187 -0.583835 0.636738 0.586494 -0.423222 -0.629765 0.170715 0.514977
0.202285 -0.224445 -0.647226 0.520624 -0.148336 -0.646217 0.203226 -0.557387 0.390258 -0.602985 0.094697
0.172362 0.782983 -0.356304 -0.165144 -0.507228]] } },
  },
  {
    name = "2/114",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "DepthwiseConv2D", options = { padding = "same", strides = 2, kernel_size = 1, depth_multiplier = 1, name = "n0" }, sources = 0, call = {} }, { layer = "Subtract", options = { name = "n1" }, sources = { 1, 1 }, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, activation = "tanh", name = "n3" }, sources = 3, call = {} }, { layer = "AveragePooling2D", options = { padding = "same", pool_size = { 3, 3 }, name = "n4" }, sources = 2, call = {} }, { layer = "Flatten", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n6" }, sources = 6, call = {} } },
    outputs = { 4, 7 },
    loss = { { object = "loss", class = "squared_hinge", options = { reduction = "sum" } }, { object = "loss", class = "squared_hinge", options = { reduction = "mean" } } },
    metrics = { {}, {} },
    weighted_metrics = { {}, {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.01 } },
    tasks = { "signs", "signs" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[31 50 28 -25 -17 41 -26 -35 -56 -42 -22 -5 -14 -37 -48 14 -28 27 11 -63 63 -50 31 16 -43 -64 -38 -38 -60 4 -46
15 8 -10 46 -30 -50 -25 -51 -50 54 7 49 57 44 -34 63 29 0 13 21 -29 40 -4 3 -12 -42 36 31 -14 -49 -4 -28 -48 10
-30 22 45 24 4 7 -21 -7 -40 51 27 -9 -59 7 -33 3 8 47 20 14 -10 -41 37 -48 22 57 56 -28 -54 -46 25 -5 21 -43 33
-44 -24 -8 0 31 56 16 57 58 46 -26 -16 -48 23 -50 22 -32 -12 56 3 51 2 31 -19 38 -38 -6 -11 58 -22 60 -12 -35 38
-14 -59 14 -7 9 -38 -11 -31 -43 57]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-64 64 -64 64 64 -64 -64 64 -64 -64 -64 64 -64 -64 64 -64 -64 64]] }, { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 -64 -64 64 64 64]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {1, 1, 2, 1}, scale = 64, data = [[-18 25]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-24 23]] }, { tensor = "float32", shape = {8, 3}, scale = 64, data = [[-37 10 -26 7 -4 -7 -48 -17 22 1 17 25 41 -48 -1 -12 1 -8 22 -1 -30 31 -30 33]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[47 -34 41]] }, { tensor = "float32", shape = {2, 1}, scale = 64, data = [[-27 -12]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-4]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[8.50397 3.17727 8.18559]] }, n3_loss = { tensor = "float32", shape = {3}, data = [[7.50007 2.05353 7.18523]] }, n6_loss = { tensor = "float32", shape = {3}, data = [[1.0039 1.12374 1.00036]] } }, { loss = { tensor = "float32", shape = {}, data = [[6.23939]] }, n3_loss = { tensor = "float32", shape = {}, data = [[5.23922]] }, n6_loss = { tensor = "float32", shape = {}, data = [[1.00017]] } } },
    final = { { tensor = "float32", shape = {1, 1, 2, 1}, scale = 64, data = [[-18 25]] }, { tensor = "float32", shape = {2}, scale = 64, data = [[-24 23]] }, { tensor = "float32", shape = {8, 3}, scale = 64, data = [[-37 10 -26 7 -4 -7 -48 -17 22 1 17 25 41 -48 -1 -12 1 -8 22 -1 -30 31 -30 33]] }, { tensor = "float32", shape = {3}, data = [[0.598374 -0.43935 0.548494]] }, { tensor = "float32", shape = {2, 1}, scale = 64, data = [[-27 -12]] }, { tensor = "float32", shape = {1}, data = [[-0.000253951]] } },
  },
  {
    name = "2/116",
    inputs = { { name = "x0", shape = { 3, 4, 2 }, dtype = "float32" } },
    nodes = { { layer = "Resizing", options = { height = 3, width = 2, interpolation = "bilinear", name = "n0" }, sources = 0, call = {} }, { layer = "RMSNormalization", options = { axis = -1, name = "n1" }, sources = 1, call = {} }, { layer = "SpatialDropout2D", options = { rate = 0, name = "n2" }, sources = 2, call = {} }, { layer = 2, options = {}, sources = 3, call = {} }, { layer = "Flatten", options = { name = "n4" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 3, name = "n5" }, sources = 5, call = {} } },
    outputs = { 6 },
    loss = { { object = "loss", class = "categorical_focal_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "top_k_categorical_accuracy", options = { name = "m0", k = 2 } }, { object = "metric", class = "categorical_crossentropy", options = { name = "m1", from_logits = true } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "ftrl", options = { learning_rate = 0.05, global_clipnorm = 0.5, use_ema = true, ema_momentum = 0.75, ema_overwrite_frequency = 2 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 3, 4, 2}, scale = 64, data = [[53 14 16 42 59 -8 -38 58 -33 18 54 -38 23 57 -54 -43 -54 -62 16 -31 -17 52 8 43 45 -23 17 30 30 53 -15 39 -13
-27 -3 -21 -30 4 -48 4 -39 -63 -6 -31 -48 -36 -45 -34 -48 26 55 46 -7 45 -53 41 50 2 -46 -26 23 63 -20 -9 32 29
-64 -10 11 -62 9 18 -29 45 -16 -42 -22 -7 -33 -32 38 -63 9 -10 -14 -15 28 -64 -29 -16 35 -7 -3 -22 56 46 51 50
-25 -22 5 21 -20 43 64 56 -47 -20 43 -37 -16 41 40 2 24 -33 34 7 33 -24 55 21 38 4 -19 -44 -58 -32 27 -46 -47 33
6 4 -41 23 20 39 54 20 1 -41 -8 31]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 64 0 0 0 64 0 64 0 0 0 64 0 64 0 0 0 64]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {2}, scale = 64, data = [[77 93]] }, { tensor = "float32", shape = {12, 3}, scale = 64, data = [[48 47 47 42 13 -45 -32 35 -45 40 -42 -47 2 -15 26 -31 26 28 33 5 15 -5 -41 -28 -28 0 35 -12 -26 -5 -47 -11 31
-15 6 -11]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[22 -35 -28]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[3.29292 -0.963557 -3.94335 4.88545 -0.593957 -3.17301 4.59241 -4.62412 -4.39074 -0.927613 -0.538891 1.47755
2.03976 -0.338724 1.02388 1.59799 -0.590001 0.677518]] } }, { loss = { tensor = "float32", shape = {2}, data = [[0.933664 0.120251]] }, m0 = { tensor = "float32", shape = {2}, data = [[0.666667 0.666667]] }, m1 = { tensor = "float32", shape = {2}, data = [[3.99147 1.09066]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.119244]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[64]] }, m1 = { tensor = "float32", shape = {}, data = [[1.08641]] } } },
    final = { { tensor = "float32", shape = {2}, data = [[-0.000516574 0.391895]] }, { tensor = "float32", shape = {12, 3}, data = [[0.0103359 0.0107626 0.013107 0.00686044 0.0259468 0.00516522 0.000132579 -0.000861694 0.000732249 0.0374035
-0.00422165 -0.010978 -0.00384909 0.00417105 -0.00151904 -0.0204976 0.00892526 -0.0118438 0.028898 -0.00549698
-0.00459872 -0.0223956 -0.00165966 0.00204879 0.000989293 -0.00783055 -0.00181647 0.00788002 -0.0111203
-0.00355283 0.0016929 0.00168629 -0.00257073 0.00891321 -0.00164527 -0.00923105]] }, { tensor = "float32", shape = {3}, data = [[-0.0160556 0.00828471 0.0101422]] } },
  },
  {
    name = "2/119",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Maximum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = { object = "sequential", class = "sequential", options = { shape = { 4 }, layers = { { object = "layer", class = "dense", options = { units = 4, activation = "mish" } }, { object = "layer", class = "dense", options = { units = 4, activation = "hard_silu" } } }, name = "inner1" } }, options = {}, sources = 1, call = {} }, { layer = { object = "sequential", class = "sequential", options = { shape = { 4 }, layers = { { object = "layer", class = "dense", options = { units = 4, activation = "softplus" } }, { object = "layer", class = "prelu", options = {} } }, name = "inner2" } }, options = {}, sources = 2, call = {} }, { layer = "AlphaDropout", options = { rate = 0, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_generalized_cross_entropy", options = { q = 0.75 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, learning_rate = { object = "schedule", class = "polynomial_decay", options = { initial_learning_rate = 0.05, decay_steps = 4 } } } },
    tasks = { "sparse" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-21 64 -58 -27 31 -63 -9 -14 33 7 43 -16 -46 -36 -1 -60 -53 -30 -8 45 -35 -44 31 -26]] } },
    y = { { tensor = "int32", shape = {6}, data = [[2 2 1 1 2 0]] } },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[34 6 40 2 -32 30 -43 7 -38 -5 2 6 -7 25 30 -27]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[44 -43 -43 1]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[24 -39 -45 48 -34 43 -8 42 -25 23 5 22 -5 25 -45 31]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[18 -20 -27 15]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-35 -44 -32 -31 -28 -19 32 25 -40 -42 32 44 -28 43 32 18]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-29 32 44 11]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-33 -40 -42 -46]] }, { tensor = "float32", shape = {4, 3}, scale = 64, data = [[40 -29 46 -11 -22 -43 29 -37 -32 -9 -22 29]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[28 -43 11]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[1.09229 0.599998 1.00895]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.844798]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.530173 0.0966376 0.621349 0.0304852 -0.497015 0.464247 -0.663915 0.108093 -0.585426 -0.0735302 0.0317067
0.101174 -0.110968 0.391631 0.468689 -0.420213]] }, { tensor = "float32", shape = {4}, data = [[0.676216 -0.680255 -0.679879 0.00420469]] }, { tensor = "float32", shape = {4, 4}, data = [[0.402355 -0.610421 -0.702402 0.719178 -0.539622 0.672253 -0.125237 0.663987 -0.394872 0.359782 0.07786 0.345668
-0.0762076 0.390599 -0.703331 0.484558]] }, { tensor = "float32", shape = {4}, data = [[0.314418 -0.314388 -0.420508 0.20252]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.54834 -0.70354 -0.531049 -0.471422 -0.436505 -0.286333 0.520679 0.382052 -0.623476 -0.646229 0.519811
0.679872 -0.437583 0.656964 0.473425 0.292987]] }, { tensor = "float32", shape = {4}, data = [[-0.457073 0.468171 0.625884 0.197604]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-33 -40 -42 -46]] }, { tensor = "float32", shape = {4, 3}, data = [[0.572152 -0.443365 0.762762 -0.286368 -0.322964 -0.568645 0.359366 -0.561757 -0.417645 -0.205783 -0.332979
0.509113]] }, { tensor = "float32", shape = {3}, data = [[0.331934 -0.652378 0.265408]] } },
  },
  {
    name = "2/120",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Identity", options = { name = "n0" }, sources = 0, call = {} }, { layer = "Dense", options = { units = 3, kernel_constraint = { object = "constraint", class = "min_max_norm", options = { min_value = 0.3, max_value = 0.7 } }, activation = "softmax", name = "n1" }, sources = 2, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "categorical_crossentropy", options = { label_smoothing = 0.125 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, learning_rate = 0.01 } },
    tasks = { "categorical" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-34 -15 -37 6 -45 0 7 64 -57 15 -58 22 -33 62 46 -47 36 17 37 57 -2 -13 -61 19]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-62 -46 19 -10 24 -39 38 31 -19 -40 35 -38 32 -6 -20 -39 18 -2 -50 -51 7 45 58 -9]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[64 0 0 64 0 0 64 0 0 0 0 64 0 0 64 64 0 0]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[47 -40 6 -5 28 -16 -2 15 -7 -25 -18 -46]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-24 -7 -29]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[1.65604]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.54948]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.52858]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.252127 0.441032 0.306841 0.206054 0.605857 0.188089 0.190416 0.567205 0.242379 0.168796 0.617743 0.213461
0.420913 0.383042 0.196046 0.352099 0.334725 0.313177]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.59795 -0.499221 0.0846561 -0.067027 0.354771 -0.214469 -0.0409455 0.197876 -0.0867023 -0.313349 -0.238649
-0.655224]] }, { tensor = "float32", shape = {3}, data = [[-0.346162 -0.139924 -0.451414]] } },
  },
  {
    name = "2/121",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" }, { name = "x1", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "LeakyReLU", options = { negative_slope = 0.1, name = "n0" }, sources = 0, call = {} }, { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", name = "n1" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 4, activation = "celu", name = "n2" }, sources = 3, call = {} }, { layer = "EinsumDense", options = { equation = "ab,bc->ac", output_shape = 4, bias_axes = "c", name = "n3" }, sources = 4, call = {} }, { layer = "Dense", options = { units = 2, use_bias = false, name = "n4" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 1, use_bias = false, activation = "softplus", name = "n5" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "kl_divergence", options = {} } },
    metrics = { { { object = "metric", class = "kl_divergence", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, momentum = 0.9, learning_rate = 0.01, global_clipnorm = 0.5 } },
    tasks = { "positive" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[64 56 19 0 61 19 -10 -37 -49 13 -38 -11 14 62 62 -54 -25 -6 -40 -45 -30 -13 24 5]] }, { tensor = "float32", shape = {6, 4}, scale = 64, data = [[-27 -16 27 39 43 -48 64 -9 -52 -37 -7 -61 -23 -38 -8 -35 42 0 33 28 27 25 20 -20]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[51 26 8 83 33 72]] } },
    actions = { { kind = "train" }, { kind = "train" }, { kind = "train" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 4}, scale = 64, data = [[47 -9 -7 -3 -46 -37 27 -37 1 -1 38 -1 -17 34 20 -23]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-11 -26 41 -30]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-20 -35 -31 -17 -36 24 -17 -34 47 10 7 7 -44 40 -8 -44]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[3 14 -31 -48]] }, { tensor = "float32", shape = {4, 4}, scale = 64, data = [[-12 -24 44 -2 -26 48 7 -7 -10 -8 16 35 7 -48 17 -38]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[1 -26 35 7]] }, { tensor = "float32", shape = {4, 2}, scale = 64, data = [[14 -23 20 21 12 39 1 -25]] }, { tensor = "float32", shape = {2, 1}, scale = 64, data = [[-28 -26]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.120157]] }, m0 = { tensor = "float32", shape = {}, data = [[0.120157]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.0747917]] }, m0 = { tensor = "float32", shape = {}, data = [[0.0747917]] } }, { loss = { tensor = "float32", shape = {}, data = [[-0.00160844]] }, m0 = { tensor = "float32", shape = {}, data = [[-0.00160844]] } }, { { tensor = "float32", shape = {6, 1}, data = [[0.85681 0.793668 0.743731 0.848267 0.723903 0.721226]] } } },
    final = { { tensor = "float32", shape = {4, 4}, data = [[0.741324 -0.142709 -0.116529 -0.0510444 -0.708228 -0.581915 0.412076 -0.585301 0.0231768 -0.0185499 0.587088
-0.0210593 -0.266332 0.531521 0.313116 -0.358868]] }, { tensor = "float32", shape = {4}, data = [[-0.158501 -0.410994 0.628124 -0.477781]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.308719 -0.539267 -0.485425 -0.267146 -0.549073 0.396703 -0.269102 -0.536777 0.717974 0.128873 0.113665
0.116108 -0.674545 0.646024 -0.128364 -0.692838]] }, { tensor = "float32", shape = {4}, data = [[0.0331097 0.196431 -0.48085 -0.744334]] }, { tensor = "float32", shape = {4, 4}, data = [[-0.176148 -0.440457 0.616368 0.00591016 -0.40792 0.760939 0.121502 -0.115073 -0.155402 -0.130485 0.243876
0.549742 0.11259 -0.770658 0.242649 -0.582882]] }, { tensor = "float32", shape = {4}, data = [[0.020809 -0.438978 0.510606 0.126811]] }, { tensor = "float32", shape = {4, 2}, data = [[0.230218 -0.349145 0.398064 0.406852 0.0966942 0.525366 0.0255108 -0.381793]] }, { tensor = "float32", shape = {2, 1}, data = [[-0.474755 -0.328582]] } },
  },
  {
    name = "2/122",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Concatenate", options = { axis = 1, name = "n1" }, sources = { 1, 0 }, call = {} }, { layer = "LeakyReLU", options = { negative_slope = 0.1, name = "n2" }, sources = 2, call = {} }, { layer = "GroupQueryAttention", options = { head_dim = 2, num_query_heads = 4, num_key_value_heads = 2, name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, name = "n4" }, sources = 0, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "sparse_categorical_crossentropy", options = { from_logits = true } } },
    metrics = { { { object = "metric", class = "sparse_categorical_crossentropy", options = { name = "m0", from_logits = true } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamw", options = { epsilon = 0.01, weight_decay = 0.02, learning_rate = 0.05 } },
    tasks = { "sparse" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[-26 6 -5 17 0 0 0 0 0 0 0 0 -39 -52 -6 35 43 50 8 -23 0 0 0 0 60 64 -55 -16 -55 -32 30 19 -63 -24 3 8 30 32 15
-15 0 0 0 0 0 0 0 0 -2 50 30 -55 24 0 -55 33 0 0 0 0 15 33 -21 -15 41 53 -45 -56 -8 33 46 -2]] } },
    y = { { tensor = "int32", shape = {6, 3}, data = [[2 2 2 2 1 2 2 2 1 1 0 0 0 2 0 1 1 1]] } },
    sample_weight = { tensor = "float32", shape = {6, 3}, scale = 64, data = [[23 128 77 117 59 38 73 59 79 65 26 60 127 44 69 47 119 78]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[21 -24 4 -18 38 27 -7 21 8 26 -1 -28]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-38 33 -26]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[1.49731]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.29751]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.31696]] }, m0 = { tensor = "float32", shape = {}, data = [[1.26847]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.4341]] }, m0 = { tensor = "float32", shape = {}, data = [[1.24589]] } }, { { tensor = "float32", shape = {6, 3, 3}, data = [[-0.635002 0.598626 -0.436648 -0.581839 0.438092 -0.351457 -0.581839 0.438092 -0.351457 -0.371626 0.0886197
-0.885183 -0.696993 0.749704 0.103533 -0.581839 0.438092 -0.351457 -0.543525 0.47545 0.0531775 -0.669766
0.557664 -0.625789 -0.771359 0.548998 -0.558109 -0.656868 0.674092 -0.0425681 -0.581839 0.438092 -0.351457
-0.581839 0.438092 -0.351457 -1.14156 1.11776 0.310691 -0.198082 0.0152014 -0.623169 -0.581839 0.438092
-0.351457 -0.692565 0.582757 -0.0975499 -0.842079 0.543754 0.236976 -0.821182 1.03256 -0.0826153]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.33028 -0.338949 0.0254815 -0.248753 0.621137 0.368618 -0.081065 0.320855 0.0973674 0.368944 -0.0388836
-0.38321]] }, { tensor = "float32", shape = {3}, data = [[-0.581839 0.438092 -0.351457]] } },
  },
  {
    name = "2/123",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Conv1DTranspose", options = { padding = "valid", strides = 2, kernel_size = 1, filters = 4, use_bias = false, activation = "celu", name = "n1" }, sources = 1, call = {} }, { layer = "Flatten", options = { name = "n2" }, sources = 2, call = {} }, { layer = "Dense", options = { units = 3, name = "n3" }, sources = 3, call = {} } },
    outputs = { 4 },
    loss = { { object = "loss", class = "binary_crossentropy", options = { from_logits = true, label_smoothing = 0.125 } } },
    metrics = { {} },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "rmsprop", options = { epsilon = 0.01, centered = true, learning_rate = 0.01, clipnorm = 0.5 } },
    tasks = { "binary" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[8 42 -7 45 0 0 0 0 0 0 0 0 16 1 -20 38 -61 56 -15 25 0 0 0 0 53 60 7 54 -20 0 22 -12 -57 34 -24 56 -23 -1 -50 26
0 0 0 0 0 0 0 0 -7 -17 16 -21 -63 -38 45 -21 0 0 0 0 -16 64 40 -61 -59 -52 31 -49 4 -22 -22 -17]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 0 0 0 0 0 64 64 0 64 0 0 64 0 0 0 64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1, validation = true }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {1, 4, 4}, scale = 64, data = [[-18 25 -24 23 -37 10 -26 7 -4 -7 -48 -17 22 1 17 25]] }, { tensor = "float32", shape = {24, 3}, scale = 64, data = [[41 -48 -1 -12 1 -8 22 -1 -30 31 -30 33 47 -34 41 -27 -12 -4 31 -13 -4 -26 -9 35 -15 4 -9 41 -36 21 41 36 38 5 11
-9 -42 32 -34 11 4 24 32 -15 -9 1 17 25 -32 35 35 5 8 -46 7 -28 -23 -20 -21 40 12 -45 -36 -35 26 21 -11 -48 -9
-8 -23 -39]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-13 37 -44]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[0.650327]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.64291]] } }, { loss = { tensor = "float32", shape = {1}, data = [[0.65802]] }, val_loss = { tensor = "float32", shape = {1}, data = [[0.65095]] } }, { { tensor = "float32", shape = {4, 3}, data = [[0.132408 0.0530549 -0.477016 0.335052 -0.177678 -0.445004 -0.244617 0.48446 -0.338334 0.0824062 0.247922 -1.0873]] } } },
    final = { { tensor = "float32", shape = {1, 4, 4}, data = [[-0.297703 0.39318 -0.373019 0.357343 -0.564789 0.154589 -0.406938 0.108384 -0.0431463 -0.128067 -0.748822
-0.272915 0.341355 0.0194957 0.268191 0.382948]] }, { tensor = "float32", shape = {24, 3}, data = [[0.629671 -0.750495 -0.0181096 -0.190949 0.0163514 -0.130209 0.345196 -0.0114478 -0.475584 0.478921 -0.468327
0.516927 0.734375 -0.53125 0.640625 -0.421875 -0.1875 -0.0625 0.484375 -0.203125 -0.0625 -0.40625 -0.140625
0.546875 -0.237252 0.0585562 -0.149156 0.631615 -0.568144 0.32435 0.642914 0.559994 0.593276 0.0842868 0.175
-0.14328 -0.65625 0.5 -0.53125 0.171875 0.0625 0.375 0.5 -0.234375 -0.140625 0.015625 0.265625 0.390625 -0.50524
0.552844 0.55368 0.0724776 0.129326 -0.71114 0.106737 -0.440656 -0.355147 -0.311077 -0.326925 0.622778 0.1875
-0.703125 -0.5625 -0.546875 0.40625 0.328125 -0.171875 -0.75 -0.140625 -0.125 -0.359375 -0.609375]] }, { tensor = "float32", shape = {3}, data = [[-0.240645 0.57175 -0.686674]] } },
  },
  {
    name = "2/124",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Maximum", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "Dense", options = { units = 3, kernel_regularizer = { object = "regularizer", class = "l2", options = { l2 = 0.03 } }, bias_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "celu", name = "n1" }, sources = 1, call = {} }, { layer = "Dropout", options = { rate = 0, name = "n2" }, sources = 2, call = {} }, { layer = 3, options = {}, sources = 3, call = {} }, { layer = "Dense", options = { units = 1, activation = "tanh", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "squared_hinge", options = {} } },
    metrics = { { { object = "metric", class = "hinge", options = { name = "m0" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "adamax", options = { epsilon = 0.01, learning_rate = 0.01, use_ema = true, ema_momentum = 0.75 } },
    tasks = { "signs" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[48 -43 -21 -64 -13 -14 -26 14 58 8 33 64 -38 1 -22 -30 -62 -29 44 51 20 24 -45 -4]] } },
    y = { { tensor = "float32", shape = {6, 1}, scale = 64, data = [[64 64 64 64 -64 -64]] } },
    actions = { { kind = "train" }, { kind = "test" }, { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "predict_on_batch" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[2 15 40 22 -45 -44 48 26 32 26 34 -16]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-44 35 -48]] }, { tensor = "float32", shape = {3, 1}, scale = 64, data = [[8 -43 -5]] }, { tensor = "float32", shape = {1}, scale = 64, data = [[-33]] } },
    answers = { { loss = { tensor = "float32", shape = {}, data = [[3.12435]] }, m0 = { tensor = "float32", shape = {}, data = [[1.72269]] } }, { loss = { tensor = "float32", shape = {}, data = [[3.06594]] }, m0 = { tensor = "float32", shape = {}, data = [[1.70571]] } }, { loss = { tensor = "float32", shape = {1}, data = [[2.13919]] }, m0 = { tensor = "float32", shape = {1}, data = [[1.24845]] } }, { { tensor = "float32", shape = {4, 1}, data = [[-0.725271 -0.713097 -0.881711 -0.463296]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.03931 0.222408 0.611016 0.331449 -0.687403 -0.673315 0.736159 0.420711 0.48988 0.395955 0.546282 -0.237346]] }, { tensor = "float32", shape = {3}, data = [[-0.67278 0.531348 -0.760158]] }, { tensor = "float32", shape = {3, 1}, data = [[0.109579 -0.65623 -0.0932367]] }, { tensor = "float32", shape = {1}, data = [[-0.500138]] } },
  },
  {
    name = "2/125",
    inputs = { { name = "x0", shape = { 4 }, dtype = "float32" } },
    nodes = { { layer = "Add", options = { name = "n0" }, sources = { 0, 0 }, call = {} }, { layer = "AlphaDropout", options = { rate = 0, name = "n1" }, sources = 1, call = {} }, { layer = "Dense", options = { units = 3, name = "n2" }, sources = 1, call = {} } },
    outputs = { 3 },
    loss = { { object = "loss", class = "cosine_similarity", options = { reduction = "sum" } } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "root_mean_squared_error", options = { name = "m1" } } } },
    weighted_metrics = { { { object = "metric", class = "mean_squared_error", options = { name = "m5" } } } },
    optimizer = { object = "optimizer", class = "sgd", options = { momentum = 0.9, nesterov = true, learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 4}, scale = 64, data = [[28 -18 -11 -29 46 -19 4 24 46 0 -11 -30 41 41 29 -37 5 64 -50 9 -32 -18 43 43]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-27 -1 62 -17 -63 20 -32 50 61 50 13 6 9 45 -35 0 58 7]] } },
    actions = { { kind = "predict" }, { kind = "fit", batch_size = 4, epochs = 2 }, { kind = "evaluate" } },
    weights = { { tensor = "float32", shape = {4, 3}, scale = 64, data = [[20 44 48 47 47 42 13 -45 -32 35 -45 40]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[-42 -47 2]] } },
    answers = { { { tensor = "float32", shape = {6, 3}, data = [[-1.36133 0.333008 -0.0761719 -0.20752 -0.797363 1.12598 -0.789551 1.15479 0.695312 0.236816 1.26318 0.657227
0.697754 1.74268 2.41797 -0.374023 -3.72461 -0.919922]] } }, { loss = { tensor = "float32", shape = {2}, data = [[-1.3421 -1.76049]] }, m0 = { tensor = "float32", shape = {2}, data = [[1.45924 1.4492]] }, m1 = { tensor = "float32", shape = {2}, data = [[1.45924 1.4492]] }, m5 = { tensor = "float32", shape = {2}, data = [[2.12937 2.10017]] } }, { loss = { tensor = "float32", shape = {}, data = [[-2.07176]] }, m0 = { tensor = "float32", shape = {}, data = [[1.4559]] }, m1 = { tensor = "float32", shape = {}, data = [[1.4559]] }, m5 = { tensor = "float32", shape = {}, data = [[2.11964]] } } },
    final = { { tensor = "float32", shape = {4, 3}, data = [[0.519188 0.447235 0.857398 1.01146 0.885771 0.433749 0.324531 -0.831591 -0.564115 0.295542 -0.667367 0.323956]] }, { tensor = "float32", shape = {3}, data = [[-0.495827 -0.849079 0.1262]] } },
  },
  {
    name = "2/127",
    inputs = { { name = "x0", shape = { 2, 3, 2, 2 }, dtype = "float32" } },
    nodes = { { layer = "Softmax", options = { name = "n0" }, sources = 0, call = {} }, { layer = 1, options = {}, sources = 1, call = {} }, { layer = "Dense", options = { units = 4, activity_regularizer = { object = "regularizer", class = "l1l2", options = { l1 = 0.01, l2 = 0.02 } }, activation = "tanh_shrink", name = "n2" }, sources = 0, call = {} }, { layer = "Average", options = { name = "n3" }, sources = { 3, 3 }, call = {} }, { layer = "MaxPooling3D", options = { padding = "same", pool_size = 2, name = "n4" }, sources = 4, call = {} }, { layer = "Flatten", options = { name = "n5" }, sources = 5, call = {} }, { layer = "Dense", options = { units = 3, name = "n6" }, sources = 6, call = {} } },
    outputs = { 7 },
    loss = { { object = "loss", class = "log_cosh", options = {} } },
    metrics = { { { object = "metric", class = "root_mean_squared_error", options = { name = "m0" } }, { object = "metric", class = "root_mean_squared_error", options = { name = "m1" } } } },
    weighted_metrics = { {} },
    optimizer = { object = "optimizer", class = "nadam", options = { epsilon = 0.01, learning_rate = 0.05 } },
    tasks = { "regression" },
    x = { { tensor = "float32", shape = {6, 2, 3, 2, 2}, scale = 64, data = [[-52 -36 28 26 57 -34 -29 -64 41 16 2 -30 6 -47 3 -45 8 -9 -27 59 49 33 27 -3 -64 13 43 49 -37 -53 55 -32 13 11
40 -22 -47 16 39 -44 30 -44 -47 -30 39 -6 29 -10 29 57 36 -40 51 36 -15 -2 -54 13 -61 43 -29 37 25 8 -62 45 54
-11 21 4 45 -2 -54 25 32 58 -23 -1 -37 -24 -14 33 -41 -5 48 34 -47 2 2 5 -9 15 49 14 -20 45 56 2 -57 -25 -9 19
-53 -15 -37 -9 15 -44 22 43 -33 -55 -54 39 -22 -47 39 44 -19 -47 37 12 20 -64 -2 61 24 -8 6 30 37 -6 5 26 -16
-16 -25 58 45 8 52 62 -26 -42]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[-14 37 -32 42 63 -35 -42 -38 -19 49 -7 -50 25 -20 2 -15 16 14]] } },
    sample_weight = { tensor = "float32", shape = {6}, scale = 64, data = [[105 115 114 56 44 29]] },
    actions = { { kind = "fit", batch_size = 4, epochs = 1 }, { kind = "train" }, { kind = "evaluate" }, { kind = "predict" } },
    weights = { { tensor = "float32", shape = {2, 4}, scale = 64, data = [[-39 5 46 38 5 -27 -43 -12]] }, { tensor = "float32", shape = {4}, scale = 64, data = [[-47 10 24 -24]] }, { tensor = "float32", shape = {8, 3}, scale = 64, data = [[41 -30 8 -35 -48 -4 -3 -11 -38 24 9 40 -29 -10 -32 -47 -13 -34 46 -48 -44 -22 38 -36]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[37 3 -16]] } },
    answers = { { loss = { tensor = "float32", shape = {1}, data = [[0.273298]] }, m0 = { tensor = "float32", shape = {1}, data = [[0.600217]] }, m1 = { tensor = "float32", shape = {1}, data = [[0.600217]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.295085]] }, m0 = { tensor = "float32", shape = {}, data = [[0.589435]] }, m1 = { tensor = "float32", shape = {}, data = [[0.589435]] } }, { loss = { tensor = "float32", shape = {}, data = [[0.207168]] }, m0 = { tensor = "float32", shape = {}, data = [[0.529185]] }, m1 = { tensor = "float32", shape = {}, data = [[0.529185]] } }, { { tensor = "float32", shape = {6, 3}, data = [[0.456351 0.0427528 -0.366671 0.548548 -0.0271565 -0.418504 0.490499 0.00392278 -0.389759 0.516559 0.0733362
-0.245426 0.508731 -0.0148678 -0.371701 0.442994 -0.00139689 -0.396801]] } } },
    final = { { tensor = "float32", shape = {2, 4}, data = [[-0.512832 0.08888 0.632384 0.515193 0.0592613 -0.408415 -0.581168 -0.142082]] }, { tensor = "float32", shape = {4}, data = [[-0.627237 0.18623 0.281198 -0.288136]] }, { tensor = "float32", shape = {8, 3}, data = [[0.649741 -0.475105 0.12166 -0.59719 -0.713656 -0.0437217 -0.134319 -0.0940553 -0.53658 0.368992 0.147223
0.625567 -0.401398 -0.221918 -0.509314 -0.754512 -0.185573 -0.522384 0.644607 -0.690325 -0.644119 -0.343805
0.593845 -0.562555]] }, { tensor = "float32", shape = {3}, data = [[0.47545 0.130292 -0.185827]] } },
  },
  {
    name = "2/128",
    inputs = { { name = "x0", shape = { 3, 4 }, dtype = "float32" } },
    nodes = { { layer = "Masking", options = { mask_value = 0, name = "n0" }, sources = 0, call = {} }, { layer = "Reshape", options = { target_shape = { -1 }, name = "n1" }, sources = 1, call = {} }, { layer = "RepeatVector", options = { n = 3, name = "n2" }, sources = 2, call = {} }, { layer = "GlobalAveragePooling1D", options = { name = "n3" }, sources = 3, call = {} }, { layer = "Dense", options = { units = 3, activation = "softmax", name = "n4" }, sources = 4, call = {} } },
    outputs = { 5 },
    loss = { { object = "loss", class = "categorical_hinge", options = { reduction = "mean" } } },
    metrics = { { { object = "metric", class = "categorical_accuracy", options = { name = "m0" } }, { object = "metric", class = "top_k_categorical_accuracy", options = { name = "m1", k = 2 } } } },
    weighted_metrics = { { { object = "metric", class = "categorical_accuracy", options = { name = "m5" } }, { object = "metric", class = "categorical_accuracy", options = { name = "m6" } } } },
    optimizer = { object = "optimizer", class = "adafactor", options = { learning_rate = 0.01 } },
    tasks = { "categorical" },
    zero_tail = 0,
    x = { { tensor = "float32", shape = {6, 3, 4}, scale = 64, data = [[58 39 -40 -54 0 0 0 0 0 0 0 0 -20 0 -2 -10 46 -9 41 29 0 0 0 0 -57 52 10 -17 -23 -46 56 -4 52 39 -22 -62 -53 0
64 -61 0 0 0 0 0 0 0 0 -21 -27 53 -17 -14 12 28 -20 0 0 0 0 27 -53 13 -27 5 12 27 -52 63 -3 -16 34]] } },
    y = { { tensor = "float32", shape = {6, 3}, scale = 64, data = [[0 0 64 64 0 0 64 0 0 64 0 0 64 0 0 0 0 64]] } },
    class_weight = { 0.5, 2, 1.25 },
    actions = { { kind = "fit", batch_size = 4, epochs = 3, steps_per_epoch = 1 }, { kind = "evaluate" } },
    replicas = 2,
    weights = { { tensor = "float32", shape = {12, 3}, scale = 64, data = [[34 6 40 2 -32 30 -43 7 -38 -5 2 6 -7 25 30 -27 44 -43 -43 1 24 -39 -45 48 -34 43 -8 42 -25 23 5 22 -5 25 -45 31]] }, { tensor = "float32", shape = {3}, scale = 64, data = [[18 -20 -27]] } },
    answers = { { loss = { tensor = "float32", shape = {3}, data = [[0.847908 1.33394 0.838759]] }, m0 = { tensor = "float32", shape = {3}, scale = 64, data = [[0 0 0]] }, m1 = { tensor = "float32", shape = {3}, scale = 64, data = [[32 32 32]] }, m5 = { tensor = "float32", shape = {3}, scale = 64, data = [[0 0 0]] }, m6 = { tensor = "float32", shape = {3}, scale = 64, data = [[0 0 0]] } }, { loss = { tensor = "float32", shape = {}, data = [[1.28928]] }, m0 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m1 = { tensor = "float32", shape = {}, scale = 64, data = [[32]] }, m5 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] }, m6 = { tensor = "float32", shape = {}, scale = 64, data = [[0]] } } },
    final = { { tensor = "float32", shape = {12, 3}, data = [[0.519982 0.0970174 0.638179 0.0184523 -0.489711 0.472468 -0.655972 0.0946304 -0.600462 -0.0762496 0.0473913
0.0773717 -0.106621 0.400579 0.457209 -0.425185 0.677841 -0.657178 -0.659212 0.0129546 0.366906 -0.609988
-0.691717 0.738646 -0.520824 0.667312 -0.128117 0.664408 -0.38471 0.343852 0.0669092 0.347922 -0.0734952 0.38772
-0.713075 0.49942]] }, { tensor = "float32", shape = {3}, data = [[0.28084 -0.320144 -0.412576]] } },
  },
}
