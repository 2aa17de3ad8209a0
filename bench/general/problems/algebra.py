"""Factorisations, sparse matrices, Hessians, pairs, transport, roots."""
import numpy as np

from problem import Problem


def gp_data(r, n, d):
    return {"x": 2 * r.standard_normal((n, d)), "y": r.standard_normal(n), "hyper": np.array([0.1, -0.5])}


def gp(F, a):
    xp, n = F.xp, len(a.x)
    scale, noise = xp.exp(a.hyper[0]), xp.exp(a.hyper[1])
    diff = a.x[:, None] - a.x
    cov = xp.exp(-0.5 * (diff * diff).sum(-1) / (scale * scale)) + noise * noise * F.eye(n, a.x)
    l = xp.linalg.cholesky(cov)
    z = F.trisolve(l, a.y)
    return -0.5 * (z * z).sum() - xp.log(xp.diagonal(l)).sum() - 0.5 * n * float(np.log(2 * np.pi))


Problem("factorisation", {"tiny": (6, 2), "cpu": (100, 3), "gpu": (512, 3)},
        gp_data, gp, ("x", "y", "hyper"), {"gp_columns": {}, "gp_rows": {}, "gp_outer": {}})


def lu_data(r, n):
    return {"a": r.standard_normal((n, n)) + 2 * np.sqrt(n) * np.eye(n), "b": r.standard_normal(n)}


def lu_solve(F, a):
    x = F.xp.linalg.solve(a.a, a.b)
    return (x * x).sum()


Problem("factorisation", {"tiny": (5,), "cpu": (80,), "gpu": (256,)},
        lu_data, lu_solve, ("a", "b"), {"lu_solve": {}})


def sinkhorn_data(r, n, m, d, steps):
    return {"x": r.random((n, d)), "y": r.random((m, d)), "eps": 0.1, "steps": steps}


def sinkhorn(F, a):
    n, m = len(a.x), len(a.y)
    c = ((a.x[:, None] - a.y) ** 2).sum(-1)

    def step(_, s):
        f = -a.eps * (F.lse((s[1] - c) / a.eps, 1) - float(np.log(m)))
        g = -a.eps * (F.lse((f[:, None] - c) / a.eps, 0) - float(np.log(n)))
        return f, g
    f, g = F.repeat(a.steps, step, (F.like(c, (n,)), F.like(c, (m,))))
    return f.mean() + g.mean()


Problem("optimal transport", {"tiny": (5, 4, 2, 3), "cpu": (64, 64, 2, 20), "gpu": (1024, 1024, 3, 50)},
        sinkhorn_data, sinkhorn, ("x",), {
            "sinkhorn_log": {}, "sinkhorn_recompute": {}}, steps=lambda n, m, d, s: s)


def scaling_data(r, n, m, d, steps):
    return {"x": r.random((n, d)), "y": r.random((m, d)), "wx": r.dirichlet(np.full(n, 5.0)),
            "wy": r.dirichlet(np.full(m, 5.0)), "eps": 0.1, "steps": steps}


def scaling(F, a):
    c = ((a.x[:, None] - a.y) ** 2).sum(-1)
    k = F.xp.exp(-c / a.eps)

    def step(_, s):
        u = a.wx / (k @ s[1])
        return u, a.wy / (k.T @ u)
    u, v = F.repeat(a.steps, step, (a.wx, F.like(a.wy, a.wy.shape, 1.0)))
    return u @ ((c * k) @ v)


Problem("optimal transport", {"tiny": (5, 4, 2, 3), "cpu": (100, 80, 2, 50), "gpu": (2048, 2048, 3, 50)},
        scaling_data, scaling, ("x", "wx"), {"sinkhorn_scaling": {}}, steps=lambda n, m, d, s: s)


def newton_data(r, n):
    return {"p": np.array([0.3, 0.5, 2.0]), "xs": 3 * r.standard_normal(n)}


