-- Mean-field inference on a lattice of spins with couplings to the right and downwards: synchronous
-- sweeps, damped; the free energy that is left.
def shift 'a [n] (k: i64) (fill: a) (xs: [n]a) : [n]a =
  tabulate n (\i -> if i - k >= 0 && i - k < n then xs[i - k] else fill)

entry primal [n][m] (right: [n][m]f64) (down: [n][m]f64) (field: [n][m]f64) (sweeps: i64) : f64 =
  let none = replicate m 0
  let around q =
    let from_left = map2 (\j s -> shift 1 0 (map2 (*) j s)) right q
    let from_right = map2 (\j s -> map2 (*) j (shift (-1) 0 s)) right q
    let from_above = shift 1 none (map2 (map2 (*)) down q)
    let from_below = map2 (map2 (*)) down (shift (-1) none q)
    let pair = map2 (map2 (+))
    in pair (pair from_left from_right) (pair from_above from_below)
  let q =
    loop q = replicate n (replicate m 0) for _i < sweeps do
      map3 (map3 (\old f a -> 0.5 * old + 0.5 * f64.tanh (f + a))) q field (around q)
  let entropy s =
    let (a, b) = ((1 + s) / 2, (1 - s) / 2) in -a * f64.log (a + 1e-12) - b * f64.log (b + 1e-12)
  let energy = f64.sum (flatten (map3 (map3 (\s f a -> s * (f + 0.5 * a))) q field (around q)))
  in (energy + f64.sum (map entropy (flatten q))) / f64.i64 (n * m)

entry gradient [n][m]
               (right: [n][m]f64) (down: [n][m]f64) (field: [n][m]f64) (sweeps: i64)
             : ([n][m]f64, [n][m]f64, [n][m]f64) =
  vjp (\(r, d, f) -> primal r d f sweeps) (right, down, field) 1
