-- Nested applications.
module add1 (m: { val x : i32 }) = { def x = m.x + 1 }
module a = add1 (add1 (add1 { def x = 0i32 }))
-- ==
-- input { } output { 3 }
entry main = a.x
