-- Fixed points z = tanh (W z + u), one for each u, by iteration until nothing moves; the weights are
-- shared by all.
def matvec [n] (w: [n][n]f64) (z: [n]f64) : [n]f64 = map (\r -> f64.sum (map2 (*) r z)) w

def settle [n] (w: [n][n]f64) (u: [n]f64) : [n]f64 =
  let next z = map2 (\a b -> f64.tanh (a + b)) (matvec w z) u
  let (z, _, _) =
    loop (z, moved, i) = (replicate n 0, f64.inf, 0i64) while moved > 1e-9 && i < 60 do
      let z' = next z
      in (z', f64.maximum (map2 (\a b -> f64.abs (a - b)) z z'), i + 1)
  in z

entry primal [b][n] (w: [n][n]f64) (us: [b][n]f64) : f64 =
  f64.sum (map (\u -> f64.sum (map (** 2) (settle w u))) us) / f64.i64 b

entry gradient [b][n] (w: [n][n]f64) (us: [b][n]f64) : [n][n]f64 = vjp (\w -> primal w us) w 1
