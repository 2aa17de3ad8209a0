-- Copies of a value.
-- ==
-- input { 2i64 7 } output { [7, 7] [[1, 2], [1, 2]] }
-- input { 0i64 7 } output { empty([0]i32) empty([0][2]i32) }
-- input { -1i64 7 } error: .
entry main (n: i64) (x: i32) = (replicate n x, replicate n [1i32, 2])

-- ==
-- entry: context
-- input { [1, 2, 3] } output { [8, 9, 10] }
entry context [n] (xs: [n]i32) = map2 (+) xs (rep 7)
