"""Pictures, rays, elements, populations, options."""
import numpy as np

from problem import Problem


def bilateral_data(r, h, w):
    clean = np.add.outer(np.sin(np.arange(h) / 3), np.cos(np.arange(w) / 4))
    return {"image": clean + 0.3 * r.standard_normal((h, w)), "clean": clean, "widths": np.array([-1.5, 0.2])}


def edge_padded(F, x, k):
    if F.jax:
        return F.xp.pad(x, k, mode="edge")
    return F.lib.nn.functional.pad(x[None, None], (k,) * 4, mode="replicate")[0, 0]


def bilateral(F, a):
    h, w = a.image.shape
    space, width = F.xp.exp(a.widths[0]), F.xp.exp(a.widths[1])
    p = edge_padded(F, a.image, 2)
    num = den = 0.0
    for i in range(5):
        for j in range(5):
            v = p[i:i + h, j:j + w]
            k = F.xp.exp(-space * ((i - 2) ** 2 + (j - 2) ** 2) - width * (v - a.image) ** 2)
            num, den = num + k * v, den + k
    return ((num / den - a.clean) ** 2).mean()


Problem("pictures", {"tiny": (6, 7), "cpu": (96, 96), "gpu": (2048, 2048)},
        bilateral_data, bilateral, ("image", "widths"), {"bilateral_filter": {}})


def warp_data(r, h, w):
    def smooth():
        x = r.standard_normal((h, w))
        for axis in (0, 1):
            x = (np.roll(x, 1, axis) + x + np.roll(x, -1, axis)) / 3
        return x
    return {"moving": smooth(), "fixed": smooth(), "di": 2 * smooth(), "dj": 2 * smooth()}


def warp(F, a):
    xp = F.xp
    h, w = a.moving.shape
    row, col = F.arange(h, a.di)[:, None] + a.di, F.arange(w, a.dj) + a.dj
    fi, fj = xp.floor(row), xp.floor(col)
    u, v = row - fi, col - fj
    i, j = (x.astype(int) if F.jax else x.long() for x in (fi, fj))

    def at(i, j):
        return a.moving[xp.clip(i, 0, h - 1), xp.clip(j, 0, w - 1)]
    value = (1 - u) * ((1 - v) * at(i, j) + v * at(i, j + 1)) + u * ((1 - v) * at(i + 1, j) + v * at(i + 1, j + 1))
    rough = sum(((f[1:] - f[:-1]) ** 2).sum() + ((f[:, 1:] - f[:, :-1]) ** 2).sum() for f in (a.di, a.dj))
    return (((value - a.fixed) ** 2).sum() + 0.1 * rough) / (h * w)


# At a size of many pixels some lie on edges of cells in one type and not in another.
Problem("pictures", {"tiny": (5, 6), "cpu": (128, 128), "gpu": (2048, 2048)},
        warp_data, warp, ("di", "dj"), {"warp_bilinear": {}}, tolerance=1e-2)


def rays_data(r, h, w, k):
    at = np.stack([3 * r.standard_normal(k), r.standard_normal(k), 6 + 6 * r.random(k), 0.5 + r.random(k)], 1)
    return {"goal": r.random((h, w)), "spheres": at, "height": -1.5}


def rays(F, a):
    xp = F.xp
    h, w = a.goal.shape
    u = ((F.arange(w, a.goal) + 0.5) / w - 0.5)[None, :]
    v = (0.5 - (F.arange(h, a.goal) + 0.5) / h)[:, None]
    n = xp.sqrt(u * u + v * v + 1)
    d = xp.stack([(u + 0 * v) / n, (v + 0 * u) / n, 1 / n], -1)
    at, radius = a.spheres[:, :3], a.spheres[:, 3]
    b = d @ at.T
    disc = b * b - (at * at).sum(-1) + radius * radius
    hit = disc > 0
    t = b - xp.sqrt(xp.where(hit, disc, 1.0 + 0 * disc))
    hit = hit & (t >= 0.1)
    light = (0.48, 0.8, -0.36)
    facing = sum((t * d[..., i:i + 1] - at[:, i]) * light[i] for i in range(3))
    tp = a.height / d[..., 1:2]
    ts = xp.concatenate([xp.where(hit, t, 1e9 + 0 * t), xp.where(tp >= 0.1, tp, 1e9 + 0 * tp)], -1)
    shades = xp.concatenate([xp.where(hit, 0.2 + F.relu(facing) / radius, 0.1 + 0 * t),
                             xp.where(tp >= 0.1, 0.3 + 0.5 / (1 + 0.1 * tp), 0.1 + 0 * tp)], -1)
    best = xp.argmin(ts, -1)[..., None]
    pick = xp.take_along_axis if F.jax else F.lib.gather
    t, s = (pick(x, best, -1) if F.jax else pick(x, -1, best) for x in (ts, shades))
    colour = s / (1 + 0.02 * xp.clip(t, None, 100.0))
    return ((colour[..., 0] - a.goal) ** 2).mean()


Problem("rays", {"tiny": (6, 8, 4), "cpu": (64, 64, 10), "gpu": (1024, 1024, 32)},
        rays_data, rays, ("spheres",), {"rays_shapes": {}})


