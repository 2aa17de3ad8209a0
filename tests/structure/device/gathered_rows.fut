-- Rows that are gathered by index are a warp's each, whole: sum and map, with what they add to such rows.  Not those that
-- threads number (`numbered`): these are turned, nor columns that are gathered.
-- structure soac,flatten,dce: loop.blocks 10, loop.threads 13, loop.kernel 14
-- ==
-- entry: spread
-- input { [[1f32, 2f32], [3f32, 4f32]] [1i64, 0i64] [0i64, 0i64] } output { [8f32, 0f32] [[24f32, 32f32], [0f32, 0f32]] }

-- ==
-- entry: gradient
-- input { [[1f32, 2f32], [3f32, 4f32]] [1i64, 0i64] [0i64, 0i64] } output { [[86f32, 128f32], [22f32, 44f32]] }

-- ==
-- entry: numbered
-- input { [[1f32, 2f32], [3f32, 4f32]] } output { [5f32, 25f32] [[5f32, 10f32], [75f32, 100f32]] }

-- ==
-- entry: columns
-- input { [[1f32, 2f32], [3f32, 4f32]] [1i64, 0i64] } output { [20f32, 10f32] [[40f32, 80f32], [10f32, 30f32]] }
entry spread [n] [d] [m] (x: [n][d]f32) (from: [m]i64) (to: [m]i64) : ([m]f32, [m][d]f32) =
  unzip (map2 (\i j ->
                 let w = f32.sum (map2 (\p q -> (p - q) * (p - q)) x[i] x[j])
                 in (w, map (* w) x[i]))
              from
              to)

def energy [n] [d] [m] (from: [m]i64) (to: [m]i64) (x: [n][d]f32) : f32 =
  f32.sum (map2 (\i j -> let s = f32.sum (map2 (*) x[i] x[j]) in s * s) from to)

entry gradient [n] [d] [m] (x: [n][d]f32) (from: [m]i64) (to: [m]i64) : [n][d]f32 =
  vjp (energy from to) x 1

entry numbered [n] [d] (x: [n][d]f32) : ([n]f32, [n][d]f32) =
  unzip (map (\r -> let w = f32.sum (map (\p -> p * p) r) in (w, map (* w) r)) x)

entry columns [n] [d] [m] (x: [n][d]f32) (at: [m]i64) : ([m]f32, [m][n]f32) =
  unzip (map (\i -> let c = x[:, i] let w = f32.sum (map (\p -> p * p) c) in (w, map (* w) c)) at)
