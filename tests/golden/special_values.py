"""Asks JAX what functions of single numbers and rows give for infinities, NaN, zeros of both signs, and numbers near
the borders of their types; and the slopes of those of one number.

    JAX_PLATFORMS=cpu python tests/golden/special_values.py

writes special_values.lua, which tests/lua/special_values_spec.lua reads. Subnormal numbers are left out: XLA takes them
for 0 on a CPU.
"""
import os
import textwrap

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
HERE = os.path.dirname(os.path.abspath(__file__))
INF, NAN = float("inf"), float("nan")

NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -3.7, 1e-8, -1e-8, 1e-3, 11.5, 20.0, -20.0, 63.0, 65.0, 88.0,
           89.0, -88.0, -104.0, 0.999999, -0.999999, 12345.678, 1e10, -1e30, 3e38, 1e-37, INF, -INF, NAN]
OPERANDS = [0.0, -0.0, 1.0, -2.0, 0.5, 3.0, -7.5, INF, -INF, NAN, 1e38]
INTEGERS = [0, 1, -1, 2, -3, 7, 100, -100, 2**31 - 1, -2**31]
ROWS = [[1, 2, 3], [NAN, 1, 2], [1, NAN, 0], [1, 1, NAN], [NAN, NAN, NAN], [INF, 1, 2], [-INF, 1, 2], [INF, -INF, 0],
        [-INF, -INF, -INF], [INF, INF, INF], [0, 0, 0], [1e38, 1e38, 1e38], [1e4, -1e4, 0], [-1e30, 1, 1], [2, 2, 1],
        [1000.1, 1000.2, 1000.3]]

SMOOTH = {
    "acos": jnp.arccos, "asin": jnp.arcsin, "atan": jnp.arctan, "cos": jnp.cos, "sin": jnp.sin, "tan": jnp.tan,
    "acosh": jnp.arccosh, "asinh": jnp.arcsinh, "atanh": jnp.arctanh, "cosh": jnp.cosh, "sinh": jnp.sinh,
    "tanh": jnp.tanh, "erf": jax.scipy.special.erf, "erf_inv": jax.scipy.special.erfinv, "exp": jnp.exp,
    "expm1": jnp.expm1, "log": jnp.log, "log1p": jnp.log1p,
    "log2": jnp.log2, "log10": jnp.log10, "negative": jnp.negative, "reciprocal": jnp.reciprocal,
    "rsqrt": jax.lax.rsqrt, "sqrt": jnp.sqrt, "square": jnp.square, "sigmoid": jax.nn.sigmoid,
    "softplus": jax.nn.softplus,
}
STEPS = {
    "abs": jnp.abs, "ceil": jnp.ceil, "floor": jnp.floor, "round": jnp.round, "sign": jnp.sign, "relu": jax.nn.relu,
    "trunc": jnp.trunc, "is_nan": jnp.isnan, "is_inf": jnp.isinf, "is_finite": jnp.isfinite,
}
OF_TWO = {
    "add": jnp.add, "subtract": jnp.subtract, "multiply": jnp.multiply, "divide": jnp.divide, "maximum": jnp.maximum,
    "minimum": jnp.minimum, "power": jnp.power, "mod": jnp.mod, "remainder": jax.lax.rem,
    "floor_divide": jnp.floor_divide, "atan2": jnp.arctan2, "less": jnp.less, "less_equal": jnp.less_equal,
    "greater": jnp.greater, "equal": jnp.equal, "not_equal": jnp.not_equal,
}
OF_TWO_INTEGERS = ["add", "subtract", "multiply", "maximum", "minimum", "mod", "remainder", "floor_divide", "less"]
OF_ROWS = {
    "logsumexp": lambda x: jax.nn.logsumexp(x, -1), "softmax": lambda x: jax.nn.softmax(x, -1),
    "log_softmax": lambda x: jax.nn.log_softmax(x, -1), "sum": lambda x: x.sum(-1), "mean": lambda x: x.mean(-1),
    "max": lambda x: x.max(-1), "min": lambda x: x.min(-1), "prod": lambda x: x.prod(-1),
    "argmax": lambda x: x.argmax(-1), "argmin": lambda x: x.argmin(-1), "sort": lambda x: jnp.sort(x, -1),
    "argsort": lambda x: jnp.argsort(x, -1), "cumsum": lambda x: jnp.cumsum(x, -1), "std": lambda x: x.std(-1),
    "var": lambda x: x.var(-1), "any": lambda x: x.any(-1), "all": lambda x: x.all(-1),
    "count_nonzero": lambda x: jnp.count_nonzero(x, -1), "norm": lambda x: jnp.linalg.norm(x, axis=-1),
}


