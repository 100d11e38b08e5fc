module @jit_descend_by_rows attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256xbf16> {tf.aliasing_output = 0 : i32}, %arg1: tensor<256x256xbf16> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16384xbf16> {tf.aliasing_output = 2 : i32}, %arg3: tensor<256x16384xbf16> {tf.aliasing_output = 3 : i32}, %arg4: tensor<2048x256xbf16>, %arg5: tensor<2048x16384xf32>) -> (tensor<256xbf16> {jax.result_info = "result[0][0]['b']"}, tensor<256x256xbf16> {jax.result_info = "result[0][0]['w']"}, tensor<16384xbf16> {jax.result_info = "result[0][1]['b']"}, tensor<256x16384xbf16> {jax.result_info = "result[0][1]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x256xbf16>, tensor<256x256xbf16>) -> tensor<2048x256xbf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x256xbf16>) -> tensor<2048x256xbf16>
    %3 = stablehlo.add %0, %2 : tensor<2048x256xbf16>
    %4 = call @relu(%3) : (tensor<2048x256xbf16>) -> tensor<2048x256xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2048x256xbf16>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<2048x256xbf16>, tensor<2048x256xbf16>) -> tensor<2048x256xi1>
    %7 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x256xbf16>, tensor<256x16384xbf16>) -> tensor<2048x16384xbf16>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<16384xbf16>) -> tensor<1x16384xbf16>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x16384xbf16>) -> tensor<2048x16384xbf16>
    %10 = stablehlo.add %7, %9 : tensor<2048x16384xbf16>
    %11 = stablehlo.convert %10 : (tensor<2048x16384xbf16>) -> tensor<2048x16384xf32>
    %12:3 = call @log_softmax(%11) : (tensor<2048x16384xf32>) -> (tensor<2048x16384xf32>, tensor<2048x16384xf32>, tensor<2048x1xf32>)
    %13 = stablehlo.multiply %arg5, %12#0 : tensor<2048x16384xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<2048x16384xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<2048xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %16 = stablehlo.divide %15, %cst_2 : tensor<f32>
    %17 = stablehlo.negate %16 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.negate %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %19 = stablehlo.divide %18, %cst_4 : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<2048xf32>) -> tensor<2048x16384xf32>
    %22 = stablehlo.multiply %arg5, %21 : tensor<2048x16384xf32>
    %23 = call @log_softmax_0(%12#1, %12#2, %22) : (tensor<2048x16384xf32>, tensor<2048x1xf32>, tensor<2048x16384xf32>) -> tensor<2048x16384xf32>
    %24 = stablehlo.convert %23 : (tensor<2048x16384xf32>) -> tensor<2048x16384xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %25 = stablehlo.reduce(%24 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<2048x16384xbf16>, tensor<bf16>) -> tensor<16384xbf16>
    %26 = stablehlo.reshape %25 : (tensor<16384xbf16>) -> tensor<1x16384xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %27 = stablehlo.reduce(%26 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x16384xbf16>, tensor<bf16>) -> tensor<16384xbf16>
    %28 = stablehlo.dot_general %24, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x16384xbf16>, tensor<2048x256xbf16>) -> tensor<16384x256xbf16>
    %29 = stablehlo.transpose %28, dims = [1, 0] : (tensor<16384x256xbf16>) -> tensor<256x16384xbf16>
    %30 = stablehlo.dot_general %24, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2048x16384xbf16>, tensor<256x16384xbf16>) -> tensor<2048x256xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2048x256xbf16>
    %32 = stablehlo.select %6, %30, %31 : tensor<2048x256xi1>, tensor<2048x256xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %33 = stablehlo.reduce(%32 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<2048x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    %34 = stablehlo.reshape %33 : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    %36 = stablehlo.dot_general %32, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x256xbf16>, tensor<2048x256xbf16>) -> tensor<256x256xbf16>
    %37 = stablehlo.transpose %36, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %cst_10 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %38 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<256xbf16>
    %39 = stablehlo.multiply %38, %35 : tensor<256xbf16>
    %40 = stablehlo.subtract %arg0, %39 : tensor<256xbf16>
    %cst_11 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<256x256xbf16>
    %42 = stablehlo.multiply %41, %37 : tensor<256x256xbf16>
    %43 = stablehlo.subtract %arg1, %42 : tensor<256x256xbf16>
    %cst_12 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %44 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<16384xbf16>
    %45 = stablehlo.multiply %44, %27 : tensor<16384xbf16>
    %46 = stablehlo.subtract %arg2, %45 : tensor<16384xbf16>
    %cst_13 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %47 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<256x16384xbf16>
    %48 = stablehlo.multiply %47, %29 : tensor<256x16384xbf16>
    %49 = stablehlo.subtract %arg3, %48 : tensor<256x16384xbf16>
    return %40, %43, %46, %49, %17 : tensor<256xbf16>, tensor<256x256xbf16>, tensor<16384xbf16>, tensor<256x16384xbf16>, tensor<f32>
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
