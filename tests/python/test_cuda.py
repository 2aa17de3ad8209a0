"""Programs for CUDA without a device: on the one of tests/gpu/fake_cuda.cc, with a framework of tensors that is none.

The framework lends its memory and says its stream by the table of DLPack, as PyTorch does."""
import ctypes as C
import os
import sys
import tempfile
import types
import unittest

import numpy as np

import raido

HERE = os.path.dirname(os.path.abspath(__file__))
cu = C.CDLL("libcuda.so.1")
context = C.c_void_p()
assert cu.cuInit(0) == 0 and cu.cuDevicePrimaryCtxRetain(C.byref(context), 0) == 0
cu.cuCtxPushCurrent_v2(context)


# ---- The framework ----

class DLTensor(C.Structure):
    _fields_ = [("data", C.c_void_p), ("device_type", C.c_int32), ("device", C.c_int32), ("ndim", C.c_int32),
                ("code", C.c_uint8), ("bits", C.c_uint8), ("lanes", C.c_uint16), ("shape", C.POINTER(C.c_int64)),
                ("strides", C.POINTER(C.c_int64)), ("offset", C.c_uint64)]


class Managed(C.Structure):
    pass


DELETER = C.CFUNCTYPE(None, C.POINTER(Managed))
Managed._fields_ = [("major", C.c_uint32), ("minor", C.c_uint32), ("manager", C.c_void_p), ("deleter", DELETER),
                    ("flags", C.c_uint64), ("tensor", DLTensor)]
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}


def new_memory(n):
    p = C.c_uint64()
    assert cu.cuMemAlloc_v2(C.byref(p), C.c_size_t(max(n, 1))) == 0
    return p.value


class Pool:
    """Memory that was asked for before, for a while in which nothing new can be."""

    def __init__(self):
        self.free, self.live, self.asked = {}, {}, 0

    def get(self, n):
        self.asked += 1
        n = (n + 255) // 256 * 256
        p = self.free[n].pop() if self.free.setdefault(n, []) else new_memory(n)
        self.live[p] = n
        return p

    def put(self, p):
        self.free[self.live[p]].append(p)
        del self.live[p]


pool = Pool()
stream = C.c_void_p()
kept = {}                               # of managed tensors, by address


class Tensor:
    """On the device, or on the host (device None)."""

    def __init__(self, array=None, shape=None, dtype=None, address=None, device=0, release=None):
        if array is not None:
            array = np.asarray(array)
            shape, dtype = array.shape, array.dtype
        self.shape, self.dtype, self.device = tuple(shape), np.dtype(dtype), device
        self.n = int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize
        self.address, self.release = address, release
        if address is None:
            mine = pool
            self.address = address = mine.get(self.n)
            self.release = lambda: mine.put(address)
        if array is not None:
            C.memmove(self.address, np.ascontiguousarray(array).ctypes.data, self.n)

    @property
    def is_cuda(self):
        return self.device is not None

    def numpy(self):
        a = np.empty(self.shape, self.dtype)
        C.memmove(a.ctypes.data, self.address, self.n)
        return a

    def fill(self, t):
        """Puts what a DLTensor says into it."""
        dims = (C.c_int64 * (2 * len(self.shape) + 1))(*self.shape)
        step = 1
        for d in reversed(range(len(self.shape))):
            dims[len(self.shape) + d] = step
            step *= self.shape[d]
        self.dims = dims
        at = C.cast(dims, C.c_void_p).value
        t.data, t.device_type, t.device, t.ndim = self.address, 1 if self.device is None else 2, self.device or 0, \
            len(self.shape)
        t.code, t.bits, t.lanes = CODES[self.dtype.kind], 8 * self.dtype.itemsize, 1
        t.shape = C.cast(at, C.POINTER(C.c_int64))
        t.strides = C.cast(at + 8 * len(self.shape), C.POINTER(C.c_int64))
        t.offset = 0

    def __del__(self):
        if self.release:
            self.release()


@DELETER
def delete(m):
    kept.pop(C.addressof(m.contents))


def dtype_of(t):
    kind = {v: k for k, v in CODES.items()}[t.code]
    return np.dtype("bool" if kind == "b" else f"{kind}{t.bits // 8}")


def allocate(like, out, error, set_error):
    like = like.contents
    t = Tensor(shape=[like.shape[d] for d in range(like.ndim)], dtype=dtype_of(like), device=like.device)
    m = Managed(1, 1, None, delete, 0)
    t.fill(m.tensor)
    kept[C.addressof(m)] = (m, t)
    out[0] = C.pointer(m)
    return 0


