"""raido.jax: what JAX does with a function of Raido."""
import copy
import os
import pickle
import unittest

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
import jax
import jax.numpy as jnp
import numpy as np

import raido
import raido.jax

jax.config.update("jax_enable_x64", True)
HERE = os.path.dirname(os.path.abspath(__file__))
m = raido.compile(os.path.join(HERE, "program.fut"), cflags="-O1 -std=c11")
f, lin = raido.jax.wrap(m.loss), raido.jax.wrap(m.lin)
rng = np.random.default_rng(1)
w, x = jnp.array(rng.standard_normal(4)), jnp.array(rng.standard_normal(4))
W, a = jnp.array(rng.standard_normal((6, 4))), jnp.array(rng.standard_normal((3, 4)))


def r(w, x):
    return jnp.sum(jnp.sin(w * x) + w * w * x)


def rlin(a, v, s, k):
    return s * (a * v * v).sum(1), s * k * v.sum()


class Transformations(unittest.TestCase):
    def same(self, make, *args, ours=f, theirs=r):
        got, want = make(ours)(*args), make(theirs)(*args)
        for p, q in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
            np.testing.assert_allclose(p, q, rtol=1e-9, atol=1e-12)

    def test_first(self):
        self.same(lambda f: f, w, x)
        self.same(jax.jit, w, x)
        self.same(jax.grad, w, x)
        self.same(lambda f: jax.grad(f, (0, 1)), w, x)
        self.same(lambda f: lambda w, x: jax.jvp(f, (w, x), (x, w)), w, x)

    def test_rows(self):
        self.same(lambda f: jax.vmap(f, (0, None)), W, x)
        self.same(lambda f: jax.vmap(f, (1, None)), W.T, x)
        self.same(lambda f: jax.vmap(jax.grad(f), (0, None)), W, x)
        self.same(lambda f: jax.grad(lambda x: jax.vmap(f, (0, None))(W, x).sum()), x)

    def test_second(self):
        self.same(lambda f: jax.jit(jax.vmap(jax.hessian(f), (0, None))), W, x)
        self.same(lambda f: jax.jacrev(jax.jacrev(f)), w, x)
        self.same(lambda f: jax.jacfwd(jax.jacfwd(f)), w, x)

    def test_several_results(self):
        args = (a, w, 1.5, 3)
        self.same(lambda f: jax.jacrev(f, (0, 1, 2)), *args, ours=lin, theirs=rlin)
        self.same(lambda f: jax.jacfwd(f, (0, 1, 2)), *args, ours=lin, theirs=rlin)

    def test_two_sweeps(self):
        """Reverse mode keeps what the backward pass needs, and its derivatives are still right."""
        program = raido.compile(os.path.join(HERE, "sweeps.fut"), cflags="-O1 -std=c11")
        layer, theirs = raido.jax.wrap(program.layer), lambda a, w: jnp.tanh(a @ w)
        self.assertIn("split(w+x)_fwd", str(jax.make_jaxpr(jax.grad(lambda a, w: layer(a, w).sum(), (0, 1)))(a, w)))
        for case in (lambda f: jax.jacrev(f, (0, 1)), lambda f: jax.jit(jax.jacrev(f)), lambda f: jax.jacfwd(f, (0, 1)),
                     lambda f: jax.grad(lambda a, w: jnp.sin(f(a, w)).sum(), (0, 1)),
                     lambda f: jax.hessian(lambda a, w: jnp.sin(f(a, w)).sum(), 1),
                     lambda f: jax.grad(lambda a, w: jax.grad(lambda w: jnp.sin(f(a, w)).sum())(w).sum(), 0),
                     lambda f: lambda a, w: jax.vmap(jax.grad(lambda a, w: f(a, w).sum(), (0, 1)), (None, 0))(
                         a, jnp.stack([w, w + 1]))):
            self.same(case, a, w, ours=layer, theirs=theirs)
        mixed, indices = raido.jax.wrap(program.mixed), jnp.array([1, 0, 2, 2])

        def rmixed(s, indices, x):
            t = jnp.exp(s * x.sum())
            z = jnp.cumsum(x[indices] * t)
            return z.max(), z * t, indices + 1
        self.same(lambda f: jax.grad(lambda s, x: f(s, indices, x)[1].sum(), (0, 1)), 0.3, w, ours=mixed, theirs=rmixed)
        self.same(lambda f: lambda w: jax.jvp(lambda x: f(0.3, indices, x)[1], (w,), (x,)), w, ours=mixed, theirs=rmixed)
        # sizes that XLA cannot know: the backward pass begins anew
        steps = raido.jax.wrap(program.steps)
        self.same(lambda f: jax.grad(lambda x: f(3, x).sum()), w, ours=steps, theirs=lambda k, x:
                  jnp.sin(jnp.sin(jnp.sin(x) * 1.1) * 1.1) * 1.1)

    def test_loops(self):
        def scanned(f):
            step = lambda c, t: (c * 0.5 + f(c * t, x) * 0.01, f(c, x))
            return lambda w: jax.lax.scan(step, w, jnp.arange(3.0))
        self.same(scanned, w)
        self.same(lambda f: jax.grad(lambda w: scanned(f)(w)[0].sum()), w)

    def test_recomputation(self):
        nothing = jax.checkpoint_policies.nothing_saveable
        for keep in (jax.checkpoint, lambda f: jax.checkpoint(f, policy=nothing)):
            self.same(lambda f: jax.jit(jax.grad(keep(lambda w, x: jnp.sin(f(w, x))))), w, x)
            self.same(lambda f: jax.grad(lambda w: jax.lax.scan(
                keep(lambda c, _: (c - 0.01 * f(c, x) * c, None)), w, None, length=5)[0].sum()), w)
        self.same(lambda f: jax.grad(lambda w: jax.lax.cond(w[0] > 9, lambda w: f(w, x), lambda w: f(x, w), w)), w)
        self.same(lambda f: lambda W: jax.lax.map(lambda w: f(w, x), W), W)
        self.same(lambda f: lambda w: jax.linearize(lambda w: f(w, x), w)[1](w), w)
        with jax.disable_jit():
            self.same(jax.grad, w, x)

    def test_integers(self):
        """Their tangents have the dtype float0."""
        none = np.zeros((), jax.dtypes.float0)
        _, tangents = jax.jvp(lambda k: lin(a, w, 1.5, k), (3,), (none,))
        np.testing.assert_array_equal(tangents[0], 0)
        _, back = jax.vjp(lambda k: lin(a, w, 1.5, k), 3)
        self.assertEqual(back((jnp.ones(3), 1.0))[0].dtype, jax.dtypes.float0)
        self.assertEqual(jax.grad(lambda k: lin(a, w, 1.5, k)[1], allow_int=True)(3).dtype, jax.dtypes.float0)
        np.testing.assert_allclose(jax.vmap(lambda k: lin(a, w, 1.5, k)[1])(jnp.arange(3)), 1.5 * jnp.arange(3) * w.sum())

    def test_objects(self):
        for g in (pickle.loads(pickle.dumps(f)), copy.deepcopy(f)):
            self.same(jax.grad, w, x, ours=g)
        self.same(lambda f: f, w[:0], x[:0])
        self.same(lambda f: jax.jit(lambda w: f(w, x)), w)
        np.testing.assert_allclose(f(w, x=x), r(w, x))
        np.testing.assert_allclose(jax.pmap(jax.grad(lambda w: f(w, x)))(W[:2]), jax.vmap(jax.grad(r), (0, None))(W[:2], x))

    def test_varying(self):
        """Inside of shard_map, which follows along which axes a value varies."""
        from jax.sharding import Mesh, PartitionSpec as P

        def total(f):
            def part(rows, x):
                return jax.lax.psum(jax.vmap(f, (0, None))(rows, x).sum(), "i")
            return jax.shard_map(part, mesh=Mesh(np.array(jax.devices()), ("i",)), in_specs=(P("i"), P()), out_specs=P())
        self.same(total, W, x)
        self.same(lambda f: jax.jit(jax.grad(total(f), (0, 1))), W, x)

    def test_sharding(self):
        from jax.sharding import Mesh, PartitionSpec as P
        mesh = Mesh(np.array(jax.devices()), ("i",))
        n = len(jax.devices())

        def total(w, x):                # each device has some of the rows
            def part(rows, x):
                return jax.lax.psum(jax.vmap(f, (0, None))(rows, x).sum(), "i")
            return jax.shard_map(part, mesh=mesh, in_specs=(P("i"), P()), out_specs=P(), check_vma=False)(w, x)
        self.assertEqual(n, 2)
        np.testing.assert_allclose(jax.jit(total)(W, x), jax.vmap(r, (0, None))(W, x).sum())


