-- Exponentials that the way back needs are those of the way there, in the memory of the result.
-- structure soac: prim 8
-- structure soac,keep_sums: prim 7
-- structure soac,c: alloc 1
-- ==
-- input { [1f64, 2f64, 3f64] }
-- output { [9.003057317038046e-2f64, 0.24472847105479764f64, 0.6652409557748219f64] }
entry main [n] (x: [n]f64) : [n]f64 =
  vjp (\x -> let top = f64.maximum x
             in top + f64.log (f64.sum (map (\a -> f64.exp (a - top)) x))) x 1