def to_object(m, out):
    t = m.contents.tensor
    address = C.addressof(m.contents)
    made = Tensor(shape=[t.shape[d] for d in range(t.ndim)], dtype=dtype_of(t), address=t.data or 0,
                  device=t.device if t.device_type == 2 else None,
                  release=lambda: Managed.from_address(address).deleter(C.pointer(Managed.from_address(address))))
    C.pythonapi.Py_IncRef(C.py_object(made))
    out[0] = id(made)
    return 0


def view(o, out):
    C.cast(o, C.py_object).value.fill(out.contents)
    return 0


def current_stream(kind, device, out):
    out[0] = stream.value
    return 0


ALLOCATE = C.CFUNCTYPE(C.c_int, C.POINTER(DLTensor), C.POINTER(C.POINTER(Managed)), C.c_void_p, C.c_void_p)
TO_OBJECT = C.CFUNCTYPE(C.c_int, C.POINTER(Managed), C.POINTER(C.c_void_p))
VIEW = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(DLTensor))
STREAM = C.CFUNCTYPE(C.c_int, C.c_int32, C.c_int32, C.POINTER(C.c_void_p))


class Table(C.Structure):
    _fields_ = [("major", C.c_uint32), ("minor", C.c_uint32), ("previous", C.c_void_p), ("allocate", ALLOCATE),
                ("from_object", C.c_void_p), ("to_object", TO_OBJECT), ("view", VIEW), ("stream", STREAM)]


table = Table(1, 3, None, ALLOCATE(allocate), None, TO_OBJECT(to_object), VIEW(view), STREAM(current_stream))
C.pythonapi.PyCapsule_New.restype = C.py_object
C.pythonapi.PyCapsule_New.argtypes = [C.c_void_p, C.c_char_p, C.c_void_p]
EXCHANGE = b"dlpack_exchange_api"       # the capsule has but its address
Tensor.__dlpack_c_exchange_api__ = C.pythonapi.PyCapsule_New(C.addressof(table), EXCHANGE, None)


class Foreign:
    """Of another framework, which has __dlpack__ alone."""

    def __init__(self, t):
        self.t, self.dtype = t, t.dtype

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream=None):
        assert stream == 1
        m = Managed(1, 1, None, delete, 0)
        self.t.fill(m.tensor)
        kept[C.addressof(m)] = (m, self.t)
        return C.pythonapi.PyCapsule_New(C.addressof(m), b"dltensor_versioned", None)


class Interface:
    """Of one that has the CUDA array interface alone."""

    def __init__(self, t, **changes):
        self.t, self.__cuda_array_interface__ = t, {"shape": t.shape, "typestr": t.dtype.str, "data": (t.address, False),
                                                    "version": 3, "strides": None, "stream": 1, **changes}


cupy = types.ModuleType("cupy")


class Ndarray(Foreign):
    """Like CuPy's: it has both, and takes results over."""
    __module__ = "cupy"


cupy.ndarray, cupy.from_dlpack = Ndarray, lambda a: ("of cupy", a)

# ---- Tests ----

m = raido.compile(os.path.join(HERE, "gpu.fut"), backend="cuda", cflags="-O0 -std=c11")
xs = np.arange(5, dtype=np.float32)


