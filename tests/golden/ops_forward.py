"""Computes what the primitive ops must give, with NumPy, mpmath and plain loops, and writes ops_forward.def.

    python tests/golden/ops_forward.py > tests/golden/ops_forward.def

A row is GOLDEN(op, what, attributes, inputs, outputs); an array is ARRAY(type, rank, dims, elements). Elements are
doubles that the type holds; results are exact or in double precision (the test rounds).
"""
import itertools
import math

import mpmath
import numpy as np

rng = np.random.default_rng(20)
NAMES = {"bool": "BOOL", "int8": "S8", "int16": "S16", "int32": "S32", "int64": "S64", "uint8": "U8",
         "uint16": "U16", "uint32": "U32", "uint64": "U64", "float16": "F16", "bfloat16": "BF16",
         "float32": "F32", "float64": "F64"}


class Typed:
    """An array of doubles with the name of the type that is stored."""

    def __init__(self, dtype, values):
        self.dtype, self.values = dtype, np.asarray(values, dtype=np.float64)


def number(x):
    if math.isnan(x):
        return "NAN"
    if math.isinf(x):
        return "INFINITY" if x > 0 else "-INFINITY"
    text = repr(float(x))
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def array(typed):
    values = typed.values
    elements = ", ".join(number(x) for x in values.reshape(-1)) or "0"
    dims = ", ".join(str(d) for d in values.shape) or "0"
    return f"ARRAY(POD_{NAMES[typed.dtype]}, {values.ndim}, ({dims}), ({elements}))"


def golden(op, what, inputs, outputs, **attributes):
    fields = ", ".join(f".{k} = {v}" for k, v in attributes.items()) or ".axis = 0"
    print(f'GOLDEN({op}, "{what}", ({fields}),\n       ({", ".join(array(i) for i in inputs) or "NO_ARRAY"}),')
    print(f'       ({", ".join(array(o) for o in outputs)}))')


def axes(*list_):
    return "{%d, {%s}}" % (len(list_), ", ".join(map(str, list_)) or "0")


def shape(*dims):
    return axes(*dims)


def sizes(*values):
    return "{%s}" % ", ".join(map(str, values))


def whole(dtype, *dims, low=-4, high=5):
    return Typed(dtype, rng.integers(low, high, size=dims))


def real(dtype, *dims):
    """Multiples of 1/8, which all float types hold."""
    return Typed(dtype, rng.integers(-24, 25, size=dims) / 8)


inf, nan = math.inf, math.nan
FLOATS = ["float16", "bfloat16", "float32", "float64"]


def each(function, *lists):
    with np.errstate(all="ignore"):
        return [function(*row) for row in zip(*lists)]


