-- A loop that adds the same number each time needs no loop.
-- structure simplify: loop 0
-- ==
-- input { 5i64 } output { 17i32 }
-- input { -5i64 } output { 2i32 }
entry main (n: i64) : i32 = loop s = 2i32 for _i < n do s + 3