class Calls(unittest.TestCase):
    def equal(self, got, want):
        self.assertIs(type(got), Tensor)
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-6)

    def test_values(self):
        x = Tensor(xs)
        self.equal(m.axpb(2.0, 1.0, x), 2 * xs + 1)
        self.equal(m.axpb(Tensor(np.float32(3)), 1, x), 3 * xs + 1)
        self.equal(m.positive(x), xs[1:])
        self.equal(m.axpb(2.0, 1.0, Tensor(xs[:0])), xs[:0])
        ys, s = m.steps(Tensor(np.int64(2)), x)
        self.equal(s, ys.numpy().sum())
        got = m.sums(x)
        self.equal(got["mean"], 2)
        self.equal(got["all"][1], 5)
        self.equal(x, xs)

    def test_memory(self):
        x = Tensor(xs)
        y = m.axpb(2.0, 1.0, x)
        self.assertIn(y.address, pool.live)
        live = len(pool.live)
        out = Tensor(xs)
        self.assertIs(m.axpb(2.0, 1.0, x, out=out), out)
        self.equal(out, y.numpy())
        for _ in range(50):
            m.axpb(2.0, 1.0, x), m.positive(x), m.loss.grad()(Tensor(xs.astype("f8")), Tensor(xs.astype("f8")))
        del out
        self.assertLessEqual(len(pool.live), live + 20)         # what contexts keep
        old = x.address
        z = m.first_one(raido.donate(x))
        self.assertEqual(z.address, old)
        self.assertEqual(z.numpy()[0], 1)

    def test_gradient(self):
        w, x = Tensor(np.array([1.0, 2.0])), Tensor(np.array([3.0, 0.5]))
        value, (dw, dx) = m.loss.value_and_grad()(w, x)
        a, b = w.numpy(), x.numpy()
        self.equal(value, np.sum(np.sin(a * b) + a * a * b))
        self.equal(dw, b * np.cos(a * b) + 2 * a * b)
        self.equal(m.loss.vjp(w, x, Tensor(np.float64(2)))[0], 2 * dw.numpy())

    def asked(self, f):
        """What the driver is asked for by a call that was made before."""
        for _ in range(5):
            f()
        m.sync()                        # kernels may still have been compiled
        with tempfile.NamedTemporaryFile("r") as log:
            os.environ["FAKE_CUDA_LOG"] = log.name
            try:
                f()
            finally:
                del os.environ["FAKE_CUDA_LOG"]
            return [line.split()[0] for line in log]

    def test_one_kernel_is_one_launch(self):
        """Results are computed where they are to be, and nothing is copied on the device."""
        x, w = Tensor(xs), Tensor(np.ones(5))
        out = Tensor(xs)
        for f in (lambda: m.axpb(2.0, 1.0, x), lambda: m.axpb(2.0, 1.0, x, out=out), lambda: m.loss(w, w),
                  lambda: m.loss.grad("w")(w, w)):
            asked = self.asked(f)               # results may be elsewhere than before
            self.assertEqual(asked[asked[0] == "cuGraphExecKernelNodeSetParams":], ["cuGraphLaunch"])
        self.assertEqual(self.asked(lambda: m.steps(1, x)), ["cuGraphLaunch"])
        others = iter([Tensor(xs + k) for k in range(9)])
        self.assertEqual(self.asked(lambda: m.axpb(2.0, 1.0, next(others), out=out)),
                         ["cuGraphExecKernelNodeSetParams", "cuGraphLaunch"])
        large, room = Tensor(np.ones(100000, np.float32)), Tensor(np.ones(100000, np.float32))
        self.assertEqual(self.asked(lambda: m.axpb(2.0, 1.0, large, out=room)), ["cuLaunchKernel"])     # of many threads
        for n in (3, 100, 100000, 1):           # other sizes: other blocks
            y = Tensor(np.arange(n, dtype=np.float32))
            self.equal(m.axpb(2.0, 1.0, y), 2 * y.numpy() + 1)

    def test_driver(self):
        """What a call asks the driver: is the context that of the thread, and to start the graph of one kernel.  The default
        stream cannot be captured, so nobody asks whether it is."""
        x, out = Tensor(xs), Tensor(xs)
        os.environ["FAKE_CUDA_LOG_ALL"] = "1"
        try:
            self.assertEqual(self.asked(lambda: m.axpb(2.0, 1.0, x, out=out)), ["cuCtxGetCurrent", "cuGraphLaunch"])
        finally:
            del os.environ["FAKE_CUDA_LOG_ALL"]

    def test_errors(self):
        x = Tensor(xs)
        with self.assertRaisesRegex(ValueError, "is not on a CUDA device"):
            m.axpb(1.0, 1.0, xs)
        with self.assertRaisesRegex(ValueError, "is not on a CUDA device"):
            m.axpb(1.0, 1.0, Tensor(xs, device=None))
        with self.assertRaisesRegex(TypeError, "dtype float64, not float32"):
            m.loss(x, x)
        with self.assertRaisesRegex(ValueError, "has size 3"):
            m.loss(Tensor(np.ones(2)), Tensor(np.ones(3)))
        with self.assertRaisesRegex(ValueError, "on device 1, but others are on device 0"):
            m.at(Tensor(np.zeros(5, "i8")), Tensor(xs, device=1))
        c = raido.compile(os.path.join(HERE, "gpu.fut"), cflags="-O0 -std=c11")
        with self.assertRaisesRegex(ValueError, 'backend="cuda"'):
            c.axpb(1.0, 1.0, x)
        with self.assertRaisesRegex(ValueError, "out= should have .* on the device"):
            m.axpb(1.0, 1.0, x, out=xs)
        with self.assertRaisesRegex(TypeError, "different frameworks"):
            m.at(Tensor(np.zeros(5, "i8")), Foreign(x))

    def test_late_errors(self):
        x, bad, good = Tensor(xs), Tensor(np.array([0, 9, 0, 0, 0])), Tensor(np.array([4, 3, 2, 1, 0]))
        m.at(bad, x)
        with self.assertRaisesRegex(raido.ProgramError, r"Index \[9\] out of bounds"):
            m.sync()
        m.at(bad, x)
        with self.assertRaisesRegex(raido.ProgramError, r"Index \[9\] out of bounds"):
            m.at(good, x)
        self.equal(m.at(good, x), xs[::-1])

    def test_no_framework(self):
        got = m.numbers(5)
        np.testing.assert_array_equal(got.numpy(), xs)
        self.assertEqual(got.__dlpack_device__(), (2, 0))
        self.assertEqual(got.__cuda_array_interface__["typestr"], "<f4")
        for versions in (None, (1, 0)):
            self.assertIn("dltensor", repr(got.__dlpack__(max_version=versions)))
        again = m.axpb(2.0, 1.0, got)
        del got
        np.testing.assert_array_equal(again.numpy(), 2 * xs + 1)
        f = Foreign(Tensor(xs))
        np.testing.assert_array_equal(m.axpb(2.0, 1.0, f).numpy(), 2 * xs + 1)
        total = m.steps(0, f)[1]
        self.assertEqual((total.shape, float(total)), ((), 10))

    def test_array_interface(self):
        x = Tensor(xs)
        np.testing.assert_array_equal(m.axpb(2.0, 1.0, Interface(x)).numpy(), 2 * xs + 1)
        np.testing.assert_array_equal(m.axpb(2.0, 1.0, Interface(x, strides=(4,), stream=None)).numpy(), 2 * xs + 1)
        two = Interface(Tensor(np.float32(2)))
        np.testing.assert_array_equal(m.axpb(two, 1.0, Interface(x)).numpy(), 2 * xs + 1)
        side = C.c_void_p()
        self.assertEqual(cu.cuStreamCreate(C.byref(side), 1), 0)
        np.testing.assert_array_equal(m.axpb(2.0, 1.0, Interface(x, stream=side.value)).numpy(), 2 * xs + 1)
        again = m.axpb(2.0, 1.0, m.numbers(5))                  # results are arguments
        self.assertEqual(again.__cuda_array_interface__["data"][0], again._address)
        np.testing.assert_array_equal(m.axpb(2.0, 1.0, again).numpy(), 4 * xs + 3)
        for changes, error, said in (({"strides": (8,)}, ValueError, "not contiguous"),
                                     ({"typestr": "<f8"}, TypeError, "dtype float32"),
                                     ({"typestr": ">f4"}, TypeError, "of another kind"),
                                     ({"typestr": "<c8"}, TypeError, "of another kind"),
                                     ({"shape": (5, 1)}, ValueError, "should have 1 dimension"),
                                     ({"shape": [5]}, TypeError, "of another kind"),
                                     ({"shape": (-5,)}, ValueError, "negative size"),
                                     ({"shape": ("a",)}, TypeError, "integer"),
                                     ({"strides": ()}, TypeError, "of another kind"),
                                     ({"strides": (4,) * 99}, TypeError, "of another kind"),
                                     ({"strides": (-4,)}, ValueError, "not contiguous"),
                                     ({"data": ()}, TypeError, "of another kind"),
                                     ({"data": (x.address + 1, False), "shape": (3,)}, ValueError, "not aligned"),
                                     ({"typestr": 4}, TypeError, "of another kind"),
                                     ({"stream": "side"}, TypeError, "integer"),
                                     ({"data": None}, TypeError, "of another kind"),
                                     ({"mask": xs}, TypeError, "of another kind")):
            with self.subTest(changes), self.assertRaisesRegex(error, said):
                m.axpb(2.0, 1.0, Interface(x, **changes))
        c = raido.compile(os.path.join(HERE, "gpu.fut"), cflags="-O0 -std=c11")
        for other in (Interface(x), Foreign(x)):
            with self.assertRaisesRegex(ValueError, 'backend="cuda"'):
                c.axpb(2.0, 1.0, other)

    def test_odd_objects(self):
        class Raises:
            @property
            def __cuda_array_interface__(self):
                raise RuntimeError("gone")

        class NoCapsule:
            def __dlpack_device__(self):
                return 2, 0

            def __dlpack__(self, **_):
                return None
        x = Tensor(xs)
        for bad in (Raises(), NoCapsule(), None, "abc", 3.0, Tensor(np.float32(1)), Tensor(xs.astype("f2"))):
            with self.assertRaises((TypeError, ValueError)):
                m.axpb(2.0, 1.0, bad)
        for bad in (x, Tensor(np.float64(1)), None):
            with self.assertRaisesRegex(TypeError, "argument a"):
                m.axpb(bad, 1.0, x)
        self.equal(m.axpb(np.float32(2), np.float64(1), x), 2 * xs + 1)
        self.equal(m.axpb(Tensor(np.float32(2), device=None), 1, x), 2 * xs + 1)
        np.testing.assert_array_equal(m.axpb(2.0, 1.0, Interface(Tensor(xs[:0]), data=(0, False))).numpy(), xs[:0])

    def test_closed(self):
        other, x = raido.compile("entry f [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs", backend="cuda", cflags="-O0 -std=c11"), \
            Tensor(xs)
        y, z = other.f(x), other.f(Foreign(x))
        other.close()
        for a in (x, Foreign(x)):
            with self.assertRaisesRegex(RuntimeError, "the module is closed"):
                other.f(a)
        self.equal(y, xs + 1)
        np.testing.assert_array_equal(z.numpy(), xs + 1)

    def test_cupy(self):
        sys.modules["cupy"] = cupy
        try:
            kind, got = m.axpb(2.0, 1.0, Ndarray(Tensor(xs)))
        finally:
            del sys.modules["cupy"]
        self.assertEqual(kind, "of cupy")
        np.testing.assert_array_equal(got.numpy(), 2 * xs + 1)

    def test_two_sweeps(self):
        program = raido.compile(os.path.join(HERE, "sweeps.fut"), backend="cuda", cflags="-O0 -std=c11")
        rng = np.random.default_rng(1)
        w, x, is_ = rng.standard_normal((3, 4)), rng.standard_normal(4), np.array([1, 0, 2, 2])
        for f, args, cts in ((program.layer, (w, x), (np.ones(3),)), (program.elementwise, (x,), (x,)),
                             (program.mixed, (0.3, is_, x), (np.float64(0.7), x)), (program.steps, (3, x), (x,)),
                             (program.half, (rng.standard_normal(8),), (np.float64(2),))):
            with self.subTest(f.name):
                args = [Tensor(a) if isinstance(a, np.ndarray) else a for a in args]
                cts = [Tensor(c) for c in cts]
                _, back = f.pullback()(*args)
                got, want = back(*cts), f.vjp(*args, *cts)
                for a, b in zip(got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,)):
                    self.equal(a, b.numpy())

    def test_auto(self):
        both = raido.compile(os.path.join(HERE, "gpu.fut"), backend="auto", cflags="-O0 -std=c11")
        self.equal(both.axpb(2.0, 1.0, Tensor(xs)), 2 * xs + 1)
        np.testing.assert_allclose(both.axpb(2.0, 1.0, xs), 2 * xs + 1)
        self.equal(both.sums(Tensor(xs))["mean"], 2)

    def test_capture(self):
        global pool
        x = Tensor(xs)
        side, graph, ready = C.c_void_p(), C.c_void_p(), C.c_void_p()
        self.assertEqual(cu.cuStreamCreate(C.byref(side), 1), 0)
        m.steps(3, x), m.positive(x)
        stream.value = side.value
        m.steps(3, x)
        usual, pool = pool, Pool()                              # the graph has memory of its own
        spare = [pool.get(n) for n in list(usual.free) for _ in range(9)]
        for p in spare:
            pool.put(p)
        self.assertEqual(cu.cuStreamBeginCapture_v2(side, 0), 0)
        try:
            y, s = m.steps(3, x)
            with self.assertRaisesRegex(Exception, "captured"):
                m.positive(x)
        finally:
            stream.value, pool = None, usual
            self.assertEqual(cu.cuStreamEndCapture(side, C.byref(graph)), 0)
        self.assertEqual(cu.cuGraphInstantiateWithFlags(C.byref(ready), graph, C.c_uint64(0)), 0)
        other = Tensor(xs * 2)
        C.memmove(x.address, other.address, x.n)
        self.assertEqual(cu.cuGraphLaunch(ready, side), 0)
        want, t = m.steps(3, other)
        self.equal(y, want.numpy())
        self.equal(s, t.numpy())



if __name__ == "__main__":
    unittest.main()
