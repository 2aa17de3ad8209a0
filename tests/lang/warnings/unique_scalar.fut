-- A star on a scalar.
-- ==
-- input { 3 } output { 3 }
-- warning: Declaring "i32" as unique has no effect
entry main (x: *i32) = x
