"""Asks an installed TPU compiler what whole programs take of HBM, and prints rows for tests/golden/tpu_memory.def.

    pip install jax libtpu
    python tests/golden/tpu_memory.py v3,v5e step.mlir tests/golden/tpu_programs/*.mlir.gz

No TPU is needed: programs are compiled ahead of time for a topology. Programs are StableHLO text for one device, as
jax.jit(step).lower(...).as_text() gives it.
"""
import gzip
import os
import sys

os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")  # else the library waits for a cloud's metadata server
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np  # noqa: E402
from jax._src import compiler  # noqa: E402
from jax._src.interpreters import mlir  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jax._src.lib.mlir import ir  # noqa: E402
from jax.experimental import topologies  # noqa: E402

TOPOLOGIES = {"v2": "v2:2x2", "v3": "v3:2x2", "v4": "v4:2x2x1", "v5e": "v5e:2x2", "v5p": "v5:2x2x1", "v6e": "v6e:2x2",
              "v7x": "tpu7x:2x2x1"}


# Else each core of a v4 is a device; on a machine with TPUs a whole chip is.
OPTIONS = {"v4": {"chip_config_name": "megacore"}}


def ask(text, device):
    options = compiler.get_compile_options(num_replicas=1, num_partitions=1,
                                           device_assignment=np.array([[device.id]]))
    with mlir.make_ir_context():
        executable = compiler.backend_compile_and_load(device.client, ir.Module.parse(text),
                                                       xla_client.DeviceList((device,)), options, [])
    return executable.get_compiled_memory_stats()


def main(chips, paths):
    devices = {chip: topologies.get_topology_desc(platform="tpu", topology_name=TOPOLOGIES[chip],
                                                  **OPTIONS.get(chip, {})).devices[0] for chip in chips}
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            text = file.read()
        for chip in chips:
            try:
                stats = ask(text, devices[chip])
            except Exception as error:  # does not fit, or has an op that the chip refuses
                print("%s on %s: %s" % (path, chip, str(error)[:300]), file=sys.stderr, flush=True)
                continue
            print('MEMORY("%s", "%s", %d, %d, %d, %d)' % (
                os.path.basename(path).split(".mlir")[0], chip, stats.argument_size_in_bytes,
                stats.output_size_in_bytes, stats.alias_size_in_bytes, stats.temp_size_in_bytes), flush=True)


if __name__ == "__main__":
    main(sys.argv[1].split(","), sys.argv[2:])
