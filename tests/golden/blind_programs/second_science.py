"""The second blind set: tables, atoms and equations, in JAX."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from jax import lax

from jax_loops import KEY, spec


def two_towers(batch=8192, people=6000000, things=11000000, width=64):
    """Who likes what: two hashed tables, other rows of the batch as what was not liked, less how often they come."""
    f = lambda *shape: spec(shape, jnp.float32)
    params = {"people": f(people, width), "things": f(things, width),
              "left": [f(2 * width + 16, 512), f(512, 128)], "right": [f(width, 512), f(512, 128)]}
    tx = optax.adagrad(0.05, initial_accumulator_value=0.1)

    def mix(ids, rows):
        h = ids.astype(jnp.uint32) * jnp.uint32(2654435761)
        return ((h ^ (h >> 16)) % jnp.uint32(rows)).astype(jnp.int32)

    def tower(x, ws):
        x = jax.nn.leaky_relu(x @ ws[0]) @ ws[1]
        return x * lax.rsqrt(jnp.square(x).sum(-1, keepdims=True) + 1e-12)

    def step(params, opt, b):
        def loss_fn(p):
            who = p["people"].at[mix(b["who"], people)].get(mode="promise_in_bounds")
            what = p["things"].at[mix(b["what"], things)].get(mode="promise_in_bounds")
            past = p["things"].at[mix(b["past"], things)].get(mode="promise_in_bounds")
            weight = (b["past"] > 0)[..., None].astype(jnp.float32)
            past = (past * weight).sum(1) / jnp.maximum(weight.sum(1), 1)
            left = tower(jnp.concatenate([who, past, b["hour"]], -1), p["left"])
            scores = left @ tower(what, p["right"]).T / 0.07 - b["often"][None]
            scores = jnp.where((b["what"][:, None] == b["what"][None]) & ~jnp.eye(batch, dtype=bool), -1e9, scores)
            return (optax.softmax_cross_entropy_with_integer_labels(scores, jnp.arange(batch)) * b["worth"]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    ids = spec((batch,), jnp.int32)
    data = {"who": ids, "what": ids, "past": spec((batch, 20), jnp.int32), "hour": f(batch, 16), "often": f(batch),
            "worth": f(batch)}
    return step, (params, jax.eval_shape(tx.init, params), data), (0, 1)


class Atoms(nn.Module):
    """SchNet: filters made of distances, sums over neighbours."""
    width: int = 128
    layers: int = 2

    @nn.compact
    def __call__(self, places, kinds, here, there, molecule, molecules):
        ssp = lambda x: nn.softplus(x) - 0.6931
        off = places[here] - places[there]
        far = jnp.sqrt(jnp.square(off).sum(-1) + 1e-12)
        basis = jnp.exp(-10.0 * jnp.square(far[:, None] - jnp.linspace(0, 5, 50)))
        cut = 0.5 * (jnp.cos(far * jnp.pi / 5) + 1) * (far < 5)
        x = nn.Embed(100, self.width)(kinds)
        for _ in range(self.layers):
            filters = nn.Dense(self.width)(ssp(nn.Dense(self.width)(basis))) * cut[:, None]
            sent = nn.Dense(self.width, use_bias=False)(x)[there] * filters
            y = jax.ops.segment_sum(sent, here, x.shape[0], indices_are_sorted=True)
            x = x + nn.Dense(self.width)(ssp(nn.Dense(self.width)(y)))
        each = nn.Dense(1)(ssp(nn.Dense(self.width // 2)(x)))[:, 0]
        return jax.ops.segment_sum(each, molecule, molecules)


def forces_of_atoms(molecules=1024, atoms=24, edges=400000):
    """Energies and forces: the loss has the slope of a net by places, so its slopes go through twice."""
    net, tx = Atoms(), optax.amsgrad(optax.exponential_decay(5e-4, 100000, 0.96))
    count = molecules * atoms

    def step(params, opt, b):
        def energy(params, places):
            return net.apply(params, places, b["kinds"], b["here"], b["there"], b["molecule"], molecules)

        def loss_fn(params):
            total, pull = jax.vjp(lambda places: energy(params, places), b["places"])
            forces = -pull(jnp.ones_like(total))[0]
            return 0.01 * jnp.square(total - b["energy"]).mean() + jnp.square(forces - b["forces"]).sum(-1).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    f, i = lambda *shape: spec(shape, jnp.float32), lambda *shape: spec(shape, jnp.int32)
    data = {"places": f(count, 3), "forces": f(count, 3), "energy": f(molecules), "kinds": i(count),
            "molecule": i(count), "here": i(edges), "there": i(edges)}
    small = jnp.zeros((2,), jnp.int32)
    params = jax.eval_shape(lambda k: net.init(k, jnp.zeros((2, 3)), small, small, small, small, 2), KEY)
    return step, (params, jax.eval_shape(tx.init, params), data), (0, 1)


def fourier_operator(batch=192, size=128, width=64, modes=24, layers=3):
    """Flows on a grid: low waves of a real transform times complex weights, ways beside them; a relative loss."""
    f = lambda *shape: spec(shape, jnp.float32)
    layer = {"waves": f(2, 2, width, width, modes, modes), "beside": f(width, width), "bias": f(width)}
    params = {"in": f(12, width), "layers": [layer] * layers, "out": [f(width, 128), f(128, 1)]}
    tx = optax.adamw(optax.sgdr_schedule([{"init_value": 0.0, "peak_value": 1e-3, "warmup_steps": 100,
                                           "decay_steps": 10000, "end_value": 0.0}]), weight_decay=1e-4)

    def forward(p, x):
        grid = jnp.stack(jnp.meshgrid(*[jnp.linspace(0, 1, size)] * 2, indexing="ij"), -1)
        x = jnp.concatenate([x, jnp.broadcast_to(grid, (batch, size, size, 2))], -1) @ p["in"]
        for n, w in enumerate(p["layers"]):
            waves = jnp.fft.rfft2(x, axes=(1, 2), norm="ortho")
            weights = lax.complex(w["waves"][0], w["waves"][1])
            low = jnp.einsum("bxyi,ioxy->bxyo", waves[:, :modes, :modes], weights[0])
            high = jnp.einsum("bxyi,ioxy->bxyo", waves[:, -modes:, :modes], weights[1])
            out = jnp.zeros_like(waves).at[:, :modes, :modes].set(low).at[:, -modes:, :modes].set(high)
            x = jnp.fft.irfft2(out, (size, size), (1, 2), norm="ortho") + x @ w["beside"] + w["bias"]
            x = jax.nn.gelu(x) if n + 1 < layers else x
        return (jax.nn.gelu(x @ p["out"][0]) @ p["out"][1])[..., 0]

    def step(params, opt, x, y):
        def loss_fn(p):
            off = (forward(p, x) - y).reshape(batch, -1)
            return (jnp.linalg.norm(off, axis=1) / jnp.linalg.norm(y.reshape(batch, -1), axis=1)).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), opt, loss

    return step, (params, jax.eval_shape(tx.init, params), f(batch, size, size, 10), f(batch, size, size)), (0, 1)


def burgers_by_points(points=262144, width=128, layers=5):
    """A net that must solve an equation: its second slopes at many points by forward over reverse under vmap."""
    f = lambda *shape: spec(shape, jnp.float32)
    sizes = [2] + [width] * layers + [1]
    params = [(f(a, b), f(b)) for a, b in zip(sizes, sizes[1:])]
    tx = optax.chain(optax.scale_by_adam(), optax.scale_by_schedule(optax.polynomial_schedule(-1e-3, -1e-5, 2, 20000)))

    def net(p, point):
        x = point
        for w, b in p[:-1]:
            x = jnp.tanh(x @ w + b)
        return (x @ p[-1][0] + p[-1][1])[0]

    def residual(p, point):
        value = net(p, point)
        slope, bend = jax.jvp(lambda at: jax.grad(net, 1)(p, at), (point,), (jnp.array([1.0, 0.0]),))
        return slope[1] + value * slope[0] - 0.01 / jnp.pi * bend[0]

    def step(params, opt, inside, start, wanted, weight):
        def loss_fn(p):
            off = jax.vmap(residual, (None, 0))(p, inside)
            first = jax.vmap(net, (None, 0))(p, start) - wanted
            return (weight * jnp.square(off)).mean() + 10 * jnp.square(first).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    return step, (params, jax.eval_shape(tx.init, params), f(points, 2), f(4096, 2), f(4096), f(points)), (0, 1)
