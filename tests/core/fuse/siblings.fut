-- Combinators over the same array go together.
-- structure soac: screma 1
-- ==
-- input { [1i32, 5i32, 3i32] } output { [2i32, 10i32, 6i32] 9i32 }
entry main (xs: []i32) : ([]i32, i32) = (map (* 2) xs, i32.sum xs)
