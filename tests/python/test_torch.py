"""raido.torch: what PyTorch does with a function of Raido."""
import copy
import os
import pickle
import unittest
import warnings

import numpy as np
import torch
from torch import func
from torch.autograd import gradcheck, gradgradcheck

import raido
import raido.torch

HERE = os.path.dirname(os.path.abspath(__file__))
m = raido.compile(os.path.join(HERE, "program.fut"), cflags="-O1 -std=c11")
loss, lin = raido.torch.wrap(m.loss), raido.torch.wrap(m.lin)
torch.manual_seed(1)
warnings.simplefilter("ignore")


def tensor(*shape, grad=True):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=grad)


def reference(w, x):
    return torch.sum(torch.sin(w * x) + w * w * x)


w, x, a = tensor(4), tensor(4), tensor(3, 4)
s = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
W, wd, xd = tensor(5, 4, grad=False), w.detach(), x.detach()


def rows(a, v, s):
    return lin(a, v, s, 3)


class Plain(unittest.TestCase):
    def test_call(self):
        got = m.same(wd)
        self.assertIs(type(got), torch.Tensor)
        torch.testing.assert_close(got, wd)
        torch.testing.assert_close(m.loss(wd, xd), reference(wd, xd))
        torch.testing.assert_close(m.same(W.T[0]), W.T[0])      # not contiguous
        with self.assertRaisesRegex(TypeError, "requires a gradient"):
            m.loss(w, x)
        with torch.no_grad():
            torch.testing.assert_close(m.loss(w, x), reference(w, x))
        with self.assertRaisesRegex(TypeError, "argument x is missing"):
            loss(w)
        with self.assertRaisesRegex(TypeError, "dtype float64, not torch.float32"):
            m.loss(wd.float(), xd)
        with self.assertRaisesRegex(ValueError, "should be on the CPU"):
            m.same(torch.empty(3, dtype=torch.float64, device="meta"))
        y = m.first_one(raido.donate(wd.clone()))
        self.assertEqual(y[0].item(), 1)

    def test_made_tensors(self):
        """As results on devices are made, without the way through DLPack: by functions of PyTorch that are looked for."""
        names = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bool".split()
        for prim, name in enumerate(names):
            for shape in ((), (5,), (2, 1, 3)):
                t, address, directly = raido._raido._tensor_like(wd, prim, shape)
                self.assertTrue(directly)
                self.assertIs(type(t), torch.Tensor)
                self.assertEqual((t.dtype, tuple(t.shape), t.data_ptr()), (getattr(torch, name), shape, address))
                self.assertTrue(t.is_contiguous() and t.is_leaf and not t.requires_grad)
                self.assertEqual(t.fill_(1).sum().item(), t.numel())
        t, address, directly = raido._raido._tensor_like(wd, 9, (1,) * 9)       # many dimensions: by the table
        self.assertFalse(directly)
        self.assertEqual((t.shape, t.data_ptr()), ((1,) * 9, address))
        with self.assertRaises(MemoryError):
            raido._raido._tensor_like(wd, 9, (1 << 50,))

    def test_numbers(self):
        """What is no tensor, whatever the default device is."""
        table = raido.torch.wrap(m.table)
        self.assertEqual(table(np.int64(2)).shape, (2, 3))
        for f, args, text in ((table, (2.0,), "n should be an integer"), (lin, (W, wd, "1", 1), "s should be a number"),
                              (lin, (W, wd, 1j, 1), "s should be a number"), (lin, (W, [1.0], 1, 1), "v should be a tensor")):
            with self.assertRaisesRegex(TypeError, text):
                f(*args)
        torch.set_default_device("meta")
        try:
            self.assertEqual(lin(W, w, 2, 3)[1].device.type, "cpu")
        finally:
            torch.set_default_device(None)

    def test_negations(self):
        """A negation that is to be done when elements are read, of a tensor that is in order otherwise."""
        t = torch.complex(wd[:1], wd[1:2]).conj().imag
        self.assertTrue(t.is_neg() and t.is_contiguous())
        before = raido.copies()
        torch.testing.assert_close(m.same(t), -wd[1:2])
        torch.testing.assert_close(m.lin(W, wd, t[0], 1)[1], -wd[1] * wd.sum())
        self.assertEqual(raido.copies(), before + 2)
        with self.assertRaisesRegex(ValueError, "copy=False"):
            m.same(t, copy=False)
        with self.assertRaisesRegex(ValueError, "out= should have a contiguous array"):
            m.same(wd[:1], out=t)

    def test_no_memory(self):
        from torch._subclasses import FakeTensorMode
        freed = wd.clone()
        freed.untyped_storage().resize_(0)
        for t in (FakeTensorMode().from_tensor(wd), freed, wd.to_sparse()):
            with self.assertRaisesRegex(ValueError, "xs has no memory"):
                m.same(t)

    def test_closed(self):
        """An operation is that of all modules with the same program; one of them is enough."""
        def make():
            return raido.compile("entry f [n] (xs: [n]f64) : [n]f64 = map (+ 1) xs", cflags="-O0 -std=c11")
        first = make()
        raido.torch.wrap(first.f)(wd)
        first.close()
        second = make()
        f = raido.torch.wrap(second.f)
        for g in (f, torch.func.vmap(f)):
            torch.testing.assert_close(g(W if g is not f else wd), (W if g is not f else wd) + 1)
        torch.testing.assert_close(raido.torch._define(second.f)(wd), wd + 1)
        second.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            f(wd)

    def test_layouts(self):
        close = torch.testing.assert_close
        conjugate = torch.complex(wd, xd).conj().imag           # negated when it is read
        for t in (conjugate, wd.flip(0)[::1], torch.ones(1, dtype=wd.dtype).expand(4), W[:, 0]):
            close(m.same(t), t.clone())
        with self.assertRaisesRegex(ValueError, "copy=False"):
            m.same(W[:, 0], copy=False)
        for bad in (torch.ones(2, dtype=wd.dtype).to_sparse(), torch.empty(2, dtype=wd.dtype, device="meta")):
            with self.assertRaisesRegex(ValueError, "has no memory"):
                m.same(bad)
        for dtype in (torch.bfloat16, torch.complex128, torch.int64):
            with self.assertRaisesRegex(TypeError, "should be of dtype float64"):
                m.same(torch.ones(2, dtype=dtype))
        for number in (torch.tensor(1.0), torch.ones(1, dtype=wd.dtype)):
            with self.assertRaisesRegex(TypeError, "float64 without dimensions"):
                m.lin(a.detach(), wd, number, 1)
        with self.assertRaisesRegex(TypeError, "int64 without dimensions"):
            m.table(torch.tensor(True))
        close(m.loss(wd, xd.numpy()), m.loss(wd, xd))           # of two kinds
        odd = torch.tensor([2, 0, 255], dtype=torch.uint8)
        total, negated = m.flags(odd.view(torch.bool), odd[2:].view(torch.bool)[0])
        close(total, torch.tensor(2001))
        close(negated, torch.tensor([False, True, False]))
        self.assertEqual(odd.tolist(), [2, 0, 255])

    def test_wrap(self):
        with self.assertRaises(TypeError):
            raido.torch.wrap(print)
        with self.assertRaises(TypeError):
            raido.torch.wrap(m.model)
        with self.assertRaisesRegex(TypeError, "argument x is missing"):
            loss(w)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.loss = torch.nn.Parameter(torch.ones(4, dtype=torch.float64)), loss

    def forward(self, x):
        return self.loss(self.w, x)


