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
        gp_data, gp, ("x", "y", "hyper"), {"gp_columns": {}})


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
        sinkhorn_data, sinkhorn, ("x",), {"sinkhorn_log": {}}, steps=lambda n, m, d, s: s)


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
        newton_data, newton, ("p",), {"newton_while": {}}, jax_mode="jacfwd")


def hessian_data(r, m, n):
    return {"a": r.standard_normal((m, n)), "x": r.standard_normal(n) / np.sqrt(n)}


def hessian(F, a):
    return F.softplus(a.a @ a.x).mean() + 0.1 * (a.x ** 4).sum()


Problem("Hessian", {"tiny": (5, 3), "cpu": (200, 32), "gpu": (4096, 128)},
        hessian_data, hessian, ("x",), {"hessian_basis": {}}, mode="hessian")


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
        sparse_data, logistic, ("w",), {"csr_rows": {}})


def smallchol_data(r, b, n):
    return {"ms": r.standard_normal((b, n, n))}


def smallchol(F, a):
    n = a.ms.shape[-1]
    l = F.xp.linalg.cholesky(a.ms @ F.transpose(a.ms, (0, 2, 1)) + n * F.eye(n, a.ms))
    return 2 * F.xp.log(F.xp.diagonal(l, 0, 1, 2)).sum() / len(l)


Problem("small factorisations", {"tiny": (3, 4), "cpu": (1000, 8), "gpu": (100_000, 8)},
        smallchol_data, smallchol, ("ms",), {"smallchol_inplace": {}})


def pairs_data(r, n):
    return {"pos": r.standard_normal((n, 3)), "charge": r.standard_normal(n)}


def pairs(F, a):
    n = len(a.pos)
    diff = a.pos[:, None] - a.pos
    inverse = 1 / F.xp.sqrt((diff * diff).sum(-1) + 0.01)
    return 0.5 * (a.charge @ (inverse @ a.charge) - 10 * (a.charge * a.charge).sum()) / n


Problem("all pairs", {"tiny": (7,), "cpu": (500,), "gpu": (8192,)},
        pairs_data, pairs, ("pos", "charge"), {"pairs_potential": {}})
