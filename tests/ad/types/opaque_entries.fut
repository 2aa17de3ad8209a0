-- Entry points that take and give opaque values, and derivatives by these.
type~ model = {w: [][]f64, b: []f64}
type layer = #dense {k: f64} | #relu
def apply [n][m] (p: {w: [n][m]f64, b: [n]f64}) (x: [m]f64) : f64 = f64.sum (map2 (\r c -> f64.tanh (c + f64.sum (map2 (*) r x))) p.w p.b)
entry mk (n: i64) (m: i64) : {w: [n][m]f64, b: [n]f64} = {w = tabulate_2d n m (\i j -> f64.i64 (i - j)), b = replicate n 0.5}
entry step [n][m] (p: {w: [n][m]f64, b: [n]f64}) (x: [m]f64) : {w: [n][m]f64, b: [n]f64} =
  let g = vjp (\q -> apply q x) p 1 in {w = map2 (map2 (\a b -> a - 0.1 * b)) p.w g.w, b = map2 (\a b -> a - 0.1 * b) p.b g.b}
entry loss [n][m] (p: {w: [n][m]f64, b: [n]f64}) (x: [m]f64) = apply p x
entry sums (l: layer) (x: f64) = let r = vjp (\(l: layer) -> match l case #dense {k} -> k * k * x case #relu -> f64.max 0 x) l 1 in match r case #dense {k} -> k case #relu -> -1f64
entry dense (k: f64) : layer = #dense {k}

-- ==
-- entry: loss
-- script input { (step (mk 2i64 3i64) [1.0f64,2.0f64,3.0f64], [1.0f64,2.0f64,3.0f64]) }

-- ==
-- entry: sums
-- script input { (dense 3.0f64, 2.0f64) }
-- output { 12.0 }
