-- Prefix sums and a linear recurrence.
-- ==
-- input { [1.0, 2.0, 3.0] } output { [3.0, 2.0, 1.0] [9.0, 4.0, 2.0] }
entry main [n] (xs: [n]f64) =
  (vjp (scan (+) 0) xs (replicate n 1), vjp (scan (*) 1) xs (replicate n 1))

-- ==
-- entry: recurrence
-- input { [2.0, 3.0] [1.0, 4.0] } output { [0.0, 1.0] [4.0, 1.0] }
entry recurrence [n] (a: [n]f64) (b: [n]f64) =
  let op (a1, b1) (a2, b2) = (a1 * a2, b1 * a2 + b2)
  let f (a, b) = (unzip (scan op (1, 0) (zip a b))).1
  in vjp f (a, b) (replicate n 1)
