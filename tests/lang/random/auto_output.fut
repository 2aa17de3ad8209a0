-- Output from the reference.
-- ==
-- random input { [20]f64 } auto output
entry main (xs: []f64) = map (* 2) xs
