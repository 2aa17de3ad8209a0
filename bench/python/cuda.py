"""Calls on CUDA tensors: microseconds of the host while the device keeps up, and of the device."""
import sys
import time

import torch

import raido
import raido.torch
from calls import show

PROGRAM = r"""
entry axpb [n] (a: f32) (b: f32) (xs: [n]f32) : [n]f32 = map (\x -> a * x + b) xs
entry loss [n] (w: [n]f32) (x: [n]f32) : f32 = f32.sum (map2 (\a b -> f32.sin (a * b)) w x)
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


def main():
    m = raido.compile(PROGRAM, backend="cuda")
    x = torch.ones(1000, device="cuda")
    w = torch.ones(1000, device="cuda", requires_grad=True)
    wd, out = w.detach(), torch.empty_like(x)
    loss = raido.torch.wrap(m.loss)

    def backward(f):
        def step():
            f(w, x).backward()
            w.grad = None
        return step

    def torch_loss(w, x):
        return torch.sum(torch.sin(w * x))
    show("CUDA, axpb, host", "Raido", host(lambda: m.axpb(2.0, 1.0, x)))
    show("CUDA, axpb, host", "Raido, out=", host(lambda: m.axpb(2.0, 1.0, x, out=out)))
    show("CUDA, axpb, host", "PyTorch, two operations", host(lambda: 2.0 * x + 1.0))
    show("CUDA, loss, host", "Raido", host(lambda: m.loss(wd, x)))
    show("CUDA, loss, host", "PyTorch, three operations", host(lambda: torch_loss(wd, x)))
    show("CUDA, forward and backward", "Raido", total(backward(loss), 500))
    show("CUDA, forward and backward", "PyTorch", total(backward(torch_loss), 500))
    show("CUDA, the same captured", "Raido", total(graph(backward(loss)), 500))
    show("CUDA, the same captured", "PyTorch", total(graph(backward(torch_loss)), 500))
    large = torch.ones(16 << 20, device="cuda")
    show("CUDA, axpb, 64 MiB", "Raido", total(lambda: m.axpb(2.0, 1.0, large)))
    show("CUDA, axpb, 64 MiB", "PyTorch", total(lambda: 2.0 * large + 1.0))


if __name__ == "__main__":
    sys.exit(main())
