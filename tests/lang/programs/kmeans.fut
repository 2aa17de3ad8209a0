-- k-means clustering by repeated assignment and averaging.
-- ==
-- input { 5i32 [[-0.705f64, -1.397f64], [0.604f64, -1.71f64], [0.144f64, -0.537f64], [-1.768f64, 0.03f64], [-1.85f64, -0.265f64], [-1.721f64, -1.637f64], [-0.302f64, 1.307f64], [-1.505f64, -1.107f64], [0.51f64, 1.791f64], [0.308f64, -0.413f64], [1.905f64, -1.814f64], [1.434f64, -0.842f64]] [[0.5f64, 0.5f64], [-0.5f64, -0.5f64], [1.0f64, -1.0f64]] }
-- output { [[0.10400000000000001f64, 1.549f64], [-1.013857142857143f64, -0.7608571428571429f64], [1.3143333333333331f64, -1.4553333333333331f64]] [1i64, 2i64, 1i64, 1i64, 1i64, 1i64, 0i64, 1i64, 0i64, 1i64, 2i64, 2i64] }

def dist2 [d] (a: [d]f64) (b: [d]f64) = f64.sum (map2 (\x y -> (x - y) ** 2) a b)

def closest [k][d] (cs: [k][d]f64) (p: [d]f64) : i64 =
  let ds = map (dist2 p) cs
  let better (i, x) (j, y) = if y < x then (j, y) else (i, x)
  in (reduce better (0, f64.inf) (zip (iota k) ds)).0

def step [n][k][d] (ps: [n][d]f64) (cs: [k][d]f64) : ([k][d]f64, [n]i64) =
  let owner = map (closest cs) ps
  let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) owner ps
  let counts = hist (+) 0 k owner (replicate n 1i64)
  let mean s c = map (/ f64.i64 (i64.max 1 c)) s
  in (map2 mean sums counts, owner)

entry main [n][k][d] (iters: i32) (ps: [n][d]f64) (cs: [k][d]f64) : ([k][d]f64, [n]i64) =
  loop (cs, _) = (cs, replicate n 0) for _i < iters do step ps cs
