"""Filters, chains, flows, forests, transformers and recurrent networks, dynamic programming, lattices."""
import numpy as np

from problem import Problem


def kalman_data(r, b, t, n):
    return {"ys": r.standard_normal((b, t, 2)), "f": 0.9 * np.eye(n) + 0.05 * r.standard_normal((n, n)),
            "h": r.standard_normal((2, n)), "logq": -1 + 0.1 * r.standard_normal(n), "logr": np.array([-0.5, -0.7])}


def kalman(F, a):
    xp, n = F.xp, len(a.f)
    q, rr = xp.diag(xp.exp(a.logq)), xp.diag(xp.exp(a.logr))
    b = len(a.ys)

    # The covariances do not depend on what was seen: one for all series.
    def step(state, y):
        x, p, ll = state
        x, p = x @ a.f.T, a.f @ p @ a.f.T + q
        e, ph = y - x @ a.h.T, p @ a.h.T
        s = a.h @ ph + rr
        si = xp.linalg.inv(s)
        k = ph @ si
        ll = ll - 0.5 * ((e @ si) * e).sum(-1) - 0.5 * xp.log(s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0])
        return (x + e @ k.T, p - k @ ph.T, ll), None
    start = F.like(a.f, (b, n)), F.eye(n, a.f), F.like(a.f, (b,))
    (_, _, ll), _ = F.scan(step, start, F.transpose(a.ys, (1, 0, 2)))
    return ll.mean()


Problem("filters", {"tiny": (3, 4, 3), "cpu": (100, 50, 4), "gpu": (20_000, 100, 4)},
        kalman_data, kalman, ("f", "h", "logq", "logr"), {"kalman_matrices": {}}, steps=lambda b, t, n: t)


def particle_data(r, t, n):
    return {"ys": np.abs(r.standard_normal(t)), "noise": r.standard_normal((t, n)),
            "theta": np.array([0.5, 2.0, 0.1, 0.2])}


def particle(F, a):
    xp, n, t = F.xp, a.noise.shape[1], len(a.ys)
    th = [a.theta[i] for i in range(4)]
    force = xp.cos(1.2 * F.arange(t, a.ys))

    def step(s, seen):
        x, logw, total = s
        y, e, c = seen
        x = th[0] * x + th[1] * x / (1 + x * x) + c + xp.exp(th[2]) * e
        d = (y - x * x / 20) / xp.exp(th[3])
        w = logw - 0.5 * d * d - th[3]
        z = F.lse(w, -1)
        flat = 0.9 * (w - z)
        return (x, flat - F.lse(flat, -1), total + z), None
    start = F.like(a.ys, (n,)), F.like(a.ys, (n,), -float(np.log(n))), F.like(a.ys, ())
    (_, _, total), _ = F.scan(step, start, (a.ys, a.noise, force))
    return total / t


Problem("filters", {"tiny": (4, 6), "cpu": (50, 1000), "gpu": (100, 200_000)},
        particle_data, particle, ("theta",), {"particle_weights": {}}, steps=lambda t, n: t)


def langevin_data(r, m, d, c, t):
    return {"a": r.standard_normal((m, d)), "y": 2.0 * r.integers(0, 2, m) - 1, "prior": np.array([0.3, 0.2]),
            "noise": r.standard_normal((c, t, d))}


def langevin(F, a):
    c, t, d = a.noise.shape
    eps = 0.02

    def step(x, e):
        g = (a.y * F.sigmoid(-a.y * (x @ a.a.T))) @ a.a - F.xp.exp(a.prior[0]) * (x - a.prior[1])
        return x + eps * g + (2 * eps) ** 0.5 * e, None
    x, _ = F.scan(step, F.like(a.a, (c, d)), F.transpose(a.noise, (1, 0, 2)))
    return F.xp.tanh(x).sum() / c


Problem("Markov chains", {"tiny": (5, 2, 3, 4), "cpu": (20, 4, 50, 40), "gpu": (64, 8, 4096, 100)},
        langevin_data, langevin, ("prior",), {"langevin_chains": {}}, steps=lambda m, d, c, t: t)


