-- Ties: the first of equal elements takes all.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "../fd/lib/fd"

def x = [1f64, 3, 3, 2, 3]

entry main =
  [vjp f64.maximum x 1 == [0, 1, 0, 0, 0],
   vjp f64.minimum (map f64.neg x) 1 == [0, 1, 0, 0, 0],
   jvp f64.maximum x [0, 1, 5, 0, 7] == 1,
   vjp (\y -> f64.max y[0] y[1]) [2, 2] 1 == [1, 0],
   vjp (\y -> reduce_by_index [0f64] f64.max f64.lowest (replicate 5 0) y) x [1] == [0, 1, 0, 0, 0],
   vjp (\y -> scan f64.max f64.lowest y) x [0, 0, 0, 0, 1] == [0, 1, 0, 0, 0]]
