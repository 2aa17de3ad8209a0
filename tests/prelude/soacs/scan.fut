-- Inclusive prefixes.
-- ==
-- input { [1, 2, 3] } output { [1, 3, 6] [1, 2, 6] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry main (xs: []i32) = (scan (+) 0 xs, scan (*) 1 xs)

-- ==
-- entry: linear
-- input { [1.0, 2.0] [3.0, 4.0] } output { [1.0, 2.0] [3.0, 10.0] }
entry linear [n] (a: [n]f64) (b: [n]f64) =
  let op (a1, b1) (a2, b2) = (a1 * a2, b1 * a2 + b2)
  in unzip (scan op (1, 0) (zip a b))

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [4, 6]] }
entry rows [n][m] (xss: [n][m]i32) = scan (map2 (+)) (replicate m 0) xss
