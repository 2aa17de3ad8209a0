-- Rows that are nowhere kept do not become an array.
-- structure soac,late_sums: screma 1, replicate 0
-- ==
-- input { 3i64 4i64 } output { 72i64 }
entry main (k: i64) (n: i64) : i64 =
  loop s = 0 for j < k do s + i64.sum (map (\i -> i * (j + 2) + i * j) (iota n))
