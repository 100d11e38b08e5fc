"""The second blind set: convolutional nets of JAX that train on one device."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.dynamic_scale import DynamicScale
from jax import lax

from jax_loops import KEY, spec


class DenseNet(nn.Module):
    """Each layer sees what all before it made."""
    blocks: tuple
    growth: int = 32

    @nn.compact
    def __call__(self, x, train=True):
        norm = functools.partial(nn.BatchNorm, use_running_average=not train, momentum=0.99, epsilon=1.001e-5)
        conv = functools.partial(nn.Conv, use_bias=False)
        x = nn.relu(norm()(conv(64, (7, 7), (2, 2))(x)))
        x = nn.max_pool(x, (3, 3), (2, 2), "SAME")
        for n, layers in enumerate(self.blocks):
            if n:
                x = conv(x.shape[-1] // 2, (1, 1))(nn.relu(norm()(x)))
                x = nn.avg_pool(x, (2, 2), (2, 2))
            for _ in range(layers):
                y = conv(4 * self.growth, (1, 1))(nn.relu(norm()(x)))
                x = jnp.concatenate([x, conv(self.growth, (3, 3))(nn.relu(norm()(y)))], -1)
        return nn.Dense(14, bias_init=nn.initializers.constant(-2.0))(nn.relu(norm()(x)).mean((1, 2)))


def dense_net_xrays(batch=480, size=224, blocks=(2, 2, 2)):
    """Findings in X-rays of one channel: a weighted sigmoid for each, float32, RMSProp."""
    net = DenseNet(blocks)
    tx = optax.rmsprop(optax.exponential_decay(1e-3, 5000, 0.9))

    def step(params, stats, opt, images, found, weights):
        def loss_fn(params):
            logits, new = net.apply({"params": params, "batch_stats": stats}, images[..., None] / 255.0,
                                    mutable=["batch_stats"])
            yes, no = jax.nn.log_sigmoid(logits), jax.nn.log_sigmoid(-logits)
            each = found * yes * weights[0] + (1 - found) * no * weights[1]
            return -each.mean(), new["batch_stats"]

        (loss, stats_after), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
        updates, opt = tx.update(grads, opt, params)
        return optax.apply_updates(params, updates), stats_after, opt, loss

    v = jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, size, size, 1))), KEY)
    f = lambda *shape: spec(shape, jnp.float32)
    return step, (v["params"], v["batch_stats"], jax.eval_shape(tx.init, v["params"]), f(batch, size, size),
                  f(batch, 14), f(2, 14)), (0, 1, 2)


class VideoNet(nn.Module):
    """R(2+1)D: a convolution of places, then one of time."""

    @nn.compact
    def __call__(self, x):
        def apart(x, width, middle, stride=1):
            norm = functools.partial(nn.BatchNorm, use_running_average=False, dtype=x.dtype)
            conv = functools.partial(nn.Conv, use_bias=False, dtype=x.dtype)
            x = nn.relu(norm()(conv(middle, (1, 3, 3), (1, stride, stride))(x)))
            return norm()(conv(width, (3, 1, 1), (stride, 1, 1))(x))

        x = nn.Conv(45, (1, 7, 7), (1, 2, 2), use_bias=False, dtype=x.dtype)(x)
        x = nn.relu(nn.Conv(64, (3, 1, 1), use_bias=False, dtype=x.dtype)(x))
        for width, stride in ((64, 1), (128, 2), (256, 2)):
            middle = 27 * x.shape[-1] * width // (9 * x.shape[-1] + 3 * width)
            y = nn.relu(apart(x, width, middle, stride))
            y = apart(y, width, middle)
            if stride > 1:
                x = nn.Conv(width, (1, 1, 1), (stride,) * 3, use_bias=False, dtype=x.dtype)(x)
            x = nn.relu(x + y)
        return nn.Dense(400)(x.mean((1, 2, 3)).astype(jnp.float32))


def video_net(batch=608, frames=16, size=112):
    """Sixteen frames of 112 x 112, convolutions of three dimensions, bfloat16."""
    net, tx = VideoNet(), optax.sgd(optax.warmup_cosine_decay_schedule(0.0, 0.8, 10000, 450000), momentum=0.9)

    def step(state, clips, labels):
        def loss_fn(params):
            x = (clips.astype(jnp.bfloat16) - 110) / 58
            logits, new = net.apply({**state["stats"], "params": params}, x, mutable=["batch_stats"])
            return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean(), new

        (loss, stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state["params"])
        updates, opt = tx.update(grads, state["opt"])
        return {"params": optax.apply_updates(state["params"], updates), "stats": stats, "opt": opt}, loss

    v = jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, frames, size, size, 3))), KEY)
    state = {"params": v["params"], "stats": {"batch_stats": v["batch_stats"]},
             "opt": jax.eval_shape(tx.init, v["params"])}
    return step, (state, spec((batch, frames, size, size, 3), jnp.uint8), spec((batch,), jnp.int32)), (0,)


class SuperResolution(nn.Module):
    """EDSR: blocks without norms, then places out of channels."""
    blocks: int = 8
    width: int = 64

    @nn.compact
    def __call__(self, x):
        conv = functools.partial(nn.Conv, kernel_size=(3, 3), dtype=jnp.bfloat16)
        x = first = conv(self.width)(x)
        for _ in range(self.blocks):
            x = x + 0.1 * conv(self.width)(nn.relu(conv(self.width)(x)))
        x = first + conv(self.width)(x)
        for _ in range(2):
            x = conv(4 * self.width)(x)
            n, h, w, c = x.shape
            x = x.reshape(n, h, w, 2, 2, c // 4).transpose(0, 1, 3, 2, 4, 5).reshape(n, 2 * h, 2 * w, c // 4)
        return conv(3)(x)


def super_resolution(batch=1024, size=48):
    """Four times the side; the loss is absolute and of slopes between neighbours, too; slopes are scaled, bfloat16."""
    net, tx = SuperResolution(), optax.adam(1e-4)

    def step(params, opt, scale, small, large):
        def loss_fn(params):
            made = net.apply(params, small.astype(jnp.bfloat16) / 255).astype(jnp.float32)
            off = made - large.astype(jnp.float32) / 255
            edges = jnp.abs(jnp.diff(off, axis=1)).mean() + jnp.abs(jnp.diff(off, axis=2)).mean()
            return jnp.abs(off).mean() + 0.1 * edges

        scale, fine, loss, grads = scale.value_and_grad(loss_fn)(params)
        updates, opt_after = tx.update(grads, opt)
        after = optax.apply_updates(params, updates)
        keep = lambda new, old: jax.tree.map(lambda a, b: jnp.where(fine, a, b), new, old)
        return keep(after, params), keep(opt_after, opt), scale, loss

    params = jax.eval_shape(lambda k: net.init(k, jnp.zeros((1, size, size, 3))), KEY)
    image = lambda n: spec((batch, n, n, 3), jnp.uint8)
    return step, (params, jax.eval_shape(tx.init, params), jax.eval_shape(lambda: DynamicScale(
        fin_steps=jnp.int32(0), scale=jnp.float32(65536))), image(size), image(4 * size)), (0, 1, 2)


def wasserstein_critic(batch=2048, width=64):
    """WGAN-GP's critic: the length of its slope between true and made pictures is held at one, so slopes of slopes."""
    f = lambda *shape: spec(shape, jnp.float32)
    widths = (3, width, 2 * width, 4 * width, 8 * width)
    params = {"conv": [f(5, 5, a, b) for a, b in zip(widths, widths[1:])], "bias": [f(b) for b in widths[1:]],
              "last": f(4 * 4 * widths[-1], 1)}
    numbers = ("NHWC", "HWIO", "NHWC")

    def critic(p, x):
        for w, b in zip(p["conv"], p["bias"]):
            x = lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=numbers) + b
            x = jnp.where(x > 0, x, 0.2 * x)
        return (x.reshape(x.shape[0], -1) @ p["last"])[:, 0]

    tx = optax.adam(1e-4, b1=0.0, b2=0.9)

    def step(params, opt, true, made, key):
        def loss_fn(p):
            t = jax.random.uniform(key, (batch, 1, 1, 1))
            between = t * true + (1 - t) * made
            slope = jax.grad(lambda x: critic(p, x).sum())(between)
            length = jnp.sqrt(jnp.square(slope).sum((1, 2, 3)) + 1e-12)
            return critic(p, made).mean() - critic(p, true).mean() + 10 * jnp.square(length - 1).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt = tx.update(grads, opt)
        return optax.apply_updates(params, updates), opt, loss

    picture = f(batch, 64, 64, 3)
    return step, (params, jax.eval_shape(tx.init, params), picture, picture, KEY), (0, 1)


