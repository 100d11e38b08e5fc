module @jit_control attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<2xi32>) -> (tensor<4x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<4x4xf32> {jax.result_info = "result[2]"}, tensor<4x4xf32> {jax.result_info = "result[3]"}, tensor<4x4xf32> {jax.result_info = "result[4]"}, tensor<1x4xf32> {jax.result_info = "result[5]"}, tensor<4x4xf32> {jax.result_info = "result[6]"}) {
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
%c = stablehlo.constant dense<0> : tensor<i32>
%1:5 = stablehlo.while(%iterArg = %arg1, %iterArg_11 = %arg0, %iterArg_12 = %c, %iterArg_13 = %arg0, %iterArg_14 = %0) : tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<3x4xf32>
cond {
%c_15 = stablehlo.constant dense<3> : tensor<i32>
%27 = stablehlo.compare LT, %iterArg_12, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
stablehlo.return %27 : tensor<i1>
} do {
%27:2 = func.call @closed_call(%iterArg, %iterArg_11, %iterArg_13) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
%28 = func.call @dynamic_update_index_in_dim(%iterArg_14, %27#1, %iterArg_12) : (tensor<3x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<3x4xf32>
%c_15 = stablehlo.constant dense<1> : tensor<i32>
%29 = stablehlo.add %iterArg_12, %c_15 : tensor<i32>
stablehlo.return %iterArg, %iterArg_11, %29, %27#0, %28 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<3x4xf32>
}
%cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%2 = stablehlo.reduce(%1#3 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
%cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%3 = stablehlo.compare GT, %2, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
%4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
%5 = "stablehlo.case"(%4) ({
%27 = stablehlo.subtract %arg0, %1#3 : tensor<4x4xf32>
stablehlo.return %27 : tensor<4x4xf32>
}, {
%cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
%27 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
%28 = stablehlo.multiply %arg0, %27 : tensor<4x4xf32>
stablehlo.return %28 : tensor<4x4xf32>
}) : (tensor<i32>) -> tensor<4x4xf32>
%6 = stablehlo.slice %arg2 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
%7 = stablehlo.reshape %6 : (tensor<1xi32>) -> tensor<i32>
%c_2 = stablehlo.constant dense<0> : tensor<i32>
%c_3 = stablehlo.constant dense<3> : tensor<i32>
%8 = stablehlo.clamp %c_2, %7, %c_3 : tensor<i32>
%9 = "stablehlo.case"(%8) ({
stablehlo.return %1#3 : tensor<4x4xf32>
}, {
%27 = stablehlo.add %1#3, %arg0 : tensor<4x4xf32>
stablehlo.return %27 : tensor<4x4xf32>
}, {
%cst_11 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
%27 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
%28 = stablehlo.multiply %1#3, %27 : tensor<4x4xf32>
stablehlo.return %28 : tensor<4x4xf32>
}, {
%27 = stablehlo.dot_general %1#3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
stablehlo.return %27 : tensor<4x4xf32>
}) : (tensor<i32>) -> tensor<4x4xf32>
%10 = stablehlo.abs %1#3 : tensor<4x4xf32>
%cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
%12 = stablehlo.add %10, %11 : tensor<4x4xf32>
%13:2 = stablehlo.while(%iterArg = %arg0, %iterArg_11 = %12) : tensor<4x4xf32>, tensor<4x4xf32>
cond {
%cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%27 = stablehlo.reduce(%iterArg_11 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
%cst_13 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
%28 = stablehlo.compare LT, %27, %cst_13, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
stablehlo.return %28 : tensor<i1>
} do {
%cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
%27 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
%28 = stablehlo.multiply %iterArg_11, %27 : tensor<4x4xf32>
%29 = stablehlo.abs %iterArg : tensor<4x4xf32>
%30 = stablehlo.add %28, %29 : tensor<4x4xf32>
stablehlo.return %iterArg, %30 : tensor<4x4xf32>, tensor<4x4xf32>
}
%14 = stablehlo.slice %arg2 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
%15 = stablehlo.reshape %14 : (tensor<1xi32>) -> tensor<i32>
%c_5 = stablehlo.constant dense<0> : tensor<i32>
%16 = stablehlo.compare LT, %15, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_6 = stablehlo.constant dense<4> : tensor<i32>
%17 = stablehlo.add %15, %c_6 : tensor<i32>
%18 = stablehlo.select %16, %17, %15 : tensor<i1>, tensor<i32>
%c_7 = stablehlo.constant dense<0> : tensor<i32>
%19 = stablehlo.dynamic_slice %1#3, %18, %c_7, sizes = [1, 4] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
%20 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
%21 = stablehlo.slice %arg2 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
%22 = stablehlo.reshape %21 : (tensor<1xi32>) -> tensor<i32>
%c_8 = stablehlo.constant dense<0> : tensor<i32>
%23 = stablehlo.compare LT, %22, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%c_9 = stablehlo.constant dense<4> : tensor<i32>
%24 = stablehlo.add %22, %c_9 : tensor<i32>
%25 = stablehlo.select %23, %24, %22 : tensor<i1>, tensor<i32>
%c_10 = stablehlo.constant dense<0> : tensor<i32>
%26 = stablehlo.dynamic_update_slice %1#3, %20, %25, %c_10 : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
return %1#3, %1#4, %5, %9, %13#1, %19, %26 : tensor<4x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>
}
func.func private @closed_call(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
%0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
%1 = stablehlo.tanh %0 : tensor<4x4xf32>
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%2 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
%cst_0 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
%3 = stablehlo.divide %2, %cst_0 : tensor<f32>
%4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
%5 = stablehlo.add %1, %4 : tensor<4x4xf32>
%6 = stablehlo.slice %arg2 [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
%7 = stablehlo.reshape %6 : (tensor<1x4xf32>) -> tensor<4xf32>
return %5, %7 : tensor<4x4xf32>, tensor<4xf32>
}
func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> tensor<3x4xf32> {
%0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
%c = stablehlo.constant dense<0> : tensor<i32>
%1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
return %1 : tensor<3x4xf32>
}
}