def elementwise():
    x = [-inf, -3.5, -2.5, -1.0, -0.5, -0.125, 0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 3.75, inf, nan]
    f = np.float64
    functions = {
        "negate": lambda v: -v, "abs": abs, "sign": lambda v: v if v != v else float(np.sign(v)),
        "exp": lambda v: np.exp(f(v)), "expm1": lambda v: np.expm1(f(v)), "log": lambda v: np.log(f(v)),
        "log1p": lambda v: np.log1p(f(v)), "sqrt": lambda v: np.sqrt(f(v)),
        "rsqrt": lambda v: 1 / np.sqrt(f(v)), "sin": lambda v: np.sin(f(v)), "cos": lambda v: np.cos(f(v)),
        "tan": lambda v: np.tan(f(v)), "tanh": lambda v: np.tanh(f(v)),
        "logistic": lambda v: 1 / (1 + np.exp(-f(v))),
        "erf": lambda v: v if v != v else math.erf(v),
        "erf_inv": lambda v: float(mpmath.erfinv(v)) if abs(v) <= 1 else nan,
        "floor": lambda v: np.floor(f(v)), "ceil": lambda v: np.ceil(f(v)), "round": lambda v: np.rint(f(v)),
    }
    for op, function in functions.items():
        for dtype in FLOATS:
            golden(op, f"{dtype}", [Typed(dtype, x)], [Typed(dtype, each(function, x))])
    for dtype in FLOATS:
        golden("is_finite", dtype, [Typed(dtype, x)], [Typed("bool", np.isfinite(x))])
    golden("negate", "int32", [Typed("int32", [-2**31, -1, 0, 5])], [Typed("int32", [-2**31, 1, 0, -5])])
    golden("negate", "uint8 wraps", [Typed("uint8", [0, 1, 255])], [Typed("uint8", [0, 255, 1])])
    golden("abs", "int8", [Typed("int8", [-128, -1, 0, 7])], [Typed("int8", [-128, 1, 0, 7])])
    golden("sign", "int64", [Typed("int64", [-9, 0, 3])], [Typed("int64", [-1, 0, 1])])
    golden("not", "bool", [Typed("bool", [0, 1])], [Typed("bool", [1, 0])])
    golden("not", "uint8", [Typed("uint8", [0, 1, 170])], [Typed("uint8", [255, 254, 85])])
    golden("not", "int16", [Typed("int16", [0, -1, 5])], [Typed("int16", [-1, 0, -6])])

    a = [-inf, -7.5, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, 7.5, inf, nan, 1.0, 3.0, 0.0, inf, -3.0, -8.0]
    b = [2.0, 2.0, 3.0, 0.0, -0.0, 0.0, 0.0, -0.5, 2.0, inf, 1.0, nan, 3.0, -1.0, -1.0, 2.0, 0.5]

    def maximum(p, q):
        return nan if p != p or q != q else max(p, q)

    def minimum(p, q):
        return nan if p != p or q != q else min(p, q)
    pairs = {
        "add": lambda p, q: f(p) + f(q), "subtract": lambda p, q: f(p) - f(q),
        "multiply": lambda p, q: f(p) * f(q), "divide": lambda p, q: f(p) / f(q),
        "remainder": lambda p, q: np.fmod(f(p), f(q)), "power": lambda p, q: np.power(f(p), f(q)),
        "maximum": maximum, "minimum": minimum, "atan2": lambda p, q: np.arctan2(f(p), f(q)),
    }
    for op, function in pairs.items():
        for dtype in FLOATS:
            golden(op, dtype, [Typed(dtype, a), Typed(dtype, b)], [Typed(dtype, each(function, a, b))])

    ints = {
        "add": lambda p, q: p + q, "subtract": lambda p, q: p - q, "multiply": lambda p, q: p * q,
        "divide": lambda p, q: -1 if q == 0 else int(math.trunc(p / q)),
        "remainder": lambda p, q: p if q == 0 else int(math.fmod(p, q)),
        "power": lambda p, q: p**q if q >= 0 else {1: 1, -1: (-1)**(q % 2)}.get(p, 0),
        "maximum": max, "minimum": min, "and": lambda p, q: p & q, "or": lambda p, q: p | q,
        "xor": lambda p, q: p ^ q,
    }
    for dtype in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
        bits, signed = int(dtype.lstrip("uint")), dtype[0] == "i"
        edge = [-2**(bits - 1), 2**(bits - 1) - 1] if signed else [0, 2**bits - 1]
        edge = edge if bits < 64 else []
        values = edge + [0, 1, 2, 3, 7] + ([-1, -2, -7] if signed else [11])
        left, right = zip(*itertools.product(values, values))

        def wrap(v):
            v &= 2**bits - 1
            v -= 2**bits if signed and v >> (bits - 1) else 0
            return v

        def shift(p, q, kind):
            u, amount = p & (2**bits - 1), q & (2**bits - 1)
            if kind == "left":
                return u << amount if amount < bits else 0
            if kind == "right":
                return u >> amount if amount < bits else 0
            return wrap_signed(u) >> min(amount, bits - 1)

        def wrap_signed(u):
            return u - 2**bits if u >> (bits - 1) else u
        for op, function in ints.items():
            pairs_ = [(p, q) for p, q in zip(left, right) if op != "power" or abs(q) < 12]
            if bits == 64:  # keep to what a double holds
                pairs_ = [(p, q) for p, q in pairs_ if abs(wrap(function(p, q))) <= 2**53]
            l, r = zip(*pairs_)
            golden(op, dtype, [Typed(dtype, l), Typed(dtype, r)],
                   [Typed(dtype, [wrap(function(p, q)) for p, q in pairs_])])
        for op, kind in [("shift_left", "left"), ("shift_right", "right"),
                         ("shift_right_arithmetic", "arithmetic")]:
            if bits == 64:
                pairs_ = [(p, q) for p in [1, 2, 7] for q in [0, 1, 3, 40, 64]]
            else:
                pairs_ = [(p, q) for p in values for q in [0, 1, 3, bits - 1, bits, bits + 2]]
            l, r = zip(*pairs_)
            golden(op, dtype, [Typed(dtype, l), Typed(dtype, r)],
                   [Typed(dtype, [wrap(shift(p, q, kind)) for p, q in pairs_])])
    for op, want in [("and", [0, 0, 0, 1]), ("or", [0, 1, 1, 1]), ("xor", [0, 1, 1, 0]),
                     ("add", [0, 1, 1, 1]), ("multiply", [0, 0, 0, 1]), ("maximum", [0, 1, 1, 1]),
                     ("minimum", [0, 0, 0, 1])]:
        golden(op, "bool", [Typed("bool", [0, 0, 1, 1]), Typed("bool", [0, 1, 0, 1])], [Typed("bool", want)])

    compare = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater,
               "GE": np.greater_equal}
    for name, function in compare.items():
        for dtype in FLOATS:
            golden("compare", f"{name} {dtype}", [Typed(dtype, a), Typed(dtype, b)],
                   [Typed("bool", function(a, b))], comparison=f"POD_COMPARE_{name}")
        l, r = [-3, 0, 5, 5], [2, 0, 4, 6]
        golden("compare", f"{name} int32", [Typed("int32", l), Typed("int32", r)],
               [Typed("bool", function(l, r))], comparison=f"POD_COMPARE_{name}")
        l, r = [255, 0, 5, 5], [2, 0, 4, 6]
        golden("compare", f"{name} uint8", [Typed("uint8", l), Typed("uint8", r)],
               [Typed("bool", function(l, r))], comparison=f"POD_COMPARE_{name}")
    for dtype in ["float32", "bfloat16", "int8", "uint64", "float64"]:
        golden("select", dtype, [Typed("bool", [1, 0, 1]), Typed(dtype, [1, 2, 3]), Typed(dtype, [4, 5, 6])],
               [Typed(dtype, [1, 5, 3])])
    golden("clamp", "floats", [Typed("float32", [0] * 6), Typed("float32", [-2, 0.5, 9, nan, -inf, inf]),
                               Typed("float32", [1] * 6)], [Typed("float32", [0, 0.5, 1, nan, 0, 1])])
    golden("clamp", "the upper limit wins", [Typed("float64", [5]), Typed("float64", [0]),
                                             Typed("float64", [2])], [Typed("float64", [2])])
    golden("clamp", "integers", [Typed("int32", [-3] * 3), Typed("int32", [-9, 2, 9]), Typed("int32", [3] * 3)],
           [Typed("int32", [-3, 2, 3])])


