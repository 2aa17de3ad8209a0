-- An element at a constant place of a concatenation.
-- structure soac: concat 0
-- ==
-- input { [1i32, 2i32] [3i32, 4i32] } output { 4i32 }
entry main (xs: [2]i32) (ys: [2]i32) : i32 = (xs ++ ys)[3]
