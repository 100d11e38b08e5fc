module @special {
func.func @main(%x: tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xi32>, tensor<5xi32>, tensor<6xf32>, tensor<6xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5x5xf32>, tensor<5x6xi32>, tensor<5x6xi32>) {
%two = stablehlo.constant dense<2.0> : tensor<5x6xf32>
%nine = stablehlo.constant dense<9.0> : tensor<5x6xf32>
%half = stablehlo.constant dense<0.5> : tensor<5x6xf32>
%x2 = stablehlo.multiply %x, %two : tensor<5x6xf32>
%x9 = stablehlo.multiply %x, %nine : tensor<5x6xf32>
%x1 = stablehlo.add %x, %two : tensor<5x6xf32>
%f0 = chlo.asin %x2 : tensor<5x6xf32> -> tensor<5x6xf32>
%f1 = chlo.acos %x2 : tensor<5x6xf32> -> tensor<5x6xf32>
%f2 = chlo.sinh %x9 : tensor<5x6xf32> -> tensor<5x6xf32>
%f3 = chlo.cosh %x9 : tensor<5x6xf32> -> tensor<5x6xf32>
%f4 = chlo.asinh %x9 : tensor<5x6xf32> -> tensor<5x6xf32>
%f5 = chlo.acosh %x1 : tensor<5x6xf32> -> tensor<5x6xf32>
%f6 = chlo.atanh %x : tensor<5x6xf32> -> tensor<5x6xf32>
%f7 = stablehlo.cbrt %x9 : tensor<5x6xf32>
%f8 = stablehlo.round_nearest_afz %x9 : tensor<5x6xf32>
%f9 = chlo.erfc %x : tensor<5x6xf32> -> tensor<5x6xf32>
%zero = stablehlo.constant dense<0.0> : tensor<5x6xf32>
%minus = stablehlo.negate %zero : tensor<5x6xf32>
%o1 = stablehlo.compare GE, %x, %minus, TOTALORDER : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xi1>
%n1 = stablehlo.convert %o1 : (tensor<5x6xi1>) -> tensor<5x6xi32>
%true = stablehlo.constant dense<true> : tensor<i1>
%false = stablehlo.constant dense<false> : tensor<i1>
%most = stablehlo.constant dense<1.45> : tensor<5x6xf32>
%o2 = stablehlo.compare LE, %f9, %most, FLOAT : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xi1>
%all = stablehlo.reduce(%o2 init: %true) across dimensions = [1] : (tensor<5x6xi1>, tensor<i1>) -> tensor<5xi1>
reducer(%a: tensor<i1>, %b: tensor<i1>) {
%r0 = stablehlo.and %a, %b : tensor<i1>
%r1 = stablehlo.select %r0, %true, %false : tensor<i1>, tensor<i1>
stablehlo.return %r1 : tensor<i1>
}
%n2 = stablehlo.convert %all : (tensor<5xi1>) -> tensor<5xi32>
%fz = stablehlo.constant dense<0.0> : tensor<f32>
%fm = stablehlo.constant dense<0x7F800000> : tensor<f32>
%i0 = stablehlo.constant dense<0> : tensor<i32>
%p:2 = stablehlo.reduce(%x init: %fz), (%x9 init: %fm) across dimensions = [0] : (tensor<5x6xf32>, tensor<5x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<6xf32>, tensor<6xf32>)
reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<f32>, %d: tensor<f32>) {
%r0 = stablehlo.add %a, %c : tensor<f32>
%r1 = stablehlo.minimum %b, %d : tensor<f32>
stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32>
}
%places = stablehlo.iota dim = 1 : tensor<5x6xi32>
%q:2 = stablehlo.reduce(%o1 init: %false), (%places init: %i0) across dimensions = [1] : (tensor<5x6xi1>, tensor<5x6xi32>, tensor<i1>, tensor<i32>) -> (tensor<5xi1>, tensor<5xi32>)
reducer(%a: tensor<i1>, %c: tensor<i1>) (%b: tensor<i32>, %d: tensor<i32>) {
%r0 = stablehlo.compare GT, %a, %c, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
%r1 = stablehlo.compare EQ, %a, %c, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
%r2 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%r3 = stablehlo.and %r1, %r2 : tensor<i1>
%r4 = stablehlo.or %r0, %r3 : tensor<i1>
%r5 = stablehlo.select %r0, %a, %c : tensor<i1>, tensor<i1>
%r6 = stablehlo.select %r4, %b, %d : tensor<i1>, tensor<i32>
stablehlo.return %r5, %r6 : tensor<i1>, tensor<i32>
}
%n3 = stablehlo.convert %q#0 : (tensor<5xi1>) -> tensor<5xi32>
%dot = stablehlo.dot_general %x, %places, contracting_dims = [1] x [1] : (tensor<5x6xf32>, tensor<5x6xi32>) -> tensor<5x5xf32>
%inf = stablehlo.divide %x, %zero : tensor<5x6xf32>
%e0 = chlo.is_pos_inf %inf : tensor<5x6xf32> -> tensor<5x6xi1>
%e1 = chlo.is_inf %inf : tensor<5x6xf32> -> tensor<5x6xi1>
%n4 = stablehlo.convert %e0 : (tensor<5x6xi1>) -> tensor<5x6xi32>
%n5 = stablehlo.convert %e1 : (tensor<5x6xi1>) -> tensor<5x6xi32>
return %f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9, %n1, %n2, %p#0, %p#1, %n3, %q#1, %dot, %n4, %n5 : tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xi32>, tensor<5xi32>, tensor<6xf32>, tensor<6xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5x5xf32>, tensor<5x6xi32>, tensor<5x6xi32>
}
}