def converts():
    source = [-inf, -3e9, -200.75, -1.5, -0.5, 0.0, 0.75, 1.5, 129.0, 260.0, 70000.0, 3e9, 1e10, inf, nan]
    limits = {"int8": (-128, 127), "int16": (-32768, 32767), "int32": (-2**31, 2**31 - 1), "uint8": (0, 255),
              "uint16": (0, 65535), "uint32": (0, 2**32 - 1)}
    for dtype, (low, high) in limits.items():
        for f in ["float32", "float64"]:
            values = [float(np.float32(v)) for v in source]
            want = [0 if v != v else max(low, min(high, v if math.isinf(v) else math.trunc(v)))
                    for v in values]
            golden("convert", f"{f} to {dtype} saturates", [Typed(f, values)], [Typed(dtype, want)])
    finite = [-200.75, -1.5, 0.0, 0.75, 129.0, 3e9, nan]
    golden("convert", "float64 to int64", [Typed("float64", finite)],
           [Typed("int64", [0 if v != v else math.trunc(v) for v in finite])])
    golden("convert", "float64 to uint64", [Typed("float64", finite)],
           [Typed("uint64", [0 if v != v else max(0, math.trunc(v)) for v in finite])])
    for f in FLOATS:
        golden("convert", f"{f} to bool", [Typed(f, [-0.5, 0, -0.0, 2, nan])], [Typed("bool", [1, 0, 0, 1, 1])])
    golden("convert", "bool to float32", [Typed("bool", [0, 1])], [Typed("float32", [0, 1])])
    golden("convert", "int32 to int8 keeps the low bits", [Typed("int32", [0, 127, 128, -129, 513])],
           [Typed("int8", [0, 127, -128, 127, 1])])
    golden("convert", "int8 to uint32", [Typed("int8", [-1, 5])], [Typed("uint32", [2**32 - 1, 5])])
    golden("convert", "uint8 to float16", [Typed("uint8", [0, 7, 255])], [Typed("float16", [0, 7, 255])])
    golden("convert", "int64 to float32 rounds once", [Typed("int64", [2**24 + 1, 2**53 - 1, -5])],
           [Typed("float32", [2**24, 2**53, -5])])
    golden("convert", "float32 to bfloat16 rounds to even",
           [Typed("float32", [1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-16, -inf])],
           [Typed("bfloat16", [1, 1 + 2**-6, 1 + 2**-7, -inf])])
    golden("convert", "float32 to float16 rounds to even",
           [Typed("float32", [1 + 2**-11, 1 + 3 * 2**-11, 65519, 65520, 2**-24, 2**-25, 3 * 2**-26])],
           [Typed("float16", [1, 1 + 2**-9, 65504, inf, 2**-24, 0, 2**-24])])
    golden("convert", "bfloat16 to float64", [Typed("bfloat16", [1.5, -0.25])], [Typed("float64", [1.5, -0.25])])