def flow_data(r, n, d, h, k):
    return {"xs": r.standard_normal((n, 2, d)), "w": r.standard_normal((k, h, d)) / np.sqrt(d),
            "b": 0.1 * r.standard_normal((k, h)), "s": 0.3 * r.standard_normal((k, d, h)) / np.sqrt(h),
            "t": r.standard_normal((k, d, h)) / np.sqrt(h)}


def flow(F, a):
    def step(state, l):
        x, y, logdet = state
        w, b, s, t = l
        hidden = F.xp.tanh(x @ w.T + b)
        s, t = F.xp.tanh(hidden @ s.T), hidden @ t.T
        return (y * F.xp.exp(s) + t, x, logdet + s.sum(-1)), None
    n, _, d = a.xs.shape
    (x, y, logdet), _ = F.scan(step, (a.xs[:, 0], a.xs[:, 1], F.like(a.xs, (n,))), (a.w, a.b, a.s, a.t))
    return (0.5 * (x * x + y * y).sum(-1) - logdet).mean() + d * float(np.log(2 * np.pi))


Problem("flows", {"tiny": (4, 2, 3, 3), "cpu": (200, 4, 32, 6), "gpu": (16384, 16, 64, 8)},
        flow_data, flow, ("w", "b", "s", "t"), {"flow_coupling": {}})


def transformer_data(r, b, s, l, e, h):
    out = {"x": r.standard_normal((b, s, e))}
    for name, shape in (("wq", (l, e, e)), ("wk", (l, e, e)), ("wv", (l, e, e)), ("w1", (l, e, h)), ("w2", (l, h, e))):
        out[name] = r.standard_normal(shape) / np.sqrt(shape[1])
    return out


def transformer(F, a):
    e = a.x.shape[-1]

    def norm(x):
        c = x - x.mean(-1)[..., None]
        return c / F.xp.sqrt((c * c).mean(-1)[..., None] + 1e-5)

    def gelu(x):
        return 0.5 * x * (1 + F.xp.tanh(0.7978846 * (x + 0.044715 * x * x * x)))

    def block(x, w):
        wq, wk, wv, w1, w2 = w
        y = norm(x)
        scores = (y @ wq) @ F.transpose(y @ wk, (0, 2, 1)) / e ** 0.5
        x = x + F.softmax(scores) @ (y @ wv)
        return x + gelu(norm(x) @ w1) @ w2, None
    x, _ = F.scan(block, a.x, (a.wq, a.wk, a.wv, a.w1, a.w2))
    y = norm(x)
    return (abs(y) * y * y).mean()


Problem("transformers", {"tiny": (2, 3, 2, 4, 5), "cpu": (2, 32, 2, 32, 64), "gpu": (16, 256, 4, 256, 1024)},
        transformer_data, transformer, ("wq", "wk", "wv", "w1", "w2"), {"transformer_block": {}})


def gru_data(r, n, t, i, h):
    return {"xs": r.standard_normal((n, t, i)), "ys": r.standard_normal((n, h)),
            "w": r.standard_normal((3, h, i)) / np.sqrt(i), "u": r.standard_normal((3, h, h)) / np.sqrt(h),
            "b": 0.1 * r.standard_normal((3, h))}


def gru(F, a):
    n, t, i = a.xs.shape
    h = a.ys.shape[1]
    # The inputs' part of all gates at once, outside the loop.
    pre = (a.xs.reshape(n * t, i) @ a.w.reshape(3 * h, i).T).reshape(n, t, 3, h) + a.b
    gates = a.u[:2].reshape(2 * h, h).T

    def step(s, x):
        zr = F.sigmoid(x[:, :2].reshape(n, 2 * h) + s @ gates)
        z, r = zr[:, :h], zr[:, h:]
        c = F.xp.tanh(x[:, 2] + (r * s) @ a.u[2].T)
        return (1 - z) * s + z * c, None
    s, _ = F.scan(step, F.like(a.xs, (n, h)), F.transpose(pre, (1, 0, 2, 3)))
    return ((s - a.ys) ** 2).sum() / n


Problem("recurrent networks", {"tiny": (3, 4, 2, 3), "cpu": (32, 20, 16, 32), "gpu": (1024, 50, 64, 128)},
        gru_data, gru, ("w", "u", "b"), {"gru_sequence": {}}, steps=lambda n, t, i, h: t)


