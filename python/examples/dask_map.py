"""Dask: functions travel as programs, and are compiled (or found) where they arrive.  Two processes."""
import os

import dask
import numpy as np

import raido

if __name__ == "__main__":
    m = raido.compile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.fut"))
    gradient = m.squares.grad(wrt="w")
    rng = np.random.default_rng(0)
    xs, ys, w = rng.standard_normal((100, 3)), rng.standard_normal(100), np.ones(3)
    parts = [dask.delayed(gradient)(w, xs[i::2], ys[i::2]) for i in range(2)]
    total = dask.delayed(sum)(parts).compute(scheduler="processes", num_workers=2)
    assert np.allclose(total, gradient(w, xs, ys))
    print("gradient", total.round(3))
