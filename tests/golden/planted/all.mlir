module @jit_with_all attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2100xf32>, %arg1: tensor<2048x2100xf32>, %arg2: tensor<16384xf32>, %arg3: tensor<2100x16384xf32>, %arg4: tensor<1030x2048xf32>, %arg5: tensor<1030x16384xf32>) -> (tensor<2100xf32> {jax.result_info = "result[0][0]['b']"}, tensor<2048x2100xf32> {jax.result_info = "result[0][0]['w']"}, tensor<16384xf32> {jax.result_info = "result[0][1]['b']"}, tensor<2100x16384xf32> {jax.result_info = "result[0][1]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<1030x2048xf32>) -> tensor<2048x1030xf32>
    %1 = stablehlo.dot_general %0, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x1030xf32>, tensor<1030x2048xf32>) -> tensor<2048x2048xf32>
    %2 = stablehlo.slice %1 [0:1, 0:2048] : (tensor<2048x2048xf32>) -> tensor<1x2048xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:3 = stablehlo.while(%iterArg = %c, %iterArg_14 = %1, %iterArg_15 = %3) : tensor<i32>, tensor<2048x2048xf32>, tensor<2048xf32>
    cond {
      %c_16 = stablehlo.constant dense<4> : tensor<i32>
      %61 = stablehlo.compare LT, %iterArg, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %61 : tensor<i1>
    } do {
      %61:2 = func.call @closed_call(%iterArg_14, %iterArg_15) : (tensor<2048x2048xf32>, tensor<2048xf32>) -> (tensor<2048x2048xf32>, tensor<2048xf32>)
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %62 = stablehlo.add %iterArg, %c_16 : tensor<i32>
      stablehlo.return %62, %61#0, %61#1 : tensor<i32>, tensor<2048x2048xf32>, tensor<2048xf32>
    }
    %5 = stablehlo.slice %4#1 [0:1, 0:2048] : (tensor<2048x2048xf32>) -> tensor<1x2048xf32>
    %6 = stablehlo.reshape %5 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x2048xf32>) -> tensor<1030x2048xf32>
    %9 = stablehlo.add %arg4, %8 : tensor<1030x2048xf32>
    %10 = stablehlo.broadcast_in_dim %4#2, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x2048xf32>) -> tensor<1030x2048xf32>
    %12 = stablehlo.add %9, %11 : tensor<1030x2048xf32>
    %13 = stablehlo.dot_general %12, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1030x2048xf32>, tensor<2048x2100xf32>) -> tensor<1030x2100xf32>
    %14 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<2100xf32>) -> tensor<1x2100xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x2100xf32>) -> tensor<1030x2100xf32>
    %16 = stablehlo.add %13, %15 : tensor<1030x2100xf32>
    %17 = call @relu(%16) : (tensor<1030x2100xf32>) -> tensor<1030x2100xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1030x2100xf32>
    %19 = stablehlo.compare GT, %16, %18, FLOAT : (tensor<1030x2100xf32>, tensor<1030x2100xf32>) -> tensor<1030x2100xi1>
    %20 = stablehlo.dot_general %17, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1030x2100xf32>, tensor<2100x16384xf32>) -> tensor<1030x16384xf32>
    %21 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<16384xf32>) -> tensor<1x16384xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x16384xf32>) -> tensor<1030x16384xf32>
    %23 = stablehlo.add %20, %22 : tensor<1030x16384xf32>
    %24:3 = call @log_softmax(%23) : (tensor<1030x16384xf32>) -> (tensor<1030x16384xf32>, tensor<1030x16384xf32>, tensor<1030x1xf32>)
    %25 = stablehlo.multiply %arg5, %24#0 : tensor<1030x16384xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<1030x16384xf32>, tensor<f32>) -> tensor<1030xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<1030xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.030000e+03> : tensor<f32>
    %28 = stablehlo.divide %27, %cst_2 : tensor<f32>
    %29 = stablehlo.negate %28 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.negate %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.030000e+03> : tensor<f32>
    %31 = stablehlo.divide %30, %cst_4 : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<1030xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<1030xf32>) -> tensor<1030x16384xf32>
    %34 = stablehlo.multiply %arg5, %33 : tensor<1030x16384xf32>
    %35 = call @log_softmax_0(%24#1, %24#2, %34) : (tensor<1030x16384xf32>, tensor<1030x1xf32>, tensor<1030x16384xf32>) -> tensor<1030x16384xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<1030x16384xf32>, tensor<f32>) -> tensor<16384xf32>
    %37 = stablehlo.reshape %36 : (tensor<16384xf32>) -> tensor<1x16384xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x16384xf32>, tensor<f32>) -> tensor<16384xf32>
    %39 = stablehlo.dot_general %35, %17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1030x16384xf32>, tensor<1030x2100xf32>) -> tensor<16384x2100xf32>
    %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<16384x2100xf32>) -> tensor<2100x16384xf32>
    %41 = stablehlo.dot_general %35, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1030x16384xf32>, tensor<2100x16384xf32>) -> tensor<1030x2100xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1030x2100xf32>
    %43 = stablehlo.select %19, %41, %42 : tensor<1030x2100xi1>, tensor<1030x2100xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1030x2100xf32>, tensor<f32>) -> tensor<2100xf32>
    %45 = stablehlo.reshape %44 : (tensor<2100xf32>) -> tensor<1x2100xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x2100xf32>, tensor<f32>) -> tensor<2100xf32>
    %47 = stablehlo.dot_general %43, %12, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1030x2100xf32>, tensor<1030x2048xf32>) -> tensor<2100x2048xf32>
    %48 = stablehlo.transpose %47, dims = [1, 0] : (tensor<2100x2048xf32>) -> tensor<2048x2100xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2100xf32>
    %50 = stablehlo.multiply %49, %46 : tensor<2100xf32>
    %51 = stablehlo.subtract %arg0, %50 : tensor<2100xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2048x2100xf32>
    %53 = stablehlo.multiply %52, %48 : tensor<2048x2100xf32>
    %54 = stablehlo.subtract %arg1, %53 : tensor<2048x2100xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16384xf32>
    %56 = stablehlo.multiply %55, %38 : tensor<16384xf32>
    %57 = stablehlo.subtract %arg2, %56 : tensor<16384xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2100x16384xf32>
    %59 = stablehlo.multiply %58, %40 : tensor<2100x16384xf32>
    %60 = stablehlo.subtract %arg3, %59 : tensor<2100x16384xf32>
    return %51, %54, %57, %60, %29 : tensor<2100xf32>, tensor<2048x2100xf32>, tensor<16384xf32>, tensor<2100x16384xf32>, tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<2048x2048xf32>, %arg1: tensor<2048xf32>) -> (tensor<2048x2048xf32>, tensor<2048xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:2048] : (tensor<2048x2048xf32>) -> tensor<1x2048xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    %3 = stablehlo.add %arg1, %2 : tensor<2048xf32>
    return %0, %3 : tensor<2048x2048xf32>, tensor<2048xf32>
  }
  func.func private @relu(%arg0: tensor<1030x2100xf32>) -> tensor<1030x2100xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1030x2100xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1030x2100xf32>
    return %1 : tensor<1030x2100xf32>
  }
  func.func private @log_softmax(%arg0: tensor<1030x16384xf32>) -> (tensor<1030x16384xf32>, tensor<1030x16384xf32>, tensor<1030x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<1030x16384xf32>, tensor<f32>) -> tensor<1030xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1030xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<1030xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1030xf32>) -> tensor<1030x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1030x1xf32>) -> tensor<1030x16384xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1030x16384xf32>
    %6 = stablehlo.exponential %5 : tensor<1030x16384xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<1030x16384xf32>, tensor<f32>) -> tensor<1030xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1030xf32>) -> tensor<1030x1xf32>
    %9 = stablehlo.log %8 : tensor<1030x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1030x1xf32>) -> tensor<1030x16384xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<1030x16384xf32>
    return %11, %6, %8 : tensor<1030x16384xf32>, tensor<1030x16384xf32>, tensor<1030x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<1030x16384xf32>, %arg1: tensor<1030x1xf32>, %arg2: tensor<1030x16384xf32>) -> tensor<1030x16384xf32> {
    %0 = stablehlo.negate %arg2 : tensor<1030x16384xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1030x16384xf32>, tensor<f32>) -> tensor<1030xf32>
    %2 = stablehlo.reshape %1 : (tensor<1030xf32>) -> tensor<1030x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<1030x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<1030x1xf32>, tensor<f32>) -> tensor<1030xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1030xf32>) -> tensor<1030x16384xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<1030x16384xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<1030x16384xf32>
    return %7 : tensor<1030x16384xf32>
  }
}
