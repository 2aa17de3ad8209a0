-- A direction that is known to be zero in an argument keeps the derivative by that argument out, even where
-- it is infinite.
-- ==
-- entry: power
-- input { } output { 0.0 }
entry power = jvp (\(x, y) -> x ** y) (0f64, 0.5f64) (0, 1)

-- ==
-- entry: root
-- input { } output { 3.0 }
entry root = jvp (\(x, y) -> f64.sqrt x + 3 * y) (0f64, 2f64) (0, 1)
