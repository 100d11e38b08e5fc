module @jit_cnn_sgd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<3x3x2x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<3x3x4x6xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<2x2x3x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<4x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<3x13x12x2xf32>, %arg5: tensor<3xi32>) -> (tensor<3x3x2x4xf32> {jax.result_info = "result[0]"}, tensor<3x3x4x6xf32> {jax.result_info = "result[1]"}, tensor<2x2x3x4xf32> {jax.result_info = "result[2]"}, tensor<4x4xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
%0 = stablehlo.convolution(%arg4, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x13x12x2xf32>, tensor<3x3x2x4xf32>) -> tensor<3x7x6x4xf32>
%1 = call @relu(%0) : (tensor<3x7x6x4xf32>) -> tensor<3x7x6x4xf32>
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x7x6x4xf32>
%3 = stablehlo.compare GT, %0, %2, FLOAT : (tensor<3x7x6x4xf32>, tensor<3x7x6x4xf32>) -> tensor<3x7x6x4xi1>
%4 = stablehlo.convolution(%1, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x7x6x4xf32>, tensor<3x3x4x6xf32>) -> tensor<3x7x6x6xf32>
%cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
%6 = "stablehlo.reduce_window"(%4, %5) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
%64 = stablehlo.maximum %arg6, %arg7 : tensor<f32>
stablehlo.return %64 : tensor<f32>
}) : (tensor<3x7x6x6xf32>, tensor<f32>) -> tensor<3x4x3x6xf32>
%7 = stablehlo.convolution(%6, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x3x6xf32>, tensor<2x2x3x4xf32>) -> tensor<3x4x3x4xf32>
%cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<f32>
%9 = "stablehlo.reduce_window"(%7, %8) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
%64 = stablehlo.add %arg6, %arg7 : tensor<f32>
stablehlo.return %64 : tensor<f32>
}) : (tensor<3x4x3x4xf32>, tensor<f32>) -> tensor<3x3x2x4xf32>
%cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
%10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
%11 = stablehlo.divide %9, %10 : tensor<3x3x2x4xf32>
%cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x3x2x4xf32>, tensor<f32>) -> tensor<3x4xf32>
%cst_4 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
%13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
%14 = stablehlo.divide %12, %13 : tensor<3x4xf32>
%15 = stablehlo.dot_general %14, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
%16 = call @_one_hot(%arg5) : (tensor<3xi32>) -> tensor<3x4xf32>
%17 = stablehlo.subtract %15, %16 : tensor<3x4xf32>
%18 = stablehlo.multiply %17, %17 : tensor<3x4xf32>
%cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
%19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
%20 = stablehlo.multiply %19, %17 : tensor<3x4xf32>
%cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%21 = stablehlo.reduce(%18 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
%cst_7 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
%22 = stablehlo.divide %21, %cst_7 : tensor<f32>
%cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
%cst_9 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
%23 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
%24 = stablehlo.broadcast_in_dim %23, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
%25 = stablehlo.multiply %24, %20 : tensor<3x4xf32>
%26 = stablehlo.dot_general %25, %14, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
%27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
%28 = stablehlo.dot_general %25, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
%cst_10 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
%29 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
%30 = stablehlo.divide %28, %29 : tensor<3x4xf32>
%31 = stablehlo.broadcast_in_dim %30, dims = [0, 3] : (tensor<3x4xf32>) -> tensor<3x3x2x4xf32>
%cst_11 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
%32 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
%33 = stablehlo.divide %31, %32 : tensor<3x3x2x4xf32>
%cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%34 = stablehlo.pad %33, %cst_12, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<3x3x2x4xf32>, tensor<f32>) -> tensor<3x5x4x4xf32>
%cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%35 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<f32>
%36 = "stablehlo.reduce_window"(%34, %35) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
%64 = stablehlo.add %arg6, %arg7 : tensor<f32>
stablehlo.return %64 : tensor<f32>
}) : (tensor<3x5x4x4xf32>, tensor<f32>) -> tensor<3x4x3x4xf32>
%37 = stablehlo.convolution(%6, %36) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x3x6xf32>, tensor<3x4x3x4xf32>) -> tensor<2x2x3x4xf32>
%38 = stablehlo.reshape %arg2 : (tensor<2x2x3x4xf32>) -> tensor<2x2x3x2x2xf32>
%39 = stablehlo.transpose %38, dims = [0, 1, 3, 2, 4] : (tensor<2x2x3x2x2xf32>) -> tensor<2x2x2x3x2xf32>
%40 = stablehlo.reshape %39 : (tensor<2x2x2x3x2xf32>) -> tensor<2x2x6x2xf32>
%41 = stablehlo.reverse %40, dims = [0, 1] : tensor<2x2x6x2xf32>
%42 = stablehlo.convolution(%36, %41) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x3x4xf32>, tensor<2x2x6x2xf32>) -> tensor<3x4x3x6xf32>
%cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%43 = stablehlo.pad %4, %cst_14, low = [0, 1, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<3x7x6x6xf32>, tensor<f32>) -> tensor<3x9x7x6xf32>
%cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%44 = "stablehlo.select_and_scatter"(%43, %42, %cst_15) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
%64 = stablehlo.compare GE, %arg6, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
stablehlo.return %64 : tensor<i1>
}, {
^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
%64 = stablehlo.add %arg6, %arg7 : tensor<f32>
stablehlo.return %64 : tensor<f32>
}) : (tensor<3x9x7x6xf32>, tensor<3x4x3x6xf32>, tensor<f32>) -> tensor<3x9x7x6xf32>
%45 = stablehlo.slice %44 [0:3, 1:8, 0:6, 0:6] : (tensor<3x9x7x6xf32>) -> tensor<3x7x6x6xf32>
%46 = stablehlo.convolution(%1, %45) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [2, 2], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x7x6x4xf32>, tensor<3x7x6x6xf32>) -> tensor<3x3x4x6xf32>
%47 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x4x6xf32>
%48 = stablehlo.convolution(%45, %47) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x7x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<3x7x6x4xf32>
%cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%49 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x7x6x4xf32>
%50 = stablehlo.select %3, %48, %49 : tensor<3x7x6x4xi1>, tensor<3x7x6x4xf32>
%51 = stablehlo.convolution(%arg4, %50) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x13x12x2xf32>, tensor<3x7x6x4xf32>) -> tensor<3x3x2x4xf32>
%cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%52 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
%53 = stablehlo.multiply %52, %51 : tensor<3x3x2x4xf32>
%54 = stablehlo.subtract %arg0, %53 : tensor<3x3x2x4xf32>
%cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%55 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x3x4x6xf32>
%56 = stablehlo.multiply %55, %46 : tensor<3x3x4x6xf32>
%57 = stablehlo.subtract %arg1, %56 : tensor<3x3x4x6xf32>
%cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%58 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x2x3x4xf32>
%59 = stablehlo.multiply %58, %37 : tensor<2x2x3x4xf32>
%60 = stablehlo.subtract %arg2, %59 : tensor<2x2x3x4xf32>
%cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%61 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
%62 = stablehlo.multiply %61, %27 : tensor<4x4xf32>
%63 = stablehlo.subtract %arg3, %62 : tensor<4x4xf32>
return %54, %57, %60, %63, %22 : tensor<3x3x2x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2x3x4xf32>, tensor<4x4xf32>, tensor<f32>
}
func.func private @relu(%arg0: tensor<3x7x6x4xf32>) -> tensor<3x7x6x4xf32> {
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x7x6x4xf32>
%1 = stablehlo.maximum %arg0, %0 : tensor<3x7x6x4xf32>
return %1 : tensor<3x7x6x4xf32>
}
func.func private @_one_hot(%arg0: tensor<3xi32>) -> tensor<3x4xf32> {
%0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
%1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
%2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<3x1xi32>) -> tensor<3x4xi32>
%3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<3x4xi32>
%4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
%5 = stablehlo.convert %4 : (tensor<3x4xi1>) -> tensor<3x4xf32>
return %5 : tensor<3x4xf32>
}
}
