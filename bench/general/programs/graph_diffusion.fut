-- Features that spread over the edges of a graph, weighted by how like the ends are.
entry primal [n] [d] [m] (x: [n][d]f32) (from: [m]i64) (to: [m]i64) (scale: [1]f32) (rounds: i64) : f32 =
  let dist a b = f32.sum (map2 (\p q -> (p - q) * (p - q)) a b)
  let spread (x: [n][d]f32) =
    let w = map2 (\i j -> f32.exp (-scale[0] * dist x[i] x[j])) from to
    let sum = reduce_by_index (replicate n 1) (+) 0 to w
    let messages = map2 (\i w -> map (* w) x[i]) from w
    let total = reduce_by_index (copy x) (map2 (+)) (replicate d 0) to messages
    in map2 (\row s -> map (/ s) row) total sum
  let end = iterate (i32.i64 rounds) spread x
  in f32.sum (map (\v -> v * v) (flatten end)) / f32.i64 n

entry gradient [n] [d] [m] (x: [n][d]f32) (from: [m]i64) (to: [m]i64) (scale: [1]f32) (rounds: i64) : ([n][d]f32, [1]f32) =
  vjp (\(x, s) -> primal x from to s rounds) (x, scale) 1
