-- Optimal transport with given weights by scaling rows and columns of a kernel in turn; what the
-- transport costs.
def matvec [n][m] (a: [n][m]f64) (x: [m]f64) : [n]f64 = map (\row -> f64.sum (map2 (*) row x)) a

entry primal [n][m][d]
             (x: [n][d]f64) (y: [m][d]f64) (wx: [n]f64) (wy: [m]f64) (eps: f64) (steps: i64) : f64 =
  let c = tabulate_2d n m (\i j -> f64.sum (tabulate d (\k -> (x[i, k] - y[j, k]) ** 2)))
  let k = map (map (\v -> f64.exp (-v / eps))) c
  let (u, v) =
    loop (_, v) = (replicate n 1, replicate m 1) for _i < steps do
      let u = map2 (/) wx (matvec k v)
      let v = map2 (/) wy (matvec (transpose k) u)
      in (u, v)
  in f64.sum (map3 (\ui cs ks -> ui * f64.sum (map3 (\vj cij kij -> vj * cij * kij) v cs ks)) u c k)

entry gradient [n][m][d]
               (x: [n][d]f64) (y: [m][d]f64) (wx: [n]f64) (wy: [m]f64) (eps: f64) (steps: i64)
             : ([n][d]f64, [n]f64) =
  vjp (\(x, wx) -> primal x y wx wy eps steps) (x, wx) 1
