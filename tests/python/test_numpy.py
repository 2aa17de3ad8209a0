"""Calls with NumPy: values, derivatives, memory, errors, threads, processes, the cache."""
import array
import ast
import collections
import copy
import gc
import inspect
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import raido

HERE = os.path.dirname(os.path.abspath(__file__))
m = raido.compile(os.path.join(HERE, "program.fut"), cflags="-O1 -std=c11")
rng = np.random.default_rng(1)
w, x = rng.standard_normal(4), rng.standard_normal(4)


def resident():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Values(unittest.TestCase):
    def test_call(self):
        self.assertAlmostEqual(m.loss(w, x), np.sum(np.sin(w * x) + w * w * x))
        self.assertAlmostEqual(m.loss(x=x, w=w), m.loss(w, x))
        a = rng.standard_normal((3, 4))
        rows, total = m.lin(a, w, 1.5, 3)
        np.testing.assert_allclose(rows, 1.5 * (a * w * w).sum(1))
        self.assertAlmostEqual(total, 4.5 * w.sum())
        self.assertEqual(m.positive(np.array([1, -1, 2], np.int32)).tolist(), [1, 2])
        self.assertEqual(m.table(2).tolist(), [[0, 0, 0], [0, 1, 2]])

    def test_kinds(self):
        self.assertEqual(m.kinds(-3, 65534, 3.0, 5, True), (-2, 65535, 1.5, 2.5, False))
        self.assertEqual(m.kinds(np.int8(1), np.uint16(1), np.float16(1), np.float32(1), np.bool_(False)),
                         (2, 2, 0.5, 0.5, True))
        for c in (0.0, 6e-8, 65504.0, 1e-5, 0.1, 2049.0, float("inf")):
            self.assertEqual(m.kinds(0, 0, c, 0, True)[2], float(np.float16(c) / np.float16(2)))

    def test_structures(self):
        value, rest = m.model({"w": w, "b": 2.0}, (3.0, 1))
        self.assertAlmostEqual(value, w.sum() * 6)
        np.testing.assert_allclose(rest["y"], w + 3)
        _, (by_b, by_w) = m.model.value_and_grad(wrt="p")({"w": w, "b": 2.0}, (3.0, 1))
        self.assertAlmostEqual(by_b, w.sum() * 3)
        np.testing.assert_allclose(by_w, np.full(4, 6.0))
        with self.assertRaisesRegex(TypeError, "dict with the keys b, w"):
            m.model({"w": w}, (3.0, 1))

    def test_lists_and_others(self):
        self.assertEqual(m.same([1, 2.5]).tolist(), [1, 2.5])
        self.assertEqual(m.same(memoryview(np.ones(2))).tolist(), [1, 1])
        self.assertEqual(m.same(range(3)).tolist(), [0, 1, 2])
        for t in ((), (1.0,), (1.0, 2.0), (1, 2, 3)):           # no arguments of numpy.array
            self.assertEqual(m.same(t).tolist(), list(t))
        with self.assertRaisesRegex(TypeError, "xs is a list of <U1"):
            m.same(("1", "2"))

    def test_bools_of_other_bytes(self):
        """Programs rely on 0 and 1, for indices too; others are true."""
        for n in (1, 7, 8, 9, 30):
            odd = np.zeros(n, np.uint8)
            odd[n // 2:] = 255
            odd[-1] = 2
            flags, want = odd.view(bool), odd != 0
            copies = raido.copies()
            for f in (flags, flags[::-1]):
                total, negated = m.flags(f, flags[-1])
                self.assertEqual(total, 1000 * want.sum() + 1)
                self.assertEqual(negated.view("u1").tolist(), [0 if x else 1 for x in (want if f is flags else want[::-1])])
            self.assertGreater(raido.copies(), copies)
            with self.assertRaisesRegex(ValueError, "neither 0 nor 1, and copy=False"):
                m.flags(flags, True, copy=False)
            self.assertEqual(odd[-1], 2)
            want[0] = True
            self.assertEqual(m.set_flag(flags).view("u1").tolist(), want.astype(int).tolist())
            self.assertEqual(m.set_flag(raido.donate(flags)).view("u1").tolist(), want.astype(int).tolist())

    def test_kinds_of_arrays(self):
        """Arrays of other classes count as what is in them; what is not there is an error."""
        class Derived(np.ndarray):
            pass

        class Frame:
            def __array__(self, dtype=None, copy=None):
                return w
        fixed = w.copy()
        fixed.flags.writeable = False
        for other in (w.view(Derived), np.ma.array(w), np.ma.array(w, mask=False), fixed, Frame(), array.array("d", w)):
            got = m.same(other)
            self.assertIs(type(got), np.ndarray)
            self.assertTrue(got.flags.writeable)
            np.testing.assert_array_equal(got, w)
        with self.assertRaisesRegex(ValueError, "xs has masked elements"):
            m.same(np.ma.array(w, mask=[0, 1, 0, 0]))
        with self.assertRaisesRegex(ValueError, "s has masked elements"):
            m.lin(np.ones((2, 2)), np.ones(2), np.ma.masked, 1)
        for s, k in ((np.float64(2), np.int64(3)), (np.float32(2), np.uint8(3)), (np.array(2.0), np.array(3)), (2, True + 2)):
            self.assertEqual(m.lin(np.ones((2, 2)), np.ones(2), s, k)[1], 12)
        for bad in (None, "abc", b"abc", {1.0}, (i for i in range(3)), w.astype(">f8"), w.astype(np.float16), {}):
            with self.assertRaisesRegex(TypeError, "xs should be (of|an array of) dtype float64"):
                m.same(bad)
        for bad in ([[1], [2, 3]], np.array(1.0)):
            with self.assertRaisesRegex(ValueError, "same: argument xs"):
                m.same(bad)
        for bad in (["1"], [None], [1j], [object()]):           # nothing is read as a number that is none
            with self.assertRaisesRegex(TypeError, "same: argument xs is a list of"):
                m.same(bad)
        self.assertEqual(m.positive([]).tolist(), [])
        with self.assertRaisesRegex(TypeError, "xs is a list of float64, and should be one of int32"):
            m.positive([1.5])
        with self.assertRaisesRegex(OverflowError, "positive: argument xs"):
            m.positive([1 << 40])
        for bad in (np.complex128(1), np.complex64(1), np.array(1j), np.array("1"), "1", None):
            with self.assertRaisesRegex(TypeError, "s should be a number"):
                m.lin(np.ones((2, 2)), np.ones(2), bad, 1)
        with self.assertRaisesRegex(OverflowError, "s does not fit in f64"):
            m.lin(np.ones((2, 2)), np.ones(2), 10**400, 1)
        for bad in (None, [], 0, np.int8(1)):
            with self.assertRaisesRegex(TypeError, "e should be a bool"):
                m.kinds(0, 0, 0, 0, bad)
        self.assertFalse(m.kinds(0, 0, 0, 0, np.array(True))[4])
        with self.assertRaisesRegex(ValueError, "out= should have a contiguous array"):
            m.same(w, out=fixed)
        with self.assertRaisesRegex(ValueError, "cannot be written to"):
            m.first_one(raido.donate(fixed))

    def test_empty(self):
        self.assertEqual(m.loss(np.empty(0), np.empty(0)), 0)
        self.assertEqual(m.same(np.empty(0)).shape, (0,))
        self.assertEqual(m.lin(np.empty((0, 4)), w, 1.0, 1)[0].shape, (0,))


FORMS = """
type point = {x: f64, y: f64}
type shape = #circle f64 | #square f64 f64
entry norm (p: point) : f64 = p.x * p.x + p.y * p.y
entry area (s: shape) : f64 = match s case #circle r -> 3 * r * r case #square a b -> a * b
entry circle (r: f64) : shape = #circle r
entry sum_of [n] (ps: [n]point) : f64 = f64.sum (map (\\p -> p.x + 2 * p.y) ps)
entry moved [n] (ps: [n](point, i32)) (by: f64) : [n](point, i32) = map (\\(p, k) -> (p with x = p.x + by, k)) ps
entry square [n] (a: [n][n]f64) : f64 = f64.sum (flatten a)
entry two [n] (xs: [n]f64) : ([n]f64, [n]f64) = (map (+ 1) xs, map (* 2) xs)
entry count [n] (text: [n]u8) : i64 = i64.sum (map (\\c -> i64.bool (c == 'a')) text)
entry shapes (n: i64) : []shape = map (\\i -> #circle (f64.i64 i)) (iota n)
entry added (xs: []f64) (ys: []f64) : []f64 = map2 (+) xs ys
entry deep (p: (f64, (i32, {a: [2]f64}))) : f64 = p.0 + f64.sum p.1.1.a
"""


class Forms(unittest.TestCase):
    """Values that are not flat, and what is said of those that do not fit."""
    @classmethod
    def setUpClass(cls):
        cls.m = raido.compile(FORMS, cflags="-O1 -std=c11")

    def test_records(self):
        point = collections.namedtuple("point", "y x")
        for p in ({"x": 3.0, "y": 4.0}, collections.UserDict(x=3.0, y=4.0), point(4.0, 3.0)):
            self.assertEqual(self.m.norm(p), 25)
        self.assertEqual(self.m.norm.grad("p.x")({"x": 3.0, "y": 4.0}), 6)

    def test_arrays_of_records(self):
        xs = np.arange(3.0)
        self.assertEqual(self.m.sum_of({"x": xs, "y": xs}), 9)
        points = np.zeros(3, dtype=[("y", "f8"), ("x", "f8")])
        points["y"] = xs
        self.assertEqual(self.m.sum_of(points), 6)
        p, k = self.m.moved(({"x": xs, "y": xs}, np.arange(3, dtype=np.int32)), 2.0)
        self.assertEqual((p["x"].tolist(), p["y"].tolist(), k.tolist()), ([2, 3, 4], [0, 1, 2], [0, 1, 2]))
        self.assertEqual([g.tolist() for g in self.m.sum_of.grad()({"x": xs, "y": xs})], [[1, 1, 1], [2, 2, 2]])

    def test_sums(self):
        s = self.m.circle(2.0)
        self.assertEqual(repr(s), "<raido value of type (#circle f64 | #square f64 f64)>")
        self.assertEqual(self.m.area(s), 12)
        for same in (pickle.loads(pickle.dumps(s)), copy.deepcopy(s)):
            self.assertEqual(self.m.area(same), 12)
        several = self.m.shapes(3)
        self.assertEqual(repr(several), "<raido value of type [](#circle f64 | #square f64 f64)>")
        with self.assertRaisesRegex(TypeError, r"s should be a value of type \(#circle .*not .* \[\]\(#circle"):
            self.m.area(several)
        # of another type, with the same flat values
        other = raido.compile("entry f : #a f64 | #b f64 f64 | #c = #c", cflags="-O0 -std=c11").f()
        self.assertEqual(len(other), len(s))
        for odd in (other, tuple(s), None):
            with self.assertRaisesRegex(TypeError, r"s should be a value of type \(#circle .*not .*(#c\)|class)"):
                self.m.area(odd)

    def test_texts(self):
        self.assertEqual(self.m.count(b"banana"), 3)
        self.assertEqual(self.m.count(bytearray(b"banana")), 3)

    def test_names(self):
        self.assertTrue("norm" in self.m and "nothing" not in self.m)
        self.assertEqual(list(self.m), sorted(f.name for f in self.m.functions()))

    def test_errors(self):
        xs = np.ones(3)
        for error, text, call in (
                (TypeError, "^norm: argument p should be a dict with the keys x, y, not one with x$", lambda: self.m.norm({"x": 1.0})),
                (TypeError, "^norm: argument p.y should be a number", lambda: self.m.norm({"x": 1.0, "y": 1j})),
                (TypeError, "^area: argument s should be a value of type .* not <class .tuple.> of 3", lambda: self.m.area((0, 1.0, 1.0))),
                (TypeError, "^deep: argument p.1 should be a tuple of 2, not <class 'int'>", lambda: self.m.deep((1.0, 2))),
                (ValueError, "^deep: argument p.1.1.a has size 3", lambda: self.m.deep((1.0, (2, {"a": xs})))),
                (ValueError, "a has size 2 in dimension 1, but n .of a. is 3", lambda: self.m.square(np.ones((3, 2)))),
                (ValueError, "ps.y has size 2 in dimension 0, but n .of ps.x. is 3", lambda: self.m.sum_of({"x": xs, "y": xs[1:]})),
                (ValueError, "ys has size 2 in dimension 0, but dimension 0 of xs has size 3$", lambda: self.m.added(xs, xs[1:])),
                (TypeError, "xs should be an array of dtype float64, not <class 'int'>$", lambda: self.m.two(3)),
                (ValueError, "out= should be a tuple of 2 arrays", lambda: self.m.two(xs, out=[xs, xs])),
                (ValueError, "out= for result 1 has size 2 in dimension 0, not 3", lambda: self.m.two(xs, out=(xs + 1, xs[1:] + 1))),
                (TypeError, "bytes are in another order: use astype", lambda: self.m.two(xs.astype(">f8"))),
                (raido.CompileError, "^grad of norm: it has no argument q: they are p.x, p.y", lambda: self.m.norm.grad("q")),
                (raido.CompileError, "paths end in .fut", lambda: raido.compile("model")),
                (ValueError, "threads should be a number", lambda: raido.compile(FORMS, threads="2"))):
            with self.assertRaisesRegex(error, text):
                call()


class Sweeps(unittest.TestCase):
    """Derivatives in two calls, with what the first keeps for the second."""
    arguments = {
        "layer": (rng.standard_normal((3, 4)), w),
        "two_layers": (rng.standard_normal((3, 4)), rng.standard_normal((2, 3)), rng.standard_normal((5, 4))),
        "elementwise": (w,), "root": (w,), "steps": (3, w), "in_place": (7, w),
        "mixed": (0.3, np.array([1, 0, 2, 2]), w), "half": (rng.standard_normal(8),), "branches": (True, w),
        "overwritten": (w,),
    }

    @classmethod
    def setUpClass(cls):
        cls.program = os.path.join(HERE, "sweeps.fut")
        cls.m = raido.compile(cls.program, cflags="-O1 -std=c11")

    def compare(self, f, args):
        y, back = f.pullback()(*args)
        ys = y if isinstance(y, tuple) else (y,)
        want = f(*args)
        for a, b in zip(ys, want if isinstance(want, tuple) else (want,)):
            np.testing.assert_allclose(a, b)
        cts = [rng.standard_normal(a.shape) if np.ndim(a) else 0.7 for a in ys if np.asarray(a).dtype == np.float64]
        want = f.vjp(*args, *cts)
        for _ in range(2):
            got = back(*cts)
            for a, b in zip(got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,)):
                np.testing.assert_allclose(a, b)

    def test_derivatives(self):
        for name, args in self.arguments.items():
            with self.subTest(name):
                self.compare(self.m[name], args)
        self.compare(self.m.branches, (False, w))

    def test_threads(self):
        multicore = raido.compile(self.program, "multicore", cflags="-O0 -std=c11", threads=2)
        for name in ("two_layers", "mixed", "steps"):
            with self.subTest(name):
                self.compare(multicore[name], self.arguments[name])

    def test_rows(self):
        """The two sweeps for rows of the float arguments that are arrays: one derivative for each row."""
        for name, args in self.arguments.items():
            f = self.m[name]
            rows = [i for i, v in enumerate(f.info["inputs"]) if v[1] == "f64" and v[2]][-1:]
            with self.subTest(name):
                forward, backward = f.sweeps(rows=[f.info["inputs"][i][0] for i in rows])
                many = [rng.standard_normal((3, *a.shape)) if i in rows else a for i, a in enumerate(args)]
                got = forward(*many)
                got = got if isinstance(got, tuple) else (got,)
                n = len(f.info["outputs"])
                cts = [rng.standard_normal(y.shape) for y in got[:n] if y.dtype == np.float64]
                adjoints = backward(*many, *[got[k] for k in backward.info["saved"]], *cts)
                adjoints = adjoints if isinstance(adjoints, tuple) else (adjoints,)
                for k in range(3):
                    one = [a[k] if i in rows else a for i, a in enumerate(many)]
                    want = f.vjp2(*one, *[ct[k] if ct.ndim > 1 else float(ct[k]) for ct in cts])
                    for a, b in zip((*got[:n], *adjoints), want):
                        np.testing.assert_allclose(a[k], b)

    def test_what_is_kept(self):
        def residuals(name):
            forward, backward = self.m[name].sweeps()
            return forward.info["residuals"], backward.info["saved"]
        self.assertEqual(residuals("elementwise"), (0, []))     # less work than memory
        self.assertEqual(residuals("layer"), (1, [1]))          # the products, not the matrix
        forward, backward = self.m.layer.sweeps("w")
        self.assertIn("r0: [n]f64", backward.signature)
        live = self.m.memory()["live"]
        got = forward(np.ones((1 << 17, 2)), np.ones(2))
        self.assertEqual(self.m.memory()["live"] - live, 2 << 20)
        del got
        self.assertEqual(self.m.memory()["live"], live)

    def test_some_arguments(self):
        args = self.arguments["layer"]
        y, back = self.m.layer.pullback(wrt="x")(*args)
        ct = np.ones(3)
        np.testing.assert_allclose(back(ct), self.m.layer.by("x").vjp(*args, ct))
        again = pickle.loads(pickle.dumps(self.m.layer.pullback("x")))
        np.testing.assert_allclose(again(*args)[1](ct), back(ct))

    def test_what_cannot_be(self):
        with self.assertRaisesRegex(raido.CompileError, "sizes of its results are not known"):
            self.m.unknown.pullback()
        with self.assertRaisesRegex(raido.CompileError, "only map may come after split"):
            self.m.layer.derive("split", "vjp")
        with self.assertRaises(ValueError):
            self.m.layer.pullback()(*self.arguments["layer"])[1](np.ones(7))


