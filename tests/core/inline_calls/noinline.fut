-- Functions marked so are left alone.
-- structure soac: fun 2, call 1
-- ==
-- input { 5i32 } output { 11i32 }
#[noinline] def f (x: i32) : i32 = x * 2
entry main (n: i32) : i32 = f n + 1