def elastic_data(r, n):
    i, j = np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij")
    p = (i * n + j).reshape(-1)
    triangles = np.concatenate([np.stack([p, p + 1, p + n], 1), np.stack([p + n + 1, p + n, p + 1], 1)])
    rest = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), -1).reshape(-1, 2) * 1.0
    return {"rest": rest, "xs": 1.05 * rest + 0.08 * r.standard_normal(rest.shape), "triangles": triangles,
            "lame": np.array([1.0, 2.0])}


def elastic(F, a):
    def edges(x):
        p, q, r = (x[a.triangles[:, i]] for i in range(3))
        return F.xp.stack([q - p, r - p], -1)

    def det(m):
        return m[:, 0, 0] * m[:, 1, 1] - m[:, 0, 1] * m[:, 1, 0]
    rest = edges(a.rest)
    adjugate = F.xp.stack([F.xp.stack([rest[:, 1, 1], -rest[:, 0, 1]], -1),
                           F.xp.stack([-rest[:, 1, 0], rest[:, 0, 0]], -1)], 1)
    f = edges(a.xs) @ (adjugate / det(rest)[:, None, None])
    lj = F.xp.log(det(f))
    density = 0.5 * a.lame[0] * ((f * f).sum((1, 2)) - 2) - a.lame[0] * lj + 0.5 * a.lame[1] * lj * lj
    return (0.5 * abs(det(rest)) * density).sum()


Problem("elements", {"tiny": (4,), "cpu": (100,), "gpu": (1024,)},
        elastic_data, elastic, ("xs", "lame"), {"elastic_triangles": {}})


def epidemic_data(r, t, n):
    travel = r.random((n, n)) ** 8 + np.eye(n)
    return {"travel": travel / travel.sum(1, keepdims=True), "beta": 0.3 + 0.2 * r.random(n), "gamma": 0.15,
            "reported": 0.1 * r.random((t, n))}


def epidemic(F, a):
    n = len(a.beta)
    i = F.xp.where(F.arange(n) == 0, F.like(a.beta, (n,), 0.02), F.like(a.beta, (n,), 0.001))

    def day(state, y):
        s, i = state
        new = s * (1 - F.xp.exp(-a.beta * (a.travel @ i)))
        s, i = s - new, i + new - a.gamma * i
        return (s, i), ((i - y) ** 2).sum()
    _, errors = F.scan(day, (1 - i, i), a.reported)
    return errors.mean()


Problem("populations", {"tiny": (4, 3), "cpu": (100, 60), "gpu": (100, 2048)},
        epidemic_data, epidemic, ("travel", "beta"), {"epidemic_cities": {}}, steps=lambda t, n: t)


def american_data(r, n, steps):
    return {"options": np.stack([80 + 40 * r.random(n), 80 + 40 * r.random(n), 0.02 + 0.03 * r.random(n),
                                 0.1 + 0.3 * r.random(n), 0.5 + r.random(n)], 1), "steps": steps}


def american(F, a):
    xp, n = F.xp, a.steps
    s, k, r, v, t = (a.options[:, i:i + 1] for i in range(5))
    dt = t / n
    log_u = v * xp.sqrt(dt)
    u = xp.exp(log_u)
    p = (xp.exp(r * dt) - 1 / u) / (u - 1 / u)
    discount = xp.exp(-r * dt)
    place = F.arange(n + 1, a.options)

    def exercise(level):
        return F.relu(k - s * xp.exp(log_u * (2 * place - level)))

    # What lies beyond the level is not read by what lies within.
    def back(q, values):
        after = xp.concatenate([values[:, 1:], values[:, -1:]], 1)
        return xp.maximum(exercise(n - 1 - q), discount * (p * after + (1 - p) * values))
    return F.repeat(n, back, exercise(n))[:, 0].mean()


Problem("options", {"tiny": (4, 5), "cpu": (50, 60), "gpu": (8192, 128)},
        american_data, american, ("options",), {"binomial_american": {}}, steps=lambda n, s: s)


def smile_data(r, n):
    spot = 90 + 20 * r.random(n)
    return {"spot": spot, "strike": spot * np.exp(0.2 * r.standard_normal(n)), "time": 0.1 + r.random(n),
            "quote": 10 * r.random(n), "smile": np.array([-1.5, -0.1, 0.3])}


def smile(F, a):
    xp = F.xp

    def phi(x):
        return 0.5 * (1 + F.erf(x / 2 ** 0.5))
    m = xp.log(a.strike / a.spot)
    v = xp.clip(xp.exp(a.smile[0]) + a.smile[1] * m + a.smile[2] * m * m, 0.01, None)
    w = v * xp.sqrt(a.time)
    d1 = (-m + 0.5 * v * v * a.time) / w
    return a.spot * phi(d1) - a.strike * phi(d1 - w) - a.quote


Problem("options", {"tiny": (7,), "cpu": (20000,), "gpu": (8_000_000,)},
        smile_data, smile, ("spot", "smile"), {"blackscholes_implied": {}}, mode="jvp")
