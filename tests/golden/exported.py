"""Has XLA compute models that were exported as StableHLO, with weights from their safetensors files.

    build/peers/bin/python tests/golden/exported.py DIRECTORY [--keep]

DIRECTORY has what tests/lua/support/exported_models.lua writes. For each NAME.mlir, output i of XLA's CPU compiler goes
to NAME.xla{i}.npy; --keep writes all of them to exported.lua beside this script, too. What an argument is stands in the
comments at the head of the text: "// argument 3: weight dense/kernel float32 (4, 4)".
"""
import glob
import os
import pathlib
import re
import sys
import textwrap

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax._src.interpreters import mlir  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402
from safetensors import safe_open  # noqa: E402

HERE = pathlib.Path(__file__).parent


def run(path):
    text = open(f"{path}.mlir").read()
    arguments, inputs = [], 0
    with safe_open(f"{path}.safetensors", "np") as weights:
        for number, kind, name in re.findall(r"^// argument (\d+): (\w+) (\S+)", text, re.M):
            assert int(number) == len(arguments)
            if kind == "weight":
                arguments.append(weights.get_tensor(name))
            else:
                arguments.append(np.load(f"{path}.x{inputs}.npy"))
                inputs += 1
    device = jax.devices("cpu")[0]
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        program = device.client.compile_and_load(ir.Module.parse(text), xla_client.DeviceList((device,)),
                                                 xla_client.CompileOptions())
    return [np.asarray(one) for one in program.execute([jax.device_put(one, device) for one in arguments])]


def main():
    directory, kept = pathlib.Path(sys.argv[1]), []
    paths = sorted(glob.glob(f"{directory}/*.mlir"))
    assert paths, "there are no modules"
    for path in paths:
        path = path[: -len(".mlir")]
        results = run(path)
        for i, result in enumerate(results):
            np.save(f"{path}.xla{i}.npy", result)
        kept.append(f"  {os.path.basename(path)} = {{")
        for result in results:
            numbers = ", ".join("%.9g" % value for value in result.flatten())
            kept.append(textwrap.fill("{ %s }," % numbers, 116, initial_indent="    ", subsequent_indent="      "))
        kept.append("  },")
    if "--keep" in sys.argv:
        text = "\n".join(kept)
        (HERE / "exported.lua").write_text("-- Made by exported.py with JAX %s.\n\nreturn {\n%s\n}\n"
                                           % (jax.__version__, text))


main()
