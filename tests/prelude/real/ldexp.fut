-- Multiplication by a power of two.
-- ==
-- input { [1.0, 3.0, -0.5] [3, -1, 10] } output { [8.0, 1.5, -512.0] }
-- input { [1.0] [5000] } output { [f64.inf] }
entry main (xs: []f64) (ks: []i32) = map2 f64.ldexp xs ks
