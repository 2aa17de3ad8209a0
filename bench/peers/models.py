"""The benchmarks for NumPy, JAX and PyTorch, written with whole arrays.

Each takes a framework (frameworks.py) and the data of a row, and gives the function, its argument,
and what makes the derivative (None where there is none).  Results are those of the drivers in C, whose
files `primal` and `gradient` they are compared with.
"""
import itertools
import math

import numpy as np

import descent
import tables


def logsumexp(fw, x, axis):
    top = fw.largest(x, axis)
    shape = list(x.shape)
    shape[axis] = 1
    return top + fw.xp.log(fw.xp.exp(x - top.reshape(shape)).sum(axis))


def lse(fw, data):
    x = fw.array(data["x"])

    def f(args):
        return logsumexp(fw, args[0], -1)
    return f, (x,), fw.gradient


def llsq(fw, data):
    n, x = int(data["n"][0]), fw.array(data["x"])
    points = -1 + 2 * np.arange(n) / (n - 1)
    t, sign = fw.array(points), fw.array(np.sign(points))
    backwards = fw.array(np.arange(len(data["x"]))[::-1].copy())

    def f(args):
        # Horner's method, at all points together.
        state, _ = fw.scan(lambda s, c: ((s[0] * t + c[0],), 0), (t * 0,), (args[0][backwards],))
        d = sign - state[0]
        return 0.5 * (d * d).sum()
    return f, (x,), fw.gradient


def ode(fw, data):
    xp, s, x = fw.xp, int(data["s"][0]), fw.array(data["x"])
    one, h = fw.array(np.ones(1)), 2 / s

    def f(args):
        a = args[0]

        def rhs(y):
            return a * xp.concatenate((one, y[:-1]))

        def step(state, _):
            y = state[0]
            k1 = rhs(y)
            k2 = rhs(y + h / 2 * k1)
            k3 = rhs(y + h / 2 * k2)
            k4 = rhs(y + h * k3)
            return (y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4),), 0
        state, _ = fw.scan(step, (a * 0,), (fw.array(np.zeros(s)),))
        return state[0]

    def derivative(g):
        return fw.gradient(lambda args: g(args)[-1])
    return f, (x,), derivative


def gmm(fw, data):
    xp = fw.xp
    gamma, m, x = float(data["gamma"][0]), int(data["m"][0]), fw.array(data["x"])
    k, d = data["mu"].shape
    n = len(data["x"])
    # Where the packed columns below the diagonal go, and the diagonal.
    columns, rows = np.triu_indices(d, 1)
    place = np.zeros((d, d), int)
    place[rows, columns] = np.arange(len(rows))
    below = fw.array(np.tril(np.ones((d, d)), -1))
    place, eye = fw.array(place), fw.array(np.eye(d))
    wishart = d + m + 1
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi)
    log_gamma += sum(math.lgamma(0.5 * wishart - 0.5 * j) for j in range(d))
    constant = (-0.5 * n * d * math.log(2 * math.pi) +
                k * (wishart * d * (math.log(gamma) - 0.5 * math.log(2)) - log_gamma))

    def f(args):
        alpha, mu, q, l = args
        factors = q.reshape(k, d, 1)
        factors = xp.exp(factors) * eye
        if d > 1:
            factors = factors + l[:, place.reshape(-1)].reshape(k, d, d) * below
        y = xp.einsum("kij,nkj->nki", factors, x.reshape(n, 1, d) - mu)
        terms = alpha + q.sum(-1) - 0.5 * (y * y).sum(-1)
        prior = 0.5 * gamma ** 2 * ((xp.exp(q) ** 2).sum() + (l * l).sum()) - m * q.sum()
        return constant + logsumexp(fw, terms, -1).sum() - n * logsumexp(fw, alpha, -1) - prior
    return f, tuple(fw.array(data[v]) for v in ("alpha", "mu", "q", "l")), fw.gradient


def sigmoid(xp, x):
    return 1 / (1 + xp.exp(-x))


def lstm(fw, data):
    xp = fw.xp
    layers, bits = data["main"].shape[0], data["main"].shape[-1]
    state, seq = fw.array(data["state"]), fw.array(data["sequence"])
    length = len(data["sequence"])

    def f(args):
        main, extra = args

        def step(states, xs):
            now, after = xs
            x = now * extra[0]
            new = []
            for k in range(layers):
                hidden, cell = states[k]
                w, b = main[k, 0], main[k, 1]
                forget = sigmoid(xp, x * w[0] + b[0])
                ingate = sigmoid(xp, hidden * w[1] + b[1])
                outgate = sigmoid(xp, x * w[2] + b[2])
                change = xp.tanh(hidden * w[3] + b[3])
                cell = cell * forget + ingate * change
                x = outgate * xp.tanh(cell)
                new.append((x, cell))
            y = x * extra[1] + extra[2]
            return tuple(new), (after * (y - xp.log(2 + xp.exp(y).sum()))).sum()
        start = tuple((state[k, 0], state[k, 1]) for k in range(layers))
        _, losses = fw.scan(step, start, (seq[:-1], seq[1:]))
        return -sum_all(losses) / (bits * (length - 1))
    return f, (fw.array(data["main"]), fw.array(data["extra"])), fw.gradient


