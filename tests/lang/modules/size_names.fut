-- Sizes named by module values.
module m : { val n : i64 val xs : [n]i32 } = { def n = 3i64 def xs = replicate n 7i32 }
-- ==
-- input { } output { [14, 14, 14] }
entry main = map2 (+) m.xs m.xs
