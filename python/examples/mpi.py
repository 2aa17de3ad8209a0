"""mpi4py: mpirun -n 2 python mpi.py.  The gradient of each process is added up in place, in Raido's memory."""
import os

import numpy as np
from mpi4py import MPI

import raido

comm = MPI.COMM_WORLD
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.fut")
rng = np.random.default_rng(0)
xs, ys = rng.standard_normal((100, 3)), rng.standard_normal(100)
mine = slice(comm.rank * 100 // comm.size, (comm.rank + 1) * 100 // comm.size)
gradient = raido.compile(path).squares.grad(wrt="w")
g = gradient(np.ones(3), xs[mine], ys[mine])
comm.Allreduce(MPI.IN_PLACE, g)
assert np.allclose(g, gradient(np.ones(3), xs, ys))
if comm.rank == 0:
    print(f"{comm.size} processes, gradient {g.round(3)}")
