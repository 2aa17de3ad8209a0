-- Arrays carried through loops.
-- ==
-- input { 4i64 } output { [3i64, 3i64, 3i64, 3i64] }
entry main (n: i64) = loop (xs: [n]i64) = replicate n 0 for _i < 3i32 do map (+ 1) xs