class Derivatives(unittest.TestCase):
    gradient = np.cos(w * x) * x + 2 * w * x

    def test_gradient(self):
        value, g = m.loss.value_and_grad(wrt="w")(w, x)
        self.assertAlmostEqual(value, m.loss(w, x))
        np.testing.assert_allclose(g, self.gradient)
        by_w, by_x = m.loss.grad()(w, x)
        np.testing.assert_allclose(by_w, self.gradient)
        np.testing.assert_allclose(by_x, np.cos(w * x) * w + w * w)

    def test_products(self):
        v = rng.standard_normal(4)
        np.testing.assert_allclose(m.loss.by("w").vjp(w, x, 2.0), 2 * self.gradient)
        value, t = m.loss.by("w").jvp(w, x, v)
        self.assertAlmostEqual(t, self.gradient @ v)
        np.testing.assert_allclose(m.loss.by("w").hvp(w, x, v), (-np.sin(w * x) * x * x + 2 * x) * v)

    def test_rows(self):
        many = rng.standard_normal((5, 4))
        np.testing.assert_allclose(m.loss.vmap("w")(many, x), [m.loss(r, x) for r in many])

    def test_refused(self):
        with self.assertRaisesRegex(raido.CompileError, "no argument v"):
            m.loss.grad(wrt="v")
        with self.assertRaisesRegex(raido.CompileError, "not a single float; vjp"):
            m.same.grad()
        for method in ("grad", "value_and_grad", "pullback"):   # as in JAX, where they would be these of a function
            for values in ((w,), (w, x), ("w", x)):
                with self.assertRaisesRegex(TypeError, rf"by values of .*: {method} gives a function, f.{method}\(\)"):
                    getattr(m.loss, method)(*values)
            with self.assertRaisesRegex(TypeError, rf"several names are a tuple: {method}\(\('w', 'x'\)\)"):
                getattr(m.loss, method)("w", "x")
        with self.assertRaisesRegex(AttributeError, "by.* has vjp.*, not gradient"):
            m.loss.by("w").gradient()

    def test_shown(self):
        self.assertEqual(repr(m.loss.by("w")), f"<raido derivatives by w of {m.loss.signature}>")
        self.assertEqual(repr(m.loss.pullback("w")), f"<raido pullback(w) of {m.loss.signature}>")
        self.assertEqual(repr(raido.compile("")), "<raido module without entry points>")


