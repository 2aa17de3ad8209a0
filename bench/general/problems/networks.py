"""Networks: convolutions, attention, layers, bags of words."""
import numpy as np

from problem import Problem


def conv_data(r, b, c, o, h, w):
    return {"x": r.standard_normal((b, c, h, w)), "k": r.standard_normal((o, c, 3, 3)) / np.sqrt(9 * c),
            "bias": 0.1 * r.standard_normal(o)}


def conv(F, a):
    y = F.relu(F.conv(a.x, a.k) + a.bias[:, None, None])
    return (y * y).mean()


Problem("convolution", {"tiny": (2, 3, 4, 6, 5), "cpu": (2, 8, 16, 32, 32), "gpu": (16, 32, 64, 64, 64)},
        conv_data, conv, ("x", "k", "bias"), {
            "conv_maps": {}, "conv_flat": {}, "conv_columns": {"x": (0, 2, 3, 1), "k": (2, 3, 1, 0)}})


def residual_data(r, b, c, h, w):
    return {"x": r.standard_normal((b, c, h, w)), "k1": r.standard_normal((c, c, 3, 3)) / np.sqrt(9 * c),
            "k2": r.standard_normal((c, c, 3, 3)) / np.sqrt(9 * c)}


def residual(F, a):
    y = F.relu(F.conv(F.relu(F.conv(a.x, a.k1)), a.k2) + a.x)
    return (y * y).mean()


Problem("convolution", {"tiny": (2, 3, 5, 4), "cpu": (1, 8, 24, 24), "gpu": (8, 32, 48, 48)},
        residual_data, residual, ("x", "k1", "k2"), {"conv_residual": {}})


def attention_data(r, b, s, e, heads):
    return {"x": r.standard_normal((b, s, e)), "heads": heads,
            **{k: r.standard_normal((e, e)) / np.sqrt(e) for k in ("wq", "wk", "wv", "wo")}}


def attention(F, a):
    b, s, e = a.x.shape
    h, d = a.heads, e // a.heads
    q, k, v = ((a.x @ w).reshape(b, s, h, d) for w in (a.wq, a.wk, a.wv))
    if F.jax:
        w = F.softmax(F.xp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(d).item())
        y = F.xp.einsum("bhqk,bkhd->bqhd", w, v)
    else:
        y = F.lib.nn.functional.scaled_dot_product_attention(*(F.transpose(t, (0, 2, 1, 3)) for t in (q, k, v)))
        y = F.transpose(y, (0, 2, 1, 3))
    y = y.reshape(b, s, e) @ a.wo
    return (y * y).mean()


Problem("attention", {"tiny": (2, 4, 6, 2), "cpu": (2, 64, 64, 4), "gpu": (8, 512, 512, 8)},
        attention_data, attention, ("x", "wq", "wk", "wv", "wo"), {
            "attention_heads": {}, "attention_index": {k: (1, 0) for k in ("wq", "wk", "wv", "wo")}})


def causal_data(r, b, s, k):
    return {n: r.standard_normal((b, s, k)) for n in ("q", "keys", "v")}


def causal(F, a):
    s, d = a.q.shape[1:]
    if F.jax:
        w = F.xp.einsum("bqd,bkd->bqk", a.q, a.keys) / d ** 0.5
        i = F.arange(s)
        y = F.softmax(F.xp.where(i[:, None] >= i, w, -F.xp.inf)) @ a.v
    else:
        y = F.lib.nn.functional.scaled_dot_product_attention(a.q, a.keys, a.v, is_causal=True)
    return (y * y).mean()


Problem("attention", {"tiny": (2, 5, 3), "cpu": (4, 128, 32), "gpu": (64, 512, 64)},
        causal_data, causal, ("q", "keys", "v"), {"attention_causal": {}})


def mlp_data(r, n, i, h1, h2, o):
    return {"x": r.random((n, i)), "label": r.integers(0, o, n),
            "w1": r.standard_normal((h1, i)) / np.sqrt(i), "b1": 0.1 * r.standard_normal(h1),
            "w2": r.standard_normal((h2, h1)) / np.sqrt(h1), "b2": 0.1 * r.standard_normal(h2),
            "w3": r.standard_normal((o, h2)) / np.sqrt(h2), "b3": 0.1 * r.standard_normal(o)}


def mlp(F, a):
    z = F.xp.tanh(a.x @ a.w1.T + a.b1)
    z = F.xp.tanh(z @ a.w2.T + a.b2)
    z = z @ a.w3.T + a.b3
    return (F.lse(z, -1) - z[F.arange(len(z)), a.label]).mean()


Problem("network", {"tiny": (4, 7, 5, 6, 3), "cpu": (64, 784, 512, 512, 10), "gpu": (4096, 784, 512, 512, 10)},
        mlp_data, mlp, ("w1", "b1", "w2", "b2", "w3", "b3"), {
            "mlp_point": {}, "mlp_batch": {k: (1, 0) for k in ("w1", "w2", "w3")}, "mlp_records": {}})


def bags_data(r, v, d, b, l):
    return {"table": r.standard_normal((v, d)), "w": r.standard_normal(d) / np.sqrt(d),
            "words": (v * r.random((b, l)) ** 2).astype(np.int64), "label": 2.0 * r.integers(0, 2, b) - 1}


def bags(F, a):
    s = a.table[a.words].mean(1) @ a.w
    return F.softplus(-a.label * s).mean()


Problem("bags of words", {"tiny": (10, 4, 5, 3), "cpu": (10000, 64, 512, 20), "gpu": (200000, 128, 16384, 32)},
        bags_data, bags, ("table", "w"), {"bags_mean": {}, "bags_loop": {"words": (1, 0)}})


def ragged_data(r, v, d, b, z):
    return {"table": r.standard_normal((v, d)), "w": r.standard_normal(d) / np.sqrt(d),
            "words": (v * r.random(z) ** 2).astype(np.int64), "bag": np.sort(r.integers(0, b, z)),
            "label": 2.0 * r.integers(0, 2, b) - 1}


def ragged(F, a):
    b = len(a.label)
    sums = F.segment_sum(a.table[a.words], a.bag, b)
    counts = F.segment_sum(F.like(a.w, a.bag.shape, 1.0), a.bag, b)
    return F.softplus(-a.label * (sums @ a.w) / F.xp.clip(counts, 1.0, None)).mean()


Problem("bags of words", {"tiny": (10, 4, 5, 17), "cpu": (10000, 64, 512, 10000), "gpu": (200000, 128, 16384, 500000)},
        ragged_data, ragged, ("table", "w"), {"bags_ragged": {}})
