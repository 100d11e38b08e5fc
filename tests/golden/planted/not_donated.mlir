module @jit_adam attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8192xf32>, %arg1: tensor<1024x8192xf32>, %arg2: tensor<8192xf32>, %arg3: tensor<8192x8192xf32>, %arg4: tensor<1024xf32>, %arg5: tensor<8192x1024xf32>, %arg6: tensor<8192xf32>, %arg7: tensor<1024x8192xf32>, %arg8: tensor<8192xf32>, %arg9: tensor<8192x8192xf32>, %arg10: tensor<1024xf32>, %arg11: tensor<8192x1024xf32>, %arg12: tensor<8192xf32>, %arg13: tensor<1024x8192xf32>, %arg14: tensor<8192xf32>, %arg15: tensor<8192x8192xf32>, %arg16: tensor<1024xf32>, %arg17: tensor<8192x1024xf32>, %arg18: tensor<512x1024xf32>, %arg19: tensor<512xi32>) -> (tensor<8192xf32> {jax.result_info = "result[0][0][0]['b']"}, tensor<1024x8192xf32> {jax.result_info = "result[0][0][0]['w']"}, tensor<8192xf32> {jax.result_info = "result[0][0][1]['b']"}, tensor<8192x8192xf32> {jax.result_info = "result[0][0][1]['w']"}, tensor<1024xf32> {jax.result_info = "result[0][0][2]['b']"}, tensor<8192x1024xf32> {jax.result_info = "result[0][0][2]['w']"}, tensor<8192xf32> {jax.result_info = "result[0][1][0]['b']"}, tensor<1024x8192xf32> {jax.result_info = "result[0][1][0]['w']"}, tensor<8192xf32> {jax.result_info = "result[0][1][1]['b']"}, tensor<8192x8192xf32> {jax.result_info = "result[0][1][1]['w']"}, tensor<1024xf32> {jax.result_info = "result[0][1][2]['b']"}, tensor<8192x1024xf32> {jax.result_info = "result[0][1][2]['w']"}, tensor<8192xf32> {jax.result_info = "result[0][2][0]['b']"}, tensor<1024x8192xf32> {jax.result_info = "result[0][2][0]['w']"}, tensor<8192xf32> {jax.result_info = "result[0][2][1]['b']"}, tensor<8192x8192xf32> {jax.result_info = "result[0][2][1]['w']"}, tensor<1024xf32> {jax.result_info = "result[0][2][2]['b']"}, tensor<8192x1024xf32> {jax.result_info = "result[0][2][2]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg18, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<1024x8192xf32>) -> tensor<512x8192xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8192xf32>) -> tensor<1x8192xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8192xf32>) -> tensor<512x8192xf32>
    %3 = stablehlo.add %0, %2 : tensor<512x8192xf32>
    %4 = call @relu(%3) : (tensor<512x8192xf32>) -> tensor<512x8192xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x8192xf32>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<512x8192xf32>, tensor<512x8192xf32>) -> tensor<512x8192xi1>
    %7 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xf32>, tensor<8192x8192xf32>) -> tensor<512x8192xf32>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8192xf32>) -> tensor<1x8192xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x8192xf32>) -> tensor<512x8192xf32>
    %10 = stablehlo.add %7, %9 : tensor<512x8192xf32>
    %11 = call @relu(%10) : (tensor<512x8192xf32>) -> tensor<512x8192xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x8192xf32>
    %13 = stablehlo.compare GT, %10, %12, FLOAT : (tensor<512x8192xf32>, tensor<512x8192xf32>) -> tensor<512x8192xi1>
    %14 = stablehlo.dot_general %11, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xf32>, tensor<8192x1024xf32>) -> tensor<512x1024xf32>
    %15 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<1024xf32>) -> tensor<1x1024xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<512x1024xf32>
    %17 = stablehlo.add %14, %16 : tensor<512x1024xf32>
    %18:3 = call @log_softmax(%17) : (tensor<512x1024xf32>) -> (tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<512x1xf32>)
    %19 = stablehlo.broadcast_in_dim %arg19, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %20:2 = call @take_along_axis(%18#0, %19) : (tensor<512x1024xf32>, tensor<512x1xi32>) -> (tensor<512x1xf32>, tensor<512x1x1xi32>)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20#0 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %22 = stablehlo.divide %21, %cst_2 : tensor<f32>
    %23 = stablehlo.negate %22 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.negate %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %25 = stablehlo.divide %24, %cst_4 : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %27 = call @take_along_axis_0(%20#1, %26) : (tensor<512x1x1xi32>, tensor<512x1xf32>) -> tensor<512x1024xf32>
    %28 = call @log_softmax_1(%18#1, %18#2, %27) : (tensor<512x1024xf32>, tensor<512x1xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %30 = stablehlo.reshape %29 : (tensor<1024xf32>) -> tensor<1x1024xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %32 = stablehlo.dot_general %28, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<512x8192xf32>) -> tensor<1024x8192xf32>
    %33 = stablehlo.transpose %32, dims = [1, 0] : (tensor<1024x8192xf32>) -> tensor<8192x1024xf32>
    %34 = stablehlo.dot_general %28, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<8192x1024xf32>) -> tensor<512x8192xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<512x8192xf32>
    %36 = stablehlo.select %13, %34, %35 : tensor<512x8192xi1>, tensor<512x8192xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<512x8192xf32>, tensor<f32>) -> tensor<8192xf32>
    %38 = stablehlo.reshape %37 : (tensor<8192xf32>) -> tensor<1x8192xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x8192xf32>, tensor<f32>) -> tensor<8192xf32>
    %40 = stablehlo.dot_general %36, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xf32>, tensor<512x8192xf32>) -> tensor<8192x8192xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<8192x8192xf32>) -> tensor<8192x8192xf32>
    %42 = stablehlo.dot_general %36, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xf32>, tensor<8192x8192xf32>) -> tensor<512x8192xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<512x8192xf32>
    %44 = stablehlo.select %6, %42, %43 : tensor<512x8192xi1>, tensor<512x8192xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<512x8192xf32>, tensor<f32>) -> tensor<8192xf32>
    %46 = stablehlo.reshape %45 : (tensor<8192xf32>) -> tensor<1x8192xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<1x8192xf32>, tensor<f32>) -> tensor<8192xf32>
    %48 = stablehlo.dot_general %44, %arg18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xf32>, tensor<512x1024xf32>) -> tensor<8192x1024xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<8192x1024xf32>) -> tensor<1024x8192xf32>
    %cst_13 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %51 = stablehlo.multiply %50, %arg6 : tensor<8192xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %53 = stablehlo.multiply %52, %47 : tensor<8192xf32>
    %54 = stablehlo.add %51, %53 : tensor<8192xf32>
    %cst_15 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1024x8192xf32>
    %56 = stablehlo.multiply %55, %arg7 : tensor<1024x8192xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1024x8192xf32>
    %58 = stablehlo.multiply %57, %49 : tensor<1024x8192xf32>
    %59 = stablehlo.add %56, %58 : tensor<1024x8192xf32>
    %cst_17 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %61 = stablehlo.multiply %60, %arg8 : tensor<8192xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %63 = stablehlo.multiply %62, %39 : tensor<8192xf32>
    %64 = stablehlo.add %61, %63 : tensor<8192xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8192x8192xf32>
    %66 = stablehlo.multiply %65, %arg9 : tensor<8192x8192xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8192x8192xf32>
    %68 = stablehlo.multiply %67, %41 : tensor<8192x8192xf32>
    %69 = stablehlo.add %66, %68 : tensor<8192x8192xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %71 = stablehlo.multiply %70, %arg10 : tensor<1024xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %73 = stablehlo.multiply %72, %31 : tensor<1024xf32>
    %74 = stablehlo.add %71, %73 : tensor<1024xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8192x1024xf32>
    %76 = stablehlo.multiply %75, %arg11 : tensor<8192x1024xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8192x1024xf32>
    %78 = stablehlo.multiply %77, %33 : tensor<8192x1024xf32>
    %79 = stablehlo.add %76, %78 : tensor<8192x1024xf32>
    %cst_25 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %81 = stablehlo.multiply %80, %arg12 : tensor<8192xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %83 = stablehlo.multiply %82, %47 : tensor<8192xf32>
    %84 = stablehlo.multiply %83, %47 : tensor<8192xf32>
    %85 = stablehlo.add %81, %84 : tensor<8192xf32>
    %cst_27 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<1024x8192xf32>
    %87 = stablehlo.multiply %86, %arg13 : tensor<1024x8192xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1024x8192xf32>
    %89 = stablehlo.multiply %88, %49 : tensor<1024x8192xf32>
    %90 = stablehlo.multiply %89, %49 : tensor<1024x8192xf32>
    %91 = stablehlo.add %87, %90 : tensor<1024x8192xf32>
    %cst_29 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %93 = stablehlo.multiply %92, %arg14 : tensor<8192xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %95 = stablehlo.multiply %94, %39 : tensor<8192xf32>
    %96 = stablehlo.multiply %95, %39 : tensor<8192xf32>
    %97 = stablehlo.add %93, %96 : tensor<8192xf32>
    %cst_31 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8192x8192xf32>
    %99 = stablehlo.multiply %98, %arg15 : tensor<8192x8192xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8192x8192xf32>
    %101 = stablehlo.multiply %100, %41 : tensor<8192x8192xf32>
    %102 = stablehlo.multiply %101, %41 : tensor<8192x8192xf32>
    %103 = stablehlo.add %99, %102 : tensor<8192x8192xf32>
    %cst_33 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %105 = stablehlo.multiply %104, %arg16 : tensor<1024xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %107 = stablehlo.multiply %106, %31 : tensor<1024xf32>
    %108 = stablehlo.multiply %107, %31 : tensor<1024xf32>
    %109 = stablehlo.add %105, %108 : tensor<1024xf32>
    %cst_35 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8192x1024xf32>
    %111 = stablehlo.multiply %110, %arg17 : tensor<8192x1024xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8192x1024xf32>
    %113 = stablehlo.multiply %112, %33 : tensor<8192x1024xf32>
    %114 = stablehlo.multiply %113, %33 : tensor<8192x1024xf32>
    %115 = stablehlo.add %111, %114 : tensor<8192x1024xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %117 = stablehlo.multiply %116, %54 : tensor<8192xf32>
    %118 = stablehlo.sqrt %85 : tensor<8192xf32>
    %cst_38 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %120 = stablehlo.add %118, %119 : tensor<8192xf32>
    %121 = stablehlo.divide %117, %120 : tensor<8192xf32>
    %122 = stablehlo.subtract %arg0, %121 : tensor<8192xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1024x8192xf32>
    %124 = stablehlo.multiply %123, %59 : tensor<1024x8192xf32>
    %125 = stablehlo.sqrt %91 : tensor<1024x8192xf32>
    %cst_40 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1024x8192xf32>
    %127 = stablehlo.add %125, %126 : tensor<1024x8192xf32>
    %128 = stablehlo.divide %124, %127 : tensor<1024x8192xf32>
    %129 = stablehlo.subtract %arg1, %128 : tensor<1024x8192xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %131 = stablehlo.multiply %130, %64 : tensor<8192xf32>
    %132 = stablehlo.sqrt %97 : tensor<8192xf32>
    %cst_42 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %134 = stablehlo.add %132, %133 : tensor<8192xf32>
    %135 = stablehlo.divide %131, %134 : tensor<8192xf32>
    %136 = stablehlo.subtract %arg2, %135 : tensor<8192xf32>
    %cst_43 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8192x8192xf32>
    %138 = stablehlo.multiply %137, %69 : tensor<8192x8192xf32>
    %139 = stablehlo.sqrt %103 : tensor<8192x8192xf32>
    %cst_44 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8192x8192xf32>
    %141 = stablehlo.add %139, %140 : tensor<8192x8192xf32>
    %142 = stablehlo.divide %138, %141 : tensor<8192x8192xf32>
    %143 = stablehlo.subtract %arg3, %142 : tensor<8192x8192xf32>
    %cst_45 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %145 = stablehlo.multiply %144, %74 : tensor<1024xf32>
    %146 = stablehlo.sqrt %109 : tensor<1024xf32>
    %cst_46 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %148 = stablehlo.add %146, %147 : tensor<1024xf32>
    %149 = stablehlo.divide %145, %148 : tensor<1024xf32>
    %150 = stablehlo.subtract %arg4, %149 : tensor<1024xf32>
    %cst_47 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8192x1024xf32>
    %152 = stablehlo.multiply %151, %79 : tensor<8192x1024xf32>
    %153 = stablehlo.sqrt %115 : tensor<8192x1024xf32>
    %cst_48 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8192x1024xf32>
    %155 = stablehlo.add %153, %154 : tensor<8192x1024xf32>
    %156 = stablehlo.divide %152, %155 : tensor<8192x1024xf32>
    %157 = stablehlo.subtract %arg5, %156 : tensor<8192x1024xf32>
    return %122, %129, %136, %143, %150, %157, %54, %59, %64, %69, %74, %79, %85, %91, %97, %103, %109, %115, %23 : tensor<8192xf32>, tensor<1024x8192xf32>, tensor<8192xf32>, tensor<8192x8192xf32>, tensor<1024xf32>, tensor<8192x1024xf32>, tensor<8192xf32>, tensor<1024x8192xf32>, tensor<8192xf32>, tensor<8192x8192xf32>, tensor<1024xf32>, tensor<8192x1024xf32>, tensor<8192xf32>, tensor<1024x8192xf32>, tensor<8192xf32>, tensor<8192x8192xf32>, tensor<1024xf32>, tensor<8192x1024xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<512x8192xf32>) -> tensor<512x8192xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x8192xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<512x8192xf32>
    return %1 : tensor<512x8192xf32>
  }
  func.func private @log_softmax(%arg0: tensor<512x1024xf32>) -> (tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<512x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<512xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x1024xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<512x1024xf32>
    %6 = stablehlo.exponential %5 : tensor<512x1024xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %9 = stablehlo.log %8 : tensor<512x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x1024xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<512x1024xf32>
    return %11, %6, %8 : tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<512x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<512x1024xf32>, %arg1: tensor<512x1xi32>) -> (tensor<512x1xf32>, tensor<512x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<512x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<512x1xi32>, tensor<512x1xi32>) -> tensor<512x1xi1>
    %c_0 = stablehlo.constant dense<1024> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<512x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<512x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<512x1xi1>, tensor<512x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<512x1xi32>) -> tensor<512x1x1xi32>
    %c_1 = stablehlo.constant dense<1023> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<512x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<512x1x1xi32>, tensor<512x1x1xi32>) -> tensor<512x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<512x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<512x1x1xi32>, tensor<512x1x1xi32>) -> tensor<512x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<512x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<512x1x1xi1>, tensor<i1>) -> tensor<512x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<512x1024xf32>, tensor<512x1x1xi32>) -> tensor<512x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<512x1xi1>, tensor<512x1xf32>
    return %15, %5 : tensor<512x1xf32>, tensor<512x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<512x1x1xi32>, %arg1: tensor<512x1xf32>) -> tensor<512x1024xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<512x1024xf32>, tensor<512x1x1xi32>, tensor<512x1xf32>) -> tensor<512x1024xf32>
    return %1 : tensor<512x1024xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<512x1024xf32>, %arg1: tensor<512x1xf32>, %arg2: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
    %0 = stablehlo.negate %arg2 : tensor<512x1024xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
    %2 = stablehlo.reshape %1 : (tensor<512xf32>) -> tensor<512x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<512x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<512xf32>) -> tensor<512x1024xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<512x1024xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<512x1024xf32>
    return %7 : tensor<512x1024xf32>
  }
}
