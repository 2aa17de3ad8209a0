-- PageRank by power iteration over a list of weighted edges; the rank of some pages by the weights.
entry primal [e][n] (from: [e]i32) (to: [e]i32) (weight: [e]f32) (interest: [n]f32) (steps: i64) : f32 =
  let source = map i64.i32 from
  let target = map i64.i32 to
  let out = reduce_by_index (replicate n 1e-6) (+) 0 source weight
  let share = map2 (\s w -> w / out[s]) source weight
  let rank =
    loop rank = replicate n (1 / f32.i64 n) for _i < steps do
      let moved = map2 (\s w -> rank[s] * w) source share
      let sums = reduce_by_index (replicate n 0) (+) 0 target moved
      in map (\v -> 0.15 / f32.i64 n + 0.85 * v) sums
  in f32.sum (map2 (*) rank interest) * f32.i64 n

entry gradient [e][n]
               (from: [e]i32) (to: [e]i32) (weight: [e]f32) (interest: [n]f32) (steps: i64) : [e]f32 =
  vjp (\w -> primal from to w interest steps) weight 1
