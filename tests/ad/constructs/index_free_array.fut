-- A map that reads a free array.
-- ==
-- input { [1.0, 2.0, 3.0] [0i64, 2i64, 2i64] } output { [1.0, 0.0, 2.0] }
entry main (xs: []f64) (is: []i64) = vjp (\ys -> f64.sum (map (\i -> ys[i]) is)) xs 1
