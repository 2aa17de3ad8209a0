-- Arrays that rows of a nest choose, and elements that some rows update.
-- ==
-- entry: shifted
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[1, 1], [2, 3], [4, 5]] [[3, 8], [15, 24], [0, 0]] }

-- ==
-- entry: largest
-- input { [[1.0, 5.0, 2.0], [4.0, 3.0, 4.0]] [2.0, 3.0] }
-- output { [[1.0, 7.0, 2.0], [7.0, 3.0, 4.0]] }

-- ==
-- entry: set
-- input { [[1.0, 2.0], [3.0, 4.0]] [0i64, 5i64] } output { [[-1.0, 4.0], [6.0, 8.0]] }
entry shifted [n][m] (xs: [n][m]i32) =
  let none = replicate m 0
  in (tabulate n (\i -> map (+ 1) (if i > 0 then xs[i - 1] else none)),
      tabulate n (\i -> map2 (*) xs[i] (if i + 1 < n then xs[i + 1] else none)))

def score [m] (w: f64) (xs: [m]f64) : f64 =
  let top = f64.maximum xs
  in w * top + f64.sum (map (\x -> 0.5 * x * x) xs)

entry largest [n][m] (xs: [n][m]f64) (ws: [n]f64) : [n][m]f64 =
  vjp (\xs -> f64.sum (map2 score ws xs)) xs 1

entry set [n][m] (xs: [n][m]f64) (is: [n]i64) : [n][m]f64 =
  map2 (\x i ->
          let y = map (* 2) x
          in if i < m then copy y with [i] = y[i] - 3 else y) xs is
