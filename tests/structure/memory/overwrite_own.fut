-- An array that is needed no more is changed in place, without a copy; each row is summed before
-- it changes.
-- structure soac,c: alloc 1, copy 0
-- ==
-- input { 2i64 3i64 2i64 } output { [[90i64, 182i64, 274i64], [866i64, 1300i64, 1734i64]] }
-- input { 2i64 3i64 0i64 } output { [[0i64, 1i64, 2i64], [1i64, 2i64, 3i64]] }
entry main (n: i64) (m: i64) (k: i64) : [n][m]i64 =
  loop a = tabulate_2d n m (+) for i < k do
    map (\row -> let s = i64.sum row in map (\x -> x * (s + i) + x + s) row) a
