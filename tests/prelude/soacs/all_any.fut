-- Quantifiers.
-- ==
-- input { [1, 2, 3] } output { true true false }
-- input { [1, -2, 3] } output { false true true }
-- input { empty([0]i32) } output { true false false }
entry main (xs: []i32) = (all (> 0) xs, any (> 0) xs, any (< 0) xs)
