-- A function of all pairs is computed where it is needed: it would take more memory than the program has otherwise.
-- structure sequential: screma 2
-- structure sequential,hoist_parts: screma 2
-- ==
-- input { 2i64 [1f64, 2f64, 4f64] } output { 1.8212007171103677f64 }
entry main [n] (k: i64) (x: [n]f64) : f64 =
  loop s = 0 for i < k do
    f64.sum (map (\a -> f64.sum (map (\b -> f64.exp (-f64.abs (a - b)) * (s + f64.i64 i)) x)) x) / 10 + 1
