module @batch_norm {
  func.func @main(%x: tensor<4x3x5x2xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>, %g: tensor<4x3x5x2xf32>) -> (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3x5x2xf32>, tensor<4x3x5x2xf32>, tensor<4x3x5x1xf32>, tensor<4x3x5x1xi32>) {
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>)
    %h = stablehlo.multiply %x, %g : tensor<4x3x5x2xf32>
    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%x, %scale, %batch_mean, %batch_var, %h) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3x5x2xf32>) -> (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>)
    %0 = "stablehlo.batch_norm_inference"(%g, %scale, %offset, %batch_mean, %batch_var) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3x5x2xf32>
    %1 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4x3x5x2xf32>) -> tensor<4x3x5x2xf32>
    %2:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 1 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<4x3x5x2xf32>) -> (tensor<4x3x5x1xf32>, tensor<4x3x5x1xi32>)
    return %output, %batch_mean, %batch_var, %grad_operand, %grad_scale, %grad_offset, %0, %1, %2#0, %2#1 : tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3x5x2xf32>, tensor<4x3x5x2xf32>, tensor<4x3x5x1xf32>, tensor<4x3x5x1xi32>
  }
}
