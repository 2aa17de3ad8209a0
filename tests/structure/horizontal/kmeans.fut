-- Where a row belongs is found and counted in one loop, strip by strip (strip_rows): there is memory for the
-- counts, a strip of rows and where these belong, but not for where all belong.
-- structure soac,c: alloc 3
-- ==
-- input { [[1f32, 2f32], [3f32, 4f32]] [[0f32, 0f32], [3f32, 3f32]] } output { [1i32, 1i32] }
def nearest [k][d] (cs: [k][d]f32) (p: [d]f32) : i64 =
  let ds = map (\c -> f32.sum (map2 (\a b -> (a - b) * (a - b)) p c)) cs
  let less (a, i) (b, j) = if b < a || (a == b && j < i) then (b, j) else (a, i)
  in (reduce less (f32.inf, k) (zip ds (iota k))).1

entry main [n][k][d] (ps: [n][d]f32) (cs: [k][d]f32) : [k]i32 =
  let to = map (nearest cs) ps
  in reduce_by_index (replicate k 0) (+) 0 to (map (const 1) to)
