"""A small network whose loss is a program of Raido, trained by an optimiser of PyTorch."""
import os

import torch

import raido
import raido.torch

m = raido.compile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.fut"))
loss = raido.torch.wrap(m.loss)
torch.manual_seed(0)
xs = torch.rand(200, 2, dtype=torch.float64)
ys = torch.sin(3 * xs[:, 0]) * xs[:, 1]
params = [torch.nn.Parameter(0.5 * torch.randn(shape, dtype=torch.float64)) for shape in ((16, 2), (16,), (16,), ())]
optimiser = torch.optim.Adam(params, 0.02)
first = loss(*params, xs, ys).item()
for _ in range(300):
    optimiser.zero_grad()
    value = loss(*params, xs, ys)
    value.backward()
    optimiser.step()
print(f"loss {first:.4f} -> {value.item():.6f}")
assert value.item() < 0.1 * first
