-- Loops that run once or never.
-- structure simplify: loop 0, prim 1
-- ==
-- input { 5i32 } output { 6i32 }
entry main (x: i32) : i32 = loop y = (loop y = x for _i < 1i32 do y + 1) for _i < 0i32 do y * 3