class Relatives(unittest.TestCase):
    """What else PyTorch does with an operation."""

    def test_arguments(self):
        close = torch.testing.assert_close
        close(loss(w, x=xd), loss(w, xd))
        for args, names, error, said in (((w,), {"y": x}, TypeError, "there is no argument y"),
                                         ((w, x), {"w": x}, TypeError, "given twice"),
                                         ((w,), {}, TypeError, "x is missing"), ((w, x, x), {}, TypeError, "3 arguments"),
                                         ((), {"w": w}, TypeError, "x is missing"),
                                         ((w, xd.numpy()), {}, TypeError, "x should be a tensor"),
                                         ((w, [1.0] * 4), {}, TypeError, "x should be a tensor"),
                                         ((w.float(), xd), {}, TypeError, r"should be of dtype float64, .*: use to\(torch.float64\)"),
                                         ((w, xd[:3]), {}, ValueError, "has size 3"),
                                         ((w.to("meta"), xd), {}, ValueError, "has no memory")):
            with self.subTest(said), self.assertRaisesRegex(error, said):
                loss(*args, **names)
        with self.assertRaises(AttributeError): # one that was never made
            type(loss).__new__(type(loss))(w, x)
        for u in (tensor(8)[::2], torch.complex(xd, xd).conj().imag, tensor(4).flip(0), tensor(4, 2)[:, 1]):
            u = u.detach().requires_grad_()     # neither contiguous nor as it is in memory
            for f in (loss, reference):
                f(u, xd).backward()
            close(*torch.autograd.grad(loss(u, xd), u), *torch.autograd.grad(reference(u, xd), u))
            close(loss(u, xd), reference(u, xd))

    def test_gradients_are_the_callers(self):
        u, want = wd.clone().requires_grad_(), torch.autograd.grad(reference(w, xd), w)[0]
        y = loss(u, xd)
        for keep in (True, True, False):        # each may be changed
            g = torch.autograd.grad(y, u, retain_graph=keep)[0]
            torch.testing.assert_close(g, want)
            g.zero_()
        with self.assertRaisesRegex(RuntimeError, "second time|already been freed"):
            torch.autograd.grad(y, u)
        y = loss(u, xd)
        for ct in (1, 2, 1, -1):
            g = torch.autograd.grad(y, u, torch.tensor(ct, dtype=torch.float64), retain_graph=True)[0]
            torch.testing.assert_close(g, ct * want)
        one = torch.complex(xd[0] * 0, xd[0] * 0 + 1).conj().imag       # it is -1, and 1 in memory
        torch.testing.assert_close(torch.autograd.grad(y, u, one, retain_graph=True)[0], -want)
        with torch.autograd.forward_ad.dual_level():
            ct = torch.autograd.forward_ad.make_dual(torch.ones_like(y), torch.full_like(y, 2))
            g = torch.autograd.forward_ad.unpack_dual(torch.autograd.grad(loss(u, xd), u, ct)[0])
        torch.testing.assert_close(g.tangent, 2 * want)

    def test_changes_in_place(self):
        u = wd.clone().requires_grad_()
        z = u * 1
        y, want = loss(z, xd), torch.autograd.grad(reference(u, xd), u)[0]
        z.add_(1)
        torch.testing.assert_close(torch.autograd.grad(y, u, retain_graph=True)[0], want)   # it was known before
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            torch.autograd.grad(y, u, create_graph=True)

    def test_modules(self):
        net, f = Net(), raido.torch.wrap(m.table)
        for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
            other(xd).backward()
            self.assertIsNone(net.w.grad)
            torch.testing.assert_close(other(xd), reference(net.w, xd))
        self.assertIn("loss", repr(net.loss))
        self.assertIn("Raido_lossBackward", repr(net(xd).grad_fn))
        torch.testing.assert_close(func.functional_call(net, {"w": wd}, (xd,)), reference(wd, xd))
        self.assertEqual(f(2).tolist(), [[0, 0, 0], [0, 1, 2]]) # nothing to differentiate, and no tensors
        numbers = torch.compile(lambda: f(2) + 1, fullgraph=True, backend="aot_eager")
        self.assertEqual(numbers().tolist(), [[1, 1, 1], [1, 2, 3]])

    def test_rows(self):
        close, R = torch.testing.assert_close, W.T.contiguous()
        for dims, args in (((1, None), (R, xd)), ((1, 0), (R, W)), ((-1, 0), (R, W)), ((None, 1), (xd, R))):
            close(func.vmap(loss, dims)(*args), func.vmap(reference, dims)(*args))
        close(func.vmap(func.vmap(loss, (0, None)), (None, 0))(W, W),
              func.vmap(func.vmap(reference, (0, None)), (None, 0))(W, W))
        self.assertEqual(func.vmap(lambda v: lin(W, v, 2.0, 3), out_dims=(1, 0))(W[:2])[0].shape, (5, 2))
        close(func.vmap(loss, (0, None), chunk_size=2)(W, xd), func.vmap(reference, (0, None))(W, xd))
        self.assertEqual(func.vmap(loss, (0, None))(W[:0], xd).shape, (0,))
        ones = torch.ones(3, dtype=torch.float64)
        self.assertEqual(torch.autograd.grad(loss(w, xd), w, ones, is_grads_batched=True)[0].shape, (3, 4))

    def test_others(self):
        close, want = torch.testing.assert_close, torch.autograd.grad(reference(w, xd), w)[0]
        close(torch.autograd.grad(torch.utils.checkpoint.checkpoint(loss, w, xd, use_reentrant=False), w)[0], want)
        close(torch.autograd.functional.hessian(lambda w: loss(w, xd), wd), func.hessian(reference)(wd, xd))
        with torch.inference_mode():
            close(loss(wd, xd), reference(wd, xd))
        with torch.autograd.detect_anomaly(check_nan=False):
            close(torch.autograd.grad(loss(w, xd), w)[0], want)
        leaked = []
        func.grad(lambda w: leaked.append(w) or (w * w).sum())(wd)
        close(loss(leaked[0], xd), reference(wd, xd))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            close(torch.autograd.grad(loss(w, xd), w)[0], want)
            close(func.vmap(loss, (0, None))(W, xd), func.vmap(reference, (0, None))(W, xd))


