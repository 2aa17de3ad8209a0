-- A range whose first elements are equal.
-- ==
-- input { 1 } error: Range 1..1...5 is invalid
-- warning: First and second element of range are identical
entry main (_: i32) = 1i32..1...5
