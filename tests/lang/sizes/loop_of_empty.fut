-- A loop that starts with an empty array of arrays.
-- ==
-- input { 3i64 } output { [[0i64, 1i64], [1i64, 2i64], [2i64, 3i64]] }
entry main (n: i64) : [][2]i64 = loop acc = [] for i < n do acc ++ [[i, i + 1]]
