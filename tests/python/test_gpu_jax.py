"""Functions of Raido on arrays of JAX on a GPU.  Run by tests/python_gpu.sh."""
import os
import unittest

import jax
import jax.numpy as jnp
import numpy as np

import raido
import raido.jax

jax.config.update("jax_enable_x64", True)
HERE = os.path.dirname(os.path.abspath(__file__))
m = raido.compile(os.path.join(HERE, "gpu.fut"), backend="cuda", cflags="-O1 -std=c11")
loss, lin = raido.jax.wrap(m.loss), raido.jax.wrap(m.lin)
gpu, cpu = jax.devices("gpu")[0], jax.devices("cpu")[0]
rng = np.random.default_rng(1)


def array(*shape, dtype=np.float64):
    return jax.device_put(rng.normal(size=shape).astype(dtype), gpu)


def reference(w, x):
    return jnp.sum(jnp.sin(w * x) + w * w * x)


def close(got, want):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9), got, want)


class Plain(unittest.TestCase):
    def test_call(self):
        x = array(100, dtype=np.float32)
        y = m.axpb(2.0, 1.0, x)
        self.assertIsInstance(y, jax.Array)
        self.assertEqual(y.devices(), {gpu})
        np.testing.assert_allclose(y, 2 * x + 1, rtol=1e-6)
        np.testing.assert_allclose(m.positive(x), x[x > 0])
        w = array(100)
        close(m.loss(w, w), reference(w, w))

    def test_errors(self):
        x = array(4, dtype=np.float32)
        with self.assertRaisesRegex(ValueError, "is not on a CUDA device"):
            m.axpb(1.0, 1.0, jax.device_put(x, cpu))
        with self.assertRaisesRegex(TypeError, "dtype float64"):
            m.loss(x, x)


class Wrapped(unittest.TestCase):
    def test_jit(self):
        w, x, a = array(50), array(50), array(7, 50)
        close(loss(w, x), reference(w, x))
        close(jax.jit(loss)(w, x), reference(w, x))
        close(jax.jit(lambda w: 2 * loss(w + 1, x))(w), 2 * reference(w + 1, x))
        close(lin(a, w, 2.0, 3), (2 * (a @ w), 6 * w.sum()))
        self.assertEqual(jax.jit(loss)(w, x).devices(), {gpu})

    def test_derivatives(self):
        w, x, rows = array(6), array(6), array(5, 6)
        close(jax.grad(loss)(w, x), jax.grad(reference)(w, x))
        close(jax.jit(jax.grad(loss, (0, 1)))(w, x), jax.grad(reference, (0, 1))(w, x))
        close(jax.vmap(jax.grad(loss), (0, None))(rows, x), jax.vmap(jax.grad(reference), (0, None))(rows, x))
        close(jax.jit(jax.hessian(loss))(w, x), jax.hessian(reference)(w, x))
        close(jax.jvp(loss, (w, x), (x, w)), jax.jvp(reference, (w, x), (x, w)))

    def test_loops(self):
        w, x = array(100), array(100)

        def descend(f):
            return jax.jit(lambda w: jax.lax.fori_loop(0, 50, lambda _, w: w - 0.01 * jax.grad(f)(w, x), w))(w)
        close(descend(loss), descend(reference))

    def test_platforms(self):
        w = array(5)
        with self.assertRaisesRegex(ValueError, "compiled for the back end cuda"):
            loss(jax.device_put(w, cpu), jax.device_put(w, cpu))
        c = raido.jax.wrap(raido.compile(os.path.join(HERE, "gpu.fut"), cflags="-O1 -std=c11").loss)
        with self.assertRaisesRegex(ValueError, "compiled for the back end c"):
            c(w, w)
        both = raido.jax.wrap(raido.compile(os.path.join(HERE, "gpu.fut"), backend="auto",
                                            cflags="-O1 -std=c11").loss)
        for device in (cpu, gpu):
            v = jax.device_put(w, device)
            close(jax.grad(both)(v, v), jax.grad(reference)(v, v))

    def test_many(self):
        w, x = array(1000), array(1000)
        f = jax.jit(jax.grad(loss))
        want = jax.grad(reference)(w, x)
        for _ in range(200):
            got = f(w, x)
        close(got, want)


if __name__ == "__main__":
    unittest.main()
