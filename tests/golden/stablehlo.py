"""Writes StableHLO modules as JAX prints them, and what XLA computes with them on a CPU.

    python tests/golden/stablehlo.py

Writes stablehlo/*.mlir and stablehlo.def, whose rows are STABLEHLO(module, output, first element, sum, weighted sum,
sum of magnitudes). Arguments are made of their number and place, as in test_exchange_numbers.c.
"""
import functools
import pathlib
import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import compiler
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir

HERE = pathlib.Path(__file__).parent
F32 = jnp.float32


def argument(number, shape, dtype):
    """(u - 1/2) or u * 4 rounded down, u = a multiplicative hash of the place in 0 .. 1."""
    places = np.arange(int(np.prod(shape)), dtype=np.uint64)
    u = ((places * 2654435761 + 12345 * (number + 1)) % 2**32).astype(np.float64) / 2**32
    values = u - 0.5 if np.dtype(dtype).kind in "fV" else np.floor(u * 4)
    return jnp.asarray(values.reshape(shape), dtype=dtype)


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))


def squares(y, labels):
    return jnp.mean((y - jax.nn.one_hot(labels, y.shape[-1])) ** 2)


def mlp_adam(w1, b1, w2, m1, v1, x, labels):
    def loss(w1, b1, w2):
        y = jnp.tanh(x @ w1 + b1).astype(jnp.bfloat16)
        return squares((y @ w2.astype(jnp.bfloat16)).astype(F32), labels)
    value, (g1, gb, g2) = jax.value_and_grad(loss, (0, 1, 2))(w1, b1, w2)
    m1 = 0.9 * m1 + 0.1 * g1
    v1 = 0.999 * jnp.abs(v1) + 0.001 * g1 * g1
    return w1 - 0.01 * m1 / (jnp.sqrt(v1) + 1e-8), b1 - 0.1 * gb, w2 - 0.1 * g2, m1, v1, value


def conv(x, k, strides=(1, 1), padding="SAME", numbers=("NHWC", "HWIO", "NHWC"), **options):
    return lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=numbers, **options)


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def cnn_sgd(k1, k2, k3, w, x, labels):
    def loss(k1, k2, k3, w):
        y = jax.nn.relu(conv(x, k1, (2, 2)))
        y = conv(max_pool(conv(y, k2, rhs_dilation=(2, 2))), k3, feature_group_count=2)
        y = lax.reduce_window(y, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "VALID") / 4
        return squares(jnp.mean(y, (1, 2)) @ w, labels)
    value, grads = jax.value_and_grad(loss, (0, 1, 2, 3))(k1, k2, k3, w)
    return *(p - 0.1 * g for p, g in zip((k1, k2, k3, w), grads)), value


def norm(x):
    x = x - jnp.mean(x, -1, keepdims=True)
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)


def gpt_sgd(table, qkv, up, down, tokens, targets):
    @jax.checkpoint
    def feed_forward(x, up, down):
        return x + jax.nn.gelu(norm(x) @ up, approximate=False) @ down

    def loss(table, qkv, up, down):
        x = table[tokens]
        b, t, d = x.shape
        q, k, v = jnp.split((x @ qkv).reshape(b, t, 2, -1), 3, axis=-1)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k)
        scores = jnp.where(jnp.tril(jnp.ones((t, t), bool)), scores, -1e9)
        y = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(b, t, d)
        x = feed_forward(x + y, up, down)
        return cross_entropy((x @ table.T).reshape(-1, table.shape[0]), targets.reshape(-1))
    value, grads = jax.value_and_grad(loss, (0, 1, 2, 3))(table, qkv, up, down)
    return *(p - 0.1 * g for p, g in zip((table, qkv, up, down), grads)), value


def control(x, w, i):
    def body(carry, _):
        return jnp.tanh(carry @ w) + x.sum() / 9, carry[0]
    y, rows = lax.scan(body, x, None, length=3)
    z = lax.cond(y.sum() > 0, lambda q: q * 2, lambda q: q - y, x)
    s = lax.switch(i[0], [lambda q: q, lambda q: q + x, lambda q: q * 3, lambda q: q @ w], y)
    n = lax.while_loop(lambda v: v.sum() < 9, lambda v: v * 2 + jnp.abs(x), jnp.abs(y) + 0.1)
    picked = lax.dynamic_slice(y, (i[1], 0), (1, 4)), lax.dynamic_update_slice(y, x[:1], (i[1], 0))
    return y, rows, z, s, n, *picked


def orders(x, i):
    top, places = lax.top_k(x, 2)
    return (jnp.argsort(x, axis=0), jnp.argmax(x, axis=1), jnp.argmin(x, axis=0),
            top, places, jnp.cumsum(x, axis=0), lax.cumsum(x, axis=1, reverse=True),
            x[i], x[:, i], x.at[i + 2].add(1.0), jnp.take(x, i + 3, axis=1, mode="clip"), x.at[:, i].set(0.5),
            lax.reduce(x, 1.0, lambda a, b: a * b + a, (1,)), jnp.any(x > 0.4, axis=0), x.max(), x.min(0))


