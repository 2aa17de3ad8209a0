-- Loops that go through rows again and again: see rows.sh.
def distance32 [d] (a: [d]f32) (b: [d]f32) : f32 = f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)
def distance [d] (a: [d]f64) (b: [d]f64) : f64 = f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)
def dot [d] (a: [d]f64) (b: [d]f64) : f64 = f64.sum (map2 (*) a b)

def nearest [k] [d] (centres: [k][d]f32) (p: [d]f32) : i64 =
  let less (a, i) (b, j) = if b < a || (a == b && j < i) then (b, j) else (a, i)
  in (reduce less (f32.inf, k) (zip (map (distance32 p) centres) (iota k))).1

entry first [n] [k] [d] (xs: [n][d]f32) (ys: [k][d]f32) (_: [n][d]f64) (_: [k][d]f64) (_: [k]f64) : [n]i64 =
  map (nearest ys) xs

entry last [n] [k] [d] (_: [n][d]f32) (_: [k][d]f32) (xs: [n][d]f64) (ys: [k][d]f64) (_: [k]f64) : ([n]i64, [n]f64) =
  let closer (a, i) (b, j) = if b <= a then (b, j) else (a, i)
  in map (\x -> reduce closer (f64.inf, -1) (zip (map (distance x) ys) (iota k))) xs |> unzip |> \(m, i) -> (i, m)

entry step [n] [k] [d] (xs: [n][d]f32) (ys: [k][d]f32) (_: [n][d]f64) (_: [k][d]f64) (_: [k]f64) : ([k][d]f32, [k]i32) =
  let to = map (nearest ys) xs
  let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) to xs
  in (sums, reduce_by_index (replicate k 0) (+) 0 to (replicate n 1))

entry minima [n] [k] [d] (_: [n][d]f32) (_: [k][d]f32) (xs: [n][d]f64) (ys: [k][d]f64) (_: [k]f64) : [n]f64 =
  map (\x -> f64.minimum (map (distance x) ys)) xs

-- The sign of zero tells which of 0 and -0 it was.
entry signs [n] [k] [d] (_: [n][d]f32) (_: [k][d]f32) (xs: [n][d]f64) (ys: [k][d]f64) (ws: [k]f64) : ([n]f64, [n]f64) =
  let weighed x = map2 (\w y -> w * dot x y) ws ys
  in (map (\x -> 1 / f64.minimum (weighed x)) xs, map (\x -> 1 / f64.maximum (weighed x)) xs)

-- Rows of two arrays, and a value for each.
entry two [n] [k] [d] (as: [n][d]f32) (ys: [k][d]f32) (xs: [n][d]f64) (zs: [k][d]f64) (_: [k]f64) : [n]f64 =
  let bs = map (map (\x -> 2 * x + 1)) xs
  let cs = map (\b -> if d > 0 then b[d - 1] else 3) bs
  in map3 (\x b c -> f64.sum (map (\z -> c + f64.sum (map3 (\x b z -> x * z - b) x b z)) zs)) xs bs cs
     |> map2 (\i r -> r + f64.i64 i) (map (nearest ys) as)

entry gradient [n] [k] [d] (_: [n][d]f32) (_: [k][d]f32) (xs: [n][d]f64) (ys: [k][d]f64) (_: [k]f64) : [k][d]f64 =
  vjp (\ys -> f64.sum (map (\x -> f64.minimum (map (distance x) ys)) xs)) ys 1

entry of_maximum [n] [k] [d] (xs: [n][d]f32) (ys: [k][d]f32) (_: [n][d]f64) (_: [k][d]f64) (_: [k]f64) : ([n][d]f32, [k][d]f32) =
  vjp (\(xs, ys) -> f32.sum (map (\x -> f32.maximum (map (distance32 x) ys)) xs)) (xs, ys) 1