def leaves():
    x = whole("int32", 2, 3)
    golden("iota", "int32 along the outer axis", [], [Typed("int32", [[0] * 3, [1] * 3])], axis=0)
    golden("iota", "float32 along the inner axis", [], [Typed("float32", [[0, 1, 2]] * 2)], axis=1)
    golden("iota", "uint8 in the middle", [], [Typed("uint8", [[[0] * 2, [1] * 2, [2] * 2]] * 2)], axis=1)
    golden("dimension_size", "of an axis", [x], [Typed("int32", 3)], axis=1)
    golden("with_rows", "copies operand 0", [Typed("float32", [[1, -2], [0.5, 3]]), Typed("int32", [[4, 5], [6, 7]])],
           [Typed("float32", [[1, -2], [0.5, 3]])])
    for op in ["reshape", "stop_gradient", "barrier"]:
        y = real("float32", 2, 6)
        golden(op, "copies", [y], [Typed("float32", y.values.reshape(3, 4) if op == "reshape" else y.values)])
    golden("bitcast", "float32 to uint32", [Typed("float32", [1, -2, 0])],
           [Typed("uint32", [0x3F800000, 0xC0000000, 0])])
    golden("bitcast", "uint16 to bfloat16", [Typed("uint16", [0x3F80, 0xC000])], [Typed("bfloat16", [1, -2])])


def movement():
    for dtype in ["uint8", "bfloat16", "float32", "float64"]:
        x = whole(dtype, 2, 3, 4, low=0)
        for permutation in itertools.permutations(range(3)):
            golden("transpose", f"{dtype} {permutation}".replace(",", ""), [x],
                   [Typed(dtype, x.values.transpose(permutation))], axes=axes(*permutation))
    x = whole("int32", 37, 41, low=-1000, high=1000)
    golden("transpose", "a matrix of odd sizes", [x], [Typed("int32", x.values.T)], axes=axes(1, 0))
    x = whole("int16", 3, 35, 2, 33, low=-1000, high=1000)
    golden("transpose", "of four axes", [x], [Typed("int16", x.values.transpose(3, 0, 2, 1))],
           axes=axes(3, 0, 2, 1))
    x = whole("float32", 3)
    golden("broadcast", "a vector along rows", [x], [Typed("float32", np.broadcast_to(x.values, (2, 3)))],
           axes=axes(1))
    golden("broadcast", "a vector along columns", [x],
           [Typed("float32", np.broadcast_to(x.values[:, None], (3, 2)))], axes=axes(0))
    s = whole("bool", low=1, high=2)
    golden("broadcast", "a scalar", [s], [Typed("bool", np.ones((2, 2)))], axes=axes())
    y = whole("uint16", 2, 1, 3, low=0)
    golden("broadcast", "an axis of size 1", [y], [Typed("uint16", np.broadcast_to(y.values, (2, 4, 3)))],
           axes=axes(0, 1, 2))
    x = whole("float32", 5, 6, 7)
    golden("slice", "with steps", [x], [Typed("float32", x.values[1:5:2, 0:6:1, 2:7:3])], low=sizes(1, 0, 2),
           high=sizes(5, 6, 7), step=sizes(2, 1, 3))
    golden("slice", "to nothing", [x], [Typed("float32", x.values[2:2])], low=sizes(2, 0, 0),
           high=sizes(2, 6, 7), step=sizes(1, 1, 1))
    for start, want in [((1, 2), (1, 2)), ((9, -5), (2, 0))]:
        y = whole("int8", 4, 5)
        starts = [Typed("int32", start[0]), Typed("int32", start[1])]
        part = y.values[want[0]:want[0] + 2, want[1]:want[1] + 3]
        golden("dynamic_slice", "clamped" if start != want else "inside", [y] + starts, [Typed("int8", part)],
               shape=shape(2, 3))
        update = whole("int8", 2, 3, low=50, high=60)
        result = y.values.copy()
        result[want[0]:want[0] + 2, want[1]:want[1] + 3] = update.values
        golden("dynamic_update_slice", "clamped" if start != want else "inside", [y, update] + starts,
               [Typed("int8", result)])
    golden("dynamic_update_slice", "a scalar", [Typed("float64", 3), Typed("float64", 4)], [Typed("float64", 4)])
    for low, high, inner in [((1, 2), (2, 0), (0, 0)), ((0, 1), (1, 1), (1, 2)), ((-1, -2), (0, 1), (0, 0)),
                             ((-2, 1), (-1, -3), (1, 2)), ((0, 0), (-2, 0), (0, 0))]:
        y = whole("float32", 3, 4, low=1)
        wide = np.full((3 + 2 * inner[0], 4 + 3 * inner[1]), 9.0)
        wide[::inner[0] + 1, ::inner[1] + 1][:3, :4] = y.values
        wide = wide[:2 * inner[0] + 3, :3 * inner[1] + 4]
        wide = np.pad(wide, [(max(low[0], 0), max(high[0], 0)), (max(low[1], 0), max(high[1], 0))],
                      constant_values=9)
        wide = wide[max(-low[0], 0):wide.shape[0] - max(-high[0], 0),
                    max(-low[1], 0):wide.shape[1] - max(-high[1], 0)]
        golden("pad", f"low {low} high {high} interior {inner}".replace(",", ""), [y, Typed("float32", 9)],
               [Typed("float32", wide)], low=sizes(*low), high=sizes(*high), step=sizes(*inner))
    golden("pad", "from nothing", [Typed("uint8", np.zeros((0, 2))), Typed("uint8", 7)],
           [Typed("uint8", np.full((2, 3), 7))], low=sizes(1, 0), high=sizes(1, 1), step=sizes(0, 0))
    parts = [whole("float16", 2, n, 3) for n in (1, 0, 4)]
    golden("concatenate", "in the middle", parts,
           [Typed("float16", np.concatenate([p.values for p in parts], axis=1))], axis=1)
    parts = [whole("int64", n, 3) for n in (2, 5)]
    golden("concatenate", "of rows", parts, [Typed("int64", np.concatenate([p.values for p in parts]))], axis=0)
    x = whole("int32", 2, 3, 4)
    golden("reverse", "two axes", [x], [Typed("int32", x.values[::-1, :, ::-1])], axes=axes(0, 2))
    golden("reverse", "no axis", [x], [x], axes=axes())


