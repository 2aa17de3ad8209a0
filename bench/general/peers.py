"""JAX and PyTorch for the models of `problems`: what the two have in common under one name.

A model is a function of a framework F and the arguments by name; `F.xp` is `jax.numpy` or `torch`, whose names
agree for the most part; methods stand for what does not.  `F.jax` tells where the two are written differently.
"""
import numpy as np


class Jax:
    name, jax = "jax", True

    def __init__(self, on_gpu):
        import jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")
        if on_gpu and jax.default_backend() != "gpu":
            raise RuntimeError("no GPU for JAX")
        self.lib, self.xp, self.lax, self.nn = jax, jax.numpy, jax.lax, jax.nn

    def array(self, x):
        return self.xp.asarray(x)

    def numpy(self, x):
        return [np.asarray(y) for y in self.lib.tree_util.tree_leaves(x)]

    def prepare(self, f, args):
        """A call of a function that returns when its result is there."""
        f = self.lib.jit(f)
        return lambda: self.lib.block_until_ready(f(args))

    def gradient(self, f, args, active, mode):
        """The derivative as programs have it, as a function of all arguments."""
        jax, xp = self.lib, self.xp

        def parts(a):
            return {k: a[k] for k in active}, lambda p: f({**a, **p})

        def vjp(a):
            p, g = parts(a)
            y, back = jax.vjp(g, p)
            out = back(jax.tree_util.tree_map(xp.ones_like, y))[0]
            return [out[k] for k in active]

        def jvp(a):
            p, g = parts(a)
            return jax.jvp(g, (p,), (jax.tree_util.tree_map(xp.ones_like, p),))[1]

        def jacfwd(a):
            p, g = parts(a)
            out = jax.jacfwd(lambda q: sum(y.sum() for y in jax.tree_util.tree_leaves(g(q))))(p)
            return [out[k] for k in active]

        def hessian(a):
            p, g = parts(a)
            return jax.hessian(lambda x: g({active[0]: x}))(p[active[0]])
        return {"vjp": vjp, "jvp": jvp, "jacfwd": jacfwd, "hessian": hessian}[mode]

    # ---- What the namespaces do not share ----

    def scan(self, step, state, xs=None, length=None):
        return self.lax.scan(step, state, xs, length)

    def repeat(self, n, step, state):
        """step(i, state), n times."""
        return self.lax.fori_loop(0, n, step, state)

    def until(self, go_on, step, state, bound):
        """Elementwise: step where go_on holds, at most `bound` times.  Forwards by a loop that ends."""
        xp, tree = self.xp, self.lib.tree_util

        def body(s):
            go = go_on(s)
            return tree.tree_map(lambda a, b: xp.where(go, a, b), step(s), s)
        return self.lax.while_loop(lambda s: xp.any(go_on(s)), body, state)

    def vmap(self, f, axes=0):
        return self.lib.vmap(f, axes)

    def amax(self, x, axis):
        return x.max(axis)

    def amin(self, x, axis):
        return x.min(axis)

    def lse(self, x, axis):
        return self.nn.logsumexp(x, axis)

    def softmax(self, x):
        return self.nn.softmax(x, -1)

    def sigmoid(self, x):
        return self.nn.sigmoid(x)

    def relu(self, x):
        return self.nn.relu(x)

    def softplus(self, x):
        return self.nn.softplus(x)

    def erf(self, x):
        return self.lib.scipy.special.erf(x)

    def sort(self, x):
        return self.xp.sort(x, -1)

    def flip(self, x, axis):
        return self.xp.flip(x, axis)

    def like(self, x, shape, value=0.0):
        return self.xp.full(shape, value, x.dtype)

    def arange(self, n, like=None):
        return self.xp.arange(n) if like is None else self.xp.arange(n, dtype=like.dtype)

    def eye(self, n, like):
        return self.xp.eye(n, dtype=like.dtype)

    def put(self, x, index, v):
        return x.at[index].set(v)

    def add_at(self, x, index, v):
        return x.at[index].add(v)

    def segment_sum(self, v, ids, n):
        return self.lib.ops.segment_sum(v, ids, n)

    def pad(self, x, widths):
        """By zeros: (before, after) for each axis."""
        return self.xp.pad(x, widths)

    def conv(self, x, w, padding=1, stride=1):
        return self.lax.conv_general_dilated(x, w, (stride, stride), [(padding, padding)] * 2)

    def trisolve(self, l, b, lower=True):
        return self.lib.scipy.linalg.solve_triangular(l, b, lower=lower)

    def transpose(self, x, axes):
        return self.xp.transpose(x, axes)

    def cast(self, x, like):
        return x.astype(like.dtype)


