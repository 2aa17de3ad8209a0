-- A kernel over rows along with one over the elements of these rows, where their sizes say that there is an element in
-- each row; what rows choose is computed again by both.
-- structure soac,gpu: loop.kernel 6
-- ==
-- entry: eliminated
-- input { [[4f64, 2f64, 1f64], [2f64, 5f64, 3f64], [1f64, 3f64, 6f64]] [1f64, 2f64, 3f64] }
-- output { [[4f64, 2f64, 1f64], [0f64, 4f64, 2.5f64], [0f64, 0f64, 4.1875f64]] [1f64, 1.5f64, 1.8125f64] }
-- input { [[2f64]] [3f64] } output { [[2f64]] [3f64] }
-- input { empty([0][0]f64) empty([0]f64) } output { empty([0][0]f64) empty([0]f64) }

-- ==
-- entry: no_columns
-- input { [[1f64, 2f64], [3f64, 4f64]] [5f64, 6f64] 2i64 }
-- output { [[14f64, 15f64], [18f64, 19f64]] [11f64, 12f64] }
-- input { empty([2][0]f64) [5f64, 6f64] 2i64 } output { empty([2][0]f64) [11f64, 12f64] }

entry eliminated [n] (a: [n][n]f64) (b: [n]f64) : ([n][n]f64, [n]f64) =
  loop (a, b) = (a, b) for j < n do
    let factors = map (\i -> if i > j then a[i, j] / a[j, j] else 0) (iota n)
    in (map2 (\f row -> map2 (\v r -> v - f * r) row a[j]) factors a, map2 (\f v -> v - f * b[j]) factors b)

-- Rows may have no columns.
entry no_columns [n][m] (a: [n][m]f64) (b: [n]f64) (k: i64) : ([n][m]f64, [n]f64) =
  loop (a, b) = (a, b) for _j < k do
    (map2 (\v row -> map (\x -> x + v) row) b a, map (+ 3) b)
