-- Applying a function a number of times.
-- ==
-- input { 3 1 } output { 15 }
-- input { 0 1 } output { 1 }
-- input { -2 1 } output { 1 }
entry main (n: i32) (x: i32) = iterate n (\y -> y * 2 + 1) x
