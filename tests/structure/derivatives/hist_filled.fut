-- Least values of bins that are filled anew in each step, as reduce_by_index with a constant is: the return sweep has
-- the result, and asks that instead of what each element found in its bin, where the filling was the least.  So it
-- has two histograms, of values and of places, and scatters nothing; ties are the filling's, then the first element's.
-- structure soac: hist 5, scatter 0
-- ==
-- entry: steps
-- input { 4i64 [0i64, 1i64, 1i64, 5i64, 1i64, 3i64] [3f64, 2f64, 2f64, -9f64, 4f64, 10f64] 1i64 } output { [1f64, 1f64, 0f64, 0f64, 0f64, 0f64] }
-- input { 4i64 [0i64, 1i64, 1i64, 5i64, 1i64, 3i64] [3f64, 2f64, 2f64, -9f64, 4f64, 9f64] 2i64 } output { [2.5f64, 4.5f64, 0f64, 0f64, 0f64, 0.5f64] }
-- input { 3i64 [2i64, 2i64] [f64.nan, 1f64] 1i64 } output { [0f64, 1f64] }
-- input { 1i64 empty([0]i64) empty([0]f64) 3i64 } output { empty([0]f64) }
entry steps [n] (m: i64) (is: [n]i64) (xs: [n]f64) (k: i64) : [n]f64 =
  vjp (\xs -> let d = loop d = replicate m 0 for _i < k do
                let ys = map (\x -> x * (1 + d[0])) xs
                in map2 (\a b -> 0.5 * a + b) d (reduce_by_index (replicate m 10) f64.min f64.inf is ys)
              in f64.sum d) xs 1

-- ==
-- entry: rows
-- input { 2i64 2i64 [0i64, 1i64, 0i64, 2i64, 1i64] [1i64, 0i64, 1i64, 0i64, 1i64] [3f64, 7f64, 1f64, 0f64, 5f64] } output { [0f64, 0f64, 1f64, 0f64, 0f64] }
entry rows [n] (a: i64) (b: i64) (is: [n]i64) (js: [n]i64) (xs: [n]f64) : [n]f64 =
  vjp (\xs -> f64.sum (flatten (reduce_by_index_2d (replicate a (replicate b 5)) f64.min f64.inf (zip is js) xs))) xs 1
