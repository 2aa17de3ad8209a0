-- Two kinds of integer division.
-- ==
-- input { } output { [-4, -3, -1, 1, -4, -3, 1, -1] }
entry main : []i32 = [7 / -2, 7 // -2, 7 % -2, 7 %% -2, -7 / 2, -7 // 2, -7 % 2, -7 %% 2]

-- ==
-- entry: by_zero
-- input { 1 0 } error: division by zero
-- input { 6 3 } output { 2 }
entry by_zero (x: i32) (y: i32) = x / y

-- ==
-- entry: remainder_by_zero
-- input { 1 0 } error: division by zero
entry remainder_by_zero (x: i32) (y: i32) = x % y

-- ==
-- entry: quotient_by_zero
-- input { 1u8 0u8 } error: division by zero
entry quotient_by_zero (x: u8) (y: u8) = x // y

-- ==
-- entry: lowest
-- input { -2147483648 -1 } output { -2147483648 0 }
entry lowest (x: i32) (y: i32) = (x / y, x % y)

-- ==
-- entry: floats
-- input { 1.0 0.0 } output { f64.inf }
entry floats (x: f64) (y: f64) = x / y
