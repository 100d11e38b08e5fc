"""Everyday programs in JAX whose needs were planned before the compiler was asked: tpu_unseen.def has both.

    python tests/golden/tpu_unseen.py FOLDER [NAME...]

writes them as StableHLO. Most need 20 to 120 % of a v5e.
"""

import sys, functools, math
import jax, jax.numpy as jnp
from jax import lax

S = jax.ShapeDtypeStruct
f32, bf16, i32 = jnp.float32, jnp.bfloat16, jnp.int32
P = {}


def program(**kw):
    def deco(f):
        P[f.__name__] = (f, kw.get("donate", ()))
        return f

    return deco


def norm(x, g=None):
    x32 = x.astype(f32)
    y = (x32 - x32.mean(-1, keepdims=True)) * lax.rsqrt(x32.var(-1, keepdims=True) + 1e-5)
    return (y if g is None else y * g).astype(x.dtype)


def attention(q, k, v, causal=False, mask=None):
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
    if causal:
        n = q.shape[1]
        s = jnp.where(jnp.tril(jnp.ones((n, n), bool)), s, -1e9 if s.dtype == f32 else -1e4)
    p = jax.nn.softmax(s.astype(f32), -1).astype(v.dtype)
    return jnp.einsum("bhqk,bkhd->bqhd", p, v)


def block(w, x, heads, causal=True):
    b, t, d = x.shape
    h = norm(x, w["g1"])
    q, k, v = jnp.split(h @ w["qkv"].astype(x.dtype), 3, -1)
    r = lambda a: a.reshape(b, t, heads, d // heads)
    x = x + attention(r(q), r(k), r(v), causal).reshape(b, t, d) @ w["o"].astype(x.dtype)
    h = norm(x, w["g2"])
    return x + jax.nn.gelu(h @ w["up"].astype(x.dtype)) @ w["down"].astype(x.dtype)


def block_spec(d, dt=f32):
    return dict(
        g1=S((d,), f32),
        g2=S((d,), f32),
        qkv=S((d, 3 * d), dt),
        o=S((d, d), dt),
        up=S((d, 4 * d), dt),
        down=S((4 * d, d), dt),
    )


def gpt_spec(v, t, d, l, dt=f32):
    return dict(emb=S((v, d), dt), pos=S((t, d), dt), blocks=[block_spec(d, dt) for _ in range(l)], g=S((d,), f32))


def gpt(w, tokens, heads, dt):
    x = w["emb"].astype(dt)[tokens] + w["pos"].astype(dt)
    for b in w["blocks"]:
        x = block(b, x, heads)
    return norm(x, w["g"]) @ w["emb"].astype(dt).T


def xent(logits, y):
    logits = logits.astype(f32)
    return (jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, y[..., None], -1)[..., 0]).mean()


# ---- inference of transformers
@program()
def gpt_eval_bf16():
    def f(w, x, y):
        return xent(gpt(w, x, 12, bf16), y)

    return f, (gpt_spec(50257, 1024, 768, 12), S((64, 1024), i32), S((64, 1024), i32))


@program()
def gpt_eval_f32():
    def f(w, x, y):
        return xent(gpt(w, x, 12, f32), y)

    return f, (gpt_spec(50257, 512, 768, 4), S((64, 512), i32), S((64, 512), i32))


@program()
def gpt_logits():
    def f(w, x):
        return gpt(w, x, 12, bf16)

    return f, (gpt_spec(50257, 1024, 768, 6), S((96, 1024), i32))


@program()
def gpt_last_logits():
    def f(w, x):
        y = w["emb"].astype(bf16)[x] + w["pos"].astype(bf16)
        for b in w["blocks"]:
            y = block(b, y, 16)
        return jax.nn.log_softmax((norm(y, w["g"])[:, -1] @ w["emb"].astype(bf16).T).astype(f32))

    return f, (gpt_spec(32000, 2048, 1024, 8), S((32, 2048), i32))


@program()
def gpt_eval_logprobs():
    def f(w, x, y):
        lp = jax.nn.log_softmax(gpt(w, x, 8, bf16).astype(f32))
        return jnp.take_along_axis(lp, y[..., None], -1)[..., 0].sum(-1)

    return f, (gpt_spec(32000, 1024, 512, 4), S((128, 1024), i32), S((128, 1024), i32))


