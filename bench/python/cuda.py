"""Calls on CUDA tensors, beside PyTorch: microseconds of the host until a call returns, and with the device.

Each path that a program takes has a line: calls without gradients, the forward pass, forward and backward, and the
same as a graph that was captured."""
import sys
import time

import torch

import raido
import raido.torch
from calls import show

PROGRAM = r"""
entry axpb [n] (a: f32) (b: f32) (xs: [n]f32) : [n]f32 = map (\x -> a * x + b) xs
entry loss [n] (w: [n]f32) (x: [n]f32) : f32 = f32.sum (map2 (\a b -> f32.sin (a * b)) w x)
entry layer [n][m] (w: [n][m]f32) (x: [m]f32) : [n]f32 = map (\r -> f32.tanh (f32.sum (map2 (*) r x))) w
"""


def host(f, number=1000, rounds=7):
    """Of a call that returns before the device is done; least of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        for _ in range(10):
            f()
        torch.cuda.synchronize()
        t = time.perf_counter()
        for _ in range(number):
            f()
        best = min(best, (time.perf_counter() - t) / number * 1e6)
        torch.cuda.synchronize()
    return best


def total(f, number=50, rounds=5):
    """With the device."""
    best = float("inf")
    for _ in range(rounds):
        f()
        torch.cuda.synchronize()
        t = time.perf_counter()
        for _ in range(number):
            f()
        torch.cuda.synchronize()
        best = min(best, (time.perf_counter() - t) / number * 1e6)
    return best


def graph(f):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            f()
    torch.cuda.current_stream().wait_stream(side)
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        f()
    return g.replay


def step(f, *args):
    """Forward and backward; the gradient is new each time."""
    ct = torch.ones_like(f(*args))

    def run():
        f(*args).backward(ct)
        for a in args:
            a.grad = None
    return run


def compare(name, ours, theirs, what):
    """All paths of a function: `ours` and `theirs` are (function, arguments)."""
    for who, (f, args) in (("Raido", ours), (f"PyTorch, {what}", theirs)):
        plain = [a.detach() for a in args]
        with torch.no_grad():
            show(f"{name}, host", who, host(lambda: f(*plain)))
        show(f"{name}, forward, host", who, host(lambda: f(*args)))
        show(f"{name}, forward+backward, host", who, host(step(f, *args), 300))
        show(f"{name}, forward+backward", who, total(step(f, *args), 300))
        replay = graph(step(f, *args))
        show(f"{name}, captured, host", who, host(replay, 100))
        show(f"{name}, captured", who, total(replay, 300))


def main():
    """`host`: the calls alone, which is a few seconds."""
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__, flush=True)
    m = raido.compile(PROGRAM, backend="cuda")
    x = torch.ones(1000, device="cuda")
    w = torch.ones(1000, device="cuda", requires_grad=True)
    a = torch.full((256, 1000), 0.01, device="cuda", requires_grad=True)
    out = torch.empty_like(x)
    show("axpb, host", "Raido", host(lambda: m.axpb(2.0, 1.0, x)), goal=4)
    show("axpb, host", "Raido, out=", host(lambda: m.axpb(2.0, 1.0, x, out=out)), goal=4)
    show("axpb, host", "PyTorch, two operations", host(lambda: 2.0 * x + 1.0))
    show("loss, not wrapped, host", "Raido", host(lambda: m.loss(x, x)))
    if "host" in sys.argv:
        return
    compare("loss", (raido.torch.wrap(m.loss), (w, x)), (lambda w, x: torch.sum(torch.sin(w * x)), (w, x)),
            "three operations")
    compare("layer", (raido.torch.wrap(m.layer), (a, x)), (lambda a, x: torch.tanh(a @ x), (a, x)), "two operations")
    large = torch.ones(16 << 20, device="cuda")
    show("axpb, 64 MiB", "Raido", total(lambda: m.axpb(2.0, 1.0, large)))
    show("axpb, 64 MiB", "PyTorch", total(lambda: 2.0 * large + 1.0))


if __name__ == "__main__":
    sys.exit(main())
