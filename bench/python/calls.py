"""Times of calls: minima of several rounds, so that other work on the machine counts little."""
import os
import resource
import subprocess
import sys
import threading
import time
import timeit

import numpy as np

import raido

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = r"""
entry axpb [n] (a: f64) (b: f64) (xs: [n]f64) : [n]f64 = map (\x -> a * x + b) xs
entry loss [n] (w: [n]f64) (x: [n]f64) : f64 = f64.sum (map2 (\a b -> f64.sin (a * b)) w x)
entry slow (n: i64) : f64 = loop x = 0 for i < n do f64.sin (x + f64.i64 i)
entry layer [n][m] (w: [n][m]f64) (x: [m]f64) : [n]f64 = map (\r -> f64.tanh (f64.sum (map2 (*) r x))) w
"""


def best(f, number):
    """Many short rounds, most of which nothing interrupts."""
    f()
    if number < 100:
        return min(timeit.repeat(f, number=1, repeat=10 * number)) * 1e6
    return min(timeit.repeat(f, number=number // 100, repeat=300)) / (number // 100) * 1e6


missed = []


def show(name, what, value, unit="us", goal=None):
    """A line of the table; with a goal, whether it is reached."""
    said = "" if goal is None else f"{goal:>8}  " + ("reached" if value <= goal else "MISSED")
    if goal is not None and value > goal:
        missed.append(name)
    print(f"{name:<34}{what:<28}{value:>10.2f} {unit:<9}{said}", flush=True)


def cpu(setup, code):
    """Seconds of processor time that code takes in a fresh process, what it starts included."""
    used = "sum(sum(resource.getrusage(w)[:2]) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))"
    text = f"import resource\n{setup}\nbefore = {used}\n{code}\nprint({used} - before)"
    return float(subprocess.run([sys.executable, "-c", text], check=True, stdout=subprocess.PIPE).stdout.split()[-1])


def has(name):
    try:
        __import__(name)
        return True
    except ImportError:
        return False


def first_calls():
    one = PROGRAM.strip().splitlines()[0]
    setup = "import os, numpy as np, raido; xs = np.ones(4)"
    call = f"raido.compile({one!r} + os.environ.get('BLANKS', '')).axpb(1.0, 2.0, xs)"

    def anew(k):
        os.environ["BLANKS"] = " " * k          # another text, so that nothing is cached
        return cpu(setup, call)
    show("first call", "Raido", min(anew(k) for k in range(5)), "s of CPU", 0.35)
    show("first call, cached", "Raido", min(cpu(setup, call) for _ in range(5)) * 1e3, "ms of CPU", 5)
    show("import", "Raido", min(cpu("pass", "import raido") for _ in range(5)) * 1e3, "ms of CPU", 50)
    for name, module, setup, code in (
            ("Numba", "numba", "import numpy as np, numba; xs = np.ones(4)",
             "numba.njit(lambda a, b, x: a * x + b)(1.0, 2.0, xs)"),
            ("JAX", "jax", "import numpy as np, jax; xs = np.ones(4)",
             "jax.jit(lambda a, b, x: a * x + b)(1.0, 2.0, xs)"),
            ("torch.compile", "torch", "import torch; xs = torch.ones(4)",
             "torch.compile(lambda a, b, x: a * x + b)(1.0, 2.0, xs)")):
        if has(module):
            show("first call", name, cpu(setup, code), "s of CPU")


def numpy_calls(m):
    xs = np.ones(4)
    f = m.axpb
    show("call, NumPy, 4 elements", "Raido", best(lambda: f(2.0, 1.0, xs), 20000), goal=0.5)
    show("call, NumPy, 4 elements", "NumPy (a * x + b)", best(lambda: 2.0 * xs + 1.0, 20000))
    if has("numba"):
        import numba
        g = numba.njit(lambda a, b, x: a * x + b)
        show("call, NumPy, 4 elements", "Numba", best(lambda: g(2.0, 1.0, xs), 20000))
    if has("jax"):
        import jax
        jax.config.update("jax_enable_x64", True)
        h, ys = jax.jit(lambda a, b, x: a * x + b), jax.numpy.ones(4)
        show("call, NumPy, 4 elements", "jax.jit", best(lambda: h(2.0, 1.0, ys).block_until_ready(), 2000))
    if has("warp"):
        import warp as wp
        wp.config.quiet = True

        @wp.kernel
        def axpb(a: wp.float64, b: wp.float64, x: wp.array(dtype=wp.float64), y: wp.array(dtype=wp.float64)):
            i = wp.tid()
            y[i] = a * x[i] + b
        u, v = wp.array(xs, dtype=wp.float64, device="cpu"), wp.zeros(4, dtype=wp.float64, device="cpu")
        show("call, NumPy, 4 elements", "Warp, into an array",
             best(lambda: wp.launch(axpb, dim=4, inputs=[2.0, 1.0, u, v], device="cpu"), 2000))
    large_calls(m, "c", 1)
    large_calls(m, "multicore", os.cpu_count() or 1)


def large_calls(m, backend, threads):
    """64 MiB into an array, beside PyTorch with as many threads."""
    m = m if backend == "c" else raido.compile(PROGRAM, backend=backend)
    what = f"64 MiB into an array, {threads} thread" + ("s" if threads > 1 else "")
    large = np.ones(8 << 20)
    out = np.empty_like(large)
    m.axpb(2.0, 1.0, large, out=out)
    before = m.memory()["allocations"]
    ours = best(lambda: m.axpb(2.0, 1.0, large, out=out), 3)
    show(what, "Raido", ours / 1e3, "ms")
    assert m.memory()["allocations"] == before
    if has("torch"):
        import torch
        usual = torch.get_num_threads()
        torch.set_num_threads(threads)
        t = torch.ones(8 << 20, dtype=torch.float64)
        u = torch.empty_like(t)
        theirs = best(lambda: torch.add(torch.mul(t, 2.0, out=u), 1.0, out=u), 3)
        torch.set_num_threads(usual)
        show(what, "PyTorch", theirs / 1e3, "ms")
        show(what, "Raido to PyTorch", ours / theirs, "", 1.1)


def sweeps(m):
    """A derivative in two calls: what the second one need not compute again."""
    w, x, ct = np.full((256, 1000), 0.01), np.ones(1000), np.ones(256)
    f, vjp, vjp2 = m.layer, m.layer.vjp, m.layer.vjp2
    forward, backward = m.layer.sweeps()
    kept = [forward(w, x)[k] for k in backward.info["saved"]]
    show("layer of 256 x 1000", "alone", best(lambda: f(w, x), 20))
    show("layer of 256 x 1000", "vjp2, one call", best(lambda: vjp2(w, x, ct), 20))
    show("layer of 256 x 1000", "forward sweep", best(lambda: forward(w, x), 20))
    show("layer of 256 x 1000", "backward sweep", best(lambda: backward(w, x, *kept, ct), 20))
    show("layer of 256 x 1000", "vjp, from the beginning", best(lambda: vjp(w, x, ct), 20))


def value_and_gradient():
    """Kalman's filter: the loop that gives the value also writes the tape of the gradient."""
    m = raido.compile(os.path.join(HERE, "..", "general", "programs", "kalman_matrices.fut"))
    random = np.random.default_rng(1)
    fixed = random.standard_normal((40, 50, 2)), 0.1 * random.standard_normal((4, 4)), random.standard_normal((2, 4))
    args = *fixed, np.zeros(4), np.zeros(2)
    both = m.primal.value_and_grad(wrt=("f", "h", "logq", "logr"))
    alone, together = best(lambda: m.gradient(*args), 20), best(lambda: both(*args), 20)
    show("Kalman's filter", "gradient", alone)
    show("Kalman's filter", "value and gradient", together)
    show("Kalman's filter", "the latter to the former", together / alone, "", 1.1)


def nothing(torch, made=[]):
    """The least that PyTorch takes for a function that is not its own."""
    if not made:
        class Nothing(torch.autograd.Function):
            @staticmethod
            def forward(ctx, w, x):
                ctx.save_for_backward(w, x)
                return w.new_empty(())

            @staticmethod
            def backward(ctx, ct):
                return ctx.saved_tensors[1], None
        made.append(Nothing.apply)
    return made[0]


def growth(m):
    """Memory of the process after many calls, and how long dropping an array takes during a call."""
    def resident():
        with open("/proc/self/statm", encoding="ascii") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024
    xs = np.ones(1000)
    for n in (1000, 100000):
        before = resident()
        for _ in range(n):
            m.axpb(2.0, 1.0, xs)
    show("1e5 calls, growth", "Raido", resident() - before, "KiB", 0)
    arrays = [m.axpb(2.0, 1.0, xs) for _ in range(100)]
    worker = threading.Thread(target=m.slow, args=(20_000_000,))
    worker.start()
    worst = 0
    while arrays and worker.is_alive():
        t = time.perf_counter()
        arrays.pop()
        worst = max(worst, time.perf_counter() - t)
        time.sleep(0.001)
    worker.join()
    show("dropping an array during a call", "Raido, the slowest", worst * 1e3, "ms", 1)


def torch_calls(m):
    import torch

    import raido.torch
    w = torch.ones(4, dtype=torch.float64, requires_grad=True)
    x = torch.ones(4, dtype=torch.float64)
    wd, f, loss = w.detach(), m.loss, raido.torch.wrap(m.loss)
    show("call, tensors", "Raido", best(lambda: f(wd, x), 20000), goal=1.3)
    show("call, tensors", "PyTorch, three operations", best(lambda: torch.sum(torch.sin(wd * x)), 20000))
    ours, least, theirs = [best(f, 2000) for f in (lambda: loss(w, x).backward(), lambda: nothing(torch)(w, x).backward(),
                                                   lambda: torch.sum(torch.sin(w * x)).backward())]
    show("forward and backward", "Raido", ours)
    show("forward and backward", "PyTorch, no operation", least)
    show("forward and backward", "PyTorch, three operations", theirs)
    show("forward and backward", "Raido to three operations", ours / theirs, "", 0.77)
    a = torch.full((256, 1000), 0.01, dtype=torch.float64, requires_grad=True)
    v, ct = torch.ones(1000, dtype=torch.float64), torch.ones(256, dtype=torch.float64)
    layer = raido.torch.wrap(m.layer)
    show("layer, forward and backward", "Raido", best(lambda: layer(a, v).backward(ct), 20))
    show("layer, forward and backward", "PyTorch (two threads)", best(lambda: torch.tanh(a @ v).backward(ct), 20))


def jax_calls(m):
    import jax

    import raido.jax
    f = raido.jax.wrap(m.loss)
    x = jax.numpy.ones(4)
    n = 1000

    def loop(g):
        h = jax.jit(lambda w: jax.lax.fori_loop(0, n, lambda _, w: w + 1e-9 * g(w, x), w))
        return best(lambda: h(x).block_until_ready(), 100) / n
    show("call in a loop of XLA", "Raido", loop(f), goal=0.3)
    w, ct = jax.numpy.full((256, 1000), 0.01), jax.numpy.ones(256)
    v = jax.numpy.ones(1000)

    def pulled(g):
        h = jax.jit(lambda w, v: jax.vjp(lambda w: g(w, v), w)[1](ct)[0])
        return best(lambda: h(w, v).block_until_ready(), 20)
    show("layer, gradient by its matrix", "Raido in JAX", pulled(raido.jax.wrap(m.layer)))
    show("layer, gradient by its matrix", "JAX", pulled(lambda w, v: jax.numpy.tanh(w @ v)))
    show("call in a loop of XLA", "JAX", loop(lambda w, x: jax.numpy.sum(jax.numpy.sin(w * x))))


def main():
    first_calls()
    m = raido.compile(PROGRAM)
    numpy_calls(m)
    growth(m)
    sweeps(m)
    value_and_gradient()
    if has("torch"):
        torch_calls(m)
    if has("jax"):
        jax_calls(m)
    print(f"{len(missed)} goals missed" + (": " + ", ".join(missed) if missed else ""))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    main()
