"""Random functions of JAX whose arrays are divided among 8 devices, by XLA and by Moonpod.

    tests/fuzz/models/divided.py --count 30 --seed 1

compiles functions for 8 devices of the CPU, some with sharding constraints, some with shardings of all results, and
reads their StableHLO here. What one device has of each argument and of each result whose sharding is given must be as
large as in XLA. Where the compiler chooses, propagation may choose otherwise: how often is printed.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

os.environ.update(JAX_PLATFORMS="cpu", TF_CPP_MIN_LOG_LEVEL="3", XLA_FLAGS="--xla_force_host_platform_device_count=8")

import jax
import jax.numpy as jnp
import numpy
from jax.sharding import Mesh, NamedSharding, PartitionSpec

READ = """local pod = require "moonpod"
local function sizes(list)
  local texts = {}
  for i, one in ipairs(list) do texts[i] = table.concat(one.shape, "x") end
  return table.concat(texts, " ")
end
for path in io.lines(arg[1]) do
  local advice = pod.advise(path, { chip = "v5e" })
  print(sizes(advice.parameters) .. "|" .. sizes(advice.outputs) .. "|" .. advice.memory.verdict_text)
end
"""


def draw_sharding(rng, mesh, shape):
    """Puts axes of the mesh, in any order, where they divide an axis evenly."""
    left, parts = list(shape), [[] for _ in shape]
    for name in rng.sample(mesh.axis_names, len(mesh.axis_names)):
        fit = [k for k in range(len(shape)) if left[k] % mesh.shape[name] == 0]
        if fit and rng.random() < 0.7:
            k = rng.choice(fit)
            left[k] //= mesh.shape[name]
            parts[k].append(name)
    return NamedSharding(mesh, PartitionSpec(*[tuple(part) or None for part in parts]))


STEPS = [
    lambda h, x, v, w, y, k: jnp.tanh(h @ v) @ w,
    lambda h, x, v, w, y, k: h * jax.nn.softmax(y, axis=k) + x,
    lambda h, x, v, w, y, k: (h.T @ h).sum(0, keepdims=True) + h,
    lambda h, x, v, w, y, k: jnp.concatenate([h[: len(h) // 2], jnp.sin(h[len(h) // 2:])]),
    lambda h, x, v, w, y, k: h.reshape(len(h), 4, -1).transpose(0, 2, 1).reshape(h.shape),
    lambda h, x, v, w, y, k: jax.lax.scan(lambda c, t: (jnp.tanh(c @ v @ w + t), None), h, jnp.stack([y, y]))[0],
    lambda h, x, v, w, y, k: h + jnp.take(v, jnp.arange(h.shape[1]), axis=1)[:1],
    lambda h, x, v, w, y, k: jax.lax.cond(h[0, 0] > 0, lambda a, b: a + b, lambda a, b: a * b, h, y),
    lambda h, x, v, w, y, k: h - h.mean(k, keepdims=True),
    lambda h, x, v, w, y, k: jnp.cumsum(h, axis=k),
    lambda h, x, v, w, y, k: jnp.where(h > 0, h, y[::-1]),
]


def draw(seed):
    """A function lowered, the shardings it was given for its results or None."""
    rng = random.Random(seed)
    sizes = rng.choice([(8,), (4, 2), (2, 4), (2, 2, 2)])
    mesh = Mesh(numpy.array(jax.devices()).reshape(sizes), tuple("abc"[:len(sizes)]))
    rows, columns, inner = rng.choice([16, 32]), rng.choice([16, 32]), rng.choice([32, 64])
    shapes = [(rows, columns), (columns, inner), (inner, columns), (rows, columns)]
    steps = [(rng.choice(STEPS), rng.randrange(2),
              draw_sharding(rng, mesh, shapes[0]) if rng.random() < 0.25 else None)
             for _ in range(rng.randrange(2, 7))]

    def function(x, v, w, y):
        h = x
        for step, axis, sharding in steps:
            h = step(h, x, v, w, y, axis)
            h = jax.lax.with_sharding_constraint(h, sharding) if sharding else h
        return h, jax.grad(lambda v: jnp.tanh(h @ v).sum())(v)

    arguments = [jax.ShapeDtypeStruct(shape, jnp.float32, sharding=draw_sharding(rng, mesh, shape))
                 for shape in shapes]
    given = tuple(draw_sharding(rng, mesh, shape) for shape in shapes[:2]) if rng.random() < 0.5 else None
    jitted = jax.jit(function, keep_unused=True, **({"out_shardings": given} if given else {}))
    return jitted.lower(*arguments), arguments, given


def sizes(shardings, shapes):
    return " ".join("x".join(map(str, one.shard_shape(shape.shape))) for one, shape in zip(shardings, shapes))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wanted, given = [], []
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, "%d.mlir" % (options.seed + i)) for i in range(options.count)]
        for i, path in enumerate(paths):
            lowered, arguments, results = draw(options.seed + i)
            with open(path, "w") as file:
                file.write(lowered.as_text())
            compiled = lowered.compile()
            wanted.append((sizes(compiled.input_shardings[0], arguments),
                           sizes(compiled.output_shardings, lowered.out_info)))
            given.append(results is not None)
        for name, text in (("read.lua", READ), ("list", "".join(path + "\n" for path in paths))):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        printed = subprocess.run(["lua5.4", folder + "/read.lua", folder + "/list"], stdout=subprocess.PIPE, text=True,
                                 check=True).stdout
    faults = chosen = alike = 0
    for i, line in enumerate(printed.splitlines()):
        arguments, results, verdict = line.split("|", 2)
        if arguments != wanted[i][0] or (given[i] and results != wanted[i][1]) or "whole arrays" in verdict:
            faults += 1
            print("%d: XLA has %s -> %s, and Moonpod %s -> %s: %s" % (
                (options.seed + i,) + wanted[i] + (arguments, results, verdict)))
        elif not given[i]:
            pairs = list(zip(results.split(), wanted[i][1].split()))
            chosen, alike = chosen + len(pairs), alike + sum(one == other for one, other in pairs)
    print("%d functions, %d differ; of %d results whose sharding was chosen %d are alike" % (
        len(wanted), faults, chosen, alike))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
