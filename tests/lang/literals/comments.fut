-- Comments end a line anywhere.
-- ==
-- input { } output { 1 }
entry main : i32 = 1--1
