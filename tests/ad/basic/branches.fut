-- The branch that was taken.
-- ==
-- input { 2.0 } output { 4.0 }
-- input { 0.0 } output { -1.0 }
entry main (x: f64) = vjp (\a -> if a > 0 then a * a else -a) x 1
