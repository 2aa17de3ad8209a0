"""Functions of Raido on CUDA tensors of PyTorch: needs a GPU.  Run by tests/python_gpu.sh."""
import contextlib
import gc
import os
import pickle
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np
import torch
from torch import func
from torch.autograd import gradcheck, gradgradcheck

import raido
import raido.torch

HERE = os.path.dirname(os.path.abspath(__file__))
m = raido.compile(os.path.join(HERE, "gpu.fut"), backend="cuda", cflags="-O1 -std=c11")
loss, lin = raido.torch.wrap(m.loss), raido.torch.wrap(m.lin)
cuda = torch.device("cuda:0")
torch.manual_seed(1)
warnings.simplefilter("ignore")
close = torch.testing.assert_close


def tensor(*shape, dtype=torch.float64, grad=False):
    return torch.randn(*shape, dtype=dtype, device=cuda, requires_grad=grad)


def floats(*shape):
    return tensor(*shape, dtype=torch.float32)


def resident():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def reference(w, x):
    return torch.sum(torch.sin(w * x) + w * w * x)


def lin_reference(a, v, s):
    return s * (a @ v), 3 * s * v.sum()


class Calls(unittest.TestCase):
    def test_values(self):
        x = floats(1000)
        y = m.axpb(2.0, 1.0, x)
        self.assertIs(type(y), torch.Tensor)
        self.assertEqual(y.device, cuda)
        close(y, 2 * x + 1)
        close(m.axpb(torch.tensor(2.0), torch.tensor(1.0, device=cuda), x), 2 * x + 1)
        close(m.axpb(2, 1, x[::3]), 2 * x[::3] + 1)
        close(m.positive(x), x[x > 0])
        close(m.axpb(2.0, 1.0, x[:0]), x[:0])
        close(m.counts(torch.tensor([0, 2, 2, 9], device=cuda)), torch.tensor([1, 0, 2, 0], device=cuda))
        ys, s = m.steps(torch.tensor(3, device=cuda), x)        # a count on the device
        close(s, ys.sum(), rtol=1e-4, atol=1e-4)
        got = m.sums(x)
        close(got["mean"], x.mean())
        self.assertEqual(got["all"][1].item(), 1000)

    def test_large(self):
        x = floats(1 << 22)
        close(m.axpb(0.5, 2.0, x), 0.5 * x + 2)
        close(m.loss(x.double(), x.double()), reference(x.double(), x.double()))

    def test_nothing_is_copied(self):
        x = floats(1 << 20)
        m.axpb(2.0, 1.0, x)
        before, copies = torch.cuda.memory_allocated(), raido.copies()
        y = m.axpb(2.0, 1.0, x)
        self.assertEqual(torch.cuda.memory_allocated() - before, 4 << 20)      # the result is memory of PyTorch
        self.assertEqual(raido.copies(), copies)
        out = torch.empty_like(x)
        self.assertIs(m.axpb(2.0, 1.0, x, out=out), out)
        close(out, y)
        self.assertEqual(torch.cuda.memory_allocated() - before, 8 << 20)
        with self.assertRaisesRegex(ValueError, "not contiguous"):
            m.axpb(2.0, 1.0, x[::2], copy=False)
        del y, out
        gc.collect()
        self.assertEqual(torch.cuda.memory_allocated(), before)

    def test_made_tensors(self):
        """By functions of PyTorch that are looked for; they belong to its allocator, also for streams."""
        for prim, dtype in ((9, torch.float32), (11, torch.bool)):
            t, address, directly = raido._raido._tensor_like(floats(2), prim, (2, 3))
            self.assertTrue(directly)
            self.assertEqual((t.device, t.dtype, tuple(t.shape), t.data_ptr()), (cuda, dtype, (2, 3), address))
        y = m.axpb(2.0, 1.0, floats(1 << 20))
        where, other = y.data_ptr(), torch.cuda.Stream()
        with torch.cuda.stream(other):
            torch.cuda._sleep(50_000_000)
            y.record_stream(other)
        del y
        z = m.axpb(2.0, 1.0, floats(1 << 20))   # not where the other stream may still read
        self.assertNotEqual(z.data_ptr(), where)

    def test_donation(self):
        x = floats(100)
        old = x.clone()
        close(m.first_one(x)[1:], x[1:])
        close(x, old)
        y = m.first_one(raido.donate(x))
        self.assertEqual(y.data_ptr(), x.data_ptr())
        self.assertEqual(y[0].item(), 1)

    def test_no_arguments_on_the_device(self):
        got = m.numbers(5)
        self.assertEqual(got.shape, (5,))
        np.testing.assert_array_equal(got.numpy(), np.arange(5, dtype=np.float32))
        close(torch.from_dlpack(got), torch.arange(5.0, device=cuda))
        self.assertEqual(got.__cuda_array_interface__["shape"], (5,))

    def test_errors(self):
        x = floats(4)
        with self.assertRaisesRegex(ValueError, "is not on a CUDA device"):
            m.axpb(1.0, 1.0, torch.ones(4))
        with self.assertRaisesRegex(ValueError, "is not on a CUDA device"):
            m.axpb(1.0, 1.0, np.ones(4, np.float32))
        with self.assertRaisesRegex(TypeError, "dtype float64, not torch.float32"):
            m.loss(x, x)
        with self.assertRaisesRegex(ValueError, "has size 3"):
            m.loss(x.double(), x[:3].double())
        c = raido.compile(os.path.join(HERE, "gpu.fut"), cflags="-O1 -std=c11")
        with self.assertRaisesRegex(ValueError, 'backend="cuda"'):
            c.axpb(1.0, 1.0, x)
        with self.assertRaisesRegex(ValueError, "out= should have"):
            m.axpb(1.0, 1.0, x, out=torch.empty(4))
        with self.assertRaisesRegex(TypeError, "requires a gradient"):
            m.axpb(1.0, 1.0, x.clone().requires_grad_())

    def test_closed(self):
        other, x = raido.compile("entry f [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs", backend="cuda"), floats(4)
        y = other.f(x)
        other.close()
        with self.assertRaisesRegex(RuntimeError, "is closed"):
            other.f(x)
        close(y, x + 1)

    def test_layouts(self):
        x = floats(9, 7)
        for t in (x[:, 3], x[3], x[2:].t()[1], x.flip(0)[:, 0], x[:0, 0], x.reshape(-1)[1:]):
            close(m.axpb(2.0, 1.0, t), 2 * t + 1)
        for bad in (x[0].to_sparse(), x[0].to("meta")):
            with self.assertRaises((ValueError, TypeError)):
                m.axpb(2.0, 1.0, bad)
        for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.complex64):
            with self.assertRaisesRegex(TypeError, "should be of dtype float32"):
                m.axpb(2.0, 1.0, x[0].to(dtype))
        with self.assertRaisesRegex(ValueError, "should have 1 dimension"):
            m.axpb(2.0, 1.0, x)

    def test_fork(self):
        """CUDA has nothing for a child: an exception."""
        x = floats(4)
        m.axpb(2.0, 1.0, x)
        child = os.fork()
        if not child:
            try:
                m.axpb(2.0, 1.0, x).cpu()
            except Exception:
                os._exit(0)
            os._exit(1)
        for _ in range(300):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            time.sleep(0.1)
        else:
            os.kill(child, 9)
            os.waitpid(child, 0)
        self.assertEqual((ended, status), (child, 0))
        close(m.axpb(2.0, 1.0, x), 2 * x + 1)

    def test_late_errors(self):
        x = floats(4)
        good, bad = torch.tensor([3, 2, 1, 0], device=cuda), torch.tensor([0, 9, 0, 0], device=cuda)
        m.at(bad, x)
        with self.assertRaisesRegex(raido.ProgramError, r"Index \[9\] out of bounds"):
            m.sync()
        close(m.at(good, x), x.flip(0))
        m.at(bad, x)
        torch.cuda.synchronize()
        with self.assertRaisesRegex(raido.ProgramError, r"Index \[9\] out of bounds"):
            m.at(good, x)
        close(m.at(good, x), x.flip(0))
        m.sync()

    def test_auto(self):
        both = raido.compile(os.path.join(HERE, "gpu.fut"), backend="auto", cflags="-O1 -std=c11")
        x = floats(10)
        close(both.axpb(2.0, 1.0, x), 2 * x + 1)
        close(both.axpb(2.0, 1.0, x.cpu()), 2 * x.cpu() + 1)
        f = raido.torch.wrap(both.loss)
        for device in ("cpu", "cuda"):
            w, v = tensor(5, grad=True), tensor(5)
            w, v = w.detach().to(device).requires_grad_(), v.to(device)
            want = torch.autograd.grad(reference(w, v), w)[0]
            close(torch.autograd.grad(f(w, v), w)[0], want)

    def test_pickle(self):
        x = floats(3)
        close(pickle.loads(pickle.dumps(m)).axpb(2.0, 1.0, x), 2 * x + 1)

    def test_block_of_the_documentation(self):
        with open(os.path.join(HERE, "..", "..", "docs", "python.md"), encoding="utf-8") as f:
            block = f.read().split("## GPUs")[1].split("```python\n")[1].split("```")[0]
        names = {"raido": raido, "torch": torch}        # as the blocks before have imported them
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            with open("model.fut", "w", encoding="ascii") as f:
                f.write("entry loss [n] (w: [n]f64) (x: [n]f64) : f64 = f64.sum (map2 (*) w x)\n")
            exec(block, names)
        close(names["w"].grad, torch.ones(3, dtype=torch.float64, device=cuda))