class CodeNet(nn.Module):
    width: int = 128

    @nn.compact
    def __call__(self, x, decode):
        conv = functools.partial(nn.Conv, self.width)

        def residual(x):
            return x + nn.Conv(self.width, (1, 1))(nn.relu(conv((3, 3))(nn.relu(x))))

        if not decode:
            x = nn.relu(conv((4, 4), (2, 2))(x))
            return nn.Conv(64, (1, 1))(residual(conv((4, 4), (2, 2))(x)))
        x = residual(conv((3, 3))(x))
        x = nn.relu(nn.ConvTranspose(self.width, (4, 4), (2, 2))(x))
        return nn.ConvTranspose(3, (4, 4), (2, 2))(x)


def vector_quantized(batch=608, size=128, codes=1024, width=64):
    """VQ-VAE: the nearest of a book of codes, which follows averages of what is near it, without slopes."""
    encoder, decoder, tx = CodeNet(), CodeNet(), optax.amsgrad(2e-4)

    def step(params, opt, book, images):
        def loss_fn(params):
            x = images.astype(jnp.float32) / 255 - 0.5
            z = encoder.apply(params["encoder"], x, False)
            flat = z.reshape(-1, width)
            far = (flat ** 2).sum(1, keepdims=True) - 2 * flat @ book["codes"] + (book["codes"] ** 2).sum(0)
            hot = jax.nn.one_hot(far.argmin(1), codes)
            near = (hot @ book["codes"].T).reshape(z.shape)
            made = decoder.apply(params["decoder"], z + lax.stop_gradient(near - z), True)
            loss = jnp.square(made - x).mean() / 0.06 + 0.25 * jnp.square(z - lax.stop_gradient(near)).mean()
            return loss, (lax.stop_gradient(hot), lax.stop_gradient(flat))

        (loss, (hot, flat)), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
        count = optax.incremental_update(hot.sum(0), book["count"], 0.01)
        total = optax.incremental_update(flat.T @ hot, book["total"], 0.01)
        safe = (count + 1e-5) / (count.sum() + codes * 1e-5) * count.sum()
        updates, opt = tx.update(grads, opt)
        book = {"count": count, "total": total, "codes": total / safe}
        return optax.apply_updates(params, updates), opt, book, loss

    params = {"encoder": jax.eval_shape(lambda k: encoder.init(k, jnp.zeros((1, size, size, 3)), False), KEY),
              "decoder": jax.eval_shape(lambda k: decoder.init(k, jnp.zeros((1, 32, 32, width)), True), KEY)}
    f = lambda *shape: spec(shape, jnp.float32)
    book = {"count": f(codes), "total": f(width, codes), "codes": f(width, codes)}
    return step, (params, jax.eval_shape(tx.init, params), book, spec((batch, size, size, 3), jnp.uint8)), (0, 1, 2)
