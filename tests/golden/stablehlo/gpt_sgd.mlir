module @jit_gpt_sgd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x24xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x12xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<12x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<2x5xi32>, %arg5: tensor<2x5xi32>) -> (tensor<4x8xf32> {jax.result_info = "result[0]"}, tensor<8x24xf32> {jax.result_info = "result[1]"}, tensor<8x12xf32> {jax.result_info = "result[2]"}, tensor<12x8xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
%c = stablehlo.constant dense<0> : tensor<i32>
%0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
%1 = stablehlo.compare LT, %arg4, %0, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
%c_0 = stablehlo.constant dense<4> : tensor<i32>
%2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
%3 = stablehlo.add %arg4, %2 : tensor<2x5xi32>
%4 = stablehlo.select %1, %3, %arg4 : tensor<2x5xi1>, tensor<2x5xi32>
%5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
%6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x5x1xi32>) -> tensor<2x5x8xf32>
%7 = stablehlo.dot_general %6, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x24xf32>) -> tensor<2x5x24xf32>
%8 = stablehlo.reshape %7 : (tensor<2x5x24xf32>) -> tensor<2x5x2x12xf32>
%9 = stablehlo.slice %8 [0:2, 0:5, 0:2, 0:4] : (tensor<2x5x2x12xf32>) -> tensor<2x5x2x4xf32>
%10 = stablehlo.slice %8 [0:2, 0:5, 0:2, 4:8] : (tensor<2x5x2x12xf32>) -> tensor<2x5x2x4xf32>
%11 = stablehlo.slice %8 [0:2, 0:5, 0:2, 8:12] : (tensor<2x5x2x12xf32>) -> tensor<2x5x2x4xf32>
%12 = stablehlo.dot_general %9, %10, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x5xf32>
%c_1 = stablehlo.constant dense<true> : tensor<i1>
%13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
%14 = call @tril(%13) : (tensor<5x5xi1>) -> tensor<5x5xi1>
%cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
%15:2 = call @_where(%14, %12, %cst) : (tensor<5x5xi1>, tensor<2x2x5x5xf32>, tensor<f32>) -> (tensor<2x2x5x5xf32>, tensor<2x2x5x5xi1>)
%cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%16 = stablehlo.reduce(%15#0 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
%cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
%18 = stablehlo.maximum %17, %16 : tensor<2x2x5xf32>
%19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
%20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
%21 = stablehlo.subtract %15#0, %20 : tensor<2x2x5x5xf32>
%22 = stablehlo.exponential %21 : tensor<2x2x5x5xf32>
%cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%23 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
%24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
%25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
%26 = stablehlo.divide %22, %25 : tensor<2x2x5x5xf32>
%27 = stablehlo.multiply %24, %24 : tensor<2x2x5x1xf32>
%cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
%28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x5x1xf32>
%29 = stablehlo.divide %28, %27 : tensor<2x2x5x1xf32>
%30 = stablehlo.dot_general %11, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x4x5xf32>
%31 = stablehlo.transpose %30, dims = [0, 3, 1, 2] : (tensor<2x2x4x5xf32>) -> tensor<2x5x2x4xf32>
%32 = stablehlo.reshape %31 : (tensor<2x5x2x4xf32>) -> tensor<2x5x8xf32>
%33 = stablehlo.add %6, %32 : tensor<2x5x8xf32>
%cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%34 = stablehlo.reduce(%33 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
%35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
%cst_7 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
%36 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%37 = stablehlo.divide %35, %36 : tensor<2x5x1xf32>
%38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
%39 = stablehlo.subtract %33, %38 : tensor<2x5x8xf32>
%40 = stablehlo.multiply %39, %39 : tensor<2x5x8xf32>
%cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%41 = stablehlo.reduce(%40 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
%42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
%cst_9 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
%43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%44 = stablehlo.divide %42, %43 : tensor<2x5x1xf32>
%cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
%45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%46 = stablehlo.add %44, %45 : tensor<2x5x1xf32>
%47 = stablehlo.rsqrt %46 : tensor<2x5x1xf32>
%48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
%49 = stablehlo.multiply %39, %48 : tensor<2x5x8xf32>
%50 = stablehlo.dot_general %49, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x12xf32>) -> tensor<2x5x12xf32>
%cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
%51 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x5x12xf32>
%52 = stablehlo.multiply %51, %50 : tensor<2x5x12xf32>
%53 = stablehlo.negate %50 : tensor<2x5x12xf32>
%cst_12 = stablehlo.constant dense<0.707106769> : tensor<f32>
%54 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x5x12xf32>
%55 = stablehlo.multiply %53, %54 : tensor<2x5x12xf32>
%56 = chlo.erfc %55 : tensor<2x5x12xf32> -> tensor<2x5x12xf32>
%57 = stablehlo.multiply %52, %56 : tensor<2x5x12xf32>
%58 = stablehlo.dot_general %57, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x12xf32>, tensor<12x8xf32>) -> tensor<2x5x8xf32>
%59 = stablehlo.add %33, %58 : tensor<2x5x8xf32>
%60 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
%61 = stablehlo.dot_general %59, %60, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4xf32>) -> tensor<2x5x4xf32>
%62 = stablehlo.reshape %61 : (tensor<2x5x4xf32>) -> tensor<10x4xf32>
%63 = stablehlo.reshape %arg5 : (tensor<2x5xi32>) -> tensor<10xi32>
%64:3 = call @log_softmax(%62) : (tensor<10x4xf32>) -> (tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x1xf32>)
%65 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<10xi32>) -> tensor<10x1xi32>
%66:2 = call @take_along_axis(%64#0, %65) : (tensor<10x4xf32>, tensor<10x1xi32>) -> (tensor<10x1xf32>, tensor<10x1x1xi32>)
%cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%67 = stablehlo.reduce(%66#0 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x1xf32>, tensor<f32>) -> tensor<f32>
%cst_14 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
%68 = stablehlo.divide %67, %cst_14 : tensor<f32>
%69 = stablehlo.negate %68 : tensor<f32>
%cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
%70 = stablehlo.negate %cst_15 : tensor<f32>
%cst_16 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
%71 = stablehlo.divide %70, %cst_16 : tensor<f32>
%72 = stablehlo.broadcast_in_dim %71, dims = [] : (tensor<f32>) -> tensor<10x1xf32>
%73 = call @take_along_axis_0(%66#1, %72) : (tensor<10x1x1xi32>, tensor<10x1xf32>) -> tensor<10x4xf32>
%74 = call @log_softmax_1(%64#1, %64#2, %73) : (tensor<10x4xf32>, tensor<10x1xf32>, tensor<10x4xf32>) -> tensor<10x4xf32>
%75 = stablehlo.reshape %74 : (tensor<10x4xf32>) -> tensor<2x5x4xf32>
%76 = stablehlo.dot_general %75, %59, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4xf32>, tensor<2x5x8xf32>) -> tensor<4x8xf32>
%77 = stablehlo.transpose %76, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
%78 = stablehlo.dot_general %75, %60, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4xf32>, tensor<8x4xf32>) -> tensor<2x5x8xf32>
%79 = stablehlo.transpose %77, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
%80:4 = stablehlo.optimization_barrier %33, %arg2, %arg3, %78 : tensor<2x5x8xf32>, tensor<8x12xf32>, tensor<12x8xf32>, tensor<2x5x8xf32>
%cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%81 = stablehlo.reduce(%80#0 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
%82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
%cst_18 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
%83 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%84 = stablehlo.divide %82, %83 : tensor<2x5x1xf32>
%85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
%86 = stablehlo.subtract %80#0, %85 : tensor<2x5x8xf32>
%87 = stablehlo.multiply %86, %86 : tensor<2x5x8xf32>
%cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%88 = stablehlo.reduce(%87 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
%89 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
%cst_20 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
%90 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%91 = stablehlo.divide %89, %90 : tensor<2x5x1xf32>
%cst_21 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
%92 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%93 = stablehlo.add %91, %92 : tensor<2x5x1xf32>
%94 = stablehlo.rsqrt %93 : tensor<2x5x1xf32>
%95 = stablehlo.divide %94, %93 : tensor<2x5x1xf32>
%cst_22 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
%96 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%97 = stablehlo.multiply %96, %95 : tensor<2x5x1xf32>
%98 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
%99 = stablehlo.multiply %86, %98 : tensor<2x5x8xf32>
%100 = stablehlo.dot_general %99, %80#1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x12xf32>) -> tensor<2x5x12xf32>
%cst_23 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
%101 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x5x12xf32>
%102 = stablehlo.multiply %101, %100 : tensor<2x5x12xf32>
%103 = stablehlo.negate %100 : tensor<2x5x12xf32>
%cst_24 = stablehlo.constant dense<0.707106769> : tensor<f32>
%104 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x5x12xf32>
%105 = stablehlo.multiply %103, %104 : tensor<2x5x12xf32>
%106 = chlo.erfc %105 : tensor<2x5x12xf32> -> tensor<2x5x12xf32>
%107 = chlo.square %105 : tensor<2x5x12xf32> -> tensor<2x5x12xf32>
%108 = stablehlo.negate %107 : tensor<2x5x12xf32>
%109 = stablehlo.exponential %108 : tensor<2x5x12xf32>
%110 = stablehlo.multiply %102, %106 : tensor<2x5x12xf32>
%111 = stablehlo.dot_general %80#3, %110, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<2x5x12xf32>) -> tensor<8x12xf32>
%112 = stablehlo.transpose %111, dims = [1, 0] : (tensor<8x12xf32>) -> tensor<12x8xf32>
%113 = stablehlo.dot_general %80#3, %80#2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<12x8xf32>) -> tensor<2x5x12xf32>
%114 = stablehlo.multiply %102, %113 : tensor<2x5x12xf32>
%115 = stablehlo.multiply %113, %106 : tensor<2x5x12xf32>
%cst_25 = stablehlo.constant dense<-1.12837923> : tensor<f32>
%116 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x5x12xf32>
%117 = stablehlo.multiply %116, %114 : tensor<2x5x12xf32>
%118 = stablehlo.multiply %117, %109 : tensor<2x5x12xf32>
%cst_26 = stablehlo.constant dense<0.707106769> : tensor<f32>
%119 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x5x12xf32>
%120 = stablehlo.multiply %118, %119 : tensor<2x5x12xf32>
%121 = stablehlo.negate %120 : tensor<2x5x12xf32>
%cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
%122 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x5x12xf32>
%123 = stablehlo.multiply %122, %115 : tensor<2x5x12xf32>
%124 = stablehlo.add %121, %123 : tensor<2x5x12xf32>
%125 = stablehlo.dot_general %124, %99, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x12xf32>, tensor<2x5x8xf32>) -> tensor<12x8xf32>
%126 = stablehlo.transpose %125, dims = [1, 0] : (tensor<12x8xf32>) -> tensor<8x12xf32>
%127 = stablehlo.dot_general %124, %80#1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x12xf32>, tensor<8x12xf32>) -> tensor<2x5x8xf32>
%128 = stablehlo.multiply %86, %127 : tensor<2x5x8xf32>
%cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%129 = stablehlo.reduce(%128 init: %cst_28) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
%130 = stablehlo.reshape %129 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
%131 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
%132 = stablehlo.multiply %127, %131 : tensor<2x5x8xf32>
%133 = stablehlo.multiply %130, %97 : tensor<2x5x1xf32>
%cst_29 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
%134 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%135 = stablehlo.divide %133, %134 : tensor<2x5x1xf32>
%cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%136 = stablehlo.reduce(%135 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5xf32>
%137 = stablehlo.broadcast_in_dim %136, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x8xf32>
%138 = stablehlo.multiply %86, %137 : tensor<2x5x8xf32>
%139 = stablehlo.add %132, %138 : tensor<2x5x8xf32>
%140 = stablehlo.multiply %137, %86 : tensor<2x5x8xf32>
%141 = stablehlo.add %139, %140 : tensor<2x5x8xf32>
%142 = stablehlo.negate %141 : tensor<2x5x8xf32>
%cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%143 = stablehlo.reduce(%142 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
%144 = stablehlo.reshape %143 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
%145 = stablehlo.add %80#3, %141 : tensor<2x5x8xf32>
%cst_32 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
%146 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
%147 = stablehlo.divide %144, %146 : tensor<2x5x1xf32>
%cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%148 = stablehlo.reduce(%147 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5xf32>
%149 = stablehlo.broadcast_in_dim %148, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x8xf32>
%150 = stablehlo.add %145, %149 : tensor<2x5x8xf32>
%151 = stablehlo.reshape %150 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
%152 = stablehlo.transpose %151, dims = [0, 2, 3, 1] : (tensor<2x5x2x4xf32>) -> tensor<2x2x4x5xf32>
%153 = stablehlo.dot_general %152, %11, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x5xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x5xf32>
%154 = stablehlo.dot_general %152, %26, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x5xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x4x5xf32>
%155 = stablehlo.transpose %154, dims = [0, 3, 1, 2] : (tensor<2x2x4x5xf32>) -> tensor<2x5x2x4xf32>
%156 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
%157 = stablehlo.multiply %153, %156 : tensor<2x2x5x5xf32>
%158 = stablehlo.multiply %157, %22 : tensor<2x2x5x5xf32>
%cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%159 = stablehlo.reduce(%158 init: %cst_34) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
%160 = stablehlo.reshape %159 : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
%161 = stablehlo.negate %160 : tensor<2x2x5x1xf32>
%162 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
%163 = stablehlo.divide %153, %162 : tensor<2x2x5x5xf32>
%cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%164 = stablehlo.reduce(%161 init: %cst_35) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x1xf32>, tensor<f32>) -> tensor<2x2x5xf32>
%165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x5xf32>
%166 = stablehlo.add %163, %165 : tensor<2x2x5x5xf32>
%167 = stablehlo.multiply %166, %22 : tensor<2x2x5x5xf32>
%168 = call @_where_2(%15#1, %167) : (tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
%169 = stablehlo.dot_general %168, %9, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x5x5xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
%170 = stablehlo.transpose %169, dims = [0, 2, 1, 3] : (tensor<2x2x5x4xf32>) -> tensor<2x5x2x4xf32>
%171 = stablehlo.dot_general %168, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x5x5xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
%172 = stablehlo.transpose %171, dims = [0, 2, 1, 3] : (tensor<2x2x5x4xf32>) -> tensor<2x5x2x4xf32>
%173 = stablehlo.concatenate %172, %170, %155, dim = 3 : (tensor<2x5x2x4xf32>, tensor<2x5x2x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x5x2x12xf32>
%174 = stablehlo.reshape %173 : (tensor<2x5x2x12xf32>) -> tensor<2x5x24xf32>
%175 = stablehlo.dot_general %174, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x24xf32>, tensor<2x5x8xf32>) -> tensor<24x8xf32>
%176 = stablehlo.transpose %175, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
%177 = stablehlo.dot_general %174, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x24xf32>, tensor<8x24xf32>) -> tensor<2x5x8xf32>
%178 = stablehlo.add %150, %177 : tensor<2x5x8xf32>
%cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%179 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
%180 = "stablehlo.scatter"(%179, %5, %178) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
%194 = stablehlo.add %arg6, %arg7 : tensor<f32>
stablehlo.return %194 : tensor<f32>
}) : (tensor<4x8xf32>, tensor<2x5x1xi32>, tensor<2x5x8xf32>) -> tensor<4x8xf32>
%181 = stablehlo.add %79, %180 : tensor<4x8xf32>
%cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%182 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
%183 = stablehlo.multiply %182, %181 : tensor<4x8xf32>
%184 = stablehlo.subtract %arg0, %183 : tensor<4x8xf32>
%cst_38 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%185 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
%186 = stablehlo.multiply %185, %176 : tensor<8x24xf32>
%187 = stablehlo.subtract %arg1, %186 : tensor<8x24xf32>
%cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%188 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
%189 = stablehlo.multiply %188, %126 : tensor<8x12xf32>
%190 = stablehlo.subtract %arg2, %189 : tensor<8x12xf32>
%cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
%191 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
%192 = stablehlo.multiply %191, %112 : tensor<12x8xf32>
%193 = stablehlo.subtract %arg3, %192 : tensor<12x8xf32>
return %184, %187, %190, %193, %69 : tensor<4x8xf32>, tensor<8x24xf32>, tensor<8x12xf32>, tensor<12x8xf32>, tensor<f32>
}
func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
%0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
%c = stablehlo.constant dense<0> : tensor<i32>
%1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
%2 = stablehlo.add %0, %1 : tensor<5x5xi32>
%3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
%4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
%c_0 = stablehlo.constant dense<false> : tensor<i1>
%5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
%6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
return %6 : tensor<5x5xi1>
}
func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x2x5x5xf32>, %arg2: tensor<f32>) -> (tensor<2x2x5x5xf32>, tensor<2x2x5x5xi1>) {
%0 = stablehlo.convert %arg2 : tensor<f32>
%1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
%2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
%3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
return %3, %1 : tensor<2x2x5x5xf32>, tensor<2x2x5x5xi1>
}
func.func private @log_softmax(%arg0: tensor<10x4xf32>) -> (tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x1xf32>) {
%cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
%0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<10x4xf32>, tensor<f32>) -> tensor<10xf32>
%cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<10xf32>
%2 = stablehlo.maximum %1, %0 : tensor<10xf32>
%3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<10xf32>) -> tensor<10x1xf32>
%4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<10x1xf32>) -> tensor<10x4xf32>
%5 = stablehlo.subtract %arg0, %4 : tensor<10x4xf32>
%6 = stablehlo.exponential %5 : tensor<10x4xf32>
%cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<10x4xf32>, tensor<f32>) -> tensor<10xf32>
%8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<10xf32>) -> tensor<10x1xf32>
%9 = stablehlo.log %8 : tensor<10x1xf32>
%10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<10x1xf32>) -> tensor<10x4xf32>
%11 = stablehlo.subtract %5, %10 : tensor<10x4xf32>
return %11, %6, %8 : tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x1xf32>
}
func.func private @take_along_axis(%arg0: tensor<10x4xf32>, %arg1: tensor<10x1xi32>) -> (tensor<10x1xf32>, tensor<10x1x1xi32>) {
%c = stablehlo.constant dense<0> : tensor<i32>
%0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<10x1xi32>
%1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<10x1xi32>, tensor<10x1xi32>) -> tensor<10x1xi1>
%c_0 = stablehlo.constant dense<4> : tensor<i32>
%2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<10x1xi32>
%3 = stablehlo.add %arg1, %2 : tensor<10x1xi32>
%4 = stablehlo.select %1, %3, %arg1 : tensor<10x1xi1>, tensor<10x1xi32>
%5 = stablehlo.reshape %4 : (tensor<10x1xi32>) -> tensor<10x1x1xi32>
%c_1 = stablehlo.constant dense<3> : tensor<1xi32>
%c_2 = stablehlo.constant dense<0> : tensor<i32>
%6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<10x1x1xi32>
%7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<10x1x1xi32>, tensor<10x1x1xi32>) -> tensor<10x1x1xi1>
%8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
%9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<10x1x1xi32>
%10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<10x1x1xi32>, tensor<10x1x1xi32>) -> tensor<10x1x1xi1>
%11 = stablehlo.and %7, %10 : tensor<10x1x1xi1>
%c_3 = stablehlo.constant dense<true> : tensor<i1>
%12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<10x1x1xi1>, tensor<i1>) -> tensor<10x1xi1>
%13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<10x4xf32>, tensor<10x1x1xi32>) -> tensor<10x1xf32>
%cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
%14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10x1xf32>
%15 = stablehlo.select %12, %13, %14 : tensor<10x1xi1>, tensor<10x1xf32>
return %15, %5 : tensor<10x1xf32>, tensor<10x1x1xi32>
}
func.func private @take_along_axis_0(%arg0: tensor<10x1x1xi32>, %arg1: tensor<10x1xf32>) -> tensor<10x4xf32> {
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10x4xf32>
%1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
%2 = stablehlo.add %arg2, %arg3 : tensor<f32>
stablehlo.return %2 : tensor<f32>
}) : (tensor<10x4xf32>, tensor<10x1x1xi32>, tensor<10x1xf32>) -> tensor<10x4xf32>
return %1 : tensor<10x4xf32>
}
func.func private @log_softmax_1(%arg0: tensor<10x4xf32>, %arg1: tensor<10x1xf32>, %arg2: tensor<10x4xf32>) -> tensor<10x4xf32> {
%0 = stablehlo.negate %arg2 : tensor<10x4xf32>
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<10x4xf32>, tensor<f32>) -> tensor<10xf32>
%2 = stablehlo.reshape %1 : (tensor<10xf32>) -> tensor<10x1xf32>
%3 = stablehlo.divide %2, %arg1 : tensor<10x1xf32>
%cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<10x1xf32>, tensor<f32>) -> tensor<10xf32>
%5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<10xf32>) -> tensor<10x4xf32>
%6 = stablehlo.multiply %5, %arg0 : tensor<10x4xf32>
%7 = stablehlo.add %arg2, %6 : tensor<10x4xf32>
return %7 : tensor<10x4xf32>
}
func.func private @_where_2(%arg0: tensor<2x2x5x5xi1>, %arg1: tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32> {
%cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
%0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
%1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
return %1 : tensor<2x2x5x5xf32>
}
}
