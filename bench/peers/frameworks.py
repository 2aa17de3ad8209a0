"""What NumPy, JAX and PyTorch do each in their own way.

A framework gives: `xp`, the names the three have in common; arrays of its own from NumPy's; `largest`
and `smallest` along an axis; `scan` for loops in time, `repeat` for those that end when they do, `either`
of two functions; a function and its derivatives ready to be
called many times; and `wait`, after which results are there.
"""
import numpy as np


class Numpy:
    name = "numpy"
    xp = np
    differentiates = False

    def array(self, x):
        return x

    def largest(self, x, axis):
        return x.max(axis)

    def smallest(self, x, axis):
        return x.min(axis)

    def scan(self, step, state, xs):
        """Over the leading dimension of xs: step(state, x) gives the next state and an output."""
        out = []
        for i in range(len(xs[0])):
            state, y = step(state, tuple(x[i] for x in xs))
            out.append(y)
        return state, out

    def add_at(self, like, index, values):
        r = np.zeros_like(like)
        np.add.at(r, index, values)
        return r

    def integers(self, x):
        return x.astype(np.int64)

    def number(self, x):
        return self.array(np.array(float(x)))

    def true(self):
        return self.array(np.array(True))

    def either(self, condition, yes, no):
        return yes() if condition else no()

    def repeat(self, condition, step, state):
        while condition(state):
            state = step(state)
        return state

    def function(self, f):
        return f

    def wait(self, x):
        return x

    def numpy(self, x):
        return np.asarray(x)


class Jax(Numpy):
    name = "jax"
    differentiates = True

    def __init__(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        self.jax = jax
        self.xp = jax.numpy

    def array(self, x):
        return self.xp.asarray(x)

    def scan(self, step, state, xs):
        return self.jax.lax.scan(step, state, xs)

    def add_at(self, like, index, values):
        return self.xp.zeros_like(like).at[index].add(values)

    def either(self, condition, yes, no):
        return self.jax.lax.cond(condition, yes, no)

    def repeat(self, condition, step, state):
        return self.jax.lax.while_loop(condition, step, state)

    def gradient_in(self, mode):
        """Of functions from an array to a number: forwards, "f", or backwards, "r"."""
        return self.jax.jacfwd if mode == "f" else self.jax.grad

    def function(self, f):
        return self.jax.jit(f)

    def gradient(self, f):
        """Of f, from a tuple of arrays to a number."""
        return self.jax.jit(self.jax.grad(f))

    def pullback(self, f, seed):
        return self.jax.jit(lambda x: self.jax.vjp(f, x)[1](seed)[0])

    def newton(self, f):
        """The gradient over the diagonal of a diagonal Hessian."""
        def direction(x):
            g, h = self.jax.jvp(self.jax.grad(f), (x,), (self.xp.ones_like(x),))
            return g / h
        return self.jax.jit(direction)

    def rows(self, f):
        """The derivatives of each result of f, mapped over the leading dimension of its arguments."""
        return self.jax.jit(self.jax.vmap(self.jax.jacrev(f)))

    def columns(self, f, directions):
        """Derivatives along directions, a tuple of arrays with a leading dimension."""
        def along(x):
            return self.jax.vmap(lambda d: self.jax.jvp(f, (x,), (d,))[1])(directions)
        return self.jax.jit(along)

    def wait(self, x):
        return self.jax.block_until_ready(x)


class Torch(Numpy):
    name = "torch"
    differentiates = True

    def __init__(self):
        import torch
        self.torch = torch
        self.xp = torch
        torch.set_default_dtype(torch.float64)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        if self.device == "cpu":
            torch.set_num_threads(1)

    def array(self, x):
        return self.torch.as_tensor(x, device=self.device)

    def largest(self, x, axis):
        return x.amax(axis)

    def smallest(self, x, axis):
        return x.amin(axis)

    def add_at(self, like, index, values):
        return self.torch.zeros_like(like).index_put(index, values, accumulate=True)

    def integers(self, x):
        return x.long()

    def gradient_in(self, mode):
        func, torch = self.torch.func, self.torch

        def forwards(f):
            return lambda x: torch.stack([func.jvp(f, (x,), (d,))[1] for d in torch.eye(len(x)).to(x)])
        return forwards if mode == "f" else func.grad

    def gradient(self, f):
        def run(x):
            active = tuple(a.detach().requires_grad_() for a in x)
            return self.torch.autograd.grad(f(active), active)
        return run

    def pullback(self, f, seed):
        def run(x):
            active = x.detach().requires_grad_()
            return self.torch.autograd.grad(f(active), active, seed)[0]
        return run

    def newton(self, f):
        def run(x):
            active = x.detach().requires_grad_()
            g, = self.torch.autograd.grad(f(active), active, create_graph=True)
            h, = self.torch.autograd.grad(g, active, self.torch.ones_like(g))
            return g.detach() / h
        return run

    def rows(self, f):
        return self.torch.func.vmap(self.torch.func.jacrev(f))

    def columns(self, f, directions):
        def run(x):
            return self.torch.func.vmap(lambda d: self.torch.func.jvp(f, (x,), (d,))[1])(directions)
        return run

    def wait(self, x):
        if self.device == "cuda":
            self.torch.cuda.synchronize()
        return x

    def numpy(self, x):
        return x.detach().cpu().numpy()


ALL = {"numpy": Numpy, "jax": Jax, "torch": Torch}
