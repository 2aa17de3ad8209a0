-- | Random numbers that depend on nothing but a seed and an index, so that they can be made in parallel.

-- | A well-mixed 64-bit number of two.
def mix (seed: i64) (i: i64) : u64 =
  let x = u64.i64 seed * 0x9e3779b97f4a7c15 + u64.i64 i * 0xd1342543de82ef95 + 0x632be59bd9b4e019
  let x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
  let x = (x ^ (x >> 27)) * 0x94d049bb133111eb
  in x ^ (x >> 31)

-- | Uniform between 0 and 1.
def uniform (seed: i64) (i: i64) : f64 = (f64.u64 (mix seed i >> 11) + 0.5) / 9007199254740992

-- | Normal with mean 0 and variance 1 (Box and Muller).
def normal (seed: i64) (i: i64) : f64 =
  f64.sqrt (-2 * f64.log (uniform seed (2 * i))) * f64.cos (2 * f64.pi * uniform seed (2 * i + 1))

-- | `n` normal numbers.
def normals (n: i64) (seed: i64) : [n]f64 = tabulate n (normal seed)
