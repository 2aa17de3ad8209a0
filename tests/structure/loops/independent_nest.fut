-- Loops in loops that write an element each are maps in maps, also with branches and inner sums.
-- structure soac: screma 3
-- structure soac: loop 0
-- ==
-- input { [[1i64, 2i64], [3i64, 4i64]] [[5i64, 6i64], [7i64, 8i64]] } output { [[19i64, 0i64], [43i64, 50i64]] }
entry main [n][m][k] (a: [n][k]i64) (b: [k][m]i64) : [n][m]i64 =
  loop c = replicate n (replicate m 0) for i < n do
    loop c for j < m do
      if i < j
      then c with [i, j] = 0
      else c with [i, j] = i64.sum (map (\l -> a[i, l] * b[l, j]) (iota k))