@program()
def bert_embed():
    def f(w, x, mask):
        y = w["emb"][x] + w["pos"]
        for b in w["blocks"]:
            y = block(b, y, 16, causal=False)
        m = mask[..., None].astype(y.dtype)
        return (y * m).sum(1) / m.sum(1)

    return f, (gpt_spec(30522, 512, 1024, 6), S((256, 512), i32), S((256, 512), f32))


@program()
def bert_mlm_eval():
    def f(w, x, y):
        h = w["emb"].astype(bf16)[x] + w["pos"].astype(bf16)
        for b in w["blocks"]:
            h = block(b, h, 12, causal=False)
        lg = (norm(h) @ w["emb"].astype(bf16).T).astype(f32)
        return xent(lg, y), (lg.argmax(-1) == y).mean()

    return f, (gpt_spec(30522, 512, 768, 6), S((192, 512), i32), S((192, 512), i32))


@program()
def whisper_encoder():
    def f(w, mel):
        x = lax.conv_general_dilated(
            mel.astype(bf16), w["c1"].astype(bf16), (1,), "SAME", dimension_numbers=("NHC", "HIO", "NHC")
        )
        x = jax.nn.gelu(x)
        x = jax.nn.gelu(
            lax.conv_general_dilated(x, w["c2"].astype(bf16), (2,), "SAME", dimension_numbers=("NHC", "HIO", "NHC"))
        )
        x = x + w["pos"].astype(bf16)
        for b in w["blocks"]:
            x = block(b, x, 12, causal=False)
        return norm(x)

    return f, (
        dict(
            c1=S((3, 80, 768), f32),
            c2=S((3, 768, 768), f32),
            pos=S((1500, 768), f32),
            blocks=[block_spec(768) for _ in range(6)],
        ),
        S((64, 3000, 80), f32),
    )


@program()
def llama_prefill():
    d, h, l, ff, v, b, t = 2048, 16, 6, 5632, 32000, 16, 2048

    def f(w, x):
        y = w["emb"][x]
        caches = []
        pos = jnp.arange(t)[:, None] / 10000 ** (jnp.arange(64) / 64)
        cos, sin = jnp.cos(pos)[:, None].astype(bf16), jnp.sin(pos)[:, None].astype(bf16)
        rot = lambda a: jnp.concatenate(
            [a[..., :64] * cos - a[..., 64:] * sin, a[..., 64:] * cos + a[..., :64] * sin], -1
        )
        for wl in w["l"]:
            n = norm(y)
            q, k, vv = (jnp.reshape(n @ wl[c], (b, t, h, 128)) for c in "qkv")
            q, k = rot(q), rot(k)
            caches.append((k, vv))
            y = y + attention(q, k, vv, True).reshape(b, t, d) @ wl["o"]
            n = norm(y)
            y = y + (jax.nn.silu(n @ wl["g"]) * (n @ wl["u"])) @ wl["d"]
        return norm(y)[:, -1] @ w["head"], caches

    sp = lambda *s: S(s, bf16)
    return f, (
        dict(
            emb=sp(v, d),
            head=sp(d, v),
            l=[
                dict(q=sp(d, d), k=sp(d, d), v=sp(d, d), o=sp(d, d), g=sp(d, ff), u=sp(d, ff), d=sp(ff, d))
                for _ in range(l)
            ],
        ),
        S((b, t), i32),
    )


@program()
def vit_features():
    def f(w, im):
        x = lax.conv_general_dilated(
            im.astype(bf16), w["p"].astype(bf16), (16, 16), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        x = x.reshape(im.shape[0], 196, 768) + w["pos"].astype(bf16)
        for b in w["blocks"]:
            x = block(b, x, 12, causal=False)
        return norm(x).mean(1) @ w["head"].astype(bf16)

    return f, (
        dict(
            p=S((16, 16, 3, 768), f32),
            pos=S((196, 768), f32),
            head=S((768, 1000), f32),
            blocks=[block_spec(768) for _ in range(6)],
        ),
        S((2048, 224, 224, 3), f32),
    )


@program()
def t5_encode_f32():
    def f(w, x, bias):
        y = w["emb"][x]
        for bl in w["blocks"]:
            b, t, d = y.shape
            h = norm(y, bl["g1"])
            q, k, v = jnp.split(h @ bl["qkv"], 3, -1)
            r = lambda a: a.reshape(b, t, 12, 64)
            s = jnp.einsum("bqhd,bkhd->bhqk", r(q), r(k)) + bias
            y = y + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s, -1), r(v)).reshape(b, t, d) @ bl["o"]
            y = y + jax.nn.relu(norm(y, bl["g2"]) @ bl["up"]) @ bl["down"]
        return y

    return f, (gpt_spec(32128, 512, 768, 4), S((192, 512), i32), S((1, 12, 512, 512), f32))


