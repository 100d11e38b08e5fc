"""Runs random programs by XLA's CPU compiler and compares with the oracle's bounds.

    build/peers/bin/python tests/fuzz/programs/xla.py build/release/tests/fuzz_programs [COUNT] [SEED]

Needs JAX, for instance in a virtual environment build/peers. Programs are written as StableHLO by `fuzz_programs
--write`. A result outside of what the oracle allows is printed with the program's number; XLA refuses some modules,
which are counted, and so are those of which it is known that XLA itself is wrong.
"""

import os
import re
import subprocess
import sys
import tempfile

import jax
import ml_dtypes
import numpy
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir

BATCH = 200


def dtype_named(name):
    return numpy.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def read(directory, seed):
    """Arguments, and for each output its least and largest values."""
    arguments, bounds, at = [], [], 0
    with open(f"{directory}/{seed}.bin", "rb") as file:
        data = file.read()

    def take(dtype, shape):
        nonlocal at
        size = int(numpy.prod(shape, dtype=numpy.int64)) * dtype.itemsize
        made = numpy.frombuffer(data[at : at + size], dtype).reshape(shape)
        at += size
        return made

    for line in open(f"{directory}/{seed}.txt"):
        kind, name, *sizes = line.split()
        shape = [int(size) for size in sizes]
        if kind == "argument":
            arguments.append(take(dtype_named(name), shape))
        else:
            bounds.append((dtype_named(name), take(numpy.dtype("f8"), shape), take(numpy.dtype("f8"), shape)))
    return arguments, bounds


def outside(result, low, high):
    """The first place where a result is not within bounds; None: it is."""
    got = numpy.asarray(result).astype("f8")
    unknown = numpy.isinf(low) & (low < 0) & numpy.isinf(high) & (high > 0)
    same = (got == low) | (got == high) | (numpy.isnan(got) & numpy.isnan(low))
    wrong = numpy.argwhere(~(unknown | same | ((got >= low) & (got <= high)) | numpy.isnan(low) | numpy.isnan(high)))
    return None if len(wrong) == 0 else tuple(wrong[0])


def crops_and_pads(text):
    """Whether a convolution crops its operand at one end and pads it at the other: XLA's CPU compiler computes other
    sums there, so lax.conv_general_dilated of [4, 6, 6] and [2, 6, 2] with padding (-2, 1)."""
    for line in text.splitlines():
        padding = re.search(r"padding = dense<\[(.*?\])\]>", line) if "stablehlo.convolution" in line else None
        pairs = re.findall(r"\[(-?\d+), (-?\d+)\]", padding.group(1)) if padding else []
        if any(int(low) * int(high) < 0 for low, high in pairs):
            return True
    return False


def check(client, device, directory, seed):
    """None, or what is wrong; a text that begins with "refused" where XLA takes no such module, or is known to be
    wrong."""
    arguments, bounds = read(directory, seed)
    with open(f"{directory}/{seed}.mlir") as file:
        text = file.read()
    if crops_and_pads(text):
        return "refused: a convolution that crops and pads is wrong there"
    try:
        with mlir.make_ir_context() as context:
            context.allow_unregistered_dialects = True
            module = ir.Module.parse(text)
            options = xla_client.CompileOptions()
            program = client.compile_and_load(module, xla_client.DeviceList((device,)), options)
        buffers = [jax.device_put(argument, device) for argument in arguments]
        results = program.execute(buffers)
    except Exception as error:  # pylint: disable=broad-except
        return "refused: " + str(error).replace("\n", " ")[:200]
    for index, (result, (dtype, low, high)) in enumerate(zip(results, bounds)):
        if numpy.asarray(result).dtype != dtype:
            return "refused: a fold of no axes that widens loses its type there, and so does what reads it"
        place = outside(result, low, high)
        if place is not None:
            got = numpy.asarray(result)[place]
            return f"output {index} at {place} is {got} by XLA, expected {low[place]} to {high[place]}"
    return None


def main():
    tool = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    jax.config.update("jax_enable_x64", True)
    device = jax.devices("cpu")[0]
    client = device.client
    agreed, refused, wrong = 0, {}, []
    for start in range(first, first + count, BATCH):
        with tempfile.TemporaryDirectory() as directory:
            some = min(BATCH, first + count - start)
            subprocess.run([tool, "--write", directory, "--count", str(some), "--seed", str(start)], check=True,
                           stdout=subprocess.DEVNULL)
            for seed in range(start, start + some):
                if not os.path.exists(f"{directory}/{seed}.mlir") or os.path.getsize(f"{directory}/{seed}.txt") == 0:
                    continue
                said = check(client, device, directory, seed)
                if said is None:
                    agreed += 1
                elif said.startswith("refused"):
                    refused[said[:90]] = refused.get(said[:90], 0) + 1
                else:
                    wrong.append(seed)
                    print(f"# program {seed}: {said}", flush=True)
    for reason, times in sorted(refused.items(), key=lambda item: -item[1]):
        print(f"# {times} {reason}")
    print(f"# {sum(refused.values())} were refused")
    print(f"{agreed} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
