-- First and last elements, and the rest.
-- ==
-- input { [1, 2, 3] } output { 1 3 [2, 3] [1, 2] }
entry main (xs: []i32) = (head xs, last xs, tail xs, init xs)

-- ==
-- entry: first
-- input { empty([0]i32) } error: out of bounds
entry first (xs: []i32) = head xs

-- ==
-- entry: rest
-- input { empty([0]i32) } error: out of bounds
entry rest (xs: []i32) = tail xs
