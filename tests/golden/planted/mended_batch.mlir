module @jit_descend attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2048xbf16> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1024x2048xbf16> {tf.aliasing_output = 1 : i32}, %arg2: tensor<2048xbf16> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2048x2048xbf16> {tf.aliasing_output = 3 : i32}, %arg4: tensor<1024xbf16> {tf.aliasing_output = 4 : i32}, %arg5: tensor<2048x1024xbf16> {tf.aliasing_output = 5 : i32}, %arg6: tensor<1152x1024xbf16>, %arg7: tensor<1152xi32>) -> (tensor<2048xbf16> {jax.result_info = "result[0][0]['b']"}, tensor<1024x2048xbf16> {jax.result_info = "result[0][0]['w']"}, tensor<2048xbf16> {jax.result_info = "result[0][1]['b']"}, tensor<2048x2048xbf16> {jax.result_info = "result[0][1]['w']"}, tensor<1024xbf16> {jax.result_info = "result[0][2]['b']"}, tensor<2048x1024xbf16> {jax.result_info = "result[0][2]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg6, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1152x1024xbf16>, tensor<1024x2048xbf16>) -> tensor<1152x2048xbf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x2048xbf16>) -> tensor<1152x2048xbf16>
    %3 = stablehlo.add %0, %2 : tensor<1152x2048xbf16>
    %4 = call @relu(%3) : (tensor<1152x2048xbf16>) -> tensor<1152x2048xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1152x2048xbf16>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<1152x2048xbf16>, tensor<1152x2048xbf16>) -> tensor<1152x2048xi1>
    %7 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1152x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<1152x2048xbf16>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x2048xbf16>) -> tensor<1152x2048xbf16>
    %10 = stablehlo.add %7, %9 : tensor<1152x2048xbf16>
    %11 = call @relu(%10) : (tensor<1152x2048xbf16>) -> tensor<1152x2048xbf16>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<1152x2048xbf16>
    %13 = stablehlo.compare GT, %10, %12, FLOAT : (tensor<1152x2048xbf16>, tensor<1152x2048xbf16>) -> tensor<1152x2048xi1>
    %14 = stablehlo.dot_general %11, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1152x2048xbf16>, tensor<2048x1024xbf16>) -> tensor<1152x1024xbf16>
    %15 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<1024xbf16>) -> tensor<1x1024xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x1024xbf16>) -> tensor<1152x1024xbf16>
    %17 = stablehlo.add %14, %16 : tensor<1152x1024xbf16>
    %18 = stablehlo.convert %17 : (tensor<1152x1024xbf16>) -> tensor<1152x1024xf32>
    %19:3 = call @log_softmax(%18) : (tensor<1152x1024xf32>) -> (tensor<1152x1024xf32>, tensor<1152x1024xf32>, tensor<1152x1xf32>)
    %20 = stablehlo.broadcast_in_dim %arg7, dims = [0] : (tensor<1152xi32>) -> tensor<1152x1xi32>
    %21:2 = call @take_along_axis(%19#0, %20) : (tensor<1152x1024xf32>, tensor<1152x1xi32>) -> (tensor<1152x1xf32>, tensor<1152x1x1xi32>)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21#0 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<1152x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.152000e+03> : tensor<f32>
    %23 = stablehlo.divide %22, %cst_2 : tensor<f32>
    %24 = stablehlo.negate %23 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.negate %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.152000e+03> : tensor<f32>
    %26 = stablehlo.divide %25, %cst_4 : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<f32>) -> tensor<1152x1xf32>
    %28 = call @take_along_axis_0(%21#1, %27) : (tensor<1152x1x1xi32>, tensor<1152x1xf32>) -> tensor<1152x1024xf32>
    %29 = call @log_softmax_1(%19#1, %19#2, %28) : (tensor<1152x1024xf32>, tensor<1152x1xf32>, tensor<1152x1024xf32>) -> tensor<1152x1024xf32>
    %30 = stablehlo.convert %29 : (tensor<1152x1024xf32>) -> tensor<1152x1024xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %31 = stablehlo.reduce(%30 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<1152x1024xbf16>, tensor<bf16>) -> tensor<1024xbf16>
    %32 = stablehlo.reshape %31 : (tensor<1024xbf16>) -> tensor<1x1024xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %33 = stablehlo.reduce(%32 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x1024xbf16>, tensor<bf16>) -> tensor<1024xbf16>
    %34 = stablehlo.dot_general %30, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1152x1024xbf16>, tensor<1152x2048xbf16>) -> tensor<1024x2048xbf16>
    %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<1024x2048xbf16>) -> tensor<2048x1024xbf16>
    %36 = stablehlo.dot_general %30, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1152x1024xbf16>, tensor<2048x1024xbf16>) -> tensor<1152x2048xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<1152x2048xbf16>
    %38 = stablehlo.select %13, %36, %37 : tensor<1152x2048xi1>, tensor<1152x2048xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %39 = stablehlo.reduce(%38 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1152x2048xbf16>, tensor<bf16>) -> tensor<2048xbf16>
    %40 = stablehlo.reshape %39 : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %41 = stablehlo.reduce(%40 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x2048xbf16>, tensor<bf16>) -> tensor<2048xbf16>
    %42 = stablehlo.dot_general %38, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1152x2048xbf16>, tensor<1152x2048xbf16>) -> tensor<2048x2048xbf16>
    %43 = stablehlo.transpose %42, dims = [1, 0] : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %44 = stablehlo.dot_general %38, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1152x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<1152x2048xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<1152x2048xbf16>
    %46 = stablehlo.select %6, %44, %45 : tensor<1152x2048xi1>, tensor<1152x2048xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %47 = stablehlo.reduce(%46 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<1152x2048xbf16>, tensor<bf16>) -> tensor<2048xbf16>
    %48 = stablehlo.reshape %47 : (tensor<2048xbf16>) -> tensor<1x2048xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %49 = stablehlo.reduce(%48 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<1x2048xbf16>, tensor<bf16>) -> tensor<2048xbf16>
    %50 = stablehlo.dot_general %46, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1152x2048xbf16>, tensor<1152x1024xbf16>) -> tensor<2048x1024xbf16>
    %51 = stablehlo.transpose %50, dims = [1, 0] : (tensor<2048x1024xbf16>) -> tensor<1024x2048xbf16>
    %cst_13 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %52 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<2048xbf16>
    %53 = stablehlo.multiply %52, %49 : tensor<2048xbf16>
    %54 = stablehlo.subtract %arg0, %53 : tensor<2048xbf16>
    %cst_14 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %55 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<1024x2048xbf16>
    %56 = stablehlo.multiply %55, %51 : tensor<1024x2048xbf16>
    %57 = stablehlo.subtract %arg1, %56 : tensor<1024x2048xbf16>
    %cst_15 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %58 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<2048xbf16>
    %59 = stablehlo.multiply %58, %41 : tensor<2048xbf16>
    %60 = stablehlo.subtract %arg2, %59 : tensor<2048xbf16>
    %cst_16 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %61 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<2048x2048xbf16>
    %62 = stablehlo.multiply %61, %43 : tensor<2048x2048xbf16>
    %63 = stablehlo.subtract %arg3, %62 : tensor<2048x2048xbf16>
    %cst_17 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %64 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<1024xbf16>
    %65 = stablehlo.multiply %64, %33 : tensor<1024xbf16>
    %66 = stablehlo.subtract %arg4, %65 : tensor<1024xbf16>
    %cst_18 = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
    %67 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<bf16>) -> tensor<2048x1024xbf16>
    %68 = stablehlo.multiply %67, %35 : tensor<2048x1024xbf16>
    %69 = stablehlo.subtract %arg5, %68 : tensor<2048x1024xbf16>
    return %54, %57, %60, %63, %66, %69, %24 : tensor<2048xbf16>, tensor<1024x2048xbf16>, tensor<2048xbf16>, tensor<2048x2048xbf16>, tensor<1024xbf16>, tensor<2048x1024xbf16>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<1152x2048xbf16>) -> tensor<1152x2048xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1152x2048xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1152x2048xbf16>
    return %1 : tensor<1152x2048xbf16>
  }
  func.func private @log_softmax(%arg0: tensor<1152x1024xf32>) -> (tensor<1152x1024xf32>, tensor<1152x1024xf32>, tensor<1152x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<1152x1024xf32>, tensor<f32>) -> tensor<1152xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1152xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<1152xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1152xf32>) -> tensor<1152x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1152x1xf32>) -> tensor<1152x1024xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1152x1024xf32>
    %6 = stablehlo.exponential %5 : tensor<1152x1024xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<1152x1024xf32>, tensor<f32>) -> tensor<1152xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1152xf32>) -> tensor<1152x1xf32>
    %9 = stablehlo.log %8 : tensor<1152x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1152x1xf32>) -> tensor<1152x1024xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<1152x1024xf32>
    return %11, %6, %8 : tensor<1152x1024xf32>, tensor<1152x1024xf32>, tensor<1152x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<1152x1024xf32>, %arg1: tensor<1152x1xi32>) -> (tensor<1152x1xf32>, tensor<1152x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1152x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<1152x1xi32>, tensor<1152x1xi32>) -> tensor<1152x1xi1>
    %c_0 = stablehlo.constant dense<1024> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1152x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1152x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<1152x1xi1>, tensor<1152x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<1152x1xi32>) -> tensor<1152x1x1xi32>
    %c_1 = stablehlo.constant dense<1023> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1152x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<1152x1x1xi32>, tensor<1152x1x1xi32>) -> tensor<1152x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<1152x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<1152x1x1xi32>, tensor<1152x1x1xi32>) -> tensor<1152x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<1152x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<1152x1x1xi1>, tensor<i1>) -> tensor<1152x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<1152x1024xf32>, tensor<1152x1x1xi32>) -> tensor<1152x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1152x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<1152x1xi1>, tensor<1152x1xf32>
    return %15, %5 : tensor<1152x1xf32>, tensor<1152x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<1152x1x1xi32>, %arg1: tensor<1152x1xf32>) -> tensor<1152x1024xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1152x1024xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1152x1024xf32>, tensor<1152x1x1xi32>, tensor<1152x1xf32>) -> tensor<1152x1024xf32>
    return %1 : tensor<1152x1024xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<1152x1024xf32>, %arg1: tensor<1152x1xf32>, %arg2: tensor<1152x1024xf32>) -> tensor<1152x1024xf32> {
    %0 = stablehlo.negate %arg2 : tensor<1152x1024xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1152x1024xf32>, tensor<f32>) -> tensor<1152xf32>
    %2 = stablehlo.reshape %1 : (tensor<1152xf32>) -> tensor<1152x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<1152x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<1152x1xf32>, tensor<f32>) -> tensor<1152xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1152xf32>) -> tensor<1152x1024xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<1152x1024xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<1152x1024xf32>
    return %7 : tensor<1152x1024xf32>
  }
}
