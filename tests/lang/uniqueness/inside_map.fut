-- Arrays made inside a lambda may be updated there.
-- ==
-- input { 2i64 } output { [[7i64, 1i64], [8i64, 1i64]] }
entry main (n: i64) = map (\i -> let a = iota 2 in a with [0] = 7 + i) (iota n)

-- ==
-- entry: copied
-- input { [[1, 2], [3, 4]] } output { [[0, 2], [0, 4]] }
entry copied (xss: [][]i32) = map (\xs -> copy xs with [0] = 0) xss
