"""XSBench and RSBench for NumPy, JAX and PyTorch: lookups in tables, all at once.

Materials have 4 to 34 nuclides, and windows different numbers of poles: whole arrays take the most of
each, where what is too many counts nothing.  Functions are like those of models.py.
"""
import numpy as np

MULTIPLIER, MASK = 2806196910506780709, (1 << 63) - 1
SHARES = np.cumsum([0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013])


def signed(x):
    return (x & (1 << 64) - 1) - (1 << 64 if x >> 63 & 1 else 0)


def samples(fw, lookups):
    """What draws energies and materials of lookups, in 64 bits that wrap."""
    steps, count = [], 2 * np.arange(lookups, dtype=np.int64)
    a, c = MULTIPLIER, 1
    for bit in range(int(2 * lookups).bit_length()):
        steps.append((fw.array((count >> bit & 1).astype(bool)), signed(a), signed(c)))
        a, c = a * a & (1 << 64) - 1, c * (a + 1) & (1 << 64) - 1
    ones, shares = fw.array(np.ones(lookups, np.int64)), fw.array(SHARES)

    def draw():
        xp, an, cn = fw.xp, ones, ones * 0
        for odd, a, c in steps:
            an, cn = xp.where(odd, an * a, an), xp.where(odd, cn * a + c, cn)
        s = (MULTIPLIER * ((an * 1070 + cn) & MASK) + 1) & MASK
        roll = ((MULTIPLIER * s + 1) & MASK) / 2.0 ** 63
        return s / 2.0 ** 63, (xp.searchsorted(shares, roll, side="right") + 1) % 12
    return draw


def xsbench(fw, data):
    xp, grid = fw.xp, data["grid"]
    n, points = grid.shape[:2]
    union = np.sort(grid[:, :, 0].reshape(-1))
    index = fw.array(np.stack([np.minimum(np.searchsorted(g[1:, 0], union, side="right"), points - 2)
                               for g in grid], 1))
    lookups, energies = int(data["lookups"][0]), fw.array(union)
    nuclides, densities = fw.array(data["nuclides"].astype(np.int64)), fw.array(data["densities"])
    draw = samples(fw, lookups)
    seed = fw.array(np.tile(data["seed"], (lookups, 1)))

    def f(grid):
        e, m = draw()
        row = xp.clip(xp.searchsorted(energies, e, side="right") - 1, 0, len(union) - 2)
        nuclide = nuclides[m]
        k = index[row.reshape(-1, 1), nuclide]
        low, high = grid[nuclide, k], grid[nuclide, k + 1]
        part = (high[..., :1] - e.reshape(-1, 1, 1)) / (high[..., :1] - low[..., :1])
        sections = high[..., 1:] - part * (high[..., 1:] - low[..., 1:])
        return (densities[m].reshape(lookups, -1, 1) * sections).sum(1)
    return f, fw.array(grid), lambda g: fw.pullback(g, seed)


NEAR_A = [2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02, 2.505215e-02, 1.027747e-02,
          3.676164e-03, 1.146494e-03, 3.117570e-04]
NEAR_D = [9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02, 3.553058e+02, 4.836106e+02,
          6.316547e+02, 7.994380e+02, 9.869604e+02]


def faddeeva(xp, re, im):
    """Both formulas everywhere, each where the other holds at a point that does no harm."""
    near = xp.sqrt(re * re + im * im) < 6
    x, y = xp.where(near, re, 1.0), xp.where(near, im, 0.0)
    z = x + 1j * y
    exp = 1 + -12 * y * 0.000244140625
    for _ in range(12):
        exp = exp * exp
    e = exp * (xp.cos(12 * x) + 1j * xp.sin(12 * x))
    terms = 0
    for n in range(10):
        terms = terms + NEAR_A[n] * (((1 if n % 2 else -1) * e - 1) / (NEAR_D[n] - 144 * z * z))
    close = 1j * (1 - e) / (12 * z) + 81.2433j * z * terms
    z = xp.where(near, 10.0, re) + 1j * xp.where(near, 0.0, im)
    far = 1j * z * (0.512424224754768462984 / (z * z - 0.275255128608410950901) +
                    0.051765358792987823964 / (z * z - 2.724744871391589049099))
    return xp.where(near, close, far)


def rsbench(fw, data):
    xp, lookups = fw.xp, int(data["lookups"][0])
    nuclides, densities = fw.array(data["nuclides"].astype(np.int64)), fw.array(data["densities"])
    windows, ranges = fw.array(data["windows"].astype(np.int64)), data["ranges"].astype(np.int64)
    coefficients, k0rs = fw.array(data["coefficients"]), fw.array(data["k0rs"])
    momenta = fw.array(data["momenta"].astype(np.int64))
    first, last = fw.array(ranges[:, :, 0].copy()), fw.array(ranges[:, :, 1].copy())
    most = int((ranges[:, :, 1] - ranges[:, :, 0]).max())
    steps, n_poles = fw.array(np.arange(most)), data["poles"].shape[1]
    draw = samples(fw, lookups)
    seed = fw.array(np.tile(data["seed"], (lookups, 1)))

    def phases(nuclide, e):
        phi = k0rs[nuclide] * xp.sqrt(e).reshape(-1, 1, 1)
        p, q, r = (phi[..., l] for l in (1, 2, 3))
        phi = xp.stack([phi[..., 0], p + xp.arctan(p), q - xp.arctan(3 * q / (3 - q * q)),
                        r - xp.arctan(r * (15 - r * r) / (15 - 6 * r * r))], -1)
        return xp.cos(2 * phi) - 1j * xp.sin(2 * phi)

    def f(poles):
        e, m = draw()
        nuclide = nuclides[m]
        count = windows[nuclide]
        at = xp.minimum(count - 1, fw.integers(e.reshape(-1, 1) / (1 / count)))
        k = first[nuclide, at][..., None] + steps
        there = k < last[nuclide, at][..., None]
        k = xp.clip(k, 0, n_poles - 1)
        pole = poles[nuclide[..., None], k]
        v = faddeeva(xp, xp.where(there, 0.5 * (e.reshape(-1, 1, 1) - pole[..., 0, 0]), 10.0),
                     xp.where(there, -0.5 * pole[..., 0, 1], 0.0)) * there
        _, t, a, b = (pole[..., i, 0] + 1j * pole[..., i, 1] for i in range(4))
        places = fw.array(np.arange(lookups * nuclide.shape[1]).reshape(lookups, -1, 1) * 4)
        phase = phases(nuclide, e).reshape(-1)[places + momenta[nuclide[..., None], k]]
        c = e.reshape(-1, 1, 1) * coefficients[nuclide, at]
        total, absorbed, fission = (c[..., i] + x.real.sum(-1)
                                    for i, x in enumerate((t * (v * phase), a * v, b * v)))
        d = densities[m]
        return xp.stack([(d * x).sum(-1) for x in (total, absorbed, fission, total - absorbed)], -1)
    return f, fw.array(data["poles"]), lambda g: fw.pullback(g, seed)
