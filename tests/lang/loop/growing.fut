-- An array that grows.
-- ==
-- input { 3i64 } output { 6i64 [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] }
entry main (n: i64) = loop (m, xs) = (n, iota n) for _i < 3i32 do (m + 1, iota (m + 1))

-- ==
-- entry: while_growing
-- input { 5i64 } output { [1, 1, 1, 1, 1, 1, 1, 1] }
entry while_growing (k: i64) = loop xs = [1i32] while length xs < k do xs ++ xs
