-- Everything is known when compiling.
-- structure simplify: prim 0, if 0, assert 0
-- ==
-- input { } output { 42i32 }
entry main : i32 = if 3i32 < 4 then (let a = [6i32, 7] in a[0] * a[1]) else 7 / 0