@program()
def moe_forward():
    e, d, ff, n, k = 16, 1024, 4096, 65536, 2

    def f(w, x):
        for wl in w:
            g = jax.nn.softmax((x @ wl["r"]).astype(f32))
            top, idx = lax.top_k(g, k)
            disp = jax.nn.one_hot(idx, e, dtype=f32) * top[..., None]
            comb = disp.sum(1)
            y = jnp.einsum("nd,edf->enf", x, wl["u"])
            y = jax.nn.gelu(y)
            y = jnp.einsum("enf,efd->end", y, wl["d"])
            x = x + jnp.einsum("end,ne->nd", y, comb.astype(x.dtype))
        return x

    return f, (
        [dict(r=S((d, e), bf16), u=S((e, d, ff), bf16), d=S((e, ff, d), bf16)) for _ in range(2)],
        S((n, d), bf16),
    )


# ---- convolutions
def conv(x, w, s=1, dn="NHWC", pad="SAME", groups=1):
    return lax.conv_general_dilated(
        x, w, (s, s), pad, dimension_numbers=(dn, "HWIO" if dn == "NHWC" else "OIHW", dn), feature_group_count=groups
    )


def kern(dn, k, i, o, dt=f32):
    return S((k, k, i, o) if dn == "NHWC" else (o, i, k, k), dt)


def bn_eval(x, p, dn):
    sh = (1, 1, 1, -1) if dn == "NHWC" else (1, -1, 1, 1)
    g, b, m, v = (a.reshape(sh).astype(x.dtype) for a in p)
    return (x - m) * lax.rsqrt(v + 1e-5) * g + b


def bnspec(c):
    return tuple(S((c,), f32) for _ in range(4))


def resnet(dn, widths, blocks):
    spec = dict(stem=kern(dn, 7, 3, 64), bn=bnspec(64), st=[], fc=S((widths[-1] * 4, 1000), f32))
    c = 64
    for i, (wd, nb) in enumerate(zip(widths, blocks)):
        for j in range(nb):
            o = wd * 4
            bl = dict(
                a=kern(dn, 1, c, wd),
                b=kern(dn, 3, wd, wd),
                c=kern(dn, 1, wd, o),
                ba=bnspec(wd),
                bb=bnspec(wd),
                bc=bnspec(o),
            )
            if j == 0:
                bl["s"] = kern(dn, 1, c, o)
                bl["bs"] = bnspec(o)
            spec["st"].append(bl)
            c = o
    strides = [2 if (j == 0 and i > 0) else 1 for i, nb in enumerate(blocks) for j in range(nb)]

    def f(w, x, dt=f32):
        x = x.astype(dt)
        cast = lambda a: a.astype(dt)
        x = jax.nn.relu(bn_eval(conv(x, cast(w["stem"]), 2, dn), w["bn"], dn))
        win = (1, 3, 3, 1) if dn == "NHWC" else (1, 1, 3, 3)
        st = (1, 2, 2, 1) if dn == "NHWC" else (1, 1, 2, 2)
        x = lax.reduce_window(x, jnp.asarray(-jnp.inf, dt), lax.max, win, st, "SAME")
        for bl, s in zip(w["st"], strides):
            y = jax.nn.relu(bn_eval(conv(x, cast(bl["a"]), 1, dn), bl["ba"], dn))
            y = jax.nn.relu(bn_eval(conv(y, cast(bl["b"]), s, dn), bl["bb"], dn))
            y = bn_eval(conv(y, cast(bl["c"]), 1, dn), bl["bc"], dn)
            x = jax.nn.relu(y + (bn_eval(conv(x, cast(bl["s"]), s, dn), bl["bs"], dn) if "s" in bl else x))
        return x.mean((1, 2) if dn == "NHWC" else (2, 3)) @ cast(w["fc"])

    return f, spec


