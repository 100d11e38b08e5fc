module @jit_mlp_adam attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<6x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<6x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<6x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<10x6xf32>, %arg6: tensor<10xi32>) -> (tensor<6x8xf32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1]"}, tensor<8x4xf32> {jax.result_info = "result[2]"}, tensor<6x8xf32> {jax.result_info = "result[3]"}, tensor<6x8xf32> {jax.result_info = "result[4]"}, tensor<f32> {jax.result_info = "result[5]"}) {
%0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<10x6xf32>, tensor<6x8xf32>) -> tensor<10x8xf32>
%1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
%2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<10x8xf32>
%3 = stablehlo.add %0, %2 : tensor<10x8xf32>
%4 = stablehlo.tanh %3 : tensor<10x8xf32>
%cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
%5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
%6 = stablehlo.subtract %5, %4 : tensor<10x8xf32>
%7 = stablehlo.convert %4 : (tensor<10x8xf32>) -> tensor<10x8xbf16>
%8 = stablehlo.convert %arg2 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
%9 = stablehlo.dot_general %7, %8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<10x8xbf16>, tensor<8x4xbf16>) -> tensor<10x4xbf16>
%10 = stablehlo.convert %9 : (tensor<10x4xbf16>) -> tensor<10x4xf32>
%11 = call @_one_hot(%arg6) : (tensor<10xi32>) -> tensor<10x4xf32>
%12 = stablehlo.subtract %10, %11 : tensor<10x4xf32>
%13 = stablehlo.multiply %12, %12 : tensor<10x4xf32>
%cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
%14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<10x4xf32>
%15 = stablehlo.multiply %14, %12 : tensor<10x4xf32>
%cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%16 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x4xf32>, tensor<f32>) -> tensor<f32>
%cst_2 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
%17 = stablehlo.divide %16, %cst_2 : tensor<f32>
%cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
%cst_4 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
%18 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
%19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<f32>) -> tensor<10x4xf32>
%20 = stablehlo.multiply %19, %15 : tensor<10x4xf32>
%21 = stablehlo.convert %20 : (tensor<10x4xf32>) -> tensor<10x4xbf16>
%22 = stablehlo.dot_general %21, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<10x4xbf16>, tensor<10x8xbf16>) -> tensor<4x8xbf16>
%23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<4x8xbf16>) -> tensor<8x4xbf16>
%24 = stablehlo.dot_general %21, %8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<10x4xbf16>, tensor<8x4xbf16>) -> tensor<10x8xbf16>
%25 = stablehlo.convert %23 : (tensor<8x4xbf16>) -> tensor<8x4xf32>
%26 = stablehlo.convert %24 : (tensor<10x8xbf16>) -> tensor<10x8xf32>
%27 = stablehlo.multiply %26, %6 : tensor<10x8xf32>
%28 = stablehlo.multiply %27, %4 : tensor<10x8xf32>
%29 = stablehlo.add %27, %28 : tensor<10x8xf32>
%cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%30 = stablehlo.reduce(%29 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<10x8xf32>, tensor<f32>) -> tensor<8xf32>
%31 = stablehlo.reshape %30 : (tensor<8xf32>) -> tensor<1x8xf32>
%cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%32 = stablehlo.reduce(%31 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
%33 = stablehlo.dot_general %29, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<10x8xf32>, tensor<10x6xf32>) -> tensor<8x6xf32>
%34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
%cst_7 = stablehlo.constant dense<0.899999976> : tensor<f32>
%35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
%36 = stablehlo.multiply %35, %arg3 : tensor<6x8xf32>
%cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
%38 = stablehlo.multiply %37, %34 : tensor<6x8xf32>
%39 = stablehlo.add %36, %38 : tensor<6x8xf32>
%40 = stablehlo.abs %arg4 : tensor<6x8xf32>
%cst_9 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
%41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
%42 = stablehlo.multiply %41, %40 : tensor<6x8xf32>
%cst_10 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
%43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
%44 = stablehlo.multiply %43, %34 : tensor<6x8xf32>
%45 = stablehlo.multiply %44, %34 : tensor<6x8xf32>
%46 = stablehlo.add %42, %45 : tensor<6x8xf32>
%cst_11 = stablehlo.constant dense<0.00999999977> : tensor<f32>
%47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
%48 = stablehlo.multiply %47, %39 : tensor<6x8xf32>
%49 = stablehlo.sqrt %46 : tensor<6x8xf32>
%cst_12 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
%50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
%51 = stablehlo.add %49, %50 : tensor<6x8xf32>
%52 = stablehlo.divide %48, %51 : tensor<6x8xf32>
%53 = stablehlo.subtract %arg0, %52 : tensor<6x8xf32>
%cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%54 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
%55 = stablehlo.multiply %54, %32 : tensor<8xf32>
%56 = stablehlo.subtract %arg1, %55 : tensor<8xf32>
%cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%57 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
%58 = stablehlo.multiply %57, %25 : tensor<8x4xf32>
%59 = stablehlo.subtract %arg2, %58 : tensor<8x4xf32>
return %53, %56, %59, %39, %46, %17 : tensor<6x8xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>
}
func.func private @_one_hot(%arg0: tensor<10xi32>) -> tensor<10x4xf32> {
%0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<10xi32>) -> tensor<10x1xi32>
%1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
%2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<10x1xi32>) -> tensor<10x4xi32>
%3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<10x4xi32>
%4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<10x4xi32>, tensor<10x4xi32>) -> tensor<10x4xi1>
%5 = stablehlo.convert %4 : (tensor<10x4xi1>) -> tensor<10x4xf32>
return %5 : tensor<10x4xf32>
}
}
