module @jit_descend attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256xbf16> {tf.aliasing_output = 0 : i32}, %arg1: tensor<256x256xbf16> {tf.aliasing_output = 1 : i32}, %arg2: tensor<256xbf16> {tf.aliasing_output = 2 : i32}, %arg3: tensor<256x256xbf16> {tf.aliasing_output = 3 : i32}, %arg4: tensor<1024x256xbf16>, %arg5: tensor<1024xi32>) -> (tensor<256xbf16> {jax.result_info = "result[0][0]['b']"}, tensor<256x256xbf16> {jax.result_info = "result[0][0]['w']"}, tensor<256xbf16> {jax.result_info = "result[0][1]['b']"}, tensor<256x256xbf16> {jax.result_info = "result[0][1]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1024x256xbf16>, tensor<256x256xbf16>) -> tensor<1024x256xbf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x256xbf16>) -> tensor<1024x256xbf16>
    %3 = stablehlo.add %0, %2 : tensor<1024x256xbf16>
    %4 = call @relu(%3) : (tensor<1024x256xbf16>) -> tensor<1024x256xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1024x256xbf16>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<1024x256xbf16>, tensor<1024x256xbf16>) -> tensor<1024x256xi1>
    %7 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1024x256xbf16>, tensor<256x256xbf16>) -> tensor<1024x256xbf16>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x256xbf16>) -> tensor<1024x256xbf16>
    %10 = stablehlo.add %7, %9 : tensor<1024x256xbf16>
    %11 = stablehlo.convert %10 : (tensor<1024x256xbf16>) -> tensor<1024x256xf32>
    %12:3 = call @log_softmax(%11) : (tensor<1024x256xf32>) -> (tensor<1024x256xf32>, tensor<1024x256xf32>, tensor<1024x1xf32>)
    %13 = stablehlo.broadcast_in_dim %arg5, dims = [0] : (tensor<1024xi32>) -> tensor<1024x1xi32>
    %14:2 = call @take_along_axis(%12#0, %13) : (tensor<1024x256xf32>, tensor<1024x1xi32>) -> (tensor<1024x1xf32>, tensor<1024x1x1xi32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14#0 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<1024x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %16 = stablehlo.divide %15, %cst_1 : tensor<f32>
    %17 = stablehlo.negate %16 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.negate %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %19 = stablehlo.divide %18, %cst_3 : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f32>) -> tensor<1024x1xf32>
    %21 = call @take_along_axis_0(%14#1, %20) : (tensor<1024x1x1xi32>, tensor<1024x1xf32>) -> tensor<1024x256xf32>
    %22 = call @log_softmax_1(%12#1, %12#2, %21) : (tensor<1024x256xf32>, tensor<1024x1xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %23 = stablehlo.convert %22 : (tensor<1024x256xf32>) -> tensor<1024x256xbf16>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<1024x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    %25 = stablehlo.reshape %24 : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %26 = stablehlo.reduce(%25 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<1x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    %27 = stablehlo.dot_general %23, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1024x256xbf16>, tensor<1024x256xbf16>) -> tensor<256x256xbf16>
    %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %29 = stablehlo.dot_general %23, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1024x256xbf16>, tensor<256x256xbf16>) -> tensor<1024x256xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<1024x256xbf16>
    %31 = stablehlo.select %6, %29, %30 : tensor<1024x256xi1>, tensor<1024x256xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %32 = stablehlo.reduce(%31 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<1024x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    %33 = stablehlo.reshape %32 : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %34 = stablehlo.reduce(%33 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    %35 = stablehlo.dot_general %31, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1024x256xbf16>, tensor<1024x256xbf16>) -> tensor<256x256xbf16>
    %36 = stablehlo.transpose %35, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %cst_9 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<256xbf16>
    %38 = stablehlo.multiply %37, %34 : tensor<256xbf16>
    %39 = stablehlo.subtract %arg0, %38 : tensor<256xbf16>
    %cst_10 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<256x256xbf16>
    %41 = stablehlo.multiply %40, %36 : tensor<256x256xbf16>
    %42 = stablehlo.subtract %arg1, %41 : tensor<256x256xbf16>
    %cst_11 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %43 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<256xbf16>
    %44 = stablehlo.multiply %43, %26 : tensor<256xbf16>
    %45 = stablehlo.subtract %arg2, %44 : tensor<256xbf16>
    %cst_12 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<256x256xbf16>
    %47 = stablehlo.multiply %46, %28 : tensor<256x256xbf16>
    %48 = stablehlo.subtract %arg3, %47 : tensor<256x256xbf16>
    return %39, %42, %45, %48, %17 : tensor<256xbf16>, tensor<256x256xbf16>, tensor<256xbf16>, tensor<256x256xbf16>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<1024x256xbf16>) -> tensor<1024x256xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1024x256xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1024x256xbf16>
    return %1 : tensor<1024x256xbf16>
  }
  func.func private @log_softmax(%arg0: tensor<1024x256xf32>) -> (tensor<1024x256xf32>, tensor<1024x256xf32>, tensor<1024x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<1024x256xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<1024xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x256xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1024x256xf32>
    %6 = stablehlo.exponential %5 : tensor<1024x256xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<1024x256xf32>, tensor<f32>) -> tensor<1024xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %9 = stablehlo.log %8 : tensor<1024x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x256xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<1024x256xf32>
    return %11, %6, %8 : tensor<1024x256xf32>, tensor<1024x256xf32>, tensor<1024x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<1024x256xf32>, %arg1: tensor<1024x1xi32>) -> (tensor<1024x1xf32>, tensor<1024x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1024x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<1024x1xi32>, tensor<1024x1xi32>) -> tensor<1024x1xi1>
    %c_0 = stablehlo.constant dense<256> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1024x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1024x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<1024x1xi1>, tensor<1024x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<1024x1xi32>) -> tensor<1024x1x1xi32>
    %c_1 = stablehlo.constant dense<255> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1024x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<1024x1x1xi32>, tensor<1024x1x1xi32>) -> tensor<1024x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<1024x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<1024x1x1xi32>, tensor<1024x1x1xi32>) -> tensor<1024x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<1024x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<1024x1x1xi1>, tensor<i1>) -> tensor<1024x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<1024x256xf32>, tensor<1024x1x1xi32>) -> tensor<1024x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1024x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<1024x1xi1>, tensor<1024x1xf32>
    return %15, %5 : tensor<1024x1xf32>, tensor<1024x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<1024x1x1xi32>, %arg1: tensor<1024x1xf32>) -> tensor<1024x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1024x256xf32>, tensor<1024x1x1xi32>, tensor<1024x1xf32>) -> tensor<1024x256xf32>
    return %1 : tensor<1024x256xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<1024x256xf32>, %arg1: tensor<1024x1xf32>, %arg2: tensor<1024x256xf32>) -> tensor<1024x256xf32> {
    %0 = stablehlo.negate %arg2 : tensor<1024x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1024x256xf32>, tensor<f32>) -> tensor<1024xf32>
    %2 = stablehlo.reshape %1 : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<1024x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<1024x1xf32>, tensor<f32>) -> tensor<1024xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1024xf32>) -> tensor<1024x256xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<1024x256xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<1024x256xf32>
    return %7 : tensor<1024x256xf32>
  }
}
