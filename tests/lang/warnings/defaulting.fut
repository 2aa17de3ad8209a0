-- A type that is chosen by default.
-- ==
-- input { } output { 3 }
-- warning: Defaulting ambiguous type to i32
entry main = let x = 1 + 2 in i32.i64 (length [x, x, x])