@program()
def resnet50_nhwc_f32():
    f, s = resnet("NHWC", (64, 128, 256, 512), (3, 4, 6, 3))
    return f, (s, S((1024, 224, 224, 3), f32))


@program()
def resnet50_nchw_f32():
    f, s = resnet("NCHW", (64, 128, 256, 512), (3, 4, 6, 3))
    return f, (s, S((1024, 3, 224, 224), f32))


@program()
def resnet50_nchw_bf16():
    f, s = resnet("NCHW", (64, 128, 256, 512), (3, 4, 6, 3))
    return functools.partial(f, dt=bf16), (s, S((2048, 3, 224, 224), f32))


@program()
def vgg_nchw_f32():
    cfg = [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)]
    ks, c = [], 3
    for o, n in cfg:
        for _ in range(n):
            ks.append(kern("NCHW", 3, c, o))
            c = o

    def f(w, x):
        i = 0
        for o, n in cfg:
            for _ in range(n):
                x = jax.nn.relu(conv(x, w[i], 1, "NCHW"))
                i += 1
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
        return x.mean((2, 3))

    return f, (ks, S((384, 3, 224, 224), f32))


@program()
def convnet_nchw_grads():
    ks = [kern("NCHW", 3, 3, 64), kern("NCHW", 3, 64, 128), kern("NCHW", 3, 128, 128), kern("NCHW", 3, 128, 256)]

    def loss(w, x, y):
        for i, k in enumerate(w[0]):
            x = jax.nn.relu(conv(x, k, 2 if i % 2 else 1, "NCHW"))
        return xent(x.mean((2, 3)) @ w[1], y)

    return jax.value_and_grad(loss), ((ks, S((256, 100), f32)), S((512, 3, 128, 128), f32), S((512,), i32))


@program()
def convnet_nhwc_grads():
    ks = [kern("NHWC", 3, 3, 64), kern("NHWC", 3, 64, 128), kern("NHWC", 3, 128, 128), kern("NHWC", 3, 128, 256)]

    def loss(w, x, y):
        for i, k in enumerate(w[0]):
            x = jax.nn.relu(conv(x, k, 2 if i % 2 else 1, "NHWC"))
        return xent(x.mean((1, 2)) @ w[1], y)

    return jax.value_and_grad(loss), ((ks, S((256, 100), f32)), S((512, 128, 128, 3), f32), S((512,), i32))


def unet(dn, base, depth):
    ch = 1 if dn == "NCHW" else 3
    spec, c = dict(d=[], u=[], out=kern(dn, 1, base, 4)), 4
    for i in range(depth):
        o = base * 2**i
        spec["d"].append((kern(dn, 3, c, o), kern(dn, 3, o, o)))
        c = o
    for i in reversed(range(depth - 1)):
        o = base * 2**i
        spec["u"].append((kern(dn, 3, c + o, o), kern(dn, 3, o, o)))
        c = o

    def f(w, x, emb=None):
        skips = []
        for i, (a, b) in enumerate(w["d"]):
            x = jax.nn.silu(conv(jax.nn.silu(conv(x, a.astype(x.dtype), 1, dn)), b.astype(x.dtype), 1, dn))
            skips.append(x)
            if i < len(w["d"]) - 1:
                wd = (1, 2, 2, 1) if dn == "NHWC" else (1, 1, 2, 2)
                x = lax.reduce_window(x, jnp.asarray(0, x.dtype), lax.add, wd, wd, "VALID") * 0.25
        for (a, b), s in zip(w["u"], reversed(skips[:-1])):
            sh = list(s.shape)
            sh[ch] = x.shape[ch]
            x = jax.image.resize(x, sh, "nearest")
            x = jnp.concatenate([x, s], ch)
            x = jax.nn.silu(conv(jax.nn.silu(conv(x, a.astype(x.dtype), 1, dn)), b.astype(x.dtype), 1, dn))
        return conv(x, w["out"].astype(x.dtype), 1, dn)

    return f, spec


@program()
def unet_nhwc_forward():
    f, s = unet("NHWC", 64, 5)
    return f, (s, S((48, 256, 256, 4), f32))


