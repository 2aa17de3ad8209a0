-- Rows that go through layers: the function, its derivative, one thread and several have loops in
-- common.
def norm [e] (v: [e]f64) : [e]f64 =
  let m = f64.sum v / f64.i64 e
  let s = f64.sqrt (f64.sum (map (\x -> (x - m) ** 2) v) / f64.i64 e + 0.1)
  in map (\x -> (x - m) / s) v

def layer [e] (v: [e]f64) (w: [e][e]f64) : [e]f64 =
  let u = norm v
  let h = map (\r -> f64.tanh (f64.sum (map2 (*) r u))) w
  let t = f64.maximum h
  let z = map (\x -> f64.exp (x - t)) h
  let q = f64.sum z
  let y = map2 (+) v (map (/ q) z)
  let k = norm y
  in map2 (\a r -> a + f64.tanh (f64.sum (map2 (*) r k))) y (transpose w)

def run [n] [l] [e] (xs: [n][e]f64) (ws: [l][e][e]f64) : f64 =
  let ys = map (\x -> norm (loop v = x for w in ws do layer v w)) xs
  in f64.sum (map (\y -> f64.sum (map (** 2) (map f64.sin y))) ys) / f64.i64 n

-- ==
-- entry: primal
-- input { [[1.0, 2.0], [3.0, 4.0], [0.5, 0.25]] [[[0.5, 0.25], [0.125, 1.0]], [[1.0, 0.5], [0.25, 0.75]]] }
-- output { 1.3752967534010294 }

entry primal [n] [l] [e] (xs: [n][e]f64) (ws: [l][e][e]f64) : f64 = run xs ws

-- ==
-- entry: gradient
-- input { [[1.0, 2.0], [3.0, 4.0], [0.5, 0.25]] [[[0.5, 0.25], [0.125, 1.0]], [[1.0, 0.5], [0.25, 0.75]]] }
-- output {
--   [[[3.123082401899955e-2, -2.7415983681183857e-2], [-2.9197221533781226e-2, 2.5382381195965528e-2]],
--    [[2.6610266870159688e-2, -3.5156164291603835e-2], [-2.661026687015969e-2, 3.515616429160383e-2]]]
-- }
entry gradient [n] [l] [e] (xs: [n][e]f64) (ws: [l][e][e]f64) : [l][e][e]f64 = vjp (run xs) ws 1
