-- The size of a parameter cannot vary from iteration to iteration.
-- at 7
-- ==
-- error: inside the loop body

entry main (n: i64) (ys: []i64) =
  loop s = 0 for i < n do s + i64.sum (map2 (+) ys (iota i))
