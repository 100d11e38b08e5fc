-- Made by tests/golden/keras_tensorboard.py with Keras 3.15.1.
return {
  sequential_batch_1 = [[
tensors evaluate/train keras graph_keras_model 0
tensors evaluate/validation evaluation_loss_vs_iterations scalars 36
tensors evaluate/validation evaluation_mae_vs_iterations scalars 36
tensors fit/train batch_loss scalars 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
tensors fit/train batch_mae scalars 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
tensors fit/train batch_steps_per_second scalars 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
tensors fit/train epoch_learning_rate scalars 0 1 2
tensors fit/train epoch_loss scalars 0 1 2
tensors fit/train epoch_mae scalars 0 1 2
tensors fit/train epoch_steps_per_second scalars 0 1 2
tensors fit/train keras graph_keras_model 0
tensors fit/train seq/d1/bias/histogram histograms 0 2
tensors fit/train seq/d1/bias/image images 0 2
tensors fit/train seq/d1/kernel/histogram histograms 0 2
tensors fit/train seq/d1/kernel/image images 0 2
tensors fit/train seq/d2/bias/histogram histograms 0 2
tensors fit/train seq/d2/kernel/histogram histograms 0 2
tensors fit/train seq/d2/kernel/image images 0 2
tensors fit/validation epoch_loss scalars 0 1 2
tensors fit/validation epoch_mae scalars 0 1 2
tensors fit/validation evaluation_loss_vs_iterations scalars 12 24 36
tensors fit/validation evaluation_mae_vs_iterations scalars 12 24 36
scalar evaluate/validation evaluation_loss_vs_iterations 36 0x1.4821820000000p-4
scalar evaluate/validation evaluation_mae_vs_iterations 36 0x1.dc0d4a0000000p-3
scalar fit/train batch_loss 1 0x1.ef43aa0000000p+6
scalar fit/train batch_loss 2 0x1.f2ad360000000p+5
scalar fit/train batch_loss 3 0x1.4ced5e0000000p+5
scalar fit/train batch_loss 4 0x1.f37d3e0000000p+4
scalar fit/train batch_loss 5 0x1.8f9b620000000p+4
scalar fit/train batch_loss 6 0x1.4d29760000000p+4
scalar fit/train batch_loss 7 0x1.1e576a0000000p+4
scalar fit/train batch_loss 8 0x1.f5a2820000000p+3
scalar fit/train batch_loss 9 0x1.bdf6660000000p+3
scalar fit/train batch_loss 10 0x1.916a020000000p+3
scalar fit/train batch_loss 11 0x1.6d2a2c0000000p+3
scalar fit/train batch_loss 12 0x1.4f0d000000000p+3
scalar fit/train batch_loss 13 0x1.fad28c0000000p-3
scalar fit/train batch_loss 14 0x1.1969ce0000000p-3
scalar fit/train batch_loss 15 0x1.7886380000000p-4
scalar fit/train batch_loss 16 0x1.20d2f00000000p-4
scalar fit/train batch_loss 17 0x1.faf4860000000p-5
scalar fit/train batch_loss 18 0x1.00029c0000000p-4
scalar fit/train batch_loss 19 0x1.d4d9d20000000p-4
scalar fit/train batch_loss 20 0x1.1300dc0000000p-3
scalar fit/train batch_loss 21 0x1.1118b60000000p-3
scalar fit/train batch_loss 22 0x1.f5a1c00000000p-4
scalar fit/train batch_loss 23 0x1.c93e600000000p-4
scalar fit/train batch_loss 24 0x1.adb5aa0000000p-4
scalar fit/train batch_loss 25 0x1.2858360000000p-3
scalar fit/train batch_loss 26 0x1.40f72a0000000p-4
scalar fit/train batch_loss 27 0x1.ae20fa0000000p-5
scalar fit/train batch_loss 28 0x1.5a983c0000000p-5
scalar fit/train batch_loss 29 0x1.525b640000000p-5
scalar fit/train batch_loss 30 0x1.8812760000000p-5
scalar fit/train batch_loss 31 0x1.8c20840000000p-4
scalar fit/train batch_loss 32 0x1.d7a0ac0000000p-4
scalar fit/train batch_loss 33 0x1.d47ace0000000p-4
scalar fit/train batch_loss 34 0x1.ad502a0000000p-4
scalar fit/train batch_loss 35 0x1.87e77a0000000p-4
scalar fit/train batch_loss 36 0x1.7221e80000000p-4
scalar fit/train batch_mae 1 0x1.63b48c0000000p+3
scalar fit/train batch_mae 2 0x1.812d180000000p+2
scalar fit/train batch_mae 3 0x1.09b9c60000000p+2
scalar fit/train batch_mae 4 0x1.935de00000000p+1
scalar fit/train batch_mae 5 0x1.4405880000000p+1
scalar fit/train batch_mae 6 0x1.13151c0000000p+1
scalar fit/train batch_mae 7 0x1.ecc8800000000p+0
scalar fit/train batch_mae 8 0x1.bace9c0000000p+0
scalar fit/train batch_mae 9 0x1.8d26e40000000p+0
scalar fit/train batch_mae 10 0x1.68401e0000000p+0
scalar fit/train batch_mae 11 0x1.4e1da80000000p+0
scalar fit/train batch_mae 12 0x1.398e9e0000000p+0
scalar fit/train batch_mae 13 0x1.fbffee0000000p-2
scalar fit/train batch_mae 14 0x1.5199740000000p-2
scalar fit/train batch_mae 15 0x1.d20f9e0000000p-3
scalar fit/train batch_mae 16 0x1.845de00000000p-3
scalar fit/train batch_mae 17 0x1.79c11e0000000p-3
scalar fit/train batch_mae 18 0x1.91d1500000000p-3
scalar fit/train batch_mae 19 0x1.0ba58a0000000p-2
scalar fit/train batch_mae 20 0x1.2cfa380000000p-2
scalar fit/train batch_mae 21 0x1.33bfea0000000p-2
scalar fit/train batch_mae 22 0x1.2499f60000000p-2
scalar fit/train batch_mae 23 0x1.0df5f80000000p-2
scalar fit/train batch_mae 24 0x1.0624220000000p-2
scalar fit/train batch_mae 25 0x1.8412620000000p-2
scalar fit/train batch_mae 26 0x1.f17aee0000000p-3
scalar fit/train batch_mae 27 0x1.5b30400000000p-3
scalar fit/train batch_mae 28 0x1.3a8e100000000p-3
scalar fit/train batch_mae 29 0x1.4a20040000000p-3
scalar fit/train batch_mae 30 0x1.73ab660000000p-3
scalar fit/train batch_mae 31 0x1.f518e60000000p-3
scalar fit/train batch_mae 32 0x1.1a624e0000000p-2
scalar fit/train batch_mae 33 0x1.20450a0000000p-2
scalar fit/train batch_mae 34 0x1.10fe4a0000000p-2
scalar fit/train batch_mae 35 0x1.fa764c0000000p-3
scalar fit/train batch_mae 36 0x1.ee1a400000000p-3
scalar fit/train epoch_learning_rate 0 0x1.47ae140000000p-7
scalar fit/train epoch_learning_rate 1 0x1.47ae140000000p-7
scalar fit/train epoch_learning_rate 2 0x1.47ae140000000p-7
scalar fit/train epoch_loss 0 0x1.4f0d000000000p+3
scalar fit/train epoch_loss 1 0x1.adb5aa0000000p-4
scalar fit/train epoch_loss 2 0x1.7221e80000000p-4
scalar fit/train epoch_mae 0 0x1.398e9e0000000p+0
scalar fit/train epoch_mae 1 0x1.0624220000000p-2
scalar fit/train epoch_mae 2 0x1.ee1a400000000p-3
scalar fit/validation epoch_loss 0 0x1.192ce00000000p-3
scalar fit/validation epoch_loss 1 0x1.2ed5a40000000p-4
scalar fit/validation epoch_loss 2 0x1.bc5f180000000p-5
scalar fit/validation epoch_mae 0 0x1.64c5680000000p-2
scalar fit/validation epoch_mae 1 0x1.fb60460000000p-3
scalar fit/validation epoch_mae 2 0x1.a5f7260000000p-3
scalar fit/validation evaluation_loss_vs_iterations 12 0x1.192ce00000000p-3
scalar fit/validation evaluation_loss_vs_iterations 24 0x1.2ed5a40000000p-4
scalar fit/validation evaluation_loss_vs_iterations 36 0x1.bc5f180000000p-5
scalar fit/validation evaluation_mae_vs_iterations 12 0x1.64c5680000000p-2
scalar fit/validation evaluation_mae_vs_iterations 24 0x1.fb60460000000p-3
scalar fit/validation evaluation_mae_vs_iterations 36 0x1.a5f7260000000p-3
histogram fit/train seq/d1/bias/histogram 0 30 3 0x1.d11d2a0000000p-3 0x1.d11d2a0000000p-3
histogram fit/train seq/d1/bias/histogram 2 30 3 0x1.d9ee2a0000000p-3 0x1.d9ee2a0000000p-3
histogram fit/train seq/d1/kernel/histogram 0 30 12 0x1.9083e60000000p-1 0x1.97dbf00000000p-1
histogram fit/train seq/d1/kernel/histogram 2 30 12 0x1.8ff0860000000p-1 0x1.976c320000000p-1
histogram fit/train seq/d2/bias/histogram 0 30 1 0x1.0308f80000000p-2 0x1.0308f80000000p-2
histogram fit/train seq/d2/bias/histogram 2 30 1 0x1.3e2c6e0000000p-2 0x1.3e2c6e0000000p-2
histogram fit/train seq/d2/kernel/histogram 0 30 3 0x1.7b24c40000000p-4 0x1.7b24c40000000p-4
histogram fit/train seq/d2/kernel/histogram 2 30 3 0x1.46e5e40000000p-4 0x1.46e5e40000000p-4
images fit/train seq/d1/bias/image 0 1 3x1x1
images fit/train seq/d1/bias/image 2 1 3x1x1
images fit/train seq/d1/kernel/image 0 1 3x4x1
images fit/train seq/d1/kernel/image 2 1 3x4x1
images fit/train seq/d2/kernel/image 0 1 3x1x1
images fit/train seq/d2/kernel/image 2 1 3x1x1
keras evaluate/train keras seq/in InputLayer
keras evaluate/train keras seq/d1 Dense seq/in
keras evaluate/train keras seq/d2 Dense seq/d1
keras fit/train keras seq/in InputLayer
keras fit/train keras seq/d1 Dense seq/in
keras fit/train keras seq/d2 Dense seq/d1
]],
  sequential_batch_7 = [[
tensors evaluate/train keras graph_keras_model 0
tensors evaluate/validation evaluation_loss_vs_iterations scalars 36
tensors evaluate/validation evaluation_mae_vs_iterations scalars 36
tensors fit/train batch_loss scalars 1 2 3 4 5 6
tensors fit/train batch_mae scalars 1 2 3 4 5 6
tensors fit/train batch_steps_per_second scalars 1 2 3 4 5 6
tensors fit/train epoch_learning_rate scalars 0 1 2
tensors fit/train epoch_loss scalars 0 1 2
tensors fit/train epoch_mae scalars 0 1 2
tensors fit/train epoch_steps_per_second scalars 0 1 2
tensors fit/train keras graph_keras_model 0
tensors fit/train seq/d1/bias/histogram histograms 0 2
tensors fit/train seq/d1/bias/image images 0 2
tensors fit/train seq/d1/kernel/histogram histograms 0 2
tensors fit/train seq/d1/kernel/image images 0 2
tensors fit/train seq/d2/bias/histogram histograms 0 2
tensors fit/train seq/d2/kernel/histogram histograms 0 2
tensors fit/train seq/d2/kernel/image images 0 2
tensors fit/validation epoch_loss scalars 0 1 2
tensors fit/validation epoch_mae scalars 0 1 2
tensors fit/validation evaluation_loss_vs_iterations scalars 12 24 36
tensors fit/validation evaluation_mae_vs_iterations scalars 12 24 36
scalar evaluate/validation evaluation_loss_vs_iterations 36 0x1.4821820000000p-4
scalar evaluate/validation evaluation_mae_vs_iterations 36 0x1.dc0d4a0000000p-3
scalar fit/train batch_loss 1 0x1.1e576a0000000p+4
scalar fit/train batch_loss 2 0x1.4f0d000000000p+3
scalar fit/train batch_loss 3 0x1.d4d9d20000000p-4
scalar fit/train batch_loss 4 0x1.adb5aa0000000p-4
scalar fit/train batch_loss 5 0x1.8c20840000000p-4
scalar fit/train batch_loss 6 0x1.7221e80000000p-4
scalar fit/train batch_mae 1 0x1.ecc8800000000p+0
scalar fit/train batch_mae 2 0x1.398e9e0000000p+0
scalar fit/train batch_mae 3 0x1.0ba58a0000000p-2
scalar fit/train batch_mae 4 0x1.0624220000000p-2
scalar fit/train batch_mae 5 0x1.f518e60000000p-3
scalar fit/train batch_mae 6 0x1.ee1a400000000p-3
scalar fit/train epoch_learning_rate 0 0x1.47ae140000000p-7
scalar fit/train epoch_learning_rate 1 0x1.47ae140000000p-7
scalar fit/train epoch_learning_rate 2 0x1.47ae140000000p-7
scalar fit/train epoch_loss 0 0x1.4f0d000000000p+3
scalar fit/train epoch_loss 1 0x1.adb5aa0000000p-4
scalar fit/train epoch_loss 2 0x1.7221e80000000p-4
scalar fit/train epoch_mae 0 0x1.398e9e0000000p+0
scalar fit/train epoch_mae 1 0x1.0624220000000p-2
scalar fit/train epoch_mae 2 0x1.ee1a400000000p-3
scalar fit/validation epoch_loss 0 0x1.192ce00000000p-3
scalar fit/validation epoch_loss 1 0x1.2ed5a40000000p-4
scalar fit/validation epoch_loss 2 0x1.bc5f180000000p-5
scalar fit/validation epoch_mae 0 0x1.64c5680000000p-2
scalar fit/validation epoch_mae 1 0x1.fb60460000000p-3
scalar fit/validation epoch_mae 2 0x1.a5f7260000000p-3
scalar fit/validation evaluation_loss_vs_iterations 12 0x1.192ce00000000p-3
scalar fit/validation evaluation_loss_vs_iterations 24 0x1.2ed5a40000000p-4
scalar fit/validation evaluation_loss_vs_iterations 36 0x1.bc5f180000000p-5
scalar fit/validation evaluation_mae_vs_iterations 12 0x1.64c5680000000p-2
scalar fit/validation evaluation_mae_vs_iterations 24 0x1.fb60460000000p-3
scalar fit/validation evaluation_mae_vs_iterations 36 0x1.a5f7260000000p-3
histogram fit/train seq/d1/bias/histogram 0 30 3 0x1.d11d2a0000000p-3 0x1.d11d2a0000000p-3
histogram fit/train seq/d1/bias/histogram 2 30 3 0x1.d9ee2a0000000p-3 0x1.d9ee2a0000000p-3
histogram fit/train seq/d1/kernel/histogram 0 30 12 0x1.9083e60000000p-1 0x1.97dbf00000000p-1
histogram fit/train seq/d1/kernel/histogram 2 30 12 0x1.8ff0860000000p-1 0x1.976c320000000p-1
histogram fit/train seq/d2/bias/histogram 0 30 1 0x1.0308f80000000p-2 0x1.0308f80000000p-2
histogram fit/train seq/d2/bias/histogram 2 30 1 0x1.3e2c6e0000000p-2 0x1.3e2c6e0000000p-2
histogram fit/train seq/d2/kernel/histogram 0 30 3 0x1.7b24c40000000p-4 0x1.7b24c40000000p-4
histogram fit/train seq/d2/kernel/histogram 2 30 3 0x1.46e5e40000000p-4 0x1.46e5e40000000p-4
images fit/train seq/d1/bias/image 0 1 3x1x1
images fit/train seq/d1/bias/image 2 1 3x1x1
images fit/train seq/d1/kernel/image 0 1 3x4x1
images fit/train seq/d1/kernel/image 2 1 3x4x1
images fit/train seq/d2/kernel/image 0 1 3x1x1
images fit/train seq/d2/kernel/image 2 1 3x1x1
keras evaluate/train keras seq/in InputLayer
keras evaluate/train keras seq/d1 Dense seq/in
keras evaluate/train keras seq/d2 Dense seq/d1
keras fit/train keras seq/in InputLayer
keras fit/train keras seq/d1 Dense seq/in
keras fit/train keras seq/d2 Dense seq/d1
]],
  sequential_5_1 = [[
tensors evaluate/train keras graph_keras_model 0
tensors evaluate/validation evaluation_loss_vs_iterations scalars 36
tensors evaluate/validation evaluation_mae_vs_iterations scalars 36
tensors fit/train batch_loss scalars 5 10 15 20 25 30 35
tensors fit/train batch_mae scalars 5 10 15 20 25 30 35
tensors fit/train batch_steps_per_second scalars 5 10 15 20 25 30 35
tensors fit/train keras graph_keras_model 0
scalar evaluate/validation evaluation_loss_vs_iterations 36 0x1.4821820000000p-4
scalar evaluate/validation evaluation_mae_vs_iterations 36 0x1.dc0d4a0000000p-3
scalar fit/train batch_loss 5 0x1.8f9b620000000p+4
scalar fit/train batch_loss 10 0x1.916a020000000p+3
scalar fit/train batch_loss 15 0x1.7886380000000p-4
scalar fit/train batch_loss 20 0x1.1300dc0000000p-3
scalar fit/train batch_loss 25 0x1.2858360000000p-3
scalar fit/train batch_loss 30 0x1.8812760000000p-5
scalar fit/train batch_loss 35 0x1.87e77a0000000p-4
scalar fit/train batch_mae 5 0x1.4405880000000p+1
scalar fit/train batch_mae 10 0x1.68401e0000000p+0
scalar fit/train batch_mae 15 0x1.d20f9e0000000p-3
scalar fit/train batch_mae 20 0x1.2cfa380000000p-2
scalar fit/train batch_mae 25 0x1.8412620000000p-2
scalar fit/train batch_mae 30 0x1.73ab660000000p-3
scalar fit/train batch_mae 35 0x1.fa764c0000000p-3
keras evaluate/train keras seq/in InputLayer
keras evaluate/train keras seq/d1 Dense seq/in
keras evaluate/train keras seq/d2 Dense seq/d1
keras fit/train keras seq/in InputLayer
keras fit/train keras seq/d1 Dense seq/in
keras fit/train keras seq/d2 Dense seq/d1
]],
  functional_epoch_1 = [[
tensors evaluate/train keras graph_keras_model 0
tensors evaluate/validation evaluation_loss_vs_iterations scalars 36
tensors evaluate/validation evaluation_mae_vs_iterations scalars 36
tensors fit/train d2/bias/histogram histograms 0 2
tensors fit/train d2/kernel/histogram histograms 0 2
tensors fit/train d2/kernel/image images 0 2
tensors fit/train epoch_learning_rate scalars 0 1 2
tensors fit/train epoch_loss scalars 0 1 2
tensors fit/train epoch_mae scalars 0 1 2
tensors fit/train epoch_steps_per_second scalars 0 1 2
tensors fit/train inner/d1/bias/histogram histograms 0 2
tensors fit/train inner/d1/bias/image images 0 2
tensors fit/train inner/d1/kernel/histogram histograms 0 2
tensors fit/train inner/d1/kernel/image images 0 2
tensors fit/train keras graph_keras_model 0
tensors fit/validation epoch_loss scalars 0 1 2
tensors fit/validation epoch_mae scalars 0 1 2
tensors fit/validation evaluation_loss_vs_iterations scalars 12 24 36
tensors fit/validation evaluation_mae_vs_iterations scalars 12 24 36
scalar evaluate/validation evaluation_loss_vs_iterations 36 0x1.4821820000000p-4
scalar evaluate/validation evaluation_mae_vs_iterations 36 0x1.dc0d4a0000000p-3
scalar fit/train epoch_learning_rate 0 0x1.47ae140000000p-7
scalar fit/train epoch_learning_rate 1 0x1.47ae140000000p-7
scalar fit/train epoch_learning_rate 2 0x1.47ae140000000p-7
scalar fit/train epoch_loss 0 0x1.4f0d000000000p+3
scalar fit/train epoch_loss 1 0x1.adb5aa0000000p-4
scalar fit/train epoch_loss 2 0x1.7221e80000000p-4
scalar fit/train epoch_mae 0 0x1.398e9e0000000p+0
scalar fit/train epoch_mae 1 0x1.0624220000000p-2
scalar fit/train epoch_mae 2 0x1.ee1a400000000p-3
scalar fit/validation epoch_loss 0 0x1.192ce00000000p-3
scalar fit/validation epoch_loss 1 0x1.2ed5a40000000p-4
scalar fit/validation epoch_loss 2 0x1.bc5f180000000p-5
scalar fit/validation epoch_mae 0 0x1.64c5680000000p-2
scalar fit/validation epoch_mae 1 0x1.fb60460000000p-3
scalar fit/validation epoch_mae 2 0x1.a5f7260000000p-3
scalar fit/validation evaluation_loss_vs_iterations 12 0x1.192ce00000000p-3
scalar fit/validation evaluation_loss_vs_iterations 24 0x1.2ed5a40000000p-4
scalar fit/validation evaluation_loss_vs_iterations 36 0x1.bc5f180000000p-5
scalar fit/validation evaluation_mae_vs_iterations 12 0x1.64c5680000000p-2
scalar fit/validation evaluation_mae_vs_iterations 24 0x1.fb60460000000p-3
scalar fit/validation evaluation_mae_vs_iterations 36 0x1.a5f7260000000p-3
histogram fit/train d2/bias/histogram 0 30 1 0x1.0308f80000000p-2 0x1.0308f80000000p-2
histogram fit/train d2/bias/histogram 2 30 1 0x1.3e2c6e0000000p-2 0x1.3e2c6e0000000p-2
histogram fit/train d2/kernel/histogram 0 30 3 0x1.7b24c40000000p-4 0x1.7b24c40000000p-4
histogram fit/train d2/kernel/histogram 2 30 3 0x1.46e5e40000000p-4 0x1.46e5e40000000p-4
histogram fit/train inner/d1/bias/histogram 0 30 3 0x1.d11d2a0000000p-3 0x1.d11d2a0000000p-3
histogram fit/train inner/d1/bias/histogram 2 30 3 0x1.d9ee2a0000000p-3 0x1.d9ee2a0000000p-3
histogram fit/train inner/d1/kernel/histogram 0 30 12 0x1.9083e60000000p-1 0x1.97dbf00000000p-1
histogram fit/train inner/d1/kernel/histogram 2 30 12 0x1.8ff0860000000p-1 0x1.976c320000000p-1
images fit/train d2/kernel/image 0 1 3x1x1
images fit/train d2/kernel/image 2 1 3x1x1
images fit/train inner/d1/bias/image 0 1 3x1x1
images fit/train inner/d1/bias/image 2 1 3x1x1
images fit/train inner/d1/kernel/image 0 1 3x4x1
images fit/train inner/d1/kernel/image 2 1 3x4x1
keras evaluate/train keras fun/in InputLayer
keras evaluate/train keras fun/inner/inner_in InputLayer fun/in
keras evaluate/train keras fun/inner/d1 Dense fun/inner/inner_in
keras evaluate/train keras fun/d2 Dense fun/inner/d1
keras fit/train keras fun/in InputLayer
keras fit/train keras fun/inner/inner_in InputLayer fun/in
keras fit/train keras fun/inner/d1 Dense fun/inner/inner_in
keras fit/train keras fun/d2 Dense fun/inner/d1
]],
  functional_epoch_7 = [[
tensors evaluate/train keras graph_keras_model 0
tensors evaluate/validation evaluation_loss_vs_iterations scalars 36
tensors evaluate/validation evaluation_mae_vs_iterations scalars 36
tensors fit/train d2/bias/histogram histograms 0 2
tensors fit/train d2/kernel/histogram histograms 0 2
tensors fit/train d2/kernel/image images 0 2
tensors fit/train epoch_learning_rate scalars 0 1 2
tensors fit/train epoch_loss scalars 0 1 2
tensors fit/train epoch_mae scalars 0 1 2
tensors fit/train epoch_steps_per_second scalars 0 1 2
tensors fit/train inner/d1/bias/histogram histograms 0 2
tensors fit/train inner/d1/bias/image images 0 2
tensors fit/train inner/d1/kernel/histogram histograms 0 2
tensors fit/train inner/d1/kernel/image images 0 2
tensors fit/train keras graph_keras_model 0
tensors fit/validation epoch_loss scalars 0 1 2
tensors fit/validation epoch_mae scalars 0 1 2
tensors fit/validation evaluation_loss_vs_iterations scalars 12 24 36
tensors fit/validation evaluation_mae_vs_iterations scalars 12 24 36
scalar evaluate/validation evaluation_loss_vs_iterations 36 0x1.4821820000000p-4
scalar evaluate/validation evaluation_mae_vs_iterations 36 0x1.dc0d4a0000000p-3
scalar fit/train epoch_learning_rate 0 0x1.47ae140000000p-7
scalar fit/train epoch_learning_rate 1 0x1.47ae140000000p-7
scalar fit/train epoch_learning_rate 2 0x1.47ae140000000p-7
scalar fit/train epoch_loss 0 0x1.4f0d000000000p+3
scalar fit/train epoch_loss 1 0x1.adb5aa0000000p-4
scalar fit/train epoch_loss 2 0x1.7221e80000000p-4
scalar fit/train epoch_mae 0 0x1.398e9e0000000p+0
scalar fit/train epoch_mae 1 0x1.0624220000000p-2
scalar fit/train epoch_mae 2 0x1.ee1a400000000p-3
scalar fit/validation epoch_loss 0 0x1.192ce00000000p-3
scalar fit/validation epoch_loss 1 0x1.2ed5a40000000p-4
scalar fit/validation epoch_loss 2 0x1.bc5f180000000p-5
scalar fit/validation epoch_mae 0 0x1.64c5680000000p-2
scalar fit/validation epoch_mae 1 0x1.fb60460000000p-3
scalar fit/validation epoch_mae 2 0x1.a5f7260000000p-3
scalar fit/validation evaluation_loss_vs_iterations 12 0x1.192ce00000000p-3
scalar fit/validation evaluation_loss_vs_iterations 24 0x1.2ed5a40000000p-4
scalar fit/validation evaluation_loss_vs_iterations 36 0x1.bc5f180000000p-5
scalar fit/validation evaluation_mae_vs_iterations 12 0x1.64c5680000000p-2
scalar fit/validation evaluation_mae_vs_iterations 24 0x1.fb60460000000p-3
scalar fit/validation evaluation_mae_vs_iterations 36 0x1.a5f7260000000p-3
histogram fit/train d2/bias/histogram 0 30 1 0x1.0308f80000000p-2 0x1.0308f80000000p-2
histogram fit/train d2/bias/histogram 2 30 1 0x1.3e2c6e0000000p-2 0x1.3e2c6e0000000p-2
histogram fit/train d2/kernel/histogram 0 30 3 0x1.7b24c40000000p-4 0x1.7b24c40000000p-4
histogram fit/train d2/kernel/histogram 2 30 3 0x1.46e5e40000000p-4 0x1.46e5e40000000p-4
histogram fit/train inner/d1/bias/histogram 0 30 3 0x1.d11d2a0000000p-3 0x1.d11d2a0000000p-3
histogram fit/train inner/d1/bias/histogram 2 30 3 0x1.d9ee2a0000000p-3 0x1.d9ee2a0000000p-3
histogram fit/train inner/d1/kernel/histogram 0 30 12 0x1.9083e60000000p-1 0x1.97dbf00000000p-1
histogram fit/train inner/d1/kernel/histogram 2 30 12 0x1.8ff0860000000p-1 0x1.976c320000000p-1
images fit/train d2/kernel/image 0 1 3x1x1
images fit/train d2/kernel/image 2 1 3x1x1
images fit/train inner/d1/bias/image 0 1 3x1x1
images fit/train inner/d1/bias/image 2 1 3x1x1
images fit/train inner/d1/kernel/image 0 1 3x4x1
images fit/train inner/d1/kernel/image 2 1 3x4x1
keras evaluate/train keras fun/in InputLayer
keras evaluate/train keras fun/inner/inner_in InputLayer fun/in
keras evaluate/train keras fun/inner/d1 Dense fun/inner/inner_in
keras evaluate/train keras fun/d2 Dense fun/inner/d1
keras fit/train keras fun/in InputLayer
keras fit/train keras fun/inner/inner_in InputLayer fun/in
keras fit/train keras fun/inner/d1 Dense fun/inner/inner_in
keras fit/train keras fun/d2 Dense fun/inner/d1
]],
}
