-- Reductions with a commutative operator.
-- ==
-- input { [1.5, 2.5] } output { 4.0 }
entry main (xs: []f64) = reduce_comm (+) 0 xs
