-- Captured values are constants.
-- ==
-- input { 3.0 4.0 } output { 4.0 }
entry main (x: f64) (y: f64) = vjp (\a -> a * y) x 1
