-- Invalid ranges.
-- ==
-- input { 1 0 } error: Range 1...0 is invalid
-- input { 1 1 } output { [1] }
entry main (x: i32) (y: i32) = x...y

-- ==
-- entry: zero_step
-- input { 1 5 } error: Range 1..1...5 is invalid
entry zero_step (x: i32) (y: i32) = x..x...y

-- ==
-- entry: wrong_way
-- input { 1 5 } error: is invalid
entry wrong_way (x: i32) (y: i32) = x..2..>y
