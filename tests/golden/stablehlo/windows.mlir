module @jit_windows attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x5x6xf32>, %arg3: tensor<2xi32>, %arg4: tensor<1xi32>) -> (tensor<3x4x5x6xf32> {jax.result_info = "result[0]"}, tensor<3x4x5x6xf32> {jax.result_info = "result[1]"}, tensor<3x4x5x6xf32> {jax.result_info = "result[2]"}, tensor<3x4x5x6xf32> {jax.result_info = "result[3]"}, tensor<3x4x5x6xf32> {jax.result_info = "result[4]"}, tensor<3x4x5x6xf32> {jax.result_info = "result[5]"}, tensor<3x4x5x6xf32> {jax.result_info = "result[6]"}) {
%0 = stablehlo.slice %arg3 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
%1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
%2 = stablehlo.slice %arg3 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
%3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
%4 = stablehlo.reshape %arg4 : (tensor<1xi32>) -> tensor<i32>
%c = stablehlo.constant dense<5> : tensor<i32>
%5 = stablehlo.add %4, %c : tensor<i32>
%c_0 = stablehlo.constant dense<0> : tensor<i32>
%6 = stablehlo.compare LT, %3, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_1 = stablehlo.constant dense<5> : tensor<i32>
%7 = stablehlo.add %3, %c_1 : tensor<i32>
%8 = stablehlo.select %6, %7, %3 : tensor<i1>, tensor<i32>
%c_2 = stablehlo.constant dense<1> : tensor<i32>
%9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
%10 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<i32>) -> tensor<1xi32>
%11 = stablehlo.concatenate %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
%12 = "stablehlo.scatter"(%arg0, %11, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [0, 2]>, unique_indices = true}> ({
^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
stablehlo.return %arg6 : tensor<f32>
}) : (tensor<3x4x5x6xf32>, tensor<2xi32>, tensor<4x6xf32>) -> tensor<3x4x5x6xf32>
%c_3 = stablehlo.constant dense<0> : tensor<i32>
%13 = stablehlo.compare LT, %1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_4 = stablehlo.constant dense<3> : tensor<i32>
%14 = stablehlo.add %1, %c_4 : tensor<i32>
%15 = stablehlo.select %13, %14, %1 : tensor<i1>, tensor<i32>
%c_5 = stablehlo.constant dense<0> : tensor<i32>
%16 = stablehlo.compare LT, %3, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_6 = stablehlo.constant dense<5> : tensor<i32>
%17 = stablehlo.add %3, %c_6 : tensor<i32>
%18 = stablehlo.select %16, %17, %3 : tensor<i1>, tensor<i32>
%19 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<i32>) -> tensor<1xi32>
%20 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<i32>) -> tensor<1xi32>
%21 = stablehlo.concatenate %19, %20, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
%22 = "stablehlo.scatter"(%arg0, %21, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [0, 2]>, unique_indices = true}> ({
^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
stablehlo.return %arg6 : tensor<f32>
}) : (tensor<3x4x5x6xf32>, tensor<2xi32>, tensor<4x6xf32>) -> tensor<3x4x5x6xf32>
%c_7 = stablehlo.constant dense<0> : tensor<i32>
%23 = stablehlo.compare LT, %1, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_8 = stablehlo.constant dense<3> : tensor<i32>
%24 = stablehlo.add %1, %c_8 : tensor<i32>
%25 = stablehlo.select %23, %24, %1 : tensor<i1>, tensor<i32>
%c_9 = stablehlo.constant dense<0> : tensor<i32>
%26 = stablehlo.compare LT, %5, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_10 = stablehlo.constant dense<5> : tensor<i32>
%27 = stablehlo.add %5, %c_10 : tensor<i32>
%28 = stablehlo.select %26, %27, %5 : tensor<i1>, tensor<i32>
%29 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<i32>) -> tensor<1xi32>
%30 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<i32>) -> tensor<1xi32>
%31 = stablehlo.concatenate %29, %30, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
%32 = "stablehlo.scatter"(%arg0, %31, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [0, 2]>, unique_indices = true}> ({
^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
stablehlo.return %arg6 : tensor<f32>
}) : (tensor<3x4x5x6xf32>, tensor<2xi32>, tensor<4x6xf32>) -> tensor<3x4x5x6xf32>
%c_11 = stablehlo.constant dense<0> : tensor<i32>
%33 = stablehlo.compare LT, %3, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_12 = stablehlo.constant dense<5> : tensor<i32>
%34 = stablehlo.add %3, %c_12 : tensor<i32>
%35 = stablehlo.select %33, %34, %3 : tensor<i1>, tensor<i32>
%36 = stablehlo.broadcast_in_dim %35, dims = [] : (tensor<i32>) -> tensor<1xi32>
%cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
%37 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
%38 = "stablehlo.scatter"(%arg0, %36, %37) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2]>, unique_indices = true}> ({
^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
stablehlo.return %arg6 : tensor<f32>
}) : (tensor<3x4x5x6xf32>, tensor<1xi32>, tensor<3x4x6xf32>) -> tensor<3x4x5x6xf32>
%c_13 = stablehlo.constant dense<0> : tensor<i32>
%39 = stablehlo.compare LT, %5, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_14 = stablehlo.constant dense<5> : tensor<i32>
%40 = stablehlo.add %5, %c_14 : tensor<i32>
%41 = stablehlo.select %39, %40, %5 : tensor<i1>, tensor<i32>
%42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<i32>) -> tensor<1xi32>
%cst_15 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
%43 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
%44 = "stablehlo.scatter"(%arg0, %42, %43) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2]>, unique_indices = true}> ({
^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
stablehlo.return %arg6 : tensor<f32>
}) : (tensor<3x4x5x6xf32>, tensor<1xi32>, tensor<3x4x6xf32>) -> tensor<3x4x5x6xf32>
%c_16 = stablehlo.constant dense<0> : tensor<i32>
%45 = stablehlo.compare LT, %1, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_17 = stablehlo.constant dense<3> : tensor<i32>
%46 = stablehlo.add %1, %c_17 : tensor<i32>
%47 = stablehlo.select %45, %46, %1 : tensor<i1>, tensor<i32>
%48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<i32>) -> tensor<1xi32>
%49 = "stablehlo.scatter"(%arg0, %48, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
stablehlo.return %arg6 : tensor<f32>
}) : (tensor<3x4x5x6xf32>, tensor<1xi32>, tensor<4x5x6xf32>) -> tensor<3x4x5x6xf32>
%c_18 = stablehlo.constant dense<0> : tensor<i32>
%c_19 = stablehlo.constant dense<0> : tensor<i32>
%50:4 = stablehlo.while(%iterArg = %arg1, %iterArg_20 = %c_19, %iterArg_21 = %c_18, %iterArg_22 = %arg0) : tensor<4x6xf32>, tensor<i32>, tensor<i32>, tensor<3x4x5x6xf32>
cond {
%c_23 = stablehlo.constant dense<7> : tensor<i32>
%51 = stablehlo.compare LT, %iterArg_20, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
stablehlo.return %51 : tensor<i1>
} do {
%51:2 = func.call @closed_call(%iterArg, %iterArg_21, %iterArg_22) : (tensor<4x6xf32>, tensor<i32>, tensor<3x4x5x6xf32>) -> (tensor<i32>, tensor<3x4x5x6xf32>)
%c_23 = stablehlo.constant dense<1> : tensor<i32>
%52 = stablehlo.add %iterArg_20, %c_23 : tensor<i32>
stablehlo.return %iterArg, %52, %51#0, %51#1 : tensor<4x6xf32>, tensor<i32>, tensor<i32>, tensor<3x4x5x6xf32>
}
return %12, %22, %32, %38, %44, %49, %50#3 : tensor<3x4x5x6xf32>, tensor<3x4x5x6xf32>, tensor<3x4x5x6xf32>, tensor<3x4x5x6xf32>, tensor<3x4x5x6xf32>, tensor<3x4x5x6xf32>, tensor<3x4x5x6xf32>
}
func.func private @closed_call(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>, %arg2: tensor<3x4x5x6xf32>) -> (tensor<i32>, tensor<3x4x5x6xf32>) {
%c = stablehlo.constant dense<1> : tensor<i32>
%0 = stablehlo.add %arg1, %c : tensor<i32>
%1 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
%2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
%3 = stablehlo.add %arg0, %2 : tensor<4x6xf32>
%c_0 = stablehlo.constant dense<0> : tensor<i32>
%4 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_1 = stablehlo.constant dense<5> : tensor<i32>
%5 = stablehlo.add %arg1, %c_1 : tensor<i32>
%6 = stablehlo.select %4, %5, %arg1 : tensor<i1>, tensor<i32>
%7 = stablehlo.convert %6 : tensor<i32>
%c_2 = stablehlo.constant dense<1> : tensor<i32>
%8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
%9 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i32>) -> tensor<1xi32>
%10 = stablehlo.concatenate %8, %9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
%11 = "stablehlo.scatter"(%arg2, %10, %3) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [0, 2]>, unique_indices = true}> ({
^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
stablehlo.return %arg4 : tensor<f32>
}) : (tensor<3x4x5x6xf32>, tensor<2xi32>, tensor<4x6xf32>) -> tensor<3x4x5x6xf32>
return %0, %11 : tensor<i32>, tensor<3x4x5x6xf32>
}
}
