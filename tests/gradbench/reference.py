"""The functions of GradBench's evals, written from their definitions with nothing but Python.

Functions take numbers that may be complex, so that derivatives come by the complex step:
df/dx = im f(x + ih)/h, exact to the last digits, without any rule of differentiation.
"""
import cmath
import itertools
import math

STEP = 1e-30


def gradient(f, x):
    """Of f, from a list of numbers to a number."""
    out = []
    for i in range(len(x)):
        y = list(x)
        y[i] = complex(x[i], STEP)
        out.append(f(y).imag / STEP)
    return out


def jacobian(f, x):
    """Of f, from a list to a list: a row for each result."""
    columns = []
    for i in range(len(x)):
        y = list(x)
        y[i] = complex(x[i], STEP)
        columns.append([complex(v).imag / STEP for v in f(y)])
    return [list(row) for row in zip(*columns)]


def flat(rows):
    return [x for row in rows for x in row]


def rows(xs, width):
    return [xs[i:i + width] for i in range(0, len(xs), width)] if width else []


def logsumexp(xs):
    top = max(x.real for x in xs)
    return top + cmath.log(sum(cmath.exp(x - top) for x in xs))


def llsq(x, n):
    total = 0
    for i in range(n):
        t = -1 + 2 * i / (n - 1)
        s = (t > 0) - (t < 0)
        d = s - sum(c * t ** j for j, c in enumerate(x))
        total += d * d
    return total / 2


def ode(x, s):
    def rhs(y):
        return [x[0]] + [a * b for a, b in zip(x[1:], y)]

    def along(y, h, k):
        return [a + h * b for a, b in zip(y, k)]
    h = 2 / s
    y = [0] * len(x)
    for _ in range(s):
        k1 = rhs(y)
        k2 = rhs(along(y, h / 2, k1))
        k3 = rhs(along(y, h / 2, k2))
        k4 = rhs(along(y, h, k3))
        y = [a + h / 6 * (p + 2 * q + 2 * r + t) for a, p, q, r, t in zip(y, k1, k2, k3, k4)]
    return y


def det(a, n):
    total = 0
    for p in itertools.permutations(range(n)):
        sign = (-1) ** sum(p[i] > p[j] for i in range(n) for j in range(i + 1, n))
        total += sign * math.prod(a[i * n + p[i]] for i in range(n))
    return total


def kmeans_cost(points, centres):
    return sum(min((sum((a - b) ** 2 for a, b in zip(p, c)) for c in centres), key=lambda z: z.real)
               for p in points)


def kmeans_direction(points, centres):
    """The gradient over the Hessian's diagonal: from the mean of the nearest points to the centre."""
    nearest = [[] for _ in centres]
    for p in points:
        distances = [sum((a - b) ** 2 for a, b in zip(p, c)) for c in centres]
        nearest[distances.index(min(distances))].append(p)
    return [[c[i] - sum(p[i] for p in ps) / len(ps) for i in range(len(c))]
            for c, ps in zip(centres, nearest)]


def sigmoid(x):
    return 1 / (1 + cmath.exp(-x))


def lstm(params, layers, bits, state, sequence):
    main = rows(params[:8 * layers * bits], 4 * bits)
    extra = rows(params[8 * layers * bits:], bits)
    hidden = [list(state[2 * k]) for k in range(layers)]
    cell = [list(state[2 * k + 1]) for k in range(layers)]
    total = 0
    for seen, after in zip(sequence, sequence[1:]):
        x = [a * b for a, b in zip(seen, extra[0])]
        for k in range(layers):
            w, b = rows(main[2 * k], bits), rows(main[2 * k + 1], bits)
            for i in range(bits):
                forget = sigmoid(x[i] * w[0][i] + b[0][i])
                ingate = sigmoid(hidden[k][i] * w[1][i] + b[1][i])
                outgate = sigmoid(x[i] * w[2][i] + b[2][i])
                change = cmath.tanh(hidden[k][i] * w[3][i] + b[3][i])
                cell[k][i] = cell[k][i] * forget + ingate * change
                hidden[k][i] = outgate * cmath.tanh(cell[k][i])
            x = hidden[k]
        y = [a * p + q for a, p, q in zip(x, extra[1], extra[2])]
        norm = cmath.log(2 + sum(map(cmath.exp, y)))
        total += sum(a * (b - norm) for a, b in zip(after, y))
    return -total / (bits * (len(sequence) - 1))


