-- The innermost binding wins.
-- ==
-- input { 3 } output { 8 }
entry main (x: i32) = let x = x + 1 in let x = x * 2 in x