@program()
def unet_nchw_forward_bf16():
    f, s = unet("NCHW", 64, 5)
    return (lambda w, x: f(w, x.astype(bf16)).astype(f32)), (s, S((96, 4, 256, 256), f32))


@program(donate=(1,))
def diffusion_step():
    f, s = unet("NHWC", 128, 4)

    def step(w, x, noise, a, sig):
        two = jnp.concatenate([x, x], 0).astype(bf16)
        e = f(w, two).astype(f32)
        c, u = jnp.split(e, 2, 0)
        e = u + 7.5 * (c - u)
        return (x - a * e) / jnp.sqrt(1 - a) + sig * noise

    x = S((48, 128, 128, 4), f32)
    return step, (s, x, x, S((), f32), S((), f32))


@program()
def mobilenet_nhwc():
    cfg = [
        (32, 64, 1),
        (64, 128, 2),
        (128, 128, 1),
        (128, 256, 2),
        (256, 256, 1),
        (256, 512, 2),
        (512, 512, 1),
        (512, 512, 1),
        (512, 1024, 2),
    ]
    spec = dict(
        stem=kern("NHWC", 3, 3, 32),
        l=[(S((3, 3, 1, i), f32), bnspec(i), kern("NHWC", 1, i, o), bnspec(o)) for i, o, s in cfg],
        fc=S((1024, 1000), f32),
    )

    def f(w, x):
        x = jax.nn.relu6(conv(x, w["stem"], 2))
        for (dw, b1, pw, b2), (i, o, s) in zip(w["l"], cfg):
            x = jax.nn.relu6(bn_eval(conv(x, dw, s, groups=i), b1, "NHWC"))
            x = jax.nn.relu6(bn_eval(conv(x, pw), b2, "NHWC"))
        return jax.nn.softmax(x.mean((1, 2)) @ w["fc"])

    return f, (spec, S((768, 224, 224, 3), f32))


