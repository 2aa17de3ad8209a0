-- A loop of many iterations.
-- ==
-- input { 1.0 100000 } output { 1.0 }
entry main (x: f64) (n: i32) = vjp (\y -> loop z = y for _i < n do z + 0.5 - 0.5) x 1
