-- Indices and values of a histogram are computed with it.
-- structure soac: screma 0, hist 1
-- ==
-- input { 3i64 [0i64, 1i64, 5i64, 4i64] } output { [2i32, 4i32, 2i32] }
entry main (k: i64) (is: []i64) : *[k]i32 =
  hist (+) 0 k (map (% 3) is) (map (\i -> if i == 1 || i == 4 then 2 else 2) is)
