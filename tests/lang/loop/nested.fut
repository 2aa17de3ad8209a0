-- Nested loops.
-- ==
-- input { 3i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64], [6i64, 7i64, 8i64]] }
entry main (n: i64) =
  loop xss = replicate n (replicate n 0) for i < n do
    loop xss for j < n do xss with [i, j] = i * n + j
