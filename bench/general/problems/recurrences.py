"""Loops in time: hidden Markov models, linear recurrences, Runge-Kutta, stencils, Monte-Carlo paths."""
import numpy as np

from problem import Problem


def hmm_data(r, s, t, k, m):
    return {"start": r.standard_normal(k), "trans": r.standard_normal((k, k)),
            "emit": r.standard_normal((k, m)), "seqs": r.integers(0, m, (s, t))}


def hmm(F, a):
    start = a.start - F.lse(a.start, -1)
    trans = a.trans - F.lse(a.trans, -1)[:, None]
    emit = a.emit - F.lse(a.emit, -1)[:, None]
    seen = F.transpose(emit.T[a.seqs], (1, 0, 2))

    def step(alpha, e):
        return F.lse(alpha[:, :, None] + trans, 1) + e, None
    alpha, _ = F.scan(step, start + seen[0], seen[1:])
    return F.lse(alpha, -1).sum()


Problem("log recurrence", {"tiny": (3, 5, 4, 6), "cpu": (32, 64, 16, 32), "gpu": (1024, 128, 32, 64)},
        hmm_data, hmm, ("start", "trans", "emit"), {
            "hmm_rows": {}, "hmm_running": {}, "hmm_time": {"emit": (1, 0), "seqs": (1, 0)}},
        steps=lambda s, t, k, m: t)


def crf_data(r, n, t, k):
    return {"scores": r.standard_normal((n, t, k)), "trans": r.standard_normal((k, k)),
            "tags": r.integers(0, k, (n, t))}


def crf(F, a):
    n, t, k = a.scores.shape
    rows, times = F.arange(n)[:, None], F.arange(t)
    score = a.scores[rows, times, a.tags].sum() + a.trans[a.tags[:, :-1], a.tags[:, 1:]].sum()
    timed = F.transpose(a.scores, (1, 0, 2))
    alpha, _ = F.scan(lambda s, x: (F.lse(s[:, :, None] + a.trans, 1) + x, None), timed[0], timed[1:])
    return (F.lse(alpha, -1).sum() - score) / n


Problem("log recurrence", {"tiny": (3, 4, 3), "cpu": (32, 50, 12), "gpu": (2048, 100, 24)},
        crf_data, crf, ("scores", "trans"), {"crf_paths": {}}, steps=lambda n, t, k: t)


def recurrence_data(r, d, t):
    return {"a": 0.8 + 0.2 * r.random((d, t)), "b": r.standard_normal((d, t)), "c": r.standard_normal((d, t))}


def doubling(F, a, b):
    """Composition of x -> a x + b along the last axis, in log steps."""
    shift, n, xp = 1, a.shape[-1], F.xp
    while shift < n:
        b = xp.concatenate([b[..., :shift], a[..., shift:] * b[..., :-shift] + b[..., shift:]], -1)
        a = xp.concatenate([a[..., :shift], a[..., shift:] * a[..., :-shift]], -1)
        shift *= 2
    return b


def recurrence(F, a):
    if F.jax:
        _, h = F.lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (a.a, a.b), axis=-1)
    else:
        h = doubling(F, a.a, a.b)
    return (h * a.c).sum() / a.a.shape[-1]


Problem("linear recurrence", {"tiny": (2, 9), "cpu": (128, 2048), "gpu": (512, 16384)},
        recurrence_data, recurrence, ("a", "b", "c"), {
            "recurrence_scan": {}, "recurrence_loop": {"a": (1, 0), "b": (1, 0), "c": (1, 0)}})


def matrix_data(r, t):
    m = r.standard_normal((t, 2, 2))
    return {"m": 0.95 * m / np.linalg.norm(m, axis=(1, 2), keepdims=True), "b": r.standard_normal((t, 2)),
            "c": r.standard_normal((t, 2))}


def matrix(F, a):
    def after(f, g):
        return g[0] @ f[0], (g[0] @ f[1][..., None])[..., 0] + g[1]
    if F.jax:
        _, h = F.lax.associative_scan(after, (a.m, a.b))
    else:
        m, h, shift, cat = a.m, a.b, 1, F.xp.concatenate
        while shift < len(m):
            n, g = after((m[:-shift], h[:-shift]), (m[shift:], h[shift:]))
            m, h = cat([m[:shift], n]), cat([h[:shift], g])
            shift *= 2
    return (h * a.c).sum() / len(a.b)


Problem("linear recurrence", {"tiny": (9,), "cpu": (20000,), "gpu": (1_000_000,)},
        matrix_data, matrix, ("m", "b", "c"), {"recurrence_matrix": {}})


def rk_data(r, n, d, h, steps):
    return {"x0": r.standard_normal((n, d)), "target": r.standard_normal((n, d)),
            "w1": r.standard_normal((h, d)) / np.sqrt(d), "b1": 0.1 * r.standard_normal(h),
            "w2": r.standard_normal((d, h)) / np.sqrt(h), "b2": 0.1 * r.standard_normal(d), "steps": steps}


