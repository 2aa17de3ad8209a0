-- Products of histograms that hold infinities have the tangents of their elements: the zero tangent
-- of what is there before is not multiplied by them.
-- ==
-- entry: products
-- input { [0i64, 1i64, 1i64, 5i64] [f64.inf, 2.0, 3.0, 4.0] [1.0, 0.5, 0.25, 1.0] }
-- output { [2.0, 4.0, 0.0] [f64.inf, 12.0, 2.0] }

-- ==
-- entry: onto_active
-- input { [1i64, 1i64] [2.0, 3.0] [0.5, 0.25] [2.0, 5.0] [1.0, 10.0] }
-- output { [1.0, 70.0] }

-- ==
-- entry: scanned
-- input { [f64.inf, 2.0] [1.0, 0.5] }
-- output { [1.0, f64.inf] }
entry products (is: [4]i64) (x: [4]f64) (d: [4]f64) =
  let f y = reduce_by_index (replicate 3 2) (*) 1 is y
  in (jvp f x d, f x)
entry onto_active (is: [2]i64) (x: [2]f64) (d: [2]f64) (h: [2]f64) (e: [2]f64) =
  jvp (\(y, g) -> reduce_by_index (copy g) (*) 1 is y) (x, h) (d, e)
entry scanned (x: [2]f64) (d: [2]f64) = jvp (scan (*) 1) x d
