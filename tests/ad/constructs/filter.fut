-- A filter on the way.
-- ==
-- input { [1.0, -2.0, 3.0] } output { [2.0, 0.0, 6.0] }
entry main (xs: []f64) = vjp (\ys -> f64.sum (map (\y -> y * y) (filter (> 0) ys))) xs 1