class Differentiation(unittest.TestCase):
    def test_backward(self):
        u = torch.nn.Parameter(wd.clone())
        loss(u, xd).backward()
        r = wd.clone().requires_grad_()
        reference(r, xd).backward()
        torch.testing.assert_close(u.grad, r.grad)

    def test_checks(self):
        self.assertTrue(gradcheck(loss, (w, x), check_forward_ad=True, check_batched_grad=True))
        self.assertTrue(gradgradcheck(loss, (w, x)))
        self.assertTrue(gradcheck(rows, (a, w, s), check_forward_ad=True, check_batched_grad=True))
        self.assertTrue(gradgradcheck(rows, (a, w, s)))

    def test_some_cotangents(self):
        got = torch.autograd.grad(rows(a, w, s)[1], w)[0]
        torch.testing.assert_close(got, torch.full((4,), 4.5, dtype=torch.float64))

    def test_func(self):
        close = torch.testing.assert_close
        close(func.grad(loss)(wd, xd), func.grad(reference)(wd, xd))
        close(func.vmap(loss, (0, None))(W, xd), func.vmap(reference, (0, None))(W, xd))
        close(func.vmap(func.grad(loss), (0, None))(W, xd), func.vmap(func.grad(reference), (0, None))(W, xd))
        close(func.jvp(loss, (wd, xd), (xd, wd)), func.jvp(reference, (wd, xd), (xd, wd)))
        close(func.jacrev(loss)(wd, xd), func.jacrev(reference)(wd, xd))
        close(func.hessian(loss)(wd, xd), func.hessian(reference)(wd, xd))

    def test_rows_of_gradients(self):
        """Inside of torch.func the backward pass scales what the forward pass has computed; further derivatives are right."""
        other = raido.compile(os.path.join(HERE, "program.fut"), cflags="-O0 -std=c11")
        f, X = raido.torch.wrap(other.loss), tensor(5, 4, grad=False)
        r, grad, vmap = reference, func.grad, func.vmap
        for dims in ((0, 0), (0, None), (None, 0)):
            args = [W if dims[0] == 0 else wd, X if dims[1] == 0 else xd]
            for by in (0, (0, 1)):
                torch.testing.assert_close(vmap(grad(f, by), dims)(*args), vmap(grad(r, by), dims)(*args))
        derived = [steps for _, steps in other._functions if steps]
        self.assertTrue(all(s[0].startswith("grad") for s in derived), derived)
        for g in (lambda f: grad(lambda w: grad(f)(w, xd).sum()), lambda f: lambda w: func.jvp(grad(f), (w, xd), (xd, w))[1],
                  lambda f: lambda w: vmap(func.hessian(f), (0, None))(W, w), lambda f: lambda w: func.jacrev(grad(f))(w, xd),
                  lambda f: grad(lambda w: (vmap(grad(f), (None, 0))(w, X) ** 2).sum()),
                  lambda f: lambda w: vmap(vmap(grad(f), (0, None)), (None, 0))(W, X),
                  lambda f: lambda w: func.jvp(lambda w: vmap(grad(f), (None, 0))(w, X), (w,), (xd,))[1]):
            torch.testing.assert_close(g(f)(wd), g(r)(wd))

    def test_rows_of_sweeps(self):
        """Likewise for results of other kinds, by the two sweeps for rows."""
        other = raido.compile("""
            entry layer [n][m] (w: [n][m]f64) (x: [m]f64) : [n]f64 = map (\\r -> f64.tanh (f64.sum (map2 (*) r x))) w
            entry two [n] (s: f64) (k: i64) (x: [n]f64) : ([n]f64, f64) =
              (map (\\a -> f64.exp (s * a)) x, f64.i64 k * f64.sum (map (** 3) x))""", cflags="-O0 -std=c11")
        layer, two = raido.torch.wrap(other.layer), raido.torch.wrap(other.two)
        grad, vmap, X, c = func.grad, func.vmap, tensor(5, 4, grad=False), torch.arange(3.0, dtype=torch.float64)

        def of_layer(f):
            return lambda a, x: (f(a, x) ** 2 * c).sum()

        def of_two(f):
            return lambda s, x: (f(s, 3, x)[0] ** 2).sum() * f(s, 3, x)[1]
        f, r = of_layer(layer), of_layer(lambda a, x: torch.tanh(a @ x))
        A, A5 = a.detach(), tensor(5, 3, 4, grad=False)
        for args, dims in (((A, X), (None, 0)), ((A5, X), (0, 0)), ((A5, xd), (0, None))):
            torch.testing.assert_close(vmap(grad(f, (0, 1)), dims)(*args), vmap(grad(r, (0, 1)), dims)(*args))
        derived = [steps for _, steps in other._functions if steps]
        self.assertTrue(all(s[0].startswith("split") for s in derived), derived)
        g, q, S = of_two(two), of_two(lambda s, k, x: (torch.exp(s * x), k * (x ** 3).sum())), tensor(5, grad=False)
        for args, dims in (((S, X), (0, 0)), ((S[0], X), (None, 0)), ((S, xd), (0, None))):
            torch.testing.assert_close(vmap(grad(g, (0, 1)), dims)(*args), vmap(grad(q, (0, 1)), dims)(*args))
        for h in (lambda f: grad(lambda x: grad(f, 1)(A, x).sum()), lambda f: lambda x: func.jvp(grad(f, 1), (A, x), (A, x))[1],
                  lambda f: lambda x: vmap(func.hessian(f, 1), (None, 0))(A, X),
                  lambda f: lambda x: vmap(vmap(grad(f), (0, None)), (None, 0))(A5, X),
                  lambda f: grad(lambda x: (vmap(grad(f), (0, None))(A5, x) ** 2).sum())):
            torch.testing.assert_close(h(f)(xd), h(r)(xd))
        for jac in (func.jacrev, func.jacfwd):
            torch.testing.assert_close(vmap(jac(layer), (None, 0))(A, X), vmap(jac(lambda a, x: torch.tanh(a @ x)), (None, 0))(A, X))

    def test_compile(self):
        f = torch.compile(lambda w, x: loss(w * 2, x) + 1, fullgraph=True, backend="aot_eager")
        u, v = wd.clone().requires_grad_(), wd.clone().requires_grad_()
        got, want = f(u, xd), reference(v * 2, xd) + 1
        got.backward()
        want.backward()
        torch.testing.assert_close(got, want)
        torch.testing.assert_close(u.grad, v.grad)

    def test_compiled_sweeps(self):
        """What torch.compile makes of a derivative keeps what the forward pass has computed."""
        from torch._dynamo.backends.common import aot_autograd
        graphs = []

        def note(graph, _):
            graphs.append([n.target.name() for n in graph.graph.nodes if "raido" in str(n.target)])
            return graph
        program = raido.compile(os.path.join(HERE, "sweeps.fut"), cflags="-O1 -std=c11")
        layer, backend = raido.torch.wrap(program.layer), aot_autograd(fw_compiler=note, bw_compiler=note)
        f = torch.compile(lambda a, w: layer(a * 2, w).sum(), fullgraph=True, backend=backend, dynamic=True)
        again = raido.compile(os.path.join(HERE, "sweeps.fut"), cflags="-O1 -std=c11").layer
        self.assertIsNotNone(raido.torch._keeping(raido.torch._wrapped(again), "w+x"))
        for n in (5, 6, 7):                     # one graph for all sizes
            b = tensor(n, 4)
            got, want = [torch.autograd.grad(y, (b, w)) for y in (f(b, w), torch.tanh((b * 2) @ w).sum())]
            torch.testing.assert_close(got, want)
        forward, backward = program.layer.sweeps(("w", "x"))
        self.assertEqual(graphs, [[raido.torch._define(g, "k").name()] for g in (forward, backward)])
        with torch.no_grad():
            torch.testing.assert_close(f(b, w), torch.tanh((b * 2) @ w).sum())
        self.assertEqual(graphs[2:], [[raido.torch._wrapped(program.layer).traced.name()]])
        graphs.clear()
        f = torch.compile(lambda w: loss(w * 2, xd), fullgraph=True, backend=backend)
        torch.testing.assert_close(*[torch.autograd.grad(y, w) for y in (f(w), reference(w * 2, xd))])
        self.assertEqual(graphs, [[raido.torch._define(m.loss.derive("grad(w)"), "k").name()], []])

    def test_operation(self):
        torch.library.opcheck(raido.torch._define(m.loss), (wd, xd))
        torch.library.opcheck(raido.torch._define(m.lin), (a.detach(), wd, s.detach(), 3))

    def test_amp(self):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            got = loss(w.to(torch.bfloat16), x)
        self.assertEqual(got.dtype, torch.float64)

    def test_training(self):
        u = torch.nn.Parameter(torch.ones(4, dtype=torch.float64))
        optimiser = torch.optim.SGD([u], 0.05)
        first = reference(u, xd.abs()).item()
        for _ in range(20):
            optimiser.zero_grad()
            value = loss(u, xd.abs())
            value.backward()
            optimiser.step()
        self.assertLess(value.item(), first)

    def test_two_sweeps(self):
        """The backward pass uses what the forward pass has saved."""
        program = raido.compile(os.path.join(HERE, "sweeps.fut"), cflags="-O1 -std=c11")
        layer, mixed = raido.torch.wrap(program.layer), raido.torch.wrap(program.mixed)
        saved = []
        with torch.autograd.graph.saved_tensors_hooks(lambda t: saved.append(t.shape) or t, lambda t: t):
            y = layer(a, w)
        self.assertEqual(saved, [(3, 4), (4,), (3,)])
        u, v = a.detach().requires_grad_(), wd.clone().requires_grad_()
        want = torch.tanh(u @ v)
        torch.testing.assert_close(y, want)
        for keep in (True, False):              # backward twice
            got = torch.autograd.grad(y, (a, w), torch.ones(3, dtype=torch.float64), retain_graph=keep)
        for g, r in zip(got, torch.autograd.grad(want.sum(), (u, v))):
            torch.testing.assert_close(g, r)
        with self.assertRaisesRegex(RuntimeError, "second time|already been freed"):
            torch.autograd.grad(y.sum(), a)
        self.assertTrue(gradcheck(layer, (a, w), check_forward_ad=True, check_batched_grad=True))
        self.assertTrue(gradgradcheck(layer, (a, w)))
        indices = torch.tensor([1, 0, 2, 2])
        self.assertTrue(gradcheck(lambda s, x: mixed(s, indices, x)[:2], (s, x)))
        self.assertFalse(mixed(s, indices, x)[2].requires_grad)
        u = a.detach().clone().requires_grad_()
        y = layer(u * 1, wd)                    # the gradient by one of them
        y.sum().backward()
        torch.testing.assert_close(u.grad, torch.autograd.grad(torch.tanh(u @ wd).sum(), u)[0])
        z = u * 1
        y = layer(z, w)
        z.add_(1)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            y.sum().backward()

    def test_saved_memory(self):
        program = raido.compile(os.path.join(HERE, "sweeps.fut"), cflags="-O1 -std=c11")
        layer = raido.torch.wrap(program.layer)
        u = torch.randn(1024, 4, dtype=torch.float64, requires_grad=True)
        layer(u, wd).sum().backward()
        live = program.memory()["live"]
        y = layer(u, wd)
        self.assertEqual(program.memory()["live"] - live, 2 * 8192)       # the result, and the products
        y.sum().backward()
        self.assertEqual(program.memory()["live"] - live, 8192)        # they are gone, and PyTorch adds up gradients
        del y
        self.assertEqual(program.memory()["live"], live)

    def test_memory_is_shared(self):
        t = m.same(wd)
        self.assertEqual(t.numpy().ctypes.data, t.data_ptr())
        self.assertIsInstance(np.asarray(t), np.ndarray)


if __name__ == "__main__":
    unittest.main()
