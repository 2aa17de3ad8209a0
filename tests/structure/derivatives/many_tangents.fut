-- A few directions at once: the loop runs once, with the tangents of all.
-- structure soac: loop 1
-- depth soac: loop 1
-- ==
-- input { 2i64 [0.5, 0.25] }
-- output { [[0.25, 0.03125], [0.5, 0.0625]] }
entry main [n] (k: i64) (x: [n]f64) : [2][n]f64 =
  jmp (map (\a -> loop s = a for _i < k do s * s * 0.5)) x [replicate n 4, replicate n 8]