def index():
    x, i = whole("float32", 5, 3), Typed("int32", [[4, 0], [2, 2]])
    golden("gather", "rows", [x, i], [Typed("float32", x.values[i.values.astype(int)])], axis=0, count=0)
    golden("gather", "columns", [x, Typed("int64", [2, 0])], [Typed("float32", x.values[:, [2, 0]])], axis=1,
           count=0)
    y, j = whole("int16", 2, 3, 4, 2), Typed("int32", [[3, 1, 0], [2, 2, 2]])
    want = np.stack([y.values[b][:, j.values[b].astype(int)] for b in range(2)])
    golden("gather", "with a batch axis", [y, j], [Typed("int16", want)], axis=2, count=1)
    golden("gather", "one scalar index", [x, Typed("int32", 3)], [Typed("float32", x.values[3])], axis=0,
           count=0)
    functions = {"SUM": np.add, "MAX": np.maximum, "MIN": np.minimum, "ASSIGN": lambda p, q: q}
    for name, function in functions.items():
        for dtype in ["float32", "bfloat16", "int32", "uint8"]:
            x = whole(dtype, 5, 3, low=0)
            i, u = Typed("int32", [4, 1, 1, 4, 1]), whole(dtype, 5, 3, low=0)
            want = x.values.copy()
            for place, row in enumerate(i.values.astype(int)):
                want[row] = function(want[row], u.values[place])
            golden("scatter", f"{name} {dtype}", [x, i, u], [Typed(dtype, want)], axis=0, count=0,
                   reduction=f"POD_REDUCE_{name}")
        x, i, u = whole("float64", 2, 3, 4), Typed("int32", [[0, 0], [3, 1]]), whole("float64", 2, 3, 2)
        want = x.values.copy()
        for b in range(2):
            for place in range(2):
                row = int(i.values[b][place])
                want[b, :, row] = function(want[b, :, row], u.values[b, :, place])
        golden("scatter", f"{name} with a batch axis", [x, i, u], [Typed("float64", want)], axis=2, count=1,
               reduction=f"POD_REDUCE_{name}")


