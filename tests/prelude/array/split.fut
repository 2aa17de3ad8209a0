-- Two parts whose sizes come from the type.
-- ==
-- input { [1, 2, 3] } output { [1] [2, 3] }
entry main (xs: [3]i32) : ([1]i32, [2]i32) = split (xs :> [1 + 2]i32)
