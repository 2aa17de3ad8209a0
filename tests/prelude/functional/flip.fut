-- Swapping arguments.
-- ==
-- input { 7 2 } output { -5 }
entry main (x: i32) (y: i32) = flip (-) x y
