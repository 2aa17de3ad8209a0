"""The parameters of an ODE from what was observed: SciPy, with gradients and products with the Hessian."""
import os

import numpy as np
from scipy.optimize import minimize

import raido

m = raido.compile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.fut"))
truth, start, dt = np.array([1.1, 0.4, 0.1, 0.4]), np.array([10.0, 5.0]), 0.05


def simulate(p, n):
    u, v = start
    seen = np.empty((n, 2))
    rate = lambda s: np.array([p[0] * s[0] - p[1] * s[0] * s[1], p[2] * s[0] * s[1] - p[3] * s[1]])
    s = np.array([u, v])
    for i in range(n):
        k1 = rate(s)
        k2 = rate(s + dt / 2 * k1)
        k3 = rate(s + dt / 2 * k2)
        k4 = rate(s + dt * k3)
        s = s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        seen[i] = s
    return seen


seen = simulate(truth, 60)
value_and_grad = m.lotka.value_and_grad(wrt="p")
hvp = m.lotka.by("p").hvp
fit = minimize(lambda p: value_and_grad(p, start, dt, seen), [1.0, 0.35, 0.12, 0.45], jac=True,
               hessp=lambda p, v: hvp(p, start, dt, seen, v), method="Newton-CG", options={"xtol": 1e-12})
print("found", fit.x.round(6), "in", fit.nit, "iterations")
assert np.allclose(fit.x, truth, atol=1e-4)
