"""Bayesian regression: a Hamiltonian sampler in JAX, compiled together with the density, a program of Raido."""
import os

import jax
import jax.numpy as jnp
import numpy as np

import raido
import raido.jax

jax.config.update("jax_enable_x64", True)
m = raido.compile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.fut"))
density = raido.jax.wrap(m.posterior)
rng = np.random.default_rng(0)
truth = np.array([1.0, -2.0, 0.5])
xs = jnp.array(rng.standard_normal((100, 3)))
ys = jnp.array(xs @ truth + 0.5 * rng.standard_normal(100))
log_p = lambda w: density(w, xs, ys)
gradient = jax.grad(log_p)


def sample(w, key):
    a, b = jax.random.split(key)
    p = jax.random.normal(a, w.shape)

    def leap(_, s):
        w, p = s
        p = p + 0.005 * gradient(w)
        w = w + 0.01 * p
        return w, p + 0.005 * gradient(w)
    w2, p2 = jax.lax.fori_loop(0, 20, leap, (w, p))
    odds = log_p(w2) - p2 @ p2 / 2 - log_p(w) + p @ p / 2
    w = jnp.where(jnp.log(jax.random.uniform(b)) < odds, w2, w)
    return w, w


_, samples = jax.jit(lambda keys: jax.lax.scan(sample, jnp.zeros(3), keys))(jax.random.split(jax.random.key(0), 1000))
mean = np.asarray(samples)[200:].mean(0)
exact = np.linalg.solve(xs.T @ xs / 0.25 + np.eye(3), xs.T @ ys / 0.25)
print("mean", mean.round(3), "exact", np.asarray(exact).round(3))
assert np.allclose(mean, exact, atol=0.05)
