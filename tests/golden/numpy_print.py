#!/usr/bin/env python3
"""numpy_print - arrays as NumPy prints them, of random values of every type: tests/golden/numpy_print.lua.

    build/peers/bin/python tests/golden/numpy_print.py > tests/golden/numpy_print.lua

bfloat16 is ml_dtypes', which NumPy prints as objects: it is left out.
"""

import numpy as np

RNG = np.random.default_rng(18)
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"]
FLOATS = ["float16", "float32", "float64"]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n") + '"'


def number(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    value = float(value)
    if value != value:
        return "0/0"
    if value in (float("inf"), float("-inf")):
        return "1/0" if value > 0 else "-1/0"
    if value == 0 and np.signbit(value):
        return '"-0"'  # Lua 5.1 takes -0 and 0 for one constant
    return repr(value)


def case(array, **options):
    values = ",".join(number(v) for v in np.asarray(array).reshape(-1))
    shape = ",".join(str(n) for n in array.shape)
    names = {"edgeitems": "edge_items", "linewidth": "line_width"}
    given = ",".join(f"{names.get(k, k)}={str(v).lower()}" for k, v in options.items())
    with np.printoptions(**options):
        text = str(array)
    print(f'{{"{array.dtype}",{{{shape}}},{{{values}}},{quoted(text)},{{{given}}}}},')


def random_shape(most):
    return tuple(int(n) for n in RNG.integers(0 if RNG.random() < 0.05 else 1, most, RNG.integers(0, 4)))


def floats(dtype, shape):
    kind = RNG.integers(0, 7)
    if kind == 0:
        x = RNG.normal(size=shape)
    elif kind == 1:
        x = RNG.integers(-20, 20, shape) / 4
    elif kind == 2:
        x = RNG.normal(size=shape) * 10.0 ** RNG.integers(-8, 9)
    elif kind == 3:
        x = 10.0 ** RNG.uniform(-5, 5, shape)
    elif kind == 4:
        x = 2.0 ** RNG.integers(-30, 30, shape)
    elif kind == 5:
        x = RNG.integers(0, 100, shape).astype("float64")
    else:
        info = np.finfo(dtype)
        bits = RNG.integers(0, 2 ** (info.bits - 1), shape, dtype="uint64") | (
            RNG.integers(0, 2, shape).astype("uint64") << np.uint64(info.bits - 1)
        )
        return np.asarray(bits).astype(f"uint{info.bits}").view(dtype)
    x = np.array(x, dtype="float64")
    with np.errstate(over="ignore"):
        x = x.astype(dtype)
    if RNG.random() < 0.3 and x.size:
        flat = x.reshape(-1)
        for word in (np.nan, np.inf, -np.inf, -0.0):
            if RNG.random() < 0.4:
                flat[RNG.integers(0, x.size)] = word
    return x


def main():
    print("-- Made by numpy_print.py with NumPy " + np.__version__ + ": { dtype, shape, values, text, options }.")
    print("return {")
    for dtype in FLOATS:
        for _ in range(120):
            case(floats(dtype, random_shape(7)))
        for value in (0, -0.0, 1e-5, 1e-4, 0.1, 1 / 3, 123, 1000, 65504, 999999, 1e6, 123456.789):
            case(np.array(value, dtype=dtype))
        for precision in (0, 1, 3, 12):
            case(floats(dtype, (5, 3)), precision=precision)
            case(floats(dtype, (4,)), precision=precision, suppress=True)
        case(floats(dtype, (11, 4)), threshold=20, edgeitems=2, linewidth=40)
        case(floats(dtype, (3, 2, 9)), threshold=5, edgeitems=1)
        case(np.array([np.nan, np.inf], dtype=dtype))
        case(np.array([-np.inf, np.nan], dtype=dtype))
    case(np.arange(1200, dtype="float32"))
    case((np.arange(1000, dtype="float32") / 7).reshape(4, 250))
    case(np.array([16777216, 33554432, 2.0**-126, 2.0**-149, 3.4028235e38], dtype="float32"))
    case(np.array([5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993], dtype="float64"))
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        bound = min(info.max, 2**53)
        for _ in range(12):
            low, high = (max(info.min, -bound), bound) if RNG.random() < 0.5 else (max(info.min, -9), 99)
            case(RNG.integers(low, high, random_shape(8), dtype=dtype))
    for _ in range(12):
        case(RNG.integers(0, 2, random_shape(8)).astype(bool))
    print("}")


main()
