-- The seed of a derivative has the size of the result.
-- at 6
-- ==
-- error: let k = length \(f x\)

entry main (xs: []f64) = vjp (filter (> 0)) xs [1, 1]
