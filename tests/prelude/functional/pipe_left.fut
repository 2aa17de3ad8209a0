-- Applying a function from the right.
-- ==
-- input { 3 } output { 0 }
entry main (x: i32) = (\y -> y * 2) <| x - 3
