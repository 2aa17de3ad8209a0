-- Sizes of i64 ranges.
-- ==
-- input { 4i64 } output { [1i64, 3i64, 5i64, 7i64] [1i64, 2i64, 3i64, 4i64] }
entry main (n: i64) : ([n]i64, [n]i64) = (map2 (+) (0..<n) (1..2...n), 1..2...n)
