-- An unused name.
-- ==
-- input { 3 } output { 3 }
-- warning: Unused name "y"
entry main (x: i32) = let y = x + 1 in x
