"""Tridiagonal and sparse systems, Fourier transforms, sorting, graphs, trees."""
import numpy as np

from problem import Problem


def bands(r, *shape):
    return {"lower": r.standard_normal(shape), "diag": 4 + r.random(shape), "upper": r.standard_normal(shape),
            "rhs": r.standard_normal(shape), "w": r.standard_normal(shape[-1])}


def tridiagonal(F, lower, diag, upper, rhs):
    """Along the last axis, of which there may be more."""
    if F.jax:
        at_start, at_end = F.arange(diag.shape[-1]) == 0, F.arange(diag.shape[-1]) == diag.shape[-1] - 1
        return F.lax.linalg.tridiagonal_solve(F.xp.where(at_start, 0.0, lower), diag,
                                              F.xp.where(at_end, 0.0, upper), rhs[..., None])[..., 0]
    n = diag.shape[-1]
    l, d, u, b = (x.unbind(-1) for x in (lower, diag, upper, rhs))
    c, y = [u[0] / d[0]], [b[0] / d[0]]
    for i in range(1, n):
        m = d[i] - l[i] * c[-1]
        c.append(u[i] / m)
        y.append((b[i] - l[i] * y[-1]) / m)
    x = [y[-1]]
    for i in range(n - 2, -1, -1):
        x.append(y[i] - c[i] * x[-1])
    return F.xp.stack(x[::-1], -1)


def thomas(F, a):
    x = tridiagonal(F, a.lower, a.diag, a.upper, a.rhs)
    return (x * a.w + x * x).sum() / (len(x) if x.ndim > 1 else 1)


Problem("tridiagonal systems", {"tiny": (3, 5), "cpu": (500, 100), "gpu": (50_000, 128)},
        bands, thomas, ("lower", "diag", "upper", "rhs"), {"thomas_batch": {}}, steps=lambda b, n: n)
Problem("tridiagonal systems", {"tiny": (7,), "cpu": (2_000,), "gpu": (4_000,)},
        bands, thomas, ("lower", "diag", "upper", "rhs"), {"tridiagonal_scan": {}}, steps=lambda n: n)


def cg_data(r, n, e, steps):
    return {"from": r.integers(0, n, e), "to": r.integers(0, n, e), "weight": r.random(e),
            "b": r.standard_normal(n), "steps": steps}


def cg(F, a):
    source, to = a.__dict__["from"], a.to

    def product(x):
        flow = a.weight * (x[source] - x[to])
        return F.add_at(F.add_at(x, source, flow), to, -flow)

    def step(_, s):
        x, r, p, rr = s
        ap = product(p)
        alpha = rr / (p @ ap)
        x, r = x + alpha * p, r - alpha * ap
        new = r @ r
        return x, r, r + new / rr * p, new
    x, _, _, _ = F.repeat(a.steps, step, (F.like(a.b, a.b.shape), a.b, a.b, a.b @ a.b))
    return x @ a.b


Problem("sparse systems", {"tiny": (6, 9, 4), "cpu": (2000, 8000, 20), "gpu": (200_000, 1_600_000, 20)},
        cg_data, cg, ("weight", "b"), {"cg_sparse": {}}, steps=lambda n, e, s: s)


def fft_data(r, b, bits):
    return {"signal": r.standard_normal((b, 1 << bits)), "filter": r.random(1 << bits), "bits": bits}


def fft(F, a):
    s = F.xp.fft.fft(a.signal)
    power = s.real ** 2 + s.imag ** 2
    return F.xp.log(1 + a.filter * power).mean()


Problem("Fourier transform", {"tiny": (2, 3), "cpu": (64, 10), "gpu": (2048, 12)},
        fft_data, fft, ("signal", "filter"), {"fft_stages": {}})


def poisson_data(r, bits):
    return {"source": r.standard_normal((1 << bits, 1 << bits)), "bits": bits}


def poisson(F, a):
    n = len(a.source)
    eigen = 2 - 2 * F.xp.cos(2 * np.pi / n * F.arange(n, a.source))
    u = F.xp.fft.ifft2(F.xp.fft.fft2(a.source) / (eigen[:, None] + eigen + 0.1)).real
    return (u ** 3 + u ** 2).sum()


Problem("Fourier transform", {"tiny": (2,), "cpu": (6,), "gpu": (10,)},
        poisson_data, poisson, ("source",), {"fft_poisson": {}})


def sort_data(r, b, bits):
    return {"xs": r.standard_normal((b, 1 << bits)), "ys": r.standard_normal((b, 1 << bits)), "bits": bits}


def wasserstein(F, a):
    return ((F.sort(a.xs) - F.sort(a.ys)) ** 2).mean()


