-- The size of a parameter may be one that is visible outside: a literal, a global, a parameter before.
def width = 2i64

-- ==
-- entry: global
-- input { [1, 2] } output { 3 }
entry global (ys: []i32) = i32.sum (map2 (*) (replicate width 1) ys)

-- ==
-- entry: literal
-- input { [1, 2, 3] } output { 6 }
entry literal (ys: []i32) = i32.sum (map2 (*) [1, 1, 1] ys)

-- ==
-- entry: before
-- input { 2i64 [1, 2] } output { 3 }
entry before (n: i64) (ys: []i32) = i32.sum (map2 (*) (replicate n 1) ys)
