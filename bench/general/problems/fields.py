"""Programs of several fields: strided convolution, gates, mixtures, particles, kernels, graphs, contracts."""
import numpy as np

from problem import Problem


def stride_data(r, b, c, o, h, w):
    return {"x": r.standard_normal((b, c, h, w)), "k": r.standard_normal((o, c, 3, 3)) / np.sqrt(9 * c),
            "bias": 0.1 * r.standard_normal(o)}


def stride(F, a):
    y = F.conv(a.x, a.k, 1, 2) + a.bias[:, None, None]
    y = F.xp.where(y > 0, y, 0.1 * y)
    return (y * y).mean()


Problem("convolution", {"tiny": (2, 3, 2, 4, 6), "cpu": (2, 8, 16, 32, 32), "gpu": (16, 32, 64, 64, 64)}, stride_data,
        stride, ("x", "k", "bias"), {"conv_stride": {}})


def lstm_data(r, n, t, d, h):
    return {"xs": r.standard_normal((n, t, d)), "w": r.standard_normal((4, h, d)) / np.sqrt(d),
            "u": r.standard_normal((4, h, h)) / np.sqrt(h), "b": 0.1 * r.standard_normal((4, h))}


def lstm(F, a):
    xp, n, h = F.xp, len(a.xs), a.b.shape[1]
    w, u, b = a.w.reshape(4 * h, -1), a.u.reshape(4 * h, h), a.b.reshape(-1)

    def step(s, x):
        c, y = s
        z = (x @ w.T + y @ u.T + b).reshape(n, 4, h)
        c = F.sigmoid(z[:, 1]) * c + F.sigmoid(z[:, 0]) * xp.tanh(z[:, 2])
        return (c, F.sigmoid(z[:, 3]) * xp.tanh(c)), None
    (_, y), _ = F.scan(step, (F.like(a.xs, (n, h)), F.like(a.xs, (n, h))), F.transpose(a.xs, (1, 0, 2)))
    return (y * y).sum() / n


Problem("recurrent networks", {"tiny": (2, 3, 4, 3), "cpu": (16, 20, 32, 32), "gpu": (1024, 50, 64, 64)},
        lstm_data, lstm, ("w", "u", "b"), {"lstm_records": {}}, steps=lambda n, t, d, h: t)


def mixture_data(r, n, k, d):
    return {"x": r.standard_normal((n, d)), "alpha": r.standard_normal(k), "mu": r.standard_normal((k, d)),
            "logs": 0.2 * r.standard_normal((k, d))}


def mixture(F, a):
    xp, d = F.xp, a.x.shape[1]
    z = (a.x[:, None, :] - a.mu) / xp.exp(a.logs)
    s = a.alpha - F.lse(a.alpha, -1) - a.logs.sum(-1) - 0.5 * (z * z).sum(-1)
    return F.lse(s, -1).mean() - 0.5 * d * float(np.log(2 * np.pi))


Problem("mixtures", {"tiny": (5, 3, 2), "cpu": (2000, 10, 8), "gpu": (1_000_000, 16, 8)}, mixture_data, mixture,
        ("alpha", "mu", "logs"), {"mixture_lse": {}})


def cloud_data(r, n, g, steps):
    return {"x0": r.uniform(0, g, n), "v0": r.standard_normal(n), "q": 0.1 * (1 + 0.1 * r.standard_normal(n)), "g": g,
            "steps": steps}


def cloud(F, a):
    xp, g, n = F.xp, int(a.g), len(a.x0)

    def index(c):
        return (c.astype(int) if F.jax else c.long()) % g

    def field(x):
        c = xp.floor(x)
        w, i = x - c, index(c)
        rho = F.segment_sum(a.q * (1 - w), i, g) + F.segment_sum(a.q * w, (i + 1) % g, g)
        phi = xp.cumsum(rho - rho.mean(), 0)
        return phi - phi.mean()

    def step(_, s):
        x, v = s
        e, c = field(x), xp.floor(x)
        w, i = x - c, index(c)
        v = v + 0.01 * ((1 - w) * e[i] + w * e[(i + 1) % g])
        y = x + 0.1 * v
        return y - g * xp.floor(y / g), v
    x, v = F.repeat(int(a.steps), step, (a.x0, a.v0))
    return (v * v).mean() + (field(x) ** 2).sum()


