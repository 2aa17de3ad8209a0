"""DistributedDataParallel with two processes: each has half of the data, the gradients are averaged."""
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

import raido
import raido.torch

HERE = os.path.dirname(os.path.abspath(__file__))


class Model(torch.nn.Module):
    def __init__(self, squares):
        super().__init__()
        self.w = torch.nn.Parameter(torch.zeros(3, dtype=torch.float64))
        self.squares = squares

    def forward(self, xs, ys):
        return self.squares(self.w, xs, ys) / len(xs)


def work(rank, size, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=size)
    squares = raido.torch.wrap(raido.compile(os.path.join(HERE, "model.fut")).squares)
    torch.manual_seed(0)
    xs = torch.randn(100, 3, dtype=torch.float64)
    ys = xs @ torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    model = torch.nn.parallel.DistributedDataParallel(Model(squares))
    mine = slice(rank * 50, rank * 50 + 50)
    model(xs[mine], ys[mine]).backward()
    w = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    (squares(w, xs, ys) / 100).backward()
    error = (model.module.w.grad - w.grad).abs().max().item()
    if rank == 0:
        print(f"differs from one process by {error:.1e}")
    assert error < 1e-12
    dist.destroy_process_group()


if __name__ == "__main__":
    raido.compile(os.path.join(HERE, "model.fut")).squares.grad(wrt="w")     # once, not by each
    mp.spawn(work, args=(2, 29500 + os.getpid() % 1000), nprocs=2)
