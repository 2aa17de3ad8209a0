"""Two devices: each computes the gradient of its rows, by shard_map, or by jit over vmap; nothing is gathered."""
import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import raido
import raido.jax

jax.config.update("jax_enable_x64", True)
m = raido.compile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.fut"))
squares = raido.jax.wrap(m.squares)
mesh = Mesh(np.array(jax.devices()), ("data",))
rng = np.random.default_rng(0)
xs, ys = rng.standard_normal((100, 3)), rng.standard_normal(100)
xs, ys = (jax.device_put(a, NamedSharding(mesh, P("data"))) for a in (xs, ys))
w = jnp.ones(3)


def part(w, xs, ys):
    return jax.lax.psum(jax.grad(squares)(w, xs, ys), "data")


gradient = jax.jit(jax.shard_map(part, mesh=mesh, in_specs=(P(), P("data"), P("data")), out_specs=P(),
                                 check_vma=False))
square = raido.jax.wrap(m.square)
by_jit = jax.jit(jax.grad(lambda w, xs, ys: jnp.sum(jax.vmap(square, (None, 0, 0))(w, xs, ys))))
want = jax.grad(squares)(w, np.asarray(xs), np.asarray(ys))
for name, f in (("shard_map", gradient), ("jit", by_jit)):
    text = f.lower(w, xs, ys).compile().as_text()
    print(f"{name}: {len(jax.devices())} devices, all-gather in the program: {'all-gather' in text}")
    assert np.allclose(f(w, xs, ys), want) and "all-gather" not in text
