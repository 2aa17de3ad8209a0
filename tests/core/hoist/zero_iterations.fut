-- Nothing that may fail is computed before a loop that may not run.
-- structure soac: index 1
-- ==
-- input { 0i32 empty([0]i32) } output { 0i32 }
-- input { 2i32 [4i32] } output { 8i32 }
entry main (k: i32) (xs: []i32) : i32 = loop s = 0 for _i < k do s + xs[0]
