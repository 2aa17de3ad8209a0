-- All parameters of a loop get their next values at once, also where a choice keeps them.

-- ==
-- entry: crossed
-- input { [1, -1, 2, 3] } output { 7 6 }
entry crossed (xs: []i32) : (i32, i32) =
  loop (a, b) = (1, 2) for x in xs do if x > 0 then (b + 1, a * 2) else (a, b)

-- ==
-- entry: nearest
-- input { [[1f32, 2f32], [3f32, 4f32], [1f32, 2f32], [0f32, 9f32]] [1f32, 3f32] } output { 0i64 1f32 }
-- input { [[1f32, 7f32], [3f32, 4f32], [1f32, 3f32], [1f32, 3f32]] [1f32, 3f32] } output { 2i64 0f32 }
-- input { empty([0][2]f32) [1f32, 3f32] } output { 0i64 f32.inf }
entry nearest [n][d] (rows: [n][d]f32) (p: [d]f32) : (i64, f32) =
  let distances = map (\r -> f32.sum (map2 (\a b -> (a - b) * (a - b)) p r)) rows
  let less (a, i) (b, j) = if b < a || (a == b && j < i) then (b, j) else (a, i)
  let (x, i) = reduce less (f32.inf, n) (zip distances (iota n))
  in (i, x)

-- ==
-- entry: nested
-- input { 3i64 [[1f64, 2f64], [3f64, 4f64]] } output { 7f64 7f64 }
entry nested [n][m] (k: i64) (a: [n][m]f64) : (f64, f64) =
  loop (x, y) = (0, 0) for i < n do
    let s = loop s = 0 for j < m do s + a[i, j]
    in if s > x then (y + 4, s + x * 0) else (x, y)
