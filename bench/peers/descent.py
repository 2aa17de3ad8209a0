"""GradBench's nested derivatives for JAX and PyTorch: gradient descent through loops.

The first letter of a row is the mode of the outer gradient, the second that of the inner one.  JAX
compiles loops whose length is not known, and differentiates them forwards alone; PyTorch takes each
step on its own.  There is no function beside the derivative.
"""
import numpy as np

TINY = 1e-5


def length(xp, x):
    return xp.sqrt((x * x).sum())


def argmin(fw, gradient, f, start):
    """Where f is least near the start: see bench/ad/descent.fut."""
    xp = fw.xp

    def step(state):
        x, fx, g, eta, successes, _ = state

        def move():
            there = x - eta * g

            def try_it():
                value = f(there)
                return fw.either(value < fx,
                                 lambda: (there, value, gradient(f)(there), eta, successes + 1, fw.true()),
                                 lambda: (x, fx, g, eta / 2, successes * 0, fw.true()))
            return fw.either(length(xp, x - there) <= TINY, stay, try_it)

        def stay():
            return x, fx, g, eta, successes, ~fw.true()

        def longer():
            return x, fx, g, 2 * eta, successes * 0, fw.true()
        return fw.either(length(xp, g) <= TINY, stay, lambda: fw.either(successes == 10, longer, move))
    state = (start, f(start), gradient(f)(start), fw.number(1e-5), fw.number(0), fw.true())
    return fw.repeat(lambda s: s[5], step, state)[0]


def modes(fw, data):
    return [fw.gradient_in(chr(c)) for c in data["modes"]]


def particle(fw, data):
    xp, (outer, inner) = fw.xp, modes(fw, data)
    low, high, up, x0, v0 = (fw.array(np.array(p)) for p in ([10., 0.], [10., 10.], [0., 1.], [0., 8.], [.75, 0.]))

    def landing(w):
        def potential(x):
            return 1 / length(xp, x - (high - w * up)) + 1 / length(xp, x - low)

        def step(state):
            x, v = state
            return x + 0.1 * v, v - 0.1 * inner(potential)(x)
        x, v = fw.repeat(lambda s: (s[0] + 0.1 * s[1])[1] > 0, step, (x0, v0))
        end = (x - x[1] / v[1] * v)[0]
        return end * end
    return None, fw.array(data["w"]), lambda _: fw.function(lambda w: argmin(fw, outer, landing, w))


def saddle(fw, data):
    xp, (outer, inner) = fw.xp, modes(fw, data)

    def f(x, y):
        return (x * x).sum() - (y * y).sum()

    def solve(start):
        def best(x):
            return argmin(fw, inner, lambda y: -f(x, y), start)
        x = argmin(fw, outer, lambda x: f(x, best(x)), start)
        return xp.concatenate((x, best(x)))
    return None, fw.array(data["start"]), lambda _: fw.function(solve)