def text(number):
    if number != number:
        return "NAN"
    if np.isinf(number):
        return "INF" if number > 0 else "-INF"
    if number == 0 and np.signbit(number):
        return "MINUS_0"
    return "%d" % number if number == int(number) and abs(number) < 1e15 else "%.17g" % number


def numbers(values):
    return "{ %s }" % ", ".join(text(v) for v in np.asarray(values).astype("float64").ravel())


def of_type(values, dtype):
    """Integers wrapped into the range of their type."""
    if not dtype.startswith(("int", "uint")):
        return jnp.array(np.array(values, "float64")).astype(dtype)
    info = np.iinfo(dtype)
    return jnp.array(np.array([(v - info.min) % 2**info.bits + info.min for v in values], dtype))


def pairs(values):
    return [a for a in values for _ in values], [b for _ in values for b in values]


def wrapped(line):
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(line.lstrip(), 120, initial_indent=indent[2:], subsequent_indent=indent) if line else line


def main():
    out = ["-- Made by special_values.py of JAX %s; change that." % jax.__version__, "local INF, NAN = 1 / 0, 0 / 0",
           "local MINUS_0 = -1 / INF -- Lua 5.1 takes -0.0 for 0", "", "return {",
           "  rows = { %s }," % ", ".join(numbers(row) for row in ROWS), "  cases = {"]

    def add(name, dtype, operands, result, slope=None):
        rest = "" if slope is None else ", slope = %s" % numbers(slope)
        out.append('    { name = "%s", dtype = "%s", operands = %s, result = %s%s },'
                   % (name, dtype, operands, numbers(result), rest))

    for name in sorted(SMOOTH | STEPS):
        function = (SMOOTH | STEPS)[name]
        for dtype in ("float32", "float64", "bfloat16"):
            x = of_type(NUMBERS, dtype)
            slope = None
            if name in SMOOTH and dtype == "float32":
                slope = jax.vmap(jax.grad(function))(x)
            add(name, dtype, "1", function(x), slope)
    for name in sorted(OF_TWO):
        for dtype in ("float32", "bfloat16"):
            a, b = (of_type(values, dtype) for values in pairs(OPERANDS))
            add(name, dtype, "2", OF_TWO[name](a, b))
    for name in OF_TWO_INTEGERS:
        for dtype in ("int32", "int8", "uint8"):
            a, b = (of_type(values, dtype) for values in pairs(INTEGERS))
            b = jnp.where(b == 0, 1, b) if name in ("mod", "remainder", "floor_divide") else b
            add(name, dtype, "2", OF_TWO[name](a, b))
    for name in sorted(OF_ROWS):
        add(name, "float32", "3", OF_ROWS[name](of_type(ROWS, "float32")))
    out += ["  },", "  numbers = %s," % numbers(NUMBERS), "  operands = %s," % numbers(OPERANDS),
            "  integers = %s," % numbers(INTEGERS), "}"]
    with open(os.path.join(HERE, "special_values.lua"), "w") as file:
        file.write("".join(wrapped(line) + "\n" for line in out))


main()