def newton(F, a):
    p, xp = [a.p[i] for i in range(3)], F.xp

    def step(s):
        v, _, i = s
        delta = (v + p[0] * v * v * v + p[1] * xp.sin(v) - p[2] * a.xs) / (1 + 3 * p[0] * v * v + p[1] * xp.cos(v))
        return v - delta, delta, i + 1
    start = (a.xs, F.like(a.xs, a.xs.shape, 1.0), F.like(a.xs, a.xs.shape))
    v, _, _ = F.until(lambda s: (abs(s[1]) > 1e-10) & (s[2] < 50), step, start, 16)
    return (v * v).mean()


Problem("while per element", {"tiny": (20,), "cpu": (20000,), "gpu": (4_000_000,)},
        newton_data, newton, ("p",), {"newton_while": {}}, jax_mode="jacfwd",
        steps=lambda n: 64)


def kepler_data(r, n):
    return {"orbit": np.array([1.5, 0.6, 0.1]), "ms": 2 * np.pi * r.random(n)}


def kepler(F, a):
    xp = F.xp
    scale, e, phase = (a.orbit[i] for i in range(3))
    m = a.ms + phase

    def step(s):
        delta = (s[0] - e * xp.sin(s[0]) - m) / (1 - e * xp.cos(s[0]))
        return s[0] - delta, delta
    v, _ = F.until(lambda s: abs(s[1]) >= 1e-12, step, (m + e * xp.sin(m), F.like(m, m.shape, 1.0)), 12)
    y = scale * xp.sqrt(1 - e * e) * xp.sin(v)
    return (y * y * (1 + y)).mean()


Problem("while per element", {"tiny": (20,), "cpu": (20000,), "gpu": (4_000_000,)},
        kepler_data, kepler, ("orbit",), {"kepler_sums": {}}, jax_mode="jacfwd", steps=lambda n: 64)


def equilibrium_data(r, b, n):
    return {"w": 0.5 * r.standard_normal((n, n)) / n, "us": r.standard_normal((b, n))}


def equilibrium(F, a):
    def step(s):
        z = F.xp.tanh(s[0] @ a.w.T + a.us)
        return z, F.amax(abs(z - s[0]), -1)[:, None]
    start = F.like(a.us, a.us.shape), F.like(a.us, (len(a.us), 1), 1.0)
    z, _ = F.until(lambda s: s[1] > 1e-9, step, start, 30)
    return (z * z).sum() / len(z)


Problem("while per element", {"tiny": (6, 3), "cpu": (5000, 4), "gpu": (1_000_000, 4)},
        equilibrium_data, equilibrium, ("w",), {"equilibrium_while": {}}, jax_mode="jacfwd", steps=lambda b, n: 64)


def hessian_data(r, m, n):
    return {"a": r.standard_normal((m, n)), "x": r.standard_normal(n) / np.sqrt(n)}


def hessian(F, a):
    return F.softplus(a.a @ a.x).mean() + 0.1 * (a.x ** 4).sum()


Problem("Hessian", {"tiny": (5, 3), "cpu": (1000, 64), "gpu": (4096, 128)},
        hessian_data, hessian, ("x",), {"hessian_basis": {}}, mode="hessian")


def weights_data(r, m, i, h):
    return {"xs": r.standard_normal((m, i)), "ys": r.standard_normal(m), "hidden": h,
            "p": r.standard_normal(h * (i + 2)) / np.sqrt(i)}


def weights(F, a):
    i, h = a.xs.shape[1], a.hidden
    w, b, o = a.p[:h * i].reshape(h, i), a.p[h * i:h * i + h], a.p[h * i + h:]
    return ((F.xp.tanh(a.xs @ w.T + b) @ o - a.ys) ** 2).mean()


Problem("Hessian", {"tiny": (5, 2, 3), "cpu": (500, 8, 12), "gpu": (2048, 8, 16)},
        weights_data, weights, ("p",), {"hessian_network": {}}, mode="hessian")


def chain_data(r, n):
    return {"x": r.standard_normal(n)}


def chain(F, a):
    u, v = a.x[1:] - a.x[:-1] ** 2, 1 - a.x[:-1]
    return (10 * u * u + v * v).sum()


