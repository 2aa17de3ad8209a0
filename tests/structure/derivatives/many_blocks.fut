-- Directions whose number is not known: one loop, for blocks of them.
-- structure soac: loop 1
-- ==
-- input { 2i64 [0.5, 0.25] [4.0, 8.0, 16.0] }
-- output { [[0.25, 0.03125], [0.5, 0.0625], [1.0, 0.125]] }
entry main [n][m] (k: i64) (x: [n]f64) (ts: [m]f64) : [m][n]f64 =
  jmp (map (\a -> loop s = a for _i < k do s * s * 0.5)) x (map (replicate n) ts)