def windows(cache, row, block, n, i):
    """Updates of one window, inside and not, of one axis and of several."""
    layer, place = n[0], n[1]
    outside = i[0] + 5
    return (cache.at[1, :, place].set(row), cache.at[layer, :, place].set(row), cache.at[layer, :, outside].set(row),
            cache.at[:, :, place].set(0.25), cache.at[:, :, outside].set(0.25),
            cache.at[layer].set(block),
            lax.fori_loop(0, 7, lambda at, c: c.at[1, :, at].set(row + at), cache))


def layouts(x, k, line, k1, cube, k3, up):
    """Channels first, one and three spatial axes, transposed and grouped convolutions."""
    y = conv(x, k, (2, 1), ((1, 0), (2, 1)), ("NCHW", "OIHW", "NCHW"))
    z = lax.reduce_window(y, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), ((0, 0), (0, 0), (0, 1), (1, 0)))
    a = conv(line, k1, (1,), "SAME", ("NWC", "WIO", "NWC"))
    b = conv(cube, k3, (1, 2, 1), "VALID", ("NDHWC", "DHWIO", "NDHWC"))
    c = lax.conv_transpose(jnp.transpose(y, (0, 2, 3, 1)), up, (2, 2), "SAME")
    d = jax.grad(lambda k: conv(x, k, (2, 2), "SAME", ("NCHW", "OIHW", "NCHW")).sum())(k)
    e = jax.grad(lambda x: jnp.sin(conv(x, k, (2, 2), "SAME", ("NCHW", "OIHW", "NCHW"))).sum())(x)
    f = lax.reduce_window(x, 0.0, lax.add, (1, 1, 2, 2), (1, 1, 1, 1), "SAME", base_dilation=(1, 1, 2, 1))
    return y, z, a, b, c, d, e, f


S = jax.ShapeDtypeStruct
I32 = jnp.int32
CASES = [
    (mlp_adam, "pretty", [S((6, 8), F32), S((8,), F32), S((8, 4), F32), S((6, 8), F32), S((6, 8), F32),
                         S((10, 6), F32), S((10,), I32)], (0, 1, 2, 3, 4)),
    (cnn_sgd, "pretty", [S((3, 3, 2, 4), F32), S((3, 3, 4, 6), F32), S((2, 2, 3, 4), F32), S((4, 4), F32),
                         S((3, 13, 12, 2), F32), S((3,), I32)], (0, 1, 2, 3)),
    (gpt_sgd, "pretty", [S((4, 8), F32), S((8, 24), F32), S((8, 12), F32), S((12, 8), F32),
                         S((2, 5), I32), S((2, 5), I32)], (0, 1, 2, 3)),
    (control, "pretty", [S((4, 4), F32), S((4, 4), F32), S((2,), I32)], ()),
    (orders, "pretty", [S((4, 5), F32), S((3,), I32)], ()),
    (layouts, "generic", [S((2, 3, 7, 6), F32), S((4, 3, 3, 2), F32), S((2, 5, 3), F32), S((3, 3, 2), F32),
                          S((1, 3, 5, 4, 2), F32), S((2, 3, 2, 2, 3), F32), S((3, 3, 4, 2), F32)], ()),
    (windows, "pretty", [S((3, 4, 5, 6), F32), S((4, 6), F32), S((4, 5, 6), F32), S((2,), I32), S((1,), I32)], ()),
]


