-- The size of a parameter of a loop cannot be that of a name of the body.
-- at 7 10
-- ==
-- error: "k" is bound inside the loop body, "d" is a size of a parameter of the loop

def f (ys: []i64) =
  loop (k, zs) = (1, ys) for _i < 10 do (k + 1, map2 (+) zs (iota k))

def g (n: i64) =
  loop xs = iota n for i < 3 do let ys: [i + 1]i64 = xs in ys