def rk(F, a):
    dt = 1 / a.steps

    def field(x):
        return F.xp.tanh(x @ a.w1.T + a.b1) @ a.w2.T + a.b2

    def step(_, x):
        k1 = field(x)
        k2 = field(x + dt / 2 * k1)
        k3 = field(x + dt / 2 * k2)
        k4 = field(x + dt * k3)
        return x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    end = F.repeat(a.steps, step, a.x0)
    return ((end - a.target) ** 2).sum() / len(a.x0)


Problem("Runge-Kutta", {"tiny": (3, 2, 4, 3), "cpu": (64, 8, 32, 20), "gpu": (4096, 16, 64, 50)},
        rk_data, rk, ("x0", "w1", "b1", "w2", "b2"), {
            "rk_batch": {}, "rk_columns": {"x0": (1, 0), "target": (1, 0)}, "rk_tableau": {}}, steps=lambda n, d, h, s: 4 * s)


def heat_data(r, n, m, steps):
    return {"k": 0.2 * r.random((n, m)), "u0": r.standard_normal((n, m)), "goal": r.standard_normal((n, m)),
            "steps": steps}


def heat(F, a):
    def step(_, u):
        if F.jax:
            p = F.xp.pad(u, 1, mode="edge")
        else:
            p = F.lib.nn.functional.pad(u[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
        return u + a.k * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)
    u = F.repeat(a.steps, step, a.u0)
    return ((u - a.goal) ** 2).mean()


Problem("stencil", {"tiny": (5, 6, 4), "cpu": (64, 64, 100), "gpu": (1024, 1024, 100)},
        heat_data, heat, ("k", "u0"), {
            "heat_steps": {}, "heat_flat": {}}, steps=lambda n, m, s: s)


def wave_data(r, n, m, steps):
    return {"speed": 0.3 + 0.2 * r.random((n, m)), "u0": r.standard_normal((n, m)),
            "detector": r.standard_normal((n, m)) / np.sqrt(n * m), "steps": steps}


def wave(F, a):
    roll = F.xp.roll

    def step(_, s):
        old, now, seen = s
        lap = roll(now, 1, 0) + roll(now, -1, 0) + roll(now, 1, 1) + roll(now, -1, 1) - 4 * now
        after = 2 * now - old + a.speed * a.speed * lap
        value = (a.detector * after).sum()
        return now, after, seen + value * value
    return F.repeat(a.steps, step, (a.u0, a.u0, F.like(a.u0, ())))[2] / a.steps


Problem("stencil", {"tiny": (4, 5, 3), "cpu": (64, 64, 100), "gpu": (1024, 1024, 100)},
        wave_data, wave, ("speed",), {"wave_rotate": {}}, steps=lambda n, m, s: s)


def paths_data(r, n, t):
    return {"market": np.array([100, 0.03, 0.2, 100]), "z": r.standard_normal((n, t))}


def asian(F, a):
    s0, rate, sigma, strike = (a.market[i] for i in range(4))
    n, t = a.z.shape
    dt = 1 / t
    logs = F.xp.cumsum((rate - 0.5 * sigma * sigma) * dt + sigma * dt ** 0.5 * a.z, -1)
    mean = s0 * F.xp.exp(logs).mean(-1)
    return F.xp.exp(-rate) * F.relu(mean - strike).mean()


Problem("Monte-Carlo paths", {"tiny": (6, 5), "cpu": (2000, 64), "gpu": (200000, 128)},
        paths_data, asian, ("market",), {"paths_asian": {}, "paths_time": {"z": (1, 0)}})


def heston_data(r, n, t):
    return {"p": np.array([100, 0.04, 1.5, 0.05, 0.4, -0.6]), "z": r.standard_normal((n, t, 2))}


def heston(F, a):
    xp = F.xp
    s0, v0, kappa, theta, xi, rho = (a.p[i] for i in range(6))
    n, t, _ = a.z.shape
    dt, z = 1 / t, F.transpose(a.z, (1, 2, 0))
    one = F.like(a.z, (n,), 1.0)

    def step(state, e):
        s, v, alive = state
        root = xp.sqrt(v * dt)
        w = rho * e[0] + xp.sqrt(1 - rho * rho) * e[1]
        s = s * xp.exp(root * e[0] - 0.5 * v * dt)
        v = v + kappa * (theta - v) * dt + xi * root * w
        return (s, xp.where(v > 1e-4, v, 1e-4 * one), alive * (s >= 80)), None
    (s, _, alive), _ = F.scan(step, (s0 * one, v0 * one, one), z)
    return (F.relu(s - 100) * alive).sum() / n


Problem("Monte-Carlo paths", {"tiny": (6, 5), "cpu": (2000, 50), "gpu": (200000, 100)},
        heston_data, heston, ("p",), {"paths_heston": {}}, steps=lambda n, t: t)