class Memory(unittest.TestCase):
    def test_inputs_stay(self):
        xs = np.array([5.0, 6, 7])
        ys = m.first_one(xs)
        self.assertEqual((xs[0], ys.tolist()), (5, [1, 6, 7]))
        zs = m.same(xs)
        self.assertFalse(np.shares_memory(zs, xs))
        zs[0] = 9
        self.assertEqual(xs[0], 5)

    def test_donation(self):
        xs = np.array([5.0, 6, 7])
        ys = m.first_one(raido.donate(xs))
        self.assertEqual(ys.ctypes.data, xs.ctypes.data)
        self.assertEqual(ys.tolist(), [1, 6, 7])
        del xs
        gc.collect()
        self.assertEqual(ys.tolist(), [1, 6, 7])
        fixed = np.ones(3)
        fixed.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "cannot be written"):
            m.first_one(raido.donate(fixed))
        with self.assertRaisesRegex(ValueError, "not contiguous"):
            m.first_one(raido.donate(np.ones(6)[::2]))
        for first, second in ((raido.donate(ys), ys), (raido.donate(ys), raido.donate(ys[:3]))):
            with self.assertRaisesRegex(ValueError, "w is donated, but shares memory with argument x"):
                m.loss(first, second)

    def test_no_copies(self):
        before = raido.copies()
        xs = np.ones(1 << 20)
        m.same(xs)
        live = m.memory()["allocations"]
        for _ in range(10):
            m.same(xs)
        self.assertEqual((raido.copies(), m.memory()["allocations"]), (before, live))
        m.loss(w[::2], x[::2])
        self.assertEqual(raido.copies(), before + 2)
        with self.assertRaisesRegex(ValueError, "copy=False"):
            m.loss(w[::2], x[::2], copy=False)

    def test_out(self):
        xs, to = rng.standard_normal(5), np.zeros(5)
        self.assertIs(m.same(xs, out=to), to)
        np.testing.assert_array_equal(to, xs)
        a, rows = np.ones((3, 4)), np.zeros(3)
        got = m.lin(a, w, 1.0, 1, out=(rows, None))
        self.assertIs(got[0], rows)
        np.testing.assert_allclose(rows, (a * w * w).sum(1))
        for bad in (np.zeros(4), np.zeros(6), np.zeros(5, np.float32), np.zeros((5, 1)), xs, [1]):
            with self.assertRaises(ValueError):
                m.same(xs, out=bad)
        some, two = np.array([1, -2, 3], np.int32), np.zeros(2, np.int32)
        with self.assertRaisesRegex(ValueError, "positive: out=: a result has 8 bytes, but there is room for 12"):
            m.positive(some, out=np.zeros(3, np.int32))
        self.assertIs(m.positive(some, out=two), two)
        with self.assertRaises(ValueError):
            m.lin(a, w, 1.0, 1, out=rows)
        with self.assertRaisesRegex(ValueError, "result 0 is a number"):
            m.loss(w, w, out=np.zeros(()))
        with self.assertRaisesRegex(ValueError, "should have a contiguous array"):
            m.same(xs, out=np.zeros(5, ">f8"))
        with self.assertRaisesRegex(ValueError, "the same memory for results 0 and 1"):
            m.loss.vjp(w, x, 1.0, out=(to[:4], to[1:]))

    def test_results_outlive(self):
        other = raido.compile("entry f (n: i64) = iota n")
        a = other.f(1000)
        other.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            other.f(1)
        del other
        gc.collect()
        self.assertEqual(a.sum(), 499500)

    def test_limit(self):
        small = raido.compile("entry big (n: i64) : []u8 = replicate n 7", cache_limit=64 << 20)
        arrays = [small.big(32 << 20) for _ in range(8)]
        del arrays
        self.assertLessEqual(small.memory()["cached"], 64 << 20)
        small.clear()
        self.assertEqual((small.memory()["cached"], small.memory()["live"]), (0, 0))

    def test_many_calls(self):
        f, g = m.same, m.loss.by("w").vjp
        for _ in range(2000):
            f(w), g(w, x, 1.0)
        before = resident()
        for i in range(50000):
            f(w), g(w, x, 1.0)
            if i % 1000 == 0:
                try:
                    f(w.astype(np.float32))
                except TypeError:
                    pass
        self.assertLess(resident() - before, 2 << 20)


