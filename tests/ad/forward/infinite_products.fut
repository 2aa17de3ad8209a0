-- Tangents of products and scans of products that hold infinities: the neutral element has none.
-- ==
-- entry: product
-- input { [f64.inf] [1.0] } output { 1.0 }
-- input { [f64.inf, f64.inf, 2.0] [1.0, 1.0, 1.0] } output { f64.inf }
-- input { [2.0, f64.inf, 3.0] [1.0, 1.0, 1.0] } output { f64.inf }
-- input { [0.0, 5.0, 3.0] [1.0, 1.0, 1.0] } output { 15.0 }
-- input { [f64.inf, 2.0] [0.0, 1.0] } output { f64.inf }
entry product [n] (xs: [n]f64) (d: [n]f64) = jvp f64.product xs d

-- ==
-- entry: scanned
-- input { [f64.inf, f64.inf, 2.0] [1.0, 1.0, 1.0] } output { [1.0, f64.inf, f64.inf] }
-- input { [f64.nan, 5.0] [1.0, 1.0] } output { [1.0, f64.nan] }
entry scanned [n] (xs: [n]f64) (d: [n]f64) = jvp (scan (*) 1) xs d

-- ==
-- entry: pairs
-- input { [f64.inf] [1.0] } output { 1.0 1.0 }
entry pairs [n] (xs: [n]f64) (d: [n]f64) =
  jvp (reduce (\(a, b) (x, y) -> (a * x, b + y)) (1, 0)) (zip xs xs) (zip d d)