# As PyTorch/XLA prints normalisation and ops of other dialects.
PRINTED = {"batch_norm": """module @batch_norm {
  func.func @main(%x: tensor<4x3x5x2xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>, %g: tensor<4x3x5x2xf32>) \
-> (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, \
tensor<4x3x5x2xf32>, tensor<4x3x5x2xf32>, tensor<4x3x5x1xf32>, tensor<4x3x5x1xi32>) {
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%x, %scale, %offset) \
<{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>) \
-> (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>)
    %h = stablehlo.multiply %x, %g : tensor<4x3x5x2xf32>
    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%x, %scale, %batch_mean, %batch_var, %h) \
<{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, \
tensor<3xf32>, tensor<4x3x5x2xf32>) -> (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>)
    %0 = "stablehlo.batch_norm_inference"(%g, %scale, %offset, %batch_mean, %batch_var) \
<{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, \
tensor<3xf32>, tensor<3xf32>) -> tensor<4x3x5x2xf32>
    %1 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4x3x5x2xf32>) \
-> tensor<4x3x5x2xf32>
    %2:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 1 : i64, largest = true}, \
mhlo.version = 1 : i64} : (tensor<4x3x5x2xf32>) -> (tensor<4x3x5x1xf32>, tensor<4x3x5x1xi32>)
    return %output, %batch_mean, %batch_var, %grad_operand, %grad_scale, %grad_offset, %0, %1, %2#0, %2#1 : \
tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3x5x2xf32>, tensor<3xf32>, tensor<3xf32>, \
tensor<4x3x5x2xf32>, tensor<4x3x5x2xf32>, tensor<4x3x5x1xf32>, tensor<4x3x5x1xi32>
  }
}
""",
           # Functions that the op table has not, folds of bools and of several arrays, and numbers of two types.
           "special": """module @special {
func.func @main(%x: tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, \
tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, \
tensor<5x6xi32>, tensor<5xi32>, tensor<6xf32>, tensor<6xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5x5xf32>, \
tensor<5x6xi32>, tensor<5x6xi32>) {
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
%p:2 = stablehlo.reduce(%x init: %fz), (%x9 init: %fm) across dimensions = [0] : (tensor<5x6xf32>, tensor<5x6xf32>, \
tensor<f32>, tensor<f32>) -> (tensor<6xf32>, tensor<6xf32>)
reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<f32>, %d: tensor<f32>) {
%r0 = stablehlo.add %a, %c : tensor<f32>
%r1 = stablehlo.minimum %b, %d : tensor<f32>
stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32>
}
%places = stablehlo.iota dim = 1 : tensor<5x6xi32>
%q:2 = stablehlo.reduce(%o1 init: %false), (%places init: %i0) across dimensions = [1] : (tensor<5x6xi1>, \
tensor<5x6xi32>, tensor<i1>, tensor<i32>) -> (tensor<5xi1>, tensor<5xi32>)
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
%dot = stablehlo.dot_general %x, %places, contracting_dims = [1] x [1] : (tensor<5x6xf32>, tensor<5x6xi32>) -> \
tensor<5x5xf32>
%inf = stablehlo.divide %x, %zero : tensor<5x6xf32>
%e0 = chlo.is_pos_inf %inf : tensor<5x6xf32> -> tensor<5x6xi1>
%e1 = chlo.is_inf %inf : tensor<5x6xf32> -> tensor<5x6xi1>
%n4 = stablehlo.convert %e0 : (tensor<5x6xi1>) -> tensor<5x6xi32>
%n5 = stablehlo.convert %e1 : (tensor<5x6xi1>) -> tensor<5x6xi32>
return %f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9, %n1, %n2, %p#0, %p#1, %n3, %q#1, %dot, %n4, %n5 : \
tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, \
tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xi32>, tensor<5xi32>, tensor<6xf32>, \
tensor<6xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5x5xf32>, tensor<5x6xi32>, tensor<5x6xi32>
}
}
"""}


def run_text(text, arguments):
    """What XLA computes with a module."""
    device = jax.devices("cpu")[0]
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        options = compiler.get_compile_options(1, 1, device_assignment=np.array([[device.id]]))
        program = compiler.backend_compile_and_load(device.client, module, xla_client.DeviceList((device,)),
                                                        options, [])
    return [arrays[0] for arrays in program.execute_sharded(arguments).disassemble_into_single_device_arrays()]


def text_of(lowered, form):
    if form == "generic":
        return lowered.compiler_ir().operation.get_asm(print_generic_op_form=True)
    text = lowered.as_text(debug_info=form == "debug").replace(__file__, "stablehlo.py")
    return "\n".join(line.strip() for line in text.splitlines())  # small files


def rows_of(name, results):
    rows = []
    for i, result in enumerate(results):
        values = np.asarray(result, dtype=np.float64).ravel()
        weights = 1 + np.arange(values.size) % 7
        rows.append(f"STABLEHLO({name}, {i}, {values[0]:.9g}, {values.sum():.9g}, "
                    f"{(values * weights).sum():.9g}, {np.abs(values).sum():.9g})\n")
    return rows


def main():
    rows = ["/* Written by stablehlo.py. */\n"]
    (HERE / "stablehlo").mkdir(exist_ok=True)
    for function, form, shapes, donated in CASES:
        jitted = jax.jit(function, donate_argnums=donated)
        (HERE / "stablehlo" / f"{function.__name__}.mlir").write_text(text_of(jitted.lower(*shapes), form) + "\n")
        results = jax.jit(function)(*(argument(i, s.shape, s.dtype) for i, s in enumerate(shapes)))
        rows += rows_of(function.__name__, results)
    for name, text in PRINTED.items():
        (HERE / "stablehlo" / f"{name}.mlir").write_text(text)
        shapes = re.findall(r"%\w+: tensor<([0-9x]+)xf32>", text.split("->")[0])
        rows += rows_of(name, run_text(text, [argument(i, [int(d) for d in s.split("x")], F32)
                                              for i, s in enumerate(shapes)]))
    (HERE / "stablehlo.def").write_text("".join(rows))


if __name__ == "__main__":
    main()