def order():
    x = Typed("float32", [[3, nan, -inf, 1, 3], [0, 5, -1, inf, 5]])
    y = Typed("int32", np.arange(10).reshape(2, 5))
    for flag in (0, 1):
        places = [sorted(range(5), key=lambda c: (row[c] != row[c], (-row[c] if flag else row[c])))
                  for row in x.values]
        golden("sort", "descending with a companion" if flag else "ascending with a companion", [x, y],
               [Typed(t.dtype, np.take_along_axis(t.values, np.array(places), 1)) for t in (x, y)], axis=1,
               flag=flag)
    for dtype in ["int8", "uint16", "float64", "bfloat16"]:
        z = whole(dtype, 6, 4, low=0, high=100)
        golden("sort", f"{dtype} along the outer axis", [z], [Typed(dtype, np.sort(z.values, axis=0))], axis=0)
    z = Typed("float32", [[1, 5, 5, -2, nan, 3], [7, 7, 7, 7, 7, 7]])
    golden("top_k", "ties and NaN", [z],
           [Typed("float32", [[5, 5, 3, 1], [7, 7, 7, 7]]), Typed("int32", [[1, 2, 5, 0], [0, 1, 2, 3]])], count=4)
    z = whole("int32", 100, low=-1000, high=1000)
    places = np.argsort(-z.values, kind="stable")
    for k in (1, 7, 80):
        golden("top_k", f"{k} of 100", [z], [Typed("int32", z.values[places[:k]]), Typed("int32", places[:k])],
               count=k)


def reductions():
    functions = {"reduce_sum": np.sum, "reduce_product": np.prod, "reduce_max": np.max, "reduce_min": np.min}
    for op, function in functions.items():
        for dtype in ["float16", "bfloat16", "float32", "float64", "int32", "uint64"]:
            low = 1 if dtype == "uint64" else -2
            x = whole(dtype, 2, 3, 4, low=low, high=3)
            for over in [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]:
                if op == "reduce_product" and dtype in ("float16", "bfloat16") and len(over) > 1:
                    continue
                want = function(x.values, axis=over) if over else x.values
                golden(op, f"{dtype} over {over}".replace(",", ""), [x], [Typed(dtype, want)], axes=axes(*over))
    big = whole("float32", 3, 700)
    golden("reduce_sum", "long rows", [big], [Typed("float32", big.values.sum(1))], axes=axes(1))
    golden("reduce_sum", "many columns", [big], [Typed("float32", big.values.sum(0))], axes=axes(0))
    golden("reduce_max", "of nothing", [Typed("float32", np.zeros((2, 0)))], [Typed("float32", [-inf, -inf])],
           axes=axes(1))
    golden("reduce_min", "of nothing", [Typed("int8", np.zeros((2, 0)))], [Typed("int8", [127, 127])],
           axes=axes(1))
    golden("reduce_sum", "of nothing", [Typed("float32", np.zeros((0, 2)))], [Typed("float32", [0, 0])],
           axes=axes(0))
    golden("reduce_max", "NaN", [Typed("float32", [[1, nan, 3], [1, 2, 3]])], [Typed("float32", [nan, 3])],
           axes=axes(1))
    golden("reduce_sum", "bool as int32", [Typed("bool", [1, 1, 0, 1])], [Typed("int32", 3)], axes=axes(0))
    golden("reduce_sum", "bfloat16 as float32", [Typed("bfloat16", [256, 1, 1])], [Typed("float32", 258)],
           axes=axes(0))
    golden("reduce_sum", "int8 wraps", [Typed("int8", [100, 100])], [Typed("int8", -56)], axes=axes(0))
    x = whole("bool", 3, 4, low=0, high=2)
    golden("reduce_and", "bool", [x], [Typed("bool", x.values.all(1))], axes=axes(1))
    golden("reduce_or", "bool", [x], [Typed("bool", x.values.any(0))], axes=axes(0))
    golden("reduce_and", "integers", [Typed("uint8", [[12, 10], [7, 3]])], [Typed("uint8", [8, 3])], axes=axes(1))
    golden("reduce_or", "integers", [Typed("int32", [[12, 3], [1, 2]])], [Typed("int32", [15, 3])], axes=axes(1))
    for op, function in [("argmax", np.argmax), ("argmin", np.argmin)]:
        for dtype in ["float32", "int8", "uint32", "float16"]:
            x = whole(dtype, 4, 3, 5, low=0)
            for axis in range(3):
                golden(op, f"{dtype} along {axis}", [x], [Typed("int32", function(x.values, axis=axis))],
                       axis=axis)
        golden(op, "NaN wins", [Typed("float32", [[1, nan, 5, nan], [2, 2, 2, 2]])], [Typed("int64", [1, 0])],
               axis=1)
    for dtype in ["float32", "int32", "bfloat16"]:
        x = whole(dtype, 3, 4, 2)
        for axis, flag, count in itertools.product(range(3), (0, 1), (0, 1)):
            v = np.flip(x.values, axis) if flag else x.values
            v = np.cumsum(v, axis=axis) - (v if count else 0)
            golden("cumulative_sum", f"{dtype} axis {axis} flag {flag} count {count}", [x],
                   [Typed(dtype, np.flip(v, axis) if flag else v)], axis=axis, flag=flag, count=count)