def dtw_data(r, b, n, m):
    return {"xs": r.standard_normal((b, n)), "ys": r.standard_normal((b, m)), "g": 0.5}


def dtw(F, a):
    """By anti-diagonals, as it is done on devices: diagonal d holds the cells (i, d - i)."""
    xp = F.xp
    b, n = a.xs.shape
    m = a.ys.shape[1]
    rows = F.arange(n + 1)

    def diagonal(state, d):
        before, last = state
        cols = d - rows
        inside = (rows >= 1) & (cols >= 1) & (cols <= m)
        cost = (a.xs[:, xp.clip(rows - 1, 0, n - 1)] - a.ys[:, xp.clip(cols - 1, 0, m - 1)]) ** 2
        far = F.like(a.xs, (b, 1), 1e6)
        above, corner = (xp.concatenate([far, p[:, :-1]], 1) for p in (last, before))
        value = cost - a.g * F.lse(-xp.stack([corner, above, last]) / a.g, 0)
        return (last, xp.where(inside, value, 1e6 + 0 * value)), None
    first = xp.where(rows == 0, F.like(a.xs, (b, n + 1)), F.like(a.xs, (b, n + 1), 1e6))
    (_, last), _ = F.scan(diagonal, (first, F.like(a.xs, (b, n + 1), 1e6)), F.arange(n + m + 1)[2:])
    return last[:, n].mean()


Problem("dynamic programming", {"tiny": (2, 4, 5), "cpu": (16, 50, 50), "gpu": (1024, 128, 128)},
        dtw_data, dtw, ("xs",), {"dtw_soft": {}}, steps=lambda b, n, m: n + m)


def ising_data(r, n, m, sweeps):
    return {"right": 0.3 * r.standard_normal((n, m)), "down": 0.3 * r.standard_normal((n, m)),
            "field": 0.2 * r.standard_normal((n, m)), "sweeps": sweeps}


def ising(F, a):
    xp = F.xp

    def around(q):
        r, d = (a.right * q)[:, :-1], (a.down * q)[:-1]
        return (F.pad(r, [(0, 0), (1, 0)]) + F.pad(d, [(1, 0), (0, 0)]) +
                a.right * F.pad(q[:, 1:], [(0, 0), (0, 1)]) + a.down * F.pad(q[1:], [(0, 1), (0, 0)]))

    q = F.repeat(a.sweeps, lambda _, q: 0.5 * q + 0.5 * xp.tanh(a.field + around(q)),
                 F.like(a.field, a.field.shape))
    up, dn = (1 + q) / 2, (1 - q) / 2
    entropy = -up * xp.log(up + 1e-12) - dn * xp.log(dn + 1e-12)
    return (q * (a.field + 0.5 * around(q)) + entropy).mean()


Problem("lattices", {"tiny": (4, 5, 3), "cpu": (64, 64, 30), "gpu": (1024, 1024, 50)},
        ising_data, ising, ("right", "down", "field"), {"ising_beliefs": {}}, steps=lambda n, m, s: s)


def forest_data(r, n, d, t, depth):
    k, l = (1 << depth) - 1, 1 << depth
    return {"xs": r.standard_normal((n, d)), "ys": r.standard_normal(n), "w": r.standard_normal((t, k, d)) / np.sqrt(d),
            "b": 0.1 * r.standard_normal((t, k)), "leaf": r.standard_normal((t, l)), "depth": depth}


def forest(F, a):
    xp, n, t = F.xp, len(a.xs), len(a.w)
    go = F.sigmoid(xp.einsum("nd,tkd->ntk", a.xs, a.w) + a.b)
    reach = F.like(a.xs, (n, t, 1), 1.0)
    for level in range(a.depth):
        g = go[:, :, (1 << level) - 1:(2 << level) - 1]
        reach = xp.stack([reach * (1 - g), reach * g], -1).reshape(n, t, 2 << level)
    predicted = xp.einsum("ntl,tl->n", reach, a.leaf) / t
    return ((predicted - a.ys) ** 2).mean()


Problem("trees", {"tiny": (5, 3, 2, 2), "cpu": (200, 8, 8, 4), "gpu": (16384, 32, 32, 6)},
        forest_data, forest, ("w", "b", "leaf"), {"forest_soft": {}})