def sum_all(xs):
    return sum(xs[1:], xs[0]) if isinstance(xs, list) else xs.sum()


def kmeans(fw, data):
    points = fw.array(data["points"])
    squares = (points * points).sum(-1)

    def f(c):
        # The square is multiplied out, so that the large part is a product of matrices.
        distances = (c * c).sum(-1) - 2 * points @ c.T
        return (squares + fw.smallest(distances, -1)).sum()
    return f, fw.array(data["centres"]), fw.newton


def kmeans_sparse(fw, data):
    values, columns = fw.array(data["values"]), fw.array(data["columns"].astype(np.int64))
    starts = data["starts"]
    rows = fw.array(np.repeat(np.arange(len(starts) - 1), np.diff(starts)))
    zeros = fw.array(np.zeros((len(starts) - 1, data["centres"].shape[0])))
    squares = float((data["values"] ** 2).sum())

    def f(c):
        products = fw.add_at(zeros, (rows,), c.T[columns] * values.reshape(-1, 1))
        return squares + fw.smallest((c * c).sum(-1) - 2 * products, -1).sum()
    return f, fw.array(data["centres"]), fw.newton


def lstm_batch(fw, data):
    xp = fw.xp
    xs, wanted = fw.array(data["xs"]), fw.array(data["wanted"])
    zero = fw.array(np.zeros(data["wanted"].shape[1:]))
    h = data["wanted"].shape[-1]

    def f(args):
        wx, wh, bias = args

        def step(state, x):
            hidden, cell = state
            s = x[0] @ wx.T + hidden @ wh.T + bias
            gate = [s[:, k * h:(k + 1) * h] for k in range(4)]
            cell = sigmoid(xp, gate[1]) * cell + sigmoid(xp, gate[0]) * xp.tanh(gate[2])
            hidden = sigmoid(xp, gate[3]) * xp.tanh(cell)
            return (hidden, cell), ((hidden - x[1]) ** 2).sum()
        _, off = fw.scan(step, (zero, zero), (xs, wanted))
        return sum_all(off) / data["wanted"].size
    return f, tuple(fw.array(data[v]) for v in ("wx", "wh", "bias")), fw.gradient


def ba(fw, data):
    xp = fw.xp
    obs = data["obs"]
    args = np.concatenate([data["cams"][obs[:, 0]], data["points"][obs[:, 1]], data["weights"][:, None],
                           data["feats"]], 1)

    def error(a):
        """The errors of one observation, by camera, point and weight; the feature is constant."""
        r, v = a[0:3], a[11:14] - a[3:6]

        def cross(a, b):
            return xp.stack((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                             a[0] * b[1] - a[1] * b[0]))
        angle = xp.sqrt((r * r).sum())
        u = r / angle
        c, s = xp.cos(angle), xp.sin(angle)
        q = v * c + cross(u, v) * s + u * ((u * v).sum() * (1 - c))
        p = q[:2] / q[2]
        r2 = (p * p).sum()
        p = p * (1 + a[9] * r2 + a[10] * r2 * r2)
        return a[14] * (a[6] * p + a[7:9] - a[15:17])

    def f(a):
        return many(a)
    many = fw.jax.vmap(error) if fw.name == "jax" else fw.torch.func.vmap(error)

    def derivative(_):
        rows = fw.rows(error)
        return lambda a: rows(a)[:, :, :15]
    return f, fw.array(args), derivative


