"""A call in JAX, as accelerator.lua has it: `call_jax.py [SECONDS]` prints one JSON line."""

import json
import statistics
import sys
import time

import jax

add = jax.jit(lambda x: x + 1)
value = add(jax.numpy.float32(0)).block_until_ready()
times, end = [], time.perf_counter() + float(sys.argv[1] if len(sys.argv) > 1 else 3)
while time.perf_counter() < end or len(times) < 100:
    begun = time.perf_counter()
    value = add(value).block_until_ready()
    times.append((time.perf_counter() - begun) * 1e6)
print(json.dumps({"call_us": round(statistics.median(times), 2)}))
