module @jit_orders attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<3xi32>) -> (tensor<4x5xi32> {jax.result_info = "result[0]"}, tensor<4xi32> {jax.result_info = "result[1]"}, tensor<5xi32> {jax.result_info = "result[2]"}, tensor<4x2xf32> {jax.result_info = "result[3]"}, tensor<4x2xi32> {jax.result_info = "result[4]"}, tensor<4x5xf32> {jax.result_info = "result[5]"}, tensor<4x5xf32> {jax.result_info = "result[6]"}, tensor<3x5xf32> {jax.result_info = "result[7]"}, tensor<4x3xf32> {jax.result_info = "result[8]"}, tensor<4x5xf32> {jax.result_info = "result[9]"}, tensor<4x3xf32> {jax.result_info = "result[10]"}, tensor<4x5xf32> {jax.result_info = "result[11]"}, tensor<4xf32> {jax.result_info = "result[12]"}, tensor<5xi1> {jax.result_info = "result[13]"}, tensor<f32> {jax.result_info = "result[14]"}, tensor<5xf32> {jax.result_info = "result[15]"}) {
%values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x5xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
%0 = call @argsort(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xi32>
%1 = call @argmax(%arg0) : (tensor<4x5xf32>) -> tensor<4xi32>
%2 = call @argmin(%arg0) : (tensor<4x5xf32>) -> tensor<5xi32>
%3 = call @cumsum(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
%4 = call @cumsum_1(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
%c = stablehlo.constant dense<0> : tensor<i32>
%5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
%6 = stablehlo.compare LT, %arg1, %5, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
%c_0 = stablehlo.constant dense<4> : tensor<i32>
%7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
%8 = stablehlo.add %arg1, %7 : tensor<3xi32>
%9 = stablehlo.select %6, %8, %arg1 : tensor<3xi1>, tensor<3xi32>
%10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
%11 = "stablehlo.gather"(%arg0, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
%c_1 = stablehlo.constant dense<0> : tensor<i32>
%12 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
%13 = stablehlo.compare LT, %arg1, %12, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
%c_2 = stablehlo.constant dense<5> : tensor<i32>
%14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
%15 = stablehlo.add %arg1, %14 : tensor<3xi32>
%16 = stablehlo.select %13, %15, %arg1 : tensor<3xi1>, tensor<3xi32>
%17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
%18 = "stablehlo.gather"(%arg0, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<4x3xf32>
%c_3 = stablehlo.constant dense<2> : tensor<i32>
%19 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<3xi32>
%20 = stablehlo.add %arg1, %19 : tensor<3xi32>
%c_4 = stablehlo.constant dense<0> : tensor<i32>
%21 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
%22 = stablehlo.compare LT, %20, %21, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
%c_5 = stablehlo.constant dense<4> : tensor<i32>
%23 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<3xi32>
%24 = stablehlo.add %20, %23 : tensor<3xi32>
%25 = stablehlo.select %22, %24, %20 : tensor<3xi1>, tensor<3xi32>
%26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
%cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
%27 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
%28 = "stablehlo.scatter"(%arg0, %26, %27) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
%46 = stablehlo.add %arg2, %arg3 : tensor<f32>
stablehlo.return %46 : tensor<f32>
}) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
%c_6 = stablehlo.constant dense<3> : tensor<i32>
%29 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
%30 = stablehlo.add %arg1, %29 : tensor<3xi32>
%31 = call @_take(%arg0, %30) : (tensor<4x5xf32>, tensor<3xi32>) -> tensor<4x3xf32>
%c_7 = stablehlo.constant dense<0> : tensor<i32>
%32 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<3xi32>
%33 = stablehlo.compare LT, %arg1, %32, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
%c_8 = stablehlo.constant dense<5> : tensor<i32>
%34 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<3xi32>
%35 = stablehlo.add %arg1, %34 : tensor<3xi32>
%36 = stablehlo.select %33, %35, %arg1 : tensor<3xi1>, tensor<3xi32>
%37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
%cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
%38 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
%39 = "stablehlo.scatter"(%arg0, %37, %38) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
stablehlo.return %arg3 : tensor<f32>
}) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<4x3xf32>) -> tensor<4x5xf32>
%cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
%40 = stablehlo.reduce(%arg0 init: %cst_10) across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
%46 = stablehlo.multiply %arg2, %arg3 : tensor<f32>
%47 = stablehlo.add %46, %arg2 : tensor<f32>
stablehlo.return %47 : tensor<f32>
}
%cst_11 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
%41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
%42 = stablehlo.compare GT, %arg0, %41, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
%c_12 = stablehlo.constant dense<false> : tensor<i1>
%43 = stablehlo.reduce(%42 init: %c_12) applies stablehlo.or across dimensions = [0] : (tensor<4x5xi1>, tensor<i1>) -> tensor<5xi1>
%cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%44 = stablehlo.reduce(%arg0 init: %cst_13) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
%cst_14 = stablehlo.constant dense<0x7F800000> : tensor<f32>
%45 = stablehlo.reduce(%arg0 init: %cst_14) applies stablehlo.minimum across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
return %0, %1, %2, %values, %indices, %3, %4, %11, %18, %28, %31, %39, %40, %43, %44, %45 : tensor<4x5xi32>, tensor<4xi32>, tensor<5xi32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<3x5xf32>, tensor<4x3xf32>, tensor<4x5xf32>, tensor<4x3xf32>, tensor<4x5xf32>, tensor<4xf32>, tensor<5xi1>, tensor<f32>, tensor<5xf32>
}
func.func private @argsort(%arg0: tensor<4x5xf32>) -> tensor<4x5xi32> {
%0 = stablehlo.iota dim = 0 : tensor<4x5xi32>
%1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
%4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
%5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
%cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
%8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
%9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
%10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
stablehlo.return %10 : tensor<i1>
}) : (tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
return %1#1 : tensor<4x5xi32>
}
func.func private @argmax(%arg0: tensor<4x5xf32>) -> tensor<4xi32> {
%0 = stablehlo.iota dim = 1 : tensor<4x5xi32>
%cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
%c = stablehlo.constant dense<0> : tensor<i32>
%1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
%2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%4 = stablehlo.or %2, %3 : tensor<i1>
%5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%7 = stablehlo.and %5, %6 : tensor<i1>
%8 = stablehlo.or %4, %7 : tensor<i1>
%9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
%10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
}
return %1#1 : tensor<4xi32>
}
func.func private @argmin(%arg0: tensor<4x5xf32>) -> tensor<5xi32> {
%0 = stablehlo.iota dim = 0 : tensor<4x5xi32>
%cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
%c = stablehlo.constant dense<0> : tensor<i32>
%1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
%2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%4 = stablehlo.or %2, %3 : tensor<i1>
%5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%7 = stablehlo.and %5, %6 : tensor<i1>
%8 = stablehlo.or %4, %7 : tensor<i1>
%9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
%10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
}
return %1#1 : tensor<5xi32>
}
func.func private @cumsum(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
%0 = call @cumsum_0(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
return %0 : tensor<4x5xf32>
}
func.func private @cumsum_0(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
%1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
%2 = stablehlo.add %arg1, %arg2 : tensor<f32>
stablehlo.return %2 : tensor<f32>
}) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
return %1 : tensor<4x5xf32>
}
func.func private @cumsum_1(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
%1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 4]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
%2 = stablehlo.add %arg1, %arg2 : tensor<f32>
stablehlo.return %2 : tensor<f32>
}) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
return %1 : tensor<4x5xf32>
}
func.func private @_take(%arg0: tensor<4x5xf32>, %arg1: tensor<3xi32>) -> tensor<4x3xf32> {
%0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
%1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<4x3xf32>
return %1 : tensor<4x3xf32>
}
}