# ---- tables, reinforcement, fine tuning
@program()
def dlrm_forward():
    def f(tables, bot, top, dense, ids):
        z = dense
        for w in bot:
            z = jax.nn.relu(z @ w)
        e = jnp.stack([z] + [t[ids[:, i]] for i, t in enumerate(tables)], 1)
        inter = jnp.einsum("bid,bjd->bij", e, e)
        iu = jnp.triu_indices(e.shape[1], 1)
        z = jnp.concatenate([z, inter[:, iu[0], iu[1]]], 1)
        for i, w in enumerate(top):
            z = z @ w
            if i < len(top) - 1:
                z = jax.nn.relu(z)
        return jax.nn.sigmoid(z)

    n = 12
    return f, (
        [S((1000000, 128), f32) for _ in range(n)],
        [S((13, 512), f32), S((512, 128), f32)],
        [S((128 + n * (n + 1) // 2, 1024), f32), S((1024, 512), f32), S((512, 1), f32)],
        S((262144, 13), f32),
        S((262144, n), i32),
    )


@program()
def ppo_rollout_eval():
    def f(w, obs, act, adv, ret, old):
        x = obs.astype(bf16) / 255
        for k, s in zip(w["c"], (4, 2, 1)):
            x = jax.nn.relu(conv(x, k.astype(bf16), s, pad="VALID"))
        x = jax.nn.relu(x.reshape(x.shape[0], -1) @ w["d"].astype(bf16)).astype(f32)
        lg, v = x @ w["pi"], (x @ w["v"])[:, 0]
        lp = jax.nn.log_softmax(lg)
        l = jnp.take_along_axis(lp, act[:, None], 1)[:, 0]
        r = jnp.exp(l - old)
        return (
            -jnp.minimum(r * adv, jnp.clip(r, 0.8, 1.2) * adv).mean()
            + ((v - ret) ** 2).mean()
            - 0.01 * (-(jnp.exp(lp) * lp).sum(-1)).mean()
        )

    n = 65536
    return jax.value_and_grad(f), (
        dict(
            c=[S((8, 8, 4, 32), f32), S((4, 4, 32, 64), f32), S((3, 3, 64, 64), f32)],
            d=S((3136, 512), f32),
            pi=S((512, 18), f32),
            v=S((512, 1), f32),
        ),
        S((n, 84, 84, 4), jnp.uint8),
        S((n,), i32),
        S((n,), f32),
        S((n,), f32),
        S((n,), f32),
    )


@program(donate=(0,))
def lora_step():
    d, l, v, t, b = 1024, 8, 32000, 1024, 16

    def loss(lo, w, x, y):
        h = w["emb"][x] + w["pos"]
        for bl, a in zip(w["blocks"], lo):
            n = norm(h, bl["g1"])
            qkv = n @ bl["qkv"] + (n @ a["a"].astype(bf16)) @ a["b"].astype(bf16)
            q, k, vv = jnp.split(qkv, 3, -1)
            r = lambda z: z.reshape(b, t, 16, 64)
            h = h + attention(r(q), r(k), r(vv), True).reshape(b, t, d) @ bl["o"]
            h = h + jax.nn.gelu(norm(h, bl["g2"]) @ bl["up"]) @ bl["down"]
        return xent(norm(h) @ w["emb"].T, y)

    def step(lo, w, x, y):
        val, g = jax.value_and_grad(loss)(lo, w, x, y)
        return jax.tree.map(lambda p, q: p - 1e-3 * q, lo, g), val

    return step, (
        [dict(a=S((d, 16), f32), b=S((16, 3 * d), f32)) for _ in range(l)],
        gpt_spec(v, t, d, l, bf16),
        S((b, t), i32),
        S((b, t), i32),
    )


@program()
def bert_grads():
    def loss(w, x, y):
        h = w["emb"].astype(bf16)[x] + w["pos"].astype(bf16)
        for b in w["blocks"]:
            h = block(b, h, 12, causal=False)
        return xent(h[:, 0] @ w["emb"].astype(bf16)[:2].T, y)

    return jax.value_and_grad(loss), (gpt_spec(30522, 256, 768, 6), S((128, 256), i32), S((128,), i32))


@program()
def clip_scores():
    def f(w, im, x):
        a = lax.conv_general_dilated(
            im.astype(bf16), w["p"].astype(bf16), (32, 32), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
        ).reshape(im.shape[0], 49, 768)
        for b in w["vis"]:
            a = block(b, a, 12, causal=False)
        t = w["emb"].astype(bf16)[x]
        for b in w["txt"]:
            t = block(b, t, 8)
        a, t = a.mean(1) @ w["pa"].astype(bf16), t[:, -1] @ w["pt"].astype(bf16)
        n = lambda z: z / jnp.sqrt((z.astype(f32) ** 2).sum(-1, keepdims=True)).astype(bf16)
        return jax.nn.softmax((n(a) @ n(t).T).astype(f32) * 100)

    return f, (
        dict(
            p=S((32, 32, 3, 768), f32),
            vis=[block_spec(768) for _ in range(4)],
            txt=[block_spec(512) for _ in range(4)],
            emb=S((49408, 512), f32),
            pa=S((768, 512), f32),
            pt=S((512, 512), f32),
        ),
        S((4096, 224, 224, 3), f32),
        S((4096, 77), i32),
    )


@program()
def mixer_forward():
    def f(w, x):
        for a, b, c, d in w:
            y = norm(x).swapaxes(1, 2)
            x = x + (jax.nn.gelu(y @ a.astype(bf16)) @ b.astype(bf16)).swapaxes(1, 2)
            x = x + jax.nn.gelu(norm(x) @ c.astype(bf16)) @ d.astype(bf16)
        return norm(x).mean(1)

    return f, (
        [(S((196, 384), f32), S((384, 196), f32), S((768, 3072), f32), S((3072, 768), f32)) for _ in range(6)],
        S((4096, 196, 768), bf16),
    )


@program()
def mlp_predict_wide():
    def f(w, x):
        for a in w:
            x = jax.nn.gelu(x @ a)
        return x

    return f, ([S((8192, 8192), f32) for _ in range(6)], S((131072, 8192), f32))


def main(out, *names):
    for n, (make, donate) in P.items():
        if names and n not in names:
            continue
        f, args = make()
        text = (
            jax.jit(f, donate_argnums=donate).trace(*args).lower(lowering_platforms=("tpu",)).as_text(debug_info=True)
        )
        open(f"{out}/{n}.mlir", "w").write(text)
        print(n, len(text), flush=True)


main(*sys.argv[1:])