class Torch:
    name, jax = "torch", False

    def __init__(self, on_gpu, compiled=False, threads=1):
        import torch
        self.lib = self.xp = torch
        self.on_gpu, self.compiled = on_gpu, compiled
        if on_gpu and not torch.cuda.is_available():
            raise RuntimeError("no GPU for PyTorch")
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.set_num_threads(threads)
        self.device = "cuda" if on_gpu else "cpu"

    def array(self, x):
        return self.lib.as_tensor(np.array(x), device=self.device)

    def numpy(self, x):
        return [y.detach().cpu().numpy() for y in (x if isinstance(x, (list, tuple)) else [x])]

    def prepare(self, f, args):
        if self.compiled and self.on_gpu:
            f = self.graphed(f, args)

        def call():
            out = f(args)
            if self.on_gpu:
                self.lib.cuda.synchronize()
            return out
        return call

    def graphed(self, f, args):
        torch = self.lib
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):
                f(args)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            out = f(args)

        def replay(_):
            graph.replay()
            return out
        return replay

    def primal(self, f):
        f = self.lib.compile(f, dynamic=False) if self.compiled else f

        def run(a):
            with self.lib.no_grad():
                return f(a)
        return run

    def gradient(self, f, args, active, mode):
        torch = self.lib
        func = torch.func
        compiled = torch.compile(f, dynamic=False) if self.compiled else f

        def vjp(a):
            p = [a[k].detach().requires_grad_() for k in active]
            y = compiled({**a, **dict(zip(active, p))})
            ys = y if isinstance(y, (list, tuple)) else [y]
            return torch.autograd.grad(ys, p, [torch.ones_like(t) for t in ys], materialize_grads=True)

        def jvp(a):
            p = tuple(a[k] for k in active)
            return func.jvp(lambda *q: f({**a, **dict(zip(active, q))}), p, tuple(torch.ones_like(x) for x in p))[1]

        def hessian(a):
            return func.hessian(lambda x: f({**a, active[0]: x}))(a[active[0]])
        if mode in ("jvp", "hessian"):
            forward = {"jvp": jvp, "hessian": hessian}[mode]
            return torch.compile(forward, dynamic=False) if self.compiled else forward
        return vjp

    # ---- What the namespaces do not share ----

    def scan(self, step, state, xs=None, length=None):
        ys = []
        first = xs[0] if isinstance(xs, (tuple, list)) else xs
        for i in range(length if xs is None else len(first)):
            x = None if xs is None else tuple(y[i] for y in xs) if isinstance(xs, (tuple, list)) else xs[i]
            state, y = step(state, x)
            ys.append(y)
        if not ys or ys[0] is None:
            return state, None
        if isinstance(ys[0], tuple):
            return state, tuple(self.lib.stack(p) for p in zip(*ys))
        return state, self.lib.stack(ys)

    def repeat(self, n, step, state):
        for i in range(n):
            state = step(i, state)
        return state

    def until(self, go_on, step, state, bound):
        """Without asking the device whether any element goes on."""
        where, single = self.lib.where, not isinstance(state, tuple)
        for _ in range(bound):
            go, after = go_on(state), step(state)
            state = where(go, after, state) if single else tuple(where(go, a, b) for a, b in zip(after, state))
        return state

    def vmap(self, f, axes=0):
        return self.lib.func.vmap(f, axes)

    def amax(self, x, axis):
        return x.amax(axis)

    def amin(self, x, axis):
        return x.amin(axis)

    def lse(self, x, axis):
        return self.lib.logsumexp(x, axis)

    def softmax(self, x):
        return self.lib.softmax(x, -1)

    def sigmoid(self, x):
        return self.lib.sigmoid(x)

    def relu(self, x):
        return self.lib.relu(x)

    def softplus(self, x):
        return self.lib.nn.functional.softplus(x)

    def erf(self, x):
        return self.lib.erf(x)

    def sort(self, x):
        return self.lib.sort(x, -1).values

    def flip(self, x, axis):
        return self.lib.flip(x, (axis,))

    def like(self, x, shape, value=0.0):
        return self.lib.full(shape, value, dtype=x.dtype, device=x.device)

    def arange(self, n, like=None):
        return self.lib.arange(n, device=self.device, dtype=None if like is None else like.dtype)

    def eye(self, n, like):
        return self.lib.eye(n, dtype=like.dtype, device=like.device)

    def put(self, x, index, v):
        y = x.clone()
        y[index] = v
        return y

    def add_at(self, x, index, v):
        return x.index_put(index if isinstance(index, tuple) else (index,), v, accumulate=True)

    def segment_sum(self, v, ids, n):
        return self.like(v, (n,) + tuple(v.shape[1:])).index_add(0, ids, v)

    def pad(self, x, widths):
        return self.lib.nn.functional.pad(x, [w for pair in reversed(widths) for w in pair])

    def conv(self, x, w, padding=1, stride=1):
        return self.lib.nn.functional.conv2d(x, w, padding=padding, stride=stride)

    def trisolve(self, l, b, lower=True):
        solve = self.lib.linalg.solve_triangular
        return solve(l, b, upper=not lower) if b.ndim > 1 else solve(l, b[:, None], upper=not lower)[:, 0]

    def transpose(self, x, axes):
        return x.permute(axes)

    def cast(self, x, like):
        return x.to(like.dtype)