class Errors(unittest.TestCase):
    def test_rules_that_are_not_linear(self):
        for rule in (lambda p, t: (f(*p), jax.jvp(f, t, p)[1]),
                     lambda p, t: (f(*p), jax.grad(f)(*t) @ p[0])):
            g = jax.custom_jvp(lambda w, x: f(w, x))
            g.defjvp(rule)
            with self.assertRaisesRegex(TypeError, "^raido_loss: .*linear"):
                jax.grad(g)(w, x)

    def test_arguments(self):
        gone = w + 1
        gone.delete()
        with self.assertRaisesRegex(ValueError, "^loss: argument w was deleted or donated"):
            m.loss(gone, x)
        with self.assertRaisesRegex(TypeError, r'should be of dtype float64, not float32: use astype\("float64"\)'):
            jax.jit(f)(w.astype(jnp.float32), x)
        with jax.enable_x64(False), self.assertRaisesRegex(TypeError, '^loss: .* not float32: .*"jax_enable_x64", True'):
            jax.grad(f)(jnp.ones(2), jnp.ones(2))
        with self.assertRaisesRegex(ValueError, "has size 3, but n is 4"):
            f(w, x[:3])
        with self.assertRaisesRegex(TypeError, "argument x is missing"):
            f(w)
        with self.assertRaisesRegex(TypeError, "there is no argument y"):
            f(w, y=x)
        with self.assertRaisesRegex(TypeError, r"k should be an integer \(i64\)"):
            lin(a, w, 1.5, 3.0)
        with self.assertRaisesRegex(TypeError, "float64, not bfloat16"):
            f(w.astype(jnp.bfloat16), x)
        with jax.debug_nans(True), self.assertRaises(FloatingPointError):
            f(w * jnp.inf, x)
        with self.assertRaisesRegex(NotImplementedError, "depends on values"):
            raido.jax.wrap(m.positive)(jnp.arange(3, dtype=jnp.int32))

    def test_program(self):
        at = raido.jax.wrap(m.at)
        with self.assertRaisesRegex(Exception, "out of bounds"):
            at(jnp.ones(3, jnp.float32), 7).block_until_ready()
        self.assertEqual(at(jnp.ones(3, jnp.float32), 2), 1)

    def test_closed(self):
        def make():
            return raido.compile("entry f [n] (xs: [n]f64) : [n]f64 = map (+ 1) xs", cflags="-O0 -std=c11")
        first = make()
        f = raido.jax.wrap(first.f)
        self.assertEqual(f(jnp.ones(2)).tolist(), [2, 2])
        first.close()
        with self.assertRaisesRegex(Exception, "the module is closed"):
            f(jnp.ones(2)).block_until_ready()
        self.assertEqual(raido.jax.wrap(make().f)(jnp.ones(2)).tolist(), [2, 2])

    def test_not_wrapped(self):
        with self.assertRaisesRegex(TypeError, "w is traced by JAX: use raido.jax.wrap"):
            jax.jit(m.loss)(jnp.ones(2), jnp.ones(2))
        for bad, error in ((None, ValueError), (2**70, OverflowError)):
            with self.assertRaisesRegex(error, "at: argument i"):
                raido.jax.wrap(m.at)(jnp.ones(2, jnp.float32), bad)

    def test_consumed(self):
        one = raido.jax.wrap(m.first_one)
        np.testing.assert_array_equal(one(w)[1:], w[1:])
        self.assertNotEqual(w[0], 1)


class Sharding(unittest.TestCase):
    """Rows on two devices stay there, in functions made by vmap and their derivatives."""

    def check(self, g, *args):
        compiled = jax.jit(g).lower(*args).compile()
        self.assertNotIn("all-gather", compiled.as_text())
        got, want = jax.jit(g)(*args), g(*[np.asarray(a) for a in args])
        jax.tree.map(np.testing.assert_allclose, got, want)

    def test_rows(self):
        mesh = jax.sharding.Mesh(np.array(jax.devices()), ("data",))
        rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
        sharded = jax.device_put(W, rows)
        each = jax.vmap(f, (None, 0))
        self.check(each, w, sharded)
        self.check(lambda w, xs: jnp.sum(each(w, xs)), w, sharded)
        self.check(jax.grad(lambda w, xs: jnp.sum(each(w, xs) ** 2)), w, sharded)
        self.check(jax.grad(lambda w, xs: jnp.sum(each(w, xs)), (0, 1)), w, sharded)
        self.check(jax.vmap(jax.grad(f), (None, 0)), w, sharded)
        self.check(lambda w, xs: jax.jvp(each, (w, xs), (2 * w, xs)), w, sharded)


if __name__ == "__main__":
    unittest.main()
