-- The check of the slice, before the map, holds of all iterations if there are any.  In them nothing asks again whether
-- what is added to the adjoint is in bounds.
-- structure soac,sequential,c: if 0
-- ==
-- input { 2i64 [0.5, -1.0, 2.0, 3.0] } output { [5.0, 4.5, 0.5, 0.5] }
-- input { 0i64 [0.5, -1.0] } output { [0.0, 0.0] }
-- input { 3i64 empty([0]f64) } output { empty([0]f64) }
-- input { 2i64 [0.5] } error: Index \[:2\] out of bounds
def points [n] (k: i64) (xs: [n]f64) : f64 = f64.sum (map (\t -> loop a = 0 for c in xs[:k] do a * t + c) xs)
entry main [n] (k: i64) (xs: [n]f64) : [n]f64 = vjp (points k) xs 1
