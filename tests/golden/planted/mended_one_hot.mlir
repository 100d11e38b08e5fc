module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256xbf16> {tf.aliasing_output = 0 : i32}, %arg1: tensor<256x256xbf16> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16384xbf16> {tf.aliasing_output = 2 : i32}, %arg3: tensor<256x16384xbf16> {tf.aliasing_output = 3 : i32}, %arg4: tensor<2048x256xbf16>, %arg5: tensor<2048xi32>) -> (tensor<256xbf16> {jax.result_info = "result[0][0]['b']"}, tensor<256x256xbf16> {jax.result_info = "result[0][0]['w']"}, tensor<16384xbf16> {jax.result_info = "result[0][1]['b']"}, tensor<256x16384xbf16> {jax.result_info = "result[0][1]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = call @_one_hot(%arg5) : (tensor<2048xi32>) -> tensor<2048x16384xf32>
    %1 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x256xbf16>, tensor<256x256xbf16>) -> tensor<2048x256xbf16>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x256xbf16>) -> tensor<2048x256xbf16>
    %4 = stablehlo.add %1, %3 : tensor<2048x256xbf16>
    %5 = call @relu(%4) : (tensor<2048x256xbf16>) -> tensor<2048x256xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2048x256xbf16>
    %7 = stablehlo.compare GT, %4, %6, FLOAT : (tensor<2048x256xbf16>, tensor<2048x256xbf16>) -> tensor<2048x256xi1>
    %8 = stablehlo.dot_general %5, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x256xbf16>, tensor<256x16384xbf16>) -> tensor<2048x16384xbf16>
    %9 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<16384xbf16>) -> tensor<1x16384xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x16384xbf16>) -> tensor<2048x16384xbf16>
    %11 = stablehlo.add %8, %10 : tensor<2048x16384xbf16>
    %12 = stablehlo.convert %11 : (tensor<2048x16384xbf16>) -> tensor<2048x16384xf32>
    %13:3 = call @log_softmax(%12) : (tensor<2048x16384xf32>) -> (tensor<2048x16384xf32>, tensor<2048x16384xf32>, tensor<2048x1xf32>)
    %14 = stablehlo.multiply %0, %13#0 : tensor<2048x16384xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<2048x16384xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<2048xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %17 = stablehlo.divide %16, %cst_2 : tensor<f32>
    %18 = stablehlo.negate %17 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.negate %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_4 : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<2048xf32>) -> tensor<2048x16384xf32>
    %23 = stablehlo.multiply %0, %22 : tensor<2048x16384xf32>
    %24 = call @log_softmax_0(%13#1, %13#2, %23) : (tensor<2048x16384xf32>, tensor<2048x1xf32>, tensor<2048x16384xf32>) -> tensor<2048x16384xf32>
    %25 = stablehlo.convert %24 : (tensor<2048x16384xf32>) -> tensor<2048x16384xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %26 = stablehlo.reduce(%25 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<2048x16384xbf16>, tensor<bf16>) -> tensor<16384xbf16>
    %27 = stablehlo.reshape %26 : (tensor<16384xbf16>) -> tensor<1x16384xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %28 = stablehlo.reduce(%27 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x16384xbf16>, tensor<bf16>) -> tensor<16384xbf16>
    %29 = stablehlo.dot_general %25, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x16384xbf16>, tensor<2048x256xbf16>) -> tensor<16384x256xbf16>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<16384x256xbf16>) -> tensor<256x16384xbf16>
    %31 = stablehlo.dot_general %25, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2048x16384xbf16>, tensor<256x16384xbf16>) -> tensor<2048x256xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2048x256xbf16>
    %33 = stablehlo.select %7, %31, %32 : tensor<2048x256xi1>, tensor<2048x256xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %34 = stablehlo.reduce(%33 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<2048x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    %35 = stablehlo.reshape %34 : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %36 = stablehlo.reduce(%35 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    %37 = stablehlo.dot_general %33, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x256xbf16>, tensor<2048x256xbf16>) -> tensor<256x256xbf16>
    %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %cst_10 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %39 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<256xbf16>
    %40 = stablehlo.multiply %39, %36 : tensor<256xbf16>
    %41 = stablehlo.subtract %arg0, %40 : tensor<256xbf16>
    %cst_11 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<256x256xbf16>
    %43 = stablehlo.multiply %42, %38 : tensor<256x256xbf16>
    %44 = stablehlo.subtract %arg1, %43 : tensor<256x256xbf16>
    %cst_12 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %45 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<16384xbf16>
    %46 = stablehlo.multiply %45, %28 : tensor<16384xbf16>
    %47 = stablehlo.subtract %arg2, %46 : tensor<16384xbf16>
    %cst_13 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %48 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<256x16384xbf16>
    %49 = stablehlo.multiply %48, %30 : tensor<256x16384xbf16>
    %50 = stablehlo.subtract %arg3, %49 : tensor<256x16384xbf16>
    return %41, %44, %47, %50, %18 : tensor<256xbf16>, tensor<256x256xbf16>, tensor<16384xbf16>, tensor<256x16384xbf16>, tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<2048xi32>) -> tensor<2048x16384xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2048xi32>) -> tensor<2048x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x16384xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2048x1xi32>) -> tensor<2048x16384xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x16384xi32>) -> tensor<2048x16384xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2048x16384xi32>, tensor<2048x16384xi32>) -> tensor<2048x16384xi1>
    %5 = stablehlo.convert %4 : (tensor<2048x16384xi1>) -> tensor<2048x16384xf32>
    return %5 : tensor<2048x16384xf32>
  }
  func.func private @relu(%arg0: tensor<2048x256xbf16>) -> tensor<2048x256xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2048x256xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2048x256xbf16>
    return %1 : tensor<2048x256xbf16>
  }
  func.func private @log_softmax(%arg0: tensor<2048x16384xf32>) -> (tensor<2048x16384xf32>, tensor<2048x16384xf32>, tensor<2048x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2048x16384xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2048xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x16384xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2048x16384xf32>
    %6 = stablehlo.exponential %5 : tensor<2048x16384xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2048x16384xf32>, tensor<f32>) -> tensor<2048xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %9 = stablehlo.log %8 : tensor<2048x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x16384xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2048x16384xf32>
    return %11, %6, %8 : tensor<2048x16384xf32>, tensor<2048x16384xf32>, tensor<2048x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<2048x16384xf32>, %arg1: tensor<2048x1xf32>, %arg2: tensor<2048x16384xf32>) -> tensor<2048x16384xf32> {
    %0 = stablehlo.negate %arg2 : tensor<2048x16384xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2048x16384xf32>, tensor<f32>) -> tensor<2048xf32>
    %2 = stablehlo.reshape %1 : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<2048x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<2048x1xf32>, tensor<f32>) -> tensor<2048xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2048xf32>) -> tensor<2048x16384xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<2048x16384xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<2048x16384xf32>
    return %7 : tensor<2048x16384xf32>
  }
}