class Errors(unittest.TestCase):
    def refuses(self, error, text, call):
        with self.assertRaisesRegex(error, text):
            call()

    def test_arguments(self):
        self.refuses(TypeError, r'w should be of dtype float64, not float32: use astype\("float64"\)', lambda: m.loss(w.astype("f4"), x))
        self.refuses(TypeError, "dtype float64, not >f8", lambda: m.loss(w.astype(">f8"), x))
        self.refuses(TypeError, "dtype int32, not int64", lambda: m.positive(np.arange(3)))
        self.refuses(ValueError, "should have 1 dimension, not 2", lambda: m.loss(w[None], x))
        self.refuses(ValueError, "x has size 3 in dimension 0, but n .of w. is 4", lambda: m.loss(w, x[:3]))
        self.refuses(ValueError, "size 4 in dimension 0, not 5", lambda: m.fives(w, x))
        self.refuses(TypeError, "x is missing", lambda: m.loss(w))
        self.refuses(TypeError, "3 arguments", lambda: m.loss(w, x, x))
        self.refuses(TypeError, "no argument y", lambda: m.loss(w, y=x))
        self.refuses(TypeError, "given twice", lambda: m.loss(w, w=x))
        self.refuses(TypeError, "should be an integer", lambda: m.table(2.0))
        self.refuses(TypeError, "should be a number", lambda: m.lin(np.ones((3, 4)), w, "1", 1))
        self.refuses(OverflowError, "does not fit in i8", lambda: m.kinds(128, 0, 0, 0, True))
        self.refuses(OverflowError, "does not fit in u16", lambda: m.kinds(0, -1, 0, 0, True))
        self.refuses(TypeError, "should be a bool", lambda: m.kinds(0, 0, 0, 0, 1.5))
        self.refuses(TypeError, "dtype", lambda: m.same(np.array(["a"])))
        self.refuses(AttributeError, "no entry point nothing; there are at, big, ", lambda: m.nothing)
        self.refuses(KeyError, "no entry point nothing", lambda: m["nothing"])
        self.refuses(TypeError, "by their names, not by values of .*int", lambda: m.loss.grad(0))
        self.refuses(TypeError, "argument q is missing", lambda: m.model.value_and_grad("p")({"w": w, "b": 2.0}))
        self.assertEqual(str(inspect.signature(m.loss)), "(w, x)")
        for odd in (None, object(), "text", 3):
            with self.assertRaises((TypeError, ValueError)):
                m.same(odd)
        self.refuses(TypeError, "at least 2 arguments", raido._raido.Entry)

    def test_layouts(self):
        """Whatever is not in order is copied, or refused."""
        odd = np.frombuffer(bytearray(3) + w.tobytes(), np.uint8)[3:].view(np.float64)
        self.assertFalse(odd.flags.aligned)
        a = np.arange(6.0).reshape(2, 3)
        before = raido.copies()
        np.testing.assert_array_equal(m.same(odd), w)
        np.testing.assert_array_equal(m.same(w[::-1]), w[::-1])
        np.testing.assert_array_equal(m.same(np.broadcast_to(2.0, 3)), [2, 2, 2])
        for same in (np.asfortranarray(a), a.T.copy().T, np.arange(24.0).reshape(2, 12)[:, ::4]):
            np.testing.assert_allclose(m.lin(same, np.ones(3), 1.0, 1)[0], same.sum(1))
        self.assertEqual(raido.copies(), before + 6)
        for bad in (odd, w[::-1]):
            self.refuses(ValueError, "copy=False", lambda: m.same(bad, copy=False))
            self.refuses(ValueError, "is donated, but not contiguous", lambda: m.first_one(raido.donate(bad)))
        for dtype in (complex, np.longdouble, object, "M8[s]", "S3", bool):
            self.refuses(TypeError, "should be of dtype float64", lambda: m.same(np.zeros(2, dtype)))
        self.refuses(ValueError, "should have 1 dimension", lambda: m.same(np.matrix([1.0])))
        self.refuses(TypeError, "should be a number", lambda: m.lin(a, np.ones(3), np.ones(1), 1))
        self.refuses(TypeError, "should be an integer", lambda: m.table(float("nan")))
        self.refuses(TypeError, "donated, but no array", lambda: m.first_one(raido.donate([1.0])))
        self.refuses(ValueError, "overlaps", lambda: m.same(w[1:], out=w[:-1]))

    def test_closed(self):
        other = raido.compile("entry f [n] (xs: [n]f64) : [n]f64 = map (\\x -> x * x) xs")
        y, back = other.f.pullback()(w)
        other.close()
        for call in (lambda: other.f(w), lambda: other.f.vmap(), lambda: back(w)):
            self.refuses(RuntimeError, "the module is closed", call)
        np.testing.assert_array_equal(y, w * w)

    def test_program(self):
        self.refuses(raido.ProgramError, r"at: Index \[7\] out of bounds", lambda: m.at(np.ones(3, np.float32), 7))
        try:
            m.at(np.ones(3, np.float32), -1)
        except raido.ProgramError as e:
            self.assertIn("program.fut", str(e))
        self.assertEqual(m.at(np.ones(3, np.float32), 2), 1)
        self.refuses(MemoryError, "allocate", lambda: m.big(1 << 60))

    def test_compile(self):
        with self.assertRaises(raido.CompileError) as c:
            raido.compile("entry f (x: f64) = x\n\nentry g = y")
        self.assertEqual(c.exception.positions, [("<program>", 3, 11)])
        self.assertIn('Unknown name "y"', c.exception.text)
        self.refuses(ValueError, "no back end 'fpga'", lambda: raido.compile("entry f = 1i32", backend="fpga"))
        self.refuses(OSError, "", lambda: raido.load("/nonexistent.so"))
        self.refuses(FileNotFoundError, "", lambda: raido.compile("nonexistent.fut"))
        self.refuses(raido.CompileError, "not text in UTF-8", lambda: raido.compile("entry f = 1i32 -- \udcff"))
        for bad in ({"threads": -1}, {"cache_limit": -1}):
            self.refuses(ValueError, "negative", lambda: raido.compile("entry f = 1i32", **bad))

    def test_magic(self):
        from raido.magic import run_cell
        names = {}
        run_cell("prog", "entry square (x: i32) = x * x", names)
        self.assertEqual((names["square"](3), names["prog"].square(4)), (9, 16))
        for line, said in (("a b", "unexpected b"), ("--backend", "backend is followed by"), ("my-prog", "my-prog cannot be")):
            self.refuses(ValueError, said, lambda: run_cell(line, "", {}))
        with self.assertWarnsRegex(UserWarning, "no entry points"):
            run_cell("", "def f (x: i32) = x", names)


