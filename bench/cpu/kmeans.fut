-- One step: every point goes to the nearest centre, which moves to the mean of its points.
def nearest [k][d] (centres: [k][d]f32) (p: [d]f32) : i64 =
  let distances = map (\c -> f32.sum (map2 (\a b -> (a - b) * (a - b)) p c)) centres
  let less (a, i) (b, j) = if b < a || (a == b && j < i) then (b, j) else (a, i)
  in (reduce less (f32.inf, k) (zip distances (iota k))).1

entry main [n][k][d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32 =
  let to = map (nearest centres) points
  let zero = replicate d 0f32
  let sums = reduce_by_index (replicate k zero) (map2 (+)) zero to points
  let counts = reduce_by_index (replicate k 0i32) (+) 0 to (replicate n 1)
  in map2 (\s c -> map (/ f32.i32 (i32.max 1 c)) s) sums counts