Problem("Hessian", {"tiny": (6,), "cpu": (1000,), "gpu": (2000,)},
        chain_data, chain, ("x",), {"hessian_chain": {}}, mode="hessian")


def sparse_data(r, n, d, z):
    lengths = r.multinomial(z - n, r.dirichlet(np.ones(n))) + 1
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return {"vals": r.standard_normal(z), "cols": (d * r.random(z) ** 2).astype(np.int32),
            "rows": np.repeat(np.arange(n), lengths).astype(np.int32), "starts": starts,
            "y": 2.0 * r.integers(0, 2, n) - 1, "w": r.standard_normal(d)}


def logistic(F, a):
    s = F.segment_sum(a.vals * a.w[a.cols], a.rows, len(a.y))
    return F.softplus(-a.y * s).mean()


Problem("sparse regression", {"tiny": (6, 5, 15), "cpu": (5000, 2000, 100_000), "gpu": (200_000, 50_000, 8_000_000)},
        sparse_data, logistic, ("w",), {"csr_rows": {}, "csr_flat": {}, "csr_segments": {}})


def smallchol_data(r, b, n):
    return {"ms": r.standard_normal((b, n, n))}


def smallchol(F, a):
    n = a.ms.shape[-1]
    l = F.xp.linalg.cholesky(a.ms @ F.transpose(a.ms, (0, 2, 1)) + n * F.eye(n, a.ms))
    return 2 * F.xp.log(F.xp.diagonal(l, 0, 1, 2)).sum() / len(l)


Problem("small factorisations", {"tiny": (3, 4), "cpu": (1000, 8), "gpu": (100_000, 8)},
        smallchol_data, smallchol, ("ms",), {
            "smallchol_inplace": {}, "smallchol_last": {"ms": (1, 2, 0)}})


def whiten_data(r, n):
    return {"ms": r.standard_normal((n, 3, 3)), "xs": r.standard_normal((n, 3))}


def whiten(F, a):
    l = F.xp.linalg.cholesky(a.ms @ F.transpose(a.ms, (0, 2, 1)) + F.eye(3, a.ms))
    z = F.trisolve(l, a.xs[..., None])
    return (0.5 * (z * z).sum() + F.xp.log(F.xp.diagonal(l, 0, 1, 2)).sum()) / len(l)


Problem("small factorisations", {"tiny": (4,), "cpu": (20000,), "gpu": (1_000_000,)},
        whiten_data, whiten, ("ms", "xs"), {"smallchol_three": {}})


def pairs_data(r, n):
    return {"pos": r.standard_normal((n, 3)), "charge": r.standard_normal(n)}


def pairs(F, a):
    n = len(a.pos)
    diff = a.pos[:, None] - a.pos
    inverse = 1 / F.xp.sqrt((diff * diff).sum(-1) + 0.01)
    return 0.5 * (a.charge @ (inverse @ a.charge) - 10 * (a.charge * a.charge).sum()) / n


Problem("all pairs", {"tiny": (7,), "cpu": (500,), "gpu": (8192,)},
        pairs_data, pairs, ("pos", "charge"), {"pairs_potential": {}, "pairs_records": {}})


def leapfrog_data(r, n, steps):
    return {"pos": r.standard_normal((n, 3)), "vel": 0.1 * r.standard_normal((n, 3)), "mass": r.random(n) / n,
            "steps": steps}


def leapfrog(F, a):
    def step(_, s):
        p, v = s
        diff = p - p[:, None]
        d2 = (diff * diff).sum(-1) + 0.05
        v = v + 0.01 * ((a.mass / (d2 * F.xp.sqrt(d2)))[..., None] * diff).sum(1)
        return p + 0.01 * v, v
    p, _ = F.repeat(a.steps, step, (a.pos, a.vel))
    return (p * p).sum() / len(p)


Problem("all pairs", {"tiny": (5, 3), "cpu": (200, 10), "gpu": (4096, 10)},
        leapfrog_data, leapfrog, ("pos", "vel", "mass"), {"pairs_leapfrog": {}}, steps=lambda n, s: s)