def dots():
    def dot(what, a, b, spec, lb, rb, lc, rc, result=None):
        want = np.einsum(spec, a.values, b.values)
        golden("dot", what, [a, b], [Typed(result or a.dtype, want)], lhs_batch=axes(*lb), rhs_batch=axes(*rb),
               lhs_contract=axes(*lc), rhs_contract=axes(*rc))
    for dtype in ["float16", "bfloat16", "float32", "float64", "int8", "uint32", "int64"]:
        low = 0 if dtype[0] == "u" else -2
        a, b = whole(dtype, 3, 4, low=low, high=3), whole(dtype, 4, 5, low=low, high=3)
        dot(f"{dtype} matrices", a, b, "mk,kn->mn", (), (), (1,), (0,))
    a, b = whole("float32", 4, 3), whole("float32", 5, 4)
    dot("both transposed", a, b, "km,nk->mn", (), (), (0,), (1,))
    a, b = whole("float32", 2, 3, 4), whole("float32", 4, 2, 5)
    dot("batch", a, b, "bmk,kbn->bmn", (0,), (1,), (2,), (0,))
    a, b = whole("float32", 3, 2, 4, 5), whole("float32", 5, 3, 6, 2)
    dot("two contracted axes", a, b, "aick,kajd->icjd", (), (), (0, 3), (1, 0))
    a, b = whole("float32", 4), whole("float32", 4)
    dot("vectors", a, b, "k,k->", (), (), (0,), (0,))
    a, b = whole("float32", 3), whole("float32", 2)
    dot("outer", a, b, "i,j->ij", (), (), (), ())
    a, b = whole("bfloat16", 2, 300, low=0, high=2), whole("bfloat16", 300, 2, low=0, high=2)
    dot("bfloat16 as float32", a, b, "mk,kn->mn", (), (), (1,), (0,), "float32")
    a, b = whole("float32", 2, 0), whole("float32", 0, 3)
    dot("nothing to sum", a, b, "mk,kn->mn", (), (), (1,), (0,))