def gmm(params, d, k, x, gamma, m):
    t = d * (d - 1) // 2
    alpha, mu = params[:k], rows(params[k:k + k * d], d)
    q, l = rows(params[k + k * d:k + 2 * k * d], d), params[k + 2 * k * d:]
    factors = []
    for c in range(k):
        f = [[cmath.exp(q[c][i]) if i == j else 0 for j in range(d)] for i in range(d)]
        below = iter(l[c * t:(c + 1) * t])
        for j in range(d):
            for i in range(j + 1, d):
                f[i][j] = next(below)
        factors.append(f)

    def term(p, c):
        v = [a - b for a, b in zip(p, mu[c])]
        norm = sum(sum(a * b for a, b in zip(row, v)) ** 2 for row in factors[c])
        return alpha[c] + sum(q[c]) - norm / 2
    n, w = len(x), d + m + 1
    log_gamma = d * (d - 1) / 4 * math.log(math.pi)
    log_gamma += sum(math.lgamma(w / 2 + (1 - j) / 2) for j in range(1, d + 1))
    value = -n * d / 2 * math.log(2 * math.pi)
    value += sum(logsumexp([term(p, c) for c in range(k)]) for p in x) - n * logsumexp(alpha)
    value += k * (w * d * (math.log(gamma) - math.log(2) / 2) - log_gamma)
    for c in range(k):
        value -= gamma ** 2 / 2 * sum(a * a for a in flat(factors[c])) - m * sum(q[c])
    return value


def ba_error(params, feat):
    """The errors of one observation by its camera, point and weight, in one list."""
    cam, x, w = params[:11], params[11:14], params[14]
    r, v = cam[:3], [a - b for a, b in zip(x, cam[3:6])]

    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    square = sum(a * a for a in r)
    if square != 0:
        angle = cmath.sqrt(square)
        c, s = cmath.cos(angle), cmath.sin(angle)
        u = [a / angle for a in r]
        along = sum(a * b for a, b in zip(u, v)) * (1 - c)
        v = [a * c + b * s + e * along for a, b, e in zip(v, cross(u, v), u)]
    else:
        v = [a + b for a, b in zip(v, cross(r, v))]
    px, py = v[0] / v[2], v[1] / v[2]
    r2 = px * px + py * py
    l = 1 + cam[9] * r2 + cam[10] * r2 * r2
    return [w * (cam[6] * px * l + cam[7] - feat[0]), w * (cam[6] * py * l + cam[8] - feat[1])]


def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def bend(angles):
    """The rotation z*y*x by angles given as x, z, y, as a matrix of size four."""
    def turn(i, j, angle):
        m = [[float(r == c) for c in range(4)] for r in range(4)]
        m[i][i] = m[j][j] = cmath.cos(angle)
        m[i][j], m[j][i] = -cmath.sin(angle), cmath.sin(angle)
        return m
    x, z, y = angles
    return matmul(matmul(turn(0, 1, z), turn(2, 0, y)), turn(1, 2, x))


def hand_vertices(theta, model):
    angles = [[0, 0, 0] for _ in range(model["bone_count"])]
    at = 6
    for finger in range(5):
        for joint in range(2, 5):
            bone = angles[4 * finger + joint]
            bone[0] = theta[at]
            at += 1
            if joint == 2:
                bone[1] = theta[at]
                at += 1
    absolutes = []
    for base, parent, a in zip(model["base_relatives"], model["parents"], angles):
        relative = matmul(base, bend(a))
        absolutes.append(relative if parent == -1 else matmul(absolutes[parent], relative))
    transforms = list(map(matmul, absolutes, model["inverse_base_absolutes"]))
    norm = cmath.sqrt(sum(a * a for a in theta[:3]))
    x, y, z = (a / norm for a in theta[:3])
    k = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    k2 = matmul(k, k)
    turn = [[(i == j) + cmath.sin(norm) * k[i][j] + (1 - cmath.cos(norm)) * k2[i][j]
             for j in range(3)] for i in range(3)]
    out = []
    for p, ws in zip(model["base_positions"], model["weights"]):
        v = [sum(w * sum(a * b for a, b in zip(t[i], p)) for w, t in zip(ws, transforms))
             for i in range(3)]
        if model["is_mirrored"]:
            v[0] = -v[0]
        out.append([sum(a * b for a, b in zip(turn[i], v)) + theta[3 + i] for i in range(3)])
    return out


def hand(theta, us, data):
    mesh = hand_vertices(theta, data["model"])
    out = []
    for i, (c, p) in enumerate(zip(data["correspondences"], data["points"])):
        if us:
            u, v = us[i]
            a, b, e = (mesh[k] for k in data["model"]["triangles"][c])
            at = [u * a[k] + v * b[k] + (1 - u - v) * e[k] for k in range(3)]
        else:
            at = mesh[c]
        out += [p[k] - at[k] for k in range(3)]
    return out


def hand_jacobian(theta, us, data):
    columns = []
    if us:
        for k in range(2):
            moved = [[complex(u[0], STEP * (k == 0)), complex(u[1], STEP * (k == 1))] for u in us]
            columns.append([v.imag / STEP for v in hand(theta, moved, data)])
    by_theta = jacobian(lambda t: hand(t, us, data), theta)
    return [list(head) + row for head, row in zip(zip(*columns) if us else [()] * len(by_theta),
                                                  by_theta)]