Problem("particles", {"tiny": (7, 4, 2), "cpu": (5000, 64, 10), "gpu": (1_000_000, 1024, 20)}, cloud_data, cloud,
        ("x0", "v0", "q"), {"cloud_deposit": {}}, steps=lambda n, g, s: s)


def kernel_data(r, n, d):
    x = r.standard_normal((n, d))
    return {"x": x, "y": np.sin(x.sum(1)) + 0.1 * r.standard_normal(n), "scale": 0.1 * r.standard_normal(d)}


def kernel(F, a):
    xp, n = F.xp, len(a.x)
    z = a.x * xp.exp(a.scale)
    w = xp.exp(-((z[:, None] - z) ** 2).sum(-1)) * (1 - F.eye(n, z))
    return (((w @ a.y) / (1e-6 + w.sum(-1)) - a.y) ** 2).mean()


Problem("all pairs", {"tiny": (5, 2), "cpu": (500, 4), "gpu": (8000, 4)}, kernel_data, kernel, ("y", "scale"),
        {"kernel_regression": {}})


def gram_data(r, n, m, k):
    return {"a": r.standard_normal((n, m, k)), "b": r.standard_normal((n, m))}


def gram(F, a):
    xp = F.xp
    q, r = xp.linalg.qr(a.a)
    c = (a.b[:, None, :] @ q)[:, 0]
    x = xp.linalg.solve(r, c[..., None])[..., 0]
    return (x * x).sum(-1).mean()


Problem("small factorisations", {"tiny": (2, 4, 3), "cpu": (500, 8, 4), "gpu": (50_000, 8, 4)}, gram_data, gram,
        ("a", "b"), {"gram_schmidt": {}})


def graph_data(r, n, d, m, rounds):
    return {"x": 0.5 * r.standard_normal((n, d)), "from": r.integers(0, n, m), "to": r.integers(0, n, m),
            "scale": np.array([0.5]), "rounds": rounds}


def graph(F, a):
    xp, n = F.xp, len(a.x)
    i, j = getattr(a, "from"), a.to

    def spread(_, x):
        w = xp.exp(-a.scale * ((x[i] - x[j]) ** 2).sum(-1))
        total = x + F.segment_sum(w[:, None] * x[i], j, n)
        return total / (1 + F.segment_sum(w, j, n))[:, None]
    end = F.repeat(int(a.rounds), spread, a.x)
    return (end ** 2).sum() / n


Problem("graphs", {"tiny": (5, 2, 9, 2), "cpu": (1000, 16, 5000, 3), "gpu": (100_000, 32, 1_000_000, 3)}, graph_data,
        graph, ("x", "scale"), {"graph_diffusion": {}}, steps=lambda n, d, m, k: k)


def payoffs_data(r, p, t, c):
    return {"z": r.standard_normal((p, t)), "kind": r.integers(0, 4, c), "a": 1 + 0.1 * r.standard_normal(c),
            "b": 1.3 + 0.1 * r.uniform(size=c), "theta": np.array([0.05, 0.2])}


def payoffs(F, a):
    xp, (p, t) = F.xp, a.z.shape
    dt, mu, sigma = 1.0 / t, a.theta[0], a.theta[1]
    x = xp.exp(xp.cumsum((mu - sigma * sigma / 2) * dt + sigma * dt ** 0.5 * a.z, 1))
    last, mean, top = x[:, -1:], x.mean(1)[:, None], F.amax(x, 1)[:, None]
    soft = lambda v: 0.05 * F.softplus(v / 0.05)
    y = xp.where(a.kind == 0, soft(last - a.a), xp.where(a.kind == 1, soft(a.a - last), xp.where(
        a.kind == 2, soft(mean - a.a), xp.where(top > a.b, 0 * last, soft(last - a.a)))))
    return xp.exp(-mu) * y.sum() / p


Problem("options", {"tiny": (5, 4, 6), "cpu": (2000, 50, 16), "gpu": (200_000, 100, 32)}, payoffs_data, payoffs,
        ("a", "theta"), {"payoffs_sum": {}})