Problem("sorting", {"tiny": (2, 3), "cpu": (32, 10), "gpu": (1024, 12)},
        sort_data, wasserstein, ("xs",), {"sort_bitonic": {}})


def gini_data(r, n):
    return {"xs": r.random(n) ** 3 + 0.1, "ws": 0.5 + r.random(n)}


def gini(F, a):
    order = F.xp.argsort(a.xs)
    x, w = a.xs[order], a.ws[order]
    before = F.xp.cumsum(w, 0) - w
    total = w.sum()
    return (x * w * (2 * before + w)).sum() / (total * (x * w).sum()) - 1


Problem("sorting", {"tiny": (11,), "cpu": (20000,), "gpu": (1_000_000,)},
        gini_data, gini, ("xs", "ws"), {"sort_merge": {}})


def rank_data(r, n, e, steps):
    return {"from": r.integers(0, n, e), "to": (n * r.random(e) ** 2).astype(np.int64), "weight": 0.1 + r.random(e),
            "interest": r.random(n), "steps": steps}


def pagerank(F, a):
    source, n = a.__dict__["from"], len(a.interest)
    share = a.weight / (1e-6 + F.segment_sum(a.weight, source, n))[source]

    def step(_, rank):
        return 0.15 / n + 0.85 * F.segment_sum(rank[source] * share, a.to, n)
    rank = F.repeat(a.steps, step, F.like(a.weight, (n,), 1 / n))
    return (rank * a.interest).sum() * n


Problem("graphs", {"tiny": (5, 12, 3), "cpu": (2000, 20000, 10), "gpu": (200_000, 4_000_000, 10)},
        rank_data, pagerank, ("weight",), {"pagerank_edges": {}}, steps=lambda n, e, s: s)


def floyd_data(r, n):
    return {"length": r.random((n, n)) * (1 - np.eye(n)) + 0.05, "t": 0.02}


def floyd(F, a):
    def step(k, d):
        through = d[:, k][:, None] + d[k]
        return F.xp.minimum(d, through) - a.t * F.xp.log1p(F.xp.exp(-abs(d - through) / a.t))
    d = F.repeat(len(a.length), step, a.length)
    return d.mean()


Problem("graphs", {"tiny": (5,), "cpu": (64,), "gpu": (256,)},
        floyd_data, floyd, ("length",), {"floyd_soft": {}}, steps=lambda n: n)


def bellman_data(r, n, e, rounds):
    return {"from": r.integers(0, n, e), "to": r.integers(0, n, e), "length": 0.1 + r.random(e),
            "goal": 2 * r.random(n), "rounds": rounds}


def bellman(F, a):
    source, n = a.__dict__["from"], len(a.goal)
    start = F.xp.where(F.arange(n) == 0, F.like(a.goal, (n,)), F.like(a.goal, (n,), 1000.0))

    def step(_, d):
        reached = d[source] + a.length
        return d.at[a.to].min(reached) if F.jax else d.scatter_reduce(0, a.to, reached, "amin")
    d = F.repeat(a.rounds, step, start)
    return F.xp.sqrt(1 + (d - a.goal) ** 2).mean()


Problem("graphs", {"tiny": (6, 14, 3), "cpu": (2000, 10000, 10), "gpu": (200_000, 1_600_000, 12)},
        bellman_data, bellman, ("length",), {"bellman_min": {}}, steps=lambda n, e, s: s)


def pruning_data(r, sites, levels):
    leaves = 1 << levels
    return {"bases": r.integers(0, 4, (sites, leaves)), "branch": np.log(0.05 + 0.2 * r.random(2 * leaves - 1)),
            "levels": levels}


def pruning(F, a):
    xp, leaves = F.xp, a.bases.shape[1]
    e = xp.exp(-4 / 3 * xp.exp(a.branch))[:, None, None]
    eye = F.eye(4, a.branch)
    change = 0.25 + e * (eye - 0.25)
    below, first, scale = eye[a.bases], leaves - 1, 0.0
    for _ in range(a.levels):
        m = below.shape[1]
        up = xp.einsum("nij,snj->sni", change[first:first + m], below)
        raised = up[:, 0::2] * up[:, 1::2]
        tops = F.amax(raised, -1)
        below, first, scale = raised / tops[..., None], first - m // 2, scale + xp.log(tops).sum(-1)
    return (scale + xp.log(0.25 * below[:, 0].sum(-1))).mean()


Problem("trees", {"tiny": (4, 2), "cpu": (500, 5), "gpu": (20_000, 7)},
        pruning_data, pruning, ("branch",), {"tree_pruning": {}})