def ht(fw, data):
    xp = fw.xp
    parents = data["parents"]
    base, inverse = fw.array(data["relatives"]), fw.array(data["inverses"])
    positions, weights = fw.array(data["positions"]), fw.array(data["weights"])
    which, points = data["correspondences"], fw.array(data["points"])
    corners = [fw.array(data["triangles"][which, k].astype(np.int64)) for k in range(3)] \
        if "us" in data else fw.array(which.astype(np.int64))
    zero, one = fw.array(np.zeros(())), fw.array(np.ones(()))

    def matrix(rows):
        return xp.stack([xp.stack(row, 0) for row in rows], 0)

    def bend(x, z):
        cx, sx, cz, sz = xp.cos(x), xp.sin(x), xp.cos(z), xp.sin(z)
        return matrix([[cz, -sz * cx, sz * sx, zero], [sz, cz * cx, -cz * sx, zero],
                       [zero, sx, cx, zero], [zero, zero, zero, one]])

    def f(args):
        theta = args[0]
        absolutes = []
        for b in range(len(parents)):
            k, finger = (b - 1) % 4, (b - 1) // 4
            bends = 0 < b <= 20 and k > 0
            t = 6 + 4 * finger
            r = bend(theta[t + (0 if k == 1 else k)] if bends else zero,
                     theta[t + 1] if bends and k == 1 else zero)
            relative = base[b] @ r
            absolutes.append(relative if parents[b] < 0 else absolutes[parents[b]] @ relative)
        transforms = xp.stack(absolutes, 0) @ inverse
        norm = xp.sqrt((theta[:3] * theta[:3]).sum())
        x, y, z = (theta[i] / norm for i in range(3))
        s, c = xp.sin(norm), xp.cos(norm)
        k = 1 - c
        turn = matrix([[x * x * k + c, x * y * k - z * s, x * z * k + y * s],
                       [x * y * k + z * s, y * y * k + c, y * z * k - x * s],
                       [x * z * k - y * s, z * y * k + x * s, z * z * k + c]])
        blended = xp.einsum("vb,bij->vij", weights, transforms[:, :3])
        mesh = xp.einsum("vij,vj->vi", blended, positions) @ turn.T + theta[3:6]
        if "us" not in data:
            return points - mesh[corners]
        u = args[1]
        a, b, e = (mesh[i] for i in corners)
        return points - (u[:, :1] * a + u[:, 1:] * b + (1 - u[:, :1] - u[:, 1:]) * e)

    n = len(which)
    if "us" in data:
        directions = (fw.array(np.eye(28)[:, 2:].copy()),
                      fw.array(np.repeat(np.eye(28)[:, None, :2], n, 1)))
        args = (fw.array(data["theta"]), fw.array(data["us"]))
    else:
        directions, args = (fw.array(np.eye(26)),), (fw.array(data["theta"]),)
    return f, args, lambda g: fw.columns(g, directions)


VELOCITIES = np.array([[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1],
                       [1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 0, 1], [-1, 0, -1],
                       [1, 0, -1], [-1, 0, 1], [0, 1, 1], [0, -1, -1], [0, 1, -1], [0, -1, 1]])


def lbm(fw, data):
    xp = fw.xp
    omega, steps = float(data["omega"][0]), int(data["steps"][0])
    walls = fw.array(data["walls"].astype(bool)[..., None])
    weights = fw.array(np.array([1 / 3] + [1 / 18] * 6 + [1 / 36] * 12))
    v = fw.array(VELOCITIES.astype(float))
    opposite = fw.array(np.array([0] + [q + 1 if q % 2 else q - 1 for q in range(1, 19)]))

    def step(state, _):
        f = state[0]
        f = xp.stack([xp.roll(f[..., q], tuple(int(a) for a in VELOCITIES[q]), (0, 1, 2))
                      for q in range(19)], -1)
        density = f.sum(-1)[..., None]
        u = f @ v / density
        along = u @ v.T
        rest = weights * density * (1 + 3 * along + 4.5 * along * along - 1.5 * (u * u).sum(-1)[..., None])
        return (xp.where(walls, f[..., opposite], f + omega * (rest - f)),), 0

    def f(x):
        return fw.scan(step, (x,), (fw.array(np.zeros(steps)),))[0][0]
    seed = fw.array(data["seed"])
    return f, fw.array(data["f"]), lambda g: fw.pullback(g, seed)


def det(fw, data):
    """The sum over all permutations: recursion has no other form with whole arrays."""
    n = data["a"].shape[0]
    permutations = np.array(list(itertools.permutations(range(n))))
    odd = sum((permutations[:, i] > permutations[:, j]).astype(int) for i in range(n) for j in range(i + 1, n))
    rows, columns, sign = fw.array(np.arange(n)), fw.array(permutations), fw.array(1.0 - 2 * (odd % 2))

    def f(args):
        return (sign * args[0][rows, columns].prod(-1)).sum()
    return f, (fw.array(data["a"]),), fw.gradient


ALL = {"lse": lse, "llsq": llsq, "ode": ode, "gmm": gmm, "lstm": lstm, "kmeans": kmeans,
       "kmeans_sparse": kmeans_sparse, "lstm_batch": lstm_batch, "ba": ba, "ht": ht, "lbm": lbm,
       "det": det, "xsbench": tables.xsbench, "rsbench": tables.rsbench, "particle": descent.particle,
       "saddle": descent.saddle}
# Values of many magnitudes, or tiny ones: each is compared relatively to itself.
RELATIVE = {"rsbench", "saddle"}


def impossible(framework, program, data):
    """Why a framework does not have a program, in a word or two; None if it has."""
    if framework == "numpy" and program == "ba":
        return "no map"         # it is written for one observation at a time
    if framework == "numpy" and program in ("particle", "saddle"):
        return "no AD"
    if framework == "jax" and program in ("particle", "saddle") and chr(data["modes"][0]) == "r":
        return "no reverse"     # of loops whose length is not known
    return None
