-- Several entry points.
-- ==
-- entry: one two
-- input { 3 } output { 4 }
entry one (x: i32) = x + 1
entry two (x: i32) = 1 + x