class Streams(unittest.TestCase):
    def test_nobody_waits(self):
        """Calls return while the device is busy with what was asked for before."""
        w, x = tensor(1000), tensor(1000)
        rows, few, y, s = w.reshape(10, 100), x[:100].clone(), x.float(), torch.tensor(2.0, device=cuda).double()
        calls = {"loss": lambda: m.loss(w, x), "axpb": lambda: m.axpb(2.0, 1.0, y), "lin": lambda: m.lin(rows, few, s, 3),
                 "sums": lambda: m.sums(y), "gradient": lambda: m.loss.grad()(w, x)}
        for name, f in calls.items():
            for _ in range(5):
                f()
            done = True
            for _ in range(3):      # one that waits does so each time; the host may be slow for once
                torch.cuda.synchronize()
                torch.cuda._sleep(400_000_000)
                event = torch.cuda.Event()
                event.record()
                f()
                done = done and event.query()
                torch.cuda.synchronize()
            with self.subTest(name):
                self.assertFalse(done)

    def test_side_streams(self):
        a = floats(1500, 1500)
        side = torch.cuda.Stream()
        for i in range(20):
            with torch.cuda.stream(side if i % 3 else torch.cuda.current_stream()):
                b = a
                for _ in range(4):
                    b = b @ a / 40
                got = m.axpb(2.0, 1.0, b.reshape(-1))
                want = 2 * b.reshape(-1) + 1
                self.assertTrue(torch.equal(got, want) or torch.allclose(got, want))
        torch.cuda.synchronize()

    def test_threads(self):
        def work(results, k):
            with torch.cuda.stream(torch.cuda.Stream()):
                x = torch.full((10000,), float(k), device=cuda)
                ok = True
                for _ in range(100):
                    y, s = m.steps(4, x)
                    z, t = m.steps(4, x)
                    ok = ok and torch.equal(y, z)
                results[k] = ok
        results = {}
        threads = [threading.Thread(target=work, args=(results, k)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(results, {k: True for k in range(4)})

    def test_no_growth(self):
        x = floats(1000)
        w = tensor(1000, grad=True)

        def once():
            m.axpb(2.0, 1.0, x)
            m.positive(x)
            loss(w, x.double()).backward()
            w.grad = None
        for _ in range(100):
            once()
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated(), torch.cuda.memory_reserved(), m.memory()["live"]
        for _ in range(3000):
            once()
        torch.cuda.synchronize()
        self.assertEqual((torch.cuda.memory_allocated(), torch.cuda.memory_reserved(), m.memory()["live"]), before)
        for n in (10000, 100000):
            for _ in range(n):
                m.axpb(2.0, 1.0, x)
            torch.cuda.synchronize()
            before = resident() if n == 10000 else before
        self.assertLess(resident() - before, 4 << 20)


class Graphs(unittest.TestCase):
    def capture(self, f):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                f()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            got = f()
        return graph, got

    def test_replay(self):
        x = floats(1000)
        graph, (y, s) = self.capture(lambda: m.steps(5, x))
        for _ in range(5):
            x.copy_(floats(1000))
            graph.replay()
            want, t = m.steps(5, x)                 # between the replays, with memory of its own
            close(y, want)
            close(s, t)

    def test_scalars(self):
        w, x = tensor(100), tensor(100)
        graph, value = self.capture(lambda: m.loss(w, x))
        for _ in range(3):
            w.copy_(tensor(100))
            graph.replay()
            close(value, reference(w, x))
        z = floats(100)
        graph, y = self.capture(lambda: m.axpb(3.0, 1.0, z))    # numbers become part of the graph
        z.copy_(floats(100))
        graph.replay()
        close(y, 3 * z + 1)

    def test_training_step(self):
        w, x = tensor(50, grad=True), tensor(50).abs()
        optimiser = torch.optim.SGD([w], 0.01)

        def step():
            optimiser.zero_grad(set_to_none=False)
            value = loss(w, x)
            value.backward()
            return value
        graph, value = self.capture(step)
        for _ in range(4):
            graph.replay()
            want = torch.autograd.grad(reference(w, x), w)[0]
            close(w.grad, want)
            close(value, reference(w, x).detach())
            with torch.no_grad():
                w -= 0.01 * w.grad

    def test_what_cannot_be(self):
        x = floats(100)
        m.positive(x)                               # its size is read by the host
        graph = torch.cuda.CUDAGraph()
        with self.assertRaises(Exception) as caught:
            with torch.cuda.graph(graph):
                m.positive(x)
        self.assertIn("captured", str(caught.exception.__context__ or caught.exception)
                      + str(caught.exception))
        torch.cuda.synchronize()
        close(m.positive(x), x[x > 0])


class Differentiation(unittest.TestCase):
    def setUp(self):
        self.w, self.x, self.a = tensor(4, grad=True), tensor(4, grad=True), tensor(3, 4, grad=True)
        self.s = torch.tensor(1.5, dtype=torch.float64, device=cuda, requires_grad=True)

    def test_backward(self):
        w, x = tensor(5000), tensor(5000)
        u, r = torch.nn.Parameter(w.clone()), w.clone().requires_grad_()
        loss(u, x).backward()
        reference(r, x).backward()
        close(u.grad, r.grad)

    def test_results(self):
        for k in range(2):
            got = torch.autograd.grad(lin(self.a, self.w, self.s, 3)[k].sum(), (self.a, self.w, self.s),
                                      allow_unused=True)
            want = torch.autograd.grad(lin_reference(self.a, self.w, self.s)[k].sum(), (self.a, self.w, self.s),
                                       allow_unused=True)
            for g, v in zip(got, want):
                close(g, torch.zeros_like(g) if v is None else v)

    def test_checks(self):
        def rows(a, v, s):
            return lin(a, v, s, 3)
        self.assertTrue(gradcheck(loss, (self.w, self.x), check_forward_ad=True))
        self.assertTrue(gradgradcheck(loss, (self.w, self.x)))
        self.assertTrue(gradcheck(rows, (self.a, self.w, self.s)))

    def test_func(self):
        w, x, rows = self.w.detach(), self.x.detach(), tensor(5, 4)
        close(func.grad(loss)(w, x), func.grad(reference)(w, x))
        close(func.vmap(func.grad(loss), (0, None))(rows, x), func.vmap(func.grad(reference), (0, None))(rows, x))
        close(func.jvp(loss, (w, x), (x, w)), func.jvp(reference, (w, x), (x, w)))
        close(func.hessian(loss)(w, x), func.hessian(reference)(w, x))
        close(func.jacrev(loss)(w, x), func.jacrev(reference)(w, x))
        close(func.jacfwd(loss)(w, x), func.jacfwd(reference)(w, x))
        close(func.vmap(loss, (1, None))(rows.T.contiguous(), x), func.vmap(reference, (0, None))(rows, x))

    def test_operation(self):
        torch.library.opcheck(raido.torch._define(m.loss), (self.w.detach(), self.x.detach()))

    def test_gradients_are_the_callers(self):
        y, want = loss(self.w, self.x), torch.autograd.grad(reference(self.w, self.x), self.w)[0]
        for keep in (True, True, False):
            g = torch.autograd.grad(y, self.w, retain_graph=keep)[0]
            close(g, want)
            g.zero_()

    def test_compile(self):
        f = torch.compile(lambda w, x: loss(w * 2, x) + 1, fullgraph=True, backend="aot_eager")
        w, x = self.w.detach(), self.x.detach()
        u, v = w.clone().requires_grad_(), w.clone().requires_grad_()
        got, want = f(u, x), reference(v * 2, x) + 1
        got.backward()
        want.backward()
        close(got, want)
        close(u.grad, v.grad)

    def test_number_on_the_cpu(self):
        s = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
        got = torch.autograd.grad(lin(self.a, self.w, s, 3)[1], s)[0]
        close(got, 3 * self.w.detach().sum().cpu())


if __name__ == "__main__":
    unittest.main()