def out_size(n, k, stride, low, high, dilation):
    return max((n + low + high - ((k - 1) * dilation + 1)) // stride + 1, 0)


def windows(window):
    names = ["size", "stride", "pad_low", "pad_high", "dilation"]
    fields = ", ".join(f".{n} = {sizes(*window[n])}" for n in names)
    return "{.rank = %d, %s, .groups = %d}" % (len(window["size"]), fields, window.get("groups", 1))


def taps(window, in_sizes):
    """Yields (out place, tap, in place) for all that lie inside."""
    out = [out_size(*a) for a in zip(in_sizes, window["size"], window["stride"], window["pad_low"],
                                     window["pad_high"], window["dilation"])]
    for place in itertools.product(*map(range, out)):
        for tap in itertools.product(*map(range, window["size"])):
            source = tuple(o * s - p + t * d for o, s, p, t, d in
                           zip(place, window["stride"], window["pad_low"], tap, window["dilation"]))
            if all(0 <= v < n for v, n in zip(source, in_sizes)):
                yield place, tap, source


def window_cases():
    yield "1-D", (7,), dict(size=[3], stride=[1], pad_low=[0], pad_high=[0], dilation=[1])
    yield "1-D causal, dilated", (8,), dict(size=[3], stride=[1], pad_low=[4], pad_high=[0], dilation=[2])
    yield "2-D same", (5, 4), dict(size=[3, 3], stride=[1, 1], pad_low=[1, 1], pad_high=[1, 1], dilation=[1, 1])
    yield "2-D strided", (6, 7), dict(size=[3, 2], stride=[2, 3], pad_low=[0, 1], pad_high=[1, 0],
                                      dilation=[1, 1])
    yield "2-D dilated", (7, 6), dict(size=[2, 3], stride=[1, 2], pad_low=[1, 0], pad_high=[0, 2],
                                      dilation=[3, 2])
    yield "2-D cropped", (7, 6), dict(size=[2, 2], stride=[2, 1], pad_low=[-1, 0], pad_high=[0, -2],
                                      dilation=[1, 1])
    yield "3-D", (3, 4, 3), dict(size=[2, 2, 2], stride=[1, 2, 1], pad_low=[1, 0, 0], pad_high=[0, 1, 0],
                                 dilation=[1, 1, 1])


def convolutions():
    for what, spatial, window in window_cases():
        for groups, channels, filters in [(1, 2, 3), (2, 4, 6), (3, 3, 3)]:
            dtype = "bfloat16" if groups == 3 else "float32"
            window["groups"] = groups
            x = whole(dtype, 2, *spatial, channels, low=-2, high=3)
            kernel = whole(dtype, *window["size"], channels // groups, filters, low=-2, high=3)
            out = [out_size(*a) for a in zip(spatial, window["size"], window["stride"], window["pad_low"],
                                             window["pad_high"], window["dilation"])]
            g = whole(dtype, 2, *out, filters, low=-2, high=3)
            y, dx, dk = np.zeros(g.values.shape), np.zeros(x.values.shape), np.zeros(kernel.values.shape)
            cg, fg = channels // groups, filters // groups
            for place, tap, source in taps(window, spatial):
                for n, q in itertools.product(range(2), range(groups)):
                    c, f = slice(q * cg, (q + 1) * cg), slice(q * fg, (q + 1) * fg)
                    w = kernel.values[tap][:, f]
                    y[(n,) + place][f] += x.values[(n,) + source][c] @ w
                    dx[(n,) + source][c] += w @ g.values[(n,) + place][f]
                    dk[tap][:, f] += np.outer(x.values[(n,) + source][c], g.values[(n,) + place][f])
            text = f"{what}, {groups} groups"
            golden("convolution", text, [x, kernel], [Typed(dtype, y)], window=windows(window))
            golden("convolution_input_gradient", text, [g, kernel], [Typed(dtype, dx)], window=windows(window))
            golden("convolution_kernel_gradient", text, [x, g], [Typed("float32", dk)], window=windows(window))


def pools():
    for what, spatial, window in window_cases():
        for dtype in ["float32", "int32", "bfloat16"]:
            x = whole(dtype, 2, *spatial, 3)
            out = [out_size(*a) for a in zip(spatial, window["size"], window["stride"], window["pad_low"],
                                             window["pad_high"], window["dilation"])]
            g, u = whole(dtype, 2, *out, 3), whole(dtype, 2, *spatial, 3)
            empty = -2**31 if dtype == "int32" else -inf
            best, first = np.full(g.values.shape, float(empty)), {}
            total, spread = np.zeros(g.values.shape), np.zeros(x.values.shape)
            for place, _, source in taps(window, spatial):
                for n, c in itertools.product(range(2), range(3)):
                    key = (n,) + place + (c,)
                    if key not in first or x.values[(n,) + source + (c,)] > best[key]:
                        best[key], first[key] = x.values[(n,) + source + (c,)], (n,) + source + (c,)
                    total[key] += x.values[(n,) + source + (c,)]
                    spread[(n,) + source + (c,)] += g.values[key]
            back, chosen = np.zeros(x.values.shape), np.zeros(g.values.shape)
            for key, source in first.items():
                back[source] += g.values[key]
                chosen[key] = u.values[source]
            text = f"{what} {dtype}"
            golden("pool_max", text, [x], [Typed(dtype, best)], window=windows(window))
            golden("pool_max_gradient", text, [x, g], [Typed(dtype, back)], window=windows(window))
            golden("pool_max_select", text, [x, u], [Typed(dtype, chosen)], window=windows(window))
            golden("pool_sum", text, [x], [Typed(dtype, total)], window=windows(window))
            golden("pool_sum_gradient", text, [g], [Typed(dtype, spread)], window=windows(window))
    window = windows(dict(size=[2], stride=[2], pad_low=[0], pad_high=[0], dilation=[1]))
    x = Typed("float32", [[[1], [nan], [nan], [nan], [5], [5]]])
    g = Typed("float32", [[[2], [3], [4]]])
    golden("pool_max", "NaN", [x], [Typed("float32", [[[nan], [nan], [5]]])], window=window)
    golden("pool_max_gradient", "NaN and ties", [x, g],
           [Typed("float32", [[[0], [2], [3], [0], [4], [0]]])], window=window)


print("/* Generated by tests/golden/ops_forward.py: do not edit. */")
for part in (elementwise, converts, leaves, movement, index, order, reductions, dots, convolutions, pools):
    print(f"\n/* {part.__name__} */")
    part()
