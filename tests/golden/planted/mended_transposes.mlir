module @jit_kept attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2048xbf16> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2048x2048xbf16> {tf.aliasing_output = 1 : i32}, %arg2: tensor<2048xbf16> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2048x2048xbf16> {tf.aliasing_output = 3 : i32}, %arg4: tensor<2048x2048xbf16>, %arg5: tensor<2048xi32>) -> (tensor<2048xbf16> {jax.result_info = "result[0][0]['b']"}, tensor<2048x2048xbf16> {jax.result_info = "result[0][0]['w']"}, tensor<2048xbf16> {jax.result_info = "result[0][1]['b']"}, tensor<2048x2048xbf16> {jax.result_info = "result[0][1]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg4 [0:1, 0:2048] : (tensor<2048x2048xbf16>) -> tensor<1x2048xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2048xbf16>) -> tensor<2048xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:3 = stablehlo.while(%iterArg = %arg4, %iterArg_13 = %c, %iterArg_14 = %1) : tensor<2048x2048xbf16>, tensor<i32>, tensor<2048xbf16>
    cond {
      %c_15 = stablehlo.constant dense<16> : tensor<i32>
      %55 = stablehlo.compare LT, %iterArg_13, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %55 : tensor<i1>
    } do {
      %55 = func.call @closed_call(%iterArg, %iterArg_14) : (tensor<2048x2048xbf16>, tensor<2048xbf16>) -> tensor<2048xbf16>
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %56 = stablehlo.add %iterArg_13, %c_15 : tensor<i32>
      stablehlo.return %iterArg, %56, %55 : tensor<2048x2048xbf16>, tensor<i32>, tensor<2048xbf16>
    }
    %3 = stablehlo.broadcast_in_dim %2#2, dims = [1] : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x2048xbf16>) -> tensor<2048x2048xbf16>
    %5 = stablehlo.add %arg4, %4 : tensor<2048x2048xbf16>
    %6 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %7 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x2048xbf16>) -> tensor<2048x2048xbf16>
    %9 = stablehlo.add %6, %8 : tensor<2048x2048xbf16>
    %10 = call @relu(%9) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2048x2048xbf16>
    %12 = stablehlo.compare GT, %9, %11, FLOAT : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xi1>
    %13 = stablehlo.dot_general %10, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %14 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x2048xbf16>) -> tensor<2048x2048xbf16>
    %16 = stablehlo.add %13, %15 : tensor<2048x2048xbf16>
    %17 = stablehlo.convert %16 : (tensor<2048x2048xbf16>) -> tensor<2048x2048xf32>
    %18:3 = call @log_softmax(%17) : (tensor<2048x2048xf32>) -> (tensor<2048x2048xf32>, tensor<2048x2048xf32>, tensor<2048x1xf32>)
    %19 = stablehlo.broadcast_in_dim %arg5, dims = [0] : (tensor<2048xi32>) -> tensor<2048x1xi32>
    %20:2 = call @take_along_axis(%18#0, %19) : (tensor<2048x2048xf32>, tensor<2048x1xi32>) -> (tensor<2048x1xf32>, tensor<2048x1x1xi32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20#0 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<2048x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %22 = stablehlo.divide %21, %cst_1 : tensor<f32>
    %23 = stablehlo.negate %22 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.negate %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %25 = stablehlo.divide %24, %cst_3 : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %27 = call @take_along_axis_0(%20#1, %26) : (tensor<2048x1x1xi32>, tensor<2048x1xf32>) -> tensor<2048x2048xf32>
    %28 = call @log_softmax_1(%18#1, %18#2, %27) : (tensor<2048x2048xf32>, tensor<2048x1xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %29 = stablehlo.convert %28 : (tensor<2048x2048xf32>) -> tensor<2048x2048xbf16>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %30 = stablehlo.reduce(%29 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<2048x2048xbf16>, tensor<bf16>) -> tensor<2048xbf16>
    %31 = stablehlo.reshape %30 : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %32 = stablehlo.reduce(%31 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<1x2048xbf16>, tensor<bf16>) -> tensor<2048xbf16>
    %33 = stablehlo.dot_general %29, %10, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %35 = stablehlo.dot_general %29, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2048x2048xbf16>
    %37 = stablehlo.select %12, %35, %36 : tensor<2048x2048xi1>, tensor<2048x2048xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %38 = stablehlo.reduce(%37 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<2048x2048xbf16>, tensor<bf16>) -> tensor<2048xbf16>
    %39 = stablehlo.reshape %38 : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %40 = stablehlo.reduce(%39 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x2048xbf16>, tensor<bf16>) -> tensor<2048xbf16>
    %41 = stablehlo.dot_general %37, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %42 = stablehlo.transpose %41, dims = [1, 0] : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %cst_9 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2048xbf16>
    %44 = stablehlo.multiply %43, %40 : tensor<2048xbf16>
    %45 = stablehlo.subtract %arg0, %44 : tensor<2048xbf16>
    %cst_10 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<2048x2048xbf16>
    %47 = stablehlo.multiply %46, %42 : tensor<2048x2048xbf16>
    %48 = stablehlo.subtract %arg1, %47 : tensor<2048x2048xbf16>
    %cst_11 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2048xbf16>
    %50 = stablehlo.multiply %49, %32 : tensor<2048xbf16>
    %51 = stablehlo.subtract %arg2, %50 : tensor<2048xbf16>
    %cst_12 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %52 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<2048x2048xbf16>
    %53 = stablehlo.multiply %52, %34 : tensor<2048x2048xbf16>
    %54 = stablehlo.subtract %arg3, %53 : tensor<2048x2048xbf16>
    return %45, %48, %51, %54, %23 : tensor<2048xbf16>, tensor<2048x2048xbf16>, tensor<2048xbf16>, tensor<2048x2048xbf16>, tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<2048x2048xbf16>, %arg1: tensor<2048xbf16>) -> tensor<2048xbf16> {
    %0 = stablehlo.slice %arg0 [0:1, 0:2048] : (tensor<2048x2048xbf16>) -> tensor<1x2048xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2048xbf16>) -> tensor<2048xbf16>
    %2 = stablehlo.add %arg1, %1 : tensor<2048xbf16>
    return %2 : tensor<2048xbf16>
  }
  func.func private @relu(%arg0: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2048x2048xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2048x2048xbf16>
    return %1 : tensor<2048x2048xbf16>
  }
  func.func private @log_softmax(%arg0: tensor<2048x2048xf32>) -> (tensor<2048x2048xf32>, tensor<2048x2048xf32>, tensor<2048x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2048xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x2048xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2048x2048xf32>
    %6 = stablehlo.exponential %5 : tensor<2048x2048xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %9 = stablehlo.log %8 : tensor<2048x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x2048xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2048x2048xf32>
    return %11, %6, %8 : tensor<2048x2048xf32>, tensor<2048x2048xf32>, tensor<2048x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2048x2048xf32>, %arg1: tensor<2048x1xi32>) -> (tensor<2048x1xf32>, tensor<2048x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2048x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2048x1xi32>, tensor<2048x1xi32>) -> tensor<2048x1xi1>
    %c_0 = stablehlo.constant dense<2048> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2048x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2048x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2048x1xi1>, tensor<2048x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<2048x1xi32>) -> tensor<2048x1x1xi32>
    %c_1 = stablehlo.constant dense<2047> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2048x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2048x1x1xi32>, tensor<2048x1x1xi32>) -> tensor<2048x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2048x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2048x1x1xi32>, tensor<2048x1x1xi32>) -> tensor<2048x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2048x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2048x1x1xi1>, tensor<i1>) -> tensor<2048x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2048x2048xf32>, tensor<2048x1x1xi32>) -> tensor<2048x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<2048x1xi1>, tensor<2048x1xf32>
    return %15, %5 : tensor<2048x1xf32>, tensor<2048x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<2048x1x1xi32>, %arg1: tensor<2048x1xf32>) -> tensor<2048x2048xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2048x2048xf32>, tensor<2048x1x1xi32>, tensor<2048x1xf32>) -> tensor<2048x2048xf32>
    return %1 : tensor<2048x2048xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<2048x2048xf32>, %arg1: tensor<2048x1xf32>, %arg2: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %0 = stablehlo.negate %arg2 : tensor<2048x2048xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %2 = stablehlo.reshape %1 : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<2048x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<2048x1xf32>, tensor<f32>) -> tensor<2048xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2048xf32>) -> tensor<2048x2048xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<2048x2048xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<2048x2048xf32>
    return %7 : tensor<2048x2048xf32>
  }
}