class Elsewhere(unittest.TestCase):
    def test_threads(self):
        wrong = []

        def work(k):
            for i in range(300):
                if m.same(np.full(50, k + i, float))[7] != k + i:
                    wrong.append(k)
        threads = [threading.Thread(target=work, args=(1000 * k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_at_once(self):
        """While a call goes on that never ends, another thread's calls of the same function come and go."""
        code = '''
import os, threading, time, numpy as np, raido
m = raido.compile("entry f (n: i64) : f64 = loop x = 0 for i < n do f64.sin (x + f64.i64 i)\\n"
                  "entry g [n] (xs: [n]f64) : [n]f64 = map (+ 1) xs", cflags="-O1 -std=c11")
threading.Thread(target=m.f, args=(1 << 60,), daemon=True).start()
while m.memory()["contexts"] == 0:
    time.sleep(0.001)
for n in range(100):
    m.f(n)
    m.g(np.ones(n))
print(m.memory()["contexts"], flush=True)
os._exit(0)
'''
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual((done.stdout, done.stderr), ("2\n", ""))

    def test_release_while_computing(self):
        m.slow(1)
        busy = False
        for _ in range(5):              # a machine may be busy with other things for as long as a call takes
            arrays = [m.big(1 << 20) for _ in range(8)]
            t = threading.Thread(target=m.slow, args=(30000000,))
            t.start()
            time.sleep(0.01)
            del arrays
            busy = busy or t.is_alive()
            t.join()
        self.assertTrue(busy)

    def test_brief_calls(self):
        """These keep the GIL; after one that was not brief others can go on again."""
        f = raido.compile("entry f (n: f64) : f64 = loop i = 0 while i < n do i + 1", cflags="-O1 -std=c11").f
        for _ in range(20):
            f(1.0)
        f(1e6)
        t = threading.Thread(target=f, args=(3e8,))
        t.start()
        n = 0
        while t.is_alive() and n < 100:
            n += 1
            time.sleep(0)
        self.assertEqual(n, 100)
        t.join()

    def test_interrupt(self):
        """Ctrl-C stops calls, with and without the GIL; if its handler raises nothing, they come to their end."""
        code = r'''
import os, signal, subprocess, threading, time, numpy as np, raido
signal.signal(signal.SIGINT, signal.default_int_handler)        # what runs in the background may ignore it
program = """
entry steps (n: i64) : f64 = loop x = 0 for i < n do f64.sin (x + f64.i64 i)
entry ends [n] (xs: [n]f64) : f64 = (loop (x, k) = (xs[0], 0i64) while x > 0 do (f64.abs (f64.sin x) + xs[1], k + 1)).0
"""
def soon():                                     # from outside: threads of this process wait for the GIL
    return subprocess.Popen(["sh", "-c", f"sleep 0.2; kill -INT {os.getpid()}"])
for backend in ("c", "multicore"):
    m = raido.compile(program, backend=backend, cflags="-O1 -std=c11")
    for _ in range(20):
        m.ends(np.array([1.0, -9.0]))           # brief calls keep the GIL
    for call in (lambda: m.steps(1 << 60), lambda: m.ends(np.ones(2))):
        sender = soon()
        try:
            call()
            raise SystemExit("no interrupt")
        except KeyboardInterrupt:
            sender.wait()
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    sender = soon()
    while not seen:
        assert m.steps(30000000) == m.steps(30000000)
    sender.wait()
    signal.signal(signal.SIGINT, before)
# while it waits for its turn
threading.Thread(target=m.steps, args=(1 << 60,), daemon=True).start()
time.sleep(0.1)
sender = soon()
try:
    m.steps(1)
    raise SystemExit("it did not wait")
except KeyboardInterrupt:
    sender.wait()
'''
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_fork(self):
        for backend in ("c", "multicore"):
            f = raido.compile("entry total [n] (xs: [n]f64) = f64.sum xs", backend=backend).total
            xs = np.ones(1000000)
            self.assertEqual(f(xs), 1e6)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                pid = os.fork()
            if pid == 0:
                os._exit(0 if f(xs) == 1e6 else 1)
            self.assertEqual(os.waitpid(pid, 0)[1], 0)

    def test_pickle(self):
        f = pickle.loads(pickle.dumps(m.loss.value_and_grad(wrt="w")))
        np.testing.assert_allclose(f(w, x)[1], Derivatives.gradient)
        self.assertEqual(pickle.loads(pickle.dumps(m)).loss(w, x), m.loss(w, x))
        self.assertEqual(pickle.loads(pickle.dumps(m.loss.vmap("w"))).signature, m.loss.vmap("w").signature)

    def test_imports_and_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            def put(name, text):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                    f.write(text)
            put("part.fut", "def two = 2i32")
            put("whole.fut", 'import "part"\nentry f (x: i32) = x * two')
            path = os.path.join(folder, "whole.fut")
            self.assertEqual(raido.compile(path).f(4), 8)
            put("part.fut", "def two = 3i32")
            self.assertEqual(raido.compile(path).f(4), 12)
            there = os.path.join(raido.cache_directory(), "v1")
            before = sorted(os.listdir(there))
            self.assertEqual(raido.compile(path).f(4), 12)
            self.assertEqual(sorted(os.listdir(there)), before)
            # errors are in files of the user's
            put("part.fut", "def two = 2i32\ndef at (xs: []i32) (i: i64) =\n  xs[i]")
            put("whole.fut", 'import "part"\nentry f (xs: []i32) = at xs 5')
            part = re.escape(os.path.join(folder, "part.fut"))
            with self.assertRaisesRegex(raido.ProgramError, part + ":3:3-8"):
                raido.compile(path).f(np.ones(3, np.int32))
            put("part.fut", "def at (xs: []i32) (i: i64) = xs[i] +\n  true")
            with self.assertRaisesRegex(raido.CompileError, "Error at " + part + ":2:3") as c:
                raido.compile(path)
            self.assertEqual(c.exception.positions, [(os.path.join(folder, "part.fut"), 2, 3)])

    def python(self, code, **env):
        return subprocess.run([sys.executable, "-c", "import raido, numpy as np\n" + code], capture_output=True, text=True,
                              env=dict(os.environ, **env), check=False)

    def test_places_of_the_cache(self):
        """With odd names, or where nothing can be put; what is not whole is not loaded."""
        call = "print(raido.compile('entry f (x: i32) = x + 1', cflags='-O0 -std=c11').f(2))"
        with tempfile.TemporaryDirectory() as folder:
            cache = os.path.join(folder, "a b'\"\n\u00fc")
            self.assertEqual(self.python(call, RAIDO_CACHE=cache).stdout, "3\n")
            made = os.path.join(cache, "v1", *os.listdir(os.path.join(cache, "v1")))
            for n in (0, 5000):
                os.truncate(made, n)
                self.assertEqual(self.python(call, RAIDO_CACHE=cache).stdout, "3\n")
                self.assertGreater(os.path.getsize(made), 5000)
            with open(made, "r+b") as f:        # as long as it was
                f.write(bytes(4000))
            self.assertEqual(self.python(call, RAIDO_CACHE=cache).stdout, "3\n")
            got = self.python(call, RAIDO_CACHE=made)
            self.assertEqual(got.stdout, "3\n")
            self.assertIn("compiled programs are not kept", got.stderr)
            full = ("import os, errno\nput = os.replace\ndef replace(a, b):\n if b.startswith(os.environ['RAIDO_CACHE']):\n"
                    "  raise OSError(errno.ENOSPC, 'No space left on device')\n put(a, b)\nos.replace = replace\n")
            got = self.python(full + call, RAIDO_CACHE=os.path.join(folder, "full"))
            self.assertEqual(got.stdout, "3\n")
            self.assertRegex(got.stderr, "(?s)<string>:9: .*are not kept: .*full/v1: No space left on device")
            self.assertEqual(os.listdir(os.path.join(folder, "full", "v1")), [])
            got = self.python("import os; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone'); " + call,
                              RAIDO_CACHE=os.path.join(folder, "new"))
            self.assertEqual(got.stdout, "3\n")

    def test_languages(self):
        """Programs and messages are UTF-8, whatever the language of the system."""
        code = "try: raido.compile('entry f = \\u00fc')\nexcept raido.CompileError as e: print(ascii(e.text))"
        got = self.python(code, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
        self.assertIn("Unexpected character '\\xfc'", got.stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gr\u00fc\u00df.fut")
            with open(path, "w", encoding="utf-8") as f:
                f.write("entry at [n] (x: [n]i32) (i: i32) = x[i]")
            code = (f"m = raido.compile(os.fsdecode({path.encode()!r}), cflags='-O0 -std=c11')\ntry: m.at([1], 3)\n"
                    "except raido.ProgramError as e: print(ascii(str(e)))")
            got = self.python("import os; " + code, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0",
                              RAIDO_CACHE=os.path.join(folder, "\u00fc"))
            self.assertIn("gr\\xfc\\xdf.fut:1:", got.stdout, got.stderr)

    def test_derived_once(self):
        other = raido.compile("entry f [n] (w: [n]f64) = f64.sum (map (** 2) w)", cflags="-O0 -std=c11")
        threads = [threading.Thread(target=other.f.grad) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(other._libraries), 2)

    def test_other_interpreters(self):
        try:
            import _xxsubinterpreters as others
        except ImportError:
            self.skipTest("there are none")
        one = others.create()
        with self.assertRaisesRegex(Exception, "main interpreter"):
            others.run_string(one, f"import sys; sys.path[:] = {sys.path!r}; import raido")
        others.destroy(one)
        with self.assertRaises(raido.ProgramError):
            m.at(np.ones(3, np.float32), 7)

    def test_stubs(self):
        """What type checkers read names the arguments that there are."""
        with open(os.path.join(os.path.dirname(raido.__file__), "__init__.pyi"), encoding="utf-8") as f:
            stubs = ast.parse(f.read())
        there = {n.name: n for n in stubs.body if hasattr(n, "name")}
        self.assertEqual(set(raido.__all__) - set(there), set())
        methods = [(getattr(raido, c.name, None), n) for c in there.values() if isinstance(c, ast.ClassDef)
                   for n in c.body if isinstance(n, ast.FunctionDef)]
        self.assertGreater(len(methods), 20)
        for owner, n in methods + [(raido, n) for n in there.values() if isinstance(n, ast.FunctionDef)]:
            f = getattr(owner, n.name, None)
            if not inspect.isfunction(f) or owner is raido._By:     # a property, or in C
                continue
            named = [p.name for p in inspect.signature(f).parameters.values()
                     if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
            self.assertEqual([a.arg for a in n.args.args + n.args.kwonlyargs], named, n.name)

    def test_light(self):
        code = "import sys, raido; print([n for n in ('numpy', 'torch', 'jax', 'subprocess') if n in sys.modules])"
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(out.stdout.strip(), "[]")

    def test_without_a_c_compiler(self):
        code = ("import raido, warnings, numpy as np; warnings.simplefilter('ignore'); "
                "m = raido.compile('entry f [n] (w: [n]f64) = f64.sum (map (**2) w)', backend='auto'); "
                "print(m.f(np.ones(3)), m.f.value_and_grad()(np.array([1., 2.])))")
        env = dict(os.environ, CC="/nonexistent/cc")
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)
        self.assertEqual((out.stdout.strip(), out.stderr), ("3.0 (5.0, array([2., 4.]))", ""))

    def test_interpreted_arguments(self):
        """What is taken and what is refused, and how, is as in compiled programs."""
        text = ("entry whole (x: i8) = x\nentry truth (x: bool) = x\nentry half (x: f16) = x\n"
                "entry f [n] (xs: [n]f64) (ys: [n]f64) = f64.sum xs + f64.sum ys\nentry bytes (s: []u8) = length s\n"
                "entry added (xs: []i32) (ys: []i32) = map2 (+) xs ys\nentry at (xs: []i32) (i: i64) = xs[i]\n")
        ones, masked = np.ones(2), np.ma.array([1.0, 2.0], mask=[0, 1])
        calls = (("whole", 128), ("whole", -129), ("whole", 1.0), ("whole", "5"), ("whole", None), ("whole", np.int64(500)),
                 ("whole", np.array([5])), ("whole", np.array(5)), ("whole",), ("whole", 1, 2), ("truth", 1),
                 ("truth", np.bool_(True)), ("truth", np.array([True])), ("half", "1"), ("half", 10 ** 400), ("half", 1j), ("half", 3),
                 ("f", [1, 2], (3, 4)), ("f", masked, ones), ("f", ones, np.ones(3)), ("f", 3, ones), ("f", "a", ones),
                 ("f", [[1], [2, 3]], ones), ("f", ones.astype(">f8"), ones), ("f", raido.donate(np.ones(2)), ones), ("f", ones[::-1], ones),
                 ("f", [1, "a"], ones), ("bytes", b"abc"), ("added", [1], [2, 3]), ("added", [1.5], [2]), ("added", [2 ** 31], [2]),
                 ("added", range(2), np.array([1, 2], dtype=np.int32)))

        def said(f, *args):
            try:
                return repr(f(*args))
            except Exception as e:      # pylint: disable=broad-except
                return f"{type(e).__name__}: {e}"
        ways = [raido.compile(text, backend="c", cflags="-O0 -std=c11"), raido.compile(text, backend="interpreter")]
        for name, *args in calls:
            compiled, interpreted = [said(getattr(m, name), *args) for m in ways]
            self.assertEqual(interpreted, compiled, (name, args))
        for m in ways:
            with self.assertRaisesRegex(TypeError, "there is no argument z"):
                m.whole(z=1)
            with self.assertRaisesRegex(TypeError, "argument x is given twice"):
                m.whole(1, x=1)
            with self.assertRaisesRegex(raido.ProgramError, "<program>:7:33-38"):
                m.at([1], 1)

    def test_interpreted_records(self):
        """There are none, and that is said."""
        other = raido.compile("entry f (x: {a: i32}) = x.a\nentry g (x: i32) = x", backend="interpreter")
        self.assertEqual(list(other), ["g"])
        with self.assertRaisesRegex(AttributeError, "f takes or gives records, .* interpreted"):
            other.f({"a": 1})
        with self.assertRaisesRegex(AttributeError, "no entry point h; there are g"):
            other.h(1)


@unittest.skipUnless(os.path.exists("/proc/self/statm") and not os.environ.get("ASAN_OPTIONS"),
                     "there is no /proc, or freed memory is kept")
class Growth(unittest.TestCase):
    def test_many_calls(self):
        x, few, whole = np.ones(4), np.ones(8)[::2], np.ones(3, np.int32)

        def calls(n):
            for _ in range(n):
                m.same(x)
                m.loss(few, x)
                m.positive(whole)
                try:
                    m.loss(x, whole)
                except TypeError:
                    pass
        calls(2000)
        before, live = resident(), m.memory()["live"]
        calls(25000)
        self.assertLess(resident() - before, 2 << 20)
        self.assertEqual(m.memory()["live"], live)


class Notebooks(unittest.TestCase):
    def test_cell(self):
        try:
            from IPython.core.interactiveshell import InteractiveShell
        except ImportError:
            self.skipTest("IPython is not installed")
        import contextlib
        import io
        shell = InteractiveShell.instance()
        shell.run_cell("%load_ext raido")
        self.assertTrue(shell.run_cell("%%raido prog\nentry triple (x: i32) = 3 * x").success)
        self.assertTrue(shell.run_cell("assert triple(4) == 12 and prog.triple is triple").success)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            got = shell.run_cell("%%raido\nentry f (x: i32) =\n  x + true")
        self.assertFalse(got.success)
        self.assertIn("<cell>:3:7", said.getvalue())
        self.assertNotIn("Traceback", said.getvalue())


class Places(unittest.TestCase):
    def test_errors_at_run_time(self):
        at = raido.compile("\nentry at (xs: []i32) (i: i64) =\n  xs[i]", name='<a "cell">', line=2, cflags="-O0 -std=c11").at
        with self.assertRaisesRegex(raido.ProgramError, r'<a "cell">:4:3-8\n(.|\n)*4 \|   xs\[i\]'):
            at(np.ones(3, np.int32), 5)


if __name__ == "__main__":
    unittest.main()
