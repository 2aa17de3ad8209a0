-- A name of the outer one of two loops.
-- at 8
-- ==
-- error: "i" is bound inside the loop body

entry main (n: i64) (ys: []i64) =
  loop s = 0 for i < n do
    loop t = s for _j < n do t + i64.sum (map2 (+) ys (iota i))
