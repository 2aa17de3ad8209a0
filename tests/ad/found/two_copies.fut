-- Two copies of a row that is made anew, one of which is consumed.
-- ==
-- input { [1.5, 0.2] } output { [3.0, 0.0] }
-- input { [0.4] } output { [2.0] }
def f [n] (x: [n]f64) : f64 =
  let three = (n + 5) / (n + 4) + 2
  let v = x[0]
  let rows = map (\_ -> map (\a -> a) (map (\i -> v + 0.2 * f64.i64 i) (iota three))) x
  let row = copy rows[4 % n]
  let is = map (\i -> (5 * i) % (three + 1)) (iota 3)
  in f64.sum (reduce_by_index row f64.max f64.lowest is (replicate 3 0.5))
entry main [n] (x: [n]f64) = vjp f x 1
