"""What `problems` are made of, and where they are found."""
import importlib
import os
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
ALL = {}                                # program -> Problem


class Problem:
    """A function with its data and its model in JAX and PyTorch; one or more programs compute it.

    sizes     {"tiny", "cpu", "gpu"}: the arguments of data after the random generator
    data      (generator, *size) -> {parameter: array or number}; floats in f64
    model     (F, arguments by name as an object with fields) -> number, array or tuple of arrays
    active    the parameters that `gradient` differentiates by, in the order of its results
    mode      "vjp" with ones as seeds, "jvp" along ones, "hessian"
    programs  {program: {parameter: axes}}, the transposition of parameters that it has in another order
    tolerance of f32, relative to the largest element of a result
    absent    {peer: why}, peers that cannot do it; steps: of a loop that torch.compile unrolls
    """

    def __init__(self, family, sizes, data, model, active, programs, mode="vjp", tolerance=2e-3, absent=None,
                 steps=None, jax_mode=None):
        self.family, self.sizes, self.make, self.model, self.active = family, sizes, data, model, active
        self.programs, self.mode, self.tolerance, self.absent = programs, mode, tolerance, absent or {}
        self.steps = steps or (lambda *size: 0)
        self.jax_mode = jax_mode or mode
        for p in programs:
            assert p not in ALL, p
            ALL[p] = self

    def data(self, size):
        seed = zlib.crc32(next(iter(self.programs)).encode())
        return self.make(np.random.default_rng(seed), *self.sizes[size])


class Fields:
    def __init__(self, d):
        self.__dict__.update(d)


def load():
    for f in sorted(os.listdir(os.path.join(HERE, "problems"))):
        if f.endswith(".py") and f != "__init__.py":
            importlib.import_module("problems." + f[:-3])
    return ALL


def untuned():
    with open(os.path.join(HERE, "untuned")) as f:
        return {line.strip() for line in f if line.strip() and not line.startswith("#")}
